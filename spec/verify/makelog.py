"""Makes small logs for tests: tables whose seats all belong to the test, so that every cheat can be signed.

Keys, nonces and secrets are fixed numbers. The provers follow pages 30 and 40.
"""

from __future__ import annotations

from hashlib import sha512
from typing import Any, Callable, Optional, Sequence

import ed25519
import group
import ristretto
from challenger import Challenger, Context
from codec import GENERATOR, Code, Element, Sum, computed, encode_code, encode_elements, encode_scalar, encode_scalars
from commitments import Place, commit
from deck import open_deck
from logfile import Entry, Equivocation, Offer, Record, Silence, digest, utterance, write_log
from ristretto import ORDER
from shuffle import Opened, Permuted, Shuffle
from sigma import Possession, SameExponents, Sigma
from table import Table


def total(terms: Sum) -> Element:
    """A sum that is not the identity."""
    result = computed(ristretto.multiscalar((scalar, element.point) for scalar, element in terms))
    assert result is not None
    return result


class Numbers:
    """Scalars that look random, from a name."""

    def __init__(self, *name: object) -> None:
        self._name, self._count = repr(name).encode(), 0

    def __call__(self) -> int:
        self._count += 1
        return int.from_bytes(sha512(self._name + b"%d" % self._count).digest(), "little") % ORDER

    def raw(self) -> bytes:
        """32 bytes."""
        return self().to_bytes(32, "little")


class Maker:
    """A table that is written down as it is played. `self.table` judges along and knows whose turn it is."""

    def __init__(self, game: str, options: bytes, seats: int) -> None:
        self.seeds = [bytes([seat + 1]) * 32 for seat in range(seats)]
        keys = tuple(map(ed25519.public_key, self.seeds))
        nonces = tuple(bytes([seat + 101]) * 32 for seat in range(seats))
        self.offer = Offer(game, options, b"", keys, nonces, None)
        self.id = self.offer.table()
        self.records: list[Record] = []
        self.table = Table(self.offer, eager=False)

    def entry(self, seat: int, payload: bytes, **changes: Any) -> Entry:
        """A signed entry at the open round; `changes` are made before it is signed, `by` signs it."""
        by = changes.pop("by", seat)
        entry = Entry(self.table.round, seat, self.table.head, payload, b"")._replace(**changes)
        said = utterance(self.id, entry.round, entry.seat, entry.previous, digest("payload", entry.payload))
        return entry._replace(signature=ed25519.sign(self.seeds[by], said))

    def say(self, *entries: Record) -> None:
        """Adds records that are in order."""
        for entry in entries:
            self.records.append(entry)
            self.table.take(entry)

    def round(self, payload: Callable[[int], bytes]) -> None:
        """A whole round."""
        assert self.table.open is not None
        for seat in sorted(self.table.open.seats):
            self.say(self.entry(seat, payload(seat)))

    def echo(self) -> None:
        """A round of empty entries, if one is due."""
        if self.table.open is not None and self.table.open.kind != "step":
            self.round(lambda seat: b"")

    def silence(self, claimant: int, seats: Sequence[int], **changes: Any) -> Silence:
        """A signed claim."""
        by = changes.pop("by", claimant)
        claim = Silence(claimant, self.table.round, self.table.head, sum(1 << seat for seat in seats), b"")
        claim = claim._replace(**changes)
        return claim._replace(signature=ed25519.sign(self.seeds[by], claim.message(self.id)))

    def equivocation(self, one: Entry, other: Entry) -> Equivocation:
        """A proof from two entries."""
        said = tuple((e.previous, digest("payload", e.payload), e.signature) for e in (one, other))
        return Equivocation(one.round, one.seat, self.id, said)  # type: ignore[arg-type]

    def log(self, *more: Record) -> bytes:
        """The file, with further records that may not be in order."""
        return write_log(self.offer, [*self.records, *more])


# --- matching pennies -----------------------------------------------------------------------------------------------


