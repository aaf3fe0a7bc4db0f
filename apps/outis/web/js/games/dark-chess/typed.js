// Moves in notation (Nf3, exd5, O-O, e8=Q), with the piece letters of the reader's language: for display, and for typed input.

import { say } from '../../words.js';
import { NAMES } from './pieces.js';
import { at } from './squares.js';

/** The letter of a piece in the reader's language. */
const own = (piece) => say(`dark-chess.letter.white.${NAMES[piece]}`);

/** A move as the node writes it, with PGN's English letters. Files are lower case, so only piece letters are replaced. */
export const written = (text) => text.replace(/[NBRQK]/g, (letter) => own(letter.toLowerCase()));

/** Pieces by letter: those of the language, and the English ones that it leaves free. A Hungarian B is a rook. */
const letters = () => Object.fromEntries([...Object.keys(NAMES).map((piece) => [piece.toUpperCase(), piece]), ...Object.keys(NAMES).map((piece) => [own(piece), piece])]);

/**
 * The token of the one action that is meant, by its squares (g1f3) or in notation; the input itself if there is none or more than one.
 */
export function typed(text, actions, board) {
  const plain = text.replace(/[\s+#!?]/g, '');
  const bare = plain.replace(/[-–=]/g, '');
  // B1d2 is a bishop on the first rank; B1D2 and b1d2 are squares.
  const name = /[a-z]/.test(bare) && /[A-Z]/.test(bare) ? bare : bare.toLowerCase();
  const tokens = actions.map((action) => action.token);
  if (tokens.includes(name)) return name;
  const castles = { 'oo': 'g', '00': 'g', 'ooo': 'c', '000': 'c' }[name.toLowerCase()];
  if (castles) return tokens.find((token) => /^e[18]/.test(token) && token[2] === castles && token[1] === token[3] && /k/i.test(at(board, token.slice(0, 2)))) ?? name;
  const known = letters();
  const any = `[${Object.keys(known).join('')}]`;
  const [, letter, file, rank, to, becomes] = plain.match(new RegExp(`^(${any}?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?(${any}))?$`)) || [];
  if (!to) return name;
  const man = known[letter] ?? 'p';
  // A capturing pawn is written with its file.
  const straight = (token) => man !== 'p' || file || token[0] === to[0];
  const fits = (token) => /^[a-h][1-8][a-h][1-8]/.test(token) && token.slice(2, 4) === to && token.slice(4) === (known[becomes] ?? '') && at(board, token.slice(0, 2)).toLowerCase() === man && straight(token) && token[0].startsWith(file) && token[1].startsWith(rank);
  const found = tokens.filter(fits);
  return found.length === 1 ? found[0] : name;
}
