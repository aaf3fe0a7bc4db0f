//! `outis host`: opens a table with invites, or one that is listed in a lobby.

use std::io::{IsTerminal, Write};

use clap::Args;
use outis_game::words::Text;
use outis_node::ask::{Ask, Start};
use outis_node::pages::qr;
use outis_node::seating::ticks;

use super::terminal::{SeatArgs, Terminal};
use super::{NodeArgs, Started};
use crate::exit::Failure;
use crate::play::{self, GradeArg};

/// Options of `outis host`.
#[derive(Args, Debug)]
pub struct HostArgs {
    #[arg(help = outis_catalogue::help())]
    pub game: String,

    /// Number of bots
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub bots: u8,

    /// Security grade, for games that have both
    #[arg(long, value_enum, default_value_t = GradeArg::Hardened)]
    pub grade: GradeArg,

    /// Set a game option; may be repeated
    #[arg(long = "option", alias = "set", value_name = "NAME=VALUE")]
    pub dials: Vec<String>,

    /// List the table in the lobby; anyone may take a seat
    #[arg(long)]
    pub open: bool,

    /// List the table only for players who know this code
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,

    /// Make it a correspondence game with this many days per move
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u8).range(1..))]
    pub days: Option<u8>,

    /// Run a relay here for this table; HOST is the name or public address of this machine
    #[arg(long, value_name = "HOST", num_args = 0..=1, require_equals = true, default_missing_value = "",
          conflicts_with_all = ["anywhere", "direct", "local", "relay"], help_heading = super::NETWORK)]
    pub relay_here: Option<String>,

    #[command(flatten)]
    pub seat: SeatArgs,
}

/// Opens a table, prints invites for its open seats, waits until all seats are taken, and plays.
pub fn host(args: &HostArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let unknown = || Failure::usage(format!("unknown game {:?}; games: {}", args.game, outis_catalogue::names()));
    let game = outis_catalogue::game(&args.game).ok_or_else(unknown)?;
    let grade = args.grade.of(game)?;
    let mut dials = play::dials(game, grade, &args.dials)?;
    if args.days.is_some() {
        // A correspondence game has no clock in seconds or minutes. A clock that the host sets explicitly stays, and is
        // refused later with a message.
        let chosen = |name: &str| args.dials.iter().any(|choice| choice.split('=').next() == Some(name));
        for (dial, value) in game.dials(grade).iter().zip(&mut dials) {
            if ticks(dial) && dial.range.0 <= 0 && !chosen(dial.name) {
                *value = 0;
            }
        }
    }
    let (_, seats) = game
        .choose(grade, &dials)
        .ok_or_else(|| Failure::usage(format!("{} does not allow these options together", game.name())))?;
    let others = usize::from(seats) - 1;
    if usize::from(args.bots) >= others {
        return Err(Failure::usage(format!(
            "with {} bots there is no seat left to invite anyone; use `outis play`",
            args.bots
        )));
    }
    let started = match &args.relay_here {
        None => Started::new(node)?,
        Some(host) => Started::with_relay(node, host)?,
    };
    // An open table's guests are found by the lobby.
    let is_open = args.open || args.code.is_some() || args.days.is_some();
    if !is_open && args.relay_here.is_none() {
        super::reach::settle(&started, node, out)?;
    }
    let mut terminal = Terminal::new(&started, &args.seat, out)?;
    let bots = vec![game.levels(); args.bots.into()];
    let grade = Some(grade.name().to_owned());
    let plan = Start { dials: Some(dials), grade, bots, ..Start::of_game(game.name()) };
    let id = started.node.ask_for_table(Ask::Start(Box::new(plan))).map_err(|text| terminal.sorry(&text))?;
    if is_open {
        let published = started.node.publish(&id, args.days, args.code.as_deref());
        published.map_err(|text| terminal.sorry(&text))?;
        return match args.days {
            None => {
                terminal.tell(&Text::new("terminal.hosting.open"))?;
                terminal.play(id, true)
            }
            Some(_) => super::letters::hung(&started.node, &mut terminal, &id),
        };
    }
    for _ in 0..others - usize::from(args.bots) {
        let invite = terminal.patiently(|| started.node.invite(&id, 24))?;
        terminal.line(&format!("invite: {}", invite.0))?;
        if let (true, Some(code)) = (std::io::stdout().is_terminal(), qr::blocks(&invite.0)) {
            terminal.line(&code)?;
        }
    }
    terminal.tell(&Text::new("terminal.hosting"))?;
    terminal.play(id, true)
}
