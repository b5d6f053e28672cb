// npm run bench -- interaction [--json] [--images N] [--objects N] [--rounds N] [--repeats N]:
// gestures in the real workbench on the packaged extension, each less the same gesture on an empty
// page of the same browser.
import { mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { writeFixture } from '../../bench/masks/archiveFixtures';
import { linkedTable } from '../../bench/table/makeTables';
import { benchmark } from '../../bench/measured/benchmark';
import { Samples } from '../../bench/measured/rounds';
import { cacheFolder } from '../../host/cacheFolder';
import { MasksView } from '../views/masksView';
import { requestsSettled } from '../services/pendingRequests';
import { TableView } from '../views/tableView';
import { Workbench } from '../workbench';
import { ActivationProbe } from './activation/activationProbe';
import { openEmptyPage } from './interaction/emptyPage';
import { frameTimes, timeGesture, type GestureTimes, type Look } from './interaction/frameProbe';
import { ResultService, type JobFiles } from './interaction/resultService';
import { measuredPackage } from './measuredPackage';

const SIDE = 20_000;
const COLUMNS = 15;
/** The first measurement, the column that is brushed and sorted. */
const MEASURE = 3;

const DEFAULTS = { images: 20, objects: 50_000, rounds: 3, repeats: 12 };

const samples = new Samples();

/**
 * A quantile between the two values nearest to it, as numpy and R compute it unless told otherwise.
 */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? NaN;
  return below + ((sorted[Math.ceil(place)] ?? NaN) - below) * (place % 1);
}

/** The median over the rounds of a quantile of each. */
function ofRounds(name: string, share: number): number {
  const { spreads } = samples;
  const rounds = Object.keys(spreads).filter(key => key.replace(/^\d+ /, '') === name);
  const each = rounds.map(key =>
    quantile(
      samples.of(key).toSorted((a, b) => a - b),
      share,
    ),
  );
  return quantile(
    each.filter(value => !Number.isNaN(value)).sort((a, b) => a - b),
    0.5,
  );
}

async function jobFiles(name: string, images: number, objects: number): Promise<JobFiles> {
  const folder = join(cacheFolder(), 'bench-tables');
  await mkdir(folder, { recursive: true });
  const masks = join(folder, `linked-${images}x${objects}.zip`);
  if (!existsSync(masks)) {
    const image = { side: SIDE, objects, smallest: 8, shape: 'cropped' as const };
    await writeFixture(
      masks,
      Array.from({ length: images }, () => image),
    );
  }
  return { name, objects: await linkedTable(images, objects, COLUMNS), masks };
}

async function signIn(window: Workbench, service: ResultService): Promise<void> {
  const { quickInput } = window;
  await window.runCommand('Image Analysis: Sign In…');
  await quickInput.titled('Sign in');
  await quickInput.enter(service.baseUrl);
  await quickInput.widget.getByText('API key for').waitFor();
  await quickInput.enter(service.key);
  await window.readNotification('Signed in to');
  await window.clearNotifications();
}

/** Milliseconds from a click in a menu to the first cells in the page that it opens. */
async function timeOpen(window: Workbench, job: string): Promise<number> {
  await window.page.evaluate(() =>
    addEventListener(
      'mouseup',
      event => {
        (globalThis as { clicked?: number }).clicked = performance.timeOrigin + event.timeStamp;
      },
      { capture: true },
    ),
  );
  await window.tree('Jobs').menu(job, 'Open Objects Table');
  const clicked = await window.page.evaluate(() => (globalThis as { clicked?: number }).clicked ?? NaN);
  return (await firstCells(await window.panel(`Objects of ${job}`))) - clicked;
}

async function drag(page: Page, from: [number, number], to: [number, number], steps = 6): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
  await page.mouse.up();
}

