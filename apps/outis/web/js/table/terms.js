// What everyone should know before a game begins: the table's options, and on whose machine bots run.

import { app } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { clockWords, inGrade } from '../screens/begin.js';
import { has, number, say, t } from '../words.js';

/** Options that the line about the clock covers. */
const CLOCKS = new Set(['clock', 'minutes', 'increment', 'days']);

/** The options of a table: its clock first, then the others. */
export function terms(ctx) {
  const { now, game, names } = ctx;
  const any = app.games.find((other) => other.game === game);
  const known = any && inGrade(any, now.grade);
  if (!known || now.dials?.length !== known.dials.length) return null;
  const value = (dial, at) => {
    // To a guest the host is not "you": the line names the player with each colour.
    if (dial.name === 'white') return h('bdi', {}, names[at - dial.least] || t('gather.open'));
    const name = dial.values[at - dial.least];
    const id = `${game}.option.${dial.name}.${name}`;
    return name === undefined ? number(at) : has(id) ? say(id) : name;
  };
  const line = (key, caption, text) => h('div', { key }, h('dt', {}, caption), h('dd', {}, text));
  return h('dl', { class: 'terms' },
    known.dials.some((dial) => CLOCKS.has(dial.name)) && line('clock', t('new.clock'), clockWords(known, now.dials, now.days)),
    known.dials.map((dial, at) => !CLOCKS.has(dial.name) && dial.least < dial.most && line(dial.name, say(`${game}.option.${dial.name}`), value(dial, now.dials[at]))));
}

/** A note for everyone at the table if one machine plays several seats: its owner could look at their cards. */
export function botsNote({ now, seats, names }) {
  const bots = seats.filter((seat) => seat.kind === 'bot');
  const others = seats.some((seat) => seat.kind === 'peer' || seat.kind === 'open');
  if (!bots.length || !others) return null;
  const host = seats.find((seat) => seat.seat === 0);
  const words = now.host || now.me === 0 ? t('gather.bots.own', { n: bots.length }) : t('gather.bots', { n: bots.length, who: { plain: names[host?.seat ?? 0] } });
  return h('p', { class: 'row small bots-note' }, icon('bot'), h('span', {}, words));
}
