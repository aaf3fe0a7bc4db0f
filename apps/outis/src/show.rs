//! `outis show`: replays a game as a spectator sees it, or as a seat of this machine saw it. Both are built up, never
//! stripped down: one from public events, the other from what the seat wrote into its encrypted journal.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use outis_game::words::Language;
use outis_table::audit::Unreadable;
use outis_table::codec::Encode;
use outis_table::offer::Offer;
use outis_table::{Seat, export};
use serde_json::{Value, json};

use crate::app::NodeArgs;
use crate::exit::{Exit, Failure};
use crate::node::profile::Profile;
use crate::node::store;
use outis_game::Picture;

/// Options of `outis show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Log of a game
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Show what this seat knew (only seats played on this machine)
    #[arg(long, value_name = "N")]
    pub seat: Option<u8>,

    /// Print JSON: an array of views
    #[arg(long)]
    pub json: bool,
}

/// Shows.
pub fn run(args: &ShowArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let unreadable = |why: String| Failure { exit: Exit::Unreadable, error: why.into() };
    let bytes = std::fs::read(&args.file)?;
    let (offer, _) = export::read(&bytes).map_err(|e| unreadable(Unreadable::from(e).to_string()))?;
    let game = outis_catalogue::game(&offer.game)
        .ok_or_else(|| unreadable(format!("this version of Outis does not have the game {:?}", offer.game)))?;
    let pictures = match args.seat {
        Some(seat) => recalled(&offer, Seat(seat), node)?,
        None => game.show(&bytes).map_err(|e| unreadable(e.to_string()))?,
    };
    if args.json {
        let views = pictures.into_iter().map(|p| json!({ "round": p.round, "view": p.view })).collect();
        writeln!(out, "{}", Value::Array(views))?;
        return Ok(());
    }
    writeln!(out, "{}: {}", game.name(), game.summary())?;
    let words = game.words(Language::En);
    for picture in pictures.iter().filter(|picture| !picture.news.is_empty()) {
        writeln!(out, "after log round {}", picture.round)?;
        for line in &picture.news {
            writeln!(out, "  {}", words.say(line, &|seat| format!("seat {}", seat.0)))?;
        }
    }
    Ok(())
}

/// What a seat of ours knew at the table of a log.
fn recalled(offer: &Offer, seat: Seat, node: &NodeArgs) -> Result<Vec<Picture>, Failure> {
    let dir = node.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
    let profile = Profile::open(&dir)?;
    let folder = profile.dir().join("tables");
    let offer = offer.to_bytes();
    let ours = store::all(&folder).0.into_iter().find(|about| about.offer == offer);
    match ours {
        None => Err(Failure::usage("this profile has no such table; choose another with --profile")),
        Some(about) if about.own != seat && !about.people().contains(&seat) => {
            Err(Failure::usage(format!("seat {} was not played on this machine; seat {} was", seat.0, about.own.0)))
        }
        // People who share a machine are not shown each other's side while they play.
        Some(about) if about.is_shared() && about.end.is_none() => {
            Err(Failure::usage("several people share this machine, and the game has not ended yet"))
        }
        Some(about) => {
            store::recall(&about, seat, profile.keys(), &folder).map_err(|trouble| Failure::from(trouble.to_string()))
        }
    }
}
