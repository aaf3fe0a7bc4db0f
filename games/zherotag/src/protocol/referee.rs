//! The referee: everything public, judged from the log alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use outis_crypto::batch::Batch;
use outis_crypto::challenger::Challenger;
use outis_crypto::disclosure;
use outis_crypto::group::{Element, Scalar, mul_generator};
use outis_crypto::key::JointKey;
use outis_crypto::sigma::{SameExponent, Sigma, SigmaProof};
use outis_table::entry::Authentic;
use outis_table::game::{Checks, Expectation, Expects, Fault, Grade, Millis, Referee, Setting, pick, round_clock};
use outis_table::keys::{Ceremony, KeyChecked, KeyFault};
use outis_table::proofs::Proofs;
use outis_table::seats::Seats;
use outis_table::{Context, Seat};

use super::place::{Lines, OneStep, Position, PositionSecret, integer, offset};
use super::psi::{Ask, Reply, Squares};
use super::sight::Sight;
use super::step::{Kind, Move, Sighted, Step};
use crate::rules::board::start;
use crate::rules::{Cell, Direction, Event, Options, ZheroTag, end, mover, scores};

/// The faults of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cheated {
    /// The revealed key is not the committed one, or its possession is not proved.
    #[error("the revealed key is not the one committed to, or its owner has not proved to hold its secret")]
    Key,
    /// The new place is not proved to be one step from the old one.
    #[error("the king did not make one step")]
    Step,
    /// The new place is not proved to be on the grid.
    #[error("the king is not on the grid")]
    Grid,
    /// What the other seat learns is not proved to be what it should see.
    #[error("what the other seat is told is not what it should see")]
    Sight,
    /// The question is not about the eight neighbours of the asker's place.
    #[error("the question is not about the eight neighbours of the king's square")]
    Question,
    /// The answer was not made with one exponent.
    #[error("the answer was not made with one secret throughout")]
    Answer,
    /// The answer is not about the answerer's own square.
    #[error("the answer is not about the king's own square")]
    Square,
    /// A value that must be new was used before.
    #[error("a value that must be new was used before")]
    Repeated,
    /// A capture in a direction in which nobody is seen.
    #[error("nobody is seen in the direction of the capture")]
    Capture,
    /// The key that was shown at the end is another one.
    #[error("the key shown at the end is not the one that was played with")]
    Show,
    /// A step of a different kind from the one that was due.
    #[error("this is not the step that was due")]
    Kind,
}

impl Fault for Cheated {
    fn check(&self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Step => "step",
            Self::Grid => "grid",
            Self::Sight => "sight",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Square => "square",
            Self::Repeated => "repeated",
            Self::Capture => "capture",
            Self::Show => "show",
            Self::Kind => "kind",
        }
    }
}

impl KeyFault for Cheated {
    const KEY: Self = Self::Key;
    const KIND: Self = Self::Kind;
}

/// What was disclosed to a seat about the other king after a move.
#[derive(Clone, Debug)]
pub enum Told {
    /// The tag of eight answers, and these, of which at most one opens.
    Answers(Box<Element>, Vec<disclosure::Answer>),
    /// The answer to a question.
    Powers(Box<Powers>),
}

/// A question and its answer, in the classic grade.
#[derive(Clone, Debug)]
pub struct Powers {
    /// `α·G` of the question.
    pub asked: Element,
    /// `β·H` of the other's square.
    pub own: Element,
    /// `αβ·H` of the eight neighbours.
    pub powers: Vec<Element>,
}

impl Told {
    /// That the seat with this key sees the other king in a direction: what it must prove to capture it.
    pub(crate) fn seen(&self, viewer: &Element, direction: Direction) -> Option<SameExponent> {
        let g = Element::generator();
        Some(match self {
            Self::Answers(_, answers) => {
                let (h, y) = answers.get(direction.index())?.claim(0)?;
                SameExponent { g, x: *viewer, h, y }
            }
            Self::Powers(told) => {
                SameExponent { g, x: told.asked, h: told.own, y: *told.powers.get(direction.index())? }
            }
        })
    }
}

