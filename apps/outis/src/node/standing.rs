//! What a person sees of a table: for the page as JSON, for the terminal as texts.

use outis_game::words::Text;
use outis_table::Seat;
use outis_table::seats::Seats;
use serde_json::{Value, json};

use super::table::Table;
use super::{Key, hex, spoken};
use crate::node::table_info::Kind;
use outis_game::ending::Ending;
use outis_game::sitting::{Choice, Ended, Sitting, Waiting};

/// How a seat can be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Link {
    /// It sits here, or answers.
    Here,
    /// We are trying.
    #[default]
    Connecting,
    /// It has not answered for this many milliseconds.
    Away(u64),
    /// It has left for good.
    Left,
}

/// The clocks for the whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// Milliseconds that each seat has left, in order of seats.
    pub left: Vec<u64>,
    /// Whose clock runs.
    pub runs: Option<Seat>,
}

impl Times {
    /// As a seat of ours measures them. The first seconds of a step are nobody's: the clock that runs stands still in them.
    fn of(sitting: &dyn Sitting, left: Option<u64>) -> Option<Self> {
        let clocks = sitting.clocks()?;
        let mut times = Self { left: clocks.left().to_vec(), runs: clocks.runs() };
        let running = times.runs.and_then(|seat| times.left.get_mut(usize::from(seat.0)));
        running.into_iter().for_each(|time| *time = left.unwrap_or(*time).min(*time));
        Some(times)
    }
}

/// A table as seen from the seat of the one who holds the device; while it is passed on, only what everybody may see.
#[derive(Clone, Debug)]
pub struct TableView {
    /// The open round.
    pub round: u32,
    /// Head of the log.
    pub head: String,
    /// The game's own picture.
    pub view: Option<Value>,
    /// The same in words.
    pub lines: Vec<Text>,
    /// What is waited for.
    pub waiting: Option<Waiting>,
    /// Milliseconds until the clock runs out.
    pub left: Option<u64>,
    /// The clocks for the whole game, while it goes on.
    pub clocks: Option<Times>,
    /// What may be done.
    pub choices: Vec<Choice>,
    /// The scores as they stand.
    pub scores: Option<Vec<i64>>,
    /// How it ended.
    pub ended: Option<Ended>,
}

impl TableView {
    /// The table as it is at this time.
    pub fn of(table: &Table, now: u64) -> Option<Self> {
        let shown = table.shown();
        let own = shown.or_else(|| table.own())?;
        let mut waiting = own.waiting();
        waiting.iter_mut().filter(|_| shown.is_none()).for_each(|waiting| waiting.yours = false);
        let left = waiting.as_ref().and_then(|waiting| waiting.deadline).map(|at| at.saturating_sub(now));
        let ended = own.ended();
        let clocks = if ended.is_none() { Times::of(own, left) } else { None };
        let choices = if table.about().watch { Vec::new() } else { shown.map(|own| own.choices()).unwrap_or_default() };
        Some(Self {
            round: own.round(),
            head: hex(&own.head().0),
            view: shown.and_then(|own| own.view()),
            lines: shown.map(|own| own.lines()).unwrap_or_default(),
            waiting,
            left,
            clocks,
            choices,
            scores: own.scores(),
            ended,
        })
    }
}

