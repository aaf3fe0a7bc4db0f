//! Bo Haglund's DDS as the solver, for events of many hundred boards: the same results, a little faster. Feature `dds`.

use contract_bridge::{FullDeal, Seat as TheirSeat, Strain as TheirStrain};
use dds_bridge::Solver;

use super::Tricks;
use crate::card::Seat;
use crate::deal::Deal;

/// A solver with its memory; one for each thread.
#[derive(Default)]
pub struct Dds(Solver);

impl Dds {
    /// All 20 results of a deal. `None` only if the library does not take the deal, which it always should.
    pub fn solve(&mut self, deal: &Deal) -> Option<Tricks> {
        let deal: FullDeal = deal.pbn(Seat::North).parse().ok()?;
        let found = self.0.solve_deal(deal);
        let strains =
            [TheirStrain::Spades, TheirStrain::Hearts, TheirStrain::Diamonds, TheirStrain::Clubs, TheirStrain::Notrump];
        let seats = [TheirSeat::North, TheirSeat::East, TheirSeat::South, TheirSeat::West];
        Tricks::new(seats.map(|seat| strains.map(|strain| found[strain].get(seat).get())))
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;
    use crate::dd::solve;

    #[test]
    fn both_solvers_agree() {
        let mut rng = ChaCha20Rng::seed_from_u64(20);
        let mut dds = Dds::default();
        for _ in 0..20 {
            let deal = Deal::random(&mut rng);
            assert_eq!(dds.solve(&deal), Some(solve(&deal)), "{}", deal.pbn(Seat::North));
        }
    }
}
