// After the game, if both players agreed: the whole game, as either side saw it or without fog.

import { app, refresh } from '../../app.js';
import { h } from '../../dom.js';
import { choice, iconButton } from '../../parts.js';
import { t } from '../../words.js';
import { ending, gameList } from './list.js';
import { walkBar } from '../../screens/walk.js';
import { pgnButton } from './pgn.js';
import { squares } from './squares.js';

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
  return h('div', { class: 'dark-chess reviewing walks', 'data-board': app.prefs.board ?? 'wood' },
    h('div', { class: 'chess-table', key: 'table' },
      squares({ rows: now[memory.eyes], color: eyes, flip: (view.color === 'black') !== Boolean(memory.flip), marks: eyes ? {} : marks, caption: t('chess.board') })),
    h('div', { class: 'chess-below', key: 'below' },
      ending(ctx),
      choice(t('chess.eyes'), [['board', t('chess.eyes.board')], ['white', t('chess.white')], ['black', t('chess.black')]], memory.eyes, (value) => { memory.eyes = value; refresh(); }),
      walkBar({ memory, last, chapters: [] }),
      h('div', { class: 'chess-tools row' },
        iconButton('again', t('chess.flip'), () => { memory.flip = !memory.flip; refresh(); }),
        pgnButton(ctx)),
      gameList(view.game, memory.at, to)));
}
