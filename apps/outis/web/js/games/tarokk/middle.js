// The middle of the table: auction, talon, announcements, trick.

import { h } from '../../dom.js';
import { cardImage } from '../../parts.js';
import { t, tell } from '../../words.js';
import { cardName } from './hand.js';
import { sidesOf } from './last.js';

function trickCards(cards, sides, winner, still) {
  return h('div', { class: `trick ${still ? 'done' : ''}` }, cards.map((item, at) => h('div', { key: `${item.seat}-${item.card}`, class: `laid ${sides.get(item.seat)} ${winner === item.seat ? 'won' : ''}`, 'data-move': `card-${item.card}`, style: { 'z-index': String(at + 1) } }, cardImage(item.card, { label: cardName(item.card) }))));
}

/** A completed trick, with the player who took it. */
export function over({ view, names }, trick) {
  return [h('p', { class: 'trick-line small', key: 'line' }, t('tarokk.won', { who: { seat: trick.winner }, points: trick.points }, names)),
    h('div', { class: 'trick-box', key: `trick-${trick.cards[0].card}` }, trickCards(trick.cards, sidesOf(trick, view.me), trick.winner, true))];
}

function playing(ctx, sides) {
  const { view } = ctx;
  const now = view.trick?.cards || [];
  const last = view.tricks?.at(-1);
  if (!now.length && last) return over(ctx, last);
  return [h('p', { class: 'trick-line small', key: 'line' }, t('tarokk.trick', { n: view.trick?.n ?? 1 })), h('div', { class: 'trick-box', key: now[0] ? `trick-${now[0].card}` : 'trick' }, trickCards(now, sides))];
}

/** The announcements, with their values. */
export function announcements({ view, names }) {
  const list = view.announcements || [];
  if (!list.length && !view.game_kontra) return null;
  return h('ul', { class: 'said-list', key: 'said' },
    view.game_kontra > 0 && h('li', { key: 'game' }, t('tarokk.game.kontra', { kontra: { id: `tarokk.kontra.${view.game_kontra}` } })),
    list.map((item, at) => h('li', { key: at }, tell(item.text, names))));
}

function auction({ view, names }) {
  const calls = view.auction || [];
  if (!calls.length) return h('p', {}, t('tarokk.auction.open'));
  return h('ol', { class: 'calls', 'aria-label': t('tarokk.auction') }, calls.map((item, at) => h('li', { key: at }, h('bdi', { class: 'muted-felt' }, names[item.seat]), ' ', h('strong', {}, tell(item.text, names)))));
}

function talon({ view, names }) {
  const { contract } = view;
  return h('div', { class: 'stack tight centred' },
    h('p', {}, t('tarokk.contract', { who: { seat: contract.declarer }, bid: { id: `tarokk.bid.${contract.bid}` } }, names)),
    view.took?.length > 0 && h('div', { class: 'stack tight centred' }, h('span', { class: 'small' }, t('tarokk.took')), h('div', { class: 'row tight small-cards' }, view.took.map((card) => cardImage(card, { label: cardName(card) })))),
    contract.invit && h('p', { class: 'small' }, t('tarokk.invit', { who: { seat: contract.invit.seat }, card: { id: `tarokk.card.${contract.invit.card}` } }, names)));
}

export function middle(ctx, sides) {
  const { view } = ctx;
  if (view.phase === 'deal') return h('div', { class: 'dealing' }, h('div', { class: 'pack', 'aria-hidden': 'true' }, cardImage('back'), cardImage('back'), cardImage('back')), h('p', {}, t('tarokk.dealing')));
  if (view.phase === 'auction') return h('div', { class: 'stack tight centred' }, h('h2', {}, t('tarokk.auction')), auction(ctx));
  if (view.phase === 'discard') return h('div', { class: 'stack tight centred' }, h('h2', {}, t('tarokk.talon')), talon(ctx));
  if (view.phase === 'annul') return h('div', { class: 'stack tight centred' }, h('h2', {}, t('tarokk.annul')), h('p', {}, t('tarokk.annul.text')), shown(ctx));
  if (view.phase === 'announce') return h('div', { class: 'stack tight centred' }, h('h2', {}, t('tarokk.announce')), shown(ctx));
  if (view.phase === 'claims') return h('div', { class: 'stack tight centred' }, h('h2', {}, t('tarokk.claims')), h('p', {}, t('tarokk.claims.text')));
  if (view.phase === 'over') return h('p', {}, t('status.over'));
  return playing(ctx, sides);
}

/** The tarokks that the declarer discarded are shown until the first lead. */
function shown({ view }) {
  if (!view.laid?.shown?.length) return null;
  return h('div', { class: 'stack tight centred' }, h('span', { class: 'small' }, t('tarokk.laid.shown')), h('div', { class: 'row tight small-cards' }, view.laid.shown.map((card) => cardImage(card, { label: cardName(card) }))));
}

