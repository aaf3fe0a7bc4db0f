"""The three ways to refuse (spec/README.md, "The result of a check")."""

from __future__ import annotations

from typing import Optional


class Refusal(Exception):
    """A claim is not accepted. `layer` is the word that the vectors use."""

    layer = ""


class Malformed(Refusal):
    """The bytes are not an encoding of anything. Names the kind of error, the field and its offset (page 10)."""

    layer = "decode"

    def __init__(self, kind: str, field: str, offset: int, detail: Optional[object] = None) -> None:
        super().__init__(f"{field} at byte {offset}: {kind}" + ("" if detail is None else f" ({detail})"))
        self.kind, self.field, self.offset, self.detail = kind, field, offset, detail


class Invalid(Refusal):
    """The proof or its statement is out of order; no equation was computed."""

    layer = "statement"


class Culprit(Invalid):
    """A refusal that names a seat."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(f"seat {seat}: {why}")
        self.seat = seat


class Refuted(Refusal):
    """An equation does not hold."""

    layer = "proof"
