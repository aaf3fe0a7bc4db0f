// One screen: at four sizes and in both languages, the player's cards and all buttons are in the window, and nothing covers them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { like, say } from './words.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = { desk: [1280, 720], wide: [1440, 900], phone: [390, 844], side: [844, 390] };
const SCENES = ['tarokk-play', 'tarokk-five', 'tarokk-auction', 'tarokk-discard', 'tarokk-announce', 'tarokk-won', 'poker-two', 'poker-bet', 'poker-nine', 'poker-ready', 'poker-draw', 'poker-show',
  'dark-chess-start', 'dark-chess-turn', 'dark-chess-clocks', 'dark-chess-asked', 'zherotag-turn', 'zherotag-large', 'high-card-turn', 'matching-pennies-turn'];

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

async function open(size, { profile = {}, path = '', ...options } = {}) {
  const node = await start({ profile: { language: 'en', ...profile } });
  const [width, height] = SIZES[size];
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce', ...options });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  if (path) await go(page, path);
  return { node, page, close: async () => { await page.close(); node.stop(); } };
}

async function go(page, path) {
  await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
  await page.waitForTimeout(120);
}

/** What a person needs to play but cannot see or press: outside the window, or covered by something else. */
function missing() {
  const found = [];
  const needed = document.querySelectorAll('.hand .card, .pk-card, .actions .button, .confirm .button, .hand-box [data-token], .pk-sizes .button, .pk-auto, .duties, .hc-place .card-picture, .penny-place .penny, .zt-arrow, .zt-board, .chess-board, .square, .pk-slider, .pk-number, .status-words');
  for (const node of needed) {
    const box = node.getBoundingClientRect();
    const name = `${node.className} ${node.dataset.token ?? node.dataset.card ?? node.dataset.square ?? ''}`;
    if (box.width === 0 || box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) found.push(`${name}: outside of the window (${[box.left, box.top, box.right, box.bottom].map(Math.round)})`);
    // Cards overlap each other from the left.
    const top = document.elementFromPoint(box.left + Math.min(9, box.width / 2), box.top + box.height / 2);
    if (top && !node.contains(top) && !top.contains(node)) found.push(`${name}: under ${top.className}`);
  }
  return found;
}

