"""The games by the names in their offers."""

from __future__ import annotations

from typing import Callable

from games import Game, dark_chess, high_card, matching_pennies, poker, tarokk, zherotag
from logfile import Offer, Unreadable

GAMES: dict[str, Callable[[Offer, bytes], Game]] = {
    matching_pennies.NAME: matching_pennies.MatchingPennies,
    high_card.NAME: high_card.HighCard,
    poker.NAME: poker.Poker,
    dark_chess.NAME: dark_chess.DarkChess,
    tarokk.NAME: tarokk.Tarokk,
    zherotag.NAME: zherotag.ZheroTag,
}


def game_of(offer: Offer, table: bytes) -> Game:
    """The game of a table, before its first round."""
    if offer.game not in GAMES:
        raise Unreadable(f"no game {offer.game}")
    return GAMES[offer.game](offer, table)
