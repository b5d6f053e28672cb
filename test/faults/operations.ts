import * as path from 'node:path';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { strToU8, zipSync } from 'fflate';
import type { Accounts } from '../../src/accounts/node/accounts';
import type { AccountSession } from '../../src/workbench/node/accountSession';
import { listAll } from '../../src/service/node/listAll';
import { sendFiles } from '../../src/uploads/node/sendFiles';
import type { ThisProcess } from '../../src/base/node/thisProcess';
import type { TrackedJob } from '../../src/jobs/node/jobState';
import { exportMasks } from '../../src/export/engine/exportMasks';
import type { Masks } from '../../src/archives/engine/masks';
import { openMasks } from '../../src/archives/engine/openMasks';
import { openTable } from '../../src/columns/engine/read/readTable';
import type { Table } from '../../src/columns/engine/read/table';
import { saveView } from '../../src/columns/engine/saveTable';
import { TableView } from '../../src/columns/engine/tableView';
import { MaskComparison } from '../../src/comparison/engine/maskComparison';
import { saveComparison } from '../../src/comparison/engine/saveComparison';
import { storedPairs } from '../../src/comparison/node/storedPairs';
import { openReference } from '../../src/comparison/engine/truth/openReference';
import { ResultChoices } from '../../src/results/node/resultChoices';
import { errorWords } from '../../src/words/errorWords';
import { jobEndWords } from '../../src/words/jobWords';
import { reasonWords } from '../../src/words/reasonWords';
import { plainEnglish } from '../../src/words/translate';
import type { SeenRequest } from '../unit/service/node/fixtureServer';
import { jobs, type HealthyService } from './healthyService';
import {
  claimBeside,
  imagesIn,
  leaveSubmit,
  leaveUpload,
  leftSubmit,
  pickUpSubmit,
  pickUpUpload,
  sendOptions,
} from './leftBehind';

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

/** What touches files of the user, besides, or what other windows store. */
export const fileOperationNames = [
  'upload as a person',
  'upload beside another window',
  "pick up a crashed window's upload",
  "pick up a crashed window's submit",
  'submit again what a crashed window did',
  'save a result',
  'sign out',
  'open a table',
  'open masks',
  'export masks',
  'save a comparison',
  'pair images of a comparison',
  'save a table',
] as const;

export type OperationName = (typeof operationNames)[number] | (typeof fileOperationNames)[number];

