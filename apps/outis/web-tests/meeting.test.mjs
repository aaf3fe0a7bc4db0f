// A lobby, two programs, two browsers: one player lists a table, the other takes a seat, and they play.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { binary, startNode } from './node.mjs';
import { like, only, say } from './words.mjs';

let browser;
let place;
const nodes = [];

/** Starts a lobby; returns its address. */
async function startPlace() {
  const data = mkdtempSync(join(tmpdir(), 'outis-lobby-'));
  const child = spawn(binary(), ['lobby', '--name', 'Our <b>club</b>', '--no-relay', '--data', data], { stdio: ['ignore', 'pipe', 'ignore'] });
  const text = await new Promise((done, fail) => {
    let said = '';
    child.stdout.on('data', (more) => {
      said += more;
      const found = said.match(/outislobby1\.\S+/);
      if (found) done(found[0]);
    });
    child.on('exit', (code) => fail(new Error(`the lobby ended with ${code}: ${said}`)));
  });
  const stop = () => new Promise((done) => {
    child.removeAllListeners('exit');
    child.on('exit', () => {
      rmSync(data, { recursive: true, force: true });
      done();
    });
    child.kill('SIGKILL');
  });
  return { text, stop };
}

before(async () => {
  browser = await launch();
  place = await startPlace();
  nodes.push(await startNode(), await startNode());
});
after(async () => {
  await browser?.close();
  for (const node of nodes) await node.stop();
  await place?.stop();
});

/** Opens the page and enters a name and the lobby in the settings. */
async function arrive(node, name) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 850 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  if (name) {
    await page.evaluate(() => { location.hash = '#/settings'; });
    await page.fill('#name', name);
    await page.keyboard.press('Enter');
    await page.getByText(say('page.settings.saved')).first().waitFor();
  }
  await page.evaluate(() => { location.hash = '#/open'; });
  await page.fill('#lobby', place.text);
  await page.keyboard.press('Enter');
  await page.waitForSelector('h2#board');
  // The name of a lobby is plain text, whatever it looks like.
  await page.getByText('Our <b>club</b>').first().waitFor();
  return page;
}

test('a table on the board, a stranger who sits down, and a game; an address that is none is said', async () => {
  const [host, guest] = nodes;
  const here = await arrive(host, '<i>Anna</i>');
  const there = await arrive(guest);
  // Players who are present can be seen; their names are plain text.
  const seen = there.locator('#who li', { hasText: '<i>Anna</i>' });
  for (let tries = 0; tries < 60 && !(await seen.count()); tries += 1) {
    await there.locator('#who summary').click();
    await there.waitForTimeout(1000);
  }
  assert.equal(await seen.count(), 1);

  await here.evaluate(() => { location.hash = '#/new/matching-pennies'; });
  await here.locator('button', { hasText: say('page.new.invite') }).click();
  await here.locator('button', { hasText: only('page.open.hang') }).click();
  await here.locator('.tag.good', { hasText: only('page.open.hangs') }).waitFor();

  await there.locator('#open-tables button', { hasText: say('page.open.sit') }).first().click();
  await there.waitForSelector('.compare');
  await here.waitForSelector('.compare');
  assert.equal(await there.locator('.compare .code').first().innerText(), await here.locator('.compare .code').first().innerText());
  await here.locator('button', { hasText: say('page.gather.begin') }).click();
  await Promise.all([here, there].map((page) => page.waitForSelector('.penny-place')));

  // Removed automatically, and nothing is left in the list.
  const look = await there.context().newPage();
  await look.goto(guest.open);
  await look.waitForSelector('.tiles');
  await look.evaluate(() => { location.hash = '#/open'; });
  await look.waitForSelector('h2#board');
  await look.locator('#open-tables').waitFor({ state: 'detached' });

  await look.fill('#lobby', 'outislobby1.nothing');
  await look.keyboard.press('Enter');
  await look.getByText(say('node.error.lobby.address')).first().waitFor();
  // The line as printed is a valid address.
  await look.fill('#lobby', `lobby: ${place.text}`);
  await look.keyboard.press('Enter');
  await look.getByText(say('page.settings.saved')).first().waitFor();
});

test('a quick match takes the page to the table where one was seated', async () => {
  const [host, guest] = nodes;
  const here = await arrive(host);
  const there = await arrive(guest);
  await here.evaluate(() => { location.hash = '#/new/matching-pennies'; });
  await here.locator('button', { hasText: say('page.new.invite') }).click();
  await here.locator('button', { hasText: only('page.open.hang') }).click();
  await here.locator('.tag.good', { hasText: only('page.open.hangs') }).waitFor();

  await there.selectOption('#quick', 'matching-pennies');
  await there.evaluate(() => {
    globalThis.went = [];
    addEventListener('hashchange', () => globalThis.went.push(location.hash));
  });
  await there.locator('button', { hasText: say('page.open.quick') }).click();
  await there.waitForSelector('.compare');
  const [own, found] = await there.evaluate(() => globalThis.went);
  assert.ok(own.startsWith('#/table/') && found.startsWith('#/table/') && own !== found, 'from the table that was given up to the other');
  await there.locator('#live', { hasText: say('node.notice.seated', { who: '<i>Anna</i>' }) }).waitFor({ state: 'attached' });
  await here.locator('#live', { hasText: like('node.notice.came') }).waitFor({ state: 'attached' });
  await here.getByText(say('page.open.full')).waitFor();
  if (process.env.PICTURES) {
    await there.screenshot({ path: `${process.env.PICTURES}/quick-guest.png` });
    await here.screenshot({ path: `${process.env.PICTURES}/quick-host.png` });
  }
  await here.locator('button', { hasText: say('page.gather.begin') }).click();
  await Promise.all([here, there].map((shown) => shown.waitForSelector('.penny-place')));

  // The old address leads there too.
  const again = await there.context().newPage();
  await again.goto(guest.open);
  await again.waitForSelector('.tiles');
  await again.evaluate((hash) => { location.hash = hash; }, own);
  await again.waitForSelector('.penny-place');
  await again.evaluate((hash) => { location.hash = hash; location.reload(); }, own);
  await again.waitForSelector('.penny-place');
});
