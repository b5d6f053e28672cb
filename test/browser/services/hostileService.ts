import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalService, sendJson } from './localService';

/**
 * What would be a link in a message, an icon in a label, a link in Markdown, and a text that turns
 * its direction.
 */
export const HOSTILE =
  'x[hostile](command:workbench.action.toggleZenMode)$(flame)[two](https://evil.example)\u202eend';

/**
 * The beginning of it as a reader sees it, but for spaces of no width. Addresses in the service's
 * errors aren't shown.
 */
export const HARMLESS = 'x[hostile](command:workbench.action.toggleZenMode)$(flame)[two](';

/**
 * A service whose every text is hostile: job names and reasons, pipelines, items, users and errors.
 */
export class HostileService extends LocalService {
  readonly key = 'hostile-key-4711';
  /** From now on the key is refused, in words of the service. */
  refuses = false;

  protected respond({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, value: unknown) => sendJson(response, status, value);
    if (this.refuses || headers['x-api-key'] !== this.key) return send(400, { message: HOSTILE });
    const path = `${method} ${url}`.replace('/api/external', '').replace(/\?.*/, '');
    switch (path) {
      case 'GET /check':
        return send(200, { user: HOSTILE, email: HOSTILE });
      case 'GET /filesystem-items':
        return send(200, {
          results: [
            { id: 'folder-1', __t: 'Folder', name: `folder ${HOSTILE}` },
            { id: 'item-1', __t: 'Image', name: `item ${HOSTILE}` },
          ],
        });
      case 'GET /pipelines':
        return send(200, { results: [{ id: 'pipeline-1', description: `pipeline ${HOSTILE}` }] });
      case 'GET /analysis-jobs':
        return send(200, {
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
        return send(404, { message: HOSTILE });
      case 'POST /filesystem-items/upload-file':
        return send(422, { message: HOSTILE });
      case 'POST /analysis-jobs':
        return send(201, { id: 'job-3', status: 'RUNNING', percentageCompleted: 1 });
      case 'GET /analysis-jobs/job-3':
        return send(200, { id: 'job-3', status: 'RUNNING', percentageCompleted: 1, reason: HOSTILE });
      default:
        return send(500, { message: HOSTILE });
    }
  }
}
