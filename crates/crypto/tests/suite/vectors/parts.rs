//! Vectors of what proofs are made of: group, commitments, coin, challenger, keys, decks.

use outis_crypto::card::{Code, Faces};
use outis_crypto::challenger::{Challenger, Nonces, Opened, Purpose, Statement};
use outis_crypto::codec::{Decode, Encode, Reader};
use outis_crypto::coin::{AwaitingCommitments, Toss};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::context::{Context, Seat, SeatSet};
use outis_crypto::deck::{self, create, open_deck, share};
use outis_crypto::group::{Element, Scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatKey, SeatSecret};
use outis_crypto::sigma::{Possession, SameExponents};
use outis_crypto::sra::classic::{FirstDeck, Offered, Where, open_first, open_second, shuffle_first, shuffle_second};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::{Value, json};

use super::{ORDER, bytes, context_to_json, file};

use super::super::catalogue::context;
use super::super::catalogue::inputs::hex;

pub fn files() -> Vec<(String, Value)> {
    vec![encoding(), group(), challenger(), commitment(), coin(), key(), deck(), sra_classic()]
}

fn hexes<'a>(items: impl IntoIterator<Item = &'a (impl Encode + 'a)>) -> Value {
    items.into_iter().map(|item| hex(&item.to_bytes())).collect()
}

/// The smallest non-negative field element that is no point.
fn no_point() -> [u8; 32] {
    let candidates = (1..=u8::MAX / 2).map(|half| bytes(2 * half, 0, 0));
    candidates.into_iter().find(|bytes| Reader::new(bytes).element("probe").is_err()).expect("most are none")
}

fn encoding() -> (String, Value) {
    let generator = *Element::generator().as_bytes();
    let elements = [
        ("good_generator", generator),
        ("good_hash", *Element::hash("vectors", &[b"element"]).as_bytes()),
        ("bad_identity", [0; 32]),
        ("bad_negative", bytes(1, 0, 0)),
        ("bad_prime", bytes(0xed, 0xff, 0x7f)),
        ("bad_prime_plus_two", bytes(0xef, 0xff, 0x7f)),
        ("bad_top_bit", bytes(0, 0, 0x80)),
        ("bad_generator_with_top_bit", {
            let mut e = generator;
            e[31] |= 0x80;
            e
        }),
        ("bad_no_point", no_point()),
        ("bad_all_ones", [0xff; 32]),
    ];
    let scalars = [
        ("good_one", bytes(1, 0, 0)),
        ("good_order_minus_one", {
            let mut s = ORDER;
            s[0] -= 1;
            s
        }),
        ("bad_zero", [0; 32]),
        ("bad_order", ORDER),
        ("bad_order_plus_one", {
            let mut s = ORDER;
            s[0] += 1;
            s
        }),
        ("bad_2_255_minus_1", bytes(0xff, 0xff, 0x7f)),
        ("bad_all_ones", [0xff; 32]),
    ];
    let case = |kind: &str, name: &str, bytes: &[u8; 32], error: Option<String>| {
        assert_eq!(error.is_none(), name.starts_with("good"), "{name}");
        let mut case = json!({
            "name": format!("{kind}_{name}"), "type": kind, "bytes": hex(bytes),
            "expect": if error.is_none() { "accept" } else { "refuse" },
        });
        if let Some(error) = error {
            case["layer"] = json!("decode");
            case["fault"] = json!(error);
        }
        case
    };
    let element = |(name, bytes): &(&str, [u8; 32])| {
        let error = Reader::new(bytes).element("vector").err();
        case("element", name, bytes, error.map(|e| e.fault.to_string()))
    };
    let scalar = |(name, bytes): &(&str, [u8; 32])| {
        let error = Reader::new(bytes).scalar("vector").err();
        case("scalar", name, bytes, error.map(|e| e.fault.to_string()))
    };
    let cases = elements.iter().map(element).chain(scalars.iter().map(scalar)).collect();
    file("encoding", "Elements of ristretto255 and scalars, 32 bytes each: what a reader accepts.", cases)
}

