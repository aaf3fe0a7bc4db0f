//! One seat: a key for each deal, and the card that it opens.

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::commit::{Opening, Place};
use outis_crypto::deck::{AcceptedShares, DrawnCodes, share};
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;
use outis_crypto::shuffle::{Decks, reencrypt};
use outis_table::game::{Made, Observer, Player, Refused, Rules, take_in};
use outis_table::{Context, Seat};

use super::referee::{Awaiting, Cheated, Table};
use super::shuffling::ShuffleProof;
use super::step::Step;
use crate::rules::{Action, Card, Event, HighCard, Illegal, Knowledge};

/// One seat with its secrets.
#[derive(Clone, Debug)]
pub struct Hand {
    seat: Seat,
    pub(crate) key: Option<(SeatSecret, Opening)>,
    knowledge: Knowledge,
}

/// What survives a crash: the key of the deal. Shuffles and shares leave nothing to remember.
#[derive(Debug)]
pub struct Memo(Option<(SeatSecret, Opening)>);

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
        let (Awaiting::Call(_, deck, _), Some((secret, _))) = (&table.phase, &self.key) else {
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
            (Awaiting::Commitments, _) => {
                let secret = SeatSecret::draw(context, rng);
                let (commitment, opening) = secret.commit(&Place::of(context), rng);
                return Some(Made { step: Step::Commit(commitment), memo: Memo(Some((secret, opening))) });
            }
            (Awaiting::Keys(_), Some((secret, opening))) => {
                Step::Reveal(Box::new(secret.reveal(*opening, &mut challenger, rng)?))
            }
            (Awaiting::Shuffle(key, deck, _), _) => {
                let (after, order) = reencrypt::shuffle(key, &deck.0, rng)?;
                let decks = Decks { input: &deck.0, output: &after.0 };
                let proof = ShuffleProof::make(table, key, decks, &order, &mut challenger, rng)?;
                Step::Shuffle(after, proof)
            }
            (Awaiting::Shares(_, deck), Some((secret, _))) => {
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
        if matches!(table.phase, Awaiting::Commitments) {
            // The deal is over: its key is wiped.
            self.key = None;
        }
        Ok(())
    }

    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }
}

impl Memo {
    /// The key of a deal.
    pub(crate) fn key(secret: SeatSecret, opening: Opening) -> Self {
        Self(Some((secret, opening)))
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
        let (Awaiting::Call(key, deck, drawn), Some((secret, _))) = (&table.phase, &self.key) else { return None };
        let code = table.card_of(deck, self.seat)?;
        let mine = drawn.iter().filter(|(drawer, _)| *drawer == self.seat);
        let shares: Vec<AcceptedShares> = mine.map(|(_, shares)| shares.clone()).collect();
        let left = DrawnCodes::for_drawer(key, &[code], &shares, self.seat).ok()?;
        let left = left.codes.first()?;
        let face = Element::new(left.c2.point() - left.c1.point() * secret.secret().expose_secret())?;
        table.faces.find(&face).map(|card| Card(card as u8))
    }
}

impl Encode for Memo {
    fn encode(&self, out: &mut Vec<u8>) {
        if let Some((secret, opening)) = &self.0 {
            out.reserve_exact(64);
            secret.secret().expose_secret().encode(out);
            opening.encode(out);
        }
    }
}

impl Decode for Memo {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        if reader.left() == 0 {
            return Ok(Self(None));
        }
        let secret = SecretScalar::new(reader.scalar("memo.secret")?);
        let opening = Opening::read(reader, &())?;
        let secret = SeatSecret::from_secret(secret).ok_or(reader.error("memo.secret", Malformed::ScalarZero))?;
        Ok(Self(Some((secret, opening))))
    }
}
