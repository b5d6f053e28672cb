import * as assert from 'node:assert/strict';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isRunning } from '../../src/base/node/thisProcess';
import { filesOnService, sampleServiceOf, signInToSample } from './sampleFiles';
import { useWorkbench } from './useWorkbench';
import type { Workbench } from './workbench';

describe('Uploads whose extension host is killed', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: async folder => {
      const plate = join(folder, 'plate');
      await mkdir(plate);
      await writeFile(join(plate, 'a.png'), 'a');
      // So large that it is still being sent when the host is killed, without taking space on the disk.
      await writeFile(join(plate, 'b.tif'), '');
      await truncate(join(plate, 'b.tif'), 2 * 1024 ** 3);
      await writeFile(join(plate, 'c.png'), 'c');
    },
    settings: { 'imageAnalysis.uploads.concurrency': 1 },
  });
  const windows: Workbench[] = [];
  /** The process of the sample service. */
  let service = 0;

  const dataFolder = () => join(suite.folder, '..', 'host');

  /** The extension host that uploads at the moment, as it says itself. */
  async function uploadingProcess(): Promise<number> {
    const accounts = join(dataFolder(), 'data/User/globalStorage/image-analysis.image-analysis/accounts');
    const entries = await readdir(accounts, { recursive: true });
    const claim = entries.find(name => name.endsWith('claim-1.json')) ?? assert.fail('no upload is stored');
    const { owner } = JSON.parse(await readFile(join(accounts, claim), 'utf8')) as { owner: { pid: number } };
    return owner.pid;
  }

  it('begin in one of two windows', async () => {
    const { workbench: first } = suite;
    await signInToSample(first);
    service = (await sampleServiceOf(dataFolder())).pid;
    windows.push(first, await first.openAnother({ ownSecrets: false }));
  });

  it('are being sent when it is killed', async () => {
    const { workbench: first } = suite;
    await first.openContainer('Explorer');
    await first.explorer.menu('plate', 'Image Analysis', 'Upload…');
    await first.quickInput.titled('files');
    await first.quickInput.widget.getByRole('button', { name: 'OK' }).click();
    await first.notification('Uploading 3 files').getByText('1 of 3 files').waitFor();
    process.kill(await uploadingProcess(), 'SIGKILL');
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
    await truncate(join(suite.folder, 'plate', 'b.tif'), 1000);
    await offering.clickInNotification("weren't uploaded", 'Upload Again');
    await offering.readNotification('Uploaded 2 files.');
    assert.deepEqual(await filesOnService(dataFolder(), 'plate'), ['a.png', 'b.tif', 'c.png']);
    for (const window of windows) {
      const messages = await window.notifications();
      assert.deepEqual(
        messages.filter(message => message.includes("weren't uploaded")),
        [],
      );
    }
  });

  it('are not offered again', async () => {
    for (const window of windows) {
      await window.reloadWindow();
      await window.openContainer('Image Analysis');
      await window.tree('Files').waitForItem('plate');
      assert.deepEqual(await window.notifications(), []);
    }
  });

  it('leave a sample service that outlived all this, and ends soon after the last window', async () => {
    assert.equal((await sampleServiceOf(dataFolder())).pid, service);
    const closed = Date.now();
    for (const window of windows) await window.leave();
    while (isRunning(service)) await setTimeout(100);
    assert.ok(Date.now() - closed < 20_000, 'a machine with much to do has some seconds more');
  });
});
