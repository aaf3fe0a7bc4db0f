// Dark chess: the board from the player's side, with visible squares lit and the rest under fog. Nothing here knows the rules: the node
// offers the actions, and a move is possible if its token is among them.

import { app, onTable, refresh, setPref, table } from '../../app.js';
import { h } from '../../dom.js';
import { button, iconButton } from '../../parts.js';
import { play } from '../../sound.js';
import { say, t } from '../../words.js';
import { actionButton, confirm, digit } from '../../table/actions.js';
import { backBar, earlier, keep } from './back.js';
import { ending, moveList } from './list.js';
import { pgnButton } from './pgn.js';
import { piece } from './pieces.js';
import { review } from './review.js';
import { redrawn } from './drawn.js';
import { likely, remember } from './seen.js';
import { at, isOf, squares } from './squares.js';
import { strip } from './strip.js';
import { typed } from './typed.js';

const MOVE = /^([a-h][1-8])([a-h][1-8])([nbrq]?)$/;

onTable((now, before) => {
  if (now.game !== 'dark-chess' || !now.view) return;
  if (now.view.color) remember(table(now.table).memory ??= {}, now.view);
  keep(table(now.table).memory ??= {}, now.view);
  if (!before?.view) return;
  if (now.view.plies.length > before.view.plies.length) play(now.view.plies.at(-1).takes ? 'capture' : 'move');
});

/** The offered moves, by starting square. */
function offered(actions) {
  const found = new Map();
  for (const { token } of actions) {
    const [, from, to, becomes] = token.match(MOVE) || [];
    if (!from) continue;
    if (!found.has(from)) found.set(from, new Map());
    found.get(from).set(to, [...(found.get(from).get(to) || []), becomes]);
  }
  return found;
}

export function darkChess(ctx) {
  const { view } = ctx;
  const memory = (ctx.memory ??= {});
  if (view.game && !ctx.readonly) return review(ctx);
  const color = view.color || 'white';
  const flip = (color === 'black') !== Boolean(memory.flip);
  const top = flip ? 'white' : 'black';
  const bottom = flip ? 'black' : 'white';
  const live = !ctx.readonly && view.color !== null && !view.outcome && ctx.now?.phase !== 'over' && ctx.now?.me !== null;
  return h('div', { class: 'dark-chess', 'data-board': app.prefs.board ?? 'wood' },
    h('div', { class: 'chess-table', key: 'table' },
      strip(ctx, top),
      field(ctx, { color, flip, live }),
      strip(ctx, bottom)),
    h('div', { class: 'chess-below', key: 'below' },
      !ctx.readonly && ctx.status(),
      backBar(ctx),
      live && view.offer && h('p', { class: 'notice small', role: 'status', key: 'offer' }, t(view.offer === view.color ? 'chess.offered' : 'chess.offers')),
      live && ctx.memory.promote && h('p', { class: 'small muted', key: 'secret' }, t('chess.promote.secret')),
      !ctx.readonly && deeds(ctx),
      ending(ctx),
      tools(ctx, live),
      moveList(ctx)));
}

