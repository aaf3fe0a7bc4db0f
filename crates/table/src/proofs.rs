//! For referees: the proofs of one entry, over one running challenger and in one batch, each with the fault that it
//! shows if it is false.

use outis_crypto::batch::Batch;
use outis_crypto::challenger::Challenger;
use outis_crypto::context::Context;

use crate::game::{Checks, Fault};

/// The proofs of one entry, in the order in which they were made.
pub struct Proofs<'c, F> {
    challenger: Challenger,
    batch: Batch,
    faults: Vec<F>,
    checks: Checks<'c>,
}

impl<'c, F: Fault> Proofs<'c, F> {
    /// No proofs yet, for the entry with this context.
    pub fn new(context: &Context, checks: Checks<'c>) -> Self {
        Self { challenger: Challenger::new(context), batch: Batch::new(), faults: Vec::new(), checks }
    }

    /// Adds proofs that show one thing; fails at once if they are not even well formed.
    pub fn add(&mut self, fault: F, verify: impl FnOnce(&mut Challenger, &mut Batch) -> bool) -> Result<(), F> {
        let read = verify(&mut self.challenger, &mut self.batch);
        self.faults.resize(self.batch.len(), fault.clone());
        self.checks.demand(read, fault)
    }

    /// Passes if a condition holds that needs no proof.
    pub fn demand(&self, holds: bool, fault: F) -> Result<(), F> {
        self.checks.demand(holds, fault)
    }

    /// Settles all proofs together; reports the first that does not hold.
    pub fn settle(self) -> Result<(), F> {
        let Self { batch, faults, checks, .. } = self;
        let Some(last) = faults.last().cloned() else { return Ok(()) };
        checks.settle_each(batch, |at| faults.get(at).unwrap_or(&last).clone()).map(drop)
    }
}
