// The socket to the node on this machine (spec/90-page.md). It reconnects automatically and watches the same tables again.

const KEEP = 'outis.token';

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Proves the token to the server at this address, for one request; the token itself is never sent (PAGE-1). */
async function prove(path) {
  const token = localStorage.getItem(KEEP) || '';
  const nonce = (await (await fetch('/api/nonce')).text()).trim();
  const bytes = Uint8Array.from(token.match(/../g) || [], (pair) => parseInt(pair, 16));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const text = `outis.2\n${location.host.toLowerCase()}\n${nonce}\n${path}`;
  return `${nonce}.${hex(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))}`;
}

/** A request that proves the token. */
async function request(path, options = {}) {
  const proof = await prove(path);
  return fetch(path, { ...options, headers: { ...options.headers, Authorization: `Outis ${proof}` } });
}

export class Link {
  /** `told` receives every message that is no answer; `changed` the state: connecting, open, lost, denied, outdated. */
  constructor(told, changed) {
    this.told = told;
    this.changed = changed;
    this.asked = new Map();
    this.next = 1;
    this.wait = 300;
    this.watched = new Set();
    // A new run of the program admitted another window, and with it this one.
    addEventListener('storage', (event) => event.key === KEEP && this.state === 'denied' && this.open());
    this.open();
  }

  say(state) {
    this.state = state;
    this.changed(state);
  }

  async open() {
    this.state = 'connecting';
    if (!localStorage.getItem(KEEP)) return this.say('denied');
    const proof = await prove('/ws').catch(() => null);
    if (!proof) {
      this.say('lost');
      return this.later();
    }
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/ws`, ['outis.2', `proof.${proof}`]);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 300;
      this.say('open');
      for (const table of this.watched) this.ask('watch', { table }).catch(() => {});
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => this.lost(socket);
    return undefined;
  }

  receive(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (message.re !== undefined) {
      const waiting = this.asked.get(message.re);
      this.asked.delete(message.re);
      if (waiting) (message.error ? waiting.reject(message.error) : waiting.resolve(message));
    } else if (message.tell) {
      this.told(message);
    }
  }

  async lost(socket) {
    if (socket !== this.socket) return;
    for (const waiting of this.asked.values()) waiting.reject({ id: 'page.error.lost' });
    this.asked.clear();
    this.say('lost');
    // A socket does not say why it failed; this request does.
    try {
      const answer = await request('/api/hello');
      if (answer.status === 401) return this.say('denied');
    } catch { /* the node is not running; it may come back */ }
    return this.later();
  }

  later() {
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 1.7, 4000);
    return undefined;
  }

  /** Sends a request to the node; the promise rejects with a text. */
  ask(name, fields = {}) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return Promise.reject({ id: 'page.error.lost' });
    const n = this.next++;
    return new Promise((resolve, reject) => {
      this.asked.set(n, { resolve, reject });
      this.socket.send(JSON.stringify({ ask: name, n, ...fields }));
    });
  }

  watch(table) {
    if (this.watched.has(table)) return Promise.resolve();
    this.watched.add(table);
    return this.ask('watch', { table });
  }

  unwatch(table) {
    if (this.watched.delete(table)) this.ask('unwatch', { table }).catch(() => {});
  }
}

/** Saves the log of a table as a file. */
export const saveLog = async (table, name) => save(await logOf(table), name);

/** The log of a table, as a blob. */
export async function logOf(table) {
  const answer = await request(`/api/log/${encodeURIComponent(table)}`);
  if (!answer.ok) throw { id: 'page.error.log' };
  return answer.blob();
}

/** Offers a blob as a download. */
export function save(blob, name) {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

async function send(path, body) {
  const answer = await request(path, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body })
    .catch(() => { throw { id: 'page.error.lost' }; });
  if (answer.status === 413) throw { id: 'page.error.large' };
  if (answer.status === 422) throw (await answer.json()).error;
  if (!answer.ok) throw { id: 'page.error.unknown' };
  return answer;
}

/** The bridge tools: a line with the request, followed by a file. The promise rejects with a text. */
export const post = (what, wanted, content = '') => send(`/api/bridge/${what}`, new Blob([JSON.stringify(wanted), '\n', content]));

/** The lobby's archive: games, check, ratings, log. The promise rejects with a text. */
export const shelfAsk = (what, wanted) => send(`/api/shelf/${what}`, JSON.stringify(wanted));

/** The verdict on a log file. */
export async function verify(file) {
  const answer = await request('/api/verify', { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file });
  if (!answer.ok) throw { id: answer.status === 413 ? 'page.error.large' : 'page.error.verify' };
  return answer.json();
}