/** Where in the window an object lies that was not clicked yet, found by the colors of masks. */
async function placeOfAnother(
  masks: MasksView,
  clicked: readonly [number, number][],
): Promise<[number, number]> {
  const box = await masks.canvas.boundingBox();
  if (!box) throw new Error('There is no canvas');
  const taken = clicked.map(([x, y]): [number, number] => [x - box.x, y - box.y]);
  const inCanvas = await masks.canvas.evaluate((canvas: HTMLCanvasElement, taken) => {
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d');
    copy?.drawImage(canvas, 0, 0);
    const data = copy?.getImageData(0, 0, width, height).data ?? [];
    const isMask = (x: number, y: number) => {
      const at = 4 * (y * width + x);
      const colors = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      return Math.max(...colors) - Math.min(...colors) > 40;
    };
    // Not where the minimap and the scale bar lie, nor at the edge.
    for (let y = 40; y < height * 0.7; y += 3)
      for (let x = 40; x < width - 40; x += 3) {
        // One object is at most 35 pixels wide.
        if (taken.some(place => Math.hypot(x - place[0], y - place[1]) < 50)) continue;
        if ([-5, 0, 5].every(by => isMask(x + by, y) && isMask(x, y + by))) return [x, y] as const;
      }
    return undefined;
  }, taken);
  if (!inCanvas) throw new Error('No other object is in view');
  return [box.x + inCanvas[0], box.y + inCanvas[1]];
}

/** Removes all filters and orders, which the next opening would have again. */
async function removeChips(table: TableView): Promise<void> {
  for (;;) {
    await requestsSettled(table.frame);
    const chip = table.chip(/./).last();
    if (!(await chip.isVisible())) return;
    await chip.getByRole('button').last().click();
  }
}

/**
 * Milliseconds from the start of the window's page, which reloads, until the workbench itself has
 * started.
 */
function workbenchStart(page: Page): Promise<number> {
  return page.evaluate(() => performance.getEntriesByName('code/didStartWorkbench')[0]?.startTime ?? NaN);
}

/** When the first cells of a table appear, by the clock of the machine. */
async function firstCells(table: Frame): Promise<number> {
  const shown = await table.waitForFunction(() =>
    document.querySelector('.ag-row[row-id] [col-id="column-1"]')?.textContent
      ? performance.timeOrigin + performance.now()
      : undefined,
  );
  return (await shown.jsonValue()) ?? NaN;
}

/** Compares the two classes, by images as replicates, as they aren't yet in the first round. */
async function openComparison({ frame }: TableView): Promise<void> {
  await frame.getByRole('button', { name: 'Compare Conditions' }).click();
  await frame.getByLabel('Condition', { exact: true }).selectOption({ label: 'Class' });
  const replicates = frame.getByRole('button', { name: /^Replicates: / });
  if (!/Image origin/.test((await replicates.textContent()) ?? '')) {
    await replicates.click();
    await frame.getByRole('menuitemradio', { name: 'Image origin' }).click();
  }
  await frame.getByText('n counts replicates (Image origin)').waitFor();
  await requestsSettled(frame);
}

