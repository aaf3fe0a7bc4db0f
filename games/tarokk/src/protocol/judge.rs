//! How a step is judged: first what everyone can see, then the proofs of the entry, all in one batch.

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Codes};
use outis_crypto::challenger::Challenger;
use outis_crypto::deck::{CardOpening, Shares, accept_shares};
use outis_crypto::shuffle::Decks;
use outis_crypto::shuffle::recreate::Hands;
use outis_table::entry::Authentic;
use outis_table::game::Checks;
use outis_table::{Context, Seat};

use super::bits::Bit;
use super::claim::{Claim, On, Rule};
use super::deal::{Deal, Shared, breach};
use super::evidence::{Docket, Evidence, divide};
use super::fault::Cheated;
use super::grade::MakeProof;
use super::referee::{Awaiting, Checked, Table, ToldOf};
use super::step::{Due, Step, Tell, View};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::AnnulmentReason;
use crate::rules::ending::Ending;
use crate::rules::figures::Figure;
use crate::rules::illegal::Illegal;
use crate::rules::learn::{Event, learn};
use crate::rules::seats::Player;
use crate::rules::state::Phase;

/// Judges a step.
pub(super) fn judge(table: &Table, said: &Authentic<Step>, checks: Checks) -> Result<Checked, Cheated> {
    let (seat, context) = (said.seat(), said.context());
    match (said.step(), &table.awaiting) {
        (Step::Key(step), Awaiting::Keys(keys)) => keys.judge(step, context, &table.spent, checks).map(Checked::Key),
        (Step::Shuffle(deck, proof), Awaiting::Shuffle(key, before, _)) => {
            if !said.is_vouched() {
                let (mut docket, mut challenger) = (Docket::default(), Challenger::new(context));
                let decks = Decks { input: &before.0, output: &deck.0 };
                docket.hear(Cheated::Shuffle, |batch| {
                    table.tools.verify_shuffle(key, decks, proof, &mut challenger, batch)
                });
                docket.settle(checks)?;
            }
            Ok(Checked::Shuffled(deck.clone()))
        }
        (Step::Draw(shares), Awaiting::Shares(..) | Awaiting::Game(_)) => {
            draw(table, seat, context, shares, checks).map(Checked::Shared)
        }
        (Step::Hand(codes, proof), Awaiting::Hands(key, _, drawn)) => {
            let player = table.player(seat).ok_or(Cheated::Kind)?;
            if !said.is_vouched() {
                let seat_key = key.seat(seat).ok_or(Cheated::Kind)?;
                let (mut docket, mut challenger) = (Docket::default(), Challenger::new(context));
                let hands = Hands { held: &[], drawn: &drawn[player.index()], created: codes };
                docket.hear(Cheated::Rule(Rule::Hand), |batch| {
                    table.tools.verify_make(seat_key, key, hands, proof, &mut challenger, batch)
                });
                docket.settle(checks)?;
            }
            Ok(Checked::Handed(codes.clone()))
        }
        (Step::Sum(share), Awaiting::Game(deal)) => {
            let (sum, seat_key) = (table.sum().ok_or(Cheated::Kind)?, deal.key.seat(seat).ok_or(Cheated::Kind)?);
            let (mut docket, mut challenger) = (Docket::default(), Challenger::new(context));
            docket.hear(Cheated::Share, |batch| share.verify(seat_key, &sum, &mut challenger, batch));
            docket.settle(checks)?;
            Ok(Checked::Summed(share.share))
        }
        (step, Awaiting::Game(deal)) => {
            let player = table.player(seat).ok_or(Cheated::Kind)?;
            let view = table.view(deal, player).ok_or(Cheated::Kind)?;
            let hearing = Docket::default();
            let challenger = Challenger::new(context);
            Court { table, deal, view, docket: hearing, challenger, checks, vouched: said.is_vouched() }.hear(step)
        }
        _ => Err(Cheated::Kind),
    }
}

