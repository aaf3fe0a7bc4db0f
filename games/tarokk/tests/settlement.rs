//! The settlement: every worked example of the thesis (TK-51, TK-52, TK-58 to TK-63), and what must hold for all accounts.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_tarokk::rules::announce::Announcement;
use outis_tarokk::rules::auction::Bid;
use outis_tarokk::rules::facts::{Facts, Sides};
use outis_tarokk::rules::figures::{Figure, Side};
use outis_tarokk::rules::seats::Player;
use outis_tarokk::rules::settle::{Account, Count, Item, What, count_payments, failed_trial, payments};
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

use Side::{Declarer, Opponents};

/// Facts with these points for the declarer's side and nothing else for anyone.
fn facts(points: u8) -> Facts {
    Facts {
        points: [points, 94 - points],
        tricks: [5, 4],
        honours: [Declarer, Opponents, Declarer],
        kings: [Declarer, Opponents, Declarer, Opponents],
        pagat_last: None,
        xxi_caught_by: None,
    }
}

/// All nine tricks for a side, with all kings and honours.
fn volat(side: Side) -> Facts {
    let mut facts = facts(if side == Declarer { 90 } else { 4 });
    facts.tricks = if side == Declarer { [9, 0] } else { [0, 9] };
    facts.honours = [side; 3];
    facts.kings = [side; 4];
    facts
}

fn said(figure: Figure, side: Side, kontra: u8) -> Announcement {
    Announcement { figure, side, kontra }
}

/// What one player of the declarer's side wins from one of the others.
fn net(bid: Bid, game_kontra: u8, announcements: &[Announcement], facts: Facts) -> i64 {
    let items = Account { bid, game_kontra, announcements, facts }.items();
    items.iter().map(|item| if item.side == Declarer { item.points } else { -item.points }).sum()
}

/// TK-37, TK-59, TK-60 rule 1: 1 to 4 points, won from 48 (the others from 47), twice from 71 to 23, three times with all tricks.
#[test]
fn game_values_and_thresholds() {
    for (bid, value) in [(Bid::Three, 1), (Bid::Two, 2), (Bid::One, 3), (Bid::Solo, 4)] {
        assert_eq!(net(bid, 0, &[], facts(48)), value);
        assert_eq!(net(bid, 0, &[], facts(47)), -value);
        assert_eq!(net(bid, 0, &[], facts(70)), value);
        assert_eq!(net(bid, 0, &[], facts(71)), 2 * value);
        assert_eq!(net(bid, 0, &[], facts(24)), -value);
        assert_eq!(net(bid, 0, &[], facts(23)), -2 * value);
        assert_eq!(net(bid, 0, &[], volat(Declarer)), 3 * value);
        assert_eq!(net(bid, 0, &[], volat(Opponents)), -3 * value);
    }
}

/// TK-63: kettes with 75 points is 4, not 6.
#[test]
fn double_stands_in_the_place_of_the_game() {
    assert_eq!(net(Bid::Two, 0, &[], facts(75)), 4);
}

/// TK-62, TK-63: silent duplajáték, trull and four kings are 4, a silent volát is 3.
#[test]
fn a_volat_may_be_worth_less() {
    let mut eight = volat(Declarer);
    eight.tricks = [8, 1];
    assert_eq!(net(Bid::Three, 0, &[], eight), 2 + 1 + 1);
    assert_eq!(net(Bid::Three, 0, &[], volat(Declarer)), 3);
    // Announced ones count beside a volát, announced or not.
    let both = [said(Figure::Trull, Declarer, 0), said(Figure::FourKings, Declarer, 0)];
    assert_eq!(net(Bid::Three, 0, &both, volat(Declarer)), 3 + 2 + 2);
    assert_eq!(net(Bid::Three, 0, &[said(Figure::Volat, Declarer, 0)], volat(Declarer)), 6);
}

/// TK-52: egyes game: 3, 6, 12, 24, 48, 96.
#[test]
fn kontra_to_mordkontra() {
    for (level, points) in [3, 6, 12, 24, 48, 96].into_iter().enumerate() {
        assert_eq!(net(Bid::One, level as u8, &[], facts(50)), points);
        assert_eq!(net(Bid::One, level as u8, &[], facts(40)), -points);
    }
}

