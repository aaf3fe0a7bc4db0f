// ZheroTag: two kings in the fog. The board shows what the player's king sees, where the opponent's king was last known to be and, on
// request, where it may be; the compass moves. It shows the view of spec/games/zherotag.md; nothing here knows the rules.

import { app, onTable, refresh } from '../app.js';
import { h } from '../dom.js';
import { play } from '../sound.js';
import { seatRow } from '../table/seats.js';
import { say, tell } from '../words.js';

/** The eight directions, as arranged on the compass. */
const COMPASS = ['nw', 'n', 'ne', 'w', null, 'e', 'sw', 's', 'se'];
const TURNS = { n: 0, ne: 45, e: 90, se: 135, s: 180, sw: 225, w: 270, nw: 315 };
const STEPS = { nw: [-1, -1], n: [0, -1], ne: [1, -1], w: [-1, 0], e: [1, 0], sw: [-1, 1], s: [0, 1], se: [1, 1] };
const KEYS = {
  ArrowUp: 'n', ArrowDown: 's', ArrowLeft: 'w', ArrowRight: 'e',
  Numpad7: 'nw', Numpad8: 'n', Numpad9: 'ne', Numpad4: 'w', Numpad6: 'e', Numpad1: 'sw', Numpad2: 's', Numpad3: 'se',
  KeyQ: 'nw', KeyW: 'n', KeyE: 'ne', KeyA: 'w', KeyD: 'e', KeyZ: 'sw', KeyX: 's', KeyC: 'se',
};
const CROWN = 'M-3.2 2.6V-1.4L-1.5 .3 0 -2.8 1.5 .3 3.2 -1.4V2.6Z';
const CELL = 10;
/** Larger grids are shown through a window around the player's king. */
const WINDOW = 15;

const word = (id, args, names) => say(`zherotag.page.${id}`, args, names);

// What the person has chosen to see, by table or replay.
const chosen = new Map();
const choice = (ctx) => {
  if (!chosen.has(ctx.key)) chosen.set(ctx.key, { map: false, whole: false, step: null });
  return chosen.get(ctx.key);
};

let live = null;

onTable((now, before) => {
  if (now.game === 'zherotag' && !now.view) live = null;
  if (now.game === 'zherotag' && now.view?.sees && !before?.view?.sees) play('warning');
});

addEventListener('keydown', (event) => {
  if (!live || event.ctrlKey || event.altKey || event.metaKey || app.route.name !== 'table') return;
  if (event.target !== document.body && !event.target.closest?.('.zherotag')) return;
  const token = KEYS[event.code];
  if (!token || event.target.tagName === 'INPUT') return;
  event.preventDefault();
  live.choose(token);
});

/** The visible part of the grid: first column and row, and how many of each. */
function windowOf({ grid, at }, mine) {
  if (grid <= WINDOW || mine.whole || !at) return { x: 0, y: 0, n: grid };
  const from = (place) => Math.min(Math.max(place - (WINDOW - 1) / 2, 0), grid - WINDOW);
  return { x: from(at[0]), y: from(at[1]), n: WINDOW };
}

const middle = ([x, y]) => [x * CELL + CELL / 2, y * CELL + CELL / 2];

function king(cell, kind, key) {
  const [x, y] = middle(cell);
  return h('svg:g', { key, class: `zt-king ${kind}`, transform: `translate(${x} ${y})` },
    h('svg:circle', { r: 4.2 }), h('svg:path', { d: CROWN }));
}

function trail(cells, kind, key) {
  if (cells.length < 2) return null;
  return h('svg:polyline', { key, class: `zt-trail ${kind}`, points: cells.map((cell) => middle(cell).join(',')).join(' ') });
}

/** Where the opponent's king may be: the darker, the likelier. */
function chances(view) {
  const most = Math.max(...view.map, 1);
  const cell = (chance, at) => chance > 0 && h('svg:rect', {
    key: at, x: (at % view.grid) * CELL, y: Math.floor(at / view.grid) * CELL, width: CELL, height: CELL, 'fill-opacity': (0.18 + 0.72 * (chance / most)).toFixed(2),
  });
  return h('svg:g', { key: 'map', class: 'zt-map' }, view.map.map(cell));
}

