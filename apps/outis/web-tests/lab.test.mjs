// The laboratory, with the real program: an attack succeeds against what was published and fails against ours, step by step.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { say } from './words.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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

async function open(language, viewport = { width: 1280, height: 850 }) {
  const context = await browser.newContext({ viewport, locale: language });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.stack));
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return { page, wrong, close: () => context.close() };
}

/** No fault that axe finds, nothing wider than the screen, no id or placeholder in place of words. */
async function sound(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes[0].html}`), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
  assert.doesNotMatch(await page.locator('main').innerText(), /\{\w+\}|\blab\.[a-z]/);
}

for (const [language, locale, viewport] of [['en', 'en-GB', undefined], ['hu', 'hu-HU', { width: 390, height: 844 }]]) {
  test(`an attack succeeds as published and fails as repaired, by keyboard (${language})`, async () => {
    const { page, wrong, close } = await open(locale, viewport);
    await page.locator('a[href="#/lab"]').click();
    await page.locator('a[href="#/lab/zherotag-invisible"]').waitFor();
    assert.ok(await page.locator('.lab-list a').count() >= 9);
    await sound(page);
    await page.locator('a[href="#/lab/zherotag-invisible"]').click();
    await page.locator('.lab-step').waitFor();
    await page.getByText(say('lab.zherotag-invisible.ask', { who: 'Anna' }, language)).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('.lab-parties .new', { hasText: say('lab.zherotag-invisible.answer-bela', {}, language) }).waitFor();
    assert.equal(await page.locator('.notice').count(), 0, 'the end is not told before it is there');
    await page.keyboard.press('End');
    await page.locator('.notice.bad-words', { hasText: say('lab.zherotag-invisible.published', {}, language) }).waitFor();
    await sound(page);
    await page.getByRole('button', { name: say('page.lab.repaired', {}, language) }).click();
    await page.getByText(say('lab.zherotag-invisible.ask', { who: 'Anna' }, language)).waitFor();
    await page.keyboard.press('End');
    await page.locator('.notice.good-words', { hasText: say('lab.zherotag-invisible.repaired', {}, language) }).waitFor();
    assert.deepEqual(wrong, []);
    await close();
  });
}

test('every experiment runs to its end in every version', async () => {
  const { page, wrong, close } = await open('en-GB');
  await page.evaluate(() => { location.hash = '#/lab'; });
  await page.locator('.lab-list a').first().waitFor();
  const links = await page.locator('.lab-list a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  for (const link of links) {
    await page.evaluate((to) => { location.hash = to; }, link);
    await page.locator(`.lab-step[data-run^="${link.slice('#/lab/'.length)}/"]`).waitFor();
    for (const version of ['published', 'repaired']) {
      const pressed = page.getByRole('button', { name: say(`page.lab.${version}`) });
      if (await pressed.count()) await pressed.click();
      else if (version === 'published') continue;
      await page.locator(`.lab-step[data-run="${link.slice('#/lab/'.length)}/${version}"]`).waitFor();
      await page.keyboard.press('End');
      await page.locator('.notice').waitFor();
    }
  }
  assert.deepEqual(wrong, []);
  await close();
});
