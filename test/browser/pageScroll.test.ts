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

  before(async function () {
    this.timeout(60_000);
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
});
