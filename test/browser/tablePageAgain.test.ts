import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FakeTableOptions } from './preview/fakeTablePanel';
import { sentMessages, waitForMessage } from './preview/previewPages';
import { usePreview } from './usePreview';

const ROWS = 10_000;
const [CLASS, AREA] = [2, 3] as const;
/** The script with the parts of the page that it doesn't need at first. */
const PARTS = '**/tableParts.js*';

// VS Code loads a page anew with each switch of tabs.
describe('A table page that is loaded again', () => {
  const suite = usePreview(['table']);
  let page: Page;

  const open = async (options: Partial<FakeTableOptions> = {}, width = 700) => {
    const size = { width, height: 700 };
    const all = { rowCount: ROWS, start: 'respond', kind: 'file', ...options };
    page = await suite.open({ page: 'table', size, options: all });
  };
  /** Loads the page again once what was done last is saved, as it soon is. */
  const again = async () => {
    let saved: unknown;
    const state = () => page.evaluate(() => sessionStorage.getItem('state'));
    for (let now = await state(); now !== saved; now = await state()) {
      saved = now;
      await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 200)));
    }
    await page.reload();
    await waitForMessage(page, 'shown');
  };
  const cell = (position: number, column: number) =>
    page.locator(`.ag-row[row-index="${position}"] [col-id="column-${column}"]`);

  it('has the same cells selected, and goes on from them', async () => {
    const selection = (words: string) => page.locator('.status-line').getByText(words).first();
    await open({ kind: 'objects' });
    await cell(2, CLASS).click();
    await cell(5, AREA).click({ modifiers: ['Shift'] });
    await selection('4 × 2 cells selected').waitFor();
    await again();
    await selection('4 × 2 cells selected').waitFor();
    // Statistics too.
    await selection('Mean').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await selection('5 × 2 cells selected').waitFor();
    await page.keyboard.press('ArrowRight');
    await selection('Row 7 selected').waitFor();
    assert.equal(await page.locator('.ag-cell:focus').getAttribute('col-id'), `column-${AREA + 1}`);
    // Another row was selected on the masks meanwhile.
    await page.evaluate(() => sessionStorage.setItem('selected', '300'));
    await again();
    await selection('Row 301 selected').waitFor();
    await cell(300, AREA).waitFor();
  });

  it('shows the same rows and columns, from which the keyboard goes on', async () => {
    await open();
    // Without pinned columns the grid would scroll to where it puts the focus.
    await page.locator('.ag-header-cell[col-id="column-1"]').click({ button: 'right' });
    await page.evaluate("panel.endpoint.send('menuCommand', { command: 'unpinColumn' })");
    /** Where rows and columns are on the screen, in pixels. */
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.ag-row, .ag-header-cell')]
          .flatMap(each => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            if (right <= 0 || left >= innerWidth || bottom <= 0 || top >= innerHeight) return [];
            return `${each.getAttribute('row-index') ?? each.getAttribute('col-id')} ${left} ${top}`;
          })
          .sort(),
      );
    await cell(2, CLASS).click();
    await page.mouse.wheel(0, 227 * 24);
    await page.mouse.wheel(350, 0);
    await cell(227, CLASS).waitFor();
    await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"firstColumn"'));
    const left = await places();
    await again();
    await page.getByText('Row 3 selected').first().waitFor();
    assert.deepEqual(await places(), left);
    // The selected row is out of view.
    await page.keyboard.press('ArrowDown');
    await page.getByText('Row 229 selected').first().waitFor();
  });

  it('has the search that was left in Find, and goes on from the same match', async () => {
    await open();
    const input = page.getByRole('searchbox', { name: 'Find' });
    const wholeCell = page.getByRole('button', { name: 'Match Whole Cell' });
    const count = page.locator('.find-count');
    await input.fill('mitotic');
    await page.getByText(/^1 of /).waitFor();
    await wholeCell.click();
    await input.press('Enter');
    // All matches are counted: until then the words are others, which a page that comes back may
    // not have again.
    await page.getByText(/^2 of [\d,]+$/).waitFor();
    const [words, marks] = [await count.innerText(), await page.locator('.match').count()];
    assert.ok(marks > 1);
    await again();
    await page.getByText(words).waitFor();
    assert.equal(await input.inputValue(), 'mitotic');
    assert.equal(await wholeCell.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('.match').count(), marks);
    await input.press('Enter');
    await page.getByText(/^3 of /).waitFor();
  });

  it('has plots zoomed as they were', async () => {
    await open({}, 1200);
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    const plot = page.locator('.plot-card');
    const note = plot.locator('.plot-note');
    const resetZoom = (disabled: boolean) => plot.getByRole('button', { name: 'Reset Zoom', disabled });
    await note.getByText('10,000 rows.').waitFor();
    await plot.locator('.plot-stage').hover();
    await page.mouse.wheel(0, -400);
    await note.getByText(/^Zoomed in: [\d,]+ rows/).waitFor();
    const words = await note.innerText();
    const ticks = await plot.locator('svg text').allInnerTexts();
    assert.ok(ticks.length > 4);
    await again();
    await note.getByText('Zoomed in:').waitFor();
    assert.equal(await note.innerText(), words);
    assert.deepEqual(await plot.locator('svg text').allInnerTexts(), ticks);
    await resetZoom(false).click();
    await note.getByText('10,000 rows.').waitFor();
    await resetZoom(true).waitFor();
    // It stays so.
    await again();
    await note.getByText('10,000 rows.').waitFor();
  });

  it('has the rows where they were, to the pixel', async () => {
    await open();
    for (const [wheel, shown] of [
      [227 * 24 + 10, 230],
      [ROWS * 24, ROWS - 5],
    ] as const) {
      await cell(shown > 1000 ? 230 : 5, AREA).hover();
      await page.mouse.wheel(0, wheel);
      const top = async () => (await cell(shown, AREA).boundingBox())?.y;
      await cell(shown, AREA).waitFor();
      await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)));
      const before = await top();
      await again();
      await cell(shown, AREA).waitFor();
      assert.equal(await top(), before);
    }
  });

  it('has groups and plots scrolled as they were', async () => {
    await open({}, 1000);
    await page.locator(`.ag-header-cell[col-id="column-${AREA}"]`).click({ button: 'right' });
    await page.evaluate("panel.endpoint.send('menuCommand', { command: 'groupByColumn' })");
    const group = (position: number) => page.locator(`.groups-grid .ag-row[row-index="${position}"]`).first();
    await page.getByText(/^\d{3,} groups of all rows/).waitFor();
    await group(0).hover();
    await page.mouse.wheel(0, 300 * 24);
    await group(301).waitFor();
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    for (let count = 2; count <= 4; count++) {
      await page.getByRole('button', { name: 'Add Plot' }).click();
      await page.getByRole('menuitem', { name: 'Histogram' }).click();
      await page
        .locator('.plot-drawing')
        .nth(count - 1)
        .waitFor();
    }
    // Tools of gates come a moment after their plot, and take room.
    await page.locator('.plot-list .gate-tools').nth(3).waitFor();
    const list = page.locator('.plot-list');
    await list.evaluate(each => each.scrollTo(0, each.scrollHeight));
    const top = await list.evaluate(each => each.scrollTop);
    assert.ok(top > 100);
    await page.waitForFunction(
      text => sessionStorage.getItem('state')?.includes(text),
      `"top":${Math.floor(top)}`,
    );
    await again();
    await page.waitForFunction(([at]) => document.querySelector('.plot-list')?.scrollTop === at, [top]);
    await group(301).waitFor();
  });

  it('keeps the places of plots, groups and a comparison for them until their script has come', async () => {
    await open({}, 1000);
    const [plots, groups, rows] = ['#plots', '#groups', '.table-main'].map(each => page.locator(each));
    assert.ok(plots && groups && rows);
    const places = () => Promise.all([plots, groups, rows].map(each => each.boundingBox()));
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await page.getByText(/groups of all rows/).waitFor();
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    await page.locator('.plot-stage').waitFor();
    const before = await places();
    const compare = page.getByRole('button', { name: 'Compare Conditions', exact: true });
    for (const isOver of [false, true]) {
      let come: () => void = () => undefined;
      const coming = new Promise<void>(resolve => (come = resolve));
      await page.route(PARTS, async route => {
        await coming;
        await route.continue();
      });
      // Shown, also without them.
      await again();
      assert.deepEqual(await places(), before);
      assert.equal(await page.locator('.plot-stage, .groups-head').count(), 0);
      assert.equal(await page.locator('.over-rows').isVisible(), isOver);
      come();
      await page.locator('.plot-stage').waitFor({ state: 'attached' });
      await page.locator('.groups-head').waitFor({ state: 'attached' });
      if (isOver) await page.locator('.compare-pickers').waitFor();
      assert.deepEqual(await places(), before);
      await page.unroute(PARTS);
      if (!isOver) await compare.click();
    }
  });

  it('says where a part of it could not be loaded, and loads it on request', async () => {
    await open();
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    await page.locator('.plot-stage').waitFor();
    await page.route(PARTS, route =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("Cut off")' }),
    );
    await again();
    const failed = page.locator('#plots').getByRole('alert');
    await failed.getByText("Couldn't load this part of the page.").waitFor();
    await page.unroute(PARTS);
    await page.locator('#plots').getByRole('button', { name: 'Try Again' }).click();
    await failed.waitFor({ state: 'hidden' });
    await page.locator('.plot-stage').waitFor();
    const logged = (await sentMessages(page, 'failure')) as { message: string }[];
    // Each subject that waits for it says so.
    assert.notEqual(logged.length, 0);
    for (const { message } of logged) assert.match(message, /^(Error: )?Cut off$/);
  });
});
