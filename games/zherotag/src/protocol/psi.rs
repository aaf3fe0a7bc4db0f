//! The classic grade of seeing: the one-sided board update of the ZheroTag document (ZT-10), a private set intersection
//! by Diffie–Hellman, run twice after each move with swapped roles (ZT-11).
//!
//! Every square has a point whose logarithm nobody knows, and so have the squares just outside the grid: a king at the edge
//! asks about eight squares like any other. The asker sends `α·H` of its eight neighbours, in the order of the
//! directions; the answerer sends `β` times each of these, and `β·H` of its own square; the asker multiplies that by `α` and
//! looks which of the eight it is. Both prove that the squares are those of their encrypted positions, and the answerer that
//! `β` is the same throughout, with weights that are drawn after its whole answer (review V1).

use outis_crypto::batch::Batch;
use outis_crypto::card::Code;
use outis_crypto::challenger::{Challenger, Purpose, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader, encode_all};
use outis_crypto::group::{Element, mul_generator};
use outis_crypto::key::SeatSecret;
use outis_crypto::one_of_rows::{OneOfRows, OneOfRowsProof, RowWitness};
use outis_crypto::secret::SecretScalar;
use outis_crypto::shuffle::CommitmentKey;
use outis_crypto::sigma::{SameExponents, Sigma, SigmaProof, SigmaShape};
use outis_table::TableId;
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::place::{OwnPosition, Position, ROW, integer, number};
use crate::rules::{Cell, Direction};

/// The points of all squares, and what is needed to prove something about one of them.
#[derive(Clone, Debug)]
pub struct Squares {
    grid: u8,
    /// Row by row, with a border of one square on all sides.
    points: Vec<Element>,
    /// The points of the squares on the grid.
    inside: Vec<Element>,
    /// For each square on the grid, the points of its eight neighbours.
    around: Vec<Element>,
    numbers: Vec<u32>,
    commitments: CommitmentKey,
}

impl Squares {
    /// For a grid of `n × n` at one table.
    pub fn new(grid: u8, table: &TableId) -> Self {
        let border = -1..=i16::from(grid);
        let cells = border.clone().flat_map(|y| border.clone().map(move |x| Cell { x, y }));
        let hash =
            |cell: Cell| Element::hash("zherotag square", &[&table.0, &cell.x.to_le_bytes(), &cell.y.to_le_bytes()]);
        let points: Vec<Element> = cells.map(hash).collect();
        let at = |cell: Cell| points[Self::padded(grid, cell)];
        let inside = Cell::all(grid).map(at).collect();
        let around = Cell::all(grid).flat_map(|cell| Direction::ALL.map(|d| at(cell.step(d)))).collect();
        let numbers = Cell::all(grid).map(|cell| number(cell) as u32).collect();
        // Two digits of the number of a square, each up to `n`.
        Self { grid, inside, around, numbers, commitments: CommitmentKey::new(2 * usize::from(grid)), points }
    }

    /// Where a square that may lie on the border has its point; anything further out is put on the border.
    fn padded(grid: u8, cell: Cell) -> usize {
        let edge = i16::from(grid);
        let place = |at: i16| (at.clamp(-1, edge) + 1) as usize;
        place(cell.y) * (usize::from(grid) + 2) + place(cell.x)
    }

    /// The point of a square, found without an address that depends on the square: it is a secret.
    pub(crate) fn point(&self, cell: Cell) -> Element {
        let place = Self::padded(self.grid, cell) as u64;
        let mut found = self.points[0];
        for (at, point) in (0u64..).zip(&self.points) {
            found.conditional_assign(point, at.ct_eq(&place));
        }
        found
    }

    /// How many squares the grid has.
    fn count(grid: u8) -> usize {
        usize::from(grid) * usize::from(grid)
    }

