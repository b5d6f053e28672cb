// npm run bench -- opening [--json] [--objects N] [--images N] [--rounds N]: from a click to the
// first pixels of masks in the real workbench, and until all of them are painted: of one image with
// many objects, and of an archive with many images; to the first cells of the table of those
// objects; and what each page holds once all is shown, less what the window held before.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFixture } from '../../bench/masks/archiveFixtures';
import { linkedTable } from '../../bench/table/makeTables';
import { benchmark } from '../../bench/measured/benchmark';
import { Samples } from '../../bench/measured/rounds';
import { requestsSettled } from '../services/pendingRequests';
import { MasksView } from '../views/masksView';
import { TableView } from '../views/tableView';
import { Workbench } from '../workbench';
import { heldMemory, type HeldMemory } from './opening/heldMemory';
import { measuredPackage } from './measuredPackage';
import { installOpeningProbe, type OpeningProbe } from './opening/openingProbe';

const DEFAULTS = { objects: 1_000_000, images: 5000, rounds: 3 };

/** Side in pixels of the image with many objects: about a third of it is covered. */
const SIDE = 40_000;
/** Columns of the table of its objects. */
const COLUMNS = 15;
const SMALL = { side: 512, objects: 40, smallest: 6, shape: 'cropped' as const };

/** Milliseconds without a change after which all is painted. */
const QUIET = 2500;

/** Milliseconds, and of memory megabytes. */
const samples = new Samples();

/** Clicks in the menu of a file, and returns when, in milliseconds since the epoch. */
async function clickInMenu(window: Workbench, file: string, ...path: string[]): Promise<number> {
  const { page } = window;
  await page.evaluate(() =>
    addEventListener(
      'mouseup',
      event => {
        (globalThis as { clicked?: number }).clicked = performance.timeOrigin + event.timeStamp;
      },
      { capture: true },
    ),
  );
  // A click on the file itself would open it as text as well.
  await window.openContainer('Explorer');
  await window.explorer.menu(file, ...path);
  return page.evaluate(() => (globalThis as { clicked?: number }).clicked ?? NaN);
}

/** Opens an archive of masks until all of it is painted, and closes it. */
async function openMasks(window: Workbench, file: string, name: string): Promise<void> {
  const { page } = window;
  const before = await heldMemory(page);
  const clicked = await clickInMenu(window, file, 'Image Analysis', 'Open Masks Archive');
  const masks = new MasksView(page, await window.panel(new RegExp(`^Masks of ${file}`)));
  await masks.frame.waitForFunction(
    quiet => {
      const { first, last = 0 } = (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe;
      return first !== undefined && performance.timeOrigin + performance.now() - last > quiet;
    },
    QUIET,
    { timeout: 60_000 },
  );
  const probe = await masks.frame.evaluate(
    () => (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe,
  );
  samples.note(`${name}: frame of the image`, (probe.frame ?? NaN) - clicked);
  samples.note(`${name}: first pixels`, (probe.first ?? NaN) - clicked);
  samples.note(`${name}: last change`, (probe.last ?? NaN) - clicked);
  samples.note(`${name}: longest frame`, probe.longestFrame);
  noteMemory(name, before, await heldMemory(page));
  await window.closeTab(new RegExp(`^Masks of ${file}`));
}

/** Opens a table until all of its rows are read, and closes it. */
async function openTable(window: Workbench, file: string, name: string, rows: number): Promise<void> {
  const { page } = window;
  const before = await heldMemory(page);
  const clicked = await clickInMenu(window, file, 'Open Table');
  const table = new TableView(await window.panel(new RegExp(`^${file}`)));
  // The page itself notes when: finding it takes as long as showing it.
  const shown = await table.frame.waitForFunction(
    () => (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe.cells,
  );
  samples.note(`${name}: first cells`, ((await shown.jsonValue()) ?? NaN) - clicked);
  await table.showsRows(`${rows.toLocaleString('en')} rows`);
  await requestsSettled(table.frame);
  noteMemory(name, before, await heldMemory(page));
  await window.closeTab(new RegExp(`^${file}`));
}

/** What the page added to its window; of the process, all that it holds. */
function noteMemory(name: string, before: HeldMemory, now: HeldMemory): void {
  samples.note(`${name}: objects of scripts, MB`, (now.script - before.script) / 1e6);
  samples.note(`${name}: beside them, MB`, (now.beside - before.beside) / 1e6);
  if (now.process !== undefined) samples.note(`${name}: process, with the workbench, MB`, now.process / 1e6);
}

await benchmark('opening', DEFAULTS, async ({ objects, images, rounds }, root) => {
  const vsix = await measuredPackage();
  const folder = join(root, 'workspace');
  await mkdir(folder);
  const million = { side: SIDE, objects, smallest: 6, shape: 'cropped' as const };
  await writeFixture(join(folder, 'objects.zip'), [million]);
  await writeFixture(
    join(folder, 'images.zip'),
    Array.from({ length: images }, () => SMALL),
  );
  await copyFile(await linkedTable(1, objects, COLUMNS), join(folder, 'table.csv'));
  for (let round = 0; round < rounds; round++) {
    const dataFolder = join(root, `host-${round}`);
    const window = await Workbench.open({ name: 'bench-opening', theme: 'dark', vsix, folder, dataFolder });
    let failed = true;
    try {
      await window.page.context().addInitScript(installOpeningProbe);
      // The first opening also loads what every later one finds loaded.
      for (const again of ['', ' again']) {
        await openMasks(window, 'objects.zip', `objects${again}`);
        await openMasks(window, 'images.zip', `images${again}`);
        await openTable(window, 'table.csv', `table${again}`, objects);
      }
      failed = false;
    } finally {
      await window.close(failed);
    }
  }
  const { spreads } = samples;
  for (const name of Object.keys(spreads))
    console.log(
      `${name.padEnd(48)} ${samples
        .of(name)
        .map(value => value.toFixed(1).padStart(7))
        .join(' ')}`,
    );
  const median = (name: string) => spreads[name]?.median ?? NaN;
  return {
    millionFirstPixelsMs: Math.round(median('objects again: first pixels')),
    imagesFirstPixelsMs: Math.round(median('images again: first pixels')),
    masksScriptMB: median('objects again: objects of scripts, MB'),
    tableScriptMB: median('table again: objects of scripts, MB'),
    spreads,
  };
});
