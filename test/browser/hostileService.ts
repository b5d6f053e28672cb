import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What would be a link in a message, an icon in a label, a link in Markdown, and a text that turns its direction. */
export const HOSTILE =
  'x[hostile](command:workbench.action.toggleZenMode)$(flame)[two](https://evil.example)\u202eend';

/** The beginning of it as a reader sees it, but for spaces of no width. Addresses in the service's errors aren't shown. */
export const HARMLESS = 'x[hostile](command:workbench.action.toggleZenMode)$(flame)[two](';

/** A service whose every text is hostile: job names and reasons, pipelines, items, users and errors. */
export class HostileService {
  readonly key = 'hostile-key-4711';
  /** From now on the key is refused, in words of the service. */
  refuses = false;

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<HostileService> {
    const server = createServer();
    const service = new HostileService(server);
    server.on('request', (request, response) => {
      const { method = '', url = '', headers } = request;
      request.resume();
      request.on('end', () => service.respond(`${method} ${url}`, headers['x-api-key'], response));
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

  private respond(request: string, key: unknown, response: ServerResponse): void {
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (this.refuses || key !== this.key) return void send(400, { message: HOSTILE });
    const path = request.replace('/api/external', '').replace(/\?.*/, '');
    switch (path) {
      case 'GET /check':
        return void send(200, { user: HOSTILE, email: HOSTILE });
      case 'GET /filesystem-items':
        return void send(200, {
          results: [
            { id: 'folder-1', __t: 'Folder', name: `folder ${HOSTILE}` },
            { id: 'item-1', __t: 'Image', name: `item ${HOSTILE}` },
          ],
        });
      case 'GET /pipelines':
        return void send(200, { results: [{ id: 'pipeline-1', description: `pipeline ${HOSTILE}` }] });
      case 'GET /analysis-jobs':
        return void send(200, {
          results: [
            { id: 'job-1', name: `failed ${HOSTILE}`, status: 'FAILED', reason: HOSTILE },
            {
              id: 'job-2',
              name: `done ${HOSTILE}`,
              status: 'SUCCEEDED',
              percentageCompleted: 100,
              objectsDataCSVUrl: 'http://127.0.0.1:9/objects.csv',
            },
          ],
        });
      case 'GET /analysis-jobs/job-2/download-masks':
        return void send(404, { message: HOSTILE });
      case 'POST /filesystem-items/upload-file':
        return void send(422, { message: HOSTILE });
      case 'POST /analysis-jobs':
        return void send(201, { id: 'job-3', status: 'RUNNING', percentageCompleted: 1 });
      case 'GET /analysis-jobs/job-3':
        return void send(200, { id: 'job-3', status: 'RUNNING', percentageCompleted: 1, reason: HOSTILE });
      default:
        return void send(500, { message: HOSTILE });
    }
  }
}
