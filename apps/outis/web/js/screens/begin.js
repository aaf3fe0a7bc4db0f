// How a table is started: the last choices for a game, common clocks, a random colour. For the screen of a new table and for *Play now*,
// which uses the same choices without asking.

import { app, ask, go, setPref } from '../app.js';
import { has, say, t } from '../words.js';

const within = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

/** A game with the options that it has in a grade. */
export const inGrade = (known, grade) => (grade === 'classic' && known.classic_dials ? { ...known, dials: known.classic_dials } : known);

/** Values that fit the options of a grade: the chosen ones, as far as the grade allows them. */
export const fitted = (known, dials) => known.dials.map((one, at) => Math.min(one.most, Math.max(one.least, dials[at] ?? one.usual)));

/** The probability that a cheat goes unnoticed, for a grade with such a bound, if the game states it. */
export function boundWords(game, grade, dials) {
  const known = app.games.find((other) => other.game === game);
  const at = known ? dialOf(inGrade(known, grade), 'decks') : -1;
  return at >= 0 && has(`${game}.bound`) ? say(`${game}.bound`, { n: dials?.[at] }) : null;
}

/** The last choices for a game, if they still fit what the program offers. */
export function remembered(any) {
  const last = app.prefs.begin?.[any.game];
  if (!last || typeof last !== 'object') return {};
  const known = inGrade(any, any.grades?.includes(last.grade) ? last.grade : 'hardened');
  const { dials, levels, pace, grade, lot, where, bots } = last;
  return {
    ...(Array.isArray(dials) && dials.length === known.dials.length && known.dials.every((one, at) => within(dials[at], one.least, one.most)) ? { dials: [...dials] } : {}),
    ...(Array.isArray(levels) && levels.length < 16 && levels.every((level) => within(level, 1, known.levels)) ? { levels: [...levels] } : {}),
    ...(['calm', 'quick', 'none'].includes(pace) ? { pace } : {}),
    ...(known.grades?.includes(grade) ? { grade } : {}),
    ...(['far', 'here', 'bots'].includes(where) ? { where } : {}),
    ...(within(bots, 0, 15) ? { bots } : {}),
    lot: lot === true,
  };
}

export const remember = (game, { dials, levels, pace, grade, lot, where, bots }) => setPref('begin', { ...app.prefs.begin, [game]: { dials, levels, pace, grade, lot, where, bots } });

export const usualLevel = (known) => Math.min(2, known.levels);

/** The levels of `n` bots; a bot without one gets the last chosen level. */
export const levelsOf = (known, levels, n) => Array.from({ length: n }, (_, at) => levels?.[at] ?? levels?.at(-1) ?? usualLevel(known));

const dialOf = (known, name) => known.dials.findIndex((one) => one.name === name);

export const seatsOf = (known, dials) => dials[dialOf(known, 'seats')] ?? known.usual_seats;

/** Whether the game lets the host choose between two colours. */
export const hasColours = (known) => dialOf(known, 'white') >= 0;

/** The values to send: a random colour is drawn now. */
export function drawn(known, dials, lot) {
  const at = dialOf(known, 'white');
  if (at < 0 || !lot) return dials;
  return dials.with(at, known.dials[at].least + (crypto.getRandomValues(new Uint8Array(1))[0] & 1));
}

/** Sets the colour: white, black or random. */
export function setColour(known, local, colour) {
  local.lot = colour === 'lot';
  if (!local.lot) local.dials[dialOf(known, 'white')] = known.dials[dialOf(known, 'white')].least + (colour === 'black' ? 1 : 0);
}

export const colourOf = (known, local) => (local.lot ? 'lot' : local.dials[dialOf(known, 'white')] === known.dials[dialOf(known, 'white')].least ? 'white' : 'black');

// Minutes for the whole game and seconds added per move, as in chess; seconds per decision in other games.
const GAME_CLOCKS = [[3, 2], [5, 3], [10, 5], [30, 20]];
const MOVE_CLOCKS = [30, 60, 120];

/** Common clocks: `{caption, dials}`, the first one without a clock. Empty if the game has none. */
export function clocks(known, dials) {
  const [clock, minutes, increment] = ['clock', 'minutes', 'increment'].map((name) => dialOf(known, name));
  if (clock < 0 || known.dials[clock].least > 0) return [];
  const set = (...pairs) => pairs.reduce((all, [at, value]) => (at < 0 ? all : all.with(at, value)), dials);
  const whole = minutes < 0 ? [] : GAME_CLOCKS.map(([long, more]) => ({ caption: t('new.clock.game', { minutes: long, seconds: more }), dials: set([clock, 0], [minutes, long], [increment, more]) }));
  const each = minutes < 0 ? MOVE_CLOCKS.filter((seconds) => seconds <= known.dials[clock].most).map((seconds) => ({ caption: t('new.clock.move', { seconds }), dials: set([clock, seconds]) })) : [];
  return [{ caption: t('new.clock.none'), dials: set([clock, 0], [minutes, 0], [increment, 0]) }, ...whole, ...each];
}

/** The clock of a table as a sentence. */
export function clockWords(known, dials, days) {
  const value = (name) => dials[dialOf(known, name)] ?? 0;
  const own = () => {
    if (value('days')) return t('open.days', { n: value('days') });
    if (value('minutes')) return t('new.clock.game', { minutes: value('minutes'), seconds: value('increment') });
    return value('clock') ? t('new.clock.turn', { seconds: value('clock') }) : null;
  };
  // The days that are agreed in a lobby hide no clock.
  return [days && t('open.days', { n: days }), own()].filter(Boolean).join(', ') || t('new.clock.none');
}

/** Opens a table with bots in all other seats, with the last choices. */
export async function playNow(game, more = {}) {
  const any = app.games.find((other) => other.game === game);
  const { dials: chosen, levels, pace, grade: last = 'hardened', lot } = remembered(any);
  const grade = more.crook ? 'hardened' : last;
  const known = inGrade(any, grade);
  const dials = fitted(known, chosen ?? []);
  const answer = await ask('start', { game, dials: drawn(known, dials, lot), grade, bots: levelsOf(known, levels, seatsOf(known, dials) - 1), ...(pace ? { pace } : {}), ...more });
  if (answer?.table) go(`table/${answer.table}`);
}
