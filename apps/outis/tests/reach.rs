//! Two homes behind routers, and a relay on the street between them: which pairs connect, and how.
//!
//! It needs root, `ip`, `nft` and `python3` on Linux; without them the tests print a notice
//! and pass.

#![cfg(target_os = "linux")]

mod common;
mod network;

use std::time::{Duration, Instant};

use common::scratch;
use network::homes::{Home, Homes, Router};
use network::program::Program;

/// The homes; prints why if there are none.
fn homes(tag: &str, homes: &[&str]) -> Option<Homes> {
    Homes::new(tag, homes).map_err(|why| eprintln!("skipped: no homes in network namespaces here ({why})")).ok()
}

/// The routers behave as their names say; the other tests rely on it.
#[test]
fn routers_are_what_they_are_called() {
    let kinds = [
        ("cone", "same open"),
        ("restricted", "same port"),
        ("symmetric", "changing port"),
        ("upnp", "changing port"),
        ("blocked", "no udp"),
        ("restricted+restricted", "same port"),
        ("restricted+symmetric", "changing port"),
    ];
    let Some(homes) = homes("kinds", &kinds.map(|(kind, _)| kind)) else { return };
    let mut server = homes.script("relay", "probe.py");
    server.arg("serve");
    let mut server = Program::start(server);
    server.after("ready");
    for (n, (kind, expected)) in (1..).zip(kinds) {
        let said = network::run(&mut homes.script(&format!("home{n}"), "probe.py")).unwrap();
        assert_eq!(said.trim(), expected, "{kind}");
    }
}

/// Whether two homes can connect directly. No port is requested from a router, so one with UPnP is as restrictive as a
/// symmetric one.
fn is_direct(host: &str, guest: &str) -> bool {
    let (host, guest) = (Home::named(host).unwrap(), Home::named(guest).unwrap());
    if host.six && guest.six {
        return true;
    }
    // The most restrictive router decides.
    let kind = |home: &Home| {
        let narrow = [Router::Blocked, Router::Symmetric, Router::Upnp, Router::Restricted, Router::Cone];
        narrow.into_iter().find(|router| home.routers.contains(router)).unwrap()
    };
    match (kind(&host), kind(&guest)) {
        (Router::Blocked, _) | (_, Router::Blocked) => false,
        (Router::Cone, _) | (_, Router::Cone) => true,
        (Router::Restricted, Router::Restricted) => true,
        _ => false,
    }
}

/// A host with its own relay and a guest with default settings play, in every pair of homes. When the relay fails,
/// pairs that no longer need it continue, and the others continue once it is back.
fn meet(tag: &str, host: &str, guest: &str) {
    let Some(homes) = homes(tag, &[host, guest]) else { return };
    meet_at(tag, &homes, [host, guest], || ());
}

/// The same in existing homes; `happens` is called once the relay is up.
fn meet_at<T>(tag: &str, homes: &Homes, [host, guest]: [&str; 2], happens: impl FnOnce() -> T) {
    let folder = |who: &str| scratch(&format!("reach-{tag}-{who}"));
    let mut relay = homes.outis("relay");
    relay.args(["relay", "--bind", "203.0.113.10:3340", "--state"]).arg(folder("relay"));
    let mut relay = Program::start(relay);
    let url = relay.after("relay: ");
    let _going_on = happens();
    let mut anna = homes.outis("home1");
    anna.args(["host", "matching-pennies", "--bot", "1", "--name", "Anna", "--relay", &url]);
    // Enough for three attempts, where several may be needed.
    let throws = if is_direct(host, guest) { "throws=40" } else { "throws=12" };
    let mut anna = Program::start({
        anna.args(["--set", throws]).arg("--profile").arg(folder("host"));
        anna
    });
    let invite = anna.after("invite: ");
    let began = Instant::now();
    let mut bela = homes.outis("home2");
    bela.args(["join", &invite, "--bot", "1"]).arg("--profile").arg(folder("guest"));
    let mut bela = Program::start(bela);
    let is_play = |line: &str| line.starts_with("Throw ");
    bela.until("a throw", is_play);
    eprintln!("{host} and {guest}: they play after {} ms", began.elapsed().as_millis());
    if is_direct(host, guest) {
        // A direct path takes a moment, and longer on a busy machine.
        let without = |bela: &mut Program| {
            (0..6).for_each(|_| drop(bela.until("more throws", is_play)));
            homes.plug("relay", false);
            let goes_on = (0..6).all(|_| bela.look(Duration::from_secs(4), is_play).is_some());
            homes.plug("relay", !goes_on);
            goes_on
        };
        assert!((0..3).any(|_| without(&mut bela)), "{host} and {guest} need the relay");
        relay.kill();
    } else {
        (0..3).for_each(|_| drop(bela.until("more throws", is_play)));
        homes.plug("relay", false);
        // First what was in transit arrives, and then nothing.
        while bela.look(Duration::from_secs(2), is_play).is_some() {}
        homes.plug("relay", true);
    }
    assert_eq!(anna.finish(), bela.finish());
}

