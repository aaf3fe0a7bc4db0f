// Looking at earlier positions during the game: what this player saw after each move. The next move returns to the game.

import { app, ask, refresh, table } from '../../app.js';
import { h } from '../../dom.js';
import { button } from '../../parts.js';
import { t } from '../../words.js';

/** Keeps what was seen after this many moves; a new move ends the look back. */
export function keep(memory, { plies, board }) {
  memory.sights ??= new Map();
  if (!memory.sights.has(plies.length)) memory.back = null;
  memory.sights.set(plies.length, board);
}

/** Positions from before this page was opened: the node still knows them. */
async function fetchOlder(id, memory) {
  if (memory.older) return;
  memory.older = true;
  const answer = await ask('replay', { table: id });
  for (const { view } of answer?.pictures ?? []) if (view?.plies && !memory.sights.has(view.plies.length)) memory.sights.set(view.plies.length, view.board);
  refresh();
}

/** Shows the position after `n` moves, or the game itself. */
export function lookAt({ id, memory, view }, n) {
  memory.back = n >= view.plies.length ? null : Math.max(0, n);
  if (memory.back !== null && !memory.sights?.has(memory.back)) fetchOlder(id, memory);
  refresh();
}

/** The earlier position that is shown: `{rows, n}`; null if it is the game. */
export function earlier({ memory, readonly }) {
  if (readonly || memory.back === null || memory.back === undefined) return null;
  const rows = memory.sights?.get(memory.back);
  return rows ? { rows, n: memory.back } : null;
}

/** Says that this is not the game, and returns to it. */
export const backBar = (ctx) => earlier(ctx) && h('div', { class: 'chess-back notice', role: 'status', key: 'back' },
  h('span', {}, t('chess.back', { n: Math.ceil(ctx.memory.back / 2) })), button(t('chess.back.now'), () => lookAt(ctx, Infinity), { kind: 'small', 'data-key': 'Escape' }));

const STEPS = { PageUp: (at) => at - 1, PageDown: (at) => at + 1 };

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || app.route.name !== 'table' || !Object.hasOwn(STEPS, event.key)) return;
  const { now, memory } = table(app.route.arg);
  if (now?.game !== 'dark-chess' || !now.view || now.view.game || !memory) return;
  event.preventDefault();
  lookAt({ id: now.table, memory, view: now.view }, STEPS[event.key](memory.back ?? now.view.plies.length));
});
