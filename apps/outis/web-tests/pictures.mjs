// Makes a picture of every screen: node pictures.mjs [filter]. They are stored in pictures/.

import { mkdirSync } from 'node:fs';
import { launch } from './browser.mjs';
import { start } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { BAD_LOG, GOOD_LOG } from './scenes-meeting.mjs';

const filter = new RegExp(process.argv[2] || '.');
const SIZES = { phone: [360, 740], tablet: [768, 1024], desk: [1440, 900] };
const SCREENS = [['home', ''], ['new', 'new/tarokk'], ['new-zherotag', 'new/zherotag'], ['join', 'join'], ['open', 'open'], ['shelf', 'shelf'], ['shelf-game', `shelf/${GOOD_LOG}`], ['shelf-fault', `shelf/${BAD_LOG}`], ['ratings', 'ratings/tarokk'], ['settings', 'settings'], ['check', 'check'], ['practice', 'practice'], ['new-poker', 'new/poker'], ['new-chess', 'new/dark-chess'], ['past', 'past/tarokk-over'], ['rules', 'rules/tarokk'], ['bridge', 'bridge'], ['bridge-evening', 'bridge/evening/tuesday'], ['bridge-lesson', 'bridge/evening/lesson'], ['bridge-repair', 'bridge/repair/tuesday/7'], ['bridge-leak', 'bridge/leak'], ['bridge-seal', 'bridge/seal'], ['bridge-joint', 'bridge/joint'], ...Object.keys(TABLES).map((name) => [name, `table/${name}`])];
mkdirSync(new URL('pictures', import.meta.url), { recursive: true });
const browser = await launch();
for (const language of ['en', 'hu']) {
  for (const theme of ['dark', 'light']) {
    if ((language === 'hu') !== (theme === 'light') && !process.env.ALL) continue;
    const node = await start({ profile: { language, theme } });
    for (const [size, [width, height]] of Object.entries(SIZES)) {
      const page = await browser.newPage({ viewport: { width, height } });
      page.on('console', (message) => ['error', 'warning'].includes(message.type()) && console.log(`${size} ${message.text()}`));
      page.on('pageerror', (error) => console.log(`${size} ${error.stack}`));
      await page.goto(node.open);
      await page.waitForSelector('.tiles');
      for (const [name, path] of SCREENS) {
        const title = `${name}-${size}-${language}-${theme}`;
        if (!filter.test(title)) continue;
        await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
        await page.waitForTimeout(350);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) console.log(`${title}: ${wide} px too wide`);
        await page.screenshot({ path: new URL(`pictures/${title}.png`, import.meta.url).pathname, fullPage: true });
      }
      await page.close();
    }
    node.stop();
  }
}
await browser.close();
