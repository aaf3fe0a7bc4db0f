// After the game, if both agreed: the whole game, with the eyes of either side or of nobody.

import { app, refresh } from '../../app.js';
import { h } from '../../dom.js';
import { choice, iconButton } from '../../parts.js';
import { t } from '../../words.js';
import { ending, gameList } from './list.js';
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
  const keys = (event) => {
    const place = { ArrowLeft: memory.at - 1, ArrowRight: memory.at + 1, Home: 0, End: last }[event.key];
    if (place === undefined || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    to(place);
  };
  const now = view.game[memory.at];
  const eyes = memory.eyes === 'board' ? null : memory.eyes;
  const marks = { from: now.move?.slice(0, 2), to: now.move?.slice(2, 4) };
  return h('div', { class: 'dark-chess reviewing', 'data-board': app.prefs.board ?? 'wood', onkeydown: keys },
    h('div', { class: 'chess-table', key: 'table' },
      squares({ rows: now[memory.eyes], color: eyes, flip: (view.color === 'black') !== Boolean(memory.flip), marks: eyes ? {} : marks, caption: t('chess.board') })),
    h('div', { class: 'chess-below', key: 'below' },
      ending(ctx),
      choice(t('chess.eyes'), [['board', t('chess.eyes.board')], ['white', t('chess.white')], ['black', t('chess.black')]], memory.eyes, (value) => { memory.eyes = value; refresh(); }),
      h('div', { class: 'row replay-bar', role: 'group', 'aria-label': t('replay.title') },
        iconButton('first', t('replay.first'), () => to(0), { disabled: memory.at === 0 }),
        iconButton('back', t('replay.back'), () => to(memory.at - 1), { disabled: memory.at === 0 }),
        h('input', { class: 'grow', type: 'range', min: 0, max: last, value: String(memory.at), 'aria-label': t('replay.place'), 'aria-valuetext': t('replay.at', { n: memory.at + 1, of: last + 1 }), oninput: (event) => to(Number(event.target.value)) }),
        iconButton('forward', t('replay.forward'), () => to(memory.at + 1), { disabled: memory.at === last }),
        iconButton('last', t('replay.last'), () => to(last), { disabled: memory.at === last })),
      h('div', { class: 'chess-tools row' },
        iconButton('again', t('chess.flip'), () => { memory.flip = !memory.flip; refresh(); }),
        pgnButton(ctx)),
      gameList(view.game, memory.at, to)));
}