/// Shares of other players' cards, all over one running challenger.
fn draw(
    table: &Table,
    seat: Seat,
    context: &Context,
    shares: &[Shares],
    checks: Checks<'_>,
) -> Result<Shared, Cheated> {
    let me = table.player(seat).ok_or(Cheated::Kind)?;
    let codes = table.shared_codes().ok_or(Cheated::Kind)?;
    let key = match &table.awaiting {
        Awaiting::Shares(key, _) => key,
        Awaiting::Game(deal) => &deal.key,
        _ => return Err(Cheated::Kind),
    };
    let drawers = drawers(me, &codes);
    if drawers.len() != shares.len() {
        return Err(Cheated::Share);
    }
    let (mut challenger, mut batch) = (Challenger::new(context), Batch::new());
    let mut pending = Vec::new();
    for (drawer, shares) in drawers.into_iter().zip(shares) {
        let accepted = accept_shares(key, seat, &codes[drawer.index()], shares, &mut challenger, &mut batch);
        pending.push((drawer, accepted.map_err(|_| Cheated::Share)?));
    }
    let settled = checks.settle(batch, Cheated::Share)?;
    let release = |(drawer, shares)| Ok((drawer, settled.release(shares).ok_or(Cheated::Share)?));
    pending.into_iter().map(release).collect()
}

/// The other players who draw something.
pub(super) fn drawers(me: Player, codes: &[Vec<Code>; 4]) -> Vec<Player> {
    let draws = |player: &Player| *player != me && !codes[player.index()].is_empty();
    Player::ALL.into_iter().filter(draws).collect()
}

/// One entry of the game before the court.
struct Court<'a> {
    table: &'a Table,
    deal: &'a Deal,
    view: View,
    docket: Docket,
    challenger: Challenger,
    checks: Checks<'a>,
    vouched: bool,
}

