//! The readers of bridge files (PBN, LIN, plain hands, JSON, hands as found, tosses), on arbitrary bytes and on damaged
//! valid files: no panic, no allocation out of proportion, and what is read can be written and read again.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use outis_bridge::commands::{Format, Print, convert, deal, read, read_found, sheets, write_sheets};
use outis_bridge::sheet::Scheme;
use outis_bridge::toss::{Agreed, Joint, Secret};
use outis_fuzz::memory::within_budget;
use outis_fuzz::mutate::{damage, take};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// A valid file of every kind.
fn files() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let dealt = sheets(deal(2, 3, &mut rng).expect("boards"), Scheme::EXTRA, &mut rng);
        let formats = [Format::Pbn, Format::Lin, Format::Plain, Format::Json];
        let mut files: Vec<Vec<u8>> = formats
            .iter()
            .map(|format| write_sheets(&dealt, &Print::default(), *format).expect("a format for deals"))
            .collect();
        files.push(b"7 N:AK2.QJ.T987.6543 - AA.. 3... \n8 - - - -".to_vec());
        let agreed = Agreed { about: "x".to_owned(), clubs: 2, boards: 2, from: 1 };
        let mut joint = Joint::new(agreed).expect("two clubs");
        let keys = [Secret::new(&mut rng), Secret::new(&mut rng)];
        for club in [0u8, 1, 0, 1] {
            let _ = joint.step(club + 1, &keys[usize::from(club)]);
        }
        files.push(joint.to_string().into_bytes());
        files
    })
}

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let [kind, mode] = take(&mut input);
    let files = files();
    let mut bytes = files[usize::from(kind) % files.len()].clone();
    match mode & 3 {
        // Arbitrary bytes, alone or after a valid start.
        2 => bytes = input.to_vec(),
        3 => {
            bytes.truncate(usize::from(mode) * 8);
            bytes.extend_from_slice(input);
        }
        _ => damage(&mut bytes, input),
    }
    // A deal is a few hundred bytes in memory and at least 67 in a file; text is decoded and cut into lines first.
    let records = within_budget(2 * bytes.len(), || read(&bytes));
    match records {
        Ok(records) => {
            assert!(!records.is_empty());
            for format in [Format::Pbn, Format::Json] {
                let written = convert(&records, &Print::default(), format).expect("every deal can be written");
                assert_eq!(read(&written).as_ref(), Ok(&records), "{format:?}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(found) = within_budget(2 * bytes.len(), || read_found(&bytes)) {
        assert!(!found.is_empty());
    }
    let text = String::from_utf8_lossy(&bytes);
    if let Ok(joint) = within_budget(2 * text.len(), || Joint::read(&text)) {
        assert_eq!(Joint::read(&joint.to_string()).as_ref(), Ok(&joint));
        let _ = joint.state();
    }
});
