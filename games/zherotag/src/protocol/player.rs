//! One seat: its key, where it stands, and what it sees.

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::secret::SecretScalar;
use outis_crypto::sigma::Sigma;
use outis_table::game::{Grade, Made, Observer, Player, Refused, Rules, take_in};
use outis_table::keys::OwnKey;
use outis_table::{Context, Seat};

use super::place::{OneStep, OwnPosition, PositionSecret};
use super::psi::{self, Ask, Reply};
use super::referee::{Awaiting, Cheated, Table, Told};
use super::sight;
use super::step::{Move, Sighted, Step};
use crate::rules::board::start;
use crate::rules::{Cell, Direction, Event, Illegal, Knowledge, ZheroTag, mover};

/// One seat with its secrets.
#[derive(Clone, Debug)]
pub struct Hand {
    seat: Seat,
    pub(crate) key: Option<OwnKey>,
    pub(crate) standing: PositionSecret,
    /// Where it goes with the move that is under way.
    going: Option<PositionSecret>,
    /// Classic: what opens the answer to its own question.
    pub(crate) alpha: Option<SecretScalar>,
    knowledge: Knowledge,
}

/// What survives a crash.
#[derive(Debug)]
pub enum Memo {
    /// Nothing to remember.
    Nothing,
    /// The key.
    Key(OwnKey),
    /// The new place, and in the classic grade the secret of the question.
    Going(PositionSecret, Option<SecretScalar>),
    /// The secret of a question.
    Asking(SecretScalar),
}

impl Player for Hand {
    type Referee = Table;
    type Memo = Memo;

    fn sit(table: &Table, seat: Seat) -> Self {
        let knowledge = ZheroTag::initial_knowledge(&table.options, 2, Observer::Seat(seat));
        let [first, second] = start(table.options.grid);
        let standing = PositionSecret::public(if seat.0 == 0 { first } else { second });
        Self { seat, key: None, standing, going: None, alpha: None, knowledge }
    }

    fn act(
        &self,
        table: &Table,
        context: &Context,
        direction: &Direction,
        rng: &mut impl Source,
    ) -> Result<Made<Step, Memo>, Illegal> {
        let Awaiting::Turn = table.phase else { return Err(Illegal::Now) };
        if mover(table.moves) != self.seat {
            return Err(Illegal::Turn);
        }
        let to = self.standing.cell.step(*direction);
        if self.knowledge.sees() == Some(to) {
            let step = self.capture(table, context, *direction, rng).ok_or(Illegal::Now)?;
            return Ok(Made { step, memo: Memo::Nothing });
        }
        if !to.is_on(table.options.grid) {
            return Err(Illegal::Outside);
        }
        self.go(table, context, to, *direction, rng).ok_or(Illegal::Now)
    }

    fn due(&self, table: &Table, context: &Context, rng: &mut impl Source) -> Option<Made<Step, Memo>> {
        let mut challenger = Challenger::new(context);
        match (&table.phase, &self.key) {
            (Awaiting::Keys(keys), own) => {
                let (step, own) = keys.make(own.as_ref(), context, rng)?;
                Some(Made { step: Step::Key(step), memo: own.map_or(Memo::Nothing, Memo::Key) })
            }
            (Awaiting::Answer, Some(OwnKey { secret, .. })) => {
                let sight = table.sight(self.seat, table.place(self.seat)?)?;
                let step = Step::Answer(Box::new(sight.issue(secret, context, &mut challenger, rng)?));
                Some(Made { step, memo: Memo::Nothing })
            }
            (Awaiting::Reply(asked) | Awaiting::LastReply(asked), Some(OwnKey { secret, .. })) => {
                let (key, squares) = table.classic()?;
                let at = OwnPosition { place: table.place(self.seat)?, secret: &self.standing };
                let reply = Reply::make(squares, key.element(), secret, at, asked, &mut challenger, rng)?;
                let (ask, memo) = match table.phase {
                    Awaiting::Reply(_) => {
                        let (ask, alpha) = Ask::make(squares, key.element(), secret, at, &mut challenger, rng)?;
                        (Some(ask), Memo::Asking(alpha))
                    }
                    _ => (None, Memo::Nothing),
                };
                Some(Made { step: Step::Reply(Box::new((reply, ask))), memo })
            }
            (Awaiting::Show, Some(OwnKey { secret, .. })) => {
                Some(Made { step: Step::Show(*secret.secret().expose_secret()), memo: Memo::Nothing })
            }
            _ => None,
        }
    }

    fn remember(&mut self, memo: Memo) {
        match memo {
            Memo::Nothing => {}
            Memo::Key(own) => self.key = Some(own),
            Memo::Going(standing, alpha) => (self.going, self.alpha) = (Some(standing), alpha),
            Memo::Asking(alpha) => self.alpha = Some(alpha),
        }
    }

    fn learn(&mut self, table: &Table, public: &[Event]) -> Result<(), Refused<Cheated>> {
        for event in public {
            let mine = mover(self.knowledge.moves) == self.seat;
            self.note(event)?;
            if *event == Event::Moved && mine {
                self.standing = self.going.take().ok_or(Refused::Local("this seat's own move is lost"))?;
                self.note(&Event::Went(self.standing.cell))?;
            }
        }
        let due = self.knowledge.sights.len() as u16 + 1;
        if let Some((after, told)) = table.told.get(usize::from(self.seat.0)).and_then(Option::as_ref)
            && *after == due
            && self.knowledge.capture.is_none()
        {
            let seen = self.look(told)?.map(|direction| self.standing.cell.step(direction));
            self.note(&Event::Looked(seen))?;
        }
        Ok(())
    }

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }
}

