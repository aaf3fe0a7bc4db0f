// Dark chess on the page: by mouse, by dragging, by keys, by typing; what it says to a screen reader; what it never sends.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { PATIENCE, launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { like, only, say } from './words.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

async function table(name, options = {}) {
  const node = await start({ profile: { language: 'en', prefs: options.prefs || {} } });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate((to) => { location.hash = `#/table/${to}`; }, name);
  await page.waitForSelector('.chess-board');
  const acts = () => node.asked.filter((one) => one.ask === 'act').map((one) => one.token);
  const whys = () => node.asked.filter((one) => one.ask === 'why').map((one) => one.token);
  const square = (at) => page.locator(`[data-square="${at}"]`);
  const settle = () => page.waitForTimeout(120);
  return { node, page, acts, whys, square, settle, close: async () => { await page.close(); node.stop(); } };
}

/** What a square says of itself. */
const at = (what, square, piece) => say(`page.chess.at.${what}`, { square, ...(piece ? { piece: say(`dark-chess.piece.${piece}`) } : {}) });

/** Waits until something holds: the page draws when it comes to it. */
async function holds(check) {
  for (const end = Date.now() + PATIENCE; ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => { setTimeout(done, 50); });
    }
  }
}

test('the board lies as boards lie: a dark square on the left, from either side', async () => {
  const { page, square, settle, close } = await table('dark-chess-start');
  const shades = () => Promise.all(['a1', 'h1', 'd1', 'e8', 'h8'].map((at) => square(at).evaluate((cell) => ['light', 'dark'].filter((shade) => cell.classList.contains(shade)).join())));
  assert.deepEqual(await shades(), ['dark', 'light', 'light', 'light', 'dark']);
  await page.getByRole('button', { name: say('page.chess.flip') }).click();
  await settle();
  assert.deepEqual(await shades(), ['dark', 'light', 'light', 'light', 'dark']);
  await close();
});

test('two clicks make a move, and targets are shown in between', async () => {
  const { page, acts, square, close } = await table('dark-chess-start');
  await square('e2').click();
  await page.waitForSelector('.square.target');
  assert.deepEqual(await page.locator('.square.target').evaluateAll((all) => all.map((one) => one.dataset.square).sort()), ['e3', 'e4']);
  await square('e4').click();
  await holds(() => assert.deepEqual(acts(), ['e2e4']));
  await close();
});

test('a move stands on the board while its proof is made', async () => {
  const { square, close } = await table('dark-chess-start');
  await square('g1').click();
  await square('f3').click();
  await holds(async () => assert.equal(await square('f3').getAttribute('aria-label'), at('own', 'f3', 'knight')));
  assert.equal(await square('g1').getAttribute('aria-label'), at('empty', 'g1'));
  await close();
});

test('a piece can be dragged', async () => {
  const { page, acts, square, close } = await table('dark-chess-start');
  await square('g1').hover();
  await page.mouse.down();
  const box = await square('f3').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
  assert.equal(await page.locator('.man.held').count(), 1);
  await page.mouse.up();
  await holds(() => assert.deepEqual(acts(), ['g1f3']));
  await close();
});

