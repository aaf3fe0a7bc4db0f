//! A table in this process and in memory: people in the first seats (usually one), bots in the others, and the full
//! protocol between them.

use std::collections::{BTreeSet, VecDeque};

use outis_game::words::Text;
use outis_table::Seat;
use outis_table::game::{Grade, Millis};
use outis_table::identity::Identity;
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::SealKey;
use outis_table::session::{Config, Misuse};
use rand::Rng;

use crate::exit::Failure;
use crate::machine::wall_clock::epoch;
use crate::random;
use outis_game::sitting::{Admitted, Ended, Happening, Sitting, Wanted};
use outis_game::{Game, SeatSpec, Who};
use outis_node::table_info::Crook;

/// Something new at the table.
pub enum Heard {
    /// A log entry that its seat proved and this seat checked, and whether a person decided it.
    Step(Admitted, bool),
    /// Something happened in the game.
    News(Text),
}

/// Why the table is waiting.
pub enum Pause {
    /// The person in this seat is to decide.
    Turn(Seat),
    /// The game has ended.
    Over(Ended),
}

/// The bots in the other seats.
pub struct Bots {
    /// Their level.
    pub level: u8,
    /// The bot that cheats, if any.
    pub crook: Option<Crook>,
}

/// The table. Its time stands still while a player thinks, so no clock runs out.
pub struct LocalTable {
    sittings: Vec<Box<dyn Sitting>>,
    /// The number of seats that people have, from the first on.
    people: usize,
    /// The seat at the keyboard: events are shown to it, and it takes the typed actions.
    holder: Option<usize>,
    level: u8,
    /// The round in which each bot last decided.
    decided: Vec<Option<u32>>,
    letters: VecDeque<(Seat, Seat, Vec<u8>)>,
    wake: Vec<Option<Millis>>,
    /// Kinds of steps that people decide.
    by_hand: BTreeSet<&'static str>,
    now: Millis,
}

impl LocalTable {
    /// Seats everyone. A single person has the keyboard; of several, one must [take](Self::take_over) it.
    pub fn open(game: &dyn Game, dials: &[i64], grade: Grade, bots: Bots, people: usize) -> Result<Self, Failure> {
        let Bots { level, crook } = bots;
        let allowed = game
            .choose(grade, dials)
            .ok_or_else(|| Failure::usage(format!("{} does not allow these options together", game.name())));
        let (options, seats) = allowed?;
        let mut rng = random::rng();
        let players: Vec<Identity> = (0..seats).map(|_| Identity::random(&mut rng)).collect();
        let tickets: Vec<Ticket> = players.iter().map(|who| Ticket::draw(who, b"desk", epoch(), &mut rng)).collect();
        let chairs =
            players.iter().zip(&tickets).map(|(who, ticket)| OfferSeat { key: who.public(), nonce: ticket.nonce() });
        let (name, seated) = (game.name().to_owned(), chairs.collect());
        let offer = Offer { game: name, options, parameters: grade.parameters(), seats: seated, after: None };
        let mut sittings = Vec::new();
        for (identity, ticket) in players.into_iter().zip(tickets) {
            let mut key = [0; 32];
            rng.fill_bytes(&mut key);
            let cheat = crook.as_ref().filter(|crook| usize::from(crook.seat.0) == sittings.len()).map(Crook::plan);
            let who = Who { identity, key: SealKey::new(key), config: Config::default(), now: 0, cheat };
            let sat = game.sit(SeatSpec { offer: offer.clone(), ticket, who }, &mut rng);
            sittings.push(sat.map_err(|misuse| Failure::fault(format!("nobody could sit down: {misuse}")))?);
        }
        let (decided, wake) = (vec![None; sittings.len()], vec![None; sittings.len()]);
        let (holder, letters) = ((people == 1).then_some(0), VecDeque::new());
        Ok(Self { sittings, people, holder, level, decided, letters, wake, by_hand: BTreeSet::new(), now: 0 })
    }

    /// The seat at the keyboard, or the first seat while nobody is there.
    pub fn own(&self) -> &dyn Sitting {
        &*self.sittings[self.holder.unwrap_or(0)]
    }

    /// The seat at the keyboard.
    pub fn holder(&self) -> Option<Seat> {
        self.holder.map(|seat| Seat(seat as u8))
    }

