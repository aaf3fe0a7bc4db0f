//! S-11: dishonest shufflers and drawers who drive the real prover with what they have. All are refused in the step in
//! which they cheat, with the right seat and label; and beside honest proofs exactly the cheats are named.

use outis_crypto::batch::{Batch, Claim, Refuted};
use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::context::{Context, Seat};
use outis_crypto::deck::{
    AcceptedShares, DrawnCodes, OpenError, accept_shares, create, open_deck, share, shuffle_hand,
};
use outis_crypto::group::{Element, RistrettoPoint, Scalar, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::labels::Label;
use outis_crypto::shuffle::reencrypt::ShuffleSecret;
use outis_crypto::shuffle::{CommitmentKey, Decks, PermutationProof, classic, exponent, recreate, reencrypt};
use outis_crypto::sigma::Invalid;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::catalogue::{Refusal, context};

const CARDS: usize = 7;

struct Table {
    rng: ChaCha20Rng,
    commitments: CommitmentKey,
    secrets: Vec<SeatSecret>,
    key: JointKey,
    faces: Faces,
    deck: Vec<Code>,
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (secrets, key) = table_of(3, &mut rng);
        let faces = Faces::new("cheats", CARDS + 3);
        let deck = open_deck(&key, &Faces::new("cheats", CARDS)).0;
        Self { rng, commitments: CommitmentKey::new(CARDS + 2), secrets, key, faces, deck }
    }

    fn code(&mut self, card: usize) -> Code {
        create(&self.key, &self.faces, card, &mut self.rng).unwrap().code
    }

    fn shuffle(&mut self) -> (Vec<Code>, ShuffleSecret) {
        let (codes, secret) = reencrypt::shuffle(&self.key, &self.deck, &mut self.rng).unwrap();
        (codes.0, secret)
    }

    fn reencrypted(&mut self, code: &Code) -> Code {
        let r = random_scalar(&mut self.rng);
        shifted(code, &(g() * r), &(self.key.element().point() * r))
    }

    fn prove(&mut self, input: &[Code], output: &[Code], secret: &ShuffleSecret) -> Option<PermutationProof> {
        let mut challenger = Challenger::new(&context());
        reencrypt::prove(&self.commitments, &self.key, Decks { input, output }, secret, &mut challenger, &mut self.rng)
    }

    fn verify(&self, input: &[Code], output: &[Code], proof: &PermutationProof) -> Result<(), Refusal> {
        let mut batch = Batch::new();
        let mut challenger = Challenger::new(&context());
        reencrypt::verify(&self.commitments, &self.key, Decks { input, output }, proof, &mut challenger, &mut batch)?;
        batch.settle()?;
        Ok(())
    }
}

fn g() -> RistrettoPoint {
    *Element::generator().point()
}

fn element(point: RistrettoPoint) -> Element {
    Element::new(point).expect("not the identity")
}

fn shifted(code: &Code, first: &RistrettoPoint, second: &RistrettoPoint) -> Code {
    Code { c1: element(code.c1.point() + first), c2: element(code.c2.point() + second) }
}

fn scaled(code: &Code, factor: &Scalar) -> Code {
    Code { c1: element(code.c1.point() * factor), c2: element(code.c2.point() * factor) }
}

/// The seat of the sample context, under this label, and no one else.
fn names_the_prover(refuted: &Refuted, label: Label) {
    assert_eq!(refuted.claims, [Claim { seat: context().seat, label, index: 0 }]);
}

