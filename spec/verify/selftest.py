"""Checks beyond the vectors: entries of several proofs, batches, the interactive classic proof, drawing, error places,
and good proofs with one field changed.

The small provers here are for testing only: their secrets and nonces are fixed numbers.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator, Sequence

import classic
import deck
import group
import ristretto
import vectors
from batch import Claim, Limits, check, refuted, settle
from challenger import Challenger, Context
from codec import (
    GENERATOR,
    Code,
    Element,
    Reader,
    Sum,
    computed,
    encode_code,
    encode_elements,
    encode_scalar,
    parse_element,
    u16,
)
from commitments import Coin, Toss, toss_coin
from containment import OneOfMany, digits_and_radix
from errors import Invalid, Malformed, Refusal, Refuted
from games import tarokk_rules as rules
from ristretto import ORDER
from shuffle import Shuffle
from sigma import AnyOf, Branch, Possession, PublicLine, SameExponents

TABLE = b"\7" * 32
Test = Callable[[], None]


def entry(seat: int = 1, head: int = 8) -> Context:
    """Some context."""
    return Context(TABLE, 5, seat, bytes([head]) * 32)


def total(terms: Sum) -> Element:
    """A sum that is not the identity."""
    result = computed(ristretto.multiscalar((scalar, element.point) for scalar, element in terms))
    assert result is not None
    return result


def encrypt(face: Element, key: Element, r: int) -> Code:
    """D-10."""
    return Code(total([(r, GENERATOR)]), total([(1, face), (r, key)]))


def refuses(expected: type[Refusal], action: Callable[[], object], **fields: object) -> None:
    """The action must be refused in this way, with these details."""
    try:
        action()
    except expected as refusal:
        for name, value in fields.items():
            assert getattr(refusal, name) == value, f"{name}: {getattr(refusal, name)}, not {value}"
        return
    raise AssertionError(f"not refused as {expected.__name__}")


def prove_possession(challenger: Challenger, secret: int, nonce: int) -> bytes:
    """Page 30, as a prover."""
    challenger.open("possession/1", total([(secret, GENERATOR)]).data)
    commitment = total([(nonce, GENERATOR)])
    challenger.message("commitments", encode_elements([commitment]))
    response = encode_scalar(nonce + challenger.challenge("c") * secret)
    challenger.close(b"\1\0\0\0" + response)
    return commitment.data + response


def entry_of_two() -> None:
    """CH-14: two proofs of an entry in their order are accepted, and in no other order or place."""
    prover = Challenger(entry())
    proofs = [prove_possession(prover, secret, 1000 + secret) for secret in (3, 4)]
    keys = [total([(secret, GENERATOR)]) for secret in (3, 4)]

    def replayed(order: Sequence[int], context: Context) -> list[Claim]:
        verifier = Challenger(context)
        return [check(Possession(keys[i]), verifier, proofs[i]) for i in order]

    settle(replayed((0, 1), entry()))
    assert refuted(replayed((1, 0), entry())) == [0, 1]
    assert refuted(replayed((0, 1), entry(seat=2))) == [0, 1]
    refuses(Refuted, lambda: settle(replayed((1,), entry())))


def batch_names() -> None:
    """BAT-5, BAT-7: exactly the false claims are named; an empty batch is accepted."""
    assert refuted([]) == []
    claims = []
    for secret in (3, 4, 5):
        proof = prove_possession(Challenger(entry()), secret, 77)
        key = total([(secret if secret != 4 else 9, GENERATOR)])
        claims.append(check(Possession(key), Challenger(entry()), proof))
    assert refuted(claims) == [1]


def statements() -> None:
    """Statements that no vector has: empty, too large for the table, out of range."""
    key, face = total([(2, GENERATOR)]), group.face("test", 0)
    code = encrypt(face, key, 5)
    refuses(Invalid, lambda: AnyOf([]).admit(Limits()))  # SIG-21
    refuses(Invalid, lambda: AnyOf([Branch(1, [])]).admit(Limits()))
    refuses(Invalid, lambda: AnyOf([Branch(1, [PublicLine(key, [(1, key)])])]).admit(Limits()))
    refuses(Invalid, lambda: SameExponents(key, [], []).admit(Limits()))  # SIG-9
    many = [encrypt(face, key, r) for r in range(1, 18)]
    refuses(Invalid, lambda: Shuffle(key, many, many).admit(Limits(10)))  # ENC-21
    Shuffle(key, many[:16], many[:16]).admit(Limits(10))
    refuses(Malformed, lambda: Shuffle(key, [], []).read(Reader(b"")), kind="count", field="permutation.cards")
    refuses(Malformed, lambda: OneOfMany(key, code, []).read(Reader(b"")), kind="count", field="one-of-many.faces")
    radices = {1: (1, 1), 4: (1, 4), 5: (2, 3), 9: (2, 3), 22: (2, 5), 42: (2, 7), 52: (2, 8), 1040: (2, 33)}
    assert all(digits_and_radix(n) == expected for n, expected in radices.items())  # OM-3


def error_places() -> None:
    """ENC-18: truncated lists at their start, item-wise fields at the item, trailing bytes at their first."""
    key, face = total([(2, GENERATOR)]), group.face("test", 0)
    codes = [encrypt(face, key, r) for r in (1, 2)]
    good = GENERATOR.data
    statement = Shuffle(key, codes, codes)
    start = good * 6 + bytes(32)  # order, weights, four of `first`, then an identity as `product`
    refuses(Malformed, lambda: statement.read(Reader(good * 2 + bytes(32) + good)), kind="truncated", offset=64)
    refuses(Malformed, lambda: statement.read(Reader(start)), kind="identity", field="permutation.product", offset=192)
    refuses(Malformed, lambda: check(Possession(key), Challenger(entry()), good + b"\1" + bytes(32)), kind="trailing")
    refuses(Malformed, lambda: Reader(b"\5\0").u16("x", 0, 4), kind="count", detail=(5, 0, 4))
    ways = b"".join(map(u16, (1, 1))) + bytes(64)
    refuses(Malformed, lambda: classic.read_way(Reader(ways), 2), kind="repeated", offset=2, detail=1)
    masks = b"".join(map(u16, (1, 0))) + bytes(64)
    refuses(Malformed, lambda: classic.read_way(Reader(masks), 2), kind="scalar zero", offset=4)


def drawing() -> None:
    """D-13, D-14: the drawer's code is under its own key; all shares together show the face."""
    secrets = {0: 11, 1: 12, 4: 13}
    key = total([(sum(secrets.values()), GENERATOR)])
    faces = group.faces("test", 3)
    codes = [encrypt(faces[2], key, 21), encrypt(faces[0], key, 22)]
    shares = {seat: [total([(x, code.c1)]) for code in codes] for seat, x in secrets.items()}
    drawn = deck.draw(codes, [0, 1, 4], 1, [(0, shares[0]), (4, shares[4])])
    assert [total([(1, code.c2), (-12, code.c1)]) for code in drawn] == [faces[2], faces[0]]
    assert deck.open_by_shares(codes, faces, list(shares.values())) == [2, 0]
    refuses(Invalid, lambda: deck.draw(codes, [0, 1, 4], 1, [(0, shares[0])]))
    refuses(Invalid, lambda: deck.draw(codes, [0, 1, 4], 1, list(shares.items())))
    refuses(Refusal, lambda: deck.open_by_shares(codes, faces, [shares[0], shares[1]]))


