//! The hardened grade of seeing: the seat that is looked at answers all eight questions "do you stand there?" at once, and
//! only the answer for its own square opens, for the other seat alone (`spec/55-disclosure.md`).

use outis_crypto::batch::Batch;
use outis_crypto::challenger::Challenger;
use outis_crypto::disclosure::{Answer, Cipher, Disclosed, Disclosure, Form, Question};
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::sigma::Invalid;
use rand_core::CryptoRng;

use super::place::{Position, ROW, offset};
use crate::rules::Direction;

/// Questions in one message: the eight directions in order.
pub(crate) const QUESTIONS: usize = 8;

/// Who answers whom about which places.
pub(crate) struct Sight<'a> {
    /// The key of the seat that answers.
    pub issuer: &'a Element,
    /// The key of the seat that looks.
    pub viewer: &'a Element,
    /// Where the answering king stands.
    pub seen: &'a Position,
    /// Where the looking king stands.
    pub looking: &'a Position,
}

impl Sight<'_> {
    /// Whether the number of the looking king's square, one step further, is that of the other king's: the difference is
    /// zero. What is disclosed then is nothing more than that.
    fn questions(&self) -> ([Cipher; 4], Vec<Question>) {
        let Self { seen, looking, .. } = self;
        let numbers = [looking.column, looking.row, seen.column, seen.row].map(Cipher::from);
        let question = |direction| Question {
            condition: Form { constant: offset(direction), terms: vec![(1, 0), (ROW, 1), (-1, 2), (-ROW, 3)] },
            message: Form { constant: 0, terms: Vec::new() },
        };
        (numbers, Direction::ALL.into_iter().map(question).collect())
    }

    /// Answers.
    pub fn issue(
        &self,
        secret: &SeatSecret,
        challenger: &mut Challenger,
        rng: &mut impl CryptoRng,
    ) -> Option<Disclosure> {
        let (numbers, questions) = self.questions();
        let statement =
            Disclosed { issuer: self.issuer, viewer: self.viewer, numbers: &numbers, questions: &questions };
        statement.issue(secret, challenger, rng)
    }

    /// Adds the proof of the answers to a batch.
    pub fn verify(&self, answers: &Disclosure, challenger: &mut Challenger, batch: &mut Batch) -> Result<(), Invalid> {
        let (numbers, questions) = self.questions();
        let statement =
            Disclosed { issuer: self.issuer, viewer: self.viewer, numbers: &numbers, questions: &questions };
        statement.verify(answers, challenger, batch)
    }
}

/// The direction whose answer opens. All are tried, whichever it is.
pub(crate) fn look(answers: &[Answer], viewer: &SeatSecret) -> Option<Direction> {
    let open: Vec<bool> = answers.iter().map(|answer| answer.open(viewer, 1).is_some()).collect();
    Direction::ALL.into_iter().find(|direction| open.get(direction.index()) == Some(&true))
}
