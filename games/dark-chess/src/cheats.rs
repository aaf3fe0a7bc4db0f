//! Cheats that the protocol must survive. Each has the secrets and the signing key of its seat, makes every proof
//! that it can, and lies only where it must.

pub(crate) mod stage;
pub(crate) mod tricks;

use outis_crypto::batch::Batch;
use outis_crypto::card::Codes;
use outis_crypto::challenger::{Challenger, Nonces, Purpose};
use outis_crypto::disclosure::{Disclosure, Prepared};
use outis_crypto::encrypted_number::Cipher;
use outis_crypto::group::Element;
use outis_crypto::secret::SecretScalar;
use outis_table::cheat::{Cheat, Cheats};
use outis_table::codec::{Decode, Encode};
use outis_table::game::{Checks, Made};
use outis_table::keys::cheats::{KeepsKey, late_key};
use outis_table::keys::{KeyStep, OwnKey};
use outis_table::{Context, Seat};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::protocol::charter::Plan;
use crate::protocol::layout::piece;
use crate::protocol::player::{MadeStep, Memo};
use crate::protocol::step::Turn;
use crate::protocol::turn::Moved;
use crate::protocol::{Hand, Step, Table};
use crate::rules::board::{Piece, Square};
use crate::rules::options::Options;
use crate::rules::tickets::TICKETS;
use stage::Stage;
use tricks::{Scene, TRICKS};

/// A move that breaks the rules, as the cheat of this name.
macro_rules! trick {
    ($name:literal) => {
        Cheat {
            name: $name,
            summary: summary($name),
            check: check($name),
            removable: true,
            tamper: |hand, table, context, made, rng| play($name, hand, table, context, made, rng),
        }
    };
}

fn summary(name: &str) -> &'static str {
    TRICKS.iter().find(|trick| trick.name == name).map_or("", |trick| trick.summary)
}

fn check(name: &str) -> &'static str {
    TRICKS.iter().find(|trick| trick.name == name).map_or("", |trick| trick.check)
}

/// Cheats in place of an honest move, if there is a chance for it.
fn play(name: &str, hand: &Hand, table: &Table, context: &Context, made: MadeStep, rng: &mut Nonces) -> MadeStep {
    let tricked = || {
        let trick = TRICKS.iter().find(|trick| trick.name == name)?;
        let (Memo::Move(mv, _), Step::Turn(Turn::Move(moved, _))) = (&made.memo, &made.step) else { return None };
        let (side, charter) = (hand.side(), &table.charters[hand.color.index()]);
        let plan = Plan::of(charter, &side, mv, moved.heard)?;
        let mut scene = Scene { color: hand.color, side: &side, charter, plan };
        (trick.doctor)(&mut scene).then_some((scene.plan, *mv))
    };
    match tricked() {
        Some((plan, mv)) => hand.perform(table, context, &plan, &mv, rng).unwrap_or(made),
        None => made,
    }
}

impl Cheats for Hand {
    fn cheats() -> Vec<Cheat<Self>> {
        let mut all = others();
        all.extend([
            trick!("through-piece"),
            trick!("unseen-blocker"),
            trick!("borrowed-ticket"),
            trick!("other-target"),
            trick!("quiet-capture"),
            trick!("step-on-piece"),
            trick!("pawn-aslant"),
            trick!("wrong-piece"),
            trick!("false-king"),
            trick!("late-passant"),
            trick!("silent-double-step"),
            trick!("castle-after-move"),
            trick!("castle-on-the-side"),
            trick!("self-promotion"),
            trick!("second-king"),
            trick!("no-promotion"),
            trick!("two-moves"),
            trick!("new-queen"),
            trick!("back-again"),
            trick!("duplicate"),
            trick!("vanish"),
            trick!("disguise"),
            trick!("other-piece"),
            trick!("twin-rook"),
            trick!("castled-queen"),
            trick!("kept-right"),
            trick!("kept-right-rook"),
            trick!("regained-right"),
            trick!("second-arrival"),
            trick!("lost-pawn"),
            trick!("hidden-rook"),
            trick!("lost-rook"),
            trick!("twin-rook-far"),
            trick!("kept-right-far"),
        ]);
        all
    }

