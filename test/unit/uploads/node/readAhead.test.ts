import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UploadBody } from '../../../../src/service/node/client';
import { bytesOf, memoryWith } from '../../../../src/service/node/multipartBody';
import { canceledError } from '../../../../src/base/errors';
import type { FileSource } from '../../../../src/uploads/node/fileSource';
import { UploadQueue, type UploadJournal } from '../../../../src/uploads/node/uploadQueue';
import { fakeSource } from './fakeSource';
import { Gate } from './gate';

const MB = 1024 * 1024;

describe('Reading ahead', () => {
  /** How often each file was read, by its name. */
  let reads: string[];
  let sent: string[];
  let time: number;

  beforeEach(() => {
    reads = [];
    sent = [];
    time = 0;
  });

  function source(name: string, more: Partial<FileSource> = {}): FileSource {
    return fakeSource(name, name, {
      isReadAhead: true,
      whole() {
        reads.push(name);
        const content = `${name}, read ${reads.filter(read => read === name).length}`;
        return Promise.resolve({ ...memoryWith(Buffer.from(content)), identity: 'unchanged' });
      },
      ...more,
    });
  }

  const names = (count: number) => Array.from({ length: count }, (_, index) => `file ${index}`);

  function queueOf(
    sources: FileSource[],
    answer: (file: UploadBody) => Promise<void> | void,
    journal?: UploadJournal,
  ): UploadQueue {
    const client = {
      async uploadFile(file: UploadBody, _: unknown, signal?: AbortSignal) {
        await answer(file);
        if (signal?.aborted) throw canceledError();
        sent.push(file.inMemory ? bytesOf(file.inMemory).toString() : 'in pieces');
        return { id: file.fileName, __t: 'File' };
      },
    };
    return new UploadQueue(client, sources, { concurrency: 1, now: () => time, ...(journal && { journal }) });
  }

  it('reads the next files while one is sent, and each only once', async () => {
    const first = new Gate();
    const all = names(60);
    const queue = queueOf(
      all.map(name => source(name)),
      ({ fileName }) => (fileName === 'file 0' ? first.promise : undefined),
    );
    const running = queue.run();
    while (reads.length < 13) await nextTurn();
    await nextTurn();
    assert.deepEqual([...reads].sort(), all.slice(0, 13).sort());
    first.open();
    await running;
    assert.deepEqual([...reads].sort(), [...all].sort());
    assert.deepEqual(
      sent,
      all.map(name => `${name}, read 1`),
    );
  });

  it('goes on with files that are announced after those being sent', async () => {
    const last = new Gate();
    const announced: number[] = [];
    const queue = queueOf(
      names(100).map(name => source(name)),
      ({ fileName }) => (fileName === 'file 62' ? last.promise : undefined),
      { sending: indexes => Promise.resolve(void announced.push(...indexes)), ended: () => undefined },
    );
    const running = queue.run();
    while (sent.length < 62) await nextTurn();
    assert.deepEqual([announced.length, reads.includes('file 64')], [100, true]);
    last.open();
    await running;
  });

  it('does not announce a long file before those ahead of it', async () => {
    const first = new Gate();
    const announced: number[] = [];
    const long = names(3).map(name => source(name, { listedSize: 16 * MB }));
    const queue = queueOf(long, () => first.promise, {
      sending: indexes => Promise.resolve(void announced.push(...indexes)),
      ended: () => undefined,
    });
    const running = queue.run();
    while (announced.length < 1) await nextTurn();
    await nextTurn();
    assert.deepEqual(announced, [0]);
    first.open();
    await running;
  });

  it('holds no more than a few megabytes', async () => {
    const first = new Gate();
    const large = names(20).map(name => source(name, { listedSize: MB }));
    const queue = queueOf(large, () => first.promise);
    const running = queue.run();
    while (reads.length < 5) await nextTurn();
    await nextTurn();
    assert.equal(reads.length, 5);
    first.open();
    await running;
    assert.equal(sent.length, 20);
  });

  it('skips long files and those that are read in this thread', async () => {
    const first = new Gate();
    const sources = [
      source('first'),
      source('long', { listedSize: MB + 1 }),
      source('here', { isReadAhead: false }),
      source('next'),
    ];
    const queue = queueOf(sources, () => first.promise);
    const running = queue.run();
    while (!reads.includes('next')) await nextTurn();
    assert.deepEqual(reads, ['next', 'first']);
    first.open();
    await running;
  });

  it('reads a file again if it was read long before its turn', async () => {
    const queue = queueOf([source('a'), source('b')], ({ fileName }) => {
      if (fileName === 'a') time = 5000;
    });
    await queue.run();
    assert.deepEqual(sent, ['a, read 1', 'b, read 2']);
  });

  it('reports a file that could not be read when its turn comes, and sends the others', async () => {
    const broken = source('b', { whole: () => Promise.reject(new Error('disk gone')) });
    const { failed } = await queueOf([source('a'), broken, source('c')], () => undefined).run();
    assert.deepEqual(
      failed.map(({ uri, error }) => [uri, error.code]),
      [['file:///b', 'not-a-file']],
    );
    assert.equal(sent.length, 2);
  });

  it('sends nothing of a file that was canceled after it was read', async () => {
    const queue: UploadQueue = queueOf([source('a'), source('b')], ({ fileName }) => {
      const [, next] = queue.files;
      if (fileName === 'a' && next) queue.cancel(next);
    });
    const { failed } = await queue.run();
    assert.deepEqual(
      failed.map(({ error }) => error.code),
      ['cancelled'],
    );
    assert.deepEqual(sent, ['a, read 1']);
  });

  it('can be canceled while reading a file ahead hangs', async () => {
    const hanging = source('b', { whole: () => new Promise(() => undefined) });
    const queue = queueOf([source('a'), hanging], () => undefined);
    const running = queue.run();
    while (sent.length === 0) await nextTurn();
    const [, second] = queue.files;
    if (second) queue.cancel(second);
    assert.equal((await running).failed[0]?.error.code, 'cancelled');
  });

  /** Sizes of the groups that the journal got, if sending a file takes so many milliseconds. */
  async function groupsOf(count: number, milliseconds: number): Promise<number[]> {
    const groups: number[] = [];
    const sending = (indexes: readonly number[]) => {
      groups.push(indexes.length);
      return Promise.resolve();
    };
    const queue = queueOf(
      names(count).map(name => source(name)),
      () => void (time += milliseconds),
      { sending, ended: () => undefined },
    );
    await queue.run();
    assert.equal(sent.length, count);
    return groups;
  }

  it('has the journal written once for as many files as are sent in half a second', async () => {
    // 64 files take longer than a quarter of a second.
    assert.deepEqual(await groupsOf(200, 10), [64, 64, 64, 8]);
  });

  it('has it written less often where many more are sent in that time, but not once for all', async () => {
    assert.deepEqual(await groupsOf(1400, 0.1), [64, 128, 256, 512, 440]);
  });

  it('has a group after a slow one as small as the first', async () => {
    // 64 files take 160 ms, 128 take 320 ms.
    assert.deepEqual((await groupsOf(400, 2.5)).slice(0, 4), [64, 128, 64, 128]);
  });
});
