// Views of ZheroTag tables. The format is that of spec/games/zherotag.md.

const STEPS = { nw: [-1, -1], n: [0, -1], ne: [1, -1], w: [-1, 0], e: [1, 0], sw: [-1, 1], s: [0, 1], se: [1, 1] };

/** Probabilities that decrease with the distance from a square. */
const spread = (grid, [x, y], reach) => Array.from({ length: grid * grid }, (_, n) => {
  const far = Math.max(Math.abs((n % grid) - x), Math.abs(Math.floor(n / grid) - y));
  return far > reach ? 0 : Math.max(1, 120 - 25 * far);
});

export function zherotagScenes({ base, seat, text, mine, other, action }) {
  const two = [seat(0), seat(1)];
  const here = [seat(0), seat(1, { kind: 'here', level: null })];
  const actions = (grid, [x, y], seen) => Object.entries(STEPS)
    .filter(([, [dx, dy]]) => x + dx >= 0 && x + dx < grid && y + dy >= 0 && y + dy < grid)
    .map(([token, [dx, dy]]) => {
      const direction = text(`zherotag.direction.${token}`);
      return action(token, seen && seen[0] === x + dx && seen[1] === y + dy ? text('zherotag.capture', { direction }) : direction);
    });
  const view = (more) => ({ version: 1, grid: 6, limit: 60, moves: 8, turn: 0, me: 0, at: [3, 2], path: [[0, 0], [1, 1], [2, 1], [3, 1], [3, 2]], sees: null, last: { at: [5, 5], ago: 8 }, map: spread(6, [5, 5], 3), end: null, paths: null, scores: [0, 0], ...more });
  const table = (name, more, rest) => base(name, 'zherotag', two, { view: view(more), lines: [text('zherotag.own', { column: 4, row: 3 }), text('zherotag.began', { column: 6, row: 6 })], news: [text('zherotag.turn', { n: 8, who: { seat: 1 } })], ...rest });
  return [
    table('zherotag-turn', {}, { expects: mine('move'), actions: actions(6, [3, 2]) }),
    // Two people at one device: Anna's turn, then Béla's, then covered, then the game is over.
    table('zherotag-shared', {}, { expects: mine('move'), actions: actions(6, [3, 2]), seats: here, hand: { holder: 0, next: null, people: [0, 1] } }),
    table('zherotag-hand', {}, { expects: other('move', 1), seats: here, hand: { holder: 0, next: 1, people: [0, 1] } }),
    table('zherotag-covered', {}, { view: null, lines: [], news: [], me: null, expects: other('move', 1), seats: here.map((one) => ({ ...one, kind: 'here' })), hand: { holder: null, next: 1, people: [0, 1] } }),
    table('zherotag-classic', {}, { expects: mine('move'), actions: actions(6, [3, 2]), grade: 'classic' }),
    table('zherotag-edge', { at: [0, 5], path: [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5]], moves: 10, last: { at: [4, 4], ago: 5 } }, { expects: mine('move'), actions: actions(6, [0, 5]) }),
    table('zherotag-seen', { sees: [4, 3], last: { at: [4, 3], ago: 0 }, map: spread(6, [4, 3], 0) }, { expects: mine('move'), actions: actions(6, [3, 2], [4, 3]) }),
    table('zherotag-large', { grid: 64, at: [40, 22], path: [[37, 20], [38, 20], [39, 21], [40, 22]], moves: 52, last: { at: [36, 30], ago: 7 }, map: spread(64, [36, 30], 4) }, { expects: other('move', 1) }),
    table('zherotag-over', { moves: 9, turn: null, at: [4, 3], sees: null, end: { kind: 'capture', by: 0, direction: 'se' }, scores: [1, -1], paths: [[[0, 0], [1, 1], [2, 1], [3, 1], [3, 2], [4, 3]], [[5, 5], [4, 5], [3, 5], [4, 4], [4, 3]]] }, { phase: 'over', expects: null, scores: [1, -1], report: { end: 'finished', story: [], blames: [], provable: false } }),
  ];
}
