//! Cheats with discards, the trial bid and played cards.

use outis_crypto::card::OwnCard;
use outis_crypto::challenger::Challenger;
use outis_crypto::challenger::Nonces;
use outis_crypto::deck::{CardOpening, create};
use outis_table::Context;
use outis_table::cheat::Cheat;
use outis_table::game::Made;

use super::deck::instead;
use super::{fake, lie, restore, set_of};
use crate::protocol::claim::{laid_coloured, tarokks};
use crate::protocol::evidence::divide;
use crate::protocol::player::{MadeStep, Memo, own_cards, secrets};
use crate::protocol::referee::Awaiting;
use crate::protocol::step::{Step, Tell};
use crate::protocol::{Hand, Table};
use crate::rules::announce::{Target, Token};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::figures::Figure;
use crate::rules::state::{Action, Phase};

pub(super) fn cheats() -> Vec<Cheat<Hand>> {
    vec![
        Cheat {
            name: "king-discard",
            summary: "discards a king and passes it off as another suit card",
            check: "coloured-discard",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                lay_away(Card::is_king, hand, table, context, made, rng, |laid| {
                    name_as(laid, Card::is_king, laid_coloured())
                })
            },
        },
        Cheat {
            name: "hidden-tarokk",
            summary: "discards a tarokk and passes it off as a suit card",
            check: "coloured-discard",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let plain = |card: Card| card.is_tarokk() && !card.is_honour();
                lay_away(plain, hand, table, context, made, rng, |laid| name_as(laid, Card::is_tarokk, laid_coloured()))
            },
        },
        Cheat {
            name: "honour-discard",
            summary: "discards an honour and passes it off as another tarokk",
            check: "tarokk-discard",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let allowed = |laid: &mut [OwnCard]| {
                    name_as(laid, Card::is_honour, tarokks().filter(|card| !card.is_honour()));
                };
                lay_away(Card::is_honour, hand, table, context, made, rng, allowed)
            },
        },
        Cheat {
            name: "false-bit",
            summary: "at a table of five, discards a tarokk and does not count it",
            check: "discard-bit",
            removable: true,
            tamper: |hand, table, context, made, rng| match &made.step {
                Step::Tell(Tell::Bits(_)) => {
                    let told = tell_as(hand, table, context, rng, |laid| {
                        name_as(laid, Card::is_tarokk, laid_coloured());
                    });
                    let lied = !set_of(&hand.laid).tarokks().is_empty();
                    told.filter(|_| lied).unwrap_or(made)
                }
                Step::Discard(..) => {
                    let plain = |card: Card| card.is_tarokk() && !card.is_honour();
                    lay_away(plain, hand, table, context, made, rng, |_| {})
                }
                _ => made,
            },
        },
        Cheat {
            name: "false-show",
            summary: "as declarer, shows a different tarokk from the one it discarded",
            check: "shown-discard",
            removable: true,
            tamper: |_, table, _, made, rng| match (&made.step, &table.awaiting) {
                (Step::Tell(Tell::Counted { tarokks, shown, inside, rest, shuffled }), Awaiting::Game(deal))
                    if !shown.is_empty() =>
                {
                    let other = (1..20).find(|card| shown.iter().all(|opening| opening.card != *card)).unwrap_or(1);
                    let Some(own) = create(&deal.key, &table.tools.faces, other.into(), rng) else { return made };
                    let (mut shown, inside, rest) = (shown.clone(), inside.clone(), rest.clone());
                    shown[0] = CardOpening::new(&own);
                    let (tarokks, shuffled) = (tarokks.clone(), shuffled.clone());
                    let tell = Tell::Counted { tarokks, shown, inside, rest, shuffled };
                    Made { step: Step::Tell(tell), memo: made.memo }
                }
                _ => made,
            },
        },
        Cheat {
            name: "false-trial",
            summary: "bids after three passes, finds no honour in the talon, and claims one; or finds one and denies it",
            check: "trial",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let other = false_trial(hand, table, context, &made, rng);
                other.unwrap_or(made)
            },
        },
        Cheat {
            name: "pagat-led",
            summary: "announces pagát ultimo, then leads the pagát while it has other cards",
            check: "pagat-led",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let public = table.public();
                let pagat = set_of(&hand.own).contains(Card::PAGAT);
                let action = match &public.phase {
                    Phase::AwaitingWord(..) if pagat => Action::Say(Token::Announce(Figure::PagatUltimo)),
                    Phase::AwaitingCard(_, plays) if pagat && plays.led().is_none() => Action::Play(Card::PAGAT),
                    _ => return made,
                };
                let honest = match &public.phase {
                    // Only where the rules let it announce.
                    Phase::AwaitingWord(..) => hand.make(table, context, &action, rng).filter(|_| can(hand, &action)),
                    _ => lie(hand, table, context, &action, rng)
                        .map(|lie| Made { step: lie.step, memo: Memo::default() }),
                };
                honest.unwrap_or(made)
            },
        },
        Cheat {
            name: "own-kontra",
            summary: "is sure to win and says kontra to its own side's game",
            check: "rules",
            // What everyone can see is refused by the rules themselves.
            removable: false,
            tamper: |hand, table, context, made, rng| match &table.public().phase {
                Phase::AwaitingWord(exchanged, announcing)
                    if announcing.called().is_some()
                        && table.player(hand.seat()) == Some(exchanged.contract.declarer) =>
                {
                    let kontra = Action::Say(Token::Kontra(1, Target::Game));
                    lie(hand, table, context, &kontra, rng).unwrap_or(made)
                }
                _ => made,
            },
        },
        Cheat {
            name: "foreign-card",
            summary: "plays a card that it was not dealt",
            check: "card",
            removable: true,
            tamper: |hand, table, _, made, rng| match (&made.step, &table.awaiting) {
                (Step::Play(at, _, evidence), Awaiting::Game(deal)) if evidence.is_empty() => {
                    let played = match &table.public().phase {
                        Phase::AwaitingCard(_, plays) => plays.all().iter().map(|(_, card)| *card).collect(),
                        _ => CardSet::EMPTY,
                    };
                    let led = match &table.public().phase {
                        Phase::AwaitingCard(_, plays) => plays.led(),
                        _ => None,
                    };
                    let free = CardSet::ALL.without(set_of(&hand.own)).without(played);
                    let fits = |card: &Card| led.is_none_or(|led| led.suit() == card.suit());
                    let wished = free.iter().find(fits).map(|card| usize::from(card.number()));
                    let own = wished.and_then(|card| create(&deal.key, &table.tools.faces, card, rng));
                    match own {
                        Some(own) => {
                            Made { step: Step::Play(*at, CardOpening::new(&own), Vec::new()), memo: made.memo }
                        }
                        None => made,
                    }
                }
                _ => made,
            },
        },
        Cheat {
            name: "false-opening",
            summary: "opens different cards from those it discarded",
            check: "open",
            // Where another card is opened, one is there twice: a second check sees that.
            removable: false,
            tamper: |_, table, _, made, rng| match (&made.step, &table.awaiting) {
                (Step::Open(openings), Awaiting::Game(deal)) if !openings.is_empty() => {
                    let mut openings = openings.clone();
                    let other = (openings[0].card + 1) % 42;
                    if let Some(own) = create(&deal.key, &table.tools.faces, other.into(), rng) {
                        openings[0] = CardOpening::new(&own);
                    }
                    Made { step: Step::Open(openings), memo: made.memo }
                }
                _ => made,
            },
        },
        Cheat {
            name: "missing-kontra",
            summary: "discards the called tarokk and does not say kontra to the game",
            check: "forced-kontra",
            removable: true,
            tamper: |hand, table, context, made, rng| match (&made.step, &table.public().phase) {
                (Step::Word(..), Phase::AwaitingWord(_, announcing))
                    if announcing.called().is_some_and(|card| set_of(&hand.laid).contains(card)) =>
                {
                    let pass = lie(hand, table, context, &Action::Say(Token::Pass), rng);
                    pass.unwrap_or(made)
                }
                _ => made,
            },
        },
    ]
}

