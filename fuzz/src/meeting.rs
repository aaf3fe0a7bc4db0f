//! Messages to a lobby, one of each.

use outis_meeting::archive::{Consent, GameVerdict, Outcome, Shelved};
use outis_meeting::notice::{Notice, Pace, SeatClaim, Signed};
use outis_meeting::parcel::Parcel;
use outis_meeting::wire::{Answer, Mail, Request};
use outis_table::codec::Encode;
use outis_table::identity::Identity;
use outis_table::letter::Letter;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn identity(n: u8) -> Identity {
    Identity::from_secret(&[n; 32])
}

fn signed<T: outis_meeting::notice::Statement>(by: u8, body: T) -> Signed<T> {
    Signed::new(&identity(by), body).expect("signed by its signer")
}

/// A notice.
pub fn notice() -> Notice {
    Notice {
        host: identity(1).public(),
        room: [1; 16],
        serial: 7,
        who: "Anna".into(),
        game: "dark-chess".into(),
        grade: "hardened".into(),
        dials: vec![1, -2, 3],
        seats: 2,
        open: 1,
        pace: Pace::Days(3),
        strength: Some((1_400, 1_600)),
        code: Some([2; 32]),
        until: 1_000_000,
    }
}

/// A claim.
pub fn claim() -> SeatClaim {
    let (guest, host) = (identity(2).public(), identity(1).public());
    SeatClaim { guest, who: "Béla".into(), host, room: [1; 16], notice: [3; 32], at: 5 }
}

/// A consent.
pub fn consent() -> Consent {
    Consent { player: identity(1).public(), who: "Anna".into(), table: [4; 32], head: [5; 32] }
}

/// A verdict.
pub fn verdict() -> GameVerdict {
    GameVerdict {
        verifier: identity(3).public(),
        log: [6; 32],
        table: [4; 32],
        head: [5; 32],
        game: "dark-chess".into(),
        players: vec![identity(1).public(), identity(2).public()],
        outcome: Outcome::Fault(1),
        scores: vec![1, -1],
        at: 9,
        words: "a proof does not hold".into(),
    }
}

/// A game in the archive.
pub fn shelved() -> Shelved {
    let (consents, verdicts) = (vec![signed(1, consent())], vec![signed(3, verdict())]);
    Shelved { table: [4; 32], log: [6; 32], game: "dark-chess".into(), at: 8, consents, verdicts }
}

/// What is in a letter.
pub fn parcel() -> Parcel {
    Parcel::Frame { table: [4; 32], serial: 2, from: 0, to: 1, frame: vec![1, 2, 3] }
}

/// A letter.
pub fn letter() -> Letter {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    Letter::seal(&identity(1), &identity(2).public(), &parcel().to_bytes(), &mut rng).expect("short enough")
}

/// Something in a mailbox.
pub fn mail() -> Mail {
    Mail::Claim(Box::new(signed(2, claim())))
}

/// A request, by number.
pub fn request(n: usize) -> Vec<u8> {
    let request = match n {
        0 => Request::Hello { version: 1, who: "Anna".into() },
        1 => Request::Post(signed(1, notice())),
        2 => Request::Consent { offer: vec![1, 2], consents: vec![signed(1, consent())] },
        3 => Request::Found { job: 1, attempt: 2, verdict: Box::new(signed(3, verdict())) },
        _ => Request::Shelf {
            player: Some(identity(1).public()),
            game: Some("poker".into()),
            from: 1,
            to: 2,
            after: Some([1; 32]),
        },
    };
    request.to_bytes()
}

/// An answer, by number.
pub fn answer(n: usize) -> Vec<u8> {
    let answer = match n {
        0 => Answer::Board(vec![signed(1, notice())]),
        1 => Answer::Mail(vec![(1, mail()), (2, Mail::Letter(Box::new(letter())))]),
        2 => Answer::Shelf(vec![shelved()]),
        _ => Answer::People(vec![(identity(1).public(), "Anna".into())]),
    };
    answer.to_bytes()
}
