// My games: tables in progress first, then results, each with one click to its replay and to its check; and what they add up to. All from
// the games on this machine: nothing is counted anywhere else.

import { app, ask, refresh } from '../app.js';
import { h } from '../dom.js';
import { button, choice, gameName, title } from '../parts.js';
import { number, points, t } from '../words.js';
import { remember } from '../games/poker/history.js';
import { tally } from '../games/poker/tally.js';
import { ORDER, live, pastRow } from './home.js';

const isResult = (item) => item.scores && item.me !== null && item.me !== undefined;

/** How a game ended for this player: 1 won, 0 shared, -1 neither; null without a result. */
function resultOf(item) {
  if (!isResult(item)) return null;
  const most = Math.max(...item.scores);
  if (item.scores[item.me] < most) return -1;
  return item.scores.filter((score) => score === most).length === 1 ? 1 : 0;
}

function summary(items) {
  const games = ORDER.filter((game) => items.some((item) => item.game === game && isResult(item)));
  if (!games.length) return null;
  const line = (game) => {
    const known = items.filter((item) => item.game === game && isResult(item));
    const count = (result) => known.filter((item) => resultOf(item) === result).length;
    const cell = (text) => h('td', { class: 'right number' }, text);
    return h('tr', { key: game }, h('th', { scope: 'row' }, gameName(game)), cell(number(known.length)), cell(number(count(1))), cell(number(count(0))), cell(number(count(-1))), cell(points(known.reduce((sum, item) => sum + item.scores[item.me], 0))));
  };
  return h('section', { class: 'stack', key: 'summary', 'aria-labelledby': 'mine-sum' }, h('h2', { id: 'mine-sum' }, t('mine.sum')),
    h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': t('mine.sum') }, h('table', { class: 'table-data mine-sum' },
      h('thead', {}, h('tr', {}, ['game', 'played', 'won', 'level', 'lost', 'points'].map((name) => h('th', { key: name, scope: 'col', class: name === 'game' ? '' : 'right' }, t(`mine.${name}`))))),
      h('tbody', {}, games.map(line)))));
}

/** Counts the player's own hands, one past game after another. */
async function count(games) {
  const { local } = app;
  local.counting = { done: 0, all: games.length };
  const hands = [];
  for (const { table } of games) {
    refresh();
    const answer = await ask('replay', { table });
    // Another screen is open now.
    if (app.local !== local) return;
    hands.push(...remember({}, (answer?.pictures ?? []).map((picture) => picture.view?.last)));
    local.counting.done++;
  }
  Object.assign(local, { counting: null, figures: tally(hands) });
  refresh();
}

function pokerFigures(items) {
  const games = items.filter((item) => item.game === 'poker');
  if (!games.length) return null;
  const { counting, figures } = app.local;
  const share = (part, of) => (of ? t('mine.percent', { n: Math.round(100 * part / of) }) : '–');
  const lines = figures && [['hands', number(figures.hands)], ['chips', points(figures.chips)], ['entered', share(figures.entered, figures.hands)], ['raised', share(figures.raised, figures.hands)], ['shown', share(figures.shown, figures.hands)], ['shown.won', share(figures.shownWon, figures.shown)], ['best', points(figures.best)]];
  return h('section', { class: 'stack', key: 'poker', 'aria-labelledby': 'mine-poker' }, h('h2', { id: 'mine-poker' }, t('mine.poker')),
    lines ? h('dl', { class: 'facts mine-figures' }, lines.map(([name, text]) => h('div', { key: name }, h('dt', {}, t(`mine.poker.${name}`)), h('dd', { class: 'number' }, text))))
      : h('div', { class: 'row' }, button(counting ? t('mine.counting', { n: counting.done, of: counting.all }) : t('mine.count'), () => count(games), { picture: 'list', disabled: Boolean(counting) }), h('span', { class: 'small muted' }, t('mine.count.what'))));
}

export function mine() {
  const { local } = app;
  const games = ORDER.filter((game) => app.past.some((item) => item.game === game));
  const chosen = games.includes(local.game) ? local.game : null;
  const all = [...app.past].filter((item) => !chosen || item.game === chosen).sort((a, b) => b.ended - a.ended);
  const pick = (game) => {
    local.game = game;
    refresh();
  };
  return h('div', { class: 'page' },
    title(t('mine.title')),
    app.tables.length > 0 && h('section', { class: 'stack', key: 'live', 'aria-labelledby': 'mine-live' }, h('h2', { id: 'mine-live' }, t('home.tables')), live()),
    games.length > 1 && h('div', { key: 'filter' }, choice(t('mine.game'), [[null, t('mine.all')], ...games.map((game) => [game, gameName(game)])], chosen, pick)),
    summary(all), pokerFigures(all),
    h('section', { class: 'stack', key: 'past', 'aria-labelledby': 'mine-past' }, h('h2', { id: 'mine-past' }, t('home.past')),
      all.length ? h('ul', { class: 'list' }, all.map((item) => pastRow(item, resultOf(item)))) : h('div', { class: 'empty' }, h('p', {}, t('home.past.none')))));
}
