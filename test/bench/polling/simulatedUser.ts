import { CodedError } from '../../../src/base/errors';
import { silentLog } from '../../../src/base/log';
import { JobTracker } from '../../../src/jobs/node/jobTracker';
import manifest from '../../../package.json';
import { PendingJobs } from '../../../src/jobs/node/pendingJobs';
import { MemoryFiles } from '../../unit/jobs/node/memoryFiles';
import { SimulatedService } from '../../unit/jobs/node/simulatedService';
import type { VirtualTime } from '../../unit/jobs/node/virtualTime';

const INTERVAL_SECONDS =
  manifest.contributes.configuration.properties['imageAnalysis.jobs.pollingInterval'].default;

/**
 * One account whose jobs the real tracker follows, on the virtual clock, at the default interval.
 */
export class SimulatedUser {
  readonly service: SimulatedService;
  readonly tracker: JobTracker;
  /** When each job was noticed to have ended. */
  readonly ends = new Map<string, number>();

  constructor(
    private readonly time: VirtualTime,
    random: () => number,
  ) {
    this.service = new SimulatedService(time);
    this.tracker = new JobTracker({
      client: this.service.client,
      polls: this.service.client,
      pending: new PendingJobs(new MemoryFiles()),
      log: silentLog,
      intervalSeconds: () => INTERVAL_SECONDS,
      delay: time.delay,
      now: time.now,
      random,
    });
    this.tracker.onDidEnd(({ jobId }) => this.ends.set(jobId, time.now()));
  }

  /** Starts jobs of these durations, in milliseconds, and tracks them. */
  async start(durations: readonly number[], what: 'analysis' | 'masks' = 'analysis'): Promise<void> {
    for (const [index, duration] of durations.entries()) {
      const id = `job${index}`;
      this.service.addRunning(what === 'masks' ? `${id}/masks` : id, duration);
      await this.tracker.track(id, { what, by: 'person' });
    }
  }

  /** Has every request fail, as it does while the service is down. */
  fail(retryAt?: number): void {
    this.service.behavior.before = () => {
      if (retryAt === undefined) throw new CodedError('network', 'The connection was refused');
      const retryAfter = Math.ceil((retryAt - this.time.now()) / 1000);
      throw new CodedError('service-error', 'Down for maintenance', { status: 503, retryAfter });
    };
  }

  recover(): void {
    delete this.service.behavior.before;
  }

  get requests(): number {
    return this.service.requests.length;
  }
}

/** Numbers in 0…1 that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
