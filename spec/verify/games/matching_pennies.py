"""spec/games/matching-pennies.md."""

from __future__ import annotations

from typing import Any, Collection, Optional

from codec import Reader
from commitments import Place, opens
from errors import Malformed
from games import Due, Fault, Step, option_bytes
from logfile import Offer, Unreadable

NAME = "matching-pennies"
SEATS = (0, 1)


class MatchingPennies:
    """Follows a table: a round of laying and a round of showing for each throw (MP-2)."""

    def __init__(self, offer: Offer, table: bytes) -> None:
        options = option_bytes(offer.options, ((1, 100), (0, 255)))  # MP-1
        if options is None or offer.parameters or offer.seats != 2:
            raise Unreadable("an offer that matching pennies does not allow")
        self._table, self._throws, self._clock = table, options[0], options[1] > 0
        self._throw = 0
        self._laid: Optional[dict[int, bytes]] = None
        self._points = [0, 0]

    def due(self) -> Optional[Due]:
        """MP-2."""
        if self._throw == self._throws:
            return None
        return Due(SEATS, self._laid is not None, self._clock)

    def judge(self, seat: int, payload: bytes, head: bytes) -> Step:
        """MP-2, MP-3."""
        reader = Reader(payload)
        if self._laid is None:
            commitment = reader.take("commitment", 32)
            reader.finish()
            return Step(commitment)
        side, opening = reader.take("side", 1), reader.take("opening", 32)
        if side[0] > 1:
            raise Malformed("tag", "side", 0, side[0])
        reader.finish()
        if not opens(self._laid[seat], "penny", Place(self._table, self._throw, seat), opening, side):
            raise Fault("opening", "the commitment does not open to the side")
        return Step(side[0])

    def complete(self, steps: dict[int, Any]) -> None:
        """MP-2, MP-4."""
        if self._laid is None:
            self._laid = steps
            return
        self._points[0 if steps[0] == steps[1] else 1] += 1
        self._laid = None
        self._throw += 1

    def scores(self, guilty: Collection[int]) -> list[int]:
        """MP-4."""
        left = self._throws - self._throw if len(set(guilty)) == 1 else 0
        return [points + (left if 1 - seat in guilty else 0) for seat, points in enumerate(self._points)]


GAME = MatchingPennies
