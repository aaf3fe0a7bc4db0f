// The pieces: Outis's own drawings on a 100 by 100 grid. Colours come from the style sheet: `fill` is the body, `line` the outline.

import { h } from '../../dom.js';

const FOOT = 'M22 88v-5q0-7 9-9h38q9 2 9 9v5q-14 3-28 3t-28-3z';

/** Outlines by letter: what is filled, and what is only drawn on top. */
const SHAPES = {
  p: { body: ['M50 20a13 13 0 0 1 8.6 22.8q4.4 1.7 4.4 5.2h-6q1.500 14 10 26H33q8.500-12 10-26h-6q0-3.500 4.400-5.200A13 13 0 0 1 50 20z', FOOT], lines: [] },
  n: { body: ['M33 74c-1-13 9-18 12-27-4 2-8 6-12 8-4 2-8 1-10-2-2-2-2-5 0-8l13-19c0-4 1-8 3-12l7 7c20 0 33 17 33 39 0 5-1 10-2 14z', FOOT], lines: ['M56 24c11 6 16 18 15 34', 'M27 47.500l2 1.500'], dots: [[42, 31, 2.6]] },
  b: { body: ['M50 10a5.500 5.500 0 0 1 3 10c11 8 17 18 17 27 0 7-4 12-9 14q2 7 7 13H32q5-6 7-13c-5-2-9-7-9-14 0-9 6-19 17-27a5.500 5.500 0 0 1 3-10z', FOOT], lines: ['M55 32L46 47', 'M38 62h24'] },
  r: { body: ['M27 18h11v8h7v-8h10v8h7v-8h11v18l-7 7 2 22q1 5 4 9H28q3-4 4-9l2-22-7-7z', FOOT], lines: ['M34 43h32', 'M31.500 66h37'] },
  q: { body: ['M29 74c0-8-7-24-11-34l13 14 1-28 10 24 8-29 8 29 10-24 1 28 13-14c-4 10-11 26-11 34z', FOOT], lines: ['M30 66q20-5 40 0'], dots: [[17, 37, 4.2], [32, 23, 4.2], [50, 18, 4.6], [68, 23, 4.2], [83, 37, 4.2]], balls: true },
  k: { body: ['M47 8h6v6h6v6h-6v8c7 1 9 6 8 11 6-6 13-6 18-1 7 8 2 20-8 29-2 2-3 4-3 7H32c0-3-1-5-3-7-10-9-15-21-8-29 5-5 12-5 18 1-1-5 1-10 8-11v-8h-6v-6h6z', FOOT], lines: ['M50 34v30', 'M32 66q18-5 36 0'] },
};

export const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** A piece by its letter, upper case for White. */
export function piece(letter, className = '') {
  const small = letter.toLowerCase();
  const shape = SHAPES[small];
  const color = letter === small ? 'black' : 'white';
  const balls = shape.balls ? shape.dots : [];
  return h('svg:svg', { class: `piece ${color} ${className}`, viewBox: '0 0 100 100', 'aria-hidden': 'true', focusable: 'false' },
    shape.body.map((d, at) => h('svg:path', { key: `b${at}`, class: 'body', d })),
    balls.map(([cx, cy, r], at) => h('svg:circle', { key: `o${at}`, class: 'body', cx, cy, r })),
    shape.lines.map((d, at) => h('svg:path', { key: `l${at}`, class: 'trait', d })),
    !shape.balls && (shape.dots || []).map(([cx, cy, r], at) => h('svg:circle', { key: `d${at}`, class: 'eye', cx, cy, r })));
}

/** A piece of unknown kind, under a cloak. */
export const cloak = () => h('svg:svg', { class: 'piece cloak', viewBox: '0 0 100 100', 'aria-hidden': 'true', focusable: 'false' },
  h('svg:path', { class: 'body', d: 'M50 16c13 0 20 12 20 26 0 10 4 16 6 24 2 9 3 16 3 23q-29 5-58 0c0-7 1-14 3-23 2-8 6-14 6-24 0-14 7-26 20-26z' }),
  h('svg:path', { class: 'trait', d: 'M42 45c0-11 17-11 17 0 0 7-8.500 7-8.500 15M50.500 70v1' }));
