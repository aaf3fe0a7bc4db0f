//! A deal in words: the state in a few lines, and everything that happened.

use outis_game::words::Text;

use super::parts::Parts;
use super::text::{self, bid, card, cards, msg, seat};
use super::{caution, promises, score};
use crate::rules::announce::Token;
use crate::rules::auction::{Call, Contract};
use crate::rules::cards::Card;
use crate::rules::ending::Ending;
use crate::rules::facts::Trick;
use crate::rules::figures::{Side, with_kontra};
use crate::rules::knowledge::Knowledge;
use crate::rules::play::winner;
use crate::rules::seats::{Player, Seating};
use crate::rules::state::{Laid, Outcome, Phase, Public};
use crate::rules::talon::split;

/// The state in a few lines.
pub fn lines(k: &Knowledge) -> Vec<Text> {
    let public = &k.public;
    let parts = Parts::of(public);
    let seating = public.seating;
    let mut lines = Vec::new();
    if public.phase == Phase::Over {
        lines.push(msg("line.over"));
    } else {
        lines.extend(opening(public.results.len() + 1, seating, public.rounds.multiplier()));
    }
    if let (Some(contract), Some(announcing)) = (parts.contract, parts.announcing) {
        let who = seat(seating, contract.declarer);
        let line = match announcing.called() {
            Some(called) => msg("line.called").with("card", card(called)),
            None => msg("line.contract"),
        };
        lines.push(line.with("who", who).with("bid", bid(contract.bid)));
        if announcing.game_kontra() > 0 {
            let points = with_kontra(contract.bid.value(), announcing.game_kontra());
            let kontra = text::kontra(announcing.game_kontra());
            lines.push(msg("line.game_kontra").with("kontra", kontra).with("points", points));
        }
        for a in announcing.announcements() {
            lines.push(text::announced(a, with_kontra(a.figure.announced(contract.bid), a.kontra)));
        }
        let counted = Player::ALL.into_iter().filter_map(|p| Some((p, announcing.count(p)?)));
        lines.extend(counted.map(|(p, n)| text::says(seating, p, text::word(Token::Count(n), false))));
        let partner = Player::ALL.into_iter().filter(|p| *p != contract.declarer);
        for partner in partner.filter(|p| parts.known_side(*p) == Some(Side::Declarer)) {
            lines.push(msg("story.partner").with("who", seat(seating, partner)));
        }
    } else {
        let said = promises(&public.options, parts.calls);
        let said: Vec<Text> = said
            .into_iter()
            .map(|(who, call, promise)| text::says(seating, who, text::called(call, promise)))
            .collect();
        if !said.is_empty() {
            lines.push(msg("line.auction").with("calls", said));
        }
        if let Some(contract) = parts.contract {
            let line = msg("line.contract").with("who", seat(seating, contract.declarer));
            lines.push(line.with("bid", bid(contract.bid)));
        }
    }
    if let Some(plays) = parts.plays {
        let tricks = plays.tricks();
        let taken = Player::ALL.map(|p| {
            let n = tricks.iter().filter(|trick| trick.winner() == p).count();
            msg("line.taken.by").with("who", seat(seating, p)).with("n", n as i64)
        });
        if !tricks.is_empty() {
            lines.push(msg("line.taken").with("list", taken.to_vec()));
        }
        let trick: Vec<Text> = plays.on_table().iter().map(|(p, c)| text::says(seating, *p, card(*c))).collect();
        if !trick.is_empty() {
            lines.push(msg("line.trick").with("n", tricks.len() as i64 + 1).with("cards", trick));
        }
    }
    lines.extend(hand(k));
    lines.extend(caution::duties(k));
    lines.extend(scores(public));
    lines.extend(ending(public.ending));
    lines
}

/// The observer's hand.
pub fn hand(k: &Knowledge) -> Option<Text> {
    let cards_in_hand = k.cards.as_ref()?.hand;
    (!cards_in_hand.is_empty()).then(|| msg("line.hand").with("cards", cards(cards_in_hand)))
}

