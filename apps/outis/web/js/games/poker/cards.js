// Cards as the node writes them ("As", "Td"), and as the page draws and names them.

import { h } from '../../dom.js';
import { cardImage } from '../../parts.js';
import { say, t } from '../../words.js';
import { advice } from './aid.js';

const RANKS = '23456789TJQKA';
const SUITS = 'cdhs';

/** The text of a card's name. */
export const nameText = (card) => ({ id: `poker.card.${RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1])}` });
export const label = (card) => say(nameText(card).id);

/** What is on the table, for screen readers. */
export const heard = (ctx) => [{ id: 'page.poker.pot', args: { n: ctx.view.pot } }, ...ctx.lines.filter((line) => /^poker\.(board|hand|hand-over)$/.test(line.id)), ...advice(ctx)];

/** A card face up. */
export const face = (card, className = '') => cardImage(`${card[1].toUpperCase()}:${card[0] === 'T' ? '10' : card[0]}`, { french: true, label: label(card), className });

/** This many cards, face down. */
export const backs = (n) => h('div', { class: 'pk-backs', role: 'img', 'aria-label': t('poker.hidden', { n }) }, Array.from({ length: n }, (_, at) => h('span', { key: at })));
