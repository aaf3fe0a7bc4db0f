//! Dark chess: a question by oblivious transfer, and the rule by which the answer is written on one's board.

use outis_crypto::andos::{Packing, SemiHonestSecret, TOY, TOY_HALF};
use outis_crypto::challenger::Nonces;

use crate::Version;
use crate::run::{Outcome, Run, number};
use outis_game::words::Arg;

const PARTIES: &[&str] = &["Alice", "Bob"];
const ALICE: usize = 0;
const BOB: usize = 1;

const SQUARES: usize = 64;
const BITS: usize = 3;
/// What a secret means: nothing there, something unknown, and the kinds of pieces.
const EMPTY: u8 = 0;
const UNKNOWN: u8 = 1;
const KNIGHT: u8 = 3;
/// The square that both a bishop and a pawn of Alice look at: d5.
const D5: usize = 35;

/// F13: written literally, the pawn's answer *something is there* overwrites the piece that the bishop has seen.
pub fn overwrite(version: Version, source: &mut Nonces) -> Run {
    let mut run = Run::new("dark-chess-overwrite", PARTIES);
    let secret = SemiHonestSecret::<TOY, TOY_HALF>::random(source);
    run.sends(BOB, ALICE, "key").with("bits", number(256)).shows("public-key", secret.key());
    let mut board = [EMPTY; SQUARES];
    board[D5] = KNIGHT;

    let seen = question(&mut run, &secret, &board, "bishop-list", source);
    let mut known = UNKNOWN;
    if seen != EMPTY {
        known = seen;
    }
    run.works(ALICE, "bishop-write").learns_text(ALICE, fact(known), vec![("square", Arg::Plain("d5".to_owned()))]);

    // In the pawn phase the secrets hide the kind: a pawn only asks whether it could capture.
    let hidden = board.map(|piece| if piece == EMPTY { EMPTY } else { UNKNOWN });
    let seen = question(&mut run, &secret, &hidden, "pawn-list", source);
    match version {
        Version::Published if seen != EMPTY => known = seen,
        Version::Repaired if seen != EMPTY && known == EMPTY => known = seen,
        _ => {}
    }
    let rule = match version {
        Version::Published => "pawn-write",
        Version::Repaired => "pawn-keep",
    };
    run.works(ALICE, rule).learns_text(ALICE, fact(known), vec![("square", Arg::Plain("d5".to_owned()))]);
    run.ends(Outcome::of_attack(known != KNIGHT))
}

fn fact(known: u8) -> &'static str {
    if known == KNIGHT { "knows-knight" } else { "knows-something" }
}

/// One question: the sealed list, the packet, the answer; what Alice reads.
fn question(
    run: &mut Run,
    secret: &SemiHonestSecret<TOY, TOY_HALF>,
    board: &[u8; SQUARES],
    list_name: &str,
    source: &mut Nonces,
) -> u8 {
    let list = secret.seal(board, BITS, source).expect("three bits are enough");
    run.sends(BOB, ALICE, list_name).with("n", number(SQUARES)).shows("sealed-list", &list);
    let (packet, query) = secret.key().ask(&list, D5, Packing::Compact, source).expect("a square of the board");
    run.sends(ALICE, BOB, "ask").shows("packet", &packet).learns(BOB, "ask-bob");
    let answer = secret.answer(&packet, list.shape()).expect("a packet of this list");
    let seen = query.open(answer);
    run.sends(BOB, ALICE, "answer")
        .shows("answer", &answer)
        .learns(ALICE, if seen == KNIGHT { "answer-knight" } else { "answer-something" });
    seen
}
