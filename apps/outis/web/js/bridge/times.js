// How long an evening's dealing takes, by the steps on the sheets.

import { app, ask, refresh } from '../app.js';
import { h } from '../dom.js';
import { button, title } from '../parts.js';
import { currentLanguage, t } from '../words.js';
import { numberField } from './parts.js';

const FIELDS = [['boards', 24, [1, 256]], ['pairs', 3, [1, 100]], ['sort', 0, [0, 600]], ['measured', 15, [1, 600]]];

export function timesScreen() {
  const local = app.local;
  const field = ([id, usual, range]) => numberField(`time-${id}`, t(`bridge.time.${id}`), local[id] ??= usual, range, (n) => { local[id] = n; });
  const compute = async () => {
    const fields = Object.fromEntries(FIELDS.map(([id]) => [id, local[id]]));
    local.lines = (await ask('bridge-time', { ...fields, language: currentLanguage() }))?.lines;
    refresh();
  };
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(t('bridge.time')), h('p', {}, t('bridge.time.lead'))),
    h('section', { class: 'panel' }, h('div', { class: 'row fields' }, FIELDS.map(field)),
      h('div', { class: 'row' }, button(t('leak.go'), compute, { kind: 'primary' })),
      local.lines && h('table', { class: 'table-data times' }, h('tbody', {}, local.lines.map((line) => {
        // What it is, and after two spaces how long.
        const [what, value] = line.split(/ {2,}/);
        return h('tr', { key: what }, h('th', { scope: 'row' }, what), h('td', {}, value));
      })))));
}
