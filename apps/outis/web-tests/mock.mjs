// A mock node: serves the page as the real one does (same headers, same messages), with tables that show one moment each. `asked` stores
// the requests.

import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { BRIDGE, FIGURES } from './bridge-scenes.mjs';
import { TABLES } from './scenes.mjs';
import { OPEN, shelfAnswer } from './scenes-meeting.mjs';
import { each, words } from './words.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const WEB = join(HERE, '../web');
export const TOKEN = '0123456789abcdef0123456789abcdef';
export const NONCE = '5a'.repeat(40);

/** The page's proof for a request (PAGE-1). */
export const proof = (token, host, path, nonce = NONCE) => `${nonce}.${createHmac('sha256', Buffer.from(token, 'hex')).update(`outis.2\n${host}\n${nonce}\n${path}`).digest('hex')}`;
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };

const GAMES = [
  { game: 'dark-chess', grades: ['classic', 'hardened'], levels: 3, crooks: ['hardened'], usual_seats: 2, dials: [{ name: 'white', least: 0, most: 1, usual: 0, values: ['host', 'guest'] }, { name: 'clock', least: 0, most: 3600, usual: 0, values: [] }, { name: 'minutes', least: 0, most: 180, usual: 0, values: [] }, { name: 'increment', least: 0, most: 600, usual: 0, values: [] }, { name: 'quiet', least: 0, most: 200, usual: 50, values: [] }] },
  { game: 'matching-pennies', grades: ['hardened'], levels: 1, crooks: ['hardened'], usual_seats: 2, dials: [{ name: 'throws', least: 1, most: 100, usual: 5, values: [] }] },
  { game: 'high-card', grades: ['classic', 'hardened'], levels: 1, crooks: ['hardened'], usual_seats: 3, dials: [{ name: 'seats', least: 3, most: 5, usual: 3, values: [] }, { name: 'cards', least: 5, most: 52, usual: 52, values: [] }] },
  { game: 'zherotag', grades: ['classic', 'hardened'], levels: 3, crooks: ['hardened'], usual_seats: 2, dials: [{ name: 'grid', least: 4, most: 64, usual: 6, values: [] }, { name: 'limit', least: 0, most: 255, usual: 60, values: [] }, { name: 'clock', least: 0, most: 255, usual: 60, values: [] }, { name: 'replay', least: 0, most: 1, usual: 1, values: ['off', 'on'] }] },
  { game: 'poker', grades: ['hardened', 'classic'], classic_dials: [{ name: 'game', least: 0, most: 1, usual: 0, values: ['holdem', 'draw'] }, { name: 'limit', least: 0, most: 1, usual: 0, values: ['none', 'fixed'] }, { name: 'seats', least: 2, most: 2, usual: 2, values: [] }, { name: 'hands', least: 1, most: 50, usual: 10, values: [] }, { name: 'clock', least: 0, most: 255, usual: 60, values: [] }, { name: 'decks', least: 2, most: 64, usual: 16, values: [] }], levels: 3, crooks: ['hardened'], usual_seats: 3, dials: [{ name: 'game', least: 0, most: 1, usual: 0, values: ['holdem', 'draw'] }, { name: 'limit', least: 0, most: 1, usual: 0, values: ['none', 'fixed'] }, { name: 'seats', least: 2, most: 9, usual: 3, values: [] }, { name: 'hands', least: 1, most: 200, usual: 10, values: [] }, { name: 'clock', least: 0, most: 255, usual: 60, values: [] }] },
  { game: 'tarokk', grades: ['classic', 'hardened'], levels: 3, crooks: ['hardened'], usual_seats: 4, dials: [{ name: 'seats', least: 4, most: 5, usual: 4, values: [] }, { name: 'yielded_game', least: 0, most: 1, usual: 1, values: ['no', 'yes'] }] },
];

const PAST = [
  { table: 'tarokk-over', game: 'tarokk', names: ['Anna', 'Béla', 'Cili', 'Dénes'], me: 0, began: Date.now() - 9e6, ended: Date.now() - 8e6, scores: [4, -2, 6, -8], end: 'finished', rounds: 312, head: '9a'.repeat(32), bots: true },
  { table: 'high-card-cheat', game: 'high-card', names: ['Anna', 'Béla', 'Cili'], me: 0, began: Date.now() - 9e7, ended: Date.now() - 8.9e7, scores: null, end: 'fault', rounds: 12, head: '7b'.repeat(32), bots: false },
];

const running = new Set();

/** Stops every mock that a failed test left behind: it would keep the process alive. */
export const stopAll = () => running.forEach((stop) => stop());

