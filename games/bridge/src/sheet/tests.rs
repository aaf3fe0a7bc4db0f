use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::card::Hand;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// Two people with cards: nothing here uses the formulas of `Sheets`.
fn people(sheets: &Sheets) -> [Hand; 4] {
    let mut pack: Vec<Card> = Vec::new();
    for suit in sheets.suit_order() {
        for rank in (0..13).rev() {
            pack.push(Card::new(suit, rank).unwrap());
        }
    }
    // The first card of the list is on top; a pile's last card is on top.
    let mut piles: [Vec<Card>; 4] = Default::default();
    for (card, number) in pack.into_iter().zip(sheets.first()) {
        piles[number as usize - 1].push(card);
    }
    let mut stack: Vec<Card> = Vec::new(); // the last one is on top
    for pile in piles.into_iter().rev() {
        stack.extend(pile);
    }
    let mut hands = [Hand::default(); 4];
    for number in sheets.second() {
        assert!(hands[number as usize - 1].insert(stack.pop().unwrap()));
    }
    match sheets.extra() {
        None => hands,
        Some(pockets) => {
            let mut moved = hands;
            for (hand, pocket) in hands.into_iter().zip(pockets) {
                moved[pocket.index()] = hand;
            }
            moved
        }
    }
}

#[test]
fn people_who_follow_the_sheets_get_the_target() {
    let mut rng = rng(1);
    for i in 0..100_000 {
        let scheme = match i % 4 {
            0 => Scheme::PAPER,
            1 => Scheme::EXTRA,
            2 => Scheme::THIRD,
            _ => Scheme { piles: PileSizes::Equal, random_suits: false, mover: Mover::Nobody },
        };
        let target = Deal::random(&mut rng);
        let sheets = Sheets::draw(&target, scheme, &mut rng);
        assert_eq!(people(&sheets), Seat::ALL.map(|s| target.hand(s)));
        assert_eq!(sheets.deal(), Ok(target));
        if scheme.piles == PileSizes::Varied {
            let sizes = sheets.pile_sizes();
            assert!(sizes.iter().all(|n| (10..=16).contains(n)), "{sizes:?}");
            assert_eq!((sizes[0] + sizes[2], sizes[1] + sizes[3]), (26, 26));
        }
        let back = Sheets::from_numbers(
            sheets.suit_order(),
            &sheets.first(),
            &sheets.second(),
            sheets.extra().map(|e| e.map(|s| s.index() as u8 + 1)),
        );
        let back = back.map(|back| if sheets.third() { back.moved_by_third() } else { back });
        assert_eq!(back, Ok(sheets));
    }
}

/// The chi-square statistic of counts that should be equal.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = counts.iter().sum::<u32>() as f64 / counts.len() as f64;
    counts.iter().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum()
}

/// How many standard deviations a chi-square statistic is above its mean (Wilson and Hilferty).
fn sigmas(chi: f64, freedom: f64) -> f64 {
    let v = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - v)) / v.sqrt()
}

#[test]
fn everything_drawn_is_uniform() {
    let mut rng = rng(2);
    let n = 100_000;
    let mut card_seat = vec![0u32; 52 * 4];
    let mut second_seat = vec![0u32; 52 * 4];
    let mut orders = std::collections::BTreeMap::<[Suit; 4], u32>::new();
    let mut sizes = vec![0u32; 49];
    let mut weighted = std::collections::BTreeMap::<[usize; 4], u32>::new();
    let mut extras = std::collections::BTreeMap::<[Seat; 4], u32>::new();
    // Position of the first sheet by pile, only for boards of 13-card piles, where it is uniform.
    let mut first_pile = vec![0u32; 52 * 4];
    // Whether number i of the second sheet meets the owner of card i, by pair of seats: independent (BR-11).
    let mut joint = vec![0u32; 16];
    for _ in 0..n {
        let target = Deal::random(&mut rng);
        let sheets = Sheets::draw(&target, Scheme::PAPER, &mut rng);
        for (i, card) in Card::all().enumerate() {
            card_seat[i * 4 + target.owner(card).index()] += 1;
            second_seat[i * 4 + sheets.second[i] as usize] += 1;
        }
        // One pair per board keeps the counts independent.
        joint[target.owner(Card::from_index(17).unwrap()).index() * 4 + sheets.second[20] as usize] += 1;
        *orders.entry(sheets.suit_order).or_default() += 1;
        let pile = sheets.pile_sizes();
        sizes[(pile[0] as usize - 10) * 7 + pile[1] as usize - 10] += 1;
        let least = Sheets::draw(&target, Scheme::LEAST, &mut rng).pile_sizes().map(usize::from);
        *weighted.entry(least).or_default() += 1;
        let equal = Scheme { piles: PileSizes::Equal, random_suits: false, mover: Mover::First };
        let sheets = Sheets::draw(&target, equal, &mut rng);
        for i in 0..52 {
            first_pile[i * 4 + sheets.first[i] as usize] += 1;
        }
        *extras.entry(sheets.extra.unwrap()).or_default() += 1;
    }
    // Drawing thirteen of each makes the 52 × 4 table slightly smoother: 51·3 degrees of freedom, scaled by 52/51.
    for table in [&card_seat, &second_seat, &first_pile] {
        let z = sigmas(chi_square(table) * 51.0 / 52.0, 153.0);
        println!("52 × 4: {z:+.2} sigma");
        assert!(z.abs() < 4.5, "card by hand: {z}");
    }
    let weights = PileSizes::Least.weighted();
    let all: u32 = weights.iter().map(|(_, weight)| weight).sum();
    let expected = |weight: u32| f64::from(n) * f64::from(weight) / f64::from(all);
    let off = |(sizes, weight): &([usize; 4], u32)| {
        let count = weighted.get(sizes).copied().unwrap_or_default();
        (f64::from(count) - expected(*weight)).powi(2) / expected(*weight)
    };
    assert_eq!(weighted.len(), weights.len());
    let z = sigmas(weights.iter().map(off).sum(), weights.len() as f64 - 1.0);
    assert!(z.abs() < 4.5, "weighted sizes: {z}");
    let orders: Vec<u32> = orders.into_values().collect();
    let extras: Vec<u32> = extras.into_values().collect();
    assert_eq!((orders.len(), extras.len()), (24, 24));
    for counts in [&orders, &extras, &sizes, &joint] {
        let z = sigmas(chi_square(counts), counts.len() as f64 - 1.0);
        println!("{} cells: {z:+.2} sigma", counts.len());
        assert!(z.abs() < 4.5, "{counts:?}: {z}");
    }
}

