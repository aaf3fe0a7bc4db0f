"""Page 60: one-of-many, and the rule check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Sequence

import group
from batch import Claim, Limits, replay
from challenger import Challenger
from codec import (
    GENERATOR,
    MAX_CARDS,
    Code,
    Element,
    Reader,
    Scalar,
    Sum,
    check_count,
    encode_code,
    encode_codes,
    encode_elements,
    encode_scalars,
)
from errors import Invalid
from ristretto import ORDER
from shuffle import Opened, Permuted, all_different, weighted


def digits_and_radix(faces: int) -> tuple[int, int]:
    """OM-3: the number of digits `m` and the radix `b`."""
    m = 1 if faces <= 4 else 2
    b = 1
    while b**m < faces:
        b += 1
    return m, b


class OneOfManyProof(NamedTuple):
    """OM-8."""

    digits: list[Element]
    lower: list[Code]
    masked: list[Scalar]
    blinds: list[Scalar]


@dataclass
class OneOfMany:
    """`one-of-many/1`: OM-1 to OM-8."""

    key: Element
    code: Code
    faces: list[Element]
    label = "one-of-many/1"

    def read(self, reader: Reader) -> OneOfManyProof:
        """OM-7, OM-8. Three of the four lists are read item by item (ENC-18)."""
        check_count(len(self.faces), 1, MAX_CARDS, "one-of-many.faces", reader.offset)
        m, b = digits_and_radix(len(self.faces))
        return OneOfManyProof(
            [reader.element("one-of-many.digits") for _ in range(4)],
            [reader.code() for _ in range(m)],
            reader.scalars("one-of-many.masked", m * (b - 1)),
            [reader.scalar("one-of-many.blinds") for _ in range(3)],
        )

    def admit(self, limits: Limits) -> None:
        """OM-2, ENC-21."""
        if not 1 <= len(self.faces) <= MAX_CARDS:
            raise Invalid("between 1 and 1040 faces")
        m, b = digits_and_radix(len(self.faces))
        if m * b > limits.slots:  # ENC-21, of slot generators: the digit vectors have m·b entries
            raise Invalid("more slots than the table has")
        all_different(self.faces, "a face")

    def encode(self) -> bytes:
        return self.key.data + encode_code(self.code) + encode_elements(self.faces)

    def replay(self, challenger: Challenger, proof: OneOfManyProof) -> tuple[list[Sum], bytes]:
        """OM-5, OM-6."""
        m, b = digits_and_radix(len(self.faces))
        challenger.message("digits", encode_elements(proof.digits))
        challenger.message("lower", encode_codes(proof.lower))
        x = challenger.challenge("x")
        seal = challenger.close(encode_scalars([*proof.masked, *proof.blinds]))

        rows: list[list[Scalar]] = []
        for digit in range(m):
            sent = proof.masked[digit * (b - 1) : (digit + 1) * (b - 1)]
            rows.append([(x - sum(sent)) % ORDER, *sent])  # OM-5
        flat = [f for row in rows for f in row]
        slots, blind = group.slots(m * b), group.blind()
        first, bits, mixed, squares = proof.digits
        z_a, z_c, z = proof.blinds
        top = pow(x, m, ORDER)

        equations: list[Sum] = [
            [(1, first), (x, bits), (-z_a, blind), *weighted(flat, slots, -1)],
            [(1, squares), (x, mixed), (-z_c, blind), *weighted([f * (x - f) % ORDER for f in flat], slots, -1)],
        ]
        for half, base in ((0, GENERATOR), (1, self.key)):
            lower = [(pow(x, k, ORDER), code[half]) for k, code in enumerate(proof.lower)]
            equations.append([*lower, (z, base), (-top, self.code[half])])
        for j in range(b**m):
            product = rows[0][j % b] * (rows[1][j // b] if m == 2 else 1) % ORDER
            equations[3].append((product, self.faces[j if j < len(self.faces) else 0]))  # OM-4: no slot is empty
        return equations, seal


@dataclass
class Containment(Permuted):
    """`containment/1`: CO-1 to CO-4."""

    key: Element
    faces: list[Element]
    codes: list[Code]
    padding: list[Code]
    label, lines, extra = "containment/1", 2, 1

    def cards(self) -> int:
        return len(self.faces)

    def admit(self, limits: Limits) -> None:
        """CO-2, SH-1."""
        admit_rule_check(self.faces, self.codes)
        self.admit_cards(limits)
        if len(self.codes) + len(self.padding) != len(self.faces):
            raise Invalid("as many codes and padding codes as faces")
        all_different(self.codes + self.padding, "a code")

    def encode(self) -> bytes:
        return (
            self.key.data + encode_elements(self.faces) + encode_codes(self.codes) + encode_codes(self.padding)
        )

    def linked(self, opened: Opened) -> list[Sum]:
        """CO-4. The faces count as encrypted with randomness 0, so the first equation has the target 0."""
        (rho,), codes = opened.extra, self.codes + self.padding
        return [
            [*weighted(opened.masked, [code.c1 for code in codes], -1), (-rho, GENERATOR)],
            [
                *weighted(opened.public, self.faces, opened.e),
                *weighted(opened.masked, [code.c2 for code in codes], -1),
                (-rho, self.key),
            ],
        ]


# --- the rule check as a whole --------------------------------------------------------------------------------------


def check_counts(codes: int, faces: int, offset: int = 0) -> None:
    """CO-10: counts that no proof can have."""
    check_count(faces, 1, MAX_CARDS, "containment.codes", offset)
    check_count(codes, 1, faces, "containment.codes", offset)


def faces_of_set(pack: Sequence[Element], numbers: Sequence[int]) -> list[Element]:
    """CO-5."""
    if any(not 0 <= number < len(pack) for number in numbers):
        raise Invalid("a card that the pack does not have")
    return [pack[number] for number in numbers]


def admit_rule_check(faces: Sequence[Element], codes: Sequence[Code]) -> None:
    """CO-6."""
    if not codes:
        raise Invalid("no code")
    if len(codes) > len(faces):
        raise Invalid("more codes than faces")
    if len(faces) > MAX_CARDS:
        raise Invalid("more than 1040 faces")
    all_different(faces, "a face")
    all_different(codes, "a code")


def check_rule(
    challenger: Challenger,
    key: Element,
    pack: Sequence[Element],
    numbers: Sequence[int],
    codes: list[Code],
    data: bytes,
    limits: Limits = Limits(),
) -> Claim:
    """CO-5 to CO-10: the number of codes decides between the two proofs (CO-7), nothing else does (CO-8)."""
    check_counts(len(codes), len(numbers))
    reader = Reader(data)
    # The decoder takes only the number of faces from the set; what they are is a matter of the statement.
    stand_in = [key] * len(numbers)
    if len(codes) == 1:
        single = OneOfMany(key, codes[0], stand_in).read(reader)
        reader.finish()
        return replay(OneOfMany(key, codes[0], faces_of_set(pack, numbers)), challenger, single, limits)
    padding = reader.codes(len(numbers) - len(codes))
    several = Containment(key, stand_in, codes, padding).read(reader)
    reader.finish()
    return replay(Containment(key, faces_of_set(pack, numbers), codes, padding), challenger, several, limits)
