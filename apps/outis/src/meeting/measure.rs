//! Measurements of a lobby that runs as a separate process. They are run by hand:
//! `cargo test --release -p outis --bin outis -- --ignored --nocapture --test-threads 1 measure_`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use outis_meeting::archive::Shelved;
use outis_meeting::store::{Bucket, Expect, Store};
use outis_meeting::wire::Request;
use outis_table::codec::Encode;
use outis_table::export;

use super::address::LobbyAddress;
use super::digits;
use super::disk::Disk;
use super::line::Line;
use crate::cli::{self, Cli};
use crate::machine::profile::Profile;
use crate::machine::quic::Quic;
use crate::machine::transport::Service;
use crate::scratch::scratch;
use outis_node::settings::{Helper, Network};

/// The environment variable with a command line for [`as_program`].
const AS: &str = "OUTIS_AS_PROGRAM";

/// The program: this test executable, started again.
fn program(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", "meeting::measure::as_program"]);
    command.env(AS, args.join("\n")).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
#[ignore = "not a test: what the others start as a process"]
fn as_program() {
    let Ok(args) = std::env::var(AS) else { return };
    let cli = Cli::parse_from(std::iter::once("outis").chain(args.lines()));
    let mut out = std::io::stdout();
    let done = match cli.command {
        Some(cli::Command::Lobby(args)) => super::command::run(&args, &cli.node, &mut out),
        Some(cli::Command::Selfplay(args)) => crate::selfplay::run(&args, &mut out),
        _ => Ok(()),
    };
    assert!(done.is_ok());
}

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A process, killed on drop.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Resident memory of a process, in kB.
fn memory(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.0.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Starts a lobby; returns its address and that of its metrics.
fn lobby(data: &Path, config: &str) -> (Process, LobbyAddress, String) {
    let file = data.join("config");
    let config = format!("lines = 20000\nlines-of-address = 20000\nburst = 100000\nhttp = 127.0.0.1:0\n{config}");
    std::fs::write(&file, config).unwrap();
    // The process that filled the store may still hold it.
    for _ in 0..100 {
        let args = ["lobby", "--config", file.to_str().unwrap(), "--data", data.to_str().unwrap()];
        let mut child = program(&args).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut line = |prefix: &str| lines.find_map(|line| line.strip_prefix(prefix).map(str::to_owned));
        if let (Some(text), Some(http)) = (line("lobby: "), line("http: http://")) {
            // Its later output is read, so that it does not block.
            std::thread::spawn(move || lines.for_each(drop));
            return (Process(child), LobbyAddress::from_text(&text).unwrap(), http);
        }
        let _ = child.wait();
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the lobby does not open");
}

#[test]
#[ignore = "takes minutes of all cores; prints figures"]
fn measure_idle_lines_over_quic() {
    let most = number("OUTIS_LINES", 1_000);
    let dir = scratch("idle-lines");
    std::fs::create_dir_all(&dir).unwrap();
    let (process, address, _) = lobby(&dir, "verifiers = 0\n");
    let profile = Profile::open(&scratch("idle-caller")).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let quic =
            Quic::bind(profile.keys(), &Network::default(), &Helper::Nobody, false, 0, Service::Table).await.unwrap();
        // The first visits fill caches that stay.
        let mut lines = Vec::new();
        let mut before = (0, 0);
        for n in 0..most {
            lines.push(Line::dial(&quic, &address, "x").await.unwrap());
            if n + 1 == most / 10 {
                tokio::time::sleep(Duration::from_secs(10)).await;
                before = (lines.len(), memory(&process));
            }
        }
        tokio::time::sleep(Duration::from_secs(20)).await;
        let (count, kilobytes) = (lines.len() - before.0, memory(&process) - before.1);
        println!("{count} idle lines over QUIC: {:.1} kB each in the lobby", kilobytes as f64 / count as f64);
        println!("{} kB with {} lines, {} kB with {}", before.1, before.0, memory(&process), lines.len());
    });
}

#[test]
#[ignore = "takes minutes of all cores; prints figures"]
fn measure_idle_players_over_quic() {
    let (most, minutes) = (number("OUTIS_PLAYERS", 400), number("OUTIS_MINUTES", 3));
    let dir = scratch("idle-players");
    std::fs::create_dir_all(&dir).unwrap();
    let (process, address, _) = lobby(&dir, "verifiers = 0\n");
    let profiles = (0..=most).map(|n| Profile::open(&scratch(&format!("idle-player-{n}"))).unwrap());
    let players: Vec<std::sync::Arc<Profile>> = profiles.map(std::sync::Arc::new).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // What a program does when it checks for messages (`node::lobby`): greets, fetches, disconnects.
    let look_in = async |player: std::sync::Arc<Profile>| {
        let quic =
            Quic::bind(player.keys(), &Network::default(), &Helper::Nobody, false, 0, Service::Table).await.unwrap();
        let mut line = Line::dial(&quic, &address, "x").await.unwrap();
        let _ = line.ask(&Request::Mail(0)).await;
    };
    runtime.block_on(async {
        // The first visits fill caches that stay.
        for _ in 0..20 {
            look_in(players[most].clone()).await;
        }
        let before = memory(&process);
        let (began, mut visits, mut largest) = (Instant::now(), 0u32, 0);
        let apart = Duration::from_secs(45) / most as u32;
        while began.elapsed() < Duration::from_secs(60 * minutes as u64) {
            look_in(players[visits as usize % most].clone()).await;
            visits += 1;
            tokio::time::sleep((apart * visits).saturating_sub(began.elapsed())).await;
            largest = largest.max(memory(&process));
        }
        let each = (largest - before) as f64 / most as f64;
        let every = began.elapsed().as_secs_f64() / (f64::from(visits) / most as f64);
        println!("{most} players who look in every {every:.0} s: {each:.1} kB each in the lobby at most");
    });
}

/// Number of logs that wait for a verifier, from the metrics.
fn waiting(http: &str) -> Option<usize> {
    let mut stream = TcpStream::connect(http).ok()?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let line = answer.lines().find_map(|line| line.strip_prefix("outis_lobby_jobs_waiting "))?;
    line.trim().parse().ok()
}

/// Makes a store with logs that wait for a verifier.
fn fill(dir: &Path, logs: &[Vec<u8>]) {
    std::fs::create_dir_all(dir).unwrap();
    let disk = Disk::open(&dir.join("store")).unwrap();
    for (n, bytes) in logs.iter().enumerate() {
        let (offer, _) = export::read(bytes).unwrap();
        let (table, log, key) = (offer.id().0, disk.put_blob(bytes).unwrap(), format!("k{n}"));
        let shelved = Shelved { table, log, game: offer.game, at: 1, consents: Vec::new(), verdicts: Vec::new() };
        disk.put(Bucket::Shelf, key.as_bytes(), &shelved.to_bytes(), Expect::Any, None, 1).unwrap();
        disk.put(Bucket::Tables, &table, key.as_bytes(), Expect::Any, None, 1).unwrap();
        disk.push(log, &[&log[..], &table].concat()).unwrap();
    }
}

#[test]
#[ignore = "takes minutes of all cores; prints figures"]
fn measure_verification() {
    let (games, game) = (number("OUTIS_GAMES", 16), std::env::var("OUTIS_GAME").unwrap_or("tarokk".to_owned()));
    let logs = scratch("verify-logs");
    std::fs::create_dir_all(&logs).unwrap();
    let base = logs.join("log");
    let args = ["selfplay", &game, "--games", &games.to_string(), "--log", base.to_str().unwrap()];
    assert!(program(&args).stdout(Stdio::null()).status().unwrap().success());
    let read = |n: usize| std::fs::read(logs.join(format!("log.{}", n + 1))).unwrap();
    let logs: Vec<Vec<u8>> = (0..games).map(read).collect();
    let bytes: usize = logs.iter().map(Vec::len).sum();
    println!("{games} logs of {game}, {} kB each", bytes / games / 1_000);
    for (threads, processes) in [(1, 0), (2, 0), (0, 1), (0, 2), (1, 0), (2, 0)] {
        let dir = scratch(&format!("verify-{threads}-{processes}"));
        fill(&dir, &logs);
        let profiles: Vec<PathBuf> = (0..processes).map(|n| scratch(&format!("verify-by-{n}"))).collect();
        let keys = profiles.iter().map(|dir| Profile::open(dir).unwrap().keys().key());
        let trusted: String = keys.map(|key| format!("trusted-verifier = {}\n", digits(&key.0))).collect();
        let began = Instant::now();
        let (_lobby, address, http) = lobby(&dir, &format!("verifiers = {threads}\n{trusted}"));
        let verifier = |profile: &PathBuf| {
            let (text, profile) = (address.to_text(), profile.to_str().unwrap());
            let args = ["lobby", "verify", "--once", "--lobby", &text, "--profile", profile];
            Process(program(&args).stdout(Stdio::null()).spawn().unwrap())
        };
        let _verifiers: Vec<Process> = profiles.iter().map(verifier).collect();
        while waiting(&http) != Some(0) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let took = began.elapsed().as_secs_f64();
        println!("{threads} threads, {processes} processes: {took:.1} s, {:.2} logs a second", games as f64 / took);
    }
}