function field(ctx, { color, flip, live }) {
  const { view, memory } = ctx;
  const then = earlier(ctx);
  if (then) {
    const move = then.n > 0 ? view.plies[then.n - 1].move : null;
    return squares({ rows: then.rows, color: view.color, flip, marks: { from: move?.slice(0, 2), to: move?.slice(2, 4) }, caption: t('chess.back', { n: Math.ceil(then.n / 2) }) });
  }
  const moves = offered(ctx.actions || []);
  const yours = live && moves.size > 0 && memory.sent !== ctx.now?.round;
  // While the opponent thinks, and while a proof is being made, the player can choose the next move.
  const early = live && !yours && premoves(ctx);
  const going = memory.sent === ctx.now?.round && MOVE.test(memory.token) ? memory.token : null;
  const rows = going ? ahead(view.board, going, color) : view.board;
  if (memory.premove && yours) surprise(ctx, moves);
  const own = (square) => isOf(at(rows, square), color);
  if (memory.selected && !own(memory.selected)) memory.selected = null;
  if (memory.promote && (!yours || !own(memory.promote.from))) memory.promote = null;
  const select = (square) => {
    memory.selected = square;
    if (square) memory.focus = square;
    memory.promote = null;
    refresh();
  };
  const attempt = (from, to) => {
    memory.selected = null;
    memory.focus = to;
    const ways = moves.get(from)?.get(to);
    if (early) {
      Object.assign(memory, { premove: from === to ? null : [from, to], behind: going ? view.plies.length : null });
    } else if (!ways) {
      memory.selected = from;
      if (yours) ctx.why(`${from}${to}`);
    } else if (ways.length > 1) {
      memory.promote = { from, to };
      refresh(() => document.querySelector('[data-becomes="q"]')?.focus());
      return;
    } else {
      ctx.choose(`${from}${to}${ways[0]}`);
    }
    refresh();
  };
  const tap = (square) => {
    memory.drawn = [];
    if (square === null || square === memory.selected) {
      memory.premove = null;
      return select(null);
    }
    // A move to a square with the player's own piece is possible only as a premove, where the piece may recapture.
    const back = early && memory.selected && reaches(at(rows, memory.selected), memory.selected, square);
    if (memory.selected && (!own(square) || back || moves.get(memory.selected)?.has(square))) return attempt(memory.selected, square);
    if (own(square)) return select(square);
    memory.premove = null;
    memory.focus = square;
    return refresh();
  };
  const last = view.plies.at(-1);
  const mine = [...view.plies].reverse().find((ply) => ply.move);
  const [, from, to] = going?.match(MOVE) || (last?.move && mine?.move.match(MOVE)) || [];
  const seen = memory.seenMove?.ply === view.plies.length && !going ? memory.seenMove : null;
  const marks = { from, to, seen, taken: last && !last.move ? last.takes?.square : null, premove: memory.premove };
  const movable = new Set(yours ? moves.keys() : early ? ownSquares(rows, color) : []);
  return squares({
    rows, color: view.color, flip, live, marks, movable,
    selected: live ? memory.selected : null,
    targets: new Set(yours && memory.selected ? moves.get(memory.selected)?.keys() || [] : []),
    ghosts: app.prefs.ghosts === false || !view.color ? [] : likely(view),
    over: live && promotion(ctx, color, flip),
    drawn: memory.drawn || [],
    draw: (a, b, tint) => {
      memory.drawn = redrawn(memory.drawn || [], a, b, tint);
      refresh();
    },
    lift: (square) => select(square),
    focus: memory.focus,
    walk: (square) => {
      memory.focus = square;
      refresh(() => document.querySelector(`[data-square="${square}"]`)?.focus());
    },
    tap: live ? tap : null,
    drop: attempt,
    caption: t('chess.board'),
  });
}

/** Whether premoves are on: by default, except in correspondence games. */
const premoves = (ctx) => app.prefs.premove ?? !ctx.now?.days;

/** The board after this player's move in progress, as the node will show it once its proof is made. */
function ahead(rows, token, color) {
  const [, from, to, becomes] = token.match(MOVE);
  const cells = new Map();
  const man = at(rows, from);
  cells.set(from, '.').set(to, becomes ? (color === 'white' ? becomes.toUpperCase() : becomes) : man);
  const [side, rank] = [to[0] === 'g' ? ['h', 'f'] : ['a', 'd'], to[1]];
  if (/k/i.test(man) && from[0] === 'e' && 'cg'.includes(to[0])) cells.set(side[0] + rank, '.').set(side[1] + rank, at(rows, side[0] + rank));
  if (/p/i.test(man) && from[0] !== to[0] && at(rows, to) === '.') cells.set(to[0] + from[1], '.');
  return rows.map((row, n) => [...row].map((mark, file) => cells.get(`${'abcdefgh'[file]}${8 - n}`) ?? mark).join(''));
}

function* ownSquares(rows, color) {
  for (const file of 'abcdefgh') for (const rank of '12345678') if (isOf(at(rows, file + rank), color)) yield file + rank;
}

/** Whether a piece could get from one square to another on an empty board: not a rule, only what a gesture may mean. */
function reaches(man, from, to) {
  const [dx, dy] = [Math.abs(from.charCodeAt(0) - to.charCodeAt(0)), Math.abs(from[1] - to[1])];
  const [line, slant] = [dx === 0 || dy === 0, dx === dy];
  return { p: dy === 1 && dx <= 1, n: dx * dy === 2, b: slant, r: line, q: line || slant, k: dx <= 1 && dy <= 1 }[man.toLowerCase()] === true;
}

/** A premove: made if it is possible and needs no confirmation. */
function surprise(ctx, moves) {
  const [from, to] = ctx.memory.premove;
  ctx.memory.premove = null;
  // It was chosen on top of a move in progress: if that one did not happen, this one does not either.
  if (ctx.memory.behind === ctx.view.plies.length) return;
  const ways = moves.get(from)?.get(to);
  const token = ways && `${from}${to}${ways.length > 1 ? 'q' : ''}`;
  const action = token && ctx.actions.find((other) => other.token === token);
  if (action && !action.caution?.length) setTimeout(() => ctx.choose(token));
}

