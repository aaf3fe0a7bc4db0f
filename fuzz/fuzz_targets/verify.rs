//! Every proof, damaged: it is refused and the right seat named; an untouched one is accepted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use outis_fuzz::claims::{CLAIMS, Verdict, context, elsewhere};
use outis_fuzz::mutate::{damage, take};
use outis_fuzz::world::world;

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let [kind, place] = take(&mut input);
    let claim = &CLAIMS[usize::from(kind) % CLAIMS.len()];
    let honest = world().proof(claim);
    let mut bytes = honest.to_vec();
    damage(&mut bytes, input);
    // One in eight is checked at another place than where it was made.
    let here = !claim.bound || place & 7 != 7;
    let context = if here { context() } else { elsewhere(place >> 3) };
    let verdict = (claim.verify)(world(), &bytes, &context);
    if here && bytes == honest {
        assert_eq!(verdict, Verdict::Accepted, "{}: an honest proof is refused", claim.name);
    } else {
        assert_ne!(verdict, Verdict::Accepted, "{}: a changed proof is accepted", claim.name);
    }
});
