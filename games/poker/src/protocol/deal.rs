//! How cards get from a deck that nobody knows to the players who may see them: one interface, two schemes.
//!
//! A [`Dealer`] first makes a deck with all seats that play the hand, then deals positions of the deck to seats or to
//! everyone, as requested. It says which seats must act and judges their steps; given the secret of a seat, it makes that
//! seat's steps and opens what that seat may see.

pub mod layers;
pub mod shares;

use core::fmt::Debug;

use outis_crypto::card::Codes;
use outis_crypto::challenger::Source;
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::commit::{Commitment, Opening};
use outis_crypto::deck;
use outis_crypto::group::Element;
use outis_crypto::key::{KeyReveal, SeatKey, SeatSecret};
use outis_crypto::shuffle::reencrypt::Shuffled;
use outis_crypto::shuffle::{PermutationProof, PermutationShape};
use outis_crypto::sra;
use outis_table::game::Checks;
use outis_table::seats::Seats;
use outis_table::{Context, Seat};

use super::referee::Cheated;
pub use layers::Layers;
pub use shares::Shares;

/// What a seat says while cards are dealt.
#[derive(Clone, Debug)]
pub enum Said {
    /// Puts its layer on.
    Layer(Box<sra::Layer>),
    /// Takes it off some cards.
    Removal(Box<sra::Removal>),
    /// Commits to a key.
    Commit(Commitment),
    /// Reveals it.
    Key(Box<KeyReveal>),
    /// Shuffles.
    Shuffle(Codes, Box<PermutationProof>),
    /// Shares of some cards.
    Shares(Box<deck::Shares>),
}

/// Which of these is due, and for how many cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A layer.
    Layer(usize),
    /// A removal.
    Removal(usize),
    /// A commitment.
    Commit,
    /// A key.
    Key,
    /// A shuffle.
    Shuffle(usize),
    /// Shares.
    Shares(usize),
    /// Nothing.
    Nothing,
}

/// What a seat says to show its cards.
#[derive(Clone, Debug)]
pub enum Shown {
    /// The cards with a proof.
    Layers(Box<sra::Showing>),
    /// Its own shares.
    Shares(Box<deck::Shares>),
}

/// The scheme of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// By layers.
    Layers,
    /// By shares.
    Shares,
}

/// What was said and judged.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A layer.
    Layer(Box<sra::AcceptedLayer>, Element),
    /// A removal.
    Removal(sra::AcceptedRemoval),
    /// A commitment.
    Commit(Commitment),
    /// A key.
    Key(SeatKey),
    /// A deck.
    Shuffle(Codes),
    /// Shares of the cards at these places.
    Shares(Vec<usize>, deck::AcceptedShares),
}

/// The secret of a seat in one hand.
#[derive(Clone, Debug)]
pub struct Secret {
    /// The key of the hand.
    pub key: SeatSecret,
    /// What opens the commitment to it, where there is one.
    pub opening: Option<Opening>,
}

/// Which seats must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The seats.
    pub speakers: Seats,
    /// A name for it.
    pub what: &'static str,
    /// Whether all seats must first have the same history.
    pub releases: bool,
}

/// Where cards go: positions of the deck, each to a seat or, if that is `None`, to everyone.
pub type Task = Vec<(usize, Option<Seat>)>;

/// A way to deal.
pub trait Dealer {
    /// Which seats must act; `None` once everything that was requested is done.
    fn turn(&self) -> Option<Turn>;
    /// What a seat must say.
    fn kind(&self, seat: Seat) -> Kind;
    /// Judges what a seat says. `vouched`: it was judged before. `spent`: keys that may not come again.
    fn judge(
        &self,
        context: &Context,
        said: &Said,
        vouched: bool,
        spent: &[Element],
        checks: Checks,
    ) -> Result<Checked, Cheated>;
    /// Takes in a round; returns the keys that came with it.
    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Element>, (Seat, Cheated)>;
    /// Asks for cards. The deck is made and nothing else is under way.
    fn ask(&mut self, task: Task) -> Result<(), Cheated>;
    /// A card that everyone may see, by its position.
    fn face_up(&self, place: usize) -> Option<usize>;
    /// A seat discards cards: they are never shown.
    fn discard(&mut self, seat: Seat, places: &[usize]) -> Result<(), Cheated>;
    /// Judges shown cards.
    fn judge_shown(
        &self,
        context: &Context,
        places: &[usize],
        shown: &Shown,
        vouched: bool,
        checks: Checks,
    ) -> Result<Vec<usize>, Cheated>;

    /// Makes what a seat must say, and its secret if it is new.
    fn make(&self, secret: Option<&Secret>, context: &Context, rng: &mut dyn Source) -> Option<(Said, Option<Secret>)>;
    /// A seat shows its cards.
    fn show(&self, secret: &Secret, context: &Context, places: &[usize], rng: &mut dyn Source) -> Option<Shown>;
    /// A seat's own card.
    fn look(&self, secret: &Secret, seat: Seat, place: usize) -> Option<usize>;
}

/// A dealer of one of the two schemes.
#[derive(Clone, Debug)]
pub enum AnyDealer {
    /// By layers (SRA).
    Layers(Layers),
    /// By shares (ElGamal).
    Shares(Shares),
}

impl AnyDealer {
    /// The dealer behind the interface.
    pub fn get(&self) -> &dyn Dealer {
        match self {
            Self::Layers(layers) => layers,
            Self::Shares(shares) => shares,
        }
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self) -> &mut dyn Dealer {
        match self {
            Self::Layers(layers) => layers,
            Self::Shares(shares) => shares,
        }
    }
}

impl Encode for Said {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Layer(layer) => layer.encode(out),
            Self::Removal(removal) => removal.encode(out),
            Self::Commit(commitment) => commitment.encode(out),
            Self::Key(reveal) => reveal.encode(out),
            Self::Shuffle(deck, proof) => {
                deck.encode(out);
                proof.encode(out);
            }
            Self::Shares(shares) => shares.encode(out),
        }
    }
}

impl Decode for Said {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Layer(n) => Self::Layer(Box::new(sra::Layer::read(reader, n)?)),
            Kind::Removal(n) => Self::Removal(Box::new(sra::Removal::read(reader, n)?)),
            Kind::Commit => Self::Commit(Commitment::read(reader, &())?),
            Kind::Key => Self::Key(Box::new(KeyReveal::read(reader, &())?)),
            Kind::Shuffle(n) => {
                let shape = PermutationShape::of::<Shuffled<'_>>(*n);
                Self::Shuffle(Codes::read(reader, n)?, Box::new(PermutationProof::read(reader, &shape)?))
            }
            Kind::Shares(n) => Self::Shares(Box::new(deck::Shares::read(reader, n)?)),
            Kind::Nothing => return Err(reader.error("deal", outis_crypto::codec::Malformed::Truncated(1))),
        })
    }
}

impl Encode for Shown {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Layers(showing) => showing.encode(out),
            Self::Shares(shares) => shares.encode(out),
        }
    }
}

impl Decode for Shown {
    /// The scheme, and how many cards.
    type Shape = (Scheme, usize);
    fn read(reader: &mut Reader<'_>, (scheme, n): &(Scheme, usize)) -> Result<Self, DecodeError> {
        Ok(match scheme {
            Scheme::Layers => Self::Layers(Box::new(sra::Showing::read(reader, n)?)),
            Scheme::Shares => Self::Shares(Box::new(deck::Shares::read(reader, n)?)),
        })
    }
}
