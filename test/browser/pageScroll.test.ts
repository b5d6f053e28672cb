import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import { waitForMessage, PreviewPages, type PageSetup } from './preview/previewPages';

/** Panels too small for all of their content. */
const sizes = [
  { width: 300, height: 200 },
  { width: 200, height: 120 },
];
const contents: PageSetup[] = [
  { page: 'masks', options: { images: 3, width: 200, height: 200, cells: 5, backgroundImage: 'missing' } },
  { page: 'table', options: { rowCount: 100, start: 'respond' } },
];

describe('A page in a small panel', () => {
  let browser: Browser;
  let pages: PreviewPages;

  before(async () => {
    browser = await launchChromium();
    pages = await PreviewPages.bundle(browser, ['masks', 'table']);
  });
  after(() => browser.close());

  for (const content of contents) {
    for (const size of sizes) {
      it(`is not scrolled as a whole: ${content.page}, ${size.width} × ${size.height}`, async () => {
        const { page, close } = await pages.open({ ...content, size }, 'dark');
        try {
          await waitForMessage(page, 'shown');
          // Focusing an element scrolls every scrollable ancestor to reveal it.
          const moved = await page.evaluate(`(() => {
            for (const each of document.querySelectorAll('button, input, select, [tabindex]')) each.focus();
            for (const each of [document.documentElement, document.body]) each.scrollTo(50, 50);
            return [document.documentElement, document.body].flatMap(each => [each.scrollLeft, each.scrollTop]);
          })()`);
          assert.deepEqual(moved, [0, 0, 0, 0]);
        } finally {
          await close();
        }
      });
    }
  }

  const masks = {
    page: 'masks',
    options: { images: 3, width: 1392, height: 1040, cells: 500, backgroundImage: 'fluorescence' },
  } as const;

  it('has the name and the place of an image in full, a list that stays while it is sorted, and the color of its class beside an object', async () => {
    const { page, problems, close } = await pages.open(
      { ...masks, size: { width: 560, height: 700 } },
      'dark',
    );
    try {
      await waitForMessage(page, 'shown');
      await page.getByText('1 of 3').waitFor();
      const isWhole = await page
        .locator('.toolbar-title .cut-start')
        .evaluate(start => start.scrollWidth <= start.clientWidth);
      assert.ok(isWhole);

      await page.getByRole('button', { name: 'Images', exact: true }).click();
      await page.getByRole('button', { name: 'Sort Images' }).click();
      await page.getByRole('menuitemradio', { name: 'In Archive Order' }).click();
      await page.getByRole('listbox', { name: 'Images' }).press('Escape');

      await page.getByText('Hover over an object').waitFor();
      // The hints are made again with each object: looked up and measured at once.
      const heightOfHints = () => page.evaluate(() => document.querySelector('.hints')?.clientHeight);
      const before = await heightOfHints();
      await page.locator('#color-by').selectOption({ label: 'Area' });
      await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
      await page.getByText('Press Esc to clear the selection.').waitFor();
      assert.equal(await heightOfHints(), before);
      const mitotic = await page
        .locator('.legend-row', { hasText: 'Mitotic' })
        .locator('.swatch')
        .inputValue();
      const dot = await page
        .locator('.class-value', { hasText: 'Mitotic' })
        .locator('.dot')
        .evaluate(node => getComputedStyle(node).backgroundColor);
      const channels = [1, 3, 5].map(at => parseInt(mitotic.slice(at, at + 2), 16));
      assert.equal(dot, `rgb(${channels.join(', ')})`);
    } finally {
      await close();
    }
    assert.deepEqual(problems, []);
  });

  it('has its color scale off the middle of the image, where a selected object is', async () => {
    const { page, close } = await pages.open({ ...masks, size: { width: 200, height: 400 } }, 'dark');
    try {
      await waitForMessage(page, 'shown');
      await page.locator('#color-by').selectOption({ label: 'Area' });
      await page.locator('.color-bar').waitFor();
      const stage = await page.locator('.stage').boundingBox();
      const bar = await page.locator('.color-bar').boundingBox();
      assert.ok(stage && bar);
      assert.ok(
        bar.y >= stage.y && bar.y + bar.height < stage.y + stage.height / 2,
        JSON.stringify({ stage, bar }),
      );
    } finally {
      await close();
    }
  });
});