impl Court<'_> {
    fn hear(mut self, step: &Step) -> Result<Checked, Cheated> {
        let (who, i) = (self.view.who, self.view.who.index());
        match (step, self.view.due) {
            (Step::End, Due::Trial | Due::Tell | Due::Open) => Err(Cheated::Kind),
            (Step::End, _) => match self.table.public().ending {
                Ending::Open => Ok(Checked::Ended),
                _ => Err(Cheated::Illegal(Illegal::EndCalled)),
            },
            (Step::Call(call, evidence), Due::Call) => {
                self.allowed(Event::Called(who, *call))?;
                let claims = self.view.ledger.call(&self.view.public, who, *call).ok_or(Cheated::Kind)?;
                let hand = self.claims(&claims, evidence, &self.deal.hands[i]);
                self.settle().map(|()| Checked::Called(*call, claims, hand))
            }
            (Step::Trial(honour, codes, proof, evidence), Due::Trial) => {
                self.made(codes, proof)?;
                let claim = self.view.ledger.trial(9 + self.view.taken, *honour);
                let hand = self.claims(&[claim], core::slice::from_ref(evidence), &codes.0);
                self.settle().map(|()| Checked::Tried(*honour, hand))
            }
            (Step::Discard(made, places), Due::Discard) => {
                self.allowed(Event::Discarded(who))?;
                if made.is_none() != self.view.merged {
                    return Err(Cheated::Kind);
                }
                let hand = match made {
                    Some((codes, proof)) => {
                        self.made(codes, proof)?;
                        &codes.0
                    }
                    None => &self.deal.hands[i],
                };
                let (laid, kept) = divide(hand, places);
                self.settle().map(|()| Checked::Discarded(kept, laid))
            }
            (Step::Tell(tell), Due::Tell) => self.tell(tell),
            (Step::Annul(answer), Due::Annul) => {
                if let Some((reason, evidence, zeros)) = answer {
                    let claim = self.view.ledger.annulment(who, *reason);
                    // After a discarded tarokk only four kings count (TK-49).
                    let none_laid = self.deal.told[i] == 0;
                    let zero = |(bit, s): (&Code, _)| Bit::is_zero(&self.deal.key, bit, s);
                    let bits = &self.deal.bits[i];
                    let bits_zero = self.view.zeros(*reason) == 0
                        || (bits.len() == zeros.len() && bits.iter().zip(zeros).all(zero));
                    let free = *reason == AnnulmentReason::FourKings || (none_laid && bits_zero);
                    self.checks.demand(free, Cheated::Rule(Rule::Annulment))?;
                    self.claims(&[claim], core::slice::from_ref(evidence), &self.deal.hands[i]);
                }
                self.settle().map(|()| Checked::Answered(answer.as_ref().map(|(reason, ..)| *reason)))
            }
            (Step::Word(token, evidence), Due::Word) => {
                self.allowed(Event::Said(who, *token))?;
                let claims = self.view.ledger.word(&self.view.public, who, *token).ok_or(Cheated::Kind)?;
                let hand = self.claims(&claims, evidence, &self.deal.hands[i]);
                self.settle().map(|()| Checked::Said(*token, claims, hand))
            }
            (Step::Play(at, opening, evidence), Due::Play) => self.play(*at, opening, evidence),
            (Step::Claim(claim), Due::Claim) => {
                self.allowed(Event::Claimed(who, *claim))?;
                Ok(Checked::Claimed(*claim))
            }
            (Step::Open(openings), Due::Open) => self.open(openings),
            _ => Err(Cheated::Kind),
        }
    }

    /// What everyone can see to be against the rules.
    fn allowed(&self, event: Event) -> Result<(), Cheated> {
        learn(self.table.known.clone(), &event).map(|_| ()).map_err(Cheated::Illegal)
    }

    /// The hand with the talon (E2).
    fn made(&mut self, codes: &Codes, proof: &MakeProof) -> Result<(), Cheated> {
        let (table, deal, i) = (self.table, self.deal, self.view.who.index());
        let seat = table.seat(self.view.who);
        let drawn = deal.drawn.as_ref().ok_or(Cheated::Kind)?;
        let seat_key = deal.key.seat(seat).ok_or(Cheated::Kind)?;
        if self.vouched {
            return Ok(());
        }
        let hands = Hands { held: &deal.hands[i], drawn: &drawn[i], created: codes };
        let tools = &table.tools;
        let challenger = &mut self.challenger;
        self.docket.hear(Cheated::Rule(Rule::Talon), |batch| {
            tools.verify_make(seat_key, &deal.key, hands, proof, challenger, batch)
        });
        Ok(())
    }

    /// Takes in claims about a hand, each with its evidence; returns the hand afterwards.
    fn claims(&mut self, claims: &[Claim], evidence: &[Evidence], hand: &[Code]) -> Vec<Code> {
        let mut hand = hand.to_vec();
        for claim in claims.iter().skip(evidence.len()) {
            self.docket.refuse(Cheated::Rule(claim.inside.0));
        }
        for (claim, evidence) in claims.iter().zip(evidence) {
            let dealt = claim.on == On::Dealt;
            let codes = if dealt { &self.deal.dealt[self.view.who.index()] } else { &hand };
            let after = if self.vouched {
                evidence.shuffled.as_ref().map_or(codes.clone(), |(codes, _)| codes.0.clone())
            } else {
                let (tools, key) = (&self.table.tools, &self.deal.key);
                self.docket.hear_claim(tools, key, claim, evidence, codes, &mut self.challenger)
            };
            if !dealt {
                hand = after;
            }
        }
        hand
    }

    fn settle(self) -> Result<(), Cheated> {
        self.docket.settle(self.checks).map(|_| ())
    }

    fn opens(&self, opening: &CardOpening, code: &Code, fault: Cheated) -> Result<Card, Cheated> {
        let holds = self.vouched || opening.opens(&self.deal.key, &self.table.tools.faces, code);
        self.checks.demand(holds, fault)?;
        Card::from_number(opening.card as u8).ok_or(fault)
    }

    fn tell(mut self, tell: &Tell) -> Result<Checked, Cheated> {
        let i = self.view.who.index();
        let [tarokks, coloured] = self.view.allowed();
        let laid = &self.deal.laid[i];
        let mut told = ToldOf { closed: laid.clone(), tarokks: 0, shown: CardSet::EMPTY, bits: Vec::new(), hand: None };
        let (table, deal, challenger) = (self.table, self.deal, &mut self.challenger);
        let (tools, key) = (&table.tools, &deal.key);
        match tell {
            Tell::Bits(bits) => {
                // One proof for each: what has none is not believed.
                let each = bits.len() == laid.len();
                self.checks.demand(each, Cheated::Rule(Rule::DiscardBit))?;
                for (bit, code) in bits.iter().zip(laid).filter(|_| !self.vouched) {
                    self.docket.hear(Cheated::Rule(Rule::DiscardBit), |batch| {
                        bit.verify(key, &tools.faces, tarokks.union(coloured), code, challenger, batch)
                    });
                }
                told.bits = bits.iter().map(|bit| bit.code).collect();
            }
            Tell::Counted { tarokks: places, shown, inside, rest, shuffled } => {
                let (pointed, others) = divide(laid, places);
                told.tarokks = pointed.len();
                if self.view.is_declarer() {
                    self.checks.demand(shown.len() == pointed.len(), Cheated::Rule(Rule::ShownDiscard))?;
                    for (opening, code) in shown.iter().zip(&pointed) {
                        let card = self.opens(opening, code, Cheated::Rule(Rule::ShownDiscard))?;
                        self.checks.demand(tarokks.contains(card), Cheated::Rule(Rule::TarokkDiscard))?;
                        told.shown.insert(card);
                    }
                    told.closed = others.clone();
                } else if !pointed.is_empty() && !self.vouched {
                    let challenger = &mut self.challenger;
                    self.docket.hear(Cheated::Rule(Rule::TarokkDiscard), |batch| {
                        tools.verify_set(key, tarokks, &pointed, inside, challenger, batch)
                    });
                }
                let challenger = &mut self.challenger;
                if !others.is_empty() && !self.vouched {
                    self.docket.hear(Cheated::Rule(Rule::ColouredDiscard), |batch| {
                        tools.verify_set(key, coloured, &others, rest, challenger, batch)
                    });
                }
                if let Some((codes, proof)) = shuffled {
                    if !self.vouched {
                        self.docket.hear(Cheated::Rule(Rule::Reshuffle), |batch| {
                            let decks = Decks { input: &deal.hands[i], output: &codes.0 };
                            tools.verify_shuffle(key, decks, proof, challenger, batch)
                        });
                    }
                    told.hand = Some(codes.0.clone());
                }
            }
        }
        self.settle().map(|()| Checked::Told(Box::new(told)))
    }

    fn play(mut self, at: u8, opening: &CardOpening, evidence: &[Evidence]) -> Result<Checked, Cheated> {
        let (who, i) = (self.view.who, self.view.who.index());
        let code = self.deal.hands[i].get(usize::from(at)).ok_or(Cheated::Card)?;
        let card = self.opens(opening, code, Cheated::Card)?;
        self.allowed(Event::Played(who, card))?;
        let left: Vec<Code> = self.deal.hands[i].iter().filter(|other| *other != code).copied().collect();
        if let Phase::AwaitingCard(spoken, plays) = &self.view.public.phase
            && let (None, Card::PAGAT, Some(side)) = (plays.led(), card, spoken.certain_side(plays, who))
        {
            let early = spoken.announcing.has_announced(side, Figure::PagatUltimo) && !left.is_empty();
            self.checks.demand(!early, Cheated::Rule(Rule::PagatLed))?;
        }
        let claims = self.view.play(card).ok_or(Cheated::Kind)?;
        self.claims(&claims, evidence, &left);
        self.settle().map(|()| Checked::Played(at, card, claims))
    }

    /// Every discard is opened, no card is there twice, and no duty was broken (RC-17, E5).
    fn open(self, openings: &[CardOpening]) -> Result<Checked, Cheated> {
        let (who, i) = (self.view.who, self.view.who.index());
        let Phase::AwaitingClaims(spoken, plays, _) = &self.view.public.phase else { return Err(Cheated::Kind) };
        let mut seen: CardSet = plays.all().iter().map(|(_, card)| *card).collect();
        seen = seen.union(self.deal.shown);
        let mut laid = CardSet::EMPTY;
        self.checks.demand(openings.len() == self.deal.laid[i].len(), Cheated::Rule(Rule::Open))?;
        for (opening, code) in openings.iter().zip(&self.deal.laid[i]) {
            let card = self.opens(opening, code, Cheated::Rule(Rule::Open))?;
            if !seen.insert(card) {
                return Err(Cheated::Rule(Rule::Open));
            }
            laid.insert(card);
        }
        if let Some(rule) = breach(&self.view.ledger, spoken, plays, who, laid) {
            self.checks.demand(false, Cheated::Rule(rule))?;
        }
        Ok(Checked::Opened(laid))
    }
}

