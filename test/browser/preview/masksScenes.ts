import { deepEqual, match } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sentMessages as all, waitForMessage } from './previewPages';
import { openedMenus } from './openedMenus';
import { everyTheme, idle, shown, type Scene } from './scene';
import type { FakeMasksOptions } from './fakeMasksPanel';
import type { ThemeName } from './themes';

/**
 * Zooms in and out again by the wheel and measures the frames meanwhile; the page itself says how
 * long they took.
 */
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

/**
 * Presses the pointer on the image and moves it from corner to corner, given as shares of the panel
 * whatever its size.
 */
async function dragOverImage(page: Page, ...[first, ...others]: [x: number, y: number][]): Promise<void> {
  const box = await page.locator('canvas.masks-canvas').boundingBox();
  if (!box || !first) throw new Error('No image');
  const move = ([x, y]: [x: number, y: number], steps: number) =>
    page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps });
  await move(first, 1);
  await page.mouse.down();
  for (const each of others) await move(each, 8);
}

/** From one corner of a rectangle over the middle to the other. */
const middle: [x: number, y: number][] = [
  [0.2, 0.3],
  [0.6, 0.6],
];

const plate = { images: 12, width: 1392, height: 1040, cells: 500, backgroundImage: 'fluorescence' };
/** Of pages that show no masks. */
const small = { images: 1, width: 40, height: 40, cells: 1, size: { width: 900, height: 500 } };
const wide = { width: 1280, height: 800 };

type Setting = Partial<FakeMasksOptions> & Pick<Scene, 'size' | 'pixelRatio'>;

