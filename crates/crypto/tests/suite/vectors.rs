//! The vectors of `spec/vectors`: language-neutral, good and bad, made from the catalogue and from fixed seeds.
//!
//! `cargo run -p outis-crypto --features testing --example vectors` writes them. The tests regenerate them and compare
//! every byte, and read the committed files back and check each case.

mod parts;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use outis_crypto::context::{Context, Head, PROTOCOL, Seat, TableId};
use outis_crypto::labels::Label;
use serde_json::{Value, json};

use super::catalogue::inputs::hex;
use super::catalogue::{Inputs, Kind, Refusal, Sample, samples};

/// Every file: its name and its text.
pub fn files() -> Vec<(String, String)> {
    let proofs = Label::ALL.iter().map(|label| (file_name(*label), proof_file(*label)));
    let text = |(name, value): (String, Value)| {
        (name, serde_json::to_string_pretty(&value).expect("values are always JSON") + "\n")
    };
    proofs.chain(parts::files()).map(text).collect()
}

/// `shuffle/1` is in `shuffle.json`.
pub fn file_name(label: Label) -> String {
    format!("{}.json", label.text().trim_end_matches("/1").replace('/', "-"))
}

/// A file that is not about a proof.
fn file(kind: &str, about: &str, cases: Vec<Value>) -> (String, Value) {
    let value = json!({ "version": 1, "protocol": PROTOCOL, "kind": kind, "about": about, "cases": cases });
    (format!("{kind}.json"), value)
}

fn proof_file(label: Label) -> Value {
    let samples = samples(label, 1);
    let several = samples.len() > 1;
    let cases: Vec<Value> = samples.iter().enumerate().flat_map(|(i, s)| proof_cases(s, i == 0, several)).collect();
    json!({ "version": 1, "protocol": PROTOCOL, "kind": "proof", "label": label.text(), "cases": cases })
}

/// Beyond this a proof is written out only a few times.
const LARGE: usize = 4096;

/// The cases of one sample: it, its lies, and one case for every kind of damage.
fn proof_cases(sample: &Sample, first: bool, several: bool) -> Vec<Value> {
    let suffix = if several { format!("_{}", sample.name.replace(", ", "_").replace(' ', "_")) } else { String::new() };
    let mut cases = Vec::new();
    let mut push = |name: &str, description: &str, context: &Context, inputs: &Inputs, proof: &[u8]| {
        let verdict = sample.verify(context, inputs, proof);
        assert_eq!(verdict.is_ok(), name == "good", "{}: {name}", sample.title());
        let mut case = json!({
            "name": format!("{name}{suffix}"),
            "description": description,
            "context": context_to_json(context),
            "inputs": inputs.to_json(),
            "proof": hex(proof),
            "expect": if verdict.is_ok() { "accept" } else { "refuse" },
        });
        if let Err(refusal) = verdict {
            case["layer"] = json!(refusal.layer());
        }
        cases.push(case);
    };
    let Sample { context, inputs, proof, .. } = sample;
    let large = proof.len() > LARGE;

    push("good", sample.name, context, inputs, proof);
    for lie in sample.lies.iter().filter(|_| first || !large) {
        push(lie.name, lie.description, context, &lie.inputs, &lie.proof);
    }
    if !first {
        return cases;
    }
    for (part, other) in other_contexts(context) {
        if !large || part == "seat" {
            push(&format!("bad_wrong_{part}"), &format!("checked for another {part}"), &other, inputs, proof);
        }
    }
    if !large {
        // One change of each kind, wherever it is; those that change the size of the proof would be wrong twice over.
        let mut kinds = BTreeSet::new();
        for (what, changed) in sample.inputs.variants() {
            let fresh = kinds.insert(what.replace(|c: char| c.is_ascii_digit(), ""));
            if fresh && !matches!(sample.verify(context, &changed, proof), Err(Refusal::Decode(_))) {
                let name = what.replace(['[', ']', ' ', '.'], "_").replace("__", "_");
                let name = format!("bad_input_{}", name.trim_matches('_'));
                push(&name, &format!("public input changed: {what}"), context, &changed, proof);
            }
        }
        push("bad_empty", "no bytes at all", context, inputs, &[]);
        push("bad_truncated", "the last byte is missing", context, inputs, &proof[..proof.len() - 1]);
        push("bad_trailing", "one byte too many", context, inputs, &[&proof[..], &[0]].concat());
    }
    for (name, description, kind, value) in BAD_FIELDS {
        let field =
            sample.layout.items().find(|(_, _, k)| core::mem::discriminant(k) == core::mem::discriminant(&kind));
        let Some((at, field, _)) = field.filter(|_| !large || name == "bad_identity") else { continue };
        let mut damaged = proof.clone();
        damaged[at..at + 32].copy_from_slice(&value);
        push(name, &format!("{field} at byte {at}: {description}"), context, inputs, &damaged);
    }
    if let Some((at, ..)) = sample.layout.items().find(|(_, _, kind)| matches!(kind, Kind::Count(..))) {
        let mut damaged = proof.clone();
        damaged.copy_within(at + 2..at + 4, at);
        push("bad_repeated_position", "the first opened order names a position twice", context, inputs, &damaged);
    }
    if !large {
        let mut damaged = proof.clone();
        let last = damaged.len() - 32;
        damaged[last] ^= 1;
        push("bad_changed_response", "the lowest bit of the last scalar is flipped", context, inputs, &damaged);
    }
    cases
}

const fn bytes(first: u8, rest: u8, last: u8) -> [u8; 32] {
    let mut bytes = [rest; 32];
    (bytes[0], bytes[31]) = (first, last);
    bytes
}

/// The order of the group, little endian.
pub const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

const BAD_FIELDS: [(&str, &str, Kind, [u8; 32]); 6] = [
    ("bad_identity", "the identity", Kind::Element, [0; 32]),
    ("bad_negative_element", "a negative field element, which is not canonical", Kind::Element, bytes(1, 0, 0)),
    ("bad_unreduced_element", "the prime of the field, which is not canonical", Kind::Element, bytes(0xed, 0xff, 0x7f)),
    ("bad_scalar_zero", "zero", Kind::Scalar, [0; 32]),
    ("bad_scalar_order", "the order of the group", Kind::Scalar, ORDER),
    ("bad_scalar_top", "2^255 - 1", Kind::Scalar, bytes(0xff, 0xff, 0x7f)),
];

/// Contexts that differ from the given one in one part.
fn other_contexts(base: &Context) -> [(&'static str, Context); 4] {
    let mut head = base.head.0;
    head[31] ^= 1;
    [
        ("table", Context { table: TableId([0x33; 32]), ..*base }),
        ("deal", Context { deal: base.deal + 1, ..*base }),
        ("seat", Context { seat: Seat(base.seat.0 ^ 1), ..*base }),
        ("head", Context { head: Head(head), ..*base }),
    ]
}

fn context_to_json(context: &Context) -> Value {
    let Context { table, deal, seat, head } = context;
    json!({ "table": hex(&table.0), "deal": deal, "seat": seat.0, "head": hex(&head.0) })
}
