// The poker table. It shows the node's view; nothing here knows the rules.

import { app, ask, onTable, refresh, setPref, table } from '../../app.js';
import { h } from '../../dom.js';
import { beforeNote, button, cardImage } from '../../parts.js';
import { play } from '../../sound.js';
import { t, tell } from '../../words.js';
import { aid } from './aid.js';
import { controls, own } from './bets.js';
import { face } from './cards.js';
import { catchUp, past, remember } from './history.js';
import { between, moment, outcome } from './moment.js';
import { place } from './seat.js';
import { rankOf } from './strength.js';

onTable((now, before) => {
  if (now.game !== 'poker' || !now.view) return;
  const known = table(now.table);
  known.memory ??= {};
  remember(known.memory, [now.view.last]);
  catchUp(now.table, known.memory, now.view);
  if (before?.view) hear(now.view, before.view);
  if (before?.view && now.view.hand !== before.view.hand) known.memory.autoFold = false;
  byItself(known, now);
});

/** Sounds for what happened: cards, chips, a knock on the table, folded cards. */
function hear(view, before) {
  const seen = (one) => (one.board?.length || 0) + (one.cards?.length || 0) + one.seats.filter((seat) => seat.shown).length;
  const sum = (one, of) => one.seats.reduce((all, seat) => all + of(seat), 0);
  const more = (of) => sum(view, of) > sum(before, of);
  if (view.hand !== before.hand) play('chips');
  else if (seen(view) > seen(before)) play('card');
  else if (more((seat) => seat.paid)) play('chips');
  else if (more((seat) => Number(seat.folded))) play('fold');
  else if (view.phase === 'bet' && before.phase === 'bet' && String(view.deciding) !== String(before.deciding)) play('knock');
}

/** Whether a hand that was shown beats the player's own. */
function isBeaten({ me, seats, cards, board }) {
  const mine = rankOf([...cards, ...board]);
  return seats.some((seat, at) => at !== me && seat.shown && rankOf([...seat.shown, ...board]) > mine);
}

/** Takes the actions that the player has chosen to automate. */
function byItself(known, now) {
  const { memory } = known;
  if (!now.expects?.yours || !now.expects.by_hand || memory.auto === now.round) return;
  const offers = (token) => now.actions?.some((action) => action.token === token);
  const wanted = () => {
    if (memory.autoNext && offers('play')) return 'play';
    if (memory.autoFold && now.view.phase === 'bet') return offers('check') ? 'check' : 'fold';
    if (memory.autoShow && offers('show') && offers('muck')) return isBeaten(now.view) ? 'muck' : 'show';
    return null;
  };
  const first = wanted();
  if (!first) return;
  memory.auto = now.round;
  // Long enough to see how the last hand ended.
  setTimeout(() => {
    const token = known.now?.round === now.round && memory.sent !== now.round ? wanted() : null;
    if (!token) return;
    memory.sent = now.round;
    refresh();
    ask('act', { table: now.table, token, round: now.round });
  }, first === 'play' ? 3500 : 400);
}

export function poker(ctx) {
  const { view } = ctx;
  ctx.memory ??= {};
  const now = moment(view);
  const from = view.me ?? 0;
  const order = view.seats.map((_, at) => (from + at) % view.seats.length);
  return h('div', { class: 'poker' },
    before(ctx),
    h('div', { class: 'felt pk-felt', key: 'felt' },
      h('ul', { class: `pk-seats n${view.seats.length}`, 'aria-label': t('seat.label') }, order.map((at) => place(ctx, now, at, from))),
      h('div', { class: 'pk-middle', key: 'middle' }, middle(ctx, now), h('p', { class: 'pk-corner', key: 'corner' }, corner(view, now).map((part) => h('span', { key: part }, part))))),
    h('div', { class: 'pk-below', key: 'below' },
      !ctx.readonly && ctx.status(),
      view.me !== null && h('div', { class: 'pk-mine' }, mine(ctx, now), !ctx.readonly && h('div', { class: 'pk-controls' }, controls(ctx))),
      // At the table, they are in the move list.
      ctx.readonly && !ctx.plain && past(ctx)));
}

/** What leaving costs: one line that opens, until it has been confirmed once. */
function before(ctx) {
  if (ctx.readonly || ctx.view.hand > 0 || app.prefs.pokerBefore === 1 || ctx.now?.phase !== 'playing') return null;
  return h('details', { class: 'pk-before small', key: 'before' }, h('summary', {}, t('before.more')),
    beforeNote(ctx.game, h('div', { class: 'row' }, button(t('poker.before.ok'), () => setPref('pokerBefore', 1), { kind: 'small' }))));
}

function corner(view, now) {
  const parts = [t('poker.hand', { n: now.number, of: view.hands }), t('poker.blinds', { small: view.blind / 2, big: view.blind })];
  if (view.ante > 0) parts.push(t('poker.ante', { n: view.ante }));
  return parts;
}

function middle(ctx, now) {
  const { view } = ctx;
  if (view.phase === 'deal') return h('div', { class: 'dealing', key: 'dealing' }, h('div', { class: 'pack', 'aria-hidden': 'true' }, [0, 1, 2].map((n) => cardImage('back', { french: true, className: `n${n}` }))), h('p', {}, t('poker.dealing')));
  return [
    view.game === 'holdem' && h('div', { class: 'pk-board', key: 'board', role: 'group', 'aria-label': now.board.length ? t('poker.board') : t('poker.board.empty') },
      Array.from({ length: 5 }, (_, at) => (now.board[at] ? h('div', { class: 'pk-up', key: `${at}-${now.board[at]}` }, face(now.board[at])) : h('div', { class: 'card-gap', key: at, 'aria-hidden': 'true' })))),
    now.over ? ended(ctx) : h('div', { class: 'pk-pots number', key: 'pots', 'data-place': 'pot', 'data-move': 'pot', 'data-goal': 'won' }, pots(view)),
  ];
}

function pots(view) {
  const real = view.pots.filter((pot) => pot.chips > 0);
  // While bets are open there are no side pots yet, only what was paid.
  const sides = real.length > 1 && view.seats.some((seat) => seat.playing && !seat.folded && seat.stack === 0);
  return [h('strong', { key: 'all' }, t('poker.pot', { n: view.pot })),
    sides && real.map((pot, at) => h('span', { key: at, class: 'small' }, at === 0 ? t('poker.pot.main', { chips: pot.chips }) : t('poker.pot.side', { n: at, chips: pot.chips })))];
}

/** How the last hand ended. */
const ended = ({ view, names }) => h('ul', { class: 'pk-outcome', key: 'outcome', 'data-place': 'pot' },
  outcome(view.last).map((text, n) => h('li', { key: n, class: text.id === 'page.poker.back' ? 'small' : null }, tell(text, names))));

function mine(ctx, now) {
  const { view } = ctx;
  const cards = now.own || [];
  if (!cards.length) return h('p', { class: 'muted pk-none' }, view.phase === 'deal' || (between(view) && !now.over) || (ctx.plain && now.seats[view.me].playing) ? '\u00a0' : t('poker.nocards'));
  const folded = now.seats[view.me].folded;
  return h('div', { class: `pk-hand ${folded ? 'folded' : ''}` }, own(ctx, cards), h('div', { class: 'pk-say', key: 'say' }, h('p', { class: 'pk-have' }, folded ? t('poker.folded') : now.have ? t('poker.have', { have: now.have }, ctx.names) : '\u00a0'), aid(ctx)));
}
