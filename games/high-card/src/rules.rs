//! The game without cryptography.

use core::ops::RangeInclusive;

use outis_table::Seat;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::game::{Observer, Rules};

/// High card.
#[derive(Clone, Debug)]
pub struct HighCard;

/// A card: 0 is the two of clubs, 51 the ace of spades. Every card beats all lower ones; there are no ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(pub u8);

/// Size of the pack, number of deals, and seconds for each call (0: no clock).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Five to fifty-two cards: the lowest of a full pack.
    pub cards: u8,
    /// One to twenty deals.
    pub deals: u8,
    /// Seconds for each call.
    pub clock: u8,
}

/// What a seat does when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Shows its card, which beats all shown so far.
    Show,
    /// Keeps it secret.
    Pass,
}

/// Only for what is drawn for the step: it is on no wire and in no log.
impl Encode for Action {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }
}

/// What can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Everyone has a card.
    Dealt,
    /// Mine is this.
    Drew(Card),
    /// The seat whose turn it was passed, or showed this card.
    Called(Option<Card>),
}

/// What one observer knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The options.
    pub options: Options,
    /// Number of seats.
    pub seats: u8,
    /// Who knows it.
    pub who: Observer,
    /// Whether the deal in progress has been dealt.
    pub dealt: bool,
    /// Its own card of this deal.
    pub card: Option<Card>,
    /// The calls, by deal, in order of turns: a shown card or a pass.
    pub calls: Vec<Vec<Option<Card>>>,
}

/// The full state.
pub struct FullState {
    options: Options,
    seats: u8,
    hands: Option<Vec<Card>>,
    calls: Vec<Vec<Option<Card>>>,
}

/// Why an action is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// It is another seat's turn.
    #[error("it is not this seat's turn")]
    Turn,
    /// The card does not beat those shown.
    #[error("a card can be shown only if it beats all that were shown before")]
    TooLow,
    /// Something that cannot be now.
    #[error("this cannot happen now")]
    Now,
}

impl Rules for HighCard {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type Illegal = Illegal;
    type Chance = Vec<Card>;
    type FullState = FullState;
    type Knowledge = Knowledge;

    fn seats(_: &Options) -> RangeInclusive<u8> {
        3..=5
    }

    fn start(options: &Options, seats: u8) -> FullState {
        FullState { options: options.clone(), seats, hands: None, calls: vec![Vec::new()] }
    }

    fn awaits_chance(state: &FullState) -> bool {
        state.hands.is_none() && state.calls.len() <= usize::from(state.options.deals)
    }

    fn chance(state: &mut FullState, hands: Vec<Card>) -> Result<(), Illegal> {
        let distinct = (1..hands.len()).all(|i| !hands[..i].contains(&hands[i]));
        let fits = hands.len() == usize::from(state.seats) && hands.iter().all(|card| card.0 < state.options.cards);
        if !distinct || !fits || !Self::awaits_chance(state) {
            return Err(Illegal::Now);
        }
        state.hands = Some(hands);
        Ok(())
    }

    fn apply(state: &mut FullState, who: Seat, action: &Action) -> Result<(), Illegal> {
        let deal = state.calls.len() - 1;
        let (Some(hands), Some(calls)) = (&state.hands, state.calls.last_mut()) else { return Err(Illegal::Now) };
        if turn(deal, calls.len(), state.seats) != Some(who) {
            return Err(Illegal::Turn);
        }
        let card = hands[usize::from(who.0)];
        match action {
            Action::Show if calls.iter().flatten().any(|shown| *shown > card) => return Err(Illegal::TooLow),
            Action::Show => calls.push(Some(card)),
            Action::Pass => calls.push(None),
        }
        if calls.len() == usize::from(state.seats) {
            state.calls.push(Vec::new());
            state.hands = None;
        }
        Ok(())
    }

