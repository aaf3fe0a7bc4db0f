// Two programs, two browsers, one invite. One program is killed in the middle of the game and comes back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { playUntil } from './play.mjs';

let browser;
const nodes = [];
before(async () => {
  browser = await launch();
  nodes.push(await startNode(), await startNode());
});
after(async () => {
  await browser?.close();
  for (const node of nodes) await node.stop();
});

async function open(node) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 850 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return page;
}

test('an invite brings two people to a table; one killed with -9 in mid-game comes back; a second use is refused', async () => {
  const [host, guest] = nodes;
  const here = await open(host);
  let there = await open(guest);

  // The host opens a table for two people and a bot, and reads the invite.
  await here.evaluate(() => { location.hash = '#/new/high-card'; });
  await here.waitForSelector('fieldset').catch(async () => assert.fail(`no options: ${await here.locator('body').innerText()}`));
  await here.locator('fieldset button', { hasText: /^1$/ }).first().click();
  await here.locator('button', { hasText: 'Open the table and invite' }).click();
  await here.waitForSelector('#invite-text, button:has-text("Make an invite")');
  if (!(await here.locator('#invite-text').count())) await here.locator('button', { hasText: 'Make an invite' }).click();
  await here.waitForSelector('#invite-text');
  const invite = await here.locator('#invite-text').inputValue();
  assert.match(invite, /^outis1/);

  // The friend pastes it. Both read the same words.
  await there.fill('#invite', invite);
  await there.keyboard.press('Enter');
  await there.waitForSelector('.compare');
  await here.waitForSelector('.compare');
  assert.equal(await there.locator('.compare .code').first().innerText(), await here.locator('.compare .code').first().innerText());

  await here.locator('button', { hasText: 'Begin' }).click();
  await Promise.all([here.waitForSelector('.high-card'), there.waitForSelector('.high-card')]);
  const table = there.url().split('#')[1];

  // The guest's program dies, and comes back on the same profile.
  await guest.kill();
  await there.context().close();
  await guest.again();
  there = await open(guest);
  await there.evaluate((path) => { location.hash = path; }, table);
  await Promise.all([playUntil(here, '.over', { seconds: 120 }), playUntil(there, '.over', { seconds: 120 })]);
  for (const page of [here, there]) assert.match(await page.locator('.over').innerText(), /The game is over/);

  // The invite is used up: a stranger who got hold of it is refused, and the host is told.
  nodes.push(await startNode());
  const stranger = await open(nodes[2]);
  await stranger.fill('#invite', invite);
  await stranger.keyboard.press('Enter');
  await stranger.waitForSelector('.toast.bad');
  assert.match(await stranger.locator('.toast.bad').first().innerText(), /already been used|full/);
});
