use super::*;
use crate::batch::Batch;
use crate::challenger::{Challenger, Purpose};
use crate::context::{Context, Head, Seat};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const AT: Where = Where { table: TableId([7; 32]), deal: 3 };
const CARDS: usize = 52;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

fn source(seed: u64) -> Nonces {
    Nonces::hedged(const { Purpose::new("test") }, &0u8, [], &mut rng(seed))
}

/// Where an entry of a seat stands.
fn context(seat: u8) -> Context {
    Context { table: AT.table, deal: AT.deal, seat: Seat(seat), head: Head([5; 32]) }
}

/// The public deck and both secrets after an honest shuffle.
struct Shuffled {
    alice: SeatSecret,
    bob: SecondSecret,
    deck: Deck,
}

fn shuffled(seed: u64) -> Shuffled {
    shuffled_with(seed, 4)
}

fn shuffled_with(seed: u64, decks: usize) -> Shuffled {
    let mut rng = rng(seed);
    let (keys, first) = shuffle_first(&context(0), CARDS, decks, &mut rng);
    assert!(first.is_distinct());
    let kept = choose(&context(1), &first, &mut rng);
    assert!(first.is_opened(&AT, kept, &open_first(&keys, kept).unwrap()));
    let alice = keys[kept].clone();
    let deck = first.kept(kept).unwrap();
    let (secrets, second) = shuffle_second(&context(1), &deck, decks, &mut rng).unwrap();
    assert!(second.is_distinct());
    let kept = choose(&context(0), &second, &mut rng);
    assert!(second.is_opened(&AT, &deck, kept, &open_second(&secrets, kept).unwrap()));
    Shuffled { alice, bob: secrets[kept].clone(), deck: Deck::new(AT, deck, second.kept(kept).unwrap()).unwrap() }
}

impl Shuffled {
    fn draw(&self, asked: &[usize], dealt: &[usize]) -> Draw {
        self.deck.draw(&self.alice, asked, dealt, &mut Challenger::new(&context(0)), &mut rng(3)).unwrap()
    }

    /// What everybody makes of a draw; `None` if its proof is not accepted.
    fn accept(&self, dealt: &[usize], draw: &Draw) -> Option<AcceptedDraw> {
        let (mut challenger, mut batch) = (Challenger::new(&context(0)), Batch::new());
        let pending = self.deck.accept_draw(dealt, draw, &mut challenger, &mut batch).ok()?;
        batch.settle().ok()?.release(pending)
    }

    fn alice_draws(&mut self, place: usize) -> u32 {
        self.deck.assign(&[place], State::For(Role::First)).unwrap();
        let draw = self.draw(&[place], &[]);
        assert!(self.deck.asks(&[place], &draw));
        let answer = self.deck.answer(&self.bob, &[place]).unwrap();
        let links = self.deck.links(&answer).unwrap();
        assert!(self.deck.is_answer(&[place], &answer, &links));
        self.deck.link(&[place], &links).unwrap();
        self.deck.look_first(&self.alice, place).unwrap()
    }

    fn bob_draws(&mut self, place: usize) -> u32 {
        self.deck.assign(&[place], State::For(Role::Second)).unwrap();
        let draw = self.draw(&[], &[place]);
        let accepted = self.accept(&[place], &draw).unwrap();
        self.deck.deal(accepted).unwrap();
        self.deck.look_second(&self.bob, place).unwrap()
    }
}

