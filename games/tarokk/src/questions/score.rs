//! `settle` and `rounds`.

use serde_json::{Map, Value, json};

use super::read::At;
use crate::rules::announce::Announcement;
use crate::rules::cards::POINTS;
use crate::rules::facts::{Facts, HONOURS, Sides};
use crate::rules::figures::{Figure, MORDKONTRA, Side};
use crate::rules::rounds::DoubleRounds;
use crate::rules::seats::Player;
use crate::rules::settle::{Account, Count, Item, What, count_payments, failed_trial, payments};

/// The people at the table.
struct Names<'a> {
    active: [&'a str; 4],
    sitting_out: Option<&'a str>,
}

impl<'a> Names<'a> {
    fn read(input: &At<'a>) -> Result<Self, String> {
        let at = input.field("players")?;
        let mut names = at.list()?.iter().map(At::text).collect::<Result<Vec<_>, _>>()?;
        if (1..names.len()).any(|i| names[..i].contains(&names[i])) {
            return at.wrong("every name must be different");
        }
        let sitting_out = input.optional("sitting_out")?.map(|at| at.text()).transpose()?;
        if let Some(out) = sitting_out
            && names.len() == 5
        {
            names.retain(|name| *name != out);
        }
        if sitting_out.is_some_and(|out| names.contains(&out)) {
            return input.field("sitting_out")?.wrong("who sits out is not one of the four players");
        }
        match <[&str; 4]>::try_from(names) {
            Ok(active) => Ok(Self { active, sitting_out }),
            Err(names) => at.wrong(format_args!("4 names are needed, found {}", names.len())),
        }
    }

    fn player(&self, at: &At<'_>) -> Result<Player, String> {
        let name = at.text()?;
        match self.active.iter().position(|active| *active == name) {
            Some(i) => Ok(Player::ALL[i]),
            None => at.wrong(format_args!("{name} is not one of the players")),
        }
    }

    fn payments(&self, amounts: [i64; 4]) -> Value {
        let mut map: Map<String, Value> =
            self.active.iter().zip(amounts).map(|(name, amount)| ((*name).to_owned(), json!(amount))).collect();
        if let Some(out) = self.sitting_out {
            map.insert(out.to_owned(), json!(0));
        }
        Value::Object(map)
    }
}

pub(super) fn settle(input: &At<'_>) -> Result<Value, String> {
    let names = Names::read(input)?;
    let multiplier = input.optional("round_multiplier")?.map_or(Ok(1), |at| at.number(1, 1 << 30))? as i64;
    if let Some(kind) = input.optional("kind")? {
        let amounts = match kind.text()? {
            "annulled" | "thrown_in_all_pass" => [0; 4],
            "honourless_fourth_bidder_draws_no_honour" => {
                failed_trial(names.player(&input.field("declarer")?)?, input.field("bid")?.bid()?)
            }
            other => return kind.wrong(format_args!("there is no kind {other}")),
        };
        return Ok(json!({ "payments": names.payments(amounts.map(|amount| amount * multiplier)) }));
    }
    let declarer = names.player(&input.field("declarer")?)?;
    let partner = input.nullable("partner")?;
    let sides = Sides { declarer, partner: partner.as_ref().map(|at| names.player(at)).transpose()? };
    if let Some(at) = partner
        && sides.partner == Some(declarer)
    {
        return at.wrong("the declarer is not its own partner; null means one against three");
    }
    let announcements = announcements(input)?;
    let account = Account {
        bid: input.field("bid")?.bid()?,
        game_kontra: kontra(input, "game_kontra")?,
        announcements: &announcements,
        facts: facts(&input.field("facts")?)?,
    };
    let counts = counts(input, &names)?;
    let items = account.items();
    let amounts = total(&items, &counts, sides);
    let mut lines: Vec<Value> = items.iter().map(line).collect();
    for count in &counts {
        let points = if count.tarokks == 9 { 2 } else { 1 };
        lines.push(json!([format!("{}_tarokks", count.tarokks), names.active[count.player.index()], points]));
    }
    Ok(json!({ "payments": names.payments(amounts.map(|amount| amount * multiplier)), "items": lines }))
}

/// What everyone wins or loses before the factor of a double round.
fn total(items: &[Item], counts: &[Count], sides: Sides) -> [i64; 4] {
    let counted = count_payments(counts, sides);
    let mut amounts = payments(items, sides);
    for (amount, counted) in amounts.iter_mut().zip(counted) {
        *amount += counted;
    }
    amounts
}

fn line(item: &Item) -> Value {
    let name = match item.what {
        What::Game => "game",
        What::Figure { figure, .. } => figure.name(),
    };
    json!([name, item.side.name(), item.points])
}

