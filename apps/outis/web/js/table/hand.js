// Several people at one device. Between turns it is covered: the node shows no side until a player takes the device.

import { ask } from '../app.js';
import { h } from '../dom.js';
import { icon, mark } from '../icons.js';
import { button, choice } from '../parts.js';
import { t } from '../words.js';

/** Whether the device is covered now. */
export const isCovered = (now) => Boolean(now.hand) && now.hand.holder === null && now.phase === 'playing';

/** The cover: the next player, and a button for each person. The heading has the focus, so that no key uncovers by accident. */
export function cover(ctx) {
  const { people, next } = ctx.now.hand;
  const who = next === null ? null : { seat: next };
  const take = (seat) => () => ask('take', { table: ctx.id, seat });
  const order = [...people].sort((a, b) => (b === next) - (a === next) || a - b);
  return h('section', { class: 'felt cover', key: 'cover', 'aria-labelledby': 'cover' },
    h('div', { class: 'cover-mark', key: 'mark' }, mark()),
    h('h2', { id: 'cover', key: `for-${next}`, tabindex: '-1', made: (node) => requestAnimationFrame(() => node.focus()) }, who ? t('hand.title', { who }, ctx.names) : t('hand.wait')),
    h('p', { key: 'words' }, who ? t('hand.text', { who }, ctx.names) : t('hand.wait.text')),
    h('div', { class: 'row cover-buttons', key: 'buttons' }, order.map((seat) => button(t('hand.take', { who: { seat } }, ctx.names), take(seat), { key: seat, kind: seat === next ? 'primary' : 'quiet', 'data-take': seat }))));
}

/** For shared devices and watched bots: whose side is shown, and a button to cover it. After the game, any side may be shown. */
export function handBar(ctx) {
  const { hand, phase } = ctx.now;
  if (ctx.now.watch !== null && ctx.now.watch !== undefined) return h('div', { class: 'hand-bar', key: 'hand' }, icon('eye'), h('span', {}, t('hand.watch', { who: { seat: ctx.now.watch } }, ctx.names)));
  if (!hand) return null;
  if (phase === 'over') {
    const pick = (seat) => ask('take', { table: ctx.id, seat });
    return h('div', { class: 'hand-bar', key: 'hand' }, choice(t('hand.sides'), hand.people.map((seat) => [seat, ctx.names[seat]]), hand.holder, pick));
  }
  const hide = () => ask('cover', { table: ctx.id });
  const next = hand.next !== null && hand.next !== hand.holder;
  return h('div', { class: `hand-bar ${next ? 'next' : ''}`, key: 'hand' },
    icon('eye'), h('span', { role: 'status' }, next ? t('hand.next', { who: { seat: hand.next } }, ctx.names) : t('hand.yours', { who: { seat: hand.holder } }, ctx.names)),
    button(t('hand.cover'), hide, { kind: next ? 'primary' : 'small quiet', 'data-cover': '' }));
}
