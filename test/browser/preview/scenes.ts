import { deepEqual, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { allHeard as all, heard, type PageWanted } from './previewPages';
import type { ThemeName } from './themes';

export interface Scene extends PageWanted {
  name: string;
  themes: readonly ThemeName[];
  /** What happens before the picture is taken. */
  act?(page: Page): Promise<void>;
}

const everyTheme: readonly ThemeName[] = ['dark', 'light', 'hcDark', 'hcLight'];

/** Until the page told its panel that its first content is on the screen. */
const shown = (page: Page) => heard(page, 'shown');

/** File row of the first whole row on the screen. */
async function firstRow(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const top = document.querySelector('.ag-header').getBoundingClientRect().bottom;
    const rows = [...document.querySelectorAll('.ag-row')].filter(row => row.getBoundingClientRect().top >= top - 1);
    return rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0].getAttribute('row-id');
  })()`);
}

/** Until nothing has been painted or fetched for a while; good enough for a picture to look at. */
async function idle(page: Page): Promise<void> {
  await page.waitForTimeout(600);
}

/** Drags over a share of the histogram in a column's header. */
async function brush(page: Page, column: number, from: number, to: number): Promise<void> {
  const box = await page.locator(`.ag-header-cell[col-id="column-${column}"] .range-brush`).boundingBox();
  ok(box);
  const at = (share: number) => page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  await at(from);
  await page.mouse.down();
  await at((from + to) / 2);
  await at(to);
  await page.mouse.up();
}

/** Zooms in and out again by the wheel and measures the frames meanwhile; the page itself says how long they took. */
async function frameTimes(page: Page): Promise<string> {
  return page.evaluate(`(async () => {
    const canvas = document.querySelector('canvas.masks-canvas');
    const box = canvas.getBoundingClientRect();
    const times = [];
    let before = await new Promise(requestAnimationFrame);
    for (let i = 0; i < 80; i++) {
      const deltaY = i < 40 ? -60 : 60;
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, clientX: box.x + 400, clientY: box.y + 300 }));
      const now = await new Promise(requestAnimationFrame);
      times.push(now - before);
      before = now;
    }
    times.sort((a, b) => a - b);
    return times[40].toFixed(1) + ', ' + times[79].toFixed(1);
  })()`);
}

export const scenes: Scene[] = [
  {
    name: 'table-rows',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: everyTheme,
    async act(page) {
      await shown(page);
      await page.evaluate("panel.endpoint.send('selected', 6)");
      await page.waitForSelector('.ag-row.selected');
      await page.hover('.ag-row[row-index="11"] .ag-cell[col-id="column-3"]');
    },
  },
  {
    name: 'table-sorted',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: ['dark', 'light'],
    async act(page) {
      await shown(page);
      await page.click('.ag-header-cell[col-id="column-2"] .header-name');
      await page.click('.ag-header-cell[col-id="column-3"] .header-name', { modifiers: ['Shift'] });
      await page.click('.ag-header-cell[col-id="column-3"] .header-name', { modifiers: ['Shift'] });
      await page.click('.ag-row[row-index="3"] .ag-cell[col-id="column-3"]');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
        await page.keyboard.press(`Shift+${key}`);
      await page.locator('.figure', { hasText: 'Sum' }).waitFor();
      await page.keyboard.press('Control+C');
      await heard(page, 'copy');
    },
  },
  {
    name: 'table-filter-number',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: everyTheme,
    async act(page) {
      await shown(page);
      await brush(page, 3, 0.1, 0.4);
      await page.getByText('of 10,000 rows').first().waitFor();
      await page.hover('.ag-header-cell[col-id="column-4"]');
      await page.click('.ag-header-cell[col-id="column-4"] .header-filter');
      await page.getByText('1st quartile').waitFor();
      await page.keyboard.press('Tab');
      await idle(page);
    },
  },
  {
    name: 'table-filter-text',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: ['dark', 'light', 'hcLight'],
    async act(page) {
      await shown(page);
      await page.hover('.ag-header-cell[col-id="column-2"]');
      await page.click('.ag-header-cell[col-id="column-2"] .header-filter');
      await page.getByRole('checkbox', { name: /Mitotic/ }).check();
      await page.getByRole('textbox', { name: 'Text' }).fill('(');
      await page.getByLabel('How the text is matched').selectOption('regex');
      await page.locator('.filter-refusal').filter({ hasText: /./ }).waitFor();
      await page.getByText('of 10,000 rows').first().waitFor();
    },
  },
  {
    name: 'table-columns',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: ['dark', 'light', 'hcDark'],
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Perimeter' }).uncheck();
      await page.getByRole('button', { name: 'Keep Area at the left' }).click();
      await page.getByRole('button', { name: 'Move Class to the left' }).click();
      await idle(page);
    },
  },
  {
    name: 'table-plots',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: everyTheme,
    size: { width: 1280, height: 900 },
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Plots' }).click();
      await page.locator('.plot-drawing').first().waitFor();
      for (const kind of ['Box plot', 'Bar chart']) {
        await page.getByRole('button', { name: 'Add Plot' }).click();
        await page.getByRole('menuitem', { name: kind }).click();
      }
      await page.locator('.plot-drawing').nth(2).waitFor();
      await page.getByLabel('Measure').nth(1).selectOption('Area');
      await idle(page);
    },
  },
  {
    name: 'table-lasso',
    page: 'table',
    options: { rowCount: 40_000, start: 'answer' },
    themes: ['dark', 'light'],
    size: { width: 1280, height: 900 },
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Plots' }).click();
      await page.getByRole('button', { name: 'Plots at the Right' }).click();
      await page.getByLabel('Colour by').selectOption('No colour');
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
      await heard(page, 'savePlot');
      await idle(page);
    },
  },
  {
    name: 'table-cell',
    page: 'table',
    options: { rowCount: 1000, start: 'answer' },
    themes: ['dark', 'light'],
    async act(page) {
      await shown(page);
      await page.click('.ag-row[row-index="3"] .ag-cell[col-id="column-0"]');
      await page.keyboard.press('Enter');
      await page.locator('.cell-text').waitFor();
    },
  },
  {
    name: 'table-find',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: ['dark'],
    async act(page) {
      await shown(page);
      await page.keyboard.press('Control+F');
      await page.keyboard.type('checked by');
      await page.keyboard.press('Enter');
      await page.getByText('Found in').first().waitFor();
    },
  },
  {
    name: 'table-nothing-left',
    page: 'table',
    options: { rowCount: 1000, start: 'answer' },
    themes: ['light'],
    async act(page) {
      await shown(page);
      await page.hover('.ag-header-cell[col-id="column-2"]');
      await page.click('.ag-header-cell[col-id="column-2"] .header-filter');
      await page.getByRole('textbox', { name: 'Text' }).fill('nothing like this');
      await page.getByText('No row passes').waitFor();
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'table-aggregate',
    page: 'table',
    options: { rowCount: 12, start: 'answer', kind: 'aggregate' },
    themes: ['light', 'dark'],
    size: { width: 1000, height: 500 },
    act: page => shown(page),
  },
  {
    name: 'table-narrow',
    page: 'table',
    options: { rowCount: 500, start: 'answer' },
    themes: everyTheme,
    size: { width: 400, height: 600 },
    async act(page) {
      await shown(page);
      await page.locator('.ag-row[row-index="3"] [col-id="column-1"]').click();
      await brush(page, 1, 0.1, 0.6);
      await page.getByText('of 500 rows').first().waitFor();
    },
  },
  {
    name: 'table-empty',
    page: 'table',
    options: { rowCount: 0, start: 'answer' },
    themes: ['light', 'dark'],
    size: { width: 800, height: 500 },
    act: page => shown(page),
  },
  {
    name: 'table-opening',
    page: 'table',
    options: { rowCount: 0, start: 'wait' },
    themes: ['dark'],
    size: { width: 800, height: 500 },
    async act(page) {
      await page.waitForSelector('.progress-bar');
      await page.evaluate(
        "panel.endpoint.send('progress', { done: 431, total: 1000, text: 'Downloading the objects table' })",
      );
      await page.getByText('43 %').waitFor();
    },
  },
  {
    name: 'table-failed',
    page: 'table',
    options: { rowCount: 0, start: 'fail' },
    themes: ['dark', 'hcDark'],
    size: { width: 800, height: 500 },
    async act(page) {
      await page.waitForSelector('.failed button');
      await page.keyboard.press('Tab');
    },
  },
  {
    name: 'masks-fit',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'fluorescence' },
    themes: everyTheme,
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
      await page.getByText('Selected object').waitFor();
      await idle(page);
    },
  },
  {
    name: 'masks-close',
    page: 'masks',
    options: { images: 1, width: 1392, height: 1040, cells: 500, picture: 'fluorescence' },
    themes: ['dark', 'light'],
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      await page.keyboard.press('1');
      for (let i = 0; i < 4; i++) await page.keyboard.press('+');
      await idle(page);
      await page.mouse.move(520, 400);
      await idle(page);
    },
  },
  {
    name: 'masks-outlines',
    page: 'masks',
    options: { images: 3, width: 1392, height: 1040, cells: 500, picture: 'bright-field' },
    themes: ['light', 'dark'],
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Outlines' }).click();
      await page.keyboard.press('1');
      await page.mouse.move(600, 420);
      await idle(page);
    },
  },
  {
    name: 'masks-no-picture',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'suggested' },
    themes: ['dark', 'light', 'hcDark', 'hcLight'],
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      await page.getByLabel('Hide Nucleus').click();
      await idle(page);
    },
  },
  {
    name: 'masks-narrow',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'missing' },
    themes: ['dark'],
    size: { width: 620, height: 800 },
    act: shown,
  },
  {
    name: 'masks-list',
    page: 'masks',
    options: { images: 5000, width: 1392, height: 1040, cells: 300, picture: 'missing' },
    themes: ['dark', 'light', 'hcDark'],
    size: { width: 500, height: 700 },
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Images' }).click();
      await page.getByRole('listbox', { name: 'Images' }).press('PageDown');
      await page.locator('.strip-picture canvas').first().waitFor();
      await idle(page);
    },
  },
  {
    name: 'masks-slim',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'fluorescence' },
    themes: ['light'],
    size: { width: 440, height: 800 },
    async act(page) {
      await shown(page);
      await idle(page);
    },
  },
  {
    name: 'masks-dense-screen',
    page: 'masks',
    options: { images: 3, width: 1392, height: 1040, cells: 500, picture: 'fluorescence' },
    themes: ['dark'],
    size: { width: 900, height: 600 },
    pixelRatio: 2,
    async act(page) {
      await shown(page);
      await page.keyboard.press('1');
      await idle(page);
      await page.mouse.click(420, 300);
      await page.mouse.move(300, 200);
      await idle(page);
    },
  },
  {
    name: 'masks-many',
    page: 'masks',
    options: { images: 5000, width: 4096, height: 3072, cells: 6000, picture: 'missing' },
    themes: ['dark'],
    size: { width: 1600, height: 1000 },
    async act(page) {
      await shown(page);
      await idle(page);
      console.log('zooming, ms a frame (median, slowest):', await frameTimes(page));
    },
  },
  {
    name: 'masks-by-column',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'fluorescence', channels: 3 },
    themes: everyTheme,
    size: { width: 1280, height: 1000 },
    async act(page) {
      await shown(page);
      await page.locator('#colour-by').selectOption({ label: 'Area' });
      await page.getByLabel('Colours end at').fill('140');
      await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
      await page.getByText('Selected object').waitFor();
      await idle(page);
    },
  },
  {
    name: 'masks-channels',
    page: 'masks',
    options: { images: 2, width: 1392, height: 1040, cells: 500, picture: 'fluorescence', channels: 3 },
    themes: everyTheme,
    size: { width: 1280, height: 900 },
    async act(page) {
      await shown(page);
      await page.keyboard.press('1');
      await page.getByLabel('Full colour at').first().waitFor();
      await page.getByText('Same contrast').scrollIntoViewIfNeeded();
      await idle(page);
    },
  },
  {
    name: 'masks-by-object',
    page: 'masks',
    options: { images: 1, width: 1392, height: 1040, cells: 500, picture: 'bright-field' },
    themes: ['light'],
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      await page.locator('#colour-by').selectOption({ label: 'Object' });
      await page.keyboard.press('1');
      await idle(page);
    },
  },
  {
    name: 'masks-filtered',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'fluorescence' },
    themes: ['dark', 'hcLight'],
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      await page.evaluate('panel.filter(true)');
      await page.getByText('Filtered by the table').waitFor();
      await page.keyboard.press('r');
      await idle(page);
      await page.mouse.move(400, 250);
      await page.mouse.down();
      await page.mouse.move(640, 420, { steps: 8 });
      await idle(page);
    },
  },
  {
    name: 'masks-classes',
    page: 'masks',
    options: { images: 3, width: 1392, height: 1040, cells: 500, picture: 'fluorescence', classes: 40 },
    themes: ['dark', 'light', 'hcLight'],
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Hide Mitotic' }).click({ modifiers: ['Alt'] });
      await page.getByRole('button', { name: 'Show Nucleus' }).waitFor();
      await idle(page);
    },
  },
  {
    name: 'masks-other-size',
    page: 'masks',
    options: { images: 3, width: 1392, height: 1040, cells: 500, picture: 'other-size' },
    themes: everyTheme,
    size: { width: 1000, height: 900 },
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Use Its Page 4' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'masks-opening',
    page: 'masks',
    options: { images: 1, width: 40, height: 40, cells: 1, picture: 'missing', opening: 'forever' },
    themes: everyTheme,
    size: { width: 900, height: 500 },
    act: page => page.getByText('34').waitFor(),
  },
  {
    name: 'masks-not-opened',
    page: 'masks',
    options: { images: 1, width: 40, height: 40, cells: 1, picture: 'missing', opening: 'fails' },
    themes: everyTheme,
    size: { width: 900, height: 500 },
    act: page => page.getByRole('button').waitFor(),
  },
  {
    name: 'masks-failed-image',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'fluorescence' },
    themes: ['dark'],
    size: { width: 1000, height: 640 },
    async act(page) {
      await shown(page);
      await page.keyboard.press(']');
      await page.keyboard.press(']');
      await page.getByText('checksum').waitFor();
    },
  },
  {
    name: 'table-behaves',
    page: 'table',
    options: { rowCount: 10_000, start: 'answer' },
    themes: ['dark'],
    async act(page) {
      await shown(page);
      const cell = (row: number, column: number) =>
        page.locator(`.ag-row[row-index="${row}"] [col-id="column-${column}"]`);
      await cell(2, 3).click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Control+C');
      await heard(page, 'copy');
      deepEqual(await all(page, 'select'), [2, 3]);
      deepEqual(await all(page, 'copy'), ['713']);
      await cell(5, 1).click({ modifiers: ['Shift'] });
      await page.getByLabel('Copy Selection').click();
      await page.getByRole('menuitemradio', { name: 'Copy With Header' }).click();
      await page.getByRole('status').getByText('3 rows copied').waitFor({ state: 'attached' });
      const copied = String((await all(page, 'copy'))[1])
        .trimEnd()
        .split('\n');
      deepEqual([copied.length, copied[0], copied[1]?.split('\t')[0]], [4, 'Object ID\tClass\tArea', '4.0']);
      // Selected elsewhere, far away, under another order.
      await page.locator('.ag-header-cell[col-id="column-3"] .header-name').click();
      await page.evaluate("panel.endpoint.send('selected', 9000)");
      await page.locator('.ag-row.selected[row-id="9000"]').first().waitFor();
      await page.locator('.ag-cell[col-id="column-3"]').first().hover();
      // What was left comes back: order, filters, widths and place.
      await brush(page, 4, 0.1, 0.9);
      await heard(page, 'filtered');
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
    },
  },
  {
    name: 'masks-behaves',
    page: 'masks',
    options: { images: 12, width: 1392, height: 1040, cells: 500, picture: 'suggested' },
    themes: ['dark'],
    size: { width: 1280, height: 800 },
    async act(page) {
      await shown(page);
      const canvas = page.locator('canvas.masks-canvas');
      await page.evaluate("panel.endpoint.send('selected', { image: 1, object: 40 })");
      await page.getByText('2 of 12').waitFor();
      await page.getByText('Selected object').waitFor();
      await idle(page);
      deepEqual(await all(page, 'select'), []);
      await page.getByText('Use This Picture').click();
      await page.getByText('Uploaded from this file').waitFor();
      await canvas.click({ position: { x: 5, y: 5 } });
      deepEqual(await all(page, 'select'), [null]);
      await canvas.focus();
      for (const key of ['+', '+', 'ArrowLeft', 'ArrowDown', '-', '1', 'f', 'o', 'o', ']', '['])
        await page.keyboard.press(key);
      await page.getByText('2 of 12').waitFor();
      await page.keyboard.down('h');
      await page.keyboard.up('h');
      await page.mouse.move(500, 400);
      await page.mouse.wheel(0, -400);
      await idle(page);
      const zoom = await page.locator('.zoom-level').textContent();
      await page.getByLabel('Hide Mitotic').click();
      await page.locator('.slider').fill('80');
      await idle(page);
      await page.reload();
      await shown(page);
      await page.getByText('2 of 12').waitFor();
      await page.getByLabel('Show Mitotic').waitFor();
      deepEqual(
        [await page.locator('.zoom-level').textContent(), await page.locator('.slider-value').textContent()],
        [zoom, '80 %'],
      );
      deepEqual(await all(page, 'failure'), []);
    },
  },
];
