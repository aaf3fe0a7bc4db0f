"""The lists of spec/games/dark-chess-rules.md and dark-chess.md: tickets, and what views and moves must satisfy."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, Optional

from choices import Entry
from disclosure import Form, Question

# DCR-1: numbers of the pieces, one below their codes. Colours: White 0, Black 1.
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
SIDE, FRESH = 394, 536  # DCP-3, DCP-9
RIGHT, STEP = 384, 386  # DCP-3
# DCP-9, positions behind the old state: from, to, leaves, arrives, castling, double step, rights, pieces.
FROM, TO, LEAVES, ARRIVES, CASTLES, NEW_STEP, NEW_RIGHT, NEW_PIECE = (
    SIDE + place for place in (0, 64, 128, 134, 140, 142, 150, 152)
)
# DCR-20: numbers of the kinds.
ORTHOGONAL, DIAGONAL, LEAP, TAKES, ONE, TWO, PASSANT, SHORT, LONG = range(9)

ORTHOGONALS = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONALS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Ticket(NamedTuple):
    """DCR-20. `between` are the squares that must be empty of both."""

    kind: int
    start: int
    to: int
    between: tuple[int, ...] = ()

    def looks(self) -> bool:
        """Whether it tells what stands on `to`."""
        return self.kind <= TAKES

    def is_pawn(self) -> bool:
        """Whether a pawn makes the move."""
        return TAKES <= self.kind <= PASSANT

    def moves(self, content: Optional[int]) -> bool:
        """DCR-22."""
        if content is None:
            return False
        return content > 0 if self.kind == TAKES else content == 0 or self.kind <= LEAP


def square(file: int, rank: int) -> Optional[int]:
    """DCR-1."""
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def rank_of(color: int, rank: int) -> int:
    """A rank counted from the side of a colour."""
    return 7 - rank if color else rank


def at(color: int, file: int, rank: int) -> int:
    """A square, its rank counted from the side of a colour."""
    return 8 * rank_of(color, rank) + file


def landed(color: int, file: int) -> int:
    """Where a double step of a colour ends."""
    return at(color, file, 3)


def corner(color: int, wing: int) -> int:
    """Where the rook of a wing stands at home; wings are 0, the king's, and 1."""
    return at(color, (7, 0)[wing], 0)