    /// Another person takes the keyboard; they are shown what is new since they last had it.
    pub fn take_over(&mut self, seat: Seat) {
        self.holder = Some(usize::from(seat.0)).filter(|seat| *seat < self.people);
    }

    /// The cheat that the bot tried.
    pub fn trick(&self) -> Option<&'static str> {
        self.sittings.iter().find_map(|sitting| sitting.trick())
    }

    /// The person at the keyboard takes an action.
    pub fn act(&mut self, token: &str) -> Result<(), Misuse> {
        let Some(holder) = self.holder else { return Err(Misuse::NotYourTurn) };
        self.sittings[holder].handle(self.now, Happening::Act(token), &mut random::rng())
    }

    /// The person who must decide; if several must, the one at the keyboard.
    fn turn(&self) -> Option<Seat> {
        let people = self.holder.into_iter().chain(0..self.people);
        people.into_iter().find(|seat| self.sittings[*seat].is_my_turn()).map(|seat| Seat(seat as u8))
    }

    /// Lets all seats act until a person must decide or the game has ended. An error of the listener stops it.
    pub fn run(&mut self, hear: &mut impl FnMut(&dyn Sitting, Heard) -> Result<(), Failure>) -> Result<Pause, Failure> {
        loop {
            let mut moved = false;
            for seat in 0..self.sittings.len() {
                moved |= self.take(seat);
                if Some(seat) == self.holder {
                    self.tell(hear)?;
                }
                moved |= self.think(seat);
            }
            while let Some((from, to, bytes)) = self.letters.pop_front() {
                moved = true;
                let to = usize::from(to.0);
                if let Some(sitting) = self.sittings.get_mut(to) {
                    let _ = sitting.handle(self.now, Happening::Receive(from, &bytes), &mut random::rng());
                }
                self.take(to);
                if Some(to) == self.holder {
                    self.tell(hear)?;
                }
            }
            if let Some(ended) = self.own().ended() {
                return Ok(Pause::Over(ended));
            }
            if moved {
                continue;
            }
            if let Some(seat) = self.turn() {
                return Ok(Pause::Turn(seat));
            }
            // No seat can continue until some time has passed.
            let Some(next) = self.wake.iter().flatten().min().copied() else {
                return Err(Failure::fault("all seats wait for each other"));
            };
            self.now = self.now.max(next) + 1;
            for seat in 0..self.sittings.len() {
                let _ = self.sittings[seat].handle(self.now, Happening::Tick, &mut random::rng());
                self.take(seat);
            }
        }
    }

    /// Carries out everything that a seat wants done; returns whether there was anything.
    fn take(&mut self, seat: usize) -> bool {
        let mut moved = false;
        let Some(sitting) = self.sittings.get_mut(seat) else { return false };
        loop {
            match sitting.poll() {
                // A game in memory is not resumed.
                Wanted::Persist(_) => {}
                Wanted::Transmit(to, bytes) => self.letters.push_back((sitting.seat(), to, bytes)),
                Wanted::Compute(work) => {
                    let _ = sitting.handle(self.now, Happening::Done(work.run()), &mut random::rng());
                }
                Wanted::Idle(wake) => {
                    self.wake[seat] = wake;
                    return moved;
                }
            }
            moved = true;
        }
    }

    /// Lets a bot decide if it must; returns whether it acted.
    fn think(&mut self, seat: usize) -> bool {
        let sitting = &mut self.sittings[seat];
        let round = Some(sitting.round());
        if seat < self.people || !sitting.is_my_turn() || self.decided[seat] == round {
            return false;
        }
        self.decided[seat] = round;
        let token = sitting.thought(self.level, &mut random::rng()).and_then(|thought| thought.think());
        token.is_some_and(|token| sitting.handle(self.now, Happening::Act(&token), &mut random::rng()).is_ok())
    }

    fn tell(&mut self, hear: &mut impl FnMut(&dyn Sitting, Heard) -> Result<(), Failure>) -> Result<(), Failure> {
        let Some(holder) = self.holder else { return Ok(()) };
        let own = &mut self.sittings[holder];
        let (admitted, news) = (own.admitted(), own.news());
        for step in admitted {
            let by_hand = self.by_hand.contains(step.what);
            hear(&**own, Heard::Step(step, by_hand))?;
        }
        self.by_hand.extend(own.waiting().filter(|waiting| waiting.by_hand).map(|waiting| waiting.what));
        for text in news {
            hear(&**own, Heard::News(text))?;
        }
        Ok(())
    }
}
