// Bridge tools: what the program prints for a club, and how.

import { h } from '../dom.js';
import { title } from '../parts.js';
import { t } from '../words.js';

const TOOLS = ['sheets', 'records', 'curtains', 'leak', 'check', 'convert'];

export const bridge = () => h('div', { class: 'page narrow' },
  h('div', { class: 'stack' }, title(t('bridge.title')), h('p', {}, t('bridge.lead'))),
  h('ul', { class: 'list' }, TOOLS.map((tool) => h('li', { key: tool },
    h('div', { class: 'stack tight' }, h('strong', {}, t(`bridge.${tool}`)), h('span', { class: 'muted' }, t(`bridge.${tool}.text`)), h('code', {}, t(`bridge.${tool}.command`)))))));
