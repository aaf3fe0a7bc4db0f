"""spec/games/poker-rules.md: chips, cards and whose turn it is. Hidden cards are only places of the deck."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Collection, NamedTuple, Optional, Sequence

PACK = 52
FOLD, CHECK, CALL, TO = range(4)
CATEGORIES = [
    "high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind",
    "straight_flush",
]


class Illegal(Exception):
    """Something that the rules do not allow."""


class Options(NamedTuple):
    """PO-1, without what only the protocol needs."""

    draw: bool
    fixed: bool
    at_once: bool
    hands: int
    stack: int
    blind: int
    ante: int

    @property
    def hole(self) -> int:
        """Cards of a seat."""
        return 5 if self.draw else 2


# --- hands ----------------------------------------------------------------------------------------------------------


def five(cards: Sequence[int]) -> tuple[int, ...]:
    """The worth of five cards: the number of its class, then the ranks that decide."""
    counts = Counter(card // 4 for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    top = None
    if len(ranks) == 5:
        if ranks[0] - ranks[4] == 4:
            top = ranks[0]
        elif ranks == [12, 3, 2, 1, 0]:
            top = 3
    if top is not None:
        return (8 if flush else 4, top)
    if shape == [4, 1]:
        return (7, *ranks)
    if shape == [3, 2]:
        return (6, *ranks)
    if flush:
        return (5, *ranks)
    number = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0)
    return (number, *ranks)


def best(cards: Sequence[int]) -> tuple[int, ...]:
    """The best five of all cards."""
    return max(five(chosen) for chosen in combinations(cards, 5))


# --- pots -----------------------------------------------------------------------------------------------------------


def pots(paid: Sequence[int], live: Collection[int]) -> list[tuple[int, frozenset[int]]]:
    """Chips and claimants, the main pot first. A pot ends where a seat in the hand has no more in it."""
    steps = sorted({paid[seat] for seat in live})
    made: list[tuple[int, frozenset[int]]] = []
    floor = 0
    for step in steps:
        if step == 0 and len(steps) > 1:
            continue
        ceiling = max(paid) if step == steps[-1] else step
        chips = sum(max(0, min(chips, ceiling) - floor) for chips in paid)
        made.append((chips, frozenset(seat for seat in live if paid[seat] >= step)))
        floor = step
    return made


# --- the table ------------------------------------------------------------------------------------------------------


class Table:
    """What everybody knows. `phase` is what the table waits for."""

    def __init__(self, options: Options, seats: int) -> None:
        self.options, self.seats = options, seats
        self.stacks = [options.stack] * seats
        self.button, self.hands = 0, 0
        self._clear()
        self.begin(frozenset(range(seats)))

    def _clear(self) -> None:
        self.dealt: frozenset[int] = frozenset()
        self.live: set[int] = set()
        self.paid = [0] * self.seats
        self.bets = [0] * self.seats
        self.asked = self.step = self.raises = self.street = 0
        self.waiting: set[int] = set()
        self.closed: set[int] = set()
        self.turn = 0
        self.aggressor: Optional[int] = None
        self.board: list[int] = []
        self.places: list[list[int]] = [[] for _ in range(self.seats)]
        self.discards: dict[int, int] = {}
        self.shown: dict[int, Optional[tuple[int, ...]]] = {}
        self.first = 0
        self.returned = False
        self.phase = "ready"

    def clockwise(self, seat: int) -> list[int]:
        """The seats after one, itself last."""
        return [(seat + step) % self.seats for step in range(1, self.seats + 1)]

    def solvent(self) -> frozenset[int]:
        """Seats with chips, between hands."""
        return frozenset(seat for seat in range(self.seats) if self.stacks[seat])

    def out(self) -> frozenset[int]:
        """PD-1: seats without chips and without cards."""
        return frozenset(range(self.seats)) - self.solvent() - self.dealt

    def _able(self) -> set[int]:
        """In the hand, with chips to bet."""
        return {seat for seat in self.live if self.stacks[seat]}

    def _pay(self, seat: int, chips: int) -> int:
        chips = min(chips, self.stacks[seat])
        self.stacks[seat] -= chips
        self.paid[seat] += chips
        return chips

    def _split(self, chips: int, among: Collection[int]) -> None:
        """PD-10."""
        order = [seat for seat in self.clockwise(self.button) if seat in among]
        for place, seat in enumerate(order):
            self.stacks[seat] += chips // len(order) + (place < chips % len(order))

    # --- a hand begins ----------------------------------------------------------------------------------------------

    def begin(self, playing: frozenset[int]) -> None:
        """PD-2 to PD-5, PD-12."""
        solvent = self.solvent()
        if not playing <= solvent:
            raise Illegal("a seat without chips")
        self._clear()
        self.dealt, self.live = playing, set(playing)
        order = [seat for seat in self.clockwise(self.button) if seat in solvent]
        if not playing or len(order) < 2:
            self._close()
            return
        small, big = (self.button, order[0]) if len(order) == 2 else order[:2]
        for seat in sorted(solvent):
            self._pay(seat, self.options.ante)
        self.bets[small] = self._pay(small, self.options.blind // 2)
        self.bets[big] = self._pay(big, self.options.blind)
        self.turn = big
        if len(playing) == 1:
            self._finish()
            return
        hole = self.options.hole
        for index, seat in enumerate(sorted(playing)):  # PO-3
            self.places[seat] = list(range(hole * index, hole * (index + 1)))
        self.phase = "deal"

    def dealt_out(self) -> None:
        """The first cards are there."""
        self._open_betting(0, self.bets, self.options.blind, self.turn)

    @property
    def stock(self) -> int:
        """PO-3: the first place of the board or of the stock."""
        return self.options.hole * len(self.dealt)

    # --- betting ----------------------------------------------------------------------------------------------------

    def _open_betting(self, street: int, bets: list[int], asked: int, after: int) -> None:
        late = street >= (1 if self.options.draw else 2)
        self.step = self.options.blind * (2 if self.options.fixed and late else 1)  # PD-8
        self.street, self.bets, self.asked, self.raises = street, bets, asked, int(asked > 0)
        self.waiting, self.closed, self.aggressor = self._able(), set(), None
        self.phase = "bet"
        self._pass_turn(after)
        self._settle()

    def _pass_turn(self, after: int) -> None:
        self.turn = next((seat for seat in self.clockwise(after) if seat in self.waiting), after)

    def limits(self, seat: int) -> tuple[int, Optional[tuple[int, int]]]:
        """What staying in costs, and the least and the most that a bet may come to (PD-6 to PD-8)."""
        most = self.bets[seat] + self.stacks[seat]
        call = min(max(0, self.asked - self.bets[seat]), self.stacks[seat])
        if most <= self.asked or seat in self.closed or (self.options.fixed and self.raises >= 4):
            return call, None
        least = min(self.asked + self.step, most)
        if not self.options.fixed and self.raises >= 30:
            least = most
        return call, (least, least if self.options.fixed else most)

    def bet(self, seat: int, what: int, amount: int) -> None:
        """PD-6 to PD-8, PD-18."""
        if self.phase != "bet" or seat != self.turn:
            raise Illegal("not its turn")
        call, raising = self.limits(seat)
        if what == CHECK and call:
            raise Illegal("there is a bet")
        if what == CALL and not call:
            raise Illegal("there is nothing to call")
        if what == TO and (raising is None or not raising[0] <= amount <= raising[1]):
            raise Illegal("not an amount that may be bet")
        self.waiting.discard(seat)
        self.closed.add(seat)
        if what == FOLD:
            self.live.discard(seat)
        if what == CALL:
            self.bets[seat] += self._pay(seat, call)
        if what == TO:
            self._pay(seat, amount - self.bets[seat])
            self.bets[seat] = amount
            by = amount - self.asked
            if by >= self.step:
                self.closed = {seat}
                if not self.options.fixed:
                    self.step = by
            self.asked, self.aggressor = amount, seat
            self.raises += 1
            self.waiting = self._able() - {seat}
        self._pass_turn(seat)
        if len(self.live) == 1:
            self._finish()
        else:
            self._settle()

    def _settle(self) -> None:
        """Whether the round of betting is over; PD-17."""
        able = self._able()
        lone = False
        if len(able) == 1:
            (seat,) = able
            lone = self.bets[seat] >= max((self.bets[other] for other in self.live - able), default=0)
        if self.waiting and able and not lone:
            return
        if self.aggressor is not None:
            self.first = self.aggressor
        if self.street == (1 if self.options.draw else 3):
            self._open_showing()
        else:
            self.phase = "discard" if self.options.draw else "board"

    def board_due(self) -> int:
        """How many cards are turned up now (PD-17)."""
        if len(self._able()) < 2:
            return 5 - len(self.board)
        return 3 if not self.board else 1

    def turned(self, cards: Sequence[int]) -> None:
        """The cards of the board."""
        self.board += cards
        self._next_street()

    def _next_street(self) -> None:
        self.first = next(seat for seat in self.clockwise(self.button) if seat in self.live)  # PD-11
        if len(self._able()) < 2:
            self._open_showing()
        else:
            street = 1 if self.options.draw else len(self.board) - 2
            self._open_betting(street, [0] * self.seats, 0, self.button)

    # --- exchanging -------------------------------------------------------------------------------------------------

    def to_discard(self) -> Optional[int]:
        """Whose turn it is to lay cards aside."""
        order = (seat for seat in self.clockwise(self.button) if seat in self.live and seat not in self.discards)
        return next(order, None)

    def discard(self, seat: int, mask: int) -> None:
        """PD-16."""
        left = PACK - self.stock - sum(mask.bit_count() for mask in self.discards.values())
        if self.phase != "discard" or seat != self.to_discard() or mask >> self.options.hole:
            raise Illegal("no such cards to lay aside now")
        if mask.bit_count() > left:
            raise Illegal("the stock has fewer cards")
        self.discards[seat] = mask
        if self.to_discard() is None:
            if any(self.discards.values()):
                self.phase = "redeal"
            else:
                self._next_street()

    def draws(self) -> list[tuple[int, int, int]]:
        """PO-3: place, seat and number of the card in the hand, for every new card."""
        order = [seat for seat in self.clockwise(self.button) if seat in self.discards]
        slots = [(seat, slot) for seat in order for slot in range(self.options.hole) if self.discards[seat] >> slot & 1]
        return [(self.stock + n, seat, slot) for n, (seat, slot) in enumerate(slots)]

    def redealt(self) -> None:
        """The new cards are there."""
        for place, seat, slot in self.draws():
            self.places[seat][slot] = place
        self._next_street()

    # --- showing ----------------------------------------------------------------------------------------------------

    def _open_showing(self) -> None:
        """PD-9."""
        self.phase = "show"
        top = max(range(self.seats), key=lambda seat: self.paid[seat])
        extra = self.paid[top] - max(chips for seat, chips in enumerate(self.paid) if seat != top)
        if extra > 0 and top in self.live:
            self.paid[top] -= extra
            self.stacks[top] += extra
            self.returned = True

    def undecided(self) -> frozenset[int]:
        """In the hand, neither shown nor given up."""
        return frozenset(self.live - self.shown.keys())

    def _in_order(self) -> list[int]:
        return self.clockwise((self.first - 1) % self.seats)

    def to_show(self) -> frozenset[int]:
        """PD-11, PD-13."""
        if self.options.at_once:
            return self.undecided()
        seat = next((seat for seat in self._in_order() if seat in self.undecided()), None)
        if seat is None:
            return frozenset()
        for _, claimants in pots(self.paid, self.live):
            if seat in claimants and any(s != seat and not self._gave_up(s) for s in claimants):
                return frozenset([seat])
        return frozenset()

    def _gave_up(self, seat: int) -> bool:
        return seat in self.shown and self.shown[seat] is None

    def show(self, seat: int, cards: Optional[Sequence[int]]) -> None:
        """PD-11, PD-13."""
        if self.phase != "show" or seat not in self.to_show():
            raise Illegal("not its turn")
        self.shown[seat] = None if cards is None else tuple(cards)
        if not self.to_show():
            self._finish()

    def _winners(self, claimants: frozenset[int]) -> Collection[int]:
        worths = {seat: best([*hand, *self.board]) for seat in claimants if (hand := self.shown.get(seat)) is not None}
        if worths:
            top = max(worths.values())
            return [seat for seat, worth in worths.items() if worth == top]
        if self.options.at_once and not self.undecided():
            return claimants
        order = [seat for seat in self._in_order() if seat in claimants]
        return ([seat for seat in order if seat in self.undecided()] or order)[-1:]

    def _finish(self) -> None:
        if not self.returned:
            self._open_showing()
        divided = pots(self.paid, self.live)
        self.paid = [0] * self.seats
        for chips, claimants in divided:
            self._split(chips, self._winners(claimants))
        self._close()

    def _close(self) -> None:
        """PD-1, PD-2."""
        self.hands += 1
        self._clear()
        if len(self.solvent()) < 2 or self.hands == self.options.hands:
            self.phase = "over"
            return
        self.button = next(seat for seat in self.clockwise(self.button) if self.stacks[seat])

    def _standing(self, claimants: frozenset[int]) -> tuple[Collection[int], bool]:
        """PD-14: who of the claimants can still win, and whether that is open."""
        if self.phase != "show":
            return claimants, True
        waiting = claimants & self.undecided()
        if not waiting:
            return self._winners(claimants), False
        shown = frozenset(seat for seat in claimants if self.shown.get(seat) is not None)
        return [*waiting, *(self._winners(shown) if shown else [])], True

    # --- scores -----------------------------------------------------------------------------------------------------

    def scores(self, guilty: Collection[int], pledged: Collection[int] = ()) -> list[int]:
        """PD-14, PD-19."""
        kept = self.stacks
        honest = [seat for seat in range(self.seats) if seat not in guilty]
        if not guilty or not honest:
            return [have + paid - self.options.stack for have, paid in zip(self.stacks, self.paid)]
        self.stacks = kept[:]
        left = self.live - set(guilty)
        missed = [0] * self.seats
        for chips, claimants in pots(self.paid, left) if left else [(sum(self.paid), frozenset(honest))]:
            before = self.stacks[:]
            takers, is_open = self._standing(claimants) if left else (claimants, False)
            self._split(chips, takers)
            if is_open:
                for seat in takers:
                    missed[seat] += chips - (self.stacks[seat] - before[seat])
        lacking = sum(missed)
        for seat in sorted(guilty):
            pays = min(self.stacks[seat], lacking)
            self.stacks[seat] -= pays
            lacking -= pays
        self.stacks = [have + more for have, more in zip(self.stacks, missed)]
        begun = self.hands + (self.phase != "ready")
        coming = 0 if self.phase == "over" else max(0, self.options.hands - begun)
        for seat in sorted(guilty):
            pays = min(self.stacks[seat], coming * (self.options.blind + self.options.ante))
            if seat in pledged:
                pays = self.stacks[seat]
            self.stacks[seat] -= pays
            self._split(pays, honest)
        scores = [have - self.options.stack for have in self.stacks]
        for place, seat in enumerate(sorted(guilty)):
            share, odd = divmod(lacking, len(guilty))
            scores[seat] -= share + (place < odd)
        self.stacks = kept
        return scores
