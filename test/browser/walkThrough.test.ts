import * as assert from 'node:assert/strict';
import { copyFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_PACKAGE_BYTES } from '../../scripts/packageExtension.mjs';
import { MasksView } from './views/masksView';
import { filesContaining, holdService, sampleServiceOf, slowDown, writeSampleImages } from './sampleFiles';
import { until } from './until';
import { inThemes, useWorkbench } from './useWorkbench';

/** In milliseconds: the longest time that an image may take on the sample service. */
const MINUTE = 60_000;
const sampleImages = ['nuclei.png', 'nuclei-touching.png', 'nuclei-dim-16-bit.tif', 'beads-two-sizes.png'];

inThemes(['dark', 'light'], 'A newcomer on the sample service', theme => {
  const suite = useWorkbench({
    theme,
    prepare: async folder => {
      await writeSampleImages(join(folder, 'images'), sampleImages);
      // Not an image: the folder is reviewed.
      await writeFile(join(folder, 'images', 'notes.txt'), 'Stained with DAPI.');
      await copyFile(join(folder, 'images', 'nuclei.png'), join(folder, 'mine.png'));
    },
    settings: { 'imageAnalysis.jobs.pollingInterval': 1 },
  });
  const dataFolder = () => join(suite.folder, '..', 'host');

  it('gets a package of at most 2.8 MB', async () => {
    const { size } = await stat(process.env['IA_VSIX'] ?? '');
    assert.ok(size <= MAX_PACKAGE_BYTES, `${size} bytes`);
  });

  it('sees a README in the view of extensions whose links lead somewhere', async () => {
    const { workbench } = suite;
    await workbench.runCommand('Extensions: Show Installed Extensions');
    await workbench.page
      .locator('.extensions-viewlet .extension-list-item', { hasText: 'Image Analysis' })
      .click();
    const readme = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await readme.getByRole('heading', { name: 'Image Analysis for VS Code' }).waitFor();
    const links = readme.getByRole('link');
    const targets = await links.evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''));
    assert.ok(targets.length > 7);
    for (const target of targets) {
      if (target.startsWith('https:')) continue;
      assert.match(target, /^#/);
      // VS Code drops the anchors of headings that are called like something of every page, such as
      // "Images".
      assert.equal(await readme.locator(`[id="${target.slice(1)}"]`).count(), 1, target);
    }
    assert.equal(await readme.locator('img').count(), 0);
    await workbench.screenshot('readme');
    // The list of pages has it first; other pages link to parts of it.
    await readme.getByRole('link', { name: 'Automation' }).first().click();
    const top = () => readme.locator('#automation').evaluate(heading => heading.getBoundingClientRect().top);
    await until(async () => Math.abs(await top()) < 100);
    await workbench.screenshot('readme-automation');
    await workbench.closeTab(/^Extension: Image Analysis/);
  });

  it('sees the welcome view with two ways to sign in, and no notification', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    const welcome = workbench.page.locator('.part.sidebar .welcome-view-content');
    await welcome.first().waitFor();
    // Both are buttons to a screen reader; one of them is a link to the eye.
    assert.deepEqual(await welcome.locator('.monaco-button').allInnerTexts(), ['Sign In']);
    assert.deepEqual(await welcome.locator('.monaco-link').allInnerTexts(), ['Try the sample service']);
    for (const view of ['Pipelines', 'Jobs']) await workbench.tree(view).root.waitFor({ state: 'hidden' });
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.tree('Files').root.getByText('Sign in with the address').waitFor();
    await workbench.screenshot('01-welcome');
  });

  it('signs in to the sample service with one click', async () => {
    const { workbench } = suite;
    const files = workbench.tree('Files');
    await files.welcome('Try the sample service');
    await workbench.readNotification('Signed in to the sample service');
    await files.waitForItem('Sample images');
    await files.root.getByText('@').first().waitFor();
    await workbench.screenshot('02-signed-in');
    await workbench.clearNotifications();
  });

  it('cannot sign in with a wrong key, goes back, and leaves with Esc', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    const { baseUrl } = await sampleServiceOf(dataFolder());
    await workbench.runCommand('Image Analysis: Sign In…');
    await quickInput.titled('Sign in to an image analysis service');
    await quickInput.enter('not an address');
    await quickInput.message.getByText("This isn't an address").waitFor();
    await quickInput.enter(baseUrl);
    await quickInput.widget.getByText('API key for').waitFor();
    await quickInput.enter('not-the-key');
    await quickInput.message.getByText("doesn't accept this API key").waitFor();
    await workbench.screenshot('03-wrong-key');
    await quickInput.back();
    await quickInput.widget.getByText('Address of the service').waitFor();
    await quickInput.escape();
    await quickInput.closed();
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('sees files, pipelines and no jobs, and copies an ID', async () => {
    const { workbench } = suite;
    const files = workbench.tree('Files');
    await files.expand('Sample images');
    await files.waitForItem('blood-smear.png');
    const pipelines = workbench.tree('Pipelines');
    await pipelines.waitForItem('Bright objects');
    await workbench.tree('Jobs').root.getByText('No analysis jobs yet').waitFor();
    await workbench.screenshot('04-trees');
    await pipelines.menu('Dark objects', 'Copy ID');
    await workbench.clipboard(/^[0-9a-f]{24}$/);
  });

  it('cancels an upload, which leaves nothing behind', async () => {
    const { workbench } = suite;
    // As large as the service accepts, so that it is still being uploaded when it is canceled; a
    // sparse file on disk.
    const large = join(suite.folder, 'large.tif');
    await writeFile(large, 'II*\0');
    await truncate(large, 2 * 1024 ** 3);
    await workbench.openContainer('Explorer');
    await workbench.explorer.waitForItem('large.tif');
    await workbench.explorerMenu(['large.tif'], 'Image Analysis', 'Upload…');
    await workbench.notification('Uploading large.tif').waitFor();
    const goOn = await holdService(dataFolder());
    try {
      await workbench.clickInNotification('Uploading large.tif', 'Cancel');
    } finally {
      goOn();
    }
    await workbench.readNotification('Upload canceled');
    await workbench.clearNotifications();
    await workbench.openContainer('Image Analysis');
    assert.ok(!(await workbench.tree('Files').rows()).some(row => row.includes('large.tif')));
  });

  it('gets an error for a file that is too large before a byte is sent', async () => {
    const { workbench } = suite;
    await truncate(join(suite.folder, 'large.tif'), 2 * 1024 ** 3 + 1);
    await workbench.explorerMenu(['large.tif'], 'Image Analysis', 'Upload…');
    assert.match(await workbench.readNotification("Couldn't upload"), /larger than 2 GB/);
    await workbench.clearNotifications();
    await truncate(join(suite.folder, 'large.tif'), 0);
    await workbench.closeTab('large.tif');
  });

  it('gets from an image to its masks with four clicks', async () => {
    const { workbench } = suite;
    const { page, quickInput } = workbench;
    await slowDown(dataFolder(), 0);
    await workbench.openContainer('Explorer');

    await workbench.explorer.item('mine.png').click({ button: 'right' });
    await workbench.chooseInMenu('Analyze…');
    await quickInput.titled('Analyze mine.png');
    await quickInput.option('Bright objects').waitFor();
    await workbench.screenshot('18-pipelines-of-an-image');
    await quickInput.option('Bright objects').click();
    await quickInput.widget.getByText('generate its masks. The sample service uses no credits.').waitFor();
    await quickInput.toggle('Also Generate Masks', true).waitFor();
    await workbench.screenshot('19-name-and-masks');
    await quickInput.accept();

    const masks = new MasksView(page, await workbench.panel('Masks of mine – Bright objects'));
    await masks.section('Background image').getByText('px,').waitFor();
    await masks.seeMasks();
    await workbench.screenshot('20-masks-by-themselves');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName === 'IFRAME'), false);
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.statusBarItem(/done|job/).waitFor({ state: 'hidden' });
    await workbench.closeTab(/^Masks of/);
  });

  it('uploads and analyzes a folder: reviews the list, selects a pipeline, goes back, names the job', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    // Until the test says so, however long a reload takes.
    await slowDown(dataFolder(), MINUTE);
    await workbench.openContainer('Explorer');
    await workbench.explorer.menu('images', 'Analyze…');
    await quickInput.titled('5 files');
    await workbench.screenshot('05-folder-as-list');
    await quickInput.widget.getByRole('button', { name: 'OK' }).click();
    await quickInput.titled('Analyze images (4 images)');
    const twoClasses = quickInput.widget.locator('.monaco-list-row', { hasText: 'two classes by size' });
    await twoClasses.waitFor();
    const first = quickInput.widget.locator('.monaco-list-row').first();
    await first.getByText('last used').waitFor();
    await workbench.screenshot('06-pipelines');
    await twoClasses.click();
    await quickInput.widget.getByText('Analyze 4 images and generate their masks').waitFor();
    await quickInput.back();
    await twoClasses.click();
    await quickInput.toggle('Also Generate Masks').click();
    await quickInput.widget.getByText('Analyze 4 images, without masks').waitFor();
    await quickInput.type('First look');
    await workbench.screenshot('07-name');
    await quickInput.accept();
    await workbench.statusBarItem(/1 job \d+%/).waitFor();
  });

  it('follows the job in the status bar and the tree, also after a reload', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Jobs').waitForItem('First look');
    await workbench.statusBarItem(/1 job [1-9]\d%/).waitFor();
    await workbench.screenshot('08-running');
    await workbench.reload();
    await workbench.statusBarItem(/1 job \d+%/).waitFor();
    await slowDown(dataFolder(), 0);
    await workbench.openContainer('Image Analysis');
    await workbench.readNotification('The job "First look" is done.');
    await workbench.tree('Jobs').waitForItem('First look, done');
    await workbench.statusBarItem(/1 job/).waitFor({ state: 'hidden' });
    await workbench.screenshot('09-finished');
  });

  it('opens the objects table from the notification', async () => {
    const { workbench } = suite;
    await workbench.clickInNotificationCenter('is done', 'Open Objects Table');
    const table = await workbench.panel('Objects of First look');
    await table.getByRole('columnheader', { name: 'Area' }).waitFor();
    await table.locator('.status-item', { hasText: /[\d,]+ rows/ }).waitFor();
    await workbench.screenshot('10-objects-table');
  });

  it('opens the aggregate table from the tree', async () => {
    const { workbench } = suite;
    await workbench.tree('Jobs').menu('First look', 'Open Aggregate Table');
    const table = await workbench.panel('Aggregate of First look');
    await table.getByText('nuclei-touching.png').first().waitFor();
    await workbench.screenshot('11-aggregate-table');
    await workbench.closeTab(/Aggregate of/);
  });

  it('generates the masks after a question, and sees them as soon as they are there', async () => {
    const { workbench } = suite;
    await workbench.tree('Jobs').menu('First look', 'Open Masks');
    await workbench.dialog.getByText('Generate the masks of "First look" (4 images)?').waitFor();
    await workbench.dialog.getByText('uses no credits').waitFor();
    await workbench.screenshot('12-masks-confirmation');
    await slowDown(dataFolder(), MINUTE);
    await workbench.clickInDialog('Generate Masks');
    await workbench.notification('Generating the masks of "First look"').waitFor();
    await workbench.screenshot('21-masks-awaited');
    await slowDown(dataFolder(), 0);
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of First look'));
    await masks.section('Classes').getByText('Large').waitFor();
    await masks.section('Background image').getByText('px,').waitFor();
    await masks.seeMasks();
    await workbench.screenshot('13-masks');
  });

  it('finds the row of an object and the object of a row', async () => {
    const { workbench } = suite;
    const table = await workbench.panel('Objects of First look');
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of First look'));
    await masks.frame
      .getByText(/rows linked to masks/)
      .first()
      .waitFor();

    const cell = (row: number) => table.locator(`.ag-row[row-index="${row}"] .ag-cell[col-id="column-1"]`);
    await cell(4).click();
    await masks.section('Object').getByText('Selected object').waitFor();
    await masks.measure('Table row').getByText('5', { exact: true }).waitFor();
    await workbench.screenshot('14-object-of-a-row');

    const [x = 0, y = 0] = (await masks.measure('Centroid').innerText()).split(', ').map(Number);
    await masks.frame.locator('body').press('Escape');
    await cell(8).click();
    await masks.measure('Table row').getByText('9', { exact: true }).waitFor();
    await masks.button('Fit to Panel').click();
    await masks.pointAt(x, y);
    await table.locator('.ag-row.hovered[row-index="4"]').first().waitFor();
    // The selected object stays in the inspector; the one under the pointer is named.
    await masks.frame
      .locator('.status-line')
      .getByText(/^Object \d+, /)
      .waitFor();
    await masks.measure('Table row').getByText('9', { exact: true }).waitFor();
    await workbench.page.mouse.down();
    await workbench.page.mouse.up();
    await table.locator('.ag-row.selected[row-index="4"]').first().waitFor();
    await masks.measure('Table row').getByText('5', { exact: true }).waitFor();
    await workbench.screenshot('15-row-of-an-object');
  });

  it('shows masks of touching nuclei, and the row of the selected one', async () => {
    const { workbench } = suite;
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of First look'));
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await masks.button('Next Image').click();
    await masks.button('Next Image').click();
    await masks.frame.getByText('nuclei-touching.png').first().waitFor();
    await masks.section('Background image').getByText('nuclei-touching.png').waitFor();
    await masks.button('Fit to Panel').click();
    await masks.pointAt(593, 631);
    await workbench.page.mouse.down();
    await workbench.page.mouse.up();
    await masks.section('Object').getByText('Selected object').waitFor();
    const table = await workbench.panel('Objects of First look');
    // The row of the object is scrolled fully into view.
    await table.waitForFunction(() => {
      const row = document.querySelector('.ag-row.selected');
      if (!row) return false;
      const { left, bottom } = row.getBoundingClientRect();
      return row.contains(document.elementFromPoint(left + 10, bottom - 2));
    });
    await masks.canvas.press('+');
    await masks.canvas.press('+');
    await masks.frame.locator('.zoom-level', { hasText: /[78]\d%/ }).waitFor();
    await masks.seeMasks();
    await workbench.screenshot('16-touching-nuclei');
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  });

  it('hides a class, changes the opacity, zooms and pans', async () => {
    const { workbench } = suite;
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of First look'));
    await masks.button('Hide Large').click();
    await masks.frame.getByText(/of [\d,]+ objects shown/).waitFor();
    await masks.button('Show Large').click();
    const slider = masks.frame.getByRole('slider', { name: 'Opacity' });
    await slider.press('Home');
    await masks.frame.getByText('0%', { exact: true }).waitFor();
    await slider.press('End');
    await masks.button('Actual Size').click();
    await masks.frame.locator('.zoom-level', { hasText: '100%' }).waitFor();
    await masks.canvas.focus();
    await masks.canvas.press('ArrowRight');
    await masks.canvas.press('+');
    await masks.frame.locator('.zoom-level', { hasText: /1[2-9]\d%/ }).waitFor();
    await workbench.screenshot('17-zoomed');
  });

  it('finds the panels as they were after a reload', async () => {
    const { workbench } = suite;
    const left = new MasksView(workbench.page, await workbench.panel('Masks of First look'));
    const row = await left.measure('Table row').innerText();
    await workbench.reloadWindow();
    const table = await workbench.panel('Objects of First look');
    await table.getByRole('columnheader', { name: 'Area' }).waitFor();
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of First look'));
    await masks.section('Object').getByText('Selected object').waitFor();
    await masks.measure('Table row').getByText(row, { exact: true }).waitFor();
    const position = Number(row.replaceAll(',', '')) - 1;
    await table.locator(`.ag-row.selected[row-index="${position}"]`).first().waitFor();
    await masks.section('Classes').getByText('Large').waitFor();
    await masks.frame.locator('.zoom-level', { hasText: /1[2-9]\d%/ }).waitFor();
  });

  it('leaves no trace of the key or of a signed link in any log or setting', async () => {
    const { workbench } = suite;
    const { apiKey } = await sampleServiceOf(dataFolder());
    await workbench.runCommand('Image Analysis: Show Log');
    const suspicious = await filesContaining(dataFolder(), [apiKey, /[?&]signature=/]);
    // Only the service's own files contain its key.
    assert.deepEqual(
      suspicious.filter(path => !path.endsWith('sample/data/service.json')),
      [],
    );
  });

  it("signs out, which removes all of the account's data", async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    await workbench.runCommand('Image Analysis: Sign Out');
    await workbench.clickInDialog('Sign Out');
    // Its downloads are deleted, so its panels are closed.
    await workbench.editorTab(/Masks of First look/).waitFor({ state: 'detached' });
    await workbench.editorTab(/Objects of First look/).waitFor({ state: 'detached' });
    await workbench.tree('Files').root.getByText('Sign in with the address').waitFor();
  });
});
