// The game as a file for other programs. Only the page knows the players' names and the date, so it fills them in.

import { save } from '../../link.js';
import { button } from '../../parts.js';
import { t } from '../../words.js';

const tag = (name, value) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`;

/** The PGN of a view with the players' names, and the date if it is known. */
export function named(ctx) {
  const { view, names } = ctx;
  const when = ctx.known?.steps.at(-1)?.at;
  const day = when && new Date(when).toISOString().slice(0, 10).replaceAll('-', '.');
  const known = { White: names[view.seats.white], Black: names[view.seats.black], Date: day };
  return Object.entries(known).filter(([, value]) => value).reduce((text, [name, value]) => text.replace(new RegExp(`^\\[${name} ".*"\\]$`, 'm'), () => tag(name, value)), view.pgn);
}

/** The button that saves it, once it exists. */
export const pgnButton = (ctx) => ctx.view.pgn && button(t('chess.pgn'), () => save(new Blob([named(ctx)], { type: 'application/x-chess-pgn' }), `dark-chess-${(ctx.id || 'game').slice(0, 8)}.pgn`), { kind: 'small', picture: 'save' });
