// Line drawings of 24 by 24, ours.

import { drawing, h } from './dom.js';

const PATHS = {
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  silent: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  settings: 'M5 7h6M15 7h4M13 5v4M5 12h2M11 12h8M9 10v4M5 17h8M17 17h2M15 15v4',
  sun: 'M12 8.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  good: 'M5 12.5l4.5 4.5L19 7.5',
  bad: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.3',
  wait: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.4l3 1.8',
  chat: 'M4 6h16v10H11l-4 3.5V16H4z',
  shield: 'M12 3.5l7 2.5v5.5c0 4.4-3 7.4-7 9-4-1.6-7-4.6-7-9V6z',
  save: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 19.5h14',
  leave: 'M10 5H5v14h5M9.5 12H20M16.5 8.5 20 12l-3.5 3.5',
  again: 'M5 12a7 7 0 0 1 12-5l2 2M19 5v4h-4M19 12a7 7 0 0 1-12 5l-2-2M5 19v-4h4',
  copy: 'M8.5 8.5h10v11h-10zM5.5 15.5v-11h10',
  person: 'M12 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5 19.5c.6-4 3.4-6 7-6s6.4 2 7 6',
  bot: 'M6 9h12v9H6zM12 9V5.5M9.5 13h.1M14.5 13h.1M3.5 12v3M20.5 12v3',
  list: 'M5 7h14M5 12h14M5 17h9',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  forward: 'M9.5 5.5 16 12l-6.5 6.5',
  first: 'M17 5.5 10.5 12l6.5 6.5M7 5.5v13',
  last: 'M7 5.5l6.5 6.5L7 18.5M17 5.5v13',
  help: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM9.8 9.6c.2-3 4.6-2.8 4.4 0-.1 1.8-2.2 1.8-2.2 3.8M12 16.4v.2',
  close: 'M6 6l12 12M18 6 6 18',
  print: 'M7 9V4h10v5M7 16.5H4.5V9h15v7.5H17M7 14h10v6H7z',
  repair: 'M14.5 6.5a4 4 0 0 1 5.2-.9l-2.7 2.7 1.7 1.7 2.7-2.7a4 4 0 0 1-5.6 4.6L8.5 19.2a2 2 0 0 1-2.8-2.8L13 9.1a4 4 0 0 1 1.5-2.6z',
  eye: 'M3 12c4-6.5 14-6.5 18 0-4 6.5-14 6.5-18 0zM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z',
  people: 'M9 5.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3.5 19c.5-3.6 2.6-5.4 5.5-5.4s5 1.8 5.5 5.4M15.5 6a2.6 2.6 0 1 1 .2 5.3M16.5 13.8c2.2.3 3.6 2 4 5.2',
  file: 'M6.5 3.5h7l4 4v13h-11zM13.5 3.5v4h4',
};

export const icon = (name) => drawing(PATHS[name]);

/** The closed eye. */
export const mark = () => h('svg:svg', { viewBox: '0 0 32 32', 'aria-hidden': 'true', focusable: 'false' },
  h('svg:path', { d: 'M4 12.5C10 21 22 21 28 12.5M7.6 16.6l-3.2 3.8M13 19.2l-1.6 4.8M19 19.2l1.6 4.8M24.4 16.6l3.2 3.8', fill: 'none', stroke: 'currentColor', 'stroke-width': '2.2', 'stroke-linecap': 'round' }));
