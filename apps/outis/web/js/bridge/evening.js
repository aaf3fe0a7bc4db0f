// One session: sheets before play, records after it, corrections in between.

import { app, ask, go, refresh } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, title } from '../parts.js';
import { moment, t } from '../words.js';
import { called, eveningOf, look, outputs, progress, span, suitSign, SUITS } from './parts.js';

export function eveningScreen(id) {
  const evening = eveningOf(id);
  if (!evening) return h('div', { class: 'page narrow' }, title(t('bridge.gone')), h('a', { class: 'button', href: '#/bridge' }, t('bridge.title')));
  const name = called(evening);
  const of = (what) => ({ evening: id, what });
  return h('div', { class: 'page narrow' },
    h('div', { class: 'stack' }, title(name),
      h('p', { class: 'muted' }, t('bridge.evening.about', { boards: span(evening.boards) }), ' · ', h('time', {}, moment(evening.made))), look()),
    evening.sheets && h('section', { class: 'panel' }, h('h2', {}, t('bridge.sheets')),
      h('p', {}, t('bridge.sheets.how')),
      outputs(of('sheets'), ['pdf', 'txt'], evening.title),
      evening.seal && sealed(evening)),
    h('section', { class: 'panel' }, h('h2', {}, t('bridge.curtains')), h('p', {}, t('bridge.curtains.how')),
      outputs(of('curtains'), ['pdf', 'txt'], evening.title)),
    h('section', { class: 'panel' }, h('h2', {}, t('bridge.check')), h('p', {}, t('bridge.check.how')),
      h('div', { class: 'row' }, h('a', { class: 'button', href: `#/bridge/repair/${id}` }, icon('repair'), h('span', {}, t('bridge.check.go')))),
      corrections(evening)),
    records(evening, of),
    h('section', { class: 'panel' }, h('h2', {}, t('bridge.sorting')), h('p', {}, t('bridge.sorting.how')),
      outputs(of('sorting'), ['pdf', 'txt'], evening.title)),
    h('section', { class: 'panel' }, h('h2', {}, t('bridge.keep')), h('p', {}, t('bridge.keep.text')),
      h('div', { class: 'row' },
        outputs(of(evening.sheets ? 'sheets' : 'records'), ['json'], evening.title),
        app.local.sure ? button(t('bridge.forget.sure'), async () => { if (await ask('bridge-forget', { evening: id })) go('bridge'); }, { kind: 'danger' })
          : button(t('bridge.forget'), () => { app.local.sure = true; refresh(); }, { kind: 'quiet' }))));
}

const sealed = (evening) => h('details', {}, h('summary', {}, t('bridge.seal.show')),
  h('div', { class: 'stack tight' }, h('p', { class: 'code seal' }, evening.seal), h('p', { class: 'muted small' }, t('bridge.seal.how'))));

function records(evening, of) {
  const { evening: id, unsolved } = evening;
  const busy = progress('analyse', id);
  return h('section', { class: 'panel', id: 'records' }, h('h2', {}, t('bridge.records')), h('p', {}, t('bridge.records.how')),
    h('p', { class: 'notice' }, t('bridge.records.caution')),
    busy || (unsolved > 0
      ? h('div', { class: 'row' }, button(t('bridge.solve', { n: unsolved }), () => ask('bridge-analyse', { evening: id }), { disabled: Boolean(app.bridge?.job) }), h('span', { class: 'muted small' }, t('bridge.solve.why')))
      : h('p', { class: 'row' }, h('span', { class: 'tag good' }, icon('good'), t('bridge.solved')))),
    outputs(of('records'), ['pdf', 'html', 'pbn', 'lin', 'txt'], evening.title));
}

/** Corrections of single boards, each of which can be undone; and exchanged suits, which need no cards. */
function corrections(evening) {
  const { evening: id } = evening;
  const local = app.local;
  const text = (mark) => (mark.mark === 'suits'
    ? [t('bridge.mark.suits'), ' ', SUITS.flatMap((suit, at) => (mark.to[at] === suit ? [] : [h('span', { class: 'renamed' }, suitSign(suit), '→', suitSign(mark.to[at])), ' ']))]
    : t(`bridge.mark.${mark.mark}`));
  const swap = async () => {
    if (await ask('bridge-mark', { evening: id, board: Number(local.swapBoard ?? evening.boards[0]), mark: 'suits', suits: (local.swapA ?? 'S') + (local.swapB ?? 'H') })) refresh();
  };
  const select = (name, caption, values, usual) => h('div', { class: 'field' }, h('label', { for: name }, caption),
    h('select', { id: name, value: String(local[name] ?? usual), onchange: (event) => { local[name] = event.target.value; refresh(); } }, values.map(([value, label]) => h('option', { value: String(value) }, label))));
  const suits = SUITS.map((suit) => [suit, t(`bridge.suit.${suit}`)]);
  return h('div', { class: 'stack' },
    evening.marks.length > 0 && h('ul', { class: 'list' }, evening.marks.map((mark) => h('li', { key: mark.board },
      h('span', {}, h('strong', {}, t('bridge.board', { board: mark.board })), ' · ', text(mark)),
      button(t('bridge.undo'), () => ask('bridge-mark', { evening: id, board: mark.board, mark: 'none' }), { kind: 'small', 'aria-label': t('bridge.undo.board', { board: mark.board }) })))),
    h('details', {}, h('summary', {}, t('bridge.swap')),
      h('div', { class: 'stack' }, h('p', { class: 'muted' }, t('bridge.swap.how')),
        h('div', { class: 'row fields' }, select('swapBoard', t('bridge.board.label'), evening.boards.map((board) => [board, String(board)]), evening.boards[0]),
          select('swapA', t('bridge.swap.a'), suits, 'S'), select('swapB', t('bridge.swap.b'), suits, 'H'),
          button(t('bridge.swap.go'), swap, { disabled: (local.swapA ?? 'S') === (local.swapB ?? 'H') })))));
}