async function round(
  number: number,
  window: Workbench,
  big: JobFiles,
  { images, objects, repeats }: typeof DEFAULTS,
): Promise<void> {
  const { page } = window;
  const say = (name: string, value: number) => samples.note(`${number} ${name}`, value);
  const both = (name: string, { total, longestFrame }: GestureTimes) => {
    say(name, total);
    say(`${name}, longest frame`, longestFrame);
  };
  const allRows = `${(images * objects).toLocaleString('en')} rows`;
  await window.openContainer('Image Analysis');
  await window.tree('Jobs').waitForItem(big.name);

  // The first result of a window loads the code for results, and the first round downloads the
  // files: neither depends on how many rows there are to read.
  for (const job of ['One', big.name]) {
    const time = await timeOpen(window, job);
    if (number === 0) say(`download and open${job === 'One' ? ' one row' : ''}`, time);
    const count = job === 'One' ? '1 row' : allRows;
    await new TableView(await window.panel(`Objects of ${job}`)).showsRows(count);
    await window.closeTab(/^Objects of/);
  }
  say('open one row', await timeOpen(window, 'One'));
  await window.closeTab(/^Objects of/);
  say('open', await timeOpen(window, big.name));
  const table = new TableView(await window.panel(`Objects of ${big.name}`));
  await table.showsRows(allRows);
  await window.tree('Jobs').menu(big.name, 'Open Masks');
  const masks = new MasksView(page, await window.panel(`Masks of ${big.name}`));
  await masks.seeMasks();
  await table.frame
    .locator('.status-item.link', { hasText: 'rows linked to masks' })
    .waitFor({ timeout: 60_000 });

  const empty = await openEmptyPage(page);
  const emptyFrame = empty.mainFrame();
  const blank = (gesture: () => Promise<void>) =>
    timeGesture(empty, { from: emptyFrame, to: emptyFrame, look: 'canvas' }, gesture);
  const onTable = (to: 'table' | 'masks', look: Look, gesture: () => Promise<void>) =>
    timeGesture(page, { from: table.frame, to: to === 'table' ? table.frame : masks.frame, look }, gesture);
  await empty.bringToFront();
  for (let at = 0; at < repeats; at++) {
    say('click', (await blank(() => empty.mouse.click(100 + at, 100))).total);
    say('key', (await blank(() => empty.keyboard.press('ArrowDown'))).total);
  }
  const emptyFrames = await frameTimes(emptyFrame, () => drag(empty, [100, 100], [700, 500], 60));
  for (const time of emptyFrames) say('empty frame', time);
  await empty.close();
  await page.bringToFront();

  // More room for the table; a locator's own click would scroll the header.
  await window.runCommand('View: Toggle Primary Side Bar Visibility');
  await masks.painted();
  /** Where a part of the column's header is now: chips above it move it. */
  const inHeader = async (selector: string) => {
    const box = await table.header(MEASURE).locator(selector).boundingBox();
    if (!box) throw new Error('The column has no histogram');
    return box;
  };
  for (let at = 0; at < repeats; at++) {
    const header = await inHeader('.header-name');
    const sorted = await onTable('table', 'rows', () =>
      page.mouse.click(header.x + header.width / 2, header.y + 4),
    );
    // Of one order there are no more than a few to compute; later ones come from the cache.
    if (at < 2) both('sort', sorted);
    else both('sort again', sorted);
  }
  for (let at = 0; at < repeats; at++) {
    const brush = await inHeader('.range-brush');
    const y = brush.y + brush.height / 2;
    const x = brush.x + brush.width * (0.05 + 0.07 * (at % 6));
    both('brush', await onTable('masks', 'canvas', () => drag(page, [x, y], [x + brush.width * 0.5, y])));
  }
  await removeChips(table);
  await table.showsRows(/^[\d,]+ rows$/);

  await table.cell(2, 1).click();
  await masks.section('Object').getByText('Selected object').waitFor();
  for (let at = 0; at < repeats; at++)
    both('row to object', await onTable('masks', 'canvas', () => page.keyboard.press('ArrowDown')));
  // From the last row of an image to the first one of the next.
  for (let at = 1; at <= Math.min(repeats, images - 1); at++) {
    const goTo = table.frame.getByRole('textbox', { name: 'Go to row' });
    await goTo.fill(String(at * objects));
    await goTo.press('Enter');
    await table.reads(at * objects - 1, 1, String(objects));
    await table.cell(at * objects - 1, 1).click();
    await masks.painted();
    both('row to another image', await onTable('masks', 'canvas', () => page.keyboard.press('ArrowDown')));
  }
  await masks.button('Actual Size').click();
  await masks.painted();
  const clicked: [number, number][] = [];
  for (let at = 0; at < repeats; at++) {
    const place = await placeOfAnother(masks, clicked);
    clicked.push(place);
    await page.mouse.move(...place);
    const click = async () => {
      await page.mouse.down();
      await page.mouse.up();
    };
    both(
      'object to row',
      await timeGesture(page, { from: masks.frame, to: table.frame, look: 'rows' }, click),
    );
  }
  await masks.button('Fit to Panel').click();
  await masks.painted();
  const box = await masks.canvas.boundingBox();
  if (!box) throw new Error('There is no canvas');
  const center: [number, number] = [box.x + box.width / 2, box.y + box.height / 2];
  const pan = await frameTimes(masks.frame, async () => {
    await drag(page, center, [center[0] - 200, center[1] - 120], 60);
    await drag(page, center, [center[0] + 200, center[1] + 120], 60);
  });
  for (const time of pan) say('pan frame', time);

  await openComparison(table);
  const picker = table.frame.getByLabel('Measure', { exact: true });
  // Each choice is of a column that no other gesture has read; the first measurement is what a
  // comparison begins with.
  for (let at = 1; at <= Math.min(repeats, COLUMNS - MEASURE - 1); at++) {
    const choose = async () => void (await picker.selectOption({ label: `Measure ${COLUMNS - 2 - at}` }));
    both('choice to comparison', await onTable('table', 'plot', choose));
  }
  await table.frame.getByRole('button', { name: 'Back to Table' }).click();

  await window.reloadWindow();
  const cells = await firstCells(await window.panel(`Objects of ${big.name}`));
  say('reload', cells - (await page.evaluate(() => performance.timeOrigin)));
  await window.closeTab(/^Masks of/);
  await window.closeTab(/^Objects of/);
}

