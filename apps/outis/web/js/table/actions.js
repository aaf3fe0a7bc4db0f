// The person's possible actions. An action that commits to or risks something is explained first.

import { ask, refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button } from '../parts.js';
import { t, tell } from '../words.js';

/** Takes the action, or explains it first. */
export function choose(ctx, token) {
  const action = ctx.actions.find((other) => other.token === token);
  if (!action) return why(ctx, token);
  if (action.caution?.length) {
    ctx.memory.pending = { token, round: ctx.now.round };
    ctx.memory.reason = null;
    refresh(() => document.querySelector('.confirm .button')?.focus());
    return undefined;
  }
  return send(ctx, token);
}

/** Sends a token to the node, once. */
export async function send(ctx, token) {
  const { memory, now, id } = ctx;
  if (memory.sent === now.round) return;
  memory.sent = now.round;
  memory.token = token;
  memory.pending = null;
  memory.reason = null;
  memory.acted = (memory.acted || 0) + 1;
  refresh();
  const answer = await ask('act', { table: id, token, round: now.round });
  if (!answer) memory.sent = null;
  refresh();
}

/** Shows why an action is not possible now. */
export async function why(ctx, token, known) {
  ctx.memory.reasonRound = ctx.now?.round;
  if (known) {
    ctx.memory.reason = tell(known, ctx.names);
  } else if (ctx.now) {
    const answer = await ask('why', { table: ctx.id, token });
    ctx.memory.reason = answer?.text ? tell(answer.text, ctx.names) : t('why.unknown');
  }
  refresh();
}

/** The explanation that waits for a decision; null if there is none. */
export function confirm(ctx) {
  const { pending } = ctx.memory;
  const action = pending && pending.round === ctx.now?.round && ctx.actions.find((other) => other.token === pending.token);
  if (!action) return null;
  const back = () => {
    ctx.memory.pending = null;
    refresh();
  };
  return h('div', { class: 'confirm notice', role: 'group', 'aria-label': t('act.before'), key: 'confirm' },
    h('h3', {}, t('act.before.what', { what: action.caption }, ctx.names)),
    h('ul', { class: 'stack tight' }, action.caution.map((text) => h('li', {}, tell(text, ctx.names)))),
    h('div', { class: 'row' }, button(t('act.do'), () => send(ctx, action.token), { kind: 'primary' }), keyed('Escape', button(t('act.back'), back, { kind: 'quiet' }))));
}

/** A button that shows its key. */
export function keyHint(key, node) {
  if (!key) return node;
  const shown = h('kbd', { class: 'key', 'aria-hidden': 'true', key: 'key' }, key === 'Escape' ? t('key.escape') : key);
  return { ...node, props: { ...node.props, 'aria-keyshortcuts': key }, children: [...node.children, shown] };
}

/** A button with a key that moves the focus to it. */
export const keyed = (key, node) => keyHint(key, key ? { ...node, props: { ...node.props, 'data-key': key } } : node);

/** The plain row of buttons: one for each action, in their order. */
export function bar(ctx, skip = () => false) {
  const waiting = ctx.memory.sent === ctx.now?.round;
  const actions = ctx.actions.filter((action) => !skip(action.token));
  if (!actions.length) return null;
  return h('div', { class: 'actions', role: 'group', 'aria-label': t('act.label'), key: 'actions' },
    actions.map((action, at) => actionButton(ctx, action, { waiting, key: digit(at) })));
}

/** The key of a button in a row: the first nine have one. */
export const digit = (at) => (at < 9 ? String(at + 1) : null);

export function actionButton(ctx, action, { waiting = ctx.memory.sent === ctx.now?.round, kind = '', key = null } = {}) {
  return keyed(key, h('button', { type: 'button', key: action.token, class: `button ${kind}`, 'data-token': action.token, disabled: waiting, onclick: () => choose(ctx, action.token) },
    h('span', {}, tell(action.caption, ctx.names)), action.caution?.length > 0 && h('span', { class: 'obliges', title: t('act.obliges') }, icon('help'), h('span', { class: 'visually-hidden' }, t('act.obliges')))));
}

/** Arrow keys move among the cards of a hand and the buttons of a bar. */
export function moveFocus(event) {
  const group = event.target.closest?.('.hand, .actions, .tabs, .pk-own, .confirm');
  if (!group) return;
  const items = [...group.querySelectorAll('button:not(:disabled)')];
  const at = items.indexOf(event.target);
  const step = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key];
  const next = items[(step + items.length) % items.length];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
