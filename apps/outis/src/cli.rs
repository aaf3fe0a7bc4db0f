//! The command line, as data.

use clap::error::Error;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::exit::Exit;
use crate::{app, bridge, cheat, lab, meeting, play, rules, selfplay, show, tournament, verify};

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

/// Commands that use neither a profile nor the network.
const ALONE: [&str; 11] =
    ["tournament", "story", "lab", "bench", "figures", "play", "selfplay", "verify", "cheat", "bridge", "rules"];

impl Cli {
    /// Reads the command line of this process.
    pub fn read() -> Result<Self, Error> {
        Self::from_arg_matches(&command().try_get_matches()?)
    }
}

/// The command line; each option appears only in the help of commands that use it.
fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    for subcommand in command.get_subcommands_mut() {
        let (profile, network) = match subcommand.get_name() {
            name if ALONE.contains(&name) => (false, false),
            "show" | "relay" => (true, false),
            _ => continue,
        };
        hide(subcommand, profile, network);
    }
    let formats = [
        ("sheets", &["svg"][..]),
        ("records", &["svg"]),
        ("curtains", &["json", "pbn", "lin", "html", "svg"]),
        ("leak", &["pdf", "pbn", "lin", "html"]),
        ("convert", &["pdf", "svg"]),
        ("deal", &["pdf", "svg"]),
    ];
    // Every subcommand of `bridge` takes the same options, and refuses formats that make no sense for it.
    let bridge = command.find_subcommand_mut("bridge").into_iter().flat_map(clap::Command::get_subcommands_mut);
    for subcommand in bridge {
        let refused = formats.iter().find(|(name, _)| *name == subcommand.get_name()).map_or(&[][..], |(_, all)| all);
        let is_taken = |arg: &clap::Arg| !refused.contains(&arg.get_id().as_str());
        *subcommand = std::mem::take(subcommand).mut_args(|arg| if is_taken(&arg) { arg } else { arg.hide(true) });
    }
    command
}

fn hide(command: &mut clap::Command, profile: bool, network: bool) {
    let shown = |arg: &clap::Arg| match arg.get_id().as_str() {
        "profile" => profile,
        _ => network || arg.get_help_heading() != Some(app::NETWORK),
    };
    *command = std::mem::take(command).mut_args(|arg| if shown(&arg) { arg } else { arg.hide(true) });
    for subcommand in command.get_subcommands_mut() {
        hide(subcommand, profile, network);
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one, and it is read once")]
pub enum Command {
    /// Play against bots in the terminal (works with screen readers)
    Play(play::PlayArgs),
    /// Open a table, print invites and play in the terminal
    Host(app::HostArgs),
    /// Join a table by invite, or an open table in a lobby
    Join(app::JoinArgs),
    /// Continue your correspondence games
    Letters(app::LettersArgs),
    /// Check the log of a game
    #[command(after_help = verify::help())]
    Verify(verify::VerifyArgs),
    /// Replay a log as a spectator sees it
    Show(show::ShowArgs),
    /// Run a scripted cheat and see how it is caught
    Cheat(cheat::CheatArgs),
    /// Watch four players deal cards without a dealer (a one-minute read)
    Story,
    /// Watch the source documents' protocols message by message, and break them
    Lab(lab::LabArgs),
    /// Run a lobby for your club, or query one
    #[command(args_conflicts_with_subcommands = true)]
    Lobby(meeting::command::LobbyArgs),
    /// Run a relay for players who cannot connect directly
    Relay(app::RelayArgs),
    /// Pair the next round and print standings from a file
    Tournament(tournament::TournamentArgs),
    /// Print dealing sheets, hand records and curtain cards for duplicate bridge
    #[command(subcommand)]
    Bridge(bridge::BridgeCommand),
    /// Answer questions about a game's rules (JSON lines)
    Rules(rules::RulesArgs),
    /// Let bots play whole games, reproducibly from a seed
    Selfplay(selfplay::SelfplayArgs),
    /// Measure what each protocol costs
    Bench(BenchArgs),
    /// Recompute every figure in the five source documents and compare
    Figures(FiguresArgs),
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

/// Options of `outis figures`.
#[derive(Args, Debug)]
pub struct FiguresArgs {
    /// Compute only figures whose id contains this, e.g. `bridge` or `tarokk.25`
    pub filter: Option<String>,

    /// Print JSON: an array of objects, as described in spec/figures.md
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// The help of a command as printed.
    fn help(words: &[&str]) -> String {
        let all = ["outis"].iter().chain(words).chain(&["--help"]);
        command().try_get_matches_from(all).expect_err("help ends the program").to_string()
    }

    #[test]
    fn network_options_are_listed_where_they_do_something() {
        for words in [&["host"][..], &["join"], &["letters"], &["lobby"], &["lobby", "tables"], &[]] {
            assert!(help(words).contains("--relay-only") && help(words).contains("--profile"), "{words:?}");
        }
        let alone = [&["story"][..], &["bench"], &["figures"], &["play"], &["verify"], &["bridge", "deal"], &["rules"]];
        for words in alone {
            assert!(!help(words).contains("--relay-only") && !help(words).contains("--profile"), "{words:?}");
        }
        assert!(help(&["show"]).contains("--profile") && !help(&["show"]).contains("--relay-only"));
        assert!(help(&["verify"]).contains(Exit::Claimed.meaning()), "whoever runs it in a script needs the codes");
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let reads = |line: &str| command().try_get_matches_from(line.split(' ')).is_ok();
        let with = |line: &str, number: &str| reads(&line.replace('#', number));
        for (line, good, bad) in [
            ("outis selfplay tarokk --games #", "1", "0"),
            ("outis bridge sheets --boards #", "1", "0"),
            ("outis bridge sheets --from #", "1", "0"),
            ("outis bridge leak --deals #", "1", "0"),
            ("outis bridge check --simulate #", "1", "0"),
            ("outis bridge check --simulate 9 --rates #,0,0,0,0", "1000", "1001"),
            ("outis bridge deal --toss f --clubs #", "2", "1"),
            ("outis bridge deal --toss f --club #", "1", "0"),
            ("outis host poker --days #", "1", "0"),
            ("outis host poker --bot #", "3", "4"),
            ("outis join x --bot #", "1", "0"),
        ] {
            assert!(with(line, good) && !with(line, bad), "{line}");
        }
    }
}
