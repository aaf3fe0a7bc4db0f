// The possible actions: check, call, fold, and an amount by slider, number or fraction of the pot.

import { app, refresh } from '../../app.js';
import { h } from '../../dom.js';
import { button } from '../../parts.js';
import { say, t } from '../../words.js';
import { actionButton, bar, confirm, keyHint, keyed, send } from '../../table/actions.js';
import { face, label, nameText } from './cards.js';

const find = (ctx, token) => ctx.actions.find((action) => action.token === token);

/** Everything below the player's own cards. */
export function controls(ctx) {
  const asked = confirm(ctx);
  if (asked) return asked;
  if (!ctx.actions.length) return waiting(ctx);
  if (ctx.view.phase === 'bet') return betting(ctx);
  if (ctx.view.phase === 'discard') return exchange(ctx);
  return [bar(ctx), ctx.view.phase === 'ready' && check(ctx, 'autoNext', t('poker.auto.next'))];
}

function check(ctx, name, caption) {
  return h('label', { class: 'pk-auto', key: name }, h('input', { type: 'checkbox', checked: Boolean(ctx.memory[name]), onchange: (event) => { ctx.memory[name] = event.target.checked; refresh(); } }), ' ', caption);
}

/** While others think: actions to take automatically. */
function waiting(ctx) {
  const { view } = ctx;
  const own = view.seats[view.me];
  if (ctx.now?.phase !== 'playing' || !own) return null;
  const inHand = own.playing && !own.folded && own.stack > 0 && ['bet', 'board', 'deal', 'redeal', 'discard'].includes(view.phase);
  return h('div', { class: 'row', key: 'waiting' }, inHand && check(ctx, 'autoFold', t('poker.auto.fold')), inHand && check(ctx, 'autoShow', t('poker.auto.show')), check(ctx, 'autoNext', t('poker.auto.next')));
}

/** Named amounts, as the player's total in this round. */
function sizes({ least, most, asked, pot }) {
  const to = (part) => Math.min(most, Math.max(least, asked + Math.floor(pot * part)));
  const parts = [['half', to(1 / 2)], ['two', to(2 / 3)], ['pot', to(1)]];
  // An amount equal to the minimum or to all chips has no name of its own.
  return [['least', least], ...parts.filter(([, amount]) => amount > least && amount < most), ['most', most]];
}

function betting(ctx) {
  const { view, memory, now } = ctx;
  const { bets } = view;
  const waits = memory.sent === now.round;
  const calls = ['fold', 'check', 'call'].map((token) => find(ctx, token)).filter(Boolean);
  const raises = bets && bets.least !== null && bets.least !== undefined;
  return h('div', { class: 'pk-bets', key: 'bets' },
    h('div', { class: 'actions', role: 'group', 'aria-label': t('act.label') },
      calls.map((action) => actionButton(ctx, action, { waiting: waits, key: action.token === 'fold' ? 'F' : 'C' })),
      raises && raiseButton(ctx, bets, waits)),
    raises && bets.least < bets.most && amounts(ctx, bets, waits));
}

function amountOf(ctx, bets) {
  const { memory, now } = ctx;
  if (memory.amountRound !== now.round) Object.assign(memory, { amountRound: now.round, amount: bets.least });
  return Math.min(bets.most, Math.max(bets.least, memory.amount || 0));
}

function raiseButton(ctx, bets, waits) {
  const amount = amountOf(ctx, bets);
  const token = `to-${amount}`;
  const own = ctx.view.seats[ctx.view.me];
  const all = amount === own.stack + own.bet;
  const caption = say(all ? 'poker.do.all-in' : bets.asked === 0 ? 'poker.do.bet' : 'poker.do.raise', { chips: amount });
  // Amounts without a button are sent as they are; the node checks them as it does all others.
  return keyHint('R', button(caption, () => (find(ctx, token) ? ctx.choose(token) : send(ctx, token)), { 'data-token': 'raise', disabled: waits, key: 'raise' }));
}

