// One seat at the table: name, chips, cards, bet.

import { h } from '../../dom.js';
import { icon } from '../../icons.js';
import { isTurn, kindIcon, linkTag } from '../../table/seats.js';
import { number, t, tell } from '../../words.js';
import { backs, face } from './cards.js';

const mark = (text, strong = false, title) => h('span', { class: `mark ${strong ? 'strong' : ''}`, title, key: text }, text);

/** Positions of the seats in per cent of the felt: the player's own at the bottom, the others clockwise, none where the cards lie. */
const PLACES = {
  2: [[50, 100], [50, 0]],
  3: [[50, 100], [3, 14], [97, 14]],
  4: [[50, 100], [0, 50], [50, 0], [100, 50]],
  5: [[50, 100], [0, 62], [20, 0], [80, 0], [100, 62]],
  6: [[50, 100], [2, 84], [2, 14], [50, 0], [98, 14], [98, 84]],
  7: [[50, 100], [6, 96], [0, 40], [25, 0], [75, 0], [100, 40], [94, 96]],
  8: [[50, 100], [12, 100], [0, 48], [17, 0], [50, 0], [83, 0], [100, 48], [88, 100]],
  9: [[50, 100], [20, 100], [0, 58], [0, 8], [30, 0], [70, 0], [100, 8], [100, 58], [80, 100]],
};

export function position(at, from, seats) {
  const [x, y] = PLACES[seats][(at - from + seats) % seats];
  return { '--x': `${x}%`, '--y': `${y}%` };
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
  const turn = view.phase !== 'ready' && (ctx.readonly ? view.deciding.includes(at) : isTurn(ctx, at));
  const person = ctx.seats?.[at];
  const link = person && linkTag(person);
  const cards = seat.playing && !seat.folded && view.phase !== 'deal';
  return h('li', { key: at, class: `pk-seat ${mine ? 'own' : ''} ${turn ? 'turn' : ''} ${seat.folded || !seat.playing ? 'gone' : ''} ${seat.won > 0 ? 'won' : ''}`, style: position(at, from, view.seats.length), 'data-place': seat.won > 0 ? 'won' : null },
    h('div', { class: 'place-head' }, person && kindIcon(person), h('bdi', { class: 'seat-name' }, names[at]), turn && h('span', { class: 'turn-mark', title: t('seat.turn') }, icon('wait'), h('span', { class: 'visually-hidden' }, t('seat.turn')))),
    !mine && h('div', { class: 'pk-cards' }, seat.shown ? seat.shown.map((card) => face(card)) : cards && backs(seat.cards)),
    !mine && seat.shown && seat.have && h('span', { class: 'small pk-have' }, tell(seat.have, names)),
    h('div', { class: 'marks' },
      seat.stack > 0 && h('span', { class: 'pk-chips number', key: 'chips' }, t('poker.chips', { n: seat.stack })),
      now.button === at && h('span', { class: 'mark strong dealer', title: t('poker.button') }, h('span', { 'aria-hidden': 'true' }, t('poker.button.short')), h('span', { class: 'visually-hidden' }, t('poker.button'))),
      !link && !now.over && now.small === at && view.board.length === 0 && mark(t('poker.small')),
      !link && !now.over && now.big === at && view.board.length === 0 && mark(t('poker.big')),
      state(view, seat, now), link),
    // Once a betting round is over, its bets are in the pot.
    seat.bet > 0 && (view.phase === 'bet' || view.phase === 'deal') && h('div', { class: 'pk-bet number', key: 'bet', 'data-move': `bet-${at}`, 'data-goal': 'pot' }, t('poker.bet', { n: seat.bet })));
}
