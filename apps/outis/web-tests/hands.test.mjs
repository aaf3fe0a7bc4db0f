// Focus and sound: where the focus is after a card, what keys do, the last trick, what is audible, what is animated.

import assert from 'node:assert/strict';
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

async function open(name, { language = 'en', ...options } = {}) {
  const node = await start({ profile: { language } });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, ...options });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate((to) => { location.hash = `#/table/${to}`; }, name);
  await page.waitForSelector('.table');
  await page.waitForTimeout(150);
  // The next state of the table, as the node would send it.
  const tell = async (changes) => {
    await node.tell({ tell: 'table', ...merged(TABLES[name], changes) });
    await page.waitForTimeout(80);
  };
  const acts = () => node.asked.filter((one) => one.ask === 'act').map((one) => one.token);
  const focus = () => page.evaluate(() => { const at = document.activeElement; return at.dataset.card ?? at.dataset.token ?? at.className.split(' ')[0] ?? ''; });
  const heard = () => page.locator('#live p').allInnerTexts();
  return { node, page, tell, acts, focus, heard, close: async () => { await page.close(); node.stop(); } };
}

const merged = (table, { view, ...more }) => ({ ...table, round: table.round + 1, ...more, view: { ...table.view, ...view } });

async function holds(check) {
  for (const end = Date.now() + Math.min(PATIENCE, 20_000); ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => { setTimeout(done, 50); });
    }
  }
}

const waits = (seat) => ({ expects: { what: 'card', seats: [seat], done: [], by_hand: true, yours: false, left: null, working: false }, actions: [] });

test('after a card the focus stays in the hand, on the next card that may be played', async () => {
  const { page, tell, acts, focus, close } = await open('tarokk-five');
  const { hand, trick } = TABLES['tarokk-five'].view;
  await page.keyboard.press('h');
  assert.equal(await focus(), hand[0], 'H goes to the hand');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await holds(() => assert.deepEqual(acts(), [hand[2]], 'one key for each card beyond choosing it'));
  const rest = hand.filter((card) => card !== hand[2]);
  await tell({ view: { hand: rest, playable: undefined, trick: { ...trick, cards: [...trick.cards, { seat: 0, card: hand[2] }] } }, ...waits(1) });
  await holds(async () => assert.equal(await focus(), hand[3]));
  // The player's turn again: only the last card is playable, and the key for the hand moves the focus to it.
  await tell({ round: 30, view: { hand: rest, playable: [rest.at(-1)] } });
  await page.keyboard.press('h');
  assert.equal(await focus(), rest.at(-1));
  await close();
});

test('after a button the focus goes to what is asked next, and meanwhile to what is awaited', async () => {
  const { page, tell, acts, focus, close } = await open('poker-bet');
  await page.keyboard.press('c');
  assert.equal(await focus(), 'call');
  await page.keyboard.press('c');
  await holds(() => assert.deepEqual(acts(), ['call']));
  await tell({ view: { deciding: [1], bets: null }, ...waits(1) });
  await holds(async () => assert.equal(await focus(), 'status'));
  await tell({ round: 40 });
  await holds(async () => assert.equal(await focus(), 'call', 'the button at the same place'));
  // A focus that the player has moved elsewhere stays there.
  await page.locator('[data-panel="moves"]').focus();
  await tell({ view: { deciding: [1], bets: null }, ...waits(1) });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.panel), 'moves');
  await close();
});

test('every button of a table shows a key, and the key brings the hand there', async () => {
  for (const name of ['tarokk-auction', 'tarokk-announce', 'tarokk-discard', 'poker-bet', 'poker-draw', 'poker-ready', 'poker-show', 'dark-chess-turn', 'high-card-turn', 'matching-pennies-turn']) {
    const { page, acts, focus, close } = await open(name);
    const buttons = await page.locator('.actions .button, .hand-box [data-token]').evaluateAll((all) => all.map((one) => [one.dataset.token, one.querySelector('.key')?.textContent, one.dataset.key, one.disabled]));
    assert.ok(buttons.length > 0, name);
    for (const [token, shown, key, disabled] of buttons) {
      assert.ok(shown, `${name}: ${token} shows no key`);
      if (!key || disabled) continue;
      await page.keyboard.press(key);
      assert.equal(await focus(), token, `${name}: ${key}`);
    }
    assert.deepEqual(acts(), [], `${name}: a key alone does nothing that cannot be taken back`);
    await close();
  }
});

