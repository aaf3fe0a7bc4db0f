//! The referee: everything public, judged from the log alone.

mod fault;
mod judge;

use std::collections::BTreeSet;
use std::sync::Arc;

use outis_crypto::card::{Code, Codes};
use outis_crypto::disclosure::Disclosure;
use outis_crypto::encrypted_number::Cipher;
use outis_crypto::group::Element;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::secret::SecretScalar;
use outis_crypto::selection::Pair;
use outis_crypto::shuffle::CommitmentKey;
use outis_table::entry::Authentic;
use outis_table::game::{Bank, Checks, Expectation, Expects, Grade, Millis, Referee, Setting, pick};
use outis_table::keys::{Ceremony, KeyChecked, KeyKind};
use outis_table::seats::Seats;
use outis_table::{Seat, TableId};

use super::charter::Charter;
use super::layout::{after, ciphers, opened, suffer};
use super::step::{Kind, Step};
use super::turn::{MoveInputs, Sight};
use crate::classic;
use crate::rules::board::Color;
use crate::rules::game::DarkChess;
use crate::rules::knowledge::{Event, Outcome, Public, Review};
use crate::rules::moves::{Announcement, Move};
use crate::rules::options::Options;
use crate::rules::side::Side;

pub use fault::Cheated;

/// Slot generators for the digits of the longest list of entries.
const SLOTS: usize = 96;

/// A judged step.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A commitment to a key, or a key that was proved.
    Key(KeyChecked),
    /// A view that was proved.
    Viewed(Answers),
    /// A move that was proved, and the view that comes with it.
    Moved(Announcement, Codes, Option<Answers>),
    /// Something else in a turn that ends the game or offers to.
    Spoken(Event),
    /// Yes or no to showing the game.
    Reviewed(bool),
    /// The secret key.
    Shown(SecretScalar),
    /// A step of the classic grade: in form, and nothing more.
    Classic(classic::Step),
}

/// The answers of a view, and its tag.
#[derive(Clone, Debug)]
pub struct Answers {
    pub(crate) pairs: Arc<Vec<Pair>>,
    tag: Element,
}

impl Answers {
    fn of(view: &Disclosure) -> Self {
        Self { pairs: Arc::new(view.answers().iter().map(Pair::from).collect()), tag: *view.tag() }
    }
}

/// What the table waits for.
#[derive(Clone, Debug)]
pub(crate) enum Awaiting {
    Keys(Ceremony),
    Look,
    Turn,
    Answer,
    Review,
    Show,
    Nothing,
}

/// Everything public at a table of dark chess.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) id: TableId,
    /// A table of the classic grade is judged by this alone.
    pub(crate) classic: Option<Box<classic::Table>>,
    pub(crate) options: Options,
    pub(crate) public: Public,
    pub(crate) awaiting: Awaiting,
    pub(crate) charters: [Arc<Charter>; 2],
    pub(crate) commitments: Arc<CommitmentKey>,
    pub(crate) key: Option<Arc<JointKey>>,
    /// The encrypted states of White and Black.
    pub(crate) states: [Arc<Vec<Cipher>>; 2],
    /// The latest views of White and Black; `None` while one is due.
    pub(crate) views: [Option<Arc<Vec<Pair>>>; 2],
    /// How many views there were.
    pub(crate) count: u32,
    /// The tags of all views.
    tags: Arc<BTreeSet<Element>>,
    /// The fresh numbers of every move that say what it was: from, to, and the piece on both.
    history: Vec<Arc<Vec<Code>>>,
}

impl Referee for Table {
    const GAME: &'static str = "dark-chess";
    type Rules = DarkChess;
    type Step = Step;
    type Shape = Kind;
    type Checked = Checked;
    type Fault = Cheated;

