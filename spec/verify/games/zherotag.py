"""spec/games/zherotag.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Collection, Iterable, NamedTuple, Optional

import group
import keys
import ristretto
from batch import Claim, Limits, replay
from challenger import Challenger, Context
from codec import GENERATOR, Code, Element, Reader, Scalar, computed
from containment import OneOfMany
from disclosure import Cipher, Disclosed, Form, Numbers, Question
from errors import Malformed
from games import Due, Fault, Step, blames, option_bytes
from logfile import Offer, Unreadable
from ristretto import ORDER
from rows import OneOfRows
from sigma import AnyOf, Branch, PublicLine, SameExponent, SameExponents

NAME = "zherotag"
MOST_MOVES = 60_000  # ZHT-6
ROW = 1000  # ZHT-9
# ZHT-2: row by row, without the middle.
DIRECTIONS = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]


def number(x: int, y: int) -> int:
    """ZHT-9: of a square."""
    return x + 1 + ROW * (y + 1)


def offset(direction: tuple[int, int]) -> int:
    """ZHT-9: of a direction."""
    return direction[0] + ROW * direction[1]


def multiple(scalar: Scalar, element: Element = GENERATOR) -> Optional[Element]:
    """A multiple of an element; nothing for the identity."""
    return computed(ristretto.multiscalar([(scalar % ORDER, element.point)]))


def combined(terms: Iterable[tuple[Scalar, Element]]) -> Optional[Element]:
    """A sum; nothing for the identity."""
    return computed(ristretto.multiscalar((scalar % ORDER, element.point) for scalar, element in terms))


class Place(NamedTuple):
    """ZHT-9."""

    column: Code
    row: Code

    def points(self) -> list[bytes]:
        """What must be new (ZHT-19)."""
        return [half.data for code in self for half in code]


class Ask(NamedTuple):
    """ZHT-16."""

    key: Element
    points: list[Element]
    proof: Any


class Reply(NamedTuple):
    """ZHT-17."""

    key: Element
    powers: list[Element]
    own: Element
    same: Any
    proof: Any


@dataclass
class Says:
    """What a step says to the other seat: the pairs for its captures, a question; and what must be new."""

    told: Optional[list[tuple[Element, Element, Element]]] = None  # x, h and y of ZHT-18, by direction
    ask: Optional[Ask] = None
    place: Optional[Place] = None
    capture: Optional[int] = None
    fresh: list[bytes] = field(default_factory=list)


class ZheroTag:
    """Follows a table through its rounds."""

    def __init__(self, offer: Offer, table: bytes) -> None:
        options = option_bytes(offer.options, ((4, 64), (0, 255), (0, 255), (0, 2)))  # ZHT-1
        if options is None or offer.parameters not in (b"", b"\1") or offer.seats != 2:
            raise Unreadable("an offer that ZheroTag does not allow")
        self._table, self._classic = table, bool(offer.parameters)
        self._grid, self._limit, clock, self._paths = options
        self._clock = clock > 0
        self._limits = Limits(2 * self._grid if self._classic else self._grid)
        self._stage = "commit"
        self._commitments: dict[int, bytes] = {}
        self._keys: dict[int, Element] = {}
        self._joint = GENERATOR
        self._places: list[Place] = []
        self._told: list[Optional[tuple[int, Any]]] = [None, None]
        self._asked: Optional[Ask] = None
        self._moves = 0
        self._captured = False
        self._said: set[bytes] = set()
        if self._classic:
            self._squares(table)
        else:
            self._faces = [multiple(k) for k in range(1, self._grid + 1)]

    def _squares(self, table: bytes) -> None:
        """ZHT-15."""
        grid, span = range(self._grid), range(-1, self._grid + 1)

        def point(x: int, y: int) -> Element:
            coordinates = (c.to_bytes(2, "little", signed=True) for c in (x, y))
            return group.hash_to_group("zherotag square", (table, *coordinates))

        points = {(x, y): point(x, y) for x in span for y in span}
        cells = [(x, y) for y in grid for x in grid]
        self._inside = [points[cell] for cell in cells]
        self._around = [points[x + dx, y + dy] for x, y in cells for dx, dy in DIRECTIONS]
        self._numbers = [number(x, y) for x, y in cells]

    # --- rounds -----------------------------------------------------------------------------------------------------

    def due(self) -> Optional[Due]:
        """The table of rounds."""
        mover, stage = self._moves % 2, self._stage
        if stage == "over":
            return None
        if stage in ("commit", "reveal", "paths"):
            return Due((0, 1), True, self._clock, decided=stage == "paths" and self._paths == 2)
        # After a move the other seat is to move next, and answers first.
        return Due((1 - mover if stage == "reply" else mover,), True, self._clock)

    def judge(self, seat: int, payload: bytes, head: bytes) -> Step:
        """ZHT-10, ZHT-21."""
        return getattr(self, "_judge_" + self._stage)(seat, payload, Context(self._table, 0, seat, head))

    def complete(self, steps: dict[int, Any]) -> None:
        """The next round."""
        if self._stage == "commit":
            self._commitments, self._stage = steps, "reveal"
        elif self._stage == "reveal":
            with blames("key", seat=0):  # ZHT-8
                self._joint = keys.joint_key((0, 1), [steps[0], steps[1]])
            self._keys = {seat: key.element for seat, key in steps.items()}
            far = self._grid - 1
            self._places = [self._start(0, 0), self._start(far, far)]
            self._stage = "move"
        elif self._stage == "paths":
            self._stage = "over"
        else:
            ((seat, says),) = steps.items()
            self._take(seat, says)

    def _start(self, x: int, y: int) -> Place:
        """ZHT-9: with randomness one."""
        halves = [combined([(at + 1, GENERATOR), (1, self._joint)]) for at in (x, y)]
        assert halves[0] is not None and halves[1] is not None
        return Place(Code(GENERATOR, halves[0]), Code(GENERATOR, halves[1]))

    def _take(self, seat: int, says: Says) -> None:
        self._said.update(says.fresh)
        if says.capture is not None:
            self._captured = True
            self._moves += 1
        elif says.place is not None:
            self._places[seat] = says.place
            self._moves += 1
        if says.told is not None:
            self._told[1 - seat] = (self._moves, says.told)
        self._asked = says.ask
        if says.capture is None and self._stage == "move":
            self._stage = "answer"
        elif self._stage == "answer" and says.ask is not None:
            self._stage = "reply"
        else:
            self._stage = ("paths" if self._paths else "over") if self._over() else "move"

    def _over(self) -> bool:
        """ZHT-5, ZHT-6."""
        return self._captured or (self._limit or MOST_MOVES) <= self._moves

    def scores(self, guilty: Collection[int]) -> list[int]:
        """ZHT-7."""
        if self._captured:
            winner = (self._moves + 1) % 2
        elif self._over() or len(guilty) != 1:
            return [0, 0]
        else:
            winner = 1 - next(iter(guilty))
        return [1, -1] if winner == 0 else [-1, 1]

    def _fresh(self, said: list[bytes], earlier: Iterable[bytes] = ()) -> list[bytes]:
        """ZHT-19, ZHT-21: looked for before any proof is computed. `earlier` was said in the same entry."""
        once = [*said, *earlier]
        if len(set(once)) != len(once) or self._said & set(said):
            raise Fault("repeated", "said before")
        return said

    # --- keys -------------------------------------------------------------------------------------------------------

    def _judge_commit(self, seat: int, payload: bytes, context: Context) -> Step:
        reader = Reader(payload)
        commitment = reader.take("commitment", 32)
        reader.finish()
        return Step(commitment)

    def _judge_reveal(self, seat: int, payload: bytes, context: Context) -> Step:
        with blames("key"):
            key, claim = keys.check_reveal(context, self._commitments[seat], payload)
        return Step(key, [("key", claim)])

    def _judge_paths(self, seat: int, payload: bytes, context: Context) -> Step:
        reader = Reader(payload)
        secret = reader.scalar("key")
        reader.finish()
        if multiple(secret) != self._keys[seat]:  # ZHT-20
            raise Fault("show", "another key")
        return Step(secret)

    # --- moves ------------------------------------------------------------------------------------------------------

    def _one_step(self, old: Place, new: Place) -> AnyOf:
        """ZHT-11."""

        def difference(half: int) -> list[tuple[Scalar, Element]]:
            codes = (new.column, new.row, old.column, old.row)
            return [(f % ORDER, code[half]) for f, code in zip((1, ROW, -1, -ROW), codes)]

        def branch(direction: tuple[int, int]) -> Branch:
            second = [*difference(1), (-offset(direction) % ORDER, GENERATOR)]
            return Branch(1, [PublicLine(difference(0), [(0, GENERATOR)]), PublicLine(second, [(0, self._joint)])])

        return AnyOf([branch(direction) for direction in DIRECTIONS])

    def _sight(self, seat: int, place: Place) -> Disclosed:
        """ZHT-13."""
        looking = self._places[1 - seat]
        ciphers = [Cipher(*code) for code in (*looking, *place)]
        total = Form(0, [(1, 0), (ROW, 1), (-1, 2), (-ROW, 3)])
        questions = [Question(Form(offset(d), [(1, 4)]), Form(0, [])) for d in DIRECTIONS]
        return Disclosed(self._keys[seat], self._keys[1 - seat], Numbers(ciphers, [total]), questions)

    def _judge_move(self, seat: int, payload: bytes, context: Context) -> Step:
        reader = Reader(payload)
        kind = reader.take("turn", 1)[0]
        if kind == 1:
            return self._judge_capture(seat, reader, context)
        if kind:
            raise Malformed("tag", "turn", 0, kind)
        place, challenger = Place(reader.code(), reader.code()), Challenger(context)
        step = self._one_step(self._places[seat], place)
        proved = step.read(reader)
        claims: list[tuple[str, Claim]] = []
        if self._classic:
            ask = self._read_ask(reader)
            reader.finish()
        else:
            lines = [OneOfMany(self._joint, code, self._faces) for code in place]
            on_grid = [line.read(reader) for line in lines]
            sight = self._sight(seat, place)
            answers = sight.read(reader)
            reader.finish()
        fresh = self._fresh(place.points())
        with blames("step"):
            claims.append(("step", replay(step, challenger, proved, self._limits)))
        if self._classic:
            says = self._check_ask(ask, place, challenger, claims, fresh)
            says.fresh += fresh
            return Step(says, claims)
        with blames("grid"):
            claims.extend(("grid", replay(line, challenger, p, self._limits)) for line, p in zip(lines, on_grid))
        says = self._check_sight(seat, sight, answers, challenger, claims, fresh)
        says.place = place
        says.fresh += fresh
        return Step(says, claims)

    def _check_sight(
        self,
        seat: int,
        sight: Disclosed,
        answers: Any,
        challenger: Challenger,
        claims: list[tuple[str, Claim]],
        earlier: Iterable[bytes] = (),
    ) -> Says:
        """ZHT-13, ZHT-19."""
        fresh = self._fresh([answers.tag.data], earlier)
        with blames("sight"):
            claims.append(("sight", replay(sight, challenger, answers, self._limits)))
        viewer = self._keys[1 - seat]
        return Says(told=[(viewer, answer.c, answer.w) for answer in answers.answers], fresh=fresh)

    def _judge_answer(self, seat: int, payload: bytes, context: Context) -> Step:
        reader, challenger = Reader(payload), Challenger(context)
        if self._classic:
            return self._judge_replies(reader, challenger, seat, asks=True)
        sight = self._sight(seat, self._places[seat])
        answers = sight.read(reader)
        reader.finish()
        claims: list[tuple[str, Claim]] = []
        return Step(self._check_sight(seat, sight, answers, challenger, claims), claims)

    def _judge_reply(self, seat: int, payload: bytes, context: Context) -> Step:
        return self._judge_replies(Reader(payload), Challenger(context), seat, asks=False)

    def _judge_capture(self, seat: int, reader: Reader, context: Context) -> Step:
        """ZHT-18."""
        start = reader.offset
        direction = reader.take("turn.direction", 1)[0]
        if direction > 7:
            raise Malformed("tag", "turn.direction", start, direction)
        told = self._told[seat]
        x, h, y = told[1][direction] if told is not None and told[0] == self._moves else [GENERATOR] * 3
        statement = SameExponent(GENERATOR, x, h, y)
        proof = statement.read(reader)
        reader.finish()
        if told is None or told[0] != self._moves:
            raise Fault("capture", "nothing was told since the last move")
        with blames("capture"):
            claim = replay(statement, Challenger(context), proof, self._limits)
        return Step(Says(capture=direction), [("capture", claim)])

    # --- classic ----------------------------------------------------------------------------------------------------

    def _rows(self, place: Place, key: Element, powers: list[Element]) -> Optional[OneOfRows]:
        """ZHT-16, ZHT-17."""
        halves = [combined([(1, place.column[half]), (ROW, place.row[half])]) for half in (0, 1)]
        if halves[0] is None or halves[1] is None:
            return None
        bases = self._inside if len(powers) == 1 else self._around
        return OneOfRows(key, powers, bases, self._numbers, self._joint, Code(halves[0], halves[1]))

    def _read_rows(self, reader: Reader) -> Any:
        return OneOfRows(GENERATOR, [], [], self._numbers, GENERATOR, Code(GENERATOR, GENERATOR)).read(reader)

    def _read_ask(self, reader: Reader) -> Ask:
        return Ask(reader.element("ask.key"), reader.elements("ask.set", 8), self._read_rows(reader))

    def _check_ask(
        self,
        ask: Ask,
        place: Place,
        challenger: Challenger,
        claims: list[tuple[str, Claim]],
        earlier: Iterable[bytes],
        moved: bool = True,
    ) -> Says:
        fresh = self._fresh([ask.key.data], earlier)
        statement = self._rows(place, ask.key, ask.points)
        if statement is None:
            raise Fault("question", "a place without randomness")
        with blames("question"):
            claims.append(("question", replay(statement, challenger, ask.proof, self._limits)))
        return Says(ask=ask, place=place if moved else None, fresh=fresh)

    def _judge_replies(self, reader: Reader, challenger: Challenger, seat: int, asks: bool) -> Step:
        asked, place = self._asked, self._places[seat]
        assert asked is not None
        key, powers = reader.element("reply.key"), reader.elements("reply.powers", 8)
        own = reader.element("reply.own")
        same = SameExponents(key, asked.points, powers)
        same_proof = same.read(reader)
        proof = self._read_rows(reader)
        ask = self._read_ask(reader) if asks else None
        reader.finish()
        claims: list[tuple[str, Claim]] = []
        fresh = self._fresh([key.data])
        square = self._rows(place, key, [own])
        if square is None:
            raise Fault("square", "a place without randomness")
        with blames("square"):
            claims.append(("square", replay(square, challenger, proof, self._limits)))
        with blames("answer"):
            claims.append(("answer", replay(same, challenger, same_proof, self._limits)))
        says = Says()
        if ask is not None:
            says = self._check_ask(ask, place, challenger, claims, fresh, moved=False)
        says.told = [(asked.key, own, power) for power in powers]
        says.fresh += fresh
        return Step(says, claims)


GAME = ZheroTag
