import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import { PreviewPages } from './preview/previewPages';

describe('The inspector below the image', () => {
  let browser: Browser;
  let pages: PreviewPages;

  before(async () => {
    browser = await launchChromium();
    pages = await PreviewPages.bundle(browser, ['masks']);
  });
  after(() => browser.close());

  /**
   * Left and upper edges of its groups, and the lower edge of the first one, in a window of some
   * width.
   */
  const groupsAt = async (width: number) => {
    const { page, close } = await pages.open(
      { page: 'masks', size: { width, height: 900 }, options: { images: 1, width: 1392, height: 1040 } },
      'dark',
    );
    await page.locator('.below .inspector-group').first().waitFor();
    const boxes = await page
      .locator('.inspector-group')
      .evaluateAll(groups => groups.map(group => group.getBoundingClientRect().toJSON() as DOMRect));
    await close();
    return boxes;
  };

  it('has the third group below the first where there are two columns', async () => {
    const [classes, object, image] = await groupsAt(700);
    assert.ok(classes && object && image);
    assert.ok(object.left > classes.left && object.top === classes.top);
    assert.deepEqual([image.left, Math.round(image.top)], [classes.left, Math.round(classes.bottom) - 1]);
  });

  it('has its groups below each other where there is one column', async () => {
    const [classes, object, image] = await groupsAt(400);
    assert.ok(classes && object && image);
    assert.deepEqual([object.left, image.left], [classes.left, classes.left]);
    assert.ok(object.top >= classes.bottom - 1 && image.top >= object.bottom - 1);
  });
});
