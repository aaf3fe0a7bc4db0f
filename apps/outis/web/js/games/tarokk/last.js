// The completed trick: it stays for a moment before anything else is shown, and comes back on request.

import { announce, refresh } from '../../app.js';
import { tell } from '../../words.js';

const HOLD = 1800;
const SIDES = ['at-bottom', 'at-right', 'at-top', 'at-left'];

/** The last completed trick, of this deal or of the one before. */
export const lastTrick = (view) => view.tricks?.at(-1) ?? view.results?.at(-1)?.tricks?.at(-1) ?? null;

const isOver = (view) => (view?.results || []).reduce((sum, result) => sum + (result.tricks?.length || 0), 0) + (view?.tricks?.length || 0);

/** Keeps a trick that was just completed. */
export function hold(known, now, before) {
  if (!before?.view || isOver(now.view) <= isOver(before.view)) return;
  known.memory ??= {};
  known.memory.held = { trick: lastTrick(now.view), until: performance.now() + HOLD, acted: known.memory.acted };
  setTimeout(refresh, HOLD + 20);
}

/** The trick to show in place of the current one; a player who acts has seen it. */
export function lookedAt(ctx) {
  const { memory } = ctx;
  if (ctx.readonly) return null;
  if (memory.recalled === lastTrick(ctx.view)?.cards[0].card && memory.recalledAt === memory.acted) return lastTrick(ctx.view);
  const { held } = memory;
  return held && performance.now() < held.until && held.acted === memory.acted ? held.trick : null;
}

/** Where the cards of a trick lie, for a player in it or for a spectator. */
export function sidesOf(trick, me) {
  const from = Math.max(0, trick.cards.findIndex((item) => item.seat === me));
  return new Map(trick.cards.map((_, n) => [trick.cards[(from + n) % trick.cards.length].seat, SIDES[n]]));
}

/** A trick as a sentence. */
export const trickWords = (trick) => ({ id: 'page.tarokk.last.said', args: { cards: trick.cards.map(({ seat, card }) => ({ id: 'tarokk.says', args: { who: { seat }, what: { id: `tarokk.card.${card}` } } })), who: { seat: trick.winner } } });

/** Shows the last trick, and hides it again. */
export function recall(ctx) {
  const { memory } = ctx;
  const trick = lastTrick(ctx.view);
  if (!trick) return;
  const shown = lookedAt(ctx) === trick && memory.recalled;
  Object.assign(memory, { held: null, recalled: shown ? null : trick.cards[0].card, recalledAt: memory.acted });
  if (!shown) announce(tell(trickWords(trick), ctx.names));
  refresh();
}

/** What is on the table, for screen readers. */
export function heard({ view, lines }) {
  const found = lines.filter((line) => /^tarokk\.line\.(contract|auction|trick|taken)/.test(line.id));
  const last = lastTrick(view);
  return view.trick?.cards?.length || !last ? found : [...found, trickWords(last)];
}