    fn staged(name: &str) -> Option<(Vec<u8>, Seat)> {
        let (mut stage, seat, script) = staged(name, Checks::default())?;
        let _ = stage.play(script);
        Some((stage.export(), seat))
    }
}

/// A table at which a cheat has its chance at the end of a script.
pub(crate) fn staged(name: &str, checks: Checks<'static>) -> Option<(Stage, Seat, &'static str)> {
    let cheat = Hand::cheats().into_iter().find(|cheat| cheat.name == name)?;
    let trick = TRICKS.iter().find(|trick| trick.name == name);
    let script = trick.map_or("e2e4 e7e5", |trick| trick.script);
    let (script, seat, from) = match name {
        "late-key" => (script, Seat(0), 2),
        "hidden-piece" | "forged-answer" | "swapped-answers" => (script, Seat(1), 5),
        "used-tag" => ("e2e4 e7e5 d2d4 d7d5", Seat(1), 5),
        "false-claim" | "used-number" | "hidden-from-the-next" => (script, Seat(0), 4),
        "accept-nothing" => (script, Seat(1), 6),
        "false-secret" => ("resign show show", Seat(1), 6),
        // Turns are in every second round from the fourth on.
        _ => (script, Seat(0), 2 + 2 * script.split_ascii_whitespace().count() as u32),
    };
    let options = Options { review: name == "false-secret", ..Options::default() };
    let mut stage = Stage::new(options, 1, checks)?;
    stage.tamper = Some((seat, cheat.tamper, from));
    Some((stage, seat, script))
}

/// Changes a view, where there is one.
fn reissued(made: MadeStep, change: impl FnOnce(&Disclosure) -> Option<Disclosure>) -> MadeStep {
    let changed = match &made.step {
        Step::View(view) => change(view).map(|view| Step::View(Box::new(view))),
        _ => None,
    };
    match changed {
        Some(step) => Made { step, memo: made.memo },
        None => made,
    }
}

/// The answers of a view exchanged or shifted, with the old proof.
fn altered(view: &Disclosure, change: impl FnOnce(&mut [u8])) -> Option<Disclosure> {
    let mut bytes = view.to_bytes();
    change(&mut bytes);
    Disclosure::from_bytes(&bytes, &TICKETS).ok()
}

/// A state without any pawn.
fn without_pawns(state: &mut [Cipher]) {
    Square::all().for_each(|square| state[piece(square, Piece::Pawn) as usize] = Cipher::public(0));
}

impl KeepsKey for Hand {
    fn own_key(&self) -> Option<&OwnKey> {
        self.key.as_ref()
    }

    fn key_step(step: &Step) -> Option<&KeyStep> {
        if let Step::Key(step) = step { Some(step) } else { None }
    }

    fn made(step: KeyStep, own: OwnKey) -> MadeStep {
        Made { step: Step::Key(step), memo: Memo::Key(Box::new(own)) }
    }
}

