//! Networks that a machine has only for a test, and programs in them. All of it needs root on Linux.

#![allow(dead_code, reason = "not every test uses everything")]

pub mod homes;
pub mod program;

use std::process::Command;

/// Runs a command that says nothing, or what it said against it.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// `ip`, by its words.
pub fn ip(args: &str) -> Result<String, String> {
    run(Command::new("ip").args(args.split_whitespace()))
}
