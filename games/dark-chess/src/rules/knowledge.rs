//! What one observer knows, and how it learns.

use outis_table::Seat;
use outis_table::codec::Encode;
use outis_table::game::Observer;
use outis_table::seats::Seats;

use super::board::{Color, Piece};
use super::moves::{Announcement, Move, moves};
use super::options::{Options, Stalemate};
use super::position::Position;
use super::side::Side;
use super::sight::View;

/// What a seat does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves.
    Move(Move),
    /// Offers a draw; then it moves. The offer stands until the other has moved.
    Offer,
    /// Accepts the other's offer, instead of moving.
    Accept,
    /// Gives up, instead of moving.
    Resign,
    /// Shows that it has no move.
    Claim,
    /// After the end: agrees to show each other the whole game.
    Show,
    /// After the end: does not.
    Keep,
}

/// Only for what is drawn for the step: it is on no wire and in no log.
impl Encode for Action {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Move(step) => {
                out.push(0);
                step.encode(out);
            }
            Self::Offer => out.push(1),
            Self::Accept => out.push(2),
            Self::Resign => out.push(3),
            Self::Claim => out.push(4),
            Self::Show => out.push(5),
            Self::Keep => out.push(6),
        }
    }
}

/// What can be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The side to move moved. Everyone hears the announcement; the mover knows the move too.
    Moved(Announcement, Option<Move>),
    /// What I see now. After every move that does not end the game both seats get one; nobody else learns it.
    Sees(View),
    /// The side to move offers a draw.
    Offered,
    /// The side to move accepts it.
    Accepted,
    /// The side to move gives up.
    Resigned,
    /// The side to move has shown that it has no move.
    Stalemated,
    /// After the end: whether White and whether Black agrees to show the game.
    Answered([bool; 2]),
    /// All moves of the game, after both have agreed.
    Shown(Vec<Move>),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This colour took the king.
    King(Color),
    /// This colour wins, the other gave up.
    Resigned(Color),
    /// Drawn by agreement.
    Agreed,
    /// Drawn: too long without a capture.
    Quiet,
    /// This colour had no move.
    Stalemate(Color),
}

/// The question at the end: shall we show each other the game?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Review {
    /// Not asked, or not yet.
    Not,
    /// Asked.
    Asked,
    /// At least one said no.
    Declined,
    /// Both said yes; the moves are due.
    Agreed,
    /// All moves.
    Shown(Vec<Move>),
}

/// What everyone knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public {
    /// What was heard, by moves; White moved first.
    pub heard: Vec<Announcement>,
    /// Moves since the last capture.
    pub quiet: u16,
    /// Who offers a draw.
    pub offer: Option<Color>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// After the end.
    pub review: Review,
}

/// What a seat knows of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// The move, if it was its own.
    pub played: Option<Move>,
    /// What it has afterwards.
    pub own: Side,
    /// What it sees afterwards.
    pub view: View,
}

/// What a seat alone knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mine {
    /// Its colour.
    pub color: Color,
    /// The start, then one glimpse for every move. Never empty.
    pub glimpses: Vec<Glimpse>,
    /// Whether a view is due.
    pub awaits_view: bool,
}

/// What one observer knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The options.
    pub options: Options,
    /// What everyone knows.
    pub public: Public,
    /// What this seat alone knows; nothing for a spectator.
    pub mine: Option<Mine>,
}

/// Why an action is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// It is the other's turn.
    #[error("it is not this seat's turn")]
    Turn,
    /// No such move.
    #[error("the piece cannot move there")]
    Move,
    /// An announcement does not fit what is known.
    #[error("the announcement does not fit the board")]
    Announcement,
    /// Something that cannot be now.
    #[error("this cannot happen now")]
    Now,
}

impl Public {
    /// Before anything happened.
    pub fn start() -> Self {
        Self { heard: Vec::new(), quiet: 0, offer: None, outcome: None, review: Review::Not }
    }

