//! Seats that this node has requested.

use outis_meeting::notice::{Notice, Pace, SeatClaim, Signed, quick};
use outis_meeting::{Millis, Name};
use outis_table::identity::Identity;

use super::{Lobby, short};
use crate::ask::TableName;
use crate::names::{Key, hex};

const MAX_CLAIMS: usize = 16;
/// After this time, a host that has not answered is passed over.
const PATIENCE: Millis = 60_000;

/// A requested seat.
#[derive(Clone)]
pub(crate) struct Claimed {
    pub notice: Signed<Notice>,
    /// When it was requested, by the wall clock.
    pub at: Millis,
    /// Whether the lobby has passed the request on.
    pub sent: bool,
    pub phase: Wish,
}

/// What became of a seat request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Waiting,
    /// This node is at the table.
    In(TableName),
    /// The request failed, and why.
    No(&'static str),
}

impl Claimed {
    pub(crate) fn waits(&self) -> bool {
        self.phase == Wish::Waiting
    }

    fn is_live(&self) -> bool {
        self.notice.body().pace == Pace::Live
    }

    /// Whether the line must stay open for it: a person waits for the answer, or the lobby has not passed it on yet.
    pub(crate) fn is_urgent(&self) -> bool {
        self.waits() && (self.is_live() || !self.sent)
    }

    /// The request, signed.
    pub(crate) fn request(&self, own: &Identity, who: &str, at: Millis) -> Option<Signed<SeatClaim>> {
        let (host, room, notice) = (self.notice.body().host, self.notice.body().room, self.notice.name());
        Signed::new(own, SeatClaim { guest: own.public(), who: short(who), host, room, notice, at })
    }
}

impl Lobby {
    /// Notes a seat request, one for each listing.
    pub(crate) fn wish_for(&mut self, notice: Signed<Notice>, wall: Millis) {
        self.claims.retain(|claim| claim.notice.name() != notice.name());
        while self.claims.len() >= MAX_CLAIMS {
            self.claims.remove(0);
        }
        self.claims.push(Claimed { notice, at: wall, sent: false, phase: Wish::Waiting });
    }

    pub(crate) fn claim(&mut self, notice: &Name) -> Option<&mut Claimed> {
        self.claims.iter_mut().find(|claim| claim.notice.name() == *notice)
    }

    /// The listing of a seat request that waits for this host's answer.
    pub(crate) fn asked(&self, host: &Key, notice: &Name) -> Option<Signed<Notice>> {
        let asked = |claim: &&Claimed| claim.waits() && claim.notice.name() == *notice;
        let signed = self.claims.iter().find(asked).map(|claim| claim.notice.clone())?;
        (*signed.body().host.as_bytes() == host.0).then_some(signed)
    }

    fn claim_called(&self, name: &str) -> Option<&Claimed> {
        self.claims.iter().find(|claim| hex(&claim.notice.name()).starts_with(name))
    }

    /// Whether a seat was requested by this listing.
    #[cfg(test)]
    pub(crate) fn is_asked(&self, name: &str) -> bool {
        self.claim_called(name).is_some()
    }

    /// What became of the seat request by this listing: the table, or a word for why not.
    pub fn claimed(&self, name: &str) -> Option<Result<TableName, &'static str>> {
        match &self.claim_called(name)?.phase {
            Wish::Waiting => None,
            Wish::In(id) => Some(Ok(id.clone())),
            Wish::No(why) => Some(Err(why)),
        }
    }

    /// Whether the lobby has passed on a request for a seat in a correspondence game, whose host may be away.
    pub fn is_asked_by_letter(&self, name: &str) -> bool {
        self.claim_called(name).is_some_and(|claim| claim.sent && !claim.is_live())
    }

    /// Quick match: requests a seat at an older table that suits; returns whether there is one.
    pub(crate) fn go_quickly(&mut self, wall: Millis) -> bool {
        // A host that does not answer is passed over.
        let late = |claim: &&mut Claimed| {
            claim.is_live() && claim.waits() && claim.sent && claim.at.saturating_add(PATIENCE) < wall
        };
        self.claims.iter_mut().filter(late).for_each(|claim| claim.phase = Wish::No("silent-host"));
        let posted = self.quick.as_ref().and_then(|id| self.posted.get(id));
        let Some(own) = posted.and_then(|posted| posted.hung.clone()) else { return false };
        if self.claims.iter().any(Claimed::waits) {
            return false;
        }
        let tried = |signed: &Signed<Notice>| self.claims.iter().any(|claim| claim.notice.name() == signed.name());
        let board: Vec<_> = self.board.open.iter().filter(|signed| !tried(signed)).cloned().collect();
        let first = quick(own.body(), true, &board).cloned();
        first.into_iter().map(|first| self.wish_for(first, wall)).next().is_some()
    }
}
