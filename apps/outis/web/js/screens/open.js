// Open tables in a lobby: its list, the seats requested, and the lobby's address.

import { app, ask, go, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, choice, gameName, title } from '../parts.js';
import { shelfAsk } from '../link.js';
import { t, tame, tell } from '../words.js';
import { blockButton } from './blocks.js';

const STATE = { off: '', connecting: 'wait', here: 'good', away: 'bad' };

/** One line about the lobby: whether it answers, and how many players are there. */
export function placeNote() {
  const open = app.open;
  if (!open) return null;
  const kind = STATE[open.phase];
  return h('p', { class: 'row' },
    h('span', { class: `tag ${kind === 'wait' ? '' : kind}` }, kind && icon(kind), t(`open.phase.${open.phase}`)),
    open.phase === 'here' && h('span', {}, h('bdi', {}, tame(open.name, 80)), ' · ', t('open.people', { n: open.people })),
    open.why && h('span', {}, tell(open.why)));
}

function row(item) {
  const claim = app.open.claims.find((other) => other.notice === item.notice);
  return h('li', { key: item.notice },
    h('span', {}, h('strong', {}, gameName(item.game)), ' · ', h('bdi', {}, tame(item.who, 40)), ' ', h('span', { class: 'muted small code' }, item.words)),
    h('span', { class: 'row' },
      item.grade === 'classic' && h('span', { class: 'tag' }, t('open.classic')),
      item.private && h('span', { class: 'tag' }, t('open.private')),
      h('span', { class: 'tag' }, item.days ? t('open.days', { n: item.days }) : t('open.live')),
      h('span', { class: 'tag number' }, t('open.seats', { open: item.open, seats: item.seats })),
      item.own ? h('span', { class: 'tag good' }, t('open.own')) : [answer(item, claim), blockButton(item.key, item.who)]));
}

function answer(item, claim) {
  if (claim?.phase === 'in') return h('a', { class: 'button small primary', href: `#/table/${claim.table}` }, t('open.go'));
  if (claim?.phase === 'waiting') return h('span', { class: 'tag', role: 'status' }, icon('wait'), t('open.asked'));
  const sit = async () => {
    app.local.came = item.notice;
    await ask('claim', { notice: item.notice });
  };
  return button(t('open.sit'), sit, { kind: 'small primary', 'aria-label': t('open.sit.at', { game: gameName(item.game), who: { plain: tame(item.who, 40) } }) });
}

function codeForm() {
  const find = async (event) => {
    event.preventDefault();
    const code = (app.local.code || '').trim();
    if (code) await ask('find', { code });
  };
  return h('form', { class: 'row join', onsubmit: find },
    h('div', { class: 'field grow' }, h('label', { for: 'code' }, t('open.code')), h('input', { id: 'code', type: 'text', autocomplete: 'off', maxlength: 60, value: app.local.code || '', oninput: (event) => { app.local.code = event.target.value; } })),
    h('button', { type: 'submit', class: 'button' }, t('open.find')));
}

/** What the typed code found. */
function found() {
  const { code, tables } = app.open;
  if (!code) return null;
  const items = tables.filter((item) => item.private);
  const words = code.answered ? t(items.length ? 'open.found' : 'open.found.none', { n: items.length }) : t('open.finding');
  return h('div', { class: 'stack', id: 'found' },
    h('p', { role: 'status' }, h('bdi', { class: 'code' }, tame(code.text, 60)), ' · ', words),
    items.length > 0 && h('ul', { class: 'list', id: 'found-tables' }, items.map(row)));
}

function quickForm() {
  const local = app.local;
  local.game ??= app.games[0]?.game;
  const start = async () => {
    const done = await ask('quick', { game: local.game });
    if (done?.table) go(`table/${done.table}`);
  };
  return h('div', { class: 'row' },
    h('div', { class: 'field grow' }, h('label', { for: 'quick' }, t('open.quick.game')),
      h('select', { id: 'quick', onchange: (event) => { local.game = event.target.value; } }, app.games.map(({ game }) => h('option', { key: game, value: game, selected: game === local.game }, gameName(game))))),
    button(t('open.quick'), start, { kind: 'primary' }));
}

/** The lobby's address; also part of the settings. */
export function placeForm() {
  const open = app.open || { settings: {} };
  const local = app.local;
  // The current value of the field: Enter may come before the page is redrawn.
  const text = () => local.lobby ?? open.settings.lobby ?? '';
  const save = async (event) => {
    event.preventDefault();
    if (await ask('lobby', { text: text().trim() || null })) toast('good', { id: 'page.settings.saved' });
  };
  return h('div', { class: 'stack' },
    h('form', { class: 'row join', onsubmit: save },
      h('div', { class: 'field grow' }, h('label', { for: 'lobby' }, t('open.address')), h('input', { id: 'lobby', type: 'text', spellcheck: 'false', autocomplete: 'off', value: text(), oninput: (event) => { local.lobby = event.target.value; refresh(); } })),
      h('button', { type: 'submit', class: 'button' }, t('settings.save'))),
    placeNote(),
    h('p', { class: 'muted small' }, t('open.sees')),
    choice(t('open.shelve'), [[true, t('settings.on')], [false, t('settings.off')]], Boolean(open.settings.shelve), (shelve) => ask('lobby', { shelve })),
    h('p', { class: 'muted small' }, t('open.shelve.what')));
}

async function loadPeople() {
  const { local } = app;
  try {
    local.people = (await (await shelfAsk('people', {})).json()).people;
  } catch (error) {
    local.people = null;
    toast('bad', error);
  }
  refresh();
}

