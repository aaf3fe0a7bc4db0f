//! One seat: a key for each deal, and the card that it opens.

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::deck::{AcceptedShares, DrawnCodes, share};
use outis_crypto::group::Element;
use outis_crypto::shuffle::{Decks, reencrypt};
use outis_table::game::{Made, Observer, Player, Refused, Rules, take_in};
use outis_table::keys::{KeyKind, OwnKey};
use outis_table::{Context, Seat};

use super::referee::{Awaiting, Cheated, Table};
use super::shuffling::ShuffleProof;
use super::step::Step;
use crate::rules::{Action, Card, Event, HighCard, Illegal, Knowledge};

/// One seat with its secrets.
#[derive(Clone, Debug)]
pub struct Hand {
    seat: Seat,
    pub(crate) key: Option<OwnKey>,
    knowledge: Knowledge,
}

/// What survives a crash: the key of the deal. Shuffles and shares leave nothing to remember.
#[derive(Debug)]
pub struct Memo(pub(crate) Option<OwnKey>);

impl Player for Hand {
    type Referee = Table;
    type Memo = Memo;

    fn sit(table: &Table, seat: Seat) -> Self {
        let knowledge = HighCard::initial_knowledge(&table.options, table.seats, Observer::Seat(seat));
        Self { seat, key: None, knowledge }
    }

    fn act(
        &self,
        table: &Table,
        context: &Context,
        action: &Action,
        rng: &mut impl Source,
    ) -> Result<Made<Step, Memo>, Illegal> {
        let (Awaiting::Call(_, deck, _), Some(OwnKey { secret, .. })) = (&table.phase, &self.key) else {
            return Err(Illegal::Now);
        };
        let shares = match action {
            Action::Pass => None,
            Action::Show => {
                let code = table.card_of(deck, self.seat).ok_or(Illegal::Now)?;
                Some(share(secret, &[code], &mut Challenger::new(context), rng).ok_or(Illegal::Now)?)
            }
        };
        Ok(Made { step: Step::Call(shares), memo: Memo(None) })
    }

    fn due(&self, table: &Table, context: &Context, rng: &mut impl Source) -> Option<Made<Step, Memo>> {
        let mut challenger = Challenger::new(context);
        let step = match (&table.phase, &self.key) {
            (Awaiting::Keys(keys), own) => {
                let (step, own) = keys.make(own.as_ref(), context, rng)?;
                return Some(Made { step: Step::Key(step), memo: Memo(own) });
            }
            (Awaiting::Shuffle(key, deck, _), _) => {
                let (after, order) = reencrypt::shuffle(key, &deck.0, rng)?;
                let decks = Decks { input: &deck.0, output: &after.0 };
                let proof = ShuffleProof::make(table, key, decks, &order, &mut challenger, rng)?;
                Step::Shuffle(after, proof)
            }
            (Awaiting::Shares(_, deck), Some(OwnKey { secret, .. })) => {
                let drawers = table.others(self.seat).into_iter();
                let shares = drawers.map(|seat| share(secret, &[table.card_of(deck, seat)?], &mut challenger, rng));
                Step::Draw(shares.collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Made { step, memo: Memo(None) })
    }

    fn remember(&mut self, memo: Memo) {
        if memo.0.is_some() {
            self.key = memo.0;
        }
    }

    fn learn(&mut self, table: &Table, public: &[Event]) -> Result<(), Refused<Cheated>> {
        for event in public {
            self.note(event)?;
            if *event == Event::Dealt {
                let card = self.draw(table).ok_or(Refused::Local("this seat's own card does not open"))?;
                self.note(&Event::Drew(card))?;
            }
        }
        if matches!(&table.phase, Awaiting::Keys(keys) if keys.kind() == KeyKind::Commit) {
            // The deal is over: its key is wiped.
            self.key = None;
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
        take_in::<HighCard, _>(&mut self.knowledge, event)
    }

    /// Takes its own layer off the drawn card, once all others have taken off theirs.
    fn draw(&self, table: &Table) -> Option<Card> {
        let (Awaiting::Call(key, deck, drawn), Some(own)) = (&table.phase, &self.key) else { return None };
        let code = table.card_of(deck, self.seat)?;
        let mine = drawn.iter().filter(|(drawer, _)| *drawer == self.seat);
        let shares: Vec<AcceptedShares> = mine.map(|(_, shares)| shares.clone()).collect();
        let left = DrawnCodes::for_drawer(key, &[code], &shares, self.seat).ok()?;
        let left = left.codes.first()?;
        let face = Element::new(left.c2.point() - left.c1.point() * own.secret.secret().expose_secret())?;
        table.faces.find(&face).map(|card| Card(card as u8))
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        if let Some(own) = &self.0 {
            own.encode(out);
        }
    }
}

impl Decode for Memo {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self(if reader.left() == 0 { None } else { Some(OwnKey::read(reader, &())?) }))
    }
}
