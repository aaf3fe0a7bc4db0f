//! One of many, and containment.

use outis_crypto::card::{Code, Faces, OwnCard};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::containment::{self, ContainmentProof, ContainmentShape, Subset};
use outis_crypto::group::Element;
use outis_crypto::labels::Label;
use outis_crypto::one_of_many::{OneOfMany, OneOfManyProof, OneOfManyWitness};

use super::super::{Inputs, Kind, Layout, Lie, Sample};
use super::shuffles::permutation_layout;
use super::{GAME, PACK, World, commitments, element, joint_key};

fn one_of_many_layout(faces: usize) -> Layout {
    let digits = if faces <= 4 { 1 } else { 2 };
    let radix = (1usize..).find(|n| n.pow(digits) >= faces).expect("a radix");
    let element = |layout: Layout, _| layout.one("one-of-many.digits", Kind::Element);
    (0..4)
        .fold(Layout::new(), element)
        .codes(digits as usize)
        .list("one-of-many.masked", Kind::Scalar, digits as usize * (radix - 1))
        .one("one-of-many.blinds", Kind::Scalar)
        .one("one-of-many.blinds", Kind::Scalar)
        .one("one-of-many.blinds", Kind::Scalar)
}

pub(super) fn one_of_many(mut world: World, name: &'static str, n: usize, l: usize) -> Sample {
    let own = world.card(l);
    let faces = world.faces.as_slice()[..n].to_vec();
    let key = *world.key.element();
    let inputs = Inputs::default().with("key", &key).with("code", &own.code).with("faces", &faces[..]);
    let attempt = |own: &OwnCard, position: usize, world: &mut World| {
        let statement = OneOfMany { key: &key, code: own.code, faces: &faces };
        let randomness = own.randomness.expose_secret();
        let witness = OneOfManyWitness { position: position as u32, randomness };
        let mut challenger = world.challenger();
        let proof = statement.prove(commitments(), &world.key, witness, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&own, l, &mut world);
    let foreign = world.card(n);
    let lies = [
        ("bad_foreign_card", "the code holds a card that is not listed; proved for position 0", 0),
        ("bad_foreign_card_last", "the code holds a card that is not listed; proved for the last position", n - 1),
        ("bad_slot_without_entry", "the code holds a card that is not listed; proved for a slot behind the list", n),
    ];
    let mut lies: Vec<Lie> = lies
        .into_iter()
        .map(|(name, description, position)| Lie {
            name,
            description,
            inputs: inputs.but("code", &foreign.code),
            proof: attempt(&foreign, position, &mut world),
        })
        .collect();
    let mut shifted = own.clone();
    shifted.code.c1 = element(&(own.code.c1.point() + Element::generator().point()));
    lies.push(Lie {
        name: "bad_first_half",
        description: "the first half of the code has another randomness than the second",
        inputs: inputs.but("code", &shifted.code),
        proof: attempt(&shifted, l, &mut world),
    });
    Sample {
        name,
        label: Label::OneOfMany,
        context: world.context,
        inputs,
        proof,
        layout: one_of_many_layout(n),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (key, faces) = (inputs.element("key")?, inputs.elements("faces")?);
            let statement = OneOfMany { key: &key, code: inputs.code("code")?, faces: &faces };
            let proof = OneOfManyProof::from_bytes(proof, &faces.len())?;
            Ok(statement.verify(commitments(), &proof, challenger, batch)?)
        },
    }
}

pub(super) fn contained(mut world: World, name: &'static str, set: &[usize], cards: &[usize]) -> Sample {
    let hand: Vec<OwnCard> = cards.iter().map(|card| world.card(*card)).collect();
    let codes = |hand: &[OwnCard]| hand.iter().map(|own| own.code).collect::<Vec<Code>>();
    let attempt = |hand: &[OwnCard], world: &mut World| {
        let mut challenger = world.challenger();
        let set = Subset { pack: &world.faces, cards: set };
        containment::prove(commitments(), &world.key, set, hand, &mut challenger, &mut world.rng).expect("a proof")
    };
    let inputs = Inputs::default()
        .with("key", world.key.element())
        .with("game", GAME)
        .with("set", set)
        .with("codes", &codes(&hand)[..]);
    let proof = attempt(&hand, &mut world).to_bytes();
    let lie = |name, description, hand: &[OwnCard], world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("codes", &codes(hand)[..]),
        proof: attempt(hand, world).to_bytes(),
    };
    let mut foreign = hand.clone();
    foreign[0] = world.disguised(PACK - 1, cards[0]);
    let mut shifted = hand.clone();
    shifted[0].code.c1 = element(&(hand[0].code.c1.point() + Element::generator().point()));
    let halves = "the first half of a code has another randomness than the second";
    let mut lies = vec![
        lie("bad_foreign_card", "the first code holds a card outside the set", &foreign, &mut world),
        lie("bad_first_half", halves, &shifted, &mut world),
    ];
    if cards.len() > 1 {
        let mut twice = hand.clone();
        twice[1] = world.disguised(cards[0], cards[1]);
        lies.push(lie("bad_same_card_twice", "two codes hold the same card of the set", &twice, &mut world));
    }
    let layout = match cards.len() {
        1 => one_of_many_layout(set.len()),
        n => Layout::new()
            .demand("codes", 64 * (set.len() - n))
            .codes(set.len() - n)
            .then(permutation_layout::<containment::Contained<'_>>(set.len())),
    };
    Sample {
        name,
        label: Label::Containment,
        context: world.context,
        inputs,
        proof,
        layout,
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (set, codes) = (inputs.cards("set"), inputs.codes("codes")?);
            let pack = Faces::new(inputs.text("game"), PACK);
            let shape = ContainmentShape { codes: codes.len(), faces: set.len() };
            let proof = ContainmentProof::from_bytes(proof, &shape)?;
            Ok(containment::verify(
                commitments(),
                &key,
                Subset { pack: &pack, cards: &set },
                &codes,
                &proof,
                challenger,
                batch,
            )?)
        },
    }
}
