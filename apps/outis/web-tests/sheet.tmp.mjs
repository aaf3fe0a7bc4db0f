// montage of pictures: node sheet.mjs out.png width file...
import { chromium } from 'playwright-core'; import fs from 'fs';
const [,, out, w, ...files] = process.argv;
const b = await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu']});
const p = await b.newPage({viewport:{width:1560,height:800}});
await p.setContent('<body style="margin:4px;background:#777;display:flex;flex-wrap:wrap;gap:6px;align-items:start">'+files.map(f=>`<img style="width:${w}px" src="data:image/png;base64,${fs.readFileSync(f).toString('base64')}">`).join(''));
await p.waitForTimeout(400); await p.screenshot({path:out,fullPage:true}); await b.close();
