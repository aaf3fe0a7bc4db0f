// The page's state, and the only place where it changes. Screens read `app` and call the functions here.

import { Link } from './link.js';
import { currentLanguage, learn, tame, tell } from './words.js';
import { play, setSound } from './sound.js';

export const app = {
  state: 'connecting',
  hello: null,
  profile: null,
  games: [],
  tables: [],
  past: [],
  network: null,
  /** Bridge sessions, and what is being computed for them. */
  bridge: null,
  /** The lobby: its open tables, this player's listings and seat requests. */
  open: null,
  /** Tables that are or were watched: the node's message with `steps`, `chat` and `news` beside it. */
  at: new Map(),
  toasts: [],
  route: { name: 'home', arg: null },
  /** What a screen stores for itself while it is open; cleared when the route changes. */
  local: {},
  prefs: { sound: true, four: false, motion: 'auto', sort: 'left', panel: false },
};

let drawn = () => {};
let queued = false;

/** Sets the function that draws everything. */
export function onDraw(draw) {
  drawn = draw;
}

const afterwards = [];

/** Requests a redraw with the next frame, however many messages arrive until then; `then` runs after it. */
export function refresh(then) {
  if (then) afterwards.push(then);
  if (queued) return;
  queued = true;
  const draw = () => {
    if (!queued) return;
    queued = false;
    drawn();
    for (const done of afterwards.splice(0)) done();
  };
  // A hidden page gets no frames.
  if (document.hidden) setTimeout(draw, 200);
  else requestAnimationFrame(draw);
  setTimeout(draw, 400);
}

// --- words ---------------------------------------------------------------------------------------------------------

const LANGUAGES = ['en', 'hu'];

function wantedLanguage() {
  const chosen = app.profile?.language ?? localStorage.getItem('outis.language');
  if (LANGUAGES.includes(chosen)) return chosen;
  return navigator.languages?.some((code) => code.toLowerCase().startsWith('hu')) ? 'hu' : 'en';
}

const fetched = new Map();

/** Loads the texts of the chosen language and uses them. */
export async function loadWords() {
  const code = wantedLanguage();
  if (!fetched.has(code)) {
    const answer = await fetch(`/words/${code}.json`);
    fetched.set(code, await answer.json());
  }
  learn(code, fetched.get(code));
  document.documentElement.lang = code;
  refresh();
}

// --- appearance ----------------------------------------------------------------------------------------------------

const dark = globalThis.matchMedia('(prefers-color-scheme: light)');

/** Applies theme, motion and sound. */
export function applyLook() {
  const wanted = app.profile?.theme ?? localStorage.getItem('outis.theme') ?? 'auto';
  const theme = wanted === 'auto' ? (dark.matches ? 'light' : 'dark') : wanted;
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.motion = app.prefs.motion;
  setSound(app.prefs.sound);
}
dark.addEventListener('change', () => applyLook());

/** Whether nothing should be animated. */
export const still = () => app.prefs.motion === 'none' || globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;

// --- the node ------------------------------------------------------------------------------------------------------

let link = null;

export function connect() {
  link = new Link(told, (state) => {
    app.state = state;
    refresh();
  });
}

/** Sends a request to the node. If it fails, shows why and returns null. */
export async function ask(name, fields) {
  try {
    return await link.ask(name, fields);
  } catch (error) {
    toast('bad', error);
    return null;
  }
}

/** Changes the profile in memory and on disk. */
export function setProfile(changes) {
  app.profile = { ...(app.profile || {}), ...changes };
  if ('language' in changes) localStorage.setItem('outis.language', changes.language);
  if ('theme' in changes) localStorage.setItem('outis.theme', changes.theme);
  applyLook();
  refresh();
  if ('language' in changes) loadWords();
  return ask('profile', changes);
}

export function setPref(name, value) {
  app.prefs = { ...app.prefs, [name]: value };
  applyLook();
  refresh();
  return ask('profile', { prefs: app.prefs });
}

/** What is known about a table; empty if the node has sent nothing about it. */
export function table(id) {
  if (!app.at.has(id)) app.at.set(id, { id, now: null, steps: [], chat: [], news: [], unread: 0, told: 0 });
  return app.at.get(id);
}

/** The names of the players by seat, cleaned for display. */
export function namesOf(now) {
  return (now?.seats || []).map((seat) => nameOf(seat));
}

export function nameOf(seat) {
  const name = tame(seat?.name, 40) || (seat?.kind === 'you' ? tame(app.profile?.name, 40) : '');
  return name || tell({ id: 'page.seat.unnamed', args: { n: (seat?.seat ?? 0) + 1 } });
}

function told(message) {
  const handler = HANDLERS[message.tell];
  if (handler) {
    handler(message);
    refresh();
  }
}