test('no button stands out among those that are to be chosen from', async () => {
  for (const name of ['tarokk-auction', 'tarokk-announce', 'poker-bet', 'poker-ready', 'poker-show', 'dark-chess-asked', 'high-card-turn', 'matching-pennies-turn']) {
    const { page, close } = await open(name);
    const looks = await page.locator('.actions .button:not(:disabled)').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    assert.ok(looks.length > 1, name);
    assert.equal(new Set(looks).size, 1, `${name}: ${looks}`);
    await close();
  }
  // Nor an amount that nobody has chosen, nor the exchange of no card.
  const { page, close } = await open('poker-bet');
  const sizes = await page.locator('.pk-sizes .button').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  assert.equal(new Set(sizes).size, 1, String(sizes));
  await page.evaluate(() => { location.hash = '#/table/poker-draw'; });
  await page.locator('[data-token="stand-pat"]').waitFor();
  assert.equal(await page.locator('.actions .primary').count(), 0);
  await close();
});

test('Escape takes back what was about to be confirmed', async () => {
  const { page, acts, close } = await open('tarokk-auction');
  await page.keyboard.press('2');
  await page.keyboard.press('2');
  await page.waitForSelector('.confirm');
  await page.keyboard.press('Escape');
  await page.locator('.confirm').waitFor({ state: 'detached' });
  assert.deepEqual(acts(), []);
  await close();
});

test('the ninth trick is held before the account of the deal, and the last trick comes back by button and key', async () => {
  const { page, tell, heard, close } = await open('tarokk-play');
  const nine = Array.from({ length: 8 }, () => TABLES['tarokk-play'].view.tricks[1]);
  const last = { leader: 1, cards: [{ seat: 1, card: 'S:K' }, { seat: 2, card: 'S:Q' }, { seat: 3, card: 'XIV' }, { seat: 0, card: 'skiz' }], winner: 0, points: 12 };
  await tell({ view: { tricks: nine, trick: { n: 9, leader: 1, cards: last.cards.slice(0, 3) }, hand: ['skiz'], playable: ['skiz'], refused: {} } });
  // With the last card the deal is over: the next state has only its account.
  const result = { ...TABLES['tarokk-result'].view.results[0], tricks: [...nine, last] };
  await tell({ round: 50, view: { phase: 'auction', auction: [], trick: undefined, tricks: undefined, contract: undefined, results: [result], hand: ['XX'], duties: [] }, ...waits(1) });
  assert.deepEqual(await page.locator('.trick .laid').count(), 4);
  assert.match(await page.locator('.trick-line').innerText(), like('page.tarokk.won', { who: 'Anna', points: 12 }));
  assert.equal(await page.locator('.sheet').count(), 0);
  await page.locator('.sheet').waitFor();
  assert.equal(await page.locator('.trick').count(), 0);
  await page.keyboard.press('l');
  await page.locator('.trick .laid.won.at-bottom').waitFor();
  await holds(async () => assert.match((await heard()).at(-1), like('page.tarokk.last.said', { who: 'Anna' })));
  await page.getByRole('button', { name: say('page.tarokk.last') }).click();
  await page.locator('.sheet').waitFor();
  await close();
});

