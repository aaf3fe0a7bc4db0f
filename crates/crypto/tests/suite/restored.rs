//! A machine that was put back to an earlier moment, memory and all (S-8, K-1): its generator gives the same bytes for two
//! different proofs. No nonce may then stand under two challenges, for from two responses to one nonce the witness follows.
//! Over the whole catalogue: every honest proof and every false one, at two places of the log, all from one state of the
//! generator. Every draw counts, also what is drawn before there is a statement.

use outis_crypto::challenger::Purpose;
use outis_crypto::challenger::recording::{Event, record};
use outis_crypto::group::{Element, Scalar, mul_generator};
use outis_crypto::labels::Label;

use crate::catalogue::samples::{PUT_BACK, restored_samples};

/// One proof as its prover made it.
#[derive(Default)]
struct Run {
    /// Points of the statement, whose logarithms are secret.
    targets: Vec<[u8; 32]>,
    /// What the prover drew: for what, the seed, and how many challenges there were before.
    draws: Vec<(Purpose, [u8; 64], usize)>,
    challenges: Vec<Scalar>,
    /// Everything that was sent, message by message.
    sent: Vec<Vec<u8>>,
}

/// Everything that was proved for the samples of a label.
fn runs(label: Label) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for head in [0x22, 0x33] {
        let (_, events) = record(|| restored_samples(label, head));
        let (mut run, mut is_open) = (Run::default(), false);
        for event in events {
            match event {
                Event::Open(_, statement) => {
                    run.targets = targets(&statement);
                    is_open = true;
                }
                // What was drawn before the machine was put back made the statement, or a proof that was given up.
                Event::Draw(PUT_BACK, _) => (run, is_open) = (Run::default(), false),
                Event::Draw(purpose, seed) => run.draws.push((purpose, seed, run.challenges.len())),
                Event::Message(bytes) => run.sent.push(bytes),
                Event::Challenge(challenge) => run.challenges.push(challenge),
                Event::Close(bytes) => {
                    run.sent.push(bytes);
                    assert!(core::mem::take(&mut is_open), "{label}: a proof without a statement");
                    runs.push(core::mem::take(&mut run));
                }
            }
        }
    }
    runs
}

/// What may be drawn twice by a machine that was put back, and be used for two statements. `disclosure` is what was prepared
/// for a view before there are numbers (DI-10): its masks, not its nonces. SECURITY.md says what that gives away.
const NAMED: [Purpose; 1] = [Purpose::new("disclosure")];

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
        let is_proved = |run: &Run| run.draws.iter().any(|(purpose, ..)| *purpose == Purpose::NONCES);
        assert!(runs.iter().all(is_proved), "{label}: a proof without nonces");
        assert!(runs.len() > 3, "{label}");
        for (purpose, ..) in drawn_twice(&runs) {
            assert!(NAMED.contains(&purpose), "{label}: {purpose:?} stands under two challenges");
        }
    }
}

/// What two proofs draw from one seed although their challenges from then on differ.
fn drawn_twice(runs: &[Run]) -> Vec<(Purpose, [u8; 64])> {
    let pairs = runs.iter().enumerate().flat_map(|(i, one)| runs[i + 1..].iter().map(move |two| (one, two)));
    let mut found = Vec::new();
    for (one, two) in pairs {
        for (purpose, seed, before) in &one.draws {
            let same = two.draws.iter().find(|(_, other, _)| other == seed);
            if same.is_some_and(|(.., after)| one.challenges[*before..] != two.challenges[*after..]) {
                found.push((*purpose, *seed));
            }
        }
    }
    found
}

/// The exception is one: what was prepared is in fact drawn twice here, so that the test above would find it.
#[test]
fn every_named_exception_occurs() {
    let twice = drawn_twice(&runs(Label::Disclosure));
    assert!(NAMED.iter().all(|named| twice.iter().any(|(purpose, _)| purpose == named)));
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
            let start = events[..close].iter().rposition(|event| matches!(event, Event::Draw(..))).expect("nonces");
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
