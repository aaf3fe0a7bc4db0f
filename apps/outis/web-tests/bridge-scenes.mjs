// Bridge sessions for the mock. Only for tests of the page: the numbers in them are invented.

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const SEAL = 'b0e29179 1f32da0b 77e1c0de 00c0ffee 12345678 9abcdef0 0fedcba9 fdfa62ea';

export const BRIDGE = {
  evenings: [
    { evening: 'tuesday', title: 'Anna', made: 1790000000000, boards: range(1, 24), marks: [{ board: 3, mark: 'invalid' }, { board: 5, mark: 'suits', to: ['H', 'S', 'D', 'C'] }, { board: 7, mark: 'played' }], sheets: true, unsolved: 24, seal: SEAL, code: 'x' },
    { evening: 'lesson', title: '', made: 1780000000000, boards: [2, 5, 9], marks: [], sheets: false, unsolved: 3, seal: null, code: null },
  ],
  job: { kind: 'analyse', evening: 'lesson', done: 7, all: 15, stopping: false },
  leak: 200000,
};

const NAMES = ['first-void', 'named-void', 'second-void', 'last-ace', 'four-ace', 'four-king', 'four-queen', 'bottom-king', 'bottom-queen'];
const figure = (name) => ({ name, what: 'x', paper: '3/4', exact: '29/68 = 0.4265', measured: { value: 0.2501, low: 0.2488, high: 0.2514, trials: 200000 } });
const ENDS = ['void-last', 'points'].flatMap((id) => [1, 2].map((place) => ({ figure: id, place, exact: 0.0512 })));
const PAIRS = [{ places: [13, 26], void_last: 0.0021 }, { places: [39, 52], void_last: 0.0032 }];
const PATTERNS = [false, true].map((order) => ({ needs_order: order, statement: 'place', event: 'void', n: [3, 4], rank: 'A', suit: 1, given: 0.31, prior: 0.25, often: 0.1 }));
export const FIGURES = { void: 0.012791, ratio_equal_piles: 57.5, ratio_varied_piles: 12.25, schemes: ['plain', 'equal', 'paper', 'extra'].map((id) => ({ id, scheme: id, figures: NAMES.map(figure), ace_by_position: Array.from({ length: 52 }, () => 0.25), ends: ENDS, pairs: PAIRS, patterns: PATTERNS })) };
