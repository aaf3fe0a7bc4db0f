//! For page and terminal: what an observer knows, as JSON and in words.
//!
//! Everything here is made from [`Knowledge`] alone. The fields are described in `spec/games/tarokk-view.md`; the words are in
//! `words/`.

pub mod caution;
pub mod events;
mod parts;
pub mod refusal;
pub mod score;
pub mod text;

use outis_game::words::Text;
use outis_table::game::Rules;
use serde_json::{Map, Value, json};

use crate::rules::auction::{Auction, Call, Contract, Promise};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::ending::Ending;
use crate::rules::facts::Trick;
use crate::rules::figures::{Side, with_kontra};
use crate::rules::knowledge::{Knowledge, check};
use crate::rules::options::Options;
use crate::rules::seats::{Player, Seating};
use crate::rules::state::{Action, DealResult, Laid, Outcome, Phase, Public};
use crate::rules::table::Tarokk;
use crate::rules::talon::split;

pub use parts::Parts;
pub use text::token;

/// Version of the JSON.
pub const VERSION: u32 = 1;

/// The words of the game.
pub fn words() -> &'static str {
    include_str!("../words/tarokk.json")
}

/// What the observer may see.
pub fn view(k: &Knowledge) -> Value {
    let public = &k.public;
    let mut view = Map::new();
    let mut put = |name: &str, value: Value| drop(view.insert(name.to_owned(), value));
    table(k, &mut put);
    cards(k, &mut put);
    let parts = Parts::of(public);
    let seating = public.seating;
    put("auction", calls(&public.options, seating, parts.calls));
    if let Some(contract) = parts.contract {
        put("contract", contract_json(contract, seating));
    }
    if let Some(laid) = parts.laid {
        put("laid", laid_json(laid, seating));
    }
    let seats = |answered: &dyn Fn(Player) -> bool| -> Value {
        Player::ALL.into_iter().filter(|p| answered(*p)).map(|p| seating.seat(p)).collect()
    };
    match &public.phase {
        Phase::AwaitingDiscards(_, done) => put("discarded", by_seat(seating, |p| json!(done[p.index()]))),
        Phase::AwaitingAnnulment(_, answers) => put("answered", seats(&|p| answers[p.index()].is_some())),
        Phase::AwaitingClaims(_, _, answers) => put("answered", seats(&|p| answers[p.index()].is_some())),
        _ => {}
    }
    if let Some(announcing) = parts.announcing {
        put("said", said(announcing.said(), seating));
        put("called", json!(announcing.called().map(|card| card.to_string())));
        put("game_kontra", json!(announcing.game_kontra()));
        put("announcements", announcements(&parts, seating));
        put("counts", by_seat(seating, |p| json!(announcing.count(p))));
        put("sides", by_seat(seating, |p| json!(parts.known_side(p).map(Side::name))));
        put("my_side", json!(parts.own_side(k).map(Side::name)));
    }
    if let Some(plays) = parts.plays {
        let on_table: Vec<Value> = plays.on_table().iter().map(|(p, card)| placed(seating, *p, *card)).collect();
        let tricks = plays.tricks();
        let leader = plays.on_table().first().map_or(plays.turn(), |(p, _)| *p);
        put("trick", json!({ "n": tricks.len() + 1, "leader": seating.seat(leader), "cards": on_table }));
        put("taken", by_seat(seating, |p| json!(tricks.iter().filter(|trick| trick.winner() == p).count())));
        put("tricks", tricks.iter().map(|trick| trick_json(trick, seating)).collect());
    }
    put("results", results(public));
    Value::Object(view)
}

fn table(k: &Knowledge, put: &mut impl FnMut(&str, Value)) {
    let public = &k.public;
    let seating = public.seating;
    let awaited: Vec<u8> = public.awaited().into_iter().map(|p| seating.seat(p)).collect();
    put("version", json!(VERSION));
    put("seats", json!(seating.seats()));
    put("me", json!(k.seat));
    put("deal", json!(public.results.len() + usize::from(public.phase != Phase::Over)));
    put("dealer", json!(seating.dealer()));
    put("sits_out", json!(seating.sitting_out()));
    put("players", json!(Player::ALL.map(|p| seating.seat(p))));
    put("multiplier", json!(public.rounds.multiplier()));
    put("double_rounds", json!(public.rounds.left()));
    put("deals", json!(public.options.deals));
    put("paid_deals", json!(public.results.iter().filter(|result| result.outcome.is_paid()).count()));
    put("ending", ending(public.ending));
    put("scores", json!(public.scores));
    put("phase", json!(phase(&public.phase)));
    put("turn", json!(<[u8; 1]>::try_from(&awaited[..]).ok().map(|[seat]| seat)));
    put("awaited", json!(awaited));
    put("lines", texts(&events::lines(k)));
    let choices = Tarokk::legal(k).into_iter().filter(|action| !matches!(action, Action::Discard(_)));
    let choice = |action: Action| {
        json!({ "token": token(&action), "caption": text::caption(k, &action).to_json(),
                "cautions": texts(&caution::caution(k, &action)) })
    };
    put("legal", choices.map(choice).collect());
}