/// A judged step.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A commitment to a key, or a key that was proved.
    Key(KeyChecked),
    /// A proved move, with what is disclosed to the other seat, or asked of it.
    Moved(Box<(Position, Says)>),
    /// A proved capture.
    Captured(Direction),
    /// What is disclosed to the mover and, in the classic grade, what is asked in turn.
    Answered(Box<Says>),
    /// The secret key at the end.
    Shown(Scalar),
}

/// What a step says to the other seat, and what in it must be new in the whole game.
#[derive(Clone, Debug, Default)]
pub struct Says {
    told: Option<Told>,
    ask: Option<Box<Ask>>,
    fresh: Vec<[u8; 32]>,
}

/// What the game waits for, with what it has so far.
#[derive(Clone, Debug)]
pub(crate) enum Awaiting {
    Keys(Ceremony),
    /// A move or a capture.
    Turn,
    /// Hardened: what is disclosed to the mover.
    Answer,
    /// Classic: an answer to the mover's question, with a question in turn.
    Reply(Box<Ask>),
    /// Classic: an answer to that.
    LastReply(Box<Ask>),
    /// Both keys.
    Show,
    Nothing,
}

/// Everything public at a table of ZheroTag.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) options: Options,
    pub(crate) grade: Grade,
    pub(crate) lines: Arc<Lines>,
    pub(crate) squares: Option<Arc<Squares>>,
    pub(crate) phase: Awaiting,
    pub(crate) key: Option<Arc<JointKey>>,
    /// The places of both kings, from the start on.
    pub(crate) places: [Vec<Position>; 2],
    /// What was last disclosed to each seat, and after how many moves.
    pub(crate) told: [Option<(u16, Told)>; 2],
    pub(crate) moves: u16,
    capture: Option<Direction>,
    said: BTreeSet<[u8; 32]>,
}

impl Referee for Table {
    const GAME: &'static str = "zherotag";
    type Rules = ZheroTag;
    type Step = Step;
    type Shape = Kind;
    type Checked = Checked;
    type Fault = Cheated;

    fn open(setting: &Setting<Options>) -> Result<Self, &'static str> {
        let grade = Grade::of(&setting.parameters).ok_or("the parameters name no grade of ZheroTag")?;
        let grid = setting.options.grid;
        Ok(Self {
            options: setting.options.clone(),
            grade,
            lines: Arc::new(Lines::new(grid)),
            squares: (grade == Grade::Classic).then(|| Arc::new(Squares::new(grid, &setting.table))),
            phase: Awaiting::Keys(Ceremony::new(Seats::all(2))),
            key: None,
            places: [Vec::new(), Vec::new()],
            told: [None, None],
            moves: 0,
            capture: None,
            said: BTreeSet::new(),
        })
    }

    fn expects(&self) -> Expects {
        let (both, turn) = (Seats::all(2), mover(self.moves));
        let last = Seat(1 - turn.0);
        let (what, speakers) = match &self.phase {
            Awaiting::Keys(keys) => (keys.what(), both),
            Awaiting::Turn => ("move", Seats::one(turn)),
            // After the move the other seat is next to move, and first to answer.
            Awaiting::Answer | Awaiting::Reply(_) => ("answer", Seats::one(turn)),
            Awaiting::LastReply(_) => ("reply", Seats::one(last)),
            Awaiting::Show => ("paths", both),
            Awaiting::Nothing => return Expects::Over,
        };
        let by_hand = what == "move";
        let clock = round_clock(self.options.clock.into(), by_hand);
        Expects::Round(Expectation { speakers, what, by_hand, releases: true, clock, runs_on: false })
    }

    fn is_decided(&self) -> bool {
        self.options.sealed && matches!(self.phase, Awaiting::Show | Awaiting::Nothing)
    }

    fn deal(&self) -> u32 {
        0
    }

    fn shape(&self, _: Seat) -> Kind {
        let grid = self.options.grid;
        match &self.phase {
            Awaiting::Keys(keys) => Kind::Key(keys.kind()),
            Awaiting::Turn => Kind::Turn(self.grade, grid),
            Awaiting::Answer => Kind::Answer,
            Awaiting::Reply(_) => Kind::Reply(grid, true),
            Awaiting::LastReply(_) => Kind::Reply(grid, false),
            Awaiting::Show | Awaiting::Nothing => Kind::Show,
        }
    }

    fn judge(&self, said: &Authentic<Step>, checks: Checks) -> Result<Checked, Cheated> {
        self.judge_step(said.step(), said.context(), checks)
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, (Seat, Cheated)> {
        let mut events = Vec::new();
        let other = |seat| (seat, Cheated::Kind);
        match &mut self.phase {
            Awaiting::Keys(keys) => {
                let key = keys.advance(round, |c| if let Checked::Key(checked) = c { Some(checked) } else { None })?;
                if let Some(key) = key {
                    let places = start(self.options.grid).map(|cell| PositionSecret::public(cell).encrypt(&key));
                    let [Some(first), Some(second)] = places else { return Err((Seat(0), Cheated::Key)) };
                    self.key = Some(Arc::new(key));
                    self.places = [vec![first], vec![second]];
                    self.phase = Awaiting::Turn;
                }
            }
            Awaiting::Show => {
                let shown = pick(round, |c| if let Checked::Shown(s) = c { Some(s) } else { None });
                events.extend(self.paths(shown.map_err(other)?.iter().sum()).map(Event::Revealed));
                self.phase = Awaiting::Nothing;
            }
            _ => {
                for (seat, checked) in round {
                    self.take(seat, checked, &mut events).map_err(|fault| (seat, fault))?;
                }
            }
        }
        Ok(events)
    }

    fn shortest_clock(&self) -> Option<Millis> {
        round_clock(self.options.clock.into(), true)
    }

    fn scores(&self) -> Vec<i64> {
        scores(end(&self.options, self.moves, self.capture.is_some()))
    }

    /// A seat that breaks off an undecided game loses it.
    fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        let decided = end(&self.options, self.moves, self.capture.is_some()).is_some();
        match (culprits.contains(Seat(0)), culprits.contains(Seat(1))) {
            (true, false) if !decided => vec![-1, 1],
            (false, true) if !decided => vec![1, -1],
            _ => self.scores(),
        }
    }
}

