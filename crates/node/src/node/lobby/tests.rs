//! One node, and a lobby that it does not trust.

use outis_meeting::notice::{Notice, Pace, SeatClaim, Signed};
use outis_meeting::parcel::Parcel;
use outis_meeting::wire::{Answer, Mail, Refusal, Request};
use outis_table::codec::{Decode, Encode};
use outis_table::identity::{Identity, IdentityKey};
use outis_table::letter::Letter;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::super::tests::Driven;
use super::super::{Input, Node, Output, Reply, Task};
use crate::ask::{Ask, Start};
use crate::invite::Address;
use crate::links::{NetIn, Reach};
use crate::lobby::address::LobbyAddress;
use crate::lobby::queries::QueryId;
use crate::lobby::{LobbyIn, LobbyOut, NoLobby};
use crate::names::Key;
use crate::saved::{Item, Millis};

fn address() -> String {
    let address = Address { direct: vec!["192.0.2.1:1".parse().unwrap()], relay: None };
    LobbyAddress { doors: vec![(Key([9; 32]), address)] }.to_text()
}

/// The next request to the lobby, if there is one.
fn asked(driven: &mut Driven) -> Option<(u64, Request)> {
    let out = driven.outs.extract_if(.., |out| matches!(out, Output::Lobby(LobbyOut::Ask { .. }))).next()?;
    if let Output::Lobby(LobbyOut::Ask { line, request }) = out { Some((line, *request)) } else { None }
}

/// A node with a line to a lobby.
fn visitor() -> Driven {
    let mut driven = Driven::new();
    driven.online(None, None);
    driven.node.use_lobby(Some(&address())).unwrap();
    driven.give(Input::Tick);
    let line = driven.node.lobby().line_number().expect("it is dialled");
    driven.give(Input::Lobby(LobbyIn::Up { line, name: "Kaszinó".into(), people: 2 }));
    driven
}

/// Answers everything at once, without letting time pass; returns how often mail was requested.
fn answer_all(driven: &mut Driven, mut mail: impl FnMut(u64) -> Vec<(u64, Mail)>) -> usize {
    let mut read = 0;
    for _ in 0..10_000 {
        let Some((line, request)) = asked(driven) else { return read };
        let answer = match request {
            Request::Mail(after) => {
                read += 1;
                Answer::Mail(mail(after))
            }
            Request::Board { .. } => Answer::Board(Vec::new()),
            _ => Answer::Done,
        };
        driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
        driven.disk_all();
    }
    panic!("the lobby keeps it busy for ever");
}

fn letter(node: &Node, n: u64) -> Mail {
    let to = IdentityKey::from_bytes(&node.key().0, &()).unwrap();
    let from = Identity::from_secret(&[200; 32]);
    let parcel = Parcel::Words(format!("{{\"n\":{n}}}"));
    Mail::Letter(Box::new(Letter::seal(&from, &to, &parcel.to_bytes(), &mut ChaCha20Rng::seed_from_u64(n)).unwrap()))
}

/// A lobby shows the same page again and again: the node reads it once more, and then stops.
#[test]
fn a_mailbox_that_goes_round_in_circles_is_left() {
    let mut driven = visitor();
    let page = vec![(1, letter(&driven.node, 1)), (2, letter(&driven.node, 2))];
    assert_eq!(answer_all(&mut driven, |_| page.clone()), 2);
    assert_eq!(driven.node.lobby().state(), Ok(true), "the mailbox counts as emptied");
}

/// A lobby always has more mail: everything else gets its turn, and a pause follows.
#[test]
fn a_mailbox_without_end_keeps_nobody_busy() {
    let mut driven = visitor();
    let node = &driven.node;
    let pages: Vec<Mail> = (0..100).map(|n| letter(node, n)).collect();
    let read = answer_all(&mut driven, |after| vec![(after + 1, pages[after as usize].clone())]);
    assert!((1..=16).contains(&read), "{read} pages at once");
    // And the node reads on later.
    driven.later(1_000);
    let more = answer_all(&mut driven, |after| vec![(after + 1, pages[after as usize].clone())]);
    assert!((1..=16).contains(&more), "{more} pages after a second");
}