test('the whole board can be walked with arrow keys', async () => {
  const { page, acts, square, close } = await table('dark-chess-start');
  await square('e1').focus();
  for (const key of ['ArrowUp', 'ArrowLeft', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(50);
  }
  await holds(() => assert.deepEqual(acts(), ['d2d4']));
  await close();
});

test('what cannot be done is explained, not sent', async () => {
  const { acts, whys, square, close } = await table('dark-chess-start');
  await square('e2').click();
  await square('e6').click();
  await holds(() => assert.deepEqual(whys(), ['e2e6']));
  assert.deepEqual(acts(), []);
  await close();
});

test('a pawn on the last rank asks what it becomes', async () => {
  const { page, acts, square, close } = await table('dark-chess-promote');
  await square('a7').click();
  await square('b8').click();
  await page.locator('[data-becomes="n"]').click();
  await holds(() => assert.deepEqual(acts(), ['a7b8n']));
  await close();
});

test('a move can be typed', async () => {
  const { page, acts, close } = await table('dark-chess-start');
  await page.locator('#chess-typed').fill('D2-D4');
  await page.keyboard.press('Enter');
  await holds(() => assert.deepEqual(acts(), ['d2d4']));
  await close();
});

test('a move can be typed as the list writes it', async () => {
  for (const [text, token] of [['Nf3', 'g1f3'], ['e4', 'e2e4'], ['b1-c3', 'b1c3'], ['Nge2', 'nge2']]) {
    const { node, page, close } = await table('dark-chess-start');
    await page.fill('#chess-typed', text);
    await page.keyboard.press('Enter');
    await holds(() => assert.deepEqual(node.asked.filter((one) => ['act', 'why'].includes(one.ask)).map((one) => one.token), [token]));
    await close();
  }
});

test('giving up asks first', async () => {
  const { page, acts, settle, close } = await table('dark-chess-turn');
  await page.locator('[data-token="resign"]').click();
  await settle();
  assert.deepEqual(acts(), []);
  await page.locator('.confirm .button.primary').click();
  await holds(() => assert.deepEqual(acts(), ['resign']));
  await close();
});

test('nothing is sent before its turn; a premove is kept only if that was switched on', async () => {
  for (const premove of [false, true]) {
    const { page, acts, whys, square, settle, close } = await table('dark-chess-wait', { prefs: { premove } });
    await square('g2').click();
    await square('g3').click();
    await settle();
    assert.deepEqual([acts(), whys()], [[], []]);
    await holds(async () => assert.equal(await page.locator('.square.premove').count(), premove ? 2 : 0));
    if (premove) {
      assert.match(await square('g3').getAttribute('aria-label'), like('page.chess.premove.here'));
      // Taking back on a square where one's own piece stands now; a piece that cannot get there is only picked up.
      await square('f1').click();
      await square('c1').click();
      await holds(async () => assert.deepEqual(await page.locator('.square.premove').evaluateAll((all) => all.map((one) => one.dataset.square).sort()), ['c1', 'f1']));
      await square('f1').click();
      await square('h2').click();
      await page.waitForSelector('.square.selected[data-square="h2"]');
    }
    await page.getByRole('button', { name: say('page.chess.premove'), exact: true }).click();
    await holds(async () => assert.equal(await page.locator('.square.premove').count(), 0, 'whoever switches it off wants none'));
    await close();
  }
});

test('every square can be read: own, seen, felt, dark, remembered', async () => {
  const { square, close } = await table('dark-chess-wait');
  const label = (at) => square(at).getAttribute('aria-label');
  assert.equal(await label('g1'), at('own', 'g1', 'king'));
  assert.equal(await label('c5'), at('other', 'c5', 'bishop'));
  assert.equal(await label('e5'), at('blocked', 'e5'));
  assert.equal(await label('a8'), at('dark', 'a8'));
  const [there, ghost] = [at('dark', 'd7'), only('page.chess.ghost', { piece: say('dark-chess.piece.queen') })];
  assert.ok((await label('d7')).startsWith(`${there}, `));
  assert.match((await label('d7')).slice(there.length + 2), ghost);
  await close();
});

test('with clocks for the whole game both are shown; the one that runs and the one that is nearly over are marked', async () => {
  const { page, close } = await table('dark-chess-clocks');
  const clocks = await page.locator('.chess-strip .clock').evaluateAll((all) => all.map((one) => [one.textContent, one.classList.contains('runs'), one.classList.contains('short')]));
  assert.deepEqual(clocks[0], [`${say('page.clock.stands')} 1:30:00`, false, false]);
  const runs = `${say('page.clock.runs')} `;
  assert.ok(clocks[1][0].startsWith(runs));
  assert.match(clocks[1][0].slice(runs.length), /^0:(0\d|10)$/);
  assert.deepEqual(clocks[1].slice(1), [true, true]);
  assert.equal(await page.locator('.status .clock').count(), 0);
  await close();
});

test('the game that both have shown can be walked through with either eyes', async () => {
  const { page, square, close } = await table('dark-chess-over');
  assert.equal(await square('e8').getAttribute('aria-label'), at('white', 'e8', 'bishop'));
  await page.getByRole('button', { name: say('page.chess.black'), exact: true }).click();
  await page.locator('.replay-bar button').first().click();
  await holds(async () => assert.equal(await square('e1').getAttribute('aria-label'), at('dark', 'e1')));
  // Any move can be gone to.
  await page.getByRole('button', { name: 'Qh5', exact: true }).click();
  await page.getByRole('button', { name: say('page.chess.white'), exact: true }).click();
  await holds(async () => assert.equal(await square('h5').getAttribute('aria-label'), at('own', 'h5', 'queen')));
  await holds(async () => assert.equal(await page.locator('[aria-current="step"]').innerText(), 'Qh5'));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: say('page.chess.pgn') }).click();
  const pgn = readFileSync(await (await download).path(), 'utf8');
  assert.match(pgn, /^\[Event ".*"\]\n\[Site "\?"\]\n\[Date "[0-9.?]{10}"\]\n\[Round "-"\]\n\[White "Anna"\]\n\[Black "Béla"\]\n\[Result "1-0"\]\n/);
  await close();
});

test('a decided game is over before the question is answered: nobody has the turn, and leaving costs nothing', async () => {
  const { node, page, close } = await table('dark-chess-asked');
  await page.waitForSelector('.panel.over');
  const words = await page.locator('.table-main').innerText();
  for (const id of ['page.over.title', 'page.over.decided', 'page.status.question']) assert.ok(words.includes(say(id)), id);
  assert.deepEqual(await page.locator('.over .score-list li').allInnerTexts().then((all) => all.length), 2);
  assert.equal(await page.getByText(say('page.turn.yours'), { exact: true }).count(), 0);
  assert.equal(await page.locator('.status.yours').count(), 0);
  await page.getByRole('button', { name: say('page.table.leave'), exact: true }).click();
  await holds(() => assert.ok(node.asked.some((one) => one.ask === 'leave')));
  await close();
});
