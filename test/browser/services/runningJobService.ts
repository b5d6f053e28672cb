import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalService, sendJson } from './localService';

export const RUNNING_JOB = 'job-4711';
export const DONE_JOB = 'job-4712';
const SUBMITTED_JOB = 'job-4713';

/** Why the submitted job fails. */
export const FAILURE = 'The images have no cells';

const links = {
  objectsDataCSVUrl: 'http://127.0.0.1:9/objects.csv',
  aggregateDataCSVUrl: 'http://127.0.0.1:9/aggregate.csv',
};

/**
 * A service with one user, one image, and a job that runs beside one that is done. It notes by
 * which process the running job is polled, on Linux alone, and what is submitted.
 */
export class RunningJobService extends LocalService {
  readonly key = 'key-of-three-4711';
  percentageCompleted = 10;
  /**
   * From now on the running job is done, and the submitted one failed. Both are told at the same
   * moment: where jobs are polled singly, once both were, or who reads it a moment later would take
   * them for two ends.
   */
  haveEnded = false;
  /** The responses about single jobs that wait for a poll of the other one, by the job's ID. */
  private readonly heldEnds = new Map<string, (() => void)[]>();
  private areEndsTold = false;
  /** The process of each poll, in order. */
  readonly pollers: number[] = [];
  /** What was submitted, in order. */
  readonly submits: string[] = [];
  private submittedName: string | undefined;
  private onPoll = () => {};
  private readonly held: (() => void)[] = [];
  private isHolding = false;

  /** Resolves once the polls from now on are as said. */
  async polled(areAsSaid: (pollers: readonly number[]) => boolean): Promise<void> {
    this.pollers.length = 0;
    await new Promise<void>(resolve => {
      this.onPoll = () => {
        if (areAsSaid(this.pollers)) resolve();
      };
    });
  }

  /** What is submitted from now on gets its response only when the returned function is called. */
  holdSubmits(): () => void {
    this.isHolding = true;
    return () => {
      this.isHolding = false;
      for (const respond of this.held.splice(0)) respond();
    };
  }

  protected respond(
    { method = '', url = '', socket }: IncomingMessage,
    response: ServerResponse,
    body: string,
  ): void {
    const pid = processOf(socket.remotePort ?? 0);
    if (method === 'POST') {
      const respond = () => sendJson(response, 201, this.submitted(url, body));
      this.submits.push(url.replace(/^.*external/, ''));
      if (this.isHolding) this.held.push(respond);
      else respond();
      return;
    }
    this.tellEnds(url, () => {
      const found = this.responseTo(url);
      if (found === undefined) sendJson(response, 404, { message: 'Not found' });
      else sendJson(response, 200, found);
    });
    if (!url.includes(RUNNING_JOB) || pid === undefined) return;
    this.pollers.push(pid);
    this.onPoll();
  }

  /** Responds, if need be once both ends can be told. */
  private tellEnds(url: string, respond: () => void): void {
    const job = [RUNNING_JOB, SUBMITTED_JOB].find(id => url.includes(id));
    if (!this.haveEnded || this.areEndsTold || job === undefined) {
      respond();
      return;
    }
    this.heldEnds.set(job, [...(this.heldEnds.get(job) ?? []), respond]);
    this.areEndsTold = this.heldEnds.size === 2;
    if (this.areEndsTold) for (const each of [...this.heldEnds.values()].flat()) each();
  }

  private submitted(url: string, body: string): unknown {
    if (url.includes('download-masks')) return { status: 'RUNNING', percentageCompleted: 1 };
    this.submittedName = (JSON.parse(body) as { name: string }).name;
    return this.submittedJob;
  }

  private get submittedJob() {
    return {
      id: SUBMITTED_JOB,
      name: this.submittedName,
      percentageCompleted: 5,
      ...(this.haveEnded ? { status: 'FAILED', reason: FAILURE } : { status: 'RUNNING' }),
    };
  }

  private get runningJob() {
    // Ever a bit more, or polls would become rare.
    const percentageCompleted = (this.percentageCompleted += 0.01);
    return {
      id: RUNNING_JOB,
      ...(this.haveEnded
        ? { status: 'SUCCEEDED', percentageCompleted: 100, ...links }
        : { status: 'RUNNING', percentageCompleted }),
    };
  }

  private responseTo(address: string): unknown {
    const [url = '', query = ''] = address.split('?');
    if (query.includes('startingAfter')) return { results: [] };
    const done = { id: DONE_JOB, name: 'beads', status: 'SUCCEEDED', percentageCompleted: 100, ...links };
    if (url.includes('/check')) return { user: 'user-1', email: 'user@example.org' };
    if (url.includes('/filesystem-items'))
      return { results: [{ id: 'item-1', __t: 'Image', name: 'plate.png' }] };
    if (url.includes('/pipelines')) {
      return {
        results: [
          { id: 'pipeline-1', description: 'Bright objects' },
          { id: 'pipeline-2', description: 'Dark objects' },
        ],
      };
    }
    if (url.includes('download-masks')) {
      const isRequested = this.submits.some(submit => url.endsWith(submit));
      return isRequested ? { status: 'RUNNING', percentageCompleted: 1 } : undefined;
    }
    if (url.includes(RUNNING_JOB)) return this.runningJob;
    if (url.includes(DONE_JOB)) return done;
    if (url.includes(SUBMITTED_JOB)) return this.submittedJob;
    const jobs = this.submittedName === undefined ? [] : [this.submittedJob];
    return { results: [...jobs, this.runningJob, done] };
  }
}

/** The process whose connection to this machine has that port. */
function processOf(port: number): number | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .find(([, local]) => local?.endsWith(`:${hex}`))?.[9];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .find(pid => socketsOf(pid).includes(`socket:[${inode}]`));
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map(name => readlinkSync(`${folder}/${name}`));
  } catch {
    // The process or the file was closed in the meantime.
    return [];
  }
}
