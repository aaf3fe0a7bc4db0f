//! Opens a lobby and runs it until it is stopped.

mod relay;

use std::io::Write;
use std::net::{Ipv4Addr, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outis_meeting::service::{Meeting, Setup};
use outis_meeting::store::Store;
use serde_json::json;

use super::LobbyArgs;
use crate::app::NodeArgs;
use crate::exit::Failure;
use crate::machine::profile::{Profile, Unusable};
use crate::machine::quic::Quic;
use crate::machine::relay_server::Relay;
use crate::machine::transport::{Service, Transport};
use crate::meeting::address::LobbyAddress;
use crate::meeting::config::Config;
use crate::meeting::disk::Disk;
use crate::meeting::page::Front;
use crate::meeting::serve::{LobbyServer, say};
use crate::trouble::{Said, of_file};
use outis_node::keys::Keyring;
use outis_node::settings::Network;

/// How long to wait for a port that a terminating program may still hold.
const PORT_PATIENCE: Duration = Duration::from_secs(5);

/// Opens the lobby, prints its address, and runs it.
pub fn serve(args: &LobbyArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let config = configure(args, node)?;
    let data = args.data.clone().or(config.data.clone()).or(node.profile.clone());
    let dir = match data {
        Some(dir) => dir,
        None => Profile::usual_dir().map_err(|why| unusable(&why))?.with_file_name("outis-lobby"),
    };
    let lived = dir.join("keys.json").exists();
    // A lobby has its own key, stored like a person's.
    let profile = Profile::open(&dir).map_err(|why| unusable(&why))?;
    let keys = profile.keys().clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let known = dir.join("port");
    let door = Door::new(config.port, &known)?;
    let store = store(&config, &dir, lived)?;
    let mut setup = Setup { name: config.name.clone(), limits: config.limits, ..Setup::default() };
    setup.blocked.extend(&config.blocked);
    setup.verifiers.extend(&config.trusted);
    setup.verifiers.insert(keys.key().0);
    let server = LobbyServer::new(Meeting::new(store, setup), config.clone());
    let front = Front::new(&config.name);
    let chosen = node.network()?;
    runtime.block_on(async {
        let ended = ending()?;
        // An operator who says how the lobby is reached has another relay, or wants none.
        let beside = match config.relay.as_ref().filter(|_| chosen.is_none()) {
            Some(plan) => Some((plan, relay::start(plan, &dir, front.clone().router()).await?)),
            None => None,
        };
        // The lobby is at its own relay, too: for players whose network blocks UDP.
        let own = |relay: &Relay| Network::Relay { relay: relay.here().to_text(), only: false };
        let network = beside.as_ref().map(|(_, relay)| own(relay)).or(chosen).unwrap_or_default();
        let transport = door.bind(&keys, &network).await?;
        if let Some(port) = transport.port().filter(|port| Some(*port) != door.last) {
            // The next run uses the same port, because players have it in their settings.
            let kept = crate::machine::private_files::replace(&known, port.to_string().as_bytes());
            kept.map_err(|error| Said(of_file(&known, &error)))?;
        }
        if let Some((_, relay)) = &beside {
            transport.know(relay.places());
        }
        let transport: Arc<dyn Transport> = Arc::new(transport);
        let mut address = transport.address();
        if !config.public.is_empty() {
            address.direct.clone_from(&config.public);
        }
        let page = beside.as_ref().map(|(plan, relay)| relay::url(plan, relay, &address.direct));
        if let (Some(url), Some((_, relay))) = (&page, &beside) {
            address.relay = Some(relay.at(url.clone()));
            say("relay", json!({ "tcp": relay.http.port(), "udp": relay.discovery }));
        }
        let listener = match config.http {
            Some(at) => Some(
                tokio::net::TcpListener::bind(at)
                    .await
                    .map_err(|error| Said(of_file(at.to_string().as_ref(), &error)))?,
            ),
            None => None,
        };
        let others = config.doors.iter().filter(|(key, _)| *key != keys.key()).cloned();
        let doors = std::iter::once((keys.key(), address)).chain(others).collect();
        let text = LobbyAddress { doors }.to_text();
        front.show(&text);
        writeln!(out, "lobby: {text}")?;
        if let Some(url) = &page {
            writeln!(out, "page: {url}")?;
        }
        if let Some(listener) = &listener {
            writeln!(out, "http: http://{}", listener.local_addr()?)?;
        }
        out.flush()?;
        say("open", json!({ "name": config.name, "verifiers": config.verifiers }));
        if let Some(listener) = listener {
            let router = server.router();
            tokio::spawn(async move { axum::serve(listener, router).await });
        }
        for i in 0..config.verifiers {
            let (server, identity) = (server.clone(), keys.identity().clone());
            let thread = std::thread::Builder::new().name(format!("lobby-verify-{i}"));
            thread.spawn(move || server.keep_verifying(identity))?;
        }
        tokio::spawn(server.clone().keep_sweeping());
        tokio::spawn(server.clone().receive(transport.clone()));
        ended.await;
        say("closing", json!({}));
        server.close().await;
        transport.close();
        // Gives the last answers time to leave.
        tokio::time::sleep(Duration::from_millis(300)).await;
        if let Some((_, relay)) = beside {
            relay.stop().await;
        }
        say("closed", json!({}));
        Ok(())
    })
}

/// The configuration file, with what the command line overrides.
fn configure(args: &LobbyArgs, node: &NodeArgs) -> Result<Config, Failure> {
    let mut config = match &args.config {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| Said(of_file(path, &error)))?;
            Config::read(&text).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?
        }
        None => Config::default(),
    };
    if let Some(name) = &args.name {
        config.set_name(name).map_err(|why| Failure::usage(format!("--name: {why}")))?;
    }
    config.http = args.http.or(config.http);
    if args.no_relay {
        config.relay = None;
    }
    if args.relay_bind.is_some() || args.relay_url.is_some() {
        let no_relay = || Failure::usage("--relay-bind and --relay-url need relay = yes in the configuration");
        let relay = config.relay.as_mut().ok_or_else(no_relay)?;
        relay.bind = args.relay_bind.or(relay.bind);
        if let Some(url) = &args.relay_url {
            let plain = outis_node::invite::Relay::from_text(url).filter(|relay| !relay.has_more());
            let wrong = || Failure::usage(format!("--relay-url {url}: not http:// or https:// with a host"));
            relay.url = Some(plain.ok_or_else(wrong)?.url);
        }
    }
    if let Some(engine) = &args.engine {
        config.engine.clone_from(engine);
    }
    if node.listen != 0 {
        config.port = node.listen;
    }
    Ok(config)
}

