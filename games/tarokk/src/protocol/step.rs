//! The steps of a seat, and their encoding. Sizes follow from what is public and from the first bytes of the step.

use outis_crypto::card::Codes;
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::deck::{CardOpening, Shares};
use outis_crypto::group::Scalar;
use outis_table::keys::{KeyKind, KeyStep};

use super::bits::{Bit, SumShare};
use super::claim::{Claim, Ledger, laid_coloured, laid_tarokks};
use super::evidence::{Evidence, read_places};
use super::grade::{MakeProof, SetProof, ShuffleProof, Tools};
use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::cards::{Card, PACK};
use crate::rules::cardset::CardSet;
use crate::rules::discard::AnnulmentReason;
use crate::rules::seats::Player;
use crate::rules::state::{Phase, Public};

/// A step of a seat.
#[derive(Clone, Debug)]
pub enum Step {
    /// Commits to a fresh key, or reveals it.
    Key(KeyStep),
    /// Shuffles the deck.
    Shuffle(Codes, ShuffleProof),
    /// Shares cards of the other players, in order of players: their hands, or what they take from the talon.
    Draw(Vec<Shares>),
    /// Makes its hand.
    Hand(Codes, MakeProof),
    /// *Skíz oszt, nem oszt*; the turn is still to be taken.
    End,
    /// Calls in the auction.
    Call(Call, Vec<Evidence>),
    /// The trial bidder takes up the talon and shows an honour, or that it has none.
    Trial(bool, Codes, MakeProof, Evidence),
    /// Takes up the talon, unless that is done, and discards cards.
    Discard(Option<(Codes, MakeProof)>, Vec<u8>),
    /// Tells its discarded tarokks.
    Tell(Tell),
    /// Shares the sum of the told bits.
    Sum(SumShare),
    /// Annuls the deal for some reason, or plays on.
    Annul(Option<(AnnulmentReason, Evidence, Vec<Scalar>)>),
    /// A word of the announcements.
    Word(Token, Vec<Evidence>),
    /// Plays a card.
    Play(u8, CardOpening, Vec<Evidence>),
    /// Claims its number of tarokks late, or does not.
    Claim(bool),
    /// Opens what it discarded.
    Open(Vec<CardOpening>),
}

/// What a player tells of its discard.
#[derive(Clone, Debug)]
pub enum Tell {
    /// With four, and the declarer with five: which are tarokks; the declarer shows them, others prove that they may be
    /// discarded. The rest are coloured and no kings. A player who took nothing from the talon shuffles their hand.
    Counted {
        /// Places of the tarokks among the discards.
        tarokks: Vec<u8>,
        /// The declarer's, opened.
        shown: Vec<CardOpening>,
        /// The others' tarokks may be discarded.
        inside: SetProof,
        /// The coloured ones may.
        rest: SetProof,
        /// The hand, shuffled.
        shuffled: Option<(Codes, ShuffleProof)>,
    },
    /// With five, and not the declarer: a bit for each.
    Bits(Vec<Bit>),
}

/// Which step is due, with the sizes that the table knows.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A commitment or a key.
    Key(KeyKind),
    /// A deck.
    Shuffle(Tools),
    /// Shares for other players, this many cards each.
    Draw(Vec<usize>),
    /// A hand of nine drawn cards.
    Hand(Tools),
    /// A share of the sum.
    Sum,
    /// Nothing: this seat has nothing to say.
    Nothing,
    /// Anything of the game itself.
    Game(Box<View>),
}

/// What the deal in progress waits for from one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A call.
    Call,
    /// The trial bidder's honour.
    Trial,
    /// A discard.
    Discard,
    /// The number of discarded tarokks.
    Tell,
    /// An answer about annulling.
    Annul,
    /// A word.
    Word,
    /// A card.
    Play,
    /// A late claim.
    Claim,
    /// The discards.
    Open,
}

/// What is public about a deal as far as a player's next step asks.
#[derive(Clone, Debug)]
pub struct View {
    /// What is due.
    pub due: Due,
    /// Whose turn it is.
    pub who: Player,
    /// The proofs of this table.
    pub tools: Tools,
    /// The rules' view.
    pub public: Public,
    /// What was proved.
    pub ledger: Ledger,
    /// Cards taken from the talon.
    pub taken: usize,
    /// Whether the talon is taken up already.
    pub merged: bool,
    /// Discards that are still closed.
    pub closed: usize,
}

/// How a by-hand step begins if it is [`Step::End`].
const END: u8 = 255;
/// Where calls of a partner begin among the words.
const CALLS: u8 = 64;
/// The reasons for annulling in the order of their codes, which begin with 1.
pub const REASONS: [AnnulmentReason; 5] = [
    AnnulmentReason::FourKings,
    AnnulmentReason::OnlyXxi,
    AnnulmentReason::OnlyPagat,
    AnnulmentReason::NoTarokk,
    AnnulmentReason::XxiAndPagat,
];

