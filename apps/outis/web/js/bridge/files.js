// Files of the bridge tools: requested with the token, saved, or opened for printing.

import { app, toast } from '../app.js';
import { post, save } from '../link.js';
import { currentLanguage } from '../words.js';

/** How pages are printed; stored with the profile. */
export const paper = () => app.prefs.paper ?? 'a4';
export const language = () => app.prefs.printed ?? currentLanguage();

const wanted = (fields) => ({ paper: paper(), language: language(), ...fields });

/** A file name for a session. */
function nameOf(fields, title) {
  const plain = (title || 'outis').normalize('NFKD').replace(/[^\w\- ]/g, '').trim().replace(/\s+/g, '-').toLowerCase() || 'outis';
  return `${plain}-${fields.what}.${fields.format}`;
}

/** Makes a file and saves it. */
export async function download(fields, title) {
  try {
    save(await (await post('file', wanted(fields))).blob(), nameOf(fields, title));
  } catch (error) {
    toast('bad', error);
  }
}

/** Makes a file and opens it in the browser, which can print it. */
export async function print(fields) {
  // The click itself must open the window; its address follows.
  const view = globalThis.open('', '_blank');
  try {
    const { path } = await (await post('print', wanted(fields))).json();
    if (view) view.location.replace(path);
    else location.assign(path);
  } catch (error) {
    view?.close();
    toast('bad', error);
  }
}

/** Uploads a file with options; returns the answer, or null after showing what is wrong. */
export async function bring(what, options, content) {
  try {
    return await (await post(what, options, content)).json();
  } catch (error) {
    toast('bad', error);
    return null;
  }
}

/** A file of the analysis as text. */
export async function fetchText(fields) {
  return (await post('file', wanted(fields))).text();
}
