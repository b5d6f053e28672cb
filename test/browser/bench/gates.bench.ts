// npm run bench -- gates [--json] [--rows N] [--steps N]: what each step costs of dragging a corner
// of a polygon of twelve, in which an ellipse, two ranges and a median + MAD of the parent are
// nested. The page and the engine are the real ones, in a browser without VS Code. All is processor
// time: of the page's main thread, and of the engine, which is asked the same by itself.
import type { Page } from 'playwright-core';
import type { Population } from '../../../src/populations/population';
import { launchChromium } from '../../host/chromium';
import { givenOptions } from '../../bench/measured/benchmark';
import { describeMachine } from '../../bench/measured/machine';
import { objectsTable } from '../../bench/table/makeTables';
import { PreviewPages, waitForMessage } from '../preview/previewPages';
import type { PreviewEngine } from '../preview/tableEngine';
import { until } from '../until';

const { rows: rowCount, steps } = givenOptions('gates', { rows: 1_000_000, steps: 60 });
const SIZE = { width: 1440, height: 1000 };
const CORNERS = 12;
/** Steps before the first that counts: code is compiled, and columns are gathered. */
const FIRST = 10;
/** That a plot draws at most. */
const POINTS = 20_000;
const [X, Y] = ['Measure 1', 'Measure 4'];
/** Where X is in the table. */
const X_COLUMN = 3;

/** Numbers of X are from 0 to 1000, of Y from 0 to 100. */
function populationsOf(radius: number): Population[] {
  const points = Array.from({ length: CORNERS }, (_, at): [number, number] => {
    const [angle, far] = [(2 * Math.PI * at) / CORNERS, at % 2 === 0 ? radius : 0.8 * radius];
    return [500 + far * Math.cos(angle), 50 + (far * Math.sin(angle)) / 10];
  });
  const axes: [[number, number], [number, number]] = [
    [300, 0],
    [0, 30],
  ];
  return [
    { name: 'Polygon', gate: { kind: 'polygon', x: X, y: Y, points } },
    { name: 'Ellipse', parent: 'Polygon', gate: { kind: 'ellipse', x: X, y: Y, center: [500, 50], axes } },
    { name: 'Range', parent: 'Ellipse', gate: { kind: 'range', column: X, from: 300, to: 700 } },
    { name: 'Second', parent: 'Range', gate: { kind: 'range', column: Y, from: 30, to: 70 } },
    {
      name: 'Median',
      parent: 'Second',
      gate: {
        kind: 'statistic',
        column: X,
        of: 'parent',
        center: 'median',
        spread: 'mad',
        factor: 1,
        side: 'above',
      },
    },
  ];
}

const results = new Map<string, number[]>();
const note = (name: string, ms: number) => results.set(name, [...(results.get(name) ?? []), ms]);

function quantile(all: readonly number[], share: number): number {
  return all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) * share)] ?? NaN;
}

/** Asks the engine what a page asks of it at each step. */
async function askEngine(engine: PreviewEngine): Promise<void> {
  const ask = async (method: string, params: object) => {
    const before = process.cpuUsage();
    const value = (await engine.ask(method, params)) as { rows: ArrayBuffer };
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1000, value };
  };
  const { value } = await ask('tablePoints', { x: X_COLUMN, y: X_COLUMN + 3, limit: POINTS, filters: [] });
  const names = populationsOf(1).map(({ name }) => name);
  for (let step = -FIRST; step < steps; step++) {
    const counted = await ask('countPopulations', { populations: populationsOf(400 + step) });
    const colored = await ask('populationsOfRows', { names, rows: value.rows });
    if (step < 0) continue;
    note('engine: counts', counted.ms);
    note('engine: colors of points', colored.ms);
  }
}

/** Drags a corner of the polygon: each step waits until the page has drawn what it led to. */
async function dragInPage(page: Page, engine: PreviewEngine): Promise<void> {
  await page.getByRole('button', { name: 'Plots', exact: true }).click();
  await page.locator('.plot-points').waitFor();
  await page.getByLabel('X axis').selectOption(X);
  await page.getByLabel('Y axis').selectOption(Y);
  await page.getByLabel('Color by').selectOption('');
  await page.locator('.plot-stage text', { hasText: 'Other rows' }).waitFor();
  await page.locator('.plot-stage').focus();
  await page.keyboard.press('g');
  const handle = page.locator('.gate-handle').first();
  await handle.waitFor();
  const box = await handle.boundingBox();
  if (!box) throw new Error('The polygon has no handles');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskTime = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
  };
  // The preview writes bytes as numbers in JSON, which no webview does.
  const messages: number[] = [];
  for (let at = 0; at < 20; at++) {
    const before = await taskTime();
    await page.evaluate(points => {
      const write = (bytes: number) => JSON.stringify({ $bytes: [...new Uint8Array(bytes).fill(99)] });
      write(4 * points);
      return new Uint8Array((JSON.parse(write(2 * points)) as { $bytes: number[] }).$bytes).length;
    }, POINTS);
    messages.push((await taskTime()) - before);
  }
  const ofMessages = quantile(messages, 0.5);
  for (let step = -FIRST; step < steps; step++) {
    const { length } = engine.requests;
    const before = await taskTime();
    // Farther than a press may move, and back and forth.
    await page.mouse.move(x - 40 + (step % 2) * 30 - step / 4, y + (step % 3) * 20);
    await until(() =>
      Promise.resolve(engine.requests.slice(length).some(({ method }) => method === 'populationsOfRows')),
    );
    await page.waitForTimeout(250);
    if (step >= 0) note('page: plot', (await taskTime()) - before - ofMessages);
  }
  await page.mouse.up();
}

const browser = await launchChromium();
try {
  const pages = await PreviewPages.bundle(browser, ['table']);
  const options = {
    rowCount,
    path: await objectsTable(rowCount, 15),
    start: 'respond',
    populations: populationsOf(400),
  };
  const preview = await pages.open({ page: 'table', size: SIZE, options }, 'dark');
  await waitForMessage(preview.page, 'shown');
  await askEngine(preview.engine);
  await dragInPage(preview.page, preview.engine);
  for (const problem of preview.problems) console.error(problem);
  await preview.close();
} finally {
  await browser.close();
}

for (const [name, all] of results)
  console.log(
    `${name.padEnd(28)} p50 ${quantile(all, 0.5).toFixed(1).padStart(7)} ms   p95 ${quantile(all, 0.95).toFixed(1).padStart(7)} ms`,
  );
if (process.argv.includes('--json')) {
  const p95 = (name: string) => Number(quantile(results.get(name) ?? [], 0.95).toFixed(1));
  console.log(
    JSON.stringify({
      gateCountsP95Ms: p95('engine: counts'),
      gatePlotP95Ms: Number(
        (p95('engine: counts') + p95('engine: colors of points') + p95('page: plot')).toFixed(1),
      ),
      machine: await describeMachine(),
    }),
  );
}
