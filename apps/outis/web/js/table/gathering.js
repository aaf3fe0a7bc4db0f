// Before a game: who is here, the invite, the words to compare.

import { app, ask, go, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { beforeNote, button, copy, gameName, gradeWords, title } from '../parts.js';
import { boundWords } from '../screens/begin.js';
import { moment, t } from '../words.js';
import { kindIcon, linkTag } from './seats.js';
import { hangUp } from '../screens/open.js';
import { blockButton } from '../screens/blocks.js';

function seatLine(ctx, seat) {
  const { now, id } = ctx;
  return h('li', { key: seat.seat },
    h('span', { class: 'row' }, kindIcon(seat), h('bdi', { class: 'seat-name' }, seat.kind === 'open' ? t('gather.open') : ctx.names[seat.seat]), seat.kind === 'bot' && seat.level && h('span', { class: 'tag' }, t(`level.${seat.level}`)), linkTag(seat)),
    h('span', { class: 'row' },
      seat.compare && h('span', { class: 'compare' }, h('span', { class: 'small muted' }, t('gather.compare')), ' ', h('strong', { class: 'code' }, seat.compare)),
      now.host && seat.kind === 'peer' && button(t('gather.dismiss'), () => ask('dismiss', { table: id, seat: seat.seat }), { kind: 'small' }),
      seat.kind === 'peer' && blockButton(seat.key, seat.name)));
}

/** The invite to be photographed: dark on light in both themes, with a quiet margin. */
function picture({ size, path }) {
  return h('svg:svg', { class: 'qr', viewBox: `-4 -4 ${size + 8} ${size + 8}`, role: 'img', 'aria-label': t('gather.code.label') },
    h('svg:rect', { x: -4, y: -4, width: size + 8, height: size + 8, fill: '#fff' }), h('svg:path', { d: path, fill: '#000' }));
}

function invitation(ctx) {
  const { now, id, memory } = ctx;
  const open = now.seats.some((seat) => seat.kind === 'open');
  if (!now.host || !open) return null;
  const invite = now.invites.at(-1);
  const make = () => ask('invite', { table: id });
  // An invite holds the addresses of this machine: it can be made once they are known.
  const ready = app.network?.state === 'ready';
  const done = (good) => toast(good ? 'good' : 'bad', { id: good ? 'page.gather.copied' : 'page.gather.copy.failed' });
  return h('section', { class: 'panel' }, h('h2', {}, t('gather.invite')),
    invite
      ? [h('label', { for: 'invite-text', class: 'visually-hidden' }, t('gather.invite')), h('textarea', { id: 'invite-text', readonly: true, class: 'code', value: invite.text, onfocus: (event) => event.target.select() }),
        h('div', { class: 'row' }, button(t('gather.copy'), () => copy(invite.text, done), { kind: 'primary', picture: 'copy' }), button(t('gather.another'), make), button(t('gather.void'), () => ask('uninvite', { table: id }), { kind: 'quiet' })),
        h('p', { class: 'muted small' }, t('gather.once', { until: moment(invite.until), n: now.invites.length })),
        invite.code && h('details', {}, h('summary', {}, t('gather.code')), picture(invite.code))]
      : h('div', { class: 'row' }, button(t('gather.make'), make, { kind: 'primary', disabled: !ready }), !ready && h('span', { class: 'muted', role: 'status' }, t(`network.state.${app.network?.state ?? 'off'}`))),
    h('div', { class: 'row' }, button(t('gather.fill'), () => ask('fill', { table: id, level: memory.level || 1 }), { picture: 'bot' })));
}

export function gathering(ctx) {
  const { now, id } = ctx;
  const leave = async () => {
    if (await ask('leave', { table: id })) go('');
  };
  const compared = now.seats.some((seat) => seat.compare);
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(t('gather.title', { game: gameName(ctx.game) })), h('p', { class: 'muted' }, t(now.again ? 'gather.again' : now.host ? 'gather.lead' : 'gather.guest')), beforeNote(ctx.game), now.grade === 'classic' && h('p', { class: 'notice' }, gradeWords(ctx.game, 'classic'), ' ', boundWords(ctx.game, 'classic', now.dials))),
    h('section', { class: 'panel' }, h('h2', {}, t('gather.seats')), h('ul', { class: 'list' }, ctx.seats.map((seat) => seatLine(ctx, seat))), compared && h('p', { class: 'row small' }, icon('shield'), h('span', {}, t('gather.aloud')))),
    invitation(ctx),
    !now.again && hangUp(ctx),
    h('div', { class: 'row' },
      now.host && button(t('gather.begin'), () => ask('begin', { table: id }), { kind: 'primary', disabled: !now.ready }),
      button(t('table.leave'), leave, { kind: 'quiet' }), now.host && !now.ready && h('span', { class: 'muted' }, t('gather.waiting'))));
}

