//! Statements about encrypted numbers.

use outis_crypto::cases::{Case, Cases, CasesProof, CasesShape};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::disclosure::{Disclosed, Disclosure, Prepared, Question};
use outis_crypto::encrypted_number::{Cipher, Form, Known, Numbers};
use outis_crypto::group::{Element, Scalar, mul_generator, random_scalar, zero_point};
use outis_crypto::key::SeatSecret;
use outis_crypto::labels::Label;
use outis_crypto::selection::{Entry, Pair, Selected, SelectionProof, SelectionWitness};
use outis_crypto::sigma::Invalid;

use super::super::inputs::Tree;
use super::super::{Inputs, Kind, Layout, Lie, Sample};
use super::{World, commitments, element, restored};

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
    let tag = field(Layout::new(), "disclosure.tag").demand("disclosure.answers", 64 * questions);
    let answers =
        (0..questions).fold(tag, |layout, _| ["disclosure.c", "disclosure.w"].into_iter().fold(layout, field));
    let first = ["disclosure.first"; 4].into_iter().fold(answers, field);
    let masked = first.list("disclosure.masked", Kind::Scalar, questions);
    ["disclosure.rest"; 3].into_iter().fold(masked, |layout, name| layout.one(name, Kind::Scalar))
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
    // What is prepared is drawn by the prover, too: by a machine that was put back before.
    let prepare_and_issue = |subject: u32, ciphers: &[Cipher], questions: &[Question], world: &mut World| {
        let numbers = Numbers { ciphers, sums: &sums };
        let statement = Disclosed { issuer: issuer.key(), viewer: &viewer, numbers, questions };
        let mut challenger = world.challenger();
        let prepared = Prepared::new(&issuer, &viewer, questions.len(), &subject, &mut world.rng).expect("prepared");
        statement.issue(&issuer, prepared, &mut challenger, &mut world.rng).expect("a proof").to_bytes()
    };
    let attempt =
        |ciphers: &[Cipher], questions: &[Question], world: &mut World| prepare_and_issue(1, ciphers, questions, world);
    let proof = attempt(&ciphers, &questions, &mut world);
    if restored().is_some() {
        // The same answers once more, from another preparation (K-1).
        let _ = prepare_and_issue(2, &ciphers, &questions, &mut world);
    }
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

fn cases_of(tree: &Tree) -> Vec<Case> {
    tree.branches().iter().map(|case| case.branches().iter().map(Tree::forms).collect()).collect()
}

