import * as assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import { allHeard, heard, PreviewPages, type OpenPreview } from './preview/previewPages';
import { makeRows } from './preview/tableData';

const ROWS = 10_000;
const [ID, CLASS, AREA, PERIMETER, Y] = [1, 2, 3, 4, 9] as const;
const rows = makeRows(ROWS);
/** Wide enough for all columns. */
const table = { page: 'table', size: { width: 1800, height: 700 } } as const;
const PATIENCE = 20_000;

/** Waits for a condition of the test's own process. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; !(await condition());) {
    assert.ok(Date.now() < deadline, `Waited in vain for ${String(condition)}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

describe('The table page', () => {
  let browser: Browser;
  let pages: PreviewPages;
  let preview: OpenPreview;
  let page: Page;

  before(async function () {
    this.timeout(60_000);
    browser = await launchChromium();
    pages = await PreviewPages.bundle(browser, ['table']);
  });
  after(() => browser.close());

  beforeEach(async () => {
    preview = await pages.open({ ...table, options: { rowCount: ROWS, start: 'answer' } }, 'dark');
    ({ page } = preview);
    page.setDefaultTimeout(PATIENCE);
    await heard(page, 'shown');
  });
  afterEach(async () => {
    const { problems } = preview;
    await preview.close();
    assert.deepEqual(problems, []);
  });

  const cell = (position: number, column: number) =>
    page.locator(`.ag-row[row-index="${position}"] [col-id="column-${column}"]`);
  const sortBy = (column: number) =>
    page.locator(`.ag-header-cell[col-id="column-${column}"] .header-name`).click();
  const copies = () => allHeard(page, 'copy');
  const firstCopy = async () => {
    await heard(page, 'copy');
    return String((await copies())[0]);
  };
  /** Cells on the screen, as text. */
  const onScreen = async (positions: number[], columns: number[]) => {
    const texts = positions.map(position =>
      Promise.all(columns.map(column => cell(position, column).innerText())),
    );
    return (await Promise.all(texts)).map(cells => cells.join('\t'));
  };
  /** Keeps only the rows of a class, by the filter of its column. */
  const keepClass = async (name: string) => {
    await page.locator(`.ag-header-cell[col-id="column-${CLASS}"]`).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('checkbox', { name }).check();
  };

  it('never copies other rows than those that were selected when the order has changed', async () => {
    await cell(2, AREA).click();
    await cell(4, PERIMETER).click({ modifiers: ['Shift'] });
    await page.getByText('3 × 2 cells selected').waitFor();
    preview.engine.hold('tablePosition');
    await sortBy(AREA);
    await until(() => preview.engine.heldBack > 0);
    // Where the row in focus stands now is not known yet: nothing is selected.
    await page.keyboard.press('Control+C');
    await page.getByText('3 × 2 cells selected').waitFor({ state: 'hidden' });
    preview.engine.release();
    const focused = rows[4] ?? [];
    await page.locator('.ag-row.selected[row-id="4"]').first().waitFor();
    await page.keyboard.press('Control+C');
    assert.equal((await firstCopy()).trimEnd(), focused.join('\t').trimEnd());
    assert.equal((await copies()).length, 1);
  });

  it('keeps what was selected while the row in focus was still looked for', async () => {
    await cell(2, AREA).click();
    preview.engine.hold('tablePosition');
    await sortBy(AREA);
    await until(() => preview.engine.heldBack > 0);
    const smallest = String(Math.min(...rows.map(cells => Number(cells[AREA]))));
    await cell(0, AREA)
      .filter({ hasText: new RegExp(`^${smallest}$`) })
      .waitFor();
    await cell(1, AREA).click();
    await cell(3, PERIMETER).click({ modifiers: ['Shift'] });
    preview.engine.release();
    await page.locator('.figure', { hasText: 'Numbers 6' }).waitFor();
    await page.getByText('3 × 2 cells selected').waitFor();
    const expected = await onScreen([1, 2, 3], [AREA, PERIMETER]);
    await page.keyboard.press('Control+C');
    assert.deepEqual((await firstCopy()).trimEnd().split('\n'), expected);
  });

  it('copies the view as it was when copying began', async () => {
    await cell(0, ID).click();
    await page.keyboard.press('Control+A');
    await page.getByText('10,000 rows selected').waitFor();
    preview.engine.hold('tableRows');
    await page.keyboard.press('Control+C');
    await until(() => preview.engine.heldBack > 0);
    await sortBy(AREA);
    await page.getByText('Sorted by Area, ascending').first().waitFor();
    preview.engine.release();
    const copied = (await firstCopy()).trimEnd().split('\n');
    const areas = copied.map(line => line.split('\t')[AREA]);
    assert.deepEqual(
      areas,
      rows.map(cells => cells[AREA]),
    );
  });

  it('shows no row past the end of a shorter view, not even before its rows have come', async () => {
    await cell(0, ID).click();
    await page.keyboard.press('Control+End');
    await cell(ROWS - 1, Y)
      .filter({ hasText: /\d/ })
      .waitFor();
    const left = rows.filter(cells => cells[CLASS] === 'Mitotic').length;
    const words = `${left.toLocaleString('en')} of 10,000 rows`;
    await page.evaluate(`void (globalThis.lastAtOnce = new Promise(resolve => {
      const status = document.querySelector('.status-item.rows');
      new MutationObserver(() => {
        if (status.textContent !== '${words}') return;
        resolve(Math.max(...[...document.querySelectorAll('.ag-row')].map(row => Number(row.getAttribute('row-index')))));
      }).observe(status, { childList: true, characterData: true, subtree: true });
    }))`);
    preview.engine.hold('tableRows', 'tablePosition');
    await keepClass('Mitotic');
    assert.ok((await page.evaluate<number>('lastAtOnce')) < left);
    preview.engine.release();
    await page.keyboard.press('Escape');
    await cell(0, CLASS).filter({ hasText: 'Mitotic' }).waitFor();
  });

  it('shows the rows of the order asked for last, whichever answer comes first', async () => {
    preview.engine.hold('tableRows');
    await sortBy(PERIMETER);
    await until(() => preview.engine.heldBack > 0);
    const before = preview.engine.heldBack;
    await sortBy(AREA);
    await sortBy(AREA);
    await page.getByText('Sorted by Area, descending').first().waitFor();
    await until(() => preview.engine.heldBack > before);
    preview.engine.release('last-first');
    const largest = rows.map(cells => Number(cells[AREA])).sort((a, b) => b - a);
    await cell(0, AREA)
      .filter({ hasText: new RegExp(`^${largest[0]}$`) })
      .waitFor();
    await cell(5, AREA)
      .filter({ hasText: new RegExp(`^${largest[5]}$`) })
      .waitFor();
    await cell(0, AREA).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    assert.deepEqual((await firstCopy()).trimEnd().split('\n').map(Number), largest.slice(0, 2));
    assert.deepEqual((await onScreen([0, 1], [AREA])).map(Number), largest.slice(0, 2));
  });

  it('sorts, keeps at the left and hides a column, by the keyboard alone', async () => {
    const { keyboard } = page;
    const header = (column: number) => page.locator(`.ag-header-cell[col-id="column-${column}"]`);
    const focused = (column: number) =>
      page.waitForFunction(
        id => document.activeElement?.closest('.ag-header-cell')?.getAttribute('col-id') === id,
        `column-${column}`,
      );
    await cell(0, AREA).click();
    await keyboard.press('ArrowUp');
    await focused(AREA);
    await keyboard.press('Enter');
    await page.getByText('Sorted by Area, ascending').first().waitFor();
    // Who sorts stays in the header, though the row in focus is found again.
    await page.locator('.ag-row.selected[row-id="0"]').first().waitFor();
    await focused(AREA);
    await keyboard.press('Enter');
    await page.getByText('Sorted by Area, descending').first().waitFor();

    await keyboard.press('Alt+ArrowDown');
    await page.getByRole('dialog', { name: 'Filter Area' }).waitFor();
    for (let presses = 0; presses < 3; presses++) await keyboard.press('Tab');
    await page.locator('[aria-label="Keep Area at the left"]:focus').waitFor();
    await keyboard.press('Enter');
    await focused(AREA);
    const left = async (column: number) => (await header(column).boundingBox())?.x ?? NaN;
    await until(async () => (await left(AREA)) < (await left(ID)));

    await keyboard.press('Alt+ArrowDown');
    await page.locator('[aria-label="Let Area scroll"]').waitFor();
    for (let presses = 0; presses < 4; presses++) await keyboard.press('Tab');
    await page.locator('[aria-label="Hide Area"]:focus').waitFor();
    await keyboard.press('Enter');
    await header(AREA).waitFor({ state: 'detached' });
    await focused(0);
    await keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('2 × 2 cells selected').waitFor();
  });

  it('opens a whole cell, finds, and goes to a row, by the keyboard alone', async () => {
    const { keyboard } = page;
    await cell(0, 0).click();
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Image origin' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('Control+f');
    await keyboard.type('checked by hand');
    await keyboard.press('Enter');
    await page.getByText('Found in “Column 11”, row 4').first().waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await page.locator('.go-to-row:focus').waitFor();
    await keyboard.type('9876');
    await keyboard.press('Enter');
    await page.getByText('Row 9,876 selected').waitFor();
    await keyboard.press('ArrowDown');
    await page.getByText('Row 9,877 selected').waitFor();
  });

  it('keeps what selected cells add up to when their last rows come after it', async () => {
    await cell(0, AREA).click();
    preview.engine.hold('tableRows');
    await page.keyboard.press('Control+Shift+End');
    await page.locator('.figure', { hasText: 'Numbers' }).waitFor();
    preview.engine.release();
    await cell(ROWS - 1, Y)
      .filter({ hasText: /\d/ })
      .waitFor();
    assert.ok(await page.locator('.figure', { hasText: 'Numbers' }).isVisible());
  });

  it('draws of thousands of columns only those on the screen, from the start', async function () {
    this.timeout(60_000);
    const wide = await pages.open(
      { ...table, options: { rowCount: 100, columns: 6000, start: 'answer' } },
      'dark',
    );
    await heard(wide.page, 'shown');
    await wide.page.locator('.ag-row[row-index="0"] [col-id="column-0"]').click();
    await wide.page.keyboard.press('Control+End');
    const last = wide.page.locator('.ag-row[row-index="99"] [col-id="column-5999"]');
    await last.filter({ hasText: String(99 + 5999) }).waitFor();
    assert.ok((await wide.page.locator('.ag-header-cell').count()) < 100);
    await wide.close();
    assert.deepEqual(wide.problems, []);
  });
});
