//! Tests that every store must pass. There is one suite, so that no engine has rules of its own.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::missing_panics_doc, reason = "a suite for tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::store::{Bucket, Expect, Part, Store, Trouble, blob_name};

/// Makes an empty store.
pub type Make<'a> = &'a dyn Fn() -> Box<dyn Store>;

/// Runs all tests.
pub fn all(make: Make<'_>) {
    streams(&*make());
    streams_are_independent(&*make());
    bells(&*make());
    values(&*make());
    values_end(&*make());
    lists(&*make());
    sweeping(&*make());
    sweeping_by_wrong_clocks(&*make());
    jobs(&*make());
    blobs(&*make());
    sizes(&*make());
}

fn streams(store: &dyn Store) {
    assert!(store.read("mail.a", 0, 10, 1_000).unwrap().is_empty());
    let first = store.append("mail.a", [1; 32], 1, b"one").unwrap();
    assert!(first > 0);
    let second = store.append("mail.a", [2; 32], 2, b"two").unwrap();
    assert!(second > first);
    // The same entry again, as after a lost answer.
    assert_eq!(store.append("mail.a", [2; 32], 3, b"two").unwrap(), second);
    let third = store.append("mail.a", [3; 32], 4, b"three").unwrap();
    assert!(third > second);
    assert_eq!(store.append("mail.a", [1; 32], 5, b"one").unwrap(), first, "however old it is");
    let all = store.read("mail.a", 0, 10, 1_000).unwrap();
    let expected = vec![(first, b"one".to_vec()), (second, b"two".to_vec()), (third, b"three".to_vec())];
    assert_eq!(all, expected);
    assert_eq!(store.read("mail.a", first, 1, 1_000).unwrap(), expected[1..2]);
    assert_eq!(store.read("mail.a", 0, 10, 0).unwrap(), expected[..1], "at least one");
    assert_eq!(store.read("mail.a", 0, 10, 7).unwrap(), expected[..2]);
    assert!(store.read("mail.a", third, 10, 1_000).unwrap().is_empty());
    assert!(store.read("mail.a", u64::MAX, 10, 1_000).unwrap().is_empty());
    store.trim("mail.a", second).unwrap();
    assert_eq!(store.read("mail.a", 0, 10, 1_000).unwrap(), expected[2..]);
    store.trim("mail.a", third).unwrap();
    assert!(store.read("mail.a", 0, 10, 1_000).unwrap().is_empty());
    let fourth = store.append("mail.a", [4; 32], 5, b"four").unwrap();
    assert!(fourth > third, "positions are never used again");
    assert!(store.append("mail.a", [1; 32], 6, b"one").unwrap() > fourth, "what was forgotten may come again");
}

fn streams_are_independent(store: &dyn Store) {
    for name in ["mail.a", "mail.aa", "mail.b", "results"] {
        assert!(store.append(name, [1; 32], 1, name.as_bytes()).unwrap() > 0);
    }
    for name in ["mail.a", "mail.aa", "mail.b", "results"] {
        let read = store.read(name, 0, 10, 1_000).unwrap();
        assert_eq!(read.iter().map(|(_, bytes)| &**bytes).collect::<Vec<_>>(), [name.as_bytes()]);
    }
    store.trim("mail.nobody", 7).unwrap();
}

fn bells(store: &dyn Store) {
    let rung = Arc::new(AtomicUsize::new(0));
    let count = rung.clone();
    store.listen(Box::new(move |stream| {
        if stream == "mail.a" {
            count.fetch_add(1, Ordering::SeqCst);
        }
    }));
    store.append("mail.b", [1; 32], 1, b"x").unwrap();
    store.append("mail.a", [1; 32], 1, b"x").unwrap();
    // An engine of several processes may call a moment later; reading is a way to wait without a clock.
    for _ in 0..2_000_000 {
        if rung.load(Ordering::SeqCst) > 0 {
            break;
        }
        core::hint::spin_loop();
        let _ = store.read("mail.a", 0, 1, 0);
    }
    assert!(rung.load(Ordering::SeqCst) >= 1);
}

