import { createServer, type Server } from 'node:http';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../base/log';
import { AnalysisThread } from './analysisThread';
import { claimDirectory } from './claimDirectory';
import { EXTERNAL_PREFIX, externalRoutes } from './externalRoutes';
import { FilesystemStore } from './filesystemStore';
import { HttpRouter } from './httpRouter';
import { IdleWatch } from './idleWatch';
import type { InstanceLock } from './instanceLock';
import { JobRunner } from './jobRunner';
import { JobStore } from './jobStore';
import { listenOn } from './listenOn';
import { Readiness } from './readiness';
import { ResultLinks } from './resultLinks';
import {
  identityOf,
  newServiceRecord,
  randomId,
  readServiceRecord,
  writeServiceRecord,
  type ServiceRecord,
} from './serviceRecord';
import { sampleRoutes } from './sampleRoutes';
import { DEFAULT_DELAY_MS, type ServiceSettings } from './serviceSettings';
import { ASIDE_SUFFIX } from './writeAside';

export interface SampleServiceOptions {
  /** The folder that holds everything; one service at a time serves it. */
  directory: string;
  /** Bundle of main.ts, run as a worker thread. */
  threadFile: string;
  log: Log;
  /** Extra time per image; 400 ms unless given. */
  delayMs?: number;
  /** Ends by itself after this time without a request and without a job; 30 minutes unless given. */
  idleMs?: number;
  /** How long a holder of the folder may live without answering before it is taken for a stranger's process. */
  silentMs?: number;
  /** Largest file of an upload; 2 GB (2 × 1024³ bytes) unless given. */
  maxUploadBytes?: number;
  /** Milliseconds since 1970, for the expiry of result links. */
  now?: () => number;
}

/** A running sample service of this process. */
export interface SampleService {
  kind: 'started';
  record: ServiceRecord;
  /** Ends it; what runs is run again by the next start. Resolves when port, thread and lock are free. */
  stop(): Promise<void>;
  /** Resolves when it has ended, also by itself. */
  stopped: Promise<void>;
}

/** The service that another start keeps running for the same folder. */
export interface LivingService {
  kind: 'living';
  record: ServiceRecord;
}

const IDLE_MS = 30 * 60 * 1000;
const SILENT_MS = 10_000;
const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;

/** Starts the service for a data folder on 127.0.0.1, or finds the one that serves it. Resolves when it is ready. */
export async function startSampleService(
  options: SampleServiceOptions,
): Promise<SampleService | LivingService> {
  const { directory } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const claim = await claimDirectory(directory, randomId(), options.silentMs ?? SILENT_MS);
  if (claim.kind === 'living') return claim;
  try {
    return await startClaimed(options, claim.lock);
  } catch (error) {
    await claim.lock.release();
    throw error;
  }
}

async function startClaimed(options: SampleServiceOptions, lock: InstanceLock): Promise<SampleService> {
  const { directory, log } = options;
  const folders = await prepareFolders(directory);
  const record = (await readServiceRecord(directory)) ?? newServiceRecord();
  const identity = await identityOf(directory, record);
  const settings: ServiceSettings = { delayMs: options.delayMs ?? DEFAULT_DELAY_MS };
  const filesystem = await FilesystemStore.open(join(directory, 'items.json'), folders.files, log);
  const jobs = await JobStore.open(join(directory, 'jobs.json'), log);
  const links = new ResultLinks(record.private.linkSecret, options.now ?? Date.now);

  const runner = new JobRunner({
    jobs,
    filesystem,
    settings,
    threadFile: options.threadFile,
    resultsDirectory: folders.results,
    log,
    onDone: () => idle.touch(),
  });
  const readiness = new Readiness();
  const router = new HttpRouter(
    [
      ...sampleRoutes({ identity, readiness, settings, links, runner }),
      ...externalRoutes({
        record,
        filesystem,
        jobs,
        runner,
        uploadsDirectory: folders.uploads,
        maxUploadBytes: options.maxUploadBytes ?? MAX_UPLOAD_BYTES,
        link: (jobId, file) => `${record.baseUrl}${links.link(jobId, file)}`,
      }),
    ],
    {
      apiKey: record.apiKey,
      keyPrefix: `${EXTERNAL_PREFIX}/`,
      hosts: () => [`127.0.0.1:${record.port}`, `localhost:${record.port}`],
      whenReady: () => readiness.wait(),
      log,
    },
  );

  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    idle.touch();
    const handled = router.handle(request, response).finally(() => {
      underWay.delete(handled);
      idle.touch();
    });
    underWay.add(handled);
  });
  // An upload of 2 GB takes as long as it takes.
  server.requestTimeout = 0;

  const stopOnce = once(async () => {
    idle.dispose();
    readiness.ended();
    await closeServer(server);
    // Requests that were cut off tidy up after themselves.
    await Promise.allSettled(underWay);
    await runner.stop();
    await Promise.all([filesystem.settled(), jobs.settled()]);
    await lock.release();
  });
  let tellStopped = (): void => undefined;
  const stopped = new Promise<void>(resolve => (tellStopped = resolve));
  const stop = () => stopOnce().finally(() => tellStopped());
  const idle = new IdleWatch(
    options.idleMs ?? IDLE_MS,
    () => underWay.size > 0 || runner.busy || !readiness.isReady,
    () => void stop().catch((error: unknown) => log.error('The service could not end cleanly', error)),
  );

  try {
    record.port = await listenOn(server, record.port);
    record.baseUrl = `http://127.0.0.1:${record.port}`;
    record.pid = process.pid;
    await writeServiceRecord(directory, record);
    if (!filesystem.seeded) await seedPictures(filesystem, options.threadFile, folders.uploads);
    runner.resume();
    readiness.ready();
  } catch (error) {
    await stop();
    throw error;
  }
  return { kind: 'started', record, stop, stopped };
}

/** Makes the folders that are missing and removes what a crash left half done. */
async function prepareFolders(directory: string) {
  const folders = {
    files: join(directory, 'files'),
    uploads: join(directory, 'uploads'),
    results: join(directory, 'results'),
  };
  await rm(folders.uploads, { recursive: true, force: true });
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  for (const name of await readdir(directory)) {
    if (name.endsWith(ASIDE_SUFFIX)) await rm(join(directory, name), { force: true });
  }
  return folders;
}

/** Puts the sample pictures into the filesystem; they are made in the thread, for that takes a while. */
async function seedPictures(filesystem: FilesystemStore, threadFile: string, uploads: string): Promise<void> {
  const directory = join(uploads, 'pictures');
  const thread = new AnalysisThread(threadFile);
  try {
    const { pictures } = await thread.run('pictures', { directory }, new AbortController().signal);
    await filesystem.seed(pictures, ['Sample pictures']);
  } finally {
    await thread.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    // An error says that it was not listening: then there is nothing to close.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Calls the work at the first call only; every call gets the same promise. */
function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => (result ??= work());
}
