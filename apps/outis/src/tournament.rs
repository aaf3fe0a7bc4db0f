//! `outis tournament`: the next pairings and the standings of a tournament, from a file with players and results.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use outis_game::words::Text;
use outis_meeting::tournament::{Columns, Pairing, Score, print, round_robin, standings, swiss_without};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use crate::speech::{Speech, plain};
use crate::trouble::{Said, of_file};
use outis_node::names::clean;

/// Options of `outis tournament`.
#[derive(Args, Debug)]
#[command(
    after_help = "The file is JSON:\n  {\"system\": \"swiss\" or \"round-robin\", \"players\": [\"Anna\", \"Béla\", \"Cili\"],\n   \"games\": [{\"first\": \"Anna\", \"second\": \"Béla\", \"result\": \"1-0\"}, {\"first\": \"Cili\", \"second\": null}]}\nA result is 1-0, 0-1 or draw; a game without a result has not been played yet. A game without a second\nplayer is a bye; with the result \"absent\", the player sits out that round and scores nothing. Players are\nlisted in order of seeding, games in order of rounds. The next round is paired when all games of the last\nround have a result."
)]
pub struct TournamentArgs {
    /// File with players and results
    pub file: PathBuf,

    /// Print JSON: {standings, open, unpaired, next}
    #[arg(long)]
    pub json: bool,
}

/// Most players in a tournament.
const MAX_PLAYERS: usize = 500;

#[derive(Clone, Copy, PartialEq)]
enum System {
    Swiss,
    RoundRobin,
}

#[derive(Deserialize)]
struct Game {
    first: String,
    second: Option<String>,
    result: Option<String>,
}

#[derive(Deserialize)]
struct Tournament {
    system: String,
    players: Vec<String>,
    #[serde(default)]
    games: Vec<Game>,
}

/// What the file says about a pairing, or about one player, in one round.
#[derive(Clone, Copy)]
struct Entry {
    pairing: Pairing,
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    /// Played, with the first player's half points; or a bye.
    Done(u8),
    /// Not played yet.
    Open,
    /// The player does not play in this round.
    Absent,
}

impl Entry {
    fn score(&self) -> Option<Score> {
        if let What::Done(halves) = self.what { Some(Score { pairing: self.pairing, halves }) } else { None }
    }

    fn is_game(&self) -> bool {
        self.what != What::Absent
    }
}

/// What remains of the current round, or the next round.
#[derive(Default)]
struct Ahead {
    /// Games of the current round that have no result.
    open: Vec<Pairing>,
    /// Players without an entry in the current round, if their opponents are not known.
    unpaired: Vec<usize>,
    /// The next round, if the last is complete and there is one.
    next: Option<Vec<Pairing>>,
}

fn unreadable(why: Text) -> Failure {
    Failure { exit: Exit::Unreadable, error: Said(why).into() }
}

/// Reads the file and prints the standings and pairings.
pub fn run(args: &TournamentArgs, out: &mut impl Write) -> Result<(), Failure> {
    run_in(&Speech::new(), args, out)
}

