// Animations: a card moves from the hand to the trick, a piece to its square, chips into the pot. `data-move` names an element wherever it
// is; `data-goal` names the `data-place` that it moves to when it disappears.

import { still } from './app.js';

const TIME = { duration: 220, easing: 'cubic-bezier(.2, .7, .3, 1)' };

let skip = false;
/** Skips the next animation: the person has dragged the element there already. */
export const moved = () => { skip = true; };

/** The current position of everything that may move. */
export function places() {
  if (still()) return null;
  return new Map([...document.querySelectorAll('[data-move]')].map((node) => [node.dataset.move, { node, box: node.getBoundingClientRect() }]));
}

function glide(node, from, to) {
  const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  if (Math.hypot(dx, dy) < 8) return;
  node.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${from.width / to.width})` }, { transform: 'none' }], TIME);
}

/** A copy of a removed element moves to its goal. */
function leave({ node, box }) {
  const goal = document.querySelector(`[data-place="${node.dataset.goal}"]`)?.getBoundingClientRect();
  if (!goal || box.width === 0) return;
  const likeness = node.cloneNode(true);
  for (const part of [likeness, ...likeness.querySelectorAll('[data-move]')]) part.removeAttribute('data-move');
  likeness.setAttribute('aria-hidden', 'true');
  likeness.classList.add('leaving');
  for (const [name, value] of Object.entries({ left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` })) likeness.style.setProperty(name, value);
  document.body.append(likeness);
  const way = `translate(${goal.left + goal.width / 2 - box.left - box.width / 2}px, ${goal.top + goal.height / 2 - box.top - box.height / 2}px)`;
  likeness.animate([{ transform: 'none', opacity: 1 }, { transform: `${way} scale(.7)`, opacity: 0.25 }], { ...TIME, duration: 320 }).finished.finally(() => likeness.remove());
}

/** Moves every element from its old position to its new one. */
export function move(before) {
  const skipped = skip;
  skip = false;
  if (!before || skipped) return;
  for (const node of document.querySelectorAll('[data-move]')) {
    const old = before.get(node.dataset.move);
    before.delete(node.dataset.move);
    // What only shifts because the table is laid out again is not animated.
    if (old && old.node !== node) glide(node, old.box, node.getBoundingClientRect());
  }
  for (const old of before.values()) if (old.node.dataset?.goal && !old.node.isConnected) leave(old);
}