/** Pairs of boxes that overlap. */
function touching(selectors) {
  const boxes = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]).map((node) => [node.innerText?.split('\n')[0] || node.className, node.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.flatMap(([name, box], at) => boxes.slice(at + 1).filter(([, other]) => meet(box, other)).map(([other]) => `${name} / ${other}`));
}

test('own cards and buttons are in the window at every size, in both languages', async () => {
  const wrong = [];
  for (const language of ['en', 'hu']) {
    for (const size of Object.keys(SIZES)) {
      const { page, close } = await open(size, { profile: { language } });
      for (const name of SCENES) {
        await go(page, `table/${name}`);
        wrong.push(...(await page.evaluate(missing)).map((one) => `${name} ${size} ${language}: ${one}`));
        const wide = await page.evaluate(() => document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth);
        if (wide > 0) wrong.push(`${name} ${size} ${language}: ${wide} px too wide`);
        const slant = await page.evaluate(() => [...document.querySelectorAll('.zt-board, .chess-board')].map((one) => one.getBoundingClientRect()).some((box) => Math.abs(box.width - box.height) > 3));
        if (slant) wrong.push(`${name} ${size} ${language}: the board is not square`);
        if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}-${size}-${language}.png` });
      }
      await close();
    }
  }
  assert.deepEqual(wrong, []);
});

test('seats, cards and pot of a poker table lie side by side; so do the cards of a trick and its line', async () => {
  const wrong = [];
  for (const size of Object.keys(SIZES)) {
    const { page, close } = await open(size, { profile: { language: 'hu' } });
    for (const name of ['poker-two', 'poker-bet', 'poker-nine', 'poker-ready']) {
      await go(page, `table/${name}`);
      wrong.push(...(await page.evaluate(touching, ['.pk-seat', '.pk-board', '.pk-pots', '.pk-outcome'])).map((one) => `${name} ${size}: ${one}`));
    }
    for (const name of ['tarokk-play', 'tarokk-won', 'tarokk-five']) {
      await go(page, `table/${name}`);
      wrong.push(...(await page.evaluate(touching, ['.place', '.trick-line', '.trick'])).map((one) => `${name} ${size}: ${one}`));
      const card = await page.locator('.laid').first().boundingBox();
      assert.ok(card.width > 26, `${name} ${size}: a card of the trick is ${card.width} px wide`);
    }
    await close();
  }
  assert.deepEqual(wrong, []);
});

test('all proofs are one line; it opens the panel, and that is remembered', async () => {
  const { node, page, close } = await open('desk', { path: 'table/tarokk-play' });
  assert.equal(await page.locator('.side').count(), 0);
  assert.match(await page.locator('.proof-line').innerText(), like('page.status.order'));
  await page.locator('.proof-line').click();
  await page.locator('.side .fair-step').first().waitFor();
  assert.equal(await page.locator('.proof-line').getAttribute('aria-expanded'), 'true');
  assert.equal(node.asked.filter((one) => one.ask === 'profile').at(-1).prefs.panel, true);
  // With the panel open, all cards are still there.
  assert.deepEqual(await page.evaluate(missing), []);
  await page.reload();
  await page.locator('.side .fair-step').first().waitFor();
  await page.locator('[data-panel="chat"]').click();
  await page.locator('.side .chat').waitFor();
  await page.locator('[data-panel="chat"]').click();
  await page.locator('.side').waitFor({ state: 'detached' });
  await close();
});

test('what is said covers no button, and does not follow to another screen', async () => {
  for (const size of Object.keys(SIZES)) {
    const { page, close } = await open(size, { path: 'table/poker-nine' });
    await page.evaluate(async () => (await import('/js/app.js')).toast('bad', { id: 'page.gather.copied' }));
    await page.locator('.toast').waitFor();
    assert.deepEqual(await page.evaluate(missing), [], size);
    const toasts = await page.evaluate(touching, ['.toast', '.table-top .button', '.top .button']);
    assert.deepEqual(toasts.filter((pair) => pair.includes(say('page.gather.copied'))), [], size);
    await go(page, 'settings');
    assert.equal(await page.locator('.toast').count(), 0, size);
    await close();
  }
});

test('the end of a game on a phone is about the game', async () => {
  const { page, close } = await open('phone', { path: 'table/tarokk-over' });
  assert.equal(await page.locator('.fair-step').count(), 0);
  const [result, felt] = [await page.locator('.over .score-list').boundingBox(), await page.locator('.felt').boundingBox()];
  assert.ok(result.y > 0 && result.y + result.height < 844, 'the scores are on the first screen');
  assert.ok(felt.y > result.y);
  await close();
});

test('the end of a game of chess shows the result and the whole board', async () => {
  for (const size of ['desk', 'wide', 'phone']) {
    const { page, close } = await open(size, { path: 'table/dark-chess-over', profile: { language: 'hu' } });
    const [width, height] = SIZES[size];
    for (const part of ['.over .score-list', '.chess-board', '.chess-strip >> nth=0', '.chess-strip >> nth=1']) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, `${size} ${part}: ${JSON.stringify(box)}`);
    }
    await close();
  }
});

test('after the end nobody is to move, and who has answered is not', async () => {
  const { page, close } = await open('desk', { path: 'table/tarokk-left' });
  await page.locator('.place').first().waitFor();
  assert.equal(await page.locator('.turn, .turn-mark').count(), 0);
  await go(page, 'table/poker-cheat');
  assert.equal(await page.locator('.turn, .turn-mark').count(), 0);
  await go(page, 'table/tarokk-discard');
  assert.deepEqual(await page.locator('.place.turn .seat-name').allInnerTexts(), ['Cili', 'Anna']);
  await close();
});

test('cards of a trick that is over hide what is below them', async () => {
  const { page, close } = await open('desk', { path: 'table/tarokk-won' });
  for (const card of await page.locator('.laid').all()) assert.equal(await card.evaluate((node) => getComputedStyle(node).opacity), '1');
  await close();
});

/** The lowest contrast of a colour against others, as WCAG defines it. */
const contrast = ([one, ...others]) => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\d.]+/g).map((part) => Number(part) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  return Math.min(...others.map((other) => Math.max(light(one) / light(other), light(other) / light(one))));
};

test('black pieces that were taken are seen in the dark', async () => {
  const { page, close } = await open('desk', { profile: { theme: 'dark' }, path: 'table/dark-chess-turn' });
  const colours = await page.locator('.lost .piece.black .body').first().evaluate((node) => [getComputedStyle(node).stroke, getComputedStyle(node.closest('.chess-strip')).backgroundColor]);
  assert.ok(contrast(colours) > 4.5, colours.join());
  await close();
});

test('a table that waits names nobody, and says nothing of nobody', async () => {
  const { page, close } = await open('desk');
  await page.evaluate(async () => {
    const { app, refresh } = await import('/js/app.js');
    app.tables = [{ table: 'x', game: 'dark-chess', phase: 'gathering', names: ['', ''], turn: false, since: 0 }];
    refresh();
  });
  const line = page.locator('[aria-labelledby="tables"] .list li > span').first();
  await page.waitForTimeout(100);
  assert.equal(await line.innerText(), say('dark-chess.name'));
  await close();
});

test('fields of the set-up are of one height', async () => {
  const { page, close } = await open('desk', { path: 'new/dark-chess' });
  await page.locator('summary', { hasText: say('page.new.options') }).click();
  const heights = await page.locator('.dials :is(select, input)').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  assert.ok(heights.length > 3);
  assert.equal(new Set(heights).size, 1, heights.join());
  await close();
});

test('axe finds nothing at a phone on its side, nor with the panel open', async () => {
  for (const [size, prefs] of [['side', {}], ['desk', { panel: true }]]) {
    const { page, close } = await open(size, { profile: { prefs }, bypassCSP: true });
    await page.addScriptTag({ content: AXE });
    for (const name of ['tarokk-play', 'poker-nine', 'dark-chess-turn', 'zherotag-turn', 'high-card-turn']) {
      await go(page, `table/${name}`);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
      assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join(' | ')}`), [], `${name} ${size}`);
    }
    await close();
  }
});

