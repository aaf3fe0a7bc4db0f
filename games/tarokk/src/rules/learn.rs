//! What an observer learns, event by event. Shares only the end of a deal with [`super::game`], so that a test can compare
//! what was learnt with the full state.

use super::announce::{Announcing, Speaker, Token};
use super::auction::{Auction, Call, Outcome as AuctionOutcome};
use super::call::check_call;
use super::cards::Card;
use super::cardset::CardSet;
use super::discard::AnnulmentReason;
use super::ending::Ending;
use super::figures::Side;
use super::illegal::Illegal;
use super::knowledge::{Cards, Knowledge};
use super::options::Options;
use super::rounds::DoubleRounds;
use super::seats::{Player, Seating};
use super::settle::failed_trial;
use super::state::{Exchanged, Laid, Outcome, Phase, Plays, Public, Spoken};
use super::talon::split;

/// Something that an observer gets to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Everyone has nine cards.
    Dealt,
    /// To one seat: these are mine.
    Drew(CardSet),
    /// A call in the auction.
    Called(Player, Call),
    /// To one seat: what I took from the talon.
    Took(CardSet),
    /// The trial bidder has no honour (TK-43).
    TrialFailed,
    /// To one seat: what I discarded.
    LaidAway(CardSet),
    /// A player has discarded its cards.
    Discarded(Player),
    /// When all have: the tarokks among them (TK-48).
    Told(Laid),
    /// A player annuls for some reason, or plays on.
    Answered(Player, Option<AnnulmentReason>),
    /// A word in the announcements.
    Said(Player, Token),
    /// A card.
    Played(Player, Card),
    /// A player claims its number of tarokks late, or does not.
    Claimed(Player, bool),
    /// After play: all discards.
    Opened([CardSet; 4]),
    /// *Skíz oszt, nem oszt*.
    EndSaid,
}

/// What an observer knows before anything happened.
pub fn initial_knowledge(options: Options, seating: Seating, seat: Option<u8>) -> Knowledge {
    let public = Public {
        options,
        seating,
        rounds: DoubleRounds::default(),
        ending: Ending::Open,
        scores: vec![0; usize::from(seating.seats())],
        phase: Phase::AwaitingDeal,
        calls: Vec::new(),
        results: Vec::new(),
    };
    Knowledge { public, seat, cards: None }
}

