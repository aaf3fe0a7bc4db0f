//! Where a king stands, encrypted; and the proof that it made one step.

use outis_crypto::batch::Batch;
use outis_crypto::card::Code;
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::context::Context;
use outis_crypto::encrypted_number::{Known, Seed, encrypt_all};
use outis_crypto::group::{Element, RistrettoPoint, Scalar, mul_generator};
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::one_of_many::{OneOfMany, OneOfManyProof, OneOfManyWitness};
use outis_crypto::secret::SecretScalar;
use outis_crypto::shuffle::CommitmentKey;
use outis_crypto::sigma::{AnyOf, AnyOfProof, Base, Invalid, Relation, SigmaShape};
use zeroize::Zeroize;

use crate::rules::{Cell, Direction};

/// Column and row as one number, `column + 1000·row`: different for all differences of squares on grids of up to 499 (V16).
pub(crate) const ROW: i32 = 1000;

/// A square as one number. Columns and rows count from one here, so that none of them is zero.
pub(crate) fn number(cell: Cell) -> i32 {
    i32::from(cell.x) + 1 + ROW * (i32::from(cell.y) + 1)
}

/// A direction as the difference of two such numbers.
pub(crate) fn offset(direction: Direction) -> i32 {
    let (dx, dy) = direction.delta();
    i32::from(dx) + ROW * i32::from(dy)
}

/// A small integer as a scalar.
pub(crate) fn integer(value: i32) -> Scalar {
    let size = Scalar::from(value.unsigned_abs());
    if value < 0 { -size } else { size }
}

/// The place of a king: column and row, encrypted in the exponent under the joint key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// `(ρ·G, (column + 1)·G + ρ·PK)`.
    pub column: Code,
    /// The row in the same way.
    pub row: Code,
}

/// What its owner knows of a place.
#[derive(Clone, Debug)]
pub struct PositionSecret {
    /// The square.
    pub cell: Cell,
    /// Randomness of column and row.
    pub randomness: [SecretScalar; 2],
}

/// A place, and what its owner knows of it.
#[derive(Clone, Copy)]
pub struct OwnPosition<'a> {
    /// As everyone sees it.
    pub place: &'a Position,
    /// As its owner does.
    pub secret: &'a PositionSecret,
}

impl Drop for PositionSecret {
    fn drop(&mut self) {
        self.cell.x = 0;
        self.cell.y = 0;
        self.randomness.zeroize();
    }
}

impl PositionSecret {
    /// A square with randomness for this square at this place of the log: a generator that repeats itself gives no other
    /// square the same (S-8).
    pub fn fresh(cell: Cell, secret: &SeatSecret, context: &Context, rng: &mut (impl Source + ?Sized)) -> Self {
        let [x, y] = [cell.x, cell.y].map(|at| u32::from(at.cast_unsigned()));
        let known = Seed::fresh(secret, &(context, (x, y)), rng).know([0, 0]);
        Self { cell, randomness: [0, 1].map(|i| SecretScalar::new(*known[i].randomness())) }
    }

    /// A square that everyone knows: the randomness is one, and anyone can check the place.
    pub fn public(cell: Cell) -> Self {
        Self { cell, randomness: [SecretScalar::new(Scalar::ONE), SecretScalar::new(Scalar::ONE)] }
    }

    /// The encrypted place; `None` if a half is zero by accident.
    pub fn encrypt(&self, key: &JointKey) -> Option<Position> {
        let known = |at: i16, r: &SecretScalar| Some(Known::new(u32::try_from(at + 1).ok()?, *r.expose_secret()));
        let [r_column, r_row] = &self.randomness;
        let codes = encrypt_all(key, &[known(self.cell.x, r_column)?, known(self.cell.y, r_row)?])?;
        let [column, row] = codes.try_into().ok()?;
        Some(Position { column, row })
    }

    /// Randomness of `column + 1000·row`.
    pub(crate) fn folded(&self) -> SecretScalar {
        let [column, row] = &self.randomness;
        SecretScalar::new(column.expose_secret() + integer(ROW) * row.expose_secret())
    }
}

impl Position {
    /// The number of the square, as a point, given the whole secret of the joint key.
    pub(crate) fn opened(&self, secret: &Scalar) -> RistrettoPoint {
        let [column, row] = [&self.column, &self.row].map(|code| code.c2.point() - code.c1.point() * secret);
        column + row * integer(ROW)
    }

    /// The four points, for comparing.
    pub(crate) fn points(&self) -> [&Element; 4] {
        [&self.column.c1, &self.column.c2, &self.row.c1, &self.row.c2]
    }
}

