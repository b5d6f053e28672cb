import * as assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Frame } from 'playwright-core';
import { useWorkbench } from './useWorkbench';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';

const ROWS = 400;
const COLUMNS = 30;
const IMAGE = 'channels-focus-time.ome.tif';

function wideTable(): string {
  const columns = Array.from({ length: COLUMNS }, (_, at) => at);
  const header = columns.map(at => `Measurement ${at}`);
  const rows = Array.from({ length: ROWS }, (_, row) => columns.map(at => row * 100 + at));
  return [header, ...rows].map(cells => `${cells.join('\t')}\n`).join('');
}

describe('An editor whose page is loaded again', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: async folder => {
      await writeFile(join(folder, 'wide.tsv'), wideTable());
      await writeFile(join(folder, 'code.py'), 'print(1)\n');
      await copyFile(resolve('test/golden/images', IMAGE), join(folder, IMAGE));
    },
  });
  /** What VS Code loads a page again with. */
  const ways: ((tab: string) => Promise<void>)[] = [
    async tab => {
      await suite.workbench.explorer.item('code.py').dblclick();
      await suite.workbench.page.locator('.monaco-editor').first().waitFor();
      await suite.workbench.editorTab(tab).click();
    },
    () => suite.workbench.runCommand('View: Move Editor into Right Group'),
    () => suite.workbench.reloadWindow(),
  ];
  /** The page of the editor, which is the only one on the screen. */
  const page = () => suite.workbench.panel(/./);
  const again = async (leave: (tab: string) => Promise<void>, tab: string, { frame }: { frame: Frame }) => {
    await leave(tab);
    while (!frame.isDetached()) await suite.workbench.page.waitForTimeout(50);
    return await page();
  };

  it('shows the same part of a table, with the same cells selected and found', async () => {
    const { workbench } = suite;
    await workbench.explorer.menu('wide.tsv', 'Open With...');
    await workbench.quickInput.option('Image Analysis Table').click();
    let table = new TableView(await page());
    // Else the next editor replaces it.
    await workbench.editorTab('wide.tsv').dblclick();
    const find = () => table.frame.getByRole('searchbox', { name: 'Find' });
    await find().fill('17');
    await table.frame.getByText(/^1 of /).waitFor();
    await table.cell(1, 17).click();
    await table.cell(4, 18).click({ modifiers: ['Shift'] });
    await workbench.page.mouse.wheel(0, 100 * 24);
    await table.cell(99, 18).waitFor();
    const isLeft = async () => {
      await table.reads(99, 18, '9918');
      await table.frame.getByText('4 × 2 cells selected').first().waitFor();
      await table.frame.getByText('Measurement 18: Sum 1,072').first().waitFor();
      assert.equal(await find().inputValue(), '17');
    };
    await isLeft();
    // The place is saved once scrolling has ended, which nothing on the screen tells.
    await workbench.page.waitForTimeout(500);
    for (const leave of ways) {
      table = new TableView(await again(leave, 'wide.tsv', table));
      await isLeft();
    }
    await workbench.closeTab('wide.tsv');
  });

  it('shows an image with the same channels, plane and zoom', async () => {
    const { workbench } = suite;
    await workbench.explorer.item(IMAGE).dblclick();
    let image = new MasksView(workbench.page, await page());
    const display = () => image.section('Display');
    await image.section('Image').getByText('61 × 47 px').waitFor();
    await display().getByLabel('Show GFP').uncheck();
    await display().getByLabel('Z', { exact: true }).press('ArrowRight');
    await image.canvas.press('1');
    await image.canvas.press('+');
    const isLeft = async () => {
      await image.frame.locator('.zoom-level', { hasText: /^150%$/ }).waitFor();
      await display().getByText('2 of 3').waitFor();
      assert.equal(await display().getByLabel('Show GFP').isChecked(), false);
    };
    await isLeft();
    for (const leave of ways) {
      image = new MasksView(workbench.page, await again(leave, IMAGE, image));
      await isLeft();
    }
  });
});
