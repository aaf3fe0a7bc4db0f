//! All that reads a peer's bytes: the decoders, and the proofs that follow them. `fuzz/run` refuses to start while a
//! type with a decoder is missing here, and the first run while a label is.

use std::sync::OnceLock;

use outis_crypto::andos::{Packing, SemiHonestAnswer, SemiHonestKey, SemiHonestList, SemiHonestPacket};
use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::cases::{Case, Cases, CasesProof, CasesShape};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, DecodeError, Encode};
use outis_crypto::coin::{AwaitingCommitments, AwaitingReveals, Reveal, Toss};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::containment::classic::ClassicContainment;
use outis_crypto::containment::{self, ContainmentProof, ContainmentShape};
use outis_crypto::context::{Context, Head, Seat, SeatSet, TableId};
use outis_crypto::deck::{self, CardOpening, Shares};
use outis_crypto::disclosure::{Disclosed, Disclosure, Prepared, Question};
use outis_crypto::group::{Element, Scalar, mul_generator, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, KeyReveal, SeatKey, SeatSecret};
use outis_crypto::labels::Label;
use outis_crypto::number::{Cipher, Form, Known, Numbers, Seed};
use outis_crypto::one_of_many::{OneOfMany, OneOfManyProof};
use outis_crypto::one_of_rows::{OneOfRows, OneOfRowsProof, RowWitness};
use outis_crypto::secret::SecretScalar;
use outis_crypto::selection::{Entry as Choice, Pair, Selected, SelectionProof};
use outis_crypto::shuffle::classic::{CutAndChoose, Openings, Shadows};
use outis_crypto::shuffle::recreate::Recreated;
use outis_crypto::shuffle::reencrypt::{ShuffleSecret, Shuffled};
use outis_crypto::shuffle::{
    CommitmentKey, PermutationProof, PermutationShape, classic, exponent, recreate, reencrypt,
};
use outis_crypto::sigma::{
    AnyOf, AnyOfProof, Base, Invalid, Possession, Reencryption, Relation, SameCard, SameExponent, Sigma, SigmaProof,
    SigmaShape,
};
use outis_crypto::sra::{Layer, Removal, Showing};
use outis_dark_chess::classic::Lists;
use outis_dark_chess::classic::player::Memo as ClassicChessMemo;
use outis_dark_chess::classic::step::{Step as ClassicChessStep, Turn as ClassicChessTurn};
use outis_dark_chess::protocol::Step as DarkChessStep;
use outis_dark_chess::protocol::player::Memo as DarkChessMemo;
use outis_dark_chess::protocol::step::Turn;
use outis_dark_chess::protocol::turn::Moved;
use outis_dark_chess::rules::moves::{Announcement, Move};
use outis_dark_chess::rules::options::Options as DarkChessOptions;
use outis_high_card::protocol::player::Memo;
use outis_high_card::protocol::shuffling::ShuffleProof;
use outis_high_card::protocol::step::Step;
use outis_high_card::rules::Options;
use outis_matching_pennies::protocol::{Memo as PenniesMemo, Step as PenniesStep};
use outis_matching_pennies::rules::{Options as PenniesOptions, Side};
use outis_meeting::archive::{Consent, GameVerdict, Shelved};
use outis_meeting::notice::{Notice, SeatClaim};
use outis_meeting::parcel::Parcel;
use outis_meeting::wire::{Answer, Mail, Request};
use outis_poker::protocol::Step as PokerStep;
use outis_poker::protocol::deal::{Said, Shown};
use outis_poker::protocol::player::Memo as PokerMemo;
use outis_poker::rules::Options as PokerOptions;
use outis_table::claim::Silence;
use outis_table::entry::Entry;
use outis_table::evidence::Equivocation;
use outis_table::export::Record;
use outis_table::identity::{IdentityKey, Signature};
use outis_table::letter::Letter;
use outis_table::offer::Offer;
use outis_table::session::wire::Frame;
use outis_tarokk::protocol::Step as TarokkStep;
use outis_tarokk::protocol::bits::SumShare;
use outis_tarokk::protocol::player::Memo as TarokkMemo;
use outis_tarokk::rules::options::Options as TarokkOptions;
use outis_zherotag::protocol::place::{OnGrid, Position};
use outis_zherotag::protocol::player::Memo as ZheroTagMemo;
use outis_zherotag::protocol::psi::{Ask, Reply};
use outis_zherotag::protocol::step::{Move as ZheroTagMove, Step as ZheroTagStep};
use outis_zherotag::rules::Options as ZheroTagOptions;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::{andos, meeting, table};