def interactive() -> None:
    """CL-14, CL-15: a shuffle of two cards with three shadows and the coin of two seats."""
    key, faces = total([(99, GENERATOR)]), group.faces("test", 2)
    before = [encrypt(face, key, 1) for face in faces]

    def walk(codes: Sequence[Code], order: Sequence[int], masks: Sequence[int]) -> list[Code]:
        return [
            Code(total([(1, codes[p].c1), (m, GENERATOR)]), total([(1, codes[p].c2), (m, key)]))
            for p, m in zip(order, masks)
        ]

    after = walk(before, (1, 0), (31, 32))
    rounds, seats = 3, (0, 2)
    ways = [((j % 2, 1 - j % 2), (41 + j, 51 + j)) for j in range(rounds)]
    shadows = [walk(after, *way) for way in ways]
    statement = classic.ClassicShuffle(key, before, after, rounds)
    subject = classic.subject_of(statement, entry(head=1), shadows)

    def coin_of(*who: int) -> Coin:
        toss = Toss("classic-shuffle", TABLE, 5, subject, who)
        openings = [(seat, bytes([seat]) * 32, bytes([seat + 50]) * 32) for seat in who]
        return toss_coin(toss, [(seat, toss.commitment(seat, o, v), v + o) for seat, o, v in openings])

    coin = coin_of(*seats)
    sent = b"".join(encode_code(code) for shadow in shadows for code in shadow)
    openings = b""
    for bit, (order, masks) in zip(coin.bits(rounds), ways):
        if not bit:  # CL-3: from the input
            masks = tuple((31, 32)[p] + m for p, m in zip(order, masks))
            order = tuple((1, 0)[p] for p in order)
        openings += b"".join(map(u16, order)) + b"".join(map(encode_scalar, masks))

    def verify(with_coin: Coin, answer: bytes, seat: int = 1, about: classic.ClassicShuffle = statement) -> None:
        settle(
            [classic.check_interactive(about, entry(head=1), sent, seats, with_coin, Challenger(entry(seat)), answer)]
        )

    verify(coin, openings)
    refuses(Invalid, lambda: verify(coin_of(0, 2, 3), openings))
    refuses(Invalid, lambda: verify(coin, openings, seat=3))
    refuses(Malformed, lambda: verify(coin, openings[:-1]))
    changed = openings[:-32] + encode_scalar(int.from_bytes(openings[-32:], "little") + 1)
    refuses(Refuted, lambda: verify(coin, changed))
    refuses(Invalid, lambda: statement.read(Reader(b"")))  # CL-2: too few rounds without a coin