fn values(store: &dyn Store) {
    let bucket = Bucket::Seats;
    let put = |bytes: &[u8], expect| store.put(bucket, b"k", bytes, expect, None, 0);
    assert_eq!(store.get(bucket, b"k", 0).unwrap(), None);
    assert_eq!(put(b"x", Expect::Revision(1)), Err(Trouble::Changed));
    let first = put(b"one", Expect::Absent).unwrap();
    assert_eq!(put(b"two", Expect::Absent), Err(Trouble::Changed));
    let second = put(b"two", Expect::Revision(first)).unwrap();
    assert!(second > first);
    assert_eq!(put(b"three", Expect::Revision(first)), Err(Trouble::Changed));
    let value = store.get(bucket, b"k", 0).unwrap().unwrap();
    assert_eq!((value.revision, &*value.bytes), (second, &b"two"[..]));
    assert!(put(b"three", Expect::Any).unwrap() > second);
    assert_eq!(store.get(Bucket::Notices, b"k", 0).unwrap(), None, "buckets are apart");
    assert!(store.delete(bucket, b"k").unwrap());
    assert!(!store.delete(bucket, b"k").unwrap());
    assert_eq!(store.get(bucket, b"k", 0).unwrap(), None);
    let again = put(b"four", Expect::Absent).unwrap();
    assert!(again > second, "a revision never comes back");
}

fn values_end(store: &dyn Store) {
    let bucket = Bucket::Presence;
    store.put(bucket, b"k", b"here", Expect::Absent, Some(100), 50).unwrap();
    assert!(store.get(bucket, b"k", 99).unwrap().is_some());
    assert!(store.get(bucket, b"k", 100).unwrap().is_none());
    assert!(store.list(bucket, b"", b"", 10, 100).unwrap().is_empty());
    store.put(bucket, b"k", b"again", Expect::Absent, Some(200), 150).unwrap();
    assert_eq!(store.get(bucket, b"k", 150).unwrap().unwrap().bytes, b"again");
}

fn lists(store: &dyn Store) {
    let bucket = Bucket::Shelf;
    for key in [&b"a1"[..], b"a2", b"a3", b"b1", b"a", &[0xff, 0xff, 1]] {
        store.put(bucket, key, key, Expect::Absent, None, 0).unwrap();
    }
    store.put(Bucket::Tables, b"a0", b"other", Expect::Absent, None, 0).unwrap();
    let list = |prefix: &[u8], after: &[u8], most| -> Vec<Vec<u8>> {
        let listed = store.list(bucket, prefix, after, most, 0).unwrap();
        assert!(listed.iter().all(|(key, value)| *key == value.bytes));
        listed.into_iter().map(|(key, _)| key).collect()
    };
    assert_eq!(list(b"a", b"", 9), [&b"a"[..], b"a1", b"a2", b"a3"]);
    assert_eq!(list(b"a", b"a1", 1), [b"a2"]);
    assert_eq!(list(b"a", b"a3", 9), Vec::<Vec<u8>>::new());
    assert_eq!(list(b"", b"", 9).len(), 6);
    assert_eq!(list(&[0xff], b"", 9), [vec![0xff, 0xff, 1]]);
    assert_eq!(list(b"", b"a3", 9), [b"b1".to_vec(), vec![0xff, 0xff, 1]]);
}

fn sweeping(store: &dyn Store) {
    store.put(Bucket::Presence, b"old", b"x", Expect::Any, Some(10), 0).unwrap();
    store.put(Bucket::Presence, b"new", b"x", Expect::Any, Some(99), 0).unwrap();
    store.put(Bucket::Shelf, b"ever", b"x", Expect::Any, None, 0).unwrap();
    store.append("mail.a", [1; 32], 5, b"old").unwrap();
    let new = store.append("mail.a", [2; 32], 20, b"new").unwrap();
    store.append("results", [1; 32], 5, b"kept").unwrap();
    store.sweep(50, 10).unwrap();
    assert!(store.get(Bucket::Presence, b"old", 0).unwrap().is_none());
    assert!(store.get(Bucket::Presence, b"new", 50).unwrap().is_some());
    assert!(store.get(Bucket::Shelf, b"ever", 50).unwrap().is_some());
    assert_eq!(store.read("mail.a", 0, 9, 99).unwrap(), [(new, b"new".to_vec())]);
    assert_eq!(store.read("results", 0, 9, 99).unwrap().len(), 1, "only letters grow old");
}

