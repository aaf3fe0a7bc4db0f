//! The Fiat–Shamir state. A challenge exists only below a full context and a full statement.
//!
//! One [`Challenger`] serves one log entry. It is born from a [`Context`] (version, table, deal, seat, log head); the
//! only way to a challenge is [`Challenger::open`], which takes the whole statement; proofs of one entry follow each
//! other on the same running state, each absorbing the responses of those before it (review C3).
//!
//! There is no shorter path: a challenger has no `challenge` of its own,
//!
//! ```compile_fail
//! use outis_crypto::{challenger::Challenger, context::*};
//! let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) };
//! let mut challenger = Challenger::new(&context);
//! let c = challenger.challenge("c"); // no statement: no such method
//! ```
//!
//! and no part of the context can be left out:
//!
//! ```compile_fail
//! use outis_crypto::{challenger::Challenger, context::*};
//! let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0) }; // no log head
//! let challenger = Challenger::new(&context);
//! ```
//!
//! A statement opens the way:
//!
//! ```
//! use outis_crypto::{challenger::Challenger, context::*, group::Element, sigma::Possession};
//! let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) };
//! let mut challenger = Challenger::new(&context);
//! let statement = Possession { key: Element::generator() };
//! let c = challenger.open(&statement).challenge("c");
//! ```
//!
//! The exact framing is normative in `spec/20-challenger.md`.

use core::convert::Infallible;

use rand_core::{CryptoRng, TryCryptoRng, TryRng};
use sha2::{Digest, Sha512};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::codec::Encode;
use crate::context::{Context, PROTOCOL, Seat};
use crate::group::Scalar;
use crate::labels::Label;
use crate::secret::SecretScalar;

/// Public inputs of a proof, all of them, under a label. Declare one with [`statement!`](crate::statement).
pub trait Statement: Encode {
    /// What is claimed.
    const LABEL: Label;
}

