//! What an observer knows, in sentences, for terminals and screen readers.

use outis_game::words::{Arg, Text};

use super::pgn::Written;
use super::text::{color, letter, msg, piece, spell, square, written};
use crate::rules::board::{Color, Piece, Square};
use crate::rules::knowledge::{Knowledge, Mine, Outcome, Public, Review};
use crate::rules::sight::{Shown, View};

/// The board and the state of the game.
pub fn lines(k: &Knowledge) -> Vec<Text> {
    let mut lines = Vec::new();
    if let Some(mine) = &k.mine {
        lines.extend((0..8).rev().map(|rank| drawn(mine, rank)));
        lines.push(msg("drawn.files"));
        lines.push(msg("drawn.legend"));
        lines.push(msg("you_are").with("color", color(mine.color)));
        lines.extend(sees(&mine.now().view));
    }
    for side in Color::ALL {
        let taken: Vec<Text> = k.public.taken(side).map(piece).collect();
        if !taken.is_empty() {
            lines.push(msg("lost").with("who", k.options.seat(side)).with("pieces", taken));
        }
    }
    let moves = k.public.heard.len();
    if moves > 0 {
        lines.push(last(k, moves - 1));
    }
    if k.public.quiet >= 20 && k.options.quiet > 0 && k.public.outcome.is_none() {
        let left = 2 * i64::from(k.options.quiet) - i64::from(k.public.quiet);
        lines.push(msg("quiet").with("count", i64::from(k.public.quiet)).with("left", left));
    }
    if let Some(side) = k.public.offer {
        lines.push(msg("offers").with("who", k.options.seat(side)));
    }
    lines.extend(k.public.outcome.map(|outcome| ended(k, outcome)));
    lines.extend(review(&k.public));
    lines
}

/// A rank of the board.
fn drawn(mine: &Mine, rank: u8) -> Text {
    let cell = |file| match super::shown(mine, Square::at(file, rank)) {
        Shown::Own(piece) => letter(mine.color, piece).into(),
        Shown::Other(piece) => letter(mine.color.other(), piece).into(),
        Shown::Empty => Arg::Plain(".".to_owned()),
        Shown::Blocked => Arg::Plain("?".to_owned()),
        Shown::Dark => Arg::Plain("#".to_owned()),
    };
    let files = (0..).zip(["a", "b", "c", "d", "e", "f", "g", "h"]);
    let squares = files.fold(msg("drawn.squares"), |text, (file, name)| text.with(name, cell(file)));
    msg("drawn.row").with("rank", i64::from(rank) + 1).with("squares", squares)
}

/// The other's pieces that are seen, and what is felt.
fn sees(view: &View) -> Vec<Text> {
    let seen: Vec<Text> = Piece::ALL
        .into_iter()
        .rev()
        .flat_map(|kind| view.pieces[kind.index()].iter().map(move |at| (kind, at)))
        .map(|(kind, at)| msg("on").with("piece", piece(kind)).with("square", square(at)))
        .collect();
    let mut lines = Vec::new();
    if !seen.is_empty() {
        lines.push(msg("sees").with("pieces", seen));
    }
    if !view.blocked.is_empty() {
        let felt: Vec<String> = view.blocked.iter().map(|at| at.to_string()).collect();
        lines.push(msg("feels").with("squares", Arg::Plain(felt.join(", "))));
    }
    if let Some(file) = view.passant {
        lines.push(msg("passant").with("file", Arg::Plain(super::file_name(file))));
    }
    lines
}

/// What is known of one move.
fn last(k: &Knowledge, at: usize) -> Text {
    let by = k.options.seat(Color::ALL[at % 2]);
    let taken = k.public.heard[at].capture();
    let own = k.mine.as_ref().and_then(|mine| {
        let (before, after) = (mine.glimpses.get(at)?, mine.glimpses.get(at + 1)?);
        let mv = after.played?;
        Some(spell(&mv, before.own.piece(mv.from)?, taken.map(|(_, piece)| piece), "did"))
    });
    match (own, taken) {
        (Some(own), _) => own,
        (None, Some((at, kind))) => msg("takes").with("who", by).with("piece", piece(kind)).with("square", square(at)),
        (None, None) => msg("moves").with("who", by),
    }
}

fn ended(k: &Knowledge, outcome: Outcome) -> Text {
    let text = msg(&format!("end.{}", super::kind(outcome)));
    let who = match outcome {
        Outcome::King(winner) => winner,
        Outcome::Resigned(winner) => winner.other(),
        Outcome::Stalemate(stuck) => {
            let text = if outcome.winner(&k.options).is_some() { msg("end.stalemate.loss") } else { text };
            return text.with("who", k.options.seat(stuck));
        }
        Outcome::Agreed | Outcome::Quiet => return text,
    };
    text.with("who", k.options.seat(who))
}

fn review(public: &Public) -> Vec<Text> {
    match &public.review {
        Review::Not | Review::Agreed => Vec::new(),
        Review::Asked => vec![msg("review.asked")],
        Review::Declined => vec![msg("review.declined")],
        Review::Shown(game) => {
            let head = match public.shown_until() {
                None => msg("review.shown"),
                Some(until) => msg("review.cut").with("n", until as i64),
            };
            vec![head, msg("shown").with("moves", pairs(&super::pgn::moves_of(game)))]
        }
    }
}

/// A list of moves, two to a number.
fn pairs(moves: &[Written]) -> Vec<Text> {
    let pair = |(n, pair): (i64, &[Written])| {
        let numbered = |id: &str| msg(id).with("n", n).with("white", written(&pair[0]));
        match pair.get(1) {
            Some(black) => numbered("pair").with("black", written(black)),
            None => numbered("pair.half"),
        }
    };
    (1..).zip(moves.chunks(2)).map(pair).collect()
}

/// What happened between two moments, to be read out.
pub fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
    let mut lines: Vec<Text> =
        (before.public.heard.len()..after.public.heard.len()).map(|at| last(after, at)).collect();
    if let (Some(old), Some(new)) = (&before.mine, &after.mine)
        && !new.awaits_view
        && (old.awaits_view || old.glimpses.len() < new.glimpses.len())
    {
        // Only what has changed since the last view.
        let last = old.glimpses.len() - 1 - usize::from(old.awaits_view && old.glimpses.len() > 1);
        let known = sees(&old.glimpses[last].view);
        lines.extend(sees(&new.now().view).into_iter().filter(|line| !known.contains(line)));
    }
    if let Some(side) = after.public.offer.filter(|_| before.public.offer.is_none()) {
        lines.push(msg("offers").with("who", after.options.seat(side)));
    }
    if before.public.outcome.is_none() {
        lines.extend(after.public.outcome.map(|outcome| ended(after, outcome)));
    }
    if before.public.review != after.public.review {
        lines.extend(review(&after.public));
    }
    lines
}
