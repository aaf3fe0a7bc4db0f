//! The visitors' connections to the lobby: the transport says who is connected, requests are answered in order, and a
//! visitor is notified of new messages. Nothing is recorded about who came from where.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use outis_meeting::service::{Allowance, Meeting, cost};
use outis_meeting::store::Trouble;
use outis_meeting::wire::{Answer, MAX_LARGE, MAX_MESSAGE, Refusal, Request};
use outis_node::links::place_of;
use outis_table::codec::{Decode, Encode};
use outis_table::identity::IdentityKey;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::timeout;

use super::config::Config;
use super::verifier::{self, Turn};
use crate::machine::ip_limit::UNKNOWN;
use crate::machine::tables::lock;
use crate::machine::transport::{Pipe, Transport};
use crate::machine::wall_clock::epoch;

/// Largest first message on a connection.
const MAX_FIRST: usize = 1 << 10;
/// How long a connection may be silent.
const SILENCE: Duration = Duration::from_secs(180);
/// How long a connection may take to send or receive one message.
const SLOW: Duration = Duration::from_secs(60);
/// How long the last message may take to arrive.
const LAST: Duration = Duration::from_secs(2);
/// Most logs received at once; each needs memory for a log.
const LARGE: usize = 2;
/// Messages up to this size may be in transit on all connections at once; larger ones share this many bytes.
const SMALL: usize = 64 << 10;
const ROOM: usize = 64 << 20;
/// One network address may make this many times as many requests as one identity, and store this many times as many
/// bytes: keys are free, addresses are not.
const OF_ADDRESS: u64 = 8;
const OF_ADDRESS_BYTES: u64 = 2;
/// All visitors whose network address nobody knows may together do what this many addresses may: those who come over a
/// relay that is not the lobby's own, or from a proxy that does not say for whom.
const OF_UNKNOWN: u64 = 8;
/// How far a clock may be ahead of the last sweep, in milliseconds; and how long a clock that is further ahead is
/// distrusted.
const DAY: u64 = 24 * 3_600_000;
const DOUBT: Duration = Duration::from_secs(3_600);
/// Most requests carried out at once.
const AT_ONCE: usize = 64;
/// Upper bounds of the classes of response times, in microseconds.
const CLASSES: [u64; 12] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000, 2_000_000];

/// A running lobby.
#[derive(Clone)]
pub struct LobbyServer(Arc<Inner>);

struct Inner {
    meeting: Meeting,
    config: Config,
    bells: Mutex<BTreeMap<String, Vec<Arc<Notify>>>>,
    /// Changes when all visitors must read from the beginning.
    anew: watch::Sender<()>,
    places: Mutex<BTreeMap<IpAddr, Place>>,
    lines: AtomicUsize,
    busy: AtomicUsize,
    closing: AtomicBool,
    failing: AtomicBool,
    large: Semaphore,
    /// In kilobytes.
    room: Semaphore,
    work: Semaphore,
    times: [AtomicU64; 13],
    total: AtomicU64,
    verified: AtomicU64,
}

/// What one network address uses. The entry is removed once it has no connections and its allowances are full again.
#[derive(Default)]
struct Place {
    lines: usize,
    requests: Allowance,
    bytes: Allowance,
}

/// Reports an event to the operator, as one line of JSON on standard error. It must contain no key and no network
/// address.
pub fn say(event: &str, fields: serde_json::Value) {
    let mut line = serde_json::json!({ "at": epoch(), "event": event });
    if let (Some(line), Some(fields)) = (line.as_object_mut(), fields.as_object()) {
        line.extend(fields.clone());
    }
    eprintln!("{line}");
}

