// The hands that are over: to read, and to keep as text or JSON.

import { ask, refresh } from '../../app.js';
import { h } from '../../dom.js';
import { button } from '../../parts.js';
import { save } from '../../link.js';
import { t } from '../../words.js';

/** Keeps hands that are over; they come one by one, or many after a reload. */
export function remember(memory, hands) {
  memory.hands ??= [];
  const known = new Map([...hands.filter(Boolean), ...memory.hands].map((hand) => [hand.number, hand]));
  if (known.size > memory.hands.length) memory.hands = [...known.values()].sort((a, b) => a.number - b.number);
  return memory.hands;
}

/** Asks the node for hands that ended before this page was there. */
export async function catchUp(id, memory, view) {
  if (view.hand <= (memory.hands?.length ?? 0) || memory.asked === view.hand) return;
  memory.asked = view.hand;
  const answer = await ask('chronicle', { table: id });
  if (!answer?.parts) return;
  remember(memory, answer.parts);
  refresh();
}

/** The text of a hand with the players' names in it. */
const named = (hand, names) => hand.text.replace(/Player (\d)/g, (whole, n) => names[n - 1] ?? whole);

export function past(ctx) {
  // A replay has all pictures of the game, and every hand is the last one in some of them.
  const hands = remember(ctx.memory, ctx.pictures ? ctx.pictures.map((picture) => picture.view?.last) : [ctx.view.last]);
  const offer = (text, type, ending) => save(new Blob([text], { type }), `poker-${(ctx.id || ctx.key || 'table').slice(0, 8)}.${ending}`);
  const text = () => offer(hands.map((hand) => named(hand, ctx.names)).join('\n\n'), 'text/plain', 'txt');
  const json = () => offer(JSON.stringify(hands.map(({ text: _, have: __, ...hand }) => ({ ...hand, names: ctx.names })), null, 1), 'application/json', 'json');
  return h('details', { class: 'panel pk-past', key: 'past' }, h('summary', {}, h('strong', {}, t('poker.history'))),
    hands.length === 0 ? h('p', { class: 'muted' }, t('poker.history.none')) : [
      h('div', { class: 'row' }, button(t('poker.history.text'), text, { kind: 'small', picture: 'save' }), button(t('poker.history.json'), json, { kind: 'small', picture: 'save' })),
      h('ol', { class: 'stack tight' }, [...hands].reverse().map((hand) => h('li', { key: hand.number }, h('details', {}, h('summary', {}, t('poker.history.hand', { n: hand.number + 1 })), h('div', { class: 'scroll' }, h('pre', { class: 'code', tabindex: '0' }, named(hand, ctx.names)))))))]);
}