class Pennies(Maker):
    """A table of matching pennies. Everybody always lays heads."""

    def __init__(self, throws: int = 2, seconds: int = 60) -> None:
        super().__init__("matching-pennies", bytes([throws, seconds]), 2)
        self.throw = 0

    def lay(self, seat: int) -> bytes:
        """A commitment to heads."""
        return commit("penny", Place(self.id, self.throw, seat), bytes([seat]) * 32, b"\0")

    def show(self, seat: int) -> bytes:
        """Its opening."""
        return b"\0" + bytes([seat]) * 32

    def play(self, rounds: int) -> "Pennies":
        """Plays so many rounds, the first and the last echo among them."""
        for _ in range(rounds):
            assert self.table.open is not None
            if self.table.open.kind != "step":
                self.echo()
            elif self.table.round % 2 == 1:
                self.round(self.lay)
            else:
                self.round(self.show)
                self.throw += 1
        return self


# --- provers --------------------------------------------------------------------------------------------------------


def prove_sigma(challenger: Challenger, statement: Sigma, secrets: Sequence[int], numbers: Numbers) -> bytes:
    """Page 30, as a prover."""
    challenger.open(statement.label, statement.encode())
    relation = statement.relation(challenger)
    nonces = [numbers() for _ in secrets]
    commitments = [
        total([(nonces[v] * scalar, element) for v, base in line.terms for scalar, element in base])
        for line in relation.lines
    ]
    challenger.message("commitments", encode_elements(commitments))
    c = challenger.challenge("c")
    responses = [(nonce + c * secret) % ORDER for nonce, secret in zip(nonces, secrets, strict=True)]
    challenger.close(encode_scalars(responses))
    return b"".join(e.data for e in commitments) + b"".join(map(encode_scalar, responses))


def prove_permutation(
    challenger: Challenger,
    statement: Permuted,
    order: Sequence[int],
    extra_of: Callable[[list[int]], list[int]],
    numbers: Numbers,
) -> bytes:
    """Page 40, as a prover. `order` is `π` counted from 0; `extra_of` gives the further secrets for the weights `w`.

    The commitments of the linked statement are the equations of the verifier, solved for them with the challenge 0.
    """
    n = len(order)
    slots, blind, value = group.slots(n), group.blind(), group.value()

    def pedersen(values: Sequence[int], blinding: int) -> Element:
        return total([*zip(values, slots, strict=True), (blinding, blind)])

    challenger.open(statement.label, statement.encode())
    a, alpha, omega = [k + 1 for k in order], numbers(), numbers()
    commitment_a = pedersen(a, alpha)
    challenger.message("order", commitment_a.data)
    z = challenger.challenge("z")
    public = [pow(k - z, -1, ORDER) for k in range(1, n + 1)]
    w = [public[k] for k in order]
    commitment_w = pedersen(w, omega)
    challenger.message("weights", commitment_w.data)
    t = challenger.challenge("t")
    extra = extra_of(w)
    beta = [numbers() for _ in range(n - 1)]
    beta.append(-sum(beta) % ORDER)
    m = [numbers() for _ in range(n)]
    omega_nonce, alpha_nonce, extra_nonces = numbers(), numbers(), [numbers() for _ in extra]
    linked = statement.linked(Opened(public, beta, extra_nonces, 0))
    first = [pedersen(beta, omega_nonce), pedersen(m, alpha_nonce)]
    first += [total([(-scalar, element) for scalar, element in line]) for line in linked]
    v0 = v1 = 0
    for i in range(n):
        power = pow(t, i + 1, ORDER)
        v0 += power * beta[i] * m[i]
        v1 += power * (beta[i] * (a[i] - z) + w[i] * m[i])
    k0, k1 = numbers(), numbers()
    product = [total([(v0, value), (k0, blind)]), total([(v1, value), (k1, blind)])]
    challenger.message("first", encode_elements(first))
    challenger.message("product", encode_elements(product))
    e = challenger.challenge("e")
    pairs = [*zip(beta[:-1], w[:-1]), *zip(m, a), (omega_nonce, omega), (alpha_nonce, alpha)]
    pairs += [*zip(extra_nonces, extra, strict=True), (k0, k1)]
    responses = [(nonce + e * secret) % ORDER for nonce, secret in pairs]
    challenger.close(encode_scalars(responses))
    elements = [commitment_a, commitment_w, *first, *product]
    return b"".join(item.data for item in elements) + b"".join(map(encode_scalar, responses))