/// "The third number is the product of the first two, which are bits", and "the fourth, which is public, is 4 or 7".
pub(super) fn cases(mut world: World) -> Sample {
    let is = |at, value: i32| Form::constant(-value).plus(1, at);
    let cases: Vec<Case> = vec![
        vec![vec![is(0, 1), Form::number(2).plus(-1, 1)], vec![is(0, 0), is(2, 0)]],
        vec![vec![is(4, 4)], vec![is(4, 7)]],
    ];
    let sums = vec![Form::number(3).plus(1, 1)];
    let mut own = |numbers: [u32; 3]| {
        let hidden = numbers.map(|number| Known::new(number, random_scalar(&mut world.rng)));
        hidden.into_iter().chain([Known::public(6)]).collect::<Vec<_>>()
    };
    let (honest, wrong, neither) = (own([1, 1, 1]), own([1, 1, 0]), own([1, 0, 0]));
    let key = *world.key.element();
    let ciphers = |known: &[Known]| known.iter().map(|known| known.cipher(&world.key)).collect::<Vec<_>>();
    let tree = Tree::List(cases.iter().map(|c| Tree::List(c.iter().map(|a| Tree::of_forms(a)).collect())).collect());
    let inputs = Inputs::default()
        .with("key", &key)
        .with("ciphers", &ciphers(&honest)[..])
        .with("sums", Tree::of_forms(&sums))
        .with("cases", tree);
    let mut rng = world.rng.clone();
    let mut attempt = |known: &[Known], ciphers: &[Cipher]| {
        let statement = Cases { key: &key, numbers: Numbers { ciphers, sums: &sums }, cases: &cases };
        rng = restored().unwrap_or(rng.clone());
        let mut challenger = Challenger::new(&world.context);
        statement.prove(&world.key, known, &mut challenger, &mut rng).expect("a proof").to_bytes()
    };
    let proof = attempt(&honest, &ciphers(&honest));
    let mut lie = |name, description, known: &[Known], ciphers: &[Cipher]| Lie {
        name,
        description,
        inputs: inputs.but("ciphers", ciphers),
        proof: attempt(known, ciphers),
    };
    let mut mixed = ciphers(&honest);
    let moved = mixed[0].c1().expect("not zero").point() + Element::generator().point();
    mixed[0] = Cipher::new(moved, *mixed[0].c2().expect("not zero").point());
    let lies = vec![
        lie("bad_first_case", "no alternative of the first case holds", &wrong, &ciphers(&wrong)),
        lie("bad_second_case", "no alternative of the second case holds", &neither, &ciphers(&neither)),
        lie("bad_first_half", "the first half of a number has another randomness than the second", &honest, &mixed),
    ];
    Sample {
        name: "two cases",
        label: Label::Cases,
        context: world.context,
        inputs,
        proof,
        layout: Layout::new().list("cases.first", Kind::Element, 8).list("cases.challenges", Kind::Scalar, 2).list(
            "cases.responses",
            Kind::Scalar,
            4,
        ),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (key, ciphers) = (inputs.element("key")?, inputs.ciphers("ciphers")?);
            let (sums, cases) = (inputs.tree("sums").forms(), cases_of(inputs.tree("cases")));
            let statement = Cases { key: &key, numbers: Numbers { ciphers: &ciphers, sums: &sums }, cases: &cases };
            let proof = CasesProof::from_bytes(proof, &CasesShape::of(&cases))?;
            Ok(statement.verify(&proof, challenger, batch)?)
        },
    }
}

fn tree_of_entries(entries: &[Entry]) -> Tree {
    let number = |n: u32| Tree::Number(i64::from(n));
    let value = |(column, value): &(u32, i32)| Tree::Tuple(vec![number(*column), Tree::Number(i64::from(*value))]);
    let entry = |entry: &Entry| {
        let values = Tree::List(entry.values.iter().map(value).collect());
        Tree::Tuple(vec![number(entry.answer), number(entry.message), values])
    };
    Tree::List(entries.iter().map(entry).collect())
}

fn entries_of(tree: &Tree) -> Vec<Entry> {
    let value = |pair: &Tree| (pair.branches()[0].number() as u32, pair.branches()[1].number() as i32);
    let entry = |entry: &Tree| match entry.branches() {
        [answer, message, values] => Entry {
            answer: answer.number() as u32,
            message: message.number() as u32,
            values: values.branches().iter().map(value).collect(),
        },
        _ => panic!("an entry has three parts"),
    };
    tree.branches().iter().map(entry).collect()
}

fn selection_layout(entries: usize) -> Layout {
    let digits = if entries <= 4 { 1 } else { 2 };
    let radix = (1usize..).find(|n| n.pow(digits) >= entries).expect("a radix");
    let one = |layout: Layout, (field, kind)| layout.one(field, kind);
    let blinds = [("selection.blinds", Kind::Scalar); 3];
    let rest = [
        ("selection.base", Kind::Element),
        ("selection.first", Kind::Element),
        ("selection.first", Kind::Element),
        ("selection.response", Kind::Scalar),
    ];
    let layout = [("selection.digits", Kind::Element); 4].into_iter().fold(Layout::new(), one);
    let layout = layout.codes(2 * digits as usize);
    let layout = layout.list("selection.masked", Kind::Scalar, digits as usize * (radix - 1));
    blinds.into_iter().chain(rest).fold(layout, one)
}

