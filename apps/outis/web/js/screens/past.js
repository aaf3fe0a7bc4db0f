// A finished game: the result, the replay, the log.

import { app, ask, go, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { button, choice, gameName, scoreList, title } from '../parts.js';
import { moment, t, tame } from '../words.js';
import { logOf, saveLog, verify } from '../link.js';
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

/** The replay, before everything else about the game. */
function shown(id, item, names) {
  const { local } = app;
  return h('section', { class: 'stack', key: 'replay' },
    h('h2', {}, t('replay.title')),
    item.people?.length > 1 ? choice(t('hand.sides'), item.people.map((seat) => [seat, names[seat]]), local.me, (seat) => load(id, seat)) : h('p', { class: 'muted' }, t('replay.own')),
    !local.pictures ? h('p', {}, t('replay.loading')) : local.pictures.length ? replay({ id, game: item.game, pictures: local.pictures, me: local.me, names }) : h('div', { class: 'empty' }, t('replay.none')));
}

/** The path is a table; with `/check` behind it, its log is checked at once. */
export function pastGame(path) {
  const [id, wish] = path.split('/');
  const item = app.past.find((other) => other.table === id);
  if (!item) return h('div', { class: 'page narrow' }, title(t('past.unknown')), h('a', { class: 'button', href: '#/' }, t('nav.home')));
  if (app.local.asked !== id) load(id);
  const local = app.local;
  if (wish === 'check' && !local.wished) {
    local.wished = true;
    queueMicrotask(() => examine(id));
  }
  const names = item.names.map((name) => tame(name, 40));
  const forget = async () => {
    if (await ask('forget', { table: id })) go('');
  };
  return h('div', { class: 'page near' },
    title(t('past.title', { game: gameName(item.game) })),
    h('div', { class: 'row' }, h('time', { class: 'muted' }, moment(item.ended)), item.scores && scoreList(names, item.scores)),
    local.busy && h('p', { role: 'status', key: 'busy' }, t('check.busy')),
    local.finding && verdict({ ...local.finding, pictures: [] }, { known: names }),
    shown(id, item, names),
    h('dl', { class: 'facts' },
      !item.scores && names.map((name) => fact(name, '–')),
      fact(t('past.end'), t(`end.${item.end}`)), item.grade === 'classic' && fact(t('new.grade'), t('grade.classic')), fact(t('check.rounds'), String(item.rounds)), fact(t('fair.head'), h('span', { class: 'code' }, item.head))),
    h('div', { class: 'row' },
      button(t('table.export'), () => saveLog(id, `${item.game}-${id.slice(0, 8)}.log`).catch((error) => toast('bad', error)), { picture: 'save' }),
      button(t(local.busy ? 'check.busy' : 'past.check'), () => examine(id), { picture: 'shield', disabled: Boolean(local.busy) }),
      local.sure ? button(t('past.forget.sure'), forget, { kind: 'danger' }) : button(t('past.forget'), () => { local.sure = true; refresh(); }, { kind: 'quiet' })));
}
