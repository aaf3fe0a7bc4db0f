// A finished hand step by step, as views of the table: what this player knew after each event.

/** Chips that a bet adds to what is already there, and the bet itself. */
const put = (seat, to) => {
  const bet = Math.min(to, seat.bet + seat.stack);
  return { ...seat, stack: seat.stack - (bet - seat.bet), paid: seat.paid + bet - seat.bet, bet };
};

const highest = (seats) => Math.max(...seats.map((seat) => seat.bet));

/** The seats after an event. */
function after(seats, event, haves) {
  const change = (made) => seats.map((seat, at) => (at === event.seat ? made(seat) : seat));
  if (event.board) return seats.map((seat) => ({ ...seat, bet: 0 }));
  switch (event.does) {
    case 'fold': return change((seat) => ({ ...seat, folded: true }));
    case 'call': return change((seat) => put(seat, highest(seats)));
    case 'to': return change((seat) => put(seat, event.amount));
    case 'discard': return seats.map((seat, at) => ({ ...seat, bet: 0, ...(at === event.seat ? { discards: event.number } : {}) }));
    case 'show': return change((seat) => ({ ...seat, bet: 0, shown: event.cards, have: haves.get(event.seat) ?? null }));
    case 'muck': return change((seat) => ({ ...seat, gave_up: true }));
    default: return seats;
  }
}

/** The first seats: chips before the hand, less antes and blinds. */
function begin(hand) {
  const { before, playing, ante, small_blind: small, big_blind: big } = hand;
  const cards = hand.game === 'draw' ? 5 : 2;
  return before.map((stack, at) => {
    const seat = { stack, bet: 0, paid: 0, playing: playing.includes(at), folded: false, cards: playing.includes(at) ? cards : 0, shown: null, gave_up: false, best: null, have: null, discards: null };
    if (!seat.playing) return seat;
    const paid = put(seat, ante);
    return put({ ...paid, bet: 0 }, at === hand.small_blind_seat ? small : at === hand.big_blind_seat ? big : 0);
  });
}

/**
 * The frames of a hand: `{view, event}`. In a game with exchanges the record has the cards that the player held at the end, so they are
 * shown from the last deal on.
 */
export function frames(hand, hands) {
  const haves = new Map(hand.have.map((item) => [item.seat, item.have]));
  const dealt = hand.events.findLastIndex((event) => event.deal);
  const me = hand.own?.seat ?? null;
  let [seats, board] = [begin(hand), []];
  const made = [];
  hand.events.forEach((event, at) => {
    seats = after(seats, event, haves);
    board = [...board, ...(event.board ?? [])];
    const next = hand.events[at + 1];
    made.push({ event, view: {
      version: 1, game: hand.game, limit: hand.limit, hands, hand: hand.number, blind: hand.big_blind, ante: hand.ante, me, button: hand.button, small: hand.small_blind_seat, big: hand.big_blind_seat,
      phase: ['show', 'muck'].includes(event.does) ? 'show' : 'bet', deciding: Number.isInteger(next?.seat) ? [next.seat] : [],
      seats, board, cards: at >= dealt ? hand.own?.cards ?? [] : [], have: null, best: null, pot: seats.reduce((sum, seat) => sum + seat.paid, 0), pots: [], bets: null, draw: null, last: null,
    } });
  });
  const last = made.at(-1)?.view;
  if (last) made.push({ event: null, view: { ...last, phase: 'ready', deciding: [], seats: seats.map((seat, at) => ({ ...seat, bet: 0, stack: hand.after[at] })), pot: 0, last: hand } });
  return made;
}

const STREETS = { 3: 'flop', 4: 'turn', 5: 'river' };

/** Where the betting rounds of a hand begin: `{at, part}`, with the name of each part. */
export function streets(made) {
  const found = [{ at: 0, part: made[0].view.game === 'draw' ? 'bets' : 'preflop' }];
  made.forEach(({ event, view }, at) => {
    const part = !event ? 'end' : event.board ? STREETS[view.board.length] : event.does === 'discard' ? 'draw' : view.phase === 'show' ? 'show' : null;
    if (part && found.at(-1).part !== part) found.push({ at, part });
  });
  return found;
}
