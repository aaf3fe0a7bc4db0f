//! Reading and writing deals as other programs do. Readers take any bytes and never panic; what they refuse they name
//! by line and column.

pub mod pbn;

use core::fmt;

/// Why a file was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFile {
    /// Counted from 1; 0 if the whole file is meant.
    pub line: usize,
    /// Counted in characters from 1; 0 if the whole line is meant.
    pub column: usize,
    /// What is wrong, in words.
    pub reason: String,
}

impl BadFile {
    pub(crate) fn new(line: usize, column: usize, reason: impl fmt::Display) -> Self {
        Self { line, column, reason: reason.to_string() }
    }
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => f.write_str(&self.reason),
            (line, 0) => write!(f, "line {line}: {}", self.reason),
            (line, column) => write!(f, "line {line}, column {column}: {}", self.reason),
        }
    }
}

impl std::error::Error for BadFile {}
