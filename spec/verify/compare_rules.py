#!/usr/bin/env python3
"""Holds `outis rules tarokk` and games/tarokk_rules.py against each other, on random questions.

    python3 spec/verify/compare_rules.py OUTIS [--count N] [--seed S]

OUTIS is the program. Prints the first differences of each question; the exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from typing import Any, Callable

from games import tarokk_rules as rules
from games.tarokk_rules import BIDS, DECLARER, FIGURES, HONOURS, KINGS, KONTRAS, OPPONENTS, PACK, TAROKKS

# A question, and what we find in the form of `Compare.found`.
Made = tuple[dict[str, Any], Any]
Maker = Callable[[random.Random], Made]
Found = Callable[[dict[str, Any]], Any]


def discardable(rng: random.Random, count: int, hand: list[str]) -> list[str]:
    """Up to so many cards that may lie in a discard."""
    return [card for card in rng.sample(PACK, count) if card not in (*hand, *KINGS, *HONOURS)]


def settle(rng: random.Random) -> Made:
    """Payments of a deal that may never have happened."""
    tricks = rng.choice([0, 9, *range(1, 9), *range(1, 9)])
    points = {9: rng.randrange(75, 95), 0: rng.randrange(15)}.get(tricks, rng.choice([rng.randrange(95), 47, 48, 70, 71]))

    def side() -> str:
        return {9: DECLARER, 0: OPPONENTS}.get(tricks, rng.choice([DECLARER, OPPONENTS]))

    honours, kings = {card: side() for card in HONOURS}, {suit: side() for suit in "HDCS"}
    last = rng.choice([None, (side(), rng.random() < 0.5)])
    caught = rng.choice([None, DECLARER, OPPONENTS])
    pairs = [(figure, each) for figure in FIGURES for each in rules.OTHER]
    announced = {pair: rng.choice([0, 0, 1, 2, 5]) for pair in pairs if rng.random() < 0.2}
    bid, kontra, factor = rng.choice(BIDS), rng.choice([0, 0, 1, 3]), rng.choice([1, 2, 4])
    partner = rng.choice([None, 1, 2, 3])
    numbers = [(player, rng.choice([8, 9]), rng.random() < 0.5) for player in range(4) if rng.random() < 0.2]
    facts = {
        "points_declarer": points, "points_opponents": 94 - points,
        "tricks_declarer": tricks, "tricks_opponents": 9 - tricks,
        "honours": honours, "kings": kings, "xxi_caught_by": caught,
        "pagat_in_last_trick": last and {"side": last[0], "won": last[1]},
    }  # fmt: skip
    question = {
        "players": list("abcd"), "declarer": "a", "partner": partner and "abcd"[partner], "bid": bid,
        "round_multiplier": factor, "game_kontra": kontra, "facts": facts,
        "announcements": [{"figure": f, "side": s, "kontra": level} for (f, s), level in announced.items()],
        "tarokk_counts": [{"player": "abcd"[p], "count": c, "announced": said} for p, c, said in numbers],
    }  # fmt: skip
    sides = {DECLARER: points, OPPONENTS: 94 - points}
    own = rules.Facts(sides, {DECLARER: tricks, OPPONENTS: 9 - tricks}, honours, kings, last, caught)
    items = rules.settle(BIDS.index(bid) + 1, kontra, announced, own)
    return question, dict(zip("abcd", rules.payments(items, 0, partner, numbers, factor)))


def rounds(rng: random.Random) -> Made:
    """Factors of played deals."""
    seats = rng.choice([4, 5])
    events = [rng.choice(["played", "played", "thrown_in", "annulled"]) for _ in range(12)]
    running, factors = rules.DoubleRounds(seats), []
    for event in events:
        if event == "played":
            factors.append(running.factor())
            running.paid()
        else:
            running.opened()
    return {"active_players": seats, "events": events}, factors


def trick(rng: random.Random) -> Made:
    """Who takes four cards."""
    cards = rng.sample(PACK, 4)
    return {"trick": cards}, (rules.trick_winner(cards), sum(map(rules.value, cards)))


def legal(rng: random.Random) -> Made:
    """What may be played."""
    size, keeps = rng.randrange(1, 9), rng.random() < 0.5
    cards = rng.sample(PACK, size + rng.randrange(4))
    hand, played = cards[:size], cards[size:]
    question = {"hand": hand, "trick_so_far": played, "pagat_ultimo_announced_by_holders_side": keeps}
    return question, rules.playable(hand, played, keeps)


def auction(rng: random.Random) -> Made:
    """A whole auction, most of it in order."""
    holds: list[list[str]] = [[], [], [], [], []]
    for card in ("skiz", "XXI", "pagat", "XX", "XIX", "XVIII"):
        holds[rng.randrange(5)].append(card)
    made, calls, illegal = rules.Auction(), [], None
    while not made.over() and illegal is None:
        player = made.turn() if rng.random() < 0.97 else rng.randrange(4)
        words = ["pass", "hold", *BIDS]
        allowed = [word for word in words if made.refusal(player, word, holds[player]) is None]
        call = rng.choice(allowed if allowed and rng.random() < 0.8 else words)
        calls.append([player + 1, call])
        if made.refusal(player, call, holds[player]) is not None:
            illegal = len(calls) - 1
        else:
            made.add(player, call)
    question = {"holds": {str(i + 1): holds[i] for i in range(4)}, "calls": calls}
    if illegal is not None:
        return question, {"legal": False, "illegal_index": illegal}
    declarer = made.declarer()
    if declarer is None:
        return question, {"legal": True, "complete": True, "outcome": "thrown_in"}
    bid = BIDS[made.level()]
    invit = made.invit and {"by": made.invit[0] + 1, "card": made.invit[1], "accepted": made.invit[0] != declarer}
    return question, {
        "legal": True, "complete": True, "declarer": declarer + 1, "bid": bid, "must_call": made.must_call(),
        "talon_split": [rules.TALON[bid][(player - declarer) % 4] for player in range(4)], "invit": invit,
        "yielded_by": None if made.yielded is None else made.yielded + 1,
    }  # fmt: skip


def discard(rng: random.Random) -> Made:
    """Cards of a hand, or others."""
    taken = rng.randrange(1, 4)
    hand = rng.sample(PACK, 9 + taken)
    cards = rng.sample(hand, taken) if rng.random() < 0.9 else rng.sample(PACK, rng.randrange(1, 5))
    signalled = rng.choice([None, "XX", rng.choice(hand)])
    question = {
        "role": rng.choice(["declarer", "other"]), "cards_taken_from_talon": taken, "hand_before_discard": hand,
        "discard": cards, "signalled_card_of_this_player": signalled,
    }  # fmt: skip
    return question, rules.discard_refusal(hand, taken, cards, signalled) is None


def annulment(rng: random.Random) -> Made:
    """Hands with few tarokks or many kings."""
    start = rng.sample(["XXI", "pagat", "skiz", "X"], rng.choice([0, 1, 1, 2, 2, 3])) + rng.choice([[], sorted(KINGS)])
    coloured = [card for card in PACK if card not in (*TAROKKS, *start)]
    hand = start + rng.sample(coloured, 9 - len(start))
    laid = discardable(rng, 2, hand)
    question = {"hand_after_exchange": hand, "own_discard": laid, "phase": "after_exchange"}
    return question, rules.may_annul(hand, laid)


def call(rng: random.Random) -> Made:
    """Calls from hands of tarokks."""
    hand = rng.sample(rng.choice([TAROKKS, PACK]), 9)
    told, obliged = rng.choice([0, 0, 1]), rng.choice([None, None, "XX", "XIX", "XVIII"])
    named = rng.choice(rng.choice([TAROKKS, ("XX", "XIX", "XVIII")]))
    question = {
        "declarer_hand": hand, "declarer_discard": discardable(rng, 3, hand), "tarokks_discarded_by_others": told,
        "auction_obliges": obliged, "called": named,
    }  # fmt: skip
    return question, named in rules.callable_tarokks(hand, told, obliged)


WORDS = ["pass", "8_tarokks", "9_tarokks", "call:XX", *FIGURES, *(f"{k}:{f}" for k in KONTRAS for f in (*FIGURES, "game"))]


def announce(rng: random.Random) -> Made:
    """Turns, most of them in order."""
    declarer = rng.randrange(4)
    others = [player for player in range(4) if player != declarer]
    holder = rng.choice([*others, None])
    counts = [rng.choice([3, 4, 5, 8, 9]) for _ in range(4)]
    discarder = rng.choice(others) if holder is None and rng.random() < 0.4 else None
    inviter = rng.randrange(4) if rng.random() < 0.15 else None
    known = {holder: DECLARER} if holder is not None and rng.random() < 0.2 else {}
    secrets = [
        rules.Secrets(DECLARER if p in (declarer, holder) else OPPONENTS, counts[p], p == discarder, p == inviter)
        for p in range(4)
    ]
    made = rules.Announcements(declarer, dict(known))
    turns: list[tuple[int, list[str]]] = []
    illegal = None
    for number in range(rng.randrange(1, 14)):
        if made.closed() or illegal is not None or turns and turns[-1][1][-1] != "pass":
            break
        own, words = secrets[made.speaker], []
        turns.append((made.speaker + 1, words))
        for place in range(6):
            allowed = [word for word in WORDS if made.refusal(word, own) is None]
            word = rng.choice(allowed if allowed and rng.random() < 0.96 else WORDS)
            if "pass" in allowed and rng.random() < 0.45:
                word = "pass"
            words.append(word)
            if made.refusal(word, own) is not None:
                illegal = [number, place]
                break
            made.say(word, own)
            if word == "pass":
                break
    question = {
        "declarer": declarer + 1, "holder_of_called_tarokk": None if holder is None else holder + 1, "turns": turns,
        "tarokk_count_in_hand": {str(p + 1): counts[p] for p in range(4)},
        "sides_known_from_auction": {str(p + 1): side for p, side in known.items()},
        **({} if discarder is None else {"discarder_of_called_tarokk": discarder + 1}),
        **({} if inviter is None else {"inviter_with_pagat_only": inviter + 1}),
    }  # fmt: skip
    if illegal is not None:
        return question, {"legal": False, "first_illegal": illegal}
    return question, {"legal": True, "closed": made.closed()}


QUESTIONS: dict[str, tuple[Maker, Found]] = {
    "settle": (settle, lambda answer: answer.get("payments")),
    "rounds": (rounds, lambda answer: answer.get("multipliers")),
    "trick": (trick, lambda answer: (answer.get("winner_index"), answer.get("points"))),
    "legal": (legal, lambda answer: answer.get("cards")),
    "auction": (auction, lambda answer: answer),
    "discard": (discard, lambda answer: answer.get("legal")),
    "annulment": (annulment, lambda answer: answer.get("may_annul")),
    "call": (call, lambda answer: answer.get("legal")),
    "announce": (announce, lambda answer: answer),
}


def agree(ours: Any, theirs: Any) -> bool:
    """Equal; of objects, only our members are compared."""
    if isinstance(ours, dict):
        return isinstance(theirs, dict) and all(name in theirs and theirs[name] == ours[name] for name in ours)
    return bool(ours == theirs)


def main() -> int:
    """Asks and compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    differences = 0
    for name, (maker, found) in QUESTIONS.items():
        rng = random.Random(options.seed)
        made = [maker(rng) for _ in range(options.count)]
        lines = "".join(json.dumps(question) + "\n" for question, _ in made)
        done = subprocess.run(
            [options.program, "rules", "tarokk", name], input=lines.encode(), stdout=subprocess.PIPE, check=False
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        wrong = [(q, ours, a) for (q, ours), a in zip(made, answers, strict=True) if not agree(ours, found(a))]
        print(f"{name:10} {len(made):6} asked, {len(wrong)} differ")
        for question, ours, answer in wrong[:3]:
            print(f"    {json.dumps(question)}\n        here {ours}\n        there {answer}")
        differences += len(wrong)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
