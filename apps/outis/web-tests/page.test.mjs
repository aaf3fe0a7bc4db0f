// The page in a real browser, against a mock that shows one moment of every kind of table.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { BAD_LOG, GOOD_LOG } from './scenes-meeting.mjs';
import { like, say } from './words.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENS = ['', 'new/tarokk', 'join', 'open', 'shelf', `shelf/${GOOD_LOG}`, `shelf/${BAD_LOG}`, 'ratings/tarokk', 'settings', 'check', 'past/tarokk-over', 'past', 'new/poker', 'new/zherotag', 'rules/zherotag', 'rules/poker', 'rules/tarokk', 'new/dark-chess', 'rules/dark-chess', 'rules/high-card', 'practice', 'bridge', 'bridge/evening/tuesday', 'bridge/evening/lesson', 'bridge/repair', 'bridge/repair/tuesday/7', 'bridge/leak', 'bridge/seal', 'bridge/joint', ...Object.keys(TABLES).map((name) => `table/${name}`)];

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

/** Opens the page; returns it with all its errors. */
async function open(node, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => { wrong.push('a dialog'); dialog.dismiss(); });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return { page, wrong, close: () => context.close() };
}

// `waitForFunction` is never used: it polls by `eval`, which the page's policy forbids, so it works only at once.
async function go(page, path) {
  await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
  await page.waitForTimeout(120);
}

test('every screen opens without an error, a CSP violation or sideways scrolling, at phone width', async () => {
  for (const language of ['en', 'hu']) {
    const node = await start({ profile: { language } });
    const { page, wrong, close } = await open(node, { viewport: { width: 360, height: 740 } });
    for (const path of SCREENS) {
      await go(page, path);
      const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector('main').scrollWidth - innerWidth));
      assert.ok(wide <= 0, `${path} in ${language} is ${wide} px too wide`);
      assert.equal(await page.locator('main h1').count(), 1, `${path} has one heading`);
    }
    assert.deepEqual(wrong, []);
    await close();
    node.stop();
  }
});

test('all text comes from the catalogue', async () => {
  // Every template is put between marks; text outside them is not from the catalogue.
  const node = await start({ profile: { language: 'hu' }, mark: (template) => template.split('\n').map((line) => `⟦${line}⟧`).join('\n') });
  const { page, close } = await open(node);
  const allowed = ['Outis', 'English', 'Magyar', ...Object.values(TABLES).flatMap((table) => table.seats.map((seat) => seat.name))];
  for (const path of SCREENS) {
    await go(page, path);
    const found = await page.evaluate((names) => {
      const texts = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest('.code, code, bdi, kbd, noscript, time, #live, textarea, [lang="en"], option')) texts.push(walker.currentNode.data);
      }
      for (const node of document.body.querySelectorAll('[aria-label], [title], [alt], [placeholder]')) for (const name of ['aria-label', 'title', 'alt', 'placeholder']) texts.push(node.getAttribute(name) || '');
      const bare = (text) => {
        let rest = text;
        for (let again = true; again;) {
          const next = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
          again = next !== rest;
          rest = next;
        }
        for (const name of names) if (name) rest = rest.replaceAll(name, '').replaceAll(name.replace(/[\u202e]/g, ''), '');
        return rest;
      };
      return texts.map(bare).filter((text) => /\p{L}/u.test(text));
    }, allowed);
    assert.deepEqual(found, [], path);
  }
  await close();
  node.stop();
});

