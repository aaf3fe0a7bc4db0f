// The fairness panel: every step of the protocol as a sentence, which opens to what was proved and what was not.

import { app, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, gradeWords, limits } from '../parts.js';
import { boundWords } from '../screens/begin.js';
import { saveLog } from '../link.js';
import { has, moment, say, size, span, t } from '../words.js';
import { botsNote } from './terms.js';

const people = (seats) => ({ who: seats.map((seat) => ({ seat })) });

/** What the table waits for, as a sentence. */
export function stepWords(game, what, seats, names) {
  const id = [`${game}.step.${what}.wait`, `page.step.${what}.wait`, 'page.step.wait'].find(has);
  return say(id, people(seats), names);
}

/** What was done, as a sentence. */
function doneWords(game, what, seats, names) {
  const id = [`${game}.step.${what}`, `node.step.${what}`, `page.step.${what}.done`].find(has);
  return id ? say(id, people(seats), names) : t('step.other', { ...people(seats), what: { plain: what } }, names);
}

/** What was proved, why it matters, and what it does not show. */
const detail = (game, what, part) => [`${game}.step.${what}.${part}`, `node.step.${what}.${part}`, `page.step.${what}.${part}`].find(has);

/** Neighbouring steps of the same kind are grouped: "all four committed to a key". */
function grouped(steps) {
  const groups = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && last.what === step.what && last.verdict === step.verdict && step.verdict === 'accepted' && step.round - last.steps.at(-1).round <= 1 && !last.steps.some((other) => other.seat === step.seat)) last.steps.push(step);
    else groups.push({ what: step.what, verdict: step.verdict, steps: [step] });
  }
  return groups;
}

/** Remembers which sentences are open: only their details are drawn. */
function opened(n, open) {
  app.local.opened ??= new Set();
  if (app.local.opened.has(n) === open) return;
  if (open) app.local.opened.add(n);
  else app.local.opened.delete(n);
  refresh();
}

function group(item, now, names) {
  const { game } = now;
  const refused = item.verdict === 'refused';
  const judged = item.steps.reduce((sum, step) => sum + (step.judged_us || 0), 0);
  const seats = item.steps.map((step) => step.seat);
  const sentence = doneWords(game, item.what, seats, names);
  return h('li', { key: item.steps[0].n, class: `fair-step ${refused ? 'refused' : ''}` },
    h('details', { ontoggle: (event) => opened(item.steps[0].n, event.target.open) },
      h('summary', {}, icon(refused ? 'bad' : 'good'), h('span', {}, refused ? h('strong', {}, t('fair.refused')) : h('span', { class: 'visually-hidden' }, t('fair.accepted')), ' ', sentence, ' ',
        h('span', { class: 'muted small number' }, judged > 0 ? t('fair.checked', { time: span(judged) }) : ''))),
      app.local.opened?.has(item.steps[0].n) && h('div', { class: 'fair-detail stack tight' },
        refused && h('p', { class: 'bad-words' }, t('fair.failed', { check: { plain: item.steps[0].check ?? '' } })),
        (refused ? ['proved', 'why'] : ['proved', 'why', 'not']).map((part) => [part, detail(game, item.what, part)]).map(([part, id]) => id && h('p', { key: part }, h('strong', {}, t(refused && part === 'proved' ? 'fair.due' : `fair.${part}`)), ' ', say(id, people(seats), names))),
        h('div', { class: 'scroll' }, h('table', { class: 'table-data small' },
          h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('fair.who')), h('th', { scope: 'col', class: 'right' }, t('fair.size')), h('th', { scope: 'col', class: 'right' }, t('fair.made')), h('th', { scope: 'col', class: 'right' }, t('fair.check')))),
          h('tbody', {}, item.steps.map((step) => h('tr', { key: step.n }, h('td', {}, names[step.seat] ?? ''), h('td', { class: 'right' }, size(step.bytes)), h('td', { class: 'right' }, step.made_us === null || step.made_us === undefined ? '–' : span(step.made_us)), h('td', { class: 'right' }, span(step.judged_us))))))),
        h('p', { class: 'small muted' }, t('fair.entry', { n: item.steps[0].n + 1, round: item.steps[0].round, at: moment(item.steps[0].at) })),
        h('p', { class: 'small muted' }, t('fair.head'), ' ', h('span', { class: 'code' }, item.steps.at(-1).head)))));
}

const FEW = 40;

export function fairness(ctx) {
  const steps = ctx.known.steps;
  const refused = steps.filter((step) => step.verdict === 'refused').length;
  const time = steps.reduce((sum, step) => sum + (step.judged_us || 0), 0);
  const groups = grouped(steps).reverse();
  const shown = app.local.allSteps ? groups : groups.slice(0, FEW);
  return h('div', { class: 'stack fairness' },
    steps.length === 0
      ? h('p', { class: 'muted' }, t('fair.nothing'))
      : h('p', { class: `row ${refused ? 'bad-words' : 'good-words'}` }, icon(refused ? 'bad' : 'shield'), h('span', {}, refused ? t('fair.some', { n: refused }) : t('fair.all', { n: steps.length, time: span(time) }))),
    botsNote(ctx),
    ctx.now.words && h('p', { class: 'small' }, t('fair.table'), ' ', h('strong', { class: 'code' }, ctx.now.words)),
    ctx.now.grade === 'classic' && h('p', { class: 'notice small' }, gradeWords(ctx.game, 'classic'), ' ', boundWords(ctx.game, 'classic', ctx.now.dials)),
    ctx.now.head && h('p', { class: 'small muted' }, t('fair.now'), ' ', h('span', { class: 'code' }, ctx.now.head)),
    h('details', { class: 'small' }, h('summary', {}, t('fair.explain.title')), h('div', { class: 'stack tight' }, h('p', {}, t('fair.explain')), h('p', {}, t('fair.compare')))),
    h('ol', { class: 'fair-list', 'aria-label': t('fair.label') }, shown.map((item) => group(item, ctx.now, ctx.names))),
    groups.length > shown.length && button(t('fair.more', { n: groups.length - shown.length }), () => { app.local.allSteps = true; refresh(); }, { kind: 'small' }),
    ctx.now.phase !== 'over' && steps.length > 0 && button(t('table.export'), () => saveLog(ctx.id, `${ctx.game}-${ctx.id.slice(0, 8)}.log`).catch((error) => toast('bad', error)), { kind: 'small', picture: 'save' }),
    !ctx.now.practice && h('p', { class: 'small' }, t('practice.doubt'), ' ', h('a', { href: '#/practice' }, t('practice.title'))),
    h('details', { class: 'small' }, h('summary', {}, t('foot.limits')), limits()));
}
