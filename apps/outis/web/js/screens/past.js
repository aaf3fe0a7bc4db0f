// A finished game: the result, the replay, the log.

import { app, ask, go, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { button, choice, gameName, title } from '../parts.js';
import { moment, points, t, tame } from '../words.js';
import { logOf, saveLog, verify } from '../link.js';
import { pastList } from './home.js';
import { fact, verdict } from './check.js';
import { replay } from './replay.js';

async function load(id, seat) {
  app.local.asked = id;
  const answer = await ask('replay', { table: id, seat });
  app.local.pictures = answer?.pictures || [];
  app.local.me = answer?.me ?? null;
  refresh();
}

/** Checks the log of this game as if it had come from someone else. */
async function examine(id) {
  const { local } = app;
  local.busy = true;
  refresh();
  try {
    local.finding = await verify(await logOf(id));
  } catch (error) {
    toast('bad', error);
  }
  local.busy = false;
  refresh();
}

export function pastGame(id) {
  if (!id) return h('div', { class: 'page' }, title(t('home.past')), pastList(1000));
  const item = app.past.find((other) => other.table === id);
  if (!item) return h('div', { class: 'page narrow' }, title(t('past.unknown')), h('a', { class: 'button', href: '#/' }, t('nav.home')));
  if (app.local.asked !== id) load(id);
  const local = app.local;
  const names = item.names.map((name) => tame(name, 40));
  const forget = async () => {
    if (await ask('forget', { table: id })) go('');
  };
  return h('div', { class: 'page' },
    h('div', { class: 'stack' }, title(t('past.title', { game: gameName(item.game) })), h('p', { class: 'muted' }, h('time', {}, moment(item.ended)))),
    h('dl', { class: 'facts' },
      names.map((name, seat) => fact(name, item.scores ? points(item.scores[seat] ?? 0) : '–')),
      fact(t('past.end'), t(`end.${item.end}`)), item.grade === 'classic' && fact(t('new.grade'), t('grade.classic')), fact(t('check.rounds'), String(item.rounds)), fact(t('fair.head'), h('span', { class: 'code' }, item.head))),
    h('div', { class: 'row' },
      button(t('table.export'), () => saveLog(id, `${item.game}-${id.slice(0, 8)}.log`).catch((error) => toast('bad', error)), { picture: 'save' }),
      button(t(local.busy ? 'check.busy' : 'past.check'), () => examine(id), { picture: 'shield', disabled: Boolean(local.busy) }),
      local.sure ? button(t('past.forget.sure'), forget, { kind: 'danger' }) : button(t('past.forget'), () => { local.sure = true; refresh(); }, { kind: 'quiet' })),
    local.finding && verdict({ ...local.finding, pictures: [] }, { known: names }),
    h('section', { class: 'stack' }, h('h2', {}, t('replay.title')), item.people?.length > 1 ? choice(t('hand.sides'), item.people.map((seat) => [seat, names[seat]]), local.me, (seat) => load(id, seat)) : h('p', { class: 'muted' }, t('replay.own')),
      !local.pictures ? h('p', {}, t('replay.loading')) : local.pictures.length ? replay({ game: item.game, pictures: local.pictures, me: local.me, names }) : h('div', { class: 'empty' }, t('replay.none'))));
}
