import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFile } from 'node:fs/promises';
import type { AccountSession } from '../../src/app/accounts/accountSession';
import { listAll } from '../../src/app/commands/listAll';
import type { LocalFile } from '../../src/app/uploads/expandFiles';
import { diskFileSource } from '../../src/app/uploads/fileSources';
import { sendFiles } from '../../src/app/uploads/sendFiles';
import type { TrackedJob } from '../../src/jobs/trackedJob';
import { errorWords } from '../../src/words/errorWords';
import { jobEndWords } from '../../src/words/jobWords';
import { reasonWords } from '../../src/words/reasonWords';
import { plainEnglish } from '../../src/words/translate';
import type { SeenRequest } from '../unit/api/fixtureServer';
import { jobs, type HealthyService } from './healthyService';

export const operationNames = [
  'sign in',
  'list files',
  'list pipelines',
  'list jobs',
  'upload a file',
  'upload a batch',
  'submit a job',
  'request masks',
  'follow a job',
  'download a table',
  'download masks',
  'renew a link',
] as const;

export type OperationName = (typeof operationNames)[number];

/** What users and programs have the service do. */
export interface Operation {
  /** Whether this is the request that the service treats badly; all others are treated well. */
  isTarget(request: SeenRequest, service: HealthyService): boolean;
  /** Signing in is the one operation without a session. */
  run?(session: AccountSession, folder: string): Promise<string>;
  /** How many requests of an operation meet the fault; without, all of them. */
  faultyRequests?: number;
  prepare?(service: HealthyService): void;
}

export const SUCCEEDED = 'Succeeded.';

const isGet = (end: string) => (request: SeenRequest) =>
  request.method === 'GET' && request.path === `/api/external/${end}`;
const isPost = (end: string) => (request: SeenRequest) =>
  request.method === 'POST' && request.path === `/api/external/${end}`;
const isResult = ({ path: requested }: SeenRequest) => requested.startsWith('/results/');

export const operations: Readonly<Record<OperationName, Operation>> = {
  'sign in': { isTarget: isGet('check') },
  'list files': {
    isTarget: isGet('filesystem-items'),
    run: async ({ client }) => listed(3, query => client.listFilesystemItems(query)),
  },
  'list pipelines': {
    isTarget: isGet('pipelines'),
    run: async ({ client }) => listed(2, query => client.listPipelines(query)),
  },
  'list jobs': {
    isTarget: isGet('analysis-jobs'),
    run: async ({ client }) => listed(3, query => client.listAnalysisJobs(query)),
  },
  'upload a file': {
    isTarget: isPost('filesystem-items/upload-file'),
    run: (session, folder) => upload(session, folder, 1),
  },
  'upload a batch': {
    isTarget: isPost('filesystem-items/upload-file'),
    run: (session, folder) => upload(session, folder, 3),
  },
  'submit a job': {
    isTarget: isPost('analysis-jobs'),
    run: async ({ submitGuard }) => {
      await submitGuard.submit({ pipelineId: 'pipeline-1', filesystemIds: ['file-1'], name: 'My job' });
      return SUCCEEDED;
    },
  },
  'request masks': {
    isTarget: isPost(`analysis-jobs/${jobs.withoutMasks}/download-masks`),
    run: async ({ submitGuard }) => {
      await submitGuard.submitMasks(jobs.withoutMasks);
      return SUCCEEDED;
    },
  },
  'follow a job': {
    isTarget: isGet(`analysis-jobs/${jobs.running}`),
    run: follow,
    // A job has not failed because the service can't be reached: the tracker polls until it can.
    faultyRequests: 6,
  },
  'download a table': {
    isTarget: isResult,
    run: async ({ resultFiles }) => {
      await resultFiles.fetch({ jobId: jobs.finished, part: 'objects' });
      return SUCCEEDED;
    },
  },
  'download masks': {
    isTarget: isResult,
    run: async ({ resultFiles }) => {
      await resultFiles.fetch({ jobId: jobs.finished, part: 'masks' });
      return SUCCEEDED;
    },
  },
  'renew a link': {
    prepare: service => (service.expiredLinks = 1),
    isTarget: (request, service) =>
      isGet(`analysis-jobs/${jobs.finished}`)(request) && service.linksGiven > 0,
    run: async ({ resultFiles }) => {
      await resultFiles.fetch({ jobId: jobs.finished, part: 'objects' });
      return SUCCEEDED;
    },
  },
};

async function listed(expected: number, list: Parameters<typeof listAll>[1]): Promise<string> {
  const { results } = await listAll(undefined, list);
  return results.length === expected ? SUCCEEDED : `Succeeded with ${results.length} entries.`;
}

async function upload(session: AccountSession, folder: string, count: number): Promise<string> {
  const files: LocalFile[] = [];
  for (let number = 1; number <= count; number++) {
    const fileName = `image-${number}.png`;
    const file = path.join(folder, fileName);
    await writeFile(file, Buffer.alloc(10_000, number));
    files.push({ uri: pathToFileURL(file).href, fileName, folder: '', size: 10_000 });
  }
  const { uploaded, failed } = await sendFiles(
    session,
    { files, failed: [] },
    {
      destinationFolder: '',
      // One at a time: how many requests are made must not depend on the machine.
      concurrency: 1,
      open: file => diskFileSource(file, path.join(folder, file.fileName)),
      signal: new AbortController().signal,
    },
  );
  if (failed.length === 0) return SUCCEEDED;
  const messages = failed.map(({ error }) => errorWords(plainEnglish, error));
  return `${uploaded.length > 0 ? `${uploaded.length} of ${count} uploaded. ` : ''}${messages[0]}`;
}

/** What the tracker tells of a job until it has ended, or is no longer polled. */
function follow(session: AccountSession): Promise<string> {
  const { tracker } = session;
  return new Promise((resolve, reject) => {
    let wasUnreachable = false;
    tracker.onDidChange(job => (wasUnreachable ||= job.unreachable === true));
    tracker.onDidPause(reject);
    tracker.onDidEnd(job => resolve(`${wasUnreachable ? 'Shown as unreachable. ' : ''}${endWords(job)}`));
    tracker.track(jobs.running, { what: 'analysis', by: 'person', name: jobs.running }).catch(reject);
  });
}

function endWords({ jobId, what, phase, status, reason }: TrackedJob): string {
  if (phase === 'succeeded') return SUCCEEDED;
  const failure = reason ? reasonWords(plainEnglish, reason) : status;
  return jobEndWords(plainEnglish, { what, name: jobId, failure });
}
