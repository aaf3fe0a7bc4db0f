//! The question how friends will reach this machine: asked once, before the first invite, and remembered in the same
//! setting as on the page.

use std::io::{BufRead, IsTerminal, Write};

use outis_game::words::Text;
use outis_node::invite::Relay;
use outis_node::settings::{Helper, Network};
use serde_json::Value;

use super::{NodeArgs, Started};
use crate::exit::Failure;
use crate::speech::Speech;

/// The setting that says that the question was answered. The page uses it, too.
const ANSWERED: &str = "reach";

/// Asks, unless the person has answered before or has chosen a way on the command line. Where nobody can answer, it says
/// which way is used.
pub(super) fn settle(started: &Started, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let settings = started.node.look(|core, _| core.settings().clone());
    let is_answered = settings.prefs.get(ANSWERED).is_some_and(|answer| *answer == Value::Bool(true));
    if is_answered || node.network()?.is_some() || settings.network != Network::default() {
        return Ok(());
    }
    let speech = Speech::new();
    let relays = started.node.look(|core, _| core.lobby_relays());
    let has_lobby = matches!(settings.network.helper(&relays), Helper::Lobby(_));
    let chosen = match std::io::stdin().is_terminal() {
        true => ask(&speech, has_lobby, &mut std::io::stdin().lock(), out)?,
        false => None,
    };
    let Some(network) = chosen else {
        speech.remark(&Text::new(if has_lobby { "terminal.reach.lobby" } else { "terminal.reach.direct" }));
        return Ok(());
    };
    let changed = started.node.change(|settings| {
        settings.network = network;
        settings.prefs.insert(ANSWERED.to_owned(), Value::Bool(true));
    });
    changed.map_err(|text| Failure::from(speech.say(&text)))
}

/// Asks until there is an answer; `None` if the input ends.
fn ask(
    speech: &Speech,
    has_lobby: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> std::io::Result<Option<Network>> {
    let say = |id: &str| speech.say(&Text::new(id));
    let first = if has_lobby { "page.reach.lobby.what" } else { "page.reach.public.what" };
    writeln!(out, "{}", say("page.reach.question"))?;
    for (n, (name, what)) in (1..).zip([
        ("page.reach.public", first),
        ("page.reach.local", "page.reach.local.what"),
        ("page.reach.relay", "page.reach.relay.what"),
    ]) {
        writeln!(out, "{n}) {}\n   {}", say(name), say(what))?;
    }
    writeln!(out, "{}", say("terminal.reach.later"))?;
    loop {
        let Some(answer) = line(&say("terminal.reach.prompt"), input, out)? else { return Ok(None) };
        match &*answer {
            "" | "1" => return Ok(Some(Network::Anywhere)),
            "2" => return Ok(Some(Network::Direct { local: true })),
            "3" => {
                let Some(text) = line(&say("terminal.reach.relay"), input, out)? else { return Ok(None) };
                let text = text.strip_prefix("relay:").unwrap_or(&text);
                match Relay::from_text(text) {
                    Some(relay) => return Ok(Some(Network::Relay { relay: relay.to_text(), only: false })),
                    None => writeln!(out, "{}", say("terminal.reach.no-relay"))?,
                }
            }
            _ => {}
        }
    }
}

/// Prints a prompt and reads a line; `None` at the end of the input.
fn line(prompt: &str, input: &mut impl BufRead, out: &mut impl Write) -> std::io::Result<Option<String>> {
    write!(out, "{prompt} ")?;
    out.flush()?;
    // Not every terminal writes UTF-8.
    let mut line = Vec::new();
    let read = input.read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use outis_game::words::Language;

    use super::*;

    fn answer(typed: &str) -> (Option<Network>, String) {
        let mut out = Vec::new();
        let network = ask(&Speech::of(Language::En), false, &mut typed.as_bytes(), &mut out).unwrap();
        (network, String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_first_answer_is_the_recommended_one() {
        assert_eq!(answer("\n").0, Some(Network::Anywhere));
        assert_eq!(answer("1\n").0, Some(Network::Anywhere));
        assert_eq!(answer("perhaps\n 2 \n").0, Some(Network::Direct { local: true }));
        assert_eq!(answer("").0, None);
        assert_eq!(answer("3\n").0, None);
        let relay = |url: &str| Network::Relay { relay: url.to_owned(), only: false };
        let (network, said) = answer("3\nrelay.example\n3\nrelay: https://relay.example#udp=7842\n");
        assert_eq!(network, Some(relay("https://relay.example#udp=7842")));
        let speech = Speech::of(Language::En);
        assert!(said.contains(&speech.say(&Text::new("terminal.reach.no-relay"))), "{said}");
    }

    /// Page and terminal ask the same, and no sentence is missing.
    #[test]
    fn the_question_names_what_each_way_reveals() {
        for language in Language::ALL {
            for has_lobby in [false, true] {
                let (speech, mut out) = (Speech::of(language), Vec::new());
                ask(&speech, has_lobby, &mut "9\n".as_bytes(), &mut out).unwrap();
                let said = String::from_utf8(out).unwrap();
                assert!(!said.contains("page.") && !said.contains("terminal."), "{said}");
                let first = if has_lobby { "page.reach.lobby.what" } else { "page.reach.public.what" };
                assert!(said.contains(&speech.say(&Text::new(first))), "{said}");
            }
        }
    }
}
