import * as assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeFixture } from '../bench/masks/archiveFixtures';
import { image, index, rectangle, writeArchive } from '../unit/archives/engine/archives';
import { accessibilityFaults } from './accessibility';
import { MasksView } from './views/masksView';
import { stripTiff } from './stripTiff';
import { tiff } from '../unit/images/tiffFixture';
import { TableView } from './views/tableView';
import { useWorkbench } from './useWorkbench';

/** Side of a background image that takes many seconds to read through. */
const LARGE = 60_000;
const SLIDE = { side: 20_000, objects: 50_000 };
/** A few of them extend past the border, and are not counted. */
const countOfSlide = /^(49,9\d\d|50,000) objects$/;
const RUN = { images: 5000, objects: 6 };

const MARKERS = 'Färbung.ome.tif';

/** An OME-TIFF of unusually many channels. */
function manyChannels(count: number): Uint8Array {
  const description =
    '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" ' +
    `DimensionOrder="XYCZT" Type="uint8" SizeX="20" SizeY="20" SizeC="${count}" SizeZ="1" SizeT="1"><TiffData/>` +
    '</Pixels></Image></OME>';
  return tiff(
    Array.from({ length: count }, (_, channel) => ({
      width: 20,
      height: 20,
      samples: Uint8Array.from({ length: 400 }, (_, at) => (at * (channel + 1)) & 255),
      ...(channel === 0 && { description }),
    })),
  );
}

/**
 * Background images with several channels and planes, of other sizes than their masks, and without
 * a pyramid; two large archives; and one of two images and two classes, with a folder to export to.
 */
async function prepare(folder: string): Promise<void> {
  const backgroundImages = join(folder, 'images');
  await mkdir(backgroundImages);
  for (const name of ['channels-focus-time.ome.tif', 'pages-of-two-sizes.tif', 'slide.svs'])
    await copyFile(resolve('test/golden/images', name), join(backgroundImages, name));
  await writeFile(join(backgroundImages, 'unbuilt.tif'), stripTiff(LARGE));
  const golden = (name: string) => readFile(resolve('test/golden/images', name));
  await writeFile(join(folder, 'changing.tif'), await golden('gray16-lzw.tif'));
  await writeFile(join(folder, 'damaged.tif'), (await golden('gray16-lzw.tif')).subarray(0, 200));
  await writeFile(join(folder, 'photo.png'), await golden('gray1.png'));
  // macOS stores accents as combining marks; the archive does not.
  await writeFile(join(backgroundImages, MARKERS.normalize('NFD')), manyChannels(70));
  const masksOf = (id: string, width: number, height: number, name: string) =>
    image(id, width, height, [rectangle(1, 2, 2, 9, 9, 'Cell')], `images/${name}`);
  const plate = await writeArchive({
    'index.json': index('Nucleus', 'Cell'),
    'a_objects.json': image(
      'a',
      61,
      47,
      [
        rectangle(1, 20, 15, 42, 33, 'Cell'),
        rectangle(2, 26, 19, 36, 29, 'Nucleus'),
        rectangle(3, 50, 2, 58, 9, 'Nucleus'),
      ],
      'images/channels-focus-time.ome.tif',
    ),
    'b_objects.json': masksOf('b', 30, 20, 'pages-of-two-sizes.tif'),
    'c_objects.json': masksOf('c', 61, 47, 'slide.svs'),
    'd_objects.json': masksOf('d', LARGE, LARGE, 'unbuilt.tif'),
  });
  const odd = await writeArchive({
    'e_objects.json': image('e', 40, 30, [
      rectangle(1, 2, 2, 9, 9, 'Cell'),
      { ...rectangle(2, 12, 2, 19, 9, 'Cell'), rle: { size: [7, 7], counts: [0, 50] } },
    ]),
    'f_objects.json': '{',
    'g_objects.json': image('g', 20, 20, [rectangle(1, 2, 2, 9, 9, 'Cell')], `images/${MARKERS}`),
  });
  const exported = await writeArchive({
    'index.json': index('Nucleus', 'Cell'),
    'a_objects.json': image('a', 40, 30, [
      rectangle(1, 2, 2, 12, 12, 'Nucleus'),
      rectangle(2, 8, 8, 30, 28, 'Cell'),
    ]),
    'b_objects.json': image('b', 40, 30, [rectangle(1, 5, 5, 15, 25, 'Cell')]),
  });
  await copyFile(exported.path, join(folder, 'masks.zip'));
  await exported.remove();
  await mkdir(join(folder, 'exports'));
  await copyFile(odd.path, join(folder, 'odd.zip'));
  await odd.remove();
  await copyFile(plate.path, join(folder, 'plate.zip'));
  await plate.remove();
  await writeFixture(join(folder, 'slide.zip'), [{ ...SLIDE, smallest: 12, shape: 'cropped' }]);
  const small = { side: 256, objects: RUN.objects, smallest: 8, shape: 'cropped' as const };
  await writeFixture(
    join(folder, 'run.zip'),
    Array.from({ length: RUN.images }, () => small),
  );
}