    fn open(setting: &Setting<Options>) -> Result<Self, &'static str> {
        let classic = match Grade::of(&setting.parameters) {
            Some(Grade::Hardened) => None,
            Some(Grade::Classic) => Some(Box::new(classic::Table::new(&setting.options))),
            None => return Err("the parameters name no grade of dark chess"),
        };
        let state = |color| Arc::new(opened(&Side::start(color)));
        Ok(Self {
            id: setting.table,
            classic,
            options: setting.options,
            public: Public::start(),
            awaiting: Awaiting::Keys(Ceremony::new(Seats::all(2))),
            charters: Color::ALL.map(|color| Arc::new(Charter::of(color))),
            commitments: Arc::new(CommitmentKey::new(SLOTS)),
            key: None,
            states: Color::ALL.map(state),
            views: [None, None],
            count: 0,
            tags: Arc::default(),
            history: Vec::new(),
        })
    }

    fn expects(&self) -> Expects {
        if let Some(classic) = &self.classic {
            return classic.expects();
        }
        let (turn, both) = (self.public.turn(), Seats::all(2));
        let (what, speakers) = match &self.awaiting {
            Awaiting::Keys(keys) => (keys.what(), both),
            Awaiting::Look => ("look", Seats::one(self.options.seat(turn.other()))),
            Awaiting::Turn => ("turn", Seats::one(self.options.seat(turn))),
            // The turn has already passed: the side to move answers the side that has moved.
            Awaiting::Answer => ("answer", Seats::one(self.options.seat(turn))),
            Awaiting::Review => ("review", both),
            Awaiting::Show => ("show", both),
            Awaiting::Nothing => return Expects::Over,
        };
        let by_hand = matches!(self.awaiting, Awaiting::Turn | Awaiting::Review);
        let releases = match &self.awaiting {
            Awaiting::Keys(keys) => keys.kind() == KeyKind::Reveal,
            awaiting => !matches!(awaiting, Awaiting::Review),
        };
        let clock = self.options.time(by_hand);
        let runs_on = matches!(self.awaiting, Awaiting::Turn) && self.public.has_just_offered();
        Expects::Round(Expectation { speakers, what, by_hand, releases, clock, runs_on })
    }

    fn is_decided(&self) -> bool {
        let public = self.classic.as_ref().map_or(&self.public, |classic| &classic.public);
        self.options.sealed && public.outcome.is_some()
    }

    fn deal(&self) -> u32 {
        0
    }

    fn shape(&self, seat: Seat) -> Kind {
        if let Some(classic) = &self.classic {
            return Kind::Classic(classic.shape(seat));
        }
        match &self.awaiting {
            Awaiting::Keys(keys) => Kind::Key(keys.kind()),
            Awaiting::Look | Awaiting::Answer => Kind::View,
            Awaiting::Turn => Kind::Turn(self.charters[self.public.turn().index()].clone(), self.quiet_ends()),
            Awaiting::Review => Kind::Review,
            Awaiting::Show => Kind::Show,
            Awaiting::Nothing => Kind::Nothing,
        }
    }

    fn judge(&self, said: &Authentic<Step>, checks: Checks<'_>) -> Result<Checked, Cheated> {
        self.judge_step(said.step(), said.context(), said.is_vouched(), checks)
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, (Seat, Cheated)> {
        if let Some(classic) = &mut self.classic {
            let step = |(seat, checked)| match checked {
                Checked::Classic(step) => Ok((seat, step)),
                _ => Err((seat, Cheated::Kind)),
            };
            let round = round.into_iter().map(step).collect::<Result<_, _>>()?;
            return classic.advance(round).map_err(|(seat, why)| (seat, why.into()));
        }
        let other = |seat| (seat, Cheated::Kind);
        let mut events = Vec::new();
        // What it waits for changes when the round is taken in: a refusal leaves it as it was.
        match &mut self.awaiting {
            Awaiting::Keys(keys) => {
                let key = keys.advance(round, |c| if let Checked::Key(checked) = c { Some(checked) } else { None })?;
                if let Some(key) = key {
                    self.key = Some(Arc::new(key));
                    self.awaiting = Awaiting::Look;
                }
            }
            Awaiting::Look | Awaiting::Answer => {
                for (seat, checked) in round {
                    let Checked::Viewed(answers) = checked else { return Err(other(seat)) };
                    self.take_view(self.options.color(seat).other(), answers);
                }
                self.awaiting = Awaiting::Turn;
            }
            Awaiting::Turn => {
                for (seat, checked) in round {
                    match checked {
                        Checked::Moved(heard, codes, view) => self.take_move(heard, &codes, view, &mut events),
                        Checked::Spoken(event) => self.take_word(event, &mut events),
                        _ => return Err(other(seat)),
                    }
                }
            }
            Awaiting::Review => {
                let mut agreed = [false; 2];
                for (seat, checked) in round {
                    let Checked::Reviewed(yes) = checked else { return Err(other(seat)) };
                    agreed[self.options.color(seat).index()] = yes;
                }
                self.awaiting = Awaiting::Nothing;
                self.public.answered(agreed);
                events.push(Event::Answered(agreed));
                if self.public.review == Review::Agreed {
                    self.awaiting = Awaiting::Show;
                }
            }
            Awaiting::Show => {
                let secrets = pick(round, |c| if let Checked::Shown(secret) = c { Some(secret) } else { None });
                let moves = self.decrypt(&secrets.map_err(other)?);
                self.awaiting = Awaiting::Nothing;
                self.public.review = Review::Shown(moves.clone());
                events.push(Event::Shown(moves));
            }
            Awaiting::Nothing => {}
        }
        Ok(events)
    }

    fn bank(&self) -> Option<Bank> {
        self.options.bank()
    }

    fn shortest_clock(&self) -> Option<Millis> {
        self.options.time(true)
    }

    fn scores(&self) -> Vec<i64> {
        if let Some(classic) = &self.classic {
            return classic.scores();
        }
        self.public.scores(&self.options)
    }

    fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        if let Some(classic) = &self.classic {
            return classic.forfeit(culprits);
        }
        self.public.forfeit(&self.options, culprits)
    }
}