impl Hand {
    /// This seat.
    pub(crate) fn seat(&self) -> Seat {
        self.seat
    }

    fn note(&mut self, event: &Event) -> Result<(), Refused<Cheated>> {
        take_in::<ZheroTag, _>(&mut self.knowledge, event)
    }

    /// In which direction the other king stands, by what was disclosed. A seat that lost what opens it does not see nobody: it cannot
    /// look.
    fn look(&self, told: &Told) -> Result<Option<Direction>, Refused<Cheated>> {
        match (told, &self.key, &self.alpha) {
            (Told::Answers(_, answers), Some(OwnKey { secret, .. }), _) => Ok(sight::look(answers, secret)),
            (Told::Powers(told), _, Some(alpha)) => {
                psi::look(alpha, &told.own, &told.powers).ok_or(Refused::Local("what this seat sees cannot be opened"))
            }
            _ => Err(Refused::Local("what opens this seat's view is lost")),
        }
    }

    /// Steps onto the other king.
    pub(crate) fn capture(
        &self,
        table: &Table,
        context: &Context,
        direction: Direction,
        rng: &mut impl Source,
    ) -> Option<Step> {
        let told = table.told(self.seat)?;
        let seen = told.seen(table.seat_key(self.seat)?, direction)?;
        let secret = match told {
            Told::Answers(..) => self.key.as_ref()?.secret.secret(),
            Told::Powers(_) => self.alpha.as_ref()?,
        };
        Some(Step::Capture(direction, seen.prove(secret, &mut Challenger::new(context), rng)?))
    }

    /// Goes to a square, saying that it lies one step away in a direction.
    pub(crate) fn go(
        &self,
        table: &Table,
        context: &Context,
        to: Cell,
        direction: Direction,
        rng: &mut impl Source,
    ) -> Option<Made<Step, Memo>> {
        let (key, from) = (table.key.as_ref()?, table.place(self.seat)?);
        let OwnKey { secret, .. } = self.key.as_ref()?;
        let standing = PositionSecret::fresh(to, secret, context, rng);
        let place = standing.encrypt(key)?;
        let mut challenger = Challenger::new(context);
        let one_step = OneStep { key: key.element(), from, to: &place };
        let step = one_step.prove(direction, &self.standing, &standing, &mut challenger, rng)?;
        let at = OwnPosition { place: &place, secret: &standing };
        let (sight, alpha) = match table.grade {
            Grade::Hardened => {
                let on_grid = table.lines.prove(key, at, &mut challenger, rng)?;
                let answers = table.sight(self.seat, &place)?.issue(secret, context, &mut challenger, rng)?;
                (Sighted::Hardened(Box::new((on_grid, answers))), None)
            }
            Grade::Classic => {
                let (key, squares) = table.classic()?;
                let (ask, alpha) = Ask::make(squares, key.element(), secret, at, &mut challenger, rng)?;
                (Sighted::Classic(Box::new(ask)), Some(alpha))
            }
        };
        let step = Step::Move(Box::new(Move { to: place, step, sight }));
        Some(Made { step, memo: Memo::Going(standing, alpha) })
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        // Room at once: a vector that grows leaves copies of secrets behind.
        out.reserve_exact(128);
        match self {
            Self::Nothing => out.push(0),
            Self::Key(own) => {
                out.reserve_exact(1 + OwnKey::BYTES);
                out.push(1);
                own.encode(out);
            }
            Self::Going(standing, alpha) => {
                out.push(2);
                for coordinate in [standing.cell.x, standing.cell.y] {
                    out.extend_from_slice(&coordinate.to_le_bytes());
                }
                standing.randomness.iter().for_each(|r| r.expose_secret().encode(out));
                out.push(u8::from(alpha.is_some()));
                alpha.iter().for_each(|alpha| alpha.expose_secret().encode(out));
            }
            Self::Asking(alpha) => {
                out.push(3);
                alpha.expose_secret().encode(out);
            }
        }
    }
}

impl Decode for Memo {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let secret = |reader: &mut Reader<'_>| reader.scalar("memo.secret").map(SecretScalar::new);
        Ok(match reader.u8("memo")? {
            0 => Self::Nothing,
            1 => Self::Key(OwnKey::read(reader, &())?),
            2 => {
                let coordinate = |bytes: [u8; 2]| i16::from_le_bytes(bytes);
                let cell =
                    Cell { x: coordinate(reader.array("memo.cell")?), y: coordinate(reader.array("memo.cell")?) };
                let standing = PositionSecret { cell, randomness: [secret(reader)?, secret(reader)?] };
                let alpha = match reader.u8("memo.asks")? {
                    0 => None,
                    1 => Some(secret(reader)?),
                    tag => return Err(reader.error("memo.asks", Malformed::Tag(tag))),
                };
                Self::Going(standing, alpha)
            }
            3 => Self::Asking(secret(reader)?),
            tag => return Err(reader.error("memo", Malformed::Tag(tag))),
        })
    }
}
