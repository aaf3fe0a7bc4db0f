// How a table ended: the result or, if it ended badly, which seat, what happened and what to do now.

import { ask, go, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, faultWords, scoreList } from '../parts.js';
import { has, say, t, tell } from '../words.js';
import { saveLog } from '../link.js';

const people = (seats) => ({ who: seats.map((seat) => ({ seat })) });

/** The scores that the game's rule gives to this end, if it has one. */
const scoresOf = (now) => now.report?.scores ?? now.scores;

/** Whether the silent seats announced that they left. */
const hasLeft = ({ report, seats }) => report.blames.every((blamed) => seats?.find((seat) => seat.seat === blamed)?.link === 'left');

/** The end as one sentence. */
export function endWords({ now, names }) {
  const { report } = now;
  if (!report || report.end === 'finished') return t('status.over');
  if (report.end === 'silence' && report.blames?.length > 0) return t(hasLeft(now) ? 'story.left' : 'story.silent', people(report.blames), names);
  return report.provable && report.blames?.length > 0 ? t('story.cheated', people(report.blames), names) : t(`end.${report.end}`);
}

function result(ctx) {
  const scores = scoresOf(ctx.now);
  return scores && scoreList(ctx.names, scores);
}

function save(ctx, evidence, kind = '') {
  const name = `${ctx.game}-${ctx.id.slice(0, 8)}.${evidence ? 'evidence.' : ''}log`;
  return button(t(evidence ? 'story.save' : 'table.export'), () => saveLog(ctx.id, name).catch((error) => toast('bad', error)), { kind, picture: 'save' });
}

function next(ctx, kind) {
  const { now, id } = ctx;
  const again = async () => {
    const answer = await ask('rematch', { table: id });
    if (answer?.table) go(`table/${answer.table}`);
  };
  return now.rematch?.table ? h('a', { class: `button ${kind}`, href: `#/table/${now.rematch.table}` }, t('over.go')) : button(t('over.again'), again, { kind, picture: 'again' });
}

function wanted(ctx) {
  const others = (ctx.now.rematch?.wanted || []).filter((seat) => seat !== ctx.now.me);
  return others.length > 0 && h('p', {}, t('over.wanted', people(others), ctx.names));
}

const elsewhere = (ctx) => [h('a', { class: 'button', href: `#/past/${ctx.id}` }, t('over.replay')), h('a', { class: 'button quiet', href: '#/' }, t('nav.home'))];

/** What the game's rule charges for it. */
function paid({ now, names }, report) {
  const charged = has(`${now.game}.paid`) && report.blames?.length > 0 && String(scoresOf(now)) !== String(now.scores);
  return charged && h('p', { key: 'paid' }, say(`${now.game}.paid`, people(report.blames), names));
}

/** A seat broke the rules, and the log proves it. */
function proved(ctx, report) {
  const { now, names } = ctx;
  const fault = faultWords(ctx.game, report.check);
  return [
    h('h2', { class: 'row', key: 'who' }, icon('bad'), h('span', {}, endWords(ctx))),
    fault && h('p', { key: 'what' }, h('strong', {}, fault)),
    h('p', { key: 'refused' }, t('story.refused', { ...people(report.blames), round: report.round ?? 0 }, names)),
    paid(ctx, report),
    now.practice && h('p', { key: 'practice' }, t('practice.caught')),
    h('div', { class: 'stack tight', key: 'now' }, h('h3', {}, t('story.now')),
      h('ol', { class: 'next-steps' }, h('li', {}, t('story.now.save')), h('li', {}, t('story.now.check')), h('li', {}, t(now.practice ? 'story.now.practice' : 'story.now.people')))),
  ];
}

/** It ended badly, and no seat is convicted. */
function told(ctx, report) {
  const silent = ['silence', 'overtime'].includes(report.end) && report.blames?.length > 0;
  // The heading names the silent seats, and the text says what that proves.
  const lines = (report.story || []).slice(silent ? 1 : 0);
  return [
    h('h2', { class: 'row', key: 'who' }, icon('bad'), h('span', {}, endWords(ctx))),
    paid(ctx, report),
    lines.map((line, at) => h('p', { key: at, class: silent ? 'small' : '' }, tell(line, ctx.names))),
    !silent && report.blames?.length > 0 && h('p', { class: 'small', key: 'unprovable' }, t('story.unprovable')),
  ];
}

function story(ctx) {
  const { now } = ctx;
  const { report } = now;
  const convicts = report.provable && report.blames?.length > 0;
  return h('section', { class: 'notice bad story over', role: 'alert', key: 'over' },
    convicts ? proved(ctx, report) : told(ctx, report),
    wanted(ctx),
    h('div', { class: 'row' }, save(ctx, report.evidence, 'primary'), h('a', { class: 'button', href: '#/check' }, t('check.title')), next(ctx, ''), elsewhere(ctx)),
    result(ctx),
    report.check && h('p', { class: 'small muted' }, t('story.check', { check: { plain: report.check }, round: report.round ?? 0 }), now.trick && [' ', t('practice.trick', { trick: { plain: now.trick } })]));
}

/** The result is signed, and the open question does not affect it. */
function decided(ctx) {
  return h('section', { class: 'panel over', role: 'status', key: 'over' },
    h('h2', {}, t('over.title')), result(ctx), h('p', {}, t('over.decided')));
}

/** The end of a table; null before it. */
export function over(ctx) {
  const { now } = ctx;
  if (now.phase !== 'over') return now.decided ? decided(ctx) : null;
  if (now.report && now.report.end !== 'finished') return story(ctx);
  return h('section', { class: 'panel over', key: 'over' },
    h('h2', {}, t('over.title')),
    now.practice && h('p', {}, t('practice.honest')),
    result(ctx), wanted(ctx),
    h('div', { class: 'row' }, next(ctx, 'primary'), save(ctx, false), elsewhere(ctx)));
}
