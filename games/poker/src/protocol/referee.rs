//! The referee: everything public, judged from the log alone.

use std::sync::Arc;

use outis_crypto::card::Faces;
use outis_crypto::commit::{Commitment, Place};
use outis_crypto::group::Element;
use outis_crypto::shuffle::CommitmentKey;
use outis_crypto::sra::classic::Role;
use outis_table::entry::Authentic;
use outis_table::game::{Checks, Expectation, Expects, Fault, Grade, Millis, Referee, Setting, round_clock};
use outis_table::keys::KeyFault;
use outis_table::seats::Seats;
use outis_table::{Seat, TableId};

use super::deal::{self, AnyDealer, Classic, Layers, Scheme, Shares, Task};
use super::step::{Kind, Step};
use crate::rules::cards::{PACK, distinct};
use crate::rules::options::{Dealing, Showing};
use crate::rules::{Bet, Card, Event, Options, Phase, Poker, Public};

/// The faults of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cheated {
    /// The revealed key is not the committed one, or its possession is not proved.
    #[error("the revealed key is not the one committed to, or its owner has not proved to hold its secret")]
    Key,
    /// The key was used before at this table.
    #[error("the key was used before at this table")]
    OldKey,
    /// The deck is not proved to be a shuffle of the one before.
    #[error("the deck is not a shuffle of the deck before it")]
    Shuffle,
    /// A layer was not taken off, or a share not made, as it should be.
    #[error("a layer or a share is not that of the right card under the right key")]
    Layer,
    /// Shown cards are not those that were dealt.
    #[error("the cards that were shown are not those that were dealt")]
    Show,
    /// A bet that the rules do not allow.
    #[error("the rules do not allow this bet")]
    Bet,
    /// Discards that the rules do not allow.
    #[error("the rules do not allow exchanging these cards")]
    Discard,
    /// A decision other than the one that was committed to.
    #[error("the decision is not the one that was sealed")]
    Decision,
    /// A deck of a cut and choose is not what it should be, or the one in play is not.
    #[error("an opened deck is not complete, or not the one that was sent, or the deck in play is not complete")]
    Decks,
    /// Not the card of the place.
    #[error("this is not the card of that place")]
    Card,
    /// A step of a different kind from the one that was due.
    #[error("this is not the step that was due")]
    Kind,
}

impl KeyFault for Cheated {
    const KEY: Self = Self::Key;
    const OLD_KEY: Self = Self::OldKey;
    const KIND: Self = Self::Kind;
}

impl Fault for Cheated {
    fn check(&self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::OldKey => "old-key",
            Self::Shuffle => "shuffle",
            Self::Layer => "layer",
            Self::Show => "show",
            Self::Bet => "bet",
            Self::Discard => "discard",
            Self::Decision => "decision",
            Self::Decks => "decks",
            Self::Card => "card",
            Self::Kind => "kind",
        }
    }
}

/// A judged step.
#[derive(Clone, Debug)]
pub enum Checked {
    /// Plays or not.
    Play(bool),
    /// A part in dealing.
    Deal(Box<deal::Checked>),
    /// A bet.
    Bet(Bet),
    /// Discarded cards.
    Discard(u8),
    /// Cards shown, or given up.
    Show(Option<Vec<Card>>),
    /// A commitment to showing or not.
    Decide(Commitment),
}

/// What a commitment to showing is for.
pub(crate) const DECISION: &str = "poker showdown";

/// Everything public at a table of poker.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) public: Public,
    pub(crate) dealer: Option<AnyDealer>,
    /// Whether the dealer has been asked for what the phase needs.
    asked: bool,
    /// Commitments to showing or not, once all are there.
    pub(crate) decisions: Vec<(Seat, Commitment)>,
    spent: Vec<Element>,
    table: TableId,
    faces: Arc<Faces>,
    commitments: Arc<CommitmentKey>,
}

impl Referee for Table {
    const GAME: &'static str = "poker";
    type Rules = Poker;
    type Step = Step;
    type Shape = Kind;
    type Checked = Checked;
    type Fault = Cheated;

