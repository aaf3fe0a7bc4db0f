//! Discarding (*skartolás*) and annulling a deal: TK-47, TK-49.

use super::cards::Card;
use super::cardset::CardSet;
use super::illegal::Illegal;

/// Whether these cards may be discarded from a hand that has just taken as many from the talon (TK-47): no king, no honour,
/// not the card that this player signalled.
pub fn check_discard(hand: CardSet, due: usize, discard: CardSet, signalled: Option<Card>) -> Result<(), Illegal> {
    if discard.len() != due {
        return Err(Illegal::DiscardCount { due, got: discard.len() });
    }
    if let Some(card) = discard.without(hand).iter().next() {
        return Err(Illegal::NotInHand(card));
    }
    discard.iter().try_for_each(|card| match card {
        _ if card.is_king() || card.is_honour() => Err(Illegal::DiscardFive(card)),
        _ if Some(card) == signalled => Err(Illegal::DiscardSignalled(card)),
        _ => Ok(()),
    })
}

/// All discards that are allowed.
pub fn discards(hand: CardSet, due: usize, signalled: Option<Card>) -> Vec<CardSet> {
    let free = hand.filter(|card| !card.is_king() && !card.is_honour() && Some(card) != signalled);
    let mut sets = vec![CardSet::EMPTY];
    for _ in 0..due {
        let mut larger = Vec::new();
        for set in sets {
            // Cards are added in rising order, so that every set is made once.
            let highest = set.iter().last();
            for card in free.iter().filter(|card| highest.is_none_or(|highest| *card > highest)) {
                larger.push(set.union(CardSet::from([card])));
            }
        }
        sets = larger;
    }
    sets
}

/// The hands with which a deal may be annulled (TK-49).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnulmentReason {
    /// All four kings.
    FourKings,
    /// The XXI as the only tarokk.
    OnlyXxi,
    /// The pagát as the only tarokk.
    OnlyPagat,
    /// Nine coloured cards.
    NoTarokk,
    /// The XXI and the pagát with seven coloured cards.
    XxiAndPagat,
}

impl AnnulmentReason {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::FourKings, Self::OnlyXxi, Self::OnlyPagat, Self::NoTarokk, Self::XxiAndPagat];

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::FourKings => "four_kings",
            Self::OnlyXxi => "only_xxi",
            Self::OnlyPagat => "only_pagat",
            Self::NoTarokk => "no_tarokk",
            Self::XxiAndPagat => "xxi_and_pagat",
        }
    }

    /// The reason as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::FourKings => "the hand holds all four kings",
            Self::OnlyXxi => "the XXI is the only tarokk in the hand",
            Self::OnlyPagat => "the pagát is the only tarokk in the hand",
            Self::NoTarokk => "the hand holds nine coloured cards",
            Self::XxiAndPagat => "the XXI and the pagát are the only tarokks in the hand",
        }
    }
}

/// Whether a player may annul the deal after the exchange (TK-49). With a tarokk in its own discard only four kings count.
pub fn annulment(hand: CardSet, own_discard: CardSet) -> Result<AnnulmentReason, Illegal> {
    if hand.iter().filter(|card| card.is_king()).count() == 4 {
        return Ok(AnnulmentReason::FourKings);
    }
    let tarokks = hand.tarokks();
    let reason = if tarokks.is_empty() {
        AnnulmentReason::NoTarokk
    } else if tarokks == CardSet::from([Card::XXI]) {
        AnnulmentReason::OnlyXxi
    } else if tarokks == CardSet::from([Card::PAGAT]) {
        AnnulmentReason::OnlyPagat
    } else if tarokks == CardSet::from([Card::XXI, Card::PAGAT]) {
        AnnulmentReason::XxiAndPagat
    } else {
        return Err(Illegal::NoGround);
    };
    if own_discard.tarokks().is_empty() { Ok(reason) } else { Err(Illegal::AnnulAfterTarokk) }
}
