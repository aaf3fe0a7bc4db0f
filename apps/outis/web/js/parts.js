// Elements that several screens share.

import { app } from './app.js';
import { h } from './dom.js';
import { icon } from './icons.js';
import { currentLanguage, has, points, say, t } from './words.js';
import { cardUrl } from '../cards/deck.js';

/** The name of a game. */
export const gameName = (game) => (!game ? '…' : has(`${game}.name`) ? say(`${game}.name`) : game);

/** The sentence about a failed check, if the game or the node has one. */
export function faultWords(game, check) {
  const id = check && [`${game}.fault.${check}`, `node.fault.${check}`].find(has);
  return id ? say(id) : null;
}

/** What a grade protects, as a sentence. */
export const gradeWords = (game, grade) => (grade === 'classic' && has(`${game}.grade.classic`) ? say(`${game}.grade.classic`) : t('grade.hardened.text'));

/** What everyone should know before sitting down, if the game has such a note. */
export function beforeNote(game, ...more) {
  const [short, long] = [`${game}.before`, `${game}.before.more`];
  return has(short) && h('div', { class: 'notice', key: 'before', role: 'group' }, h('p', {}, say(short)),
    has(long) && h('details', { class: 'small' }, h('summary', {}, t('before.more')), h('p', {}, say(long))), more);
}

/** A tag for tables in the classic grade. */
export const gradeTag = ({ game, grade }) => grade === 'classic' && h('span', { class: 'tag', title: gradeWords(game, grade) }, t('grade.classic'));

/** A tag for tables where one of the bots cheats. */
export const practiceTag = ({ practice }) => practice && h('span', { class: 'tag', title: t('practice.text') }, t('practice.tag'));

/** A picture of a card. Its name is read out if `label` is given. */
export function cardImage(name, { label = '', french = false, className = '' } = {}) {
  return h('img', { class: `card-picture ${className}`, alt: label, draggable: 'false', src: cardUrl(name, { language: currentLanguage(), four: app.prefs.four, french }) });
}

/** A heading that takes the focus when its screen opens. */
export const title = (text) => h('h1', { tabindex: '-1' }, text);

/** A button. */
export function button(caption, onclick, { kind = '', picture, ...more } = {}) {
  return h('button', { type: 'button', class: `button ${kind}`, onclick, ...more }, picture && icon(picture), h('span', {}, caption));
}

/** A button that shows only a drawing. */
export function iconButton(picture, caption, onclick, more = {}) {
  return h('button', { type: 'button', class: 'button quiet icon', title: caption, 'aria-label': caption, onclick, ...more }, icon(picture));
}

/** A choice of one among a few. */
export function choice(legend, values, chosen, pick) {
  return h('fieldset', { class: 'choice' }, h('legend', {}, legend),
    values.map(([value, caption]) => h('button', { type: 'button', class: 'button small', 'aria-pressed': String(value === chosen), onclick: () => pick(value) }, caption)));
}

/** Everybody's points, the best first. */
export function scoreList(names, scores) {
  const order = scores.map((score, seat) => ({ score, seat })).sort((a, b) => b.score - a.score);
  return h('ol', { class: 'score-list', 'aria-label': t('table.scores') }, order.map(({ score, seat }) => h('li', { key: seat, class: score === order[0].score ? 'best' : '' }, h('bdi', {}, names[seat]), h('strong', { class: 'number' }, points(score)))));
}

/** Copies to the clipboard and confirms it. */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    done(true);
  } catch {
    done(false);
  }
}

/** What no protocol protects against, shown wherever a player might assume otherwise. */
export function limits() {
  return h('ul', { class: 'limits stack' },
    ['collusion', 'leaving', 'screens'].map((id) => h('li', {}, h('strong', {}, t(`limits.${id}.title`)), ' ', t(`limits.${id}`))));
}
