"""LOG-2: Ed25519 (RFC 8032), with the strict rules of page 80.

The curve is the one below ristretto255, so the additions come from there. Multiplication does not: scalars must not be
reduced or negated modulo the prime order, because a point here may have a part of small order.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha512
from typing import Optional

from ristretto import IDENTITY, ORDER, SQRT_M1, D, P, Point, add, double, negate


def _recover_x(y: int, sign: int) -> Optional[int]:
    """RFC 8032, section 5.1.3, steps 2 to 4."""
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * SQRT_M1 % P
    elif v * x * x % P != u:
        return None
    if x == 0 and sign:
        return None
    return P - x if x & 1 != sign else x


def decode(data: bytes) -> Optional[Point]:
    """The point with this encoding, or `None`: there is one encoding of each (RFC 8032, section 5.1.3)."""
    if len(data) != 32:
        return None
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    x = _recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def encode(point: Point) -> bytes:
    """RFC 8032, section 5.1.2."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _same(a: Point, b: Point) -> bool:
    """Equal as points of the curve, not as elements of a quotient."""
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def small_order(point: Point) -> bool:
    """Whether eight times the point is the identity."""
    return _same(double(double(double(point))), IDENTITY)


@lru_cache(maxsize=64)
def _odd_multiples(point: Point) -> list[Point]:
    twice, table = double(point), [point]
    for _ in range(7):
        table.append(add(table[-1], twice))
    return table


def _digits(scalar: int) -> dict[int, int]:
    """Odd digits below 16 in absolute value, and their positions (a window of five bits)."""
    digits, position = {}, 0
    while scalar:
        if scalar & 1:
            digit = (scalar + 16) % 32 - 16
            digits[position] = digit
            scalar -= digit
        scalar >>= 1
        position += 1
    return digits


def double_multiply(first: int, a: Point, second: int, b: Point) -> Point:
    """`first·a + second·b` for non-negative integers, which are not reduced."""
    pairs = [(_digits(first), _odd_multiples(a)), (_digits(second), _odd_multiples(b))]
    total = IDENTITY
    for position in range(max((p for digits, _ in pairs for p in digits), default=-1), -1, -1):
        total = double(total)
        for digits, table in pairs:
            digit = digits.get(position)
            if digit is not None:
                total = add(total, table[digit >> 1] if digit > 0 else negate(table[-digit >> 1]))
    return total


BASE_Y = 4 * pow(5, -1, P) % P
_BASE = decode(BASE_Y.to_bytes(32, "little"))
assert _BASE is not None
BASE: Point = _BASE


def challenge(first: bytes, key: bytes, message: bytes) -> int:
    """`k` of RFC 8032, section 5.1.7, modulo the prime order."""
    return int.from_bytes(sha512(first + key + message).digest(), "little") % ORDER


@lru_cache(maxsize=256)
def public_point(key: bytes) -> Optional[Point]:
    """LOG-2: the point of a key, or `None` if the key is refused."""
    point = decode(key)
    return None if point is None or small_order(point) else point


def admissible(key: bytes) -> bool:
    """LOG-2, LOG-3: whether an offer may name this key."""
    return public_point(key) is not None


@lru_cache(maxsize=1 << 14)
def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """LOG-2: small orders and other encodings are refused, and there is no cofactor."""
    if len(signature) != 64:
        return False
    public, first = public_point(key), decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if public is None or first is None or s >= ORDER or small_order(first):
        return False
    k = challenge(signature[:32], key, message)
    return _same(double_multiply(s, BASE, k, negate(public)), first)


# --- for tests only -------------------------------------------------------------------------------------------------


def public_key(seed: bytes) -> bytes:
    """RFC 8032, section 5.1.5."""
    return encode(double_multiply(_expand(seed)[0], BASE, 0, IDENTITY))


def _expand(seed: bytes) -> tuple[int, bytes]:
    digest = sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return scalar, digest[32:]


def sign(seed: bytes, message: bytes, other: bytes = b"") -> bytes:
    """RFC 8032, section 5.1.6. Not constant time. With `other` bytes, another signature of the same message."""
    secret, prefix = _expand(seed)
    key = public_key(seed)
    nonce = int.from_bytes(sha512(prefix + other + message).digest(), "little") % ORDER
    first = encode(double_multiply(nonce, BASE, 0, IDENTITY))
    return first + ((nonce + challenge(first, key, message) * secret) % ORDER).to_bytes(32, "little")
