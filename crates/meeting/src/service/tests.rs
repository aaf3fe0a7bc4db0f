//! A lobby in memory, and visitors of all kinds.

use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, Place};
use outis_table::export::Record;
use outis_table::history::History;
use outis_table::identity::Identity;
use outis_table::letter::Letter;
use outis_table::offer::{Offer, OfferSeat};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::archive::{Consent, GameVerdict, Outcome};
use crate::memory::Memory;
use crate::notice::tests::{claim, notice};
use crate::notice::{Notice, Signed, code_digest};
use crate::parcel::Parcel;
use crate::wire::Mail;

pub(super) const NOW: Millis = 500_000;

pub(super) fn people() -> [Identity; 4] {
    [1, 2, 3, 4].map(|n| Identity::from_secret(&[n; 32]))
}

pub(super) fn meeting() -> Meeting {
    let limits = Limits { notices: 3, letters: 5, senders: 3, burst: 10_000, ..Limits::default() };
    let verifier = *people()[3].public().as_bytes();
    let setup = Setup { name: "Club".into(), limits, verifiers: BTreeSet::from([verifier]), ..Setup::default() };
    Meeting::new(Box::new(Memory::default()), setup)
}

pub(super) fn ask(meeting: &Meeting, who: &Identity, request: Request) -> Answer {
    // Encoded and decoded, as when it is sent.
    let request = Request::from_bytes(&request.to_bytes(), &()).unwrap();
    let answer = meeting.answer(&who.public(), NOW, request);
    Answer::from_bytes(&answer.to_bytes(), &()).unwrap()
}

pub(super) fn signed(host: &Identity, serial: u64) -> Signed<Notice> {
    Signed::new(host, notice(host, serial)).unwrap()
}

pub(super) fn board(meeting: &Meeting, who: &Identity) -> Vec<Signed<Notice>> {
    match ask(meeting, who, Request::Board { game: None, after: None }) {
        Answer::Board(board) => board,
        other => panic!("{other:?}"),
    }
}

pub(super) fn mail(meeting: &Meeting, who: &Identity) -> Vec<(u64, Mail)> {
    match ask(meeting, who, Request::Mail(0)) {
        Answer::Mail(mail) => mail,
        other => panic!("{other:?}"),
    }
}

#[test]
fn notices_hang_until_they_are_replaced_taken_down_or_over() {
    let (meeting, [anna, bela, ..]) = (meeting(), people());
    assert_eq!(ask(&meeting, &anna, Request::Post(signed(&anna, 1))), Answer::Done);
    assert_eq!(ask(&meeting, &anna, Request::Post(signed(&anna, 1))), Answer::Done, "once more is the same");
    assert_eq!(board(&meeting, &bela), [signed(&anna, 1)]);
    let mut newer = notice(&anna, 9);
    newer.room = notice(&anna, 1).room;
    let newer = Signed::new(&anna, newer).unwrap();
    assert_eq!(ask(&meeting, &anna, Request::Post(newer.clone())), Answer::Done);
    assert_eq!(ask(&meeting, &anna, Request::Post(signed(&anna, 1))), Answer::Sorry(Refusal::Changed), "an old one");
    assert_eq!(board(&meeting, &bela), [newer]);
    assert_eq!(ask(&meeting, &bela, Request::Post(signed(&anna, 2))), Answer::Sorry(Refusal::NotYours));
    let mut stale = notice(&anna, 2);
    stale.until = NOW;
    let stale = Signed::new(&anna, stale).unwrap();
    assert_eq!(ask(&meeting, &anna, Request::Post(stale)), Answer::Sorry(Refusal::Unsound));
    for serial in 2..=3 {
        assert_eq!(ask(&meeting, &anna, Request::Post(signed(&anna, serial))), Answer::Done);
    }
    assert_eq!(ask(&meeting, &anna, Request::Post(signed(&anna, 4))), Answer::Sorry(Refusal::TooMany));
    assert_eq!(ask(&meeting, &anna, Request::Withdraw(notice(&anna, 2).room)), Answer::Done);
    assert_eq!(ask(&meeting, &anna, Request::Withdraw(notice(&anna, 2).room)), Answer::Sorry(Refusal::Gone));
    assert_eq!(ask(&meeting, &bela, Request::Withdraw(notice(&anna, 3).room)), Answer::Sorry(Refusal::Gone));
    assert_eq!(board(&meeting, &bela).len(), 2);
    let later = meeting.answer(&bela.public(), 1_000_000, Request::Board { game: None, after: None });
    assert_eq!(later, Answer::Board(Vec::new()), "their time is over");
    let other = Request::Board { game: Some("poker".into()), after: None };
    assert_eq!(ask(&meeting, &bela, other), Answer::Board(Vec::new()));
}

