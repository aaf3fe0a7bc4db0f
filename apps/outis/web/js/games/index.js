// The screens of the games. A game without one is shown as lines of text.

import { darkChess } from './dark-chess/board.js';
import { generic } from './generic.js';
import { highCard } from './high-card.js';
import { pennies } from './pennies.js';
import { poker } from './poker/board.js';
import { heard as pokerHeard } from './poker/cards.js';
import { past } from './poker/history.js';
import { tarokk } from './tarokk/board.js';
import { heard as tarokkHeard, recall } from './tarokk/last.js';
import { zherotag } from './zherotag.js';

const SCREENS = {
  'dark-chess': darkChess,
  'high-card': highCard,
  'matching-pennies': pennies,
  poker,
  tarokk,
  zherotag,
};

/** The screen of a game: a function from what a seat sees to nodes. */
export const screenOf = (game) => SCREENS[game] || generic;

/** Games whose screen places the seats and the buttons itself. */
export const WHOLE = new Set(['dark-chess', 'poker', 'tarokk', 'zherotag']);

/** What is on the table, as sentences for screen readers; for other games, all lines. */
const HEARD = { poker: pokerHeard, tarokk: tarokkHeard };
export const heardOf = (ctx) => (HEARD[ctx.game] ? HEARD[ctx.game](ctx) : ctx.lines);

/** What shows the previous trick again. */
const RECALLS = { tarokk: recall };
export const recallOf = (ctx) => RECALLS[ctx.game] && (() => RECALLS[ctx.game](ctx));

/** What some games show beside the list of moves. */
const RECORDS = { poker: past };
export const recordsOf = (ctx) => RECORDS[ctx.game]?.(ctx) ?? null;
