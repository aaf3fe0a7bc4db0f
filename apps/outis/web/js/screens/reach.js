// How friends reach this machine: asked once, at the first invite, and changed in the settings.

import { app, ask, refresh, setPref } from '../app.js';
import { h } from '../dom.js';
import { button } from '../parts.js';
import { t } from '../words.js';

/** The ways to be reached, the recommended one first. */
const WAYS = ['public', 'local', 'relay'];

/** How this machine can be reached now. */
export const wayNow = () => app.network?.way ?? 'direct';

/** Whether the relay of the player's lobby helps, in a way that leaves room for it. */
export const lobbyHelps = (way) => app.network?.helper === 'lobby' && (way === 'public' || way === 'direct');

/** Whether the question is still open: a choice here or on the command line answers it. */
export const isAsked = () => !app.prefs.reach && wayNow() === 'direct';

/** The fields of the request for a chosen way. */
export function wayFields(way, { relay = '', only = false, lan = Boolean(app.network?.lan) } = {}) {
  if (way === 'relay') return { mode: 'relay', relay: relay.trim(), only, lan };
  return way === 'local' ? { mode: 'direct', local: true, lan } : { mode: way, lan };
}

/** The question, with a button that answers it. `memory` stores the choice meanwhile; `then` runs after the answer. */
export function reachQuestion(memory, then) {
  memory.way ??= WAYS[0];
  memory.relay ??= '';
  const pick = (way) => {
    memory.way = way;
    refresh();
  };
  const answer = async (event) => {
    event.preventDefault();
    if (!(await ask('network', wayFields(memory.way, memory)))) return;
    await setPref('reach', true);
    then();
  };
  return h('form', { class: 'stack reach', onsubmit: answer },
    h('fieldset', { class: 'stack' }, h('legend', {}, t('reach.question')),
      WAYS.map((way) => h('label', { key: way, class: 'panel way', for: `way-${way}` },
        h('input', { id: `way-${way}`, type: 'radio', name: 'way', value: way, checked: memory.way === way, onchange: () => pick(way) }),
        h('span', { class: 'stack' }, h('strong', {}, t(`reach.${way}`)), h('span', { class: 'muted' }, t(lobbyHelps(way) ? 'reach.lobby.what' : `reach.${way}.what`)))))),
    memory.way === 'relay' && h('div', { class: 'field' }, h('label', { for: 'way-address' }, t('network.relay.address')),
      h('input', { id: 'way-address', type: 'text', required: true, spellcheck: 'false', autocomplete: 'off', value: memory.relay, oninput: (event) => { memory.relay = event.target.value; } })),
    h('div', { class: 'row' }, h('button', { type: 'submit', class: 'button primary' }, t('gather.make')), h('span', { class: 'muted small' }, t('reach.later'))));
}
