//! One seat: a key for each hand, and the cards that it opens.

use outis_crypto::challenger::Source;
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::sra::classic::SecondSecret;
use outis_table::game::{Made, Observer, Player, Refused, Rules, take_in};
use outis_table::{Context, Seat};

use super::deal::Secret;
use super::referee::{Cheated, DECISION, Stage, Table};
use super::step::Step;
use crate::rules::cards::{PACK, distinct};
use crate::rules::options::DECKS;
use crate::rules::{Action, Card, Event, Illegal, Knowledge, Phase, Poker};

/// One seat with its secrets.
#[derive(Clone, Debug)]
pub struct Hand {
    seat: Seat,
    pub(crate) secret: Option<Secret>,
    decision: Option<(bool, Opening)>,
    /// Its cards of this hand that it has discarded.
    aside: Vec<Card>,
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
        Self { seat, secret: None, decision: None, aside: Vec::new(), knowledge }
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
                let shows = *shows || self.proves(table);
                let shown = shows.then(|| self.show(table, context, rng).ok_or(Illegal::Now)).transpose()?;
                Step::Show(shown)
            }
            Action::Show(shows) => {
                let shows = *shows || self.proves(table);
                let decided = [u8::from(shows)];
                let (commitment, opening) = Commitment::new(DECISION, &Place::of(context), &decided, rng);
                return Ok(Made { step: Step::Decide(commitment), memo: Memo::Decision(shows, opening) });
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
            if let Event::Discards(seat, mask) = event
                && *seat == self.seat
            {
                let slots = self.knowledge.cards.iter().enumerate().filter(|(slot, _)| mask >> slot & 1 == 1);
                self.aside = slots.map(|(_, card)| *card).collect();
            }
            if let Event::Shows(seat, Some(cards)) = event
                && *seat != self.seat
                && self.aside.iter().any(|card| cards.contains(card))
            {
                return Err(self.unopened(table));
            }
            self.note(event)?;
            let dealt = matches!(event, Event::Dealt | Event::Redealt);
            if dealt && self.knowledge.public.hand.dealt.contains(self.seat) {
                let cards = self.look(table)?;
                self.note(&Event::Own(cards))?;
            }
        }
        if matches!(table.public.phase, Phase::Ready | Phase::Over) {
            // The hand is over: its key is wiped, and what was not shown never will be.
            self.secret = None;
            self.decision = None;
            self.aside.clear();
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

    /// Its own cards do not open, or are not its alone. Where the deck is another seat's word, that seat knows why, and nobody else.
    fn unopened(&self, table: &Table) -> Refused<Cheated> {
        let maker = table.dealer.as_ref().and_then(|dealer| dealer.get().maker());
        match maker.filter(|maker| *maker != self.seat) {
            Some(maker) => Refused::Unprovable(maker, "the deck is not what it should be"),
            None => Refused::Local("this seat's own cards do not open"),
        }
    }

    /// Its own cards, as far as the knowledge is: the table may be ahead of it. One that it holds now and has discarded before is in the
    /// deck twice, and what was discarded is never shown: that proves nothing.
    fn look(&self, table: &Table) -> Result<Vec<Card>, Refused<Cheated>> {
        let lost = Refused::Local("this seat's secret of the hand is not there");
        let (Some(dealer), Some(secret)) = (&table.dealer, &self.secret) else { return Err(lost) };
        if !dealer.get().is_secret_of(secret, self.seat) {
            return Err(lost);
        }
        let places = self.knowledge.public.hand.places.get(usize::from(self.seat.0)).map_or(&[][..], Vec::as_slice);
        let look = |place: &u8| dealer.get().look(secret, self.seat, usize::from(*place)).map(|card| Card(card as u8));
        let cards: Option<Vec<Card>> = places.iter().map(look).collect();
        let is_new = |cards: &Vec<Card>| !cards.iter().any(|card| self.aside.contains(card));
        cards.filter(is_new).ok_or_else(|| self.unopened(table))
    }

    /// Whether its cards, shown, prove that another seat's deck has a card twice (LC-18): then they are shown, whatever else they are worth.
    fn proves(&self, table: &Table) -> bool {
        let maker = table.dealer.as_ref().and_then(|dealer| dealer.get().maker());
        let hand = &table.public.hand;
        let known = hand.board.iter().chain(hand.shown.iter().flatten().flatten().flatten());
        let all: Vec<Card> = known.chain(&self.knowledge.cards).copied().collect();
        maker.is_some_and(|maker| maker != self.seat) && !distinct(&all)
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Nothing => {}
            Self::Key(secret) => encode_secret(secret, out),
            Self::Decision(shows, opening) => {
                out.push(2 + u8::from(*shows));
                opening.encode(out);
            }
        }
    }
}

/// All at once, so that no copy is left behind when the buffer grows.
fn encode_secret(secret: &Secret, out: &mut Vec<u8>) {
    let key = |key: &SeatSecret, out: &mut Vec<u8>| key.secret().expose_secret().encode(out);
    match secret {
        Secret::Key { key: own, opening } => {
            out.reserve_exact(65);
            out.push(u8::from(opening.is_some()));
            key(own, out);
            opening.iter().for_each(|opening| opening.encode(out));
        }
        Secret::First(keys) => {
            out.reserve_exact(2 + 32 * keys.len());
            out.extend([4, keys.len() as u8]);
            keys.iter().for_each(|own| key(own, out));
        }
        Secret::Second(secrets) => {
            out.reserve_exact(2 + SecondSecret::bytes(PACK) * secrets.len());
            out.extend([5, secrets.len() as u8]);
            secrets.iter().for_each(|secret| secret.encode(out));
        }
    }
}

fn read_key(reader: &mut Reader<'_>) -> Result<SeatSecret, DecodeError> {
    let secret = SecretScalar::new(reader.scalar("memo.secret")?);
    SeatSecret::from_secret(secret).ok_or(reader.error("memo.secret", Malformed::ScalarZero))
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
                let key = read_key(reader)?;
                let opening = (tag == 1).then(|| Opening::read(reader, &())).transpose()?;
                Ok(Self::Key(Box::new(Secret::Key { key, opening })))
            }
            4 | 5 => {
                let decks = reader.u8("memo.decks")?;
                let (min, max) = (u64::from(DECKS.0), u64::from(DECKS.1));
                if !(min..=max).contains(&decks.into()) {
                    return Err(reader.error("memo.decks", Malformed::Count { got: decks.into(), min, max }));
                }
                let decks = usize::from(decks);
                Ok(Self::Key(Box::new(if tag == 4 {
                    Secret::First(reader.list("memo.secret", decks, 32, read_key)?)
                } else {
                    let one = |reader: &mut Reader<'_>| SecondSecret::read(reader, &PACK);
                    Secret::Second(reader.list("memo.secret", decks, SecondSecret::bytes(PACK), one)?)
                })))
            }
            2 | 3 => Ok(Self::Decision(tag == 3, Opening::read(reader, &())?)),
            tag => Err(reader.error("memo", Malformed::Tag(tag))),
        }
    }
}
