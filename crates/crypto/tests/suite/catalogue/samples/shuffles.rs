//! Shuffles.

use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::deck::open_deck;
use outis_crypto::group::Element;
use outis_crypto::labels::Label;
use outis_crypto::shuffle::{Decks, PermutationProof, PermutationShape, Permuted, exponent, recreate, reencrypt};

use super::super::{Inputs, Kind, Layout, Lie, Refusal, Sample};
use super::{GAME, PACK, World, commitments, drawn, element, joint_key, times};

pub(super) fn permutation_layout<S: Permuted>(cards: usize) -> Layout {
    Layout::new()
        .one("permutation.order", Kind::Element)
        .one("permutation.weights", Kind::Element)
        .list("permutation.first", Kind::Element, 2 + S::EQUATIONS)
        .one("permutation.product", Kind::Element)
        .one("permutation.product", Kind::Element)
        .list("permutation.responses", Kind::Scalar, 2 * cards + 1 + S::SECRETS)
        .one("permutation.product-blind", Kind::Scalar)
}

fn permutation_proof<S: Permuted>(proof: &[u8], cards: usize) -> Result<PermutationProof, Refusal> {
    Ok(PermutationProof::from_bytes(proof, &PermutationShape::of::<S>(cards))?)
}

pub(super) fn shuffle(mut world: World, name: &'static str, n: usize) -> Sample {
    let pack = Faces::new(GAME, n);
    let input = open_deck(&world.key, &pack).0;
    let (Codes(output), secret) = reencrypt::shuffle(&world.key, &input, &mut world.rng).expect("a shuffle");
    let inputs =
        Inputs::default().with("key", world.key.element()).with("input", &input[..]).with("output", &output[..]);
    let attempt = |output: &[Code], world: &mut World| {
        let mut challenger = world.challenger();
        let decks = Decks { input: &input, output };
        let proof = reencrypt::prove(commitments(), &world.key, decks, &secret, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&output, &mut world);
    let lie = |name, description, output: Vec<Code>, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("output", &output[..]),
        proof: attempt(&output, world),
    };
    let mut replaced = output.clone();
    replaced[n - 1] = world.card(PACK - 1).code;
    let mut random = output.clone();
    random[0].c2 = world.element();
    let mut shifted = output.clone();
    shifted[0].c2 = element(&(shifted[0].c2.point() + Element::generator().point()));
    let mut first_half = output.clone();
    first_half[0].c1 = element(&(first_half[0].c1.point() + Element::generator().point()));
    let mut lies = vec![
        lie("bad_first_half", "only the first half of a code is false", first_half, &mut world),
        lie("bad_replaced_card", "the last code holds a card that was not in the deck", replaced, &mut world),
        lie("bad_random_card", "the second half of a code is a random element", random, &mut world),
        lie("bad_marked_card", "the generator was added to the second half of a code", shifted, &mut world),
    ];
    if n > 1 {
        let mut twice = output.clone();
        let r = world.scalar();
        twice[1] = Code {
            c1: element(&(output[0].c1.point() + times(&Element::generator(), &r).point())),
            c2: element(&(output[0].c2.point() + times(world.key.element(), &r).point())),
        };
        lies.push(lie("bad_duplicate_card", "a code is another code of the deck, re-encrypted", twice, &mut world));
    }
    Sample {
        name,
        label: Label::Shuffle,
        context: world.context,
        inputs,
        proof,
        layout: permutation_layout::<reencrypt::Shuffled<'_>>(n),
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (input, output) = (inputs.codes("input")?, inputs.codes("output")?);
            let proof = permutation_proof::<reencrypt::Shuffled<'_>>(proof, output.len())?;
            Ok(reencrypt::verify(
                commitments(),
                &key,
                Decks { input: &input, output: &output },
                &proof,
                challenger,
                batch,
            )?)
        },
    }
}

