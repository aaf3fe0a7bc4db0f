//! The samples, label by label.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::containment::classic::ClassicContainment;
use outis_crypto::containment::{self, ContainmentProof, ContainmentShape};
use outis_crypto::context::Context;
use outis_crypto::deck::{create, open_deck};
use outis_crypto::group::{Element, RistrettoPoint, Scalar, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::labels::Label;
use outis_crypto::one_of_many::{OneOfMany, OneOfManyProof};
use outis_crypto::secret::SecretScalar;
use outis_crypto::shuffle::classic::{self, CutAndChoose};
use outis_crypto::shuffle::{
    CommitmentKey, PermutationProof, PermutationShape, Permuted, exponent, recreate, reencrypt,
};
use outis_crypto::sigma::{
    AnyOf, AnyOfProof, Possession, Reencryption, SameCard, SameExponent, SameExponents, Sigma, SigmaProof, SigmaShape,
};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::inputs::{LinearRelation, Point};
use super::{Inputs, Kind, Layout, Lie, Refusal, Sample, context};

/// The samples of a label. The match is exhaustive on purpose: a statement without a sample does not compile.
pub fn samples(label: Label, seed: u64) -> Vec<Sample> {
    let world = || World::new(label, seed);
    match label {
        Label::Possession => vec![possession(world())],
        Label::SameExponent => vec![same_exponent(world())],
        Label::SameExponents => vec![same_exponents(world())],
        Label::Reencryption => vec![reencryption(world())],
        Label::SameCard => vec![same_card(world())],
        Label::AnyOf => vec![any_of(world())],
        Label::OneOfMany => {
            vec![one_of_many(world(), "one digit", 3, 2), one_of_many(world(), "two digits, slots to fill", 6, 5)]
        }
        Label::Shuffle => vec![shuffle(world(), "four cards", 4), shuffle(world(), "one card", 1)],
        Label::ExponentShuffle => vec![exponent_shuffle(world())],
        Label::Recreation => vec![recreation(world())],
        Label::Containment => vec![
            contained(world(), "one of five", &[0, 2, 3, 5, 6], &[5]),
            contained(world(), "two of four", &[1, 2, 4, 6], &[6, 2]),
            contained(world(), "a whole set", &[3, 0, 5], &[0, 3, 5]),
        ],
        Label::ClassicShuffle => vec![classic_shuffle(world())],
        Label::ClassicContainment => vec![
            classic_contained(world(), "one of two", &[3, 8], &[8]),
            classic_contained(world(), "a whole set", &[2, 5], &[5, 2]),
        ],
    }
}

/// The game whose pack the samples use.
pub const GAME: &str = "catalogue";
/// The size of that pack.
pub const PACK: usize = 14;

/// What a prover of a sample has at hand.
struct World {
    rng: ChaCha20Rng,
    context: Context,
    secrets: Vec<SeatSecret>,
    key: JointKey,
    faces: Faces,
}

impl World {
    fn new(label: Label, seed: u64) -> Self {
        // Seeds go by the label's text: a new label leaves the vectors of the old ones as they are.
        let spread = label.text().bytes().fold(seed, |sum, b| sum.wrapping_mul(257).wrapping_add(b.into()));
        let mut rng = ChaCha20Rng::seed_from_u64(spread);
        let (secrets, key) = table_of(3, &mut rng);
        Self { rng, context: context(), secrets, key, faces: Faces::new(GAME, PACK) }
    }

    fn challenger(&self) -> Challenger {
        Challenger::new(&self.context)
    }

    /// The prover's own key: that of the context's seat.
    fn own(&self) -> &SeatSecret {
        &self.secrets[usize::from(self.context.seat.0)]
    }

    fn scalar(&mut self) -> SecretScalar {
        SecretScalar::random(&mut self.rng)
    }

    fn element(&mut self) -> Element {
        element(&(Element::generator().point() * random_scalar(&mut self.rng)))
    }

    fn card(&mut self, card: usize) -> OwnCard {
        create(&self.key, &self.faces, card, &mut self.rng).expect("a card of the pack")
    }
}

fn element(point: &RistrettoPoint) -> Element {
    Element::new(*point).expect("not the identity")
}

fn times(base: &Element, scalar: &SecretScalar) -> Element {
    element(&(base.point() * scalar.expose_secret()))
}

fn commitments() -> &'static CommitmentKey {
    static KEY: OnceLock<CommitmentKey> = OnceLock::new();
    KEY.get_or_init(|| CommitmentKey::new(16))
}