#[test]
fn false_decks_of_the_right_size_are_refuted() {
    let mut table = Table::new(1);
    let (honest, secret) = table.shuffle();
    let identity = RistrettoPoint::default();
    let two = Scalar::from(2u64);
    let duplicate = table.reencrypted(&honest[0]);
    let foreign = table.code(CARDS);
    let fresh_copy = table.code(secret.permutation().expose_secret()[0] as usize);
    let random = element(g() * random_scalar(&mut table.rng));
    let faces = table.faces.as_slice().to_vec();
    let order = secret.permutation().expose_secret().to_vec();
    let place = |j: usize, code: Code| {
        let mut deck = honest.clone();
        deck[j] = code;
        deck
    };
    // Two cards changed so that the sum of all codes, or of all faces, stays what it was.
    let mut balanced = honest.clone();
    balanced[2] = shifted(&honest[2], &identity, faces[8].point());
    balanced[3] = shifted(&honest[3], &identity, &-faces[8].point());
    let mut exchanged = honest.clone();
    let difference = faces[order[2] as usize].point() - faces[order[3] as usize].point();
    exchanged[2] = shifted(&honest[2], &identity, &-difference);
    // The second card of the pair is left: one plaintext twice, another missing.
    let mut scrambled = honest.clone();
    (scrambled[4].c1, scrambled[5].c1) = (honest[5].c1, honest[4].c1);

    let cheats = [
        ("a card replaced by one from outside", place(6, foreign)),
        ("a card replaced by a fresh code of another card of the deck", place(6, fresh_copy)),
        ("a card twice, re-encrypted", place(1, duplicate)),
        ("a plaintext exchanged for a neighbour's, randomness kept", exchanged),
        ("a random second half", place(0, Code { c1: honest[0].c1, c2: random })),
        ("a random first half", place(0, Code { c1: random, c2: honest[0].c2 })),
        ("marked by the generator", place(3, shifted(&honest[3], &identity, &g()))),
        ("marked by doubling", place(3, scaled(&honest[3], &two))),
        ("marked by negation", place(3, scaled(&honest[3], &-Scalar::ONE))),
        (
            "related: a sum of two other codes",
            place(3, shifted(&honest[0], honest[1].c1.point(), honest[1].c2.point())),
        ),
        ("halves exchanged", place(3, Code { c1: honest[3].c2, c2: honest[3].c1 })),
        ("first halves exchanged between two codes", scrambled),
        ("balanced errors", balanced),
    ];
    for (what, deck) in cheats {
        let input = table.deck.clone();
        let proof = table.prove(&input, &deck, &secret).unwrap();
        match table.verify(&input, &deck, &proof) {
            Err(Refusal::Proof(refuted)) => names_the_prover(&refuted, Label::Shuffle),
            other => panic!("{what}: {other:?}"),
        }
    }
    let input = table.deck.clone();
    let proof = table.prove(&input, &honest, &secret).unwrap();
    assert_eq!(table.verify(&input, &honest, &proof), Ok(()), "the honest deck passes");
}

/// The order is kept and only one plaintext changes: a lazy cheater who hopes that only the order is checked.
#[test]
fn an_unshuffled_deck_with_one_other_card_is_refuted() {
    let mut table = Table::new(2);
    let input = table.deck.clone();
    let (_, secret) = table.shuffle();
    for card in [1, CARDS] {
        let mut deck: Vec<Code> = input.iter().map(|code| table.reencrypted(code)).collect();
        deck[0] = table.code(card);
        let proof = table.prove(&input, &deck, &secret).unwrap();
        assert!(matches!(table.verify(&input, &deck, &proof), Err(Refusal::Proof(_))));
    }
}