#[test]
fn private_tables_are_found_by_their_code_only() {
    let (meeting, [anna, bela, ..]) = (meeting(), people());
    let mut private = notice(&anna, 1);
    private.code = Some(code_digest("lusab babad"));
    let private = Signed::new(&anna, private).unwrap();
    assert_eq!(ask(&meeting, &anna, Request::Post(private.clone())), Answer::Done);
    assert!(board(&meeting, &bela).is_empty());
    assert_eq!(ask(&meeting, &bela, Request::Room(code_digest("Lusab-Babad"))), Answer::Board(vec![private]));
    assert_eq!(ask(&meeting, &bela, Request::Room(code_digest("lusab"))), Answer::Board(Vec::new()));
    ask(&meeting, &anna, Request::Withdraw(notice(&anna, 1).room));
    assert_eq!(ask(&meeting, &bela, Request::Room(code_digest("lusab babad"))), Answer::Board(Vec::new()));
}

#[test]
fn one_seat_goes_to_one_guest_and_the_host_hears_of_it_once() {
    let (meeting, [anna, bela, cili, _]) = (meeting(), people());
    let hanging = signed(&anna, 1);
    ask(&meeting, &anna, Request::Post(hanging.clone()));
    let by = |guest: &Identity| Signed::new(guest, claim(guest, &hanging, NOW)).unwrap();
    assert_eq!(ask(&meeting, &bela, Request::Claim(by(&bela))), Answer::Done);
    assert_eq!(ask(&meeting, &bela, Request::Claim(by(&bela))), Answer::Done, "the answer may have been lost");
    assert_eq!(ask(&meeting, &cili, Request::Claim(by(&cili))), Answer::Sorry(Refusal::Full));
    assert_eq!(ask(&meeting, &cili, Request::Claim(by(&bela))), Answer::Sorry(Refusal::NotYours));
    let box_ = mail(&meeting, &anna);
    assert_eq!(box_.iter().map(|(_, mail)| mail.clone()).collect::<Vec<_>>(), [Mail::Claim(Box::new(by(&bela)))]);
    // A request that the host has not answered in time holds no seat.
    let later = NOW + HOLD;
    let mut late = claim(&cili, &hanging, later);
    late.at = later;
    let late = Signed::new(&cili, late).unwrap();
    assert_eq!(meeting.answer(&cili.public(), later, Request::Claim(late)), Answer::Sorry(Refusal::Gone));
    let mut other = claim(&cili, &hanging, NOW);
    other.notice = [7; 32];
    let other = Signed::new(&cili, other).unwrap();
    assert_eq!(ask(&meeting, &cili, Request::Claim(other)), Answer::Sorry(Refusal::Changed), "not what hangs there");
    let mut old = claim(&cili, &hanging, 0);
    old.at = NOW + crate::notice::SKEW + 1;
    let old = Signed::new(&cili, old).unwrap();
    assert_eq!(ask(&meeting, &cili, Request::Claim(old)), Answer::Sorry(Refusal::Unsound));
}

#[test]
fn many_at_once_for_the_last_seat() {
    let meeting = meeting();
    let anna = Identity::from_secret(&[1; 32]);
    let mut table = notice(&anna, 1);
    (table.seats, table.open) = (4, 3);
    let hanging = Signed::new(&anna, table).unwrap();
    ask(&meeting, &anna, Request::Post(hanging.clone()));
    // One after another is enough: the compare-and-set belongs to the store.
    let got = (10..20u8).filter(|n| {
        let guest = Identity::from_secret(&[*n; 32]);
        let claim = Signed::new(&guest, claim(&guest, &hanging, NOW)).unwrap();
        ask(&meeting, &guest, Request::Claim(claim)) == Answer::Done
    });
    assert_eq!(got.count(), 3);
}

