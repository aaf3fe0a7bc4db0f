//! Long computations, on all cores. They report progress and can be stopped between two tasks.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use outis_bridge::contract::Strain;
use outis_bridge::dd::{STACK, Solver, Tricks};
use outis_bridge::deal::Deal;
use outis_bridge::leak::{Counts, Kind};
use outis_bridge::record::Record;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Solves all boards that have no results yet, double dummy; a task is one strain of a board. Returns `false` if it was
/// stopped; the boards finished by then have their results.
pub fn analyse(records: &mut [Record], stop: &AtomicBool, watch: impl FnMut(usize, usize)) -> bool {
    let open: Vec<usize> = (0..records.len()).filter(|i| records[*i].tricks.is_none()).collect();
    let deals: Vec<_> = open.iter().map(|i| records[*i].deal).collect();
    for (i, tricks) in open.into_iter().zip(solve_all(&deals, stop, watch)) {
        records[i].tricks = tricks;
    }
    records.iter().all(|record| record.tricks.is_some())
}

/// Solves deals; a deal that was not reached has no result.
fn solve_all(deals: &[Deal], stop: &AtomicBool, watch: impl FnMut(usize, usize)) -> Vec<Option<Tricks>> {
    // Each strain is a task of its own, so the cores finish together even if one board is hard.
    let solve = |solver: &mut Solver, task: usize| solver.solve_strain(&deals[task / 5], Strain::ALL[task % 5]);
    let results = in_parallel(5 * deals.len(), Solver::default, solve, stop, watch);
    let table = |strains: &[Option<[u8; 4]>]| {
        let strains: Option<Vec<[u8; 4]>> = strains.iter().copied().collect();
        Tricks::from_strains(strains?.try_into().ok()?)
    };
    results.chunks(5).map(table).collect()
}

/// Solves one deal.
pub fn solve(deal: &Deal) -> Tricks {
    let solved = solve_all(&[*deal], &AtomicBool::new(false), |_, _| ());
    solved.into_iter().flatten().next().expect("nobody stops it")
}

/// The leak analysis of all schemes, or `None` if it was stopped. The work is divided in the same way on every machine,
/// so a seed always gives the same figures.
pub fn leak(
    deals: u32,
    rng: &mut StdRng,
    stop: &AtomicBool,
    watch: impl FnMut(usize, usize),
) -> Option<Vec<(Kind, Counts)>> {
    const SHARES: u32 = 32;
    let mut tasks = Vec::new();
    for kind in Kind::ALL {
        for i in 0..SHARES {
            let mut seed = [0; 32];
            rng.fill_bytes(&mut seed);
            tasks.push((kind, deals / SHARES + u32::from(i < deals % SHARES), seed));
        }
    }
    let simulate = |(): &mut (), i: usize| {
        let (kind, deals, seed) = tasks[i];
        Counts::simulate(kind, deals, &mut StdRng::from_seed(seed))
    };
    let counts: Option<Vec<Counts>> = in_parallel(tasks.len(), || (), simulate, stop, watch).into_iter().collect();
    let counts = counts?;
    let shares = Kind::ALL.into_iter().zip(counts.chunks(SHARES as usize));
    let sum = |shares: &[Counts]| {
        let mut sum = Counts::default();
        for share in shares {
            sum.add(share);
        }
        sum
    };
    Some(shares.map(|(kind, shares)| (kind, sum(shares))).collect())
}

/// Runs numbered tasks on all cores and returns the results in the order of the numbers; each thread has its own
/// `bench` as scratch space. Tasks not begun before a stop have no result. `watch` is called with the number of tasks
/// done and the total.
fn in_parallel<B, T: Send>(
    tasks: usize,
    bench: impl Fn() -> B + Sync,
    work: impl Fn(&mut B, usize) -> T + Sync,
    stop: &AtomicBool,
    mut watch: impl FnMut(usize, usize),
) -> Vec<Option<T>> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(tasks.max(1));
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let (next, bench, work) = (&next, &bench, &work);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let send = send.clone();
            let work = move || {
                let mut bench = bench();
                while !stop.load(Ordering::Relaxed) {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks || send.send((task, work(&mut bench, task))).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread can be started");
        }
        drop(send);
        let mut results: Vec<Option<T>> = (0..tasks).map(|_| None).collect();
        for (done, (task, result)) in (1..).zip(receive) {
            results[task] = Some(result);
            watch(done, tasks);
        }
        results
    })
}

/// Runs `work` on a thread that is deep enough for a [`Solver`].
pub fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Overwrites the progress line, if standard error is a terminal.
pub fn progress(text: &str) {
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[2K{text}");
    }
}
