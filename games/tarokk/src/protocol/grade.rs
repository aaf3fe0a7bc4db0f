//! Two grades of the same protocol: how a set, a shuffle and a re-created hand are proved. *Hardened* has the permutation
//! argument and one-of-many proofs; *classic* has the thesis's cut and choose, made non-interactive with 128 rounds (TK-20,
//! TK-22, TK-23). Everything else is common to both.

use std::sync::Arc;

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::containment::classic::ClassicContainment;
use outis_crypto::containment::{self, ContainmentProof, ContainmentShape, Subset};
use outis_crypto::deck::{create, shuffle_hand};
use outis_crypto::group::Element;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::shuffle::classic::CutAndChoose;
use outis_crypto::shuffle::recreate::{self, Hands, Recreated};
use outis_crypto::shuffle::reencrypt::{self, ShuffleSecret, Shuffled};
use outis_crypto::shuffle::{CommitmentKey, Decks, PermutationProof, PermutationShape, classic};
use outis_crypto::sigma::{Invalid, SameCard, Sigma, SigmaProof, SigmaShape};
use outis_table::game::Grade;

use crate::rules::cards::PACK;
use crate::rules::cardset::CardSet;

/// Rounds of a cut and choose: a cheater succeeds with probability 2⁻¹²⁸ per attempt, and with the batch (BAT-1) with less
/// than 2⁻¹²⁷.
pub const ROUNDS: usize = 128;

/// What every proof at a table of a grade needs.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The grade.
    pub grade: Grade,
    /// The pack.
    pub faces: Arc<Faces>,
    pub(crate) commitments: Arc<CommitmentKey>,
}

/// A proof that codes hold distinct cards of a public set.
#[derive(Clone, Debug)]
pub enum SetProof {
    /// Nothing is to be shown, or nothing could be: there are more codes than the set has cards.
    Nothing,
    /// Hardened.
    Hardened(Box<ContainmentProof>),
    /// Classic.
    Classic(Box<ClassicContainment<ROUNDS>>),
}

/// A proof of a shuffle.
#[derive(Clone, Debug)]
pub enum ShuffleProof {
    /// Hardened.
    Hardened(Box<PermutationProof>),
    /// Classic.
    Classic(Box<CutAndChoose<ROUNDS>>),
}

/// A proof that a hand holds what it held and what was drawn.
#[derive(Clone, Debug)]
pub enum MakeProof {
    /// One permutation argument (E1).
    Hardened(Box<PermutationProof>),
    /// Every drawn card gets a fresh code, with a proof of equality (F5); then all are shuffled by cut and choose.
    Classic {
        /// The drawn cards with fresh codes, in order.
        made: Codes,
        /// That they are the same.
        same: Vec<SigmaProof>,
        /// That the hand is a shuffle of the cards held and made.
        shuffle: Box<CutAndChoose<ROUNDS>>,
    },
}

const SAME_CARD: SigmaShape = SigmaShape { equations: 3, secrets: 2 };

fn numbers(set: CardSet) -> Vec<usize> {
    set.iter().map(|card| usize::from(card.number())).collect()
}

fn codes_of(cards: &[OwnCard]) -> Vec<Code> {
    cards.iter().map(|own| own.code).collect()
}

impl Tools {
    /// The tools of a grade.
    pub fn new(grade: Grade, game: &str) -> Self {
        let (faces, commitments) = (Arc::new(Faces::new(game, PACK)), Arc::new(CommitmentKey::new(PACK)));
        Self { grade, faces, commitments }
    }

