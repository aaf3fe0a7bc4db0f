//! Ratings by Glicko-2 that anyone can recompute, to the last bit.
//!
//! The system is Glickman's: each player has a rating, a deviation and a volatility, updated once per period from all
//! games of that period. The code uses only additions, multiplications, divisions and square roots of IEEE 754 doubles,
//! in the order written here; it computes `exp` and `ln` as series of those, because the standard library's may differ
//! between machines. So the table is a function of the set of results, no matter who computes it and in what order
//! they arrived.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::GameVerdict;
use crate::{Millis, Name};

/// A player's key.
pub type Key = [u8; 32];

/// The constant of the system that limits how fast volatility changes.
pub const TAU: f64 = 0.5;
/// A period is one day of results.
pub const PERIOD: Millis = 24 * 3_600_000;
/// Points of the usual scale per unit of the internal scale.
const SCALE: f64 = 173.7178;
/// The precision of the volatility.
const CLOSE: f64 = 0.000_001;
/// The largest deviation: no rating is less certain than a new player's.
const MOST_DEVIATION: f64 = 350.0;

/// An estimate of a player's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// On the usual scale: 1500 for a new player.
    pub rating: f64,
    /// The uncertainty of the rating: 350 for a new player.
    pub deviation: f64,
    /// The expected fluctuation of the rating: 0.06 for a new player.
    pub volatility: f64,
    /// The number of games that counted.
    pub games: u32,
}

impl Default for Rating {
    fn default() -> Self {
        Self { rating: 1_500.0, deviation: MOST_DEVIATION, volatility: 0.06, games: 0 }
    }
}

/// A game of two, from one player's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The opponent's rating.
    pub other: Rating,
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    pub score: f64,
}

/// `e` to the power of `x`.
fn exp(x: f64) -> f64 {
    // Halves the argument until it is small, sums a series, and squares the result as often.
    let mut halvings = 0;
    let mut small = x;
    while !(-0.25..=0.25).contains(&small) && halvings < 64 {
        small /= 2.0;
        halvings += 1;
    }
    let (mut sum, mut term) = (1.0, 1.0);
    for n in 1..=14 {
        term = term * small / f64::from(n);
        sum += term;
    }
    for _ in 0..halvings {
        sum *= sum;
    }
    sum
}

/// The natural logarithm of a positive number.
fn ln(x: f64) -> f64 {
    // Powers of two bring the number near one; then ln(m) = 2 artanh((m - 1) / (m + 1)).
    const LN_2: f64 = core::f64::consts::LN_2;
    let (mut m, mut twos) = (x, 0);
    while m > 1.5 && twos < 2_000 {
        m /= 2.0;
        twos += 1;
    }
    while m < 0.75 && twos > -2_000 {
        m *= 2.0;
        twos -= 1;
    }
    let t = (m - 1.0) / (m + 1.0);
    let square = t * t;
    let (mut sum, mut power) = (0.0, t);
    for n in 0..20 {
        sum += power / f64::from(2 * n + 1);
        power *= square;
    }
    2.0 * sum + f64::from(twos) * LN_2
}

const PI: f64 = core::f64::consts::PI;

