//! One seat: its key, what it knows of its own encrypted state, and what it sees.

use std::sync::{Arc, Mutex, PoisonError};

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::disclosure::{Disclosure, Prepared};
use outis_crypto::encrypted_number::{Cipher, Known, Seed};
use outis_crypto::key::SeatSecret;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::game::{Made, Observer, Player, Refused, Rules, take_in};
use outis_table::keys::OwnKey;
use outis_table::{Context, Seat};

use super::charter::Plan;
use super::layout::{after, known, suffer};
use super::referee::{Awaiting, Cheated, Table};
use super::sight::view;
use super::step::{Step, Turn};
use crate::classic;
use crate::classic::referee::Irregular;
use crate::rules::board::Color;
use crate::rules::game::DarkChess;
use crate::rules::knowledge::{Action, Event, Illegal, Knowledge};
use crate::rules::moves::{Announcement, Move};
use crate::rules::side::Side;
use crate::rules::tickets::TICKETS;

/// What a player makes.
pub type MadeStep = Made<Step, Memo>;

/// One seat with its secrets.
#[derive(Clone, Debug)]
pub struct Hand {
    pub(crate) color: Color,
    /// A seat of the classic grade is this alone.
    classic: Option<Box<classic::Hand>>,
    pub(crate) key: Option<OwnKey>,
    /// Number and randomness of its own state.
    pub(crate) own: Arc<Vec<Known>>,
    /// The move that is under way, with the seed of its fresh numbers.
    pending: Option<(Move, Seed)>,
    /// What was prepared for the next view, with its number. Clones share it, so that it is used once.
    pub(crate) spare: Arc<Mutex<Option<(u32, Prepared)>>>,
    knowledge: Knowledge,
}

/// What survives a crash.
#[derive(Debug)]
pub enum Memo {
    /// Nothing to remember.
    Nothing,
    /// The key of the game.
    Key(Box<OwnKey>),
    /// A move and the seed of its fresh numbers.
    Move(Move, Seed),
    /// Of the classic grade.
    Classic(Box<classic::Memo>),
}

/// What a seat of the classic grade makes.
fn classic_made(made: Made<classic::Step, classic::Memo>) -> MadeStep {
    Made { step: Step::Classic(Box::new(made.step)), memo: Memo::Classic(Box::new(made.memo)) }
}

impl Player for Hand {
    type Referee = Table;
    type Memo = Memo;

    fn sit(table: &Table, seat: Seat) -> Self {
        let color = table.options.color(seat);
        Self {
            color,
            classic: table.classic.as_ref().map(|table| Box::new(classic::Hand::sit(table, seat))),
            key: None,
            own: Arc::new(known(&Side::start(color))),
            pending: None,
            spare: Arc::default(),
            knowledge: DarkChess::initial_knowledge(&table.options, 2, Observer::Seat(seat)),
        }
    }

    fn act(
        &self,
        table: &Table,
        context: &Context,
        action: &Action,
        rng: &mut impl Source,
    ) -> Result<MadeStep, Illegal> {
        if let (Some(hand), Some(table)) = (&self.classic, &table.classic) {
            return hand.perform(table, action).map(classic_made);
        }
        let plain = |step| Ok(Made { step, memo: Memo::Nothing });
        match (action, &table.awaiting) {
            (Action::Show, Awaiting::Review) => plain(Step::Review(true)),
            (Action::Keep, Awaiting::Review) => plain(Step::Review(false)),
            (action, Awaiting::Turn) if self.knowledge.legal().contains(action) => match action {
                Action::Move(mv) => self.play(table, context, mv, rng).ok_or(Illegal::Move),
                Action::Offer => plain(Step::Turn(Turn::Offer)),
                Action::Accept => plain(Step::Turn(Turn::Accept)),
                Action::Resign => plain(Step::Turn(Turn::Resign)),
                Action::Claim => plain(Step::Turn(Turn::Claim(self.secret().ok_or(Illegal::Now)?.secret().clone()))),
                Action::Show | Action::Keep => Err(Illegal::Now),
            },
            (Action::Move(_), _) => Err(Illegal::Move),
            _ => Err(Illegal::Now),
        }
    }

