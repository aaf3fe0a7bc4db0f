//! A staged table: one program plays all seats, judges every entry once, and can stack the deck. Here a cheat finds its chance,
//! however rare, and the signed log shows how it is caught.

use outis_crypto::card::Code;
use outis_crypto::challenger::{Challenger, Nonces, Purpose};
use outis_crypto::codec::Encode;
use outis_crypto::group::{Element, Scalar};
use outis_crypto::permutation::Permutation;
use outis_crypto::shuffle::Decks;
use outis_crypto::shuffle::reencrypt::{self, ShuffleSecret};
use outis_table::cheat::Tamper;
use outis_table::entry::{Entry, OVERHEAD, Place};
use outis_table::export::{Record, header};
use outis_table::game::{Checks, Made, Player, Referee, Rules};
use outis_table::identity::Identity;
use outis_table::judged_log::{Admission, FaultReport, JudgedLog, Stage as Round};
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seats::Seats;
use outis_table::{Context, Seat};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::cost::Cost;
use crate::protocol::player::{MadeStep, Memo};
use crate::protocol::referee::Awaiting;
use crate::protocol::{Cheated, Hand, Step, Table};
use crate::rules::cards::Card;
use crate::rules::knowledge::Knowledge;
use crate::rules::options::Options;
use crate::rules::state::Action;
use crate::rules::table::Tarokk;

/// Picks one of the legal actions.
pub(crate) type Policy<'a> = &'a mut dyn FnMut(&Knowledge, &[Action], &mut ChaCha20Rng) -> Action;

/// A whole table.
pub(crate) struct Stage {
    pub trial: JudgedLog<Table>,
    pub players: Vec<Hand>,
    /// Every entry with what it took.
    pub costs: Vec<Cost>,
    entries: Vec<Entry>,
    pub rng: ChaCha20Rng,
    /// Whose steps are changed by a cheat.
    pub tamper: Option<(Seats, Tamper<Hand>)>,
    /// The order of the first deck, if it is stacked.
    pub stack: Option<Vec<Card>>,
    /// After how many deals, paid or not, it is enough.
    pub deals: usize,
    /// The clock; none unless the caller sets one.
    pub clock: fn() -> f64,
    identities: Vec<Identity>,
}

