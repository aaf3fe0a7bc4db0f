// The table: the same frame for every game. The game's screen is in the middle and receives what a seat sees.

import { announce, app, ask, go, namesOf, refresh, table, unwatch, watch } from '../app.js';
import { h } from '../dom.js';
import { icon, mark } from '../icons.js';
import { button, gameName, gradeTag, iconButton, practiceTag, title } from '../parts.js';
import { play } from '../sound.js';
import { has, moment, points, say, spoken, t } from '../words.js';
import { WHOLE, screenOf } from '../games/index.js';
import { bar, choose, confirm, why } from './actions.js';
import { endWords, over } from './ending.js';
import { stepWords } from './fairness.js';
import { gathering } from './gathering.js';
import { cover, handBar, isCovered } from './hand.js';
import { keyList, listen } from './keys.js';
import { isTurn, seatRow } from './seats.js';
import { isOneScreen, isOpen, panelButtons, proofLine, side } from './side.js';
import { LOW, timer } from './timer.js';

let current = null;
let ticking = null;

function context(id) {
  const known = table(id);
  const now = known.now;
  known.memory ??= {};
  const ctx = {
    id, known, now, game: now.game, view: now.view, lines: spoken(now.lines), names: namesOf(now), me: now.me, seats: now.days ? now.seats.map((seat) => ({ ...seat, letters: true })) : now.seats,
    actions: now.actions || [], expects: now.expects, readonly: false, memory: known.memory, key: now.hand ? `${id}/${now.hand.holder}` : id,
  };
  ctx.choose = (token) => choose(ctx, token);
  ctx.why = (token, text) => why(ctx, token, text);
  ctx.status = () => status(ctx);
  ctx.sentence = () => sentence(ctx);
  ctx.left = () => (ctx.expects?.by_hand ? left(ctx) : null);
  ctx.timeOf = (seat) => timeOf(ctx, seat);
  ctx.clock = (seat) => clockOf(ctx, seat);
  ctx.bar = (skip) => confirm(ctx) || bar(ctx, skip);
  return ctx;
}

/** Milliseconds left on the clock at this moment. */
function left(ctx) {
  if (ctx.expects?.left === null || ctx.expects?.left === undefined) return null;
  return Math.max(0, ctx.expects.left - (performance.now() - ctx.known.told));
}

function clock(ctx) {
  const millis = left(ctx);
  // If each player has a clock for the whole game, the game's screen shows them all.
  if (millis === null || !ctx.expects.by_hand || ctx.now.clocks) return null;
  return timer(millis, { label: t('clock.label') });
}

/** The time that a seat has left for the whole game, if there is such a clock. */
function timeOf({ now, ...ctx }, seat) {
  const { clocks } = now;
  if (!clocks || clocks.left[seat] === undefined) return null;
  return clocks.runs === seat ? Math.min(clocks.left[seat], left(ctx) ?? Infinity) : clocks.left[seat];
}

function clockOf(ctx, seat) {
  const millis = timeOf(ctx, seat);
  if (millis === null) return null;
  const runs = ctx.now.clocks.runs === seat;
  return timer(millis, { label: t(runs ? 'clock.runs' : 'clock.stands'), runs, low: LOW });
}

/** The sentence about what the table waits for, and from whom. */
function sentence(ctx) {
  const { now, expects } = ctx;
  if (now.phase === 'over') return endWords(ctx);
  if (now.disk) return t(now.clocks || left(ctx) != null ? 'status.disk.clock' : 'status.disk');
  if (now.decided) return t(expects?.yours && expects.by_hand && ctx.memory.sent !== now.round ? 'status.question' : 'status.over');
  if (!expects) return t('status.starting');
  if (expects.yours && expects.by_hand) return ctx.memory.sent === now.round ? t('status.sending') : t('turn.yours');
  // This player's own step is made, and on its way.
  if (expects.by_hand && String(expects.seats) === String(now.me)) return t(expects.working ? 'status.proving' : 'status.sending');
  if (expects.working) return t('status.proving');
  const words = stepWords(now.game, expects.what, expects.seats, ctx.names);
  const total = expects.seats.length + (expects.done?.length || 0);
  return total > 1 && expects.done?.length ? t('status.progress', { what: words, n: expects.done.length, of: total }) : words;
}

