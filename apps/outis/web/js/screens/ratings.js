// Ratings, computed on this machine from the results that verifiers signed.

import { app, go, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { gameName, title } from '../parts.js';
import { number, t, tame } from '../words.js';
import { shelfAsk } from '../link.js';
import { placeNote } from './open.js';
import { noPlace, signer } from './shelf.js';

/** Requests the table; `only` are the keys of the verifiers whose results count. */
async function load(game, only) {
  const { local } = app;
  local.asked = game;
  try {
    const table = await (await shelfAsk('ratings', { game, ...(only ? { only } : {}) })).json();
    if (local.asked !== game) return;
    local.table = table;
  } catch (error) {
    local.failed = true;
    toast('bad', error);
  }
  refresh();
}

function rows({ rows: all }) {
  return h('table', { class: 'table-data ratings' },
    h('thead', {}, h('tr', {}, h('th', { class: 'right' }, t('ratings.place')), h('th', {}, t('ratings.player')), h('th', { class: 'right' }, t('ratings.rating')), h('th', { class: 'right' }, t('ratings.games')))),
    h('tbody', {}, all.map((one, at) => h('tr', { key: one.key },
      h('td', { class: 'right' }, String(at + 1)),
      h('td', {}, h('bdi', {}, tame(one.name, 40) || one.words), one.you && h('span', { class: 'tag' }, t('shelf.you')), h('br'), h('span', { class: 'muted small code' }, one.words)),
      h('td', { class: 'right' }, h('strong', {}, number(Math.round(one.rating))), h('span', { class: 'muted small' }, ` ± ${number(Math.round(2 * one.deviation))}`)),
      h('td', { class: 'right' }, number(one.games))))));
}

/** The verifiers that signed the results. The reader decides which of them count: a lobby could invent verifiers. */
function signers(game, verifiers) {
  const toggle = (one) => load(game, verifiers.filter((other) => (other === one ? !one.counts : other.counts)).map((other) => other.key));
  return h('section', { class: 'stack tight' },
    h('h2', {}, t('ratings.from')),
    h('p', { class: 'muted' }, t('ratings.choose')),
    h('ul', { class: 'lines' }, verifiers.map((one) => h('li', { key: one.key },
      h('label', { class: 'tick' }, h('input', { type: 'checkbox', checked: one.counts, 'data-signer': one.key, onchange: () => toggle(one) }), h('span', {}, t('ratings.results', { n: one.results, signed: signer(one) })))))));
}

export function ratings(chosen) {
  const phase = app.open?.phase ?? 'off';
  const { local } = app;
  const game = app.games.some((known) => known.game === chosen) ? chosen : app.games[0]?.game;
  if (phase === 'here' && local.asked !== game) load(game);
  const { table } = local;
  return h('div', { class: 'page' },
    h('div', { class: 'stack' }, h('p', {}, h('a', { href: '#/shelf' }, t('shelf.back'))), title(t('ratings.title')), h('p', { class: 'muted' }, t('ratings.lead')), phase !== 'off' && placeNote()),
    phase === 'off' ? noPlace() : h('section', { class: 'stack' },
      h('div', { class: 'field' }, h('label', { for: 'ratings-game' }, t('check.game')), h('select', { id: 'ratings-game', value: game, onchange: (event) => go(`ratings/${event.target.value}`) }, app.games.map((known) => h('option', { key: known.game, value: known.game }, gameName(known.game))))),
      !table && !local.failed && h('p', { class: 'muted', role: 'status' }, t('ratings.loading')),
      table?.forged > 0 && h('div', { class: 'notice bad' }, h('p', { class: 'row' }, icon('bad'), t('ratings.forged', { n: table.forged }))),
      table && (table.rows.length ? rows(table) : h('div', { class: 'empty' }, h('p', {}, t('ratings.none')))),
      table?.all > table?.rows.length && h('p', { class: 'muted' }, t('ratings.more', { n: table.all })),
      table?.verifiers.length > 0 && signers(game, table.verifiers)));
}