/// The observer's own cards.
fn cards(k: &Knowledge, put: &mut impl FnMut(&str, Value)) {
    let (Some(seat), Some(cards)) = (k.seat, &k.cards) else { return };
    let public = &k.public;
    let Some(me) = public.seating.player(seat) else { return };
    put("hand", names(cards.hand));
    put("dealt", names(cards.dealt));
    let awaited = public.awaited().contains(&me);
    let refused = |action: &dyn Fn(Card) -> Action| -> Value {
        let why = |card: Card| Some((card.to_string(), refusal::why(k, &action(card))?.to_json()));
        Value::Object(cards.hand.iter().filter_map(why).collect())
    };
    match &public.phase {
        Phase::AwaitingCall(_) => {}
        Phase::AwaitingDiscards(contract, _) if awaited => {
            put("took", names(cards.hand.without(cards.dealt)));
            put("due", json!(split(contract.declarer, contract.bid)[me.index()]));
            put("discardable", names(refusal::discardable(contract, me, cards.hand)));
            put("refused", refused(&|card| Action::Discard(CardSet::from([card]))));
        }
        _ => {
            put("took", names(cards.kept.union(cards.discard).without(cards.dealt)));
            put("discard", names(cards.discard));
        }
    }
    if let (Phase::AwaitingCard(..), true) = (&public.phase, awaited) {
        let playable = cards.hand.filter(|card| check(public, seat, Some(cards), &Action::Play(card)).is_ok());
        put("playable", names(playable));
        put("refused", refused(&Action::Play));
    }
    put("duties", texts(&caution::duties(k)));
}

fn phase(phase: &Phase) -> &'static str {
    match phase {
        Phase::AwaitingDeal => "deal",
        Phase::AwaitingCall(_) => "auction",
        Phase::AwaitingDiscards(..) => "discard",
        Phase::AwaitingAnnulment(..) => "annul",
        Phase::AwaitingWord(..) => "announce",
        Phase::AwaitingCard(..) => "play",
        Phase::AwaitingClaims(..) => "claims",
        Phase::Over => "over",
    }
}

fn ending(ending: Ending) -> Value {
    match ending {
        Ending::Open => json!({ "state": "open" }),
        Ending::Said => json!({ "state": "said" }),
        Ending::Watching => json!({ "state": "watching" }),
        Ending::Holder { seat, has_dealt } => json!({ "state": "holder", "seat": seat, "has_dealt": has_dealt }),
        Ending::Over => json!({ "state": "over" }),
    }
}

fn contract_json(contract: &Contract, seating: Seating) -> Value {
    let talon = split(contract.declarer, contract.bid);
    let invit = contract.invit.map(|invit| {
        json!({ "seat": seating.seat(invit.by), "card": invit.card.to_string(),
                "accepted": invit.by != contract.declarer })
    });
    json!({ "declarer": seating.seat(contract.declarer), "bid": contract.bid.name(), "value": contract.bid.value(),
            "trial": contract.trial, "invit": invit, "yielded_by": contract.yielded_by.map(|p| seating.seat(p)),
            "must_call": contract.must_call().map(|card| card.to_string()),
            "talon": by_seat(seating, |p| json!(talon[p.index()])) })
}

fn laid_json(laid: &Laid, seating: Seating) -> Value {
    let by_seat = laid.by_player.map(|numbers| by_seat(seating, |p| json!(numbers[p.index()])));
    json!({ "shown": names(laid.shown), "by_others": laid.by_others, "by_seat": by_seat })
}

/// The auction with what every call promised.
fn calls(options: &Options, seating: Seating, calls: &[(Player, Call)]) -> Value {
    let told = promises(options, calls).into_iter().map(|(who, call, promise)| {
        let text = text::called(call, promise).to_json();
        json!({ "seat": seating.seat(who), "call": call.to_string(), "text": text })
    });
    told.collect()
}

/// The calls of an auction with what they promised.
pub fn promises(options: &Options, calls: &[(Player, Call)]) -> Vec<(Player, Call, Promise)> {
    let mut auction = Auction::new(*options);
    let mut told = Vec::with_capacity(calls.len());
    for (who, call) in calls {
        told.push((*who, *call, auction.promise(*who, *call)));
        auction.say(*who, *call);
    }
    told
}

