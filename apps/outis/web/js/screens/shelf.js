// The lobby's archive: finished games whose players agreed to publish them. The page compares what the archive says with what this machine
// finds in the log itself.

import { app, refresh, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, gameName, title } from '../parts.js';
import { moment, points, t, tame } from '../words.js';
import { save, shelfAsk } from '../link.js';
import { blockButton } from './blocks.js';
import { fact, verdict } from './check.js';
import { placeNote } from './open.js';

const GOOD = new Set(['finished', 'unfinished']);

// The last search and its result; they stay while the player looks at a game and returns.
const kept = { form: { player: '', game: '', from: '', to: '' }, games: null, next: null, unsound: 0, busy: false, why: null };

const dayStart = (text) => (text ? new Date(`${text}T00:00:00`).getTime() || 0 : 0);
const dayEnd = (text) => (text ? (new Date(`${text}T23:59:59.999`).getTime() || 0) : 0);

async function search(more = false) {
  const { player, game, from, to } = kept.form;
  const asked = { player: player.trim(), game: game || null, from: dayStart(from), to: dayEnd(to), after: more ? kept.next : null };
  const turn = kept.turn = (kept.turn ?? 0) + 1;
  kept.busy = true;
  kept.why = null;
  refresh();
  try {
    const found = await (await shelfAsk('games', asked)).json();
    // A later search has overtaken this one.
    if (turn !== kept.turn) return;
    kept.games = more ? [...kept.games, ...found.games] : found.games;
    kept.next = found.next;
    kept.unsound = (more ? kept.unsound : 0) + found.unsound;
  } catch (error) {
    if (turn !== kept.turn) return;
    kept.why = error;
    toast('bad', error);
  }
  kept.busy = false;
  refresh();
}

/** The signer of a verdict, as a sentence. */
export function signer(one) {
  if (one.place) return t('shelf.signed.place', { name: { plain: app.open?.name ?? '' }, words: { plain: one.verifier } });
  return t('shelf.signed', { words: { plain: one.verifier } });
}

const namesOf = (game) => game.players.map((player) => tame(player.name, 40));

/** The verifiers' results, as one tag and one sentence. */
function outcome(game) {
  const found = game.verdicts;
  if (!found.length) return [h('span', { class: 'tag' }, icon('wait'), t('shelf.outcome.none'))];
  const worst = found.find((one) => !GOOD.has(one.outcome)) || found[0];
  const good = GOOD.has(worst.outcome);
  const others = found.filter((one) => one !== worst).length;
  return [
    h('span', { class: `tag ${good ? 'good' : 'bad'}` }, icon(good ? 'good' : 'bad'), t(`shelf.outcome.${worst.outcome}`, { who: { plain: namesOf(game)[worst.seat] ?? t('seat.unnamed', { n: (worst.seat ?? 0) + 1 }) } })),
    h('span', { class: 'muted small' }, signer(worst), others > 0 && ` ${t('shelf.signed.others', { n: others })}`)];
}

/** Scores by seat, if a verifier signed them. */
const scoresOf = (game) => game.verdicts.find((one) => one.outcome === 'finished')?.scores;

function row(game) {
  const scores = scoresOf(game);
  const only = (player) => {
    kept.form.player = player.key;
    search();
  };
  return h('li', { key: game.log, class: 'shelf-row' },
    h('div', { class: 'stack tight grow' },
      h('span', {}, h('strong', {}, gameName(game.game)), ' · ', h('time', { class: 'muted' }, moment(game.at))),
      h('ul', { class: 'row tight', 'aria-label': t('seat.label') }, game.players.map((player, seat) => h('li', { key: seat },
        h('button', { type: 'button', class: 'button small quiet person', title: t('shelf.player.games', { who: { plain: tame(player.name, 40) } }), onclick: () => only(player) },
          h('bdi', {}, tame(player.name, 40) || player.words), player.you && h('span', { class: 'muted whole' }, t('shelf.you')), scores && h('span', { class: 'number muted' }, points(scores[seat] ?? 0)))))),
      h('span', { class: 'row tight' }, outcome(game))),
    h('a', { class: 'button small primary', href: `#/shelf/${game.log}`, 'aria-label': t('shelf.open.game', { game: gameName(game.game), when: { plain: moment(game.at) } }) }, t('shelf.open')));
}

