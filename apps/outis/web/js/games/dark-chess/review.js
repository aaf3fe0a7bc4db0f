// After the game, if both players agreed: the whole game, as either side saw it or without fog.

import { app, refresh } from '../../app.js';
import { h } from '../../dom.js';
import { choice, iconButton } from '../../parts.js';
import { t } from '../../words.js';
import { ending, gameList } from './list.js';
import { walkBar } from '../../screens/walk.js';
import { pgnButton } from './pgn.js';
import { at as on, squares } from './squares.js';
import { strip } from './strip.js';

/** What each colour had lost after this many moves. */
function takenUntil(game, place) {
  const taken = { white: [], black: [] };
  for (let n = 1; n <= place; n++) {
    const [from, to] = [game[n].move?.slice(0, 2), game[n].move?.slice(2, 4)];
    if (!to) continue;
    const [before, man] = [on(game[n - 1].board, to), on(game[n - 1].board, from)];
    const lost = before !== '.' ? before : /p/i.test(man) && from[0] !== to[0] ? on(game[n - 1].board, to[0] + from[1]) : '.';
    if (lost !== '.') taken[lost === lost.toUpperCase() ? 'white' : 'black'].push(lost.toLowerCase());
  }
  return taken;
}

export function review(ctx) {
  const { view, memory } = ctx;
  const last = view.game.length - 1;
  memory.at = Math.min(Math.max(memory.at ?? last, 0), last);
  memory.eyes ??= 'board';
  const to = (place) => {
    memory.at = Math.min(Math.max(place, 0), last);
    refresh();
  };
  const now = view.game[memory.at];
  const eyes = memory.eyes === 'board' ? null : memory.eyes;
  const marks = { from: now.move?.slice(0, 2), to: now.move?.slice(2, 4) };
  const flip = (view.color === 'black') !== Boolean(memory.flip);
  const shown = { ...ctx, view: { ...view, turn: null, taken: takenUntil(view.game, memory.at) } };
  return h('div', { class: 'dark-chess reviewing walks', 'data-board': app.prefs.board ?? 'wood' },
    h('div', { class: 'chess-table', key: 'table' },
      strip(shown, flip ? 'white' : 'black'),
      squares({ rows: now[memory.eyes], color: eyes, flip, marks: eyes ? {} : marks, caption: t('chess.board') }),
      strip(shown, flip ? 'black' : 'white')),
    h('div', { class: 'chess-below', key: 'below' },
      ending(ctx),
      choice(t('chess.eyes'), [['board', t('chess.eyes.board')], ['white', t('chess.white')], ['black', t('chess.black')]], memory.eyes, (value) => { memory.eyes = value; refresh(); }),
      walkBar({ memory, last, chapters: [] }),
      h('div', { class: 'chess-tools row' },
        iconButton('again', t('chess.flip'), () => { memory.flip = !memory.flip; refresh(); }),
        pgnButton(ctx)),
      gameList(view.game, memory.at, to)));
}