describe('Masks archives on disk', () => {
  const suite = useWorkbench({ theme: 'light', prepare });
  const open = async (name: string) => {
    const { workbench } = suite;
    await workbench.explorerMenu([name], 'Image Analysis', 'Open Masks Archive');
    return masksOf(name);
  };
  const masksOf = async (name: string) =>
    new MasksView(suite.workbench.page, await suite.workbench.panel(new RegExp(`^Masks of ${name}`)));
  /** Shows an image of the list. */
  const show = async (masks: MasksView, name: string) => {
    await masks.frame.locator('.strip-row', { hasText: name }).click();
    await masks.frame.locator('.strip-row[aria-selected="true"]', { hasText: name }).waitFor();
  };

  it('open without an account, over the background image with its channels and planes', async () => {
    const masks = await open('plate.zip');
    const backgroundImage = masks.section('Background image');
    await backgroundImage.getByText('61 × 47 px, 2 channels').waitFor();
    const both = await masks.painted();
    await backgroundImage.getByLabel('Show GFP').uncheck();
    await masks.paintsAnew(both);
    await backgroundImage.getByLabel('Show GFP').check();
    await masks.repaints(both);
    await backgroundImage.getByLabel('Z', { exact: true }).press('ArrowRight');
    await backgroundImage.getByText('2 of 3').waitFor();
    await masks.paintsAnew(both);
    await backgroundImage.getByLabel('Time', { exact: true }).press('ArrowRight');
    await backgroundImage.getByText('2 of 2').waitFor();
    await suite.workbench.screenshot('masks-07-channels-and-planes');
    await backgroundImage.getByLabel('Z', { exact: true }).press('Home');
    await backgroundImage.getByLabel('Time', { exact: true }).press('Home');
    await masks.repaints(both);
  });

  it('give their objects one after the other where they overlap, by the keyboard alone', async () => {
    const masks = await masksOf('plate.zip');
    await masks.canvas.press('f');
    await masks.canvas.press('Enter');
    await masks.section('Object').getByText('1 of 2 objects at this point').waitFor();
    await masks.measure('ID').getByText('2', { exact: true }).waitFor();
    // The object of 100 pixels is half as wide as it is high.
    await masks.section('Background image').getByText('0.325 × 0.65 µm per pixel').waitFor();
    await masks.section('Object').getByText('21.125 µm²').waitFor();
    await masks.canvas.press('Enter');
    await masks.section('Object').getByText('2 of 2 objects at this point').waitFor();
    await masks.measure('ID').getByText('1', { exact: true }).waitFor();
    await masks.canvas.press('Escape');
  });

  it('have menus of their own, for an object and beside objects, by mouse and by keyboard', async () => {
    const { workbench } = suite;
    const { page } = workbench;
    const masks = await masksOf('plate.zip');
    const { frame } = masks;
    const entries = page.locator('.monaco-menu').getByRole('menuitem');
    const openMenu = async (x: number, y: number) => {
      await masks.pointAt(x, y);
      await page.mouse.down({ button: 'right' });
      await page.mouse.up({ button: 'right' });
      await entries.first().waitFor();
      return (await entries.allInnerTexts()).map(each => each.trim());
    };
    // A channel was hidden before.
    const both = ['Save View as PNG…', 'Undo', 'Keyboard Shortcuts'];
    const ofObject = ['Zoom to Object', 'Show Only This Class', 'Copy Measurements', ...both];
    const ofSelected = ofObject.toSpliced(3, 0, 'Export Selected Objects…');
    assert.deepEqual(await openMenu(54, 5), ofObject);
    await workbench.screenshot('masks-15-object-menu');
    await workbench.chooseInMenu('Copy Measurements');
    const copied = await workbench.clipboard(/Nucleus/);
    const [names = [], values = [], ...rest] = copied
      .trimEnd()
      .split('\n')
      .map(line => line.split('\t'));
    assert.deepEqual(rest, []);
    const measured = Object.fromEntries(names.map((name, at) => [name, values[at]]));
    assert.deepEqual(
      [measured['ID'], measured['Class'], measured['Area (px²)'], measured['Bounding box x1']],
      ['3', 'Nucleus', '56', '50'],
    );
    await openMenu(54, 5);
    await workbench.chooseInMenu('Show Only This Class');
    await masks.button('Show Cell').waitFor();
    await frame.getByRole('button', { name: 'Show All' }).click();
    assert.deepEqual(await openMenu(5, 40), ['Fit to Panel', ...both]);
    await workbench.chooseInMenu('Keyboard Shortcuts');
    const shortcuts = frame.getByRole('dialog', { name: 'Keyboard Shortcuts' });
    await shortcuts.waitFor();
    assert.deepEqual(await accessibilityFaults(frame), []);
    await shortcuts.press('Escape');
    await shortcuts.waitFor({ state: 'hidden' });

    const zoom = frame.locator('.zoom-level');
    const fitted = await zoom.innerText();
    // The selected object, though another is in the center.
    await masks.pointAt(54, 5);
    await page.mouse.down();
    await page.mouse.up();
    await masks.section('Object').getByText('Selected object').waitFor();
    await masks.canvas.press('ContextMenu');
    await entries.first().waitFor();
    assert.deepEqual(
      (await entries.allInnerTexts()).map(each => each.trim()),
      ofSelected,
    );
    await workbench.chooseInMenu('Show Only This Class');
    await masks.button('Show Cell').waitFor();
    await frame.getByRole('button', { name: 'Show All' }).click();
    await masks.canvas.press('ContextMenu');
    await workbench.chooseInMenu('Zoom to Object');
    await zoom.filter({ hasNotText: fitted }).waitFor();
    await masks.canvas.press('Escape');
    await masks.canvas.press('?');
    await shortcuts.waitFor();
    await workbench.screenshot('masks-16-shortcuts');
    await shortcuts.press('Escape');
    await shortcuts.waitFor({ state: 'hidden' });
    await masks.canvas.and(frame.locator(':focus')).waitFor();
    await masks.canvas.press('f');
    await zoom.filter({ hasText: fitted }).waitFor();
  });

  it('have one pixel size for all images alike, unless one says that it is that of one, and undo it', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    const masks = await open('masks.zip');
    const size = masks.section('Background image').getByText('0.5 µm per pixel, set by you');
    const says = (words: string) => masks.frame.locator('.status-line').getByText(words).waitFor();
    const set = async (typed: string) => {
      await masks.frame.getByRole('button', { name: /^(Set Pixel Size|Change)…$/ }).click();
      await quickInput.titled('Pixel Size of a.tif');
      await quickInput.enter(typed);
      await quickInput.widget.getByText('All 2 Images of This Kind').waitFor();
      await workbench.screenshot('masks-17-pixel-size');
    };
    await set('0,5');
    await quickInput.choose('All 2 Images of This Kind');
    await says('Pixel size of 2 images changed');
    await size.waitFor();
    await show(masks, 'b.tif');
    await size.waitFor();
    await masks.canvas.focus();
    await workbench.page.keyboard.press('Control+z');
    await says('Undid: Set Pixel Size of 2 Images');
    await size.waitFor({ state: 'detached' });
    await workbench.runCommand('Image Analysis: Redo');
    await says('Redid: Set Pixel Size of 2 Images');
    await size.waitFor();
    await show(masks, 'a.tif');
    await set('');
    await quickInput.choose('Only This Image');
    await says('Pixel size changed');
    await size.waitFor({ state: 'detached' });
    await show(masks, 'b.tif');
    await size.waitFor();
    await workbench.closeTab(/^Masks of masks\.zip/);
    // Another tab is in front now.
    await open('plate.zip');
  });

  it('let several objects be selected, over several images, and give their statistics', async () => {
    const { workbench } = suite;
    const { page } = workbench;
    const masks = await masksOf('plate.zip');
    const selection = masks.section('Selected objects');
    const mean = (name: string) => selection.getByRole('row', { name }).getByRole('cell');
    const click = async (x: number, y: number, shift: boolean) => {
      await masks.pointAt(x, y);
      if (shift) await page.keyboard.down('Shift');
      await page.mouse.down();
      await page.mouse.up();
      if (shift) await page.keyboard.up('Shift');
    };
    await click(54, 5, false);
    await masks.section('Object').getByText('Selected object').waitFor();
    assert.equal(await selection.isVisible(), false);
    await click(22, 17, true);
    await selection.getByText('2 objects selected').waitFor();
    // 56 and 396 px².
    await mean('Area (px²)').first().getByText('226.00', { exact: true }).waitFor();
    await mean('Area (px²)').nth(1).getByText('240.42', { exact: true }).waitFor();
    // Its pixels aren't square, so the perimeter is given in pixels alone.
    assert.deepEqual(
      await masks
        .section('Object')
        .locator('dt', { hasText: 'Perimeter' })
        .locator('~ dt')
        .first()
        .innerText(),
      'Centroid',
    );
    await workbench.screenshot('masks-17-several-objects');
    await show(masks, 'pages-of-two-sizes');
    await click(5, 5, true);
    await selection.getByText('3 objects selected').waitFor();
    assert.deepEqual(await accessibilityFaults(masks.frame), []);
    await show(masks, 'channels-focus-time');
    await selection.getByText('3 objects selected').waitFor();
    await click(22, 17, true);
    await selection.getByText('2 objects selected').waitFor();
    await masks.canvas.press('Escape');
    await selection.waitFor({ state: 'hidden' });
  });

  it('are hidden while a key is held', async () => {
    const { page } = suite.workbench;
    const masks = await masksOf('plate.zip');
    const before = await masks.painted();
    await masks.canvas.focus();
    await page.keyboard.down('h');
    await masks.paintsAnew(before);
    await page.keyboard.up('h');
    await masks.repaints(before);
  });

  it('offer to use the page, to use the level or to stretch a background image of another size, and remember the choice', async () => {
    const masks = await masksOf('plate.zip');
    const backgroundImage = masks.section('Background image');
    await show(masks, 'pages-of-two-sizes.tif');
    await backgroundImage.getByText('The background image has a different size').waitFor();
    await suite.workbench.screenshot('masks-08-offers');
    await backgroundImage.getByRole('button', { name: 'Use Its Page 4' }).click();
    await backgroundImage.getByText('30 × 20 px').waitFor();
    await show(masks, 'slide.svs');
    await backgroundImage.getByRole('button', { name: 'Use Its Level of 61 × 47 px' }).click();
    await backgroundImage.getByText('61 × 47 px, 3 channels').waitFor();
    await show(masks, 'pages-of-two-sizes.tif');
    await backgroundImage.getByText('Selected by you').waitFor();
    assert.equal(await backgroundImage.getByRole('button', { name: 'Use Its Page' }).count(), 0);
  });

  it('are shown before a background image that is slow to load', async () => {
    const masks = await masksOf('plate.zip');
    const backgroundImage = masks.section('Background image');
    await show(masks, 'unbuilt.tif');
    await backgroundImage.getByText(/Loading the background image: \d+%/).waitFor();
    await masks.frame.getByText('1 object', { exact: true }).last().waitFor();
    await backgroundImage.getByRole('button', { name: 'Stop' }).click();
    await backgroundImage.getByText('Loading was stopped.').waitFor();
    await suite.workbench.screenshot('masks-09-stopped');
    await backgroundImage.getByRole('button', { name: 'Load Image' }).click();
    await backgroundImage.getByRole('button', { name: 'Stop' }).waitFor();
    await suite.workbench.closeTab(/^Masks of plate/);
  });

  it('show their warnings, and pass axe with everything open, in a narrow panel too', async () => {
    const { page } = suite.workbench;
    const masks = await open('odd.zip');
    const { frame } = masks;
    await frame.getByRole('option', { name: /^e\.tif/ }).click();
    await frame.getByText("1 object couldn't be read").click();
    await frame.getByText('2: ').waitFor();
    await frame.getByText('Notes on the archive').click();
    await frame.getByText('The archive has no index.json').waitFor();
    assert.deepEqual(await accessibilityFaults(masks.frame), []);
    const size = page.viewportSize();
    assert.ok(size);
    await page.setViewportSize({ width: 900, height: size.height });
    await frame.locator('.strip').waitFor({ state: 'hidden' });
    await masks.button('Images').click();
    const list = frame.getByRole('listbox', { name: 'Images' });
    await list.waitFor();
    assert.deepEqual(await accessibilityFaults(masks.frame), []);
    await suite.workbench.screenshot('masks-13-narrow-list');
    await list.press('ArrowDown');
    await frame.getByText("Couldn't read this image").waitFor();
    await list.press('Home');
    await list.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await page.setViewportSize(size);
    await frame.locator('.strip').waitFor();
    const backgroundImage = masks.section('Background image');
    await backgroundImage.getByText('The first 64 of 70 channels are listed').waitFor();
    // Of images that can't be shown, only the line with the name.
    await backgroundImage.getByRole('slider', { name: 'Minimum' }).first().waitFor();
    assert.ok(
      (await backgroundImage.getByRole('slider', { name: 'Minimum' }).filter({ visible: true }).count()) < 10,
    );
    assert.deepEqual(await accessibilityFaults(masks.frame), []);
    await backgroundImage.getByText('The first 64').scrollIntoViewIfNeeded();
    await suite.workbench.screenshot('masks-14-many-channels');
  });

  it('get a table measured from them, linked both ways, which is titled so', async () => {
    const { workbench } = suite;
    const masks = await masksOf('odd.zip');
    await masks.button('Show Table').click();
    await workbench.quickInput.option('Measure from Masks').click();
    const title = /^Measured from masks: odd\.zip/;
    const table = new TableView(await workbench.panel(title));
    await table.cell(0, 0).getByText('e.tif').waitFor();
    await masks.frame.getByText('Change Table…').waitFor({ state: 'attached' });
    await workbench.screenshot('masks-18-measured-table');
    // Of another image than the one that is shown.
    await table.cell(0, 0).click();
    await masks.section('Object').getByText('Selected object').waitFor();
    await masks.section('Object').getByText('49 px²').waitFor();
    await masks.frame.locator('.toolbar-title', { hasText: 'e.tif' }).waitFor();
    await workbench.closeTab(title);
    await workbench.closeTab(/^Masks of odd/);
  });

  /** The image in the active editor. */
  const imageShown = async (fact: string) => {
    const { workbench } = suite;
    const image = new MasksView(workbench.page, await workbench.panel(/^(?!Masks of)/));
    await image.section('Image').getByText(fact).waitFor();
    return image;
  };

  it('lie beside images: a TIFF opens by a double click, with channels, planes and pixel values, in two editors', async () => {
    const { workbench } = suite;
    const { page } = workbench;
    await workbench.openContainer('Explorer');
    await workbench.explorer.expand('images');
    await workbench.openByClick('channels-focus-time.ome.tif');
    const image = await imageShown('61 × 47 px');
    for (const fact of ['0.325 × 0.65 µm', '16-bit unsigned', 'Deflate', '2, down to 31 × 24 px'])
      await image.section('Image').getByText(fact).waitFor();
    const both = await image.painted();
    await image.section('Display').getByLabel('Show GFP').uncheck();
    await image.paintsAnew(both);
    await image.section('Display').getByLabel('Z', { exact: true }).press('ArrowRight');
    await image.section('Display').getByText('2 of 3').waitFor();
    const box = await image.canvas.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await image.frame.locator('.pixel-values', { hasText: /^[\d,]+ · [\d,]+$/ }).waitFor();
    for (const ofMasks of ['Show Table', 'Export', 'Hide Masks'])
      assert.equal(await image.button(ofMasks).count(), 0, ofMasks);
    assert.deepEqual(await accessibilityFaults(image.frame), []);
    await workbench.screenshot('image-01-tiff');
    const tabs = workbench.editorTab('channels-focus-time.ome.tif');
    await workbench.runCommand('View: Split Editor Right');
    await tabs.nth(1).waitFor();
    await tabs.nth(1).hover();
    await tabs
      .nth(1)
      .getByRole('button', { name: /^Close/ })
      .click();
    await tabs.nth(1).waitFor({ state: 'detached' });
    // The file stays open for the editor that is left.
    const left = await imageShown('61 × 47 px');
    const before = await left.painted();
    await left.section('Display').getByLabel('Z', { exact: true }).press('ArrowRight');
    await left.paintsAnew(before);
    await workbench.page
      .locator('.editor-actions')
      .getByRole('button', { name: /^Analyze…/ })
      .click();
    await workbench.quickInput.titled('Sign In to Continue');
    await workbench.quickInput.escape();
    await workbench.quickInput.closed();
    assert.deepEqual(await workbench.notifications(), []);
    await workbench.closeTab('channels-focus-time.ome.tif');
  });

  it('lie beside images: a PNG opens with Open With…, and a damaged TIFF says so', async () => {
    const { workbench } = suite;
    await workbench.explorer.menu('photo.png', 'Open With...');
    await workbench.quickInput.option('Image Analysis Image').click();
    await imageShown('Deflate');
    await workbench.closeTab('photo.png');
    await workbench.openByClick('damaged.tif');
    const damaged = await workbench.panel(/^(?!Masks of)/);
    await damaged.getByRole('heading', { name: "Couldn't show this image" }).waitFor();
    await damaged.getByRole('alert').filter({ hasText: 'damaged.tif' }).waitFor();
    await workbench.screenshot('image-02-damaged');
    await writeFile(join(suite.folder, 'damaged.tif'), await readFile(join(suite.folder, 'photo.png')));
    await damaged.getByRole('button', { name: 'Try Again' }).click();
    await imageShown('Deflate');
    await workbench.closeTab('damaged.tif');
  });

  it('lie beside images: one that changed is read again', async () => {
    const { workbench } = suite;
    await workbench.openByClick('changing.tif');
    const image = await imageShown('LZW');
    await copyFile(resolve('test/golden/images/slide.svs'), join(suite.folder, 'changing.tif'));
    const notice = image.frame.getByText('The file changed after it was opened.');
    await notice.waitFor();
    await workbench.screenshot('image-03-changed');
    await image.button('Reload').click();
    // The page is another one then.
    while (!image.frame.isDetached()) await workbench.page.waitForTimeout(50);
    await imageShown('244 × 188 px');
  });

  it('of 50,000 objects on 20,000 × 20,000 pixels are painted whole and down to single pixels', async () => {
    const masks = await open('slide.zip');
    await masks.frame.getByText(countOfSlide).first().waitFor();
    await masks.seeMasks();
    const minimap = masks.frame.locator('canvas.minimap');
    assert.equal(await minimap.isVisible(), false);
    const overview = await masks.painted();
    await suite.workbench.screenshot('masks-10-slide');
    await masks.canvas.press('1');
    await minimap.waitFor();
    const whole = await masks.paintsAnew(overview);
    await masks.canvas.press('m');
    await minimap.waitFor({ state: 'hidden' });
    await masks.canvas.press('m');
    await minimap.waitFor();
    for (let i = 0; i < 8; i++) await masks.canvas.press('+');
    await masks.paintsAnew(whole);
    const box = await masks.canvas.boundingBox();
    assert.ok(box);
    const pixel = (x: number) => masks.pixelAt({ x: box.x + x, y: box.y + 100 });
    // More than twenty screen pixels are one pixel of the image.
    assert.deepEqual(await pixel(301), await pixel(302));
    await suite.workbench.screenshot('masks-11-single-pixels');
    await masks.canvas.press('f');
    await minimap.waitFor({ state: 'hidden' });
  });

  it('of 50,000 objects are restored after a reload', async () => {
    const { workbench } = suite;
    const masks = await masksOf('slide.zip');
    await masks.canvas.press('1');
    await masks.canvas.press('o');
    await masks.frame.locator('.zoom-level', { hasText: /^100%$/ }).waitFor();
    await masks.frame.getByRole('button', { name: 'Outlines', pressed: true }).waitFor();
    await workbench.reloadWindow();
    const again = await masksOf('slide.zip');
    await again.frame.getByText(countOfSlide).first().waitFor();
    await again.frame.locator('.zoom-level', { hasText: /^100%$/ }).waitFor();
    await again.frame.getByRole('button', { name: 'Outlines', pressed: true }).waitFor();
    await again.frame.locator('canvas.minimap').waitFor();
    await workbench.closeTab(/^Masks of slide/);
  });

  it('lie beside images, which a reload brings back too', async () => {
    const { workbench } = suite;
    await workbench.editorTab('changing.tif').click();
    const image = new MasksView(workbench.page, await workbench.panel(/^(?!Masks of)/));
    await image.section('Image').getByText('244 × 188 px').waitFor();
    await workbench.closeTab('changing.tif');
  });

  it('of 5,000 images list them all, and show any of them at once', async () => {
    const masks = await open('run.zip');
    const { frame } = masks;
    await frame.getByText('1 of 5,000', { exact: true }).waitFor();
    await frame.locator('.strip-thumbnail canvas').first().waitFor({ state: 'attached' });
    const list = frame.getByRole('listbox', { name: 'Images' });
    await list.press('End');
    await frame.getByText('5,000 of 5,000').waitFor();
    await frame
      .locator('.strip-row[aria-posinset="5000"] .strip-thumbnail canvas')
      .waitFor({ state: 'attached' });
    assert.ok((await frame.locator('.strip-row').count()) < 40);
    await suite.workbench.screenshot('masks-12-list');
    await list.evaluate(element => (element.scrollTop = element.scrollHeight / 2));
    const [middle] = [frame.locator('.strip-row[aria-posinset="2500"]')];
    await middle.locator('.strip-thumbnail canvas').waitFor({ state: 'attached' });
    await middle.click();
    await frame.getByText('2,500 of 5,000').waitFor();
    await frame.getByText(`${RUN.objects} objects`, { exact: true }).last().waitFor();
  });

  it('offer to be opened again when their page never loads', async () => {
    const { workbench } = suite;
    const [script = ''] = globSync(join(suite.folder, '../host/extensions/*/dist/webview/masks.js'));
    await rename(script, `${script}.away`);
    // A page that sends nothing.
    await writeFile(script, '');
    try {
      await workbench.explorerMenu(['odd.zip'], 'Image Analysis', 'Open Masks Archive');
      await workbench.readNotification(`didn't load the page of "Masks of odd.zip"`);
    } finally {
      await rename(`${script}.away`, script);
    }
    const unloaded = await workbench.panel(/^Masks of odd/);
    await workbench.clickInNotification("didn't load the page", 'Open Again');
    while (!unloaded.isDetached()) await workbench.page.waitForTimeout(50);
    const masks = await masksOf('odd.zip');
    await masks.frame.locator('.strip-row').first().waitFor();
    assert.equal(await workbench.editorTab(/^Masks of odd/).count(), 1);
  });

  describe('exported to another tool', () => {
    const exports = () => join(suite.folder, 'exports');

    /** Enters the folder in VS Code's own dialog. */
    async function chooseFolder(): Promise<void> {
      const { quickInput } = suite.workbench;
      await quickInput.titled('Choose an export folder');
      await quickInput.selectFolder(exports(), 'Export Here');
    }

    const acceptTicked = () => suite.workbench.quickInput.widget.getByRole('button', { name: 'OK' }).click();

    const prompt = (text: string) =>
      suite.workbench.quickInput.widget
        .getByPlaceholder(text)
        .or(suite.workbench.quickInput.widget.getByText(text));

    it('are labels of an archive in the explorer, without any account', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      await workbench.explorerMenu(['masks.zip'], 'Image Analysis', 'Export Masks…');
      await quickInput.titled('Export Masks of masks.zip');
      await workbench.screenshot('export-01-formats');
      await quickInput.choose('Label images (TIFF)');
      await prompt('Select images').first().waitFor();
      await workbench.screenshot('export-02-images');
      await acceptTicked();
      await prompt('Select classes').first().waitFor();
      await acceptTicked();
      await quickInput.choose('One label image with all classes');
      await chooseFolder();
      const said = await workbench.readNotification('Exported 3 objects');
      assert.match(said, /to 4 files.*Pixels lost to overlap: 16/);
      await workbench.screenshot('export-03-said');
      await workbench.clearNotifications();
      assert.deepEqual((await readdir(exports())).sort(), [
        'a_labels.tif',
        'b_labels.tif',
        'manifest.csv',
        'masks_labels.tif.csv',
      ]);
    });

    it('are COCO JSON from the toolbar of the masks panel, and Esc cancels silently', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      await workbench.explorerMenu(['masks.zip'], 'Image Analysis', 'Open Masks Archive');
      const panel = await workbench.panel(/masks\.zip/);
      const button = panel.getByRole('button', { name: /^Export/ });
      await button.click();
      await quickInput.titled('Export Masks of masks.zip');
      await quickInput.choose('COCO JSON');
      await prompt('Select images').first().waitFor();
      await quickInput.escape();
      await quickInput.closed();
      assert.deepEqual(await workbench.notifications(), []);

      await button.click();
      await quickInput.choose('COCO JSON');
      await prompt('Select images').first().waitFor();
      await acceptTicked();
      await prompt('Select classes').first().waitFor();
      await quickInput.option('Nucleus').locator('[role=checkbox], input').first().uncheck();
      await acceptTicked();
      await chooseFolder();
      await workbench.readNotification('Exported 2 objects to masks_coco.json');
      await workbench.clearNotifications();
    });

    it('replace files only once a person confirms it', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      await workbench.runCommand('Image Analysis: Export Masks…');
      await quickInput.choose('COCO JSON');
      await prompt('Select images').first().waitFor();
      await acceptTicked();
      await prompt('Select classes').first().waitFor();
      await acceptTicked();
      await chooseFolder();
      await workbench.dialog.getByText('"masks_coco.json" already exists').first().waitFor();
      await workbench.screenshot('export-04-replace');
      await workbench.clickInDialog('Replace');
      await workbench.readNotification('Exported 3 objects to masks_coco.json');
      const { annotations } = JSON.parse(await readFile(join(exports(), 'masks_coco.json'), 'utf8')) as {
        annotations: unknown[];
      };
      assert.equal(annotations.length, 3);
    });
  });
});
