//! What everyone can check in the classic grade: form and order. **Nobody can check whether anything is true.**

use std::sync::Arc;

use outis_crypto::andos::{SemiHonestAnswer, SemiHonestKey, SemiHonestPacket};
use outis_table::Seat;
use outis_table::entry::Authentic;
use outis_table::game::{Checks, Expectation, Expects, Fault, Grade, Millis, Referee, Setting};
use outis_table::seats::Seats;

use super::schedule::{Announced, Budget, ROUNDS};
use super::secrets::Lists;
use super::step::{Kind, Step, Turn};
use crate::rules::board::Color;
use crate::rules::game::DarkChess;
use crate::rules::knowledge::{Event, Outcome, Public, Review};
use crate::rules::moves::{Announcement, Move};
use crate::rules::options::Options;
use crate::rules::position::Position;

/// How many questions a table asks.
pub(crate) const BUDGET: Budget = Budget::Document;

/// The few ways to be wrong that show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Irregular {
    /// An offer where there is one, or the acceptance of none.
    #[error("there is no such offer")]
    Offer,
    /// A step of a different kind from the one that was due.
    #[error("this is not the step that was due")]
    Kind,
}

impl Fault for Irregular {
    fn check(&self) -> &'static str {
        match self {
            Self::Offer => "offer",
            Self::Kind => "kind",
        }
    }
}

/// What the table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaiting {
    Keys,
    Turn,
    Lists,
    Ask,
    Answer,
    Review,
    Show,
    Nothing,
}

/// Everything public at a table of the classic grade. Arrays are White's, then Black's.
#[derive(Clone, Debug)]
pub struct Table<const L: usize> {
    pub(crate) options: Options,
    pub(crate) public: Public,
    pub(crate) awaiting: Awaiting,
    pub(crate) keys: [Option<Box<SemiHonestKey<L>>>; 2],
    announced: [Announced; 2],
    pub(crate) lists: [Option<Arc<Lists<L>>>; 2],
    /// Rounds of the present QUERY that were answered.
    pub(crate) round: usize,
    /// What each asks in this round.
    pub(crate) packets: [Arc<Vec<SemiHonestPacket<L>>>; 2],
    /// What each was answered in the last.
    pub(crate) answers: [Arc<Vec<SemiHonestAnswer>>; 2],
}

impl<const L: usize> Referee for Table<L> {
    const GAME: &'static str = "dark-chess";
    type Rules = DarkChess;
    type Step = Step<L>;
    type Shape = Kind<L>;
    type Checked = Step<L>;
    type Fault = Irregular;

    fn open(setting: &Setting<Options>) -> Result<Self, &'static str> {
        if Grade::of(&setting.parameters) != Some(Grade::Classic) {
            return Err("the parameters do not name the classic grade of dark chess");
        }
        Ok(Self::new(&setting.options))
    }

    fn expects(&self) -> Expects {
        let both = Seats::all(2);
        let (what, speakers) = match self.awaiting {
            Awaiting::Keys => ("key", both),
            Awaiting::Turn => ("word", Seats::one(self.options.seat(self.public.turn()))),
            Awaiting::Lists => ("lists", both),
            Awaiting::Ask => ("ask", both),
            Awaiting::Answer => ("reply", both),
            Awaiting::Review => ("review", both),
            Awaiting::Show => ("moves", both),
            Awaiting::Nothing => return Expects::Over,
        };
        let by_hand = matches!(self.awaiting, Awaiting::Turn | Awaiting::Review);
        let clock = self.options.time(by_hand);
        let releases = self.awaiting != Awaiting::Review;
        let runs_on = self.awaiting == Awaiting::Turn && self.public.has_just_offered();
        Expects::Round(Expectation { speakers, what, by_hand, releases, clock, runs_on })
    }

    fn is_decided(&self) -> bool {
        self.options.sealed && self.public.outcome.is_some()
    }

    fn deal(&self) -> u32 {
        0
    }

    fn shape(&self, seat: Seat) -> Kind<L> {
        let color = self.options.color(seat);
        let key = |color: Color| self.keys[color.index()].clone();
        let shape = match self.awaiting {
            Awaiting::Keys => Some(Kind::Key),
            Awaiting::Turn => Some(Kind::Turn),
            Awaiting::Lists => key(color).map(Kind::Lists),
            Awaiting::Ask => key(color.other()).map(|key| Kind::Ask(key, self.questions(color))),
            Awaiting::Answer => Some(Kind::Answer(self.questions(color.other()))),
            Awaiting::Review => Some(Kind::Review),
            Awaiting::Show => Some(Kind::Show(self.public.heard.iter().skip(color.index()).step_by(2).count())),
            Awaiting::Nothing => None,
        };
        shape.unwrap_or(Kind::Nothing)
    }

    fn judge(&self, said: &Authentic<Step<L>>, checks: Checks) -> Result<Step<L>, Irregular> {
        self.weigh(said.seat(), said.step(), checks)?;
        Ok(said.step().clone())
    }

    fn advance(&mut self, round: Vec<(Seat, Step<L>)>) -> Result<Vec<Event>, (Seat, Irregular)> {
        let mut events = Vec::new();
        let mut shown = [Vec::new(), Vec::new()];
        let mut agreed = [false; 2];
        for (seat, step) in round {
            let color = self.options.color(seat);
            match step {
                Step::Key(key) => self.keys[color.index()] = Some(key),
                Step::Turn(turn) => self.take_turn(color, turn, &mut events),
                Step::Lists(announced, lists) => {
                    self.announced[color.index()] = announced;
                    self.lists[color.index()] = Some(Arc::new(*lists));
                }
                Step::Ask(packets) => self.packets[color.index()] = Arc::new(packets),
                Step::Answer(answers) => self.answers[color.other().index()] = Arc::new(answers),
                Step::Review(yes) => agreed[color.index()] = yes,
                Step::Show(moves) => shown[color.index()] = moves,
            }
        }
        self.awaiting = match self.awaiting {
            Awaiting::Keys => Awaiting::Turn,
            Awaiting::Turn => match (self.public.outcome, events.last()) {
                (Some(_), _) if self.public.review == Review::Asked => Awaiting::Review,
                (Some(_), _) => Awaiting::Nothing,
                (None, Some(Event::Moved(..))) => Awaiting::Lists,
                (None, _) => Awaiting::Turn,
            },
            Awaiting::Lists => {
                self.round = 0;
                Awaiting::Ask
            }
            Awaiting::Ask => Awaiting::Answer,
            Awaiting::Answer => {
                self.round += 1;
                if self.round < ROUNDS { Awaiting::Ask } else { Awaiting::Turn }
            }
            Awaiting::Review => {
                self.public.answered(agreed);
                events.push(Event::Answered(agreed));
                if self.public.review == Review::Agreed { Awaiting::Show } else { Awaiting::Nothing }
            }
            Awaiting::Show => {
                let moves = replayed(&shown, &self.public.heard);
                self.public.review = Review::Shown(moves.clone());
                events.push(Event::Shown(moves));
                Awaiting::Nothing
            }
            Awaiting::Nothing => Awaiting::Nothing,
        };
        Ok(events)
    }

    fn shortest_clock(&self) -> Option<Millis> {
        self.options.time(true)
    }

    fn scores(&self) -> Vec<i64> {
        self.public.scores(&self.options)
    }

    fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        self.public.forfeit(&self.options, culprits)
    }
}