def tarokk_pack() -> None:
    """TK-31: 42 different cards, together 94."""
    assert len(set(rules.PACK)) == 42 and sum(map(rules.value, rules.PACK)) == 94
    assert rules.trick_winner(["H:K", "II", "skiz", "H:Q"]) == 2
    assert rules.playable(["H:A", "pagat", "V"], ["S:K"], True) == ["V"]


def tarokk_settlement() -> None:
    """TK-60, TK-62: every rule of the settlement once; and all payments add up to nothing."""

    def settled(points: int, tricks: int, kontra: int, said: dict[tuple[str, str], int]) -> list[tuple[str, str, int]]:
        us, them = rules.DECLARER, rules.OPPONENTS
        mixed = {"skiz": us, "XXI": us if tricks == 9 else them, "pagat": us}
        kings = {suit: us if tricks == 9 or suit == "H" else them for suit in "HDCS"}
        facts = rules.Facts({us: points, them: 94 - points}, {us: tricks, them: 9 - tricks}, mixed, kings, None, None)
        items = rules.settle(2, kontra, said, facts)
        for partner in (None, 2):
            assert sum(rules.payments(items, 0, partner, [(1, 8, True), (2, 9, False)], 2)) == 0
        return sorted(items)

    double, volat = ("double", "declarer"), ("volat", "declarer")
    assert settled(48, 5, 0, {}) == [("game", "declarer", 2)]
    assert settled(47, 5, 0, {}) == [("game", "opponents", 2)]
    assert settled(71, 6, 0, {}) == [("double", "declarer", 4)]
    assert settled(90, 9, 0, {}) == [("volat", "declarer", 6)]
    assert settled(71, 6, 0, {double: 0}) == [("announced double", "declarer", 8)]
    assert settled(90, 9, 0, {double: 1}) == [("announced double", "declarer", 16), ("volat", "declarer", 6)]
    assert settled(60, 6, 0, {double: 0}) == [("announced double", "opponents", 8)]
    assert settled(40, 4, 0, {double: 0}) == [("announced double", "opponents", 8), ("game", "opponents", 2)]
    assert settled(71, 6, 0, {volat: 0}) == [("announced volat", "opponents", 12)]
    assert settled(71, 6, 1, {}) == [("double", "declarer", 4), ("game", "declarer", 4)]
    assert settled(71, 6, 1, {volat: 0}) == [("announced volat", "opponents", 12), ("game", "declarer", 4)]


def tarokk_auction() -> None:
    """TK-40, TK-43 to TK-45."""

    def played(*calls: str) -> rules.Auction:
        made = rules.Auction()
        for word in calls:
            player = made.turn()
            assert made.refusal(player, word, ("skiz", "XX", "XIX", "XVIII")) is None
            made.add(player, word)
        return made

    yielded = played("three", "two", "pass", "pass", "pass")
    assert yielded.over() and (yielded.declarer(), yielded.yielded, yielded.must_call()) == (1, 0, "XX")
    held = played("three", "two", "pass", "pass", "hold")
    assert held.refusal(1, "hold", ("skiz",)) is not None and held.refusal(1, "one", ("skiz",)) is None
    invited = played("two", "pass", "one", "pass", "pass")
    assert invited.over() and invited.invit == (0, "XIX") and invited.must_call() == "XIX"
    trial = played("pass", "pass", "pass")
    assert not trial.over() and trial.refusal(3, "solo", ()) is None and played(*["pass"] * 4).over()


def changed_fields(proof: bytes) -> Iterator[bytes]:
    """The proof with one field moved to another canonical value: an element by `G`, a scalar by 1."""
    for start in range(0, len(proof), 32):
        field = proof[start : start + 32]
        try:
            point = parse_element(field, "").point
            moved = [ristretto.encode(ristretto.add(point, ristretto.GENERATOR))]
        except Malformed:
            moved = []
        if int.from_bytes(field, "little") < ORDER:
            moved.append(encode_scalar(int.from_bytes(field, "little") + 1))
        for other in moved:
            yield proof[:start] + other + proof[start + 32 :]


def mutations(label: str, case: dict[str, Any]) -> Test:
    """Every proof that differs from a good one in a single field is refused."""

    def test() -> None:
        for number, proof in enumerate(changed_fields(bytes.fromhex(case["proof"]))):
            try:
                vectors.check_proof(label, {**case, "proof": proof.hex()})
            except Refusal:
                continue
            raise AssertionError(f"accepted with change {number}")

    return test


TESTS: dict[str, Test] = {
    test.__name__: test
    for test in (
        entry_of_two, batch_names, statements, error_places, drawing, interactive,
        tarokk_pack, tarokk_settlement, tarokk_auction,
    )  # fmt: skip
}
