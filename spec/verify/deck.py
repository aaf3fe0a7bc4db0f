"""Page 50, cards: the open deck, shares, drawing, opening."""

from __future__ import annotations

from typing import NamedTuple, Sequence

import ristretto
from batch import Claim, replay
from challenger import Challenger
from codec import GENERATOR, MAX_CARDS, Code, Element, Reader, Scalar, check_count, computed
from errors import Invalid, Refuted
from sigma import SameExponents


def read_deck(data: bytes, cards: int) -> list[Code]:
    """D-9."""
    reader = Reader(data)
    check_count(cards, 1, MAX_CARDS, "codes", 0)  # ENC-19
    codes = reader.codes(cards)
    reader.finish()
    return codes


def open_deck(faces: Sequence[Element], key: Element) -> list[Code]:
    """D-7: `(G, d + H)` for every face."""
    return [Code(GENERATOR, computed(ristretto.add(face.point, key.point)) or face) for face in faces]


# --- opening by the owner -------------------------------------------------------------------------------------------


class Opened(NamedTuple):
    """D-17."""

    card: int
    randomness: Scalar


def read_opened(data: bytes, pack: int) -> Opened:
    """D-17."""
    reader = Reader(data)
    check_count(pack, 1, MAX_CARDS, "opened.card", 0)
    opened = Opened(reader.u16("opened.card", 0, pack - 1), reader.scalar("opened.randomness"))
    reader.finish()
    return opened


def check_opened(code: Code, key: Element, faces: Sequence[Element], opened: Opened) -> None:
    """D-16: `c1 = r·G` and `c2 = d + r·H`."""
    r, face = opened.randomness, faces[opened.card]
    first = ristretto.multiscalar([(r, GENERATOR.point), (-1, code.c1.point)])
    second = ristretto.multiscalar([(1, face.point), (r, key.point), (-1, code.c2.point)])
    if not (ristretto.is_identity(first) and ristretto.is_identity(second)):
        raise Refuted("the pair does not open the code")


# --- shares ---------------------------------------------------------------------------------------------------------


def check_shares(
    challenger: Challenger, key: Element, codes: Sequence[Code], data: bytes
) -> tuple[list[Element], Claim]:
    """D-11, D-12. The shares count when the claim's batch is settled (D-15)."""
    check_count(len(codes), 1, MAX_CARDS, "shares", 0)
    reader = Reader(data)
    shares = reader.elements("shares", len(codes))
    statement = SameExponents(key, [code.c1 for code in codes], shares)
    proof = statement.read(reader)
    reader.finish()
    return shares, replay(statement, challenger, proof)


def without_shares(code: Code, shares: Sequence[Element]) -> Element:
    """`c2 − Σ e_s`. Refused if it is the identity: the code holds no card (D-13)."""
    rest = computed(ristretto.multiscalar([(1, code.c2.point), *((-1, share.point) for share in shares)]))
    if rest is None:
        raise Invalid("the code holds no card")
    return rest


def draw(
    codes: Sequence[Code], roster: Sequence[int], drawer: int, shares: Sequence[tuple[int, Sequence[Element]]]
) -> list[Code]:
    """D-13: what is left for the drawer, under its key alone."""
    if drawer not in roster:
        raise Invalid("the drawer holds no share of the key")
    others = sorted(seat for seat in roster if seat != drawer)
    if sorted(seat for seat, _ in shares) != others:
        raise Invalid("exactly one list of shares of every seat but the drawer")
    columns = list(zip(*(own for _, own in shares), strict=True)) or [()] * len(codes)
    return [Code(code.c1, without_shares(code, column)) for code, column in zip(codes, columns, strict=True)]


def open_by_shares(
    codes: Sequence[Code], faces: Sequence[Element], shares: Sequence[Sequence[Element]]
) -> list[int]:
    """D-14: the card numbers."""
    numbers = {face: number for number, face in enumerate(faces)}
    cards: list[int] = []
    for code, column in zip(codes, zip(*shares, strict=True), strict=True):
        face = without_shares(code, column)
        if face not in numbers:
            raise Invalid("the point is no face of the pack")
        cards.append(numbers[face])
    return cards