test('axe finds nothing serious, in both themes', async () => {
  for (const theme of ['dark', 'light']) {
    const node = await start({ profile: { language: theme === 'dark' ? 'en' : 'hu', theme } });
    const { page, close } = await open(node, { bypassCSP: true, reducedMotion: 'reduce' });
    await page.addScriptTag({ content: AXE });
    for (const path of SCREENS) {
      await go(page, path);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
      assert.deepEqual(serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join(' | ')}`), [], `${path} ${theme}`);
    }
    await close();
    node.stop();
  }
});

test('names and chat of others are text, whatever they contain', async () => {
  const node = await start();
  const { page, wrong, close } = await open(node);
  await go(page, 'table/high-card-turn');
  await page.click('[data-panel="chat"]');
  await page.waitForSelector('.chat-lines li');
  const said = await page.locator('.chat-lines li').first().textContent();
  assert.match(said, /<img src=x onerror=alert\(1\)>/);
  assert.doesNotMatch(await page.locator('body').innerText(), /\u202e/);
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.deepEqual(wrong, []);
  await close();
  node.stop();
});

test('the first load is at most 600 kB', async () => {
  const node = await start();
  const context = await browser.newContext();
  const page = await context.newPage();
  const answers = [];
  page.on('response', (response) => answers.push(response));
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.waitForTimeout(300);
  const sizes = await Promise.all(answers.map((answer) => answer.body().then((body) => body.length, () => 0)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`first load: ${bytes} bytes in ${sizes.length} files`);
  assert.ok(bytes > 50_000 && bytes <= 600_000, `${bytes} bytes`);
  await context.close();
  node.stop();
});

test('no address gives the page another token, and no page works without one', async () => {
  const node = await start();
  const { page, close } = await open(node);
  const token = () => page.evaluate(() => localStorage.getItem('outis.token'));
  const own = await token();
  // Any site that knows the port may lead here: a player stays in.
  await page.evaluate(() => { location.hash = '0'.repeat(32); });
  await page.reload();
  await page.waitForSelector('.tiles');
  assert.equal(await token(), own);
  await close();
  const context = await browser.newContext();
  const stranger = await context.newPage();
  await stranger.goto(node.url);
  await stranger.waitForSelector('h1');
  await stranger.locator('h1', { hasText: say('page.wait.denied.title') }).waitFor();
  await context.close();
  node.stop();
});

test('a disk that refuses is in the status line, in place of what would otherwise be awaited; a clock that runs on is named', async () => {
  const scene = TABLES['tarokk-play'];
  const clocks = { ...TABLES['dark-chess-clocks'], table: 'clocks', disk: true };
  for (const language of ['en', 'hu']) {
    const node = await start({ profile: { language }, more: { disk: { ...scene, table: 'disk', disk: true, expects: { ...scene.expects, left: null } }, clocks } });
    const { page, wrong, close } = await open(node);
    const status = async (path) => {
      await go(page, path);
      return (await page.locator('.status-words span').first().innerText()).trim();
    };
    assert.notEqual(await status('table/tarokk-play'), say('page.status.disk', {}, language));
    assert.equal(await status('table/disk'), say('page.status.disk', {}, language));
    assert.equal(await status('table/clocks'), say('page.status.disk.clock', {}, language));
    assert.deepEqual(wrong, []);
    await close();
    node.stop();
  }
});

test('a table that is gone is not shown as if it lived', async () => {
  const node = await start();
  const { page, wrong, close } = await open(node);
  const replay = () => page.getByRole('link', { name: say('page.over.replay') }).count();
  for (const [table, past] of [['tarokk-play', false], ['tarokk-over', true]]) {
    await go(page, `table/${table}`);
    await page.locator('.board-box').waitFor();
    node.tell({ tell: 'gone', table });
    await page.getByRole('heading', { name: say('page.table.missing') }).waitFor();
    assert.equal(await page.locator('.board-box').count(), 0);
    assert.equal(await replay(), past ? 1 : 0);
  }
  assert.deepEqual(wrong, []);
  await close();
  node.stop();
});

test('whoever is to decide is not offered to stop waiting for somebody who left', async () => {
  const scene = TABLES['tarokk-play'];
  const seats = scene.seats.map((seat) => (seat.seat === 1 ? { ...seat, kind: 'peer', link: 'left' } : seat));
  const theirs = { ...scene, table: 'theirs', seats, expects: { ...scene.expects, yours: false, seats: [1] } };
  const node = await start({ more: { mine: { ...scene, table: 'mine', seats }, theirs } });
  const { page, close } = await open(node);
  const stop = () => page.getByRole('button', { name: say('page.absent.stop') }).count();
  await go(page, 'table/mine');
  await page.getByText(say('page.absent.yours')).waitFor();
  assert.equal(await stop(), 0);
  await go(page, 'table/theirs');
  await page.getByRole('button', { name: say('page.absent.stop') }).waitFor();
  await close();
  node.stop();
});

test('cards that may be played are sent, others say why not', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/tarokk-play');
  await page.click('[data-card="XX"]');
  await page.waitForSelector('.status .reason');
  assert.match(await page.locator('.status .reason').innerText(), /spades/);
  assert.equal(node.asked.filter((one) => one.ask === 'act').length, 0);
  await page.click('[data-card="S:10"]');
  await page.waitForTimeout(100);
  assert.deepEqual(node.asked.filter((one) => one.ask === 'act').map((one) => [one.token, one.round]), [['S:10', 17]]);
  await close();
  node.stop();
});

test('what obliges is explained before it is said', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/tarokk-auction');
  await page.click('[data-token="one"]');
  await page.waitForSelector('.confirm');
  assert.match(await page.locator('.confirm').innerText(), /XIX/);
  assert.equal(node.asked.filter((one) => one.ask === 'act').length, 0);
  await page.locator('.confirm .primary').click();
  await page.waitForTimeout(100);
  assert.deepEqual(node.asked.filter((one) => one.ask === 'act').map((one) => one.token), ['one']);
  await close();
  node.stop();
});

test('a discard is sent in the order of the list', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/tarokk-discard');
  await page.click('[data-card="S:10"]', { position: { x: 8, y: 40 } });
  await page.click('[data-card="IX"]', { position: { x: 8, y: 40 } });
  await page.click('[data-token="discard"]');
  await page.waitForTimeout(100);
  assert.deepEqual(node.asked.filter((one) => one.ask === 'act').map((one) => one.token), ['discard:IX+S:10']);
  await close();
  node.stop();
});

test('a table is played with the keyboard alone', async () => {
  const node = await start();
  const { page, close } = await open(node);
  // From the top of the page to the first table, by Tab and Enter only.
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.matches('.tile .primary'))) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForSelector('.hand');
  await page.locator('[data-card="skiz"]').focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.card), 'S:10');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(100);
  assert.deepEqual(node.asked.filter((one) => one.ask === 'act').map((one) => one.token), ['S:10']);
  await close();
  node.stop();
});

test('the live region tells what happens', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/tarokk-auction');
  await page.locator('#live p', { hasText: 'Béla' }).first().waitFor({ state: 'attached' });
  await close();
  node.stop();
});

test('nothing moves for those who want it still', async () => {
  const node = await start();
  const { page, close } = await open(node, { reducedMotion: 'reduce' });
  await go(page, 'table/tarokk-play');
  const longest = await page.evaluate(() => Math.max(...document.getAnimations().map((one) => one.effect.getComputedTiming().duration), 0));
  assert.ok(longest <= 1, `${longest} ms`);
  await close();
  node.stop();
});

test('a sentence of the fairness panel opens to what was proved', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/high-card-turn');
  await page.click('.proof-line');
  await page.locator('.fair-step summary', { hasText: like('page.step.shuffle.done') }).first().click();
  await page.waitForSelector('.fair-detail');
  const detail = await page.locator('.fair-detail').first().innerText();
  for (const id of ['page.fair.proved', 'page.step.shuffle.proved', 'page.fair.not', 'page.step.shuffle.not']) assert.match(detail, like(id));
  assert.match(await page.locator('.fair-detail .code').first().innerText(), /^[0-9a-f]{64}$/);
  await close();
  node.stop();
});

test('a player who exchanged nothing is not said to have exchanged 0 cards', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/poker-draw');
  await page.waitForSelector('.table');
  const said = await page.locator('.table').innerText();
  assert.match(said, like('page.poker.drew', { n: 3 }));
  assert.match(said, like('page.poker.drew.none'));
  await close();
  node.stop();
});

test('a step that was refused has proved nothing', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/high-card-practice');
  await page.click('[data-panel="fairness"]');
  await page.locator('.fair-step.refused summary').first().click();
  const detail = await page.locator('.fair-step.refused .fair-detail').first().innerText();
  assert.match(detail, like('page.fair.due'));
  for (const id of ['page.fair.proved', 'page.fair.not']) assert.doesNotMatch(detail, like(id));
  await close();
  node.stop();
});

test('a cheat is told as a story, with the evidence to save', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'table/high-card-cheat');
  await page.waitForSelector('.story');
  assert.match(await page.locator('.story').innerText(), like('page.story.cheated', { who: 'Béla' }));
  const download = page.waitForEvent('download');
  await page.locator('.story button').first().click();
  assert.match((await download).suggestedFilename(), /evidence\.log$/);
  await close();
  node.stop();
});

test('whose results count in the ratings is for the reader to say', async () => {
  const node = await start();
  const { page, close } = await open(node);
  await go(page, 'ratings/tarokk');
  const rows = page.locator('.ratings tbody tr');
  await rows.nth(3).waitFor();
  const ticks = page.locator('[data-signer]');
  await ticks.nth(1).uncheck();
  await rows.nth(2).waitFor({ state: 'detached' });
  assert.deepEqual([await ticks.nth(0).isChecked(), await ticks.nth(1).isChecked()], [true, false]);
  await page.keyboard.press('Space');
  await rows.nth(3).waitFor();
  await ticks.nth(0).uncheck();
  await rows.nth(2).waitFor({ state: 'detached' });
  await ticks.nth(1).uncheck();
  await page.waitForSelector('.empty');
  await close();
  node.stop();
});
