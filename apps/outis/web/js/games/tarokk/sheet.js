// The account of a deal: every line explained, and the deal itself to step through.

import { refresh } from '../../app.js';
import { h } from '../../dom.js';
import { button, cardImage } from '../../parts.js';
import { number, points, t, tell } from '../../words.js';
import { keyed } from '../../table/actions.js';
import { cardName } from './hand.js';

/** The line that explains an item of the account. */
const explained = (item) => t(`item.${item.what}${item.announced ? '.announced' : ''}`);

function items(result, names) {
  if (!result.items?.length && !result.counts?.length) return null;
  return h('ul', { class: 'account', 'aria-label': t('sheet.what') },
    (result.items || []).map((item, at) => h('li', { key: at },
      h('span', {}, tell(item.text, names), ' ', h('span', { class: 'small muted' }, explained(item), item.kontra ? ` ${t('sheet.kontra', { n: 2 ** item.kontra })}` : '')),
      h('span', { class: 'account-points' }, h('strong', { class: 'number' }, points(item.points)), h('span', { class: 'small muted' }, t(`tarokk.side.of.${item.side}`))))),
    (result.counts || []).map((item, at) => h('li', { key: `count-${at}` }, h('span', {}, tell(item.text, names), ' ', h('span', { class: 'small muted' }, t('item.count'))), h('span', { class: 'account-points small muted' }, names[item.seat]))));
}

function payments(result, names) {
  return h('table', { class: 'table-data' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('sheet.player')), h('th', { scope: 'col', class: 'right' }, t('sheet.deal')), h('th', { scope: 'col', class: 'right' }, t('sheet.total')))),
    h('tbody', {}, result.payments.map((amount, seat) => h('tr', { key: seat }, h('td', {}, names[seat]), h('td', { class: 'right' }, points(amount)), h('td', { class: 'right' }, number(result.scores?.[seat] ?? 0))))));
}

function tricks(result, names) {
  if (!result.tricks?.length) return null;
  return h('details', {}, h('summary', {}, t('sheet.replay')),
    h('ol', { class: 'trick-list' }, result.tricks.map((trick, at) => h('li', { key: at },
      h('span', { class: 'small' }, t('sheet.trick', { n: at + 1, who: { seat: trick.winner }, points: trick.points }, names)),
      h('div', { class: 'row tight small-cards' }, trick.cards.map((item) => h('figure', { key: item.card, class: item.seat === trick.winner ? 'won' : '' }, cardImage(item.card, { label: cardName(item.card) }), h('figcaption', { class: 'small' }, names[item.seat]))))))),
    result.discards && h('ul', { class: 'trick-list' }, result.discards.map((cards, seat) => cards?.length > 0 && h('li', { key: seat }, h('span', { class: 'small' }, t('sheet.discard', { who: { seat } }, names)), h('div', { class: 'row tight small-cards' }, cards.map((card) => cardImage(card, { label: cardName(card) })))))));
}

export function sheet(ctx, result) {
  const { names, memory, view } = ctx;
  const close = () => {
    memory.seen = view.results.length;
    memory.closed = true;
    refresh();
  };
  const won = result.points && result.points.declarer >= 48;
  return h('section', { class: 'sheet', 'aria-label': t('sheet.title', { n: result.n }) },
    h('div', { class: 'row spread' }, h('h2', {}, t('sheet.title', { n: result.n })), !ctx.readonly && keyed('N', button(view.phase === 'over' ? t('sheet.close') : t('sheet.next'), close, { kind: 'primary', 'data-token': 'next' }))),
    h('p', {}, result.outcome === 'played' ? t(result.partner === null || result.partner === undefined ? 'sheet.alone' : 'sheet.pair', { who: { seat: result.declarer }, partner: { seat: result.partner ?? 0 }, bid: { id: `tarokk.bid.${result.bid}` }, points: result.points?.declarer ?? 0 }, names) : t(`sheet.${result.outcome}`)),
    result.outcome === 'played' && h('p', {}, h('strong', {}, t(won ? 'sheet.declarer' : 'sheet.opponents'))),
    result.multiplier > 1 && h('p', { class: 'small' }, t('tarokk.times.long', { n: result.multiplier })),
    items(result, names), payments(result, names), tricks(result, names));
}