const HANDLERS = {
  hello(message) {
    Object.assign(app, { hello: message, profile: message.profile, games: message.games, tables: message.tables, past: message.past, network: message.network, bridge: message.bridge, open: message.open ?? null });
    app.prefs = { ...app.prefs, ...(message.profile?.prefs || {}) };
    applyLook();
    if (currentLanguage() !== wantedLanguage()) loadWords();
  },
  tables(message) { app.tables = message.tables; },
  past(message) { app.past = message.past; },
  profile(message) {
    app.profile = message.profile;
    app.prefs = { ...app.prefs, ...(message.profile?.prefs || {}) };
    applyLook();
    if (currentLanguage() !== wantedLanguage()) loadWords();
  },
  network(message) { app.network = message.network; },
  bridge(message) { app.bridge = message.bridge; },
  open(message) { app.open = message.open; },
  gone(message) { table(message.table).missing = true; },
  table(message) {
    const known = table(message.table);
    known.missing = false;
    // Another person has the device, or nobody has: what the previous one saw is removed.
    if (message.hand && known.now && known.now.hand?.holder !== message.hand.holder) forgetSide(known);
    const before = known.now;
    known.before = before;
    known.now = message;
    known.told = performance.now();
    const isTurn = (state) => state?.expects?.yours && state.expects.by_hand && !state.decided;
    const turn = isTurn(message);
    const was = isTurn(before);
    if (turn && !was) {
      play('turn');
      announce(tell({ id: 'page.turn.yours' }));
      flagTitle(true);
    }
    if (!turn) flagTitle(false);
    if (message.phase === 'over' && before && before.phase !== 'over') {
      const bad = message.report && message.report.end !== 'finished';
      const best = message.scores && message.me !== null && message.scores[message.me] === Math.max(...message.scores);
      play(bad ? 'warning' : best ? 'win' : 'end');
      if (bad) {
        for (const line of message.report.story || []) announce(tell(line, namesOf(message)));
        app.prefs.panel = true;
        known.memory = { ...known.memory, tab: 'fairness' };
      }
    }
    for (const watcher of watchers) watcher(message, before);
  },
  step(message) {
    const known = table(message.table);
    for (const step of message.steps) known.steps[step.n] = step;
    known.steps = known.steps.filter(Boolean);
  },
  news(message) {
    const known = table(message.table);
    const names = namesOf(known.now);
    for (const line of message.lines) announce(tell(line, names));
    known.news = [...known.news, ...message.lines].slice(-400);
  },
  chat(message) {
    const known = table(message.table);
    const fresh = message.lines.filter((line) => !known.chat.some((old) => old.at === line.at && old.seat === line.seat && old.text === line.text));
    known.chat = [...known.chat, ...fresh].slice(-500);
    const others = fresh.filter((line) => line.seat !== known.now?.me);
    known.unread += others.length;
    const names = namesOf(known.now);
    if (others.length > 0) play('chat');
    for (const line of others.slice(-3)) announce(`${names[line.seat] ?? ''}: ${tame(line.text, 500)}`);
  },
  notice(message) {
    // A player joined a table or left it: a sound should say so too.
    if (!['bad', 'quiet'].includes(message.level) && message.table) play('turn');
    toast(message.level === 'quiet' ? 'info' : message.level, message.text, message.table);
  },
};

/** Removes everything that only one of the people at this device may know. */
function forgetSide(known) {
  Object.assign(known, { now: null, before: null, news: [], memory: { tab: known.memory?.tab } });
  app.toasts = [];
  unsaid.length = 0;
  document.getElementById('live')?.replaceChildren();
}

const watchers = new Set();
/** Calls `watcher(now, before)` for every state of a table; returns a function that stops it. */
export function onTable(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const watch = (id) => link.watch(id).catch((error) => {
  toast('bad', error);
  table(id).missing = true;
  refresh();
});
export const unwatch = (id) => link.unwatch(id);

// --- what is said --------------------------------------------------------------------------------------------------

/** Shows a message for a while. */
export function toast(level, text, about) {
  const names = about ? namesOf(app.at.get(about)?.now) : [];
  const item = { level, text: tell(text?.id ? text : { id: 'page.error.unknown' }, names), key: Math.random() };
  app.toasts = [...app.toasts.slice(-3), item];
  announce(item.text);
  if (level === 'bad') play('warning');
  setTimeout(() => dropToast(item), 9000);
  refresh();
}

export function dropToast(item) {
  app.toasts = app.toasts.filter((other) => other !== item);
  refresh();
}

const unsaid = [];

/** Reads a sentence out to screen reader users. Events of the same moment are joined. */
export function announce(sentence) {
  if (!sentence) return;
  unsaid.push(/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);
  if (unsaid.length === 1) setTimeout(speak, 60);
}

function speak() {
  const region = document.getElementById('live');
  // Nothing is drawn yet, but what happened in the meantime must not be lost.
  if (!region) return void setTimeout(speak, 60);
  const line = document.createElement('p');
  line.textContent = [...new Set(unsaid.splice(0))].join(' ');
  region.append(line);
  while (region.childNodes.length > 12) region.firstChild.remove();
}

function flagTitle(on) {
  const name = 'Outis';
  document.title = on && document.hidden ? `● ${tell({ id: 'page.turn.yours' })} · ${name}` : name;
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) document.title = 'Outis'; });

// --- where we are --------------------------------------------------------------------------------------------------

export function readRoute() {
  const [, name, ...rest] = decodeURIComponent(location.hash.slice(1)).split('/');
  const next = { name: name || 'home', arg: rest.join('/') || null };
  if (next.name !== app.route.name || next.arg !== app.route.arg) {
    app.local = {};
    // A message belongs to the screen that it appeared on.
    app.toasts = [];
    globalThis.scrollTo(0, 0);
    const moved = app.route.drawn;
    app.route = next;
    if (moved) refresh(() => document.querySelector('main h1')?.focus());
  }
  refresh();
}

export const go = (path) => { location.hash = `#/${path}`; };
