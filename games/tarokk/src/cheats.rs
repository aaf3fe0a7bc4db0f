//! Cheats that the protocol must survive. Each has the secrets and the signing key of its seat, makes every proof
//! that it can, and lies only where it must: [`lie`] makes the proofs of any action as if the hand held what the action claims.

mod cards;
pub(crate) mod cases;
mod deck;
pub(crate) mod stage;

use outis_crypto::card::{Code, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::challenger::Nonces;
use outis_crypto::group::Element;
use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::{Checks, Made};
use outis_table::{Context, Seat};

use crate::protocol::claim::{Claim, On, Rule};
use crate::protocol::deal::Deal;
use crate::protocol::player::{MadeStep, Memo, Own, own_cards, secrets};
use crate::protocol::referee::Awaiting;
use crate::protocol::step::{REASONS, View};
use crate::protocol::{Hand, Step, Table};
use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::learn::{Event, learn};
use crate::rules::state::{Action, Phase};

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        let mut all = deck::cheats();
        all.extend(claims());
        all.extend(cards::cheats());
        all
    }

    fn staged(name: &str) -> Option<(Vec<u8>, Seat)> {
        let cheat = Self::cheats().into_iter().find(|cheat| cheat.name == name)?;
        let case = cases::CASES.iter().find(|case| case.cheat == name)?;
        let mut stage = case.stage(&cheat, Checks::default())?;
        let _ = case.play(&mut stage);
        Some((stage.export(), Seat(case.by)))
    }
}

/// A cheat that does something whose claim is false under a rule.
macro_rules! false_claim {
    ($name:literal, $rule:ident, $summary:literal) => {
        Cheat {
            name: $name,
            summary: $summary,
            check: Rule::$rule.name(),
            removable: true,
            tamper: |hand, table, context, made, rng| pretend(Rule::$rule, hand, table, context, made, rng),
        }
    };
}

fn claims() -> Vec<Cheat<Hand>> {
    vec![
        false_claim!("bid-without-honour", Honour, "bids without an honour"),
        false_claim!("empty-invit", Invit, "jumps in the auction without the tarokk that the jump promises"),
        false_claim!("empty-yield", Yield, "yields the game without the XX and the skíz or the XXI"),
        false_claim!("false-annulment", Annulment, "annuls a deal with a hand that does not allow it"),
        false_claim!("false-eight", Eight, "announces eight tarokks without holding them"),
        false_claim!("nine-as-eight", EightNotNine, "announces eight tarokks with nine in hand"),
        false_claim!("false-nine", Nine, "announces nine tarokks without holding them"),
        false_claim!("silent-count", CountDue, "announces pagát ultimo and keeps silent about eight or nine tarokks"),
        false_claim!("false-partner", Partner, "speaks for the declarer's side without the called tarokk"),
        false_claim!("false-opponent", Opponent, "speaks for the opponents with the called tarokk in hand"),
        false_claim!("false-call", Call, "calls a tarokk below the XX without holding all those in between"),
        false_claim!("silent-invit", ForcedUltimo, "gives an invit with only the pagát and announces no pagát ultimo"),
        false_claim!("no-suit", NoSuit, "plays a tarokk although it has a card of the suit led"),
        false_claim!("no-tarokk", NoTarokk, "plays a card of another suit although it has a tarokk"),
        false_claim!("pagat-given-up", PagatKept, "plays the pagát to a trick although it could play another card"),
    ]
}

/// Whether cards satisfy a claim: all that do not lie in the set of the rest can be pointed at.
fn holds(claim: &Claim, cards: CardSet) -> bool {
    let inside = cards.filter(|card| claim.inside.1.contains(card));
    let outside = claim.rest.map_or(CardSet::EMPTY, |(_, rest)| cards.without(rest));
    inside.len() >= claim.pointed && outside.is_within(inside) && outside.len() <= claim.pointed
}

pub(crate) fn set_of(own: &[Own]) -> CardSet {
    own.iter().filter_map(|(card, _)| Card::from_number(*card)).collect()
}

/// Everything that could be done now, allowed or not, with what it claims.
pub(crate) fn candidates(view: &View, own: CardSet) -> Vec<(Action, Vec<Claim>, Option<Event>)> {
    let (public, who) = (&view.public, view.who);
    match &public.phase {
        Phase::AwaitingCall(_) => Call::ALL
            .into_iter()
            .filter_map(|call| {
                Some((Action::Call(call), view.ledger.call(public, who, call)?, Some(Event::Called(who, call))))
            })
            .collect(),
        // Once: a bot that annuls every deal never comes to an end.
        Phase::AwaitingAnnulment(..) if public.results.is_empty() => {
            let claim = view.ledger.annulment(who, REASONS[3]);
            vec![(Action::Annul(true), vec![claim], None)]
        }
        Phase::AwaitingWord(..) => Token::all()
            .chain(Card::all().rev().map(Token::Call))
            .filter_map(|token| {
                Some((Action::Say(token), view.ledger.word(public, who, token)?, Some(Event::Said(who, token))))
            })
            .collect(),
        Phase::AwaitingCard(..) => own
            .iter()
            .filter_map(|card| Some((Action::Play(card), view.play(card)?, Some(Event::Played(who, card)))))
            .collect(),
        _ => Vec::new(),
    }
}

