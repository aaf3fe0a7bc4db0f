//! The bridge tools of the page: stored sessions, and one long computation at a time, beside the tables.

mod evening;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use outis_bridge::commands::{self, Format, Print, Refused};
use outis_bridge::formats::{BadFile, Found};
use outis_bridge::leak::{Counts, Kind};
use outis_bridge::seal::{self, Seal, Verdict};
use outis_bridge::sheet::Scheme;
use outis_game::words::{Arg, Text};
use serde_json::{Value, json};
use tokio::sync::broadcast;

pub use evening::{Boards, Evening, MAX_BOARDS, Mark};

use crate::bridge::{bad_file, work};
use crate::machine::drive::{Answer, sorry};
use crate::machine::notes;
use crate::machine::private_files::make_private_dir;
use crate::machine::profile::Profile;
use crate::machine::table_folders::fresh_id;
use crate::machine::tables::lock;
use crate::machine::wall_clock::epoch;
use crate::random;
use outis_node::keys::Keyring;
use outis_node::names::clean;

/// Most sessions that are stored.
const MAX_EVENINGS: usize = 500;
/// Longest title, in characters.
const MAX_TITLE: usize = 80;
/// Most deals per scheme in an analysis that the page requests.
pub const MAX_LEAK: u32 = 2_000_000;

/// Events for the page.
#[derive(Clone, Debug)]
pub enum Told {
    /// A session, or a computation for it, changed.
    Changed,
    /// A computation failed.
    Notice(Text),
}

/// The sessions of a profile. Clones share them.
#[derive(Clone)]
pub struct Evenings(Arc<Inner>);

struct Inner {
    dir: PathBuf,
    keys: Keyring,
    told: broadcast::Sender<Told>,
    state: Mutex<State>,
}

/// The figures of all schemes.
type Leak = Arc<Vec<(Kind, Counts)>>;

#[derive(Default)]
struct State {
    evenings: BTreeMap<String, Evening>,
    job: Option<Job>,
    leak: Option<(u32, Leak)>,
}

/// The computation that is running.
struct Job {
    kind: &'static str,
    evening: Option<String>,
    done: usize,
    all: usize,
    stop: Arc<AtomicBool>,
}

