//! Sigma statements.

use outis_crypto::batch::Batch;
use outis_crypto::card::Code;
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::group::{Element, RistrettoPoint, Scalar};
use outis_crypto::labels::Label;
use outis_crypto::secret::SecretScalar;
use outis_crypto::sigma::{
    AnyOf, AnyOfProof, Possession, Reencryption, SameCard, SameExponent, SameExponents, Sigma, SigmaProof, SigmaShape,
};

use super::super::inputs::{LinearRelation, Point};
use super::super::{Inputs, Kind, Layout, Lie, Refusal, Sample};
use super::{World, drawn, element, times};

fn sigma_layout(shape: SigmaShape) -> Layout {
    Layout::new().list("sigma.commitments", Kind::Element, shape.equations).list(
        "sigma.responses",
        Kind::Scalar,
        shape.secrets,
    )
}

fn sigma_check<S: Sigma>(
    statement: &S,
    proof: &[u8],
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Refusal> {
    let proof = SigmaProof::from_bytes(proof, &statement.shape())?;
    Ok(statement.verify(&proof, challenger, batch)?)
}

fn prove<S: Sigma>(world: &mut World, statement: &S, witness: &S::Witness) -> Vec<u8> {
    let mut challenger = world.challenger();
    statement.prove(witness, &mut challenger, &mut world.rng).expect("an encodable proof").to_bytes()
}

pub(super) fn possession(mut world: World) -> Sample {
    let statement = Possession { key: *world.own().key() };
    let secret = world.own().secret().clone();
    let inputs = Inputs::default().with("key", &statement.key);
    let proof = prove(&mut world, &statement, &secret);
    let rogue = Possession { key: element(&(statement.key.point() - world.secrets[0].key().point())) };
    let lies = vec![Lie {
        name: "bad_rogue_key",
        description: "the key is a known key minus the key of another seat; the prover knows only the former's secret",
        inputs: inputs.but("key", &rogue.key),
        proof: prove(&mut world, &rogue, &secret),
    }];
    Sample {
        name: "own key",
        label: Label::Possession,
        context: world.context,
        inputs,
        proof,
        layout: sigma_layout(statement.shape()),
        lies,
        check: |inputs, proof, challenger, batch| {
            sigma_check(&Possession { key: inputs.element("key")? }, proof, challenger, batch)
        },
    }
}

pub(super) fn same_exponent(mut world: World) -> Sample {
    let (g, h, alpha) = (world.element(), world.element(), world.scalar());
    let statement = SameExponent { g, x: times(&g, &alpha), h, y: times(&h, &alpha) };
    let inputs = Inputs::default().with("g", &g).with("x", &statement.x).with("h", &h).with("y", &statement.y);
    let proof = prove(&mut world, &statement, &alpha);
    let other = world.scalar();
    let uneven = SameExponent { y: times(&h, &other), ..statement.clone() };
    let lie = |name, description, witness: &SecretScalar, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("y", &uneven.y),
        proof: prove(world, &uneven, witness),
    };
    let lies = vec![
        lie("bad_other_exponent", "y has another exponent than x; proved with the exponent of x", &alpha, &mut world),
        lie("bad_other_exponent_of_y", "y has another exponent than x; proved with that of y", &other, &mut world),
    ];
    Sample {
        name: "one pair",
        label: Label::SameExponent,
        context: world.context,
        inputs,
        proof,
        layout: sigma_layout(statement.shape()),
        lies,
        check: |inputs, proof, challenger, batch| {
            let [g, x, h, y] = ["g", "x", "h", "y"].map(|name| inputs.element(name));
            sigma_check(&SameExponent { g: g?, x: x?, h: h?, y: y? }, proof, challenger, batch)
        },
    }
}

