import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sentMessages, waitForMessage } from './preview/previewPages';
import { usePreview } from './usePreview';

const ROWS = 2000;
/** Columns of the table's file. */
const COLUMNS = 12;

describe('Image columns of the table page', () => {
  const suite = usePreview(['table']);
  let page: Page;

  beforeEach(async () => {
    page = await suite.open({
      page: 'table',
      size: { width: 1400, height: 800 },
      options: { rowCount: ROWS, start: 'respond' },
    });
    await page.locator('.ag-row[row-index="0"]').waitFor();
  });

  const part = () => page.getByRole('main', { name: 'Image Columns' });
  const sheet = () => page.getByRole('grid', { name: 'Image Columns' });
  const button = (name: string) => part().getByRole('button', { name, exact: true });
  const cell = (row: number, column: number) => page.locator(`#image-cell-${row}-${column}`);
  const reads = (row: number, column: number, text: string) =>
    cell(row, column)
      .and(page.getByTitle(text, { exact: true }))
      .waitFor();
  const header = (column: number) => page.locator(`.ag-header-cell[col-id="column-${column}"]`);
  const tableCell = (row: number, column: number) =>
    page.locator(`.ag-row[row-index="${row}"] [col-id="column-${column}"]`);
  const chip = (words: string) => page.locator('.chip', { hasText: words });

  async function open(): Promise<void> {
    await page.getByRole('button', { name: 'Image Columns', exact: true }).click();
    await sheet().waitFor();
  }

  /** A column with a value for the first two images, which is then in the table. */
  async function addColumn(): Promise<void> {
    await open();
    await button('Add Column').click();
    await sheet().focus();
    for (const value of ['-Dox', '007']) {
      await page.keyboard.type(value);
      await page.keyboard.press('Enter');
    }
    await reads(1, 0, '007');
  }

  it('are proposed, are columns of the table by one click, and filtered like any other until taken away', async () => {
    await open();
    await part().getByRole('button', { name: 'Add Columns' }).click();
    await reads(0, 0, 'Well B1');
    await button('Back to Table').click();
    await header(COLUMNS).getByText('Folder').waitFor();
    await tableCell(0, COLUMNS).getByText('Well B1').waitFor();
    await header(COLUMNS).evaluate(node => node.scrollIntoView({ inline: 'end', block: 'nearest' }));
    await header(COLUMNS).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Well B1' }).check();
    await chip('Folder: Well B1').waitFor();
    await page.keyboard.press('Escape');
    await open();
    await part().locator('button.image-column', { hasText: 'Folder' }).click();
    await page.getByRole('button', { name: 'Delete Column' }).click();
    await button('Back to Table').click();
    await page.locator('.status-item.rows', { hasText: `${ROWS.toLocaleString('en')} rows` }).waitFor();
    assert.equal(await chip('Folder').count(), 0);
  });

  it('are edited by keys alone, as in a spreadsheet, undone, and take what was copied from one', async () => {
    await addColumn();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+d');
    await reads(3, 0, '007');
    await page.keyboard.press('Control+c');
    await waitForMessage(page, 'copy');
    assert.deepEqual(await sentMessages(page, 'copy'), ['007\n007\n007']);
    await page.keyboard.press('Delete');
    await reads(3, 0, '');
    await page.keyboard.press('Control+z');
    await reads(3, 0, '007');
    await page.keyboard.press('Control+z');
    await reads(3, 0, '');
    await page.keyboard.press('Control+Shift+z');
    await reads(3, 0, '007');
    await page.keyboard.press('F2');
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    await reads(1, 0, '007');
    for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await sheet().evaluate(grid => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '+IL2\tlost\n"=1+1"\n');
      grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await reads(2, 0, '+IL2');
    await reads(3, 0, '=1+1');
  });

  it('have roles, and refuse a name that the table has', async () => {
    await addColumn();
    await part().locator('button.image-column').click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Area');
    await name.press('Tab');
    await page.getByRole('alert').getByText('Another column is already called "Area".').waitFor();
    await name.fill('Drug');
    await page.getByLabel('Role').selectOption('condition');
    await page.getByLabel('Reference').selectOption('-Dox');
    await page.getByRole('button', { name: 'Move 007 Up' }).click();
    await page.keyboard.press('Escape');
    await part().locator('button.image-column', { hasText: 'Condition' }).click();
    assert.equal(await page.locator('.image-order-value').first().textContent(), '007');
  });

  it('come from file names or a sheet, after it was seen what that does, and exclude images for a reason', async () => {
    await open();
    await button('From File Names…').click();
    const pattern = page.getByLabel('Pattern');
    await pattern.fill('{a}{b}');
    await part()
      .getByText(/^Separate .* from the field before it/)
      .waitFor();
    assert.ok(await button('Apply').isDisabled());
    await pattern.fill('{Well}/{Name}_*');
    await part()
      .getByText(/^Matches/)
      .waitFor();
    await pattern.press('Enter');
    await reads(0, 1, 'nuclei');

    await button('Join Sample Sheet…').click();
    await part().getByText('1 row above its header is left out.').waitFor();
    await button('Use First Row as Header').click();
    await part().getByText('2 rows are left out').waitFor();
    await button('Find Header').click();
    await part().getByText('1 row is left out').click();
    await part()
      .getByText(/x\.tif – no such image/)
      .waitFor();
    await part().getByRole('button', { name: 'Join', exact: true }).click();
    await reads(1, 2, '0');
    await part().locator('button.image-column', { hasText: 'Area (image)' }).waitFor();

    await cellOfImage(1).click();
    await button('Exclude Image…').click();
    await page.getByLabel('Reason').fill('Out of focus');
    await page.keyboard.press('Enter');
    await reads(1, 4, 'Out of focus');
    await part().getByText('1 excluded').waitFor();
    await button('Include Image').click();
    await part().getByText('1 excluded').waitFor({ state: 'detached' });
  });

  it('change at once by another page, and what is typed meanwhile stays', async () => {
    await addColumn();
    await page.keyboard.type('treated');
    const before = [{ kind: 'insert', at: 0, column: { name: 'Day', values: ['monday'] } }];
    const elsewhere = (edits: object[]) => page.evaluate(`panel.editElsewhere(${JSON.stringify(edits)})`);
    await elsewhere(before);
    await reads(0, 0, 'monday');
    await page.keyboard.press('Enter');
    await reads(2, 1, 'treated');
    await part().locator('button.image-column', { hasText: 'Column' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Drug');
    await elsewhere([{ kind: 'remove', at: 0 }]);
    await reads(0, 0, '-Dox');
    assert.equal(await name.inputValue(), 'Drug');
    await name.press('Enter');
    await part().locator('button.image-column', { hasText: 'Drug' }).waitFor();
    // The column whose settings are open is taken away.
    await part().locator('button.image-column', { hasText: 'Drug' }).click();
    await elsewhere([{ kind: 'remove', at: 0 }]);
    await name.waitFor({ state: 'detached' });
  });

  /** The name of an image in the sheet. */
  function cellOfImage(row: number) {
    return sheet().getByRole('rowheader').nth(row);
  }
});
