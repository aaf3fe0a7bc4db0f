//! The asking side: walks its lines, pads, and rebuilds its view.

use outis_crypto::andos::{Packing, Refused, SemiHonestAnswer, SemiHonestKey, SemiHonestPacket, SemiHonestQuery};
use outis_crypto::challenger::Source;

use super::schedule::{Announced, Budget, Phase, ROUNDS, of_piece};
use super::secrets::{Content, Lists};
use crate::rules::board::{Bits, Color, DIAGONAL, LEAPS, ORTHOGONAL, Piece, Square};
use crate::rules::side::Side;
use crate::rules::sight::{View, fronts};

/// An answer that no player who follows the protocol gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an answer is not valid")]
pub struct Unsound;

/// One question: for which square in which phase, and which line it walks on; padding walks on none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The phase.
    pub phase: Phase,
    /// The square.
    pub square: Square,
    line: Option<(usize, usize)>,
}

/// The squares on which a piece looks in one direction, up to a piece of its own, and how many of them are done with.
#[derive(Clone, Debug)]
struct Line {
    squares: Vec<Square>,
    next: usize,
}

impl Line {
    fn left(&self) -> &[Square] {
        &self.squares[self.next.min(self.squares.len())..]
    }

    /// Continues if the square was empty, else ends.
    fn walk(&mut self, empty: bool) {
        self.next = if empty { self.next + 1 } else { self.squares.len() };
    }
}

/// One piece of the asking side.
#[derive(Clone, Debug)]
struct Man {
    /// As what it is announced.
    announced: Piece,
    home: Square,
    /// Its lines: those of the general phase, then for a pawn the one in front.
    lines: Vec<Line>,
    /// The line in front is the last one.
    has_front: bool,
    /// Squares beside a pawn from which it could take in passing.
    beside: Vec<Square>,
}

/// One player's QUERY under way.
#[derive(Clone, Debug)]
pub struct Asker {
    color: Color,
    budget: Budget,
    announced: Announced,
    men: Vec<Man>,
    round: usize,
    /// Squares whose content is known for sure, and the pieces on them.
    sure: Bits,
    pieces: [Bits; 6],
    /// Squares in front of pawns.
    empty: Bits,
    blocked: Bits,
    passant: Option<u8>,
}

fn line(from: Square, direction: (i8, i8), mine: Bits, most: usize) -> Line {
    let (files, ranks) = direction;
    let ahead = core::iter::successors(from.step(files, ranks), |at| at.step(files, ranks));
    Line { squares: ahead.take(most).take_while(|square| !mine.has(*square)).collect(), next: 0 }
}

/// The query set of a piece in the general phase (DC-22, F15).
fn lines(color: Color, piece: Piece, from: Square, mine: Bits) -> Vec<Line> {
    let (orthogonal, diagonal) = (ORTHOGONAL.into_iter(), DIAGONAL.into_iter());
    let to = |most| move |direction| line(from, direction, mine, most);
    match piece {
        Piece::Pawn => [-1, 1].into_iter().map(|side| line(from, (side, color.forward()), mine, 1)).collect(),
        Piece::Knight => LEAPS.into_iter().map(to(1)).collect(),
        Piece::Bishop => diagonal.map(to(7)).collect(),
        Piece::Rook => orthogonal.map(to(7)).collect(),
        Piece::Queen => orthogonal.chain(diagonal).map(to(7)).collect(),
        Piece::King => orthogonal.chain(diagonal).map(to(1)).collect(),
    }
}

impl Man {
    fn new(color: Color, own: &Side, piece: Piece, home: Square) -> Self {
        let mine = own.occupied();
        let announced = if own.promoted.has(home) { Piece::Pawn } else { piece };
        let mut lines = lines(color, piece, home, mine);
        let (mut has_front, mut beside) = (false, Vec::new());
        if piece == Piece::Pawn {
            let front = fronts(color, home).take_while(|square| !mine.has(*square)).collect();
            lines.push(Line { squares: front, next: 0 });
            has_front = true;
            if home.rank() == color.rank(4) {
                beside = [-1, 1].into_iter().filter_map(|side| home.step(side, 0)).collect();
            }
        }
        Self { announced, home, lines, has_front, beside }
    }

