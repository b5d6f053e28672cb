import * as assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { image, index, rectangle, writeArchive } from '../unit/masks/engine/archives';
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

describe('Exporting masks to another tool', () => {
  const suite = useWorkbench({ theme: 'dark', prepare });
  const exports = () => join(suite.folder, 'exports');

  /** Enters the folder in VS Code's own dialog. */
  async function chooseFolder(): Promise<void> {
    const { quickInput } = suite.workbench;
    await quickInput.titled('Choose an export folder');
    // The dialog lists a folder before it accepts another.
    await quickInput.option('..').waitFor();
    await quickInput.type(`${exports()}/`);
    await quickInput.option('exports').waitFor({ state: 'detached' });
    await quickInput.widget.getByRole('button', { name: 'Export Here' }).click();
  }

  const acceptTicked = () => suite.workbench.quickInput.widget.getByRole('button', { name: 'OK' }).click();

  const prompt = (text: string) =>
    suite.workbench.quickInput.widget
      .getByPlaceholder(text)
      .or(suite.workbench.quickInput.widget.getByText(text));

  it('exports an archive from the explorer, without any account', async () => {
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

  it('exports from the toolbar of the masks panel, and cancels silently with Esc', async () => {
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

  it('confirms before files are replaced', async () => {
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
