//! How the program ends: one enum, printed by `--help` from here so that the two cannot disagree.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

/// Exit codes. Scripts rely on them: a number never changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything asked for was done and everything checked holds.
    Success = 0,
    /// A check failed: somebody cheated, and the output says who.
    Fault = 1,
    /// The input is not what it should be and was not checked.
    Unreadable = 2,
    /// The command line makes no sense.
    Usage = 3,
    /// This machine failed: a file, the network, the source of randomness.
    Local = 4,
}

impl Exit {
    /// All of them, in order.
    pub const ALL: [Exit; 5] = [Exit::Success, Exit::Fault, Exit::Unreadable, Exit::Usage, Exit::Local];

    /// What it means, in one line.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Success => "done, and everything that was checked holds",
            Exit::Fault => "a check failed; the output names seat, step and check",
            Exit::Unreadable => "the input is unreadable and was not checked",
            Exit::Usage => "the command line makes no sense",
            Exit::Local => "this machine failed: a file, the network, randomness",
        }
    }

    /// The paragraph at the end of `--help`.
    pub fn help() -> String {
        let line = |exit: &Exit| format!("  {}  {}", *exit as u8, exit.meaning());
        format!("Exit codes:\n{}", Self::ALL.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command did not succeed, with the code to end with.
#[derive(Debug)]
pub struct Failure {
    /// How to end.
    pub exit: Exit,
    /// What to tell the person.
    pub error: Box<dyn Error>,
}

impl Failure {
    /// The command line cannot be carried out.
    pub fn usage(error: impl Into<Box<dyn Error>>) -> Self {
        Self { exit: Exit::Usage, error: error.into() }
    }

    /// A check failed that had to hold.
    pub fn fault(error: impl Into<Box<dyn Error>>) -> Self {
        Self { exit: Exit::Fault, error: error.into() }
    }
}

/// Whatever goes wrong unexpectedly goes wrong here, on this machine.
impl<E: Into<Box<dyn Error>>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { exit: Exit::Local, error: error.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_documentation() {
        assert_eq!(Exit::ALL.map(|exit| exit as u8), [0, 1, 2, 3, 4]);
        assert!(Exit::ALL.iter().all(|exit| Exit::help().contains(exit.meaning())));
    }
}