/// A notice that a modified program may have signed.
fn notice(room: u8, game: &str, grade: &str, dials: &[i64], pace: Pace) -> Signed<Notice> {
    let host = Identity::from_secret(&[3; 32]);
    let (game, grade, dials, until) = (game.to_owned(), grade.to_owned(), dials.to_vec(), 1_300_000);
    let (who, seats, open, strength, code, serial) = ("X".to_owned(), 2, 1, None, None, 1);
    let (key, room) = (host.public(), [room; 16]);
    let notice = Notice { host: key, room, serial, who, game, grade, dials, seats, open, pace, strength, code, until };
    Signed::new(&host, notice).unwrap()
}

/// Asks for a seat at each of these listed tables; returns why not.
fn claimed(listed: &[Signed<Notice>]) -> Vec<Option<String>> {
    let mut driven = visitor();
    driven.ask(Ask::Open);
    for _ in 0..5 {
        answer_with(&mut driven, |request| match request {
            Request::Board { after, .. } => {
                let rest = listed.iter().filter(|signed| after.is_none_or(|after| signed.body().place() > after));
                Some(Answer::Board(rest.cloned().collect()))
            }
            _ => None,
        });
        driven.later(3_000);
    }
    let mut ask = |notice: &Signed<Notice>| {
        driven.outs.clear();
        driven.ask(Ask::Claim(crate::names::hex(&notice.name())));
        driven.reply().unwrap().err().map(|why| why.id)
    };
    listed.iter().map(&mut ask).collect()
}

/// A modified program may list a table of the classic grade, with as many decks as it likes: nobody sits down there.
#[test]
fn nobody_asks_for_a_seat_in_the_classic_grade() {
    let listed = [notice(1, "poker", "classic", &[], Pace::Live), notice(2, "poker", "hardened", &[], Pace::Live)];
    assert_eq!(claimed(&listed), [Some("node.error.lobby.grade".to_owned()), None]);
}

/// A modified program lists *days per move* over a clock of seconds, by which whoever trusts the days would lose. Dark chess has days of its
/// own, which are a clock.
#[test]
fn nobody_asks_for_days_that_hide_a_clock() {
    let chess =
        |days: i64| notice(10 + days as u8, "dark-chess", "hardened", &[0, 0, 0, 0, days, 0, 0, 0], Pace::Days(7));
    let pennies = |room: u8, clock: i64, pace: Pace| notice(room, "matching-pennies", "hardened", &[1, clock], pace);
    let listed = [
        pennies(1, 10, Pace::Days(3)),
        pennies(2, 0, Pace::Days(3)),
        pennies(3, 10, Pace::Live),
        notice(4, "whist", "hardened", &[], Pace::Live),
        chess(0),
        chess(1),
    ];
    let why = claimed(&listed).into_iter().map(|why| why.map(|id| id["node.error.".len()..].to_owned()));
    let unsound = || Some("lobby.unsound".to_owned());
    assert_eq!(why.collect::<Vec<_>>(), [unsound(), None, None, Some("game".to_owned()), None, unsound()]);
    // Nor does an honest program list them.
    let mut driven = visitor();
    for (days, listed) in [(1, false), (0, true)] {
        let plan = Start { dials: Some(vec![0, 0, 0, 0, days, 0, 0, 0]), ..Start::of_game("dark-chess") };
        driven.ask(Ask::Start(Box::new(plan)));
        driven.disk_all();
        let Some(Ok(Reply::Table(id))) = driven.reply() else { panic!("no room") };
        driven.ask(Ask::Publish(id, Some(7), None));
        assert_eq!(driven.reply().unwrap().is_ok(), listed, "{days}");
    }
}

