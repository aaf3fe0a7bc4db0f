//! How cards get from a deck that nobody knows to the players who may see them: one interface, three schemes.
//!
//! A [`Dealer`] first makes a deck with all seats that play the hand, then deals positions of the deck to seats or to
//! everyone, as requested. It says which seats must act and judges their steps; given the secret of a seat, it makes that
//! seat's steps and opens what that seat may see.

pub mod classic;
pub mod layers;
pub mod shares;

use core::fmt::Debug;

use outis_crypto::card::Codes;
use outis_crypto::challenger::Source;
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use outis_crypto::commit::Opening;
use outis_crypto::deck;
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::shuffle::reencrypt::Shuffled;
use outis_crypto::shuffle::{PermutationProof, PermutationShape};
use outis_crypto::sra;
use outis_crypto::sra::classic::{
    AcceptedDraw, Answer, Draw, FirstDeck, FirstOpening, MARKED, Marked, Offered, Revealed, Role, SecondDeck,
    SecondOpening, SecondSecret,
};
use outis_table::game::Checks;
use outis_table::keys::{KeyChecked, KeyKind, KeyStep};
use outis_table::seats::Seats;
use outis_table::{Context, Seat};

use super::referee::Cheated;
use crate::rules::cards::PACK;
pub use classic::Classic;
pub use layers::Layers;
pub use shares::Shares;

/// What a seat says while cards are dealt.
#[derive(Clone, Debug)]
pub enum Said {
    /// Puts its layer on.
    Layer(Box<sra::Layer>),
    /// Takes it off some cards.
    Removal(Box<sra::Removal>),
    /// Commits to a key, or reveals it.
    Key(KeyStep),
    /// Shuffles.
    Shuffle(Codes, Box<PermutationProof>),
    /// Shares of some cards.
    Shares(Box<deck::Shares>),
    /// Classic: the decks of the seat that shuffles first.
    FirstDecks(Offered<FirstDeck>),
    /// Classic: the decks of the other.
    SecondDecks(Offered<SecondDeck>),
    /// Classic: which of the other's decks stays closed.
    Keep(u8),
    /// Classic: opens first's other decks.
    FirstOpening(FirstOpening),
    /// Classic: opens second's other decks.
    SecondOpening(Box<SecondOpening>),
    /// Classic: first asks for cards, and deals cards to second.
    Draw(Box<Draw>),
    /// Classic: second answers.
    Answer(Answer),
    /// Classic: first turns cards up.
    TurnUp(Vec<Marked>),
}

/// Which of these is due, and for how many cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A layer.
    Layer(usize),
    /// A removal.
    Removal(usize),
    /// A commitment or a key.
    Key(KeyKind),
    /// A shuffle.
    Shuffle(usize),
    /// Shares.
    Shares(usize),
    /// So many decks of first.
    FirstDecks(usize),
    /// So many decks of second.
    SecondDecks(usize),
    /// A choice among so many.
    Keep(usize),
    /// So many opened decks of first.
    FirstOpening(usize),
    /// So many opened decks of second.
    SecondOpening(usize),
    /// A draw.
    Draw {
        /// Cards that are asked for.
        asked: usize,
        /// Cards that are dealt.
        dealt: usize,
    },
    /// An answer.
    Answer(usize),
    /// Cards for all.
    TurnUp(usize),
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
    /// What opens the commitments to them.
    Classic(Revealed),
}

/// The scheme of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// By layers.
    Layers,
    /// By shares.
    Shares,
    /// As the document has it, for one of its two players.
    Classic(Role),
}

/// What was said and judged.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A layer.
    Layer(Box<sra::AcceptedLayer>, Element),
    /// A removal.
    Removal(sra::AcceptedRemoval),
    /// A commitment or a key.
    Key(KeyChecked),
    /// A deck.
    Shuffle(Codes),
    /// Shares of the cards at these places.
    Shares(Vec<usize>, deck::AcceptedShares),
    /// First's decks.
    FirstDecks(Offered<FirstDeck>),
    /// Second's decks.
    SecondDecks(Offered<SecondDeck>),
    /// A choice.
    Keep(usize),
    /// All decks but the one that is kept are what they should be.
    Opened,
    /// Dealt cards.
    Draw(AcceptedDraw),
    /// At which indices of first's deck the asked cards are.
    Links(Vec<usize>),
    /// Cards for all.
    Up(Vec<u32>),
}

/// The secret of a seat in one hand.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each seat")]
pub enum Secret {
    /// By layers and by shares.
    Key {
        /// The key of the hand.
        key: SeatSecret,
        /// What opens the commitment to it, where there is one.
        opening: Option<Opening>,
    },
    /// Classic: first's keys, one for each deck.
    First(Vec<SeatSecret>),
    /// Classic: what opens second's decks.
    Second(Vec<SecondSecret>),
}