/// Homes that stop using the relay, and play on when it is gone for good.
#[test]
fn usual_homes_meet_and_then_need_no_relay() {
    meet("usual", "restricted", "restricted");
}

#[test]
fn an_open_router_is_enough_for_two() {
    meet("open", "symmetric", "cone");
}

#[test]
fn firewalls_of_version_6_let_those_in_who_were_called() {
    meet("six", "symmetric6", "blocked6");
}

/// Homes that need the relay all the time.
#[test]
fn narrow_homes_meet_over_the_relay() {
    meet("narrow", "restricted+symmetric", "restricted");
}

#[test]
fn homes_without_udp_meet_over_the_relay() {
    meet("blocked", "blocked", "cone");
}

/// People who use a lobby need no relay of their own, and nothing but its text: the lobby's own relay leads to the lobby
/// where UDP is blocked, and their invites name it.
#[test]
fn people_of_a_lobby_need_no_relay_of_their_own() {
    let Some(homes) = homes("lobby", &["restricted", "blocked"]) else { return };
    let folder = |who: &str| scratch(&format!("reach-lobby-{who}"));
    let mut lobby = homes.outis("relay");
    let public = folder("conf");
    std::fs::write(&public, "public = 203.0.113.10:4433\nport = 4433\nname = Club\n").unwrap();
    lobby.args(["lobby", "--config"]).arg(&public).arg("--data").arg(folder("data"));
    let mut lobby = Program::start(lobby);
    let text = lobby.after("lobby: ");
    assert_eq!(lobby.after("page: "), "http://203.0.113.10:3340");
    assert!(text.starts_with("outislobby2."), "{text}");
    let with = |place: &str, args: &[&str], who: &str| {
        let mut command = homes.outis(place);
        command.args(args).args(["--bot", "1", "--name", who, "--lobby", &text, "--profile"]).arg(folder(who));
        Program::start(command)
    };
    // At an open table.
    let anna = with("home1", &["host", "matching-pennies", "--set", "throws=3", "--open"], "Anna");
    let bela = with("home2", &["join", "--game", "matching-pennies"], "Béla");
    assert_eq!(anna.finish(), bela.finish());
    // By an invite, of which the guest knows nothing else.
    let mut bela = with("home2", &["host", "matching-pennies", "--set", "throws=3"], "Béla");
    let invite = bela.after("invite: ");
    let mut cili = homes.outis("home1");
    cili.args(["join", &invite, "--bot", "1", "--profile"]).arg(folder("Cili"));
    let cili = Program::start(cili);
    assert_eq!(bela.finish(), cili.finish());
}

/// Somebody with a public address needs no other machine: the relay runs beside the table.
#[test]
fn a_host_with_a_public_address_is_its_own_relay() {
    let Some(homes) = homes("here", &["blocked"]) else { return };
    let mut anna = homes.outis("relay");
    anna.args(["host", "matching-pennies", "--set", "throws=3", "--bot", "1", "--relay-here=203.0.113.10"]);
    let mut anna = Program::start({
        anna.arg("--profile").arg(scratch("reach-here-host"));
        anna
    });
    let invite = anna.after("invite: ");
    assert!(invite.starts_with("outis2."), "{invite}");
    let mut bela = homes.outis("home1");
    bela.args(["join", &invite, "--bot", "1", "--profile"]).arg(scratch("reach-here-guest"));
    let bela = Program::start(bela);
    assert_eq!(anna.finish(), bela.finish());
}

