// Blocked players: a button wherever a player is shown, and the list in the settings.

import { app, ask, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { button, iconButton } from '../parts.js';
import { moment, t, tame } from '../words.js';

const called = (name, words) => tame(name, 40) || words || '';

/** Whether a key is blocked. */
export const isBlocked = (key) => Boolean(app.open?.blocked?.some((one) => one.key === key));

/** Blocks a player, and says how to undo it. */
export async function block(key, name) {
  if (await ask('block', { key, name, on: true })) toast('good', { id: 'page.block.done', args: { who: { plain: called(name) } } });
}

/** A small button that blocks a player on the second press. */
export function blockButton(key, name) {
  const who = { plain: called(name) };
  if (!key || key === app.profile?.key || isBlocked(key)) return null;
  const sure = app.sure === key;
  const press = () => {
    app.sure = sure ? null : key;
    if (sure) block(key, name);
    refresh();
  };
  if (sure) return button(t('block.sure', { who }), press, { kind: 'small danger', onblur: () => { app.sure = null; refresh(); } });
  return iconButton('block', t('block', { who }), press);
}

/** The list of blocked players, each with a button to unblock. */
export function blockedList() {
  const all = app.open?.blocked ?? [];
  const undo = async (one) => {
    if (await ask('block', { key: one.key, on: false })) toast('good', { id: 'page.block.undone', args: { who: { plain: called(one.name, one.words) } } });
  };
  return h('section', { class: 'panel', 'aria-labelledby': 'blocked' }, h('h2', { id: 'blocked' }, t('block.title')),
    h('p', { class: 'muted small' }, t('block.what')),
    all.length
      ? h('ul', { class: 'list' }, all.map((one) => h('li', { key: one.key },
        h('span', {}, h('bdi', {}, called(one.name, one.words)), ' ', h('span', { class: 'muted small code' }, one.words), h('br'), h('time', { class: 'muted small' }, moment(one.at))),
        button(t('block.undo'), () => undo(one), { kind: 'small', 'aria-label': t('block.undo.who', { who: { plain: called(one.name, one.words) } }) }))))
      : h('p', { class: 'muted' }, t('block.none')));
}
