// Runs all tests in two lanes side by side: those against the mock, and those with real programs, which mostly wait for each other.
// The second lane's output is printed when the first has ended.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

const LANES = [
  ['words', 'ids', 'page', 'begin', 'reach', 'one-screen', 'hands', 'layout', 'dark-chess', 'poker', 'mine', 'letters'],
  ['node', 'lab', 'languages', 'bridge', 'friends', 'cheat', 'shared', 'meeting'],
];

const forgotten = readdirSync('.').filter((name) => name.endsWith('.test.mjs') && !LANES.flat().includes(name.slice(0, -'.test.mjs'.length)));
if (forgotten.length) throw new Error(`in no lane: ${forgotten.join(', ')}`);

const run = (names, stdio) => {
  const files = names.map((name) => `${name}.test.mjs`);
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], { stdio });
  const output = [];
  child.stdout?.on('data', (data) => output.push(data));
  child.stderr?.on('data', (data) => output.push(data));
  const ended = new Promise((done) => { child.on('close', (code) => done(code ?? 1)); });
  return ended.then((code) => ({ code, output: Buffer.concat(output) }));
};

const [first, second] = await Promise.all([run(LANES[0], 'inherit'), run(LANES[1], ['ignore', 'pipe', 'pipe'])]);
process.stdout.write(second.output);
process.exit(first.code || second.code);
