//! PBN 2.1.

use super::BadFile;
use crate::card::{Card, Hand, Seat, Suit, parse_rank};
use crate::deal::Deal;

/// Reads the text of a `Deal` tag: `N:AKQ.… … … …`. The column of an error counts from the start of the text.
pub fn parse_deal(text: &str) -> Result<Deal, BadFile> {
    let bad = |column: usize, reason: String| BadFile::new(1, column, reason);
    let mut chars = text.chars().enumerate().skip_while(|(_, c)| c.is_whitespace());
    let (at, first) = chars.next().ok_or_else(|| bad(1, "there is no deal".into()))?;
    let first = Seat::parse(first).ok_or_else(|| bad(at + 1, "a deal starts with N:, E:, S: or W:".into()))?;
    match chars.next() {
        Some((_, ':')) => {}
        _ => return Err(bad(at + 2, "a colon is missing after the first seat".into())),
    }
    let mut hands = [Hand::default(); 4];
    let mut seen = Hand::default();
    let (mut seat, mut suit) = (0, 0);
    let mut hidden = false;
    let mut started = false;
    let mut last = at + 2;
    for (i, c) in chars {
        last = i;
        if c.is_whitespace() {
            if started {
                if !hidden && suit != 3 {
                    return Err(bad(i + 1, "a hand needs four holdings with dots between".into()));
                }
                (seat, suit, started) = (seat + 1, 0, false);
            }
            continue;
        }
        if seat > 3 {
            return Err(bad(i + 1, "there are more than four hands".into()));
        }
        started = true;
        if c == '-' {
            hidden = true;
        } else if c == '.' {
            suit += 1;
            if suit > 3 {
                return Err(bad(i + 1, "a hand has more than four holdings".into()));
            }
        } else {
            let rank = parse_rank(c).ok_or_else(|| bad(i + 1, format!("{c:?} is no rank")))?;
            let Some(card) = Card::new(Suit::ALL[suit], rank) else { continue };
            if !seen.insert(card) {
                return Err(bad(i + 1, format!("{card} is there twice")));
            }
            hands[first.plus(seat).index()].insert(card);
        }
    }
    if hidden {
        return Err(bad(last + 1, "a hand is not given; a complete deal is needed".into()));
    }
    if started && suit != 3 {
        return Err(bad(last + 1, "a hand needs four holdings with dots between".into()));
    }
    Deal::from_hands(hands).map_err(|e| bad(last + 1, e.to_string()))
}