    /// That `key`'s secret made `powers` from the rows of the square that a place names.
    fn statement<'a>(
        &'a self,
        joint: &'a Element,
        place: &Position,
        key: &'a Element,
        powers: &'a [Element],
    ) -> Option<OneOfRows<'a>> {
        let half = |column: &Element, row: &Element| Element::new(column.point() + row.point() * integer(ROW));
        let code = Code { c1: half(&place.column.c1, &place.row.c1)?, c2: half(&place.column.c2, &place.row.c2)? };
        let bases = if powers.len() == 1 { &self.inside } else { &self.around };
        Some(OneOfRows { key, powers, bases, numbers: &self.numbers, joint, code })
    }

    /// Proves it; `exponent` is `key`'s secret.
    fn prove(
        &self,
        statement: Option<OneOfRows<'_>>,
        at: OwnPosition<'_>,
        exponent: &SecretScalar,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<OneOfRowsProof> {
        let row = at.secret.cell.index(self.grid).map_or(u32::MAX, |at| at as u32);
        let randomness = at.secret.folded();
        let witness = RowWitness { row, key: exponent, randomness: &randomness };
        statement?.prove(&self.commitments, &witness, challenger, rng)
    }

    fn verify(
        &self,
        statement: Option<OneOfRows<'_>>,
        proof: &OneOfRowsProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> bool {
        statement.is_some_and(|statement| statement.verify(&self.commitments, proof, challenger, batch).is_ok())
    }
}

/// A question: which of my neighbours is yours?
#[derive(Clone, Debug)]
pub struct Ask {
    /// `α·G`.
    pub(crate) key: Element,
    /// `α·H` of the eight neighbours, in order.
    pub(crate) set: Vec<Element>,
    /// That they are those of the asker's place.
    pub(crate) proof: OneOfRowsProof,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// `β·G`.
    pub(crate) key: Element,
    /// `β` times each point of the question, in order.
    pub(crate) powers: Vec<Element>,
    /// `β·H` of the answerer's own square.
    pub(crate) own: [Element; 1],
    /// That `β` is the same for all eight.
    pub(crate) same: SigmaProof,
    /// That it was used on the answerer's own square.
    pub(crate) proof: OneOfRowsProof,
}

/// A secret exponent for one question or one answer: of this entry, for these points, from this place. The starting squares are
/// public, so the seat's own key is among its secrets.
fn exponent(
    purpose: Purpose,
    points: &[Element],
    at: OwnPosition<'_>,
    secret: &SeatSecret,
    challenger: &Challenger,
    rng: &mut impl Source,
) -> SecretScalar {
    let secrets = at.secret.randomness.iter().chain([secret.secret()]);
    SecretScalar::random(&mut challenger.draw(purpose, &(at.place, points), secrets, rng))
}

fn powers<'a>(secret: &SecretScalar, bases: impl IntoIterator<Item = &'a Element>) -> Option<Vec<Element>> {
    bases.into_iter().map(|base| Element::new(base.point() * secret.expose_secret())).collect()
}

impl Ask {
    /// Asks about the neighbours of a place. Also what opens the answer.
    pub(crate) fn make(
        squares: &Squares,
        joint: &Element,
        secret: &SeatSecret,
        at: OwnPosition<'_>,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<(Self, SecretScalar)> {
        let alpha = exponent(const { Purpose::new("question") }, &[], at, secret, challenger, rng);
        let around: Vec<Cell> = Direction::ALL.iter().map(|direction| at.secret.cell.step(*direction)).collect();
        let ask = Self::about(squares, joint, at, &around, &alpha, challenger, rng)?;
        Some((ask, alpha))
    }

