//! The referee: everything public, judged from the log alone.

use std::sync::Arc;

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Codes, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::deck::{AcceptedShares, DrawnCodes, accept_shares, open_deck};
use outis_crypto::group::Element;
use outis_crypto::key::JointKey;
use outis_crypto::shuffle::{CommitmentKey, Decks};
use outis_table::entry::Authentic;
use outis_table::game::{Checks, Expectation, Expects, Fault, Grade, Millis, Referee, Setting, pick, round_clock};
use outis_table::keys::{Ceremony, KeyChecked, KeyFault, KeyKind, spent};
use outis_table::seats::Seats;
use outis_table::{Context, Seat};

use super::step::{Kind, Step};
use crate::rules::{Card, Event, HighCard, Options, best, scores, turn};

/// The faults of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cheated {
    /// The revealed key is not the committed one, or its possession is not proved.
    #[error("the revealed key is not the one committed to, or its owner has not proved to hold its secret")]
    Key,
    /// The key was used in an earlier deal.
    #[error("the key was used in an earlier deal")]
    OldKey,
    /// The deck is not proved to be a shuffle of the one before.
    #[error("the deck is not a shuffle of the deck before it")]
    Shuffle,
    /// A share is not proved to be made with the seat's key.
    #[error("a share was not made from the right card with the right key")]
    Share,
    /// A card was shown that does not beat those shown before.
    #[error("a card was shown that does not beat the best one")]
    TooLow,
    /// A step of a different kind from the one that was due.
    #[error("this is not the step that was due")]
    Kind,
}

impl Fault for Cheated {
    fn check(&self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::OldKey => "old-key",
            Self::Shuffle => "shuffle",
            Self::Share => "share",
            Self::TooLow => "too-low",
            Self::Kind => "kind",
        }
    }
}

impl KeyFault for Cheated {
    const KEY: Self = Self::Key;
    const OLD_KEY: Self = Self::OldKey;
    const KIND: Self = Self::Kind;
}

/// A judged step.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A commitment to a key, or a key that was proved.
    Key(KeyChecked),
    /// A deck that was proved.
    Shuffled(Codes),
    /// Shares of the other seats' cards, each with the seat that draws it.
    Shared(Vec<(Seat, AcceptedShares)>),
    /// A call: a pass or a proved card.
    Called(Option<Card>),
}

/// What the deal in progress waits for, with what it has so far.
#[derive(Clone, Debug)]
pub(crate) enum Awaiting {
    Keys(Ceremony),
    Shuffle(Arc<JointKey>, Codes, u8),
    Shares(Arc<JointKey>, Codes),
    Call(Arc<JointKey>, Codes, Vec<(Seat, AcceptedShares)>),
}

/// Everything public at a table of high card.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) options: Options,
    pub(crate) seats: u8,
    pub(crate) grade: Grade,
    pub(crate) faces: Arc<Faces>,
    pub(crate) commitments: Arc<CommitmentKey>,
    pub(crate) phase: Awaiting,
    calls: Vec<Vec<Option<Card>>>,
    spent: Vec<Element>,
}

impl Referee for Table {
    const GAME: &'static str = "high-card";
    type Rules = HighCard;
    type Step = Step;
    type Shape = Kind;
    type Checked = Checked;
    type Fault = Cheated;