/// The known answer was computed by the second implementation.
#[test]
fn sra_4_and_5_the_cards_are_four_byte_integers_and_the_locks_commute() {
    let mut source = source(1);
    let (a, b) = (SeatSecret::random(&mut source), SeatSecret::random(&mut source));
    let key = |secret: &SeatSecret| *secret.secret().expose_secret();
    let points: Vec<Element> = (0..52).map(|card| Marked { nonce: *source.bytes(), card }.point(&AT)).collect();
    let (ab, ba) = (multiply(&multiply(&points, &key(&a)), &key(&b)), multiply(&multiply(&points, &key(&b)), &key(&a)));
    assert_eq!(ab, ba);
    assert_eq!(multiply(&multiply(&ab, &key(&a).invert()), &key(&b).invert()), points);
    let nonce: [u8; 32] = core::array::from_fn(|i| i as u8);
    let marked = Marked { nonce, card: 51 };
    assert_eq!(format!("{marked:?}"), "Marked(<secret>)");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let point = marked.point(&AT);
    assert_eq!(hex(point.as_bytes()), "e2e3ea1e954e12fd16f00c6b4f21dd0f88550ad12cf5fa6322c7e7ec93fa9e00");
    let hash = marked.hash(&AT);
    assert_eq!(hex(&hash), "789549af96ce71e2f88e21a0ca4ac65fab626654be1913ceab60cd43ab779a82");
    let locked = Locked::close(&AT, &marked, &point);
    assert_eq!(hex(&locked.0), "15a298b605b3f9b2775cf7987fff259b55d5e11751bd462d5567661d3521d402ccb174bd");
    assert!(locked.open(&AT, &point) == marked);
    let second = second_hash(&AT, &[9; 32], &hash);
    assert_eq!(hex(&second), "0a66906dbbc9b464be022479a81f5fb0228070432880ac2f478859fe6fa5d6f2");
}

#[test]
fn sra_6_to_9_shuffling_and_a_whole_deck_dealt() {
    for seed in 0..3 {
        let mut game = shuffled(seed);
        let mut seen: Vec<u32> = Vec::new();
        for place in 0..CARDS {
            let card = if place % 2 == 0 { game.alice_draws(place) } else { game.bob_draws(place) };
            assert_eq!(game.deck.open_with(&game.alice, &game.bob, place), Some(card));
            seen.push(card);
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..52).collect::<Vec<u32>>(), "every card exactly once");
    }
}

#[test]
fn sra_7_an_incomplete_deck_survives_with_one_in_n() {
    assert_eq!(bound(4), 4);
    let mut caught = 0;
    for seed in 0..200 {
        let mut rng = rng(seed);
        let (keys, offered) = shuffle_first(&context(0), 5, 4, &mut rng);
        // Two aces, no king, and a deck that is otherwise perfect.
        let mut decks = offered.0.to_vec();
        decks[2] = FirstDeck::make(&AT, &[0, 0, 2, 3, 4], &keys[2], &mut source(seed));
        let offered = Offered(decks.into());
        let kept = choose(&context(1), &offered, &mut rng);
        let passes = offered.is_opened(&AT, kept, &open_first(&keys, kept).unwrap());
        assert_eq!(passes, kept == 2, "the false deck passes exactly if it is the one that is kept");
        caught += usize::from(!passes);
    }
    let share = caught as f64 / 200.0;
    assert!((0.65..0.85).contains(&share), "caught in {share} of the runs, not in 1 − 1/4");
}

#[test]
fn sra_7_hashes_and_boxes_must_fit_the_contents() {
    type Change = fn(&mut FirstDeck);
    let changes: [Change; 5] = [
        |deck| deck.hashes[1] = [9; 32],
        |deck| deck.boxes[1].0[3] ^= 1,
        |deck| deck.points.swap(0, 1),
        |deck| deck.points[0] = deck.points[1],
        |deck| deck.key = Element::generator(),
    ];
    let (keys, offered) = shuffle_first(&context(0), 6, 3, &mut rng(5));
    for change in changes {
        let mut decks = offered.0.to_vec();
        change(&mut decks[1]);
        let changed = Offered(decks.into());
        for kept in 0..3 {
            assert_eq!(changed.is_opened(&AT, kept, &open_first(&keys, kept).unwrap()), kept == 1);
        }
    }
    let mut opening = open_first(&keys, 2).unwrap();
    opening.0.swap(0, 1);
    assert!(!offered.is_opened(&AT, 2, &opening), "the key of another deck");
    assert!(!offered.is_opened(&AT, 2, &FirstOpening(opening.0[..1].to_vec())), "one is not opened");
    assert!(!offered.is_opened(&AT, 3, &open_first(&keys, 2).unwrap()) && open_first(&keys, 3).is_none());
    assert!(!offered.is_opened(&Where { deal: 4, ..AT }, 2, &open_first(&keys, 2).unwrap()), "of another deal");
}

