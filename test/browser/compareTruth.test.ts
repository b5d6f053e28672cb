import * as assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tiff } from '../unit/images/tiffFixture';
import { image, index, rectangle, writeArchive } from '../unit/masks/engine/archives';
import { accessibilityFaults } from './accessibility';
import { compareFromMasks, compareInExplorer, showsOutcomes } from './comparisons';
import { signInToSample, slowDown, writeSampleImages } from './sampleFiles';
import { useWorkbench } from './useWorkbench';

const [WIDTH, HEIGHT] = [80, 60];

type Rectangle = readonly [x1: number, y1: number, x2: number, y2: number];

/** The objects of A: one that B has, one that it splits into halves, one that it misses. */
const truth: readonly Rectangle[] = [
  [2, 2, 22, 22],
  [30, 5, 60, 25],
  [5, 35, 25, 55],
];

/** What a ground truth may be but an archive, and an archive to compare it with: each with something that can't be read. */
async function prepare(folder: string): Promise<void> {
  await writeSampleImages(folder, ['nuclei-touching.png']);
  const objects = [
    rectangle(11, 3, 2, 22, 22, 'Nucleus'),
    rectangle(12, 30, 5, 45, 25, 'Nucleus'),
    rectangle(13, 46, 5, 60, 25, 'Nucleus'),
  ];
  const archive = await writeArchive({
    'index.json': index('Nucleus'),
    'a_objects.json': image('a', WIDTH, HEIGHT, objects),
    'b_objects.json': image('b', WIDTH, HEIGHT, objects),
  });
  await copyFile(archive.path, join(folder, 'found.zip'));
  await archive.remove();

  const ring = ([x1, y1, x2, y2]: Rectangle) => [x1, y1, x2, y1, x2, y2, x1, y2];
  const annotation = (id: number, image_id: number, box: Rectangle) => ({
    id,
    image_id,
    category_id: 1,
    segmentation: [ring(box)],
  });
  const coco = {
    images: [1, 2].map(id => ({ id, file_name: `${'.ab'[id]}.tif`, width: WIDTH, height: HEIGHT })),
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
  await writeFile(join(folder, 'a.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));

  const labels = new Uint16Array(WIDTH * HEIGHT);
  truth.forEach(([x1, y1, x2, y2], at) => {
    for (let y = y1; y < y2; y++) labels.fill(at + 1, y * WIDTH + x1, y * WIDTH + x2);
  });
  await mkdir(join(folder, 'labels'));
  const write = async (name: string, samples: Uint16Array | Float32Array) =>
    await writeFile(join(folder, 'labels', name), tiff([{ width: WIDTH, height: HEIGHT, samples }]));
  await write('a_masks.tif', labels);
  await write('b_label.tif', Float32Array.from(labels));
}

describe('Comparing masks with ground truth, and two pipelines', () => {
  const suite = useWorkbench({
    theme: 'light',
    prepare,
    // Else the file that the first click opens is selected alone, once it is open.
    settings: { 'explorer.autoReveal': false, 'imageAnalysis.jobs.pollingInterval': 1 },
  });

  it('read COCO JSON, and say which annotations are left out', async () => {
    const panel = await compareInExplorer(suite.workbench, 'truth.json', 'found.zip');
    await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 1, Split 1, Merged 0');
    // Counts in both images, of which the second has but one object of A.
    const all = await panel.locator('.outcome-all').allInnerTexts();
    assert.deepEqual(
      all.map(text => Number(text.replace(/\D/g, ''))),
      [3, 1, 3, 1, 0],
    );
    await panel.getByText("A: 1 annotation was left out: its image isn't in the file.").waitFor();
    await panel.getByText("a.tif: 1 object can't be read. 1: A later annotation has the same ID").waitFor();
    await suite.workbench.screenshot('compare-coco');
    assert.deepEqual(await accessibilityFaults(panel, 'color-contrast'), []);
  });

  it('color what became of objects only as long as that is on, and go back through a list by a key', async () => {
    const panel = await suite.workbench.panel('truth.json vs. found.zip');
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
    const panel = await workbench.panel('truth.json vs. found.zip');
    await panel.locator('body').press('0');
    await panel.locator('body').press('l');
    const canvas = panel.locator('canvas').first();
    const box = await canvas.boundingBox();
    assert.ok(box);
    // The image fills the view in one direction: its left half is around the middle of what is left of the center.
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
    await workbench.closeTab('truth.json vs. found.zip');
  });

  it('read QuPath GeoJSON, and list images that only one side has', async () => {
    const panel = await compareInExplorer(suite.workbench, 'a.geojson', 'found.zip');
    await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 1, Split 1, Merged 0');
    await panel.getByRole('heading', { name: 'Only in B' }).waitFor();
    await panel.getByText('b.tif', { exact: true }).waitFor();
    await suite.workbench.closeTab('a.geojson vs. found.zip');
  });

  it('read a folder of label images from the masks panel, and say which one is none', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await compareFromMasks(workbench, 'found.zip', 'Folder…');
    await quickInput.selectFolder(join(suite.folder, 'labels'), 'Compare');
    await quickInput.titled('Compare Masks');
    await quickInput.choose('labels');
    const panel = await workbench.panel('labels vs. found.zip');
    await showsOutcomes(panel, 'Matched 2, Only A 1, Only B 1, Split 1, Merged 0');
    await panel.getByRole('heading', { name: 'Not Compared' }).waitFor();
    await panel
      .getByText('b_label.tif: Its labels are floating-point numbers; labels must be whole numbers')
      .waitFor();
    // The image is looked for by the name that the archive has, not beneath its labels by theirs.
    await panel.getByText('No file in the workspace has this name.').waitFor();
    await workbench.screenshot('compare-labels');
    await workbench.closeTab('labels vs. found.zip');
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
    await jobs.waitForItem('One class, succeeded');
    await jobs.waitForItem('Two classes, succeeded');
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