fn g(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

/// A player's rating after this many periods without a game: less certain, up to the deviation of a new player.
fn after_idle(player: Rating, periods: u64) -> Rating {
    let (phi, sigma) = (player.deviation / SCALE, player.volatility);
    // The conversion is exact for every possible number of days.
    let phi = (phi * phi + periods as f64 * (sigma * sigma)).sqrt();
    Rating { deviation: (phi * SCALE).min(MOST_DEVIATION), ..player }
}

/// A player's rating after one period with these games, in this order.
pub fn after_period(player: Rating, games: &[Played]) -> Rating {
    let mu = (player.rating - 1_500.0) / SCALE;
    let phi = player.deviation / SCALE;
    let sigma = player.volatility;
    if games.is_empty() {
        return after_idle(player, 1);
    }
    let (mut information, mut surprise) = (0.0, 0.0);
    for Played { other, score } in games {
        let (theirs, weight) = ((other.rating - 1_500.0) / SCALE, g(other.deviation / SCALE));
        let expected = 1.0 / (1.0 + exp(-weight * (mu - theirs)));
        information += weight * weight * expected * (1.0 - expected);
        surprise += weight * (score - expected);
    }
    let v = 1.0 / information;
    let delta = v * surprise;
    let sigma = volatility(sigma, delta, phi, v);
    let wide = (phi * phi + sigma * sigma).sqrt();
    let phi = 1.0 / (1.0 / (wide * wide) + 1.0 / v).sqrt();
    let mu = mu + phi * phi * surprise;
    let games = player.games.saturating_add(u32::try_from(games.len()).unwrap_or(u32::MAX));
    let deviation = (phi * SCALE).min(MOST_DEVIATION);
    Rating { rating: mu * SCALE + 1_500.0, deviation, volatility: sigma, games }
}

/// The new volatility: the root of the system's equation, by regula falsi with the Illinois rule.
fn volatility(sigma: f64, delta: f64, phi: f64, v: f64) -> f64 {
    let start = ln(sigma * sigma);
    let f = |x: f64| {
        let e = exp(x);
        let d = phi * phi + v + e;
        e * (delta * delta - phi * phi - v - e) / (2.0 * d * d) - (x - start) / (TAU * TAU)
    };
    let mut low = start;
    let spread = delta * delta - phi * phi - v;
    let mut high = if spread > 0.0 {
        ln(spread)
    } else {
        let mut k = 1.0;
        while f(start - k * TAU) < 0.0 && k < 1_000.0 {
            k += 1.0;
        }
        start - k * TAU
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    // It converges within a few steps; the bound only guarantees that it ends.
    for _ in 0..1_000 {
        if (high - low).abs() <= CLOSE {
            break;
        }
        let middle = low + (low - high) * f_low / (f_high - f_low);
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            low = high;
            f_low = f_high;
        } else {
            f_low /= 2.0;
        }
        high = middle;
        f_high = f_middle;
    }
    exp(low / 2.0)
}

/// The ratings of all players of a game, from the verdicts that count. A table of more than two players counts as one
/// game per pair. Of several verdicts about one table, the one with the smallest name counts, so the order of arrival
/// does not matter.
pub fn table<'a>(verdicts: impl IntoIterator<Item = (Name, &'a GameVerdict)>, game: &str) -> BTreeMap<Key, Rating> {
    let mut chosen: BTreeMap<Name, (Name, &GameVerdict)> = BTreeMap::new();
    for (name, verdict) in verdicts {
        let distinct: BTreeSet<&Key> = verdict.players.iter().map(|key| key.as_bytes()).collect();
        if verdict.counts() && verdict.game == game && distinct.len() == verdict.players.len() {
            let known = chosen.entry(verdict.table).or_insert((name, verdict));
            if name < known.0 {
                *known = (name, verdict);
            }
        }
    }
    let mut periods: BTreeMap<Millis, Vec<&GameVerdict>> = BTreeMap::new();
    // Within a period the order is by table, which the map already has. Days are counted from one, so that each has a
    // day before it.
    for (_, verdict) in chosen.values() {
        periods.entry(verdict.at / PERIOD + 1).or_default().push(verdict);
    }
    // Each rating has the last period that it covers. A player costs work only in periods with their own games, because
    // a lobby could invent any number of players and days.
    let mut ratings: BTreeMap<Key, (Millis, Rating)> = BTreeMap::new();
    let last = periods.keys().next_back().copied().unwrap_or_default();
    let up_to = |period: Millis, (at, rating): (Millis, Rating)| match period - at {
        0 => rating,
        idle => after_idle(rating, idle),
    };
    for (period, verdicts) in periods {
        let players = verdicts.iter().flat_map(|verdict| &verdict.players).map(|key| *key.as_bytes());
        let known = |key| ratings.get(&key).map_or_else(Rating::default, |known| up_to(period - 1, *known));
        let before: BTreeMap<Key, Rating> = players.map(|key| (key, known(key))).collect();
        let mut games: BTreeMap<Key, Vec<Played>> = BTreeMap::new();
        for verdict in verdicts {
            let seats = || verdict.players.iter().zip(&verdict.scores);
            for (own, score) in seats() {
                for (other, theirs) in seats().filter(|(other, _)| *other != own) {
                    let score = match score.cmp(theirs) {
                        core::cmp::Ordering::Greater => 1.0,
                        core::cmp::Ordering::Equal => 0.5,
                        core::cmp::Ordering::Less => 0.0,
                    };
                    let other = before.get(other.as_bytes()).copied().unwrap_or_default();
                    games.entry(*own.as_bytes()).or_default().push(Played { other, score });
                }
            }
        }
        for (key, games) in games {
            let rating = after_period(before.get(&key).copied().unwrap_or_default(), &games);
            ratings.insert(key, (period, rating));
        }
    }
    ratings.into_iter().map(|(key, known)| (key, up_to(last, known))).collect()
}

#[cfg(test)]
mod tests {
    use outis_table::identity::Identity;

    use super::*;
    use crate::archive::Outcome;

    /// The example that Glickman published with the system.
    #[test]
    fn the_published_example() {
        let player = Rating { rating: 1_500.0, deviation: 200.0, volatility: 0.06, games: 0 };
        let other = |rating, deviation| Rating { rating, deviation, volatility: 0.06, games: 0 };
        let games = [
            Played { other: other(1_400.0, 30.0), score: 1.0 },
            Played { other: other(1_550.0, 100.0), score: 0.0 },
            Played { other: other(1_700.0, 300.0), score: 0.0 },
        ];
        let after = after_period(player, &games);
        assert!((after.rating - 1_464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.059_99).abs() < 0.000_01, "{after:?}");
        let (rating, deviation) = (after.rating.to_bits(), after.deviation.to_bits());
        assert_eq!((rating, deviation), KNOWN, "the same bits on every machine: {rating:#x}, {deviation:#x}");
    }

