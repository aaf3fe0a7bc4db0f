"""spec/games/tarokk.md, one deal: its rounds, what must be proved for a step, and what is remembered of it.

Players are numbered 0 to 3 in playing order; a seat is a place at the table (TP-4). Cards are numbers (TP-3).
"""

from __future__ import annotations

from typing import Any, Callable, Collection, NamedTuple, Optional, Sequence

import deck
import group
import keys
import ristretto
from batch import Limits
from challenger import Context
from codec import GENERATOR, Code, Element, computed
from errors import Malformed, Refusal
from games import Due, Fault, Step, blames
from games import tarokk_rules as rules
from games.evidence import Payload, only
from games.tarokk_rules import DECLARER, OPPONENTS
from shuffle import ReCreation, Shuffle
from sigma import AnyOf, Branch, PublicLine, SameExponent, SameExponents

NAME = "tarokk"
CARDS = 42
LIMITS = Limits(CARDS)

# TP-3: card numbers, and sets of them.
NAMES = (*rules.TAROKKS, *(card for suit in "HDCS" for card in rules.SUITS[suit]))
NUMBER = {name: number for number, name in enumerate(NAMES)}
PACK = frozenset(range(CARDS))
TAROKKS = frozenset(range(22))
COLOURED = PACK - TAROKKS
PAGAT, XX, XXI, SKIZ = 0, 19, 20, 21
HONOURS = frozenset((PAGAT, XXI, SKIZ))
KINGS = frozenset(NUMBER[name] for name in rules.KINGS)
SUIT = [rules.suit_of(name) for name in NAMES]

CALLS = ("pass", "hold", "three", "two", "one", "solo")  # TP-15
FIGURES = ("trull", "four_kings", "double", "volat", "pagat_ultimo", "xxi_catch")  # TP-16
AGAIN = "again"  # TP-5: the value of a step that is to be repeated
BY_HAND = ("call", "discard", "annul", "word", "play", "claim")
ECHOED = ("draw", "talon", "sum")
Effect = Callable[[], None]


def word_of(number: int) -> Optional[str]:
    """TP-16, in the words of the rules."""
    if number < 3:
        return ("pass", "8_tarokks", "9_tarokks")[number]
    if number < 9:
        return FIGURES[number - 3]
    if number < 44:
        level, target = divmod(number - 9, 7)
        return f"{rules.KONTRAS[level]}:{('game', *FIGURES)[target]}"
    return f"call:{NAMES[number - 64]}" if 64 <= number < 64 + CARDS else None


class Options(NamedTuple):
    """TP-1."""

    jump_counts_hold: bool
    yielded_game: bool
    pagat_invit_always_binds: bool
    double_rounds_count_tarokks: bool
    late_claims: bool
    deals: int
    seconds: int


class Place(NamedTuple):
    """Where a deal takes place."""

    table: bytes
    number: int
    seats: int
    dealer: int
    options: Options


class Outcome(NamedTuple):
    """How a deal ended: what each player gets, or nothing if it is not paid; and who held the skíz."""

    payments: Optional[list[int]]
    skiz: Optional[int] = None


class Player:
    """TP-12: what everybody remembers of a player."""

    def __init__(self) -> None:
        self.within = PACK  # U
        self.honour = self.few = False
        self.kontra: Optional[bool] = None
        self.side: Optional[str] = None
        self.hand: list[Code] = []
        self.dealt: list[Code] = []  # the hand before the talon
        self.drawn: list[Code] = []
        self.merged = False
        self.laid: list[Code] = []
        self.told = 0  # tarokks that it has laid away, where that is told
        self.shown: dict[int, int] = {}  # of the laid codes: place and card
        self.bits: list[Code] = []
        self.signalled: Optional[int] = None
        self.played: list[int] = []
        self.discard: list[int] = []
        self.annulled = False
        self.claims = False