    fn open(setting: &Setting<Options>) -> Result<Self, &'static str> {
        let grade = Grade::of(&setting.parameters).ok_or("the parameters name no grade of high card")?;
        let cards = usize::from(setting.options.cards);
        Ok(Self {
            options: setting.options.clone(),
            seats: setting.seats,
            grade,
            faces: Arc::new(Faces::new(Self::GAME, cards)),
            commitments: Arc::new(CommitmentKey::new(cards)),
            phase: Awaiting::Keys(Ceremony::new(Seats::all(setting.seats))),
            calls: vec![Vec::new()],
            spent: Vec::new(),
        })
    }

    fn expects(&self) -> Expects {
        if self.calls.len() > usize::from(self.options.deals) {
            return Expects::Over;
        }
        let everyone = Seats::all(self.seats);
        let (what, speakers, releases) = match &self.phase {
            Awaiting::Keys(keys) => (keys.what(), everyone, keys.kind() == KeyKind::Reveal),
            Awaiting::Shuffle(_, _, next) => ("shuffle", Seats::one(Seat(*next)), false),
            Awaiting::Shares(..) => ("draw", everyone, true),
            Awaiting::Call(..) => ("call", self.turn().into_iter().collect(), true),
        };
        let by_hand = what == "call";
        let clock = round_clock(self.options.clock.into(), by_hand);
        Expects::Round(Expectation { speakers, what, by_hand, releases, clock, runs_on: false })
    }

    fn deal(&self) -> u32 {
        self.calls.len() as u32 - 1
    }

    fn shape(&self, _: Seat) -> Kind {
        match &self.phase {
            Awaiting::Keys(keys) => Kind::Key(keys.kind()),
            Awaiting::Shuffle(..) => Kind::Shuffle(usize::from(self.options.cards), self.grade),
            Awaiting::Shares(..) => Kind::Draw(usize::from(self.seats) - 1),
            Awaiting::Call(..) => Kind::Call,
        }
    }

    fn judge(&self, said: &Authentic<Step>, checks: Checks) -> Result<Checked, Cheated> {
        let (seat, context) = (said.seat(), said.context());
        match (said.step(), &self.phase) {
            (Step::Key(step), Awaiting::Keys(keys)) => keys.judge(step, context, &self.spent, checks).map(Checked::Key),
            (Step::Shuffle(deck, proof), Awaiting::Shuffle(key, before, _)) => {
                if !said.is_vouched() {
                    let mut batch = Batch::new();
                    let decks = Decks { input: &before.0, output: &deck.0 };
                    let read = proof.add(self, key, decks, &mut Challenger::new(context), &mut batch);
                    checks.demand(read, Cheated::Shuffle)?;
                    checks.settle(batch, Cheated::Shuffle)?;
                }
                Ok(Checked::Shuffled(deck.clone()))
            }
            (Step::Draw(shares), Awaiting::Shares(key, deck)) => {
                let drawers = self.others(seat);
                checks.demand(shares.len() == drawers.len(), Cheated::Share)?;
                let cards =
                    drawers.iter().zip(shares).map(|(drawer, shares)| Some((self.card_of(deck, *drawer)?, shares)));
                let cards = cards.collect::<Option<Vec<_>>>().ok_or(Cheated::Share)?;
                let accepted = accept_all(key, context, &cards, checks)?;
                Ok(Checked::Shared(drawers.into_iter().zip(accepted).collect()))
            }
            (Step::Call(None), Awaiting::Call(..)) => Ok(Checked::Called(None)),
            (Step::Call(Some(shares)), Awaiting::Call(key, deck, drawn)) => {
                let code = self.card_of(deck, seat).ok_or(Cheated::Share)?;
                let mut all = accept_all(key, context, &[(code, shares)], checks)?;
                all.extend(drawn.iter().filter(|(drawer, _)| *drawer == seat).map(|(_, shares)| shares.clone()));
                let opened = DrawnCodes::open(key, &self.faces, &[code], &all).map_err(|_| Cheated::Share)?;
                let card = opened.first().map(|card| Card(*card as u8)).ok_or(Cheated::Share)?;
                let beaten = self.best().is_some_and(|best| best > card);
                checks.demand(!beaten, Cheated::TooLow)?;
                Ok(Checked::Called(Some(card)))
            }
            _ => Err(Cheated::Kind),
        }
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, (Seat, Cheated)> {
        let before = self.phase.clone();
        self.take(round).inspect_err(|_| self.phase = before)
    }

    fn shortest_clock(&self) -> Option<Millis> {
        round_clock(self.options.clock.into(), true)
    }

    fn scores(&self) -> Vec<i64> {
        scores(&self.calls, self.seats)
    }

    /// In every deal that is not over each culprit pays one point to each honest seat.
    fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        let left = i64::from(self.options.deals) - self.calls.len() as i64 + 1;
        let honest = Seats::all(self.seats).without(culprits).len() as i64;
        let mut scores = self.scores();
        for (seat, score) in (0u8..).map(Seat).zip(&mut scores) {
            *score += left * if culprits.contains(seat) { -honest } else { culprits.len() as i64 };
        }
        scores
    }
}

