//! `outis show`: replays a game as a spectator sees it, or as a seat of this machine saw it. Both views are built up
//! and never stripped down: one from public events, the other from the seat's encrypted journal.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use outis_game::Picture;
use outis_game::words::Text;
use outis_table::Seat;
use outis_table::codec::Encode;
use outis_table::offer::Offer;
use serde_json::{Value, json};

use crate::app::NodeArgs;
use crate::exit::{Exit, Failure};
use crate::log_file::{LogFile, NoLog};
use crate::machine::profile::Profile;
use crate::machine::table_folders;
use crate::speech::{Speech, title};
use crate::trouble::Said;
use crate::verify;

/// Options of `outis show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Log of a game
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Show what this seat knew, counted from 1 (only seats played on this machine)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub seat: Option<u8>,

    /// Print JSON: an array of views
    #[arg(long)]
    pub json: bool,
}

/// Shows a game.
pub fn run(args: &ShowArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let speech = Speech::new();
    let log = LogFile::open(&args.file).map_err(|why| why.failure(&args.file, &speech))?;
    let pictures = match args.seat {
        Some(seat) => recalled(&log.offer, Seat(seat - 1), node, &speech)?,
        None => log.game.show(&log.bytes).map_err(|why| NoLog::from(why).failure(&args.file, &speech))?,
    };
    if args.json {
        let views = pictures.into_iter().map(|p| json!({ "round": p.round, "view": p.view })).collect();
        writeln!(out, "{}", Value::Array(views))?;
        return verdict(&log, args, &speech);
    }
    let summary = Text::new(format!("{}.summary", log.game.name()));
    let text = Text::new("terminal.show.title").with("game", title(log.game.name())).with("summary", summary);
    writeln!(out, "{}", speech.say(&text))?;
    for picture in pictures.iter().filter(|picture| !picture.news.is_empty()) {
        writeln!(out, "{}", speech.say(&Text::new("terminal.show.round").with("n", i64::from(picture.round))))?;
        for line in &picture.news {
            writeln!(out, "  {}", speech.say(line))?;
        }
    }
    verdict(&log, args, &speech)
}

/// A log that is not valid is reported as such, with the exit code of `outis verify`.
fn verdict(log: &LogFile, args: &ShowArgs, speech: &Speech) -> Result<(), Failure> {
    let finding = log.game.verify(&log.bytes).map_err(|why| NoLog::from(why).failure(&args.file, speech))?;
    match verify::exit(&finding) {
        Exit::Success => Ok(()),
        exit => Err(Failure { exit, error: speech.say(&verify::verdict(&finding)).into() }),
    }
}

/// What a seat of this machine knew at the table of a log.
fn recalled(offer: &Offer, seat: Seat, node: &NodeArgs, speech: &Speech) -> Result<Vec<Picture>, Failure> {
    let dir = node.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
    let profile = Profile::open(&dir)?;
    let folder = profile.dir().join("tables");
    let offer = offer.to_bytes();
    let ours = table_folders::all(&folder).0.into_iter().find(|about| about.offer == offer);
    let refuse = |text: &Text| Err(Failure::usage(speech.say(text)));
    match ours {
        None => refuse(&Text::new("terminal.show.no-table")),
        Some(about) if about.own != seat && !about.people().contains(&seat) => {
            refuse(&Text::new("terminal.show.other-seat").with("who", seat).with("own", about.own))
        }
        // People who share a machine do not see each other's side while they play.
        Some(about) if about.is_shared() && about.end.is_none() => refuse(&Text::new("terminal.show.shared")),
        Some(about) => table_folders::recall(&about, seat, profile.keys(), &folder)
            .map_err(|trouble| Failure::from(Said(trouble.text()))),
    }
}