/// Does something that nobody can see to be wrong, but whose claim under a rule is false; only that one.
fn pretend(rule: Rule, hand: &Hand, table: &Table, context: &Context, made: MadeStep, rng: &mut Nonces) -> MadeStep {
    let attempt = || {
        let Awaiting::Game(deal) = &table.awaiting else { return None };
        let view = table.view(deal, table.player(hand.seat())?)?;
        let own = set_of(&hand.own);
        let false_under = |claim: &Claim, action: &Action| {
            let cards = match (claim.on, action) {
                (On::Dealt, _) => set_of(&hand.dealt),
                (On::Hand, Action::Play(card)) => own.without(CardSet::from([*card])),
                (On::Hand, _) => own,
            };
            !holds(claim, cards)
        };
        let is_chance = |(action, claims, event): &(Action, Vec<Claim>, Option<Event>)| {
            let lies: Vec<&Claim> = claims.iter().filter(|claim| false_under(claim, action)).collect();
            let named = |claim: &&Claim| claim.inside.0 == rule || claim.rest.is_some_and(|(rest, _)| rest == rule);
            let seen = event.is_none_or(|event| learn(table.known.clone(), &event).is_ok());
            seen && !lies.is_empty() && lies.iter().all(named) && told_apart(rule, claims, own)
        };
        candidates(&view, own).into_iter().find(is_chance).map(|(action, ..)| action)
    };
    match attempt().and_then(|action| lie(hand, table, context, &action, rng)) {
        Some(made) => made,
        None => made,
    }
}

/// Eight tarokks are shown by two proofs: seven are a false eight, nine are a false ninth card.
fn told_apart(rule: Rule, claims: &[Claim], own: CardSet) -> bool {
    match rule {
        Rule::Eight => own.tarokks().len() < 8,
        Rule::EightNotNine => own.tarokks().len() == 9 && claims.len() == 1,
        Rule::CountDue => own.tarokks().len() >= 8,
        _ => true,
    }
}

/// Makes the step of an action as if the hand held what the action claims.
pub(crate) fn lie(
    hand: &Hand,
    table: &Table,
    context: &Context,
    action: &Action,
    rng: &mut Nonces,
) -> Option<MadeStep> {
    let Awaiting::Game(deal) = &table.awaiting else { return None };
    let me = table.player(hand.seat())?;
    let view = table.view(deal, me)?;
    let mut cards = hand.cards(table)?;
    if let Action::Annul(true) = action {
        let claim = view.ledger.annulment(me, REASONS[3]);
        fake(&mut cards, &claim, CardSet::EMPTY);
        let evidence = claim.prove(&table.tools, &deal.key, &mut cards, &mut Challenger::new(context), rng)?;
        let zeros = hand.bits.iter().map(|s| *s.expose_secret()).take(view.zeros(REASONS[3])).collect();
        return Some(Made { step: Step::Annul(Some((REASONS[3], evidence, zeros))), memo: Memo::default() });
    }
    let claims = match action {
        Action::Call(call) => view.ledger.call(&view.public, me, *call)?,
        Action::Say(token) => view.ledger.word(&view.public, me, *token)?,
        Action::Play(card) => view.play(*card)?,
        _ => Vec::new(),
    };
    let (mut liar, mut needed) = (hand.clone(), CardSet::EMPTY);
    for claim in &claims {
        match claim.on {
            On::Dealt => {
                let mut dealt = own_cards(&liar.dealt, &deal.dealt[me.index()]);
                fake(&mut dealt, claim, CardSet::EMPTY);
                liar.dealt = secrets(&dealt);
            }
            On::Hand => {
                let kept = match action {
                    Action::Play(card) => cards.iter().position(|own| own.card == usize::from(card.number())),
                    _ => None,
                };
                let played = kept.map(|at| cards.remove(at));
                fake(&mut cards, claim, needed);
                if let (Some(at), Some(own)) = (kept, played) {
                    cards.insert(at, own);
                }
                needed = needed.union(claim.inside.1);
            }
        }
    }
    let mut made = liar.make_with(cards, table, context, action, rng)?;
    if let Some(hand) = &mut made.memo.hand {
        let evidence = match &made.step {
            Step::Call(_, evidence) | Step::Word(_, evidence) => &evidence[..],
            _ => &[],
        };
        let shuffled = evidence.iter().rev().find_map(|evidence| evidence.shuffled.as_ref());
        let codes = shuffled.map_or(&deal.hands[me.index()], |(codes, _)| &codes.0);
        restore(hand, codes, table, deal);
    }
    Some(made)
}

/// Gives cards other names until the claim looks true; names that an earlier claim needs stay.
pub(crate) fn fake(cards: &mut [OwnCard], claim: &Claim, keep: CardSet) {
    let named = |own: &OwnCard| Card::from_number(own.card as u8);
    let is_in = |own: &OwnCard, set: CardSet| named(own).is_some_and(|card| set.contains(card));
    let unused = |cards: &[OwnCard], set: CardSet| {
        let used: CardSet = cards.iter().filter_map(named).collect();
        set.without(used).iter().next().map(|card| usize::from(card.number()))
    };
    let inside = claim.inside.1;
    while cards.iter().filter(|own| is_in(own, inside)).count() < claim.pointed {
        let at = cards.iter().position(|own| !is_in(own, inside.union(keep)));
        let (Some(at), Some(name)) = (at, unused(cards, inside)) else { return };
        cards[at].card = name;
    }
    let Some((_, rest)) = claim.rest else { return };
    let mut pointed = claim.pointed;
    for at in 0..cards.len() {
        if pointed > 0 && is_in(&cards[at], inside) {
            pointed -= 1;
        } else if !is_in(&cards[at], rest)
            && let Some(name) = unused(cards, rest)
        {
            cards[at].card = name;
        }
    }
}

/// The real names again.
fn restore(own: &mut [Own], codes: &[Code], table: &Table, deal: &Deal) {
    for ((card, r), code) in own.iter_mut().zip(codes) {
        let face = Element::new(code.c2.point() - deal.key.element().point() * r.expose_secret());
        if let Some(real) = face.and_then(|face| table.tools.faces.find(&face)) {
            *card = real as u8;
        }
    }
}
