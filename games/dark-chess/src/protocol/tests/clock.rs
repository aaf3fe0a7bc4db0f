//! The offer of a draw takes no time from the other, and gives none to who makes it.

use outis_table::Seat;
use outis_table::codec::Encode;
use outis_table::game::{Grade, Millis, Referee, Rules};
use outis_table::identity::Identity;
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::SealKey;
use outis_table::session::{Config, Input, Output, Session, What};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::protocol::{Hand, Table};
use crate::rules::game::DarkChess;
use crate::rules::knowledge::Action;
use crate::rules::options::Options;

/// Two seats in one program, and a clock.
pub(super) struct Pair {
    pub(super) seats: Vec<Session<Hand>>,
    pub(super) rng: ChaCha20Rng,
    pub(super) now: Millis,
    pub(super) letters: Vec<(usize, Seat, Vec<u8>)>,
    /// What each seat has written down, record by record.
    pub(super) journals: [Vec<Vec<u8>>; 2],
}

fn identity(seat: u8) -> Identity {
    Identity::from_secret(&[seat + 1; 32])
}

fn key(seat: u8) -> SealKey {
    SealKey::new([seat + 7; 32])
}

impl Pair {
    pub(super) fn new(grade: Grade, options: Options) -> Self {
        let offer = Offer {
            game: Table::GAME.into(),
            options: options.to_bytes(),
            parameters: grade.parameters(),
            seats: [0, 1].map(|seat| OfferSeat { key: identity(seat).public(), nonce: [seat; 32] }).into(),
            after: None,
        };
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let seats = [0u8, 1].map(|seat| {
            let ticket = Ticket::from_unused_nonce([seat; 32]);
            Session::new(offer.clone(), ticket, identity(seat), key(seat), Config::default(), 0, &mut rng).unwrap()
        });
        let mut pair = Self { seats: seats.into(), rng, now: 0, letters: Vec::new(), journals: Default::default() };
        (0..2).for_each(|seat| pair.drain(seat));
        pair.settle();
        pair
    }

    pub(super) fn give(&mut self, seat: usize, what: What<'_, Hand>) {
        self.seats[seat].handle(Input { now: self.now, what }, &mut self.rng).unwrap();
        self.drain(seat);
    }

    /// Time passes for two programs that are awake. What they ask meanwhile is lost.
    pub(super) fn pass(&mut self, time: Millis) {
        let until = self.now + time;
        while self.now < until {
            self.now = until.min(self.now + 1_000);
            (0..2).for_each(|seat| self.give(seat, What::Tick));
            self.letters.clear();
        }
    }

    /// The program of a seat is killed and started again; what it had written last may be torn off.
    pub(super) fn restart(&mut self, seat: usize, torn: usize) {
        let records = &mut self.journals[seat];
        records.truncate(records.len() - torn);
        let (journal, who) = (records.concat(), seat as u8);
        let config = Config::default();
        let resumed = Session::resume(&journal, identity(who), key(who), config, self.now, &mut self.rng).unwrap();
        self.seats[seat] = resumed.session;
        self.drain(seat);
    }

    /// How many pictures a seat can look back at.
    pub(super) fn recalled(&mut self, seat: usize) -> usize {
        let who = seat as u8;
        let journal = self.journals[seat].concat();
        Session::<Hand>::recall(&journal, identity(who), key(who), &mut self.rng).unwrap().len()
    }

    fn drain(&mut self, seat: usize) {
        loop {
            match self.seats[seat].poll() {
                Output::Transmit(to, bytes) => self.letters.push((seat, to, bytes)),
                Output::Compute(job) => {
                    let done = job.run();
                    self.drain(seat);
                    return self.give(seat, What::Done(done));
                }
                Output::Persist(record) => self.journals[seat].push(record),
                Output::View(_) => {}
                Output::Idle(_) => return,
            }
        }
    }

    /// Everything that was sent arrives at once.
    pub(super) fn settle(&mut self) {
        while !self.letters.is_empty() {
            for (from, to, bytes) in std::mem::take(&mut self.letters) {
                self.give(usize::from(to.0), What::Receive(Seat(from as u8), &bytes));
            }
        }
    }

