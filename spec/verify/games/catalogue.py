"""The games by the names in their offers: every module beside this one that has a `NAME` and a `GAME`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Callable, Iterator

import games
from games import Game
from logfile import Offer, Unreadable


def found() -> Iterator[tuple[str, Callable[[Offer, bytes], Game]]]:
    """The games of this folder."""
    for file in iter_modules(games.__path__):
        module = import_module(f"games.{file.name}")
        if hasattr(module, "GAME"):
            yield module.NAME, module.GAME


GAMES: dict[str, Callable[[Offer, bytes], Game]] = dict(found())


def game_of(offer: Offer, table: bytes) -> Game:
    """The game of a table, before its first round."""
    if offer.game not in GAMES:
        raise Unreadable(f"no game {offer.game}")
    return GAMES[offer.game](offer, table)
