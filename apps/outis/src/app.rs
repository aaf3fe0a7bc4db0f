//! `outis`, `outis host`, `outis join`: the node with a page, or with a terminal.

mod calling;
mod cheating;
mod host;
mod join;
mod letters;
mod reach;
mod relay;
mod terminal;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use outis_game::words::Text;
use tokio::runtime::Runtime;

use crate::bridge::evenings::Evenings;
use crate::exit::Failure;
use crate::machine::drive::Node;
use crate::machine::links::Net;
use crate::machine::profile::Profile;
use crate::machine::relay_server::Relay as RelayServer;
use crate::speech::{Speech, plain};
use crate::web;
pub use host::{HostArgs, host};
pub use join::{JoinArgs, join};
pub use letters::{LettersArgs, letters};
use outis_node::invite::Relay;
use outis_node::settings::Network;
pub use relay::{RelayArgs, relay};

/// Heading of the options for connections.
pub const NETWORK: &str = "Network";

/// Options of every command that needs a node.
#[derive(Args, Clone, Debug, Default)]
pub struct NodeArgs {
    /// Folder with your name, keys and games (default: in your user data folder)
    #[arg(long, value_name = "DIR", global = true)]
    pub profile: Option<PathBuf>,

    /// UDP port for other players (0: any)
    #[arg(long, value_name = "PORT", default_value_t = 0, global = true, help_heading = NETWORK)]
    pub listen: u16,

    /// Be reachable from anywhere, for this run; public relays see who connects to whom
    #[arg(long, global = true, conflicts_with_all = ["relay", "local"], help_heading = NETWORK)]
    pub anywhere: bool,

    /// Connect only directly, for this run: no relay, even if an invite names one
    #[arg(long, global = true, conflicts_with = "relay", help_heading = NETWORK)]
    pub local: bool,

    /// Connect directly, for this run, except over relays of invites and of your lobby
    #[arg(long, global = true, conflicts_with_all = ["anywhere", "local", "relay"], help_heading = NETWORK)]
    pub direct: bool,

    /// Your own relay for this run, as printed by `outis relay`; it sees who plays whom
    #[arg(long, value_name = "TEXT", global = true, help_heading = NETWORK)]
    pub relay: Option<String>,

    /// Lobby for this run, as printed by `outis lobby` (default: from your settings)
    #[arg(long, value_name = "TEXT", global = true, help_heading = NETWORK)]
    pub lobby: Option<String>,

    /// Use only the relay, so that other players do not learn your network address
    #[arg(long, requires = "relay", global = true, help_heading = NETWORK)]
    pub relay_only: bool,
}

impl NodeArgs {
    /// How this run reaches other nodes; `None` leaves it to the person's settings.
    pub fn network(&self) -> Result<Option<Network>, Failure> {
        if let Some(relay) = &self.relay {
            let known = Relay::from_text(relay);
            let known = known.ok_or_else(|| Failure::usage(format!("--relay {relay}: not the address of a relay")))?;
            return Ok(Some(Network::Relay { relay: known.to_text(), only: self.relay_only }));
        }
        let direct = (self.local || self.direct).then_some(Network::Direct { local: self.local });
        Ok(if self.anywhere { Some(Network::Anywhere) } else { direct })
    }
}

/// Options of `outis`.
#[derive(Args, Clone, Debug, Default)]
pub struct PageArgs {
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,

    /// Port of the page on this machine, e.g. for a tunnel (default: a new one per run)
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
}

/// A running node with the runtime that it needs.
pub struct Started {
    runtime: Runtime,
    pub(crate) node: Node,
    evenings: Evenings,
    /// What went wrong at the start.
    notices: Vec<Text>,
    /// A relay beside the table; it ends with the program.
    _relay: Option<(Runtime, RelayServer)>,
}

impl Started {
    /// Opens the profile and starts the node.
    pub fn new(args: &NodeArgs) -> Result<Self, Failure> {
        let network = args.network()?;
        let dir = args.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
        let profile = Profile::open(&dir)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let (evenings, troubles) = Evenings::open(&profile);
        let (node, mut notices) = Node::open(profile);
        notices.extend(troubles);
        let speech = Speech::new();
        for notice in &notices {
            speech.remark(notice);
        }
        Net::start(&node, runtime.handle().clone());
        if let Some(lobby) = &args.lobby {
            node.use_lobby(Some(lobby)).map_err(|text| Failure::usage(speech.say(&text)))?;
        }
        let network = network.unwrap_or_else(|| node.look(|core, _| core.settings().network.clone()));
        node.reconnect_by(network, args.listen);
        Ok(Self { runtime, node, evenings, notices, _relay: None })
    }

    /// The same, with a relay on this machine; players reach it at `host`.
    fn with_relay(args: &NodeArgs, host: &str) -> Result<Self, Failure> {
        let dir = args.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let (relay, known) = runtime.block_on(relay::beside_a_table(&dir.join("relay"), host))?;
        let started = Self::new(&NodeArgs { relay: Some(known.to_text()), ..args.clone() })?;
        Ok(Self { _relay: Some((runtime, relay)), ..started })
    }
}

/// Starts the node and the page, and opens the browser.
pub fn run(args: &PageArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let started = Started::new(node)?;
    let listener = started.runtime.block_on(web::bind(args.port));
    let listener = listener.map_err(|error| match args.port {
        Some(port) if error.kind() == std::io::ErrorKind::AddrInUse => {
            Failure::from(Speech::new().say(&Text::new("terminal.page.port").with("port", plain(port.to_string()))))
        }
        _ => Failure::from(error),
    })?;
    let lock = web::Lock::new();
    let port = listener.local_addr()?.port();
    let once = web::Once::default();
    let (print, mut printed) = tokio::sync::mpsc::unbounded_channel();
    once.printed(print);
    print_page(out, port, &printed.try_recv()?)?;
    // Every user of this machine can read the browser's command line. It therefore names a file that only this user can
    // read.
    let opened = !args.no_open && { open(&once.gate(started.node.dir(), port)?) };
    if !opened && std::io::stdout().is_terminal() {
        writeln!(out, "{}", Speech::new().say(&Text::new("terminal.page.open")))?;
        out.flush()?;
    }
    started.runtime.block_on(async {
        let served = web::serve(
            (started.node.clone(), started.evenings.clone()),
            started.notices.clone(),
            listener,
            lock,
            once.clone(),
        );
        tokio::pin!(served);
        loop {
            tokio::select! {
                served = &mut served => return served,
                _ = tokio::signal::ctrl_c() => return Ok(()),
                // The page keeps working even if nobody reads the output any longer.
                Some(path) = printed.recv() => drop(print_page(out, port, &path)),
            }
        }
    })?;
    once.close_gate();
    Ok(())
}

fn print_page(out: &mut impl Write, port: u16, path: &str) -> std::io::Result<()> {
    writeln!(out, "page: http://127.0.0.1:{port}{path}")?;
    out.flush()
}

/// Opens a file in the browser, if there is a display.
fn open(file: &Path) -> bool {
    let has_screen =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty()));
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if has_screen {
        ("xdg-open", &[])
    } else {
        return false;
    };
    let quiet = || Stdio::null();
    let started = Command::new(program).args(before).arg(file).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    started.is_ok()
}
