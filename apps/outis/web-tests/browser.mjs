// The tests' browser: Debian's Chromium, without a network.

import { chromium } from 'playwright-core';

/** How long a page may take to show what a test waits for, in milliseconds. A busy machine may take a minute. */
export const PATIENCE = Number(process.env.PATIENCE || 300_000);

export async function launch() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    timeout: PATIENCE,
  });
  for (const make of ['newContext', 'newPage']) {
    const plain = browser[make].bind(browser);
    browser[make] = async (...options) => {
      const made = await plain(...options);
      made.setDefaultTimeout(PATIENCE);
      // A test opens the page as often as it likes: it puts the token where the page keeps it, which no address alone can do.
      await made.addInitScript(() => {
        const [, token] = location.hash.match(/^#let-in=([0-9a-f]{32})$/) || [];
        if (!token) return;
        localStorage.setItem('outis.token', token);
        history.replaceState(null, '', location.pathname);
      });
      return made;
    };
  }
  return browser;
}