/// One mailbox that takes nothing holds up what is for that one alone; and everyone has their turn.
#[test]
fn one_mailbox_holds_up_no_other() {
    let mut driven = visitor();
    let keys = [1, 2].map(|n| Key(*Identity::from_secret(&[n; 32]).public().as_bytes()));
    for n in 0..3 {
        driven.with(|node, rng| node.write(keys[0], &Parcel::Words(format!("one {n}")), rng));
    }
    driven.with(|node, rng| node.write(keys[1], &Parcel::Words("two".into()), rng));
    driven.disk_all();
    let mut sent = Vec::new();
    for _ in 0..3 {
        answer_with(&mut driven, |request| {
            let Request::Send(letter) = request else { return None };
            let to = Key(*letter.to().as_bytes());
            sent.push(to);
            (to == keys[0]).then_some(Answer::Sorry(Refusal::Failing))
        });
        driven.later(1_000);
    }
    let (first, other): (Vec<Key>, Vec<Key>) = sent.iter().partition(|to| **to == keys[0]);
    assert!(first.len() <= 3 && other.len() == 1, "{sent:?}");
}

/// A lobby that admits everyone and closes the line at once is no better than one that does not answer: the pauses grow.
#[test]
fn a_lobby_that_hangs_up_is_not_called_at_once_for_ever() {
    let mut driven = visitor();
    let mut dialled = 0;
    for _ in 0..1_200 {
        if let Some(line) = driven.node.lobby().line_number() {
            driven.give(Input::Lobby(LobbyIn::Up { line, name: "Kaszinó".into(), people: 2 }));
            driven.give(Input::Lobby(LobbyIn::Down { line, why: NoLobby::Silent }));
            dialled += 1;
        }
        driven.later(99);
    }
    assert!((3..25).contains(&dialled), "{dialled} calls in two minutes");
}

/// What the mail brought is on the disk before the mailbox is cleared, and nothing more is read before that.
#[test]
fn a_mailbox_is_cleared_when_what_it_told_is_safe() {
    let mut driven = visitor();
    let id = driven.room();
    let invite = driven.invite(&id);
    let knock =
        serde_json::json!({ "say": "knock", "secret": crate::names::hex(&invite.secret), "nonce": "11".repeat(32) });
    let to = IdentityKey::from_bytes(&driven.node.key().0, &()).unwrap();
    let from = Identity::from_secret(&[201; 32]);
    let words = Parcel::Words(knock.to_string()).to_bytes();
    let knock = Mail::Letter(Box::new(Letter::seal(&from, &to, &words, &mut ChaCha20Rng::seed_from_u64(3)).unwrap()));
    driven.later(1_000);
    while let Some((line, request)) = asked(&mut driven) {
        let is_first = matches!(request, Request::Mail(0));
        let answer = if is_first { Answer::Mail(vec![(1, knock.clone())]) } else { Answer::Mail(Vec::new()) };
        driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
        if is_first {
            break;
        }
    }
    let waits = |out: &Output| matches!(out, Output::Disk(Task::Save(Item::Gathering, _)));
    assert!(driven.outs.iter().any(waits), "the guest is being noted");
    driven.later(1_000);
    let (_, next) = asked(&mut driven).unwrap_or((0, Request::People));
    assert!(!matches!(next, Request::Clear(_) | Request::Mail(_)), "{next:?}");
    driven.disk_all();
    let mut cleared = false;
    for _ in 0..100 {
        driven.later(10);
        let Some((line, request)) = asked(&mut driven) else { continue };
        cleared |= matches!(request, Request::Clear(1));
        let answer = if matches!(request, Request::Mail(_)) { Answer::Mail(Vec::new()) } else { Answer::Done };
        driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
    }
    assert!(cleared, "it is safe");
}

/// The messages in the outbox that this reader can open.
fn parcels(driven: &mut Driven, reader: &Identity) -> Vec<Parcel> {
    driven.disk_all();
    let letters = driven.node.outbox().ready().map(|(_, letter)| letter);
    letters.filter_map(|letter| Parcel::from_bytes(&letter.open(reader).ok()?, &()).ok()).collect()
}

