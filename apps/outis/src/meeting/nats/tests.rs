//! The store on real NATS servers.

#[path = "../../../tests/common/cluster.rs"]
mod cluster;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use outis_meeting::store::{Bucket, Expect, Store, Trouble};

use self::cluster::{Cluster, until};
use super::*;
use crate::meeting::config;

fn setup(servers: Vec<String>, space: &str) -> config::Cluster {
    config::Cluster { servers, space: space.to_owned(), room: 64, ..config::Cluster::default() }
}

fn ready(setup: &config::Cluster) -> Arc<Nats> {
    let nats = Arc::new(Nats::open(setup).unwrap());
    until("the engine does not get ready", || nats.hindrance().is_none());
    nats
}

/// Repeats a call until the engine accepts it, as players' programs do.
fn insist<T>(mut attempt: impl FnMut() -> Result<T, Trouble>) -> T {
    let began = Instant::now();
    loop {
        match attempt() {
            Ok(done) => return done,
            Err(Trouble::Failing(why)) => assert!(began.elapsed() < cluster::LONG, "{why}"),
            Err(other) => panic!("{other}"),
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn id(writer: u8, n: u32) -> Name {
    let mut id = [writer; 32];
    id[..4].copy_from_slice(&n.to_le_bytes());
    id
}

/// All entries of a stream.
fn all(nats: &Nats, stream: &str) -> Vec<(u64, Vec<u8>)> {
    let mut all: Vec<(u64, Vec<u8>)> = Vec::new();
    loop {
        let after = all.last().map_or(0, |(position, _)| *position);
        let more = insist(|| nats.read(stream, after, 500, usize::MAX));
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

/// How many steps of a counter succeeded, and how many have an unknown outcome.
#[derive(Default)]
struct Steps {
    done: AtomicU64,
    unknown: AtomicU64,
}

/// Increments a counter that all threads share: no step may be lost or made twice.
fn step(nats: &Nats, steps: &Steps) {
    let Ok(known) = nats.get(Bucket::Quota, b"counter", 0) else { return };
    let count = known.as_ref().map_or(0, |known| u64::from_le_bytes(known.bytes[..].try_into().unwrap()));
    let expect = known.map_or(Expect::Absent, |known| Expect::Revision(known.revision));
    match nats.put(Bucket::Quota, b"counter", &(count + 1).to_le_bytes(), expect, None, 0) {
        Ok(_) => steps.done.fetch_add(1, Ordering::SeqCst),
        Err(Trouble::Changed) => 0,
        Err(_) => steps.unknown.fetch_add(1, Ordering::SeqCst),
    };
}

/// Threads that write to three mailboxes, claim seats and take jobs, until they are stopped.
struct Load {
    stop: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
    steps: Arc<Steps>,
    threads: Vec<std::thread::JoinHandle<BTreeMap<Name, (String, u64)>>>,
}

impl Load {
    fn start(nats: &Arc<Nats>, first: u8) -> Self {
        let (stop, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let steps = Arc::new(Steps::default());
        let writer = |writer: u8| {
            let (nats, stop, acknowledged, steps) = (nats.clone(), stop.clone(), acknowledged.clone(), steps.clone());
            std::thread::spawn(move || {
                let mut taken = BTreeMap::new();
                for n in 0.. {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    let (stream, id) = (format!("mail.{}", n % 3), id(writer, n));
                    let bytes = [&id[..], &[writer], &n.to_le_bytes()].concat();
                    // If it is refused or not answered, the same again.
                    while !stop.load(Ordering::SeqCst) {
                        if let Ok(position) = nats.append(&stream, id, n.into(), &bytes) {
                            taken.insert(id, (stream, position));
                            acknowledged.fetch_add(1, Ordering::SeqCst);
                            break;
                        }
                        std::thread::sleep(Duration::from_millis(20));
                    }
                    step(&nats, &steps);
                }
                taken
            })
        };
        let threads = (first..first + 3).map(writer).collect();
        Self { stop, acknowledged, steps, threads }
    }

    /// Waits until this many more entries are confirmed.
    fn more(&self, n: usize) {
        let wanted = self.acknowledged.load(Ordering::SeqCst) + n;
        until("nothing goes on", || self.acknowledged.load(Ordering::SeqCst) >= wanted);
    }

    /// Stops, and checks that every confirmed entry is stored once, at its reported position.
    fn check(self, nats: &Nats) -> usize {
        self.stop.store(true, Ordering::SeqCst);
        let taken: BTreeMap<Name, (String, u64)> =
            self.threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        let (mut seen, mut found) = (BTreeSet::new(), BTreeMap::new());
        for stream in ["mail.0", "mail.1", "mail.2"] {
            let entries = all(nats, stream);
            assert!(entries.is_sorted_by(|a, b| a.0 < b.0));
            for (position, bytes) in entries {
                let id: Name = bytes[..32].try_into().unwrap();
                assert!(seen.insert(id), "twice");
                found.insert(id, (stream.to_owned(), position));
            }
        }
        for (id, at) in &taken {
            assert_eq!(found.get(id), Some(at), "acknowledged and lost");
        }
        taken.len()
    }
}

#[test]
fn nats_passes_the_suite() {
    let cluster = Cluster::three("suite");
    let (servers, count) = (cluster.servers(), AtomicUsize::new(0));
    outis_meeting::suite::all(&|| {
        let n = count.fetch_add(1, Ordering::SeqCst);
        let nats = Nats::open(&setup(servers.clone(), &format!("suite{n}"))).unwrap();
        until("the engine does not get ready", || nats.hindrance().is_none());
        Box::new(nats)
    });
}

/// Six threads on two processes do the same thing at the same time.
fn together<T: Send>(doors: &[Arc<Nats>; 2], work: impl Fn(&Nats, u8) -> T + Sync) -> Vec<T> {
    let (start, work) = (&Barrier::new(6), &work);
    std::thread::scope(|scope| {
        let one = |t: u8| {
            let nats = &doors[usize::from(t % 2)];
            scope.spawn(move || {
                start.wait();
                work(nats, t)
            })
        };
        let threads: Vec<_> = (0..6).map(one).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn of_what_comes_together_one_is_kept() {
    let cluster = Cluster::three("once");
    let setup = setup(cluster.servers(), "once");
    let doors = [ready(&setup), ready(&setup)];
    let key = b"seat";
    let put = |nats: &Nats, t: u8, expect| nats.put(Bucket::Seats, key, &[t], expect, None, 0);
    for n in 0..30 {
        let known = insist(|| doors[0].get(Bucket::Seats, key, 0));
        let expect = known.map_or(Expect::Absent, |known| Expect::Revision(known.revision));
        let won = together(&doors, |nats, t| put(nats, t, expect));
        assert_eq!(won.iter().filter(|won| won.is_ok()).count(), 1, "{won:?} in round {n}");
        let kept = insist(|| doors[1].get(Bucket::Seats, key, 0)).unwrap();
        assert_eq!(won[usize::from(kept.bytes[0])], Ok(kept.revision), "who was told so has it");
        if n % 10 == 9 {
            assert!(doors[0].delete(Bucket::Seats, key).unwrap());
        }
        let positions = together(&doors, |nats, _| nats.append("mail.a", id(0, n), 0, b"letter").unwrap());
        assert!(positions.iter().all(|position| *position == positions[0]), "{positions:?} in round {n}");
    }
    assert_eq!(all(&doors[0], "mail.a").len(), 30);
}

#[test]
fn a_change_whose_answer_was_lost_counts_once() {
    let cluster = Cluster::three("twice");
    let nats = ready(&setup(cluster.servers(), "twice"));
    let Shared { link, names, .. } = &*nats.shared;
    let (subject, bytes) = (&*names.value(Some(Bucket::Seats), b"k"), &*Stored::write(None, b"x"));
    let publish = |expected, id, call| {
        let post = Post { subject, bytes, expected: Some(expected), id: Some(id), call: Some(call), deletes: false };
        nats.run(link.insist(|| link.publish(&post)))
    };
    let (first, new) = publish(0, "a", "call-a").unwrap();
    assert!(!new && [Ok((first, true)), Err(Trouble::Changed)].contains(&publish(0, "a", "call-a")));
    let (second, _) = publish(first, "b", "call-b").unwrap();
    assert!([Ok((second, true)), Err(Trouble::Changed)].contains(&publish(first, "b", "call-b")));
    // Either way it is recognised as this call's own.
    let last = nats.run(link.last(&names.values, subject)).unwrap().unwrap();
    assert!(last.sequence == second && last.is_of("call-b") && !last.is_of("call-a"));
    assert_eq!(nats.put(Bucket::Seats, b"k", b"y", Expect::Revision(first), None, 0), Err(Trouble::Changed));
    assert_eq!(nats.put(Bucket::Seats, b"k", b"y", Expect::Revision(0), None, 0), Err(Trouble::Changed));
    assert!(nats.put(Bucket::Seats, b"k", b"y", Expect::Revision(second), None, 0).is_ok());
}

/// Two processes see each other's changes.
#[test]
fn two_processes_share_one_engine() {
    let cluster = Cluster::three("two");
    let setup = setup(cluster.servers(), "two");
    let (one, other) = (ready(&setup), ready(&setup));
    let rung = Arc::new(AtomicUsize::new(0));
    let count = rung.clone();
    other.listen(Box::new(move |stream| {
        count.fetch_add(usize::from(stream == "mail.a"), Ordering::SeqCst);
    }));
    let position = one.append("mail.a", [1; 32], 1, b"letter").unwrap();
    assert_eq!(other.append("mail.a", [1; 32], 1, b"letter").unwrap(), position, "once, whoever is asked");
    assert_eq!(other.read("mail.a", 0, 9, 99).unwrap(), [(position, b"letter".to_vec())]);
    until("the bell does not ring", || rung.load(Ordering::SeqCst) > 0);

    one.put(Bucket::Notices, b"n", b"notice", Expect::Absent, Some(100), 0).unwrap();
    assert!(other.get(Bucket::Notices, b"n", 0).unwrap().is_some(), "at once");
    until("a list does not follow", || other.list(Bucket::Notices, b"", b"", 9, 0).unwrap().len() == 1);
    assert!(other.delete(Bucket::Notices, b"n").unwrap());
    until("a list does not follow", || one.list(Bucket::Notices, b"", b"", 9, 0).unwrap().is_empty());
    one.put(Bucket::Notices, b"n", b"again", Expect::Absent, Some(100), 0).unwrap();

    // Eight threads on two processes want the same seat.
    let threads: Vec<_> = (0..8u8)
        .map(|n| {
            let nats = if n % 2 == 0 { one.clone() } else { other.clone() };
            std::thread::spawn(move || nats.put(Bucket::Seats, b"seat", &[n], Expect::Absent, None, 0).is_ok())
        })
        .collect();
    assert_eq!(threads.into_iter().map(|thread| thread.join().unwrap()).filter(|won| *won).count(), 1);

    one.push([1; 32], b"work").unwrap();
    other.push([1; 32], b"work").unwrap();
    until("the queue does not follow", || other.waiting().unwrap() == 1);
    let jobs = [&one, &other].map(|nats| nats.take(0, 100).unwrap());
    assert_eq!(jobs.iter().flatten().count(), 1, "{jobs:?}");
    let job = jobs.into_iter().flatten().next().unwrap();
    until("a job is not known at the other", || other.done(job.id, job.attempt).unwrap());
    let log = one.put_blob(&[7; 700_000]).unwrap();
    assert_eq!(other.part(&log, 600_000, 999_999).unwrap().unwrap().bytes.len(), 100_000);
}

/// The engine has lost its last changes, or an operator has deleted and recreated the streams: its numbers start again
/// while processes know later ones.
#[test]
fn what_the_engine_has_lost_is_not_shown_for_ever() {
    let cluster = Cluster::three("lost");
    let nats = ready(&setup(cluster.servers(), "lost"));
    let Shared { link, names, .. } = &*nats.shared;
    let rung = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let count = rung.clone();
    nats.listen(Box::new(move |stream| {
        count[usize::from(stream.is_empty())].fetch_add(1, Ordering::SeqCst);
    }));
    for n in 0..20u8 {
        insist(|| nats.put(Bucket::Notices, &[n], b"ghost", Expect::Any, None, 0));
        insist(|| nats.append("mail.a", [n; 32], 0, b"letter"));
    }
    insist(|| nats.push([1; 32], b"lost"));
    until("the bell does not ring", || rung[0].load(Ordering::SeqCst) >= 20);
    until("the list does not follow", || {
        nats.list(Bucket::Notices, b"", b"", 99, 0).is_ok_and(|list| list.len() == 20)
    });
    for stream in [&names.values, &names.log] {
        let gone = || async { Ok(link.ask(format!("STREAM.DELETE.{stream}"), json!({})).await) };
        until("it stays", || nats.run(gone()).is_ok_and(|done| matches!(done, Ok(_) | Err(Fail::NoStream))));
    }
    // A list may fail while the streams are created again.
    let list = || nats.list(Bucket::Notices, b"", b"", 99, 0).unwrap_or_default();
    until("ghosts are shown", || nats.list(Bucket::Notices, b"", b"", 99, 0).is_ok_and(|list| list.is_empty()));
    insist(|| nats.put(Bucket::Notices, b"new", b"new", Expect::Any, None, 0));
    until("what is new is not shown", || list().len() == 1);
    insist(|| nats.push([2; 32], b"work"));
    let taken = || nats.take(0, 100).is_ok_and(|job| job.is_some_and(|job| job.bytes == b"work"));
    until("there is no work", taken);
    until("nobody is told", || rung[1].load(Ordering::SeqCst) > 0);
    insist(|| nats.append("mail.a", [1; 32], 0, b"again"));
}

/// Lists are answered while all values are read again, and nothing else stops meanwhile.
#[test]
fn lists_do_not_wait_for_what_was_read_before() {
    let cluster = Cluster::three("anew");
    let nats = ready(&setup(cluster.servers(), "anew"));
    insist(|| nats.put(Bucket::Notices, b"n", b"notice", Expect::Any, None, 0));
    until("it does not read", || lock(&nats.shared.mirror).is_complete());
    lock(&nats.shared.mirror).lost();
    assert_eq!(insist(|| nats.list(Bucket::Notices, b"", b"", 9, 0)).len(), 1);
    // A call that needs all values waits and then fails; that does not mark the engine as failing.
    lock(&nats.shared.mirror).forget();
    let never = nats.run(nats.shared.wait_for(|_| false));
    assert!(matches!(never, Err(Trouble::Failing(_))), "{never:?}");
    assert!(nats.hindrance().is_none_or(|why| !why.contains("still reading")));
    until("it does not read anew", || nats.list(Bucket::Notices, b"", b"", 9, 0).is_ok_and(|list| list.len() == 1));
}

/// A stream that another program created, with properties that break the guarantees made here.
#[test]
fn a_stream_of_another_nature_is_not_taken() {
    let cluster = Cluster::three("nature");
    let good = ready(&setup(cluster.servers(), "nature"));
    let config = json!({
        "name": "KV_odd", "subjects": ["$KV.odd.>"], "storage": "file", "max_msgs_per_subject": 5, "discard": "new",
        "num_replicas": 3, "duplicate_window": 120_000_000_000u64,
    });
    let link = &good.shared.link;
    good.run(link.insist(|| link.ask("STREAM.CREATE.KV_odd".to_owned(), config.clone()))).unwrap();
    let nats = Nats::open(&setup(cluster.servers(), "odd")).unwrap();
    until("it is taken", || nats.hindrance().is_some_and(|why| why.contains("max_msgs_per_subject")));
    assert!(matches!(nats.append("mail.a", [1; 32], 0, b"x"), Err(Trouble::Failing(_))));
}

#[test]
fn a_server_is_killed_under_load_and_comes_back() {
    let mut cluster = Cluster::three("kill");
    let nats = ready(&setup(cluster.servers(), "kill"));
    let load = Load::start(&nats, 1);
    load.more(100);
    for i in 0..2 {
        cluster.kill(i);
        // A new leader takes over, and two servers continue.
        load.more(100);
        cluster.start(i);
        load.more(100);
        // The next server is killed only when this one has caught up, or two would be missing.
        until("it does not catch up", || in_step(&nats));
    }
    let steps = load.steps.clone();
    let taken = load.check(&nats);
    assert!(taken >= 500, "{taken}");
    let counter = insist(|| nats.get(Bucket::Quota, b"counter", 0)).unwrap();
    let counted = u64::from_le_bytes(counter.bytes[..].try_into().unwrap());
    let (done, unknown) = (steps.done.load(Ordering::SeqCst), steps.unknown.load(Ordering::SeqCst));
    assert!((done..=done + unknown).contains(&counted), "{counted} of {done} and {unknown}");
}

/// Whether all servers have everything.
fn in_step(nats: &Nats) -> bool {
    let Shared { link, names, .. } = &*nats.shared;
    names.streams(3, 0).iter().all(|stream| {
        let followers = nats.run(link.followers(stream.name));
        followers.is_ok_and(|followers| followers.len() == 2 && followers.iter().all(|in_step| *in_step))
    })
}

#[test]
fn a_torn_network_heals() {
    let cluster = Cluster::three("torn");
    let doors = cluster.servers();
    let all_doors = ready(&setup(doors.clone(), "torn"));
    // One process knows only the server that will be cut off, the other only the remaining two.
    let (cut, kept) = (ready(&setup(doors[..1].to_vec(), "torn")), ready(&setup(doors[1..].to_vec(), "torn")));
    let (few, many) = (Load::start(&cut, 1), Load::start(&kept, 11));
    few.more(50);
    many.more(50);
    cluster.tear_off(0, true);
    // The majority's side continues; calls on the other side fail.
    many.more(200);
    until("the minority does not notice", || cut.hindrance().is_some());
    let before = few.acknowledged.load(Ordering::SeqCst);
    let refused = cut.append("mail.0", id(99, 0), 0, &id(99, 0));
    assert!(matches!(refused, Err(Trouble::Failing(_))), "{refused:?}");
    many.more(50);
    assert_eq!(few.acknowledged.load(Ordering::SeqCst), before, "a minority acknowledges nothing");
    cluster.tear_off(0, false);
    until("it does not heal", || cut.hindrance().is_none());
    few.more(50);
    many.more(50);
    few.stop.store(true, Ordering::SeqCst);
    many.stop.store(true, Ordering::SeqCst);
    assert!(few.check(&all_doors) > 0 && many.check(&all_doors) > 0);
    // Both sides see the same.
    for stream in ["mail.0", "mail.1", "mail.2"] {
        assert_eq!(all(&cut, stream), all(&kept, stream));
    }
}

#[test]
fn without_the_majority_nothing_is_acknowledged_and_it_recovers_by_itself() {
    let mut cluster = Cluster::new("quorum", 3, "max_mem: 64MB, max_file: 1GB");
    let nats = Arc::new(Nats::open(&setup(cluster.servers(), "quorum")).unwrap());
    let append = |n: u32| nats.append("mail.a", id(0, n), 0, b"x");
    assert!(matches!(append(0), Err(Trouble::Failing(_))), "nobody is there");
    assert!(nats.hindrance().is_some());
    (0..3).for_each(|i| cluster.start(i));
    until("it does not come", || nats.hindrance().is_none());
    assert!(insist(|| append(0)) > 0);
    cluster.kill(0);
    cluster.kill(1);
    let refused = append(1);
    assert!(matches!(refused, Err(Trouble::Failing(_))), "{refused:?}");
    until("it is not told", || nats.hindrance().is_some());
    assert!(matches!(nats.list(Bucket::Notices, b"", b"", 9, 0), Err(Trouble::Failing(_))));
    cluster.kill(2);
    assert!(matches!(nats.get(Bucket::Notices, b"n", 0), Err(Trouble::Failing(_))));
    (0..3).for_each(|i| cluster.start(i));
    until("it does not come back", || nats.hindrance().is_none());
    let again = insist(|| append(1));
    let entries = all(&nats, "mail.a");
    assert_eq!(entries.len(), 2, "what was sent twice is there once");
    assert_eq!(entries[1].0, again);
}

#[test]
fn a_full_engine_refuses_and_goes_on_when_there_is_room() {
    let cluster = Cluster::three("full");
    let nats = ready(&config::Cluster { room: 32, ..setup(cluster.servers(), "full") });
    let letter = vec![5; 1 << 20];
    let mut taken = Vec::new();
    let why = loop {
        match nats.append("mail.a", id(1, taken.len() as u32), 0, &letter) {
            Ok(position) => taken.push(position),
            Err(trouble) => break trouble,
        }
        assert!(taken.len() < 64, "it is never full");
    };
    assert!(matches!(why, Trouble::Failing(_)), "{why:?}");
    assert!(taken.len() >= 8, "{}", taken.len());
    let there: Vec<u64> = all(&nats, "mail.a").into_iter().map(|(position, _)| position).collect();
    assert!(taken.iter().all(|position| there.contains(position)), "acknowledged and lost");
    insist(|| nats.trim("mail.a", taken[taken.len() - 2]));
    let last = insist(|| nats.append("mail.a", id(2, 0), 0, &letter));
    assert!(all(&nats, "mail.a").iter().any(|(position, _)| *position == last));
}

/// A certificate authority, and a certificate that it signed with its key, as files.
fn certificates(dir: &std::path::Path, name: &str) -> [std::path::PathBuf; 3] {
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
    let mut above = CertificateParams::new(Vec::new()).unwrap();
    above.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let above = CertifiedIssuer::self_signed(above, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let signed = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().signed_by(&key, &above).unwrap();
    let texts = [("authority", above.pem()), ("certificate", signed.pem()), ("key", key.serialize_pem())];
    texts.map(|(kind, text)| {
        let path = dir.join(format!("{name}-{kind}.pem"));
        std::fs::write(&path, text).unwrap();
        path
    })
}

/// Checks that the connection is refused, for as long as a call could wait for it.
fn stays_out(setup: &config::Cluster) {
    let (nats, began) = (Nats::open(setup).unwrap(), Instant::now());
    while began.elapsed() < LIMIT {
        assert!(nats.hindrance().is_some(), "it was let in");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_cluster_with_certificates_and_a_login_takes_only_who_has_both() {
    let files = std::env::temp_dir().join(format!("outis-nats-files-{}", std::process::id()));
    std::fs::create_dir_all(&files).unwrap();
    let [authority, certificate, key] = certificates(&files, "ours");
    let [other, false_certificate, false_key] = certificates(&files, "theirs");
    let mut cluster = Cluster::new("tls", 1, "max_mem: 16MB, max_file: 256MB");
    cluster.configure(|_| {
        let [authority, certificate, key] = [&authority, &certificate, &key].map(|path| path.display());
        format!(
            "tls {{ cert_file: \"{certificate}\", key_file: \"{key}\", ca_file: \"{authority}\", verify: true }}\n\
             authorization {{ user: outis, password: \"right one\" }}\n"
        )
    });
    cluster.start(0);
    let login = |name: &str, text: &str| {
        let path = files.join(name);
        std::fs::write(&path, text).unwrap();
        Some(path)
    };
    let (right, wrong) = (login("right", "outis\nright one\n"), login("wrong", "outis\nwrong one\n"));
    let good = config::Cluster {
        replicas: 1,
        login: right,
        authority: Some(authority),
        certificate: Some(certificate),
        key: Some(key),
        ..setup(cluster.servers(), "tls")
    };
    let nats = ready(&good);
    let position = insist(|| nats.append("mail.a", id(1, 0), 0, b"by a guarded door"));
    assert_eq!(all(&nats, "mail.a"), [(position, b"by a guarded door".to_vec())]);

    // A wrong password, authority or certificate, or none at all; and servers without encryption.
    let mut open = Cluster::new("plain", 1, "max_mem: 16MB, max_file: 256MB");
    open.start(0);
    let bad = [
        config::Cluster { login: wrong, ..good.clone() },
        config::Cluster { login: None, ..good.clone() },
        config::Cluster { authority: Some(other), ..good.clone() },
        config::Cluster { certificate: Some(false_certificate), key: Some(false_key), ..good.clone() },
        config::Cluster { certificate: None, key: None, ..good.clone() },
        config::Cluster { servers: open.servers(), ..good.clone() },
    ];
    std::thread::scope(|scope| bad.iter().for_each(|bad| drop(scope.spawn(|| stays_out(bad)))));
    assert_eq!(all(&nats, "mail.a").len(), 1, "who is let in stays");
    let why = Nats::open(&config::Cluster { login: login("short", "outis\n"), ..good }).err();
    assert!(why.is_some_and(|why| why.contains("on the second line, the password")));
    let _ = std::fs::remove_dir_all(files);
}

/// `cargo test --release -p outis --features nats -- --ignored --nocapture nats_measured`
#[test]
#[ignore = "a measurement"]
fn nats_measured() {
    let cluster = Cluster::three("measured");
    let nats = ready(&config::Cluster { room: 512, ..setup(cluster.servers(), "measured") });
    let work = |what: &str, threads: u8, each: u32, work: &(dyn Fn(u8, u32) + Sync)| {
        let began = Instant::now();
        let mut times: Vec<Duration> = std::thread::scope(|scope| {
            let one = |t: u8| {
                scope.spawn(move || {
                    let time = |n| {
                        let began = Instant::now();
                        work(t, n);
                        began.elapsed()
                    };
                    (0..each).map(time).collect::<Vec<_>>()
                })
            };
            let all: Vec<_> = (0..threads).map(one).collect();
            all.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let rate = times.len() as f64 / began.elapsed().as_secs_f64();
        times.sort();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        println!("{what}: {rate:.0} a second, half within {:?}, 99 of 100 within {:?}", at(50), at(99));
    };
    let letter = [7; 1_200];
    let leave = |t: u8, n: u32| {
        insist(|| nats.append(&format!("mail.{}", n % 500), id(t, n), 0, &letter));
    };
    work("letters, one after another", 1, 500, &leave);
    work("letters, sixteen at once", 16, 1_000, &|t, n| leave(t + 1, n));
    let key = |t: u8, n: u32| [&[t][..], &n.to_le_bytes()].concat();
    let put = |t, n| {
        insist(|| nats.put(Bucket::Seats, &key(t, n), &letter, Expect::Absent, None, 0));
    };
    work("values, sixteen at once", 16, 500, &put);
    work("reading a value", 1, 500, &|_, n| drop(insist(|| nats.get(Bucket::Seats, &key(0, n), 0))));
    work("listing 200 values", 1, 100, &|_, _| drop(insist(|| nats.list(Bucket::Seats, b"", b"", 200, 0))));
    work("reading 32 letters of 16 500", 1, 20, &|_, n| {
        assert!(insist(|| nats.read(&format!("mail.{n}"), 0, 200, usize::MAX)).len() > 30);
    });
    let log = vec![3; 2 << 20];
    work("keeping a log of 2 MiB", 1, 10, &|_, n| {
        let own = [&n.to_le_bytes()[..], &log].concat();
        insist(|| nats.put_blob(&own));
    });
}