fn run_in(speech: &Speech, args: &TournamentArgs, out: &mut impl Write) -> Result<(), Failure> {
    let json = std::fs::read_to_string(&args.file).map_err(|error| Said(of_file(&args.file, &error)))?;
    let read: Tournament = serde_json::from_str(&json).map_err(|error| {
        let file = plain(args.file.display().to_string());
        unreadable(Text::new("terminal.tournament.bad.file").with("file", file).with("words", plain(error.to_string())))
    })?;
    let system = match &*read.system {
        "swiss" => System::Swiss,
        "round-robin" => System::RoundRobin,
        other => {
            return Err(unreadable(Text::new("terminal.tournament.bad.system").with("value", plain(clean(other, 60)))));
        }
    };
    let names = names(&read).map_err(unreadable)?;
    let entries = entries(&read, system, &names, &lines_of_games(&json)).map_err(unreadable)?;
    let scores: Vec<Score> = entries.iter().filter_map(Entry::score).collect();
    let table = standings(names.len(), &scores);
    let ahead = match system {
        System::Swiss => ahead_in_swiss(names.len(), &entries),
        System::RoundRobin => ahead_in_round_robin(names.len(), &entries),
    };
    if args.json {
        let row = |s: &outis_meeting::tournament::Standing| {
            json!({ "name": names[s.player], "points": f64::from(s.halves) / 2.0, "games": s.games, "wins": s.wins,
                    "buchholz": f64::from(s.buchholz) / 2.0, "sonneborn_berger": f64::from(s.sonneborn) / 4.0 })
        };
        let pair = |p: &Pairing| json!({ "first": names[p.first], "second": p.second.map(|i| &names[i]) });
        let pairs = |round: &[Pairing]| round.iter().map(pair).collect::<Vec<Value>>();
        let unpaired: Vec<&String> = ahead.unpaired.iter().map(|player| &names[*player]).collect();
        writeln!(
            out,
            "{}",
            json!({ "standings": table.iter().map(row).collect::<Vec<_>>(), "open": pairs(&ahead.open),
                    "unpaired": unpaired, "next": ahead.next.as_deref().map(pairs) })
        )?;
        return Ok(());
    }
    let say = |id: &str| speech.say(&Text::new(id));
    let columns = Columns {
        name: say("terminal.tournament.column.name"),
        points: say("terminal.tournament.column.points"),
        games: say("terminal.tournament.column.games"),
        wins: say("terminal.tournament.column.wins"),
        buchholz: say("terminal.tournament.column.buchholz"),
        sonneborn: say("terminal.tournament.column.sonneborn"),
    };
    write!(out, "{}", print(&columns, &names, &table))?;
    let mut round = |title: &str, round: &[Pairing]| -> std::io::Result<()> {
        writeln!(out, "\n{}", say(title))?;
        for pairing in round {
            let first = &names[pairing.first];
            match pairing.second {
                Some(second) => writeln!(out, "  {first} – {}", names[second])?,
                None => {
                    writeln!(out, "  {}", speech.say(&Text::new("terminal.tournament.bye").with("name", plain(first))))?
                }
            }
        }
        Ok(())
    };
    if !ahead.open.is_empty() {
        round("terminal.tournament.open", &ahead.open)?;
    }
    if let Some(next) = &ahead.next {
        round("terminal.tournament.next", next)?;
    }
    if !ahead.unpaired.is_empty() {
        writeln!(out, "\n{}", say("terminal.tournament.unpaired"))?;
        for player in &ahead.unpaired {
            writeln!(out, "  {}", names[*player])?;
        }
    }
    if ahead.open.is_empty() && ahead.unpaired.is_empty() && ahead.next.is_none() {
        writeln!(out, "\n{}", say("terminal.tournament.over"))?;
    }
    Ok(())
}

/// Whether two pairings have the same players.
fn meets(a: &Pairing, b: &Pairing) -> bool {
    let swapped = a.second == Some(b.first) && b.second == Some(a.first);
    a == b || swapped
}

/// The rounds are fixed from the start: the first incomplete one is the current round if the file has any of its games.
fn ahead_in_round_robin(players: usize, entries: &[Entry]) -> Ahead {
    let find = |pairing: &Pairing| entries.iter().find(|entry| entry.is_game() && meets(&entry.pairing, pairing));
    let is_played = |pairing: &&Pairing| {
        pairing.second.is_none() || find(pairing).is_some_and(|entry| matches!(entry.what, What::Done(_)))
    };
    let written_open = entries.iter().filter(|entry| entry.what == What::Open).map(|entry| entry.pairing);
    let mut open: Vec<Pairing> = written_open.collect();
    let rounds = round_robin(players);
    let Some(round) = rounds.into_iter().find(|round| !round.iter().all(|pairing| is_played(&pairing))) else {
        return Ahead::default();
    };
    let is_begun = round.iter().any(|pairing| pairing.second.is_some() && find(pairing).is_some());
    if !is_begun && open.is_empty() {
        return Ahead { next: Some(round), ..Ahead::default() };
    }
    if is_begun {
        open.extend(round.iter().filter(|pairing| !is_played(pairing) && find(pairing).is_none()));
    }
    Ahead { open, ..Ahead::default() }
}

