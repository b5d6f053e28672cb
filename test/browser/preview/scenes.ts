import type { Page } from 'playwright-core';
import type { ThemeName } from './themes';

export interface Scene {
  name: string;
  page: 'table' | 'masks';
  options: Record<string, unknown>;
  themes: readonly ThemeName[];
  size?: { width: number; height: number };
  /** What happens before the picture is taken. */
  act?(page: Page): Promise<void>;
}

const all: readonly ThemeName[] = ['dark', 'light', 'hcDark', 'hcLight'];

/** Until the page told its panel that its first content is on the screen. */
const shown = (page: Page) => heard(page, 'shown');

/** Until the page sent an event or request of this name. */
async function heard(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`html[data-heard~="${name}"]`, { state: 'attached' });
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
    themes: all,
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
    themes: all,
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
];
