import * as assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { image, index, rectangle, writeArchive } from '../unit/results/masks/archives';
import { useWorkbench } from './useWorkbench';

/** A workspace with a masks archive of two images and two classes, and a folder to export to. */
async function prepare(folder: string): Promise<void> {
  const archive = await writeArchive({
    'index.json': index('Nucleus', 'Cell'),
    'a_objects.json': image('a', 40, 30, [
      rectangle(1, 2, 2, 12, 12, 'Nucleus'),
      rectangle(2, 8, 8, 30, 28, 'Cell'),
    ]),
    'b_objects.json': image('b', 40, 30, [rectangle(1, 5, 5, 15, 25, 'Cell')]),
  });
  await copyFile(archive.path, join(folder, 'masks.zip'));
  await archive.remove();
  await mkdir(join(folder, 'exports'));
}

describe('A person who takes masks to another tool', () => {
  const suite = useWorkbench({ theme: 'dark', prepare });
  const exports = () => join(suite.folder, 'exports');

  /** Names the folder in VS Code's own dialog. */
  async function chooseFolder(): Promise<void> {
    const { quickInput } = suite.workbench;
    await quickInput.titled('Where to export to?');
    // The dialog lists a folder before it takes another.
    await quickInput.option('..').waitFor();
    await quickInput.type(`${exports()}/`);
    await quickInput.option('exports').waitFor({ state: 'detached' });
    await quickInput.widget.getByRole('button', { name: 'Export Here' }).click();
  }

  const acceptTicked = () => suite.workbench.quickInput.widget.getByRole('button', { name: 'OK' }).click();

  const asked = (question: string) =>
    suite.workbench.quickInput.widget
      .getByPlaceholder(question)
      .or(suite.workbench.quickInput.widget.getByText(question));

  it('exports an archive from the explorer, without any account', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.explorerMenu(['masks.zip'], 'Image Analysis', 'Export Masks…');
    await quickInput.titled('Export the masks of masks.zip');
    await workbench.screenshot('export-01-formats');
    await quickInput.choose('Label images (TIFF)');
    await asked('Which images?').first().waitFor();
    await workbench.screenshot('export-02-images');
    await acceptTicked();
    await asked('Which classes?').first().waitFor();
    await acceptTicked();
    await quickInput.choose('One label image with all classes');
    await chooseFolder();
    const said = await workbench.readNotification('Exported 3 objects');
    assert.match(said, /to 3 files.*16 pixels were lost to overlap/);
    await workbench.screenshot('export-03-said');
    await workbench.clearNotifications();
    assert.deepEqual((await readdir(exports())).sort(), [
      'a_labels.tif',
      'b_labels.tif',
      'masks_labels.tif.csv',
    ]);
  });

  it('exports from the title of the masks panel, and leaves with Esc without a word', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.explorerMenu(['masks.zip'], 'Image Analysis', 'Open Masks Archive');
    await workbench.panel(/masks\.zip/);
    const button = workbench.page.locator('.editor-actions').getByRole('button', { name: 'Export Masks…' });
    await button.click();
    await quickInput.titled('Export the masks of masks.zip');
    await quickInput.choose('COCO JSON');
    await asked('Which images?').first().waitFor();
    await quickInput.escape();
    await quickInput.closed();
    assert.deepEqual(await workbench.notifications(), []);

    await button.click();
    await quickInput.choose('COCO JSON');
    await asked('Which images?').first().waitFor();
    await acceptTicked();
    await asked('Which classes?').first().waitFor();
    await quickInput.option('Nucleus').locator('[role=checkbox], input').first().uncheck();
    await acceptTicked();
    await chooseFolder();
    await workbench.readNotification('Exported 2 objects to masks_coco.json');
    await workbench.clearNotifications();
  });

  it('is asked before files are replaced', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.runCommand('Image Analysis: Export Masks…');
    await quickInput.choose('COCO JSON');
    await asked('Which images?').first().waitFor();
    await acceptTicked();
    await asked('Which classes?').first().waitFor();
    await acceptTicked();
    await chooseFolder();
    await workbench.dialog.getByText('"masks_coco.json" exists already').first().waitFor();
    await workbench.screenshot('export-04-replace');
    await workbench.answerDialog('Replace');
    await workbench.readNotification('Exported 3 objects to masks_coco.json');
    const { annotations } = JSON.parse(await readFile(join(exports(), 'masks_coco.json'), 'utf8')) as {
      annotations: unknown[];
    };
    assert.equal(annotations.length, 3);
  });
});