/// The scores, and what counts double.
pub fn scores(public: &Public) -> Vec<Text> {
    let list: Vec<Text> = (0u8..).zip(&public.scores).map(|(seat, points)| score::score(seat, *points)).collect();
    let mut lines = vec![msg("line.scores").with("list", list)];
    if !public.rounds.left().is_empty() {
        let left: Vec<Text> =
            public.rounds.left().iter().map(|n| msg("line.rounds.one").with("n", i64::from(*n))).collect();
        lines.push(msg("line.rounds").with("list", left));
    }
    lines
}

fn ending(ending: Ending) -> Option<Text> {
    match ending {
        Ending::Open | Ending::Over => None,
        Ending::Said => Some(msg("ending.said")),
        Ending::Watching => Some(msg("ending.watching")),
        Ending::Holder { seat, has_dealt: false } => Some(msg("ending.holder").with("who", outis_table::Seat(seat))),
        Ending::Holder { seat, has_dealt: true } => Some(msg("ending.dealt").with("who", outis_table::Seat(seat))),
    }
}

/// What happened between two moments: what the observer alone learnt, and what everyone heard.
pub fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
    let (old, new) = (before.public.results.len(), after.public.results.len());
    let mut news = Vec::new();
    for deal in old..=new {
        let told = tell(&after.public, deal);
        let known = if deal == old { tell(&before.public, deal) } else { Vec::new() };
        let known = told.iter().zip(&known).take_while(|(now, then)| now == then).count();
        news.extend(told.into_iter().skip(known));
    }
    if let Some(cards) = &after.cards {
        let known = before.cards.as_ref().filter(|_| old == new).copied().unwrap_or_default();
        let took = cards.hand.without(known.hand);
        if known.dealt != cards.dealt {
            news.push(msg("story.drew").with("cards", text::cards(cards.dealt)));
        } else if !took.is_empty() {
            news.push(msg("story.took").with("cards", text::cards(took)));
        }
    }
    let said =
        (before.public.ending == Ending::Open && after.public.ending != Ending::Open).then(|| msg("ending.told"));
    let holder = match (before.public.ending, after.public.ending) {
        (Ending::Holder { .. }, _) => None,
        (_, holder @ Ending::Holder { .. }) => ending(holder),
        _ => None,
    };
    news.extend(said.into_iter().chain(holder));
    news
}

/// Everything that everyone knows about a deal, counted from 0, in the order in which it happened. The events of a
/// deal only grow while it lasts; of an annulled one, the discards are forgotten.
pub fn tell(public: &Public, deal: usize) -> Vec<Text> {
    let mut told = Vec::new();
    let Some(result) = public.results.get(deal) else {
        if deal > public.results.len() || matches!(public.phase, Phase::AwaitingDeal | Phase::Over) {
            return told;
        }
        let parts = Parts::of(public);
        let seating = public.seating;
        told.extend(opening(deal + 1, seating, public.rounds.multiplier()));
        tell_auction(public, seating, parts.calls, parts.contract, &mut told);
        tell_laid(seating, parts.contract, parts.laid, &mut told);
        if let Some(announcing) = parts.announcing {
            tell_words(seating, announcing.said(), &mut told);
        }
        if let (Some(plays), Some(announcing)) = (parts.plays, parts.announcing) {
            tell_plays(seating, plays.all(), announcing.called(), &mut told);
        }
        return told;
    };
    let seating = result.seating;
    told.extend(opening(deal + 1, seating, result.multiplier));
    match &result.outcome {
        Outcome::Played(played) => {
            let contract = &played.contract;
            tell_auction(public, seating, &result.calls, Some(contract), &mut told);
            let numbers = played.discards.map(|discard| discard.tarokks().len());
            let shown = played.discards[contract.declarer.index()].tarokks();
            let by_others = numbers.iter().sum::<usize>() - shown.len();
            let laid = Laid { shown, by_others, by_player: (seating.seats() == 4).then_some(numbers) };
            tell_laid(seating, Some(contract), Some(&laid), &mut told);
            tell_words(seating, played.announcing.said(), &mut told);
            let plays = played.tricks.iter().flat_map(|trick: &Trick| {
                trick.cards.iter().enumerate().map(|(i, card)| (trick.leader.after(i), *card))
            });
            tell_plays(seating, &plays.collect::<Vec<_>>(), played.announcing.called(), &mut told);
        }
        Outcome::ThrownIn => tell_auction(public, seating, &result.calls, None, &mut told),
        Outcome::FailedTrial(..) | Outcome::Annulled(_) => {
            let contract = contract_of(public, &result.calls);
            tell_auction(public, seating, &result.calls, contract.as_ref(), &mut told);
        }
    }
    told.extend(score::account(result));
    told
}

