"""spec/games/poker.md, PO-15 to PO-20, and spec/55-sra.md, LC-1 to LC-20: the document's own dealing, for two seats."""

from __future__ import annotations

from hashlib import sha512
from typing import Any, NamedTuple, Optional, Sequence

import group
import ristretto
from batch import Limits, replay
from challenger import Challenger, Context, frame
from codec import GENERATOR, Element, Reader, Scalar, check_count, computed, u32
from errors import Malformed
from games import Fault, Step, blames
from games.poker_rules import PACK
from sigma import SameExponents

LENGTH = 32
MARKED = LENGTH + 4
LIMITS = Limits(PACK)


class Where(NamedTuple):
    """Table and deal: part of every point and hash."""

    table: bytes
    deal: int

    def long(self, what: str, *parts: bytes) -> bytes:
        """LC-1, all 64 bytes."""
        frames = (b"outis/1", b"sra classic", what.encode(), self.table, u32(self.deal), *parts)
        return sha512(b"".join(frame(part) for part in frames)).digest()

    def hash(self, what: str, *parts: bytes) -> bytes:
        """LC-1."""
        return self.long(what, *parts)[:LENGTH]

    def point(self, marked: bytes) -> Element:
        """LC-2."""
        return group.hash_to_group("sra classic card", (self.table, u32(self.deal), marked))

    def unbox(self, box: bytes, point: Element) -> bytes:
        """LC-3."""
        return bytes(a ^ b for a, b in zip(box, self.long("box", point.data)))


class FirstDeck(NamedTuple):
    """LC-4."""

    key: Element
    points: list[Element]
    hashes: list[bytes]
    boxes: list[bytes]


class SecondDeck(NamedTuple):
    """LC-5."""

    points: list[Element]
    hashes: list[bytes]


def many(reader: Reader, field: str, count: int, size: int) -> list[bytes]:
    """Byte strings of one size."""
    reader.need(field, count * size)
    return [reader.take(field, size) for _ in range(count)]


def read_first(reader: Reader, cards: int) -> FirstDeck:
    """LC-4."""
    key, points = reader.element("deck.key"), reader.elements("deck.points", cards)
    return FirstDeck(key, points, many(reader, "deck.hashes", cards, LENGTH), many(reader, "deck.boxes", cards, MARKED))


def read_second(reader: Reader, cards: int) -> SecondDeck:
    """LC-5."""
    return SecondDeck(reader.elements("deck.points", cards), many(reader, "deck.hashes", cards, LENGTH))


def read_order(reader: Reader, cards: int) -> list[int]:
    """LC-14: one byte for each card."""
    order: list[int] = []
    reader.need("opening.order", cards)
    for _ in range(cards):
        at = reader.offset
        order.append(reader.take("opening.order", 1)[0])
        check_count(order[-1], 0, cards - 1, "opening.order", at)
    return order


def times(scalar: Scalar, base: Element) -> Element:
    """A multiple by a scalar that is not zero."""
    product = computed(ristretto.multiply(scalar, base.point))
    assert product is not None
    return product


def is_first(at: Where, deck: FirstDeck, inverse: Scalar) -> bool:
    """LC-13."""
    if times(inverse, deck.key) != GENERATOR:
        return False
    cards = set()
    for locked, hashed, box in zip(deck.points, deck.hashes, deck.boxes, strict=True):
        point = times(inverse, locked)
        marked = at.unbox(box, point)
        if at.point(marked) != point or at.hash("card", marked) != hashed:
            return False
        cards.add(int.from_bytes(marked[LENGTH:], "little"))
    return cards == set(range(len(deck.points)))


def is_second(
    at: Where, first: FirstDeck, deck: SecondDeck, key: Scalar, order: Sequence[int], nonces: Sequence[bytes]
) -> bool:
    """LC-14."""
    return all(
        times(key, first.points[source]) == point and at.hash("second", nonce, first.hashes[source]) == hashed
        for source, nonce, point, hashed in zip(order, nonces, deck.points, deck.hashes, strict=True)
    )


def is_distinct(points: Sequence[Element], hashes: Sequence[bytes]) -> bool:
    """LC-15."""
    return len({point.data for point in points}) == len(points) and len(set(hashes)) == len(hashes)


