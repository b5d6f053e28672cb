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

describe('The table page of a slow engine', () => {
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
});
