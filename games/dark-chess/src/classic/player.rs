//! One seat of the classic grade: its primes, its own moves, and the QUERY under way.

use std::sync::Arc;

use outis_crypto::andos::{Packing, SemiHonestQuery, SemiHonestSecret};
use outis_crypto::challenger::{Nonces, Purpose, Source};
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::game::{Made, Observer, Player, Refused, Rules};
use outis_table::{Context, Seat};

use super::asker::Asker;
use super::referee::{Awaiting, BUDGET, Irregular, Table};
use super::schedule::{Announced, Budget};
use super::secrets::{Lists, SHAPE};
use super::step::{Step, Turn};
use crate::rules::board::Color;
use crate::rules::game::DarkChess;
use crate::rules::knowledge::{Action, Event, Illegal, Knowledge};
use crate::rules::moves::{Announcement, Move};
use crate::rules::side::Side;

/// What a player makes.
pub type MadeStep<const L: usize, const H: usize> = Made<Step<L>, Memo<L, H>>;

/// One seat with its secrets. `L` and `H` are the widths of a modulus and of a prime in limbs.
#[derive(Clone, Debug)]
pub struct Hand<const L: usize, const H: usize> {
    color: Color,
    secret: Option<Arc<SemiHonestSecret<L, H>>>,
    /// Its own move that is under way.
    pending: Option<Move>,
    asker: Option<Asker>,
    queries: Arc<Vec<SemiHonestQuery>>,
    knowledge: Knowledge,
}

/// What survives a crash.
#[derive(Debug)]
pub enum Memo<const L: usize, const H: usize> {
    /// Nothing to remember.
    Nothing,
    /// The primes of the game.
    Key(Box<SemiHonestSecret<L, H>>),
    /// An own move.
    Move(Move),
    /// The masks of a round of questions.
    Asked(Vec<SemiHonestQuery>),
}

impl<const L: usize, const H: usize> Player for Hand<L, H> {
    type Referee = Table<L>;
    type Memo = Memo<L, H>;

    fn sit(table: &Table<L>, seat: Seat) -> Self {
        Self {
            color: table.options.color(seat),
            secret: None,
            pending: None,
            asker: None,
            queries: Arc::default(),
            knowledge: DarkChess::initial_knowledge(&table.options, 2, Observer::Seat(seat)),
        }
    }

    fn act(
        &self,
        table: &Table<L>,
        _: &Context,
        action: &Action,
        _: &mut impl Source,
    ) -> Result<MadeStep<L, H>, Illegal> {
        self.perform(table, action)
    }

    fn due(&self, table: &Table<L>, context: &Context, rng: &mut impl Source) -> Option<MadeStep<L, H>> {
        self.say(table, context, rng)
    }

    fn remember(&mut self, memo: Memo<L, H>) {
        match memo {
            Memo::Nothing => {}
            Memo::Key(secret) => self.secret = Some(Arc::from(secret)),
            Memo::Move(mv) => self.pending = Some(mv),
            Memo::Asked(queries) => self.queries = Arc::new(queries),
        }
    }

    fn learn(&mut self, table: &Table<L>, public: &[Event]) -> Result<(), Refused<Irregular>> {
        for event in public {
            match event {
                Event::Moved(heard, _) => self.moved(table, *heard)?,
                event => self.note(event).map_err(|_| Refused::Local("an event does not fit"))?,
            }
        }
        self.look(table)
    }

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }
}

impl<const L: usize, const H: usize> Hand<L, H> {
    /// Makes the step for a person's action.
    pub(crate) fn perform(&self, table: &Table<L>, action: &Action) -> Result<MadeStep<L, H>, Illegal> {
        let plain = |step| Ok(Made { step, memo: Memo::Nothing });
        match (action, table.awaiting) {
            (Action::Show, Awaiting::Review) => plain(Step::Review(true)),
            (Action::Keep, Awaiting::Review) => plain(Step::Review(false)),
            (action, Awaiting::Turn) if self.knowledge.legal().contains(action) => match action {
                Action::Move(mv) => {
                    let view = self.knowledge.mine.as_ref().map(|mine| mine.now().view).ok_or(Illegal::Turn)?;
                    let step = Step::Turn(Turn::Move(mv.announcement(self.color, &view)));
                    Ok(Made { step, memo: Memo::Move(*mv) })
                }
                Action::Offer => plain(Step::Turn(Turn::Offer)),
                Action::Accept => plain(Step::Turn(Turn::Accept)),
                Action::Resign => plain(Step::Turn(Turn::Resign)),
                Action::Claim => plain(Step::Turn(Turn::Claim)),
                Action::Show | Action::Keep => Err(Illegal::Now),
            },
            (Action::Move(_), _) => Err(Illegal::Move),
            _ => Err(Illegal::Now),
        }
    }

