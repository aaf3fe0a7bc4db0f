//! Decryption shares, many cards under one proof (TK-15 to TK-17).

use std::hint::black_box;

use outis_crypto::batch::Batch;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::Seat;
use outis_crypto::deck::{self, Shares};

use super::Work;
use super::baseline::Baseline;
use super::fixture::Fixture;
use super::source;
use crate::exit::Failure;

/// `share.prove`: one seat's shares of a deck, proved and encoded, per card.
pub fn prove(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let run = move || drop(black_box(shares(&fixture).expect("honest shares can be proved")));
    Ok(Work::Time { run: Box::new(run), per_run: n as u32, floor: Some(Baseline::raising(n)) })
}

/// `share.verify`: one seat's shares, decoded and checked, per card.
pub fn verify(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let sent = shares(&fixture).ok_or("honest shares can be proved")?;
    let holds = move || {
        let read = Shares::from_bytes(&sent, &n).ok()?;
        let mut batch = Batch::new();
        let key = &fixture.seated.key;
        let shares =
            deck::accept_shares(key, Seat(0), &fixture.deck.0, &read, &mut fixture.challenger(0), &mut batch).ok()?;
        batch.settle().ok()?.release(shares).map(drop)
    };
    let run = move || holds().expect("honest shares are accepted");
    Ok(Work::Time { run: Box::new(run), per_run: n as u32, floor: Some(Baseline::shares(n)) })
}

fn shares(fixture: &Fixture) -> Option<Vec<u8>> {
    let shares = deck::share(&fixture.seated.secrets[0], &fixture.deck.0, &mut fixture.challenger(0), &mut source())?;
    Some(shares.to_bytes())
}
