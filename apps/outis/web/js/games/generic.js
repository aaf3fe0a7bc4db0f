// Any game, shown as lines of text.

import { h } from '../dom.js';
import { tell } from '../words.js';

export const generic = ({ lines, names }) => h('div', { class: 'felt plain-lines' }, h('ul', { class: 'lines' }, (lines || []).map((line) => h('li', {}, tell(line, names)))));