/// TK-51: what figures pay, silent and announced.
#[test]
fn figures() {
    let game = 1;
    let mut f = facts(50);
    f.honours = [Declarer; 3];
    assert_eq!(net(Bid::Three, 0, &[], f), game + 1);
    assert_eq!(net(Bid::Three, 0, &[said(Figure::Trull, Declarer, 0)], f), game + 2);
    assert_eq!(net(Bid::Three, 0, &[said(Figure::Trull, Opponents, 0)], f), game + 2 + 1);
    let mut f = facts(50);
    f.kings = [Opponents; 4];
    assert_eq!(net(Bid::Three, 0, &[], f), game - 1);
    assert_eq!(net(Bid::Three, 0, &[said(Figure::FourKings, Opponents, 0)], f), game - 2);
    let mut f = facts(50);
    f.xxi_caught_by = Some(Opponents);
    assert_eq!(net(Bid::Three, 0, &[], f), game - 21);
    assert_eq!(net(Bid::Three, 0, &[said(Figure::XxiCatch, Opponents, 0)], f), game - 42);
    assert_eq!(net(Bid::Three, 0, &[said(Figure::XxiCatch, Declarer, 0)], facts(50)), game - 42);
    // Announced by one side, done by the other.
    assert_eq!(net(Bid::Three, 0, &[said(Figure::XxiCatch, Declarer, 0)], f), game - 42 - 21);
}

/// TK-51: pagát ultimo, and the three ways in which an announced one fails.
#[test]
fn pagat_ultimo() {
    let last = |side, won| Facts { pagat_last: Some((side, won)), ..facts(50) };
    let announced = [said(Figure::PagatUltimo, Declarer, 0)];
    assert_eq!(net(Bid::Three, 0, &[], last(Declarer, true)), 1 + 5);
    assert_eq!(net(Bid::Three, 0, &[], last(Declarer, false)), 1 - 5);
    assert_eq!(net(Bid::Three, 0, &[], last(Opponents, true)), 1 - 5);
    assert_eq!(net(Bid::Three, 0, &[], last(Opponents, false)), 1 + 5);
    assert_eq!(net(Bid::Three, 0, &announced, last(Declarer, true)), 1 + 10);
    assert_eq!(net(Bid::Three, 0, &announced, last(Declarer, false)), 1 - 10, "beaten in the last trick");
    assert_eq!(net(Bid::Three, 0, &announced, facts(50)), 1 - 10, "played too early");
    assert_eq!(net(Bid::Three, 0, &announced, last(Opponents, true)), 1 - 10 - 5, "not theirs, and made by the others");
    assert_eq!(
        net(Bid::Three, 0, &announced, last(Opponents, false)),
        1 - 10 + 5,
        "not theirs, and lost by the others"
    );
}

/// TK-60, rule 2: announced duplajáték.
#[test]
fn announced_double() {
    for bid in Bid::ALL {
        let b = bid.value();
        let double = [said(Figure::Double, Declarer, 0)];
        assert_eq!(net(bid, 0, &double, facts(71)), 4 * b);
        assert_eq!(net(bid, 0, &double, facts(70)), -4 * b, "the game itself is won, and not paid");
        assert_eq!(net(bid, 0, &double, facts(40)), -5 * b, "five times the base");
        assert_eq!(net(bid, 0, &double, facts(20)), -4 * b - 2 * b);
        assert_eq!(net(bid, 0, &double, volat(Opponents)), -4 * b - 3 * b);
        assert_eq!(net(bid, 0, &double, volat(Declarer)), 4 * b + 3 * b);
        // The same for the other side.
        let double = [said(Figure::Double, Opponents, 0)];
        assert_eq!(net(bid, 0, &double, facts(23)), -4 * b);
        assert_eq!(net(bid, 0, &double, facts(48)), 5 * b);
    }
}

/// TK-60, rules 3 and 4: both announced, or volát alone.
#[test]
fn announced_volat() {
    for bid in Bid::ALL {
        let b = bid.value();
        let both = [said(Figure::Double, Declarer, 0), said(Figure::Volat, Declarer, 0)];
        assert_eq!(net(bid, 0, &both, volat(Declarer)), 4 * b + 6 * b);
        assert_eq!(net(bid, 0, &both, facts(80)), 4 * b - 6 * b);
        assert_eq!(net(bid, 0, &both, facts(60)), -10 * b);
        assert_eq!(net(bid, 0, &both, facts(47)), -10 * b - b);
        assert_eq!(net(bid, 0, &both, facts(10)), -10 * b - 2 * b);
        assert_eq!(net(bid, 0, &both, volat(Opponents)), -10 * b - 3 * b);
        let volat_only = [said(Figure::Volat, Declarer, 0)];
        assert_eq!(net(bid, 0, &volat_only, volat(Declarer)), 6 * b);
        assert_eq!(net(bid, 0, &volat_only, facts(80)), -6 * b, "neither game nor duplajáték for the announcer");
        assert_eq!(net(bid, 0, &volat_only, facts(47)), -7 * b);
        assert_eq!(net(bid, 0, &volat_only, facts(23)), -8 * b);
    }
}