impl LobbyServer {
    /// Opens a lobby.
    pub fn new(meeting: Meeting, config: Config) -> Self {
        let server = Self(Arc::new(Inner {
            meeting,
            config,
            bells: Mutex::default(),
            anew: watch::Sender::default(),
            places: Mutex::default(),
            lines: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            failing: AtomicBool::new(false),
            large: Semaphore::new(LARGE),
            room: Semaphore::new(ROOM >> 10),
            work: Semaphore::new(AT_ONCE),
            times: Default::default(),
            total: AtomicU64::new(0),
            verified: AtomicU64::new(0),
        }));
        let inner = Arc::downgrade(&server.0);
        server.0.meeting.store().listen(Box::new(move |stream| {
            let Some(inner) = inner.upgrade() else { return };
            if stream.is_empty() {
                inner.anew.send_replace(());
            } else {
                for bell in lock(&inner.bells).get(stream).into_iter().flatten() {
                    bell.notify_one();
                }
            }
        }));
        server
    }

    /// Accepts visitors until the transport is closed.
    pub async fn receive(self, transport: Arc<dyn Transport>) {
        while let Some(pipe) = transport.accept().await {
            let server = self.clone();
            tokio::spawn(async move {
                let place = pipe.place.map(|at| at.ip());
                if server.let_in(place) {
                    server.attend(pipe).await;
                    server.let_out(place);
                } else {
                    (pipe.close)();
                }
            });
        }
    }

    fn let_in(&self, place: Option<IpAddr>) -> bool {
        if self.0.closing.load(Ordering::SeqCst) || self.0.lines.load(Ordering::SeqCst) >= self.0.config.lines {
            return false;
        }
        let mut places = lock(&self.0.places);
        let entry = places.entry(entry_of(place)).or_default();
        if entry.lines >= self.0.config.lines_of_address.saturating_mul(addresses(place) as usize) {
            return false;
        }
        entry.lines += 1;
        self.0.lines.fetch_add(1, Ordering::SeqCst);
        true
    }

    fn let_out(&self, place: Option<IpAddr>) {
        self.0.lines.fetch_sub(1, Ordering::SeqCst);
        if let Some(entry) = lock(&self.0.places).get_mut(&entry_of(place)) {
            entry.lines -= 1;
        }
    }

    /// Whether a network address may make this request now, whichever keys it uses.
    fn admits(&self, place: Option<IpAddr>, now: u64, request: &Request) -> bool {
        let limits = &self.0.config.limits;
        let (requests, bytes) = cost(request);
        let mut places = lock(&self.0.places);
        let (of_address, of_address_bytes) = (OF_ADDRESS * addresses(place), OF_ADDRESS_BYTES * addresses(place));
        let place = places.entry(entry_of(place)).or_default();
        let (burst, rate) = (u64::from(limits.burst) * of_address, u64::from(limits.rate) * of_address);
        let (most, more) =
            (limits.bytes.saturating_mul(of_address_bytes), u64::from(limits.byte_rate) * of_address_bytes);
        place.requests.take(now, requests, burst, rate) && place.bytes.take(now, bytes, most, more)
    }

    /// Removes network addresses without connections whose allowances are full again.
    fn forget_places(&self, now: u64) {
        let limits = &self.0.config.limits;
        let (rate, more) = (u64::from(limits.rate) * OF_ADDRESS, u64::from(limits.byte_rate) * OF_ADDRESS_BYTES);
        // That of the unknown ones stays a little longer than it must.
        lock(&self.0.places).retain(|_, place| {
            place.lines > 0 || !place.requests.is_whole(now, rate) || !place.bytes.is_whole(now, more)
        });
    }

    /// Serves one connection until it breaks.
    async fn attend(&self, mut pipe: Pipe) {
        if let Ok(who) = IdentityKey::from_bytes(&pipe.peer.0, &()) {
            let mailbox = Meeting::mailbox(&who);
            let bell = Arc::new(Notify::new());
            lock(&self.0.bells).entry(mailbox.clone()).or_default().push(bell.clone());
            self.talk(&who, &mut pipe, &bell).await;
            // A refused visitor learns why and disconnects; after that there is nothing to read.
            let _ = timeout(LAST, pipe.receive.read(&mut [0])).await;
            let mut bells = lock(&self.0.bells);
            if let Some(all) = bells.get_mut(&mailbox) {
                all.retain(|other| !Arc::ptr_eq(other, &bell));
                if all.is_empty() {
                    bells.remove(&mailbox);
                }
            }
        }
        (pipe.close)();
    }

