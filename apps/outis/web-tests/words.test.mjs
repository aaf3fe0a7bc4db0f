// The catalogues of the page: both languages have the same ids with the same arguments, and everything that the page
// asks for is there.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const WEB = new URL('../web/', import.meta.url);
const words = (language) => JSON.parse(readFileSync(new URL(`words/${language}.json`, WEB), 'utf8'));
const en = words('en');
const hu = words('hu');
const wants = (template) => [...new Set([...template.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]))].sort();

function* sources(folder = new URL('js/', WEB)) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* sources(new URL(`${entry.name}/`, folder));
    else yield readFileSync(new URL(entry.name, folder), 'utf8');
  }
}

test('both languages have the same ids and arguments', () => {
  assert.deepEqual(Object.keys(en).sort(), Object.keys(hu).sort());
  for (const id of Object.keys(en)) {
    assert.deepEqual(wants(hu[id]), wants(en[id]), id);
    assert.ok(en[id].trim() && hu[id].trim(), `${id} is empty`);
    assert.ok(id.startsWith('page.'), `${id} is not the page's`);
  }
});

test('every id that the page names is in the catalogue', () => {
  const missing = [];
  for (const source of sources()) {
    const named = [...source.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => `page.${match[1]}`)
      .concat([...source.matchAll(/'(page\.[a-z.-]+)'/g)].map((match) => match[1]))
      .concat([...source.matchAll(/\bt\([^'`()]*\? '([^']+)' : '([^']+)'/g)].flatMap((match) => [`page.${match[1]}`, `page.${match[2]}`]));
    for (const id of named) if (!(id in en)) missing.push(id);
    // Ids that are put together: at least one of the catalogue must fit the pattern.
    for (const [, pattern] of source.matchAll(/\bt\(`([^`]+)`/g)) {
      const fits = new RegExp(`^page\\.${pattern.split(/\$\{[^}]*\}/).map((piece) => piece.replace(/[.]/g, '\\.')).join('[a-zA-Z0-9_.-]+')}$`);
      if (!/\$\{.*\?/.test(pattern) && !Object.keys(en).some((id) => fits.test(id))) missing.push(pattern);
    }
  }
  assert.deepEqual(missing, []);
});

test('no id is left over', () => {
  const all = [...sources()].join('\n');
  const patterns = [...all.matchAll(/`(?:page\.)?([a-z]+[a-z.]*\.)\$\{/g)].map((match) => match[1]);
  const unused = Object.keys(en).map((id) => id.slice('page.'.length)).filter((id) => !all.includes(`'${id}'`) && !all.includes(`'page.${id}'`) && !patterns.some((pattern) => id.startsWith(pattern)));
  assert.deepEqual(unused, []);
});

test('the values that the node may send all have words', () => {
  const lists = { phase: ['gathering', 'playing', 'over'], end: ['finished', 'fault', 'unprovable', 'silence', 'overtime', 'fork', 'rolled-back', 'local', 'left'], verdict: ['finished', 'unfinished', 'fault', 'forged', 'unreadable'], kind: ['you', 'bot', 'peer', 'open', 'here'], grade: ['hardened', 'classic'], link: ['here', 'connecting', 'away', 'left'], 'network.state': ['off', 'starting', 'ready', 'failed'] };
  for (const [group, names] of Object.entries(lists)) for (const name of names) assert.ok(`page.${group}.${name}` in en, `page.${group}.${name}`);
  for (const figure of ['game', 'trull', 'four_kings', 'double', 'volat', 'pagat_ultimo', 'xxi_catch']) for (const tail of ['', '.announced']) assert.ok(`page.item.${figure}${tail}` in en, figure);
});