fn group() -> (String, Value) {
    let mut cases = Vec::new();
    let inputs: [(&str, &[&[u8]]); 6] = [
        ("", &[]),
        ("face", &[]),
        ("face", &[b"a"]),
        ("face", &[b"ab", b"c"]),
        ("face", &[b"a", b"bc"]),
        ("facea", &[b"b", b"c"]),
    ];
    for (i, (domain, data)) in inputs.iter().enumerate() {
        cases.push(json!({
            "name": format!("hash_{i}"), "type": "hash-to-group", "domain": domain,
            "data": data.iter().map(|part| hex(part)).collect::<Value>(),
            "element": hex(Element::hash(domain, data).as_bytes()),
        }));
    }
    let slots = (0..6u32).map(|i| Element::hash("commitment slot", &[&i.to_le_bytes()]));
    cases.push(json!({
        "name": "commitment_generators", "type": "generators",
        "slots": hexes(&slots.collect::<Vec<_>>()),
        "blind": hex(Element::hash("commitment blind", &[]).as_bytes()),
        "value": hex(Element::hash("commitment value", &[]).as_bytes()),
    }));
    for (game, n) in [("tarokk", 3), ("poker", 3), ("", 1)] {
        cases.push(json!({
            "name": format!("faces_{game}"), "type": "faces", "game": game,
            "faces": hexes(Faces::new(game, n).as_slice()),
        }));
    }
    file("group", "Elements whose discrete logarithm nobody knows, from public strings.", cases)
}

/// A challenger run step by step, written down as it goes.
struct Recorded<'c> {
    opened: Opened<'c>,
    steps: Vec<Value>,
}

impl<'c> Recorded<'c> {
    fn open<S: Statement>(challenger: &'c mut Challenger, statement: &S) -> Self {
        let step = json!({ "step": "open", "label": S::LABEL.text(), "statement": hex(&statement.to_bytes()) });
        Self { opened: challenger.open(statement), steps: vec![step] }
    }

    fn message(&mut self, name: &'static str, value: &impl Encode) {
        self.steps.push(json!({ "step": "message", "name": name, "value": hex(&value.to_bytes()) }));
        self.opened.message(name, value);
    }

    fn challenge(&mut self, name: &'static str) {
        let challenge = self.opened.challenge(name);
        self.steps.push(json!({ "step": "challenge", "name": name, "expect": hex(challenge.as_bytes()) }));
    }

    fn challenges(&mut self, name: &'static str, n: usize) {
        let challenges = self.opened.challenges(name, n);
        self.steps.push(json!({ "step": "challenges", "name": name, "count": n, "expect": hexes(&challenges) }));
    }

    fn bits(&mut self, name: &'static str, n: usize) {
        let bits: String = self.opened.challenge_bits(name, n).iter().map(|b| if *b { '1' } else { '0' }).collect();
        self.steps.push(json!({ "step": "bits", "name": name, "count": n, "expect": bits }));
    }

    fn close(self, responses: &impl Encode) -> Vec<Value> {
        let _ = self.opened.close(responses);
        let mut steps = self.steps;
        steps.push(json!({ "step": "close", "responses": hex(&responses.to_bytes()) }));
        steps
    }
}

fn challenger() -> (String, Value) {
    let context = context();
    let elements: Vec<Element> = (0..3u8).map(|i| Element::hash("vectors", &[&[i]])).collect();
    let scalars: Vec<Scalar> = (1..4u64).map(Scalar::from).collect();
    let mut challenger = Challenger::new(&context);
    let mut steps = Vec::new();

    let mut one = Recorded::open(&mut challenger, &Possession { key: elements[0] });
    one.message("commitments", &elements[..1].to_vec());
    one.challenge("c");
    steps.extend(one.close(&scalars[..1].to_vec()));

    let statement = SameExponents { key: elements[0], bases: &elements[..2], powers: &elements[1..] };
    let mut two = Recorded::open(&mut challenger, &statement);
    two.challenges("weights", 3);
    two.message("commitments", &elements);
    two.challenge("c");
    two.challenge("c");
    two.bits("bits", 130);
    two.bits("more bits", 5);
    two.message("last", &scalars[2]);
    two.challenge("e");
    steps.extend(two.close(&scalars));

    let mut three = Recorded::open(&mut challenger, &Possession { key: elements[2] });
    three.challenge("c");
    steps.extend(three.close(&Vec::<Scalar>::new()));

    let case = json!({
        "name": "two_proofs_and_a_third", "description": "three proofs of one entry on one running state",
        "context": context_to_json(&context), "context_bytes": hex(&context.to_bytes()), "steps": steps,
    });
    let about =
        "The Fiat-Shamir state: what goes in, and the challenges that come out. Scalars as 32 bytes, bits in order.";
    file("challenger", about, vec![case])
}

