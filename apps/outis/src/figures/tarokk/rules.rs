//! Chapter 7: the rules of play, computed with ours.

use std::collections::BTreeSet;

use outis_tarokk::rules::announce::Announcement;
use outis_tarokk::rules::auction::Bid;
use outis_tarokk::rules::cards::Card;
use outis_tarokk::rules::cardset::CardSet;
use outis_tarokk::rules::deal::{Dealt, Deck};
use outis_tarokk::rules::ending::Ending;
use outis_tarokk::rules::facts::{Facts, Sides};
use outis_tarokk::rules::figures::{Figure, MORDKONTRA, Side};
use outis_tarokk::rules::rounds::DoubleRounds;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::settle::{Account, payments};

use crate::figures::found::Found;
use crate::figures::n;

/// The declarer with a partner, against two opponents.
pub const SIDES: Sides = Sides { declarer: Player::FIRST, partner: Some(Player::ALL[1]) };

/// A deal from the unshuffled deck.
pub fn dealt() -> Dealt {
    Deck::new(Card::all()).expect("the whole pack").deal()
}

/// The talon and the hands of that deal, as the lengths of their runs of consecutive cards.
pub fn runs() -> Vec<Vec<i64>> {
    let runs = |cards: &mut dyn Iterator<Item = Card>| {
        let mut runs: Vec<(u8, i64)> = Vec::new();
        for card in cards {
            match runs.last_mut() {
                Some((next, length)) if *next == card.number() => (*next, *length) = (*next + 1, *length + 1),
                _ => runs.push((card.number() + 1, 1)),
            }
        }
        runs.into_iter().map(|(_, length)| length).collect()
    };
    let Dealt { talon, hands } = dealt();
    let mut all: Vec<Vec<i64>> = vec![runs(&mut talon.into_iter())];
    all.extend(hands.map(|hand| runs(&mut hand.iter())));
    all
}

/// The distinct point values of the chosen cards, ascending.
pub fn points_of(keep: impl Fn(Card) -> bool) -> Vec<i64> {
    let points: BTreeSet<i64> = CardSet::ALL.filter(keep).iter().map(|card| n(card.points())).collect();
    points.into_iter().collect()
}

/// The number of deals played after *skíz oszt, nem oszt*, if the first has this seating and `holder` always has the
/// skíz.
pub fn ending(mut seating: Seating, holder: u8) -> i64 {
    let (mut ending, mut deals) = (Ending::Said.before_deal(), 0);
    while ending != Ending::Over {
        ending = ending.after_deal(seating, Some(holder));
        (seating, deals) = (seating.next(), deals + 1);
    }
    deals
}

/// The fewest and the most such deals, over all players who may hold the skíz.
pub fn endings(seats: u8) -> [i64; 2] {
    let seating = Seating::new(seats, 0).expect("a table");
    let deals: BTreeSet<i64> = Player::ALL.into_iter().map(|player| ending(seating, seating.seat(player))).collect();
    [deals.first(), deals.last()].map(|deals| *deals.expect("four players"))
}

/// The number of paid deals that count double after a deal is thrown in.
pub fn double_round(seats: u8) -> i64 {
    let mut rounds = DoubleRounds::default();
    rounds.open(seats);
    let mut deals = 0;
    while rounds.multiplier() > 1 {
        rounds.pass();
        deals += 1;
    }
    deals
}

/// The distinct values of a bonus over all bids, silent ones before announced ones: two numbers if they do not depend
/// on the bid.
pub fn pays(figure: Figure) -> Vec<i64> {
    over_bids(|bid| figure.silent(bid), |bid| figure.announced(bid))
}

/// The same, divided by the value of the bid.
pub fn times(figure: Figure) -> Vec<i64> {
    over_bids(|bid| figure.silent(bid) / bid.value(), |bid| figure.announced(bid) / bid.value())
}

fn over_bids(silent: impl Fn(Bid) -> i64, announced: impl Fn(Bid) -> i64) -> Vec<i64> {
    let silent: BTreeSet<i64> = Bid::ALL.into_iter().map(silent).collect();
    let announced: BTreeSet<i64> = Bid::ALL.into_iter().map(announced).collect();
    silent.into_iter().chain(announced).collect()
}

/// A deal in which no side makes a bonus, with these points for the declarer's side.
pub fn facts(points: u8) -> Facts {
    use Side::{Declarer, Opponents};
    Facts {
        points: [points, CardSet::ALL.points() - points],
        tricks: [5, 4],
        honours: [Declarer, Opponents, Declarer],
        kings: [Declarer, Opponents, Declarer, Opponents],
        pagat_last: None,
        xxi_caught_by: None,
    }
}

pub fn said_by(figure: Figure, side: Side, kontra: u8) -> Announcement {
    Announcement { figure, side, kontra }
}

/// What a player of the declarer's side receives from one opponent.
pub fn net(bid: Bid, game_kontra: u8, announcements: &[Announcement], facts: Facts) -> i64 {
    let items = Account { bid, game_kontra, announcements, facts }.items();
    payments(&items, SIDES)[0]
}

/// The fewest points with which the declarer's side wins.
pub fn wins_from() -> i64 {
    (0..=CardSet::ALL.points()).find(|points| facts(*points).winner() == Side::Declarer).map_or(0, n)
}

/// Both sides announce four kings, and one announcement gets a kontra.
pub fn both_sides(theirs: &str) -> Found {
    let said = [said_by(Figure::FourKings, Side::Declarer, 1), said_by(Figure::FourKings, Side::Opponents, 0)];
    let plain = net(Bid::Three, 0, &[], facts(50));
    let gains = |facts: Facts| net(Bid::Three, 0, &said, facts) - plain;
    let made_by = |side: Side| gains(Facts { kings: [side; 4], ..facts(50) });
    let [own, others, nobody] = [made_by(Side::Declarer), -made_by(Side::Opponents), -gains(facts(50))];
    Found::numbers(theirs, &[own, nobody]).and(own == others)
}

/// The declarer's side has all honours and kings, with all tricks or all but one.
pub fn give_up_a_trick(theirs: &str) -> Found {
    let taken = |tricks: u8| Facts {
        tricks: [tricks, 9 - tricks],
        honours: [Side::Declarer; 3],
        kings: [Side::Declarer; 4],
        ..facts(CardSet::ALL.points() - 4)
    };
    let account = Account { bid: Bid::Three, game_kontra: 0, announcements: &[], facts: taken(8) };
    let parts = account.items().iter().map(|item| item.points).collect::<Vec<_>>();
    let worth = |tricks: u8| net(Bid::Three, 0, &[], taken(tricks));
    Found::numbers(theirs, &[vec![worth(8)], parts, vec![worth(9)]].concat())
}

/// The distinct sums of all players' gains and losses, in accounts of every bid, kontra and number of points, with a
/// partner and alone.
pub fn sums() -> BTreeSet<i64> {
    every_account().collect()
}

pub fn accounts() -> usize {
    every_account().count()
}

fn every_account() -> impl Iterator<Item = i64> {
    let sides = [SIDES, Sides { partner: None, ..SIDES }];
    let points = 0..=CardSet::ALL.points();
    let cases = Bid::ALL.into_iter().flat_map(move |bid| points.clone().map(move |points| (bid, points)));
    let cases = cases.flat_map(|(bid, points)| (0..=MORDKONTRA).map(move |kontra| (bid, points, kontra)));
    cases.flat_map(move |(bid, points, game_kontra)| {
        let items = Account { bid, game_kontra, announcements: &[], facts: facts(points) }.items();
        sides.map(|sides| payments(&items, sides).iter().sum::<i64>())
    })
}
