import * as assert from 'node:assert/strict';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleImages } from '../../src/sample/node/images/sampleImages';
import { isRunning } from '../../src/base/node/thisProcess';
import { attempts } from './attempts';
import { filesOnService, holdService, placeSampleImages, sampleServiceOf } from './sampleFiles';
import { until } from './until';
import { inThemes, useWorkbench } from './useWorkbench';
import type { Workbench } from './workbench';

const largest = 2 * 1024 ** 3;

/** A file of that size that takes no space on the disk. */
async function writeHole(path: string, size: number): Promise<void> {
  await writeFile(path, '');
  await truncate(path, size);
}

inThemes(['dark'], 'Uploads that are interrupted', theme => {
  const suite = useWorkbench({
    theme,
    prepare: async folder => {
      for (const plate of ['plate', 'plate 2']) {
        await mkdir(join(folder, plate));
        await writeFile(join(folder, plate, 'a.raw'), 'a');
        // So large that it is still under way when the window is reloaded, or its extension host is
        // killed.
        await writeHole(join(folder, plate, 'b.raw'), largest);
        await writeFile(join(folder, plate, 'c.raw'), 'c');
      }
      await writeHole(join(folder, 'too large.tif'), largest + 1);
      // Of a format that isn't known here.
      await writeFile(join(folder, 'sound.vms'), 'another format');
      await placeSampleImages(folder);
    },
    settings: { 'imageAnalysis.uploads.concurrency': 1 },
  });

  const dataFolder = () => join(suite.folder, '..', 'host');
  const onService = () => filesOnService(dataFolder(), 'plate');

  /** Uploads a folder from the Explorer, all of it. */
  async function uploadPlate(plate = 'plate'): Promise<void> {
    const { workbench } = suite;
    await workbench.openContainer('Explorer');
    await workbench.explorer.menu(plate, 'Image Analysis', 'Upload…');
    await workbench.quickInput.titled('files');
    await workbench.quickInput.widget.getByRole('button', { name: 'OK' }).click();
  }

  it('begin with a sign-in where nobody is signed in, and go on after it', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.openContainer('Explorer');
    await workbench.explorer.menu('plate', 'Image Analysis', 'Upload…');
    await quickInput.titled('Sign In to Continue');
    await workbench.screenshot('uploads-00-sign-in');
    await quickInput.choose('Try the Sample Service');
    await quickInput.titled('files');
    await quickInput.escape();
    await workbench.readNotification('Signed in to the sample service');
    await workbench.clearNotifications();
  });

  it('are offered again after a reload', async () => {
    const { workbench } = suite;
    await uploadPlate();
    await workbench.notification('Uploading 3 files').getByText('1 of 3 files').waitFor();
    const goOn = await holdService(dataFolder());
    try {
      const loaded = workbench.page.waitForEvent('load').then(goOn);
      await workbench.reloadWindow();
      await loaded;
    } finally {
      goOn();
    }
    await workbench.readNotification("2 files weren't uploaded because their window closed.");
    await workbench.screenshot('uploads-02-offer');
    // What the view shows comes from the service, which ended with the window that had started it.
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Files').waitForItem('plate');
    assert.deepEqual(await onService(), ['a.raw']);
  });

  it('upload each file once when a person accepts that', async () => {
    const { workbench } = suite;
    await truncate(join(suite.folder, 'plate', 'b.raw'), 1000);
    await workbench.clickInNotification("weren't uploaded", 'Upload Again');
    await workbench.readNotification('Uploaded 2 files.');
    assert.deepEqual(await onService(), ['a.raw', 'b.raw', 'c.raw']);
    await workbench.clearNotifications();
  });

  it('are not repeated for files that have not changed, unless a person wants that', async () => {
    const { workbench } = suite;
    await uploadPlate();
    await workbench.dialog.getByText("All 3 files are already uploaded and haven't changed.").waitFor();
    await workbench.clickInDialog('Cancel');
    await writeFile(join(suite.folder, 'plate', 'd.raw'), 'd');
    await workbench.openContainer('Image Analysis');
    await uploadPlate();
    await workbench.dialog.getByText("3 of 4 files are already uploaded and haven't changed.").waitFor();
    await workbench.screenshot('uploads-03-unchanged');
    await workbench.clickInDialog('Upload Only New');
    await workbench.readNotification('Uploaded d.raw.');
    assert.deepEqual(await onService(), ['a.raw', 'b.raw', 'c.raw', 'd.raw']);
    await workbench.clearNotifications();
    await workbench.openContainer('Image Analysis');
  });

  it('are listed file by file, and a file can be canceled', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await truncate(join(suite.folder, 'plate', 'b.raw'), largest);
    await uploadPlate();
    await workbench.clickInDialog('Upload All');
    await workbench.notification('Uploading 4 files').getByText('1 of 4 files').waitFor();
    const goOn = await holdService(dataFolder());
    try {
      await workbench.screenshot('uploads-01-running');
      await workbench.statusBarItem(/4 files \d+%/).click();
      await quickInput.titled('Uploads');
      await quickInput.option('c.raw').getByText('Waiting').waitFor();
      await workbench.screenshot('uploads-04-list');
      for (const name of ['c.raw', 'b.raw']) {
        await quickInput.option(name).hover();
        await quickInput.option(name).getByRole('button', { name: 'Cancel', exact: true }).click();
      }
    } finally {
      goOn();
    }
    await quickInput.escape();
    await quickInput.closed();
    await workbench.notification('Uploading').waitFor({ state: 'detached' });
    assert.deepEqual(await onService(), ['a.raw', 'a.raw', 'b.raw', 'c.raw', 'd.raw', 'd.raw']);
    await workbench.screenshot('uploads-05-canceled');
    await workbench.clearNotifications();
    await workbench.openContainer('Image Analysis');
  });

  it('cannot begin by a drop without a path, which says what to do instead', async () => {
    const { workbench } = suite;
    const folder = workbench.tree('Files').item('plate');
    const dataTransfer = await workbench.page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      return data;
    });
    const words = 'Drop the files on the Explorer, then select Upload.';
    // VS Code forgets where something is dragged over when the tree changes meanwhile, and the drop
    // is lost.
    await attempts(async timeout => {
      for (const event of ['dragenter', 'dragover', 'drop'])
        await folder.dispatchEvent(event, { dataTransfer });
      await workbench.notification(words).first().waitFor({ timeout });
    });
    await workbench.readNotification(words);
    await workbench.screenshot('uploads-06-drop');
    await workbench.clearNotifications();
  });

  it('leave out damaged images, unless a person wants them', async () => {
    const { workbench } = suite;
    await mkdir(join(suite.folder, 'slides'));
    await writeFile(join(suite.folder, 'slides', 'a.vms'), 'sound');
    await writeFile(join(suite.folder, 'slides', 'b.svs'), '');
    await workbench.openContainer('Explorer');
    await workbench.explorer.waitForItem('slides');
    await uploadPlate('slides');
    await workbench.dialog.getByText('b.svs is damaged. The file is empty.').waitFor();
    await workbench.screenshot('uploads-08-damaged');
    await workbench.clickInDialog('Continue with 1 File');
    await workbench.readNotification('Uploaded a.vms.');
    assert.deepEqual(await filesOnService(dataFolder(), 'slides'), ['a.vms']);
    await workbench.clearNotifications();
    await workbench.openContainer('Image Analysis');
    await uploadPlate('slides');
    await workbench.clickInDialog('Upload All');
    await workbench.clickInDialog('Upload Only New');
    await workbench.readNotification('Uploaded b.svs.');
    assert.deepEqual(await filesOnService(dataFolder(), 'slides'), ['a.vms', 'b.svs']);
    await workbench.clearNotifications();
  });

  it('of an analysis are not repeated for files that have not changed', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    const image = sampleImages()[0] ?? assert.fail('there are sample images');
    await mkdir(join(suite.folder, 'again'));
    await writeFile(join(suite.folder, 'again', 'x.png'), image.bytes());
    await workbench.openContainer('Explorer');
    await workbench.explorer.waitForItem('again');
    const analyze = async (words: string, step: string) => {
      await workbench.explorer.menu('again', 'Analyze…');
      await quickInput.option('Bright objects').click();
      await quickInput.toggle('Also Generate Masks').waitFor();
      await quickInput.widget.getByText(words).waitFor();
      await workbench.screenshot(step);
      await quickInput.accept();
      await workbench.panel('Masks of x – Bright objects');
      await workbench.closeTab(/^Masks of/);
      await workbench.openContainer('Explorer');
    };
    await analyze('uses no credits', 'uploads-09-first-analysis');
    assert.deepEqual(await filesOnService(dataFolder(), 'again'), ['x.png']);
    await analyze(
      "It is already uploaded and hasn't changed, so it isn't sent again.",
      'uploads-10-analyzed-again',
    );
    assert.deepEqual(await filesOnService(dataFolder(), 'again'), ['x.png']);
  });

  it('do not begin for a file that is too large or damaged, before anything is asked', async () => {
    const { workbench } = suite;
    await writeFile(join(suite.folder, 'cut off.png'), Buffer.from('89504e470d0a1a0a0000', 'hex'));
    await workbench.explorerMenu(['cut off.png'], 'Analyze…');
    assert.match(await workbench.readNotification("cut off.png can't be analyzed"), /ends within its header/);
    await workbench.clearNotifications();
    await workbench.explorerMenu(['cut off.png', 'sound.vms', 'too large.tif'], 'Analyze…');
    await workbench.dialog.getByText("2 of 3 files can't be analyzed.").waitFor();
    await workbench.screenshot('uploads-07-refused');
    await workbench.clickInDialog('Continue with 1 File');
    await workbench.dialog.getByText('sound.vms is only the index of a slide').waitFor();
    await workbench.clickInDialog('Analyze Anyway');
    await workbench.quickInput.titled('Analyze sound.vms');
    await workbench.quickInput.escape();
    await workbench.explorerMenu(['too large.tif'], 'Analyze…');
    assert.match(await workbench.readNotification("too large.tif can't be analyzed"), /larger than 2 GB/);
    await workbench.quickInput.closed();
    await workbench.clearNotifications();
  });

  describe('by an extension host that is killed', () => {
    const windows: Workbench[] = [];
    /** The process of the sample service. */
    let service = 0;

    /** The extension host that uploads at the moment, as it says itself. */
    async function uploadingProcess(): Promise<number> {
      const accounts = join(dataFolder(), 'data/User/globalStorage/image-analysis.image-analysis/accounts');
      const entries = await readdir(accounts, { recursive: true });
      const claim = entries.find(name => name.endsWith('claim-1.json')) ?? assert.fail('no upload is stored');
      const { owner } = JSON.parse(await readFile(join(accounts, claim), 'utf8')) as {
        owner: { pid: number };
      };
      return owner.pid;
    }

    it('begin in one of two windows', async () => {
      const { workbench: first } = suite;
      service = (await sampleServiceOf(dataFolder())).pid;
      windows.push(first, await first.openAnother({ ownSecrets: false }));
    });

    it('are being sent when it is killed', async () => {
      const { workbench: first } = suite;
      await uploadPlate('plate 2');
      await first.notification('Uploading 3 files').getByText('1 of 3 files').waitFor();
      const goOn = await holdService(dataFolder());
      try {
        process.kill(await uploadingProcess(), 'SIGKILL');
      } finally {
        goOn();
      }
      await first.reload();
    });

    it('are offered by one of them, which sends nothing twice', async () => {
      const offers = windows.map(async window => {
        // The service has the first one, and says so.
        const offer = await window.readNotification("weren't uploaded because their window closed.");
        assert.match(offer, /2 files weren't uploaded/);
        assert.doesNotMatch(offer, /may already be on the service/);
        return window;
      });
      const offering = await Promise.any(offers);
      await offering.screenshot('uploads-07-offer-after-crash');
      await truncate(join(suite.folder, 'plate 2', 'b.raw'), 1000);
      await offering.clickInNotification("weren't uploaded", 'Upload Again');
      await offering.readNotification('Uploaded 2 files.');
      assert.deepEqual(await filesOnService(dataFolder(), 'plate 2'), ['a.raw', 'b.raw', 'c.raw']);
      for (const window of windows) {
        const messages = await window.notifications();
        assert.deepEqual(
          messages.filter(message => message.includes("weren't uploaded")),
          [],
        );
      }
    });

    it('are not offered again', async () => {
      // Each window finds what is stored for all: one is enough.
      const [window = assert.fail()] = windows;
      await window.reloadWindow();
      await window.openContainer('Image Analysis');
      await window.tree('Files').waitForItem('plate 2');
      assert.deepEqual(await window.notifications(), []);
    });

    it('leave a sample service that outlived all this, and ends soon after the last window', async () => {
      assert.equal((await sampleServiceOf(dataFolder())).pid, service);
      for (const window of windows) await window.leave();
      await until(() => !isRunning(service));
    });
  });
});
