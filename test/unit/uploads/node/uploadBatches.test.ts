import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClaimedBatch, UploadBatches } from '../../../../src/uploads/node/uploadBatches';
import { silentLog } from '../../../../src/base/log';
import { FakeMachine, type FakeWindow } from './fakeMachine';

type BatchContent = Parameters<UploadBatches['create']>[0];

const files = ['a', 'b', 'c', 'd', 'e'].map(name => ({
  uri: `file:///${name}.tif`,
  fileName: `${name}.tif`,
  folder: '',
  size: 10,
}));
const content: BatchContent = { destinationFolder: 'plates', files };

/** Names of the files not uploaded; those that may have been sent have a question mark. */
function unfinished(batch: ClaimedBatch | undefined): string[] | undefined {
  return batch?.unfinished.map(({ file, mayBeSent }) => file.fileName.slice(0, 1) + (mayBeSent ? '?' : ''));
}

async function claimAll({ batches }: FakeWindow): Promise<ClaimedBatch[]> {
  const claimed: ClaimedBatch[] = [];
  for (const { id } of await batches.all()) {
    const batch = await batches.claim(id);
    if (batch) claimed.push(batch);
  }
  return claimed;
}

describe('Upload batches', () => {
  let machine: FakeMachine;
  let first: FakeWindow;

  beforeEach(() => {
    machine = new FakeMachine();
    first = machine.openWindow();
  });

  it('are found by a new window after a crash, with what was being sent marked', async () => {
    const journal = await first.batches.create(content);
    await journal.sending([0, 1]);
    journal.ended(0, 'done');
    await journal.sending([2]);
    journal.ended(1, 'failed');
    await journal.sending([3]);
    machine.crash(first);
    const [batch] = await claimAll(machine.openWindow());
    assert.equal(batch?.destinationFolder, 'plates');
    assert.deepEqual(unfinished(batch), ['b', 'c?', 'd?', 'e']);
    assert.deepEqual(batch?.unfinished[0]?.file, files[1]);
  });

  it('are all queued after a crash before the first file was sent', async () => {
    await first.batches.create(content);
    machine.crash(first);
    assert.deepEqual(unfinished((await claimAll(machine.openWindow()))[0]), ['a', 'b', 'c', 'd', 'e']);
  });

  it('do not exist until their list is complete', async () => {
    const half = machine.openWindow();
    await first.parts.disk.makeFolder('half');
    await first.parts.disk.create(
      'half/claim-1.json',
      '{"owner":{"session":"x","pid":1,"host":"here"},"phase":"sending"}',
    );
    assert.deepEqual(await half.batches.all(), []);
    assert.deepEqual(machine.files.size, 0);
  });

  it('leave nothing when they end', async () => {
    const journal = await first.batches.create(content);
    await journal.sending([0]);
    await journal.finish();
    assert.equal(machine.files.size, 0);
    assert.equal(machine.active, 0, 'no timer, no watcher');
    assert.deepEqual(await first.batches.all(), []);
  });

  it('are looked at once for each write of their window, whose own changes mean nothing', async () => {
    const journal = await first.batches.create(content);
    machine.lists = 0;
    for (const index of [0, 1, 2]) await journal.sending([index]);
    assert.equal(machine.lists, 3);
  });

  for (const tellsNames of [true, false])
    it(`end at once where another window cancels them or takes them over${tellsNames ? '' : ', also where no names are told'}`, async () => {
      machine.tellsNames = tellsNames;
      for (const name of ['cancel', 'claim-2.json']) {
        const journal = await first.batches.create(content);
        const aborted = new Promise(resolve => journal.signal.addEventListener('abort', resolve));
        await machine.openWindow().parts.disk.create(`${journal.id}/${name}`, '');
        await aborted;
      }
    });

  it('belong to their window as long as it is heard of', async () => {
    const journal = await first.batches.create(content);
    const second = machine.openWindow();
    for (let minutes = 0; minutes < 60; minutes++) machine.pass(60_000);
    await journal.sending([0]);
    assert.deepEqual(await claimAll(second), []);
    assert.equal((await second.batches.all())[0]?.owner?.isSending, true);
  });

  it('are taken over from a window that is not heard of any more, though its process runs', async () => {
    const journal = await first.batches.create(content);
    await journal.sending([0]);
    journal.ended(0, 'done');
    await journal.sending([1]);
    const second = machine.openWindow();
    machine.now += 61_000;
    assert.deepEqual(unfinished((await claimAll(second))[0]), ['b?', 'c', 'd', 'e']);
    await assert.rejects(journal.sending([2]), { code: 'cancelled' });
    assert.equal(journal.signal.aborted, true);
    await journal.finish();
    assert.equal((await second.batches.all()).length, 1, 'it is the second window to delete it');
  });

  it('are claimed once, in whatever order two windows try', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async scheduler => {
        const shared = new FakeMachine();
        const owner = shared.openWindow();
        const journal = await owner.batches.create(content);
        await journal.sending([0, 1]);
        journal.ended(0, 'done');
        await journal.sending([2]);
        shared.crash(owner);
        shared.whenItsTurn = () => scheduler.schedule(Promise.resolve());
        const windows = [shared.openWindow(), shared.openWindow()];
        const claimed = await scheduler.waitFor(Promise.all(windows.map(claimAll)));
        assert.deepEqual(claimed.flat().map(unfinished), [['b?', 'c?', 'd', 'e']]);
      }),
      { numRuns: 200 },
    );
  });

  it('never offer a file as not sent that a slow owner still sends', async () => {
    let sentByOwner = 0;
    let stopped = 0;
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async scheduler => {
        const shared = new FakeMachine();
        const journal = await shared.openWindow().batches.create(content);
        await journal.sending([0]);
        // It slept for longer than others wait for it.
        shared.now += 61_000;
        const second = shared.openWindow();
        shared.whenItsTurn = () => scheduler.schedule(Promise.resolve());
        const sent = new Set([0]);
        const sendOn = async () => {
          for (const index of [1, 2, 3]) {
            await journal.sending([index]);
            sent.add(index);
          }
        };
        const [claimed] = await scheduler.waitFor(
          Promise.all([claimAll(second), sendOn().catch(() => (stopped += 1))]),
        );
        const offered = claimed[0]?.unfinished.filter(({ mayBeSent }) => !mayBeSent) ?? [];
        for (const { file } of offered)
          assert.ok(
            !sent.has(files.indexOf(file)) && !sent.has(files.findIndex(({ uri }) => uri === file.uri)),
          );
        sentByOwner += sent.size - 1;
      }),
      { numRuns: 200 },
    );
    assert.ok(sentByOwner > 0 && stopped > 0, 'both orders occur');
  });

  it('pass to the next window when the one that offers them ends', async () => {
    const journal = await first.batches.create(content);
    await journal.sending([0]);
    machine.crash(first);
    const second = machine.openWindow();
    assert.equal((await claimAll(second)).length, 1);
    assert.deepEqual(await claimAll(second), [], 'it offers once');
    const third = machine.openWindow();
    machine.now += 3_600_000;
    assert.deepEqual(await claimAll(third), [], 'an offer needs no heartbeat');
    assert.equal(machine.active, 2, 'the timer and the watcher of the window that crashed, and no others');
    machine.crash(second);
    assert.deepEqual(unfinished((await claimAll(third))[0]), ['a?', 'b', 'c', 'd', 'e']);
  });

  it('can be offered again at once when a person leaves the offer', async () => {
    await first.batches.create(content);
    machine.crash(first);
    const second = machine.openWindow();
    const [batch] = await claimAll(second);
    assert.ok(batch);
    await batch.claim.release(batch.states);
    assert.equal((await claimAll(machine.openWindow())).length, 1);
  });

  it('are released by a window that closes, with what it knows', async () => {
    const journal = await first.batches.create(content);
    await journal.sending([0, 1, 2]);
    journal.close(['done', 'sending', 'queued', 'queued', 'queued']);
    assert.equal(machine.active, 0);
    // Its process may take a while to end.
    assert.deepEqual(unfinished((await claimAll(machine.openWindow()))[0]), ['b?', 'c', 'd', 'e']);
  });

  it('are canceled from another window while they are sent, and then gone', async () => {
    const journal = await first.batches.create(content);
    await journal.sending([0]);
    const second = machine.openWindow();
    const [stored] = await second.batches.all();
    await second.batches.cancel(stored?.id ?? '');
    await new Promise(resolve => journal.signal.addEventListener('abort', resolve));
    await assert.rejects(journal.sending([1]), { code: 'cancelled' });
    await journal.finish();
    assert.equal(machine.files.size, 0);
  });

  it('are canceled at the next heartbeat where folders cannot be watched', async () => {
    const window = machine.openWindow();
    window.parts.disk.watch = () => ({ dispose: () => undefined });
    const journal = await window.batches.create(content);
    await first.batches.cancel(journal.id);
    assert.equal(journal.signal.aborted, false);
    machine.pass(5000);
    await new Promise(resolve => journal.signal.addEventListener('abort', resolve));
  });

  it('are deleted when found, where they were canceled without an owner', async () => {
    const journal = await first.batches.create(content);
    machine.crash(first);
    const second = machine.openWindow();
    await second.batches.cancel(journal.id);
    assert.deepEqual(await claimAll(second), []);
    assert.equal(machine.files.size, 0);
  });

  it('do not exist any more once all their files are uploaded', async () => {
    const journal = await first.batches.create(content);
    await journal.sending([0, 1, 2, 3, 4]);
    for (const index of files.keys()) journal.ended(index, index < 3 ? 'done' : 'canceled');
    machine.pass(5000);
    await first.batches.all();
    machine.crash(first);
    assert.deepEqual(await claimAll(machine.openWindow()), []);
    assert.equal(machine.files.size, 0);
  });

  describe('with damaged files', () => {
    const damage = (name: string, change: (text: string) => string) => {
      for (const [file, entry] of machine.files)
        if (file.endsWith(name)) machine.files.set(file, { ...entry, text: change(entry.text) });
    };

    beforeEach(async () => {
      const journal = await first.batches.create(content);
      await journal.sending([0, 1]);
      journal.ended(0, 'done');
      machine.pass(5000);
      await first.batches.all();
      machine.crash(first);
      machine.now += 61_000;
    });

    it('count every file as perhaps sent where nothing is known', async () => {
      damage('claim-1.json', () => '{"owner":');
      const [batch] = await claimAll(machine.openWindow());
      assert.deepEqual(unfinished(batch), ['a?', 'b?', 'c?', 'd?', 'e?']);
    });

    it('count a file as perhaps sent whose state is no state', async () => {
      damage('claim-1.json', text => text.replace('dsqqq', 'd!q'));
      assert.deepEqual(unfinished((await claimAll(machine.openWindow()))[0]), ['b?', 'c', 'd?', 'e?']);
    });

    it('do not trust an older claim where the newest is damaged', async () => {
      const second = machine.openWindow();
      await claimAll(second);
      machine.crash(second);
      damage('claim-2.json', () => '');
      machine.now += 61_000;
      assert.deepEqual(unfinished((await claimAll(machine.openWindow()))[0]), ['b?', 'c?', 'd?', 'e?']);
    });

    it('lose only the lines that are damaged', async () => {
      damage('files.jsonl', text => text.replace('"fileName":"c.tif"', '"fileName":'));
      assert.deepEqual(unfinished((await claimAll(machine.openWindow()))[0]), ['b?', 'd', 'e']);
    });

    it('are dropped, which the log says, where the list as a whole is', async () => {
      damage('files.jsonl', () => '\u0000\u0000');
      const lines: string[] = [];
      const window = machine.openWindow({ ...silentLog, warn: line => lines.push(line) });
      assert.deepEqual(await claimAll(window), []);
      assert.equal(lines.length, 1);
      assert.equal(machine.files.size, 0);
    });
  });

  it('take one write for many files, and continue where the disk is full', async () => {
    const errors: string[] = [];
    const window = machine.openWindow({ ...silentLog, error: line => errors.push(line) });
    const journal = await window.batches.create(content);
    await journal.sending([0, 1, 2, 3, 4]);
    for (const index of files.keys()) journal.ended(index, 'done');
    assert.equal(machine.writes.get(`${journal.id}/claim-1.json`), 2);
    machine.full = true;
    await journal.sending([0]);
    assert.equal(errors.length, 1);
    await assert.rejects(window.batches.create(content), /disk full/);
    machine.full = false;
    await journal.finish();
    assert.equal(machine.files.size, 0);
  });
});
