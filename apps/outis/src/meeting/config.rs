//! The configuration file of a meeting place: lines of `name = value`; `#` begins a comment.

use std::net::SocketAddr;
use std::path::PathBuf;

use outis_meeting::Name;
use outis_meeting::service::Limits;

use super::address::Lobby;
use crate::node::Key;
use crate::node::invite::Address;

/// How a meeting place is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name, for people.
    pub name: String,
    /// Where its key and its store are.
    pub data: Option<PathBuf>,
    /// UDP port; 0: any, and the same the next time.
    pub port: u16,
    /// Addresses by which it is known, if the machine cannot see them itself.
    pub public: Vec<SocketAddr>,
    /// Other processes of the same meeting place; whoever gets the text of this one finds them too.
    pub doors: Vec<(Key, Address)>,
    /// Where health and figures are told; nowhere if not given.
    pub http: Option<SocketAddr>,
    /// Lines at once.
    pub lines: usize,
    /// Lines of one network address at once.
    pub lines_of_address: usize,
    /// Verifiers in this process.
    pub verifiers: usize,
    /// Keys of verifiers elsewhere whose verdicts count.
    pub trusted: Vec<Name>,
    /// Keys that are not let in.
    pub blocked: Vec<Name>,
    /// What one identity may do.
    pub limits: Limits,
    /// `embedded` or `nats`.
    pub engine: String,
    /// Of the engine that is not embedded.
    pub cluster: Cluster,
}

/// Where a cluster is that keeps everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// HOST:PORT of some of its servers.
    pub servers: Vec<String>,
    /// On how many servers everything is kept.
    pub replicas: usize,
    /// Mebibytes on each server: for letters, values and logs together.
    pub room: u32,
    /// What all its names there begin with.
    pub space: String,
    /// A file with a user's name and, on the second line, the password.
    pub login: Option<PathBuf>,
    /// Whose signature the servers' certificates bear. With it there is no connection without TLS.
    pub authority: Option<PathBuf>,
    /// Certificate of this process, if the servers ask for one.
    pub certificate: Option<PathBuf>,
    /// And its key.
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
    /// Reads a file's text; an error names the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut config = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (name, value) = line.split_once('=').ok_or(format!("line {number}: {line:?} is not NAME = VALUE"))?;
            let (name, value) = (name.trim(), value.trim());
            config.set(name, value).map_err(|why| format!("line {number}: {name}: {why}"))?;
        }
        Ok(config)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
            value.parse().map_err(|_| format!("{value:?} is no number that fits"))
        }
        fn address(value: &str) -> Result<SocketAddr, String> {
            value.parse().map_err(|_| format!("{value:?} is no address with a port"))
        }
        let key = |value: &str| super::name(value).ok_or(format!("{value:?} is no key of 64 digits"));
        match name {
            "name" => self.name = crate::node::clean(value, 40),
            "data" => self.data = Some(value.into()),
            "port" => self.port = number(value)?,
            "public" => self.public.push(address(value)?),
            "door" => {
                let lobby = Lobby::from_text(value).ok_or("that is no address of a meeting place")?;
                self.doors.extend(lobby.doors);
            }
            "http" => self.http = Some(address(value)?),
            "lines" => self.lines = number(value)?,
            "lines-of-address" => self.lines_of_address = number(value)?,
            "verifiers" => self.verifiers = number(value)?,
            "trusted-verifier" => self.trusted.push(key(value)?),
            "blocked" => self.blocked.push(key(value)?),
            "notices" => self.limits.notices = number(value)?,
            "letters" => self.limits.letters = number(value)?,
            "letter-bytes" => self.limits.letter_bytes = number(value)?,
            "senders" => self.limits.senders = number(value)?,
            "burst" => self.limits.burst = number(value)?,
            "rate" => self.limits.rate = number(value)?,
            "bytes" => self.limits.bytes = number(value)?,
            "byte-rate" => self.limits.byte_rate = number(value)?,
            "retention-days" => self.limits.retention = number::<u32>(value)? as u64 * 24 * 3_600_000,
            "engine" => self.engine = value.to_owned(),
            "nats" => {
                let port = value.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
                port.ok_or(format!("{value:?} is no HOST:PORT"))?;
                self.cluster.servers.push(value.to_owned());
            }
            "replicas" => self.cluster.replicas = number(value)?,
            "nats-room" => self.cluster.room = number(value)?,
            "nats-space" => self.cluster.space = value.to_owned(),
            "nats-login" => self.cluster.login = Some(value.into()),
            "nats-authority" => self.cluster.authority = Some(value.into()),
            "nats-certificate" => self.cluster.certificate = Some(value.into()),
            "nats-key" => self.cluster.key = Some(value.into()),
            _ => return Err("no such name".to_owned()),
        }
        Ok(())
    }
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
        let config = Config::read("engine = nats\nnats = a.example:4222\nnats = [::1]:4223\nreplicas = 5").unwrap();
        assert_eq!((config.cluster.servers.len(), config.cluster.replicas), (2, 5));
        for (bad, why) in [
            ("port", "line 1: \"port\" is not NAME = VALUE"),
            ("\nport = many", "line 2: port: \"many\" is no number that fits"),
            ("colour = red", "line 1: colour: no such name"),
            ("blocked = 12", "line 1: blocked: \"12\" is no key of 64 digits"),
            ("nats = here", "line 1: nats: \"here\" is no HOST:PORT"),
            ("http = here", "line 1: http: \"here\" is no address with a port"),
        ] {
            assert_eq!(Config::read(bad).unwrap_err(), why);
        }
    }
}
