// The first screen: play now, or invite a friend.

import { app, ask, go } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, cardImage, gameName, title } from '../parts.js';
import { playNow } from './begin.js';
import { chessPicture } from '../games/dark-chess/picture.js';
import { has, moment, points, say, t, tame } from '../words.js';

const FANS = {
  tarokk: [['XXI', false], ['skiz', false], ['pagat', false]],
  'high-card': [['H:A', true], ['S:K', true], ['D:Q', true]],
  poker: [['S:A', true], ['S:K', true], ['S:10', true]],
};
const CROWN = 'M-16 13V-7L-7.500 1.500 0 -14 7.500 1.500 16 -7V13Z';
/** Two kings, and fog between them. */
const kings = () => h('div', { class: 'fan coins', 'aria-hidden': 'true' }, h('svg:svg', { class: 'kings', viewBox: '0 0 210 96' },
  h('svg:g', { class: 'kings-grid' }, [0, 1, 2, 3, 4, 5, 6, 7].map((n) => h('svg:line', { x1: n * 30, x2: n * 30, y1: 3, y2: 93 })), [0, 1, 2, 3].map((n) => h('svg:line', { y1: 3 + n * 30, y2: 3 + n * 30, x1: 0, x2: 210 }))),
  h('svg:g', { class: 'kings-other', transform: 'translate(165 33) scale(.8)' }, h('svg:circle', { r: 20 }), h('svg:path', { d: CROWN, transform: 'scale(.75)' })),
  h('svg:g', { class: 'kings-fog' }, [[120, 30, 38], [152, 62, 34], [186, 28, 32], [100, 70, 26], [190, 74, 30]].map(([x, y, r]) => h('svg:circle', { cx: x, cy: y, r }))),
  h('svg:g', { class: 'kings-own', transform: 'translate(45 63)' }, h('svg:circle', { r: 20 }), h('svg:path', { d: CROWN, transform: 'scale(.75)' }))));
export const ORDER = ['tarokk', 'poker', 'dark-chess', 'zherotag', 'high-card', 'matching-pennies'];

const fan = (cards) => h('div', { class: 'fan', 'aria-hidden': 'true' }, cards.map(([name, french]) => cardImage(name, { french })));

