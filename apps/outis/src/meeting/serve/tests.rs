//! Connections in memory, from any address that a test chooses.

use std::sync::atomic::Ordering;

use outis_meeting::memory::Memory;
use outis_meeting::service::{Limits, Setup};
use outis_meeting::wire::VERSION;
use outis_table::identity::Identity;
use tokio::io::{DuplexStream, duplex};

use super::*;
use outis_node::names::Key;

fn server(limits: Limits) -> LobbyServer {
    let setup = Setup { limits, ..Setup::default() };
    let config = Config { limits, lines_of_address: 40, ..Config::default() };
    LobbyServer::new(Meeting::new(Box::new(Memory::default()), setup), config)
}

/// A visitor's end of a connection.
struct Visitor {
    send: DuplexStream,
    receive: DuplexStream,
}

impl Visitor {
    /// Connects with its own key, from an unknown address if it is empty; `None` if the lobby refuses.
    fn come(server: &LobbyServer, key: u16, from: &str) -> Option<Self> {
        let place: Option<IpAddr> = (!from.is_empty()).then(|| from.parse().unwrap());
        if !server.let_in(place) {
            return None;
        }
        let mut secret = [3; 32];
        secret[..2].copy_from_slice(&key.to_le_bytes());
        let peer = Key(*Identity::from_secret(&secret).public().as_bytes());
        let ((send, theirs), (answers, receive)) = (duplex(4 << 10), duplex(4 << 10));
        let at = place.map(|ip| (ip, 7).into());
        let pipe = Pipe {
            peer,
            place: at,
            send: Box::new(answers),
            receive: Box::new(theirs),
            way: Box::new(|| None),
            close: Box::new(|| {}),
        };
        let server = server.clone();
        tokio::spawn(async move {
            server.attend(pipe).await;
            server.let_out(place);
        });
        Some(Self { send, receive })
    }

    async fn ask(&mut self, request: Request) -> Option<Answer> {
        let bytes = request.to_bytes();
        self.announce(bytes.len()).await;
        self.send.write_all(&bytes).await.ok()?;
        self.answer().await
    }

    async fn announce(&mut self, length: usize) {
        self.send.write_u32_le(length as u32).await.unwrap();
    }

    async fn answer(&mut self) -> Option<Answer> {
        let length = self.receive.read_u32_le().await.ok()?;
        let mut bytes = vec![0; length as usize];
        self.receive.read_exact(&mut bytes).await.ok()?;
        Some(Answer::from_bytes(&bytes, &()).unwrap())
    }

    async fn hello(&mut self) -> Option<Answer> {
        self.ask(Request::Hello { version: VERSION, who: String::new() }).await
    }
}

