import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const RUNNING_JOB = 'job-4711';

/** A service with one user and one job, which runs. It notes by which process the job is polled; on Linux alone. */
export class RunningJobService {
  readonly key = 'key-of-three-4711';
  percentageCompleted = 10;
  /** The process of each poll, in order. */
  readonly pollers: number[] = [];
  private onPoll = () => {};

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<RunningJobService> {
    const server = createServer();
    const service = new RunningJobService(server);
    server.on('request', ({ url = '', socket }, response) => {
      const pid = processOf(socket.remotePort ?? 0);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(service.responseTo(url)));
      if (!url.includes(RUNNING_JOB) || pid === undefined) return;
      service.pollers.push(pid);
      service.onPoll();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves once the polls from now on are as said. */
  async polled(areAsSaid: (pollers: readonly number[]) => boolean): Promise<void> {
    this.pollers.length = 0;
    await new Promise<void>(resolve => {
      this.onPoll = () => {
        if (areAsSaid(this.pollers)) resolve();
      };
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private responseTo(url: string): unknown {
    const { percentageCompleted } = this;
    if (url.includes('/check')) return { user: 'user-1', email: 'user@example.org' };
    if (url.includes(RUNNING_JOB)) {
      // Ever a bit more, or polls would become rare.
      this.percentageCompleted += 0.01;
      return { id: RUNNING_JOB, status: 'RUNNING', percentageCompleted };
    }
    return { results: [] };
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