#[test]
fn sra_8_the_second_player_proves_its_shuffle_too() {
    type Change = fn(&mut SecondDeck);
    // The last one is a peek (F4): a card of another place, disguised by a factor.
    let changes: [Change; 4] = [
        |deck| deck.points[0] = deck.points[1],
        |deck| deck.points.swap(0, 1),
        |deck| deck.hashes.swap(0, 1),
        |deck| deck.points[0] = Element::new(deck.points[1].point() * Scalar::from(2u64)).unwrap(),
    ];
    let (_, offered) = shuffle_first(&context(0), 6, 3, &mut rng(6));
    let first = offered.kept(0).unwrap();
    let (secrets, offered) = shuffle_second(&context(1), &first, 3, &mut rng(6)).unwrap();
    for change in changes {
        let mut decks = offered.0.to_vec();
        change(&mut decks[1]);
        let changed = Offered(decks.into());
        for kept in 0..3 {
            assert_eq!(changed.is_opened(&AT, &first, kept, &open_second(&secrets, kept).unwrap()), kept == 1);
        }
    }
    let mut opening = open_second(&secrets, 0).unwrap();
    opening.0[1].nonces[2][0] ^= 1;
    assert!(!offered.is_opened(&AT, &first, 0, &opening));
    assert!(
        !offered.is_opened(&AT, &first, 3, &open_second(&secrets, 0).unwrap()) && open_second(&secrets, 3).is_none()
    );
    let other = shuffle_first(&context(0), 6, 3, &mut rng(7)).1.kept(0).unwrap();
    assert!(!offered.is_opened(&AT, &other, 0, &open_second(&secrets, 0).unwrap()), "made of another deck");
    let small = shuffle_first(&context(0), 5, 3, &mut rng(7)).1.kept(0).unwrap();
    assert!(Deck::new(AT, small, offered.kept(0).unwrap()).is_none(), "two sizes");
}

/// F4: what the document leaves open. Second puts first's card on a place of its own, too, disguised by a factor; first takes its key off
/// what it deals, and second reads the card.
#[test]
fn f4_without_it_the_second_player_reads_the_other_hand() {
    let mut game = shuffled(9);
    let own = game.alice_draws(0);
    let mut second = game.deck.second().clone();
    second.points[1] = Element::new(second.points[0].point() * Scalar::from(2u64)).unwrap();
    let first = Arc::new(game.deck.first().clone());
    let (bob, alice) = (game.bob.clone(), game.alice.clone());
    let mut game = Shuffled { alice, bob, deck: Deck::new(AT, first, Arc::new(second)).unwrap() };
    game.deck.assign(&[1], State::For(Role::Second)).unwrap();
    let draw = game.draw(&[], &[1]);
    let accepted = game.accept(&[1], &draw).expect("first deals what lies there");
    game.deck.deal(accepted).unwrap();
    assert_eq!(game.deck.look_second(&game.bob, 1), None, "it is not the card of that place");
    let inverse = game.bob.key.secret().expose_secret().invert() * Scalar::from(2u64).invert();
    let point = Element::new(draw.dealt[0].point() * inverse).unwrap();
    let seen = game.deck.first().ordered(&game.bob.order).0.card(&AT, 0, &point);
    assert_eq!(seen.map(|marked| marked.card()), Some(own), "first's own card");
}

/// LC-20: the deck in second's order, and first's points without their key, leave nothing behind.
#[test]
fn lc_20_what_shows_an_order_is_wiped() {
    fn wiped(_: &impl ZeroizeOnDrop) {}
    let game = shuffled(20);
    wiped(&game.deck.first().ordered(&game.bob.order));
    let mut point = game.deck.first().points[0];
    point.wipe();
    assert_eq!(point.as_bytes(), &[0; 32]);
}