pub(super) fn same_exponents(mut world: World) -> Sample {
    let secret = world.own().secret().clone();
    let key = *world.own().key();
    let bases: Vec<Element> = (0..3).map(|_| world.element()).collect();
    let powers: Vec<Element> = bases.iter().map(|base| times(base, &secret)).collect();
    let statement = SameExponents { key, bases: &bases, powers: &powers };
    let inputs = Inputs::default().with("key", &key).with("bases", &bases[..]).with("powers", &powers[..]);
    let proof = prove(&mut world, &statement, &secret);
    let lie = |name, description, wrong: Vec<Element>, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("powers", &wrong[..]),
        proof: prove(world, &SameExponents { key, bases: &bases, powers: &wrong }, &secret),
    };
    let stranger = *world.secrets[2].key();
    let mut one = powers.clone();
    one[1] = element(&(one[1].point() + Element::generator().point()));
    let mut swapped = powers.clone();
    swapped.swap(0, 2);
    let mut cancelling = powers.clone();
    cancelling[0] = element(&(powers[0].point() + Element::generator().point()));
    cancelling[2] = element(&(powers[2].point() - Element::generator().point()));
    let lies = vec![
        lie("bad_one_power", "one power is off by the generator", one, &mut world),
        lie("bad_swapped_powers", "two powers are swapped", swapped, &mut world),
        lie("bad_cancelling_powers", "two powers are off by amounts whose sum is zero", cancelling, &mut world),
        Lie {
            name: "bad_other_key",
            description: "all powers share an exponent, but it is not that of the key",
            inputs: inputs.but("key", world.secrets[2].key()),
            proof: prove(&mut world, &SameExponents { key: stranger, bases: &bases, powers: &powers }, &secret),
        },
    ];
    Sample {
        name: "three pairs",
        label: Label::SameExponents,
        context: world.context,
        inputs,
        proof,
        layout: sigma_layout(statement.shape()),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (bases, powers) = (inputs.elements("bases")?, inputs.elements("powers")?);
            let statement = SameExponents { key: inputs.element("key")?, bases: &bases, powers: &powers };
            sigma_check(&statement, proof, challenger, batch)
        },
    }
}

pub(super) fn reencryption(mut world: World) -> Sample {
    let input = world.card(4).code;
    let r = world.scalar();
    let key = *world.key.element();
    let mask = |code: &Code, face: &RistrettoPoint| Code {
        c1: element(&(code.c1.point() + Element::generator().point() * r.expose_secret())),
        c2: element(&(code.c2.point() + key.point() * r.expose_secret() + face)),
    };
    let output = mask(&input, &RistrettoPoint::default());
    let other = mask(&input, &(world.faces.as_slice()[5].point() - world.faces.as_slice()[4].point()));
    let statement = Reencryption { key, input, output };
    let inputs = Inputs::default().with("key", &key).with("input", &input).with("output", &output);
    let proof = prove(&mut world, &statement, &r);
    let shifted = Code { c1: element(&(output.c1.point() + Element::generator().point())), c2: output.c2 };
    let lie = |name, description, output: Code, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("output", &output),
        proof: prove(world, &Reencryption { key, input, output }, &r),
    };
    let lies = vec![
        lie("bad_other_card", "the output holds another card than the input", other, &mut world),
        lie("bad_first_half", "only the first half of the output is false", shifted, &mut world),
    ];
    Sample {
        name: "one code",
        label: Label::Reencryption,
        context: world.context,
        inputs,
        proof,
        layout: sigma_layout(statement.shape()),
        lies,
        check: |inputs, proof, challenger, batch| {
            let statement = Reencryption {
                key: inputs.element("key")?,
                input: inputs.code("input")?,
                output: inputs.code("output")?,
            };
            sigma_check(&statement, proof, challenger, batch)
        },
    }
}

pub(super) fn same_card(mut world: World) -> Sample {
    let drawn = drawn(&mut world, 6);
    let (created, foreign) = (world.card(6), world.card(9));
    let secret = world.own().secret().clone();
    let (seat_key, joint_key) = (*world.own().key(), *world.key.element());
    let statement = SameCard { seat_key, joint_key, drawn, created: created.code };
    let inputs = Inputs::default()
        .with("seat_key", &seat_key)
        .with("joint_key", &joint_key)
        .with("drawn", &drawn)
        .with("created", &created.code);
    let proof = prove(&mut world, &statement, &(secret.clone(), created.randomness.clone()));
    let lie = |name, description, code: Code, witness: (&SecretScalar, &SecretScalar), world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("created", &code),
        proof: prove(world, &SameCard { created: code, ..statement.clone() }, &(witness.0.clone(), witness.1.clone())),
    };
    // Each is false in one equation only.
    let first_half = Code { c1: element(&(created.code.c1.point() + Element::generator().point())), ..created.code };
    let other = world.scalar();
    let opened_otherwise = Code {
        c1: created.code.c1,
        c2: element(
            &(drawn.c2.point() - times(&drawn.c1, &other).point() + times(&joint_key, &created.randomness).point()),
        ),
    };
    let lies = vec![
        lie(
            "bad_foreign_card",
            "the created code holds another card than the one that was drawn",
            foreign.code,
            (&secret, &foreign.randomness),
            &mut world,
        ),
        lie(
            "bad_first_half",
            "the first half of the created code has another randomness than the second",
            first_half,
            (&secret, &created.randomness),
            &mut world,
        ),
        lie(
            "bad_other_key",
            "the drawn code was opened with another secret than that of the seat's key",
            opened_otherwise,
            (&other, &created.randomness),
            &mut world,
        ),
    ];
    Sample {
        name: "one card",
        label: Label::SameCard,
        context: world.context,
        inputs,
        proof,
        layout: sigma_layout(statement.shape()),
        lies,
        check: |inputs, proof, challenger, batch| {
            let statement = SameCard {
                seat_key: inputs.element("seat_key")?,
                joint_key: inputs.element("joint_key")?,
                drawn: inputs.code("drawn")?,
                created: inputs.code("created")?,
            };
            sigma_check(&statement, proof, challenger, batch)
        },
    }
}

