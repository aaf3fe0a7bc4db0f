// Whole cards. `cardSvg` gives the drawing as a string; `cardUrl` the same as a data address for an <img>.
//
// Names are those of the specification: tarokks `skiz XXI ... II pagat`, suit cards `H:K D:Q S:C C:J S:10 H:A`, and
// French cards the same with ranks `A K Q J 10 ... 2`. `back` is the back.

import { CREAM, INK, PAPER, dot, eye, letter, line, roman, suit, suitColour } from './parts.js';
import { NUMERALS, scene } from './tarokks.js';
import { court, courtGround } from './courts.js';

/** Letters of the court cards per language; numbers are the same everywhere. */
const LETTERS = {
  en: { K: 'K', Q: 'Q', C: 'C', J: 'J', A: 'A' },
  hu: { K: 'K', Q: 'D', C: 'L', J: 'B', A: 'Á' },
};

export const TAROKK_HEIGHT = 170;
export const FRENCH_HEIGHT = 146;

export const TAROKK_DECK = [
  ...NUMERALS,
  ...['S', 'C'].flatMap((s) => ['K', 'Q', 'C', 'J', '10'].map((r) => `${s}:${r}`)),
  ...['H', 'D'].flatMap((s) => ['K', 'Q', 'C', 'J', 'A'].map((r) => `${s}:${r}`)),
];
export const FRENCH_DECK = ['S', 'H', 'D', 'C'].flatMap((s) =>
  ['A', 'K', 'Q', 'J', '10', '9', '8', '7', '6', '5', '4', '3', '2'].map((r) => `${s}:${r}`));

/** Places of the pips: x from -1 to 1, y from -1 to 1; those below the middle stand on their heads. */
const PIPS = {
  2: [[0, -1], [0, 1]],
  3: [[0, -1], [0, 0], [0, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  7: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  8: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [0, 0.5], [-1, 1], [1, 1]],
  9: [[-1, -1], [1, -1], [-1, -0.33], [1, -0.33], [0, 0], [-1, 0.33], [1, 0.33], [-1, 1], [1, 1]],
  10: [[-1, -1], [1, -1], [0, -0.67], [-1, -0.33], [1, -0.33], [-1, 0.33], [1, 0.33], [0, 0.67], [-1, 1], [1, 1]],
};

const twice = (height, half) => `${half}<g transform="rotate(180 50 ${height / 2})">${half}</g>`;

function sheet(height, inner) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 ${height}" width="300" height="${3 * height}">`
    + `<rect x=".75" y=".75" width="98.5" height="${height - 1.5}" rx="6.5" fill="${PAPER}" stroke="${INK}" stroke-width="1.5"/>${inner}</svg>`;
}

const frame = (height, top) => `<rect x="5.5" y="${top}" width="89" height="${height - 2 * top}" rx="2.5" fill="none" stroke="${INK}" stroke-width="1.3"/>`;

/** The band between the two halves of a scene. */
function middle(height, colour) {
  const y = height / 2;
  let beads = '';
  for (let x = 14; x <= 86; x += 12) beads += dot(x, y, 1.1, colour);
  return `<rect x="5.5" y="${y - 2.6}" width="89" height="5.2" fill="${CREAM}" stroke="${INK}" stroke-width="1"/>${beads}`
    + `<path d="M50 ${y - 5}l5 5-5 5-5-5z" fill="${colour}" stroke="${INK}" stroke-width="1"/>`;
}

function tarokk(name) {
  const height = TAROKK_HEIGHT;
  const half = height / 2;
  const honour = name === 'skiz' || name === 'XXI' || name === 'pagat';
  const colour = honour ? '#b23a2e' : INK;
  const numeral = name === 'pagat' ? 'I' : name;
  const index = name === 'skiz'
    ? eye(19, 11.2, 0.9, colour, 2)
    : `<g transform="translate(7.5 5.4) scale(.92)">${roman(numeral, colour)}</g>`;
  const order = NUMERALS.length - NUMERALS.indexOf(name);
  const small = name === 'skiz' ? '' : letter(order, 93, 17.4, 10, '#8b8069', 'end');
  const picture = `<g clip-path="url(#half)"><g transform="translate(50 ${half})">${scene(name)}</g></g>`;
  return sheet(height, `<defs><clipPath id="half"><rect x="5.5" y="21.5" width="89" height="${half - 21.5}"/></clipPath>`
    + `<clipPath id="globe"><circle cx="0" cy="4" r="33.4"/></clipPath></defs>`
    + twice(height, picture + index + small) + frame(height, 21.5) + middle(height, honour ? '#b23a2e' : '#d8a13f'));
}

function indexOf(name, height, options) {
  const [which, rank] = name.split(':');
  const colour = suitColour(which, options.four);
  const text = (LETTERS[options.language] || LETTERS.en)[rank] || rank;
  return { which, rank, colour, text, height };
}

