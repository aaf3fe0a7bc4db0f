use super::*;
use crate::challenger::Purpose;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const AT: Where = Where { table: TableId([7; 32]), deal: 3 };
const CARDS: usize = 52;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// Both players after an honest shuffle.
fn shuffled(seed: u64) -> (First<4>, Second<4>) {
    let mut rng = rng(seed);
    let (mut alice, decks) = First::<4>::new(AT, CARDS, &mut rng);
    let (mut bob, kept) = Second::<4>::choose(AT, CARDS, decks, &mut rng).unwrap();
    let decks = bob.shuffle(&alice.open(kept).unwrap(), &mut rng).unwrap();
    let kept = alice.choose(decks, &mut rng).unwrap();
    alice.settle(&bob.open(kept).unwrap()).unwrap();
    (alice, bob)
}

fn alice_draws(alice: &mut First<4>, bob: &mut Second<4>, place: usize) -> u32 {
    let asked = alice.ask(place).unwrap();
    let (point, nonce) = bob.answer(&asked).unwrap();
    alice.draw(place, &point, &nonce).unwrap()
}

fn bob_draws(alice: &mut First<4>, bob: &mut Second<4>, place: usize) -> u32 {
    bob.draw(place, &alice.deal(place).unwrap()).unwrap()
}

#[test]
fn sra_4_and_5_the_cards_are_four_byte_integers_and_the_locks_commute() {
    let mut rng = Nonces::hedged(const { Purpose::new("test") }, &0u8, [], &mut rng(1));
    let (a, b) = (Key::random(&mut rng), Key::random(&mut rng));
    let cards = FirstSecret::random(CARDS, &mut rng).cards;
    let points: Vec<Element> = cards.iter().map(|card| card.point(&AT)).collect();
    assert_eq!(a.lock(&b.lock(&points)), b.lock(&a.lock(&points)));
    assert_eq!(a.unlock(&b.unlock(&a.lock(&b.lock(&points)))), points);
    assert_eq!(a.unlock(&a.lock(&points)), points);
    let mut numbers: Vec<u32> = cards.iter().map(Marked::card).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..52).collect::<Vec<u32>>());
    assert_eq!(format!("{:?} {:?}", cards[0], a), "Marked(<secret>) Key(<secret>)");
}

#[test]
fn sra_6_to_9_shuffling_and_a_whole_deck_dealt() {
    for seed in 0..3 {
        let (mut alice, mut bob) = shuffled(seed);
        let mut seen: Vec<u32> = (0..CARDS)
            .map(|place| match place % 2 {
                0 => alice_draws(&mut alice, &mut bob, place),
                _ => bob_draws(&mut alice, &mut bob, place),
            })
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..52).collect::<Vec<u32>>(), "every card exactly once");
    }
}

#[test]
fn sra_7_an_incomplete_deck_survives_with_one_in_n() {
    assert_eq!(Opening::<FirstSecret, 4>::BOUND, 4);
    let (mut caught, mut tries) = (0, 0);
    for seed in 0..200 {
        let mut rng = rng(seed);
        let (mut alice, mut decks) = First::<4>::new(AT, 5, &mut rng);
        // Two aces, no king, and a deck that is otherwise perfect.
        alice.candidates[2].cards[0].card = alice.candidates[2].cards[1].card;
        decks[2] = alice.candidates[2].deck(&AT);
        let (mut bob, kept) = Second::<4>::choose(AT, 5, decks, &mut rng).unwrap();
        let result = bob.shuffle(&alice.open(kept).unwrap(), &mut rng);
        assert_eq!(result.is_ok(), kept == 2, "the false deck passes exactly if it is the one that is kept");
        caught += usize::from(result == Err(Refused::Deck(2)));
        tries += 1;
    }
    let share = caught as f64 / f64::from(tries);
    assert!((0.65..0.85).contains(&share), "caught in {share} of the runs, not in 1 − 1/4");
}

#[test]
fn sra_7_hashes_and_boxes_must_fit_the_contents() {
    type Change = fn(&mut FirstDeck);
    let changes: [Change; 4] = [
        |deck| deck.hashes[1] = [9; 32],
        |deck| deck.boxes[1].0[3] ^= 1,
        |deck| deck.points.swap(0, 1),
        |deck| deck.points[0] = deck.points[1],
    ];
    for change in changes {
        let mut rng = rng(5);
        let (mut alice, mut decks) = First::<3>::new(AT, 6, &mut rng);
        decks.iter_mut().for_each(change);
        let (mut bob, kept) = Second::<3>::choose(AT, 6, decks, &mut rng).unwrap();
        assert!(matches!(bob.shuffle(&alice.open(kept).unwrap(), &mut rng), Err(Refused::Deck(_))));
    }
}

