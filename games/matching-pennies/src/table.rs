//! For the catalogue: bot, view and cheats.

use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::Made;
use outis_table::present::{Present, below};
use rand_core::CryptoRng;
use serde_json::{Value, json};

use crate::protocol::{Hand, Step};
use crate::rules::{Knowledge, Options, Side, scores};

impl Present for Hand {
    const SUMMARY: &'static str = "two pennies, face down: seat 0 wins if they match, seat 1 if they differ";

    fn usual() -> (Options, u8) {
        (Options { throws: 5, clock: 60 }, 2)
    }

    /// A fair coin: no strategy beats it.
    fn bot(_: &Knowledge, legal: &[Side], rng: &mut impl CryptoRng) -> Option<Side> {
        legal.get(below(legal.len(), rng)).copied()
    }

    fn view(k: &Knowledge) -> Value {
        let name = |side: &Side| if *side == Side::Heads { "heads" } else { "tails" };
        let shown: Vec<_> = k.shown.iter().map(|pennies| pennies.each_ref().map(name)).collect();
        json!({ "version": 1, "throws": k.options.throws, "own": k.own.as_ref().map(name), "shown": shown,
                "scores": scores(&k.shown) })
    }

    fn lines(k: &Knowledge) -> Vec<String> {
        let throws = k.shown.iter().enumerate().map(|(i, [a, b])| format!("throw {}: {a:?}, {b:?}", i + 1));
        let [a, b] = scores(&k.shown);
        throws.chain([format!("score {a} : {b}")]).collect()
    }
}

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        vec![Cheat {
            name: "switch",
            summary: "turns over another side than was laid",
            check: "opening",
            removable: true,
            rig: |_, _, _, made, _| match made.step {
                Step::Show(Side::Heads, opening) => Made { step: Step::Show(Side::Tails, opening), ..made },
                Step::Show(Side::Tails, opening) => Made { step: Step::Show(Side::Heads, opening), ..made },
                Step::Lay(_) => made,
            },
        }]
    }
}
