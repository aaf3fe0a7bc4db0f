// A person with simple habits, who takes the first possible action: by clicks, or by the keyboard alone.

// An element may disappear at any moment: no wait is longer than this, or the next look would come minutes too late.
const SOON = { timeout: 5000 };

const press = {
  click: async (locator) => locator.click({ ...SOON, position: { x: 8, y: 40 } }),
  keyboard: async (locator) => {
    await locator.focus(SOON);
    await locator.page().keyboard.press('Enter');
  },
};

/** Takes one action, if there is one. Returns which one. */
async function once(page, way) {
  const done = async (locator, what, how = press[way]) => {
    await how(locator);
    return what;
  };
  const plain = way === 'click' ? (locator) => locator.click(SOON) : press.keyboard;
  const confirm = page.locator('.confirm .primary');
  if (await confirm.count()) return done(confirm.first(), 'confirm', plain);
  const lay = page.locator('[data-token="discard"]');
  if (await lay.count()) {
    if (await lay.isEnabled(SOON)) return done(lay, 'lay', plain);
    const open = page.locator('.slot.can:not(.chosen) .card');
    return done(open.last(), 'choose');
  }
  const can = page.locator('.slot.can .card');
  if (await can.count()) return done(can.first(), `card ${await can.first().getAttribute('data-card', SOON)}`);
  const pass = page.locator('.speech [data-token="pass"]:not(:disabled)');
  if (await pass.count()) return done(pass, 'pass', plain);
  const first = page.locator('.actions .button:not(:disabled)');
  if (await first.count()) return done(first.first(), `do ${await first.first().getAttribute('data-token', SOON)}`, plain);
  return null;
}

/** Plays until `over` is on the page. Returns everything that was done. */
export async function playUntil(page, over, { way = 'click', seconds = 300 } = {}) {
  const did = [];
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await page.locator(over).count()) return did;
    // An element may disappear between looking and pressing: then look again.
    const what = await once(page, way).catch((error) => (/Timeout|detached|not attached|intercepts/.test(error.message) ? null : Promise.reject(error)));
    if (what) did.push(what);
    await page.waitForTimeout(what ? 40 : 90);
  }
  throw new Error(`no ${over} after ${seconds} s; done: ${did.join(', ')}; status: ${await page.locator('.status').innerText().catch(() => '')}`);
}
