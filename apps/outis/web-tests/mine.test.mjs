// My games against a mock: tables in progress, results, statistics, replay and check by one click.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { PATIENCE, launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { like, only, say } from './words.mjs';
import { tally } from '../web/js/games/poker/tally.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

async function holds(check) {
  for (const end = Date.now() + Math.min(PATIENCE, 20_000); ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => { setTimeout(done, 50); });
    }
  }
}

const game = (n, kind, scores, more = {}) => ({ table: `old-${n}`, game: kind, names: ['Anna', 'Béla', 'Cili'].slice(0, scores?.length ?? 2), me: 0, began: 1e12, ended: 1e12 + n, scores, end: 'finished', rounds: 90, head: '9a'.repeat(32), bots: true, ...more });
const PAST = [game(1, 'dark-chess', [1, -1]), game(2, 'dark-chess', [-1, 1]), game(3, 'dark-chess', [0, 0]), game(4, 'poker', [120, -60, -60]), game(5, 'poker', [-40, 80, -40]), game(6, 'high-card', null, { end: 'fault' })];

/** Hands of the mock's scene: the player (seat 0) calls before the flop and wins at the showdown. */
const { last: HAND } = TABLES['poker-bet'].view;
const hand = (number, more) => ({ ...HAND, number, ...more });
const FOLDED = { events: [{ deal: 'first' }, { seat: 1, does: 'to', amount: 30 }, { seat: 2, does: 'fold' }, { seat: 0, does: 'fold' }], have: [], after: [1030, 995, 975], pots: [{ chips: 45, to: [{ seat: 1, chips: 45 }] }] };
const RAISED = { events: [{ deal: 'first' }, { seat: 0, does: 'to', amount: 30 }, { seat: 1, does: 'fold' }, { seat: 2, does: 'fold' }], have: [], after: [1055, 975, 970], pots: [{ chips: 45, to: [{ seat: 0, chips: 45 }] }] };
const AWAY = { playing: [1, 2], own: null };
const pictures = (hands) => ({ me: 0, pictures: hands.map((last, n) => ({ round: n, lines: [], view: { ...TABLES['poker-bet'].view, last } })) });
const REPLAYS = { 'old-4': pictures([null, hand(0), hand(0), hand(1, FOLDED)]), 'old-5': pictures([hand(0, RAISED), hand(1, AWAY)]) };

async function open({ language = 'en', ...options } = {}) {
  const node = await start({ profile: { language }, past: PAST, replays: REPLAYS });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, ...options });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate(() => { location.hash = '#/past'; });
  await page.getByRole('heading', { name: say('page.mine.title', {}, language), exact: true }).waitFor();
  return { node, page, close: async () => { await page.close(); node.stop(); } };
}

test('hands add up: entered, raised, shown, won; a hand that was not played does not count', () => {
  assert.deepEqual(tally([hand(0), hand(1, FOLDED), hand(2, RAISED), hand(3, AWAY)]), { hands: 3, chips: 250 - 10 + 15, entered: 2, raised: 1, shown: 1, shownWon: 1, best: 250 });
  assert.deepEqual(tally([]), { hands: 0, chips: 0, entered: 0, raised: 0, shown: 0, shownWon: 0, best: 0 });
});

test('games in progress come first, then what the past ones add up to, then each of them', async () => {
  for (const language of ['en', 'hu']) {
    for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) {
      const { page, close } = await open({ language, viewport });
      const headings = await page.locator('main h2').allInnerTexts();
      assert.deepEqual(headings, ['page.home.tables', 'page.mine.sum', 'page.mine.poker', 'page.home.past'].map((id) => say(id, {}, language)));
      const rows = await page.locator('.mine-sum tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
      assert.deepEqual(rows.map((row) => row.slice(1)), [['2', '1', '0', '1', '+80'], ['3', '1', '1', '1', '0']]);
      const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector('main').scrollWidth - innerWidth));
      assert.ok(wide <= 0, `${wide} px too wide`);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes[0].html}`), []);
      // One kind of game only.
      await page.getByRole('button', { name: say('dark-chess.name', {}, language), exact: true }).click();
      await holds(async () => assert.equal(await page.locator('section[aria-labelledby="mine-past"] li').count(), 3));
      assert.equal(await page.locator('#mine-poker').count(), 0);
      await close();
    }
  }
});

test('a table that is over stands below one in progress', async () => {
  const { node, page, close } = await open();
  const table = (name, phase, turn, since) => ({ table: name, game: 'tarokk', phase, names: [name], turn, since });
  await node.tell({ tell: 'tables', tables: [table('over', 'over', false, 9), table('waits', 'playing', false, 5), table('mine', 'playing', true, 1)] });
  const names = () => page.locator('section[aria-labelledby="mine-live"] li').evaluateAll((all) => all.map((one) => one.querySelector('a').hash));
  await holds(async () => assert.deepEqual(await names(), ['#/table/mine', '#/table/waits', '#/table/over']));
  await close();
});

test('one click replays a past game, one checks its log; the replay is in the window', async () => {
  for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) {
    const { page, close } = await open({ viewport });
    const row = page.locator('section[aria-labelledby="mine-past"] li').filter({ hasText: say('poker.name') }).first();
    await row.getByRole('link', { name: like('page.home.past.replay.of', { game: say('poker.name') }) }).click();
    await page.waitForSelector('.replay-bar');
    const box = await page.locator('.replay-bar').boundingBox();
    assert.ok(box.y + box.height <= viewport.height, JSON.stringify(box));
    await page.goBack();
    await row.getByRole('link', { name: like('page.home.past.check.of', { game: say('poker.name') }) }).click();
    // This mock finds a fault in every log.
    await page.locator('.notice h2', { hasText: like('page.verdict.fault') }).waitFor();
    await close();
  }
});

test('poker figures are counted from the past games, on request', async () => {
  for (const language of ['en', 'hu']) {
    const { node, page, close } = await open({ language });
    assert.ok(!node.asked.some((one) => one.ask === 'replay'), 'nothing is loaded before somebody asks');
    await page.getByRole('button', { name: say('page.mine.count', {}, language) }).click();
    await page.waitForSelector('.mine-figures');
    const figures = await page.locator('.mine-figures dd').allInnerTexts();
    assert.deepEqual(figures, ['3', '+255', '67%', '33%', '33%', '100%', '+250']);
    assert.match(await page.locator('.mine-figures dt').first().innerText(), only('page.mine.poker.hands', {}, language));
    await close();
  }
});