/// Round n consists of each player's n-th entry; it is complete when every player has one, with a result.
fn ahead_in_swiss(players: usize, entries: &[Entry]) -> Ahead {
    let mut count = vec![0usize; players];
    let rounds: Vec<usize> = entries
        .iter()
        .map(|Entry { pairing, .. }| {
            let both = [Some(pairing.first), pairing.second];
            let round = both.iter().flatten().map(|player| count[*player]).max().unwrap_or(0) + 1;
            for player in both.iter().flatten() {
                count[*player] += 1;
            }
            round
        })
        .collect();
    let last = count.iter().copied().max().unwrap_or(0);
    let of_last = || entries.iter().zip(&rounds).filter(|(_, round)| **round == last).map(|(entry, _)| entry);
    let before = entries.iter().zip(&rounds).filter(|(_, round)| **round < last);
    let before: Vec<Score> = before.filter_map(|(entry, _)| entry.score()).collect();
    let absent: BTreeSet<usize> = of_last().filter(|entry| !entry.is_game()).map(|entry| entry.pairing.first).collect();
    let open: Vec<Pairing> =
        entries.iter().filter(|entry| entry.what == What::Open).map(|entry| entry.pairing).collect();
    let missing: Vec<usize> = (0..players).filter(|player| count[*player] < last).collect();
    if missing.is_empty() && open.is_empty() {
        let all: Vec<Score> = entries.iter().filter_map(Entry::score).collect();
        return Ahead { next: swiss_without(players, &all, &BTreeSet::new()), ..Ahead::default() };
    }
    // The file has only absences for this round: the other players can be paired.
    let is_even = missing.iter().all(|player| count[*player] + 1 == last);
    if open.is_empty() && is_even && of_last().all(|entry| !entry.is_game()) {
        return Ahead { next: swiss_without(players, &before, &absent), ..Ahead::default() };
    }
    // If the games in the file match this program's pairings, the remaining pairings are known too.
    let paired = swiss_without(players, &before, &absent).filter(|_| is_even).unwrap_or_default();
    let is_paired = |entry: &Entry| !entry.is_game() || paired.iter().any(|pairing| meets(pairing, &entry.pairing));
    if !of_last().all(is_paired) {
        return Ahead { open, unpaired: missing, next: None };
    }
    let is_written = |pairing: &&Pairing| of_last().any(|entry| meets(&entry.pairing, pairing));
    let rest = paired.iter().filter(|pairing| !is_written(pairing));
    Ahead { open: open.iter().chain(rest).copied().collect(), ..Ahead::default() }
}

fn names(read: &Tournament) -> Result<Vec<String>, Text> {
    let names: Vec<String> = read.players.iter().map(|name| clean(name, 60)).collect();
    if names.len() > MAX_PLAYERS {
        return Err(Text::new("terminal.tournament.bad.many")
            .with("n", names.len() as i64)
            .with("most", MAX_PLAYERS as i64));
    }
    for (i, name) in names.iter().enumerate() {
        if name.is_empty() || names[..i].contains(name) {
            return Err(Text::new("terminal.tournament.bad.name").with("n", i as i64 + 1));
        }
    }
    Ok(names)
}

/// The line of the text on which each game begins. The text has already been parsed, so it is valid JSON.
fn lines_of_games(text: &str) -> Vec<usize> {
    let (mut lines, mut line, mut depth) = (Vec::new(), 1, 0);
    // The last string at the top level, and the string being read.
    let (mut key, mut string, mut escaped) = (String::new(), None::<String>, false);
    for c in text.chars() {
        line += usize::from(c == '\n');
        match (&mut string, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(read), '"') => {
                if depth == 1 {
                    key = std::mem::take(read);
                }
                string = None;
            }
            (Some(read), c) => read.push(c),
            (None, '"') => string = Some(String::new()),
            (None, '{' | '[') => {
                depth += 1;
                if c == '{' && depth == 3 && key == "games" {
                    lines.push(line);
                }
            }
            (None, '}' | ']') => depth -= 1,
            (None, _) => {}
        }
    }
    lines
}