    pub(super) fn act(&mut self, seat: usize, fits: impl Fn(&Action) -> bool) {
        let legal = DarkChess::legal(self.seats[seat].knowledge().unwrap());
        let action = legal.into_iter().find(fits).unwrap();
        self.give(seat, What::Act(action));
        self.settle();
    }

    pub(super) fn deadlines(&self) -> [Option<Millis>; 2] {
        [0, 1].map(|seat| self.seats[seat].deadline())
    }
}

fn an_offer_gives_no_time(grade: Grade) {
    let mut pair = Pair::new(grade, Options { clock: 60, ..Options::default() });
    assert!(pair.seats[0].is_my_turn(), "{}", pair.seats[0].trial().what());
    assert_eq!(pair.deadlines(), [Some(60_000); 2]);
    pair.pass(50_000);
    pair.act(0, |action| *action == Action::Offer);
    assert!(pair.seats[0].is_my_turn());
    assert_eq!(pair.deadlines(), [Some(60_000); 2], "ten seconds are left, as before");
    // Who moves in time gives the turn away, and the other has a clock of its own.
    pair.pass(5_000);
    pair.act(0, |action| matches!(action, Action::Move(_)));
    assert!(pair.seats[1].is_my_turn());
    assert_eq!(pair.deadlines(), [Some(115_000); 2]);
    // The other's move declines, and gives nothing back either.
    pair.pass(5_000);
    pair.act(1, |action| matches!(action, Action::Move(_)));
    assert_eq!(pair.deadlines(), [Some(120_000); 2]);
}

#[test]
fn an_offer_gives_no_time_in_the_hardened_grade() {
    an_offer_gives_no_time(Grade::Hardened);
}

/// The same referee as in play, with the modulus of play.
#[test]
#[ignore = "a minute: cargo test --release -p outis-dark-chess -- --ignored gives_no_time"]
fn an_offer_gives_no_time_in_the_classic_grade() {
    an_offer_gives_no_time(Grade::Classic);
}

/// The result is signed by both programs before anyone is asked anything: who closes the page at the question has won, or lost.
fn the_result_comes_before_the_question(grade: Grade) {
    use outis_table::audit::{Verdict, audit};
    use outis_table::seats::Seats;
    use outis_table::session::End;
    let options = Options { clock: 60, review: true, sealed: true, ..Options::default() };
    let mut pair = Pair::new(grade, options);
    pair.act(0, |action| *action == Action::Resign);
    assert_eq!((pair.seats[1].trial().what(), pair.seats[1].is_my_turn()), ("review", true));
    for seat in 0..2 {
        let read = audit::<Table>(&pair.seats[seat].export()).unwrap();
        assert_eq!(
            (&read.verdict, read.unsigned(), &read.scores),
            (&Verdict::Finished, Seats::NONE, &Some(vec![-1, 1]))
        );
    }
    // The loser answers, and the winner never does. Nobody is silent, and nobody has anything to claim.
    pair.act(0, |action| *action == Action::Show);
    pair.pass(70_000);
    let report = pair.seats[0].report().expect("it does not wait for ever");
    assert_eq!((&report.end, &report.scores, report.silent()), (&End::Finished, &Some(vec![-1, 1]), Seats::NONE));
    pair.give(1, What::StopWaiting);
    assert_eq!(
        pair.seats[1].report().map(|report| (report.end, report.scores)),
        Some((End::Finished, Some(vec![-1, 1])))
    );
    let read = audit::<Table>(&pair.seats[1].export()).unwrap();
    assert_eq!((read.verdict, read.claims.len()), (Verdict::Finished, 0));
    // And it stays so.
    pair.restart(1, 0);
    assert_eq!(pair.seats[1].report().map(|report| report.end), Some(End::Finished));
    // Who wants to show it still can.
    let mut pair = Pair::new(grade, options);
    pair.act(0, |action| *action == Action::Resign);
    (0..2).for_each(|seat| pair.act(seat, |action| *action == Action::Show));
    assert!(pair.seats.iter().all(|seat| seat.report().is_some_and(|report| report.end == End::Finished)));
    let read = audit::<Table>(&pair.seats[1].export()).unwrap();
    assert_eq!((read.verdict, read.trial.is_over()), (Verdict::Finished, true));
}

#[test]
fn the_result_comes_before_the_question_in_the_hardened_grade() {
    the_result_comes_before_the_question(Grade::Hardened);
}