/// Cards in the pack of the examples: enough for two digits in a one-of-many proof, few enough for many runs a second.
const PACK: usize = 6;

/// Cards of the cut-and-choose proofs, which have 128 shadows of each.
const PAIR: usize = 2;

/// Cards of the long examples, which only get decoded: just above a power of two, where a vector that grows wastes most.
const MANY: usize = 65;

/// What a decoder must know beforehand, as far as it needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// A number of cards, codes, branches or equations.
    pub a: usize,
    /// A second number.
    pub b: usize,
}

impl Sizes {
    /// Sizes from an input: up to some more than the caps, or absurd.
    pub fn from_bytes([low, high, b]: [u8; 3]) -> Self {
        let a = usize::from(u16::from_le_bytes([low, high]));
        Self { a: if a >= 0xff00 { usize::MAX - usize::from(low) } else { a % 1100 }, b: usize::from(b) }
    }
}

/// One decoder.
pub struct Decoder {
    /// For reports.
    pub name: &'static str,
    /// Decodes, and encodes what came of it.
    pub decode: fn(&[u8], Sizes) -> Result<Vec<u8>, DecodeError>,
    /// A valid encoding with its sizes.
    pub valid: fn(&World) -> (Sizes, Vec<u8>),
}

fn both<T: Decode + Encode>(bytes: &[u8], shape: &T::Shape) -> Result<Vec<u8>, DecodeError> {
    T::from_bytes(bytes, shape).map(|value| value.to_bytes())
}

/// `name: type, sizes => shape, world => valid encoding with sizes a, b`
macro_rules! decoders {
    ($($name:literal: $type:ty, $sizes:pat => $shape:expr, $world:pat => $valid:expr, $a:expr, $b:expr;)*) => {
        /// Every decoder.
        pub const DECODERS: &[Decoder] = &[$(Decoder {
            name: $name,
            decode: |bytes, $sizes| both::<$type>(bytes, $shape),
            valid: |$world| (Sizes { a: $a, b: $b }, $valid),
        },)*];
    };
}

