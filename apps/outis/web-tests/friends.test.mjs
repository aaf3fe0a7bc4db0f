// Two programs, two browsers, one invite. One program is killed in the middle of the game and restarted.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { makeInvite, startNode } from './node.mjs';
import { playUntil } from './play.mjs';
import { like, say } from './words.mjs';

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

/** Waits for both; if one cannot continue, the error also reports what the other shows. */
async function together(...people) {
  const stuck = (await Promise.allSettled(people)).filter((one) => one.status === 'rejected');
  if (stuck.length) throw new Error(stuck.map((one) => one.reason.message).join('\n--- and the other:\n'));
}

/** The friend pastes it. Both read the same safety words. */
async function meet(here, there, invite) {
  await there.fill('#invite', invite);
  await there.keyboard.press('Enter');
  await there.waitForSelector('.compare');
  await here.waitForSelector('.compare');
  assert.equal(await there.locator('.compare .code').first().innerText(), await here.locator('.compare .code').first().innerText());
  await here.locator('button', { hasText: say('page.gather.begin') }).click();
}

test('an invite brings two people to a table; one killed with -9 in mid-game comes back; a second use is refused; they play again', async () => {
  const [host, guest] = nodes;
  const here = await open(host);
  let there = await open(guest);

  // The host opens a table for two people and a bot.
  await here.evaluate(() => { location.hash = '#/new/high-card'; });
  await here.locator('fieldset button', { hasText: /^1$/ }).first().click();
  await here.locator('button', { hasText: say('page.new.invite') }).click();
  const invite = await makeInvite(here);
  assert.match(invite, /\noutis1\./);

  // Neither a reloaded page nor a restarted program forgets it.
  await host.kill();
  await host.again();
  await here.goto(host.open);
  await here.waitForSelector('.tiles');
  await here.locator('a', { hasText: say('page.home.tables.go') }).first().click();
  await here.waitForSelector('#invite-text');
  // Its port may have been taken meanwhile: then the code ends in another address. What comes before is host, secret and promise.
  const kept = await here.locator('#invite-text').inputValue();
  const first = (text) => text.slice(0, text.indexOf('\noutis1.') + '\noutis1.'.length + 112);
  assert.equal(first(kept), first(invite));
  await here.locator('summary', { hasText: say('page.gather.code') }).click();
  assert.ok((await here.locator('.qr path').getAttribute('d')).length > 500);

  await meet(here, there, kept);
  await Promise.all([here.waitForSelector('.high-card'), there.waitForSelector('.high-card')]);
  const table = there.url().split('#')[1];

  // The guest's program dies, and restarts with the same profile.
  await guest.kill();
  await there.context().close();
  await guest.again();
  there = await open(guest);
  await there.evaluate((path) => { location.hash = path; }, table);
  await together(playUntil(here, '.over', { seconds: 300 }), playUntil(there, '.over', { seconds: 300 }));
  for (const page of [here, there]) assert.match(await page.locator('.over').innerText(), like('page.over.title'));

  // The invite is used up: someone else who got hold of it is refused, and the host is notified.
  nodes.push(await startNode());
  const stranger = await open(nodes[2]);
  await stranger.fill('#invite', kept);
  await stranger.keyboard.press('Enter');
  await stranger.waitForSelector('.toast.bad');
  const refused = await stranger.locator('.toast.bad').first().innerText();
  assert.ok(['used', 'full'].some((why) => like(`node.error.invite.${why}`).test(refused)), refused);
  await stranger.context().close();

  // The guest asks for another game and the host agrees: no invite is needed.
  await there.locator('.over button', { hasText: say('page.over.again') }).click();
  await there.getByText(say('page.gather.again')).waitFor();
  await here.locator('.over p', { hasText: like('page.over.wanted') }).waitFor();
  await here.locator('.over button', { hasText: say('page.over.again') }).click();
  await here.locator('button:not(:disabled)', { hasText: say('page.gather.begin') }).click();
  await Promise.all([here.waitForSelector('.high-card'), there.waitForSelector('.high-card')]);
  await together(playUntil(here, '.over', { seconds: 300 }), playUntil(there, '.over', { seconds: 300 }));
  await here.context().close();
  await there.context().close();
});

test('a deal of tarokk with a friend whose program is killed with -9 in the middle of a trick', async () => {
  const [host, guest] = nodes;
  const here = await open(host);
  let there = await open(guest);
  await here.evaluate(async () => {
    const { app, ask, go } = await import('/js/app.js');
    const dials = app.games.find((game) => game.game === 'tarokk').dials.map((dial) => (dial.name === 'deals' ? 1 : dial.usual));
    const answer = await ask('start', { game: 'tarokk', dials, bots: [1, 1], pace: 'none' });
    go(`table/${answer.table}`);
  });
  await meet(here, there, await makeInvite(here));
  const hosting = playUntil(here, '.over', { seconds: 600 });
  hosting.catch(() => {});
  await playUntil(there, '.trick:not(.done) .laid', { seconds: 500 });
  const table = there.url().split('#')[1];
  await guest.kill();
  await there.context().close();
  await guest.again();
  there = await open(guest);
  await there.evaluate((path) => { location.hash = path; }, table);
  await there.waitForSelector('.table');
  await together(hosting, playUntil(there, '.over', { seconds: 600 }));
  const scores = (page) => page.evaluate(async () => {
    const { app } = await import('/js/app.js');
    return [...app.at.values()].at(-1).now;
  });
  const [ours, theirs] = [await scores(here), await scores(there)];
  assert.equal(ours.report.end, 'finished');
  assert.deepEqual([ours.scores, ours.head], [theirs.scores, theirs.head]);
});
