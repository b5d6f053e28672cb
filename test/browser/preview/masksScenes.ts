import { deepEqual } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { allHeard as all } from './previewPages';
import { everyTheme, idle, shown, type Scene } from './scene';

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

/** The masks page in its states. */
export const masksScenes: Scene[] = [
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
