"""spec/games/tarokk-rules.md: what can be said without looking into a hand, and the settlement.

Players are numbered 0 to 3 in playing order; player 0 is the page's player 1. Cards have the names of the page. Options
have their defaults.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Collection, Mapping, Optional, Sequence

# --- cards ----------------------------------------------------------------------------------------------------------

ROMAN = ("II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI").split()
TAROKKS = ("pagat", *ROMAN, "skiz")  # from the lowest to the highest
HONOURS = frozenset(("skiz", "XXI", "pagat"))
RANKS = {"H": "AJCQK", "D": "AJCQK", "S": ("10", "J", "C", "Q", "K"), "C": ("10", "J", "C", "Q", "K")}
SUITS = {suit: tuple(f"{suit}:{rank}" for rank in ranks) for suit, ranks in RANKS.items()}
PACK = (*TAROKKS, *(card for cards in SUITS.values() for card in cards))
KINGS = frozenset(f"{suit}:K" for suit in SUITS)


def suit_of(card: str) -> str:
    """The suit, or `T`."""
    return "T" if card in TAROKKS else card[0]


def strength(card: str) -> int:
    """Comparable within a suit."""
    return TAROKKS.index(card) if card in TAROKKS else SUITS[card[0]].index(card)


def value(card: str) -> int:
    """TK-31."""
    if card in HONOURS or card in KINGS:
        return 5
    return {"Q": 4, "C": 3, "J": 2}.get(card[2:], 1) if ":" in card else 1


# --- play -----------------------------------------------------------------------------------------------------------


def trick_winner(trick: Sequence[str]) -> int:
    """TK-55: the place in the trick."""
    best = "T" if any(suit_of(card) == "T" for card in trick) else suit_of(trick[0])
    return max((i for i, card in enumerate(trick) if suit_of(card) == best), key=lambda i: strength(trick[i]))


def playable(hand: Sequence[str], trick: Sequence[str], keeps_pagat: bool) -> list[str]:
    """TK-55, TK-56: with `keeps_pagat` the holder's side has announced pagátulti."""
    cards = list(hand)
    if trick:
        for suit in (suit_of(trick[0]), "T"):
            if any(suit_of(card) == suit for card in hand):
                cards = [card for card in hand if suit_of(card) == suit]
                break
    if keeps_pagat and len(cards) > 1:
        cards = [card for card in cards if card != "pagat"]
    return cards


# --- rounds ---------------------------------------------------------------------------------------------------------


@dataclass
class DoubleRounds:
    """TK-42, TK-49: rounds of as many paid deals as there are seats, at double; overlapping ones multiply."""

    seats: int
    running: list[int] = field(default_factory=list)

    def factor(self) -> int:
        """Of the next deal."""
        return 1 << len(self.running)

    def paid(self) -> None:
        """A deal was paid."""
        self.running = [left - 1 for left in self.running if left > 1]

    def opened(self) -> None:
        """A deal was thrown in or annulled."""
        self.running.append(self.seats)


# --- auction --------------------------------------------------------------------------------------------------------

BIDS = ("three", "two", "one", "solo")
TALON = {"three": (3, 1, 1, 1), "two": (2, 2, 1, 1), "one": (1, 2, 2, 1), "solo": (0, 2, 2, 2)}  # TK-46
PROMISES = {1: "XIX", 2: "XVIII"}