    fn open(setting: &Setting<Options>) -> Result<Self, &'static str> {
        let grade = Grade::of(&setting.parameters).ok_or("the parameters name no grade of poker")?;
        if (grade == Grade::Classic) != setting.options.decks.is_some() {
            return Err("the number of decks belongs to the classic grade, and to no other");
        }
        let mut table = Self {
            public: Public::new(&setting.options, setting.seats),
            dealer: None,
            asked: false,
            decisions: Vec::new(),
            spent: Vec::new(),
            table: setting.table,
            faces: Arc::new(Faces::new(Self::GAME, PACK)),
            commitments: Arc::new(CommitmentKey::new(PACK)),
        };
        table.follow().map_err(|_| "the first hand cannot begin")?;
        Ok(table)
    }

    fn expects(&self) -> Expects {
        let public = &self.public;
        let (speakers, what, by_hand, releases) = match public.phase {
            Phase::Over => return Expects::Over,
            Phase::Ready => (public.deciding(), "ready", true, false),
            Phase::Bet => (public.deciding(), "bet", true, false),
            Phase::Discard => (public.deciding(), "discard", true, false),
            Phase::Show => match self.stage() {
                Stage::InTurn => (public.deciding(), "show", true, true),
                Stage::Decide => (public.deciding(), "decide", true, false),
                Stage::Open => (public.deciding(), "open", false, true),
            },
            Phase::Deal | Phase::Board(_) | Phase::Redeal => {
                let turn = self.dealer.as_ref().and_then(|dealer| dealer.get().turn());
                turn.map_or((Seats::NONE, "deal", false, false), |t| (t.speakers, t.what, false, t.releases))
            }
        };
        let clock = round_clock(public.options.clock.into(), by_hand);
        Expects::Round(Expectation { speakers, what, by_hand, releases, clock, runs_on: false })
    }

    fn deal(&self) -> u32 {
        self.public.past.len() as u32
    }

    fn shape(&self, seat: Seat) -> Kind {
        let (scheme, hole) = (self.scheme(seat), self.public.options.hole());
        match self.public.phase {
            Phase::Ready | Phase::Over => Kind::Play,
            Phase::Bet => Kind::Bet,
            Phase::Discard => Kind::Discard,
            Phase::Show => match self.stage() {
                Stage::InTurn => Kind::Show(scheme, hole),
                Stage::Decide => Kind::Decide,
                Stage::Open => Kind::Open(scheme, hole),
            },
            Phase::Deal | Phase::Board(_) | Phase::Redeal => {
                Kind::Deal(self.dealer.as_ref().map_or(deal::Kind::Nothing, |dealer| dealer.get().kind(seat)))
            }
        }
    }

    fn judge(&self, said: &Authentic<Step>, checks: Checks) -> Result<Checked, Cheated> {
        let (seat, context) = (said.seat(), said.context());
        let fits = |event: &Event| self.public.clone().apply(event).is_ok();
        match (said.step(), self.public.phase) {
            (Step::Play(plays), Phase::Ready) => Ok(Checked::Play(*plays)),
            (Step::Bet(bet), Phase::Bet) => {
                checks.demand(fits(&Event::Bets(seat, *bet)), Cheated::Bet)?;
                Ok(Checked::Bet(*bet))
            }
            (Step::Discard(mask), Phase::Discard) => {
                checks.demand(fits(&Event::Discards(seat, *mask)), Cheated::Discard)?;
                Ok(Checked::Discard(*mask))
            }
            (Step::Show(shown), Phase::Show) if self.stage() == Stage::InTurn => {
                self.judge_shown(said, shown.as_ref(), checks).map(Checked::Show)
            }
            (Step::Decide(commitment), Phase::Show) if self.stage() == Stage::Decide => {
                Ok(Checked::Decide(*commitment))
            }
            (Step::Open(opening, shown), Phase::Show) if self.stage() == Stage::Open => {
                let own = self.decisions.iter().find(|(of, _)| *of == seat).ok_or(Cheated::Kind)?;
                let decided = [u8::from(shown.is_some())];
                let as_decided = own.1.opens(DECISION, &Place::of(context), &decided, opening);
                checks.demand(as_decided, Cheated::Decision)?;
                self.judge_shown(said, shown.as_ref(), checks).map(Checked::Show)
            }
            (Step::Deal(said_deal), Phase::Deal | Phase::Board(_) | Phase::Redeal) => {
                let dealer = self.dealer.as_ref().ok_or(Cheated::Kind)?.get();
                let checked = dealer.judge(context, said_deal, said.is_vouched(), &self.spent, checks)?;
                Ok(Checked::Deal(Box::new(checked)))
            }
            _ => Err(Cheated::Kind),
        }
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, (Seat, Cheated)> {
        let first = round.first().map(|(seat, _)| *seat).expect("a round is over when somebody has spoken in it");
        let before = self.clone();
        let events = self.take(round).and_then(|mut events| {
            events.extend(self.follow().map_err(|fault| (first, fault))?);
            Ok(events)
        });
        if events.is_err() {
            *self = before;
        }
        events
    }

    /// Without chips and without cards (PD-1): nobody needs anything of such a seat.
    fn gone(&self) -> Seats {
        self.public.out()
    }

    fn shortest_clock(&self) -> Option<Millis> {
        round_clock(self.public.options.clock.into(), true)
    }

    fn scores(&self) -> Vec<i64> {
        self.public.scores()
    }

    fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        let pledged = self.dealer.as_ref().map_or(Seats::NONE, |dealer| dealer.get().pledged());
        self.public.forfeit_pledged(culprits, pledged)
    }
}

