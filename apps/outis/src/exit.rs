//! How the program ends: one enum, from which `--help` prints the exit codes, so that the two cannot disagree.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

/// Exit codes. Scripts rely on them, so a number never changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything that was asked for is done, and everything that was checked is valid.
    Success = 0,
    /// A check failed: a player broke the rules, and the output names the seat.
    Fault = 1,
    /// The input has the wrong format and was not checked.
    Unreadable = 2,
    /// The command line is invalid.
    Usage = 3,
    /// A local problem: a file, the network or the random source.
    Local = 4,
    /// What was checked is valid, but a log ends before its game does.
    Unfinished = 5,
    /// What was checked is valid, but the end of a log rests on a timeout claim of one seat.
    Claimed = 6,
    /// What was checked is valid, but two logs of a table contradict each other about a timeout claim.
    Disputed = 7,
}

impl Exit {
    /// All of them, in order.
    pub const ALL: [Exit; 8] = [
        Exit::Success,
        Exit::Fault,
        Exit::Unreadable,
        Exit::Usage,
        Exit::Local,
        Exit::Unfinished,
        Exit::Claimed,
        Exit::Disputed,
    ];

    /// What it means, in one line.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Success => "success; everything that was checked is valid",
            Exit::Fault => "a check failed; the output names seat, step and check",
            Exit::Unreadable => "the input is unreadable and was not checked",
            Exit::Usage => "invalid command line",
            Exit::Local => "a local problem: file, network or random source",
            Exit::Unfinished => "every check passed, but a log ends before its game does",
            Exit::Claimed => "every check passed, but a log ends with a timeout claim, which proves nothing",
            Exit::Disputed => "every check passed, but one log contradicts the timeout claim of another",
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

/// Why a command failed, with the exit code.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// The message for the person.
    pub error: Box<dyn Error>,
}

impl Failure {
    /// A command line that cannot be carried out.
    pub fn usage(error: impl Into<Box<dyn Error>>) -> Self {
        Self { exit: Exit::Usage, error: error.into() }
    }

    /// A check that failed.
    pub fn fault(error: impl Into<Box<dyn Error>>) -> Self {
        Self { exit: Exit::Fault, error: error.into() }
    }
}

/// Any other error is a local problem of this machine.
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
        assert_eq!(Exit::ALL.map(|exit| exit as u8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(Exit::ALL.iter().all(|exit| Exit::help().contains(exit.meaning())));
    }
}
