import { deepEqual, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ThemeName } from './themes';

export interface Scene {
  name: string;
  page: 'table' | 'masks';
  options: Record<string, unknown>;
  themes: readonly ThemeName[];
  pixelRatio?: number;
  size?: { width: number; height: number };
  /** What happens before the picture is taken. */
  act?(page: Page): Promise<void>;
}

const everyTheme: readonly ThemeName[] = ['dark', 'light', 'hcDark', 'hcLight'];

/** Until the page told its panel that its first content is on the screen. */
const shown = (page: Page) => heard(page, 'shown');

/** Until the page sent an event or request of this name. */
async function heard(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`html[data-heard~="${name}"]`, { state: 'attached' });
}

/** Values of all events and requests of a name that the page sent so far. */
async function all(page: Page, name: string): Promise<unknown[]> {
  const heardSoFar: [string, unknown][] = await page.evaluate('heard');
  return heardSoFar.filter(([each]) => each === name).map(([, value]) => value);
}

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

/** Zooms in and out again by the wheel and measures the frames meanwhile; the page itself says how long they took. */
async function frameTimes(page: Page): Promise<string> {
  return page.evaluate(`(async () => {
    const canvas = document.querySelector('canvas');
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
      await page.click('.ag-header-cell[col-id="column-2"]');
      await page.click('.ag-header-cell[col-id="column-3"]', { modifiers: ['Shift'] });
      await page.click('.ag-header-cell[col-id="column-3"]', { modifiers: ['Shift'] });
      await page.click('.ag-row[row-index="3"] .ag-cell[col-id="column-3"]');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Control+C');
      await heard(page, 'copy');
    },
  },
  {
    name: 'table-narrow',
    page: 'table',
    options: { rowCount: 500, start: 'answer' },
    themes: ['light'],
    size: { width: 480, height: 600 },
    act: page => shown(page),
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
      await cell(5, 0).click({ modifiers: ['Shift'] });
      await page.getByLabel('Copy Selected Rows').click();
      await page.getByRole('status').getByText('3 rows copied').waitFor({ state: 'attached' });
      const copied = String((await all(page, 'copy'))[1])
        .trimEnd()
        .split('\n');
      deepEqual([copied.length, copied[1]?.split('\t')[1], copied[3]?.split('\t')[1]], [4, '4.0', '6.0']);
      // Selected elsewhere, far away, under another order.
      await page.locator('.ag-header-cell[col-id="column-3"]').click();
      await page.evaluate("panel.endpoint.send('selected', 9000)");
      await page.locator('.ag-row.selected[row-id="9000"]').waitFor();
      await page.locator('.ag-cell[col-id="column-3"]').first().hover();
      // What was left comes back: order, widths and place.
      const before = await page.locator('.ag-row.selected').getAttribute('row-index');
      await page.mouse.wheel(0, 2400);
      await idle(page);
      const first = await firstRow(page);
      await page.reload();
      await page.getByText('Sorted by Area, ascending').waitFor();
      await shown(page);
      await idle(page);
      deepEqual(await firstRow(page), first);
      ok(before !== null && Number(before) > 100);
      await page.keyboard.press('Tab');
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
      const canvas = page.locator('canvas');
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
