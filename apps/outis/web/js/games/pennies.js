// Matching pennies: two coins, and the earlier throws.

import { h } from '../dom.js';
import { number, say, t } from '../words.js';

const OWL = 'M18 22q-1-6 1-9 4 4 11 4t11-4q2 3 1 9 3 12-2 19-4 5-10 5t-10-5q-5-7-2-19zM24.5 22a4.5 4.5 0 1 0 .1 0M35.5 22a4.5 4.5 0 1 0 .1 0M28.5 29.5l1.5 3 1.5-3M25 37q5 3 10 0M27 41.5q3 1.5 6 0';
const SHIP = 'M15 36q15 5 30 0-2 8-8 8H23q-6 0-8-8zM30 35V15M21 31q9-4 18 0-3-8 0-13-9 4-18 0 3 5 0 13z';

/** A coin: heads is the owl, tails the ship; a covered coin shows a hand. */
export function coin(side, label) {
  const covered = side === null || side === undefined;
  return h('svg:svg', { class: `penny ${covered ? 'covered' : side}`, viewBox: '0 0 60 60', role: 'img', 'aria-label': label },
    h('svg:circle', { cx: 30, cy: 30, r: 28, fill: covered ? '#22345a' : side === 'heads' ? '#d8a13f' : '#c7ccd2', stroke: covered ? '#d09a4a' : '#1f2a40', 'stroke-width': 2 }),
    h('svg:circle', { cx: 30, cy: 30, r: 23.5, fill: 'none', stroke: covered ? '#d09a4a' : '#1f2a40', 'stroke-width': 1, 'stroke-dasharray': '1 2.4' }),
    h('svg:path', { d: covered ? 'M15 27C22 37 38 37 45 27M19 31.5l-3.4 4M26 34.3l-1.5 4.7M34 34.3l1.5 4.7M41 31.5l3.4 4' : side === 'heads' ? OWL : SHIP, fill: 'none', stroke: covered ? '#efd9ad' : '#1f2a40', 'stroke-width': 2.2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));
}

export function pennies({ view, names, me }) {
  const shown = view.shown || [];
  const over = shown.length >= view.throws;
  const now = over || view.own === null ? null : view.own;
  const last = shown.at(-1);
  const word = (side) => say(`matching-pennies.${side}`);
  const place = (seat) => {
    const mine = seat === me;
    const side = mine && now ? now : null;
    const showLast = !now && last;
    const face = showLast ? last[seat] : side;
    return h('div', { class: 'penny-place', key: seat },
      h('span', { class: 'seat-name' }, names[seat]),
      coin(face, face ? word(face) : t('pennies.covered')),
      h('span', { class: 'small' }, face ? word(face) : t('pennies.covered')),
      h('span', { class: 'small' }, seat === 0 ? t('pennies.match') : t('pennies.differ')));
  };
  return h('div', { class: 'felt pennies' },
    h('div', { class: 'pennies-now' }, place(0), h('p', { class: 'big-number number' }, (view.scores || [0, 0]).map((score) => number(score)).join(' : ')), place(1)),
    h('p', {}, t('pennies.count', { n: Math.min(shown.length + (over ? 0 : 1), view.throws), of: view.throws })),
    shown.length > 0 && h('ol', { class: 'pennies-past', 'aria-label': t('pennies.past') }, shown.map(([a, b], n) => h('li', { key: n }, h('span', { class: 'number small' }, `${n + 1}.`), coin(a, word(a)), coin(b, word(b)), h('span', { class: 'small' }, a === b ? t('pennies.same') : t('pennies.different'))))));
}
