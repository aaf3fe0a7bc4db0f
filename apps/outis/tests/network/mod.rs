//! Networks that exist only for a test, and programs in them. All of it needs root on Linux.

#![allow(dead_code, reason = "not every test uses everything")]

pub mod homes;
pub mod program;

use std::process::Command;

/// Runs a command and returns its output; an error is what it printed.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// Runs `ip` with these arguments.
pub fn ip(args: &str) -> Result<String, String> {
    run(Command::new("ip").args(args.split_whitespace()))
}
