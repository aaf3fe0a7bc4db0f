//! How a table ended, as this machine stores and reports it: one type, turned into words only where it is written or
//! shown.

use serde::{Deserialize, Serialize};

/// How a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The game was played to its end.
    Finished,
    /// A seat broke a rule, and the log proves it.
    Fault,
    /// A seat broke a rule, but only this seat can know that.
    Unprovable,
    /// Other seats were silent.
    Silence,
    /// A seat of this machine was silent (TAB-26).
    Overtime,
    /// A seat followed a different log and did not explain it.
    Fork,
    /// This seat's stored state is older than what it has signed.
    RolledBack,
    /// An error of this program.
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

    /// The name used in files and by pages.
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