/// Declares a statement: the fields are the public inputs, and the generated encoding covers each of them, so that
/// none can be forgotten in the challenge. The label is one of this crate, or in parentheses one of a game's own
/// ([`labels!`](crate::labels!)).
#[macro_export]
macro_rules! statement {
    ($(#[$meta:meta])* $vis:vis struct $name:ident $(<$life:lifetime>)? = $label:ident { $($fields:tt)+ }) => {
        $crate::statement! {
            $(#[$meta])* $vis struct $name $(<$life>)? = ($crate::labels::Label::$label) { $($fields)+ }
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident $(<$life:lifetime>)? = ($label:expr) {
        $($(#[$fmeta:meta])* $fvis:vis $field:ident : $ty:ty),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name $(<$life>)? { $($(#[$fmeta])* $fvis $field: $ty),+ }

        impl $(<$life>)? $crate::codec::Encode for $name $(<$life>)? {
            fn encode(&self, out: &mut Vec<u8>) {
                let Self { $($field),+ } = self;
                $($crate::codec::Encode::encode($field, out);)+
            }
        }

        impl $(<$life>)? $crate::challenger::Statement for $name $(<$life>)? {
            const LABEL: $crate::labels::Label = $label;
        }
    };
}

/// The running state of one log entry.
#[must_use]
pub struct Challenger {
    state: Sha512,
    seat: Seat,
}

impl Challenger {
    /// Begins an entry.
    pub fn new(context: &Context) -> Self {
        let mut state = Sha512::new();
        frame(&mut state, PROTOCOL.as_bytes());
        frame(&mut state, b"challenger");
        frame(&mut state, &context.to_bytes());
        Self { state, seat: context.seat }
    }

    /// Whose entry it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Secrets for the next message of this entry, drawn before there is a claim about them: hedged with everything so
    /// far, what they are for and will be used on, and secrets of who draws.
    #[must_use]
    pub fn draw<'w>(
        &self,
        purpose: Purpose,
        subject: &(impl Encode + ?Sized),
        secrets: impl IntoIterator<Item = &'w SecretScalar>,
        rng: &mut (impl Source + ?Sized),
    ) -> Nonces {
        let mut state = self.state.clone();
        frame(&mut state, b"draw");
        frame(&mut state, purpose.0.as_bytes());
        frame(&mut state, &subject.to_bytes());
        Nonces::keyed(state, purpose, secrets.into_iter().map(|s| s.expose_secret().as_bytes().as_slice()), rng)
    }

    /// Begins one proof: absorbs its label and whole statement.
    pub fn open<S: Statement>(&mut self, statement: &S) -> Opened<'_> {
        frame(&mut self.state, b"open");
        frame(&mut self.state, S::LABEL.text().as_bytes());
        frame(&mut self.state, &statement.to_bytes());
        #[cfg(any(test, feature = "testing"))]
        recording::note(|| recording::Event::Open(S::LABEL, statement.to_bytes()));
        Opened { challenger: self, label: S::LABEL }
    }
}

/// A proof in progress, between its statement and its responses.
#[must_use = "a proof is finished by `close`, which binds its responses"]
pub struct Opened<'c> {
    challenger: &'c mut Challenger,
    label: Label,
}

impl Opened<'_> {
    /// Absorbs a message of the prover.
    pub fn message(&mut self, name: &'static str, value: &(impl Encode + ?Sized)) {
        frame(&mut self.challenger.state, name.as_bytes());
        frame(&mut self.challenger.state, &value.to_bytes());
        #[cfg(any(test, feature = "testing"))]
        recording::note(|| recording::Event::Message(value.to_bytes()));
    }

    /// A challenge over everything so far: a uniform full scalar.
    #[must_use]
    pub fn challenge(&mut self, name: &'static str) -> Scalar {
        expand(&self.ratchet(name), 0)
    }

    /// `n` independent challenges over everything so far: weights for a batch whose every element is already absorbed.
    #[must_use]
    pub fn challenges(&mut self, name: &'static str, n: usize) -> Vec<Scalar> {
        let seed = self.ratchet(name);
        (0..n as u32).map(|i| expand(&seed, i)).collect()
    }

    /// `n` challenge bits.
    #[must_use]
    pub fn challenge_bits(&mut self, name: &'static str, n: usize) -> Vec<bool> {
        let seed = self.ratchet(name);
        let mut bits = Vec::with_capacity(n);
        for block in 0u32.. {
            for byte in expand_bytes(&seed, block) {
                bits.extend((0..8).map(|i| byte >> i & 1 == 1));
            }
            if bits.len() >= n {
                break;
            }
        }
        bits.truncate(n);
        bits
    }

    /// Nonces for the next message, hedged: from a copy of this state, keyed with the witness and fresh randomness, so
    /// that neither a weak generator nor a repeated state gives one nonce under two challenges (review C2).
    #[must_use]
    pub fn nonces<'w>(
        &self,
        witness: impl IntoIterator<Item = &'w Scalar>,
        rng: &mut (impl Source + ?Sized),
    ) -> Nonces {
        let mut state = self.challenger.state.clone();
        frame(&mut state, b"nonces");
        Nonces::keyed(state, Purpose::NONCES, witness.into_iter().map(|secret| secret.as_bytes().as_slice()), rng)
    }

    /// Ends the proof: absorbs its responses and seals everything absorbed so far.
    pub fn close(self, responses: &(impl Encode + ?Sized)) -> Seal {
        let state = &mut self.challenger.state;
        frame(state, b"close");
        frame(state, &responses.to_bytes());
        #[cfg(any(test, feature = "testing"))]
        recording::note(|| recording::Event::Close(responses.to_bytes()));
        let mut sealed = state.clone();
        frame(&mut sealed, b"seal");
        Seal { digest: sealed.finalize().into(), seat: self.challenger.seat, label: self.label }
    }

    fn ratchet(&mut self, name: &'static str) -> [u8; 64] {
        let state = &mut self.challenger.state;
        frame(state, b"challenge");
        frame(state, name.as_bytes());
        let digest: [u8; 64] = state.clone().finalize().into();
        let mut next = Sha512::new();
        frame(&mut next, &digest);
        *state = next;
        #[cfg(any(test, feature = "testing"))]
        recording::note(|| recording::Event::Challenge(expand(&digest, 0)));
        digest
    }
}

/// A digest over a whole proof, responses included, with its author: what batch weights are made from (review C1).
#[must_use = "a verifier hands it to `Batch::claim`; a prover may drop it"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    pub(crate) digest: [u8; 64],
    pub(crate) seat: Seat,
    pub(crate) label: Label,
}

/// Where a secret may be drawn from. Below the applications that is [`Nonces`] and nothing else: a bare generator is no
/// source, so that no secret can be drawn without saying what it is for. Only tests may draw from any generator.
pub trait Source: CryptoRng + sealed::Sealed {
    /// Fills `bytes` with uniform bytes.
    fn fill(&mut self, bytes: &mut [u8]);
}

