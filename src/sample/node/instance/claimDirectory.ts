import { delay } from '../../../base/delay';
import { breakStaleLock, InstanceLock, readHolder } from './instanceLock';
import { probeInstance } from './probeInstance';
import { readServiceRecord, type ServiceRecord } from './serviceRecord';

export type Claim = { kind: 'running'; record: ServiceRecord } | { kind: 'claimed'; lock: InstanceLock };

const POLL_MS = 50;

/**
 * Makes sure that one instance serves a data folder: returns the running one, once it is ready, or the lock that lets
 * the caller become it. A holder whose process exists but does not respond for `silentMs` (a reused process ID) loses
 * the lock.
 */
export async function claimDirectory(
  directory: string,
  instanceId: string,
  silentMs: number,
  signal?: AbortSignal,
): Promise<Claim> {
  let silent: { instanceId: string | undefined; since: number } | undefined;
  for (;;) {
    const record = await readServiceRecord(directory);
    const instance = record ? await probeInstance(directory, record) : 'none';
    if (record && instance === 'ready') return { kind: 'running', record };
    if (instance === 'none') {
      const lock = await InstanceLock.acquire(directory, instanceId);
      if (lock) return { kind: 'claimed', lock };
      const holder = await readHolder(directory);
      if (!silent || silent.instanceId !== holder?.instanceId) {
        silent = { instanceId: holder?.instanceId, since: performance.now() };
      }
      const unresponsive = performance.now() - silent.since > silentMs ? holder?.instanceId : undefined;
      await breakStaleLock(directory, unresponsive);
    } else {
      silent = undefined;
    }
    await delay(POLL_MS, signal);
  }
}
