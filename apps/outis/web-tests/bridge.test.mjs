// The page's bridge tools with the real program: a session as a club would run it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { like, only, say } from './words.mjs';

// One suit each: easy to type, and quickly solved.
const SUITED = '1 N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432\n';

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

async function open(options = {}, at = node) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, locale: 'en-GB', acceptDownloads: true, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.stack));
  await page.goto(at.open);
  await page.waitForSelector('.tiles');
  await page.evaluate(() => { location.hash = '#/bridge'; });
  await page.waitForSelector('#evening-title');
  return { page, wrong, close: () => context.close() };
}

/** Presses a button that saves a file; returns its bytes and name. */
async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { bytes: readFileSync(await download.path()), name: download.suggestedFilename() };
}

const section = (page, heading) => page.locator('section.panel', { has: page.locator('h2', { hasText: say(heading) }) });

async function given(page, text, title) {
  await page.locator('button', { hasText: only('page.bridge.kind.given') }).click();
  await page.fill('#deals-text', text);
  await page.fill('#evening-title', title);
  await page.locator('button', { hasText: say('page.bridge.make.given') }).click();
  await page.waitForSelector('#records');
}

test('an evening: sheets to print, curtain cards, records, and the seal that binds them', async () => {
  const { page, wrong, close } = await open();
  await page.fill('#evening-title', 'Tuesday <b>pairs</b>');
  await page.fill('#boards', '3');
  await page.locator('button', { hasText: only('page.bridge.mover.third') }).click();
  await page.locator('button', { hasText: only('page.bridge.piles.least') }).click();
  await page.locator('button', { hasText: say('page.bridge.make') }).click();
  await page.waitForSelector('#records');
  assert.equal(await page.locator('h1').innerText(), 'Tuesday <b>pairs</b>');

  // For printing: a window with the PDF itself, at an address without a token.
  const shown = page.context().waitForEvent('page');
  const answered = page.context().waitForEvent('response', (response) => response.url().includes('/once/'));
  await section(page, 'page.bridge.sheets').locator('button', { hasText: say('page.bridge.print') }).click();
  const [popup, answer] = await Promise.all([shown, answered]);
  assert.match(answer.url(), /\/once\/[0-9a-f]{32}\/sheets\.pdf$/);
  assert.equal(answer.headers()['content-type'], 'application/pdf');
  await popup.close();

  const sheets = await saved(page, () => section(page, 'page.bridge.sheets').locator('button', { hasText: say('page.bridge.format.txt') }).click());
  assert.equal(sheets.name, 'tuesday-bpairsb-sheets.txt');
  assert.match(sheets.bytes.toString(), /Tuesday <b>pairs<\/b>/);
  assert.equal(sheets.bytes.toString().match(/^Board \d +\[ \] +1 → /gm).length, 3, 'the sheet of the third person');
  const curtains = await saved(page, () => section(page, 'page.bridge.curtains').locator('button', { hasText: say('page.bridge.format.pdf') }).click());
  assert.equal(curtains.bytes.subarray(0, 4).toString(), '%PDF');

  const slips = await saved(page, () => section(page, 'page.bridge.sorting').locator('button', { hasText: say('page.bridge.format.txt') }).click());
  assert.equal(slips.bytes.toString().match(/^\[ \] Board \d/gm).length, 3);

  // Makeable contracts, with a count while it runs.
  await page.locator('button', { hasText: like('page.bridge.solve') }).click();
  await page.waitForSelector('#records .tag.good');
  const html = await saved(page, () => section(page, 'page.bridge.records').locator('button', { hasText: say('page.bridge.format.html') }).click());
  assert.match(html.bytes.toString(), /<article>[\s\S]*Makes|Makeable/);
  const pbn = await saved(page, () => section(page, 'page.bridge.records').locator('button', { hasText: say('page.bridge.format.pbn') }).click());
  assert.equal(pbn.bytes.toString().match(/\[DoubleDummyTricks /g).length, 3);

  // The seal matches these records and no others.
  await page.locator('summary', { hasText: say('page.bridge.seal.show') }).click();
  const seal = await page.locator('.seal').innerText();
  await page.evaluate(() => { location.hash = '#/bridge/seal'; });
  await page.setInputFiles('#records-file', { name: 'r.pbn', mimeType: 'text/plain', buffer: pbn.bytes });
  await page.fill('#seal-digits', seal);
  await page.locator('button', { hasText: only('page.bridge.seal.go') }).click();
  await page.waitForSelector('.notice.good');
  await page.fill('#seal-digits', seal.replace(/^./, (digit) => (digit === '0' ? '1' : '0')));
  await page.locator('button', { hasText: only('page.bridge.seal.go') }).click();
  await page.waitForSelector('.notice.bad');
  assert.deepEqual(wrong, []);
  await close();
});

test('a fouled board is mended on a phone, hand by hand, and the record amended', async () => {
  const { page, wrong, close } = await open({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await given(page, SUITED, 'Lesson');
  await page.locator('a', { hasText: say('page.bridge.check.go') }).tap();
  await page.waitForSelector('.suit-keys');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  const small = await page.evaluate(() => [...document.querySelectorAll('.key')].map((key) => key.getBoundingClientRect()).filter((box) => box.height < 44 || box.width < 30).length);
  assert.equal(small, 0, 'keys for thumbs');
  const hold = async (seat, suit) => {
    await page.locator('.hand-tabs button', { hasText: say(`page.bridge.seat.${seat}`) }).tap();
    for (const rank of 'AKQJT98765432') await page.locator(`[data-card="${suit}${rank}"]`).tap();
  };
  // North holds the hearts: the reason could be a wrong pocket or a wrong order of suits.
  await hold('N', 'H');
  await page.locator('button', { hasText: say('page.bridge.look.go') }).tap();
  await page.waitForSelector('.finding');
  assert.match(await page.locator('.finding').innerText(), like('page.bridge.finding.look'));
  await hold('E', 'S');
  await hold('S', 'D');
  await hold('W', 'C');
  await page.locator('button', { hasText: say('page.bridge.look.go') }).tap();
  await page.waitForSelector('.finding button');
  await page.locator('button', { hasText: say('page.bridge.mark.played.go') }).tap();
  await page.waitForSelector('#records');
  assert.match(await page.locator('.list li').first().innerText(), like('page.bridge.board', { board: 1 }));
  const lin = await saved(page, () => section(page, 'page.bridge.records').locator('button', { hasText: say('page.bridge.format.pbn') }).click());
  assert.match(lin.bytes.toString(), /\[Deal "N:\.AKQJT98765432\.\. AKQJT98765432\.\.\. /);
  await page.locator('button', { hasText: say('page.bridge.undo') }).tap();
  await page.waitForSelector('.panel .list li', { state: 'detached' });
  assert.deepEqual(wrong, []);
  await close();
});

test('deals that cannot be read are refused with line and reason; a long computation is stopped', async () => {
  const { page, close } = await open();
  await page.locator('button', { hasText: only('page.bridge.kind.given') }).click();
  await page.fill('#deals-text', `${SUITED}2 N:AK.QJ. x y z`);
  await page.locator('button', { hasText: say('page.bridge.make.given') }).click();
  await page.waitForSelector('.toast.bad');
  assert.match(await page.locator('.toast.bad').innerText(), like('node.error.bridge.line', { line: 2 }));
  await page.locator('button', { hasText: only('page.bridge.kind.random') }).click();
  await page.fill('#boards', '200');
  await page.locator('button', { hasText: say('page.bridge.make') }).click();
  await page.waitForSelector('#records');
  await page.locator('button', { hasText: like('page.bridge.solve') }).click();
  await page.waitForSelector('progress');
  await page.locator('button', { hasText: only('page.bridge.stop') }).click();
  await page.waitForSelector('progress', { state: 'detached' });
  assert.match(await page.locator('#records').innerText(), like('page.bridge.solve'));
  await close();
});

test('an evening is timed', async () => {
  const { page, wrong, close } = await open();
  await page.locator('a.tool', { hasText: say('page.bridge.time') }).click();
  await page.fill('#time-measured', '25');
  await page.locator('button', { hasText: only('page.leak.go') }).click();
  const rows = page.locator('.times tr');
  await rows.nth(9).waitFor();
  assert.deepEqual(await rows.nth(9).locator('td').allInnerTexts(), ['3.1 s']);
  assert.deepEqual(await rows.nth(8).locator('td').allInnerTexts(), ['15.0 min']);
  assert.deepEqual(wrong, []);
  await close();
});

test('the leak plot is computed and shown, in Hungarian too; evenings outlive the program', async () => {
  const { page, wrong, close } = await open({ locale: 'hu-HU' });
  await page.evaluate(() => { location.hash = '#/bridge/leak'; });
  await page.locator('button', { hasText: /20 000|20\s?000/ }).first().click();
  await page.locator('button', { hasText: say('page.leak.go', {}, 'hu') }).click();
  await page.waitForSelector('.plot');
  assert.ok(await page.locator('.plot').evaluate((image) => image.decode().then(() => image.naturalWidth)) > 0);
  await page.locator('.leak-table').nth(8).waitFor();
  // Eight figures at eight ends; the last card is worth more than the first.
  await page.locator('.ends summary').click();
  await page.locator('.end-table').nth(7).waitFor();
  const points = await page.locator('.end-table', { hasText: say('page.leak.end.points', {}, 'hu') }).locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.children[3].textContent));
  assert.deepEqual([points.length, points[0], points[7]], [8, '9,49', '10,94']);
  // The largest leak of the paper's scheme is one that it does not name.
  const told = await page.locator('.patterns').nth(2).locator('li').first().innerText();
  assert.match(told, /^Kéz, szomszédos helyek száma: \d/);
  const plot = await saved(page, () => page.locator('button', { hasText: say('page.bridge.format.svg', {}, 'hu') }).click());
  assert.match(plot.bytes.toString(), /a második osztás lapja/);
  assert.deepEqual(wrong, []);
  await close();

  await node.kill();
  await node.again();
  const again = await open();
  await again.page.locator('.list li').nth(2).waitFor();
  await again.page.locator('.list li', { hasText: 'Tuesday' }).locator('a').click();
  await again.page.waitForSelector('#records .tag.good');
  await again.page.locator('button', { hasText: say('page.bridge.forget') }).click();
  await again.page.locator('button', { hasText: say('page.bridge.forget.sure') }).click();
  await again.page.waitForSelector('#evening-title');
  await again.page.locator('.list li', { hasText: 'Tuesday' }).waitFor({ state: 'detached' });
  await again.close();
});
