// What a dealer could infer from a sheet: the plot and the figures, computed on this machine.

import { app, ask, refresh } from '../app.js';
import { h } from '../dom.js';
import { button, choice, title } from '../parts.js';
import { currentLanguage, number, t } from '../words.js';
import { download, fetchText, language } from './files.js';
import { progress } from './parts.js';

const SCHEMES = ['plain', 'equal', 'paper', 'least', 'extra'];

async function load(deals) {
  const local = app.local;
  local.loaded = `${deals} ${language()}`;
  try {
    local.figures = JSON.parse(await fetchText({ what: 'leak', format: 'json' }));
    if (local.picture) URL.revokeObjectURL(local.picture);
    local.picture = URL.createObjectURL(new Blob([await fetchText({ what: 'leak', format: 'svg' })], { type: 'image/svg+xml' }));
  } catch {
    local.figures = null;
  }
  refresh();
}

// Voids are rare: the paper and the exact figures state them in per cent.
const share = (value, name) => new Intl.NumberFormat(currentLanguage(), { style: name.endsWith('-void') ? 'percent' : 'decimal', minimumFractionDigits: 4, maximumFractionDigits: 4 }).format(value);

function figures(all) {
  const names = all.schemes[0].figures.map((figure) => figure.name);
  const exact = (text) => (currentLanguage() === 'hu' ? text.replace(/(\d)\.(\d)/g, '$1,$2') : text).replace(' %', '%');
  return names.map((name, at) => h('div', { key: name, class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t(`leak.${name}`) }, h('table', { class: 'table-data leak-table' },
    h('caption', {}, t(`leak.${name}`)),
    h('thead', {}, h('tr', {}, ['scheme', 'measured', 'interval', 'exact'].map((one) => h('th', { scope: 'col' }, t(`leak.${one}`))))),
    h('tbody', {}, all.schemes.map((scheme) => {
      const { measured, exact: truth } = scheme.figures[at];
      return h('tr', { key: scheme.id }, h('th', { scope: 'row' }, t(`leak.scheme.${scheme.id}`)), h('td', {}, share(measured.value, name)), h('td', {}, `${share(measured.low, name)}–${share(measured.high, name)}`), h('td', {}, truth ? exact(truth) : '–'));
    }), h('tr', { class: 'paper' }, h('th', { scope: 'row' }, t('leak.paper')), h('td', { colspan: '3' }, t(`leak.paper.${name}`)))))));
}

// Computed, not measured: for each place at the end of a pile, each scheme.
function ends(all) {
  const ids = [...new Set(all.schemes[0].ends.map((one) => one.figure))];
  const said = (id, value) => (id === 'points' ? new Intl.NumberFormat(currentLanguage(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value) : share(value, id.startsWith('void') ? 'end-void' : id));
  return ids.map((id) => {
    const places = all.schemes[0].ends.filter((one) => one.figure === id).map((one) => one.place);
    return h('div', { key: id, class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t(`leak.end.${id}`) }, h('table', { class: 'table-data end-table' },
      h('caption', {}, t(`leak.end.${id}`)),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('leak.place')), all.schemes.map((scheme) => h('th', { scope: 'col', key: scheme.id }, t(`leak.scheme.${scheme.id}`))))),
      h('tbody', {}, places.map((place) => h('tr', { key: place }, h('th', { scope: 'row' }, String(place)),
        all.schemes.map((scheme) => h('td', { key: scheme.id }, said(id, scheme.ends.find((one) => one.figure === id && one.place === place).exact))))))));
  });
}

/** Two ends in one hand: the rarest and the most frequent pair. */
function pairs(all) {
  return h('ul', { class: 'lines' }, all.schemes.filter((scheme) => scheme.id !== 'extra').map((scheme) => {
    const sorted = [...scheme.pairs].sort((a, b) => a.void_last - b.void_last);
    const said = ({ places, void_last: p }) => t('leak.pair', { places: places.join(', '), p: new Intl.NumberFormat(currentLanguage(), { style: 'percent', minimumFractionDigits: 6 }).format(p) });
    return h('li', { key: scheme.id }, h('strong', {}, t(`leak.scheme.${scheme.id}`)), ' – ', said(sorted[0]), '; ', said(sorted.at(-1)));
  }));
}

const percent = (p, digits = 1) => new Intl.NumberFormat(currentLanguage(), { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(p);

/** What tells most, by scheme: sentences made of a statement about places and what follows for the cards. */
function patterns(all) {
  const sentence = (one) => t('leak.say', {
    statement: t(`leak.say.${one.statement}`, { n: one.n[0], m: one.n[1] ?? 0 }),
    event: t(`leak.event.${one.event}`, { rank: one.rank ?? '', suit: one.suit ?? 0 }),
    p: percent(one.given), prior: percent(one.prior), often: percent(one.often) });
  return all.schemes.map((scheme) => h('div', { key: scheme.id, class: 'stack tight patterns' }, h('h3', {}, t(`leak.scheme.${scheme.id}`)),
    [false, true].map((order) => {
      const list = scheme.patterns.filter((one) => one.needs_order === order);
      return list.length > 0 && h('div', { key: String(order) }, order && h('p', { class: 'muted' }, t('leak.order')), h('ul', {}, list.map((one, at) => h('li', { key: at }, sentence(one)))));
    })));
}

export function leakScreen() {
  const local = app.local;
  const deals = app.bridge?.leak;
  if (deals && local.loaded !== `${deals} ${language()}`) load(deals);
  local.deals ??= 200_000;
  const busy = progress('leak');
  return h('div', { class: 'page' },
    h('div', { class: 'stack' }, title(t('bridge.leak')), h('p', {}, t('leak.lead')), h('ul', { class: 'lines' }, SCHEMES.map((one) => h('li', { key: one }, h('strong', {}, t(`leak.scheme.${one}`)), ' – ', t(`leak.scheme.${one}.text`))))),
    h('section', { class: 'panel' },
      choice(t('leak.deals'), [20_000, 200_000, 1_000_000].map((n) => [n, number(n)]), local.deals, (n) => { local.deals = n; refresh(); }),
      busy || h('div', { class: 'row' }, button(t('leak.go'), () => ask('bridge-leak', { deals: local.deals }), { kind: 'primary', disabled: Boolean(app.bridge?.job) }))),
    local.figures && h('section', { class: 'stack' },
      h('h2', {}, t('leak.result', { n: deals })),
      local.picture && h('img', { class: 'plot', src: local.picture, alt: t('leak.plot') }),
      h('div', { class: 'row' }, ['svg', 'json', 'txt'].map((format) => button(t(`bridge.format.${format}`), () => download({ what: 'leak', format }), { kind: 'small', picture: 'save', key: format }))),
      h('p', { class: 'muted' }, t('leak.void', { equal: local.figures.ratio_equal_piles, varied: local.figures.ratio_varied_piles })),
      figures(local.figures),
      h('details', { class: 'ends' }, h('summary', {}, t('leak.ends')), h('div', { class: 'stack' }, h('p', { class: 'muted' }, t('leak.ends.text')), ends(local.figures))),
      h('h2', {}, t('leak.pairs')), h('p', { class: 'muted' }, t('leak.pairs.text')), pairs(local.figures),
      h('h2', {}, t('leak.found')), h('p', { class: 'muted' }, t('leak.found.text')), patterns(local.figures)));
}
