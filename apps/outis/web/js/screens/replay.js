// Stepping through the views of a game.

import { app } from '../app.js';
import { h } from '../dom.js';
import { spoken, t, tell } from '../words.js';
import { chapters } from '../games/chapters.js';
import { screenOf } from '../games/index.js';
import { walkBar } from './walk.js';

/** The viewer: one view, and the controls for the others. */
export function replay({ game, pictures, me, names, id }) {
  const memory = app.local;
  const last = pictures.length - 1;
  memory.at = Math.min(Math.max(memory.at ?? 0, 0), last);
  const picture = pictures[memory.at];
  const screen = screenOf(game);
  return h('div', { class: 'replay walks stack' },
    walkBar({ memory, last, chapters: chapters(game, pictures) }),
    h('p', { class: 'replay-keys small muted' }, t('replay.keys')),
    picture?.view && screen && h('div', { class: 'board-box' }, screen({ id, view: picture.view, pictures, lines: picture.lines, names, me, seats: names.map((name, seat) => ({ seat, name, kind: seat === me ? 'you' : 'peer', link: 'here' })), actions: [], expects: null, readonly: true, key: 'replay' })),
    h('ul', { class: 'lines', 'aria-live': 'polite' }, spoken(picture?.lines).map((line) => h('li', {}, tell(line, names)))));
}
