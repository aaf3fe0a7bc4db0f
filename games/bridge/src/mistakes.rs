//! People make mistakes (BR-31): a simulation of two dealers who do, and of the checks that find them (BR-15 to BR-20).

use rand_core::CryptoRng;

use crate::card::{Card, Hand, Seat};
use crate::deal::Deal;
use crate::draw::{below, shuffle};
use crate::repair::{Finding, diagnose};
use crate::sheet::{Scheme, Sheets};

/// A mistake, and how often it happens per thousand boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// The pack was sorted in a wrong order of suits.
    pub suit_order: u32,
    /// A number of the first or second sheet was skipped.
    pub skipped: u32,
    /// Two cards were dealt as one.
    pub stuck: u32,
    /// Two piles were stacked in the wrong order.
    pub stacked: u32,
    /// A card was dealt to a wrong pile in the second deal.
    pub misdealt: u32,
}

impl Default for Rates {
    /// About the paper's best night: four boards of 24 went wrong (F12: its text gives 9, 6 and 4 of about 24, which is
    /// 37 %, 25 % and 17 %, and concludes 15 to 20 %).
    fn default() -> Self {
        Self { suit_order: 30, skipped: 40, stuck: 40, stacked: 20, misdealt: 40 }
    }
}

/// How many boards ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Boards dealt.
    pub boards: u32,
    /// As recorded.
    pub right: u32,
    /// Found by counting the hands, before anyone looks at a card.
    pub counts: u32,
    /// Hands in wrong pockets; repaired without looking.
    pub moved: u32,
    /// Suits exchanged; the record is repaired.
    pub suits: u32,
    /// A few cards; found by curtain cards, a non-player, or after play.
    pub cards: u32,
    /// Everything differs; the record is invalid.
    pub invalid: u32,
}

/// Deals this many boards with mistakes and looks what can be said about each.
pub fn simulate(boards: u32, rates: Rates, scheme: Scheme, rng: &mut (impl CryptoRng + ?Sized)) -> Outcome {
    let mut outcome = Outcome { boards, ..Outcome::default() };
    for _ in 0..boards {
        let target = Deal::random(rng);
        let sheets = Sheets::draw(&target, scheme, rng);
        let found = deal_with_mistakes(&sheets, rates, rng);
        let counter = match diagnose(&target, &found) {
            Finding::Right => &mut outcome.right,
            Finding::Counts(_) => &mut outcome.counts,
            Finding::HandsMoved(_) => &mut outcome.moved,
            Finding::SuitsRenamed(_) => &mut outcome.suits,
            Finding::Cards(_) => &mut outcome.cards,
            // Nothing is left to look at.
            Finding::Different(_) | Finding::Look(_) => &mut outcome.invalid,
        };
        *counter += 1;
    }
    outcome
}

/// The hands that people get who follow the sheets with mistakes.
pub fn deal_with_mistakes(sheets: &Sheets, rates: Rates, rng: &mut (impl CryptoRng + ?Sized)) -> [Hand; 4] {
    let mut happens = |rate: u32| below(1000, rng) < rate;
    let (wrong_order, skipped, stuck) = (happens(rates.suit_order), happens(rates.skipped), happens(rates.stuck));
    let (stacked, misdealt) = (happens(rates.stacked), happens(rates.misdealt));
    let mut order = sheets.suit_order();
    if wrong_order {
        shuffle(&mut order, rng);
    }
    let pack: Vec<Card> = order.iter().flat_map(|suit| Card::all().filter(move |c| c.suit() == *suit)).collect();
    let mut first = sheets.first().to_vec();
    let mut second = sheets.second().to_vec();
    if skipped {
        let sheet = if below(2, rng) == 0 { &mut first } else { &mut second };
        sheet.remove(below(52, rng) as usize);
    }
    if stuck {
        // Two cards on one number: the number counts twice, and one is left over at the end.
        let sheet = if below(2, rng) == 0 { &mut first } else { &mut second };
        let at = below(sheet.len() as u32, rng) as usize;
        sheet.insert(at, sheet[at]);
    }
    if misdealt {
        let at = below(second.len() as u32, rng) as usize;
        second[at] = second[at] % 4 + 1;
    }
    let mut piles: [Vec<Card>; 4] = Default::default();
    for (i, card) in pack.into_iter().enumerate() {
        // Cards left over go on the last pile.
        piles[usize::from(first.get(i).copied().unwrap_or(4)) - 1].push(card);
    }
    if stacked {
        let i = below(3, rng) as usize;
        piles.swap(i, i + 1);
    }
    let stack: Vec<Card> = piles.iter().flat_map(|pile| pile.iter().rev().copied()).collect();
    let pockets = sheets.extra().unwrap_or(Seat::ALL);
    let mut hands = [Hand::default(); 4];
    for (i, card) in stack.into_iter().enumerate() {
        let number = usize::from(second.get(i).copied().unwrap_or(4)) - 1;
        hands[pockets[number].index()].insert(card);
    }
    hands
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;

    #[test]
    fn each_mistake_is_found_as_what_it_is() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let none = Rates { suit_order: 0, skipped: 0, stuck: 0, stacked: 0, misdealt: 0 };
        let mut run = |rates| simulate(200, rates, Scheme::EXTRA, &mut rng);
        assert_eq!(run(none).right, 200);
        let order = run(Rates { suit_order: 1000, ..none });
        // One order of 24 is the right one by chance.
        assert_eq!(order.right + order.suits, 200);
        assert!(order.suits > 170);
        assert_eq!(run(Rates { misdealt: 1000, ..none }).counts, 200);
        let stacked = run(Rates { stacked: 1000, ..none });
        assert!(stacked.invalid > 190, "{stacked:?}");
        let skipped = run(Rates { skipped: 1000, ..none });
        assert!(skipped.right < 40 && skipped.counts + skipped.invalid + skipped.cards > 160, "{skipped:?}");
        assert_eq!(run(Rates::default()).boards, 200);
    }
}