#[test]
fn decks_of_another_size_are_refused_before_anything_is_computed() {
    let mut table = Table::new(3);
    let input = table.deck.clone();
    let (honest, secret) = table.shuffle();
    let extra = table.code(CARDS);
    let refuse = |table: &Table, input: &[Code], output: &[Code], proof: &PermutationProof, why: &str| match table
        .verify(input, output, proof)
    {
        Err(Refusal::Statement(Invalid { label: Label::Shuffle, why: said })) => assert_eq!(said, why),
        other => panic!("{why}: {other:?}"),
    };
    let other_number = "the deck has another number of cards than before";
    let other_shape = "the proof has a different shape from its statement";

    // The real prover does not even begin.
    assert!(table.prove(&input, &honest[..CARDS - 1], &secret).is_none());
    assert!(table.prove(&input, &[&honest[..], &[extra]].concat(), &secret).is_none());
    // One card missing: proved honestly for the deck without it.
    let (missing, short_secret) = reencrypt::shuffle(&table.key, &input[1..], &mut table.rng).unwrap();
    let proof = table.prove(&input[1..], &missing.0, &short_secret).unwrap();
    refuse(&table, &input, &missing.0, &proof, other_number);
    // The same proof with the missing place filled is a proof of another shape.
    refuse(&table, &input, &[&missing.0[..], &[extra]].concat(), &proof, other_shape);
    // One card too many: proved honestly for a deck with it.
    let larger = [&input[..], &[extra]].concat();
    let (more, long_secret) = reencrypt::shuffle(&table.key, &larger, &mut table.rng).unwrap();
    let proof = table.prove(&larger, &more.0, &long_secret).unwrap();
    refuse(&table, &input, &more.0, &proof, other_number);
    refuse(&table, &input, &more.0[..CARDS], &proof, other_shape);
    // The same code twice, and no card at all.
    let proof = table.prove(&input, &honest, &secret).unwrap();
    let mut copied = honest.clone();
    copied[3] = copied[0];
    refuse(&table, &input, &copied, &proof, "two codes of the deck are the same");
    refuse(&table, &[], &[], &proof, "an empty deck proves nothing");
    refuse(&table, &input, &[], &proof, "an empty deck proves nothing");
    // More cards than the table was set up for.
    let crowd: Vec<Code> = (0..20).map(|_| table.code(0)).collect();
    let (shuffled, secret) = reencrypt::shuffle(&table.key, &crowd, &mut table.rng).unwrap();
    assert!(table.prove(&crowd, &shuffled.0, &secret).is_none());
    refuse(&table, &crowd, &shuffled.0, &proof, "more cards than the table has");
}

/// The secret belongs to another shuffle of the same deck: a true statement without its witness.
#[test]
fn a_true_shuffle_without_its_secret_is_refuted() {
    let mut table = Table::new(4);
    let input = table.deck.clone();
    let (honest, _) = table.shuffle();
    let (_, other) = table.shuffle();
    let proof = table.prove(&input, &honest, &other).unwrap();
    assert!(matches!(table.verify(&input, &honest, &proof), Err(Refusal::Proof(_))));
}

/// The thesis's own proof refuses the same decks. (Its prover takes any deck; a guesser of challenge bits is tested
/// beside the code.)
#[test]
fn the_classic_proof_refuses_false_decks_too() {
    let mut table = Table::new(5);
    let input = table.deck[..3].to_vec();
    let (honest, secret) = reencrypt::shuffle(&table.key, &input, &mut table.rng).unwrap();
    let check = |table: &mut Table, deck: &[Code]| {
        let decks = Decks { input: &input, output: deck };
        let proof = classic::prove::<128>(&table.key, decks, &secret, &mut Challenger::new(&context()), &mut table.rng)
            .unwrap();
        let mut batch = Batch::new();
        classic::verify(&table.key, decks, &proof, &mut Challenger::new(&context()), &mut batch).unwrap();
        batch.settle()
    };
    assert!(check(&mut table, &honest.0).is_ok());
    let (foreign, twice) = (table.code(CARDS), table.reencrypted(&honest.0[0]));
    for cheat in [foreign, twice, scaled(&honest.0[1], &Scalar::from(2u64))] {
        let mut deck = honest.0.clone();
        deck[1] = cheat;
        names_the_prover(&check(&mut table, &deck).unwrap_err(), Label::ClassicShuffle);
    }
}

