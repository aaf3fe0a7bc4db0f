//! For anyone who holds several logs of one table: a timeout claim in one of them, and the seats that deny it in
//! another.
//!
//! Silence cannot be proved, and neither can its denial: a seat that was late can still sign. But a seat that is
//! claimed to be silent has a log of its own, and the seats that continued with it have signed what followed. The more
//! of them there are, the less the claim is worth. If everyone but the claimant denies it, either the claimant lies or
//! all the others do.

use outis_crypto::codec::DecodeError;

use crate::claim::Silence;
use crate::export::{Record, read};
use crate::seats::Seats;

/// The timeout claims in a log, whether or not they are valid.
pub fn claims(log: &[u8]) -> Result<Vec<Silence>, DecodeError> {
    let claim = |record| match record {
        Ok(Record::Silence(claim)) => Some(Ok(claim)),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    };
    read(log)?.1.filter_map(claim).collect()
}

/// The seats that deny a claim in another log of the table, which must have been judged valid. If that log has the very
/// entries that the claim says are missing, these are the seats that signed them or anything later. The claimant is
/// among them if it signed something later itself.
pub fn deniers(claim: &Silence, log: &[u8]) -> Result<Seats, DecodeError> {
    let (offer, records) = read(log)?;
    let table = offer.id();
    let (mut spoke, mut after) = (Seats::NONE, Seats::NONE);
    if !claim.is_signed(&offer, table) {
        return Ok(Seats::NONE);
    }
    for record in records {
        match record? {
            Record::Entry(entry) if entry.is_signed(&offer, table) => {
                let place = entry.place();
                if place.round > claim.round {
                    after.insert(place.seat);
                } else if place.round == claim.round && entry.prev() == claim.prev && claim.silent.contains(place.seat)
                {
                    spoke.insert(place.seat);
                }
            }
            Record::Silence(other) if other.round > claim.round && other.is_signed(&offer, table) => {
                after.insert(other.claimant);
            }
            _ => {}
        }
    }
    let missed = !claim.silent.without(spoke).is_empty();
    Ok(if missed { Seats::NONE } else { spoke.iter().chain(after.iter()).collect() })
}
