// How good a hand is: the rank of up to seven cards, and how often a hand wins against hands dealt at random. For the aid at the table;
// who wins a hand is decided by the node.

const RANKS = '23456789TJQKA';
const SUITS = 'cdhs';
const WHEEL = 0b1000000001111;

/** A card as a number from 0 to 51. */
const numberOf = (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]);

/** The highest rank of a straight in a set of ranks; -1 if there is none. */
function straight(ranks) {
  for (let top = 12; top >= 4; top--) if (((ranks >> (top - 4)) & 31) === 31) return top;
  return (ranks & WHEEL) === WHEEL ? 3 : -1;
}

/** The highest `n` ranks of a set, as one number. */
function highest(ranks, n) {
  let [value, left] = [0, n];
  for (let rank = 12; rank >= 0 && left > 0; rank--) {
    if (ranks & (1 << rank)) {
      value = value * 13 + rank;
      left--;
    }
  }
  return value * 13 ** left;
}

const KIND = 13 ** 5;

/** The best five of these cards as a number: a better hand has a higher one. */
function valueOf(cards) {
  const counts = new Uint8Array(13);
  const suits = [0, 0, 0, 0];
  const bySuit = [0, 0, 0, 0];
  let all = 0;
  for (const card of cards) {
    const [rank, suit] = [card >> 2, card & 3];
    counts[rank]++;
    bySuit[suit]++;
    suits[suit] |= 1 << rank;
    all |= 1 << rank;
  }
  const flush = bySuit.findIndex((n) => n >= 5);
  if (flush >= 0 && straight(suits[flush]) >= 0) return 8 * KIND + straight(suits[flush]);
  const [of4, of3, of2] = [[], [], []];
  for (let rank = 12; rank >= 0; rank--) ({ 4: of4, 3: of3, 2: of2 })[counts[rank]]?.push(rank);
  const without = (...ranks) => ranks.reduce((rest, rank) => rest & ~(1 << rank), all);
  if (of4.length) return 7 * KIND + of4[0] * 13 + highest(without(of4[0]), 1);
  if (of3.length > 1 || (of3.length && of2.length)) return 6 * KIND + of3[0] * 13 + Math.max(of3[1] ?? -1, of2[0] ?? -1);
  if (flush >= 0) return 5 * KIND + highest(suits[flush], 5);
  if (straight(all) >= 0) return 4 * KIND + straight(all);
  if (of3.length) return 3 * KIND + of3[0] * 169 + highest(without(of3[0]), 2);
  if (of2.length > 1) return 2 * KIND + of2[0] * 169 + of2[1] * 13 + highest(without(of2[0], of2[1]), 1);
  if (of2.length) return KIND + of2[0] * 13 ** 3 + highest(without(of2[0]), 3);
  return highest(all, 5);
}

/** The same for cards as the node writes them. */
export const rankOf = (cards) => valueOf(cards.map(numberOf));

/** Deals the unknown cards `trials` times; returns how many pots are won, a shared pot in part. `random` gives numbers from 0 to 1. */
export function pots(own, board, others, trials, random) {
  const known = [...own, ...board].map(numberOf);
  const deck = Array.from({ length: 52 }, (_, card) => card).filter((card) => !known.includes(card));
  const open = 5 - board.length;
  let won = 0;
  for (let trial = 0; trial < trials; trial++) {
    for (let n = 0; n < open + 2 * others; n++) {
      const other = n + Math.floor(random() * (deck.length - n));
      [deck[n], deck[other]] = [deck[other], deck[n]];
    }
    const shared = deck.slice(0, open);
    const mine = valueOf([...known, ...shared]);
    const up = [...known.slice(own.length), ...shared];
    let [beaten, level] = [false, 1];
    for (let n = 0; n < others && !beaten; n++) {
      const theirs = valueOf([...up, deck[open + 2 * n], deck[open + 2 * n + 1]]);
      if (theirs > mine) beaten = true;
      else if (theirs === mine) level++;
    }
    if (!beaten) won += 1 / level;
  }
  return won;
}