impl Encode for Position {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { column, row } = self;
        column.encode(out);
        row.encode(out);
    }
}

impl Decode for Position {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self { column: Code::read(reader, &())?, row: Code::read(reader, &())? })
    }
}

/// The claim that `to` is one step away from `from`, in one of the eight directions: their difference, as one number, is
/// one of eight. Staying is none of them.
pub(crate) struct OneStep<'a> {
    pub key: &'a Element,
    pub from: &'a Position,
    pub to: &'a Position,
}

/// The shape of its proof.
pub(crate) const ONE_STEP: [SigmaShape; 8] = [SigmaShape { equations: 2, secrets: 1 }; 8];

impl OneStep<'_> {
    fn statement<'s>(&'s self, generator: &'s Element) -> AnyOf<'s> {
        let Self { key, from, to } = self;
        let row = integer(ROW);
        let branch = |direction: Direction| {
            let mut relation = Relation::new();
            let w = relation.secret();
            let difference = |half: fn(&Code) -> &Element| {
                vec![
                    (Scalar::ONE, half(&to.column)),
                    (row, half(&to.row)),
                    (-Scalar::ONE, half(&from.column)),
                    (-row, half(&from.row)),
                ]
            };
            relation.demand(Base::Sum(difference(|code| &code.c1)), [(w, Base::One(generator))]);
            let mut second = difference(|code| &code.c2);
            second.push((-integer(offset(direction)), generator));
            relation.demand(Base::Sum(second), [(w, Base::One(key))]);
            relation
        };
        AnyOf { branches: Direction::ALL.into_iter().map(branch).collect() }
    }

    /// Proves it for a direction.
    pub(crate) fn prove(
        &self,
        direction: Direction,
        from: &PositionSecret,
        to: &PositionSecret,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<AnyOfProof> {
        let w = SecretScalar::new(to.folded().expose_secret() - from.folded().expose_secret());
        let generator = Element::generator();
        self.statement(&generator).prove(direction.index(), &[*w.expose_secret()], challenger, rng)
    }

    /// Adds the proof to a batch.
    pub(crate) fn verify(
        &self,
        proof: &AnyOfProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        self.statement(&Element::generator()).verify(proof, challenger, batch)
    }
}

/// What columns and rows may be: `1·G` to `n·G`, and the generators for proving it.
#[derive(Clone, Debug)]
pub struct Lines {
    faces: Vec<Element>,
    commitments: CommitmentKey,
}

/// Column and row lie on the grid.
#[derive(Clone, Debug)]
pub struct OnGrid {
    column: OneOfManyProof,
    row: OneOfManyProof,
}

impl Lines {
    /// For a grid of `n × n`.
    pub fn new(grid: u8) -> Self {
        let face = |k: u64| Element::new(mul_generator(&Scalar::from(k))).expect("a small multiple is not zero");
        let faces = (1..=u64::from(grid)).map(face).collect();
        Self { faces, commitments: CommitmentKey::new(usize::from(grid)) }
    }

    pub(crate) fn prove(
        &self,
        key: &JointKey,
        at: OwnPosition<'_>,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<OnGrid> {
        let mut prove = |code: Code, at: i16, r: &SecretScalar| {
            let statement = OneOfMany { key: key.element(), code, faces: &self.faces };
            // A square outside the grid has no number here, and no proof that holds.
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            let witness = OneOfManyWitness { position: at, randomness: r.expose_secret() };
            statement.prove(&self.commitments, key, witness, challenger, rng)
        };
        let OwnPosition { place, secret } = at;
        let [r_column, r_row] = &secret.randomness;
        let column = prove(place.column, secret.cell.x, r_column)?;
        Some(OnGrid { column, row: prove(place.row, secret.cell.y, r_row)? })
    }

    pub(crate) fn verify(
        &self,
        key: &JointKey,
        place: &Position,
        proof: &OnGrid,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        for (code, proof) in [(place.column, &proof.column), (place.row, &proof.row)] {
            let statement = OneOfMany { key: key.element(), code, faces: &self.faces };
            statement.verify(&self.commitments, proof, challenger, batch)?;
        }
        Ok(())
    }
}

impl Encode for OnGrid {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { column, row } = self;
        column.encode(out);
        row.encode(out);
    }
}

impl Decode for OnGrid {
    /// Rows of the grid.
    type Shape = u8;
    fn read(reader: &mut Reader<'_>, grid: &u8) -> Result<Self, DecodeError> {
        let lines = usize::from(*grid);
        Ok(Self { column: OneOfManyProof::read(reader, &lines)?, row: OneOfManyProof::read(reader, &lines)? })
    }
}