fn said(said: &[(Player, crate::rules::announce::Token)], seating: Seating) -> Value {
    let mut alone = true;
    let told = said.iter().map(|(who, word)| {
        let text = text::word(*word, alone).to_json();
        alone = *word == crate::rules::announce::Token::Pass;
        json!({ "seat": seating.seat(*who), "token": word.to_string(), "text": text })
    });
    told.collect()
}

fn announcements(parts: &Parts<'_>, seating: Seating) -> Value {
    let (Some(announcing), Some(contract)) = (parts.announcing, parts.contract) else { return json!([]) };
    let speakers = parts.announcers();
    let told = announcing.announcements().iter().zip(speakers).map(|(a, by)| {
        let points = with_kontra(a.figure.announced(contract.bid), a.kontra);
        json!({ "figure": a.figure.name(), "side": a.side.name(), "by": seating.seat(by), "kontra": a.kontra,
                "points": points, "text": text::announced(a, points).to_json() })
    });
    told.collect()
}

fn results(public: &Public) -> Value {
    let mut scores = vec![0; public.scores.len()];
    let newest = public.results.len();
    let told = public.results.iter().zip(1..).map(|(result, n)| {
        for (score, paid) in scores.iter_mut().zip(&result.payments) {
            *score += paid;
        }
        let mut told = result_json(result, n);
        if let (Some(told), true) = (told.as_object_mut(), n == newest) {
            told.insert("auction".to_owned(), calls(&public.options, result.seating, &result.calls));
            if let Outcome::Played(played) = &result.outcome {
                let seating = result.seating;
                told.insert("said".to_owned(), said(played.announcing.said(), seating));
                told.insert("tricks".to_owned(), played.tricks.iter().map(|t| trick_json(t, seating)).collect());
                told.insert("discards".to_owned(), by_seat(seating, |p| names(played.discards[p.index()])));
            }
        }
        told["scores"] = json!(scores);
        told
    });
    told.collect()
}

fn result_json(result: &DealResult, n: usize) -> Value {
    let seating = result.seating;
    let mut told = json!({ "n": n, "dealer": seating.dealer(), "sits_out": seating.sitting_out(),
        "multiplier": result.multiplier, "payments": result.payments, "texts": texts(&score::account(result)) });
    let more = match &result.outcome {
        Outcome::ThrownIn => json!({ "outcome": "thrown_in" }),
        Outcome::Annulled(by) => {
            let by = Player::ALL.into_iter().filter_map(|p| Some((seating.seat(p), by[p.index()]?.name())));
            let (seats, grounds): (Vec<u8>, Vec<&str>) = by.unzip();
            json!({ "outcome": "annulled", "annulled_by": seats, "grounds": grounds })
        }
        Outcome::FailedTrial(who, bid) => {
            json!({ "outcome": "failed_trial", "declarer": seating.seat(*who), "bid": bid.name() })
        }
        Outcome::Played(played) => {
            let items: Vec<Value> = score::items(played).iter().map(score::Line::to_json).collect();
            let counts: Vec<Value> = played.counts.iter().map(|count| score::count_json(count, seating)).collect();
            json!({ "outcome": "played", "declarer": seating.seat(played.sides.declarer),
                    "bid": played.contract.bid.name(), "partner": played.sides.partner.map(|p| seating.seat(p)),
                    "called": played.announcing.called().map(|card| card.to_string()),
                    "points": { "declarer": played.facts.points[0], "opponents": played.facts.points[1] },
                    "items": items, "counts": counts })
        }
    };
    if let (Some(told), Value::Object(more)) = (told.as_object_mut(), more) {
        told.extend(more);
    }
    told
}

fn trick_json(trick: &Trick, seating: Seating) -> Value {
    let cards: Vec<Value> =
        trick.cards.iter().enumerate().map(|(i, card)| placed(seating, trick.leader.after(i), *card)).collect();
    json!({ "leader": seating.seat(trick.leader), "cards": cards, "winner": seating.seat(trick.winner()),
            "points": trick.cards.iter().map(|card| card.points()).sum::<u8>() })
}

fn placed(seating: Seating, who: Player, card: Card) -> Value {
    json!({ "seat": seating.seat(who), "card": card.to_string() })
}

/// One value for every seat, nothing for the player who sits out.
fn by_seat(seating: Seating, value: impl Fn(Player) -> Value) -> Value {
    (0..seating.seats()).map(|seat| seating.player(seat).map_or(Value::Null, &value)).collect()
}

fn names(cards: CardSet) -> Value {
    cards.held().into_iter().map(|card| card.to_string()).collect()
}

fn texts(texts: &[Text]) -> Value {
    texts.iter().map(Text::to_json).collect()
}