impl Evenings {
    /// Reads the sessions of a profile; reports files that cannot be read and leaves them unchanged.
    pub fn open(profile: &Profile) -> (Self, Vec<Text>) {
        let (dir, keys) = (profile.dir().join("bridge"), profile.keys().clone());
        let (mut state, mut notices) = (State::default(), Vec::new());
        for path in std::fs::read_dir(&dir).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()) {
            let Some(id) = path.file_name().and_then(|name| name.to_str()).filter(|name| is_id(name)) else { continue };
            let kept = notes::read(&keys, &note(id), &path);
            match kept.map(|kept| kept.and_then(|bytes| Evening::from_bytes(&bytes))) {
                Ok(Some(evening)) => drop(state.evenings.insert(id.to_owned(), evening)),
                Ok(None) => notices.push(trouble(&format!("{} is damaged; it was not changed", path.display()))),
                Err(error) => notices.push(trouble(&format!("{}: {error}", path.display()))),
            }
        }
        (Self(Arc::new(Inner { dir, keys, told: broadcast::channel(1_024).0, state: Mutex::new(state) })), notices)
    }

    /// For the page: the sessions, newest first, and the running computation.
    pub fn to_json(&self) -> Value {
        let state = lock(&self.0.state);
        let mut evenings: Vec<(&String, &Evening)> = state.evenings.iter().collect();
        evenings.sort_by_key(|(_, evening)| std::cmp::Reverse(evening.made));
        let job = state.job.as_ref().map(|job| {
            json!({ "kind": job.kind, "evening": job.evening, "done": job.done, "all": job.all,
                    "stopping": job.stop.load(Ordering::Relaxed) })
        });
        json!({ "evenings": evenings.iter().map(|(id, evening)| evening.to_json(id)).collect::<Vec<_>>(), "job": job,
                "leak": state.leak.as_ref().map(|(deals, _)| deals) })
    }

    /// Subscribes to all events from now on.
    pub fn listen(&self) -> broadcast::Receiver<Told> {
        self.0.told.subscribe()
    }

    fn changed(&self) {
        let _ = self.0.told.send(Told::Changed);
    }

    // --- sessions ---------------------------------------------------------------------------------------------------

    /// Draws random deals for a session.
    pub fn deal(&self, title: &str, boards: Boards, scheme: Scheme) -> Answer<String> {
        let evening = Evening::deal(clean(title, MAX_TITLE), epoch(), boards, scheme, &mut random::rng());
        self.keep(evening.map_err(|refused| sorry_for(&refused))?)
    }

    /// Makes a session of given deals.
    pub fn import(&self, title: &str, bytes: &[u8], scheme: Option<Scheme>) -> Answer<String> {
        let evening = Evening::given(clean(title, MAX_TITLE), epoch(), bytes, scheme, &mut random::rng());
        self.keep(evening.map_err(|bad| sorry_for_file(&bad))?)
    }

    fn keep(&self, evening: Evening) -> Answer<String> {
        if lock(&self.0.state).evenings.len() >= MAX_EVENINGS {
            return Err(sorry("bridge.many"));
        }
        let id = fresh_id();
        make_private_dir(&self.0.dir).map_err(|error| trouble(&error.to_string()))?;
        self.write(&id, &evening)?;
        lock(&self.0.state).evenings.insert(id.clone(), evening);
        self.changed();
        Ok(id)
    }

    fn write(&self, id: &str, evening: &Evening) -> Answer<()> {
        let path = self.0.dir.join(id);
        let written = notes::write(&self.0.keys, &note(id), &path, &evening.to_bytes());
        written.map_err(|error| trouble(&format!("{}: {error}", path.display())))
    }

    fn evening(&self, id: &str) -> Answer<Evening> {
        lock(&self.0.state).evenings.get(id).cloned().ok_or_else(|| sorry("bridge.evening"))
    }

    /// Changes a session in memory and on disk, or not at all.
    fn change<T>(&self, id: &str, change: impl FnOnce(&mut Evening) -> Answer<T>) -> Answer<T> {
        let mut state = lock(&self.0.state);
        let known = state.evenings.get_mut(id).ok_or_else(|| sorry("bridge.evening"))?;
        let mut evening = known.clone();
        let done = change(&mut evening)?;
        self.write(id, &evening)?;
        *known = evening;
        drop(state);
        self.changed();
        Ok(done)
    }

    /// What is wrong with a board, and which hand to look at next.
    pub fn look(&self, id: &str, found: &Found) -> Answer<outis_bridge::repair::Finding> {
        self.evening(id)?.look(found).map_err(|refused| sorry_for(&refused))
    }

    /// Records the cards as played.
    pub fn played(&self, id: &str, found: &Found) -> Answer<()> {
        self.change(id, |evening| match evening.played(found).map_err(|refused| sorry_for(&refused))? {
            true => Ok(()),
            false => Err(sorry("bridge.hands")),
        })
    }

    /// Marks a board, or removes its mark.
    pub fn mark(&self, id: &str, board: u16, mark: Option<Mark>) -> Answer<()> {
        self.change(id, |evening| evening.mark(board, mark).map_err(|refused| sorry_for(&refused)))
    }

    /// Deletes a session from this machine.
    pub fn forget(&self, id: &str) -> Answer<()> {
        let mut state = lock(&self.0.state);
        state.evenings.remove(id).ok_or_else(|| sorry("bridge.evening"))?;
        drop(state);
        // The id is a key of `evenings`, so the path cannot lead elsewhere.
        std::fs::remove_file(self.0.dir.join(id)).map_err(|error| trouble(&error.to_string()))?;
        self.changed();
        Ok(())
    }

    /// A file of a session.
    pub fn file(&self, id: &str, what: &str, format: Format, print: Print) -> Answer<Vec<u8>> {
        let evening = self.evening(id)?;
        let print = Print { title: evening.title.clone(), ..print };
        let made = match what {
            "sheets" => {
                let sheets = evening.sheets().ok_or_else(|| sorry("bridge.sheets"))?;
                commands::write_sheets(&sheets, &print, format)
            }
            "records" => commands::records(&evening.records(), &print, format),
            "curtains" => commands::curtains(&evening.records(), &print, format),
            "sorting" => commands::sorting(&evening.boards(), &print, format),
            _ => return Err(sorry("request")),
        };
        made.map_err(|refused| sorry_for(&refused))
    }

    /// Sheets for shuffled packs; nothing is stored.
    pub fn single(count: u16, format: Format, print: &Print) -> Answer<Vec<u8>> {
        if count == 0 || usize::from(count) > MAX_BOARDS {
            return Err(sorry("bridge.boards"));
        }
        commands::single(count, print, format, &mut random::rng()).map_err(|refused| sorry_for(&refused))
    }

    /// Whether records match the seal from before play.
    pub fn check_seal(bytes: &[u8], digits: &str) -> Answer {
        let seal = Seal::parse(digits).ok_or_else(|| sorry("bridge.seal"))?;
        let records = commands::read(bytes).map_err(|refused| sorry_for(&refused))?;
        Ok(match seal::verify(&records, &seal) {
            Verdict::Holds => json!({ "verdict": "holds", "boards": records.len() }),
            Verdict::Changed(boards) => json!({ "verdict": "changed", "boards": boards }),
            Verdict::OtherSeal(other) => json!({ "verdict": "other", "seal": other.to_string() }),
            Verdict::Unsealed(boards) => json!({ "verdict": "unsealed", "boards": boards }),
        })
    }

    // --- long computations ------------------------------------------------------------------------------------------

    /// Starts solving the boards of a session that have no results.
    pub fn analyse(&self, id: &str) -> Answer<()> {
        let mut records = self.evening(id)?.to_solve();
        let (evenings, id) = (self.clone(), id.to_owned());
        self.begin("analyse", Some(id.clone()), move |stop| {
            work::analyse(&mut records, stop, |done, all| evenings.progress(done, all));
            // Results from before a stop are kept.
            evenings.change(&id, |evening| {
                evening.take_results(&records);
                Ok(())
            })
        })
    }

    /// Starts the leak analysis.
    pub fn leak(&self, deals: u32) -> Answer<()> {
        let (evenings, mut rng) = (self.clone(), random::rng());
        let deals = deals.clamp(100, MAX_LEAK);
        self.begin("leak", None, move |stop| {
            if let Some(counts) = work::leak(deals, &mut rng, stop, |done, all| evenings.progress(done, all)) {
                lock(&evenings.0.state).leak = Some((deals, Arc::new(counts)));
            }
            Ok(())
        })
    }

    /// A file of the last leak analysis.
    pub fn leak_file(&self, format: Format, print: &Print) -> Answer<Vec<u8>> {
        let counts = lock(&self.0.state).leak.as_ref().map(|(_, counts)| counts.clone());
        let counts = counts.ok_or_else(|| sorry("bridge.leak"))?;
        commands::write_leak(&counts, format, print.language, true).map_err(|refused| sorry_for(&refused))
    }

    /// Stops the running computation at the next opportunity.
    pub fn stop(&self) {
        if let Some(job) = &lock(&self.0.state).job {
            job.stop.store(true, Ordering::Relaxed);
        }
        self.changed();
    }

    /// Runs one computation on a thread of its own; refuses a second.
    fn begin(
        &self,
        kind: &'static str,
        evening: Option<String>,
        work: impl FnOnce(&AtomicBool) -> Answer<()> + Send + 'static,
    ) -> Answer<()> {
        let mut state = lock(&self.0.state);
        if state.job.is_some() {
            return Err(sorry("bridge.busy"));
        }
        let stop = Arc::new(AtomicBool::new(false));
        state.job = Some(Job { kind, evening, done: 0, all: 0, stop: stop.clone() });
        drop(state);
        let evenings = self.clone();
        let spawned = std::thread::Builder::new().name("bridge".into()).spawn(move || {
            // A panic in the solver must not leave a job behind that never ends.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&stop)));
            lock(&evenings.0.state).job = None;
            if let Err(text) = done.unwrap_or_else(|_| Err(sorry("bridge.failed"))) {
                let _ = evenings.0.told.send(Told::Notice(text));
            }
            evenings.changed();
        });
        if let Err(error) = spawned {
            lock(&self.0.state).job = None;
            return Err(trouble(&error.to_string()));
        }
        self.changed();
        Ok(())
    }

    fn progress(&self, done: usize, all: usize) {
        if let Some(job) = &mut lock(&self.0.state).job {
            (job.done, job.all) = (done, all);
        }
        self.changed();
    }
}