fn place_to_json(place: &Place) -> Value {
    json!({ "table": hex(&place.table.0), "deal": place.deal, "seat": place.seat.0 })
}

fn commitment() -> (String, Value) {
    let mut rng = ChaCha20Rng::seed_from_u64(41);
    let place = Place::of(&context());
    let (commitment, opening) = Commitment::new("vectors", &place, b"heads", &mut rng);
    let (empty, empty_opening) = Commitment::new("", &place, b"", &mut rng);
    let case = |name: &str, purpose: &str, place: &Place, value: &[u8], opening: &Opening, commitment: &Commitment| {
        let good = commitment.opens(purpose, place, value, opening);
        assert_eq!(good, name.starts_with("good"), "{name}");
        json!({
            "name": name, "purpose": purpose, "place": place_to_json(place), "value": hex(value),
            "opening": hex(&opening.to_bytes()), "commitment": hex(&commitment.to_bytes()),
            "expect": if good { "accept" } else { "refuse" },
        })
    };
    let elsewhere = [
        ("bad_wrong_table", Place { table: outis_crypto::context::TableId([0x33; 32]), ..place }),
        ("bad_wrong_deal", Place { deal: 4, ..place }),
        ("bad_wrong_seat", Place { seat: Seat(2), ..place }),
    ];
    let mut cases = vec![
        case("good", "vectors", &place, b"heads", &opening, &commitment),
        case("good_empty", "", &place, b"", &empty_opening, &empty),
        case("bad_value", "vectors", &place, b"tails", &opening, &commitment),
        case("bad_purpose", "vector", &place, b"heads", &opening, &commitment),
        case("bad_moved_boundary", "vectorsh", &place, b"eads", &opening, &commitment),
        case("bad_opening", "vectors", &place, b"heads", &empty_opening, &commitment),
        case("bad_commitment", "vectors", &place, b"heads", &opening, &empty),
    ];
    cases.extend(elsewhere.iter().map(|(name, place)| case(name, "vectors", place, b"heads", &opening, &commitment)));
    file("commitment", "Hash commitments, bound to a purpose, a table, a deal and a seat.", cases)
}

fn coin() -> (String, Value) {
    let mut rng = ChaCha20Rng::seed_from_u64(42);
    let seats = [Seat(0), Seat(1), Seat(5)];
    let set = SeatSet::new(&seats).expect("three seats");
    let toss = Toss { purpose: "vectors", table: context().table, deal: 3, subject: [0x44; 32], seats: set };
    let mut table = AwaitingCommitments::new(toss).expect("a toss");
    let mut own = Vec::new();
    let mut commitments = Vec::new();
    for seat in seats {
        let (contribution, commitment) = toss.contribute(seat, &mut rng);
        table.accept(seat, commitment).expect("a commitment");
        own.push(contribution);
        commitments.push(commitment);
    }
    let mut table = table.all_in().expect("all commitments");
    let waiting = table.clone();
    let mut reveals = Vec::new();
    for (seat, contribution) in seats.iter().zip(own) {
        let reveal = contribution.reveal(&table).expect("a reveal");
        table.accept(*seat, &reveal).expect("an honest reveal");
        reveals.push(reveal);
    }
    let coin = table.all_in().expect("a coin");
    let toss_json = json!({
        "purpose": toss.purpose, "table": hex(&toss.table.0), "deal": toss.deal, "subject": hex(&toss.subject),
        "seats": seats.map(|seat| seat.0),
    });
    let part = |seat: &Seat, commitment: &Commitment, reveal: &[u8]| json!({ "seat": seat.0, "commitment": hex(&commitment.to_bytes()), "reveal": hex(reveal) });
    let parts: Vec<Value> = (0..3).map(|i| part(&seats[i], &commitments[i], &reveals[i].to_bytes())).collect();
    let bits: String = coin.bits(600).iter().map(|b| if *b { '1' } else { '0' }).collect();
    let mut cases = vec![json!({
        "name": "good", "description": "three seats; the reveal is the value (32 bytes) and the opening (32 bytes)",
        "toss": toss_json, "parts": parts, "expect": "accept",
        "coin": hex(&coin.to_bytes()), "bits": bits, "scalars": hexes(&coin.scalars(3)),
    })];
    let mut refuse = |name: &str, description: &str, at: usize, commitment: &Commitment, reveal: &[u8]| {
        let decoded = <outis_crypto::coin::Reveal as Decode>::from_bytes(reveal, &());
        let refused =
            waiting.clone().accept(seats[at], &decoded.expect("64 bytes")).is_err() || *commitment != commitments[at];
        assert!(refused, "{name}");
        let mut parts = parts.clone();
        parts[at] = part(&seats[at], commitment, reveal);
        cases.push(json!({
            "name": name, "description": description, "toss": toss_json, "parts": parts, "expect": "refuse",
            "culprit": seats[at].0,
        }));
    };
    let mut value = reveals[2].to_bytes();
    value[0] ^= 1;
    refuse("bad_value", "seat 5 reveals another value", 2, &commitments[2], &value);
    let mut opening = reveals[2].to_bytes();
    opening[63] ^= 1;
    refuse("bad_opening", "seat 5 reveals another opening", 2, &commitments[2], &opening);
    refuse("bad_copied", "seat 1 copies both messages of seat 0", 1, &commitments[0], &reveals[0].to_bytes());
    file("coin", "A coin tossed by several seats: commit, reveal, hash.", cases)
}