class Classic:
    """PO-15 to PO-20."""

    def __init__(self, at: Where, first: int, second: int, decks: int, used: set[Element]) -> None:
        self._at, self._first, self._second, self._decks, self._used = at, first, second, decks, used
        self._stage = 0  # the six rounds of PO-16, then 6
        self._offered: list[Any] = []
        self._kept = 0
        self._one: Optional[FirstDeck] = None
        self._two: Optional[SecondDeck] = None
        self._links: dict[int, int] = {}
        self._up: dict[int, int] = {}
        self._task: list[tuple[int, Optional[int]]] = []
        self._next = ""

    @property
    def maker(self) -> int:
        """LC-18: whose word it is that every card is there once."""
        return self._first

    def ask(self, task: list[tuple[int, Optional[int]]]) -> None:
        """Places to be dealt."""
        self._task, self._next = task, "draw" if task else ""

    def _asked(self) -> list[int]:
        return [place for place, owner in self._task if owner != self._second]

    def _dealt(self) -> list[int]:
        return [place for place, owner in self._task if owner == self._second]

    def due(self) -> Optional[tuple[list[int], bool]]:
        """Who speaks, and whether a secret leaves."""
        if self._stage < 6:
            return [self._first if self._stage in (0, 2, 4) else self._second], self._stage in (2, 5)
        if not self._next:
            return None
        return [self._second if self._next == "answer" else self._first], True

    def pledged(self) -> set[int]:
        """PD-14: who has sent decks and not opened them."""
        return {1: {self._first}, 2: {self._first}, 4: {self._second}, 5: {self._second}}.get(self._stage, set())

    def judge(self, seat: int, payload: bytes, context: Context) -> Step:
        """PO-16 to PO-18."""
        reader, n = Reader(payload), self._decks
        if self._stage == 0:
            decks = [read_first(reader, PACK) for _ in range(n)]
            reader.finish()
            keys = [deck.key for deck in decks]
            if len({key.data for key in keys}) < n or any(key in self._used for key in keys):  # LC-15
                raise Fault("old-key", "a key of an earlier deck")
            if not all(is_distinct(deck.points, deck.hashes) for deck in decks):
                raise Fault("decks", "a point or a hash twice")
            return Step(decks)
        if self._stage in (1, 4):
            kept = reader.take("keep", 1)[0]
            check_count(kept, 0, n - 1, "keep", 0)
            reader.finish()
            return Step(kept)
        if self._stage == 2:
            inverses = reader.scalars("opening.keys", n - 1)
            reader.finish()
            others = [deck for number, deck in enumerate(self._offered) if number != self._kept]
            if not all(is_first(self._at, deck, inverse) for deck, inverse in zip(others, inverses, strict=True)):
                raise Fault("decks", "an opened deck is not complete, or not the one that was sent")
            return Step(None)
        if self._stage == 3:
            seconds = [read_second(reader, PACK) for _ in range(n)]
            reader.finish()
            if not all(is_distinct(deck.points, deck.hashes) for deck in seconds):
                raise Fault("decks", "a point or a hash twice")
            return Step(seconds)
        if self._stage == 5:
            return self._judge_second(reader)
        if self._next == "draw":
            return self._judge_draw(reader, context)
        if self._next == "answer":
            return self._judge_answer(reader)
        cards = many(reader, "revealed", len(self._asked()), MARKED)
        reader.finish()
        return Step(self._turned(cards))

    def _judge_second(self, reader: Reader) -> Step:
        """LC-14."""
        opened = []
        for _ in range(self._decks - 1):
            reader.need("opening.keys", 32 + 33 * PACK)
            key, order = reader.scalar("opening.keys"), read_order(reader, PACK)
            nonces = many(reader, "opening.nonces", PACK, LENGTH)
            again = [place for place in range(PACK) if order[place] in order[:place]]
            if again:
                raise Malformed("repeated", "opening.order", reader.offset, again[0])
            opened.append((key, order, nonces))
        reader.finish()
        assert self._one is not None
        others = [deck for number, deck in enumerate(self._offered) if number != self._kept]
        if not all(is_second(self._at, self._one, deck, *secret) for deck, secret in zip(others, opened, strict=True)):
            raise Fault("decks", "an opened deck is not the one that was sent")
        return Step(None)

    def _judge_draw(self, reader: Reader, context: Context) -> Step:
        """LC-7, LC-8."""
        assert self._one is not None and self._two is not None
        asks = many(reader, "draw.asked", len(self._asked()), LENGTH)
        dealt = reader.elements("draw.dealt", len(self._dealt()))
        statement = SameExponents(self._one.key, dealt, [self._two.points[place] for place in self._dealt()])
        proof = statement.read(reader) if dealt else None
        reader.finish()
        if asks != [self._two.hashes[place] for place in self._asked()]:
            raise Fault("card", "another card is asked for")
        if proof is None:
            return Step(None)
        with blames("card"):
            return Step(None, [("card", replay(statement, Challenger(context), proof, LIMITS))])

    def _judge_answer(self, reader: Reader) -> Step:
        """LC-8."""
        assert self._one is not None and self._two is not None
        asked = self._asked()
        reader.need("answer", 64 * len(asked))
        answers = [(reader.element("answer.point"), reader.take("answer.nonce", LENGTH)) for _ in asked]
        reader.finish()
        links: dict[int, int] = {}
        for place, (point, nonce) in zip(asked, answers, strict=True):
            if point not in self._one.points:
                raise Fault("card", "no card of the first deck")
            index = self._one.points.index(point)
            free = index not in self._links.values() and index not in links.values()
            if not free or self._at.hash("second", nonce, self._one.hashes[index]) != self._two.hashes[place]:
                raise Fault("card", "not the card of that place")
            links[place] = index
        return Step(links)

    def _own(self, places: Sequence[int], cards: Sequence[bytes]) -> list[int]:
        """LC-9 for the first player."""
        assert self._one is not None
        for place, marked in zip(places, cards, strict=True):
            if self._at.hash("card", marked) != self._one.hashes[self._links[place]]:
                raise Fault("show", "not the card of that place")
        return [int.from_bytes(marked[LENGTH:], "little") for marked in cards]

    def _turned(self, cards: Sequence[bytes]) -> dict[int, int]:
        """LC-9, LC-18."""
        numbers = self._own(self._asked(), cards)
        if len({*numbers, *self._up.values()}) < len(numbers) + len(self._up) or max(numbers) >= PACK:
            raise Fault("decks", "a card twice, or none of the pack")
        return dict(zip(self._asked(), numbers, strict=True))

    def complete(self, steps: dict[int, Any]) -> None:
        """A round is over."""
        (value,) = steps.values()
        if self._stage == 6:
            if self._next == "draw":
                self._next = "answer" if self._asked() else ""
            elif self._next == "answer":
                self._links.update(value)
                self._next = "turn-up" if any(owner is None for _, owner in self._task) else ""
            else:
                self._up.update(value)
                self._next = ""
            return
        if self._stage in (0, 3):
            self._offered = value
        if self._stage == 0:
            self._used.update(deck.key for deck in value)
        elif self._stage in (1, 4):
            self._kept = value
        elif self._stage == 2:
            self._one = self._offered[self._kept]
        elif self._stage == 5:
            self._two = self._offered[self._kept]
        self._stage += 1

    def face(self, place: int, blame: int) -> int:
        """A card that was turned up."""
        return self._up[place]

    def shown(self, seat: int, places: list[int], reader: Reader, context: Context) -> tuple[list[int], list[Any]]:
        """LC-9; of the first player LC-18 for numbers that are no cards."""
        assert self._one is not None and self._two is not None
        if seat == self._first:
            cards = many(reader, "revealed", len(places), MARKED)
            reader.finish()
            numbers = self._own(places, cards)
            if max(numbers) >= PACK:
                raise Fault("decks", "none of the pack")
            return numbers, []
        reader.need("revealed", (LENGTH + MARKED) * len(places))
        pairs = [(reader.take("revealed.nonce", LENGTH), reader.take("marked", MARKED)) for _ in places]
        reader.finish()
        seen: list[int] = list(self._links.values())
        for place, (nonce, marked) in zip(places, pairs, strict=True):
            hashed = self._at.hash("card", marked)
            index = self._one.hashes.index(hashed) if hashed in self._one.hashes else -1
            if index < 0 or index in seen or self._at.hash("second", nonce, hashed) != self._two.hashes[place]:
                raise Fault("show", "not the card of that place")
            seen.append(index)
        numbers = [int.from_bytes(marked[LENGTH:], "little") for _, marked in pairs]
        if max(numbers) >= PACK:
            raise Fault("show", "none of the pack")
        return numbers, []
