import * as assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Frame } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import { prepareLargeTable, testLargeTable } from './largeTable';
import { prepareOtherFormats, testOtherFormats } from './otherFormats';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';
import { testedThemes, useWorkbench } from './useWorkbench';

const ROWS = 400;
const [ORIGIN, ID, CLASS, AREA, NOTE] = [0, 1, 2, 3, 4] as const;
const classOf = (row: number) => (row % 4 === 0 ? 'Mitotic' : 'Nucleus');
const areaOf = (row: number) => `${(row * 37) % 400},5`;
const LONG_NOTE = `seen ${'again and '.repeat(60)}again`;

/** A table as a spreadsheet in Europe writes it. */
const plate = [
  'Image origin;Object ID;Class;Area;Note',
  ...Array.from({ length: ROWS }, (_, row) =>
    [`plate 3/well B${row % 6}.tif`, row + 1, classOf(row), areaOf(row), row === 0 ? LONG_NOTE : ''].join(
      ';',
    ),
  ),
  '',
].join('\n');

const other = [
  'Name\tLength\tWidth',
  ...Array.from({ length: 60 }, (_, row) => `n${row}\t${row * 2}\t${row % 7}`),
  '',
].join('\n');

/** IDs of 64 bits, all of which have the same double. */
const [LOW, MIDDLE, HIGH] = ['9223372036854775805', '9223372036854775806', '9223372036854775807'] as const;
const longIds = `ID,Class\n${[HIGH, LOW, MIDDLE, HIGH].map(id => `${id},Cell\n`).join('')}`;

/** Of a long text, at least this much is in its cell. */
const SHOWN_CHARACTERS = 1000;

/**
 * A table of over 32 MB with rows so long that the first rows come before a block of them is whole.
 */
const longTexts = {
  name: 'long-texts.csv',
  columns: 3,
  rows: 2200,
  cell: (row: number, column: number) => `${row}:${column} ${'text '.repeat(column === 1 ? 3400 : 0)}`.trim(),
};

/** More rows and columns than there is room for, each cell with a number of its own. */
const wide = [
  Array.from({ length: 30 }, (_, column) => `Measurement ${column}`),
  ...Array.from({ length: ROWS }, (_, row) => Array.from({ length: 30 }, (_, column) => row * 100 + column)),
];
const IMAGE = 'channels-focus-time.ome.tif';