/// The exponentiation shuffle of the SRA deck.
#[test]
fn false_exponent_shuffles_are_refused() {
    let mut table = Table::new(6);
    let input = table.faces.as_slice()[..CARDS].to_vec();
    let own = table.secrets[1].clone();
    let (honest, permutation) = exponent::shuffle(&own, &input, &mut table.rng).unwrap();
    let check = |table: &mut Table, key: &Element, deck: &[Element]| -> Result<(), Refusal> {
        let decks = Decks { input: &input, output: deck };
        let mut challenger = Challenger::new(&context());
        let proof =
            exponent::prove(&table.commitments, &own, decks, &permutation, &mut challenger, &mut table.rng).unwrap();
        let mut batch = Batch::new();
        exponent::verify(&table.commitments, key, decks, &proof, &mut Challenger::new(&context()), &mut batch)?;
        batch.settle()?;
        Ok(())
    };
    assert_eq!(check(&mut table, own.key(), &honest), Ok(()));
    let k = *own.secret().expose_secret();
    let other = random_scalar(&mut table.rng);
    let place = |j: usize, point: RistrettoPoint| {
        let mut deck = honest.clone();
        deck[j] = element(point);
        deck
    };
    let outside = table.faces.as_slice()[CARDS + 1];
    let cheats = [
        ("another exponent for one card", place(2, honest[2].point() * other)),
        ("a card twice, once doubled", place(2, honest[1].point() + honest[1].point())),
        ("a foreign card", place(2, outside.point() * k)),
        ("a random point", place(2, g() * other)),
        ("a card without its layer", place(2, *input[0].point())),
        ("marked by the key", place(2, honest[2].point() + own.key().point())),
        ("every card raised to another exponent", honest.iter().map(|p| element(p.point() * other)).collect()),
    ];
    for (what, deck) in cheats {
        match check(&mut table, own.key(), &deck) {
            Err(Refusal::Proof(refuted)) => names_the_prover(&refuted, Label::ExponentShuffle),
            other => panic!("{what}: {other:?}"),
        }
    }
    // The true deck under another seat's key, and with a key of its own that nobody published (SR2).
    let stranger = *table.secrets[2].key();
    assert!(matches!(check(&mut table, &stranger, &honest), Err(Refusal::Proof(_))));
    // The same point twice: the prover does not begin, and with the proof of the true deck it is out of order.
    let mut twice = honest.clone();
    twice[4] = twice[0];
    let (mut challenger, commitments) = (Challenger::new(&context()), table.commitments.clone());
    let decks = Decks { input: &input, output: &twice };
    assert!(exponent::prove(&commitments, &own, decks, &permutation, &mut challenger, &mut table.rng).is_none());
    let decks = Decks { input: &input, output: &honest };
    let mut challenger = Challenger::new(&context());
    let proof = exponent::prove(&commitments, &own, decks, &permutation, &mut challenger, &mut table.rng).unwrap();
    let decks = Decks { input: &input, output: &twice };
    let mut challenger = Challenger::new(&context());
    let refused = exponent::verify(&commitments, own.key(), decks, &proof, &mut challenger, &mut Batch::new());
    assert_eq!(refused.unwrap_err().why, "two cards of the deck are the same");
}

/// A whole draw: the deck is shuffled, some codes are drawn by seat 1, and both others give their shares.
struct Draw {
    table: Table,
    drawn: Vec<Code>,
    cards: Vec<usize>,
}

fn draw(seed: u64, n: usize) -> Draw {
    let mut table = Table::new(seed);
    let (deck, secret) = table.shuffle();
    let codes = deck[..n].to_vec();
    let cards = secret.permutation().expose_secret()[..n].iter().map(|card| *card as usize).collect();
    let shares: Vec<AcceptedShares> = [0u8, 2].map(|seat| accepted(&mut table, seat, &codes)).into();
    let drawn = DrawnCodes::for_drawer(&table.key, &codes, &shares, Seat(1)).unwrap().codes;
    Draw { table, drawn, cards }
}

fn accepted(table: &mut Table, seat: u8, codes: &[Code]) -> AcceptedShares {
    let at = Context { seat: Seat(seat), ..context() };
    let secret = &table.secrets[usize::from(seat)];
    let shares = share(secret, codes, &mut Challenger::new(&at), &mut table.rng).unwrap();
    let mut batch = Batch::new();
    let accepted =
        accept_shares(&table.key, Seat(seat), codes, &shares, &mut Challenger::new(&at), &mut batch).unwrap();
    batch.settle().unwrap().release(accepted).unwrap()
}

