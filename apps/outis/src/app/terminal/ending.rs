//! How a game ends in the terminal.

use std::io::Write;
use std::time::{Duration, Instant};

use outis_game::ending::Ending;
use outis_game::sitting::Ended;
use outis_game::words::{Text, signed};
use outis_node::view::{TableView, fault, story};

use super::super::cheating;
use super::{LAST_WORD, Terminal};
use crate::exit::Failure;
use crate::machine::drive::Node;
use crate::speech::plain;
use crate::trouble;

/// How long a seat that claimed a timeout stays for the seats that it named.
const LINGER: Duration = Duration::from_secs(60);

impl<W: Write> Terminal<'_, W> {
    /// The result is signed. The question that is still open does not affect it.
    pub(super) fn decide(&mut self, id: &str, standing: &TableView) -> Result<(), Failure> {
        self.tell_rest(&standing.lines)?;
        self.scores(standing.scores.as_deref())?;
        // A person who stops the program at the question still has the log.
        self.write_log(id)?;
        self.line(&self.say(&Text::new("node.decided")))
    }

    pub(super) fn scores(&mut self, scores: Option<&[i64]>) -> Result<(), Failure> {
        let Some(scores) = scores else { return Ok(()) };
        let scores: Vec<String> =
            self.names.iter().zip(scores).map(|(name, score)| format!("{name} {}", signed(*score))).collect();
        self.tell(&Text::new("terminal.scores").with("list", plain(scores.join(", "))))
    }

    /// Stays for the seats that this one has claimed to be silent. When they wake, they should find this seat, not a
    /// table where nobody answers.
    pub(super) fn linger(&mut self, id: &str) -> Result<(), Failure> {
        let unaware = |node: &Node| node.show(id, usize::MAX).map(|shown| shown.view.unaware);
        let Some(seats) = unaware(&self.node).filter(|seats| !seats.is_empty()) else { return Ok(()) };
        self.line(&self.say(&Text::new("node.linger").with("who", seats)))?;
        let began = Instant::now();
        while began.elapsed() < LINGER && unaware(&self.node).is_some_and(|seats| !seats.is_empty()) {
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    pub(super) fn write_log(&self, id: &str) -> Result<(), Failure> {
        let (Some(path), Some(log)) = (self.log, self.node.log(id)) else { return Ok(()) };
        std::fs::write(path, log).map_err(|error| self.sorry(&trouble::of_file(path, &error)))
    }

    pub(super) fn finish(&mut self, id: &str, game: &str, view: &TableView, ended: &Ended) -> Result<(), Failure> {
        if let Some(trick) = view.own_trick {
            self.line(&format!("cheated: {trick}, in log round {}", ended.round.unwrap_or(0)))?;
            return cheating::linger(&self.node, id);
        }
        let about = fault(game, ended).filter(|text| self.speech.knows(text));
        let told = story(ended);
        let (who, rest) = told.split_at(told.len().min(1));
        self.tell_rest(&view.lines)?;
        for text in who.iter().chain(&about).chain(rest) {
            self.tell(text)?;
        }
        self.scores(ended.scores.as_deref())?;
        self.write_log(id)?;
        let began = Instant::now();
        while self.shelve && ended.end == Ending::Finished && !self.node.look(|core, _| core.lobby().is_shelved(id)) {
            if self.node.look(|core, _| core.lobby().is_unfit(id)) {
                self.tell(&Text::new("terminal.not-published.refused"))?;
                break;
            }
            if began.elapsed() > Duration::from_secs(120) {
                self.tell(&Text::new("terminal.not-published.missing"))?;
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        if self.node.look(|core, _| core.lobby().is_shelved(id)) {
            self.tell(&Text::new("terminal.published"))?;
        }
        self.linger(id)?;
        std::thread::sleep(LAST_WORD);
        match (ended.end, story(ended).first()) {
            // A clock that runs out ends a game by its rules.
            (Ending::Finished | Ending::Overtime, _) => Ok(()),
            (Ending::Silence, _) if ended.claimed => Ok(()),
            (Ending::Silence, Some(why)) => Err(Failure::from(self.say(why))),
            (_, Some(why)) => Err(Failure::fault(self.say(why))),
            (_, None) => Err(Failure::fault(ended.words.clone())),
        }
    }
}
