"""spec/games/tarokk.md: a table of tarokk, deal by deal. The deal itself is in `tarokk_deal`."""

from __future__ import annotations

from typing import Any, Collection, Optional

from codec import Element
from games import Due, Step
from games.tarokk_deal import Deal, Options, Place
from games.tarokk_rules import DoubleRounds
from logfile import Offer, Unreadable

NAME = "tarokk"


class Ending:
    """TK-36, TD-27 to TD-31: skíz oszt, nem oszt."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._watching = self.said = False
        self._holder: Optional[int] = None
        self._holder_dealt = False

    def paid(self, dealer: int, skiz: Optional[int]) -> bool:
        """After a paid deal: whether it was the last. `skiz` is the seat that held it, if the deal was played."""
        if self._holder is None:
            if not self._watching or skiz is None:
                return False
            self._holder = skiz
        if dealer == self._holder:
            self._holder_dealt = True
            return False
        return self._holder_dealt and dealer == (self._holder - 1) % self._seats

    def begins(self) -> None:
        """A deal begins: what was said before it now counts."""
        self._watching = self.said


class Tarokk:
    """Follows a table."""

    def __init__(self, offer: Offer, table: bytes) -> None:
        data = offer.options
        if len(data) != 5 or data[0] > 31 or offer.seats not in (4, 5):  # TP-1
            raise Unreadable("an offer that tarokk does not allow")
        if offer.parameters == b"\1":
            raise Unreadable("tarokk of the classic grade, which is not judged here")
        if offer.parameters:  # TP-2
            raise Unreadable("an offer that tarokk does not allow")
        flags = [bool(data[0] >> bit & 1) for bit in range(5)]
        numbers = int.from_bytes(data[1:3], "little"), int.from_bytes(data[3:5], "little")
        self._options = Options(*flags, *numbers)
        self._table, self._seats = table, offer.seats
        self._points = [0] * offer.seats
        self._rounds, self._ending = DoubleRounds(offer.seats), Ending(offer.seats)
        self._used: set[Element] = set()
        self._dealer, self._number, self._paid = offer.seats - 1, 0, 0  # TP-4
        self._over = False
        self._deal = self._next()

    def _next(self) -> Deal:
        self._ending.begins()
        place = Place(self._table, self._number, self._seats, self._dealer, self._options)
        return Deal(place, self._rounds.factor(), self._used, self._ending.said)

    def due(self) -> Optional[Due]:
        """The next round of the deal."""
        return None if self._over else self._deal.due()

    def judge(self, seat: int, payload: bytes, head: bytes) -> Step:
        """A step of the deal."""
        return self._deal.judge(seat, payload, head)

    def complete(self, steps: dict[int, Any]) -> None:
        """TK-35, TK-36, TK-42, TK-49."""
        self._deal.complete(steps)
        self._ending.said = self._ending.said or self._deal.said
        outcome = self._deal.outcome
        if outcome is None:
            return
        self._number += 1
        if outcome.payments is None:
            self._rounds.opened()
        else:
            for player, amount in enumerate(outcome.payments):
                self._points[self._deal.seat_of[player]] += amount
            self._rounds.paid()
            self._paid += 1
            holder = None if outcome.skiz is None else self._deal.seat_of[outcome.skiz]
            self._over = self._ending.paid(self._dealer, holder) or self._paid == self._options.deals
            self._dealer = (self._dealer + 1) % self._seats
        if not self._over:
            self._deal = self._next()

    def scores(self, guilty: Collection[int]) -> list[int]:
        """TP-24."""
        points = list(self._points)
        if not self._over:
            for seat in guilty:
                for other in self._deal.seat_of:
                    if other not in guilty:
                        points[seat] -= self._deal.forfeit()
                        points[other] += self._deal.forfeit()
        return points


GAME = Tarokk
