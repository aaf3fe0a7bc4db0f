// The tarokk table: the others around it in playing order (counter-clockwise), the trick in the middle, the player's hand below. It shows
// the view of spec/games/tarokk-view.md; nothing here knows the rules.

import { onTable, table } from '../../app.js';
import { h } from '../../dom.js';
import { button } from '../../parts.js';
import { play } from '../../sound.js';
import { t, tell } from '../../words.js';
import { actions } from './speech.js';
import { hand } from './hand.js';
import { hold, lastTrick, lookedAt, recall } from './last.js';
import { announcements, middle, over } from './middle.js';
import { sheet } from './sheet.js';
import { place } from './place.js';

/** Number of cards played since the deal; it grows with every card. */
const played = (view) => (view?.tricks?.length || 0) * 4 + (view?.trick?.cards?.length || 0);

onTable((now, before) => {
  if (now.game !== 'tarokk' || !now.view) return;
  hold(table(now.table), now, before);
  if (!before?.view) return;
  const [tricks, had] = [now.view.tricks?.length || 0, before.view.tricks?.length || 0];
  if (tricks > had) play('trick');
  else if (played(now.view) > played(before.view)) play('card');
  else if ((now.view.said?.length || 0) + (now.view.auction?.length || 0) > (before.view.said?.length || 0) + (before.view.auction?.length || 0)) play('knock');
});

/** Where each seat is, from this observer's side: bottom, right, top, left, counter-clockwise. */
export function round(view) {
  const playing = view.players;
  const from = Math.max(0, playing.indexOf(view.me));
  const sides = ['at-bottom', 'at-right', 'at-top', 'at-left'];
  return new Map(playing.map((_, n) => [playing[(from + n) % 4], sides[n]]));
}

export function tarokk(ctx) {
  const { view } = ctx;
  ctx.memory ??= {};
  const sides = round(view);
  const seats = [...sides].filter(([, side]) => side !== 'at-bottom');
  const own = [...sides].find(([, side]) => side === 'at-bottom')?.[0];
  const results = view.results || [];
  ctx.memory.seen ??= ctx.readonly ? 0 : results.length;
  // A player who acts in the next deal has seen the account of the last one.
  if (ctx.memory.acted !== ctx.memory.actedAt) Object.assign(ctx.memory, { actedAt: ctx.memory.acted, seen: results.length });
  const unseen = ctx.readonly ? view.phase === 'over' && results.length > 0 : results.length > ctx.memory.seen || (view.phase === 'over' && results.length > 0 && !ctx.memory.closed);
  const looked = lookedAt(ctx);
  return h('div', { class: 'tarokk' },
    h('div', { class: 'felt tarokk-felt', key: 'felt' },
      h('div', { class: 'corner', key: 'corner' }, dealLine(ctx)),
      h('div', { class: 'said', key: 'said' }, view.phase !== 'over' && announcements(ctx)),
      seats.map(([seat, side]) => place(ctx, seat, side)),
      h('div', { class: 'middle', key: 'middle' }, looked ? over(ctx, looked) : unseen ? sheet(ctx, results.at(-1)) : middle(ctx, sides)),
      duties(ctx),
      own !== undefined && place(ctx, own, 'at-bottom'),
      !ctx.readonly && lastTrick(view) && button(t('tarokk.last'), () => recall(ctx), { kind: 'small recall', picture: 'eye', key: 'recall', 'aria-pressed': String(Boolean(looked)), 'aria-label': t('tarokk.last'), 'aria-keyshortcuts': 'L' })),
    h('div', { class: 'below', key: 'below' },
      !ctx.readonly && ctx.status(),
      hand(ctx),
      !ctx.readonly && actions(ctx)));
}

/** Deal, factor and contract in one line. */
function dealLine({ view, names }) {
  const parts = [t('tarokk.deal', { n: view.deal })];
  if (view.multiplier > 1) parts.push(t('tarokk.times', { n: view.multiplier }));
  if (view.contract) parts.push(t('tarokk.contract', { who: { seat: view.contract.declarer }, bid: { id: `tarokk.bid.${view.contract.bid}` } }, names));
  if (view.called) parts.push(t('tarokk.called', { card: { id: `tarokk.card.${view.called}` } }));
  if (view.my_side && view.contract && view.contract.declarer !== view.me && view.phase !== 'discard') parts.push(t(`tarokk.side.${view.my_side}`));
  if (Number.isInteger(view.sits_out)) parts.push(t('tarokk.out', { who: { seat: view.sits_out } }, names));
  return parts.map((part, at) => h('span', { key: at }, part));
}

/** Announcements that oblige the player to something: shown before anything is chosen. */
function duties({ view, names }) {
  if (!view.duties?.length) return null;
  return h('ul', { class: 'duties', key: 'duties', 'aria-label': t('tarokk.duties') }, view.duties.map((text, at) => h('li', { key: at }, tell(text, names))));
}
