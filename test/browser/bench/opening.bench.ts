// npm run bench -- opening [--json] [--objects N] [--images N] [--rounds N] [--vsix PATH ...]: from
// a click to the first pixels of masks in the real workbench, and until all of them are painted: of
// one image with many objects, and of an archive with many images; to the first cells of the table
// of those objects; and what each page holds once all is shown, less what the window held before.
// Of several packages, each is measured in turn.
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFixture } from '../../bench/masks/archiveFixtures';
import { linkedTable } from '../../bench/table/makeTables';
import { describeMachine } from '../../bench/measured/machine';
import { spreadOf } from '../../bench/measured/rounds';
import { requestsSettled } from '../services/pendingRequests';
import { MasksView } from '../views/masksView';
import { TableView } from '../views/tableView';
import { Workbench } from '../workbench';
import { heldMemory, type HeldMemory } from './opening/heldMemory';
import { measuredPackage } from './measuredPackage';
import { installOpeningProbe, type OpeningProbe } from './opening/openingProbe';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    objects: { type: 'string', default: '1000000' },
    images: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    vsix: { type: 'string', multiple: true, default: [] },
  },
});

/** Side in pixels of the image with many objects: about a third of it is covered. */
const SIDE = 40_000;
/** Columns of the table of its objects. */
const COLUMNS = 15;
const SMALL = { side: 512, objects: 40, smallest: 6, shape: 'cropped' as const };

/** Milliseconds without a change after which all is painted. */
const QUIET = 2500;

/** By name, the values of all rounds, with the unit in which they are printed. */
const samples = new Map<string, { values: number[]; unit: 'ms' | 'MB' }>();

function note(name: string, value: number, unit: 'ms' | 'MB' = 'ms'): void {
  const sample = samples.get(name) ?? { values: [], unit };
  sample.values.push(value);
  samples.set(name, sample);
}

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
  note(`${name}: frame of the image`, (probe.frame ?? NaN) - clicked);
  note(`${name}: first pixels`, (probe.first ?? NaN) - clicked);
  note(`${name}: last change`, (probe.last ?? NaN) - clicked);
  note(`${name}: longest frame`, probe.longestFrame);
  noteMemory(name, before, await heldMemory(page));
  await window.closeTab(new RegExp(`^Masks of ${file}`));
}

/** Opens a table until all of its rows are read, and closes it. */
async function openTable(window: Workbench, file: string, name: string): Promise<void> {
  const { page } = window;
  const before = await heldMemory(page);
  const clicked = await clickInMenu(window, file, 'Open Table');
  const table = new TableView(await window.panel(new RegExp(`^${file}`)));
  // The page itself notes when: finding it takes as long as showing it.
  const shown = await table.frame.waitForFunction(
    () => (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe.cells,
  );
  note(`${name}: first cells`, ((await shown.jsonValue()) ?? NaN) - clicked);
  await table.showsRows(`${Number(values.objects).toLocaleString('en')} rows`);
  await requestsSettled(table.frame);
  noteMemory(name, before, await heldMemory(page));
  await window.closeTab(new RegExp(`^${file}`));
}

/** What the page added to its window; of the process, all that it holds. */
function noteMemory(name: string, before: HeldMemory, now: HeldMemory): void {
  note(`${name}: objects of scripts`, (now.script - before.script) / 1e6, 'MB');
  note(`${name}: beside them`, (now.beside - before.beside) / 1e6, 'MB');
  if (now.process !== undefined) note(`${name}: process, with the workbench`, now.process / 1e6, 'MB');
}

const root = await mkdtemp(join(tmpdir(), 'bench-opening-'));
try {
  const packages = values.vsix.length > 0 ? values.vsix : [await measuredPackage()];
  const folder = join(root, 'workspace');
  await mkdir(folder);
  const million = { side: SIDE, objects: Number(values.objects), smallest: 6, shape: 'cropped' as const };
  await writeFixture(join(folder, 'objects.zip'), [million]);
  await writeFixture(
    join(folder, 'images.zip'),
    Array.from({ length: Number(values.images) }, () => SMALL),
  );
  await copyFile(await linkedTable(1, Number(values.objects), COLUMNS), join(folder, 'table.csv'));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [at, vsix] of packages.entries()) {
      const window = await Workbench.open({
        name: `bench-opening-${at}`,
        theme: 'dark',
        vsix,
        folder,
        dataFolder: join(root, `host-${round}-${at}`),
      });
      let failed = true;
      try {
        await window.page.context().addInitScript(installOpeningProbe);
        // The first opening also loads what every later one finds loaded.
        for (let time = 0; time < 2; time++) {
          const of = (what: string) =>
            `${packages.length > 1 ? `${at + 1} ` : ''}${what}${time > 0 ? ' again' : ''}`;
          await openMasks(window, 'objects.zip', of('objects'));
          await openMasks(window, 'images.zip', of('images'));
          await openTable(window, 'table.csv', of('table'));
        }
        failed = false;
      } finally {
        await window.close(failed);
      }
    }
} finally {
  for (const [name, { values, unit }] of samples) {
    const digits = unit === 'ms' ? 0 : 1;
    console.log(
      `${name.padEnd(40)} ${values.map(value => value.toFixed(digits).padStart(6)).join(' ')} ${unit}`,
    );
  }
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const median = (name: string) => {
  const sorted = (samples.get(name)?.values ?? []).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
};
if (values.json)
  console.log(
    JSON.stringify({
      millionFirstPixelsMs: Math.round(median('objects again: first pixels')),
      imagesFirstPixelsMs: Math.round(median('images again: first pixels')),
      masksScriptMB: Number(median('objects again: objects of scripts').toFixed(1)),
      tableScriptMB: Number(median('table again: objects of scripts').toFixed(1)),
      spreads: Object.fromEntries([...samples].map(([name, { values }]) => [name, spreadOf(values)])),
      machine: await describeMachine(),
    }),
  );
