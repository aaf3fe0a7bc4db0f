// Two people at one device: one player's side reaches the page only after the other has covered the device and its owner has taken it. Also
// the other ways into a table: bots to watch, and a grade to choose.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { like, say } from './words.mjs';


let browser;
let node;
before(async () => {
  browser = await launch();
  node = await startNode();
});
after(async () => {
  await browser?.close();
  await node?.stop();
});

/** A page; `sides` are the states of tables that it received, in order, and its requests in between. */
async function open() {
  const context = await browser.newContext({ viewport: { width: 1200, height: 850 }, locale: 'en-GB' });
  const page = await context.newPage();
  const wrong = [];
  const sides = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.stack));
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(payload);
      if (message.tell === 'table') sides.push({ holder: message.hand?.holder ?? null, me: message.view ? message.view.me : null, shown: Boolean(message.view || message.lines.length || message.actions.length) });
      if (message.tell === 'news') sides.push({ news: true });
    });
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(payload);
      if (['take', 'cover'].includes(message.ask)) sides.push({ ask: message.ask, seat: message.seat });
    });
  });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return { page, wrong, sides, close: () => context.close() };
}

/** In what the page receives, a side is shown only from the moment its owner takes the device until it is covered again. */
function check(sides, over) {
  let may = null;
  for (const side of sides.slice(0, over)) {
    if (side.ask === 'take') may = side.seat;
    if (side.ask || side.news) {
      if (side.news) assert.notEqual(may, null, 'news while nobody holds the device');
      continue;
    }
    if (side.shown) {
      assert.equal(side.holder, may, JSON.stringify(sides));
      assert.equal(side.me, may, JSON.stringify(sides));
    }
  }
}

async function hotSeat(page, game, { options = {} } = {}) {
  await page.evaluate((to) => { location.hash = `#/new/${to}`; }, game);
  await page.getByRole('button', { name: say('page.new.where.here') }).click();
  await page.fill('#person-1', 'Anna');
  await page.fill('#person-2', 'Béla <b>');
  if (Object.keys(options).length) await page.locator('summary', { hasText: say('page.new.options') }).click();
  for (const [name, value] of Object.entries(options)) {
    await page.fill(`#dial-${name}`, String(value));
    await page.locator(`#dial-${name}`).press('Tab');
  }
  await page.getByRole('button', { name: say('page.new.here.begin'), exact: true }).click();
  await page.waitForSelector('.cover');
}

test('two people play ZheroTag at one device, and neither side is shown to the other', async () => {
  const { page, wrong, sides, close } = await open();
  await hotSeat(page, 'zherotag', { options: { grid: 4, limit: 4 } });
  assert.equal(await page.locator('[data-take]').count(), 2);
  for (let turn = 0; turn < 4; turn++) {
    const seat = turn % 2;
    // The next player has the first button.
    await page.locator(`.cover .primary[data-take="${seat}"]`).click();
    await page.waitForSelector('.zherotag');
    assert.equal(await page.locator('.cover').count(), 0);
    assert.match(await page.locator('.seat.own .seat-name').innerText(), seat ? /Béla <b>/ : /Anna/);
    assert.equal(await page.locator('[data-panel]').count(), 2, 'nobody needs to chat');
    // Both stay in their own corner: the first goes down and up, the second up and down.
    await page.locator(`.zt-arrow[data-token="${['s', 'n', 'n', 's'][turn]}"]`).click();
    if (turn === 3) break;
    await page.waitForSelector('.hand-bar.next');
    await page.locator('[data-cover]').click();
    await page.waitForSelector('.cover');
    assert.equal(await page.locator('.zherotag, .side, .lines').count(), 0, 'nothing of the board is left');
    assert.equal(await page.locator('#live').innerText(), '', 'nor of what was read out');
    // No key reads it out again.
    for (const key of ['s', 't', 'o', 'l', 'h']) await page.keyboard.press(key);
    await page.waitForTimeout(150);
    assert.equal(await page.locator('#live').innerText(), '', 'nor of what can be asked for');
    // No key uncovers by accident.
    await page.waitForSelector('h2:focus');
  }
  await page.waitForSelector('.over');
  check(sides, sides.findLastIndex((side) => side.ask === 'take') + 1);
  assert.ok(sides.filter((side) => side.ask === 'take').length === 4);
  // Now both sides may be shown, here and in the replay.
  await page.locator('.hand-bar').getByRole('button', { name: 'Béla <b>' }).click();
  await page.waitForSelector('.hand-bar button[aria-pressed="true"]:has-text("Béla")');
  await page.locator('.over a', { hasText: say('page.over.replay') }).click();
  await page.waitForSelector('.replay');
  await page.getByRole('button', { name: 'Béla <b>' }).click();
  await page.waitForSelector('.choice button[aria-pressed="true"]:has-text("Béla")');
  assert.deepEqual(wrong, []);
  await close();
});

test('matching pennies at one device: the second does not see what the first chose; a reloaded page stays covered', async () => {
  const { page, wrong, sides, close } = await open();
  await hotSeat(page, 'matching-pennies', { options: { throws: 1 } });
  await page.reload();
  await page.waitForSelector('.cover');
  for (const seat of [0, 1]) {
    await page.locator(`.cover [data-take="${seat}"]`).click();
    await page.locator('.actions .button').first().click();
    if (seat) break;
    await page.waitForSelector('.hand-bar.next');
    await page.locator('[data-cover]').click();
    await page.waitForSelector('.cover');
  }
  await page.waitForSelector('.over');
  const last = sides.findLastIndex((side) => side.ask === 'take');
  const shown = sides.slice(0, last).filter((side) => side.shown);
  assert.ok(shown.length > 0 && shown.every((side) => side.holder === 0), JSON.stringify(sides));
  assert.deepEqual(wrong, []);
  await close();
});

test('bots can be watched, and a grade can be chosen', async () => {
  const { page, wrong, close } = await open();
  await page.evaluate(() => { location.hash = '#/new/zherotag'; });
  await page.getByRole('button', { name: say('page.grade.classic') }).click();
  await page.locator('.notice', { hasText: say('zherotag.grade.classic') }).waitFor();
  await page.locator('summary', { hasText: say('page.new.options') }).click();
  await page.fill('#dial-limit', '8');
  await page.locator('#dial-limit').press('Tab');
  await page.getByRole('button', { name: say('page.new.where.bots') }).click();
  await page.getByRole('button', { name: say('page.pace.none') }).click();
  await page.getByRole('button', { name: say('page.new.watch') }).click();
  await page.waitForSelector('.hand-bar');
  assert.match(await page.locator('.hand-bar').innerText(), like('page.hand.watch'));
  assert.equal(await page.locator('.zt-compass').count(), 0, 'there is nothing to press');
  await page.waitForSelector('.over');
  assert.equal(await page.locator('.table-top .tag').innerText(), say('page.grade.classic'));
  await page.locator('[data-panel="fairness"]').click();
  await page.locator('.side', { hasText: say('zherotag.grade.classic') }).waitFor();
  // A game without grades offers none.
  await page.evaluate(() => { location.hash = '#/new/matching-pennies'; });
  await page.getByRole('button', { name: say('page.new.watch') }).waitFor();
  assert.equal(await page.getByRole('button', { name: say('page.grade.classic') }).count(), 0);
  assert.deepEqual(wrong, []);
  await close();
});
