"""Page 57: cases, and the selection of one of many answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Sequence

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
    encode_codes,
    encode_elements,
    encode_list,
    encode_scalar,
    encode_scalars,
    u32,
)
from containment import digits_and_radix
from disclosure import Form, Numbers, admit_forms, encode_form, encode_numbers, gather, half, i32
from errors import Invalid
from ristretto import ORDER
from shuffle import weighted

MAX_ALTERNATIVES = 4096  # CA-2
MAX_ENTRIES = 4096  # SEL-2


def powers(zeta: Scalar, count: int) -> list[Scalar]:
    """`1, ζ, ζ², …`"""
    return [pow(zeta, exponent, ORDER) for exponent in range(count)]


class CasesProof(NamedTuple):
    """CA-6."""

    first: list[Element]
    challenges: list[Scalar]
    responses: list[Scalar]


@dataclass
class Cases:
    """`cases/1`: CA-1 to CA-6."""

    key: Element
    numbers: Numbers
    cases: list[list[list[Form]]]
    label = "cases/1"

    def alternatives(self) -> int:
        return sum(map(len, self.cases))

    def read(self, reader: Reader) -> CasesProof:
        """CA-6."""
        cases, total = len(self.cases), self.alternatives()
        check_count(cases, 1, max(total, 1), "cases.alternatives", reader.offset)
        check_count(total, cases, MAX_ALTERNATIVES, "cases.alternatives", reader.offset)
        return CasesProof(
            reader.elements("cases.first", 2 * total),
            reader.scalars("cases.challenges", total - cases),
            reader.scalars("cases.responses", total),
        )

    def admit(self, limits: Limits) -> None:
        """CA-2."""
        if not self.cases:
            raise Invalid("no case")
        if not all(self.cases):
            raise Invalid("a case without an alternative")
        if not all(alternative for case in self.cases for alternative in case):
            raise Invalid("an alternative that demands nothing")
        if self.alternatives() > MAX_ALTERNATIVES:
            raise Invalid("too many alternatives")
        admit_forms(self.numbers, (form for case in self.cases for alternative in case for form in alternative))

    def encode(self) -> bytes:
        cases = encode_list(
            encode_list(encode_list(map(encode_form, alternative)) for alternative in case) for case in self.cases
        )
        return self.key.data + encode_numbers(self.numbers) + cases

    def replay(self, challenger: Challenger, proof: CasesProof) -> tuple[list[Sum], bytes]:
        """CA-3 to CA-5."""
        longest = max(len(alternative) for case in self.cases for alternative in case)
        fold = powers(challenger.challenge("fold"), longest)
        challenger.message("first", encode_elements(proof.first))
        e = challenger.challenge("e")
        seal = challenger.close(encode_scalars([*proof.challenges, *proof.responses]))

        equations: list[Sum] = []
        sent, place = iter(proof.challenges), 0
        for case in self.cases:
            challenges = [next(sent) for _ in case[1:]]
            challenges.append((e - sum(challenges)) % ORDER)  # CA-4
            for alternative, c in zip(case, challenges, strict=True):
                factors, constant = gather(self.numbers, zip(fold, alternative))
                z = proof.responses[place]
                for which, base in ((0, GENERATOR), (1, self.key)):
                    folded = half(self.numbers, factors, which) + ([(constant, GENERATOR)] if which else [])
                    equations.append(
                        [(1, proof.first[2 * place + which]), *((c * s, p) for s, p in folded), (-z, base)]
                    )
                place += 1
        return equations, seal


class Entry(NamedTuple):
    """SEL-1."""

    answer: int
    message: int
    values: list[tuple[int, int]]


def encode_entry(entry: Entry) -> bytes:
    """SEL-3."""
    values = encode_list(u32(column) + i32(value) for column, value in entry.values)
    return u32(entry.answer) + u32(entry.message) + values


class SelectionProof(NamedTuple):
    """SEL-9."""

    digits: list[Element]
    lower: list[Code]
    folded: list[Code]
    masked: list[Scalar]
    blinds: list[Scalar]
    base: Element
    first: list[Element]
    response: Scalar


@dataclass
class Selected:
    """`selection/1`: SEL-1 to SEL-9."""

    key: Element
    viewer: Element
    bases: list[Element]
    powers: list[Element]
    entries: list[Entry]
    numbers: Numbers
    columns: list[Form]
    label = "selection/1"

    def read(self, reader: Reader) -> SelectionProof:
        """SEL-9."""
        check_count(len(self.entries), 1, MAX_ENTRIES, "selection.entries", reader.offset)
        m, b = digits_and_radix(len(self.entries))
        return SelectionProof(
            [reader.element("selection.digits") for _ in range(4)],
            [reader.code() for _ in range(m)],
            [reader.code() for _ in range(m)],
            reader.scalars("selection.masked", m * (b - 1)),
            [reader.scalar("selection.blinds") for _ in range(3)],
            reader.element("selection.base"),
            [reader.element("selection.first") for _ in range(2)],
            reader.scalar("selection.response"),
        )

    def admit(self, limits: Limits) -> None:
        """SEL-2, ENC-21."""
        if len(self.bases) != len(self.powers):
            raise Invalid("half an answer")
        if not 1 <= len(self.entries) <= MAX_ENTRIES or len(self.bases) > MAX_ENTRIES:
            raise Invalid("between 1 and 4096 entries and answers")
        if not self.columns:
            raise Invalid("no column")
        for entry in self.entries:
            if entry.answer >= len(self.bases) or any(column >= len(self.columns) for column, _ in entry.values):
                raise Invalid("an entry names what is not there")
        admit_forms(self.numbers, self.columns)
        m, b = digits_and_radix(len(self.entries))
        if m * b > limits.slots:
            raise Invalid("more slots than the table has")

    def encode(self) -> bytes:
        answers = encode_list(base.data + power.data for base, power in zip(self.bases, self.powers, strict=True))
        entries = encode_list(map(encode_entry, self.entries))
        columns = encode_list(map(encode_form, self.columns))
        return self.key.data + self.viewer.data + answers + entries + encode_numbers(self.numbers) + columns

    def replay(self, challenger: Challenger, proof: SelectionProof) -> tuple[list[Sum], bytes]:
        """SEL-4 to SEL-8."""
        m, b = digits_and_radix(len(self.entries))
        fold = powers(challenger.challenge("fold"), len(self.columns))
        challenger.message("digits", encode_elements(proof.digits))
        challenger.message("lower", encode_codes(proof.lower))
        challenger.message("folded", encode_codes(proof.folded))
        x = challenger.challenge("x")
        challenger.message("masked", encode_scalars(proof.masked))
        challenger.message("blinds", encode_scalars(proof.blinds))
        challenger.message("base", proof.base.data)
        challenger.message("first", encode_elements(proof.first))
        c = challenger.challenge("c")
        seal = challenger.close(encode_scalar(proof.response))

        rows: list[list[Scalar]] = []
        for digit in range(m):
            sent = proof.masked[digit * (b - 1) : (digit + 1) * (b - 1)]
            rows.append([(x - sum(sent)) % ORDER, *sent])
        flat = [f for row in rows for f in row]
        slots, blind = group.slots(m * b), group.blind()
        first, bits, mixed, squares = proof.digits
        z_a, z_c, z_w = proof.blinds

        by_answer, message, theta = [0] * len(self.bases), 0, 0
        for j in range(b**m):
            entry = self.entries[j if j < len(self.entries) else 0]  # SEL-5: no place is empty
            p = rows[0][j % b] * (rows[1][j // b] if m == 2 else 1) % ORDER
            by_answer[entry.answer] = (by_answer[entry.answer] + p) % ORDER
            message += p * entry.message
            theta += p * sum(value * fold[column] for column, value in entry.values)
        message, theta = message % ORDER, theta % ORDER
        low = powers(x, m)

        def lower(codes: Sequence[Code], which: int, factor: Scalar) -> Sum:
            return [(factor * p, code[which]) for p, code in zip(low, codes, strict=True)]

        factors, constant = gather(self.numbers, zip(fold, self.columns, strict=True))
        top = pow(x, m, ORDER)
        numbers = [[(top * s, point) for s, point in half(self.numbers, factors, which)] for which in (0, 1)]
        equations: list[Sum] = [
            [(1, first), (x, bits), (-z_a, blind), *weighted(flat, slots, -1)],
            [(1, squares), (x, mixed), (-z_c, blind), *weighted([f * (x - f) % ORDER for f in flat], slots, -1)],
            [*weighted(by_answer, self.bases), *lower(proof.lower, 0, -1), (-1, proof.base)],
            [(1, proof.first[0]), (c, self.viewer), (-proof.response, GENERATOR)],
            [
                (1, proof.first[1]),
                *weighted(by_answer, self.powers, c),
                (-c * message, GENERATOR),
                *lower(proof.lower, 1, -c),
                (-proof.response, proof.base),
            ],
            [*numbers[0], *lower(proof.folded, 0, -1), (-z_w, GENERATOR)],
            [
                *numbers[1],
                (top * constant - theta, GENERATOR),
                *lower(proof.folded, 1, -1),
                (-z_w, self.key),
            ],
        ]
        return equations, seal
