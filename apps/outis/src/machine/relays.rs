//! Relays that a node uses: its own, and those that invites name. Each is known by its address, by the UDP port where it tells
//! nodes how they are seen, and by its certificate: one that the web trusts, or one with the digest of the invite.

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
use crate::node::invite::Relay;

/// Most relays of others at once; a peer cannot make us call at more places.
const MAX_FOREIGN: usize = 8;
/// A relay that nobody needed for so long is forgotten.
const UNUSED: Duration = Duration::from_secs(30);

/// The relays of one endpoint.
#[derive(Default)]
pub struct Relays {
    pins: Arc<Pins>,
    known: Mutex<BTreeMap<RelayUrl, Known>>,
}

struct Known {
    relay: Relay,
    /// When it was last needed; `None`: it stays.
    used: Option<Instant>,
}

impl Relays {
    /// Relays of our own; they stay. An error in words.
    pub fn own(&self, relays: impl IntoIterator<Item = Relay>) -> Result<RelayMap, String> {
        let map = RelayMap::empty();
        for relay in relays {
            let (url, config) = self.config(&relay).ok_or_else(|| format!("{} is not a relay", relay.url))?;
            map.insert(url.clone(), config);
            lock(&self.known).insert(url, Known { relay, used: None });
        }
        Ok(map)
    }

    /// How the certificates of relays are checked.
    pub fn check(&self) -> CaTlsConfig {
        let pins = self.pins.clone();
        CaTlsConfig::custom_server_cert_verifier(Arc::new(move |provider| {
            let usual = CaTlsConfig::embedded().server_cert_verifier(provider)?;
            Ok(Arc::new(Verifier { pins: pins.clone(), usual }))
        }))
    }

    /// What is known of the relay with this address.
    pub fn get(&self, url: &RelayUrl) -> Relay {
        lock(&self.known).get(url).map_or_else(|| Relay::plain(url.to_string()), |known| known.relay.clone())
    }

    /// Uses the relay of another node, and says its address; for as long as it is needed, or, if it `stays`, for good.
    pub async fn add(&self, endpoint: &Endpoint, relay: &Relay, stays: bool) -> Option<RelayUrl> {
        let (url, config) = self.config(relay)?;
        let used = (!stays).then(Instant::now);
        {
            let mut known = lock(&self.known);
            let foreign = known.values().filter(|known| known.used.is_some()).count();
            match known.get_mut(&url) {
                Some(known) => {
                    known.used = known.used.and(used);
                    // What tells more replaces what tells less; what contradicts it does not.
                    if known.relay.discovery != 0 || relay.discovery == 0 {
                        return Some(url);
                    }
                    known.relay = relay.clone();
                }
                None if foreign >= MAX_FOREIGN => return None,
                None => drop(known.insert(url.clone(), Known { relay: relay.clone(), used })),
            }
        }
        endpoint.insert_relay(url.clone(), config).await;
        Some(url)
    }

    /// Forgets relays of others that were not needed for a while; these are needed now.
    pub async fn keep(&self, endpoint: &Endpoint, needed: &BTreeSet<String>) {
        let mut gone = Vec::new();
        lock(&self.known).retain(|url, known| {
            let Some(used) = &mut known.used else { return true };
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

    fn config(&self, relay: &Relay) -> Option<(RelayUrl, Arc<RelayConfig>)> {
        let url: RelayUrl = relay.url.parse().ok()?;
        if let Some(pin) = relay.pin {
            lock(&self.pins.0).insert((url.host_str()?.trim_matches(['[', ']']).to_owned(), pin));
        }
        let discovery = (relay.discovery != 0).then(|| RelayQuicConfig::new(relay.discovery));
        Some((url.clone(), Arc::new(RelayConfig::new(url, discovery))))
    }
}

/// Certificates that relays made themselves: host and digest.
#[derive(Debug, Default)]
struct Pins(Mutex<BTreeSet<(String, [u8; 32])>>);

/// Takes a certificate that is pinned for its host, or that the web trusts.
#[derive(Debug)]
struct Verifier {
    pins: Arc<Pins>,
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
        let pin: [u8; 32] = Sha256::digest(certificate).into();
        if lock(&self.pins.0).contains(&(name.to_str().into_owned(), pin)) {
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

    /// A pin is for one host, and nothing else of a certificate is looked at.
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
        assert_eq!(relays.get(&"http://192.0.2.1:3340".parse().unwrap()), relay);
        assert!(relays.own([Relay::plain("not an address")]).is_err());
    }
}
