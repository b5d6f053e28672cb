import * as assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDisposable } from '../../../../src/base/disposable';
import { silentLog } from '../../../../src/base/log';
import { CrossWindowFolder } from '../../../../src/base/node/crossWindowFolder';
import { UploadBatches } from '../../../../src/uploads/node/uploadBatches';
import { ForeignDisk } from '../../foreignDisk';

type BatchContent = Parameters<UploadBatches['create']>[0];

type BatchParts = ConstructorParameters<typeof UploadBatches>[0];

const content: BatchContent = {
  destinationFolder: 'plates',
  files: ['a', 'b', 'c'].map(name => ({
    uri: `file:///${name}.tif`,
    fileName: `${name}.tif`,
    folder: '',
    size: 10,
  })),
};

describe('Upload batches on a disk where files are held open', () => {
  let folder: string;
  let disk: ForeignDisk;
  const running = new Set<number>();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'batches-'));
    disk = new ForeignDisk(folder);
    running.clear();
  });

  afterEach(async () => {
    disk.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  function openWindow(pid: number): UploadBatches {
    running.add(pid);
    const parts: BatchParts = {
      // The windows look when the tests have them look.
      disk: Object.assign(new CrossWindowFolder(folder), { watch: () => toDisposable(() => undefined) }),
      currentProcess: {
        session: `session ${pid}`,
        pid,
        host: 'here',
        bootedAt: 0,
        isRunning: other => running.has(other),
      },
      now: () => Date.now(),
      every: () => toDisposable(() => undefined),
      log: silentLog,
    };
    return new UploadBatches(parts);
  }

  const isClaim = (file: string) => /claim-\d+\.json$/.test(file);

  for (const code of ['EBUSY', 'EACCES', 'EPERM']) {
    it(`stay with the window that sends them while a virus scanner reads their claims, with ${code}`, async () => {
      const journal = await openWindow(1).create(content);
      await journal.sending([0]);
      const scanned = disk.scan(isClaim, 30, code);
      const second = openWindow(2);
      assert.equal((await second.all())[0]?.owner?.isSending, true);
      assert.equal(await second.claim(journal.id), undefined);
      assert.ok((disk.refused.get('read') ?? 0) > 0);
      scanned.dispose();
      await journal.sending([1]);
      assert.equal(journal.signal.aborted, false);
      await journal.finish();
    });
  }

  it('stay with it where their claims cannot be read at all, and lose nothing', async () => {
    const journal = await openWindow(1).create(content);
    await journal.sending([0]);
    const held = disk.refuse(['read'], 'EBUSY', isClaim);
    const second = openWindow(2);
    assert.equal((await second.all())[0]?.owner?.isSending, true);
    assert.equal(await second.claim(journal.id), undefined);
    held.dispose();
    await journal.sending([1]);
    assert.equal(journal.signal.aborted, false);
    running.delete(1);
    const states = (await second.claim(journal.id))?.states;
    assert.deepEqual(states, ['sending', 'sending', 'queued']);
  });

  it('are not dropped by a window that cannot read their list', async () => {
    const journal = await openWindow(1).create(content);
    await journal.sending([0]);
    running.delete(1);
    const second = openWindow(2);
    const held = disk.refuse(['read'], 'EACCES', file => file.endsWith('files.jsonl'));
    await assert.rejects(second.claim(journal.id), { code: 'EACCES' });
    held.dispose();
    const claimed = await second.claim(journal.id);
    assert.deepEqual(
      claimed?.unfinished.map(({ mayBeSent }) => mayBeSent),
      [true, false, false],
    );
  });
});