fn kontra(input: &At<'_>, name: &str) -> Result<u8, String> {
    Ok(input.optional(name)?.map_or(Ok(0), |at| at.number(0, MORDKONTRA.into()))? as u8)
}

fn announcements(input: &At<'_>) -> Result<Vec<Announcement>, String> {
    let mut found: Vec<Announcement> = Vec::new();
    for at in input.optional("announcements")?.map_or(Ok(Vec::new()), |at| at.list())? {
        let figure = at.field("figure")?.named("a figure", Figure::parse)?;
        let side = at.field("side")?.side()?;
        if found.iter().any(|a| a.figure == figure && a.side == side) {
            return at.wrong(format_args!("{side} announced {figure} twice"));
        }
        found.push(Announcement { figure, side, kontra: kontra(&at, "kontra")? });
    }
    Ok(found)
}

fn counts(input: &At<'_>, names: &Names<'_>) -> Result<Vec<Count>, String> {
    let mut found: Vec<Count> = Vec::new();
    for at in input.optional("tarokk_counts")?.map_or(Ok(Vec::new()), |at| at.list())? {
        let player = names.player(&at.field("player")?)?;
        let tarokks = at.field("count")?.number(8, 9)? as u8;
        let announced = at.field("announced")?.flag()?;
        if found.iter().any(|count| count.player == player) {
            return at.wrong("this player's tarokks are counted twice");
        }
        found.push(Count { player, tarokks, announced });
    }
    Ok(found)
}

fn facts(at: &At<'_>) -> Result<Facts, String> {
    let pair = |declarer: &str, opponents: &str, sum: u64| {
        let first = at.field(declarer)?.number(0, sum)?;
        let second = at.field(opponents)?.number(0, sum)?;
        if first + second != sum {
            return at.wrong(format_args!("{declarer} and {opponents} must make {sum}, not {}", first + second));
        }
        Ok([first as u8, second as u8])
    };
    let side_of = |of: &str, name: &str| at.field(of)?.field(name)?.side();
    let [skiz, xxi, pagat] = ["skiz", "XXI", "pagat"].map(|name| side_of("honours", name));
    let [hearts, diamonds, clubs, spades] = ["H", "D", "C", "S"].map(|name| side_of("kings", name));
    let last = at.optional("pagat_in_last_trick")?;
    let caught = at.optional("xxi_caught_by")?;
    Ok(Facts {
        points: pair("points_declarer", "points_opponents", POINTS.into())?,
        tricks: pair("tricks_declarer", "tricks_opponents", 9)?,
        honours: [skiz?, xxi?, pagat?],
        kings: [hearts?, diamonds?, clubs?, spades?],
        pagat_last: last
            .map(|at| Ok::<_, String>((at.field("side")?.side()?, at.field("won")?.flag()?)))
            .transpose()?,
        xxi_caught_by: caught.map(|at| at.side()).transpose()?,
    })
}

/// Facts in the notation of the question.
pub(super) fn facts_value(facts: &Facts) -> Value {
    let honours: Map<String, Value> =
        HONOURS.iter().zip(facts.honours).map(|(card, side)| (card.to_string(), json!(side.name()))).collect();
    let kings: Map<String, Value> = ["H", "D", "C", "S"]
        .into_iter()
        .zip(facts.kings)
        .map(|(suit, side)| (suit.to_owned(), json!(side.name())))
        .collect();
    json!({
        "points_declarer": facts.points[Side::Declarer.index()],
        "points_opponents": facts.points[Side::Opponents.index()],
        "tricks_declarer": facts.tricks[Side::Declarer.index()],
        "tricks_opponents": facts.tricks[Side::Opponents.index()],
        "honours": honours,
        "kings": kings,
        "pagat_in_last_trick": facts.pagat_last.map(|(side, won)| json!({ "side": side.name(), "won": won })),
        "xxi_caught_by": facts.xxi_caught_by.map(Side::name),
    })
}

pub(super) fn rounds(input: &At<'_>) -> Result<Value, String> {
    let active = input.field("active_players")?.number(4, 5)? as u8;
    let mut rounds = DoubleRounds::default();
    let mut multipliers = Vec::new();
    for at in input.field("events")?.list()? {
        match at.text()? {
            "played" => {
                multipliers.push(rounds.multiplier());
                rounds.pass();
            }
            "thrown_in" | "annulled" => rounds.open(active),
            other => return at.wrong(format_args!("expected played, thrown_in or annulled, found {other}")),
        }
    }
    Ok(json!({ "multipliers": multipliers }))
}
