// The corner of a board, for the first screen.

import { h } from '../../dom.js';
import { cloak, piece } from './pieces.js';

const ROWS = ['..#q##', 'N..?##'];

export const chessPicture = () => h('div', { class: 'fan chess', 'aria-hidden': 'true' }, h('div', { class: 'dark-chess' }, h('div', { class: 'chess-vignette' },
  ROWS.flatMap((row, y) => [...row].map((mark, x) => h('div', { class: `square ${(x + y) % 2 ? 'dark' : 'light'} ${mark === '#' ? 'fog' : mark === '?' ? 'felt-out' : ''}` }, /[a-z]/i.test(mark) && piece(mark), mark === '?' && cloak()))))));
