"""Entries of several proofs: one reader and one challenger, and the set proofs of page 60 on them."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from batch import Claim, Limits, replay
from challenger import Challenger, Context
from codec import Code, Element, Reader
from containment import Containment, OneOfMany
from errors import Invalid, Malformed
from games import Fault, blames
from shuffle import Shuffle


class Payload:
    """A payload that is read to its end before its proofs are replayed, in the order in which they were read."""

    def __init__(self, data: bytes, context: Context, limits: Limits) -> None:
        self.reader = Reader(data)
        self.context, self._limits = context, limits
        self._proofs: list[tuple[str, Any, Any]] = []

    def byte(self, field: str, largest: int = 255) -> int:
        """One byte up to a largest value."""
        start = self.reader.offset
        value = self.reader.take(field, 1)[0]
        if value > largest:
            raise Malformed("tag", field, start, value)
        return value

    def places(self, count: int, size: int) -> list[int]:
        """Places in a list of `size`, rising."""
        places: list[int] = []
        for _ in range(count):
            start = self.reader.offset
            place = self.byte("place", max(size - 1, 0))
            if places and place <= places[-1]:
                raise Malformed("count", "place", start, place)
            places.append(place)
        return places

    def proof(self, check: str, statement: Any) -> None:
        """Reads the proof of a statement. `check` is the fault if it does not hold."""
        self._proofs.append((check, statement, statement.read(self.reader)))

    def refused(self, check: str, why: str) -> None:
        """Something is wrong at this place among the proofs."""
        self._proofs.append((check, Invalid(why), None))

    def set_proof(self, check: str, key: Element, faces: Sequence[Element], codes: Sequence[Code]) -> None:
        """CO-7, CO-10: the codes hold different cards of a set. Nothing is sent about no codes, or too many."""
        if not codes:
            return
        if len(codes) > len(faces):
            self.refused(check, "more codes than cards")
        elif len(codes) == 1:
            self.proof(check, OneOfMany(key, codes[0], list(faces)))
        else:
            padding = self.reader.codes(len(faces) - len(codes))
            self.proof(check, Containment(key, list(faces), list(codes), padding))

    def reshuffled(self, check: str, key: Element, hand: Sequence[Code]) -> list[Code]:
        """As many new codes, and the proof that they are a shuffle of these."""
        output = self.reader.codes(len(hand))
        self.proof(check, Shuffle(key, list(hand), output))
        return output

    def close(self) -> list[tuple[str, Claim]]:
        """The end of the payload; then all proofs over one challenger."""
        self.reader.finish()
        challenger = Challenger(self.context)
        claims: list[tuple[str, Claim]] = []
        for check, statement, proof in self._proofs:
            if isinstance(statement, Invalid):
                raise Fault(check, str(statement), claims)
            try:
                with blames(check):
                    claims.append((check, replay(statement, challenger, proof, self._limits)))
            except Fault as fault:
                raise Fault(check, str(fault), claims) from fault
        return claims


def only(cards: Optional[Sequence[Element]], numbers: Sequence[int]) -> list[Element]:
    """The faces of these cards, by rising numbers."""
    assert cards is not None
    return [cards[number] for number in sorted(numbers)]
