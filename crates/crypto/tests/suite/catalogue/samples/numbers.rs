//! Statements about encrypted numbers.

use outis_crypto::codec::{Decode, Encode};
use outis_crypto::disclosure::{Disclosed, Disclosure, Prepared, Question};
use outis_crypto::group::{Element, random_scalar, zero_point};
use outis_crypto::labels::Label;
use outis_crypto::number::{Cipher, Form, Known, Numbers};

use super::super::inputs::Tree;
use super::super::{Inputs, Kind, Layout, Lie, Sample};
use super::World;

fn encrypt(world: &mut World, number: u32) -> Cipher {
    Known::new(number, random_scalar(&mut world.rng)).cipher(&world.key)
}

fn tree_of(questions: &[Question]) -> Tree {
    let pair = |q: &Question| Tree::Tuple(vec![Tree::of_form(&q.condition), Tree::of_form(&q.message)]);
    Tree::List(questions.iter().map(pair).collect())
}

fn questions_of(tree: &Tree) -> Vec<Question> {
    let question = |pair: &Tree| match pair.branches() {
        [condition, message] => Question { condition: condition.form(), message: message.form() },
        _ => panic!("a question has two parts"),
    };
    tree.branches().iter().map(question).collect()
}

fn disclosure_layout(questions: usize) -> Layout {
    let field = |layout: Layout, name| layout.one(name, Kind::Element);
    let answers = (0..questions).fold(Layout::new().demand("disclosure.answers", 96 * questions), |layout, _| {
        ["disclosure.tag", "disclosure.c", "disclosure.w"].into_iter().fold(layout, field)
    });
    let sums =
        ["disclosure.sums"; 3].into_iter().fold(answers.list("disclosure.tags", Kind::Element, questions), field);
    sums.list("disclosure.masked", Kind::Scalar, questions)
        .one("disclosure.rest", Kind::Scalar)
        .one("disclosure.rest", Kind::Scalar)
}

/// Three questions about two hidden numbers and a public one: the first opens, the others do not.
pub(super) fn disclosure(mut world: World) -> Sample {
    let ciphers = vec![encrypt(&mut world, 2), Cipher::public(1), encrypt(&mut world, 3)];
    let sums = vec![Form::number(0).plus(-1, 1)];
    let questions = vec![
        Question { condition: Form::constant(-1).plus(1, 3), message: Form::constant(4).plus(2, 2) },
        Question { condition: Form::constant(1).plus(1, 3), message: Form::number(2) },
        Question { condition: Form::number(0).plus(1, 2), message: Form::constant(0) },
    ];
    let (issuer, viewer) = (world.own().clone(), *world.secrets[2].key());
    let inputs = Inputs::default()
        .with("issuer", issuer.key())
        .with("viewer", &viewer)
        .with("ciphers", &ciphers[..])
        .with("sums", Tree::of_forms(&sums))
        .with("questions", tree_of(&questions));
    let attempt = |ciphers: &[Cipher], questions: &[Question], world: &mut World| {
        let numbers = Numbers { ciphers, sums: &sums };
        let statement = Disclosed { issuer: issuer.key(), viewer: &viewer, numbers, questions };
        let prepared = Prepared::new(&issuer, &viewer, questions.len(), &1u32, &mut world.rng).expect("prepared");
        let mut challenger = world.challenger();
        statement.issue(&issuer, prepared, &mut challenger, &mut world.rng).expect("a proof").to_bytes()
    };
    let proof = attempt(&ciphers, &questions, &mut world);
    let mut doctored = ciphers.clone();
    doctored[0] = encrypt(&mut world, 1);
    let mut hidden = ciphers.clone();
    let shifted = hidden[2].c2().expect("not zero").point() + Element::generator().point();
    hidden[2] = Cipher::new(hidden[2].c1().map_or_else(zero_point, |c1| *c1.point()), shifted);
    let mut reordered = questions.clone();
    reordered.swap(0, 1);
    let lie = |name, description, proof| Lie { name, description, inputs: inputs.clone(), proof };
    let lies = vec![
        lie("bad_other_number", "answered from another number", attempt(&doctored, &questions, &mut world)),
        lie(
            "bad_other_message",
            "answered with a message that is one higher",
            attempt(&hidden, &questions, &mut world),
        ),
        lie("bad_other_order", "answers in another order", attempt(&ciphers, &reordered, &mut world)),
    ];
    Sample {
        name: "three questions",
        label: Label::Disclosure,
        context: world.context,
        inputs,
        proof,
        layout: disclosure_layout(questions.len()),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (issuer, viewer) = (inputs.element("issuer")?, inputs.element("viewer")?);
            let (ciphers, sums) = (inputs.ciphers("ciphers")?, inputs.tree("sums").forms());
            let questions = questions_of(inputs.tree("questions"));
            let numbers = Numbers { ciphers: &ciphers, sums: &sums };
            let statement = Disclosed { issuer: &issuer, viewer: &viewer, numbers, questions: &questions };
            let proof = Disclosure::from_bytes(proof, &questions.len())?;
            Ok(statement.verify(&proof, challenger, batch)?)
        },
    }
}