/// Whether the rules let this hand do something.
fn can(hand: &Hand, action: &Action) -> bool {
    use outis_table::game::{Player, Rules};
    crate::rules::table::Tarokk::legal(hand.knowledge()).contains(action)
}

/// Gives the first card of a kind another name out of a set.
fn name_as(laid: &mut [OwnCard], kind: fn(Card) -> bool, set: CardSet) {
    let used: CardSet = laid.iter().filter_map(|own| Card::from_number(own.card as u8)).collect();
    let own = laid.iter_mut().find(|own| Card::from_number(own.card as u8).is_some_and(kind));
    if let (Some(own), Some(name)) = (own, set.without(used).iter().next()) {
        own.card = name.number().into();
    }
}

/// Discards a card of a kind, and reports it as the lie makes it look.
fn lay_away(
    kind: fn(Card) -> bool,
    hand: &Hand,
    table: &Table,
    context: &Context,
    made: MadeStep,
    rng: &mut Nonces,
    lie: impl FnOnce(&mut [OwnCard]),
) -> MadeStep {
    let is_kind = |card: &u8| Card::from_number(*card).is_some_and(kind);
    match (&made.step, &made.memo.hand, &made.memo.laid) {
        (Step::Discard(proof, places), Some(kept), Some(laid)) => {
            // The whole hand in the order of its codes, and the first card of the kind in it.
            let (mut kept, mut laid) = (kept.iter(), laid.iter());
            let n = kept.len() + laid.len();
            let all: Vec<_> = (0..n as u8)
                .filter_map(|at| if places.contains(&at) { laid.next() } else { kept.next() }.cloned())
                .collect();
            let Some(at) = all.iter().position(|(card, _)| is_kind(card)) else { return made };
            let mut places = places.clone();
            if !places.contains(&(at as u8)) {
                places[0] = at as u8;
                places.sort_unstable();
            }
            let (laid, kept) = divide(&all, &places);
            let memo = Memo { hand: Some(kept), laid: Some(laid), ..Memo::default() };
            Made { step: Step::Discard(proof.clone(), places), memo }
        }
        (Step::Tell(Tell::Counted { .. }), ..) if hand.laid.iter().any(|(card, _)| is_kind(card)) => {
            match tell_as(hand, table, context, rng, lie) {
                Some(told) => told,
                None => made,
            }
        }
        _ => made,
    }
}