/// F5: a player re-creates its hand with cards that it did not draw, up to three honours at once.
#[test]
fn a_hand_with_foreign_cards_is_refuted() {
    let Draw { mut table, drawn, cards } = draw(7, 4);
    let own = table.secrets[1].clone();
    let (hand, secret) =
        recreate::recreate(&own, &table.key, &table.faces, &[], &drawn, &mut table.rng).expect("an honest hand");
    let mut held: Vec<usize> = hand.iter().map(|own| own.card).collect();
    held.sort_unstable();
    let mut expected = cards.clone();
    expected.sort_unstable();
    assert_eq!(held, expected);

    let check = |table: &mut Table, created: Vec<Code>| -> Result<(), Refusal> {
        let created = Codes(created);
        let codes = recreate::Hands { held: &[], drawn: &drawn, created: &created };
        let proof = recreate::prove(
            &table.commitments,
            &own,
            &table.key,
            codes,
            &secret,
            &mut Challenger::new(&context()),
            &mut table.rng,
        )
        .unwrap();
        let mut batch = Batch::new();
        let mut challenger = Challenger::new(&context());
        recreate::verify(&table.commitments, own.key(), &table.key, codes, &proof, &mut challenger, &mut batch)?;
        batch.settle()?;
        Ok(())
    };
    let honest: Vec<Code> = hand.iter().map(|own| own.code).collect();
    assert_eq!(check(&mut table, honest.clone()), Ok(()));

    // The liar keeps its randomness and exchanges faces only: the best it can do with this prover.
    let with = |faces: &Faces, changes: &[(usize, usize)]| {
        let mut created = honest.clone();
        for (at, card) in changes {
            let difference = faces.get(*card).unwrap().point() - faces.get(hand[*at].card).unwrap().point();
            created[*at] = shifted(&created[*at], &RistrettoPoint::default(), &difference);
        }
        created
    };
    let faces = table.faces.clone();
    let cheats = [
        ("one foreign card", with(&faces, &[(0, CARDS)])),
        ("three honours", with(&faces, &[(0, CARDS), (1, CARDS + 1), (2, CARDS + 2)])),
        ("a card twice", with(&faces, &[(1, hand[0].card)])),
        ("two cards exchanged for each other and a third", with(&faces, &[(0, hand[1].card), (1, CARDS)])),
        ("all cards the same", with(&faces, &[(1, hand[0].card), (2, hand[0].card), (3, hand[0].card)])),
        ("another seat's code smuggled in", {
            let mut created = honest.clone();
            created[2] = table.deck[0];
            created
        }),
    ];
    for (what, created) in cheats {
        match check(&mut table, created) {
            Err(Refusal::Proof(refuted)) => names_the_prover(&refuted, Label::Recreation),
            other => panic!("{what}: {other:?}"),
        }
    }
    // The same code twice: out of order, whatever the proof.
    let mut twice = honest.clone();
    twice[1] = twice[0];
    let (honest, twice) = (Codes(honest), Codes(twice));
    let codes = recreate::Hands { held: &[], drawn: &drawn, created: &honest };
    let mut challenger = Challenger::new(&context());
    let proof =
        recreate::prove(&table.commitments, &own, &table.key, codes, &secret, &mut challenger, &mut table.rng).unwrap();
    let codes = recreate::Hands { held: &[], drawn: &drawn, created: &twice };
    let (mut challenger, mut batch) = (Challenger::new(&context()), Batch::new());
    let refused =
        recreate::verify(&table.commitments, own.key(), &table.key, codes, &proof, &mut challenger, &mut batch);
    assert_eq!(refused.unwrap_err().label, Label::Recreation);
}