    fn due(&self, table: &Table, context: &Context, rng: &mut impl Source) -> Option<MadeStep> {
        if let (Some(hand), Some(table)) = (&self.classic, &table.classic) {
            return hand.say(table, context, rng).map(classic_made);
        }
        let step = match (&table.awaiting, &self.key) {
            (Awaiting::Keys(keys), own) => {
                let (step, own) = keys.make(own.as_ref(), context, rng)?;
                let memo = own.map_or(Memo::Nothing, |own| Memo::Key(Box::new(own)));
                return Some(Made { step: Step::Key(step), memo });
            }
            (Awaiting::Look | Awaiting::Answer, Some(_)) => {
                let states = [&table.states[0][..], &table.states[1][..]];
                Step::View(Box::new(self.issue(table, states, context, &mut Challenger::new(context), rng)?))
            }
            (Awaiting::Show, Some(OwnKey { secret, .. })) => Step::Show(secret.secret().clone()),
            _ => return None,
        };
        Some(Made { step, memo: Memo::Nothing })
    }

    fn remember(&mut self, memo: Memo) {
        match memo {
            Memo::Nothing => {}
            Memo::Key(own) => self.key = Some(*own),
            Memo::Move(mv, seed) => self.pending = Some((mv, seed)),
            Memo::Classic(memo) => {
                if let Some(hand) = &mut self.classic {
                    hand.remember(*memo);
                }
            }
        }
    }

    fn learn(&mut self, table: &Table, public: &[Event]) -> Result<(), Refused<Cheated>> {
        if let (Some(hand), Some(table)) = (&mut self.classic, &table.classic) {
            return hand.learn(table, public).map_err(|refused| match refused {
                Refused::Local(why) => Refused::Local(why),
                Refused::Provable(seat, why) => Refused::Provable(seat, why.into()),
                Refused::Unprovable(seat, why) => Refused::Unprovable(seat, why),
            });
        }
        for event in public {
            match event {
                Event::Moved(heard, _) => self.moved(table, *heard)?,
                event => self.note(event)?,
            }
        }
        self.look(table)
    }

    fn knowledge(&self) -> &Knowledge {
        if let Some(hand) = &self.classic {
            return hand.knowledge();
        }
        &self.knowledge
    }

    fn can_get_ready(&self, table: &Table) -> bool {
        self.classic.is_none() && matches!(table.awaiting, Awaiting::Turn) && self.key.is_some()
    }

    /// Prepares the part of this seat's next view that depends on no move to come: the view that goes with its own move, or
    /// the one that answers the other's (V4). What it will be used for is not known yet and not hashed in: whoever puts the machine
    /// back to an earlier moment, memory and all, uses it twice.
    fn get_ready(&self, table: &Table, rng: &mut impl Source) {
        let number = table.count + u32::from(table.public.turn() != self.color);
        // Locked all the while: the thread that makes the step waits for the rest of this work instead of doing it again.
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.as_ref().is_none_or(|(prepared, _)| *prepared != number) {
            // The mover's own state will be new, the other's may lose a piece: all else stays.
            let stays = &table.states[table.public.turn().other().index()];
            let prepared = self.prepare(table, &(table.id.0, number), rng).zip(self.secret());
            *spare = prepared.map(|(mut prepared, secret)| {
                prepared.foresee(secret, stays);
                (number, prepared)
            });
        }
    }
}

impl Hand {
    fn secret(&self) -> Option<&SeatSecret> {
        self.key.as_ref().map(|own| &own.secret)
    }

    fn note(&mut self, event: &Event) -> Result<(), Refused<Cheated>> {
        take_in::<DarkChess, _>(&mut self.knowledge, event)
    }

    /// What it has now.
    pub(crate) fn side(&self) -> Side {
        self.knowledge.mine.as_ref().map_or_else(|| Side::start(self.color), |mine| mine.now().own)
    }

    /// A move was accepted, its own or the other's.
    fn moved(&mut self, table: &Table, heard: Announcement) -> Result<(), Refused<Cheated>> {
        if self.knowledge.public.turn() == self.color {
            let lost = || Refused::Local("this seat's own move is not remembered");
            let (mv, seed) = self.pending.take().ok_or_else(lost)?;
            let plan = Plan::of(&table.charters[self.color.index()], &self.side(), &mv, heard).ok_or_else(lost)?;
            self.own = Arc::new(after(&seed.know(plan.values)));
            self.note(&Event::Moved(heard, Some(mv)))
        } else {
            let lost = heard.capture().map(|(square, _)| square);
            suffer(self.color, Arc::make_mut(&mut self.own).as_mut_slice(), lost, || Known::public(0));
            self.note(&Event::Moved(heard, None))
        }
    }

