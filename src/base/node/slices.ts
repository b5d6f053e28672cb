import { throwIfCanceled } from '../errors';

/** Milliseconds that a thread works before it receives messages, such as cancel. */
const SLICE = 12;

/** Pauses long work at intervals, so that the thread receives messages. */
export class Pacer {
  private sliceStart = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /** Call between small steps of long work. Pauses if a pause is due. Throws `cancelled`. */
  async pause(): Promise<void> {
    if (performance.now() - this.sliceStart < SLICE) return;
    await new Promise<void>(resolve => setImmediate(resolve));
    throwIfCanceled(this.signal);
    this.sliceStart = performance.now();
  }

  /** Whether `pause` would pause; a hot loop checks this to save an await. */
  get isDue(): boolean {
    return performance.now() - this.sliceStart >= SLICE;
  }
}

/** Items of an array that a simple loop handles in a few milliseconds. */
const ITEMS_PER_PART = 1 << 18;

/** Works on `count` items in parts [start, end) with pauses between them. Throws `cancelled`. */
export async function eachPart(
  count: number,
  pacer: Pacer,
  work: (start: number, end: number) => void,
): Promise<void> {
  for (let start = 0; start < count; start += ITEMS_PER_PART) {
    if (pacer.isDue) await pacer.pause();
    work(start, Math.min(count, start + ITEMS_PER_PART));
  }
}

/** Runs a generator in slices; it yields its progress. Throws `cancelled`. */
export async function runInSlices<P, R>(
  steps: Generator<P, R>,
  signal?: AbortSignal,
  onProgress?: (progress: P) => void,
): Promise<R> {
  throwIfCanceled(signal);
  const pacer = new Pacer(signal);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (!pacer.isDue) continue;
    onProgress?.(step.value);
    await pacer.pause();
  }
}