    /// Proves that `cards` are distinct cards of `set`; nothing for no cards, `None` if it is not so.
    pub fn prove_set(
        &self,
        key: &JointKey,
        set: CardSet,
        cards: &[OwnCard],
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<SetProof> {
        if cards.is_empty() || cards.len() > set.len() {
            return cards.is_empty().then_some(SetProof::Nothing);
        }
        let set = Subset { pack: &self.faces, cards: &numbers(set) };
        Some(match self.grade {
            Grade::Hardened => {
                let proof = containment::prove(&self.commitments, key, set, cards, challenger, rng)?;
                SetProof::Hardened(Box::new(proof))
            }
            Grade::Classic => {
                SetProof::Classic(Box::new(containment::classic::prove(key, set, cards, challenger, rng)?))
            }
        })
    }

    /// Adds the proof that `codes` hold distinct cards of `set` to `batch`.
    pub fn verify_set(
        &self,
        key: &JointKey,
        set: CardSet,
        codes: &[Code],
        proof: &SetProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        let set = Subset { pack: &self.faces, cards: &numbers(set) };
        match proof {
            SetProof::Hardened(proof) => {
                containment::verify(&self.commitments, key, set, codes, proof, challenger, batch)
            }
            SetProof::Classic(proof) => containment::classic::verify(key, set, codes, proof, challenger, batch),
            SetProof::Nothing => {
                let label = outis_crypto::labels::Label::Containment;
                Err(Invalid { label, why: "there are more codes than the set has cards" })
            }
        }
    }

    /// Reads a proof about some codes and a set of some cards.
    pub fn read_set(&self, reader: &mut Reader<'_>, codes: usize, faces: usize) -> Result<SetProof, DecodeError> {
        if codes == 0 || codes > faces {
            return Ok(SetProof::Nothing);
        }
        let shape = ContainmentShape { codes, faces };
        Ok(match self.grade {
            Grade::Hardened => SetProof::Hardened(Box::new(ContainmentProof::read(reader, &shape)?)),
            Grade::Classic => SetProof::Classic(Box::new(ClassicContainment::read(reader, &shape)?)),
        })
    }

    /// Proves a shuffle.
    pub fn prove_shuffle(
        &self,
        key: &JointKey,
        decks: Decks<'_>,
        secret: &ShuffleSecret,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<ShuffleProof> {
        Some(match self.grade {
            Grade::Hardened => {
                let proof = reencrypt::prove(&self.commitments, key, decks, secret, challenger, rng)?;
                ShuffleProof::Hardened(Box::new(proof))
            }
            Grade::Classic => ShuffleProof::Classic(Box::new(classic::prove(key, decks, secret, challenger, rng)?)),
        })
    }

    /// Adds the proof of a shuffle to `batch`.
    pub fn verify_shuffle(
        &self,
        key: &JointKey,
        decks: Decks<'_>,
        proof: &ShuffleProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        match proof {
            ShuffleProof::Hardened(proof) => reencrypt::verify(&self.commitments, key, decks, proof, challenger, batch),
            ShuffleProof::Classic(proof) => classic::verify(key, decks, proof, challenger, batch),
        }
    }

    /// Reads a proof of a shuffle of some cards.
    pub fn read_shuffle(&self, reader: &mut Reader<'_>, cards: usize) -> Result<ShuffleProof, DecodeError> {
        Ok(match self.grade {
            Grade::Hardened => {
                let shape = PermutationShape::of::<Shuffled<'_>>(cards);
                ShuffleProof::Hardened(Box::new(PermutationProof::read(reader, &shape)?))
            }
            Grade::Classic => ShuffleProof::Classic(Box::new(CutAndChoose::read(reader, &cards)?)),
        })
    }

    /// Makes a hand of the cards held and drawn, in secret order, and proves it (E1, E2).
    pub fn make(
        &self,
        secret: &SeatSecret,
        key: &JointKey,
        held: &[OwnCard],
        drawn: &[Code],
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<(Vec<OwnCard>, MakeProof)> {
        if self.grade == Grade::Hardened {
            let (hand, order) = recreate::recreate(secret, key, &self.faces, held, drawn, rng)?;
            let (before, after) = (codes_of(held), Codes(codes_of(&hand)));
            let hands = Hands { held: &before, drawn, created: &after };
            let proof = recreate::prove(&self.commitments, secret, key, hands, &order, challenger, rng)?;
            return Some((hand, MakeProof::Hardened(Box::new(proof))));
        }
        let (mut all, mut same) = (held.to_vec(), Vec::new());
        for code in drawn {
            let face = code.c2.point() - code.c1.point() * secret.secret().expose_secret();
            let card = self.faces.find(&Element::new(face)?)?;
            let own = create(key, &self.faces, card, rng)?;
            let statement = self.same_card(secret.key(), key, code, &own.code);
            same.push(statement.prove(&(secret.secret().clone(), own.randomness.clone()), challenger, rng)?);
            all.push(own);
        }
        let made = Codes(codes_of(&all[held.len()..]));
        let (hand, order) = shuffle_hand(key, &all, rng)?;
        let (before, after) = (codes_of(&all), codes_of(&hand));
        let shuffle = classic::prove(key, Decks { input: &before, output: &after }, &order, challenger, rng)?;
        Some((hand, MakeProof::Classic { made, same, shuffle: Box::new(shuffle) }))
    }

    /// Adds the proof of a hand to `batch`, in one or more claims.
    pub fn verify_make(
        &self,
        seat_key: &Element,
        key: &JointKey,
        hands: Hands<'_>,
        proof: &MakeProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        match proof {
            MakeProof::Hardened(proof) => {
                recreate::verify(&self.commitments, seat_key, key, hands, proof, challenger, batch)
            }
            MakeProof::Classic { made, same, shuffle } => {
                let Hands { held, drawn, created } = hands;
                // The decoder has seen to that; a card without its proof would be any card.
                if made.0.len() != drawn.len() || same.len() != drawn.len() {
                    let label = outis_crypto::labels::Label::SameCard;
                    return Err(Invalid { label, why: "not every drawn card has a fresh code with its proof" });
                }
                for ((drawn, made), proof) in drawn.iter().zip(&made.0).zip(same) {
                    self.same_card(seat_key, key, drawn, made).verify(proof, challenger, batch)?;
                }
                let before = [held, &made.0].concat();
                classic::verify(key, Decks { input: &before, output: &created.0 }, shuffle, challenger, batch)
            }
        }
    }

    /// Reads a proof of a hand of some cards of which some were drawn.
    pub fn read_make(&self, reader: &mut Reader<'_>, held: usize, drawn: usize) -> Result<MakeProof, DecodeError> {
        if self.grade == Grade::Hardened {
            let shape = PermutationShape::of::<Recreated<'_>>(held + drawn);
            return Ok(MakeProof::Hardened(Box::new(PermutationProof::read(reader, &shape)?)));
        }
        let made = Codes::read(reader, &drawn)?;
        let same = (0..drawn).map(|_| SigmaProof::read(reader, &SAME_CARD)).collect::<Result<_, _>>()?;
        Ok(MakeProof::Classic { made, same, shuffle: Box::new(CutAndChoose::read(reader, &(held + drawn))?) })
    }

    fn same_card(&self, seat_key: &Element, key: &JointKey, drawn: &Code, created: &Code) -> SameCard {
        SameCard { seat_key: *seat_key, joint_key: *key.element(), drawn: *drawn, created: *created }
    }
}

impl Encode for SetProof {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Nothing => {}
            Self::Hardened(proof) => proof.encode(out),
            Self::Classic(proof) => proof.encode(out),
        }
    }
}

impl Encode for ShuffleProof {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hardened(proof) => proof.encode(out),
            Self::Classic(proof) => proof.encode(out),
        }
    }
}

impl Encode for MakeProof {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hardened(proof) => proof.encode(out),
            Self::Classic { made, same, shuffle } => {
                made.encode(out);
                same.iter().for_each(|proof| proof.encode(out));
                shuffle.encode(out);
            }
        }
    }
}
