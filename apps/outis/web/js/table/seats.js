// Who sits where, and whether they answer.

import { h } from '../dom.js';
import { icon } from '../icons.js';
import { number, t } from '../words.js';

/** State of the line to a seat, as a word with a drawing. Nothing for those who are simply there. */
export function linkTag(seat) {
  if (seat.kind === 'bot' || seat.kind === 'you' || seat.link === 'here' || seat.link === undefined || seat.kind === 'open') return null;
  // By letters nobody is expected to be here.
  const away = seat.letters && seat.link !== 'left' ? t('link.letters') : seat.link === 'away' && seat.away ? t('link.away.for', { n: Math.round(seat.away / 1000) }) : t(`link.${seat.link}`);
  return h('span', { class: `tag ${seat.link === 'left' ? 'bad' : ''}` }, icon(seat.link === 'left' ? 'leave' : 'wait'), away);
}

/** The sign for people and bots. */
export const kindIcon = (seat) => h('span', { class: 'kind', title: t(`kind.${seat.kind}`) }, icon(seat.kind === 'bot' ? 'bot' : 'person'), h('span', { class: 'visually-hidden' }, t(`kind.${seat.kind}`)));

/** Whether a person or bot in this seat has to decide now. Who has answered, or is past the end, has not. */
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
