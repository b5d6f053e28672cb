// Fills a store with the extension as it is now, and records it in the test tree: what its own
// classes write to the disk, and what VS Code stores for it while a user looks at a table and at
// masks.
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../host/freePort';
import { fillStore } from '../../store/fillStore';
import { recordStore, type EditorStore } from '../../store/placeStore';
import { MasksView } from '../views/masksView';
import { TableView } from '../views/tableView';
import { Workbench } from '../workbench';
import { packOtherVersion, written } from './otherVersion';

/** A column of the sample service's objects tables. */
const AREA = 3;

const vsix = process.env['IA_VSIX'] ?? assert.fail('IA_VSIX must name the packaged extension');
const root = await mkdtemp(join(tmpdir(), 'ia-'));
const dataFolder = join(root, 'host');
const place = { storage: join(root, 'storage'), workspace: join(root, 'workspace'), port: await freePort() };
await mkdir(place.workspace);
const filled = await fillStore(place);

const store = join(root, 'editor.json');
await writeFile(store, JSON.stringify(filled));
await cp(place.storage, join(dataFolder, 'data/User/globalStorage/image-analysis.image-analysis'), {
  recursive: true,
});
const workbench = await Workbench.open({
  name: 'recorded-store',
  theme: 'dark',
  vsix: await packOtherVersion(root, 'earlier', store),
  folder: place.workspace,
  dataFolder,
});
let failed = true;
try {
  const wait = () => workbench.page.waitForTimeout(50);
  await written(`${store}.left`, wait);
  await workbench.install(vsix);
  await lookAtTable();
  await lookAtMasks();
  // What a page saves is written within a moment, which nothing on the screen tells.
  await workbench.page.waitForTimeout(1000);
  await workbench.install(await packOtherVersion(root, 'later', store));
  let found: EditorStore;
  do {
    await wait();
    found = JSON.parse((await written(`${store}.found`, wait)) || '{"views":[]}') as EditorStore;
  } while (found.views.length < 2);
  await recordStore(place, found);
  failed = false;
} finally {
  await workbench.close(failed);
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

async function lookAtTable(): Promise<void> {
  await workbench.openContainer('Image Analysis');
  // A list that changes closes the menus of its rows.
  await workbench.tree('Jobs').waitForItem('Of a colleague, done');
  await workbench.tree('Jobs').menu('First plate', 'Open Objects Table');
  const table = new TableView(await workbench.panel('Objects of First plate'));
  await table.showsRows(/rows/);
  const menu = await table.openFilter(AREA);
  await menu.getByRole('textbox', { name: 'From' }).fill('200');
  await table.showsRows(/^\d+ of \d+ rows/);
  await table.closeWindow();
  await table.header(AREA).locator('.header-name').click();
  await table.frame.getByText(/^Sorted by Area.*, ascending/).waitFor();
  await table.header(AREA).locator('.header-name').click();
  await table.frame.getByText(/^Sorted by Area.*, descending/).waitFor();
  await table.button('Columns').click();
  await table.frame.getByRole('checkbox', { name: 'Perimeter' }).uncheck();
  await table.closeWindow();
  await table.frame.getByRole('searchbox', { name: 'Find' }).fill('Large');
  await table.frame.getByText(/^1 of /).waitFor();
  await table.cell(0, AREA).click();
  await table.cell(1, AREA + 2).click({ modifiers: ['Shift'] });
  await table.frame.getByText('2 × 3 cells selected').first().waitFor();
  await table.button('Plots').click();
  await table.frame.getByLabel('Plot type').selectOption('Histogram');
  await table.frame.getByText('Click a bar or drag to filter.').waitFor();
  await table.button('Groups').click();
  await table.frame.locator('.groups-grid .ag-row', { hasText: 'Large' }).first().waitFor();
}

async function lookAtMasks(): Promise<void> {
  await workbench.tree('Jobs').menu('First plate', 'Open Masks');
  const masks = new MasksView(workbench.page, await workbench.panel('Masks of First plate'));
  await masks.seeMasks();
  await masks.button('Hide Small').click();
  const slider = masks.frame.getByRole('slider', { name: 'Opacity' });
  await slider.press('End');
  await masks.frame.getByText('100%', { exact: true }).first().waitFor();
  // That of the row that is selected in the table.
  await masks.frame.getByText('b.png').first().waitFor();
  await masks.frame.locator('#color-by').selectOption({ label: 'Perimeter' });
  await masks.frame.locator('#color-map').selectOption({ index: 1 });
  await masks.seeMasks();
  await masks.button('Actual Size').click();
  await masks.frame.locator('.zoom-level', { hasText: '100%' }).waitFor();
  await masks.pointAt(100, 60);
  await workbench.page.mouse.down();
  await workbench.page.mouse.up();
  await masks.measure('Centroid').getByText('100.50, 60.50').waitFor();
}