impl Secret {
    /// The key of the hand, by layers and by shares.
    pub fn key(&self) -> Option<&SeatSecret> {
        if let Self::Key { key, .. } = self { Some(key) } else { None }
    }
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
    /// Seats that have sent decks and not opened the ones that are to be opened: all their chips are pledged (PD-14).
    fn pledged(&self) -> Seats {
        Seats::NONE
    }
    /// Whether this is the secret of a seat in this hand.
    fn is_secret_of(&self, _secret: &Secret, _seat: Seat) -> bool {
        true
    }
    /// On whose word alone, with a known chance that it is false, every card is in the deck once; nobody's where that is proved.
    fn maker(&self) -> Option<Seat> {
        None
    }
}

/// A dealer of one of the schemes.
#[derive(Clone, Debug)]
pub enum AnyDealer {
    /// By layers (SRA).
    Layers(Layers),
    /// By shares (ElGamal).
    Shares(Shares),
    /// As the document has it.
    Classic(Box<Classic>),
}

impl AnyDealer {
    /// The dealer behind the interface.
    pub fn get(&self) -> &dyn Dealer {
        match self {
            Self::Layers(layers) => layers,
            Self::Shares(shares) => shares,
            Self::Classic(classic) => &**classic,
        }
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self) -> &mut dyn Dealer {
        match self {
            Self::Layers(layers) => layers,
            Self::Shares(shares) => shares,
            Self::Classic(classic) => &mut **classic,
        }
    }
}

impl Encode for Said {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Layer(layer) => layer.encode(out),
            Self::Removal(removal) => removal.encode(out),
            Self::Key(step) => step.encode(out),
            Self::Shuffle(deck, proof) => {
                deck.encode(out);
                proof.encode(out);
            }
            Self::Shares(shares) => shares.encode(out),
            Self::FirstDecks(decks) => decks.encode(out),
            Self::SecondDecks(decks) => decks.encode(out),
            Self::Keep(kept) => out.push(*kept),
            Self::FirstOpening(opening) => opening.encode(out),
            Self::SecondOpening(opening) => opening.encode(out),
            Self::Draw(draw) => draw.encode(out),
            Self::Answer(answer) => answer.encode(out),
            Self::TurnUp(cards) => encode_all(cards, out),
        }
    }
}

impl Decode for Said {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Layer(n) => Self::Layer(Box::new(sra::Layer::read(reader, n)?)),
            Kind::Removal(n) => Self::Removal(Box::new(sra::Removal::read(reader, n)?)),
            Kind::Key(kind) => Self::Key(KeyStep::read(reader, kind)?),
            Kind::Shuffle(n) => {
                let shape = PermutationShape::of::<Shuffled<'_>>(*n);
                Self::Shuffle(Codes::read(reader, n)?, Box::new(PermutationProof::read(reader, &shape)?))
            }
            Kind::Shares(n) => Self::Shares(Box::new(deck::Shares::read(reader, n)?)),
            Kind::FirstDecks(n) => Self::FirstDecks(Offered::read(reader, &(*n, PACK))?),
            Kind::SecondDecks(n) => Self::SecondDecks(Offered::read(reader, &(*n, PACK))?),
            Kind::Keep(n) => {
                let kept = reader.u8("keep")?;
                let fault = Malformed::Count { got: kept.into(), min: 0, max: (*n as u64).saturating_sub(1) };
                Self::Keep(Some(kept).filter(|kept| usize::from(*kept) < *n).ok_or(reader.error("keep", fault))?)
            }
            Kind::FirstOpening(n) => Self::FirstOpening(FirstOpening::read(reader, n)?),
            Kind::SecondOpening(n) => Self::SecondOpening(Box::new(SecondOpening::read(reader, &(*n, PACK))?)),
            Kind::Draw { asked, dealt } => Self::Draw(Box::new(Draw::read(reader, &(*asked, *dealt))?)),
            Kind::Answer(n) => Self::Answer(Answer::read(reader, n)?),
            Kind::TurnUp(n) => Self::TurnUp(reader.list("revealed", *n, MARKED, |reader| Marked::read(reader, &()))?),
            Kind::Nothing => return Err(reader.error("deal", Malformed::Truncated(1))),
        })
    }
}

impl Encode for Shown {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Layers(showing) => showing.encode(out),
            Self::Shares(shares) => shares.encode(out),
            Self::Classic(revealed) => revealed.encode(out),
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
            Scheme::Classic(role) => Self::Classic(Revealed::read(reader, &(*role, *n))?),
        })
    }
}
