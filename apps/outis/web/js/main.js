// The page: connects, reads the address, draws.

import { app, applyLook, connect, dropToast, loadWords, onDraw, readRoute, refresh, setPref, setProfile } from './app.js';
import { h, patch } from './dom.js';
import { mark } from './icons.js';
import { move, places } from './motion.js';
import { iconButton, limits, title } from './parts.js';
import { currentLanguage, t } from './words.js';
import { home } from './screens/home.js';
import { setUp } from './screens/new.js';
import { join } from './screens/join.js';
import { settings } from './screens/settings.js';
import { check } from './screens/check.js';
import { rules } from './screens/rules.js';
import { practice } from './screens/practice.js';
import { openTables } from './screens/open.js';
import { keepFocus } from './table/focus.js';
import { tableScreen } from './table/shell.js';

/** A screen that few people open: its files are loaded when somebody does. */
function later(load) {
  let screen = null;
  return (arg) => {
    if (screen) return screen(arg);
    // If the program has gone, the line above the screen says so; the next drawing tries again.
    load().then((loaded) => {
      screen = loaded;
      refresh();
    }, () => {});
    return h('div', { class: 'page' });
  };
}

const bridge = later(() => import('./screens/bridge.js').then((file) => file.bridge));
const shelf = later(() => import('./screens/shelf.js').then((file) => file.shelf));
const ratings = later(() => import('./screens/ratings.js').then((file) => file.ratings));
const hand = later(() => import('./screens/hand.js').then((file) => file.hand));
const pastGame = later(() => import('./screens/past.js').then((file) => file.pastGame));
const mine = later(() => import('./screens/mine.js').then((file) => file.mine));
const lab = later(() => import('./screens/lab.js').then((file) => file.lab));

const SCREENS = { home, new: setUp, join, settings, check, past: (path) => (path ? pastGame(path) : mine()), rules, bridge, open: openTables, practice, lab, hand, shelf, ratings, table: tableScreen };

function header() {
  const light = document.documentElement.dataset.theme === 'light';
  const hungarian = currentLanguage() === 'hu';
  return h('header', { class: 'top' },
    h('a', { class: 'brand', href: '#/', title: t('nav.home') }, mark(), h('span', {}, 'Outis')),
    h('span', { class: 'space' }),
    h('button', { type: 'button', class: 'button quiet', lang: hungarian ? 'en' : 'hu', onclick: () => setProfile({ language: hungarian ? 'en' : 'hu' }) }, hungarian ? 'English' : 'Magyar'),
    iconButton(light ? 'moon' : 'sun', t(light ? 'nav.dark' : 'nav.light'), () => setProfile({ theme: light ? 'dark' : 'light' })),
    iconButton(app.prefs.sound ? 'sound' : 'silent', t(app.prefs.sound ? 'nav.mute' : 'nav.unmute'), () => setPref('sound', !app.prefs.sound)),
    h('a', { class: 'button quiet icon', href: '#/settings', title: t('nav.settings'), 'aria-label': t('nav.settings') }, iconButton('settings', '', null).children[0]));
}

function footer() {
  return h('footer', { class: 'foot' }, h('div', {},
    h('p', {}, t('foot.promise')),
    h('details', {}, h('summary', {}, t('foot.limits')), limits())));
}

const WAITING = {
  connecting: () => h('div', { class: 'page narrow' }, title(t('wait.connecting.title')), h('p', {}, t('wait.connecting'))),
  lost: () => h('div', { class: 'page narrow' }, title(t('wait.lost.title')), h('p', {}, t('wait.lost'))),
  denied: () => h('div', { class: 'page narrow' }, title(t('wait.denied.title')), h('p', {}, t('wait.denied')), h('p', { class: 'muted' }, t('wait.denied.how'))),
};

function draw() {
  const ready = app.hello !== null && app.state !== 'denied';
  const screen = ready ? (SCREENS[app.route.name] || home) : WAITING[app.state] || WAITING.connecting;
  const atTable = ready && app.route.name === 'table';
  document.body.classList.toggle('at-table', atTable);
  const before = atTable ? places() : null;
  patch(document.body, [
    h('a', { key: 'skip', class: 'skip', href: '#main', onclick: (event) => { event.preventDefault(); document.getElementById('main')?.focus(); } }, t('nav.skip')),
    h('div', { key: 'header', class: 'frame' }, header()),
    ready && app.state !== 'open' && h('div', { key: 'offline', class: 'offline', role: 'status' }, t('wait.again')),
    h('div', { key: 'toasts', class: 'toasts' }, app.toasts.map((item) => h('div', { key: item.key, class: `toast ${item.level}` }, h('span', {}, item.text), iconButton('close', t('toast.close'), () => dropToast(item))))),
    h('main', { key: 'main', id: 'main', tabindex: '-1' }, h('div', { key: `${app.route.name}/${app.route.arg}`, class: 'screen' }, screen(app.route.arg))),
    !atTable && h('div', { key: 'footer' }, footer()),
    h('div', { key: 'live', id: 'live', class: 'visually-hidden', role: 'log', 'aria-live': 'polite', 'aria-label': t('live.label'), opaque: true }),
  ]);
  app.route.drawn = true;
  if (atTable) {
    keepFocus();
    move(before);
  }
}

onDraw(draw);
addEventListener('hashchange', readRoute);
applyLook();
await loadWords();
readRoute();
connect();
