// An aid that can be switched off: what a call costs against the pot, and how often the hand wins against hands dealt at random.

import { app, refresh, setPref } from '../../app.js';
import { h } from '../../dom.js';
import { icon } from '../../icons.js';
import { t, tell } from '../../words.js';
import { pots } from './strength.js';

const TRIALS = 3000;
/** So many at a time, for so many milliseconds: no frame is late. */
const AT_ONCE = 20;
const SPAN = 5;

const isOn = () => app.prefs.pokerAid !== false;
const percent = (part) => Math.round(100 * part);

/** The share of the pots that this hand has won so far in trials; null before the first ones. They are continued between frames. */
function wins(memory, { cards, board, me, seats }) {
  const others = seats.filter((seat, at) => at !== me && seat.playing && !seat.folded).length;
  const key = [...cards, '|', ...board, others].join(' ');
  if (memory.trials?.key !== key) memory.trials = { key, won: 0, made: 0, running: false };
  const { trials } = memory;
  const go = () => {
    for (const end = performance.now() + SPAN; trials.made < TRIALS && performance.now() < end; trials.made += AT_ONCE) trials.won += pots(cards, board, others, AT_ONCE, Math.random);
    if (memory.trials === trials && trials.made < TRIALS) return void setTimeout(go);
    return refresh();
  };
  if (!trials.running && others > 0) {
    trials.running = true;
    setTimeout(go);
  }
  return trials.made >= TRIALS ? trials.won / trials.made : null;
}

/** What the aid says, as texts. In an exchange of cards the trials would mean nothing. */
export function advice({ view, memory }) {
  if (!isOn() || !memory || view.me === null) return [];
  const own = view.seats[view.me];
  const found = [];
  if (view.bets?.call > 0) found.push({ id: 'page.poker.aid.price', args: { n: percent(view.bets.call / view.bets.pot) } });
  if (view.game === 'holdem' && view.cards.length === 2 && own.playing && !own.folded && view.phase !== 'show') {
    const share = wins(memory, view);
    if (share !== null) found.push({ id: 'page.poker.aid.wins', args: { n: percent(share) } });
  }
  return found;
}

/** The aid: pressing it switches it off or on. */
export function aid(ctx) {
  const { view } = ctx;
  if (ctx.readonly || !['bet', 'board'].includes(view.phase) || !view.cards.length || view.seats[view.me].folded) return null;
  const on = isOn();
  return h('button', { type: 'button', class: 'pk-aid small', key: 'aid', 'aria-pressed': String(on), title: t('poker.aid.what'), onclick: () => setPref('pokerAid', !on) },
    icon('eye'), on ? h('span', {}, h('strong', { class: 'visually-hidden' }, t('poker.aid')), ' ', advice(ctx).map((text) => h('span', { key: text.id }, tell(text), ' '))) : h('span', {}, t('poker.aid')));
}
