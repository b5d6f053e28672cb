// Shows the two pages in a headless Chromium with made-up data and VS Code's own theme colours, under the real content
// security policy, and takes pictures into out/preview. Run, with parts of scenes' names to choose some:
//   esbuild test/browser/preview/preview.ts --bundle --platform=node --packages=external --format=esm \
//     --outfile=out/preview/preview.mjs && node out/preview/preview.mjs [part of a name…]
import { mkdirSync } from 'node:fs';
import { launchChromium } from '../../host/chromium';
import { accessibilityFaults } from '../accessibility';
import { PreviewPages, type PageName } from './previewPages';
import { masksScenes } from './masksScenes';
import { tableScenes } from './tableScenes';

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.some(part => name.includes(part));
const shots = [...tableScenes, ...masksScenes]
  .flatMap(scene => scene.themes.map(theme => ({ scene, theme, name: `${scene.name}-${theme}` })))
  .filter(({ name }) => isWanted(name));

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
  // Contrast is the theme's affair: VS Code's own colours do not always pass.
  const wrong = await accessibilityFaults(preview.page, 'color-contrast', 'page-has-heading-one');
  const faults = [...preview.problems, ...wrong];
  for (const words of faults) console.error(`${name}: ${words}`);
  problems += faults.length;
  await preview.page.screenshot({ path: `out/preview/${name}.png`, animations: 'disabled' });
  await preview.close();
  console.log(`out/preview/${name}.png`);
}
await browser.close();
process.exitCode = problems > 0 ? 1 : 0;
