//! The lobby's archive for the page: lists games, fetches and checks one, computes ratings. What the lobby says is
//! compared with what this machine finds. The body of a request is one JSON object.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use outis_meeting::Name;
use outis_meeting::archive::{GameVerdict, Outcome, Shelved};
use outis_meeting::notice::Signed;
use outis_meeting::rating;
use outis_table::codec::Decode;
use outis_table::identity::IdentityKey;
use outis_table::{export, offer::Offer};
use serde_json::{Value, json};

use super::{Proved, Shared, finding};
use crate::machine::drive::{Answer, Node, sorry};
use crate::meeting::command::shelved_json;
use crate::meeting::verifier::outcome;
use crate::meeting::{digits, name};
use outis_game::finding::Finding;
use outis_game::words::Text;
use outis_node::ask::{Fields, must};
use outis_node::lobby::queries::{Browse, FetchLog, FindShelved, People, Results, Search};
use outis_node::names::{Key, clean, spoken};

/// Largest request body.
pub const MAX_WANTED: usize = 4 << 10;
/// Most rows in a table of ratings.
const MAX_ROWS: usize = 500;

pub(super) async fn post(_: Proved, State(shared): State<Shared>, Path(what): Path<String>, body: Bytes) -> Response {
    let Ok(wanted) = serde_json::from_slice::<Value>(&body) else { return refused(&sorry("request")) };
    let answer = match &*what {
        "games" => games(&shared.node, &wanted).await,
        "check" => check(&shared.node, &wanted).await,
        "ratings" => ratings(&shared.node, &wanted).await,
        "people" => people(&shared.node).await,
        "log" => match log(&shared.node, &wanted).await {
            Ok(bytes) => return ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response(),
            Err(why) => Err(why),
        },
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    match answer {
        Ok(answer) => ([(header::CONTENT_TYPE, "application/json")], answer.to_string()).into_response(),
        Err(why) => refused(&why),
    }
}

fn refused(why: &Text) -> Response {
    let error = json!({ "error": why.to_json() }).to_string();
    (StatusCode::UNPROCESSABLE_ENTITY, [(header::CONTENT_TYPE, "application/json")], error).into_response()
}

/// A name, in digits.
fn named(value: &Value) -> Option<Name> {
    name(value.as_str()?)
}

/// The search terms: `player` is a key or part of a name.
fn search(wanted: &Value) -> Answer<Search> {
    let fields = Fields(wanted);
    let player = clean(&fields.text("player")?.unwrap_or_default(), 80).to_lowercase();
    let key = name(&player).and_then(|key| IdentityKey::from_bytes(&key, &()).ok());
    let game = fields.text("game")?.filter(|game| !game.is_empty());
    Ok(Search {
        name: if key.is_some() { String::new() } else { player },
        player: key,
        game: game.map(|game| Node::game(&game).map(|game| game.name().to_owned())).transpose()?,
        from: fields.number("from")?.unwrap_or(0),
        to: fields.number("to")?.unwrap_or(0),
        after: fields.get("after", named)?,
    })
}

/// Whether this is the key of the lobby itself.
fn is_place(node: &Node, key: &IdentityKey) -> bool {
    node.look(|core, _| core.lobby().is_place(&Key(*key.as_bytes())))
}

/// A game for the page, with the lobby's own key and this player's marked.
fn shown(node: &Node, game: &Shelved) -> Value {
    let mut shown = shelved_json(game);
    let own = node.key();
    for (consent, player) in game.consents.iter().zip(shown["players"].as_array_mut().into_iter().flatten()) {
        player["you"] = json!(*consent.body().player.as_bytes() == own.0);
    }
    for (signed, verdict) in game.verdicts.iter().zip(shown["verdicts"].as_array_mut().into_iter().flatten()) {
        verdict["place"] = json!(is_place(node, &signed.body().verifier));
    }
    shown
}

/// The games that match a search.
pub async fn games(node: &Node, wanted: &Value) -> Answer {
    let found = node.query(Browse::new(search(wanted)?)).await?;
    let games: Vec<Value> = found.games.iter().map(|game| shown(node, game)).collect();
    Ok(json!({ "games": games, "next": found.next.as_ref().map(digits), "unsound": found.unsound }))
}

/// The bytes of a log.
pub async fn log(node: &Node, wanted: &Value) -> Answer<Vec<u8>> {
    let log = must(Fields(wanted).get("log", named))?;
    node.query(FetchLog::new(log)).await
}

/// Whether a verifier's result equals this machine's.
fn is_same(verdict: &GameVerdict, offer: &Offer, found: Option<&Finding>) -> bool {
    let outcome = found.map_or(Outcome::Unreadable, |found| outcome(found.verdict));
    let scores = verdict.outcome != Outcome::Finished
        || found.is_some_and(|found| found.scores.as_ref() == Some(&verdict.scores));
    let players = offer.seats.iter().map(|chair| chair.key);
    let head = found.is_none_or(|found| found.head == digits(&verdict.head));
    outcome == verdict.outcome
        && scores
        && head
        && verdict.table == offer.id().0
        && verdict.game == offer.game
        && players.eq(verdict.players.clone())
}

/// Fetches a log, checks it, and compares the result with what the archive says about it.
pub async fn check(node: &Node, wanted: &Value) -> Answer {
    let bytes = log(node, wanted).await?;
    let name = outis_meeting::store::blob_name(&bytes);
    let Ok((offer, _)) = export::read(&bytes) else {
        return Ok(json!({ "finding": finding(bytes).1, "game": null, "agrees": false }));
    };
    let judged = tokio::task::spawn_blocking(move || finding(bytes)).await;
    let (found, judged) = judged.map_err(|_| sorry("request"))?;
    let entry = match offer.seats.first() {
        Some(chair) => node.query(FindShelved::new(chair.key, name)).await?,
        None => None,
    };
    let Some(game) = entry else { return Ok(json!({ "finding": judged, "game": null, "agrees": false })) };
    let mut listed = shown(node, &game);
    let mut agrees = game.table == offer.id().0 && game.game == offer.game;
    // All players at the table consented, and to this very log.
    agrees &= offer.seats.iter().map(|chair| chair.key).eq(game.consents.iter().map(|consent| consent.body().player));
    agrees &= game.consents.iter().all(|c| found.as_ref().is_some_and(|f| f.head == digits(&c.body().head)));
    for (signed, verdict) in game.verdicts.iter().zip(listed["verdicts"].as_array_mut().into_iter().flatten()) {
        let same = is_same(signed.body(), &offer, found.as_ref());
        verdict["same"] = json!(same);
        agrees &= same;
    }
    Ok(json!({ "finding": judged, "game": listed, "agrees": agrees }))
}

/// The players in the lobby. They choose their names themselves; the safety words come from their keys.
async fn people(node: &Node) -> Answer {
    let people = node.query(People).await?;
    let (own, blocked) = (node.key(), node.look(|core, _| core.settings().blocked_keys()));
    let people = people.iter().filter(|(key, _)| !blocked.contains(&Key(*key.as_bytes()))).map(|(key, who)| {
        let key = key.as_bytes();
        json!({ "key": digits(key), "words": spoken(&key[..6]), "name": clean(who, 40), "you": *key == own.0 })
    });
    Ok(json!({ "people": people.collect::<Vec<_>>() }))
}

/// The ratings of a game, by the verifiers in `only` or by all that signed.
pub async fn ratings(node: &Node, wanted: &Value) -> Answer {
    let game = Node::game(&must(Fields(wanted).text("game"))?)?.name();
    let only = Fields(wanted).list("only", named)?;
    let counts = move |verifier: &IdentityKey| only.as_ref().is_none_or(|only| only.contains(verifier.as_bytes()));
    let (results, forged) = node.query(Results::default()).await?;
    let results: Vec<Signed<GameVerdict>> = results.into_iter().filter(|verdict| verdict.body().game == game).collect();
    let mut verifiers: BTreeMap<[u8; 32], (IdentityKey, usize)> = BTreeMap::new();
    for verdict in &results {
        let verifier = verdict.body().verifier;
        verifiers.entry(*verifier.as_bytes()).or_insert((verifier, 0)).1 += 1;
    }
    let verifiers: Vec<Value> = verifiers
        .values()
        .map(|(key, count)| {
            let words = spoken(&key.as_bytes()[..6]);
            json!({ "verifier": words, "key": digits(key.as_bytes()), "place": is_place(node, key), "results": count,
                    "counts": counts(key) })
        })
        .collect();
    // There may be very many results, and tables must continue meanwhile.
    let rated = tokio::task::spawn_blocking(move || {
        let counted = results.iter().filter(|verdict| counts(&verdict.body().verifier));
        rating::table(counted.map(|verdict| (verdict.name(), verdict.body())), game)
    });
    let table = rated.await.map_err(|_| sorry("request"))?;
    // A verdict has only keys; the archive has the players' names.
    let lately = node.query(Browse::new(Search { game: Some(game.to_owned()), ..Search::default() })).await?;
    let mut names: BTreeMap<[u8; 32], String> = BTreeMap::new();
    for consent in lately.games.iter().flat_map(|game| &game.consents) {
        names.entry(*consent.body().player.as_bytes()).or_insert_with(|| clean(&consent.body().who, 40));
    }
    let mut rows: Vec<_> = table.into_iter().collect();
    rows.sort_by(|(a, x), (b, y)| y.rating.total_cmp(&x.rating).then(a.cmp(b)));
    let (own, all) = (node.key(), rows.len());
    let rows = rows.into_iter().take(MAX_ROWS).map(|(key, r)| {
        json!({ "key": digits(&key), "words": spoken(&key[..6]), "name": names.get(&key), "you": key == own.0,
                "rating": r.rating, "deviation": r.deviation, "games": r.games })
    });
    Ok(json!({ "rows": rows.collect::<Vec<_>>(), "all": all, "verifiers": verifiers,
               "forged": forged }))
}

#[cfg(test)]
mod tests {
    use outis_table::codec::Decode;

    use super::*;
    use outis_game::finding::Shows;

    /// Compares every outcome that a verifier may sign with everything that this machine may find.
    #[test]
    fn only_the_same_outcome_is_the_same() {
        let log = include_bytes!("../../../../spec/vectors/log/finished.log");
        let (offer, _) = export::read(log).unwrap();
        let found = || finding(log).0.unwrap();
        let head: Name = name(&found().head).unwrap();
        let signs = |outcome, scores: &[i64]| GameVerdict {
            verifier: IdentityKey::from_bytes(offer.seats[0].key.as_bytes(), &()).unwrap(),
            log: [0; 32],
            table: offer.id().0,
            head,
            game: offer.game.clone(),
            players: offer.seats.iter().map(|chair| chair.key).collect(),
            outcome,
            scores: scores.to_vec(),
            at: 0,
            words: String::new(),
        };
        let scores = found().scores.unwrap();
        let outcomes =
            [Outcome::Finished, Outcome::Unfinished, Outcome::Fault(1), Outcome::Forged, Outcome::Unreadable];
        let finds = [
            (Some(Shows::Finished), 0),
            (Some(Shows::Unfinished), 1),
            (Some(Shows::Claimed), 1),
            (Some(Shows::Fault { seat: 1 }), 2),
            (Some(Shows::Fault { seat: 0 }), 9),
            (Some(Shows::Forged), 3),
            (None, 4),
        ];
        for (shows, fits) in finds {
            let found = shows.map(|verdict| Finding { verdict, ..found() });
            for (i, outcome) in outcomes.into_iter().enumerate() {
                let same = is_same(&signs(outcome, &scores), &offer, found.as_ref());
                assert_eq!(same, i == fits, "{outcome:?} and {shows:?}");
            }
        }
        assert!(!is_same(&signs(Outcome::Finished, &[9, 9]), &offer, Some(&found())), "other scores");
        let other = GameVerdict { head: [0; 32], ..signs(Outcome::Finished, &scores) };
        assert!(!is_same(&other, &offer, Some(&found())), "another history");
    }
}
