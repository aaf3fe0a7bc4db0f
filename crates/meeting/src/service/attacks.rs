//! What malicious visitors do to a lobby and to its other visitors.

use outis_table::codec::Encode;
use outis_table::entry::{Entry, Place};
use outis_table::export::Record;
use outis_table::identity::Identity;
use outis_table::letter::Letter;
use outis_table::{Head, Seat};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::tests::{NOW, ask, board, consent, game, letter, mail, meeting, people, signed, verdict};
use super::*;
use crate::archive::{Outcome, Shelved};
use crate::memory::Memory;
use crate::notice::tests::{claim, notice};
use crate::notice::{Signed, code_digest};
use crate::store::{Bell, Job, Part, Value};

fn crowd(from: u16, count: u16) -> impl Iterator<Item = Identity> {
    (from..from + count).map(|n| {
        let mut secret = [9; 32];
        secret[..2].copy_from_slice(&n.to_le_bytes());
        Identity::from_secret(&secret)
    })
}

fn send(meeting: &Meeting, from: &Identity, to: &Identity, n: u8) -> Answer {
    ask(meeting, from, Request::Send(Box::new(letter(from, to, n))))
}

fn clear(meeting: &Meeting, who: &Identity, left: usize) {
    let all = mail(meeting, who);
    let upto = all.iter().rev().nth(left).map_or(0, |(position, _)| *position);
    assert_eq!(ask(meeting, who, Request::Clear(upto)), Answer::Done);
    assert_eq!(mail(meeting, who).len(), left);
}

#[test]
fn a_mailbox_that_somebody_keeps_from_being_empty_still_has_room_for_friends() {
    let (meeting, [anna, bela, mallory, _]) = (meeting(), people());
    // Béla constantly reads and clears his mail; a message from Mallory has always just arrived.
    for n in 0..20 {
        assert_eq!(send(&meeting, &anna, &bela, n), Answer::Done, "letter {n}");
        assert_eq!(send(&meeting, &mallory, &bela, n), Answer::Done, "letter {n}");
        clear(&meeting, &bela, 1);
    }
}

#[test]
fn the_same_letter_again_takes_no_room() {
    let (meeting, [anna, bela, ..]) = (meeting(), people());
    for _ in 0..20 {
        assert_eq!(send(&meeting, &anna, &bela, 1), Answer::Done);
    }
    assert_eq!(send(&meeting, &anna, &bela, 2), Answer::Done);
    assert_eq!(mail(&meeting, &bela).len(), 2);
}

#[test]
fn a_crowd_of_strangers_does_not_keep_out_those_whom_one_wrote_to() {
    let (meeting, [anna, bela, cili, _]) = (meeting(), people());
    assert_eq!(send(&meeting, &bela, &anna, 1), Answer::Done);
    for stranger in crowd(0, 10) {
        send(&meeting, &stranger, &bela, 1);
    }
    assert_eq!(send(&meeting, &cili, &bela, 1), Answer::Sorry(Refusal::Full), "a stranger finds it full");
    assert_eq!(send(&meeting, &anna, &bela, 2), Answer::Done, "who was written to gets through");
    // A guest who has requested a seat can receive mail from the host.
    let hanging = signed(&anna, 1);
    ask(&meeting, &anna, Request::Post(hanging.clone()));
    let guest = crowd(500, 1).next().unwrap();
    let asked = Signed::new(&guest, claim(&guest, &hanging, NOW)).unwrap();
    assert_eq!(ask(&meeting, &guest, Request::Claim(asked)), Answer::Done);
    for stranger in crowd(0, 10) {
        send(&meeting, &stranger, &guest, 1);
    }
    assert_eq!(send(&meeting, &anna, &guest, 3), Answer::Done);
}

