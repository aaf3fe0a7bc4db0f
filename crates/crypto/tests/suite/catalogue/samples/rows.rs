//! A key that was used on one of many rows of points.

use outis_crypto::card::Code;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::group::{Element, Scalar, mul_generator};
use outis_crypto::labels::Label;
use outis_crypto::one_of_rows::{OneOfRows, OneOfRowsProof, RowWitness};
use outis_crypto::secret::SecretScalar;

use super::super::{Inputs, Kind, Layout, Lie, Sample};
use super::{World, commitments, element, times};

fn layout(rows: usize) -> Layout {
    let digits = if rows <= 4 { 1 } else { 2 };
    let radix = (1usize..).find(|n| n.pow(digits) >= rows).expect("a radix");
    let one = |layout: Layout, (field, kind)| layout.one(field, kind);
    let layout = [("one-of-rows.digits", Kind::Element); 4].into_iter().fold(Layout::new(), one);
    let layout = layout.codes(2 * digits as usize + 1);
    let layout = [("one-of-rows.first", Kind::Element); 2].into_iter().fold(layout, one);
    let layout = layout.list("one-of-rows.masked", Kind::Scalar, digits as usize * (radix - 1));
    [("one-of-rows.rest", Kind::Scalar); 4].into_iter().fold(layout, one)
}

/// Rows of two points each; row `i` has the number `3i`.
pub(super) fn one_of_rows(mut world: World, name: &'static str, rows: usize, chosen: usize) -> Sample {
    let (alpha, w, joint) = (world.scalar(), world.scalar(), *world.key.element());
    let key = times(&Element::generator(), &alpha);
    let bases: Vec<Element> = (0..2 * rows).map(|_| world.element()).collect();
    let numbers: Vec<usize> = (0..rows).map(|row| 3 * row).collect();
    let listed: Vec<u32> = numbers.iter().map(|number| *number as u32).collect();
    let powers = |row: usize| bases[2 * row..][..2].iter().map(|point| times(point, &alpha)).collect::<Vec<_>>();
    let encrypt = |number: usize| Code {
        c1: times(&Element::generator(), &w),
        c2: element(&(mul_generator(&Scalar::from(number as u64)) + joint.point() * w.expose_secret())),
    };
    let (honest, code) = (powers(chosen), encrypt(3 * chosen));
    let inputs = Inputs::default()
        .with("key", &key)
        .with("powers", &honest[..])
        .with("bases", &bases[..])
        .with("numbers", &numbers[..])
        .with("joint", &joint)
        .with("code", &code);
    let attempt = |powers: &[Element], code: Code, row: usize, alpha: &SecretScalar, world: &mut World| {
        let statement = OneOfRows { key: &key, powers, bases: &bases, numbers: &listed, joint: &joint, code };
        let witness = RowWitness { row: row as u32, key: alpha, randomness: &w };
        let mut challenger = world.challenger();
        statement.prove(commitments(), &witness, &mut challenger, &mut world.rng).expect("a proof").to_bytes()
    };
    let proof = attempt(&honest, code, chosen, &alpha, &mut world);
    let other = (chosen + 1) % rows;
    let mut shifted = honest.clone();
    shifted[1] = element(&(shifted[1].point() + Element::generator().point()));
    let garbage = vec![world.element(), world.element()];
    let stranger = world.scalar();
    let mut lie = |name, description, powers: &[Element], code: Code, row: usize, alpha: &SecretScalar| Lie {
        name,
        description,
        inputs: inputs.but("powers", powers).but("code", &code),
        proof: attempt(powers, code, row, alpha, &mut world),
    };
    let lies = vec![
        lie("bad_number", "the code holds the number of another row", &honest, encrypt(3 * other), chosen, &alpha),
        lie("bad_row", "the powers are those of another row", &powers(other), code, chosen, &alpha),
        lie("bad_shift", "a power is shifted by a known multiple of the generator", &shifted, code, chosen, &alpha),
        lie("bad_key", "made with another secret than that of the key", &honest, code, chosen, &stranger),
        lie(
            "bad_slot_without_row",
            "powers of nothing, for a slot behind the list",
            &garbage,
            encrypt(0),
            rows,
            &alpha,
        ),
    ];
    Sample {
        name,
        label: Label::OneOfRows,
        context: world.context,
        inputs,
        proof,
        layout: layout(rows),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (key, joint) = (inputs.element("key")?, inputs.element("joint")?);
            let (powers, bases) = (inputs.elements("powers")?, inputs.elements("bases")?);
            let numbers: Vec<u32> = inputs.cards("numbers").into_iter().map(|number| number as u32).collect();
            let (code, numbers) = (inputs.code("code")?, &numbers[..]);
            let statement = OneOfRows { key: &key, powers: &powers, bases: &bases, numbers, joint: &joint, code };
            let proof = OneOfRowsProof::from_bytes(proof, &numbers.len())?;
            Ok(statement.verify(commitments(), &proof, challenger, batch)?)
        },
    }
}
