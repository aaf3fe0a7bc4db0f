use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::context::{Context, Head, Seat, TableId};
use crate::deck::create;
use crate::key::testing::table_of;

struct Bench {
    rng: ChaCha20Rng,
    commitments: CommitmentKey,
    key: JointKey,
    pack: Faces,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (_, key) = table_of(3, &mut rng);
        Self { rng, commitments: CommitmentKey::new(42), key, pack: Faces::new("tarokk", 42) }
    }

    fn hand(&mut self, cards: &[usize]) -> Vec<OwnCard> {
        cards.iter().map(|c| create(&self.key, &self.pack, *c, &mut self.rng).unwrap()).collect()
    }

    fn challenger(&self) -> Challenger {
        Challenger::new(&Context { table: TableId([7; 32]), deal: 1, seat: Seat(2), head: Head([9; 32]) })
    }

    fn prove(&mut self, set: &[usize], cards: &[OwnCard]) -> Option<ContainmentProof> {
        let mut challenger = self.challenger();
        prove(
            &self.commitments,
            &self.key,
            Subset { pack: &self.pack, cards: set },
            cards,
            &mut challenger,
            &mut self.rng,
        )
    }

    fn accepts(&self, set: &[usize], codes: &[Code], proof: &ContainmentProof) -> bool {
        let mut batch = Batch::new();
        let set = Subset { pack: &self.pack, cards: set };
        verify(&self.commitments, &self.key, set, codes, proof, &mut self.challenger(), &mut batch).is_ok()
            && batch.settle().is_ok()
    }
}

fn codes(cards: &[OwnCard]) -> Vec<Code> {
    cards.iter().map(|own| own.code).collect()
}

#[test]
fn every_size_of_claim_is_accepted_and_survives_encoding() {
    let mut bench = Bench::new(1);
    let all: Vec<usize> = (0..42).collect();
    let claims: [(&[usize], &[usize]); 8] = [
        (&[5], &[5]),
        (&[3, 5, 7], &[7]),
        (&[0, 1, 2, 3, 4, 5], &[5]),
        (&all[..22], &[21]),
        (&all[..4], &[3, 1, 0, 2]),
        (&all[..22], &[0, 9, 21]),
        (&all, &[41, 0]),
        (&all[10..], &[10, 12, 14, 16, 18, 20, 22, 24, 41]),
    ];
    for (set, cards) in claims {
        let hand = bench.hand(cards);
        let proof = bench.prove(set, &hand).unwrap();
        let shape = ContainmentShape { codes: cards.len(), faces: set.len() };
        let proof = ContainmentProof::from_bytes(&proof.to_bytes(), &shape).unwrap();
        assert!(bench.accepts(set, &codes(&hand), &proof), "{} of {}", cards.len(), set.len());
        let others = codes(&bench.hand(cards));
        assert!(!bench.accepts(set, &others, &proof));
        let mut moved = set.to_vec();
        moved[0] = (moved[0] + 40) % 42;
        if !set.contains(&moved[0]) {
            assert!(!bench.accepts(&moved, &codes(&hand), &proof));
        }
    }
}

#[test]
fn a_card_outside_the_set_cannot_be_claimed() {
    let mut bench = Bench::new(2);
    for cards in [vec![9], vec![1, 9], vec![9, 1, 2]] {
        let mut hand = bench.hand(&cards);
        assert!(bench.prove(&[0, 1, 2, 3, 4], &hand).is_none(), "an honest prover notices");
        // A dishonest one lies about the face and proves what it can.
        let liar: Vec<usize> = cards.iter().map(|c| if *c == 9 { 4 } else { *c }).collect();
        hand.iter_mut().zip(liar).for_each(|(own, card)| own.card = card);
        let proof = bench.prove(&[0, 1, 2, 3, 4], &hand).unwrap();
        assert!(!bench.accepts(&[0, 1, 2, 3, 4], &codes(&hand), &proof));
    }
}

#[test]
fn the_same_card_twice_is_not_two_cards_of_the_set() {
    let mut bench = Bench::new(3);
    let mut hand = bench.hand(&[1, 1]);
    assert!(hand[0].code != hand[1].code);
    hand[1].card = 2;
    let proof = bench.prove(&[1, 2, 3], &hand).unwrap();
    assert!(!bench.accepts(&[1, 2, 3], &codes(&hand), &proof));
}

#[test]
fn claims_out_of_order_are_refused() {
    let mut bench = Bench::new(4);
    let hand = bench.hand(&[1, 2]);
    let proof = bench.prove(&[1, 2, 3], &hand).unwrap();
    let (a, b) = (hand[0].code, hand[1].code);
    let refused: [(&[usize], &[Code]); 6] = [
        (&[1, 2, 3], &[]),
        (&[1], &[a, b]),
        (&[1, 2, 3], &[a, a]),
        (&[1, 2, 2], &[a, b]),
        (&[1, 2, 99], &[a, b]),
        (&[], &[a]),
    ];
    for (set, codes) in refused {
        let mut batch = Batch::new();
        let set = Subset { pack: &bench.pack, cards: set };
        let mut challenger = bench.challenger();
        assert!(verify(&bench.commitments, &bench.key, set, codes, &proof, &mut challenger, &mut batch).is_err());
    }
    let mut challenger = bench.challenger();
    let kind = verify(
        &bench.commitments,
        &bench.key,
        Subset { pack: &bench.pack, cards: &[1, 2] },
        &[a],
        &proof,
        &mut challenger,
        &mut Batch::new(),
    );
    assert_eq!(kind.unwrap_err().label, Label::Containment);
}
