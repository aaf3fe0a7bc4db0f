"""spec/games/high-card.md."""

from __future__ import annotations

from typing import Any, Collection, Optional, Sequence, Union

import deck
import group
import keys
from batch import Limits, replay
from challenger import Challenger, Context
from classic import ClassicShuffle
from codec import Code, Element, Reader
from errors import Malformed
from games import Due, Fault, Step, blames, option_bytes
from logfile import Offer, Unreadable
from shuffle import Shuffle
from sigma import SameExponents

NAME = "high-card"


class Deal:
    """What is known of one deal."""

    def __init__(self) -> None:
        self.stage = "commit"
        self.turn = 0
        self.commitments: dict[int, bytes] = {}
        self.keys: dict[int, Element] = {}
        self.joint: Optional[Element] = None
        self.codes: list[Code] = []
        self.shares: dict[int, dict[int, Element]] = {}  # of the card of a seat, by the seat that gave it
        self.best: Optional[tuple[int, int]] = None  # the highest card that was shown, and by whom


class HighCard:
    """Follows a table through the rounds of HC-3."""

    def __init__(self, offer: Offer, table: bytes) -> None:
        options = option_bytes(offer.options, ((5, 52), (1, 20), (0, 255)))  # HC-1
        if options is None or offer.parameters not in (b"", b"\1") or not 3 <= offer.seats <= 5:
            raise Unreadable("an offer that high card does not allow")
        self._table, self._n, self._classic = table, offer.seats, bool(offer.parameters)
        self._cards, self._deals = options[:2]
        self._clock = options[2] > 0
        self._faces = group.faces(NAME, self._cards)  # HC-2
        self._number = 0
        self._deal = Deal()
        self._used: set[Element] = set()
        self._points = [0] * self._n

    def due(self) -> Optional[Due]:
        """HC-3."""
        if self._number == self._deals:
            return None
        deal = self._deal
        if deal.stage == "shuffle":
            return Due((deal.turn,), False, self._clock)
        if deal.stage == "call":
            return Due(((self._number + deal.turn) % self._n,), True, self._clock)
        return Due(range(self._n), deal.stage != "commit", self._clock)

    def judge(self, seat: int, payload: bytes, head: bytes) -> Step:
        """HC-3, HC-5."""
        context = Context(self._table, self._number, seat, head)
        return getattr(self, "_judge_" + self._deal.stage)(seat, payload, context)

    def complete(self, steps: dict[int, Any]) -> None:
        """HC-3."""
        getattr(self, "_complete_" + self._deal.stage)(steps)

    # --- keys -------------------------------------------------------------------------------------------------------

    def _judge_commit(self, seat: int, payload: bytes, context: Context) -> Step:
        reader = Reader(payload)
        commitment = reader.take("commitment", 32)
        reader.finish()
        return Step(commitment)

    def _complete_commit(self, steps: dict[int, bytes]) -> None:
        self._deal.commitments, self._deal.stage = steps, "reveal"

    def _judge_reveal(self, seat: int, payload: bytes, context: Context) -> Step:
        with blames("key"):
            key, claim = keys.check_reveal(context, self._deal.commitments[seat], payload)
        if key.element in self._used:  # D-6
            raise Fault("old-key", "a key of an earlier deal", [("key", claim)])
        return Step(key, [("key", claim)])

    def _complete_reveal(self, steps: dict[int, keys.Key]) -> None:
        deal = self._deal
        with blames("key", seat=0):  # HC-5: the keys cancel
            deal.joint = keys.joint_key(range(self._n), [steps[seat] for seat in range(self._n)])
        deal.keys = {seat: key.element for seat, key in steps.items()}
        self._used.update(deal.keys.values())
        deal.codes = deck.open_deck(self._faces, deal.joint)  # HC-4
        deal.stage = "shuffle"

    # --- cards ------------------------------------------------------------------------------------------------------

    def _judge_shuffle(self, seat: int, payload: bytes, context: Context) -> Step:
        deal = self._deal
        assert deal.joint is not None
        reader = Reader(payload)
        output = reader.codes(self._cards)
        statement: Union[Shuffle, ClassicShuffle] = Shuffle(deal.joint, deal.codes, output)
        if self._classic:  # HC-7
            statement = ClassicShuffle(deal.joint, deal.codes, output, 128)
        proof = statement.read(reader)
        reader.finish()
        with blames("shuffle"):
            claim = replay(statement, Challenger(context), proof, Limits(self._cards))
        return Step(output, [("shuffle", claim)])

    def _complete_shuffle(self, steps: dict[int, list[Code]]) -> None:
        deal = self._deal
        deal.codes = steps[deal.turn]
        deal.turn += 1
        if deal.turn == self._n:
            deal.stage, deal.turn = "draw", 0

    def _shares(self, seat: int, owners: Sequence[int], data: bytes, context: Context) -> Step:
        """Shares of the cards of these owners, each with its proof, over one challenger. All are read first."""
        deal, reader = self._deal, Reader(data)
        read = []
        for owner in owners:
            shares = reader.elements("shares", 1)
            statement = SameExponents(deal.keys[seat], [deal.codes[owner].c1], shares)
            read.append((owner, shares[0], statement, statement.read(reader)))
        reader.finish()
        challenger, claims = Challenger(context), []
        for _, _, statement, proof in read:
            with blames("share"):
                claims.append(("share", replay(statement, challenger, proof, Limits(self._cards))))
        return Step({owner: share for owner, share, _, _ in read}, claims)

    def _judge_draw(self, seat: int, payload: bytes, context: Context) -> Step:
        return self._shares(seat, [owner for owner in range(self._n) if owner != seat], payload, context)

    def _complete_draw(self, steps: dict[int, dict[int, Element]]) -> None:
        for owner in range(self._n):
            self._deal.shares[owner] = {giver: given[owner] for giver, given in steps.items() if giver != owner}
        self._deal.stage = "call"

    def _judge_call(self, seat: int, payload: bytes, context: Context) -> Step:
        choice = Reader(payload)
        shown = choice.take("call", 1)[0]
        if shown > 1:
            raise Malformed("tag", "call", 0, shown)
        if not shown:
            choice.finish()
            return Step(None)
        step = self._shares(seat, [seat], payload[1:], context)
        others = self._deal.shares[seat].values()
        with blames("share"):
            (card,) = deck.open_by_shares(
                [self._deal.codes[seat]], self._faces, [*([share] for share in others), [step.value[seat]]]
            )
        if self._deal.best is not None and card < self._deal.best[0]:
            raise Fault("too-low", "a shown card beats this one", step.claims)
        return Step((card, seat), step.claims)

    def _complete_call(self, steps: dict[int, Optional[tuple[int, int]]]) -> None:
        deal = self._deal
        (shown,) = steps.values()
        if shown is not None:
            deal.best = shown
        deal.turn += 1
        if deal.turn < self._n:
            return
        if deal.best is not None:  # HC-6
            winner = deal.best[1]
            self._points = [p + (self._n - 1 if s == winner else -1) for s, p in enumerate(self._points)]
        self._number += 1
        self._deal = Deal()

    # --- scores -----------------------------------------------------------------------------------------------------

    def scores(self, guilty: Collection[int]) -> list[int]:
        """HC-6."""
        left = self._deals - self._number
        points = list(self._points)
        for seat in guilty:
            for other in range(self._n):
                if other != seat:
                    points[seat] -= left
                    points[other] += left
        return points


GAME = HighCard
