//! What a person sees of a table: as JSON for the page, as text for the terminal.

use outis_game::words::Text;
use outis_table::Seat;
use outis_table::seats::Seats;
use serde_json::{Value, json};

use crate::names::{Key, hex, spoken};
use crate::table::Table;
use crate::table_info::{Kind, TableInfo};
use outis_game::ending::Ending;
use outis_game::sitting::{Choice, Ended, Sitting, Waiting};

/// How a seat can be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Link {
    /// It sits at this machine, or there is a link to it.
    Here,
    /// This node is calling it.
    #[default]
    Connecting,
    /// There has been no link to it for this many milliseconds.
    Away(u64),
    /// It has left for good.
    Left,
}

/// The clocks for the whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// How many milliseconds each seat has left, in order of seats.
    pub left: Vec<u64>,
    /// Whose clock runs.
    pub runs: Option<Seat>,
}

impl Times {
    /// The clocks as a seat of this machine measures them. The first seconds of a step are not deducted: the running clock stands still in
    /// them.
    fn of(sitting: &dyn Sitting, left: Option<u64>) -> Option<Self> {
        let clocks = sitting.clocks()?;
        let mut times = Self { left: clocks.left().to_vec(), runs: clocks.runs() };
        let running = times.runs.and_then(|seat| times.left.get_mut(usize::from(seat.0)));
        running.into_iter().for_each(|time| *time = left.unwrap_or(*time).min(*time));
        Some(times)
    }
}

/// A table as seen from the seat of the person who holds the device; while it changes hands, only what everyone may see.
#[derive(Clone, Debug)]
pub struct TableView {
    /// The open log round.
    pub round: u32,
    /// The log hash.
    pub head: String,
    /// The game's own view.
    pub view: Option<Value>,
    /// The same as text.
    pub lines: Vec<Text>,
    /// What the table waits for.
    pub waiting: Option<Waiting>,
    /// Milliseconds until the clock runs out.
    pub left: Option<u64>,
    /// The clocks for the whole game, while it lasts.
    pub clocks: Option<Times>,
    /// The possible actions.
    pub choices: Vec<Choice>,
    /// The scores as they stand.
    pub scores: Option<Vec<i64>>,
    /// How the game ended.
    pub ended: Option<Ended>,
    /// Whether the result is signed, while a question is open that cannot change it.
    pub decided: bool,
    /// The person who holds the device; `None` while it changes hands.
    pub holder: Option<Seat>,
    /// Of the people who share this machine, the one who should have it next.
    pub next: Option<Seat>,
    /// Seats that are out of the game.
    pub gone: Seats,
    /// The seat that has left with a claim that this seat's time is over, although by its own clock it is not.
    pub accuser: Option<Seat>,
    /// Seats without which this one neither acts nor makes a timeout claim.
    pub cut_off: Option<Seats>,
    /// Seats against which this one has made a timeout claim, and which have not confirmed that they know.
    pub unaware: Seats,
    /// At a practice table, once the game is over: what the cheating bot tried.
    pub trick: Option<&'static str>,
    /// What this machine's own seat has tried that no other program will accept.
    pub own_trick: Option<&'static str>,
    /// Whether the disk refuses what must be written.
    pub failing: bool,
}

impl TableView {
    /// The table as it is at this time.
    pub fn of(table: &Table, now: u64) -> Option<Self> {
        let (shown, first) = (table.shown(), table.own()?);
        let own = shown.unwrap_or(first);
        let mut waiting = own.waiting();
        waiting.iter_mut().filter(|_| shown.is_none()).for_each(|waiting| waiting.yours = false);
        let left = waiting.as_ref().and_then(|waiting| waiting.deadline).map(|at| at.saturating_sub(now));
        let ended = own.ended().filter(|_| !table.is_ending());
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
            decided: table.is_decided(),
            holder: table.holder(),
            next: table.next(),
            gone: first.gone(),
            accuser: first.accuser(),
            cut_off: first.cut_off_from(),
            unaware: first.unaware(),
            trick: table.trick(),
            own_trick: first.trick(),
            failing: table.is_failing(),
        })
    }
}