/// Why the folder cannot be used, for an operator: there is no page here, and the folder has a different name.
fn unusable(why: &Unusable) -> Failure {
    let says = match why {
        Unusable::File(path, error) => return Said(of_file(path, error)).into(),
        Unusable::NoFolder => "cannot find a folder for data; name one with --data DIR".to_owned(),
        Unusable::InUse(dir, _) => format!(
            "another Outis, probably a lobby, is using {}; stop it, or choose another folder with --data DIR",
            dir.display()
        ),
        Unusable::Missing(path) => format!(
            "{} is missing, although this folder was used before. Nothing was changed. Restore the file from a backup, or \
             start again with --data DIR",
            path.display()
        ),
        Unusable::Damaged(path) => format!(
            "{} is damaged. It holds the key of this lobby; without it, the address that players have does not work. \
             Nothing was changed. Restore the file from a backup, or start again with --data DIR",
            path.display()
        ),
        Unusable::Newer(path) => format!(
            "{} was written by a later version of Outis. Nothing was changed. Use that version, or another folder with \
             --data DIR",
            path.display()
        ),
    };
    says.into()
}

/// The UDP port: the chosen one, that of the last run, or any.
struct Door {
    port: u16,
    chosen: bool,
    /// The port of the last run.
    last: Option<u16>,
}

