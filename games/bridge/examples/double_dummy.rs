//! Solves the deals given as PBN texts on standard input, one per line, and prints the 20 digits of each, or with
//! `--json` results and par. With the feature `dds`, by DDS.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example has a terminal")]

use std::io::{BufRead, Write};

use outis_bridge::{dd, formats};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let json = std::env::args().any(|a| a == "--json");
    #[cfg(feature = "dds")]
    let mut dds = dd::dds::Dds::default();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let deal = formats::pbn::parse_deal(&line?)?;
        #[cfg(feature = "dds")]
        let tricks = dds.solve(&deal).ok_or("DDS does not take this deal")?;
        #[cfg(not(feature = "dds"))]
        let tricks = dd::solve(&deal);
        match json {
            true => writeln!(out, "{}", formats::json::double_dummy(&tricks))?,
            false => writeln!(out, "{}", tricks.pbn())?,
        }
        out.flush()?;
    }
    Ok(())
}
