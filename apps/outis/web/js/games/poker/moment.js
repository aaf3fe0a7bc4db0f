// What is on the table: of the current hand or, between hands, of the last one.

/** Whether the last hand is still shown. */
export const between = (view) => (view.phase === 'ready' || view.phase === 'over') && Boolean(view.last);

/** How a finished hand ended, as texts: who won what, and what was returned. */
export function outcome({ have, pots, returned }) {
  const haves = new Map(have.map((item) => [item.seat, item.have]));
  const won = new Map();
  for (const part of pots.flatMap((pot) => pot.to)) won.set(part.seat, (won.get(part.seat) || 0) + part.chips);
  const wins = ([seat, chips]) => (haves.has(seat) ? { id: 'page.poker.wins.with', args: { who: { seat }, chips, have: haves.get(seat) } } : { id: 'page.poker.wins', args: { who: { seat }, chips } });
  return [
    ...(won.size ? [...won].map(wins) : [{ id: 'page.poker.nobody' }]),
    ...(returned ? [{ id: 'page.poker.back', args: { who: { seat: returned.seat }, chips: returned.chips } }] : []),
  ];
}

/** The board, cards and winners to show now. */
export function moment(view) {
  const seats = view.seats.map((seat) => ({ ...seat, won: 0 }));
  if (!between(view)) return { seats, board: view.board, own: view.cards, have: view.have, small: view.small, big: view.big, button: view.button, number: view.hand + 1, over: false };
  const { last } = view;
  const haves = new Map(last.have.map((item) => [item.seat, item.have]));
  for (const [at, seat] of seats.entries()) {
    const said = last.events.filter((event) => event.seat === at).map((event) => event.does);
    const playing = last.playing.includes(at);
    const shown = last.events.find((event) => event.seat === at && event.does === 'show')?.cards ?? null;
    const discards = last.events.find((event) => event.seat === at && event.does === 'discard')?.number ?? null;
    const won = last.pots.flatMap((pot) => pot.to).filter((part) => part.seat === at).reduce((sum, part) => sum + part.chips, 0);
    Object.assign(seat, { playing, folded: said.includes('fold'), gave_up: said.includes('muck'), shown, discards, won, have: haves.get(at) ?? null, bet: 0, cards: playing ? (last.game === 'draw' ? 5 : 2) : 0 });
  }
  return { seats, board: last.events.flatMap((event) => event.board || []), own: last.own?.cards ?? [], have: haves.get(view.me) ?? null, small: last.small_blind_seat, big: last.big_blind_seat, button: last.button, number: last.number + 1, over: true };
}
