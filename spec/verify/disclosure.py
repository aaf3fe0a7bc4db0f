"""Page 55: encrypted numbers, linear forms over them, and conditional disclosure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Iterable, NamedTuple, Optional, Sequence

import group
from batch import Limits
from challenger import Challenger
from codec import (
    GENERATOR,
    IDENTITY_BYTES,
    Element,
    Reader,
    Scalar,
    Sum,
    check_count,
    encode_elements,
    encode_list,
    encode_scalars,
    u32,
)
from errors import Invalid
from ristretto import ORDER
from shuffle import weighted

MAX_NUMBERS = 4096  # NUM-3
MAX_QUESTIONS = 4096  # DI-2


class Cipher(NamedTuple):
    """NUM-1: a half that is zero is `None`."""

    c1: Optional[Element]
    c2: Optional[Element]


class Form(NamedTuple):
    """NUM-2: `constant + Σ factor·number`."""

    constant: int
    terms: list[tuple[int, int]]


class Numbers(NamedTuple):
    """NUM-3: encrypted numbers, and sums that count as further ones."""

    ciphers: list[Cipher]
    sums: list[Form]


class Question(NamedTuple):
    """DI-1."""

    condition: Form
    message: Form


def i32(n: int) -> bytes:
    """NUM-2."""
    return n.to_bytes(4, "little", signed=True)


def encode_cipher(cipher: Cipher) -> bytes:
    """NUM-1."""
    return b"".join(IDENTITY_BYTES if half is None else half.data for half in cipher)


def encode_form(form: Form) -> bytes:
    """NUM-2."""
    return i32(form.constant) + encode_list(i32(factor) + u32(position) for factor, position in form.terms)


def encode_numbers(numbers: Numbers) -> bytes:
    """NUM-3."""
    return encode_list(map(encode_cipher, numbers.ciphers)) + encode_list(map(encode_form, numbers.sums))


def admit_forms(numbers: Numbers, forms: Iterable[Form]) -> None:
    """NUM-4."""
    count = len(numbers.ciphers)
    if max(count, len(numbers.sums)) > MAX_NUMBERS:
        raise Invalid("more numbers than a statement may have")
    bounds = [(form, count + place) for place, form in enumerate(numbers.sums)]
    bounds += [(form, count + len(numbers.sums)) for form in forms]
    if any(position >= bound for form, bound in bounds for _, position in form.terms):
        raise Invalid("a form names a number that is not there")


def gather(numbers: Numbers, forms: Iterable[tuple[Scalar, Form]]) -> tuple[list[Scalar], Scalar]:
    """NUM-5: the factors of the numbers and of the generator in `Σ factor·form`."""
    count = len(numbers.ciphers)
    factors, constant = [0] * (count + len(numbers.sums)), 0
    for factor, form in forms:
        constant += factor * form.constant
        for part, position in form.terms:
            factors[position] += factor * part
    for place in reversed(range(len(numbers.sums))):
        form = numbers.sums[place]
        constant += factors[count + place] * form.constant
        for part, position in form.terms:
            factors[position] += factors[count + place] * part
    return [factor % ORDER for factor in factors[:count]], constant % ORDER


def half(numbers: Numbers, factors: Sequence[Scalar], which: int) -> Sum:
    """The terms of a sum of numbers in their first or second halves."""
    return [(f, cipher[which]) for f, cipher in zip(factors, numbers.ciphers, strict=True) if cipher[which] is not None]


class Answer(NamedTuple):
    """DI-4."""

    c: Element
    w: Element


class Disclosure(NamedTuple):
    """DI-9."""

    tag: Element
    answers: list[Answer]
    first: list[Element]
    masked: list[Scalar]
    rest: list[Scalar]


@cache
def blind_base() -> Element:
    """DI-3: the generator `D`."""
    return group.hash_to_group("disclosure blind", ())


@cache
def tag_base(number: int) -> Element:
    """DI-3: the generators `D_i`."""
    return group.hash_to_group("disclosure tag", (u32(number),))


@dataclass
class Disclosed:
    """`disclosure/1`: DI-1 to DI-9."""

    issuer: Element
    viewer: Element
    numbers: Numbers
    questions: list[Question]
    label = "disclosure/1"

    def read(self, reader: Reader) -> Disclosure:
        """DI-9."""
        n = len(self.questions)
        check_count(n, 1, MAX_QUESTIONS, "disclosure.questions", reader.offset)
        tag = reader.element("disclosure.tag")
        reader.need("disclosure.answers", 64 * n)
        names = ("disclosure.c", "disclosure.w")
        return Disclosure(
            tag,
            [Answer(*(reader.element(name) for name in names)) for _ in range(n)],
            [reader.element("disclosure.first") for _ in range(4)],
            reader.scalars("disclosure.masked", n),
            [reader.scalar("disclosure.rest") for _ in range(3)],
        )

    def admit(self, limits: Limits) -> None:
        """DI-2."""
        if not 1 <= len(self.questions) <= MAX_QUESTIONS:
            raise Invalid("between 1 and 4096 questions")
        admit_forms(self.numbers, (form for question in self.questions for form in question))

    def encode(self) -> bytes:
        questions = encode_list(encode_form(q.condition) + encode_form(q.message) for q in self.questions)
        return self.issuer.data + self.viewer.data + encode_numbers(self.numbers) + questions

    def replay(self, challenger: Challenger, proof: Disclosure) -> tuple[list[Sum], bytes]:
        """DI-5 to DI-8."""
        n = len(self.questions)
        challenger.message("tag", proof.tag.data)
        offsets = challenger.challenges("offsets", n)
        challenger.message("answers", encode_list(b"".join(part.data for part in answer) for answer in proof.answers))
        weights = [full % (1 << 128) for full in challenger.challenges("weights", n)]  # DI-5
        challenger.message("first", encode_elements(proof.first))
        e = challenger.challenge("e")
        seal = challenger.close(encode_scalars([*proof.masked, *proof.rest]))

        z_s, z_t, z_a = proof.rest
        opened = weighted(proof.masked, [tag_base(i) for i in range(n)], -1)
        equations: list[Sum] = [[(1, proof.first[0]), (e, proof.tag), (-z_s, blind_base()), *opened]]
        forms: list[tuple[Scalar, Form]] = []
        for w, h, z, question in zip(weights, offsets, proof.masked, self.questions, strict=True):
            forms += [(-w * (e * h + z), question.condition), (-w * e, question.message)]
        factors, constant = gather(self.numbers, forms)
        of_c, of_w = [answer.c for answer in proof.answers], [answer.w for answer in proof.answers]
        equations.append(
            [(1, proof.first[1]), *weighted(weights, of_c, e), *half(self.numbers, factors, 0), (-z_t, GENERATOR)]
        )
        equations.append(
            [
                (1, proof.first[2]),
                *weighted(weights, of_w, e),
                *weighted(weights, of_c, z_a),
                *half(self.numbers, factors, 1),
                (constant, GENERATOR),
                (-z_t, self.issuer),
                (-z_t, self.viewer),
            ]
        )
        equations.append([(1, proof.first[3]), (e, self.issuer), (-z_a, GENERATOR)])
        return equations, seal