/** What users and programs have the service do. */
export interface Operation {
  /** Whether this is the request that the service treats badly; all others are treated well. */
  isTarget(request: SeenRequest, service: HealthyService): boolean;
  /** Signing in is the one operation without a session. */
  run?(session: AccountSession, folder: string, accounts: Accounts, here: ThisProcess): Promise<string>;
  /** What another window left before, in the storage; a failure leaves it there. */
  leave?(session: AccountSession, folder: string, accounts: Accounts): Promise<void>;
  /** The files by which it is known that it is still there. */
  left?: RegExp;
  /** How many requests of an operation meet the fault; without, all of them. */
  faultyRequests?: number;
  /** How many of them are on their way at once, each with its own time to end; 1 where absent. */
  atOnce?: number;
  prepare?(service: HealthyService): void;
  /** Makes the files that the user has before. */
  makeFiles?(folder: string): Promise<void>;
  /** What came of a success, once the disk has no faults any more. */
  check?(folder: string): Promise<string>;
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
    makeFiles: makeImages,
    run: (session, folder) => upload(session, folder, 1),
  },
  'upload a batch': {
    isTarget: isPost('filesystem-items/upload-file'),
    makeFiles: makeImages,
    run: (session, folder) => upload(session, folder, 3),
    atOnce: 3,
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
  'upload as a person': {
    isTarget: isPost('filesystem-items/upload-file'),
    makeFiles: makeImages,
    run: (session, folder) =>
      upload(session, folder, 3, (files, options) => session.uploads.send(files, options)),
  },
  'upload beside another window': {
    isTarget: isPost('filesystem-items/upload-file'),
    makeFiles: makeImages,
    run: async (session, folder, accounts) => {
      let isTaken = false;
      const told = await upload(session, folder, 3, (files, options) =>
        session.uploads.send(files, {
          ...options,
          open: file => {
            const source = options.open(file);
            const whole: typeof source.whole = async (...args) => {
              isTaken ||= await claimBeside(session, accounts);
              return source.whole(...args);
            };
            return { ...source, whole };
          },
        }),
      );
      if (isTaken) throw new Error('The other window took the upload');
      return told;
    },
  },
  "pick up a crashed window's upload": {
    isTarget: isPost('filesystem-items/upload-file'),
    makeFiles: makeImages,
    leave: leaveUpload,
    left: /^accounts\/\w+\/uploads\/[0-9a-f]{16}\/files\.jsonl$/,
    run: async (session, folder, accounts) => {
      const picked = await pickUpUpload(session, folder, accounts);
      if (!picked) return 'Left to the window that may have it.';
      const { offered, failed } = picked;
      if (failed.length > 0) return errorWords(plainEnglish, failed[0]);
      if (offered === 0) return 'Left for another time.';
      return offered === 2 ? SUCCEEDED : `${offered} files were offered.`;
    },
  },
  "pick up a crashed window's submit": {
    isTarget: isPost('analysis-jobs'),
    leave: leaveSubmit,
    left: /^accounts\/\w+\/submits\/[0-9a-f]{32}\.1\.json$/,
    run: async (session, _folder, accounts, here) => {
      const outcome = await pickUpSubmit(session, accounts, here);
      if (outcome === 'stored') return SUCCEEDED;
      return outcome === 'asked' ? 'A person is asked which job it is.' : 'Left for another time.';
    },
  },
  'submit again what a crashed window did': {
    isTarget: isPost('analysis-jobs'),
    leave: leaveSubmit,
    left: /^accounts\/\w+\/submits\/[0-9a-f]{32}\.1\.json$/,
    run: async ({ submitGuard }) => {
      const { jobId } = await submitGuard.submit(leftSubmit);
      return jobId === 'job-submitted-1' ? SUCCEEDED : `Submitted again as ${jobId}.`;
    },
  },
  'save a result': {
    isTarget: isResult,
    makeFiles: folder => replaceable(folder, ['objects.csv']),
    run: async ({ resultFiles }, folder) => {
      const destination = path.join(folder, 'saved', 'objects.csv');
      await resultFiles.save({ jobId: jobs.finished, part: 'objects', destination, overwrite: true });
      return SUCCEEDED;
    },
    check: allNew,
  },
  'sign out': {
    isTarget: () => false,
    run: async ({ account }, _folder, accounts) => {
      await accounts.remove(account.id);
      return SUCCEEDED;
    },
  },
  'open a table': {
    isTarget: () => false,
    makeFiles: makeTable,
    run: (_session, folder) => withTable(folder, () => Promise.resolve(SUCCEEDED)),
  },
  'open masks': {
    isTarget: () => false,
    makeFiles: makeMasks,
    run: (_session, folder) => withMasks(folder, () => Promise.resolve(SUCCEEDED)),
  },
  'export masks': {
    isTarget: () => false,
    makeFiles: async folder => {
      await makeMasks(folder);
      await replaceable(folder, ['a_labels.tif', 'b_labels.tif']);
    },
    run: async (_session, folder) => {
      const destination = path.join(folder, 'saved');
      const request = { format: 'labels-tiff', destination, name: 'masks', overwrite: true };
      await withMasks(folder, masks => exportMasks(masks, request));
      return SUCCEEDED;
    },
    check: allNew,
  },
  'save a comparison': {
    isTarget: () => false,
    makeFiles: async folder => {
      await makeMasks(folder);
      await makeTruth(folder);
      const ends = ['-images.csv', '-pairs.csv', '-classes.csv', '-thresholds.csv', '.json'];
      await replaceable(
        folder,
        ends.map(end => `compared${end}`),
      );
    },
    run: async (_session, folder) => {
      const comparison = new MaskComparison();
      try {
        const open = (name: string) => openReference(path.join(folder, name), {}, () => undefined);
        comparison.setSide('a', await open('truth.json'));
        comparison.setSide('b', await open('masks.zip'));
        const pairs = [{ a: 0, b: 0 }];
        await comparison.compare({ pairs, classes: 'all', classPairs: [] }, () => undefined);
        await saveComparison(comparison.latest, {
          destination: path.join(folder, 'saved'),
          name: 'compared',
          threshold: 0.5,
          overwrite: true,
          subject: { a: 'truth.json', b: 'masks.zip', unpairedA: [], unpairedB: ['b.tif'], doubtful: [] },
        });
        return SUCCEEDED;
      } finally {
        comparison.dispose();
      }
    },
    check: allNew,
  },
  'pair images of a comparison': {
    isTarget: () => false,
    run: async ({ account, state }) => {
      const choices = new ResultChoices(() => Promise.resolve(state));
      const path = () => Promise.reject(new Error('unused'));
      const [a, b] = ['job:1', 'job:2'].map(key => {
        return { key, title: key, restore: {}, accountId: account.id, path };
      });
      const pairs = a && b && storedPairs(choices, a, b);
      await pairs?.change(() => [[{ a: 'a\na.tif', b: 'b\nb.tif' }]]);
      return (await pairs?.read())?.length === 1 ? SUCCEEDED : 'The pair is lost.';
    },
  },
  'save a table': {
    isTarget: () => false,
    makeFiles: async folder => {
      await makeTable(folder);
      await replaceable(folder, ['view.csv']);
    },
    run: async (_session, folder) => {
      const destination = path.join(folder, 'saved', 'view.csv');
      await withTable(folder, async table => {
        const rows = await new TableView(table).rows({ sort: [], filters: [] });
        await saveView(table, rows, { columns: [0, 1], destination, overwrite: true });
      });
      return SUCCEEDED;
    },
    check: allNew,
  },
};