@cache
def tickets(color: int) -> tuple[Ticket, ...]:
    """DCR-20, DCR-21."""
    found: list[Ticket] = []
    for kind, directions in ((ORTHOGONAL, ORTHOGONALS), (DIAGONAL, DIAGONALS)):
        for start in range(64):
            for files, ranks in directions:
                between: list[int] = []
                to = square(start % 8 + files, start // 8 + ranks)
                while to is not None:
                    found.append(Ticket(kind, start, to, tuple(sorted(between))))
                    between.append(to)
                    to = square(to % 8 + files, to // 8 + ranks)
    for start in range(64):
        targets = (square(start % 8 + files, start // 8 + ranks) for files, ranks in LEAPS)
        found += [Ticket(LEAP, start, to) for to in targets if to is not None]
    ahead = -1 if color else 1
    pawns = range(8, 56)
    for start in pawns:
        targets = (square(start % 8 + files, start // 8 + ahead) for files in (-1, 1))
        found += [Ticket(TAKES, start, to) for to in targets if to is not None]
    for start in pawns:
        to = start + 8 * ahead
        found.append(Ticket(ONE, start, to, (to,)))
    for start in pawns:
        if start // 8 == rank_of(color, 1):
            path = (start + 8 * ahead, start + 16 * ahead)
            found.append(Ticket(TWO, start, path[1], tuple(sorted(path))))
    for file in range(8):
        rank = landed(1 - color, file) // 8
        starts = (square(file + files, rank) for files in (-1, 1))
        found += [Ticket(PASSANT, s, at(1 - color, file, 2)) for s in starts if s is not None]
    home = at(color, 4, 0)
    for kind, to, between_files in ((SHORT, 6, (5, 6)), (LONG, 2, (1, 2, 3))):
        found.append(Ticket(kind, home, at(color, to, 0), tuple(at(color, f, 0) for f in between_files)))
    assert len(found) == 1948
    return tuple(found)


# --- views: DCP-6 ---------------------------------------------------------------------------------------------------

(OWN, OTHER, EITHER, CODE, LINE, LINE_OR_KING, SLANT, SLANT_OR_KING) = range(8)


def _sum(kind: int, place: int) -> int:
    return 2 * SIDE + 64 * kind + place


@cache
def sums() -> tuple[Form, ...]:
    """DCP-6."""

    def any_of(pieces: tuple[int, ...], place: int, offset: int = 0) -> Form:
        return Form(0, [(1, offset + 6 * place + piece) for piece in pieces])

    everything = tuple(range(6))
    by_kind = {
        OWN: lambda place: any_of(everything, place),
        OTHER: lambda place: any_of(everything, place, SIDE),
        EITHER: lambda place: Form(0, [(1, _sum(OWN, place)), (1, _sum(OTHER, place))]),
        CODE: lambda place: Form(0, [(piece + 1, SIDE + 6 * place + piece) for piece in everything]),
        LINE: lambda place: any_of((ROOK, QUEEN), place),
        LINE_OR_KING: lambda place: any_of((ROOK, QUEEN, KING), place),
        SLANT: lambda place: any_of((BISHOP, QUEEN), place),
        SLANT_OR_KING: lambda place: any_of((BISHOP, QUEEN, KING), place),
    }
    return tuple(form(place) for form in by_kind.values() for place in range(64))


def _question(ticket: Ticket) -> Question:
    near = not ticket.between
    if ticket.kind == ORTHOGONAL:
        has = _sum(LINE_OR_KING if near else LINE, ticket.start)
    elif ticket.kind == DIAGONAL:
        has = _sum(SLANT_OR_KING if near else SLANT, ticket.start)
    elif ticket.kind in (SHORT, LONG):
        has = RIGHT + ticket.kind - SHORT
    else:
        has = 6 * ticket.start + (KNIGHT if ticket.kind == LEAP else PAWN)
    constant, terms = 1, [(-1, has), *((1, _sum(EITHER, place)) for place in ticket.between)]
    if ticket.looks():
        terms.append((1, _sum(OWN, ticket.to)))
    if ticket.kind == PASSANT:
        constant += 1
        terms.append((-1, SIDE + STEP + ticket.to % 8))
    message = Form(0, [(1, _sum(CODE, ticket.to))] if ticket.looks() else [])
    return Question(Form(constant, terms), message)


@cache
def questions(color: int) -> tuple[Question, ...]:
    """DCP-6."""
    return tuple(map(_question, tickets(color)))


# --- moves: DCP-10, DCP-11 ------------------------------------------------------------------------------------------


@cache
def columns() -> tuple[Form, ...]:
    """DCP-10."""
    plain = [*range(FROM, FROM + 64), *range(TO, TO + 64)]
    change = [Form(0, [(1, ARRIVES + piece), (-1, LEAVES + piece)]) for piece in range(6)]
    rest = [*range(CASTLES, CASTLES + 2), *range(NEW_STEP, NEW_STEP + 8)]
    return (*(Form(0, [(1, n)]) for n in plain), *change, *(Form(0, [(1, n)]) for n in rest))


def _entries(color: int, number: int, ticket: Ticket, message: int) -> list[Entry]:
    values = [(ticket.start, 1), (64 + ticket.to, 1)]
    if ticket.is_pawn() and ticket.to // 8 == rank_of(color, 7):
        return [
            Entry(number, message, [*values, (128 + PAWN, -1), (128 + piece, 1)])
            for piece in (KNIGHT, BISHOP, ROOK, QUEEN)
        ]
    if ticket.kind in (SHORT, LONG):
        values.append((134 + ticket.kind - SHORT, 1))
    elif ticket.kind == TWO:
        values.append((136 + ticket.to % 8, 1))
    return [Entry(number, message, values)]


@cache
def entries(color: int, taken: Optional[tuple[int, int]]) -> tuple[Entry, ...]:
    """DCP-10: of a quiet move, or of the capture of a piece (by its code) on a square."""
    found: list[Entry] = []
    for number, ticket in enumerate(tickets(color)):
        if taken is None:
            if ticket.kind not in (TAKES, PASSANT):
                found += _entries(color, number, ticket, 0)
        elif ticket.looks() and ticket.to == taken[0]:
            found += _entries(color, number, ticket, taken[1])
        elif ticket.kind == PASSANT and taken == (landed(1 - color, ticket.to % 8), PAWN + 1):
            found += _entries(color, number, ticket, 0)
    return tuple(found)


def _is(position: int, value: int) -> Form:
    return Form(-value, [(1, position)])


def _same(one: int, other: int) -> Form:
    return Form(0, [(1, one), (-1, other)])


def _square_case(color: int, place: int) -> list[list[Form]]:
    start, to = FROM + place, TO + place
    old, new = [[base + 6 * place + piece for piece in range(6)] for base in (0, NEW_PIECE)]
    pieces = range(6)
    case = [
        [_is(start, 0), _is(to, 0), *(_same(new[p], old[p]) for p in pieces)],
        [_is(start, 1), _is(to, 0), *(_same(old[p], LEAVES + p) for p in pieces), *(_is(new[p], 0) for p in pieces)],
        [_is(start, 0), _is(to, 1), *(_is(old[p], 0) for p in pieces), *(_same(new[p], ARRIVES + p) for p in pieces)],
    ]
    for wing, lands in ((0, 5), (1, 3)):
        leaves = place == corner(color, wing)
        if leaves or place == at(color, lands, 0):
            for alternative in case:
                alternative.append(_is(CASTLES + wing, 0))
            before = [_is(old[p], int(leaves and p == ROOK)) for p in pieces]
            after = [_is(new[p], int(not leaves and p == ROOK)) for p in pieces]
            case.append([_is(start, 0), _is(to, 0), _is(CASTLES + wing, 1), *before, *after])
    return case


@cache
def cases(color: int) -> tuple[list[list[Form]], ...]:
    """DCP-11."""
    king = FROM + at(color, 4, 0)
    rights = []
    for wing in (0, 1):
        right, rook = NEW_RIGHT + wing, FROM + corner(color, wing)
        rights.append(
            [
                [_same(right, RIGHT + wing), _is(king, 0), _is(rook, 0)],
                [_is(right, 0), _is(king, 1)],
                [_is(right, 0), _is(rook, 1)],
            ]
        )
    return (*(_square_case(color, place) for place in range(64)), *rights)


def start(color: int) -> list[int]:
    """DCP-3: the numbers of the start position."""
    numbers = [0] * SIDE
    for file, piece in enumerate((ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)):
        numbers[6 * at(color, file, 0) + piece] = numbers[6 * at(color, file, 1) + PAWN] = 1
    numbers[RIGHT] = numbers[RIGHT + 1] = 1
    return numbers
