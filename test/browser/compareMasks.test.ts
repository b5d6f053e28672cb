import * as assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tiff } from '../unit/images/tiffFixture';
import { image, index, rectangle, writeArchive } from '../unit/masks/engine/archives';
import { accessibilityFaults } from './accessibility';
import { compareFromMasks, compareInExplorer, showsOutcomes } from './comparisons';
import { TableView } from './views/tableView';
import { useWorkbench } from './useWorkbench';

const PANEL = 'truth.zip vs. found.zip';

/** A workspace with two archives, each with an image more than the other, one of the images, and a folder to save in. */
async function prepare(folder: string): Promise<void> {
  const write = async (name: string, entries: Record<string, unknown>) => {
    const archive = await writeArchive({ 'index.json': index('Nucleus', 'Cell'), ...entries });
    await copyFile(archive.path, join(folder, name));
    await archive.remove();
  };
  await write('truth.zip', {
    'a_objects.json': image('a', 80, 60, [
      rectangle(1, 2, 2, 22, 22, 'Nucleus'),
      rectangle(2, 30, 5, 60, 25, 'Cell'),
      rectangle(3, 5, 35, 25, 55, 'Nucleus'),
    ]),
    'b_objects.json': image('b', 80, 60, [rectangle(1, 5, 5, 15, 25, 'Cell')]),
    'old_objects.json': image('old', 80, 60, [rectangle(1, 5, 5, 15, 25, 'Cell')]),
  });
  await write('found.zip', {
    'a_objects.json': image('a', 80, 60, [
      rectangle(11, 3, 2, 22, 22, 'Nucleus'),
      // Two halves of A's second object.
      rectangle(12, 30, 5, 45, 25, 'Cell'),
      rectangle(13, 46, 5, 60, 25, 'Cell'),
      rectangle(14, 60, 40, 75, 55, 'Nucleus'),
    ]),
    'b_objects.json': image('b', 80, 60, [rectangle(1, 5, 5, 15, 25, 'Cell')]),
    'new_objects.json': image('new', 80, 60, [rectangle(9, 5, 5, 15, 25, 'Cell')]),
  });
  const samples = Uint8Array.from({ length: 80 * 60 }, (_, at) => at % 200);
  await writeFile(join(folder, 'a.tif'), tiff([{ width: 80, height: 60, samples }]));
  await mkdir(join(folder, 'saved'));
}

