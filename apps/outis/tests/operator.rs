//! What the operator of a lobby meets: restarts, ports that are taken, damaged files, remote verifiers.

mod common;

use std::io::{BufRead, BufReader, Read};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::place::{Place, finish};
use common::{outis, scratch};

/// A limit that is long enough for a busy machine.
const LIMIT: Duration = Duration::from_secs(240);

/// `outis lobby` with this folder.
fn lobby(data: &Path) -> Command {
    let mut command = outis();
    command.args(["lobby", "--name", "Club", "--http", "127.0.0.1:0", "--no-relay", "--data"]).arg(data);
    command
}

/// A start that fails: its exit code and its error output.
fn refused(mut command: Command) -> (Option<i32>, String) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A running program and its output so far. It is killed on drop.
struct Going {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Going {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let pipes: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for pipe in pipes {
            let said = said.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                    *said.lock().unwrap() += &format!("{line}\n");
                }
            });
        }
        Self { child, said }
    }

    /// Waits until its output contains something; the program must still be running.
    fn until(&mut self, what: &str) -> String {
        let began = Instant::now();
        loop {
            let said = self.said.lock().unwrap().clone();
            if said.contains(what) {
                return said;
            }
            assert!(self.child.try_wait().unwrap().is_none(), "it has ended: {said}");
            assert!(began.elapsed() < LIMIT, "not {what:?}: {said}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One verifier, started once: before it is trusted, and while the lobby restarts.
#[test]
fn a_verifier_elsewhere_waits_for_trust_and_outlives_the_meeting_place() {
    let (data, profile, config) = (scratch("elsewhere"), scratch("elsewhere-verifier"), scratch("elsewhere-config"));
    let open = |text: &str| {
        std::fs::write(&config, format!("verifiers = 0\n{text}")).unwrap();
        let mut command = lobby(&data);
        command.arg("--config").arg(&config);
        Place::open_by(command)
    };
    let place = open("");
    let mut verifier = Going::start(place.outis(&profile, &["lobby", "verify"]));
    let said = verifier.until("trusted-verifier = ");
    let key = said.lines().find_map(|line| line.strip_prefix("verifier: ")).unwrap().to_owned();
    assert!(said.contains(&format!("trusted-verifier = {key}")) && said.contains("restart the lobby"), "{said}");
    // The operator follows the instruction.
    let text = place.text.clone();
    assert!(place.close());
    verifier.until("cannot reach the lobby");
    let place = open(&format!("trusted-verifier = {key}\n"));
    assert_eq!(place.text, text);
    let said = verifier.until("the verifier is working again");
    assert_eq!(said.matches("cannot reach the lobby").count(), 1, "once: {said}");
    // It works, and the result is public.
    let [anna, bela] = ["elsewhere-anna", "elsewhere-bela"].map(scratch);
    let host = ["host", "matching-pennies", "--open", "--bot", "1", "--set", "throws=1", "--shelve"];
    let host = place.outis(&anna, &host).spawn().unwrap();
    place.run(&bela, &["join", "--game", "matching-pennies", "--bot", "1", "--shelve"]);
    let (done, said) = finish(host);
    assert!(done, "{said}");
    verifier.until("verified: Finished");
    let shelf = place.json(&anna, &["lobby", "shelf", "--json"]);
    assert_eq!(shelf[0]["verdicts"][0]["key"], *key, "{shelf}");
    let (_, figures) = place.get("/metrics");
    assert!(figures.contains("outis_lobby_verified_total 0"), "not here: {figures}");
    // The same as text, with its day.
    let said = place.run(&anna, &["lobby", "shelf", "--from", "2020-01-01"]);
    assert!(
        said.contains("  20") && said.contains("matching-pennies, ") && said.contains(": valid, complete"),
        "{said}"
    );
    let said = place.run(&anna, &["lobby", "shelf", "--to", "2020-01-01"]);
    assert!(said.contains("No games found in the archive of Club"), "{said}");
}

#[test]
fn the_address_does_not_change_because_a_port_is_taken() {
    let data = scratch("port-lobby");
    let place = Place::open(&data);
    let text = place.text.clone();
    assert!(place.close());
    let port = std::fs::read_to_string(data.join("port")).unwrap();
    let began = Instant::now();
    let held = loop {
        match UdpSocket::bind(("0.0.0.0", port.parse().unwrap())) {
            Ok(held) => break held,
            Err(error) => assert!(began.elapsed() < LIMIT, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let (code, said) = refused(lobby(&data));
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains(&format!("UDP port {port}, which is part of this lobby's address, is in use")), "{said}");
    assert_eq!(std::fs::read_to_string(data.join("port")).unwrap(), port, "it is not forgotten");
    // A port that the operator chose is named too.
    let mut chosen = lobby(&scratch("port-other"));
    chosen.args(["--listen", &port]);
    let (code, said) = refused(chosen);
    assert!(code == Some(4) && said.contains(&format!("UDP port {port} is in use by another program")), "{said}");
    drop(held);
    assert_eq!(Place::open(&data).text, text);
}

#[test]
fn a_damaged_store_is_a_sentence() {
    let data = scratch("damaged-lobby");
    assert!(Place::open(&data).close());
    let store = data.join("store");
    let bytes = std::fs::read(&store).unwrap();
    for (length, why) in [
        (bytes.len() / 3, "is damaged; restore it from a backup"),
        (100, "is damaged; restore it from a backup"),
        (0, "is empty, although this lobby has run before"),
    ] {
        std::fs::write(&store, &bytes[..length]).unwrap();
        let (code, said) = refused(lobby(&data));
        assert_eq!(code, Some(4), "{length}: {said}");
        assert!(said.contains(why) && said.contains("store") && !said.contains("panicked"), "{length}: {said}");
    }
    std::fs::write(&store, &bytes).unwrap();
    drop(Place::open(&data));
}

#[test]
fn what_an_operator_gets_wrong_is_said() {
    let data = scratch("twice-lobby");
    let _place = Place::open(&data);
    let (code, said) = refused(lobby(&data));
    assert_eq!(code, Some(4));
    assert!(said.contains("another Outis") && said.contains("--data DIR") && !said.contains("--profile"), "{said}");
    let mut nameless = outis();
    nameless.args(["lobby", "--name", " ", "--data"]).arg(scratch("nameless-lobby"));
    let (code, said) = refused(nameless);
    assert!(code == Some(3) && said.contains("needs a readable name"), "{said}");
    let config = scratch("bounds-config");
    std::fs::write(&config, "name = C# kör\nverifiers = 100000\n").unwrap();
    let mut many = lobby(&scratch("bounds-lobby"));
    many.arg("--config").arg(&config);
    let (code, said) = refused(many);
    assert!(code == Some(3) && said.contains("line 2: verifiers: \"100000\" is not between 0 and 64"), "{said}");
}
