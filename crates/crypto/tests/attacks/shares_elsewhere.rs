//! Attack on the ladder of types: accepted shares forget for which codes, and under which key, they were proved.

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::{AcceptedShares, DrawnCodes, accept_shares, open_deck, share};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::shuffle::reencrypt;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn shares(
    key: &JointKey,
    secrets: &[SeatSecret],
    seats: &[u8],
    codes: &[Code],
    rng: &mut ChaCha20Rng,
) -> Vec<AcceptedShares> {
    let accept = |seat: &u8| {
        let at = Context { table: TableId([7; 32]), deal: 1, seat: Seat(*seat), head: Head([3; 32]) };
        let made = share(&secrets[usize::from(*seat)], codes, &mut Challenger::new(&at), rng).unwrap();
        let mut batch = Batch::new();
        let pending = accept_shares(key, Seat(*seat), codes, &made, &mut Challenger::new(&at), &mut batch).unwrap();
        batch.settle().unwrap().release(pending).unwrap()
    };
    seats.iter().map(accept).collect()
}

#[test]
fn shares_of_other_codes_are_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (secrets, key) = table_of(3, &mut rng);
    let (deck, _) = reencrypt::shuffle(&key, &open_deck(&key, &Faces::new("test", 8)).0, &mut rng).unwrap();
    let (mine, yours) = (&deck.0[..3], &deck.0[3..6]);
    let others = shares(&key, &secrets, &[0, 2], mine, &mut rng);
    assert!(DrawnCodes::for_drawer(&key, mine, &others, Seat(1)).is_ok());
    assert!(DrawnCodes::for_drawer(&key, yours, &others, Seat(1)).is_err(), "shares of three other codes");
}

#[test]
fn shares_under_another_key_are_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let (secrets, old) = table_of(3, &mut rng);
    let (_, new) = table_of(3, &mut rng);
    let faces = Faces::new("test", 8);
    let (before, _) = reencrypt::shuffle(&old, &open_deck(&old, &faces).0, &mut rng).unwrap();
    let (after, _) = reencrypt::shuffle(&new, &open_deck(&new, &faces).0, &mut rng).unwrap();
    let stale = shares(&old, &secrets, &[0, 2], &before.0, &mut rng);
    assert!(DrawnCodes::for_drawer(&new, &after.0, &stale, Seat(1)).is_err(), "shares of the last deal");
}