/// Nobody else can declare a generator to be a source.
mod sealed {
    pub trait Sealed {}
}

#[cfg(not(any(test, feature = "testing")))]
impl sealed::Sealed for Nonces {}

#[cfg(not(any(test, feature = "testing")))]
impl Source for Nonces {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.expand_into(bytes);
    }
}

#[cfg(not(any(test, feature = "testing")))]
impl<S: Source + ?Sized> sealed::Sealed for &mut S {}

#[cfg(not(any(test, feature = "testing")))]
impl<S: Source + ?Sized> Source for &mut S {
    fn fill(&mut self, bytes: &mut [u8]) {
        (**self).fill(bytes);
    }
}

#[cfg(any(test, feature = "testing"))]
impl<R: CryptoRng + ?Sized> sealed::Sealed for R {}

#[cfg(any(test, feature = "testing"))]
impl<R: CryptoRng + ?Sized> Source for R {
    #[expect(clippy::disallowed_methods, reason = "only in tests")]
    fn fill(&mut self, bytes: &mut [u8]) {
        self.fill_bytes(bytes);
    }
}

/// The one way to draw a secret: single-use scalars and bytes, hedged. A seed is a hash over fresh bytes of a generator,
/// long-term secrets, a purpose, and everything that the secret will be used on. So a generator that is weak, fails or
/// repeats itself (a machine that was put back to an earlier moment) gives no secret away and none twice: another use has
/// another seed. Not `Clone`: a nonce is drawn once.
pub struct Nonces {
    /// On the heap: a value that is moved leaves no copy behind.
    seed: Box<Zeroizing<[u8; 64]>>,
    next: u32,
}

impl ZeroizeOnDrop for Nonces {}

/// A long-term secret of who draws: an identity's, or the key of a journal. [`Nonces::first`] is keyed with it.
pub struct LongTerm(Zeroizing<[u8; 32]>);

impl LongTerm {
    /// Says that these bytes are a long-term secret. Whoever may say so is listed in `tests/one_source.rs`.
    #[must_use]
    pub fn new(secret: Zeroizing<[u8; 32]>) -> Self {
        Self(secret)
    }
}

/// What a secret is drawn for. Two purposes have no secret in common. There is no empty one:
///
/// ```compile_fail
/// use outis_crypto::challenger::Purpose;
/// const NOTHING: Purpose = Purpose::new("");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose(&'static str);

impl Purpose {
    /// The nonces of a proof: [`Opened::nonces`].
    pub const NONCES: Self = Self::new("nonces");

    /// A purpose by its name.
    ///
    /// # Panics
    /// If the name is empty; in a constant, the program does not compile.
    pub const fn new(name: &'static str) -> Self {
        assert!(!name.is_empty(), "a secret is drawn for something");
        Self(name)
    }
}

