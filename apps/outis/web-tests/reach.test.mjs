// Inviting and joining against a mock: the one question before the first invite, a message that explains itself, what a guest sees until
// the host answers, and what everyone knows before the game begins.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { start, stopAll } from './mock.mjs';
import { TABLES } from './scenes.mjs';
import { OPEN } from './scenes-meeting.mjs';
import { say } from './words.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  stopAll();
});

const CODE = TABLES.gathering.invites[0].text;
const waiting = { ...TABLES.gathering, table: 'waiting', invites: [] };
const guest = (table, link, calling) => ({ ...TABLES.gathering, table, host: false, me: null, game: null, dials: null, grade: null, invites: [], seats: [{ seat: 0, kind: 'peer', name: '', ready: true, compare: 'lusab babad gutih', link }], calling });

async function open(path, options = {}) {
  const language = options.language ?? 'en';
  const node = await start({ profile: { language, prefs: options.prefs ?? {} }, network: options.network, open: options.open, more: { waiting, ...options.more } });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(node.open);
  await page.waitForSelector('.tiles');
  await page.evaluate((to) => { location.hash = `#/${to}`; }, path);
  const press = (id, args) => page.getByRole('button', { name: say(id, args, language), exact: true }).click();
  const asked = async (name) => {
    for (let tries = 0; tries < 200; tries++) {
      const found = node.asked.filter((one) => one.ask === name);
      if (found.length) return found;
      await page.waitForTimeout(50);
    }
    throw new Error(`nobody asked for ${name}`);
  };
  return { node, page, press, asked, close: async () => { await page.close(); node.stop(); } };
}

const NETWORK = { state: 'ready', addresses: ['192.0.2.1:4433'], way: 'direct', helper: 'nobody', relay: null, why: null };

for (const language of ['en', 'hu']) {
  test(`the first invite asks once how friends get here (${language})`, async () => {
    const { node, page, press, asked, close } = await open('table/waiting', { language });
    assert.ok(await page.locator('#way-public').isChecked(), 'the recommended way comes first');
    await press('page.gather.make');
    const [network] = await asked('network');
    assert.equal(network.mode, 'public');
    const kept = (await asked('profile')).at(-1);
    assert.equal(kept.prefs.reach, true);
    // The mock is always ready: the invite follows without a second click.
    const invites = await asked('invite');
    assert.equal(invites.length, 1);
    assert.equal(invites[0].table, 'waiting');
    node.tell({ tell: 'network', network: { ...NETWORK, way: 'public', helper: 'public' } });
    await page.locator('.reach').waitFor({ state: 'detached' });
    await close();
  });
}

test('a lobby with a relay is named as what helps', async () => {
  const network = { way: 'direct', helper: 'lobby' };
  const asks = await open('table/waiting', { network });
  await asks.page.getByText(say('page.reach.lobby.what'), { exact: true }).waitFor();
  assert.equal(await asks.page.getByText(say('page.reach.public.what'), { exact: true }).count(), 0);
  await asks.close();
  const { page, close } = await open('settings', { network, prefs: { reach: true } });
  await page.getByText(say('page.network.lobby.reveals'), { exact: true }).waitFor();
  await close();
});

test('the settings say what this machine has found out', async () => {
  const cases = [
    [{ way: 'public', helper: 'public', at: 'https://r.example', outside: ['192.0.2.1:4433'] }, [['page.network.found.relay', { relay: 'https://r.example' }], ['page.network.found.outside', { list: '192.0.2.1:4433' }]]],
    [{ state: 'lost', way: 'relay', helper: 'own', at: 'https://r.example', only: true }, [['page.network.found.relay.lost', { relay: 'https://r.example' }]]],
    [{ way: 'direct', outside: [] }, [['page.network.found.inside.only']]],
  ];
  for (const [network, lines] of cases) {
    const { page, close } = await open('settings', { network, prefs: { reach: true } });
    await page.locator('#found li').first().waitFor();
    const said = await page.locator('#found li').allTextContents();
    assert.deepEqual(said, lines.map(([id, args]) => say(id, args)));
    await close();
  }
});

