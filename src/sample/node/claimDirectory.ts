import { mkdir, open, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { isMissing, whenReleased } from '../../base/node/diskErrors';
import { delay } from '../../base/waiting';
import { identityOf, readServiceRecord, type ServiceRecord } from './serviceRecord';

type Claim = { kind: 'running'; record: ServiceRecord } | { kind: 'claimed'; lock: InstanceLock };

const POLL_MS = 50;

/**
 * Makes sure that only one instance serves a data folder. Returns the running instance, once it is
 * ready; else the lock with which the caller can serve the folder. A lock's holder loses it if its
 * process exists but doesn't respond for `silentMs`: another process may have got the holder's ID.
 */
export async function claimDirectory(
  directory: string,
  instanceId: string,
  silentMs: number,
  signal?: AbortSignal,
): Promise<Claim> {
  let silentHolder: { instanceId: string | undefined; since: number } | undefined;
  for (;;) {
    const record = await readServiceRecord(directory);
    const instance = record ? await probeInstance(directory, record) : 'none';
    if (record && instance === 'ready') return { kind: 'running', record };
    if (instance === 'none') {
      const lock = await InstanceLock.acquire(directory, instanceId);
      if (lock) return { kind: 'claimed', lock };
      const holder = await readHolder(directory);
      if (!silentHolder || silentHolder.instanceId !== holder?.instanceId) {
        silentHolder = { instanceId: holder?.instanceId, since: performance.now() };
      }
      const unresponsive = performance.now() - silentHolder.since > silentMs ? holder?.instanceId : undefined;
      await breakStaleLock(directory, unresponsive);
    } else {
      silentHolder = undefined;
    }
    await delay(POLL_MS, signal);
  }
}

/** The process that holds a data folder, as recorded in its service.lock. */
interface LockHolder {
  pid: number;
  instanceId: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** How long a lock file may stay incomplete before its writer counts as dead. */
const WRITING_MS = 5000;

/** A process's lock on a data folder. The file service.lock exists while a process has the lock. */
export class InstanceLock {
  private constructor(
    private readonly directory: string,
    private readonly instanceId: string,
  ) {}

  /** Acquires the lock; undefined if a process, dead or alive, has it. */
  static async acquire(directory: string, instanceId: string): Promise<InstanceLock | undefined> {
    let file;
    try {
      file = await whenReleased(() => open(lockPath(directory), 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw error;
    }
    try {
      const holder: LockHolder = { pid: process.pid, instanceId, since: Date.now() };
      await file.writeFile(JSON.stringify(holder));
    } finally {
      await file.close();
    }
    return new InstanceLock(directory, instanceId);
  }

  /** Releases the lock, unless another process has taken it over. */
  async release(): Promise<void> {
    const holder = await readHolder(this.directory);
    if (holder?.instanceId === this.instanceId) await rm(lockPath(this.directory), { force: true });
  }
}

/** The process that has the lock; undefined if none has it or the lock file is incomplete. */
async function readHolder(directory: string): Promise<LockHolder | undefined> {
  try {
    const text = await whenReleased(() => readFile(lockPath(directory), 'utf8'));
    const value = JSON.parse(text) as Partial<LockHolder>;
    const { pid, instanceId, since } = value;
    if (typeof pid !== 'number' || typeof instanceId !== 'string' || typeof since !== 'number')
      return undefined;
    return { pid, instanceId, since };
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Removes the lock if its holder is dead or has the instance ID `unresponsive`. Two starting
 * processes may find the same dead lock. The folder service.lock.breaking lets only one of them
 * remove it, after another check, so that a new holder's lock is never removed.
 */
async function breakStaleLock(directory: string, unresponsive?: string): Promise<void> {
  const guard = join(directory, 'service.lock.breaking');
  try {
    await mkdir(guard);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (await isOlderThan(guard, WRITING_MS)) await rmdir(guard).catch(ignoreMissing);
    return;
  }
  try {
    const holder = await readHolder(directory);
    const isStale = holder
      ? isDead(holder) || holder.instanceId === unresponsive
      : await isOlderThan(lockPath(directory), WRITING_MS);
    if (isStale) await rm(lockPath(directory), { force: true });
  } finally {
    await rmdir(guard).catch(ignoreMissing);
  }
}

/** Whether no process has the holder's process ID any more. */
function isDead(holder: LockHolder): boolean {
  if (holder.pid === process.pid) {
    // In a container, every start may get the same process ID. A lock that is older than this
    // process belongs to an earlier process.
    return holder.since < Date.now() - process.uptime() * 1000 - 1000;
  }
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function isOlderThan(path: string, milliseconds: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > milliseconds;
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function lockPath(directory: string): string {
  return join(directory, 'service.lock');
}

const PROBE_TIMEOUT_MS = 2000;

/** The response to GET /sample/identity. */
export interface Identity {
  identity: string;
  ready: boolean;
}

/** Whether an instance that serves this data folder listens on the recorded port. Sends no key. */
async function probeInstance(
  directory: string,
  record: ServiceRecord,
): Promise<'ready' | 'starting' | 'none'> {
  if (record.port === 0) return 'none';
  const identity = await fetchIdentity(record.port);
  if (identity?.identity !== (await identityOf(directory, record))) return 'none';
  return identity.ready ? 'ready' : 'starting';
}

/** The identity of the service on a port; undefined if no service or another program responds. */
function fetchIdentity(port: number): Promise<Identity | undefined> {
  return new Promise(resolve => {
    // The global agent may use a proxy.
    const agent = new Agent({ keepAlive: false });
    const request = get({
      agent,
      host: '127.0.0.1',
      port,
      path: '/sample/identity',
      timeout: PROBE_TIMEOUT_MS,
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const fail = () => {
      request.destroy();
      resolve(undefined);
    };
    request.on('timeout', fail);
    request.on('error', fail);
    request.on('response', response => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > 10_000) fail();
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => resolve(parseIdentity(Buffer.concat(chunks).toString('utf8'))));
    });
  });
}

function parseIdentity(text: string): Identity | undefined {
  try {
    const value = JSON.parse(text) as Partial<Identity> | null;
    if (typeof value?.identity !== 'string') return undefined;
    return { identity: value.identity, ready: value.ready === true };
  } catch {
    return undefined;
  }
}
