#!/usr/bin/env python3
"""Holds `outis rules dark-chess` against other people's chess: Fairy-Stockfish for the moves, python-chess for the boards.

    pip install pyffish chess
    python3 spec/verify/dark_chess_oracle.py vectors > games/dark-chess/tests/oracle.jsonl
    python3 spec/verify/dark_chess_oracle.py compare OUTIS [--games N] [--seed S]
    python3 spec/verify/dark_chess_oracle.py perft OUTIS

Neither package is part of the program or its build: both are under the GPL. The views are found here a second time, from
the lists of questions in section 5.4 of the document, over python-chess's board.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from typing import Any, Iterator

import chess
import pyffish

# Chess in which the king is a piece like others, and who loses it has lost.
VARIANT = """
[outisdark:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
extinctionPseudoRoyal = false
promotionPieceTypes = nbrq
nMoveRule = 0
nFoldRule = 0
"""
START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PERFT = [(START, [20, 400, 8902, 197742, 4897256]), (KIWIPETE, [48, 2049, 98903])]

ORTHOGONAL = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def walk(square: int, step: tuple[int, int], far: int) -> list[int]:
    """Up to `far` squares in a direction."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    at = [(file + step[0] * n, rank + step[1] * n) for n in range(1, far + 1)]
    return [chess.square(f, r) for f, r in at if 0 <= f < 8 and 0 <= r < 8]


def view(board: chess.Board, color: bool) -> list[str]:
    """What a colour sees, by the three phases of the document."""
    own = {s: p for s, p in board.piece_map().items() if p.color == color}
    other = {s: p for s, p in board.piece_map().items() if p.color != color}
    shown = {s: p.symbol() for s, p in own.items()}

    def ask(lists: list[list[int]], hides: bool = False) -> None:
        for squares in lists:
            for s in squares:
                if s in own:
                    break
                answer = ("?" if hides else other[s].symbol()) if s in other else "."
                if not (hides and s in shown):
                    shown[s] = answer
                if answer != ".":
                    break

    forward = 1 if color else -1
    for s, piece in own.items():
        kind = piece.piece_type
        if kind in (chess.ROOK, chess.QUEEN):
            ask([walk(s, step, 7) for step in ORTHOGONAL])
        if kind in (chess.BISHOP, chess.QUEEN):
            ask([walk(s, step, 7) for step in DIAGONAL])
        if kind == chess.KING:
            ask([walk(s, step, 1) for step in ORTHOGONAL + DIAGONAL])
        if kind == chess.KNIGHT:
            ask([walk(s, step, 1) for step in LEAPS])
        if kind == chess.PAWN:
            ask([walk(s, (side, forward), 1) for side in (-1, 1)])
    if board.turn == color and board.ep_square is not None:
        victim = board.ep_square - 8 * forward
        if any(own.get(s) == chess.Piece(chess.PAWN, color) for s in walk(victim, (1, 0), 1) + walk(victim, (-1, 0), 1)):
            shown[victim], shown[board.ep_square] = other[victim].symbol(), "."
    for s, piece in own.items():
        if piece.piece_type == chess.PAWN:
            start = chess.square_rank(s) == (1 if color else 6)
            ask([walk(s, (0, forward), 2 if start else 1)], hides=True)
    return ["".join(shown.get(chess.square(f, r), "#") for f in range(8)) for r in reversed(range(8))]


def games(count: int, seed: int) -> Iterator[tuple[list[str], chess.Board, list[str]]]:
    """Random games, drawn towards special moves: moves so far, board, legal moves."""
    rng = random.Random(seed)
    for _ in range(count):
        board, line = chess.Board(), []
        for _ in range(180):
            legal = sorted(pyffish.legal_moves("outisdark", START, line))
            yield list(line), board.copy(stack=False), legal
            if not legal:
                break
            moves = [chess.Move.from_uci(uci) for uci in legal]
            special = [m for m in moves if m.promotion or board.is_en_passant(m) or double(board, m) or castles(board, m)]
            calm = [m for m in moves if board.piece_type_at(m.to_square) != chess.KING or rng.random() < 0.1]
            move = rng.choice(special if special and rng.random() < 0.4 else calm or moves)
            line.append(move.uci())
            push(board, move)


def double(board: chess.Board, move: chess.Move) -> bool:
    """A double step of a pawn."""
    return board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16


def castles(board: chess.Board, move: chess.Move) -> bool:
    """Castling."""
    return board.piece_type_at(move.from_square) == chess.KING and abs(move.to_square - move.from_square) == 2


def push(board: chess.Board, move: chess.Move) -> None:
    """A move; python-chess knows nothing against kings that walk into attack."""
    board.push(move)


def answer(board: chess.Board, legal: list[str]) -> dict[str, Any]:
    """What the program should say."""
    white, black = board.king(chess.WHITE), board.king(chess.BLACK)
    over = None if white is not None and black is not None else "white_wins" if white is not None else "black_wins"
    return {"legal_moves": [] if over else legal, "game_over": over,
            "view_white": view(board, chess.WHITE), "view_black": view(board, chess.BLACK)}  # fmt: skip


def vectors(args: argparse.Namespace) -> int:
    """Some positions for the tests of the program."""
    rng = random.Random(args.seed)
    for line, board, legal in games(args.games, args.seed):
        passant = board.has_pseudo_legal_en_passant()
        special = passant or any(len(uci) == 5 for uci in legal)
        special = special or any(castles(board, chess.Move.from_uci(uci)) for uci in legal)
        if rng.random() < (0.08 if special else 0.012) or passant and rng.random() < 0.3 or not legal and rng.random() < 0.4:
            print(json.dumps({"moves": line, **answer(board, legal)}, separators=(",", ":")))
    return 0


def ask(outis: str, question: str, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The program's answers."""
    text = "".join(json.dumps(q) + "\n" for q in questions)
    run = subprocess.run([outis, "rules", "dark-chess", question], input=text, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def compare(args: argparse.Namespace) -> int:
    """Every position of random games."""
    asked, expected = [], []
    for line, board, legal in games(args.games, args.seed):
        asked.append({"moves": line})
        expected.append(answer(board, legal))
        fen = board.fen(en_passant="fen")
        asked.append({"fen": fen})
        expected.append(answer(board, legal))
    got = ask(args.outis, "position", asked)
    wrong = [(q, e, g) for q, e, g in zip(asked, expected, got, strict=True) if e != g]
    for question, want, have in wrong[:3]:
        print(json.dumps({"question": question, "expected": want, "got": have}))
    print(f"{len(asked)} positions, {sum(len(e['legal_moves']) for e in expected)} moves, {len(wrong)} differences")
    return 1 if wrong else 0


def count(fen: str, line: list[str], depth: int) -> int:
    """Sequences of moves by Fairy-Stockfish."""
    moves = pyffish.legal_moves("outisdark", fen, line)
    return len(moves) if depth == 1 else sum(count(fen, [*line, move], depth - 1) for move in moves)


def perft(args: argparse.Namespace) -> int:
    """Known counts, as far as Fairy-Stockfish through Python has patience, against the program."""
    bad = 0
    for fen, known in PERFT:
        got = [a["leaves"] for a in ask(args.outis, "perft", [{"fen": fen, "depth": d + 1} for d in range(len(known))])]
        oracle = [count(fen, [], d + 1) for d in range(min(3, len(known)))]
        bad += got != known or oracle != known[:3]
        print(fen, "known", known, "outis", got, "Fairy-Stockfish", oracle)
    return 1 if bad else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["vectors", "compare", "perft"])
    parser.add_argument("outis", nargs="?", default="outis")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pyffish.load_variant_config(VARIANT)
    return {"vectors": vectors, "compare": compare, "perft": perft}[args.what](args)


if __name__ == "__main__":
    sys.exit(main())