    const KNOWN: (u64, u64) = (0x4096_e033_e2fa_54ae, 0x4062_f087_5d99_71fc);

    #[test]
    fn the_series_are_close_to_what_they_stand_for() {
        for i in -200..=200 {
            let x = f64::from(i) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "{x}");
        }
        for i in 1..500 {
            let x = f64::from(i) * f64::from(i) / 500.0;
            assert!((ln(x) - x.ln()).abs() < 1e-12, "{x}");
        }
        for tiny in [1e-300, 1e-9, 1e300] {
            assert!((ln(tiny) - tiny.ln()).abs() < 1e-9);
        }
    }

    fn verdict(n: u8, at: Millis, scores: &[i64]) -> GameVerdict {
        let key = |n: u8| Identity::from_secret(&[n; 32]).public();
        GameVerdict {
            verifier: key(99),
            log: [n; 32],
            table: [n; 32],
            head: [0; 32],
            game: "poker".into(),
            players: (1..=scores.len() as u8).map(key).collect(),
            outcome: Outcome::Finished,
            scores: scores.to_vec(),
            at,
            words: String::new(),
        }
    }

    #[test]
    fn the_order_of_arrival_is_nothing_and_a_table_counts_once() {
        let verdicts: Vec<GameVerdict> = (0..12u8)
            .map(|n| verdict(n, u64::from(n / 3) * PERIOD * 2, &[i64::from(n % 3), 1, i64::from(n % 2)]))
            .collect();
        let named = |order: &[usize]| -> BTreeMap<Key, Rating> {
            table(order.iter().map(|i| ([*i as u8; 32], &verdicts[*i])), "poker")
        };
        let forwards = named(&(0..12).collect::<Vec<_>>());
        let backwards = named(&(0..12).rev().collect::<Vec<_>>());
        let twice = named(&(0..12).chain(0..12).collect::<Vec<_>>());
        assert_eq!(forwards.len(), 3);
        assert!(forwards == backwards && forwards == twice, "to the last bit");
        assert!(table(verdicts.iter().map(|v| ([0; 32], v)), "tarokk").is_empty());
    }

    #[test]
    fn winning_is_worth_something_and_absence_makes_uncertain() {
        let verdicts: Vec<GameVerdict> = (0..10u8).map(|n| verdict(n, u64::from(n) * PERIOD, &[1, 0])).collect();
        let all = table(verdicts.iter().map(|v| (v.log, v)), "poker");
        let rating = |n: u8| all[Identity::from_secret(&[n; 32]).public().as_bytes()];
        assert!(rating(1).rating > 1_600.0 && rating(2).rating < 1_400.0);
        assert!(rating(1).deviation < 250.0);
        assert_eq!(rating(1).games, 10);
        // Computing idle days one by one gives the same result.
        let (mut day_by_day, at_once) = (rating(1), after_idle(rating(1), 40));
        (0..40).for_each(|_| day_by_day = after_period(day_by_day, &[]));
        assert!((day_by_day.deviation - at_once.deviation).abs() < 1e-9);
        let idle = after_period(rating(1), &[]);
        assert!(idle.deviation > rating(1).deviation && idle.rating == rating(1).rating);
    }

    /// Twenty thousand results, each on a different day: the days in between cost nothing.
    #[test]
    fn invented_days_and_players_cost_little() {
        let keys: Vec<_> = (0..40u8).map(|n| Identity::from_secret(&[n + 1; 32]).public()).collect();
        let verdicts: Vec<GameVerdict> = (0..20_000u64)
            .map(|n| {
                let mut verdict = verdict(0, n * PERIOD * 3, &[1, 0]);
                verdict.table[..8].copy_from_slice(&n.to_le_bytes());
                let pair = n as usize % 780;
                let (a, b) = ((0..40).flat_map(|a| (0..a).map(move |b| (a, b)))).nth(pair).unwrap();
                verdict.players = vec![keys[a], keys[b]];
                verdict
            })
            .collect();
        let all = table(verdicts.iter().map(|v| (v.table, v)), "poker");
        assert_eq!(all.len(), 40);
        assert_eq!(all.values().map(|rating| rating.games).sum::<u32>(), 40_000);
    }

    #[test]
    fn odd_results_do_not_count() {
        let mut none = verdict(1, 0, &[1, 0]);
        none.outcome = Outcome::Fault(0);
        let mut short = verdict(2, 0, &[1, 0]);
        short.scores.pop();
        let mut twice = verdict(3, 0, &[1, 0]);
        twice.players[1] = twice.players[0];
        let all = [none, short, twice];
        assert!(table(all.iter().map(|v| (v.log, v)), "poker").is_empty());
        // Extreme scores are only compared.
        let huge = verdict(4, u64::MAX, &[i64::MAX, i64::MIN]);
        let rated = table([(huge.log, &huge)], "poker");
        assert!(rated.values().all(|r| r.rating.is_finite() && r.deviation.is_finite()));
    }
}