impl Table {
    /// Judges a step that the seat of the context said.
    pub(crate) fn judge_step(&self, step: &Step, context: &Context, checks: Checks) -> Result<Checked, Cheated> {
        let seat = context.seat;
        match (step, &self.phase) {
            (Step::Key(step), Awaiting::Keys(keys)) => keys.judge(step, context, &[], checks).map(Checked::Key),
            (Step::Move(step), Awaiting::Turn) => {
                let says = self.judge_move(seat, context, step, checks)?;
                Ok(Checked::Moved(Box::new((step.to, says))))
            }
            (Step::Capture(direction, proof), Awaiting::Turn) => {
                self.judge_capture(seat, context, *direction, proof, checks)
            }
            (Step::Answer(answers), Awaiting::Answer) => {
                let at = self.place(seat).ok_or(Cheated::Kind)?;
                let mut proofs = Proofs::new(context, checks);
                let says = self.judge_sight(seat, at, answers, &[], &mut proofs)?;
                proofs.settle()?;
                Ok(Checked::Answered(Box::new(says)))
            }
            (Step::Reply(said), Awaiting::Reply(asked) | Awaiting::LastReply(asked)) => {
                let (reply, ask) = &**said;
                self.judge_reply(seat, context, asked, reply, ask.as_ref(), checks)
            }
            (Step::Show(secret), Awaiting::Show) => {
                let key = self.seat_key(seat).ok_or(Cheated::Kind)?;
                let same = Element::new(mul_generator(secret)).is_some_and(|shown| shown == *key);
                checks.demand(same, Cheated::Show)?;
                Ok(Checked::Shown(*secret))
            }
            _ => Err(Cheated::Kind),
        }
    }

    /// The key of a seat.
    pub(crate) fn seat_key(&self, seat: Seat) -> Option<&Element> {
        self.key.as_ref()?.seat(seat)
    }

    /// Where a king stands.
    pub(crate) fn place(&self, seat: Seat) -> Option<&Position> {
        self.places.get(usize::from(seat.0))?.last()
    }

    /// What a seat that stands somewhere discloses to the other.
    pub(crate) fn sight<'a>(&'a self, issuer: Seat, at: &'a Position) -> Option<Sight<'a>> {
        let viewer = Seat(1 - issuer.0.min(1));
        let (looking, viewer) = (self.place(viewer)?, self.seat_key(viewer)?);
        Some(Sight { issuer: self.seat_key(issuer)?, viewer, seen: at, looking })
    }

