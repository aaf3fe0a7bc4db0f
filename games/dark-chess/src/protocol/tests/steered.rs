//! Games by chance, drawn towards what is rare: castling, double steps, taking in passing, promotion. After every move both seats
//! know what the rules let them know.

use outis_table::Seat;
use outis_table::game::Grade;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::{compared_by, finished};
use crate::rules::knowledge::{Action, Knowledge};
use crate::rules::moves::{Kind, Move};
use crate::rules::options::Options;

fn any(moves: &[Move], rng: &mut ChaCha20Rng) -> Option<Action> {
    moves.get(rng.next_u32() as usize % moves.len().max(1)).map(|mv| Action::Move(*mv))
}

/// Every other time something special if there is something, and mostly takes what can be taken, so that games have an end.
fn choose(knowledge: &Knowledge, legal: &[Action], rng: &mut ChaCha20Rng) -> Option<Action> {
    let moves: Vec<Move> =
        legal.iter().filter_map(|action| if let Action::Move(mv) = action { Some(*mv) } else { None }).collect();
    let special = |mv: &&Move| mv.promotes.is_some() || matches!(mv.kind, Kind::Passant | Kind::Castle(_));
    let special: Vec<Move> = moves.iter().filter(special).copied().collect();
    let color = knowledge.public.turn();
    let sees =
        |mv: &&Move| knowledge.mine.as_ref().is_some_and(|mine| mine.now().view.piece(mv.target(color)).is_some());
    let takes: Vec<Move> = moves.iter().filter(sees).copied().collect();
    let pawns: Vec<Move> =
        moves.iter().filter(|mv| matches!(mv.kind, Kind::PushTwo | Kind::PushOne)).copied().collect();
    let chance = rng.next_u32() % 8;
    let wanted =
        [(&special, 7), (&takes, 5), (&pawns, 3)].into_iter().find(|(list, below)| !list.is_empty() && chance < *below);
    match wanted {
        Some((list, _)) => any(list, rng),
        None if moves.is_empty() => legal.iter().find(|action| **action == Action::Show).or(legal.first()).copied(),
        None => any(&moves, rng),
    }
}

/// Plays games and says what happened in them: moves of each rare kind.
fn games(grade: Grade, seeds: core::ops::Range<u64>) {
    let (mut counts, mut views) = ([0usize; 5], 0);
    let number = seeds.end - seeds.start;
    for seed in seeds {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let options = Options { quiet: 8, review: seed % 2 == 0, white: Seat((seed % 2) as u8), ..Options::default() };
        let (stage, truth, compared) =
            compared_by(grade, options, seed, &mut |knowledge, legal| choose(knowledge, legal, &mut rng));
        finished(&stage);
        views += compared;
        for mv in truth.moves() {
            counts[0] += 1;
            counts[1] += usize::from(matches!(mv.kind, Kind::Castle(_)));
            counts[2] += usize::from(mv.kind == Kind::PushTwo);
            counts[3] += usize::from(mv.kind == Kind::Passant);
            counts[4] += usize::from(mv.promotes.is_some());
        }
    }
    assert!(views > 0);
    let [moves, castled, double, passing, promoted] = counts;
    println!(
        "{number} games, {moves} moves, views compared {views} times; castled {castled}, double steps {double}, taken in \
         passing {passing}, promoted {promoted}"
    );
}

/// The long runs, in parts that can be taken one by one: two hundred games, and twenty of the classic grade.
macro_rules! long_runs {
    ($($name:ident: $grade:ident, $seeds:expr;)*) => {$(
        #[test]
        #[ignore = "many minutes: cargo test --release -p outis-dark-chess -- --ignored --nocapture two_hundred twenty_classic"]
        fn $name() {
            games(Grade::$grade, $seeds);
        }
    )*};
}

long_runs! {
    two_hundred_0: Hardened, 0..20;
    two_hundred_1: Hardened, 20..40;
    two_hundred_2: Hardened, 40..60;
    two_hundred_3: Hardened, 60..80;
    two_hundred_4: Hardened, 80..100;
    two_hundred_5: Hardened, 100..120;
    two_hundred_6: Hardened, 120..140;
    two_hundred_7: Hardened, 140..160;
    two_hundred_8: Hardened, 160..180;
    two_hundred_9: Hardened, 180..200;
    twenty_classic_0: Classic, 0..5;
    twenty_classic_1: Classic, 5..10;
    twenty_classic_2: Classic, 10..15;
    twenty_classic_3: Classic, 15..20;
}
