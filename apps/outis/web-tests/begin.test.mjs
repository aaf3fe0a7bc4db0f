// A new table against a mock: the node is asked for what was chosen, the choices are remembered, and *Play now* uses them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { say } from './words.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

async function open(path, { language = 'en', prefs = {} } = {}) {
  const node = await start({ profile: { language, prefs } });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
  const press = (id, args) => page.getByRole('button', { name: say(id, args, language), exact: true }).click();
  const pressed = (id, args) => page.getByRole('button', { name: say(id, args, language), exact: true, pressed: true }).waitFor();
  // A choice may move the elements below it, so the next click waits until this one is drawn.
  const choose = async (id, args) => {
    await press(id, args);
    await pressed(id, args);
  };
  const begun = async (how) => {
    const before = node.asked.length;
    await how();
    await page.waitForURL(/#\/table\//);
    return node.asked.slice(before).find((one) => one.ask === 'start');
  };
  return { node, page, press, choose, pressed, begun, close: async () => { await page.close(); node.stop(); } };
}

/** The mock's options, by name. */
const named = (page, game, dials) => page.evaluate(async ([name, values]) => {
  const { app } = await import('/js/app.js');
  return Object.fromEntries(app.games.find((one) => one.game === name).dials.map((dial, at) => [dial.name, values[at]]));
}, [game, dials]);

test('a level for each bot, a clock, and no seat left for friends', async () => {
  const { page, press, choose, begun, close } = await open('new/poker');
  await choose('page.new.where.bots');
  await choose('page.new.level.each');
  await page.locator('#level-0').selectOption('3');
  await page.locator('#level-1').selectOption('1');
  await choose('page.new.clock.move', { seconds: 120 });
  const asked = await begun(() => press('page.home.play'));
  assert.deepEqual(asked.bots, [3, 1]);
  assert.equal((await named(page, 'poker', asked.dials)).clock, 120);
  await close();
});

test('chess clocks set minutes and increment together, and a changed option is none of them', async () => {
  const { page, press, choose, pressed, begun, close } = await open('new/dark-chess');
  await pressed('page.new.clock.none');
  await choose('page.new.clock.game', { minutes: 10, seconds: 5 });
  await pressed('page.new.clock.game', { minutes: 10, seconds: 5 });
  await page.locator('summary', { hasText: say('page.new.options') }).click();
  await page.fill('#dial-increment', '7');
  await page.locator('#dial-increment').blur();
  const clocks = page.locator('fieldset', { hasText: say('page.new.clock') });
  await clocks.locator('[aria-pressed="true"]').waitFor({ state: 'detached' });
  await choose('page.chess.black');
  await choose('page.new.where.bots');
  const asked = await begun(() => press('page.home.play'));
  const { white, minutes, increment, clock } = await named(page, 'dark-chess', asked.dials);
  assert.deepEqual({ white, minutes, increment, clock }, { white: 1, minutes: 10, increment: 7, clock: 0 });
  await close();
});

test('the classic grade of poker has two seats and a number of decks, and says what that means', async () => {
  for (const language of ['en', 'hu']) {
    const { page, press, choose, begun, close } = await open('new/poker', { language });
    await choose('page.new.where.bots');
    assert.equal(await page.getByText(say('poker.bound', { n: 16 }, language)).count(), 0);
    await choose('page.grade.classic');
    await page.getByText(say('poker.bound', { n: 16 }, language)).waitFor();
    await page.locator('details summary', { hasText: say('page.new.options', {}, language) }).click();
    assert.equal(await page.locator('#dial-seats').count(), 0, 'there is nothing to choose');
    await page.locator('#dial-decks').fill('8');
    await page.locator('#dial-decks').blur();
    await page.getByText(say('poker.bound', { n: 8 }, language)).waitFor();
    const asked = await begun(() => press('page.home.play'));
    assert.deepEqual([asked.grade, asked.bots.length, asked.dials.length, asked.dials.at(-1), asked.dials[2]], ['classic', 1, 6, 8, 2]);
    // The choices are remembered with their grade, and another grade has its own options.
    await page.evaluate(() => { location.hash = '#/new/poker'; });
    await page.getByText(say('poker.bound', { n: 8 }, language)).waitFor();
    await choose('page.grade.hardened');
    assert.equal(await page.locator('#dial-decks').count(), 0);
    const again = await begun(() => press('page.home.play'));
    assert.deepEqual([again.grade, again.dials.length], ['hardened', 5]);
    await close();
  }
});

test('a colour by lot is drawn for each game', async () => {
  const { page, press, choose, begun, close } = await open('new/dark-chess', { language: 'hu' });
  await choose('page.new.where.bots');
  await choose('page.new.colour.lot');
  const seen = new Set();
  for (let n = 0; n < 40 && seen.size < 2; n += 1) {
    const asked = await begun(() => press('page.home.play'));
    seen.add((await named(page, 'dark-chess', asked.dials)).white);
    await page.evaluate(() => { location.hash = '#/new/dark-chess'; });
    await page.waitForSelector('.choice');
  }
  assert.deepEqual([...seen].sort(), [0, 1]);
  await close();
});

test('what was chosen is remembered, and Play now uses it', async () => {
  const { node, page, press, choose, pressed, begun, close } = await open('new/poker');
  await choose('page.new.where.bots');
  await choose('page.level.3');
  await choose('page.pace.quick');
  await choose('page.new.clock.none');
  await begun(() => press('page.home.play'));
  assert.ok(node.asked.some((one) => one.ask === 'profile' && one.prefs.begin.poker.pace === 'quick'));
  await page.evaluate(() => { location.hash = '#/new/poker'; });
  await page.waitForSelector('.choice');
  await page.reload();
  await pressed('page.level.3');
  await pressed('page.pace.quick');
  await pressed('page.new.clock.none');
  await page.evaluate(() => { location.hash = '#/'; });
  const asked = await begun(() => page.getByRole('button', { name: say('page.home.play.game', { game: say('poker.name') }) }).click());
  assert.deepEqual([asked.bots, asked.pace, (await named(page, 'poker', asked.dials)).clock], [[3, 3], 'quick', 0]);
  await close();
});

test('the first screen leads to the same dialog: for bots, and for friends', async () => {
  const { page, pressed, close } = await open('', { prefs: { begin: { poker: { where: 'here' } } } });
  await page.getByRole('link', { name: say('page.home.setup.game', { game: say('poker.name') }) }).click();
  await pressed('page.new.where.bots');
  await page.goBack();
  await page.getByRole('link', { name: say('page.home.invite.game', { game: say('poker.name') }) }).click();
  await pressed('page.new.where.far');
  await close();
});

test('what does not fit any more is not used', async () => {
  const prefs = { begin: { poker: { dials: [0, 0], levels: [9], pace: 'sudden', grade: 'none', where: 'nowhere', bots: -1, lot: 'yes' }, tarokk: 7 } };
  const { page, begun, close } = await open('', { prefs });
  const asked = await begun(() => page.getByRole('button', { name: say('page.home.play.game', { game: say('poker.name') }) }).click());
  assert.deepEqual([asked.bots, asked.grade, asked.pace], [[2, 2], 'hardened', undefined]);
  assert.equal((await named(page, 'poker', asked.dials)).seats, 3);
  await close();
});
