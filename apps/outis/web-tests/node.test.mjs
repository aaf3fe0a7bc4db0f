// The page and the real program: whole games against bots, the log, and addresses that must stay closed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { PATIENCE, launch } from './browser.mjs';
import { proof } from './mock.mjs';
import { startNode } from './node.mjs';
import { playUntil } from './play.mjs';
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

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.stack));
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return { page, wrong, close: () => context.close() };
}

/** Opens a table with bots that act at once. */
async function table(page, game, seats, dials) {
  const id = await page.evaluate(async ([name, bots, choices]) => {
    const { ask, go } = await import('/js/app.js');
    const answer = await ask('start', { game: name, bots, pace: 'none', ...(choices ? { dials: choices } : {}) });
    go(`table/${answer.table}`);
    return answer.table;
  }, [game, Array.from({ length: seats - 1 }, () => 1), dials]);
  await page.waitForSelector('.table');
  return id;
}

test('matching pennies to the end, by clicks', async () => {
  const { page, wrong, close } = await open();
  await page.locator('.tile', { hasText: say('matching-pennies.name') }).locator('.primary').click();
  const did = await playUntil(page, '.over', { seconds: 300 });
  assert.equal(did.length, 5);
  assert.deepEqual(wrong, []);
  await close();
});

test('high card to the end with the keyboard alone; the saved log is in order, and one changed byte is seen', async () => {
  const { page, wrong, close } = await open({ acceptDownloads: true });
  await table(page, 'high-card', 3);
  await playUntil(page, '.over', { way: 'keyboard', seconds: 300 });
  const download = page.waitForEvent('download');
  await page.locator('.over button', { hasText: say('page.table.export') }).click();
  const file = join(tmpdir(), `outis-web-${process.pid}.log`);
  await (await download).saveAs(file);
  await page.evaluate(() => { location.hash = '#/check'; });
  await page.setInputFiles('#log-file', file);
  await page.waitForSelector('.notice.good');
  assert.match(await page.locator('.notice.good').innerText(), like('page.verdict.finished'));
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length / 2)] ^= 1;
  await page.setInputFiles('#log-file', { name: 'changed.log', mimeType: 'application/octet-stream', buffer: bytes });
  await page.waitForSelector('.notice.bad');
  assert.deepEqual(wrong, []);
  await close();
});

/** One move of a person who takes the first opportunity: a movable piece, and a square that it reaches. */
async function chessMove(page, from, to) {
  await page.waitForSelector('.table:has(.status.yours) .square.movable', { timeout: PATIENCE });
  if (from) {
    await page.locator(`[data-square="${from}"]`).click();
    return page.locator(`[data-square="${to}"]`).click();
  }
  const movable = page.locator('.square.movable');
  await movable.nth(Math.floor(Math.random() * await movable.count())).click();
  const takes = page.locator('.square.target.takes');
  const targets = (await takes.count()) ? takes : page.locator('.square.target');
  await targets.nth(Math.floor(Math.random() * await targets.count())).click();
  const queen = page.locator('[data-becomes="q"]');
  if (await queen.count()) await queen.click();
  const sure = page.locator('.confirm .primary');
  if (await sure.count()) await sure.click();
  return undefined;
}

test('dark chess to a draw, then both show the game', async (t) => {
  const { page, wrong, close } = await open();
  if (!(await page.locator('.tile', { hasText: say('dark-chess.name') }).count())) {
    await close();
    return t.skip('this build has no dark chess');
  }
  // Drawn after two moves each without a capture: on squares that the bot cannot reach in two moves, whatever it plays.
  await table(page, 'dark-chess', 2, [0, 0, 0, 0, 0, 2, 0, 1]);
  await chessMove(page, 'e2', 'e3');
  await page.waitForSelector('.chess-moves tbody tr', { timeout: PATIENCE });
  assert.equal(await page.locator('[data-square="e3"]').getAttribute('aria-label'), say('page.chess.at.own', { square: 'e3', piece: say('dark-chess.piece.pawn') }));
  await chessMove(page, 'g1', 'f3');
  await page.locator('[data-token="show"]').click({ timeout: PATIENCE });
  await page.locator('.confirm .primary').click();
  await page.waitForSelector('.over', { timeout: PATIENCE });
  await page.waitForSelector('.reviewing', { timeout: PATIENCE });
  assert.equal(await page.locator('.reviewing .square.fog').count(), 0);
  await page.getByRole('button', { name: say('page.chess.white'), exact: true }).click();
  await page.waitForSelector('.reviewing .square.fog');
  assert.ok(await page.locator('.reviewing .square.fog').count() > 10);
  assert.deepEqual(wrong, []);
  return close();
});

