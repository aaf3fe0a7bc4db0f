// Views of poker tables. The numbers in them are invented; the format is that of spec/games/poker-view.md.

const have = (id, a, b) => ({ id: `poker.have.${id}`, args: b === undefined ? { a: { id: `poker.ranks.${a}` } } : { a: { id: `poker.ranks.${a}` }, b: { id: `poker.ranks.${b}` } } });
const one = (stack, more = {}) => ({ stack, bet: 0, paid: 0, playing: true, folded: false, cards: 2, shown: null, gave_up: false, best: null, have: null, discards: null, ...more });
const LAST = {
  version: 1, number: 1, game: 'holdem', limit: 'none', small_blind: 5, big_blind: 10, ante: 0, button: 1, playing: [0, 1, 2], small_blind_seat: 2, big_blind_seat: 0, before: [1040, 985, 975], after: [1290, 735, 975],
  own: { seat: 0, cards: ['Ah', 'Kd'] },
  events: [{ deal: 'first' }, { seat: 1, does: 'to', amount: 30 }, { seat: 2, does: 'fold' }, { seat: 0, does: 'call' }, { board: ['As', '7d', '2c'] }, { seat: 0, does: 'check' }, { seat: 1, does: 'to', amount: 220 }, { seat: 0, does: 'call' }, { board: ['Kh'] }, { seat: 0, does: 'check' }, { seat: 1, does: 'check' }, { board: ['9s'] }, { seat: 0, does: 'check' }, { seat: 1, does: 'check' }, { seat: 0, does: 'show', cards: ['Ah', 'Kd'] }, { seat: 1, does: 'show', cards: ['Ad', 'Qc'] }],
  returned: null, pots: [{ chips: 505, to: [{ seat: 0, chips: 505 }] }], have: [{ seat: 0, have: have('two_pair', 12, 11) }, { seat: 1, have: have('pair', 12) }],
  text: "Outis Hand #2: Hold'em No Limit (5/10 play money)\nTable 'outis' 3-max Seat #2 is the button\nSeat 1: Player 1 (1040 in chips)\nPlayer 1: calls 20\n",
};
const view = (more) => ({
  version: 1, game: 'holdem', limit: 'none', showing: 'turn', dealing: 'layers', hands: 10, hand: 2, blind: 10, ante: 0, phase: 'bet', button: 2, me: 0, small: 0, big: 1,
  seats: [one(940, { bet: 20, paid: 60 }), one(885, { bet: 80, paid: 100 }), one(955, { folded: true, paid: 20 })], deciding: [0], cards: ['Qs', 'Js'], best: 'pair', have: have('pair', 10), board: ['Qd', 'Ts', '4s'], pot: 180,
  bets: { call: 60, least: 140, most: 960, asked: 80, pot: 240 }, pots: [{ chips: 180, seats: [0, 1] }], draw: null, scores: [0, 0, 0], last: LAST, ...more,
});