    fn general(&self) -> usize {
        self.lines.len() - usize::from(self.has_front)
    }

    /// What it asks in a round of a phase: as many questions as everyone expects.
    fn plan(&self, man: usize, phase: Phase, round: usize) -> Vec<Slot> {
        let most = of_piece(self.announced, phase, round);
        let slot = |n: usize| self.lines[n].left().first().map(|square| (*square, Some((man, n))));
        let wanted: Vec<(Square, Option<(usize, usize)>)> = match phase {
            Phase::General => {
                let mut open: Vec<usize> = (0..self.general()).collect();
                open.sort_by_key(|n| core::cmp::Reverse(self.lines[*n].left().len()));
                open.into_iter().filter_map(slot).take(most).collect()
            }
            Phase::Pawn => (self.general()..self.lines.len()).filter_map(slot).take(most).collect(),
            Phase::Passant => {
                let before: usize = (0..round).map(|round| of_piece(self.announced, phase, round)).sum();
                self.beside.iter().skip(before).take(most).map(|square| (*square, None)).collect()
            }
        };
        let padding = core::iter::repeat((self.home, None));
        wanted.into_iter().chain(padding).take(most).map(|(square, line)| Slot { phase, square, line }).collect()
    }
}

impl Asker {
    /// Begins: everything that was seen is forgotten (DC-18).
    pub fn new(color: Color, own: &Side, budget: Budget) -> Self {
        let mut men: Vec<Man> = own.men().map(|(piece, home)| Man::new(color, own, piece, home)).collect();
        // In the order in which they are announced; a stable sort keeps squares out of it only among equals.
        men.sort_by_key(|man| man.announced);
        let none = Bits::EMPTY;
        let announced = Announced::of(own);
        let (sure, pieces, empty, blocked) = (none, [none; 6], none, none);
        Self { color, budget, announced, men, round: 0, sure, pieces, empty, blocked, passant: None }
    }

    /// What is announced.
    pub fn announced(&self) -> &Announced {
        &self.announced
    }

    /// Rounds that were answered.
    pub fn round(&self) -> usize {
        self.round
    }

    /// Whether all rounds were answered.
    pub fn is_done(&self) -> bool {
        self.round == ROUNDS
    }

    /// The questions of this round. Their number and phases follow from what was announced alone.
    pub fn plan(&self) -> Vec<Slot> {
        match self.budget {
            Budget::Document => Phase::ALL.into_iter().flat_map(|phase| self.plan_all(phase)).collect(),
            Budget::Bound => Phase::ALL.into_iter().flat_map(|phase| self.plan_once(phase)).collect(),
        }
    }

    fn plan_all(&self, phase: Phase) -> impl Iterator<Item = Slot> {
        self.men.iter().enumerate().flat_map(move |(n, man)| man.plan(n, phase, self.round))
    }

