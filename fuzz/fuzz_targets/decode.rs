//! Every decoder, on arbitrary bytes and on damaged valid ones: no panic, no allocation beyond the budget, and what is
//! decoded has no other encoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use outis_fuzz::catalogue::{Sizes, decoder};
use outis_fuzz::memory::within_budget;
use outis_fuzz::mutate::{damage, take};
use outis_fuzz::world::world;

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let [kind, mode] = take(&mut input);
    let decoder = decoder(kind.into());
    let (mut sizes, mut bytes) = (decoder.valid)(world());
    if mode & 1 == 1 {
        sizes = Sizes::from_bytes(take(&mut input));
    }
    if mode & 2 == 2 {
        bytes = input.to_vec();
    } else {
        damage(&mut bytes, input);
    }
    let decoded = within_budget(bytes.len(), || (decoder.decode)(&bytes, sizes));
    match decoded {
        Ok(encoded) => assert!(encoded == bytes, "{} has two encodings", decoder.name),
        Err(error) => {
            assert!(error.offset <= bytes.len() && !error.field.is_empty(), "{}: {error}", decoder.name);
            assert!(!error.to_string().is_empty());
            assert!(mode & 3 != 0 || !input.is_empty(), "{}: valid bytes refused: {error}", decoder.name);
        }
    }
});
