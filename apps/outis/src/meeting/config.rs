//! The configuration file of a lobby: lines of `name = value`. A `#` at the beginning of a line or after white space
//! starts a comment.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use outis_meeting::Name;
use outis_meeting::service::Limits;

use super::address::LobbyAddress;
use outis_node::invite::{Address, Relay};
use outis_node::names::Key;

/// Most verifiers in one process: each is a thread, and more threads than processors are of no use.
const MAX_VERIFIERS: usize = 64;
/// Smallest allowance for requests: that of the most expensive one, fetching a log.
const MIN_BURST: u32 = 50;
/// Messages are stored for at most a century.
const MAX_DAYS: u32 = 36_500;

/// The settings of a lobby.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name, as players see it.
    pub name: String,
    /// The folder of its key and its store.
    pub data: Option<PathBuf>,
    /// UDP port; 0: any, and the same one in the next run.
    pub port: u16,
    /// Addresses at which it can be reached, if the machine cannot find them itself.
    pub public: Vec<SocketAddr>,
    /// Other processes of the same lobby; players who have this one's address text find them too.
    pub doors: Vec<(Key, Address)>,
    /// Address for health and metrics; none if not given.
    pub http: Option<SocketAddr>,
    /// The relay beside the lobby; `None`: it runs none.
    pub relay: Option<RelayConfig>,
    /// Most connections at once.
    pub lines: usize,
    /// Most connections from one network address at once.
    pub lines_of_address: usize,
    /// Number of verifiers in this process.
    pub verifiers: usize,
    /// Keys of verifiers elsewhere whose results count.
    pub trusted: Vec<Name>,
    /// Keys that are refused.
    pub blocked: Vec<Name>,
    /// The limits for one identity.
    pub limits: Limits,
    /// `embedded` or `nats`.
    pub engine: String,
    /// The cluster, if the engine is `nats`.
    pub cluster: Cluster,
}

/// The relay beside a lobby.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayConfig {
    /// Its TCP address; none: every address of the machine, on the usual port or, if that is taken, on any.
    pub bind: Option<SocketAddr>,
    /// Its UDP port for address discovery; none: as with `bind`.
    pub udp: Option<u16>,
    /// The URL for players, if it is not simply the machine's address.
    pub url: Option<String>,
    /// Certificate chain and key for HTTPS.
    pub cert: Option<PathBuf>,
    /// See `cert`.
    pub key: Option<PathBuf>,
}

/// The cluster that stores everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// HOST:PORT of at least one of its servers.
    pub servers: Vec<String>,
    /// The number of servers that store each value.
    pub replicas: usize,
    /// Mebibytes on each server, for messages, values and logs together.
    pub room: u32,
    /// Prefix of all names in the cluster.
    pub space: String,
    /// A file with the user name and, on the second line, the password.
    pub login: Option<PathBuf>,
    /// The authority that signed the servers' certificates. If set, only TLS connections are made.
    pub authority: Option<PathBuf>,
    /// This process's certificate, if the servers require one.
    pub certificate: Option<PathBuf>,
    /// The key of that certificate.
    pub key: Option<PathBuf>,
}

impl Default for Cluster {
    fn default() -> Self {
        let (servers, space) = (Vec::new(), "outis".to_owned());
        Self { servers, replicas: 3, room: 4_096, space, login: None, authority: None, certificate: None, key: None }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: "Outis".to_owned(),
            data: None,
            port: 0,
            public: Vec::new(),
            doors: Vec::new(),
            http: None,
            relay: Some(RelayConfig::default()),
            lines: 5_000,
            lines_of_address: 64,
            verifiers: 1,
            trusted: Vec::new(),
            blocked: Vec::new(),
            limits: Limits::default(),
            engine: "embedded".to_owned(),
            cluster: Cluster::default(),
        }
    }
}

