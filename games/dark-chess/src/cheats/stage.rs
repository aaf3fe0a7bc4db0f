//! A staged table: one program plays both seats by a script and judges every entry once. Here a cheat finds its chance,
//! however rare, and the signed log shows how it is caught.

use outis_crypto::challenger::{Nonces, Purpose};
use outis_table::Seat;
use outis_table::cheat::Tamper;
use outis_table::codec::Encode;
use outis_table::entry::{Entry, OVERHEAD, Place};
use outis_table::export::{Record, header};
use outis_table::game::{Checks, Grade, Player, Referee, Rules};
use outis_table::identity::Identity;
use outis_table::judged_log::{Admission, FaultReport, JudgedLog, Stage as Round};
use outis_table::offer::{Offer, OfferSeat, Ticket};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::protocol::player::MadeStep;
use crate::protocol::{Cheated, Hand, Table};
use crate::rules::game::DarkChess;
use crate::rules::knowledge::{Action, Knowledge};
use crate::rules::options::Options;

/// Picks one of the legal actions; `None` ends the play.
pub(crate) type Policy<'a> = &'a mut dyn FnMut(&Knowledge, &[Action]) -> Option<Action>;

/// A whole table.
pub(crate) struct Stage {
    pub trial: JudgedLog<Table>,
    pub hands: Vec<Hand>,
    entries: Vec<Entry>,
    pub rng: ChaCha20Rng,
    /// Whose steps are changed by a cheat, from which round on.
    pub tamper: Option<(Seat, Tamper<Hand>, u32)>,
    /// Name of the round and bytes of every entry.
    pub sizes: Vec<(&'static str, usize)>,
    identities: Vec<Identity>,
}

impl Stage {
    /// A table with some options; `None` if it cannot be offered.
    pub(crate) fn new(options: Options, seed: u64, checks: Checks<'static>) -> Option<Self> {
        Self::graded(Grade::Hardened, options, seed, checks)
    }

    /// The same in some grade.
    #[expect(clippy::disallowed_methods, reason = "a staged game, by number")]
    pub(crate) fn graded(grade: Grade, options: Options, seed: u64, checks: Checks<'static>) -> Option<Self> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut identity = |_| {
            let mut secret = [0u8; 32];
            rng.fill_bytes(&mut secret);
            Identity::from_secret(&secret)
        };
        let identities: Vec<Identity> = (0..2u8).map(&mut identity).collect();
        let seat = |identity: &Identity| OfferSeat {
            key: identity.public(),
            nonce: Ticket::draw(identity, b"stage", 0, &mut rng).nonce(),
        };
        let offer = Offer {
            game: Table::GAME.into(),
            options: options.to_bytes(),
            parameters: grade.parameters(),
            seats: identities.iter().map(seat).collect(),
            after: None,
        };
        let trial = JudgedLog::new(offer, checks).ok()?;
        Some(Self { trial, hands: Vec::new(), entries: Vec::new(), rng, tamper: None, sizes: Vec::new(), identities })
    }

    /// What a seat says in the open round.
    fn say(&mut self, seat: Seat, by_hand: bool, policy: Policy<'_>) -> Option<(MadeStep, Option<Action>)> {
        let hand = self.hands.get(usize::from(seat.0))?;
        let (context, table) = (self.trial.context(seat), self.trial.referee()?);
        let source = &mut Nonces::keyless(const { Purpose::new("staged step") }, &context, [], &mut self.rng);
        let (made, action) = if by_hand {
            let action = policy(hand.knowledge(), &DarkChess::legal(hand.knowledge()))?;
            (hand.act(table, &context, &action, source).ok()?, Some(action))
        } else {
            (hand.due(table, &context, source)?, None)
        };
        let round = self.trial.round();
        let made = match self.tamper.filter(|(rigged, _, from)| *rigged == seat && round >= *from) {
            Some((_, tamper, _)) => {
                let source = &mut Nonces::keyless(const { Purpose::new("cheat") }, &context, [], &mut self.rng);
                tamper(hand, table, &context, made, source)
            }
            None => made,
        };
        Some((made, action))
    }

    /// Plays the open round; the actions that were taken in it, or `None` when there is no more.
    pub(crate) fn round(&mut self, policy: Policy<'_>) -> Result<Option<Vec<(Seat, Action)>>, FaultReport<Cheated>> {
        let (what, round) = (self.trial.what(), self.trial.round());
        let by_hand = match self.trial.stage() {
            Round::Closed => return Ok(None),
            Round::Steps(expectation) => Some(expectation.by_hand),
            _ => None,
        };
        let mut made = Vec::new();
        for seat in self.trial.speakers().iter() {
            let said = match by_hand {
                Some(by_hand) => match self.say(seat, by_hand, policy) {
                    Some(said) => Some(said),
                    None => return Ok(None),
                },
                None => None,
            };
            made.push((seat, said));
        }
        let mut actions = Vec::new();
        for (seat, said) in made {
            let (at, prev) = (usize::from(seat.0), self.trial.head());
            let payload = said.as_ref().map_or(Vec::new(), |(made, _)| made.step.to_bytes());
            self.sizes.push((what, OVERHEAD + payload.len()));
            let place = Place { round, seat };
            let entry = Entry::dangerously_sign(&self.identities[at], self.trial.table(), place, prev, payload);
            if let Some((made, action)) = said {
                self.hands[at].remember(made.memo);
                actions.extend(action.map(|action| (seat, action)));
            }
            self.entries.push(entry.clone());
            match (self.trial.admit(&entry), self.trial.referee()) {
                (Admission::Refused(charge), _) => return Err(charge),
                (Admission::Completed(_), Some(table)) if self.hands.is_empty() => {
                    self.hands = [Seat(0), Seat(1)].map(|seat| Hand::sit(table, seat)).into();
                }
                (Admission::Completed(events), Some(table)) if by_hand.is_some() => {
                    let learned = self.hands.iter_mut().map(|hand| hand.learn(table, &events));
                    if learned.collect::<Result<Vec<()>, _>>().is_err() {
                        return Ok(None);
                    }
                }
                _ => {}
            }
        }
        Ok(Some(actions))
    }

    /// Plays a script of moves as engines write them, and words: `offer`, `accept`, `resign`, `claim`, `show`, `keep`.
    /// It ends with the script and with what is due after it.
    pub(crate) fn play(&mut self, script: &str) -> Result<(), FaultReport<Cheated>> {
        let mut words = script.split_ascii_whitespace();
        let mut policy = |_: &Knowledge, legal: &[Action]| {
            let word = words.next()?;
            let fits = |action: &&Action| match action {
                Action::Move(mv) => mv.to_string() == word,
                Action::Offer => word == "offer",
                Action::Accept => word == "accept",
                Action::Resign => word == "resign",
                Action::Claim => word == "claim",
                Action::Show => word == "show",
                Action::Keep => word == "keep",
            };
            legal.iter().find(fits).copied()
        };
        while self.round(&mut policy)?.is_some() {}
        Ok(())
    }

    /// The log as a file, a refused entry at its end.
    pub(crate) fn export(&self) -> Vec<u8> {
        let mut out = header(self.trial.offer());
        self.entries.iter().cloned().map(Record::Entry).for_each(|record| record.encode(&mut out));
        out
    }
}
