//! The hardened grade of seeing: the seat that is seen answers all eight questions "are you there?" at once, and
//! only the answer for its own square opens, for the other seat alone (`spec/55-disclosure.md`).

use outis_crypto::batch::Batch;
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::context::Context;
use outis_crypto::disclosure::{Answer, Disclosed, Disclosure, Messages, Prepared, Question};
use outis_crypto::encrypted_number::{Cipher, Form, Numbers};
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::sigma::Invalid;

use super::place::{Position, ROW, offset};
use crate::rules::Direction;

/// Questions in one message: the eight directions in order.
pub(crate) const QUESTIONS: usize = 8;

/// Which seat answers which, and about which places.
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

/// What is asked, and about what.
struct Asked {
    ciphers: [Cipher; 4],
    sums: [Form; 1],
    questions: Vec<Question>,
}

impl Sight<'_> {
    /// Whether the number of the looking king's square, one step further, is that of the other king's: the difference is
    /// zero. What is disclosed then is nothing more than that.
    fn asked(&self) -> Asked {
        let Self { seen, looking, .. } = self;
        let ciphers = [looking.column, looking.row, seen.column, seen.row].map(Cipher::from);
        let difference = Form::number(0).plus(ROW, 1).plus(-1, 2).plus(-ROW, 3);
        let question = |direction| Question {
            condition: Form::constant(offset(direction)).plus(1, ciphers.len() as u32),
            message: Form::constant(0),
        };
        Asked { ciphers, sums: [difference], questions: Direction::ALL.into_iter().map(question).collect() }
    }

    fn statement<'s>(&'s self, asked: &'s Asked) -> Disclosed<'s> {
        let Asked { ciphers, sums, questions } = asked;
        Disclosed { issuer: self.issuer, viewer: self.viewer, numbers: Numbers { ciphers, sums }, questions }
    }

    /// Answers.
    pub(crate) fn issue(
        &self,
        secret: &SeatSecret,
        context: &Context,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Disclosure> {
        let asked = self.asked();
        // The places are new with every move, so what is prepared is for this message alone; and whoever proves the same
        // place in another way has made another log.
        let prepared = Prepared::new(secret, self.viewer, QUESTIONS, &(context, &asked.ciphers[..]), rng)?;
        self.statement(&asked).issue(secret, prepared, challenger, rng)
    }

    /// Adds the proof of the answers to a batch.
    pub(crate) fn verify(
        &self,
        answers: &Disclosure,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        self.statement(&self.asked()).verify(answers, challenger, batch)
    }
}

/// The direction whose answer opens. All are tried, whichever it is.
pub(crate) fn look(answers: &[Answer], viewer: &SeatSecret) -> Option<Direction> {
    let nothing = Messages::below(1);
    let open: Vec<bool> = answers.iter().map(|answer| answer.open(viewer, &nothing).is_some()).collect();
    Direction::ALL.into_iter().find(|direction| open.get(direction.index()) == Some(&true))
}
