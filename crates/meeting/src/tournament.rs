//! Tournaments for games of two: round robin and Swiss, byes, tie-breaks and printable standings. Everything follows
//! from the list of players and the results, so everyone gets the same pairings.
#![expect(clippy::indexing_slicing, reason = "players are numbered by the list that is indexed")]

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A game of a round; `second` is `None` for a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The player in the first seat.
    pub first: usize,
    /// The player in the second seat.
    pub second: Option<usize>,
}

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The players.
    pub pairing: Pairing,
    /// The first player's half points: 2 for a win, 1 for a draw, 0 for a loss. The second player gets the rest; a bye
    /// is worth 2.
    pub halves: u8,
}

/// One player's row in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The player.
    pub player: usize,
    /// Half points.
    pub halves: u32,
    /// Half points of all opponents (Buchholz).
    pub buchholz: u32,
    /// Twice the half points of beaten opponents plus the half points of drawn ones (Sonneborn–Berger, in quarter
    /// points).
    pub sonneborn: u32,
    /// Games won, without byes.
    pub wins: u32,
    /// Games played, without byes.
    pub games: u32,
}

/// Everyone meets everyone once: the rounds, by the circle method. With an odd number of players, each has one bye.
pub fn round_robin(players: usize) -> Vec<Vec<Pairing>> {
    if players < 2 {
        return Vec::new();
    }
    let even = players + players % 2;
    let rounds = even - 1;
    (0..rounds)
        .map(|round| {
            let at = |place: usize| match place {
                0 => even - 1,
                _ => (round + place - 1) % rounds,
            };
            let pair = |i: usize| {
                let (a, b) = (at(i), at(even - 1 - i));
                // The fixed player has the first seat in every other round, the others by their position in the circle.
                let swap = if i == 0 { round % 2 == 1 } else { i % 2 == 1 };
                let (first, second) = if swap { (b, a) } else { (a, b) };
                match (first < players, second < players) {
                    (true, true) => Pairing { first, second: Some(second) },
                    (true, false) => Pairing { first, second: None },
                    _ => Pairing { first: second, second: None },
                }
            };
            (0..even / 2).map(pair).collect()
        })
        .collect()
}

/// The table after these games: by points, then Buchholz, Sonneborn–Berger, the games between players who are still
/// tied, wins, and finally the order of the list.
pub fn standings(players: usize, scores: &[Score]) -> Vec<Standing> {
    let mut halves = vec![0u32; players];
    let scores = known(players, scores);
    for Score { pairing, halves: got } in &scores {
        let got = u32::from((*got).min(2));
        match pairing.second {
            None => halves[pairing.first] += 2,
            Some(second) => {
                halves[pairing.first] += got;
                halves[second] += 2 - got;
            }
        }
    }
    let mut table: Vec<Standing> = (0..players)
        .map(|player| {
            let mut standing =
                Standing { player, halves: halves[player], buchholz: 0, sonneborn: 0, wins: 0, games: 0 };
            for (other, got) in meetings(player, &scores) {
                standing.games += 1;
                standing.buchholz += halves[other];
                standing.sonneborn += got * halves[other];
                standing.wins += u32::from(got == 2);
            }
            standing
        })
        .collect();
    let before = |s: &Standing| (Reverse(s.halves), Reverse(s.buchholz), Reverse(s.sonneborn));
    table.sort_by_key(|standing| (before(standing), standing.player));
    // Compares tied players by the games between them.
    let mut at = 0;
    while at < table.len() {
        let group = table[at..].iter().take_while(|s| before(s) == before(&table[at])).count();
        let members: BTreeSet<usize> = table[at..at + group].iter().map(|s| s.player).collect();
        let among = |player: usize| -> u32 {
            meetings(player, &scores).filter(|(other, _)| members.contains(other)).map(|(_, got)| got).sum()
        };
        table[at..at + group].sort_by_key(|s| (Reverse(among(s.player)), Reverse(s.wins), s.player));
        at += group;
    }
    table
}

