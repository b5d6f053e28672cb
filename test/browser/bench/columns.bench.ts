// npm run bench -- columns [--json] [--rows N] [--columns N] [--rounds N]: what a jump in a table
// of thousands of columns costs its page, beside the same jump in a table of thirty, in turn. The
// page and the engine are the real ones, in a browser without VS Code. Task time is processor time
// of the page's main thread; reading and finding happen in another process.
import type { CDPSession, Locator, Page } from 'playwright-core';
import { launchChromium } from '../../host/chromium';
import { benchmark } from '../../bench/measured/benchmark';
import { spreadOf } from '../../bench/measured/rounds';
import { objectsTable } from '../../bench/table/makeTables';
import { PreviewPages, waitForMessage, type OpenPreview } from '../preview/previewPages';
import { installJumpProbe, type JumpProbe, type JumpSeen } from './columns/jumpProbe';

const DEFAULTS = { rows: 5000, columns: 10_000, rounds: 5 };
const NARROW = 30;
const SIZE = { width: 1440, height: 1000 };
/** For how long the page has done nothing. Milliseconds. */
const QUIET = 300;
const BUSY = 0.002;

interface Table {
  preview: OpenPreview;
  page: Page;
  session: CDPSession;
}

interface Jump {
  name: string;
  /**
   * Where the mouse is to be; found beforehand, as a search for an element takes time of the page's
   * thread.
   */
  at?: (page: Page) => Locator;
  act: (table: Table) => Promise<unknown>;
}

/** Milliseconds of the main thread, and of those for layout and style, and what the page saw. */
interface Cost extends Omit<JumpSeen, 'empty'> {
  task: number;
  script: number;
  layout: number;
}

const metricsOf = async ({ session }: Table) => {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string) => metrics.find(each => each.name === name)?.value ?? NaN;
  return {
    task: of('TaskDuration'),
    script: of('ScriptDuration'),
    layout: of('LayoutDuration') + of('RecalcStyleDuration'),
  };
};

async function quiet(table: Table) {
  let before = await metricsOf(table);
  for (let since = Date.now(); Date.now() - since < QUIET;) {
    await new Promise(resolve => setTimeout(resolve, 50));
    const now = await metricsOf(table);
    if (now.task - before.task > BUSY) since = Date.now();
    before = now;
  }
  return before;
}

async function measured(table: Table, jump: Jump): Promise<Cost> {
  const box = await jump.at?.(table.page).boundingBox();
  if (box) await table.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const before = await quiet(table);
  await table.page.evaluate(() => (globalThis as unknown as { jumpProbe: JumpProbe }).jumpProbe.begin());
  await jump.act(table);
  const after = await quiet(table);
  const { empty, ...seen } = await table.page.evaluate(() =>
    (globalThis as unknown as { jumpProbe: JumpProbe }).jumpProbe.end(),
  );
  if (empty > 0) console.error(`${jump.name}: ${empty} cells in view stayed empty`);
  const ms = (name: 'task' | 'script' | 'layout') => (after[name] - before[name]) * 1000;
  return { task: ms('task'), script: ms('script'), layout: ms('layout'), ...seen };
}

const key = (name: string) => (table: Table) => table.page.keyboard.press(name);
const wheel = (x: number, y: number) => (table: Table) => table.page.mouse.wheel(x, y);
const click = async ({ page }: Table) => {
  await page.mouse.down();
  await page.mouse.up();
};
const clickTwice = async (table: Table) => {
  await click(table);
  await click(table);
};
const rows = (page: Page) => page.locator('.table-grid');
const header = (page: Page) => page.locator('.ag-header-cell .header-name').nth(6);
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });
const box = (page: Page) => page.getByRole('checkbox', { name: 'Measure 17', exact: true });
const jumps: Jump[] = [
  { name: 'page down', act: key('PageDown') },
  { name: '40 rows down', at: rows, act: wheel(0, 40 * 24) },
  { name: 'a screen to the right', at: rows, act: wheel(1200, 0) },
  { name: 'to the last cell', act: key('Control+End') },
  { name: 'to the first cell', act: key('Control+Home') },
  {
    name: 'find',
    act: async table => {
      await table.page.keyboard.press('Control+F');
      await table.page.keyboard.insertText('9');
      await table.page.keyboard.press('Enter');
    },
  },
  { name: 'find next', act: key('Enter') },
  { name: 'leave find', act: key('Escape') },
  { name: 'sort', at: header, act: click },
  { name: 'clear the sort', at: header, act: clickTwice },
  { name: 'open the columns', at: button('Columns'), act: click },
  { name: 'search a column', act: table => table.page.keyboard.insertText('Measure 17') },
  { name: 'hide a column', at: box, act: click },
  { name: 'show a column', at: box, act: click },
  { name: 'pin a column', at: button('Pin Measure 17'), act: click },
  { name: 'unpin a column', at: button('Unpin Measure 17'), act: click },
  { name: 'close the columns', act: key('Escape') },
  {
    name: 'select a cell',
    at: page => page.locator('.ag-row[row-index="5"] .ag-cell[col-id="column-9"]'),
    act: click,
  },
];