    /// What the seat may use to capture now: what was disclosed to it after the last move.
    pub(crate) fn told(&self, seat: Seat) -> Option<&Told> {
        let (after, told) = self.told.get(usize::from(seat.0))?.as_ref()?;
        (*after == self.moves).then_some(told)
    }

    /// Whether nothing of this was said before in the game, nor `earlier` in the same entry, and nothing twice.
    fn is_fresh(&self, earlier: &[[u8; 32]], said: &[[u8; 32]]) -> bool {
        let once: BTreeSet<_> = earlier.iter().chain(said).collect();
        once.len() == earlier.len() + said.len() && said.iter().all(|one| !self.said.contains(one))
    }

    fn judge_move(&self, seat: Seat, context: &Context, step: &Move, checks: Checks) -> Result<Says, Cheated> {
        let (key, from) = (self.key.as_ref().ok_or(Cheated::Kind)?, self.place(seat).ok_or(Cheated::Kind)?);
        let Move { to, step: proof, sight } = step;
        let fresh: Vec<[u8; 32]> = to.points().iter().map(|point| *point.as_bytes()).collect();
        checks.demand(self.is_fresh(&[], &fresh), Cheated::Repeated)?;
        let mut proofs = Proofs::new(context, checks);
        let one_step = OneStep { key: key.element(), from, to };
        proofs.add(Cheated::Step, |challenger, batch| one_step.verify(proof, challenger, batch).is_ok())?;
        let mut says = match sight {
            Sighted::Hardened(told) => {
                let (on_grid, answers) = &**told;
                proofs.add(Cheated::Grid, |challenger, batch| {
                    self.lines.verify(key, to, on_grid, challenger, batch).is_ok()
                })?;
                self.judge_sight(seat, to, answers, &fresh, &mut proofs)?
            }
            Sighted::Classic(ask) => self.judge_ask(to, ask, &fresh, &mut proofs)?,
        };
        proofs.settle()?;
        says.fresh.extend(fresh);
        Ok(says)
    }

    fn judge_sight(
        &self,
        seat: Seat,
        at: &Position,
        answers: &disclosure::Disclosure,
        earlier: &[[u8; 32]],
        proofs: &mut Proofs<'_, Cheated>,
    ) -> Result<Says, Cheated> {
        let fresh = vec![*answers.tag().as_bytes()];
        proofs.demand(self.is_fresh(earlier, &fresh), Cheated::Repeated)?;
        let sight = self.sight(seat, at).ok_or(Cheated::Kind)?;
        proofs.add(Cheated::Sight, |challenger, batch| sight.verify(answers, challenger, batch).is_ok())?;
        Ok(Says { told: Some(Told::Answers(Box::new(*answers.tag()), answers.answers().to_vec())), ask: None, fresh })
    }

    fn judge_ask(
        &self,
        at: &Position,
        ask: &Ask,
        earlier: &[[u8; 32]],
        proofs: &mut Proofs<'_, Cheated>,
    ) -> Result<Says, Cheated> {
        let (key, squares) = self.classic().ok_or(Cheated::Kind)?;
        let fresh = vec![*ask.key.as_bytes()];
        proofs.demand(self.is_fresh(earlier, &fresh), Cheated::Repeated)?;
        proofs.add(Cheated::Question, |challenger, batch| ask.verify(squares, key.element(), at, challenger, batch))?;
        Ok(Says { told: None, ask: Some(Box::new(ask.clone())), fresh })
    }