    /// Makes a step that needs no person.
    pub(crate) fn say(&self, table: &Table<L>, context: &Context, rng: &mut dyn Source) -> Option<MadeStep<L, H>> {
        let other = self.color.other().index();
        let step = match table.awaiting {
            Awaiting::Keys => {
                let secret = Box::new(SemiHonestSecret::random(&mut Nonces::hedged(
                    const { Purpose::new("andos key") },
                    context,
                    [],
                    rng,
                )));
                return Some(Made { step: Step::Key(Box::new(*secret.key())), memo: Memo::Key(secret) });
            }
            Awaiting::Lists => {
                let side = self.side();
                let lists = Lists::seal(self.secret.as_ref()?, self.color, &side, rng).ok()?;
                Step::Lists(Announced::of(&side), Box::new(lists))
            }
            Awaiting::Ask => {
                let (key, lists) = (table.keys[other].as_ref()?, table.lists[other].as_ref()?);
                let (packets, queries) = self.asker.as_ref()?.ask(key, lists, Packing::Compact, rng).ok()?;
                return Some(Made { step: Step::Ask(packets), memo: Memo::Asked(queries) });
            }
            Awaiting::Answer => {
                let secret = self.secret.as_ref()?;
                let answers = table.packets[other].iter().map(|packet| secret.answer(packet, SHAPE).ok());
                Step::Answer(answers.collect::<Option<_>>()?)
            }
            Awaiting::Show => {
                let glimpses = &self.knowledge.mine.as_ref()?.glimpses;
                Step::Show(glimpses.iter().filter_map(|glimpse| glimpse.played).collect())
            }
            Awaiting::Turn | Awaiting::Review | Awaiting::Nothing => return None,
        };
        Some(Made { step, memo: Memo::Nothing })
    }

    fn note(&mut self, event: &Event) -> Result<(), Illegal> {
        self.knowledge = DarkChess::learn(self.knowledge.clone(), event)?;
        Ok(())
    }

    /// What it has now.
    fn side(&self) -> Side {
        self.knowledge.mine.as_ref().map_or_else(|| Side::start(self.color), |mine| mine.now().own)
    }

    /// A move was made, its own or the other's. An announcement that does not fit its own board can be seen from here alone.
    fn moved(&mut self, table: &Table<L>, heard: Announcement) -> Result<(), Refused<Irregular>> {
        if self.knowledge.public.turn() == self.color {
            let mv = self.pending.take().ok_or(Refused::Local("this seat's own move is not remembered"))?;
            return self
                .note(&Event::Moved(heard, Some(mv)))
                .map_err(|_| Refused::Local("this seat's own move does not fit"));
        }
        let other = table.options.seat(self.color.other());
        let wrong = |_| Refused::Unprovable(other, "what was announced as taken is not there");
        self.note(&Event::Moved(heard, None)).map_err(wrong)
    }

    /// Begins a QUERY when the lists have come, and takes in the answers of each round.
    fn look(&mut self, table: &Table<L>) -> Result<(), Refused<Irregular>> {
        if table.awaiting == Awaiting::Ask && table.round == 0 {
            self.asker = Some(Asker::new(self.color, &self.side(), BUDGET));
            return Ok(());
        }
        let Some(asker) = self.asker.as_mut().filter(|asker| table.round == asker.round() + 1) else { return Ok(()) };
        let other = table.options.seat(self.color.other());
        let answers = &table.answers[self.color.index()];
        asker.hear(&self.queries, answers).map_err(|_| Refused::Unprovable(other, "an answer is not valid"))?;
        if asker.is_done() {
            let seen = asker.view();
            self.asker = None;
            self.note(&Event::Sees(seen)).map_err(|_| Refused::Local("an event does not fit"))?;
        }
        Ok(())
    }
}

impl<const L: usize, const H: usize> Encode for Memo<L, H> {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Nothing => out.push(0),
            Self::Key(secret) => {
                out.reserve_exact(1 + SemiHonestSecret::<L, H>::BYTES);
                out.push(1);
                out.extend_from_slice(&secret.expose_secret());
            }
            Self::Move(mv) => {
                out.push(2);
                mv.encode(out);
            }
            Self::Asked(queries) => {
                out.reserve_exact(3 + queries.len());
                out.push(3);
                out.extend_from_slice(&(queries.len() as u16).to_le_bytes());
                out.extend(queries.iter().map(SemiHonestQuery::expose_secret));
            }
        }
    }
}

impl<const L: usize, const H: usize> Decode for Memo<L, H> {
    type Shape = ();

    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(match reader.u8("memo")? {
            0 => Self::Nothing,
            1 => {
                let wrong = reader.error("memo.key", Malformed::Modulus);
                let bytes = reader.bytes("memo.key", SemiHonestSecret::<L, H>::BYTES)?;
                Self::Key(Box::new(SemiHonestSecret::recall(bytes).ok_or(wrong)?))
            }
            2 => Self::Move(Move::read(reader, &())?),
            3 => {
                let most = Budget::Document.total(&Announced::START) as u16;
                let count = reader.count("memo.asked", 0, most)?;
                let masks = reader.bytes("memo.asked", count)?;
                Self::Asked(masks.iter().map(|mask| SemiHonestQuery::recall(*mask, SHAPE)).collect())
            }
            tag => return Err(reader.error("memo", Malformed::Tag(tag))),
        })
    }
}
