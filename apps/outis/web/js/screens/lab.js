// How it works: the protocols of the source documents between visible parties, message by message, and their weaknesses carried
// out. The program runs them; this only walks through what happened.

import { app, ask, refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { choice, title } from '../parts.js';
import { number, size, t, tell } from '../words.js';
import { walkBar } from './walk.js';

/** All experiments, once the program has named them. */
let experiments = null;

async function bring() {
  experiments = [];
  const answer = await ask('lab', {});
  experiments = answer?.experiments ?? [];
  refresh();
}

export function lab(id) {
  if (experiments === null) bring();
  const known = experiments?.find((one) => one.id === id);
  if (known) return experiment(known);
  return h('div', { class: 'page' }, title(t('lab.title')), h('p', { class: 'lead' }, t('lab.lead')),
    experiments?.length ? list() : h('p', { class: 'muted', role: 'status' }, t('lab.loading')));
}

function list() {
  const documents = [...new Set(experiments.map((one) => one.document))];
  return documents.map((document) => h('section', { class: 'stack', key: document }, h('h2', {}, document),
    h('ul', { class: 'lab-list' }, experiments.filter((one) => one.document === document).map((one) => h('li', { key: one.id },
      h('a', { class: 'tool panel', href: `#/lab/${one.id}` }, icon(one.versions.length > 1 ? 'bad' : 'eye'), h('span', { class: 'stack' }, h('strong', {}, tell(one.name)), h('span', { class: 'muted' }, tell(one.lead)))))))));
}

function experiment(known) {
  const { local } = app;
  if (local.lab?.id !== known.id) local.lab = { id: known.id, version: known.versions[0], runs: {} };
  const { lab: now } = local;
  const run = now.runs[now.version];
  const start = async () => {
    const { version } = now;
    const answer = await ask('lab', { experiment: known.id, version });
    // What was refused is not asked for again until somebody chooses it anew.
    if (answer) now.runs[version] = { ...answer, at: 0 };
    refresh();
  };
  if (!run && now.asked !== now.version) {
    now.asked = now.version;
    start();
  }
  const pick = (version) => {
    now.version = version;
    refresh();
  };
  return h('div', { class: 'page lab' },
    h('p', {}, h('a', { href: '#/lab' }, t('lab.title'))),
    title(tell(known.name)), h('p', { class: 'lead' }, tell(known.lead)),
    h('p', { class: 'muted small' }, t('lab.where', { document: { plain: known.document }, section: { plain: known.section } })),
    known.versions.length > 1 && choice(t('lab.version'), known.versions.map((version) => [version, t(`lab.${version}`)]), now.version, pick),
    run ? walk(run) : h('p', { class: 'muted', role: 'status' }, t('lab.running')));
}

const arrow = ({ from, to }, names) => (to === null ? t('lab.alone', { who: { plain: names[from] } }) : t('lab.way', { from: { plain: names[from] }, to: { plain: to === 'all' ? t('lab.all') : names[to] } }));

function walk(shown) {
  const { steps, parties: names, outcome } = shown.run;
  const step = steps[shown.at];
  const last = steps.length - 1;
  const facts = steps.slice(0, shown.at + 1).flatMap((one, at) => one.knows.map((fact) => ({ ...fact, at })));
  return h('div', { class: 'walks stack', key: shown.version },
    walkBar({ memory: shown, last, chapters: [] }),
    h('section', { class: 'panel lab-step', 'aria-live': 'polite', key: 'step', 'data-run': `${shown.id}/${shown.version}` },
      h('p', { class: 'small muted' }, t('lab.step', { n: shown.at + 1, of: steps.length }), ' · ', h('strong', {}, arrow(step, names))),
      h('p', { class: 'lab-says' }, tell(step.says, names)),
      step.shows.map((bytes, n) => h('details', { key: n, class: 'small' }, h('summary', {}, tell(bytes.name), ' ', h('span', { class: 'muted number' }, size(bytes.hex.length / 2)), ' ', h('span', { class: 'code muted' }, `${bytes.hex.slice(0, 24)}${bytes.hex.length > 24 ? '…' : ''}`)), h('p', { class: 'code lab-bytes' }, bytes.hex))),
      step.bars && chart(step.bars)),
    shown.at === last && outcome !== 'done' && h('p', { class: `notice ${outcome === 'broken' ? 'bad-words' : 'good-words'}`, key: 'end', role: 'status' }, icon(outcome === 'broken' ? 'bad' : 'shield'), ' ', h('strong', {}, t(`lab.${outcome}`)), ' ', tell(shown.verdict)),
    shown.at === last && outcome === 'done' && h('p', { class: 'notice good-words', key: 'end', role: 'status' }, icon('good'), ' ', tell(shown.verdict)),
    h('div', { class: 'lab-parties', key: 'parties' }, [...names.keys(), null].map((who) => party(who, names, facts, shown.at, step))));
}

/** What a party knows by now; what is new stands out. Without a party: what anybody knows who listens. */
function party(who, names, facts, at, step) {
  const known = facts.filter((fact) => fact.who === who);
  if (who === null && !known.length) return null;
  const acts = who !== null && (step.from === who || step.to === who);
  return h('section', { key: who ?? 'all', class: `panel ${acts ? 'acts' : ''}` }, h('h2', {}, who === null ? t('lab.listener') : names[who]),
    known.length ? h('ul', { class: 'lines' }, known.map((fact, n) => h('li', { key: n, class: fact.at === at ? 'new' : null }, tell(fact.what, names)))) : h('p', { class: 'muted small' }, t('lab.nothing')));
}

/** How often each thing happened, and a line where all would end if they were equally likely. */
function chart({ bars, expected }) {
  const most = Math.max(expected, ...bars.map(([, n]) => n));
  const width = (n) => ((n / most) * 100).toFixed(2);
  return h('div', { class: 'scroll' }, h('table', { class: 'lab-bars small' }, h('tbody', {}, bars.map(([name, n]) => h('tr', { key: name },
    h('th', { scope: 'row', class: 'code' }, name), h('td', { class: 'number right' }, number(n)),
    h('td', { class: 'wide', 'aria-hidden': 'true' }, h('svg:svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none' }, h('svg:rect', { class: 'bar', width: width(n), height: 6 }), h('svg:line', { class: 'even', x1: width(expected), x2: width(expected), y1: 0, y2: 6 }))))))));
}