impl Table {
    /// Takes in a round of steps.
    fn take(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, (Seat, Cheated)> {
        let first = round.first().map(|(seat, _)| *seat).expect("a round is over when somebody has spoken in it");
        let other = |seat| (seat, Cheated::Kind);
        let anew = self.new_keys();
        let phase = core::mem::replace(&mut self.phase, anew);
        let mut events = Vec::new();
        self.phase = match phase {
            Awaiting::Keys(mut keys) => {
                match keys.advance(round, |c| if let Checked::Key(checked) = c { Some(checked) } else { None })? {
                    None => Awaiting::Keys(keys),
                    Some(key) => {
                        self.spent.extend(spent(&key));
                        let deck = open_deck(&key, &self.faces);
                        Awaiting::Shuffle(Arc::new(key), deck, 0)
                    }
                }
            }
            Awaiting::Shuffle(key, _, next) => {
                let decks = pick(round, |c| if let Checked::Shuffled(deck) = c { Some(deck) } else { None });
                let deck = decks.map_err(other)?.pop().ok_or((first, Cheated::Kind))?;
                match next + 1 {
                    next if next < self.seats => Awaiting::Shuffle(key, deck, next),
                    _ => Awaiting::Shares(key, deck),
                }
            }
            Awaiting::Shares(key, deck) => {
                let shares = pick(round, |c| if let Checked::Shared(shares) = c { Some(shares) } else { None });
                events.push(Event::Dealt);
                Awaiting::Call(key, deck, shares.map_err(other)?.into_iter().flatten().collect())
            }
            Awaiting::Call(key, deck, drawn) => {
                let calls = pick(round, |c| if let Checked::Called(call) = c { Some(call) } else { None });
                let calls = calls.map_err(other)?;
                events.extend(calls.iter().map(|call| Event::Called(*call)));
                let deal = self.calls.last_mut().expect("a deal is open");
                deal.extend(calls);
                if deal.len() < usize::from(self.seats) {
                    Awaiting::Call(key, deck, drawn)
                } else {
                    self.calls.push(Vec::new());
                    self.new_keys()
                }
            }
        };
        Ok(events)
    }

    /// What a deal begins with.
    fn new_keys(&self) -> Awaiting {
        Awaiting::Keys(Ceremony::new(Seats::all(self.seats)))
    }

    /// Whose turn it is to call.
    pub(crate) fn turn(&self) -> Option<Seat> {
        turn(self.calls.len() - 1, self.calls.last()?.len(), self.seats)
    }

    /// The best card shown in this deal.
    pub(crate) fn best(&self) -> Option<Card> {
        self.calls.last().and_then(|calls| best(calls))
    }

    /// The code that a seat draws: card *j* of the deck is seat *j*'s.
    pub(crate) fn card_of(&self, deck: &Codes, seat: Seat) -> Option<Code> {
        deck.0.get(usize::from(seat.0)).copied()
    }

    /// All seats but one.
    pub(crate) fn others(&self, seat: Seat) -> Vec<Seat> {
        Seats::all(self.seats).without(Seats::one(seat)).iter().collect()
    }
}

/// Checks the shares of one entry over one running challenger, all in one batch.
fn accept_all(
    key: &JointKey,
    context: &Context,
    cards: &[(Code, &outis_crypto::deck::Shares)],
    checks: Checks,
) -> Result<Vec<AcceptedShares>, Cheated> {
    let (mut challenger, mut batch) = (Challenger::new(context), Batch::new());
    let mut pending = Vec::new();
    for (code, shares) in cards {
        let accepted = accept_shares(key, context.seat, &[*code], shares, &mut challenger, &mut batch);
        pending.push(accepted.map_err(|_| Cheated::Share)?);
    }
    let settled = checks.settle(batch, Cheated::Share)?;
    pending.into_iter().map(|shares| settled.release(shares).ok_or(Cheated::Share)).collect()
}