test('a whole game of dark chess by clicks', { skip: !process.env.LONG && 'minutes: LONG=1' }, async () => {
  const { page, wrong, close } = await open();
  await table(page, 'dark-chess', 2);
  let moves = 0;
  while (!(await page.locator('[data-token="show"], .over').count())) {
    await chessMove(page).catch((error) => { if (!/Timeout/.test(error.message)) throw error; });
    moves += 1;
    await page.waitForTimeout(150);
  }
  console.log(`over after ${moves} own moves: ${await page.locator('.chess-end').innerText()}`);
  assert.deepEqual(wrong, []);
  await close();
});

test('hold’em and draw by clicks: bets, an exchange, the hands saved as text and JSON, and still there after a reload', async () => {
  const { page, wrong, close } = await open({ acceptDownloads: true });
  for (const variant of [0, 1]) {
    const dials = await page.evaluate(async (game) => {
      const { app } = await import('/js/app.js');
      const wanted = { game, seats: 3, hands: 2 };
      return app.games.find((one) => one.game === 'poker').dials.map((dial) => wanted[dial.name] ?? dial.usual);
    }, variant);
    await table(page, 'poker', 3, dials);
    const did = new Set();
    const press = async (selector, what) => {
      const found = page.locator(`${selector}:not(:disabled)`);
      if (!(await found.count())) return false;
      await found.first().click({ timeout: 5000 }).catch(() => {});
      return did.add(what);
    };
    for (let turns = 0; turns < 1500 && !(await page.locator('.over').count()); turns++) {
      if (await press('.confirm .primary', 'confirmed')) continue;
      if (!did.has('laid') && (await press('.pk-own.choosing .pk-card', 'laid'))) continue;
      if (await press('.pk-bets [data-token^="discard-"]', 'exchanged') || (await press('[data-token="stand-pat"]', 'kept'))) continue;
      // An amount that is not listed.
      if (!did.has('raised') && (await page.locator('.pk-number:not(:disabled)').count())) {
        const least = Number(await page.locator('.pk-number').getAttribute('min'));
        await page.locator('.pk-number').fill(String(least + 7), { timeout: 3000 }).catch(() => {});
        await page.keyboard.press('Tab');
        if (await press('[data-token="raise"]', 'raised')) continue;
      }
      for (const token of ['check', 'call', 'show', 'play']) if (await press(`[data-token="${token}"]`, token)) break;
      await page.waitForTimeout(60);
    }
    assert.ok(await page.locator('.over').count(), [...did].join());
    assert.ok(did.has('raised') && did.has('play'), [...did].join());
    assert.ok(variant === 0 || did.has('exchanged') || did.has('kept'), [...did].join());
    await page.locator('[data-panel="moves"]').click();
    await page.locator('.pk-past > summary').click();
    for (const [at, ending] of [[0, 'txt'], [1, 'json']]) {
      const download = page.waitForEvent('download');
      await page.locator('.pk-past .row .button').nth(at).click();
      const text = readFileSync(await (await download).path(), 'utf8');
      if (ending === 'json') assert.equal(JSON.parse(text).length, 2);
      else assert.equal(text.match(/^Outis Hand #/gm).length, 2);
    }
    // A page that opens later gets all hands from the node.
    await page.reload();
    await page.locator('.side').waitFor();
    await page.locator('[data-panel="moves"]').click();
    await page.locator('.pk-past > summary').click();
    await page.locator('.pk-past > ol > li').nth(1).waitFor();
    assert.equal(await page.locator('.pk-past > ol > li').count(), 2);
    // So does the replay of the game, each hand once.
    await page.locator('.over a', { hasText: say('page.over.replay') }).click();
    await page.locator('.replay .pk-past > summary').click();
    await page.locator('.replay .pk-past > ol > li').nth(1).waitFor();
    assert.equal(await page.locator('.replay .pk-past > ol > li').count(), 2);
  }
  assert.deepEqual(wrong, []);
  await close();
});

test('a whole tarokk deal by clicks, in Hungarian, at phone width', async (t) => {
  const { page, wrong, close } = await open({ viewport: { width: 360, height: 740 }, locale: 'hu-HU' });
  if (!(await page.locator('.tile', { hasText: say('tarokk.name', {}, 'hu') }).count())) {
    await close();
    return t.skip('this build has no tarokk');
  }
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'hu');
  await table(page, 'tarokk', 4, await page.evaluate(async () => {
    const { app } = await import('/js/app.js');
    return app.games.find((game) => game.game === 'tarokk').dials.map((dial) => (dial.name === 'deals' ? 1 : dial.usual));
  }));
  // A deal that everyone passes, or that is annulled, is followed by another: play until one is paid.
  const did = await playUntil(page, '.over', { seconds: 300 });
  assert.ok(did.length >= 3, did.join(', '));
  await page.waitForSelector('.sheet');
  const played = await page.evaluate(async () => {
    const { app } = await import('/js/app.js');
    return [...app.at.values()].at(-1).now.view.results.at(-1).payments.reduce((sum, points) => sum + points, 0);
  });
  assert.equal(played, 0, 'what some win, others lose');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  assert.match(await page.locator('.sheet').innerText(), like('page.sheet.title', {}, 'hu'));
  assert.deepEqual(wrong, []);
  await close();
});

const status = (path, headers = {}) => new Promise((done, fail) => {
  const { hostname, port } = new URL(node.url);
  request({ hostname, port, path, headers: { Host: `127.0.0.1:${port}`, ...headers } }, (answer) => {
    answer.resume();
    done(answer.statusCode);
  }).on('error', fail).end();
});

test('strangers are refused', async () => {
  const host = new URL(node.url).host;
  const shown = async (path) => proof(node.token, host, path, await (await fetch(`${node.url}api/nonce`)).text());
  const authorized = async (path) => ({ Authorization: `Outis ${await shown(path)}` });
  assert.equal(await status('/'), 200);
  assert.equal(await status('/', { Host: 'evil.example' }), 400);
  const once = await authorized('/api/hello');
  assert.equal(await status('/api/hello', once), 204);
  assert.equal(await status('/api/hello', once), 401, 'a proof is good once');
  assert.equal(await status('/api/hello', { Authorization: `Bearer ${node.token}` }), 401);
  assert.equal(await status('/api/hello'), 401);
  assert.equal(await status('/api/hello', { ...(await authorized('/api/hello')), Origin: 'http://evil.example' }), 403);
  assert.equal(await status('/api/hello', { ...(await authorized('/api/hello')), 'Sec-Fetch-Site': 'cross-site' }), 403);
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
  assert.equal(await status('/ws', { ...upgrade, 'Sec-WebSocket-Protocol': 'outis.2' }), 401);
  assert.equal(await status('/ws', { ...upgrade, 'Sec-WebSocket-Protocol': `outis.2, proof.${await shown('/ws')}`, Origin: 'http://evil.example' }), 403);
});

test('a script that another program once left in the browser for its own port does not see the page', async () => {
  const rogue = createServer((request, response) => {
    const worker = request.url === '/worker.js';
    response.setHeader('Content-Type', worker ? 'text/javascript' : 'text/html');
    response.end(worker
      ? "addEventListener('install', () => skipWaiting()); addEventListener('fetch', (event) => event.respondWith(new Response(`seen ${event.request.url}`)));"
      : "<script>navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'left'; });</script>");
  });
  await new Promise((done) => { rogue.listen(0, '127.0.0.1', done); });
  const { port } = rogue.address();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction(() => document.title === 'left');
  rogue.closeAllConnections();
  await new Promise((done) => { rogue.close(done); });
  // On a port that the user chose, it is there; so it would be on a port that never changes.
  const fixed = await startNode(String(port));
  await page.goto(fixed.url);
  assert.match(await page.content(), /seen http/);
  await fixed.stop();
  const usual = await startNode(null);
  assert.notEqual(new URL(usual.url).port, String(port));
  await page.goto(usual.open);
  await page.waitForSelector('.tiles');
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
  assert.equal((await fetch(usual.printed)).status, 410, 'what is printed works once');
  await usual.stop();
  await context.close();
});