impl Table {
    /// Whether one more quiet move ends the game.
    pub(crate) fn quiet_ends(&self) -> bool {
        let mut public = self.public.clone();
        public.moved(Announcement::Quiet, &self.options)
    }

    /// The key of a colour.
    pub(crate) fn key_of(&self, color: Color) -> Option<&Element> {
        self.key.as_ref()?.seat(self.options.seat(color))
    }

    /// The key of a colour with this secret, if it is that.
    fn owns(&self, color: Color, secret: &SecretScalar) -> Option<SeatSecret> {
        let secret = SeatSecret::from_secret(secret.clone())?;
        (self.key_of(color) == Some(secret.key())).then_some(secret)
    }

    /// What a move of this colour is judged by; `None` before there are keys and a view.
    pub(crate) fn move_inputs(&self, color: Color) -> Option<MoveInputs<'_>> {
        Some(MoveInputs {
            key: self.key.as_deref()?,
            commitments: &self.commitments,
            charter: &self.charters[color.index()],
            mover: self.key_of(color)?,
            view: self.views[color.index()].as_deref()?,
            state: &self.states[color.index()],
        })
    }

    /// What a view that this colour issues is judged by, for some states of White and Black.
    pub(crate) fn sight<'a>(&'a self, issuer: Color, states: [&'a [Cipher]; 2]) -> Option<Sight<'a>> {
        let viewer = issuer.other();
        Some(Sight {
            charter: &self.charters[viewer.index()],
            issuer: self.key_of(issuer)?,
            viewer: self.key_of(viewer)?,
            states: (states[viewer.index()], states[issuer.index()]),
        })
    }

    /// The states of White and Black after a move.
    pub(crate) fn states_after(&self, mover: Color, heard: Announcement, codes: &Codes) -> [Vec<Cipher>; 2] {
        let other = mover.other();
        let mut theirs = self.states[other.index()].to_vec();
        suffer(other, &mut theirs, heard.capture().map(|(square, _)| square), || Cipher::public(0));
        let own = after(&ciphers(&codes.0));
        match mover {
            Color::White => [own, theirs],
            Color::Black => [theirs, own],
        }
    }

    fn take_view(&mut self, viewer: Color, answers: Answers) {
        Arc::make_mut(&mut self.tags).insert(answers.tag);
        self.views[viewer.index()] = Some(answers.pairs);
        self.count += 1;
    }

    fn take_move(&mut self, heard: Announcement, codes: &Codes, view: Option<Answers>, events: &mut Vec<Event>) {
        let mover = self.public.turn();
        self.states = self.states_after(mover, heard, codes).map(Arc::new);
        self.history.push(Arc::new(codes.0[..142].to_vec()));
        self.views[mover.index()] = None;
        if let Some(answers) = view {
            self.take_view(mover.other(), answers);
        }
        let over = self.public.moved(heard, &self.options);
        events.push(Event::Moved(heard, None));
        if over {
            self.finish();
        } else {
            self.awaiting = Awaiting::Answer;
        }
    }

    fn take_word(&mut self, event: Event, events: &mut Vec<Event>) {
        let turn = self.public.turn();
        let outcome = match &event {
            Event::Offered => {
                self.public.offer = Some(turn);
                None
            }
            Event::Accepted => Some(Outcome::Agreed),
            Event::Resigned => Some(Outcome::Resigned(turn.other())),
            Event::Stalemated => Some(Outcome::Stalemate(turn)),
            _ => None,
        };
        events.push(event);
        if let Some(outcome) = outcome {
            self.public.end(outcome, &self.options);
            self.finish();
        }
    }

    fn finish(&mut self) {
        let asked = self.public.review == Review::Asked;
        self.awaiting = if asked { Awaiting::Review } else { Awaiting::Nothing };
    }

    /// All moves of the game, with both secret keys.
    fn decrypt(&self, secrets: &[SecretScalar]) -> Vec<Move> {
        let mut position = crate::rules::position::Position::start();
        let mut moves = Vec::new();
        let joint: outis_crypto::group::Scalar = secrets.iter().map(|secret| *secret.expose_secret()).sum();
        let set = |code: &Code| {
            // A number of a move is 0 or 1: the proofs say so.
            code.c2.point() - code.c1.point() * joint == *Element::generator().point()
        };
        for codes in &self.history {
            let bits: Vec<bool> = codes.iter().map(set).collect();
            let found = position.moves().into_iter().find(|mv| {
                use super::layout::New;
                let placed = mv.promotes.or_else(|| position.side(position.turn).piece(mv.from));
                bits[New::From(mv.from).index()]
                    && bits[New::To(mv.to).index()]
                    && placed.is_some_and(|piece| bits[New::Placed(piece).index()])
            });
            let Some(mv) = found else { break };
            position.play(&mv);
            moves.push(mv);
        }
        moves
    }
}