    /// Opens the view that is due, if it has come.
    fn look(&mut self, table: &Table) -> Result<(), Refused<Cheated>> {
        let (Some(mine), Some(answers)) = (&self.knowledge.mine, &table.views[self.color.index()]) else {
            return Ok(());
        };
        if !mine.awaits_view {
            return Ok(());
        }
        let secret = self.secret().ok_or(Refused::Local("this seat's own key is not remembered"))?;
        let seen = view(self.color, &mine.now().own, answers, secret);
        let seen = seen.ok_or(Refused::Local("this seat's own view is not valid"))?;
        self.note(&Event::Sees(seen))
    }

    /// A view for the other, of the given states of White and Black. What was not prepared is drawn for these states at this
    /// place of the log and no other: a generator that repeats itself answers nothing else with it (V4, S-8).
    pub(crate) fn issue(
        &self,
        table: &Table,
        states: [&[Cipher]; 2],
        context: &Context,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Disclosure> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let spare = spare.filter(|(number, _)| *number == table.count).map(|(_, prepared)| prepared);
        let prepared = spare.or_else(|| self.prepare(table, &(context, (states[0], states[1])), rng))?;
        table.sight(self.color, states)?.issue(self.secret()?, prepared, challenger, rng)
    }

    /// Throws away what was prepared.
    pub(crate) fn forget(&self) {
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn prepare(&self, table: &Table, subject: &impl Encode, rng: &mut impl Source) -> Option<Prepared> {
        Prepared::new(self.secret()?, table.key_of(self.color.other())?, TICKETS, subject, rng)
    }

    fn play(&self, table: &Table, context: &Context, mv: &Move, rng: &mut impl Source) -> Option<MadeStep> {
        let heard = mv.announcement(self.color, &self.knowledge.mine.as_ref()?.now().view);
        let plan = Plan::of(&table.charters[self.color.index()], &self.side(), mv, heard)?;
        self.perform(table, context, &plan, mv, rng)
    }

    /// Makes the step of a plan, whatever it is.
    pub(crate) fn perform(
        &self,
        table: &Table,
        context: &Context,
        plan: &Plan,
        mv: &Move,
        rng: &mut impl Source,
    ) -> Option<MadeStep> {
        let secret = self.secret()?;
        let seed = Seed::fresh(secret, &(context, &plan.values[..]), rng);
        let fresh = seed.know(plan.values.iter().copied());
        let (inputs, mut challenger) = (table.move_inputs(self.color)?, Challenger::new(context));
        let moved = inputs.make(plan, secret, &self.own, &fresh, &mut challenger, rng)?;
        let over = super::step::ends(plan.heard, table.quiet_ends());
        let view = if over {
            None
        } else {
            let [white, black] = table.states_after(self.color, plan.heard, &moved.codes);
            Some(Box::new(self.issue(table, [&white, &black], context, &mut challenger, rng)?))
        };
        Some(Made { step: Step::Turn(Turn::Move(moved, view)), memo: Memo::Move(*mv, seed) })
    }
}

impl From<Irregular> for Cheated {
    fn from(irregular: Irregular) -> Self {
        match irregular {
            Irregular::Offer => Self::Offer,
            Irregular::Kind => Self::Kind,
        }
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Nothing => out.push(0),
            Self::Key(own) => {
                out.reserve_exact(1 + OwnKey::BYTES);
                out.push(1);
                own.encode(out);
            }
            Self::Move(mv, seed) => {
                out.reserve_exact(37);
                out.push(2);
                mv.encode(out);
                seed.encode(out);
            }
            Self::Classic(memo) => {
                out.push(3);
                memo.encode(out);
            }
        }
    }
}

impl Decode for Memo {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(match reader.u8("memo")? {
            0 => Self::Nothing,
            1 => Self::Key(Box::new(OwnKey::read(reader, &())?)),
            2 => Self::Move(Move::read(reader, &())?, Seed::read(reader, &())?),
            3 => Self::Classic(Box::new(classic::Memo::read(reader, &())?)),
            tag => return Err(reader.error("memo", Malformed::Tag(tag))),
        })
    }
}
