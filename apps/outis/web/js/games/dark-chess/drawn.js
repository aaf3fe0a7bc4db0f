// Arrows and circles that a person draws on the board with the right mouse button. They are notes; nothing is sent.

import { h } from '../../dom.js';

const FILES = 'abcdefgh';

/** The centre of a square, in squares from the top left. */
function middle(square, flip) {
  const [x, y] = [FILES.indexOf(square[0]), 8 - Number(square[1])];
  return flip ? [7.5 - x, 7.5 - y] : [x + 0.5, y + 0.5];
}

/** Adds a drawing, or removes it if it is already there in this colour. */
export function redrawn(drawn, from, to, tint) {
  const there = drawn.find((one) => one.from === from && one.to === to);
  const rest = drawn.filter((one) => one !== there);
  return there?.tint === tint ? rest : [...rest, { from, to, tint }];
}

function arrow([x, y], [toX, toY], key, tint) {
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const neck = [toX - dx * 0.42, toY - dy * 0.42];
  const wing = (side) => `${neck[0] - dy * 0.24 * side},${neck[1] + dx * 0.24 * side}`;
  return h('svg:g', { key, class: tint }, h('svg:line', { x1: x + dx * 0.2, y1: y + dy * 0.2, x2: neck[0], y2: neck[1] }), h('svg:polygon', { points: `${toX},${toY} ${wing(1)} ${wing(-1)}` }));
}

/** The drawings over the board. */
export function drawing(drawn, flip) {
  return drawn.length > 0 && h('svg:svg', { class: 'chess-drawn', viewBox: '0 0 8 8', 'aria-hidden': 'true', focusable: 'false', key: 'drawn' },
    drawn.map(({ from, to, tint }) => {
      const [a, b] = [middle(from, flip), middle(to, flip)];
      return from === to ? h('svg:circle', { key: from, class: tint, cx: a[0], cy: a[1], r: 0.44 }) : arrow(a, b, `${from}${to}`, tint);
    }));
}