/// An invite that has expired or become void leads nowhere: a player who asks again gets another one.
#[test]
fn a_guest_who_asks_again_gets_an_invite_that_is_good() {
    let mut driven = visitor();
    let id = driven.room();
    driven.ask(Ask::Publish(id.clone(), None, None));
    driven.disk_all();
    driven.later(1_000);
    let mut notice: Option<Signed<Notice>> = None;
    while let Some((line, request)) = asked(&mut driven) {
        let answer = match request {
            Request::Post(posted) => {
                notice = Some(posted);
                Answer::Done
            }
            Request::Mail(_) => Answer::Mail(Vec::new()),
            _ => Answer::Done,
        };
        driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
    }
    let notice = notice.expect("it is listed");
    let guest = Identity::from_secret(&[202; 32]);
    let (host, room) = (notice.body().host, notice.body().room);
    let claim = SeatClaim { guest: guest.public(), who: "B".into(), host, room, notice: notice.name(), at: 1 };
    let invite = |driven: &mut Driven| {
        driven.with(|node, rng| node.heard_claim(&claim, rng));
        match parcels(driven, &guest).pop() {
            Some(Parcel::Invite { text, .. }) => text,
            other => panic!("{other:?}"),
        }
    };
    let first = invite(&mut driven);
    assert_eq!(invite(&mut driven), first, "the same, as long as it is good");
    let hour: Millis = 3_600_000;
    driven.later(hour + 1_000);
    let second = invite(&mut driven);
    assert_ne!(second, first, "it had expired");
    driven.ask(Ask::Uninvite(id));
    driven.disk_all();
    assert_ne!(invite(&mut driven), second, "it was made void");
}

/// Answers requests until there are none: mail and open tables are empty, and everything else is as `say` wants it.
fn answer_with(driven: &mut Driven, mut say: impl FnMut(&Request) -> Option<Answer>) {
    for _ in 0..100 {
        let Some((line, request)) = asked(driven) else { return };
        let answer = say(&request).unwrap_or_else(|| match request {
            Request::Mail(_) => Answer::Mail(Vec::new()),
            Request::Board { .. } => Answer::Board(Vec::new()),
            _ => Answer::Done,
        });
        driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
    }
    panic!("it asks for ever");
}

/// Without a network there is no line, and nothing to wake up for: otherwise the machine would tick again at once, and again.
#[test]
fn nobody_is_woken_to_dial_without_a_network() {
    let mut driven = visitor();
    let line = driven.node.lobby().line_number().expect("it is up");
    driven.give(Input::Net(NetIn::Reach(Reach::Starting)));
    driven.give(Input::Lobby(LobbyIn::Down { line, why: NoLobby::Silent }));
    driven.later(60_000);
    let Output::Idle(wake) = driven.node.poll() else { panic!("everything was polled") };
    assert!(wake.is_none_or(|at| at > driven.now()), "{wake:?}");
    // A query at that time is answered.
    driven.give(Input::Lobby(LobbyIn::Query(QueryId(1), Box::new(Request::People))));
    let answered = |out: &Output| matches!(out, Output::Lobby(LobbyOut::Answered(QueryId(1), Err(_))));
    assert!(driven.outs.iter().any(answered));
    driven.online(None, None);
    assert!(driven.node.lobby().line_number().is_some(), "and when there is one again, it is dialled");
}

/// A lobby that does not look up a code still shows its open tables.
#[test]
fn a_refused_code_keeps_nobody_from_the_board() {
    let mut driven = visitor();
    answer_all(&mut driven, |_| Vec::new());
    driven.ask(Ask::Find("walrus-17".into()));
    driven.later(5_000);
    let mut board = 0;
    answer_with(&mut driven, |request| match request {
        Request::Room(_) => Some(Answer::Sorry(Refusal::TooMany)),
        Request::Board { .. } => {
            board += 1;
            None
        }
        _ => None,
    });
    assert!(board > 0, "the board is read in the same round");
}

/// A table that is made private while its listing is on its way does not stay listed for all.
#[test]
fn a_wish_that_changes_on_the_way_is_carried_out() {
    let mut driven = visitor();
    let id = driven.room();
    driven.ask(Ask::Publish(id.clone(), None, None));
    let mut codes = Vec::new();
    for _ in 0..2 {
        driven.disk_all();
        driven.later(1_000);
        while let Some((line, request)) = asked(&mut driven) {
            let answer = match &request {
                Request::Post(posted) => {
                    codes.push(posted.body().code.is_some());
                    if codes.len() == 1 {
                        driven.ask(Ask::Publish(id.clone(), None, Some("walrus-17".into())));
                    }
                    Answer::Done
                }
                Request::Mail(_) => Answer::Mail(Vec::new()),
                _ => Answer::Done,
            };
            driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
        }
    }
    assert_eq!(codes, [false, true]);
    let posted = driven.node.lobby().posted.get(&id).unwrap();
    assert_eq!(posted.names.len(), 1, "and nobody who saw the first one gets a seat");
}

