import { deepEqual, equal, rejects } from 'node:assert/strict';
import { SessionEngine } from '../../../../src/session/node/sessionEngine';
import { Emitter } from '../../../../src/base/event';
import { silentLog } from '../../../../src/base/log';
import type { Engine } from '../../../../src/session/engineProtocol';

/** A thread that answers every request with its number, and sends events when the test says so. */
class Thread {
  readonly crash = new Emitter<Error>();
  readonly listeners = new Map<string, (params: unknown) => void>();
  isDisposed = false;
  readonly onDidCrash = this.crash.event;
  readonly endpoint = {
    request: () => Promise.resolve(this.number),
    on: (event: string, listener: (params: unknown) => void) => {
      this.listeners.set(event, listener);
      return { dispose: () => this.listeners.delete(event) };
    },
  };

  constructor(readonly number: number) {}

  dispose(): void {
    this.isDisposed = true;
  }
}

/** An engine, the threads that it started, and what was reported of them. */
function sessionEngine() {
  const threads: Thread[] = [];
  const reported: unknown[] = [];
  const engine = new SessionEngine({
    startEngine: () => {
      const thread = new Thread(threads.length + 1);
      threads.push(thread);
      return thread as unknown as Engine;
    },
    onProgress: progress => reported.push(progress),
    onMasksStarted: () => reported.push('masks started'),
    onImagesRead: () => reported.push('images read'),
    onTableGrowth: () => reported.push('table growth'),
    onCrash: () => reported.push('crash'),
    log: silentLog,
  });
  const request = () => engine.request('imageOrigin', { image: 0 }) as Promise<unknown>;
  return { engine, threads, reported, request };
}

describe('The engine of a session', () => {
  it('starts with the first request, and after a crash with the next one', async () => {
    const { threads, reported, request } = sessionEngine();
    equal(threads.length, 0);
    deepEqual([await request(), await request()], [1, 1]);
    threads[0]?.crash.fire(new Error('out of luck'));
    deepEqual([threads.length, reported], [1, ['crash']]);
    equal(await request(), 2);
  });

  it('stops starting threads that crash repeatedly, until the user tries again', async () => {
    const { engine, threads, request } = sessionEngine();
    for (let crash = 0; crash < 3; crash++) {
      await request();
      threads.at(-1)?.crash.fire(new Error('out of luck'));
    }
    await rejects(request(), /out of luck/);
    engine.resetCrashes();
    equal(await request(), 4);
  });

  it('passes on what its thread reports', async () => {
    const { threads, reported, request } = sessionEngine();
    await request();
    const thread = threads[0];
    thread?.listeners.get('progress')?.({ what: 'measured', name: 'objects', done: 1, total: 2 });
    const ofImage = { what: 'backgroundImage', name: 'backgroundImage', image: 3, done: 1, total: 2 };
    thread?.listeners.get('progress')?.(ofImage);
    for (const event of ['masksStarted', 'imagesRead', 'tableGrowth']) thread?.listeners.get(event)?.({});
    deepEqual(reported, [
      { part: 'objects', phase: 'measuring', done: 1, total: 2 },
      { part: 'backgroundImage', phase: 'reading', image: 3, done: 1, total: 2 },
      'masks started',
      'images read',
      'table growth',
    ]);
  });

  it('ends its thread with the session, and starts no other', async () => {
    const { engine, threads, request } = sessionEngine();
    await request();
    equal(threads[0]?.listeners.size, 5);
    engine.dispose();
    equal(threads[0]?.isDisposed, true);
    // It may be one that others use too.
    equal(threads[0].listeners.size, 0);
    await rejects(request(), { code: 'cancelled' });
  });
});