function status(ctx) {
  const yours = ctx.me !== null && isTurn(ctx, ctx.me);
  const reason = ctx.memory.reasonRound === ctx.now.round && ctx.memory.reason;
  return h('div', { class: `status ${yours ? 'yours' : ''}`, key: 'status', tabindex: '-1', role: 'group' },
    h('p', { class: 'status-words' }, yours && icon('forward'), h('span', {}, sentence(ctx)), clock(ctx)),
    proofLine(ctx),
    reason && h('p', { class: 'reason small', role: 'status', key: 'reason' }, icon('help'), h('span', {}, reason)));
}

/** Whether a seat is played on another machine: by a person, or by a bot whose level is not known here. */
const elsewhere = (seat) => seat.kind === 'peer' || (seat.kind === 'bot' && seat.level === null);

/** In a correspondence game: the agreed time and the deadline. Waiting can stop only after it, or once a player has left. */
function letters(ctx) {
  const { now, expects } = ctx;
  const over = Date.now() >= now.until;
  const until = { plain: moment(now.until) };
  const waits = ctx.seats.filter((seat) => elsewhere(seat) && !now.gone?.includes(seat.seat) && (seat.link === 'left' || expects?.seats.includes(seat.seat)));
  const gone = waits.some((seat) => seat.link === 'left');
  const may = (over || gone) && waits.length > 0 && !expects?.seats.includes(now.me);
  const words = (seat) => t(seat.link === 'left' ? 'letters.left' : over ? 'letters.over' : 'letters.theirs', { who: { seat: seat.seat }, until }, ctx.names);
  return h('div', { class: 'notice', key: 'letters' },
    h('div', { class: 'row spread' },
      h('span', {}, t('letters.plain', { n: now.days }), expects?.yours && expects.by_hand && ` ${t('letters.yours', { until })}`, waits.map((seat) => ` ${words(seat)}`)),
      may && button(t('absent.stop'), () => ask('wait', { table: ctx.id, seat: waits[0].seat }), { kind: 'small' })),
    h('p', { class: 'small muted' }, t(may ? 'absent.note' : 'letters.note')));
}

/** A player does not answer: what can be done. */
function absent(ctx) {
  if (ctx.now.phase !== 'playing' || ctx.now.decided) return null;
  const { accuser } = ctx.now;
  if (Number.isInteger(accuser)) return h('div', { class: 'notice', key: 'absent', role: 'status' }, t('absent.claims', { who: { seat: accuser } }, ctx.names));
  if (ctx.now.days) return letters(ctx);
  const gone = ctx.seats.filter((seat) => elsewhere(seat) && (seat.link === 'away' || seat.link === 'left') && !ctx.now.gone?.includes(seat.seat));
  if (!gone.length) return null;
  // A player who must decide waits for nobody.
  const mine = ctx.expects?.yours && ctx.expects.by_hand && !ctx.now.cut_off;
  return h('div', { class: 'notice', key: 'absent', role: 'status' }, gone.map((seat) => h('div', { class: 'row spread', key: seat.seat },
    h('span', {}, t(seat.link === 'left' ? 'absent.left' : 'absent.away', { who: { seat: seat.seat } }, ctx.names)),
    !mine && button(t('absent.stop'), () => ask('wait', { table: ctx.id, seat: seat.seat }), { kind: 'small' }))), h('p', { class: 'small muted' }, t(mine ? 'absent.yours' : ctx.now.cut_off ? 'absent.cut' : left(ctx) > 0 ? 'absent.early' : 'absent.note')));
}

/** What leaving now means; a game may know what it costs. */
function leaving(ctx) {
  if (ctx.now.gone?.includes(ctx.me)) return t('leave.out');
  const id = `${ctx.game}.leave`;
  const price = ctx.view?.leaving;
  return price !== null && price !== undefined && has(id) ? `${t('leave.ends')} ${say(id, { score: points(price) })}` : t('leave.sure');
}

