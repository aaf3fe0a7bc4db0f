//! Every experiment ends as it should: what is published breaks, what is repaired holds.

use outis_crypto::challenger::{Nonces, Purpose};
use outis_game::words::Language;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::{EXPERIMENTS, Outcome, Version, words};

fn source(seed: u32) -> Nonces {
    Nonces::keyless(const { Purpose::new("laboratory") }, &seed, [], &mut ChaCha20Rng::seed_from_u64(seed.into()))
}

#[test]
fn what_is_published_breaks_and_what_is_repaired_holds() {
    for experiment in EXPERIMENTS {
        for seed in 0..3 {
            let ends = |version| experiment.run(version, &mut source(seed)).map(|run| run.outcome);
            let expected = match experiment.versions {
                [Version::Repaired] => [None, Some(Outcome::Done)],
                _ => [Some(Outcome::Broken), Some(Outcome::Held)],
            };
            assert_eq!([ends(Version::Published), ends(Version::Repaired)], expected, "{}, seed {seed}", experiment.id);
        }
    }
}

/// S-6: in the document's group a card and its encryption have the same residue, whatever the key.
#[test]
fn residues_survive_in_the_document() {
    use crate::sra::{FACTORS, plain, published_group};
    let (group, source) = (published_group(), &mut source(2));
    let (key, half) = (group.key(&FACTORS, source), group.cofactor(2).expect("p − 1 is even"));
    for card in 0..12 {
        let x = plain(&group, card, source);
        assert_eq!(group.pow(&x, &half), group.pow(&group.pow(&x, &key), &half));
    }
}

/// Every text that a run uses is in the catalogue of both languages, with the arguments that the sentence wants.
#[test]
fn every_text_is_there() {
    for language in Language::ALL {
        let words = words(language);
        let mut used = Vec::new();
        for experiment in EXPERIMENTS {
            used.extend(["name", "lead"].map(|name| experiment.text(name)));
            for version in experiment.versions {
                used.push(experiment.verdict(*version));
                // Some steps end in one way or another: several runs see both.
                for seed in 0..12 {
                    let run = experiment.run(*version, &mut source(seed)).expect("a version that it has");
                    for step in run.steps {
                        used.push(step.says);
                        used.extend(step.shows.into_iter().map(|shown| shown.name));
                        used.extend(step.knows.into_iter().map(|fact| fact.what));
                    }
                    if experiment.id != "sra-cut" {
                        break;
                    }
                }
            }
        }
        for text in used {
            assert!(words.ids().any(|id| id == text.id), "{} has no {}", language.code(), text.id);
            for wanted in words.wants(&text.id) {
                assert!(text.args.iter().any(|(name, _)| *name == wanted), "{} wants {wanted}", text.id);
            }
        }
    }
}
