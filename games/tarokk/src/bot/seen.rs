//! What the rules of thumb look at when a card is to be played: the same in a real game and in a game that a bot imagines.

use crate::rules::announce::Announcing;
use crate::rules::cards::{Card, Suit};
use crate::rules::cardset::CardSet;
use crate::rules::figures::{Figure, Side};
use crate::rules::knowledge::{Knowledge, own_side};
use crate::rules::play::winner;
use crate::rules::seats::Player;
use crate::rules::state::Phase;

/// Suits, and tarokk as the last.
pub const KINDS: usize = 5;

/// Place of a card's suit among the kinds.
pub fn kind(card: Card) -> usize {
    card.suit().map_or(KINDS - 1, |suit| suit as usize)
}

/// Cards of a kind.
pub fn of_kind(cards: CardSet, kind: usize) -> CardSet {
    Suit::ALL.get(kind).map_or_else(|| cards.tarokks(), |suit| cards.of(*suit))
}

/// What has become public in the play of a deal.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The declarer.
    pub declarer: Player,
    /// The called tarokk.
    pub called: Option<Card>,
    /// The sides as everyone knows them.
    pub known: [Option<Side>; 4],
    /// Sides that announced pagát ultimo.
    pub ultimo: [bool; 2],
    /// All cards that lie open: played ones, and the declarer's discarded tarokks.
    pub open: CardSet,
    /// Kinds of which a player is known to hold none.
    pub void: [[bool; KINDS]; 4],
    /// Who led to the trick in progress.
    pub leader: Player,
    /// The cards of the trick in progress.
    pub trick: [Card; 4],
    /// How many of them there are.
    pub on_table: usize,
    /// Finished tricks.
    pub finished: usize,
}

impl Course {
    /// Before the first lead.
    pub fn new(declarer: Player, announcing: Option<&Announcing>, shown: CardSet) -> Self {
        let known = Player::ALL.map(|player| match announcing {
            Some(announcing) => announcing.known_side(player),
            None => (player == declarer).then_some(Side::Declarer),
        });
        let ultimo = Side::BOTH.map(|side| announcing.is_some_and(|a| a.has_announced(side, Figure::PagatUltimo)));
        Self {
            declarer,
            called: announcing.and_then(Announcing::called),
            known,
            ultimo,
            open: shown,
            void: [[false; KINDS]; 4],
            leader: Player::FIRST,
            trick: [Card::PAGAT; 4],
            on_table: 0,
            finished: 0,
        }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Player {
        self.leader.after(self.on_table)
    }

    /// The card that was led.
    pub fn led(&self) -> Option<Card> {
        (self.on_table > 0).then_some(self.trick[0])
    }

    /// The cards of the trick in progress.
    pub fn cards(&self) -> &[Card] {
        &self.trick[..self.on_table]
    }

    /// The player whose turn it is plays a card.
    pub fn push(&mut self, card: Card) {
        let who = self.turn();
        if let Some(led) = self.led() {
            let void = &mut self.void[who.index()];
            void[kind(led)] |= kind(led) != kind(card);
            void[KINDS - 1] |= kind(led) != kind(card) && card.suit().is_some();
        }
        if Some(card) == self.called {
            for player in Player::ALL {
                let partner = player == who || player == self.declarer;
                self.known[player.index()] = Some(if partner { Side::Declarer } else { Side::Opponents });
            }
        }
        self.open.insert(card);
        self.trick[self.on_table] = card;
        self.on_table += 1;
        if self.on_table == 4 {
            self.leader = self.leader.after(winner(&self.trick));
            self.on_table = 0;
            self.finished += 1;
        }
    }
}

/// The course of a deal from one seat.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// What is public.
    pub course: Course,
    /// The seat that looks.
    pub me: Player,
    /// Its cards.
    pub hand: CardSet,
    /// Cards that are nowhere else: the hand, and everything that the seat has seen.
    pub gone: CardSet,
    /// Its side.
    pub side: Side,
    /// How likely every player is on its side.
    pub with: [f32; 4],
}

impl Seen {
    /// `kept` are the nine cards after the exchange, `away` its own discard.
    pub fn new(course: Course, me: Player, hand: CardSet, kept: CardSet, away: CardSet) -> Self {
        let side = own_side(course.declarer, course.called, me, kept);
        let gone = course.open.union(hand).union(away);
        let with = sides(&course, me, side, kept, away);
        Self { course, me, hand, gone, side, with }
    }

    /// Whether the pagát has to be kept (TK-56).
    pub fn keeps_pagat(&self) -> bool {
        self.course.ultimo[self.side.index()]
    }

    /// Cards that someone else may hold.
    pub fn unseen(&self) -> CardSet {
        CardSet::ALL.without(self.gone)
    }
}

/// How likely each player is to be on the side of the observer: what is known, otherwise spread evenly over the rest.
fn sides(course: &Course, me: Player, side: Side, kept: CardSet, away: CardSet) -> [f32; 4] {
    let mut with = [0.0; 4];
    with[me.index()] = 1.0;
    let others = || Player::ALL.into_iter().filter(move |player| *player != me && *player != course.declarer);
    let called = course.called;
    let alone = called.is_some_and(|card| (me == course.declarer && kept.contains(card)) || away.contains(card));
    let partner = others().find(|player| course.known[player.index()] == Some(Side::Declarer));
    let undecided = others().filter(|player| course.known[player.index()].is_none()).count().max(1) as f32;
    for player in others() {
        // How likely this player is with the declarer.
        let declarers = match (course.known[player.index()], partner) {
            _ if alone => 0.0,
            (Some(Side::Declarer), _) => 1.0,
            (Some(Side::Opponents), _) | (None, Some(_)) => 0.0,
            (None, None) if me != course.declarer && side == Side::Declarer => 0.0,
            (None, None) => 1.0 / undecided,
        };
        with[player.index()] = if side == Side::Declarer { declarers } else { 1.0 - declarers };
    }
    if me != course.declarer && side == Side::Declarer {
        with[course.declarer.index()] = 1.0;
    }
    with
}

/// What a player sees when a card is awaited, or would be if everyone passed now.
pub fn seen(k: &Knowledge) -> Option<Seen> {
    let me = k.public.seating.player(k.seat?)?;
    let cards = k.cards.as_ref()?;
    let course = course(k)?;
    Some(Seen::new(course, me, cards.hand, cards.kept, cards.discard))
}

/// The public course of the current deal, once the discards are announced.
pub fn course(k: &Knowledge) -> Option<Course> {
    match &k.public.phase {
        Phase::AwaitingAnnulment(exchanged, _) => {
            Some(Course::new(exchanged.contract.declarer, None, exchanged.laid.shown))
        }
        Phase::AwaitingWord(exchanged, announcing) => {
            Some(Course::new(exchanged.contract.declarer, Some(announcing), exchanged.laid.shown))
        }
        Phase::AwaitingCard(spoken, plays) => {
            let mut course = Course::new(spoken.contract.declarer, Some(&spoken.announcing), spoken.laid.shown);
            for (_, card) in plays.all().iter() {
                course.push(*card);
            }
            Some(course)
        }
        _ => None,
    }
}
