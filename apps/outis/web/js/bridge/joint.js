// Deals that several clubs draw together: the purpose, and the commands.

import { h } from '../dom.js';
import { title } from '../parts.js';
import { t } from '../words.js';

const STEPS = ['begin', 'round', 'reveal', 'deal', 'check'];
const COMMANDS = { begin: 'begin', round: 'next', reveal: 'next', deal: 'last' };

export const jointScreen = () => h('div', { class: 'page narrow' },
  h('div', { class: 'stack' }, title(t('joint.title')), h('p', {}, t('joint.lead'))),
  h('ol', { class: 'list steps' }, STEPS.map((step) => h('li', { key: step }, h('div', { class: 'stack tight' },
    h('strong', {}, t(`joint.${step}.title`)), h('span', {}, t(`joint.${step}`)), COMMANDS[step] && h('code', {}, t(`joint.command.${COMMANDS[step]}`)))))),
  h('p', { class: 'notice' }, t('joint.limits')));
