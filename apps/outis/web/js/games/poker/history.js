// Finished hands: to read in the player's language, and to save as text or JSON.

import { ask, refresh } from '../../app.js';
import { h } from '../../dom.js';
import { icon } from '../../icons.js';
import { button } from '../../parts.js';
import { save } from '../../link.js';
import { t, tell } from '../../words.js';
import { nameText } from './cards.js';
import { outcome } from './moment.js';

/** Stores finished hands; they arrive one by one, or all together after a reload. */
export function remember(memory, hands) {
  memory.hands ??= [];
  const known = new Map([...hands.filter(Boolean), ...memory.hands].map((hand) => [hand.number, hand]));
  if (known.size > memory.hands.length) memory.hands = [...known.values()].sort((a, b) => a.number - b.number);
  return memory.hands;
}

/** Requests the hands that ended before this page was opened. */
export async function catchUp(id, memory, view) {
  if (view.hand <= (memory.hands?.length ?? 0) || memory.asked === view.hand) return;
  memory.asked = view.hand;
  const answer = await ask('chronicle', { table: id });
  if (!answer?.parts) return;
  remember(memory, answer.parts);
  refresh();
}

/** An event as a text; null if there is nothing to say. */
export function told(event, haves) {
  const who = { seat: event.seat };
  const cards = (event.board || event.cards)?.map(nameText);
  if (event.board) return { id: 'poker.turned', args: { cards } };
  switch (event.does) {
    case 'fold': return { id: 'poker.folds', args: { who } };
    case 'check': return { id: 'poker.checks', args: { who } };
    case 'call': return { id: 'poker.calls', args: { who } };
    case 'to': return { id: 'poker.bets', args: { who, chips: event.amount } };
    case 'discard': return event.number ? { id: 'poker.draws', args: { who, n: event.number } } : { id: 'poker.draws.none', args: { who } };
    case 'muck': return { id: 'poker.mucks', args: { who } };
    case 'show': return { id: 'poker.shows', args: { who, cards, have: haves.get(event.seat) } };
    default: return null;
  }
}

/** A finished hand, line by line. The cards are those held at the end, so they appear where the last of them was dealt. */
function story(hand, names) {
  const haves = new Map(hand.have.map((item) => [item.seat, item.have]));
  const dealt = hand.events.findLastIndex((event) => event.deal);
  const own = hand.own?.cards.length ? { id: 'page.poker.history.own', args: { cards: hand.own.cards.map(nameText) } } : null;
  const texts = [...hand.events.map((event, at) => (at === dealt ? own : told(event, haves))), ...outcome(hand)];
  return h('ul', { class: 'pk-story' }, texts.filter(Boolean).map((text, n) => h('li', { key: n }, tell(text, names))));
}

/** The text of a hand for programs that read such files, with the players' names. */
const named = (hand, names) => hand.text.replace(/Player (\d)/g, (whole, n) => names[n - 1] ?? whole);

export function past(ctx) {
  // A replay has all views of the game, and every hand is the last one in some of them.
  const hands = remember(ctx.memory, ctx.pictures ? ctx.pictures.map((picture) => picture.view?.last) : [ctx.view.last]);
  const offer = (text, type, ending) => save(new Blob([text], { type }), `poker-${(ctx.id || ctx.key || 'table').slice(0, 8)}.${ending}`);
  const text = () => offer(hands.map((hand) => named(hand, ctx.names)).join('\n\n'), 'text/plain', 'txt');
  const json = () => offer(JSON.stringify(hands.map(({ text: _, have: __, ...hand }) => ({ ...hand, names: ctx.names })), null, 1), 'application/json', 'json');
  return h('details', { class: 'panel pk-past', key: 'past' }, h('summary', {}, h('strong', {}, t('poker.history'))),
    hands.length === 0 ? h('p', { class: 'muted' }, t('poker.history.none')) : [
      h('div', { class: 'row' }, button(t('poker.history.text'), text, { kind: 'small', picture: 'save' }), button(t('poker.history.json'), json, { kind: 'small', picture: 'save' })),
      h('ol', { class: 'stack tight' }, [...hands].reverse().map((hand) => h('li', { key: hand.number }, h('details', {}, h('summary', {}, t('poker.history.hand', { n: hand.number + 1 })), ctx.id && h('p', {}, h('a', { class: 'button small', href: `#/hand/${ctx.id}/${hand.number + 1}` }, icon('play'), h('span', {}, t('poker.replay')))), story(hand, ctx.names)))))]);
}
