"""Page 58: a key was used on one of many rows of points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import group
from batch import Limits
from challenger import Challenger
from codec import (
    GENERATOR,
    Code,
    Element,
    Reader,
    Scalar,
    Sum,
    check_count,
    encode_code,
    encode_codes,
    encode_elements,
    encode_list,
    encode_scalar,
    encode_scalars,
    u32,
)
from containment import digits_and_radix
from errors import Invalid
from ristretto import ORDER
from shuffle import weighted

MAX_ROWS = 4096  # ROW-2
MAX_COLUMNS = 16  # ROW-2


class RowsProof(NamedTuple):
    """ROW-9."""

    digits: list[Element]
    lower: list[tuple[Code, Code]]
    pair: Code
    first: list[Element]
    masked: list[Scalar]
    rest: list[Scalar]


@dataclass
class OneOfRows:
    """`one-of-rows/1`: ROW-1 to ROW-9."""

    key: Element
    powers: list[Element]
    bases: list[Element]
    numbers: list[int]
    joint: Element
    code: Code
    label = "one-of-rows/1"

    def read(self, reader: Reader) -> RowsProof:
        """ROW-9."""
        check_count(len(self.numbers), 1, MAX_ROWS, "one-of-rows.rows", reader.offset)
        m, b = digits_and_radix(len(self.numbers))
        return RowsProof(
            [reader.element("one-of-rows.digits") for _ in range(4)],
            [(reader.code(), reader.code()) for _ in range(m)],
            reader.code(),
            [reader.element("one-of-rows.first") for _ in range(2)],
            reader.scalars("one-of-rows.masked", m * (b - 1)),
            [reader.scalar("one-of-rows.rest") for _ in range(4)],
        )

    def admit(self, limits: Limits) -> None:
        """ROW-2, ENC-21."""
        rows, columns = len(self.numbers), len(self.powers)
        if not 1 <= rows <= MAX_ROWS or not 1 <= columns <= MAX_COLUMNS:
            raise Invalid("between 1 and 4096 rows of between 1 and 16 points")
        if len(self.bases) != rows * columns:
            raise Invalid("every row has as many points as the key made")
        m, b = digits_and_radix(rows)
        if m * b > limits.slots:
            raise Invalid("more slots than the table has")

    def encode(self) -> bytes:
        numbers = encode_list(map(u32, self.numbers))
        points = encode_elements(self.powers) + encode_elements(self.bases)
        return self.key.data + points + numbers + self.joint.data + encode_code(self.code)

    def replay(self, challenger: Challenger, proof: RowsProof) -> tuple[list[Sum], bytes]:
        """ROW-3 to ROW-8."""
        m, b = digits_and_radix(len(self.numbers))
        weights = challenger.challenges("weights", len(self.powers))
        challenger.message("digits", encode_elements(proof.digits))
        challenger.message("lower", encode_codes([code for pair in proof.lower for code in pair]))
        x = challenger.challenge("x")
        z_a, z_c, z_w, z = proof.rest
        challenger.message("masked", encode_scalars(proof.masked))
        challenger.message("opening", encode_scalars([z_a, z_c, z_w]))
        challenger.message("pair", encode_code(proof.pair))
        challenger.message("first", encode_elements(proof.first))
        c = challenger.challenge("c")
        seal = challenger.close(encode_scalar(z))

        rows: list[list[Scalar]] = []
        for digit in range(m):
            sent = proof.masked[digit * (b - 1) : (digit + 1) * (b - 1)]
            rows.append([(x - sum(sent)) % ORDER, *sent])  # ROW-5
        flat = [f for row in rows for f in row]
        slots, blind = group.slots(m * b), group.blind()
        first, bits, mixed, squares = proof.digits

        by_row = [0] * len(self.numbers)
        for j in range(b**m):
            p = rows[0][j % b] * (rows[1][j // b] if m == 2 else 1) % ORDER
            row = j if j < len(self.numbers) else 0  # ROW-4: no slot is empty
            by_row[row] = (by_row[row] + p) % ORDER
        number = sum(p * n for p, n in zip(by_row, self.numbers, strict=True)) % ORDER
        by_base = [p * weight % ORDER for p in by_row for weight in weights]
        top = pow(x, m, ORDER)

        def lower(which: int, half: int, sign: int) -> Sum:
            return [(sign * pow(x, k, ORDER), pair[which][half]) for k, pair in enumerate(proof.lower)]

        equations: list[Sum] = [
            [(1, first), (x, bits), (-z_a, blind), *weighted(flat, slots, -1)],
            [(1, squares), (x, mixed), (-z_c, blind), *weighted([f * (x - f) % ORDER for f in flat], slots, -1)],
            [*weighted(by_base, self.bases), *lower(0, 0, -1), (-1, proof.pair[0])],
            [*weighted(weights, self.powers, top), *lower(0, 1, -1), (-1, proof.pair[1])],
            [(z_w, GENERATOR), *lower(1, 0, 1), (-top, self.code[0])],
            [(z_w, self.joint), (number, GENERATOR), *lower(1, 1, 1), (-top, self.code[1])],
            [(1, proof.first[0]), (c, self.key), (-z, GENERATOR)],
            [(1, proof.first[1]), (c, proof.pair[1]), (-z, proof.pair[0])],
        ]
        return equations, seal