fn key() -> (String, Value) {
    let mut rng = ChaCha20Rng::seed_from_u64(43);
    let base = context();
    let at = |seat: u8| Context { seat: Seat(seat), ..base };
    let mut parts = Vec::new();
    let mut keys = Vec::new();
    let part = |context: &Context, commitment: &[u8], reveal: &[u8]| json!({ "context": context_to_json(context), "commitment": hex(commitment), "reveal": hex(reveal) });
    for seat in 0..3 {
        let secret = SeatSecret::random(&mut rng);
        let (commitment, opening) = secret.commit(&Place::of(&at(seat)), &mut rng);
        let reveal = secret.reveal(opening, &mut Challenger::new(&at(seat)), &mut rng).expect("a reveal");
        keys.push(SeatKey::accept(&at(seat), &commitment, &reveal).expect("an honest key"));
        parts.push((commitment.to_bytes(), reveal.to_bytes()));
    }
    let roster = [Seat(0), Seat(1), Seat(2)];
    let joint = JointKey::aggregate(&roster, keys).expect("a joint key");
    let all: Vec<Value> = (0..3u8).map(|i| part(&at(i), &parts[usize::from(i)].0, &parts[usize::from(i)].1)).collect();
    let mut cases = vec![json!({
        "name": "good", "description": "three seats; a reveal is key, opening and proof of possession",
        "roster": [0, 1, 2], "parts": all, "expect": "accept", "joint_key": hex(joint.element().as_bytes()),
    })];
    let mut refuse = |name: &str, description: &str, roster: Value, parts: Vec<Value>, culprit: u8| {
        cases.push(json!({
            "name": name, "description": description, "roster": roster, "parts": parts, "expect": "refuse",
            "culprit": culprit,
        }));
    };
    let with = |i: usize, other: Value| {
        let mut parts = all.clone();
        parts[i] = other;
        parts
    };
    let three = json!([0, 1, 2]);
    refuse("bad_missing", "seat 2 has no key", three.clone(), all[..2].to_vec(), 2);
    refuse("bad_twice", "seat 1 has two keys", three.clone(), [&all[..], &all[1..2]].concat(), 1);
    refuse("bad_stranger", "seat 2 is not on the roster", json!([0, 1]), all.clone(), 2);
    let copied = part(&at(1), &parts[0].0, &parts[0].1);
    refuse("bad_copied", "seat 1 copies both messages of seat 0", three.clone(), with(1, copied), 1);
    let changed = part(&at(2), &parts[2].0, &parts[1].1);
    refuse("bad_changed", "seat 2 reveals another key than it committed to", three.clone(), with(2, changed), 2);
    // A rogue key: committed to, but without knowledge of its secret.
    let sum = joint.element().point() - joint.seat(Seat(2)).expect("a seat").point();
    let rogue = Element::new(Element::generator().point() * Scalar::from(7u64) - sum).expect("an element");
    let (commitment, opening) = Commitment::new("key", &Place::of(&at(2)), rogue.as_bytes(), &mut rng);
    let reveal = [&rogue.to_bytes()[..], &opening.to_bytes(), &parts[2].1[64..]].concat();
    let rogue = part(&at(2), &commitment.to_bytes(), &reveal);
    refuse("bad_rogue", "seat 2 reveals 7 G minus the others' keys", three.clone(), with(2, rogue), 2);
    let mut head = at(1);
    head.head.0[0] ^= 1;
    let moved = part(&head, &parts[1].0, &parts[1].1);
    refuse("bad_wrong_head", "the proof of seat 1 was made for another log", three, with(1, moved), 1);
    file("key", "Seat keys: commit, reveal with proof of possession, and their sum from exactly the roster.", cases)
}

