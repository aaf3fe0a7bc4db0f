// The screens of the games. A game without one is shown by its lines.

import { darkChess } from './dark-chess/board.js';
import { generic } from './generic.js';
import { highCard } from './high-card.js';
import { pennies } from './pennies.js';
import { poker } from './poker/board.js';
import { past } from './poker/history.js';
import { tarokk } from './tarokk/board.js';
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

/** Games whose screen places the seats and the buttons by itself. */
export const WHOLE = new Set(['dark-chess', 'poker', 'tarokk', 'zherotag']);

/** What some games keep beside the list of moves. */
const RECORDS = { poker: past };
export const recordsOf = (ctx) => RECORDS[ctx.game]?.(ctx) ?? null;
