//! Four programs in four network namespaces, with a switch between them that loses packets: a deal of tarokk in which
//! one player's program is killed in the middle of a trick and restarted, and the same over a relay alone.
//!
//! It needs root, `ip` and `python3` on Linux; without them the tests print a notice and pass.

#![cfg(target_os = "linux")]

mod common;
mod network;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::scratch;
use network::ip;
use network::program::Program;

const PLAYERS: usize = 4;

/// Namespaces with a lossy switch, removed on drop.
struct Network {
    names: Vec<String>,
    switch: Option<Child>,
}

impl Network {
    /// One namespace for each player and a last one for the switch; the players are 10.77.0.1 and so on.
    fn new(tag: &str, loss: &str) -> Result<Self, String> {
        let names = (0..=PLAYERS).map(|i| format!("outis-{}-{tag}{i}", std::process::id())).collect();
        let mut network = Self { names, switch: None };
        let hub = network.names[PLAYERS].clone();
        for name in &network.names {
            ip(&format!("netns add {name}"))?;
            ip(&format!("-n {name} link set lo up"))?;
        }
        for (i, name) in network.names.iter().enumerate() {
            // The switch also has its own interface, for the relay.
            ip(&format!("link add a{i} netns {name} type veth peer name b{i} netns {hub}"))?;
            ip(&format!("-n {name} addr add 10.77.0.{}/24 dev a{i}", i + 1))?;
            ip(&format!("-n {name} link set a{i} gso_max_segs 1"))?;
            ip(&format!("-n {name} link set a{i} up"))?;
            ip(&format!("-n {hub} link set b{i} up"))?;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/network/switch.py");
        let mut command = network.command(PLAYERS, "python3");
        command.arg(script).arg(loss).args((0..=PLAYERS).map(|i| format!("b{i}")));
        let mut switch = command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let mut line = String::new();
        let out = switch.stdout.take().ok_or("no output")?;
        network.switch = Some(switch);
        BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
        if line == "ready\n" { Ok(network) } else { Err("python3 could not open the interfaces".to_owned()) }
    }

    fn command(&self, at: usize, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[at], program]).stdin(Stdio::null());
        command
    }

    fn outis(&self, at: usize) -> Command {
        self.command(at, env!("CARGO_BIN_EXE_outis"))
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        if let Some(switch) = &mut self.switch {
            let _ = switch.kill();
            let _ = switch.wait();
        }
        for name in &self.names {
            let _ = ip(&format!("netns del {name}"));
        }
    }
}

/// One deal of tarokk among four programs. With `kill`, the last one is killed after the first trick and restarted.
fn play(network: &Network, tag: &str, more: &[&str], kill: bool) {
    let profiles: Vec<PathBuf> = (0..PLAYERS).map(|i| scratch(&format!("{tag}{i}"))).collect();
    let log = scratch(&format!("{tag}-log"));
    let mut host = network.outis(0);
    host.args(["host", "tarokk", "--bot", "1", "--set", "deals=1", "--name", "Anna"]).args(more);
    let mut host = Program::start({
        host.arg("--profile").arg(&profiles[0]).arg("--log").arg(&log);
        host
    });
    let invites: Vec<String> = (1..PLAYERS)
        .map(|_| host.until("an invite", |line| line.starts_with("invite: ")).replace("invite: ", ""))
        .collect();
    let join = |i: usize| {
        let mut guest = network.outis(i);
        guest.args(["join", &invites[i - 1], "--bot", "1"]).args(more).arg("--profile").arg(&profiles[i]);
        Program::start(guest)
    };
    let mut guests: Vec<Program> = (1..PLAYERS).map(join).collect();
    if kill {
        let last = guests.last_mut().unwrap();
        last.until("the first trick", |line| line.starts_with("Trick 1:"));
        last.child.kill().unwrap();
        last.child.wait().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        *last = join(PLAYERS - 1);
    }
    let scores: Vec<String> = std::iter::once(host).chain(guests).map(Program::finish).collect();
    assert!(scores.iter().all(|line| *line == scores[0]), "{scores:?}");
    let verdict = common::outis().arg("verify").arg(&log).output().unwrap();
    assert!(verdict.status.success(), "{}", String::from_utf8_lossy(&verdict.stdout));
}

/// The network; prints why if there is none.
fn network(tag: &str, loss: &str) -> Option<Network> {
    Network::new(tag, loss).map_err(|why| eprintln!("skipped: no network namespaces here ({why})")).ok()
}

#[test]
fn four_programs_play_tarokk_over_a_network_that_loses_packets() {
    let Some(network) = network("n", "0.05") else { return };
    play(&network, "ns", &[], true);
}

/// With the feature `relay`: the players can reach each other only over the relay.
#[test]
fn four_programs_play_tarokk_over_a_relay_only() {
    let Some(network) = network("r", "0.01") else { return };
    let mut relay = network.outis(PLAYERS);
    relay.args(["relay", "--bind", "10.77.0.5:0", "--state"]).arg(scratch("relay"));
    let mut relay = Program::start(relay);
    let url = relay.until("the relay", |line| line.starts_with("relay: ")).replace("relay: ", "");
    play(&network, "nr", &["--relay", &url, "--relay-only"], false);
}
