import * as assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePng } from '../../src/images/decodePng';
import { accessibilityFaults } from './accessibility';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';
import { placeSampleImages, signInToSample, slowDown, writeSampleImages } from './sampleFiles';
import { testedThemes, useWorkbench } from './useWorkbench';

/**
 * Presents the software renderer as a GPU, so that pages opened from now on paint with it, and
 * exposes their context, so that a test can lose it as a driver does.
 */
const pretendGpu = `{
  const { getParameter } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    const { UNMASKED_RENDERER_WEBGL } = this.getExtension('WEBGL_debug_renderer_info') ?? {};
    return name === UNMASKED_RENDERER_WEBGL ? 'A GPU' : getParameter.call(this, name);
  };
  const { getContext } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.getContext = function (kind, ...rest) {
    const context = getContext.call(this, kind, ...rest);
    if (kind === 'webgl2' && context) globalThis.labelContext = context;
    return context;
  };
}`;

describe('Masks of a job', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: async folder => {
      await writeSampleImages(join(folder, 'images'), [
        'nuclei.png',
        'nuclei-touching.png',
        'beads-two-sizes.png',
      ]);
      // As every lab keeps conditions.
      for (const [condition, sample] of [
        ['control', 'nuclei.png'],
        ['treated', 'nuclei-touching.png'],
      ] as const) {
        await mkdir(join(folder, condition));
        await copyFile(join(folder, 'images', sample), join(folder, condition, 'img_1.png'));
      }
      await mkdir(join(folder, 'exports'));
      await mkdir(join(folder, 'populations'));
      await placeSampleImages(folder);
    },
    settings: { 'imageAnalysis.jobs.pollingInterval': 1 },
  });
  const masksOf = async () => {
    const { workbench } = suite;
    return new MasksView(workbench.page, await workbench.panel('Masks of Linked'));
  };
  const openAnew = async () => {
    const { workbench } = suite;
    await workbench.closeTab(/^Masks of/);
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Jobs').menu('Linked', 'Open Masks');
    const masks = await masksOf();
    await masks.section('Background image').getByText('px,').waitFor();
    return masks;
  };

  it('are generated for a job on the sample service, beside its objects table', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await signInToSample(workbench);
    await slowDown(join(suite.folder, '..', 'host'), 0);
    await workbench.openContainer('Explorer');
    await workbench.explorer.menu('images', 'Analyze…');
    await quickInput.widget.locator('.monaco-list-row', { hasText: 'two classes by size' }).click();
    await quickInput.toggle('Also Generate Masks', true).click();
    await quickInput.enter('Linked');
    const table = await workbench.panel('Objects of Linked');
    await table.getByRole('columnheader', { name: 'Area' }).waitFor();
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Jobs').menu('Linked', 'Open Masks');
    await workbench.clickInDialog('Generate Masks');
    const masks = await masksOf();
    await masks.section('Background image').getByText('px,').waitFor();
    await masks.frame
      .getByText(/rows linked to masks/)
      .first()
      .waitFor();
    await masks.frame.locator('.strip-thumbnail canvas').nth(2).waitFor({ state: 'attached' });
    await workbench.screenshot('masks-01-opened');
  });

  it('are colored by a column of the table, and their scale range is limited by its histogram', async () => {
    const masks = await masksOf();
    const before = await masks.painted();
    // Masks have a measurement of the same name.
    const ofTable = masks.frame.locator('#color-by optgroup[label="Table columns"] option', {
      hasText: 'Area',
    });
    const area = (await ofTable.first().getAttribute('value')) ?? '';
    await masks.frame.locator('#color-by').selectOption(area);
    await masks.frame.getByRole('slider', { name: 'Scale maximum' }).waitFor();
    const colored = await masks.paintsAnew(before);
    const end = masks.frame.getByRole('slider', { name: 'Scale maximum' });
    const usual = await end.getAttribute('aria-valuetext');
    const usually = end.and(masks.frame.locator(`[aria-valuetext="${usual}"]`));
    for (let i = 0; i < 40; i++) await end.press('ArrowLeft');
    await usually.waitFor({ state: 'detached' });
    await masks.paintsAnew(colored);
    await suite.workbench.screenshot('masks-02-by-column');
    await masks.frame.getByRole('button', { name: 'Reset' }).click();
    await usually.waitFor();
    await masks.repaints(colored);
  });

  it('hide a class, and show it again as it was', async () => {
    const masks = await masksOf();
    const before = await masks.painted();
    await masks.button('Hide Small').click();
    await masks.frame.getByText(/of [\d,]+ objects shown/).waitFor();
    await masks.paintsAnew(before);
    await masks.button('Show Small').click();
    await masks.repaints(before);
  });

  it('keep the color of a class for other results', async () => {
    const masks = await masksOf();
    await masks.frame.locator('#color-by').selectOption({ label: 'Class' });
    const before = await masks.painted();
    await masks.frame.getByLabel('Color of Large').fill('#ff00ff');
    await masks.paintsAnew(before);
    const again = await openAnew();
    assert.equal(await again.frame.getByLabel('Color of Large').inputValue(), '#ff00ff');
  });

  it('get a pixel size, by which a column of the table is converted, and which is undone', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    const masks = await masksOf();
    const table = await workbench.panel('Objects of Linked');
    const area = table.getByRole('columnheader', { name: 'Area (px²)' });
    // A click leads from one page to another, which a script may not.
    const focusArea = async () => {
      await table.getByRole('searchbox', { name: 'Find' }).click();
      await area.focus();
    };
    await area.waitFor();
    await masks.button('Set Pixel Size…').click();
    await quickInput.titled('Pixel Size of');
    await quickInput.enter('0.5');
    // No other image has its size.
    await masks.frame.locator('.status-line').getByText('Pixel size changed').waitFor();
    await masks.frame.getByText('0.5 µm per pixel, set by you').waitFor();
    await workbench.screenshot('masks-03-pixel-size');
    await focusArea();
    await workbench.page.keyboard.press('Alt+ArrowDown');
    await table.getByRole('button', { name: 'Convert to µm²' }).click();
    await table.getByRole('columnheader', { name: 'Area (µm²)' }).waitFor();
    await workbench.screenshot('masks-04-converted');
    await masks.canvas.focus();
    await workbench.page.keyboard.press('Control+z');
    await masks.frame.locator('.status-line').getByText('Undid: Set Pixel Size').waitFor();
    await masks.button('Set Pixel Size…').waitFor();
    // The converted column follows: its cells are empty.
    await focusArea();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.page.keyboard.press('Alt+ArrowDown');
    await table.getByRole('button', { name: 'Remove This Column' }).click();
    await table.getByRole('columnheader', { name: 'Area (µm²)' }).waitFor({ state: 'detached' });
  });

  it('show the row, the mean intensity and the raw pixel values under the pointer', async () => {
    const masks = await masksOf();
    const table = await suite.workbench.panel('Objects of Linked');
    await table.locator('.ag-row[row-index="2"] .ag-cell[col-id="column-1"]').click();
    await masks.section('Object').getByText('Selected object').waitFor();
    await masks.measure('Mean intensity').getByText(/\d/).waitFor();
    await masks.frame.getByText(/^Same in the table: .*Object ID/).waitFor();
    const [x = 0, y = 0] = (await masks.measure('Centroid').innerText()).split(', ').map(Number);
    await masks.button('Fit to Panel').click();
    await masks.pointAt(x, y);
    await masks.frame.locator('.pixel-values', { hasText: /\d/ }).waitFor();
    await masks.frame.locator('body').press('Escape');
  });

  it('have the table filtered to a lasso selection by a button, which then decides which masks show', async () => {
    const { workbench } = suite;
    const masks = await masksOf();
    const table = await workbench.panel('Objects of Linked');
    await masks.button('Select Objects with a Lasso').click();
    await masks.drag([0.3, 0.3], [0.7, 0.3], [0.6, 0.7], [0.3, 0.6]);
    await masks.button('Filter to Selection').click();
    const outcome = masks.frame.locator('.status-item', { hasText: 'Filtered to the selection' });
    const words = await outcome.innerText();
    const [, rows = ''] = /: ([\d,]+) table rows/.exec(words) ?? [];
    assert.ok(Number(rows) > 0, words);
    await table.locator('.chip', { hasText: rows }).waitFor();
    await masks.frame.getByText('Filtered by the table').waitFor();
    await masks.frame.getByText(new RegExp(`^${rows} of [\\d,]+ objects shown`)).waitFor();
    await workbench.screenshot('masks-03-filtered');
    // Two panels side by side have no room for the list of images: it opens over the image.
    await masks.button('Images').click();
    const listed = masks.frame.locator('.strip-row', { hasText: 'beads-two-sizes.png' });
    await listed.getByText(new RegExp(`^${rows} of [\\d,]+ objects$`)).waitFor();
    await masks.frame
      .locator('.strip-row', { hasText: 'nuclei.png' })
      .getByText(/^0 of /)
      .waitFor();
    await workbench.screenshot('masks-03-listed');
    await listed.click();
    const filtered = await masks.painted();
    await table.locator('.chip').getByRole('button').last().click();
    await masks.frame.getByText('Filtered by the table').waitFor({ state: 'hidden' });
    await masks.paintsAnew(filtered);
    // Undone in the table, whose filter it is.
    await workbench.page.keyboard.press('Control+z');
    await masks.frame.getByText('Filtered by the table').waitFor();
    await workbench.page.keyboard.press('Control+Shift+z');
    await masks.frame.getByText('Filtered by the table').waitFor({ state: 'hidden' });
    await masks.canvas.focus();
    await masks.canvas.press('Escape');
    await masks.canvas.press('r');
    await masks.drag([0.2, 0.2], [0.5, 0.5]);
    await masks.button('Filter to Selection').click();
    await table.locator('.chip', { hasText: /rows/ }).waitFor();
    await masks.frame.getByText('Filtered by the table').waitFor();
    await table.locator('.chip').getByRole('button').last().click();
    await masks.frame.getByText('Filtered by the table').waitFor({ state: 'hidden' });
    await masks.canvas.press('Escape');
    // All in view, by the keyboard alone.
    await masks.canvas.press('a');
    await masks.button('Filter to Selection').press('Enter');
    await table.locator('.chip', { hasText: /rows/ }).waitFor();
    await table.locator('.chip').getByRole('button').last().click();
    await masks.frame.getByText('Filtered by the table').waitFor({ state: 'hidden' });
    // The objects stay selected without the filter.
    await masks.section('Selected objects').getByText('objects selected').waitFor();
    await masks.canvas.focus();
    await masks.canvas.press('Escape');
    await masks.section('Selected objects').waitFor({ state: 'hidden' });
    await masks.canvas.press('Escape');
  });

  it('are painted without a GPU context, and with one again once it is restored', async () => {
    const { workbench } = suite;
    const inSoftware = await (await masksOf()).painted();
    const pretended = await workbench.page.addInitScript(pretendGpu);
    const masks = await openAnew();
    // Pages that are opened from now on have none again: without one, to paint by WebGL takes many
    // times as long.
    await pretended.dispose();
    const lost = () => masks.frame.evaluate('labelContext.isContextLost()');
    assert.equal(await lost(), false);
    const before = await masks.paintsAnew(inSoftware);
    await masks.frame.evaluate(
      "globalThis.lose = labelContext.getExtension('WEBGL_lose_context'); lose.loseContext()",
    );
    await masks.repaints(inSoftware);
    assert.equal(await lost(), true);
    await masks.seeMasks();
    await workbench.screenshot('masks-04-without-gpu');
    await masks.frame.evaluate('lose.restoreContext()');
    await masks.repaints(before);
    assert.equal(await lost(), false);
  });

  it('are colored by a population of the table, which a click on an object lists and an export writes', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    const table = new TableView(await workbench.panel('Objects of Linked'));
    const filter = await table.openFilter(2);
    await filter.getByRole('checkbox', { name: /Large/ }).press('Space');
    await table.closeWindow();
    await table.frame.getByRole('button', { name: 'Populations', exact: true }).click();
    await table.frame.getByRole('button', { name: 'New Population from Filters…' }).click();
    await table.frame.getByLabel('Name of the population').fill('Big ones');
    await table.frame.getByLabel('Name of the population').press('Enter');
    const population = table.frame.getByRole('treeitem', { name: /Big ones/ });
    await population.and(table.frame.locator('[aria-selected="true"]')).waitFor();
    await population.locator('.population-words').click();
    const masks = await masksOf();
    await masks.frame.getByText('Filtered by the table').waitFor({ state: 'hidden' });

    const before = await masks.painted();
    await masks.frame.locator('#color-by').selectOption({ label: 'Population' });
    const legend = masks.frame.getByRole('list', { name: 'Populations' });
    await legend.getByText('Big ones').waitFor();
    const colored = await masks.paintsAnew(before);
    await table.frame.getByRole('button', { name: 'Hide Big ones' }).click();
    const hidden = await masks.paintsAnew(colored);
    await table.frame.getByRole('button', { name: 'Show Big ones' }).click();
    await masks.repaints(colored);
    assert.notEqual(hidden, before);

    const own = masks.frame.getByRole('region', { name: 'In populations' });
    const inNone = 'The object is in none.';
    const clicked = new Set<string>();
    for (let at = 0; clicked.size < 2 && at < 60; at++) {
      const id = await masks.measure('ID').innerText();
      await masks.canvas.press('n');
      await masks
        .measure('ID')
        .filter({ hasNotText: new RegExp(`^(${id}|–)$`) })
        .waitFor();
      await masks.painted();
      const words = (await masks.measure('Class').innerText()) === 'Large' ? 'Big ones' : inNone;
      await own.getByText(words).waitFor();
      if (clicked.has(words)) continue;
      clicked.add(words);
      // Where it is now: the view may have moved to it.
      const [x = 0, y = 0] = (await masks.measure('Centroid').innerText()).split(', ').map(Number);
      await masks.canvas.press('Escape');
      await own.waitFor({ state: 'hidden' });
      await masks.pointAt(Math.floor(x), Math.floor(y));
      await workbench.page.mouse.down();
      await workbench.page.mouse.up();
      await own.getByText(words).waitFor();
      await workbench.page.mouse.move(0, 0);
    }
    assert.equal(clicked.size, 2);
    assert.deepEqual(await accessibilityFaults(masks.frame), []);
    await workbench.screenshot('masks-19-by-population');
    await masks.canvas.press('Escape');

    await masks.button('Export').click();
    await quickInput.titled('Export Masks of Linked');
    await quickInput.choose('QuPath GeoJSON');
    for (const what of ['Select images', 'Select classes']) {
      const { widget } = quickInput;
      await widget.getByPlaceholder(what).or(widget.getByText(what)).first().waitFor();
      await widget.getByRole('button', { name: 'OK' }).click();
    }
    await quickInput.choose('Population');
    await quickInput.titled('Choose an export folder');
    const exports = join(suite.folder, 'populations');
    await quickInput.selectFolder(exports, 'Export Here');
    await workbench.readNotification(/Exported [\d,]+ objects/);
    await workbench.clearNotifications();
    const { features } = JSON.parse(await readFile(join(exports, 'nuclei.geojson'), 'utf8')) as {
      features: { properties: { classification?: { name: string }; metadata: { Class: string } } }[];
    };
    const classes = new Set(
      features.map(({ properties: { classification, metadata } }) =>
        [classification?.name, metadata.Class].join(' of '),
      ),
    );
    assert.deepEqual([...classes].sort(), [' of Small', 'Big ones of Large']);
    const exported = await masks.painted();
    await masks.frame.locator('#color-by').selectOption({ label: 'Class' });
    await masks.paintsAnew(exported);
  });

  it('are saved as they are shown', async () => {
    const { workbench } = suite;
    const masks = await masksOf();
    await masks.button('Save View as PNG').click();
    const path = join(suite.folder, 'view.png');
    await workbench.quickInput.namePlace('beads-two-sizes_masks.png', path);
    await masks.frame.locator('.status-line').getByText('View saved as').waitFor();
    const { width, height } = await masks.canvas.evaluate(({ width, height }: HTMLCanvasElement) => ({
      width,
      height,
    }));
    const saved = decodePng(await readFile(path), 'view.png', 1e9);
    assert.deepEqual([saved.width, saved.height], [width, height]);
  });

  it('look the same after a reload, and follow the filter of the table, though its tab has not been shown again', async () => {
    const { workbench } = suite;
    const masks = await masksOf();
    await masks.frame.locator('#color-by').selectOption({ label: 'Perimeter' });
    await masks.button('Outlines').click();
    await masks.frame.getByRole('slider', { name: 'Scale maximum' }).waitFor();
    const table = new TableView(await workbench.panel('Objects of Linked'));
    const filter = await table.openFilter(2);
    await filter.getByRole('checkbox', { name: /Small/ }).press('Space');
    await table.closeWindow();
    await workbench.runCommand('View: Join All Editor Groups');
    await workbench.editorTab(/^Masks of Linked/).click();
    const shown = (await masksOf()).frame.getByText(/^[\d,]+ of [\d,]+ rows$/);
    await shown.waitFor({ state: 'attached' });
    const words = await shown.textContent();
    await workbench.reloadWindow();
    const again = await masksOf();
    await again.section('Background image').getByText('px,').waitFor();
    await again.frame.getByRole('slider', { name: 'Scale maximum' }).waitFor();
    assert.equal(await again.frame.locator('#color-by option:checked').innerText(), 'Perimeter');
    await again.frame.getByRole('button', { name: 'Outlines', pressed: true }).waitFor();
    await workbench.screenshot('masks-05-after-a-reload');
    await again.frame.getByText('Filtered by the table').waitFor({ state: 'attached' });
    assert.equal(await again.frame.getByText(/^[\d,]+ of [\d,]+ rows$/).textContent(), words);
    await workbench.editorTab(/^Objects of Linked/).click();
    const restored = new TableView(await workbench.panel('Objects of Linked'));
    await restored.frame.locator('.chip').getByRole('button').last().click();
    await workbench.editorTab(/^Masks of Linked/).click();
    await (await masksOf()).frame.getByText('Filtered by the table').waitFor({ state: 'hidden' });
  });

  it('of images of one name in two folders are all linked, and named and exported by their folders', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.explorerMenu(['control', 'treated'], 'Analyze…');
    await quickInput.widget.locator('.monaco-list-row', { hasText: 'two classes by size' }).click();
    await quickInput.toggle('Also Generate Masks', false).click();
    await quickInput.enter('Study');
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of Study'));
    await masks.frame
      .getByText(/All \d+ rows linked to masks/)
      .first()
      .waitFor();
    const listed = async (part: string) =>
      await masks.frame.locator(`.strip-row ${part} > .cut-name > .visually-hidden`).allInnerTexts();
    assert.deepEqual(await listed('.strip-text'), ['img_1.png', 'img_1.png']);
    assert.deepEqual(await listed('.strip-within'), ['control', 'treated']);
    await workbench.screenshot('masks-06-of-two-folders');
    await masks.button('Export').click();
    await quickInput.titled('Export Masks of Study');
    await quickInput.choose('QuPath GeoJSON');
    for (const what of ['Select images', 'Select classes']) {
      const { widget } = quickInput;
      await widget.getByPlaceholder(what).or(widget.getByText(what)).first().waitFor();
      await widget.getByRole('button', { name: 'OK' }).click();
    }
    await quickInput.titled('Choose an export folder');
    const exports = join(suite.folder, 'exports');
    await quickInput.selectFolder(exports, 'Export Here');
    await workbench.readNotification(/Exported [\d,]+ objects/);
    await workbench.clearNotifications();
    assert.deepEqual((await readdir(exports)).sort(), [
      'control_img_1.geojson',
      'manifest.csv',
      'treated_img_1.geojson',
    ]);
    const manifest = await readFile(join(exports, 'manifest.csv'), 'utf8');
    assert.match(manifest, /treated_img_1\.geojson,[^,]+,[^,]*treated\/img_1\.png/);
    await workbench.closeTab(/^Masks of Study/);
  });

  it('look right in other themes, and axe finds nothing', async () => {
    const { workbench } = suite;
    for (const theme of testedThemes(['high-contrast-light', 'high-contrast', 'light'])) {
      const masks = await masksOf();
      await workbench.changeTheme(theme);
      await masks.painted();
      await workbench.screenshot(`masks-06-${theme}`);
      assert.deepEqual(await accessibilityFaults(masks.frame), [], theme);
    }
  });
});
