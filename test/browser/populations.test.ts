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
    // By its command: whether the focus comes back to the page after a dialog is VS Code's matter.
    await workbench.runCommand('Image Analysis: Undo');
    await other.frame.getByRole('treeitem').waitFor({ state: 'detached' });
  });

  it('are drawn in a plot, counted, typed, and there again once the window was reloaded', async () => {
    const { workbench } = suite;
    const { page } = workbench;
    await workbench.explorerMenu(['objects.csv'], 'Open Table');
    const gated = async () => {
      const table = new TableView(await workbench.panel('objects.csv'));
      const { frame } = table;
      await table.showsRows('24 rows');
      const row = (counts = '') => frame.getByRole('treeitem', { name: new RegExp(`^Gated, ${counts}`) });
      return { table, frame, row, stage: frame.locator('.plot-stage').first() };
    };
    const { table, frame, row, stage } = await gated();
    await table.button('Plots').click();
    await frame.getByLabel('X axis').selectOption('Area');
    await frame.getByLabel('Y axis').selectOption('Ki67');
    await frame.locator('.plot-points').waitFor();
    await until(async () => (await frame.locator('.plot-card[aria-busy]').count()) === 0);
    await table.button('Draw a Rectangle').click();
    const box = await stage.boundingBox();
    assert.ok(box);
    const to = (x: number, y: number) => page.mouse.move(box.x + box.width * x, box.y + box.height * y);
    await to(0.3, 0.3);
    await page.mouse.down();
    await to(0.5, 0.5);
    await to(0.7, 0.6);
    const counts = frame.locator('.gate-counts').first();
    await counts.waitFor();
    await page.mouse.up();
    const name = frame.locator('.gate-tools').getByLabel('Name of the population');
    await name.fill('Gated');
    await name.press('Enter');
    await row().waitFor();
    await table.button('Numbers of Gated').click();
    for (const [label, number] of [
      ['Area from', '100'],
      ['Area to', '110'],
      ['Ki67 from', '50'],
      ['Ki67 to', '100'],
    ] as const)
      await frame.getByLabel(label).fill(number);
    await page.keyboard.press('Enter');
    // Areas of 100 to 110 are of 11 objects, of which every second one has a high Ki67.
    await row('6, 25%').waitFor();
    await counts.getByText('6 rows, 25%').waitFor();
    await workbench.screenshot('populations-03-gate');

    await workbench.reloadWindow();
    const again = await gated();
    await again.row('6, 25%').waitFor();
    await again.stage.getByText('Gated 25%').waitFor();
    await again.row().click();
    await again.table.showsRows('6 of 24 rows');
    await workbench.screenshot('populations-04-after-a-reload');
  });
});