/// How far the showing of hands is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    InTurn,
    Decide,
    Open,
}

impl Table {
    /// The id of the table, for the truth of tests.
    #[cfg(test)]
    pub(crate) fn id(&self) -> TableId {
        self.table
    }

    pub(crate) fn stage(&self) -> Stage {
        match (self.public.options.showing, self.decisions.is_empty()) {
            (Showing::InTurn, _) => Stage::InTurn,
            (Showing::AtOnce, true) => Stage::Decide,
            (Showing::AtOnce, false) => Stage::Open,
        }
    }

    fn scheme(&self, seat: Seat) -> Scheme {
        match (self.public.options.decks, self.public.options.dealing) {
            (Some(_), _) => Scheme::Classic(if seat == self.public.button { Role::First } else { Role::Second }),
            (None, Dealing::Sra) => Scheme::Layers,
            (None, Dealing::ElGamal) => Scheme::Shares,
        }
    }

    /// The places of a seat's cards in the deck.
    pub(crate) fn places(&self, seat: Seat) -> Vec<usize> {
        let own = self.public.hand.places.get(usize::from(seat.0));
        own.into_iter().flatten().map(|place| usize::from(*place)).collect()
    }

    fn judge_shown(
        &self,
        said: &Authentic<Step>,
        shown: Option<&deal::Shown>,
        checks: Checks,
    ) -> Result<Option<Vec<Card>>, Cheated> {
        let Some(shown) = shown else { return Ok(None) };
        let dealer = self.dealer.as_ref().ok_or(Cheated::Kind)?.get();
        let places = self.places(said.seat());
        let cards = dealer.judge_shown(said.context(), &places, shown, said.is_vouched(), checks)?;
        let cards: Vec<Card> = cards.into_iter().map(|card| Card(card as u8)).collect();
        if dealer.maker() == Some(said.seat()) {
            // A card that is elsewhere, too, is in the deck twice, and that was its maker's to avoid (LC-18).
            let hand = &self.public.hand;
            let is_shown = |card: &Card| hand.shown.iter().flatten().flatten().any(|cards| cards.contains(card));
            let is_known = |card: &Card| hand.board.contains(card) || is_shown(card);
            checks.demand(distinct(&cards) && !cards.iter().any(is_known), Cheated::Decks)?;
        }
        let fits = self.public.clone().apply(&Event::Shows(said.seat(), Some(cards.clone()))).is_ok();
        // Where another seat made the deck, a card that is there twice is that seat's fault, which the whole round shows.
        let is_anothers = dealer.maker().is_some_and(|maker| maker != said.seat());
        if fits || is_anothers { Ok(Some(cards)) } else { Err(Cheated::Show) }
    }

    /// The seat on whose word every card is in the deck once, if these cards show that one is there twice (LC-18).
    fn false_maker(&self, shown: &[(Seat, Event)]) -> Option<Seat> {
        let new = shown
            .iter()
            .filter_map(|(_, event)| if let Event::Shows(_, cards) = event { cards.as_ref() } else { None });
        let new: Vec<Card> = new.flatten().copied().collect();
        let hand = &self.public.hand;
        let known = hand.board.iter().chain(hand.shown.iter().flatten().flatten().flatten());
        let all: Vec<Card> = known.copied().chain(new.iter().copied()).collect();
        self.dealer.as_ref()?.get().maker().filter(|_| !new.is_empty() && !distinct(&all))
    }

