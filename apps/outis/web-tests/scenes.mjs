// Views of tables, each at one moment. Only for tests of the page: the numbers in them are invented.

import { readFileSync } from 'node:fs';
import { pokerScenes } from './scenes-poker.mjs';
import { zherotagScenes } from './scenes-zherotag.mjs';

const hex = (seed) => Array.from({ length: 32 }, (_, n) => ((seed * 37 + n * 101) % 256).toString(16).padStart(2, '0')).join('');
const NAMES = ['Anna', 'Béla', 'Cili', 'Dénes', 'Elemér'];
const seat = (n, more = {}) => ({ seat: n, kind: n === 0 ? 'you' : 'bot', name: NAMES[n], level: n ? 2 : null, key: hex(n), words: 'babad', compare: null, link: 'here', away: 0, muted: false, ready: true, ...more });
const text = (id, args) => (args ? { id, args } : { id });

function steps(kinds, seats) {
  const list = [];
  for (const [what, who] of kinds) for (const one of who === 'all' ? Array.from({ length: seats }, (_, n) => n) : [who]) list.push({ n: list.length, round: list.length >> 1, seat: one, what, own: one === 0, bytes: what === 'shuffle' ? 3168 : 96, made_us: one === 0 ? 4700 : null, judged_us: what === 'shuffle' ? 2440 : 310, head: hex(list.length), at: 1790000000000 + list.length * 700, verdict: 'accepted', check: null });
  return list;
}

const base = (name, game, seats, more) => ({
  table: name, game, phase: 'playing', me: 0, host: true, dials: [], seats, invites: [], ready: true, round: 17, head: hex(99), view: null, lines: [], expects: null, actions: [], scores: seats.map(() => 0), report: null, rematch: { wanted: [], table: null },
  steps: steps([['commit', 'all'], ['reveal', 'all'], ['shuffle', 0], ['shuffle', 1], ['shuffle', 2], ['draw', 'all']], seats.length), ...more,
});

const mine = (what) => ({ what, seats: [0], done: [], by_hand: true, yours: true, left: 47000, working: false });
const other = (what, n) => ({ what, seats: [n], done: [], by_hand: true, yours: false, left: null, working: false });

// --- tarokk --------------------------------------------------------------------------------------------------------

const HAND = ['skiz', 'XX', 'XVII', 'XII', 'IX', 'VI', 'pagat', 'H:K', 'S:10'];
const tarokkView = (more) => ({
  version: 1, seats: 4, me: 0, deal: 3, dealer: 3, sits_out: null, players: [0, 1, 2, 3], multiplier: 2, double_rounds: [2], deals: 0, paid_deals: 2, ending: { state: 'open' }, scores: [4, -2, 6, -8],
  phase: 'auction', awaited: [0], turn: 0, lines: [], legal: [], hand: HAND, dealt: HAND, results: [], ...more,
});
const call = (n, name) => ({ seat: n, call: name, text: text(`tarokk.call.${name}`) });
const AUCTION = [call(0, 'three'), call(1, 'two'), call(2, 'pass'), call(3, 'pass')];
const WON = [...AUCTION, call(0, 'hold'), call(1, 'pass')];
const CONTRACT = { declarer: 0, bid: 'two', value: 2, trial: false, invit: null, yielded_by: null, must_call: null, talon: [2, 2, 1, 1] };
const action = (token, caption, caution = []) => ({ token, caption, caution });
const TWELVE = ['skiz', 'XX', 'XVII', 'XII', 'IX', 'VI', 'IV', 'pagat', 'H:K', 'H:Q', 'S:10'];
const SAID = [{ seat: 0, token: 'call:XX', text: text('tarokk.say.call.XX') }, { seat: 0, token: 'trull', text: text('tarokk.figure.trull') }, { seat: 0, token: 'pass', text: text('tarokk.say.pass') }, { seat: 1, token: 'kontra:trull', text: text('tarokk.say.kontra', { kontra: text('tarokk.kontra.1'), what: text('tarokk.figure.trull') }) }, { seat: 1, token: 'pass', text: text('tarokk.say.pass') }];
const ANNOUNCED = [{ figure: 'trull', side: 'declarer', by: 0, kontra: 1, points: 4, text: text('tarokk.announced.kontra', { figure: text('tarokk.figure.trull'), side: text('tarokk.side.declarer'), kontra: text('tarokk.kontra.1'), points: 4 }) }];
const spoken = { auction: WON, contract: CONTRACT, laid: { shown: [], by_others: 1, by_seat: [0, 1, 0, 0] }, said: SAID, called: 'XX', game_kontra: 0, announcements: ANNOUNCED, counts: [null, null, null, null], sides: ['declarer', 'opponents', null, null], my_side: 'declarer' };
const trick = (leader, cards, winner, points) => ({ leader, cards: cards.map((card, n) => ({ seat: (leader + n) % 4, card })), winner, points });
const TRICKS = [trick(0, ['XVII', 'IV', 'XIX', 'II'], 2, 4), trick(2, ['D:K', 'D:Q', 'H:K', 'V'], 1, 15)];
const item = (what, announced, side, points, kontra) => ({ what, announced, side, points, kontra, text: what === 'game' ? text('tarokk.item.game', { bid: text('tarokk.bid.two'), have: 58, pay: text('tarokk.item.pay', { points, to: text(`tarokk.side.to.${side}`) }) }) : text('tarokk.item.made', { figure: text(`tarokk.figure.${what}`), by: text(`tarokk.side.${side}`), pay: text('tarokk.item.pay', { points, to: text(`tarokk.side.to.${side}`) }) }) });
const RESULT = { n: 2, dealer: 2, sits_out: null, multiplier: 2, outcome: 'played', declarer: 0, bid: 'two', partner: 2, called: 'XX', points: { declarer: 58, opponents: 36 }, items: [item('game', false, 'declarer', 2, 0), item('trull', true, 'declarer', 4, 1), item('pagat_ultimo', false, 'opponents', 5, 0)], counts: [], annulled_by: [], payments: [2, -2, 2, -2], scores: [4, -2, 6, -8], texts: [], auction: WON, said: SAID, tricks: [...TRICKS, trick(1, ['S:K', 'S:Q', 'S:C', 'S:J'], 1, 14)], discards: [['H:Q', 'IV'], ['II', 'D:A'], ['C:10'], ['S:10']] };

