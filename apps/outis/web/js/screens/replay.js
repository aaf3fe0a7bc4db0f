// Walking through the pictures of a game.

import { app, refresh } from '../app.js';
import { h } from '../dom.js';
import { iconButton } from '../parts.js';
import { spoken, t, tell } from '../words.js';
import { screenOf } from '../games/index.js';

/** The viewer: one picture, and the way to the others. */
export function replay({ game, pictures, me, names }) {
  const last = pictures.length - 1;
  const at = Math.min(Math.max(app.local.at ?? 0, 0), last);
  const to = (place) => {
    app.local.at = Math.min(Math.max(place, 0), last);
    refresh();
  };
  const keys = (event) => {
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (step === undefined || event.target.tagName === 'INPUT') return;
    event.preventDefault();
    to(step);
  };
  const picture = pictures[at];
  const screen = screenOf(game);
  return h('div', { class: 'replay stack', onkeydown: keys },
    h('div', { class: 'row replay-bar', role: 'group', 'aria-label': t('replay.title') },
      iconButton('first', t('replay.first'), () => to(0), { disabled: at === 0 }),
      iconButton('back', t('replay.back'), () => to(at - 1), { disabled: at === 0 }),
      h('input', { class: 'grow', type: 'range', min: 0, max: last, value: String(at), 'aria-label': t('replay.place'), 'aria-valuetext': t('replay.at', { n: at + 1, of: last + 1 }), oninput: (event) => to(Number(event.target.value)) }),
      iconButton('forward', t('replay.forward'), () => to(at + 1), { disabled: at === last }),
      iconButton('last', t('replay.last'), () => to(last), { disabled: at === last }),
      h('span', { class: 'number muted' }, t('replay.at', { n: at + 1, of: last + 1 }))),
    picture?.view && screen && h('div', { class: 'board-box' }, screen({ view: picture.view, pictures, lines: picture.lines, names, me, seats: names.map((name, seat) => ({ seat, name, kind: seat === me ? 'you' : 'peer', link: 'here' })), actions: [], expects: null, readonly: true, key: 'replay' })),
    h('ul', { class: 'lines', 'aria-live': 'polite' }, spoken(picture?.lines).map((line) => h('li', {}, tell(line, names)))));
}