    /// Asks about some squares, as if they were the neighbours of a place.
    pub(crate) fn about(
        squares: &Squares,
        joint: &Element,
        at: OwnPosition<'_>,
        cells: &[Cell],
        alpha: &SecretScalar,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Self> {
        let points: Vec<Element> = cells.iter().map(|cell| squares.point(*cell)).collect();
        let (key, set) = (Element::new(mul_generator(alpha.expose_secret()))?, powers(alpha, &points)?);
        let statement = squares.statement(joint, at.place, &key, &set);
        let proof = squares.prove(statement, at, alpha, challenger, rng)?;
        Some(Self { key, set, proof })
    }

    /// Adds the proof to a batch.
    pub(crate) fn verify(
        &self,
        squares: &Squares,
        joint: &Element,
        place: &Position,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> bool {
        squares.verify(squares.statement(joint, place, &self.key, &self.set), &self.proof, challenger, batch)
    }
}

/// What an answer says, before it is proved.
pub(crate) struct Raised {
    /// The exponent.
    pub(crate) beta: SecretScalar,
    /// `β·G`.
    pub(crate) key: Element,
    /// `β` times each point of the question.
    pub(crate) powers: Vec<Element>,
    /// `β·H` of the answerer's own square.
    pub(crate) own: [Element; 1],
}

impl Reply {
    /// Answers a question from a place.
    pub(crate) fn make(
        squares: &Squares,
        joint: &Element,
        secret: &SeatSecret,
        at: OwnPosition<'_>,
        ask: &Ask,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Self> {
        let beta = exponent(const { Purpose::new("answer") }, &ask.set, at, secret, challenger, rng);
        let key = Element::new(mul_generator(beta.expose_secret()))?;
        let own = powers(&beta, [&squares.point(at.secret.cell)])?.try_into().ok()?;
        let made = powers(&beta, &ask.set)?;
        Self::of(squares, joint, at, ask, Raised { beta, key, powers: made, own }, challenger, rng)
    }

    /// Answers with given powers.
    pub(crate) fn of(
        squares: &Squares,
        joint: &Element,
        at: OwnPosition<'_>,
        ask: &Ask,
        made: Raised,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Self> {
        let Raised { beta, key, powers, own } = made;
        // The proof about its own square first: so the weights of the other one come after everything.
        let statement = squares.statement(joint, at.place, &key, &own);
        let proof = squares.prove(statement, at, &beta, challenger, rng)?;
        let same = SameExponents { key, bases: &ask.set, powers: &powers }.prove(&beta, challenger, rng)?;
        Some(Self { key, powers, own, same, proof })
    }

    /// Adds the proof that the exponent was used on its own square.
    pub(crate) fn verify_square(
        &self,
        squares: &Squares,
        joint: &Element,
        place: &Position,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> bool {
        squares.verify(squares.statement(joint, place, &self.key, &self.own), &self.proof, challenger, batch)
    }

    /// Adds the proof that it is the same for all eight points.
    pub(crate) fn verify_same(&self, ask: &Ask, challenger: &mut Challenger, batch: &mut Batch) -> bool {
        let statement = SameExponents { key: self.key, bases: &ask.set, powers: &self.powers };
        statement.verify(&self.same, challenger, batch).is_ok()
    }
}

/// The direction in which the other king stands, if it is near. All are compared, whichever it is. `None` if the secret is zero,
/// which opens nothing.
pub(crate) fn look(alpha: &SecretScalar, own: &Element, powers: &[Element]) -> Option<Option<Direction>> {
    let there = Element::new(own.point() * alpha.expose_secret())?;
    let equal: Vec<bool> = powers.iter().map(|power| power.as_bytes().ct_eq(there.as_bytes()).into()).collect();
    Some(Direction::ALL.into_iter().find(|direction| equal.get(direction.index()) == Some(&true)))
}

impl Encode for Ask {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, set, proof } = self;
        key.encode(out);
        encode_all(set, out);
        proof.encode(out);
    }
}

impl Decode for Ask {
    /// Rows of the grid.
    type Shape = u8;
    fn read(reader: &mut Reader<'_>, grid: &u8) -> Result<Self, DecodeError> {
        Ok(Self {
            key: reader.element("ask.key")?,
            set: reader.elements("ask.set", Direction::ALL.len())?,
            proof: OneOfRowsProof::read(reader, &Squares::count(*grid))?,
        })
    }
}

impl Encode for Reply {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, powers, own, same, proof } = self;
        key.encode(out);
        encode_all(powers, out);
        encode_all(own, out);
        same.encode(out);
        proof.encode(out);
    }
}

impl Decode for Reply {
    /// Rows of the grid.
    type Shape = u8;
    fn read(reader: &mut Reader<'_>, grid: &u8) -> Result<Self, DecodeError> {
        Ok(Self {
            key: reader.element("reply.key")?,
            powers: reader.elements("reply.powers", Direction::ALL.len())?,
            own: [reader.element("reply.own")?],
            same: SigmaProof::read(reader, &SigmaShape { equations: 2, secrets: 1 })?,
            proof: OneOfRowsProof::read(reader, &Squares::count(*grid))?,
        })
    }
}
