// The board: sixty-four squares that can be clicked, dragged over, navigated with arrow keys and read aloud.

import { refresh } from '../../app.js';
import { moved as movedByHand } from '../../motion.js';
import { h } from '../../dom.js';
import { say, t } from '../../words.js';
import { drawing } from './drawn.js';
import { NAMES, cloak, piece } from './pieces.js';

const FILES = 'abcdefgh';

/** The content of a square: a letter, `.`, `?` or `#`. */
export const at = (rows, square) => rows[8 - Number(square[1])][FILES.indexOf(square[0])];

const isPiece = (mark) => /[a-z]/i.test(mark);
/** Whether a mark is a piece of this colour. */
export const isOf = (mark, color) => isPiece(mark) && (mark === mark.toUpperCase() ? 'white' : 'black') === color;
const pieceName = (mark) => ({ id: `dark-chess.piece.${NAMES[mark.toLowerCase()]}` });

/** The squares in display order: from the top left, with the player's own side at the bottom. */
function order(flip) {
  const ranks = flip ? [1, 2, 3, 4, 5, 6, 7, 8] : [8, 7, 6, 5, 4, 3, 2, 1];
  const files = flip ? [...FILES].reverse() : [...FILES];
  return ranks.map((rank) => files.map((file) => `${file}${rank}`));
}

function label(square, mark, state) {
  const parts = [];
  if (isPiece(mark)) parts.push(t(state.color && !isOf(mark, state.color) ? 'chess.at.other' : state.color ? 'chess.at.own' : `chess.at.${mark === mark.toUpperCase() ? 'white' : 'black'}`, { square, piece: pieceName(mark) }));
  else parts.push(t({ '.': 'chess.at.empty', '?': 'chess.at.blocked', '#': 'chess.at.dark' }[mark], { square }));
  if (state.ghost) parts.push(t('chess.ghost', { piece: pieceName(state.ghost.piece), n: state.ghost.ago }));
  if (state.target) parts.push(t('chess.target'));
  if (state.taken) parts.push(t('chess.taken.here'));
  if (state.seen) parts.push(t('chess.seen'));
  if (state.premove) parts.push(t('chess.premove.here'));
  return parts.join(', ');
}

/**
 * The board. `rows` are eight strings; `tap` is called with a chosen square, `drop` with two. Squares of `targets` can be reached from
 * `selected`; `lift` is called when a piece is picked up, `draw` with two squares of the right mouse button and a colour. `over` is drawn on top of the
 * board.
 */
