// A guest whose host has not answered yet: the state of the call, the known reasons, and what to do.

import { refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { t, tell } from '../words.js';

/** Remarks appear after these times, in milliseconds; the page is redrawn then. */
const MOMENTS = [3_000, 10_000];

/** How long this call has lasted, as this page saw it. */
function lasts(memory) {
  if (memory.called === undefined) {
    memory.called = performance.now();
    for (const moment of MOMENTS) setTimeout(refresh, moment + 50);
  }
  return performance.now() - memory.called;
}

/** Whether a guest has no seat yet. A rematch with the same people is not a call: a player who wants one sits down again. */
export const isCalling = (now) => !now.host && !now.again && (now.me === null || now.me === undefined);

export function calling(ctx) {
  const { now, memory } = ctx;
  const host = ctx.seats.find((seat) => seat.seat === 0);
  const reached = host?.link === 'here';
  const time = lasts(memory);
  const remarks = reached ? [] : (now.calling || []).filter(({ after }) => after <= time);
  const steps = ['call', 'reached', 'seat'];
  const at = reached ? 2 : 0;
  return h('section', { class: 'panel calling' },
    h('ol', { class: 'call-steps' }, steps.map((step, n) => h('li', { key: step, class: n < at ? 'done' : n === at ? 'now' : '', 'aria-current': n === at ? 'step' : null },
      icon(n < at ? 'good' : n === at ? 'wait' : 'forward'), h('span', {}, t(`calling.${step}`))))),
    h('div', { role: 'status', class: 'stack' }, remarks.map(({ text }) => h('p', { key: text.id, class: 'muted' }, tell(text)))));
}