#[test]
fn sra_10_the_second_player_gets_the_card_of_the_place_and_no_other() {
    let mut game = shuffled(10);
    game.deck.assign(&[3, 4], State::For(Role::Second)).unwrap();
    let (third, other) = (game.draw(&[], &[3]), game.draw(&[], &[4]));
    assert!(game.accept(&[3], &other).is_none(), "another card of the deck");
    let garbage = Draw { dealt: vec![Element::generator()], ..third.clone() };
    assert!(game.accept(&[3], &garbage).is_none(), "no card at all");
    assert!(game.accept(&[3], &Draw { proof: None, ..third.clone() }).is_none());
    // Where nobody checks the proof, only the one who gets it can see that it is not the card.
    let mut unchecked = game.deck.clone();
    unchecked.deal(game.deck.dangerously_trust_draw(&[3], &other)).unwrap();
    assert_eq!(unchecked.look_second(&game.bob, 3), None);
    let accepted = game.accept(&[3], &third).unwrap();
    game.deck.deal(accepted.clone()).unwrap();
    assert!(game.deck.look_second(&game.bob, 3).is_some());
    assert!(game.deck.deal(accepted).is_none() && game.accept(&[3], &third).is_none(), "once");
    let (alice, context) = (&game.alice, context(0));
    let draw = |dealt: &[usize]| game.deck.draw(alice, &[], dealt, &mut Challenger::new(&context), &mut rng(3));
    assert!(draw(&[3]).is_none() && draw(&[5]).is_none() && draw(&[4]).is_some(), "only what is due (SR3)");
}

#[test]
fn sra_11_the_first_player_gets_the_card_it_asked_for() {
    let mut game = shuffled(11);
    game.deck.assign(&[0, 1], State::For(Role::First)).unwrap();
    assert!(!game.deck.asks(&[0], &game.draw(&[1], &[])), "another place");
    let answers: Vec<Answer> = [0, 1].iter().map(|place| game.deck.answer(&game.bob, &[*place]).unwrap()).collect();
    let fits = |game: &Shuffled, place: usize, answer: &Answer| {
        game.deck.links(answer).is_some_and(|links| game.deck.is_answer(&[place], answer, &links))
    };
    let (point, nonce) = answers[0].0[0];
    let (wrong, wrong_nonce) = answers[1].0[0];
    assert!(!fits(&game, 0, &answers[1]), "the card of another place");
    assert!(!fits(&game, 0, &Answer(vec![(wrong, nonce)])) && !fits(&game, 0, &Answer(vec![(point, wrong_nonce)])));
    assert!(game.deck.links(&Answer(vec![(Element::generator(), nonce)])).is_none(), "of no deck");
    assert!(!fits(&game, 0, &Answer(Vec::new())), "no answer");
    let twice = Answer(vec![(point, nonce), (point, nonce)]);
    assert!(!game.deck.is_answer(&[0, 1], &twice, &game.deck.links(&twice).unwrap()), "one card for two places");
    let links = game.deck.links(&answers[0]).unwrap();
    assert!(fits(&game, 0, &answers[0]));
    game.deck.link(&[0], &links).unwrap();
    assert!(game.deck.link(&[0], &links).is_none() && game.deck.answer(&game.bob, &[0]).is_none(), "once");
    assert!(!game.deck.is_answer(&[1], &answers[0], &links), "an index that is linked");
    assert!(game.deck.answer(&game.bob, &[2]).is_none(), "what is not the first player's");
    assert_eq!(game.deck.look_first(&game.alice, 1), None, "before the answer");
}

