//! The relays that a node uses: its own, and those that invites name. A relay is known by its address, by the UDP port
//! where nodes learn their own public addresses, and by its certificate: one that the web trusts, or one with the
//! digest in the invite.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use iroh::tls::CaTlsConfig;
use iroh::{Endpoint, RelayConfig, RelayMap, RelayUrl};
use iroh_relay::RelayQuicConfig;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use sha2::{Digest, Sha256};

use crate::machine::tables::lock;
use outis_node::invite::Relay;

/// Most relays of other players at once, so that peers cannot make the node connect to arbitrarily many hosts; and most of
/// those hosts whose invites the person has accepted, so that the others at a table leave them room.
const MAX_FOREIGN: usize = 8;
const MAX_INVITED: usize = 8;
/// A relay of other players that was not needed for this long is forgotten.
const UNUSED: Duration = Duration::from_secs(30);

/// The relays of one endpoint.
#[derive(Default)]
pub struct Relays(Arc<Directory>);

/// The known relays, by address.
#[derive(Debug, Default)]
struct Directory(Mutex<BTreeMap<RelayUrl, Known>>);

#[derive(Debug)]
struct Known {
    relay: Relay,
    whose: Whose,
}

/// The party that named a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The person. Nobody else can change the entry.
    Ours,
    /// A lobby that the person chose.
    Lobby,
    /// A host whose invite the person has accepted; with the time when it was last needed.
    Host(Instant),
    /// Other players; with the same.
    Others(Instant),
}

/// Who names a relay of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A lobby that the person chose.
    Lobby,
    /// A host that is called for a seat.
    Host,
    /// A player at a table.
    Player,
}

impl Relays {
    /// Adds the person's own relays, which stay; an error is a message in English.
    pub fn own(&self, relays: impl IntoIterator<Item = Relay>) -> Result<RelayMap, String> {
        let map = RelayMap::empty();
        for relay in relays {
            let (url, config) = config(&relay).ok_or_else(|| format!("{} is not a relay", relay.url))?;
            map.insert(url.clone(), config);
            lock(&self.0.0).insert(url, Known { relay, whose: Whose::Ours });
        }
        Ok(map)
    }

    /// How the certificates of relays are checked.
    pub fn check(&self) -> CaTlsConfig {
        let directory = self.0.clone();
        CaTlsConfig::custom_server_cert_verifier(Arc::new(move |provider| {
            let usual = CaTlsConfig::embedded().server_cert_verifier(provider)?;
            Ok(Arc::new(Verifier { directory: directory.clone(), usual }))
        }))
    }

    /// As if nobody had needed any relay for a minute.
    #[cfg(test)]
    pub fn age(&self) {
        let long_ago = Instant::now().checked_sub(2 * UNUSED).unwrap();
        for known in lock(&self.0.0).values_mut() {
            if let Whose::Host(used) | Whose::Others(used) = &mut known.whose {
                *used = long_ago;
            }
        }
    }

    /// The known relay with this address.
    pub fn get(&self, url: &RelayUrl) -> Option<Relay> {
        lock(&self.0.0).get(url).map(|known| known.relay.clone())
    }

    /// Uses the relay of another node and returns its address. A lobby's relay stays for good, any other as long as it
    /// is needed.
    pub async fn add(&self, endpoint: &Endpoint, relay: &Relay, by: By) -> Option<RelayUrl> {
        let (url, config) = config(relay)?;
        if self.0.note(&url, relay, by)? {
            endpoint.insert_relay(url.clone(), config).await;
        }
        Some(url)
    }

    /// Forgets other players' relays that have not been needed for a while; `needed` lists those in use now.
    pub async fn keep(&self, endpoint: &Endpoint, needed: &BTreeSet<String>) {
        let mut gone = Vec::new();
        lock(&self.0.0).retain(|url, known| {
            let (Whose::Host(used) | Whose::Others(used)) = &mut known.whose else { return true };
            if needed.contains(&known.relay.url) {
                *used = Instant::now();
            }
            let stays = used.elapsed() < UNUSED;
            if !stays {
                gone.push(url.clone());
            }
            stays
        });
        for url in gone {
            endpoint.remove_relay(&url).await;
        }
    }
}

