//! The samples, label by label.

mod classic;
mod numbers;
mod rows;
mod sets;
mod shuffles;
mod sigma;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::OnceLock;

use outis_crypto::card::{Code, Faces, OwnCard};
use outis_crypto::challenger::{Challenger, Nonces, Purpose};
use outis_crypto::context::{Context, Head};
use outis_crypto::deck::create;
use outis_crypto::group::{Element, RistrettoPoint, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::labels::Label;
use outis_crypto::secret::SecretScalar;
use outis_crypto::shuffle::CommitmentKey;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::{Sample, context};

/// The samples of a label. The match is exhaustive on purpose: a statement without a sample does not compile.
pub fn samples(label: Label, seed: u64) -> Vec<Sample> {
    let world = || World::new(label, seed);
    match label {
        Label::OfGame(label) => unreachable!("{label:?}: the suite of a game's own proof is in the game's crate"),
        Label::Possession => vec![sigma::possession(world())],
        Label::SameExponent => vec![sigma::same_exponent(world())],
        Label::SameExponents => vec![sigma::same_exponents(world())],
        Label::Reencryption => vec![sigma::reencryption(world())],
        Label::SameCard => vec![sigma::same_card(world())],
        Label::AnyOf => vec![sigma::any_of(world())],
        Label::OneOfMany => {
            vec![
                sets::one_of_many(world(), "one digit", 3, 2),
                sets::one_of_many(world(), "two digits, slots to fill", 6, 5),
            ]
        }
        Label::Shuffle => vec![shuffles::shuffle(world(), "four cards", 4), shuffles::shuffle(world(), "one card", 1)],
        Label::ExponentShuffle => vec![shuffles::exponent_shuffle(world())],
        Label::Recreation => vec![shuffles::recreation(world())],
        Label::Containment => vec![
            sets::contained(world(), "one of five", &[0, 2, 3, 5, 6], &[5]),
            sets::contained(world(), "two of four", &[1, 2, 4, 6], &[6, 2]),
            sets::contained(world(), "a whole set", &[3, 0, 5], &[0, 3, 5]),
        ],
        Label::ClassicShuffle => vec![classic::classic_shuffle(world())],
        Label::Disclosure => vec![numbers::disclosure(world())],
        Label::Cases => vec![numbers::cases(world())],
        Label::Selection => vec![
            numbers::selection(world(), "one digit", 3, 2),
            numbers::selection(world(), "two digits, places to fill", 6, 4),
        ],
        Label::OneOfRows => vec![rows::one_of_rows(world(), "two digits, slots to fill", 5, 4)],
        Label::ClassicContainment => vec![
            classic::classic_contained(world(), "one of two", &[3, 8], &[8]),
            classic::classic_contained(world(), "a whole set", &[2, 5], &[5, 2]),
        ],
    }
}

/// The game whose pack the samples use.
pub const GAME: &str = "catalogue";
/// The size of that pack.
pub const PACK: usize = 14;

thread_local! {
    /// While this names a log head, every proof of a sample is made there, by a machine that was put back to one and the
    /// same moment: its generator gives the same bytes each time.
    static RESTORED: Cell<Option<u8>> = const { Cell::new(None) };
}

/// The samples of a label, made at a log head by a machine that is put back before every proof.
pub fn restored_samples(label: Label, head: u8) -> Vec<Sample> {
    RESTORED.set(Some(head));
    let found = samples(label, 1);
    RESTORED.set(None);
    found
}

/// What is drawn when a machine was put back, and for nothing else: whoever records draws sees by it where a prover begins.
pub const PUT_BACK: Purpose = Purpose::new("put back");

/// The generator of a machine that was put back.
fn restored() -> Option<ChaCha20Rng> {
    let restored = || ChaCha20Rng::seed_from_u64(99);
    RESTORED.get().map(|_| {
        let _ = Nonces::hedged(PUT_BACK, &0u8, [], &mut restored());
        restored()
    })
}

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
        let mut context = context();
        if let Some(head) = RESTORED.get() {
            context.head = Head([head; 32]);
        }
        Self { rng, context, secrets, key, faces: Faces::new(GAME, PACK) }
    }

    /// The challenger of the next proof.
    fn challenger(&mut self) -> Challenger {
        if let Some(rng) = restored() {
            self.rng = rng;
        }
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

    /// A code of `card` whose owner says that it is another.
    fn disguised(&mut self, card: usize, other: usize) -> OwnCard {
        let mut own = self.card(card);
        own.card = other;
        own
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

/// A code under the prover's own key alone, as it is after all other seats' shares were taken off.
fn drawn(world: &mut World, card: usize) -> Code {
    let r = world.scalar();
    let face = world.faces.as_slice()[card];
    Code {
        c1: times(&Element::generator(), &r),
        c2: element(&(face.point() + world.own().key().point() * r.expose_secret())),
    }
}
