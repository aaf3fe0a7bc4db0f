//! `outis bridge deal --toss`: several clubs draw the deals together. A public file goes round twice; each club keeps
//! its key to itself. Every call takes the club's next step.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use outis_bridge::record::Record;
use outis_bridge::toss::{Agreed, Joint, Secret, Step, TossRefused};
use outis_game::words::Text;

use super::files::{put, read_bytes, unreadable};
use super::{Boards, bad_file, randomness};
use crate::exit::Failure;
use crate::speech::{Speech, plain};
use crate::trouble::Said;

/// Options for a toss among clubs.
#[derive(Args, Debug, Default)]
pub struct JointArgs {
    /// Draw deals together with other clubs; this public file goes round twice
    #[arg(long, value_name = "FILE")]
    pub toss: Option<PathBuf>,
    /// This club's number, from 1; without it the file is only checked
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), requires = "toss")]
    club: Option<u8>,
    /// File with this club's key: the first step creates it, the second needs it
    #[arg(long, value_name = "FILE", requires = "club")]
    key: Option<PathBuf>,
    /// Number of clubs, for a new file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..), requires = "toss")]
    clubs: Option<u8>,
    /// Name of the event, for a new file, e.g. "Spring pairs, 3 May"
    #[arg(long, value_name = "TEXT", requires = "toss")]
    about: Option<String>,
}

/// Takes a club's next step; returns the deals when the toss is complete.
pub fn step(
    file: &Path,
    args: &JointArgs,
    boards: &Boards,
    out: &mut impl Write,
) -> Result<Option<Vec<Record>>, Failure> {
    let mut joint = open(file, args, boards)?;
    let state = match args.club {
        None => joint.state().map_err(fault)?,
        Some(club) => {
            let path = args.key.as_ref().ok_or_else(|| Failure::usage("--key FILE is needed with --club"))?;
            let secret = key(path, boards)?;
            let said = joint.step(club, &secret).map_err(fault)?;
            if matches!(said, Step::Committed | Step::Revealed) {
                put(file, joint.to_string().as_bytes())?;
            }
            said
        }
    };
    if joint.state().map_err(fault)? == Step::Over {
        return Ok(Some(joint.deals().map_err(fault)?));
    }
    if let Some(text) = next(&state, file) {
        writeln!(out, "{}", Speech::new().say(&text))?;
    }
    Ok(None)
}

/// What a step did, or which clubs the toss waits for.
fn next(step: &Step, file: &Path) -> Option<Text> {
    let on = |id: &str| Text::new(id).with("file", plain(file.display().to_string()));
    let list = |clubs: &[u8]| plain(clubs.iter().map(u8::to_string).collect::<Vec<_>>().join(", "));
    match step {
        Step::Committed => Some(on("terminal.toss.sealed")),
        Step::Revealed => Some(on("terminal.toss.opened")),
        Step::AwaitCommitments(clubs) => Some(Text::new("terminal.toss.wait.sealed").with("clubs", list(clubs))),
        Step::AwaitReveals(clubs) => Some(Text::new("terminal.toss.wait.opened").with("clubs", list(clubs))),
        _ => None,
    }
}

fn open(file: &Path, args: &JointArgs, boards: &Boards) -> Result<Joint, Failure> {
    if file.exists() {
        let text = String::from_utf8_lossy(&read_bytes(file)?).into_owned();
        let joint = Joint::read(&text).map_err(|bad| unreadable(file, bad_file::with_place(&bad)))?;
        if args.clubs.is_some_and(|n| n != joint.agreed().clubs) {
            return Err(Failure::usage(format!("the file is for {} clubs", joint.agreed().clubs)));
        }
        return Ok(joint);
    }
    let (Some(clubs), Some(about)) = (args.clubs, args.about.clone()) else {
        return Err(Failure::usage(format!(
            "{} does not exist; to start a new toss, give --clubs and --about",
            file.display()
        )));
    };
    Joint::new(Agreed { about, clubs, boards: boards.boards, from: boards.from }).map_err(Failure::usage)
}

/// The club's key; a new key is written to disk before the club commits to anything.
fn key(path: &Path, boards: &Boards) -> Result<Secret, Failure> {
    if path.exists() {
        let text = String::from_utf8_lossy(&read_bytes(path)?).into_owned();
        return Secret::parse(&text).ok_or_else(|| unreadable(path, Text::new("terminal.toss.no-key")));
    }
    let secret = Secret::new(&mut randomness(boards.seed)?);
    put(path, format!("{}\n", secret.to_hex()).as_bytes())?;
    Ok(secret)
}

fn fault(error: TossRefused) -> Failure {
    let of = |id: &str, club: u8| Said(Text::new(id).with("club", i64::from(club)));
    match error {
        TossRefused::False(club) => Failure::fault(of("terminal.toss.false", club)),
        TossRefused::OtherKey(club) => Failure::usage(of("terminal.toss.other-key", club)),
        other => Failure::usage(other),
    }
}