/// Whether there can be a relay with this address.
pub fn is_usable(relay: &Relay) -> bool {
    config(relay).is_some()
}

fn config(relay: &Relay) -> Option<(RelayUrl, Arc<RelayConfig>)> {
    let url: RelayUrl = relay.url.parse().ok()?;
    let discovery = (relay.discovery != 0).then(|| RelayQuicConfig::new(relay.discovery));
    Some((url.clone(), Arc::new(RelayConfig::new(url, discovery))))
}

impl Directory {
    /// Records what another node says about a relay. Returns whether iroh must learn of it; `None` if there are too
    /// many.
    ///
    /// Of the relays in its map, iroh makes the fastest its home. A person with their own relay is found there, so
    /// other players' relays never enter the map; iroh can use a relay that is not in it.
    fn note(&self, url: &RelayUrl, relay: &Relay, by: By) -> Option<bool> {
        let mut all = lock(&self.0);
        let is_guest = all.values().all(|known| known.whose != Whose::Ours);
        let whose = match by {
            By::Lobby => Whose::Lobby,
            By::Host => Whose::Host(Instant::now()),
            By::Player => Whose::Others(Instant::now()),
        };
        let count = |is_alike: fn(&Whose) -> bool| all.values().filter(|known| is_alike(&known.whose)).count();
        let has_room = match by {
            By::Lobby => true,
            By::Host => count(|whose| matches!(whose, Whose::Host(_))) < MAX_INVITED,
            By::Player => count(|whose| matches!(whose, Whose::Others(_))) < MAX_FOREIGN,
        };
        match all.get_mut(url) {
            Some(known) if known.whose == Whose::Ours => return Some(false),
            Some(known) => {
                // A host's stays a host's: the players at its table are there, too.
                match (&mut known.whose, by) {
                    (Whose::Lobby, _) => {}
                    (Whose::Host(used), By::Player) => *used = Instant::now(),
                    (known, _) => *known = whose,
                }
                // A fuller description replaces a bare address, but never a description that is already there.
                if known.relay.has_more() || !relay.has_more() {
                    return Some(false);
                }
                known.relay = relay.clone();
            }
            None if !has_room => return None,
            None => drop(all.insert(url.clone(), Known { relay: relay.clone(), whose })),
        }
        Some(is_guest)
    }

    /// Whether a certificate with this digest belongs to a relay on this host. On a host with a relay of the person's
    /// own, only that relay's digest counts.
    fn is_pinned(&self, host: &str, pin: [u8; 32]) -> bool {
        let all = lock(&self.0);
        let is_here = |url: &RelayUrl| url.host_str().is_some_and(|name| name.trim_matches(['[', ']']) == host);
        let here: Vec<&Known> = all.iter().filter(|(url, _)| is_here(url)).map(|(_, known)| known).collect();
        let is_ours = here.iter().any(|known| known.whose == Whose::Ours);
        here.iter().any(|known| known.relay.pin == Some(pin) && (!is_ours || known.whose == Whose::Ours))
    }
}