pub(super) fn letter(from: &Identity, to: &Identity, n: u8) -> Letter {
    let parcel = Parcel::Frame { table: [1; 32], serial: n.into(), from: 0, to: 1, frame: vec![n; 10] };
    let mut rng = ChaCha20Rng::seed_from_u64(n.into());
    Letter::seal(from, &to.public(), &parcel.to_bytes(), &mut rng).unwrap()
}

#[test]
fn letters_wait_in_order_once_each_until_they_are_cleared() {
    let (meeting, [anna, bela, cili, _]) = (meeting(), people());
    for n in [1, 2, 2, 3, 1] {
        let sent = ask(&meeting, &anna, Request::Send(Box::new(letter(&anna, &bela, n))));
        assert_eq!(sent, Answer::Done);
    }
    let waiting = mail(&meeting, &bela);
    let expected: Vec<Mail> = (1..=3).map(|n| Mail::Letter(Box::new(letter(&anna, &bela, n)))).collect();
    assert_eq!(waiting.iter().map(|(_, mail)| mail.clone()).collect::<Vec<_>>(), expected);
    // Reading deletes nothing: a reader that crashes reads again.
    assert_eq!(mail(&meeting, &bela), waiting);
    assert_eq!(ask(&meeting, &bela, Request::Mail(waiting[1].0)), Answer::Mail(waiting[2..].to_vec()));
    assert_eq!(ask(&meeting, &bela, Request::Clear(waiting[1].0)), Answer::Done);
    assert_eq!(mail(&meeting, &bela), waiting[2..]);
    // One sender can neither fill a mailbox nor send in another's name.
    assert_eq!(
        ask(&meeting, &cili, Request::Send(Box::new(letter(&anna, &bela, 9)))),
        Answer::Sorry(Refusal::NotYours)
    );
    for n in 4..=6 {
        assert_eq!(ask(&meeting, &anna, Request::Send(Box::new(letter(&anna, &bela, n)))), Answer::Done, "{n}");
    }
    assert_eq!(ask(&meeting, &anna, Request::Send(Box::new(letter(&anna, &bela, 9)))), Answer::Sorry(Refusal::Full));
    assert_eq!(ask(&meeting, &cili, Request::Send(Box::new(letter(&cili, &bela, 9)))), Answer::Done);
    let last = mail(&meeting, &bela).last().unwrap().0;
    ask(&meeting, &bela, Request::Clear(last));
    assert_eq!(ask(&meeting, &anna, Request::Send(Box::new(letter(&anna, &bela, 9)))), Answer::Done, "room again");
    // Nobody else can read or clear it.
    assert!(mail(&meeting, &cili).is_empty());
    ask(&meeting, &cili, Request::Clear(u64::MAX));
    assert_eq!(mail(&meeting, &bela).len(), 1);
    meeting.sweep(NOW + Limits::default().retention + 1).unwrap();
    assert!(mail(&meeting, &bela).is_empty(), "nothing is kept for ever");
}

#[test]
fn a_mailbox_has_room_for_so_many_senders() {
    let meeting = meeting();
    let bela = Identity::from_secret(&[2; 32]);
    let sent = (10..15u8).map(|n| {
        let sender = Identity::from_secret(&[n; 32]);
        ask(&meeting, &sender, Request::Send(Box::new(letter(&sender, &bela, n))))
    });
    let sent: Vec<Answer> = sent.collect();
    assert_eq!(sent[..3], [Answer::Done, Answer::Done, Answer::Done]);
    assert_eq!(sent[3], Answer::Sorry(Refusal::Full));
}