impl Stage {
    /// A table with some options and parameters; `None` if it cannot be offered.
    #[expect(clippy::disallowed_methods, reason = "a staged game, by number")]
    pub(crate) fn new(
        options: Options,
        seats: u8,
        seed: u64,
        parameters: &[u8],
        checks: Checks<'static>,
    ) -> Option<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut identity = |_| {
            let mut secret = [0u8; 32];
            rng.fill_bytes(&mut secret);
            Identity::from_secret(&secret)
        };
        let identities: Vec<Identity> = (0..seats).map(&mut identity).collect();
        let seat = |identity: &Identity| OfferSeat {
            key: identity.public(),
            nonce: Ticket::draw(identity, b"stage", 0, &mut rng).nonce(),
        };
        let offer = Offer {
            game: Table::GAME.into(),
            options: options.to_bytes(),
            parameters: parameters.to_vec(),
            seats: identities.iter().map(seat).collect(),
            after: None,
        };
        Some(Self {
            trial: JudgedLog::new(offer, checks).ok()?,
            players: Vec::new(),
            costs: Vec::new(),
            entries: Vec::new(),
            rng,
            tamper: None,
            stack: None,
            deals: usize::MAX,
            clock: || 0.0,
            identities,
        })
    }

    /// What a seat says in the open round, and the action behind it.
    fn say(&mut self, seat: Seat, by_hand: bool, policy: Policy<'_>) -> Option<(MadeStep, Option<Action>)> {
        let player = self.players.get(usize::from(seat.0))?;
        let (context, referee) = (self.trial.context(seat), self.trial.referee()?);
        let tamper = self.tamper.filter(|(rigged, _)| rigged.contains(seat)).map(|(_, tamper)| tamper);
        let (made, action) = if by_hand {
            let legal = Tarokk::legal(player.knowledge());
            let action = policy(player.knowledge(), &legal, &mut self.rng);
            let made = player
                .act(
                    referee,
                    &context,
                    &action,
                    &mut Nonces::keyless(const { Purpose::new("staged step") }, &context, [], &mut self.rng),
                )
                .ok();
            // A seat that has lied once must keep lying.
            let lie = || {
                let source = &mut Nonces::keyless(const { Purpose::new("lie") }, &context, [], &mut self.rng);
                tamper.and_then(|_| super::lie(player, referee, &context, &action, source))
            };
            (made.or_else(lie)?, Some(action))
        } else {
            let stacked = self.stacked(referee, seat, &context);
            (
                stacked.or_else(|| {
                    player.due(
                        referee,
                        &context,
                        &mut Nonces::keyless(const { Purpose::new("staged step") }, &context, [], &mut self.rng),
                    )
                })?,
                None,
            )
        };
        let made = match tamper {
            Some(tamper) => {
                let source = &mut Nonces::keyless(const { Purpose::new("cheat") }, &context, [], &mut self.rng);
                tamper(player, referee, &context, made, source)
            }
            None => made,
        };
        Some((made, action))
    }

    /// Plays the open round and says who did what by hand; `None` when there is no more, or nothing can be said.
    pub(crate) fn round(&mut self, policy: Policy<'_>) -> Result<Option<Vec<(Seat, Action)>>, FaultReport<Cheated>> {
        let (what, round) = (self.trial.what(), self.trial.round());
        let by_hand = match self.trial.stage() {
            Round::Closed => return Ok(None),
            Round::Steps(expectation) => Some(expectation.by_hand),
            _ => None,
        };
        let mut made = Vec::new();
        for seat in self.trial.speakers().iter() {
            let began = (self.clock)();
            let said = match by_hand {
                Some(by_hand) => match self.say(seat, by_hand, policy) {
                    Some(said) => Some(said),
                    None => return Ok(None),
                },
                None => None,
            };
            made.push((seat, said, (self.clock)() - began));
        }
        let mut actions = Vec::new();
        for (seat, said, make) in made {
            let (at, prev, began) = (usize::from(seat.0), self.trial.head(), (self.clock)());
            let payload = said.as_ref().map_or(Vec::new(), |(made, _)| made.step.to_bytes());
            let (place, bytes) = (Place { round, seat }, OVERHEAD + payload.len());
            let entry = Entry::dangerously_sign(&self.identities[at], self.trial.table(), place, prev, payload);
            let make = make + (self.clock)() - began;
            if let Some((made, action)) = said {
                self.players[at].remember(made.memo);
                actions.extend(action.map(|action| (seat, action)));
            }
            self.entries.push(entry.clone());
            let began = (self.clock)();
            let admitted = self.trial.admit(&entry);
            self.costs.push(Cost { what, make, judge: (self.clock)() - began, bytes });
            match (admitted, self.trial.referee()) {
                (Admission::Refused(charge), _) => return Err(charge),
                (Admission::Completed(_), Some(referee)) if self.players.is_empty() => {
                    let seats = self.identities.len() as u8;
                    self.players = (0..seats).map(|seat| Hand::sit(referee, Seat(seat))).collect();
                }
                (Admission::Completed(events), Some(referee)) if by_hand.is_some() => {
                    let learned = self.players.iter_mut().map(|player| player.learn(referee, &events));
                    if learned.collect::<Result<Vec<()>, _>>().is_err() {
                        return Ok(None);
                    }
                }
                _ => {}
            }
        }
        let enough = self.trial.referee().is_some_and(|table| table.public().results.len() >= self.deals);
        Ok((!enough).then_some(actions))
    }

    /// The cards of some codes of the deck, with the secrets of all.
    pub(crate) fn look(&self, table: &Table, codes: &[Code]) -> Option<Vec<Card>> {
        let secrets = self.players.iter().filter_map(|player| player.key.as_ref());
        let secret: Scalar = secrets.map(|own| *own.secret.secret().expose_secret()).sum();
        let open = |code: &Code| {
            let face = Element::new(code.c2.point() - code.c1.point() * secret)?;
            table.tools.faces.find(&face).and_then(|card| Card::from_number(card as u8))
        };
        codes.iter().map(open).collect()
    }

    /// The last shuffle of the first deal, if the deck is stacked: honest but for its order.
    fn stacked(&self, table: &Table, seat: Seat, context: &Context) -> Option<MadeStep> {
        let (Some(stack), Awaiting::Shuffle(key, before, turn)) = (&self.stack, &table.awaiting) else { return None };
        let last = table.public().seating.seats() - 1;
        let cheats_here = self.tamper.is_some_and(|(rigged, _)| rigged.contains(seat));
        (*turn == last && table.deal() == 0 && !cheats_here).then_some(())?;
        let now = self.look(table, &before.0)?;
        let mut rng = Nonces::keyless(const { Purpose::new("stage") }, context, [], &mut self.rng.clone());
        let order = stack.iter().map(|card| now.iter().position(|at| at == card).map(|at| at as u32));
        let permutation = Permutation::new(order.collect::<Option<_>>()?)?;
        let masks = rng.draw_many(now.len()).to_vec();
        let secret = ShuffleSecret::new(permutation, masks);
        let after = reencrypt::reshuffle(key, &before.0, &secret)?;
        let mut challenger = Challenger::new(context);
        let decks = Decks { input: &before.0, output: &after.0 };
        let proof = table.tools.prove_shuffle(key, decks, &secret, &mut challenger, &mut rng)?;
        Some(Made { step: Step::Shuffle(after, proof), memo: Memo::default() })
    }

    /// The log as a file, a refused entry at its end.
    pub(crate) fn export(&self) -> Vec<u8> {
        let mut out = header(self.trial.offer());
        self.entries.iter().cloned().map(Record::Entry).for_each(|record| record.encode(&mut out));
        out
    }
}
