// One place at the table: who, chips, cards, bet.

import { h } from '../../dom.js';
import { icon } from '../../icons.js';
import { kindIcon, linkTag } from '../../table/seats.js';
import { number, t, tell } from '../../words.js';
import { backs, face } from './cards.js';

const mark = (text, strong = false, title) => h('span', { class: `mark ${strong ? 'strong' : ''}`, title, key: text }, text);

/** Where a seat sits: the own one at the bottom, the others clockwise from there. */
export function position(at, from, seats) {
  const angle = Math.PI / 2 + (((at - from + seats) % seats) * 2 * Math.PI) / seats;
  // A rounded box rather than an ellipse: there is more room at the corners.
  const round = (part) => Math.sign(part) * Math.abs(part) ** 0.72;
  return { '--x': `${(50 + 48.5 * round(Math.cos(angle))).toFixed(1)}%`, '--y': `${(50 + 48 * round(Math.sin(angle))).toFixed(1)}%` };
}

function state(view, seat, now) {
  if (seat.won > 0) return mark(`+${number(seat.won)}`, true);
  if (!seat.playing) return mark(seat.stack === 0 ? t('poker.out') : t('poker.sitsout'));
  if (seat.folded) return mark(t('poker.folded'));
  if (seat.gave_up) return mark(t('poker.gaveup'));
  if (seat.stack === 0 && !now.over) return mark(t('poker.allin'), true);
  if (seat.discards !== null && seat.discards !== undefined && view.phase !== 'show') return mark(seat.discards ? t('poker.drew', { n: seat.discards }) : t('poker.drew.none'));
  return null;
}

export function place(ctx, now, at, from) {
  const { view, names } = ctx;
  const seat = now.seats[at];
  const mine = at === view.me;
  const turn = view.phase !== 'ready' && ctx.now?.phase !== 'over' && view.deciding.includes(at);
  const person = ctx.seats?.[at];
  const link = person && linkTag(person);
  const cards = seat.playing && !seat.folded && view.phase !== 'deal';
  return h('li', { key: at, class: `pk-seat ${mine ? 'own' : ''} ${turn ? 'turn' : ''} ${seat.folded || !seat.playing ? 'gone' : ''} ${seat.won > 0 ? 'won' : ''}`, style: position(at, from, view.seats.length) },
    h('div', { class: 'place-head' }, person && kindIcon(person), h('bdi', { class: 'seat-name' }, names[at]), turn && h('span', { class: 'turn-mark', title: t('seat.turn') }, icon('wait'), h('span', { class: 'visually-hidden' }, t('seat.turn')))),
    !mine && h('div', { class: 'pk-cards' }, seat.shown ? seat.shown.map((card) => face(card)) : cards && backs(seat.cards)),
    !mine && seat.shown && seat.have && h('span', { class: 'small pk-have' }, tell(seat.have, names)),
    h('div', { class: 'pk-chips number' }, t('poker.chips', { n: seat.stack })),
    h('div', { class: 'marks' },
      now.button === at && h('span', { class: 'mark strong dealer', title: t('poker.button') }, h('span', { 'aria-hidden': 'true' }, t('poker.button.short')), h('span', { class: 'visually-hidden' }, t('poker.button'))),
      !link && !now.over && now.small === at && view.board.length === 0 && mark(t('poker.small')),
      !link && !now.over && now.big === at && view.board.length === 0 && mark(t('poker.big')),
      state(view, seat, now), link),
    // Once a round is over its bets are in the pot.
    seat.bet > 0 && (view.phase === 'bet' || view.phase === 'deal') && h('div', { class: 'pk-bet number' }, t('poker.bet', { n: seat.bet })));
}