/// A code of which nothing is left does not list the table for everyone.
#[test]
fn a_code_that_is_empty_is_refused() {
    let mut driven = visitor();
    let id = driven.room();
    for code in ["", " ", "\u{200b}"] {
        driven.ask(Ask::Publish(id.clone(), None, Some(code.into())));
        let refused = driven.reply().and_then(Result::err).map(|text| text.id);
        assert_eq!(refused.as_deref(), Some("node.error.lobby.code"), "{code:?}");
        assert!(!driven.node.lobby().posted.contains_key(&id));
    }
}

/// The lobby's note waits for the note about waiting tables: a request that led to a seat is not forgotten before the seat is on the disk.
#[test]
fn the_note_of_the_lobby_waits_for_the_tables_that_wait() {
    let saves = |driven: &Driven, what: &Item| {
        driven.outs.iter().any(|out| matches!(out, Output::Disk(Task::Save(item, _)) if item == what))
    };
    let mut driven = visitor();
    let id = driven.room();
    driven.disk_all();
    driven.ask(Ask::Invite(id.clone(), 1));
    assert!(saves(&driven, &Item::Gathering));
    driven.ask(Ask::Publish(id, None, None));
    assert!(!saves(&driven, &Item::Lobby), "not yet");
    driven.disk(false);
    assert!(!saves(&driven, &Item::Lobby), "nor when the disk refuses");
    driven.later(10_000);
    driven.disk(true);
    assert!(saves(&driven, &Item::Lobby), "now");
}

/// A sealed message to a node, as mail.
fn mail_of(from: &Identity, to: &Node, parcel: &Parcel, n: u64) -> Mail {
    let to = IdentityKey::from_bytes(&to.key().0, &()).unwrap();
    let letter = Letter::seal(from, &to, &parcel.to_bytes(), &mut ChaCha20Rng::seed_from_u64(n)).unwrap();
    Mail::Letter(Box::new(letter))
}

fn a_knock(secret: &[u8; 16], nonce: u8) -> Parcel {
    let nonce = format!("{nonce:02x}").repeat(32);
    Parcel::Words(
        serde_json::json!({ "say": "knock", "secret": crate::names::hex(secret), "nonce": nonce }).to_string(),
    )
}

/// An unknown player who writes a lot, or a disk that refuses, does not cost anyone an answer: the node takes nothing out of the mailbox
/// that it cannot answer now.
#[test]
fn nobody_is_pushed_out_of_the_mailbox() {
    let mut driven = visitor();
    let id = driven.room();
    let invite = driven.invite(&id);
    let (stranger, friend) = (Identity::from_secret(&[201; 32]), Identity::from_secret(&[202; 32]));
    // Invented secrets, and behind them a guest with an invite.
    let mut mail: Vec<Mail> = (0..300u16)
        .map(|n| {
            let secret: [u8; 16] = core::array::from_fn(|i| (n.to_le_bytes()[i % 2]) ^ i as u8);
            mail_of(&stranger, &driven.node, &a_knock(&secret, 9), n.into())
        })
        .collect();
    mail.push(mail_of(&friend, &driven.node, &a_knock(&invite.secret, 7), 999));
    let page = |after: u64| -> Vec<(u64, Mail)> {
        let behind = (1u64..).zip(&mail).skip_while(|(at, _)| *at <= after).take(200);
        behind.map(|(at, piece)| (at, piece.clone())).collect()
    };
    let mut welcomed = false;
    for _ in 0..60 {
        driven.later(1_000);
        // The lobby accepts 20 messages a second.
        let mut letters = 20;
        for _ in 0..1_000 {
            let Some((line, request)) = asked(&mut driven) else { break };
            let answer = match request {
                Request::Mail(after) => Answer::Mail(page(after)),
                Request::Board { .. } => Answer::Board(Vec::new()),
                Request::Send(letter) => {
                    welcomed |= letter.open(&friend).is_ok();
                    letters -= 1;
                    if letters > 0 { Answer::Done } else { Answer::Sorry(Refusal::TooMany) }
                }
                _ => Answer::Done,
            };
            driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
            driven.disk_all();
        }
    }
    assert!(welcomed, "who has an invite is answered");
}

