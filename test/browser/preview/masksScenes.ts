import { deepEqual } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { allHeard as all } from './previewPages';
import { everyTheme, idle, shown, type Scene } from './scene';
import type { FakeMasksOptions } from './fakeMasksPanel';
import type { ThemeName } from './themes';

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

const plate = { images: 12, width: 1392, height: 1040, cells: 500, picture: 'fluorescence' };
/** Of pages that show no masks. */
const small = { images: 1, width: 40, height: 40, cells: 1, size: { width: 900, height: 500 } };
const wide = { width: 1280, height: 800 };

type Setting = Partial<FakeMasksOptions> & Pick<Scene, 'size' | 'pixelRatio'>;

/**
 * A scene on a plate of twelve images in a wide panel, but for what `setting` says. It ends when the page has come to
 * rest.
 */
function masks(
  name: string,
  themes: readonly ThemeName[],
  { size = wide, pixelRatio, ...options }: Setting,
  act?: (page: Page) => Promise<unknown>,
): Scene {
  return {
    name: `masks-${name}`,
    page: 'masks',
    options: { ...plate, ...options },
    themes,
    size,
    ...(pixelRatio && { pixelRatio }),
    async act(page) {
      if (!options.opening) await shown(page);
      await act?.(page);
      await idle(page);
    },
  };
}

/** The masks page in its states. */
export const masksScenes: Scene[] = [
  masks('fit', everyTheme, {}, async page => {
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    await page.getByText('Selected object').waitFor();
  }),
  masks('close', ['dark', 'light'], { images: 1 }, async page => {
    await page.keyboard.press('1');
    for (let i = 0; i < 4; i++) await page.keyboard.press('+');
    await idle(page);
    await page.mouse.move(520, 400);
  }),
  masks('outlines', ['light', 'dark'], { images: 3, picture: 'bright-field' }, async page => {
    await page.getByRole('button', { name: 'Outlines' }).click();
    await page.keyboard.press('1');
    await page.mouse.move(600, 420);
  }),
  masks('no-picture', everyTheme, { picture: 'suggested' }, async page => {
    await page.getByLabel('Hide Nucleus').click();
  }),
  masks('narrow', ['dark'], { picture: 'missing', size: { width: 620, height: 800 } }),
  masks(
    'list',
    ['dark', 'light', 'hcDark'],
    { images: 5000, cells: 300, picture: 'missing', size: { width: 500, height: 700 } },
    async page => {
      await page.getByRole('button', { name: 'Images' }).click();
      await page.getByRole('listbox', { name: 'Images' }).press('PageDown');
      await page.locator('.strip-picture canvas').first().waitFor();
    },
  ),
  masks('slim', ['light'], { size: { width: 440, height: 800 } }),
  masks(
    'dense-screen',
    ['dark'],
    { images: 3, size: { width: 900, height: 600 }, pixelRatio: 2 },
    async page => {
      await page.keyboard.press('1');
      await idle(page);
      await page.mouse.click(420, 300);
      await page.mouse.move(300, 200);
    },
  ),
  masks(
    'many',
    ['dark'],
    {
      images: 5000,
      width: 4096,
      height: 3072,
      cells: 6000,
      picture: 'missing',
      size: { width: 1600, height: 1000 },
    },
    async page => {
      await idle(page);
      console.log('zooming, ms a frame (median, slowest):', await frameTimes(page));
    },
  ),
  masks('by-column', everyTheme, { channels: 3, size: { width: 1280, height: 1000 } }, async page => {
    await page.locator('#colour-by').selectOption({ label: 'Area' });
    await page.getByLabel('Colours end at').fill('140');
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    await page.getByText('Selected object').waitFor();
  }),
  masks(
    'channels',
    everyTheme,
    { images: 2, channels: 3, size: { width: 1280, height: 900 } },
    async page => {
      await page.keyboard.press('1');
      await page.getByLabel('Full colour at').first().waitFor();
      await page.getByText('Same contrast').scrollIntoViewIfNeeded();
    },
  ),
  masks('by-object', ['light'], { images: 1, picture: 'bright-field' }, async page => {
    await page.locator('#colour-by').selectOption({ label: 'Object' });
    await page.keyboard.press('1');
  }),
  masks('filtered', ['dark', 'hcLight'], {}, async page => {
    await page.evaluate('panel.filter(true)');
    await page.getByText('Filtered by the table').waitFor();
    await page.keyboard.press('r');
    await idle(page);
    await page.mouse.move(400, 250);
    await page.mouse.down();
    await page.mouse.move(640, 420, { steps: 8 });
  }),
  masks('classes', ['dark', 'light', 'hcLight'], { images: 3, classes: 40 }, async page => {
    await page.getByRole('button', { name: 'Hide Mitotic' }).click({ modifiers: ['Alt'] });
    await page.getByRole('button', { name: 'Show Nucleus' }).waitFor();
  }),
  masks(
    'other-size',
    everyTheme,
    { images: 3, picture: 'other-size', size: { width: 1000, height: 900 } },
    async page => {
      await page.getByRole('button', { name: 'Use Its Page 4' }).scrollIntoViewIfNeeded();
    },
  ),
  masks('opening', everyTheme, { ...small, picture: 'missing', opening: 'forever' }, page =>
    page.getByText('34').waitFor(),
  ),
  masks('not-opened', everyTheme, { ...small, picture: 'missing', opening: 'fails' }, page =>
    page.getByRole('button').waitFor(),
  ),
  masks('failed-image', ['dark'], { size: { width: 1000, height: 640 } }, async page => {
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await page.getByText('checksum').waitFor();
  }),
  masks('behaves', ['dark'], { picture: 'suggested' }, async page => {
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
  }),
];
