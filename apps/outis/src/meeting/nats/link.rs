//! The connection to the cluster. Every request can safely be repeated, so this module waits out a lost answer, a
//! killed server and a leader election, and only then reports that the engine fails.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::push::{Ordered, OrderedConfig};
use async_nats::jetstream::context::{PublishErrorKind, RequestErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::response::Response;
use async_nats::jetstream::{Context, ErrorCode};
use async_nats::{Client, ConnectOptions, Event};
use data_encoding::BASE64;
use outis_meeting::Millis;
use outis_meeting::store::{MAX_VALUE, Trouble};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::machine::tables::lock;
use crate::meeting::config::Cluster;
use crate::meeting::serve::say;

/// Time limit of one attempt.
const TRY: Duration = Duration::from_secs(2);
/// Time limit of all attempts: longer than a leader election, shorter than a client waits for an answer.
pub const LIMIT: Duration = Duration::from_secs(12);
/// Pause between attempts.
pub const PAUSE: Duration = Duration::from_millis(50);
/// Most bytes that a message carries besides its value.
const MARGIN: usize = 4 << 10;
/// How long the engine remembers message ids.
const TWICE: Duration = Duration::from_secs(120);

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fail {
    /// It may work in a moment.
    Again(String),
    /// The stored value is not the expected one.
    Changed,
    /// Nothing is stored there.
    Missing,
    /// The stream does not exist.
    NoStream,
    /// It will not work.
    Final(String),
}

impl From<Fail> for Trouble {
    fn from(fail: Fail) -> Self {
        match fail {
            Fail::Changed => Self::Changed,
            Fail::Again(why) | Fail::Final(why) => Self::Failing(why),
            Fail::Missing | Fail::NoStream => Self::Failing("the engine has lost it".to_owned()),
        }
    }
}

/// The required properties of a stream.
pub struct Wanted<'a> {
    /// Its name.
    pub name: &'a str,
    /// The subjects that belong to it.
    pub subjects: String,
    /// Whether it stores only the last message of a subject.
    pub last_only: bool,
    /// The number of servers that store it.
    pub replicas: usize,
    /// Its size limit in bytes.
    pub room: u64,
}

/// A message of a stream.
pub struct Kept {
    /// Its number.
    pub sequence: u64,
    /// When the engine received it, in milliseconds since 1970.
    pub time: Millis,
    /// Its content.
    pub bytes: Vec<u8>,
    headers: Vec<u8>,
}

impl Kept {
    /// Whether this call published it.
    pub fn is_of(&self, call: &str) -> bool {
        self.headers.windows(call.len()).any(|window| window == call.as_bytes())
    }
}

/// A message to publish.
#[derive(Clone, Copy, Default)]
pub struct Post<'a> {
    /// Its subject.
    pub subject: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
    /// The expected number of the last message with this subject; 0 if there should be none.
    pub expected: Option<u64>,
    /// Of two messages with the same id within two minutes, the engine stores one.
    pub id: Option<&'a str>,
    /// The call that it belongs to.
    pub call: Option<&'a str>,
    /// Whether it marks a value as deleted.
    pub deletes: bool,
}

/// A connection that is restored automatically.
pub struct Link {
    client: Client,
    context: Context,
    connected: Arc<AtomicU64>,
    hindrance: Mutex<Option<String>>,
}

