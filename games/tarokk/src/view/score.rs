//! The score of a deal, line by line, with the reason for every line.

use outis_game::words::Text;
use serde_json::{Value, json};

use super::text::{bid, card, figure, msg, seat, side, signed};
use crate::rules::announce::Announcement;
use crate::rules::discard::AnnulmentReason;
use crate::rules::figures::{Figure, Side};
use crate::rules::seats::{Player, Seating};
use crate::rules::settle::{Count, Item, What};
use crate::rules::state::{DealResult, Outcome, Played};

/// One line of the account with what it came from.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    item: &'a Item,
    kontra: u8,
    /// The announcement that it settles.
    announced: Option<&'a Announcement>,
    played: &'a Played,
}

/// The lines of an account. Announced figures come first, in the order in which they were announced.
pub fn items<'a>(played: &'a Played) -> Vec<Line<'a>> {
    let mut announcements = played.announcing.announcements().iter();
    let line = |item: &'a Item| {
        let announced = match item {
            Item { what: What::Figure { announced: true, .. }, .. } => announcements.next(),
            _ => None,
        };
        let kontra = match item.what {
            What::Game => played.announcing.game_kontra(),
            What::Figure { .. } => announced.map_or(0, |a| a.kontra),
        };
        Line { item, kontra, announced, played }
    };
    played.items.iter().map(line).collect()
}

impl Line<'_> {
    /// For the page.
    pub fn to_json(&self) -> Value {
        let (what, announced) = match self.item.what {
            What::Game => ("game", false),
            What::Figure { figure, announced } => (figure.name(), announced),
        };
        json!({ "what": what, "announced": announced, "side": self.item.side.name(), "points": self.item.points,
                "kontra": self.kontra, "text": self.text().to_json() })
    }

    /// In words.
    pub fn text(&self) -> Text {
        let item = self.item;
        let text = match (item.what, self.announced) {
            (What::Game, _) => {
                let points = i64::from(self.played.facts.points[Side::Declarer.index()]);
                msg("item.game").with("bid", bid(self.played.contract.bid)).with("have", points)
            }
            (What::Figure { figure: f, .. }, Some(a)) => {
                let id = if a.side == item.side { "item.made" } else { "item.lost" };
                msg(id).with("figure", figure(f)).with("by", side(a.side))
            }
            (What::Figure { figure: Figure::PagatUltimo, .. }, None)
                if self.played.facts.pagat_last.is_some_and(|(_, won)| !won) =>
            {
                msg("item.pagat_lost").with("by", side(item.side.other()))
            }
            (What::Figure { figure: f, .. }, None) => {
                msg("item.silent").with("figure", figure(f)).with("by", side(item.side))
            }
        };
        let pay = msg("item.pay").with("points", item.points).with("to", msg(&format!("side.to.{}", item.side.name())));
        let pay = match self.kontra {
            0 => pay,
            level => msg("item.pay_kontra").with("with", msg(&format!("kontra.with.{level}"))).with("pay", pay),
        };
        text.with("pay", pay)
    }
}

/// Eight or nine tarokks, for the page.
pub fn count_json(count: &Count, seating: Seating) -> Value {
    json!({ "seat": seating.seat(count.player), "tarokks": count.tarokks, "announced": count.announced,
            "text": count_text(count, seating).to_json() })
}

fn count_text(count: &Count, seating: Seating) -> Text {
    let points = if count.tarokks == 9 { 2 } else { 1 };
    let id = if count.announced { "item.count" } else { "item.count_late" };
    msg(id).with("who", seat(seating, count.player)).with("n", i64::from(count.tarokks)).with("points", points)
}

/// The whole account of a deal.
pub fn account(result: &DealResult) -> Vec<Text> {
    let seating = result.seating;
    let who = |player: Player| seat(seating, player);
    let mut texts = Vec::new();
    match &result.outcome {
        Outcome::ThrownIn => texts.push(msg("result.thrown_in")),
        Outcome::Annulled(by) => {
            for (player, reason) in Player::ALL.into_iter().zip(by) {
                let told = |reason: &AnnulmentReason| {
                    let why = msg(&format!("ground.{}", reason.name()));
                    msg("result.annulled").with("who", who(player)).with("why", why)
                };
                texts.extend(reason.as_ref().map(told));
            }
            texts.push(msg("result.double_round"));
        }
        Outcome::FailedTrial(declarer, what) => {
            let text = msg("result.failed_trial").with("who", who(*declarer)).with("bid", bid(*what));
            texts.push(text.with("points", what.value()));
        }
        Outcome::Played(played) => {
            let sides = played.sides;
            texts.push(match (sides.partner, played.announcing.called()) {
                (Some(partner), _) => {
                    msg("result.sides").with("declarer", who(sides.declarer)).with("partner", who(partner))
                }
                (None, Some(called)) => {
                    msg("result.alone").with("declarer", who(sides.declarer)).with("card", card(called))
                }
                (None, None) => msg("result.alone_plain").with("declarer", who(sides.declarer)),
            });
            let [declarer, opponents] = played.facts.points.map(i64::from);
            texts.push(msg("result.points").with("declarer", declarer).with("opponents", opponents));
            texts.extend(items(played).iter().map(Line::text));
            texts.extend(played.counts.iter().map(|count| count_text(count, seating)));
            if played.items.is_empty() && played.counts.is_empty() {
                texts.push(msg("result.nothing"));
            }
        }
    }
    if result.multiplier > 1 && result.outcome.is_paid() {
        texts.push(msg("result.factor").with("n", result.multiplier));
    }
    if result.outcome.is_paid() {
        let paid = (0u8..).zip(&result.payments).filter(|(seat, _)| seating.player(*seat).is_some());
        let paid: Vec<Text> = paid.map(|(seat, points)| score(seat, *points)).collect();
        texts.push(msg("result.payments").with("list", paid));
    }
    texts
}

/// A seat and its points.
pub fn score(seat: u8, points: i64) -> Text {
    msg("score").with("who", outis_table::Seat(seat)).with("points", signed(points))
}
