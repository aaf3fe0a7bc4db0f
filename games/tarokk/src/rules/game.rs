//! A whole table, with the full state in one place: for tests, for selfplay, and for the audit after a game.

use super::announce::{Announcing, Token};
use super::auction::{Auction, Contract, Outcome as AuctionOutcome};
use super::cards::Card;
use super::cardset::CardSet;
use super::deal::Deck;
use super::discard::{AnnulmentReason, annulment};
use super::ending::Ending;
use super::figures::Side;
use super::illegal::Illegal;
use super::knowledge::{Cards, check};
use super::options::Options;
use super::rounds::DoubleRounds;
use super::seats::{Player, Seating};
use super::settle::failed_trial;
use super::state::{Action, Exchanged, Laid, Outcome, Phase, Plays, Public, Spoken};
use super::talon::{share, split};

/// The full state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullState {
    public: Public,
    talon: [Card; 6],
    cards: [Cards; 4],
}

/// A table before the first deal.
pub fn start(options: Options, seating: Seating) -> FullState {
    let public = Public {
        options,
        seating,
        rounds: DoubleRounds::default(),
        ending: Ending::Open,
        scores: vec![0; seating.seats().into()],
        phase: Phase::AwaitingDeal,
        calls: Vec::new(),
        results: Vec::new(),
    };
    FullState { public, talon: [Card::PAGAT; 6], cards: [Cards::default(); 4] }
}

/// Whether the next order of the pack is awaited.
pub fn awaits_chance(state: &FullState) -> bool {
    state.public.phase == Phase::AwaitingDeal
}

/// Deals.
pub fn chance(state: &mut FullState, deck: &Deck) -> Result<(), Illegal> {
    if !awaits_chance(state) {
        return Err(Illegal::Now);
    }
    let dealt = deck.deal();
    state.talon = dealt.talon;
    state.cards = dealt.hands.map(|hand| Cards { dealt: hand, hand, ..Cards::default() });
    state.public.ending = state.public.ending.before_deal();
    state.public.phase = Phase::AwaitingCall(Auction::new(state.public.options));
    Ok(())
}

/// A seat does something. What is refused changes nothing.
pub fn apply(state: &mut FullState, seat: u8, action: &Action) -> Result<(), Illegal> {
    check(&state.public, seat, state.cards_at(seat), action)?;
    if *action == Action::EndTable {
        state.public.ending = Ending::Said;
        return Ok(());
    }
    let Some(who) = state.public.seating.player(seat) else { return Err(Illegal::SitsOut) };
    let at = who.index();
    match (core::mem::replace(&mut state.public.phase, Phase::AwaitingDeal), action) {
        (Phase::AwaitingCall(mut auction), Action::Call(call)) => {
            auction.say(who, *call);
            let outcome = auction.outcome();
            if outcome.is_some() {
                state.public.calls = auction.calls().to_vec();
            }
            match outcome {
                None => state.public.phase = Phase::AwaitingCall(auction),
                Some(AuctionOutcome::ThrownIn) => state.public.close(Outcome::ThrownIn, [0; 4]),
                Some(AuctionOutcome::Won(contract)) => state.share_talon(contract),
            }
        }
        (Phase::AwaitingDiscards(contract, mut done), Action::Discard(discard)) => {
            state.cards[at].lay_away(*discard);
            done[at] = true;
            state.after_discard(contract, done);
        }
        (Phase::AwaitingAnnulment(exchanged, mut answers), Action::Annul(answer)) => {
            let cards = &state.cards[at];
            answers[at] = Some(if *answer { annulment(cards.kept, cards.discard).ok() } else { None });
            state.after_annulment(exchanged, answers);
        }
        (Phase::AwaitingWord(exchanged, mut announcing), Action::Say(token)) => {
            announcing.say(who, *token);
            if let Token::Call(card) = token
                && exchanged.laid.shown.contains(*card)
            {
                // Everyone sees that the declarer called what it discarded itself.
                for player in Player::ALL.into_iter().filter(|player| *player != who) {
                    announcing.make_known(player, Side::Opponents);
                }
            }
            state.public.phase = if announcing.turn().is_some() {
                Phase::AwaitingWord(exchanged, announcing)
            } else {
                let Exchanged { contract, laid } = exchanged;
                Phase::AwaitingCard(Spoken { contract, laid, announcing }, Plays::default())
            };
        }
        (Phase::AwaitingCard(spoken, mut plays), Action::Play(card)) => {
            state.cards[at].hand.remove(*card);
            plays.push(who, *card);
            state.after_play(spoken, plays);
        }
        (Phase::AwaitingClaims(spoken, plays, mut answers), Action::Claim(answer)) => {
            answers[at] = Some(*answer);
            state.after_claims(spoken, plays, answers);
        }
        (phase, _) => {
            state.public.phase = phase;
            return Err(Illegal::Now);
        }
    }
    Ok(())
}

