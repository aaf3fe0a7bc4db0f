// Dark chess on the page: by mouse, by dragging, by keys, by typing; what a screen reader reads; what the page never sends.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { PATIENCE, launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { like, only, say } from './words.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

async function table(name, { language = 'en', replays, ...options } = {}) {
  const node = await start({ profile: { language, prefs: options.prefs || {} }, replays });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate((to) => { location.hash = `#/table/${to}`; }, name);
  await page.waitForSelector('.chess-board');
  const acts = () => node.asked.filter((one) => one.ask === 'act').map((one) => one.token);
  const whys = () => node.asked.filter((one) => one.ask === 'why').map((one) => one.token);
  const square = (at) => page.locator(`[data-square="${at}"]`);
  const settle = () => page.waitForTimeout(120);
  /** The next state of the table. */
  const next = ({ view, ...more }) => node.tell({ tell: 'table', ...TABLES[name], round: TABLES[name].round + 1, ...more, view: { ...TABLES[name].view, ...view } });
  return { node, page, next, acts, whys, square, settle, close: async () => { await page.close(); node.stop(); } };
}

/** The label of a square. */
const at = (what, square, piece) => say(`page.chess.at.${what}`, { square, ...(piece ? { piece: say(`dark-chess.piece.${piece}`) } : {}) });

/** Waits until a condition holds: the page draws in its own time. */
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
  for (const [text, token, language = 'en'] of [['Nf3', 'g1f3'], ['e4', 'e2e4'], ['b1-c3', 'b1c3'], ['Nge2', 'Nge2'], ['Hf3', 'Hf3'], ['Hf3', 'g1f3', 'hu'], ['Nc3', 'b1c3', 'hu'], ['Bc3', 'Bc3', 'hu'], ['B1c3', 'B1c3'], ['B1C3', 'b1c3']]) {
    const { node, page, close } = await table('dark-chess-start', { language });
    await page.fill('#chess-typed', text);
    await page.keyboard.press('Enter');
    await holds(() => assert.deepEqual(node.asked.filter((one) => ['act', 'why'].includes(one.ask)).map((one) => one.token), [token]));
    await close();
  }
});

test('a pawn that takes is typed with its file, and a promotion in the letters of the language', async () => {
  const board = ['########', 'P#######', '########', '########', '###p####', '##P#####', '########', '####K###'];
  const actions = ['c3d4', 'c3c4', 'a7a8q', 'a7a8r', 'a7a8b', 'a7a8n'].map((token) => ({ token, caption: { id: 'dark-chess.do.resign' }, caution: [] }));
  for (const [text, token, language] of [['d4', 'd4', 'en'], ['cxd4', 'c3d4', 'en'], ['c4', 'c3c4', 'en'], ['a8=B', 'a7a8b', 'en'], ['a8=B', 'a7a8r', 'hu'], ['a8=V', 'a7a8q', 'hu'], ['a8F', 'a7a8b', 'hu']]) {
    const { node, page, next, close } = await table('dark-chess-start', { language });
    await next({ actions, view: { board } });
    await page.waitForTimeout(120);
    await page.fill('#chess-typed', text);
    await page.keyboard.press('Enter');
    await holds(() => assert.deepEqual(node.asked.filter((one) => ['act', 'why'].includes(one.ask)).map((one) => one.token), [token], `${language} ${text}`));
    await close();
  }
});

