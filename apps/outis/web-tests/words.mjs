// The page's texts, by id: a test that quotes an id survives the next edit of its sentence.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, relative } from 'node:path';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const known = new Map();

/** Every folder of words: the page's, the node's and the terminal's, the laboratory's, each game's. */
const folders = () => ['apps/outis/web/words', 'apps/outis/words', 'crates/lab/words', ...readdirSync(join(ROOT, 'games')).map((game) => `games/${game}/words`)].map((folder) => join(ROOT, folder)).filter(existsSync);

/** Every catalogue file, by its path in the project: an area or a game, id to `{en, hu}`. */
export const areas = () => folders().flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => join(folder, name)))
  .map((file) => ({ name: relative(ROOT, file), text: readFileSync(file, 'utf8') })).map(({ name, text }) => ({ name, text, entries: JSON.parse(text) }));

/** The catalogue of a language: one language of all files together. */
export function words(language = 'en') {
  if (!known.has(language)) {
    known.set(language, Object.fromEntries(areas().flatMap(({ entries }) => Object.entries(entries).map(([id, languages]) => [id, languages[language]]))));
  }
  return known.get(language);
}

function sentence(id, language) {
  const found = words(language)[id];
  if (found === undefined) throw new Error(`no words for ${id} in ${language}`);
  return found;
}

/** All templates of a sentence: one, or one for each plural category. */
export const templates = (of) => (typeof of === 'string' ? [of] : [of.one, of.other]);

/** The sentence with a function applied to each of its templates. */
export const each = (of, change) => (typeof of === 'string' ? change(of) : { by: of.by, one: change(of.one), other: change(of.other) });

const LONGER = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', y: 'ý' };

/** A pseudo-language made from English, for tests of the layout: between marks, with words two fifths longer. */
export const pseudo = (template) => template.split('\n').map((line) => {
  const pieces = line.split(/(\{[a-z_]+\})/);
  let more = Math.ceil(pieces.filter((_, at) => at % 2 === 0).join('').length * 0.4) - '⟦⟧'.length;
  const longer = pieces.map((piece, at) => (at % 2 ? piece : piece.replace(/[aeiouy]/gi, (vowel) => (more-- > 0 ? vowel + LONGER[vowel.toLowerCase()] : vowel))));
  return `⟦${longer.join('')}${'·'.repeat(Math.max(0, more))}⟧`;
}).join('\n');

/** The count of an argument: a number, a list, or one thing. */
const count = (arg) => (arg === undefined ? 0 : Array.isArray(arg) ? arg.length : Number.isNaN(Number(arg)) ? 1 : Number(arg));

/** The sentence of an id, as the page shows it with these arguments. */
export function say(id, args = {}, language = 'en') {
  const of = sentence(id, language);
  const template = typeof of === 'string' ? of : of[new Intl.PluralRules(language).select(count(args[of.by]))];
  return template.replace(/\{([a-z_]+)\}/g, (whole, name) => args[name] ?? whole);
}

/** The same as a regular expression: what `args` does not give may be anything, and any space matches a space. */
export const like = (id, args = {}, language = 'en') => new RegExp(pattern(id, args, language), 'u');

/** The same, with nothing before or after it. */
export const only = (id, args = {}, language = 'en') => new RegExp(`^\\s*${pattern(id, args, language)}\\s*$`, 'u');

function pattern(id, args, language) {
  const of = sentence(id, language);
  if (typeof of === 'string') return fits(of, args);
  if (of.by in args) return fits(of[new Intl.PluralRules(language).select(count(args[of.by]))], args);
  return `(?:${fits(of.one, args)}|${fits(of.other, args)})`;
}

function fits(template, args) {
  const plain = (text) => String(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  return template.split(/(\{[a-z_]+\})/).map((part) => {
    const name = part.match(/^\{([a-z_]+)\}$/)?.[1];
    return name === undefined ? plain(part) : name in args ? plain(args[name]) : '[\\s\\S]+?';
  }).join('');
}
