"""spec/games/dark-chess-classic.md and spec/59-andos.md: the form of questions and answers, which is all that shows."""

from __future__ import annotations

from typing import Any

from codec import Reader
from errors import Malformed

WIDTH = 256  # AN-1: bytes of a number in play
BITS, SECRETS, PHASES, ROUNDS = 4, 64, 3, 8  # DCC-3, DCC-7
MOST = (8, 2, 2, 2, 1, 1)  # DCC-6
# DCC-7: questions of a piece by kind, pawn to king, and round, in all phases.
QUESTIONS = (
    (5, 5, 5, 5, 4, 4, 3, 0),
    (1,) * 8,
    (2, 2, 2, 2, 2, 2, 1, 0),
    (2, 2, 2, 2, 2, 2, 2, 0),
    (4, 4, 4, 4, 4, 4, 3, 0),
    (1,) * 8,
)


def jacobi(a: int, n: int) -> int:
    """The Jacobi symbol of `a` over an odd `n`."""
    a, result = a % n, 1
    while a:
        twos = (a & -a).bit_length() - 1
        a >>= twos
        if twos & 1 and n % 8 in (3, 5):
            result = -result
        if a % 4 == 3 and n % 4 == 3:
            result = -result
        a, n = n % a, a
    return result if n == 1 else 0


def residue(reader: Reader, field: str, modulus: int) -> int:
    """AN-4, AN-9."""
    offset = reader.offset
    number = int.from_bytes(reader.take(field, WIDTH), "little")
    if not 0 < number < modulus:
        raise Malformed("residue", field, offset)
    if jacobi(number, modulus) != 1:
        raise Malformed("symbol", field, offset)
    return number


class Query:
    """The rounds `key`, `lists`, `ask` and `reply`; colours are White 0 and Black 1."""

    def __init__(self) -> None:
        self._moduli: dict[int, int] = {}
        self._announced: dict[int, bytes] = {}
        self._round = 0

    def _count(self, color: int) -> int:
        """DCC-7: questions of a colour in this round."""
        return sum(n * by_round[self._round] for n, by_round in zip(self._announced[color], QUESTIONS, strict=True))

    def read(self, stage: str, color: int, reader: Reader) -> Any:
        """What a colour says in a round."""
        said = getattr(self, "_read_" + stage)(color, reader)
        reader.finish()
        return said

    def _read_key(self, color: int, reader: Reader) -> int:
        """AN-4."""
        offset = reader.offset
        modulus = int.from_bytes(reader.take("andos.modulus", WIDTH), "little")
        if modulus.bit_length() != 8 * WIDTH or modulus % 4 != 1:
            raise Malformed("modulus", "andos.modulus", offset)
        residue(reader, "andos.y", modulus)
        return modulus

    def _read_lists(self, color: int, reader: Reader) -> bytes:
        """DCC-6, DCC-12, AN-5."""
        offset = reader.offset
        announced = reader.take("announced", 6)
        if any(count > most for count, most in zip(announced, MOST)):
            raise Malformed("tag", "announced", offset, 0)
        for _ in range(PHASES * SECRETS * BITS):
            residue(reader, "andos.seal", self._moduli[color])
        return announced

    def _read_ask(self, color: int, reader: Reader) -> None:
        """AN-7: under the key of who is asked."""
        count = self._count(color)
        reader.need("questions", count * BITS * WIDTH)
        for _ in range(count * BITS):
            residue(reader, "andos.masked", self._moduli[1 - color])

    def _read_reply(self, color: int, reader: Reader) -> None:
        """AN-10."""
        count = self._count(1 - color)
        reader.need("answers", count)
        for _ in range(count):
            offset = reader.offset
            answer = reader.take("andos.answer", 1)[0]
            if answer >> BITS:
                raise Malformed("count", "andos.answer", offset, answer)

    def complete(self, stage: str, said: dict[int, Any]) -> str:
        """The next round."""
        if stage == "key":
            self._moduli = said
            return "word"
        if stage == "lists":
            self._announced, self._round = said, 0
            return "ask"
        if stage == "ask":
            return "reply"
        self._round += 1
        return "ask" if self._round < ROUNDS else "word"