test('this network only, and a relay of one’s own', async () => {
  for (const [way, fields] of [['local', { mode: 'direct', local: true }], ['relay', { mode: 'relay', relay: 'https://relay.example', only: false }]]) {
    const { page, press, asked, close } = await open('table/waiting');
    await page.locator(`#way-${way}`).check();
    if (way === 'relay') await page.locator('#way-address').fill(' https://relay.example ');
    await press('page.gather.make');
    const [{ ask, n, lan, ...said }] = await asked('network');
    assert.deepEqual(said, fields);
    await close();
  }
});

test('an invite waits until this machine knows where it is', async () => {
  const { node, page, press, asked, close } = await open('table/waiting', { network: { state: 'starting', addresses: [] } });
  await press('page.gather.make');
  await asked('network');
  await page.getByText(say('page.network.state.starting'), { exact: true }).waitFor();
  assert.equal(node.asked.filter((one) => one.ask === 'invite').length, 0);
  node.tell({ tell: 'network', network: { ...NETWORK, way: 'public', helper: 'public' } });
  assert.equal((await asked('invite')).length, 1);
  await close();
});

test('a table that is opened to invite somebody has its invite without a further click', async () => {
  const { page, press, asked, close } = await open('new/tarokk/far', { prefs: { reach: true }, more: { 'tarokk-turn': { ...waiting, table: 'tarokk-turn' }, 'tarokk-play': { ...waiting, table: 'tarokk-play' } } });
  await press('page.new.invite');
  await page.waitForURL(/#\/table\//);
  assert.equal((await asked('invite')).length, 1);
  await close();
});

test('whoever opens a table and answers the question gets one invite', async () => {
  const { node, page, press, asked, close } = await open('new/tarokk/far', { more: { 'tarokk-turn': { ...waiting, table: 'tarokk-turn' }, 'tarokk-play': { ...waiting, table: 'tarokk-play' } } });
  await press('page.new.invite');
  await press('page.gather.make');
  await asked('invite');
  node.tell({ tell: 'network', network: { ...NETWORK, way: 'public', helper: 'public' } });
  await page.locator('.reach').waitFor({ state: 'detached' });
  await page.waitForTimeout(500);
  assert.equal((await asked('invite')).length, 1);
  await close();
});

test('whoever has chosen a way is not asked', async () => {
  for (const options of [{ prefs: { reach: true } }, { network: { way: 'public' } }, { network: { way: 'relay' } }, { network: { way: 'local' } }]) {
    const { page, close } = await open('table/waiting', options);
    await page.getByRole('button', { name: say('page.gather.make'), exact: true }).waitFor();
    assert.equal(await page.locator('.reach').count(), 0);
    await close();
  }
});

test('an invite is a message that explains itself, and all of it may be pasted', async () => {
  const { page, press, asked, close } = await open('table/gathering');
  await press('page.gather.copy');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.endsWith(CODE), 'nothing stands behind the code');
  assert.ok(copied.includes('Anna') && copied.includes(say('page.home.join')) && copied.includes(say('tarokk.name')));
  await press('page.gather.copy.code');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), CODE);
  await page.evaluate(() => { location.hash = '#/join'; });
  await page.fill('#invite', copied);
  await page.locator('#invite').press('Enter');
  const [joined] = await asked('join');
  assert.ok(joined.text.includes(CODE));
  await close();
});

