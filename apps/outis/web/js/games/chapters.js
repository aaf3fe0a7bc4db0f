// Where the parts of a game begin, for replays: deals and tricks, hands and betting rounds, moves.

import { t } from '../words.js';

const STREETS = { 3: 'flop', 4: 'turn', 5: 'river' };

/** The part that a view belongs to, on two levels: a deal, and what happens in it. */
const PLACES = {
  tarokk: (view) => ({
    whole: t('tarokk.deal', { n: view.deal }),
    part: view.phase === 'play' && view.trick ? t('tarokk.trick', { n: view.trick.n }) : ['auction', 'announce'].includes(view.phase) ? t(`replay.${view.phase}`) : null,
  }),
  poker: (view) => {
    const street = view.phase === 'show' ? 'show' : view.phase === 'discard' || view.phase === 'redeal' ? 'draw' : STREETS[view.board.length];
    return { whole: t('poker.hand', { n: Math.min(view.hand + 1, view.hands), of: view.hands }), part: street ? t(`replay.${street}`) : null };
  },
  'dark-chess': (view) => (view.plies ? { whole: null, part: t('replay.move', { n: Math.floor(view.plies.length / 2) + 1 }) } : null),
};

/** Where each new part begins, in order: `{at, whole, part}`. Empty for games without parts. */
export function chapters(game, pictures) {
  const found = [];
  pictures.forEach(({ view }, at) => {
    const place = view && PLACES[game]?.(view);
    const before = found.at(-1);
    if (!place || (before && before.whole === place.whole && (place.part === null || before.part === place.part))) return;
    found.push({ at, ...place });
  });
  return found;
}
