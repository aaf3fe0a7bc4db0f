// A new table: options, bots, an invite.

import { app, ask, go, refresh } from '../app.js';
import { h } from '../dom.js';
import { beforeNote, button, choice, gameName, gradeWords, title } from '../parts.js';
import { has, say, t } from '../words.js';
import { boundWords, clocks, colourOf, drawn, fitted, hasColours, inGrade, levelsOf, remember, remembered, seatsOf, setColour } from './begin.js';
import { networkNote } from './settings.js';
import { inviteTo } from '../table/invitation.js';

/** Options that set a clock in seconds or minutes. */
const TICKING = new Set(['clock', 'minutes']);

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

/** People at this device: how many, and their names. */
function here(local, seats) {
  const people = Array.from({ length: local.here }, (_, n) => n + 1);
  return [
    seats > 2 && choice(t('new.here.count'), Array.from({ length: seats - 1 }, (_, n) => [n + 2, String(n + 2)]), local.here, (value) => { local.here = value; refresh(); }),
    people.map((n) => h('div', { class: 'field', key: `person-${n}` }, h('label', { for: `person-${n}` }, t('new.here.name', { n })),
      h('input', { id: `person-${n}`, type: 'text', maxlength: 40, autocomplete: 'off', placeholder: t('new.here.usual', { n }), value: local.people[n] ?? (n === 1 ? app.profile?.name : '') ?? '', oninput: (event) => { local.people[n] = event.target.value; } }))),
    h('p', { class: 'muted' }, t('new.here.text')),
  ];
}

function grades(game, known, local) {
  if (!(known.grades?.length > 1)) return null;
  const order = ['hardened', 'classic'].filter((grade) => known.grades.includes(grade));
  return h('section', { class: 'panel' }, choice(t('new.grade'), order.map((grade) => [grade, t(`grade.${grade}`)]), local.grade, (value) => {
    Object.assign(local, { grade: value, dials: fitted(inGrade(known, value), local.dials) });
    refresh();
  }),
    h('p', { class: local.grade === 'classic' ? 'notice' : 'muted' }, gradeWords(game, local.grade), ' ', boundWords(game, local.grade, local.dials)));
}

/** Fair bots, or one that cheats: only if no other person is at the table. */
function fairness(local) {
  return [
    choice(t('new.crook'), [[false, t('new.crook.no')], [true, t('new.crook.yes')]], local.crook, (value) => { local.crook = value; refresh(); }),
    local.crook && h('p', { class: 'notice' }, t('practice.text')),
  ];
}

/** A level for all bots, or for each one. */
function levels(known, local, bots) {
  if (!bots || known.levels < 2) return null;
  const names = Array.from({ length: known.levels }, (_, n) => [n + 1, t(`level.${n + 1}`)]);
  const all = levelsOf(known, local.levels, bots);
  const same = !local.each && all.every((level) => level === all[0]);
  const set = (next) => {
    local.levels = next;
    refresh();
  };
  return [
    choice(t('new.level'), [...names, ...(bots > 1 ? [['each', t('new.level.each')]] : [])], same ? all[0] : 'each', (level) => {
      local.each = level === 'each';
      set(local.each ? all : [level]);
    }),
    !same && h('div', { class: 'dials', key: 'levels' }, all.map((level, at) => h('div', { class: 'field', key: at }, h('label', { for: `level-${at}` }, t('new.level.of', { n: at + 1 })),
      h('select', { id: `level-${at}`, value: String(level), onchange: (event) => set(levelsOf(known, local.levels, bots).with(at, Number(event.target.value))) }, names.map(([value, name]) => h('option', { value: String(value) }, name)))))),
  ];
}

/** A common clock, and who has which colour. */
function usual(known, local) {
  const offered = clocks(known, local.dials);
  const chosen = offered.findIndex((one) => one.dials.every((value, at) => value === local.dials[at]));
  return [
    offered.length > 0 && choice(t(known.dials.some((one) => one.name === 'minutes') ? 'new.clock' : 'new.clock.each'), offered.map((one, at) => [at, one.caption]), chosen, (at) => { local.dials = offered[at].dials; refresh(); }),
    hasColours(known) && local.where !== 'here' && choice(t('new.colour'), [['white', t('chess.white')], ['black', t('chess.black')], ['lot', t('new.colour.lot')]], colourOf(known, local), (one) => { setColour(known, local, one); refresh(); }),
  ];
}

