import { deepEqual, equal, rejects } from 'node:assert/strict';
import { percentIncrements, showIfSlow, type WorkProgress } from '../../../src/host/workProgress';
import { canceledError } from '../../../src/base/errors';

type ShowWork = Parameters<typeof showIfSlow>[1];

interface Step {
  message?: string;
  increment?: number;
}

/** Work that ends when the test says so. */
class Work {
  readonly started: Promise<{ signal: AbortSignal; progress: WorkProgress }>;
  finish!: (result: string) => void;
  fail!: (error: Error) => void;
  private readonly result: Promise<string>;
  private start!: (call: { signal: AbortSignal; progress: WorkProgress }) => void;

  constructor() {
    this.started = new Promise(resolve => (this.start = resolve));
    this.result = new Promise((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
  }

  readonly run = (signal: AbortSignal, progress: WorkProgress): Promise<string> => {
    this.start({ signal, progress });
    signal.addEventListener('abort', () => this.fail(canceledError()));
    return this.result;
  };
}

describe('Work that is shown only if it is slow', () => {
  let work: Work;
  let steps: Step[];
  let cancel: AbortController;
  /** The time after which work is slow has passed. */
  let pass: () => void;
  let whenShown: Promise<void>;
  let show: ShowWork;

  beforeEach(() => {
    work = new Work();
    steps = [];
    cancel = new AbortController();
    whenShown = new Promise(resolve => {
      show = async shown => {
        const running = shown({ report: step => void steps.push(step) }, cancel.signal);
        resolve();
        await running;
      };
    });
  });

  const start = () =>
    showIfSlow(work.run, show, (_milliseconds, signal) => {
      return new Promise((resolve, reject) => {
        pass = resolve;
        signal?.addEventListener('abort', () => reject(canceledError()));
      });
    });

  it('is not shown when it finishes quickly', async () => {
    const running = start();
    work.finish('done');
    equal(await running, 'done');
    deepEqual(steps, []);
  });

  it('is shown with what it reported before', async () => {
    const running = start();
    const { progress } = await work.started;
    progress.report({ message: 'downloading', increment: 20 });
    progress.report({ increment: 5 });
    pass();
    await whenShown;
    progress.report({ message: 'reading', increment: 30 });
    work.finish('done');
    equal(await running, 'done');
    deepEqual(steps, [
      { message: 'downloading', increment: 25 },
      { message: 'reading', increment: 30 },
    ]);
  });

  it('is aborted by Cancel', async () => {
    const running = start();
    const { signal } = await work.started;
    pass();
    await whenShown;
    cancel.abort();
    await rejects(running, { code: 'cancelled' });
    equal(signal.aborted, true);
  });

  it('fails as it does without being shown', async () => {
    const quick = start();
    work.fail(new Error('no such folder'));
    await rejects(quick, /no such folder/);
    work = new Work();
    const slow = start();
    pass();
    await whenShown;
    work.fail(new Error('no such folder'));
    await rejects(slow, /no such folder/);
  });
});

describe('The increments of a bar', () => {
  it('add up to the percentage', () => {
    const increment = percentIncrements();
    deepEqual([10, 25, 100].map(increment), [10, 15, 75]);
  });

  it('never let it go back', () => {
    const increment = percentIncrements();
    deepEqual([50, 20, 40, 60].map(increment), [50, 0, 0, 10]);
  });
});