pub(super) fn exponent_shuffle(mut world: World) -> Sample {
    let input = world.faces.as_slice()[..4].to_vec();
    let own = world.own().clone();
    let (output, permutation) = exponent::shuffle(&own, &input, &mut world.rng).expect("a shuffle");
    let inputs = Inputs::default().with("key", own.key()).with("input", &input[..]).with("output", &output[..]);
    let attempt = |output: &[Element], world: &mut World| {
        let mut challenger = world.challenger();
        let decks = Decks { input: &input, output };
        let proof = exponent::prove(commitments(), &own, decks, &permutation, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&output, &mut world);
    let lie = |name, description, at: usize, other: Element, world: &mut World| {
        let mut output = output.clone();
        output[at] = other;
        Lie { name, description, inputs: inputs.but("output", &output[..]), proof: attempt(&output, world) }
    };
    let (foreign, random) = (times(&world.faces.as_slice()[7], own.secret()), world.element());
    let other = times(&output[2], &world.scalar());
    let lies = vec![
        lie("bad_foreign_card", "a card that was not in the deck, raised to the key", 0, foreign, &mut world),
        lie("bad_random_card", "a random element", 1, random, &mut world),
        lie("bad_other_exponent", "one card is raised to another exponent", 2, other, &mut world),
    ];
    Sample {
        name: "four cards",
        label: Label::ExponentShuffle,
        context: world.context,
        inputs,
        proof,
        layout: permutation_layout::<exponent::Exponentiated<'_>>(4),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (input, output) = (inputs.elements("input")?, inputs.elements("output")?);
            let proof = permutation_proof::<exponent::Exponentiated<'_>>(proof, output.len())?;
            let key = inputs.element("key")?;
            Ok(exponent::verify(
                commitments(),
                &key,
                Decks { input: &input, output: &output },
                &proof,
                challenger,
                batch,
            )?)
        },
    }
}

pub(super) fn recreation(mut world: World) -> Sample {
    let held: Vec<OwnCard> = vec![world.card(0), world.card(3)];
    let drawn = vec![drawn(&mut world, 8), drawn(&mut world, 5)];
    let own = world.own().clone();
    let (hand, secret) =
        recreate::recreate(&own, &world.key, &world.faces, &held, &drawn, &mut world.rng).expect("a hand");
    let held: Vec<Code> = held.iter().map(|own| own.code).collect();
    let created: Vec<Code> = hand.iter().map(|own| own.code).collect();
    let inputs = Inputs::default()
        .with("seat_key", own.key())
        .with("joint_key", world.key.element())
        .with("held", &held[..])
        .with("drawn", &drawn[..])
        .with("created", &created[..]);
    let attempt = |created: &[Code], world: &mut World| {
        let mut challenger = world.challenger();
        let created = Codes(created.to_vec());
        let codes = recreate::Hands { held: &held, drawn: &drawn, created: &created };
        recreate::prove(commitments(), &own, &world.key, codes, &secret, &mut challenger, &mut world.rng)
            .expect("a proof")
            .to_bytes()
    };
    let proof = attempt(&created, &mut world);
    let foreign = |at: usize, card: usize, world: &mut World| {
        // The liar keeps the randomness, so that only the face is false.
        let mut created = created.clone();
        let faces = world.faces.as_slice();
        created[at].c2 = element(&(created[at].c2.point() - faces[hand[at].card].point() + faces[card].point()));
        created
    };
    let lie = |name, description, created: Vec<Code>, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("created", &created[..]),
        proof: attempt(&created, world),
    };
    let mut first_half = created.clone();
    first_half[0].c1 = element(&(first_half[0].c1.point() + Element::generator().point()));
    let (outside, twice) = (foreign(1, 11, &mut world), foreign(2, hand[0].card, &mut world));
    let lies = vec![
        lie("bad_first_half", "only the first half of a code of the new hand is false", first_half, &mut world),
        lie("bad_foreign_card", "a code of the new hand holds a card that was not drawn", outside, &mut world),
        lie("bad_duplicate_card", "two codes of the new hand hold the same card", twice, &mut world),
    ];
    Sample {
        name: "two held, two drawn",
        label: Label::Recreation,
        context: world.context,
        inputs,
        proof,
        layout: permutation_layout::<recreate::Recreated<'_>>(4),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (seat_key, joint) = (inputs.element("seat_key")?, joint_key(inputs.element("joint_key")?));
            let (held, drawn) = (inputs.codes("held")?, inputs.codes("drawn")?);
            let created = Codes(inputs.codes("created")?);
            let proof = permutation_proof::<recreate::Recreated<'_>>(proof, created.len())?;
            let codes = recreate::Hands { held: &held, drawn: &drawn, created: &created };
            Ok(recreate::verify(commitments(), &seat_key, &joint, codes, &proof, challenger, batch)?)
        },
    }
}