impl<const L: usize> Table<L> {
    /// Before anything happened.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            options: *options,
            public: Public::start(),
            awaiting: Awaiting::Keys,
            keys: [None, None],
            announced: [Announced::START; 2],
            lists: [None, None],
            round: 0,
            packets: [Arc::default(), Arc::default()],
            answers: [Arc::default(), Arc::default()],
        }
    }

    /// How many questions a colour asks in this round.
    fn questions(&self, color: Color) -> usize {
        BUDGET.round(&self.announced[color.index()], self.round)
    }

    /// Judges a step by what shows.
    pub(crate) fn weigh(&self, seat: Seat, step: &Step<L>, checks: Checks) -> Result<(), Irregular> {
        let color = self.options.color(seat);
        let due = match (step, self.awaiting) {
            (Step::Turn(turn), Awaiting::Turn) => {
                let offered = match turn {
                    Turn::Offer => self.public.offer.is_none(),
                    Turn::Accept => self.public.offer == Some(color.other()),
                    _ => true,
                };
                checks.demand(offered, Irregular::Offer)?;
                true
            }
            (Step::Ask(packets), Awaiting::Ask) => packets.len() == self.questions(color),
            (Step::Answer(answers), Awaiting::Answer) => answers.len() == self.questions(color.other()),
            (step, awaiting) => matches!(
                (step, awaiting),
                (Step::Key(_), Awaiting::Keys)
                    | (Step::Lists(..), Awaiting::Lists)
                    | (Step::Review(_), Awaiting::Review)
                    | (Step::Show(_), Awaiting::Show)
            ),
        };
        if due { Ok(()) } else { Err(Irregular::Kind) }
    }

    fn take_turn(&mut self, mover: Color, turn: Turn, events: &mut Vec<Event>) {
        let (event, outcome) = match turn {
            Turn::Move(heard) => {
                self.public.moved(heard, &self.options);
                (Event::Moved(heard, None), None)
            }
            Turn::Offer => {
                self.public.offer = Some(mover);
                (Event::Offered, None)
            }
            Turn::Accept => (Event::Accepted, Some(Outcome::Agreed)),
            Turn::Resign => (Event::Resigned, Some(Outcome::Resigned(mover.other()))),
            Turn::Claim => (Event::Stalemated, Some(Outcome::Stalemate(mover))),
        };
        events.push(event);
        if let Some(outcome) = outcome {
            self.public.end(outcome, &self.options);
        }
    }
}

/// The moves that both have shown, in turn, as far as they make a game in which everyone heard what was heard.
fn replayed(shown: &[Vec<Move>; 2], heard: &[Announcement]) -> Vec<Move> {
    let (mut position, mut moves) = (Position::start(), Vec::new());
    let mut rest = [shown[0].iter(), shown[1].iter()];
    for heard in heard {
        let color = position.turn;
        let fits =
            |mv: &&Move| position.moves().contains(mv) && mv.announcement(color, &position.view(color)) == *heard;
        let Some(mv) = rest[color.index()].next().filter(fits) else { break };
        position.play(mv);
        moves.push(*mv);
    }
    moves
}
