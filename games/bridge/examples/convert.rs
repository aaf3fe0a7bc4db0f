//! Reads deals from standard input and writes them in the format named: `pbn`, `lin`, `plain`, `html` or `json`. Without
//! input, 10,000 drawn deals with their sheets are written as JSON.
#![expect(clippy::disallowed_methods, reason = "an example has a terminal")]

use std::io::{Read, Write};

use outis_bridge::commands::{Format, Print, convert, deal, read, sheets, write_sheets};
use outis_bridge::sheet::Scheme;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let format = match std::env::args().nth(1).as_deref() {
        Some("pbn") => Format::Pbn,
        Some("lin") => Format::Lin,
        Some("plain") => Format::Plain,
        Some("html") => Format::Html,
        _ => Format::Json,
    };
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let bytes = if input.is_empty() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let mut records = Vec::new();
        for _ in 0..10 {
            records.extend(deal(1000, 1, &mut rng)?);
        }
        write_sheets(&sheets(records, Scheme::PAPER, &mut rng), &Print::default(), Format::Json)?
    } else {
        convert(&read(&input)?, &Print::default(), format)?
    };
    std::io::stdout().write_all(&bytes)?;
    Ok(())
}
