//! Where the unseen cards may be: deals that fit everything one seat knows.

use outis_game::present::below;
use rand_core::CryptoRng;

use super::seen::{KINDS, of_kind};
use crate::rules::auction::Call;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::figures::Side;
use crate::rules::knowledge::Knowledge;
use crate::rules::seats::Player;
use crate::rules::state::Phase;
use crate::rules::talon::split;
use crate::view::Parts;

use super::seen::course;

/// How often a deal that does not fit is thrown away before less is asked of it.
const TRIES: usize = 24;

/// Where cards can be.
#[derive(Clone, Copy, Debug)]
struct Place {
    free: usize,
    /// Exactly this many of them are tarokks.
    tarokks: Option<usize>,
    allowed: CardSet,
}

/// Everyone's cards after the exchange.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    /// The cards in hand now.
    pub hands: [CardSet; 4],
    /// The nine cards after the exchange.
    pub kept: [CardSet; 4],
    /// The discards.
    pub away: [CardSet; 4],
}

impl Place {
    fn takes(&self, card: Card) -> bool {
        let fits = match self.tarokks {
            None => true,
            Some(left) if card.is_tarokk() => left > 0,
            Some(left) => self.free > left,
        };
        self.free > 0 && fits && self.allowed.contains(card)
    }

    fn put(&mut self, card: Card) {
        self.free = self.free.saturating_sub(1);
        if card.is_tarokk() {
            self.tarokks = self.tarokks.map(|left| left.saturating_sub(1));
        }
    }
}

/// Puts every card somewhere at random, those with the least choice first; nothing if a card is left over.
fn spread(cards: CardSet, musts: &[(Card, usize)], places: &[Place], rng: &mut impl CryptoRng) -> Option<Vec<CardSet>> {
    let mut places = places.to_vec();
    let mut put = vec![CardSet::EMPTY; places.len()];
    let mut rest = cards;
    for (card, at) in musts {
        if !rest.remove(*card) || places[*at].free == 0 {
            return None;
        }
        places[*at].put(*card);
        put[*at].insert(*card);
    }
    let shuffled = |cards: CardSet, rng: &mut _| {
        let mut order: Vec<Card> = cards.iter().collect();
        for i in (1..order.len()).rev() {
            order.swap(i, below(i + 1, rng));
        }
        order
    };
    // Where the number of tarokks is known they come first, or the last places would be left without.
    for (place, put) in places.iter_mut().zip(&mut put) {
        for card in shuffled(rest.tarokks().intersection(place.allowed), rng) {
            if place.tarokks.is_none_or(|left| left == 0) || place.free == 0 {
                break;
            }
            rest.remove(card);
            place.put(card);
            put.insert(card);
        }
    }
    let mut order = shuffled(rest, rng);
    order.sort_by_key(|card| places.iter().filter(|place| place.takes(*card)).count());
    for card in order {
        let open: usize = places.iter().filter(|place| place.takes(card)).map(|place| place.free).sum();
        let mut at = below(open, rng);
        let i = places.iter().position(|place| {
            if !place.takes(card) {
                return false;
            }
            let here = at < place.free;
            at = at.saturating_sub(place.free);
            here
        })?;
        places[i].put(card);
        put[i].insert(card);
    }
    places.iter().all(|place| place.free == 0).then_some(put)
}

/// The players who have shown by a bid that they hold an honour.
fn bidders(k: &Knowledge) -> Vec<Player> {
    let parts = Parts::of(&k.public);
    let trial = parts.calls.iter().take(3).all(|(_, call)| *call == Call::Pass);
    let bids = parts.calls.iter().filter(|(_, call)| matches!(call, Call::Bid(_)) && !trial);
    bids.map(|(who, _)| *who).collect()
}

/// Before the discards: nine cards of everyone else and, in the auction, the talon as the last set; after it, with their
/// share of the talon. Its own place holds its own cards.
pub fn dealt(k: &Knowledge, rng: &mut impl CryptoRng) -> Option<([CardSet; 4], CardSet)> {
    let me = k.public.seating.player(k.seat?)?;
    let cards = k.cards.as_ref()?;
    let parts = Parts::of(&k.public);
    let shares = parts.contract.map(|contract| split(contract.declarer, contract.bid));
    let mine = cards.hand.union(cards.discard);
    let others: Vec<Player> = Player::ALL.into_iter().filter(|player| *player != me).collect();
    let place = |free| Place { free, tarokks: None, allowed: CardSet::ALL };
    let mut places: Vec<Place> =
        others.iter().map(|player| place(9 + shares.map_or(0, |shares| shares[player.index()]))).collect();
    places.push(place(if shares.is_some() { 0 } else { 6 }));
    let signalled = parts.contract.map(|contract| Player::ALL.map(|player| contract.signalled(player)));
    let promised = crate::view::promises(&k.public.options, parts.calls);
    let at = |player: Player| others.iter().position(|other| *other == player);
    let mut musts: Vec<(Card, usize)> = Vec::new();
    for player in &others {
        let invit = promised.iter().find_map(|(who, _, promise)| match promise {
            crate::rules::auction::Promise::Invit(card) if who == player => Some(*card),
            _ => None,
        });
        let card = signalled.and_then(|signalled| signalled[player.index()]).or(invit);
        musts.extend(card.filter(|card| !mine.contains(*card)).zip(at(*player)));
    }
    let bidders = bidders(k);
    let unseen = CardSet::ALL.without(mine);
    let mut guess = None;
    for _ in 0..TRIES {
        let Some(put) = spread(unseen, &musts, &places, rng) else { continue };
        let fits = bidders.iter().all(|player| at(*player).is_none_or(|i| put[i].has_honour()));
        guess = Some(put);
        if fits {
            break;
        }
    }
    let put = guess.or_else(|| spread(unseen, &[], &places, rng))?;
    let mut hands = [mine; 4];
    for (player, cards) in others.iter().zip(&put) {
        hands[player.index()] = *cards;
    }
    Some((hands, put[3]))
}