/** Everything that the player's king does not see. The hole has soft edges; the squares next to the king are clear. */
function fog(view, box) {
  const [x, y] = view.at || [-9, -9];
  const all = { x: box.x * CELL, y: box.y * CELL, width: box.n * CELL, height: box.n * CELL };
  return [
    h('svg:defs', { key: 'defs' },
      h('svg:filter', { id: 'zt-mist', x: '0%', y: '0%', width: '100%', height: '100%' },
        h('svg:feTurbulence', { type: 'fractalNoise', baseFrequency: (0.26 / box.n).toFixed(4), numOctaves: '4', seed: '7' }),
        h('svg:feColorMatrix', { type: 'matrix', values: '0 0 0 0 .74  0 0 0 0 .80  0 0 0 0 .86  1.5 .6 0 0 -.42' })),
      h('svg:filter', { id: 'zt-soft', x: '-30%', y: '-30%', width: '160%', height: '160%' }, h('svg:feGaussianBlur', { stdDeviation: '2.4' })),
      h('svg:mask', { id: 'zt-hole', maskUnits: 'userSpaceOnUse', ...all },
        h('svg:rect', { ...all, fill: '#fff' }),
        h('svg:rect', { x: (x - 1) * CELL - 1, y: (y - 1) * CELL - 1, width: 3 * CELL + 2, height: 3 * CELL + 2, rx: 4, fill: '#000', filter: 'url(#zt-soft)' }))),
    h('svg:g', { key: 'fog', class: 'zt-fog', mask: 'url(#zt-hole)' },
      h('svg:rect', { ...all, class: 'zt-dark' }), h('svg:rect', { ...all, class: 'zt-mist', filter: 'url(#zt-mist)' })),
  ];
}

/** The last known position of the opponent's king, and how far it can have moved since. */
function ghost(view) {
  if (!view.last || view.sees || view.end) return null;
  const [x, y] = view.last.at;
  const reach = Math.ceil(view.last.ago / 2);
  const [left, top] = [Math.max(0, x - reach), Math.max(0, y - reach)];
  const size = (place, first) => (Math.min(view.grid, place + reach + 1) - first) * CELL;
  return h('svg:g', { key: 'ghost', class: 'zt-ghost' },
    h('svg:rect', { x: left * CELL, y: top * CELL, width: size(x, left), height: size(y, top), rx: 5 }),
    king([x, y], 'ghost', 'ghost'));
}

function lines(box) {
  const out = [];
  for (let n = 0; n <= box.n; n++) {
    const [x, y, end] = [(box.x + n) * CELL, (box.y + n) * CELL, box.n * CELL];
    out.push(h('svg:line', { x1: x, x2: x, y1: box.y * CELL, y2: box.y * CELL + end }), h('svg:line', { y1: y, y2: y, x1: box.x * CELL, x2: box.x * CELL + end }));
  }
  return h('svg:g', { key: 'lines', class: 'zt-lines' }, out);
}

/** Arrows on the squares that the player's king may step to; the one with the opponent's king is a capture. */
function targets(ctx) {
  const { view, actions } = ctx;
  if (ctx.readonly || !view.at) return null;
  return h('svg:g', { key: 'targets', class: 'zt-targets' }, actions.map(({ token }) => {
    const cell = [view.at[0] + STEPS[token][0], view.at[1] + STEPS[token][1]];
    const [x, y] = middle(cell);
    const captures = view.sees && view.sees[0] === cell[0] && view.sees[1] === cell[1];
    return h('svg:g', { key: token, class: captures ? 'zt-target captures' : 'zt-target', onclick: () => ctx.choose(token) },
      h('svg:rect', { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL }),
      !captures && h('svg:path', { d: 'M0 -2.2V2.2M-1.7 -.5 0 -2.2 1.7 -.5', transform: `translate(${x} ${y}) rotate(${TURNS[token]})` }));
  }));
}

/** After the game, if both paths are known: where both kings were after this many moves. */
function after(view, step) {
  const moved = [Math.ceil(step / 2), Math.floor(step / 2)];
  return view.paths.map((path, seat) => path.slice(0, moved[seat] + 1));
}

function board(ctx, mine) {
  const { view } = ctx;
  const both = view.paths && view.end;
  const box = windowOf(view, both ? { whole: true } : mine);
  const me = view.me ?? 0;
  const step = mine.step ?? view.moves;
  const paths = both ? after(view, step) : null;
  const label = (ctx.lines || []).filter((line) => line.id !== 'zherotag.row').map((line) => tell(line, ctx.names)).join('. ');
  return h('svg:svg', { class: `zt-board ${both ? 'open' : ''}`, viewBox: `${box.x * CELL - 1} ${box.y * CELL - 1} ${box.n * CELL + 2} ${box.n * CELL + 2}`, role: 'img', 'aria-label': label },
    h('svg:rect', { key: 'ground', class: 'zt-ground', x: box.x * CELL, y: box.y * CELL, width: box.n * CELL, height: box.n * CELL }),
    lines(box),
    both ? [trail(paths[1 - me], 'other', 'trail-other'), trail(paths[me], 'own', 'trail-own'), king(paths[1 - me].at(-1), 'other', 'other'), king(paths[me].at(-1), 'own', 'own')]
      : [fog(view, box), mine.map && view.map && chances(view), ghost(view), trail(view.path, 'own', 'trail'), targets(ctx),
        view.sees && king(view.sees, 'other', 'other'), view.at && king(view.at, 'own', 'own')]);
}

