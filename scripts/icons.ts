/** Draws the icons of the page from `icon.svg`: `npm run icons`. They are small and change rarely, so they are kept. */
import { readFileSync, writeFileSync } from 'node:fs';
import { startBrowser } from '../test/support/browser.js';

const folder = 'src/web/static';
const svg = readFileSync(`${folder}/icon.svg`, 'utf8');
const background = '#0e1112';

/** `share`: how much of the side the mark takes. A maskable icon may lose its outer fifth. */
const icons = [
  { name: 'icon-192.png', size: 192, share: 0.62 },
  { name: 'icon-512.png', size: 512, share: 0.62 },
  { name: 'icon-maskable.png', size: 512, share: 0.5 },
];

const browser = await startBrowser();
for (const { name, size, share } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const mark = size * share;
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;width:${size}px;height:${size}px;background:${background}">
      <div style="width:${mark}px;height:${mark}px">${svg.replace('<svg', '<svg width="100%" height="100%"')}</div>`,
  );
  writeFileSync(`${folder}/${name}`, await page.screenshot());
  await page.close();
}
await browser.close();
