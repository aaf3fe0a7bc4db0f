// A new table: options, bots, an invite.

import { app, ask, go, refresh } from '../app.js';
import { h } from '../dom.js';
import { button, choice, gameName, title } from '../parts.js';
import { has, say, t } from '../words.js';
import { networkNote } from './settings.js';

function dial(game, known, values, at) {
  const id = `dial-${known.name}`;
  const set = (value) => {
    values[at] = Number(value);
    refresh();
  };
  const caption = say(`${game}.option.${known.name}`);
  if (known.values.length) {
    return h('div', { class: 'field', key: known.name }, h('label', { for: id }, caption),
      h('select', { id, value: String(values[at]), onchange: (event) => set(event.target.value) },
        known.values.map((name, index) => h('option', { value: String(known.least + index) }, has(`${game}.option.${known.name}.${name}`) ? say(`${game}.option.${known.name}.${name}`) : name))));
  }
  return h('div', { class: 'field', key: known.name }, h('label', { for: id }, caption),
    h('input', { id, type: 'number', min: known.least, max: known.most, value: String(values[at]), onchange: (event) => set(Math.min(known.most, Math.max(known.least, Number(event.target.value) || known.least))) }),
    h('span', { class: 'hint' }, t('new.range', { least: known.least, most: known.most })));
}

export function setUp(game) {
  const known = app.games.find((other) => other.game === game);
  if (!known) return h('div', { class: 'page narrow' }, title(t('new.unknown')), h('a', { class: 'button', href: '#/' }, t('nav.home')));
  const local = app.local;
  local.dials ??= known.dials.map((one) => one.usual);
  local.bots ??= Math.max(0, known.usual_seats - 2);
  local.level ??= Math.min(2, known.levels);
  local.pace ??= 'calm';
  const seatDial = known.dials.findIndex((one) => one.name === 'seats');
  const seats = seatDial >= 0 ? local.dials[seatDial] : known.usual_seats;
  local.bots = Math.min(local.bots, seats - 1);
  const start = async () => {
    const answer = await ask('start', { game, dials: local.dials, bots: Array.from({ length: local.bots }, () => local.level), pace: local.pace });
    if (answer?.table) go(`table/${answer.table}`);
  };
  const open = seats - 1 - local.bots;
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(t('new.title', { game: gameName(game) })), h('p', { class: 'muted' }, say(`${game}.summary`)), has(`${game}.before`) && h('p', { class: 'notice' }, say(`${game}.before`))),
    h('section', { class: 'panel' }, h('h2', {}, t('new.who')),
      choice(t('new.bots'), Array.from({ length: seats }, (_, n) => [n, String(n)]), local.bots, (value) => { local.bots = value; refresh(); }),
      local.bots > 0 && known.levels > 1 && choice(t('new.level'), Array.from({ length: known.levels }, (_, n) => [n + 1, t(`level.${n + 1}`)]), local.level, (value) => { local.level = value; refresh(); }),
      local.bots > 0 && choice(t('new.pace'), ['calm', 'quick', 'none'].map((pace) => [pace, t(`pace.${pace}`)]), local.pace, (value) => { local.pace = value; refresh(); }),
      h('p', {}, open > 0 ? t('new.open', { n: open }) : t('new.full')),
      open > 0 && networkNote()),
    known.dials.length > 0 && h('details', { class: 'panel' }, h('summary', {}, h('strong', {}, t('new.options'))), h('div', { class: 'dials' }, known.dials.map((one, at) => dial(game, one, local.dials, at)))),
    h('div', { class: 'row' }, button(open > 0 ? t('new.invite') : t('home.play'), start, { kind: 'primary' }), h('a', { class: 'button quiet', href: '#/' }, t('nav.home'))));
}
