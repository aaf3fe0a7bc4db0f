// Tables with a cheat: a bot that is told to cheat, and a program in another process that does. Both are caught on the page, and the
// evidence that the page saves convicts.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { binary, startNode } from './node.mjs';
import { playUntil } from './play.mjs';

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

/** Saves the evidence by the button of the story; what the program and the page say of it. */
async function evidence(page, name) {
  const download = page.waitForEvent('download');
  await page.locator('.story button', { hasText: 'Save the evidence' }).click();
  const file = join(folder, name);
  await (await download).saveAs(file);
  const judged = spawnSync(binary(), ['verify', '--json', file], { encoding: 'utf8' });
  assert.equal(judged.status, 1, judged.stdout + judged.stderr);
  await page.locator('.story a', { hasText: 'Check a log' }).click();
  await page.setInputFiles('#log-file', file);
  await page.waitForSelector('.notice.bad');
  return JSON.parse(judged.stdout)[0];
}

test('one of the bots cheats: chosen in the set-up, said at the table, caught, and the evidence convicts it', async () => {
  const { page, wrong, close } = await open();
  await page.evaluate(() => { location.hash = '#/new/matching-pennies'; });
  await page.locator('fieldset', { hasText: 'Bots' }).locator('button', { hasText: /^1$/ }).first().click();
  await page.locator('button', { hasText: 'one of them cheats' }).click();
  await page.waitForSelector('.notice:has-text("You are not told which one")');
  await page.locator('button', { hasText: 'Not at all' }).click();
  // So many throws that the bot is certain to dare.
  await page.locator('summary', { hasText: 'Options' }).click();
  await page.fill('#dial-throws', '100');
  await page.locator('#dial-throws').blur();
  await page.locator('.page .button.primary').click();
  await page.waitForSelector('.table .tag:has-text("Practice")');
  await playUntil(page, '.over', { seconds: 600 });
  const story = await page.locator('.story').innerText();
  assert.match(story, /cheated, and it is proved[\s\S]*turned over another side[\s\S]*practice table[\s\S]*What now/);
  const verdict = await evidence(page, 'pennies.log');
  assert.deepEqual([verdict.verdict, verdict.seat, verdict.check], ['fault', 1, 'opening']);
  // It stays labelled among the past games.
  await page.evaluate(() => { location.hash = '#/past'; });
  await page.waitForSelector('.list .tag:has-text("Practice")');
  assert.deepEqual(wrong, []);
  await close();
});

test('bots do not cheat where a friend may sit down', async () => {
  const { page, close } = await open();
  await page.evaluate(() => { location.hash = '#/new/poker'; });
  await page.waitForSelector('.choice');
  await page.locator('fieldset', { hasText: 'Bots' }).locator('button', { hasText: /^1$/ }).first().click();
  await page.waitForSelector('p:has-text("Seats for friends: 1")');
  assert.equal(await page.locator('button', { hasText: 'one of them cheats' }).count(), 0);
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
  await page.locator('button', { hasText: 'Make an invite' }).click();
  await page.waitForSelector('#invite-text');
  const cheat = spawn(binary(), ['join', await page.locator('#invite-text').inputValue(), '--cheat', 'own-card', '--name', 'Eve'], { stdio: 'ignore' });
  try {
    await page.waitForSelector('.compare');
    await page.locator('button:not(:disabled)', { hasText: 'Begin' }).click();
    await page.waitForSelector('.story');
    assert.match(await page.locator('.story').innerText(), /Eve cheated, and it is proved[\s\S]*not a shuffle of the deck before/);
    assert.equal(await page.locator('.table-top .tag', { hasText: 'Practice' }).count(), 0);
    const verdict = await evidence(page, 'poker.log');
    assert.deepEqual([verdict.verdict, verdict.seat, verdict.check], ['fault', 1, 'shuffle']);
  } finally {
    cheat.kill('SIGKILL');
  }
  assert.deepEqual(wrong, []);
  await close();
});