#[test]
fn nobody_fills_the_disk_with_letters_to_people_who_are_not() {
    let setup = Setup {
        limits: Limits { burst: 1_000_000, bytes: 20_000, byte_rate: 1_000, ..Limits::default() },
        ..Setup::default()
    };
    let meeting = Meeting::new(Box::new(Memory::default()), setup);
    let mallory = Identity::from_secret(&[7; 32]);
    let flood = |now: Millis, from: u16| {
        let letters = crowd(from, 100).map(|nobody| letter(&mallory, &nobody, 1));
        let sent = letters.map(|letter| meeting.answer(&mallory.public(), now, Request::Send(Box::new(letter))));
        sent.filter(|answer| *answer == Answer::Done).count()
    };
    // A message has 1204 bytes.
    assert_eq!(flood(NOW, 0), 16);
    assert_eq!(flood(NOW + 3_000, 100), 3, "more comes by the second");
    meeting.sweep(NOW + 4_000).unwrap();
    assert_eq!(flood(NOW + 4_000, 200), 0, "and a sweep forgets nothing of it");
    let log = vec![0; 30_000];
    let asked = meeting.answer(&mallory.public(), NOW + 60_000, Request::Deposit(log));
    assert_eq!(asked, Answer::Sorry(Refusal::TooMany), "logs count too");
}

#[test]
fn private_tables_do_not_hide_the_others() {
    let (meeting, [anna, bela, ..]) = (meeting(), people());
    ask(&meeting, &anna, Request::Post(signed(&anna, 1)));
    for host in crowd(0, 1_000) {
        for room in 0..3 {
            let mut private = notice(&host, room);
            private.code = Some(code_digest("nobody looks for this"));
            ask(&meeting, &host, Request::Post(Signed::new(&host, private).unwrap()));
        }
    }
    assert_eq!(board(&meeting, &bela), [signed(&anna, 1)]);
}

#[test]
fn other_games_do_not_hide_the_one_that_is_asked_for() {
    let (meeting, [_, bela, ..]) = (meeting(), people());
    let mut all: Vec<Identity> = crowd(0, 1_000).collect();
    all.sort_by_key(|who| *who.public().as_bytes());
    // A host whose key sorts after all of theirs.
    let anna = all.pop().unwrap();
    for host in &all {
        for room in 0..3 {
            let mut other = notice(host, room);
            other.game = "poker".into();
            ask(&meeting, host, Request::Post(Signed::new(host, other).unwrap()));
        }
    }
    ask(&meeting, &anna, Request::Post(signed(&anna, 1)));
    let asked = Request::Board { game: Some("dark-chess".into()), after: None };
    assert_eq!(ask(&meeting, &bela, asked), Answer::Board(vec![signed(&anna, 1)]));
}

