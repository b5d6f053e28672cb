import * as assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../host/freePort';
import { placeStore } from '../store/placeStore';
import { packOtherVersion, written } from './store/otherVersion';
import { useWorkbench } from './useWorkbench';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';

const vsix = process.env['IA_VSIX'] ?? '';
/** The columns of the recorded table. */
const [CLASS, AREA, PERIMETER] = [2, 3, 4] as const;

describe('An upgrade of the extension', () => {
  const suite = useWorkbench({
    theme: 'dark',
    earlier: async root => {
      const storage = join(root, 'host/data/User/globalStorage/image-analysis.image-analysis');
      const port = await freePort();
      const editor = await placeStore({ storage, workspace: join(root, 'workspace'), port });
      // What the earlier version has downloaded can't be downloaded again.
      await rm(join(storage, 'sample/data/results'), { recursive: true });
      const store = join(root, 'editor.json');
      await writeFile(store, JSON.stringify(editor));
      return packOtherVersion(root, 'earlier', store);
    },
  });

  it('offers what the earlier version left unfinished', async () => {
    const { workbench } = suite;
    const left = join(suite.folder, '..', 'editor.json.left');
    await written(left, () => workbench.page.waitForTimeout(50));
    await workbench.install(vsix);
    // Which comes first isn't certain, and each is shown for a while only.
    await Promise.all([
      workbench.notification("2 files weren't uploaded because their window closed.").waitFor(),
      workbench.notification('The window was closed while "Left behind" was being submitted.').waitFor(),
    ]);
  });

  it('leaves the account signed in, and its jobs followed', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Files').waitForItem('Recorded');
    await workbench.tree('Jobs').waitForItem('First plate, done');
    await workbench.tree('Jobs').waitForItem('Long run');
  });

  it('leaves a table open that was downloaded, filtered and sorted as it was', async () => {
    const table = new TableView(await suite.workbench.panel('Objects of First plate'));
    await table.showsRows('20 of 40 rows');
    await table.chip('Area (px²): from 200').waitFor();
    await table.frame
      .getByText(/^Sorted by Area.*, descending$/)
      .first()
      .waitFor();
    // Areas in µm² are empty where an image has no pixel size.
    const cells = await table.cellsOnScreen([CLASS, AREA, PERIMETER]);
    const read = (column: number) => cells.filter(cell => cell.column === column).map(({ text }) => text);
    assert.deepEqual([...new Set(read(AREA))], ['529']);
    assert.deepEqual([...new Set(read(CLASS))], ['Large']);
    assert.deepEqual(read(PERIMETER), []);
    assert.equal(await table.frame.getByRole('searchbox', { name: 'Find' }).inputValue(), 'Large');
    await table.frame.locator('.groups-grid .ag-row', { hasText: 'All filtered rows' }).first().waitFor();
    await table.frame.getByText('Click a bar or drag to filter.').waitFor();
    // Of an image's property, an area in µm², and a formula.
    await table.button('Columns').click();
    for (const name of ['Drug', 'Area (µm²)', 'Half'])
      await table.frame.getByRole('checkbox', { name, exact: true, checked: true }).waitFor();
    await table.closeWindow();
  });

  it('leaves masks open that look as they did', async () => {
    const { workbench } = suite;
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of First plate'));
    await masks.frame.getByText('b.png').first().waitFor();
    await masks.button('Show Small').waitFor();
    await masks.frame.getByText('10 of 20 objects shown').waitFor();
    await masks.frame.locator('.zoom-level', { hasText: /^100%$/ }).waitFor();
    const chosen = masks.frame.locator('#color-by option:checked');
    assert.equal(await chosen.innerText(), 'Perimeter');
    await masks.seeMasks();
  });
});
