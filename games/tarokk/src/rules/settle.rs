//! The settlement (*elszámolás*): TK-58 to TK-62.

use super::announce::Announcement;
use super::auction::Bid;
use super::facts::{Facts, Sides};
use super::figures::{Figure, Side, with_kontra};
use super::seats::Player;

/// What a payment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The plain game.
    Game,
    /// A figure, silent or announced.
    Figure {
        /// Which.
        figure: Figure,
        /// Whether it was announced.
        announced: bool,
    },
}

/// One line of the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// What for.
    pub what: What,
    /// The side that gets it.
    pub side: Side,
    /// How much, from each player of the other side or to each; before the factor of a double round.
    pub points: i64,
}

/// Eight or nine tarokks of a player (TK-53).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Whose.
    pub player: Player,
    /// 8 or 9.
    pub tarokks: u8,
    /// Announced, or claimed after play.
    pub announced: bool,
}

/// Everything that is settled after a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account<'a> {
    /// The winning bid.
    pub bid: Bid,
    /// The level of kontra of the game.
    pub game_kontra: u8,
    /// The announced figures.
    pub announcements: &'a [Announcement],
    /// What happened.
    pub facts: Facts,
}

impl Account<'_> {
    /// The lines of the account.
    pub fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for a in self.announcements {
            let side = if self.facts.made(a.side, a.figure) { a.side } else { a.side.other() };
            let points = with_kontra(a.figure.announced(self.bid), a.kontra);
            items.push(Item { what: What::Figure { figure: a.figure, announced: true }, side, points });
        }
        self.game(&mut items);
        let volat = Side::BOTH.into_iter().any(|side| self.facts.made(side, Figure::Volat));
        for side in Side::BOTH {
            for figure in [Figure::Trull, Figure::FourKings] {
                // TK-62: nothing silent for trull and four kings beside a volát.
                if !volat && self.is_silently_made(side, figure) {
                    items.push(self.silent(figure, side));
                }
            }
            if self.is_silently_made(side, Figure::XxiCatch) {
                items.push(self.silent(Figure::XxiCatch, side));
            }
        }
        // TK-51: a pagát that is played to the ninth trick and does not win it costs its side as much as it would bring, even
        // if the partner took it.
        if let Some((side, won)) = self.facts.pagat_last
            && !self.announced(side, Figure::PagatUltimo)
        {
            items.push(self.silent(Figure::PagatUltimo, if won { side } else { side.other() }));
        }
        items
    }

    /// Game, silent duplajáték and silent volát: the six rules of TK-60.
    fn game(&self, items: &mut Vec<Item>) {
        let winner = self.facts.winner();
        let double = self.announced(winner, Figure::Double);
        let volat = self.announced(winner, Figure::Volat);
        let made_double = self.facts.made(winner, Figure::Double);
        let made_volat = self.facts.made(winner, Figure::Volat);
        // Rules 5 and 6: a game with kontra is always paid. Rules 1 to 4: else it is paid to a winner who announced neither
        // duplajáték nor volát and made neither.
        let plain = !double && !volat && !made_double && !made_volat;
        if self.game_kontra > 0 || plain {
            let points = with_kontra(self.bid.value(), self.game_kontra);
            items.push(Item { what: What::Game, side: winner, points });
        }
        // A silent volát is paid instead of the game or on top of it, also beside its own announced duplajáték (rules 2, 5,
        // 6); a silent duplajáték only where nothing higher is paid and neither was announced.
        if made_volat && !volat {
            items.push(self.silent(Figure::Volat, winner));
        } else if made_double && !double && !volat {
            items.push(self.silent(Figure::Double, winner));
        }
    }

    fn announced(&self, side: Side, figure: Figure) -> bool {
        self.announcements.iter().any(|a| a.side == side && a.figure == figure)
    }

    fn is_silently_made(&self, side: Side, figure: Figure) -> bool {
        self.facts.made(side, figure) && !self.announced(side, figure)
    }

    fn silent(&self, figure: Figure, side: Side) -> Item {
        Item { what: What::Figure { figure, announced: false }, side, points: figure.silent(self.bid) }
    }
}

/// What a line is worth to the declarer's side.
fn to_declarer(item: &Item) -> i64 {
    if item.side == Side::Declarer { item.points } else { -item.points }
}

/// What everyone wins or loses by the lines of the account (TK-58): two against two, every loser pays one winner; one against
/// three, the declarer gets or pays three times.
pub fn payments(items: &[Item], sides: Sides) -> [i64; 4] {
    let sum: i64 = items.iter().map(to_declarer).sum();
    Player::ALL.map(|player| match (sides.of(player), sides.partner) {
        (Side::Opponents, _) => -sum,
        (Side::Declarer, Some(_)) => sum,
        (Side::Declarer, None) => 3 * sum,
    })
}

/// What everyone wins or loses by numbers of tarokks (TK-53): 1 for eight and 2 for nine, from all three if announced, from
/// each partner if claimed after play.
pub fn count_payments(counts: &[Count], sides: Sides) -> [i64; 4] {
    let mut payments = [0; 4];
    for count in counts {
        let points = if count.tarokks == 9 { 2 } else { 1 };
        for payer in Player::ALL.into_iter().filter(|payer| *payer != count.player) {
            if count.announced || sides.of(payer) == sides.of(count.player) {
                payments[payer.index()] -= points;
                payments[count.player.index()] += points;
            }
        }
    }
    payments
}

/// A trial bid without an honour that found none in the talon (TK-43): the bidder pays the game to each of the others.
pub fn failed_trial(declarer: Player, bid: Bid) -> [i64; 4] {
    let lost = Item { what: What::Game, side: Side::Opponents, points: bid.value() };
    payments(&[lost], Sides { declarer, partner: None })
}
