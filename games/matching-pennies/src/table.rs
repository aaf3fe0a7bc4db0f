//! For the catalogue: bot, view and cheats.

use outis_game::present::{OptionSpec, Present, below};
use outis_game::words::Text;
use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::Grade;
use outis_table::game::Made;
use rand_core::CryptoRng;
use serde_json::{Value, json};

use crate::protocol::{Hand, Step};
use crate::rules::{Knowledge, Options, Side, scores};

impl Present for Hand {
    const SUMMARY: &'static str = "two pennies, face down: seat 0 wins if they match, seat 1 if they differ";

    fn dials(_: Grade) -> &'static [OptionSpec] {
        &[
            OptionSpec { name: "throws", range: (1, 100), usual: 5, values: &[] },
            OptionSpec { name: "clock", range: (0, 255), usual: 60, values: &[] },
        ]
    }

    fn choose(_: Grade, dials: &[i64]) -> Option<(Options, u8)> {
        let &[throws, clock] = dials else { return None };
        let options = Options { throws: throws.try_into().ok()?, clock: clock.try_into().ok()? };
        (1..=100).contains(&options.throws).then_some((options, 2))
    }

    /// A fair coin: no strategy beats it.
    fn bot(_: u8, _: &Knowledge, legal: &[Side], rng: &mut impl CryptoRng) -> Option<Side> {
        legal.get(below(legal.len(), rng)).copied()
    }

    fn view(k: &Knowledge) -> Value {
        let shown: Vec<_> = k.shown.iter().map(|pennies| pennies.each_ref().map(Self::token)).collect();
        json!({ "version": 1, "throws": k.options.throws, "own": k.own.as_ref().map(Self::token), "shown": shown,
                "scores": scores(&k.shown) })
    }

    fn lines(k: &Knowledge) -> Vec<Text> {
        let side = |side: &Side| Text::new(format!("matching-pennies.{}", Self::token(side)));
        let throws = (1i64..)
            .zip(&k.shown)
            .map(|(i, [a, b])| Text::new("matching-pennies.throw").with("n", i).with("a", side(a)).with("b", side(b)));
        let own = k.own.iter().map(|own| Text::new("matching-pennies.own").with("side", side(own)));
        let [a, b] = scores(&k.shown);
        throws.chain(own).chain([Text::new("matching-pennies.score").with("a", a).with("b", b)]).collect()
    }

    fn token(side: &Side) -> String {
        if *side == Side::Heads { "heads" } else { "tails" }.to_owned()
    }

    fn caption(_: &Knowledge, side: &Side) -> Text {
        Text::new(format!("matching-pennies.{}", Self::token(side)))
    }

    fn words() -> &'static str {
        include_str!("../words/matching-pennies.json")
    }
}

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        vec![Cheat {
            name: "switch",
            summary: "turns over a different side from the one it laid",
            check: "opening",
            removable: true,
            tamper: |_, _, _, made, _| match made.step {
                Step::Show(Side::Heads, opening) => Made { step: Step::Show(Side::Tails, opening), ..made },
                Step::Show(Side::Tails, opening) => Made { step: Step::Show(Side::Heads, opening), ..made },
                Step::Lay(_) => made,
            },
        }]
    }
}