impl Door {
    fn new(chosen: u16, known: &Path) -> Result<Self, Failure> {
        let last = match std::fs::read_to_string(known) {
            Ok(text) => match text.trim().parse() {
                Ok(last) => Some(last),
                // The file will be replaced anyway, and the operator has given the number.
                Err(_) if chosen != 0 => None,
                Err(_) => {
                    return Err(format!(
                        "{} no longer contains the UDP port of this lobby; choose it with --listen PORT",
                        known.display()
                    )
                    .into());
                }
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Said(of_file(known, &error)).into()),
        };
        let port = if chosen == 0 { last.unwrap_or(0) } else { chosen };
        Ok(Self { port, chosen: chosen != 0, last })
    }

    /// Binds this port and no other: it is part of the address that players have.
    async fn bind(&self, keys: &Keyring, network: &Network) -> Result<Quic, Failure> {
        let began = Instant::now();
        loop {
            let why = match Quic::bind(keys, network, &network.helper(&[]), false, self.port, Service::Meeting).await {
                Ok(transport) => return Ok(transport),
                Err(why) => why,
            };
            if self.port == 0 {
                return Err(why.into());
            }
            // Asks the system for the reason.
            let error = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, self.port)).err();
            let taken = error.as_ref().is_some_and(|error| error.kind() == std::io::ErrorKind::AddrInUse);
            if began.elapsed() < PORT_PATIENCE && (taken || error.is_none()) {
                tokio::time::sleep(Duration::from_millis(250)).await;
                continue;
            }
            let why = error.map_or(why, |error| error.to_string());
            return Err(self.refusal(taken, &why).into());
        }
    }

    fn refusal(&self, taken: bool, why: &str) -> String {
        let port = self.port;
        match (taken, self.chosen) {
            (false, _) => format!("UDP port {port} cannot be used: {why}"),
            (true, true) => format!(
                "UDP port {port} is in use by another program; stop it, or choose another port (--listen PORT, or port \
                 = PORT in the configuration)"
            ),
            (true, false) => format!(
                "UDP port {port}, which is part of this lobby's address, is in use by another program. Stop that \
                 program; or choose another port with --listen PORT and give all players the new text"
            ),
        }
    }
}

fn store(config: &Config, dir: &Path, lived: bool) -> Result<Box<dyn Store>, Failure> {
    match &*config.engine {
        "embedded" => {
            let path = dir.join("store");
            let length = std::fs::metadata(&path).map(|metadata| metadata.len()).ok();
            if length == Some(0) && lived {
                return Err(format!(
                    "{} is empty, although this lobby has run before; restore it from a backup, or delete it to start \
                     with an empty one",
                    path.display()
                )
                .into());
            }
            if length.is_none() && lived {
                say("store-new", json!({ "path": path.display().to_string() }));
            }
            Ok(Box::new(Disk::open(&path)?))
        }
        #[cfg(feature = "nats")]
        "nats" => Ok(Box::new(crate::meeting::nats::Nats::open(&config.cluster).map_err(Failure::usage)?)),
        #[cfg(not(feature = "nats"))]
        "nats" => Err(Failure::usage("this build has no NATS; build it with: cargo build --release --features nats")),
        other => Err(Failure::usage(format!("unknown engine {other:?}; engines: embedded, nats"))),
    }
}

/// Waits until the operator stops the program. It listens for signals from this call on, not only from the first poll,
/// because an operator may be quick.
#[cfg(unix)]
fn ending() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut term, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn ending() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::scratch;

    #[test]
    fn the_port_of_the_last_time_is_kept_and_nothing_else_is_taken_for_it() {
        let known = scratch("door-port");
        let door = |chosen| Door::new(chosen, &known).map(|door| (door.port, door.chosen, door.last));
        assert_eq!(door(0).unwrap(), (0, false, None), "any, the first time");
        assert_eq!(door(4433).unwrap(), (4433, true, None));
        std::fs::write(&known, "5000\n").unwrap();
        assert_eq!(door(0).unwrap(), (5000, false, Some(5000)));
        assert_eq!(door(4433).unwrap(), (4433, true, Some(5000)));
        std::fs::write(&known, "").unwrap();
        assert!(door(0).unwrap_err().to_string().contains("--listen"), "not any other by itself");
        assert_eq!(door(4433).unwrap(), (4433, true, None));
    }
}
