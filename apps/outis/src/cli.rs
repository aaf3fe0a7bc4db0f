//! The command line, as data.

use clap::{Args, Parser, Subcommand};

use crate::exit::Exit;
use crate::{app, bridge, cheat, meeting, play, rules, selfplay, show, tournament, verify};

/// Card and board games without a dealer or a server you have to trust
///
/// Run without a command to open the page in your browser.
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
    /// Open a table, print invites and play in the terminal
    Host(app::HostArgs),
    /// Join a table by invite, or an open table in a lobby
    Join(app::JoinArgs),
    /// Continue your correspondence games
    Letters(app::LettersArgs),
    /// Run a relay for players who cannot connect directly
    Relay(app::RelayArgs),
    /// Run a lobby for your club, or query one
    #[command(args_conflicts_with_subcommands = true)]
    Lobby(meeting::command::LobbyArgs),
    /// Pair the next round and print standings from a file
    Tournament(tournament::TournamentArgs),
    /// Watch four players deal cards without a dealer (a one-minute read)
    Story,
    /// Measure what each protocol costs
    Bench(BenchArgs),
    /// Play against bots in the terminal (works with screen readers)
    Play(play::PlayArgs),
    /// Let bots play whole games, reproducibly from a seed
    Selfplay(selfplay::SelfplayArgs),
    /// Check the log of a game
    Verify(verify::VerifyArgs),
    /// Replay a log as a spectator sees it
    Show(show::ShowArgs),
    /// Run a scripted cheat and see how it is caught
    Cheat(cheat::CheatArgs),
    /// Print dealing sheets, hand records and curtain cards for duplicate bridge
    #[command(subcommand)]
    Bridge(bridge::BridgeCommand),
    /// Answer questions about a game's rules (JSON lines)
    Rules(rules::RulesArgs),
}

/// Options of `outis bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Measure only lines whose name contains this, e.g. `shuffle` or `share.verify`
    pub filter: Option<String>,

    /// Print JSON: an array of {name, grade, n, value, unit, floor_ratio, backend}
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