/// The whole state of a table that is played or over, for the page.
pub fn state(table: &Table, now: u64, link: &dyn Fn(&Key) -> Link, muted: Seats) -> Option<Value> {
    let (about, standing) = (table.about(), TableView::of(table, now)?);
    let seats: Vec<Value> = (0u8..)
        .zip(&about.seats)
        .map(|(seat, chair)| {
            let (kind, level) = match chair.kind {
                Kind::You if about.watch => ("bot", Some(table.game().levels())),
                Kind::You if table.holder() == Some(Seat(seat)) => ("you", None),
                Kind::You => ("here", None),
                Kind::Bot { level } => ("bot", Some(level)),
                Kind::Peer => ("peer", None),
            };
            let link = if chair.kind == Kind::Peer { link(&chair.home) } else { Link::Here };
            let (link, away) = describe(link);
            json!({ "seat": seat, "kind": kind, "name": chair.name, "level": level, "key": hex(&chair.key.0),
                    "words": spoken(&chair.key.0[..6]), "compare": chair.compare, "link": link, "away": away,
                    "muted": muted.contains(Seat(seat)), "ready": true })
        })
        .collect();
    let gone = table.own().map_or(Seats::NONE, |own| own.gone());
    let accuser = table.own().and_then(|own| own.accuser()).map(|seat| seat.0);
    let cut_off = table.own().and_then(|own| own.cut_off_from()).is_some();
    let list = |seats: Seats| seats.iter().map(|seat| seat.0).collect::<Vec<u8>>();
    let expects = standing.waiting.as_ref().map(|waiting| {
        json!({ "what": waiting.what, "seats": list(waiting.missing), "done": list(waiting.spoken),
                "by_hand": waiting.by_hand, "yours": waiting.yours && !about.watch, "left": standing.left,
                "working": waiting.working })
    });
    let clocks =
        standing.clocks.as_ref().map(|times| json!({ "left": times.left, "runs": times.runs.map(|seat| seat.0) }));
    let actions: Vec<Value> = standing
        .choices
        .iter()
        .map(|choice| {
            json!({ "token": choice.token, "caption": choice.caption.to_json(),
                    "caution": choice.caution.iter().map(Text::to_json).collect::<Vec<_>>() })
        })
        .collect();
    let hand = about.is_shared().then(|| {
        let people: Vec<u8> = about.people().iter().map(|seat| seat.0).collect();
        json!({ "holder": table.holder().map(|seat| seat.0), "next": table.next().map(|seat| seat.0), "people": people })
    });
    Some(json!({
        "hand": hand, "watch": about.watch.then_some(about.own.0), "grade": about.grade().map(outis_table::game::Grade::name), "table": about.id, "game": about.game, "phase": if standing.ended.is_some() { "over" } else { "playing" },
        "me": table.holder().filter(|_| !about.watch).map(|seat| seat.0), "host": about.host, "dials": about.dials, "seats": seats, "practice": about.crook().is_some(), "trick": table.trick(),
        "invites": [], "ready": true, "round": standing.round, "head": standing.head, "view": standing.view,
        "lines": standing.lines.iter().map(Text::to_json).collect::<Vec<_>>(), "expects": expects, "clocks": clocks, "actions": actions,
        "scores": standing.scores, "report": standing.ended.as_ref().map(report), "gone": list(gone), "accuser": accuser, "cut_off": cut_off, "decided": table.decided().is_some(), "disk": table.is_failing(),
        "days": about.days, "until": about.until(),
    }))
}

/// The end of a table, for the page.
pub fn report(ended: &Ended) -> Value {
    json!({ "end": ended.end.name(), "story": story(ended).iter().map(Text::to_json).collect::<Vec<_>>(),
            "blames": ended.blames.iter().map(|seat| seat.0).collect::<Vec<_>>(), "provable": ended.provable,
            "round": ended.round, "check": ended.check, "words": ended.words, "scores": ended.scores,
            "evidence": ended.provable })
}

/// Who, what, and what now: at most three sentences.
pub fn story(ended: &Ended) -> Vec<Text> {
    let with = |text: Text| match (ended.blames.len(), ended.blames.iter().next()) {
        (1, Some(seat)) => text.with("who", seat),
        (0, _) | (_, None) => text,
        _ => text.with("who", ended.blames),
    };
    let round = i64::from(ended.round.unwrap_or(0));
    match ended.end {
        Ending::Finished => vec![Text::new("node.end.finished")],
        Ending::Fault => vec![
            with(Text::new("node.end.fault")).with("round", round),
            Text::new("node.end.fault.what"),
            Text::new("node.end.fault.now"),
        ],
        Ending::Unprovable => vec![with(Text::new("node.end.unprovable")), Text::new("node.end.unprovable.now")],
        Ending::Silence if !ended.claimed => {
            vec![with(Text::new("node.end.unclaimed")), Text::new("node.end.unclaimed.now")]
        }
        Ending::Silence => vec![with(Text::new("node.end.silence")), Text::new("node.end.silence.now")],
        Ending::Overtime => vec![Text::new("node.end.overtime"), Text::new("node.end.overtime.now")],
        Ending::Fork => vec![with(Text::new("node.end.fork")), Text::new("node.end.silence.now")],
        Ending::RolledBack => vec![Text::new("node.end.rolled-back"), Text::new("node.end.rolled-back.now")],
        Ending::Left => vec![Text::new("node.end.left")],
        Ending::Local => vec![Text::new("node.end.local"), Text::new("node.end.local.now")],
    }
}

/// What the check that failed is for, where the game, or the node, has words for it.
pub fn fault(game: &str, ended: &Ended) -> Option<Text> {
    Some(outis_game::finding::fault(game, ended.check?))
}

fn describe(link: Link) -> (&'static str, Option<u64>) {
    match link {
        Link::Here => ("here", None),
        Link::Connecting => ("connecting", None),
        Link::Away(since) => ("away", Some(since)),
        Link::Left => ("left", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_names_everyone_who_is_blamed() {
        let ended = |blames| Ended {
            end: Ending::Silence,
            blames,
            provable: false,
            round: None,
            check: None,
            words: String::new(),
            scores: None,
            claimed: true,
        };
        let who = |blames| story(&ended(blames))[0].to_json()["args"]["who"].clone();
        assert_eq!(who(Seats::one(Seat(1))), json!({ "seat": 1 }), "one player is sent as before");
        assert_eq!(who(Seats::all(2)), json!([{ "seat": 0 }, { "seat": 1 }]));
        assert_eq!(who(Seats::NONE), Value::Null);
    }
}
