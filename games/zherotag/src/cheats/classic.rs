//! Cheats with the set intersection of the classic grade.

use outis_crypto::challenger::{Challenger, Nonces};
use outis_crypto::group::{Element, Scalar, mul_generator, random_scalar};
use outis_crypto::secret::SecretScalar;
use outis_table::Context;
use outis_table::cheat::Cheat;
use outis_table::game::{Made, MadeBy};

use crate::protocol::place::OwnPosition;
use crate::protocol::player::Memo;
use crate::protocol::psi::{Ask, Raised, Reply};
use crate::protocol::referee::{Awaiting, Told};
use crate::protocol::step::Sighted;
use crate::protocol::{Hand, Step, Table};
use crate::rules::{Cell, Direction};

/// The powers and its own point of an answer, changed by a cheat.
type Change<'a> = &'a dyn Fn(&SecretScalar, &mut Vec<Element>, &mut [Element; 1]);

/// Answers a question, with other points than it should.
fn answer(
    hand: &Hand,
    table: &Table,
    context: &Context,
    made: MadeBy<Hand>,
    change: Change<'_>,
    rng: &mut Nonces,
) -> MadeBy<Hand> {
    let (Step::Reply(_), Awaiting::Reply(asked) | Awaiting::LastReply(asked)) = (&made.step, &table.phase) else {
        return made;
    };
    let asks = matches!(table.phase, Awaiting::Reply(_));
    let replied = || {
        let (key, squares) = table.classic()?;
        let at = OwnPosition { place: table.place(hand.seat())?, secret: &hand.standing };
        let beta = SecretScalar::random(rng);
        let power = |base: &Element| Element::new(base.point() * beta.expose_secret());
        let mut powers = asked.set.iter().map(power).collect::<Option<Vec<_>>>()?;
        let mut own = [power(&squares.point(hand.standing.cell))?];
        change(&beta, &mut powers, &mut own);
        let public = Element::new(mul_generator(beta.expose_secret()))?;
        let mut challenger = Challenger::new(context);
        let made = Raised { beta, key: public, powers, own };
        let reply = Reply::of(squares, key.element(), at, asked, made, &mut challenger, rng)?;
        let secret = &hand.key.as_ref()?.secret;
        let ask = if asks { Some(Ask::make(squares, key.element(), secret, at, &mut challenger, rng)?) } else { None };
        let (ask, memo) = ask.map_or((None, Memo::Nothing), |(ask, alpha)| (Some(ask), Memo::Asking(alpha)));
        Some(Made { step: Step::Reply(Box::new((reply, ask))), memo })
    };
    let replied: Option<MadeBy<Hand>> = { replied }();
    replied.unwrap_or(made)
}

/// Moves honestly, and asks about squares of its choice, with an exponent of its choice.
fn ask(
    hand: &Hand,
    table: &Table,
    context: &Context,
    made: MadeBy<Hand>,
    cells: &dyn Fn(Cell) -> Vec<Cell>,
    alpha: Option<SecretScalar>,
    rng: &mut Nonces,
) -> MadeBy<Hand> {
    let (Step::Move(step), Memo::Going(standing, _)) = (&made.step, &made.memo) else { return made };
    let alpha = alpha.unwrap_or_else(|| SecretScalar::random(rng));
    let asked = || {
        let (key, squares) = table.classic()?;
        // The proof of the step is made again: the question follows it on the same running challenger.
        let mut honest = step.clone();
        let mut challenger = Challenger::new(context);
        let one_step =
            crate::protocol::place::OneStep { key: key.element(), from: table.place(hand.seat())?, to: &honest.to };
        let direction = hand.standing.cell.towards(standing.cell)?;
        honest.step = one_step.prove(direction, &hand.standing, standing, &mut challenger, rng)?;
        let at = OwnPosition { place: &step.to, secret: standing };
        let cells = cells(standing.cell);
        let ask = Ask::about(squares, key.element(), at, &cells, &alpha, &mut challenger, rng)?;
        honest.sight = Sighted::Classic(Box::new(ask));
        Some(honest)
    };
    let asked = { asked }();
    match (asked, made.memo) {
        (Some(step), Memo::Going(standing, _)) => {
            Made { step: Step::Move(step), memo: Memo::Going(standing, Some(alpha)) }
        }
        (_, memo) => Made { step: made.step, memo },
    }
}

fn around(cell: Cell) -> Vec<Cell> {
    Direction::ALL.into_iter().map(|direction| cell.step(direction)).collect()
}