class Deal:
    """Follows one deal. `factor` is that of double rounds."""

    def __init__(self, place: Place, factor: int, used: set[Element], said: bool) -> None:
        self.place, self.factor, self.used, self.said = place, factor, used, said
        self.faces = group.faces(NAME, CARDS)
        self.seat_of = [(place.dealer + 1 + player) % place.seats for player in range(4)]
        self.players = [Player() for _ in range(4)]
        self.commitments: dict[int, bytes] = {}
        self.keys: list[Element] = []
        self.joint: Element = GENERATOR
        self.codes: list[Code] = []
        self.shares: dict[tuple[int, int], list[Element]] = {}  # by giver and receiver
        self.auction = rules.Auction(
            jump_counts_hold=place.options.jump_counts_hold, yielded_game=place.options.yielded_game
        )
        self.words: Optional[rules.Announcements] = None
        self.others_told = 0
        self.sum: Optional[Code] = None
        self.sum_shares: list[Element] = []
        self.called: Optional[int] = None
        self.trick: list[int] = []
        self.leader = 0
        self.tricks: list[tuple[int, list[int], int]] = []  # leader, cards, winner
        self.outcome: Optional[Outcome] = None
        self.stage = "commit"
        self.shuffler = 0
        self.waiting: set[int] = set(range(4))  # players; in `shuffle` it is the shuffler's seat

    # --- the frame --------------------------------------------------------------------------------------------------

    def due(self) -> Due:
        """The next round."""
        clock = self.place.options.seconds > 0
        if self.stage == "shuffle":
            return Due(((self.place.dealer + 1 + self.shuffler) % self.place.seats,), False, clock)
        return Due([self.seat_of[player] for player in self.waiting], self.stage in ECHOED, clock)

    def judge(self, seat: int, data: bytes, head: bytes) -> Step:
        """The step of a seat. Its value is its effect on the state, or `AGAIN`."""
        if self.stage in BY_HAND and data == b"\xff":  # TP-5
            if self.said:
                raise Fault("rules", "skíz oszt was said before")
            return Step(AGAIN)
        payload = Payload(data, Context(self.place.table, self.place.number, seat, head), LIMITS)
        if self.stage == "shuffle":
            return self._judge_shuffle(payload)
        player = self.seat_of.index(seat)
        return getattr(self, "_judge_" + self.stage)(player, payload, data)

    def complete(self, steps: dict[int, Any]) -> None:
        """A round is complete."""
        again = {seat for seat, effect in steps.items() if effect == AGAIN}
        self.said = self.said or bool(again)
        for seat in sorted(steps):
            if seat not in again:
                steps[seat]()
        if self.stage == "shuffle":
            self.shuffler += 1
            if self.shuffler == self.place.seats:
                self._begin("draw", range(4))
            return
        self.waiting = {self.seat_of.index(seat) for seat in again}
        if not self.waiting:
            getattr(self, "_after_" + self.stage)()

    def _begin(self, stage: str, players: Collection[int]) -> None:
        self.stage, self.waiting = stage, set(players)

    def _others(self, player: int) -> list[int]:
        return [other for other in range(4) if other != player]

    # --- evidence ---------------------------------------------------------------------------------------------------

    def _point(
        self,
        payload: Payload,
        hand: Sequence[Code],
        count: int,
        among: Collection[int],
        check: str,
        rest: Optional[tuple[Collection[int], str]] = None,
        shuffle: bool = True,
    ) -> list[Code]:
        """TP-11: some codes lie in a set, perhaps the others in another. Gives the hand as it is from then on."""
        places = payload.places(count, len(hand))
        payload.set_proof(check, self.joint, only(self.faces, list(among)), [hand[place] for place in places])
        if rest is not None:
            others = [code for place, code in enumerate(hand) if place not in places]
            payload.set_proof(rest[1], self.joint, only(self.faces, list(rest[0])), others)
        return payload.reshuffled("reshuffle", self.joint, hand) if shuffle else list(hand)

    def _whole(
        self, payload: Payload, within: frozenset[int], hand: Sequence[Code], among: Collection[int], check: str
    ) -> frozenset[int]:
        """TP-14: the whole hand lies in a set. Gives the new `U`."""
        if not hand or within <= set(among):
            return within
        narrower = within & set(among)
        payload.set_proof(check, self.joint, only(self.faces, list(narrower)), hand)
        return narrower

    def _holds(self, player: int, cards: Collection[int]) -> None:
        """TP-13: a player proved that it holds named cards."""
        for other in self._others(player):
            self.players[other].within -= set(cards)

    def _seen(self, card: int) -> None:
        """TP-13: a card was opened."""
        for player in self.players:
            player.within -= {card}

    # --- keys and deck ----------------------------------------------------------------------------------------------

    def _judge_commit(self, player: int, payload: Payload, data: bytes) -> Step:
        commitment = payload.reader.take("commitment", 32)
        payload.close()
        return Step(lambda: self.commitments.__setitem__(player, commitment))

    def _after_commit(self) -> None:
        self._begin("reveal", range(4))
        self.reveals: dict[int, keys.Key] = {}

    def _judge_reveal(self, player: int, payload: Payload, data: bytes) -> Step:
        with blames("key"):
            key, claim = keys.check_reveal(payload.context, self.commitments[player], data)
        if key.element in self.used:  # TP-7
            raise Fault("old-key", "a key of an earlier deal", [("key", claim)])
        return Step(lambda: self.reveals.__setitem__(player, key), [("key", claim)])

    def _after_reveal(self) -> None:
        with blames("key", seat=min(self.seat_of)):  # TP-28
            self.joint = keys.joint_key(sorted(self.seat_of), list(self.reveals.values()))
        self.keys = [self.reveals[player].element for player in range(4)]
        self.used.update(self.keys)
        self.codes = deck.open_deck(self.faces, self.joint)
        self.stage = "shuffle"

    def _judge_shuffle(self, payload: Payload) -> Step:
        output = payload.reader.codes(CARDS)
        payload.proof("shuffle", Shuffle(self.joint, self.codes, output))
        return Step(lambda: setattr(self, "codes", output), payload.close())

    # --- cards from the deck ----------------------------------------------------------------------------------------

    def _given(self, player: int) -> list[Code]:
        """TP-8: the nine codes of a player."""
        return self.codes[6 + 5 * player : 11 + 5 * player] + self.codes[26 + 4 * player : 30 + 4 * player]

    def _taken(self, player: int) -> list[Code]:
        """TP-8: what a player takes of the talon."""
        sizes, declarer = self._talon_sizes(), self.auction.declarer()
        assert declarer is not None
        order = [(declarer + step) % 4 for step in range(4)]
        start = sum(sizes[other] for other in order[: order.index(player)])
        return self.codes[start : start + sizes[player]]

    def _talon_sizes(self) -> list[int]:
        declarer = self.auction.declarer()
        assert declarer is not None
        split = rules.TALON[rules.BIDS[self.auction.level()]]
        return [split[(player - declarer) % 4] for player in range(4)]

    def _judge_shares(self, player: int, payload: Payload, codes_of: Callable[[int], list[Code]]) -> Step:
        given: dict[tuple[int, int], list[Element]] = {}
        for other in self._others(player):
            codes = codes_of(other)
            if codes:
                shares = payload.reader.elements("shares", len(codes))
                statement = SameExponents(self.keys[player], [code.c1 for code in codes], shares)
                payload.proof("share", statement)
                given[player, other] = shares
        return Step(lambda: self.shares.update(given), payload.close())

    def _draw(self, player: int, codes: list[Code]) -> list[Code]:
        """D-13."""
        lists = [(self.seat_of[other], self.shares[other, player]) for other in self._others(player)]
        return deck.draw(codes, self.seat_of, self.seat_of[player], lists)

    def _judge_draw(self, player: int, payload: Payload, data: bytes) -> Step:
        return self._judge_shares(player, payload, self._given)

    def _after_draw(self) -> None:
        for player, state in enumerate(self.players):
            state.drawn = self._draw(player, self._given(player))
        self._begin("hand", range(4))

    def _hand_proof(self, player: int, payload: Payload, check: str) -> list[Code]:
        """TP-9."""
        state = self.players[player]
        created = payload.reader.codes(len(state.hand) + len(state.drawn))
        statement = ReCreation(self.keys[player], self.joint, state.hand, state.drawn, created)
        payload.proof(check, statement)
        return created

    def _judge_hand(self, player: int, payload: Payload, data: bytes) -> Step:
        created = self._hand_proof(player, payload, "hand")
        return Step(lambda: setattr(self.players[player], "hand", created), payload.close())

    def _after_hand(self) -> None:
        self._begin("call", [self.auction.turn()])

    # --- auction ----------------------------------------------------------------------------------------------------

    def _judge_call(self, player: int, payload: Payload, data: bytes) -> Step:
        call, state, auction = CALLS[payload.byte("call", len(CALLS) - 1)], self.players[player], self.auction
        allowed = auction.refusal(player, call, NAMES) is None
        hand, bids = state.hand, call != "pass"
        if bids and call != "hold" and len(auction.passed) < 3 and not state.honour:
            hand = self._point(payload, hand, 1, HONOURS, "honour")
        promised: Optional[int] = None
        if bids and call != "hold" and len(auction.passed) < 3 and not auction.jumped:
            name = rules.PROMISES.get(auction.jump(player, rules.BIDS.index(call)))
            if name is not None:
                promised = NUMBER[name]
                hand = self._point(payload, hand, 1, {promised}, "invit")
        if not bids and auction.yields(player):
            promised = XX
            hand = self._point(payload, hand, 1, {XX}, "yield")
            hand = self._point(payload, hand, 1, {XXI, SKIZ}, "yield")
        payload.reader.finish()
        if not allowed:  # TP-26: only what can be decoded
            raise Fault("rules", "not a call that can be made")

        def effect() -> None:
            if bids and len(auction.passed) < 3:
                state.honour = True
            if promised is not None:
                state.signalled = promised
                self._holds(player, {promised})
            state.hand = hand
            auction.add(player, call)

        return Step(effect, payload.close())

    def _after_call(self) -> None:
        if not self.auction.over():
            self._begin("call", [self.auction.turn()])
        elif self.auction.declarer() is None:
            self.outcome = Outcome(None)  # TK-42
        else:
            for state in self.players:
                state.dealt = state.hand
            self._begin("talon", range(4))

    # --- talon and discards -----------------------------------------------------------------------------------------

    def _judge_talon(self, player: int, payload: Payload, data: bytes) -> Step:
        return self._judge_shares(player, payload, self._taken)

    def _after_talon(self) -> None:
        for player, state in enumerate(self.players):
            taken = self._taken(player)
            state.drawn = self._draw(player, taken) if taken else []
        if self.auction.trial is not None:
            self._begin("trial", [self.auction.trial])
        else:
            self._begin_discard()

    def _judge_trial(self, player: int, payload: Payload, data: bytes) -> Step:
        honour = payload.byte("honour", 1)
        hand = self._hand_proof(player, payload, "talon")
        if honour:
            hand = self._point(payload, hand, 1, HONOURS, "trial")
        else:
            payload.set_proof("trial", self.joint, only(self.faces, list(PACK - HONOURS)), hand)

        def effect() -> None:
            state = self.players[player]
            state.hand, state.merged = hand, True
            if not honour:  # TK-43
                value = (self.auction.level() + 1) * self.factor
                self.outcome = Outcome([-3 * value if other == player else value for other in range(4)])

        return Step(effect, payload.close())

    def _after_trial(self) -> None:
        if self.outcome is None:
            self._begin_discard()

    def _begin_discard(self) -> None:
        self._begin("discard", [player for player in range(4) if self._talon_sizes()[player]])

    def _judge_discard(self, player: int, payload: Payload, data: bytes) -> Step:
        payload.byte("discard", 0)
        state, count = self.players[player], self._talon_sizes()[player]
        hand = state.hand if state.merged else self._hand_proof(player, payload, "talon")
        places = payload.places(count, len(hand))

        def effect() -> None:
            state.laid = [hand[place] for place in places]
            state.hand = [code for place, code in enumerate(hand) if place not in places]

        return Step(effect, payload.close())

    def _after_discard(self) -> None:
        self._begin("tell", range(4))

    def _may_lay(self, player: int) -> tuple[frozenset[int], frozenset[int]]:
        """TP-20: the sets T and C."""
        return TAROKKS - HONOURS - {self.players[player].signalled}, COLOURED - KINGS

    def _hides_number(self, player: int) -> bool:
        """E4: at a table of five only the sum of the three others is told."""
        return self.place.seats == 5 and player != self.auction.declarer()

    def _judge_tell(self, player: int, payload: Payload, data: bytes) -> Step:
        if self._hides_number(player):
            return self._judge_bits(player, payload)
        state, (tarokks, coloured) = self.players[player], self._may_lay(player)
        laid, hand = state.laid, state.hand
        count = payload.byte("tarokks", len(laid))
        places = payload.places(count, len(laid))
        shown: dict[int, int] = {}
        if player == self.auction.declarer():
            for place in places:
                shown[place] = self._opening(payload, laid[place], "shown-discard")
                if shown[place] not in tarokks:
                    payload.refused("tarokk-discard", "not a tarokk that may be laid away")
        else:
            payload.set_proof(
                "tarokk-discard", self.joint, only(self.faces, list(tarokks)), [laid[place] for place in places]
            )
        rest = [code for place, code in enumerate(laid) if place not in places]
        payload.set_proof("coloured-discard", self.joint, only(self.faces, list(coloured)), rest)
        if not laid:
            hand = payload.reshuffled("reshuffle", self.joint, hand)

        def effect() -> None:
            state.told, state.shown, state.hand = count, shown, hand

        return Step(effect, payload.close())

    def _opening(self, payload: Payload, code: Code, check: str) -> int:
        """D-16, D-17: the card; if the pair does not open the code, that is this fault."""
        opened = deck.Opened(
            payload.reader.u16("opened.card", 0, CARDS - 1), payload.reader.scalar("opened.randomness")
        )
        try:
            deck.check_opened(code, self.joint, self.faces, opened)
        except Refusal as refusal:
            payload.refused(check, str(refusal))
        return opened.card

    def _judge_bits(self, player: int, payload: Payload) -> Step:
        """TP-20, TP-21."""
        tarokks, coloured = self._may_lay(player)
        bits: list[Code] = []
        for code in self.players[player].laid:
            bit = payload.reader.code()
            branches = []
            for card in sorted(tarokks | coloured):
                value = [(1, bit.c2), (-1, GENERATOR)] if card in tarokks else bit.c2
                lines = [
                    PublicLine(code.c1, [(0, GENERATOR)]),
                    PublicLine([(1, code.c2), (-1, self.faces[card])], [(0, self.joint)]),
                    PublicLine(bit.c1, [(1, GENERATOR)]),
                    PublicLine(value, [(1, self.joint)]),
                ]
                branches.append(Branch(2, lines))
            payload.proof("discard-bit", AnyOf(branches))
            bits.append(bit)
        return Step(lambda: setattr(self.players[player], "bits", bits), payload.close())

    def _after_tell(self) -> None:
        for state in self.players:
            for card in state.shown.values():
                self._seen(card)
        if self.place.seats == 5:
            bits = [bit for state in self.players for bit in state.bits]
            halves = [computed(ristretto.multiscalar((1, bit[half].point) for bit in bits)) for half in (0, 1)]
            first, second = halves
            if first is None or second is None:
                declarer = self.auction.declarer() or 0  # all who told bits have chosen them together
                raise Fault("discard-bit", "the bits cancel", seat=self.seat_of[(declarer + 1) % 4])
            self.sum = Code(first, second)
            self._begin("sum", range(4))
        else:
            declarer = self.auction.declarer()
            self.others_told = sum(state.told for player, state in enumerate(self.players) if player != declarer)
            self._exchanged()

    def _judge_sum(self, player: int, payload: Payload, data: bytes) -> Step:
        assert self.sum is not None
        share = payload.reader.element("share")
        payload.proof("share", SameExponent(GENERATOR, self.keys[player], self.sum.c1, share))
        return Step(lambda: self.sum_shares.append(share), payload.close())

    def _after_sum(self) -> None:
        assert self.sum is not None
        terms = [(1, self.sum.c2.point), *((-1, share.point) for share in self.sum_shares)]
        for number in range(7):  # TP-21
            if ristretto.is_identity(ristretto.multiscalar([*terms, (-number, GENERATOR.point)])):
                self.others_told = number
        self._exchanged()

    def _exchanged(self) -> None:
        """TP-13: what is known after the exchange."""
        shown = {card for state in self.players for card in state.shown.values()}
        for state in self.players:
            state.within = PACK - shown
        declarer = self.auction.declarer()
        assert declarer is not None
        self.players[declarer].side = DECLARER
        known: dict[int, str] = {}
        partner = self.auction.yielded
        if partner is None and self.auction.invit is not None and self.auction.invit[0] != declarer:
            partner = self.auction.invit[0]
        if partner is not None:
            self.players[partner].side = known[partner] = DECLARER
            card = self.players[partner].signalled
            assert card is not None
            self._holds(partner, {card})
        self.words = rules.Announcements(declarer, known)
        self._begin("annul", range(4))

    # --- annulment --------------------------------------------------------------------------------------------------

    def _judge_annul(self, player: int, payload: Payload, data: bytes) -> Step:
        ground, state = payload.byte("ground", 5), self.players[player]
        if not ground:
            return Step(lambda: None, payload.close())
        if ground > 1 and state.told:  # TP-22
            payload.refused("annulment", "laid a tarokk away")
        if ground == 1:
            self._point(payload, state.hand, 4, KINGS, "annulment", shuffle=False)
        else:
            named = {2: {XXI}, 3: {PAGAT}, 4: set(), 5: {PAGAT, XXI}}[ground]
            rest = (COLOURED, "annulment")
            self._point(payload, state.hand, len(named), named, "annulment", rest, shuffle=False)
            for bit in state.bits:
                secret = payload.reader.scalar("bit")
                for half, base in ((0, GENERATOR), (1, self.joint)):
                    rest_of = ristretto.multiscalar([(secret, base.point), (-1, bit[half].point)])
                    if not ristretto.is_identity(rest_of):
                        payload.refused("annulment", "a bit that is not 0")
        return Step(lambda: setattr(state, "annulled", True), payload.close())

    def _after_annul(self) -> None:
        if any(state.annulled for state in self.players):
            self.outcome = Outcome(None)  # TK-49
        else:
            assert self.words is not None
            self._begin("word", [self.words.speaker])

    # --- announcements ----------------------------------------------------------------------------------------------

    def _sides(self, player: int, word: str) -> dict[str, rules.Secrets]:
        """TP-17: the sides for which a word is in order, with some number of tarokks."""
        assert self.words is not None
        side, number = self._side(player), self.words.numbers.get(player)
        found: dict[str, rules.Secrets] = {}
        for each in (DECLARER, OPPONENTS) if side is None else (side,):
            for count in (0, 8, 9) if number is None else (number,):
                own = rules.Secrets(each, count)
                if self.words.refusal(word, own) is None:
                    found[each] = own
        return found

    def _side(self, player: int) -> Optional[str]:
        """TP-12: the side of a player, if there is no doubt about it."""
        others = [self.players[other].side for other in self._others(player) if other != self.auction.declarer()]
        return self.players[player].side or (OPPONENTS if DECLARER in others else None)

    def _refuses_call(self, card: int) -> bool:
        """TK-50, as far as everybody sees it."""
        obliged = self.auction.must_call()
        if obliged is not None:
            return card != NUMBER[obliged]
        return card not in TAROKKS - HONOURS

    def _judge_word(self, player: int, payload: Payload, data: bytes) -> Step:
        number = payload.byte("word")
        word, words, state = word_of(number), self.words, self.players[player]
        if word is None:
            raise Malformed("tag", "word", 0, number)
        assert words is not None
        sides = self._sides(player, word)
        allowed = bool(sides) and not (word.startswith("call:") and self._refuses_call(number - 64))
        own = next(iter(sides.values()), rules.Secrets(DECLARER, 0))
        hand, within, effects = state.hand, state.within, []  # type: ignore[var-annotated]
        if word == "8_tarokks":
            hand = self._point(payload, hand, 1, COLOURED, "eight-not-nine", (TAROKKS, "eight"))
        elif word == "9_tarokks":
            within = self._whole(payload, within, hand, TAROKKS, "nine")
        elif word.startswith("call:"):
            card = number - 64
            if card != XX and self.auction.must_call() is None and not self.others_told:
                above = frozenset(range(card + 1, XX + 1))
                rest = within - above - {card}
                hand = self._point(payload, hand, len(above), above, "call", (rest, "call"))
                within = within - {card}
                effects.append(lambda: self._holds(player, above))
            effects.append(lambda: self._call(card))
        elif word == "pass":
            if player not in words.spoken():
                self._first_turn_ends(player, payload)
                effects.append(lambda: setattr(state, "kontra", words.game_kontra > 0))
        else:
            side, spoken_for = self._side(player), words.taken_for(word)
            if side is None and spoken_for is not None and self.called is not None:
                if spoken_for == DECLARER:
                    hand = self._point(payload, hand, 1, {self.called}, "partner")
                    effects.append(lambda: self._holds(player, {self.called or 0}))
                else:
                    within = self._whole(payload, within, hand, PACK - {self.called}, "opponent")
            if word in rules.NUMBER_FIRST and player not in words.numbers and not state.few:
                hand = self._point(payload, hand, 2, COLOURED, "count-due")
                effects.append(lambda: setattr(state, "few", True))
            effects.append(lambda: setattr(state, "side", own.side))
        payload.reader.finish()
        if not allowed:  # TP-26: only what can be decoded
            raise Fault("rules", "not a word that can be said")

        def effect() -> None:
            state.hand, state.within = hand, within
            for each in effects:
                each()
            words.say(word, own)

        return Step(effect, payload.close())

    def _call(self, card: int) -> None:
        """TD-12: everybody sees if the declarer laid it away itself."""
        assert self.words is not None
        self.called = card
        if any(card in state.shown.values() for state in self.players):
            for other in self._others(self.words.declarer):
                self.players[other].side = self.words.known[other] = OPPONENTS

    def _first_turn_ends(self, player: int, payload: Payload) -> None:
        """RC-22: an inviter that does not announce pagátulti had a big honour."""
        invit, state = self.auction.invit, self.players[player]
        assert self.words is not None
        if invit is None or invit[0] != player or ("pagat_ultimo", state.side) in self.words.announced:
            return
        accepted = player != self.auction.declarer()
        if accepted or self.place.options.pagat_invit_always_binds:
            self._point(payload, state.dealt, 1, {XXI, SKIZ}, "forced-ultimo", shuffle=False)

    def _after_word(self) -> None:
        assert self.words is not None
        if self.words.closed():
            self._begin("play", [0])
        else:
            self._begin("word", [self.words.speaker])

    # --- play -------------------------------------------------------------------------------------------------------

    def _announced_pagat(self, side: Optional[str]) -> bool:
        assert self.words is not None
        return ("pagat_ultimo", side) in self.words.announced

    def _judge_play(self, player: int, payload: Payload, data: bytes) -> Step:
        state = self.players[player]
        place = payload.byte("place", len(state.hand) - 1)
        card = self._opening(payload, state.hand[place], "card")
        rest = [code for other, code in enumerate(state.hand) if other != place]
        within = state.within - {card}
        kept = card == PAGAT and self._announced_pagat(self._side(player))
        if not self.trick:
            if kept and rest:
                payload.refused("pagat-led", "the pagát is led")
        else:
            led = SUIT[self.trick[0]]
            without = frozenset(other for other in PACK if SUIT[other] != led)
            if kept:
                within = self._whole(payload, within, rest, without - TAROKKS, "pagat-kept")
            elif SUIT[card] == led:
                pass
            elif card in TAROKKS:
                within = self._whole(payload, within, rest, without, "no-suit")
            else:
                within = self._whole(payload, within, rest, without - TAROKKS, "no-tarokk")

        def effect() -> None:
            state.hand, state.within = rest, within
            state.played.append(card)
            self._seen(card)
            self.trick.append(card)
            if card == self.called:
                for other, each in enumerate(self.players):
                    each.side = DECLARER if other in (player, self.auction.declarer()) else OPPONENTS

        return Step(effect, payload.close())

    def _after_play(self) -> None:
        if len(self.trick) == 4:
            winner = (self.leader + rules.trick_winner([NAMES[card] for card in self.trick])) % 4
            self.tricks.append((self.leader, self.trick, winner))
            self.trick, self.leader = [], winner
        if len(self.tricks) < 9:
            self._begin("play", [(self.leader + len(self.trick)) % 4])
            return
        late = self._late() if self.place.options.late_claims else []
        if late:
            self._begin("claim", late)
        else:
            self._begin("open", range(4))

    # --- the end ----------------------------------------------------------------------------------------------------

    def partner(self) -> Optional[int]:
        """Who played the called tarokk, if it was not the declarer."""
        for player, state in enumerate(self.players):
            if self.called in state.played and player != self.auction.declarer():
                return player
        return None

    def _late(self) -> list[int]:
        """TK-53, TD-22: who may claim after play."""
        assert self.words is not None
        alone = self.partner() is None
        return [
            player
            for player, state in enumerate(self.players)
            if len(TAROKKS & set(state.played)) >= 8
            and player not in self.words.numbers
            and not (alone and player == self.auction.declarer())
        ]

    def _judge_claim(self, player: int, payload: Payload, data: bytes) -> Step:
        claims = bool(payload.byte("claim", 1))
        return Step(lambda: setattr(self.players[player], "claims", claims), payload.close())

    def _after_claim(self) -> None:
        self._begin("open", range(4))

    def _judge_open(self, player: int, payload: Payload, data: bytes) -> Step:
        """TP-23."""
        state = self.players[player]
        known = {card for each in self.players for card in (*each.played, *each.shown.values())}
        discard: list[int] = []
        for place, code in enumerate(state.laid):
            if place in state.shown:
                discard.append(state.shown[place])
                continue
            card = self._opening(payload, code, "open")
            if card in known:
                payload.refused("open", "a card twice")
            known.add(card)
            discard.append(card)
        declarer = self.auction.declarer()
        if self.called in discard and player != declarer and not state.kontra:
            payload.refused("forced-kontra", "discarded the called tarokk and did not say kontra")
        side = DECLARER if player in (declarer, self.partner()) else OPPONENTS
        if self._announced_pagat(side):
            self._replay_pagat(player, payload)
        return Step(lambda: setattr(state, "discard", discard), payload.close())

    def _replay_pagat(self, player: int, payload: Payload) -> None:
        """TK-56, E5: the pagát was kept as long as another card could be played."""
        for number, (leader, cards, _) in enumerate(self.tricks):
            turn = (player - leader) % 4
            if cards[turn] == PAGAT:
                hand = [NAMES[card] for card in self.players[player].played[number:]]
                before = [NAMES[card] for card in cards[:turn]]
                if len(rules.playable(hand, before, False)) > 1:
                    payload.refused("pagat-kept" if turn else "pagat-led", "another card was allowed")

    def _after_open(self) -> None:
        """TP-23; TK-58 to TK-62."""
        seen = {card for state in self.players for card in state.played}
        for player, state in enumerate(self.players):
            for card in state.discard:
                if card in seen:
                    raise Fault("open", "a card twice", seat=self.seat_of[player])
                seen.add(card)
        declarer, partner = self.auction.declarer(), self.partner()
        assert declarer is not None and self.words is not None
        side_of = [DECLARER if player in (declarer, partner) else OPPONENTS for player in range(4)]
        points, tricks = {DECLARER: 0, OPPONENTS: 0}, {DECLARER: 0, OPPONENTS: 0}
        for player, state in enumerate(self.players):
            laid_for = DECLARER if player == declarer else OPPONENTS
            points[laid_for] += sum(rules.value(NAMES[card]) for card in state.discard)
        where: dict[int, str] = {}
        caught: Optional[str] = None
        for leader, cards, winner in self.tricks:
            taker = side_of[winner]
            tricks[taker] += 1
            points[taker] += sum(rules.value(NAMES[card]) for card in cards)
            where.update({card: taker for card in cards})
            if SKIZ in cards and XXI in cards:
                skiz, xxi = (side_of[(leader + cards.index(card)) % 4] for card in (SKIZ, XXI))
                caught = skiz if skiz != xxi else None
        leader, cards, winner = self.tricks[-1]
        last: Optional[tuple[str, bool]] = None
        if PAGAT in cards:
            player = (leader + cards.index(PAGAT)) % 4
            last = side_of[player], winner == player
        honours = {NAMES[card]: where[card] for card in HONOURS}
        kings = {NAMES[card]: where[card] for card in KINGS}
        facts = rules.Facts(points, tricks, honours, kings, last, caught)
        items = rules.settle(self.auction.level() + 1, self.words.game_kontra, self.words.announced, facts)
        numbers = [(player, count, True) for player, count in self.words.numbers.items()]
        for player, state in enumerate(self.players):
            if state.claims:
                numbers.append((player, len(TAROKKS & set(state.played)), False))
        counts_too = self.place.options.double_rounds_count_tarokks
        paid = rules.payments(items, declarer, partner, numbers, self.factor, counts_too)
        holder = next(player for player, state in enumerate(self.players) if SKIZ in state.played)
        self.outcome = Outcome(paid, holder)

    # --- leaving ----------------------------------------------------------------------------------------------------

    def forfeit(self) -> int:
        """TP-24: what a seat that ends the table pays to each other player."""
        if self.stage in ("commit", "reveal", "shuffle"):
            return self.factor
        contract = self.stage not in ("draw", "hand", "call")
        bid = self.auction.level() + 1 if contract else 4
        worst = 5 * bid + 1 + 1 + 5 + 21 + 4  # every figure silently, and numbers of tarokks
        if self.words is None:
            return (worst + bid) * self.factor
        price = {**{figure: 2 * worth for figure, worth in rules.FLAT.items()}, "double": 4 * bid, "volat": 6 * bid}
        worst += (bid << self.words.game_kontra) + sum(
            price[figure] << level for (figure, _), level in self.words.announced.items()
        )
        return worst * self.factor