#[test]
fn a_table_is_open_or_private_and_hangs_once() {
    let (meeting, [anna, bela, ..]) = (meeting(), people());
    let hang = |serial: u64, code: Option<&str>| {
        let mut table = notice(&anna, 1);
        (table.serial, table.code) = (serial, code.map(code_digest));
        ask(&meeting, &anna, Request::Post(Signed::new(&anna, table).unwrap()))
    };
    let private = || match ask(&meeting, &bela, Request::Room(code_digest("lusab babad"))) {
        Answer::Board(found) => found.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(hang(1, None), Answer::Done);
    assert_eq!(hang(2, Some("lusab babad")), Answer::Done);
    assert_eq!((board(&meeting, &bela).len(), private()), (0, 1));
    assert_eq!(hang(1, None), Answer::Sorry(Refusal::Changed), "an old one, though nothing hangs at its place");
    assert_eq!(hang(3, None), Answer::Done);
    assert_eq!((board(&meeting, &bela).len(), private()), (1, 0));
}

#[test]
fn a_crowd_of_small_keys_hides_nobody_for_long() {
    let (meeting, [anna, ..]) = (meeting(), people());
    let hello = || Request::Hello { version: VERSION, who: "X".into() };
    let mut all: Vec<Identity> = crowd(0, 600).collect();
    all.sort_by_key(|who| *who.public().as_bytes());
    let last = *all.last().unwrap().public().as_bytes();
    all.iter().for_each(|who| drop(meeting.answer(&who.public(), NOW, hello())));
    let sees = |now: Millis| match meeting.answer(&anna.public(), now, Request::People) {
        Answer::People(people) => {
            assert_eq!(people.len(), usize::from(MAX_ITEMS));
            people.iter().any(|(key, _)| *key.as_bytes() == last)
        }
        other => panic!("{other:?}"),
    };
    // They all greet the lobby again and again; the list is a different one each time.
    let seen = (1..=20u64).filter(|turn| {
        let now = NOW + turn * HERE / 2;
        all.iter().for_each(|who| drop(meeting.answer(&who.public(), now, hello())));
        sees(now)
    });
    assert!((3..=12).contains(&seen.count()), "about every third time");
}

#[test]
fn a_seat_is_held_for_ten_minutes_each() {
    let meeting = meeting();
    let anna = Identity::from_secret(&[1; 32]);
    let mut table = notice(&anna, 1);
    (table.seats, table.open, table.until) = (4, 2, NOW + 100 * HOLD);
    let hanging = Signed::new(&anna, table).unwrap();
    ask(&meeting, &anna, Request::Post(hanging.clone()));
    let asks = |guest: &Identity, now: Millis| {
        let claim = Signed::new(guest, claim(guest, &hanging, now)).unwrap();
        meeting.answer(&guest.public(), now, Request::Claim(claim))
    };
    let guests: Vec<Identity> = crowd(0, 4).collect();
    assert_eq!(asks(&guests[0], NOW), Answer::Done);
    assert_eq!(asks(&guests[1], NOW + HOLD / 2), Answer::Done);
    assert_eq!(asks(&guests[2], NOW + HOLD - 1), Answer::Sorry(Refusal::Full));
    // The second guest's request does not prolong the hold on the first guest's seat.
    assert_eq!(asks(&guests[2], NOW + HOLD), Answer::Done);
    assert_eq!(asks(&guests[3], NOW + HOLD), Answer::Sorry(Refusal::Full));
    clear(&meeting, &anna, 0);
    assert_eq!(asks(&guests[3], NOW + HOLD + HOLD / 2), Answer::Done);
}

#[test]
fn a_strangers_verdict_does_not_stand_on_the_shelf() {
    let (meeting, [anna, bela, mallory, _]) = (meeting(), people());
    let (offer, log, head) = game(1);
    let consents = vec![consent(&anna, &offer, head), consent(&bela, &offer, head)];
    ask(&meeting, &anna, Request::Consent { offer: offer.to_bytes(), consents });
    assert_eq!(ask(&meeting, &anna, Request::Deposit(log.clone())), Answer::Done);
    let slander = verdict(&mallory, &offer, crate::store::blob_name(&log), head);
    let found = Request::Found { job: 1, attempt: 1, verdict: Box::new(slander) };
    assert_eq!(ask(&meeting, &mallory, found), Answer::Sorry(Refusal::NotYours));
}

/// Béla has lost and wants something different in the archive under Anna's name.
#[test]
fn only_the_history_that_all_agreed_to_comes_on_the_shelf() {
    let (meeting, [anna, bela, ..]) = (meeting(), people());
    let (offer, log, head) = game(1);
    for who in [&anna, &bela] {
        let consents = vec![consent(who, &offer, head)];
        ask(&meeting, who, Request::Consent { offer: offer.to_bytes(), consents });
    }
    let header = outis_table::export::header(&offer);
    let (_, records) = outis_table::export::read(&log).unwrap();
    let records: Vec<Record> = records.map(Result::unwrap).collect();
    let with = |records: &[Record]| {
        let mut file = header.clone();
        records.iter().for_each(|record| record.encode(&mut file));
        file
    };
    assert_eq!(with(&records), log);
    // An extra entry after the end, properly signed by Béla.
    let place = Place { round: 3, seat: Seat(1) };
    let more = Entry::dangerously_sign(&bela, offer.id(), place, Head(head), Vec::new());
    let mut altered = log.clone();
    *altered.last_mut().unwrap() ^= 1;
    let bring = |log: Vec<u8>| ask(&meeting, &bela, Request::Deposit(log));
    for (other, why) in [
        (header.clone(), Refusal::NotAgreed),
        ([&header[..], b"garbage"].concat(), Refusal::Senseless),
        (with(&records[..4]), Refusal::NotAgreed),
        (with(&records[..5]), Refusal::NotAgreed),
        ([&log[..], &Record::Entry(more).to_bytes()].concat(), Refusal::NotAgreed),
        ([&log[..], &records[5].to_bytes()].concat(), Refusal::Senseless),
        (altered, Refusal::Senseless),
        ([&log[..], &[0; 1_000]].concat(), Refusal::Senseless),
    ] {
        assert_eq!(bring(other), Answer::Sorry(why));
    }
    assert_eq!(meeting.figures().waiting, 0);
    assert_eq!(ask(&meeting, &anna, Request::Deposit(log.clone())), Answer::Done);
    let look = Request::Shelf { player: None, game: None, from: 0, to: 0, after: None };
    let Answer::Shelf(games) = ask(&meeting, &anna, look) else { panic!() };
    assert_eq!(games.iter().map(|game| game.log).collect::<Vec<_>>(), [crate::store::blob_name(&log)]);
}

/// A program that asks again and again whether the others consent causes no writes.
#[test]
fn consent_that_is_known_is_not_written_again() {
    let [anna, bela, ..] = people();
    let (offer, _, head) = game(1);
    let store = std::sync::Arc::new(Memory::default());
    let open =
        |left: usize| Meeting::new(Box::new(Dying { left: left.into(), ..Dying::over(&store) }), Setup::default());
    let agree = |meeting: &Meeting, who: &Identity, head| {
        let consents = vec![consent(who, &offer, head)];
        ask(meeting, who, Request::Consent { offer: offer.to_bytes(), consents })
    };
    assert_eq!(agree(&open(1), &anna, head), Answer::Missing { seats: vec![1], wanted: false });
    let (dead, alive) = (open(0), open(1));
    for _ in 0..10 {
        assert_eq!(agree(&dead, &anna, head), Answer::Missing { seats: vec![1], wanted: false });
    }
    assert_eq!(agree(&dead, &anna, [8; 32]), Answer::Sorry(Refusal::Failing), "another one is");
    assert_eq!(agree(&alive, &bela, head), Answer::Missing { seats: vec![], wanted: true });
    // A consent expires after a while; then it is written again.
    let later = NOW + Limits::default().retention;
    let consents = vec![consent(&anna, &offer, head)];
    let again = open(1).answer(&anna.public(), later, Request::Consent { offer: offer.to_bytes(), consents });
    assert_eq!(again, Answer::Missing { seats: vec![1], wanted: false });
}

/// A trusted verifier that contradicts itself, or that another one contradicts, produces no result.
#[test]
fn what_counts_is_what_stands_on_the_shelf() {
    let [anna, bela, other, judge] = people();
    let verifiers = BTreeSet::from([&other, &judge].map(|who| *who.public().as_bytes()));
    let limits = Limits { burst: 10_000, ..Limits::default() };
    let meeting = Meeting::new(Box::new(Memory::default()), Setup { verifiers, limits, ..Setup::default() });
    let results = || match ask(&meeting, &anna, Request::Results(0)) {
        Answer::Results(results) => results,
        other => panic!("{other:?}"),
    };
    let shelve = |n: u8| {
        let (offer, log, head) = game(n);
        let consents = vec![consent(&anna, &offer, head), consent(&bela, &offer, head)];
        ask(&meeting, &anna, Request::Consent { offer: offer.to_bytes(), consents });
        assert_eq!(ask(&meeting, &anna, Request::Deposit(log.clone())), Answer::Done);
        (offer, crate::store::blob_name(&log), head)
    };
    let found = |by: &Identity, (offer, log, head): &(outis_table::offer::Offer, Name, Name), outcome, score: i64| {
        let mut verdict = verdict(by, offer, *log, *head).body().clone();
        (verdict.outcome, verdict.scores) = (outcome, vec![score, -score]);
        let verdict = Box::new(Signed::new(by, verdict).unwrap());
        assert_eq!(ask(&meeting, by, Request::Found { job: 1, attempt: 1, verdict }), Answer::Done);
    };
    let first = shelve(1);
    found(&judge, &first, Outcome::Fault(1), 0);
    found(&judge, &first, Outcome::Finished, 3);
    assert_eq!(results(), [], "its first word stands on the shelf");
    found(&other, &first, Outcome::Finished, 3);
    assert_eq!(results(), [], "another one says the contrary");
    let second = shelve(2);
    found(&judge, &second, Outcome::Unreadable, 0);
    found(&other, &second, Outcome::Finished, 3);
    assert_eq!(results().len(), 1, "who cannot read a game says nothing against it");
    let third = shelve(3);
    found(&judge, &third, Outcome::Finished, 3);
    found(&other, &third, Outcome::Finished, 5);
    let scores: Vec<_> = results().iter().map(|(_, verdict)| verdict.body().scores.clone()).collect();
    assert_eq!(scores, [vec![3, -3], vec![3, -3]], "the first one counts, once");
}

#[test]
fn what_the_shelf_shows_holds_together() {
    let [anna, bela, cili, judge] = people();
    let (offer, log, head) = game(1);
    let name = crate::store::blob_name(&log);
    let good = Shelved {
        table: offer.id().0,
        log: name,
        game: "poker".into(),
        at: NOW,
        consents: vec![consent(&anna, &offer, head), consent(&bela, &offer, head)],
        verdicts: vec![verdict(&judge, &offer, name, head)],
    };
    assert!(good.is_sound());
    let bad: [&dyn Fn(&mut Shelved); 6] = [
        &|game| game.consents.clear(),
        &|game| game.consents[1] = consent(&cili, &offer, head),
        &|game| game.consents[1] = consent(&anna, &offer, head),
        &|game| game.consents[1] = consent(&bela, &offer, [8; 32]),
        &|game| game.verdicts[0] = verdict(&judge, &offer, name, [8; 32]),
        &|game| game.game = "tarokk".into(),
    ];
    for (i, spoil) in bad.into_iter().enumerate() {
        let mut game = good.clone();
        spoil(&mut game);
        assert!(!game.is_sound(), "{i}");
    }
}

#[test]
fn verifiers_are_not_held_up() {
    let [.., judge] = people();
    let setup = Setup {
        limits: Limits { burst: 1, rate: 0, ..Limits::default() },
        verifiers: BTreeSet::from([*judge.public().as_bytes()]),
        ..Setup::default()
    };
    let meeting = Meeting::new(Box::new(Memory::default()), setup);
    for _ in 0..50 {
        assert_eq!(ask(&meeting, &judge, Request::Work), Answer::Work(None));
    }
}

type Meanwhile = Box<dyn FnOnce() + Send>;

/// A store that fails at a given change, as if the process had died; it can also run something just before a game is
/// entered in the archive.
struct Dying {
    store: std::sync::Arc<Memory>,
    left: std::sync::atomic::AtomicUsize,
    meanwhile: Mutex<Option<Meanwhile>>,
    /// The most bytes of a log that were requested at once.
    read: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Dying {
    fn over(store: &std::sync::Arc<Memory>) -> Self {
        let (meanwhile, read) = (Mutex::default(), Default::default());
        Self { store: store.clone(), left: usize::MAX.into(), meanwhile, read }
    }

    fn change(&self) -> Result<(), Trouble> {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| Trouble::Failing("dead".into()))
    }
}

impl Store for Dying {
    fn append(&self, stream: &str, id: Name, at: Millis, bytes: &[u8]) -> Result<u64, Trouble> {
        self.change()?;
        self.store.append(stream, id, at, bytes)
    }
    fn read(&self, stream: &str, after: u64, most: usize, room: usize) -> Result<Vec<(u64, Vec<u8>)>, Trouble> {
        self.store.read(stream, after, most, room)
    }
    fn trim(&self, stream: &str, upto: u64) -> Result<(), Trouble> {
        self.change()?;
        self.store.trim(stream, upto)
    }
    fn listen(&self, bell: Bell) {
        self.store.listen(bell);
    }
    fn get(&self, bucket: Bucket, key: &[u8], now: Millis) -> Result<Option<Value>, Trouble> {
        self.store.get(bucket, key, now)
    }
    fn put(
        &self,
        bucket: Bucket,
        key: &[u8],
        bytes: &[u8],
        expect: Expect,
        until: Option<Millis>,
        now: Millis,
    ) -> Result<u64, Trouble> {
        self.change()?;
        if bucket == Bucket::Tables
            && let Some(meanwhile) = self.meanwhile.lock().unwrap().take()
        {
            meanwhile();
        }
        self.store.put(bucket, key, bytes, expect, until, now)
    }
    fn delete(&self, bucket: Bucket, key: &[u8]) -> Result<bool, Trouble> {
        self.change()?;
        self.store.delete(bucket, key)
    }
    fn list(
        &self,
        bucket: Bucket,
        prefix: &[u8],
        after: &[u8],
        most: usize,
        now: Millis,
    ) -> Result<Vec<(Vec<u8>, Value)>, Trouble> {
        self.store.list(bucket, prefix, after, most, now)
    }
    fn sweep(&self, now: Millis, before: Millis) -> Result<usize, Trouble> {
        self.store.sweep(now, before)
    }
    fn push(&self, name: Name, bytes: &[u8]) -> Result<(), Trouble> {
        self.change()?;
        self.store.push(name, bytes)
    }
    fn take(&self, now: Millis, until: Millis) -> Result<Option<Job>, Trouble> {
        self.store.take(now, until)
    }
    fn done(&self, id: u64, attempt: u64) -> Result<bool, Trouble> {
        self.store.done(id, attempt)
    }
    fn waiting(&self) -> Result<usize, Trouble> {
        self.store.waiting()
    }
    fn put_blob(&self, bytes: &[u8]) -> Result<Name, Trouble> {
        self.change()?;
        self.store.put_blob(bytes)
    }
    fn part(&self, name: &Name, offset: usize, most: usize) -> Result<Option<Part>, Trouble> {
        self.read.fetch_max(most, Ordering::SeqCst);
        self.store.part(name, offset, most)
    }
}

/// Sixty-four connections that each request the first part of a large log must not use the memory of sixty-four logs.
#[test]
fn whoever_reads_a_log_moves_one_part_at_a_time_and_pays_for_it() {
    let store = std::sync::Arc::new(Memory::default());
    let log: Vec<u8> = (0..1_000_000u32).map(|n| n as u8).collect();
    let name = store.put_blob(&log).unwrap();
    let (dying, mallory) = (Dying::over(&store), Identity::from_secret(&[7; 32]));
    let most = dying.read.clone();
    let meeting = Meeting::new(Box::new(dying), Setup::default());
    let mut got = Vec::new();
    while got.len() < log.len() {
        let answer = ask(&meeting, &mallory, Request::Fetch { log: name, offset: got.len() as u32 });
        let Answer::Part { total, bytes } = answer else { panic!("{answer:?}") };
        assert!(total as usize == log.len() && !bytes.is_empty());
        got.extend(bytes);
    }
    assert!(got == log && most.load(Ordering::SeqCst) == crate::wire::CHUNK);
    let beyond = |offset| ask(&meeting, &mallory, Request::Fetch { log: name, offset });
    assert_eq!(beyond(1_000_000), Answer::Part { total: 1_000_000, bytes: Vec::new() });
    assert_eq!(beyond(1_000_001), Answer::Sorry(Refusal::Senseless));
    let asked = (0..1_000).filter(|_| {
        ask(&meeting, &mallory, Request::Fetch { log: name, offset: 0 }) != Answer::Sorry(Refusal::TooMany)
    });
    assert_eq!(asked.count(), 66 - 6, "at once; then as many as come by the second");
}

/// A log is delivered, the lobby dies at any point of that, and the log is delivered again: it is in the archive once,
/// with work for a verifier.
#[test]
fn a_deposit_that_was_broken_off_is_finished_by_the_next() {
    let [anna, bela, ..] = people();
    let (offer, log, head) = game(1);
    let consents = vec![consent(&anna, &offer, head), consent(&bela, &offer, head)];
    for deaths in 0..8 {
        let store = std::sync::Arc::new(Memory::default());
        let open = |left: usize| {
            let store = Dying { left: left.into(), ..Dying::over(&store) };
            Meeting::new(Box::new(store), Setup::default())
        };
        let whole = open(usize::MAX);
        let agree = Request::Consent { offer: offer.to_bytes(), consents: consents.clone() };
        let wanted = Answer::Missing { seats: Vec::new(), wanted: true };
        assert_eq!(ask(&whole, &anna, agree.clone()), wanted);
        let broken = open(deaths);
        let bring = |meeting: &Meeting, who: &Identity, now: Millis| {
            meeting.answer(&who.public(), now, Request::Deposit(log.clone()))
        };
        let first = bring(&broken, &anna, NOW);
        assert_eq!(first == Answer::Done, deaths >= 6, "{deaths}");
        let again = open(usize::MAX);
        // If the entry is incomplete, the lobby asks for the log, or the next player who delivers it completes it.
        assert_eq!(bring(&again, &bela, NOW + 5), Answer::Done, "{deaths}");
        let look = Request::Shelf { player: None, game: None, from: 0, to: 0, after: None };
        for player in [None, Some(anna.public()), Some(bela.public())] {
            let Request::Shelf { game, from, to, after, .. } = look.clone() else { panic!() };
            let Answer::Shelf(games) = ask(&again, &anna, Request::Shelf { player, game, from, to, after }) else {
                panic!()
            };
            assert!(games.len() == 1 && games[0].is_sound(), "{deaths}: {} games", games.len());
        }
        assert_eq!(again.figures().waiting, 1, "{deaths}");
    }
}

/// Two players deliver the log in the same millisecond. The second finds the position taken only after looking.
#[test]
fn two_who_bring_a_game_in_one_moment_do_not_take_it_away_from_each_other() {
    let [anna, bela, ..] = people();
    let (offer, log, head) = game(1);
    let store = std::sync::Arc::new(Memory::default());
    let open = |meanwhile: Option<Meanwhile>| {
        let store = Dying { meanwhile: Mutex::new(meanwhile), ..Dying::over(&store) };
        Meeting::new(Box::new(store), Setup::default())
    };
    let consents = vec![consent(&anna, &offer, head), consent(&bela, &offer, head)];
    let other = open(None);
    ask(&other, &anna, Request::Consent { offer: offer.to_bytes(), consents });
    let theirs = log.clone();
    let meeting = open(Some(Box::new(move || assert_eq!(ask(&other, &bela, Request::Deposit(theirs)), Answer::Done))));
    assert_eq!(ask(&meeting, &anna, Request::Deposit(log)), Answer::Done);
    let look = Request::Shelf { player: None, game: None, from: 0, to: 0, after: None };
    let Answer::Shelf(games) = ask(&meeting, &anna, look) else { panic!() };
    assert!(games.len() == 1 && games[0].is_sound());
    assert_eq!(meeting.figures().waiting, 1);
}

#[test]
fn letters_of_the_largest_size_are_counted_as_they_are() {
    let [anna, bela, ..] = people();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let letter = Letter::seal(&anna, &bela.public(), &vec![1; 50_000], &mut rng).unwrap();
    let request = Request::Send(Box::new(letter));
    assert_eq!(cost(&request), (1, request.to_bytes().len() as u64 - 1));
}