/// TK-60, rules 5 and 6: a game under kontra is always paid.
#[test]
fn game_under_kontra() {
    for bid in Bid::ALL {
        let b = bid.value();
        assert_eq!(net(bid, 1, &[], facts(75)), 2 * b + 2 * b);
        assert_eq!(net(bid, 1, &[], volat(Declarer)), 2 * b + 3 * b);
        assert_eq!(net(bid, 2, &[], facts(20)), -4 * b - 2 * b);
        let double = [said(Figure::Double, Declarer, 0)];
        assert_eq!(net(bid, 1, &double, facts(71)), 2 * b + 4 * b);
        assert_eq!(net(bid, 1, &double, facts(60)), 2 * b - 4 * b);
        assert_eq!(net(bid, 1, &double, facts(40)), -2 * b - 4 * b);
        assert_eq!(net(bid, 1, &double, volat(Declarer)), 2 * b + 4 * b + 3 * b);
        let both = [said(Figure::Double, Declarer, 1), said(Figure::Volat, Declarer, 0)];
        assert_eq!(net(bid, 1, &both, volat(Declarer)), 2 * b + 8 * b + 6 * b);
    }
}

/// TK-61: the two worked examples on four kings.
#[test]
fn one_figure_twice() {
    let mut f = facts(50);
    f.kings = [Opponents; 4];
    assert_eq!(net(Bid::Three, 0, &[said(Figure::FourKings, Declarer, 0)], f), 1 - 3);
    let both = [said(Figure::FourKings, Declarer, 1), said(Figure::FourKings, Opponents, 0)];
    assert_eq!(net(Bid::Three, 0, &both, f), 1 - 6);
    f.kings = [Declarer; 4];
    assert_eq!(net(Bid::Three, 0, &both, f), 1 + 6);
    assert_eq!(net(Bid::Three, 0, &both, facts(50)), 1 - 2);
}

/// TK-58, TK-43, TK-53: who pays whom.
#[test]
fn payments_go_round() {
    let [a, b, c, d] = Player::ALL;
    let two = Sides { declarer: b, partner: Some(d) };
    let alone = Sides { declarer: b, partner: None };
    let item = [Item { what: What::Game, side: Declarer, points: 2 }];
    assert_eq!(payments(&item, two), [-2, 2, -2, 2]);
    assert_eq!(payments(&item, alone), [-2, 6, -2, -2]);
    assert_eq!(failed_trial(d, Bid::Three), [1, 1, 1, -3]);
    assert_eq!(failed_trial(d, Bid::Solo), [4, 4, 4, -12]);
    let count = |player, tarokks, announced| [Count { player, tarokks, announced }];
    assert_eq!(count_payments(&count(a, 8, true), two), [3, -1, -1, -1]);
    assert_eq!(count_payments(&count(a, 9, true), two), [6, -2, -2, -2]);
    assert_eq!(count_payments(&count(a, 8, false), two), [1, 0, -1, 0]);
    assert_eq!(count_payments(&count(b, 9, false), two), [0, 2, 0, -2]);
    assert_eq!(count_payments(&count(b, 9, false), alone), [0; 4], "nobody is with a declarer who plays alone");
    assert_eq!(count_payments(&count(c, 8, false), alone), [-1, 0, 2, -1]);
}

