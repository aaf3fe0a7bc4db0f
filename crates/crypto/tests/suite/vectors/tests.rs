use std::path::{Path, PathBuf};

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode, Reader};
use outis_crypto::coin::{AwaitingCommitments, Reveal, Toss};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::context::{Context, Head, Seat, SeatSet, TableId};
use outis_crypto::deck::{CardOpening, Shares, open_deck};
use outis_crypto::group::Element;
use outis_crypto::key::testing::joint_key;
use outis_crypto::key::{JointKey, KeyReveal, SeatKey};
use outis_crypto::labels::Label;
use outis_crypto::sigma::{SameExponents, Sigma, SigmaProof};
use outis_crypto::sra::classic::{FirstDeck, FirstOpening, Offered, SecondDeck, SecondOpening, Where};
use serde_json::Value;

use super::{file_name, files};
use crate::catalogue::inputs::{unhex, unhex_array};
use crate::catalogue::samples;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors")
}

#[expect(clippy::disallowed_methods, reason = "the committed vectors are files")]
fn committed(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("spec/vectors/{name}: {error}"))
}

fn cases(name: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(&committed(name)).unwrap();
    assert_eq!((&file["version"], &file["protocol"]), (&Value::from(1), &Value::from("outis/1")));
    let cases = file["cases"].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the committed vectors are files")]
fn the_committed_vectors_are_what_the_code_writes() {
    let files = files();
    for (name, text) in &files {
        assert!(committed(name) == *text, "spec/vectors/{name} is out of date: run the example `vectors`");
    }
    let known = |name: &str| name == "README.md" || files.iter().any(|(known, _)| known == name);
    // Folders beside the files, such as that of whole logs, have tests of their own.
    for entry in std::fs::read_dir(folder()).unwrap().map(Result::unwrap).filter(|entry| !entry.path().is_dir()) {
        let name = entry.file_name().into_string().unwrap();
        assert!(known(&name), "spec/vectors/{name} is not written by the example `vectors`");
    }
    let total: usize = files.iter().map(|(_, text)| text.len()).sum();
    assert!(total < 2_500_000, "{total} bytes of vectors");
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn context(value: &Value) -> Context {
    Context {
        table: TableId(unhex_array(&value["table"])),
        deal: number(&value["deal"]) as u32,
        seat: Seat(number(&value["seat"]) as u8),
        head: Head(unhex_array(&value["head"])),
    }
}

fn place(value: &Value) -> Place {
    let table = TableId(unhex_array(&value["table"]));
    Place { table, deal: number(&value["deal"]) as u32, seat: Seat(number(&value["seat"]) as u8) }
}

fn element(value: &Value) -> Element {
    Reader::new(&unhex(value)).element("vector").unwrap()
}

fn code(value: &Value) -> Code {
    Code { c1: element(&value["c1"]), c2: element(&value["c2"]) }
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(read).collect()
}

fn bits(bits: &[bool]) -> String {
    bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect()
}

#[test]
fn every_proof_vector_has_its_verdict() {
    for label in Label::ALL {
        let sample = samples(*label, 1).remove(0);
        let (mut good, mut names) = (0, Vec::new());
        for case in cases(&file_name(*label)) {
            let inputs = sample.inputs.read_json(&case["inputs"]);
            let verdict = sample.verify(&context(&case["context"]), &inputs, &unhex(&case["proof"]));
            let title = format!("{label} {}", case["name"]);
            match text(&case["expect"]) {
                "accept" => assert_eq!(verdict, Ok(()), "{title}"),
                "refuse" => assert_eq!(verdict.unwrap_err().layer(), text(&case["layer"]), "{title}"),
                other => panic!("{title}: {other}"),
            }
            good += usize::from(case["expect"] == "accept");
            names.push(text(&case["name"]).to_owned());
        }
        assert!(good > 0 && names.len() > good, "{label}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), cases(&file_name(*label)).len(), "{label}: names are unique");
    }
}

#[test]
fn encodings() {
    for case in cases("encoding.json") {
        let bytes = unhex(&case["bytes"]);
        let mut reader = Reader::new(&bytes);
        let error = match text(&case["type"]) {
            "element" => reader.element("vector").err(),
            "scalar" => reader.scalar("vector").err(),
            other => panic!("{other}"),
        };
        let fault = error.map(|error| error.fault.to_string());
        assert_eq!(fault.as_deref(), case["fault"].as_str(), "{}", case["name"]);
        assert_eq!(fault.is_none(), case["expect"] == "accept", "{}", case["name"]);
    }
}

#[test]
fn group_elements() {
    for case in cases("group.json") {
        match text(&case["type"]) {
            "hash-to-group" => {
                let data = list(&case["data"], unhex);
                let parts: Vec<&[u8]> = data.iter().map(Vec::as_slice).collect();
                assert_eq!(Element::hash(text(&case["domain"]), &parts), element(&case["element"]));
            }
            "generators" => {
                for (i, slot) in list(&case["slots"], element).iter().enumerate() {
                    assert_eq!(*slot, Element::hash("commitment slot", &[&(i as u32).to_le_bytes()]));
                }
                assert_eq!(element(&case["blind"]), Element::hash("commitment blind", &[]));
                assert_eq!(element(&case["value"]), Element::hash("commitment value", &[]));
            }
            "faces" => {
                let faces = list(&case["faces"], element);
                assert_eq!(Faces::new(text(&case["game"]), faces.len()).as_slice(), faces);
            }
            other => panic!("{other}"),
        }
    }
}

/// A statement that is only known as a label and bytes.
struct Raw<const POSSESSION: bool>(Vec<u8>);

impl<const POSSESSION: bool> Encode for Raw<POSSESSION> {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl<const POSSESSION: bool> outis_crypto::challenger::Statement for Raw<POSSESSION> {
    const LABEL: Label = if POSSESSION { Label::Possession } else { Label::SameExponents };
}

#[test]
fn challenges() {
    for case in cases("challenger.json") {
        let place = context(&case["context"]);
        assert_eq!(place.to_bytes(), unhex(&case["context_bytes"]));
        let mut challenger = Challenger::new(&place);
        let mut steps = case["steps"].as_array().unwrap().iter().peekable();
        let mut compared = 0;
        while let Some(step) = steps.next() {
            assert_eq!(step["step"], "open");
            let statement = unhex(&step["statement"]);
            let mut opened = match text(&step["label"]) {
                "possession/1" => challenger.open(&Raw::<true>(statement)),
                "same-exponents/1" => challenger.open(&Raw::<false>(statement)),
                other => panic!("{other}"),
            };
            loop {
                let step = steps.next().unwrap();
                // The names of a run are few and known at compile time.
                let name = ["commitments", "weights", "c", "bits", "more bits", "last", "e"]
                    .into_iter()
                    .find(|name| step["name"] == *name);
                let (name, count) = (name.unwrap_or_default(), step["count"].as_u64().unwrap_or(0) as usize);
                match text(&step["step"]) {
                    "message" => opened.message(name, &Raw::<true>(unhex(&step["value"]))),
                    "challenge" => assert_eq!(opened.challenge(name).to_bytes(), unhex_array(&step["expect"])),
                    "challenges" => {
                        let expected: Vec<[u8; 32]> = list(&step["expect"], unhex_array);
                        assert_eq!(
                            opened.challenges(name, count).iter().map(|s| s.to_bytes()).collect::<Vec<_>>(),
                            expected
                        );
                    }
                    "bits" => assert_eq!(bits(&opened.challenge_bits(name, count)), text(&step["expect"])),
                    "close" => {
                        let _ = opened.close(&Raw::<true>(unhex(&step["responses"])));
                        break;
                    }
                    other => panic!("{other}"),
                }
                compared += usize::from(step["expect"] != Value::Null);
            }
        }
        assert!(compared > 6);
    }
}

#[test]
fn commitments() {
    for case in cases("commitment.json") {
        let commitment = Commitment::from_bytes(&unhex(&case["commitment"]), &()).unwrap();
        let opening = Opening::from_bytes(&unhex(&case["opening"]), &()).unwrap();
        let opens = commitment.opens(text(&case["purpose"]), &place(&case["place"]), &unhex(&case["value"]), &opening);
        assert_eq!(opens, case["expect"] == "accept", "{}", case["name"]);
    }
}

#[test]
fn coins() {
    for case in cases("coin.json") {
        let toss = &case["toss"];
        assert_eq!(toss["purpose"], "vectors");
        let seats = list(&toss["seats"], |seat| Seat(number(seat) as u8));
        let toss = Toss {
            purpose: "vectors",
            table: TableId(unhex_array(&toss["table"])),
            deal: number(&toss["deal"]) as u32,
            subject: unhex_array(&toss["subject"]),
            seats: SeatSet::new(&seats).unwrap(),
        };
        let parts = list(&case["parts"], |part| {
            let commitment = Commitment::from_bytes(&unhex(&part["commitment"]), &()).unwrap();
            let reveal = Reveal::from_bytes(&unhex(&part["reveal"]), &()).unwrap();
            (Seat(number(&part["seat"]) as u8), commitment, reveal)
        });
        let mut table = AwaitingCommitments::new(toss).unwrap();
        parts.iter().for_each(|(seat, commitment, _)| table.accept(*seat, *commitment).unwrap());
        let mut table = table.all_in().unwrap();
        let refused: Vec<Seat> =
            parts.iter().filter(|(seat, _, reveal)| table.accept(*seat, reveal).is_err()).map(|part| part.0).collect();
        if case["expect"] == "accept" {
            let coin = table.all_in().unwrap();
            assert_eq!(coin.to_bytes(), unhex(&case["coin"]));
            assert_eq!(bits(&coin.bits(text(&case["bits"]).len())), text(&case["bits"]));
            let scalars: Vec<[u8; 32]> = list(&case["scalars"], unhex_array);
            assert_eq!(coin.scalars(scalars.len()).iter().map(|s| s.to_bytes()).collect::<Vec<_>>(), scalars);
        } else {
            assert_eq!(refused, [Seat(number(&case["culprit"]) as u8)], "{}", case["name"]);
        }
    }
}

#[test]
fn keys() {
    for case in cases("key.json") {
        let roster = list(&case["roster"], |seat| Seat(number(seat) as u8));
        let mut culprits = Vec::new();
        let mut keys = Vec::new();
        for part in case["parts"].as_array().unwrap() {
            let context = context(&part["context"]);
            let commitment = Commitment::from_bytes(&unhex(&part["commitment"]), &()).unwrap();
            let reveal = KeyReveal::from_bytes(&unhex(&part["reveal"]), &()).unwrap();
            match SeatKey::accept(&context, &commitment, &reveal) {
                Ok(key) => keys.push(key),
                Err(_) => culprits.push(context.seat),
            }
        }
        if culprits.is_empty() {
            match JointKey::aggregate(&roster, keys) {
                Ok(key) => assert_eq!(*key.element(), element(&case["joint_key"])),
                Err(outis_crypto::key::JointKeyError::Seat(seat)) => culprits.push(seat),
                Err(other) => panic!("{other}"),
            }
        }
        let expected: Vec<Seat> = case["culprit"].as_u64().map(|seat| Seat(seat as u8)).into_iter().collect();
        assert_eq!(culprits, expected, "{}", case["name"]);
        assert_eq!(culprits.is_empty(), case["expect"] == "accept", "{}", case["name"]);
    }
}

#[test]
fn decks() {
    for case in cases("deck.json") {
        let verdict: Result<(), &str> = match text(&case["type"]) {
            "open-deck" => {
                let codes = list(&case["codes"], code);
                let faces = Faces::new(text(&case["game"]), codes.len());
                assert_eq!(open_deck(&joint_key(element(&case["key"])), &faces).0, codes);
                continue;
            }
            "opened" => {
                let pack = number(&case["pack"]) as usize;
                let faces = Faces::new(text(&case["game"]), pack);
                let key = joint_key(element(&case["key"]));
                match CardOpening::from_bytes(&unhex(&case["opened"]), &pack) {
                    Err(_) => Err("decode"),
                    Ok(opened) => opened.opens(&key, &faces, &code(&case["code"])).then_some(()).ok_or("proof"),
                }
            }
            "shares" => shares(&case),
            other => panic!("{other}"),
        };
        let expected = if case["expect"] == "accept" { Ok(()) } else { Err(text(&case["layer"])) };
        assert_eq!(verdict, expected, "{}", case["name"]);
    }
}

fn shares(case: &Value) -> Result<(), &'static str> {
    let codes = list(&case["codes"], code);
    let faces = Faces::new(text(&case["game"]), number(&case["pack"]) as usize);
    let mut opened: Vec<_> = codes.iter().map(|code| *code.c2.point()).collect();
    let mut batch = Batch::new();
    for seat in case["seats"].as_array().unwrap() {
        // The message is the shares and a proof of equal exponents over them, nothing else.
        let bytes = unhex(&seat["shares"]);
        let message = Shares::from_bytes(&bytes, &codes.len()).map_err(|_| "decode")?;
        assert_eq!(message.to_bytes(), bytes);
        let (powers, proof) = bytes.split_at(32 * codes.len());
        let powers: Vec<Element> =
            powers.chunks(32).map(|bytes| Reader::new(bytes).element("share").unwrap()).collect();
        let bases: Vec<Element> = codes.iter().map(|code| code.c1).collect();
        let statement = SameExponents { key: element(&seat["key"]), bases: &bases, powers: &powers };
        let proof = SigmaProof::from_bytes(proof, &statement.shape()).unwrap();
        let mut challenger = Challenger::new(&context(&seat["context"]));
        statement.verify(&proof, &mut challenger, &mut batch).map_err(|_| "statement")?;
        opened.iter_mut().zip(&powers).for_each(|(point, share)| *point -= share.point());
    }
    batch.settle().map_err(|_| "proof")?;
    let cards: Vec<u64> =
        opened.into_iter().map(|point| faces.find(&Element::new(point).unwrap()).unwrap() as u64).collect();
    assert_eq!(cards, list(&case["cards"], number));
    Ok(())
}

#[test]
fn opened_classic_decks_read_back() {
    for case in cases("sra-classic.json") {
        let at = Where { table: TableId(unhex_array(&case["table"])), deal: number(&case["deal"]) as u32 };
        let (cards, kept) = (number(&case["cards"]) as usize, number(&case["kept"]) as usize);
        let (decks, opening) = (unhex(&case["decks"]), unhex(&case["opening"]));
        let opened = match text(&case["type"]) {
            "first" => {
                let decks = Offered::<FirstDeck>::from_bytes(&decks, &(3, cards)).unwrap();
                FirstOpening::from_bytes(&opening, &2).map(|opening| decks.is_opened(&at, kept, &opening))
            }
            "second" => {
                let first = FirstDeck::from_bytes(&unhex(&case["first"]), &cards).unwrap();
                let decks = Offered::<SecondDeck>::from_bytes(&decks, &(3, cards)).unwrap();
                let opening = SecondOpening::from_bytes(&opening, &(2, cards));
                opening.map(|opening| decks.is_opened(&at, &first, kept, &opening))
            }
            other => panic!("{other}"),
        };
        let verdict = match opened {
            Err(_) => Err("decode"),
            Ok(false) => Err("proof"),
            Ok(true) => Ok(()),
        };
        let expected = if case["expect"] == "accept" { Ok(()) } else { Err(text(&case["layer"])) };
        assert_eq!(verdict, expected, "{}", case["name"]);
    }
}
