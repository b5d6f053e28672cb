import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PlateOptions } from './plateTable';
import { sentMessages } from './previewPages';
import { idle, shown, type Scene } from './scene';
import type { ThemeName } from './themes';

/** A scene of the plates of a screen; `act` happens once they are on the screen. */
function plates(
  name: string,
  themes: readonly ThemeName[],
  { size, ...screen }: Partial<PlateOptions> & Pick<Scene, 'size'>,
  act?: (page: Page) => Promise<unknown>,
): Scene {
  return {
    name: `plates-${name}`,
    page: 'table',
    options: { rowCount: 0, start: 'respond', plates: screen },
    themes,
    ...(size && { size }),
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Plates', exact: true }).click();
      await page.locator('.plates-map .plot-drawing').waitFor();
      await act?.(page);
      await idle(page);
    },
  };
}

const mark = async (page: Page, control: 'Negative' | 'Positive', condition: string) => {
  await page.getByRole('button', { name: `${control} control` }).click();
  await page.getByRole('menuitemradio', { name: condition }).click();
};

const markBoth = async (page: Page) => {
  await mark(page, 'Negative', 'DMSO');
  await mark(page, 'Positive', 'staurosporine');
  await page.locator('.plates-lines td', { hasText: 'staurosporine' }).first().waitFor();
};

export const plateScenes: Scene[] = [
  plates('one', ['dark', 'light', 'hcDark', 'hcLight'], { wells: 96 }, async page => {
    await markBoth(page);
    const map = page.locator('.plates-map .plot-stage');
    await map.focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    const tip = page.locator('.plates-map .plot-tip').filter({ hasText: /^C2/ });
    await tip.waitFor();
    // A well that is marked by its key stays the one that keys go on from.
    await page.keyboard.press('n');
    await tip.filter({ hasText: 'Negative control' }).waitFor();
    await page.keyboard.press('n');
    await tip.filter({ hasNotText: 'Negative control' }).waitFor();
    await page.keyboard.press(' ');
    await page.locator('.filter-row', { hasText: 'Well' }).waitFor();
  }),
  plates('several', ['dark', 'light'], { wells: 384, plates: 6, perWell: 3 }, async page => {
    await markBoth(page);
    await page.getByRole('button', { name: 'Color Scale' }).click();
    await page.getByRole('radio', { name: '2nd to 98th percentile' }).check();
    await page.locator('.plates-notes', { hasText: 'wells are beyond the color scale' }).waitFor();
    await page.locator('.plot-drawing text', { hasText: '≥' }).waitFor();
  }),
  plates('pages', ['light'], { wells: 24, plates: 120, perWell: 1 }, async page => {
    const pages = page.getByRole('group', { name: 'Pages of plates' });
    await pages.getByText('Plates 1–100 of 120').waitFor();
    await page.locator('.plates-map .plot-stage').focus();
    await page.keyboard.press('PageDown');
    await pages.getByText('Plates 101–120 of 120').waitFor();
    equal(await pages.getByRole('button', { name: 'Next Plates' }).isDisabled(), true);
  }),
  plates('figure', ['dark'], { wells: 96, plates: 2 }, async page => {
    await markBoth(page);
    await page.getByRole('button', { name: 'Save Plates' }).click();
    await page.getByRole('menuitem', { name: 'Save as PNG' }).click();
    await page.waitForFunction(() => 'savedPlot' in globalThis);
    await page.evaluate(`(async () => {
      const image = new Image();
      image.alt = 'The saved map';
      image.src = URL.createObjectURL(savedPlot);
      Object.assign(image.style, { position: 'fixed', top: '0', left: '0', zIndex: '99', maxWidth: '100%' });
      document.querySelector('main.plates').append(image);
      await image.decode();
    })()`);
  }),
  plates(
    'many',
    ['dark', 'light'],
    { wells: 384, plates: 30, perWell: 1, size: { width: 900, height: 700 } },
    async page => {
      await page.locator('.plates-map .plot-stage').focus();
      for (let step = 0; step < 36; step++) await page.keyboard.press('ArrowDown');
      // The map scrolls to the well that keys reach.
      await page.locator('.plates-map .plot-tip', { hasText: 'D1 of P7' }).waitFor();
      ok(await page.locator('.plates-map').evaluate(map => map.scrollTop > 0));
    },
  ),
  plates('small', ['light'], { wells: 24, plates: 1, size: { width: 420, height: 600 } }, markBoth),
  plates('large', ['dark'], { wells: 1536, plates: 1, perWell: 1 }),
  plates('scores', ['light'], { wells: 96, plates: 2 }, async page => {
    await page.getByRole('combobox', { name: 'Shown as' }).selectOption({ label: 'Robust z' });
    await markBoth(page);
    await page.getByRole('button', { name: 'Save Plates' }).click();
    await page.getByRole('menuitem', { name: 'Save Numbers of Wells' }).click();
    const [saved] = await sentMessages(page, 'savePlates');
    const { marks, as, value } = saved as { marks: object; as: string; value: string };
    deepEqual(marks, {
      negative: { wells: [], conditions: ['DMSO'] },
      positive: { wells: [], conditions: ['staurosporine'] },
    });
    equal(as, 'robustZ');
    equal(value, 'Area (Median) as robust z');
  }),
];
