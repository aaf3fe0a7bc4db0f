//! `outis join`: takes a seat by invite, or at an open table of a lobby.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use clap::Args;
use outis_game::words::Text;
use outis_meeting::notice::{Notice, Signed};
use outis_node::invite::{Invite, NoInvite};

use super::calling::Calling;
use super::terminal::{SeatArgs, Terminal};
use super::{NodeArgs, Started};
use crate::exit::{Exit, Failure};
use crate::machine::drive::Node;
use crate::meeting::digits;
use crate::trouble::Said;

/// How long to wait for a table that refused the request to be listed again.
const ANEW: Duration = Duration::from_secs(5);

/// How long the host of a correspondence game has for an immediate answer.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Limit on what is read from standard input, in bytes.
const MOST_PASTED: u64 = 8 << 10;

/// Options of `outis join`.
#[derive(Args, Debug)]
pub struct JoinArgs {
    /// The invite; - reads it from standard input
    pub invite: Option<String>,

    /// Take a seat at this open table, as listed by `outis lobby tables`
    #[arg(long, value_name = "NAME", conflicts_with = "invite")]
    pub table: Option<String>,

    /// Take a seat at the first open table of this game
    #[arg(long, value_name = "GAME", conflicts_with_all = ["invite", "table"])]
    pub game: Option<String>,

    /// Take a seat at the table with this code
    #[arg(long, value_name = "CODE", conflicts_with_all = ["invite", "table", "game"])]
    pub code: Option<String>,

    /// Seconds to wait for an open table (default: 60) or for the host (default: no limit)
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u16>,

    /// Let a bot play and run this cheat, under throwaway keys (see `outis cheat`)
    #[arg(long, value_name = "CHEAT", requires = "invite")]
    pub cheat: Option<String>,

    #[command(flatten)]
    pub seat: SeatArgs,
}

/// Takes an invite, waits for the host, and plays.
pub fn join(args: &JoinArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let text = match args.invite.as_deref() {
        Some("-") => Some(pasted(std::io::stdin().lock())?),
        text => text.map(str::to_owned),
    };
    if text.is_none() && args.table.is_none() && args.game.is_none() && args.code.is_none() {
        return Err(Failure::usage("give an INVITE; or --table, --game or --code to join an open table in a lobby"));
    }
    if let (Some(trick), Some(text)) = (&args.cheat, &text) {
        return super::cheating::join(text, trick, &args.seat, node, out);
    }
    let invite = text.as_deref().map(Invite::from_text).transpose().map_err(|why| unreadable(&why))?;
    let started = Started::new(node)?;
    let mut terminal = Terminal::new(&started, &args.seat, out)?;
    let id = match text {
        Some(text) => {
            let id = terminal.patiently(|| started.node.join(&text))?;
            if invite.is_some() {
                terminal.calling = Some(Calling::new(&id));
                terminal.patience = args.wait.map(|seconds| Duration::from_secs(seconds.into()));
            }
            id
        }
        None => match take_a_seat(args, &started.node, &mut terminal)? {
            Some(id) => id,
            None => return super::letters::asked(&started.node, &mut terminal),
        },
    };
    let by_letters = |id: &str| started.node.look(|core, _| core.is_by_letters(id));
    if by_letters(&id) { super::letters::hung(&started.node, &mut terminal, &id) } else { terminal.play(id, false) }
}

/// Reads an invite from standard input, up to the line that completes it; the message around it may be included.
fn pasted(input: impl BufRead) -> std::io::Result<String> {
    let mut text = String::new();
    for line in input.take(MOST_PASTED).lines() {
        text.push_str(&line?);
        text.push('\n');
        if Invite::from_text(&text).is_ok() {
            break;
        }
    }
    Ok(text)
}

/// The failure for a text that is not an invite for this program.
fn unreadable(why: &NoInvite) -> Failure {
    let id = match why {
        NoInvite::Unreadable => "node.error.invite.unreadable",
        NoInvite::OtherVersion => "node.error.invite.version",
    };
    Failure { exit: Exit::Unreadable, error: Said(Text::new(id)).into() }
}

/// Requests a seat at an open table and waits for the host's answer. In a correspondence game it waits only until the
/// lobby has the request; there is no table then, and the result is `None`.
fn take_a_seat<W: Write>(
    args: &JoinArgs,
    node: &Node,
    terminal: &mut Terminal<'_, W>,
) -> Result<Option<String>, Failure> {
    if !node.look(|core, _| core.lobby().is_set()) {
        return Err(Failure::usage(terminal.say(&Text::new("node.error.lobby.none"))));
    }
    if let Some(code) = &args.code {
        node.find_code(code).map_err(|text| terminal.sorry(&text))?;
    }
    let fits = |signed: &Signed<Notice>| {
        let notice = signed.body();
        let named = args.table.as_ref().is_some_and(|name| digits(&notice.table()).starts_with(name.as_str()));
        named || args.game.as_ref() == Some(&notice.game) || (args.code.is_some() && notice.code.is_some())
    };
    let own = node.key().0;
    let began = Instant::now();
    let (mut asked, mut refused): (Option<String>, Vec<String>) = (None, Vec::new());
    // Why the last host refused, and when.
    let mut why: Option<(Text, Instant)> = None;
    let mut since = None;
    loop {
        node.look_at_board();
        if let Some(name) = &asked {
            match node.claimed(name) {
                Some(Ok(id)) => return Ok(Some(id)),
                // A different table may fit, or the same table may be listed again under a new notice.
                Some(Err(text)) => {
                    refused.extend(asked.take());
                    why = Some((text, Instant::now()));
                }
                // The host will answer by message.
                None if node.look(|core, _| core.lobby().is_asked_by_letter(name))
                    && since.get_or_insert_with(Instant::now).elapsed() > AT_ONCE =>
                {
                    return Ok(None);
                }
                None => {}
            }
        } else {
            let board = node.look(|core, _| core.lobby().board());
            let open = board.iter().filter(|signed| fits(signed) && *signed.body().host.as_bytes() != own);
            let name = open.map(|signed| digits(&signed.name())).find(|name| !refused.contains(name));
            if let Some(name) = name {
                node.claim(&name).map_err(|text| terminal.sorry(&text))?;
                asked = Some(name);
            } else if let Some((text, at)) = &why
                && args.game.is_none()
                && at.elapsed() > ANEW
            {
                return Err(terminal.sorry(text));
            }
        }
        if let (Err(text), true) =
            (node.look(|core, _| core.lobby().state()), began.elapsed() > Duration::from_secs(20))
        {
            return Err(terminal.sorry(&text));
        }
        if asked.is_none() && began.elapsed() > Duration::from_secs(args.wait.unwrap_or(60).into()) {
            return Err(terminal.sorry(&Text::new("terminal.no-table")));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