impl Cards {
    fn lay_away(&mut self, discard: CardSet) {
        self.discard = discard;
        self.hand = self.hand.without(discard);
        self.kept = self.hand;
    }
}

impl FullState {
    /// What everyone knows.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The cards of the player at a seat, while a deal is going on.
    pub fn cards_at(&self, seat: u8) -> Option<&Cards> {
        if matches!(self.public.phase, Phase::AwaitingDeal | Phase::Over) {
            return None;
        }
        self.public.seating.player(seat).map(|player| &self.cards[player.index()])
    }

    /// Everyone takes from the talon (TK-46). A trial bid that finds no honour has lost (TK-43).
    fn share_talon(&mut self, contract: Contract) {
        let shares = share(&self.talon, contract.declarer, contract.bid);
        for (cards, share) in self.cards.iter_mut().zip(shares) {
            cards.hand = cards.hand.union(share);
        }
        if contract.trial && !self.cards[contract.declarer.index()].hand.has_honour() {
            let lost = failed_trial(contract.declarer, contract.bid);
            return self.public.close(Outcome::FailedTrial(contract.declarer, contract.bid), lost);
        }
        let due = split(contract.declarer, contract.bid);
        for (cards, _) in self.cards.iter_mut().zip(due).filter(|(_, due)| *due == 0) {
            cards.lay_away(CardSet::EMPTY);
        }
        self.after_discard(contract, due.map(|due| due == 0));
    }

    fn after_discard(&mut self, contract: Contract, done: [bool; 4]) {
        if done != [true; 4] {
            self.public.phase = Phase::AwaitingDiscards(contract, done);
            return;
        }
        let numbers = self.cards.map(|cards| cards.discard.tarokks().len());
        let shown = self.cards[contract.declarer.index()].discard.tarokks();
        let laid = Laid {
            shown,
            by_others: numbers.iter().sum::<usize>() - shown.len(),
            by_player: (self.public.seating.seats() == 4).then_some(numbers),
        };
        self.public.phase = Phase::AwaitingAnnulment(Exchanged { contract, laid }, [None; 4]);
    }

    fn after_annulment(&mut self, exchanged: Exchanged, answers: [Option<Option<AnnulmentReason>>; 4]) {
        if answers.contains(&None) {
            self.public.phase = Phase::AwaitingAnnulment(exchanged, answers);
        } else if answers.iter().flatten().any(Option::is_some) {
            self.public.close(Outcome::Annulled(answers.map(Option::flatten)), [0; 4]);
        } else {
            let contract = &exchanged.contract;
            let announcing = Announcing::new(contract.declarer, contract.known_partner());
            self.public.phase = Phase::AwaitingWord(exchanged, announcing);
        }
    }

    fn after_play(&mut self, spoken: Spoken, plays: Plays) {
        if plays.all().len() < 36 {
            self.public.phase = Phase::AwaitingCard(spoken, plays);
            return;
        }
        let may_claim = |player| self.public.options.late_claims && spoken.may_claim(&plays, player);
        let answers = Player::ALL.map(|player| (!may_claim(player)).then_some(false));
        self.after_claims(spoken, plays, answers);
    }

    fn after_claims(&mut self, spoken: Spoken, plays: Plays, answers: [Option<bool>; 4]) {
        if answers.contains(&None) {
            self.public.phase = Phase::AwaitingClaims(spoken, plays, answers);
            return;
        }
        let discards = self.cards.map(|cards| cards.discard);
        self.public.close_played(spoken, &plays, answers, discards);
    }
}
