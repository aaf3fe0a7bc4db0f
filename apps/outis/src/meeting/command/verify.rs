//! A verifier on another machine: it works until it is stopped, even if the lobby is offline for a while.

use std::io::Write;
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

use outis_meeting::wire::{Answer, Refusal};
use outis_table::identity::Identity;

use super::{Caller, digits};
use crate::app::NodeArgs;
use crate::exit::Failure;
use crate::machine::wall_clock::epoch;
use crate::meeting::line::{Broken, Line};
use crate::meeting::verifier::{self, Turn};

/// Pauses between attempts: they grow from the first to the second value.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Why a verifier cannot work at the moment.
#[derive(Debug)]
enum Hindrance {
    /// The connection broke, or there is none.
    Away(Broken),
    /// The operator does not trust its key, which is this.
    Untrusted(String),
    /// The lobby refuses at the moment.
    Refused(Refusal),
    /// The log does not have the hash that was requested.
    OtherLog,
}

impl Hindrance {
    /// Whether waiting may help.
    fn passes(&self) -> bool {
        let (Self::Away(Broken::Refused(refusal)) | Self::Refused(refusal)) = self else { return true };
        !matches!(refusal, Refusal::Blocked | Refusal::Version)
    }
}

impl std::fmt::Display for Hindrance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Away(broken) => broken.fmt(f),
            Self::Untrusted(key) => write!(
                f,
                "the lobby does not trust this verifier yet; its operator must add the line \
                 \"trusted-verifier = {key}\" to the configuration and restart the lobby"
            ),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::OtherLog => f.write_str("the lobby sent a log that does not match its name"),
        }
    }
}

impl std::error::Error for Hindrance {}

struct Verifier {
    line: Option<Line>,
    caller: Caller,
    identity: Identity,
}

impl Verifier {
    /// Takes one job, over a new connection if there is none.
    fn turn(&mut self) -> Result<Turn, Hindrance> {
        let mut line = match self.line.take() {
            Some(line) => line,
            None => self.caller.dial().map_err(Hindrance::Away)?,
        };
        let (mut broken, mut refused) = (None, None);
        let turn = verifier::turn(&self.identity, epoch(), &mut |request| match self
            .caller
            .runtime
            .block_on(line.ask(&request))
        {
            Ok(answer) => {
                if let Answer::Sorry(refusal) = &answer {
                    refused = Some(*refusal);
                }
                Some(answer)
            }
            Err(error) => {
                broken = Some(error);
                None
            }
        });
        if let Some(broken) = broken {
            return Err(Hindrance::Away(broken));
        }
        self.line = Some(line);
        match (turn, refused) {
            (Turn::Failed, Some(Refusal::NotYours)) => {
                Err(Hindrance::Untrusted(digits(self.identity.public().as_bytes())))
            }
            (Turn::Failed, Some(refusal)) => Err(Hindrance::Refused(refusal)),
            (Turn::Failed, None) => Err(Hindrance::OtherLog),
            (turn, _) => Ok(turn),
        }
    }
}

/// Verifies until it is stopped; with `once`, until the queue is empty.
pub fn verify(once: bool, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let caller = Caller::new(node)?;
    let identity = caller.profile.keys().identity().clone();
    writeln!(out, "verifier: {}", digits(identity.public().as_bytes()))?;
    out.flush()?;
    let mut verifier = Verifier { line: None, caller, identity };
    let mut pause = FIRST_PAUSE;
    // The last message, which is not repeated.
    let mut told: Option<Discriminant<Hindrance>> = None;
    loop {
        match verifier.turn() {
            Ok(turn) => {
                pause = FIRST_PAUSE;
                if told.take().is_some() {
                    eprintln!("outis: the verifier is working again");
                }
                match turn {
                    Turn::Done(outcome) => {
                        writeln!(out, "verified: {outcome:?}")?;
                        out.flush()?;
                    }
                    _ if once => return Ok(()),
                    _ => std::thread::sleep(Duration::from_secs(1)),
                }
            }
            Err(hindrance) if once || !hindrance.passes() => return Err(hindrance.into()),
            Err(hindrance) => {
                let kind = Some(discriminant(&hindrance));
                if told != kind {
                    eprintln!("outis: {hindrance}; trying again");
                    told = kind;
                }
                std::thread::sleep(pause);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}
