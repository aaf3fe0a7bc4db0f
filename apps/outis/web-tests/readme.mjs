// Makes the pictures of the README with the real program: node readme.mjs. They are stored in docs/pictures.

import { fileURLToPath } from 'node:url';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { playUntil } from './play.mjs';
import { like, say } from './words.mjs';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const browser = await launch();
const node = await startNode();
const context = await browser.newContext({ viewport: { width: 1180, height: 900 }, locale: 'en-GB', colorScheme: 'dark', reducedMotion: 'reduce' });
const page = await context.newPage();
const shot = async (name) => {
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `${FOLDER}${name}.png` });
};
const go = async (path, wait) => {
  await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
  await page.waitForSelector(wait);
  await page.waitForTimeout(400);
};

await page.goto(node.open);
await page.waitForSelector('.tiles');
await page.evaluate(async () => {
  const { setProfile } = await import('/js/app.js');
  await setProfile({ name: 'Anna', theme: 'dark', language: 'en' });
});
await page.waitForTimeout(300);
await shot('home');

/** A table with bots; `wanted` are the options that differ from the defaults. */
const begin = (game, bots, wanted = {}) => page.evaluate(async ({ game, bots, wanted }) => {
  const { app, ask, go: to } = await import('/js/app.js');
  const dials = app.games.find((one) => one.game === game).dials.map((dial) => wanted[dial.name] ?? dial.usual);
  const answer = await ask('start', { game, dials, bots, pace: 'none' });
  to(`table/${answer.table}`);
}, { game, bots, wanted });

// The middle of a trick, with the fairness panel beside it.
await page.evaluate(async () => (await import('/js/app.js')).setPref('panel', true));
await begin('tarokk', [2, 2, 2]);
await playUntil(page, '.trick:not(.done) .laid:nth-child(3)', { seconds: 200 });
await page.waitForTimeout(500);
await shot('tarokk');
await page.locator('.fair-step summary', { hasText: like('tarokk.step.shuffle') }).first().click();
await page.waitForTimeout(300);
await page.locator('.side').screenshot({ path: `${FOLDER}fairness.png` });
await page.evaluate(async () => (await import('/js/app.js')).setPref('panel', false));

// Hold'em: calls until four cards are on the board and it is this player's turn.
await begin('poker', [2, 2, 2, 2, 2], { seats: 6, hands: 40 });
await page.evaluate(async () => (await import('/js/app.js')).setPref('pokerBefore', 1));
while (!((await page.locator('.pk-board .pk-up').count()) >= 4 && (await page.locator('.pk-bets [data-token]:not(:disabled)').count()))) {
  for (const selector of ['.confirm .primary', '[data-token="check"]', '[data-token="call"]', '[data-token="show"]', '[data-token="play"]']) {
    const found = page.locator(`${selector}:not(:disabled)`).first();
    if (await found.count()) await found.click({ timeout: 3000 }).catch(() => {});
  }
  await page.waitForTimeout(60);
}
await page.waitForTimeout(400);
await shot('poker');

// Dark chess: an opening that lets in some light.
await begin('dark-chess', [2], { white: 0 });
for (const [from, to] of ['e2e4', 'd2d4', 'g1f3', 'f1c4', 'b1c3', 'c1f4'].map((move) => [move.slice(0, 2), move.slice(2)])) {
  await page.waitForSelector('.table:has(.status.yours) .square.movable');
  await page.locator(`[data-square="${from}"]`).click();
  const target = page.locator(`[data-square="${to}"].target`);
  if (!(await target.count())) {
    await page.locator(`[data-square="${from}"]`).click(); // Nothing stays selected in the picture.
    break;
  }
  await target.click();
  await page.waitForTimeout(200);
}
await page.waitForSelector('.table:has(.status.yours) .square.movable');
await page.waitForTimeout(400);
await shot('dark-chess');

// ZheroTag: a few steps into the fog.
await begin('zherotag', [2], { grid: 16 });
for (const way of ['se', 'se', 'e', 'se']) {
  await page.locator(`.zt-arrow[data-token="${way}"]:not(:disabled)`).click();
  await page.waitForTimeout(500);
}
await page.waitForSelector('.zt-arrow:not(:disabled)');
await shot('zherotag');

// Bridge: a session, and its first sheet as the browser prints it.
await go('bridge', '#evening-title');
await page.fill('#evening-title', 'Tuesday pairs');
const made = page.waitForSelector('#records');
await page.locator('button', { hasText: say('page.bridge.make') }).click();
await made;
const [sheet] = await Promise.all([context.waitForEvent('page'), page.locator('button', { hasText: say('page.bridge.print') }).first().click()]);
await sheet.waitForTimeout(6000);
await sheet.screenshot({ path: `${FOLDER}bridge-sheet.png` });
await sheet.close();
await browser.close();
await node.stop();