@dataclass
class Auction:
    """The calls so far. `needs` of a call are the promises that its player must be able to keep."""

    passed: list[int] = field(default_factory=list)
    bids: list[tuple[int, int]] = field(default_factory=list)  # player and level
    held: bool = False  # the last bid is a hold
    calls: list[tuple[int, str]] = field(default_factory=list)
    jump_counts_hold: bool = True  # TD-1
    yielded_game: bool = True  # TD-8
    jumped: bool = False
    invit: Optional[tuple[int, str]] = None
    trial: Optional[int] = None  # TK-43: who bids after three passes
    yielded: Optional[int] = None

    def level(self) -> int:
        """Of the last bid; -1 if there is none."""
        return self.bids[-1][1] if self.bids else -1

    def may_hold(self, player: int) -> bool:
        """TK-40."""
        return (
            bool(self.bids)
            and not self.held
            and self.bids[-1][0] != player
            and any(who == player for who, _ in self.bids)
            and player not in self.passed
        )

    def can_go_on(self, player: int) -> bool:
        """Whether a player has anything but a pass, by what is public."""
        if player in self.passed or self.bids and self.bids[-1][0] == player:
            return False
        return self.level() < 3 or self.may_hold(player)

    def over(self) -> bool:
        """TK-41, TD-6."""
        return not any(self.can_go_on(player) for player in range(4))

    def turn(self) -> int:
        """Who calls next."""
        if not self.calls:
            return 0
        player = self.calls[-1][0]
        while True:
            player = (player + 1) % 4
            if player not in self.passed:
                return player

    def yields(self, player: int) -> bool:
        """TK-45: whether a pass of this player is a yielded game."""
        if not self.yielded_game or len(self.bids) != 2 or self.held or player in self.passed:
            return False
        (first, low), (second, high) = self.bids
        return first == player and (low, high) == (0, 1) and len(self.passed) == 2 and second != first

    def jump(self, player: int, level: int) -> int:
        """By how many steps a bid is over the next regular one (TD-1)."""
        hold = self.jump_counts_hold and self.may_hold(player)
        return level - (self.level() if hold else self.level() + 1)

    def refusal(self, player: int, call: str, holds: Collection[str]) -> Optional[str]:
        """Why a call is not allowed to a player with these cards, or nothing."""
        if self.over():
            return None if call == "pass" else "the auction is over"
        if player != self.turn():
            return "not its turn"
        if call == "pass":
            if self.yields(player) and not ("XX" in holds and {"skiz", "XXI"} & set(holds)):
                return "a yielded game needs the XX and a big honour"
            return None
        if call == "hold":
            if not self.may_hold(player):
                return "nothing to hold"
            level = self.level()
        else:
            level = BIDS.index(call)
            if level <= self.level():
                return "not higher"
        fourth = len(self.passed) == 3
        if not fourth and not HONOURS & set(holds):  # TK-39, TK-43
            return "no honour"
        if call != "hold" and not fourth and not self.jumped:
            promised = PROMISES.get(self.jump(player, level))
            if promised is not None and promised not in holds:
                return "an invit without its card"
        return None

    def add(self, player: int, call: str) -> None:
        """A call that is allowed."""
        if self.over():
            return
        if call == "pass":
            if self.yields(player):
                self.yielded = player
            self.passed.append(player)
        else:
            level = self.level() if call == "hold" else BIDS.index(call)
            fourth = len(self.passed) == 3
            if fourth and not self.bids:
                self.trial = player
            if call != "hold" and not fourth and not self.jumped:
                steps = self.jump(player, level)
                if steps > 0:
                    self.jumped = True
                    if steps in PROMISES:
                        self.invit = (player, PROMISES[steps])
            self.held = call == "hold"
            self.bids.append((player, level))
        self.calls.append((player, call))

    def declarer(self) -> Optional[int]:
        """Who won it, if anybody bid."""
        return self.bids[-1][0] if self.bids else None

    def must_call(self) -> Optional[str]:
        """TK-44, TK-45."""
        if self.yielded is not None:
            return "XX"
        return self.invit[1] if self.invit and self.invit[0] != self.declarer() else None


# --- exchange and call ----------------------------------------------------------------------------------------------


def discard_refusal(
    before: Collection[str], taken: int, discard: Sequence[str], signalled: Optional[str]
) -> Optional[str]:
    """TK-47: why these cards may not be discarded, or nothing."""
    if len(discard) != taken:
        return "as many as were taken"
    if len(set(discard)) != taken or not set(discard) <= set(before):
        return "not in hand"
    if any(card in KINGS or card in HONOURS for card in discard):
        return "kings and honours stay"
    return "a signalled card stays" if signalled in discard else None


def may_annul(hand: Collection[str], discard: Collection[str]) -> bool:
    """TK-49, after the exchange."""
    if KINGS <= set(hand):
        return True
    if any(suit_of(card) == "T" for card in discard):
        return False
    return {card for card in hand if suit_of(card) == "T"} in (set(), {"XXI"}, {"pagat"}, {"XXI", "pagat"})


def callable_tarokks(hand: Collection[str], discarded_by_others: int, obliged: Optional[str]) -> set[str]:
    """TK-50, TD-12, TD-13. `discarded_by_others` is a number of tarokks."""
    if obliged is not None:
        return {obliged}
    if discarded_by_others:
        return set(TAROKKS) - HONOURS
    result = {"XX"}
    if "XX" in hand:
        missing = [card for card in TAROKKS[1:19] if card not in hand]  # II to XIX
        result |= set(missing[-1:])
    return result


# --- announcements --------------------------------------------------------------------------------------------------

DECLARER, OPPONENTS = "declarer", "opponents"
OTHER = {DECLARER: OPPONENTS, OPPONENTS: DECLARER}
FLAT = {"trull": 1, "four_kings": 1, "pagat_ultimo": 5, "xxi_catch": 21}  # silent; announced is twice that
FIGURES = (*FLAT, "double", "volat")
KONTRAS = ("kontra", "rekontra", "subkontra", "hirskontra", "mordkontra")
NUMBER_FIRST = ("pagat_ultimo", "kontra:pagat_ultimo")  # TK-53: who says this has said its eight or nine tarokks


