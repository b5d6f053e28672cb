// Shows the two pages in a headless Chromium with made-up data and VS Code's own theme colours, under the real content
// security policy, and takes pictures into out/preview. Run, with parts of scenes' names to choose some:
//   esbuild test/browser/preview/preview.ts --bundle --platform=node --packages=external --format=esm \
//     --outfile=out/preview/preview.mjs && node out/preview/preview.mjs [part of a name…]
import { mkdirSync, readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { PreviewPages, type PageName } from './previewPages';
import { masksScenes } from './masksScenes';
import { tableScenes } from './tableScenes';

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.some(part => name.includes(part));
const shots = [...tableScenes, ...masksScenes]
  .flatMap(scene => scene.themes.map(theme => ({ scene, theme, name: `${scene.name}-${theme}` })))
  .filter(({ name }) => isWanted(name));

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** What axe finds wrong, in short. Contrast is the theme's affair: VS Code's own colours do not always pass. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { rules: { 'color-contrast': { enabled: false }, 'page-has-heading-one': { enabled: false } } })
    .then(result => result.violations.map(v => 'axe ' + v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')))`);
}

mkdirSync('out/preview', { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  ignoreDefaultArgs: ['--hide-scrollbars'],
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
});
const pages = await PreviewPages.bundle(browser, [
  ...new Set<PageName>(shots.map(({ scene }) => scene.page)),
]);
let problems = 0;
for (const { scene, theme, name } of shots) {
  const preview = await pages.open(scene, theme);
  try {
    await scene.act?.(preview.page);
  } catch (error) {
    preview.problems.push(String(error));
  }
  const faults = [...preview.problems, ...(await accessibilityFaults(preview.page))];
  for (const words of faults) console.error(`${name}: ${words}`);
  problems += faults.length;
  await preview.page.screenshot({ path: `out/preview/${name}.png`, animations: 'disabled' });
  await preview.close();
  console.log(`out/preview/${name}.png`);
}
await browser.close();
process.exitCode = problems > 0 ? 1 : 0;
