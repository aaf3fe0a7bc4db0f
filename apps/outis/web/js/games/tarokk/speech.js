// Bids and announcements as buttons, in groups: numbers and call, bonuses, kontras, pass.

import { h } from '../../dom.js';
import { t } from '../../words.js';
import { actionButton, bar, confirm, digit } from '../../table/actions.js';

const FIGURES = new Set(['trull', 'four_kings', 'double', 'volat', 'pagat_ultimo', 'xxi_catch']);

/** The group of an announcement. */
function groupOf(token) {
  if (token === 'pass') return 'pass';
  if (token.startsWith('call:')) return 'call';
  if (token.endsWith('_tarokks')) return 'number';
  if (FIGURES.has(token)) return 'figure';
  if (/kontra:/.test(token)) return 'kontra';
  return 'other';
}

const GROUPS = ['call', 'number', 'figure', 'kontra', 'other', 'pass'];

export function actions(ctx) {
  const { view } = ctx;
  const cards = new Set(view.hand || []);
  const skip = (token) => cards.has(token) || token.startsWith('discard:') || token === 'end-table';
  const waiting = confirm(ctx);
  const end = ctx.actions.find((action) => action.token === 'end-table');
  const more = end && !waiting && h('details', { class: 'more small', key: 'more' }, h('summary', {}, t('tarokk.more')), actionButton(ctx, end));
  if (waiting) return waiting;
  if (view.phase !== 'announce') return [bar(ctx, skip), more];
  const open = ctx.actions.filter((action) => !skip(action.token));
  const groups = GROUPS.map((name) => [name, open.filter((action) => groupOf(action.token) === name)]).filter(([, items]) => items.length);
  const order = groups.flatMap(([, items]) => items);
  return [h('div', { class: 'actions speech', role: 'group', 'aria-label': t('act.label'), key: 'actions' },
    groups.map(([name, items]) => h('div', { class: `speech-group ${name}`, key: name, role: 'group', 'aria-label': t(`speech.${name}`) }, h('span', { class: 'small muted', 'aria-hidden': 'true' }, t(`speech.${name}`)), h('div', { class: 'row tight' }, items.map((action) => actionButton(ctx, action, { key: digit(order.indexOf(action)) })))))), more];
}