fn deck() -> (String, Value) {
    let mut rng = ChaCha20Rng::seed_from_u64(44);
    let (secrets, key) = table_of(2, &mut rng);
    let faces = Faces::new("vectors", 3);
    let code_json = |code: &Code| json!({ "c1": hex(code.c1.as_bytes()), "c2": hex(code.c2.as_bytes()) });
    let open = open_deck(&key, &faces);
    let mut cases = vec![json!({
        "name": "open_deck", "type": "open-deck", "key": hex(key.element().as_bytes()), "game": "vectors",
        "codes": open.0.iter().map(code_json).collect::<Value>(),
    })];
    let own = create(&key, &faces, 2, &mut rng).expect("a card");
    let opened = deck::CardOpening::new(&own).to_bytes();
    let mut opening = |name: &str, description: &str, bytes: &[u8], layer: Option<&str>| {
        let mut case = json!({
            "name": name, "type": "opened", "description": description, "key": hex(key.element().as_bytes()),
            "game": "vectors", "pack": 3, "code": code_json(&own.code), "opened": hex(bytes),
            "expect": if layer.is_none() { "accept" } else { "refuse" },
        });
        if let Some(layer) = layer {
            case["layer"] = json!(layer);
        }
        cases.push(case);
    };
    let with = |at: usize, value: u8| {
        let mut bytes = opened.clone();
        bytes[at] = value;
        bytes
    };
    opening("good_opened", "the card (2 bytes) and the randomness of a code", &opened, None);
    opening("bad_opened_card", "another card", &with(0, 1), Some("proof"));
    opening("bad_opened_outside", "a card that is not in the pack", &with(0, 3), Some("decode"));
    opening("bad_opened_randomness", "another randomness", &with(2, opened[2] ^ 1), Some("proof"));
    opening("bad_opened_zero", "randomness zero", &[&opened[..2], &[0; 32]].concat(), Some("decode"));
    opening("bad_opened_trailing", "one byte too many", &[&opened[..], &[0]].concat(), Some("decode"));

    let codes: Vec<Code> = (0..3).map(|card| create(&key, &faces, 2 - card, &mut rng).expect("a card").code).collect();
    let contexts = [0, 1].map(|seat| Context { seat: Seat(seat), ..context() });
    let messages: Vec<Vec<u8>> = secrets
        .iter()
        .zip(&contexts)
        .map(|(secret, at)| share(secret, &codes, &mut Challenger::new(at), &mut rng).expect("shares").to_bytes())
        .collect();
    let mut drawing = |name: &str, description: &str, messages: &[Vec<u8>], cards: Option<[usize; 3]>| {
        let shares = messages.iter().zip(&contexts).zip(key.seats()).map(|((bytes, at), seat)| {
            json!({ "context": context_to_json(at), "key": hex(seat.element().as_bytes()), "shares": hex(bytes) })
        });
        let mut case = json!({
            "name": name, "type": "shares", "description": description, "game": "vectors", "pack": 3,
            "codes": codes.iter().map(code_json).collect::<Value>(), "seats": shares.collect::<Value>(),
            "expect": if cards.is_some() { "accept" } else { "refuse" },
        });
        match cards {
            Some(cards) => case["cards"] = json!(cards),
            None => case["layer"] = json!("proof"),
        }
        cases.push(case);
    };
    drawing("good_shares", "both seats' shares open three cards", &messages, Some([2, 1, 0]));
    let mut swapped = messages.clone();
    let (first, rest) = swapped[0].split_at_mut(32);
    first.swap_with_slice(&mut rest[..32]);
    drawing("bad_shares_swapped", "two shares of the first seat are swapped", &swapped, None);
    let replayed = vec![messages[0].clone(), messages[0].clone()];
    drawing("bad_shares_copied", "the second seat copies the shares of the first", &replayed, None);
    file("deck", "The open deck, the opening of one's own card, and shares that open cards for all.", cases)
}

