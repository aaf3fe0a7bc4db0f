"""Page 20: contexts and the hash state that plays the verifier."""

from __future__ import annotations

from hashlib import sha512
from typing import Iterator, NamedTuple

from codec import Reader, Scalar, scalar_from_64, u8, u32, u64


def frame(data: bytes) -> bytes:
    """CH-3."""
    return u64(len(data)) + data


class Context(NamedTuple):
    """Where a proof is made. A verifier takes it from its own log (CH-2)."""

    table: bytes
    deal: int
    seat: int
    head: bytes

    def encode(self) -> bytes:
        """CH-1: 69 bytes."""
        assert len(self.table) == 32 and len(self.head) == 32
        return self.table + u32(self.deal) + u8(self.seat) + self.head

    @staticmethod
    def decode(data: bytes) -> Context:
        """CH-1."""
        reader = Reader(data)
        table = reader.take("context.table", 32)
        deal = int.from_bytes(reader.take("context.deal", 4), "little")
        seat = reader.take("context.seat", 1)[0]
        head = reader.take("context.head", 32)
        reader.finish()
        return Context(table, deal, seat, head)


def block(seed: bytes, number: int) -> bytes:
    """CH-9."""
    return sha512(seed + u32(number)).digest()


def bits_of(blocks: Iterator[bytes], count: int) -> list[int]:
    """The first bits of a stream of blocks: byte by byte, within a byte from the lowest bit (CH-12, COIN-6)."""
    bits: list[int] = []
    while len(bits) < count:
        for byte in next(blocks):
            bits.extend(byte >> shift & 1 for shift in range(8))
    return bits[:count]


class Challenger:
    """One per log entry; all proofs of the entry follow each other on it (CH-14)."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._state = sha512()
        self._open = False
        for part in (b"outis/1", b"challenger", context.encode()):  # CH-4
            self._absorb(part)

    def _absorb(self, data: bytes) -> None:
        self._state.update(frame(data))  # CH-3

    def open(self, label: str, statement: bytes) -> None:
        """CH-5, CH-16."""
        assert not self._open, "the proof before is not closed"
        self._open = True
        for part in (b"open", label.encode(), statement):
            self._absorb(part)

    def message(self, name: str, value: bytes) -> None:
        """CH-6."""
        assert self._open
        self._absorb(name.encode())
        self._absorb(value)

    def ratchet(self, name: str) -> bytes:
        """CH-8: the seed of the next challenge."""
        assert self._open, "CH-15: no challenge before `open`"
        self._absorb(b"challenge")
        self._absorb(name.encode())
        seed = self._state.digest()
        self._state = sha512(frame(seed))
        return seed

    def challenge(self, name: str) -> Scalar:
        """CH-10."""
        return scalar_from_64(block(self.ratchet(name), 0))

    def challenges(self, name: str, count: int) -> list[Scalar]:
        """CH-11: one ratchet for all."""
        seed = self.ratchet(name)
        return [scalar_from_64(block(seed, number)) for number in range(count)]

    def bits(self, name: str, count: int) -> list[int]:
        """CH-12."""
        seed = self.ratchet(name)
        return bits_of((block(seed, number) for number in range(1 << 32)), count)

    def close(self, responses: bytes) -> bytes:
        """CH-13: the seal. The word `seal` is not absorbed."""
        assert self._open
        self._open = False
        self._absorb(b"close")
        self._absorb(responses)
        final = self._state.copy()
        final.update(frame(b"seal"))
        return final.digest()
