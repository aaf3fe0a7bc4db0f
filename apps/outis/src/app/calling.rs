//! What a guest is told while the host has not answered: whom the program calls, over what, and what is known of why nobody
//! answers. It decides from what is known and from the time that has passed; the terminal says it.

use std::net::{IpAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use outis_game::words::Text;

use crate::speech::plain;
use outis_node::invite::{Address, Relay};
use outis_node::settings::Network;

/// After so long without an answer of the host, what is known of it is said.
const SILENT: Duration = Duration::from_secs(3);
/// After so long, what to do.
const LONG: Duration = Duration::from_secs(10);
/// How long a relay may take.
const RELAY: Duration = Duration::from_secs(3);

/// What is known of a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// It answers.
    Open,
    /// Its name means nothing here.
    NoName,
    /// Its machine says that nobody listens there.
    Closed,
    /// Nothing comes back.
    Silent,
}

impl Door {
    fn sentence(self) -> &'static str {
        match self {
            Self::Open => "terminal.calling.relay.open",
            Self::NoName => "terminal.calling.relay.no-name",
            Self::Closed => "terminal.calling.relay.closed",
            Self::Silent => "terminal.calling.relay.silent",
        }
    }
}

/// A host that is called.
pub struct Calling {
    address: Address,
    began: Instant,
    door: Option<Door>,
    found: Receiver<Door>,
    /// A relay of the invite that this person's network does not allow.
    refused: Option<String>,
    said: [bool; 5],
}

impl Calling {
    /// Begins, and looks whether the relay of the invite is there, if the network allows it.
    pub fn new(address: Address, network: &Network) -> Self {
        let (send, found) = channel();
        let mut address = address.usable();
        let refused = address.relay.take_if(|relay| !network.may_use(relay)).map(|relay| relay.url);
        if let Some(relay) = address.relay.clone() {
            std::thread::spawn(move || send.send(look(&relay)));
        }
        Self { address, began: Instant::now(), door: None, found, refused, said: [false; 5] }
    }

    /// For how long the host has been called.
    pub fn lasts(&self) -> Duration {
        self.began.elapsed()
    }

    /// What is to be said now.
    pub fn news(&mut self) -> Vec<Text> {
        self.door = self.door.or_else(|| self.found.try_recv().ok());
        self.at(self.began.elapsed())
    }

    fn at(&mut self, time: Duration) -> Vec<Text> {
        let relay = self.address.relay.as_ref().map(|relay| relay.url.clone());
        let over = |id: &str| Text::new(id).with("relay", plain(relay.clone().unwrap_or_default()));
        let first = match relay {
            Some(_) => over("terminal.calling.over"),
            None if self.address.direct.iter().all(|at| is_private(at.ip())) => Text::new("terminal.calling.private"),
            None => Text::new("terminal.calling.direct"),
        };
        let silent = match (&relay, self.door) {
            (Some(_), Some(Door::Open)) => Some(Text::new("terminal.calling.no-host")),
            (Some(_), _) => None,
            (None, _) => Some(Text::new("terminal.calling.no-way")),
        };
        let refused = self.refused.as_ref();
        let refused = refused.map(|url| Text::new("terminal.calling.relay.refused").with("relay", plain(url.clone())));
        let all = [
            refused,
            Some(first),
            self.door.map(|door| over(door.sentence())),
            silent.filter(|_| time >= SILENT),
            (time >= LONG).then(|| Text::new("terminal.calling.long")),
        ];
        let said = &mut self.said;
        let new = |(i, text): (usize, Option<Text>)| text.filter(|_| !std::mem::replace(&mut said[i], true));
        all.into_iter().enumerate().filter_map(new).collect()
    }
}

/// Whether an address means something on one network only.
fn is_private(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => {
            let carrier = ip.octets()[0] == 100 && ip.octets()[1] & 0xc0 == 64;
            ip.is_private() || ip.is_loopback() || ip.is_link_local() || carrier
        }
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

/// Knocks at a relay, as its players do.
fn look(relay: &Relay) -> Door {
    let Ok(url) = relay.url.parse::<iroh::RelayUrl>() else { return Door::NoName };
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return Door::NoName };
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    let Ok(places) = (host, port).to_socket_addrs() else { return Door::NoName };
    let mut found = Door::NoName;
    for place in places {
        found = match TcpStream::connect_timeout(&place, RELAY) {
            Ok(_) => return Door::Open,
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => Door::Closed,
            Err(_) => Door::Silent,
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn calling(direct: &[&str], relay: Option<&str>) -> Calling {
        let direct = direct.iter().map(|at| at.parse().unwrap()).collect();
        let (_, found) = channel();
        let address = Address { direct, relay: relay.map(Relay::plain) };
        Calling { address, began: Instant::now(), door: None, found, refused: None, said: [false; 5] }
    }

    fn ids(texts: &[Text]) -> Vec<&str> {
        texts.iter().map(|text| text.id.trim_start_matches("terminal.calling.")).collect()
    }

    #[test]
    fn each_sentence_is_said_once_when_it_is_known() {
        let mut call = calling(&["192.0.2.1:1"], Some("http://192.0.2.9"));
        assert_eq!(ids(&call.at(Duration::ZERO)), ["over"]);
        assert_eq!(call.at(SILENT), []);
        call.door = Some(Door::Open);
        assert_eq!(ids(&call.at(SILENT)), ["relay.open", "no-host"]);
        assert_eq!(ids(&call.at(LONG)), ["long"]);
        assert_eq!(call.at(2 * LONG), []);
    }

    #[test]
    fn what_leads_nowhere_is_said_at_once() {
        let first = |direct: &[&str]| calling(direct, None).at(Duration::ZERO)[0].id.clone();
        assert_eq!(first(&["192.168.1.10:1", "[fe80::1]:2", "100.64.3.4:5"]), "terminal.calling.private");
        assert_eq!(first(&["192.168.1.10:1", "203.0.113.9:1"]), "terminal.calling.direct");
        let mut dead = calling(&[], Some("http://192.0.2.9"));
        dead.door = Some(Door::Closed);
        assert_eq!(ids(&dead.at(SILENT)), ["over", "relay.closed"], "of the host nothing is known then");
    }

    /// Whoever uses this network only, or no relay but one, does not even look at the relay that somebody else names.
    #[test]
    fn a_relay_that_is_not_allowed_hears_nothing() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let address = Address { direct: Vec::new(), relay: Some(Relay::plain(&*url)) };
        let only = Network::Relay { relay: "https://relay.example".to_owned(), only: true };
        for network in [Network::Direct { local: true }, only] {
            let mut call = Calling::new(address.clone(), &network);
            assert_eq!(ids(&call.at(Duration::ZERO))[0], "relay.refused");
            std::thread::sleep(Duration::from_millis(300));
            assert!(listener.accept().is_err() && call.news().is_empty());
        }
        let _calling = Calling::new(address, &Network::default());
        std::thread::sleep(Duration::from_millis(300));
        assert!(listener.accept().is_ok(), "this test can fail");
    }

    #[test]
    fn a_relay_is_there_or_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        assert_eq!(look(&Relay::plain(&*url)), Door::Open);
        drop(listener);
        assert_eq!(look(&Relay::plain(&*url)), Door::Closed);
        assert_eq!(look(&Relay::plain("https://")), Door::NoName);
    }
}