/// The whole state of a table in play or over, for the page: the view, and what the node knows about the players.
pub fn state(about: &TableInfo, view: &TableView, levels: u8, link: &dyn Fn(&Key) -> Link, muted: Seats) -> Value {
    let seats: Vec<Value> = (0u8..)
        .zip(&about.seats)
        .map(|(seat, chair)| {
            let (kind, level) = match chair.kind {
                Kind::You if about.watch => ("bot", Some(levels)),
                Kind::You if view.holder == Some(Seat(seat)) => ("you", None),
                Kind::You => ("here", None),
                Kind::Bot { level } => ("bot", Some(level)),
                // A bot has a key of its own, at the node that brought it.
                Kind::Peer if chair.key != chair.home => ("bot", None),
                Kind::Peer => ("peer", None),
            };
            let link = match chair.kind {
                Kind::Peer if about.has_left(&chair.home) => Link::Left,
                Kind::Peer => link(&chair.home),
                _ => Link::Here,
            };
            let (link, away) = describe(link);
            json!({ "seat": seat, "kind": kind, "name": chair.name, "level": level, "key": hex(&chair.key.0),
                    "words": spoken(&chair.key.0[..6]), "compare": chair.compare, "link": link, "away": away,
                    "muted": muted.contains(Seat(seat)), "ready": true })
        })
        .collect();
    let list = |seats: Seats| seats.iter().map(|seat| seat.0).collect::<Vec<u8>>();
    let number = |seat: Option<Seat>| seat.map(|seat| seat.0);
    let expects = view.waiting.as_ref().map(|waiting| {
        json!({ "what": waiting.what, "seats": list(waiting.missing), "done": list(waiting.spoken),
                "by_hand": waiting.by_hand, "yours": waiting.yours && !about.watch, "left": view.left,
                "working": waiting.working })
    });
    let clocks = view.clocks.as_ref().map(|times| json!({ "left": times.left, "runs": times.runs.map(|seat| seat.0) }));
    let actions: Vec<Value> = view
        .choices
        .iter()
        .map(|choice| {
            json!({ "token": choice.token, "caption": choice.caption.to_json(),
                    "caution": choice.caution.iter().map(Text::to_json).collect::<Vec<_>>() })
        })
        .collect();
    let hand = about.is_shared().then(|| {
        let people: Vec<u8> = about.people().iter().map(|seat| seat.0).collect();
        json!({ "holder": number(view.holder), "next": number(view.next), "people": people })
    });
    json!({
        "hand": hand, "watch": about.watch.then_some(about.own.0), "grade": about.grade().map(outis_table::game::Grade::name), "table": about.id, "game": about.game, "phase": if view.ended.is_some() { "over" } else { "playing" },
        "me": number(view.holder.filter(|_| !about.watch)), "host": about.host, "dials": about.dials, "seats": seats, "practice": about.crook().is_some(), "trick": view.trick,
        "invites": [], "ready": true, "round": view.round, "head": view.head, "view": view.view,
        "lines": view.lines.iter().map(Text::to_json).collect::<Vec<_>>(), "expects": expects, "clocks": clocks, "actions": actions,
        "scores": view.scores, "report": view.ended.as_ref().map(report), "gone": list(view.gone), "accuser": number(view.accuser), "cut_off": view.cut_off.is_some(), "decided": view.decided, "disk": view.failing,
        "days": about.days, "until": about.until(),
    })
}

/// The end of a game, for the page.
pub fn report(ended: &Ended) -> Value {
    json!({ "end": ended.end.name(), "story": story(ended).iter().map(Text::to_json).collect::<Vec<_>>(),
            "blames": ended.blames.iter().map(|seat| seat.0).collect::<Vec<_>>(), "provable": ended.provable,
            "round": ended.round, "check": ended.check, "words": ended.words, "scores": ended.scores,
            "evidence": ended.provable })
}

/// Which seat, what happened, and what now: at most three sentences.
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

/// What the failed check is for, where the game or the node has words for it.
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
