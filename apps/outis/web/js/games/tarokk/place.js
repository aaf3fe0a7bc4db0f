// One seat at the tarokk table: name, marks, cards left, last call.

import { h } from '../../dom.js';
import { icon } from '../../icons.js';
import { number, t, tell } from '../../words.js';
import { isTurn, kindIcon, linkTag } from '../../table/seats.js';

/** The number of cards that a seat still holds, as far as the plays show. */
function left(view, seat) {
  if (view.phase === 'deal' || view.phase === 'over') return 0;
  if (!view.trick && !view.tricks) return 9;
  const inTrick = view.trick?.cards?.some((item) => item.seat === seat) ? 1 : 0;
  return 9 - (view.tricks?.length || 0) - inTrick;
}

/** The seat's last call: in the auction, or all of its last turn of announcements. */
export function lastWords(view, seat) {
  if (view.phase === 'auction') return view.auction?.filter((item) => item.seat === seat).at(-1)?.text ?? null;
  if (view.phase !== 'announce') return null;
  const turns = [[]];
  for (const item of (view.said || []).filter((word) => word.seat === seat)) {
    turns.at(-1).push(item.text);
    if (item.token === 'pass') turns.push([]);
  }
  return turns.filter((turn) => turn.length).at(-1) ?? null;
}

function marks(ctx, seat) {
  const { view } = ctx;
  const out = [];
  if (view.dealer === seat) out.push(h('span', { class: 'mark', key: 'dealer', title: t('tarokk.dealer') }, t('tarokk.dealer.short')));
  if (view.contract?.declarer === seat) out.push(h('span', { class: 'mark strong', key: 'declarer' }, t('tarokk.declarer')));
  else if (view.sides?.[seat] === 'declarer') out.push(h('span', { class: 'mark strong', key: 'partner' }, t('tarokk.partner')));
  else if (view.sides?.[seat] === 'opponents') out.push(h('span', { class: 'mark', key: 'opponent' }, t('tarokk.opponent')));
  if (view.counts?.[seat]) out.push(h('span', { class: 'mark', key: 'count' }, t('tarokk.count', { n: view.counts[seat] })));
  if (view.taken?.[seat]) out.push(h('span', { class: 'mark', key: 'taken' }, t('tarokk.taken', { n: view.taken[seat] })));
  if (view.phase === 'discard' && view.discarded?.[seat]) out.push(h('span', { class: 'mark', key: 'laid' }, icon('good'), t('tarokk.laid')));
  const laid = view.laid?.by_seat?.[seat];
  if (laid && (view.phase === 'announce' || view.phase === 'annul')) out.push(h('span', { class: 'mark', key: 'tarokks' }, t('tarokk.laid.tarokks', { n: laid })));
  if ((view.phase === 'annul' || view.phase === 'claims') && view.answered?.includes(seat)) out.push(h('span', { class: 'mark', key: 'answered' }, icon('good'), t('tarokk.answered')));
  return out;
}

export function place(ctx, seat, side) {
  const { view, names } = ctx;
  const info = ctx.seats[seat] || { seat, kind: 'peer', link: 'here' };
  const turn = ctx.readonly ? view.awaited?.includes(seat) : isTurn(ctx, seat);
  const words = lastWords(view, seat);
  const cards = side === 'at-bottom' ? 0 : left(view, seat);
  return h('div', { key: `seat-${seat}`, class: `place ${side} ${turn ? 'turn' : ''}` },
    h('div', { class: 'place-head' },
      kindIcon(info), h('bdi', { class: 'seat-name' }, names[seat]),
      turn && h('span', { class: 'turn-mark' }, icon('wait'), h('span', { class: 'visually-hidden' }, t('seat.turn'))),
      h('span', { class: 'number points' }, number(view.scores?.[seat] ?? 0))),
    h('div', { class: 'marks' }, marks(ctx, seat), linkTag(info)),
    cards > 0 && h('div', { class: 'backs', role: 'img', 'aria-label': t('tarokk.cards', { n: cards }) }, Array.from({ length: cards }, (_, n) => h('span', { key: n }))),
    words && h('p', { class: 'words', key: JSON.stringify(words) }, Array.isArray(words) ? words.map((text) => tell(text, names)).join(', ') : tell(words, names)));
}