    async fn talk(&self, who: &IdentityKey, pipe: &mut Pipe, bell: &Notify) {
        let (mut greeted, mut length, mut got) = (false, [0u8; 4], 0);
        let mut anew = self.0.anew.subscribe();
        loop {
            // A notification may be due between any two bytes; the part of the length that has arrived is kept.
            while got < length.len() {
                tokio::select! {
                    read = timeout(SILENCE, pipe.receive.read(&mut length[got..])) => match read {
                        Ok(Ok(n)) if n > 0 => got += n,
                        _ => return,
                    },
                    // A client that reconnects fetches all its messages.
                    _ = anew.changed() => return,
                    () = bell.notified(), if greeted => {
                        if !matches!(timeout(SLOW, write(pipe, &Answer::Bell)).await, Ok(Ok(()))) {
                            return;
                        }
                    }
                }
            }
            got = 0;
            let length = u32::from_le_bytes(length) as usize;
            let most = if greeted { MAX_LARGE } else { MAX_FIRST };
            let too_large = length == 0 || length > most;
            // A large message does not wait: there is space for a few, and the rest are refused and come later.
            let permit = match length {
                ..=SMALL => None,
                length if length <= MAX_MESSAGE => self.0.room.try_acquire_many((length >> 10) as u32).ok(),
                _ => self.0.large.try_acquire().ok(),
            };
            if too_large || (length > SMALL && permit.is_none()) {
                let why = if too_large { Refusal::TooLarge } else { Refusal::TooMany };
                let _ = timeout(SLOW, write(pipe, &Answer::Sorry(why))).await;
                return;
            }
            let Ok(Some(message)) = timeout(SLOW + travel(length), body(pipe, length)).await else { return };
            let Ok(request) = Request::from_bytes(&message, &()) else {
                let _ = timeout(SLOW, write(pipe, &Answer::Sorry(Refusal::Senseless))).await;
                return;
            };
            drop(message);
            if !greeted && !matches!(request, Request::Hello { .. }) {
                return;
            }
            self.0.busy.fetch_add(1, Ordering::SeqCst);
            let answer = match self.admits(pipe.place.map(|at| at.ip()), epoch(), &request) {
                true => self.carry_out(*who, request).await,
                false => Answer::Sorry(Refusal::TooMany),
            };
            // A log takes up space until it is stored or refused, not only while it is received.
            drop(permit);
            let written = timeout(SLOW, write(pipe, &answer)).await;
            self.0.busy.fetch_sub(1, Ordering::SeqCst);
            if !greeted {
                greeted = matches!(answer, Answer::Welcome { .. });
            }
            if !greeted || !matches!(written, Ok(Ok(()))) {
                return;
            }
        }
    }

    async fn carry_out(&self, who: IdentityKey, request: Request) -> Answer {
        let began = Instant::now();
        let server = self.clone();
        let answer = match self.0.work.acquire().await {
            Ok(_permit) => {
                // The store may block on a disk.
                tokio::task::spawn_blocking(move || server.0.meeting.answer(&who, epoch(), request)).await
            }
            Err(_) => Ok(Answer::Sorry(Refusal::Closing)),
        };
        let answer = answer.unwrap_or(Answer::Sorry(Refusal::Failing));
        let failing = answer == Answer::Sorry(Refusal::Failing);
        self.note_failing(failing);
        let micros = began.elapsed().as_micros() as u64;
        let class = CLASSES.iter().position(|end| micros <= *end).unwrap_or(CLASSES.len());
        self.0.times[class].fetch_add(1, Ordering::Relaxed);
        self.0.total.fetch_add(micros, Ordering::Relaxed);
        answer
    }

    fn note_failing(&self, failing: bool) {
        if self.0.failing.swap(failing, Ordering::SeqCst) != failing {
            say(if failing { "store-failing" } else { "store-works" }, serde_json::json!({}));
        }
    }

