// A table where one of the bots cheats, to see how that ends.

import { app } from '../app.js';
import { h } from '../dom.js';
import { button, gameName, title } from '../parts.js';
import { t } from '../words.js';
import { playNow } from './begin.js';
import { ORDER, picture } from './home.js';

export function practice() {
  const known = app.games.filter((one) => one.crooks?.includes('hardened')).sort((a, b) => (ORDER.indexOf(a.game) + 99) % 99 - (ORDER.indexOf(b.game) + 99) % 99);
  return h('div', { class: 'page' },
    h('div', { class: 'stack' }, title(t('practice.title')), h('p', { class: 'lead' }, t('practice.lead')),
      h('ol', { class: 'next-steps' }, ['one', 'two', 'three'].map((part) => h('li', { key: part }, t(`practice.step.${part}`))))),
    h('ul', { class: 'tiles' }, known.map(({ game }) => h('li', { class: 'tile', key: game },
      picture(game),
      h('div', { class: 'tile-text' }, h('h2', {}, gameName(game))),
      h('div', { class: 'tile-buttons' }, button(t('practice.sit'), () => playNow(game, { crook: true }), { kind: 'primary', 'aria-label': t('practice.sit.game', { game: gameName(game) }) }))))),
    h('div', { class: 'stack muted' }, h('p', {}, t('practice.never')), h('p', {}, t('practice.far'), ' ', h('code', { class: 'code together' }, t('practice.far.command')))));
}