/// BR-11, exactly: with everything else fixed, the map from targets to second sheets is a bijection, and the first
/// sheet is drawn from the same numbers whatever the target.
#[test]
fn the_first_sheet_does_not_see_the_target() {
    let (mut a, mut b) = (rng(3), rng(3));
    let one = Sheets::draw(&Deal::random(&mut rng(4)), Scheme::EXTRA, &mut a);
    let two = Sheets::draw(&Deal::random(&mut rng(5)), Scheme::EXTRA, &mut b);
    assert_eq!((one.suit_order, one.first, one.extra), (two.suit_order, two.first, two.extra));
    assert_ne!(one.second, two.second);
}

#[test]
fn the_shuffle_of_the_paper_would_fail_here() {
    // F10: "each element is swapped with a random other element in the array", on four suits.
    let mut rng = rng(6);
    let mut counts = std::collections::BTreeMap::<[u8; 4], u32>::new();
    for _ in 0..8000 {
        let mut items = [0, 1, 2, 3];
        for i in 0..4 {
            items.swap(i, below(4, &mut rng) as usize);
        }
        *counts.entry(items).or_default() += 1;
    }
    let counts: Vec<u32> = counts.into_values().collect();
    assert!(sigmas(chi_square(&counts), 23.0) > 10.0);
}

#[test]
fn a_check_digit_catches_one_wrong_digit_and_neighbours_exchanged() {
    let row = single_sheet(&mut rng(7));
    for row in row.chunks(13) {
        let digit = check_digit(row);
        for i in 0..13 {
            for n in (1..=4).filter(|n| *n != row[i]) {
                let mut wrong = row.to_vec();
                wrong[i] = n;
                assert_ne!(check_digit(&wrong), digit);
            }
            if i > 0 && row[i] != row[i - 1] {
                let mut wrong = row.to_vec();
                wrong.swap(i, i - 1);
                assert_ne!(check_digit(&wrong), digit);
            }
        }
    }
}

#[test]
fn bad_numbers_are_refused() {
    let target = Deal::random(&mut rng(8));
    let sheets = Sheets::draw(&target, Scheme::PAPER, &mut rng(9));
    let (order, first, second) = (sheets.suit_order(), sheets.first(), sheets.second());
    let mut wrong = second;
    wrong[7] = 5;
    let refusal = Sheets::from_numbers(order, &first, &wrong, None);
    assert_eq!(refusal, Err(BadSheets::Number { sheet: SheetName::Second, position: 8 }));
    wrong[7] = second[7] % 4 + 1;
    assert!(matches!(Sheets::from_numbers(order, &first, &wrong, None), Err(BadSheets::Hands(_))));
    assert_eq!(Sheets::from_numbers([Suit::Clubs; 4], &first, &second, None), Err(BadSheets::SuitOrder));
    assert_eq!(Sheets::from_numbers(order, &first, &second, Some([1, 1, 2, 3])), Err(BadSheets::Extra));
}

/// Two dealers who lay their papers together know the cards of every hand, but with a third person not whose hand it is:
/// their papers do not say it, and the seat is independent of them.
#[test]
fn both_dealers_do_not_know_whose_hand_it_is() {
    let mut rng = rng(11);
    let mut seats = [0u32; 16];
    for _ in 0..40_000 {
        let target = Deal::random(&mut rng);
        let sheets = Sheets::draw(&target, Scheme::THIRD, &mut rng);
        let ace = sheets.sorted()[0];
        let place = sheets.stacked().iter().position(|card| *card == ace).unwrap();
        seats[usize::from(sheets.second[place]) * 4 + target.owner(ace).index()] += 1;
        let words = crate::words::Language::English.words();
        let papers = [false, true]
            .map(|second| crate::text::steps(&crate::layout::Part { board: 0, second }, &sheets, words).concat());
        assert!(papers.iter().all(|steps| !steps.contains('→')), "{papers:?}");
    }
    let z = sigmas(chi_square(&seats), 15.0);
    assert!(z.abs() < 4.5, "{seats:?}: {z}");
}
