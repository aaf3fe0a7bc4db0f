#!/usr/bin/env python3
"""Holds `outis rules poker` and games/poker_rules.py against each other: random hands, and random tables.

    python3 spec/verify/compare_poker.py target/release/outis --tables 2000 --hands 20000

At a table every seat does something that is allowed, now and then something that is not; both programs must agree on
every amount of chips, on who is to decide, and on what is refused.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from copy import deepcopy
from typing import Any

from games import poker_rules as rules
from games.poker_rules import CALL, CHECK, FOLD, TO, Illegal, Options, Table

RANKS, SUITS = "23456789TJQKA", "cdhs"


def name(card: int) -> str:
    """A card as it is written."""
    return RANKS[card // 4] + SUITS[card % 4]


def deck(rng: random.Random) -> list[int]:
    """A shuffled pack."""
    cards = list(range(rules.PACK))
    rng.shuffle(cards)
    return cards


# --- hands ----------------------------------------------------------------------------------------------------------


def hand(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two hands of a board, or two of five cards; few ranks, so that classes above a pair are common."""
    if rng.random() < 0.5:
        cards = deck(rng)
    else:
        ranks = rng.sample(range(13), 4)
        cards = [4 * rank + suit for rank in ranks for suit in range(4)]
        rng.shuffle(cards)
    if rng.random() < 0.7:
        a, b, board = cards[:2], cards[2:4], cards[4:9]
    else:
        a, b, board = cards[:5], cards[5:10], []
    question: dict[str, Any] = {"a": [name(c) for c in a], "b": [name(c) for c in b]}
    if board:
        question["board"] = [name(c) for c in board]
    worth_a, worth_b = rules.best(a + board), rules.best(b + board)
    winner = "tie" if worth_a == worth_b else "a" if worth_a > worth_b else "b"
    kinds = rules.CATEGORIES[worth_a[0]], rules.CATEGORIES[worth_b[0]]
    return question, {"winner": winner, "category_a": kinds[0], "category_b": kinds[1]}


# --- tables ---------------------------------------------------------------------------------------------------------