/// Accepts a certificate that is pinned for its host, or that the web trusts.
#[derive(Debug)]
struct Verifier {
    directory: Arc<Directory>,
    usual: Arc<dyn ServerCertVerifier>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.directory.is_pinned(&name.to_str(), Sha256::digest(certificate).into()) {
            return Ok(ServerCertVerified::assertion());
        }
        self.usual.verify_server_cert(certificate, chain, name, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pin applies to one host, and nothing else in the certificate is checked.
    #[test]
    fn a_certificate_is_taken_where_it_is_pinned() {
        let made = rcgen::generate_simple_self_signed(["other.example".to_owned()]).unwrap();
        let pin = Sha256::digest(made.cert.der()).into();
        let relays = Relays::default();
        let relay = Relay { pin: Some(pin), discovery: 7842, ..Relay::plain("http://192.0.2.1:3340") };
        relays.own([relay.clone()]).unwrap();
        let verifier = relays.check().server_cert_verifier(iroh::tls::default_provider()).unwrap();
        let check = |name: &str| {
            let name = ServerName::try_from(name.to_owned()).unwrap();
            verifier.verify_server_cert(made.cert.der(), &[], &name, &[], UnixTime::now()).is_ok()
        };
        assert!(check("192.0.2.1"));
        assert!(!check("192.0.2.2") && !check("other.example"));
        let other = rcgen::generate_simple_self_signed(["192.0.2.1".to_owned()]).unwrap();
        let name = ServerName::try_from("192.0.2.1").unwrap();
        assert!(verifier.verify_server_cert(other.cert.der(), &[], &name, &[], UnixTime::now()).is_err());
        assert_eq!(relays.get(&"http://192.0.2.1:3340".parse().unwrap()), Some(relay));
        assert!(relays.own([Relay::plain("not an address")]).is_err());
    }

    fn url(relay: &Relay) -> RelayUrl {
        relay.url.parse().unwrap()
    }

    /// Another player can neither replace nor strip the entry of the person's own relay, nor add a certificate for its
    /// host.
    #[test]
    fn nobody_else_writes_about_our_own_relay() {
        let relays = Relays::default();
        let ours = Relay::plain("https://relay.example");
        relays.own([ours.clone()]).unwrap();
        let claimed = Relay { discovery: 9, pin: Some([7; 32]), ..ours.clone() };
        assert_eq!(relays.0.note(&url(&claimed), &claimed, By::Player), Some(false));
        assert_eq!(relays.get(&url(&ours)), Some(ours));
        let beside = Relay { pin: Some([7; 32]), ..Relay::plain("https://relay.example:444") };
        assert_eq!(relays.0.note(&url(&beside), &beside, By::Player), Some(false), "and iroh does not hear of it");
        assert!(!relays.0.is_pinned("relay.example", [7; 32]));
    }

    /// The first description of another player's relay stays; naming a port does not remove a pin.
    #[test]
    fn a_pin_is_not_stripped() {
        let relays = Relays::default();
        let pinned = Relay { pin: Some([7; 32]), ..Relay::plain("https://relay.example") };
        let stripped = Relay { discovery: 9, pin: None, ..pinned.clone() };
        let plain = Relay::plain("https://relay.example");
        assert_eq!(relays.0.note(&url(&plain), &plain, By::Player), Some(true));
        assert_eq!(relays.0.note(&url(&pinned), &pinned, By::Player), Some(true));
        assert_eq!(relays.0.note(&url(&stripped), &stripped, By::Player), Some(false));
        assert_eq!(relays.get(&url(&plain)), Some(pinned));
        assert!(relays.0.is_pinned("relay.example", [7; 32]));
    }

    /// Other players can name a limited number of relays; a lobby's relay is accepted beyond the limit.
    #[test]
    fn there_is_an_end_of_relays() {
        let relays = Relays::default();
        let note = |i: usize, by| {
            let relay = Relay { pin: Some([i as u8; 32]), ..Relay::plain(format!("https://r{i}.example")) };
            relays.0.note(&url(&relay), &relay, by)
        };
        assert!((0..MAX_FOREIGN).all(|i| note(i, By::Player) == Some(true)));
        assert_eq!(note(99, By::Player), None);
        assert!(!relays.0.is_pinned("r99.example", [99; 32]), "what is not used is not believed either");
        assert_eq!(note(100, By::Lobby), Some(true));
        // The players at a table leave room for the host of an invite that the person has accepted.
        assert!((101..101 + MAX_INVITED).all(|i| note(i, By::Host) == Some(true)));
        assert_eq!(note(199, By::Host), None);
        assert_eq!((note(101, By::Player), note(98, By::Player)), (Some(false), None), "it stays the host's");
    }
}