impl Config {
    /// Reads the text of a file; an error names the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut config = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = uncommented(line).trim();
            if line.is_empty() {
                continue;
            }
            let (name, value) = line.split_once('=').ok_or(format!("line {number}: {line:?} is not NAME = VALUE"))?;
            let (name, value) = (name.trim(), value.trim());
            if value.is_empty() {
                return Err(format!("line {number}: {name}: a value is missing"));
            }
            config.set(name, value).map_err(|why| format!("line {number}: {name}: {why}"))?;
        }
        Ok(config)
    }

    /// Sets the name, without characters that cannot be displayed.
    pub fn set_name(&mut self, name: &str) -> Result<(), String> {
        let name = outis_node::names::clean(name, 40);
        if name.is_empty() {
            return Err("a lobby needs a readable name".to_owned());
        }
        self.name = name;
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
            value.parse().map_err(|_| format!("{value:?} is not a valid number"))
        }
        fn within<T: std::str::FromStr + PartialOrd + std::fmt::Display>(
            value: &str,
            range: RangeInclusive<T>,
        ) -> Result<T, String> {
            let wrong = || format!("{value:?} is not between {} and {}", range.start(), range.end());
            value.parse().ok().filter(|n| range.contains(n)).ok_or_else(wrong)
        }
        fn address(value: &str) -> Result<SocketAddr, String> {
            value.parse().map_err(|_| format!("{value:?} is not an address with a port"))
        }
        let relay = |config: &mut Self, set: &dyn Fn(&mut RelayConfig)| match &mut config.relay {
            Some(relay) => {
                set(relay);
                Ok(())
            }
            None => Err("with relay = no there is no relay".to_owned()),
        };
        let key = |value: &str| super::name(value).ok_or(format!("{value:?} is not a key of 64 digits"));
        match name {
            "name" => self.set_name(value)?,
            "data" => self.data = Some(value.into()),
            "port" => self.port = number(value)?,
            "public" => self.public.push(address(value)?),
            "door" => {
                let lobby = LobbyAddress::from_text(value).ok_or("this is not the text of a lobby")?;
                self.doors.extend(lobby.doors);
            }
            "http" => self.http = Some(address(value)?),
            "relay" => match value {
                "yes" => self.relay = Some(self.relay.take().unwrap_or_default()),
                "no" => self.relay = None,
                _ => return Err(format!("{value:?} is not yes or no")),
            },
            "relay-bind" => {
                let bind = address(value)?;
                relay(self, &|relay| relay.bind = Some(bind))?;
            }
            "relay-udp" => {
                let port = number(value)?;
                relay(self, &|relay| relay.udp = Some(port))?;
            }
            "relay-url" => {
                let url = Relay::from_text(value).filter(|relay| !relay.has_more());
                let url = url.ok_or(format!("{value:?} is not http:// or https:// with a host"))?.url;
                relay(self, &|relay| relay.url = Some(url.clone()))?;
            }
            "relay-cert" => relay(self, &|relay| relay.cert = Some(value.into()))?,
            "relay-key" => relay(self, &|relay| relay.key = Some(value.into()))?,
            "lines" => self.lines = within(value, 1..=1_000_000)?,
            "lines-of-address" => self.lines_of_address = within(value, 1..=1_000_000)?,
            "verifiers" => self.verifiers = within(value, 0..=MAX_VERIFIERS)?,
            "trusted-verifier" => self.trusted.push(key(value)?),
            "blocked" => self.blocked.push(key(value)?),
            "notices" => self.limits.notices = number(value)?,
            "letters" => self.limits.letters = number(value)?,
            "letter-bytes" => self.limits.letter_bytes = number(value)?,
            "senders" => self.limits.senders = number(value)?,
            "burst" => self.limits.burst = within(value, MIN_BURST..=1_000_000)?,
            "rate" => self.limits.rate = within(value, 1..=1_000_000)?,
            "bytes" => self.limits.bytes = number(value)?,
            "byte-rate" => self.limits.byte_rate = number(value)?,
            "retention-days" => self.limits.retention = u64::from(within(value, 1..=MAX_DAYS)?) * 24 * 3_600_000,
            "engine" => self.engine = value.to_owned(),
            "nats" => {
                let port = value.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
                port.ok_or(format!("{value:?} is not HOST:PORT"))?;
                self.cluster.servers.push(value.to_owned());
            }
            "replicas" => self.cluster.replicas = number(value)?,
            "nats-room" => self.cluster.room = number(value)?,
            "nats-space" => self.cluster.space = value.to_owned(),
            "nats-login" => self.cluster.login = Some(value.into()),
            "nats-authority" => self.cluster.authority = Some(value.into()),
            "nats-certificate" => self.cluster.certificate = Some(value.into()),
            "nats-key" => self.cluster.key = Some(value.into()),
            _ => return Err("unknown name".to_owned()),
        }
        Ok(())
    }
}

