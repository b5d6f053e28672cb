// Shows the pages in a headless Chromium with made-up data and VS Code's own theme colors, under
// the real content security policy, and saves screenshots in out/preview. Run it, with parts of
// names to select scenes:
//   npm test -- --only preview [options] [part of a name…]
// Options: --every-theme, --width=400 (pixels of the window), --zoom=200 (percent, as the window's
// zoom level).
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { launchChromium } from '../../host/chromium';
import { writeCounts } from '../../host/counts';
import { accessibilityFaults } from '../accessibility';
import type { PageName } from './pageScripts';
import { oneRenderer, PreviewPages, USUAL_SIZE } from './previewPages';
import { comparisonScenes } from './comparisonScenes';
import { masksScenes } from './masksScenes';
import { everyTheme, type Scene } from './scene';
import { tableScenes } from './tableScenes';
import { compareScenes } from './compareScenes';
import { plateScenes } from './plateScenes';

const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    'every-theme': { type: 'boolean', default: false },
    width: { type: 'string' },
    zoom: { type: 'string' },
  },
});
const isSelected = (name: string) => parts.length === 0 || parts.some(part => name.includes(part));
const suffix = [options.width && `${options.width}px`, options.zoom && `${options.zoom}%`].filter(Boolean);
const shots = [...tableScenes, ...compareScenes, ...plateScenes, ...masksScenes, ...comparisonScenes]
  .flatMap(scene =>
    (options['every-theme'] ? everyTheme : scene.themes).map(theme => ({
      scene: resized(scene),
      theme,
      name: [scene.name, ...suffix, theme].join('-'),
    })),
  )
  .filter(({ name }) => isSelected(name));

/**
 * The scene in a window of another width or zoom: zoomed, there is room for fewer pixels of the
 * page.
 */
function resized(scene: Scene): Scene {
  const zoom = Number(options.zoom ?? 100) / 100;
  const size = scene.size ?? USUAL_SIZE;
  return {
    ...scene,
    pixelRatio: (scene.pixelRatio ?? 1) * zoom,
    size: {
      width: Math.round(Number(options.width ?? size.width) / zoom),
      height: Math.round(size.height / zoom),
    },
  };
}

mkdirSync('out/preview', { recursive: true });
const browser = await launchChromium({ args: oneRenderer, ignoreDefaultArgs: ['--hide-scrollbars'] });
const pages = await PreviewPages.bundle(browser, [
  ...new Set<PageName>(shots.map(({ scene }) => scene.page)),
]);
const failures: string[] = [];
for (const { scene, theme, name } of shots) {
  const preview = await pages.open(scene, theme);
  try {
    await scene.act?.(preview.page, preview.engine);
  } catch (error) {
    preview.problems.push(String(error));
  }
  // Contrast is up to the theme: VS Code's own colors do not always pass.
  const wrong = await accessibilityFaults(preview.page, 'color-contrast', 'page-has-heading-one');
  const faults = [...preview.problems, ...wrong];
  for (const fault of faults) console.error(`${name}: ${fault}`);
  if (faults.length > 0) failures.push(`${name}: ${faults.join('; ')}`);
  await preview.page.screenshot({ path: `out/preview/${name}.png`, animations: 'disabled' });
  await preview.close();
  console.log(`out/preview/${name}.png`);
}
await browser.close();
await writeCounts({
  passed: shots.length - failures.length,
  failed: failures.length,
  skipped: 0,
  failures,
});
process.exitCode = failures.length > 0 ? 1 : 0;