/// A router that opens ports on request is asked to, if the host is to be reached from anywhere: then two play directly
/// without any relay, though both routers are as narrow as they can be. On this network only, the router is not asked.
#[test]
fn a_router_that_opens_ports_is_asked_to() {
    let Some(homes) = homes("upnp", &["upnp", "symmetric"]) else { return };
    let host = |way: &str| {
        let mut anna = homes.outis("home1");
        anna.args(["host", "matching-pennies", "--set", "throws=3", "--bot", "1", way, "--profile"]);
        Program::start({
            anna.arg(scratch(&format!("reach-upnp-host{way}")));
            anna
        })
    };
    let mut local = host("--local");
    local.after("invite: ");
    assert_eq!(homes.opened(1), "", "nobody was asked");
    local.kill();
    // No public relay is reached here, so an invite waits three seconds for one; the router answers in that time.
    let mut anna = host("--anywhere");
    let invite = anna.after("invite: ");
    let opened = homes.opened(1);
    assert!(opened.contains("192.168.1.10 . "), "{opened}");
    let mut bela = homes.outis("home2");
    bela.args(["join", &invite, "--direct", "--bot", "1", "--profile"]).arg(scratch("reach-upnp-guest"));
    let bela = Program::start(bela);
    assert_eq!(anna.finish(), bela.finish());
}

/// Two homes, a relay and a game in progress that lasts.
struct Evening {
    homes: Homes,
    relay: Program,
    anna: Program,
    bela: Program,
}

impl Evening {
    fn begin(tag: &str, kinds: [&str; 2], throws: u32) -> Option<Self> {
        let homes = homes(tag, &kinds)?;
        let folder = |who: &str| scratch(&format!("reach-{tag}-{who}"));
        let mut relay = homes.outis("relay");
        relay.args(["relay", "--bind", "203.0.113.10:3340", "--state"]).arg(folder("relay"));
        let mut relay = Program::start(relay);
        let url = relay.after("relay: ");
        let mut anna = homes.outis("home1");
        anna.args(["host", "matching-pennies", "--bot", "1", "--name", "Anna", "--relay", &url]);
        anna.args(["--set", &format!("throws={throws}"), "--profile"]).arg(folder("host")).env("LC_ALL", "C");
        let mut anna = Program::start(anna);
        let invite = anna.after("invite: ");
        let mut bela = homes.outis("home2");
        bela.args(["join", &invite, "--bot", "1", "--name", "Béla", "--profile"])
            .arg(folder("guest"))
            .env("LC_ALL", "C");
        let mut bela = Program::start(bela);
        bela.until("a throw", is_throw);
        Some(Self { homes, relay, anna, bela })
    }
}

fn is_throw(line: &str) -> bool {
    line.starts_with("Throw ")
}

/// The direct way breaks in the middle of a game: play goes on over the relay within eight seconds, both are told, and
/// also when the direct way is back.
#[test]
fn a_direct_way_that_breaks_is_replaced_and_said() {
    let Some(mut evening) = Evening::begin("broken", ["restricted", "restricted"], 99) else { return };
    let broke = |who: &str| common::words("node.notice.way.broke", &[("who", who)]);
    let back = |who: &str| common::words("node.notice.way.back", &[("who", who)]);
    // It becomes direct within a moment, and on a busy machine later.
    let gap = (0..4).find_map(|_| {
        std::thread::sleep(Duration::from_secs(3));
        evening.homes.weather(1, "meta l4proto udp drop");
        let began = Instant::now();
        let is_told = evening.anna.look(Duration::from_secs(15), |line| line == broke("Béla")).is_some();
        if is_told {
            evening.bela.has_said(&broke("Anna"));
            evening.bela.until("play over the relay", is_throw);
            return Some(began.elapsed());
        }
        evening.homes.weather(1, "");
        None
    });
    let gap = gap.unwrap_or_else(|| panic!("they are not told: {:#?}", evening.anna.said));
    assert!(gap < Duration::from_secs(20), "play went on after {gap:?}");
    eprintln!("over the relay after {} ms", gap.as_millis());
    evening.homes.weather(1, "");
    for (program, who) in [(&mut evening.anna, "Béla"), (&mut evening.bela, "Anna")] {
        program.has_said(&back(who));
    }
}

