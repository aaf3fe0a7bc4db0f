//! Every proof, honest and checked: what `verify` attacks. The first run refuses to start while a label is missing here.

use outis_crypto::batch::Batch;
use outis_crypto::cases::{Cases, CasesProof, CasesShape};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, DecodeError, Encode};
use outis_crypto::coin::{AwaitingCommitments, AwaitingReveals, Reveal, Toss};
use outis_crypto::containment::Subset;
use outis_crypto::containment::classic::ClassicContainment;
use outis_crypto::containment::{ContainmentProof, ContainmentShape};
use outis_crypto::context::{Context, Head, Seat, SeatSet, TableId};
use outis_crypto::deck::{CardOpening, Shares};
use outis_crypto::disclosure::{Disclosed, Disclosure, Prepared};
use outis_crypto::key::{KeyReveal, SeatKey};
use outis_crypto::labels::Label;
use outis_crypto::one_of_many::{OneOfManyProof, OneOfManyWitness};
use outis_crypto::one_of_rows::{OneOfRows, OneOfRowsProof, RowWitness};
use outis_crypto::selection::{Selected, SelectionProof, SelectionWitness};
use outis_crypto::shuffle::classic::CutAndChoose;
use outis_crypto::shuffle::recreate::{Hands, Recreated};
use outis_crypto::shuffle::reencrypt::Shuffled;
use outis_crypto::shuffle::{Decks, PermutationProof, PermutationShape, classic, exponent, recreate, reencrypt};
use outis_crypto::sigma::{AnyOfProof, Invalid, Sigma, SigmaProof};
use outis_crypto::{containment, deck};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::world::{PACK, PAIR, World, world};

/// How a proof fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Not the encoding of any proof.
    Undecodable,
    /// Out of order.
    Invalid,
    /// False.
    Refuted,
    /// It holds.
    Accepted,
}

/// A proof to attack.
pub struct Claim {
    /// For reports.
    pub name: &'static str,
    /// What it covers; `None` for a message without a label of its own.
    pub label: Option<Label>,
    /// Whether it holds only where it was made.
    pub bound: bool,
    /// An honest proof, encoded.
    pub prove: fn(&World, &mut ChaCha20Rng) -> Option<Vec<u8>>,
    /// Decodes and checks.
    pub verify: fn(&World, &[u8], &Context) -> Verdict,
}

