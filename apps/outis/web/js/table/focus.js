// Where the hand is. What was pressed may be gone with the next picture: then the focus goes to what lies there now, and
// not back to the top of the page.

const GROUPS = ['.hand', '.actions', '.confirm', '.pk-own', '.zt-compass'];
const usable = 'button:not(:disabled)';

/** The group that was used last, and the place in it. */
let last = null;

const groupOf = (node) => GROUPS.find((name) => node?.closest?.(name));

addEventListener('focusin', (event) => {
  const name = groupOf(event.target);
  if (name) last = { name, at: [...event.target.closest(name).querySelectorAll('button')].indexOf(event.target) };
  else if (!event.target.matches?.('.status')) last = null;
});

// Whoever presses elsewhere has gone away.
addEventListener('pointerdown', (event) => { if (!groupOf(event.target)) last = null; });

/** What lies nearest to the place: a card that may be played before one that may not. */
function nearest({ name, at }) {
  const group = document.querySelector(name);
  const all = group ? [...group.querySelectorAll('button')] : [];
  const byDistance = (list) => list.filter((node) => !node.disabled).sort((a, b) => Math.abs(all.indexOf(a) - at) - Math.abs(all.indexOf(b) - at))[0];
  return byDistance(all.filter((node) => node.closest('.can'))) ?? byDistance(all);
}

/** What asks for the hand now: cards that may be played, else the first button. */
export const wanted = () => document.querySelector(`.hand .can ${usable}`) ?? document.querySelector(`.actions ${usable}`) ?? document.querySelector(`.hand ${usable}`);

/** After a picture was drawn: brings back a focus that has fallen off. */
export function keepFocus() {
  if (!last) return;
  const active = document.activeElement;
  const parked = active?.matches?.('.status');
  if (!parked && active && active !== document.body && !active.disabled) return;
  const next = nearest(last) ?? (last.name === '.hand' ? null : wanted());
  if (next) next.focus({ preventScroll: true });
  // Nothing can be done now: the status says what is awaited, and the next tabulator goes on from here.
  else if (!parked) document.querySelector('.status')?.focus({ preventScroll: true });
}
