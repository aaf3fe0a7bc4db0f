// Moves that are typed: as the program names them (g1f3), or as the list of moves writes them (Nf3, exd5, O-O, e8=Q).

import { at } from './squares.js';

const WRITTEN = /^([NBRQK]?)([a-h]?)([1-8]?)x?([a-h][1-8])=?([NBRQ]?)$/;

/** The name of the one action that is meant; what was typed, if there is none or more than one. */
export function typed(text, actions, board) {
  const plain = text.trim().replace(/[\s+#!?]/g, '');
  const name = plain.toLowerCase().replace(/[-–=]/g, '');
  const tokens = actions.map((action) => action.token);
  if (tokens.includes(name)) return name;
  const castles = { 'oo': 'g', '00': 'g', 'ooo': 'c', '000': 'c' }[name];
  if (castles) return tokens.find((token) => /^e[18]/.test(token) && token[2] === castles && token[1] === token[3] && /k/i.test(at(board, token.slice(0, 2)))) ?? name;
  const [, man, file, rank, to, becomes] = plain.match(WRITTEN) || [];
  if (!to) return name;
  const fits = (token) => /^[a-h][1-8][a-h][1-8]/.test(token) && token.slice(2, 4) === to && token.slice(4) === becomes.toLowerCase() && at(board, token.slice(0, 2)).toUpperCase() === (man || 'P') && token[0].startsWith(file) && token[1].startsWith(rank);
  const found = tokens.filter(fits);
  return found.length === 1 ? found[0] : name;
}
