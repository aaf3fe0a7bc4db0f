// A session of games as a new user would play it: node evening.mjs [poker] [chess] [invite] [left] [cheat]. By clicks alone, with the real
// program; pictures and logs are stored in evening/, and `outis verify` checks every log.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PATIENCE, launch } from './browser.mjs';
import { binary, makeInvite, startNode } from './node.mjs';
import { like, say } from './words.mjs';

const FOLDER = fileURLToPath(new URL('evening/', import.meta.url));
const wanted = process.argv.slice(2);
const browser = await launch();
const told = [];
const note = (line) => { told.push(line); console.log(line); };

/** A page of a freshly started program. */
async function sit({ width = 1280, height = 850, language = 'en', theme = 'dark' } = {}) {
  const node = await startNode();
  const context = await browser.newContext({ viewport: { width, height }, locale: language === 'hu' ? 'hu-HU' : 'en-GB', colorScheme: theme, acceptDownloads: true });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && note(`  ERROR on the page: ${message.text()}`));
  page.on('pageerror', (error) => note(`  ERROR on the page: ${error.stack}`));
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  return { node, page, stop: async () => { await context.close(); await node.stop(); } };
}

async function picture(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) note(`  ${name}: ${wide} px too wide`);
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true });
}

/** Opens a table of bots with these options. */
async function table(page, game, wishes, bots, more = {}) {
  await page.evaluate(async ([name, wish, levels, rest]) => {
    const { app, ask, go } = await import('/js/app.js');
    const dials = app.games.find((one) => one.game === name).dials.map((dial) => wish[dial.name] ?? dial.usual);
    go(`table/${(await ask('start', { game: name, dials, bots: levels, pace: 'none', ...rest })).table}`);
  }, [game, wishes, bots, more]);
  await page.waitForSelector('.table, .seats-list, .gather, .page:has(.button.primary):not(:has(.tiles))');
}

/** Saves the log by its button and has the program check it. */
async function judge(page, button, name) {
  const download = page.waitForEvent('download');
  await button.click();
  await (await download).saveAs(`${FOLDER}${name}.log`);
  const judged = spawnSync(binary(), ['verify', '--json', `${FOLDER}${name}.log`], { encoding: 'utf8' });
  const [finding] = JSON.parse(judged.stdout);
  note(`  verify ${name}: exit ${judged.status}, ${finding.verdict}${finding.seat === null ? '' : ` by seat ${finding.seat}, check ${finding.check}`}, ${finding.rounds} rounds`);
}

/** A poker player with moods: mostly calls, sometimes raises, folds, goes all in or sits out. */
async function poker(name, { seats, hands, level, leave = false, ...look }) {
  const { page, stop } = await sit(look);
  await table(page, 'poker', { seats, hands }, Array.from({ length: seats - 1 }, () => level));
  const did = {};
  const began = Date.now();
  let looked = 0;
  const press = async (selector, what) => {
    const found = page.locator(`${selector}:not(:disabled)`);
    if (!(await found.count())) return false;
    if (!(await found.first().click({ timeout: 5000 }).then(() => true, () => false))) return false;
    did[what] = (did[what] || 0) + 1;
    if ([1, 2, 7].includes(did[what]) && looked < 16) await picture(page, `${name}-${String(looked++).padStart(2, '0')}-${what}`);
    return true;
  };
  await page.waitForSelector('.pk-mine .pk-card, .pk-hand img', { timeout: PATIENCE }).catch(() => {});
  await picture(page, `${name}-first`);
  await press('.notice:has(.small) .button.small', 'understood');
  for (let turns = 0; turns < 6000 && !(await page.locator('.over').count()); turns++) {
    if (await press('.confirm .primary', 'confirmed')) continue;
    const mood = Math.random();
    if (await page.locator('.pk-bets').count()) {
      if (leave && (did.call || did.check)) break;
      if (mood < 0.12 && (await press('[data-size="pot"]', 'size'))) { await press('[data-token="raise"]', 'raise'); continue; }
      if (mood > 0.12 && mood < 0.2 && (await press('[data-token="raise"]', 'raise'))) continue;
      if (mood > 0.2 && mood < 0.23 && (await press('[data-size="most"]', 'size'))) { await press('[data-token="raise"]', 'all-in'); continue; }
      if (mood > 0.23 && mood < 0.45 && (await press('[data-token="fold"]', 'fold'))) continue;
      for (const token of ['check', 'call']) if (await press(`[data-token="${token}"]`, token)) break;
    } else if (mood < 0.08 && (await press('[data-token="sit-out"]', 'sit-out'))) {
      continue;
    } else {
      for (const token of ['show', 'play', 'muck', 'call', 'check']) if (await press(`[data-token="${token}"]`, token)) break;
    }
    await page.waitForTimeout(70);
  }
  if (leave) {
    await page.locator(['en', 'hu'].map((one) => `[aria-label="${say('page.table.leave', {}, one)}"]`).join()).first().click();
    await page.waitForSelector('.notice .danger');
    await picture(page, `${name}-leaving`);
    note(`${name}: before leaving in mid-hand the page says: ${(await page.locator('.notice:has(.danger) p').innerText()).replaceAll('\n', ' ')}`);
    await page.locator('.notice .danger').click();
    await page.waitForSelector('.tiles');
    await page.waitForSelector('.list .tag.bad');
    await picture(page, `${name}-left`);
    return stop();
  }
  await picture(page, `${name}-over`);
  note(`${name}: ${seats} seats, level ${level}, ${Math.round((Date.now() - began) / 1000)} s: ${Object.entries(did).map(([what, n]) => `${what} ${n}`).join(', ')}; ${(await page.locator('.score-list').innerText().catch(() => 'not over')).replaceAll('\n', ' ')}`);
  await judge(page, page.locator('.over button:has(.icon-drawing)').nth(1), name);
  return stop();
}

