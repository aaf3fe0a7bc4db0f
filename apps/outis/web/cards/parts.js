// Pieces that every card is composed of: colours, pen strokes, numerals, suit signs, the closed eye.
// All drawings are strings of SVG with presentation attributes only, so they work under a strict CSP.

export const INK = '#1f2a40';
export const PAPER = '#faf3e3';
export const CREAM = '#efe2c6';
export const RED = '#b23a2e';
export const OCHRE = '#d8a13f';
export const GOLD = '#e9c46a';
export const BLUE = '#42709c';
export const SKY = '#bcd2dc';
export const NIGHT = '#2b3c5e';
export const GREEN = '#55835a';
export const LEAF = '#86a873';
export const SEA = '#5f93a8';
export const SKIN = '#eccaa4';
export const BROWN = '#8a5a35';
export const STONE = '#b9b1a2';
export const WHITE = '#fffdf6';

/** A filled shape. */
export const fill = (d, colour) => `<path d="${d}" fill="${colour}"/>`;
/** A pen stroke. */
export const line = (d, width = 1.2, colour = INK) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
/** A filled shape with an ink outline, as on a stencilled woodcut. */
export const shape = (d, colour, width = 1.1) =>
  `<path d="${d}" fill="${colour}" stroke="${INK}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
export const dot = (x, y, r, colour = INK) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`;
export const ring = (x, y, r, colour, width = 1.1) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}" stroke="${INK}" stroke-width="${width}"/>`;
export const move = (x, y, inner, more = '') => `<g transform="translate(${x} ${y})${more && ` ${more}`}">${inner}</g>`;

// --- roman numerals, drawn so that they look the same on every machine ---------------------------------------------

const ROMAN = {
  I: [6.6, 'M0 0h6v1.4H4.6v11.2H6V14H0v-1.4h1.4V1.4H0z'],
  V: [12.2, 'M-.2 0h5.4v1.3H4.3L7 9.6l2.7-8.3H8.5V0H12v1.3h-.8L7.2 14H5.3L1 1.3H-.2z'],
  X: [12.4, 'M.2 0h5.2v1.3h-.8l2.1 3.6L8.9 1.3H7.8V0h3.9v1.3h-1L7.5 6.2l3.8 6.4h.9V14H6.8v-1.3h.9L5.5 8.9l-2.4 3.7h1.2V14H0v-1.4h1.2l3.6-5.3-3.5-6H.2z'],
};

/** The width of a roman numeral of height 14. */
export function romanWidth(numeral) {
  return [...numeral].reduce((sum, letter) => sum + ROMAN[letter][0], 0);
}

/** A roman numeral, its top left corner at the origin, 14 high. */
export function roman(numeral, colour = INK) {
  let at = 0;
  let out = '';
  for (const letter of numeral) {
    const [width, d] = ROMAN[letter];
    out += `<path transform="translate(${at.toFixed(1)} 0)" d="${d}" fill="${colour}"/>`;
    at += width;
  }
  return out;
}

// --- suits ---------------------------------------------------------------------------------------------------------

const SUIT = {
  H: 'M0 4.8C-6.4.4-5.6-4.6-2.6-4.6-1.1-4.6-.1-3.5 0-2.3.1-3.5 1.1-4.6 2.6-4.6 5.6-4.6 6.4.4 0 4.8z',
  D: 'M0-5.2Q1.6-2.1 4.1 0 1.6 2.1 0 5.2-1.6 2.1-4.1 0-1.6-2.1 0-5.2z',
  S: 'M0-5.2C1-2.8 4.9-1.2 4.9 1.5c0 2.1-2.6 2.8-4.1 1.1L1.8 5h-3.6l1-2.4C-2.3 4.3-4.9 3.6-4.9 1.5-4.9-1.2-1-2.8 0-5.2z',
  C: 'M0-5a2.4 2.4 0 0 1 2.1 3.6A2.5 2.5 0 1 1 .8 2.4L1.8 5h-3.6l1-2.6a2.5 2.5 0 1 1-1.3-3.8A2.4 2.4 0 0 1 0-5z',
};

/** The colours of the suits: two, or four for those who want them told apart at a glance. */
export function suitColour(suit, four) {
  if (four) return { H: '#b23a2e', D: '#b06a12', S: '#1f2a40', C: '#2f6b45' }[suit];
  return suit === 'H' || suit === 'D' ? '#b23a2e' : '#1f2a40';
}

/** A suit sign around the origin, about 10 units high at scale 1. */
export const suit = (which, x, y, scale, colour, turned = false) =>
  `<path transform="translate(${x} ${y})${turned ? ' rotate(180)' : ''} scale(${scale})" d="${SUIT[which]}" fill="${colour}"/>`;

/** A letter or number, upright serif. */
export const letter = (text, x, y, size, colour, anchor = 'start') =>
  `<text x="${x}" y="${y}" font-family="Georgia,'Palatino Linotype',Palatino,'DejaVu Serif',serif" font-weight="700" font-size="${size}" fill="${colour}" text-anchor="${anchor}">${text}</text>`;

/** The mark of Outis, a closed eye in one line: 24 wide around the origin. */
export const EYE = 'M-12-2.5C-7.5 4 7.5 4 12-2.5M-9.3 .6l-2.6 3M-4.2 2.6l-1.3 3.7M0 3v3.9M4.2 2.6l1.3 3.7M9.3.6l2.6 3';
export const eye = (x, y, scale, colour, width = 1.5) =>
  `<g transform="translate(${x} ${y}) scale(${scale})"><path d="${EYE}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/></g>`;
