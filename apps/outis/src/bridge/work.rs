//! What takes long, on all cores, with a count on the terminal.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use outis_bridge::contract::Strain;
use outis_bridge::dd::{Tricks, solve_strain};
use outis_bridge::leak::{Counts, Kind};
use outis_bridge::record::Record;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Double dummy for all boards that have no results yet.
pub fn analyse(records: &mut [Record]) {
    let open: Vec<usize> = (0..records.len()).filter(|i| records[*i].tricks.is_none()).collect();
    let deals: Vec<_> = open.iter().map(|i| records[*i].deal).collect();
    // A strain is a task of its own: cores finish together, whichever board is hard.
    let results = in_parallel(
        5 * deals.len(),
        |task| solve_strain(&deals[task / 5], Strain::ALL[task % 5]),
        |done| {
            progress(&format!("double dummy: {} of {} boards", done / 5, deals.len()));
        },
    );
    progress("");
    for (i, strains) in open.into_iter().zip(results.chunks(5)) {
        let table = core::array::from_fn(|seat| core::array::from_fn(|strain| strains[strain][seat]));
        records[i].tricks = Tricks::new(table);
    }
}

/// The leak analysis of all schemes. The shares are the same on every machine, so a seed gives the same figures.
pub fn leak(deals: u32, rng: &mut StdRng) -> Vec<(Kind, Counts)> {
    const SHARES: u32 = 32;
    let mut tasks = Vec::new();
    for kind in Kind::ALL {
        for i in 0..SHARES {
            let mut seed = [0; 32];
            rng.fill_bytes(&mut seed);
            tasks.push((kind, deals / SHARES + u32::from(i < deals % SHARES), seed));
        }
    }
    let simulate = |i: usize| {
        let (kind, deals, seed) = tasks[i];
        Counts::simulate(kind, deals, &mut StdRng::from_seed(seed))
    };
    let counts = in_parallel(tasks.len(), simulate, |done| {
        progress(&format!("{} of {} shares", done, Kind::ALL.len() as u32 * SHARES));
    });
    progress("");
    let shares = Kind::ALL.into_iter().zip(counts.chunks(SHARES as usize));
    shares
        .map(|(kind, shares)| {
            let mut sum = Counts::default();
            shares.iter().for_each(|share| sum.add(share));
            (kind, sum)
        })
        .collect()
}

/// Does numbered tasks on all cores; the results come in the order of the numbers.
fn in_parallel<T: Send>(tasks: usize, work: impl Fn(usize) -> T + Sync, mut watch: impl FnMut(usize)) -> Vec<T> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(tasks.max(1));
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let (next, work) = (&next, &work);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let send = send.clone();
            scope.spawn(move || {
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks || send.send((task, work(task))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut results: Vec<Option<T>> = (0..tasks).map(|_| None).collect();
        for (done, (task, result)) in (1..).zip(receive) {
            results[task] = Some(result);
            watch(done);
        }
        results.into_iter().flatten().collect()
    })
}

/// Replaces the line of progress, only where a person sees it.
fn progress(text: &str) {
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[2K{text}");
    }
}