async fn until(what: &str, is: impl Fn() -> bool) {
    for _ in 0..60_000 {
        if is() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("never: {what}");
}

#[tokio::test]
async fn many_keys_of_one_address_may_do_what_a_few_may() {
    let server = server(Limits { burst: 10, rate: 0, ..Limits::default() });
    let (mut welcome, mut refused) = (0, 0);
    for key in 0..100 {
        // A different address of the same network each time.
        let mut visitor = Visitor::come(&server, key, &format!("2001:db8::{key:x}")).unwrap();
        match visitor.hello().await {
            Some(Answer::Welcome { .. }) => welcome += 1,
            Some(Answer::Sorry(Refusal::TooMany)) => refused += 1,
            other => panic!("{other:?}"),
        }
        drop(visitor);
        until("the line to be gone", || server.0.lines.load(Ordering::SeqCst) == 0).await;
        // Disconnecting and reconnecting gains nothing.
        server.forget_places(epoch());
    }
    assert_eq!((welcome, refused), (80, 20), "eight times what one may");
    let mut other = Visitor::come(&server, 0, "2001:db8:0:1::1").unwrap();
    assert!(matches!(other.hello().await, Some(Answer::Welcome { .. })), "the neighbours are not to blame");
}

#[tokio::test]
async fn a_network_has_so_many_lines() {
    let server = server(Limits::default());
    let visitors: Vec<_> = (0..50).map(|key| Visitor::come(&server, key, &format!("2001:db8::{key:x}"))).collect();
    assert_eq!(visitors.iter().flatten().count(), 40);
    assert!(Visitor::come(&server, 99, "192.0.2.1").is_some());
    drop(visitors);
    until("the lines to be gone", || server.0.lines.load(Ordering::SeqCst) == 0).await;
    server.forget_places(epoch());
    assert!(lock(&server.0.places).is_empty(), "nobody is remembered without need");
}

/// Keys are free: those whose address nobody knows share what a few addresses may.
#[tokio::test]
async fn an_unknown_address_is_not_free() {
    let server = server(Limits { burst: 1, rate: 0, ..Limits::default() });
    let mut visitors: Vec<_> = (0..400).filter_map(|key| Visitor::come(&server, key, "")).collect();
    assert_eq!(visitors.len(), 40 * OF_UNKNOWN as usize);
    assert!(Visitor::come(&server, 999, "192.0.2.1").is_some(), "the others have room");
    let mut welcome = 0;
    for visitor in &mut visitors {
        welcome += u64::from(matches!(visitor.hello().await, Some(Answer::Welcome { .. })));
    }
    assert_eq!(welcome, OF_ADDRESS * OF_UNKNOWN);
    drop(visitors);
    until("the lines to be gone", || server.0.lines.load(Ordering::SeqCst) == 0).await;
    assert_eq!(lock(&server.0.places)[&UNKNOWN].lines, 0);
}

#[tokio::test]
async fn lines_that_announce_much_and_say_nothing_take_no_more_than_there_is() {
    let server = server(Limits::default());
    let mut stalled = Vec::new();
    for key in 0..64 {
        let mut visitor = Visitor::come(&server, key, &format!("192.0.2.{key}")).unwrap();
        visitor.hello().await;
        visitor.announce(1 << 20).await;
        stalled.push(visitor);
    }
    until("all to be waited for", || server.0.room.available_permits() == 0).await;
    let mut next = Visitor::come(&server, 99, "192.0.2.99").unwrap();
    next.hello().await;
    next.announce(1 << 20).await;
    assert_eq!(next.answer().await, Some(Answer::Sorry(Refusal::TooMany)));
    // Small messages are still accepted.
    let mut small = Visitor::come(&server, 98, "192.0.2.98").unwrap();
    assert!(matches!(small.hello().await, Some(Answer::Welcome { .. })));
    drop(stalled);
    until("room again", || server.0.room.available_permits() == ROOM >> 10).await;
}

#[test]
fn a_clock_that_jumps_ahead_empties_nothing() {
    let second = Duration::from_secs(1);
    assert_eq!(not_too_fast(10_000, second, 11_000), 11_000);
    assert_eq!(not_too_fast(10_000, second, 99_000_000), 12_000, "it is caught up with slowly");
    assert_eq!(not_too_fast(10_000, second, 3_000), 3_000);
}

#[test]
fn a_clock_that_is_ahead_from_the_beginning_empties_nothing() {
    const YEAR: u64 = 365 * DAY;
    let (swept, moment) = (Some(YEAR), Duration::from_secs(30));
    assert!(is_time(9 * YEAR, None, moment), "a new place has nothing to lose");
    assert!(is_time(YEAR + 60_000, swept, moment) && is_time(YEAR - DAY, swept, moment));
    assert!(!is_time(YEAR + 31 * DAY, swept, moment));
    assert!(is_time(YEAR + 31 * DAY, swept, DOUBT), "it was closed for a month, and nobody else is there");
}

#[tokio::test]
async fn a_sweep_is_noted_for_the_next_process() {
    let meeting = Meeting::new(Box::new(Memory::default()), Setup::default());
    assert_eq!(meeting.swept(5).unwrap(), None);
    meeting.sweep(1_000_000).unwrap();
    assert_eq!(meeting.swept(5).unwrap(), Some(1_000_000));
    meeting.sweep(1_000_001).unwrap();
    assert_eq!(meeting.swept(5).unwrap(), Some(1_000_000), "not at every turn");
    meeting.sweep(1_060_000).unwrap();
    meeting.sweep(900_000).unwrap();
    assert_eq!(meeting.swept(5).unwrap(), Some(1_060_000), "never back");
}

/// What two network addresses may store at once with each of three processes does not fill the default space.
#[test]
fn one_or_two_addresses_do_not_fill_the_room() {
    let config = Config::default();
    let (room, at_once) = (u64::from(config.cluster.room) << 20, config.limits.bytes * OF_ADDRESS_BYTES);
    assert!(2 * 3 * at_once < room / 8 * 3, "letters");
    assert!(2 * 3 * at_once < room / 8 * 4, "logs");
    assert!(config.limits.bytes > outis_meeting::archive::MAX_LOG as u64, "the largest log can still be brought");
}

/// The engine has lost data: visitors must fetch all messages again, and do so on a new connection.
#[tokio::test]
async fn when_positions_are_used_again_everybody_is_hung_up() {
    let server = server(Limits::default());
    let mut anna = Visitor::come(&server, 1, "192.0.2.1").unwrap();
    let hello = Request::Hello { version: VERSION, who: "Anna".into() };
    assert!(matches!(anna.ask(hello).await, Some(Answer::Welcome { .. })));
    server.0.anew.send_replace(());
    assert_eq!(anna.answer().await, None);
    until("it does not hang up", || server.0.lines.load(Ordering::SeqCst) == 0).await;
}