/** The players in the lobby, on request. */
function whoIsHere() {
  const { local } = app;
  const others = local.people?.filter((one) => !one.you);
  return h('details', { class: 'panel', id: 'who', ontoggle: (event) => { if (event.target.open) loadPeople(); } },
    h('summary', {}, h('strong', {}, t('open.who'))),
    others && (others.length
      ? h('ul', { class: 'list' }, others.map((one) => h('li', { key: one.key }, h('span', {}, h('bdi', {}, tame(one.name, 40) || one.words), ' ', h('span', { class: 'muted small code' }, one.words)), blockButton(one.key, one.name))))
      : h('p', { class: 'muted' }, t('open.who.none'))),
    h('p', { class: 'muted small' }, t('open.who.what')));
}

let looking = null;

/** While the screen is open, the list is kept up to date. */
function keepLooking() {
  if (looking) return;
  const look = () => {
    if (app.route.name !== 'open') {
      clearInterval(looking);
      looking = null;
    } else if (app.state === 'open') ask('open', {});
  };
  looking = setInterval(look, 5000);
  look();
}

/** Without a lobby: how to get one, and how to do without. */
const WAYS = [['play', 'people', '#/'], ['join', 'forward', null], ['run', 'shelf', null]];
const withoutLobby = () => h('section', { class: 'tools', 'aria-label': t('open.start') }, WAYS.map(([way, picture, href]) => h(href ? 'a' : 'div', { class: 'tool panel', key: way, ...(href ? { href } : {}) },
  icon(picture), h('span', { class: 'stack' }, h('strong', {}, t(`open.start.${way}`)), h('span', { class: 'muted' }, t(`open.start.${way}.what`))))));

export function openTables() {
  const open = app.open || { phase: 'off', tables: [], claims: [], settings: {} };
  keepLooking();
  // A player who requested a seat here and got it is taken to the table.
  const came = open.claims.find((claim) => claim.notice === app.local.came && claim.phase === 'in');
  if (came) {
    app.local.came = null;
    queueMicrotask(() => go(`table/${came.table}`));
  }
  const set = open.phase !== 'off';
  const board = open.tables.filter((item) => !item.private);
  return h('div', { class: 'page' },
    h('div', { class: 'stack' }, title(t('open.title')), h('p', { class: 'muted' }, t('open.lead')), set && placeNote()),
    !set && withoutLobby(),
    set && h('section', { class: 'panel', 'aria-labelledby': 'quickly' }, h('h2', { id: 'quickly' }, t('open.quick.title')), quickForm()),
    set && h('section', { class: 'stack', 'aria-labelledby': 'board' }, h('h2', { id: 'board' }, t('open.board')),
      board.length ? h('ul', { class: 'list', id: 'open-tables' }, board.map(row)) : h('div', { class: 'empty' }, h('p', {}, t('open.none')))),
    set && whoIsHere(),
    set && h('section', { class: 'tools', 'aria-label': t('shelf.title') },
      h('a', { class: 'tool panel', href: '#/shelf' }, icon('shelf'), h('span', { class: 'stack' }, h('strong', {}, t('shelf.title')), h('span', { class: 'muted' }, t('shelf.short')))),
      h('a', { class: 'tool panel', href: '#/ratings' }, icon('list'), h('span', { class: 'stack' }, h('strong', {}, t('ratings.title')), h('span', { class: 'muted' }, t('ratings.short'))))),
    set && h('section', { class: 'panel', 'aria-labelledby': 'codes' }, h('h2', { id: 'codes' }, t('open.codes')), codeForm(), found()),
    h('section', { class: 'panel', 'aria-labelledby': 'place' }, h('h2', { id: 'place' }, t('open.place')), placeForm()));
}

/** At the player's own gathering table: lists it in the lobby. */
export function hangUp(ctx) {
  const open = app.open;
  if (!open || open.phase === 'off' || !ctx.now.host) return null;
  const posted = open.posted.find((item) => item.table === ctx.id);
  const { memory } = ctx;
  memory.days ??= 0;
  // No more players are needed.
  if (ctx.now.ready) return posted ? h('section', { class: 'panel' }, h('h2', {}, t('open.hang.title')), h('p', { role: 'status' }, h('span', { class: 'tag good' }, icon('good'), t('open.full')))) : null;
  const hang = () => ask('publish', { table: ctx.id, days: memory.days || null, code: memory.code || null });
  return h('section', { class: 'panel' }, h('h2', {}, t('open.hang.title')),
    posted
      ? [h('p', { class: 'row', role: 'status' }, h('span', { class: `tag ${posted.hangs ? 'good' : ''}` }, icon(posted.hangs ? 'good' : 'wait'), t(posted.hangs ? 'open.hangs' : 'open.hanging')), posted.code && h('span', { class: 'code' }, posted.code), posted.days && h('span', { class: 'tag' }, t('open.days', { n: posted.days }))),
        h('div', { class: 'row' }, button(t('open.down'), () => ask('unpublish', { table: ctx.id }), { kind: 'quiet' }))]
      : [choice(t('open.pace'), [[0, t('open.live')], [1, t('open.days', { n: 1 })], [3, t('open.days', { n: 3 })], [7, t('open.days', { n: 7 })]], memory.days, (days) => { memory.days = days; refresh(); }),
        h('div', { class: 'field' }, h('label', { for: 'own-code' }, t('open.hang.code')), h('input', { id: 'own-code', type: 'text', maxlength: 60, autocomplete: 'off', value: memory.code || '', oninput: (event) => { memory.code = event.target.value; } })),
        h('div', { class: 'row' }, button(t('open.hang'), hang, { kind: 'primary' }))],
    h('p', { class: 'muted small' }, memory.days ? t('open.letters.note') : t('open.hang.note')));
}
