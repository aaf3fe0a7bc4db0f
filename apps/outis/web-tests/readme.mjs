// Makes the pictures of the README with the real program: node readme.mjs. They land in docs/pictures.

import { fileURLToPath } from 'node:url';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { playUntil } from './play.mjs';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const browser = await launch();
const node = await startNode();
const context = await browser.newContext({ viewport: { width: 1180, height: 800 }, locale: 'en-GB', colorScheme: 'dark', reducedMotion: 'reduce' });
const page = await context.newPage();
const shot = (name, options = {}) => page.screenshot({ path: `${FOLDER}${name}.png`, ...options });
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

// A trick in the middle, with the fairness panel beside it.
await page.evaluate(async () => {
  const { app, ask, go: to } = await import('/js/app.js');
  const dials = app.games.find((game) => game.game === 'tarokk').dials.map((dial) => dial.usual);
  const answer = await ask('start', { game: 'tarokk', dials, bots: [2, 2, 2], pace: 'none' });
  to(`table/${answer.table}`);
});
await playUntil(page, '.trick:not(.done) .laid:nth-child(3)', { seconds: 200 });
await page.waitForTimeout(500);
await shot('tarokk');
await page.locator('.fair-step summary', { hasText: 'huffl' }).first().click();
await page.waitForTimeout(300);
await page.locator('.side').screenshot({ path: `${FOLDER}fairness.png` });

// Bridge: an evening, and its first sheet as the browser prints it.
await go('bridge', '#evening-title');
await page.fill('#evening-title', 'Tuesday pairs');
const made = page.waitForSelector('#records');
await page.locator('button', { hasText: 'Make the sheets' }).click();
await made;
const [sheet] = await Promise.all([context.waitForEvent('page'), page.locator('button', { hasText: 'Open to print' }).first().click()]);
await sheet.waitForTimeout(6000);
await sheet.screenshot({ path: `${FOLDER}bridge-sheet.png` });
await sheet.close();
await browser.close();
await node.stop();
