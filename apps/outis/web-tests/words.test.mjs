// The catalogues' texts: plural forms, lists of people, words that the glossary has retired. Their ids have a separate test.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { like, pseudo, say as expected, templates, words as everything } from './words.mjs';

const WEB = new URL('../web/', import.meta.url);
const en = everything('en');
const named = (template) => [...new Set([...template.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]))].sort();
const wants = (sentence) => named(templates(sentence).at(-1));

/** The page's own module, which has no imports of its own. */
const page = await import(`data:text/javascript,${encodeURIComponent(readFileSync(new URL('js/words.js', WEB), 'utf8'))}`);

/** What is wrong with a sentence: a template, or `{by, one, other}` where `other` has all arguments. */
function wrong(sentence) {
  if (typeof sentence === 'string') return sentence.trim() ? null : 'empty';
  if (!sentence || Object.keys(sentence).sort().join() !== 'by,one,other' || Object.values(sentence).some((part) => typeof part !== 'string' || !part.trim())) return 'plural forms are by, one and other';
  if (sentence.one === sentence.other) return 'both forms are the same: one template is enough';
  return named(sentence.other).includes(sentence.by) && named(sentence.one).every((name) => named(sentence.other).includes(name)) ? null : 'the form other lacks an argument';
}

test('every sentence is a template or has its plural forms', () => {
  for (const language of ['en', 'hu']) for (const [id, sentence] of Object.entries(everything(language))) assert.equal(wrong(sentence), null, `${language} ${id}`);
  const forms = (by, one, other, more = {}) => ({ by, one, other, ...more });
  for (const bad of ['', null, 1, ['x'], { one: '{n} card', other: '{n} cards' }, { by: 'n', other: '{n} cards' }, forms('n', '{n} card', '{n} cards', { few: 'x' }), forms('n', '{n} card', 'cards'), forms('n', '{n} card of {who}', '{n} cards'), forms('m', '{n} card', '{n} cards'), forms('n', '{n} lap', '{n} lap')]) {
    assert.notEqual(wrong(bad), null, JSON.stringify(bad));
  }
});

test('moments are written as the language writes them', () => {
  const noon = new Date(2026, 10, 3, 14, 5).getTime();
  const said = { en: /^3 Nov 2026, 14:05$/, hu: /^2026\. nov\. 3\. 14:05$/ };
  for (const language of ['en', 'hu']) {
    page.learn(language, everything(language));
    assert.match(page.moment(noon), said[language]);
  }
  assert.equal(page.moment(Number.NaN), '–');
});

test('numbers get their plural form', () => {
  const said = { en: ['0 hidden cards', '1 hidden card', '2 hidden cards', '8 hidden cards'], hu: ['0 rejtett lap', '1 rejtett lap', '2 rejtett lap', '8 rejtett lap'] };
  const sealed = { en: ['All 0 records are', 'The record is', 'All 2 records are', 'All 8 records are'], hu: ['Mindegyik leírás (0)', 'A leírás', 'Mindegyik leírás (2)', 'Mindegyik leírás (8)'] };
  for (const language of ['en', 'hu']) {
    page.learn(language, everything(language));
    [0, 1, 2, 8].forEach((n, at) => {
      assert.equal(page.t('poker.hidden', { n }), said[language][at]);
      assert.ok(page.t('bridge.verdict.holds.text', { n }).startsWith(sealed[language][at]), page.t('bridge.verdict.holds.text', { n }));
      // Every counted sentence, as the tests expect it and as the page shows it.
      for (const [id, sentence] of Object.entries(everything(language)).filter(([, one]) => typeof one !== 'string')) {
        const args = Object.fromEntries(wants(sentence).map((name) => [name, name === sentence.by ? n : 'x']));
        assert.equal(page.say(id, args), expected(id, args, language));
        assert.match(page.say(id, args), like(id, {}, language));
        assert.equal(page.say(id, args) === sentence.one.replace(/\{([a-z_]+)\}/g, (_, name) => args[name]), n === 1, id);
      }
    });
  }
});

test('people are joined by and, other things by commas', () => {
  const who = (n) => ({ who: [0, 1, 2].slice(0, n).map((seat) => ({ seat })) });
  const names = ['Anna', 'Béla', 'Cili'];
  page.learn('en', everything('en'));
  assert.deepEqual([1, 2, 3].map((n) => page.t('step.lay.done', who(n), names)), ['Anna hid a penny', 'Anna and Béla hid pennies', 'Anna, Béla and Cili hid pennies']);
  assert.equal(page.say('tarokk.line.hand', { cards: [{ id: 'tarokk.card.XX' }, { id: 'tarokk.card.II' }] }).includes(' and '), false);
  assert.match(page.t('check.claim.text', { who: { plain: 'Anna' }, silent: [{ plain: 'Béla' }, { plain: 'Cili' }] }), /Anna, Béla and Cili did not/);
  page.learn('hu', everything('hu'));
  assert.deepEqual([1, 2, 3].map((n) => page.t('step.wait', who(n), names)), ['Anna következik', 'Anna és Béla következnek', 'Anna, Béla és Cili következnek']);
  assert.equal(page.say('node.end.silence', { who: { seat: 1 } }, names), 'Béla nem válaszolt időben.');
});

