// The rules of a game, in short, with pictures. The catalogue has the texts; the pictures are Outis's own.

import { h } from '../dom.js';
import { button, cardImage, gameName, title } from '../parts.js';
import { has, say, t } from '../words.js';
import { playNow } from './begin.js';
import { app } from '../app.js';

const PICTURES = {
  tarokk: { 1: [['skiz'], ['XXI'], ['pagat']], 2: [['S:K'], ['S:Q'], ['S:C'], ['S:J'], ['S:10']] },
  poker: { 2: [['H:A', true], ['H:K', true], ['H:Q', true], ['H:J', true], ['H:10', true]], 3: [['S:A', true], ['D:A', true]] },
  'high-card': { 1: [['C:A', true], ['D:A', true], ['H:A', true], ['S:A', true]] },
};

/** A page of rules is the ids `page.rules.GAME.1.title`, `page.rules.GAME.1`, and so on. */
export function rules(game) {
  const parts = [];
  for (let n = 1; has(`page.rules.${game}.${n}`); n++) {
    const pictures = PICTURES[game]?.[n] || [];
    parts.push(h('section', { class: 'stack', key: n },
      h('h2', {}, say(`page.rules.${game}.${n}.title`)),
      pictures.length > 0 && h('div', { class: 'rule-cards', 'aria-hidden': 'true' }, pictures.map(([name, french]) => cardImage(name, { french }))),
      say(`page.rules.${game}.${n}`).split('\n').map((line) => h('p', {}, line))));
  }
  const known = app.games.some((other) => other.game === game);
  return h('div', { class: 'page narrow rules' },
    h('div', { class: 'stack' }, title(t('rules.title', { game: gameName(game) })), has(`${game}.summary`) && h('p', { class: 'lead' }, say(`${game}.summary`))),
    parts.length ? parts : h('p', { class: 'muted' }, t('rules.none')),
    h('div', { class: 'row' }, known && button(t('home.play'), () => playNow(game), { kind: 'primary' }), h('a', { class: 'button quiet', href: '#/' }, t('nav.home'))));
}
