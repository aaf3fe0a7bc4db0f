//! The cheats that the game must survive. Each makes every proof that it can.

mod classic;
mod hardened;
mod walk;

use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::Grade;

use crate::protocol::Hand;

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        walk::cheats().into_iter().chain(hardened::cheats()).chain(classic::cheats()).collect()
    }

    fn grade(name: &str) -> Grade {
        let is_classic = classic::cheats().iter().any(|cheat| cheat.name == name);
        if is_classic { Grade::Classic } else { Grade::Hardened }
    }
}
