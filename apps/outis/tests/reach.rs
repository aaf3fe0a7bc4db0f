//! Two homes behind routers, a relay on the street between them: who reaches whom, and how.
//!
//! It needs root, `ip`, `nft` and `python3` on Linux; without them the tests say so and pass.

#![cfg(target_os = "linux")]

mod network;

use network::homes::Homes;
use network::program::Program;

/// The homes, or a word on why there are none.
fn homes(tag: &str, homes: &[&str]) -> Option<Homes> {
    Homes::new(tag, homes).map_err(|why| eprintln!("skipped: no homes in network namespaces here ({why})")).ok()
}

/// The routers are of the kinds that they are said to be; everything else here builds on it.
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