test('a hand of poker that is over is told in the language of the page', async () => {
  for (const language of ['en', 'hu']) {
    const { page, close } = await open('poker-bet', { language });
    await page.locator('[data-panel="moves"]').click();
    await page.locator('.pk-past > summary').click();
    await page.locator('.pk-past li summary').click();
    const told = await page.locator('.pk-story li').allInnerTexts();
    const card = (n) => say(`poker.card.${n}`, {}, language);
    const expected = [
      ['page.poker.history.own', { cards: `${card(50)}, ${card(45)}` }], ['poker.bets', { who: 'Béla', chips: 30 }], ['poker.folds', { who: 'Cili' }], ['poker.calls', { who: 'Anna' }],
      ['poker.turned', { cards: `${card(51)}, ${card(21)}, ${card(0)}` }], ['poker.checks', { who: 'Anna' }],
    ];
    for (const [at, [id, args]] of expected.entries()) assert.match(told[at], only(id, args, language));
    assert.match(told.at(-1), only('page.poker.wins.with', { who: 'Anna', chips: 505 }, language));
    assert.ok(told.some((line) => only('poker.shows', { who: 'Béla' }, language).test(line)), told.join());
    assert.doesNotMatch(told.join(' '), /Player|\{|poker\./);
    await close();
  }
});

test('one event is one sentence; state, table and clock can be asked for', async () => {
  for (const language of ['en', 'hu']) {
    const { node, page, heard, close } = await open('poker-bet', { language });
    await page.waitForTimeout(200);
    const before = (await heard()).length;
    await node.tell({ tell: 'news', table: 'poker-bet', lines: [{ id: 'poker.folds', args: { who: { seat: 2 } } }] });
    await node.tell({ tell: 'table', ...merged(TABLES['poker-bet'], { round: 60, ...waits(2), view: { deciding: [2] } }) });
    await holds(async () => assert.equal((await heard()).length, before + 1));
    const ask = async (key, id, args) => {
      const count = (await heard()).length;
      await page.keyboard.press(key);
      await holds(async () => assert.equal((await heard()).length, count + 1, key));
      assert.match((await heard()).at(-1), like(id, args, language), key);
    };
    await ask('s', 'poker.step.bet.wait', { who: 'Cili' });
    await ask('t', 'page.poker.pot', { n: 180 });
    await ask('o', 'page.key.noclock');
    await node.tell({ tell: 'table', ...merged(TABLES['poker-bet'], { round: 61 }) });
    await page.waitForTimeout(120);
    await ask('o', 'page.clock.label');
    await close();
  }
});

test('both clocks of a whole game are read out', async () => {
  const { page, heard, close } = await open('dark-chess-clocks');
  await page.keyboard.press('o');
  await holds(async () => assert.match((await heard()).at(-1), /^Anna: 0:(0\d|10), Béla: 1:30:00\.$/));
  await close();
});

test('the list of keys opens and closes by its own key, in both languages', async () => {
  for (const language of ['en', 'hu']) {
    const { page, close } = await open('tarokk-play', { language });
    await page.keyboard.press('?');
    assert.match(await page.locator('.key-list').innerText(), like('page.key.last', {}, language));
    await page.keyboard.press('Escape');
    await page.locator('.key-list').waitFor({ state: 'detached' });
    await close();
  }
});

/** Records the parts of a sound, in place of the loudspeaker. */
function recorder() {
  globalThis.sounds = [];
  const parameter = (name) => ({ set value(to) { if (name) globalThis.sounds.push(`${name}${to}`); }, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
  const part = (more = {}) => ({ connect: (to) => to, start() {}, stop() {}, ...more });
  globalThis.AudioContext = class {
    currentTime = 0;
    sampleRate = 8000;
    createOscillator = () => part({ frequency: parameter('tone ') });
    createGain = () => part({ gain: parameter() });
    createBuffer = (_, length) => ({ getChannelData: () => new Float32Array(length) });
    createBufferSource = () => part();
    createBiquadFilter = () => part({ frequency: parameter('noise ') });
  };
}

test('one hears what happened: a card, a trick, chips, a check, a fold, a piece, a capture', async () => {
  const node = await start();
  const page = await browser.newPage();
  await page.addInitScript(recorder);
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.mouse.click(5, 300);
  const after = async (name, changes, first = {}) => {
    await page.evaluate((to) => { location.hash = `#/table/${to}`; }, name);
    await page.waitForSelector('.table');
    await page.waitForTimeout(150);
    await node.tell({ tell: 'table', ...merged(TABLES[name], { ...first, ...waits(1) }) });
    await page.waitForTimeout(60);
    await page.evaluate(() => { globalThis.sounds.length = 0; });
    await node.tell({ tell: 'table', ...merged(TABLES[name], { ...changes, ...waits(1) }) });
    await page.waitForTimeout(120);
    return page.evaluate(() => globalThis.sounds.join(' '));
  };
  const { view: tarokk } = TABLES['tarokk-play'];
  const { view: poker } = TABLES['poker-bet'];
  const seats = (at, more) => ({ seats: poker.seats.map((seat, n) => (n === at ? { ...seat, ...more } : seat)) });
  const { view: chess } = TABLES['dark-chess-turn'];
  const ply = (more) => ({ view: { plies: [...chess.plies, { by: 'white', move: null, text: null, takes: null, ...more }] } });
  const heard = {
    card: await after('tarokk-play', { view: { trick: { ...tarokk.trick, cards: [...tarokk.trick.cards, { seat: 0, card: 'S:10' }] } } }),
    trick: await after('tarokk-won', { view: { tricks: [...tarokk.tricks, tarokk.tricks[0]] } }),
    chips: await after('poker-bet', { view: seats(1, { bet: 120, paid: 140 }) }),
    fold: await after('poker-wait', { view: seats(1, { folded: true }) }),
    check: await after('poker-nine', { view: { deciding: [4] } }, { view: { deciding: [1] } }),
    piece: await after('dark-chess-turn', ply({})),
    capture: await after('dark-chess-promote', { view: { plies: [...TABLES['dark-chess-promote'].view.plies, { by: 'black', move: null, text: null, takes: { square: 'a1', piece: 'r' } }] } }),
  };
  for (const [what, sound] of Object.entries(heard)) assert.ok(sound, `${what} is silent`);
  assert.equal(new Set(Object.values(heard)).size, Object.keys(heard).length, JSON.stringify(heard));
  await page.close();
  node.stop();
});

test('a card goes from the hand to the trick, chips go to the pot; for those who want it still they are there at once', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const moves = reducedMotion === 'no-preference';
    const { node, page, close } = await open('tarokk-play', { reducedMotion });
    // Every animation is counted, so that no frame can be missed.
    await page.evaluate(() => {
      globalThis.moves = [];
      const plain = Element.prototype.animate;
      Element.prototype.animate = function animate(...all) {
        globalThis.moves.push(this.dataset.move ?? this.className);
        return plain.apply(this, all);
      };
    });
    const { view } = TABLES['tarokk-play'];
    await node.tell({ tell: 'table', ...merged(TABLES['tarokk-play'], { ...waits(1), view: { hand: view.hand.slice(0, -1), trick: { ...view.trick, cards: [...view.trick.cards, { seat: 0, card: 'S:10' }] } } }) });
    await page.waitForTimeout(250);
    assert.deepEqual(await page.evaluate(() => globalThis.moves.splice(0)), moves ? ['card-S:10'] : []);
    await page.evaluate(() => { location.hash = '#/table/poker-bet'; });
    await page.waitForSelector('.pk-bet');
    await page.waitForTimeout(150);
    await page.evaluate(() => globalThis.moves.splice(0));
    const poker = TABLES['poker-bet'];
    await node.tell({ tell: 'table', ...merged(poker, { ...waits(1), view: { phase: 'board', bets: null, seats: poker.view.seats.map((seat) => ({ ...seat, bet: 0 })) } }) });
    await page.waitForTimeout(700);
    assert.deepEqual(await page.evaluate(() => globalThis.moves), moves ? ['pk-bet number leaving', 'pk-bet number leaving'] : []);
    assert.equal(await page.locator('.leaving').count(), 0, 'nothing is left lying about');
    await close();
  }
});

test('a game that is over is walked through by steps, by chapters and by itself', async () => {
  const node = await start({ profile: { language: 'en' } });
  const page = await browser.newPage({ viewport: { width: 1280, height: 850 } });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate(() => { location.hash = '#/past/tarokk-over'; });
  await page.waitForSelector('.replay-bar');
  const place = () => page.locator('.replay-bar input').evaluate((one) => Number(one.value));
  const last = await page.locator('.replay-bar input').evaluate((one) => Number(one.max));
  const jump = page.locator('.replay-jump');
  const begins = await jump.locator('option').evaluateAll((all) => all.map((one) => Number(one.value)));
  assert.ok(begins.length > 2 && begins.every((at, n) => n === 0 || at > begins[n - 1]), begins.join());
  assert.match(await jump.locator('optgroup').first().getAttribute('label'), only('page.tarokk.deal'));
  // Without a click first: the keys work as soon as the screen is there.
  await page.keyboard.press('ArrowRight');
  await holds(async () => assert.equal(await place(), 1));
  await page.keyboard.press('Home');
  await holds(async () => assert.equal(await place(), 0));
  await page.keyboard.press('PageDown');
  await holds(async () => assert.equal(await place(), begins.find((at) => at > 0)));
  await page.keyboard.press('End');
  await page.keyboard.press('PageUp');
  await holds(async () => assert.equal(await place(), begins.findLast((at) => at < last)));
  await jump.selectOption(String(begins[1]));
  await holds(async () => assert.equal(await place(), begins[1]));
  await jump.evaluate((one) => one.blur());
  // In a trick, its cards have a size.
  const trick = await jump.locator('option', { hasText: like('page.tarokk.trick') }).first().getAttribute('value');
  await jump.selectOption(trick);
  await holds(async () => assert.ok((await page.locator('.laid').first().boundingBox()).width > 40));
  await jump.evaluate((one) => one.blur());
  // Automatically, until a key takes over.
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: say('page.replay.stop') }).waitFor();
  await holds(async () => assert.ok(await place() >= 2));
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: say('page.replay.run') }).waitFor();
  await page.waitForTimeout(1500);
  assert.equal(await place(), 0);
  // One click checks its log; this mock finds a fault in every log.
  await page.getByRole('button', { name: say('page.past.check') }).click();
  await page.locator('.notice h2', { hasText: like('page.verdict.fault') }).waitFor();
  await page.close();
  node.stop();
});
