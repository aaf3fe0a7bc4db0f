"""spec/games/poker.md: the rounds of a table, dealing by layers and by shares; `poker_classic` has the document's own."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Collection, Optional, Union

import deck
import group
import keys
from batch import Claim, Limits, replay
from challenger import Challenger, Context
from codec import Code, Element, Reader, u32
from commitments import Place, opens
from errors import Malformed
from games import Due, Fault, Step, blames
from games.poker_classic import Classic, Where
from games.poker_rules import PACK, Illegal, Options, Table
from logfile import Offer, Unreadable
from shuffle import ExponentShuffle, Shuffle
from sigma import SameExponents

NAME = "poker"
LIMITS = Limits(PACK)

Task = list[tuple[int, Optional[int]]]  # places of the deck, each for a seat or for everybody


def flag(reader: Reader, field: str) -> bool:
    """A byte that is 0 or 1."""
    at = reader.take(field, 1)[0]
    if at > 1:
        raise Malformed("tag", field, 0, at)
    return bool(at)


class Layers:
    """PO-5 to PO-9 and page 55."""

    def __init__(self, table: bytes, deal: int, seats: list[int], used: set[Element]) -> None:
        domain = "sra card"
        self._faces = [group.hash_to_group(domain, (table, u32(deal), u32(card))) for card in range(PACK)]  # LY-1
        self._points = list(self._faces)
        self._seats, self._used = seats, used
        self._keys: dict[int, Element] = {}
        self._task: Task = []
        self._round = 0

    def ask(self, task: Task) -> None:
        """Places to be dealt."""
        self._task, self._round = task, 0

    def _mine(self, seat: int) -> list[int]:
        """PO-6, PO-7: the places that a seat takes its layer off in this round."""
        n, index = len(self._seats), self._seats.index(seat)
        upto = self._round + 1
        turns = {None: index == n - upto, self._seats[(index - upto) % n]: upto < n}
        return [place for place, owner in self._task if turns.get(owner, False)]

    def due(self) -> Optional[tuple[list[int], bool]]:
        """Who speaks, and whether a secret leaves; nothing if all is dealt."""
        if len(self._keys) < len(self._seats):
            return [self._seats[len(self._keys)]], False
        while self._round < len(self._seats):
            speakers = [seat for seat in self._seats if self._mine(seat)]
            if speakers:
                return speakers, self._round == 0  # PO-8
            self._round += 1
        return None

    def judge(self, seat: int, payload: bytes, context: Context) -> Step:
        """LY-3, LY-4, LY-8."""
        reader = Reader(payload)
        if seat not in self._keys:
            key, output = reader.element("layer.key"), reader.elements("layer.deck", PACK)
            layer = ExponentShuffle(key, self._points, output)
            proof = layer.read(reader)
            reader.finish()
            if key in self._used:  # LY-2
                raise Fault("old-key", "a key of an earlier layer")
            with blames("shuffle"):
                return Step((key, output), [("shuffle", replay(layer, Challenger(context), proof, LIMITS))])
        places = self._mine(seat)
        below = reader.elements("removal.points", len(places))
        statement = SameExponents(self._keys[seat], below, [self._points[place] for place in places])
        shares = statement.read(reader)
        reader.finish()
        with blames("layer"):
            claim = replay(statement, Challenger(context), shares, LIMITS)
        return Step(dict(zip(places, below)), [("layer", claim)])

    def complete(self, steps: dict[int, Any]) -> None:
        """A round is over."""
        if len(self._keys) < len(self._seats):
            ((seat, (key, output)),) = steps.items()
            self._keys[seat], self._points = key, output
            self._used.add(key)
            return
        for removed in steps.values():
            for place, point in removed.items():
                self._points[place] = point
        self._round += 1

    def face(self, place: int, blame: int) -> int:
        """LY-9."""
        if self._points[place] not in self._faces:
            raise Fault("layer", "no card of the pack", seat=blame)
        return self._faces.index(self._points[place])

    def shown(self, seat: int, places: list[int], reader: Reader, context: Context) -> tuple[list[int], list[tuple[str, Claim]]]:
        """LY-11."""
        cards = [reader.u16("showing.cards", 0, 1039) for _ in places]
        if any(card >= PACK for card in cards):
            SameExponents(self._keys[seat], [], []).read(reader)
            reader.finish()
            raise Fault("show", "no card of the pack")
        bases, powers = [self._faces[card] for card in cards], [self._points[place] for place in places]
        statement = SameExponents(self._keys[seat], bases, powers)
        proof = statement.read(reader)
        reader.finish()
        with blames("show"):
            return cards, [("show", replay(statement, Challenger(context), proof, LIMITS))]


class Shares:
    """PO-10 and page 50."""

    def __init__(self, seats: list[int], used: set[Element]) -> None:
        self._faces = group.faces(NAME, PACK)
        self._seats, self._used = seats, used
        self._stage, self._turn = "commit", 0
        self._commitments: dict[int, bytes] = {}
        self._keys: dict[int, Element] = {}
        self._joint: Optional[Element] = None
        self._codes: list[Code] = []
        self._given: dict[int, list[Element]] = {}
        self._task: Task = []

    def ask(self, task: Task) -> None:
        """Places to be dealt."""
        self._task = task

    def _mine(self, seat: int) -> list[int]:
        return [place for place, owner in self._task if owner != seat]

    def due(self) -> Optional[tuple[list[int], bool]]:
        """Who speaks, and whether a secret leaves; nothing if all is dealt."""
        if self._stage == "shuffle":
            return [self._seats[self._turn]], False
        if self._stage != "share":
            return self._seats, self._stage == "reveal"
        speakers = [seat for seat in self._seats if self._mine(seat)]
        return (speakers, True) if speakers else None

    def judge(self, seat: int, payload: bytes, context: Context) -> Step:
        """D-1 to D-12."""
        if self._stage == "commit":
            reader = Reader(payload)
            commitment = reader.take("commitment", 32)
            reader.finish()
            return Step(commitment)
        if self._stage == "reveal":
            with blames("key"):
                key, claim = keys.check_reveal(context, self._commitments[seat], payload)
            if key.element in self._used:
                raise Fault("old-key", "a key of an earlier hand", [("key", claim)])
            return Step(key, [("key", claim)])
        if self._stage == "shuffle":
            assert self._joint is not None
            reader = Reader(payload)
            output = reader.codes(PACK)
            statement = Shuffle(self._joint, self._codes, output)
            proof = statement.read(reader)
            reader.finish()
            with blames("shuffle"):
                return Step(output, [("shuffle", replay(statement, Challenger(context), proof, LIMITS))])
        places = self._mine(seat)
        with blames("layer"):
            shares, claim = deck.check_shares(
                Challenger(context), self._keys[seat], [self._codes[place] for place in places], payload
            )
        return Step(dict(zip(places, shares)), [("layer", claim)])

    def complete(self, steps: dict[int, Any]) -> None:
        """A round is over."""
        if self._stage == "commit":
            self._commitments, self._stage = steps, "reveal"
        elif self._stage == "reveal":
            with blames("key", seat=min(steps)):
                self._joint = keys.joint_key(self._seats, [steps[seat] for seat in self._seats])
            self._keys = {seat: key.element for seat, key in steps.items()}
            self._used.update(self._keys.values())
            self._codes, self._stage = deck.open_deck(self._faces, self._joint), "shuffle"
        elif self._stage == "shuffle":
            (self._codes,) = steps.values()
            self._turn += 1
            self._stage = "shuffle" if self._turn < len(self._seats) else "share"
        else:
            for shares in steps.values():
                for place, share in shares.items():
                    self._given.setdefault(place, []).append(share)
            self._task = []

    def face(self, place: int, blame: int) -> int:
        """D-14."""
        with blames("layer", seat=blame):
            return deck.open_by_shares([self._codes[place]], self._faces, [[e] for e in self._given[place]])[0]

    def shown(self, seat: int, places: list[int], reader: Reader, context: Context) -> tuple[list[int], list[tuple[str, Claim]]]:
        """PO-10."""
        own = reader.elements("shares", len(places))
        statement = SameExponents(self._keys[seat], [self._codes[place].c1 for place in places], own)
        proof = statement.read(reader)
        reader.finish()
        with blames("show"):
            claim = replay(statement, Challenger(context), proof, LIMITS)
        cards = []
        for place, share in zip(places, own):
            try:
                given = [[e] for e in [*self._given[place], share]]
                with blames("show"):
                    cards += deck.open_by_shares([self._codes[place]], self._faces, given)
            except Fault as fault:
                raise Fault(fault.check, str(fault), [("show", claim)]) from fault
        return cards, [("show", claim)]


class Poker:
    """Follows a table through the rounds of PO-4 to PO-11."""

    def __init__(self, offer: Offer, table: bytes) -> None:
        data = offer.options
        decks = data[14] if len(data) == 15 else None
        if decks is None:
            allowed = len(data) == 14 and not offer.parameters and 2 <= offer.seats <= 9
        else:
            allowed = 2 <= decks <= 64 and data[3] == 0 and offer.parameters == b"\1" and offer.seats == 2
        if not allowed or max(data[:4]) > 1:  # PO-1
            raise Unreadable("an offer that poker does not allow")
        stack, blind, ante = (int.from_bytes(data[a:b], "little") for a, b in ((6, 10), (10, 12), (12, 14)))
        within = 1 <= data[4] <= 200 and 2 <= stack <= 1_000_000 and 2 <= blind <= 10_000 and ante <= 10_000
        if not within or blind % 2:
            raise Unreadable("an offer that poker does not allow")
        self._by_shares, self._clock, self._decks = bool(data[3]), data[5] > 0, decks
        options = Options(bool(data[0]), bool(data[1]), bool(data[2]), data[4], stack, blind, ante)
        self._id, self._table = table, Table(options, offer.seats)
        self._used: set[Element] = set()
        self._dealer: Union[None, Layers, Shares, Classic] = None
        self._asked = False
        self._decided: dict[int, bytes] = {}
        self._follow(0)

    # --- rounds -----------------------------------------------------------------------------------------------------

    def _follow(self, blame: int) -> None:
        """Takes in what was dealt, and asks for what is to be dealt next."""
        table = self._table
        while table.phase in ("deal", "board", "redeal"):
            if self._dealer is None:
                self._dealer = self._new_dealer(sorted(table.dealt))
            if self._dealer.due() is not None:
                return
            if not self._asked:
                self._asked = True
                self._dealer.ask(self._task())
                continue
            self._asked = False
            if table.phase == "deal":
                table.dealt_out()
            elif table.phase == "redeal":
                table.redealt()
            else:
                table.turned([self._dealer.face(place, blame) for place, _ in self._task()])
        if table.phase in ("ready", "over"):
            self._dealer, self._asked = None, False
        if table.phase != "show":
            self._decided = {}

    def _new_dealer(self, seats: list[int]) -> Union[Layers, Shares, Classic]:
        table = self._table
        if self._decks is not None:
            (second,) = (seat for seat in seats if seat != table.button)  # PO-15
            return Classic(Where(self._id, table.hands), table.button, second, self._decks, self._used)
        if self._by_shares:
            return Shares(seats, self._used)
        return Layers(self._id, table.hands, seats, self._used)

    def _task(self) -> Task:
        """PO-3."""
        table = self._table
        if table.phase == "deal":
            return [(place, seat) for seat in sorted(table.dealt) for place in table.places[seat]]
        if table.phase == "redeal":
            return [(place, seat) for place, seat, _ in table.draws()]
        start = table.stock + len(table.board)
        return [(place, None) for place in range(start, start + table.board_due())]

    def due(self) -> Optional[Due]:
        """PO-4."""
        table = self._table
        if table.phase == "over":
            return None
        seats: Collection[int]
        releases = False
        if table.phase == "ready":
            seats = table.solvent()
        elif table.phase == "bet":
            seats = [table.turn]
        elif table.phase == "discard":
            turn = table.to_discard()
            seats = [] if turn is None else [turn]
        elif table.phase == "show":
            seats, releases = table.to_show(), not table.options.at_once or bool(self._decided)
        else:
            assert self._dealer is not None
            seats, releases = self._dealer.due() or ([], False)
        return Due(seats, releases, self._clock, table.out())

    def judge(self, seat: int, payload: bytes, head: bytes) -> Step:
        """PO-4, PO-12."""
        table = self._table
        context = Context(self._id, table.hands, seat, head)
        reader = Reader(payload)
        if table.phase == "ready":
            plays = flag(reader, "play")
            reader.finish()
            return Step(plays)
        if table.phase == "bet":
            return self._judge_bet(seat, reader)
        if table.phase == "discard":
            mask = reader.take("discard", 1)[0]
            reader.finish()
            return self._allowed("discard", lambda tried: tried.discard(seat, mask), mask)
        if table.phase == "show":
            return self._judge_show(seat, reader, context)
        assert self._dealer is not None
        return self._dealer.judge(seat, payload, context)

    def _judge_bet(self, seat: int, reader: Reader) -> Step:
        what = reader.take("bet", 1)[0]
        amount = int.from_bytes(reader.take("bet.amount", 4), "little")
        if what > 3 or (what < 3 and amount):
            raise Malformed("tag", "bet", 0, what)
        reader.finish()
        return self._allowed("bet", lambda tried: tried.bet(seat, what, amount), (what, amount))

    def _allowed(self, check: str, does: Any, value: Any) -> Step:
        """Tries it on a copy of the table."""
        try:
            does(deepcopy(self._table))
        except Illegal as illegal:
            raise Fault(check, str(illegal)) from illegal
        return Step(value)

    def _judge_show(self, seat: int, reader: Reader, context: Context) -> Step:
        """PO-9, PO-11."""
        table = self._table
        if table.options.at_once and not self._decided:
            commitment = reader.take("commitment", 32)
            reader.finish()
            return Step(commitment)
        opening = reader.take("opening", 32) if table.options.at_once else None
        shows = flag(reader, "show")
        assert self._dealer is not None
        wrong = opening is not None and not opens(
            self._decided[seat], "poker showdown", Place(self._id, table.hands, seat), opening, bytes([shows])
        )
        if not shows:
            reader.finish()
            if wrong:
                raise Fault("decision", "another decision than was committed to")
            return Step(None)
        try:
            cards, claims = self._dealer.shown(seat, table.places[seat], reader, context)
            if self._decks is not None:
                self._check_twice(seat, cards)
        except Fault:
            if wrong:
                raise Fault("decision", "another decision than was committed to") from None
            raise
        if wrong:
            raise Fault("decision", "another decision than was committed to")
        return Step(cards, claims)

    def _check_twice(self, seat: int, cards: list[int]) -> None:
        """LC-18: a card of the first player that is elsewhere, too."""
        if isinstance(self._dealer, Classic) and seat == self._dealer.maker and self._is_twice([cards]):
            raise Fault("decks", "a card twice")

    def _is_twice(self, hands: list[list[int]]) -> bool:
        table = self._table
        known = [*table.board, *(card for shown in table.shown.values() for card in shown or ())]
        known += [card for hand in hands for card in hand]
        return len(set(known)) < len(known)

    def complete(self, steps: dict[int, Any]) -> None:
        """A round is over."""
        table = self._table
        if table.phase == "ready":
            table.begin(frozenset(seat for seat, plays in steps.items() if plays))
        elif table.phase == "bet":
            ((seat, (what, amount)),) = steps.items()
            table.bet(seat, what, amount)
        elif table.phase == "discard":
            ((seat, mask),) = steps.items()
            table.discard(seat, mask)
        elif table.phase == "show" and table.options.at_once and not self._decided:
            self._decided = steps
        elif table.phase == "show":
            hands = [cards for cards in steps.values() if cards]
            if isinstance(self._dealer, Classic) and hands and self._is_twice(hands):
                raise Fault("decks", "a card twice", seat=self._dealer.maker)
            for seat in sorted(steps):
                table.show(seat, steps[seat])
        else:
            assert self._dealer is not None
            self._dealer.complete(steps)
        self._follow(min(steps))

    def scores(self, guilty: Collection[int]) -> list[int]:
        """PD-14, PD-19."""
        pledged = self._dealer.pledged() if isinstance(self._dealer, Classic) else set()
        return self._table.scores(guilty, pledged)


GAME = Poker
