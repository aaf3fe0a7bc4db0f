// Correspondence games, and what the page says about a lobby, against a mock: one moment each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { OPEN } from './scenes-meeting.mjs';
import { like, only, say } from './words.mjs';

const DAY = 24 * 3600 * 1000;
let browser;

before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  stopAll();
});

async function page(node, route, width = 1100) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale: 'en-GB' });
  const shown = await context.newPage();
  await shown.goto(node.open);
  await shown.waitForSelector('.tiles');
  await shown.evaluate((to) => { location.hash = `#/${to}`; }, route);
  return shown;
}

/** A correspondence game that waits for the opponent. */
function byLetters(until, link = 'away') {
  const scene = Object.values(TABLES).find((one) => one.game === 'dark-chess' && one.me === 0 && one.phase === 'playing');
  const seats = scene.seats.map((seat) => (seat.seat === 0 ? seat : { ...seat, kind: 'peer', link, away: 12000 }));
  const expects = { what: 'turn', seats: [1], done: [], by_hand: true, yours: false, left: null, working: false };
  return { ...scene, table: 'letters', seats, expects, actions: [], days: 3, until, decided: false };
}

test('by letters the page says until when the other has time, and offers to stop waiting only then', async () => {
  const until = Date.now() + 2 * DAY;
  let node = await start({ more: { letters: byLetters(until) } });
  let shown = await page(node, 'table/letters', 360);
  await shown.getByText(say('page.letters.plain', { n: 3 })).waitFor();
  await shown.getByText(like('page.letters.theirs', { who: 'Béla' })).waitFor();
  await shown.getByText(say('page.letters.note')).waitFor();
  assert.equal(await shown.getByText(say('page.absent.stop')).count(), 0);
  assert.equal(await shown.getByText(like('page.link.away.for')).count(), 0, 'nobody is expected to be here');
  assert.ok(await shown.getByText(only('page.link.letters')).count());
  assert.ok(await shown.evaluate(() => document.documentElement.scrollWidth <= 360));
  if (process.env.PICTURES) await shown.screenshot({ path: `${process.env.PICTURES}/letters-360.png` });

  for (const scene of [byLetters(Date.now() - DAY), byLetters(until, 'left')]) {
    node = await start({ more: { letters: scene } });
    shown = await page(node, 'table/letters');
    await shown.getByRole('button', { name: say('page.absent.stop') }).click();
    if (process.env.PICTURES) await shown.screenshot({ path: `${process.env.PICTURES}/letters-${scene.seats[1].link}.png` });
    for (let tries = 0; tries < 600 && !node.asked.some((one) => one.ask === 'wait'); tries += 1) await shown.waitForTimeout(100);
    assert.ok(node.asked.some((one) => one.ask === 'wait' && one.table === 'letters'));
  }

  // This player's turn: this player's time.
  const own = { ...byLetters(until), expects: { what: 'turn', seats: [0], done: [], by_hand: true, yours: true, left: null, working: false } };
  shown = await page(await start({ more: { letters: own } }), 'table/letters');
  await shown.getByText(like('page.letters.yours')).waitFor();
});

test('what a code finds is shown beside the code, and so is that it finds nothing', async () => {
  const code = { text: 'club evening', answered: true, found: 1 };
  let shown = await page(await start({ open: { ...OPEN, code } }), 'open', 360);
  await shown.locator('#found-tables li', { hasText: say('page.open.sit') }).waitFor();
  assert.equal(await shown.locator('#open-tables li', { hasText: say('page.open.private') }).count(), 0, 'not two panels higher');
  await shown.locator('#found').scrollIntoViewIfNeeded();
  if (process.env.PICTURES) await shown.screenshot({ path: `${process.env.PICTURES}/code-360.png` });
  const tables = OPEN.tables.filter((one) => !one.private);
  shown = await page(await start({ open: { ...OPEN, tables, code: { ...code, found: 0 } } }), 'open');
  await shown.getByText(say('page.open.found.none')).waitFor();
  shown = await page(await start({ open: { ...OPEN, tables, code: { ...code, answered: false, found: 0 } } }), 'open');
  await shown.getByText(like('page.open.finding')).waitFor();
});

test('a table whose seats are all taken is not about to hang', async () => {
  const full = { ...TABLES.gathering, table: 'full', host: true, ready: true, seats: TABLES.gathering.seats.map((seat) => (seat.kind === 'open' ? { ...seat, kind: 'peer', name: 'Béla', ready: true } : seat)) };
  const open = { ...OPEN, posted: [{ table: 'full', days: null, code: null, hangs: false }] };
  const shown = await page(await start({ open, more: { full } }), 'table/full');
  await shown.getByText(say('page.open.full')).waitFor();
  assert.equal(await shown.getByText(say('page.open.hanging')).count() + await shown.getByText(say('page.open.down')).count(), 0);
});

test('whoever looks at a table that was given up is taken to the one that was found', async () => {
  const open = { ...OPEN, moved: { given: 'gathering' } };
  const shown = await page(await start({ open }), 'table/given');
  await shown.waitForURL(/#\/table\/gathering$/);
  await shown.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await shown.getByText(say('page.table.missing')).count(), 0);
});

test('a shelf that is not reached says so, and the tag of the own name stays whole', async () => {
  const away = { ...OPEN, phase: 'away', name: null, people: null, why: { id: 'node.error.lobby.silent' } };
  let shown = await page(await start({ open: away }), 'shelf');
  await shown.getByText(say('page.shelf.away')).waitFor();
  assert.equal(await shown.getByText(say('page.shelf.loading')).count(), 0);
  shown = await page(await start(), 'shelf', 360);
  await shown.locator('#shelf-games li').first().waitFor();
  const heights = await shown.locator('.person .whole').evaluateAll((tags) => tags.map((tag) => tag.getBoundingClientRect().height / parseFloat(getComputedStyle(tag).fontSize)));
  assert.ok(heights.length > 0 && heights.every((lines) => lines < 2), String(heights));
  if (process.env.PICTURES) await shown.screenshot({ path: `${process.env.PICTURES}/shelf-360.png` });
});