test('a guest hears what is known of a host that does not answer, when it is time', async () => {
  const calling = [{ after: 0, text: { id: 'node.calling.direct' } }, { after: 3000, text: { id: 'node.calling.no-way' } }, { after: 10000, text: { id: 'node.calling.long' } }];
  const { node, page, close } = await open('table/calls', { more: { calls: guest('calls', 'connecting', calling) } });
  await page.getByText(say('node.calling.direct')).waitFor();
  assert.equal(await page.getByText(say('node.calling.no-way')).count(), 0);
  assert.equal(await page.getByText(say('page.gather.guest')).count(), 0, 'nobody says that we sit there');
  await page.getByText(say('node.calling.no-way')).waitFor();
  await page.getByText(say('node.calling.long')).waitFor();
  node.tell({ tell: 'table', ...guest('calls', 'here', []) });
  await page.locator('[aria-current="step"]', { hasText: say('page.calling.seat') }).waitFor();
  assert.equal(await page.getByText(say('node.calling.long')).count(), 0);
  node.tell({ tell: 'table', ...TABLES.gathering, table: 'calls', host: false, me: 3, invites: [] });
  await page.getByText(say('page.gather.guest')).waitFor();
  // A rematch with the same people is not a call, though its host has not answered yet.
  node.tell({ tell: 'table', ...guest('calls', 'here', null), again: true });
  await page.getByText(say('page.gather.again')).waitFor();
  await close();
});

test('before a game everybody knows its options, who is a bot, and whose', async () => {
  const chess = { ...TABLES.gathering, table: 'sat', game: 'dark-chess', host: false, me: 1, invites: [], dials: [0, 0, 10, 5, 50], seats: [{ seat: 0, kind: 'peer', name: 'Béla', ready: true, link: 'here' }, { seat: 1, kind: 'you', name: 'Anna', ready: true }] };
  const { page, close } = await open('table/sat', { more: { sat: chess, bots: { ...TABLES.gathering, table: 'bots', host: false, me: 2, invites: [] } } });
  const terms = await page.locator('.terms').innerText();
  assert.ok(terms.includes('Béla'), 'who has the white pieces');
  assert.ok(terms.includes(say('page.new.clock.game', { minutes: 10, seconds: 5 })));
  assert.ok(!/\byou\b/.test(terms), 'the host’s words are not said to a guest');
  await page.evaluate(() => { location.hash = '#/table/bots'; });
  await page.locator('.bots-note').waitFor();
  assert.ok((await page.locator('.bots-note').innerText()).includes('Anna'), 'whose machine plays the bots');
  await page.locator('.list .tag', { hasText: say('page.kind.bot') }).first().waitFor();
  await close();
});

test('during a game, too, the fairness panel says whose machine plays the bots', async () => {
  const seats = TABLES['tarokk-play'].seats.map((seat, at) => ({ ...seat, kind: at === 0 ? 'peer' : at === 1 ? 'you' : 'bot' }));
  const played = { ...TABLES['tarokk-play'], table: 'played', host: false, me: 1, seats };
  const { page, close } = await open('table/played', { more: { played }, prefs: { panel: true } });
  await page.locator('.fairness .bots-note').waitFor();
  assert.ok((await page.locator('.bots-note').innerText()).includes(seats[0].name));
  // Against bots alone there is nobody to whom it matters.
  await page.evaluate(() => { location.hash = '#/table/tarokk-play'; });
  await page.locator('.bots-note').waitFor({ state: 'detached' });
  await page.locator('.fairness').waitFor();
  assert.equal(await page.locator('.bots-note').count(), 0);
  await close();
});

test('a quick match says that it searches, and begins without a click', async () => {
  const quick = { ...OPEN, quick: 'quick' };
  const { node, page, asked, close } = await open('table/quick', { open: quick, more: { quick: { ...waiting, table: 'quick' } } });
  await page.getByText(say('page.open.quick.searching')).waitFor();
  assert.equal(await page.locator('.reach').count() + await page.locator('#invite-text').count(), 0, 'nobody is to be invited');
  assert.equal(node.asked.filter((one) => one.ask === 'begin').length, 0);
  node.tell({ tell: 'table', ...waiting, table: 'quick', ready: true });
  node.tell({ tell: 'table', ...waiting, table: 'quick', ready: true });
  assert.equal((await asked('begin')).length, 1);
  await close();
});

test('without a lobby, open tables say how to find players', async () => {
  const { page, close } = await open('open', { open: { ...OPEN, phase: 'off', tables: [], claims: [], posted: [], settings: { lobby: null, shelve: false } } });
  for (const way of ['play', 'join', 'run']) await page.getByText(say(`page.open.start.${way}`), { exact: true }).waitFor();
  await close();
});