    /// Removes what has expired, every 30 seconds.
    pub async fn keep_sweeping(self) {
        let (mut time, mut last) = (epoch(), Instant::now());
        // The time of the last sweep by any process, and since when it has not changed.
        let (mut mark, mut unmoved, mut told) = (None, Instant::now(), false);
        loop {
            tokio::time::sleep(Duration::from_secs(30)).await;
            time = not_too_fast(time, last.elapsed(), epoch());
            last = Instant::now();
            self.forget_places(epoch());
            let server = self.clone();
            let known = tokio::task::spawn_blocking(move || server.0.meeting.swept(time)).await;
            let known = match known {
                Ok(Ok(known)) => known,
                Ok(Err(trouble)) => {
                    self.sweep_failed(&trouble);
                    continue;
                }
                Err(_) => continue,
            };
            if known != mark {
                mark = known;
                unmoved = Instant::now();
            }
            if !is_time(time, mark, unmoved.elapsed()) {
                if !std::mem::replace(&mut told, true) {
                    say("clock-ahead", serde_json::json!({ "swept": mark }));
                }
                continue;
            }
            told = false;
            let server = self.clone();
            let swept = tokio::task::spawn_blocking(move || server.0.meeting.sweep(time)).await;
            // There may have been no request for a while, so the last result determines health.
            match swept {
                Ok(Ok(_)) => self.note_failing(false),
                Ok(Err(trouble)) => self.sweep_failed(&trouble),
                Err(_) => {}
            }
        }
    }

    fn sweep_failed(&self, trouble: &Trouble) {
        self.note_failing(true);
        say("sweep-failed", serde_json::json!({ "why": trouble.to_string() }));
    }

    /// Verifies logs until the lobby closes. Needs its own thread.
    pub fn keep_verifying(self, identity: outis_table::identity::Identity) {
        let who = identity.public();
        while !self.0.closing.load(Ordering::SeqCst) {
            let mut ask = |request| Some(self.0.meeting.answer(&who, epoch(), request));
            match verifier::turn(&identity, epoch(), &mut ask) {
                Turn::Idle => std::thread::sleep(Duration::from_millis(250)),
                Turn::Done(_) => {
                    self.0.verified.fetch_add(1, Ordering::Relaxed);
                }
                Turn::Failed => std::thread::sleep(Duration::from_secs(2)),
            }
        }
    }