impl Link {
    /// Starts connecting. The link counts as blocked until [`Link::free`] is called.
    pub async fn open(setup: &Cluster) -> Result<Self, String> {
        let read =
            |path: &PathBuf| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
        let connected = Arc::new(AtomicU64::new(0));
        let count = connected.clone();
        let mut options = ConnectOptions::new()
            .name("outis lobby")
            .retry_on_initial_connect()
            .connection_timeout(TRY)
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|tries| Duration::from_millis(100 * tries.min(20) as u64))
            .event_callback(move |event| {
                if matches!(event, Event::Connected) {
                    count.fetch_add(1, Ordering::SeqCst);
                }
                async {}
            });
        if let Some(path) = &setup.login {
            let text = read(path)?;
            let mut lines = text.lines().map(str::trim);
            let (Some(user), Some(password)) = (lines.next(), lines.next()) else {
                return Err(format!("{}: a user's name and, on the second line, the password", path.display()));
            };
            options = options.user_and_password(user.to_owned(), password.to_owned());
        }
        if let Some(path) = &setup.authority {
            read(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let (Some(certificate), Some(key)) = (&setup.certificate, &setup.key) {
            read(certificate).and(read(key))?;
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let client = options.connect(&setup.servers[..]).await.map_err(|error| error.to_string())?;
        let mut context = async_nats::jetstream::new(client.clone());
        context.set_timeout(TRY);
        let hindrance = Mutex::new(Some("the engine has not been reached yet".to_owned()));
        Ok(Self { client, context, connected, hindrance })
    }

    /// The number of connections so far. A new connection does not continue the old one's subscriptions.
    pub fn connections(&self) -> u64 {
        self.connected.load(Ordering::SeqCst)
    }

    /// What blocks it, if anything.
    pub fn hindrance(&self) -> Option<String> {
        lock(&self.hindrance).clone()
    }

    /// Blocks it: nothing is attempted until it is freed.
    pub fn hinder(&self, why: &str) {
        let before = lock(&self.hindrance).replace(why.to_owned());
        if before.as_deref() != Some(why) {
            say("engine-away", json!({ "why": why }));
        }
    }

    /// Reports that the engine works.
    pub fn free(&self) {
        if lock(&self.hindrance).take().is_some() {
            say("engine-works", json!({ "version": self.client.server_info().version }));
        }
    }

    /// Repeats an attempt until it succeeds, the time is up, or repeating is pointless.
    pub async fn insist<T, F>(&self, mut attempt: impl FnMut() -> F) -> Result<T, Fail>
    where
        F: Future<Output = Result<T, Fail>>,
    {
        let began = Instant::now();
        loop {
            if let Some(why) = self.hindrance() {
                return Err(Fail::Final(why));
            }
            match attempt().await {
                Err(Fail::Again(_) | Fail::NoStream) if began.elapsed() < LIMIT => sleep(PAUSE).await,
                Err(Fail::Again(why)) => {
                    self.hinder(&why);
                    return Err(Fail::Final(why));
                }
                done => return done,
            }
        }
    }

    /// Sends a request to the leader of a stream or of the cluster.
    pub(super) async fn ask(&self, what: String, body: Value) -> Result<Value, Fail> {
        if self.client.connection_state() != State::Connected {
            return Err(Fail::Again("cannot reach any server of the engine".to_owned()));
        }
        match self.context.request(what, &body).await {
            Ok(Response::Ok(value)) => Ok(value),
            Ok(Response::Err { error }) => Err(judge(&error)),
            Err(error) => Err(Fail::Again(match error.kind() {
                RequestErrorKind::NoResponders => "the engine has no leader, or no JetStream".to_owned(),
                RequestErrorKind::TimedOut => "the engine does not answer".to_owned(),
                _ => error.to_string(),
            })),
        }
    }

    /// One message of a stream, from its leader.
    pub async fn get(&self, stream: &str, which: Value) -> Result<Option<Kept>, Fail> {
        let found = match self.ask(format!("STREAM.MSG.GET.{stream}"), which).await {
            Err(Fail::Missing) => return Ok(None),
            found => found?,
        };
        let message = &found["message"];
        let sequence = message["seq"].as_u64();
        let part = |name: &str| BASE64.decode(message[name].as_str().unwrap_or_default().as_bytes()).ok();
        let kept = sequence.zip(part("data")).zip(part("hdrs"));
        // A message whose time cannot be parsed counts as new.
        let time = message["time"].as_str().and_then(moment).unwrap_or(Millis::MAX);
        let kept = kept.map(|((sequence, bytes), headers)| Kept { sequence, time, bytes, headers });
        Ok(Some(kept.ok_or_else(|| Fail::Final("the engine sent an answer that cannot be read".to_owned()))?))
    }

    /// The last message with a subject.
    pub async fn last(&self, stream: &str, subject: &str) -> Result<Option<Kept>, Fail> {
        self.get(stream, json!({ "last_by_subj": subject })).await
    }

    /// The first message from this number on whose subject matches.
    pub async fn next(&self, stream: &str, filter: &str, from: u64) -> Result<Option<Kept>, Fail> {
        self.get(stream, json!({ "seq": from, "next_by_subj": filter })).await
    }

    /// Removes the messages before this number whose subject matches.
    pub async fn purge(&self, stream: &str, filter: &str, before: u64) -> Result<(), Fail> {
        self.ask(format!("STREAM.PURGE.{stream}"), json!({ "filter": filter, "seq": before })).await.map(drop)
    }

    /// Removes one message, if it is still there.
    pub async fn remove(&self, stream: &str, sequence: u64) -> Result<(), Fail> {
        let done = self.ask(format!("STREAM.MSG.DELETE.{stream}"), json!({ "seq": sequence, "no_erase": true })).await;
        match done {
            Err(fail @ (Fail::Again(_) | Fail::NoStream)) => Err(fail),
            // It is already gone.
            _ => Ok(()),
        }
    }

    /// Publishes to a stream. When this returns the message's number, a majority of its servers has stored it. The flag
    /// says whether the number is that of an earlier message with the same id.
    pub async fn publish(&self, post: &Post<'_>) -> Result<(u64, bool), Fail> {
        if self.client.connection_state() != State::Connected {
            return Err(Fail::Again("cannot reach any server of the engine".to_owned()));
        }
        let mut message = PublishMessage::build().payload(post.bytes.to_vec().into());
        if let Some(expected) = post.expected {
            message = message.expected_last_subject_sequence(expected);
        }
        if let Some(id) = post.id {
            message = message.message_id(id);
        }
        if let Some(call) = post.call {
            message = message.header("Outis-Call", call);
        }
        if post.deletes {
            message = message.header("KV-Operation", "DEL");
        }
        let sent = match self.context.send_publish(post.subject.to_owned(), message).await {
            Ok(sent) => sent.await,
            Err(error) => Err(error),
        };
        sent.map(|kept| (kept.sequence, kept.duplicate)).map_err(|error| match error.kind() {
            PublishErrorKind::WrongLastSequence => Fail::Changed,
            PublishErrorKind::StreamNotFound => Fail::Again("the engine has no leader for it".to_owned()),
            PublishErrorKind::TimedOut => Fail::Again("the engine does not answer".to_owned()),
            PublishErrorKind::MaxPayloadExceeded => Fail::Final(small()),
            kind => match std::error::Error::source(&error).and_then(|source| source.downcast_ref()) {
                Some(refused) => judge(refused),
                None => Fail::Again(kind.to_string()),
            },
        })
    }

    /// Creates a stream if it does not exist, and adjusts its replicas and its size limit.
    pub async fn prepare(&self, wanted: &Wanted<'_>) -> Result<(), Fail> {
        let Wanted { name, subjects, last_only, replicas, room } = wanted;
        let known = self.ask(format!("STREAM.INFO.{name}"), json!({})).await;
        if let Err(Fail::Again(why)) = known {
            return Err(Fail::Again(why));
        }
        if self.client.server_info().max_payload < MAX_VALUE + MARGIN {
            return Err(Fail::Final(small()));
        }
        let known = match known {
            Err(Fail::NoStream) => {
                // With `last_only`, as a key–value bucket is made. A full stream refuses messages and discards none.
                let mut config = json!({
                    "name": name, "subjects": [subjects], "storage": "file", "max_bytes": room, "max_consumers": -1,
                    "num_replicas": replicas, "allow_rollup_hdrs": last_only,
                });
                if let (Some(config), Value::Object(nature)) = (config.as_object_mut(), nature(*last_only)) {
                    config.extend(nature);
                }
                return self.ask(format!("STREAM.CREATE.{name}"), config).await.map(drop);
            }
            known => known?,
        };
        let mut config = known["config"].clone();
        if let Some(other) = differs(&config, *last_only) {
            return Err(Fail::Final(format!("the stream {name} was not made by Outis: its {other} differs")));
        }
        if (config["num_replicas"].as_u64(), config["max_bytes"].as_u64()) == (Some(*replicas as u64), Some(*room)) {
            return Ok(());
        }
        config["num_replicas"] = (*replicas).into();
        config["max_bytes"] = (*room).into();
        self.ask(format!("STREAM.UPDATE.{name}"), config).await.map(drop)
    }

    /// The number of the last message that a stream ever had.
    pub async fn end(&self, stream: &str) -> Result<u64, Fail> {
        let info = self.ask(format!("STREAM.INFO.{stream}"), json!({})).await?;
        Ok(info["state"]["last_seq"].as_u64().unwrap_or(0))
    }

    /// Whether each follower of a stream's leader has everything.
    #[cfg(test)]
    pub async fn followers(&self, stream: &str) -> Result<Vec<bool>, Fail> {
        let info = self.ask(format!("STREAM.INFO.{stream}"), json!({})).await?;
        let servers = info["cluster"]["replicas"].as_array().cloned().unwrap_or_default();
        Ok(servers.iter().map(|server| server["current"] == true && server["offline"] != true).collect())
    }

    /// Follows a stream from this number on; returns the messages, and whether there are any at present.
    pub async fn follow(&self, stream: &str, from: u64, headers_only: bool) -> Result<(Ordered, bool), Fail> {
        let again = |error: &dyn std::fmt::Display| Fail::Again(error.to_string());
        let config = OrderedConfig {
            deliver_subject: self.client.new_inbox(),
            deliver_policy: match from {
                0 | 1 => DeliverPolicy::All,
                start_sequence => DeliverPolicy::ByStartSequence { start_sequence },
            },
            headers_only,
            ..OrderedConfig::default()
        };
        let stream = self.context.get_stream_no_info(stream).await.map_err(|error| again(&error))?;
        let consumer = stream.create_consumer(config).await.map_err(|error| again(&error))?;
        let some = consumer.cached_info().num_pending > 0;
        Ok((consumer.messages().await.map_err(|error| again(&error))?, some))
    }
}

/// Parses a time as the engine writes it, `2026-11-16T12:30:00.123456789Z`, into milliseconds since 1970.
fn moment(text: &str) -> Option<Millis> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let numbers: Option<Vec<u64>> = clock.split(':').map(|n| n.parse().ok()).collect();
    let [hour @ ..=23, minute @ ..=59, second @ ..=60] = numbers?[..] else { return None };
    let seconds = crate::date::begins(date)? / 1_000 + hour * 3_600 + minute * 60 + second;
    let thousandths = format!("{fraction:0<3}").get(..3)?.parse::<u64>().ok()?;
    Some(seconds * 1_000 + thousandths)
}

fn small() -> String {
    format!("the engine accepts only small messages; set max_payload to {} or more", 2 * MAX_VALUE)
}

/// The properties of a stream that the guarantees of this module rest on: nothing is deleted automatically, a full
/// stream refuses messages, a value has one message, and of concurrent changes one is stored.
fn nature(last_only: bool) -> Value {
    json!({
        "retention": "limits", "discard": "new", "max_msgs_per_subject": if last_only { 1 } else { -1 }, "max_msgs": -1,
        "max_age": 0, "max_msg_size": -1, "duplicate_window": TWICE.as_nanos() as u64,
    })
}

/// The property in which an existing stream differs.
fn differs(config: &Value, last_only: bool) -> Option<String> {
    let nature = nature(last_only);
    let mut odd = nature.as_object()?.iter().filter(|(name, wanted)| {
        let known = &config[name.as_str()];
        // The engine omits zero values.
        known != *wanted && !(known.is_null() && **wanted == 0)
    });
    odd.next().map(|(name, _)| name.clone())
}

/// Whether a request that a server refused may work in a moment.
fn judge(error: &async_nats::jetstream::Error) -> Fail {
    let code = error.error_code();
    let electing = [
        ErrorCode::CLUSTER_NOT_AVAILABLE,
        ErrorCode::CLUSTER_NOT_LEADER,
        ErrorCode::CLUSTER_NOT_ASSIGNED,
        ErrorCode::CLUSTER_NOT_ACTIVE,
        ErrorCode::CLUSTER_NO_PEERS,
        ErrorCode::STREAM_DUPLICATE_MESSAGE_CONFLICT,
    ];
    let words = error.to_string();
    match code {
        ErrorCode::NO_MESSAGE_FOUND => Fail::Missing,
        ErrorCode::STREAM_NOT_FOUND => Fail::NoStream,
        ErrorCode::STREAM_WRONG_LAST_SEQUENCE | ErrorCode::STREAM_WRONG_LAST_SEQUENCE_CONSTANT => Fail::Changed,
        _ if electing.contains(&code) => Fail::Again(words),
        _ => Fail::Final(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_times_are_read() {
        assert_eq!(moment("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(moment("2000-02-29T23:59:59.5Z"), Some(951_868_799_500));
        assert_eq!(moment("2026-11-16T12:30:00.123456789Z"), Some(1_794_832_200_123));
        for odd in ["", "2026-11-16", "2026-13-16T12:30:00Z", "2026-11-16T12:30Z", "1969-12-31T23:59:59Z", "-T-Z"] {
            assert_eq!(moment(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_stream_of_another_nature_is_noticed() {
        let mut config = nature(true);
        assert_eq!(differs(&config, true), None);
        assert_eq!(differs(&config, false), Some("max_msgs_per_subject".to_owned()));
        config["discard"] = "old".into();
        assert_eq!(differs(&config, true), Some("discard".to_owned()));
        let mut config = nature(false);
        config.as_object_mut().unwrap().remove("max_age");
        assert_eq!(differs(&config, false), None, "none");
        config["max_age"] = 1.into();
        assert_eq!(differs(&config, false), Some("max_age".to_owned()));
    }
}
