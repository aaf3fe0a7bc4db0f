//! Everything that a lobby or its visitors decode: each value has one encoding, every byte counts, and nothing damaged
//! passes for something else. The fuzzer starts from the same samples.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

#[path = "../../../fuzz/src/meeting.rs"]
#[allow(missing_docs, reason = "samples")]
mod samples;

use outis_meeting::archive::{Consent, GameVerdict, Shelved};
use outis_meeting::notice::{Notice, SeatClaim};
use outis_meeting::parcel::Parcel;
use outis_meeting::wire::{Answer, Mail, Request};
use outis_table::codec::{Decode, Encode};
use outis_table::letter::Letter;

fn torture<T: Decode<Shape = ()> + Encode>(name: &str, valid: &[u8]) {
    let read = |bytes: &[u8]| T::from_bytes(bytes, &()).map(|value| value.to_bytes());
    assert_eq!(read(valid).as_deref(), Ok(valid), "{name}");
    for cut in 0..valid.len() {
        assert!(read(&valid[..cut]).is_err(), "{name}, {cut} bytes of {}", valid.len());
    }
    assert!(read(&[valid, &[0]].concat()).is_err(), "{name} with a byte more");
    for i in 0..valid.len() {
        for bit in [0x01, 0x80, 0xff] {
            let mut bytes = valid.to_vec();
            bytes[i] ^= bit;
            if let Ok(again) = read(&bytes) {
                assert_eq!(again, bytes, "{name} has two encodings, byte {i}");
            }
        }
    }
}

#[test]
fn every_value_has_one_encoding() {
    torture::<Notice>("notice", &samples::notice().to_bytes());
    torture::<SeatClaim>("claim", &samples::claim().to_bytes());
    torture::<Consent>("consent", &samples::consent().to_bytes());
    torture::<GameVerdict>("verdict", &samples::verdict().to_bytes());
    torture::<Shelved>("shelved", &samples::shelved().to_bytes());
    torture::<Parcel>("parcel", &samples::parcel().to_bytes());
    torture::<Letter>("letter", &samples::letter().to_bytes());
    torture::<Mail>("mail", &samples::mail().to_bytes());
    for n in 0..5 {
        torture::<Request>("request", &samples::request(n));
    }
    for n in 0..4 {
        torture::<Answer>("answer", &samples::answer(n));
    }
}

#[test]
fn a_count_that_promises_too_much_costs_nothing() {
    // A list of 200 notices in three bytes, and more visitors than are allowed.
    for bytes in [&[2u8, 200, 0][..], &[3, 0xff, 0xff], &[4, 200, 0], &[6, 200, 0], &[9, 200, 0]] {
        assert!(Answer::from_bytes(bytes, &()).is_err());
    }
    assert!(Request::from_bytes(&[11, 0xff, 0xff, 0xff, 0xff], &()).is_err(), "a log of four gigabytes");
}
