//! How a table ended, as this machine keeps and reports it: one type, and words only where it is written or shown.

use serde::{Deserialize, Serialize};

/// How a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The game came to its end.
    Finished,
    /// A seat broke something, and the log shows it.
    Fault,
    /// A seat broke something that only this seat can know.
    Unprovable,
    /// Others were silent.
    Silence,
    /// A seat of this machine was silent (TAB-26).
    Overtime,
    /// A seat followed a different history and did not explain it.
    Fork,
    /// This seat's memory is older than what it has signed.
    RolledBack,
    /// A mistake of this program.
    Local,
    /// The person left.
    Left,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Finished,
        Self::Fault,
        Self::Unprovable,
        Self::Silence,
        Self::Overtime,
        Self::Fork,
        Self::RolledBack,
        Self::Local,
        Self::Left,
    ];

    /// As files and pages have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Fault => "fault",
            Self::Unprovable => "unprovable",
            Self::Silence => "silence",
            Self::Overtime => "overtime",
            Self::Fork => "fork",
            Self::RolledBack => "rolled-back",
            Self::Local => "local",
            Self::Left => "left",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_one_word() {
        for ending in Ending::ALL {
            assert_eq!(serde_json::to_value(ending).unwrap(), ending.name());
            assert_eq!(serde_json::from_value::<Ending>(ending.name().into()).unwrap(), ending);
        }
    }
}
