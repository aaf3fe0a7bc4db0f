//! What a person types: an action, a request to see the table again, or a request to leave.

use std::io::Write;
use std::sync::mpsc;

use outis_game::words::Text;
use outis_node::view::TableView;

use super::{LAST_WORD, Terminal};
use crate::exit::Failure;
use crate::stopwatch;

/// What a person types to leave the table.
const LEAVE: &str = "leave";

impl<W: Write> Terminal<'_, W> {
    /// Takes the next typed line, unless the last one still has no answer.
    pub(super) fn read(&mut self) {
        if self.line.is_none() && self.bot.is_none() {
            self.line = match self.typed.try_recv() {
                Ok(typed) => Some(Ok(typed.trim().to_owned())),
                Err(mpsc::TryRecvError::Empty) => None,
                Err(mpsc::TryRecvError::Disconnected) => Some(Err(mpsc::RecvError)),
            };
        }
    }

    pub(super) fn wants_to_leave(&mut self) -> bool {
        self.line.take_if(|line| line.as_deref() == Ok(LEAVE)).is_some()
    }

    /// Handles input that is not an action: a request to leave or to see the table again. Returns whether the person
    /// has left.
    pub(super) fn is_left(&mut self, id: &str, standing: &TableView) -> Result<bool, Failure> {
        if standing.choices.iter().all(|choice| choice.token != LEAVE) && self.wants_to_leave() {
            if !std::mem::replace(&mut self.leaving, true) && !standing.decided {
                self.tell(&Text::new("terminal.leave.sure"))?;
                return Ok(false);
            }
            return match self.leave(id) {
                Ok(()) => Ok(true),
                Err(failure) => self.line(&failure.to_string()).map(|()| false),
            };
        }
        // Anything else may be typed ahead and waits for the person's turn.
        if self.line.take_if(|line| line.as_deref() == Ok("?")).is_some() {
            self.leaving = false;
            match standing.choices.is_empty() {
                true => self.tell(&Text::new("terminal.not-now"))?,
                false => self.show(standing)?,
            }
        }
        Ok(false)
    }

    /// Leaves the table for good.
    pub(super) fn leave(&mut self, id: &str) -> Result<(), Failure> {
        self.write_log(id)?;
        self.node.leave(id).map_err(|text| self.sorry(&text))?;
        self.tell(&Text::new("terminal.left"))?;
        std::thread::sleep(LAST_WORD);
        Ok(())
    }

    /// The token of the chosen action; `None` if nothing has been chosen yet.
    pub(super) fn choice(&mut self, id: &str, game: &str, standing: &TableView) -> Result<Option<String>, Failure> {
        if let Some(level) = self.bot {
            let think = || self.node.advise(id, level);
            return Ok(if self.node.look(|core, _| core.tables().get(id).is_some_and(|open| !open.has_peers())) {
                think()
            } else {
                stopwatch::on_a_beat(think)
            });
        }
        let typed = match self.line.take() {
            Some(Ok(typed)) => typed,
            None => return Ok(None),
            Some(Err(_)) => return Err(self.sorry(&Text::new("terminal.input-ended"))),
        };
        let by_number = typed.parse::<usize>().ok().and_then(|n| standing.choices.get(n.wrapping_sub(1)));
        let chosen = standing.choices.iter().find(|choice| choice.token == typed).or(by_number);
        let written = || {
            let tokens: Vec<&str> = standing.choices.iter().map(|choice| &*choice.token).collect();
            outis_catalogue::game(game)?.meant(self.speech.language(), standing.view.as_ref()?, &tokens, &typed)
        };
        let token = chosen.map(|choice| choice.token.clone()).or_else(written).unwrap_or(typed);
        Ok(Some(token).filter(|token| !token.is_empty()))
    }
}
