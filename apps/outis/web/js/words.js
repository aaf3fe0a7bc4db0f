// Turns message ids into sentences. Catalogues are flat objects: each sentence is a template with `{name}` where an argument goes, or a
// template for each plural category, `{by, one, other}`, where `by` names the argument that is counted.

let catalogue = {};
let language = 'en';

/** Sets the language and its catalogue. */
export function learn(code, words) {
  language = code;
  catalogue = words;
}

export const currentLanguage = () => language;
/** Whether the catalogue has this id. */
export const has = (id) => Object.hasOwn(catalogue, id);

// Control characters and marks that change the direction of text: names do not need them.
const UNWANTED = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** A peer's text, cleaned for one line. It is shown as plain text. */
export function tame(text, most = 200) {
  const clean = String(text ?? '').replace(UNWANTED, '').trim();
  const points = [...clean];
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : clean;
}

/** The page's own texts: `t('home.title')` is the id `page.home.title`. */
export const t = (id, args, names) => say(`page.${id}`, args, names);

/** The sentence for an id with plain arguments (numbers, strings, texts, lists of texts). */
export function say(id, args = {}, names = []) {
  if (!has(id)) return id;
  return template(catalogue[id], args).replace(/\{([a-z_]+)\}/g, (whole, name) => (Object.hasOwn(args, name) ? word(args[name], names) : whole));
}

/** The sentence for a text as the node sends it: `{id, args}`. */
export function tell(text, names = []) {
  if (typeof text === 'string') return text;
  if (!text || typeof text.id !== 'string') return '';
  return say(text.id, text.args, names);
}

/** The lines without text drawings, which are meant for terminals. */
export const spoken = (lines) => (lines || []).filter((line) => !line.id?.includes('.drawn.'));

/** The template that fits the counted argument; anything that is neither a number nor a list counts as one. */
function template(sentence, args) {
  if (typeof sentence === 'string') return sentence;
  const counted = Object.hasOwn(args, sentence.by) ? args[sentence.by] : undefined;
  const count = typeof counted === 'number' ? counted : Array.isArray(counted) ? counted.length : counted === undefined ? 0 : 1;
  return sentence[new Intl.PluralRules(language).select(count)] ?? sentence.other;
}

/** English is British here: 3 Nov 2026, 14:05, and no comma before the last item of a list. */
const locale = () => (language === 'en' ? 'en-GB' : language);

/** Joins names in a sentence: "Anna, Béla and Cili". */
export const together = (list) => new Intl.ListFormat(locale(), { type: 'conjunction' }).format(list);

const isPerson = (arg) => Number.isInteger(arg?.seat) || typeof arg?.plain === 'string';

function word(arg, names) {
  if (Array.isArray(arg)) {
    const words = arg.map((item) => word(item, names));
    return arg.every(isPerson) ? together(words) : words.join(', ');
  }
  if (typeof arg === 'number') return number(arg);
  if (arg && typeof arg === 'object') {
    if (Number.isInteger(arg.seat)) return names[arg.seat] ?? t('seat.unnamed', { n: arg.seat + 1 });
    if (typeof arg.plain === 'string') return tame(arg.plain, 500);
    return tell(arg, names);
  }
  return String(arg);
}

/** A number in the language's format, with a real minus sign. */
export function number(value) {
  return new Intl.NumberFormat(language, { useGrouping: Math.abs(value) >= 10000, maximumFractionDigits: 1 }).format(value).replace('-', '\u2212');
}

/** A signed amount of points. */
export const points = (value) => (value > 0 ? `+${number(value)}` : number(value));

/** A duration given in microseconds. */
export function span(micros) {
  if (micros === undefined || micros === null) return '';
  if (micros < 1000) return t('span.micros', { n: Math.max(1, Math.round(micros)) });
  if (micros < 1_000_000) return t('span.millis', { n: micros < 10_000 ? Math.round(micros / 100) / 10 : Math.round(micros / 1000) });
  return t('span.seconds', { n: Math.round(micros / 100_000) / 10 });
}

/** A size in bytes, for display. */
export function size(bytes) {
  if (bytes < 1000) return t('size.bytes', { n: bytes });
  if (bytes < 1_000_000) return t('size.kilo', { n: Math.round(bytes / 100) / 10 });
  return t('size.mega', { n: Math.round(bytes / 100_000) / 10 });
}

/** A time given in milliseconds since 1970; a peer may send numbers that are not valid times. */
export function moment(millis) {
  const date = new Date(millis);
  if (Number.isNaN(date.getTime())) return '–';
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}
