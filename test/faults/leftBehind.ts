import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Accounts } from '../../src/accounts/node/accounts';
import type { AccountSession } from '../../src/workbench/node/accountSession';
import { pickUpSubmits } from '../../src/jobs/node/submit';
import { diskFileSource } from '../../src/uploads/node/fileSources';
import { offerUnfinished } from '../../src/uploads/node/accountUploads';
import { toDisposable } from '../../src/base/disposable';
import { canceledError, isCoded } from '../../src/base/errors';
import { silentLog } from '../../src/base/log';
import { CrossWindowFolder } from '../../src/base/node/crossWindowFolder';
import type { ThisProcess } from '../../src/base/node/thisProcess';
import { thisProcess } from '../../src/base/node/thisProcess';
import type { DescribedSubmit } from '../../src/jobs/node/submitState';
import { SubmitFiles } from '../../src/jobs/node/submitFiles';
import { SubmitGuard } from '../../src/jobs/node/submitGuard';
import { claimNumbers, LIST, UploadBatches } from '../../src/uploads/node/uploadBatches';
import { mac } from '../unit/foreignDisk';

/*
 * Windows of one account on a Mac: one that crashed in another network, where the Mac had another
 * name, and two that are open now. What one left, another one goes on with; what one does, another
 * one leaves alone.
 */

/** Numbers of processes. */
const GONE = 1001;
const HERE = 1002;
const BESIDE = 1003;

async function windowOf(pid: number, name: string): Promise<ThisProcess> {
  const isRunning = (other: number) => other !== GONE;
  return { ...(await thisProcess(mac(name))), session: `window ${pid}`, pid, isRunning };
}

const goneWindow = () => windowOf(GONE, 'mac-in-the-lab.local');
/** The window whose operations are tried. */
export const hereWindow = () => windowOf(HERE, 'mac-at-home.local');
const windowBeside = () => windowOf(BESIDE, 'mac-at-home.local');

const never = () => toDisposable(() => undefined);

function batchesOf(folder: string, currentProcess: ThisProcess): UploadBatches {
  // It looks when it is told to.
  const disk = Object.assign(new CrossWindowFolder(folder), { watch: never });
  return new UploadBatches({ disk, currentProcess, now: Date.now, every: never, log: silentLog });
}

/** What all uploads are sent with. */
export const sendOptions = (folder: string) => ({
  destinationFolder: '',
  // One at a time: how many requests are made must not depend on the machine.
  concurrency: 1,
  open: (file: { fileName: string; uri: string; folder: string; size: number }) =>
    diskFileSource(file, path.join(folder, file.fileName)),
  signal: new AbortController().signal,
});

/** The images of a user, as they are uploaded. */
export function imagesIn(folder: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const fileName = `image-${index + 1}.png`;
    return { uri: pathToFileURL(path.join(folder, fileName)).href, fileName, folder: '', size: 10_000 };
  });
}

/**
 * A window uploads three images and crashes: the first has arrived, the second was about to be
 * sent.
 */
export async function leaveUpload({ account, client }: AccountSession, folder: string, accounts: Accounts) {
  const [first, ...others] = imagesIn(folder, 3);
  if (!first) return;
  const { open, signal } = sendOptions(folder);
  const { facts, open: read } = open(first);
  await facts();
  await client.uploadFile(
    { fileName: first.fileName, size: first.size, open: wanted => read(first.size, wanted) },
    () => undefined,
    signal,
  );
  const batches = batchesOf(accounts.folder(account.id).uploads, await goneWindow());
  const journal = await batches.create({ destinationFolder: '', files: [first, ...others] });
  journal.ended(0, 'done');
  await journal.sending([1]);
}

/** The window that is opened next offers the rest of it. */
export async function pickUpUpload(
  { account, uploads }: AccountSession,
  folder: string,
  accounts: Accounts,
): Promise<{ offered: number; failed: unknown[] } | undefined> {
  let offered = 0;
  try {
    const again = await offerUnfinished(
      {
        uploads,
        hasKey: () => accounts.hasKey(account.id),
        ask: ({ fileCount }) => {
          offered = fileCount;
          return Promise.resolve('unsent');
        },
        // It is another window's, as far as can be read.
        wait: () => Promise.reject(canceledError()),
      },
      new AbortController().signal,
    );
    const failed: unknown[] = [];
    for (const { files, claim } of again) {
      const sent = await uploads.send({ files, failed: [] }, sendOptions(folder), claim);
      failed.push(...sent.failed.map(({ error }) => error));
    }
    return { offered, failed };
  } catch (error) {
    if (isCoded(error, 'cancelled')) return undefined;
    throw error;
  }
}

/**
 * Tries to get what this window uploads, as a window does that is just opened. Resolves to whether
 * it did, or dropped it as one of which nothing can be read.
 */
export async function claimBeside({ account }: AccountSession, accounts: Accounts): Promise<boolean> {
  const { uploads } = accounts.folder(account.id);
  const batches = batchesOf(uploads, await windowBeside());
  for (const { id, owner } of await batches.all()) {
    if (!owner) await batches.claim(id);
    const names = await new CrossWindowFolder(uploads).list(id);
    if (!names.includes(LIST) || claimNumbers(names).length > 1) return true;
  }
  return false;
}

export const leftSubmit: DescribedSubmit = {
  pipelineId: 'pipeline-1',
  filesystemIds: ['file-1'],
  name: 'Left job',
  pipelineDescription: 'Count nuclei',
  by: 'person',
};

/** A window submits a job and crashes before it has the response. */
export async function leaveSubmit(
  { account, client }: AccountSession,
  _folder: string,
  accounts: Accounts,
): Promise<void> {
  const files = new SubmitFiles({
    files: new CrossWindowFolder(accounts.folder(account.id).submits),
    currentProcess: await goneWindow(),
    every: never,
    log: silentLog,
  });
  await new Promise<void>((resolve, reject) => {
    const guard = new SubmitGuard(
      {
        listAnalysisJobs: query => client.listAnalysisJobs(query),
        masksJob: id => client.masksJob(id),
        submitMasksJob: id => client.submitMasksJob(id),
        submitAnalysisJob: async job => {
          await client.submitAnalysisJob(job);
          resolve();
          return new Promise<never>(() => undefined);
        },
      },
      { files },
    );
    guard.submit(leftSubmit).catch(reject);
  });
}

/**
 * The window that is opened next stores its job; `asked` where a person has to tell which it is.
 */
export async function pickUpSubmit(
  session: AccountSession,
  accounts: Accounts,
  currentProcess: ThisProcess,
): Promise<'stored' | 'asked' | 'left'> {
  let isTracked = false;
  // How many requests are made must not depend on how long the job is followed.
  const track = () => Promise.resolve(void (isTracked = true));
  const picking = Object.create(session, { tracker: { value: { track } } }) as AccountSession;
  const questions = await pickUpSubmits(
    accounts,
    { of: () => Promise.resolve(picking), currentProcess: () => Promise.resolve(currentProcess) },
    session.log,
  );
  if (questions.length > 0) return 'asked';
  return isTracked ? 'stored' : 'left';
}
