//! A dishonest lobby against clients that check. It can lose and delay; anything else it does has no effect or is
//! detected. The tests of whole programs are in `apps/outis/tests/lobby.rs`.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_meeting::check::{BoardMemory, Inbox, LobbyMisbehaviour, Opened};
use outis_meeting::notice::{Notice, Pace, SeatClaim, Signed};
use outis_meeting::parcel::Parcel;
use outis_meeting::wire::Mail;
use outis_table::codec::{Decode, Encode};
use outis_table::identity::Identity;
use outis_table::letter::Letter;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const NOW: u64 = 1_000;

fn identity(n: u8) -> Identity {
    Identity::from_secret(&[n; 32])
}

fn notice(host: &Identity, serial: u64, open: u8) -> Signed<Notice> {
    let notice = Notice {
        host: host.public(),
        room: [1; 16],
        serial,
        who: "Anna".into(),
        game: "tarokk".into(),
        grade: "hardened".into(),
        dials: vec![],
        seats: 4,
        open,
        pace: Pace::Live,
        strength: None,
        code: None,
        until: NOW + 1_000,
    };
    Signed::new(host, notice).unwrap()
}

fn letter(from: &Identity, to: &Identity, serial: u64) -> Mail {
    let parcel = Parcel::Frame { table: [1; 32], serial, from: 0, to: 1, frame: vec![1, 2, 3] };
    let mut rng = ChaCha20Rng::seed_from_u64(serial);
    Mail::Letter(Box::new(Letter::seal(from, &to.public(), &parcel.to_bytes(), &mut rng).unwrap()))
}

#[test]
fn a_forged_notice_is_not_shown() {
    let (anna, mallory) = (identity(1), identity(9));
    let mut bytes = notice(&anna, 1, 3).to_bytes();
    // Another key in place of the host's.
    bytes[..32].copy_from_slice(mallory.public().as_bytes());
    let swapped = Signed::<Notice>::from_bytes(&bytes, &()).unwrap();
    let (good, odd) = BoardMemory::default().look(vec![swapped], NOW);
    assert!(good.is_empty());
    assert_eq!(odd, [LobbyMisbehaviour::Forged]);
}

#[test]
fn an_old_notice_is_known_for_one() {
    let anna = identity(1);
    let mut memory = BoardMemory::default();
    let (old, new) = (notice(&anna, 1, 3), notice(&anna, 2, 1));
    assert_eq!(memory.look(vec![new.clone()], NOW), (vec![new.clone()], vec![]));
    assert_eq!(memory.look(vec![old], NOW), (vec![], vec![LobbyMisbehaviour::Replayed]));
    assert_eq!(memory.look(vec![new.clone(), new.clone()], NOW), (vec![new.clone()], vec![]), "twice is once");
    assert_eq!(memory.look(vec![new], NOW + 1_000), (vec![], vec![LobbyMisbehaviour::Stale]));
}

#[test]
fn different_notices_for_different_people_convict_the_host() {
    let anna = identity(1);
    let mut memory = BoardMemory::default();
    let (one, other) = (notice(&anna, 1, 3), notice(&anna, 1, 2));
    memory.look(vec![one.clone()], NOW);
    // Two friends compare what the lobby showed them.
    let (good, odd) = memory.look(vec![other.clone()], NOW);
    assert!(good.is_empty());
    let [LobbyMisbehaviour::Equivocation(proof)] = &*odd else { panic!("{odd:?}") };
    assert!(proof.iter().all(Signed::is_signed) && **proof == [one, other], "both are signed: it was not the carrier");
}

