//! A table without a network: all seats and one log that judges every entry once.

use outis_crypto::card::Code;
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::Encode;
use outis_crypto::group::{Element, Scalar, random_scalar};
use outis_crypto::permutation::Permutation;
use outis_crypto::shuffle::reencrypt::{self, ShuffleSecret};
use outis_table::cheat::Rig;
use outis_table::entry::{Entry, Place};
use outis_table::game::{Checks, Made, Observer, Player, Referee, Rules};
use outis_table::identity::Identity;
use outis_table::offer::{Chair, Offer, Ticket};
use outis_table::trial::{Admission, Charge, Stage, Trial};
use outis_table::{Context, Seat};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::protocol::player::{MadeStep, Memo};
use crate::protocol::referee::Awaiting;
use crate::protocol::{Cheated, Hand, Step, Table};
use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::cards::Card;
use crate::rules::deal::Deck;
use crate::rules::knowledge::Knowledge;
use crate::rules::options::Options;
use crate::rules::state::Action;
use crate::rules::table::{Tarokk, Truth};

/// Picks one of the legal actions.
pub type Policy<'a> = &'a mut dyn FnMut(&Knowledge, &[Action], &mut ChaCha20Rng) -> Action;

/// A whole table.
pub struct Bench {
    pub trial: Trial<Table>,
    pub players: Vec<Hand>,
    pub truth: Truth,
    pub compared: usize,
    /// Every entry: what the round was for, who spoke, bytes of the payload.
    pub sizes: Vec<(&'static str, Seat, usize)>,
    pub entries: Vec<Entry>,
    pub rng: ChaCha20Rng,
    pub rig: Option<(Seat, Rig<Hand>)>,
    /// The order of the first deck, if it is stacked.
    pub stack: Option<Vec<Card>>,
    identities: Vec<Identity>,
    watch: bool,
}

pub fn below(rng: &mut ChaCha20Rng, n: usize) -> usize {
    outis_table::present::below(n, rng)
}

/// A lively random choice: short speeches, few end calls, not too many passes.
pub fn lively(_: &Knowledge, legal: &[Action], rng: &mut ChaCha20Rng) -> Action {
    let mut legal: Vec<Action> = legal.iter().copied().filter(|action| *action != Action::EndTable).collect();
    if legal.contains(&Action::Say(Token::Pass)) && below(rng, 3) > 0 {
        return Action::Say(Token::Pass);
    }
    // A bid nobody has to fear: who can bid mostly does.
    if legal.len() > 1 && legal[0] == Action::Call(Call::Pass) && below(rng, 3) > 0 {
        legal.remove(0);
    }
    legal.retain(|action| *action != Action::Annul(true) || legal_rare(rng));
    legal[below(rng, legal.len())]
}

fn legal_rare(rng: &mut ChaCha20Rng) -> bool {
    below(rng, 2) == 0
}

impl Bench {
    /// A table with some options and parameters.
    pub fn new(options: Options, seats: u8, seed: u64, parameters: &[u8], checks: Checks) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let identities: Vec<Identity> = (0..seats)
            .map(|_| {
                let mut secret = [0u8; 32];
                rng.fill_bytes(&mut secret);
                Identity::from_secret(&secret)
            })
            .collect();
        let chairs = identities
            .iter()
            .map(|identity| Chair { key: identity.public(), nonce: Ticket::random(&mut rng).nonce() })
            .collect();
        let offer = Offer {
            game: Table::GAME.into(),
            options: options.to_bytes(),
            parameters: parameters.to_vec(),
            seats: chairs,
            after: None,
        };
        let trial = Trial::new(offer, checks).expect("a good offer");
        Self {
            trial,
            players: Vec::new(),
            truth: Tarokk::start(&options, seats),
            compared: 0,
            sizes: Vec::new(),
            entries: Vec::new(),
            rng,
            rig: None,
            stack: None,
            identities,
            watch: true,
        }
    }

    /// One deal of four with the usual rules.
    pub fn four(seed: u64) -> Self {
        Self::new(Options { deals: 1, ..Options::default() }, 4, seed, &[], Checks::default())
    }

    /// With one seat's steps changed by a cheat; the truth is not followed then.
    pub fn rigged(mut self, seat: Seat, rig: Rig<Hand>) -> Self {
        (self.rig, self.watch) = (Some((seat, rig)), false);
        self
    }

    pub fn referee(&self) -> &Table {
        self.trial.referee().expect("everybody sits")
    }

