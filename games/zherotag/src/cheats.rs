//! The cheats that the game must survive.
use outis_table::cheat::{Cheat, Cheats};
use crate::protocol::Hand;
impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> { Vec::new() }
}
