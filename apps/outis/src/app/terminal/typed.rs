//! What a person types: an action, a request to see the table again, or a request to leave.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::mpsc;

use outis_game::words::Text;
use outis_node::view::TableView;

use super::{LAST_WORD, Terminal};
use crate::exit::Failure;
use crate::stopwatch;

/// What a person types to leave the table.
const LEAVE: &str = "leave";

/// The same in Hungarian, with and without the accent.
const LEAVE_HU: [&str; 2] = ["kilépek", "kilepek"];

/// So many lines are kept at most.
const MAX_AHEAD: usize = 1_000;

/// What was typed and not answered yet, oldest first.
pub(super) struct Typed {
    from: mpsc::Receiver<String>,
    lines: VecDeque<String>,
    has_ended: bool,
}

impl Typed {
    pub(super) fn new(from: mpsc::Receiver<String>) -> Self {
        Self { from, lines: VecDeque::new(), has_ended: false }
    }

    /// Takes what has been typed since. An empty line says nothing.
    pub(super) fn read(&mut self) {
        while self.lines.len() < MAX_AHEAD && !self.has_ended {
            match self.from.try_recv() {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) if LEAVE_HU.contains(&line.trim().to_lowercase().as_str()) => {
                    self.lines.push_back(LEAVE.to_owned());
                }
                Ok(line) => self.lines.push_back(line.trim().to_owned()),
                Err(mpsc::TryRecvError::Empty) => return,
                Err(mpsc::TryRecvError::Disconnected) => self.has_ended = true,
            }
        }
    }

    /// Takes this word away: where lines are taken as actions, only if it comes next; else wherever it is.
    pub(super) fn takes(&mut self, word: &str, in_turn: bool) -> bool {
        let near = if in_turn { 1 } else { MAX_AHEAD };
        let at = self.lines.iter().take(near).position(|line| line.eq_ignore_ascii_case(word));
        at.is_some_and(|at| self.lines.remove(at).is_some())
    }
}

impl<W: Write> Terminal<'_, W> {
    /// Takes what was typed.
    pub(super) fn read(&mut self) {
        if self.bot.is_none() {
            self.typed.read();
        }
    }

    pub(super) fn wants_to_leave(&mut self) -> bool {
        self.typed.takes(LEAVE, false)
    }

    /// Answers what is no action: the person wants to leave, or looks again. Whether they have left. `in_turn`: what else they type is
    /// taken as an action now. Else it waits for their turn, and keeps nothing else from being heard.
    pub(super) fn is_left(&mut self, id: &str, standing: &TableView, in_turn: bool) -> Result<bool, Failure> {
        if standing.choices.iter().all(|choice| choice.token != LEAVE) && self.typed.takes(LEAVE, in_turn) {
            if !std::mem::replace(&mut self.leaving, true) && !standing.decided {
                self.tell(&Text::new("terminal.leave.sure"))?;
                return Ok(false);
            }
            return match self.leave(id) {
                Ok(()) => Ok(true),
                Err(failure) => self.line(&failure.to_string()).map(|()| false),
            };
        }
        if self.typed.takes("?", in_turn) {
            self.leaving = false;
            self.show(standing)?;
            if standing.choices.is_empty() {
                self.tell(&Text::new("terminal.not-now"))?;
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
        let typed = match self.typed.lines.pop_front() {
            Some(typed) => typed,
            None if self.typed.has_ended => return Err(self.sorry(&Text::new("terminal.input-ended"))),
            None => return Ok(None),
        };
        // Whoever plays on stays.
        self.leaving = false;
        let by_number = typed.parse::<usize>().ok().and_then(|n| standing.choices.get(n.wrapping_sub(1)));
        let chosen = standing.choices.iter().find(|choice| choice.token == typed).or(by_number);
        let written = || {
            let tokens: Vec<&str> = standing.choices.iter().map(|choice| &*choice.token).collect();
            outis_catalogue::game(game)?.meant(self.speech.language(), standing.view.as_ref()?, &tokens, &typed)
        };
        Ok(Some(chosen.map(|choice| choice.token.clone()).or_else(written).unwrap_or(typed)))
    }
}
