//! The tools.

use outis_crypto::andos::{Packing, SemiHonestAnswer, SemiHonestKey, SemiHonestList, SemiHonestPacket};
use outis_crypto::card::{Code, Codes};
use outis_crypto::cases::{CasesProof, CasesShape};
use outis_crypto::codec::Encode;
use outis_crypto::coin::Reveal;
use outis_crypto::commit::{Commitment, Opening};
use outis_crypto::containment::classic::ClassicContainment;
use outis_crypto::containment::{ContainmentProof, ContainmentShape};
use outis_crypto::context::Context;
use outis_crypto::deck::{CardOpening, Shares};
use outis_crypto::disclosure::Disclosure;
use outis_crypto::encrypted_number::Seed;
use outis_crypto::key::KeyReveal;
use outis_crypto::one_of_many::OneOfManyProof;
use outis_crypto::one_of_rows::OneOfRowsProof;
use outis_crypto::selection::SelectionProof;
use outis_crypto::shuffle::classic::{CutAndChoose, Openings, Shadows};
use outis_crypto::shuffle::recreate::Recreated;
use outis_crypto::shuffle::reencrypt::Shuffled;
use outis_crypto::shuffle::{PermutationProof, PermutationShape};
use outis_crypto::sigma::{AnyOfProof, SigmaProof, SigmaShape};
use outis_crypto::sra::classic::{
    Answer, Draw, FirstDeck, FirstOpening, Marked, Offered, Revealed, Role, SecondDeck, SecondOpening, SecondSecret,
};
use outis_crypto::sra::{Layer, Removal, Showing};

use super::{Decoder, Sizes, both};
use crate::andos;
use crate::claims::context;
use crate::sra_classic;
use crate::world::{MANY, PACK, PAIR};

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
    "andos key": SemiHonestKey<4>, _ => &(), _ => andos::key(), 0, 0;
    "andos list": SemiHonestList<4>, s => &andos::form(s, Packing::Full), _ => andos::list(), andos::EXAMPLE.0, andos::EXAMPLE.1;
    "andos packet": SemiHonestPacket<4>, s => &andos::form(s, Packing::Full),
        _ => andos::packet(Packing::Full), andos::EXAMPLE.0, andos::EXAMPLE.1;
    "andos compact": SemiHonestPacket<4>, s => &andos::form(s, Packing::Compact),
        _ => andos::packet(Packing::Compact), andos::EXAMPLE.0, andos::EXAMPLE.1;
    "andos answer": SemiHonestAnswer, s => &andos::shape(s), _ => vec![5], andos::EXAMPLE.0, andos::EXAMPLE.1;
    "sra layer": Layer, s => &s.a, w => w.layer(), PACK, 0;
    "sra removal": Removal, s => &s.a, w => w.named("shares").to_vec(), PACK, 0;
    "sra showing": Showing, s => &s.a, w => w.showing(), 2, 0;
    "sra marked": Marked, _ => &(), _ => sra_classic::message("marked"), 0, 0;
    "sra first deck": FirstDeck, s => &s.a, _ => sra_classic::message("first deck"), 3, 0;
    "sra second deck": SecondDeck, s => &s.a, _ => sra_classic::message("second deck"), 3, 0;
    "sra decks": Offered<FirstDeck>, s => &(s.a, s.b), _ => sra_classic::message("first decks"), 2, 3;
    "sra first opening": FirstOpening, s => &s.a, _ => sra_classic::message("first opening"), 1, 0;
    "sra second secret": SecondSecret, s => &s.a, _ => sra_classic::message("second secret"), 3, 0;
    "sra second opening": SecondOpening, s => &(s.a, s.b), _ => sra_classic::message("second opening"), 1, 3;
    "sra draw": Draw, s => &(s.a, s.b), _ => sra_classic::message("draw"), 1, 1;
    "sra answer": Answer, s => &s.a, _ => sra_classic::message("answer"), 1, 0;
    "sra revealed": Revealed, s => &(role(s.b), s.a), _ => sra_classic::message("revealed"), 1, 1;
    "sra own": Revealed, s => &(role(s.b), s.a), _ => sra_classic::message("own"), 1, 0;
    "one of rows": OneOfRowsProof, s => &s.a, w => w.named("one of rows").to_vec(), PACK, 0;
    "classic containment": ClassicContainment<128>, s => &ContainmentShape { faces: s.a, codes: s.b },
        w => w.named("classic containment").to_vec(), PAIR, PAIR;
}

fn role(which: usize) -> Role {
    if which.is_multiple_of(2) { Role::First } else { Role::Second }
}

fn branches(sizes: Sizes) -> Vec<SigmaShape> {
    vec![SigmaShape { equations: sizes.b, secrets: sizes.b }; sizes.a % 32]
}