    /// Of a game that both have shown: after how many moves what was shown no longer fits. The rest stays hidden.
    pub fn shown_until(&self) -> Option<usize> {
        match &self.review {
            Review::Shown(moves) if moves.len() < self.heard.len() => Some(moves.len()),
            _ => None,
        }
    }

    /// Who moves, or would.
    pub fn turn(&self) -> Color {
        if self.heard.len().is_multiple_of(2) { Color::White } else { Color::Black }
    }

    /// Whether the side to move has offered a draw, and has yet to move.
    pub fn has_just_offered(&self) -> bool {
        self.outcome.is_none() && self.offer == Some(self.turn())
    }

    /// Takes in a move; says whether it ended the game.
    pub fn moved(&mut self, heard: Announcement, options: &Options) -> bool {
        let mover = self.turn();
        self.heard.push(heard);
        if self.offer == Some(mover.other()) {
            self.offer = None;
        }
        self.quiet = if heard == Announcement::Quiet { self.quiet.saturating_add(1) } else { 0 };
        if let Announcement::Capture(_, Piece::King) = heard {
            self.end(Outcome::King(mover), options);
        } else if options.quiet > 0 && self.quiet >= 2 * u16::from(options.quiet) {
            self.end(Outcome::Quiet, options);
        }
        self.outcome.is_some()
    }

    /// The game ends.
    pub fn end(&mut self, outcome: Outcome, options: &Options) {
        self.outcome = Some(outcome);
        self.offer = None;
        if options.review {
            self.review = Review::Asked;
        }
    }

    /// Takes in the answers to the question at the end.
    pub fn answered(&mut self, answers: [bool; 2]) {
        self.review = if answers == [true; 2] { Review::Agreed } else { Review::Declined };
    }

    /// Whether nothing more can happen.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some() && !matches!(self.review, Review::Asked | Review::Agreed)
    }

    /// Points by seat: 1 to the winner, −1 to the other, 0 for a draw or while the game is in progress.
    pub fn scores(&self, options: &Options) -> Vec<i64> {
        let winner = self.outcome.and_then(|outcome| outcome.winner(options)).map(|color| options.seat(color));
        (0..2).map(|seat| winner.map_or(0, |winner| if winner == Seat(seat) { 1 } else { -1 })).collect()
    }

    /// The scores if the table ends by the fault or the silence of some: a player who breaks off a game in progress has lost it; once it
    /// has ended, its result stands.
    pub fn forfeit(&self, options: &Options, culprits: Seats) -> Vec<i64> {
        if self.outcome.is_some() {
            return self.scores(options);
        }
        let guilty = [0, 1].map(|seat| culprits.contains(Seat(seat)));
        let score = |me: usize| i64::from(guilty[1 - me]) - i64::from(guilty[me]);
        vec![score(0), score(1)]
    }

    /// What was taken from a colour.
    pub fn taken(&self, color: Color) -> impl Iterator<Item = Piece> {
        let takers = self.heard.iter().skip(color.other().index()).step_by(2);
        takers.filter_map(|heard| heard.capture().map(|(_, piece)| piece))
    }
}

impl Outcome {
    /// Who won.
    pub fn winner(self, options: &Options) -> Option<Color> {
        match self {
            Self::King(winner) | Self::Resigned(winner) => Some(winner),
            Self::Stalemate(stuck) if options.stalemate == Stalemate::Loss => Some(stuck.other()),
            Self::Agreed | Self::Quiet | Self::Stalemate(_) => None,
        }
    }
}

impl Mine {
    /// What it has and sees now.
    pub fn now(&self) -> &Glimpse {
        self.glimpses.last().expect("the start is always there")
    }
}

impl Knowledge {
    /// Before anything happened: the start position is public, so both seats know what they see.
    pub fn start(options: &Options, who: Observer) -> Self {
        let start = Position::start();
        let mine = |seat| {
            let color = options.color(seat);
            let glimpse = Glimpse { played: None, own: *start.side(color), view: start.view(color) };
            Mine { color, glimpses: vec![glimpse], awaits_view: false }
        };
        let mine = match who {
            Observer::Seat(seat) => Some(mine(seat)),
            Observer::Spectator => None,
        };
        Self { options: *options, public: Public::start(), mine }
    }