/// The games between participants, without games of a player against themselves.
fn known(players: usize, scores: &[Score]) -> Vec<Score> {
    let takes_part = |score: &&Score| {
        let Pairing { first, second } = score.pairing;
        first < players && second.is_none_or(|second| second < players && second != first)
    };
    scores.iter().filter(takes_part).copied().collect()
}

/// A player's games: the opponent and the half points.
fn meetings(player: usize, scores: &[Score]) -> impl Iterator<Item = (usize, u32)> {
    scores.iter().filter_map(move |score| {
        let (second, got) = (score.pairing.second?, u32::from(score.halves.min(2)));
        if score.pairing.first == player {
            Some((second, got))
        } else {
            (second == player).then_some((score.pairing.first, 2 - got))
        }
    })
}

/// The next round of a Swiss tournament. Nobody meets anyone twice; as far as that allows, a bye goes to a player with
/// the fewest byes, and neighbours in the table meet. `None` if no such round was found.
pub fn swiss(players: usize, scores: &[Score]) -> Option<Vec<Pairing>> {
    swiss_without(players, scores, &BTreeSet::new())
}

/// The same, with some players absent from that round.
pub fn swiss_without(players: usize, scores: &[Score], absent: &BTreeSet<usize>) -> Option<Vec<Pairing>> {
    let scores = known(players, scores);
    let table = standings(players, &scores).into_iter().map(|standing| standing.player);
    let table: Vec<usize> = table.filter(|player| !absent.contains(player)).collect();
    if table.len() < 2 {
        return None;
    }
    let mut met: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut byes = vec![0usize; players];
    let mut first = vec![0usize; players];
    for Score { pairing, .. } in &scores {
        match pairing.second {
            Some(second) => {
                met.insert((pairing.first.min(second), pairing.first.max(second)));
                first[pairing.first] += 1;
            }
            None => byes[pairing.first] += 1,
        }
    }
    let mut budget = 200_000;
    let resting: Vec<Option<usize>> = if table.len() % 2 == 1 {
        // From the bottom of the table up; players who had a bye come last.
        let mut order: Vec<usize> = table.iter().rev().copied().collect();
        order.sort_by_key(|player| byes[*player]);
        order.into_iter().map(Some).collect()
    } else {
        vec![None]
    };
    for rest in resting {
        let open: Vec<usize> = table.iter().copied().filter(|player| Some(*player) != rest).collect();
        let Some(mut pairs) = pair_up(&open, &met, &mut budget) else { continue };
        // The player who has had the first seat less often gets it now.
        for (a, b) in pairs.iter_mut().filter(|(a, b)| first[*b] < first[*a]) {
            core::mem::swap(a, b);
        }
        let pairs = pairs.into_iter().map(|(first, second)| Pairing { first, second: Some(second) });
        return Some(pairs.chain(rest.map(|first| Pairing { first, second: None })).collect());
    }
    None
}

/// Pairs neighbours, and backtracks at a dead end. A few hundred players need a few hundred steps; the budget bounds
/// the worst case.
fn pair_up(open: &[usize], met: &BTreeSet<(usize, usize)>, budget: &mut u32) -> Option<Vec<(usize, usize)>> {
    let Some((&first, rest)) = open.split_first() else { return Some(Vec::new()) };
    for (i, &second) in rest.iter().enumerate() {
        *budget = budget.checked_sub(1)?;
        if met.contains(&(first.min(second), first.max(second))) {
            continue;
        }
        let mut left = rest.to_vec();
        left.remove(i);
        if let Some(mut pairs) = pair_up(&left, met, budget) {
            pairs.insert(0, (first, second));
            return Some(pairs);
        }
    }
    None
}