const coin = (d, x) => h('svg:svg', { class: 'coin', viewBox: '0 0 60 60' },
  h('svg:circle', { cx: 30, cy: 30, r: 27, fill: x ? '#d8a13f' : '#c7ccd2', stroke: '#1f2a40', 'stroke-width': 2 }),
  h('svg:circle', { cx: 30, cy: 30, r: 22.5, fill: 'none', stroke: '#1f2a40', 'stroke-width': 1, 'stroke-dasharray': '1 2.4' }),
  h('svg:path', { d, fill: 'none', stroke: '#1f2a40', 'stroke-width': 2.4, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));
const EYE = 'M14 27C21 37 39 37 46 27M18 31.5l-3.4 4.4M25 34.5l-1.7 5.3M35 34.5l1.7 5.3M42 31.5l3.4 4.4';
const OWL = 'M18 22q-1-6 1-9 4 4 11 4t11-4q2 3 1 9 3 12-2 19-4 5-10 5t-10-5q-5-7-2-19zM24.5 22a4.5 4.5 0 1 0 .1 0M35.5 22a4.5 4.5 0 1 0 .1 0M28.5 29.5l1.5 3 1.5-3M25 37q5 3 10 0M27 41.5q3 1.5 6 0';
const coins = () => h('div', { class: 'fan coins', 'aria-hidden': 'true' }, coin(OWL, true), coin(EYE, false));

export function picture(game) {
  if (game === 'dark-chess') return chessPicture();
  if (game === 'matching-pennies') return coins();
  if (game === 'zherotag') return kings();
  return fan(FANS[game] || [['back', true]]);
}

function tile(known) {
  const { game } = known;
  return h('li', { class: 'tile', key: game },
    picture(game),
    h('div', { class: 'tile-text' },
      h('h3', {}, gameName(game)),
      h('p', { class: 'muted' }, say(`${game}.summary`))),
    h('div', { class: 'tile-buttons' },
      h('div', { class: 'tile-play' },
        button(t('home.play'), () => playNow(game), { kind: 'primary', 'aria-label': t('home.play.game', { game: gameName(game) }) }),
        h('a', { class: 'button icon', href: `#/new/${game}/bots`, title: t('home.setup'), 'aria-label': t('home.setup.game', { game: gameName(game) }) }, icon('settings'))),
      h('a', { class: 'button', href: `#/new/${game}/far`, 'aria-label': t('home.invite.game', { game: gameName(game) }) }, t('home.invite')),
      h('a', { class: 'button quiet', href: `#/rules/${game}`, 'aria-label': t('home.rules.game', { game: gameName(game) }) }, t('home.rules'))));
}

/** The tables: games in progress before those that are over, first of all those where it is the player's turn. */
export function live() {
  const items = [...app.tables].sort((a, b) => Number(a.phase === 'over') - Number(b.phase === 'over') || Number(b.turn) - Number(a.turn) || b.since - a.since);
  return h('ul', { class: 'list' }, items.map((item) => h('li', { key: item.table },
    h('span', {}, h('strong', {}, gameName(item.game)), item.names.some(Boolean) && ` · ${item.names.filter(Boolean).map((name) => tame(name, 40)).join(', ')}`),
    h('span', { class: 'row' },
      item.practice && h('span', { class: 'tag' }, t('practice.tag')),
      item.turn && h('span', { class: 'tag good' }, icon('wait'), t('turn.yours')),
      h('span', { class: 'tag' }, t(`phase.${item.phase}`)),
      h('a', { class: 'button small', href: `#/table/${item.table}` }, t('home.tables.go'))))));
}

/** A past game, with its result if that is known: one click to its replay, one to the check of its log. */
export function pastRow(item, result = null) {
  const names = { game: gameName(item.game), when: { plain: moment(item.ended) } };
  return h('li', { key: item.table },
    h('span', {}, h('strong', {}, gameName(item.game)), ' · ', item.names.map((name, seat) => tame(name, 40) + (item.scores ? ` ${points(item.scores[seat] ?? 0)}` : '')).join(', '), h('br'), h('time', { class: 'muted small' }, moment(item.ended))),
    h('span', { class: 'row' },
      item.practice && h('span', { class: 'tag' }, t('practice.tag')),
      item.end !== 'finished' && h('span', { class: 'tag bad' }, icon('bad'), t(`end.${item.end}`)),
      item.scores && item.me !== null && h('span', { class: `tag number ${result === 1 ? 'good' : ''}` }, result === 1 && icon('good'), t('home.past.score', { points: points(item.scores[item.me] ?? 0) })),
      h('a', { class: 'button small', href: `#/past/${item.table}`, 'aria-label': t('home.past.replay.of', names) }, t('over.replay')),
      h('a', { class: 'button small', href: `#/past/${item.table}/check`, 'aria-label': t('home.past.check.of', names) }, t('home.past.check'))));
}

function pastList(limit) {
  if (!app.past.length) return h('div', { class: 'empty' }, h('p', {}, t('home.past.none')));
  const items = [...app.past].sort((a, b) => b.ended - a.ended).slice(0, limit);
  return h('ul', { class: 'list' }, items.map((item) => pastRow(item)));
}

export function home() {
  const known = [...app.games].sort((a, b) => (ORDER.indexOf(a.game) + 99) % 99 - (ORDER.indexOf(b.game) + 99) % 99);
  return h('div', { class: 'page' },
    h('section', { class: 'hero' },
      h('div', { class: 'stack' },
        title(t('home.title')),
        h('p', { class: 'lead' }, t('home.lead')),
        app.profile?.fresh && h('p', { class: 'muted' }, t('home.fresh', { name: { plain: app.profile.name || app.profile.words.split('-')[0] } }), ' ', h('a', { class: 'together', href: '#/settings' }, t('home.fresh.change')))),
      h('div', { class: 'hero-fan', 'aria-hidden': 'true' }, ['XVIII', 'XXI', 'skiz', 'X', 'pagat'].map((name) => cardImage(name)))),
    app.tables.length > 0 && h('section', { class: 'stack', key: 'tables', 'aria-labelledby': 'tables' }, h('h2', { id: 'tables' }, t('home.tables')), live()),
    h('section', { class: 'stack', 'aria-labelledby': 'games' },
      h('h2', { id: 'games' }, t('home.games')),
      h('ul', { class: 'tiles' }, known.map(tile))),
    h('section', { class: 'panel', 'aria-labelledby': 'joining' }, h('h2', { id: 'joining' }, t('home.join')), joinForm()),
    app.open && h('section', { class: 'tools', 'aria-label': t('open.title') },
      h('a', { class: 'tool panel', href: '#/open' }, icon('people'), h('span', { class: 'stack' }, h('strong', {}, t('open.title')), h('span', { class: 'muted' }, t('open.short')))),
      app.open.phase !== 'off' && h('a', { class: 'tool panel', href: '#/shelf' }, icon('shelf'), h('span', { class: 'stack' }, h('strong', {}, t('shelf.title')), h('span', { class: 'muted' }, t('shelf.short'))))),
    h('section', { class: 'stack', 'aria-labelledby': 'past' }, h('h2', { id: 'past' }, t('home.past')), pastList(6),
      app.past.length > 0 && h('a', { class: 'together', href: '#/past' }, t('home.past.all'))),
    h('section', { class: 'tools', 'aria-label': t('home.tools') },
      h('a', { class: 'tool panel', href: '#/lab' }, icon('list'), h('span', { class: 'stack' }, h('strong', {}, t('lab.title')), h('span', { class: 'muted' }, t('lab.short')))),
      h('a', { class: 'tool panel', href: '#/practice' }, icon('eye'), h('span', { class: 'stack' }, h('strong', {}, t('practice.title')), h('span', { class: 'muted' }, t('practice.short')))),
      h('a', { class: 'tool panel', href: '#/check' }, icon('shield'), h('span', { class: 'stack' }, h('strong', {}, t('check.title')), h('span', { class: 'muted' }, t('check.short')))),
      h('a', { class: 'tool panel', href: '#/bridge' }, icon('file'), h('span', { class: 'stack' }, h('strong', {}, t('bridge.title')), h('span', { class: 'muted' }, t('bridge.short'))))));
}

/** The field for an invite; used here and on its own screen. */
export function joinForm() {
  const send = async (event) => {
    event.preventDefault();
    const text = (app.local.invite || '').trim();
    if (!text) return;
    const answer = await ask('join', { text });
    if (answer?.table) go(`table/${answer.table}`);
  };
  return h('form', { class: 'row join', onsubmit: send },
    h('label', { class: 'visually-hidden', for: 'invite' }, t('join.label')),
    h('input', { id: 'invite', type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: t('join.placeholder'), value: app.local.invite || '', oninput: (event) => { app.local.invite = event.target.value; } }),
    h('button', { type: 'submit', class: 'button' }, t('join.go')));
}
