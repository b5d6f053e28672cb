import * as assert from 'node:assert/strict';
import { CodedError, canceledError } from '../../../../src/base/errors';
import type { UploadBody } from '../../../../src/service/node/client';
import { UploadQueue } from '../../../../src/uploads/node/uploadQueue';
import { fakeSource } from './fakeSource';
import { Gate } from './gate';

type UploadOptions = ConstructorParameters<typeof UploadQueue>[2];

/** An upload of files whose ends the test decides; `steps` is what happened, in order. */
function controlled(names: readonly string[], options: Partial<UploadOptions> = {}, size = 10) {
  const steps: string[] = [];
  const pending = new Map<string, Gate>();
  const began = new Map<string, Gate>();
  const signalOf = (name: string) => {
    const found = began.get(name) ?? new Gate();
    began.set(name, found);
    return found;
  };
  const client = {
    async uploadFile(file: UploadBody, onSent: (bytes: number) => void, signal?: AbortSignal) {
      steps.push(`send ${file.fileName}`);
      onSent(size / 2);
      const end = new Gate();
      pending.set(file.fileName, end);
      signal?.addEventListener('abort', () => end.fail(canceledError()));
      signalOf(file.fileName).open();
      await end.promise;
      onSent(size);
      return { id: `id of ${file.fileName}`, __t: 'File' };
    },
  };
  const queue = new UploadQueue(
    client,
    names.map(name => fakeSource(name, new Uint8Array(size))),
    {
      concurrency: 1,
      journal: {
        sending: indexes => Promise.resolve(void steps.push(`announce ${indexes.join(' ')}`)),
        ended: (index, state) => void steps.push(`${state} ${index}`),
      },
      ...options,
    },
  );
  const file = (name: string) => queue.files.find(({ fileName }) => fileName === name) ?? assert.fail(name);
  return {
    queue,
    steps,
    file,
    began: (name: string) => signalOf(name).promise,
    end: (name: string, error?: Error) => {
      began.delete(name);
      if (error) pending.get(name)?.fail(error);
      else pending.get(name)?.open();
    },
  };
}

const no = new CodedError('bad-request', 'no');

describe('Files of a running upload', () => {
  it('are announced to the journal before the first byte is sent, small ones together', async () => {
    const { queue, steps, began, end } = controlled(['a', 'b']);
    const running = queue.run();
    await began('a');
    end('a');
    await began('b');
    end('b', new CodedError('network', 'gone', { sent: true }));
    await running;
    assert.deepEqual(steps, ['announce 0 1', 'send a', 'done 0', 'send b', 'sending 1']);
  });

  it('are announced one by one where they are large', async () => {
    const { queue, steps, began, end } = controlled(['a', 'b'], {}, 16 * 1024 * 1024);
    const running = queue.run();
    await began('a');
    assert.deepEqual(steps, ['announce 0', 'send a']);
    end('a');
    await began('b');
    end('b');
    await running;
  });

  it('are announced in a few writes where they are many', async () => {
    let announced = 0;
    const names = Array.from({ length: 1000 }, (_, index) => `f${index}`);
    const { queue, began, end } = controlled(names, {
      journal: { sending: () => Promise.resolve(void (announced += 1)), ended: () => undefined },
    });
    const running = queue.run();
    for (const name of names) {
      await began(name);
      end(name);
    }
    assert.equal((await running).uploaded.length, 1000);
    assert.ok(announced <= 16, `${announced} writes`);
  });

  it('are not sent where the journal forbids it', async () => {
    const { queue, steps } = controlled(['a', 'b'], {
      journal: { sending: () => Promise.reject(canceledError()), ended: () => undefined },
    });
    const { failed } = await queue.run();
    assert.deepEqual(
      failed.map(({ error }) => error.code),
      ['cancelled', 'cancelled'],
    );
    assert.deepEqual(steps, []);
  });

  it('can be canceled one by one, sending or waiting, and the others go on', async () => {
    const { queue, file, began, end } = controlled(['a', 'b', 'c']);
    const running = queue.run();
    await began('a');
    queue.cancel(file('b'));
    queue.cancel(file('a'));
    await began('c');
    assert.deepEqual(
      queue.files.map(({ state }) => state),
      ['canceled', 'canceled', 'sending'],
    );
    end('c');
    const { uploaded, failed } = await running;
    assert.deepEqual(
      [uploaded.map(({ fileName }) => fileName), failed.map(({ uri }) => uri)],
      [['c'], ['file:///a', 'file:///b']],
    );
  });

  it('can be sent once more when they failed, while others are being sent', async () => {
    const progress: [number, number, number][] = [];
    const { queue, file, began, end } = controlled(['a', 'b'], {
      onProgress: ({ filesDone, bytesSent, bytesTotal }) => progress.push([filesDone, bytesSent, bytesTotal]),
    });
    const running = queue.run();
    await began('a');
    end('a', no);
    await began('b');
    assert.equal(file('a').error?.code, 'bad-request');
    queue.retry(file('a'));
    assert.equal(file('a').state, 'queued');
    end('b');
    await began('a');
    end('a');
    const { uploaded, failed } = await running;
    assert.deepEqual([uploaded.length, failed.length], [2, 0]);
    // Half of the first attempt's bytes were sent too.
    assert.deepEqual(progress.at(-1), [2, 25, 25]);
    queue.retry(file('a'));
    assert.equal(file('a').state, 'done', 'nothing is sent after the end');
  });

  it('say how far they are and how fast', async () => {
    let now = 0;
    const { queue, file, began, end } = controlled(['a'], { now: () => now });
    let changes = 0;
    queue.onDidChange(() => (changes += 1));
    const running = queue.run();
    await began('a');
    const { state, size, sent, bytesPerSecond } = file('a');
    assert.deepEqual([state, size, sent, bytesPerSecond], ['sending', 10, 5, undefined]);
    now = 2000;
    end('a');
    await running;
    assert.deepEqual([file('a').state, file('a').sent, file('a').bytesPerSecond], ['done', 10, 5]);
    assert.ok(changes >= 4);
  });

  it('count as not sent at a close until their last byte has left', async () => {
    const { queue, began, end } = controlled(['a', 'b', 'c']);
    const running = queue.run();
    await began('a');
    end('a');
    await began('b');
    assert.deepEqual(queue.statesAtClose(), ['done', 'queued', 'queued']);
    end('b', new CodedError('network', 'gone', { sent: true }));
    await began('c');
    assert.deepEqual(queue.statesAtClose(), ['done', 'queued', 'queued'], 'half of it was sent');
    end('c');
    await running;
    assert.deepEqual(queue.statesAtClose(), ['done', 'queued', 'done']);
  });
});
