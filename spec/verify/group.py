"""Page 10: hash-to-group, faces and the fixed generators. A verifier computes all of them itself (ENC-27)."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha512

import ristretto
from codec import Element, u8, u32, u64


def hash_input(domain: str, data: tuple[bytes, ...], attempt: int) -> bytes:
    """ENC-22, ENC-23: the 64 bytes that go into the one-way map."""
    state = sha512(b"outis/1 hash-to-group")
    for part in (domain.encode(), *data):
        state.update(u64(len(part)) + part)
    state.update(u8(attempt))
    return state.digest()


@lru_cache(maxsize=1 << 14)
def hash_to_group(domain: str, data: tuple[bytes, ...]) -> Element:
    """ENC-22: an element whose discrete logarithm nobody knows."""
    for attempt in range(256):
        point = ristretto.from_uniform(hash_input(domain, data, attempt))
        if not ristretto.is_identity(point):
            return Element(ristretto.encode(point), point)
    raise ArithmeticError("256 hashes gave the identity")


def face(game: str, number: int) -> Element:
    """ENC-24."""
    return hash_to_group("face", (game.encode(), u32(number)))


def faces(game: str, count: int) -> list[Element]:
    """The faces of the first `count` cards of a game."""
    return [face(game, number) for number in range(count)]


def slot(number: int) -> Element:
    """ENC-25: a slot generator."""
    return hash_to_group("commitment slot", (u32(number),))


def slots(count: int) -> list[Element]:
    """The first slot generators."""
    return [slot(number) for number in range(count)]


def blind() -> Element:
    """ENC-26: the generator `B`."""
    return hash_to_group("commitment blind", ())


def value() -> Element:
    """ENC-26: the generator `V`."""
    return hash_to_group("commitment value", ())