describe('Tables of files', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: async folder => {
      await writeFile(join(folder, 'plate.csv'), plate);
      await writeFile(join(folder, 'other.tsv'), other);
      await writeFile(join(folder, 'ids.csv'), longIds);
      await writeFile(join(folder, 'ratios.csv'), 'Name,Length,Width\na,10,4\nb,3,0\nc,9,2\n');
      await writeFile(join(folder, 'wide.tsv'), wide.map(cells => `${cells.join('\t')}\n`).join(''));
      await copyFile(resolve('test/golden/images', IMAGE), join(folder, IMAGE));
      const { name, columns, rows, cell } = longTexts;
      const line = (text: (column: number) => string) =>
        Array.from({ length: columns }, (_, at) => text(at)).join();
      const lines = Array.from({ length: rows }, (_, row) => line(column => cell(row, column)));
      await writeFile(join(folder, name), [line(column => `Column ${column}`), ...lines, ''].join('\n'));
      await prepareLargeTable(folder);
      await prepareOtherFormats(folder);
      await writeFile(join(folder, 'empty.csv'), '');
      await writeFile(
        join(folder, 'background-image.csv'),
        Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13),
      );
      await writeFile(join(folder, 'damaged.csv'), 'Name,Area\nA,1\n"never closed,2\nC,3\n');
    },
  });
  const open = async (file: string) => {
    await suite.workbench.explorerMenu([file], 'Open Table');
    return new TableView(await suite.workbench.panel(file));
  };
  /** The tab of the table, not of the text editor that a click in the explorer opens as well. */
  const tab = (file: string) => new RegExp(`^${file.replace('.', '\\.')}$`);
  const shown = async (file: string) => {
    await suite.workbench.editorTab(tab(file)).click();
    return new TableView(await suite.workbench.panel(file));
  };
  /** The violations that axe finds in a state of the page, with the state's name. */
  const faults: string[] = [];
  const judge = async ({ frame }: TableView, state: string) => {
    for (const fault of await accessibilityFaults(frame)) faults.push(`${state}: ${fault}`);
  };
  const clean = () => assert.deepEqual(faults.splice(0), []);

  it('open from the explorer, also as .tsv', async () => {
    const table = await open('other.tsv');
    await table.showsRows('60 rows');
    await table.reads(1, 1, '2');
    await table.frame.getByText('Separated by tabs').waitFor();
  });

  it('show every cell as in the file, also where it was on the screen before it was read', async () => {
    const { name, columns, rows, cell } = longTexts;
    const table = await open(name);
    const isRight = async () => {
      const cells = await table.cellsOnScreen();
      for (const { position, column, text } of cells) {
        const whole = cell(position, column);
        assert.equal(text, whole.slice(0, Math.max(text.length, Math.min(whole.length, SHOWN_CHARACTERS))));
      }
    };
    await table.cell(0, 0).hover();
    while (await table.frame.getByText('Reading…').isVisible()) {
      await suite.workbench.page.mouse.wheel(0, 800);
      await table.frame.evaluate(() => new Promise(requestAnimationFrame));
    }
    await table.showsRows(`${rows.toLocaleString('en')} rows`);
    await isRight();
    for (const row of [32, 100, 150, 200, Math.floor(rows / 2), rows]) {
      await table.goToRow(row);
      await table.row(row - 1, 'selected').waitFor();
      await isRight();
    }
    await table.cell(rows - 1, 0).press('Control+End');
    await table.reads(rows - 1, columns - 1, cell(rows - 1, columns - 1));
    await isRight();
    await suite.workbench.closeTab(tab(name));
  });

  it('filter and sort 64-bit IDs by all digits, and say that plots round them', async () => {
    const table = await open('ids.csv');
    await table.showsRows('4 rows');
    await table.frame.getByRole('button', { name: /^Class\s*Cell$/ }).waitFor();
    const filter = await table.openFilter(0);
    const rounded = 'ID has integers beyond 2⁵³. Plots and statistics round them.';
    await filter.getByText(rounded).waitFor();
    await filter.getByRole('textbox', { name: 'From' }).fill(MIDDLE);
    await table.showsRows('3 of 4 rows');
    await table.chip(MIDDLE).waitFor();
    await table.closeWindow();
    await table.header(0).locator('.header-name').click();
    await table.chip('Sorted by ID, ascending').waitFor();
    for (const [position, id] of [MIDDLE, HIGH, HIGH].entries()) await table.reads(position, 0, id);
    await table.button('Plots').click();
    await table.frame.locator('.plot-note', { hasText: rounded }).waitFor();
    await suite.workbench.closeTab(tab('ids.csv'));
  });

  it('have columns that formulas compute, which are there when they are opened again, and offered to others', async () => {
    const ratio = 3;
    const table = await open('ratios.csv');
    await table.showsRows('3 rows');
    await table.frame.getByRole('button', { name: 'fx', exact: true }).click();
    const editor = table.frame.locator('.formula-editor');
    await editor.getByRole('textbox', { name: 'Name' }).fill('Ratio');
    await editor.getByLabel('Formula', { exact: true }).fill('[Length] / [Width]');
    await editor.getByText('divisions by 0: 1').waitFor();
    await judge(table, 'a formula');
    await editor.getByLabel('Formula', { exact: true }).press('Enter');
    await table.notice('Added Ratio.').waitFor();
    await table.reads(0, ratio, '2.5');
    await table.header(ratio).locator('.header-name').click();
    await table.chip('Sorted by Ratio, ascending').waitFor();
    const filter = await table.openFilter(ratio);
    await filter.getByText('= [Length] / [Width]').waitFor();
    await filter.getByRole('textbox', { name: 'From' }).fill('3');
    await table.showsRows('1 of 3 rows');
    await judge(table, 'a computed column');
    await table.closeWindow();
    await suite.workbench.closeTab(tab('ratios.csv'));
    const again = await open('ratios.csv');
    await again.reads(2, ratio, '4.5');
    const next = await open('other.tsv');
    await next.frame.getByRole('button', { name: 'fx', exact: true }).click();
    await next.frame.locator('.formula-editor').getByRole('button', { name: 'Ratio' }).click();
    await next.notice('Added Ratio.').waitFor();
    const added = await next.openFilter(ratio);
    await added.getByRole('button', { name: 'Remove Column' }).click();
    await next.notice('Removed Ratio.').waitFor();
    await suite.workbench.closeTab(tab('ratios.csv'));
    clean();
  });

  it('are independent, and keep their view while another is shown', async () => {
    const first = await open('plate.csv');
    await first.showsRows('400 rows');
    await first.frame.getByText('Separated by semicolons, decimal comma').waitFor();
    await first.header(AREA).locator('.header-name').click();
    await first.chip('Sorted by Area, ascending').waitFor();
    await first.header(AREA).locator('.header-name').click();
    await first.chip('Sorted by Area, descending').waitFor();
    const filter = await first.openFilter(CLASS);
    await filter.getByRole('checkbox', { name: /Mitotic/ }).check();
    await first.showsRows('100 of 400 rows');
    await first.closeWindow();
    await first.button('Columns').click();
    await first.frame.getByRole('checkbox', { name: 'Object ID' }).uncheck();
    await first.closeWindow();
    await first.button('Plots').click();
    await first.frame.locator('.plot-drawing').waitFor();

    const second = await shown('other.tsv');
    await second.showsRows('60 rows');
    assert.equal(await second.frame.locator('.chip').count(), 0);
    await second.header(2).locator('.header-name').click();
    await second.chip('Sorted by Width, ascending').waitFor();
    await second.reads(0, 0, 'n0');
    await second.reads(1, 0, 'n7');
    await isLeft(await shown('plate.csv'));
  });

  /** The first table as the test above left it. */
  async function isLeft(table: TableView): Promise<void> {
    await table.chip('Sorted by Area, descending').waitFor();
    await table.chip('Class: Mitotic').waitFor();
    await table.showsRows('100 of 400 rows');
    await table.reads(0, AREA, '396,5');
    await table.header(ID).waitFor({ state: 'detached' });
    await table.frame.locator('.plot-drawing').waitFor();
  }

  it('save the rows and columns shown, and confirm before they replace a file', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    const table = await shown('plate.csv');
    const path = join(suite.folder, 'saved.csv');
    const saveAs = async () => {
      await table.button('Export').click();
      await quickInput.namePlace('plate-filtered.csv', path);
    };
    await saveAs();
    await table.notice('100 rows saved as saved.csv').waitFor();
    const written = await readFile(path, 'utf8');
    const lines = written.trimEnd().split(/\r?\n/);
    assert.equal(lines.length, 101);
    assert.equal(lines[0], 'Image origin;Class;Area;Note');
    assert.match(lines[1] ?? '', /^plate 3\/well B\d\.tif;Mitotic;396,5;$/);

    await writeFile(path, 'mine');
    await table.cell(0, CLASS).click();
    await table.notice(/./).waitFor({ state: 'hidden' });
    await saveAs();
    await quickInput.widget.getByText('already exists').waitFor();
    await workbench.screenshot('files-01-overwrite');
    await quickInput.widget.getByRole('button', { name: 'Cancel' }).click();
    await quickInput.widget.getByText('already exists').waitFor({ state: 'hidden' });
    await quickInput.escape();
    await quickInput.closed();
    assert.equal(await readFile(path, 'utf8'), 'mine');

    await saveAs();
    await quickInput.widget.getByText('already exists').waitFor();
    await quickInput.widget.getByRole('button', { name: 'OK' }).click();
    await table.notice('100 rows saved as saved.csv').waitFor();
    assert.equal(await readFile(path, 'utf8'), written);
  });

  it('have menus and dialogs in which axe finds nothing', async () => {
    const { workbench } = suite;
    const table = await shown('plate.csv');
    await table.cell(0, ORIGIN).click();
    await judge(table, 'the grid');
    await table.button('Columns').click();
    await table.frame.getByRole('checkbox', { name: 'Object ID' }).check();
    await judge(table, 'columns');
    await workbench.screenshot('files-02-columns');
    await table.closeWindow();
    for (const column of [AREA, CLASS]) {
      const filter = await table.openFilter(column);
      // Numbers that differ are not listed.
      await filter
        .locator(column === AREA ? '.statistics-list' : '.value-row')
        .first()
        .waitFor();
      await judge(table, `filter of column ${column}`);
      await workbench.screenshot(`files-03-filter-${column}`);
      await table.closeWindow();
    }
    await table.button('Copy Selection').click();
    await judge(table, 'copy menu');
    await table.closeWindow();
    await table.button('Add Plot').click();
    await judge(table, 'add a plot');
    await table.frame.getByRole('menuitem', { name: 'Bar chart' }).click();
    await table.frame.locator('.plot-drawing').nth(1).waitFor();
    await judge(table, 'plots');
    await table
      .button('Clear Filters')
      .or(table.button('Remove the filter "Class: Mitotic"'))
      .first()
      .click();
    await table.showsRows('400 rows');
    await table.button('Clear Sorting').click();
    // The selected row stays in view.
    await table.goToRow(1);
    await table.reads(0, ID, '1');
    await table.cell(0, NOTE).click();
    await table.cell(0, NOTE).press('Enter');
    await table.frame.locator('.cell-text', { hasText: 'and again' }).waitFor();
    await judge(table, 'cell');
    await workbench.screenshot('files-04-cell');
    await table.closeWindow();
    await table.frame.locator('button.status-item.format').click();
    await judge(table, 'format');
    await workbench.screenshot('files-05-format');
    await table.frame.getByLabel('Delimiter').selectOption({ label: 'Separated by commas' });
    const gone = workbench.page.waitForEvent('framedetached', frame => frame === table.frame);
    await table.button('Reload File').click();
    await gone;
    const read = new TableView(await workbench.panel('plate.csv'));
    await read.frame.getByText('Separated by commas').waitFor();
    await read.frame.getByText('2 columns').waitFor();
    await workbench.closeTab(tab('plate.csv'));
    clean();
  });

  it("report a file that is empty, isn't a table, or is damaged", async () => {
    const { workbench } = suite;
    const empty = await open('empty.csv');
    await empty.frame.getByText('The file is empty').waitFor();
    await judge(empty, 'empty');
    await workbench.screenshot('files-06-empty');
    await workbench.closeTab(tab('empty.csv'));
    const notText = await open('background-image.csv');
    await notText.frame.getByText("isn't a text file").waitFor();
    await notText.button('Try Again').waitFor();
    await judge(notText, 'failed');
    await workbench.screenshot('files-07-failed');
    await workbench.closeTab(tab('background-image.csv'));
    const damaged = await open('damaged.csv');
    const words = /^Rows are missing\. The quote opened on line 3 is never closed\.$/;
    const said = ({ frame }: TableView) => frame.locator('.status-item.error', { hasText: words }).waitFor();
    await said(damaged);
    await damaged.reads(0, 1, '1');
    await damaged.cell(0, 1).click();
    await said(damaged);
    await shown('other.tsv');
    await said(await shown('damaged.csv'));
    await judge(await shown('damaged.csv'), 'damaged');
    await workbench.screenshot('files-07-damaged');
    await workbench.closeTab(tab('damaged.csv'));
    clean();
  });

  it('show the same part of them whenever their page is loaded again, as an image does', async () => {
    const { workbench } = suite;
    // From here on, one page is on the screen at a time.
    await workbench.closeTab(tab('other.tsv'));
    const pageAfter = async ({ frame }: { frame: Frame }) => {
      while (!frame.isDetached()) await workbench.page.waitForTimeout(50);
      return await workbench.panel(/./);
    };
    await workbench.explorer.menu('wide.tsv', 'Open With...');
    await workbench.quickInput.option('Image Analysis Table').click();
    let table = new TableView(await workbench.panel(/./));
    // Else the next editor replaces it.
    await workbench.editorTab('wide.tsv').dblclick();
    const find = () => table.frame.getByRole('searchbox', { name: 'Find' });
    await find().fill('17');
    await table.frame.getByText(/^1 of /).waitFor();
    await table.cell(1, 17).click();
    await table.cell(4, 18).click({ modifiers: ['Shift'] });
    await workbench.page.mouse.wheel(0, 100 * 24);
    await table.cell(99, 18).waitFor();
    const tableIsLeft = async () => {
      await table.reads(99, 18, '9918');
      await table.frame.getByText('4 × 2 cells selected').first().waitFor();
      await table.frame.getByText('Measurement 18: Sum 1,072').first().waitFor();
      assert.equal(await find().inputValue(), '17');
    };
    await tableIsLeft();
    // The place is saved once scrolling has ended, which nothing on the screen tells: by timers of
    // the page, which end before this one, however slow the machine.
    await table.frame.evaluate(() => new Promise(resolve => setTimeout(resolve, 500)));
    const moveToRight = 'View: Move Editor into Right Group';
    await workbench.runCommand(moveToRight);
    table = new TableView(await pageAfter(table));
    await tableIsLeft();

    await workbench.openByClick(IMAGE);
    let image = new MasksView(workbench.page, await pageAfter(table));
    const display = () => image.section('Display');
    await image.section('Image').getByText('61 × 47 px').waitFor();
    await display().getByLabel('Show GFP').uncheck();
    await display().getByLabel('Z', { exact: true }).press('ArrowRight');
    await image.canvas.press('1');
    await image.canvas.press('+');
    const imageIsLeft = async () => {
      await image.frame.locator('.zoom-level', { hasText: /^150%$/ }).waitFor();
      await display().getByText('2 of 3').waitFor();
      assert.equal(await display().getByLabel('Show GFP').isChecked(), false);
    };
    await imageIsLeft();
    const showTable = async () => {
      await workbench.editorTab('wide.tsv').click();
      table = new TableView(await pageAfter(image));
      await tableIsLeft();
    };
    // Each hides the other.
    await showTable();
    await workbench.editorTab(IMAGE).click();
    image = new MasksView(workbench.page, await pageAfter(table));
    await imageIsLeft();

    await workbench.reloadWindow();
    image = new MasksView(workbench.page, await pageAfter(image));
    await imageIsLeft();
    await showTable();

    await workbench.closeTab('wide.tsv');
    image = new MasksView(workbench.page, await pageAfter(table));
    await imageIsLeft();
    await workbench.runCommand(moveToRight);
    image = new MasksView(workbench.page, await pageAfter(image));
    await imageIsLeft();
    await workbench.closeTab(IMAGE);
  });

  it('look right in other themes and in a narrow panel', async () => {
    const { workbench } = suite;
    const table = await open('plate.csv');
    await table.showsRows('400 rows');
    const filter = await table.openFilter(AREA);
    await filter.getByRole('textbox', { name: 'From' }).fill('50');
    await filter.getByRole('textbox', { name: 'To', exact: true }).fill('300');
    await table.showsRows(/^\d+ of 400 rows/);
    await table.closeWindow();
    await table.header(CLASS).locator('.header-name').click();
    await table.chip('Sorted by Class, ascending').waitFor();
    await table.button('Plots').click();
    await table.frame.locator('.plot-drawing').waitFor();
    await table.cell(3, ID).click();
    await table.cell(6, AREA).click({ modifiers: ['Shift'] });
    await table.frame.locator('.selection-value', { hasText: 'Area: Sum' }).waitFor();
    for (const theme of testedThemes(['high-contrast-light', 'high-contrast', 'light', 'dark'])) {
      await workbench.changeTheme(theme);
      await judge(table, theme);
      await workbench.screenshot(`files-08-${theme}`);
      await table.openFilter(AREA);
      await judge(table, `filter, ${theme}`);
      await workbench.screenshot(`files-09-${theme}-filter`);
      await table.closeWindow();
    }
    const size = workbench.page.viewportSize();
    assert.ok(size);
    await workbench.page.setViewportSize({ width: 760, height: 800 });
    await table.frame.waitForFunction(() => innerWidth <= 420);
    await judge(table, 'narrow');
    await workbench.screenshot('files-10-narrow');
    await workbench.page.setViewportSize(size);
    clean();
  });

  // The window is reloaded among these.
  describe('of a million rows', () => testLargeTable(suite));

  describe('that were not shown since the window was reloaded', () => {
    it('are restored as they were left', async () => {
      const table = await shown('plate.csv');
      await table.chip('Sorted by Class, ascending').waitFor();
      await table.chip('Area: 50 to 300').waitFor();
      await table.showsRows(/^\d+ of 400 rows/);
      await table.frame.locator('.plot-drawing').waitFor();
      await table.reads(0, CLASS, 'Mitotic');
      await table.frame.getByText('4 × 4 cells selected').first().waitFor();
    });
  });

  describe('of other formats', () => testOtherFormats(suite));
});
