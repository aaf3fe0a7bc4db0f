// A lobby at one moment: its open tables, its archive, its ratings. Only for tests of the page: everything in it is invented.

import { TABLES } from './scenes.mjs';

const hex = (seed) => Array.from({ length: 32 }, (_, n) => ((seed * 53 + n * 97 + 11) % 256).toString(16).padStart(2, '0')).join('');
const NOW = 1790000000000;
const LONG = 'Szentmiklósi-Nagy Krisztina Erzsébet';
const HOSTILE = '<img src=x onerror=alert(1)>\u202egnp.exe';
const words = ['lusab-babad-gutih', 'dodit-kuvah-mirad', 'fabip-zolus-nitam', 'rosok-havib-sudat', 'talin-morof-bikut', 'gomor-lisip-hunav'];
const player = (n, name, more = {}) => ({ name, key: hex(n), words: words[n % words.length], you: false, ...more });
const anna = { ...player(0, 'Anna'), key: '3f'.repeat(32), you: true };
const bela = player(1, 'Béla');
const cili = player(2, LONG);
const denes = player(3, HOSTILE);
const said = (outcome, more = {}) => ({ verifier: words[4], key: hex(40), outcome, seat: null, at: NOW + 60000, scores: [], words: '', place: true, ...more });
const shelved = (n, game, players, verdicts) => ({ log: hex(100 + n), table: hex(200 + n), game, at: NOW - n * 7.3e7, names: players.map((one) => one.name), players, verdicts });

const notice = (n, game, who, more = {}) => ({ table: hex(60 + n), notice: hex(70 + n), game, grade: 'hardened', dials: [], seats: 2, open: 1, who, words: words[n], key: hex(n), days: null, strength: null, private: false, until: NOW + 6e5, own: false, ...more });

export const OPEN = {
  phase: 'here', name: 'Our club', people: 12, why: null, settings: { lobby: `outislobby1.${'q7zk4m2x'.repeat(9)}`, shelve: true },
  tables: [notice(1, 'dark-chess', 'Béla', { days: 3 }), notice(2, 'tarokk', LONG, { seats: 4, open: 3 }), notice(3, 'poker', HOSTILE, { seats: 6, open: 2, private: true }), notice(0, 'zherotag', 'Anna', { own: true })],
  claims: [], posted: [], letters: 0, quick: null, odd: 0,
  blocked: [{ key: hex(9), words: words[5], name: 'Mallory', at: NOW }],
};

const GAMES = [
  shelved(0, 'tarokk', [anna, bela, cili, player(4, 'Dénes')], [said('finished', { scores: [4, -2, 6, -8] })]),
  shelved(1, 'dark-chess', [bela, anna], [said('finished', { scores: [1, 0] }), said('finished', { verifier: words[3], key: hex(41), place: false, scores: [1, 0] })]),
  shelved(2, 'high-card', [anna, denes, cili], [said('fault', { seat: 1, words: 'seat 1 did not shuffle the deck before' })]),
  shelved(3, 'matching-pennies', [cili, denes], []),
];
export const [GOOD_LOG, , BAD_LOG] = GAMES.map((game) => game.log);

const RATINGS = {
  rows: [cili, anna, bela, denes].map((one, n) => ({ key: one.key, words: one.words, name: one.name, you: one.you, rating: 1687.3 - 71 * n, deviation: 88.1 + 31 * n, games: 41 - 9 * n })),
  all: 4, verifiers: [{ verifier: words[4], key: hex(40), place: true, results: 52 }, { verifier: words[3], key: hex(41), place: false, results: 9 }], forged: 1,
};

/** The node's answers about the archive. */
export function shelfAnswer(what, wanted) {
  if (what === 'people') return { people: [{ key: hex(3), words: 'lemon orbit velvet', name: 'Béla <b>', you: false }, { key: hex(4), words: 'amber tango bacon', name: 'Anna', you: true }] };
  if (what === 'ratings') {
    if (wanted.game !== 'tarokk') return { rows: [], all: 0, verifiers: [], forged: 0 };
    const verifiers = RATINGS.verifiers.map((one) => ({ ...one, counts: wanted.only?.includes(one.key) ?? true }));
    const rows = RATINGS.rows.slice(0, 2 * verifiers.filter((one) => one.counts).length);
    return { ...RATINGS, rows, all: rows.length, verifiers };
  }
  if (what === 'games') {
    const plays = (one) => !wanted.player || one.key === wanted.player || one.name.toLowerCase().includes(wanted.player.toLowerCase());
    const games = GAMES.filter((game) => (!wanted.game || game.game === wanted.game) && game.players.some(plays) && game.at >= (wanted.from || 0) && (!wanted.to || game.at <= wanted.to));
    return { games: wanted.after ? [] : games, next: wanted.after || wanted.player || wanted.game ? null : hex(1), unsound: wanted.after ? 1 : 0 };
  }
  const game = GAMES.find((one) => one.log === wanted.log);
  if (!game) return null;
  const bad = game.log === BAD_LOG;
  const pictures = Object.values(TABLES).filter((table) => table.game === game.game && !bad).map((table) => ({ round: table.round, view: { ...table.view, me: null, hand: undefined }, lines: table.lines }));
  const finding = { game: game.game, seats: game.players.length, rounds: 312, head: hex(7), verdict: bad ? 'fault' : 'finished', seat: bad ? 1 : null, round: bad ? 4 : null, check: bad ? 'shuffle' : null, words: bad ? 'seat 1 did not shuffle the deck before' : '', claims: [], scores: bad ? [2, -4, 2] : game.verdicts[0]?.scores ?? null, pictures };
  return { finding, agrees: game.log !== GAMES[1].log, game: { ...game, verdicts: game.verdicts.map((one, n) => ({ ...one, same: game.log !== GAMES[1].log || n === 0 })) } };
}