    /// Every square once: first those that open the longest lines.
    fn plan_once(&self, phase: Phase) -> Vec<Slot> {
        let most = self.budget.questions(&self.announced, phase, self.round);
        let mut wanted: Vec<(usize, Square)> = match phase {
            Phase::General => self.fronts_of_lines(|man| 0..man.general()).collect(),
            Phase::Pawn => self.fronts_of_lines(|man| man.general()..man.lines.len()).collect(),
            Phase::Passant => self.men.iter().flat_map(|man| &man.beside).map(|square| (1, *square)).collect(),
        };
        wanted.sort_by_key(|(left, square)| (core::cmp::Reverse(*left), *square));
        let mut squares: Vec<Square> = Vec::with_capacity(most);
        for (_, square) in wanted {
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        let home = self.men.first().map_or(Square::at(0, 0), |man| man.home);
        let padded = squares.into_iter().chain(core::iter::repeat(home)).take(most);
        padded.map(|square| Slot { phase, square, line: None }).collect()
    }

    fn fronts_of_lines<R: Iterator<Item = usize>>(
        &self,
        which: impl Fn(&Man) -> R,
    ) -> impl Iterator<Item = (usize, Square)> {
        self.men.iter().flat_map(move |man| {
            let left = |n: usize| man.lines[n].left();
            which(man).filter_map(move |n| left(n).first().map(|square| (left(n).len(), *square))).collect::<Vec<_>>()
        })
    }

    /// Asks the questions of this round.
    pub fn ask<const L: usize>(
        &self,
        key: &SemiHonestKey<L>,
        lists: &Lists<L>,
        packing: Packing,
        rng: &mut (impl Source + ?Sized),
    ) -> Result<(Vec<SemiHonestPacket<L>>, Vec<SemiHonestQuery>), Refused> {
        let mut ask = |slot: &Slot| key.ask(lists.of(slot.phase), slot.square.index(), packing, rng);
        let asked: Vec<_> = self.plan().iter().map(&mut ask).collect::<Result<_, _>>()?;
        Ok(asked.into_iter().unzip())
    }

    /// Opens the answers of this round.
    pub fn hear(&mut self, queries: &[SemiHonestQuery], answers: &[SemiHonestAnswer]) -> Result<(), Unsound> {
        if queries.len() != answers.len() {
            return Err(Unsound);
        }
        let codes: Vec<u8> = queries.iter().zip(answers).map(|(query, answer)| query.open(*answer)).collect();
        self.take(&codes)
    }

    /// Takes in the secrets of this round.
    pub fn take(&mut self, codes: &[u8]) -> Result<(), Unsound> {
        let plan = self.plan();
        if self.is_done() || plan.len() != codes.len() {
            return Err(Unsound);
        }
        for (slot, code) in plan.iter().zip(codes) {
            self.note(slot, Content::of(*code, self.color.other()).ok_or(Unsound)?)?;
        }
        if self.budget == Budget::Bound {
            self.walk_all();
        }
        self.round += 1;
        Ok(())
    }

    /// The board update: padding asks for a square of its own, which the other has nothing on.
    fn note(&mut self, slot: &Slot, content: Content) -> Result<(), Unsound> {
        let (square, bit) = (slot.square, slot.square.bit());
        let empty = content == Content::Empty;
        if self.men.iter().any(|man| man.home == square) {
            return if empty { Ok(()) } else { Err(Unsound) };
        }
        match (slot.phase, content) {
            (Phase::General, Content::Empty) => self.sure |= bit,
            (Phase::General, Content::Piece(piece)) => self.see(piece, square),
            (Phase::Pawn, Content::Empty) => self.empty |= bit,
            (Phase::Pawn, Content::Unknown) => self.blocked |= bit,
            (Phase::Passant, Content::Empty) => {}
            (Phase::Passant, Content::Piece(Piece::Pawn)) => {
                self.see(Piece::Pawn, square);
                self.passant = Some(square.file());
            }
            _ => return Err(Unsound),
        }
        if let Some((man, line)) = slot.line {
            self.men[man].lines[line].walk(empty);
        }
        Ok(())
    }

    fn see(&mut self, piece: Piece, square: Square) {
        self.sure |= square.bit();
        self.pieces[piece.index()] |= square.bit();
    }

    /// Walks every line over what is known.
    fn walk_all(&mut self) {
        let occupied = self.pieces.iter().fold(Bits::EMPTY, |set, squares| set | *squares);
        let (sure, clear, front, blocked) = (self.sure, self.sure & !occupied, self.empty, self.blocked);
        for man in &mut self.men {
            let general = man.general();
            for (n, line) in man.lines.iter_mut().enumerate() {
                let (known, empty) = if n < general { (sure, clear) } else { (front | blocked, front) };
                while let Some(square) = line.left().first().copied().filter(|square| known.has(*square)) {
                    line.walk(empty.has(square));
                }
            }
        }
    }

    /// Questions that are still open; none after the last round.
    pub fn open_lines(&self) -> usize {
        self.men.iter().flat_map(|man| &man.lines).filter(|line| !line.left().is_empty()).count()
    }

    /// The view, as far as it is rebuilt. What is known of a square in front of a pawn never replaces what is known for sure
    /// (F13).
    pub fn view(&self) -> View {
        View {
            seen: self.sure | self.empty,
            pieces: self.pieces,
            blocked: self.blocked & !self.sure,
            passant: self.passant,
        }
    }
}
