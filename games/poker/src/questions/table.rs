//! A whole table from its decks and what the seats do: for comparing other programs with these rules.

use outis_table::Seat;
use outis_table::game::Observer;
use outis_table::seats::Seats;
use serde_json::{Value, json};

use super::cards;
use crate::rules::game::FullState;
use crate::rules::options::{Dealing, Game, Limit, Options, Showing};
use crate::rules::{Action, Bet, Phase};

/// Plays the table as far as the input goes.
pub(super) fn play(question: &Value) -> Result<Value, String> {
    let (options, seats) = (options(question)?, number(question, "seats", 2, 9)? as u8);
    let decks = question.get("decks").and_then(Value::as_array).ok_or("decks: a list of decks is needed")?;
    let does =
        question.get("does").and_then(Value::as_array).ok_or("does: a list such as [[0, \"call\"]] is needed")?;
    let (mut state, mut next) = (FullState::new(&options, seats), 0);
    let mut deal = |state: &mut FullState| {
        while state.awaits_chance() {
            let field = format!("decks[{next}]");
            let Some(deck) = decks.get(next) else { return Ok(()) };
            next += 1;
            state.chance(cards(deck, &field)?).map_err(|_| format!("{field}: every card once is needed"))?;
        }
        Ok::<(), String>(())
    };
    deal(&mut state)?;
    for (at, said) in does.iter().enumerate() {
        let seat = said.get(0).and_then(Value::as_u64).and_then(|seat| u8::try_from(seat).ok());
        let (Some(seat), Some(action)) = (seat, said.get(1).and_then(Value::as_str).and_then(action)) else {
            return Err(format!("does[{at}]: a seat and what it does are needed"));
        };
        state.apply(Seat(seat), &action).map_err(|illegal| format!("does[{at}]: {illegal}"))?;
        deal(&mut state)?;
    }
    let public = state.observe(Observer::Spectator).public;
    let pots = public.pots().into_iter().filter(|pot| pot.chips > 0);
    let pots: Vec<Value> =
        pots.map(|pot| json!([pot.chips, pot.claimants.iter().map(|seat| seat.0).collect::<Vec<_>>()])).collect();
    let deciding: Vec<u8> = public.deciding().iter().map(|seat| seat.0).collect();
    let raise = public.choices().map(|choices| json!([choices.call, choices.raise.map(|(least, most)| [least, most])]));
    let leaves: Vec<Vec<i64>> = (0..seats).map(|seat| public.forfeit(Seats::one(Seat(seat)))).collect();
    Ok(json!({
        "leaves": leaves,
        "phase": phase(public.phase), "stacks": public.stacks, "paid": public.hand.paid, "scores": public.scores(),
        "button": public.button.0, "hands": public.past.len(), "deciding": deciding, "pots": pots, "choices": raise,
    }))
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Ready => "ready",
        Phase::Bet => "bet",
        Phase::Discard => "discard",
        Phase::Show => "show",
        Phase::Over => "over",
        Phase::Deal | Phase::Board(_) | Phase::Redeal => "deal",
    }
}

fn number(question: &Value, field: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = question.get(field).and_then(Value::as_u64).filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{field}: a number from {least} to {most} is needed"))
}

fn either(question: &Value, field: &str, names: [&str; 2]) -> Result<bool, String> {
    match question.get(field).and_then(Value::as_str) {
        Some(name) if name == names[0] => Ok(false),
        Some(name) if name == names[1] => Ok(true),
        _ => Err(format!("{field}: {} or {} is needed", names[0], names[1])),
    }
}

fn options(question: &Value) -> Result<Options, String> {
    let options = Options {
        game: if either(question, "game", ["holdem", "draw"])? { Game::Draw } else { Game::Holdem },
        limit: if either(question, "limit", ["none", "fixed"])? { Limit::Fixed } else { Limit::None },
        showing: if either(question, "showing", ["turn", "once"])? { Showing::AtOnce } else { Showing::InTurn },
        dealing: Dealing::Sra,
        hands: number(question, "hands", 1, 200)? as u8,
        stack: number(question, "stack", 2, 1_000_000)? as u32,
        blind: number(question, "blind", 2, 10_000)? as u16,
        ante: number(question, "ante", 0, 10_000)? as u16,
        clock: 0,
        decks: None,
    };
    if options.is_allowed() { Ok(options) } else { Err("blind: an even number is needed".to_owned()) }
}

fn action(token: &str) -> Option<Action> {
    Some(match token {
        "play" => Action::Play(true),
        "sit-out" => Action::Play(false),
        "fold" => Action::Bet(Bet::Fold),
        "check" => Action::Bet(Bet::Check),
        "call" => Action::Bet(Bet::Call),
        "show" => Action::Show(true),
        "muck" => Action::Show(false),
        _ => match (token.strip_prefix("to-"), token.strip_prefix("discard-")) {
            (Some(amount), _) => Action::Bet(Bet::To(amount.parse().ok()?)),
            (_, Some(mask)) => Action::Discard(mask.parse().ok()?),
            _ => return None,
        },
    })
}