export async function start({ profile = {}, port = 0, mark = (template) => template, open = OPEN, network = {}, more = {}, past = PAST, replays = {} } = {}) {
  const scenes = { ...TABLES, ...more };
  const asked = [];
  const state = { profile: { name: 'Anna', key: '3f'.repeat(32), words: 'lusab-babad-gutih', language: null, theme: 'dark', fresh: true, prefs: {}, ...profile } };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    response.setHeader('Content-Security-Policy', `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' ws://${request.headers.host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; manifest-src 'self'`);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const language = path.match(/^\/words\/(en|hu)\.json$/);
    if (language) return response.setHeader('Content-Type', 'application/json').end(JSON.stringify(Object.fromEntries(Object.entries(words(language[1])).map(([id, sentence]) => [id, each(sentence, mark)]))));
    if (path === '/api/nonce') return response.end(NONCE);
    if (path === '/api/hello') return response.writeHead(request.headers.authorization === `Outis ${proof(TOKEN, request.headers.host, path)}` ? 204 : 401).end();
    if (path === '/api/verify') return response.setHeader('Content-Type', 'application/json').end(JSON.stringify(FINDING));
    if (path.startsWith('/api/bridge/')) return bridgePost(path.slice('/api/bridge/'.length), request, response);
    if (path.startsWith('/api/shelf/')) return shelfPost(path.slice('/api/shelf/'.length), request, response);
    if (path.startsWith('/api/log/')) return response.end('log');
    const file = join(WEB, normalize(path === '/' ? '/index.html' : path));
    try {
      response.setHeader('Content-Type', TYPES[extname(file)] || 'application/octet-stream');
      return response.end(await readFile(file));
    } catch {
      return response.writeHead(404).end();
    }
  });
  const sockets = new WebSocketServer({ server, path: '/ws', handleProtocols: (list) => (list.has('outis.2') ? 'outis.2' : false), verifyClient: ({ req }) => (req.headers['sec-websocket-protocol'] || '').includes(`proof.${proof(TOKEN, req.headers.host, '/ws')}`) });
  sockets.on('connection', (socket) => {
    const tell = (message) => socket.send(JSON.stringify(message));
    const tables = Object.values(scenes);
    tell({ tell: 'hello', program: '0.1.0', protocol: 'outis/1', profile: state.profile, games: GAMES, network: { state: 'ready', addresses: ['192.0.2.1:4433'], way: 'direct', helper: 'nobody', relay: null, why: null, ...network }, bridge: BRIDGE, open,
      tables: tables.slice(0, 3).map((one) => ({ table: one.table, game: one.game, phase: one.phase, names: one.seats.map((seat) => seat.name), turn: Boolean(one.expects?.yours), since: Date.now() - 60000 })),
      past });
    socket.on('message', (data) => {
      const message = JSON.parse(data);
      asked.push(message);
      const answer = (fields = {}) => tell({ re: message.n, ...fields });
      const one = scenes[message.table];
      if (message.ask === 'watch') {
        answer(one ? {} : { error: { id: 'node.error.table' } });
        if (!one) return;
        tell({ tell: 'table', ...one });
        tell({ tell: 'step', table: one.table, steps: one.steps || [] });
        if (one.chat) tell({ tell: 'chat', table: one.table, lines: one.chat });
        if (one.news) tell({ tell: 'news', table: one.table, lines: one.news });
      } else if (message.ask === 'start') answer({ table: TABLES[`${message.game}-play`] ? `${message.game}-play` : `${message.game}-turn` });
      else if (message.ask === 'join') answer(message.text.includes('outis1') ? { table: 'gathering' } : { error: { id: 'page.error.unknown' } });
      else if (message.ask === 'why') answer({ text: { id: 'tarokk.illegal.follow_tarokk' } });
      else if (message.ask === 'replay') answer(replays[message.table] ?? { pictures: Object.values(TABLES).filter((table) => table.game === 'tarokk').map((table) => ({ round: table.round, view: table.view, lines: table.lines })), me: 0 });
      else if (message.ask === 'bridge-look') answer({ finding: 'look', next: 2, lines: ['⟦…⟧'] });
      else if (message.ask === 'bridge-deal') answer({ evening: 'tuesday' });
      else if (message.ask === 'profile') {
        const { ask, n, ...changes } = message;
        Object.assign(state.profile, changes, { fresh: false });
        answer();
        tell({ tell: 'profile', profile: state.profile });
      } else answer();
    });
  });
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  const stop = () => { sockets.clients.forEach((client) => client.terminate()); server.close(); running.delete(stop); };
  running.add(stop);
  return { url: `http://127.0.0.1:${server.address().port}/`, open: `http://127.0.0.1:${server.address().port}/#let-in=${TOKEN}`, asked, stop, tell: (message) => sockets.clients.forEach((client) => client.send(JSON.stringify(message))) };
}

async function bridgePost(what, request, response) {
  let body = '';
  for await (const part of request) body += part;
  const wanted = JSON.parse(body.split('\n')[0]);
  response.setHeader('Content-Type', 'application/json');
  if (what === 'seal') return response.end(JSON.stringify({ verdict: 'changed', boards: [3, 12] }));
  if (what === 'print') return response.end(JSON.stringify({ path: '/favicon.svg' }));
  if (wanted.format === 'json') return response.end(JSON.stringify(FIGURES));
  if (wanted.format === 'svg') return response.end('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 440"><path d="M60 200h770" stroke="#b3261e"/></svg>');
  return response.end('%PDF');
}

async function shelfPost(what, request, response) {
  let body = '';
  for await (const part of request) body += part;
  if (what === 'log') return response.end('log');
  const answer = shelfAnswer(what, JSON.parse(body));
  response.setHeader('Content-Type', 'application/json');
  if (!answer) return response.writeHead(422).end(JSON.stringify({ error: { id: 'node.error.lobby.other-log' } }));
  return response.end(JSON.stringify(answer));
}

const FINDING = { game: 'high-card', seats: 3, rounds: 17, head: '5c'.repeat(32), verdict: 'fault', seat: 1, round: 4, check: 'shuffle', words: 'seat 1 did not shuffle the deck before', claims: [], scores: [2, -4, 2], pictures: [] };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const node = await start({ port: Number(process.argv[2] || 7777) });
  console.log(node.open);
}