/// Every proof.
pub const CLAIMS: &[Claim] = &[
    Claim {
        name: "possession",
        label: Some(Label::Possession),
        bound: true,
        prove: |w, rng| prove(&w.possession(), w.seats[0].secret(), rng),
        verify: |w, bytes, context| check(&w.possession(), bytes, context),
    },
    Claim {
        name: "same exponent",
        label: Some(Label::SameExponent),
        bound: true,
        prove: |w, rng| prove(&w.same_exponent(), w.seats[0].secret(), rng),
        verify: |w, bytes, context| check(&w.same_exponent(), bytes, context),
    },
    Claim {
        name: "shares",
        label: Some(Label::SameExponents),
        bound: true,
        prove: |w, rng| Some(deck::share(&w.seats[0], &w.deck.0, &mut challenger(), rng)?.to_bytes()),
        verify: |w, bytes, context| {
            settle(Shares::from_bytes(bytes, &PACK), context, |shares, challenger, batch| {
                deck::accept_shares(&w.key, Seat(0), &w.deck.0, shares, challenger, batch).map(drop)
            })
        },
    },
    Claim {
        name: "re-encryption",
        label: Some(Label::Reencryption),
        bound: true,
        prove: |w, rng| prove(&w.reencryption.0, &w.reencryption.1, rng),
        verify: |w, bytes, context| check(&w.reencryption.0, bytes, context),
    },
    Claim {
        name: "same card",
        label: Some(Label::SameCard),
        bound: true,
        prove: |w, rng| prove(&w.same_card(), &(w.seats[0].secret().clone(), w.hand[0].randomness.clone()), rng),
        verify: |w, bytes, context| check(&w.same_card(), bytes, context),
    },
    Claim {
        name: "any of",
        label: Some(Label::AnyOf),
        bound: true,
        prove: |w, rng| {
            let secret = [*w.seats[0].secret().expose_secret()];
            Some(w.any_of().prove(1, &secret, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let statement = w.any_of();
            settle(AnyOfProof::from_bytes(bytes, &statement.shape()), context, |proof, challenger, batch| {
                statement.verify(proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "one of many",
        label: Some(Label::OneOfMany),
        bound: true,
        prove: |w, rng| {
            let randomness = w.hand[0].randomness.expose_secret();
            let witness = OneOfManyWitness { position: w.hand[0].card as u32, randomness };
            Some(w.one_of_many().prove(&w.commitments, &w.key, witness, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            settle(OneOfManyProof::from_bytes(bytes, &PACK), context, |proof, challenger, batch| {
                w.one_of_many().verify(&w.commitments, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "shuffle",
        label: Some(Label::Shuffle),
        bound: true,
        prove: |w, rng| {
            let decks = Decks { input: &w.deck.0, output: &w.shuffled.0.0 };
            Some(reencrypt::prove(&w.commitments, &w.key, decks, &w.shuffled.1, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = PermutationShape::of::<Shuffled<'_>>(PACK);
            settle(PermutationProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let decks = Decks { input: &w.deck.0, output: &w.shuffled.0.0 };
                reencrypt::verify(&w.commitments, &w.key, decks, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "exponent shuffle",
        label: Some(Label::ExponentShuffle),
        bound: true,
        prove: |w, rng| {
            let decks = Decks { input: w.faces.as_slice(), output: &w.raised.0[..] };
            let order = &w.raised.1;
            Some(exponent::prove(&w.commitments, &w.seats[0], decks, order, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = PermutationShape::of::<exponent::Exponentiated<'_>>(PACK);
            settle(PermutationProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let decks = Decks { input: w.faces.as_slice(), output: &w.raised.0[..] };
                exponent::verify(&w.commitments, w.seats[0].key(), decks, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "re-creation",
        label: Some(Label::Recreation),
        bound: true,
        prove: |w, rng| {
            let hands = Hands { held: &[w.hand[0].code], drawn: &w.drawn, created: &w.recreated.0 };
            let secret = &w.recreated.1;
            let proof = recreate::prove(&w.commitments, &w.seats[0], &w.key, hands, secret, &mut challenger(), rng);
            Some(proof?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = PermutationShape::of::<Recreated<'_>>(w.recreated.0.len());
            settle(PermutationProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let hands = Hands { held: &[w.hand[0].code], drawn: &w.drawn, created: &w.recreated.0 };
                recreate::verify(&w.commitments, w.seats[0].key(), &w.key, hands, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "containment",
        label: Some(Label::Containment),
        bound: true,
        prove: |w, rng| {
            let set = Subset { pack: &w.faces, cards: &SET };
            Some(containment::prove(&w.commitments, &w.key, set, &w.hand[..2], &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = ContainmentShape { codes: 2, faces: PACK };
            settle(ContainmentProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let codes = [w.hand[0].code, w.hand[1].code];
                let set = Subset { pack: &w.faces, cards: &SET };
                containment::verify(&w.commitments, &w.key, set, &codes, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "disclosure",
        label: Some(Label::Disclosure),
        bound: true,
        prove: |w, rng| {
            let (issuer, viewer) = (&w.seats[0], w.seats[1].key());
            let prepared = Prepared::new(issuer, viewer, PAIR, &1u32, rng)?;
            let issue = |statement: &Disclosed<'_>| statement.issue(issuer, prepared, &mut challenger(), rng);
            Some(w.disclosed(issue)?.to_bytes())
        },
        verify: |w, bytes, context| {
            settle(Disclosure::from_bytes(bytes, &PAIR), context, |proof, challenger, batch| {
                w.disclosed(|statement| statement.verify(proof, challenger, batch))
            })
        },
    },
    Claim {
        name: "cases",
        label: Some(Label::Cases),
        bound: true,
        prove: |w, rng| {
            let known = World::known();
            let prove = |statement: &Cases<'_>| statement.prove(&w.key, &known, &mut challenger(), rng);
            Some(w.cases(prove)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = CasesShape { cases: 2, alternatives: 3 };
            settle(CasesProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                w.cases(|statement| statement.verify(proof, challenger, batch))
            })
        },
    },
    Claim {
        name: "selection",
        label: Some(Label::Selection),
        bound: true,
        prove: |w, rng| {
            let (known, secret) = (World::known(), &w.seats[0]);
            let witness = SelectionWitness { secret, entry: 0, known: &known };
            let prove =
                |statement: &Selected<'_>| statement.prove(&w.commitments, &w.key, witness, &mut challenger(), rng);
            Some(w.selected(prove)?.to_bytes())
        },
        verify: |w, bytes, context| {
            settle(SelectionProof::from_bytes(bytes, &PACK), context, |proof, challenger, batch| {
                w.selected(|statement| statement.verify(&w.commitments, proof, challenger, batch))
            })
        },
    },
    Claim {
        name: "one of rows",
        label: Some(Label::OneOfRows),
        bound: true,
        prove: |w, rng| {
            let (key, randomness) = (w.seats[0].secret(), &w.hand[0].randomness);
            let witness = RowWitness { row: 1, key, randomness };
            let prove = |statement: &OneOfRows<'_>| statement.prove(&w.commitments, &witness, &mut challenger(), rng);
            Some(w.one_of_rows(prove)?.to_bytes())
        },
        verify: |w, bytes, context| {
            settle(OneOfRowsProof::from_bytes(bytes, &PACK), context, |proof, challenger, batch| {
                w.one_of_rows(|statement| statement.verify(&w.commitments, proof, challenger, batch))
            })
        },
    },
    Claim {
        name: "classic shuffle",
        label: Some(Label::ClassicShuffle),
        bound: true,
        prove: |w, rng| {
            let decks = Decks { input: &w.deck.0[..PAIR], output: &w.pair.0.0[..] };
            Some(classic::prove::<128>(&w.key, decks, &w.pair.1, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            settle(CutAndChoose::<128>::from_bytes(bytes, &PAIR), context, |proof, challenger, batch| {
                classic::verify(
                    &w.key,
                    Decks { input: &w.deck.0[..PAIR], output: &w.pair.0.0[..] },
                    proof,
                    challenger,
                    batch,
                )
            })
        },
    },
    Claim {
        name: "classic containment",
        label: Some(Label::ClassicContainment),
        bound: true,
        prove: |w, rng| {
            let set = Subset { pack: &w.faces, cards: &SET[..PAIR] };
            let proof = containment::classic::prove::<128>(&w.key, set, &w.hand[..PAIR], &mut challenger(), rng);
            Some(proof?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = ContainmentShape { codes: PAIR, faces: PAIR };
            settle(ClassicContainment::<128>::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let codes = [w.hand[0].code, w.hand[1].code];
                let set = Subset { pack: &w.faces, cards: &SET[..PAIR] };
                containment::classic::verify(&w.key, set, &codes, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "coin",
        label: None,
        bound: false,
        prove: |_, _| Some(coin()?.0.to_bytes()),
        verify: |_, bytes, _| match (Reveal::from_bytes(bytes, &()), coin()) {
            (Ok(reveal), Some((_, mut table))) => match table.accept(Seat(0), &reveal) {
                Ok(_) => Verdict::Accepted,
                Err(_) => Verdict::Refuted,
            },
            _ => Verdict::Undecodable,
        },
    },
    Claim {
        name: "key reveal",
        label: None,
        bound: true,
        prove: |w, rng| Some(w.seats[0].reveal(w.commitment.1, &mut challenger(), rng)?.to_bytes()),
        verify: |w, bytes, context| match KeyReveal::from_bytes(bytes, &()) {
            Err(_) => Verdict::Undecodable,
            Ok(reveal) => match SeatKey::accept(context, &w.commitment.0, &reveal) {
                Ok(_) => Verdict::Accepted,
                Err(_) => Verdict::Refuted,
            },
        },
    },
    Claim {
        name: "opened",
        label: None,
        bound: false,
        prove: |w, _| Some(CardOpening::new(&w.hand[0]).to_bytes()),
        verify: |w, bytes, _| match CardOpening::from_bytes(bytes, &PACK) {
            Err(_) => Verdict::Undecodable,
            Ok(opened) if opened.opens(&w.key, &w.faces, &w.hand[0].code) => Verdict::Accepted,
            Ok(_) => Verdict::Refuted,
        },
    },
];

/// The set of the containment proof: the whole pack.
const SET: [usize; PACK] = [0, 1, 2, 3, 4, 5];

/// A toss between two seats, always the same: the first seat's reveal, and the table that waits for it.
fn coin() -> Option<(Reveal, AwaitingReveals)> {
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let toss = Toss {
        purpose: "fuzz",
        table: context().table,
        deal: context().deal,
        subject: [4; 32],
        seats: SeatSet::new(&[Seat(0), Seat(1)]).ok()?,
    };
    let mut table = AwaitingCommitments::new(toss).ok()?;
    let (own, commitment) = toss.contribute(Seat(0), rng);
    table.accept(Seat(0), commitment).ok()?;
    table.accept(Seat(1), toss.contribute(Seat(1), rng).1).ok()?;
    let table = table.all_in().ok()?;
    Some((own.reveal(&table).ok()?, table))
}

/// The place of all honest proofs.
pub fn context() -> Context {
    Context { table: TableId([1; 32]), deal: 2, seat: Seat(0), head: Head([3; 32]) }
}

/// Another place.
pub fn elsewhere(which: u8) -> Context {
    let here = context();
    match which % 4 {
        0 => Context { table: TableId([which; 32]), ..here },
        1 => Context { deal: u32::from(which) + 3, ..here },
        2 => Context { seat: Seat(which | 1), ..here },
        _ => Context { head: Head([which | 4; 32]), ..here },
    }
}

pub(crate) fn challenger() -> Challenger {
    Challenger::new(&context())
}

fn prove<S: Sigma>(statement: &S, witness: &S::Witness, rng: &mut ChaCha20Rng) -> Option<Vec<u8>> {
    Some(statement.prove(witness, &mut challenger(), rng)?.to_bytes())
}

fn check<S: Sigma>(statement: &S, bytes: &[u8], context: &Context) -> Verdict {
    settle(SigmaProof::from_bytes(bytes, &statement.shape()), context, |proof, challenger, batch| {
        statement.verify(proof, challenger, batch)
    })
}

/// Checks a proof in one batch with an honest proof of another seat, which must never be blamed.
fn settle<P>(
    proof: Result<P, DecodeError>,
    context: &Context,
    verify: impl FnOnce(&P, &mut Challenger, &mut Batch) -> Result<(), Invalid>,
) -> Verdict {
    let Ok(proof) = proof else { return Verdict::Undecodable };
    let mut batch = Batch::new();
    let (bystander, honest, place) = &world().bystander;
    bystander.verify(honest, &mut Challenger::new(place), &mut batch).expect("an honest proof is in order");
    if verify(&proof, &mut Challenger::new(context), &mut batch).is_err() {
        return Verdict::Invalid;
    }
    match batch.settle() {
        Ok(_) => Verdict::Accepted,
        Err(refuted) => {
            let blamed: Vec<_> = refuted.claims.iter().map(|claim| (claim.index, claim.seat)).collect();
            assert_eq!(blamed, [(1, context.seat)], "the wrong one is blamed");
            Verdict::Refuted
        }
    }
}
