// High card: one card each, shown or not.

import { h } from '../dom.js';
import { cardImage } from '../parts.js';
import { isTurn } from '../table/seats.js';
import { points, say, t } from '../words.js';

const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];
const SUITS = ['C', 'D', 'H', 'S'];
const nameOf = (card) => `${SUITS[card % 4]}:${RANKS[Math.floor(card / 4)]}`;
const label = (card) => say(`high-card.card.${card}`);

export function highCard(ctx) {
  const { view, names, me } = ctx;
  // The last deal stays on the table until the next one is dealt.
  const last = Math.max(0, view.calls.length - 1);
  const fresh = !view.dealt && last > 0 && !view.calls[last]?.length;
  const deal = fresh ? last - 1 : last;
  const calls = view.calls[deal] || [];
  const said = new Map(calls.map((card, at) => [(deal + at) % view.seats, card]));
  const turn = (seat) => (ctx.readonly ? view.turn === seat : isTurn(ctx, seat));
  const place = (seat) => {
    const called = said.has(seat);
    const shown = called ? said.get(seat) : null;
    const own = seat === me && view.card !== null;
    const face = shown !== null && shown !== undefined ? shown : own ? view.card : null;
    return h('li', { key: seat, class: `hc-place ${turn(seat) ? 'turn' : ''} ${called && shown === null ? 'passed' : ''}` },
      h('span', { class: 'seat-name' }, names[seat]),
      view.dealt || fresh || face !== null ? cardImage(face === null ? 'back' : nameOf(face), { french: true, label: face === null ? t('card.hidden') : label(face) }) : h('div', { class: 'card-gap', 'aria-hidden': 'true' }),
      h('span', { class: 'small' }, shown !== null && shown !== undefined ? t('hc.shown') : called ? t('hc.passed') : own ? t('hc.yours') : turn(seat) ? t('hc.thinking') : '\u00a0'),
      h('span', { class: 'number' }, points(view.scores?.[seat] ?? 0)));
  };
  const order = Array.from({ length: view.seats }, (_, n) => ((me ?? 0) + n) % view.seats);
  return h('div', { class: 'felt high-card' },
    h('p', {}, t('hc.deal', { n: deal + 1, of: view.deals })),
    h('ul', { class: 'hc-places' }, order.map(place)));
}
