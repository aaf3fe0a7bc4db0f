//! Solves the deals given as PBN texts on standard input, one per line, and prints the 20 digits of each.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example has a terminal")]

use std::io::{BufRead, Write};

use outis_bridge::{dd, formats};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let deal = formats::pbn::parse_deal(&line?)?;
        writeln!(out, "{}", dd::solve(&deal).pbn())?;
        out.flush()?;
    }
    Ok(())
}