fn entries(read: &Tournament, system: System, names: &[String], lines: &[usize]) -> Result<Vec<Entry>, Text> {
    let find = |name: &str| {
        let name = clean(name, 60);
        let at = names.iter().position(|known| *known == name);
        at.ok_or_else(|| Text::new("terminal.tournament.bad.unknown").with("name", plain(&name)))
    };
    let entry = |game: &Game| -> Result<Entry, Text> {
        let first = find(&game.first)?;
        let second = game.second.as_deref().map(find).transpose()?;
        if second == Some(first) {
            return Err(Text::new("terminal.tournament.bad.self").with("name", plain(&names[first])));
        }
        let result = game.result.as_deref().map(str::trim).unwrap_or_default();
        let what = match (second, result) {
            (None, "absent") => What::Absent,
            (None, _) => What::Done(2),
            (_, "") => What::Open,
            (_, "1-0") => What::Done(2),
            (_, "draw" | "½-½" | "½" | "1/2-1/2" | "1/2") => What::Done(1),
            (_, "0-1") => What::Done(0),
            (_, other) => {
                return Err(Text::new("terminal.tournament.bad.result").with("value", plain(clean(other, 60))));
            }
        };
        Ok(Entry { pairing: Pairing { first, second }, what })
    };
    let mut entries = Vec::new();
    let mut met = BTreeMap::new();
    for (i, game) in read.games.iter().enumerate() {
        let line = lines.get(i).copied().unwrap_or(i + 1);
        let at = |why: Text| Text::new("node.bad.at.line").with("line", line as i64).with("why", why);
        let entry = entry(game).map_err(at)?;
        let Pairing { first, second } = entry.pairing;
        if let (System::RoundRobin, Some(second)) = (system, second)
            && let Some(before) = met.insert((first.min(second), first.max(second)), line)
        {
            let twice = Text::new("terminal.tournament.bad.twice")
                .with("a", plain(&names[first]))
                .with("b", plain(&names[second]));
            return Err(at(twice.with("line", before as i64)));
        }
        entries.push(entry);
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use outis_game::words::Language;

    use super::*;

    fn run_on(text: &str, json: bool) -> Result<String, String> {
        let file = crate::scratch::scratch("tournament");
        std::fs::write(&file, text).unwrap();
        let mut out = Vec::new();
        let english = Speech::of(Language::En);
        run_in(&english, &TournamentArgs { file, json }, &mut out).map_err(|failure| failure.to_string())?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_hungarian_club_reads_hungarian() {
        let file = crate::scratch::scratch("tournament-hu");
        std::fs::write(&file, r#"{"system": "swiss", "players": ["Anna", "Béla", "Cili"]}"#).unwrap();
        let mut out = Vec::new();
        run_in(&Speech::of(Language::Hu), &TournamentArgs { file, json: false }, &mut out).unwrap();
        let said = String::from_utf8(out).unwrap();
        for word in ["név   pont  játszma  győzelem", "következő forduló:", ": erőnyerő"] {
            assert!(said.contains(word), "{word} is not in:\n{said}");
        }
        assert!(!said.contains("terminal.") && !said.contains("bye"), "{said}");
    }

    fn ahead(system: &str, players: &[&str], games: &str) -> Value {
        let text = format!(r#"{{"system": "{system}", "players": {}, "games": [{games}]}}"#, json!(players));
        let mut said: Value = serde_json::from_str(&run_on(&text, true).unwrap()).unwrap();
        said.as_object_mut().unwrap().remove("standings");
        said
    }

    fn game(first: &str, second: &str, result: &str) -> String {
        json!({ "first": first, "second": second, "result": result }).to_string()
    }

    fn pairs(value: &Value) -> Vec<(String, String)> {
        let name = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        value.as_array().into_iter().flatten().map(|pair| (name(&pair["first"]), name(&pair["second"]))).collect()
    }

    const FOUR: [&str; 4] = ["Anna", "Béla", "Cili", "Dani"];

    #[test]
    fn a_tournament_is_paired_scored_and_printed() {
        let text = r#"{"system": "swiss", "players": ["Anna", "Béla", "Cili", "Dani", "Edit"], "games": [
            {"first": "Anna", "second": "Béla", "result": "1-0"}, {"first": "Cili", "second": "Dani", "result": "draw"},
            {"first": "Edit", "second": null}]}"#;
        let said = run_on(text, false).unwrap();
        assert!(said.contains("Anna") && said.contains("½") && said.contains(": bye"), "{said}");
        assert!(!said.contains("0½"), "{said}");
        let said: Value = serde_json::from_str(&run_on(text, true).unwrap()).unwrap();
        let next = said["next"].as_array().unwrap();
        let bye = next.iter().find(|pair| pair["second"].is_null()).unwrap();
        assert_ne!(bye["first"], "Edit", "nobody rests twice while another has not rested");
        assert!(!next.iter().any(|pair| pair["first"] == "Anna" && pair["second"] == "Béla"));
        let all = r#"{"system": "round-robin", "players": ["A", "B"], "games": [{"first": "B", "second": "A", "result": "0-1"}]}"#;
        assert!(run_on(all, false).unwrap().contains("All possible pairings"));
    }

    #[test]
    fn a_round_is_played_to_its_end_before_the_next_is_paired() {
        for system in ["round-robin", "swiss"] {
            let mut written = String::new();
            let first = pairs(&ahead(system, &FOUR, "")["next"]);
            assert_eq!(first.len(), 2, "{system}");
            // One result: the other game of the round is still open, and nobody is paired again.
            written += &game(&first[0].1, &first[0].0, "0-1");
            let said = ahead(system, &FOUR, &written);
            assert_eq!((pairs(&said["open"]), &said["next"]), (vec![first[1].clone()], &Value::Null), "{system}");
            // The same if the file has the game without a result, in either form.
            let other = json!({ "first": first[1].0, "second": first[1].1 }).to_string();
            for open in [game(&first[1].0, &first[1].1, ""), other] {
                let said = ahead(system, &FOUR, &format!("{written}, {open}"));
                assert_eq!((pairs(&said["open"]), &said["next"]), (vec![first[1].clone()], &Value::Null), "{system}");
                assert_eq!(said["unpaired"], json!([]));
            }
            let text = format!(r#"{{"system": "{system}", "players": {}, "games": [{written}]}}"#, json!(FOUR));
            let said = run_on(&text, false).unwrap();
            assert!(said.contains("this round, still to be played:") && !said.contains("next round"), "{said}");
            // Now the round is complete.
            written += &format!(", {}", game(&first[1].0, &first[1].1, "½"));
            let said = ahead(system, &FOUR, &written);
            assert_eq!(pairs(&said["open"]), []);
            let next = pairs(&said["next"]);
            assert!(next.len() == 2 && next.iter().all(|pair| !first.contains(pair)), "{system}: {next:?}");
        }
    }

    #[test]
    fn a_swiss_round_of_ones_own_pairing_says_who_has_no_game() {
        let own = pairs(&ahead("swiss", &FOUR, "")["next"]);
        let (a, b) = (&own[0].0, &own[1].0);
        let said = ahead("swiss", &FOUR, &game(a, b, "1-0"));
        assert_eq!((pairs(&said["open"]), &said["next"]), (vec![], &Value::Null));
        let mut rest: Vec<&str> = FOUR.into_iter().filter(|name| name != a && name != b).collect();
        rest.sort_unstable();
        assert_eq!(said["unpaired"], json!(rest));
    }

    #[test]
    fn an_absent_player_is_not_paired_and_gets_nothing() {
        let absent = r#"{"first": "Dani", "second": null, "result": "absent"}"#;
        let said = ahead("swiss", &FOUR, absent);
        let next = pairs(&said["next"]);
        assert!(next.len() == 2 && next.iter().all(|(a, b)| a != "Dani" && b != "Dani"), "{said}");
        assert!(next.iter().any(|(_, b)| b == "-"), "three players: a bye");
        let text = format!(r#"{{"system": "swiss", "players": {}, "games": [{absent}]}}"#, json!(FOUR));
        let said: Value = serde_json::from_str(&run_on(&text, true).unwrap()).unwrap();
        assert!(said["standings"].as_array().unwrap().iter().all(|row| row["points"] == 0.0), "{said}");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let games = |system: &str, games: &str| {
            format!(
                "{{\"system\": \"{system}\", \"note\": [{{\"a\": 1}}], \"players\": [\"A\", \"B\"],\n\"games\": [\n{games}\n]}}"
            )
        };
        for (text, why) in [
            ("{".to_owned(), "cannot be read as a tournament: EOF"),
            (r#"{"system": "knock-out", "players": []}"#.to_owned(), "“knock-out” is not a system; use swiss or"),
            (r#"{"system": "swiss", "players": ["A", "A"]}"#.to_owned(), "needs a different name"),
            (games("swiss", r#"{"first": "A", "second": "C"}"#), "line 3: no player is called “C”"),
            (games("swiss", &game("A", "B", "2-0")), "line 3: “2-0” is not a result; use 1-0, 0-1 or draw"),
            (games("swiss", &game("A", "A", "1-0")), "line 3: A plays against themselves"),
            (
                games("round-robin", &format!("{},\n\n{}", game("A", "B", "1-0"), game("B", "A", ""))),
                "line 5: B and A meet only once, and line 3 already has their game",
            ),
        ] {
            let said = run_on(&text, false).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}
