//! `outis join --cheat`: a program that cheats, to show how the others catch it. It plays under throwaway keys, and
//! only at a table that it was invited to.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::terminal::{SeatArgs, Terminal};
use super::{NodeArgs, Started};
use crate::exit::Failure;
use crate::machine::drive::Node;
use crate::random;
use outis_catalogue::GAMES;
use outis_node::names::hex;

/// How long a cheating program stays, to send its false step to every seat that has not received it.
const LINGER: Duration = Duration::from_secs(60);

/// A profile that is removed on drop.
struct Throwaway(PathBuf);

impl Drop for Throwaway {
    fn drop(&mut self) {
        // If removal fails, an unused profile stays behind.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Takes an invite, lets a bot play, and runs this cheat at the first opportunity.
pub fn join(text: &str, trick: &str, seat: &SeatArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let known = GAMES.iter().any(|game| game.grades().iter().any(|grade| game.tricks(*grade).contains(&trick)));
    if !known {
        return Err(Failure::usage(format!("no game has a cheat {trick:?}; see `outis cheat GAME --list`")));
    }
    if node.profile.is_some() || node.lobby.is_some() || seat.shelve {
        return Err(Failure::usage("--cheat cannot be combined with --profile, --lobby or --shelve"));
    }
    let profile = Throwaway(std::env::temp_dir().join(format!("outis-cheat-{}", hex(&random::bytes::<8>()))));
    let started = Started::new(&NodeArgs { profile: Some(profile.0.clone()), ..node.clone() })?;
    started.node.cheat(trick);
    let mut terminal = Terminal::new(&started, seat, out)?;
    terminal.bot = terminal.bot.or(Some(1));
    let id = terminal.patiently(|| started.node.join(text))?;
    terminal.play(id, false)
}

/// Stays until the other seats have left, at most for [`LINGER`].
pub fn linger(node: &Node, id: &str) -> Result<(), Failure> {
    let began = Instant::now();
    let somebody = |state: serde_json::Value| {
        state["seats"].as_array().is_some_and(|s| s.iter().any(|s| s["kind"] == "peer" && s["link"] == "here"))
    };
    while began.elapsed() < LINGER && node.table_json(id).is_some_and(somebody) {
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
