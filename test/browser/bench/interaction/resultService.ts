import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The files of a job's results. */
export interface JobFiles {
  name: string;
  objects: string;
  masks: string;
}

/** A service with one user, whose jobs have all ended and have the results given. */
export class ResultService {
  readonly key = 'key-of-results-4711';

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly jobs: readonly JobFiles[],
  ) {}

  static async start(jobs: readonly JobFiles[]): Promise<ResultService> {
    const server = createServer();
    const service = new ResultService(server, jobs);
    server.on('request', ({ url = '' }, response) => {
      service.respond(url, response).catch(() => response.destroy());
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private async respond(url: string, response: ServerResponse): Promise<void> {
    const send = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const [, name = '', part = ''] = /\/results\/([^/]+)\/(\w+)/.exec(url) ?? [];
    const job = this.jobs.find(each => each.name === name);
    if (job) {
      const path = part === 'objects' ? job.objects : job.masks;
      response.writeHead(200, { 'content-length': (await stat(path)).size });
      createReadStream(path).pipe(response);
      return;
    }
    const path = url.replace('/api/external', '').replace(/\?.*/, '');
    if (path === '/check') return void send({ user: 'user-1', email: 'user@example.org' });
    if (path === '/analysis-jobs') return void send({ results: this.jobs.map(each => this.job(each)) });
    const [, id, masks] = /^\/analysis-jobs\/([^/]+)(\/download-masks)?$/.exec(path) ?? [];
    const wanted = this.jobs.find(each => each.name === id);
    if (!wanted) return void send({ results: [] });
    send(masks ? { status: 'SUCCEEDED', masksZipUrl: this.link(wanted, 'masks') } : this.job(wanted));
  }

  private job(job: JobFiles): object {
    return {
      id: job.name,
      name: job.name,
      status: 'SUCCEEDED',
      percentageCompleted: 100,
      objectsDataCSVUrl: this.link(job, 'objects'),
    };
  }

  private link({ name }: JobFiles, part: 'objects' | 'masks'): string {
    return `${this.baseUrl}/results/${name}/${part}`;
  }
}