impl View {
    /// Whether this player is the declarer.
    pub fn is_declarer(&self) -> bool {
        self.public.contract().is_some_and(|contract| contract.declarer == self.who)
    }

    /// Whether the discards of this player are published as bits.
    pub fn tells_bits(&self) -> bool {
        self.public.seating.seats() == 5 && !self.is_declarer()
    }

    /// The tarokks and the coloured cards that this player may discard.
    pub fn allowed(&self) -> [CardSet; 2] {
        let signalled = self.public.contract().and_then(|contract| contract.signalled(self.who));
        [laid_tarokks(signalled), laid_coloured()]
    }

    /// What a card that is played claims. `None` if no card is due.
    pub fn play(&self, card: Card) -> Option<Vec<Claim>> {
        let Phase::AwaitingCard(spoken, plays) = &self.public.phase else { return None };
        Some(self.after(card).play(spoken, plays, self.who, card))
    }

    /// The ledger after a card of this player was opened.
    pub fn after(&self, card: Card) -> Ledger {
        let mut ledger = self.ledger.clone();
        ledger.opened(card);
        let holding = &mut ledger.holding[self.who.index()];
        *holding = holding.saturating_sub(1);
        ledger
    }

    /// How many bits a player who annuls for a reason must open as 0.
    pub fn zeros(&self, reason: AnnulmentReason) -> usize {
        if self.tells_bits() && reason != AnnulmentReason::FourKings { self.taken } else { 0 }
    }
}

fn encode_evidence(evidence: &[Evidence], out: &mut Vec<u8>) {
    evidence.iter().for_each(|evidence| evidence.encode(out));
}

/// The byte of a word.
fn word_byte(token: Token) -> u8 {
    match token {
        Token::Call(card) => CALLS + card.number(),
        _ => Token::all().position(|known| known == token).expect("every word is listed") as u8,
    }
}

impl Encode for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Key(step) => step.encode(out),
            Self::Shuffle(deck, proof) => {
                deck.encode(out);
                proof.encode(out);
            }
            Self::Draw(shares) => shares.iter().for_each(|shares| shares.encode(out)),
            Self::Hand(codes, proof) => {
                codes.encode(out);
                proof.encode(out);
            }
            Self::End => out.push(END),
            Self::Call(call, evidence) => {
                out.push(Call::ALL.iter().position(|known| known == call).expect("every call is listed") as u8);
                encode_evidence(evidence, out);
            }
            Self::Trial(honour, codes, proof, evidence) => {
                out.push(u8::from(*honour));
                codes.encode(out);
                proof.encode(out);
                evidence.encode(out);
            }
            Self::Discard(made, places) => {
                out.push(0);
                if let Some((codes, proof)) = made {
                    codes.encode(out);
                    proof.encode(out);
                }
                out.extend_from_slice(places);
            }
            Self::Tell(tell) => tell.encode(out),
            Self::Sum(share) => share.encode(out),
            Self::Annul(None) => out.push(0),
            Self::Annul(Some((reason, evidence, zeros))) => {
                out.push(REASONS.iter().position(|known| known == reason).expect("every reason is listed") as u8 + 1);
                evidence.encode(out);
                zeros.iter().for_each(|s| s.encode(out));
            }
            Self::Word(token, evidence) => {
                out.push(word_byte(*token));
                encode_evidence(evidence, out);
            }
            Self::Play(at, opening, evidence) => {
                out.push(*at);
                opening.encode(out);
                encode_evidence(evidence, out);
            }
            Self::Claim(claim) => out.push(u8::from(*claim)),
            Self::Open(openings) => openings.iter().for_each(|opening| opening.encode(out)),
        }
    }
}

impl Encode for Tell {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Counted { tarokks, shown, inside, rest, shuffled } => {
                out.push(tarokks.len() as u8);
                out.extend_from_slice(tarokks);
                shown.iter().for_each(|opening| opening.encode(out));
                inside.encode(out);
                rest.encode(out);
                if let Some((codes, proof)) = shuffled {
                    codes.encode(out);
                    proof.encode(out);
                }
            }
            Self::Bits(bits) => bits.iter().for_each(|bit| bit.encode(out)),
        }
    }
}

impl Decode for Step {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Key(kind) => Self::Key(KeyStep::read(reader, kind)?),
            Kind::Shuffle(tools) => Self::Shuffle(Codes::read(reader, &PACK)?, tools.read_shuffle(reader, PACK)?),
            Kind::Draw(sizes) => Self::Draw(sizes.iter().map(|n| Shares::read(reader, n)).collect::<Result<_, _>>()?),
            Kind::Hand(tools) => Self::Hand(Codes::read(reader, &9)?, tools.read_make(reader, 0, 9)?),
            Kind::Sum => Self::Sum(SumShare::read(reader, &())?),
            Kind::Nothing => return Err(reader.error("step", Malformed::Trailing(reader.left()))),
            Kind::Game(view) => view.read(reader)?,
        })
    }
}

