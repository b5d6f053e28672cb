import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sentMessages as all, waitForMessage } from './previewPages';
import { everyTheme, idle, shown, type Scene } from './scene';
import type { Population } from '../../../src/populations/population';
import type { FakeTableOptions } from './fakeTablePanel';
import type { PreviewEngine } from './tableEngine';
import type { ThemeName } from './themes';

/**
 * File row of the first row that is on the screen, be it in part: the place that a page restores.
 */
async function firstRow(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const top = document.querySelector('.ag-header').getBoundingClientRect().bottom;
    const rows = [...document.querySelectorAll('.ag-row')].filter(row => row.getBoundingClientRect().bottom > top + 1);
    return rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0].getAttribute('row-id');
  })()`);
}

/** Drags over a share of the histogram in a column's header. */
async function brush(page: Page, column: number, from: number, to: number): Promise<void> {
  const brushed = page.locator(`.ag-header-cell[col-id="column-${column}"] .range-brush`);
  // Pinned columns cover a part of the others, and a browser doesn't know.
  await brushed.locator('.brush-end:not(:empty)').first().waitFor();
  await brushed.evaluate(node => node.scrollIntoView({ inline: 'end', block: 'nearest' }));
  const box = await brushed.boundingBox();
  ok(box);
  const at = (share: number) => page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  await at(from);
  await page.mouse.down();
  await at((from + to) / 2);
  await at(to);
  await page.mouse.up();
}

/** Shows plots beside the rows, where they aren't for lack of room below them. */
async function plotsOnTheRight(page: Page): Promise<void> {
  await page.locator('.plot-drawer').waitFor();
  const button = page.getByRole('button', { name: 'Show Plots on the Right' });
  if (await button.isVisible()) await button.click();
}

/** Makes the drawer of plots larger, where the plots share the room with the rows. */
async function enlargePlots(page: Page, key: string, steps: number): Promise<void> {
  const divider = page.getByLabel('Plot size');
  if (!(await divider.isVisible())) return;
  await divider.focus();
  for (let step = 0; step < steps; step++) await page.keyboard.press(key);
}

/** Draws from one to another place of the plot of a card, as shares of it. */
async function dragInPlot(
  page: Page,
  card: number,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const box = await page.locator('.plot-stage').nth(card).boundingBox();
  ok(box);
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  await page.mouse.move(...at(to));
  await page.mouse.up();
}

type Setting = Partial<FakeTableOptions> & Pick<Scene, 'size'>;

/**
 * A scene of a table of 10,000 rows, but for what `setting` says; `act` happens once its content is
 * on the screen.
 */
function table(
  name: string,
  themes: readonly ThemeName[],
  { size, ...options }: Setting,
  act?: (page: Page, engine: PreviewEngine) => Promise<unknown>,
): Scene {
  const { start = 'respond' } = options;
  return {
    name: `table-${name}`,
    page: 'table',
    options: { rowCount: 10_000, ...options, start },
    themes,
    ...(size && { size }),
    async act(page, engine) {
      if (start === 'respond') await shown(page);
      await act?.(page, engine);
    },
  };
}

/** A file as CellProfiler writes it, with a header of two rows; decimals with a comma come late. */
function twoRowHeader(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'preview-')), 'Cells.csv');
  const rows = Array.from(
    { length: 600 },
    (_, at) => `1;B0${(at % 9) + 1};${at + 1};${at < 400 ? at : `${at},5`}`,
  );
  const header = ['Image;Image;Nuclei;Nuclei', 'ImageNumber;Metadata_Well;ObjectNumber;AreaShape_Area'];
  writeFileSync(path, [...header, ...rows].join('\n'));
  return path;
}

/** Populations with gates and thresholds over the axes of plots. */
const gated: Population[] = [
  {
    name: 'Round',
    gate: {
      kind: 'ellipse',
      x: 'Area',
      y: 'Length of Major Axis',
      center: [350, 22],
      axes: [
        [220, 9],
        [-60, 6],
      ],
    },
  },
  {
    name: 'Drawn on linear axes',
    gate: {
      kind: 'polygon',
      x: 'Area',
      y: 'Length of Major Axis',
      points: [
        [40, 6],
        [900, 30],
        [500, 40],
        [60, 16],
      ],
    },
  },
  {
    name: 'Top of its image',
    gate: { kind: 'percentile', column: 'Area', of: 'image', percent: 90, side: 'above' },
  },
  {
    name: 'Long',
    color: '#d81b60',
    gate: {
      kind: 'statistic',
      column: 'Length of Major Axis',
      of: 'all',
      center: 'median',
      spread: 'mad',
      factor: 1,
      side: 'above',
    },
  },
];

/** The table page in its states. */
export const tableScenes: Scene[] = [
  table(
    'formulas',
    ['dark', 'light'],
    {
      lastFormulas: [
        { name: 'Half', formula: '[Area] / 2' },
        { name: 'Of another table', formula: '[Nowhere]' },
      ],
    },
    async page => {
      const editor = page.locator('.formula-editor');
      const field = editor.getByLabel('Formula', { exact: true });
      const fx = page.getByRole('button', { name: 'fx', exact: true });
      await fx.click();
      await editor.getByText('Half').waitFor();
      equal(await editor.getByText('Of another table').count(), 0);
      await page.keyboard.type('Ratio');
      await field.focus();
      // A name is completed from the keyboard.
      await page.keyboard.type('[Are');
      await editor.getByRole('option', { name: 'Area', exact: true }).waitFor();
      await page.keyboard.press('Enter');
      equal(await field.inputValue(), '[Area]');
      await page.keyboard.type(' / ([Perimeterx] - 1)');
      await editor.getByText('There is no column "Perimeterx".').waitFor();
      equal(await editor.locator('mark').textContent(), '[Perimeterx]');
      // Nothing is added that isn't valid.
      await page.keyboard.press('Enter');
      await editor.locator('mark').waitFor();
      await field.fill('[Area] / ([Perimeter] - [Perimeter])');
      await editor.getByText('divisions by 0').waitFor();
      await field.fill('round([Area] / [Perimeter], 3)');
      await page.keyboard.press('Enter');
      await page.locator('.status-item.notice').getByText('Added Ratio.').waitFor();
      deepEqual(await all(page, 'setFormulas'), [
        [{ name: 'Ratio', formula: 'round([Area] / [Perimeter], 3)' }],
      ]);
      // Undone and done again, it is where it was.
      const headers = page.locator('.ag-header-cell', { hasText: 'Ratio' });
      await headers.first().waitFor({ state: 'attached' });
      await page.keyboard.press('ControlOrMeta+z');
      await headers.first().waitFor({ state: 'detached' });
      await page.keyboard.press('ControlOrMeta+Shift+z');
      await headers.first().waitFor({ state: 'attached' });
      await fx.click();
      await editor.getByRole('textbox', { name: 'Name' }).fill('Large');
      await field.fill('if([Ratio] > 4, [Class] & " large", "small") & c');
      await editor.getByRole('option', { name: 'Class' }).waitFor();
      await editor.getByText('"c" isn\'t a function').waitFor();
    },
  ),
  table('formula-column', ['dark', 'light'], {}, async page => {
    const editor = page.locator('.formula-editor');
    const add = async (name: string, formula: string) => {
      await page.getByRole('button', { name: 'fx', exact: true }).click();
      await editor.getByRole('textbox', { name: 'Name' }).fill(name);
      await editor.getByLabel('Formula', { exact: true }).fill(formula);
      await editor.getByRole('listitem').first().waitFor();
      await editor.getByRole('button', { name: 'Add', exact: true }).click();
      await page.locator('.status-item.notice').getByText(`Added ${name}.`).waitFor();
    };
    await add('Ratio', '[Area] / ([Perimeter] - [Perimeter])');
    await add('Large', '[Ratio] > 2');
    const header = page.locator('.ag-header-cell', { hasText: 'Ratio' });
    await header.focus();
    await page.keyboard.press('Alt+ArrowDown');
    const menu = page.locator('.filter-menu');
    await menu.getByText("Can't be removed: used by Large.").waitFor();
    await menu.getByText('divisions by 0').waitFor();
    // Renamed, it is renamed where it is used.
    await menu.getByRole('button', { name: 'Edit Formula…' }).click();
    await editor.getByRole('textbox', { name: 'Name' }).fill('Quotient');
    await editor.getByLabel('Formula', { exact: true }).fill('[Area] / [Perimeter]');
    await page.keyboard.press('Enter');
    await page.locator('.status-item.notice').getByText('Changed Quotient.').waitFor();
    deepEqual((await all(page, 'setFormulas')).at(-1), [
      { name: 'Quotient', formula: '[Area] / [Perimeter]' },
      { name: 'Large', formula: '[Quotient] > 2' },
    ]);
    const large = page.locator('.ag-header-cell', { hasText: 'Large' });
    const openMenu = async () => {
      await large.focus();
      await page.keyboard.press('Alt+ArrowDown');
      await menu.getByText('= [Quotient] > 2').waitFor();
    };
    await openMenu();
    await menu.getByRole('button', { name: 'Remove Column' }).click();
    await page.locator('.status-item.notice').getByText('Removed Large.').waitFor();
    await large.waitFor({ state: 'detached' });
    // Removed, renamed and added: each is undone.
    for (const words of ['Remove', 'Edit']) {
      await page.keyboard.press('ControlOrMeta+z');
      await page.locator('.status-item.notice').getByText(`Undid: ${words} Computed Column`).waitFor();
    }
    await page.locator('.ag-header-cell', { hasText: 'Ratio' }).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await page.locator('.ag-header-cell', { hasText: 'Quotient' }).waitFor();
    await openMenu();
  }),
  table('units', ['dark', 'light'], { inPixels: true }, async page => {
    const openWindow = async (column: number) => {
      await page.locator(`.ag-header-cell[col-id="column-${column}"]`).focus();
      await page.keyboard.press('Alt+ArrowDown');
    };
    await openWindow(3);
    await page.getByRole('button', { name: 'Convert to µm²' }).click();
    await page.locator('.status-item.notice').getByText('Added Area (µm²).').waitFor();
    await openWindow(4);
    await page.getByRole('button', { name: 'Convert to µm' }).waitFor();
  }),
  {
    name: 'table-header',
    page: 'table',
    options: { rowCount: 600, path: twoRowHeader(), start: 'respond', kind: 'file' },
    themes: ['dark', 'light'],
    size: { width: 1000, height: 500 },
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Decimal comma from row 401 on' }).waitFor();
      await page.getByRole('button', { name: 'Separated by semicolons' }).click();
      await page.getByLabel('Header').selectOption('Rows 1 to 2');
    },
  },
  table('rows', everyTheme, {}, async page => {
    await page.evaluate("panel.endpoint.send('selected', 6)");
    await page.waitForSelector('.ag-row.selected');
    await page.hover('.ag-row[row-index="11"] .ag-cell[col-id="column-3"]');
  }),
  // One image, beside its masks in a window of 1440 pixels.
  table('beside', everyTheme, { rowCount: 120, size: { width: 620, height: 640 } }, async page => {
    await page.getByText('120 rows').first().waitFor();
    await page.keyboard.press('Control+F');
    await page.keyboard.type('1');
    await page.getByText('1 of ').waitFor();
    await idle(page);
  }),
  table('images', ['dark', 'light'], {}, async page => {
    await page.getByRole('button', { name: 'Image Columns' }).click();
    await page.getByRole('grid', { name: 'Image Columns' }).waitFor();
    await idle(page);
  }),
  table('images-edited', ['dark', 'light', 'hcLight'], {}, async page => {
    await page.getByRole('button', { name: 'Image Columns' }).click();
    const sheet = page.getByRole('grid', { name: 'Image Columns' });
    await sheet.waitFor();
    await page.getByRole('button', { name: 'Add Column', exact: true }).click();
    await sheet.focus();
    await page.keyboard.type('control');
    await page.keyboard.press('Enter');
    await page.keyboard.type('treated');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    for (let step = 0; step < 4; step++) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+D');
    await page.getByRole('button', { name: 'Exclude Image…' }).click();
    await page.getByLabel('Reason').fill('Out of focus');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'Excluded' }).waitFor();
    await idle(page);
  }),
  table('images-settings', ['dark', 'light'], {}, async page => {
    await page.getByRole('button', { name: 'Image Columns' }).click();
    await page.getByRole('button', { name: 'From File Names…' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{Condition}_*');
    await idle(page);
    await page.keyboard.press('Enter');
    await page.locator('button.image-column').first().click();
    await page.getByLabel('Role').selectOption('condition');
    await idle(page);
  }),
  table('images-sheet', ['dark', 'light'], { size: { width: 700, height: 600 } }, async page => {
    await page.getByRole('button', { name: 'Image Columns' }).click();
    await page.getByRole('button', { name: 'Join Sample Sheet…' }).click();
    await page.getByText('row is left out').click();
    await page.getByText('name their images by something other than their paths').click();
    await page.getByText('another extension, or none, upper and lower case').first().waitFor();
    await idle(page);
  }),
  table('link-columns', ['dark', 'light'], {}, async page => {
    const link = page.locator('.status-item.link');
    const words = page.getByText('You selected these columns.');
    const id = page.getByLabel('Column with the object ID');
    const select = async () => {
      await link.click();
      equal(await words.count(), 0);
      await id.selectOption({ index: 2 });
      const selected = Number(await id.inputValue());
      await page.getByRole('button', { name: 'Link Again' }).click();
      await idle(page);
      await link.click();
      await words.waitFor();
      return selected;
    };
    const index = await select();
    equal(await id.inputValue(), String(index));
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await idle(page);
    const sent = (await all(page, 'relink')) as { columns: { id: { index: number } } | null }[];
    deepEqual(
      sent.map(({ columns }) => columns?.id.index),
      [index, undefined],
    );
    await select();
    await idle(page);
  }),
  table('images-sheet-asks', ['dark', 'light'], { size: { width: 700, height: 600 } }, async page => {
    await page.getByRole('button', { name: 'Image Columns' }).click();
    const join = page.getByRole('button', { name: 'Join Sample Sheet…' });
    await join.click();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await join.click();
    await page.getByText('name different images').waitFor();
    equal(await page.getByRole('button', { name: 'Join', exact: true }).isDisabled(), true);
    await idle(page);
  }),
  table('images-sheet-changes', ['dark', 'light'], { size: { width: 700, height: 600 } }, async page => {
    await page.getByRole('button', { name: 'Image Columns' }).click();
    const join = page.getByRole('button', { name: 'Join Sample Sheet…' });
    await join.click();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await join.click();
    await page.getByLabel('Match rows by').selectOption({ label: 'Slide' });
    await page.getByText('Joined by “Slide”.').waitFor();
    await page.getByText('Cells that change').click();
    await idle(page);
  }),
  table('sorted', ['dark', 'light'], {}, async page => {
    await page.click('.ag-header-cell[col-id="column-2"] .header-name');
    await page.click('.ag-header-cell[col-id="column-3"] .header-name', { modifiers: ['Shift'] });
    await page.click('.ag-header-cell[col-id="column-3"] .header-name', { modifiers: ['Shift'] });
    await page.click('.ag-row[row-index="3"] .ag-cell[col-id="column-3"]');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
      await page.keyboard.press(`Shift+${key}`);
    await page.locator('.selection-value', { hasText: 'Sum' }).first().waitFor();
    await page.keyboard.press('Control+C');
    await waitForMessage(page, 'copy');
  }),
  table('filter-number', everyTheme, {}, async page => {
    await brush(page, 3, 0.1, 0.4);
    await page.getByText('of 10,000 rows').first().waitFor();
    await page.hover('.ag-header-cell[col-id="column-4"]');
    await page.click('.ag-header-cell[col-id="column-4"] .header-filter');
    await page.getByText('Q1').waitFor();
    await page.keyboard.press('Tab');
    await idle(page);
  }),
  // One filter is turned off.
  table('filter-off', everyTheme, {}, async page => {
    await brush(page, 3, 0.1, 0.4);
    await page.locator('.chip', { hasText: 'Area' }).waitFor();
    await brush(page, 4, 0.2, 0.6);
    await page.locator('.chip', { hasText: 'Perimeter' }).waitFor();
    await page.locator('.chip', { hasText: 'Area' }).getByRole('checkbox').uncheck();
    await page.locator('.chip.off').waitFor();
    await idle(page);
  }),
  table('filter-text', ['dark', 'light', 'hcLight'], {}, async page => {
    await page.hover('.ag-header-cell[col-id="column-2"]');
    await page.click('.ag-header-cell[col-id="column-2"] .header-filter');
    await page.getByRole('checkbox', { name: /Mitotic/ }).check();
    await page.getByRole('textbox', { name: 'Text' }).fill('(');
    await page.getByLabel('How to match the text').selectOption('regex');
    await page.locator('.filter-refusal').filter({ hasText: /./ }).waitFor();
    await page.getByText('of 10,000 rows').first().waitFor();
  }),
  table('columns', ['dark', 'light', 'hcDark'], {}, async page => {
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Perimeter' }).uncheck();
    await page.getByRole('button', { name: 'Pin Area' }).click();
    await page.getByRole('button', { name: 'Move Class Left' }).click();
    await idle(page);
  }),
  table('plots', everyTheme, { size: { width: 1280, height: 900 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-drawing').first().waitFor();
    for (const kind of ['Box plot', 'Bar chart']) {
      await page.getByRole('button', { name: 'Add Plot' }).click();
      await page.getByRole('menuitem', { name: kind }).click();
    }
    await page.locator('.plot-drawing').nth(2).waitFor();
    await page.getByLabel('Measure').nth(1).selectOption('Area');
    await idle(page);
  }),
  table('plots-filtered', everyTheme, { size: { width: 1440, height: 980 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').first().waitFor();
    for (const kind of ['Histogram', 'Box plot']) {
      await page.getByRole('button', { name: 'Add Plot' }).click();
      await page.getByRole('menuitem', { name: kind }).click();
    }
    await page.locator('.plot-drawing').nth(2).waitFor();
    await page.evaluate("panel.endpoint.send('selected', 6)");
    await brush(page, 3, 0.1, 0.4);
    await page.getByText('Gray: all rows.').waitFor();
    await page.getByLabel('Y axis').selectOption('Length of Major Axis');
    await idle(page);
    await page.locator('.plot-stage').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.plot-tip').first().waitFor();
    await idle(page);
  }),
  table('plots-log', ['dark', 'light'], { size: { width: 1280, height: 900 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').first().waitFor();
    await page.getByRole('button', { name: 'Add Plot' }).click();
    await page.getByRole('menuitem', { name: 'Histogram' }).click();
    await page.locator('.plot-drawing').nth(1).waitFor();
    // With keys: from the picker of an axis to its scale.
    for (const [plot, axis] of [
      [0, 'Log Scale (X)'],
      [0, 'Log Scale (Y)'],
      [1, 'Log Scale'],
    ] as const) {
      const scale = page.getByRole('button', { name: axis, exact: true }).nth(0);
      await scale.focus();
      await page.keyboard.press('Enter');
      equal(await scale.getAttribute('aria-pressed'), 'true');
      await page
        .locator('.plot-drawing')
        .nth(plot)
        .getByText(/\(log\)$/)
        .first()
        .waitFor();
    }
    await page.keyboard.press('Control+Z');
    await page.getByRole('button', { name: 'Log Scale', exact: true, pressed: false }).waitFor();
    await page.keyboard.press('Control+Y');
    await page
      .locator('.plot-drawing')
      .nth(1)
      .getByText(/\(log\)$/)
      .waitFor();
    await idle(page);
  }),
  table('populations', ['dark', 'light'], { size: { width: 1280, height: 900 } }, async page => {
    await page.getByRole('button', { name: 'Populations' }).click();
    await page.getByText('draw around points').waitFor();
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'New Population from Filters…' }).click();
      await page.getByLabel('Name of the population').fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('treeitem', { name, selected: true }).waitFor();
    };
    await brush(page, 3, 0.1, 0.9);
    await page.getByText(/^Area: /).waitFor();
    await add('Cells');
    await brush(page, 4, 0.4, 0.9);
    await add('Large');
    await page.getByRole('treeitem', { name: 'Large' }).and(page.locator('[aria-level="2"]')).waitFor();
    await idle(page);
  }),
  table('plots-gates', ['dark', 'light'], { size: { width: 1280, height: 1000 } }, async page => {
    await page.getByRole('button', { name: 'Populations' }).click();
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    await plotsOnTheRight(page);
    await enlargePlots(page, 'ArrowLeft', 40);
    await page.locator('.plot-points').waitFor();
    const name = async (words: string) => {
      const field = page.locator('.gate-tools').getByLabel('Name of the population');
      await field.fill(words);
      await page.keyboard.press('Enter');
      await page.getByRole('treeitem', { name: words }).waitFor();
    };
    await page.getByLabel('Color by').selectOption('');
    await page.getByRole('button', { name: 'Draw a Rectangle' }).click();
    await dragInPlot(page, 0, [0.15, 0.25], [0.6, 0.85]);
    await name('Cells');
    await page.getByRole('button', { name: 'Draw an Ellipse' }).click();
    await dragInPlot(page, 0, [0.2, 0.4], [0.45, 0.7]);
    await name('Round');
    await page.getByRole('button', { name: 'Add Plot' }).click();
    await page.getByRole('menuitem', { name: 'Histogram' }).click();
    await page.getByRole('button', { name: 'Draw an Interval' }).click();
    await page.locator('.plot-stage').nth(1).scrollIntoViewIfNeeded();
    await dragInPlot(page, 1, [0.4, 0.5], [0.7, 0.5]);
    await name('Large');
    // One more is drawn, which has no name yet.
    await page.getByRole('button', { name: 'Draw an Interval' }).click();
    await dragInPlot(page, 1, [0.2, 0.5], [0.3, 0.5]);
    await page.getByLabel('Name of the population').waitFor();
    await idle(page);
  }),
  table(
    'plots-thresholds',
    ['dark', 'light'],
    { size: { width: 1000, height: 1000 }, populations: gated },
    async page => {
      await page.getByRole('button', { name: 'Plots', exact: true }).click();
      await plotsOnTheRight(page);
      await enlargePlots(page, 'ArrowLeft', 40);
      await page.locator('.plot-points').waitFor();
      await page.getByLabel('Color by').selectOption('');
      await page.getByLabel('Y axis').selectOption('Length of Major Axis');
      await page.getByRole('button', { name: 'Log Scale (X)' }).click();
      await idle(page);
      await page.locator('.plot-stage').first().focus();
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByRole('button', { name: 'Add Plot' }).click();
      await page.getByRole('menuitem', { name: 'Histogram' }).click();
      await idle(page);
      await page.getByRole('button', { name: 'Numbers of Round' }).click();
      await page.getByLabel('Center, Area').waitFor();
      await idle(page);
    },
  ),
  table('populations-form', ['dark', 'light'], { size: { width: 1280, height: 900 } }, async page => {
    await page.getByRole('button', { name: 'Populations' }).click();
    const form = page.getByRole('form', { name: 'New Population' });
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for Populations' }).click();
      await page.getByRole('menuitem', { name: 'New Population by Conditions…' }).click();
      await form.getByLabel('Name', { exact: true }).fill(name);
    };
    await create('Cells');
    await form.getByLabel('Kind of condition').selectOption('values');
    await form.getByLabel('Column', { exact: true }).selectOption('Class');
    await form.getByLabel('Nucleus', { exact: true }).check();
    await form.getByText(/ rows, /).waitFor();
    await form.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('treeitem', { name: /^Cells, / }).waitFor();
    await create('Bright or large');
    await form.getByLabel('Part of').selectOption('Cells');
    await form.getByLabel('From', { exact: true }).fill('700');
    await form.getByRole('button', { name: 'Add Condition' }).click();
    await form.getByLabel('Rows fulfill').selectOption('any');
    await form.getByLabel('Kind of condition').last().selectOption('statistic');
    await form.getByLabel('Column', { exact: true }).last().selectOption('Perimeter');
    await form.getByLabel('Center').selectOption('median');
    await form.getByLabel('Computed of').selectOption('parent');
    await form.getByText(/^Freeze the threshold, now /).waitFor();
    await idle(page);
  }),
  table('plots-few', ['dark', 'light'], { rowCount: 60, size: { width: 900, height: 800 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await plotsOnTheRight(page);
    await page.locator('.plot-stage').waitFor();
    await idle(page);
    await page.locator('.plot-stage').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await idle(page);
  }),
  table('plots-narrow', everyTheme, { size: { width: 400, height: 900 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').waitFor();
    await enlargePlots(page, 'ArrowUp', 14);
    for (const kind of ['Histogram', 'Box plot']) {
      await page.getByRole('button', { name: 'Add Plot' }).click();
      await page.getByRole('menuitem', { name: kind }).click();
    }
    await page.locator('.plot-drawing').nth(2).waitFor();
    await idle(page);
  }),
  // No room for plots beside the rows or below them.
  table('plots-over', everyTheme, { size: { width: 400, height: 420 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').waitFor();
    await idle(page);
  }),
  table(
    'plots-zoomed',
    ['dark', 'hcLight'],
    { rowCount: 60_000, size: { width: 1100, height: 900 } },
    async page => {
      await page.getByRole('button', { name: 'Plots' }).click();
      await plotsOnTheRight(page);
      await enlargePlots(page, 'ArrowLeft', 10);
      await page.getByLabel('Color by').selectOption('No color');
      await page.getByText('counted in a grid').waitFor();
      await page.getByRole('button', { name: 'Add Plot' }).click();
      await page.getByRole('menuitem', { name: 'Scatter plot' }).click();
      await page.getByLabel('Y axis').nth(1).selectOption('Length of Major Axis');
      await page.getByLabel('Color by').nth(1).selectOption('Perimeter');
      await page.locator('.plot-stage').nth(1).waitFor();
      await idle(page);
      const box = await page.locator('.plot-stage').first().boundingBox();
      ok(box);
      await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.45);
      for (let turn = 0; turn < 4; turn++) await page.mouse.wheel(0, -200);
      await page.getByText('Zoomed in:').waitFor();
      await idle(page);
    },
  ),
  table('plots-zoomed-bars', ['dark', 'light'], { size: { width: 1100, height: 700 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').waitFor();
    for (const kind of ['Histogram', 'Box plot']) {
      await page.getByRole('button', { name: 'Add Plot' }).click();
      await page.getByRole('menuitem', { name: kind }).click();
    }
    await page.getByRole('button', { name: 'Remove Plot' }).first().click();
    await page.locator('.plot-drawing').nth(1).waitFor();
    await page.evaluate("panel.endpoint.send('selected', 6)");
    await brush(page, 3, 0.02, 0.3);
    await page.getByText('Gray: all rows.').waitFor();
    for (const plot of [0, 1]) {
      await page.locator('.plot-stage').nth(plot).focus();
      for (let step = 0; step < 3; step++) await page.keyboard.press('+');
      for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowLeft');
    }
    await idle(page);
    await page.locator('.plot-stage').first().focus();
    await page.keyboard.press('ArrowRight');
    await idle(page);
  }),
  table('lasso', ['dark', 'light'], { rowCount: 40_000, size: { width: 1280, height: 900 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await plotsOnTheRight(page);
    await page.getByLabel('Color by').selectOption('No color');
    await page.getByText('counted in a grid').waitFor();
    const box = await page.locator('.plot-drawing').boundingBox();
    ok(box);
    const at = (x: number, y: number) => page.mouse.move(box.x + box.width * x, box.y + box.height * y);
    await at(0.3, 0.3);
    await page.mouse.down();
    for (const [x, y] of [
      [0.7, 0.3],
      [0.7, 0.8],
      [0.3, 0.8],
    ] as const)
      await at(x, y);
    await page.mouse.up();
    await page.getByText('Lasso over').waitFor();
    await page.getByRole('button', { name: 'Save Plot' }).click();
    await page.getByRole('menuitem', { name: 'Save as PNG' }).click();
    await waitForMessage(page, 'savePlot');
    await idle(page);
  }),
  // A class selected, of two measured columns less.
  table('groups', everyTheme, { size: { width: 1440, height: 860 } }, async page => {
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByText('3 groups of all rows').waitFor();
    await page.locator('.groups-grid .ag-row', { hasText: 'Mitotic' }).first().click();
    await page.locator('.chip', { hasText: 'Class: Mitotic' }).waitFor();
    await page.locator('.groups-grid .ag-row.selected').first().waitFor();
    await idle(page);
  }),
  table('groups-plots', ['dark', 'light'], { size: { width: 1440, height: 860 } }, async page => {
    await brush(page, 3, 0.1, 0.4);
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByLabel('Then by').selectOption('Image origin');
    await page.getByText('groups of the filtered rows').waitFor();
    await page.locator('.groups-grid .header-name', { hasText: 'Mean' }).first().click();
    await page.locator('.plot-drawing').first().waitFor({ state: 'attached' });
    await idle(page);
  }),
  table('groups-beside', ['light', 'hcDark'], { size: { width: 620, height: 800 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByText('3 groups of all rows').waitFor();
    await page.getByRole('button', { name: 'Columns and Statistics' }).click();
    await page.getByRole('checkbox', { name: 'Max', exact: true }).check();
    await idle(page);
  }),
  table('groups-narrow', everyTheme, { size: { width: 400, height: 640 } }, async page => {
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByText('3 groups of all rows').waitFor();
    await idle(page);
  }),
  // No room for all three: tabs.
  table('tabs-groups', everyTheme, { size: { width: 400, height: 700 } }, async page => {
    await brush(page, 3, 0.1, 0.4);
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-drawing').first().waitFor();
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.locator('.groups-grid .ag-row').first().waitFor();
    await idle(page);
  }),
  table('tabs-plots', everyTheme, { size: { width: 960, height: 440 } }, async page => {
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByText('3 groups of all rows').waitFor();
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    await idle(page);
  }),
  // More filters than there is room for.
  table('chips', everyTheme, { size: { width: 400, height: 600 } }, async page => {
    await page.locator('.ag-header-cell[col-id="column-3"] .header-name').click();
    await brush(page, 3, 0.1, 0.4);
    await brush(page, 4, 0.1, 0.6);
    await page.locator('.ag-header-cell[col-id="column-2"]').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('checkbox', { name: 'Nucleus' }).check();
    await page.locator('.chip', { hasText: 'Class' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show All 4 Filters' }).click();
    await idle(page);
  }),
  table('cell', ['dark', 'light'], { rowCount: 1000 }, async page => {
    await page.click('.ag-row[row-index="3"] .ag-cell[col-id="column-0"]');
    await page.keyboard.press('Enter');
    await page.locator('.cell-text').waitFor();
  }),
  table('find', ['dark'], {}, async page => {
    await page.keyboard.press('Control+F');
    await page.keyboard.type('checked by');
    await page.keyboard.press('Enter');
    await page.getByText('Found in').first().waitFor();
  }),
  table('plots-failed', everyTheme, { size: { width: 1100, height: 700 } }, async (page, engine) => {
    engine.failRequests('The worker ended. Open the table again.', 'tableHistogram');
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').waitFor();
    await page.getByRole('button', { name: 'Add Plot' }).click();
    await page.getByRole('menuitem', { name: 'Histogram' }).click();
    await page.getByRole('button', { name: 'Try Again' }).waitFor();
    await page.getByRole('button', { name: 'Try Again' }).focus();
    await idle(page);
  }),
  // One plot on its way, and one whose new data are.
  table('plots-slow', ['dark', 'hcLight'], { size: { width: 1100, height: 700 } }, async (page, engine) => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').waitFor();
    engine.delayResponses('tablePoints', 'tableHistogram');
    await page.getByLabel('Y axis').selectOption('Length of Major Axis');
    await page.getByRole('button', { name: 'Add Plot' }).click();
    await page.getByRole('menuitem', { name: 'Histogram' }).click();
    await page.locator('.plot-loading').waitFor();
    await idle(page);
  }),
  table('plots-menu', everyTheme, { size: { width: 700, height: 700 } }, async page => {
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-points').waitFor();
    await page.getByRole('button', { name: 'Add Plot' }).click();
    await page.getByRole('menuitem', { name: 'Box plot' }).hover();
  }),
  table('find-whole', everyTheme, {}, async page => {
    await page.keyboard.press('Control+F');
    await page.keyboard.type('mitotic');
    await page.getByRole('button', { name: 'Match Whole Cell' }).click();
    await page.getByText('1 of ').waitFor();
    await page.getByRole('button', { name: 'Match Case' }).click();
    await page.getByText('No matches').first().waitFor();
    await idle(page);
  }),
  table('filters-many', everyTheme, { size: { width: 800, height: 500 } }, async page => {
    for (const column of [3, 4, 5, 6]) await brush(page, column, 0.05, 0.6);
    await page.locator('.chip').nth(3).waitFor({ state: 'attached' });
    await page.getByText('of 10,000 rows').first().waitFor();
    await idle(page);
  }),
  // IDs have no histogram.
  table('filter-id', ['dark', 'hcLight'], {}, async page => {
    await page.hover('.ag-header-cell[col-id="column-1"]');
    await page.click('.ag-header-cell[col-id="column-1"] .header-filter');
    await page.getByText('Distinct').waitFor();
    await idle(page);
  }),
  table('shortcuts', everyTheme, { size: { width: 800, height: 700 } }, async page => {
    await page.locator('.ag-cell').first().focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  }),
  // Rows that take long are bars until they come.
  table('rows-slow', ['dark', 'light'], { size: { width: 900, height: 500 } }, async (page, engine) => {
    engine.delayResponses('tableRows');
    await page.keyboard.press('Control+End');
    await page.locator('.ag-row:not([row-id])').first().waitFor();
    await idle(page);
  }),
  table('groups-failed', ['dark', 'light'], { size: { width: 900, height: 600 } }, async (page, engine) => {
    engine.failRequests('The worker ended. Open the table again.', 'tableGroups');
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByText("Couldn't group the rows").waitFor();
    await idle(page);
  }),
  table('no-rows', ['light'], { rowCount: 1000 }, async page => {
    await page.hover('.ag-header-cell[col-id="column-2"]');
    await page.click('.ag-header-cell[col-id="column-2"] .header-filter');
    await page.getByRole('textbox', { name: 'Text' }).fill('nothing like this');
    await page.getByText('No rows match').waitFor();
    await page.keyboard.press('Escape');
  }),
  table('aggregate', ['light', 'dark'], {
    rowCount: 12,
    kind: 'aggregate',
    size: { width: 1000, height: 500 },
  }),
  table('narrow', everyTheme, { rowCount: 500, size: { width: 400, height: 600 } }, async page => {
    await page.locator('.ag-row[row-index="3"] [col-id="column-1"]').click();
    await brush(page, 3, 0.1, 0.6);
    await page.getByText('of 500 rows').first().waitFor();
    await idle(page);
  }),
  table('empty', ['light', 'dark'], { rowCount: 0, size: { width: 800, height: 500 } }),
  table(
    'opening',
    ['dark'],
    { rowCount: 0, start: 'wait', size: { width: 800, height: 500 } },
    async page => {
      await page.waitForSelector('.progress-bar');
      await page.evaluate(
        "panel.endpoint.send('progress', { done: 431, total: 1000, text: 'Downloading the objects table' })",
      );
      await page.getByText('43%').waitFor();
    },
  ),
  table(
    'failed',
    ['dark', 'hcDark'],
    { rowCount: 0, start: 'fail', size: { width: 800, height: 500 } },
    async page => {
      await page.waitForSelector('.failed button');
      await page.keyboard.press('Tab');
    },
  ),
  table('behaves', ['dark'], {}, async page => {
    const cell = (row: number, column: number) =>
      page.locator(`.ag-row[row-index="${row}"] [col-id="column-${column}"]`);
    await cell(2, 3).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+C');
    await waitForMessage(page, 'copy');
    deepEqual(await all(page, 'select'), [2, 3]);
    deepEqual(await all(page, 'copy'), ['713']);
    await cell(5, 1).click({ modifiers: ['Shift'] });
    await page.getByLabel('Copy Selection').click();
    await page.getByRole('menuitemradio', { name: 'Copy With Header' }).click();
    await page.getByRole('status').getByText('3 rows copied').waitFor({ state: 'attached' });
    const copied = String((await all(page, 'copy'))[1])
      .trimEnd()
      .split('\n');
    deepEqual(
      [copied.length, copied[0], copied[1]?.split('\t')[0]],
      [4, 'Object ID\tImage origin\tClass\tArea', '4.0'],
    );
    // Selected elsewhere, far away, under another order.
    await page.locator('.ag-header-cell[col-id="column-3"] .header-name').click();
    await page.evaluate("panel.endpoint.send('selected', 9000); sessionStorage.setItem('selected', '9000')");
    await page.locator('.ag-row.selected[row-id="9000"]').first().waitFor();
    await page.locator('.ag-cell[col-id="column-3"]').first().hover();
    // What was left comes back: order, filters, widths and place.
    await brush(page, 4, 0.1, 0.9);
    await waitForMessage(page, 'filtered');
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-drawing').waitFor();
    await page.mouse.move(400, 200);
    await page.mouse.wheel(0, 2400);
    await idle(page);
    const first = await firstRow(page);
    const rows = await page.locator('.status-item.rows').textContent();
    await page.reload();
    await page.getByText('Sorted by Area, ascending').waitFor();
    await shown(page);
    await page.locator('.plot-drawing').waitFor();
    await idle(page);
    deepEqual([await firstRow(page), await page.locator('.status-item.rows').textContent()], [first, rows]);
    ok(rows?.includes('of 10,000'));
    deepEqual(await all(page, 'failure'), []);
  }),
];
