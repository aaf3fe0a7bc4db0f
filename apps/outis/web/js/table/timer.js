// A clock: minutes and seconds, with hours if there are some. The last seconds are marked by more than a colour.

import { h } from '../dom.js';
import { icon } from '../icons.js';

const SHORT = 10;
/** A clock for a whole game is nearly over earlier. */
export const LOW = 20;
const two = (number) => String(number).padStart(2, '0');

/** Milliseconds as people read them from a clock: begun seconds count. */
export function reading(millis) {
  const seconds = Math.ceil(Math.max(0, millis) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The clock itself. `runs` marks the one that runs, where several are shown. */
export function timer(millis, { label, runs = false, low = SHORT }) {
  const short = millis <= low * 1000;
  return h('span', { class: `clock number ${short ? 'short' : ''} ${runs ? 'runs' : ''}`, role: 'timer', key: 'clock' },
    h('span', { class: 'visually-hidden' }, label, ' '), runs && icon('wait'), reading(millis));
}
