// Joining by a friend's invite.

import { h } from '../dom.js';
import { title } from '../parts.js';
import { t } from '../words.js';
import { joinForm } from './home.js';

export const join = () => h('div', { class: 'page narrow' }, title(t('home.join')), h('p', {}, t('join.lead')), joinForm(), h('p', { class: 'muted' }, t('join.words')));