class Play:
    """A table with its decks, in the words of the question `table`."""

    def __init__(self, rng: random.Random) -> None:
        def coin() -> bool:
            return rng.random() < 0.5

        blind = 2 * rng.randint(1, 10)
        self.options = Options(coin(), coin(), coin(), rng.randint(1, 6), rng.randint(2, 30 * blind), blind, rng.choice([0, 0, 1, 7]))
        self.seats = rng.randint(2, 9)
        self.rng, self.table = rng, Table(self.options, self.seats)
        self.decks: list[list[int]] = []
        self.does: list[tuple[int, str]] = []
        self.said: dict[int, bool] = {}
        self.refused: int | None = None
        self.settle()

    def settle(self) -> None:
        """Whatever happens by itself."""
        table = self.table
        while table.phase in ("deal", "board", "redeal"):
            if table.phase == "deal":
                self.decks.append(deck(self.rng))
                table.dealt_out()
            elif table.phase == "redeal":
                table.redealt()
            else:
                start = table.stock + len(table.board)
                table.turned(self.decks[-1][start:start + table.board_due()])

    def deciding(self) -> list[int]:
        """Who is to decide, as far as the table says so."""
        table = self.table
        if table.phase == "ready":
            return sorted(table.solvent())
        if table.phase == "bet":
            return [table.turn]
        if table.phase == "discard":
            turn = table.to_discard()
            return [] if turn is None else [turn]
        return sorted(table.to_show()) if table.phase == "show" else []

    def step(self) -> None:
        """One seat does something, usually allowed."""
        rng, table = self.rng, self.table
        waiting = [seat for seat in self.deciding() if seat not in self.said]
        seat = rng.choice(waiting)
        if rng.random() < 0.01:
            seat = rng.randrange(self.seats)
        token = self.choice(seat)
        self.does.append((seat, token))
        before = deepcopy(table), dict(self.said)
        try:
            if seat not in self.deciding() or seat in self.said:
                raise Illegal("not its turn")
            self.take(seat, token)
        except Illegal:
            self.table, self.said = before
            self.refused = len(self.does) - 1
            return
        self.settle()

    def choice(self, seat: int) -> str:
        """Something to say."""
        rng, table = self.rng, self.table
        if table.phase == "ready":
            return "play" if rng.random() < 0.85 else "sit-out"
        if table.phase == "show":
            return "show" if rng.random() < 0.7 else "muck"
        if table.phase == "discard":
            return f"discard-{rng.randrange(33) if rng.random() < 0.05 else rng.randrange(32)}"
        call, raising = table.limits(seat)
        at = rng.random()
        if at < 0.02:
            return rng.choice(["check", "call", f"to-{rng.randrange(2000)}"])
        if at < 0.35 and raising is not None:
            return f"to-{rng.choice([*raising, rng.randint(*raising)])}"
        if at < 0.5 and call:
            return "fold"
        return "call" if call else "check"

    def take(self, seat: int, token: str) -> None:
        """The seat says it."""
        table = self.table
        if token in ("play", "sit-out"):
            if table.phase != "ready":
                raise Illegal("not now")
            self.said[seat] = token == "play"
            if len(self.said) == len(table.solvent()):
                playing = frozenset(s for s, plays in self.said.items() if plays)
                self.said = {}
                table.begin(playing)
        elif token in ("show", "muck"):
            if table.phase != "show":
                raise Illegal("not now")
            if not self.options.at_once:
                table.show(seat, self.cards(seat) if token == "show" else None)
                return
            self.said[seat] = token == "show"
            if len(self.said) == len(self.deciding()):
                said, self.said = self.said, {}
                for one in sorted(said):
                    table.show(one, self.cards(one) if said[one] else None)
        elif token.startswith("discard-"):
            table.discard(seat, int(token[8:]))
        else:
            what = {"fold": FOLD, "check": CHECK, "call": CALL}.get(token, TO)
            table.bet(seat, what, int(token[3:]) if what == TO else 0)

    def cards(self, seat: int) -> list[int]:
        """What a seat holds."""
        return [self.decks[-1][place] for place in self.table.places[seat]]

    def question(self) -> dict[str, Any]:
        """As it is asked."""
        o = self.options
        return {
            "game": "draw" if o.draw else "holdem", "limit": "fixed" if o.fixed else "none",
            "showing": "once" if o.at_once else "turn", "hands": o.hands, "stack": o.stack, "blind": o.blind,
            "ante": o.ante, "seats": self.seats, "decks": [[name(card) for card in cards] for cards in self.decks],
            "does": self.does,
        }

    def answer(self) -> dict[str, Any]:
        """As it should be answered."""
        table = self.table
        bets = None
        if table.phase == "bet":
            call, raising = table.limits(table.turn)
            bets = [call, None if raising is None else list(raising)]
        made = [[chips, sorted(claimants)] for chips, claimants in rules.pots(table.paid, table.live) if chips]
        return {
            "phase": table.phase, "stacks": table.stacks, "paid": table.paid, "scores": table.scores(()),
            "button": table.button, "hands": table.hands, "deciding": self.deciding(), "pots": made, "choices": bets,
            "leaves": [table.scores([seat]) for seat in range(self.seats)],
        }


def tables(rng: random.Random) -> tuple[dict[str, Any], Any]:
    """A table as far as a random moment."""
    play = Play(rng)
    for _ in range(rng.choice([3, 20, 1000])):
        if play.table.phase == "over" or play.refused is not None:
            break
        play.step()
    if play.refused is not None:
        return play.question(), play.refused
    return play.question(), play.answer()


def ask(program: str, question: str, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of the program."""
    lines = "".join(json.dumps({"id": n, **one}) + "\n" for n, one in enumerate(asked))
    run = subprocess.run([program, "rules", "poker", question], input=lines.encode(), stdout=subprocess.PIPE, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main() -> int:
    """Exit status 1 if they disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--hands", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, wrong = random.Random(options.seed), 0
    for word, make, count in (("compare", hand, options.hands), ("table", tables, options.tables)):
        made = [make(rng) for _ in range(count)]
        answers = ask(options.program, word, [question for question, _ in made])
        if len(answers) != count:
            print(f"{word}: {len(answers)} answers to {count} questions")
            wrong += 1
        for number, ((question, expected), found) in enumerate(zip(made, answers)):
            found.pop("id", None)
            agree = found == expected
            if isinstance(expected, int):
                agree = found.get("error", "").startswith(f"does[{expected}]:")
            if not agree:
                wrong += 1
                if wrong <= 5:
                    print(f"{word} {number}: {json.dumps(question)}\n  here:  {expected}\n  there: {found}")
        refused = sum(isinstance(expected, int) for _, expected in made)
        print(f"{word}: {count} questions, {refused} of them to be refused")
    print(f"{wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