impl Nonces {
    /// Randomness for secrets that are made before there is a claim: keys, masks, permutations, the randomness of codes.
    /// `subject` is everything that it will be used on, secret or not; `secrets` is what else it depends on. What comes out of
    /// a [`Source`] was keyed with a long-term secret when that source was made, so none is asked for here.
    #[must_use]
    pub fn hedged<'w>(
        purpose: Purpose,
        subject: &(impl Encode + ?Sized),
        secrets: impl IntoIterator<Item = &'w [u8]>,
        rng: &mut (impl Source + ?Sized),
    ) -> Self {
        Self::keyless(purpose, subject, secrets, rng)
    }

    /// The first source of a chain, from a bare generator: it cannot be made without a long-term secret of who draws. `more`
    /// is what else it depends on, such as the text that is to be sealed.
    #[must_use]
    pub fn first<'w>(
        purpose: Purpose,
        subject: &(impl Encode + ?Sized),
        secret: &'w LongTerm,
        more: impl IntoIterator<Item = &'w [u8]>,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Self {
        Self::keyless(purpose, subject, core::iter::once(&secret.0[..]).chain(more), rng)
    }

    /// The first source of a chain where there is no long-term secret: an identity is the first of all, a bridge club has
    /// none, and nothing is secret in a measurement. The places are listed, with their reasons, in `tests/one_source.rs`.
    #[must_use]
    pub fn keyless<'w>(
        purpose: Purpose,
        subject: &(impl Encode + ?Sized),
        secrets: impl IntoIterator<Item = &'w [u8]>,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Self {
        let mut state = Sha512::new();
        frame(&mut state, PROTOCOL.as_bytes());
        frame(&mut state, b"hedged");
        frame(&mut state, purpose.0.as_bytes());
        frame(&mut state, &subject.to_bytes());
        Self::keyed(state, purpose, secrets, rng)
    }

    /// From a state, keyed with fresh randomness and secrets. The only place below the applications where a generator is
    /// asked for anything.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks a generator")]
    fn keyed<'w>(
        mut state: Sha512,
        purpose: Purpose,
        secrets: impl IntoIterator<Item = &'w [u8]>,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Self {
        let mut fresh = [0u8; 64];
        rng.fill_bytes(&mut fresh);
        frame(&mut state, &fresh);
        fresh.zeroize();
        for secret in secrets {
            frame(&mut state, secret);
        }
        let mut seed = Box::new(Zeroizing::new([0; 64]));
        state.finalize_into((&mut **seed).into());
        #[cfg(any(test, feature = "testing"))]
        recording::note(|| recording::Event::Draw(purpose, **seed));
        let _ = purpose;
        Self { seed, next: 0 }
    }

    /// The next nonce.
    #[must_use]
    pub fn draw(&mut self) -> Scalar {
        let mut wide = expand_bytes(&self.seed, self.next);
        let nonce = Scalar::from_bytes_mod_order_wide(&wide);
        wide.zeroize();
        self.next += 1;
        nonce
    }

    /// The next `n` nonces.
    #[must_use]
    pub fn draw_many(&mut self, n: usize) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new((0..n).map(|_| self.draw()).collect())
    }

    /// The next bytes.
    #[must_use]
    pub fn bytes<const N: usize>(&mut self) -> Zeroizing<[u8; N]> {
        let mut bytes = Zeroizing::new([0; N]);
        self.expand_into(&mut *bytes);
        bytes
    }

    /// A uniform number below `n`, without bias.
    ///
    /// # Panics
    /// If `n` is 0: there is nothing to choose from.
    #[must_use]
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a choice needs something to choose from");
        let n = n as u64;
        let zone = u64::MAX - u64::MAX % n;
        loop {
            let drawn = u64::from_le_bytes(*self.bytes());
            if drawn < zone {
                return (drawn % n) as usize;
            }
        }
    }

    fn expand_into(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(64) {
            let block = Zeroizing::new(expand_bytes(&self.seed, self.next));
            self.next += 1;
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }
}