/// The name of the note for a session.
fn note(id: &str) -> String {
    format!("bridge/{id}")
}

/// Whether a file may be a session: `fresh_id` writes 16 hexadecimal digits.
fn is_id(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn trouble(why: &str) -> Text {
    sorry("file").with("why", Arg::Plain(why.to_owned()))
}

/// Why a file of deals was refused, and where.
pub fn sorry_for_file(bad: &BadFile) -> Text {
    let why = bad_file::reason(&bad.reason);
    match (bad.line as i64, bad.column as i64) {
        (0, _) => sorry("bridge.file").with("why", why),
        (line, 0) => sorry("bridge.whole-line").with("line", line).with("why", why),
        (line, column) => sorry("bridge.line").with("line", line).with("column", column).with("why", why),
    }
}

fn sorry_for(refused: &Refused) -> Text {
    match refused {
        Refused::File(bad) => sorry_for_file(bad),
        Refused::Boards => sorry("bridge.boards"),
        Refused::NoBoard(board) => sorry("bridge.board").with("board", i64::from(*board)),
        _ => sorry("request"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::scratch;

    fn open(name: &str) -> (Profile, Evenings, broadcast::Receiver<Told>) {
        let profile = Profile::open(&scratch(name)).unwrap();
        let (evenings, notices) = Evenings::open(&profile);
        assert!(notices.is_empty());
        let told = evenings.listen();
        (profile, evenings, told)
    }

    #[test]
    fn evenings_are_kept_sealed_and_found_again() {
        let (profile, evenings, _heard) = open("club");
        let id = evenings.deal(" Tuesday\n", Boards { count: 2, first: 1 }, Scheme::EXTRA).unwrap();
        evenings.mark(&id, 2, Some(Mark::Invalid)).unwrap();
        let path = profile.dir().join("bridge").join(&id);
        let kept = std::fs::read(&path).unwrap();
        assert!(!kept.windows(7).any(|window| window == b"Tuesday"), "nothing can be read");
        let again = || Evenings::open(&profile);
        assert_eq!(again().0.to_json(), evenings.to_json());
        assert_eq!(evenings.to_json()["evenings"][0]["marks"][0]["mark"], "invalid");
        // A damaged file is reported and left alone; the others are loaded.
        let other = evenings.deal("Wednesday", Boards { count: 1, first: 1 }, Scheme::PAPER).unwrap();
        std::fs::write(&path, &kept[..kept.len() - 1]).unwrap();
        let (evenings, notices) = again();
        assert_eq!(notices.len(), 1);
        assert_eq!(evenings.to_json()["evenings"].as_array().unwrap().len(), 1);
        assert!(path.exists());
        evenings.forget(&other).unwrap();
        assert!(evenings.forget(&other).is_err() && again().0.to_json()["evenings"].as_array().unwrap().is_empty());
    }

    #[test]
    fn boards_are_solved_beside_the_tables_and_the_work_can_be_stopped() {
        let (_profile, evenings, mut told) = open("solve");
        // The end of a computation is reported.
        let mut wait = || {
            while !evenings.to_json()["job"].is_null() {
                let _ = told.blocking_recv();
            }
        };
        let id = evenings.deal("", Boards { count: 1, first: 1 }, Scheme::EXTRA).unwrap();
        evenings.analyse(&id).unwrap();
        assert_eq!(evenings.leak(100).unwrap_err().id, "node.error.bridge.busy");
        wait();
        assert_eq!(evenings.to_json()["evenings"][0]["unsolved"], 0);
        let html = evenings.file(&id, "records", Format::Html, Print::default()).unwrap();
        assert!(String::from_utf8(html).unwrap().contains("<table>"));
        // Far more work than the test could wait for: it ends because it is stopped.
        let many = evenings.deal("", Boards { count: MAX_BOARDS as u16, first: 1 }, Scheme::EXTRA).unwrap();
        evenings.analyse(&many).unwrap();
        evenings.stop();
        wait();
        assert!(evenings.file(&many, "sheets", Format::Pdf, Print::default()).unwrap().starts_with(b"%PDF"));
        evenings.leak(100).unwrap();
        wait();
        assert!(evenings.leak_file(Format::Svg, &Print::default()).unwrap().starts_with(b"<svg"));
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        let (_profile, evenings, _heard) = open("nonsense");
        let id = evenings.deal("", Boards { count: 1, first: 1 }, Scheme::EXTRA).unwrap();
        let refused = |answer: Answer<String>| answer.unwrap_err().id;
        for (count, first) in [(0, 1), (1, 0), (257, 1), (2, 30_000), (u16::MAX, u16::MAX)] {
            assert_eq!(refused(evenings.deal("", Boards { count, first }, Scheme::EXTRA)), "node.error.bridge.boards");
        }
        assert_eq!(refused(evenings.import("", b"1 AK.Q", None)), "node.error.bridge.line");
        assert_eq!(refused(evenings.import("", b"", None)), "node.error.bridge.file");
        let words = crate::speech::everything(outis_game::words::Language::Hu);
        let said = |file: &[u8]| words.say(&evenings.import("", file, None).unwrap_err(), &|_| String::new());
        assert_eq!(
            said(b"1 N:AK.. x"),
            "1. sor, 9. oszlop: egy kézhez négy szín lapjai kellenek, pontokkal elválasztva. Semmi sem változott."
        );
        assert_eq!(
            said(b"[{\"target\":{\"N\":[\"X9\"],\"E\":[],\"S\":[],\"W\":[]}}]"),
            "A kiosztásokat nem sikerült beolvasni: 1. kiosztás: nem lap: \"X9\". Semmi sem változott."
        );
        assert_eq!(evenings.mark(&id, 9, None).unwrap_err().id, "node.error.bridge.board");
        assert!(evenings.file(&id, "curtains", Format::Svg, Print::default()).is_err());
        assert!(evenings.file("../keys.json", "sheets", Format::Pdf, Print::default()).is_err());
        assert!(Evenings::check_seal(b"x", "abc").is_err());
        assert!(evenings.leak_file(Format::Svg, &Print::default()).is_err());
    }
}