/** Prints what was measured, also where a gesture failed after it. */
function report(): void {
  const names = new Set(Object.keys(samples.spreads).map(name => name.replace(/^\d+ /, '')));
  for (const name of names) {
    console.log(
      `${name.padEnd(34)} p50 ${ofRounds(name, 0.5).toFixed(0).padStart(6)} ms   p95 ${ofRounds(name, 0.95).toFixed(0).padStart(6)} ms`,
    );
  }
}

await benchmark('interaction', DEFAULTS, async (options, root) => {
  const big = await jobFiles('Million', options.images, options.objects);
  const service = await ResultService.start([big, await jobFiles('One', 1, 1)]);
  try {
    const vsix = await measuredPackage();
    const folder = join(root, 'workspace');
    await mkdir(folder);
    const dataFolder = join(root, 'host');
    const probe = await ActivationProbe.install(root, dataFolder);
    const window = await Workbench.open({
      name: 'bench-interaction',
      theme: 'dark',
      vsix,
      folder,
      dataFolder,
      environment: probe.environment,
    });
    let failed = true;
    try {
      await signIn(window, service);
      for (let number = 0; number < options.rounds; number++) {
        await probe.reset();
        await window.reloadWindow();
        samples.note(`${number} reload of an empty window`, await workbenchStart(window.page));
        const activation = await probe.times(() => window.page.waitForTimeout(50));
        for (const [name, { load, call }] of Object.entries(activation))
          samples.note(
            `${number} ${name === 'ours' ? 'activation' : 'activation of an empty extension'}`,
            load.ms + call.ms,
          );
        await round(number, window, big, options);
      }
      failed = false;
    } finally {
      report();
      await window.close(failed);
    }
  } finally {
    await service.stop();
  }
  const beyond = (name: string, base: string, share: number) =>
    Number(Math.max(0, ofRounds(name, share) - ofRounds(base, share)).toFixed(1));
  return {
    brushToMasksP95Ms: beyond('brush', 'click', 0.95),
    objectToRowP95Ms: beyond('object to row', 'click', 0.95),
    rowToObjectP95Ms: beyond('row to object', 'key', 0.95),
    firstCellsMs: beyond('open', 'open one row', 0.5),
    sortMillionMs: beyond('sort', 'click', 0.5),
    // From the choice of a measure itself, which isn't made by a click or a key.
    comparePlotMs: Number(ofRounds('choice to comparison', 0.5).toFixed(1)),
    panFrameP95Ms: beyond('pan frame', 'empty frame', 0.95),
    activateMs: ofRounds('activation', 0.5),
    // Of each round by itself, without what an empty page takes. Milliseconds.
    spreads: samples.spreads,
  };
});
