//! A machine that was put back to an earlier moment, memory and all (S-8, K-1): its generator gives the same bytes for two
//! different proofs. No nonce may then stand under two challenges, for from two responses to one nonce the witness follows.
//! Over the whole catalogue: every honest proof and every false one, at two places of the log, all from one state of the
//! generator.

use outis_crypto::challenger::recording::{Event, record};
use outis_crypto::group::{Element, Scalar, mul_generator};
use outis_crypto::labels::Label;

use crate::catalogue::samples::restored_samples;

/// One proof as its prover made it.
#[derive(Default)]
struct Run {
    /// Points of the statement, whose logarithms are secret.
    targets: Vec<[u8; 32]>,
    /// Seeds of nonces, each with how many challenges there were before.
    seeds: Vec<([u8; 64], usize)>,
    challenges: Vec<Scalar>,
    /// Everything that was sent, message by message.
    sent: Vec<Vec<u8>>,
}

/// Everything that was proved for the samples of a label.
fn runs(label: Label) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for head in [0x22, 0x33] {
        let (_, events) = record(|| restored_samples(label, head));
        for event in events {
            if let Event::Open(_, statement) = event {
                runs.push(Run { targets: targets(&statement), ..Run::default() });
                continue;
            }
            let run = runs.last_mut().expect("a statement comes first");
            match event {
                Event::Open(..) => unreachable!(),
                Event::Nonces(seed) => run.seeds.push((seed, run.challenges.len())),
                Event::Message(bytes) | Event::Close(bytes) => run.sent.push(bytes),
                Event::Challenge(challenge) => run.challenges.push(challenge),
            }
        }
    }
    runs
}

/// Messages longer than this are not searched for scalars (cut and choose sends whole decks): their seeds tell.
const LONG: usize = 2048;

/// What may be a scalar, at every byte: lists have lengths before them.
fn scalars(message: &[u8]) -> impl Iterator<Item = Option<Scalar>> {
    message.windows(32).map(|window| Scalar::from_canonical_bytes(window.try_into().ok()?).into())
}

/// The points whose logarithms are secret: whatever is a point in the statement, and is not the generator.
fn targets(statement: &[u8]) -> Vec<[u8; 32]> {
    let windows = statement.windows(32).filter_map(|window| Element::from_encoding(window.try_into().ok()?).ok());
    windows.filter(|point| *point != Element::generator()).map(|point| *point.as_bytes()).collect()
}

/// Two responses to one nonce, and its challenges: the logarithm of a point of the statement.
fn extract(one: &Run, two: &Run) -> Option<Scalar> {
    let powers = |run: &Run| run.challenges.iter().flat_map(|c| [*c, c * c]).collect::<Vec<_>>();
    for (first, second) in one.sent.iter().zip(&two.sent).filter(|(a, b)| a.len().max(b.len()) < LONG) {
        for (z1, z2) in scalars(first).zip(scalars(second)) {
            let (Some(z1), Some(z2)) = (z1, z2) else { continue };
            for (c1, c2) in powers(one).into_iter().zip(powers(two)).filter(|(c1, c2)| c1 != c2) {
                let secret = (z1 - z2) * (c1 - c2).invert();
                let public = Element::new(mul_generator(&secret));
                if public.is_some_and(|public| one.targets.contains(public.as_bytes())) {
                    return Some(secret);
                }
            }
        }
    }
    None
}

#[test]
fn no_nonce_stands_under_two_challenges() {
    for label in Label::ALL {
        let runs = runs(*label);
        assert!(runs.iter().all(|run| !run.seeds.is_empty()), "{label}: a proof without nonces");
        assert!(runs.len() > 3, "{label}");
        for (i, one) in runs.iter().enumerate() {
            for two in &runs[i + 1..] {
                for ((seed, before), (_, after)) in
                    one.seeds.iter().flat_map(|a| two.seeds.iter().filter(move |b| a.0 == b.0).map(move |b| (a, b)))
                {
                    let (rest, other) = (&one.challenges[*before..], &two.challenges[*after..]);
                    assert_eq!(rest, other, "{label}: nonces from {:02x?}… stand under two challenges", &seed[..4]);
                }
            }
        }
    }
}

/// Nonces come after everything that is absorbed before the message that they hide: their seed is the last thing before
/// it. Whoever draws early draws for another message as well.
#[test]
fn nonces_are_drawn_after_everything_that_was_sent() {
    for label in Label::ALL {
        let (_, events) = record(|| restored_samples(*label, 0x22));
        let before = |end: &dyn Fn(&Event) -> bool| {
            events.iter().enumerate().filter(|(_, event)| end(event)).map(|(at, _)| at).collect::<Vec<_>>()
        };
        // Between the last nonces and the responses there is exactly one challenge: the one that the responses answer.
        // The digit proofs answer with the nonces of their first stage as well, which hide what is sent before it.
        for close in before(&|event| matches!(event, Event::Close(_))) {
            let start = events[..close].iter().rposition(|event| matches!(event, Event::Nonces(_))).expect("nonces");
            let between = events[start..close].iter().filter(|event| matches!(event, Event::Challenge(_))).count();
            assert_eq!(between, 1, "{label}: nonces under {between} challenges");
        }
    }
}

#[test]
fn no_witness_can_be_extracted() {
    for label in Label::ALL {
        let runs = runs(*label);
        for (i, one) in runs.iter().enumerate() {
            for two in &runs[i + 1..] {
                assert_eq!(extract(one, two), None, "{label}: a secret falls out of two proofs");
            }
        }
    }
}

/// The extractor works: one nonce under two challenges gives the key.
#[test]
fn the_extractor_finds_a_repeated_nonce() {
    let (key, nonce) = (Scalar::from(1234u64), Scalar::from(99u64));
    let public = Element::new(mul_generator(&key)).expect("a key");
    let run = |c: u64| Run {
        targets: targets(public.as_bytes()),
        challenges: vec![Scalar::from(c)],
        sent: vec![(nonce + Scalar::from(c) * key).as_bytes().to_vec()],
        ..Run::default()
    };
    assert_eq!(extract(&run(5), &run(6)), Some(key));
}