function form() {
  const { form: wanted } = kept;
  const submit = (event) => {
    event.preventDefault();
    search();
  };
  const set = (name, now) => (event) => {
    wanted[name] = event.target.value;
    if (now) search();
  };
  const mine = app.profile?.key && wanted.player === app.profile.key;
  const other = /^[0-9a-f]{64}$/.test(wanted.player);
  const everybody = () => {
    wanted.player = '';
    search();
  };
  return h('form', { class: 'panel', onsubmit: submit, role: 'search', 'aria-label': t('shelf.search') },
    h('div', { class: 'shelf-fields' },
      h('div', { class: 'field' }, h('label', { for: 'shelf-player' }, t('shelf.player')), h('span', { id: 'shelf-player-how', class: 'hint' }, t('shelf.player.how')), h('input', { id: 'shelf-player', type: 'text', 'aria-describedby': 'shelf-player-how', maxlength: 80, autocomplete: 'off', spellcheck: 'false', value: wanted.player, oninput: set('player', false) })),
      h('div', { class: 'field' }, h('label', { for: 'shelf-game' }, t('check.game')), h('select', { id: 'shelf-game', onchange: set('game', true), value: wanted.game },
        h('option', { key: '', value: '' }, t('shelf.any')), app.games.map(({ game }) => h('option', { key: game, value: game }, gameName(game))))),
      h('div', { class: 'field' }, h('label', { for: 'shelf-from' }, t('shelf.from')), h('input', { id: 'shelf-from', type: 'date', value: wanted.from, onchange: set('from', true) })),
      h('div', { class: 'field' }, h('label', { for: 'shelf-to' }, t('shelf.to')), h('input', { id: 'shelf-to', type: 'date', value: wanted.to, onchange: set('to', true) }))),
    h('div', { class: 'row' },
      h('button', { type: 'submit', class: 'button primary' }, t('shelf.go')),
      app.profile?.key && button(t('shelf.mine'), () => { wanted.player = mine ? '' : app.profile.key; search(); }, { 'aria-pressed': String(Boolean(mine)) }),
      other && !mine && button(t('shelf.everybody'), everybody, { kind: 'quiet' })));
}

function list() {
  if (kept.games === null) return h('p', { class: 'muted', role: 'status' }, kept.why ? '' : t(app.open?.phase === 'away' ? 'shelf.away' : 'shelf.loading'));
  const searched = Object.values(kept.form).some(Boolean);
  return h('div', { class: 'stack', 'aria-busy': String(kept.busy) },
    kept.unsound > 0 && h('div', { class: 'notice bad', role: 'status' }, h('p', { class: 'row' }, icon('bad'), t('shelf.unsound', { n: kept.unsound }))),
    kept.games.length ? h('ul', { class: 'list', id: 'shelf-games' }, kept.games.map(row)) : h('div', { class: 'empty' }, h('p', {}, t(searched ? 'shelf.none.found' : 'shelf.none'))),
    kept.next && h('div', { class: 'row' }, button(t('shelf.more'), () => search(true), { disabled: kept.busy })));
}

/** Without a lobby there is no archive: the next step. */
export function noPlace() {
  return h('div', { class: 'empty' }, h('p', {}, t('shelf.no.place')), h('a', { class: 'button', href: '#/open' }, t('open.place')));
}

export function shelf(log) {
  if (log) return oneGame(log);
  const phase = app.open?.phase ?? 'off';
  if (phase === 'here' && kept.games === null && !kept.busy && !kept.why) queueMicrotask(() => search());
  if (phase !== 'here') kept.why = null;
  return h('div', { class: 'page' },
    h('div', { class: 'stack' }, title(t('shelf.title')), h('p', { class: 'muted' }, t('shelf.lead')), phase !== 'off' && placeNote()),
    phase === 'off' ? noPlace() : [form(), h('section', { key: 'games', class: 'stack', 'aria-labelledby': 'games' }, h('div', { class: 'row spread' }, h('h2', { id: 'games' }, t('shelf.games')), h('a', { href: '#/ratings' }, t('ratings.title'))), list())]);
}

