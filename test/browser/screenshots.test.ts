import { join } from 'node:path';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';
import { sampleServiceOf, slowDown, writeSampleImages } from './sampleFiles';
import { inThemes, useWorkbench } from './useWorkbench';

/**
 * Takes the screenshots of the README, the guide and the walkthrough, in a window as small as they
 * are shown. Only `npm run screenshots` defines these tests: what they go through is tested
 * elsewhere.
 */
if (process.env['IA_SCREENSHOTS'])
  inThemes(['light', 'dark'], 'The screenshots', theme => {
    const suite = useWorkbench({
      theme,
      prepare: async folder => {
        await writeSampleImages(folder, ['nuclei.png', 'nuclei-dim-16-bit.tif', 'beads-two-sizes.png']);
      },
      settings: { 'imageAnalysis.jobs.pollingInterval': 1, 'workbench.startupEditor': 'none' },
    });
    /** The frames of the moving picture, numbered. */
    let frames = 0;
    const frame = (what = '') =>
      suite.workbench.screenshot(`moving-${String(frames++).padStart(2, '0')}${what}`);
    const masksOf = async () =>
      new MasksView(suite.workbench.page, await suite.workbench.panel(/^Masks of nuclei-dim/));
    const tableOf = async () => new TableView(await suite.workbench.panel(/^Objects of nuclei-dim/));

    const beads = async () =>
      new MasksView(suite.workbench.page, await suite.workbench.panel(/^Masks of beads/));

    it('begin in a window with images and an account', async () => {
      const { workbench } = suite;
      await workbench.page.setViewportSize({ width: 1200, height: 750 });
      await workbench.openContainer('Image Analysis');
      await workbench.tree('Files').welcome('Try the sample service');
      await workbench.tree('Files').waitForItem('Sample images');
      await workbench.clearNotifications();
      await sampleServiceOf(join(suite.folder, '..', 'host'));
      await workbench.openContainer('Explorer');
      await workbench.explorer.waitForItem('nuclei.png');
    });

    it('show an image', async () => {
      const { workbench } = suite;
      await workbench.explorer.item('nuclei-dim-16-bit.tif').dblclick();
      // VS Code gives the frame of an editor of files no title.
      const image = new MasksView(workbench.page, await workbench.panel(/./));
      await image.frame.locator('canvas.masks-canvas').waitFor();
      await image.painted();
      await image.frame.locator('body').hover({ position: { x: 300, y: 400 } });
      await image.painted();
      await workbench.screenshot('image');
      await frame();
    });

    it('show how it is analyzed', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      await workbench.explorer.item('nuclei-dim-16-bit.tif').click({ button: 'right' });
      const entry = workbench.page.locator('.monaco-menu').getByRole('menuitem', { name: 'Analyze…' });
      await entry.hover();
      await frame();
      await workbench.chooseInMenu('Analyze…');
      await quickInput.option('Bright objects').waitFor();
      await workbench.screenshot('pipelines');
      await frame();
      await quickInput.option('Bright objects').click();
      await quickInput.toggle('Also Generate Masks', true).waitFor();
      await workbench.screenshot('name');
      await frame();
      await slowDown(join(suite.folder, '..', 'host'), 60_000);
      await quickInput.accept();
      await workbench.statusBarItem(/1 job \d+%/).waitFor();
      await frame();
      await slowDown(join(suite.folder, '..', 'host'), 0);
    });

    it('show its masks beside it, and alone', async () => {
      const { workbench } = suite;
      const masks = await masksOf();
      await masks.section('Background image').getByText('px,').waitFor();
      await masks.seeMasks();
      await masks.painted();
      await workbench.statusBarItem(/done|job/).waitFor({ state: 'hidden' });
      await workbench.screenshot('image-and-masks');
      await frame();
      await workbench.closeTab('nuclei-dim-16-bit.tif');
      await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
      const alone = await masksOf();
      await alone.button('Fit to Panel').click();
      await alone.pointAt(295, 275);
      await alone.seeMasks();
      await alone.painted();
      await workbench.screenshot('masks');
      await frame();
    });

    it('show the table beside them, and filter both', async () => {
      const { workbench } = suite;
      const { page } = workbench;
      await (await masksOf()).button('Show Table').click();
      const table = await tableOf();
      await table.showsRows(/^[\d,]+ rows$/);
      const area = table.frame.getByRole('columnheader', { name: /^Area/ });
      await area.waitFor();
      const masks = await masksOf();
      await table.frame
        .getByText(/rows linked to masks/)
        .first()
        .waitFor();
      await masks.button('Hide Details').click();
      await table.cell(5, 1).click();
      await table.frame.getByText('Row 6 selected').waitFor();
      await masks.painted();
      await workbench.screenshot('masks-and-table');
      await frame();
      await area.locator('.range-brush').hover();
      const histogram = await area.locator('.range-brush').boundingBox();
      if (!histogram) throw new Error('The column has no histogram');
      const at = (share: number) =>
        [histogram.x + share * histogram.width, histogram.y + histogram.height / 2] as const;
      await page.mouse.move(...at(0.97));
      await page.mouse.down();
      for (let share = 0.9; share > 0.45; share -= 0.09) {
        await page.mouse.move(...at(share), { steps: 3 });
        await masks.painted();
        await frame('-drag');
      }
      await page.mouse.up();
      await table.showsRows(/ of /);
      await masks.painted();
      await workbench.screenshot('filter');
      await frame();
    });

    it('show a population of objects', async () => {
      const table = await tableOf();
      await table.button('Populations').click();
      await table.button('New Population from Filters…').click();
      await table.frame.getByLabel('Name of the population').fill('Large');
      await table.frame.page().keyboard.press('Enter');
      await table.frame.getByRole('treeitem', { name: 'Large', selected: true }).waitFor();
      await suite.workbench.screenshot('populations');
      await table.button('Close Populations').click();
    });

    it('show the formats to export to', async () => {
      const { workbench } = suite;
      await (await masksOf()).button('Export').click();
      await workbench.quickInput.option('COCO JSON').waitFor();
      await workbench.screenshot('export');
      await workbench.quickInput.escape();
    });

    it('show the views while a job runs', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      for (const name of [/^Masks of nuclei-dim/, /^Objects of nuclei-dim/]) await workbench.closeTab(name);
      await slowDown(join(suite.folder, '..', 'host'), 60_000);
      await workbench.openContainer('Explorer');
      await workbench.explorerMenu(['beads-two-sizes.png'], 'Analyze…');
      await quickInput.widget.locator('.monaco-list-row', { hasText: 'two classes by size' }).click();
      await quickInput.toggle('Also Generate Masks', true).waitFor();
      await quickInput.accept();
      await workbench.openContainer('Image Analysis');
      const jobs = workbench.tree('Jobs');
      await jobs.waitForItem('beads-two-sizes');
      await jobs.expand('nuclei-dim-16-bit');
      await workbench.statusBarItem(/1 job [1-9]\d*%/).waitFor();
      await workbench.screenshot('views');
      await slowDown(join(suite.folder, '..', 'host'), 0);
      await workbench.closeTab('beads-two-sizes.png');
    });

    it('show several objects that are selected', async () => {
      const { workbench } = suite;
      const masks = await beads();
      await masks.section('Background image').getByText('px,').waitFor();
      await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
      const alone = await beads();
      await alone.button('Fit to Panel').click();
      await alone.canvas.press('r');
      await alone.drag([0.35, 0.2], [0.65, 0.6]);
      await alone.section('Selected objects').getByText('objects selected').waitFor();
      await alone.seeMasks();
      await alone.painted();
      await workbench.screenshot('selection');
      await alone.button('Show Table').click();
      // What plots leave out is gray.
      const table = await workbench.panel(/^Objects of beads/);
      await (await beads()).button('Filter to Selection').click();
      await table.locator('.chip', { hasText: /rows/ }).waitFor();
    });

    it('show plots, groups and the statistics of a column', async () => {
      const { workbench } = suite;
      const panel = await workbench.panel(/^Objects of beads/);
      const table = new TableView(panel);
      await table.showsRows(/rows$/);
      await workbench.closeTab(/^Masks of beads/);
      await table.button('Plots').click();
      await panel.getByLabel('Plot type').selectOption('Scatter plot');
      await panel.getByLabel('X axis').selectOption({ label: 'Area (px²)' });
      await panel.getByLabel('Y axis').selectOption({ label: 'Perimeter (px)' });
      await panel.getByLabel('Color by').selectOption('Class');
      await panel.locator('.plot-card:not([aria-busy])').first().waitFor();
      await workbench.screenshot('plots');
      await table.button('Close Plots').click();
      await table.button('Groups').click();
      await panel.getByLabel('Group by').selectOption('Class');
      await panel.getByText('2 groups of the filtered rows.').waitFor();
      await workbench.screenshot('groups');
      await table.button('Close Groups').click();
      const area = panel.getByRole('columnheader', { name: /^Area/ });
      await area.focus();
      await area.press('Alt+ArrowDown');
      await panel.locator('.filter-menu').getByText('Median').waitFor();
      await workbench.screenshot('column');
    });

    it('show conditions compared', async () => {
      const { workbench } = suite;
      await workbench.closeTab(/^Objects of beads/);
      await workbench.runCommand('Image Analysis: Analyze Sample Study');
      const panel = await workbench.panel('Objects of Sample study');
      const table = new TableView(panel);
      await table.showsRows(/rows$/);
      await table.button('Image Columns').click();
      await table.button('Add Columns').click();
      const sheet = panel.getByRole('grid', { name: 'Image Columns' });
      await sheet.getByRole('columnheader', { name: /^Donor/ }).waitFor();
      await workbench.page.mouse.move(600, 0);
      await workbench.screenshot('image-columns');
      await table.button('Compare Conditions').click();
      await table.button('Yes, Pair Them').click();
      await panel.locator('.compare-caption').getByText('Paired t test').waitFor();
      await workbench.page.mouse.move(600, 0);
      await workbench.screenshot('compare');
    });

    it('show a plate with its controls', async () => {
      const { workbench } = suite;
      await workbench.closeTab('Objects of Sample study');
      await workbench.runCommand('Image Analysis: Analyze Sample Plate');
      const panel = await workbench.panel('Objects of Sample plate');
      const table = new TableView(panel);
      await table.showsRows(/rows$/);
      await table.button('Plates').click();
      await table.button('Use Wells of Names').click();
      await panel.locator('.plates-map .plot-stage').waitFor();
      await table.button('Negative control').click();
      await panel.getByRole('menuitemradio', { name: 'DMSO' }).click();
      await table.button('Positive control').click();
      await panel.getByRole('menuitemradio', { name: 'staurosporine' }).click();
      await panel.locator('.plates-lines td', { hasText: 'staurosporine' }).waitFor();
      await workbench.page.mouse.move(600, 0);
      await workbench.screenshot('plates');
    });
  });
