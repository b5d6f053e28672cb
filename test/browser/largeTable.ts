import * as assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import type { Frame, Locator } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import type { Suite } from './useWorkbench';

const ROWS = 1_000_000;
const AREA = 3;

/** Area of a row of the large table: 0 to 9999, each a hundred times. */
const areaOf = (row: number) => (row * 7919) % 10_000;

const rowText = (row: number) => {
  const image = `plate-of-may-7/well-${String(row % 96).padStart(2, '0')}.tif`;
  const kind = row % 10 === 0 ? 'Mitotic' : 'Nucleus';
  return `${image},${row}.0,${kind},${areaOf(row)},${(Math.sqrt(areaOf(row)) * 3.5).toFixed(4)}`;
};

/** Writes a table of a million objects. */
async function writeLargeTable(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write('Image origin,Object ID,Class,Area,Perimeter\n');
  for (let row = 0; row < ROWS; row += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, at) => rowText(row + at));
    if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

/** Writes the large table into a workspace, and a small one. */
export async function prepareLargeTable(folder: string): Promise<void> {
  await writeLargeTable(join(folder, 'objects.csv'));
  await writeFile(join(folder, 'small.tsv'), 'Name\tArea\nA\t3\nB\t4\n');
}

/** Tests of the large table, in a window that has it in its workspace. */
export function testLargeTable(suite: Suite): void {
  let table: Frame;
  const cell = (position: number, column: number) =>
    table.locator(`.ag-row[row-index="${position}"] [col-id="column-${column}"]`);
  /** Waits until a cell shows a text: its row may still be loading. */
  const reads = (place: Locator, words: string) =>
    place.filter({ hasText: new RegExp(`^${words}$`) }).waitFor();
  const shownRows = (words: string | RegExp) =>
    table.locator('.status-item.rows', { hasText: words }).waitFor();
  const header = (column: number) => table.locator(`.ag-header-cell[col-id="column-${column}"]`);

  it('is offered where VS Code does not show its file, as it is too large', async () => {
    const { workbench } = suite;
    const { page } = workbench;
    await workbench.openContainer('Explorer');
    await page.getByRole('treeitem', { name: 'objects.csv' }).click();
    await page.getByText('is not displayed in the text editor because it is very large').waitFor();
    const offer = workbench.notification('"objects.csv" is too large for a text editor. Open it as a table?');
    await offer.getByRole('button', { name: 'Open Table' }).waitFor();
    await workbench.screenshot('table-00-large-file');
    await workbench.clearNotifications();
    const titleBar = page.locator('.editor-actions').getByRole('button', { name: 'Open Table' });
    await titleBar.click();
    await workbench.panel('objects.csv');
    await workbench.runCommand('View: Revert and Close Editor');
    await workbench.closeTab('objects.csv');
  });

  it('opens from the explorer and is read to its end', async () => {
    const { workbench } = suite;
    await workbench.explorerMenu(['objects.csv'], 'Open Table');
    table = await workbench.panel('objects.csv');
    await cell(0, AREA).waitFor();
    await shownRows(/^1,000,000 rows$/);
    await table.getByText('Reading…').waitFor({ state: 'hidden' });
    await header(AREA).locator('.bars-shown[d]').waitFor();
    await workbench.screenshot('table-01-opened');
    assert.deepEqual(await accessibilityFaults(table), []);
  });

  it('scrolls to its end and goes to a row by its number', async () => {
    await cell(0, AREA).click();
    await table.locator('body').press('Control+End');
    await reads(cell(ROWS - 1, AREA), String(areaOf(ROWS - 1)));
    const goTo = table.getByRole('textbox', { name: 'Go to row' });
    await goTo.fill('654,321');
    await goTo.press('Enter');
    await table.locator('.status-item.selection', { hasText: 'Row 654,321 selected' }).waitFor();
    await reads(cell(654_320, 1), '654320');
  });

  it('selects all cells by the keyboard, and explains why that many are not copied', async () => {
    const { workbench } = suite;
    await cell(654_320, 1).click();
    await workbench.page.keyboard.press('Control+Home');
    await reads(cell(0, 1), '0');
    await workbench.page.keyboard.press('Control+Shift+End');
    await table.getByText('1,000,000 × 5 cells selected').waitFor();
    await table.locator('.selection-value', { hasText: 'Sum' }).first().waitFor();
    await workbench.page.keyboard.press('Control+c');
    await table.locator('.notice', { hasText: 'at most 3,000,000 can be copied at once' }).waitFor();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await workbench.page.keyboard.press('Shift+ArrowRight');
    await table.getByText('2 × 2 cells selected').waitFor();
    await workbench.page.keyboard.press('Control+c');
    await table.locator('.notice', { hasText: '2 rows copied' }).waitFor();
    const [first] = (await workbench.clipboard(/^0\.0\t/)).split('\n');
    // Copied as in the file, in the order shown: the ID is pinned.
    assert.equal(first, '0.0\tplate-of-may-7/well-00.tif');
    const goTo = table.getByRole('textbox', { name: 'Go to row' });
    await goTo.fill('654321');
    await goTo.press('Enter');
    await reads(cell(654_320, 1), '654320');
  });

  it('sorts, and finds the row in focus again', async () => {
    const { workbench } = suite;
    await header(AREA).locator('.header-name').click();
    await table.getByText('Sorted by Area, ascending').waitFor();
    await table.getByRole('button', { name: 'Row 654,321 selected' }).click();
    await table.locator('.ag-row.selected[row-id="654320"]').first().waitFor();
    await header(AREA).locator('.header-name').click();
    await table.getByText('Sorted by Area, descending').waitFor();
    await workbench.screenshot('table-02-sorted');
    await table.getByRole('button', { name: 'Clear Sorting' }).click();
    await table.getByText('Sorted by').first().waitFor({ state: 'hidden' });
  });

  it('filters by brushing the histogram in a header', async () => {
    const { workbench } = suite;
    const brush = header(AREA).locator('.range-brush');
    await brush.locator('.brush-end:not(:empty)').first().waitFor();
    // Hovered by its name, which waits until it stops moving.
    await brush.hover({ position: { x: 1, y: 8 } });
    const box = await brush.boundingBox();
    assert.ok(box);
    const { mouse } = workbench.page;
    await mouse.down();
    await mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await mouse.move(box.x + box.width * 0.49, box.y + box.height / 2);
    await mouse.up();
    await shownRows(/^\d{3},\d{3} of 1,000,000 rows/);
    await table.getByRole('button', { name: /^Area: up to/ }).waitFor();
    await workbench.screenshot('table-03-brushed');
  });

  it('filters by the keyboard alone: an exact range, and values', async () => {
    const { workbench } = suite;
    await header(AREA).focus();
    await workbench.page.keyboard.press('Alt+ArrowDown');
    const menu = table.getByRole('dialog', { name: 'Filter Area' });
    await menu.getByRole('textbox', { name: 'From' }).fill('100');
    await menu.getByRole('textbox', { name: 'To', exact: true }).fill('199');
    await shownRows(/^10,000 of 1,000,000 rows/);
    await menu.getByText('Q1', { exact: true }).waitFor();
    await menu.getByRole('slider', { name: 'To' }).press('End');
    await shownRows(/^9[89]\d,\d{3} of 1,000,000 rows/);
    await menu.getByRole('textbox', { name: 'To', exact: true }).fill('199');
    await shownRows(/^10,000 of 1,000,000 rows/);
    await workbench.screenshot('table-04-filter');
    assert.deepEqual(await accessibilityFaults(table), []);
    await workbench.page.keyboard.press('Escape');
    await header(2).focus();
    await workbench.page.keyboard.press('Alt+ArrowDown');
    await table.getByRole('checkbox', { name: /Mitotic/ }).check();
    const expected = Array.from({ length: ROWS }, (_, row) => row).filter(
      row => row % 10 === 0 && areaOf(row) >= 100 && areaOf(row) <= 199,
    );
    await shownRows(`${expected.length.toLocaleString('en')} of 1,000,000 rows`);
    await workbench.page.keyboard.press('Escape');
    await reads(cell(0, 1), `${expected[0]}`);
  });

  it('undoes and redoes by keys and from the palette, and leaves what was typed elsewhere', async () => {
    const { workbench } = suite;
    const { keyboard } = workbench.page;
    const says = (words: string) => table.locator('.notice').getByText(words, { exact: true }).waitFor();
    const filtered = await table.locator('.status-item.rows').innerText();
    const find = table.getByRole('searchbox', { name: 'Find' });
    await find.fill('Mitotic');
    // The match that is found takes the place of what else is said.
    await table.getByText(/^1 of /).waitFor();
    await cell(0, AREA).click();
    await table.getByRole('button', { name: 'Clear Filters' }).click();
    await shownRows(/^1,000,000 rows$/);
    await keyboard.press('Control+z');
    await says('Undid: Clear Filters');
    await shownRows(filtered.replace(/ \(.*/, ''));
    assert.equal(await find.inputValue(), 'Mitotic');
    await keyboard.press('Control+y');
    await says('Redid: Clear Filters');
    await workbench.runCommand('Image Analysis: Undo');
    await says('Undid: Clear Filters');
    // In a text box VS Code undoes what was typed, and nothing else.
    await find.click();
    await keyboard.press('Control+z');
    await table.waitForFunction(
      () => document.querySelector<HTMLInputElement>('.find-box input')?.value === '',
    );
    await shownRows(filtered.replace(/ \(.*/, ''));
  });

  it('selects cells by dragging, shows their sum, and copies them with their header', async () => {
    const { workbench } = suite;
    await cell(0, 1).hover({ position: { x: 10, y: 10 } });
    const to = await cell(2, AREA).boundingBox();
    assert.ok(to);
    const { mouse } = workbench.page;
    await mouse.down();
    await mouse.move(to.x + 10, to.y + 8);
    await mouse.move(to.x + 12, to.y + 10);
    await mouse.up();
    await table.getByText('3 × 4 cells selected').waitFor();
    await table.locator('.selection-value', { hasText: 'Area: Sum' }).waitFor();
    await table.getByRole('button', { name: 'Copy Selection' }).click();
    await table.getByRole('menuitemradio', { name: 'Copy With Header' }).click();
    await table.locator('.notice', { hasText: '3 rows copied with header' }).waitFor();
    const copied = (await workbench.clipboard(/^Object ID\tImage origin\tClass\tArea\n/))
      .trimEnd()
      .split('\n');
    assert.equal(copied.length, 4);
    const [id = '', , kind, area] = copied[1]?.split('\t') ?? [];
    assert.deepEqual([kind, Number(area)], ['Mitotic', areaOf(Number(id))]);
    await workbench.screenshot('table-05-selected');
  });

  it('draws plots that follow the filter', async () => {
    const { workbench } = suite;
    await table.getByRole('button', { name: 'Plots', exact: true }).click();
    await table.getByRole('img', { name: 'Perimeter vs. Area' }).waitFor();
    await table.getByRole('button', { name: 'Clear Filters' }).click();
    await shownRows(/^1,000,000 rows$/);
    await table.getByText('20,000 of 1,000,000 rows, sampled at random').waitFor();
    await table.getByRole('button', { name: 'Add Plot' }).click();
    await table.getByRole('menuitem', { name: 'Box plot' }).click();
    await table.getByRole('img', { name: 'Area by Class' }).waitFor();
    await workbench.screenshot('table-06-plots');
    assert.deepEqual(await accessibilityFaults(table), []);
  });

  it('groups a million rows from the palette, and saves the groups', async () => {
    const { workbench } = suite;
    await workbench.runCommand('Image Analysis: Show Groups');
    await table.getByText('2 groups of all rows.').waitFor();
    await table.getByLabel('Then by').selectOption('Image origin');
    await table.getByText('144 groups of all rows.').waitFor();
    await workbench.screenshot('table-07-groups');
    assert.deepEqual(await accessibilityFaults(table), []);
    await table.getByRole('button', { name: 'Save Groups as CSV' }).click();
    const path = join(suite.folder, 'groups.csv');
    await workbench.quickInput.namePlace('objects-groups.csv', path);
    await table.locator('.notice', { hasText: '144 groups saved as groups.csv' }).waitFor();
    const [head, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
    assert.match(head ?? '', /^Class,Image origin,Rows,Area \(Mean\),/);
    assert.equal(lines.length, 144);
    await table.getByRole('button', { name: 'Close Groups' }).click();
  });

  it('is restored as it was after a reload', async () => {
    const { workbench } = suite;
    await header(AREA).locator('.header-name').click();
    await table.getByText('Sorted by Area, ascending').waitFor();
    await workbench.reloadWindow();
    table = await workbench.panel('objects.csv');
    await table.getByText('Sorted by Area, ascending').waitFor();
    await table.getByRole('img', { name: 'Area by Class' }).waitFor();
    await shownRows(/^1,000,000 rows$/);
  });

  it('opens as a custom editor too, beside the text editor', async () => {
    const { workbench } = suite;
    await workbench.explorer.menu('small.tsv', 'Open With...');
    await workbench.quickInput.option('Image Analysis Table').click();
    await workbench.editorTab('small.tsv').waitFor();
    table = await workbench.panel(/^(?!objects)/);
    await reads(cell(1, 1), '4');
    await table.getByText('Separated by tabs').waitFor();
  });
}