#[test]
fn sra_8_the_second_player_proves_its_shuffle_too() {
    type Change = fn(&mut SecondDeck);
    let changes: [Change; 3] =
        [|deck| deck.points[0] = deck.points[1], |deck| deck.points.swap(0, 1), |deck| deck.hashes.swap(0, 1)];
    for change in changes {
        let mut rng = rng(6);
        let (mut alice, decks) = First::<3>::new(AT, 6, &mut rng);
        let (mut bob, kept) = Second::<3>::choose(AT, 6, decks, &mut rng).unwrap();
        let mut decks = bob.shuffle(&alice.open(kept).unwrap(), &mut rng).unwrap();
        decks.iter_mut().for_each(change);
        let kept = alice.choose(decks, &mut rng).unwrap();
        assert!(matches!(alice.settle(&bob.open(kept).unwrap()), Err(Refused::Deck(_))));
    }
}

#[test]
fn sra_10_the_second_player_gets_the_card_of_the_place_and_no_other() {
    let (mut alice, mut bob) = shuffled(10);
    let (third, other) = (alice.deal(3).unwrap(), alice.deal(4).unwrap());
    assert_eq!(bob.draw(3, &other), Err(Refused::Card), "another card of the deck");
    assert_eq!(bob.draw(3, &Element::generator()), Err(Refused::Card), "no card at all");
    assert!(bob.draw(3, &third).is_ok());
    assert_eq!(bob.draw(3, &third), Err(Refused::Dealt));
    assert_eq!(alice.deal(3), Err(Refused::Dealt));
}

#[test]
fn sra_11_the_first_player_gets_the_card_it_asked_for() {
    let (mut alice, mut bob) = shuffled(11);
    let (asked, second) = (alice.ask(0).unwrap(), alice.ask(1).unwrap());
    let (point, nonce) = bob.answer(&asked).unwrap();
    let (wrong, wrong_nonce) = bob.answer(&second).unwrap();
    assert_eq!(alice.draw(0, &wrong, &wrong_nonce), Err(Refused::Card));
    assert_eq!(alice.draw(0, &wrong, &nonce), Err(Refused::Card));
    assert_eq!(alice.draw(0, &Element::generator(), &nonce), Err(Refused::Card));
    assert!(alice.draw(0, &point, &nonce).is_ok());
    assert_eq!(bob.answer(&asked), Err(Refused::Dealt), "no card is dealt twice");
    assert_eq!(bob.answer(&[1; 32]), Err(Refused::Card));
}

#[test]
fn sra_12_to_14_a_revealed_card_is_the_one_that_was_dealt() {
    let (mut alice, mut bob) = shuffled(12);
    let (a, b) = (alice_draws(&mut alice, &mut bob, 0), bob_draws(&mut alice, &mut bob, 1));
    let unused = alice_draws(&mut alice, &mut bob, 2);
    // The card of another place, though it is her own and valid, is not that of place 0.
    let elsewhere = alice.reveal(2).unwrap();
    assert_eq!(bob.check(0, &elsewhere), Err(Refused::Card));
    assert_eq!(bob.check(2, &elsewhere), Ok(unused));
    // Immediately after the deal, tied to its place (SRA-14).
    assert_eq!(bob.check(0, &alice.reveal(0).unwrap()), Ok(a));
    let (nonce, marked) = bob.reveal(1).unwrap();
    let lie = Marked { nonce: marked.nonce, card: (b + 1) % 52 };
    assert_eq!(alice.check(1, &nonce, &lie), Err(Refused::Card));
    assert_eq!(alice.check(1, &[0; 32], &marked), Err(Refused::Card));
    assert_eq!(alice.check(5, &nonce, &marked), Err(Refused::NotDealt));
    assert_eq!(alice.check(1, &nonce, &marked), Ok(b));
    assert_eq!(alice.reveal(9).unwrap_err(), Refused::NotDealt, "what was never drawn");
}

#[test]
fn sra_15_what_is_laid_aside_is_never_shown() {
    let (mut alice, mut bob) = shuffled(15);
    alice_draws(&mut alice, &mut bob, 0);
    bob_draws(&mut alice, &mut bob, 1);
    let (own, (nonce, theirs)) = (alice.reveal(0), bob.reveal(1).unwrap());
    drop(own);
    let (mut alice, mut bob) = shuffled(15);
    alice_draws(&mut alice, &mut bob, 0);
    bob_draws(&mut alice, &mut bob, 1);
    for place in [0, 1] {
        alice.discard(place).unwrap();
        bob.discard(place).unwrap();
        assert_eq!(alice.discard(place), Err(Refused::NotDealt), "once and for all");
    }
    assert_eq!(alice.reveal(0).unwrap_err(), Refused::Aside);
    assert_eq!(bob.reveal(1).unwrap_err(), Refused::Aside);
    assert_eq!(alice.check(1, &nonce, &theirs), Err(Refused::Aside));
    assert_eq!(bob.check(0, &Marked { nonce: [0; 32], card: 0 }), Err(Refused::Aside));
    assert_eq!(alice.discard(9), Err(Refused::NotDealt));
}

