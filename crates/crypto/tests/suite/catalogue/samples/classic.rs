//! The thesis's own proofs.

use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::containment::classic::ClassicContainment;
use outis_crypto::containment::{self, ContainmentShape, Subset};
use outis_crypto::deck::open_deck;
use outis_crypto::labels::Label;
use outis_crypto::shuffle::classic::{self, CutAndChoose};
use outis_crypto::shuffle::{Decks, reencrypt};

use super::super::{Inputs, Kind, Layout, Lie, Sample};
use super::{GAME, PACK, World, joint_key};

/// Rounds of the classic samples: the fewest that a non-interactive proof may have.
const ROUNDS: usize = 128;

fn cut_and_choose_layout(cards: usize) -> Layout {
    let mut layout = Layout::new().demand("shadows", ROUNDS * cards * 64);
    for _ in 0..ROUNDS {
        layout = layout.demand("codes", cards * 64).codes(cards);
    }
    layout = layout.demand("openings", ROUNDS * cards * 34);
    for _ in 0..ROUNDS {
        layout = layout.demand("opening.order", cards * 34);
        for _ in 0..cards {
            layout = layout.one("opening.order", Kind::Count(0, cards as u16 - 1));
        }
        layout = layout.list("opening.masks", Kind::Scalar, cards);
    }
    layout
}

pub(super) fn classic_shuffle(mut world: World) -> Sample {
    let pack = Faces::new(GAME, 2);
    let input = open_deck(&world.key, &pack).0;
    let (Codes(output), secret) = reencrypt::shuffle(&world.key, &input, &mut world.rng).expect("a shuffle");
    let inputs =
        Inputs::default().with("key", world.key.element()).with("input", &input[..]).with("output", &output[..]);
    let attempt = |output: &[Code], world: &mut World| {
        let decks = Decks { input: &input, output };
        let mut challenger = world.challenger();
        let proof = classic::prove::<ROUNDS>(&world.key, decks, &secret, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&output, &mut world);
    let mut replaced = output.clone();
    replaced[1] = world.card(PACK - 1).code;
    let lies = vec![Lie {
        name: "bad_replaced_card",
        description: "the last code holds a card that was not in the deck",
        inputs: inputs.but("output", &replaced[..]),
        proof: attempt(&replaced, &mut world),
    }];
    Sample {
        name: "two cards",
        label: Label::ClassicShuffle,
        context: world.context,
        inputs,
        proof,
        layout: cut_and_choose_layout(2),
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (input, output) = (inputs.codes("input")?, inputs.codes("output")?);
            let proof = CutAndChoose::<ROUNDS>::from_bytes(proof, &output.len())?;
            Ok(classic::verify(&key, Decks { input: &input, output: &output }, &proof, challenger, batch)?)
        },
    }
}

pub(super) fn classic_contained(mut world: World, name: &'static str, set: &[usize], cards: &[usize]) -> Sample {
    let hand: Vec<OwnCard> = cards.iter().map(|card| world.card(*card)).collect();
    let codes: Vec<Code> = hand.iter().map(|own| own.code).collect();
    let attempt = |hand: &[OwnCard], world: &mut World| {
        let (mut challenger, set) = (world.challenger(), Subset { pack: &world.faces, cards: set });
        containment::classic::prove::<ROUNDS>(&world.key, set, hand, &mut challenger, &mut world.rng)
    };
    let inputs = Inputs::default()
        .with("key", world.key.element())
        .with("game", GAME)
        .with("set", set)
        .with("codes", &codes[..]);
    let proof = attempt(&hand, &mut world).expect("a proof").to_bytes();
    // This prover notices a lie about a card, so the liar shows the proof of the hand that it should have had.
    let mut foreign = hand.clone();
    foreign[0] = world.disguised(PACK - 1, cards[0]);
    assert!(attempt(&foreign, &mut world).is_none());
    let foreign: Vec<Code> = foreign.iter().map(|own| own.code).collect();
    let lies = vec![Lie {
        name: "bad_foreign_card",
        description: "the first code holds a card outside the set; the proof is that of a code inside it",
        inputs: inputs.but("codes", &foreign[..]),
        proof: proof.clone(),
    }];
    let padding = set.len() - cards.len();
    Sample {
        name,
        label: Label::ClassicContainment,
        context: world.context,
        inputs,
        proof,
        layout: Layout::new().demand("codes", 64 * padding).codes(padding).then(cut_and_choose_layout(set.len())),
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (set, codes) = (inputs.cards("set"), inputs.codes("codes")?);
            let pack = Faces::new(inputs.text("game"), PACK);
            let shape = ContainmentShape { codes: codes.len(), faces: set.len() };
            let proof = ClassicContainment::<ROUNDS>::from_bytes(proof, &shape)?;
            Ok(containment::classic::verify(
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