function top(ctx) {
  const { memory, id } = ctx;
  const leave = async () => {
    if (ctx.now.phase === 'playing' && !ctx.now.decided && !memory.leaving) {
      memory.leaving = true;
      return refresh();
    }
    if (await ask('leave', { table: id })) go('');
    return undefined;
  };
  return h('div', { class: 'table-top', key: 'top' },
    h('div', { class: 'row spread' },
      h('div', { class: 'row' }, h('a', { class: 'table-home', href: '#/', title: t('nav.home'), 'aria-label': t('nav.home') }, mark()), title(gameName(ctx.game)), gradeTag(ctx.now), practiceTag(ctx.now), h('a', { class: 'small', href: `#/rules/${ctx.game}` }, t('home.rules'))),
      h('div', { class: 'row tight' },
        iconButton('help', t('key.title'), () => { memory.keys = !memory.keys; refresh(); }, { 'aria-pressed': String(Boolean(memory.keys)), 'aria-keyshortcuts': '?', class: 'button quiet icon keys-button' }),
        panelButtons(ctx),
        iconButton('leave', t('table.leave'), leave))),
    memory.leaving && h('div', { class: 'notice', role: 'group', 'aria-label': t('table.leave') }, h('p', {}, leaving(ctx)), h('div', { class: 'row' }, button(t('leave.yes'), leave, { kind: 'danger' }), button(t('leave.no'), () => { memory.leaving = false; refresh(); }))));
}

/** Twice a second while a clock runs: redraws it, and warns once when the player's own is nearly out. */
function tick() {
  const { now, memory } = table(current);
  if (app.route.name !== 'table' || !now?.expects?.left) return;
  const ctx = context(current);
  const own = now.me !== null && now.clocks?.runs === now.me ? ctx.timeOf(now.me) : null;
  if (own !== null && own <= LOW * 1000 && !memory.low) {
    memory.low = true;
    play('low');
    announce(t('clock.low', { n: LOW }));
  }
  if (own !== null && own > LOW * 1000) memory.low = false;
  refresh();
}

/** Whether a game is among the past ones. */
const past = (id) => app.past.some((game) => game.table === id);

export function tableScreen(id) {
  // The table of a quick match was given up for a seat at another table, which is shown instead.
  const moved = app.open?.moved?.[id];
  if (moved) queueMicrotask(() => location.replace(`#/table/${moved}`));
  if (moved) return h('div', { class: 'page narrow' }, title(t('table.loading')), h('p', { class: 'muted' }, t('table.loading.text')));
  if (current !== id) {
    if (current) unwatch(current);
    current = id;
    watch(id);
    clearInterval(ticking);
    ticking = setInterval(tick, 500);
  }
  const known = table(id);
  if (known.missing) return h('div', { class: 'page narrow' }, title(t('table.missing')), past(id) && h('p', {}, t('table.missing.text')), h('div', { class: 'row' }, past(id) && h('a', { class: 'button primary', href: `#/past/${id}` }, t('over.replay')), h('a', { class: 'button', href: '#/' }, t('nav.home'))));
  if (!known.now) return h('div', { class: 'page narrow' }, title(t('table.loading')), h('p', { class: 'muted' }, t('table.loading.text')));
  const ctx = context(id);
  // Keys refer to the table that is shown, and to nothing that is covered.
  listen(isCovered(ctx.now) ? null : ctx);
  if (ctx.now.phase === 'gathering') return gathering(ctx);
  if (isCovered(ctx.now)) return h('div', { class: 'table', key: 'covered' }, h('div', { class: 'table-main', key: 'main' }, top(ctx), cover(ctx), status(ctx)));
  const screen = screenOf(ctx.game);
  const whole = WHOLE.has(ctx.game);
  const fits = isOneScreen(ctx);
  return h('div', { class: `table ${fits ? 'fits' : ''} ${isOpen(ctx) ? 'with-side' : ''}` },
    h('div', { class: 'table-main', key: 'main' },
      top(ctx), keyList(ctx), absent(ctx), over(ctx), handBar(ctx),
      !whole && seatRow(ctx),
      ctx.view ? h('div', { class: 'board-box', key: 'board' }, screen(ctx)) : h('div', { class: 'felt starting', key: 'starting' }, h('p', {}, t('status.starting'))),
      !whole && h('div', { class: 'below', key: 'below' }, status(ctx), ctx.bar())),
    isOpen(ctx) && side(ctx));
}

/** Stops watching the table when another screen opens. */
addEventListener('hashchange', () => {
  if (!location.hash.startsWith('#/table/') && current) {
    unwatch(current);
    current = null;
    clearInterval(ticking);
  }
});