test('moves are listed in the letters of the language', async () => {
  for (const [language, own, shown] of [['en', ['Bxe8', 'Qh5'], ['Qh5', 'Nc6', 'Bxe8']], ['hu', ['Fxe8', 'Vh5'], ['Vh5', 'Hc6', 'Fxe8']]]) {
    for (const [name, moves] of [['dark-chess-asked', own], ['dark-chess-over', shown]]) {
      const { page, close } = await table(name, { language });
      const listed = await page.locator('.chess-moves .written').allInnerTexts();
      for (const move of moves) assert.ok(listed.includes(move), `${name} ${language}: ${listed.join()}`);
      await close();
    }
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
      // A recapture on a square where the player's own piece is now; a piece that cannot get there is only selected.
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
  // Any move can be selected.
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

/** A board with different marks on some squares. */
const set = (rows, marks) => rows.map((row, n) => [...row].map((mark, file) => marks[`${'abcdefgh'[file]}${8 - n}`] ?? mark).join(''));

test('while a piece is dragged the squares that it reaches are marked, and it lands without flying again', async () => {
  const { page, acts, square, close } = await table('dark-chess-start');
  await page.evaluate(() => {
    globalThis.flights = 0;
    const plain = Element.prototype.animate;
    Element.prototype.animate = function animate(...all) {
      globalThis.flights += 1;
      return plain.apply(this, all);
    };
  });
  await square('g1').hover();
  await page.mouse.down();
  const box = await square('f3').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
  await holds(async () => assert.deepEqual(await page.locator('.square.target').evaluateAll((all) => all.map((one) => one.dataset.square).sort()), ['f3', 'h3']));
  assert.equal(await page.locator('.man.held').count(), 1, 'it is still in the hand');
  await page.mouse.up();
  await holds(() => assert.deepEqual(acts(), ['g1f3']));
  assert.equal(await page.evaluate(() => globalThis.flights), 0);
  await close();
  // With clicks it is animated.
  const other = await table('dark-chess-start');
  await other.square('g1').click();
  await other.square('f3').click();
  await holds(async () => assert.equal(await other.page.locator('[data-square="f3"] .man').getAttribute('data-move'), 'man-N-g1'));
  await other.close();
});

test('what a pawn becomes is asked on its square, at every size, by mouse and by keys', async () => {
  for (const [width, height] of [[1280, 720], [1440, 900], [390, 844], [844, 390]]) {
    const { page, square, close } = await table('dark-chess-promote', { viewport: { width, height } });
    await square('a7').click();
    await square('b8').click();
    const queen = await page.locator('[data-becomes="q"]').boundingBox();
    const there = await square('b8').boundingBox();
    assert.ok(Math.abs(queen.x - there.x) < 3 && Math.abs(queen.y - there.y) < 3, `${width}: ${JSON.stringify([queen, there])}`);
    for (const letter of 'qnrb') {
      const one = await page.locator(`[data-becomes="${letter}"]`).boundingBox();
      assert.ok(one.x >= 0 && one.x + one.width <= width && one.y >= 0 && one.y + one.height <= height, `${letter} at ${width}`);
    }
    await close();
  }
  const { page, acts, square, close } = await table('dark-chess-promote');
  await square('a7').click();
  await square('b8').click();
  await page.waitForSelector('[data-becomes="q"]:focus');
  await page.keyboard.press('Escape');
  await page.locator('.promotion').waitFor({ state: 'detached' });
  await page.waitForSelector('[data-square="a7"]:focus');
  await square('a7').click();
  await square('b8').click();
  await page.waitForSelector('[data-becomes="q"]:focus');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await holds(() => assert.deepEqual(acts(), ['a7b8n']));
  await close();
});

test('a move of the other that was seen is marked, as far as it was seen', async () => {
  const { view } = TABLES['dark-chess-wait'];
  const { page, square, next, close } = await table('dark-chess-wait');
  assert.equal(await page.locator('.square.seen').count(), 0);
  // The bishop on c5 moves to a square that was visible and empty.
  const empty = ['d6', 'b6', 'd4', 'b4', 'e3', 'a3'].find((one) => view.board[8 - one[1]]['abcdefgh'.indexOf(one[0])] === '.');
  const ply = { by: 'black', move: null, text: null, takes: null };
  await next({ view: { board: set(view.board, { c5: '.', [empty]: 'b' }), plies: [...view.plies, ply], turn: 'white' } });
  await holds(async () => assert.deepEqual(await page.locator('.square.seen').evaluateAll((all) => all.map((one) => one.dataset.square).sort()), ['c5', empty].sort()));
  assert.match(await square(empty).getAttribute('aria-label'), like('page.chess.seen'));
  await next({ view: { board: set(view.board, { c5: '.', [empty]: 'b' }), plies: [...view.plies, ply, { by: 'white', move: 'g2g3', text: 'g3', takes: null }] } });
  await holds(async () => assert.equal(await page.locator('.square.seen').count(), 0, 'until the next move'));
  await close();
});

test('a memory goes when the piece is accounted for', async () => {
  const { view } = TABLES['dark-chess-wait'];
  const { page, square, next, close } = await table('dark-chess-wait');
  assert.match(await square('d7').getAttribute('aria-label'), like('page.chess.ghost', { piece: say('dark-chess.piece.queen') }));
  await next({ view: { taken: { ...view.taken, black: [...view.taken.black, 'q'] } } });
  await holds(async () => assert.equal(await square('d7').getAttribute('aria-label'), at('dark', 'd7')));
  // Or when it is seen elsewhere.
  await next({ view: {} });
  await holds(async () => assert.notEqual(await square('d7').getAttribute('aria-label'), at('dark', 'd7')));
  await next({ view: { board: set(view.board, { c5: 'q' }) } });
  await holds(async () => assert.equal(await square('d7').getAttribute('aria-label'), at('dark', 'd7')));
  await close();
});

test('the right button draws arrows and circles, a click wipes them, and nobody is told', async () => {
  const { node, page, square, close } = await table('dark-chess-start');
  const told = () => node.asked.filter((one) => one.table !== undefined).map((one) => one.ask);
  const asked = told();
  const middle = async (name) => {
    const box = await square(name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await middle('e2'));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...await middle('e4'), { steps: 3 });
  await page.mouse.up({ button: 'right' });
  await square('d5').click({ button: 'right' });
  const drawn = () => Promise.all(['line', 'polygon', 'circle'].map((one) => page.locator(`.chess-drawn ${one}`).count()));
  await holds(async () => assert.deepEqual(await drawn(), [1, 1, 1]));
  // From the other side it points the same way.
  const line = async () => page.locator('.chess-drawn line').evaluate((one) => Number(one.getAttribute('y2')) - Number(one.getAttribute('y1')));
  assert.ok(await line() < 0);
  await page.keyboard.press('f');
  await holds(async () => assert.ok(await line() > 0));
  // The same again removes it.
  await square('d5').click({ button: 'right' });
  await holds(async () => assert.deepEqual(await drawn(), [1, 1, 0]));
  assert.deepEqual(told(), asked);
  await square('d5').click();
  await page.locator('.chess-drawn').waitFor({ state: 'detached' });
  await close();
});

test('a click while the proof is made is kept, and played when its turn comes', async () => {
  const { view, actions } = TABLES['dark-chess-start'];
  const { page, square, next, acts, close } = await table('dark-chess-start');
  await square('e2').click();
  await square('e4').click();
  await holds(() => assert.deepEqual(acts(), ['e2e4']));
  // The node has not answered: the piece is picked up, then the state of the table changes, then the piece is put down.
  await square('g1').click();
  const board = set(view.board, { e2: '.', e4: 'P' });
  const plies = [{ by: 'white', move: 'e2e4', text: 'e4', takes: null }];
  const waits = { what: 'turn', seats: [1], done: [], by_hand: true, yours: false, left: null, working: false };
  await next({ round: 40, actions: [], expects: waits, view: { board, plies, turn: 'black' } });
  await page.waitForSelector('.square.selected[data-square="g1"]');
  await square('f3').click();
  await holds(async () => assert.equal(await page.locator('.square.premove').count(), 2));
  assert.deepEqual(acts(), ['e2e4']);
  await next({ round: 42, actions, view: { board, plies: [...plies, { by: 'black', move: null, text: null, takes: null }], turn: 'white' } });
  await holds(() => assert.deepEqual(acts(), ['e2e4', 'g1f3']));
  await close();
});

test('the first move can be chosen while the table is being set up; a move behind one that was refused is not played', async () => {
  const { expects, actions } = TABLES['dark-chess-start'];
  const { page, square, next, acts, close } = await table('dark-chess-start');
  await next({ round: 30, actions: [], expects: { ...expects, yours: false, seats: [1], by_hand: false } });
  await page.locator('.chess-board').waitFor();
  await holds(async () => assert.match(await page.locator('.status').innerText(), /./));
  await page.waitForTimeout(150);
  await square('e2').click();
  await square('e3').click();
  await holds(async () => assert.equal(await page.locator('.square.premove').count(), 2));
  await next({ round: 31, actions });
  await holds(() => assert.deepEqual(acts(), ['e2e3']));
  await square('g1').click();
  await square('f3').click();
  await holds(async () => assert.equal(await page.locator('.square.premove').count(), 2));
  // The table is as before: the first of the two moves did not happen.
  await next({ round: 32, actions });
  await holds(async () => assert.equal(await page.locator('.square.premove').count(), 0));
  await page.waitForTimeout(150);
  assert.deepEqual(acts(), ['e2e3']);
  await close();
});

test('the board has three coats, and the choice is kept', async () => {
  const { node, page, square, close } = await table('dark-chess-turn');
  const colour = () => square('e5').evaluate((one) => getComputedStyle(one).backgroundColor);
  const seen = new Set([await colour()]);
  for (const name of ['green', 'slate']) {
    await page.locator(`button[data-board="${name}"]`).click();
    await page.waitForSelector(`.dark-chess[data-board="${name}"] .chess-board`);
    seen.add(await colour());
  }
  assert.equal(seen.size, 3);
  assert.equal(node.asked.filter((one) => one.ask === 'profile').at(-1).prefs.board, 'slate');
  await close();
});

test('whose time is nearly over is warned once', async () => {
  const { page, next, close } = await table('dark-chess-clocks');
  const warned = () => page.locator('#live p', { hasText: like('page.clock.low', { n: 20 }) }).count();
  await holds(async () => assert.equal(await warned(), 1));
  await next({ clocks: { left: [8000, 5400000], runs: 0 }, expects: { ...TABLES['dark-chess-clocks'].expects, left: 8000 } });
  await page.waitForTimeout(1200);
  assert.equal(await warned(), 1);
  await close();
});

test('the square below a dragged piece is marked until it is put down', async () => {
  const { page, square, acts, close } = await table('dark-chess-start');
  await square('g1').hover();
  await page.mouse.down();
  for (const name of ['f2', 'f3']) {
    const box = await square(name).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
    await holds(async () => assert.deepEqual(await page.locator('.square.below').evaluateAll((all) => all.map((one) => one.dataset.square)), [name]));
  }
  await page.mouse.up();
  await holds(() => assert.deepEqual(acts(), ['g1f3']));
  assert.equal(await page.locator('.square.below').count(), 0);
  await close();
});

test('drawings have three colours: the same one again removes, another one replaces', async () => {
  const { page, square, close } = await table('dark-chess-start');
  const circles = () => page.locator('.chess-drawn circle').evaluateAll((all) => all.map((one) => one.getAttribute('class')));
  await square('d5').click({ button: 'right' });
  await holds(async () => assert.deepEqual(await circles(), ['green']));
  await square('d5').click({ button: 'right', modifiers: ['Shift'] });
  await holds(async () => assert.deepEqual(await circles(), ['red']));
  await square('e5').click({ button: 'right', modifiers: ['Alt'] });
  await holds(async () => assert.deepEqual(await circles(), ['red', 'blue']));
  await square('d5').click({ button: 'right', modifiers: ['Shift'] });
  await holds(async () => assert.deepEqual(await circles(), ['blue']));
  await close();
});

test('moves are listed from the first to the last, the last is in sight, and a capture shows what was captured', async () => {
  for (const language of ['en', 'hu']) {
    const { page, close } = await table('dark-chess-turn', { language });
    const numbers = await page.locator('.chess-moves th[scope="row"]').allInnerTexts();
    assert.deepEqual(numbers.map((one) => parseInt(one, 10)), numbers.map((_, n) => n + 1));
    const [box, last] = [await page.locator('.chess-moves-box').boundingBox(), await page.locator('.chess-moves tbody tr').last().boundingBox()];
    assert.ok(last.y >= box.y - 1 && last.y + last.height <= box.y + box.height + 1, JSON.stringify([box, last]));
    const taken = page.locator('.chess-moves .takes').first();
    assert.equal(await taken.locator('.piece.black').count(), 1, 'White captured a black piece');
    assert.match(await taken.locator('.visually-hidden').innerText(), like('page.chess.heard.takes', {}, language));
    await close();
  }
});

test('M goes to the field for typed moves', async () => {
  const { page, acts, close } = await table('dark-chess-start');
  await page.keyboard.press('m');
  await page.keyboard.type('Nf3');
  await page.keyboard.press('Enter');
  await holds(() => assert.deepEqual(acts(), ['g1f3']));
  await close();
});

test('who is ahead is said beside the captured pieces, and the review counts up to the move that is shown', async () => {
  const { page, close } = await table('dark-chess-wait');
  const ahead = () => page.locator('.chess-strip').evaluateAll((all) => all.map((one) => one.querySelector('.ahead')?.textContent ?? ''));
  assert.deepEqual(await ahead(), ['+8', '']);
  assert.match(await page.locator('.chess-strip .lost').first().getAttribute('aria-label'), /, \+8$/);
  await close();
  const other = await table('dark-chess-over');
  assert.deepEqual(await other.page.locator('.chess-strip .seat-name').allInnerTexts(), ['Anna', 'Béla']);
  const taken = () => other.page.locator('.chess-strip .lost .piece').count();
  assert.equal(await taken(), 2);
  await other.page.locator('.replay-bar button').first().click();
  await holds(async () => assert.equal(await taken(), 0));
  await other.close();
});

test('earlier positions can be looked at during the game; the next move returns to it', async () => {
  const { view } = TABLES['dark-chess-wait'];
  const count = view.plies.length;
  // The node knows what was seen before this page was opened: here a board with nothing but fog.
  const dark = { ...view, board: Array(8).fill('########'), plies: view.plies.slice(0, 3) };
  for (const language of ['en', 'hu']) {
    const { node, page, next, acts, square, close } = await table('dark-chess-wait', { language, replays: { 'dark-chess-wait': { me: 0, pictures: [{ round: 3, lines: [], view: dark }] } } });
    const label = (name) => square(name).getAttribute('aria-label');
    const ply = { by: 'black', move: null, text: null, takes: null };
    await next({ view: { board: set(view.board, { c5: '.' }), plies: [...view.plies, ply], turn: 'white' } });
    await holds(async () => assert.ok((await label('c5')).startsWith(say('page.chess.at.empty', { square: 'c5' }, language))));
    const before = say('page.chess.at.other', { square: 'c5', piece: say('dark-chess.piece.bishop', {}, language) }, language);
    await page.keyboard.press('PageUp');
    await holds(async () => assert.equal(await label('c5'), before));
    assert.match(await page.locator('.chess-back').innerText(), like('page.chess.back', { n: Math.ceil(count / 2) }, language));
    // This is a picture: nothing can be moved on it.
    await square('g2').click();
    await square('g3').click();
    assert.equal(await page.locator('.square.selected, .square.premove').count(), 0);
    await page.keyboard.press('Escape');
    await holds(async () => assert.ok((await label('c5')).startsWith(say('page.chess.at.empty', { square: 'c5' }, language))));
    // By the list; what this page has not seen, it asks for once.
    await page.locator('.chess-moves .ply').nth(2).click();
    await holds(async () => assert.equal(await label('a1'), say('page.chess.at.dark', { square: 'a1' }, language)));
    assert.equal(await page.locator('.ply[aria-current="step"]').count(), 1);
    assert.equal(node.asked.filter((one) => one.ask === 'replay').length, 1);
    await next({ view: { plies: [...view.plies, ply, { by: 'white', move: 'g2g3', text: 'g3', takes: null }] } });
    await holds(async () => assert.equal(await label('c5'), before, 'the game goes on, and is shown'));
    assert.deepEqual(acts(), []);
    await close();
  }
});

test('headings do not skip a level', async () => {
  for (const name of ['dark-chess-turn', 'dark-chess-over']) {
    const { page, close } = await table(name);
    const levels = await page.locator('main :is(h1, h2, h3)').evaluateAll((all) => all.map((one) => Number(one.tagName[1])));
    assert.equal(levels[0], 1);
    levels.slice(1).forEach((level, n) => assert.ok(level <= levels[n] + 1, `${name}: ${levels}`));
    await close();
  }
});