/// While the disk refuses, mail stays in the mailbox.
#[test]
fn mail_waits_for_a_disk_that_refuses() {
    let mut driven = visitor();
    let id = driven.room();
    let invite = driven.invite(&id);
    answer_all(&mut driven, |_| Vec::new());
    driven.ask(Ask::Uninvite(id));
    driven.disk(false);
    assert!(driven.reply().is_some_and(|reply| reply.is_err()) && invite.until > 0);
    let mut read = 0;
    for _ in 0..20 {
        driven.later(2_000);
        answer_with(&mut driven, |request| {
            read += usize::from(matches!(request, Request::Mail(_)));
            None
        });
        driven.disk(false);
    }
    assert_eq!(read, 0);
    for _ in 0..4 {
        driven.later(2_000);
        driven.disk_all();
    }
    driven.later(2_000);
    assert!(answer_all(&mut driven, |_| Vec::new()) > 0, "it goes on");
}

/// A lobby that is overloaded has not shown an empty mailbox.
#[test]
fn a_lobby_that_does_not_show_the_mail_is_asked_again() {
    let mut driven = visitor();
    let mut tries = 0;
    for _ in 0..40 {
        driven.later(500);
        while let Some((line, request)) = asked(&mut driven) {
            let answer = match request {
                Request::Mail(_) => {
                    tries += 1;
                    Answer::Sorry(Refusal::Failing)
                }
                Request::Board { .. } => Answer::Board(Vec::new()),
                _ => Answer::Done,
            };
            driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
            driven.disk_all();
        }
    }
    assert_eq!(driven.node.lobby().state(), Ok(false), "nobody knows what lies there");
    assert!((2..=25).contains(&tries), "{tries}");
}

/// Listings and seat requests are noted before they are sent. A listing that is withdrawn while it is on its way is withdrawn there, too.
#[test]
fn nothing_is_listed_before_it_is_noted() {
    let mut driven = visitor();
    let id = driven.room();
    driven.later(1_000);
    answer_all(&mut driven, |_| Vec::new());
    driven.ask(Ask::Publish(id.clone(), None, None));
    assert!(driven.reply().unwrap().is_ok());
    driven.later(1_000);
    answer_with(&mut driven, |request| {
        assert!(!matches!(request, Request::Post(_)), "it is not noted");
        None
    });
    driven.disk_all();
    driven.later(1_000);
    let line = loop {
        let (line, request) = asked(&mut driven).expect("it is listed");
        match request {
            Request::Post(_) => break line,
            Request::Mail(_) => driven.give(Input::Lobby(LobbyIn::Said { line, answer: Answer::Mail(Vec::new()) })),
            _ => driven.give(Input::Lobby(LobbyIn::Said { line, answer: Answer::Done })),
        }
    };
    driven.ask(Ask::Unpublish(id));
    driven.disk(false);
    assert!(driven.reply().unwrap().is_err(), "after a restart it is listed again");
    driven.give(Input::Lobby(LobbyIn::Said { line, answer: Answer::Done }));
    let mut withdrawn = false;
    for _ in 0..10 {
        driven.disk_all();
        driven.later(1_000);
        answer_with(&mut driven, |request| {
            withdrawn |= matches!(request, Request::Withdraw(_));
            None
        });
    }
    assert!(withdrawn);
}

/// Host and guest agree on how they play: an invite does not say that this is a correspondence game.
#[test]
fn nobody_is_invited_to_another_pace_than_theirs() {
    let mut driven = visitor();
    let id = driven.room();
    let days = |driven: &Driven| driven.node.gathering().days(&id);
    driven.ask(Ask::Publish(id.clone(), Some(3), None));
    assert_eq!((driven.reply().map(|reply| reply.is_ok()), days(&driven)), (Some(true), Some(3)));
    driven.ask(Ask::Invite(id.clone(), 1));
    assert!(driven.reply().unwrap().is_err(), "an invite to a correspondence game");
    driven.ask(Ask::Unpublish(id.clone()));
    driven.disk_all();
    driven.outs.clear();
    assert_eq!(days(&driven), None);
    driven.invite(&id);
    driven.ask(Ask::Publish(id.clone(), Some(3), None));
    assert!(driven.reply().unwrap().is_err() && days(&driven).is_none(), "somebody is invited already");
    driven.ask(Ask::Publish(id.clone(), None, None));
    assert!(driven.reply().unwrap().is_ok(), "the same pace");
}

