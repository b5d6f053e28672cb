import * as assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tiff } from '../unit/images/tiffFixture';
import { image, index, rectangle, writeArchive } from '../unit/archives/engine/archives';
import { accessibilityFaults } from './accessibility';
import { chooseReference, compareFromMasks, compareInExplorer, showsOutcomes } from './comparisons';
import { placeSampleImages, signInToSample, slowDown, writeSampleImages } from './sampleFiles';
import { TableView } from './views/tableView';
import { useWorkbench } from './useWorkbench';

const PANEL = 'truth.zip vs. found.zip';

/**
 * A workspace with two archives, each with an image more than the other, one of the images, and a
 * folder to save in.
 */
async function prepareArchives(folder: string): Promise<void> {
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

const [WIDTH, HEIGHT] = [80, 60];

type Rectangle = readonly [x1: number, y1: number, x2: number, y2: number];

/** The objects of A: one that B has, one that it splits into halves, one that it misses. */
const truth: readonly Rectangle[] = [
  [2, 2, 22, 22],
  [30, 5, 60, 25],
  [5, 35, 25, 55],
];

/**
 * Adds what a ground truth may be but an archive, and an archive to compare it with: each with
 * something that can't be read.
 */
async function prepareTruth(folder: string): Promise<void> {
  await writeSampleImages(folder, ['nuclei-touching.png']);
  const objects = [
    rectangle(11, 3, 2, 22, 22, 'Nucleus'),
    rectangle(12, 30, 5, 45, 25, 'Nucleus'),
    rectangle(13, 46, 5, 60, 25, 'Nucleus'),
  ];
  const archive = await writeArchive({
    'index.json': index('Nucleus'),
    'c_objects.json': image('c', WIDTH, HEIGHT, objects),
    'd_objects.json': image('d', WIDTH, HEIGHT, objects),
  });
  await copyFile(archive.path, join(folder, 'cells.zip'));
  await archive.remove();

  const ring = ([x1, y1, x2, y2]: Rectangle) => [x1, y1, x2, y1, x2, y2, x1, y2];
  const annotation = (id: number, image_id: number, box: Rectangle) => ({
    id,
    image_id,
    category_id: 1,
    segmentation: [ring(box)],
  });
  const coco = {
    images: [1, 2].map(id => ({ id, file_name: `${'.cd'[id]}.tif`, width: WIDTH, height: HEIGHT })),
    categories: [{ id: 1, name: 'nuclei' }],
    annotations: [
      annotation(1, 1, [60, 40, 70, 50]),
      ...truth.map((box, at) => annotation(at + 1, 1, box)),
      annotation(1, 2, [2, 2, 22, 22]),
      annotation(9, 77, [2, 2, 22, 22]),
    ],
  };
  await writeFile(join(folder, 'truth.json'), JSON.stringify(coco));

  const features = truth.map(box => {
    const corners = ring(box);
    const points = [0, 2, 4, 6, 0].map(at => corners.slice(at, at + 2));
    return { type: 'Feature', geometry: { type: 'Polygon', coordinates: [points] }, properties: {} };
  });
  await writeFile(join(folder, 'c.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));

  const labels = new Uint16Array(WIDTH * HEIGHT);
  truth.forEach(([x1, y1, x2, y2], at) => {
    for (let y = y1; y < y2; y++) labels.fill(at + 1, y * WIDTH + x1, y * WIDTH + x2);
  });
  await mkdir(join(folder, 'labels'));
  const write = async (name: string, samples: Uint16Array | Float32Array) =>
    await writeFile(join(folder, 'labels', name), tiff([{ width: WIDTH, height: HEIGHT, samples }]));
  await write('c_masks.tif', labels);
  await write('d_label.tif', Float32Array.from(labels));
}

describe('Comparing masks', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: async folder => {
      await prepareArchives(folder);
      await placeSampleImages(folder);
      await prepareTruth(folder);
    },
    // Else the file that the first click opens is selected alone, once it is open.
    settings: { 'explorer.autoReveal': false, 'imageAnalysis.jobs.pollingInterval': 1 },
  });

  describe('of two archives', () => {
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

    it('saves scores and pairs into a folder', async () => {
      const { quickInput } = suite.workbench;
      const panel = await page();
      const saved = join(suite.folder, 'saved');
      await panel.getByRole('button', { name: 'Save Comparison…' }).click();
      await quickInput.selectFolder(saved, 'Save Comparison Here');
      await panel.getByText('Saved saved').waitFor({ state: 'attached' });
      assert.deepEqual((await readdir(saved)).sort(), [
        'truth_vs_found-classes.csv',
        'truth_vs_found-images.csv',
        'truth_vs_found-pairs.csv',
        'truth_vs_found-thresholds.csv',
        'truth_vs_found.json',
      ]);
      const pairs = await readFile(join(saved, 'truth_vs_found-pairs.csv'), 'utf8');
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

    it('has its table follow the threshold, and come back after a reload with images paired by hand, which is undone', async () => {
      const { workbench } = suite;
      let panel = await page();
      await panel.getByRole('slider').press('End');
      await panel.getByRole('button', { name: 'Matched 1' }).waitFor();
      // The page of the table is another one then; its filter is kept.
      await panel.getByText('2 of 7 rows').waitFor();
      await (await pairsTable()).showsRows('2 of 7 rows');
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
      await chooseReference(workbench, 'truth.zip');
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

  describe('with ground truth, and of two pipelines, in the light theme', () => {
    before(async () => {
      const { workbench } = suite;
      await workbench.closeTab(PANEL);
      await workbench.closeTab('Masks of found.zip');
      await workbench.changeTheme('light');
    });

    it('read COCO JSON, and say which annotations are left out', async () => {
      const panel = await compareInExplorer(suite.workbench, 'truth.json', 'cells.zip');
      await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 1, Split 1, Merged 0');
      // Counts in both images, of which the second has but one object of A.
      const all = await panel.locator('.outcome-all').allInnerTexts();
      assert.deepEqual(
        all.map(text => Number(text.replace(/\D/g, ''))),
        [3, 1, 3, 1, 0],
      );
      await panel.getByText("A: 1 annotation was left out: its image isn't in the file.").waitFor();
      await panel.getByText("c.tif: 1 object can't be read. 1: A later annotation has the same ID").waitFor();
      await suite.workbench.screenshot('compare-coco');
      assert.deepEqual(await accessibilityFaults(panel, 'color-contrast'), []);
    });

    it('color what became of objects only as long as that is on, and go back through a list by a key', async () => {
      const panel = await suite.workbench.panel('truth.json vs. cells.zip');
      const body = panel.locator('body');
      await body.press('o');
      assert.equal(await panel.getByRole('checkbox', { name: 'Color by outcome (O)' }).isChecked(), false);
      await body.press('o');
      await panel.getByRole('button', { name: /^Matched/ }).click();
      await body.press('p');
      await panel.locator('.object-facts').getByText('A 2', { exact: true }).waitFor();
      await body.press('p');
      await panel.locator('.object-facts').getByText('A 1', { exact: true }).waitFor();
    });

    it('judge only what is in a region, until that is taken back', async () => {
      const { workbench } = suite;
      const panel = await workbench.panel('truth.json vs. cells.zip');
      await panel.locator('body').press('0');
      await panel.locator('body').press('l');
      const canvas = panel.locator('canvas').first();
      const box = await canvas.boundingBox();
      assert.ok(box);
      // The image fills the view in one direction: its left half is around the middle of what is
      // left of the center.
      const scale = Math.min(box.width / WIDTH, box.height / HEIGHT) * 0.9;
      const at = (x: number, y: number): [number, number] => [
        box.x + box.width / 2 + (x - WIDTH / 2) * scale,
        box.y + box.height / 2 + (y - HEIGHT / 2) * scale,
      ];
      const { mouse } = workbench.page;
      await mouse.move(...at(0, 0));
      await mouse.down();
      for (const [x, y] of [
        [27, 0],
        [27, 30],
        [0, 30],
      ] as const)
        await mouse.move(...at(x, y), { steps: 6 });
      await mouse.up();
      await panel.getByText('Only the region is judged, in every image').waitFor();
      await showsOutcomes(panel, 'Matched 1, Only A 0, Only B 0, Split 0, Merged 0');
      await panel.locator('.status-line').getByRole('button', { name: 'Judge Whole Images' }).click();
      await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 1, Split 1, Merged 0');
      await workbench.closeTab('truth.json vs. cells.zip');
    });

    it('read QuPath GeoJSON, and list images that only one side has', async () => {
      const panel = await compareInExplorer(suite.workbench, 'c.geojson', 'cells.zip');
      await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 1, Split 1, Merged 0');
      await panel.getByRole('heading', { name: 'Only in B' }).waitFor();
      await panel.getByText('d.tif', { exact: true }).waitFor();
      await suite.workbench.closeTab('c.geojson vs. cells.zip');
    });

    it('read a folder of label images from the masks panel, and say which one is none', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      await compareFromMasks(workbench, 'cells.zip', 'Folder…');
      await quickInput.selectFolder(join(suite.folder, 'labels'), 'Compare');
      await chooseReference(workbench, 'labels');
      const panel = await workbench.panel('labels vs. cells.zip');
      await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 1, Split 1, Merged 0');
      await panel.getByRole('heading', { name: 'Not Compared' }).waitFor();
      await panel
        .getByText('d_label.tif: Its labels are floating-point numbers; labels must be whole numbers')
        .waitFor();
      // The image is looked for by the name that the archive has, not beneath its labels by theirs.
      await panel.getByText('No file in the workspace has this name.').waitFor();
      await workbench.screenshot('compare-labels');
      await workbench.closeTab('labels vs. cells.zip');
    });

    it('compare the two pipelines of the sample service for bright objects, from the menu of their jobs', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      await signInToSample(workbench);
      await slowDown(join(suite.folder, '..', 'host'), 0);
      for (const [job, pipeline] of [
        ['One class', 'Bright objects'],
        ['Two classes', 'two classes by size'],
      ] as const) {
        await workbench.explorerMenu(['nuclei-touching.png'], 'Analyze…');
        await quickInput.widget.locator('.monaco-list-row', { hasText: pipeline }).first().click();
        await quickInput.toggle('Also Generate Masks').waitFor();
        await quickInput.enter(job);
        await workbench.panel(`Masks of ${job}`);
      }
      await workbench.openContainer('Image Analysis');
      const jobs = workbench.tree('Jobs');
      await jobs.waitForItem('One class, done');
      await jobs.waitForItem('Two classes, done');
      await jobs.menuOfSeveral(['One class', 'Two classes'], 'Compare Masks…');
      const panel = await workbench.panel(/^(One class vs\. Two classes|Two classes vs\. One class)$/);
      await panel.getByText('Share of B matched').waitFor();
      await panel.locator('.threshold-value').waitFor();
      const count = async (name: RegExp) =>
        Number((await panel.getByRole('button', { name }).first().innerText()).replace(/\D/g, ''));
      await panel.getByRole('button', { name: /^Matched [1-9]/ }).waitFor();
      assert.ok((await count(/^Only A/)) + (await count(/^Only B/)) > 0, 'They find the same');
      assert.ok((await count(/^Split/)) + (await count(/^Merged/)) > 0, 'They split the same');
      // Both were made of the image that was uploaded.
      await panel.getByText(/^nuclei-touching\.png: /).waitFor();
      await workbench.screenshot('compare-pipelines');
    });
  });
});
