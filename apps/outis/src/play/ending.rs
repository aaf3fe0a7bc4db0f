//! The end of a game in the terminal, including a game in which a cheat was caught.

use std::io::Write;

use outis_game::words::Text;
use outis_table::Seat;
use outis_table::game::Grade;
use rand::RngExt;

use super::local_table::LocalTable;
use super::{PlayArgs, Talk, plain};
use crate::exit::Failure;
use crate::trouble::{Said, of_file};
use outis_game::Game;
use outis_game::ending::Ending;
use outis_game::sitting::Ended;
use outis_node::table_info::Crook;
use outis_node::view::{fault, story};

/// How one bot cheats, if one should: with a given cheat, or with any.
pub fn crook(
    game: &dyn Game,
    grade: Grade,
    asked: Option<&str>,
    people: usize,
    seats: u8,
) -> Result<Option<Crook>, Failure> {
    let Some(trick) = asked else { return Ok(None) };
    let known = game.tricks(grade);
    if known.is_empty() {
        return Err(Failure::usage(format!("{} has no cheat in the {} grade", game.name(), grade.name())));
    }
    if people >= usize::from(seats) {
        return Err(Failure::usage("no bot at this table can cheat"));
    }
    let trick = Some(trick.to_owned()).filter(|trick| !trick.is_empty());
    if let Some(name) = trick.as_ref().filter(|name| !known.contains(&name.as_str())) {
        let all = known.join(", ");
        return Err(Failure::usage(format!("{} has no cheat {name:?}; cheats: {all}", game.name())));
    }
    let seat = crate::random::rng().random_range(people as u8..seats);
    Ok(Some(Crook { seat: Seat(seat), trick }))
}

impl<W: Write> Talk<'_, W> {
    /// Prints how the game ended, and writes the log.
    pub(super) fn finish(
        &mut self,
        desk: &LocalTable,
        ended: Ended,
        args: &PlayArgs,
        is_practice: bool,
    ) -> Result<(), Failure> {
        let finished = ended.end == Ending::Finished;
        let why = story(&ended).first().map(|line| self.text(line));
        match finished {
            true => self.say(&Text::new("play.over"))?,
            false => {
                let about = fault(self.game.name(), &ended).filter(|text| self.words.ids().any(|id| id == text.id));
                let told = story(&ended);
                let (who, rest) = told.split_at(told.len().min(1));
                // What was not written to a file is gone with this program.
                let unsaved = Text::new("play.fault.now");
                let kept = |text: &Text| args.log.is_some() || text.id != "node.end.fault.now";
                let rest = rest.iter().map(|text| if kept(text) { text } else { &unsaved });
                who.iter().chain(&about).chain(rest).try_for_each(|text| self.say(text))?;
            }
        }
        if is_practice {
            let caught = |trick| Text::new("play.practice.caught").with("trick", plain(trick));
            let text = desk.trick().map_or_else(|| Text::new("play.practice.honest"), caught);
            self.say(&text.with("game", plain(self.game.name())))?;
        }
        if self.told != ended.scores {
            self.scores(ended.scores)?;
        }
        if let Some(file) = &args.log {
            std::fs::write(file, desk.own().export()).map_err(|error| Said(of_file(file, &error)))?;
            self.say(&Text::new("play.log").with("file", plain(&file.display().to_string())))?;
        }
        // The first sentence of the ending, rather than the protocol's wording; scripts read the exit code.
        if finished { Ok(()) } else { Err(Failure::fault(why.unwrap_or(ended.words))) }
    }
}