/// A joint key from its element. Its table is expensive and a suite asks for the same few again and again.
fn joint_key(key: Element) -> JointKey {
    thread_local! {
        static KEYS: RefCell<BTreeMap<Element, JointKey>> = const { RefCell::new(BTreeMap::new()) };
    }
    let make = || outis_crypto::key::testing::joint_key(key);
    KEYS.with_borrow_mut(|keys| keys.entry(key).or_insert_with(make).clone())
}

// Sigma statements

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

fn possession(mut world: World) -> Sample {
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

fn same_exponent(mut world: World) -> Sample {
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

fn same_exponents(mut world: World) -> Sample {
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

fn reencryption(mut world: World) -> Sample {
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
    let lies = vec![Lie {
        name: "bad_other_card",
        description: "the output holds another card than the input",
        inputs: inputs.but("output", &other),
        proof: prove(&mut world, &Reencryption { key, input, output: other }, &r),
    }];
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

/// A code under the prover's own key alone, as it is after all other seats' shares were taken off.
fn drawn(world: &mut World, card: usize) -> Code {
    let r = world.scalar();
    let face = world.faces.as_slice()[card];
    Code {
        c1: times(&Element::generator(), &r),
        c2: element(&(face.point() + world.own().key().point() * r.expose_secret())),
    }
}

fn same_card(mut world: World) -> Sample {
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
    let wrong = SameCard { created: foreign.code, ..statement.clone() };
    let lies = vec![Lie {
        name: "bad_foreign_card",
        description: "the created code holds another card than the one that was drawn",
        inputs: inputs.but("created", &foreign.code),
        proof: prove(&mut world, &wrong, &(secret, foreign.randomness.clone())),
    }];
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

fn any_of(mut world: World) -> Sample {
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

// One of many, and containment

fn one_of_many_layout(faces: usize) -> Layout {
    let digits = if faces <= 4 { 1 } else { 2 };
    let radix = (1usize..).find(|n| n.pow(digits) >= faces).expect("a radix");
    let element = |layout: Layout, _| layout.one("one-of-many.digits", Kind::Element);
    (0..4)
        .fold(Layout::new(), element)
        .codes(digits as usize)
        .list("one-of-many.masked", Kind::Scalar, digits as usize * (radix - 1))
        .one("one-of-many.blinds", Kind::Scalar)
        .one("one-of-many.blinds", Kind::Scalar)
        .one("one-of-many.blinds", Kind::Scalar)
}

fn one_of_many(mut world: World, name: &'static str, n: usize, l: usize) -> Sample {
    let own = world.card(l);
    let faces = world.faces.as_slice()[..n].to_vec();
    let key = *world.key.element();
    let inputs = Inputs::default().with("key", &key).with("code", &own.code).with("faces", &faces[..]);
    let attempt = |own: &OwnCard, position: usize, world: &mut World| {
        let statement = OneOfMany { key: &key, code: own.code, faces: &faces };
        let witness = (position as u32, own.randomness.expose_secret());
        let mut challenger = world.challenger();
        let proof = statement.prove(commitments(), &world.key, witness, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&own, l, &mut world);
    let foreign = world.card(n);
    let lies = [
        ("bad_foreign_card", "the code holds a card that is not listed; proved for position 0", 0),
        ("bad_foreign_card_last", "the code holds a card that is not listed; proved for the last position", n - 1),
        ("bad_slot_without_entry", "the code holds a card that is not listed; proved for a slot behind the list", n),
    ];
    let lies = lies
        .into_iter()
        .map(|(name, description, position)| Lie {
            name,
            description,
            inputs: inputs.but("code", &foreign.code),
            proof: attempt(&foreign, position, &mut world),
        })
        .collect();
    Sample {
        name,
        label: Label::OneOfMany,
        context: world.context,
        inputs,
        proof,
        layout: one_of_many_layout(n),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (key, faces) = (inputs.element("key")?, inputs.elements("faces")?);
            let statement = OneOfMany { key: &key, code: inputs.code("code")?, faces: &faces };
            let proof = OneOfManyProof::from_bytes(proof, &faces.len())?;
            Ok(statement.verify(commitments(), &proof, challenger, batch)?)
        },
    }
}

fn contained(mut world: World, name: &'static str, set: &[usize], cards: &[usize]) -> Sample {
    let hand: Vec<OwnCard> = cards.iter().map(|card| world.card(*card)).collect();
    let codes = |hand: &[OwnCard]| hand.iter().map(|own| own.code).collect::<Vec<Code>>();
    let attempt = |hand: &[OwnCard], world: &mut World| {
        let mut challenger = world.challenger();
        let pack = (&world.faces, set);
        containment::prove(commitments(), &world.key, pack, hand, &mut challenger, &mut world.rng).expect("a proof")
    };
    let inputs = Inputs::default()
        .with("key", world.key.element())
        .with("game", GAME)
        .with("set", set)
        .with("codes", &codes(&hand)[..]);
    let proof = attempt(&hand, &mut world).to_bytes();
    let lie = |name, description, hand: &[OwnCard], world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("codes", &codes(hand)[..]),
        proof: attempt(hand, world).to_bytes(),
    };
    let mut foreign = hand.clone();
    foreign[0] = OwnCard { card: cards[0], ..world.card(PACK - 1) };
    let mut lies = vec![lie("bad_foreign_card", "the first code holds a card outside the set", &foreign, &mut world)];
    if cards.len() > 1 {
        let mut twice = hand.clone();
        twice[1] = OwnCard { card: cards[1], ..world.card(cards[0]) };
        lies.push(lie("bad_same_card_twice", "two codes hold the same card of the set", &twice, &mut world));
    }
    let layout = match cards.len() {
        1 => one_of_many_layout(set.len()),
        n => Layout::new()
            .demand("codes", 64 * (set.len() - n))
            .codes(set.len() - n)
            .then(permutation_layout::<containment::Contained<'_>>(set.len())),
    };
    Sample {
        name,
        label: Label::Containment,
        context: world.context,
        inputs,
        proof,
        layout,
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (set, codes) = (inputs.cards("set"), inputs.codes("codes")?);
            let pack = Faces::new(inputs.text("game"), PACK);
            let shape = ContainmentShape { codes: codes.len(), faces: set.len() };
            let proof = ContainmentProof::from_bytes(proof, &shape)?;
            Ok(containment::verify(commitments(), &key, (&pack, &set), &codes, &proof, challenger, batch)?)
        },
    }
}

// Shuffles

fn permutation_layout<S: Permuted>(cards: usize) -> Layout {
    Layout::new()
        .one("permutation.order", Kind::Element)
        .one("permutation.weights", Kind::Element)
        .list("permutation.first", Kind::Element, 2 + S::EQUATIONS)
        .one("permutation.product", Kind::Element)
        .one("permutation.product", Kind::Element)
        .list("permutation.responses", Kind::Scalar, 2 * cards + 1 + S::SECRETS)
        .one("permutation.product-blind", Kind::Scalar)
}

fn permutation_proof<S: Permuted>(proof: &[u8], cards: usize) -> Result<PermutationProof, Refusal> {
    Ok(PermutationProof::from_bytes(proof, &PermutationShape::of::<S>(cards))?)
}

fn shuffle(mut world: World, name: &'static str, n: usize) -> Sample {
    let pack = Faces::new(GAME, n);
    let input = open_deck(&world.key, &pack).0;
    let (Codes(output), secret) = reencrypt::shuffle(&world.key, &input, &mut world.rng).expect("a shuffle");
    let inputs =
        Inputs::default().with("key", world.key.element()).with("input", &input[..]).with("output", &output[..]);
    let attempt = |output: &[Code], world: &mut World| {
        let mut challenger = world.challenger();
        let decks = (&input[..], output);
        let proof = reencrypt::prove(commitments(), &world.key, decks, &secret, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&output, &mut world);
    let lie = |name, description, output: Vec<Code>, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("output", &output[..]),
        proof: attempt(&output, world),
    };
    let mut replaced = output.clone();
    replaced[n - 1] = world.card(PACK - 1).code;
    let mut random = output.clone();
    random[0].c2 = world.element();
    let mut shifted = output.clone();
    shifted[0].c2 = element(&(shifted[0].c2.point() + Element::generator().point()));
    let mut lies = vec![
        lie("bad_replaced_card", "the last code holds a card that was not in the deck", replaced, &mut world),
        lie("bad_random_card", "the second half of a code is a random element", random, &mut world),
        lie("bad_marked_card", "the generator was added to the second half of a code", shifted, &mut world),
    ];
    if n > 1 {
        let mut twice = output.clone();
        let r = world.scalar();
        twice[1] = Code {
            c1: element(&(output[0].c1.point() + times(&Element::generator(), &r).point())),
            c2: element(&(output[0].c2.point() + times(world.key.element(), &r).point())),
        };
        lies.push(lie("bad_duplicate_card", "a code is another code of the deck, re-encrypted", twice, &mut world));
    }
    Sample {
        name,
        label: Label::Shuffle,
        context: world.context,
        inputs,
        proof,
        layout: permutation_layout::<reencrypt::Shuffled<'_>>(n),
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (input, output) = (inputs.codes("input")?, inputs.codes("output")?);
            let proof = permutation_proof::<reencrypt::Shuffled<'_>>(proof, output.len())?;
            Ok(reencrypt::verify(commitments(), &key, (&input, &output), &proof, challenger, batch)?)
        },
    }
}

fn exponent_shuffle(mut world: World) -> Sample {
    let input = world.faces.as_slice()[..4].to_vec();
    let own = world.own().clone();
    let (output, permutation) = exponent::shuffle(&own, &input, &mut world.rng).expect("a shuffle");
    let inputs = Inputs::default().with("key", own.key()).with("input", &input[..]).with("output", &output[..]);
    let attempt = |output: &[Element], world: &mut World| {
        let mut challenger = world.challenger();
        let decks = (&input[..], output);
        let proof = exponent::prove(commitments(), &own, decks, &permutation, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&output, &mut world);
    let lie = |name, description, at: usize, other: Element, world: &mut World| {
        let mut output = output.clone();
        output[at] = other;
        Lie { name, description, inputs: inputs.but("output", &output[..]), proof: attempt(&output, world) }
    };
    let (foreign, random) = (times(&world.faces.as_slice()[7], own.secret()), world.element());
    let other = times(&output[2], &world.scalar());
    let lies = vec![
        lie("bad_foreign_card", "a card that was not in the deck, raised to the key", 0, foreign, &mut world),
        lie("bad_random_card", "a random element", 1, random, &mut world),
        lie("bad_other_exponent", "one card is raised to another exponent", 2, other, &mut world),
    ];
    Sample {
        name: "four cards",
        label: Label::ExponentShuffle,
        context: world.context,
        inputs,
        proof,
        layout: permutation_layout::<exponent::Exponentiated<'_>>(4),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (input, output) = (inputs.elements("input")?, inputs.elements("output")?);
            let proof = permutation_proof::<exponent::Exponentiated<'_>>(proof, output.len())?;
            let key = inputs.element("key")?;
            Ok(exponent::verify(commitments(), &key, (&input, &output), &proof, challenger, batch)?)
        },
    }
}

fn recreation(mut world: World) -> Sample {
    let held: Vec<OwnCard> = vec![world.card(0), world.card(3)];
    let drawn = vec![drawn(&mut world, 8), drawn(&mut world, 5)];
    let own = world.own().clone();
    let (hand, secret) =
        recreate::recreate(&own, &world.key, &world.faces, &held, &drawn, &mut world.rng).expect("a hand");
    let held: Vec<Code> = held.iter().map(|own| own.code).collect();
    let created: Vec<Code> = hand.iter().map(|own| own.code).collect();
    let inputs = Inputs::default()
        .with("seat_key", own.key())
        .with("joint_key", world.key.element())
        .with("held", &held[..])
        .with("drawn", &drawn[..])
        .with("created", &created[..]);
    let attempt = |created: &[Code], world: &mut World| {
        let mut challenger = world.challenger();
        let codes = (&held[..], &drawn[..], &Codes(created.to_vec()));
        recreate::prove(commitments(), &own, &world.key, codes, &secret, &mut challenger, &mut world.rng)
            .expect("a proof")
            .to_bytes()
    };
    let proof = attempt(&created, &mut world);
    let foreign = |at: usize, card: usize, world: &mut World| {
        // The liar keeps the randomness, so that only the face is false.
        let mut created = created.clone();
        let faces = world.faces.as_slice();
        created[at].c2 = element(&(created[at].c2.point() - faces[hand[at].card].point() + faces[card].point()));
        created
    };
    let lie = |name, description, created: Vec<Code>, world: &mut World| Lie {
        name,
        description,
        inputs: inputs.but("created", &created[..]),
        proof: attempt(&created, world),
    };
    let (outside, twice) = (foreign(1, 11, &mut world), foreign(2, hand[0].card, &mut world));
    let lies = vec![
        lie("bad_foreign_card", "a code of the new hand holds a card that was not drawn", outside, &mut world),
        lie("bad_duplicate_card", "two codes of the new hand hold the same card", twice, &mut world),
    ];
    Sample {
        name: "two held, two drawn",
        label: Label::Recreation,
        context: world.context,
        inputs,
        proof,
        layout: permutation_layout::<recreate::Recreated<'_>>(4),
        lies,
        check: |inputs, proof, challenger, batch| {
            let (seat_key, joint) = (inputs.element("seat_key")?, joint_key(inputs.element("joint_key")?));
            let (held, drawn) = (inputs.codes("held")?, inputs.codes("drawn")?);
            let created = Codes(inputs.codes("created")?);
            let proof = permutation_proof::<recreate::Recreated<'_>>(proof, created.len())?;
            let codes = (&held[..], &drawn[..], &created);
            Ok(recreate::verify(commitments(), &seat_key, &joint, codes, &proof, challenger, batch)?)
        },
    }
}

// The thesis's own proofs

/// Rounds of the classic samples: the fewest that a non-interactive proof may have.
const ROUNDS: usize = 128;

fn cut_and_choose_layout(cards: usize) -> Layout {
    let mut layout = Layout::new().demand("shadows", ROUNDS * cards * 64);
    for _ in 0..ROUNDS {
        layout = layout.demand("codes", cards * 64).codes(cards);
    }
    layout = layout.demand("openings", ROUNDS * cards * 34);
    for _ in 0..ROUNDS {
        layout = layout.demand("opening.order", cards * 34);
        for _ in 0..cards {
            layout = layout.one("opening.order", Kind::Count(0, cards as u16 - 1));
        }
        layout = layout.list("opening.masks", Kind::Scalar, cards);
    }
    layout
}

fn classic_shuffle(mut world: World) -> Sample {
    let pack = Faces::new(GAME, 2);
    let input = open_deck(&world.key, &pack).0;
    let (Codes(output), secret) = reencrypt::shuffle(&world.key, &input, &mut world.rng).expect("a shuffle");
    let inputs =
        Inputs::default().with("key", world.key.element()).with("input", &input[..]).with("output", &output[..]);
    let attempt = |output: &[Code], world: &mut World| {
        let (mut challenger, decks) = (world.challenger(), (&input[..], output));
        let proof = classic::prove::<ROUNDS>(&world.key, decks, &secret, &mut challenger, &mut world.rng);
        proof.expect("a proof").to_bytes()
    };
    let proof = attempt(&output, &mut world);
    let mut replaced = output.clone();
    replaced[1] = world.card(PACK - 1).code;
    let lies = vec![Lie {
        name: "bad_replaced_card",
        description: "the last code holds a card that was not in the deck",
        inputs: inputs.but("output", &replaced[..]),
        proof: attempt(&replaced, &mut world),
    }];
    Sample {
        name: "two cards",
        label: Label::ClassicShuffle,
        context: world.context,
        inputs,
        proof,
        layout: cut_and_choose_layout(2),
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (input, output) = (inputs.codes("input")?, inputs.codes("output")?);
            let proof = CutAndChoose::<ROUNDS>::from_bytes(proof, &output.len())?;
            Ok(classic::verify(&key, (&input, &output), &proof, challenger, batch)?)
        },
    }
}

fn classic_contained(mut world: World, name: &'static str, set: &[usize], cards: &[usize]) -> Sample {
    let hand: Vec<OwnCard> = cards.iter().map(|card| world.card(*card)).collect();
    let codes: Vec<Code> = hand.iter().map(|own| own.code).collect();
    let attempt = |hand: &[OwnCard], world: &mut World| {
        let (mut challenger, pack) = (world.challenger(), (&world.faces, set));
        containment::classic::prove::<ROUNDS>(&world.key, pack, hand, &mut challenger, &mut world.rng)
    };
    let inputs = Inputs::default()
        .with("key", world.key.element())
        .with("game", GAME)
        .with("set", set)
        .with("codes", &codes[..]);
    let proof = attempt(&hand, &mut world).expect("a proof").to_bytes();
    // This prover notices a lie about a card, so the liar shows the proof of the hand that it should have had.
    let mut foreign = hand.clone();
    foreign[0] = OwnCard { card: cards[0], ..world.card(PACK - 1) };
    assert!(attempt(&foreign, &mut world).is_none());
    let foreign: Vec<Code> = foreign.iter().map(|own| own.code).collect();
    let lies = vec![Lie {
        name: "bad_foreign_card",
        description: "the first code holds a card outside the set; the proof is that of a code inside it",
        inputs: inputs.but("codes", &foreign[..]),
        proof: proof.clone(),
    }];
    let padding = set.len() - cards.len();
    Sample {
        name,
        label: Label::ClassicContainment,
        context: world.context,
        inputs,
        proof,
        layout: Layout::new().demand("codes", 64 * padding).codes(padding).then(cut_and_choose_layout(set.len())),
        lies,
        check: |inputs, proof, challenger, batch| {
            let key = joint_key(inputs.element("key")?);
            let (set, codes) = (inputs.cards("set"), inputs.codes("codes")?);
            let pack = Faces::new(inputs.text("game"), PACK);
            let shape = ContainmentShape { codes: codes.len(), faces: set.len() };
            let proof = ClassicContainment::<ROUNDS>::from_bytes(proof, &shape)?;
            Ok(containment::classic::verify(&key, (&pack, &set), &codes, &proof, challenger, batch)?)
        },
    }
}
