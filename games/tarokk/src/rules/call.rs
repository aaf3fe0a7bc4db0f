//! Calling a partner (*partnerhívás*): TK-50.

use super::cards::Card;
use super::cardset::CardSet;
use super::illegal::Illegal;

/// Whether the declarer may call a tarokk. `laid_by_others` is the number of tarokks that the other three discarded,
/// `obliged` what the auction demands.
///
/// The XX must be called, with three exceptions: a player who holds it may call the highest tarokk below it that is not in hand, or
/// its own XX and play alone; if one of the others discarded a tarokk, any tarokk but the honours may be called; an
/// accepted invit or a yielded game fixes the call.
pub fn check_call(hand: CardSet, laid_by_others: usize, obliged: Option<Card>, called: Card) -> Result<(), Illegal> {
    if !called.is_tarokk() || called.is_honour() {
        return Err(Illegal::CallKind);
    }
    if let Some(card) = obliged {
        return if called == card { Ok(()) } else { Err(Illegal::CallObliged(card)) };
    }
    if called == Card::XX || laid_by_others > 0 {
        return Ok(());
    }
    if !hand.contains(Card::XX) {
        return Err(Illegal::CallTwenty);
    }
    match ordinary().rev().find(|card| !hand.contains(*card)) {
        Some(highest) if highest == called => Ok(()),
        Some(highest) => Err(Illegal::CallHighest(highest)),
        None => Err(Illegal::CallOwn),
    }
}

/// All tarokks that the declarer may call.
pub fn calls(hand: CardSet, laid_by_others: usize, obliged: Option<Card>) -> Vec<Card> {
    ordinary().filter(|card| check_call(hand, laid_by_others, obliged, *card).is_ok()).collect()
}

/// The tarokks II to XX.
fn ordinary() -> impl DoubleEndedIterator<Item = Card> {
    Card::all().filter(|card| card.is_tarokk() && !card.is_honour())
}
