// The keyboard focus. The pressed element may be gone after the next redraw: then the focus moves to the element that is there now, not
// back to the top of the page.

const GROUPS = ['.hand', '.actions', '.confirm', '.pk-own', '.zt-compass'];
const usable = 'button:not(:disabled)';

/** The group that was used last, and the position in it. */
let last = null;

const groupOf = (node) => GROUPS.find((name) => node?.closest?.(name));

addEventListener('focusin', (event) => {
  const name = groupOf(event.target);
  if (name) last = { name, at: [...event.target.closest(name).querySelectorAll('button')].indexOf(event.target) };
  else if (!event.target.matches?.('.status')) last = null;
});

// A press elsewhere ends it.
addEventListener('pointerdown', (event) => { if (!groupOf(event.target)) last = null; });

/** The element nearest to the position: a playable card before one that is not. */
function nearest({ name, at }) {
  const group = document.querySelector(name);
  const all = group ? [...group.querySelectorAll('button')] : [];
  const byDistance = (list) => list.filter((node) => !node.disabled).sort((a, b) => Math.abs(all.indexOf(a) - at) - Math.abs(all.indexOf(b) - at))[0];
  return byDistance(all.filter((node) => node.closest('.can'))) ?? byDistance(all);
}

/** The element that should have the focus now: playable cards, else the first button. */
export const wanted = () => document.querySelector(`.hand .can ${usable}`) ?? document.querySelector(`.actions ${usable}`) ?? document.querySelector(`.hand ${usable}`);

/** After a redraw: restores a focus that was lost. */
export function keepFocus() {
  if (!last) return;
  const active = document.activeElement;
  const parked = active?.matches?.('.status');
  if (!parked && active && active !== document.body && !active.disabled) return;
  const next = nearest(last) ?? (last.name === '.hand' ? null : wanted());
  if (next) next.focus({ preventScroll: true });
  // No action is possible now: the status says what the table waits for, and the next Tab continues from there.
  else if (!parked) document.querySelector('.status')?.focus({ preventScroll: true });
}