impl View {
    fn read(&self, reader: &mut Reader<'_>) -> Result<Step, DecodeError> {
        match self.due {
            Due::Open => {
                let openings = (0..self.closed).map(|_| CardOpening::read(reader, &PACK));
                return Ok(Step::Open(openings.collect::<Result<_, _>>()?));
            }
            Due::Tell => return self.read_tell(reader).map(Step::Tell),
            _ => {}
        }
        let first = reader.u8("step")?;
        let unknown = |reader: &Reader<'_>| Err(reader.error("step", Malformed::Tag(first)));
        if first == END {
            return if self.due == Due::Trial { unknown(reader) } else { Ok(Step::End) };
        }
        let evidence = |claims: Option<Vec<Claim>>, reader: &mut Reader<'_>| {
            let claims = claims.ok_or_else(|| reader.error("step", Malformed::Tag(first)))?;
            claims.iter().map(|claim| claim.read(&self.tools, reader)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match self.due {
            Due::Call => match Call::ALL.get(usize::from(first)) {
                Some(call) => Step::Call(*call, evidence(self.ledger.call(&self.public, self.who, *call), reader)?),
                None => return unknown(reader),
            },
            Due::Trial if first <= 1 => {
                let (codes, proof) = self.read_made(reader)?;
                let claim = self.ledger.trial(9 + self.taken, first == 1);
                Step::Trial(first == 1, codes, proof, claim.read(&self.tools, reader)?)
            }
            Due::Discard if first == 0 => {
                let made = if self.merged { None } else { Some(self.read_made(reader)?) };
                Step::Discard(made, read_places(reader, "discard.places", self.taken, 9 + self.taken)?)
            }
            Due::Annul if first == 0 => Step::Annul(None),
            Due::Annul => match REASONS.get(usize::from(first) - 1) {
                Some(reason) => {
                    let claim = self.ledger.annulment(self.who, *reason);
                    let evidence = claim.read(&self.tools, reader)?;
                    let zeros = reader.scalars("annul.zeros", self.zeros(*reason))?;
                    Step::Annul(Some((*reason, evidence, zeros)))
                }
                None => return unknown(reader),
            },
            Due::Word => {
                let token = match first.checked_sub(CALLS) {
                    Some(number) => Card::from_number(number).map(Token::Call),
                    None => Token::all().nth(first.into()),
                };
                let Some(token) = token else { return unknown(reader) };
                Step::Word(token, evidence(self.ledger.word(&self.public, self.who, token), reader)?)
            }
            Due::Play if usize::from(first) < self.ledger.holding[self.who.index()] => {
                let opening = CardOpening::read(reader, &PACK)?;
                // An unknown card would owe no evidence.
                let Some(card) = Card::from_number(opening.card as u8) else { return unknown(reader) };
                Step::Play(first, opening, evidence(self.play(card), reader)?)
            }
            Due::Claim if first <= 1 => Step::Claim(first == 1),
            _ => return unknown(reader),
        })
    }

    fn read_made(&self, reader: &mut Reader<'_>) -> Result<(Codes, MakeProof), DecodeError> {
        Ok((Codes::read(reader, &(9 + self.taken))?, self.tools.read_make(reader, 9, self.taken)?))
    }

    fn read_tell(&self, reader: &mut Reader<'_>) -> Result<Tell, DecodeError> {
        let [laid_tarokks, laid_coloured] = self.allowed();
        if self.tells_bits() {
            let allowed = laid_tarokks.union(laid_coloured);
            let bits = (0..self.taken).map(|_| Bit::read(reader, allowed));
            return Ok(Tell::Bits(bits.collect::<Result<_, _>>()?));
        }
        let n = usize::from(reader.u8("tell.tarokks")?);
        if n > self.taken {
            let fault = Malformed::Count { got: n as u64, min: 0, max: self.taken as u64 };
            return Err(reader.error("tell.tarokks", fault));
        }
        let tarokks = read_places(reader, "tell.places", n, self.taken)?;
        let (mut shown, mut inside) = (Vec::new(), SetProof::Nothing);
        if self.is_declarer() {
            shown = (0..n).map(|_| CardOpening::read(reader, &PACK)).collect::<Result<_, _>>()?;
        } else {
            inside = self.tools.read_set(reader, n, laid_tarokks.len())?;
        }
        let rest = self.tools.read_set(reader, self.taken - n, laid_coloured.len())?;
        let shuffled = match self.taken {
            0 => Some((Codes::read(reader, &9)?, self.tools.read_shuffle(reader, 9)?)),
            _ => None,
        };
        Ok(Tell::Counted { tarokks, shown, inside, rest, shuffled })
    }
}
