// Beside or below the table, on request: the fairness panel, the moves, the chat. It stays as it was left.

import { app, refresh, setPref } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { iconButton } from '../parts.js';
import { span, t, tell } from '../words.js';
import { recordsOf } from '../games/index.js';
import { chat } from './chat.js';
import { fairness } from './fairness.js';

const TABS = [['fairness', 'shield'], ['moves', 'list'], ['chat', 'chat']];

/** People who share a device need no chat. */
const tabsOf = (ctx) => TABS.filter(([name]) => name !== 'chat' || !ctx.now.hand);
const tabOf = (ctx) => (tabsOf(ctx).some(([name]) => name === ctx.memory.tab) ? ctx.memory.tab : 'fairness');

/** Until the last question is answered everything fits on one screen; a finished game may be scrolled. */
export const isOneScreen = (ctx) => ctx.now.phase === 'playing';

/** On a narrow screen the panel covers the hand and the buttons, so it is open only while it is being read. */
const NARROW = matchMedia('(max-width: 61.99rem)');
const covers = (ctx) => NARROW.matches && isOneScreen(ctx);
export const isOpen = (ctx) => (covers(ctx) ? Boolean(ctx.memory.panel) : app.prefs.panel);

/** Opens the panel at a tab, or closes it if it already shows that tab. */
function toggle(ctx, name) {
  const opens = !isOpen(ctx) || tabOf(ctx) !== name;
  ctx.memory.tab = name;
  if (covers(ctx)) ctx.memory.panel = opens;
  else setPref('panel', opens);
  if (!opens) refresh();
  // On a phone the panel is below the table.
  if (opens) refresh(() => document.querySelector('.side')?.scrollIntoView({ block: 'nearest' }));
}

const unread = (ctx) => ctx.known.unread > 0 && h('span', { class: 'unread', key: 'unread' }, h('span', { 'aria-hidden': 'true' }, String(ctx.known.unread)), h('span', { class: 'visually-hidden' }, t('chat.unread', { n: ctx.known.unread })));

/** The buttons above the table that open and close the panel. */
export function panelButtons(ctx) {
  return tabsOf(ctx).map(([name, picture]) => {
    const open = isOpen(ctx) && tabOf(ctx) === name;
    return h('span', { class: 'panel-button', key: name }, iconButton(picture, t(`tab.${name}`), () => toggle(ctx, name), { 'aria-pressed': String(open), 'data-panel': name }), name === 'chat' && !open && unread(ctx));
  });
}

/** All proofs in one line: nothing to read while all is well. It opens the fairness panel. */
export function proofLine(ctx) {
  const { steps } = ctx.known;
  if (!steps.length) return null;
  const refused = steps.find((step) => step.verdict === 'refused');
  const time = steps.reduce((sum, step) => sum + (step.judged_us || 0), 0);
  const open = isOpen(ctx) && tabOf(ctx) === 'fairness';
  return h('button', { type: 'button', class: `proof-line small ${refused ? 'refused' : ''}`, key: 'proof', 'aria-expanded': String(open), title: refused ? null : t('fair.all', { n: steps.length, time: span(time) }), onclick: () => toggle(ctx, 'fairness') },
    icon(refused ? 'bad' : 'good'), h('span', {}, refused ? t('status.refused', { who: { seat: refused.seat } }, ctx.names) : t('status.order')));
}

export function side(ctx) {
  const tab = tabOf(ctx);
  const pick = (name) => {
    ctx.memory.tab = name;
    refresh();
  };
  return h('aside', { class: 'side', 'aria-label': t('side.label'), key: 'side' },
    h('div', { class: 'tabs', role: 'tablist', 'aria-label': t('side.label') }, tabsOf(ctx).map(([name, picture]) => h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(tab === name), 'aria-controls': 'side-panel', tabindex: tab === name ? 0 : -1, class: 'tab', onclick: () => pick(name) },
      icon(picture), h('span', {}, t(`tab.${name}`)), name === 'chat' && tab !== 'chat' && unread(ctx)))),
    h('div', { class: 'side-panel', id: 'side-panel', role: 'tabpanel', 'aria-labelledby': `tab-${tab}`, key: tab, tabindex: '0' }, tab === 'fairness' ? fairness(ctx) : tab === 'chat' ? chat(ctx) : moves(ctx)));
}

function moves(ctx) {
  return h('div', { class: 'stack' }, h('h3', {}, t('moves.now')), h('ul', { class: 'lines' }, ctx.lines.map((line, at) => h('li', { key: at }, tell(line, ctx.names)))),
    ctx.view && recordsOf(ctx),
    h('h3', {}, t('moves.past')), ctx.known.news.length ? h('ol', { class: 'lines past' }, [...ctx.known.news].reverse().map((line, at) => h('li', { key: ctx.known.news.length - at }, tell(line, ctx.names)))) : h('p', { class: 'muted' }, t('moves.none')));
}