const WHERES = ['far', 'here', 'bots'];

/** The screen of a new table; `path` is a game, followed by a slash and whom to play with, if that is already clear. */
export function setUp(path) {
  const [game, wished] = (path ?? '').split('/');
  const any = app.games.find((other) => other.game === game);
  if (!any) return h('div', { class: 'page narrow' }, title(t('new.unknown')), h('a', { class: 'button', href: '#/' }, t('nav.home')));
  const local = app.local;
  if (!local.dials) {
    Object.assign(local, { bots: Math.max(0, any.usual_seats - 2), pace: 'calm', where: 'far', here: 2, people: [], grade: 'hardened', crook: false, ...remembered(any), ...(WHERES.includes(wished) ? { where: wished } : {}) });
    local.dials = fitted(inGrade(any, local.grade), local.dials ?? []);
  }
  const known = inGrade(any, local.grade);
  const seats = seatsOf(known, local.dials);
  local.bots = Math.min(local.bots, seats - 2);
  local.here = Math.min(local.here, seats);
  const shared = local.where === 'here';
  const bots = shared ? seats - local.here : local.where === 'bots' ? seats - 1 : local.bots;
  const open = shared ? 0 : seats - 1 - bots;
  const practice = open === 0 && bots > 0 && Boolean(known.crooks?.includes(local.grade));
  const start = async (more) => {
    remember(game, local);
    const answer = await ask('start', { game, dials: drawn(known, local.dials, local.lot && !shared), grade: local.grade, bots: levelsOf(known, local.levels, bots), pace: local.pace, crook: practice && local.crook, ...more });
    if (!answer?.table) return;
    if (open > 0 && !more.watch) inviteTo(answer.table);
    go(`table/${answer.table}`);
  };
  const begin = () => start(shared ? { as: (local.people[1] || '').trim(), beside: Array.from({ length: local.here - 1 }, (_, n) => (local.people[n + 2] || '').trim() || t('new.here.usual', { n: n + 2 })) } : {});
  const pick = (value) => {
    // A clock would run while the device is being passed on.
    if ((value === 'here') !== shared) {
      known.dials.forEach((one, at) => {
        if (TICKING.has(one.name)) local.dials[at] = value === 'here' ? one.least : one.usual;
      });
    }
    local.where = value;
    refresh();
  };
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(t('new.title', { game: gameName(game) })), h('p', { class: 'muted' }, say(`${game}.summary`)), beforeNote(game)),
    h('section', { class: 'panel' }, h('h2', {}, t('new.who')),
      choice(t('new.where'), WHERES.map((where) => [where, t(`new.where.${where}`)]), local.where, pick),
      shared ? here(local, seats) : local.where === 'far' && seats > 2 && choice(t('new.bots'), Array.from({ length: seats - 1 }, (_, n) => [n, String(n)]), local.bots, (value) => { local.bots = value; refresh(); }),
      levels(known, local, bots),
      bots > 0 && choice(t('new.pace'), ['calm', 'quick', 'none'].map((pace) => [pace, t(`pace.${pace}`)]), local.pace, (value) => { local.pace = value; refresh(); }),
      practice && fairness(local),
      !shared && h('p', {}, open > 0 ? t('new.open', { n: open }) : t('new.full')),
      open > 0 && networkNote(),
      app.open && !shared && h('p', { class: 'muted' }, t('new.anyone'), ' ', h('a', { class: 'together', href: '#/open' }, t('open.title')))),
    h('section', { class: 'panel' }, h('h2', {}, t('new.game')), usual(known, local),
      known.dials.length > 0 && h('details', {}, h('summary', {}, h('strong', {}, t('new.options'))), h('div', { class: 'dials' }, known.dials.map((one, at) => one.least < one.most && dial(game, one, local.dials, at))))),
    grades(game, any, local),
    h('div', { class: 'row' },
      button(shared ? t('new.here.begin') : open > 0 ? t('new.invite') : t('home.play'), begin, { kind: 'primary' }),
      button(t('new.watch'), () => start({ bots: levelsOf(known, local.levels, seats - 1), watch: true, crook: Boolean(known.crooks?.includes(local.grade)) && local.crook }), { picture: 'eye' }),
      h('a', { class: 'button quiet', href: '#/' }, t('nav.home'))));
}
