// Poker on the page against a mock: the aid with odds, showing by itself, hands replayed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PATIENCE, launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { like, only, say } from './words.mjs';
import { pots, rankOf } from '../web/js/games/poker/strength.js';

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

async function table(name, { language = 'en', prefs = {}, ...options } = {}) {
  const node = await start({ profile: { language, prefs } });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, ...options });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate((to) => { location.hash = `#/table/${to}`; }, name);
  await page.waitForSelector('.poker');
  /** The next state of the table. */
  const next = ({ view, ...more }) => node.tell({ tell: 'table', ...TABLES[name], round: TABLES[name].round + 1, ...more, view: { ...TABLES[name].view, ...view } });
  const acts = () => node.asked.filter((one) => one.ask === 'act').map((one) => one.token);
  return { node, page, next, acts, close: async () => { await page.close(); node.stop(); } };
}

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

/** Numbers from 0 to 1, always the same ones. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('a better hand has the higher rank, whatever lies beside it', () => {
  const rising = ['2c 3d 5h 7s 9c', '2c 3d 5h 7s Tc', '2c 2d 5h 7s 9c', '2c 2d 5h 7s Ac', '2c 2d 5h 5s 9c', '3c 3d 5h 5s 2c', '3c 3d 4h 4s Kc Ks 2h', '2c 2d 2h 7s 9c', 'Ac 2d 3h 4s 5c', '2c 3d 4h 5s 6c', 'Td Jc Qh Ks Ac', '2c 5c 7c 9c Jc', '2c 5c 7c 9c Qc 3d 4s', '2c 2d 2h 7s 7c', '3c 3d 3h 2s 2c', '3c 3d 3h Ks Kc Kd 2h', '2c 2d 2h 2s 9c', 'Ac 2c 3c 4c 5c', 'Tc Jc Qc Kc Ac'];
  const ranks = rising.map((hand) => rankOf(hand.split(' ')));
  assert.deepEqual(ranks, [...ranks].sort((a, b) => a - b));
  assert.equal(new Set(ranks).size, ranks.length);
  const of = (hand) => rankOf(hand.split(' '));
  assert.equal(of('As Kd 9c 7h 5d 3s 2c'), of('As Kd 9c 7h 5d 4s 2c'), 'only five cards count');
  assert.equal(of('As Kd 9c 7h 5d 3s 2c'), of('Ah Kc 9d 7s 5c 2d 3h'), 'suits do not');
});

test('the share of pots against random hands is what is known of such hands', () => {
  const share = (own, board, others) => pots(own, board, others, 20_000, seeded(7)) / 20_000;
  assert.ok(Math.abs(share(['As', 'Ah'], [], 1) - 0.852) < 0.01);
  assert.ok(Math.abs(share(['7s', '2h'], [], 1) - 0.346) < 0.01);
  assert.ok(Math.abs(share(['As', 'Ah'], [], 8) - 0.35) < 0.015);
  assert.equal(share(['2c', '3d'], ['Ts', 'Js', 'Qs', 'Ks', 'As'], 1), 0.5, 'the board plays for both');
  assert.equal(share(['As', 'Ks'], ['Ts', 'Js', 'Qs', '2d', '3c'], 3), 1);
});

test('the aid says what a call costs and how often the cards win; switched off it stays off', async () => {
  for (const language of ['en', 'hu']) {
    const { node, page, close } = await table('poker-bet', { language });
    const aid = page.locator('.pk-aid');
    await holds(async () => assert.match(await aid.innerText(), like('page.poker.aid.price', { n: 25 }, language)));
    await holds(async () => assert.match(await aid.innerText(), like('page.poker.aid.wins', {}, language)));
    const [, share] = (await aid.innerText()).match(new RegExp(like('page.poker.aid.wins', {}, language).source.replace('[\\s\\S]+?', '(\\d+)'), 'u'));
    assert.ok(share > 75 && share < 95, `a pair of queens against one: ${share}`);
    // Who cannot see it can ask for it with what is on the table.
    await page.keyboard.press('t');
    await holds(async () => assert.match(await page.locator('#live').innerText(), like('page.poker.aid.price', { n: 25 }, language)));
    await aid.click();
    await holds(async () => assert.match(await aid.innerText(), only('page.poker.aid', {}, language)));
    assert.equal(await aid.getAttribute('aria-pressed'), 'false');
    assert.equal(node.asked.filter((one) => one.ask === 'profile').at(-1).prefs.pokerAid, false);
    await close();
  }
  const { page, close } = await table('poker-nine', { prefs: { pokerAid: false } });
  assert.match(await page.locator('.pk-aid').innerText(), only('page.poker.aid'));
  await close();
});

test('whoever wants it shows a hand by itself that is not beaten, and keeps a beaten one', async () => {
  const { view, actions, expects } = TABLES['poker-show'];
  for (const [shown, token] of [[['9s', '8s'], 'show'], [['4h', '4c'], 'muck'], [['Qh', 'Jh'], 'show']]) {
    const { page, next, acts, close } = await table('poker-wait');
    await page.getByLabel(say('page.poker.auto.show')).check();
    const seats = view.seats.map((seat, at) => (at === 1 ? { ...seat, shown } : seat));
    await next({ round: 70, actions, expects, view: { ...view, seats } });
    await holds(() => assert.deepEqual(acts(), [token]));
    await close();
  }
  // Without that wish nothing happens by itself.
  const { page, next, acts, close } = await table('poker-wait');
  await next({ round: 70, actions, expects, view });
  await page.waitForTimeout(700);
  assert.deepEqual(acts(), []);
  await close();
});

test('a finished hand is replayed event by event, from the table and back', async () => {
  const { last } = TABLES['poker-bet'].view;
  for (const language of ['en', 'hu']) {
    const { page, close } = await table('poker-bet', { language });
    await page.locator('[data-panel="moves"]').click();
    await page.locator('.pk-past > summary').click();
    await page.locator('.pk-past li summary').click();
    await page.getByRole('link', { name: say('page.poker.replay', {}, language) }).click();
    await page.waitForSelector('.hand-page .replay-bar');
    const said = () => page.locator('.replay-said').innerText();
    const pot = async () => Number((await page.locator('.pk-pots strong').innerText()).match(/\d+/)[0]);
    assert.equal(await pot(), 15, 'the blinds');
    const expected = [['poker.bets', { who: 'Béla', chips: 30 }, 45], ['poker.folds', { who: 'Cili' }, 45], ['poker.calls', { who: 'Anna' }, 65], ['poker.turned', {}, 65]];
    for (const [id, args, chips] of expected) {
      await page.keyboard.press('ArrowRight');
      await holds(async () => assert.match(await said(), like(id, args, language)));
      assert.equal(await pot(), chips);
    }
    const widths = await page.locator('.pk-board img').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    assert.ok(widths.length === 3 && widths.every((width) => width > 40), String(widths));
    assert.equal(await page.locator('.pk-own img').count(), 2, 'own cards');
    // By chapters to the showdown and to the result.
    const jump = page.locator('.replay-jump');
    const parts = await jump.locator('option').allInnerTexts();
    assert.deepEqual(parts, ['preflop', 'flop', 'turn', 'river', 'show', 'end'].map((part) => say(`page.replay.${part}`, {}, language)));
    await page.keyboard.press('End');
    await holds(async () => assert.match(await said(), like('page.poker.wins.with', { who: 'Anna', chips: last.pots[0].chips }, language)));
    assert.equal(await page.locator('.pk-seat').first().locator('.pk-chips').innerText(), say('page.poker.chips', { n: last.after[0] }, language));
    await page.getByRole('link', { name: say('page.home.tables.go', {}, language) }).click();
    await page.waitForSelector('.pk-bets');
    await close();
  }
});

test('a hand of a past game is found by its address, with the hands before and after it', async () => {
  const { view, lines } = TABLES['poker-bet'];
  const picture = (number) => ({ round: number, lines, view: { ...view, last: { ...view.last, number } } });
  const past = [{ table: 'old', game: 'poker', names: ['Anna', 'Béla', 'Cili'], me: 0, began: 1e12, ended: 1.1e12, scores: [10, -10, 0], end: 'finished', rounds: 90, head: '9a'.repeat(32), bots: true }];
  const node = await start({ profile: { language: 'en' }, past, replays: { old: { pictures: [0, 1, 2].map(picture), me: 0 } } });
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate(() => { location.hash = '#/hand/old/2'; });
  await page.getByRole('heading', { name: say('page.poker.history.hand', { n: 2 }) }).waitFor();
  await page.getByRole('link', { name: say('page.poker.replay.next', { n: 3 }) }).click();
  await page.getByRole('heading', { name: say('page.poker.history.hand', { n: 3 }) }).waitFor();
  assert.equal(await page.getByRole('link', { name: say('page.poker.replay.next', { n: 4 }) }).count(), 0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  await page.getByRole('link', { name: say('page.poker.replay.game') }).click();
  await page.waitForSelector('.replay-bar');
  await page.close();
  node.stop();
});