decoders! {
    "code": Code, _ => &(), w => w.hand[0].code.to_bytes(), 0, 0;
    "codes": Codes, s => &s.a, w => w.deck.to_bytes(), PACK, 0;
    "many codes": Codes, s => &s.a, w => w.hand[0].code.to_bytes().repeat(MANY), MANY, 0;
    "context": Context, _ => &(), _ => context().to_bytes(), 0, 0;
    "commitment": Commitment, _ => &(), w => w.commitment.0.to_bytes(), 0, 0;
    "opening": Opening, _ => &(), w => w.commitment.1.to_bytes(), 0, 0;
    "coin": Reveal, _ => &(), w => w.named("coin").to_vec(), 0, 0;
    "key reveal": KeyReveal, _ => &(), w => w.named("key reveal").to_vec(), 0, 0;
    "shares": Shares, s => &s.a, w => w.named("shares").to_vec(), PACK, 0;
    "many shares": Shares, s => &s.a, w => w.many_shares(), MANY, 0;
    "opened": CardOpening, s => &s.a, w => w.named("opened").to_vec(), PACK, 0;
    "sigma": SigmaProof, s => &SigmaShape { equations: s.a, secrets: s.b }, w => w.named("same card").to_vec(), 3, 2;
    "any of": AnyOfProof, s => &branches(s), w => w.named("any of").to_vec(), 2, 1;
    "one of many": OneOfManyProof, s => &s.a, w => w.named("one of many").to_vec(), PACK, 0;
    "containment of one": ContainmentProof, s => &ContainmentShape { faces: s.a, codes: s.b },
        w => w.named("one of many").to_vec(), PACK, 1;
    "containment": ContainmentProof, s => &ContainmentShape { faces: s.a, codes: s.b },
        w => w.named("containment").to_vec(), PACK, 2;
    "disclosure": Disclosure, s => &s.a, w => w.named("disclosure").to_vec(), PAIR, 0;
    "seed": Seed, _ => &(), _ => vec![7; 32], 0, 0;
    "cases": CasesProof, s => &CasesShape { cases: s.b, alternatives: s.a }, w => w.named("cases").to_vec(), 3, 2;
    "selection": SelectionProof, s => &s.a, w => w.named("selection").to_vec(), PACK, 0;
    "shuffle": PermutationProof, s => &PermutationShape::of::<Shuffled<'_>>(s.a),
        w => w.named("shuffle").to_vec(), PACK, 0;
    "re-creation": PermutationProof, s => &PermutationShape::of::<Recreated<'_>>(s.a),
        w => w.named("re-creation").to_vec(), 3, 0;
    "shadows": Shadows<2>, s => &s.a, w => w.named("classic shuffle")[..2 * PAIR * 64].to_vec(), PAIR, 0;
    "openings": Openings<2>, s => &s.a, w => w.two_openings(), PAIR, 0;
    "classic shuffle": CutAndChoose<128>, s => &s.a, w => w.named("classic shuffle").to_vec(), PAIR, 0;
    "identity": IdentityKey, _ => &(), _ => table::offer().seats[0].key.to_bytes(), 0, 0;
    "signature": Signature, _ => &(), _ => table::recorded().entry.signature().to_bytes(), 0, 0;
    "offer": Offer, _ => &(), _ => table::offer().to_bytes(), 0, 0;
    "entry": Entry, _ => &(), _ => table::recorded().entry.to_bytes(), 0, 0;
    "equivocation": Equivocation, _ => &(), _ => table::equivocation().to_bytes(), 0, 0;
    "silence": Silence, _ => &(), _ => table::silence(), 0, 0;
    "record": Record, _ => &(), _ => Record::Entry(table::recorded().entry.clone()).to_bytes(), 0, 0;
    "frame": Frame, _ => &(), _ => table::recorded().frames[0].clone(), 0, 0;
    "status": Frame, _ => &(), _ => table::status(), 0, 0;
    "pennies options": PenniesOptions, _ => &(), _ => vec![3, 60], 0, 0;
    "side": Side, _ => &(), _ => vec![1], 0, 0;
    "pennies step": PenniesStep, s => table::penny(s.a), _ => vec![0; 33], 1, 0;
    "pennies memo": PenniesMemo, _ => &(), _ => vec![0; 33], 0, 0;
    "high-card options": Options, _ => &(), _ => vec![52, 1, 0], 0, 0;
    "high-card step": Step, s => &table::card_step(s.a, s.b), w => w.high_card_shuffle(), 2, PACK;
    "high-card shuffle": ShuffleProof, s => &(s.a, table::grade(s.b)), w => w.named("shuffle").to_vec(), PACK, 0;
    "high-card memo": Memo, _ => &(), _ => [vec![1], vec![0; 63]].concat(), 0, 0;
    "tarokk options": TarokkOptions, _ => &(), _ => vec![31, 2, 0, 60, 0], 0, 0;
    "andos key": SemiHonestKey<4>, _ => &(), _ => andos::key(), 0, 0;
    "andos list": SemiHonestList<4>, s => &andos::form(s, Packing::Full), _ => andos::list(), andos::EXAMPLE.0, andos::EXAMPLE.1;
    "andos packet": SemiHonestPacket<4>, s => &andos::form(s, Packing::Full),
        _ => andos::packet(Packing::Full), andos::EXAMPLE.0, andos::EXAMPLE.1;
    "andos compact": SemiHonestPacket<4>, s => &andos::form(s, Packing::Compact),
        _ => andos::packet(Packing::Compact), andos::EXAMPLE.0, andos::EXAMPLE.1;
    "andos answer": SemiHonestAnswer, s => &andos::shape(s), _ => vec![5], andos::EXAMPLE.0, andos::EXAMPLE.1;
    "classic chess lists": Lists<4>, _ => andos::key_of(), _ => andos::lists(), 0, 0;
    "classic chess turn": ClassicChessTurn, _ => &(), _ => vec![0, 36, 1], 0, 0;
    "classic chess key": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(0), 0, 0;
    "classic chess step": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(2), 2, 0;
    "classic chess ask": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(3), 3, 0;
    "classic chess reply": ClassicChessStep<4>, s => &andos::kind(s.a), _ => andos::step(4), 4, 0;
    "classic chess memo": ClassicChessMemo<4, 2>, _ => &(), _ => vec![3, 2, 0, 7, 9], 0, 0;
    "dark chess options": DarkChessOptions, _ => &(), _ => vec![1, 50, 2, 60, 0, 0, 0], 0, 0;
    "dark chess move": Move, _ => &(), _ => vec![4, 48, 56, 5], 0, 0;
    "dark chess moved": Moved, s => &table::charter(s.b), w => table::chess_move(w.key.element().as_bytes()), 0, 0;
    "dark chess turn": Turn, s => &(table::charter(s.b), s.a == 1), _ => vec![3], 0, 0;
    "dark chess step": DarkChessStep, s => &table::chess_step(s.a, s.b), _ => vec![1], 0, 0;
    "dark chess memo": DarkChessMemo, _ => &(), _ => vec![0], 0, 0;
    "dark chess announcement": Announcement, _ => &(), _ => vec![36, 1], 0, 0;
    "tarokk sum": SumShare, _ => &(), w => w.tarokk_sum(), 0, 0;
    "tarokk step": TarokkStep, s => &table::tarokk_step(s.a), w => w.tarokk_sum(), 0, 0;
    "tarokk call": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("call")).said.clone(), table::tarokk_longest("call"), 0;
    "tarokk discard": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("discard")).said.clone(), table::tarokk_longest("discard"), 0;
    "tarokk tell": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("tell")).said.clone(), table::tarokk_longest("tell"), 0;
    "tarokk annul": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("annul")).said.clone(), table::tarokk_longest("annul"), 0;
    "tarokk word": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("word")).said.clone(), table::tarokk_longest("word"), 0;
    "tarokk play": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("play")).said.clone(), table::tarokk_longest("play"), 0;
    "tarokk open": TarokkStep, s => &table::tarokk_turn(s.a).kind,
        _ => table::tarokk_turn(table::tarokk_longest("open")).said.clone(), table::tarokk_longest("open"), 0;
    "tarokk memo": TarokkMemo, _ => &(), _ => vec![0], 0, 0;
    "sra layer": Layer, s => &s.a, w => w.layer(), PACK, 0;
    "sra removal": Removal, s => &s.a, w => w.named("shares").to_vec(), PACK, 0;
    "sra showing": Showing, s => &s.a, w => w.showing(), 2, 0;
    "poker options": PokerOptions, _ => &(), _ => PokerOptions::USUAL.to_bytes(), 0, 0;
    "poker deal": Said, s => &table::poker_deal(s.a, s.b), w => w.layer(), 0, PACK;
    "poker shown": Shown, s => &table::poker_shown(s.a), w => w.showing(), 4, 0;
    "poker step": PokerStep, s => &table::poker_step(s.a, s.b), w => [vec![1], w.showing()].concat(), 3, 4;
    "poker memo": PokerMemo, _ => &(), w => [vec![0], w.seats[0].secret().expose_secret().to_bytes().to_vec()].concat(), 0, 0;
    "one of rows": OneOfRowsProof, s => &s.a, w => w.named("one of rows").to_vec(), PACK, 0;
    "zherotag options": ZheroTagOptions, _ => &(), _ => vec![6, 60, 60, 1], 0, 0;
    "zherotag place": Position, _ => &(), _ => table::zherotag("place"), 0, 0;
    "zherotag grid": OnGrid, s => &table::grid(s.a), _ => table::zherotag("grid"), 4, 0;
    "zherotag ask": Ask, s => &table::grid(s.a), _ => table::zherotag("ask"), 4, 0;
    "zherotag reply": Reply, s => &table::grid(s.a), _ => table::zherotag("reply"), 4, 0;
    "zherotag move": ZheroTagMove, s => &(table::grade(s.b), table::grid(s.a)), _ => table::zherotag("move"), 4, 0;
    "zherotag step": ZheroTagStep, s => &table::zherotag_step(s.a), _ => table::zherotag("step"), 2, 0;
    "zherotag memo": ZheroTagMemo, _ => &(), _ => vec![0], 0, 0;
    "letter": Letter, _ => &(), _ => meeting::letter().to_bytes(), 0, 0;
    "notice": Notice, _ => &(), _ => meeting::notice().to_bytes(), 0, 0;
    "seat claim": SeatClaim, _ => &(), _ => meeting::claim().to_bytes(), 0, 0;
    "consent": Consent, _ => &(), _ => meeting::consent().to_bytes(), 0, 0;
    "game verdict": GameVerdict, _ => &(), _ => meeting::verdict().to_bytes(), 0, 0;
    "shelved": Shelved, _ => &(), _ => meeting::shelved().to_bytes(), 0, 0;
    "parcel": Parcel, _ => &(), _ => meeting::parcel().to_bytes(), 0, 0;
    "mail": Mail, _ => &(), _ => meeting::mail().to_bytes(), 0, 0;
    "hello": Request, _ => &(), _ => meeting::request(0), 0, 0;
    "post": Request, _ => &(), _ => meeting::request(1), 0, 0;
    "consents": Request, _ => &(), _ => meeting::request(2), 0, 0;
    "found": Request, _ => &(), _ => meeting::request(3), 0, 0;
    "look": Request, _ => &(), _ => meeting::request(4), 0, 0;
    "board": Answer, _ => &(), _ => meeting::answer(0), 0, 0;
    "mailbox": Answer, _ => &(), _ => meeting::answer(1), 0, 0;
    "shelf": Answer, _ => &(), _ => meeting::answer(2), 0, 0;
    "people": Answer, _ => &(), _ => meeting::answer(3), 0, 0;
    "classic containment": ClassicContainment<128>, s => &ContainmentShape { faces: s.a, codes: s.b },
        w => w.named("classic containment").to_vec(), PAIR, PAIR;
}