/// The relay is gone for 15 seconds in the middle of a game that needs it: both are told, and play goes on within 25
/// seconds after its return.
#[test]
fn a_relay_that_returns_is_used_again_and_both_are_told() {
    let Some(mut evening) = Evening::begin("outage", ["symmetric", "blocked"], 30) else { return };
    let said = |id: &str| common::words(id, &[]);
    evening.homes.plug("relay", false);
    let down = Instant::now();
    for program in [&mut evening.anna, &mut evening.bela] {
        program.until("the relay is gone", |line| line == said("node.notice.relay.gone"));
    }
    std::thread::sleep(Duration::from_secs(15).saturating_sub(down.elapsed()));
    evening.homes.plug("relay", true);
    let up = Instant::now();
    evening.bela.until("play goes on", is_throw);
    let gap = up.elapsed();
    eprintln!("play went on {} ms after the relay", gap.as_millis());
    assert!(gap < Duration::from_secs(25), "play went on after {gap:?}");
    for program in [&mut evening.anna, &mut evening.bela] {
        program.has_said(&said("node.notice.relay.back"));
    }
    assert_eq!(evening.anna.finish(), evening.bela.finish());
    evening.relay.kill();
}

/// Listens at a host's interface until it is asked.
struct Listener(Program, std::process::ChildStdin);

impl Listener {
    fn start(homes: &Homes, place: &str, interface: &str, words: &[&str]) -> Self {
        let mut ear = homes.script(place, "listen.py");
        ear.arg(interface).args(words).stdin(std::process::Stdio::piped());
        let mut ear = Program::start(ear);
        let input = ear.child.stdin.take().unwrap();
        ear.after("ready");
        Self(ear, input)
    }

    fn heard(mut self) -> Vec<String> {
        drop(self.1);
        self.0.after("over");
        self.0.said.iter().filter(|line| !["ready", "over"].contains(&line.as_str())).cloned().collect()
    }
}

/// A relay sees bytes that it cannot read: no names, no chat, nothing of the game. No program asks anybody else for
/// anything, not even for a name; and 5 % loss changes none of it.
#[test]
fn a_relay_reads_nothing_and_nobody_else_is_asked() {
    let Some(homes) = homes("overheard", &["symmetric", "restricted"]) else { return };
    let folder = |who: &str| scratch(&format!("reach-overheard-{who}"));
    // Each program prints these words, so they are known to both.
    let words = ["Annamaria", "Barnabas", "matching-pennies", "heads", "tails", "outis"];
    let [relay_side, street] = [("relay", "eth"), ("street", "any")]
        .map(|(place, interface)| Listener::start(&homes, place, interface, &words));
    let mut relay = homes.outis("relay");
    relay.args(["relay", "--bind", "203.0.113.10:3340", "--state"]).arg(folder("relay"));
    let mut relay = Program::start(relay);
    let url = relay.after("relay: ");
    (1..=2).for_each(|n| homes.weather(n, "numgen random mod 100 < 5 drop"));
    let mut anna = homes.outis("home1");
    anna.args(["host", "matching-pennies", "--set", "throws=3", "--bot", "1", "--name", words[0], "--relay", &url]);
    let mut anna = Program::start({
        anna.arg("--profile").arg(folder("host"));
        anna
    });
    let invite = anna.after("invite: ");
    let mut bela = homes.outis("home2");
    bela.args(["join", &invite, "--bot", "1", "--name", words[1], "--profile"]).arg(folder("guest"));
    let bela = Program::start(bela);
    assert_eq!(anna.finish(), bela.finish());
    let heard = street.heard();
    let homes_and_relay = ["203.0.113.10", "203.0.113.21", "203.0.113.22"].map(|at| format!("to {at}"));
    let is_strange = |line: &&String| !homes_and_relay.contains(line) && !line.starts_with("to 224.0.0.");
    let strange: Vec<&String> = heard.iter().filter(is_strange).collect();
    assert!(strange.is_empty() && heard.contains(&homes_and_relay[0]), "{heard:?}");
    let heard = relay_side.heard();
    assert!(heard.contains(&homes_and_relay[0]) && !heard.iter().any(|line| line.starts_with("saw ")), "{heard:?}");
}

