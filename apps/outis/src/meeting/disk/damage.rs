//! Damaged files: each gives a clear error or a working store, and never crashes the program.

use std::path::{Path, PathBuf};

use outis_meeting::store::{Bucket, Expect, Store};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{Disk, Unopened};
use crate::scratch::scratch;

/// A store with content of every kind, as a lobby leaves it when it closes.
fn filled(name: &str) -> (PathBuf, Vec<u8>) {
    let dir = scratch(name);
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("store");
    let disk = Disk::open(&path).unwrap();
    for n in 0..40u8 {
        disk.append("mail.a", [n; 32], 1, &[n; 900]).unwrap();
        disk.put(Bucket::Notices, &[n], &[n; 300], Expect::Absent, None, 0).unwrap();
    }
    disk.put_blob(&vec![7; 600_000]).unwrap();
    drop(disk);
    // The writer thread holds the file a moment longer.
    let again = loop {
        match Disk::open(&path) {
            Ok(disk) => break disk,
            Err(Unopened::Failing(..)) => std::thread::sleep(std::time::Duration::from_millis(5)),
            Err(damaged) => panic!("{damaged}"),
        }
    };
    let bytes = std::fs::read(&path).unwrap();
    drop(again);
    (path, bytes)
}

fn opened_with(path: &Path, bytes: &[u8], n: usize) -> Result<Disk, Unopened> {
    let copy = path.with_file_name(format!("copy-{n}"));
    std::fs::write(&copy, bytes).unwrap();
    let opened = Disk::open(&copy);
    // An open file stays usable after it is removed.
    let _ = std::fs::remove_file(&copy);
    opened
}

#[test]
fn a_file_that_was_cut_off_is_said_to_be_damaged() {
    let (path, bytes) = filled("disk-cut");
    assert!(bytes.len() > 500_000, "{}", bytes.len());
    for (n, length) in [100, 4_096, 9_000, 50_000, 500_000, bytes.len() - 1].into_iter().enumerate() {
        match opened_with(&path, &bytes[..length], n) {
            Err(why @ Unopened::Damaged(..)) => {
                let said = why.to_string();
                assert!(said.contains("is damaged; restore it from a backup"), "{length}: {said}");
            }
            Err(other) => panic!("{length}: {other}"),
            Ok(_) => panic!("{length} of {} bytes were opened", bytes.len()),
        }
    }
}

#[test]
fn noise_in_a_file_is_an_error_and_never_a_panic() {
    let (path, bytes) = filled("disk-noise");
    let mut rng = StdRng::seed_from_u64(7);
    let mut damaged = 0;
    for n in 0..24 {
        let mut noisy = bytes.clone();
        // Overwrites the header of the file, or some bytes elsewhere.
        let (at, length) = match n {
            0 => (0, 320),
            n if n % 3 == 0 => (64 + 8 * n, 8),
            _ => (rng.random_range(0..bytes.len() - 40_000), 40_000),
        };
        rng.fill(&mut noisy[at..at + length]);
        match opened_with(&path, &noisy, n) {
            Err(Unopened::Damaged(..)) => damaged += 1,
            Err(Unopened::Failing(..)) => {}
            // The damaged part is read later or never; then that request fails.
            Ok(disk) => {
                let _ = disk.read("mail.a", 0, 100, usize::MAX);
                let _ = disk.list(Bucket::Notices, b"", b"", 100, 0);
                let _ = disk.append("mail.a", [77; 32], 1, b"more");
                let _ = disk.sweep(5, 5);
            }
        }
    }
    assert!(damaged > 0);
}