function tarokkSuit(name, options) {
  const { which, rank, colour, text } = indexOf(name, TAROKK_HEIGHT, options);
  const height = TAROKK_HEIGHT;
  const half = height / 2;
  const wide = text.length > 1;
  const index = letter(text, 7.5, text === 'J' ? 16.4 : 18.4, 17, colour) + suit(which, wide ? 40 : 32, 12, 1.25, colour);
  if (rank === 'A' || rank === '10') {
    const body = rank === 'A' ? aceBody(which, colour, height) : pips(which, '10', colour, height, 21, 46);
    return sheet(height, frame(height, 21.5) + twice(height, index) + body);
  }
  const picture = `<g clip-path="url(#half)"><rect x="5.5" y="21.5" width="89" height="${half}" fill="${courtGround(which)}"/>`
    + `<g transform="translate(50 ${half}) scale(1.04)">${court(which, rank)}</g></g>`;
  return sheet(height, `<defs><clipPath id="half"><rect x="5.5" y="21.5" width="89" height="${half - 21.5}"/></clipPath></defs>`
    + twice(height, picture + index) + frame(height, 21.5) + middle(height, colour));
}

function pips(which, rank, colour, height, dx, dy) {
  const scale = rank === '2' || rank === '3' ? 1.9 : 1.5;
  return PIPS[rank].map(([x, y]) => suit(which, 50 + x * dx, height / 2 + y * dy, scale, colour, y > 0)).join('');
}

function aceBody(which, colour, height) {
  const y = height / 2;
  return `<circle cx="50" cy="${y}" r="29" fill="${CREAM}" stroke="${INK}" stroke-width="1.1"/><circle cx="50" cy="${y}" r="26" fill="none" stroke="${colour}" stroke-width=".8"/>`
    + suit(which, 50, y, 3.8, colour) + (height > 150 ? [0, 180] : []).map((a) => `<g transform="rotate(${a} 50 ${y})">${line(`M44 ${y - 34}q6-6 12 0M50 ${y - 37}v-6`, 1.1, colour)}${dot(50, y - 45, 1.5, colour)}</g>`).join('');
}

function french(name, options) {
  const { which, rank, colour, text } = indexOf(name, FRENCH_HEIGHT, options);
  const height = FRENCH_HEIGHT;
  const half = height / 2;
  const size = text.length > 1 ? 18 : 21;
  const index = letter(text, 13.5, text === 'J' ? 19.5 : 21.5, size, colour, 'middle').replace('<text', text.length > 1 ? '<text textLength="18" lengthAdjust="spacingAndGlyphs"' : '<text') + suit(which, 13.5, 30, 1.15, colour);
  if (rank === 'A') return sheet(height, twice(height, index) + aceBody(which, colour, height));
  if (PIPS[rank]) return sheet(height, twice(height, index) + pips(which, rank, colour, height, 17, 46));
  const picture = `<g clip-path="url(#half)"><rect x="24" y="9" width="52" height="${half}" fill="${courtGround(which)}"/><g transform="translate(50 ${half}) scale(.9)">${court(which, rank)}</g>${suit(which, 31.5, 17, 1.1, colour)}</g>`;
  return sheet(height, `<defs><clipPath id="half"><rect x="24" y="9" width="52" height="${half - 9}"/></clipPath></defs>`
    + twice(height, picture + index) + `<rect x="24" y="9" width="52" height="${height - 18}" rx="1.5" fill="none" stroke="${INK}" stroke-width="1.2"/>`
    + `<path d="M24 ${half}h52" stroke="${INK}" stroke-width="1"/><path d="M50 ${half - 4}l4 4-4 4-4-4z" fill="${colour}" stroke="${INK}" stroke-width=".8"/>`);
}

function back(height) {
  let lattice = '';
  for (let at = 7 - height; at < 100 + height; at += 8) lattice += `M${at} 0l${height} ${height}M${at} ${height}l${height} ${-height}`;
  const y = height / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 ${height}" width="300" height="${3 * height}"><defs><clipPath id="in"><rect x="7" y="7" width="86" height="${height - 14}" rx="3"/></clipPath></defs>`
    + `<rect x=".75" y=".75" width="98.5" height="${height - 1.5}" rx="6.5" fill="${PAPER}" stroke="${INK}" stroke-width="1.5"/>`
    + `<g clip-path="url(#in)"><rect x="7" y="7" width="86" height="${height - 14}" fill="#22345a"/><path d="${lattice}" stroke="#5d7199" stroke-width=".9" fill="none"/></g>`
    + `<rect x="7" y="7" width="86" height="${height - 14}" rx="3" fill="none" stroke="#d09a4a" stroke-width="1.6"/>`
    + `<ellipse cx="50" cy="${y}" rx="31" ry="21" fill="#22345a" stroke="#d09a4a" stroke-width="1.6"/><ellipse cx="50" cy="${y}" rx="28" ry="18" fill="none" stroke="#d09a4a" stroke-width=".6"/>`
    + `${eye(50, y - 2, 1.62, '#efd9ad', 1.5)}</svg>`;
}

/** The drawing of a card as SVG text. Options: `language`, `four` (four colours), `french` (the 52-card shape). */
export function cardSvg(name, options = {}) {
  if (name === 'back') return back(options.french ? FRENCH_HEIGHT : TAROKK_HEIGHT);
  if (NUMERALS.includes(name)) return tarokk(name);
  if (options.french) return french(name, options);
  return tarokkSuit(name, options);
}

const cache = new Map();

/** The drawing as an address for an <img>. */
export function cardUrl(name, options = {}) {
  const key = `${name}|${options.language}|${options.four}|${options.french}`;
  if (!cache.has(key)) cache.set(key, `data:image/svg+xml,${encodeURIComponent(cardSvg(name, options))}`);
  return cache.get(key);
}
