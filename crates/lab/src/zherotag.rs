//! ZheroTag: the set intersection by which a king sees the other.

use crypto_bigint::{U256, Uint};
use outis_crypto::batch::Batch;
use outis_crypto::challenger::{Challenger, Nonces};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::group::{Element, mul_generator};
use outis_crypto::key::SeatSecret;
use outis_crypto::sigma::{SameExponents, Sigma};

use crate::Version;
use crate::modular::{Group, Logarithms, small_factor_of_ristretto};
use crate::run::{Outcome, Run, number};

const PARTIES: &[&str] = &["Anna", "Béla"];
const ANNA: usize = 0;
const BELA: usize = 1;
const GRID: usize = 6;
const SQUARES: usize = GRID * GRID;
const SOUGHT: u64 = 1_000_000;

/// The scalar field of BN254, in which the published code computes.
const FIELD: U256 = Uint::from_be_hex("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001");
/// Small factors of its order.
const FACTORS: [u64; 2] = [983, 11003];

fn column_and_row(square: usize) -> Vec<(&'static str, outis_game::words::Arg)> {
    vec![("column", number(square % GRID + 1)), ("row", number(square / GRID + 1))]
}

/// The point of a square in our group.
fn point(square: usize) -> Element {
    Element::hash("laboratory square", &[&(square as u32).to_le_bytes()])
}

/// F7: in the published group an answer shows where the king stands.
pub fn group(version: Version, source: &mut Nonces) -> Run {
    let run = Run::new("zherotag-group", PARTIES);
    match version {
        Version::Published => group_published(run, source),
        Version::Repaired => group_repaired(run, source),
    }
}

fn group_published(mut run: Run, source: &mut Nonces) -> Run {
    let group = Group::new(FIELD);
    // A number for each square, as a hash into the field gives it: the same in every game.
    let squares: Vec<U256> = (0..SQUARES).map(|_| group.random(254, source)).collect();
    let hidden = source.below(SQUARES);
    // Anna asks about one square of her own and takes her exponent off what comes back.
    let asked = squares[0];
    run.sends(ANNA, BELA, "ask").shows_bytes("square", asked.to_be_bytes().as_ref().to_vec());
    let beta = group.random(254, source);
    let (answered, own) = (group.pow(&asked, &beta), group.pow(&squares[hidden], &beta));
    run.sends(BELA, ANNA, "answer")
        .shows_bytes("answer", answered.to_be_bytes().as_ref().to_vec())
        .shows_bytes("own-square", own.to_be_bytes().as_ref().to_vec())
        .learns_text(BELA, "answer-bela", column_and_row(hidden));
    let tables: Vec<Logarithms<4>> = FACTORS.iter().filter_map(|factor| Logarithms::new(group, *factor)).collect();
    let fits = |square: &usize| {
        tables.iter().all(|table| {
            let [a, b, c, d] = [&asked, &answered, &squares[*square], &own].map(|n| table.of(n));
            table.times(a, d) == table.times(b, c)
        })
    };
    let found: Vec<usize> = (0..SQUARES).filter(fits).collect();
    let step =
        run.works(ANNA, "read").with("first", number(FACTORS[0] as usize)).with("second", number(FACTORS[1] as usize));
    if let [square] = found[..] {
        step.learns_text(ANNA, "read-anna", column_and_row(square));
    }
    run.ends(Outcome::of_attack(found == [hidden]))
}

fn group_repaired(mut run: Run, source: &mut Nonces) -> Run {
    let hidden = source.below(SQUARES);
    run.sends(ANNA, BELA, "ask").shows("square", &point(0));
    let beta = SeatSecret::random(source);
    let raised =
        |square: usize| Element::new(point(square).point() * beta.secret().expose_secret()).expect("a prime order");
    run.sends(BELA, ANNA, "answer").shows("answer", &raised(0)).shows("own-square", &raised(hidden)).learns_text(
        BELA,
        "answer-bela",
        column_and_row(hidden),
    );
    let factor = small_factor_of_ristretto(SOUGHT);
    run.works(ANNA, "seek").with("n", number(SOUGHT as usize)).learns(ANNA, "seek-anna");
    run.ends(Outcome::of_attack(factor.is_some()))
}

/// F8: who answers with garbage is not seen, as long as only its own square must be proved.
pub fn invisible(version: Version, source: &mut Nonces) -> Run {
    let mut run = Run::new("zherotag-invisible", PARTIES);
    // Béla stands beside Anna: his square is the third of her neighbours.
    let neighbours: Vec<usize> = [0, 1, 2, 6, 8, 12, 13, 14].to_vec();
    let stands = neighbours[2];
    let alpha = SeatSecret::random(source);
    let raised = |base: &Element, by: &SeatSecret| {
        Element::new(base.point() * by.secret().expose_secret()).expect("a prime order")
    };
    let set: Vec<Element> = neighbours.iter().map(|square| raised(&point(*square), &alpha)).collect();
    run.sends(ANNA, BELA, "ask").shows("squares", &set[..]);

    let beta = SeatSecret::random(source);
    let garbage: Vec<Element> =
        set.iter().map(|_| Element::new(mul_generator(&source.draw())).expect("a random point")).collect();
    let own = [raised(&point(stands), &beta)];
    let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(BELA as u8), head: Head([0; 32]) };
    run.sends(BELA, ANNA, "answer")
        .shows("answer", &garbage[..])
        .shows("own-square", &own[..])
        .learns(BELA, "answer-bela");

    // What must be proved: as published, that his own square has the exponent of his key; here, that all of it has.
    let (mut bases, mut powers) = (vec![point(stands)], own.to_vec());
    if version == Version::Repaired {
        bases.extend(&set);
        powers.extend(&garbage);
    }
    let statement = SameExponents { key: *beta.key(), bases: &bases, powers: &powers };
    let proof = statement.prove(beta.secret(), &mut Challenger::new(&context), source);
    let mut batch = Batch::new();
    let accepted = proof
        .is_some_and(|proof| statement.verify(&proof, &mut Challenger::new(&context), &mut batch).is_ok())
        && batch.settle().is_ok();
    run.works(ANNA, if version == Version::Published { "check-own" } else { "check-all" })
        .learns(ANNA, if accepted { "check-accepted" } else { "check-refused" });

    let sought = raised(&own[0], &alpha);
    let seen = accepted && garbage.contains(&sought);
    if accepted {
        run.works(ANNA, "compare").learns(ANNA, if seen { "compare-seen" } else { "compare-nothing" });
    }
    run.ends(Outcome::of_attack(accepted && !seen))
}
