//! Messages of the disclosure of secrets between players who follow the protocol, and of classic dark chess. With a toy
//! modulus.

use std::sync::OnceLock;

use outis_crypto::andos::{Form, Packing, SemiHonestList, SemiHonestSecret, Shape, TOY, TOY_HALF};
use outis_crypto::codec::Encode;
use outis_dark_chess::classic::step::{Kind, Step, Turn};
use outis_dark_chess::classic::{Announced, Asker, Budget, Lists};
use outis_dark_chess::rules::board::Color;
use outis_dark_chess::rules::moves::Announcement;
use outis_dark_chess::rules::side::Side;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::catalogue::Sizes;

/// Secrets and bits of the example.
pub const EXAMPLE: (usize, usize) = (5, 3);

struct Sender {
    secret: SemiHonestSecret<TOY, TOY_HALF>,
    list: SemiHonestList<TOY>,
    lists: Lists<TOY>,
}

fn rng() -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(59)
}

fn sender() -> &'static Sender {
    static SENDER: OnceLock<Sender> = OnceLock::new();
    SENDER.get_or_init(|| {
        let rng = &mut rng();
        let secret = SemiHonestSecret::random(rng);
        let list = secret.seal(&[1, 2, 3, 4, 5], EXAMPLE.1, rng).expect("within the caps");
        let lists = Lists::seal(&secret, Color::Black, &Side::start(Color::Black), rng).expect("within the caps");
        Sender { secret, list, lists }
    })
}

/// A shape from sizes; the example's where they are absurd.
pub fn shape(sizes: Sizes) -> Shape {
    Shape::new(sizes.a, sizes.b).or(Shape::new(EXAMPLE.0, EXAMPLE.1)).expect("the example is within the caps")
}

/// A form from sizes.
pub fn form(sizes: Sizes, packing: Packing) -> Form<TOY> {
    Form { key: *sender().secret.key(), shape: shape(sizes), packing }
}

/// A key.
pub fn key() -> Vec<u8> {
    sender().secret.key().to_bytes()
}

/// The key itself, to read lists with.
pub fn key_of() -> &'static outis_crypto::andos::SemiHonestKey<TOY> {
    sender().secret.key()
}

/// A list.
pub fn list() -> Vec<u8> {
    sender().list.to_bytes()
}

/// A packet.
pub fn packet(packing: Packing) -> Vec<u8> {
    let sender = sender();
    sender.secret.key().ask(&sender.list, 2, packing, &mut rng()).expect("there is one").0.to_bytes()
}

/// The lists of a QUERY.
pub fn lists() -> Vec<u8> {
    sender().lists.to_bytes()
}

/// Questions of the example.
const QUESTIONS: usize = 16;

/// A kind of step of classic dark chess, by its number.
pub fn kind(n: usize) -> Kind<TOY> {
    let key = || Box::new(*key_of());
    match n {
        0 => Kind::Key,
        1 => Kind::Turn,
        2 => Kind::Lists(key()),
        3 => Kind::Ask(key(), QUESTIONS),
        4 => Kind::Answer(9),
        5 => Kind::Review,
        6 => Kind::Show(1),
        _ => Kind::Nothing,
    }
}

/// A step of that kind.
pub fn step(n: usize) -> Vec<u8> {
    let sender = sender();
    match n {
        0 => key(),
        1 => Turn::Move(Announcement::Quiet).to_bytes(),
        2 => Step::Lists(Announced::START, Box::new(sender.lists.clone())).to_bytes(),
        3 => {
            let asker = Asker::new(Color::White, &Side::start(Color::White), Budget::Bound);
            let asked = asker.ask(key_of(), &sender.lists, Packing::Compact, &mut rng());
            let packets = asked.expect("there are such squares").0;
            assert_eq!(packets.len(), QUESTIONS);
            Step::Ask(packets).to_bytes()
        }
        4 => vec![7; 9],
        5 => vec![1],
        6 => vec![4, 48, 56, 5],
        _ => Vec::new(),
    }
}