#[test]
fn sra_12_to_14_a_revealed_card_is_the_one_that_was_dealt() {
    let mut game = shuffled(12);
    let (a, b) = (game.alice_draws(0), game.bob_draws(1));
    let unused = game.alice_draws(2);
    let first = |game: &Shuffled, place: usize| Revealed::First(game.deck.reveal_first(&game.alice, &[place]).unwrap());
    // The card of another place, though it is her own and valid, is not that of place 0.
    let elsewhere = first(&game, 2);
    assert!(!game.deck.is_revealed(&[0], &elsewhere) && game.deck.is_revealed(&[2], &elsewhere));
    assert_eq!(elsewhere.cards(), [unused]);
    // Immediately after the deal, tied to its place (SRA-14).
    let own = first(&game, 0);
    assert!(game.deck.is_revealed(&[0], &own) && own.cards() == [a]);
    assert!(
        !game.deck.is_revealed(&[1], &own) && !game.deck.is_revealed(&[9], &own) && !game.deck.is_revealed(&[99], &own)
    );
    let Some(Revealed::Second(shown)) = game.deck.reveal_second(&game.bob, &[1]) else { panic!("no card") };
    let (nonce, marked) = shown[0].clone();
    let told = |nonce: Nonce, marked: Marked| Revealed::Second(vec![(nonce, marked)]);
    assert!(!game.deck.is_revealed(&[1], &told(nonce, Marked { nonce: marked.nonce, card: (b + 1) % 52 })), "a lie");
    assert!(!game.deck.is_revealed(&[1], &told([0; 32], marked.clone())));
    assert!(!game.deck.is_revealed(&[5], &told(nonce, marked.clone())), "not dealt");
    assert!(game.deck.is_revealed(&[1], &told(nonce, marked.clone())) && marked.card() == b);
    assert!(!game.deck.is_revealed(&[1, 1], &told(nonce, marked)), "two places, one card");
    let Revealed::First(theirs) = own else { panic!("the first player's") };
    assert!(!game.deck.is_revealed(&[1], &told(nonce, theirs[0].clone())), "the other's card");
    assert!(game.deck.reveal_first(&game.alice, &[9]).is_none(), "what was never drawn");
    assert!(game.deck.reveal_second(&game.bob, &[0]).is_none(), "what is the other's");
}

/// SRA-12, SRA-19: a card for both is drawn by the first player, who sees it one message early and turns it up.
#[test]
fn a_card_for_both_is_turned_up_by_the_first_player() {
    let mut game = shuffled(13);
    game.deck.assign(&[7], State::Up).unwrap();
    assert!(game.deck.assign(&[7], State::Up).is_none() && game.deck.assign(&[8, 8], State::Up).is_none());
    assert!(game.deck.assign(&[8], State::Aside).is_none() && game.deck.assign(&[52], State::Up).is_none());
    let answer = game.deck.answer(&game.bob, &[7]).unwrap();
    game.deck.link(&[7], &game.deck.links(&answer).unwrap()).unwrap();
    let card = game.deck.look_first(&game.alice, 7).unwrap();
    assert_eq!((game.deck.face_up(7), game.deck.look_second(&game.bob, 7)), (None, None));
    let shown = Revealed::First(game.deck.reveal_first(&game.alice, &[7]).unwrap());
    assert!(game.deck.is_revealed(&[7], &shown) && shown.cards() == [card]);
    game.deck.turn_up(&[7], &shown.cards()).unwrap();
    assert_eq!(game.deck.face_up(7), Some(card));
    assert!(game.deck.turn_up(&[8], &[1]).is_none());
}

#[test]
fn sra_15_what_is_laid_aside_is_never_shown() {
    let mut game = shuffled(15);
    game.alice_draws(0);
    game.bob_draws(1);
    let own = Revealed::First(game.deck.reveal_first(&game.alice, &[0]).unwrap());
    let theirs = game.deck.reveal_second(&game.bob, &[1]).unwrap();
    assert!(game.deck.discard(Role::First, &[1]).is_none() && game.deck.discard(Role::Second, &[0]).is_none());
    for (role, place) in [(Role::First, 0), (Role::Second, 1)] {
        game.deck.discard(role, &[place]).unwrap();
        assert!(game.deck.discard(role, &[place]).is_none(), "once and for all");
        assert_eq!(game.deck.state(place), Some(State::Aside));
    }
    assert!(game.deck.reveal_first(&game.alice, &[0]).is_none() && game.deck.reveal_second(&game.bob, &[1]).is_none());
    assert!(!game.deck.is_revealed(&[0], &own) && !game.deck.is_revealed(&[1], &theirs));
    assert!(game.deck.discard(Role::First, &[9]).is_none());
}

