//! What a guest sees while the host has not answered: how the program calls the host, and what is known about why nobody answers. All of it
//! follows from the invite, the person's settings and what the machine found at the relay. The caller measures the time.

use std::net::IpAddr;

use outis_game::words::{Arg, Text};

use crate::invite::Address;
use crate::links::Millis;
use crate::settings::Network;

/// After this long without an answer from the host, the guest sees what is known about it.
const SILENT: Millis = 3_000;
/// After this long, the guest sees what happens next.
const LONG: Millis = 10_000;

/// What the machine found at a relay's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayFound {
    /// It answers.
    Open,
    /// Its name cannot be resolved here.
    NoName,
    /// Its machine says that nothing listens there.
    Closed,
    /// Nothing comes back.
    Silent,
}

impl RelayFound {
    fn sentence(self) -> &'static str {
        match self {
            Self::Open => "node.calling.relay.open",
            Self::NoName => "node.calling.relay.no-name",
            Self::Closed => "node.calling.relay.closed",
            Self::Silent => "node.calling.relay.silent",
        }
    }
}

/// One sentence, and how long the call must have lasted before it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// In milliseconds since the call began.
    pub after: Millis,
    /// The sentence.
    pub text: Text,
}

/// All remarks about a call that nobody answers, in order.
pub fn remarks(address: &Address, network: &Network, found: Option<RelayFound>) -> Vec<Remark> {
    let mut address = address.clone().usable();
    let refused = address.relay.take_if(|relay| !network.may_use(relay));
    let with = |id: &str, url: &str| Text::new(id).with("relay", Arg::Plain(url.to_owned()));
    let mut all = Vec::new();
    let mut say = |after: Millis, text: Text| all.push(Remark { after, text });
    if let Some(relay) = &refused {
        say(0, with("node.calling.relay.refused", &relay.url));
    }
    let at_home = refused.is_none() && address.direct.iter().all(|at| is_private(at.ip()));
    match (&address.relay, found) {
        (Some(relay), found) => {
            say(0, with("node.calling.over", &relay.url));
            found.into_iter().for_each(|found| say(0, with(found.sentence(), &relay.url)));
            if found == Some(RelayFound::Open) {
                say(SILENT, Text::new("node.calling.no-host"));
            }
        }
        (None, _) if refused.is_some() && address.direct.is_empty() => say(0, Text::new("node.calling.nothing-left")),
        (None, _) => {
            say(0, Text::new(if at_home { "node.calling.private" } else { "node.calling.direct" }));
            say(SILENT, Text::new("node.calling.no-way"));
        }
    }
    say(LONG, Text::new("node.calling.long"));
    all
}

/// Whether an address is valid on one network only.
pub fn is_private(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => {
            let [first, second, ..] = ip.octets();
            let is_carriers = first == 100 && second & 0xc0 == 64;
            ip.is_private() || ip.is_loopback() || ip.is_link_local() || is_carriers
        }
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invite::Relay;

    fn said(
        direct: &[&str],
        relay: Option<&str>,
        network: &Network,
        found: Option<RelayFound>,
    ) -> Vec<(Millis, String)> {
        let direct = direct.iter().map(|at| at.parse().unwrap()).collect();
        let address = Address { direct, relay: relay.map(Relay::plain) };
        let short = |remark: Remark| (remark.after, remark.text.id.trim_start_matches("node.calling.").to_owned());
        remarks(&address, network, found).into_iter().map(short).collect()
    }

    fn ids(said: &[(Millis, String)]) -> Vec<&str> {
        said.iter().map(|(_, id)| &**id).collect()
    }

    /// What is not used is not called missing.
    #[test]
    fn a_relay_that_is_not_allowed_is_named_as_such() {
        let local = Network::Direct { local: true };
        let call = |direct: &[&str]| said(direct, Some("http://192.0.2.9"), &local, None);
        assert_eq!(ids(&call(&[])), ["relay.refused", "nothing-left", "long"]);
        assert_eq!(ids(&call(&["10.0.0.1:1"])), ["relay.refused", "direct", "no-way", "long"]);
    }

    #[test]
    fn of_a_host_behind_a_relay_something_is_known_only_if_that_answers() {
        let call = |found| said(&["192.0.2.1:1"], Some("http://192.0.2.9"), &Network::default(), found);
        assert_eq!(ids(&call(None)), ["over", "long"]);
        assert_eq!(ids(&call(Some(RelayFound::Open))), ["over", "relay.open", "no-host", "long"]);
        assert_eq!(ids(&call(Some(RelayFound::Closed))), ["over", "relay.closed", "long"]);
        assert_eq!(ids(&call(Some(RelayFound::NoName))), ["over", "relay.no-name", "long"]);
        let times: Vec<Millis> = call(Some(RelayFound::Open)).into_iter().map(|(after, _)| after).collect();
        assert_eq!(times, [0, 0, SILENT, LONG]);
    }

    #[test]
    fn what_leads_nowhere_is_said_at_once() {
        let first = |direct: &[&str]| said(direct, None, &Network::default(), None).remove(0);
        assert_eq!(first(&["192.168.1.10:1", "[fe80::1]:2", "100.64.3.4:5"]), (0, "private".to_owned()));
        assert_eq!(first(&["192.168.1.10:1", "203.0.113.9:1"]), (0, "direct".to_owned()));
    }

    #[test]
    fn a_relay_that_is_not_allowed_is_named_and_not_used() {
        let only = Network::Relay { relay: "https://relay.example".to_owned(), only: true };
        for network in [Network::Direct { local: true }, only] {
            let call = said(&["192.0.2.1:1"], Some("http://192.0.2.9"), &network, Some(RelayFound::Open));
            assert_eq!(ids(&call), ["relay.refused", "direct", "no-way", "long"]);
        }
    }
}