export function pokerScenes({ base, seat, text, mine, other, action }) {
  const three = [seat(0), seat(1), seat(2)];
  const caution = (id) => [text(`poker.caution.${id}`)];
  const poker = (name, more, rest, seats = three) => base(name, 'poker', seats, { view: view(more), scores: seats.map(() => 0), lines: [text('poker.pot', { chips: 180 })], news: [text('poker.folds', { who: { seat: 2 } }), text('poker.bets', { who: { seat: 1 }, chips: 80 })], ...rest });
  const nine = Array.from({ length: 9 }, (_, n) => seat(n, { name: ['Anna', 'Béla', 'Cili', 'Dénes', 'Szentmiklósi-Nagy Krisztina', 'Feri', 'Gabi', 'Hugó', 'Ili'][n] }));
  const ninth = [one(700, { bet: 100, paid: 110 }), one(0, { bet: 250, paid: 260 }), one(0, { bet: 40, paid: 50 }), one(650, { folded: true, paid: 10 }), one(820, { bet: 250, paid: 260 }), one(990, { folded: true, paid: 10 }), one(0, { playing: false, cards: 0 }), one(1500, { playing: false, cards: 0 }), one(1210, { bet: 250, paid: 260 })];
  const two = [seat(0), seat(1, { kind: 'peer', name: 'Szentmiklósi-Nagy Krisztina' })];
  return [
    poker('poker-two', { seats: [one(940, { bet: 20, paid: 60 }), one(885, { bet: 80, paid: 100 })], small: 0, big: 1, button: 0 }, { expects: mine('bet'), actions: [action('call', text('poker.do.call', { chips: 60 })), action('fold', text('poker.do.fold')), action('to-140', text('poker.do.raise', { chips: 140 })), action('to-960', text('poker.do.all-in', { chips: 960 }), caution('all-in'))], news: [] }, two),
    poker('poker-bet', {}, { expects: mine('bet'), actions: [action('call', text('poker.do.call', { chips: 60 })), action('fold', text('poker.do.fold')), action('to-140', text('poker.do.raise', { chips: 140 })), action('to-960', text('poker.do.all-in', { chips: 960 }), caution('all-in'))] }),
    poker('poker-nine', { seats: ninth, pot: 950, pots: [{ chips: 300, seats: [0, 1, 2, 4, 8] }, { chips: 650, seats: [0, 1, 4, 8] }], deciding: [0], button: 3, small: 4, big: 5, bets: { call: 150, least: 400, most: 800, asked: 250, pot: 1100 }, ante: 10 }, { expects: mine('bet'), actions: [action('call', text('poker.do.call', { chips: 150 })), action('fold', text('poker.do.fold')), action('to-800', text('poker.do.all-in', { chips: 800 }), caution('all-in'))] }, nine),
    poker('poker-ready', { phase: 'ready', seats: [one(1290, { playing: false, cards: 0 }), one(735, { playing: false, cards: 0 }), one(975, { playing: false, cards: 0 })], deciding: [0, 1, 2], cards: [], have: null, best: null, board: [], pot: 0, pots: [], bets: null, small: null, big: null }, { expects: { ...mine('ready'), seats: [0, 1], done: [2] }, actions: [action('play', text('poker.do.play')), action('sit-out', text('poker.do.sit-out'), caution('sit-out'))] }),
    poker('poker-deal', { phase: 'deal', hand: 0, last: null, seats: [one(995, { bet: 5, paid: 5 }), one(990, { bet: 10, paid: 10 }), one(1000)], deciding: [], cards: [], have: null, best: null, board: [], pot: 15, bets: null }, { expects: { what: 'shuffle', seats: [2], done: [], by_hand: false, yours: false, left: null, working: false } }),
    poker('poker-draw', { game: 'draw', phase: 'discard', seats: [one(940, { paid: 60, cards: 5 }), one(885, { paid: 60, cards: 5, discards: 3 }), one(955, { paid: 60, cards: 5, discards: 0 })], cards: ['Qs', 'Qd', '4h', '8c', 'Tc'], best: 'pair', have: have('pair', 10), board: [], bets: null, draw: 34, last: null, hand: 0 }, { expects: mine('discard'), actions: [action('stand-pat', text('poker.do.stand-pat')), action('discard-345', text('poker.do.discard', { cards: [] }), caution('discard'))] }),
    poker('poker-show', { phase: 'show', board: ['Qd', 'Ts', '4s', '4d', '2h'], seats: [one(700, { paid: 300 }), one(700, { paid: 300, shown: ['9s', '8s'], best: 'pair', have: have('pair', 2) }), one(955, { folded: true, paid: 20 })], have: have('two_pair', 10, 2), best: 'two_pair', pot: 620, bets: null }, { expects: mine('show'), actions: [action('show', text('poker.do.show', { cards: [text('poker.card.43'), text('poker.card.39')] })), action('muck', text('poker.do.muck'), caution('muck'))] }),
    poker('poker-cheat', { phase: 'show', board: ['Qd', 'Ts', '4s', '4d', '2h'], deciding: [1], seats: [one(700, { paid: 300 }), one(700, { paid: 300 }), one(955, { folded: true, paid: 20 })], have: have('two_pair', 10, 2), best: 'two_pair', pot: 620, bets: null }, { phase: 'over', scores: [0, 0, 0], gone: [], report: { end: 'fault', story: [text('node.end.fault', { who: { seat: 1 }, round: 33 }), text('node.end.fault.what'), text('node.end.fault.now')], blames: [1], provable: true, round: 33, check: 'show', scores: [365, -345, -20], evidence: true } }),
    poker('poker-wait', { deciding: [1], bets: null }, { expects: other('bet', 1) }),
  ];
}
