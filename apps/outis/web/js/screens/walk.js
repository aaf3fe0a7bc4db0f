// Stepping through a finished game: step by step, by chapters, or automatically. One bar and one set of keys for every replay.

import { app, refresh } from '../app.js';
import { h } from '../dom.js';
import { iconButton } from '../parts.js';
import { t } from '../words.js';

/** How long a view stays during automatic play, in milliseconds. */
const STAY = 1200;

/** The replay on the screen, and the timer of automatic play. */
let live = null;
let running = null;

const stop = () => {
  clearTimeout(running?.timer);
  running = null;
};

function go(walk, place) {
  walk.memory.at = Math.min(Math.max(place, 0), walk.last);
  refresh();
}

/** Plays automatically until the end, until the person takes over, or until another screen opens. */
function run(walk) {
  if (walk.memory.at >= walk.last) walk.memory.at = 0;
  const { memory } = walk;
  const next = () => {
    if (!document.querySelector('.replay-bar') || live?.memory !== memory) return stop();
    if (memory.at + 1 >= live.last) stop();
    else running.timer = setTimeout(next, STAY);
    return go(live, memory.at + 1);
  };
  stop();
  running = { memory, timer: setTimeout(next, STAY) };
  refresh();
}

const isRunning = (walk) => running?.memory === walk.memory;
const toggle = (walk) => {
  if (!isRunning(walk)) return run(walk);
  stop();
  return refresh();
};

/** The chapter of a position: the last one that begins there or before. */
const chapterAt = (walk, place) => walk.chapters.findLast((one) => one.at <= place);

const STEPS = {
  ArrowLeft: ({ memory }) => memory.at - 1,
  ArrowRight: ({ memory }) => memory.at + 1,
  Home: () => 0,
  End: ({ last }) => last,
  PageUp: (walk) => chapterAt(walk, walk.memory.at - 1)?.at ?? 0,
  PageDown: ({ memory, last, chapters }) => chapters.find((one) => one.at > memory.at)?.at ?? last,
};

addEventListener('keydown', (event) => {
  if (!live || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !document.querySelector('.replay-bar')) return;
  if (/^(TEXTAREA|SELECT|INPUT)$/.test(event.target.tagName)) return;
  // At a table the keys belong to the table, unless the focus is in the replay.
  const within = event.target.closest?.('.walks');
  if (app.route.name === 'table' && !within) return;
  if (event.key === ' ' && !/^(BUTTON|A|SUMMARY)$/.test(event.target.tagName)) toggle(live);
  else if (Object.hasOwn(STEPS, event.key)) {
    stop();
    go(live, STEPS[event.key](live));
  } else return;
  event.preventDefault();
}, true);

function jump(walk) {
  if (walk.chapters.length < 2) return null;
  const option = (one) => h('option', { key: one.at, value: String(one.at) }, one.part ?? one.whole);
  const wholes = [...new Set(walk.chapters.map((one) => one.whole))];
  const within = (whole) => walk.chapters.filter((one) => one.whole === whole);
  return h('select', { class: 'replay-jump', key: 'jump', 'aria-label': t('replay.jump'), value: String(chapterAt(walk, walk.memory.at)?.at ?? 0), onchange: (event) => { stop(); go(walk, Number(event.target.value)); } },
    wholes.map((whole) => (whole === null ? within(whole).map(option) : h('optgroup', { key: whole, label: whole }, within(whole).map(option)))));
}

/** The bar; `memory.at` is the position, `chapters` are `{at, whole, part}` in order. The surrounding element has the class `walks`. */
export function walkBar(walk) {
  const { memory, last } = walk;
  live = walk;
  if (running && !isRunning(walk)) stop();
  const { at } = memory;
  const by = (place) => () => {
    stop();
    go(walk, place);
  };
  const on = isRunning(walk);
  return h('div', { class: 'row replay-bar', role: 'group', 'aria-label': t('replay.title') },
    iconButton('first', t('replay.first'), by(0), { disabled: at === 0, key: 'first' }),
    iconButton('back', t('replay.back'), by(at - 1), { disabled: at === 0, key: 'back' }),
    iconButton(on ? 'pause' : 'play', t(on ? 'replay.stop' : 'replay.run'), () => toggle(walk), { disabled: last === 0, key: 'run' }),
    iconButton('forward', t('replay.forward'), by(at + 1), { disabled: at === last, key: 'forward' }),
    iconButton('last', t('replay.last'), by(last), { disabled: at === last, key: 'last' }),
    h('input', { class: 'grow', type: 'range', key: 'place', min: 0, max: last, value: String(at), 'aria-label': t('replay.place'), 'aria-valuetext': t('replay.at', { n: at + 1, of: last + 1 }), oninput: (event) => by(Number(event.target.value))() }),
    jump(walk),
    h('span', { class: 'number muted', key: 'at' }, t('replay.at', { n: at + 1, of: last + 1 })));
}
