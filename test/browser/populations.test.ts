import * as assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessibilityFaults } from './accessibility';
import { until } from './until';
import { useWorkbench } from './useWorkbench';
import { TableView } from './views/tableView';

const [AREA, KI67] = [2, 3];
/** 24 objects: the area of the first 20 is 100 and more, and Ki67 is high in every second one. */
const ROWS = Array.from({ length: 24 }, (_, at) => [
  `im${Math.floor(at / 8)}.tif`,
  at + 1,
  at < 20 ? 100 + at : 10 + at,
  at % 2 === 0 ? 50 + at : at,
]);

describe('Populations', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: async folder => {
      const table = (rows: unknown[][], ...names: string[]) =>
        [['Image origin', 'Object ID', ...names], ...rows].map(row => row.join(',')).join('\n');
      await writeFile(join(folder, 'objects.csv'), table(ROWS, 'Area', 'Ki67'));
      await writeFile(
        join(folder, 'others.csv'),
        table(
          ROWS.map(row => row.slice(0, 3)),
          'Area',
        ),
      );
    },
  });

  it('are made of filters, colored, hidden, dragged to a parent, filtered to, undone, and taken to another table', async () => {
    const { workbench } = suite;
    const { page, quickInput } = workbench;
    await workbench.explorerMenu(['objects.csv'], 'Open Table');
    const table = new TableView(await workbench.panel('objects.csv'));
    const { frame } = table;
    await table.showsRows('24 rows');
    await table.button('Populations').click();
    const row = (name: string, level = 1) =>
      frame
        .getByRole('treeitem', { name: new RegExp(`^${name},`) })
        .and(frame.locator(`[aria-level="${level}"]`));
    const isFilter = (name: string, level = 1) =>
      row(name, level).and(frame.locator('[aria-selected=true]')).waitFor();
    const add = async (column: number, from: string, name: string) => {
      const window = await table.openFilter(column);
      await window.getByRole('textbox', { name: 'From' }).fill(from);
      await window.getByRole('textbox', { name: 'From' }).press('Enter');
      await table.closeWindow();
      await table.button('New Population from Filters…').click();
      await frame.getByLabel('Name of the population').fill(name);
      await page.keyboard.press('Enter');
      await isFilter(name);
      await row(name).click();
      await table.showsRows('24 rows');
    };
    await add(AREA, '100', 'Large');
    await add(KI67, '50', 'Cycling');
    await row('Large').filter({ hasText: '20' }).waitFor();
    await row('Cycling').filter({ hasText: '12' }).waitFor();

    // Its place in the tree, by the pointer.
    await row('Cycling').dragTo(row('Large'));
    await row('Cycling', 2).filter({ hasText: '50%' }).waitFor();
    const swatch = table.button('Color of Cycling');
    const before = await swatch.getAttribute('style');
    await swatch.click();
    await frame.locator('.color-choice-swatch').nth(3).click();
    await until(async () => (await swatch.getAttribute('style')) !== before);
    await row('Cycling', 2).hover();
    await table.button('Hide Cycling').click();
    await table.button('Show Cycling').waitFor();
    assert.deepEqual(await accessibilityFaults(frame), []);
    await workbench.screenshot('populations-01-tree');

    // The table shows one, and all again; each change is undone.
    await row('Cycling', 2).click();
    await table.showsRows('10 of 24 rows');
    await row('Cycling', 2).click();
    await table.showsRows('24 rows');
    const undo = async (words: string) => {
      await page.keyboard.press('Control+Z');
      await table.notice(`Undid: ${words}`).waitFor();
    };
    await page.keyboard.press('Control+Z');
    await isFilter('Cycling', 2);
    await page.keyboard.press('Control+Z');
    await table.showsRows('24 rows');
    await undo('Change Population');
    await table.button('Hide Cycling').waitFor({ state: 'attached' });
    await undo('Change Population');
    await until(async () => (await swatch.getAttribute('style')) === before);

    // As a file, to a table that lacks a column.
    const choose = async (entry: string) => {
      await table.button('Actions for Populations').click();
      await frame.getByRole('menuitem', { name: entry }).click();
    };
    await choose('Save Populations…');
    await quickInput.namePlace('objects-populations.json', join(suite.folder, 'gates.json'));
    await table.notice('2 populations saved as gates.json').waitFor();
    const saved = JSON.parse(await readFile(join(suite.folder, 'gates.json'), 'utf8')) as {
      populations: unknown;
    };
    assert.deepEqual(saved.populations, [
      { name: 'Large', gate: { kind: 'range', column: 'Area', from: 100, to: null } },
      { name: 'Cycling', gate: { kind: 'range', column: 'Ki67', from: 50, to: null }, parent: 'Large' },
    ]);
    await choose('Save Table by Image…');
    await quickInput.namePlace('objects-populations.csv', join(suite.folder, 'images.csv'));
    await table.notice('6 rows saved as images.csv').waitFor();
    const lines = (await readFile(join(suite.folder, 'images.csv'), 'utf8')).trim().split('\n');
    assert.deepEqual(lines.slice(-3), [
      'Large/Cycling,im0.tif,4,0.5,0.5',
      'Large/Cycling,im1.tif,4,0.5,0.5',
      'Large/Cycling,im2.tif,2,0.5,0.25',
    ]);

    await workbench.explorerMenu(['others.csv'], 'Open Table');
    const other = new TableView(await workbench.panel('others.csv'));
    await other.showsRows('24 rows');
    await other.button('Populations').click();
    await other.button('Actions for Populations').click();
    await other.frame.getByRole('menuitem', { name: 'Apply Populations…' }).click();
    await quickInput.selectFile(join(suite.folder, 'gates.json'), 'Apply');
    await workbench.dialog.getByText('Cycling: The table has no column "Ki67".').waitFor();
    await workbench.screenshot('populations-02-lacking');
    await workbench.clickInDialog('Skip Them');
    await other.frame.getByRole('treeitem', { name: /^Large, 20, / }).waitFor();
    assert.equal(await other.frame.getByRole('treeitem').count(), 1);
    // The focus comes back to the page after the dialog.
    await until(() => other.frame.evaluate(() => document.hasFocus()));
    await page.keyboard.press('Control+Z');
    await other.frame.getByRole('treeitem').waitFor({ state: 'detached' });
  });
});