@dataclass
class Secrets:
    """What a player knows of itself when it speaks."""

    side: str
    tarokks: int
    must_double_game: bool = False  # it discarded the called tarokk (TK-50)
    must_announce_pagat: bool = False  # TK-44


@dataclass
class Announcements:
    """What was said so far. Words are the tokens of the page."""

    declarer: int
    known: dict[int, str] = field(default_factory=dict)  # sides that the auction showed
    announced: dict[tuple[str, str], int] = field(default_factory=dict)  # figure and side to level of kontra
    game_kontra: int = 0
    numbers: dict[int, int] = field(default_factory=dict)
    called: Optional[str] = None
    speaker: int = 0
    passes: int = 0
    _last: Optional[str] = None  # the side of the last who announced or doubled
    _volat: bool = False
    _words: list[str] = field(default_factory=list)  # of this turn
    _spoken: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.speaker = self.declarer
        self.known[self.declarer] = DECLARER

    def closed(self) -> bool:
        """TK-54."""
        return self.passes == 3

    def spoken(self) -> Collection[int]:
        """Whose first turn is over."""
        return self._spoken

    def known_side(self, player: int) -> Optional[str]:
        """TD-15."""
        if player in self.known:
            return self.known[player]
        others = [self.known.get(other) for other in range(4) if other not in (player, self.declarer)]
        if DECLARER in others:
            return OPPONENTS
        return DECLARER if others == [OPPONENTS, OPPONENTS] else None

    def speaks_for(self, player: int) -> str:
        """TK-54: the side for which an announcement of this player counts."""
        return self.known_side(player) or self._last or DECLARER

    def refusal(self, word: str, own: Secrets) -> Optional[str]:
        """Why the speaker may not say this word, or nothing."""
        first = self.speaker == self.declarer and self.speaker not in self._spoken
        if word.startswith("call:"):
            if own.must_announce_pagat and own.tarokks >= 8 and self.speaker not in self.numbers:  # TD-20
                return "the number comes before the call"
            return None if first and self.called is None else "no call now"
        if word in ("8_tarokks", "9_tarokks"):
            if first and self.called is not None:
                return "the number comes before the call"
            if self.speaker in self.numbers:
                return "said before"
            return None if own.tarokks == int(word[0]) else "not its number"
        if first and self.called is None:
            return "the call comes first"
        if word == "pass":
            return self._duty(own)
        if word in NUMBER_FIRST and own.tarokks >= 8 and self.speaker not in self.numbers:
            return "the number comes before pagátulti"
        if word in FIGURES:
            return self._figure_refusal(word, own)
        return None if self._target(word, own.side) else "cannot be doubled so"

    def _duty(self, own: Secrets) -> Optional[str]:
        """What is due in a player's first turn."""
        if self.speaker in self._spoken:
            return None
        if own.must_double_game and not self.game_kontra:  # TD-14
            return "must double the game"
        if own.must_announce_pagat and ("pagat_ultimo", own.side) not in self.announced:  # TD-21
            return "must announce pagátulti"
        return None

    def _figure_refusal(self, figure: str, own: Secrets) -> Optional[str]:
        side = self.speaks_for(self.speaker)
        if side != own.side:
            return "must double first"
        if (figure, side) in self.announced:  # TD-17
            return "announced before"
        if figure == "double" and self._volat:  # TD-18
            return "volát was said"
        if figure == "volat" and "double" in self._words:
            return "double was said in this turn"
        return None

    def _target(self, word: str, side: str) -> Optional[str]:
        """TK-52, TD-19: the side whose figure (or game) this doubles, if there is one at the level before."""
        name, _, figure = word.partition(":")
        if name not in KONTRAS:
            return None
        level = KONTRAS.index(name)
        if side != self.taken_for(word):
            return None  # it would be taken for the doubling of the other side
        return OTHER[side] if level % 2 == 0 else side

    def taken_for(self, word: str) -> Optional[str]:
        """The side for which everybody takes an announcement or a doubling of the speaker, allowed or not (TP-26)."""
        if word in FIGURES:
            return self.speaks_for(self.speaker)
        name, _, figure = word.partition(":")
        if name not in KONTRAS:
            return None
        level = KONTRAS.index(name)
        sides = []
        for side in OTHER:
            target = OTHER[side] if level % 2 == 0 else side
            game = self.game_kontra if target == DECLARER else None
            if (game if figure == "game" else self.announced.get((figure, target))) == level:
                sides.append(side)
        return self.speaks_for(self.speaker) if len(sides) == 2 else next(iter(sides), None)

    def say(self, word: str, own: Secrets) -> None:
        """A word that is allowed."""
        if word == "pass":
            self.passes = 0 if self._words else self.passes + 1
            self._spoken.add(self.speaker)
            self._words = []
            self.speaker = (self.speaker + 1) % 4
            return
        self._words.append(word)
        if word.startswith("call:"):
            self.called = word[5:]
            return
        if word in ("8_tarokks", "9_tarokks"):
            self.numbers[self.speaker] = int(word[0])
            return
        if word in FIGURES:
            self.announced[word, own.side] = 0
            self._volat = self._volat or word == "volat"
        else:
            target = self._target(word, own.side)
            assert target is not None
            name, _, figure = word.partition(":")
            if figure == "game":
                self.game_kontra = KONTRAS.index(name) + 1
            else:
                self.announced[figure, target] = KONTRAS.index(name) + 1
        self.known[self.speaker] = self._last = own.side


