// The seats, and whether they answer.

import { h } from '../dom.js';
import { icon } from '../icons.js';
import { number, t } from '../words.js';

/** The state of the connection to a seat, as a word with an icon. Nothing for a seat that is simply there. */
export function linkTag(seat) {
  if (seat.kind === 'bot' || seat.kind === 'you' || seat.link === 'here' || seat.link === undefined || seat.kind === 'open') return null;
  // In a correspondence game, players need not be online.
  const away = seat.letters && seat.link !== 'left' ? t('link.letters') : seat.link === 'away' && seat.away ? t('link.away.for', { n: Math.round(seat.away / 1000) }) : t(`link.${seat.link}`);
  return h('span', { class: `tag ${seat.link === 'left' ? 'bad' : ''}` }, icon(seat.link === 'left' ? 'leave' : 'wait'), away);
}

/** The icon for people and bots. */
export const kindIcon = (seat) => h('span', { class: 'kind', title: t(`kind.${seat.kind}`) }, icon(seat.kind === 'bot' ? 'bot' : 'person'), h('span', { class: 'visually-hidden' }, t(`kind.${seat.kind}`)));

/** Whether the player in this seat must decide now: not once they have answered, nor once the game is decided. */
export function isTurn(ctx, seat) {
  if (ctx.now?.phase !== 'playing' || ctx.now.decided || !ctx.expects?.by_hand) return false;
  const said = seat === ctx.me && (!ctx.expects.yours || ctx.memory?.sent === ctx.now.round);
  return ctx.expects.seats.includes(seat) && !said;
}

/** One seat in a row of seats. */
export function seatChip(ctx, seat, extra) {
  const turn = isTurn(ctx, seat.seat);
  return h('li', { key: seat.seat, class: `seat ${turn ? 'turn' : ''} ${seat.kind === 'you' ? 'own' : ''}` },
    kindIcon(seat), h('bdi', { class: 'seat-name' }, ctx.names[seat.seat]),
    turn && h('span', { class: 'tag good' }, icon('wait'), t('seat.turn')),
    linkTag(seat), extra);
}

export const seatRow = (ctx) => h('ul', { class: 'seat-row', 'aria-label': t('seat.label') }, ctx.seats.map((seat) => seatChip(ctx, seat,
  ctx.now?.scores && h('span', { class: 'number' }, number(ctx.now.scores[seat.seat] ?? 0)))));
