// The real program, started with its own profile. The binary is $OUTIS, or cargo's latest build.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from './words.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The program to test. */
export function binary() {
  if (process.env.OUTIS) return process.env.OUTIS;
  const built = ['debug', 'release'].map((kind) => join(ROOT, 'target', kind, 'outis')).filter(existsSync);
  if (!built.length) throw new Error('no program to test: run `cargo build -p outis` or set OUTIS');
  return built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}

/** Starts a node, on this port or any; `again` starts it once more with the same profile after a kill. */
export async function startNode(port = '0') {
  const profile = mkdtempSync(join(tmpdir(), 'outis-web-'));
  const node = { profile };
  node.again = async () => {
    const child = spawn(binary(), ['--no-open', ...(port === null ? [] : ['--port', port]), '--profile', profile], { env: { ...process.env, OUTIS_WEB: join(ROOT, 'apps/outis/web') }, stdio: ['ignore', 'pipe', 'pipe'] });
    node.child = child;
    node.open = await new Promise((done, fail) => {
      let said = '';
      const hear = (data) => {
        said += data;
        const found = said.match(/http:\/\/127\.0\.0\.1:\d+\/once\/[0-9a-f]{32}/);
        if (found) done(found[0]);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('exit', (code) => fail(new Error(`the program ended with ${code}: ${said}`)));
    });
    // The printed address opens the page once; a test may open it as often as it likes.
    node.printed = node.open;
    node.token = (await (await fetch(node.open)).text()).match(/content="([0-9a-f]{32})"/)[1];
    node.url = node.open.split('once/')[0];
    node.open = `${node.url}#let-in=${node.token}`;
  };
  node.kill = () => new Promise((done) => {
    node.child.removeAllListeners('exit');
    node.child.on('exit', done);
    node.child.kill('SIGKILL');
  });
  node.stop = async () => {
    await node.kill();
    rmSync(profile, { recursive: true, force: true });
  };
  await node.again();
  return node;
}

/** The invite of the table on the page. It may be there already; a player who was never asked how friends get here answers first. */
export async function makeInvite(page) {
  const [invite, make] = [page.locator('#invite-text'), page.locator('button:not(:disabled)', { hasText: say('page.gather.make') })];
  await invite.or(make).first().waitFor();
  if (!(await invite.count())) {
    if (await page.locator('#way-local').count()) await page.locator('#way-local').check();
    await make.click();
  }
  await invite.waitFor();
  return invite.inputValue();
}
