// What a player's own hands add up to: the figures that poker players compare. Made from finished hands as the node writes them.

const NONE = { hands: 0, chips: 0, entered: 0, raised: 0, shown: 0, shownWon: 0, best: 0 };

/** What one hand adds to the figures; null if the player was not in it. */
function one(hand) {
  const me = hand.own?.seat;
  if (!Number.isInteger(me) || !hand.playing.includes(me)) return null;
  const end = hand.events.findIndex((event) => event.board || event.does === 'discard' || event.does === 'show' || event.does === 'muck');
  const first = (end < 0 ? hand.events : hand.events.slice(0, end)).filter((event) => event.seat === me).map((event) => event.does);
  const folded = hand.events.some((event) => event.seat === me && event.does === 'fold');
  const showdown = !folded && hand.events.some((event) => event.does === 'show');
  const chips = hand.after[me] - hand.before[me];
  return {
    hands: 1, chips, entered: Number(first.includes('call') || first.includes('to')), raised: Number(first.includes('to')),
    shown: Number(showdown), shownWon: Number(showdown && hand.pots.some((pot) => pot.to.some((part) => part.seat === me))), best: Math.max(0, chips),
  };
}

/** The figures of all hands: counts, chips, and the most that one hand brought. */
export function tally(hands) {
  return hands.map(one).filter(Boolean).reduce((sum, next) => Object.fromEntries(Object.keys(NONE).map((name) => [name, name === 'best' ? Math.max(sum.best, next.best) : sum[name] + next[name]])), NONE);
}
