//! The laboratory. Protocols of the five source documents run here between visible parties, message by message: what is sent, with
//! its bytes, and what each party knows afterwards. Each weakness that was found in a document is carried out against the protocol
//! *as published* and then against ours, where it fails. What succeeds and what fails is computed in each run.
//!
//! Nobody plays with this crate: `modular`, and everything called *published*, is insecure on purpose. No other crate but
//! the command line and the page's server may depend on it.
//!
//! An [`Experiment`] makes a [`Run`]: a list of [`Step`]s and how it ended. Texts are ids of `words/lab.json`.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

mod bridge;
mod dark_chess;
mod modular;
mod run;
mod sra;
mod tarokk;
mod zherotag;

#[cfg(test)]
mod tests;

use outis_crypto::challenger::Nonces;
use outis_game::words::{Catalogue, Language, Text};
use serde_json::{Value, json};

pub use self::run::{Bars, Fact, Outcome, Run, Shown, Step, To};

/// Which protocol runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// As the document has it.
    Published,
    /// As Outis plays it.
    Repaired,
}

impl Version {
    /// Both, in the order in which they are best seen.
    pub const ALL: [Self; 2] = [Self::Published, Self::Repaired];

    /// Its name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Repaired => "repaired",
        }
    }

    /// The version of a name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.name() == name)
    }
}

/// Something to try.
#[derive(Debug)]
pub struct Experiment {
    /// Its name: `document-what`. Its texts are `lab.ID.*`.
    pub id: &'static str,
    /// Title of the document.
    pub document: &'static str,
    /// Where in the document.
    pub section: &'static str,
    /// The items of `spec/differences.md` that it shows.
    pub items: &'static [&'static str],
    /// The versions that can be run.
    pub versions: &'static [Version],
    /// Runs it.
    run: fn(Version, &mut Nonces) -> Run,
}

impl Experiment {
    /// Runs one version; `None` if there is no such version.
    pub fn run(&self, version: Version, source: &mut Nonces) -> Option<Run> {
        self.versions.contains(&version).then(|| (self.run)(version, source))
    }

    /// One of its texts.
    pub fn text(&self, name: &str) -> Text {
        text(self.id, name)
    }

    /// Its entry in the list of experiments, for the page.
    pub fn to_json(&self) -> Value {
        let versions: Vec<&str> = self.versions.iter().map(|version| version.name()).collect();
        json!({
            "id": self.id, "document": self.document, "section": self.section, "items": self.items, "versions": versions,
            "name": self.text("name").to_json(), "lead": self.text("lead").to_json(),
        })
    }

    /// One run of it, for the page.
    pub fn run_json(&self, version: Version, source: &mut Nonces) -> Option<Value> {
        let run = self.run(version, source)?;
        Some(
            json!({ "id": self.id, "version": version.name(), "run": run.to_json(), "verdict": self.verdict(version).to_json() }),
        )
    }

    /// What a run of this version shows.
    pub fn verdict(&self, version: Version) -> Text {
        self.text(version.name())
    }
}

/// A text of an experiment.
fn text(id: &str, name: &str) -> Text {
    Text::new(format!("lab.{id}.{name}"))
}

const SRA: &str = "Extended SRA";
const THESIS: &str = "Török Sándor, thesis on tarokk";
const DARK_CHESS: &str = "Cryptographic Dark Chess";
const ZHEROTAG: &str = "ZheroTag";
const BRIDGE: &str = "Duplicate Bridge for Cheapskates";

/// All experiments, by document.
pub static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "sra-draw",
        document: SRA,
        section: "Protocol",
        items: &["SRA-6", "SRA-7", "SRA-8", "SRA-10", "SRA-11"],
        versions: &[Version::Repaired],
        run: sra::draw,
    },
    Experiment {
        id: "sra-prime",
        document: SRA,
        section: "Commutative encryption",
        items: &["F1"],
        versions: &Version::ALL,
        run: sra::prime,
    },
    Experiment {
        id: "sra-marks",
        document: SRA,
        section: "Commutative encryption",
        items: &["F2"],
        versions: &Version::ALL,
        run: sra::marks,
    },
    Experiment {
        id: "sra-cut",
        document: SRA,
        section: "Shuffling",
        items: &["F3"],
        versions: &Version::ALL,
        run: sra::cut,
    },
    Experiment {
        id: "tarokk-rogue-key",
        document: THESIS,
        section: "4.1",
        items: &["F6"],
        versions: &Version::ALL,
        run: tarokk::rogue_key,
    },
    Experiment {
        id: "dark-chess-overwrite",
        document: DARK_CHESS,
        section: "5.4",
        items: &["F13"],
        versions: &Version::ALL,
        run: dark_chess::overwrite,
    },
    Experiment {
        id: "zherotag-group",
        document: ZHEROTAG,
        section: "PSI",
        items: &["F7"],
        versions: &Version::ALL,
        run: zherotag::group,
    },
    Experiment {
        id: "zherotag-invisible",
        document: ZHEROTAG,
        section: "PSI, step 2",
        items: &["F8"],
        versions: &Version::ALL,
        run: zherotag::invisible,
    },
    Experiment {
        id: "bridge-shuffle",
        document: BRIDGE,
        section: "3",
        items: &["F10"],
        versions: &Version::ALL,
        run: bridge::shuffle,
    },
];

/// The experiment of a name.
pub fn find(id: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.id == id)
}

/// The words of the laboratory.
///
/// # Panics
/// If the catalogue in this crate cannot be read, which a test would show.
pub fn words(language: Language) -> Catalogue {
    Catalogue::read(language, include_str!("../words/lab.json")).expect("the crate's own catalogue is in order")
}
