// The move list, the captured pieces, and how the game ended: only what this observer knows.

import { h } from '../../dom.js';
import { points, t, tell } from '../../words.js';
import { lookAt } from './back.js';
import { NAMES, piece } from './pieces.js';
import { written } from './typed.js';

const VALUE = { q: 9, r: 5, b: 3, n: 3, p: 1, k: 0 };

const worth = (letters) => [...letters].reduce((sum, letter) => sum + VALUE[letter], 0);

/** The pieces that a colour has lost, the most valuable first, and by how much the other colour is ahead. */
export function lost(view, color) {
  const ahead = worth(view.taken[color]) - worth(view.taken[color === 'white' ? 'black' : 'white']);
  const letters = [...view.taken[color]].sort((a, b) => VALUE[b] - VALUE[a]);
  const names = letters.map((letter) => ({ id: `dark-chess.piece.${NAMES[letter]}` }));
  return h('div', { class: 'lost', role: 'img', 'aria-label': `${letters.length ? t('chess.lost', { pieces: names }) : t('chess.lost.none')}${ahead > 0 ? `, ${points(ahead)}` : ''}` },
    letters.map((letter, n) => h('span', { key: n }, piece(color === 'white' ? letter.toUpperCase() : letter))),
    ahead > 0 && h('span', { key: 'ahead', class: 'ahead number small' }, points(ahead)));
}

/** What is written about a move, and how it looks. */
function content(ply) {
  const takes = ply.takes && { square: { plain: ply.takes.square }, piece: { id: `dark-chess.piece.${NAMES[ply.takes.piece]}` } };
  if (ply.text) return ['own', h('bdi', { class: 'written' }, written(ply.text))];
  if (takes) {
    const { piece: letter, square } = ply.takes;
    return ['takes', h('span', { class: 'taken', 'aria-hidden': 'true' }, '×', piece(ply.by === 'white' ? letter : letter.toUpperCase()), h('bdi', { class: 'written' }, square)), h('span', { class: 'visually-hidden' }, t('chess.heard.takes', takes))];
  }
  return ['muted', h('span', { 'aria-hidden': 'true' }, '…'), h('span', { class: 'visually-hidden' }, t('chess.heard.quiet'))];
}

/** One half of a line: during the game it shows the position after that move. */
function half(ctx, n) {
  const ply = ctx.view.plies[n];
  if (!ply) return h('td', {});
  const [looks, ...words] = content(ply);
  if (ctx.readonly) return h('td', { class: looks }, words);
  return h('td', { class: looks }, h('button', { type: 'button', class: 'ply', 'aria-current': ctx.memory.back === n + 1 ? 'step' : null, onclick: () => lookAt(ctx, n + 1) }, words));
}

export function moveList(ctx) {
  const { plies } = ctx.view;
  const lines = Array.from({ length: Math.ceil(plies.length / 2) }, (_, n) => n);
  return h('section', { class: 'chess-moves', 'aria-label': t('chess.moves'), key: 'moves' },
    h('h2', {}, t('chess.moves')),
    lines.length
      ? h('div', { class: 'chess-moves-box', tabindex: '0', role: 'group', 'aria-label': t('chess.moves') }, h('table', { class: 'table-data' },
        h('thead', { class: 'visually-hidden' }, h('tr', {}, h('th', { scope: 'col' }, t('chess.number')), h('th', { scope: 'col' }, t('chess.white')), h('th', { scope: 'col' }, t('chess.black')))),
        h('tbody', {}, lines.map((n) => h('tr', { key: n }, h('th', { scope: 'row', class: 'number muted' }, `${n + 1}.`), half(ctx, 2 * n), half(ctx, 2 * n + 1))))))
      : h('p', { class: 'muted small' }, t('chess.moves.none')));
}

/** All moves of a game that both players have revealed, to go to any of them. */
export function gameList(game, current, to) {
  const move = (n) => game[n] && h('button', { type: 'button', class: 'button quiet small', 'aria-current': n === current ? 'step' : null, onclick: () => to(n) }, h('bdi', { class: 'written' }, game[n].text ? written(game[n].text) : game[n].move));
  const rows = Array.from({ length: Math.ceil((game.length - 1) / 2) }, (_, n) => n);
  return rows.length > 0 && h('section', { class: 'chess-moves', 'aria-label': t('chess.moves'), key: 'moves' },
    h('h2', {}, t('chess.moves')),
    h('div', { class: 'chess-moves-box' }, h('table', { class: 'table-data' },
      h('thead', { class: 'visually-hidden' }, h('tr', {}, h('th', { scope: 'col' }, t('chess.number')), h('th', { scope: 'col' }, t('chess.white')), h('th', { scope: 'col' }, t('chess.black')))),
      h('tbody', {}, rows.map((n) => h('tr', { key: n }, h('th', { scope: 'row', class: 'number muted' }, `${n + 1}.`), h('td', {}, move(2 * n + 1)), h('td', {}, move(2 * n + 2))))))));
}

/** The end of the game as a sentence. */
export function ending(ctx) {
  const said = ctx.lines?.filter((line) => /^dark-chess\.(end|review)\./.test(line.id)) || [];
  return said.length ? h('div', { class: 'chess-end', role: 'status', key: 'end' }, said.map((line, n) => h('p', { key: n }, tell(line, ctx.names)))) : null;
}