#[test]
fn every_message_has_one_encoding() {
    fn one<T: Encode + Decode>(value: &T, shape: &T::Shape) {
        let bytes = value.to_bytes();
        let again = T::from_bytes(&bytes, shape).expect("what was encoded");
        assert_eq!(again.to_bytes(), bytes);
        assert!(T::from_bytes(&bytes[..bytes.len() - 1], shape).is_err(), "one byte less");
        assert!(T::from_bytes(&[&bytes[..], &[0]].concat(), shape).is_err(), "one byte more");
    }
    let (keys, first) = shuffle_first(&context(0), 3, 2, &mut rng(1));
    let (secrets, second) = shuffle_second(&context(1), &first.0[0], 2, &mut rng(1)).unwrap();
    one(&first, &(2, 3));
    one(&second, &(2, 3));
    one(&first.0[0], &3);
    one(&second.0[0], &3);
    one(&open_first(&keys, 1).unwrap(), &1);
    one(&open_second(&secrets, 1).unwrap(), &(1, 3));
    assert_eq!(secrets[0].to_bytes().len(), SecondSecret::bytes(3));
    let mut game = shuffled_with(1, 2);
    game.deck.assign(&[0], State::For(Role::First)).unwrap();
    game.deck.assign(&[1], State::For(Role::Second)).unwrap();
    one(&game.draw(&[0], &[1]), &(1, 1));
    one(&game.draw(&[0], &[]), &(1, 0));
    one(&game.deck.answer(&game.bob, &[0]).unwrap(), &1);
    let (mut shown, places) = (shuffled_with(2, 2), [0, 1]);
    let _ = (shown.alice_draws(0), shown.bob_draws(1));
    one(&Revealed::First(shown.deck.reveal_first(&shown.alice, &places[..1]).unwrap()), &(Role::First, 1));
    one(&shown.deck.reveal_second(&shown.bob, &places[1..]).unwrap(), &(Role::Second, 1));
    // Shapes that nobody may ask for.
    let none = |result: bool| assert!(!result);
    none(FirstDeck::from_bytes(&[], &0).is_ok() || FirstDeck::from_bytes(&vec![0; 32 + 25_700], &257).is_ok());
    none(Offered::<FirstDeck>::from_bytes(&first.0[0].to_bytes(), &(1, 3)).is_ok());
    none(Offered::<FirstDeck>::from_bytes(&[], &(65, 3)).is_ok());
    none(FirstOpening::from_bytes(&[], &0).is_ok() || SecondOpening::from_bytes(&[], &(0, 3)).is_ok());
    // An order that is none.
    let mut bytes = secrets[0].to_bytes();
    for order in [[0, 1, 3], [0, 1, 1], [2, 2, 2]] {
        bytes[32..35].copy_from_slice(&order);
        none(SecondSecret::from_bytes(&bytes, &3).is_ok());
    }
    bytes[32..35].copy_from_slice(&[2, 0, 1]);
    assert!(SecondSecret::from_bytes(&bytes, &3).is_ok());
    bytes[..32].fill(0);
    none(SecondSecret::from_bytes(&bytes, &3).is_ok());
}

/// A machine that was put back to an earlier moment (S-8): decks of another place of the log, a shuffle of another deck and a choice
/// between other decks are drawn anew. Secrets that were opened would be known, and a choice known in advance lets a cheat through.
#[test]
fn a_repeated_generator_repeats_no_deck_and_no_choice() {
    const FEW: usize = 3;
    let restored = || rng(99);
    let elsewhere = Context { head: Head([6; 32]), ..context(0) };
    let first = |context: &Context| shuffle_first(context, FEW, 4, &mut restored()).1;
    assert!(first(&context(0)) == first(&context(0)));
    assert!(first(&context(0)).0[0] != first(&elsewhere).0[0], "the secrets of one deck are those of another");
    let (mut seconds, mut firsts, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..24 {
        let (_, offered) = shuffle_first(&context(0), FEW, 4, &mut rng(seed));
        seconds.push(choose(&context(1), &offered, &mut restored()));
        let (secrets, second) = shuffle_second(&context(1), &offered.0[0], 4, &mut restored()).unwrap();
        made.push(secrets[0].nonces.clone());
        firsts.push(choose(&context(0), &second, &mut restored()));
    }
    assert!(made[1..].iter().all(|other| *other != made[0]), "the secrets of one shuffle are those of another");
    for choices in [seconds, firsts] {
        assert!(choices.iter().any(|choice| *choice != choices[0]), "one choice, whatever there is to choose from");
    }
}
