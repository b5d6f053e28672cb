import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { packed, unpacked } from './preview/packed';
import { makeRows } from './preview/tableData';
import { sentMessages, waitForMessage } from './preview/previewPages';
import { usePreview } from './usePreview';

/** The preview's engine, which its pages call. */
declare const callEngine: (method: string, params: string) => Promise<string>;

const ROWS = 10_000;
const [ID, CLASS, AREA, PERIMETER] = [1, 2, 3, 4] as const;
const rows = makeRows(ROWS);
const mitotic = rows.filter(cells => cells[CLASS] === 'Mitotic').length.toLocaleString('en');

describe('Undo in the table page', () => {
  const suite = usePreview(['table']);
  let page: Page;

  const open = async (options: Record<string, unknown> = {}) => {
    const size = { width: 1800, height: 800 };
    page = await suite.open({
      page: 'table',
      size,
      options: { rowCount: ROWS, start: 'respond', ...options },
    });
  };

  const header = (column: number) => page.locator(`.ag-header-cell[col-id="column-${column}"]`);
  const cell = (position: number, column: number) =>
    page.locator(`.ag-row[row-index="${position}"] [col-id="column-${column}"]`);
  const chip = (words: string | RegExp) => page.locator('.chip', { hasText: words });
  const showsRows = (words: string) => page.locator('.status-item.rows', { hasText: words }).waitFor();
  /** Waits for what the status line says was done. */
  const says = (words: string) =>
    page.locator('.status-item.notice').getByText(words, { exact: true }).waitFor();
  const undo = async (words: string) => {
    await page.keyboard.press('Control+z');
    await says(`Undid: ${words}`);
  };
  const redo = async (words: string, key = 'Control+Shift+z') => {
    await page.keyboard.press(key);
    await says(`Redid: ${words}`);
  };
  /** The page receives a message of its panel. */
  const send = (event: string, value: unknown) =>
    page.evaluate(`panel.endpoint.send('${event}', ${JSON.stringify(value)})`);
  const filterClass = async (name: string) => {
    await header(CLASS).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('dialog').getByRole('checkbox', { name }).check();
    await chip(`Class: ${name}`).waitFor();
  };
  const brush = async (column: number, from: number, to: number) => {
    const brushed = header(column).locator('.range-brush');
    // There is nothing to drag over before its bins are known.
    await brushed.locator('.brush-end:not(:empty)').first().waitFor();
    const box = await brushed.boundingBox();
    assert.ok(box);
    const at = (share: number) => page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
    await at(from);
    await page.mouse.down();
    for (let step = 0; step <= 20; step++) await at(from + ((to - from) * step) / 20);
    await page.mouse.up();
  };
  const left = async (column: number) => (await header(column).boundingBox())?.x ?? NaN;

  it('brings back filters that were cleared, one brush at a time, and tells the masks', async () => {
    await open();
    await filterClass('Mitotic');
    await page.keyboard.press('Escape');
    await showsRows(`${mitotic} of`);
    await brush(AREA, 0.1, 0.5);
    await chip('Area:').waitFor();
    const words = await chip('Area:').textContent();
    await brush(AREA, 0.2, 0.8);
    await chip('Area:')
      .filter({ hasNotText: words ?? '' })
      .waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await showsRows('10,000 rows');
    assert.equal((await sentMessages(page, 'filtered')).at(-1), null);
    await undo('Clear Filters');
    await chip('Class: Mitotic').waitFor();
    await undo('Filter Area');
    await chip(words ?? '').waitFor();
    await undo('Filter Area');
    await chip('Area:').waitFor({ state: 'detached' });
    await showsRows(`${mitotic} of`);
    const shown = (await sentMessages(page, 'filtered')).at(-1) as { view: { filters: unknown } };
    assert.deepEqual(shown.view.filters, [{ kind: 'values', column: CLASS, values: ['Mitotic'] }]);
    await undo('Filter Class');
    await showsRows('10,000 rows');
    await page.keyboard.press('Control+z');
    await says('Nothing to undo');
    await redo('Filter Class', 'Control+y');
    await showsRows(`${mitotic} of`);
    await redo('Filter Area');
    await chip(words ?? '').waitFor();
    // Another change: what was undone can't be done again.
    await chip('Class: Mitotic').getByRole('checkbox').click();
    await page.locator('.chip.off').waitFor();
    await page.keyboard.press('Control+y');
    await says('Nothing to redo');
    await undo('Turn Off the Filter of Class');
    await page.locator('.chip.off').waitFor({ state: 'detached' });
  });

  it('has one step for a range that is moved key by key, and closes the window in which it was', async () => {
    await open();
    await header(AREA).focus();
    await page.keyboard.press('Alt+ArrowDown');
    const from = page.getByRole('dialog').getByRole('slider', { name: 'From' });
    // Keys move an end once the bins are known.
    await page.getByRole('dialog').locator('[aria-label="From"][aria-valuemax]').waitFor();
    await from.focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    await chip('Area: from').waitFor();
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('800');
    await chip('to 800').waitFor();
    // In a text box the keys are for what was typed.
    await page.keyboard.press('Control+z');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('.range-inputs [aria-label="To"]')?.value !== '800',
    );
    assert.equal(await page.locator('.status-item.notice:not(.error)').isVisible(), false);
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('700');
    await chip('to 700').waitFor();
    await page.getByRole('dialog').getByRole('slider', { name: 'To' }).focus();
    await undo('Filter Area');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await chip('Area: from').waitFor();
    await undo('Filter Area');
    await page.locator('.chip').waitFor({ state: 'detached' });
  });

  it('has a step for each bar that is selected or given up by a key', async () => {
    await open();
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.getByLabel('Plot type').selectOption('Histogram');
    await page.getByText('Click a bar or drag to filter.').waitFor();
    await page.locator('.plot-card:not([aria-busy])').waitFor();
    await page.locator('.plot-stage').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const area = chip('Area');
    await area.waitFor();
    const first = (await area.textContent()) ?? '';
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await area.filter({ hasNotText: first }).waitFor();
    await undo('Filter Area');
    await chip(first).waitFor();
    // The first stops pointing.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await area.waitFor({ state: 'detached' });
    await undo('Remove the Filter of Area');
    await chip(first).waitFor();
    await undo('Filter Area');
    await area.waitFor({ state: 'detached' });
  });

  it('brings back order, widths, hidden, pinned and moved columns', async () => {
    await open();
    await header(AREA).locator('.header-name').click();
    await header(PERIMETER)
      .locator('.header-name')
      .click({ modifiers: ['Shift'] });
    await page.getByText('Sorted by Area, ascending · Perimeter, ascending').first().waitFor();
    await page.getByRole('button', { name: 'Clear Sorting' }).click();
    await page.locator('.sort-chip').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await says('Undid: Clear Sorting');
    await page.getByText('Sorted by Area, ascending · Perimeter, ascending').first().waitFor();
    const smallest = Math.min(...rows.map(cells => Number(cells[AREA])));
    await cell(0, AREA)
      .filter({ hasText: new RegExp(`^${smallest}$`) })
      .waitFor();
    await undo('Sort by Area');
    await page.getByText('Sorted by Area, ascending', { exact: true }).first().waitFor();
    await undo('Sort by Area');
    await page.locator('.sort-chip').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const menu = page.getByRole('dialog');
    await menu.getByRole('checkbox', { name: 'Perimeter' }).uncheck();
    await menu.getByRole('button', { name: 'Pin Area' }).click();
    await menu.getByRole('button', { name: 'Move Class Right' }).click();
    await page.keyboard.press('Escape');
    assert.ok((await left(AREA)) < (await left(0)));
    await header(PERIMETER).waitFor({ state: 'detached' });
    const edge = await header(CLASS).locator('.ag-header-cell-resize').boundingBox();
    assert.ok(edge);
    await page.mouse.move(edge.x + edge.width / 2, edge.y + 10);
    await page.mouse.down();
    await page.mouse.move(edge.x + 60, edge.y + 10, { steps: 10 });
    await page.mouse.up();
    const width = async () => Math.round((await header(CLASS).boundingBox())?.width ?? NaN);
    const wide = await width();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await menu.getByRole('button', { name: 'Reset Columns' }).click();
    await header(PERIMETER).waitFor();
    const narrow = await width();
    assert.ok(wide > narrow);
    await menu.getByRole('button', { name: 'Reset Columns' }).focus();
    await undo('Reset Columns');
    await header(PERIMETER).waitFor({ state: 'detached' });
    assert.equal(await width(), wide);
    await undo('Resize Class');
    assert.equal(await width(), narrow);
    await undo('Move Columns');
    await undo('Pin Area');
    assert.ok((await left(AREA)) > (await left(0)));
    await undo('Hide Perimeter');
    await header(PERIMETER).waitFor();
    await redo('Hide Perimeter');
    await header(PERIMETER).waitFor({ state: 'detached' });
    // What the page did by itself when it opened is no step.
    await undo('Hide Perimeter');
    await page.keyboard.press('Control+z');
    await says('Nothing to undo');
  });

  it('has a step for each choice of a comparison', async () => {
    await open({ rowCount: 0, study: {} });
    const captioned = (words: string | RegExp) =>
      page.locator('.compare-caption', { hasText: words }).waitFor();
    await page.getByRole('button', { name: 'Compare Conditions' }).click();
    await captioned('Not tested yet');
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await captioned('Welch’s t test');
    await page.getByLabel('Measure', { exact: true }).selectOption({ label: 'Ki67' });
    await captioned('Ki67 by Treatment');
    await page.getByLabel('Difference or ratio').selectOption('ratio');
    await captioned('of geometric means');
    await page.getByLabel('Value of a replicate').selectOption('images');
    await captioned('mean of its images');
    await undo('Change Value of a Replicate');
    await captioned('mean over its objects');
    await undo('Change Difference or Ratio');
    await captioned(/treated − control/);
    await page.getByRole('button', { name: 'Back to Table' }).click();
    await cell(0, ID).click();
    await undo('Change Measure');
    await captioned('Area (px²) by Treatment');
    const measure = page.getByLabel('Measure', { exact: true }).locator('option:checked');
    assert.equal(await measure.textContent(), 'Area');
  });

  it('has a step for a population that is made of filters, gets another name, or is deleted, with what is measured of it', async () => {
    await open({ rowCount: 0, study: {} });
    const [CLASS_OF_STUDY, KI67] = [2, 4];
    const { keyboard } = page;
    const { requests } = suite.preview.engine;
    /** Measures in the latest request of a method. */
    const asked = (method: string) => JSON.stringify(requests.findLast(each => each.method === method) ?? {});
    await header(KI67).focus();
    await keyboard.press('Alt+ArrowDown');
    await page.getByRole('textbox', { name: 'From' }).fill('95');
    await keyboard.press('Enter');
    await chip('Ki67: from 95').waitFor();
    await keyboard.press('Escape');
    await header(CLASS_OF_STUDY).focus();
    await keyboard.press('Alt+ArrowDown');
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Mitotic' }).check();
    await keyboard.press('Escape');
    await chip('Class: Mitotic').waitFor();

    // The name that is proposed says what the filters are.
    await page.getByRole('button', { name: 'Populations' }).click();
    await page.getByRole('button', { name: 'New Population from Filters…' }).click();
    const name = page.getByLabel('Name of the population');
    assert.equal(await name.inputValue(), 'Ki67: from 95 · Class: Mitotic');
    await keyboard.type('Dividing');
    await keyboard.press('Enter');
    const tree = (called: string) => page.getByRole('treeitem', { name: called });
    await tree('Dividing').and(page.locator('[aria-selected=true]')).waitFor();
    await tree('Dividing').click();
    await chip('Dividing').waitFor({ state: 'detached' });

    // Its share among the groups, by keys.
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await page.getByLabel('Group by').selectOption({ label: 'Treatment' });
    await page.getByLabel('Statistics of').selectOption('Image Means');
    await page.getByRole('button', { name: 'Columns and Statistics' }).click();
    await page.getByLabel('Share of Dividing').focus();
    await keyboard.press('Space');
    await page.locator('.group-measure', { hasText: 'Share of Dividing' }).waitFor();
    assert.match(asked('tableUnitGroups'), /"share".+"population","name":"Dividing"/);
    await keyboard.press('Escape');
    await tree('Dividing').focus();
    await keyboard.press('F2');
    await name.fill('Cycling');
    await keyboard.press('Enter');
    await page.locator('.group-measure', { hasText: 'Share of Cycling' }).waitFor();
    await tree('Cycling').focus();
    await keyboard.press('Delete');
    await page.locator('.group-measure', { hasText: 'Share of Cycling' }).waitFor({ state: 'detached' });
    await undo('Delete Population');
    await page.locator('.group-measure', { hasText: 'Share of Cycling' }).waitFor();
    // The same of compared conditions; the caption says what the name stands for.
    await page.getByRole('button', { name: 'Compare Conditions' }).click();
    await page
      .getByLabel('Measure', { exact: true })
      .selectOption({ label: 'Share of Cycling (population)' });
    await page
      .locator('.compare-caption', { hasText: 'Cycling is Ki67: from 95 · Class: Mitotic.' })
      .waitFor();
    assert.match(asked('tableCompare'), /"share".+"population","name":"Cycling"/);

    // Back to the table, filtered to it.
    await page.getByRole('button', { name: 'Back to Table' }).click();
    await tree('Cycling').click();
    await chip('Cycling').waitFor();
  });

  it('is offered in the context menu, includes rows selected on the masks, and survives a reload', async () => {
    await open();
    const context = () =>
      page.evaluate(`new Promise(resolve => {
        addEventListener('contextmenu', event => {
          event.preventDefault();
          resolve(event.target.closest('[data-vscode-context]').dataset.vscodeContext);
        }, { once: true });
      })`);
    const contextOfHeader = async () => {
      const opened = context();
      await header(AREA).click({ button: 'right' });
      const { tableCanUndo = false, tableCanRedo = false } = JSON.parse(String(await opened)) as Record<
        string,
        boolean
      >;
      return { tableCanUndo, tableCanRedo };
    };
    assert.deepEqual(await contextOfHeader(), { tableCanUndo: false, tableCanRedo: false });
    await filterClass('Mitotic');
    await page.keyboard.press('Escape');
    assert.deepEqual(await contextOfHeader(), { tableCanUndo: true, tableCanRedo: false });
    // The row that was selected is found again.
    await cell(20, ID).click();
    const row = await cell(20, ID).evaluate(each => Number(each.closest('[row-id]')?.getAttribute('row-id')));
    await send('menuCommand', { command: 'undoInTable' });
    await says('Undid: Filter Class');
    await page.locator(`.ag-row.selected[row-index="${row}"]`).first().waitFor();
    await page
      .getByText(`Row ${row + 1} selected`)
      .first()
      .waitFor();
    assert.deepEqual(await contextOfHeader(), { tableCanUndo: false, tableCanRedo: true });
    await send('menuCommand', { command: 'redoInTable' });
    await showsRows(`${mitotic} of`);
    const selected = await page.evaluate(
      params => callEngine('tableRowSet', params),
      packed({ rows: Uint32Array.of(...Array(50).keys()).buffer }),
    );
    await send('selectedRows', (unpacked(selected) as { value: unknown }).value);
    await chip('Selected on masks').waitFor();
    await page.keyboard.press('Control+z');
    await chip('Selected on masks').waitFor({ state: 'detached' });
    await showsRows(`${mitotic} of`);
    await redo('Filter Selected Objects');
    await chip('Selected on masks').waitFor();
    await undo('Filter Selected Objects');
    await cell(0, ID).click();
    await brush(AREA, 0.1, 0.5);
    await chip('Area:').waitFor();
    await page.reload();
    await waitForMessage(page, 'shown');
    await chip('Area:').waitFor();
    await cell(0, ID).click();
    await undo('Filter Area');
    await showsRows(`${mitotic} of`);
    await undo('Filter Class');
    await redo('Filter Class');
  });

  it('includes rows that were selected on the masks before the page was shown', async () => {
    await open({ selectedRows: 50 });
    await chip('Selected on masks').waitFor();
    await cell(0, ID).click();
    await undo('Filter Selected Objects');
    await showsRows('10,000 rows');
  });

  it('leaves the rows of images of an aggregate table, and the focus in the page', async () => {
    await open({ kind: 'aggregate', rowCount: 30 });
    await showsRows('30 of');
    await brush(2, 0.1, 0.5);
    await chip('Objects:').waitFor();
    await undo('Filter Objects');
    await showsRows('30 of');
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-drawing').first().waitFor();
    await page.getByLabel('X axis').selectOption('Mean Perimeter');
    await page.getByLabel('X axis').focus();
    await undo('Change Plot');
    await page.waitForFunction(() => document.activeElement?.closest('.ag-cell'));
  });
});
