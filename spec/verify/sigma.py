"""Page 30: linear relations, and the statements made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Union

from batch import Limits
from challenger import Challenger
from codec import (
    GENERATOR,
    Code,
    Element,
    Reader,
    Scalar,
    Sum,
    encode_code,
    encode_elements,
    encode_list,
    encode_scalar,
    encode_scalars,
    u32,
)
from errors import Invalid


class Line(NamedTuple):
    """One equation of a relation: the target, and for each term the index of its secret and its base."""

    target: Sum
    terms: list[tuple[int, Sum]]


@dataclass
class Relation:
    """`target = Σ secret·base` for every line."""

    secrets: int
    lines: list[Line]


def one(element: Element) -> Sum:
    """An element as a sum."""
    return [(1, element)]


def minus(a: Element, b: Element) -> Sum:
    """A difference as a sum."""
    return [(1, a), (-1, b)]


def scaled(factor: Scalar, terms: Sum) -> Sum:
    """A multiple of a sum."""
    return [(factor * scalar, element) for scalar, element in terms]


def sigma_equations(relation: Relation, commitments: list[Element], c: Scalar, responses: list[Scalar]) -> list[Sum]:
    """SIG-3: `A_j + c·T_j − Σ z·P = 0`."""
    equations: list[Sum] = []
    for commitment, line in zip(commitments, relation.lines, strict=True):
        equation = [(1, commitment), *scaled(c, line.target)]
        for secret, base in line.terms:
            equation += scaled(-responses[secret], base)
        equations.append(equation)
    return equations


class SigmaProof(NamedTuple):
    """SIG-4."""

    commitments: list[Element]
    responses: list[Scalar]


class Sigma:
    """What all statements of one relation have in common. Subclasses give the sizes and the relation."""

    label: str
    lines: int
    secrets: int

    def read(self, reader: Reader) -> SigmaProof:
        """SIG-4. The sizes follow from the label, so SIG-1 holds for the shape."""
        return SigmaProof(
            reader.elements("sigma.commitments", self.lines), reader.scalars("sigma.responses", self.secrets)
        )

    def admit(self, limits: Limits) -> None:
        """SIG-1: most statements are always admissible."""

    def encode(self) -> bytes:
        """CH-7."""
        raise NotImplementedError

    def relation(self, challenger: Challenger) -> Relation:
        """The relation. Called after `open`; may draw weights (step 2)."""
        raise NotImplementedError

    def replay(self, challenger: Challenger, proof: SigmaProof) -> tuple[list[Sum], bytes]:
        """SIG-2: steps 2 to 5."""
        relation = self.relation(challenger)
        challenger.message("commitments", encode_elements(proof.commitments))
        c = challenger.challenge("c")
        seal = challenger.close(encode_scalars(proof.responses))
        return sigma_equations(relation, proof.commitments, c, proof.responses), seal


@dataclass
class Possession(Sigma):
    """`possession/1`: SIG-5, SIG-6."""

    key: Element
    label, lines, secrets = "possession/1", 1, 1

    def encode(self) -> bytes:
        return self.key.data

    def relation(self, challenger: Challenger) -> Relation:
        return Relation(1, [Line(one(self.key), [(0, one(GENERATOR))])])


@dataclass
class SameExponent(Sigma):
    """`same-exponent/1`: SIG-7, SIG-8."""

    g: Element
    x: Element
    h: Element
    y: Element
    label, lines, secrets = "same-exponent/1", 2, 1

    def encode(self) -> bytes:
        return self.g.data + self.x.data + self.h.data + self.y.data

    def relation(self, challenger: Challenger) -> Relation:
        return Relation(1, [Line(one(self.x), [(0, one(self.g))]), Line(one(self.y), [(0, one(self.h))])])


@dataclass
class SameExponents(Sigma):
    """`same-exponents/1`: SIG-9 to SIG-12."""

    key: Element
    bases: list[Element]
    powers: list[Element]
    label, lines, secrets = "same-exponents/1", 2, 1

    def admit(self, limits: Limits) -> None:
        if not self.bases:  # SIG-9
            raise Invalid("no bases")
        if len(self.bases) != len(self.powers):  # SIG-9
            raise Invalid("as many powers as bases")

    def encode(self) -> bytes:
        return self.key.data + encode_elements(self.bases) + encode_elements(self.powers)

    def relation(self, challenger: Challenger) -> Relation:
        weights = challenger.challenges("weights", len(self.bases))  # SIG-10
        powers, bases = list(zip(weights, self.powers)), list(zip(weights, self.bases))
        return Relation(1, [Line(one(self.key), [(0, one(GENERATOR))]), Line(powers, [(0, bases)])])  # SIG-11


@dataclass
class ReEncryption(Sigma):
    """`re-encryption/1`: SIG-13, SIG-14."""

    key: Element
    input: Code
    output: Code
    label, lines, secrets = "re-encryption/1", 2, 1

    def encode(self) -> bytes:
        return self.key.data + encode_code(self.input) + encode_code(self.output)

    def relation(self, challenger: Challenger) -> Relation:
        first = Line(minus(self.output.c1, self.input.c1), [(0, one(GENERATOR))])
        return Relation(1, [first, Line(minus(self.output.c2, self.input.c2), [(0, one(self.key))])])


@dataclass
class SameCard(Sigma):
    """`same-card/1`: SIG-15, SIG-16."""

    seat_key: Element
    joint_key: Element
    drawn: Code
    created: Code
    label, lines, secrets = "same-card/1", 3, 2

    def encode(self) -> bytes:
        return self.seat_key.data + self.joint_key.data + encode_code(self.drawn) + encode_code(self.created)

    def relation(self, challenger: Challenger) -> Relation:
        third = Line(minus(self.drawn.c2, self.created.c2), [(0, one(self.drawn.c1)), (1, [(-1, self.joint_key)])])
        own = Line(one(self.seat_key), [(0, one(GENERATOR))])
        return Relation(2, [own, Line(one(self.created.c1), [(1, one(GENERATOR))]), third])


# --- any of ---------------------------------------------------------------------------------------------------------

# SIG-20: an element and a sum of one term are different statements, so a public base remembers which it is.
Base = Union[Element, Sum]


class PublicLine(NamedTuple):
    """One equation of a branch, as the statement has it."""

    target: Base
    terms: list[tuple[int, Base]]


class Branch(NamedTuple):
    """One relation of `any-of/1`, as the statement has it."""

    secrets: int
    lines: list[PublicLine]

    def relation(self) -> Relation:
        """The same relation, for computing."""
        return Relation(
            self.secrets, [Line(_sum(line.target), [(v, _sum(b)) for v, b in line.terms]) for line in self.lines]
        )


def _sum(base: Base) -> Sum:
    return one(base) if isinstance(base, Element) else base


def _encode_base(base: Base) -> bytes:
    """SIG-20."""
    if isinstance(base, Element):
        return b"\0" + base.data
    return b"\1" + encode_list(encode_scalar(scalar) + element.data for scalar, element in base)


class AnyOfProof(NamedTuple):
    """SIG-24. Flat lists, branch by branch."""

    commitments: list[Element]
    challenges: list[Scalar]
    responses: list[Scalar]


@dataclass
class AnyOf:
    """`any-of/1`: SIG-20 to SIG-24."""

    branches: list[Branch]
    label = "any-of/1"

    def read(self, reader: Reader) -> AnyOfProof:
        """SIG-24."""
        return AnyOfProof(
            reader.elements("any-of.commitments", sum(len(branch.lines) for branch in self.branches)),
            reader.scalars("any-of.challenges", max(len(self.branches) - 1, 0)),
            reader.scalars("any-of.responses", sum(branch.secrets for branch in self.branches)),
        )

    def admit(self, limits: Limits) -> None:
        """SIG-21."""
        if not self.branches:
            raise Invalid("no branch")
        for branch in self.branches:
            if not branch.lines:
                raise Invalid("a branch without equations")
            if any(v >= branch.secrets for line in branch.lines for v, _ in line.terms):
                raise Invalid("a secret that its relation does not have")

    def encode(self) -> bytes:
        """The list of relations, each equation with its terms before the next one."""

        def line(item: PublicLine) -> bytes:
            return _encode_base(item.target) + encode_list(u32(v) + _encode_base(base) for v, base in item.terms)

        return encode_list(u32(branch.secrets) + encode_list(map(line, branch.lines)) for branch in self.branches)

    def replay(self, challenger: Challenger, proof: AnyOfProof) -> tuple[list[Sum], bytes]:
        """SIG-22, SIG-23."""
        left = iter(proof.commitments)
        commitments = [[next(left) for _ in branch.lines] for branch in self.branches]
        challenger.message("commitments", encode_list(map(encode_elements, commitments)))
        c = challenger.challenge("c")
        seal = challenger.close(encode_scalars([*proof.challenges, *proof.responses]))
        challenges = [*proof.challenges, c - sum(proof.challenges)]  # SIG-22, step 5
        answers = iter(proof.responses)
        equations: list[Sum] = []
        for branch, own, part in zip(self.branches, commitments, challenges, strict=True):
            responses = [next(answers) for _ in range(branch.secrets)]
            equations += sigma_equations(branch.relation(), own, part, responses)
        return equations, seal
