import * as assert from 'node:assert/strict';
import type { AnalysisClient, UploadBody } from '../../../../src/service/node/client';
import {
  AccountUploads,
  type OfferAnswer,
  offerUnfinished,
  type UnfinishedOffer,
} from '../../../../src/uploads/node/accountUploads';
import type { FilesystemItem } from '../../../../src/service/wire';
import type { CancelSignal } from '../../../../src/base/canceling';
import { CodedError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { UploadBatches } from '../../../../src/uploads/node/uploadBatches';
import { FakeMachine, type FakeWindow } from './fakeMachine';
import { fakeSource } from './fakeSource';
import { Gate } from './gate';

const files = ['a', 'b', 'c', 'd'].map(name => ({
  uri: `file:///${name}`,
  fileName: name,
  folder: '',
  size: 100,
}));

/** A window with the uploads of an account; `upload` is what becomes of a file's upload. */
function uploadsOf(
  window: FakeWindow,
  upload: (file: UploadBody, signal: CancelSignal) => Promise<unknown>,
  list: AnalysisClient['listFilesystemItems'] = () => Promise.reject(new CodedError('network', 'no')),
) {
  const sent: string[] = [];
  const uploads = new AccountUploads({
    client: {
      async uploadFile(file, onSent, signal = new AbortController().signal) {
        sent.push(file.fileName);
        for await (const piece of file.open(signal)) onSent(piece.byteLength);
        await upload(file, signal);
        return { id: `id of ${file.fileName}`, __t: 'File' };
      },
      listFilesystemItems: list,
    },
    records: { add: () => undefined, flush: () => Promise.resolve() },
    hashes: { hold: () => ({ dispose: () => undefined }) },
    batches: window.batches,
    log: silentLog,
  });
  const send = (replaces?: Parameters<AccountUploads['send']>[2], some = files) =>
    uploads.send(
      { files: some, failed: [] },
      {
        destinationFolder: 'plates',
        concurrency: 1,
        open: ({ fileName }) => fakeSource(fileName, new Uint8Array(100)),
        signal: new AbortController().signal,
      },
      replaces,
    );
  return { uploads, sent, send };
}

const never = () => new Promise(() => undefined);

describe('The uploads of an account', () => {
  let machine: FakeMachine;
  let first: FakeWindow;

  beforeEach(() => {
    machine = new FakeMachine();
    first = machine.openWindow();
  });

  /** What a window is offered, and what is uploaded again after the answer. */
  async function offerIn(window: FakeWindow, answer: OfferAnswer, hasKey = true) {
    const offers: UnfinishedOffer[] = [];
    const { uploads } = uploadsOf(window, never);
    const again = await offerUnfinished(
      {
        uploads,
        hasKey: () => Promise.resolve(hasKey),
        ask: offer => {
          offers.push(offer);
          return Promise.resolve(answer);
        },
        wait: () => Promise.reject(new Error('nothing to wait for')),
      },
      new AbortController().signal,
    );
    return { offers, again };
  }

  /** A window that was closed while "c" was sent; "b" had failed. */
  async function closedWhileSendingC(whole: boolean): Promise<void> {
    const reached = new Gate();
    const { uploads, send } = uploadsOf(first, ({ fileName }) => {
      if (fileName === 'b') throw new CodedError('bad-request', 'no');
      if (fileName !== 'c') return Promise.resolve();
      reached.open();
      return never();
    });
    void send();
    await reached.promise;
    if (whole) uploads.dispose();
    machine.crash(first);
  }

  it('leave nothing behind when they end, whatever became of the files', async () => {
    const { send, uploads } = uploadsOf(first, ({ fileName }) =>
      fileName === 'b' ? Promise.reject(new CodedError('bad-request', 'no')) : Promise.resolve(),
    );
    const { uploaded, failed } = await send();
    assert.deepEqual([uploaded.length, failed.length], [3, 1]);
    assert.equal(machine.files.size, 0);
    assert.equal(machine.active, 0);
    assert.deepEqual(uploads.running, []);
  });

  it('are offered once after their window closed, with what may be on the service', async () => {
    await closedWhileSendingC(true);
    const second = machine.openWindow();
    const { offers, again } = await offerIn(second, 'unsent');
    assert.deepEqual(offers, [{ fileName: 'b', fileCount: 3, mayBeSent: 1 }]);
    assert.deepEqual(
      again.map(one => [one.destinationFolder, one.files.map(({ fileName }) => fileName)]),
      [['plates', ['b', 'd']]],
    );
    assert.deepEqual((await offerIn(machine.openWindow(), 'all')).offers, []);
  });

  /** Lists of the service by the ID of the folder, "" being the root. */
  function listsOf(lists: Record<string, Partial<FilesystemItem>[]>): AnalysisClient['listFilesystemItems'] {
    return ({ folderId = '', startingAfter } = {}) => {
      const items = startingAfter === undefined ? (lists[folderId] ?? []) : [];
      const results = items.map((item, at) => ({ id: `${folderId}-${at}`, __t: 'File', ...item }));
      return Promise.resolve({ results, skipped: 0 });
    };
  }

  /** What is offered, and the states that are stored, after a crash while "c" was sent. */
  async function offeredWith(list: AnalysisClient['listFilesystemItems']) {
    machine = new FakeMachine();
    first = machine.openWindow();
    await closedWhileSendingC(false);
    machine.now += 3_600_000;
    const { uploads } = uploadsOf(machine.openWindow(), never, list);
    const [batch] = await uploads.claimUnfinished();
    return batch?.unfinished.map(({ file, mayBeSent }) => file.fileName + (mayBeSent ? '?' : '')) ?? [];
  }
  const plates = { name: 'plates', __t: 'Folder', id: 'f1' };
  const start = new FakeMachine().now;
  const at = (milliseconds: number) => new Date(start + milliseconds).toISOString();

  it('are not offered where the service has them since', async () => {
    const createdAt = at(1000);
    assert.deepEqual(
      await offeredWith(
        listsOf({
          '': [plates],
          f1: [
            { name: 'a', createdAt },
            { name: 'c', createdAt },
          ],
        }),
      ),
      ['b', 'd'],
    );
  });

  it('were not sent where the service does not have them, or had them long before', async () => {
    const all = ['a', 'b', 'c', 'd'];
    assert.deepEqual(await offeredWith(listsOf({ '': [plates], f1: [] })), all);
    assert.deepEqual(await offeredWith(listsOf({ '': [] })), all);
    const createdAt = at(-48 * 3_600_000);
    assert.deepEqual(await offeredWith(listsOf({ '': [plates], f1: [{ name: 'c', createdAt }] })), all);
  });

  it('may have been sent where the service does not say', async () => {
    const unclear = ['a?', 'b?', 'c?', 'd?'];
    assert.deepEqual(await offeredWith(() => Promise.reject(new CodedError('timeout', 'no'))), unclear);
    assert.deepEqual(await offeredWith(listsOf({ '': [plates, { ...plates, id: 'f2' }] })), unclear);
    assert.deepEqual(await offeredWith(listsOf({ '': [plates], f1: [{ name: 'x' }, {}] })), unclear);
    for (const item of [{}, { createdAt: 'yesterday' }, { createdAt: at(-60_000) }]) {
      const list = listsOf({ '': [plates], f1: [{ name: 'c', ...item }] });
      assert.deepEqual(await offeredWith(list), ['a', 'b', 'c?', 'd']);
    }
  });

  it('are sent again only where the person chose to, and each file once', async () => {
    await closedWhileSendingC(true);
    const second = machine.openWindow();
    const { again } = await offerIn(second, 'all');
    const { send, sent } = uploadsOf(second, () => Promise.resolve());
    assert.deepEqual(sent, []);
    await send(again[0]?.claim, again[0]?.files);
    assert.deepEqual(sent, ['b', 'c', 'd']);
    assert.equal(machine.files.size, 0);
  });

  it('are gone when discarded, and offered by the next window when left', async () => {
    await closedWhileSendingC(true);
    assert.deepEqual((await offerIn(machine.openWindow(), undefined)).again, []);
    const { offers } = await offerIn(machine.openWindow(), 'discard');
    assert.equal(offers.length, 1);
    assert.equal(machine.files.size, 0);
  });

  it('are offered once by a window, and by the next when that closes while it offers', async () => {
    await closedWhileSendingC(true);
    const second = machine.openWindow();
    const { uploads } = uploadsOf(second, never);
    const offer = () =>
      offerUnfinished(
        {
          uploads,
          hasKey: () => Promise.resolve(true),
          ask: ({ fileCount }) => Promise.resolve(void offers.push(fileCount)),
        },
        new AbortController().signal,
      );
    const offers: number[] = [];
    await offer();
    await offer();
    assert.deepEqual(offers, [3], 'what a person leaves is not offered again at once');

    const third = uploadsOf(machine.openWindow(), never).uploads;
    assert.equal((await third.claimUnfinished()).length, 1);
    // Its process may take a while to end.
    third.dispose();
    assert.equal((await uploadsOf(machine.openWindow(), never).uploads.claimUnfinished()).length, 1);
  });

  it('are left for another time where the disk takes no claim, and keep no others from being offered', async () => {
    await closedWhileSendingC(true);
    const second = machine.openWindow();
    const left = (await second.batches.all())[0]?.id ?? '';
    const { disk } = second.parts;
    const full = (file: string, text: string) =>
      file.startsWith(left) ? Promise.reject(new Error('ENOSPC')) : disk.create(file, text);
    const batches = new UploadBatches({ ...second.parts, disk: { ...disk, create: full } });
    first = machine.openWindow();
    await closedWhileSendingC(true);
    const { offers } = await offerIn({ ...second, batches }, 'unsent');
    assert.deepEqual(
      offers.map(({ fileCount }) => fileCount),
      [3],
    );
    assert.deepEqual((await offerIn(machine.openWindow(), undefined)).offers.length, 1);
  });

  it('are left to windows that have a key', async () => {
    await closedWhileSendingC(true);
    const { offers } = await offerIn(machine.openWindow(), 'all', false);
    assert.deepEqual(offers, []);
    const { again } = await offerIn(machine.openWindow(), 'all');
    assert.equal(again.length, 1);
  });

  it('send nothing more once their window closes', async () => {
    const reached = new Gate();
    const { uploads, send, sent } = uploadsOf(first, (_, signal) => {
      reached.open();
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new CodedError('cancelled', ''))),
      );
    });
    const sending = send();
    await reached.promise;
    uploads.dispose();
    // The process goes on for a while.
    await sending;
    assert.deepEqual(sent, ['a']);
    const { offers } = await offerIn(machine.openWindow(), undefined);
    assert.deepEqual(offers, [{ fileName: 'a', fileCount: 4, mayBeSent: 1 }]);
  });

  it('count small files that were announced together as perhaps sent after a crash', async () => {
    await closedWhileSendingC(false);
    const { offers } = await offerIn(machine.openWindow(), undefined);
    assert.deepEqual(offers, [{ fileName: 'a', fileCount: 4, mayBeSent: 4 }]);
  });

  it('are waited for while another window uploads, which may be closing', async () => {
    const reached = new Gate();
    const { uploads, send } = uploadsOf(first, () => {
      reached.open();
      return never();
    });
    void send();
    await reached.promise;
    const waits: number[] = [];
    const { uploads: others } = uploadsOf(machine.openWindow(), never);
    const questions: UnfinishedOffer[] = [];
    await offerUnfinished(
      {
        uploads: others,
        hasKey: () => Promise.resolve(true),
        ask: offer => Promise.resolve(void questions.push(offer)),
        wait: milliseconds => {
          waits.push(milliseconds);
          assert.deepEqual(questions, []);
          if (waits.length === 3) uploads.dispose();
          return Promise.resolve();
        },
      },
      new AbortController().signal,
    );
    assert.deepEqual([waits.length, questions.length], [3, 1]);
  });

  it('are canceled from another window: what is being sent ends, the rest is not sent', async () => {
    const reached = new Gate();
    const { send, sent } = uploadsOf(
      first,
      (_, signal) =>
        new Promise((_resolve, reject) => {
          reached.open();
          signal.addEventListener('abort', () => reject(new CodedError('cancelled', '')));
        }),
    );
    const sending = send();
    await reached.promise;
    const { uploads: others } = uploadsOf(machine.openWindow(), never);
    const [there] = await others.elsewhere();
    assert.ok(there);
    await others.cancelElsewhere(there);
    const { failed } = await sending;
    assert.deepEqual(
      failed.map(({ error }) => error.code),
      ['cancelled', 'cancelled', 'cancelled', 'cancelled'],
    );
    assert.deepEqual(sent, ['a']);
    assert.equal(machine.files.size, 0);
  });

  it('go on where they cannot be stored', async () => {
    machine.full = true;
    const { send } = uploadsOf(first, () => Promise.resolve());
    assert.equal((await send()).uploaded.length, 4);
  });

  it('go on where the upload that they replace can not be deleted', async () => {
    const { send, sent } = uploadsOf(first, () => Promise.resolve());
    const replaced = { remove: () => Promise.reject(new Error('the disk is gone')) };
    await send(replaced as unknown as NonNullable<Parameters<typeof send>[0]>);
    assert.equal(sent.length, files.length);
    assert.deepEqual(await first.batches.all(), []);
  });
});
