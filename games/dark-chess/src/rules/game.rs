//! The game as played at a table.

use core::convert::Infallible;
use core::ops::RangeInclusive;

use outis_table::Seat;
use outis_table::game::{Observer, Rules};

use super::board::Color;
use super::knowledge::{Action, Event, Glimpse, Illegal, Knowledge, Mine, Outcome, Public, Review};
use super::moves::Move;
use super::options::Options;
use super::position::Position;
use super::sight::View;

/// Dark chess.
#[derive(Clone, Debug)]
pub struct DarkChess;

/// The full state.
#[derive(Clone, Debug)]
pub struct FullState {
    options: Options,
    public: Public,
    position: Position,
    moves: Vec<Move>,
    glimpses: [Vec<Glimpse>; 2],
    answers: [Option<bool>; 2],
}

impl FullState {
    /// The true position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What everyone knows.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// All moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn glimpse(&self, color: Color, played: Option<Move>) -> Glimpse {
        let view = if self.public.outcome.is_some() { View::DARK } else { self.position.view(color) };
        Glimpse { played, own: *self.position.side(color), view }
    }

    fn play(&mut self, mv: Move) {
        let mover = self.position.turn;
        let heard = self.position.play(&mv);
        self.public.moved(heard, &self.options);
        self.moves.push(mv);
        for color in Color::ALL {
            let glimpse = self.glimpse(color, (color == mover).then_some(mv));
            self.glimpses[color.index()].push(glimpse);
        }
    }

    fn answer(&mut self, color: Color, yes: bool) -> Result<(), Illegal> {
        let answer = &mut self.answers[color.index()];
        if answer.is_some() {
            return Err(Illegal::Now);
        }
        *answer = Some(yes);
        if let [Some(white), Some(black)] = self.answers {
            self.public.answered([white, black]);
            if self.public.review == Review::Agreed {
                self.public.review = Review::Shown(self.moves.clone());
            }
        }
        Ok(())
    }
}

impl Rules for DarkChess {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type Illegal = Illegal;
    type Chance = Infallible;
    type FullState = FullState;
    type Knowledge = Knowledge;

    fn seats(_: &Options) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(options: &Options, _: u8) -> FullState {
        let mut state = FullState {
            options: *options,
            public: Public::start(),
            position: Position::start(),
            moves: Vec::new(),
            glimpses: [Vec::new(), Vec::new()],
            answers: [None; 2],
        };
        state.glimpses = Color::ALL.map(|color| vec![state.glimpse(color, None)]);
        state
    }

    fn awaits_chance(_: &FullState) -> bool {
        false
    }

    fn chance(_: &mut FullState, chance: Infallible) -> Result<(), Illegal> {
        match chance {}
    }

    fn apply(state: &mut FullState, who: Seat, action: &Action) -> Result<(), Illegal> {
        let color = state.options.color(who);
        if state.public.review == Review::Asked {
            return match action {
                Action::Show => state.answer(color, true),
                Action::Keep => state.answer(color, false),
                _ => Err(Illegal::Now),
            };
        }
        if state.public.outcome.is_some() {
            return Err(Illegal::Now);
        }
        if state.position.turn != color {
            return Err(Illegal::Turn);
        }
        let ended = match action {
            Action::Move(mv) if state.position.moves().contains(mv) => {
                state.play(*mv);
                return Ok(());
            }
            Action::Move(_) => return Err(Illegal::Move),
            Action::Offer if state.public.offer.is_none() => {
                state.public.offer = Some(color);
                return Ok(());
            }
            Action::Accept if state.public.offer == Some(color.other()) => Outcome::Agreed,
            Action::Resign => Outcome::Resigned(color.other()),
            Action::Claim if state.position.moves().is_empty() => Outcome::Stalemate(color),
            _ => return Err(Illegal::Now),
        };
        state.public.end(ended, &state.options);
        Ok(())
    }

    fn observe(state: &FullState, who: Observer) -> Knowledge {
        let mine = match who {
            Observer::Seat(seat) => {
                let color = state.options.color(seat);
                Some(Mine { color, glimpses: state.glimpses[color.index()].clone(), awaits_view: false })
            }
            Observer::Spectator => None,
        };
        Knowledge { options: state.options, public: state.public.clone(), mine }
    }

    fn initial_knowledge(options: &Options, _: u8, who: Observer) -> Knowledge {
        Knowledge::start(options, who)
    }

    fn legal(knowledge: &Knowledge) -> Vec<Action> {
        knowledge.legal()
    }

    fn learn(knowledge: Knowledge, event: &Event) -> Result<Knowledge, Illegal> {
        knowledge.learn(event)
    }
}