/// Another lobby is used once that is on the disk.
#[test]
fn a_lobby_that_the_disk_refuses_is_not_used() {
    let mut driven = Driven::new();
    driven.online(None, None);
    driven.ask(Ask::Lobby(Some(Some(address())), None));
    let dials = |driven: &Driven| driven.outs.iter().any(|out| matches!(out, Output::Lobby(LobbyOut::Dial { .. })));
    assert!(!dials(&driven));
    driven.disk(false);
    assert!(driven.reply().unwrap().is_err() && !dials(&driven));
    driven.disk_all();
    driven.outs.clear();
    driven.ask(Ask::Lobby(Some(Some(address())), None));
    driven.disk_all();
    assert!(driven.reply().unwrap().is_ok() && dials(&driven));
}

/// A guest whose disk refused its table needs the offer once more: the message that brought it is not cleared before the guest sits.
#[test]
fn an_offer_stays_in_the_mailbox_until_the_guest_sits() {
    let mut driven = visitor();
    answer_all(&mut driven, |_| Vec::new());
    let mut anna = Driven::of(100);
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    let talk = |from: &mut Driven, to: &mut Driven| {
        let (who, words) = (from.node.key(), from.said());
        to.hear(who, words);
    };
    driven.ask(Ask::Join(invite.to_text()));
    driven.disk_all();
    driven.hear(anna.node.key(), []);
    talk(&mut driven, &mut anna);
    anna.disk_all();
    talk(&mut anna, &mut driven);
    driven.disk_all();
    anna.ask(Ask::Begin(id));
    anna.disk_all();
    talk(&mut anna, &mut driven);
    let mut page = vec![(1, letter(&driven.node, 1))];
    let mut cleared = false;
    for _ in 0..60 {
        driven.disk_with(true, false);
        driven.later(1_000);
        answer_with(&mut driven, |request| {
            cleared |= matches!(request, Request::Clear(_));
            matches!(request, Request::Mail(_)).then(|| Answer::Mail(core::mem::take(&mut page)))
        });
    }
    assert!(page.is_empty() && !cleared, "the guest does not sit yet");
}

/// A table that is withdrawn while its listing is on its way does not stay listed.
#[test]
fn a_notice_on_its_way_is_taken_down_again() {
    for breaks in [false, true] {
        let mut driven = visitor();
        let id = driven.room();
        driven.ask(Ask::Publish(id.clone(), None, None));
        driven.disk_all();
        let room = loop {
            let (line, request) = asked(&mut driven).expect("it is posted");
            if let Request::Post(notice) = request {
                // The answer comes, or the line breaks first.
                driven.ask(Ask::Unpublish(id.clone()));
                let said = LobbyIn::Said { line, answer: Answer::Done };
                driven.give(Input::Lobby(if breaks { LobbyIn::Down { line, why: NoLobby::Nonsense } } else { said }));
                break notice.body().room;
            }
            driven.give(Input::Lobby(LobbyIn::Said { line, answer: Answer::Mail(Vec::new()) }));
        };
        driven.disk_all();
        driven.later(1_000);
        if breaks {
            let line = driven.node.lobby().line_number().expect("it is dialled again");
            driven.give(Input::Lobby(LobbyIn::Up { line, name: "Kaszinó".into(), people: 2 }));
        }
        let mut withdrawn = false;
        while let Some((line, request)) = asked(&mut driven) {
            withdrawn |= matches!(request, Request::Withdraw(gone) if gone == room);
            let answer = if matches!(request, Request::Mail(_)) { Answer::Mail(Vec::new()) } else { Answer::Done };
            driven.give(Input::Lobby(LobbyIn::Said { line, answer }));
        }
        assert!(withdrawn, "it hangs there, {breaks}");
    }
}