pub(super) fn any_of(mut world: World) -> Sample {
    // "I know this key, or these two pairs share an exponent, or this code re-encrypts that one"; the second is true.
    let g = Element::generator();
    let (stranger, base, alpha) = (world.element(), world.element(), world.scalar());
    let one = |e: &Element| Point::One(*e.as_bytes());
    let difference = |a: &Element, b: &Element| {
        Point::Sum(vec![(Scalar::ONE.to_bytes(), *a.as_bytes()), ((-Scalar::ONE).to_bytes(), *b.as_bytes())])
    };
    let (old, new, joint) = (world.card(1).code, world.card(2).code, *world.key.element());
    let branches = |y: &Element| {
        vec![
            LinearRelation { secrets: 1, equations: vec![(one(&stranger), vec![(0, one(&g))])] },
            LinearRelation {
                secrets: 2,
                equations: vec![
                    (one(&times(&g, &alpha)), vec![(0, one(&g))]),
                    (one(y), vec![(0, one(&base)), (1, one(&stranger))]),
                ],
            },
            LinearRelation {
                secrets: 1,
                equations: vec![
                    (difference(&new.c1, &old.c1), vec![(0, one(&g))]),
                    (difference(&new.c2, &old.c2), vec![(0, one(&joint))]),
                ],
            },
        ]
    };
    let beta = world.scalar();
    let y = element(&(times(&base, &alpha).point() + times(&stranger, &beta).point()));
    let inputs = Inputs::default().with("branches", branches(&y));
    let secrets = [*alpha.expose_secret(), *beta.expose_secret()];
    let attempt = |inputs: &Inputs, real, world: &mut World| {
        let relations = inputs.relations("branches").expect("valid relations");
        let statement = AnyOf { branches: relations.iter().map(|r| r.relation()).collect() };
        let mut challenger = world.challenger();
        let proof = statement.prove(real, &secrets, &mut challenger, &mut world.rng).expect("a proof");
        (proof.to_bytes(), statement.shape())
    };
    let (proof, shape) = attempt(&inputs, 1, &mut world);
    let mut layout = Layout::new();
    for branch in &shape {
        layout = layout.list("any-of.commitments", Kind::Element, branch.equations);
    }
    layout = layout.list("any-of.challenges", Kind::Scalar, shape.len() - 1);
    for branch in &shape {
        layout = layout.list("any-of.responses", Kind::Scalar, branch.secrets);
    }
    let nothing = inputs.but("branches", branches(&world.element()));
    let lie = |name, description, inputs: &Inputs, real, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.clone(),
        proof: attempt(inputs, real, world).0,
    };
    let lies = vec![
        lie("bad_no_branch_holds", "no branch holds; proved as if the second did", &nothing, 1, &mut world),
        lie("bad_first_branch", "proved as if the first branch held, which does not", &inputs, 0, &mut world),
        lie("bad_last_branch", "proved as if the last branch held, which does not", &inputs, 2, &mut world),
    ];
    Sample {
        name: "three branches of different shapes",
        label: Label::AnyOf,
        context: world.context,
        inputs,
        proof,
        layout,
        lies,
        check: |inputs, proof, challenger, batch| {
            let relations = inputs.relations("branches")?;
            let statement = AnyOf { branches: relations.iter().map(|r| r.relation()).collect() };
            let proof = AnyOfProof::from_bytes(proof, &statement.shape())?;
            Ok(statement.verify(&proof, challenger, batch)?)
        },
    }
}
