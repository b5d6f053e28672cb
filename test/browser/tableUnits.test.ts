import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import { sentMessages } from './preview/previewPages';
import { usePreview } from './usePreview';

const AREA = 3;

describe('Units of a table', () => {
  const suite = usePreview(['table']);
  let page: Page;

  const header = (column: number) => page.locator(`.ag-header-cell[col-id="column-${column}"]`);
  const titled = (name: string) => page.getByRole('columnheader', { name, exact: false });
  const says = (words: string) => page.locator('.status-item.notice').getByText(words).waitFor();
  const openWindow = async (column: number) => {
    await header(column).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('dialog').waitFor();
  };
  const columnsShown = () =>
    page.locator('.ag-header-cell').evaluateAll(cells =>
      cells
        .map(cell => ({ id: cell.getAttribute('col-id'), x: cell.getBoundingClientRect().x }))
        .sort((a, b) => a.x - b.x)
        .map(({ id }) => id),
    );

  it('are named in headers, plots and chips, and a column is converted and taken away by a click', async () => {
    page = await suite.open({
      page: 'table',
      size: { width: 1440, height: 800 },
      options: { rowCount: 2000, start: 'respond', kind: 'objects', inPixels: true },
    });
    await titled('Area (px²)').waitFor();
    await titled('Perimeter (px)').waitFor();
    await openWindow(AREA);
    await page.getByRole('button', { name: 'Convert to µm²' }).click();
    await says('Added Area (µm²). 1 image has no pixel size: its cells are empty.');
    assert.deepEqual(await sentMessages(page, 'convertColumn'), [{ column: 'Area', convert: true }]);
    await titled('Area (µm²)').waitFor();
    const shown = await columnsShown();
    const added = shown[shown.indexOf(`column-${AREA}`) + 1] ?? '';
    const cell = (row: number, id: string) => page.locator(`.ag-row[row-index="${row}"] [col-id="${id}"]`);
    const number = async (row: number, id: string) =>
      Number(((await cell(row, id).textContent()) ?? '').replaceAll(',', ''));
    await cell(1500, added).waitFor({ state: 'detached' });
    const last = page.getByRole('textbox', { name: 'Go to row' });
    await last.fill('1990');
    await last.press('Enter');
    await cell(1989, added).waitFor();
    assert.ok(Math.abs((await number(1989, added)) - (await number(1989, `column-${AREA}`)) / 4) < 0.01);
    // A plot names it with its unit.
    await openWindow(Number(added.replace('column-', '')));
    await page.getByRole('dialog').getByText('Area (px²) times the pixel size of each image').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.getByRole('option', { name: 'Area (µm²)' }).first().waitFor({ state: 'attached' });
    await page.getByRole('option', { name: 'Area (px²)' }).first().waitFor({ state: 'attached' });
    await openWindow(Number(added.replace('column-', '')));
    await page.getByRole('button', { name: 'Remove This Column' }).click();
    await says('Removed Area (µm²).');
    await titled('Area (µm²)').waitFor({ state: 'detached' });
    await titled('Area (px²)').waitFor();
  });
});