function amounts(ctx, bets, waits) {
  const amount = amountOf(ctx, bets);
  const set = (value) => {
    const number = Math.round(Number(value));
    if (Number.isFinite(number)) ctx.memory.amount = Math.min(bets.most, Math.max(bets.least, number));
    refresh();
  };
  const wheel = (event) => {
    event.preventDefault();
    set(amount + (event.deltaY < 0 ? 1 : -1) * ctx.view.blind);
  };
  return h('div', { class: 'pk-amounts', key: 'amounts' },
    h('div', { class: 'pk-slide' },
      h('input', { type: 'range', class: 'pk-slider', 'aria-label': t('poker.slider'), min: bets.least, max: bets.most, step: 1, value: String(amount), disabled: waits, oninput: (event) => set(event.target.value), onwheel: wheel }),
      h('input', { type: 'number', class: 'pk-number number', 'aria-label': t('poker.amount'), min: bets.least, max: bets.most, value: String(amount), disabled: waits, onchange: (event) => set(event.target.value), onwheel: wheel })),
    h('div', { class: 'row tight pk-sizes', role: 'group', 'aria-label': t('poker.sizes') },
      sizes(bets).map(([name, value]) => keyHint({ pot: 'P', most: 'A' }[name], h('button', { type: 'button', key: name, class: 'button small', 'data-size': name, 'aria-pressed': String(value === amount), disabled: waits, onclick: () => set(value) }, t(`poker.size.${name}`))))));
}

/** The player's own cards; in an exchange, pressing them selects them. */
export function own(ctx, cards) {
  const exchanging = !ctx.readonly && ctx.view.phase === 'discard' && ctx.actions.length > 0;
  const chosen = laid(ctx);
  const toggle = (at) => {
    ctx.memory.laid = chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at].slice(-(ctx.view.draw ?? 5)).sort();
    refresh();
  };
  return h('div', { class: `pk-own ${exchanging ? 'choosing' : ''}`, role: 'group', 'aria-label': t('poker.own') }, cards.map((card, at) => (exchanging
    ? h('button', { type: 'button', key: card, class: `pk-card ${chosen.includes(at) ? 'aside' : ''}`, 'aria-pressed': String(chosen.includes(at)), 'data-card': card, 'aria-label': t(chosen.includes(at) ? 'poker.exchange.keep' : 'poker.exchange.drop', { card: nameText(card) }), title: label(card), onclick: () => toggle(at) }, face(card))
    : h('span', { key: card, class: 'pk-card' }, face(card)))));
}

function laid(ctx) {
  const { memory, view } = ctx;
  if (memory.laidFor !== view.hand) Object.assign(memory, { laidFor: view.hand, laid: [] });
  return memory.laid;
}

function exchange(ctx) {
  const { view } = ctx;
  const chosen = laid(ctx);
  const token = chosen.length ? `discard-${chosen.map((at) => at + 1).join('')}` : 'stand-pat';
  return h('div', { class: 'pk-bets', key: 'exchange' },
    h('p', {}, t('poker.exchange.choose'), view.draw < 5 && ` ${t('poker.exchange.left', { n: view.draw })}`),
    h('div', { class: 'actions' }, keyed('D', button(chosen.length ? t('poker.exchange.do', { n: chosen.length }) : say('poker.do.stand-pat'), () => ctx.choose(token), { 'data-token': token, disabled: ctx.memory.sent === ctx.now.round }))));
}

// R moves to the amount, P and A set it; from there, Enter moves on to the button.
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || app.route.name !== 'table' || !document.querySelector('.pk-bets')) return;
  if (event.target.type === 'number' || event.target.type === 'text' || event.target.tagName === 'TEXTAREA') return;
  const first = (...selectors) => selectors.map((selector) => document.querySelector(selector)).find(Boolean);
  const press = (size) => document.querySelector(`[data-size="${size}"]:not(:disabled)`)?.click();
  const raise = () => first('[data-token="raise"]')?.focus();
  const keys = {
    r: () => first('.pk-slider', '[data-token="raise"]')?.focus(),
    p: () => { press('pot'); raise(); },
    a: () => { press('most'); raise(); },
  };
  const key = keys[event.key.toLowerCase()];
  if (key) {
    event.preventDefault();
    key();
  }
  if (event.key === 'Enter' && event.target.classList?.contains('pk-slider')) raise();
});