/** Captures whatever can be captured, else makes any move. */
async function chessMove(page) {
  await page.waitForSelector('.table:has(.status.yours) .square.movable, [data-token="show"], .over', { timeout: PATIENCE });
  if (!(await page.locator('.table:has(.status.yours) .square.movable').count())) return;
  const movable = page.locator('.square.movable');
  await movable.nth(Math.floor(Math.random() * await movable.count())).click({ timeout: 5000 });
  const takes = page.locator('.square.target.takes');
  const targets = (await takes.count()) ? takes : page.locator('.square.target');
  if (!(await targets.count())) return;
  await targets.nth(Math.floor(Math.random() * await targets.count())).click({ timeout: 5000 });
  for (const selector of ['[data-becomes="q"]', '.confirm .primary']) if (await page.locator(selector).count()) await page.locator(selector).first().click({ timeout: 5000 });
}

async function chessGame(page, name) {
  let moves = 0;
  const began = Date.now();
  while (!(await page.locator('[data-token="show"], .over').count()) && Date.now() - began < 1_500_000) {
    await chessMove(page).then(() => { moves += 1; }, () => {});
    if ([1, 5, 12, 25].includes(moves)) await picture(page, `${name}-${String(moves).padStart(2, '0')}`);
    await page.waitForTimeout(120);
  }
  await picture(page, `${name}-end`);
  const show = page.locator('[data-token="show"]');
  if (await show.count()) {
    await show.click();
    if (await page.locator('.confirm .primary').count()) { await picture(page, `${name}-agree`); await page.locator('.confirm .primary').click(); }
  }
  await page.waitForSelector('.over');
  await page.waitForSelector('.reviewing').catch(() => note(`  ${name}: no replay of both sides`));
  note(`${name}: ${moves} clicks of a move in ${Math.round((Date.now() - began) / 1000)} s; ${(await page.locator('.chess-end').first().innerText()).replaceAll('\n', ' ')}`);
  await picture(page, `${name}-over`);
}

async function savePgn(page, name) {
  const download = page.waitForEvent('download');
  await page.locator('.chess-tools .button.small').last().click();
  await (await download).saveAs(`${FOLDER}${name}.pgn`);
  note(`  ${name}.pgn saved`);
}