    /// Takes in a round of steps.
    fn take(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Event>, (Seat, Cheated)> {
        let mut events = Vec::new();
        let (mut playing, mut dealt, mut decided) = (Seats::NONE, Vec::new(), Vec::new());
        let ready = self.public.phase == Phase::Ready;
        for (seat, checked) in round {
            match checked {
                Checked::Play(true) => playing.insert(seat),
                Checked::Play(false) => {}
                Checked::Bet(bet) => events.push((seat, Event::Bets(seat, bet))),
                Checked::Discard(mask) => {
                    let places = self.places(seat);
                    let aside = (0..places.len()).filter(|slot| mask >> slot & 1 == 1).map(|slot| places[slot]);
                    let aside: Vec<usize> = aside.collect();
                    let dealer = self.dealer.as_mut().ok_or((seat, Cheated::Kind))?;
                    dealer.get_mut().discard(seat, &aside).map_err(|fault| (seat, fault))?;
                    events.push((seat, Event::Discards(seat, mask)));
                }
                Checked::Show(cards) => events.push((seat, Event::Shows(seat, cards))),
                Checked::Decide(commitment) => decided.push((seat, commitment)),
                Checked::Deal(checked) => dealt.push((seat, *checked)),
            }
        }
        if ready {
            events.push((Seat(0), Event::In(playing)));
        }
        if let Some((seat, _)) = dealt.first() {
            let dealer = self.dealer.as_mut().ok_or((*seat, Cheated::Kind))?;
            self.spent.extend(dealer.get_mut().advance(dealt)?);
        }
        if !decided.is_empty() {
            self.decisions = decided;
        }
        if let Some(maker) = self.false_maker(&events) {
            return Err((maker, Cheated::Decks));
        }
        for (seat, event) in &events {
            self.public.apply(event).map_err(|_| (*seat, Cheated::Kind))?;
        }
        Ok(events.into_iter().map(|(_, event)| event).collect())
    }

    /// Whatever follows automatically: asks the dealer for what the phase needs, and takes what has come.
    fn follow(&mut self) -> Result<Vec<Event>, Cheated> {
        let mut events = Vec::new();
        loop {
            if !matches!(self.public.phase, Phase::Show) {
                self.decisions.clear();
            }
            let event = match self.public.phase {
                Phase::Ready | Phase::Over => {
                    self.dealer = None;
                    self.asked = false;
                    return Ok(events);
                }
                Phase::Bet | Phase::Discard | Phase::Show => return Ok(events),
                Phase::Deal => match self.served()? {
                    true => Event::Dealt,
                    false => return Ok(events),
                },
                Phase::Redeal => match self.served()? {
                    true => Event::Redealt,
                    false => return Ok(events),
                },
                Phase::Board(_) => match self.served()? {
                    true => Event::Board(self.board()?),
                    false => return Ok(events),
                },
            };
            self.asked = false;
            self.public.apply(&event).map_err(|_| Cheated::Kind)?;
            events.push(event);
        }
    }

    /// Whether the dealer has dealt what the phase needs; asks for it first.
    fn served(&mut self) -> Result<bool, Cheated> {
        let task = self.task();
        let dealer = match self.dealer.take() {
            Some(dealer) => dealer,
            None => self.new_dealer().ok_or(Cheated::Kind)?,
        };
        let dealer = self.dealer.insert(dealer);
        if dealer.get().turn().is_some() {
            return Ok(false);
        }
        if self.asked {
            return Ok(true);
        }
        self.asked = true;
        dealer.get_mut().ask(task)?;
        Ok(dealer.get().turn().is_none())
    }

    fn new_dealer(&self) -> Option<AnyDealer> {
        let (playing, commitments) = (self.public.hand.dealt, self.commitments.clone());
        let deal = self.public.past.len() as u32;
        Some(match (self.public.options.decks, self.public.options.dealing) {
            (Some(decks), _) => {
                let classic = Classic::new(&self.table, deal, playing, self.public.button, decks.into())?;
                AnyDealer::Classic(Box::new(classic))
            }
            (None, Dealing::Sra) => AnyDealer::Layers(Layers::new(&self.table, deal, playing, commitments)),
            (None, Dealing::ElGamal) => AnyDealer::Shares(Shares::new(playing, self.faces.clone(), commitments)),
        })
    }

    /// What the phase needs.
    fn task(&self) -> Task {
        let public = &self.public;
        match public.phase {
            Phase::Deal => {
                let own = |seat: Seat| self.places(seat).into_iter().map(move |place| (place, Some(seat)));
                public.hand.dealt.iter().flat_map(own).collect()
            }
            Phase::Board(n) => self.board_places(n).map(|place| (place, None)).collect(),
            Phase::Redeal => {
                let drawn = (usize::from(public.stock())..).zip(public.draws());
                drawn.map(|(place, (seat, _))| (place, Some(seat))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn board_places(&self, n: u8) -> core::ops::Range<usize> {
        let from = usize::from(self.public.stock()) + self.public.hand.board.len();
        from..from + usize::from(n)
    }

    fn board(&self) -> Result<Vec<Card>, Cheated> {
        let (Phase::Board(n), Some(dealer)) = (self.public.phase, &self.dealer) else { return Err(Cheated::Kind) };
        let card = |place| dealer.get().face_up(place).map(|card| Card(card as u8)).ok_or(Cheated::Layer);
        self.board_places(n).map(card).collect()
    }
}
