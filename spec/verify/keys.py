"""Page 50, keys: commit, reveal with a proof of possession, joint key."""

from __future__ import annotations

from typing import NamedTuple, Sequence

import ristretto
from batch import Claim, replay, settle
from challenger import Challenger, Context
from codec import MAX_SEATS, Element, Reader, computed
from commitments import Place, opens
from errors import Culprit, Invalid, Refusal
from sigma import Possession, SigmaProof


class Key(NamedTuple):
    """An accepted key, with the place that it was made for."""

    place: Place
    element: Element


def read_reveal(data: bytes) -> tuple[Element, bytes, SigmaProof]:
    """D-3: 128 bytes."""
    reader = Reader(data)
    key, opening = reader.element("key-reveal.key"), reader.take("opening", 32)
    proof = Possession(key).read(reader)
    reader.finish()
    return key, opening, proof


def check_reveal(context: Context, commitment: bytes, data: bytes) -> tuple[Key, Claim]:
    """D-3, D-4. The proof is the first of its entry, so the challenger is new. Its equation is left to a batch."""
    element, opening, proof = read_reveal(data)
    place = Place(context.table, context.deal, context.seat)
    if not opens(commitment, "key", place, opening, element.data):  # D-1, D-4
        raise Culprit(context.seat, "the commitment does not open to the key")
    return Key(place, element), replay(Possession(element), Challenger(context), proof)


def joint_key(roster: Sequence[int], keys: Sequence[Key]) -> Element:
    """D-5."""
    if not 1 <= len(roster) <= MAX_SEATS or len(set(roster)) != len(roster):  # ENC-20
        raise Invalid("between 1 and 16 different seats")
    seen: set[int] = set()
    for key in keys:
        seat = key.place.seat
        if seat not in roster:
            raise Culprit(seat, "not on the roster")
        if seat in seen:
            raise Culprit(seat, "two keys")
        if key.place[:2] != keys[0].place[:2]:
            raise Culprit(seat, "a key of another table or deal")
        seen.add(seat)
    for seat in roster:
        if seat not in seen:
            raise Culprit(seat, "no key")
    total = computed(ristretto.multiscalar((1, key.element.point) for key in keys))
    if total is None:
        raise Invalid("the keys cancel")
    return total


def check_keys(roster: Sequence[int], parts: Sequence[tuple[Context, bytes, bytes]]) -> Element:
    """Every reveal by itself (D-4), then the sum (D-5). Parts are `(context, commitment, reveal)`."""
    keys: list[Key] = []
    for context, commitment, data in parts:
        try:
            key, claim = check_reveal(context, commitment, data)
            settle([claim])
        except Culprit:
            raise
        except Refusal as refusal:
            raise Culprit(context.seat, str(refusal)) from refusal
        keys.append(key)
    return joint_key(roster, keys)
