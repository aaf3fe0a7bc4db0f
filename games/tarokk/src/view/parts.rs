//! The parts of a deal that exist in its phase.

use crate::rules::announce::{Announcing, Token};
use crate::rules::auction::{Call, Contract};
use crate::rules::figures::Side;
use crate::rules::knowledge::{Knowledge, own_side};
use crate::rules::seats::Player;
use crate::rules::state::{Laid, Phase, Plays, Public};

/// What of a deal is public so far.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The calls of the auction.
    pub calls: &'a [(Player, Call)],
    /// What the auction settled.
    pub contract: Option<&'a Contract>,
    /// The discarded tarokks.
    pub laid: Option<&'a Laid>,
    /// The announcements.
    pub announcing: Option<&'a Announcing>,
    /// The played cards.
    pub plays: Option<&'a Plays>,
}

impl<'a> Parts<'a> {
    /// Of the deal that is going on.
    pub fn of(public: &'a Public) -> Self {
        let none = Self { calls: &public.calls, contract: None, laid: None, announcing: None, plays: None };
        match &public.phase {
            Phase::AwaitingDeal | Phase::Over => none,
            Phase::AwaitingCall(auction) => Self { calls: auction.calls(), ..none },
            Phase::AwaitingDiscards(contract, _) => Self { contract: Some(contract), ..none },
            Phase::AwaitingAnnulment(exchanged, _) => {
                Self { contract: Some(&exchanged.contract), laid: Some(&exchanged.laid), ..none }
            }
            Phase::AwaitingWord(exchanged, announcing) => Self {
                contract: Some(&exchanged.contract),
                laid: Some(&exchanged.laid),
                announcing: Some(announcing),
                ..none
            },
            Phase::AwaitingCard(spoken, plays) | Phase::AwaitingClaims(spoken, plays, _) => Self {
                contract: Some(&spoken.contract),
                laid: Some(&spoken.laid),
                announcing: Some(&spoken.announcing),
                plays: Some(plays),
                ..none
            },
        }
    }

    /// The side of a player as everyone knows it: from the auction, the announcements, or the called tarokk on the table.
    pub fn known_side(&self, who: Player) -> Option<Side> {
        let announcing = self.announcing?;
        let declarer = self.contract?.declarer;
        let shown =
            self.plays.and_then(|plays| plays.all().iter().find(|(_, card)| Some(*card) == announcing.called()));
        match shown {
            Some((partner, _)) if *partner == who || who == declarer => Some(Side::Declarer),
            Some(_) => Some(Side::Opponents),
            None => announcing.known_side(who),
        }
    }

    /// The side of the observer, as it knows itself.
    pub fn own_side(&self, k: &Knowledge) -> Option<Side> {
        let (announcing, contract) = (self.announcing?, self.contract?);
        let me = k.public.seating.player(k.seat?)?;
        announcing
            .called()
            .map(|called| {
                own_side(contract.declarer, Some(called), me, k.cards.as_ref().map(|c| c.kept).unwrap_or_default())
            })
            .or_else(|| (me == contract.declarer).then_some(Side::Declarer))
    }

    /// Who announced each of the figures, in the order of [`Announcing::announcements`].
    pub fn announcers(&self) -> Vec<Player> {
        let said = self.announcing.map_or(&[][..], Announcing::said);
        said.iter().filter(|(_, word)| matches!(word, Token::Announce(_))).map(|(who, _)| *who).collect()
    }
}
