// Checking a log file: the verdict, and the replay of what a spectator may see.

import { app, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { faultWords, gameName, title } from '../parts.js';
import { points, t } from '../words.js';
import { verify } from '../link.js';
import { replay } from './replay.js';

async function examine(file) {
  if (!file) return;
  app.local.busy = true;
  app.local.finding = null;
  refresh();
  try {
    app.local.finding = await verify(file);
    app.local.file = file.name;
    app.local.at = 0;
  } catch (error) {
    toast('bad', error);
  }
  app.local.busy = false;
  refresh();
}

const GOOD = new Set(['finished', 'unfinished', 'claimed']);

/** The result of checking a log. `known`: players by seat; `facts`: more to say; `between`: what comes before the replay. */
export function verdict(finding, { known = [], facts = [], heading, between } = {}) {
  const good = GOOD.has(finding.verdict);
  const names = Array.from({ length: finding.seats || 0 }, (_, n) => known[n] || t('seat.unnamed', { n: n + 1 }));
  return h('section', { class: 'stack', 'aria-live': 'polite' },
    h('div', { class: `notice ${finding.verdict === 'finished' ? 'good' : good ? '' : 'bad'}` },
      heading && h('p', { class: 'small muted' }, heading),
      h('h2', { class: 'row' }, icon(finding.verdict === 'finished' ? 'good' : good ? 'wait' : 'bad'), t(`verdict.${finding.verdict}`)),
      h('p', {}, t(`verdict.${finding.verdict}.means`)),
      finding.seat !== null && finding.seat !== undefined && !good && h('p', {}, t('verdict.where', { who: { plain: names[finding.seat] ?? '' }, round: finding.round ?? 0, check: { plain: finding.check ?? '' } })),
      finding.verdict === 'fault' && faultWords(finding.game, finding.check) && h('p', {}, h('strong', {}, faultWords(finding.game, finding.check))),
      finding.words && h('details', { class: 'small muted' }, h('summary', {}, t('verdict.detail')), h('p', { lang: 'en' }, finding.words))),
    finding.game && h('dl', { class: 'facts' }, facts,
      !known.length && fact(t('check.game'), gameName(finding.game)), !known.length && fact(t('check.seats'), String(finding.seats)), fact(t('check.rounds'), String(finding.rounds)),
      finding.scores && !known.length && fact(t('table.scores'), finding.scores.map(points).join(' · ')), fact(t('fair.head'), h('span', { class: 'code' }, finding.head)),
      (finding.claims || []).map((claim) => fact(t('check.claim'), t('check.claim.text', { who: { plain: names[claim.by] ?? '' }, silent: claim.silent.map((seat) => ({ plain: names[seat] ?? '' })) })))),
    between,
    finding.pictures?.length > 0 && h('section', { class: 'stack' }, h('h2', {}, t('replay.title')), h('p', { class: 'muted' }, t('check.spectator')), replay({ game: finding.game, pictures: finding.pictures, me: null, names })));
}

export const fact = (term, what) => h('div', {}, h('dt', {}, term), h('dd', {}, what));

export function check() {
  const local = app.local;
  const drop = (event) => {
    event.preventDefault();
    local.over = false;
    examine(event.dataTransfer.files[0]);
  };
  return h('div', { class: 'page' },
    h('div', { class: 'stack' }, title(t('check.title')), h('p', {}, t('check.lead'))),
    h('label', {
      class: `drop ${local.over ? 'over' : ''}`, for: 'log-file',
      ondragover: (event) => { event.preventDefault(); if (!local.over) { local.over = true; refresh(); } },
      ondragleave: () => { local.over = false; refresh(); }, ondrop: drop,
    }, icon('file'), h('span', {}, local.busy ? t('check.busy') : t('check.drop')), h('span', { class: 'button' }, t('check.choose')),
    h('input', { id: 'log-file', class: 'visually-hidden', type: 'file', onchange: (event) => examine(event.target.files[0]) })),
    local.finding && verdict(local.finding, { facts: [fact(t('check.file'), h('bdi', {}, local.file))] }));
}