describe('Comparing masks', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare,
    // Else the file that the first click opens is selected alone, once it is open.
    settings: { 'explorer.autoReveal': false },
  });
  const page = async () => await suite.workbench.panel(PANEL);

  it('opens two archives that are selected in the Explorer, and asks which one is the reference', async () => {
    const { workbench } = suite;
    const panel = await compareInExplorer(workbench, 'truth.zip', 'found.zip');
    await panel.locator('.threshold-value', { hasText: 'IoU ≥ 0.50, F1 0.667' }).waitFor();
    await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 2, Split 1, Merged 0');
    await workbench.screenshot('compare-open');
    assert.deepEqual(await accessibilityFaults(panel, 'color-contrast'), []);
  });

  it('goes through the objects of a list by a key, and hides a side by another', async () => {
    const panel = await page();
    await panel.getByRole('button', { name: /^Only B/ }).click();
    await panel.locator('body').press('n');
    await panel.locator('.object-facts').getByText('B 13').waitFor();
    await panel.locator('body').press('n');
    await panel.locator('.object-facts').getByText('B 14').waitFor();
    await panel.locator('body').press('a');
    assert.equal(await panel.getByRole('checkbox', { name: 'Show A (A)' }).isChecked(), false);
    await panel.locator('body').press('a');
  });

  it('shows the image beneath once it is said which one it is, and hides it by a key', async () => {
    const { workbench } = suite;
    const panel = await page();
    await panel.getByRole('button', { name: 'Use as Background' }).click();
    await panel.getByText('a.tif: Selected by you').waitFor();
    await workbench.screenshot('compare-image');
    await panel.locator('body').press('i');
    await panel.getByText('a.tif: Selected by you').waitFor({ state: 'detached' });
    await panel.locator('body').press('i');
    await panel.getByText('a.tif: Selected by you').waitFor();
  });

  it('counts again at another threshold', async () => {
    const panel = await page();
    const slider = panel.getByRole('slider');
    await slider.focus();
    await slider.press('End');
    await panel.locator('.threshold-value', { hasText: /^IoU ≥ 0\.95/ }).waitFor();
    await panel.getByRole('button', { name: 'Matched 1' }).waitFor();
    await slider.press('Home');
    await panel.getByRole('button', { name: 'Matched 2' }).waitFor();
  });

  it('pairs images by hand, keeps that over a reload as what is compared, and undoes it', async () => {
    const { workbench } = suite;
    let panel = await page();
    await panel.getByLabel('Partner of old.tif in B').selectOption('new.tif');
    await panel.getByText('Paired by You').waitFor();
    await panel.getByText('1 of 3').waitFor();
    await panel.getByLabel('Classes').selectOption('each');
    await panel.getByLabel('Class of B for "Nucleus"').selectOption('None');
    await panel.getByText('Mean over 3 classes').waitFor();
    await workbench.reloadWindow();
    panel = await page();
    await panel.getByText('Paired by You').waitFor();
    assert.equal(await panel.getByLabel('Class of B for "Nucleus"').inputValue(), '-1');
    await panel.getByRole('button', { name: 'Undo Pairing' }).click();
    await panel.getByText('1 of 2').waitFor();
    await panel.getByLabel('Classes').selectOption('all');
    await panel.getByRole('button', { name: 'Matched 2' }).waitFor();
  });

  it('saves scores and pairs into a folder', async () => {
    const { quickInput } = suite.workbench;
    const panel = await page();
    const saved = join(suite.folder, 'saved');
    await panel.getByRole('button', { name: 'Save Comparison…' }).click();
    await quickInput.selectFolder(saved, 'Save Comparison Here');
    await panel.getByText('Saved saved').waitFor({ state: 'attached' });
    assert.deepEqual((await readdir(saved)).sort(), [
      'truth vs found-classes.csv',
      'truth vs found-images.csv',
      'truth vs found-pairs.csv',
      'truth vs found-thresholds.csv',
      'truth vs found.json',
    ]);
    const pairs = await readFile(join(saved, 'truth vs found-pairs.csv'), 'utf8');
    assert.match(pairs, /^Image,Outcome,A ID,B ID/);
  });

  const pairsTable = async () => new TableView(await suite.workbench.panel(`Pairs of ${PANEL}`));

  it('opens pairs as a table, in which the row is marked of what is selected here, and the other way round', async () => {
    const { workbench } = suite;
    const panel = await page();
    await panel.getByRole('button', { name: 'Pairs Table' }).click();
    const table = await pairsTable();
    await table.showsRows('6 rows');
    await table.reads(5, 0, 'b.tif');
    await table.cell(5, 0).click();
    await panel.getByRole('heading', { name: 'b.tif' }).waitFor();
    await panel.locator('.object-facts').getByText('A 1').waitFor();
    await table.cell(0, 1).click();
    await panel.getByRole('heading', { name: 'a.tif' }).waitFor();
    await panel.locator('.object-facts').getByText('B 11').waitFor();
    await panel.getByRole('button', { name: /^Only B/ }).click();
    await panel.locator('body').press('n');
    await panel.getByRole('status').getByText('B 13, Only B').waitFor({ state: 'attached' });
    await table.row(3, 'selected').waitFor();
    await table.reads(3, 3, '13');
    await workbench.screenshot('compare-pairs');
  });

  it('shows only what the filters of that table let through', async () => {
    const { workbench } = suite;
    const panel = await page();
    const table = await pairsTable();
    const filter = await table.openFilter(1);
    await filter.getByRole('checkbox', { name: /matched/ }).check();
    await table.showsRows('3 of 6 rows');
    await table.closeWindow();
    await panel.getByText('3 of 6 rows').waitFor();
    await showsOutcomes(panel, 'Matched 2, Only A 0, Only B 0, Split 1, Merged 0');
    await workbench.screenshot('compare-filtered');
  });

  it('has its table follow the threshold, and come back after a reload', async () => {
    const { workbench } = suite;
    let panel = await page();
    await panel.getByRole('slider').press('End');
    await panel.getByRole('button', { name: 'Matched 1' }).waitFor();
    // The page of the table is another one then; its filter is kept.
    await panel.getByText('2 of 7 rows').waitFor();
    await (await pairsTable()).showsRows('2 of 7 rows');
    await workbench.reloadWindow();
    panel = await page();
    await panel.getByText('2 of 7 rows').waitFor();
    const table = await pairsTable();
    await table.showsRows('2 of 7 rows');
    await table.cell(1, 0).click();
    await panel.getByRole('heading', { name: 'b.tif' }).waitFor();
    await workbench.closeTab(/^truth\.zip vs/);
    await table.button('Show Comparison').click();
    panel = await page();
    await panel.locator('.threshold-value', { hasText: /^IoU ≥ 0\.95/ }).waitFor();
    await workbench.closeTab(`Pairs of ${PANEL}`);
    await panel.getByText('2 of 7 rows').waitFor({ state: 'detached' });
    await workbench.closeTab(/^truth\.zip vs/);
  });

  it('starts at a button above masks, and selects these in it', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await compareFromMasks(workbench, 'found.zip', 'File…');
    await quickInput.selectFile(join(suite.folder, 'truth.zip'), 'Compare');
    // Not the file of that name, which is listed before.
    await quickInput.titled('Compare Masks');
    await quickInput.choose('truth.zip');
    const panel = await page();
    await panel.getByRole('button', { name: /^Matched [1-9]/ }).click();
    await panel.locator('body').press('n');
    await panel.locator('.object-facts').getByText('B 11').waitFor();
    await workbench.editorTab('Masks of found.zip').click();
    await (
      await workbench.panel('Masks of found.zip')
    )
      .locator('.section.object', { hasText: '11' })
      .waitFor();
  });
});