test('the pseudo-language is marked, longer by two fifths, and has the same arguments', () => {
  let [before, after] = [0, 0];
  for (const [id, template] of Object.entries(en).flatMap(([id, sentence]) => templates(sentence).map((template) => [id, template]))) {
    const long = pseudo(template);
    assert.match(long, /^⟦[^]*⟧$/, id);
    assert.deepEqual(long.match(/\{[a-z_]+\}/g), template.match(/\{[a-z_]+\}/g), id);
    const letters = (text) => text.replace(/\{[a-z_]+\}/g, '').length;
    if (!template.includes('\n') && letters(template) >= 10) assert.ok(letters(long) / letters(template) >= 1.4 && letters(long) / letters(template) < 1.5, `${id}: ${long}`);
    [before, after] = [before + letters(template), after + letters(long)];
  }
  assert.ok(after / before > 1.38 && after / before < 1.5, `longer by ${after / before}`);
  assert.equal(pseudo('Show {n} earlier steps'), '⟦Shoów {n} eéaárliíeér steéps⟧');
});

test('the values that the node may send all have words', () => {
  const lists = { phase: ['gathering', 'playing', 'over'], end: ['finished', 'fault', 'unprovable', 'silence', 'overtime', 'fork', 'rolled-back', 'local', 'left'], verdict: ['finished', 'unfinished', 'claimed', 'fault', 'forged', 'unreadable'], kind: ['you', 'bot', 'peer', 'open', 'here'], grade: ['hardened', 'classic'], link: ['here', 'connecting', 'away', 'left'], 'network.state': ['off', 'starting', 'ready', 'lost', 'failed'] };
  for (const [group, names] of Object.entries(lists)) for (const name of names) assert.ok(`page.${group}.${name}` in en, `page.${group}.${name}`);
  for (const figure of ['game', 'trull', 'four_kings', 'double', 'volat', 'pagat_ultimo', 'xxi_catch']) for (const tail of ['', '.announced']) assert.ok(`page.item.${figure}${tail}` in en, figure);
});

// Words that the glossary has replaced, and what is said instead: the list of .ci/words.py, and what is about sentences only.
const LIST = JSON.parse(readFileSync(new URL('../../../.ci/retired.json', import.meta.url), 'utf8'));
const listed = (language) => Object.entries(LIST[language]).map(([words, instead]) => [new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'i'), instead]);
const RETIRED = {
  en: [
    ...listed('en'), [/\bshel(f|ve)/i, 'archive, publish'], [/\b(hang|hung|hangs)\b/i, 'list, listed'], [/\bby itself\b/i, 'automatically'],
    [/(^|[.:;] )Who (?!deals|is here)/, 'a player who'], [/\b(lay|laid|laying) (\w+ )?away\b/i, 'discard'], [/\bcheated\b/i, 'broke the rules'],
    [/(?<!Good )\bevenings?\b/i, 'session'], [/\d %/, 'no space before %'], [/(?<!\}) {2}|\s$/, 'one space outside columns'], [/'/, '’'],
  ],
  hu: [
    ...listed('hu'), [/szokásos/i, 'megerősített'], [/\ba\(z\)/i, 'no article before an argument'], [/\}-/, 'no suffix on an argument'],
    [/all-in/i, 'minden'], [/\d %/, 'no space before %'], [/(?<!\}) {2}|\s$/, 'one space outside columns'], [/["']/, '„”'],
  ],
};

test('words that the glossary has retired do not come back', () => {
  const found = [];
  for (const [language, list] of Object.entries(RETIRED)) {
    for (const [id, text] of Object.entries(everything(language)).flatMap(([id, sentence]) => templates(sentence).map((template) => [id, template]))) {
      // The games' own catalogues have their own glossary; commands are quoted as they are typed.
      if (!/^(page|node|play|terminal)\./.test(id) || id.startsWith('page.joint.command.')) continue;
      for (const [retired, instead] of list) if (retired.test(text)) found.push(`${language} ${id}: ${text.match(retired)[0].trim()} (say: ${instead})`);
    }
  }
  assert.deepEqual(found, []);
});