test('a panel opens where it can be read, at every size', async () => {
  const wrong = [];
  for (const size of Object.keys(SIZES)) {
    const { page, close } = await open(size);
    for (const name of ['tarokk-play', 'poker-bet', 'dark-chess-turn', 'zherotag-turn', 'high-card-turn']) {
      await go(page, `table/${name}`);
      for (const panel of ['fairness', 'moves', 'chat']) {
        await page.click(`[data-panel="${panel}"]`);
        await page.waitForTimeout(60);
        const box = await page.evaluate(() => {
          const { top, bottom, height, width } = document.querySelector('.side-panel')?.getBoundingClientRect() ?? { top: 0, bottom: 0, height: 0, width: 0 };
          return { seen: Math.min(bottom, innerHeight) - Math.max(top, 0), height, width };
        });
        if (box.seen < 100 || box.width < 200) wrong.push(`${name} ${size} ${panel}: ${JSON.stringify(box)}`);
        await page.click(`[data-panel="${panel}"]`);
      }
    }
    await close();
  }
  assert.deepEqual(wrong, []);
});

test('a panel that was left open elsewhere does not lie over the hand on a phone', async () => {
  for (const size of ['phone', 'side']) {
    const { page, close } = await open(size, { profile: { prefs: { panel: true } }, path: 'table/tarokk-play' });
    assert.equal(await page.locator('.side').count(), 0);
    assert.deepEqual(await page.evaluate(missing), []);
    await page.click('[data-panel="moves"]');
    await page.waitForSelector('.side');
    await page.click('[data-panel="moves"]');
    await page.waitForSelector('.side', { state: 'detached' });
    await close();
  }
});