const PARTS = {
  poker: async () => {
    await poker('two', { seats: 2, hands: 12, level: 1, theme: 'light' });
    await poker('six', { seats: 6, hands: 12, level: 2 });
    await poker('nine', { seats: 9, hands: 8, level: 3, language: 'hu', theme: 'light' });
    await poker('phone', { seats: 4, hands: 8, level: 3, width: 360, height: 740, language: 'hu' });
    await poker('leaves', { seats: 3, hands: 10, level: 2, leave: true });
  },
  chess: async () => {
    const { page, stop } = await sit();
    await table(page, 'dark-chess', {}, [1]);
    await chessGame(page, 'chess');
    await savePgn(page, 'chess');
    await judge(page, page.locator('.over button:has(.icon-drawing)').nth(1), 'chess');
    await stop();
  },
  invite: async () => {
    const { page, stop } = await sit({ theme: 'light' });
    await table(page, 'dark-chess', {}, []);
    const invite = await makeInvite(page);
    const guest = await startNode();
    await guest.stop();
    const friend = spawn(binary(), ['join', invite, '--bot', '2', '--name', 'Béla', '--profile', guest.profile, '--log', `${FOLDER}guest.log`], { stdio: 'ignore' });
    const ended = new Promise((done) => { friend.on('exit', done); });
    await page.waitForSelector('.compare');
    await page.locator('button:not(:disabled)', { hasText: say('page.gather.begin') }).click();
    await chessGame(page, 'invite');
    await judge(page, page.locator('.over button:has(.icon-drawing)').nth(1), 'invite');
    note(`  the friend's program ended with ${await ended}`);
    await stop();
  },
  left: async () => {
    // A friend leaves in the middle of a hand: what does the remaining player see?
    const [host, guest] = [await sit(), await sit({ language: 'hu', theme: 'light' })];
    await table(host.page, 'poker', { seats: 2, clock: 30 }, []);
    await guest.page.fill('#invite', await makeInvite(host.page));
    await guest.page.keyboard.press('Enter');
    await host.page.waitForSelector('.compare');
    await picture(host.page, 'left-gathering');
    await host.page.locator('button:not(:disabled)', { hasText: say('page.gather.begin') }).click();
    await guest.page.waitForSelector('.pk-hand');
    await host.page.waitForSelector('.pk-bets');
    await host.page.locator('[data-token="call"]').click();
    await guest.page.waitForSelector('.pk-bets');
    await guest.page.getByRole('button', { name: say('page.table.leave', {}, 'hu') }).click();
    await guest.page.waitForSelector('.notice .danger');
    await picture(guest.page, 'left-leaving');
    await guest.page.locator('.notice .danger').click();
    await host.page.locator('.notice', { hasText: like('page.absent.left') }).waitFor();
    await picture(host.page, 'left-absent');
    note(`left: the one who stays reads: ${(await host.page.locator('[role=status].notice').innerText()).replaceAll('\n', ' ')}`);
    await host.page.waitForSelector('.over');
    await picture(host.page, 'left-over');
    note(`left: and then: ${(await host.page.locator('.over').innerText()).replaceAll('\n', ' | ')}`);
    await judge(host.page, host.page.locator('.over .button.primary').first(), 'left');
    await host.stop();
    await guest.stop();
  },
  cheat: async () => {
    for (const [game, look] of [['poker', {}], ['dark-chess', { theme: 'light' }], ['tarokk', { width: 360, height: 740, language: 'hu', theme: 'light' }], ['zherotag', { width: 360, height: 740 }], ['high-card', { language: 'hu' }]]) {
      const { page, stop } = await sit(look);
      await page.evaluate(() => { location.hash = '#/practice'; });
      await page.waitForSelector('.tiles');
      const seats = { poker: 4, tarokk: 4, 'high-card': 3 }[game] || 2;
      // A bot plays for this player: what counts here is what the page shows.
      await table(page, game, { seats, deals: 10 }, Array.from({ length: seats - 1 }, () => 1), { crook: true, watch: true });
      await page.waitForSelector('.over');
      note(`${game}: ${(await page.locator('.over h2').innerText())}; ${(await page.locator('.over p').first().innerText())}`);
      await picture(page, `cheat-${game}`);
      if (await page.locator('.story').count()) await judge(page, page.locator('.story .button.primary'), `cheat-${game}`);
      await stop();
    }
  },
};

mkdirSync(FOLDER, { recursive: true });
try {
  for (const [name, part] of Object.entries(PARTS)) if (!wanted.length || wanted.includes(name)) await part();
} finally {
  writeFileSync(`${FOLDER}told-${wanted.join('-') || 'all'}.txt`, `${told.join('\n')}\n`);
  await browser.close();
}
