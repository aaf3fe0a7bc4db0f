// One player beside the board: name, connection, clock, captured pieces.

import { h } from '../../dom.js';
import { icon } from '../../icons.js';
import { isTurn, kindIcon, linkTag } from '../../table/seats.js';
import { t } from '../../words.js';
import { lost } from './list.js';

/** A player: name, connection, and captured pieces. */
export function strip(ctx, color) {
  const { view } = ctx;
  const seat = view.seats[color];
  const known = ctx.seats?.find((other) => other.seat === seat);
  const turn = ctx.readonly ? view.turn === color : isTurn(ctx, seat);
  return h('div', { class: `chess-strip ${turn ? 'turn' : ''}`, key: `strip-${color}` },
    h('span', { class: `chip ${color}`, title: t(color === 'white' ? 'chess.white' : 'chess.black') }, h('span', { class: 'visually-hidden' }, t(color === 'white' ? 'chess.white' : 'chess.black'))),
    known && !ctx.readonly && kindIcon(known),
    h('bdi', { class: 'seat-name' }, ctx.names[seat]),
    turn && h('span', { class: 'tag good' }, icon('wait'), t('seat.turn')),
    known && linkTag(known),
    ctx.clock?.(seat),
    lost(view, color === 'white' ? 'black' : 'white'));
}
