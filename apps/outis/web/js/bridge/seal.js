// After play: do the records match the seal from before play?

import { app, refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, title } from '../parts.js';
import { t } from '../words.js';
import { bring } from './files.js';
import { fileField } from './parts.js';

export function sealScreen() {
  const local = app.local;
  const check = async () => {
    local.verdict = null;
    local.verdict = await bring('seal', { seal: local.seal || '' }, local.file);
    refresh();
  };
  const { verdict } = local;
  const list = (boards) => (Array.isArray(boards) ? boards.join(', ') : String(boards ?? ''));
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(t('bridge.seal.check')), h('p', {}, t('bridge.seal.lead'))),
    h('section', { class: 'panel' },
      fileField('records-file', t('bridge.seal.file'), (file) => { local.file = file; local.verdict = null; refresh(); }, local.file?.name),
      h('div', { class: 'field' }, h('label', { for: 'seal-digits' }, t('bridge.seal.digits')), h('textarea', { id: 'seal-digits', class: 'code', spellcheck: 'false', value: local.seal || '', oninput: (event) => { local.seal = event.target.value; local.verdict = null; refresh(); } })),
      h('div', { class: 'row' }, button(t('bridge.seal.go'), check, { kind: 'primary', disabled: !local.file || !(local.seal || '').trim() }))),
    verdict && h('section', { class: `notice ${verdict.verdict === 'holds' ? 'good' : 'bad'}`, 'aria-live': 'polite' },
      h('h2', { class: 'row' }, icon(verdict.verdict === 'holds' ? 'good' : 'bad'), t(`bridge.verdict.${verdict.verdict}`)),
      h('p', {}, t(`bridge.verdict.${verdict.verdict}.text`, { boards: list(verdict.boards), n: Array.isArray(verdict.boards) ? verdict.boards.length : verdict.boards ?? 0 })),
      verdict.seal && h('p', { class: 'code' }, verdict.seal)));
}