/// All cheats that are not about a move.
#[expect(clippy::disallowed_methods, reason = "a cheat that repeats itself on purpose")]
fn others() -> Vec<Cheat<Hand>> {
    vec![
        late_key(),
        Cheat {
            name: "used-number",
            summary: "encrypts two numbers with the same randomness, so that others could see which are equal",
            check: "fresh",
            removable: false,
            tamper: |_, _, _, made, _| match made.step {
                Step::Turn(Turn::Move(mut moved, view)) => {
                    let mut codes = moved.codes.0;
                    codes[1] = codes[0];
                    moved.codes = Codes(codes);
                    Made { step: Step::Turn(Turn::Move(moved, view)), memo: made.memo }
                }
                step => Made { step, memo: made.memo },
            },
        },
        Cheat {
            name: "hidden-piece",
            summary: "answers from a board on which its pawns are missing",
            check: "view",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let mut states = [table.states[0].to_vec(), table.states[1].to_vec()];
                without_pawns(&mut states[hand.color.index()]);
                let mut challenger = Challenger::new(context);
                let view = hand.issue(table, [&states[0], &states[1]], context, &mut challenger, rng);
                reissued(made, |_| view)
            },
        },
        Cheat {
            name: "hidden-from-the-next",
            summary: "makes a legal move, and shows the opponent a board on which its pawns are missing",
            check: "view",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let mut view = |moved: &Moved| {
                    // Through the two proofs of the move to where that of the view begins.
                    let mut challenger = Challenger::new(context);
                    let _ = table.move_inputs(hand.color)?.check(moved, &mut challenger, &mut Batch::new());
                    let mut states = table.states_after(hand.color, moved.heard, &moved.codes);
                    without_pawns(&mut states[hand.color.index()]);
                    hand.issue(table, [&states[0], &states[1]], context, &mut challenger, rng)
                };
                match made.step {
                    Step::Turn(Turn::Move(moved, Some(shown))) => {
                        let view = view(&moved).map_or(shown, Box::new);
                        Made { step: Step::Turn(Turn::Move(moved, Some(view))), memo: made.memo }
                    }
                    step => Made { step, memo: made.memo },
                }
            },
        },
        Cheat {
            name: "forged-answer",
            summary: "shifts an answer so that it shows a piece where there is none",
            check: "view",
            removable: true,
            tamper: |_, _, _, made, _| {
                reissued(made, |view| {
                    let shifted = Element::new(view.answers()[0].w().point() + Element::generator().point())?;
                    altered(view, |bytes| bytes[64..96].copy_from_slice(shifted.as_bytes()))
                })
            },
        },
        Cheat {
            name: "swapped-answers",
            summary: "swaps two answers, so that one square looks like another",
            check: "view",
            removable: true,
            tamper: |_, _, _, made, _| {
                reissued(made, |view| {
                    altered(view, |bytes| {
                        // Behind the tag come `C` and `W` of the first answer, then those of the second.
                        let (first, second) = bytes.split_at_mut(96);
                        first[32..].swap_with_slice(&mut second[..64]);
                    })
                })
            },
        },
        Cheat {
            name: "used-tag",
            summary: "answers with factors that it has used before, so that two views could be compared",
            check: "tag",
            removable: true,
            tamper: |hand, table, context, made, _| {
                reissued(made, |_| {
                    // A generator that repeats itself, and a subject that is always the same.
                    let (secret, mut same) = (&hand.key.as_ref()?.secret, ChaCha20Rng::from_seed([7; 32]));
                    let rng = &mut Nonces::keyless(const { Purpose::new("used tag") }, &0u8, [], &mut same);
                    let viewer = table.key_of(hand.color.other())?;
                    let prepared = Prepared::new(secret, viewer, TICKETS, &0u32, rng)?;
                    let sight = table.sight(hand.color, [&table.states[0], &table.states[1]])?;
                    sight.issue(secret, prepared, &mut Challenger::new(context), rng)
                })
            },
        },
        Cheat {
            name: "accept-nothing",
            summary: "accepts a draw that nobody offered",
            check: "offer",
            removable: true,
            tamper: |_, _, _, made, _| match made.step {
                Step::Turn(_) => Made { step: Step::Turn(Turn::Accept), memo: Memo::Nothing },
                step => Made { step, memo: made.memo },
            },
        },
        Cheat {
            name: "false-claim",
            summary: "claims falsely to have no legal move",
            check: "claim",
            removable: true,
            tamper: |hand, _, _, made, _| match (&made.step, &hand.key) {
                (Step::Turn(_), Some(OwnKey { secret, .. })) => {
                    Made { step: Step::Turn(Turn::Claim(secret.secret().clone())), memo: Memo::Nothing }
                }
                _ => made,
            },
        },
        Cheat {
            name: "false-secret",
            summary: "agrees to show the game, and reveals a different key from the one it played with",
            check: "secret",
            removable: true,
            tamper: |_, _, _, made, rng| match made.step {
                Step::Show(_) => Made { step: Step::Show(SecretScalar::random(rng)), memo: made.memo },
                step => Made { step, memo: made.memo },
            },
        },
    ]
}
