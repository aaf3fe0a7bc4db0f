//! A move and its proofs, made and checked; and the view that goes with it.
//!
//! All proofs of one entry run over one challenger: selection, cases, then the view of the state that results. So a view is
//! bound to the move that it comes with.

use outis_crypto::batch::Batch;
use outis_crypto::card::Codes;
use outis_crypto::cases::{Cases, CasesProof};
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::disclosure::{Disclosed, Disclosure, Prepared};
use outis_crypto::encrypted_number::{Cipher, Known, Numbers, encrypt_all};
use outis_crypto::group::Element;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::selection::{Entry, Pair, Selected, SelectionProof, SelectionWitness};
use outis_crypto::shuffle::CommitmentKey;
use outis_crypto::sigma::Invalid;
use outis_table::codec::{Decode, DecodeError, Encode, Reader};

use super::charter::{Charter, Plan};
use super::layout::{FRESH, ciphers};
use super::sight::numbers;
use crate::rules::moves::Announcement;
use crate::rules::tickets::TICKETS;

/// A move: fresh encryptions of everything, with two proofs.
#[derive(Clone, Debug)]
pub struct Moved {
    /// What is announced.
    pub heard: Announcement,
    /// The fresh numbers, in the order of [`super::layout::New`].
    pub codes: Codes,
    /// One of the entries is the move.
    pub selection: Box<SelectionProof>,
    /// Every square and every right follows.
    pub cases: Box<CasesProof>,
}

/// What the statements of a move are about.
pub struct MoveInputs<'a> {
    /// The joint key.
    pub key: &'a JointKey,
    /// Generators for the digits of a selection.
    pub commitments: &'a CommitmentKey,
    /// What a move of this colour must satisfy.
    pub charter: &'a Charter,
    /// The mover's key.
    pub mover: &'a Element,
    /// The mover's latest view.
    pub view: &'a [Pair],
    /// The mover's state.
    pub state: &'a [Cipher],
}

impl MoveInputs<'_> {
    /// The statements of a move with these fresh numbers.
    pub(crate) fn state<T>(
        &self,
        heard: Announcement,
        fresh: &Codes,
        then: impl FnOnce(&Selected<'_>, &Cases<'_>) -> T,
    ) -> T {
        let all: Vec<Cipher> = self.state.iter().copied().chain(ciphers(&fresh.0)).collect();
        let entries: Vec<Entry> = self.charter.choices(heard).into_iter().map(|(entry, _)| entry).collect();
        let numbers = Numbers { ciphers: &all, sums: &[] };
        let key = self.key.element();
        let selected = Selected {
            key,
            viewer: self.mover,
            answers: self.view,
            entries: &entries,
            numbers,
            columns: &self.charter.columns,
        };
        then(&selected, &Cases { key, numbers, cases: &self.charter.cases })
    }

    /// Makes a move and proves it, from what the mover knows of its state before (`known`) and of the fresh numbers. A plan
    /// that breaks the rules gets proofs that are refused.
    pub fn make(
        &self,
        plan: &Plan,
        secret: &SeatSecret,
        known: &[Known],
        fresh: &[Known],
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Moved> {
        let codes = Codes(encrypt_all(self.key, fresh)?);
        let all: Vec<Known> = known.iter().chain(fresh).cloned().collect();
        let (selection, cases) = self.state(plan.heard, &codes, |selected, cases| {
            let witness = SelectionWitness { secret, entry: plan.entry, known: &all };
            let selection = selected.prove(self.commitments, self.key, witness, challenger, rng)?;
            Some((selection, cases.prove(self.key, &all, challenger, rng)?))
        })?;
        Some(Moved { heard: plan.heard, codes, selection: Box::new(selection), cases: Box::new(cases) })
    }

    /// Adds the two proofs of a move to a batch.
    pub fn check(
        &self,
        moved: &Moved,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> (Result<(), Invalid>, Result<(), Invalid>) {
        self.state(moved.heard, &moved.codes, |selected, cases| {
            let selected = selected.verify(self.commitments, &moved.selection, challenger, batch);
            (selected, cases.verify(&moved.cases, challenger, batch))
        })
    }
}

/// What a view is about.
pub struct Sight<'a> {
    /// The charter of the viewer.
    pub charter: &'a Charter,
    /// Who answers.
    pub issuer: &'a Element,
    /// Who asks.
    pub viewer: &'a Element,
    /// The viewer's state and the issuer's.
    pub states: (&'a [Cipher], &'a [Cipher]),
}

impl Sight<'_> {
    fn state<T>(&self, then: impl FnOnce(&Disclosed<'_>) -> T) -> T {
        let (all, asked) = (numbers(self.states.0, self.states.1), &self.charter.asked);
        let numbers = Numbers { ciphers: &all, sums: &asked.sums };
        then(&Disclosed { issuer: self.issuer, viewer: self.viewer, numbers, questions: &asked.questions })
    }

    /// Answers all questions, with what was prepared for it.
    pub fn issue(
        &self,
        secret: &SeatSecret,
        prepared: Prepared,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Disclosure> {
        self.state(|statement| statement.issue(secret, prepared, challenger, rng))
    }

    /// Adds the proof of a view to a batch.
    pub fn check(&self, view: &Disclosure, challenger: &mut Challenger, batch: &mut Batch) -> Result<(), Invalid> {
        self.state(|statement| statement.verify(view, challenger, batch))
    }
}

impl Encode for Moved {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { heard, codes, selection, cases } = self;
        heard.encode(out);
        codes.encode(out);
        selection.encode(out);
        cases.encode(out);
    }
}

/// A colour's charter is all that is needed to read a move.
impl Decode for Moved {
    type Shape = Charter;
    fn read(reader: &mut Reader<'_>, charter: &Charter) -> Result<Self, DecodeError> {
        let heard = Announcement::read(reader, &())?;
        Ok(Self {
            heard,
            codes: Codes::read(reader, &FRESH)?,
            selection: Box::new(SelectionProof::read(reader, &charter.count(heard))?),
            cases: Box::new(CasesProof::read(reader, &outis_crypto::cases::CasesShape::of(&charter.cases))?),
        })
    }
}

/// Bytes of a view.
pub const VIEW_BYTES: usize = Disclosure::bytes(TICKETS);