pub(super) fn cheats() -> Vec<Cheat<Hand>> {
    vec![
        Cheat {
            name: "wide-question",
            summary: "asks about a distant square instead of an adjacent one, and so sees further than it may",
            check: "question",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let cells = |at: Cell| {
                    let mut cells = around(at);
                    cells[0] = at.step(Direction::ALL[7]).step(Direction::ALL[7]);
                    cells
                };
                ask(hand, table, context, made, &cells, None, rng)
            },
        },
        Cheat {
            name: "same-alpha",
            summary: "asks with the secret of its last question, so that equal points show equal squares",
            check: "repeated",
            removable: true,
            tamper: |hand, table, context, made, rng| match &hand.alpha {
                Some(alpha) => ask(hand, table, context, made, &around, Some(alpha.clone()), rng),
                None => made,
            },
        },
        Cheat {
            name: "two-betas",
            summary: "answers one point with a different secret from the rest, so that it is not seen there",
            check: "answer",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let other = random_scalar(rng);
                let change = |_: &SecretScalar, powers: &mut Vec<Element>, _: &mut [Element; 1]| {
                    powers.iter_mut().for_each(|p| *p = Element::new(p.point() * other).unwrap_or(*p));
                };
                answer(hand, table, context, made, &change, rng)
            },
        },
        Cheat {
            name: "cancelling-shifts",
            summary: "shifts the points of its answer so that the shifts cancel out, and is never seen",
            check: "answer",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let shift = random_scalar(rng);
                let change = |_: &SecretScalar, powers: &mut Vec<Element>, _: &mut [Element; 1]| {
                    let sign = |i: usize| if i.is_multiple_of(2) { shift } else { -shift };
                    for (i, power) in powers.iter_mut().enumerate() {
                        *power = Element::new(power.point() + mul_generator(&sign(i))).unwrap_or(*power);
                    }
                };
                answer(hand, table, context, made, &change, rng)
            },
        },
        Cheat {
            name: "earlier-answer",
            summary: "answers with the points of its earlier answer",
            check: "answer",
            removable: true,
            tamper: |hand, table, context, made, rng| match &table.told[usize::from(1 - hand.seat().0)] {
                Some((_, Told::Powers(told))) => {
                    let change = |_: &SecretScalar, powers: &mut Vec<Element>, _: &mut [Element; 1]| {
                        powers.clone_from(&told.powers);
                    };
                    answer(hand, table, context, made, &change, rng)
                }
                _ => made,
            },
        },
        Cheat {
            name: "one-secret",
            summary: "answers and asks with the same secret in one entry, so that points of both can be compared",
            check: "repeated",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let (Step::Reply(_), Awaiting::Reply(asked)) = (&made.step, &table.phase) else { return made };
                let both = || -> Option<MadeBy<Hand>> {
                    let (key, squares) = table.classic()?;
                    let at = OwnPosition { place: table.place(hand.seat())?, secret: &hand.standing };
                    let secret = SecretScalar::random(rng);
                    let public = Element::new(mul_generator(secret.expose_secret()))?;
                    let power = |base: &Element| Element::new(base.point() * secret.expose_secret());
                    let powers = asked.set.iter().map(power).collect::<Option<Vec<_>>>()?;
                    let own = [power(&squares.point(hand.standing.cell))?];
                    let mut challenger = Challenger::new(context);
                    let answer = Raised { beta: secret.clone(), key: public, powers, own };
                    let reply = Reply::of(squares, key.element(), at, asked, answer, &mut challenger, rng)?;
                    let cells = around(hand.standing.cell);
                    let ask = Ask::about(squares, key.element(), at, &cells, &secret, &mut challenger, rng)?;
                    Some(Made { step: Step::Reply(Box::new((reply, Some(ask)))), memo: Memo::Asking(secret) })
                };
                let changed: Option<MadeBy<Hand>> = { both }();
                changed.unwrap_or(made)
            },
        },
        Cheat {
            name: "not-here",
            summary: "answers as if it stood on no square at all",
            check: "square",
            removable: true,
            tamper: |hand, table, context, made, rng| {
                let change = |beta: &SecretScalar, _: &mut Vec<Element>, own: &mut [Element; 1]| {
                    let nowhere = mul_generator(&(beta.expose_secret() + Scalar::ONE));
                    own[0] = Element::new(nowhere).unwrap_or(own[0]);
                };
                answer(hand, table, context, made, &change, rng)
            },
        },
    ]
}
