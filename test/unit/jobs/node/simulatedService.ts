import type { PageQuery } from '../../../../src/service/node/client';
import type { AnalysisJob, MasksJob, Page } from '../../../../src/service/wire';
import { CodedError } from '../../../../src/base/errors';
import type { VirtualTime } from './virtualTime';

const links = { objectsDataCSVUrl: 'https://x.test/o', aggregateDataCSVUrl: 'https://x.test/a' };

/** A job of the service: what it says of itself as time passes. */
export interface SimulatedJob {
  status: string;
  percentageCompleted: number;
}

/** How a service's jobs progress and how it responds, by the virtual clock. */
export interface ServiceBehavior {
  /** What a request about a job meets; a list is about "list". Throws for a failure. */
  before?: (about: string) => Promise<void> | void;
  isOldestFirst?: boolean;
  listHasLinks?: boolean;
  /** The largest page. */
  maxPage?: number;
  latency?: number;
}

/** A service in memory whose jobs progress with time, and which logs its requests. */
export class SimulatedService {
  readonly requests: { at: number; about: string }[] = [];
  readonly behavior: ServiceBehavior = {};
  private readonly jobs = new Map<string, (now: number) => SimulatedJob>();

  constructor(private readonly time: Pick<VirtualTime, 'now' | 'delay'>) {}

  /** Adds a job, or with "/masks" after the ID a masks job, in any state. */
  add(id: string, state: (now: number) => SimulatedJob): this {
    this.jobs.set(id, state);
    return this;
  }

  /** Adds a job that progresses evenly and succeeds after so many milliseconds. */
  addRunning(id: string, milliseconds: number): this {
    const start = this.time.now();
    return this.add(id, now => {
      const percentageCompleted = Math.min(100, Math.floor(((now - start) / milliseconds) * 100));
      return { status: percentageCompleted < 100 ? 'RUNNING' : 'SUCCEEDED', percentageCompleted };
    });
  }

  readonly client = {
    analysisJob: async (id: string): Promise<AnalysisJob> => {
      const { status, percentageCompleted } = await this.request(id);
      return { id, status, percentageCompleted, ...(status === 'SUCCEEDED' && links) };
    },
    masksJob: async (id: string): Promise<MasksJob> => {
      const job = await this.request(`${id}/masks`);
      return { ...job, ...(job.status === 'SUCCEEDED' && { masksZipUrl: 'https://x.test/m' }) };
    },
    listAnalysisJobs: async ({ limit = 10, startingAfter }: PageQuery): Promise<Page<AnalysisJob>> => {
      const { isOldestFirst = false, listHasLinks = true, maxPage = 100 } = this.behavior;
      await this.respond('list');
      const ids = [...this.jobs.keys()].filter(id => !id.endsWith('/masks'));
      if (!isOldestFirst) ids.reverse();
      const start = startingAfter === undefined ? 0 : ids.indexOf(startingAfter) + 1;
      const results = ids.slice(start, start + Math.min(limit, maxPage)).map(id => {
        const state = this.stateOf(id);
        return { id, ...state, ...(listHasLinks && state.status === 'SUCCEEDED' && links) };
      });
      return { results, skipped: 0 };
    },
  };

  private async request(id: string): Promise<SimulatedJob> {
    await this.respond(id);
    return this.stateOf(id);
  }

  private async respond(about: string): Promise<void> {
    this.requests.push({ at: this.time.now(), about });
    await this.time.delay(this.behavior.latency ?? 100);
    await this.behavior.before?.(about);
  }

  private stateOf(id: string): SimulatedJob {
    const state = this.jobs.get(id);
    if (!state) throw new CodedError('not-found', 'no such job');
    return state(this.time.now());
  }
}
