// Tables with a cheat: a bot at a practice table, and a program in another process. Both are caught on the page, and the evidence that the
// page saves convicts them.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { binary, makeInvite, startNode } from './node.mjs';
import { playUntil } from './play.mjs';
import { like, say } from './words.mjs';

let browser;
let node;
const folder = mkdtempSync(join(tmpdir(), 'outis-cheat-'));
before(async () => {
  browser = await launch();
  node = await startNode();
});
after(async () => {
  await browser?.close();
  await node?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open() {
  const context = await browser.newContext({ viewport: { width: 1200, height: 850 }, locale: 'en-GB', acceptDownloads: true });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.stack));
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return { page, wrong, close: () => context.close() };
}

/** Saves the evidence by its button; returns what the program and the page say about it. */
async function evidence(page, name) {
  const download = page.waitForEvent('download');
  await page.locator('.story button', { hasText: say('page.story.save') }).click();
  const file = join(folder, name);
  await (await download).saveAs(file);
  const judged = spawnSync(binary(), ['verify', '--json', file], { encoding: 'utf8' });
  assert.equal(judged.status, 1, judged.stdout + judged.stderr);
  await page.locator('.story a', { hasText: say('page.check.title') }).click();
  await page.setInputFiles('#log-file', file);
  await page.waitForSelector('.notice.bad');
  return JSON.parse(judged.stdout)[0];
}

test('one of the bots cheats: chosen in the set-up, said at the table, caught, and the evidence convicts it', async () => {
  const { page, wrong, close } = await open();
  await page.evaluate(() => { location.hash = '#/new/matching-pennies'; });
  await page.getByRole('button', { name: say('page.new.where.bots') }).click();
  await page.locator('button', { hasText: say('page.new.crook.yes') }).click();
  await page.locator('.notice', { hasText: say('page.practice.text') }).waitFor();
  await page.locator('button', { hasText: say('page.pace.none') }).click();
  // Enough throws that the bot is certain to cheat.
  await page.locator('summary', { hasText: say('page.new.options') }).click();
  await page.fill('#dial-throws', '100');
  await page.locator('#dial-throws').blur();
  await page.locator('.page .button.primary').click();
  await page.locator('.table .tag', { hasText: say('page.practice.tag') }).waitFor();
  await playUntil(page, '.over', { seconds: 600 });
  const story = await page.locator('.story').innerText();
  for (const id of ['page.story.cheated', 'matching-pennies.fault.opening', 'page.practice.caught', 'page.story.now']) assert.match(story, like(id));
  const verdict = await evidence(page, 'pennies.log');
  assert.deepEqual([verdict.verdict, verdict.seat, verdict.check], ['fault', 1, 'opening']);
  // It stays labelled among the past games.
  await page.evaluate(() => { location.hash = '#/past'; });
  await page.locator('.list .tag', { hasText: say('page.practice.tag') }).first().waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

test('bots do not cheat where a friend may sit down', async () => {
  const { page, close } = await open();
  await page.evaluate(() => { location.hash = '#/new/poker'; });
  await page.waitForSelector('.choice');
  await page.locator('fieldset', { hasText: say('page.new.bots') }).locator('button', { hasText: /^1$/ }).first().click();
  await page.locator('p', { hasText: say('page.new.open', { n: 1 }) }).waitFor();
  assert.equal(await page.locator('button', { hasText: say('page.new.crook.yes') }).count(), 0);
  const answer = await page.evaluate(async () => (await import('/js/app.js')).ask('start', { game: 'poker', bots: [1], crook: true }));
  assert.equal(answer?.table, undefined);
  await close();
});

test('a cheating program in another process takes an invite, and the page names it', async () => {
  const { page, wrong, close } = await open();
  await page.evaluate(async () => {
    const { app, ask, go } = await import('/js/app.js');
    const dials = app.games.find((game) => game.game === 'poker').dials.map((dial) => (dial.name === 'seats' ? 2 : dial.usual));
    go(`table/${(await ask('start', { game: 'poker', dials, bots: [] })).table}`);
  });
  const cheat = spawn(binary(), ['join', await makeInvite(page), '--cheat', 'own-card', '--name', 'Eve'], { stdio: 'ignore' });
  try {
    await page.waitForSelector('.compare');
    await page.locator('button:not(:disabled)', { hasText: say('page.gather.begin') }).click();
    await page.waitForSelector('.story');
    const story = await page.locator('.story').innerText();
    assert.match(story, like('page.story.cheated', { who: 'Eve' }));
    assert.match(story, like('poker.fault.shuffle'));
    assert.equal(await page.locator('.table-top .tag', { hasText: say('page.practice.tag') }).count(), 0);
    const verdict = await evidence(page, 'poker.log');
    assert.deepEqual([verdict.verdict, verdict.seat, verdict.check], ['fault', 1, 'shuffle']);
  } finally {
    cheat.kill('SIGKILL');
  }
  assert.deepEqual(wrong, []);
  await close();
});