/// A line without its comment. A `#` within a word does not start one: "C# kör" is a name.
fn uncommented(line: &str) -> &str {
    let begins = |(at, _): &(usize, &str)| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(begins).map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_what_is_odd_is_named() {
        let key = "ab".repeat(32);
        let text = format!(
            "# a club\nname = Kör \u{1b}[1m\n\nhttp = 127.0.0.1:9100 # figures\nblocked = {key}\nretention-days = 7\n"
        );
        let config = Config::read(&text).unwrap();
        assert_eq!((&*config.name, config.http.unwrap().port()), ("Kör [1m", 9100));
        assert_eq!(config.blocked, [[0xab; 32]]);
        assert_eq!(config.limits.retention, 7 * 24 * 3_600_000);
        let config = Config::read("name = C# kör # a club\n\t# data = away\nverifiers = 0").unwrap();
        assert_eq!((&*config.name, &config.data, config.verifiers), ("C# kör", &None, 0));
        let config =
            Config::read("relay-bind = 127.0.0.1:80\nrelay-udp = 99\nrelay-url = https://lobby.example").unwrap();
        let relay = config.relay.unwrap();
        assert_eq!(
            (relay.bind.unwrap().port(), relay.udp, &*relay.url.unwrap()),
            (80, Some(99), "https://lobby.example")
        );
        assert_eq!(Config::read("relay = no").unwrap().relay, None);
        assert_eq!(Config::read("relay = yes").unwrap().relay, Some(RelayConfig::default()));
        let config = Config::read("engine = nats\nnats = a.example:4222\nnats = [::1]:4223\nreplicas = 5").unwrap();
        assert_eq!((config.cluster.servers.len(), config.cluster.replicas), (2, 5));
        for (bad, why) in [
            ("port", "line 1: \"port\" is not NAME = VALUE"),
            ("\nport = many", "line 2: port: \"many\" is not a valid number"),
            ("colour = red", "line 1: colour: unknown name"),
            ("relay = perhaps", "line 1: relay: \"perhaps\" is not yes or no"),
            ("relay = no\nrelay-udp = 1", "line 2: relay-udp: with relay = no there is no relay"),
            ("relay-url = lobby", "line 1: relay-url: \"lobby\" is not http:// or https:// with a host"),
            ("blocked = 12", "line 1: blocked: \"12\" is not a key of 64 digits"),
            ("nats = here", "line 1: nats: \"here\" is not HOST:PORT"),
            ("http = here", "line 1: http: \"here\" is not an address with a port"),
            ("verifiers = 100000", "line 1: verifiers: \"100000\" is not between 0 and 64"),
            ("lines = 0", "line 1: lines: \"0\" is not between 1 and 1000000"),
            ("burst = 0", "line 1: burst: \"0\" is not between 50 and 1000000"),
            ("rate = -1", "line 1: rate: \"-1\" is not between 1 and 1000000"),
            ("retention-days = 0", "line 1: retention-days: \"0\" is not between 1 and 36500"),
            ("name =", "line 1: name: a value is missing"),
            ("data = # nowhere", "line 1: data: a value is missing"),
            ("name = \u{200b}\u{1b}", "line 1: name: a lobby needs a readable name"),
        ] {
            assert_eq!(Config::read(bad).unwrap_err(), why);
        }
    }
}
