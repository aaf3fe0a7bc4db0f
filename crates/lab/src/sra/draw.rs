//! The protocol itself, as the classic grade of poker plays it: two cuts and chooses, a card for each player, and a card shown.

use outis_crypto::batch::Batch;
use outis_crypto::challenger::{Challenger, Nonces};
use outis_crypto::sra::classic::{self, Deck, Revealed, Role, State, Where};

use super::{ALICE, BOB, PARTIES, context};
use crate::Version;
use crate::run::{Outcome, Run, number};

const CARDS: usize = 52;
const DECKS: usize = 4;
/// Places of the deck: Bob's card and Alice's.
const FOR_BOB: usize = 0;
const FOR_ALICE: usize = 1;

pub fn draw(_: Version, source: &mut Nonces) -> Run {
    let mut run = Run::new("sra-draw", PARTIES);
    let finished = dealt(&mut run, source).is_some();
    debug_assert!(finished, "honest players finish");
    run.ends(if finished { Outcome::Done } else { Outcome::Broken })
}

fn dealt(run: &mut Run, source: &mut Nonces) -> Option<()> {
    let at = Where::of(&context(ALICE, 0));
    let (firsts, offered) = classic::shuffle_first(&context(ALICE, 0), CARDS, DECKS, source);
    run.sends(ALICE, BOB, "decks")
        .with("n", number(DECKS))
        .with("cards", number(CARDS))
        .shows("first-deck", &offered.0[0])
        .learns(BOB, "decks-bob");
    let kept = classic::choose(&context(BOB, 1), &offered, source);
    run.sends(BOB, ALICE, "choose").with("kept", number(kept + 1));
    let opening = classic::open_first(&firsts, kept)?;
    offered.is_opened(&at, kept, &opening).then_some(())?;
    run.sends(ALICE, BOB, "open").shows("opening", &opening).learns_text(BOB, "open-bob", vec![("n", number(DECKS))]);
    let (first, secret) = (offered.kept(kept)?, firsts.get(kept)?);

    let (seconds, offered) = classic::shuffle_second(&context(BOB, 2), &first, DECKS, source)?;
    run.sends(BOB, ALICE, "second")
        .with("n", number(DECKS))
        .shows("second-deck", &offered.0[0])
        .learns(ALICE, "second-alice");
    let kept = classic::choose(&context(ALICE, 3), &offered, source);
    run.sends(ALICE, BOB, "choose-second").with("kept", number(kept + 1));
    let opening = classic::open_second(&seconds, kept)?;
    offered.is_opened(&at, &first, kept, &opening).then_some(())?;
    run.sends(BOB, ALICE, "open-second").learns(ALICE, "open-second-alice");
    let (second, bob) = (offered.kept(kept)?, seconds.get(kept)?);

    let mut deck = Deck::new(at, first, second)?;
    deck.assign(&[FOR_BOB], State::For(Role::Second))?;
    deck.assign(&[FOR_ALICE], State::For(Role::First))?;
    let drawn = deck.draw(secret, &[FOR_ALICE], &[FOR_BOB], &mut Challenger::new(&context(ALICE, 4)), source)?;
    let mut batch = Batch::new();
    let pending = deck.accept_draw(&[FOR_BOB], &drawn, &mut Challenger::new(&context(ALICE, 4)), &mut batch).ok()?;
    let accepted = batch.settle().ok()?.release(pending)?;
    deck.deal(accepted)?;
    let card = deck.look_second(bob, FOR_BOB)?;
    run.sends(ALICE, BOB, "deal")
        .shows("draw", &drawn)
        .learns_text(BOB, "deal-bob", vec![("card", number(card as usize))])
        .overheard("deal-all");

    let answer = deck.answer(bob, &[FOR_ALICE])?;
    let links = deck.links(&answer)?;
    deck.is_answer(&[FOR_ALICE], &answer, &links).then_some(())?;
    deck.link(&[FOR_ALICE], &links)?;
    let card = deck.look_first(secret, FOR_ALICE)?;
    run.sends(BOB, ALICE, "answer")
        .shows("answer", &answer)
        .learns_text(ALICE, "answer-alice", vec![("card", number(card as usize))])
        .learns(BOB, "answer-bob");

    let shown = deck.reveal_second(bob, &[FOR_BOB])?;
    deck.is_revealed(&[FOR_BOB], &shown).then_some(())?;
    let Revealed::Second(cards) = &shown else { return None };
    let card = cards.first()?.1.card();
    run.sends(BOB, ALICE, "show").shows("shown", &shown).learns_text(
        ALICE,
        "show-alice",
        vec![("card", number(card as usize))],
    );
    Some(())
}
