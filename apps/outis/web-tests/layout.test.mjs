// Space for text: every screen at phone width in a language whose words are two fifths longer. Nothing from the catalogue is cut off,
// overflows its button or makes the page scroll sideways. Names of people may be shortened; they are not marked.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { BAD_LOG, GOOD_LOG } from './scenes-meeting.mjs';
import { pseudo } from './words.mjs';

const SCREENS = ['', 'new/tarokk', 'new/poker', 'new/zherotag', 'new/dark-chess', 'join', 'open', 'shelf', `shelf/${GOOD_LOG}`, `shelf/${BAD_LOG}`, 'ratings/tarokk', 'settings', 'check', 'past', 'past/tarokk-over', 'practice', 'rules/zherotag', 'rules/poker', 'rules/tarokk', 'rules/dark-chess', 'rules/high-card', 'bridge', 'bridge/evening/tuesday', 'bridge/evening/lesson', 'bridge/repair', 'bridge/repair/tuesday/7', 'bridge/leak', 'bridge/seal', 'bridge/joint', ...Object.keys(TABLES).map((name) => `table/${name}`)];

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

/** In the page: marked texts that are not fully visible, each with what hides it. */
function hidden() {
  const SLACK = 1.5;
  const found = [];
  const name = (node) => `${node.localName}${node.className && typeof node.className === 'string' ? `.${node.className.trim().split(/\s+/).join('.')}` : ''}`;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (!/[⟦⟧]/.test(text.data) || parent.closest('.visually-hidden, [hidden], #live, option, svg, noscript, script, style') || !parent.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of [...range.getClientRects()].filter((one) => one.width > 0 && one.height > 0)) {
      let scrolls = false;
      let by = null;
      for (let box = parent; box && box !== document.body && !by; box = box.parentElement) {
        const style = getComputedStyle(box);
        const edge = box.getBoundingClientRect();
        const sideways = rect.left < edge.left - SLACK || rect.right > edge.right + SLACK;
        const down = rect.top < edge.top - SLACK || rect.bottom > edge.bottom + SLACK;
        const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
        if (!scrolls && style.display !== 'inline' && ((sideways && clips(style.overflowX)) || (down && clips(style.overflowY)))) by = `cut off by ${name(box)}`;
        else if (sideways && !scrolls && box.matches('button, .button, .tag, td, th, .notice, .panel')) by = `spills out of ${name(box)}`;
        scrolls ||= ['auto', 'scroll'].includes(style.overflowX) || ['auto', 'scroll'].includes(style.overflowY);
        if (style.position === 'fixed') break;
      }
      if (!by && !scrolls && (rect.left < -SLACK || rect.right > innerWidth + SLACK)) by = 'outside of the window';
      if (by) {
        found.push(`“${text.data.trim().slice(0, 60)}” in ${name(parent)}: ${by}`);
        break;
      }
    }
  }
  // The chosen item of a list also needs space for an arrow.
  for (const list of [...document.querySelectorAll('select')].filter((one) => one.checkVisibility())) {
    const style = getComputedStyle(list);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const words = list.selectedOptions[0]?.text ?? '';
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
    if (pen.measureText(words).width > room + SLACK) found.push(`“${words.slice(0, 60)}” chosen in select#${list.id}: cut off`);
  }
  // So does the placeholder of an empty field.
  for (const field of [...document.querySelectorAll('input[placeholder]')].filter((one) => one.checkVisibility())) {
    const style = getComputedStyle(field);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(field.placeholder).width > room + SLACK) found.push(`“${field.placeholder.slice(0, 60)}” asked for in input#${field.id}: cut off`);
  }
  return found;
}

async function open(node) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return { page, close: () => context.close() };
}

test('nothing is cut off at phone width in a language with longer words', async () => {
  const node = await start({ profile: { language: 'en' }, mark: pseudo });
  const { page, close } = await open(node);
  const wrong = [];
  let marked = 0;
  for (const path of SCREENS) {
    await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
    await page.waitForTimeout(150);
    // What is folded may be unfolded.
    await page.evaluate(() => document.querySelectorAll('details:not([open])').forEach((one) => { one.open = true; }));
    const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector('main').scrollWidth - innerWidth));
    if (wide > 0) wrong.push(`${path || 'home'}: ${wide} px too wide`);
    marked += await page.evaluate(() => (document.body.innerText.match(/⟦/g) || []).length);
    wrong.push(...(await page.evaluate(hidden)).map((one) => `${path || 'home'}: ${one}`));
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/pseudo-${path.replaceAll('/', '-') || 'home'}.png`, fullPage: true });
  }
  assert.ok(marked > 20 * SCREENS.length, `only ${marked} marked texts: the page does not speak this language`);
  assert.deepEqual([...new Set(wrong)], []);
  await close();
  node.stop();
});

test('a text that is cut off is found', async () => {
  const node = await start({ profile: { language: 'en' }, mark: pseudo });
  const { page, close } = await open(node);
  const found = await page.evaluate(() => {
    const box = (width, child, overflow) => {
      const outer = document.createElement('div');
      outer.style.width = width;
      outer.style.overflow = overflow;
      outer.append(child);
      document.body.append(outer);
    };
    const line = (tag, text) => {
      const made = document.createElement(tag);
      made.style.whiteSpace = 'nowrap';
      made.textContent = text;
      return made;
    };
    box('4rem', line('p', '⟦much longer than four letters⟧'), 'hidden');
    const button = line('button', '⟦wider than the button that it is on⟧');
    button.style.width = '5rem';
    box('20rem', button, 'visible');
    box('4rem', line('p', '⟦reached by scrolling, so it is not hidden⟧'), 'auto');
  }).then(() => page.evaluate(hidden));
  assert.ok(found.some((one) => one.includes('much longer') && one.includes('cut off')), found.join('\n'));
  assert.ok(found.some((one) => one.includes('wider than the button') && one.includes('spills')), found.join('\n'));
  assert.ok(!found.some((one) => one.includes('reached by scrolling')), found.join('\n'));
  await close();
  node.stop();
});
