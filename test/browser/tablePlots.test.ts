import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sentMessages } from './preview/previewPages';
import { makeRows } from './preview/tableData';
import { until } from './until';
import { usePreview } from './usePreview';

const ROWS = 30_000;

describe('The plots of the table page', () => {
  const suite = usePreview(['table']);
  let page: Page;

  beforeEach(async () => {
    const size = { width: 1100, height: 800 };
    page = await suite.open({ page: 'table', size, options: { rowCount: ROWS, start: 'respond' } });
  });

  const showPlots = () => page.getByRole('button', { name: 'Plots', exact: true }).click();
  const stage = () => page.locator('.plot-stage').first();
  const card = () => page.locator('.plot-card').first();
  const isIdle = async () => (await card().getAttribute('aria-busy')) === null;
  const failures = () => sentMessages(page, 'failure');
  const showHistogram = async () => {
    await showPlots();
    await page.getByLabel('Plot type').selectOption('Histogram');
    await page.getByText('Click a bar or drag to filter.').waitFor();
    await until(isIdle);
    await stage().focus();
  };

  it('point at what is counted in one cell also after zooming, until it can be seen one by one', async () => {
    await showPlots();
    await page.getByLabel('Color by').selectOption('No color');
    await page.getByLabel('Y axis').selectOption('Length of Major Axis');
    await page.getByText('counted in a grid').waitFor();
    await until(isIdle);
    const tip = page.locator('.plot-tip');
    /** The lowest and the highest area of the cell that is pointed at. */
    const areas = async () =>
      ((await tip.innerText()).split('Area')[1] ?? '').split('\n')[1]?.split('–').map(Number) ?? [];
    await stage().focus();
    let [low, high] = [NaN, NaN];
    // The plot may be drawn once more, and a cell may have one area alone: then the next one
    // counts.
    await until(async () => {
      await page.keyboard.press('ArrowRight');
      [low = NaN, high = NaN] = (await tip.isVisible()) ? await areas() : [];
      return high > low;
    });
    await page.keyboard.press('+');
    await page.getByText('Zoomed in:').waitFor();
    // Until the cells of the window have come, the one of before is pointed at.
    await until(async () => {
      const [closeLow = NaN, closeHigh = NaN] = await areas();
      return closeLow <= high && closeHigh >= low && closeHigh - closeLow < high - low;
    });
    await until(isIdle);
    for (let step = 0; step < 6; step++) await page.keyboard.press('+');
    // A single object by now, with its name; it is outlined in the table as well.
    await tip.getByText('Object ID').waitFor();
    const row = Number((await sentMessages(page, 'hover')).at(-1));
    const area = Number(makeRows(ROWS)[row]?.[3]);
    assert.ok(area >= low - 1 && area <= high + 1, `${area} is not within ${low} to ${high}`);
    await page.keyboard.press('0');
    await tip.getByText('Object ID').waitFor({ state: 'detached' });
    await until(async () => (await sentMessages(page, 'hover')).at(-1) === null);
    const [wholeLow = NaN, wholeHigh = NaN] = await areas();
    assert.ok(wholeLow <= area && wholeHigh >= area);
  });

  it('keep showing what they have when a part of it fails to load, and say so', async () => {
    await showHistogram();
    suite.preview.engine.failRequests('The worker ended.', 'tableHistogram');
    await page.keyboard.press('+');
    await page
      .locator('.status-item.notice', { hasText: "Couldn't load the plot: The worker ended." })
      .waitFor();
    assert.equal(await stage().isVisible(), true);
    // The next step tries again.
    suite.preview.engine.mend();
    const before = suite.preview.engine.requests.length;
    await page.keyboard.press('+');
    await until(() =>
      suite.preview.engine.requests.slice(before).some(({ method }) => method === 'tableHistogram'),
    );
    await until(isIdle);
    assert.deepEqual(
      await failures(),
      ['The worker ended.'].map(message => ({ message })),
    );
  });

  it('miss nothing when a part of them fails to load that is no longer shown', async () => {
    await showHistogram();
    suite.preview.engine.delayResponses('tableHistogram');
    suite.preview.engine.failRequests('The worker ended.', 'tableHistogram');
    await page.keyboard.press('+');
    await until(() => suite.preview.engine.delayedResponses > 0);
    assert.notEqual(await card().getAttribute('aria-busy'), null);
    await page.keyboard.press('0');
    await page.getByRole('button', { name: 'Reset Zoom', disabled: true }).waitFor();
    const { length } = suite.preview.engine.requests;
    suite.preview.engine.release();
    await until(isIdle);
    assert.equal(await stage().isVisible(), true);
    assert.deepEqual(await failures(), []);
    // All of it was there.
    assert.equal(suite.preview.engine.requests.length, length);
  });

  it('never show the rows of other filters: one that fails says so in its place, and can be tried again', async () => {
    await showHistogram();
    suite.preview.engine.failRequests('The worker ended.', 'tableHistogram');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const failure = card().getByRole('alert');
    await failure.getByText("Couldn't load the plot: The worker ended.").waitFor();
    assert.equal(await stage().isVisible(), false);
    // It fails again, for another reason.
    suite.preview.engine.failRequests('The worker is busy.', 'tableHistogram');
    const retry = card().getByRole('button', { name: 'Try Again' });
    await retry.focus();
    await page.keyboard.press('Enter');
    await failure.getByText('The worker is busy.').waitFor();
    assert.equal(await retry.evaluate(node => node === document.activeElement), true);
    suite.preview.engine.mend();
    await page.keyboard.press('Enter');
    await stage().waitFor();
    assert.equal(await stage().evaluate(node => node === document.activeElement), true);
    await failure.waitFor({ state: 'detached' });
  });

  it('filter nothing where all bars are dragged over', async () => {
    await showHistogram();
    const box = await stage().locator('.plot-drawing').boundingBox();
    assert.ok(box);
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 10 });
      await page.mouse.up();
    };
    await drag(0.4, 0.6);
    await page.locator('.chip').waitFor();
    await drag(0.02, 0.99);
    await page.locator('.chip').waitFor({ state: 'detached' });
    await until(async () => (await sentMessages(page, 'filtered')).at(-1) === null);
  });

  it('are not dragged over by a pointer that was released outside of them', async () => {
    await showHistogram();
    const box = await stage().boundingBox();
    assert.ok(box);
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + 1, middle);
    await page.mouse.down();
    await page.mouse.move(box.x - 2, middle);
    await page.mouse.up();
    await page.mouse.move(box.x + box.width * 0.4, middle);
    await page.mouse.move(box.x + box.width * 0.6, middle, { steps: 5 });
    await page.locator('.plot-tip').getByText('–').waitFor();
    await page.mouse.move(box.x + box.width * 0.6, box.y - 40);
    assert.equal(await page.locator('.chip').count(), 0);
  });

  it('keep the focus where a column is chosen by keys, and have it near where one is removed', async () => {
    await showPlots();
    await stage().waitFor();
    const axis = page.getByLabel('X axis');
    await axis.focus();
    const before = await axis.inputValue();
    await page.keyboard.press('ArrowDown');
    await until(async () => (await axis.inputValue()) !== before);
    assert.equal(await axis.evaluate(node => node === document.activeElement), true);
    await page.getByRole('button', { name: 'Remove Plot' }).focus();
    await page.keyboard.press('Enter');
    await card().waitFor({ state: 'detached' });
    const add = page.getByRole('button', { name: 'Add Plot' });
    assert.equal(await add.evaluate(node => node === document.activeElement), true);
  });

  it("don't say that there are no values before their data have come, also in a panel that is resized", async () => {
    suite.preview.engine.delayResponses('tablePoints');
    await showPlots();
    await until(() => suite.preview.engine.delayedResponses > 0);
    const { width: before } = (await card().boundingBox()) ?? {};
    await page.setViewportSize({ width: 800, height: 800 });
    await until(async () => (await card().boundingBox())?.width !== before);
    // Drawn by the frame after the one that has the size.
    await page.evaluate(
      () => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    assert.equal(await page.getByText('No values to plot.').count(), 0);
    suite.preview.engine.release();
    await stage().waitFor();
  });

  it('can be seen whole below the rows and beside them, with the lines of their note and legend', async () => {
    await showPlots();
    await stage().waitFor();
    /** Pixels of the card that are out of view. */
    const hidden = () =>
      page.locator('.plot-list').evaluate(list => Math.max(0, list.scrollHeight - list.clientHeight));
    for (const size of [
      { width: 1100, height: 800 },
      { width: 400, height: 900 },
      { width: 400, height: 420 },
    ]) {
      await page.setViewportSize(size);
      await until(async () => (await isIdle()) && (await hidden()) === 0);
    }
  });
});
