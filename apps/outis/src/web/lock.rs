//! The lock of the page (PAGE-1): a key that is new in each run and is never sent over the network. A page proves that
//! it knows the key by a keyed hash over a nonce of this run, the host it believes it is talking to, and the path it
//! requests. So a program that gets the port after this one has ended learns nothing that opens anything.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::guard;
use crate::machine::tables::lock;
use crate::random;
use outis_node::names::{hex, unhex};

/// How long a nonce is valid.
const GOOD: Duration = Duration::from_secs(60);
const NONCE: usize = 40;

/// The key of one run.
pub struct Lock {
    token: Zeroizing<String>,
    /// The key for nonces: nobody else can make one, and none has to be stored before it is used.
    seal: Zeroizing<[u8; 32]>,
    began: Instant,
    used: Mutex<VecDeque<(u64, [u8; NONCE])>>,
}

impl Lock {
    /// Makes a new key.
    pub fn new() -> Self {
        let token = Zeroizing::new(hex(&*Zeroizing::new(random::bytes::<16>())));
        Self { token, seal: Zeroizing::new(random::bytes()), began: Instant::now(), used: Mutex::default() }
    }

    /// The key as 32 hexadecimal digits, only for the page of the person who started the program.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// A nonce for a proof. It is valid once, for a minute.
    pub fn nonce(&self) -> String {
        let mut nonce = [0u8; NONCE];
        nonce[..16].copy_from_slice(&random::bytes::<16>());
        nonce[16..24].copy_from_slice(&self.now().to_le_bytes());
        let tag = self.tag(&nonce);
        nonce[24..].copy_from_slice(&tag);
        hex(&nonce)
    }

    /// Whether a request proves knowledge of the key: `Authorization: Outis NONCE.PROOF`.
    pub fn opens(&self, headers: &HeaderMap, path: &str) -> bool {
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        shown.and_then(|value| value.strip_prefix("Outis ")).is_some_and(|shown| self.is_proved(shown, headers, path))
    }

    /// Whether `NONCE.PROOF` proves the key to the host of a request. A nonce that did is spent.
    pub fn is_proved(&self, shown: &str, headers: &HeaderMap, path: &str) -> bool {
        let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let Some((nonce, proof)) = shown.split_once('.') else { return false };
        let Some(bytes) = unhex(nonce).and_then(|bytes| <[u8; NONCE]>::try_from(bytes).ok()) else { return false };
        let (now, made) = (self.now(), bytes[16..24].try_into().map_or(0, u64::from_le_bytes));
        let is_ours = guard::same(&hex(&bytes[24..]), &hex(&self.tag(&bytes)));
        let is_fresh = made <= now && now - made < GOOD.as_millis() as u64;
        let good = prove(&self.token, &host.to_ascii_lowercase(), nonce, path);
        if !is_ours || !is_fresh || !guard::same(proof, &good) {
            return false;
        }
        let mut used = lock(&self.used);
        used.retain(|(at, _)| now.saturating_sub(*at) < GOOD.as_millis() as u64);
        let is_new = used.iter().all(|(_, known)| *known != bytes);
        if is_new {
            used.push_back((made, bytes));
        }
        is_new
    }

    fn tag(&self, nonce: &[u8; NONCE]) -> [u8; 16] {
        let mut tag = [0u8; 16];
        tag.copy_from_slice(&hmac(&*self.seal, &nonce[..24])[..16]);
        tag
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }
}

/// The page's proof: HMAC-SHA256 under the bytes of the token, over the lines version, host, nonce and path.
fn prove(token: &str, host: &str, nonce: &str, path: &str) -> String {
    let key = Zeroizing::new(unhex(token).unwrap_or_default());
    hex(&hmac(&key, format!("outis.2\n{host}\n{nonce}\n{path}").as_bytes()))
}

/// HMAC-SHA256 (RFC 2104), for keys of at most one block.
fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let pad = |with: u8| {
        let mut block = Zeroizing::new([with; 64]);
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new().chain_update(*pad(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(*pad(0x5c)).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn hmac_is_that_of_the_standard() {
        // RFC 4231, cases 1 and 2.
        let cases: [(&[u8], &[u8], &str); 2] = [
            (&[0x0b; 20], b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
        ];
        for (key, message, mac) in cases {
            assert_eq!(hex(&hmac(key, message)), mac);
        }
    }

    #[test]
    fn a_proof_opens_once_one_door_of_one_host_in_one_run() {
        let (lock, other) = (Lock::new(), Lock::new());
        let host = |name: &'static str| HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(name))]);
        let here = host("127.0.0.1:7457");
        let nonce = lock.nonce();
        let shown = format!("{nonce}.{}", prove(lock.token(), "127.0.0.1:7457", &nonce, "/ws"));
        assert!(!shown.contains(lock.token()));
        assert!(!lock.is_proved(&shown, &host("localhost:7457"), "/ws"), "another host");
        assert!(!lock.is_proved(&shown, &here, "/api/log/x"), "another door");
        assert!(!other.is_proved(&shown, &here, "/ws"), "another run");
        assert!(lock.is_proved(&shown, &here, "/ws"));
        assert!(!lock.is_proved(&shown, &here, "/ws"), "again");
        // A nonce that another program invented, and a nonce of another run with the right key.
        for nonce in ["00".repeat(NONCE), other.nonce()] {
            let proof = prove(lock.token(), "127.0.0.1:7457", &nonce, "/ws");
            assert!(!lock.is_proved(&format!("{nonce}.{proof}"), &here, "/ws"));
        }
        let nonce = lock.nonce();
        let wrong = format!("{nonce}.{}", prove(other.token(), "127.0.0.1:7457", &nonce, "/ws"));
        assert!(!lock.is_proved(&wrong, &here, "/ws"));
        for bad in ["", ".", "x.y", &nonce] {
            assert!(!lock.is_proved(bad, &here, "/ws"), "{bad}");
        }
    }
}
