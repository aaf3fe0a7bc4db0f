// Keys at the table. Letters that no game uses read out what a screen reader does not read automatically. A key shown on a button moves the
// focus to it; pressing it again, or Enter, presses the button.

import { announce, app, refresh } from '../app.js';
import { h } from '../dom.js';
import { button } from '../parts.js';
import { heardOf, recallOf } from '../games/index.js';
import { t, tell } from '../words.js';
import { moveFocus } from './actions.js';
import { wanted } from './focus.js';
import { reading } from './timer.js';

/** The table on the screen. */
let live = null;
export const listen = (ctx) => { live = ctx; };

/** All clocks of the table as a sentence. */
function clocks(ctx) {
  const each = ctx.seats.map((seat) => [ctx.names[seat.seat], ctx.timeOf(seat.seat)]).filter(([, left]) => left !== null);
  if (each.length) return each.map(([name, left]) => `${name}: ${reading(left)}`).join(', ');
  const left = ctx.left();
  return left === null ? t('key.noclock') : `${t('clock.label')} ${reading(left)}`;
}

const LETTERS = {
  h: () => (wanted() ?? document.querySelector('.chess-board [tabindex="0"]'))?.focus(),
  s: (ctx) => announce(ctx.left() === null ? ctx.sentence() : `${ctx.sentence()} ${clocks(ctx)}`),
  t: (ctx) => heardOf(ctx).forEach((line) => announce(tell(line, ctx.names))),
  o: (ctx) => announce(clocks(ctx)),
  l: (ctx) => recallOf(ctx)?.(),
  '?': (ctx) => {
    ctx.memory.keys = !ctx.memory.keys;
    refresh();
  },
};

/** Moves the focus to the button with this key; presses the button if it already has the focus. */
function press(key) {
  const found = [...document.querySelectorAll('[data-key]')].find((node) => node.dataset.key.toLowerCase() === key && !node.disabled);
  if (!found) return false;
  if (document.activeElement === found || key === 'escape' || 'atOnce' in found.dataset) found.click();
  else found.focus();
  return true;
}

addEventListener('keydown', (event) => {
  if (!live || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || app.route.name !== 'table') return;
  if (/^(TEXTAREA|SELECT)$/.test(event.target.tagName) || (event.target.tagName === 'INPUT' && !/^(range|checkbox)$/.test(event.target.type))) return;
  const key = event.key.toLowerCase();
  if (/^(arrow|home$|end$)/.test(key)) return moveFocus(event);
  if (event.repeat) return undefined;
  if (press(key)) return event.preventDefault();
  if (Object.hasOwn(LETTERS, key) && live.view) {
    event.preventDefault();
    LETTERS[key](live);
  }
  return undefined;
});

/** All keys of this table, on request. */
export function keyList(ctx) {
  if (!ctx.memory.keys) return null;
  const close = () => {
    ctx.memory.keys = false;
    refresh();
  };
  const own = { tarokk: ['cards', 'last'], poker: ['poker'], 'dark-chess': ['squares', 'type', 'back', 'flip'], zherotag: ['compass'] }[ctx.game] ?? [];
  const line = (name) => h('div', { key: name }, h('dt', {}, h('kbd', { class: 'key' }, t(`key.${name}.key`))), h('dd', {}, t(`key.${name}`)));
  return h('section', { class: 'key-list notice', key: 'keys', 'aria-label': t('key.title') },
    h('div', { class: 'row spread' }, h('h2', {}, t('key.title')), button(t('key.close'), close, { kind: 'small', 'data-key': 'Escape' })),
    h('dl', {}, [...own, 'digits', 'hand', 'state', 'table', 'clock', 'help'].map(line)));
}