/**
 * A scene on a plate of twelve images in a wide panel, but for what `setting` says. It ends when
 * the page has come to rest.
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
    await page.getByRole('heading', { name: 'Selected object' }).waitFor();
  }),
  masks('close', ['dark', 'light'], { images: 1 }, async page => {
    await page.keyboard.press('1');
    for (let i = 0; i < 4; i++) await page.keyboard.press('+');
    await idle(page);
    await page.mouse.move(520, 400);
  }),
  masks('outlines', ['light', 'dark'], { images: 3, backgroundImage: 'bright-field' }, async page => {
    await page.getByRole('button', { name: 'Outlines' }).click();
    await page.keyboard.press('1');
    await page.mouse.move(600, 420);
  }),
  masks('no-background-image', everyTheme, { backgroundImage: 'suggested' }, async page => {
    await page.getByLabel('Hide Nucleus').click();
  }),
  masks('narrow', ['dark'], { backgroundImage: 'missing', size: { width: 620, height: 800 } }),
  masks(
    'list',
    ['dark', 'light', 'hcDark'],
    { images: 5000, cells: 300, backgroundImage: 'missing', size: { width: 500, height: 700 } },
    async page => {
      await page.getByRole('button', { name: 'Images' }).click();
      await page.getByRole('listbox', { name: 'Images' }).press('PageDown');
      await page.locator('.strip-thumbnail canvas').first().waitFor();
    },
  ),
  masks('list-sorted', everyTheme, {}, async page => {
    const images = page.getByRole('button', { name: 'Images', exact: true });
    if (await images.isVisible()) await images.click();
    await page.getByRole('searchbox', { name: 'Filter images' }).fill('00');
    await page.getByRole('button', { name: 'Sort Images' }).click();
    await page.getByRole('menuitemradio', { name: 'Fewest Objects First' }).click();
    // Hidden in the narrowest panels.
    await page.getByText('2 of 9').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Sort Images' }).click();
  }),
  masks('slim', everyTheme, { size: { width: 400, height: 800 } }, async page => {
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    await page.locator('#color-by').selectOption({ label: 'Area' });
  }),
  masks('zoomed', ['dark'], { size: { width: 640, height: 400 }, pixelRatio: 2 }),
  masks('below', ['dark', 'light'], { size: { width: 700, height: 900 } }, async page => {
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    const divider = page.getByRole('separator', { name: 'Resize Details' });
    await divider.press('Shift+ArrowUp');
    await divider.blur();
    await idle(page);
    for (let i = 0; i < 3; i++) await page.keyboard.press('+');
  }),
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
      backgroundImage: 'missing',
      size: { width: 1600, height: 1000 },
    },
    async page => {
      await idle(page);
      console.log('zooming, ms a frame (median, slowest):', await frameTimes(page));
    },
  ),
  masks('by-column', everyTheme, { channels: 3, size: { width: 1280, height: 1000 } }, async page => {
    await page.locator('#color-by').selectOption({ label: 'Area' });
    await page.getByRole('slider', { name: 'Scale maximum' }).fill('140');
    await page.locator('#color-map').selectOption({ label: 'Turbo' });
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    await page.getByRole('heading', { name: 'Selected object' }).waitFor();
  }),
  masks(
    'channels',
    everyTheme,
    { images: 2, channels: 3, size: { width: 1280, height: 900 } },
    async page => {
      await page.keyboard.press('1');
      await page.getByRole('slider', { name: 'Maximum' }).first().waitFor();
      await page.getByText('Same contrast').scrollIntoViewIfNeeded();
    },
  ),
  masks('by-object', ['light'], { images: 1, backgroundImage: 'bright-field' }, async page => {
    await page.locator('#color-by').selectOption({ label: 'Object' });
    await page.keyboard.press('1');
  }),
  masks('same-names', ['dark', 'light'], { sameNames: true }, async page => {
    const linkedBy = page.getByText('linked by the areas and positions of 16 objects');
    await linkedBy.waitFor();
    await linkedBy.scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Link Images…' }).click();
    await page.getByRole('button', { name: 'Link nuclei_006.tif' }).first().waitFor();
    await page.locator('.image-link-masks canvas').first().waitFor();
  }),
  masks('filtered', ['dark', 'hcLight'], {}, async page => {
    await page.evaluate('panel.filter(true)');
    await page.getByText('Filtered by the table').waitFor();
    await page.keyboard.press('r');
    await idle(page);
    await dragOverImage(page, ...middle);
  }),
  masks('several', everyTheme, { images: 2 }, async page => {
    await page.keyboard.press('1');
    await page.keyboard.down('Shift');
    await dragOverImage(page, ...middle);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.getByRole('cell', { name: '314.25' }).first().waitFor();
    await page.getByRole('button', { name: 'Export Selected Objects…' }).click();
    await waitForMessage(page, 'exportSelected');
    const [exported] = await all(page, 'exportSelected');
    match(JSON.stringify(exported), /^{"selection":\[{"image":0,"objects":\[\d+,/);
    await page.locator('.section.selection').scrollIntoViewIfNeeded();
  }),
  masks('named-selections', ['dark', 'light'], { images: 2 }, async page => {
    await page.locator('.legend-share:not(:empty)').first().waitFor({ state: 'attached' });
    for (const name of ['Near the border', 'Mitotic, to look at again']) {
      await page.keyboard.press('a');
      await page.getByRole('button', { name: 'Name Selection…' }).click();
      await page.getByRole('textbox', { name: 'Name of the selection' }).fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name, exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'Name Selection…' }).click();
    await page.getByRole('textbox', { name: 'Name of the selection' }).fill('Near the border');
    await page.keyboard.press('Enter');
    await page.getByText('Another selection is named').waitFor();
  }),
  masks('several-bright', ['light'], { images: 1, backgroundImage: 'bright-field' }, async page => {
    for (let i = 0; i < 2; i++) await page.keyboard.press('+');
    await page.keyboard.down('Shift');
    await dragOverImage(page, ...middle);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.getByRole('heading', { name: 'objects selected' }).waitFor();
  }),
  masks('without-table', ['dark', 'light'], { images: 1, choosesTable: true }, async page => {
    await page.getByRole('button', { name: 'Select a Table…' }).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Select a Table…' }).click();
    await waitForMessage(page, 'chooseTable');
  }),
  masks('classes', ['dark', 'light', 'hcLight'], { images: 3, classes: 40 }, async page => {
    await page.getByRole('button', { name: 'Hide Mitotic' }).click({ modifiers: ['Alt'] });
    await page.getByRole('button', { name: 'Show Nucleus' }).waitFor();
  }),
  masks(
    'other-size',
    everyTheme,
    { images: 3, backgroundImage: 'other-size', size: { width: 1000, height: 900 } },
    async page => {
      await page.getByRole('button', { name: 'Use Its Page 4' }).scrollIntoViewIfNeeded();
    },
  ),
  masks('opening', everyTheme, { ...small, backgroundImage: 'missing', opening: 'forever' }, page =>
    page.getByText('34').waitFor(),
  ),
  masks('reading', everyTheme, { backgroundImage: 'missing', reading: true }, page =>
    page.getByText('objects so far').waitFor(),
  ),
  masks('not-opened', everyTheme, { ...small, backgroundImage: 'missing', opening: 'fails' }, page =>
    page.getByRole('button').waitFor(),
  ),
  masks('failed-image', ['dark'], { size: { width: 1000, height: 640 } }, async page => {
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await page.getByText('checksum').waitFor();
  }),
  masks('lasso', everyTheme, { images: 1, backgroundImage: 'bright-field' }, async page => {
    await page.keyboard.press('l');
    await dragOverImage(page, [0.3, 0.3], [0.55, 0.2], [0.7, 0.5], [0.5, 0.75], [0.4, 0.5], [0.3, 0.6]);
  }),
  masks('all-selected', everyTheme, { images: 3 }, async page => {
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'objects selected' }).waitFor();
  }),
  masks('differs', everyTheme, { images: 1 }, async page => {
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    await page.getByText('Feret Diameter Maximum').scrollIntoViewIfNeeded();
  }),
  masks('no-match', everyTheme, {}, async page => {
    const images = page.getByRole('button', { name: 'Images', exact: true });
    if (await images.isVisible()) await images.click();
    await page.getByRole('searchbox', { name: 'Filter images' }).fill('cells_of_a_mouse');
    await page.getByText('No images match').waitFor();
  }),
  masks('no-images', everyTheme, { images: 0, size: { width: 1000, height: 640 } }),
  masks('no-objects', everyTheme, { images: 5, size: { width: 1000, height: 640 } }, async page => {
    for (let i = 0; i < 4; i++) await page.keyboard.press(']');
    await page.getByText('5 of 5').waitFor({ state: 'attached' });
  }),
  masks('by-text', everyTheme, { size: { width: 1280, height: 1000 } }, async page => {
    await page.locator('#color-by').selectOption({ label: 'Treatment' });
    const legend = page.getByRole('list', { name: 'Treatment' });
    await legend.getByText('Taxol').waitFor();
    await page.getByText('Gray: no value').waitFor();
    deepEqual(await legend.getByRole('listitem').allInnerTexts(), ['DMSO', 'Nocodazole', 'Taxol']);
    deepEqual(await page.getByText('No numbers in this column').count(), 0);
  }),
  masks('by-population', everyTheme, { size: { width: 1280, height: 1000 } }, async page => {
    await page.locator('#color-by').selectOption({ label: 'Population' });
    const legend = page.getByRole('list', { name: 'Populations' });
    await legend.getByText('Ki67+ large').waitFor();
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 215 })");
    const own = page.getByRole('region', { name: 'In populations' });
    await own.getByText('Cells → Ki67+ → Ki67+ large').waitFor();
    deepEqual(await own.getByRole('listitem').allInnerTexts(), ['Cells', 'Cells → Ki67+ → Ki67+ large']);
    deepEqual(await page.getByText('No numbers in this column').count(), 0);
    await own.scrollIntoViewIfNeeded();
  }),
  masks('no-numbers', everyTheme, { images: 1 }, async page => {
    await page.locator('#color-by').selectOption({ label: 'Distance to Border' });
    await page.getByText('No numbers in this column').waitFor();
  }),
  masks(
    'four-channels',
    everyTheme,
    { images: 2, channels: 4, size: { width: 1280, height: 900 } },
    async page => {
      await page.getByRole('slider', { name: 'Maximum' }).first().waitFor();
      await page.getByLabel('Maximum', { exact: true }).nth(1).fill('1500');
      await page.keyboard.press('Enter');
      await page.getByText('Same contrast').scrollIntoViewIfNeeded();
    },
  ),
  masks('image-loading', everyTheme, { images: 1, backgroundImage: 'loading' }, async page => {
    await page.getByRole('button', { name: 'Stop' }).scrollIntoViewIfNeeded();
  }),
  masks('image-stopped', everyTheme, { images: 1, backgroundImage: 'loading' }, async page => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Load Image' }).scrollIntoViewIfNeeded();
  }),
  masks('full-status-line', everyTheme, { images: 1, size: { width: 1000, height: 640 } }, async page => {
    await page.evaluate('panel.filter(true)');
    await page.getByText('Filtered by the table').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Hide Details' }).click();
    await page.keyboard.press('a');
    await page.getByText('objects selected').first().waitFor({ state: 'attached' });
    await page.mouse.move(300, 300);
  }),
  masks('nothing-matches', everyTheme, { images: 2 }, async page => {
    for (const name of ['Nucleus', 'Mitotic', 'Debris, out of focus'])
      await page.getByRole('button', { name: `Hide ${name}` }).click();
    await page.getByText('0 of 500').waitFor({ state: 'attached' });
  }),
  masks('masks-hidden', everyTheme, { images: 1 }, async page => {
    await page.getByRole('button', { name: 'Hide Masks' }).click();
  }),
  masks('shortcuts', everyTheme, { images: 1 }, async page => {
    await page.locator('canvas.masks-canvas').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
  }),
  masks('menus', ['dark'], { images: 1 }, async page => {
    const opened = await openedMenus(page);
    const canvas = page.locator('canvas.masks-canvas');
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    await page.getByRole('heading', { name: 'Selected object' }).waitFor();
    // The image moves to it.
    await idle(page);
    await canvas.focus();
    await page.keyboard.press('ContextMenu');
    const [byKeyboard] = await opened(1);
    deepEqual(byKeyboard?.context, {
      webviewSection: 'object',
      objectsSelected: true,
      preventDefaultContextMenuItems: true,
    });
    const { x, y } = byKeyboard ?? { x: 0, y: 0 };
    await page.mouse.click(x, y, { button: 'right' });
    deepEqual((await opened(2)).at(-1), byKeyboard);
    await page.evaluate("panel.endpoint.send('menuCommand', { command: 'zoomToObject' })");
    await idle(page);
    await page.evaluate("panel.endpoint.send('menuCommand', { command: 'copyMeasurements' })");
    let copied: unknown[] = [];
    while (copied.length === 0) copied = await all(page, 'copy');
    match(String(copied[0]), /^Image\tID\tClass\t.*\n[^\t]*\t211\tMitotic\t/);
    await page.evaluate("panel.endpoint.send('menuCommand', { command: 'showOnlyClass' })");
    await page.getByRole('button', { name: 'Show All' }).waitFor();
    await page.evaluate("panel.endpoint.send('menuCommand', { command: 'fitMasks' })");
    await idle(page);
    await canvas.click({ position: { x: 5, y: 5 }, button: 'right' });
    const besides = {
      webviewSection: 'image',
      objectsSelected: true,
      masksCanUndo: true,
      preventDefaultContextMenuItems: true,
    };
    deepEqual((await opened(3)).at(-1)?.context, besides);
    await page.getByRole('heading', { name: 'Classes' }).click({ button: 'right' });
    deepEqual((await opened(4)).at(-1)?.context, { preventDefaultContextMenuItems: true });
  }),
  masks('image', everyTheme, { images: 1, imageOnly: true, channels: 3 }, async page => {
    await page.getByRole('slider', { name: 'Maximum' }).first().waitFor();
    // Nothing of masks answers: neither keys nor a click.
    for (const key of ['o', 'h', 'r', 'Enter', 'Escape']) await page.keyboard.press(key);
    await page.locator('canvas.masks-canvas').click({ position: { x: 100, y: 60 }, modifiers: ['Shift'] });
    for (const sent of ['failure', 'select', 'hover']) deepEqual(await all(page, sent), []);
    deepEqual(await page.getByRole('button', { name: /Masks|Lasso|Table/ }).count(), 0);
    await page.mouse.move(400, 300);
  }),
  masks(
    'image-pages',
    ['dark', 'light'],
    { images: 4, imageOnly: true, size: { width: 900, height: 640 } },
    async page => {
      await page.keyboard.press(']');
      await page.getByText('2 of 4').waitFor();
      await page.evaluate("panel.endpoint.send('fileChange', 'changed')");
      await page.getByRole('button', { name: 'Reload' }).click();
      await waitForMessage(page, 'reloadFile');
      deepEqual(await all(page, 'reloadFile'), [{}]);
    },
  ),
  masks(
    'image-deleted',
    ['dark', 'hcLight'],
    { images: 1, imageOnly: true, backgroundImage: 'bright-field', size: { width: 620, height: 640 } },
    async page => {
      await page.evaluate("panel.endpoint.send('fileChange', 'deleted')");
      await page.getByText('deleted').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
    },
  ),
  masks('behaves', ['dark'], { backgroundImage: 'suggested' }, async page => {
    const canvas = page.locator('canvas.masks-canvas');
    await page.evaluate("panel.endpoint.send('selected', { image: 1, object: 40 })");
    await page.getByText('2 of 12').waitFor();
    await page.getByRole('heading', { name: 'Selected object' }).waitFor();
    await idle(page);
    deepEqual(await all(page, 'select'), []);
    await page.getByText('Use as Background').click();
    await page.getByText('Uploaded from this file').waitFor();
    await canvas.click({ position: { x: 5, y: 5 } });
    await waitForMessage(page, 'select');
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
      [zoom, '80%'],
    );
    deepEqual(await all(page, 'failure'), []);
  }),
];