/// One process had a clock that was ahead: entries after its own expire all the same.
fn sweeping_by_wrong_clocks(store: &dyn Store) {
    let append = |n: u8, at| store.append("mail.a", [n; 32], at, &[n]).unwrap();
    for (n, at) in [(1, 5), (2, 900), (3, 6), (4, 800), (5, 7), (6, 20)] {
        append(n, at);
    }
    store.append("mail.b", [7; 32], 8, b"x").unwrap();
    store.append("mail.b", [8; 32], 21, b"y").unwrap();
    assert_eq!(store.sweep(50, 10).unwrap(), 4);
    let left = |stream| store.read(stream, 0, 9, 99).unwrap().into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>();
    assert_eq!(left("mail.a"), [vec![2], vec![4], vec![6]]);
    assert_eq!(left("mail.b"), [b"y".to_vec()]);
    assert_eq!(store.sweep(50, 10).unwrap(), 0);
}

fn jobs(store: &dyn Store) {
    assert_eq!(store.take(0, 10).unwrap(), None);
    store.push([1; 32], b"one").unwrap();
    store.push([1; 32], b"one").unwrap();
    store.push([2; 32], b"two").unwrap();
    assert_eq!(store.waiting().unwrap(), 2);
    let one = store.take(0, 100).unwrap().unwrap();
    let two = store.take(0, 100).unwrap().unwrap();
    assert_eq!((&*one.bytes, &*two.bytes), (&b"one"[..], &b"two"[..]));
    assert_eq!(store.take(0, 100).unwrap(), None);
    assert!(store.done(two.id, two.attempt).unwrap());
    assert!(!store.done(two.id, two.attempt).unwrap(), "done is done");
    // The verifier that took the first job is gone: another gets it, and the first is too late.
    let again = store.take(100, 200).unwrap().unwrap();
    assert_eq!((again.id, &*again.bytes), (one.id, &b"one"[..]));
    assert!(again.attempt > one.attempt);
    assert!(!store.done(one.id, one.attempt).unwrap());
    assert!(store.done(again.id, again.attempt).unwrap());
    assert_eq!((store.take(1_000, 2_000).unwrap(), store.waiting().unwrap()), (None, 0));
    store.push([1; 32], b"one").unwrap();
    assert!(store.take(1_000, 2_000).unwrap().is_some(), "the same work may come again");
}

fn blobs(store: &dyn Store) {
    let large: Vec<u8> = (0..3u32 << 18).flat_map(u32::to_le_bytes).collect();
    let name = store.put_blob(&large).unwrap();
    assert_eq!(name, blob_name(&large));
    assert_eq!(store.put_blob(&large).unwrap(), name);
    let part = |offset, most| {
        let part = store.part(&name, offset, most).unwrap().unwrap();
        assert_eq!(part.total, large.len());
        part.bytes
    };
    assert!(part(0, usize::MAX) == large, "all of it");
    // From any position, across any boundary, and never more than requested.
    for offset in [0, 1, (256 << 10) - 1, (512 << 10) - 3, (1 << 20) + 77, large.len() - 2] {
        for most in [1, 2, 256 << 10, 700 << 10] {
            let end = large.len().min(offset + most);
            assert!(part(offset, most) == large[offset..end], "{most} bytes from {offset} on");
        }
    }
    assert!(part(large.len(), 9).is_empty() && part(usize::MAX, 9).is_empty() && part(0, 0).is_empty());
    assert_eq!(store.part(&[0; 32], 0, 9).unwrap(), None);
    assert_eq!(store.put_blob(b"").unwrap(), blob_name(b""));
    assert_eq!(store.part(&blob_name(b""), 0, 9).unwrap(), Some(Part { total: 0, bytes: Vec::new() }));
}

fn sizes(store: &dyn Store) {
    let huge = vec![0; crate::store::MAX_VALUE + 1];
    let too_large = Trouble::TooLarge(huge.len());
    assert_eq!(store.append("mail.a", [1; 32], 0, &huge), Err(too_large.clone()));
    assert_eq!(store.put(Bucket::Shelf, b"k", &huge, Expect::Any, None, 0), Err(too_large.clone()));
    assert_eq!(store.push([0; 32], &huge), Err(too_large));
    assert!(store.append("mail.a", [1; 32], 0, &huge[1..]).is_ok());
}
