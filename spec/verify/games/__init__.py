"""The games that a log may be of: one module for each, with what its page says.

A game module has a class that follows a table through its rounds. `catalogue` finds it by the offer's name.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Collection, Iterator, NamedTuple, Optional, Protocol, Sequence

from batch import Claim
from errors import Invalid, Refuted


class Fault(Exception):
    """A step that breaks a rule of the game's page. `check` is the word of that page.

    `before` are claims of the same step that were replayed first: if one of them is refuted, that is the fault.
    `seat` is named where a whole round is at fault.
    """

    def __init__(
        self, check: str, why: str, before: Sequence[tuple[str, Claim]] = (), seat: Optional[int] = None
    ) -> None:
        super().__init__(why)
        self.check, self.before, self.seat = check, list(before), seat


class Due(NamedTuple):
    """TAB-2: who must speak in the next round, whether a secret leaves a seat with it, whether there is a clock.

    TAB-3: seats that are out of the game echo nothing. TAB-4: the result may be decided before.
    """

    seats: Collection[int]
    releases: bool
    clock: bool
    gone: Collection[int] = ()
    decided: bool = False


@dataclass
class Step:
    """A step that was judged, but for the equations of its proofs: each with the check that fails with it."""

    value: Any
    claims: list[tuple[str, Claim]] = field(default_factory=list)


class Game(Protocol):
    """What every game module defines."""

    def due(self) -> Optional[Due]:
        """The next round, from the completed rounds alone; nothing if the game is over."""

    def judge(self, seat: int, payload: bytes, head: bytes) -> Step:
        """The step of a seat that is due. Raises `Malformed` for bytes that are no such step, `Fault` for the rest."""

    def complete(self, steps: dict[int, Any]) -> None:
        """A round is complete: the values of its steps, by seat. Raises `Fault` with a seat if it must not be."""

    def scores(self, guilty: Collection[int]) -> list[int]:
        """As they stand, or as the game's rule makes them if the table ends by these seats."""


@contextmanager
def blames(check: str, seat: Optional[int] = None) -> Iterator[None]:
    """Refusals in here, but for malformed bytes, are this fault."""
    try:
        yield
    except (Invalid, Refuted) as refusal:
        raise Fault(check, str(refusal), seat=seat) from refusal


def option_bytes(data: bytes, ranges: Sequence[tuple[int, int]]) -> Optional[list[int]]:
    """Options that are one byte each, in their ranges; nothing if they are not."""
    if len(data) != len(ranges) or any(not low <= value <= high for value, (low, high) in zip(data, ranges)):
        return None
    return list(data)
