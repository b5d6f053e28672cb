import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';
import { sampleServiceOf, slowDown, writeSampleImages } from './sampleFiles';
import { inThemes, useWorkbench } from './useWorkbench';

/**
 * Takes the screenshots of the README, the guide and the walkthrough, in a window as small as they are shown. Only
 * `npm run screenshots` defines these tests: what they go through is tested elsewhere.
 */
if (process.env['IA_SCREENSHOTS'])
  inThemes(['light', 'dark'], 'The screenshots', theme => {
    const suite = useWorkbench({
      theme,
      prepare: async folder => {
        await writeSampleImages(folder, ['nuclei.png', 'nuclei-dim-16-bit.tif']);
        await copyFile(join(folder, 'nuclei.png'), join(folder, 'mine.png'));
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

    it('begin in a window with images and an account', async () => {
      const { workbench } = suite;
      await workbench.page.setViewportSize({ width: 1200, height: 750 });
      await workbench.openContainer('Image Analysis');
      await workbench.tree('Files').welcome('Try the sample service');
      await workbench.tree('Files').waitForItem('Sample images');
      await workbench.clearNotifications();
      await sampleServiceOf(join(suite.folder, '..', 'host'));
      await workbench.openContainer('Explorer');
      await workbench.explorer.waitForItem('mine.png');
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
      await slowDown(join(suite.folder, '..', 'host'), 6000);
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
      await workbench.statusBarItem(/finished|job/).waitFor({ state: 'hidden' });
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

    it('show the formats to export to', async () => {
      const { workbench } = suite;
      await (await masksOf()).button('Export').click();
      await workbench.quickInput.option('COCO JSON').waitFor();
      await workbench.screenshot('export');
      await workbench.quickInput.escape();
    });
  });
