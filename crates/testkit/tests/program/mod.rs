//! Programs of seats, run by hand: the test controls every message.
#![allow(dead_code)]

use outis_game::present::Present;
use outis_high_card::protocol::Hand as HighCard;
use outis_high_card::rules::Options as HighCardOptions;
use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::Options;
use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::Entry;
use outis_table::game::{Millis, Player, Referee, RefereeOf};
use outis_table::identity::Identity;
use outis_table::judged_log::Stage;
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::SealKey;
use outis_table::session::wire::Frame;
use outis_table::session::{Config, Input, Output, Session, What};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

pub fn identity(seat: u8) -> Identity {
    Identity::from_secret(&[seat + 1; 32])
}

pub fn key(seat: u8) -> SealKey {
    SealKey::new([seat + 7; 32])
}

pub fn offer<P: Player>(options: &impl Encode, seats: u8) -> Offer {
    let seats = (0..seats).map(|seat| OfferSeat { key: identity(seat).public(), nonce: [seat; 32] }).collect();
    let game = RefereeOf::<P>::GAME.into();
    Offer { game, options: options.to_bytes(), parameters: vec![], seats, after: None }
}

pub fn high_card() -> Offer {
    offer::<HighCard>(&HighCardOptions { cards: 5, deals: 1, clock: 5 }, 3)
}

pub fn pennies() -> Offer {
    offer::<Hand>(&Options { throws: 2, clock: 0 }, 2)
}

/// One seat with its journal, and its outgoing messages by recipient.
pub struct Program<P: Player> {
    pub session: Session<P>,
    pub journal: Vec<u8>,
    pub sent: Vec<(Seat, Vec<u8>)>,
    pub rng: ChaCha20Rng,
    pub now: Millis,
}

impl<P: Present> Program<P> {
    pub fn start(offer: &Offer, seat: u8) -> Self {
        Self::start_with(offer, seat, Config::default())
    }

    pub fn start_with(offer: &Offer, seat: u8, config: Config) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seat.into());
        let ticket = Ticket::from_unused_nonce([seat; 32]);
        let session = Session::new(offer.clone(), ticket, identity(seat), key(seat), config, 0, &mut rng).unwrap();
        let mut program = Self { session, journal: Vec::new(), sent: Vec::new(), rng, now: 0 };
        program.drain();
        program
    }

    pub fn resume(seat: u8, journal: &[u8], seed: u64, now: Millis) -> Self {
        Self::resume_with(seat, journal, seed, now, Config::default())
    }

    pub fn resume_with(seat: u8, journal: &[u8], seed: u64, now: Millis, config: Config) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let resumed = Session::resume(journal, identity(seat), key(seat), config, now, &mut rng).unwrap();
        let journal = journal[..resumed.kept].to_vec();
        let mut program = Self { session: resumed.session, journal, sent: Vec::new(), rng, now };
        program.drain();
        program
    }

    pub fn give(&mut self, what: What<'_, P>) {
        let now = self.now;
        let is_tick = matches!(what, What::Tick);
        self.session.handle(Input { now, what }, &mut self.rng).unwrap();
        self.drain();
        if let (true, Output::Idle(Some(wake))) = (is_tick, self.session.poll()) {
            assert!(wake > self.now, "a session that wants to be woken at once would spin: {wake} at {now}");
        }
    }

    pub fn hear(&mut self, from: u8, frame: &Frame) {
        self.give(What::Receive(Seat(from), &frame.to_bytes()));
    }

    pub fn drain(&mut self) {
        loop {
            match self.session.poll() {
                Output::Persist(bytes) => self.journal.extend(bytes),
                Output::Transmit(to, bytes) => self.sent.push((to, bytes)),
                Output::Compute(job) => {
                    let done = job.run();
                    self.drain();
                    return self.give(What::Done(done));
                }
                Output::View(_) => {}
                Output::Idle(_) => return,
            }
        }
    }

    pub fn stage(&self) -> &'static str {
        match self.session.expects() {
            Stage::Steps(expectation) => expectation.what,
            Stage::Echo(_) => "echo",
            Stage::Seating => "sit",
            Stage::Closing => "close",
            Stage::Closed => "closed",
        }
    }

    /// The seat's own entries among what it sent.
    pub fn said(&self) -> Vec<Entry> {
        let frames = self.sent.iter().filter_map(|(_, bytes)| Frame::from_bytes(bytes, &()).ok());
        let entries = frames.filter_map(|frame| if let Frame::Entry(entry) = frame { Some(entry) } else { None });
        entries.filter(|entry| entry.place().seat == self.session.seat()).collect()
    }
}

/// Delivers everything that `lets` permits, until no seat sends anything.
pub fn converse<P: Present>(seats: &mut [Program<P>], mut lets: impl FnMut(usize, usize, &Frame) -> bool) {
    loop {
        let sent: Vec<_> = seats.iter_mut().map(|seat| std::mem::take(&mut seat.sent)).collect();
        if sent.iter().all(Vec::is_empty) {
            return;
        }
        seats.iter_mut().for_each(|seat| seat.now += 50);
        for (from, frames) in sent.into_iter().enumerate() {
            for (to, bytes) in frames {
                let frame = Frame::from_bytes(&bytes, &()).unwrap();
                if lets(from, usize::from(to.0), &frame) {
                    seats[usize::from(to.0)].hear(from as u8, &frame);
                }
            }
        }
    }
}

pub fn wait<P: Present>(seats: &mut [Program<P>], time: Millis, mut lets: impl FnMut(usize, usize, &Frame) -> bool) {
    for _ in 0..time / 250 {
        seats.iter_mut().for_each(|seat| {
            seat.now += 250;
            seat.give(What::Tick);
        });
        converse(seats, &mut lets);
    }
}
