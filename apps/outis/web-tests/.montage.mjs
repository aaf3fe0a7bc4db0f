import { launch } from './browser.mjs';
import { readFileSync } from 'node:fs';
const [out, width, ...files] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1500, height: 800 } });
await page.setContent(`<body style="margin:0;display:flex;flex-wrap:wrap;gap:6px;align-items:flex-start;background:#888">${files.map((f) => `<img style="width:${width}px" src="data:image/png;base64,${readFileSync(f).toString('base64')}">`).join('')}</body>`);
await page.waitForTimeout(200);
await page.screenshot({ path: out, fullPage: true });
await browser.close();