/// The two cuts and chooses: three decks of four cards, of which the second is kept (LC-4, LC-5, LC-13, LC-14).
fn sra_classic() -> (String, Value) {
    const CARDS: usize = 4;
    let (mut rng, context) = (ChaCha20Rng::seed_from_u64(55), context());
    let (at, mut cases) = (Where::of(&context), Vec::new());
    let mut case = |kind: &str, name: &str, about: &str, parts: Value, opening: &[u8], layer: Option<&str>| {
        let mut case = json!({
            "name": name, "type": kind, "description": about, "table": hex(&at.table.0), "deal": at.deal, "cards": CARDS, "kept": 1,
            "opening": hex(opening), "expect": if layer.is_none() { "accept" } else { "refuse" },
        });
        parts.as_object().into_iter().flatten().for_each(|(name, part)| case[name] = part.clone());
        layer.into_iter().for_each(|layer| case["layer"] = json!(layer));
        cases.push(case);
    };
    let with = |bytes: &[u8], at: usize, value: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= value;
        bytes
    };
    let (keys, first) = shuffle_first(&context, CARDS, 3, &mut rng);
    let opening = open_first(&keys, 1).expect("there are three").to_bytes();
    let sent = |decks: &Offered<FirstDeck>| json!({ "decks": hex(&decks.to_bytes()) });
    let changed = |deck: FirstDeck| Offered([deck, first.0[1].clone(), first.0[2].clone()].into());
    case("first", "good_first", "the inverse keys of the first and the third deck", sent(&first), &opening, None);
    case("first", "bad_first_key", "another key", sent(&first), &with(&opening, 0, 1), Some("proof"));
    case("first", "bad_first_zero", "no key", sent(&first), &[&[0; 32], &opening[32..]].concat(), Some("decode"));
    case(
        "first",
        "bad_first_trailing",
        "one byte too many",
        sent(&first),
        &[&opening[..], &[0]].concat(),
        Some("decode"),
    );
    let mut source = Nonces::hedged(const { Purpose::new("vectors") }, &context, [], &mut rng);
    let twice = changed(FirstDeck::make(&at, &[3, 1, 2, 3], &keys[0], &mut source));
    case("first", "bad_first_twice", "a card twice in an opened deck", sent(&twice), &opening, Some("proof"));
    let last = first.0[0].to_bytes().len() - 1;
    let broken = FirstDeck::from_bytes(&with(&first.0[0].to_bytes(), last, 1), &CARDS).expect("any bytes are a box");
    case("first", "bad_first_box", "a box that does not open", sent(&changed(broken)), &opening, Some("proof"));

    let kept = first.kept(1).expect("there are three");
    let (secrets, second) = shuffle_second(&context, &kept, 3, &mut rng).expect("the deck is whole");
    let opening = open_second(&secrets, 1).expect("there are three").to_bytes();
    let sent = json!({ "first": hex(&kept.to_bytes()), "decks": hex(&second.to_bytes()) });
    let order = &opening[32..32 + CARDS];
    let swapped = [&opening[..32], &[order[1], order[0]], &opening[34..]].concat();
    let repeated = [&opening[..32], &[order[1], order[1]], &opening[34..]].concat();
    case("second", "good_second", "keys, orders and nonces", sent.clone(), &opening, None);
    case("second", "bad_second_key", "another key", sent.clone(), &with(&opening, 0, 1), Some("proof"));
    case("second", "bad_second_order", "two places changed", sent.clone(), &swapped, Some("proof"));
    case("second", "bad_second_repeated", "an index twice", sent.clone(), &repeated, Some("decode"));
    case(
        "second",
        "bad_second_outside",
        "an index that is none",
        sent.clone(),
        &with(&opening, 32, 0x80),
        Some("decode"),
    );
    case("second", "bad_second_nonce", "another nonce", sent, &with(&opening, 32 + CARDS, 1), Some("proof"));
    file("sra-classic", "Opened decks of the classic grade of poker, spec/55-sra.md.", cases)
}
