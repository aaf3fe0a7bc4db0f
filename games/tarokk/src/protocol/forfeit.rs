//! What a table pays if it ends by the fault or the silence of some seats (E10).

use outis_table::Seat;
use outis_table::game::Referee;
use outis_table::seats::Seats;

use super::referee::{Awaiting, Table};
use crate::rules::announce::Announcing;
use crate::rules::auction::Bid;
use crate::rules::figures::{Figure, with_kontra};
use crate::rules::seats::Player;
use crate::rules::state::Phase;

/// What numbers of tarokks cost at most: two others have nine each.
const NUMBERS: i64 = 4;

/// Each culprit pays each other player of the deal the worst that the deal could have cost: what was bid (solo, before there
/// is a contract) with its kontra, every announced figure with its own, every figure once more silently, and the numbers
/// of tarokks; times the factor of double rounds. Before the first card is drawn nothing is at stake but the game: one point.
pub(super) fn forfeit(table: &Table, culprits: Seats) -> Vec<i64> {
    let public = table.public();
    let mut scores = table.scores();
    if matches!(public.phase, Phase::Over) {
        return scores;
    }
    let stake = |bid: Bid, announcing: Option<&Announcing>| {
        let game = with_kontra(bid.value(), announcing.map_or(0, Announcing::game_kontra));
        let figures = announcing.map_or(&[][..], Announcing::announcements);
        let announced: i64 = figures.iter().map(|a| with_kontra(a.figure.announced(bid), a.kontra)).sum();
        let silent: i64 = Figure::ALL.iter().map(|figure| figure.silent(bid)).sum();
        game + announced + silent + NUMBERS
    };
    let nothing_drawn = matches!(table.awaiting, Awaiting::Keys(_) | Awaiting::Shuffle(..));
    let stake = match &public.phase {
        _ if nothing_drawn => 1,
        Phase::AwaitingWord(exchanged, announcing) => stake(exchanged.contract.bid, Some(announcing)),
        Phase::AwaitingCard(spoken, _) | Phase::AwaitingClaims(spoken, _, _) => {
            stake(spoken.contract.bid, Some(&spoken.announcing))
        }
        _ => stake(public.contract().map_or(Bid::Solo, |contract| contract.bid), None),
    };
    let price = stake.saturating_mul(public.rounds.multiplier());
    let honest: Vec<Seat> =
        Player::ALL.map(|player| table.seat(player)).into_iter().filter(|seat| !culprits.contains(*seat)).collect();
    for culprit in culprits.iter().filter(|seat| seat.0 < public.seating.seats()) {
        for seat in &honest {
            let (from, to) = (usize::from(culprit.0), usize::from(seat.0));
            scores[from] = scores[from].saturating_sub(price);
            scores[to] = scores[to].saturating_add(price);
        }
    }
    scores
}
