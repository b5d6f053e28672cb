// Shows the two pages in a headless Chromium with made-up data and VS Code's own theme colors, under the real content
// security policy, and saves screenshots in out/preview. Run it, with parts of names to select scenes:
//   esbuild test/browser/preview/preview.ts --bundle --platform=node --packages=external --format=esm \
//     --outfile=out/preview/preview.mjs && node out/preview/preview.mjs [part of a name…]
import { mkdirSync } from 'node:fs';
import { launchChromium } from '../../host/chromium';
import { accessibilityFaults } from '../accessibility';
import { PreviewPages, type PageName } from './previewPages';
import { masksScenes } from './masksScenes';
import { tableScenes } from './tableScenes';

const parts = process.argv.slice(2);
const isSelected = (name: string) => parts.length === 0 || parts.some(part => name.includes(part));
const shots = [...tableScenes, ...masksScenes]
  .flatMap(scene => scene.themes.map(theme => ({ scene, theme, name: `${scene.name}-${theme}` })))
  .filter(({ name }) => isSelected(name));

mkdirSync('out/preview', { recursive: true });
const browser = await launchChromium({ ignoreDefaultArgs: ['--hide-scrollbars'] });
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
  // Contrast is up to the theme: VS Code's own colors do not always pass.
  const wrong = await accessibilityFaults(preview.page, 'color-contrast', 'page-has-heading-one');
  const faults = [...preview.problems, ...wrong];
  for (const fault of faults) console.error(`${name}: ${fault}`);
  problems += faults.length;
  await preview.page.screenshot({ path: `out/preview/${name}.png`, animations: 'disabled' });
  await preview.close();
  console.log(`out/preview/${name}.png`);
}
await browser.close();
process.exitCode = problems > 0 ? 1 : 0;
