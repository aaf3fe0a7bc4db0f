//! A relay's certificates: its own, which it makes once and which players know by its digest, and certificates from
//! files.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha256};

use crate::exit::Failure;
use crate::machine::private_files::{make_private_dir, replace};
use crate::trouble::{Said, of_file};

/// A certificate with its key.
pub struct Own {
    /// The server configuration, with certificate and key.
    pub config: ServerConfig,
    /// The certificate's digest.
    pub pin: [u8; 32],
}

/// Reads the certificate in this folder; the first call makes it. Invites contain its digest, so it must never change.
pub fn keep(dir: &Path) -> Result<Own, Failure> {
    make_private_dir(dir).map_err(|error| Said(of_file(dir, &error)))?;
    let path = dir.join("certificate.pem");
    if !path.exists() {
        // A client that checks the digest ignores the name.
        let made = rcgen::generate_simple_self_signed(["relay.outis.invalid".to_owned()])
            .map_err(|error| format!("cannot make a certificate: {error}"))?;
        replace(&path, format!("{}{}", made.signing_key.serialize_pem(), made.cert.pem()).as_bytes())
            .map_err(|error| Said(of_file(&path, &error)))?;
    }
    read(&path, &path)
}

/// Reads a certificate and its key from files.
pub fn read(cert: &Path, key: &Path) -> Result<Own, Failure> {
    let wrong = |path: &Path, why: &dyn std::fmt::Display| Failure::from(format!("{}: {why}", path.display()));
    let chain = CertificateDer::pem_file_iter(cert).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|why| wrong(cert, &why))?;
    let first = chain.first().ok_or_else(|| wrong(cert, &"no certificate"))?;
    let pin = Sha256::digest(first).into();
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|why| wrong(key, &why))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|why| wrong(cert, &why))?.with_no_client_auth().with_single_cert(chain, secret);
    Ok(Own { config: config.map_err(|why| wrong(cert, &why))?, pin })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::scratch;

    #[test]
    fn a_relay_keeps_its_certificate() {
        let dir = scratch("certificate");
        let first = keep(&dir).unwrap().pin;
        assert_eq!(keep(&dir).unwrap().pin, first);
        assert_ne!(keep(&scratch("certificate-2")).unwrap().pin, first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(dir.join("certificate.pem")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::write(dir.join("certificate.pem"), b"nothing").unwrap();
        assert!(keep(&dir).is_err(), "a damaged one is not replaced: invites name it");
    }
}
