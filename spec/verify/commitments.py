"""Page 70: hash commitments and the coin toss."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha512
from typing import NamedTuple, Sequence

from challenger import bits_of, frame
from codec import MAX_SEATS, Reader, Scalar, scalar_from_64, u8, u32, u64
from errors import Culprit, Invalid, Malformed


class Place(NamedTuple):
    """A table, a deal and a seat."""

    table: bytes
    deal: int
    seat: int


def commit(purpose: str, place: Place, opening: bytes, value: bytes) -> bytes:
    """COM-1."""
    assert len(opening) == 32 and len(place.table) == 32  # COM-4
    parts = (b"outis/1", b"commitment", purpose.encode(), place.table, u32(place.deal), u8(place.seat), opening, value)
    return sha512(b"".join(map(frame, parts))).digest()[:32]


def opens(commitment: bytes, purpose: str, place: Place, opening: bytes, value: bytes) -> bool:
    """COM-3."""
    return commitment == commit(purpose, place, opening, value)


class Toss(NamedTuple):
    """What is tossed for, and by whom. `seats` ascends."""

    purpose: str
    table: bytes
    deal: int
    subject: bytes
    seats: tuple[int, ...]

    def admit(self) -> None:
        """COIN-1."""
        if not 2 <= len(self.seats) <= MAX_SEATS or len(set(self.seats)) != len(self.seats):
            raise Invalid("between 2 and 16 different seats")

    def seat_set(self) -> bytes:
        """COIN-2: seat `i` in bit `i mod 8` of byte `⌊i/8⌋`."""
        return sum(1 << seat for seat in self.seats).to_bytes(32, "little")

    def committed(self, value: bytes) -> bytes:
        """COIN-2: the bytes under the commitment of a seat."""
        purpose = self.purpose.encode()
        return u64(len(purpose)) + purpose + self.subject + self.seat_set() + value

    def commitment(self, seat: int, opening: bytes, value: bytes) -> bytes:
        """COIN-2."""
        return commit("coin", Place(self.table, self.deal, seat), opening, self.committed(value))


@dataclass(frozen=True)
class Coin:
    """The 64 bytes of COIN-5, with the toss that they belong to."""

    toss: Toss
    data: bytes

    def _block(self, name: bytes, number: int) -> bytes:
        return sha512(frame(self.data) + frame(name) + frame(u32(number))).digest()

    def bits(self, count: int) -> list[int]:
        """COIN-6."""
        return bits_of((self._block(b"bits", number) for number in range(1 << 32)), count)

    def scalar(self, number: int) -> Scalar:
        """COIN-6."""
        return scalar_from_64(self._block(b"scalar", number))


def read_reveal(data: bytes) -> tuple[bytes, bytes]:
    """COIN-4: value and opening."""
    reader = Reader(data)
    value, opening = reader.take("coin-reveal.value", 32), reader.take("opening", 32)
    reader.finish()
    return value, opening


def toss_coin(toss: Toss, parts: Sequence[tuple[int, bytes, bytes]]) -> Coin:
    """COIN-3 to COIN-5. Parts are `(seat, commitment, reveal)`. Equal commitments are not refused (COIN-7)."""
    toss.admit()
    values: dict[int, bytes] = {}
    for seat, commitment, reveal in parts:
        if seat not in toss.seats:  # COIN-1
            raise Culprit(seat, "takes no part")
        if seat in values:  # COIN-3
            raise Culprit(seat, "two parts")
        try:
            value, opening = read_reveal(reveal)
        except Malformed as fault:
            raise Culprit(seat, str(fault)) from fault
        if commitment != toss.commitment(seat, opening, value):  # COIN-4
            raise Culprit(seat, "the reveal does not open the commitment")
        values[seat] = value
    for seat in toss.seats:
        if seat not in values:  # COIN-5: only when all seats have revealed
            raise Culprit(seat, "missing")
    fields = [b"outis/1", b"coin", toss.purpose.encode(), toss.table, u32(toss.deal), toss.subject, toss.seat_set()]
    for seat in sorted(values):
        fields += [u8(seat), values[seat]]
    return Coin(toss, sha512(b"".join(map(frame, fields))).digest())  # COIN-5