/// One proof per place and card: shares for other codes, doubled shares and missing shares open nothing.
#[test]
fn only_the_right_shares_open_a_card() {
    let mut table = Table::new(8);
    let (deck, secret) = table.shuffle();
    let (codes, others) = (deck[..2].to_vec(), deck[2..4].to_vec());
    let all: Vec<AcceptedShares> = [0u8, 1, 2].map(|seat| accepted(&mut table, seat, &codes)).into();
    let expected: Vec<usize> = secret.permutation().expose_secret()[..2].iter().map(|card| *card as usize).collect();
    assert_eq!(DrawnCodes::open(&table.key, &table.faces, &codes, &all), Ok(expected));

    let open = |shares: &[AcceptedShares]| DrawnCodes::open(&table.key, &table.faces, &codes, shares);
    assert_eq!(open(&all[..2]), Err(OpenError::Shares(Seat(2))), "a seat is missing");
    assert_eq!(open(&[&all[..], &all[1..2]].concat()), Err(OpenError::Shares(Seat(1))), "a seat twice");
    let foreign = accepted(&mut Table::new(8), 0, &others);
    let mixed = [foreign, all[1].clone(), all[2].clone()];
    let open = |codes: &[Code], shares: &[AcceptedShares]| DrawnCodes::open(&table.key, &table.faces, codes, shares);
    assert_eq!(open(&codes, &mixed), Err(OpenError::Shares(Seat(0))), "shares of other codes");
    let swapped = [codes[1], codes[0]];
    assert_eq!(open(&swapped, &all), Err(OpenError::Shares(Seat(0))), "shares in another order");
    assert_eq!(open(&codes[..1], &all), Err(OpenError::Shares(Seat(0))), "shares of more codes");
    // The drawer gives no share in its own draw.
    let drawer = |shares: &[AcceptedShares], seat| DrawnCodes::for_drawer(&table.key, &codes, shares, Seat(seat));
    assert!(drawer(&[all[0].clone(), all[2].clone()], 1).is_ok());
    assert_eq!(drawer(&all, 1), Err(OpenError::Shares(Seat(1))));
    assert_eq!(drawer(&all[1..], 1).unwrap_err(), OpenError::Shares(Seat(0)));
    assert_eq!(drawer(&all, 9).unwrap_err(), OpenError::Shares(Seat(9)), "a stranger draws");
}

/// Several proofs of several seats in one batch: exactly the false ones are named, whatever surrounds them.
#[test]
fn a_batch_names_exactly_the_culprits() {
    for culprits in [vec![], vec![0], vec![2], vec![3], vec![1, 2], vec![0, 3], vec![0, 1, 2, 3]] {
        let mut table = Table::new(9);
        let mut batch = Batch::new();
        let mut input = table.deck.clone();
        let mut expected = Vec::new();
        // A chain of shuffles by four seats; a culprit puts a foreign card into its output and goes on from there.
        for seat in 0..4u8 {
            let at = Context { seat: Seat(seat), ..context() };
            let (Codes(mut output), secret) = reencrypt::shuffle(&table.key, &input, &mut table.rng).unwrap();
            if culprits.contains(&seat) {
                output[usize::from(seat)] = table.code(CARDS + 1);
            }
            let decks = Decks { input: &input, output: &output };
            let mut challenger = Challenger::new(&at);
            let proof =
                reencrypt::prove(&table.commitments, &table.key, decks, &secret, &mut challenger, &mut table.rng)
                    .unwrap();
            let mut challenger = Challenger::new(&at);
            reencrypt::verify(&table.commitments, &table.key, decks, &proof, &mut challenger, &mut batch).unwrap();
            if culprits.contains(&seat) {
                expected.push(Claim { seat: Seat(seat), label: Label::Shuffle, index: 2 * usize::from(seat) });
            }
            // Beside it, an honest hand of the same seat in the same entry.
            let hand: Vec<OwnCard> =
                (0..2).map(|card| create(&table.key, &table.faces, card, &mut table.rng).unwrap()).collect();
            let codes: Vec<Code> = hand.iter().map(|own| own.code).collect();
            let (new, secret) = shuffle_hand(&table.key, &hand, &mut table.rng).unwrap();
            let new: Vec<Code> = new.iter().map(|own| own.code).collect();
            let at = Context { deal: 99, ..at };
            let mut challenger = Challenger::new(&at);
            let decks = Decks { input: &codes, output: &new };
            let proof =
                reencrypt::prove(&table.commitments, &table.key, decks, &secret, &mut challenger, &mut table.rng)
                    .unwrap();
            let mut challenger = Challenger::new(&at);
            reencrypt::verify(&table.commitments, &table.key, decks, &proof, &mut challenger, &mut batch).unwrap();
            input = output;
        }
        match batch.settle() {
            Ok(_) => assert!(culprits.is_empty()),
            Err(refuted) => assert_eq!(refuted.claims, expected),
        }
    }
}
