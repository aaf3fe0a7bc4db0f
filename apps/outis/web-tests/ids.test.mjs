// Message ids in all catalogues: none is missing, none is unused. An id counts as used if a source quotes it, or if it is one of those that
// are composed at run time. Those are listed with the code that composes them, and what is inserted must still be a word of the sources.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, areas, templates, words } from './words.mjs';

const GAMES = readdirSync(join(ROOT, 'games')).filter((game) => existsSync(join(ROOT, 'games', game, 'words')));
const HEADS = ['page', 'node', 'play', 'terminal', 'lab', ...GAMES];

function* files(folder, ending) {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* files(name, ending);
    else if (name.endsWith(ending)) yield name;
  }
}
const source = (name) => readFileSync(join(ROOT, name), 'utf8');
const all = (folder, ending) => [...files(folder, ending)].map(source).join('\n');
const JS = all('apps/outis/web/js', '.js');
const APP = ['apps/outis/src', 'crates/node/src'].map((folder) => all(folder, '.rs')).join('\n');
// Where `sorry` is the node's: the lobby has its own.
const NODE = [...files('apps/outis/src', '.rs'), ...files('crates/node/src', '.rs')].filter((name) => !name.startsWith('apps/outis/src/meeting/')).map(source).join('\n');
const OWN = Object.fromEntries(GAMES.map((game) => [game, all(`games/${game}/src`, '.rs')]));
const EVERYTHING = [JS, APP, all('games', '.rs'), all('crates', '.rs')].join('\n');