    /// Plays the open round; `Ok(false)` when the table is closed.
    pub fn round(&mut self, policy: Policy<'_>) -> Result<bool, Charge<Cheated>> {
        if *self.trial.stage() == Stage::Closed {
            return Ok(false);
        }
        let (what, place) = (self.trial.what(), self.trial.round());
        let mut made = Vec::new();
        for seat in self.trial.speakers().iter() {
            let at = usize::from(seat.0);
            let (mut payload, mut memo) = (Vec::new(), None);
            if let Stage::Steps(expectation) = self.trial.stage().clone() {
                let (player, context) = (&self.players[at], self.trial.context(seat));
                let referee = self.trial.referee().expect("everybody sits");
                let mut action = None;
                let step = if expectation.by_hand {
                    let legal = Tarokk::legal(player.knowledge());
                    let chosen = policy(player.knowledge(), &legal, &mut self.rng);
                    action = Some(chosen);
                    let rigged = self.rig.is_some_and(|(rigged, _)| rigged == seat);
                    match player.act(referee, &context, &chosen, &mut self.rng) {
                        Ok(made) => made,
                        // Who has lied once must go on lying.
                        Err(_) if rigged => crate::cheats::lie(player, referee, &context, &chosen, &mut self.rng)
                            .unwrap_or_else(|| panic!("no lie makes {chosen:?}")),
                        Err(e) => panic!("{chosen:?}: {e}"),
                    }
                } else if let Some(step) = self.stacked(referee, seat, &context) {
                    step
                } else {
                    player.due(referee, &context, &mut self.rng).unwrap_or_else(|| panic!("nothing due in {what}"))
                };
                let step = match self.rig {
                    Some((rigged, rig)) if rigged == seat => rig(player, referee, &context, step, &mut self.rng),
                    _ => step,
                };
                payload = step.step.to_bytes();
                memo = Some((step.memo, action));
            }
            made.push((seat, payload, memo));
        }
        for (seat, payload, memo) in made {
            let (at, prev) = (usize::from(seat.0), self.trial.head());
            self.sizes.push((what, seat, payload.len()));
            let place = Place { round: place, seat };
            let entry = Entry::dangerously_sign(&self.identities[at], self.trial.table(), place, prev, payload);
            if let Some((memo, action)) = memo {
                self.players[at].keep(memo);
                if let (Some(action), true) = (action, self.watch) {
                    Tarokk::apply(&mut self.truth, seat, &action).expect("the rules allow what the protocol accepts");
                }
            }
            self.entries.push(entry.clone());
            match self.trial.admit(&entry) {
                Admission::Accepted => {}
                Admission::Completed(events) => {
                    if self.players.is_empty() {
                        let seats = self.identities.len() as u8;
                        let referee = self.trial.referee().expect("everybody sits");
                        self.players = (0..seats).map(|seat| Hand::sit(referee, Seat(seat))).collect();
                    } else if !self.trial.entries(place.round).iter().all(|entry| entry.payload().is_empty()) {
                        let referee = self.trial.referee().expect("everybody sits");
                        for player in &mut self.players {
                            player.learn(referee, &events).unwrap_or_else(|e| panic!("{what}: {e:?}"));
                        }
                    }
                }
                Admission::Refused(charge) => return Err(charge),
                other => panic!("{what}: {other:?}"),
            }
        }
        if self.watch {
            self.compare();
        }
        Ok(true)
    }

    /// The cards of a deck, with the secrets of all.
    fn look(&self, codes: &[Code]) -> Vec<Card> {
        let secret: Scalar =
            self.players.iter().filter_map(|p| p.key.as_ref()).map(|(s, _)| *s.secret().expose_secret()).sum();
        let open = |code: &Code| {
            let face = Element::new(code.c2.point() - code.c1.point() * secret).expect("a face");
            Card::from_number(self.referee().tools.faces.find(&face).expect("a card") as u8).expect("a card")
        };
        codes.iter().map(open).collect()
    }

    /// The last shuffle of the first deal, if the deck is stacked: honest but for its order.
    fn stacked(&self, table: &Table, seat: Seat, context: &Context) -> Option<MadeStep> {
        let (Some(stack), Awaiting::Shuffle(key, before, turn)) = (&self.stack, &table.awaiting) else { return None };
        let last = table.public().seating.seats() - 1;
        let rigged = self.rig.is_some_and(|(rigged, _)| rigged == seat);
        (*turn == last && table.deal() == 0 && !rigged).then_some(())?;
        let (now, mut rng) = (self.look(&before.0), self.rng.clone());
        let order = stack.iter().map(|card| now.iter().position(|at| at == card).map(|at| at as u32));
        let permutation = Permutation::new(order.collect::<Option<_>>()?)?;
        let masks = (0..now.len()).map(|_| random_scalar(&mut rng)).collect();
        let secret = ShuffleSecret::new(permutation, masks);
        let after = reencrypt::reshuffle(key, &before.0, &secret)?;
        let mut challenger = Challenger::new(context);
        let proof = table.tools.prove_shuffle(key, (&before.0, &after.0), &secret, &mut challenger, &mut rng)?;
        Some(Made { step: Step::Shuffle(after, proof), memo: Memo::default() })
    }

    /// What nature did.
    fn nature(&mut self) {
        let Awaiting::Hands(_, deck, _) = &self.referee().awaiting else { return };
        let deck = Deck::new(self.look(&deck.0)).expect("42 cards");
        Tarokk::chance(&mut self.truth, deck).expect("a deal is awaited");
    }

    fn compare(&mut self) {
        if self.trial.referee().is_none() || self.players.is_empty() {
            return;
        }
        if Tarokk::awaits_chance(&self.truth) {
            self.nature();
        }
        let quiet = match self.trial.stage() {
            Stage::Steps(expectation) | Stage::Echo(expectation) => expectation.by_hand,
            Stage::Closing | Stage::Closed => true,
            Stage::Seating => false,
        };
        if !quiet {
            return;
        }
        for (seat, player) in (0u8..).map(Seat).zip(&self.players) {
            let ideal = Tarokk::observe(&self.truth, Observer::Seat(seat));
            assert_eq!(&ideal, player.knowledge(), "seat {} knows something else than the truth tells it", seat.0);
        }
        assert_eq!(Tarokk::observe(&self.truth, Observer::Spectator), self.referee().known, "the spectator");
        self.compared += 1;
    }

    /// Plays to the end, or until somebody is charged.
    pub fn play(&mut self, policy: Policy<'_>) -> Result<(), Charge<Cheated>> {
        while self.round(policy)? {}
        Ok(())
    }
}
