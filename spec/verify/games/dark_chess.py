"""spec/games/dark-chess.md; what both grades share is spec/games/dark-chess-rules.md."""

from __future__ import annotations

from typing import Any, Collection, NamedTuple, Optional

import keys
import ristretto
from batch import Claim, Limits, replay
from challenger import Challenger, Context
from choices import Cases, Selected
from codec import GENERATOR, Code, Element, Reader, Scalar
from disclosure import Cipher, Disclosed, Disclosure, Numbers
from errors import Malformed
from games import Due, Fault, Step, blames
from games.dark_chess_classic import Query
from games.dark_chess_lists import (
    FRESH,
    RIGHT,
    STEP,
    cases,
    columns,
    corner,
    entries,
    questions,
    start,
    sums,
    tickets,
)
from logfile import Offer, Unreadable

NAME = "dark-chess"
SLOTS = 96  # DCP-10
KING_CODE = 6
ZERO, ONE = Cipher(None, None), Cipher(None, GENERATOR)
Taken = Optional[tuple[int, int]]


class Options(NamedTuple):
    """DCR-18."""

    white: int
    quiet: int
    loss: bool
    review: bool
    sealed: bool
    clock: bool

    def seat(self, color: int) -> int:
        """Who has a colour; the same for the colour of a seat."""
        return color ^ self.white


def options_of(offer: Offer) -> Options:
    """DCR-18."""
    data = offer.options
    whole = len(data) > 2 and bool(data[2] & 4)  # the clock is for the whole game, and an increment follows
    clock, increment = int.from_bytes(data[3:7], "little"), int.from_bytes(data[7:], "little")
    allowed = range(1, 10_801) if whole else range(2_592_001)
    if len(data) != (9 if whole else 7) or data[0] > 1 or data[2] > 15 or data[2] & 10 == 8 or offer.seats != 2:
        raise Unreadable("an offer that dark chess does not allow")
    if clock not in allowed or increment > 600:
        raise Unreadable("an offer that dark chess does not allow")
    return Options(data[0], data[1], bool(data[2] & 1), bool(data[2] & 2), bool(data[2] & 8), clock > 0)


def read_byte(reader: Reader, field: str, largest: int) -> int:
    """One byte up to a largest value."""
    offset = reader.offset
    value = reader.take(field, 1)[0]
    if value > largest:
        raise Malformed("tag", field, offset, value)
    return value


def read_taken(reader: Reader) -> Taken:
    """DCR-19: an announcement."""
    place = read_byte(reader, "announcement.square", 63)
    code = read_byte(reader, "announcement.piece", 6)
    if code:
        return (place, code)
    if place:
        raise Malformed("tag", "announcement.piece", reader.offset, code)
    return None