function compass(ctx) {
  if (ctx.readonly || ctx.view.end || ctx.me === null) return null;
  const yours = ctx.actions.length > 0;
  const captions = new Map(ctx.actions.map((action) => [action.token, action.caption]));
  const seen = ctx.view.sees;
  const waiting = ctx.memory?.sent === ctx.now?.round;
  const arrow = (token) => {
    const caption = captions.get(token) || { id: `zherotag.direction.${token}` };
    const captures = seen && yours && ctx.view.at[0] + STEPS[token][0] === seen[0] && ctx.view.at[1] + STEPS[token][1] === seen[1];
    return h('button', { type: 'button', key: token, class: `button zt-arrow ${captures ? 'primary' : ''}`, 'data-token': token, 'aria-disabled': String(!captions.has(token)), disabled: waiting || !yours, title: tell(caption, ctx.names), 'aria-label': tell(caption, ctx.names), onclick: () => ctx.choose(token) },
      h('svg:svg', { viewBox: '-6 -6 12 12', 'aria-hidden': 'true' }, captures ? h('svg:path', { d: CROWN }) : h('svg:path', { d: 'M0 -4V4M-3 -1 0 -4 3 -1', transform: `rotate(${TURNS[token]})` })));
  };
  return h('div', { class: 'zt-compass', role: 'group', 'aria-label': word('compass'), key: 'compass' },
    COMPASS.map((token) => (token ? arrow(token) : h('span', { key: 'middle', class: 'zt-middle', 'aria-hidden': 'true' }, h('svg:svg', { viewBox: '-6 -6 12 12' }, h('svg:path', { d: CROWN }))))));
}

/** Switches for what is shown. */
function switches(ctx, mine) {
  const { view } = ctx;
  const toggle = (name) => () => {
    mine[name] = !mine[name];
    refresh();
  };
  const pressed = (name, id) => h('button', { type: 'button', key: name, class: 'button small', 'aria-pressed': String(mine[name]), onclick: toggle(name) }, word(id));
  return h('div', { class: 'row zt-switches', key: 'switches' },
    view.map && !view.end && pressed('map', 'map'),
    view.grid > WINDOW && !(view.paths && view.end) && pressed('whole', 'whole'));
}

/** The controls for stepping through both paths. */
function walk(ctx, mine) {
  const { view } = ctx;
  if (!view.paths || !view.end) return null;
  const step = mine.step ?? view.moves;
  const to = (place) => {
    mine.step = place;
    refresh();
  };
  return h('label', { class: 'zt-walk', key: 'walk' },
    h('span', { class: 'number' }, word('after', { n: step, of: view.moves })),
    h('input', { type: 'range', min: 0, max: view.moves, value: String(step), oninput: (event) => to(Number(event.target.value)) }));
}

/** A sentence: where the player's king is, and what is known of the opponent's. */
function sentence(ctx) {
  const { view, names } = ctx;
  if (view.end?.kind === 'capture') return say('zherotag.captured', { who: { seat: view.end.by } }, names);
  if (view.end) return say('zherotag.draw', { n: view.moves });
  if (view.me === null) return word('watching', { n: view.moves });
  const square = ([x, y]) => ({ column: x + 1, row: y + 1 });
  if (view.sees) return say('zherotag.sees', square(view.sees));
  if (view.last?.ago === view.moves) return say('zherotag.began', square(view.last.at));
  return say('zherotag.last', { ...square(view.last.at), ago: view.last.ago });
}

export function zherotag(ctx) {
  const { view } = ctx;
  const mine = choice(ctx);
  live = ctx.readonly ? null : ctx;
  return h('div', { class: 'zherotag-table' },
    !ctx.readonly && seatRow(ctx),
    h('div', { class: 'felt zherotag', key: 'felt' },
      h('p', { class: `zt-words ${view.sees ? 'seen' : ''}`, role: 'status', key: 'words' }, sentence(ctx)),
      h('div', { class: 'zt-play', key: 'play' }, h('div', { class: 'zt-box', key: 'box' }, board(ctx, mine)), h('div', { class: 'zt-beside', key: 'beside' },
        compass(ctx), switches(ctx, mine), walk(ctx, mine),
        h('p', { class: 'small muted', key: 'count' }, view.limit > 0 ? word('moves.of', { n: view.moves, of: view.limit }) : word('moves', { n: view.moves })),
        !ctx.readonly && !view.end && ctx.me !== null && h('p', { class: 'small muted zt-keys', key: 'keys' }, word('keys'))))),
    !ctx.readonly && ctx.status());
}
