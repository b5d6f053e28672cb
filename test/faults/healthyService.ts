import { zipSync } from 'fflate';
import type { SeenRequest } from '../unit/service/node/fixtureServer';

/** What the link to a result carries that nobody may read. */
export const SIGNATURE = 'signature-0123456789abcdef';

/**
 * A job with results, one without masks, and one that ends when it has been polled often enough.
 */
export const jobs = { finished: 'job-finished', withoutMasks: 'job-without-masks', running: 'job-running' };

export interface HealthyResponse {
  status: number;
  contentType: string;
  body: Buffer;
}

const table = 'Image origin,Object ID,Class,Area\nfolder/a.png,1,Nucleus,12\nfolder/a.png,2,Nucleus,15\n';
const archive = zipSync({
  'index.json': Buffer.from(JSON.stringify({ resultId: 'r', dateRun: '2026-01-01', classData: {} })),
  'image_objects.json': Buffer.from(
    JSON.stringify({ filename: 'a.png', id: 'image', height: 2, width: 2, objects: {} }),
  ),
});
const createdAt = '2026-01-01T00:00:00.000Z';
const POLLS_TO_THE_END = 3;

/** The service as it is when nothing goes wrong: what it responds, and what it remembers. */
export class HealthyService {
  /** Links that the storage no longer accepts are this many. */
  expiredLinks = 0;
  private readonly submitted: { id: string; name?: string }[] = [];
  private readonly masks = new Set([jobs.finished]);
  private polls = 0;
  private links = 0;
  private uploads = 0;

  /** How many links to results it has handed out. */
  get linksGiven(): number {
    return this.links;
  }

  constructor(private readonly storage: string) {}

  /** What the service responds; a POST changes what it remembers. */
  respond({ method, path, query, body }: SeenRequest): HealthyResponse {
    const [resource = '', id = '', action] = path.replace('/api/external/', '').split('/');
    switch (`${method} ${resource}`) {
      case 'GET check':
        return json({ user: 'user-1', email: 'user@lab.test', messsage: 'The key is valid' });
      case 'GET filesystem-items':
        return page(query, [
          { id: 'file-1', __t: 'File', name: 'a.png', createdAt },
          { id: 'folder-1', __t: 'Folder', name: 'plates', createdAt },
          { id: 'file-2', __t: 'File', name: 'b.png', createdAt },
        ]);
      case 'POST filesystem-items':
        this.uploads += 1;
        return json({ id: `uploaded-${this.uploads}`, __t: 'File' });
      case 'GET pipelines':
        return page(query, [
          { id: 'pipeline-1', description: 'Count nuclei', createdAt },
          { id: 'pipeline-2', description: 'Measure cells', createdAt },
        ]);
      case 'POST analysis-jobs':
        return action === undefined ? this.submit(body) : this.requestMasks(id);
      case 'GET analysis-jobs':
        if (id === '') return page(query, this.allJobs());
        return action === undefined ? this.job(id) : this.masksOf(id);
      default:
        return json({ message: 'No such endpoint' }, 404);
    }
  }

  /** What the storage responds to a link. */
  result({ path }: SeenRequest): HealthyResponse {
    return path.endsWith('.zip')
      ? { status: 200, contentType: 'application/zip', body: Buffer.from(archive) }
      : { status: 200, contentType: 'text/csv', body: Buffer.from(table) };
  }

  private allJobs(): object[] {
    const known = Object.values(jobs).map(id => ({ id, name: id, status: 'SUCCEEDED', createdAt }));
    return [...known, ...this.submitted.map(job => ({ ...job, status: 'PENDING', createdAt }))];
  }

  private submit(body: Buffer): HealthyResponse {
    const { name } = JSON.parse(body.toString()) as { name?: string };
    const job = { id: `job-submitted-${this.submitted.length + 1}`, ...(name !== undefined && { name }) };
    this.submitted.push(job);
    return json({ ...job, percentageCompleted: 0, status: 'PENDING' });
  }

  private job(id: string): HealthyResponse {
    const progress = id === jobs.running ? ++this.polls : POLLS_TO_THE_END;
    if (progress < POLLS_TO_THE_END)
      return json({ id, name: id, status: 'RUNNING', percentageCompleted: progress * 30, createdAt });
    return json({
      id,
      name: id,
      status: 'SUCCEEDED',
      percentageCompleted: 100,
      createdAt,
      objectsDataCSVUrl: this.link('objects.csv'),
      aggregateDataCSVUrl: this.link('aggregate.csv'),
    });
  }

  private requestMasks(id: string): HealthyResponse {
    this.masks.add(id);
    return json({ percentageCompleted: 0, status: 'SUBMITTED' });
  }

  private masksOf(id: string): HealthyResponse {
    if (!this.masks.has(id)) return json({ message: 'No masks were requested' }, 404);
    return json({ percentageCompleted: 100, status: 'SUCCEEDED', masksZipUrl: this.link('masks.zip') });
  }

  private link(name: string): string {
    this.links += 1;
    return `${this.storage}/results/${name}?link=${this.links}&signature=${SIGNATURE}`;
  }
}

function json(value: unknown, status = 200): HealthyResponse {
  return { status, contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

function page(query: URLSearchParams, all: object[]): HealthyResponse {
  const after = query.get('startingAfter');
  const start = after === null ? 0 : all.findIndex(entry => (entry as { id: string }).id === after) + 1;
  const results = all.slice(start, start + Number(query.get('limit') ?? 100));
  return json({ results, count: results.length });
}
