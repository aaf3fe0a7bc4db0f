// Bridge tools: a club's sessions, and what helps before and after them.

import { app, ask, go, refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, choice, title } from '../parts.js';
import { moment, t } from '../words.js';
import { bring, download, print } from '../bridge/files.js';
import { called, evenings, fileField, look, numberField, span } from '../bridge/parts.js';
import { eveningScreen } from '../bridge/evening.js';
import { repairScreen } from '../bridge/repair.js';
import { leakScreen } from '../bridge/leak.js';
import { sealScreen } from '../bridge/seal.js';
import { jointScreen } from '../bridge/joint.js';
import { timesScreen } from '../bridge/times.js';

const SCREENS = { evening: eveningScreen, repair: repairScreen, leak: leakScreen, seal: sealScreen, joint: jointScreen, time: timesScreen };
const TOOLS = [['repair', 'check', 'repair'], ['seal', 'seal.check', 'shield'], ['leak', 'leak', 'eye'], ['time', 'time', 'wait'], ['joint', 'joint', 'people']];

export function bridge(arg) {
  const [name, ...rest] = (arg || '').split('/');
  if (SCREENS[name]) return SCREENS[name](rest.join('/'));
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(t('bridge.title')), h('p', {}, t('bridge.lead'))),
    h('section', { class: 'panel', 'aria-labelledby': 'new-evening' }, h('h2', { id: 'new-evening' }, t('bridge.new')), newEvening()),
    h('section', { class: 'stack', 'aria-labelledby': 'evenings' }, h('h2', { id: 'evenings' }, t('bridge.evenings')), list()),
    h('section', { class: 'tools', 'aria-label': t('bridge.tools') }, TOOLS.map(([path, id, picture]) => h('a', { class: 'tool panel', key: path, href: `#/bridge/${path}` }, icon(picture),
      h('span', { class: 'stack' }, h('strong', {}, t(`bridge.${id}`)), h('span', { class: 'muted' }, t(`bridge.${id}.text`)))))));
}

function list() {
  if (!evenings().length) return h('div', { class: 'empty' }, h('p', {}, t('bridge.evenings.none')));
  return h('ul', { class: 'list' }, evenings().map((one) => h('li', { key: one.evening },
    h('span', {}, h('strong', {}, called(one)), ' · ', t('bridge.evening.about', { boards: span(one.boards) }), ' · ', h('time', {}, moment(one.made))),
    h('a', { class: 'button small', href: `#/bridge/evening/${one.evening}`, 'aria-label': t('bridge.open.evening', { title: { plain: called(one) } }) }, t('bridge.open')))));
}

/** Random deals, given deals, or sheets for a shuffled pack. */
function newEvening() {
  const local = app.local;
  local.kind ??= 'random';
  local.boards ??= 24;
  local.from ??= 1;
  local.mover ??= 'first';
  local.piles ??= 'paper';
  local.sheets ??= true;
  // Fields change without a redraw, so their values are read when they are needed.
  const name = () => local.title || '';
  const make = async () => {
    if (local.busy) return;
    local.busy = true;
    refresh();
    let answer = null;
    if (local.kind === 'random') answer = await ask('bridge-deal', { title: name(), boards: local.boards, from: local.from, mover: local.mover, piles: local.piles });
    else answer = await bring('import', { title: name(), sheets: local.sheets, mover: local.mover, piles: local.piles }, local.file || local.text || '');
    local.busy = false;
    if (answer?.evening) go(`bridge/evening/${answer.evening}`);
    else refresh();
  };
  const single = (format) => ({ what: 'single', boards: local.boards, title: name(), format });
  const given = local.kind === 'given';
  return h('form', { class: 'stack', onsubmit: (event) => event.preventDefault() },
    choice(t('bridge.kind'), ['random', 'given', 'single'].map((kind) => [kind, t(`bridge.kind.${kind}`)]), local.kind, (kind) => { local.kind = kind; refresh(); }),
    h('p', { class: 'muted' }, t(`bridge.kind.${local.kind}.text`)),
    h('div', { class: 'field' }, h('label', { for: 'evening-title' }, t('bridge.name')), h('input', { id: 'evening-title', type: 'text', maxlength: '80', autocomplete: 'off', placeholder: t('bridge.name.hint'), value: name(), oninput: (event) => { local.title = event.target.value; } })),
    given
      ? [fileField('deals-file', t('bridge.given.file'), (file) => { local.file = file; refresh(); }, local.file?.name),
        !local.file && h('div', { class: 'field' }, h('label', { for: 'deals-text' }, t('bridge.given.text')), h('textarea', { id: 'deals-text', class: 'code', spellcheck: 'false', placeholder: t('bridge.given.hint'), value: local.text || '', oninput: (event) => { local.text = event.target.value; refresh(); } })),
        choice(t('bridge.given.what'), [[true, t('bridge.given.sheets')], [false, t('bridge.given.records')]], local.sheets, (value) => { local.sheets = value; refresh(); })]
      : h('div', { class: 'row fields' }, numberField('boards', t('bridge.boards'), local.boards, [1, 256], (n) => { local.boards = n; }),
        local.kind === 'random' && numberField('from', t('bridge.from'), local.from, [1, 29000], (n) => { local.from = n; })),
    local.kind !== 'single' && (!given || local.sheets) && [choice(t('bridge.mover'), ['first', 'third', 'nobody'].map((one) => [one, t(`bridge.mover.${one}`)]), local.mover, (value) => { local.mover = value; refresh(); }),
      h('p', { class: 'muted small' }, t(`bridge.mover.${local.mover}.text`)),
      choice(t('bridge.piles'), ['paper', 'least'].map((one) => [one, t(`bridge.piles.${one}`)]), local.piles, (value) => { local.piles = value; refresh(); }),
      h('p', { class: 'muted small' }, t(`bridge.piles.${local.piles}.text`))],
    local.kind === 'single'
      ? [h('div', { class: 'row' }, button(t('bridge.print'), () => print(single('pdf')), { kind: 'primary', picture: 'print' }), ['pdf', 'txt'].map((format) => button(t(`bridge.format.${format}`), () => download(single(format), name()), { kind: 'small', picture: 'save', key: format }))), look()]
      : h('div', { class: 'row' }, button(t(given ? 'bridge.make.given' : 'bridge.make'), make, { kind: 'primary', disabled: Boolean(local.busy) || (given && !local.file && !(local.text || '').trim()) })));
}