/** Every word in quotes, and every key of an object literal; a comment has neither. */
const CODE = EVERYTHING.replace(/^\s*\/\/.*$/gm, '');
const WORDS = new Set([...CODE.matchAll(/["'`]([\w.:+-]+)["'`]/g), ...CODE.matchAll(/\b([a-z][\w-]*):/gi)].map((match) => match[1]));

const GAME = `(?:${GAMES.join('|')})`;
/** Composed ids: their pattern, and the source that composes them. A group of the pattern catches a number or a word of the sources. */
const COMPOSED = [
  // The terminal.
  [`terminal\\.bridge\\.seal\\.([\\w-]+)`, 'terminal.bridge.seal.{what}'],
  // The laboratory.
  ['lab\\.bytes\\.([\\w-]+)', 'format!("lab.bytes.{name}")'],
  ['lab\\.([\\w-]+)\\.([\\w-]+)', 'format!("lab.{id}.{name}")'],
  // Every game.
  [`${GAME}\\.(name)`, '`${game}.name`'],
  [`${GAME}\\.(summary)`, '`${game}.summary`'],
  [`${GAME}\\.(leave)`, '`${ctx.game}.leave`'],
  [`${GAME}\\.(paid)`, '`${now.game}.paid`'],
  [`${GAME}\\.(before)(?:\\.more)?`, '`${game}.before.more`'],
  [`${GAME}\\.grade\\.(classic)`, '{}.grade.classic'],
  [`${GAME}\\.option\\.([\\w-]+)(?:\\.([\\w-]+))?`, '`${game}.option.${known.name}'],
  [`${GAME}\\.step\\.([\\w-]+)(?:\\.(wait|proved|why|not))?`, '`${game}.step.${what}'],
  [`${GAME}\\.fault\\.([\\w-]+)`, '`${game}.fault.${check}`'],
  [`${GAME}\\.round\\.([\\w-]+)`, '{}.round.{}'],
  [`${GAME}\\.(?:ask|help)\\.([\\w-]+)`, '{}.{kind}.{}'],
  // Node.
  ['node\\.error\\.([\\w.-]+)', 'format!("node.error.{id}")'],
  ['node\\.error\\.invite\\.([\\w-]+)', 'format!("invite.{}", why.name())'],
  ['node\\.error\\.lobby\\.([\\w-]+)', 'format!("lobby.{}", refusal.word())'],
  ['node\\.odd\\.(\\w+)', 'format!("node.odd.{word}")'],
  ['node\\.fault\\.([\\w-]+)', 'format!("node.fault.{check}")'],
  ['play\\.step\\.(\\w+)', 'format!("play.step.{what}")'],
  // Dark chess.
  ['dark-chess\\.piece\\.(\\w+)', 'format!("piece.{}"'],
  ['dark-chess\\.why\\.(\\w+)', 'format!("why.{}"'],
  ['dark-chess\\.end\\.([\\w-]+)', 'format!("end.{}"'],
  ['dark-chess\\.do\\.(\\w+)', 'format!("do.{}"'],
  ['dark-chess\\.(do|did)\\.castle\\.(\\w+)', 'format!("{tense}.castle.{}"'],
  ['dark-chess\\.(do|did)\\.([\\w.]+)', 'format!("{tense}.{way}")'],
  ['dark-chess\\.caution\\.(\\w+)', 'format!("caution.{}"'],
  // High card, poker, zherotag.
  ['high-card\\.card\\.(\\d+)', 'format!("high-card.card.{}"'],
  ['high-card\\.(\\w+)', 'format!("high-card.{}"'],
  ['poker\\.card\\.(\\d+)', 'format!("card.{}"'],
  ['poker\\.rank\\.(\\d+)', 'format!("rank.{rank}")'],
  ['poker\\.ranks\\.(\\d+)', 'format!("ranks.{rank}")'],
  ['poker\\.have\\.(\\w+)', 'format!("have.{}"'],
  ['zherotag\\.direction\\.(\\w+)', 'format!("zherotag.direction.{}"'],
  // Tarokk.
  ['tarokk\\.card\\.(?:(\\w+)|[HDCS]:(?:[KQCJA]|10))', 'format!("tarokk.card.{card}")'],
  ['tarokk\\.suit\\.(\\w)', 'format!("suit.{}"'],
  ['tarokk\\.bid\\.(\\w+)', 'format!("bid.{}"'],
  ['tarokk\\.call\\.(\\w+)', 'format!("call.{call}")'],
  ['tarokk\\.(?:caution\\.)?figure\\.(\\w+)', 'format!("caution.figure.{}"'],
  ['tarokk\\.side\\.(?:to\\.)?(\\w+)', 'format!("side.to.{}"'],
  ['tarokk\\.kontra\\.(?:with\\.)?([1-5])', 'format!("kontra.with.{level}")'],
  ['tarokk\\.say\\.([89])', 'format!("say.{n}")'],
  ['tarokk\\.say\\.call\\.(\\w+)', 'format!("say.call.{card}")'],
  ['tarokk\\.ground\\.(\\w+)', 'format!("ground.{}"'],
];

/** Template literals that look like ids but are not: the subprotocol by which the socket sends its proof. */
const NO_ID = ['proof.'];

/** What the page composes in template literals: `t(`end.${report.end}`)`. A condition inserts one of its strings. */
const IN_PAGE = [...JS.matchAll(/`((?:[a-z][a-z-]*\.)(?:[\w.-]|\$\{[^`{}]*\})*\$\{[^`{}]*\}[\w.-]*(?:\$\{[^`{}]*\})?)`/g)].filter(([, template]) => !NO_ID.some((start) => template.startsWith(start))).flatMap(([, template]) => {
  const pattern = template.split(/(\$\{[^}]*\})/).map((piece) => (!piece.startsWith('${') ? piece.replaceAll('.', '\\.') : /\? '.*' : '/.test(piece) ? `(?:${[...piece.matchAll(/'([^']*)'/g)].map((choice) => choice[1].replaceAll('.', '\\.')).join('|')})` : '([\\w.:-]+?)')).join('');
  return [[pattern], [`page\\.${pattern}`]];
});

const ids = Object.keys(words('en'));
const isKnown = (group) => group === undefined || /^\d+$/.test(group) || WORDS.has(group);
const isComposed = (id) => [...COMPOSED, ...IN_PAGE].some(([pattern]) => id.match(new RegExp(`^${pattern}$`))?.slice(1).every(isKnown));
const isQuoted = (text, id) => text.includes(`"${id}"`) || text.includes(`'${id}'`);


function isUsed(id) {
  const [head, rest] = [id.slice(0, id.indexOf('.')), id.slice(id.indexOf('.') + 1)];
  const own = head === 'page' ? JS : OWN[head] ?? APP;
  const error = head === 'node' && rest.startsWith('error.') && NODE.includes(`sorry("${rest.slice('error.'.length)}"`);
  // The page and the games omit their own name.
  return isQuoted(own, id) || isQuoted(JS, id) || isQuoted(APP, id) || ((head === 'page' || head in OWN) && isQuoted(own, rest)) || error || isComposed(id);
}

/** Ids that the sources name in full, by source. */
function* mentioned() {
  const id = `((?:${HEADS.join('|')})\\.[a-z][\\w.:-]*[\\w])`;
  for (const [, found] of JS.matchAll(new RegExp(`'${id}'`, 'g'))) yield [found, 'the page'];
  for (const [, found] of JS.matchAll(/\bt\(\s*'([^']+)'/g)) yield [`page.${found}`, 'the page'];
  for (const [, one, other] of JS.matchAll(/\bt\([^'`()]*\? '([^']+)' : '([^']+)'/g)) yield* [[`page.${one}`, 'the page'], [`page.${other}`, 'the page']];
  for (const [, found] of APP.matchAll(new RegExp(`Text::new\\("${id}"\\)`, 'g'))) yield [found, 'the program'];
  for (const [, found] of NODE.matchAll(/\bsorry\("([\w.-]+)"/g)) yield [`node.error.${found}`, 'the program'];
  for (const game of GAMES) {
    for (const [, found] of OWN[game].matchAll(new RegExp(`"(${game}\\.[a-z][\\w.:-]*\\w)"`, 'g'))) yield [found, game];
    for (const [, found] of OWN[game].matchAll(/\b(?:msg|text)\("([a-z][\w.:-]*)"\)/g)) yield [`${game}.${found}`, game];
  }
}

test('no id is missing', () => {
  const all = [...mentioned()];
  assert.ok(all.length > 700, `only ${all.length} ids found: the sources are read wrongly`);
  assert.deepEqual([...new Set(all.filter(([id, where]) => !ids.includes(id) && !(where === 'the page' && ids.includes(`page.${id}`))).map(([id, where]) => `${id} (${where})`))], []);
  // Composed ids: at least one sentence fits each template of the page.
  assert.deepEqual(IN_PAGE.filter(([own], at) => at % 2 === 0 && ![own, IN_PAGE[at + 1][0]].some((pattern) => ids.some((id) => new RegExp(`^${pattern}$`).test(id)))).map(([own]) => own), []);
});

test('no id is left over', () => {
  assert.deepEqual(ids.filter((id) => !isUsed(id)), []);
  for (const stale of ['page.home.nowhere', 'page.end.nowhere', 'node.error.nowhere', 'play.nowhere', 'tarokk.step.nowhere', 'poker.fault.nowhere', 'high-card.nowhere']) assert.equal(isUsed(stale), false, stale);
});

test('the list of ids that are put together is not stale', () => {
  for (const [pattern, how] of COMPOSED) {
    assert.ok(ids.some((id) => new RegExp(`^${pattern}$`).test(id)), `no id is like ${pattern}`);
    assert.ok(EVERYTHING.includes(how), `no source has ${how}`);
  }
});

/** Catalogue files that only commands use. */
const OF_COMMANDS = { 'apps/outis/words/play.json': 'play', 'apps/outis/words/terminal.json': 'terminal', 'apps/outis/words/story.json': 'terminal', 'apps/outis/words/tournament.json': 'terminal', 'apps/outis/words/verify.json': 'terminal' };

test('every file has both languages of each sentence, with the same arguments, once', () => {
  const place = new Map();
  const named = (sentence) => [...new Set(templates(sentence).flatMap((template) => [...template.matchAll(/\{([^}]*)\}?/g)].map((match) => match[1])))].sort();
  for (const { name, text, entries } of areas()) {
    const written = [...text.matchAll(/^ {2}"([^"]+)": \{$/gm)].map((match) => match[1]);
    assert.deepEqual(written, Object.keys(entries), `${name}: an id twice, or a line that is not written like the others`);
    for (const [id, languages] of Object.entries(entries)) {
      assert.deepEqual(Object.keys(languages), ['en', 'hu'], `${name}: ${id}`);
      assert.deepEqual(named(languages.hu), named(languages.en), `${name}: ${id}`);
      for (const argument of named(languages.en)) assert.match(argument, /^[a-z_]+$/, `${name}: ${id}`);
      assert.equal(place.get(id), undefined, `${id} is in ${place.get(id)} and in ${name}`);
      place.set(id, name);
    }
    const heads = new Set(Object.keys(entries).map((id) => id.slice(0, id.indexOf('.'))));
    const expected = name.startsWith('apps/outis/web/') ? 'page' : OF_COMMANDS[name] ?? (name.startsWith('apps/') ? 'node' : name.split('/')[1]);
    assert.deepEqual([...heads], [expected], name);
  }
});

test('what belongs together on the page is in one file', () => {
  const place = new Map();
  for (const { name, entries } of areas().filter((area) => area.name.startsWith('apps/outis/web/'))) {
    for (const id of Object.keys(entries)) {
      const group = id.split('.')[1];
      assert.equal(place.get(group) ?? name, name, `page.${group}.… is in two files`);
      place.set(group, name);
    }
  }
});

test('the program reads every file of words', () => {
  const program = Object.values(OWN).join('\n');
  // Those of the page and of the program are embedded by build.rs, whatever their names.
  for (const { name } of areas().filter((area) => area.name.startsWith('games/'))) assert.ok(program.includes(`words/${name.split('/').at(-1)}"`), name);
});
