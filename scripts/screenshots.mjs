// Takes the screenshots of the README, the guide and the walkthrough again: the browser tests make
// them (test/browser/screenshots.test.ts), and libwebp presses them.
//   npm run screenshots                all of it
//   npm run screenshots -- --press     only presses what is in out/screenshots
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { movingWebpOf, pixelsOf, webpOf } from './webp.mjs';

const GUIDE = 'docs/guide/screenshots';
const WALKTHROUGH = 'media/walkthrough';

/**
 * Milliseconds that a frame of the animation is shown; those of a drag follow each other sooner.
 */
const FRAME_MS = 1600;
const DRAG_MS = 300;

/** The boxes of the lists that VS Code shows at the top. */
const LIST = { left: 294, top: 0, right: 908, bottom: 260 };
const LONG_LIST = { ...LIST, bottom: 304 };
/** With the status bar below it. */
const SIDE_BAR = { left: 0, top: 36, right: 348, bottom: 750 };
const EDITORS = { left: 52, top: 36, right: 1196, bottom: 718 };
/** Populations beside the first columns of the table. */
const TREE = { left: 52, top: 108, right: 672, bottom: 372 };
const IMAGE = { left: 52, top: 36, right: 916, bottom: 718 };

/**
 * What becomes of each screenshot of the tests: the whole of it, or a box. The walkthrough has
 * light and dark ones.
 */
const stills = [
  { from: 'light/image', to: `${GUIDE}/image` },
  { from: 'light/image-and-masks', to: `${GUIDE}/image-and-masks` },
  { from: 'light/masks', to: `${GUIDE}/masks` },
  { from: 'light/masks-and-table', to: `${GUIDE}/masks-and-table` },
  { from: 'light/filter', to: `${GUIDE}/filter` },
  { from: 'light/name', to: `${GUIDE}/analyze` },
  { from: 'light/export', to: `${GUIDE}/export`, box: LONG_LIST },
  { from: 'light/views', to: `${GUIDE}/views`, box: SIDE_BAR },
  { from: 'light/selection', to: `${GUIDE}/selection` },
  { from: 'light/plots', to: `${GUIDE}/plots` },
  { from: 'light/groups', to: `${GUIDE}/groups` },
  { from: 'light/column', to: `${GUIDE}/column` },
  { from: 'light/image-columns', to: `${GUIDE}/image-columns`, box: EDITORS },
  { from: 'light/compare', to: `${GUIDE}/compare-conditions`, box: EDITORS },
  { from: 'light/plates', to: `${GUIDE}/plates`, box: EDITORS },
  ...['light', 'dark'].flatMap(theme => [
    { from: `${theme}/pipelines`, to: `${WALKTHROUGH}/analyze-${theme}`, box: LIST },
    { from: `${theme}/masks`, to: `${WALKTHROUGH}/masks-${theme}`, box: IMAGE },
    { from: `${theme}/filter`, to: `${WALKTHROUGH}/filter-${theme}`, box: EDITORS },
    { from: `${theme}/populations`, to: `${WALKTHROUGH}/populations-${theme}`, box: TREE },
    { from: `${theme}/export`, to: `${WALKTHROUGH}/export-${theme}`, box: LONG_LIST },
    { from: `${theme}/compare`, to: `${WALKTHROUGH}/compare-${theme}`, box: EDITORS },
  ]),
];

if (!process.argv.includes('--press')) {
  const tests = spawnSync(process.execPath, ['scripts/browser.mjs', 'screenshots'], {
    stdio: 'inherit',
    env: { ...process.env, IA_SCREENSHOTS: '1' },
  });
  if (tests.status !== 0) throw new Error('The tests that take the screenshots failed: see above');
}
const taken = (name, box) => pixelsOf(readFileSync(`out/screenshots/${name}.png`), box);
const write = (path, file) => {
  writeFileSync(path, file);
  console.log(`${(file.length / 1000).toFixed(0).padStart(6)} kB  ${path}`);
};
for (const { from, to, box } of stills) write(`${to}.webp`, await webpOf(taken(from, box)));

const frames = globSync('out/screenshots/light/moving-*.png')
  .map(path => path.replaceAll('\\', '/').replace(/^out\/screenshots\/|\.png$/g, ''))
  .sort()
  .map(name => ({ pixels: taken(name), ms: name.includes('drag') ? DRAG_MS : FRAME_MS }));
frames.at(-1).ms = 2 * FRAME_MS;
write(`${GUIDE}/image-to-filter.webp`, await movingWebpOf(frames));