class Public:
    """What everybody knows: DCR-11 to DCR-17."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.moves = self.quiet = 0
        self.offer: Optional[int] = None
        self.over = False
        self.winner: Optional[int] = None

    @property
    def turn(self) -> int:
        """The colour that is to move."""
        return self.moves % 2

    def ends(self, taken: Taken) -> bool:
        """Whether a move with this announcement ends the game (DCR-11, DCR-14)."""
        if taken is not None:
            return taken[1] == KING_CODE
        return 0 < 2 * self.options.quiet <= self.quiet + 1

    def moved(self, taken: Taken) -> None:
        """A move was made."""
        mover, ends = self.turn, self.ends(taken)
        if self.offer == 1 - mover:  # DCR-13
            self.offer = None
        self.moves += 1
        self.quiet = self.quiet + 1 if taken is None else 0
        if ends:
            self.end(mover if taken is not None else None)

    def end(self, winner: Optional[int]) -> None:
        """The game is over."""
        self.over, self.winner = True, winner

    def check_word(self, kind: int, color: int) -> None:
        """DCP-7, DCC-13."""
        if kind == 1 and self.offer is not None or kind == 2 and self.offer != 1 - color:
            raise Fault("offer", "no such offer")

    def word(self, kind: int) -> None:
        """DCP-7: what was said instead of a move."""
        color = self.turn
        if kind == 1:
            self.offer = color
        else:
            lost = kind == 3 or kind == 4 and self.options.loss  # DCR-12, DCR-15
            self.end(1 - color if lost else None)

    def scores(self, guilty: Collection[int]) -> list[int]:
        """DCR-16, DCP-14."""
        winner = None
        if self.over:
            winner = None if self.winner is None else self.options.seat(self.winner)
        elif len(guilty) == 1:
            winner = 1 - next(iter(guilty))
        return [0, 0] if winner is None else [1, -1] if winner == 0 else [-1, 1]


class Moved(NamedTuple):
    """DCP-8, after it was judged."""

    taken: Taken
    codes: list[Code]
    view: Optional[Disclosure]


class DarkChess:
    """Follows a table through its rounds, of either grade."""

    def __init__(self, offer: Offer, table: bytes) -> None:
        options = options_of(offer)
        if offer.parameters not in (b"", b"\1"):
            raise Unreadable("a grade that dark chess does not have")
        self._table, self._options = table, options
        self._public = Public(options)
        self._query = Query() if offer.parameters else None
        self._stage = "key" if self._query else "commit"
        self._commitments: dict[int, bytes] = {}
        self._keys: list[Element] = []
        self._joint = GENERATOR
        self._states = [[ONE if number else ZERO for number in start(color)] for color in (0, 1)]  # DCP-4
        self._views: list[Optional[Disclosure]] = [None, None]
        self._tags: set[bytes] = set()

    # --- rounds -----------------------------------------------------------------------------------------------------

    def due(self) -> Optional[Due]:
        """The tables of rounds."""
        clock, turn = self._options.clock, self._public.turn
        if self._stage == "over":
            return None
        speakers = {"look": 1 - turn, "turn": turn, "answer": turn, "word": turn}  # DCP-2
        if self._stage in speakers:
            seats: tuple[int, ...] = (self._options.seat(speakers[self._stage]),)
        else:
            seats = (0, 1)
        decided = self._options.sealed and self._stage in ("review", "show", "moves")
        return Due(seats, self._stage not in ("commit", "review"), clock, decided=decided)

    def judge(self, seat: int, payload: bytes, head: bytes) -> Step:
        """By the name of the round."""
        context, reader = Context(self._table, 0, seat, head), Reader(payload)
        if self._stage == "reveal":
            with blames("key"):
                key, claim = keys.check_reveal(context, self._commitments[seat], payload)
            return Step(key, [("key", claim)])
        return getattr(self, "_judge_" + self._stage)(self._options.seat(seat), reader, context)

    def complete(self, steps: dict[int, Any]) -> None:
        """The next round."""
        getattr(self, "_complete_" + self._stage)({self._options.seat(seat): said for seat, said in steps.items()})

    def scores(self, guilty: Collection[int]) -> list[int]:
        """DCR-16, DCP-14."""
        return self._public.scores(guilty)

    def _finish(self) -> None:
        self._stage = "review" if self._options.review else "over"

    # --- keys, ends -------------------------------------------------------------------------------------------------

    def _judge_commit(self, color: int, reader: Reader, context: Context) -> Step:
        commitment = reader.take("commitment", 32)
        reader.finish()
        return Step(commitment)

    def _complete_commit(self, said: dict[int, bytes]) -> None:
        self._commitments = {self._options.seat(color): commitment for color, commitment in said.items()}
        self._stage = "reveal"

    def _complete_reveal(self, said: dict[int, Any]) -> None:
        with blames("key", seat=0):  # DCP-1
            self._joint = keys.joint_key((0, 1), [said[self._options.seat(seat)] for seat in (0, 1)])
        self._keys = [said[color].element for color in (0, 1)]
        self._stage = "look"

    def _judge_review(self, color: int, reader: Reader, context: Context) -> Step:
        yes = read_byte(reader, "review", 1)
        reader.finish()
        return Step(yes)

    def _complete_review(self, said: dict[int, int]) -> None:
        shows = "moves" if self._query else "show"
        self._stage = shows if all(said.values()) else "over"

    def _judge_show(self, color: int, reader: Reader, context: Context) -> Step:
        secret = reader.scalar("show.secret")
        reader.finish()
        if not self._owns(color, secret):  # DCP-13
            raise Fault("secret", "another key")
        return Step(secret)

    def _complete_show(self, said: dict[int, int]) -> None:
        self._stage = "over"

    def _owns(self, color: int, secret: Scalar) -> bool:
        return ristretto.encode(ristretto.multiply(secret, GENERATOR.point)) == self._keys[color].data

    # --- views ------------------------------------------------------------------------------------------------------

    def _sight(self, issuer: int, states: list[list[Cipher]]) -> Disclosed:
        """DCP-6."""
        viewer = 1 - issuer
        numbers = Numbers([*states[viewer], *states[issuer]], list(sums()))
        return Disclosed(self._keys[issuer], self._keys[viewer], numbers, list(questions(viewer)))

    def _check_tag(self, view: Disclosure) -> None:
        if view.tag.data in self._tags:
            raise Fault("tag", "a tag that was used before")

    def _take_view(self, viewer: int, view: Disclosure) -> None:
        self._tags.add(view.tag.data)
        self._views[viewer] = view

    def _judge_look(self, color: int, reader: Reader, context: Context) -> Step:
        sight = self._sight(color, self._states)
        view = sight.read(reader)
        reader.finish()
        self._check_tag(view)
        with blames("view"):
            return Step(view, [("view", replay(sight, Challenger(context), view))])

    _judge_answer = _judge_look

    def _complete_look(self, said: dict[int, Disclosure]) -> None:
        ((color, view),) = said.items()
        self._take_view(1 - color, view)
        self._stage = "turn"

    _complete_answer = _complete_look

    # --- turns ------------------------------------------------------------------------------------------------------

    def _judge_turn(self, color: int, reader: Reader, context: Context) -> Step:
        """DCP-7."""
        kind = read_byte(reader, "turn", 4)
        if kind == 0:
            return self._judge_move(color, reader, context)
        secret = reader.scalar("turn.secret") if kind == 4 else None
        reader.finish()
        self._public.check_word(kind, color)
        if secret is not None and not self._is_stuck(color, secret):
            raise Fault("claim", "a claim that is not true")
        return Step(kind)

    def _is_stuck(self, color: int, secret: Scalar) -> bool:
        """DCP-12."""
        view = self._views[color]
        if view is None or not self._owns(color, secret):
            return False
        messages = {ristretto.encode(ristretto.multiply(m, GENERATOR.point)): m for m in range(7)}
        for ticket, answer in zip(tickets(color), view.answers, strict=True):
            rest = ristretto.add(answer.w.point, ristretto.multiply(-secret, answer.c.point))
            if ticket.moves(messages.get(ristretto.encode(rest))):
                return False
        return True

    def _judge_move(self, color: int, reader: Reader, context: Context) -> Step:
        """DCP-8."""
        taken = read_taken(reader)
        codes = reader.codes(FRESH)
        latest = self._views[color]
        assert latest is not None
        ciphers = [*self._states[color], *(Cipher(*code) for code in codes)]
        numbers = Numbers(ciphers, [])
        selected = Selected(
            self._joint,
            self._keys[color],
            [answer.c for answer in latest.answers],
            [answer.w for answer in latest.answers],
            list(entries(color, taken)),
            numbers,
            list(columns()),
        )
        kept = Cases(self._joint, numbers, list(cases(color)))
        proofs: list[tuple[str, Any, Any]] = [
            ("selection", selected, selected.read(reader)),
            ("board", kept, kept.read(reader)),
        ]
        view = None
        if not self._public.ends(taken):
            sight = self._sight(color, self._after(color, taken, codes))
            view = sight.read(reader)
            proofs.append(("view", sight, view))
        reader.finish()
        self._check_fresh(codes)
        if view is not None:
            self._check_tag(view)
        challenger = Challenger(context)
        claims: list[tuple[str, Claim]] = []
        for check, statement, proof in proofs:
            with blames(check):
                claims.append((check, replay(statement, challenger, proof, Limits(SLOTS))))
        return Step(Moved(taken, codes, view), claims)

    def _check_fresh(self, codes: list[Code]) -> None:
        """DCP-9."""
        halves = [half.data for code in codes for half in code]
        old = {half.data for state in self._states for cipher in state for half in cipher if half is not None}
        if len(set(halves)) != len(halves) or old & set(halves):
            raise Fault("fresh", "a number that is not new")

    def _after(self, mover: int, taken: Taken, codes: list[Code]) -> list[list[Cipher]]:
        """DCP-5: the states of White and Black."""
        fresh = [Cipher(*code) for code in codes]
        own = [*fresh[152:], *fresh[150:152], *fresh[142:150]]
        other, theirs = 1 - mover, list(self._states[1 - mover])
        theirs[STEP : STEP + 8] = [ZERO] * 8
        if taken is not None:
            place = taken[0]
            theirs[6 * place : 6 * place + 6] = [ZERO] * 6
            for wing in (0, 1):
                if place == corner(other, wing):
                    theirs[RIGHT + wing] = ZERO
        return [theirs, own] if mover else [own, theirs]

    def _complete_turn(self, said: dict[int, Any]) -> None:
        ((color, step),) = said.items()
        if isinstance(step, Moved):
            self._states = self._after(color, step.taken, step.codes)
            self._views[color] = None
            if step.view is not None:
                self._take_view(1 - color, step.view)
            self._public.moved(step.taken)
            self._stage = "answer"
        else:
            self._public.word(step)
        if self._public.over:
            self._finish()

    # --- the classic grade: dark-chess-classic.md -------------------------------------------------------------------

    def _judge_word(self, color: int, reader: Reader, context: Context) -> Step:
        """DCC-12."""
        kind = read_byte(reader, "turn", 4)
        taken = read_taken(reader) if kind == 0 else None
        reader.finish()
        self._public.check_word(kind, color)
        return Step((kind, taken))

    def _complete_word(self, said: dict[int, tuple[int, Taken]]) -> None:
        ((kind, taken),) = said.values()
        if kind == 0:
            self._public.moved(taken)
            self._stage = "lists"
        else:
            self._public.word(kind)
        if self._public.over:
            self._finish()

    def _judge_query(self, color: int, reader: Reader, context: Context) -> Step:
        assert self._query is not None
        return Step(self._query.read(self._stage, color, reader))

    _judge_key = _judge_lists = _judge_ask = _judge_reply = _judge_query

    def _complete_query(self, said: dict[int, Any]) -> None:
        assert self._query is not None
        self._stage = self._query.complete(self._stage, said)

    _complete_key = _complete_lists = _complete_ask = _complete_reply = _complete_query

    def _judge_moves(self, color: int, reader: Reader, context: Context) -> Step:
        """DCC-12, DCR-19."""
        count = (self._public.moves + 1 - color) // 2
        reader.need("moves", 4 * count)
        for _ in range(count):
            for field, largest in (("move.kind", 8), ("move.from", 63), ("move.to", 63)):
                read_byte(reader, field, largest)
            if read_byte(reader, "move.promotes", 5) == 1:
                raise Malformed("tag", "move.promotes", reader.offset, 1)
        reader.finish()
        return Step(count)

    def _complete_moves(self, said: dict[int, int]) -> None:
        self._stage = "over"


GAME = DarkChess
