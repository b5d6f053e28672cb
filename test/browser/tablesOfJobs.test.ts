import * as assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { accessibilityFaults } from './accessibility';
import { requestsSettled } from './services/pendingRequests';
import { MasksView } from './views/masksView';
import { placeSampleImages, sampleServiceOf, slowDown, writeSampleImages } from './sampleFiles';
import { TableView } from './views/tableView';
import { useWorkbench } from './useWorkbench';
import { isOldest } from './workbench';

/**
 * The first column names the image, which is the same in all rows and therefore not in the grid.
 */
const ID = 1;
const JOINED = /^Objects of (Beads, Nuclei|Nuclei, Beads)$/;

describe('Tables of jobs', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: async folder => {
      await writeSampleImages(folder, ['nuclei.png', 'beads-two-sizes.png']);
      await placeSampleImages(folder);
    },
    settings: { 'imageAnalysis.jobs.pollingInterval': 1 },
    // As `npm start` sets it.
    environment: { IMAGE_ANALYSIS_START_SAMPLE: '1' },
  });
  const dataFolder = () => join(suite.folder, '..', 'host');
  const tableOf = async (title: string | RegExp) => new TableView(await suite.workbench.panel(title));
  const masksOf = async () =>
    new MasksView(suite.workbench.page, await suite.workbench.panel('Masks of Beads'));
  /** Rows that the status line counts: those shown, and all. */
  const rowsOf = async (table: TableView) => {
    const words = await table.frame.locator('.status-item.rows').innerText();
    const [shown = NaN, all = shown] = (words.match(/[\d,]+/g) ?? []).map(each =>
      Number(each.replaceAll(',', '')),
    );
    return { shown, all };
  };
  const openWalkthrough = async () => {
    const { workbench } = suite;
    await workbench.runCommand('Welcome: Open Walkthrough');
    await workbench.quickInput.type('Get Started with Image Analysis');
    await workbench.quickInput.option('Get Started with Image Analysis').click();
  };
  let beads = 0;
  let nuclei = 0;

  const analyze = async (file: string, job: string) => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.explorerMenu([file], 'Analyze…');
    await quickInput.widget.locator('.monaco-list-row', { hasText: 'two classes by size' }).click();
    // Without masks from the first job on, which is remembered.
    if (job === 'Nuclei') await quickInput.toggle('Also Generate Masks', true).click();
    await quickInput.toggle('Also Generate Masks', false).waitFor();
    await quickInput.enter(job);
    const table = await tableOf(`Objects of ${job}`);
    await table.showsRows(/^[\d,]+ rows$/);
    await table.cell(0, ID).waitFor();
    const { all } = await rowsOf(table);
    await workbench.closeTab(`Objects of ${job}`);
    return all;
  };

  it('are introduced by the walkthrough of `npm start`, beside the views of the sample service', async () => {
    const { workbench } = suite;
    await workbench.tree('Files').waitForItem('Sample images');
    const steps = workbench.page.locator('.getting-started-step');
    await steps.first().waitFor();
    // In the first session of VS Code 1.110, its own one takes the place of one that it doesn't
    // know yet.
    if (isOldest) await openWalkthrough();
    await steps.filter({ hasText: 'Analyze a sample image' }).waitFor();
    assert.deepEqual(await steps.locator('.step-title').allInnerTexts(), [
      'Analyze a sample image',
      'Open its masks',
      'Filter by the table',
      'Make a population',
      'Export the masks',
      'Compare conditions',
    ]);
    const image = await workbench.page.locator('.getting-started-media img').first().elementHandle();
    await workbench.page.waitForFunction(
      shown => shown instanceof HTMLImageElement && shown.naturalWidth > 0,
      image,
    );
    await workbench.screenshot('walkthrough');
    await workbench.page.getByRole('button', { name: 'Analyze Sample Image' }).click();
    await workbench.quickInput.widget.getByText('two classes by size').first().waitFor();
    await workbench.quickInput.escape();
    await workbench.quickInput.closed();
    // It goes by itself, some time after what it tells of, and was there only if that took long.
    await workbench.notification('Checking images').waitFor({ state: 'detached' });
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.closeTab(/Welcome|Get Started|Walkthrough/);
  });

  it('open by themselves at the end of each job', async () => {
    await sampleServiceOf(dataFolder());
    await slowDown(dataFolder(), 0);
    nuclei = await analyze('nuclei.png', 'Nuclei');
    beads = await analyze('beads-two-sizes.png', 'Beads');
    assert.ok(nuclei > 10 && beads > 10);
  });

  it('have files that are found by name in all folders', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    const files = workbench.tree('Files');
    await files.titleAction('Filter Files');
    await workbench.quickInput.titled('Filter Files');
    await workbench.quickInput.enter('SMEAR');
    await files.waitForItem('blood-smear.png');
    await files.root.getByText(/^1 of \d+ files and folders match "SMEAR"\.$/).waitFor();
    await workbench.screenshot('files-filtered');
    await files.titleAction('Clear Filter');
    await files.waitForItem('nuclei.png');
  });

  it('open by a click on the job, which can be renamed', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.openContainer('Image Analysis');
    const jobs = workbench.tree('Jobs');
    const row = jobs.item('Nuclei, done');
    await row.getByText(`${nuclei.toLocaleString('en')} objects · 1 item · `).waitFor();
    await row.click();
    await (await tableOf('Objects of Nuclei')).showsRows(/^[\d,]+ rows$/);
    // A row of the table, not of masks: nothing was generated.
    assert.equal(await workbench.dialog.count(), 0);
    await jobs.menu('Nuclei', 'Rename…');
    await quickInput.titled('Rename Job');
    await quickInput.enter('Plate 7');
    await workbench.editorTab('Objects of Plate 7').waitFor();
    await jobs.waitForItem('Plate 7');
    await workbench.screenshot('jobs-00-renamed');
    await jobs.menu('Plate 7', 'Rename…');
    await quickInput.titled('Rename Job');
    await quickInput.enter('');
    await jobs.waitForItem('Nuclei');
    await workbench.editorTab('Objects of Nuclei').waitFor();
  });

  it('open as one, with a column that names the job, when several are selected in the tree', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Jobs').menuOfSeveral(['Nuclei', 'Beads'], 'Open Objects Table');
    const table = await tableOf(JOINED);
    await table.showsRows(`${(nuclei + beads).toLocaleString('en')} rows`);
    assert.equal(await table.header(0).locator('.header-name').innerText(), 'Job');
    await table.header(0).locator('.header-name').click();
    await table.frame.getByText('Sorted by Job, ascending').first().waitFor();
    await table.reads(0, 0, 'Beads');
    await table.header(0).locator('.header-name').click();
    await table.frame.getByText('Sorted by Job, descending').first().waitFor();
    await table.reads(0, 0, 'Nuclei');
    const filter = await table.openFilter(0);
    await filter.getByRole('checkbox', { name: /Beads/ }).press('Space');
    await table.showsRows(`${beads} of ${(nuclei + beads).toLocaleString('en')} rows`);
    await table.closeWindow();
    await table.reads(0, 0, 'Beads');
    // The objects of several jobs have no masks in common.
    assert.equal(await table.button('Show Masks').count(), 0);
    await workbench.screenshot('jobs-01-joined');
  });

  it('are restored as one table after the window is reloaded', async () => {
    const { workbench } = suite;
    await workbench.reloadWindow();
    const table = await tableOf(JOINED);
    await table.showsRows(`${beads} of ${(nuclei + beads).toLocaleString('en')} rows`);
    await table.frame.getByText('Sorted by Job, descending').first().waitFor();
    await table.reads(0, 0, 'Beads');
    await workbench.closeTab(JOINED);
  });

  it('stand beside their masks and mark the object of the row under the pointer', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Jobs').menu('Beads', 'Open Objects Table');
    const table = await tableOf('Objects of Beads');
    await table.cell(0, ID).waitFor();
    await table.button('Show Masks').click();
    await workbench.clickInDialog('Generate Masks');
    const masks = await masksOf();
    await masks.section('Background image').getByText('px,').waitFor();
    await table.frame.locator('.status-item.link', { hasText: 'rows linked to masks' }).click();
    await table.frame.getByRole('dialog', { name: 'How rows and objects are linked' }).waitFor();
    assert.deepEqual(await accessibilityFaults(table.frame), []);
    await workbench.screenshot('jobs-02-link');
    // The focus goes to another editor.
    await masks.canvas.focus();
    await table.frame.locator('.popover').waitFor({ state: 'detached' });
    assert.equal(await masks.frame.evaluate(() => document.hasFocus()), true);
    await table.cell(2, ID).hover();
    await table.row(2, 'hovered').waitFor();
    await masks.measure('Table row').getByText('3', { exact: true }).waitFor();
    await table.cell(5, ID).hover();
    await masks.measure('Table row').getByText('6', { exact: true }).waitFor();
  });

  it('mark the row of the object under the pointer, and select that of the one clicked', async () => {
    const table = await tableOf('Objects of Beads');
    const masks = await masksOf();
    await table.cell(3, ID).click();
    await masks.section('Object').getByText('Selected object').waitFor();
    await masks.measure('Table row').getByText('4', { exact: true }).waitFor();
    const [x = 0, y = 0] = (await masks.measure('Centroid').innerText()).split(', ').map(Number);
    await table.cell(7, ID).click();
    await masks.measure('Table row').getByText('8', { exact: true }).waitFor();
    await masks.button('Fit to Panel').click();
    await masks.pointAt(x, y);
    await table.row(3, 'hovered').waitFor();
    await suite.workbench.page.mouse.down();
    await suite.workbench.page.mouse.up();
    await table.row(3, 'selected').waitFor();
    await masks.frame.locator('body').press('Escape');
  });

  it('show the rows last selected on the masks, combined with the other filters', async () => {
    const { workbench } = suite;
    const table = await tableOf('Objects of Beads');
    const masks = await masksOf();
    const chosen = table.chip('Selected on masks');
    await masks.button('Select Objects with a Lasso').click();
    await masks.drag([0.3, 0.3], [0.7, 0.3], [0.6, 0.7], [0.3, 0.6]);
    await masks.button('Filter to Selection').click();
    await table.showsRows(` of ${beads} rows`);
    const first = await rowsOf(table);
    assert.ok(first.shown > 0 && first.shown < first.all);
    await chosen.getByText(`Selected on masks: ${first.shown} rows`, { exact: true }).waitFor();
    await requestsSettled(table.frame);
    await workbench.screenshot('jobs-03-chosen');
    await masks.frame.getByText(`${first.shown} of ${beads} objects shown`).waitFor();
    // Selected among the rows still shown.
    await masks.button('Select Objects with a Lasso').click();
    await masks.drag([0.3, 0.28], [0.43, 0.28], [0.43, 0.62], [0.3, 0.62]);
    await masks.button('Filter to Selection').click();
    await masks.frame.getByText(new RegExp(`^(?!${first.shown} )\\d+ of ${beads} objects shown`)).waitFor();
    await table.showsRows(new RegExp(`^(?!${first.shown} )\\d+ of ${beads} rows`));
    const second = await rowsOf(table);
    assert.ok(second.shown > 1 && second.shown < first.shown);
    await chosen.getByText(`Selected on masks: ${second.shown} rows`, { exact: true }).waitFor();
    assert.equal(await chosen.count(), 1);

    const filter = await table.openFilter(2);
    await filter.getByRole('checkbox', { name: /Small/ }).press('Space');
    await table.showsRows(new RegExp(`^(?!${second.shown} )\\d+ of `));
    await table.closeWindow();
    const both = await rowsOf(table);
    assert.ok(both.shown > 0 && both.shown < second.shown);
    await chosen.getByRole('button').last().click();
    await chosen.waitFor({ state: 'detached' });
    await table.showsRows(new RegExp(`^(?!${both.shown} )\\d+ of `));
    assert.ok((await rowsOf(table)).shown > both.shown);
    await table.frame.locator('.chip').getByRole('button').last().click();
    await table.showsRows(`${beads} rows`);
  });

  it('have masks that are compared with no job of other images, which says why', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await (await masksOf()).button('Compare Masks…').click();
    await quickInput.titled('Compare Masks');
    await quickInput.choose('Job…');
    const other = quickInput.option('Nuclei');
    await other.getByText('No images in common.').waitFor();
    assert.equal(await quickInput.option('Beads').count(), 0);
    await workbench.screenshot('jobs-03-refused');
    await other.click();
    // It stays open, and says so in the place of what is typed.
    await quickInput.widget.getByPlaceholder(/^No images in common\. To pair them yourself/).waitFor();
    await quickInput.escape();
    await quickInput.closed();
  });

  it('open in the group beside the masks where there is one', async () => {
    const { workbench } = suite;
    const { page } = workbench;
    await workbench.runCommand('View: Focus First Editor Group');
    await workbench.openContainer('Explorer');
    await workbench.explorer.item('nuclei.png').click();
    await workbench.editorTab('nuclei.png').waitFor();
    await workbench.closeTab('Objects of Beads');
    const masks = await masksOf();
    await masks.button('Show Table').click();
    await (await tableOf('Objects of Beads')).showsRows(`${beads} rows`);
    const groups = page.locator('.editor-group-container');
    assert.equal(await groups.count(), 2);
    await groups.first().getByRole('tab', { name: 'Objects of Beads' }).waitFor();
    await workbench.screenshot('jobs-04-beside-masks');
  });

  it('complete a step of the walkthrough with their masks, however these open', async () => {
    const { workbench } = suite;
    await openWalkthrough();
    const step = workbench.page.locator('.getting-started-step', { hasText: 'Open its masks' });
    await step.getByRole('checkbox', { checked: false }).waitFor();
    await workbench.closeTab('Masks of Beads');
    await workbench.editorTab('Objects of Beads').click();
    await (await tableOf('Objects of Beads')).button('Show Masks').click();
    await masksOf();
    await workbench.editorTab(/Welcome|Get Started|Walkthrough/).click();
    await step.getByRole('checkbox', { checked: true }).waitFor();
    await workbench.screenshot('walkthrough-masks-done');
  });

  it('lead from the walkthrough to compared conditions with four clicks at most', async () => {
    const { workbench } = suite;
    await slowDown(dataFolder(), 0);
    await workbench.closeTab('Masks of Beads');
    await openWalkthrough();
    const step = workbench.page.locator('.getting-started-step', { hasText: 'Compare conditions' });
    await step.click();
    let clicks = 0;
    const click = async (button: Locator) => {
      clicks++;
      await button.click();
    };
    await click(step.getByRole('button', { name: 'Analyze Sample Study' }));
    const table = await tableOf('Objects of Sample study');
    await table.showsRows(/^[45]\d\d rows$/);
    // The table is beside the instructions, and the step isn't done by a click.
    await step.getByRole('checkbox', { checked: false }).waitFor();
    await click(table.button('Compare Conditions'));
    await table.frame.getByText('Compare control and treated').waitFor();
    await click(table.frame.getByRole('button', { name: 'Compare', exact: true }));
    await table.frame.locator('.compare-plot svg, .compare-plot canvas').first().waitFor();
    await workbench.screenshot('jobs-05-study');
    await click(table.button('Yes, Pair Them'));
    await table.frame
      .getByText(
        /^Area is [\d.]+ px² \(\d+ %\) larger in treated \(95 % CI .*; paired t test, n = 3, p = 0\.00\d+\)\.$/,
      )
      .waitFor();
    const caption = table.frame.locator('.compare-caption');
    // The area differs, by the means of donors.
    await caption.getByText(/Paired t test of 3 pairs.* p = 0\.00\d/).waitFor();
    await workbench.screenshot('jobs-06-compared');
    // The figure goes to a place of one's own, and success is told once.
    const { quickInput } = workbench;
    const { folder } = suite;
    await table.frame.getByRole('button', { name: 'Save', exact: true }).click();
    await table.frame.getByRole('menuitem', { name: 'Save as PNG' }).click();
    await quickInput.titled('Save Figure');
    const proposed = await quickInput.widget.locator('input.input').first().inputValue();
    assert.ok(!proposed.startsWith(folder), proposed);
    await quickInput.namePlace('Area_px2_by_Condition.png', join(folder, 'figure.png'), 'nuclei.png');
    const told = workbench.page.locator('.notification-list-item', { hasText: 'Saved figure.png.' });
    await told.waitFor();
    await told.getByRole('button', { name: 'Reveal' }).waitFor();
    const png = await readFile(join(folder, 'figure.png'));
    // Two columns of a journal, 180 mm at 300 dpi.
    assert.equal(png.readUInt32BE(16), 2126);
    assert.equal(await table.frame.locator('.notice:visible').count(), 0);
    await told.hover();
    await told.getByRole('button', { name: /^Clear Notification/ }).click();
    assert.ok(clicks <= 4, `${clicks} clicks`);
    // The brightness doesn't.
    await table.frame.getByLabel('Measure', { exact: true }).selectOption('Mean Intensity');
    await caption.getByText(/Paired t test of 3 pairs.* p = 0\.[2-9]/).waitFor();
    await workbench.screenshot('jobs-07-brightness');
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.closeTab('Objects of Sample study');
    await step.getByRole('checkbox', { checked: true }).waitFor();
  });

  it('have image columns joined from a sample sheet, and saved as one that gives the same again', async () => {
    const { workbench, folder } = suite;
    const { quickInput } = workbench;
    const [control, treated] = ['control/donor1_s1.png', 'treated/donor1_s1.png'] as const;
    const drugs = `Image,Drug,Passage\n${control},-Dox,007\n${treated},+IL2,=1+1\nother.png,x,1\n`;
    await writeFile(join(folder, 'drugs.csv'), drugs);
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Jobs').menu('Sample study', 'Open Objects Table');
    const table = await tableOf('Objects of Sample study');
    await table.showsRows(/^[45]\d\d rows$/);
    await table.button('Image Columns').click();
    const joinSheet = async (name: string) => {
      await table.button('Join Sample Sheet…').click();
      await quickInput.titled('Join Sample Sheet');
      await quickInput.selectFile(join(folder, name), 'Join');
      await table.frame.getByText(`Sample sheet ${name}`).waitFor();
    };
    const row = (image: string) =>
      table.frame.locator('.image-row', { has: table.frame.locator(`.image-name[title$="${image}"]`) });
    // Behind folder, donor and site.
    const reads = async (image: string, ...words: string[]) => {
      for (const [at, text] of words.entries())
        await row(image)
          .locator('.image-cell')
          .nth(3 + at)
          .and(table.frame.getByTitle(text, { exact: true }))
          .waitFor();
    };
    const excluded = table.frame.getByText('1 excluded');

    await joinSheet('drugs.csv');
    await table.frame.getByText('1 row is left out').waitFor();
    await workbench.screenshot('jobs-08-sheet');
    await table.button('Join').click();
    await reads(control, '-Dox', '007');
    await reads(treated, '+IL2', '=1+1');

    await row(treated).locator('.image-name').click();
    await table.button('Exclude Image…').click();
    await table.frame.getByLabel('Reason').fill('Out of focus');
    await workbench.page.keyboard.press('Enter');
    await reads(treated, '+IL2', '=1+1', 'Out of focus');
    await table.frame.getByRole('grid', { name: 'Image Columns' }).focus();
    await workbench.page.keyboard.press('Control+z');
    await excluded.waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Control+Shift+z');
    await excluded.waitFor();
    await workbench.screenshot('jobs-09-excluded');

    await table.button('Save Sample Sheet…').click();
    await quickInput.namePlace('Sample_study-sample-sheet.csv', join(folder, 'saved.csv'));
    await table.notice('24 images saved as saved.csv').waitFor();
    const saved = await readFile(join(folder, 'saved.csv'), 'utf8');
    const [header = '', ...lines] = saved.trimEnd().split(/\r?\n/);
    assert.match(header, /^Image,Condition,Donor,Site,Drug,Passage,ExcludedBecause$/);
    assert.equal(lines.length, 24);
    assert.ok(lines.some(line => line.includes(control) && line.endsWith(',-Dox,007,')));
    assert.ok(lines.some(line => line.includes(treated) && line.endsWith(',+IL2,=1+1,Out of focus')));

    for (const name of ['Drug', 'Passage']) {
      await table.frame.locator('button.image-column', { hasText: name }).click();
      await table.button('Delete Column').click();
    }
    await row(treated).locator('.image-name').click();
    await table.button('Include Image').click();
    await excluded.waitFor({ state: 'detached' });
    await joinSheet('saved.csv');
    await table.button('Join').click();
    await reads(control, '-Dox', '007');
    await reads(treated, '+IL2', '=1+1', 'Out of focus');
    await table.button('Back to Table').click();
    // It is one of the last columns.
    await table.cell(0, 0).click();
    await workbench.page.keyboard.press('End');
    await table.frame.getByRole('columnheader', { name: /^Drug/ }).waitFor();
    await workbench.closeTab('Objects of Sample study');

    await workbench.tree('Jobs').menu('Sample study', 'Open Aggregate Table');
    const aggregate = await tableOf('Aggregate of Sample study');
    // Of each image, and of each of the two folders.
    await aggregate.showsRows('26 rows');
    await aggregate.button('Columns').click();
    await aggregate.frame.getByRole('checkbox', { name: 'Drug' }).waitFor();
    await aggregate.closeWindow();
    await aggregate.button('Image Columns').click();
    await aggregate.frame.getByText('24 images').waitFor();
    await workbench.screenshot('jobs-10-aggregate');
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.closeTab('Aggregate of Sample study');
  });

  it('are in a second browser too, which `npm start` signs in to the sample service by itself', async () => {
    const second = await suite.workbench.openAnother({ ownSecrets: true });
    // The container opens by itself, as in the first: a click would close it then.
    await second.tree('Jobs').waitForItem('Beads, done');
    await second.page.close();
  });

  it('leave the workspace as it is where the sample images are opened', async () => {
    const { page } = suite.workbench;
    const opening = page.context().waitForEvent('page');
    await suite.workbench.runCommand('Image Analysis: Open Sample Images');
    const other = await opening;
    assert.match(new URL(other.url()).searchParams.get('folder') ?? '', /sample\/images$/);
    await other.close();
    assert.match(new URL(page.url()).searchParams.get('folder') ?? '', /workspace$/);
  });

  it('have image columns that signing out offers to save first', async () => {
    const { workbench, folder } = suite;
    const { dialog, quickInput } = workbench;
    const warning = dialog.getByText(
      'The image columns of 1 result, such as conditions and donors, are removed too.',
    );
    await workbench.runCommand('Image Analysis: Sign Out');
    await warning.waitFor();
    await workbench.screenshot('jobs-11-sign-out');
    // Whoever saves nothing is asked again.
    await workbench.clickInDialog('Save Sample Sheet…');
    await quickInput.widget.waitFor();
    await quickInput.escape();
    await warning.waitFor();
    await workbench.clickInDialog('Save Sample Sheet…');
    await quickInput.namePlace('Sample_study-sample-sheet.csv', join(folder, 'kept.csv'));
    await dialog.getByText('This removes the API key').waitFor();
    assert.equal(await warning.count(), 0);
    const kept = await readFile(join(folder, 'kept.csv'), 'utf8');
    assert.match(kept, /control\/donor1_s1\.png,.*,-Dox,007,\n/);
    assert.match(kept, /treated\/donor1_s1\.png,.*,\+IL2,=1\+1,Out of focus\n/);
    await workbench.clickInDialog('Sign Out');
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Files').root.getByText('Sign in with the address').waitFor();
  });
});