fn contract_of(public: &Public, calls: &[(Player, Call)]) -> Option<Contract> {
    let mut auction = crate::rules::auction::Auction::new(public.options);
    for (who, call) in calls {
        auction.say(*who, *call);
    }
    match auction.outcome() {
        Some(crate::rules::auction::Outcome::Won(contract)) => Some(contract),
        _ => None,
    }
}

fn opening(n: usize, seating: Seating, multiplier: i64) -> Vec<Text> {
    let text = match seating.sitting_out() {
        Some(_) => msg("story.deal_five"),
        None => msg("story.deal"),
    };
    let mut told = vec![text.with("n", n as i64).with("who", outis_table::Seat(seating.dealer()))];
    if multiplier > 1 {
        told.push(msg("story.factor").with("n", multiplier));
    }
    told
}

fn tell_auction(
    public: &Public,
    seating: Seating,
    calls: &[(Player, Call)],
    contract: Option<&Contract>,
    told: &mut Vec<Text>,
) {
    for (who, call, promise) in promises(&public.options, calls) {
        told.push(text::says(seating, who, text::called(call, promise)));
    }
    let Some(contract) = contract else { return };
    let declarer = seat(seating, contract.declarer);
    told.push(msg("story.contract").with("who", declarer).with("bid", bid(contract.bid)));
    let shares = split(contract.declarer, contract.bid);
    let taken = contract
        .declarer
        .round()
        .map(|p| msg("story.talon.one").with("who", seat(seating, p)).with("n", shares[p.index()] as i64));
    told.push(msg("story.talon").with("list", taken.to_vec()));
}

fn tell_laid(seating: Seating, contract: Option<&Contract>, laid: Option<&Laid>, told: &mut Vec<Text>) {
    let (Some(contract), Some(laid)) = (contract, laid) else { return };
    let declarer = contract.declarer;
    if !laid.shown.is_empty() {
        told.push(msg("story.shown").with("who", seat(seating, declarer)).with("cards", cards(laid.shown)));
    }
    match laid.by_player {
        _ if laid.by_others == 0 => {
            told.push(msg(if laid.shown.is_empty() { "story.laid.nobody" } else { "story.laid.none" }));
        }
        Some(numbers) => {
            for p in Player::ALL.into_iter().filter(|p| *p != declarer && numbers[p.index()] > 0) {
                told.push(msg("story.laid").with("who", seat(seating, p)).with("n", numbers[p.index()] as i64));
            }
        }
        None => told.push(msg("story.laid.others").with("n", laid.by_others as i64)),
    }
}

/// Every finished turn is one line.
fn tell_words(seating: Seating, said: &[(Player, Token)], told: &mut Vec<Text>) {
    let mut turn: Vec<Text> = Vec::new();
    for (who, word) in said {
        let text = text::word(*word, turn.is_empty());
        turn.push(text);
        if *word == Token::Pass {
            told.push(msg("speech").with("who", seat(seating, *who)).with("what", core::mem::take(&mut turn)));
        }
    }
}

fn tell_plays(seating: Seating, plays: &[(Player, Card)], called: Option<Card>, told: &mut Vec<Text>) {
    told.push(msg("story.lead").with("who", seat(seating, Player::FIRST)));
    for (n, trick) in (1..).zip(plays.chunks(4)) {
        for (who, played) in trick {
            told.push(text::says(seating, *who, card(*played)));
        }
        let [leader, _, _, _] = trick else { continue };
        let cards: Vec<Card> = trick.iter().map(|(_, card)| *card).collect();
        let taker = leader.0.after(winner(&cards));
        let points: u8 = cards.iter().map(|card| card.points()).sum();
        let text = msg("story.trick").with("n", n).with("who", seat(seating, taker));
        told.push(text.with("points", i64::from(points)));
        if let Some((partner, card)) = trick.iter().find(|(_, card)| Some(*card) == called) {
            told.push(msg("story.called_shown").with("who", seat(seating, *partner)).with("card", text::card(*card)));
        }
    }
}