    /// Its own colour.
    pub fn color(&self) -> Option<Color> {
        self.mine.as_ref().map(|mine| mine.color)
    }

    /// Its own moves, if it is its own turn and the view has come.
    pub fn moves(&self) -> Vec<Move> {
        match &self.mine {
            Some(mine) if mine.color == self.public.turn() && !mine.awaits_view && self.public.outcome.is_none() => {
                moves(mine.color, &mine.now().own, &mine.now().view)
            }
            _ => Vec::new(),
        }
    }

    /// What the seat may do.
    pub fn legal(&self) -> Vec<Action> {
        let Some(mine) = &self.mine else { return Vec::new() };
        if self.public.review == Review::Asked {
            return vec![Action::Show, Action::Keep];
        }
        if self.public.outcome.is_some() || mine.color != self.public.turn() || mine.awaits_view {
            return Vec::new();
        }
        let mut legal: Vec<Action> = self.moves().into_iter().map(Action::Move).collect();
        if legal.is_empty() {
            legal.push(Action::Claim);
        }
        match self.public.offer {
            None => legal.push(Action::Offer),
            Some(color) if color != mine.color => legal.push(Action::Accept),
            Some(_) => {}
        }
        legal.push(Action::Resign);
        legal
    }

    /// What it knows after an event.
    pub fn learn(mut self, event: &Event) -> Result<Self, Illegal> {
        let (public, options) = (&mut self.public, &self.options);
        let turn = public.turn();
        if let Event::Sees(view) = event {
            let mine = self.mine.as_mut().filter(|mine| mine.awaits_view).ok_or(Illegal::Now)?;
            mine.glimpses.last_mut().ok_or(Illegal::Now)?.view = *view;
            mine.awaits_view = false;
            return Ok(self);
        }
        match event {
            Event::Answered(answers) if public.review == Review::Asked => public.answered(*answers),
            Event::Shown(moves) if public.review == Review::Agreed => public.review = Review::Shown(moves.clone()),
            _ if public.outcome.is_some() => return Err(Illegal::Now),
            Event::Moved(heard, played) => {
                if let Some(mine) = &mut self.mine {
                    mine.moved(turn, *heard, played.as_ref())?;
                }
                let over = public.moved(*heard, options);
                if let Some(mine) = &mut self.mine {
                    mine.awaits_view = !over;
                }
            }
            Event::Offered if public.offer.is_none() => public.offer = Some(turn),
            Event::Accepted if public.offer == Some(turn.other()) => public.end(Outcome::Agreed, options),
            Event::Resigned => public.end(Outcome::Resigned(turn.other()), options),
            Event::Stalemated => public.end(Outcome::Stalemate(turn), options),
            _ => return Err(Illegal::Now),
        }
        Ok(self)
    }
}

impl Mine {
    /// Takes in a move of either side; the view is dark until it comes.
    fn moved(&mut self, mover: Color, heard: Announcement, played: Option<&Move>) -> Result<(), Illegal> {
        if self.awaits_view {
            return Err(Illegal::Now);
        }
        let now = *self.now();
        let mut own = now.own;
        let played = match (mover == self.color, played) {
            (true, Some(mv)) => {
                if !moves(self.color, &own, &now.view).contains(mv) {
                    return Err(Illegal::Move);
                }
                if mv.announcement(self.color, &now.view) != heard {
                    return Err(Illegal::Announcement);
                }
                own.play(self.color, mv);
                Some(*mv)
            }
            (false, None) => {
                let lost = heard.capture();
                if own.suffer(self.color, lost.map(|(square, _)| square)) != lost.map(|(_, piece)| piece) {
                    return Err(Illegal::Announcement);
                }
                None
            }
            _ => return Err(Illegal::Turn),
        };
        self.glimpses.push(Glimpse { played, own, view: View::DARK });
        Ok(())
    }
}