    /// Accepts nothing new, and waits until all requests in progress are answered.
    pub async fn close(&self) {
        self.0.closing.store(true, Ordering::SeqCst);
        self.0.meeting.close();
        let began = Instant::now();
        while self.0.busy.load(Ordering::SeqCst) > 0 && began.elapsed() < Duration::from_secs(10) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Health and metrics, as plain HTTP.
    pub fn router(&self) -> Router {
        Router::new().route("/health", get(health)).route("/metrics", get(metrics)).with_state(self.clone())
    }

    /// The metrics in the text format of Prometheus.
    fn figures(&self) -> String {
        use std::fmt::Write;
        let figures = self.0.meeting.figures();
        let mut out = String::new();
        let mut put = |name: &str, kind: &str, help: &str, rows: &[(String, u64)]| {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in rows {
                let _ = writeln!(out, "{name}{labels} {value}");
            }
        };
        let one = |value: u64| vec![(String::new(), value)];
        let lines = self.0.lines.load(Ordering::Relaxed) as u64;
        put("outis_lobby_lines", "gauge", "Open connections.", &one(lines));
        put(
            "outis_lobby_visitors",
            "gauge",
            "Visitors, as shown in the list of people.",
            &one(figures.visitors as u64),
        );
        put("outis_lobby_jobs_waiting", "gauge", "Logs waiting for a verifier.", &one(figures.waiting as u64));
        let verified = self.0.verified.load(Ordering::Relaxed);
        put("outis_lobby_verified_total", "counter", "Logs verified by this process.", &one(verified));
        let hindered = self.0.meeting.store().hindrance().is_some();
        let failing = u64::from(hindered || self.0.failing.load(Ordering::Relaxed));
        put("outis_lobby_store_failing", "gauge", "1 while the store fails.", &one(failing));
        let engine = vec![(format!("{{engine=\"{}\"}}", self.0.config.engine), u64::from(!hindered))];
        put("outis_lobby_engine_up", "gauge", "1 while the engine answers.", &engine);
        let rows = |label: &str, counts: &[(&str, u64)]| -> Vec<(String, u64)> {
            counts.iter().map(|(name, count)| (format!("{{{label}=\"{name}\"}}"), *count)).collect()
        };
        put("outis_lobby_requests_total", "counter", "Requests by kind.", &rows("kind", &figures.asked));
        put("outis_lobby_refused_total", "counter", "Refusals by reason.", &rows("why", &figures.refused));
        let mut sum = 0;
        let mut times: Vec<(String, u64)> = Vec::new();
        for (i, count) in self.0.times.iter().enumerate() {
            sum += count.load(Ordering::Relaxed);
            let end = CLASSES.get(i).map_or("+Inf".to_owned(), |end| format!("{}", *end as f64 / 1e6));
            times.push((format!("_bucket{{le=\"{end}\"}}"), sum));
        }
        times.push(("_count".to_owned(), sum));
        put("outis_lobby_answer_seconds", "histogram", "Time from a request to its answer.", &times);
        let _ = writeln!(out, "outis_lobby_answer_seconds_sum {}", self.0.total.load(Ordering::Relaxed) as f64 / 1e6);
        out
    }
}

/// Where a network address is counted.
fn entry_of(place: Option<IpAddr>) -> IpAddr {
    place.map_or(UNKNOWN, place_of)
}

/// As how many addresses it counts.
fn addresses(place: Option<IpAddr>) -> u64 {
    if place.is_some() { 1 } else { OF_UNKNOWN }
}

/// The time by which things expire. It runs at most twice as fast as real time, so a clock that jumps ahead by a year
/// does not empty all mailboxes before it is corrected.
fn not_too_fast(time: u64, since: Duration, clock: u64) -> u64 {
    clock.min(time.saturating_add(2 * since.as_millis() as u64))
}

/// Whether a clock may decide what has expired: it is at most a day ahead of the last sweep by any process. If it is
/// further ahead, the clock is wrong, or all processes stood still for long. In the latter case no other process sweeps
/// either, and after an hour this one may.
fn is_time(clock: u64, swept: Option<u64>, unmoved: Duration) -> bool {
    swept.is_none_or(|swept| clock <= swept.saturating_add(DAY) || unmoved >= DOUBT)
}

/// How long this many bytes take over a slow network of 256 KiB per second.
pub(super) fn travel(bytes: usize) -> Duration {
    Duration::from_secs((bytes >> 18) as u64)
}

async fn body(pipe: &mut Pipe, length: usize) -> Option<Vec<u8>> {
    let mut message = Vec::with_capacity(length.min(64 << 10));
    let read = (&mut pipe.receive).take(length as u64).read_to_end(&mut message).await.ok()?;
    (read == length).then_some(message)
}

async fn write(pipe: &mut Pipe, answer: &Answer) -> std::io::Result<()> {
    let bytes = answer.to_bytes();
    pipe.send.write_u32_le(bytes.len() as u32).await?;
    pipe.send.write_all(&bytes).await?;
    pipe.send.flush().await
}

async fn health(State(server): State<LobbyServer>) -> Response {
    let sorry = |why: &str| (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response();
    if server.0.closing.load(Ordering::SeqCst) {
        return sorry("closing");
    }
    match (server.0.meeting.store().hindrance(), server.0.failing.load(Ordering::SeqCst)) {
        (Some(why), _) => sorry(&format!("the store fails: {why}")),
        (None, true) => sorry("the store fails"),
        (None, false) => "ok\n".into_response(),
    }
}

async fn metrics(State(server): State<LobbyServer>) -> Response {
    let text = tokio::task::spawn_blocking(move || server.figures()).await.unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

#[cfg(test)]
mod tests;