#[test]
fn dropped_delayed_and_reordered_letters_arrive_late_or_never_and_nothing_else() {
    let (anna, bela) = (identity(1), identity(2));
    let mut tray = Inbox::default();
    let serial = |opened: Option<Opened>| match opened {
        Some(Opened::Letter(from, Parcel::Frame { serial, .. })) => {
            assert_eq!(*from, anna.public());
            serial
        }
        other => panic!("{other:?}"),
    };
    // The second is lost, and the third comes before the first: the serial numbers inside show it, and the table
    // requests the rest.
    assert_eq!(serial(tray.open(&bela, 5, &letter(&anna, &bela, 3)).unwrap()), 3);
    assert_eq!(serial(tray.open(&bela, 8, &letter(&anna, &bela, 1)).unwrap()), 1);
    assert_eq!(tray.open(&bela, 7, &letter(&anna, &bela, 4)), Err(LobbyMisbehaviour::Disorder));
}

#[test]
fn replayed_letters_are_opened_once() {
    let (anna, bela) = (identity(1), identity(2));
    let mut tray = Inbox::default();
    assert!(tray.open(&bela, 1, &letter(&anna, &bela, 1)).unwrap().is_some());
    assert_eq!(tray.open(&bela, 2, &letter(&anna, &bela, 1)), Ok(None));
    // Nor on a new connection, where positions start again.
    tray.rewind();
    assert_eq!(tray.open(&bela, 1, &letter(&anna, &bela, 1)), Ok(None));
    assert!(tray.open(&bela, 2, &letter(&anna, &bela, 2)).unwrap().is_some());
}

#[test]
fn forged_and_misdirected_letters_are_not_opened() {
    let (anna, bela, mallory) = (identity(1), identity(2), identity(9));
    let mut tray = Inbox::default();
    assert_eq!(tray.open(&bela, 1, &letter(&anna, &mallory, 1)), Err(LobbyMisbehaviour::Misdirected));
    // A message of the lobby's own, under another player's name.
    let Mail::Letter(own) = letter(&mallory, &bela, 1) else { panic!() };
    let mut bytes = own.to_bytes();
    bytes[..32].copy_from_slice(anna.public().as_bytes());
    let forged = Mail::Letter(Box::new(Letter::from_bytes(&bytes, &()).unwrap()));
    assert_eq!(tray.open(&bela, 2, &forged), Err(LobbyMisbehaviour::Forged));
    // What it signs under its own key counts as its own, and as nobody else's.
    let Ok(Some(Opened::Letter(from, _))) = tray.open(&bela, 3, &letter(&mallory, &bela, 1)) else { panic!() };
    assert_eq!(*from, mallory.public());
    // Every single bit of a message.
    let good = letter(&anna, &bela, 2).to_bytes();
    for i in 0..good.len() {
        let mut bytes = good.clone();
        bytes[i] ^= 0x10;
        if let Ok(mail) = Mail::from_bytes(&bytes, &()) {
            assert!(Inbox::default().open(&bela, 1, &mail).is_err(), "byte {i}");
        }
    }
}

#[test]
fn forged_and_misdirected_claims_give_no_seat() {
    let (anna, bela, mallory) = (identity(1), identity(2), identity(9));
    let shown = notice(&anna, 1, 3);
    let claim = |host: &Identity| {
        let claim = SeatClaim {
            guest: bela.public(),
            who: "Béla".into(),
            host: host.public(),
            room: [1; 16],
            notice: shown.name(),
            at: NOW,
        };
        Box::new(Signed::new(&bela, claim).unwrap())
    };
    let mut tray = Inbox::default();
    let good = claim(&anna);
    assert_eq!(tray.open(&anna, 1, &Mail::Claim(good.clone())), Ok(Some(Opened::Claim(good.clone()))));
    assert_eq!(tray.open(&anna, 2, &Mail::Claim(good)), Ok(None), "shown again");
    assert_eq!(tray.open(&anna, 3, &Mail::Claim(claim(&mallory))), Err(LobbyMisbehaviour::Misdirected));
    let mut bytes = claim(&anna).to_bytes();
    bytes[..32].copy_from_slice(mallory.public().as_bytes());
    let swapped = Signed::<SeatClaim>::from_bytes(&bytes, &()).unwrap();
    assert_eq!(
        tray.open(&anna, 4, &Mail::Claim(Box::new(swapped))),
        Err(LobbyMisbehaviour::Forged),
        "another key in the guest's place"
    );
}