/// Answer `i` opens to `i % 3` if `i` is even; entry `i` wants it, 5 in the first column and `i` in the second.
pub(super) fn selection(mut world: World, name: &'static str, n: u32, chosen: u32) -> Sample {
    let (viewer, key) = (world.own().clone(), *world.key.element());
    let answer = |i: u32, world: &mut World| {
        let (base, b) = (world.element(), viewer.secret().expose_secret());
        let shift = if i.is_multiple_of(2) { Scalar::from(i % 3) } else { random_scalar(&mut world.rng) };
        Pair { base, power: element(&(base.point() * b + mul_generator(&shift))) }
    };
    let pairs: Vec<Pair> = (0..n).map(|i| answer(i, &mut world)).collect();
    let entries: Vec<Entry> =
        (0..n).map(|i| Entry { answer: i, message: i % 3, values: vec![(0, 5), (1, i as i32)] }).collect();
    let (sums, columns) = (vec![Form::constant(1).plus(1, 0)], vec![Form::number(2), Form::number(1)]);
    let mut own = |numbers: [u32; 2]| numbers.map(|number| Known::new(number, random_scalar(&mut world.rng)));
    // The first column is the first number plus one.
    let (honest, closed, other, nothing) = (own([4, chosen]), own([4, 1]), own([3, chosen]), own([0, 0]));
    let ciphers = |known: &[Known]| known.iter().map(|known| known.cipher(&world.key)).collect::<Vec<_>>();
    let halves = |of: fn(&Pair) -> Element| pairs.iter().map(of).collect::<Vec<_>>();
    let inputs = Inputs::default()
        .with("key", &key)
        .with("viewer", viewer.key())
        .with("bases", &halves(|pair| pair.base)[..])
        .with("powers", &halves(|pair| pair.power)[..])
        .with("entries", tree_of_entries(&entries))
        .with("ciphers", &ciphers(&honest)[..])
        .with("sums", Tree::of_forms(&sums))
        .with("columns", Tree::of_forms(&columns));
    let mut rng = world.rng.clone();
    let mut attempt = |known: &[Known], entry: u32, secret: &SeatSecret| {
        let ciphers = ciphers(known);
        let numbers = Numbers { ciphers: &ciphers, sums: &sums };
        let statement = Selected {
            key: &key,
            viewer: secret.key(),
            answers: &pairs,
            entries: &entries,
            numbers,
            columns: &columns,
        };
        rng = restored().unwrap_or(rng.clone());
        let (witness, mut challenger) = (SelectionWitness { secret, entry, known }, Challenger::new(&world.context));
        let proof = statement.prove(commitments(), &world.key, witness, &mut challenger, &mut rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&honest, chosen, &viewer);
    let mut lie = |name, description, known: &[Known], entry: u32| Lie {
        name,
        description,
        inputs: inputs.but("ciphers", &ciphers(known)[..]),
        proof: attempt(known, entry, &viewer),
    };
    let lies = vec![
        lie("bad_closed_answer", "the answer of the entry is closed", &closed, 1),
        lie("bad_column", "a column has another value than the entry says", &other, chosen),
        lie("bad_place_without_entry", "nothing selected, proved for a place behind the list", &nothing, n),
    ];
    Sample {
        name,
        label: Label::Selection,
        context: world.context,
        inputs,
        proof,
        layout: selection_layout(n as usize),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (key, viewer) = (inputs.element("key")?, inputs.element("viewer")?);
            let (bases, powers) = (inputs.elements("bases")?, inputs.elements("powers")?);
            let entries = entries_of(inputs.tree("entries"));
            let (ciphers, sums) = (inputs.ciphers("ciphers")?, inputs.tree("sums").forms());
            let columns = inputs.tree("columns").forms();
            if bases.len() != powers.len() {
                return Err(Invalid { label: Label::Selection, why: "half an answer" }.into());
            }
            let answers: Vec<Pair> =
                bases.iter().zip(&powers).map(|(base, power)| Pair { base: *base, power: *power }).collect();
            let numbers = Numbers { ciphers: &ciphers, sums: &sums };
            let statement = Selected {
                key: &key,
                viewer: &viewer,
                answers: &answers,
                entries: &entries,
                numbers,
                columns: &columns,
            };
            let proof = SelectionProof::from_bytes(proof, &entries.len())?;
            Ok(statement.verify(commitments(), &proof, challenger, batch)?)
        },
    }
}
