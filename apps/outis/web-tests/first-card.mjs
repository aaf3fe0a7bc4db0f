// Measures the time from the start of the program to the first card in the browser, and the memory it uses when idle. Use a release build:
// OUTIS=target/release/outis node first-card.mjs

import { readFileSync } from 'node:fs';
import { launch } from './browser.mjs';
import { startNode } from './node.mjs';
import { say } from './words.mjs';

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 850 }, locale: 'en-GB' });
const began = performance.now();
const node = await startNode();
const seconds = () => ((performance.now() - began) / 1000).toFixed(2);
await page.goto(node.open);
await page.waitForSelector('.tiles');
console.log(`page after ${seconds()} s`);
await page.waitForTimeout(1000);
const status = readFileSync(`/proc/${node.child.pid}/status`, 'utf8');
console.log(`idle: ${Math.round(Number(status.match(/VmRSS:\s+(\d+)/)[1]) / 1024)} MB`);
const pressed = performance.now();
await page.locator('.tile', { hasText: say('tarokk.name') }).locator('.primary').click();
await page.waitForSelector('[data-card]');
console.log(`first card ${((performance.now() - pressed) / 1000).toFixed(2)} s after the click`);
await browser.close();
await node.stop();
