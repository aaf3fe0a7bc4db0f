"""The group ristretto255 (RFC 9496), with plain integers.

Points are tuples `(X, Y, Z, T)` of extended coordinates on the curve -x² + y² = 1 + d·x²·y² modulo `P`. Nothing here is
constant time: a verifier has no secrets.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Iterable, Optional

Point = tuple[int, int, int, int]

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493

D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) ** 2 % P
TWO_D = 2 * D % P

IDENTITY: Point = (0, 1, 1, 0)


def _absolute(x: int) -> int:
    """The non-negative one of `x` and `-x`: a field element is negative if it is odd (RFC 9496, section 3.1)."""
    return P - x if x & 1 else x


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """SQRT_RATIO_M1 of RFC 9496, section 4.2."""
    v3 = v * v % P * v % P
    r = u * v3 % P * pow(u * v3 % P * v3 % P * v % P, (P - 5) // 8, P) % P
    check = v * r % P * r % P
    u %= P
    correct = check == u
    flipped = check == (-u) % P
    flipped_i = check == (-u) * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    return correct or flipped, _absolute(r)


@lru_cache(maxsize=1 << 16)
def decode(data: bytes) -> Optional[Point]:
    """The point with this encoding, or `None` (RFC 9496, section 4.3.1). The identity is a point like any other."""
    if len(data) != 32:
        return None
    s = int.from_bytes(data, "little")
    if s >= P or s & 1:
        return None
    ss = s * s % P
    u1, u2 = (1 - ss) % P, (1 + ss) % P
    u2_sqr = u2 * u2 % P
    v = (-(D * u1 % P * u1) - u2_sqr) % P
    was_square, invsqrt = _sqrt_ratio(1, v * u2_sqr % P)
    den_x = invsqrt * u2 % P
    den_y = invsqrt * den_x % P * v % P
    x = _absolute(2 * s * den_x % P)
    y = u1 * den_y % P
    t = x * y % P
    if not was_square or t & 1 or y == 0:
        return None
    return (x, y, 1, t)


def encode(point: Point) -> bytes:
    """The canonical encoding (RFC 9496, section 4.3.2)."""
    x0, y0, z0, t0 = point
    u1 = (z0 + y0) * (z0 - y0) % P
    u2 = x0 * y0 % P
    _, invsqrt = _sqrt_ratio(1, u1 * u2 % P * u2 % P)
    den1, den2 = invsqrt * u1 % P, invsqrt * u2 % P
    z_inv = den1 * den2 % P * t0 % P
    if t0 * z_inv % P & 1:
        x, y, den_inv = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    else:
        x, y, den_inv = x0, y0, den2
    if x * z_inv % P & 1:
        y = -y % P
    return _absolute(den_inv * (z0 - y) % P).to_bytes(32, "little")


def _map(t: int) -> Point:
    """The function MAP of RFC 9496, section 4.3.4."""
    r = SQRT_M1 * t % P * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = _sqrt_ratio(u, v)
    c = -1
    if not was_square:
        s = -_absolute(s * t % P) % P
        c = r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0, w1 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return (w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P)


def from_uniform(data: bytes) -> Point:
    """The one-way map from 64 bytes (RFC 9496, section 4.3.4)."""
    assert len(data) == 64
    halves = (int.from_bytes(half, "little") & (2**255 - 1) for half in (data[:32], data[32:]))
    first, second = (_map(half % P) for half in halves)
    return add(first, second)


def add(a: Point, b: Point) -> Point:
    """The sum of two points."""
    return _add_cached(a, _cache(b))


def negate(a: Point) -> Point:
    """The negative of a point."""
    return (-a[0] % P, a[1], a[2], -a[3] % P)


def double(a: Point) -> Point:
    """Twice a point."""
    x, y, z, _ = a
    xx, yy = x * x, y * y
    h = xx + yy
    e = h - (x + y) * (x + y)
    g = xx - yy
    f = 2 * z * z + g
    e, f, g, h = e % P, f % P, g % P, h % P
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _cache(a: Point) -> Point:
    """What an addition needs of its second operand."""
    x, y, z, t = a
    return (y - x, y + x, TWO_D * t % P, 2 * z)


def _add_cached(a: Point, b: Point) -> Point:
    x, y, z, t = a
    m = (y - x) * b[0]
    n = (y + x) * b[1]
    c = t * b[2]
    d = z * b[3]
    e, f, g, h = (n - m) % P, (d - c) % P, (d + c) % P, (n + m) % P
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar: int, point: Point) -> Point:
    """The multiple of a point."""
    return multiscalar([(scalar, point)])


WINDOW = 4
MANY = 120  # from here on buckets are faster than tables


def multiscalar(terms: Iterable[tuple[int, Point]]) -> Point:
    """`Σ scalar·point`."""
    short: list[tuple[int, Point]] = []
    for scalar, point in terms:
        scalar %= ORDER
        if scalar > ORDER // 2:  # so that small negative scalars are short
            scalar, point = ORDER - scalar, negate(point)
        if scalar:
            short.append((scalar, point))
    return _straus(short) if len(short) < MANY else _pippenger(short)


def _straus(terms: list[tuple[int, Point]]) -> Point:
    """A table of small multiples for each point, and shared doublings."""
    columns: dict[int, list[Point]] = {}
    for scalar, point in terms:
        table = _multiples(point, min(scalar, (1 << WINDOW) - 1))
        position = 0
        while scalar:
            digit = scalar & ((1 << WINDOW) - 1)
            if digit:
                columns.setdefault(position, []).append(table[digit - 1])
            scalar >>= WINDOW
            position += 1
    total = IDENTITY
    for position in range(max(columns, default=-1), -1, -1):
        for _ in range(WINDOW):
            total = double(total)
        for entry in columns.get(position, ()):
            total = _add_cached(total, entry)
    return total


def _pippenger(terms: list[tuple[int, Point]]) -> Point:
    """For each digit a bucket of the points that have it, and shared doublings. Digits are signed."""
    width = max(4, min(12, len(terms).bit_length() - 2))
    half = 1 << width - 1
    points = [_cache(point) for _, point in terms]
    minus = [(b, a, -c, d) for a, b, c, d in points]
    left = [scalar for scalar, _ in terms]
    columns: list[list[Point]] = []
    while any(left):
        buckets: list[Optional[Point]] = [None] * half
        for i, scalar in enumerate(left):
            digit = (scalar + half - 1) % (2 * half) - half + 1  # from -half + 1 to half
            left[i] = (scalar - digit) >> width
            if digit:
                place, entry = (digit - 1, points[i]) if digit > 0 else (-digit - 1, minus[i])
                buckets[place] = _add_cached(buckets[place] or IDENTITY, entry)
        columns.append([bucket or IDENTITY for bucket in buckets])
    total = IDENTITY
    for column in reversed(columns):
        for _ in range(width):
            total = double(total)
        running = IDENTITY
        for bucket in reversed(column):  # the bucket of digit d is added d times
            running = add(running, bucket)
            total = add(total, running)
    return total


def _multiples(point: Point, count: int) -> list[Point]:
    """`1·point … count·point`, ready to be added."""
    single = _cache(point)
    table, running = [single], point
    for _ in range(count - 1):
        running = _add_cached(running, single)
        table.append(_cache(running))
    return table


def is_identity(a: Point) -> bool:
    """ENC-28: points that differ by a point of small order are one element, so this looks at one coordinate."""
    return a[0] % P == 0 or a[1] % P == 0


GENERATOR_BYTES = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
GENERATOR = decode(GENERATOR_BYTES)
assert GENERATOR is not None and SQRT_M1 & 1 == 0
assert (SQRT_AD_MINUS_ONE**2 + D + 1) % P == 0 and (INVSQRT_A_MINUS_D**2 * (1 + D) + 1) % P == 0
