import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { packed } from './preview/packed';
import { makeRows } from './preview/tableData';
import { waitForMessage } from './preview/previewPages';
import { until } from './until';
import { usePreview } from './usePreview';

/** The preview's engine, which its pages call. */
declare const callEngine: (method: string, params: string) => Promise<string>;

const ROWS = 2000;
const [CLASS, AREA] = [2, 3] as const;

describe('Filters in the table page', () => {
  const suite = usePreview(['table']);
  let page: Page;

  const open = async (options: Record<string, unknown> = {}) => {
    const size = { width: 1400, height: 800 };
    page = await suite.open({
      page: 'table',
      size,
      options: { rowCount: ROWS, start: 'respond', ...options },
    });
  };

  const menu = () => page.getByRole('dialog');
  const openMenu = async (column: number) => {
    await page.locator(`.ag-header-cell[col-id="column-${column}"]`).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await menu().waitFor();
  };
  const chips = () => page.locator('.chip');
  const showsRows = (words: string | RegExp) =>
    page.locator('.status-item.rows', { hasText: words }).waitFor();
  /** Waits until what has the focus is in what a selector finds. */
  const focusIn = (selector: string) =>
    page.waitForFunction(where => document.activeElement?.closest(where), selector);

  it('leave the focus in the page: the last one that is removed in the rows, a menu at its header', async () => {
    await open();
    await openMenu(CLASS);
    await menu().getByRole('checkbox', { name: 'Mitotic' }).check();
    await chips().waitFor();
    await page.keyboard.press('Escape');
    await chips().getByRole('button', { name: 'Class: Mitotic', exact: true }).focus();
    await page.keyboard.press('Enter');
    // The chip that the menu was opened from is another one then.
    await menu().getByRole('checkbox', { name: 'Nucleus' }).check();
    await chips().filter({ hasText: 'Mitotic, Nucleus' }).waitFor();
    await page.keyboard.press('Escape');
    await focusIn(`.ag-header-cell[col-id="column-${CLASS}"]`);
    await chips().getByRole('button', { name: 'Remove' }).focus();
    await page.keyboard.press('Enter');
    await chips().waitFor({ state: 'detached' });
    await focusIn('.ag-cell');
    // The same where all are cleared at once.
    await openMenu(CLASS);
    await menu().getByRole('checkbox', { name: 'Mitotic' }).check();
    await page.keyboard.press('Escape');
    await openMenu(AREA);
    await menu().getByRole('textbox', { name: 'From' }).fill('20');
    await chips().nth(1).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear Filters' }).focus();
    await page.keyboard.press('Enter');
    await chips().waitFor({ state: 'detached' });
    await focusIn('.ag-cell');
  });

  it('have statistics beside them that are those of the latest rows, whichever come first', async () => {
    await open();
    await openMenu(AREA);
    const count = menu().locator('.statistics-list div', { hasText: /^n/i }).locator('dd');
    await count.waitFor();
    await page.keyboard.press('Escape');
    const { engine } = suite.preview;
    engine.delayResponses('tableStatistics');
    await openMenu(AREA);
    await menu().getByRole('textbox', { name: 'From' }).fill('1e9');
    await showsRows('0 of');
    // Statistics are requested again.
    await until(() => engine.delayedResponses >= 2);
    engine.release('reversed');
    await count.filter({ hasText: /^0$/ }).waitFor();
    // What was sent before this has come.
    await page.evaluate(params => callEngine('tableLevels', params), packed({}));
    assert.equal(await count.innerText(), '0');
  });

  it('say that they are turned off until they are turned on', async () => {
    await open();
    const low = makeRows(ROWS).map(cells => Number(cells[AREA]));
    await openMenu(AREA);
    await menu().getByRole('textbox', { name: 'From' }).fill('20');
    await chips().waitFor();
    await page.keyboard.press('Escape');
    await chips().getByRole('checkbox').click();
    await page.locator('.chip.off').waitFor();
    await openMenu(AREA);
    const note = menu().getByText('Turned off. A change turns it on.');
    await note.waitFor();
    await menu().getByRole('textbox', { name: 'From' }).fill('21');
    await showsRows(`${low.filter(area => area >= 21).length.toLocaleString('en')} of`);
    await note.waitFor({ state: 'hidden' });
  });

  it('of an aggregate table that show images and groups together do so again after a reload', async () => {
    await open({ kind: 'aggregate', rowCount: 30 });
    await showsRows('30 of');
    const level = page.getByLabel('Rows to show');
    await level.selectOption({ index: 2 });
    await showsRows(/^\d+ rows/);
    await page.reload();
    await waitForMessage(page, 'shown');
    await showsRows(/^\d+ rows/);
    await level.selectOption({ index: 0 });
    await showsRows('30 of');
    await page.reload();
    await waitForMessage(page, 'shown');
    await showsRows('30 of');
  });
});
