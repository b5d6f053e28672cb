// npm run bench -- opening [--json] [--objects N] [--images N] [--rounds N]: from a click to the
// first pixels of masks in the real workbench, and until all of them are painted: of one image with
// many objects, and of an archive with many images; to the first cells of the table of those
// objects; and what each page holds once all is shown, less what the window held before. Each also
// beyond what nearly an empty page takes: an image of one object, a table of one row. Processor
// time, until what was waited for is there, is that of VS Code, its threads and its window.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFixture } from '../../bench/masks/archiveFixtures';
import { linkedTable } from '../../bench/table/makeTables';
import { benchmark } from '../../bench/measured/benchmark';
import { Samples, type Cost } from '../../bench/measured/rounds';
import { requestsSettled } from '../services/pendingRequests';
import { MasksView } from '../views/masksView';
import { TableView } from '../views/tableView';
import { Workbench } from '../workbench';
import { heldMemory, type HeldMemory } from './opening/heldMemory';
import { measuredPackage } from './measuredPackage';
import { startedProcessorMs } from './opening/startedProcesses';
import { installOpeningProbe, type OpeningProbe } from './opening/openingProbe';

const DEFAULTS = { objects: 1_000_000, images: 5000, rounds: 3 };

/** Side in pixels of the image with many objects: about a third of it is covered. */
const SIDE = 40_000;
/** Columns of the table of its objects. */
const COLUMNS = 15;
const EMPTY = { side: 512, objects: 1, smallest: 6, shape: 'cropped' as const };
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

/** What the first pixels or cells took, and how much of it is beyond nearly an empty page's. */
function noteFirst(name: string, what: string, taken: Cost, base?: Cost): Cost {
  samples.note(`${name}: ${what}`, taken.wallMs);
  samples.note(`${name}: ${what}, of the processor`, taken.cpuMs);
  if (base) {
    samples.note(`${name}: ${what} beyond an empty page`, taken.wallMs - base.wallMs);
    samples.note(`${name}: ${what} beyond an empty page, of the processor`, taken.cpuMs - base.cpuMs);
  }
  return taken;
}

/** Opens an archive of masks until all of it is painted, and closes it. */
async function openMasks(window: Workbench, file: string, name: string, base?: Cost): Promise<Cost> {
  const { page } = window;
  const before = await heldMemory(page);
  const cpuBefore = startedProcessorMs();
  const clicked = await clickInMenu(window, file, 'Image Analysis', 'Open Masks Archive');
  const masks = new MasksView(page, await window.panel(new RegExp(`^Masks of ${file}`)));
  await masks.frame.waitForFunction(
    () => (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe.first !== undefined,
    undefined,
    { timeout: 60_000 },
  );
  const cpuMs = startedProcessorMs() - cpuBefore;
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
  const first = noteFirst(name, 'first pixels', { wallMs: (probe.first ?? NaN) - clicked, cpuMs }, base);
  samples.note(`${name}: last change`, (probe.last ?? NaN) - clicked);
  samples.note(`${name}: longest frame`, probe.longestFrame);
  noteMemory(name, before, await heldMemory(page));
  await window.closeTab(new RegExp(`^Masks of ${file}`));
  return first;
}

/** Opens a table until all of its rows are read, and closes it. */
async function openTable(
  window: Workbench,
  file: string,
  name: string,
  rows: number,
  base?: Cost,
): Promise<Cost> {
  const { page } = window;
  const before = await heldMemory(page);
  const cpuBefore = startedProcessorMs();
  const clicked = await clickInMenu(window, file, 'Open Table');
  const table = new TableView(await window.panel(new RegExp(`^${file}`)));
  // The page itself notes when: finding it takes as long as showing it.
  const shown = await table.frame.waitForFunction(
    () => (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe.cells,
  );
  const cpuMs = startedProcessorMs() - cpuBefore;
  const wallMs = ((await shown.jsonValue()) ?? NaN) - clicked;
  const first = noteFirst(name, 'first cells', { wallMs, cpuMs }, base);
  await table.showsRows(rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`);
  await requestsSettled(table.frame);
  noteMemory(name, before, await heldMemory(page));
  await window.closeTab(new RegExp(`^${file}`));
  return first;
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
  await writeFixture(join(folder, 'empty.zip'), [EMPTY]);
  await copyFile(await linkedTable(1, 1, COLUMNS), join(folder, 'row.csv'));
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
        const empty = await openMasks(window, 'empty.zip', `empty masks${again}`);
        await openMasks(window, 'objects.zip', `objects${again}`, empty);
        await openMasks(window, 'images.zip', `images${again}`, empty);
        const row = await openTable(window, 'row.csv', `empty table${again}`, 1);
        await openTable(window, 'table.csv', `table${again}`, objects, row);
      }
      failed = false;
    } finally {
      await window.close(failed);
    }
  }
  const { spreads } = samples;
  for (const name of Object.keys(spreads))
    console.log(
      `${name.padEnd(68)} ${samples
        .of(name)
        .map(value => value.toFixed(1).padStart(7))
        .join(' ')}`,
    );
  const median = (name: string) => spreads[name]?.median ?? NaN;
  return {
    millionFirstPixelsMs: Math.round(median('objects again: first pixels')),
    imagesFirstPixelsMs: Math.round(median('images again: first pixels')),
    millionFirstPixelsBeyondMs: Math.round(median('objects again: first pixels beyond an empty page')),
    imagesFirstPixelsBeyondMs: Math.round(median('images again: first pixels beyond an empty page')),
    millionFirstCellsBeyondMs: Math.round(median('table again: first cells beyond an empty page')),
    masksScriptMB: median('objects again: objects of scripts, MB'),
    tableScriptMB: median('table again: objects of scripts, MB'),
    spreads,
  };
});
