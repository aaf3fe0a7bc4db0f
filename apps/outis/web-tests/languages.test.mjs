// No English word in Hungarian, and vice versa: what the real program and its page show in one language is searched for words that only the
// other one has. This finds sentences that the node sends as plain text, and ids without a sentence.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { playUntil } from './play.mjs';
import { templates, words } from './words.mjs';

const SCREENS = ['', 'new/tarokk', 'new/poker', 'new/zherotag', 'new/dark-chess', 'new/high-card', 'new/matching-pennies', 'join', 'open', 'settings', 'check', 'past', 'practice', 'rules/zherotag', 'rules/poker', 'rules/tarokk', 'rules/dark-chess', 'rules/high-card', 'bridge', 'bridge/repair', 'bridge/leak', 'bridge/seal', 'bridge/joint'];

const OTHER = { en: 'hu', hu: 'en' };

/** The words of a text, as the language's catalogue would spell them. Ids, commands and numbers do not count. */
const spelled = (text) => text.toLowerCase().match(/(?<![\p{L}\p{N}_./-])\p{L}+(?:[’-]\p{L}+)*(?![\p{L}\p{N}_/]|[.-]\p{L})/gu) ?? [];

/** The words of a language's catalogue, without arguments and without quoted code. */
const vocabulary = (language) => new Set(Object.values(words(language)).flatMap(templates).flatMap((template) => spelled(template.replace(/\{[a-z_]+\}/g, ' '))));
const KNOWN = { en: vocabulary('en'), hu: vocabulary('hu') };

/** The words of a text that belong only to the other language. */
const foreign = (text, language) => spelled(text).filter((word) => word.length > 1 && KNOWN[OTHER[language]].has(word) && !KNOWN[language].has(word));

/** In the page: everything that is read or heard, except names of people and text that is typed or in its own language. */
function shown() {
  const texts = [document.title];
  const apart = '.code, code, bdi, kbd, noscript, time, textarea, script, style, [lang]:not(html)';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(apart)) texts.push(walker.currentNode.data);
  for (const node of document.body.querySelectorAll('[aria-label], [title], [alt], [placeholder]')) {
    if (!node.closest(apart)) for (const name of ['aria-label', 'title', 'alt', 'placeholder']) texts.push(node.getAttribute(name) || '');
  }
  return texts.map((text) => text.trim()).filter(Boolean);
}

test('a word of the other language is found, a name of both is not', () => {
  assert.deepEqual(foreign('Várj, the proof is being made.', 'hu'), ['the', 'proof', 'being', 'made']);
  assert.deepEqual(foreign('The lapok are dealt.', 'en'), ['lapok']);
  assert.deepEqual(foreign('Póker, tarokk, Outis – outis1.abc, node.error.table, --profile', 'hu'), []);
});

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

for (const language of ['hu', 'en']) {
  test(`every screen and a while at every table, in ${language}: no word of the other language`, async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, locale: language === 'hu' ? 'hu-HU' : 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(node.open);
    await page.waitForSelector('.tiles');
    const names = new Set();
    await page.evaluate(async (to) => { const { ask } = await import('/js/app.js'); await ask('profile', { language: to, name: 'Qwx' }); }, language);
    await page.waitForSelector(`html[lang="${language}"]`);
    const found = [];
    let read = 0;
    const look = async (where) => {
      const texts = await page.evaluate(shown);
      read += texts.length;
      for (const text of texts) {
        const plain = [...names].reduce((rest, name) => rest.replaceAll(name, ' '), text);
        const strange = foreign(plain, language);
        if (strange.length) found.push(`${where}: “${text.slice(0, 90)}”: ${strange.join(', ')}`);
      }
    };
    for (const path of SCREENS) {
      await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
      await page.waitForTimeout(120);
      await page.evaluate(() => document.querySelectorAll('details:not([open])').forEach((one) => { one.open = true; }));
      await look(path || 'home');
    }
    const games = await page.evaluate(async () => (await import('/js/app.js')).app.games.map(({ game, usual_seats: seats }) => ({ game, seats })));
    for (const { game, seats } of games) {
      const id = await page.evaluate(async ([name, bots]) => {
        const { ask, go } = await import('/js/app.js');
        const answer = await ask('start', { game: name, bots, pace: 'none' });
        go(`table/${answer.table}`);
        return answer.table;
      }, [game, Array.from({ length: seats - 1 }, () => 1)]);
      await page.waitForSelector('.table');
      const people = await page.evaluate(async (at) => (await import('/js/app.js')).app.at.get(at)?.now?.seats.map((seat) => seat.name) ?? [], id);
      people.forEach((name) => names.add(name));
      for (let turn = 0; turn < 3; turn += 1) {
        await playUntil(page, '.over', { seconds: 2 }).catch(() => {});
        await look(`${game} at the table`);
        if (await page.locator('.over').count()) break;
      }
      await page.keyboard.press('?');
      await look(`${game} keys`);
      await page.keyboard.press('Escape');
    }
    assert.ok(read > 10 * SCREENS.length, `only ${read} texts were read`);
    assert.deepEqual([...new Set(found)], []);
    await context.close();
  });
}
