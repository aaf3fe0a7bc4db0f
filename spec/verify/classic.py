"""Page 45: the shuffle of the thesis, by cut-and-choose, and classic containment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Sequence

from batch import Claim, Limits, replay
from challenger import Challenger, Context
from codec import (
    GENERATOR,
    MAX_CLASSIC_CARDS,
    Code,
    Element,
    Reader,
    Scalar,
    Sum,
    check_count,
    encode_code,
    encode_codes,
    encode_elements,
    encode_scalar,
    u16,
    u32,
)
from commitments import Coin, Toss
from containment import admit_rule_check, check_counts, faces_of_set
from errors import Invalid, Malformed
from shuffle import all_different

MAX_ROUNDS = 256  # CL-1
LEAST_ROUNDS = 128  # CL-2

# A deck as sums, because the open deck of classic containment is one: for each card its two halves.
Deck = list[tuple[Sum, Sum]]


class Way(NamedTuple):
    """A permutation and masks (CL-3)."""

    order: list[int]
    masks: list[Scalar]


class ClassicProof(NamedTuple):
    """CL-9, and the padding of CL-19."""

    padding: list[Code]
    shadows: list[list[Code]]
    openings: list[Way]


def deck_of(codes: Sequence[Code]) -> Deck:
    """Codes as sums."""
    return [([(1, code.c1)], [(1, code.c2)]) for code in codes]


def open_encryption(faces: Sequence[Element], key: Element) -> Deck:
    """CL-17, D-7: `(G, d + H)` for each face."""
    return [([(1, GENERATOR)], [(1, face), (1, key)]) for face in faces]


# --- bytes ----------------------------------------------------------------------------------------------------------


def read_shadows(reader: Reader, cards: int, rounds: int) -> list[list[Code]]:
    """CL-11."""
    check_count(cards, 1, MAX_CLASSIC_CARDS, "shadows", reader.offset)
    reader.need("shadows", 64 * cards * rounds)
    return [reader.codes(cards) for _ in range(rounds)]


def read_way(reader: Reader, cards: int) -> Way:
    """CL-10, CL-12, CL-13."""
    order: list[int] = []
    seen: set[int] = set()
    for index in range(cards):
        start = reader.offset
        position = reader.u16("opening.order", 0, cards - 1)
        if position in seen:
            raise Malformed("repeated", "opening.order", start, index)
        seen.add(position)
        order.append(position)
    return Way(order, reader.scalars("opening.masks", cards))


def read_openings(reader: Reader, cards: int, rounds: int) -> list[Way]:
    """CL-12."""
    check_count(cards, 1, MAX_CLASSIC_CARDS, "openings", reader.offset)
    reader.need("openings", 34 * cards * rounds)
    return [read_way(reader, cards) for _ in range(rounds)]


def hashed_shadows(shadows: Sequence[Sequence[Code]]) -> bytes:
    """CL-6: without any length (ENC-11)."""
    return b"".join(encode_code(code) for shadow in shadows for code in shadow)


def hashed_openings(openings: Sequence[Way]) -> bytes:
    """CL-6, CL-10: without any length (ENC-11)."""
    return b"".join(
        b"".join(map(u16, way.order)) + b"".join(map(encode_scalar, way.masks)) for way in openings
    )


# --- equations ------------------------------------------------------------------------------------------------------


def way_equations(
    key: Element,
    before: Deck,
    after: Deck,
    shadows: Sequence[Sequence[Code]],
    bits: Sequence[int],
    openings: Sequence[Way],
) -> list[Sum]:
    """CL-7, in the order of CL-8: by shadow, by card, by half."""
    equations: list[Sum] = []
    for shadow, bit, way in zip(shadows, bits, openings, strict=True):
        deck = after if bit else before
        for code, place, mask in zip(shadow, way.order, way.masks, strict=True):
            for half, base in ((0, GENERATOR), (1, key)):
                minus = [(-scalar, element) for scalar, element in deck[place][half]]
                equations.append([(1, code[half]), *minus, (-mask, base)])
    return equations


def cut_and_choose(
    challenger: Challenger, key: Element, before: Deck, after: Deck, rounds: int, proof: ClassicProof
) -> tuple[list[Sum], bytes]:
    """Steps 2 to 4 of CL-6, and the check."""
    challenger.message("shadows", hashed_shadows(proof.shadows))
    bits = challenger.bits("bits", rounds)
    seal = challenger.close(hashed_openings(proof.openings))
    return way_equations(key, before, after, proof.shadows, bits, proof.openings), seal


# --- shuffle --------------------------------------------------------------------------------------------------------


@dataclass
class ClassicShuffle:
    """`classic-shuffle/1`, non-interactive: CL-4 to CL-13."""

    key: Element
    input: list[Code]
    output: list[Code]
    rounds: int
    label = "classic-shuffle/1"

    def cards(self) -> int:
        """The number from which the decoder takes all sizes."""
        return len(self.output)

    def read(self, reader: Reader) -> ClassicProof:
        """CL-9, after CL-2: fewer rounds are refused before anything is read."""
        if not LEAST_ROUNDS <= self.rounds <= MAX_ROUNDS:
            raise Invalid("between 128 and 256 rounds")
        shadows = read_shadows(reader, self.cards(), self.rounds)
        return ClassicProof([], shadows, read_openings(reader, self.cards(), self.rounds))

    def admit(self, limits: Limits) -> None:
        """CL-5, ENC-19."""
        if not 1 <= self.cards() <= MAX_CLASSIC_CARDS:
            raise Invalid("between 1 and 128 cards")
        if len(self.input) != len(self.output):
            raise Invalid("as many outputs as inputs")
        all_different(self.output, "an output")

    def encode(self) -> bytes:
        return self.key.data + encode_codes(self.input) + encode_codes(self.output) + u32(self.rounds)

    def replay(self, challenger: Challenger, proof: ClassicProof) -> tuple[list[Sum], bytes]:
        """CL-6, CL-7."""
        return cut_and_choose(
            challenger, self.key, deck_of(self.input), deck_of(self.output), self.rounds, proof
        )


def subject_of(statement: ClassicShuffle, context: Context, shadows: Sequence[Sequence[Code]]) -> bytes:
    """CL-14, step 1: what the coin is tossed about."""
    challenger = Challenger(context)
    challenger.open(statement.label, statement.encode())
    return challenger.close(hashed_shadows(shadows))[:32]


def check_interactive(
    statement: ClassicShuffle,
    published: Context,
    shadow_bytes: bytes,
    key_seats: Sequence[int],
    coin: Coin,
    answered: Challenger,
    opening_bytes: bytes,
) -> Claim:
    """CL-14, CL-15. `published` is the context of the shadows, `answered` the challenger of the openings."""
    if not 1 <= statement.rounds <= MAX_ROUNDS:  # CL-1
        raise Invalid("between 1 and 256 rounds")
    reader = Reader(shadow_bytes)
    shadows = read_shadows(reader, statement.cards(), statement.rounds)
    reader.finish()
    reader = Reader(opening_bytes)
    openings = read_openings(reader, statement.cards(), statement.rounds)
    reader.finish()
    statement.admit(Limits())
    subject = subject_of(statement, published, shadows)
    toss = Toss("classic-shuffle", published.table, published.deal, subject, tuple(sorted(key_seats)))
    if coin.toss != toss:  # CL-15
        raise Invalid("a coin for another toss")
    if answered.context[:3] != published[:3]:  # CL-14: the shuffler answers, at the same table and deal
        raise Invalid("an answer of another seat, table or deal")
    answered.open(statement.label, statement.encode())
    answered.message("subject", subject)
    answered.message("coin", coin.data)
    seal = answered.close(hashed_openings(openings))
    bits = coin.bits(statement.rounds)
    before, after = deck_of(statement.input), deck_of(statement.output)
    equations = way_equations(statement.key, before, after, shadows, bits, openings)
    return Claim(answered.context.seat, statement.label, seal, equations)


# --- containment ----------------------------------------------------------------------------------------------------


@dataclass
class ClassicContainment:
    """`classic-containment/1`: CL-16 to CL-19. The padding is part of the proof, not of the statement."""

    key: Element
    faces: list[Element]
    codes: list[Code]
    rounds: int
    label = "classic-containment/1"

    def read(self, reader: Reader) -> ClassicProof:
        """CL-19."""
        return read_containment(reader, len(self.faces), len(self.codes), self.rounds)

    def admit(self, limits: Limits) -> None:
        """CL-16, the part without the padding."""
        admit_rule_check(self.faces, self.codes)

    def encode(self) -> bytes:
        return self.key.data + encode_elements(self.faces) + encode_codes(self.codes) + u32(self.rounds)

    def replay(self, challenger: Challenger, proof: ClassicProof) -> tuple[list[Sum], bytes]:
        """CL-17, CL-18."""
        challenger.message("padding", b"".join(map(encode_code, proof.padding)))
        before, after = open_encryption(self.faces, self.key), deck_of(self.codes + proof.padding)
        return cut_and_choose(challenger, self.key, before, after, self.rounds, proof)


def read_containment(reader: Reader, faces: int, codes: int, rounds: int) -> ClassicProof:
    """CL-19, after the counts of CO-10 (CL-16) and CL-2."""
    if not LEAST_ROUNDS <= rounds <= MAX_ROUNDS:
        raise Invalid("between 128 and 256 rounds")
    check_counts(codes, faces)
    padding = reader.codes(faces - codes)
    return ClassicProof(padding, read_shadows(reader, faces, rounds), read_openings(reader, faces, rounds))


def check_classic_rule(
    challenger: Challenger,
    key: Element,
    pack: Sequence[Element],
    numbers: Sequence[int],
    codes: list[Code],
    rounds: int,
    data: bytes,
) -> Claim:
    """The rule check (CO-5, CO-6) with the classic proof."""
    reader = Reader(data)
    proof = read_containment(reader, len(numbers), len(codes), rounds)
    reader.finish()
    statement = ClassicContainment(key, faces_of_set(pack, numbers), codes, rounds)
    if len(codes) + len(proof.padding) != len(statement.faces):  # CL-16; the decoder has seen to it
        raise Invalid("as many codes and padding codes as faces")
    all_different(codes + proof.padding, "a code")  # CL-16
    return replay(statement, challenger, proof)
