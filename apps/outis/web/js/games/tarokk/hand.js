// The player's hand: sorted, with playable cards raised, and a reason for every card that is not playable.

import { refresh } from '../../app.js';
import { h } from '../../dom.js';
import { icon } from '../../icons.js';
import { button, cardImage } from '../../parts.js';
import { say, t } from '../../words.js';
import { keyed, send } from '../../table/actions.js';

export const cardName = (card) => say(`tarokk.card.${card}`);

export function hand(ctx) {
  const { view } = ctx;
  if (!view.hand) return null;
  if (view.phase === 'discard' && view.discardable && !ctx.readonly) return discarding(ctx);
  const mine = !ctx.readonly && view.phase === 'play' && view.playable;
  const sending = ctx.memory.sent === ctx.now?.round;
  return h('div', { class: 'hand-box', key: 'hand' },
    h('div', { class: `hand ${mine ? 'choosing' : ''}`, role: 'group', 'aria-label': t('tarokk.hand', { n: view.hand.length }) },
      view.hand.map((card) => {
        const can = mine && view.playable.includes(card);
        const reason = view.refused?.[card];
        const onclick = () => {
          if (sending) return;
          if (can) ctx.choose(card);
          else ctx.why(card, reason);
        };
        const fresh = view.took?.includes(card) && (view.phase === 'discard' || view.phase === 'annul');
        return cardButton(card, { can, cannot: mine && !can, fresh, onclick: ctx.readonly ? undefined : onclick, label: !mine ? cardName(card) : can ? t('tarokk.play', { card: { id: `tarokk.card.${card}` } }) : t('tarokk.cannot', { card: { id: `tarokk.card.${card}` } }) });
      })));
}

function cardButton(card, { can = false, cannot = false, chosen = false, fresh = false, onclick, label, pressed }) {
  return h('div', { class: `slot ${can ? 'can' : ''} ${cannot ? 'cannot' : ''} ${chosen ? 'chosen' : ''} ${fresh ? 'fresh' : ''}`, key: card },
    h('button', { type: 'button', class: 'card', 'data-card': card, 'data-move': `card-${card}`, 'aria-label': label, 'aria-pressed': pressed, title: cardName(card), onclick },
      cardImage(card), chosen && h('span', { class: 'sign' }, icon('good'))));
}

/** Discarding: choose as many cards as are due, then confirm. */
function discarding(ctx) {
  const { view, memory } = ctx;
  const key = `${view.deal}`;
  if (memory.layingFor !== key) Object.assign(memory, { layingFor: key, laying: [] });
  memory.laying = memory.laying.filter((card) => view.hand.includes(card));
  const done = view.discarded?.[view.me];
  const toggle = (card) => {
    const reason = view.refused?.[card];
    if (!view.discardable.includes(card)) return ctx.why(card, reason);
    memory.reason = null;
    if (memory.laying.includes(card)) memory.laying = memory.laying.filter((other) => other !== card);
    else memory.laying = [...memory.laying, card].slice(-view.due);
    refresh();
    return undefined;
  };
  const lay = () => {
    const token = `discard:${view.discardable.filter((card) => memory.laying.includes(card)).join('+')}`;
    if (ctx.actions.some((action) => action.token === token)) ctx.choose(token);
    else send(ctx, token);
  };
  return h('div', { class: 'hand-box', key: 'hand' },
    !done && h('div', { class: 'row laying' },
      h('span', {}, t('tarokk.lay.choose', { n: view.due })),
      keyed('D', button(t('tarokk.lay.do', { n: memory.laying.length, of: view.due }), lay, { kind: 'primary', disabled: memory.laying.length !== view.due || memory.sent === ctx.now?.round, 'data-token': 'discard' }))),
    h('div', { class: 'hand choosing', role: 'group', 'aria-label': t('tarokk.hand', { n: view.hand.length }) },
      view.hand.map((card) => {
        const can = view.discardable.includes(card);
        const chosen = memory.laying.includes(card);
        return cardButton(card, { can, cannot: !can, chosen, fresh: view.took?.includes(card), pressed: can ? String(chosen) : undefined, onclick: () => toggle(card), label: can ? t('tarokk.lay', { card: { id: `tarokk.card.${card}` } }) : t('tarokk.cannot', { card: { id: `tarokk.card.${card}` } }) });
      })));
}