/** Of each jump, the costs in both tables. */
async function jumpCosts(options: typeof DEFAULTS): Promise<Map<string, Map<string, Cost[]>>> {
  const browser = await launchChromium();
  const results = new Map<string, Map<string, Cost[]>>();
  try {
    const pages = await PreviewPages.bundle(browser, ['table']);
    const open = async (columns: number): Promise<Table> => {
      const path = await objectsTable(options.rows, columns);
      const started = performance.now();
      const preview = await pages.open(
        { page: 'table', size: SIZE, options: { rowCount: options.rows, path, start: 'respond' } },
        'dark',
      );
      const { page } = preview;
      await waitForMessage(page, 'shown');
      console.error(`${columns} columns: opened in ${(performance.now() - started).toFixed(0)} ms`);
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.evaluate(installJumpProbe);
      await page.locator('.ag-row[row-index="3"] .ag-cell[col-id="column-4"]').click();
      return { preview, page, session };
    };
    const wide = await open(options.columns);
    const narrow = await open(NARROW);
    for (let round = -1; round < options.rounds; round++)
      for (const jump of jumps)
        for (const [name, table] of [
          ['wide', wide],
          ['narrow', narrow],
        ] as const) {
          const cost = await measured(table, jump);
          if (round < 0) continue;
          const of = results.get(jump.name) ?? new Map<string, Cost[]>();
          results.set(jump.name, of.set(name, [...(of.get(name) ?? []), cost]));
        }
    for (const { preview } of [wide, narrow]) {
      for (const problem of preview.problems) console.error(problem);
      await preview.close();
    }
  } finally {
    await browser.close();
  }
  return results;
}

const median = (costs: readonly Cost[] | undefined, of: keyof Cost) =>
  (costs ?? []).map(cost => cost[of]).sort((a, b) => a - b)[(costs?.length ?? 0) >> 1] ?? NaN;
const columns = [
  'task',
  'script',
  'layout',
  'filled',
  'wall',
  'longest',
  'cells',
  'headers',
  'requests',
  'fetched',
] as const;
await benchmark('columns', DEFAULTS, async options => {
  const results = await jumpCosts(options);
  console.log(`${'median'.padEnd(24)}${columns.map(each => each.padStart(9)).join('')}    ratio`);
  const ratios: Record<string, number> = {};
  for (const [name, of] of results) {
    for (const which of ['wide', 'narrow'] as const) {
      const costs = of.get(which);
      const cells = columns.map(each => median(costs, each).toFixed(0).padStart(9)).join('');
      const ratio = median(of.get('wide'), 'task') / median(of.get('narrow'), 'task');
      ratios[name] = Number(ratio.toFixed(2));
      console.log(
        `${(which === 'wide' ? name : '').padEnd(24)}${cells}${which === 'wide' ? `    ${ratio.toFixed(2)}` : ''}`,
      );
    }
  }
  return {
    jumpTaskMs: Object.fromEntries(
      [...results].map(([name, of]) => [name, Math.round(median(of.get('wide'), 'task'))]),
    ),
    ratioToThirtyColumns: ratios,
    // Of each round, processor time of the page's thread in both tables.
    spreads: Object.fromEntries(
      [...results].map(([name, of]) => [
        name,
        spreadOf(
          (of.get('wide') ?? []).map(({ task }, round) => task / (of.get('narrow')?.[round]?.task ?? NaN)),
        ),
      ]),
    ),
  };
});
