// What two successive views of the board show: where the opponent was seen to move, and which ghosts are out of date.

import { at } from './squares.js';

const FILES = 'abcdefgh';
const SQUARES = [...FILES].flatMap((file) => [...'12345678'].map((rank) => file + rank));

/** How many of each piece a side starts with: enough to tell a ghost from a piece that is accounted for. */
const BEGIN = { p: 8, n: 2, b: 2, r: 2, q: 1, k: 1 };

const isOther = (mark, color) => /[a-z]/i.test(mark) && (mark === mark.toUpperCase()) === (color === 'black');
const isSeen = (mark) => mark !== '#' && mark !== '?';

/** Squares that were visible before and after an opponent's move and changed: left, and reached. */
export function seenMove(before, after, color) {
  const found = { from: null, to: null };
  for (const square of SQUARES) {
    const [was, is] = [at(before, square), at(after, square)];
    if (!isSeen(was) || !isSeen(is) || was === is) continue;
    if (isOther(is, color)) found.to = square;
    else if (isOther(was, color)) found.from = square;
  }
  return found;
}

/** Remembers the last view, and what the opponent's last move revealed. */
export function remember(memory, view) {
  const { plies, board, color } = view;
  const last = plies.at(-1);
  const old = memory.sight;
  if (old && plies.length === old.plies + 1 && last && last.by !== color) memory.seenMove = { ply: plies.length, ...seenMove(old.board, board, color) };
  memory.sight = { plies: plies.length, board };
}

/** Ghosts that may still be true: of each kind no more than are neither captured nor visible, the most recent first. */
export function likely(view) {
  const other = view.color === 'white' ? 'black' : 'white';
  const count = (list, letter) => [...list].filter((mark) => mark === letter).length;
  const left = Object.fromEntries(Object.entries(BEGIN).map(([letter, n]) => {
    const shown = other === 'white' ? letter.toUpperCase() : letter;
    return [letter, n - count(view.taken[other], letter) - count(view.board.join(''), shown)];
  }));
  return [...view.ghosts].sort((a, b) => a.ago - b.ago).filter(({ piece }) => left[piece.toLowerCase()]-- > 0);
}