#[test]
fn floods_blocks_versions_and_closing_are_said() {
    let [anna, bela, ..] = people();
    let setup = Setup {
        limits: Limits { burst: 5, rate: 1, ..Limits::default() },
        blocked: BTreeSet::from([*bela.public().as_bytes()]),
        ..Setup::default()
    };
    let meeting = Meeting::new(Box::new(Memory::default()), setup);
    let at = |now, request| meeting.answer(&anna.public(), now, request);
    for _ in 0..5 {
        assert!(matches!(at(NOW, Request::People), Answer::People(_)));
    }
    assert_eq!(at(NOW, Request::People), Answer::Sorry(Refusal::TooMany));
    assert_eq!(at(NOW - 400, Request::People), Answer::Sorry(Refusal::TooMany), "a clock that goes back gives nothing");
    assert!(matches!(at(NOW + 1_000, Request::People), Answer::People(_)));
    assert_eq!(meeting.answer(&bela.public(), NOW, Request::People), Answer::Sorry(Refusal::Blocked));
    let hello = |version| Request::Hello { version, who: "Anna".into() };
    assert_eq!(at(NOW + 9_000, hello(9)), Answer::Sorry(Refusal::Version));
    assert!(matches!(at(NOW + 9_000, hello(VERSION)), Answer::Welcome { .. }));
    assert_eq!(at(NOW + 9_000, Request::People), Answer::People(vec![(anna.public(), "Anna".into())]));
    assert_eq!(at(NOW + 9_000 + HERE, Request::People), Answer::People(Vec::new()));
    meeting.close();
    let late = Request::Send(Box::new(letter(&anna, &bela, 1)));
    assert_eq!(at(NOW + 999_000, late), Answer::Sorry(Refusal::Closing));
    assert!(matches!(at(NOW + 999_000, Request::Mail(0)), Answer::Mail(_)), "what is there can still be fetched");
    let figures = meeting.figures();
    assert!(figures.refused.contains(&("too-many", 2)) && figures.asked.contains(&("hello", 2)), "{figures:?}");
    meeting.sweep(NOW + 99_000_000).unwrap();
    assert_eq!(meeting.figures().visitors, 0, "who is gone is not counted");
    assert!(meeting.visitors().is_empty(), "and costs nothing");
}

#[test]
fn those_are_counted_who_are_on_the_list_of_people() {
    let (meeting, [anna, bela, cili, judge]) = (meeting(), people());
    let hello = |who: &Identity, name: &str, now| match meeting.answer(
        &who.public(),
        now,
        Request::Hello { version: VERSION, who: name.into() },
    ) {
        Answer::Welcome { people, .. } => people,
        other => panic!("{other:?}"),
    };
    let listed = |now| match meeting.answer(&cili.public(), now, Request::People) {
        Answer::People(people) => people.len(),
        other => panic!("{other:?}"),
    };
    // A verifier constantly requests work and is not a visitor that players could meet.
    assert_eq!(ask(&meeting, &judge, Request::Work), Answer::Work(None));
    assert_eq!(meeting.figures().visitors, 0);
    assert_eq!(hello(&anna, "Anna", NOW), 1, "with who asks");
    assert_eq!(hello(&bela, "Béla", NOW), 2);
    assert_eq!(hello(&bela, "Béla", NOW + 1), 2, "once");
    assert_eq!(hello(&cili, "", NOW + 1), 2, "a program without a name is not shown either");
    assert_eq!((meeting.figures().visitors, listed(NOW + 1)), (2, 2));
    assert_eq!(hello(&cili, "Cili", NOW + 2), 3, "now she has one");
    assert_eq!(listed(NOW + 2), 3);
    // Anna returns, the others do not: visitors who are no longer listed are not counted.
    assert_eq!(hello(&anna, "Anna", NOW + HERE / 2), 3);
    assert_eq!(hello(&anna, "Anna", NOW + HERE + 2), 1);
    assert_eq!((listed(NOW + HERE + 2), meeting.figures().visitors), (1, 1));
}

