// One finished hand of poker, replayed step by step: from a table in progress or from a past game.

import { app, ask, refresh, table } from '../app.js';
import { h } from '../dom.js';
import { title } from '../parts.js';
import { t, tame, tell } from '../words.js';
import { poker } from '../games/poker/board.js';
import { frames, streets } from '../games/poker/frames.js';
import { remember, told } from '../games/poker/history.js';
import { outcome } from '../games/poker/moment.js';
import { walkBar } from './walk.js';

/** Loads the hands of a table: from this page, from a table in progress, or from the views of a past game. */
async function load(id) {
  const { local } = app;
  local.asked = id;
  const known = table(id).memory?.hands ?? [];
  const past = app.past.some((item) => item.table === id);
  const answer = past ? await ask('replay', { table: id }) : await ask('chronicle', { table: id });
  const more = past ? (answer?.pictures ?? []).map((picture) => picture.view?.last) : answer?.parts ?? [];
  local.hands = remember({ hands: [...known] }, more);
  refresh();
}

const namesAt = (id) => (app.past.find((item) => item.table === id) ?? app.tables.find((item) => item.table === id))?.names ?? table(id).now?.seats.map((seat) => seat.name) ?? [];

/** The path is a table, a slash, and the number of a hand from 1. */
export function hand(path) {
  const [id, number] = (path ?? '').split('/');
  const { local } = app;
  if (local.asked !== id) load(id);
  if (!local.hands) return h('div', { class: 'page narrow' }, title(t('poker.history')), h('p', { class: 'muted' }, t('replay.loading')));
  const found = local.hands.find((one) => one.number + 1 === Number(number));
  const past = app.past.some((item) => item.table === id);
  const home = h('a', { class: 'button', href: past ? `#/past/${id}` : `#/table/${id}` }, t(past ? 'poker.replay.game' : 'home.tables.go'));
  if (!found) return h('div', { class: 'page narrow' }, title(t('poker.history')), h('p', {}, t('poker.history.none')), home);
  const names = namesAt(id).map((name) => tame(name, 40));
  const made = frames(found, Math.max(local.hands.length, found.number + 1));
  const last = made.length - 1;
  local.at = Math.min(Math.max(local.at ?? 0, 0), last);
  const { view, event } = made[local.at];
  const haves = new Map(found.have.map((item) => [item.seat, item.have]));
  const said = event ? [told(event, haves)].filter(Boolean) : outcome(found);
  const chapters = streets(made).map(({ at, part }) => ({ at, whole: null, part: t(`replay.${part}`) }));
  const at = local.hands.indexOf(found);
  const other = (one, caption) => one && h('a', { class: 'button small', key: caption, href: `#/hand/${id}/${one.number + 1}` }, t(caption, { n: one.number + 1 }));
  return h('div', { class: 'page near hand-page' },
    h('div', { class: 'row spread' }, title(t('poker.history.hand', { n: found.number + 1 })), h('div', { class: 'row' }, other(local.hands[at - 1], 'poker.replay.before'), other(local.hands[at + 1], 'poker.replay.next'), home)),
    h('div', { class: 'replay walks stack' },
      walkBar({ memory: local, last, chapters }),
      h('p', { class: 'replay-said', role: 'status' }, said.map((text, n) => h('span', { key: n }, tell(text, names), ' '))),
      h('div', { class: 'board-box' }, poker({ view, names, me: view.me, seats: names.map((name, seat) => ({ seat, name, kind: seat === view.me ? 'you' : 'peer', link: 'here' })), lines: [], actions: [], expects: null, readonly: true, plain: true, key: 'hand' })),
      h('p', { class: 'replay-keys small muted' }, t('replay.keys'))));
}