#[test]
fn messages_out_of_place_are_refused() {
    let mut rng = rng(20);
    let (mut alice, decks) = First::<3>::new(AT, 5, &mut rng);
    assert_eq!(alice.deal(0), Err(Refused::Now));
    assert_eq!(alice.open(3).unwrap_err(), Refused::Now);
    assert_eq!(Second::<3>::choose(AT, 5, decks[..2].to_vec(), &mut rng).unwrap_err(), Refused::Count);
    assert_eq!(Second::<3>::choose(AT, 6, decks.clone(), &mut rng).unwrap_err(), Refused::Count);
    let (mut bob, kept) = Second::<3>::choose(AT, 5, decks, &mut rng).unwrap();
    assert_eq!(bob.shuffle(&Opening(Vec::new()), &mut rng).unwrap_err(), Refused::Count, "no empty opening");
    assert!(bob.open(0).is_err() && bob.draw(0, &Element::generator()).is_err());
    alice.open(kept).unwrap();
    assert!(alice.open(kept).is_err(), "one choice, one opening");
}

#[test]
fn a_message_that_comes_twice_is_refused_the_second_time() {
    for seed in 0..12 {
        let mut rng = rng(seed);
        let (mut alice, decks) = First::<2>::new(AT, 3, &mut rng);
        let (mut bob, kept) = Second::<2>::choose(AT, 3, decks, &mut rng).unwrap();
        let opening = alice.open(kept).unwrap();
        assert_eq!(alice.open(kept).err(), Some(Refused::Now));
        let decks = bob.shuffle(&opening, &mut rng).unwrap();
        assert_eq!(bob.shuffle(&opening, &mut rng).err(), Some(Refused::Now));
        let kept = alice.choose(decks.clone(), &mut rng).unwrap();
        assert_eq!(alice.choose(decks.clone(), &mut rng), Err(Refused::Now));
        let opening = bob.open(kept).unwrap();
        assert_eq!(bob.open(kept).err(), Some(Refused::Now));
        alice.settle(&opening).unwrap();
        assert_eq!(alice.settle(&opening), Err(Refused::Now), "deck {kept} was kept");
        assert_eq!(alice.choose(decks, &mut rng), Err(Refused::Now));
    }
}

/// A machine that was put back to an earlier moment (S-8): decks of another deal, a shuffle of another deck and a choice between
/// other decks are drawn anew. Secrets that were opened would be known, and a choice known in advance lets a cheat through.
#[test]
fn a_repeated_generator_repeats_no_deck_and_no_choice() {
    const FEW: usize = 3;
    let restored = || rng(99);
    let elsewhere = Where { deal: AT.deal + 1, ..AT };
    let opened = |at| First::<4>::new(at, FEW, &mut restored()).0.open(0).unwrap().0;
    assert!(opened(AT)[0].cards == opened(AT)[0].cards);
    assert!(opened(AT)[0].cards != opened(elsewhere)[0].cards, "the secrets of one deal are those of another");

    let (mut seconds, mut firsts, mut nonces) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..24 {
        // Other decks to choose from and to shuffle, for the second player.
        let (mut first, decks) = First::<4>::new(AT, FEW, &mut rng(seed));
        let (mut second, kept) = Second::<4>::choose(AT, FEW, decks, &mut restored()).unwrap();
        seconds.push(kept);
        second.shuffle(&first.open(kept).unwrap(), &mut restored()).unwrap();
        nonces.push(second.open(0).unwrap().0[0].nonces.clone());
        // Other decks to choose from, for the first player.
        let (mut first, decks) = First::<4>::new(AT, FEW, &mut restored());
        let (mut second, kept) = Second::<4>::choose(AT, FEW, decks, &mut restored()).unwrap();
        let decks = second.shuffle(&first.open(kept).unwrap(), &mut rng(seed)).unwrap();
        firsts.push(first.choose(decks, &mut restored()).unwrap());
    }
    assert!(nonces[1..].iter().all(|other| *other != nonces[0]), "the secrets of one shuffle are those of another");
    for choices in [seconds, firsts] {
        assert!(choices.iter().any(|choice| *choice != choices[0]), "one choice, whatever there is to choose from");
    }
}