async function check(log) {
  app.local.log = log;
  const { local } = app;
  try {
    local.checked = await (await shelfAsk('check', { log })).json();
    local.at = 0;
  } catch (error) {
    local.why = error;
    toast('bad', error);
  }
  refresh();
}

async function keep(log, game) {
  try {
    save(await (await shelfAsk('log', { log })).blob(), `${game || 'game'}-${log.slice(0, 8)}.log`);
  } catch (error) {
    toast('bad', error);
  }
}

/** What the archive says, beside what this machine found. */
function compared({ game, agrees, finding }) {
  if (!game) return h('div', { class: 'notice bad' }, h('p', { class: 'row' }, icon('bad'), t('shelf.unlisted')));
  const said = game.verdicts.map((one) => h('li', { key: one.key },
    h('span', { class: 'stack tight' }, h('span', {}, h('strong', {}, t(`shelf.outcome.${one.outcome}`, { who: { plain: namesOf(game)[one.seat] ?? t('seat.unnamed', { n: (one.seat ?? 0) + 1 }) } })), ' · ', h('time', { class: 'muted' }, moment(one.at))), h('span', { class: 'muted small' }, signer(one))),
    h('span', { class: `tag ${one.same ? 'good' : 'bad'}` }, icon(one.same ? 'good' : 'bad'), t(one.same ? 'shelf.same' : 'shelf.other'))));
  return h('section', { class: 'stack', 'aria-labelledby': 'said' }, h('h2', { id: 'said' }, t('shelf.said')),
    agrees && h('p', {}, t('shelf.agrees', { n: finding.seats ?? game.players.length })),
    said.length ? h('ul', { class: 'list' }, said) : h('p', { class: 'muted' }, t('shelf.outcome.none')));
}

function oneGame(log) {
  const phase = app.open?.phase ?? 'off';
  const { local } = app;
  if (local.log !== log && phase === 'here') check(log);
  const { checked } = local;
  const listed = checked?.game ?? kept.games?.find((game) => game.log === log);
  const again = () => { local.log = null; local.why = null; refresh(); };
  const known = checked?.game ? namesOf(checked.game).map((name, seat) => name || checked.game.players[seat].words) : [];
  const scores = checked?.finding.scores;
  const person = (player, seat) => fact(h('bdi', {}, known[seat]), h('span', { class: 'row tight' },
    h('span', { class: 'number' }, scores ? points(scores[seat] ?? 0) : '–'), player.you && h('span', { class: 'tag' }, t('shelf.you')), h('span', { class: 'muted small code' }, player.words), blockButton(player.key, player.name)));
  return h('div', { class: 'page' },
    h('div', { class: 'stack' },
      h('p', {}, h('a', { href: '#/shelf' }, t('shelf.back'))),
      title(listed ? t('shelf.game', { game: gameName(listed.game) }) : t('shelf.title')),
      listed && h('p', { class: 'muted' }, h('time', {}, moment(listed.at)))),
    phase === 'off' && noPlace(),
    phase !== 'off' && !checked && h('div', { class: 'empty', role: 'status' },
      local.why || phase !== 'here' ? [h('p', {}, t('shelf.failed')), button(t('shelf.again'), again)] : [h('p', { class: 'row' }, icon('wait'), t('shelf.checking')), h('p', { class: 'muted small' }, t('shelf.checking.long'))]),
    checked?.game && !checked.agrees && h('div', { class: 'notice bad', role: 'alert' }, h('p', { class: 'row' }, icon('bad'), t('shelf.differs'))),
    checked && verdict(checked.finding, {
      known, heading: t('shelf.here'), facts: (checked.game?.players || []).map(person),
      between: [compared(checked), h('div', { class: 'row' }, button(t(GOOD.has(checked.finding.verdict) ? 'table.export' : 'shelf.evidence'), () => keep(log, listed?.game), { picture: 'save' }))],
    }));
}