/// A table of two, its log and its final head: both sit down, each makes a step, and both sign the end.
pub(super) fn game(n: u8) -> (Offer, Vec<u8>, Name) {
    let players = &people()[..2];
    let seat = |who: &Identity| OfferSeat { key: who.public(), nonce: [n; 32] };
    let seats = players.iter().map(seat).collect();
    let offer = Offer { game: "poker".into(), options: vec![1], parameters: Vec::new(), seats, after: None };
    let mut log = outis_table::export::header(&offer);
    for (round, said) in (0..).zip([&b""[..], b"a word", b""]) {
        let prev = History::read(&log).unwrap().head();
        for (seat, who) in (0..).zip(players) {
            let place = Place { round, seat: Seat(seat) };
            let entry = Entry::dangerously_sign(who, offer.id(), place, prev, said.to_vec());
            Record::Entry(entry).encode(&mut log);
        }
    }
    let head = History::read(&log).unwrap().head().0;
    (offer, log, head)
}

pub(super) fn consent(who: &Identity, offer: &Offer, head: Name) -> Signed<Consent> {
    let consent = Consent { player: who.public(), who: "X".into(), table: offer.id().0, head };
    Signed::new(who, consent).unwrap()
}

pub(super) fn verdict(by: &Identity, offer: &Offer, log: Name, head: Name) -> Signed<GameVerdict> {
    let verdict = GameVerdict {
        verifier: by.public(),
        log,
        table: offer.id().0,
        head,
        game: "poker".into(),
        players: offer.seats.iter().map(|seat| seat.key).collect(),
        outcome: Outcome::Finished,
        scores: vec![3, -3],
        at: NOW,
        words: "finished".into(),
    };
    Signed::new(by, verdict).unwrap()
}

#[test]
fn a_game_is_shelved_when_all_agree_verified_and_counted_once() {
    let (meeting, [anna, bela, cili, judge]) = (meeting(), people());
    let (offer, log, head) = game(1);
    let agree = |who: &Identity, head: Name| {
        let consents = vec![consent(who, &offer, head)];
        ask(&meeting, who, Request::Consent { offer: offer.to_bytes(), consents })
    };
    assert_eq!(ask(&meeting, &anna, Request::Deposit(log.clone())), Answer::Sorry(Refusal::NotAgreed));
    assert_eq!(agree(&anna, head), Answer::Missing { seats: vec![1], wanted: false });
    assert_eq!(ask(&meeting, &anna, Request::Deposit(log.clone())), Answer::Sorry(Refusal::NotAgreed));
    let forged = Request::Consent { offer: offer.to_bytes(), consents: vec![consent(&cili, &offer, head)] };
    assert_eq!(ask(&meeting, &anna, forged), Answer::Sorry(Refusal::Senseless), "no player");
    let stranger = Request::Consent { offer: offer.to_bytes(), consents: vec![] };
    assert_eq!(ask(&meeting, &cili, stranger), Answer::Sorry(Refusal::NotYours));
    assert_eq!(agree(&bela, [8; 32]), Answer::Missing { seats: vec![0], wanted: false }, "to another history");
    assert_eq!(agree(&anna, head), Answer::Missing { seats: vec![1], wanted: false }, "and so it is for her");
    assert_eq!(agree(&bela, head), Answer::Missing { seats: vec![], wanted: true });
    assert_eq!(ask(&meeting, &cili, Request::Deposit(log.clone())), Answer::Sorry(Refusal::NotYours));
    assert_eq!(ask(&meeting, &anna, Request::Deposit(vec![1; 50])), Answer::Sorry(Refusal::Senseless));
    for who in [&anna, &bela] {
        assert_eq!(ask(&meeting, who, Request::Deposit(log.clone())), Answer::Done);
    }
    assert_eq!(agree(&bela, head), Answer::Missing { seats: vec![], wanted: false }, "it is there");

    assert_eq!(ask(&meeting, &cili, Request::Work), Answer::Sorry(Refusal::NotYours));
    let Answer::Work(Some(task)) = ask(&meeting, &judge, Request::Work) else { panic!("no work") };
    assert_eq!(ask(&meeting, &judge, Request::Work), Answer::Work(None));
    let part = ask(&meeting, &judge, Request::Fetch { log: task.log, offset: 0 });
    assert_eq!(part, Answer::Part { total: log.len() as u32, bytes: log.clone() });
    let found = |by: &Identity, verdict: Signed<GameVerdict>| {
        let request = Request::Found { job: task.job, attempt: task.attempt, verdict: Box::new(verdict) };
        ask(&meeting, by, request)
    };
    assert_eq!(found(&cili, verdict(&cili, &offer, task.log, head)), Answer::Sorry(Refusal::NotYours));
    assert_eq!(ask(&meeting, &anna, Request::Results(0)), Answer::Results(Vec::new()));
    assert_eq!(found(&cili, verdict(&judge, &offer, task.log, head)), Answer::Sorry(Refusal::NotYours));
    assert_eq!(found(&judge, verdict(&judge, &offer, [9; 32], head)), Answer::Sorry(Refusal::Senseless));
    for _ in 0..2 {
        assert_eq!(found(&judge, verdict(&judge, &offer, task.log, head)), Answer::Done);
    }
    let Answer::Results(results) = ask(&meeting, &anna, Request::Results(0)) else { panic!("no results") };
    assert_eq!(results.len(), 1);
    assert!(results[0].1.is_signed());
    assert_eq!(meeting.figures().waiting, 0);

    let look = |player: Option<&Identity>, game: Option<&str>, from, to, after| {
        let player = player.map(Identity::public);
        let request = Request::Shelf { player, game: game.map(Into::into), from, to, after };
        match ask(&meeting, &cili, request) {
            Answer::Shelf(games) => games,
            other => panic!("{other:?}"),
        }
    };
    let all = look(None, None, 0, 0, None);
    assert!(all.len() == 1 && all[0].is_sound() && all[0].verdicts.len() == 1 && all[0].log == task.log);
    assert_eq!(look(Some(&anna), Some("poker"), 0, 0, None), all);
    assert!(look(Some(&cili), None, 0, 0, None).is_empty());
    assert!(look(None, Some("tarokk"), 0, 0, None).is_empty());
    assert!(look(None, None, NOW + 1, 0, None).is_empty());
    assert!(look(None, None, 0, NOW - 1, None).is_empty());
    assert!(look(None, None, 0, 0, Some(offer.id().0)).is_empty(), "nothing after the last");
}