# --- high card ------------------------------------------------------------------------------------------------------


class HighCards(Maker):
    """A table of high card. The shuffles rotate the deck by the number of their seat plus one, and re-encrypt it."""

    def __init__(self, cards: int = 6, deals: int = 1, seats: int = 3) -> None:
        super().__init__("high-card", bytes([cards, deals, 60]), seats)
        self.cards, self.seats, self.deal = cards, seats, 0
        self.secrets: list[int] = []
        self.codes: list[Code] = []
        self.keys: list[Element] = []

    def context(self, seat: int) -> Context:
        """Where the next proof of a seat stands."""
        return Context(self.id, self.deal, seat, self.table.head)

    def begin(self, secrets: Sequence[int]) -> None:
        """The keys of the next deal."""
        self.secrets = list(secrets)
        self.keys = [total([(x, GENERATOR)]) for x in secrets]
        self.codes = []

    def commit(self, seat: int) -> bytes:
        """D-1."""
        return commit("key", Place(self.id, self.deal, seat), bytes([seat]) * 32, self.keys[seat].data)

    def reveal(self, seat: int) -> bytes:
        """D-3."""
        proof = prove_sigma(
            Challenger(self.context(seat)), Possession(self.keys[seat]), [self.secrets[seat]], Numbers(seat, "key")
        )
        return self.keys[seat].data + bytes([seat]) * 32 + proof

    def joint(self) -> Element:
        """D-5."""
        return total([(1, key) for key in self.keys])

    def shuffle(self, seat: int, change: Callable[[list[Code]], list[Code]] = lambda codes: codes) -> bytes:
        """D-8. `change` spoils the output before it is proved."""
        numbers = Numbers(seat, self.deal, "shuffle")
        before = self.codes or open_deck(group.faces("high-card", self.cards), self.joint())
        order = [(place + seat + 1) % self.cards for place in range(self.cards)]
        masks = [numbers() for _ in order]
        after = [
            Code(total([(1, before[k].c1), (r, GENERATOR)]), total([(1, before[k].c2), (r, self.joint())]))
            for k, r in zip(order, masks)
        ]
        after = change(after)
        proof = prove_permutation(
            Challenger(self.context(seat)),
            Shuffle(self.joint(), before, after),
            order,
            lambda w: [-sum(weight * r for weight, r in zip(w, masks)) % ORDER],
            numbers,
        )
        self.codes = after
        return b"".join(map(encode_code, after)) + proof

    def share(self, seat: int, owners: Sequence[int], secret: Optional[int] = None) -> bytes:
        """D-11, over one challenger."""
        challenger, out = Challenger(self.context(seat)), b""
        x = self.secrets[seat] if secret is None else secret
        for owner in owners:
            base = self.codes[owner].c1
            power = total([(x, base)])
            statement = SameExponents(self.keys[seat], [base], [power])
            out += power.data + prove_sigma(challenger, statement, [x], Numbers(seat, owner, "share"))
        return out

    def draw(self, seat: int) -> bytes:
        """HC-3."""
        return self.share(seat, [owner for owner in range(self.seats) if owner != seat])

    def keys_round(self) -> None:
        """Commit and reveal."""
        self.echo()
        self.round(self.commit)
        self.echo()
        self.round(self.reveal)

    def deal_cards(self) -> None:
        """Everything before the calls."""
        self.keys_round()
        for _ in range(self.seats):
            self.round(self.shuffle)
        self.echo()
        self.round(self.draw)
        self.echo()

    def call(self, shows: Callable[[int], bool]) -> None:
        """One call."""
        self.round(lambda seat: b"\1" + self.share(seat, [seat]) if shows(seat) else b"\0")
        if self.table.open is not None and self.table.open.kind == "echo":
            self.echo()
