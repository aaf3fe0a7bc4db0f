use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::rules::cards::PACK;
use outis_game::present::below;

/// How many five-card and seven-card hands there are of each class, lowest first.
const FIVE: [u32; 9] = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40];
const SEVEN: [u32; 9] =
    [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584];

/// Goes over all hands of `n` cards.
fn every(n: usize, mut see: impl FnMut(&[Card])) {
    let mut at: Vec<u8> = (0..n as u8).collect();
    let mut cards: Vec<Card> = at.iter().map(|i| Card(*i)).collect();
    loop {
        see(&cards);
        let Some(move_on) = (0..n).rev().find(|i| usize::from(at[*i]) < PACK - n + i) else { return };
        at[move_on] += 1;
        for i in move_on + 1..n {
            at[i] = at[i - 1] + 1;
        }
        cards.iter_mut().zip(&at).for_each(|(card, i)| *card = Card(*i));
    }
}

fn hand(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| Card::parse(card).unwrap()).collect()
}

#[test]
fn all_five_card_hands_by_class() {
    let (mut classes, mut values) = ([0u32; 9], std::collections::BTreeSet::new());
    every(5, |cards| {
        let worth = worth(cards);
        classes[worth.category() as usize] += 1;
        values.insert(worth);
    });
    assert_eq!(classes, FIVE);
    assert_eq!(classes.iter().sum::<u32>(), 2_598_960);
    assert_eq!(values.len(), 7_462, "hands that differ in suits alone are equal, and no others");
}

#[test]
#[ignore = "a minute: cargo test --release -p outis-poker -- --ignored all_seven"]
fn all_seven_card_hands_by_class() {
    let mut classes = [0u32; 9];
    every(7, |cards| classes[worth(cards).category() as usize] += 1);
    assert_eq!(classes, SEVEN);
}

#[test]
fn seven_cards_are_worth_their_best_five() {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    for _ in 0..3_000 {
        let mut pack: Vec<Card> = Card::all().collect();
        let cards: Vec<Card> = (0..7).map(|_| pack.swap_remove(below(pack.len(), &mut rng))).collect();
        let mut best = None;
        for a in 0..7 {
            for b in a + 1..7 {
                let five: Vec<Card> = (0..7).filter(|i| *i != a && *i != b).map(|i| cards[i]).collect();
                best = best.max(Some(worth(&five)));
            }
        }
        assert_eq!(Some(worth(&cards)), best, "{cards:?}");
    }
}

#[test]
fn hands_in_order() {
    let rising = [
        "2c 3d 4h 5s 7c",
        "Ac Kd Qh Js 9c",
        "2c 2d 3h 4s 5c",
        "2c 2d 3h 4s 6c",
        "3c 3d 2h 2s 4c",
        "Ac Ad Kh Ks Qc",
        "2c 2d 2h 3s 4c",
        "Ac 2d 3h 4s 5c",
        "2d 3h 4s 5c 6c",
        "Ac Kd Qh Js Tc",
        "2c 3c 4c 5c 7c",
        "2c 2d 2h 3s 3c",
        "3c 3d 3h 2s 2c",
        "2c 2d 2h 2s 3c",
        "2c 2d 2h 2s Ac",
        "Ac 2c 3c 4c 5c",
        "As Ks Qs Js Ts",
    ];
    for pair in rising.windows(2) {
        assert!(worth(&hand(pair[0])) < worth(&hand(pair[1])), "{} below {}", pair[0], pair[1]);
    }
    assert_eq!(worth(&hand("Ac Kd Qh Js 9c")), worth(&hand("Ad Kh Qs Jc 9d")));
}

#[test]
fn the_ace_does_not_go_round_the_corner() {
    assert_eq!(worth(&hand("Kc Ad 2h 3s 4c")).category(), Category::HighCard);
    assert_eq!(worth(&hand("Ac Ad Ah Kc Kd Kh Qs")).ranks()[..2], [12, 11]);
    assert_eq!(worth(&hand("Qc Jd Qh Js 9c 9d 2s")).ranks()[..3], [10, 9, 7]);
}
