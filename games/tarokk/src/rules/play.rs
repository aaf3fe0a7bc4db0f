//! Playing cards: TK-55, TK-56.

use super::cards::Card;
use super::cardset::CardSet;
use super::illegal::Illegal;

/// Whether a card may be played from a hand to a trick in progress, or led if there is no led card.
///
/// `keep_pagat`: the side of this player has announced pagát ultimo. Then the pagát is played, and also led, only when
/// following suit and playing tarokk leave no other card.
pub fn check_play(hand: CardSet, led: Option<Card>, keep_pagat: bool, card: Card) -> Result<(), Illegal> {
    if !hand.contains(card) {
        return Err(Illegal::NotInHand(card));
    }
    let fitting = fitting(hand, led);
    if !fitting.contains(card) {
        let suit = led.and_then(Card::suit).map(|suit| hand.of(suit));
        return Err(if suit.is_some_and(|cards| !cards.is_empty()) {
            Illegal::FollowSuit
        } else {
            Illegal::PlayTarokk
        });
    }
    if keep_pagat && card == Card::PAGAT && fitting.len() > 1 {
        return Err(Illegal::KeepPagat);
    }
    Ok(())
}

/// The cards that may be played.
pub fn playable(hand: CardSet, led: Option<Card>, keep_pagat: bool) -> CardSet {
    let mut cards = fitting(hand, led);
    if keep_pagat && cards.len() > 1 {
        cards.remove(Card::PAGAT);
    }
    cards
}

/// Suit to suit and tarokk to tarokk; without the suit, a tarokk; without both, anything (TK-55).
fn fitting(hand: CardSet, led: Option<Card>) -> CardSet {
    let Some(led) = led else { return hand };
    let same = led.suit().map_or(CardSet::EMPTY, |suit| hand.of(suit));
    let tarokks = hand.tarokks();
    [same, tarokks].into_iter().find(|cards| !cards.is_empty()).unwrap_or(hand)
}

/// Which card of a trick wins: the highest tarokk, else the highest card of the suit that was led (TK-55). Zero for no card.
pub fn winner(trick: &[Card]) -> usize {
    let Some(led) = trick.first() else { return 0 };
    let strength = |card: &Card| match card.suit() {
        None => 100 + card.number(),
        suit if suit == led.suit() => 1 + card.number(),
        _ => 0,
    };
    (0..trick.len()).max_by_key(|at| strength(&trick[*at])).unwrap_or(0)
}
