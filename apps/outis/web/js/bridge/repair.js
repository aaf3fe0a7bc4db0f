// Repairs a fouled board at the table: tap the cards of one hand, and the program says what went wrong or which hand to look at next. It
// shows nothing of the record.

import { app, ask, go, refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, title } from '../parts.js';
import { currentLanguage, t } from '../words.js';
import { called, eveningOf, evenings, SEATS, suitSign, SUITS } from './parts.js';

const RANKS = ['A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', '4', '3', '2'];
const shown = (rank) => (rank === 'T' ? '10' : /\d/.test(rank) ? rank : t(`bridge.rank.${rank}`));

/** `AK2.QJ..T98` for the cards of a hand; null if the hand has not been looked at. */
const written = (hand) => (hand && hand.size ? SUITS.map((suit) => RANKS.filter((rank) => hand.has(suit + rank)).join('')).join('.') : null);

export function repairScreen(arg) {
  const [id, number] = (arg || '').split('/');
  const evening = eveningOf(id);
  if (!evening) return pick();
  const local = app.local;
  const board = evening.boards.includes(Number(number)) ? Number(number) : evening.boards[0];
  local.hands ??= [null, null, null, null];
  local.seat ??= 0;
  const hand = local.hands[local.seat];
  const fields = () => ({ evening: id, board, hands: local.hands.map(written) });
  const change = (act) => {
    act();
    local.answer = null;
    refresh();
  };
  const tap = (card) => change(() => {
    const next = new Set(hand || []);
    if (!next.delete(card)) next.add(card);
    local.hands[local.seat] = next;
  });
  const look = async () => {
    const answer = await ask('bridge-look', { ...fields(), language: currentLanguage() });
    if (!answer) return;
    local.answer = answer;
    if (answer.next !== null) local.seat = answer.next;
    refresh(() => document.querySelector('.finding')?.focus());
  };
  const mark = async (kind) => {
    if (await ask('bridge-mark', { ...fields(), mark: kind })) go(`bridge/evening/${id}`);
  };
  const seen = local.hands.filter((one) => one?.size).length;
  return h('div', { class: 'page narrow repair' },
    h('div', { class: 'stack' }, title(t('bridge.check')), h('p', { class: 'muted' }, h('a', { href: `#/bridge/evening/${id}` }, called(evening)), ' · ', t('bridge.check.who'))),
    h('div', { class: 'field board-field' }, h('label', { for: 'board' }, t('bridge.board.label')),
      h('select', { id: 'board', value: String(board), onchange: (event) => go(`bridge/repair/${id}/${event.target.value}`) }, evening.boards.map((one) => h('option', { value: String(one) }, String(one))))),
    h('div', { class: 'hand-tabs', role: 'group', 'aria-label': t('bridge.hands') }, SEATS.map((seat, at) => {
      const count = local.hands[at]?.size || 0;
      return h('button', { type: 'button', key: seat, class: 'button', 'aria-pressed': String(at === local.seat), onclick: () => { local.seat = at; refresh(); } },
        h('span', {}, t(`bridge.seat.${seat}`)), h('span', { class: 'small number' }, count ? `${count}/13` : '–'));
    })),
    h('section', { class: 'panel keys', 'aria-label': t(`bridge.seat.${SEATS[local.seat]}`) }, SUITS.map((suit) => h('div', { class: 'suit-keys', key: suit, role: 'group', 'aria-label': t(`bridge.suit.${suit}`) },
      suitSign(suit),
      RANKS.map((rank) => h('button', { type: 'button', key: rank, class: 'button key', 'data-card': suit + rank, 'aria-pressed': String(Boolean(hand?.has(suit + rank))), 'aria-label': `${t(`bridge.suit.${suit}`)} ${shown(rank)}`, onclick: () => tap(suit + rank) }, shown(rank))))),
    h('div', { class: 'row' }, h('span', { class: 'number' }, t('bridge.count', { n: hand?.size || 0 })), button(t('bridge.clear'), () => change(() => { local.hands[local.seat] = null; }), { kind: 'small quiet', disabled: !hand?.size }))),
    h('div', { class: 'row sticky' }, button(t('bridge.look.go'), look, { kind: 'primary', disabled: seen === 0 })),
    local.answer && finding(local.answer, mark, seen));
}

const GOOD = new Set(['right']);

function finding(answer, mark, seen) {
  const good = GOOD.has(answer.finding);
  return h('section', { class: `finding notice ${good ? 'good' : ''}`, tabindex: '-1', 'aria-live': 'polite' },
    h('h2', { class: 'row' }, icon(good ? 'good' : answer.finding === 'look' ? 'help' : 'repair'), t(`bridge.finding.${answer.finding}`)),
    answer.lines.map((line, at) => h('p', { key: at, class: line.startsWith(' ') ? 'code' : '', lang: currentLanguage() }, h('bdi', {}, line.trim()))),
    !good && answer.finding !== 'look' && h('div', { class: 'row' },
      (seen === 4 || answer.finding === 'suits') && answer.finding !== 'counts' && button(t('bridge.mark.played.go'), () => mark('played')),
      button(t('bridge.mark.invalid.go'), () => mark('invalid'), { kind: 'quiet' })));
}

/** No session is chosen yet: asks which one. */
function pick() {
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(t('bridge.check')), h('p', {}, t('bridge.check.how'))),
    evenings().length
      ? h('ul', { class: 'list' }, evenings().map((one) => h('li', { key: one.evening }, h('strong', {}, called(one)), h('a', { class: 'button small', href: `#/bridge/repair/${one.evening}` }, t('bridge.check.go')))))
      : h('div', { class: 'empty' }, h('p', {}, t('bridge.check.none')), h('a', { class: 'button', href: '#/bridge' }, t('bridge.title'))));
}