/// The words above the columns of a printed table.
#[derive(Clone, Debug)]
pub struct Columns {
    /// The player.
    pub name: String,
    /// Points.
    pub points: String,
    /// Games played.
    pub games: String,
    /// Games won.
    pub wins: String,
    /// Buchholz.
    pub buchholz: String,
    /// Sonneborn–Berger.
    pub sonneborn: String,
}

/// The table as text, for a notice board. It shows whole and half points.
pub fn print(columns: &Columns, names: &[String], table: &[Standing]) -> String {
    let half = |n: u32| match (n / 2, n % 2) {
        (0, 1) => "½".to_owned(),
        (whole, odd) => format!("{whole}{}", if odd == 1 { "½" } else { "" }),
    };
    let quarter = |n: u32| format!("{}.{:02}", n / 4, n % 4 * 25);
    let width = names.iter().chain([&columns.name]).map(|name| name.chars().count()).max().unwrap_or(0);
    let Columns { name, points, games, wins, buchholz, sonneborn } = columns.clone();
    let heads = [points, games, wins, buchholz, sonneborn];
    let line = |place: &str, name: &str, values: [String; 5]| {
        let cells = heads.iter().zip(values).map(|(head, value)| format!("  {value:>0$}", head.chars().count()));
        format!("{place:>4}  {name:width$}{}\n", cells.collect::<String>())
    };
    let mut out = line("#", &name, heads.clone());
    for (place, row) in (1u32..).zip(table) {
        let name = names.get(row.player).map_or("?", |name| name);
        let (games, wins) = (row.games.to_string(), row.wins.to_string());
        let values = [half(row.halves), games, wins, half(row.buchholz), quarter(row.sonneborn)];
        out += &line(&place.to_string(), name, values);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(rounds: &[Vec<Pairing>]) -> Vec<(usize, usize)> {
        let pairs = rounds.iter().flatten().filter_map(|p| Some((p.first.min(p.second?), p.first.max(p.second?))));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    fn players_of(round: &[Pairing]) -> Vec<usize> {
        let mut all: Vec<usize> = round.iter().flat_map(|p| [Some(p.first), p.second]).flatten().collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn everybody_meets_everybody_once() {
        for players in 2..=17 {
            let rounds = round_robin(players);
            let all: Vec<(usize, usize)> = (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect();
            assert_eq!(met(&rounds), all, "{players} players");
            for round in &rounds {
                assert_eq!(players_of(round), (0..players).collect::<Vec<_>>(), "everybody once a round");
            }
            for player in 0..players {
                let first = rounds.iter().flatten().filter(|p| p.second.is_some() && p.first == player).count();
                let games = players - 1;
                assert!(first.abs_diff(games - first) <= 2, "{players} players: {player} first {first} of {games}");
            }
        }
        assert!(round_robin(0).is_empty() && round_robin(1).is_empty());
    }

    #[test]
    fn swiss_never_repeats_and_spreads_byes() {
        for players in 2..=24usize {
            let mut scores = Vec::new();
            let mut rounds = Vec::new();
            let possible = if players % 2 == 0 { players - 1 } else { players };
            for round in 0..possible.min(7) {
                let Some(pairings) = swiss(players, &scores) else {
                    // An unfortunate order of earlier rounds may leave no pairing, but never in the first half.
                    assert!(round * 2 >= possible, "{players} players, round {round}");
                    break;
                };
                assert_eq!(players_of(&pairings), (0..players).collect::<Vec<_>>());
                for pairing in &pairings {
                    let luck = (pairing.first * 7 + pairing.second.unwrap_or(0) * 3 + round) % 3;
                    scores.push(Score { pairing: *pairing, halves: luck as u8 });
                }
                rounds.push(pairings);
            }
            let pairs = met(&rounds);
            let distinct: BTreeSet<_> = pairs.iter().collect();
            assert_eq!(distinct.len(), pairs.len(), "{players} players: nobody twice");
            let byes = |player| rounds.iter().flatten().filter(|p| p.second.is_none() && p.first == player).count();
            let most = (0..players).map(byes).max().unwrap_or(0);
            assert!(most <= rounds.len().div_ceil(players).max(1), "{players} players");
            assert_eq!(swiss(players, &scores), swiss(players, &scores), "everybody computes the same");
        }
        assert!(swiss(1, &[]).is_none());
    }

    #[test]
    fn swiss_of_many_is_quick() {
        let mut scores = Vec::new();
        for round in 0..9 {
            for pairing in swiss(200, &scores).unwrap() {
                scores.push(Score { pairing, halves: ((pairing.first + round) % 3) as u8 });
            }
        }
        assert_eq!(scores.len(), 900);
    }

    #[test]
    fn ties_are_broken_in_order() {
        let game = |first, second, halves| Score { pairing: Pairing { first, second: Some(second) }, halves };
        let scores = [game(0, 1, 2), game(2, 3, 2), game(1, 2, 2), game(3, 0, 2), game(0, 2, 1), game(1, 3, 1)];
        let table = standings(4, &scores);
        assert_eq!(table.iter().map(|s| s.halves).sum::<u32>(), 12);
        assert!(table.windows(2).all(|w| w[0].halves >= w[1].halves));
        // All have three half points and equal Buchholz; then Sonneborn–Berger decides, then the games between them.
        assert!(table.iter().all(|s| s.halves == 3 && s.buchholz == 9));
        assert_eq!(table.iter().map(|s| s.player).collect::<Vec<_>>(), [0, 1, 2, 3]);
        // A win between two players who are otherwise tied.
        let table = standings(2, &[game(1, 0, 2), game(0, 1, 2), game(1, 0, 2)]);
        assert_eq!(table[0].player, 1);
        let bye = Score { pairing: Pairing { first: 0, second: None }, halves: 0 };
        assert_eq!(standings(3, &[bye, game(1, 2, 1)])[0].halves, 2);
        let odd = Score { pairing: Pairing { first: 9, second: Some(1) }, halves: 2 };
        assert_eq!(standings(2, &[odd])[0].halves, 0, "nobody we know");
        let alone = Score { pairing: Pairing { first: 1, second: Some(1) }, halves: 2 };
        let away = Score { pairing: Pairing { first: 9, second: None }, halves: 2 };
        assert_eq!(standings(2, &[alone])[0].halves, 0, "nobody plays against themselves");
        assert_eq!(swiss(2, &[odd, alone, away]), swiss(2, &[]));
    }

    #[test]
    fn the_table_can_be_printed() {
        let names = ["Anna".to_owned(), "Őzike".to_owned()];
        let score = Score { pairing: Pairing { first: 1, second: Some(0) }, halves: 1 };
        let [name, points, games, wins] = ["name", "points", "games", "wins"].map(str::to_owned);
        let [buchholz, sonneborn] = ["Buchholz", "Sonneborn–Berger"].map(str::to_owned);
        let columns = Columns { name, points, games, wins, buchholz, sonneborn };
        let text = print(&columns, &names, &standings(2, &[score]));
        assert!(text.lines().count() == 3 && text.contains("½") && text.contains("Őzike"), "{text}");
        assert!(!text.contains("0½"), "{text}");
    }

    #[test]
    fn a_player_who_does_not_play_is_not_paired() {
        let players = |round: &[Pairing]| players_of(round);
        let round = swiss_without(5, &[], &BTreeSet::from([1])).unwrap();
        assert_eq!(players(&round), [0, 2, 3, 4]);
        assert!(round.iter().all(|pairing| pairing.second.is_some()), "four are an even number");
        let round = swiss_without(4, &[], &BTreeSet::from([0])).unwrap();
        assert_eq!(round.iter().filter(|pairing| pairing.second.is_none()).count(), 1);
        assert!(swiss_without(3, &[], &BTreeSet::from([0, 1])).is_none());
    }
}
