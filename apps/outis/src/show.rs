//! `outis show`: replays a game as a spectator may see it. It is built up from public events, never stripped down.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use outis_table::export;
use outis_table::words::Language;
use serde_json::{Value, json};

use crate::catalogue;
use crate::exit::{Exit, Failure};

/// Options of `outis show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// An exported log
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print an array of views
    #[arg(long)]
    pub json: bool,
}

/// Shows.
pub fn run(args: &ShowArgs, out: &mut impl Write) -> Result<(), Failure> {
    let unreadable = |why: String| Failure { exit: Exit::Unreadable, error: why.into() };
    let bytes = std::fs::read(&args.file)?;
    let (offer, _) = export::read(&bytes).map_err(|e| unreadable(format!("not a log: {e}")))?;
    let game = catalogue::game(&offer.game)
        .ok_or_else(|| unreadable(format!("a log of {:?}, which is not in the catalogue", offer.game)))?;
    let pictures = game.show(&bytes).map_err(|e| unreadable(e.to_string()))?;
    if args.json {
        let views = pictures.into_iter().map(|p| json!({ "round": p.round, "view": p.view })).collect();
        writeln!(out, "{}", Value::Array(views))?;
        return Ok(());
    }
    writeln!(out, "{}: {}", game.name(), game.summary())?;
    let words = game.words(Language::En);
    for picture in &pictures {
        writeln!(out, "after round {}", picture.round)?;
        for line in &picture.lines {
            writeln!(out, "  {}", words.say(line, &|seat| format!("seat {}", seat.0)))?;
        }
    }
    Ok(())
}
