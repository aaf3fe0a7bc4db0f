// A clock: minutes and seconds, with hours if needed. The last seconds are marked by more than a colour.

import { h } from '../dom.js';
import { icon } from '../icons.js';

const SHORT = 10;
/** A clock for a whole game counts as nearly out earlier. */
export const LOW = 20;
const two = (number) => String(number).padStart(2, '0');

/** Milliseconds as a clock shows them: a second that has begun counts. */
export function reading(millis) {
  const seconds = Math.ceil(Math.max(0, millis) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The clock itself. `runs` marks the running one if several are shown. */
export function timer(millis, { label, runs = false, low = SHORT }) {
  const short = millis <= low * 1000;
  return h('span', { class: `clock number ${short ? 'short' : ''} ${runs ? 'runs' : ''}`, role: 'timer', key: 'clock' },
    h('span', { class: 'visually-hidden' }, label, ' '), runs && icon('wait'), reading(millis));
}