export function squares({ rows, color = null, flip = false, selected = null, targets = new Set(), movable = new Set(), marks = {}, ghosts = [], focus = null, walk = null, tap = null, lift = null, drop = null, draw = null, drawn = [], over = null, caption }) {
  const remembered = new Map(ghosts.map((ghost) => [ghost.square, ghost]));
  const lines = order(flip);
  const start = focus || (flip ? 'd8' : 'e1');
  const keys = (event) => {
    const square = event.target.dataset?.square;
    if (!square || !walk) return;
    const row = lines.findIndex((line) => line.includes(square));
    const column = lines[row].indexOf(square);
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (step) {
      event.preventDefault();
      const next = lines[row + step[0]]?.[column + step[1]];
      if (next) walk(next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      tap?.(square);
    } else if (event.key === 'Escape') tap?.(null);
  };
  // The key of a piece that moved is its starting square, so that the movement is animated.
  const cameFrom = (square) => [marks, marks.seen].find((move) => move?.to === square && move.from)?.from ?? square;
  const cell = (square, row, column) => {
    const mark = at(rows, square);
    const state = { color, ghost: remembered.get(square), target: targets.has(square), taken: marks.taken === square, premove: marks.premove?.includes(square), seen: marks.seen?.from === square || marks.seen?.to === square };
    const shade = (FILES.indexOf(square[0]) + Number(square[1])) % 2 ? 'dark' : 'light';
    const classes = ['square', shade, mark === '#' && 'fog', mark === '?' && 'felt-out', selected === square && 'selected', state.target && (isPiece(mark) ? 'target takes' : 'target'), movable.has(square) && 'movable',
      (marks.from === square || marks.to === square) && 'last', state.seen && 'seen', state.taken && 'taken', state.premove && 'premove'];
    return h('div', { key: square, role: 'gridcell', class: classes.filter(Boolean).join(' '), 'data-square': square, tabindex: square === start ? '0' : '-1', 'aria-label': label(square, mark, state), 'aria-selected': String(selected === square) },
      column === 0 && h('span', { class: 'coordinate rank', 'data-name': square[1], 'aria-hidden': 'true', key: 'rank' }),
      row === 7 && h('span', { class: 'coordinate file', 'data-name': square[0], 'aria-hidden': 'true', key: 'file' }),
      isPiece(mark) && h('div', { class: 'man', key: `man-${mark}`, 'data-move': `man-${mark}-${cameFrom(square)}` }, piece(mark)),
      mark === '?' && h('div', { class: 'man', key: 'cloak' }, cloak()),
      mark === '#' && state.ghost && h('div', { class: 'man ghost', key: 'ghost' }, piece(color === 'white' ? state.ghost.piece : state.ghost.piece.toUpperCase())));
  };
  return h('div', { class: 'chess-field', key: 'board' },
    h('div', { class: `chess-board ${tap ? 'live' : ''}`, role: 'grid', 'aria-label': caption, key: 'grid', onkeydown: keys, ...(tap ? pointing({ tap, lift, drop, draw }) : {}) },
      lines.map((line, row) => h('div', { class: 'chess-row', role: 'row', key: row }, line.map((square, column) => cell(square, row, column))))),
    drawing(drawn, flip), over);
}

/** The piece being dragged, if any; the square below it; the square where the right mouse button was pressed. */
let held = null;
let below = null;
let drawnFrom = null;

/** Marks the square on which the dragged piece would land. */
function hover(cell) {
  if (below === cell) return;
  below?.classList.remove('below');
  cell?.classList.add('below');
  below = cell;
}

/** The colour of a drawing: another one with Shift, a third with Alt. */
const tintOf = (event) => (event.shiftKey ? 'red' : event.altKey ? 'blue' : 'green');

function release() {
  hover(null);
  held?.man?.style.removeProperty('transform');
  held?.man?.classList.remove('held');
  held = null;
}

// Escape puts a dragged piece back.
addEventListener('keydown', (event) => { if (event.key === 'Escape' && held?.moved) release(); });

/** Pointer events: press and release on one square is a tap, on two squares a move. */
function pointing({ tap, lift, drop, draw }) {
  const cellOf = (event) => document.elementsFromPoint(event.clientX, event.clientY).map((node) => node.closest?.('[data-square]')).find(Boolean);
  const squareOf = (event) => cellOf(event)?.dataset.square;
  return {
    oncontextmenu: (event) => event.preventDefault(),
    onpointerdown: (event) => {
      if (event.button === 2) drawnFrom = event.target.closest?.('[data-square]')?.dataset.square ?? null;
      if (event.button !== 0 && event.pointerType === 'mouse') return;
      const cell = event.target.closest?.('[data-square]');
      if (!cell) return;
      release();
      held = { from: cell.dataset.square, x: event.clientX, y: event.clientY, man: cell.classList.contains('movable') ? cell.querySelector('.man') : null, moved: false };
      if (held.man) event.currentTarget.setPointerCapture(event.pointerId);
    },
    onpointermove: (event) => {
      if (!held?.man) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.moved && Math.hypot(dx, dy) < 7) return;
      if (!held.moved) lift(held.from);
      held.moved = true;
      held.man.classList.add('held');
      held.man.style.setProperty('transform', `translate(${dx}px, ${dy}px) scale(1.15)`);
      hover(cellOf(event));
    },
    onpointerup: (event) => {
      if (event.button === 2 && drawnFrom && squareOf(event)) draw(drawnFrom, squareOf(event), tintOf(event));
      if (event.button === 2) drawnFrom = null;
      if (!held) return;
      const { from, moved } = held;
      const to = squareOf(event);
      release();
      if (!to) return refresh();
      if (moved && to !== from) {
        movedByHand();
        return drop(from, to);
      }
      return to === from ? tap(to) : undefined;
    },
    onpointercancel: release,
  };
}
