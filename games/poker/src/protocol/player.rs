//! One seat: a key for each hand, and the cards that it opens.

use outis_crypto::challenger::Source;
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_table::game::{Made, Observer, Player, Refused, Rules, take_in};
use outis_table::{Context, Seat};

use super::deal::Secret;
use super::referee::{Cheated, DECISION, Stage, Table};
use super::step::Step;
use crate::rules::{Action, Card, Event, Illegal, Knowledge, Phase, Poker};

/// One seat with its secrets.
#[derive(Clone, Debug)]
pub struct Hand {
    seat: Seat,
    pub(crate) secret: Option<Secret>,
    decision: Option<(bool, Opening)>,
    knowledge: Knowledge,
}

/// What survives a crash: the key of the hand, or a decision that is still to be opened.
#[derive(Debug)]
pub enum Memo {
    /// Nothing to remember.
    Nothing,
    /// The key of the hand.
    Key(Box<Secret>),
    /// Whether to show, and what opens the commitment to it.
    Decision(bool, Opening),
}

impl Player for Hand {
    type Referee = Table;
    type Memo = Memo;

    fn sit(table: &Table, seat: Seat) -> Self {
        let public = &table.public;
        let knowledge = Poker::initial_knowledge(&public.options, public.seats, Observer::Seat(seat));
        Self { seat, secret: None, decision: None, knowledge }
    }

    fn act(
        &self,
        table: &Table,
        context: &Context,
        action: &Action,
        rng: &mut impl Source,
    ) -> Result<Made<Step, Memo>, Illegal> {
        self.knowledge.allows(action)?;
        let step = match action {
            Action::Play(plays) => Step::Play(*plays),
            Action::Bet(bet) => Step::Bet(*bet),
            Action::Discard(mask) => Step::Discard(*mask),
            Action::Show(shows) if table.stage() == Stage::InTurn => {
                let shown = shows.then(|| self.show(table, context, rng).ok_or(Illegal::Now)).transpose()?;
                Step::Show(shown)
            }
            Action::Show(shows) => {
                let decided = [u8::from(*shows)];
                let (commitment, opening) = Commitment::new(DECISION, &Place::of(context), &decided, rng);
                return Ok(Made { step: Step::Decide(commitment), memo: Memo::Decision(*shows, opening) });
            }
        };
        Ok(Made { step, memo: Memo::Nothing })
    }

    fn due(&self, table: &Table, context: &Context, rng: &mut impl Source) -> Option<Made<Step, Memo>> {
        match table.public.phase {
            Phase::Deal | Phase::Board(_) | Phase::Redeal => {
                let dealer = table.dealer.as_ref()?.get();
                let (said, secret) = dealer.make(self.secret.as_ref(), context, rng)?;
                let memo = secret.map_or(Memo::Nothing, |secret| Memo::Key(Box::new(secret)));
                Some(Made { step: Step::Deal(said), memo })
            }
            Phase::Show if table.stage() == Stage::Open => {
                let (shows, opening) = self.decision?;
                let shown = if shows { Some(self.show(table, context, rng)?) } else { None };
                Some(Made { step: Step::Open(opening, shown), memo: Memo::Nothing })
            }
            _ => None,
        }
    }

    fn remember(&mut self, memo: Memo) {
        match memo {
            Memo::Nothing => {}
            Memo::Key(secret) => self.secret = Some(*secret),
            Memo::Decision(shows, opening) => self.decision = Some((shows, opening)),
        }
    }

    fn learn(&mut self, table: &Table, public: &[Event]) -> Result<(), Refused<Cheated>> {
        for event in public {
            self.note(event)?;
            let dealt = matches!(event, Event::Dealt | Event::Redealt);
            if dealt && self.knowledge.public.hand.dealt.contains(self.seat) {
                let cards = self.look(table).ok_or(Refused::Local("this seat's own cards do not open"))?;
                self.note(&Event::Own(cards))?;
            }
        }
        if matches!(table.public.phase, Phase::Ready | Phase::Over) {
            // The hand is over: its key is wiped, and what was not shown never will be.
            self.secret = None;
            self.decision = None;
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
        take_in::<Poker, _>(&mut self.knowledge, event)
    }

    fn show(&self, table: &Table, context: &Context, rng: &mut impl Source) -> Option<super::deal::Shown> {
        let dealer = table.dealer.as_ref()?.get();
        dealer.show(self.secret.as_ref()?, context, &table.places(self.seat), rng)
    }

    /// Its own cards, as far as the knowledge is: the table may be ahead of it.
    fn look(&self, table: &Table) -> Option<Vec<Card>> {
        let (dealer, secret) = (table.dealer.as_ref()?.get(), self.secret.as_ref()?);
        let places = self.knowledge.public.hand.places.get(usize::from(self.seat.0))?;
        let look = |place: &u8| dealer.look(secret, self.seat, usize::from(*place)).map(|card| Card(card as u8));
        places.iter().map(look).collect()
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Nothing => {}
            Self::Key(secret) => {
                out.reserve_exact(65);
                out.push(u8::from(secret.opening.is_some()));
                secret.key.secret().expose_secret().encode(out);
                secret.opening.iter().for_each(|opening| opening.encode(out));
            }
            Self::Decision(shows, opening) => {
                out.push(2 + u8::from(*shows));
                opening.encode(out);
            }
        }
    }
}

impl Decode for Memo {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        if reader.left() == 0 {
            return Ok(Self::Nothing);
        }
        let tag = reader.u8("memo")?;
        match tag {
            0 | 1 => {
                let secret = SecretScalar::new(reader.scalar("memo.secret")?);
                let opening = (tag == 1).then(|| Opening::read(reader, &())).transpose()?;
                let key = SeatSecret::from_secret(secret).ok_or(reader.error("memo.secret", Malformed::ScalarZero))?;
                Ok(Self::Key(Box::new(Secret { key, opening })))
            }
            2 | 3 => Ok(Self::Decision(tag == 3, Opening::read(reader, &())?)),
            tag => Err(reader.error("memo", Malformed::Tag(tag))),
        }
    }
}
