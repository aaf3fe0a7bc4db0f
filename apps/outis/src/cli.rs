//! The command line, as data.

use clap::{Args, Parser, Subcommand};

use crate::exit::Exit;
use crate::{app, bridge, cheat, meeting, play, rules, selfplay, show, tournament, verify};

/// Hidden-information games with nobody in the middle: no dealer, no referee, no server that could peek.
///
/// Without a command, opens a page in your browser where you can play at once.
#[derive(Debug, Parser)]
#[command(name = "outis", version, after_help = Exit::help())]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// The page.
    #[command(flatten)]
    pub page: app::PageArgs,

    /// The node.
    #[command(flatten)]
    pub node: app::NodeArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one, and it is read once")]
pub enum Command {
    /// Opens a table in the terminal, prints invites, waits for everybody, and plays
    Host(app::HostArgs),
    /// Takes an invite and plays in the terminal
    Join(app::JoinArgs),
    /// Goes on with games that are played by letters through a meeting place
    Letters(app::LettersArgs),
    /// Runs a relay for players who cannot reach each other directly
    Relay(app::RelayArgs),
    /// Runs a meeting place (open tables, letters, a shelf of finished games), or asks one
    #[command(args_conflicts_with_subcommands = true)]
    Lobby(meeting::command::LobbyArgs),
    /// Pairings and table of a tournament, from a file with players and results
    Tournament(tournament::TournamentArgs),
    /// Tells, in a minute of reading, how four players deal a pack of cards that nobody deals
    Story,
    /// Measures every protocol, beside the classic grade and the machine's floor
    Bench(BenchArgs),
    /// Plays against bots in the terminal, by lines; friendly to screen readers
    Play(play::PlayArgs),
    /// Bots at all seats, the full protocol, one process; reproducible from the seed
    Selfplay(selfplay::SelfplayArgs),
    /// Checks exported logs from their bytes alone
    Verify(verify::VerifyArgs),
    /// Replays a game as a spectator may see it
    Show(show::ShowArgs),
    /// Plays a scripted cheat against honest seats and shows how it is refused and who is named
    Cheat(cheat::CheatArgs),
    /// Dealing sheets, hand records, curtain cards and leak analysis for duplicate bridge
    #[command(subcommand)]
    Bridge(bridge::BridgeCommand),
    /// Answers questions about the rules of a game: JSON lines in, JSON lines out
    Rules(rules::RulesArgs),
}

/// Options of `outis bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Measure only the lines whose name contains this, e.g. `shuffle` or `share.verify`
    pub filter: Option<String>,

    /// Print an array of {name, grade, n, value, unit, floor_ratio, backend} instead of a table
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
