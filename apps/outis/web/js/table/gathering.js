// Before a game: who is here, what will be played, the safety words.

import { app, ask, go } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { beforeNote, button, gameName, gradeWords, title } from '../parts.js';
import { boundWords } from '../screens/begin.js';
import { t } from '../words.js';
import { calling, isCalling } from './calling.js';
import { invitation } from './invitation.js';
import { kindIcon, linkTag } from './seats.js';
import { botsNote, terms } from './terms.js';
import { hangUp } from '../screens/open.js';
import { blockButton } from '../screens/blocks.js';

function seatLine(ctx, seat) {
  const { now, id } = ctx;
  return h('li', { key: seat.seat },
    h('span', { class: 'row' }, kindIcon(seat), h('bdi', { class: 'seat-name' }, seat.kind === 'open' ? t('gather.open') : ctx.names[seat.seat]), seat.kind === 'bot' && h('span', { class: 'tag' }, [t('kind.bot'), seat.level && t(`level.${seat.level}`)].filter(Boolean).join(' · ')), linkTag(seat)),
    h('span', { class: 'row' },
      seat.compare && h('span', { class: 'compare' }, h('span', { class: 'small muted' }, t('gather.compare')), ' ', h('strong', { class: 'code' }, seat.compare)),
      now.host && seat.kind === 'peer' && button(t('gather.dismiss'), () => ask('dismiss', { table: id, seat: seat.seat }), { kind: 'small' }),
      seat.kind === 'peer' && blockButton(seat.key, seat.name)));
}

/** A quick match: no invites; the program looks for opponents, and the game starts automatically. */
function quickMatch({ now, id, memory }) {
  memory.quick ||= now.host && app.open?.quick === id;
  if (!memory.quick) return null;
  if (now.ready && !memory.begun) {
    memory.begun = true;
    queueMicrotask(() => ask('begin', { table: id }));
  }
  return h('section', { class: 'panel' }, h('p', { class: 'row', role: 'status' }, icon('wait'), h('span', {}, t(now.ready ? 'open.quick.found' : 'open.quick.searching'))),
    app.open?.phase === 'here' && h('p', { class: 'muted' }, t('open.people', { n: app.open.people })));
}

export function gathering(ctx) {
  const { now, id } = ctx;
  const leave = async () => {
    if (await ask('leave', { table: id })) go('');
  };
  const compared = now.seats.some((seat) => seat.compare);
  const waits = isCalling(now);
  const quick = quickMatch(ctx);
  const lead = quick ? 'open.quick.lead' : waits ? 'calling.lead' : now.host && now.ready ? 'gather.ready' : now.again ? 'gather.again' : now.host ? 'gather.lead' : 'gather.guest';
  const options = !waits && terms(ctx);
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(waits ? t('calling.title') : t('gather.title', { game: gameName(ctx.game) })), h('p', { class: 'muted' }, t(lead)), beforeNote(ctx.game), now.grade === 'classic' && h('p', { class: 'notice' }, gradeWords(ctx.game, 'classic'), ' ', boundWords(ctx.game, 'classic', now.dials))),
    waits && calling(ctx),
    quick || invitation(ctx),
    !waits && h('section', { class: 'panel' }, h('h2', {}, t('gather.seats')), h('ul', { class: 'list' }, ctx.seats.map((seat) => seatLine(ctx, seat))), botsNote(ctx), compared && h('p', { class: 'row small' }, icon('shield'), h('span', {}, t('gather.aloud')))),
    options && h('section', { class: 'panel' }, h('h2', {}, t('gather.terms')), options),
    !now.again && !quick && hangUp(ctx),
    h('div', { class: 'row' },
      now.host && !quick && button(t('gather.begin'), () => ask('begin', { table: id }), { kind: 'primary', disabled: !now.ready }),
      button(t('table.leave'), leave, { kind: 'quiet' }), now.host && !quick && !now.ready && h('span', { class: 'muted' }, t('gather.waiting'))));
}