/// After the exchange.
pub fn exchanged(k: &Knowledge, rng: &mut impl CryptoRng) -> Option<Guess> {
    let me = k.public.seating.player(k.seat?)?;
    let cards = k.cards.as_ref()?;
    let parts = Parts::of(&k.public);
    let (contract, laid, course) = (parts.contract?, parts.laid?, course(k)?);
    let due = split(contract.declarer, contract.bid);
    let played = Player::ALL.map(|player| parts.plays.map_or(CardSet::EMPTY, |plays| plays.of(player)));
    let others: Vec<Player> = Player::ALL.into_iter().filter(|player| *player != me).collect();
    let unseen = CardSet::ALL.without(course.open).without(cards.hand).without(cards.discard);
    let layable = CardSet::ALL.filter(|card| !card.is_king() && !card.is_honour());
    // Tarokks in the others' discards: told by player, or as a sum that is spread at random.
    let mut laid_by = laid.by_player.unwrap_or([0; 4]);
    if laid.by_player.is_none() {
        let own = if me == contract.declarer { 0 } else { cards.discard.tarokks().len() };
        for _ in 0..laid.by_others.saturating_sub(own) {
            let open = |player: &Player| *player != contract.declarer && laid_by[player.index()] < due[player.index()];
            let open: Vec<Player> = others.iter().copied().filter(open).collect();
            if let Some(player) = open.get(below(open.len(), rng)) {
                laid_by[player.index()] += 1;
            }
        }
    }
    let mut places = Vec::new();
    let mut musts = Vec::new();
    for (i, player) in others.iter().enumerate() {
        let p = player.index();
        let mut allowed = CardSet::ALL;
        for kind in (0..KINDS).filter(|kind| course.void[p][*kind]) {
            allowed = allowed.without(of_kind(CardSet::ALL, kind));
        }
        if let Some(called) = course.called.filter(|called| unseen.contains(*called)) {
            match course.known[p] {
                Some(Side::Declarer) if *player != contract.declarer => musts.push((called, i)),
                None if parts.plays.is_none() || me != contract.declarer => {}
                _ => {}
            }
            // A declarer who calls its own tarokk is rare.
            if *player == contract.declarer || course.known[p] == Some(Side::Opponents) {
                allowed.remove(called);
            }
        }
        let signalled = contract.signalled(*player).filter(|card| unseen.contains(*card));
        musts.extend(signalled.filter(|card| Some(*card) != course.called).map(|card| (card, i)));
        let count = parts.announcing.and_then(|announcing| announcing.count(*player)).map(usize::from);
        let tarokks = count.map(|n| n.saturating_sub(played[p].tarokks().len()));
        places.push(Place { free: 9 - played[p].len(), tarokks, allowed });
    }
    for player in &others {
        let p = player.index();
        let shown = if *player == contract.declarer { laid.shown.len() } else { 0 };
        let tarokks = if *player == contract.declarer { 0 } else { laid_by[p] };
        places.push(Place { free: due[p].saturating_sub(shown), tarokks: Some(tarokks), allowed: layable });
    }
    let bidders = bidders(k);
    let mut guess = None;
    for _ in 0..TRIES {
        let Some(put) = spread(unseen, &musts, &places, rng) else { continue };
        let honour = |player: &Player| {
            let at = others.iter().position(|other| other == player);
            at.is_none_or(|i| put[i].union(played[player.index()]).has_honour())
        };
        let fits = bidders.iter().all(honour);
        guess = Some(put);
        if fits {
            break;
        }
    }
    let put = guess.or_else(|| {
        // Something does not add up as strictly as that: a rare call, say. Only the numbers of cards are certain.
        for place in &mut places {
            *place = Place { tarokks: None, allowed: CardSet::ALL, ..*place }
        }
        spread(unseen, &[], &places, rng)
    })?;
    let mut guess = Guess { hands: [cards.hand; 4], kept: [cards.kept; 4], away: [cards.discard; 4] };
    for (i, player) in others.iter().enumerate() {
        let p = player.index();
        guess.hands[p] = put[i];
        guess.kept[p] = put[i].union(played[p]);
        guess.away[p] = put[3 + i];
    }
    let declarer = contract.declarer;
    if declarer != me {
        guess.away[declarer.index()] = guess.away[declarer.index()].union(laid.shown);
    }
    Some(guess)
}

/// Whether the phase is one in which the exchange is over.
pub fn is_exchanged(k: &Knowledge) -> bool {
    matches!(k.public.phase, Phase::AwaitingAnnulment(..) | Phase::AwaitingWord(..) | Phase::AwaitingCard(..))
}