#[test]
fn a_verdict_over_another_history_does_not_count() {
    let (meeting, [anna, bela, _, judge]) = (meeting(), people());
    let (offer, log, head) = game(2);
    let consents = vec![consent(&anna, &offer, head), consent(&bela, &offer, head)];
    ask(&meeting, &anna, Request::Consent { offer: offer.to_bytes(), consents });
    ask(&meeting, &anna, Request::Deposit(log.clone()));
    let Answer::Work(Some(task)) = ask(&meeting, &judge, Request::Work) else { panic!("no work") };
    let verdict = Box::new(verdict(&judge, &offer, task.log, [8; 32]));
    ask(&meeting, &judge, Request::Found { job: task.job, attempt: task.attempt, verdict });
    assert_eq!(ask(&meeting, &anna, Request::Results(0)), Answer::Results(Vec::new()));
    assert_eq!(meeting.figures().waiting, 0, "but the work is done");
}

#[test]
fn the_shelf_is_walked_page_by_page() {
    let (meeting, [anna, bela, ..]) = (meeting(), people());
    for n in 0..120u8 {
        let (offer, log, head) = game(n);
        let consents = vec![consent(&anna, &offer, head), consent(&bela, &offer, head)];
        let at = NOW + u64::from(n / 2) * 1_000;
        meeting.answer(&anna.public(), at, Request::Consent { offer: offer.to_bytes(), consents });
        assert_eq!(meeting.answer(&anna.public(), at, Request::Deposit(log)), Answer::Done);
    }
    for player in [None, Some(anna.public())] {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let request = Request::Shelf { player, game: None, from: 0, to: 0, after };
            let Answer::Shelf(games) = meeting.answer(&bela.public(), NOW + 999_000, request) else { panic!() };
            let Some(last) = games.last() else { break };
            after = Some(last.table);
            seen.extend(games.iter().map(|game| (game.at, game.table)));
        }
        assert_eq!(seen.len(), 120);
        assert!(seen.windows(2).all(|pair| pair[0].0 >= pair[1].0), "newest first");
        let distinct: BTreeSet<_> = seen.iter().collect();
        assert_eq!(distinct.len(), 120);
    }
}