# --- settlement -----------------------------------------------------------------------------------------------------


@dataclass
class Facts:
    """What came out of a deal."""

    points: Mapping[str, int]
    tricks: Mapping[str, int]
    honours: Mapping[str, str]  # the side whose tricks hold the card
    kings: Mapping[str, str]
    pagat_in_last_trick: Optional[tuple[str, bool]]  # the side that played it, and whether it won
    xxi_caught_by: Optional[str]

    def makes(self, figure: str, side: str) -> bool:
        """Whether a side made a figure."""
        return {
            "trull": set(self.honours.values()) == {side},
            "four_kings": set(self.kings.values()) == {side},
            "double": self.points[side] >= 71,
            "volat": self.tricks[side] == 9,
            "pagat_ultimo": self.pagat_in_last_trick == (side, True),
            "xxi_catch": self.xxi_caught_by == side,
        }[figure]


def settle(
    bid: int, game_kontra: int, announced: Mapping[tuple[str, str], int], facts: Facts
) -> list[tuple[str, str, int]]:
    """What the sides win from each other: item, side, points. `announced` maps figure and side to the kontra's level.

    `bid` is the value of the bid. TK-51, TK-60 to TK-62, TD-23 to TD-25.
    """
    items: list[tuple[str, str, int]] = []
    price = {**{figure: 2 * worth for figure, worth in FLAT.items()}, "double": 4 * bid, "volat": 6 * bid}
    for (figure, side), kontra in announced.items():
        won = side if facts.makes(figure, side) else OTHER[side]
        items.append((f"announced {figure}", won, price[figure] << kontra))

    winner = DECLARER if facts.points[DECLARER] >= 48 else OPPONENTS  # TK-59
    said = {figure for figure, side in announced if side == winner} & {"double", "volat"}
    silent = None
    if facts.makes("volat", winner) and "volat" not in said:
        silent = ("volat", 3 * bid)
    elif facts.makes("double", winner) and not said:
        silent = ("double", 2 * bid)
    if silent is not None:
        items.append((silent[0], winner, silent[1]))
    if game_kontra:
        items.append(("game", winner, bid << game_kontra))
    elif silent is None and not said:
        items.append(("game", winner, bid))

    volat = any(facts.makes("volat", side) for side in OTHER)
    for side in OTHER:
        for figure in ("trull", "four_kings", "xxi_catch"):
            suppressed = volat and figure != "xxi_catch"  # TK-62
            if facts.makes(figure, side) and (figure, side) not in announced and not suppressed:
                items.append((figure, side, FLAT[figure]))
    if facts.pagat_in_last_trick is not None:
        side, won_it = facts.pagat_in_last_trick
        if ("pagat_ultimo", side) not in announced:
            items.append(("pagat_ultimo", side if won_it else OTHER[side], FLAT["pagat_ultimo"]))
    return items


def payments(
    items: Sequence[tuple[str, str, int]],
    declarer: int,
    partner: Optional[int],
    numbers: Sequence[tuple[int, int, bool]],
    factor: int,
    numbers_too: bool = True,
) -> list[int]:
    """What each player gets. `numbers` are player, tarokks and whether it was said in time (TK-53, TK-58, TD-22).

    Without `numbers_too` the factor of double rounds is not for them (TD-26).
    """
    gain = sum(points if side == DECLARER else -points for _, side, points in items)
    allies = {declarer} if partner is None else {declarer, partner}
    result = [gain if player in allies else -gain for player in range(4)]
    if partner is None:
        result[declarer] = 3 * gain
    result = [factor * amount for amount in result]
    for player, count, in_time in numbers:
        worth = (count - 7) * (factor if numbers_too else 1)
        own = allies if player in allies else set(range(4)) - allies
        for payer in set(range(4)) - {player} if in_time else own - {player}:
            result[payer] -= worth
            result[player] += worth
    return result