/** Everything except moves: an action that ends the game asks for confirmation. */
function deeds(ctx) {
  const asked = confirm(ctx);
  if (asked) return asked;
  const actions = ctx.actions.filter(({ token }) => !MOVE.test(token));
  return actions.length > 0 && h('div', { class: 'actions', role: 'group', 'aria-label': t('act.label'), key: 'actions' },
    actions.map((action, n) => actionButton(ctx, action, { key: digit(n) })));
}

/** The choice of promotion, shown on the target square, with the queen first. */
function promotion(ctx, color, flip) {
  const { promote } = ctx.memory;
  if (!promote) return null;
  const back = () => {
    ctx.memory.promote = null;
    refresh(() => document.querySelector(`[data-square="${promote.from}"]`)?.focus());
  };
  const pick = (letter) => {
    ctx.memory.promote = null;
    ctx.choose(`${promote.from}${promote.to}${letter}`);
  };
  const file = 'abcdefgh'.indexOf(promote.to[0]);
  const above = (promote.to[1] === '8') !== flip;
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') back();
    if (!step) return;
    event.preventDefault();
    const next = event.target[step === 1 ? 'nextElementSibling' : 'previousElementSibling'];
    next?.focus();
  };
  const order = [['q', 'queen'], ['n', 'knight'], ['r', 'rook'], ['b', 'bishop']];
  return h('div', { class: `promotion ${above ? 'above' : 'below'}`, style: { '--file': String(flip ? 7 - file : file) }, role: 'group', 'aria-label': t('chess.promote'), key: 'promotion', onkeydown: keys },
    (above ? order : [...order].reverse()).map(([letter, name]) => h('button', { type: 'button', key: letter, class: 'promote-to', 'data-becomes': letter, 'aria-label': say(`dark-chess.piece.${name}`), title: say(`dark-chess.piece.${name}`), onclick: () => pick(letter) }, piece(color === 'white' ? letter.toUpperCase() : letter))),
    button(t('act.back'), back, { kind: 'small promote-back' }));
}

/** The board themes to choose from. */
function themes() {
  const chosen = app.prefs.board ?? 'wood';
  return h('div', { class: 'row tight chess-themes', role: 'group', 'aria-label': t('chess.theme'), key: 'themes' }, ['wood', 'green', 'slate'].map((name) =>
    h('button', { type: 'button', key: name, class: 'button quiet icon', 'data-board': name, 'aria-pressed': String(chosen === name), title: t(`chess.theme.${name}`), 'aria-label': t(`chess.theme.${name}`), onclick: () => setPref('board', name) },
      h('span', { class: 'swatch' }, h('span', {}), h('span', {})))));
}

/** Board orientation, ghosts, premoves, typed moves, the game as a file. */
function tools(ctx, live) {
  const { memory, view } = ctx;
  const toggle = (name, on) => setPref(name, !on);
  const ghosts = app.prefs.ghosts !== false;
  const type = (event) => {
    event.preventDefault();
    const token = typed(memory.typed || '', ctx.actions, view.board);
    memory.typed = '';
    if (token) ctx.choose(token);
    refresh();
  };
  return h('div', { class: 'chess-tools row', key: 'tools' },
    iconButton('again', t('chess.flip'), () => { memory.flip = !memory.flip; refresh(); }, { 'data-key': 'F', 'data-at-once': '', 'aria-keyshortcuts': 'F' }),
    !ctx.readonly && view.color && h('button', { type: 'button', class: 'button quiet small', 'aria-pressed': String(ghosts), title: t('chess.ghosts.what'), onclick: () => toggle('ghosts', ghosts) }, t('chess.ghosts')),
    live && h('button', { type: 'button', class: 'button quiet small', 'aria-pressed': String(premoves(ctx)), title: t('chess.premove.what'), onclick: () => { memory.premove = null; toggle('premove', premoves(ctx)); } }, t('chess.premove')),
    themes(),
    live && h('form', { class: 'row chess-type', onsubmit: type },
      h('label', { class: 'visually-hidden', for: 'chess-typed' }, t('chess.type')),
      h('input', { id: 'chess-typed', type: 'text', maxlength: 8, autocomplete: 'off', spellcheck: 'false', placeholder: t('chess.type.example'), 'data-key': 'M', 'aria-keyshortcuts': 'M', value: memory.typed || '', oninput: (event) => { memory.typed = event.target.value; } }),
      h('button', { type: 'submit', class: 'button small' }, t('chess.type.do'), h('kbd', { class: 'key', 'aria-hidden': 'true' }, 'M'))),
    pgnButton(ctx));
}
