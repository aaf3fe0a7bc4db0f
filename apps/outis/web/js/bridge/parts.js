// Elements that several bridge screens share.

import { app, ask, refresh, setPref } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, choice } from '../parts.js';
import { currentLanguage, t } from '../words.js';
import { download, language, paper, print } from './files.js';

export const SUITS = ['S', 'H', 'D', 'C'];
export const SEATS = ['N', 'E', 'S', 'W'];
const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** The symbol of a suit, with its name for screen readers. */
export const suitSign = (suit) => h('span', { class: `suit ${suit}`, role: 'img', 'aria-label': t(`bridge.suit.${suit}`) }, SIGNS[suit]);

export const evenings = () => app.bridge?.evenings || [];
export const eveningOf = (id) => evenings().find((one) => one.evening === id);

/** The name of a session; a substitute if it has no title. */
export const called = (evening) => evening.title || t('bridge.untitled');

/** `1–24`, or single numbers if there are gaps. */
export function span(boards) {
  const whole = boards.every((board, at) => at === 0 || board === boards[at - 1] + 1);
  return boards.length > 1 && whole ? `${boards[0]}–${boards.at(-1)}` : boards.join(', ');
}

/** One line of buttons: print, and save in each format. */
export function outputs(fields, formats, title) {
  return h('div', { class: 'row' },
    formats.includes('pdf') && button(t('bridge.print'), () => print({ ...fields, format: 'pdf' }), { kind: 'primary', picture: 'print' }),
    formats.map((format) => button(t(`bridge.format.${format}`), () => download({ ...fields, format }, title), { kind: 'small', picture: 'save', key: format })));
}

/** How pages look: paper and language. */
export function look() {
  return h('details', { class: 'look' }, h('summary', {}, t('bridge.look', { paper: t(`bridge.paper.${paper()}`), language: t(`bridge.language.${language()}`) })),
    h('div', { class: 'stack' },
      choice(t('bridge.paper'), ['a4', 'letter'].map((one) => [one, t(`bridge.paper.${one}`)]), paper(), (one) => setPref('paper', one)),
      choice(t('bridge.language'), ['en', 'hu'].map((one) => [one, t(`bridge.language.${one}`)]), language(), (one) => setPref('printed', one === currentLanguage() ? undefined : one))));
}

/** The running computation, with a way to stop it; nothing if a different one runs. */
export function progress(kind, evening = null) {
  const job = app.bridge?.job;
  if (!job || job.kind !== kind || job.evening !== evening) return null;
  const per = kind === 'analyse' ? 5 : 1;
  const [done, all] = [Math.floor(job.done / per), Math.round(job.all / per)];
  return h('div', { class: 'progress', role: 'group', 'aria-label': t(`bridge.job.${kind}`) },
    h('p', { class: 'row' }, icon('wait'), t(`bridge.job.${kind}.text`, { done, all })),
    h('progress', { max: String(Math.max(1, job.all)), value: String(job.done), 'aria-label': t(`bridge.job.${kind}`) }),
    button(t(job.stopping ? 'bridge.stopping' : 'bridge.stop'), () => ask('bridge-stop'), { kind: 'small', disabled: job.stopping }));
}

/** A file input, by click or drop. */
export function fileField(id, caption, take, name) {
  return h('label', { class: 'drop small-drop', for: id, ondragover: (event) => event.preventDefault(), ondrop: (event) => { event.preventDefault(); take(event.dataTransfer.files[0]); } },
    icon('file'), h('span', {}, name ? h('bdi', {}, name) : caption), h('span', { class: 'button small' }, t('check.choose')),
    h('input', { id, class: 'visually-hidden', type: 'file', onchange: (event) => { take(event.target.files[0]); refresh(); } }));
}

/** A number input. */
export function numberField(id, caption, value, [least, most], set) {
  return h('div', { class: 'field' }, h('label', { for: id }, caption),
    h('input', { id, type: 'number', min: String(least), max: String(most), inputmode: 'numeric', value: String(value), onchange: (event) => { set(Math.min(most, Math.max(least, Math.round(Number(event.target.value)) || least))); refresh(); } }));
}
