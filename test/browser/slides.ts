import * as assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ndpi } from '../unit/images/slides/ndpiFixture';
import { level } from '../unit/images/slides/slideImages';
import { slowDown } from './sampleFiles';
import type { Suite } from './useWorkbench';
import { MasksView } from './views/masksView';

/** Stained nuclei on a slide, at 1 / scale of its size. */
const nuclei =
  (scale = 1) =>
  (px: number, py: number): readonly [number, number, number] => {
    const [x, y] = [px * scale, py * scale];
    const [column, row] = [Math.floor(x / 64), Math.floor(y / 64)];
    const isStained = Math.hypot(x - 64 * column - 32, y - 64 * row - 30) < 13 + ((column + row) % 3);
    return isStained ? [80, 60, 130] : [236, 228, 238];
  };

const slide = () => [
  level(
    { width: 1024, height: 768, sampling: [2, 1], restart: 16 },
    { lens: 20, resolution: 20_000 },
    nuclei(),
  ),
  level({ width: 256, height: 192, sampling: [2, 1], restart: 16 }, { lens: 5, resolution: 5000 }, nuclei(4)),
  level({ width: 96, height: 32, sampling: [2, 1] }, { lens: -1, starts: 'none' }, nuclei(16)),
];

/** Writes slides into a workspace. */
export async function prepareSlides(folder: string): Promise<void> {
  await writeFile(join(folder, 'slide.ndpi'), ndpi(slide()).bytes);
  const damaged = slide();
  const [finest = assert.fail()] = damaged;
  const { bytes, starts } = finest.jpeg;
  bytes.fill(0xff, starts[5], starts[7]);
  await writeFile(join(folder, 'damaged.ndpi'), ndpi(damaged).bytes);
  for (const name of ['two-areas.scn', 'overlaps.bif', 'ycbcr-33003.svs'])
    await copyFile(resolve('test/golden/slides', name), join(folder, name));
  await writeFile(join(folder, 'lonely.vms'), '[Virtual Microscope Specimen]\nImageFile=lonely.jpg\n');
}

/**
 * Tests of slides, in a window that has them in its workspace and is signed in to the sample
 * service.
 */
export function testSlides(suite: Suite): void {
  const shown = async (fact: string): Promise<MasksView> => {
    const { workbench } = suite;
    const view = new MasksView(workbench.page, await workbench.panel(/^(?!Masks of)/));
    await view.frame.getByText(fact).first().waitFor();
    return view;
  };

  it('opens by a click in the Explorer, with its magnification, pixel size and macro image', async () => {
    const { workbench } = suite;
    // One page is on the screen at a time.
    await workbench.clearNotifications();
    for (const title of [/^Masks of/, /^Objects of/]) await workbench.closeTab(title);
    await workbench.openByClick('slide.ndpi');
    const view = await shown('1,024 × 768 px');
    await view.frame.getByText('20×').first().waitFor();
    await view.frame.getByText('0.5 µm').first().waitFor();
    await view.frame.getByText('slide.ndpi, macro image').first().waitFor();
    await view.painted();
    await workbench.screenshot('slides-01-ndpi');
    await workbench.closeTab('slide.ndpi');
  });

  it('of each other format that is read opens as well, areas as a list', async () => {
    const { workbench } = suite;
    await workbench.openByClick('two-areas.scn');
    const areas = await shown('256 × 192 px');
    await areas.frame.getByText('two-areas.scn, area 2').first().waitFor();
    await areas.painted();
    await workbench.screenshot('slides-02-areas');
    await workbench.closeTab('two-areas.scn');
    await workbench.openByClick('overlaps.bif');
    await (await shown('350 × 190 px')).painted();
    await workbench.closeTab('overlaps.bif');
    await workbench.explorer.menu('ycbcr-33003.svs', 'Open With...');
    await workbench.quickInput.option('Image Analysis Image').click();
    await (await shown('JPEG 2000')).painted();
    await workbench.closeTab('ycbcr-33003.svs');
  });

  it('with a damaged part shows the rest, and says so', async () => {
    const { workbench } = suite;
    await workbench.openByClick('damaged.ndpi');
    const view = await shown('1,024 × 768 px');
    await view.canvas.press('1');
    await view.frame.getByText("Hatched parts of the image are damaged and can't be decoded").waitFor();
    await workbench.screenshot('slides-03-damaged');
    await workbench.closeTab('damaged.ndpi');
  });

  it('that is only an index is refused by name, and warned of before it is analyzed', async () => {
    const { workbench } = suite;
    await workbench.explorer.menu('lonely.vms', 'Open With...');
    await workbench.quickInput.option('Image Analysis Image').click();
    const refused = await workbench.panel(/^(?!Masks of)/);
    await refused.getByRole('alert').filter({ hasText: 'Hamamatsu VMS' }).waitFor();
    await workbench.closeTab('lonely.vms');
    await workbench.explorerMenu(['lonely.vms'], 'Analyze…');
    await workbench.dialog.getByText('lonely.vms is only the index of a slide').waitFor();
    await workbench.screenshot('slides-04-index');
    await workbench.clickInDialog('Cancel');
    await workbench.quickInput.closed();
  });

  it('is analyzed from the Explorer, and its masks lie on it', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await slowDown(join(suite.folder, '..', 'host'), 0);
    await workbench.explorer.item('slide.ndpi').click({ button: 'right' });
    await workbench.chooseInMenu('Analyze…');
    await quickInput.titled('Analyze slide.ndpi');
    await quickInput.widget.locator('.monaco-list-row', { hasText: 'Nuclei in tissue' }).click();
    await quickInput.toggle('Also Generate Masks', true).waitFor();
    await quickInput.accept();
    const masks = new MasksView(workbench.page, await workbench.panel(/^Masks of slide/));
    await masks.section('Background image').getByText('1,024 × 768 px').waitFor();
    await masks.seeMasks();
    await masks.frame.getByText('192 objects').first().waitFor();
    await workbench.screenshot('slides-05-masks');
  });
}
