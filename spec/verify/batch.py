"""Page 20, batches; and the order of checks of spec/README.md that every proof goes through."""

from __future__ import annotations

from hashlib import sha512
from typing import Any, NamedTuple, Protocol

import ristretto
from challenger import Challenger, frame
from codec import MAX_CARDS, Element, Reader, Scalar, Sum, u64
from errors import Refuted
from ristretto import ORDER


class Limits(NamedTuple):
    """ENC-21: what the table allows."""

    cards: int = MAX_CARDS

    @property
    def slots(self) -> int:
        """The number of slot generators that a verifier at this table has."""
        return max(self.cards, 16)


class Claim(NamedTuple):
    """A proof that was replayed, and what is left to compute."""

    seat: int
    label: str
    seal: bytes
    equations: list[Sum]


class Statement(Protocol):
    """What every label defines."""

    label: str

    def read(self, reader: Reader) -> Any:
        """Decodes the proof, with sizes from the statement."""

    def admit(self, limits: Limits) -> None:
        """Raises `Invalid` if the statement is not admissible."""

    def encode(self) -> bytes:
        """The statement as it is hashed (CH-7)."""

    def replay(self, challenger: Challenger, proof: Any) -> tuple[list[Sum], bytes]:
        """From after `open` to `close`: the equations in their order, and the seal."""


def check(statement: Statement, challenger: Challenger, data: bytes, limits: Limits = Limits()) -> Claim:
    """Decode, admit, replay: in the order of spec/README.md. The equations are left to a batch."""
    reader = Reader(data)
    proof = statement.read(reader)
    reader.finish()  # ENC-15
    return replay(statement, challenger, proof, limits)


def replay(statement: Statement, challenger: Challenger, proof: Any, limits: Limits = Limits()) -> Claim:
    """Admit, then CH-14: the operations of the prover, on the challenger of the entry."""
    statement.admit(limits)
    challenger.open(statement.label, statement.encode())
    equations, seal = statement.replay(challenger, proof)
    return Claim(challenger.context.seat, statement.label, seal, equations)


def holds(equation: Sum) -> bool:
    """Whether a sum is the identity (ENC-28)."""
    collected: dict[Element, Scalar] = {}
    for scalar, element in equation:
        collected[element] = collected.get(element, 0) + scalar
    return ristretto.is_identity(ristretto.multiscalar((s, e.point) for e, s in collected.items()))


def batch_seed(seals: list[bytes]) -> bytes:
    """BAT-2."""
    return sha512(frame(b"outis/1") + frame(b"batch") + b"".join(frame(seal) for seal in seals)).digest()


def weight(seed: bytes, number: int) -> Scalar:
    """BAT-3."""
    return int.from_bytes(sha512(seed + u64(number)).digest()[:16], "little")


def refuted(claims: list[Claim]) -> list[int]:
    """The positions of the claims with a false equation (BAT-4, BAT-5). None for an empty batch (BAT-7)."""
    seed = batch_seed([claim.seal for claim in claims])
    total: Sum = []
    number = 0
    for claim in claims:
        for equation in claim.equations:
            factor = weight(seed, number)
            total.extend((factor * scalar % ORDER, element) for scalar, element in equation)
            number += 1
    if holds(total):
        return []
    return [place for place, claim in enumerate(claims) if not all(map(holds, claim.equations))]


def settle(claims: list[Claim]) -> None:
    """Raises `Refuted` with seat, label and position of every refuted claim (BAT-5)."""
    bad = refuted(claims)
    if bad:
        raise Refuted("; ".join(f"seat {claims[i].seat}, {claims[i].label}, proof {i}" for i in bad))
