import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Log } from '../../base/log';
import { PARTIAL_FILE_NAME } from '../../base/node/atomicFile';
import { AnalysisThread } from './analysisThread';
import { claimDirectory, type InstanceLock } from './claimDirectory';
import { EXTERNAL_PREFIX, externalRoutes } from './externalRoutes';
import { FilesystemStore } from './filesystemStore';
import { studyImages } from './images/studyImages';
import { HttpRouter } from './httpRouter';
import { WindowWatch } from './windowWatch';
import { JobRunner, type ServiceSettings } from './jobRunner';
import { JobStore } from './jobStore';
import { ResultLinks } from './resultLinks';
import { Readiness, sampleRoutes } from './sampleRoutes';
import {
  identityOf,
  newServiceRecord,
  randomId,
  readServiceRecord,
  type ServiceRecord,
  writeServiceRecord,
} from './serviceRecord';

/** Default of the extra time per image, in milliseconds. */
const DEFAULT_DELAY_MS = 400;

interface SampleServiceOptions {
  /** The data folder. Only one service at a time serves it. */
  directory: string;
  /** Bundle of main.ts, run as a worker thread. */
  threadFile: string;
  log: Log;
  /** Extra time per image in milliseconds; 400 by default. */
  delayMs?: number;
  /** The service stops after this time without requests and jobs; 30 minutes by default. */
  idleMs?: number;
  /**
   * The service stops this long after the last window's connection closes, even while a job runs;
   * the next start runs the job again. Without this option, the service doesn't depend on windows.
   */
  withoutWindowsMs?: number;
  /** After this time without a response, a lock's holder counts as an unrelated process. */
  silentMs?: number;
  /** Largest file of an upload; 2 GB (2 × 1024³ bytes) by default. */
  maxUploadBytes?: number;
  /** Milliseconds since 1970, for the expiry of result links. */
  now?: () => number;
}

/** A running sample service of this process. */
export interface SampleService {
  kind: 'started';
  record: ServiceRecord;
  /** Stops the service. Resolves when port, thread and lock are free. */
  stop(): Promise<void>;
  /** Resolves when the service has stopped for any reason. */
  stopped: Promise<void>;
}

/** The running service of another process for the same folder. */
interface RunningService {
  kind: 'running';
  record: ServiceRecord;
}

/** Earlier versions named partial files `<name>.<random>.aside`. */
const OLD_PARTIAL_SUFFIX = '.aside';

const IDLE_MS = 30 * 60 * 1000;
const SILENT_MS = 10_000;
const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;

/** Starts a data folder's service on 127.0.0.1 or finds the running one; resolves when ready. */
export async function startSampleService(
  options: SampleServiceOptions,
): Promise<SampleService | RunningService> {
  const { directory } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const claim = await claimDirectory(directory, randomId(), options.silentMs ?? SILENT_MS);
  if (claim.kind === 'running') return claim;
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
  const settings: ServiceSettings = {
    delayMs: options.delayMs ?? DEFAULT_DELAY_MS,
    stays: options.withoutWindowsMs === undefined,
  };
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
  const end = () =>
    void stop().catch((error: unknown) => log.error('The service could not end cleanly', error));
  const windows = new WindowWatch(options.withoutWindowsMs ?? 0, () => settings.stays, end);
  const hosts = () => [`127.0.0.1:${record.port}`, `localhost:${record.port}`];
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
      hosts,
      whenReady: () => readiness.wait(),
      log,
    },
  );

  const openRequests = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    idle.touch();
    const handled = router.handle(request, response).finally(() => {
      openRequests.delete(handled);
      idle.touch();
    });
    openRequests.add(handled);
  });
  server.on('upgrade', (request, socket) => windows.accept(request, socket, hosts()));
  // An upload of 2 GB may take any time.
  server.requestTimeout = 0;

  const stopOnce = atMostOnce(async () => {
    idle.dispose();
    windows.dispose();
    readiness.ended();
    await closeServer(server);
    // Aborted uploads remove their files before they settle.
    await Promise.allSettled(openRequests);
    await runner.stop();
    await Promise.all([filesystem.settled(), jobs.settled()]);
    await lock.release();
  });
  let onStopped = (): void => undefined;
  const stopped = new Promise<void>(resolve => (onStopped = resolve));
  const stop = () => stopOnce().finally(() => onStopped());
  const idle = new IdleWatch(
    options.idleMs ?? IDLE_MS,
    () => openRequests.size > 0 || runner.busy || !readiness.isReady,
    end,
  );

  try {
    record.port = await listenOn(server, record.port);
    record.baseUrl = `http://127.0.0.1:${record.port}`;
    record.pid = process.pid;
    await writeServiceRecord(directory, record);
    if (!filesystem.seeded) await seedImages(filesystem, options.threadFile, folders.uploads);
    runner.resume();
    readiness.ready();
    windows.begin();
  } catch (error) {
    await stop();
    throw error;
  }
  return { kind: 'started', record, stop, stopped };
}

/** Creates missing folders and removes partial files that remain after a crash. */
async function prepareFolders(directory: string) {
  const folders = {
    files: join(directory, 'files'),
    uploads: join(directory, 'uploads'),
    results: join(directory, 'results'),
  };
  await rm(folders.uploads, { recursive: true, force: true });
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  for (const name of await readdir(directory)) {
    if (PARTIAL_FILE_NAME.test(name) || name.endsWith(OLD_PARTIAL_SUFFIX))
      await rm(join(directory, name), { force: true });
  }
  return folders;
}

/** Adds the sample images. A worker thread draws them in seconds; the study's are drawn later. */
async function seedImages(filesystem: FilesystemStore, threadFile: string, uploads: string): Promise<void> {
  const directory = join(uploads, 'images');
  const thread = new AnalysisThread(threadFile);
  try {
    const { images } = await thread.run('images', { directory }, new AbortController().signal);
    const study = studyImages().map(({ name }) => name);
    await filesystem.seed(images, study, ['Sample images']);
  } finally {
    await thread.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    // An error means that the server was not listening.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Runs the work at the first call only; every call returns the same promise. */
function atMostOnce(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => (result ??= work());
}

/** Listens on 127.0.0.1, at the preferred port if it is free, else at any. Returns the port. */
async function listenOn(server: Server, preferredPort: number): Promise<number> {
  try {
    return await listen(server, preferredPort);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (preferredPort === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    return listen(server, 0);
  }
}

async function listen(server: Server, port: number): Promise<number> {
  const listening = once(server, 'listening');
  server.listen({ host: '127.0.0.1', port, exclusive: true });
  await listening;
  return (server.address() as AddressInfo).port;
}

/**
 * Calls `onIdle` after `milliseconds` without activity, but not while `isBusy` returns true. The
 * timer doesn't keep the process running.
 */
class IdleWatch {
  private readonly timer: NodeJS.Timeout;

  constructor(milliseconds: number, isBusy: () => boolean, onIdle: () => void) {
    this.timer = setTimeout(() => {
      if (isBusy()) this.timer.refresh();
      else onIdle();
    }, milliseconds);
    this.timer.unref();
  }

  /** Restarts the timer after activity. */
  touch(): void {
    this.timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
