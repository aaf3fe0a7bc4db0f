// Name, language, appearance, sound, network.

import { app, ask, refresh, setPref, setProfile, toast } from '../app.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { button, choice, title } from '../parts.js';
import { currentLanguage, t, tell } from '../words.js';
import { blockedList } from './blocks.js';
import { placeForm } from './open.js';
import { isAsked, lobbyHelps, wayFields, wayNow } from './reach.js';

const onOff = () => [[true, t('settings.on')], [false, t('settings.off')]];

export function settings() {
  const profile = app.profile || {};
  const local = app.local;
  const rename = async (event) => {
    event.preventDefault();
    const name = (local.name ?? profile.name).trim();
    if (name && (await setProfile({ name }))) toast('good', { id: 'page.settings.saved' });
  };
  return h('div', { class: 'page narrow' },
    title(t('nav.settings')),
    h('section', { class: 'panel' }, h('h2', {}, t('settings.you')),
      h('form', { class: 'row join', onsubmit: rename },
        h('div', { class: 'field grow' }, h('label', { for: 'name' }, t('settings.name')), h('input', { id: 'name', type: 'text', maxlength: 40, autocomplete: 'off', value: local.name ?? profile.name ?? '', oninput: (event) => { local.name = event.target.value; } })),
        h('button', { type: 'submit', class: 'button' }, t('settings.save'))),
      profile.words && h('p', { class: 'muted' }, t('settings.words'), ' ', h('strong', { class: 'code' }, profile.words))),
    h('section', { class: 'panel' }, h('h2', {}, t('settings.look')),
      choice(t('settings.language'), [['en', h('span', { lang: 'en' }, 'English')], ['hu', h('span', { lang: 'hu' }, 'Magyar')]], currentLanguage(), (language) => setProfile({ language })),
      choice(t('settings.theme'), ['auto', 'dark', 'light'].map((theme) => [theme, t(`theme.${theme}`)]), profile.theme ?? 'auto', (theme) => setProfile({ theme })),
      choice(t('settings.motion'), [['auto', t('motion.auto')], ['none', t('motion.none')]], app.prefs.motion, (value) => setPref('motion', value)),
      choice(t('settings.sound'), onOff(), app.prefs.sound, (value) => setPref('sound', value)),
      choice(t('settings.four'), onOff(), app.prefs.four, (value) => setPref('four', value))),
    h('section', { class: 'panel' }, h('h2', {}, t('keys.title')), h('ul', { class: 'lines' }, ['tab', 'arrows', 'numbers', 'more'].map((name) => h('li', { key: name }, t(`keys.${name}`))))),
    h('section', { class: 'panel' }, h('h2', {}, t('open.place')), placeForm()),
    blockedList(),
    network());
}

/** One sentence about how friends will reach this machine. */
export function networkNote() {
  // A player who was never asked is asked at the first invite.
  if (!app.network || isAsked()) return null;
  return h('p', { class: 'muted' }, t(lobbyHelps(wayNow()) ? 'network.lobby.note' : `network.${wayNow()}.note`), ' ', h('a', { href: '#/settings' }, t('network.change')));
}

/** What this machine has found out about how it can be reached. */
function found(now) {
  if (!['ready', 'lost'].includes(now.state)) return null;
  const outside = now.outside ?? [];
  const over = now.helper !== 'nobody' && now.at && t(now.state === 'lost' ? 'network.found.relay.lost' : 'network.found.relay', { relay: { plain: now.at } });
  const direct = now.only ? null : outside.length > 0 ? t('network.found.outside', { list: { plain: outside.join(', ') } }) : t(now.helper === 'nobody' ? 'network.found.inside.only' : 'network.found.inside');
  return h('ul', { class: 'lines small', id: 'found' }, [over, direct].filter(Boolean).map((line) => h('li', { key: line }, line)));
}

function network() {
  const now = app.network || { state: 'off', addresses: [], relay: null };
  const local = app.local;
  local.mode ??= wayNow();
  local.relay ??= now.relay || '';
  local.only ??= Boolean(now.only);
  local.lan ??= Boolean(now.lan);
  const set = async () => {
    if (!(await ask('network', wayFields(local.mode, local)))) return;
    await setPref('reach', true);
    toast('good', { id: 'page.settings.saved' });
  };
  return h('section', { class: 'panel' }, h('h2', {}, t('network.title')),
    h('p', { class: 'row' }, h('span', { class: `tag ${now.state === 'failed' ? 'bad' : now.state === 'ready' ? 'good' : ''}` }, icon(now.state === 'failed' ? 'bad' : now.state === 'ready' ? 'good' : 'wait'), t(`network.state.${now.state}`)), now.why && h('span', {}, tell(now.why))),
    found(now),
    choice(t('network.how'), ['public', 'direct', 'local', 'relay'].map((mode) => [mode, t(`network.${mode}`)]), local.mode, (mode) => { local.mode = mode; refresh(); }),
    h('p', { class: 'muted' }, t(lobbyHelps(local.mode) ? 'network.lobby.reveals' : `network.${local.mode}.reveals`)),
    local.mode === 'relay' && h('div', { class: 'field' }, h('label', { for: 'relay' }, t('network.relay.address')), h('input', { id: 'relay', type: 'text', spellcheck: 'false', value: local.relay, oninput: (event) => { local.relay = event.target.value; } })),
    local.mode === 'relay' && choice(t('network.only'), [[false, t('network.only.no')], [true, t('network.only.yes')]], local.only, (only) => { local.only = only; refresh(); }),
    !(local.mode === 'relay' && local.only) && choice(t('network.lan'), onOff(), local.lan, (lan) => { local.lan = lan; refresh(); }),
    !(local.mode === 'relay' && local.only) && h('p', { class: 'muted' }, t('network.lan.reveals')),
    h('div', { class: 'row' }, button(t('settings.save'), set)));
}