/// Nonces also serve as a generator, to be hedged once more by what is made from them. Every call takes whole blocks of
/// its own, so what is drawn as a scalar and what is drawn as bytes have nothing in common.
impl TryRng for Nonces {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(*self.bytes()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(*self.bytes()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.expand_into(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Nonces {}

fn expand(seed: &[u8; 64], index: u32) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&expand_bytes(seed, index))
}

fn expand_bytes(seed: &[u8; 64], index: u32) -> [u8; 64] {
    Sha512::new().chain_update(seed).chain_update(index.to_le_bytes()).finalize().into()
}

/// Length-prefixed: no two sequences of frames are the same bytes.
pub(crate) fn frame(state: &mut Sha512, bytes: &[u8]) {
    state.update((bytes.len() as u64).to_le_bytes());
    state.update(bytes);
}

#[cfg(any(test, feature = "testing"))]
pub mod recording {
    //! What a prover did, step by step: for tests that look for a nonce under two challenges.

    use std::cell::RefCell;

    use super::{Label, Purpose, Scalar};

    /// One step of a prover or a verifier.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Event {
        /// A statement.
        Open(Label, Vec<u8>),
        /// Something is drawn: for what, and from which seed.
        Draw(Purpose, [u8; 64]),
        /// A message.
        Message(Vec<u8>),
        /// A challenge, or the first of several.
        Challenge(Scalar),
        /// The responses.
        Close(Vec<u8>),
    }

    thread_local! {
        static EVENTS: RefCell<Option<Vec<Event>>> = const { RefCell::new(None) };
    }

    pub(super) fn note(event: impl FnOnce() -> Event) {
        EVENTS.with_borrow_mut(|events| events.as_mut().map(|events| events.push(event())));
    }

    /// Everything that happens on this thread during `work`.
    pub fn record<T>(work: impl FnOnce() -> T) -> (T, Vec<Event>) {
        EVENTS.set(Some(Vec::new()));
        let done = work();
        (done, EVENTS.take().expect("nobody else takes them"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Head, TableId};
    use crate::group::Element;
    use crate::sigma::Possession;

    fn context() -> Context {
        Context { table: TableId([1; 32]), deal: 2, seat: Seat(3), head: Head([4; 32]) }
    }

    fn first_challenge(context: &Context, messages: &[(&'static str, &[u8; 32])]) -> Scalar {
        let mut challenger = Challenger::new(context);
        let mut opened = challenger.open(&Possession { key: Element::generator() });
        for (name, value) in messages {
            opened.message(name, *value);
        }
        opened.challenge("c")
    }

    #[test]
    fn every_part_of_the_context_counts() {
        let base = context();
        let others = [
            Context { table: TableId([9; 32]), ..base },
            Context { deal: 9, ..base },
            Context { seat: Seat(9), ..base },
            Context { head: Head([9; 32]), ..base },
        ];
        for other in others {
            assert_ne!(first_challenge(&base, &[]), first_challenge(&other, &[]));
        }
    }

    #[test]
    fn framing_is_unambiguous() {
        let (a, b) = ([1u8; 32], [2u8; 32]);
        let one = first_challenge(&context(), &[("ab", &a), ("c", &b)]);
        assert_ne!(one, first_challenge(&context(), &[("a", &a), ("bc", &b)]));
        assert_ne!(one, first_challenge(&context(), &[("ab", &a)]));
        assert_eq!(one, first_challenge(&context(), &[("ab", &a), ("c", &b)]));
    }

    #[test]
    fn later_proofs_depend_on_the_responses_of_earlier_ones() {
        let run = |response: u64| {
            let mut challenger = Challenger::new(&context());
            let statement = Possession { key: Element::generator() };
            let _ = challenger.open(&statement).close(&Scalar::from(response));
            challenger.open(&statement).challenge("c")
        };
        assert_ne!(run(1), run(2));
    }

    /// One state of the generator: whatever differs, what is drawn differs; and a secret may have any length.
    #[test]
    fn every_part_of_a_hedge_counts() {
        use rand_chacha::ChaCha20Rng;
        use rand_core::SeedableRng;
        const ONE: Purpose = Purpose::new("one");
        const TWO: Purpose = Purpose::new("two");
        let hedged = |purpose: Purpose, subject: u8, secrets: &[&[u8]], seed: u64| {
            let rng = &mut ChaCha20Rng::seed_from_u64(seed);
            Nonces::hedged(purpose, &subject, secrets.iter().copied(), rng).draw()
        };
        let base = hedged(ONE, 1, &[b"ab", b"c"], 1);
        assert_eq!(base, hedged(ONE, 1, &[b"ab", b"c"], 1));
        let others = [
            hedged(TWO, 1, &[b"ab", b"c"], 1),
            hedged(ONE, 2, &[b"ab", b"c"], 1),
            hedged(ONE, 1, &[b"a", b"bc"], 1),
            hedged(ONE, 1, &[b"ab"], 1),
            hedged(ONE, 1, &[], 1),
            hedged(ONE, 1, &[b"ab", b"c"], 2),
        ];
        assert!(others.iter().all(|other| *other != base));
        let drawn = |purpose: Purpose, subject: u8, secret: u64| {
            let secret = SecretScalar::new(Scalar::from(secret));
            let rng = &mut ChaCha20Rng::seed_from_u64(1);
            Challenger::new(&context()).draw(purpose, &subject, [&secret], rng).draw()
        };
        let base = drawn(ONE, 1, 1);
        assert_eq!(base, drawn(ONE, 1, 1));
        assert!([drawn(TWO, 1, 1), drawn(ONE, 2, 1), drawn(ONE, 1, 2)].iter().all(|other| *other != base));
        // A seed is not copied when its owner is moved.
        assert!(size_of::<Nonces>() <= 2 * size_of::<usize>());
    }

    #[test]
    fn nonces_differ_by_state_witness_and_randomness() {
        use rand_chacha::ChaCha20Rng;
        use rand_core::SeedableRng;
        let draw = |message: u8, witness: u64, seed: u64| {
            let mut challenger = Challenger::new(&context());
            let mut opened = challenger.open(&Possession { key: Element::generator() });
            opened.message("m", &[message; 32]);
            opened.nonces(&[Scalar::from(witness)], &mut ChaCha20Rng::seed_from_u64(seed)).draw()
        };
        let base = draw(1, 1, 1);
        assert_eq!(base, draw(1, 1, 1));
        assert!([draw(2, 1, 1), draw(1, 2, 1), draw(1, 1, 2)].iter().all(|n| *n != base));
    }
}