/// Reports the discards under other names.
fn tell_as(
    hand: &Hand,
    table: &Table,
    context: &Context,
    rng: &mut Nonces,
    lie: impl FnOnce(&mut [OwnCard]),
) -> Option<MadeStep> {
    let Awaiting::Game(deal) = &table.awaiting else { return None };
    let me = table.player(hand.seat())?;
    let mut laid = own_cards(&hand.laid, &deal.laid[me.index()]);
    lie(&mut laid);
    hand.tell_of(&laid, table, deal, &table.view(deal, me)?, &mut Challenger::new(context), rng)
}

fn false_trial(hand: &Hand, table: &Table, context: &Context, made: &MadeStep, rng: &mut Nonces) -> Option<MadeStep> {
    let (Step::Trial(honour, ..), Awaiting::Game(deal)) = (&made.step, &table.awaiting) else { return None };
    let (mut challenger, mut cards) = (Challenger::new(context), hand.cards(table)?);
    let (codes, proof) = hand.merge(table, deal, &mut cards, &mut challenger, rng)?;
    let claim = deal.ledger.trial(cards.len(), !honour);
    fake(&mut cards, &claim, CardSet::EMPTY);
    let evidence = claim.prove(&table.tools, &deal.key, &mut cards, &mut challenger, rng)?;
    let mut own = secrets(&cards);
    let after = evidence.shuffled.as_ref().map_or(&codes.0, |(codes, _)| &codes.0);
    restore(&mut own, after, table, deal);
    let memo = Memo { hand: Some(own), ..Memo::default() };
    Some(instead(
        Made { step: made.step.clone(), memo },
        Some(Made { step: Step::Trial(!honour, codes, proof, evidence), memo: Memo::default() }),
    ))
}
