//! Figures of *Duplicate Bridge for Cheapskates*.

mod chances;
mod evening;

use outis_bridge::leak::exact;
use outis_bridge::sheet::{PileSizes, single_sheet};

use self::chances::{
    bottom, bottoms, certain_ends, ends, equal, first_void, four_places, high_card, independence, last_ace, last_suit,
    middle_end, outer_ends, printed_shuffle, second_void, two_ends, two_of_three, void, voids_at_ends,
};
use self::evening::{
    EVENING, NIGHTS, boards, boards_of_an_evening, conclusion, drawn_sizes, error_rate, page_of_four, seconds_a_card,
    seconds_by_the_model,
};
use super::found::{Found, said};
use super::ratio::Ratio;
use super::{Entry, n, seeded};

/// Its figures, as `spec/figures.md` lists them.
pub const FIGURES: &[Entry] = &[
    Entry {
        id: "bridge.1",
        section: "4.1",
        what: "cards of the suit sorted last",
        theirs: "the final 13 cards",
        how: "the end of our sorted pack with a fixed order of suits",
        find: |theirs| Found::numbers(theirs, &[n(last_suit())]),
    },
    Entry {
        id: "bridge.2",
        section: "4.1",
        what: "no card of the suit sorted last is in pile 1",
        theirs: "≈ 1.27%",
        how: "C(39,13)/C(52,13) as a fraction; cut after two decimals, not rounded",
        find: |theirs| {
            Found::close(theirs, 100.0 * void().value(), 4, "%").and((void().value() - exact::void()).abs() < 1e-12)
        },
    },
    Entry {
        id: "bridge.3",
        section: "4.1",
        what: "that chance and the chance of a void hand",
        theirs: "precisely",
        how: "the product of the thirteen factors and the quotient of binomials, as fractions",
        find: |_| {
            let factors = (0..13).fold(Ratio::ONE, |product, i| product * Ratio::new(39 - i, 52 - i));
            Found::when(factors == void(), format!("{factors} and {}", void()))
        },
    },
    Entry {
        id: "bridge.4",
        section: "4.1",
        what: "the hand with the first card is void in that suit",
        theirs: "≈ 0.022%",
        how: "Δ²·4/3 as a fraction; the product of the twelve factors is the same",
        find: |theirs| {
            let rest = (0..12).fold(void(), |product, i| product * Ratio::new(38 - i, 51 - i));
            Found::close(theirs, 100.0 * first_void(13).value(), 5, "%").and(rest == first_void(13))
        },
    },
    Entry {
        id: "bridge.5",
        section: "4.1",
        what: "how much rarer that is",
        theirs: "about 58 times",
        how: "Δ divided by it; the paper divides its rounded figures, 1.27 by 0.022",
        find: |theirs| Found::close(theirs, void().value() / first_void(13).value(), 1, ""),
    },
    Entry {
        id: "bridge.6",
        section: "4.1",
        what: "ends of piles within the pack",
        theirs: "13, 14, 26, 27, 39, 40",
        how: "first and last places of piles of thirteen, without the ends of the pack",
        find: |theirs| {
            let mut inner = ends(&equal()).concat();
            inner.sort_unstable();
            let within = &inner[1..inner.len() - 1];
            Found::numbers(theirs, within)
        },
    },
    Entry {
        id: "bridge.7",
        section: "4.1",
        what: "the chance of a void for each end of a pile",
        theirs: "the same effect",
        how: "first sheets counted in which that place has no card of the suit sorted last, or first at the bottom of a pile",
        find: |_| {
            let all = voids_at_ends(PileSizes::Equal);
            Found::when(
                all.windows(2).all(|pair| (pair[0].1 - pair[1].1).abs() < 1e-12),
                format!("{:.5}% at each of {} ends", 100.0 * all[0].1, all.len()),
            )
        },
    },
    Entry {
        id: "bridge.8",
        section: "4.1",
        what: "how much rarer a void is in the hand with the second card",
        theirs: "–",
        how: "the same with at most one card of the suit in pile 1",
        find: |_| Found::derived(format!("{:.1} times", void().value() / second_void().value())),
    },
    Entry {
        id: "bridge.9",
        section: "4.1",
        what: "tops and bottoms of the piles",
        theirs: "{1, 14, 27, 40} and {13, 26, 39, 52}",
        how: "first and last places of piles of thirteen",
        find: |theirs| Found::numbers(theirs, &ends(&equal()).concat()),
    },
    Entry {
        id: "bridge.10",
        section: "4.2",
        what: "a hand with all four bottoms has the Ace",
        theirs: "certain",
        how: "the Ace is dealt first, so it is at the bottom of a pile",
        find: |_| Found::when(bottom(0) == Ratio::ONE, bottom(0).to_string()),
    },
    Entry {
        id: "bridge.11",
        section: "4.2",
        what: "a hand with all four bottoms has the King",
        theirs: "a 3/4 chance",
        how: "the King is at a bottom if it is not in the Ace's pile, drawn without replacement; else it is one of the other nine of 48. Checked by 40,000 deals",
        find: |_| high_card(1, Ratio::new(3, 4)),
    },
    Entry {
        id: "bridge.12",
        section: "4.2",
        what: "a hand with all four bottoms has the Queen",
        theirs: "3/4 · 1/2 + 1/4 · 3/4 = 9/16",
        how: "the same for the third card; the paper's sum is right as a sum",
        find: |_| high_card(2, Ratio::new(3, 4) * Ratio::new(1, 2) + Ratio::new(1, 4) * Ratio::new(3, 4)),
    },
    Entry {
        id: "bridge.13",
        section: "4.2",
        what: "ends of the piles",
        theirs: "r_1, r_1 + r_2, 26 + r_2 and 52",
        how: "all choices of pile sizes of the paper's scheme",
        find: |_| {
            let choices = PileSizes::Varied.choices();
            let right =
                choices.iter().filter(|sizes| bottoms(sizes) == [sizes[0], sizes[0] + sizes[1], 26 + sizes[1], 52]);
            Found::all(right.count(), choices.len(), "choices")
        },
    },
    Entry {
        id: "bridge.14",
        section: "4.2",
        what: "sizes of a pile",
        theirs: "between 10 and 16 cards",
        how: "smallest and largest pile of all choices",
        find: |theirs| {
            let sizes = PileSizes::Varied.choices().concat();
            Found::numbers(theirs, &[n(*sizes.iter().min().expect("a pile")), n(*sizes.iter().max().expect("a pile"))])
        },
    },
    Entry {
        id: "bridge.15",
        section: "4.2",
        what: "where the second pile ends",
        theirs: "around 26 with a stronger weighting at the centre",
        how: "mean and most frequent value over all choices",
        find: |theirs| middle_end(theirs),
    },
    Entry {
        id: "bridge.16",
        section: "4.2",
        what: "where the first and the third pile end",
        theirs: "uniformly distributed",
        how: "how often each place occurs over all choices",
        find: |_| outer_ends(),
    },
    Entry {
        id: "bridge.17",
        section: "4.2",
        what: "the three end points",
        theirs: "independent of each other",
        how: "correlations over all choices of the paper's scheme",
        find: |_| independence(),
    },
    Entry {
        id: "bridge.18",
        section: "4.2",
        what: "places that are an end of a pile for sure",
        theirs: "positions 1 and 52",
        how: "places that are an end in all choices",
        find: |theirs| Found::numbers(theirs, &certain_ends()),
    },
    Entry {
        id: "bridge.19",
        section: "4.2, remaining issues",
        what: "the hand with the last card has the Ace of the suit sorted first",
        theirs: "–",
        how: "1/4 that it is the last card, else 12 of 51 others; the same for any pile sizes (F11)",
        find: |_| last_ace(),
    },
    Entry {
        id: "bridge.20",
        section: "4.2",
        what: "a hand with places 13, 26, 39, 52 has that Ace, with pile sizes 10 to 16",
        theirs: "–",
        how: "the Ace is at one of these places, over all choices; else nine of 48 others",
        find: |_| four_places(),
    },
    Entry {
        id: "bridge.21",
        section: "5",
        what: "numbers of a sheet",
        theirs: "52 elements containing the numbers 1 through 4",
        how: "length, smallest and largest number of a single sheet",
        find: |theirs| {
            let sheet = single_sheet(&mut seeded());
            Found::numbers(
                theirs,
                &[
                    n(sheet.len()),
                    n(sheet.into_iter().min().expect("a number")),
                    n(sheet.into_iter().max().expect("a number")),
                ],
            )
        },
    },
    Entry {
        id: "bridge.22",
        section: "5",
        what: "orders of the four suits",
        theirs: "a random other element … statistically even likelihood",
        how: "all choices of that shuffle, with and without other; and 24,000 shuffles of ours",
        find: |_| printed_shuffle(),
    },
    Entry {
        id: "bridge.23",
        section: "5",
        what: "cards of each hand in the target",
        theirs: "13 of each number",
        how: "how often each number is on a single sheet",
        find: |theirs| {
            let sheet = single_sheet(&mut seeded());
            let counts = [1, 2, 3, 4].map(|hand| sheet.iter().filter(|number| **number == hand).count());
            Found::numbers(theirs, &[n(counts[0])]).and(counts == [counts[0]; 4])
        },
    },
    Entry {
        id: "bridge.24",
        section: "5",
        what: "cards of each pile in the first permutation",
        theirs: "between 10 and 16 of each number",
        how: "smallest and largest pile in 2,000 first sheets",
        find: |theirs| Found::numbers(theirs, &drawn_sizes()),
    },
    Entry {
        id: "bridge.25",
        section: "5",
        what: "deals on a page",
        theirs: "first permutation for two deals … second permutation for two deals … those four deals",
        how: "first and second sheets on our page, and the deals of both pages",
        find: |theirs| page_of_four(theirs),
    },
    Entry {
        id: "bridge.26",
        section: "6.1",
        what: "boards of an evening",
        theirs: EVENING,
        how: "pairs times sets times boards, over all combinations",
        find: |theirs| boards_of_an_evening(theirs),
    },
    Entry {
        id: "bridge.27",
        section: "6.1",
        what: "time for about 24 boards, first weeks",
        theirs: "around twenty five minutes",
        how: "seconds a card that this means, with two to four pairs, by the model of `outis bridge time`: stacking, counting, pockets and boards dealt again as it assumes",
        find: |theirs| seconds_by_the_model(theirs),
    },
    Entry {
        id: "bridge.28",
        section: "6.1",
        what: "the same, later",
        theirs: "around fifteen minutes",
        how: "the same",
        find: |theirs| seconds_by_the_model(theirs),
    },
    Entry {
        id: "bridge.29",
        section: "6.1",
        what: "shuffling and dealing by hand",
        theirs: "around ten minutes",
        how: "seconds a card, with two to four pairs and nothing but cards: one dealing of each board in place of two",
        find: |theirs| seconds_a_card(theirs),
    },
    Entry {
        id: "bridge.30",
        section: "6.1",
        what: "sorting at the end of the night",
        theirs: "a couple of minutes",
        how: "players that it takes for a board each",
        find: |_| Found::observed(format!("{} players, {} tables", boards(), boards() / 4)),
    },
    Entry {
        id: "bridge.31",
        section: "6.1",
        what: "a dealing machine",
        theirs: "fifteen to twenty minutes",
        how: "seconds a board that this means",
        find: |theirs| {
            let [low, high] = [0, 1].map(|i| 60.0 * said(theirs)[i] as f64 / boards() as f64);
            Found::observed(format!("{low:.1} to {high:.1} seconds a board"))
        },
    },
    Entry {
        id: "bridge.32",
        section: "6.2",
        what: "boards with errors",
        theirs: NIGHTS[0],
        how: "share of about 24 boards",
        find: |theirs| Found::observed(format!("{:.1}% of {}", error_rate(theirs), boards())),
    },
    Entry {
        id: "bridge.33",
        section: "6.2",
        what: "boards with errors",
        theirs: NIGHTS[1],
        how: "share of about 24 boards",
        find: |theirs| Found::observed(format!("{:.1}% of {}", error_rate(theirs), boards())),
    },
    Entry {
        id: "bridge.34",
        section: "6.2",
        what: "boards with errors",
        theirs: NIGHTS[2],
        how: "share of about 24 boards",
        find: |theirs| Found::observed(format!("{:.1}% of {}", error_rate(theirs), boards())),
    },
    Entry {
        id: "bridge.35",
        section: "6.2",
        what: "dealings begun again; boards with wrong numbers of cards",
        theirs: "once or twice … one board",
        how: "shares of about 24 boards",
        find: |theirs| {
            let shares: Vec<String> =
                said(theirs).iter().map(|count| format!("{:.1}%", 100.0 * *count as f64 / boards() as f64)).collect();
            Found::observed(shares.join(", "))
        },
    },
    Entry {
        id: "bridge.36",
        section: "7",
        what: "error rate in the conclusion",
        theirs: "around 15–20%",
        how: "the three nights of 6.2 that lie in this range",
        find: |theirs| conclusion(theirs),
    },
    Entry {
        id: "bridge.37",
        section: "7",
        what: "error rate that is hoped for",
        theirs: "10–15% region",
        how: "the best night of 6.2",
        find: |_| {
            Found::observed(format!(
                "{:.1}% on the best night",
                NIGHTS.map(error_rate).into_iter().fold(f64::INFINITY, f64::min)
            ))
        },
    },
    Entry {
        id: "bridge.38",
        section: "3",
        what: "who cannot know the deal",
        theirs: "only two of the three",
        how: "bits of a deal that remain unknown with pack and first sheet, and with both sheets",
        find: |_| two_of_three(),
    },
    Entry {
        id: "bridge.39",
        section: "4.1",
        what: "a void in the suit sorted to that end, for each end of a pile of thirteen, with pile sizes 10 to 16",
        theirs: "–",
        how: "as bridge.7, on average over all choices of sizes; 1.28% is usual",
        find: |_| {
            let said = |(place, p): &(usize, f64)| format!("{place}: {:.3}%", 100.0 * p);
            Found::derived(voids_at_ends(PileSizes::Varied).iter().map(said).collect::<Vec<_>>().join(", "))
        },
    },
    Entry {
        id: "bridge.40",
        section: "4.1",
        what: "a hand with two ends of piles of thirteen is void in the suit sorted last",
        theirs: "–",
        how: "as bridge.7, both places at once; the rarest and the most frequent pair",
        find: |_| two_ends(),
    },
];
