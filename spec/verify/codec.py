"""Page 10: integers, scalars, elements, codes, lists; the reader and its errors."""

from __future__ import annotations

from typing import Iterable, NamedTuple, Optional

import ristretto
from errors import Malformed
from ristretto import ORDER, Point

MAX_CARDS = 1040  # ENC-19
MAX_CLASSIC_CARDS = 128  # CL-11
MAX_SEATS = 16  # ENC-20

IDENTITY_BYTES = bytes(32)


class Element:
    """A group element that is not the identity, with its encoding. Compared by its 32 bytes (ENC-9)."""

    __slots__ = ("data", "point")

    def __init__(self, data: bytes, point: Point) -> None:
        self.data, self.point = data, point

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        return f"Element({self.data.hex()})"


class Code(NamedTuple):
    """An ElGamal encryption (ENC-10). Equal if all 64 bytes are."""

    c1: Element
    c2: Element


def computed(point: Point) -> Optional[Element]:
    """A computed point as an element, or `None` if it is the identity (ENC-28)."""
    return None if ristretto.is_identity(point) else Element(ristretto.encode(point), point)


GENERATOR = Element(ristretto.GENERATOR_BYTES, ristretto.GENERATOR)

Scalar = int
# Equations and sums are lists of terms `scalar·element`.
Sum = list[tuple[Scalar, Element]]


# --- encoding: what is hashed ---------------------------------------------------------------------------------------


def u8(n: int) -> bytes:
    """ENC-1."""
    return n.to_bytes(1, "little")


def u16(n: int) -> bytes:
    """ENC-1."""
    return n.to_bytes(2, "little")


def u32(n: int) -> bytes:
    """ENC-1."""
    return n.to_bytes(4, "little")


def u64(n: int) -> bytes:
    """ENC-1."""
    return n.to_bytes(8, "little")


def encode_scalar(scalar: Scalar) -> bytes:
    """ENC-2."""
    return (scalar % ORDER).to_bytes(32, "little")


def encode_code(code: Code) -> bytes:
    """ENC-10."""
    return code.c1.data + code.c2.data


def encode_list(items: Iterable[bytes]) -> bytes:
    """ENC-11: the length, then the items."""
    parts = list(items)
    return u32(len(parts)) + b"".join(parts)


def encode_elements(elements: Iterable[Element]) -> bytes:
    """A list of elements, as it is hashed."""
    return encode_list(element.data for element in elements)


def encode_codes(codes: Iterable[Code]) -> bytes:
    """A list of codes, as it is hashed."""
    return encode_list(encode_code(code) for code in codes)


def encode_scalars(scalars: Iterable[Scalar]) -> bytes:
    """A list of scalars, as it is hashed."""
    return encode_list(encode_scalar(scalar) for scalar in scalars)


def scalar_from_64(data: bytes) -> Scalar:
    """ENC-5."""
    assert len(data) == 64
    return int.from_bytes(data, "little") % ORDER


# --- decoding -------------------------------------------------------------------------------------------------------


def parse_scalar(data: bytes, field: str, offset: int = 0, zero_allowed: bool = False) -> Scalar:
    """One scalar of exactly 32 bytes."""
    value = int.from_bytes(data, "little")
    if value >= ORDER:  # ENC-3
        raise Malformed("scalar range", field, offset)
    if value == 0 and not zero_allowed:  # ENC-4; only scalars inside a statement may be zero (SIG-20)
        raise Malformed("scalar zero", field, offset)
    return value


def parse_element(data: bytes, field: str, offset: int = 0) -> Element:
    """One element of exactly 32 bytes."""
    if data == IDENTITY_BYTES:  # ENC-8
        raise Malformed("identity", field, offset)
    point = ristretto.decode(bytes(data))
    if point is None:  # ENC-6, ENC-7
        raise Malformed("not an element", field, offset)
    return Element(bytes(data), point)


def check_count(value: int, smallest: int, largest: int, field: str, offset: int) -> None:
    """ENC-17: a count or index must lie in its range before anything is allocated for it."""
    if not smallest <= value <= largest:
        raise Malformed("count", field, offset, (value, smallest, largest))


class Reader:
    """Reads fields in the order in which they are sent; the first fault is the one that is raised (ENC-18)."""

    def __init__(self, data: bytes) -> None:
        self._data, self.offset = data, 0

    def need(self, field: str, size: int) -> None:
        """ENC-14, ENC-16: the input still holds `size` bytes, or the field is truncated."""
        left = len(self._data) - self.offset
        if left < size:
            raise Malformed("truncated", field, self.offset, size - left)

    def take(self, field: str, size: int) -> bytes:
        """A byte string of known size."""
        self.need(field, size)
        start, self.offset = self.offset, self.offset + size
        return self._data[start : self.offset]

    def u16(self, field: str, smallest: int, largest: int) -> int:
        """ENC-17: a count or index that travels."""
        start = self.offset
        value = int.from_bytes(self.take(field, 2), "little")
        check_count(value, smallest, largest, field, start)
        return value

    def element(self, field: str) -> Element:
        """One element."""
        start = self.offset
        return parse_element(self.take(field, 32), field, start)

    def scalar(self, field: str) -> Scalar:
        """One scalar."""
        start = self.offset
        return parse_scalar(self.take(field, 32), field, start)

    def code(self) -> Code:
        """One code."""
        return Code(self.element("code.c1"), self.element("code.c2"))

    def elements(self, field: str, count: int) -> list[Element]:
        """A list of elements of known length (ENC-12), whose space is checked first (ENC-16)."""
        self.need(field, 32 * count)
        return [self.element(field) for _ in range(count)]

    def scalars(self, field: str, count: int) -> list[Scalar]:
        """A list of scalars of known length."""
        self.need(field, 32 * count)
        return [self.scalar(field) for _ in range(count)]

    def codes(self, count: int) -> list[Code]:
        """A list of codes of known length."""
        self.need("codes", 64 * count)
        return [self.code() for _ in range(count)]

    def finish(self) -> None:
        """ENC-15: every byte belongs to a field."""
        left = len(self._data) - self.offset
        if left:
            raise Malformed("trailing", "end of input", self.offset, left)