#[cfg(test)]
mod tests {
    use outis_table::game::{Player as _, Referee, Rules};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;
    use crate::cheats::stage::Stage;
    use crate::cost::lively;
    use crate::rules::options::Options;
    use crate::rules::table::Tarokk;

    /// A table that has come to what is looked for.
    fn until(wanted: impl Fn(&Table) -> bool) -> Stage {
        let options = Options { deals: 1, ..Options::default() };
        let found = (0..20).find_map(|seed| {
            let mut stage = Stage::new(options, 4, seed, &[], Checks::default())?;
            while !stage.trial.referee().is_some_and(&wanted) {
                stage.round(&mut lively).ok()??;
            }
            Some(stage)
        });
        found.expect("one table in twenty gets there")
    }

    fn due(table: &Table) -> Option<Due> {
        if let Awaiting::Game(deal) = &table.awaiting { table.due(deal) } else { None }
    }

    /// A hand with cards of the talon is believed only with its proof. Without what it is proved from (what was drawn) there
    /// was no check and no refusal (K-4).
    #[test]
    fn a_hand_without_what_it_was_made_of_is_refused() {
        let stage = until(|table| due(table) == Some(Due::Discard));
        let table = stage.trial.referee().expect("everybody sits");
        let Awaiting::Game(deal) = &table.awaiting else { panic!("a deal") };
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let mut heard = 0;
        for (seat, hand) in (0u8..).map(Seat).zip(&stage.players) {
            let player = table.player(seat).expect("four play");
            let view = || table.view(deal, player).expect("a step is due");
            let action = lively(hand.knowledge(), &Tarokk::legal(hand.knowledge()), &mut rng);
            let context = stage.trial.context(seat);
            let Ok(made) = hand.act(table, &context, &action, &mut rng) else { continue };
            let Step::Discard(Some(_), _) = &made.step else { continue };
            let court = |deal| {
                let (docket, challenger) = (Docket::default(), Challenger::new(&context));
                Court { table, deal, view: view(), docket, challenger, checks: Checks::default(), vouched: false }
            };
            assert!(matches!(court(deal).hear(&made.step), Ok(Checked::Discarded(..))));
            let lost = Deal { drawn: None, ..deal.as_ref().clone() };
            assert!(matches!(court(&lost).hear(&made.step), Err(Cheated::Kind)), "a hand is believed unproved");
            heard += 1;
        }
        assert!(heard > 0);
    }

    /// A round of shuffles without a shuffle left the deck as it was.
    #[test]
    fn a_round_of_something_else_is_refused() {
        let stage = until(|table| matches!(table.awaiting, Awaiting::Shuffle(..)));
        let mut table = stage.trial.referee().expect("everybody sits").clone();
        let before = table.shape(Seat(0));
        assert!(matches!(table.advance(vec![(Seat(2), Checked::Ended)]), Err((Seat(2), Cheated::Kind))));
        assert_eq!(format!("{before:?}"), format!("{:?}", table.shape(Seat(0))), "a refusal changes nothing");
    }
}
