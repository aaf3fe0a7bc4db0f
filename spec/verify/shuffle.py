"""Page 40: the permutation argument, and the three shuffles that use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Sequence

import group
from batch import Limits
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
    encode_codes,
    encode_elements,
    encode_scalars,
)
from errors import Invalid
from ristretto import ORDER


class PermutationProof(NamedTuple):
    """SH-9."""

    order: Element
    weights: Element
    first: list[Element]
    product: list[Element]
    responses: list[Scalar]
    product_blind: Scalar


class Opened(NamedTuple):
    """What the linked statement computes with: public weights, masked weights, masked extra secrets, challenge."""

    public: list[Scalar]
    masked: list[Scalar]
    extra: list[Scalar]
    e: Scalar


def read_permutation(reader: Reader, cards: int, lines: int, extra: int) -> PermutationProof:
    """SH-9: `lines` is `E`, `extra` is `L`."""
    check_count(cards, 1, MAX_CARDS, "permutation.cards", reader.offset)
    return PermutationProof(
        reader.element("permutation.order"),
        reader.element("permutation.weights"),
        reader.elements("permutation.first", lines + 2),
        [reader.element("permutation.product") for _ in range(2)],  # ENC-18: item by item
        reader.scalars("permutation.responses", 2 * cards + 1 + extra),
        reader.scalar("permutation.product-blind"),
    )


def all_different(items: Sequence[object], what: str) -> None:
    """No two are equal."""
    if len(set(items)) != len(items):
        raise Invalid(f"{what} twice")


def weighted(scalars: Sequence[Scalar], elements: Sequence[Element], factor: Scalar = 1) -> Sum:
    """`factor·Σ scalar·element`."""
    return [(factor * scalar, element) for scalar, element in zip(scalars, elements, strict=True)]


class Permuted:
    """A statement that is linked to the permutation argument. Subclasses give `lines`, `extra` and `linked`."""

    label: str
    lines: int  # E
    extra: int  # L

    def cards(self) -> int:
        """The number of outputs, from which the decoder takes all sizes (SH-9)."""
        raise NotImplementedError

    def linked(self, opened: Opened) -> list[Sum]:
        """SH-6: the equations without their commitments `F_2 …`."""
        raise NotImplementedError

    def read(self, reader: Reader) -> PermutationProof:
        """SH-9."""
        return read_permutation(reader, self.cards(), self.lines, self.extra)

    def admit_cards(self, limits: Limits) -> None:
        """SH-1."""
        if self.cards() == 0:
            raise Invalid("no cards")
        if self.cards() > limits.slots:  # ENC-21
            raise Invalid("more cards than the table has")

    def replay(self, challenger: Challenger, proof: PermutationProof) -> tuple[list[Sum], bytes]:
        """SH-2 to SH-8."""
        n = self.cards()
        challenger.message("order", proof.order.data)
        z = challenger.challenge("z")
        if 1 <= z <= n:  # SH-2
            raise Invalid("the challenge z is one of the positions")
        public = [pow(k - z, -1, ORDER) for k in range(1, n + 1)]
        challenger.message("weights", proof.weights.data)
        t = challenger.challenge("t")
        challenger.message("first", encode_elements(proof.first))
        challenger.message("product", encode_elements(proof.product))
        e = challenger.challenge("e")
        seal = challenger.close(encode_scalars([*proof.responses, proof.product_blind]))

        sent, rest = proof.responses[: n - 1], proof.responses[n - 1 :]
        places, (weight_blind, order_blind), extra = rest[:n], rest[n : n + 2], rest[n + 2 :]
        masked = [*sent, (e * sum(public) - sum(sent)) % ORDER]  # SH-3
        opened = Opened(public, masked, extra, e)

        slots, blind, value = group.slots(n), group.blind(), group.value()
        v, power = 0, 1
        for weight, place in zip(masked, places, strict=True):
            power = power * t % ORDER
            v += power * (weight * (place - e * z) - e * e)
        equations = [
            [(1, proof.first[0]), (e, proof.weights), *weighted(masked, slots, -1), (-weight_blind, blind)],  # SH-4
            [(1, proof.first[1]), (e, proof.order), *weighted(places, slots, -1), (-order_blind, blind)],  # SH-5
        ]
        for commitment, line in zip(proof.first[2:], self.linked(opened), strict=True):  # SH-6
            equations.append([(1, commitment), *line])
        k0, k1 = proof.product
        equations.append([(1, k0), (e, k1), (-v, value), (-proof.product_blind, blind)])  # SH-7
        return equations, seal


@dataclass
class Shuffle(Permuted):
    """`shuffle/1`: SH-11 to SH-14."""

    key: Element
    input: list[Code]
    output: list[Code]
    label, lines, extra = "shuffle/1", 2, 1

    def cards(self) -> int:
        return len(self.output)

    def admit(self, limits: Limits) -> None:
        """SH-1, SH-12."""
        self.admit_cards(limits)
        if len(self.input) != len(self.output):
            raise Invalid("as many outputs as inputs")
        all_different(self.output, "an output")

    def encode(self) -> bytes:
        return self.key.data + encode_codes(self.input) + encode_codes(self.output)

    def linked(self, opened: Opened) -> list[Sum]:
        """SH-14."""
        (rho,), e = opened.extra, opened.e
        return [
            [
                *weighted(opened.public, [code[half] for code in self.input], e),
                *weighted(opened.masked, [code[half] for code in self.output], -1),
                (-rho, base),
            ]
            for half, base in ((0, GENERATOR), (1, self.key))
        ]


@dataclass
class ExponentShuffle(Permuted):
    """`exponent-shuffle/1`: SH-15 to SH-18."""

    key: Element
    input: list[Element]
    output: list[Element]
    label, lines, extra = "exponent-shuffle/1", 2, 1

    def cards(self) -> int:
        return len(self.output)

    def admit(self, limits: Limits) -> None:
        """SH-1, SH-16."""
        self.admit_cards(limits)
        if len(self.input) != len(self.output):
            raise Invalid("as many outputs as inputs")
        all_different(self.output, "an output")

    def encode(self) -> bytes:
        return self.key.data + encode_elements(self.input) + encode_elements(self.output)

    def linked(self, opened: Opened) -> list[Sum]:
        """SH-18. The first equation has the target 0."""
        (k,) = opened.extra
        return [
            [*weighted(opened.masked, self.output, -1), *weighted(opened.public, self.input, k)],
            [(opened.e, self.key), (-k, GENERATOR)],
        ]


@dataclass
class ReCreation(Permuted):
    """`re-creation/1`: SH-19 to SH-22. SH-23 is for the caller: `held` and `drawn` come from the log."""

    seat_key: Element
    joint_key: Element
    held: list[Code]
    drawn: list[Code]
    created: list[Code]
    label, lines, extra = "re-creation/1", 3, 2

    def cards(self) -> int:
        return len(self.created)

    def admit(self, limits: Limits) -> None:
        """SH-1, SH-20."""
        self.admit_cards(limits)
        if len(self.created) != len(self.held) + len(self.drawn):
            raise Invalid("as many created codes as held and drawn ones")
        all_different(self.created, "a created code")

    def encode(self) -> bytes:
        lists = encode_codes(self.held) + encode_codes(self.drawn) + encode_codes(self.created)
        return self.seat_key.data + self.joint_key.data + lists

    def linked(self, opened: Opened) -> list[Sum]:
        """SH-22."""
        (rho, x), e, m = opened.extra, opened.e, len(self.held)
        inputs = self.held + self.drawn
        return [
            [
                *weighted(opened.public[:m], [code.c1 for code in self.held], e),
                *weighted(opened.masked, [code.c1 for code in self.created], -1),
                (-rho, GENERATOR),
            ],
            [
                *weighted(opened.public, [code.c2 for code in inputs], e),
                *weighted(opened.masked, [code.c2 for code in self.created], -1),
                (-rho, self.joint_key),
                *weighted(opened.public[m:], [code.c1 for code in self.drawn], -x),
            ],
            [(e, self.seat_key), (-x, GENERATOR)],
        ]