/// The listener hears: what is sent in clear is found, and so is a lookup.
#[test]
fn what_is_said_aloud_is_overheard() {
    let Some(homes) = homes("aloud", &["restricted"]) else { return };
    let ear = Listener::start(&homes, "relay", "eth", &["Annamaria", "Barnabas"]);
    let mut send = homes.command("home1", "python3");
    let lines = "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); \
                 [s.sendto(b'my name is Annamaria', ('203.0.113.10', port)) for port in (9, 53)]";
    network::run(send.args(["-c", lines])).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let heard = ear.heard();
    let has = |line: &str| heard.iter().any(|known| known == line);
    assert!(has("name lookup") && has("saw Annamaria") && has("to 203.0.113.10") && !has("saw Barnabas"), "{heard:?}");
}

/// Many silent connections to the relay (S-26).
#[test]
fn a_crowd_at_the_relay_keeps_nobody_out() {
    let kinds = ["restricted", "restricted+restricted"];
    let Some(homes) = homes("crowd", &[kinds[0], kinds[1], "cone"]) else { return };
    meet_at("crowd", &homes, kinds, || {
        let mut crowd = homes.script("home3", "crowd.py");
        crowd.args(["203.0.113.10", "3340", "700"]);
        let mut crowd = Program::start(crowd);
        crowd.after("ready");
        crowd
    });
}

/// A guest whose call is not answered sees what is known, and a script gets an exit code.
#[test]
fn what_keeps_people_apart_is_said() {
    let Some(homes) = homes("apart", &["restricted", "restricted"]) else { return };
    let invite = |more: &[&str]| {
        let mut host = homes.outis("home1");
        host.args(["host", "matching-pennies"]).args(more).arg("--profile").arg(scratch("reach-apart-host"));
        Program::start(host).after("invite: ")
    };
    let join = |invite: &str, wait: &str| {
        let mut guest = homes.outis("home2");
        guest.args(["join", invite, "--bot", "1", "--wait", wait]).arg("--profile").arg(scratch("reach-apart-guest"));
        let output = guest.env("LC_ALL", "C").output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let says = |said: &str, id: &str| {
        let sentence = common::words(id, &[]);
        assert!(said.contains(&sentence), "{sentence:?} is not in {said}");
    };
    let mut relay = homes.outis("relay");
    relay.args(["relay", "--bind", "203.0.113.10:3340", "--state"]).arg(scratch("reach-apart-relay"));
    let mut relay = Program::start(relay);
    let url = relay.after("relay: ");
    // The host's program ends with this line, so a guest finds only the relay.
    let gone = invite(&["--relay", &url]);
    let said = join(&gone, "5");
    ["node.calling.over", "node.calling.relay.open", "node.calling.no-host", "terminal.calling.gave-up"]
        .into_iter()
        .for_each(|id| says(&said, id));
    relay.kill();
    says(&join(&gone, "5"), "node.calling.relay.closed");
    homes.plug("relay", false);
    says(&join(&gone, "5"), "node.calling.relay.silent");
    let private = join(&invite(&[]), "12");
    ["node.calling.private", "node.calling.no-way", "node.calling.long"].into_iter().for_each(|id| says(&private, id));
}

/// By hand, ten minutes: `OUTIS_PAIRS=all cargo test -p outis --features relay --test reach -- --nocapture every_pair`.
/// `OUTIS_PAIRS=cone,upnp` tests only the pairs of these.
#[test]
fn every_pair_of_homes_meets() {
    let Ok(kinds) = std::env::var("OUTIS_PAIRS") else { return };
    let all = "cone,restricted,symmetric,restricted+restricted,restricted+symmetric,blocked,upnp,restricted6";
    let kinds: Vec<&str> = if kinds == "all" { all } else { &kinds }.split(',').collect();
    for (i, host) in kinds.iter().enumerate() {
        for (k, guest) in kinds.iter().enumerate() {
            meet(&format!("pair{i}-{k}"), host, guest);
        }
    }
}
