// Chat at the table. It is not part of the log and proves nothing. Other players' messages are shown as plain text.

import { ask, refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button } from '../parts.js';
import { t, tame } from '../words.js';
import { blockButton } from '../screens/blocks.js';

const PHRASES = ['hello', 'well', 'thanks', 'moment', 'again'];

export function chat(ctx) {
  const { memory, known, now } = ctx;
  known.unread = 0;
  const muted = new Set(now.seats.filter((seat) => seat.muted).map((seat) => seat.seat));
  const lines = known.chat.filter((line) => !muted.has(line.seat));
  const people = now.seats.filter((seat) => seat.kind === 'peer');
  const say = (text) => ask('chat', { table: ctx.id, text });
  const submit = (event) => {
    event.preventDefault();
    const text = (memory.draft || '').trim();
    if (!text) return;
    memory.draft = '';
    say(text);
    refresh();
  };
  return h('div', { class: 'stack chat' },
    people.length === 0 && h('p', { class: 'muted small' }, t('chat.bots')),
    people.length > 0 && h('ul', { class: 'row' }, people.map((seat) => h('li', { key: seat.seat },
      h('button', { type: 'button', class: 'button small', 'aria-pressed': String(Boolean(seat.muted)), onclick: () => ask('mute', { table: ctx.id, seat: seat.seat, on: !seat.muted }) }, icon(seat.muted ? 'silent' : 'sound'), t(seat.muted ? 'chat.unmute' : 'chat.mute', { who: { seat: seat.seat } }, ctx.names)), blockButton(seat.key, seat.name)))),
    h('ol', { class: 'chat-lines', tabindex: '0', 'aria-label': t('chat.label') }, lines.map((line, at) => h('li', { key: at, class: line.seat === now.me ? 'own' : '' }, h('strong', {}, h('bdi', {}, ctx.names[line.seat] ?? '')), ' ', h('bdi', {}, tame(line.text, 500))))),
    h('div', { class: 'row' }, PHRASES.map((phrase) => button(t(`phrase.${phrase}`), () => say(t(`phrase.${phrase}`)), { kind: 'small' }))),
    h('form', { class: 'row join', onsubmit: submit },
      h('label', { class: 'visually-hidden', for: 'chat' }, t('chat.write')),
      h('input', { id: 'chat', type: 'text', maxlength: 500, autocomplete: 'off', placeholder: t('chat.write'), value: memory.draft || '', oninput: (event) => { memory.draft = event.target.value; } }),
      h('button', { type: 'submit', class: 'button' }, t('chat.send'))),
    h('p', { class: 'muted small' }, t('chat.note')));
}