const four = [seat(0), seat(1), seat(2), seat(3)];
const five = [...four, seat(4, { kind: 'peer', name: 'Szentmiklósi-Nagy Krisztina' })];
const tarokk = (name, view, more) => base(name, 'tarokk', four, { view: tarokkView(view), scores: [4, -2, 6, -8], news: [text('tarokk.story.deal', { n: 3, who: { seat: 3 } }), text('tarokk.says', { who: { seat: 1 }, what: text('tarokk.call.two') })], lines: [text('tarokk.line.auction', { calls: [] })], ...more });

// --- dark chess ------------------------------------------------------------------------------------------------------

// Made by the program itself: cargo run -p outis-dark-chess --example scenes.
const CHESS = JSON.parse(readFileSync(new URL('dark-chess.json', import.meta.url), 'utf8'));
const chess = ([name, { view, lines, actions, me, turn, scores, over, clocks, left }]) => base(name, 'dark-chess', [seat(0, { kind: me === 0 ? 'you' : 'bot' }), seat(1, { kind: me === 1 ? 'you' : 'peer' })], {
  me, view, lines, actions, scores, steps: steps([['commit', 'all'], ['reveal', 'all'], ['look', 1], ['turn', 0], ['answer', 1], ['turn', 1], ['answer', 0]], 2), news: lines.slice(-2),
  phase: over ? 'over' : 'playing', decided: view.review === 'asked', expects: over ? null : { ...mine('turn'), seats: view.review === 'asked' ? [0, 1] : [turn], yours: actions.length > 0, left: left ?? null },
  clocks: clocks || null,
  report: over ? { end: 'finished', story: [], blames: [], provable: false, round: 30, check: null, scores, evidence: false } : null,
});

// --- all -----------------------------------------------------------------------------------------------------------

const HOSTILE = '<img src=x onerror=alert(1)>\u202egnp.exe';