async function makeTable(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'table.csv'), 'Class,Area\nNucleus,12\nNucleus,15\n');
}

async function makeMasks(folder: string): Promise<void> {
  const image = (id: string) => ({
    filename: `${id}.tif`,
    id,
    height: 4,
    width: 4,
    objects: {
      1: {
        bbox: [0, 0, 2, 2],
        id: 1,
        rle: { size: [2, 2], counts: [0, 4] },
        pred_class: 'Cell',
        derived_objects: {},
      },
    },
  });
  const archive = zipSync({
    'index.json': strToU8(JSON.stringify({ resultId: 'r', dateRun: '2026-01-01', classData: {} })),
    'a_objects.json': strToU8(JSON.stringify(image('a'))),
    'b_objects.json': strToU8(JSON.stringify(image('b'))),
  });
  await writeFile(path.join(folder, 'masks.zip'), archive);
}

/** Masks of the first image of makeMasks, as COCO. */
async function makeTruth(folder: string): Promise<void> {
  const truth = {
    images: [{ id: 1, file_name: 'a.tif', width: 4, height: 4 }],
    categories: [{ id: 1, name: 'Cell' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [[0, 0, 2, 0, 2, 2, 0, 2]] }],
  };
  await writeFile(path.join(folder, 'truth.json'), JSON.stringify(truth));
}

async function withTable<T>(folder: string, work: (table: Table) => Promise<T>): Promise<T> {
  const table = await openTable(path.join(folder, 'table.csv'));
  try {
    return await work(table);
  } finally {
    table.dispose();
  }
}

async function withMasks<T>(folder: string, work: (masks: Masks) => Promise<T>): Promise<T> {
  const masks = await openMasks(path.join(folder, 'masks.zip'));
  try {
    return await work(masks);
  } finally {
    masks.dispose();
  }
}

/** Where what was saved earlier is to be replaced. */
async function replaceable(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(path.join(folder, 'saved'));
  for (const name of names) await writeFile(path.join(folder, 'saved', name), 'old');
}

async function allNew(folder: string): Promise<string> {
  const saved = path.join(folder, 'saved');
  for (const name of await readdir(saved)) {
    if (name.startsWith('.')) continue;
    const text = await readFile(path.join(saved, name), 'utf8');
    if (text === 'old' || text === '') return `Succeeded, but ${name} is not new.`;
  }
  return SUCCEEDED;
}

async function listed(expected: number, list: Parameters<typeof listAll>[1]): Promise<string> {
  const { results } = await listAll(undefined, list);
  return results.length === expected ? SUCCEEDED : `Succeeded with ${results.length} entries.`;
}

async function makeImages(folder: string): Promise<void> {
  for (let number = 1; number <= 3; number++)
    await writeFile(path.join(folder, `image-${number}.png`), Buffer.alloc(10_000, number));
}

type Send = AccountSession['uploads']['send'];

async function upload(
  session: AccountSession,
  folder: string,
  count: number,
  send: Send = (files, options) => sendFiles(session, files, options),
): Promise<string> {
  const { uploaded, failed } = await send(
    { files: imagesIn(folder, count), failed: [] },
    sendOptions(folder),
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