    fn judge_reply(
        &self,
        seat: Seat,
        context: &Context,
        asked: &Ask,
        reply: &Reply,
        ask: Option<&Ask>,
        checks: Checks,
    ) -> Result<Checked, Cheated> {
        let (key, squares) = self.classic().ok_or(Cheated::Kind)?;
        let at = self.place(seat).ok_or(Cheated::Kind)?;
        let fresh = [*reply.key.as_bytes()];
        checks.demand(self.is_fresh(&[], &fresh), Cheated::Repeated)?;
        let mut proofs = Proofs::new(context, checks);
        proofs.add(Cheated::Square, |challenger, batch| {
            reply.verify_square(squares, key.element(), at, challenger, batch)
        })?;
        proofs.add(Cheated::Answer, |challenger, batch| reply.verify_same(asked, challenger, batch))?;
        let mut says = match ask {
            Some(ask) => self.judge_ask(at, ask, &fresh, &mut proofs)?,
            None => Says::default(),
        };
        proofs.settle()?;
        says.fresh.extend(fresh);
        let Reply { own: [own], powers, .. } = reply;
        let powers = Powers { asked: asked.key, own: *own, powers: powers.clone() };
        says.told = Some(Told::Powers(Box::new(powers)));
        Ok(Checked::Answered(Box::new(says)))
    }

    fn judge_capture(
        &self,
        seat: Seat,
        context: &Context,
        direction: Direction,
        proof: &SigmaProof,
        checks: Checks,
    ) -> Result<Checked, Cheated> {
        let viewer = self.seat_key(seat).ok_or(Cheated::Kind)?;
        let seen = self.told(seat).and_then(|told| told.seen(viewer, direction));
        let mut batch = Batch::new();
        let read = seen.is_some_and(|seen| seen.verify(proof, &mut Challenger::new(context), &mut batch).is_ok());
        checks.demand(read, Cheated::Capture)?;
        checks.settle(batch, Cheated::Capture)?;
        Ok(Checked::Captured(direction))
    }

    /// What the classic grade has besides.
    pub(crate) fn classic(&self) -> Option<(&JointKey, &Squares)> {
        Some((self.key.as_ref()?, self.squares.as_ref()?))
    }

    /// Takes in the step of one seat.
    fn take(&mut self, seat: Seat, checked: Checked, events: &mut Vec<Event>) -> Result<(), Cheated> {
        let (own, other) = (usize::from(seat.0.min(1)), usize::from(1 - seat.0.min(1)));
        match checked {
            Checked::Moved(moved) => {
                let (to, says) = *moved;
                self.places[own].push(to);
                self.moves += 1;
                events.push(Event::Moved);
                self.said.extend(says.fresh);
                self.told[other] = says.told.map(|told| (self.moves, told)).or(self.told[other].take());
                self.phase = says.ask.map_or(Awaiting::Answer, Awaiting::Reply);
            }
            Checked::Answered(says) => {
                self.said.extend(says.fresh);
                self.told[other] = says.told.map(|told| (self.moves, told)).or(self.told[other].take());
                self.phase = match says.ask {
                    Some(ask) => Awaiting::LastReply(ask),
                    None => self.next(),
                };
            }
            Checked::Captured(direction) => {
                self.capture = Some(direction);
                self.moves += 1;
                events.push(Event::Captured(direction));
                self.phase = self.next();
            }
            _ => return Err(Cheated::Kind),
        }
        Ok(())
    }

    /// What comes when everything about a move was said.
    fn next(&self) -> Awaiting {
        match end(&self.options, self.moves, self.capture.is_some()) {
            None => Awaiting::Turn,
            Some(_) if self.options.replay => Awaiting::Show,
            Some(_) => Awaiting::Nothing,
        }
    }

    /// Both paths, once the key of both seats is known. They are walked step by step, for the steps are what was proved: in
    /// the classic grade nothing is said of column and row alone, so they need not open one by one.
    fn paths(&self, secret: Scalar) -> Option<[Vec<Cell>; 2]> {
        let steps = Direction::ALL.map(|direction| (mul_generator(&integer(offset(direction))), direction));
        let path = |seat: usize| {
            let mut path = vec![start(self.options.grid)[seat]];
            for pair in self.places[seat].windows(2) {
                let moved = pair[1].opened(&secret) - pair[0].opened(&secret);
                let (_, direction) = steps.iter().find(|(step, _)| *step == moved)?;
                path.push(path.last()?.step(*direction));
            }
            Some(path)
        };
        let mut paths = [path(0)?, path(1)?];
        if let Some(direction) = self.capture {
            let winner = &mut paths[usize::from(mover(self.moves + 1).0)];
            let at = winner.last()?.step(direction);
            winner.push(at);
        }
        Some(paths)
    }
}