fn branches(sizes: Sizes) -> Vec<SigmaShape> {
    vec![SigmaShape { equations: sizes.b, secrets: sizes.b }; sizes.a % 32]
}

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
            let witness = (w.hand[0].card as u32, w.hand[0].randomness.expose_secret());
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
            let decks = (&w.deck.0[..], &w.shuffled.0.0[..]);
            Some(reencrypt::prove(&w.commitments, &w.key, decks, &w.shuffled.1, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = PermutationShape::of::<Shuffled<'_>>(PACK);
            settle(PermutationProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let decks = (&w.deck.0[..], &w.shuffled.0.0[..]);
                reencrypt::verify(&w.commitments, &w.key, decks, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "exponent shuffle",
        label: Some(Label::ExponentShuffle),
        bound: true,
        prove: |w, rng| {
            let decks = (w.faces.as_slice(), &w.raised.0[..]);
            let order = &w.raised.1;
            Some(exponent::prove(&w.commitments, &w.seats[0], decks, order, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = PermutationShape::of::<exponent::Exponentiated<'_>>(PACK);
            settle(PermutationProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let decks = (w.faces.as_slice(), &w.raised.0[..]);
                exponent::verify(&w.commitments, w.seats[0].key(), decks, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "re-creation",
        label: Some(Label::Recreation),
        bound: true,
        prove: |w, rng| {
            let hands = (&[w.hand[0].code][..], &w.drawn[..], &w.recreated.0);
            let secret = &w.recreated.1;
            let proof = recreate::prove(&w.commitments, &w.seats[0], &w.key, hands, secret, &mut challenger(), rng);
            Some(proof?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = PermutationShape::of::<Recreated<'_>>(w.recreated.0.len());
            settle(PermutationProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let hands = (&[w.hand[0].code][..], &w.drawn[..], &w.recreated.0);
                recreate::verify(&w.commitments, w.seats[0].key(), &w.key, hands, proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "containment",
        label: Some(Label::Containment),
        bound: true,
        prove: |w, rng| {
            let set = (&w.faces, &SET[..]);
            Some(containment::prove(&w.commitments, &w.key, set, &w.hand[..2], &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = ContainmentShape { codes: 2, faces: PACK };
            settle(ContainmentProof::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let codes = [w.hand[0].code, w.hand[1].code];
                containment::verify(&w.commitments, &w.key, (&w.faces, &SET), &codes, proof, challenger, batch)
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
            let witness = (secret, 0, &known[..]);
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
            let decks = (&w.deck.0[..PAIR], &w.pair.0.0[..]);
            Some(classic::prove::<128>(&w.key, decks, &w.pair.1, &mut challenger(), rng)?.to_bytes())
        },
        verify: |w, bytes, context| {
            settle(CutAndChoose::<128>::from_bytes(bytes, &PAIR), context, |proof, challenger, batch| {
                classic::verify(&w.key, (&w.deck.0[..PAIR], &w.pair.0.0[..]), proof, challenger, batch)
            })
        },
    },
    Claim {
        name: "classic containment",
        label: Some(Label::ClassicContainment),
        bound: true,
        prove: |w, rng| {
            let set = (&w.faces, &SET[..PAIR]);
            let proof = containment::classic::prove::<128>(&w.key, set, &w.hand[..PAIR], &mut challenger(), rng);
            Some(proof?.to_bytes())
        },
        verify: |w, bytes, context| {
            let shape = ContainmentShape { codes: PAIR, faces: PAIR };
            settle(ClassicContainment::<128>::from_bytes(bytes, &shape), context, |proof, challenger, batch| {
                let codes = [w.hand[0].code, w.hand[1].code];
                let set = (&w.faces, &SET[..PAIR]);
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

fn challenger() -> Challenger {
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

/// A table in the middle of a deal, with all that the proofs are about.
pub struct World {
    commitments: CommitmentKey,
    seats: Vec<SeatSecret>,
    key: JointKey,
    faces: Faces,
    deck: Codes,
    hand: Vec<OwnCard>,
    drawn: Vec<Code>,
    commitment: (Commitment, Opening),
    reencryption: (Reencryption, SecretScalar),
    shuffled: (Codes, ShuffleSecret),
    pair: (Codes, ShuffleSecret),
    raised: (Vec<Element>, outis_crypto::permutation::Permutation),
    recreated: (Codes, recreate::RecreationSecret),
    bystander: (Possession, SigmaProof, Context),
    proofs: Vec<Vec<u8>>,
}

/// The one world of a process; always the same.
pub fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        // Tables that decoders look things up in are nobody's input: they are made before any budget counts.
        table::charter(0);
        andos::key_of();
        World::new().expect("an honest deal works")
    })
}

impl World {
    fn new() -> Option<Self> {
        for label in Label::ALL {
            assert!(CLAIMS.iter().any(|claim| claim.label == Some(*label)), "{label} must be in CLAIMS");
        }
        let rng = &mut ChaCha20Rng::seed_from_u64(1);
        let (seats, key) = table_of(3, rng);
        let faces = Faces::new("fuzz", PACK);
        let deck = deck::open_deck(&key, &faces);
        let hand = (0..2).map(|card| deck::create(&key, &faces, card, rng)).collect::<Option<Vec<_>>>()?;
        let drawn: Vec<Code> =
            [0, 4].iter().map(|card| encrypt(seats[0].key(), faces.get(*card)?, rng)).collect::<Option<_>>()?;
        let mask = random_scalar(rng);
        let (input, output) = (hand[0].code, add(&hand[0].code, key.element(), &mask)?);
        let (created, secret) = recreate::recreate(&seats[0], &key, &faces, &hand[..1], &drawn, rng)?;
        let place = Context { seat: Seat(1), ..context() };
        let bystander = Possession { key: *seats[1].key() };
        let honest = bystander.prove(seats[1].secret(), &mut Challenger::new(&place), rng)?;
        let mut world = Self {
            commitments: CommitmentKey::new(PACK),
            commitment: seats[0].commit(&Place::of(&context()), rng),
            reencryption: (Reencryption { key: *key.element(), input, output }, SecretScalar::new(mask)),
            shuffled: reencrypt::shuffle(&key, &deck.0, rng)?,
            pair: reencrypt::shuffle(&key, &deck.0[..PAIR], rng)?,
            raised: exponent::shuffle(&seats[0], faces.as_slice(), rng)?,
            recreated: (Codes(created.iter().map(|own| own.code).collect()), secret),
            bystander: (bystander, honest, place),
            proofs: Vec::new(),
            seats,
            key,
            faces,
            deck,
            hand,
            drawn,
        };
        world.proofs = CLAIMS.iter().map(|claim| (claim.prove)(&world, rng)).collect::<Option<_>>()?;
        Some(world)
    }

    /// The honest proof of a claim.
    pub fn proof(&self, claim: &Claim) -> &[u8] {
        self.named(claim.name)
    }

    fn named(&self, name: &str) -> &[u8] {
        let at = CLAIMS.iter().position(|claim| claim.name == name).expect("a claim of the catalogue");
        &self.proofs[at]
    }

    fn many_shares(&self) -> Vec<u8> {
        let mut bytes = self.seats[0].key().to_bytes().repeat(MANY);
        bytes.extend_from_slice(self.named("re-encryption"));
        bytes
    }

    /// A share with the proof of one, which are of the right form and not about each other.
    fn tarokk_sum(&self) -> Vec<u8> {
        let _ = table::tarokk_step(3);
        [&self.key.element().as_bytes()[..], self.named("same exponent")].concat()
    }

    /// A layer: key, deck, proof.
    fn layer(&self) -> Vec<u8> {
        let mut bytes = self.seats[0].key().to_bytes();
        self.raised.0.iter().for_each(|point| point.encode(&mut bytes));
        bytes.extend_from_slice(self.named("exponent shuffle"));
        bytes
    }

    /// Two shown cards: numbers, and a proof of the right shape.
    fn showing(&self) -> Vec<u8> {
        let shares = self.named("shares");
        [&[3, 0, 51, 0], &shares[shares.len() - 96..]].concat()
    }

    fn high_card_shuffle(&self) -> Vec<u8> {
        [self.shuffled.0.to_bytes(), self.named("shuffle").to_vec()].concat()
    }

    fn two_openings(&self) -> Vec<u8> {
        self.named("classic shuffle")[128 * PAIR * 64..][..2 * PAIR * 34].to_vec()
    }

    fn possession(&self) -> Possession {
        Possession { key: *self.seats[0].key() }
    }

    fn same_exponent(&self) -> SameExponent {
        let h = self.faces.as_slice()[0];
        let y = h.point() * self.seats[0].secret().expose_secret();
        SameExponent { g: Element::generator(), x: *self.seats[0].key(), h, y: Element::new(y).expect("not zero") }
    }

    fn same_card(&self) -> SameCard {
        SameCard {
            seat_key: *self.seats[0].key(),
            joint_key: *self.key.element(),
            drawn: self.drawn[0],
            created: self.hand[0].code,
        }
    }

    fn any_of(&self) -> AnyOf<'_> {
        let knows = |key| {
            let mut relation = Relation::new();
            let x = relation.secret();
            relation.demand(Base::One(key), [(x, Base::One(generator()))]);
            relation
        };
        AnyOf { branches: vec![knows(self.seats[1].key()), knows(self.seats[0].key())] }
    }

    /// Two questions about the codes of the hand, as if they were numbers, and a public one.
    fn disclosed<T>(&self, then: impl FnOnce(&Disclosed<'_>) -> T) -> T {
        let ciphers = [Cipher::from(self.hand[0].code), Cipher::from(self.hand[1].code), Cipher::public(2)];
        let sums = [Form::number(0).plus(-1, 2)];
        let question = |i| Question { condition: Form::number(3), message: Form::constant(i).plus(2, 1) };
        let (numbers, questions) = (Numbers { ciphers: &ciphers, sums: &sums }, [question(0), question(1)]);
        let (issuer, viewer) = (self.seats[0].key(), self.seats[1].key());
        then(&Disclosed { issuer, viewer, numbers, questions: &questions })
    }

    /// Two numbers whose maker is known.
    fn known() -> [Known; 2] {
        [Known::new(1, Scalar::from(5u64)), Known::new(2, Scalar::from(6u64))]
    }

    /// "The first is 1 or 4, the second is 2."
    fn cases<T>(&self, then: impl FnOnce(&Cases<'_>) -> T) -> T {
        let ciphers = Self::known().map(|known| known.cipher(&self.key));
        let is = |at, value: i32| vec![Form::constant(-value).plus(1, at)];
        let cases: [Case; 2] = [vec![is(0, 4), is(0, 1)], vec![is(1, 2)]];
        then(&Cases { key: self.key.element(), numbers: Numbers { ciphers: &ciphers, sums: &[] }, cases: &cases })
    }

    /// The first of some pairs is of seat 0's key, and belongs to the numbers.
    fn selected<T>(&self, then: impl FnOnce(&Selected<'_>) -> T) -> T {
        let ciphers = Self::known().map(|known| known.cipher(&self.key));
        let secret = self.seats[0].secret().expose_secret();
        let pair = |face: &Element| Pair { base: *face, power: Element::new(face.point() * secret).unwrap_or(*face) };
        let answers: Vec<Pair> = self.faces.as_slice().iter().map(pair).collect();
        let entry = |i: u32| Choice { answer: i, message: 0, values: vec![(0, i as i32 + 1), (1, 2)] };
        let entries: Vec<Choice> = (0..PACK as u32).map(entry).collect();
        let columns = [Form::number(0), Form::number(1)];
        then(&Selected {
            key: self.key.element(),
            viewer: self.seats[0].key(),
            answers: &answers,
            entries: &entries,
            numbers: Numbers { ciphers: &ciphers, sums: &[] },
            columns: &columns,
        })
    }

    /// The first seat's key was used on the second face, whose number a code under the joint key holds.
    fn one_of_rows<T>(&self, with: impl FnOnce(&OneOfRows<'_>) -> T) -> T {
        let (bases, numbers) = (&self.faces.as_slice()[..PACK], [3, 4, 5, 6, 7, 8]);
        let power = bases[1].point() * self.seats[0].secret().expose_secret();
        let (r, joint) = (self.hand[0].randomness.expose_secret(), self.key.element());
        let c2 = mul_generator(&Scalar::from(numbers[1])) + joint.point() * r;
        let code = Code { c1: Element::new(mul_generator(r)).expect("r"), c2: Element::new(c2).expect("not zero") };
        let powers = [Element::new(power).expect("not zero")];
        with(&OneOfRows { key: self.seats[0].key(), powers: &powers, bases, numbers: &numbers, joint, code })
    }

    fn one_of_many(&self) -> OneOfMany<'_> {
        OneOfMany { key: self.key.element(), code: self.hand[0].code, faces: self.faces.as_slice() }
    }
}

fn generator() -> &'static Element {
    static GENERATOR: OnceLock<Element> = OnceLock::new();
    GENERATOR.get_or_init(Element::generator)
}

fn encrypt(key: &Element, face: &Element, rng: &mut ChaCha20Rng) -> Option<Code> {
    let r = random_scalar(rng);
    Some(Code { c1: Element::new(mul_generator(&r))?, c2: Element::new(face.point() + key.point() * r)? })
}

fn add(code: &Code, key: &Element, r: &Scalar) -> Option<Code> {
    let c1 = Element::new(code.c1.point() + mul_generator(r))?;
    Some(Code { c1, c2: Element::new(code.c2.point() + key.point() * r)? })
}