/// What an observer knows after an event. An event that cannot be, judged by what is public, is refused.
pub fn learn(mut k: Knowledge, event: &Event) -> Result<Knowledge, Illegal> {
    let me = k.seat.and_then(|seat| k.public.seating.player(seat));
    let public = &mut k.public;
    if let (Event::EndSaid, Ending::Open) = (event, public.ending) {
        public.ending = Ending::Said;
        return Ok(k);
    }
    public.phase = match (public.phase.clone(), *event) {
        (Phase::AwaitingDeal, Event::Dealt) => {
            public.ending = public.ending.before_deal();
            k.cards = me.map(|_| Cards::default());
            Phase::AwaitingCall(Auction::new(public.options))
        }
        (phase @ Phase::AwaitingCall(_), Event::Drew(cards)) => {
            k.cards = Some(Cards { dealt: cards, hand: cards, ..Cards::default() });
            phase
        }
        (Phase::AwaitingCall(mut auction), Event::Called(who, call)) => {
            // With the whole pack in hand only what everyone can see decides.
            auction.check(who, CardSet::ALL, call)?;
            auction.say(who, call);
            let outcome = auction.outcome();
            if outcome.is_some() {
                public.calls = auction.calls().to_vec();
            }
            match outcome {
                None => Phase::AwaitingCall(auction),
                Some(AuctionOutcome::ThrownIn) => return Ok(k.close(Outcome::ThrownIn, [0; 4])),
                Some(AuctionOutcome::Won(contract)) => {
                    let done = split(contract.declarer, contract.bid).map(|due| due == 0);
                    if let (Some(me), Some(cards)) = (me, &mut k.cards)
                        && done[me.index()]
                    {
                        cards.kept = cards.hand;
                    }
                    Phase::AwaitingDiscards(contract, done)
                }
            }
        }
        (Phase::AwaitingDiscards(contract, _), Event::TrialFailed) if contract.trial => {
            let lost = failed_trial(contract.declarer, contract.bid);
            return Ok(k.close(Outcome::FailedTrial(contract.declarer, contract.bid), lost));
        }
        (phase @ Phase::AwaitingDiscards(..), Event::Took(taken)) => {
            let cards = k.cards.as_mut().ok_or(Illegal::SitsOut)?;
            cards.hand = cards.hand.union(taken);
            phase
        }
        (phase @ Phase::AwaitingDiscards(..), Event::LaidAway(discard)) => {
            let cards = k.cards.as_mut().ok_or(Illegal::SitsOut)?;
            let kept = cards.hand.without(discard);
            *cards = Cards { discard, hand: kept, kept, ..*cards };
            phase
        }
        (Phase::AwaitingDiscards(contract, mut done), Event::Discarded(who)) if !done[who.index()] => {
            done[who.index()] = true;
            Phase::AwaitingDiscards(contract, done)
        }
        (Phase::AwaitingDiscards(contract, [true, true, true, true]), Event::Told(laid)) => {
            if laid.by_player.is_some() != (public.seating.seats() == 4) {
                return Err(Illegal::Now);
            }
            Phase::AwaitingAnnulment(Exchanged { contract, laid }, [None; 4])
        }
        (Phase::AwaitingAnnulment(exchanged, mut answers), Event::Answered(who, answer)) => {
            if answers[who.index()].replace(answer).is_some() {
                return Err(Illegal::Now);
            }
            let contract = exchanged.contract;
            match answers {
                _ if answers.iter().any(Option::is_none) => Phase::AwaitingAnnulment(exchanged, answers),
                [Some(None), Some(None), Some(None), Some(None)] => {
                    Phase::AwaitingWord(exchanged, Announcing::new(contract.declarer, contract.known_partner()))
                }
                _ => return Ok(k.close(Outcome::Annulled(answers.map(Option::flatten)), [0; 4])),
            }
        }
        (Phase::AwaitingWord(exchanged, announcing), Event::Said(who, token)) => {
            hear(exchanged, announcing, who, token)?
        }
        (Phase::AwaitingCard(spoken, mut plays), Event::Played(who, card)) => {
            if plays.turn() != who {
                return Err(Illegal::Turn(plays.turn()));
            }
            if plays.all().iter().any(|(_, played)| *played == card) {
                return Err(Illegal::NotInHand(card));
            }
            plays.push(who, card);
            if let (true, Some(cards)) = (me == Some(who), &mut k.cards) {
                cards.hand.remove(card);
            }
            if plays.all().len() == 36 {
                let answers = Player::ALL.map(|who| {
                    let may = public.options.late_claims && spoken.may_claim(&plays, who);
                    (!may).then_some(false)
                });
                Phase::AwaitingClaims(spoken, plays, answers)
            } else {
                Phase::AwaitingCard(spoken, plays)
            }
        }
        (Phase::AwaitingClaims(spoken, plays, mut answers), Event::Claimed(who, answer)) => {
            if answers[who.index()].replace(answer).is_some() {
                return Err(Illegal::Now);
            }
            Phase::AwaitingClaims(spoken, plays, answers)
        }
        (Phase::AwaitingClaims(spoken, plays, answers), Event::Opened(discards)) if !answers.contains(&None) => {
            public.close_played(spoken, &plays, answers, discards);
            k.cards = None;
            return Ok(k);
        }
        _ => return Err(Illegal::Now),
    };
    Ok(k)
}

impl Knowledge {
    fn close(mut self, outcome: Outcome, payments: [i64; 4]) -> Self {
        self.public.close(outcome, payments);
        self.cards = None;
        self
    }
}

/// A word that could be true for someone: how many tarokks its speaker has, and on which side it is as long as there is any
/// doubt about that, is its own affair. A player who is known to be on one side does not say kontra for the other.
fn hear(exchanged: Exchanged, mut announcing: Announcing, who: Player, token: Token) -> Result<Phase, Illegal> {
    let mut verdict = Err(Illegal::Now);
    let certain = announcing.certain_side(who);
    for side in Side::BOTH.into_iter().filter(|side| certain.is_none_or(|certain| certain == *side)) {
        for tarokks in 0..=9 {
            let speaker = Speaker { side, tarokks, must_kontra: false, must_ultimo: false };
            verdict = verdict.or_else(|_| announcing.check(who, &speaker, token));
        }
    }
    verdict?;
    announcing.say(who, token);
    if let Token::Call(card) = token {
        // Whether the declarer holds the tarokks in between is proved elsewhere; what the auction obliges to is public.
        if let Some(obliged) = exchanged.contract.must_call() {
            check_call(CardSet::EMPTY, exchanged.laid.by_others, Some(obliged), card)?;
        }
        let others = Player::ALL.into_iter().filter(|player| *player != who);
        if exchanged.laid.shown.contains(card) {
            for player in others {
                announcing.make_known(player, Side::Opponents);
            }
        }
    }
    if announcing.turn().is_some() {
        return Ok(Phase::AwaitingWord(exchanged, announcing));
    }
    let spoken = Spoken { contract: exchanged.contract, laid: exchanged.laid, announcing };
    Ok(Phase::AwaitingCard(spoken, Plays::default()))
}