export const TABLES = Object.fromEntries([
  ...Object.entries(CHESS).map(chess),
  chess(['dark-chess-clocks', { ...CHESS['dark-chess-start'], clocks: { left: [9500, 5400000], runs: 0 }, left: 9500 }]),
  ...pokerScenes({ base, seat, text, mine, other, action }),
  ...zherotagScenes({ base, seat, text, mine, other, action }),
  tarokk('tarokk-auction', { auction: AUCTION, legal: [] }, { expects: mine('call'), actions: [action('hold', text('tarokk.call.hold')), action('one', text('tarokk.call.invit', { call: text('tarokk.call.one'), card: text('tarokk.card.XIX') }), [text('tarokk.caution.invit', { card: text('tarokk.card.XIX') })]), action('pass', text('tarokk.call.pass')), action('end-table', text('tarokk.do.end_table'), [text('tarokk.caution.end_table')])] }),
  tarokk('tarokk-play', { phase: 'play', ...spoken, hand: ['skiz', 'XX', 'XII', 'IX', 'VI', 'pagat', 'S:10'], trick: { n: 3, leader: 1, cards: [{ seat: 1, card: 'S:K' }, { seat: 2, card: 'S:Q' }, { seat: 3, card: 'XIV' }] }, tricks: TRICKS, taken: [0, 1, 1, 0], playable: ['S:10'], refused: Object.fromEntries(['skiz', 'XX', 'XII', 'IX', 'VI', 'pagat'].map((card) => [card, text('tarokk.illegal.follow_suit', { suit: text('tarokk.suit.S'), cards: [text('tarokk.card.S:10')] })])), duties: [text('tarokk.duty.pagat')] }, { expects: mine('card'), actions: [action('S:10', text('tarokk.card.S:10'))] }),
  // Five at the table, the dealer sits out; the last card of a deal, and a hand that may play anything.
  tarokk('tarokk-five', { seats: 5, dealer: 3, sits_out: 3, players: [4, 0, 1, 2], scores: [4, -2, 6, -8, 0], phase: 'play', ...spoken, sides: ['declarer', 'opponents', null, null, null], counts: [null, null, null, null, null], hand: HAND, playable: HAND, refused: {}, trick: { n: 1, leader: 4, cards: [{ seat: 4, card: 'XVI' }] }, tricks: [], taken: [0, 0, 0, 0, 0] }, { seats: five, scores: [4, -2, 6, -8, 0], expects: mine('card'), actions: HAND.map((card) => action(card, text(`tarokk.card.${card}`))) }),
  tarokk('tarokk-won', { phase: 'play', ...spoken, hand: ['skiz', 'XX', 'XII', 'IX', 'VI', 'pagat', 'S:10'], trick: { n: 3, leader: 1, cards: [] }, tricks: TRICKS, taken: [0, 1, 1, 0], awaited: [1], turn: 1 }, { expects: other('card', 1) }),
  // Cili has left, and the game has ended for that reason.
  tarokk('tarokk-left', { phase: 'play', ...spoken, hand: ['skiz', 'XX', 'XII', 'IX', 'VI', 'pagat', 'S:10'], trick: { n: 3, leader: 1, cards: [{ seat: 1, card: 'S:K' }] }, tricks: TRICKS, taken: [0, 1, 1, 0], awaited: [2], turn: 2 }, { phase: 'over', seats: [seat(0), seat(1), seat(2, { kind: 'peer', link: 'left' }), seat(3)], expects: other('card', 2), report: { end: 'silence', story: [text('node.end.silence', { who: { seat: 2 } })], blames: [2], provable: false, round: 40, check: null, scores: [6, 6, -18, 6], evidence: false } }),
  tarokk('tarokk-discard', { phase: 'discard', auction: WON, contract: CONTRACT, hand: TWELVE, took: ['IV', 'H:Q'], due: 2, discardable: ['XX', 'XVII', 'XII', 'IX', 'VI', 'IV', 'H:Q', 'S:10'], refused: { skiz: text('tarokk.illegal.discard_five', { card: text('tarokk.card.skiz') }), pagat: text('tarokk.illegal.discard_five', { card: text('tarokk.card.pagat') }), 'H:K': text('tarokk.illegal.discard_five', { card: text('tarokk.card.H:K') }) }, discarded: [false, true, false, true], awaited: [0, 2], turn: null }, { expects: { ...mine('discard'), seats: [0, 2], done: [1, 3] } }),
  tarokk('tarokk-announce', { phase: 'announce', auction: WON, contract: CONTRACT, laid: { shown: ['IV'], by_others: 1, by_seat: [1, 1, 0, 0] }, said: SAID, called: 'XX', game_kontra: 0, announcements: ANNOUNCED, counts: [null, null, null, null], sides: ['declarer', 'opponents', null, null], my_side: 'declarer', duties: [text('tarokk.duty.ultimo')] }, { expects: mine('word'), actions: [action('8_tarokks', text('tarokk.say.8'), [text('tarokk.caution.count', { points: 1, n: 8 })]), action('pagat_ultimo', text('tarokk.figure.pagat_ultimo'), [text('tarokk.caution.announce', { figure: text('tarokk.figure.pagat_ultimo'), side: text('tarokk.side.declarer'), points: 10 }), text('tarokk.caution.own_pagat')]), action('four_kings', text('tarokk.figure.four_kings')), action('double', text('tarokk.figure.double')), action('rekontra:trull', text('tarokk.say.kontra', { kontra: text('tarokk.kontra.2'), what: text('tarokk.figure.trull') })), action('pass', text('tarokk.say.pass'))] }),
  tarokk('tarokk-result', { phase: 'auction', auction: [], results: [RESULT], awaited: [1], turn: 1 }, { expects: other('call', 1) }),
  tarokk('tarokk-over', { phase: 'over', results: [RESULT], awaited: [], turn: null, hand: undefined }, { phase: 'over', expects: null, report: { end: 'finished', story: [], blames: [], provable: false, round: 300, check: null, scores: [4, -2, 6, -8], evidence: false } }),
  tarokk('tarokk-deal', { phase: 'deal', hand: undefined, awaited: [], turn: null }, { expects: { what: 'shuffle', seats: [2], done: [], by_hand: false, yours: false, left: null, working: false } }),
  base('high-card-turn', 'high-card', [seat(0), seat(1), seat(2, { kind: 'peer', name: HOSTILE, link: 'away', away: 12000 })], { view: { version: 1, seats: 3, deals: 2, dealt: true, card: 50, turn: 0, calls: [[40, null, 22], [null, 17]], scores: [2, -1, -1] }, lines: [text('high-card.own', { card: text('high-card.card.50') })], scores: [2, -1, -1], expects: mine('call'), actions: [action('show', text('high-card.show', { card: text('high-card.card.50') })), action('pass', text('high-card.pass'))], chat: [{ seat: 2, text: HOSTILE, at: 1790000000000 }, { seat: 0, text: 'Jó estét', at: 1790000001000 }] }),
  base('high-card-cheat', 'high-card', [seat(0), seat(1, { kind: 'peer' }), seat(2)], { phase: 'over', view: { version: 1, seats: 3, deals: 2, dealt: false, card: null, turn: null, calls: [[40, null, 22]], scores: [1, -2, 1] }, scores: [1, -2, 1], report: { end: 'fault', story: [text('node.end.fault', { who: { seat: 1 }, round: 4 }), text('node.end.fault.what'), text('node.end.fault.now')], blames: [1], provable: true, round: 4, check: 'shuffle', scores: [1, -2, 1], evidence: true }, steps: [...steps([['commit', 'all'], ['reveal', 'all'], ['shuffle', 0]], 3), { n: 7, round: 4, seat: 1, what: 'shuffle', own: false, bytes: 3168, made_us: null, judged_us: 2200, head: hex(5), at: 1790000009000, verdict: 'refused', check: 'shuffle' }] }),
  base('high-card-practice', 'high-card', [seat(0), seat(1, { kind: 'bot' }), seat(2, { kind: 'bot' })], { practice: true, trick: 'second-ace', phase: 'over', view: { version: 1, seats: 3, deals: 2, dealt: false, card: null, turn: null, calls: [[40, null, 22]], scores: [1, -2, 1] }, scores: [1, -2, 1], report: { end: 'fault', story: [text('node.end.fault', { who: { seat: 1 }, round: 4 }), text('node.end.fault.what'), text('node.end.fault.now')], blames: [1], provable: true, round: 4, check: 'shuffle', scores: [1, -2, 1], evidence: true }, steps: [...steps([['commit', 'all'], ['reveal', 'all'], ['shuffle', 0]], 3), { n: 7, round: 4, seat: 1, what: 'shuffle', own: false, bytes: 3168, made_us: null, judged_us: 2200, head: hex(5), at: 1790000009000, verdict: 'refused', check: 'shuffle' }] }),
  base('matching-pennies-turn', 'matching-pennies', [seat(0), seat(1)], { view: { version: 1, throws: 5, own: null, shown: [['heads', 'tails'], ['heads', 'heads'], ['tails', 'heads']], scores: [-1, 1] }, scores: [-1, 1], lines: [], expects: mine('cover'), actions: [action('heads', text('matching-pennies.heads')), action('tails', text('matching-pennies.tails'))] }),
  base('gathering', 'tarokk', [seat(0), seat(1), seat(2, { kind: 'peer', name: 'Szentmiklósi-Nagy Krisztina Erzsébet', compare: 'lusab babad gutih' }), seat(3, { kind: 'open', name: '', ready: false })], { phase: 'gathering', ready: false, invites: [{ text: `outis1.${'q7zk4m2x'.repeat(14)}`, until: 1790086400000, code: { size: 5, path: 'M0 0h5v1h-5zM1 2h3v1h-3z' } }], steps: [] }),
].map((one) => [one.table, one]));
