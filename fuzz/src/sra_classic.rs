//! Extended SRA as its document has it: one honest message of each kind, with three cards and two decks.

use std::sync::OnceLock;

use outis_crypto::challenger::Challenger;
use outis_crypto::codec::Encode;
use outis_crypto::sra::classic::{
    Deck, Revealed, Role, State, Where, open_first, open_second, shuffle_first, shuffle_second,
};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::claims::context;

/// The messages, by name.
pub(crate) fn message(name: &str) -> Vec<u8> {
    static MESSAGES: OnceLock<Vec<(&'static str, Vec<u8>)>> = OnceLock::new();
    let messages = MESSAGES.get_or_init(|| messages().expect("an honest shuffle works"));
    messages.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.clone()).expect("a message of the list")
}

fn messages() -> Option<Vec<(&'static str, Vec<u8>)>> {
    let rng = &mut ChaCha20Rng::seed_from_u64(3);
    let (keys, first) = shuffle_first(&context(), 3, 2, rng);
    let (secrets, second) = shuffle_second(&context(), &first.0[0], 2, rng)?;
    let mut deck = Deck::new(Where::of(&context()), first.kept(0)?, second.kept(0)?)?;
    deck.assign(&[0], State::For(Role::First))?;
    deck.assign(&[1], State::For(Role::Second))?;
    let draw = deck.draw(&keys[0], &[0], &[1], &mut Challenger::new(&context()), rng)?;
    let answer = deck.answer(&secrets[0], &[0])?;
    let (dealt, links) = (deck.dangerously_trust_draw(&[1], &draw), deck.links(&answer)?);
    deck.deal(dealt)?;
    deck.link(&[0], &links)?;
    let own = deck.reveal_first(&keys[0], &[0])?;
    Some(vec![
        ("first deck", first.0[0].to_bytes()),
        ("second deck", second.0[0].to_bytes()),
        ("first decks", first.to_bytes()),
        ("first opening", open_first(&keys, 0)?.to_bytes()),
        ("second secret", secrets[0].to_bytes()),
        ("second opening", open_second(&secrets, 0)?.to_bytes()),
        ("draw", draw.to_bytes()),
        ("answer", answer.to_bytes()),
        ("marked", own[0].to_bytes()),
        ("revealed", deck.reveal_second(&secrets[0], &[1])?.to_bytes()),
        ("own", Revealed::First(own).to_bytes()),
    ])
}