/// TK-43, TK-51, TK-52, TK-58, TK-60, TK-62: the odd cases of `spec/games/tarokk-rules.md`, computed there by hand.
#[test]
fn odd_cases_by_hand() {
    type Case = (&'static str, Bid, u8, Vec<Announcement>, Facts, i64);
    let double = |kontra| said(Figure::Double, Declarer, kontra);
    let all = said(Figure::Volat, Declarer, 0);
    let ultimo = |kontra| said(Figure::PagatUltimo, Declarer, kontra);
    let catch = said(Figure::XxiCatch, Declarer, 0);
    let last = |side, won| Facts { pagat_last: Some((side, won)), ..facts(50) };
    let caught = Facts { xxi_caught_by: Some(Opponents), ..facts(50) };
    let cases: [Case; 16] = [
        ("O-1", Bid::Two, 0, vec![double(0)], facts(40), -8 - 2),
        ("O-2", Bid::Three, 0, vec![double(0)], facts(20), -4 - 2),
        ("O-3", Bid::Three, 0, vec![double(0)], volat(Opponents), -4 - 3),
        ("O-4", Bid::One, 0, vec![all], facts(80), -18),
        ("O-5", Bid::One, 0, vec![all], facts(40), -18 - 3),
        ("O-6", Bid::One, 0, vec![double(0), all], facts(80), 12 - 18),
        ("O-7", Bid::Three, 1, vec![], volat(Declarer), 2 + 3),
        ("O-8", Bid::Solo, 2, vec![double(1)], facts(70), 16 - 32),
        ("O-9", Bid::One, 0, vec![double(0)], volat(Declarer), 12 + 9),
        ("O-10", Bid::Three, 0, vec![ultimo(0)], last(Declarer, false), 1 - 10),
        ("O-11", Bid::Three, 0, vec![ultimo(0)], facts(50), 1 - 10),
        ("O-12", Bid::Three, 0, vec![ultimo(0)], last(Opponents, true), 1 - 10 - 5),
        ("O-13", Bid::Three, 0, vec![], last(Declarer, false), 1 - 5),
        ("O-14", Bid::Three, 0, vec![ultimo(3)], last(Declarer, false), 1 - 80),
        ("O-15", Bid::Three, 0, vec![catch], facts(50), 1 - 42),
        ("O-16", Bid::Three, 0, vec![catch], caught, 1 - 42 - 21),
    ];
    for (name, bid, kontra, announcements, facts, expected) in cases {
        assert_eq!(net(bid, kontra, &announcements, facts), expected, "{name}");
    }
    // O-17: alone against three, under kontra and lost with 47 points.
    let items = Account { bid: Bid::Three, game_kontra: 1, announcements: &[], facts: facts(47) }.items();
    let alone = Sides { declarer: Player::ALL[2], partner: None };
    assert_eq!(payments(&items, alone), [2, 2, -6, 2]);
    // O-18: a failed trial.
    assert_eq!(failed_trial(Player::ALL[3], Bid::Two), [2, 2, 2, -6]);
}

/// A random account.
fn random(rng: &mut ChaCha12Rng) -> (Bid, u8, Vec<Announcement>, Facts) {
    let mut below = |n: u64| rng.next_u64() % n;
    let mut side = || if below(2) == 0 { Declarer } else { Opponents };
    let mut f = facts(0);
    f.honours = [side(), side(), side()];
    f.kings = [side(), side(), side(), side()];
    let (last, catcher) = (side(), side());
    let mut announcements = Vec::new();
    for figure in Figure::ALL {
        for side in Side::BOTH {
            if below(3) == 0 {
                announcements.push(said(figure, side, below(6) as u8));
            }
        }
    }
    f.points[0] = below(95) as u8;
    f.points[1] = 94 - f.points[0];
    if below(4) == 0 {
        f = volat(if below(2) == 0 { Declarer } else { Opponents });
    }
    f.pagat_last = (below(2) == 0).then_some((last, below(2) == 0));
    f.xxi_caught_by = (below(4) == 0).then_some(catcher);
    (Bid::ALL[below(4) as usize], if below(2) == 0 { 0 } else { below(6) as u8 }, announcements, f)
}

/// Exchanges the sides in everything but the threshold of 48 points.
fn mirrored(announcements: &[Announcement], facts: Facts) -> (Vec<Announcement>, Facts) {
    let mirrored = announcements.iter().map(|a| Announcement { side: a.side.other(), ..*a }).collect();
    let facts = Facts {
        points: [facts.points[1], facts.points[0]],
        tricks: [facts.tricks[1], facts.tricks[0]],
        honours: facts.honours.map(Side::other),
        kings: facts.kings.map(Side::other),
        pagat_last: facts.pagat_last.map(|(side, won)| (side.other(), won)),
        xxi_caught_by: facts.xxi_caught_by.map(Side::other),
    };
    (mirrored, facts)
}

/// TK-52, TK-58: the points of all sum to zero; a doubling is that of one line.
#[test]
fn accounts_are_zero_sum_symmetric_and_multiplied_item_by_item() {
    let mut rng = ChaCha12Rng::seed_from_u64(7);
    for _ in 0..20_000 {
        let (bid, game_kontra, announcements, facts) = random(&mut rng);
        let items = Account { bid, game_kontra, announcements: &announcements, facts }.items();
        for partner in [None, Some(Player::ALL[2])] {
            let paid = payments(&items, Sides { declarer: Player::ALL[1], partner });
            assert_eq!(paid.iter().sum::<i64>(), 0);
        }
        assert!(items.iter().all(|item| item.points > 0));
        // 47 to 47 goes to the opponents; everything else is the same for both sides.
        if facts.points != [47, 47] {
            let (swapped, other) = mirrored(&announcements, facts);
            assert_eq!(net(bid, game_kontra, &swapped, other), -net(bid, game_kontra, &announcements, facts));
        }
        // One more doubling doubles exactly its own line.
        for i in 0..announcements.len() {
            let mut more = announcements.clone();
            if more[i].kontra == 5 {
                continue;
            }
            more[i].kontra += 1;
            let after = Account { bid, game_kontra, announcements: &more, facts }.items();
            let changed: Vec<usize> = (0..items.len()).filter(|k| after[*k] != items[*k]).collect();
            assert_eq!(changed, [i]);
            assert_eq!(after[i].points, 2 * items[i].points);
        }
        if (1..5).contains(&game_kontra) {
            let after = Account { bid, game_kontra: game_kontra + 1, announcements: &announcements, facts }.items();
            let changed: Vec<usize> = (0..items.len()).filter(|k| after[*k] != items[*k]).collect();
            assert_eq!(changed.len(), 1);
            assert_eq!((items[changed[0]].what, after[changed[0]].points), (What::Game, 2 * items[changed[0]].points));
        }
    }
}

/// Game, duplajáték and volát as the six rules of TK-60 tell them, rule by rule, for the declarer's side.
fn six_rules(bid: Bid, game_kontra: u8, announcements: &[Announcement], facts: Facts) -> i64 {
    let base = bid.value();
    let level = |side: Side, figure: Figure| {
        announcements.iter().find(|a| a.side == side && a.figure == figure).map(|a| 1i64 << a.kontra)
    };
    let points = |side: Side| facts.points[side.index()];
    let all_tricks = |side: Side| facts.tricks[side.index()] == 9;
    let has_won = |side: Side| points(side) >= if side == Declarer { 48 } else { 47 };
    // What a side gets that announced neither: one of three in the order of rule 1, nothing if it lost.
    let best = |side: Side| match () {
        () if all_tricks(side) => 3 * base,
        () if points(side.other()) <= 23 => 2 * base,
        () if has_won(side) => base,
        () => 0,
    };
    let mut sum = 0;
    for side in Side::BOTH {
        let sign = if side == Declarer { 1 } else { -1 };
        let (double, volat) = (level(side, Figure::Double), level(side, Figure::Volat));
        // Rules 2, 3, 4 and 6: what was announced is paid, won or lost.
        if let Some(factor) = double {
            sum += sign * factor * 4 * base * if points(side.other()) <= 23 { 1 } else { -1 };
        }
        if let Some(factor) = volat {
            sum += sign * factor * 6 * base * if all_tricks(side) { 1 } else { -1 };
        }
        let silent = match (double, volat) {
            (None, None) if game_kontra == 0 => best(side), // rule 1, and the other side of rules 2 to 4
            (None, None) if best(side) == base => 0,        // rule 5: the game is paid below
            (None, None) => best(side),                     // rule 5: on top of the game
            (Some(_), None) if all_tricks(side) => 3 * base, // rules 2 and 6
            _ => 0,                                         // rules 3 and 4
        };
        sum += sign * silent;
        if game_kontra > 0 && has_won(side) {
            sum += sign * (base << game_kontra);
        }
    }
    sum
}

/// TK-60.
#[test]
fn the_account_follows_the_six_rules() {
    let mut rng = ChaCha12Rng::seed_from_u64(9);
    for _ in 0..50_000 {
        let (bid, game_kontra, mut announcements, mut facts) = random(&mut rng);
        announcements.retain(|a| matches!(a.figure, Figure::Double | Figure::Volat));
        // Nothing but the six rules.
        facts.honours = [Declarer, Opponents, Declarer];
        facts.kings = [Declarer, Opponents, Declarer, Opponents];
        facts.pagat_last = None;
        facts.xxi_caught_by = None;
        let expected = six_rules(bid, game_kontra, &announcements, facts);
        assert_eq!(
            net(bid, game_kontra, &announcements, facts),
            expected,
            "{bid:?} {game_kontra} {announcements:?} {facts:?}"
        );
    }
}
