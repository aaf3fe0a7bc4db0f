// The invite at the player's own table: the message to send, the QR code and, the first time, how friends get here.

import { app, ask, toast } from '../app.js';
import { h } from '../dom.js';
import { button, copy, gameName } from '../parts.js';
import { isAsked, reachQuestion } from '../screens/reach.js';
import { moment, t } from '../words.js';

/** The table that was opened to invite a friend: its first invite needs no further click. */
let opened = null;
export const inviteTo = (id) => { opened = id; };

/** The invite as a QR code: dark on light in both themes, with a quiet zone. */
function picture({ size, path }) {
  return h('svg:svg', { class: 'qr', viewBox: `-4 -4 ${size + 8} ${size + 8}`, role: 'img', 'aria-label': t('gather.code.label') },
    h('svg:rect', { x: -4, y: -4, width: size + 8, height: size + 8, fill: '#fff' }), h('svg:path', { d: path, fill: '#000' }));
}

/** The message for a friend: what it is, what to do with it, and the code at the end, so that all of it can be pasted. */
const message = (ctx, invite) => t('gather.message', { who: { plain: app.profile?.name || t('gather.friend') }, game: gameName(ctx.game), until: moment(invite.until), code: invite.text });

async function share(text) {
  try {
    await navigator.share({ text });
  } catch (error) {
    // A person who closes the system's dialog has changed their mind.
    if (error.name !== 'AbortError') toast('bad', { id: 'page.gather.share.failed' });
  }
}

function made(ctx, invite) {
  const done = (good) => toast(good ? 'good' : 'bad', { id: good ? 'page.gather.copied' : 'page.gather.copy.failed' });
  const text = message(ctx, invite);
  return [
    h('label', { for: 'invite-text', class: 'visually-hidden' }, t('gather.invite')),
    h('textarea', { id: 'invite-text', readonly: true, rows: 7, value: text, onfocus: (event) => event.target.select() }),
    h('div', { class: 'row' },
      button(t('gather.copy'), () => copy(text, done), { kind: 'primary', picture: 'copy' }),
      navigator.share && button(t('gather.share'), () => share(text)),
      button(t('gather.copy.code'), () => copy(invite.text, done)),
      button(t('gather.another'), () => ask('invite', { table: ctx.id })),
      button(t('gather.void'), () => ask('uninvite', { table: ctx.id }), { kind: 'quiet' })),
    h('p', { class: 'muted small' }, t('gather.once', { until: moment(invite.until), n: ctx.now.invites.length })),
    invite.code && h('details', {}, h('summary', {}, t('gather.code')), picture(invite.code)),
  ];
}

function toMake(ctx) {
  const { memory, id } = ctx;
  if (opened === id) {
    opened = null;
    memory.wanted = true;
  }
  // An invite holds this machine's addresses, so it can be made only once they are known.
  const ready = ['ready', 'lost'].includes(app.network?.state);
  // Made without a click, but only once: answering the question and opening the table may both have requested it.
  if (ready && memory.wanted && !memory.made) {
    memory.made = true;
    queueMicrotask(() => ask('invite', { table: id }));
  }
  return h('div', { class: 'row' },
    button(t('gather.make'), () => ask('invite', { table: id }), { kind: 'primary', disabled: !ready }),
    !ready && h('span', { class: 'muted', role: 'status' }, t(`network.state.${app.network?.state ?? 'off'}`)));
}

export function invitation(ctx) {
  const { now, memory, id } = ctx;
  if (!now.host || !now.seats.some((seat) => seat.kind === 'open')) return null;
  const invite = now.invites.at(-1);
  const wish = () => { memory.wanted = true; };
  return h('section', { class: 'panel' }, h('h2', {}, t('gather.invite')),
    invite ? made(ctx, invite) : isAsked() ? reachQuestion(memory, wish) : toMake(ctx),
    h('div', { class: 'row' }, button(t('gather.fill'), () => ask('fill', { table: id, level: memory.level || 1 }), { picture: 'bot' })));
}
