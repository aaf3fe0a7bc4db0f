//! The catalogue: for every label of [`Label`] worked samples, each with all its public inputs as bytes, a proof as
//! bytes, the layout of those bytes, false claims by a prover who does its best, and a check from bytes to a verdict.
//!
//! The rejection suite, the decoder tests and the vectors of `spec/vectors` are written once over it. [`samples`] matches
//! on the label exhaustively: a new statement without a sample does not compile.

pub mod inputs;
pub mod samples;

use outis_crypto::batch::{Batch, Refuted};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::DecodeError;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::labels::Label;
use outis_crypto::sigma::Invalid;

pub use inputs::Inputs;
pub use samples::samples;

/// Why a sample was refused, by layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Bytes that are no value.
    Decode(DecodeError),
    /// A claim that is out of order, or a proof of another shape.
    Statement(Invalid),
    /// A proof that does not hold.
    Proof(Refuted),
}

impl Refusal {
    /// The word for it in `spec/vectors`.
    pub fn layer(&self) -> &'static str {
        match self {
            Refusal::Decode(_) => "decode",
            Refusal::Statement(_) => "statement",
            Refusal::Proof(_) => "proof",
        }
    }
}

impl From<DecodeError> for Refusal {
    fn from(error: DecodeError) -> Self {
        Refusal::Decode(error)
    }
}

impl From<Invalid> for Refusal {
    fn from(error: Invalid) -> Self {
        Refusal::Statement(error)
    }
}

impl From<Refuted> for Refusal {
    fn from(error: Refuted) -> Self {
        Refusal::Proof(error)
    }
}

/// From bytes to equations in a batch, on a running challenger.
pub type Check = fn(&Inputs, &[u8], &mut Challenger, &mut Batch) -> Result<(), Refusal>;

/// One honest proof and everything around it.
#[derive(Clone)]
pub struct Sample {
    /// What is special about it; unique under its label.
    pub name: &'static str,
    /// What is claimed.
    pub label: Label,
    /// Where.
    pub context: Context,
    /// Every public input by name.
    pub inputs: Inputs,
    /// The proof.
    pub proof: Vec<u8>,
    /// What the bytes of the proof are.
    pub layout: Layout,
    /// False claims, each with the proof that the real prover makes of a wrong witness.
    pub lies: Vec<Lie>,
    /// How it is checked.
    pub check: Check,
}

impl Sample {
    /// Decodes and checks, bytes to verdict.
    pub fn verify(&self, context: &Context, inputs: &Inputs, proof: &[u8]) -> Result<(), Refusal> {
        let mut batch = Batch::new();
        (self.check)(inputs, proof, &mut Challenger::new(context), &mut batch)?;
        batch.settle()?;
        Ok(())
    }

    /// Label and name.
    pub fn title(&self) -> String {
        format!("{} ({})", self.label, self.name)
    }
}

/// A false claim with the best proof that a liar gets out of the real prover.
#[derive(Clone)]
pub struct Lie {
    /// Name of the vector: `bad_…`.
    pub name: &'static str,
    /// What is false.
    pub description: &'static str,
    /// The claim.
    pub inputs: Inputs,
    /// The attempt.
    pub proof: Vec<u8>,
}

/// What a decoder reads, in order: with it the error for any damage can be predicted.
#[derive(Clone, Debug, Default)]
pub struct Layout(pub Vec<Step>);

/// One thing that a decoder does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Refuses input that is too short for a whole list.
    Demand(&'static str, usize),
    /// Reads one field.
    Item(&'static str, Kind),
}

/// Kinds of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A group element, not the identity.
    Element,
    /// A scalar, not zero.
    Scalar,
    /// Any bytes.
    Bytes(usize),
    /// A two-byte number with bounds.
    Count(u16, u16),
}

impl Kind {
    /// Bytes that it takes.
    pub fn size(self) -> usize {
        match self {
            Kind::Element | Kind::Scalar => 32,
            Kind::Bytes(n) => n,
            Kind::Count(..) => 2,
        }
    }
}

impl Layout {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One field read by itself.
    #[must_use]
    pub fn one(mut self, field: &'static str, kind: Kind) -> Self {
        self.0.push(Step::Item(field, kind));
        self
    }

    /// A check that enough bytes are left.
    #[must_use]
    pub fn demand(mut self, field: &'static str, bytes: usize) -> Self {
        self.0.push(Step::Demand(field, bytes));
        self
    }

    /// A list that is demanded as a whole.
    #[must_use]
    pub fn list(mut self, field: &'static str, kind: Kind, n: usize) -> Self {
        self.0.push(Step::Demand(field, n * kind.size()));
        self.0.extend(vec![Step::Item(field, kind); n]);
        self
    }

    /// Codes one by one.
    #[must_use]
    pub fn codes(mut self, n: usize) -> Self {
        for _ in 0..n {
            self = self.one("code.c1", Kind::Element).one("code.c2", Kind::Element);
        }
        self
    }

    /// The fields of another message.
    #[must_use]
    pub fn then(mut self, other: Layout) -> Self {
        self.0.extend(other.0);
        self
    }

    /// All fields with their offsets.
    pub fn items(&self) -> impl Iterator<Item = (usize, &'static str, Kind)> + '_ {
        let mut offset = 0;
        self.0.iter().filter_map(move |step| match *step {
            Step::Demand(..) => None,
            Step::Item(field, kind) => {
                offset += kind.size();
                Some((offset - kind.size(), field, kind))
            }
        })
    }

    /// Bytes of the whole.
    pub fn size(&self) -> usize {
        self.items().map(|(_, _, kind)| kind.size()).sum()
    }
}

/// The place of all samples.
pub fn context() -> Context {
    Context { table: TableId([0x11; 32]), deal: 3, seat: Seat(1), head: Head([0x22; 32]) }
}

/// Every sample of every label.
pub fn all() -> Vec<Sample> {
    Label::ALL.iter().flat_map(|label| samples(*label, 1)).collect()
}