    fn observe(state: &FullState, who: Observer) -> Knowledge {
        let card = match (who, &state.hands) {
            (Observer::Seat(seat), Some(hands)) => hands.get(usize::from(seat.0)).copied(),
            _ => None,
        };
        Knowledge {
            options: state.options.clone(),
            seats: state.seats,
            who,
            dealt: state.hands.is_some(),
            card,
            calls: state.calls.clone(),
        }
    }

    fn initial_knowledge(options: &Options, seats: u8, who: Observer) -> Knowledge {
        Knowledge { options: options.clone(), seats, who, dealt: false, card: None, calls: vec![Vec::new()] }
    }

    fn legal(k: &Knowledge) -> Vec<Action> {
        let (Some(card), Some(calls), Observer::Seat(me)) = (k.card, k.calls.last(), k.who) else { return Vec::new() };
        if turn(k.calls.len() - 1, calls.len(), k.seats) != Some(me) {
            return Vec::new();
        }
        match best(calls) {
            Some(best) if best > card => vec![Action::Pass],
            _ => vec![Action::Show, Action::Pass],
        }
    }

    fn learn(mut k: Knowledge, event: &Event) -> Result<Knowledge, Illegal> {
        match event {
            Event::Dealt if !k.dealt && !k.is_over() => k.dealt = true,
            Event::Drew(card) if k.dealt && k.card.is_none() => k.card = Some(*card),
            Event::Called(call) if k.dealt => {
                let calls = k.calls.last_mut().ok_or(Illegal::Now)?;
                calls.push(*call);
                if calls.len() == usize::from(k.seats) {
                    k.dealt = false;
                    k.card = None;
                    k.calls.push(Vec::new());
                }
            }
            _ => return Err(Illegal::Now),
        }
        Ok(k)
    }
}

impl Knowledge {
    /// Whether all deals are over.
    pub fn is_over(&self) -> bool {
        self.calls.len() > usize::from(self.options.deals)
    }
}

/// Whose turn it is after some calls of a deal: seats speak once each, beginning with seat `deal` modulo their number.
pub fn turn(deal: usize, calls: usize, seats: u8) -> Option<Seat> {
    let n = usize::from(seats);
    (calls < n).then(|| Seat(((deal + calls) % n.max(1)) as u8))
}

/// The highest card shown so far.
pub fn best(calls: &[Option<Card>]) -> Option<Card> {
    calls.iter().flatten().max().copied()
}

/// The winner takes one point from every other seat; where nobody shows, nobody pays.
pub fn scores(calls: &[Vec<Option<Card>>], seats: u8) -> Vec<i64> {
    let n = usize::from(seats);
    let mut scores = vec![0i64; n];
    for (deal, calls) in calls.iter().enumerate().filter(|(_, calls)| calls.len() == n) {
        let winner = best(calls).and_then(|best| calls.iter().position(|call| *call == Some(best)));
        if let Some(winner) = winner.and_then(|at| turn(deal, at, seats)) {
            for score in &mut scores {
                *score -= 1;
            }
            scores[usize::from(winner.0)] += n as i64;
        }
    }
    scores
}

impl core::fmt::Display for Card {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let rank = "23456789TJQKA".as_bytes().get(usize::from(self.0 / 4)).map_or('?', |b| char::from(*b));
        write!(f, "{rank}{}", ["♣", "♦", "♥", "♠"][usize::from(self.0 % 4)])
    }
}

impl Encode for Options {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.cards, self.deals, self.clock]);
    }
}

impl Decode for Options {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let mut bounded = |field, min: u8, max: u8| {
            let got = reader.u8(field)?;
            let fault = Malformed::Count { got: got.into(), min: min.into(), max: max.into() };
            if (min..=max).contains(&got) { Ok(got) } else { Err(reader.error(field, fault)) }
        };
        Ok(Self { cards: bounded("cards", 5, 52)?, deals: bounded("deals", 1, 20)?, clock: bounded("clock", 0, 255)? })
    }
}
