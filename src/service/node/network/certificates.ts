import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { whenReleased } from '../../../base/node/diskErrors';
import type { Log } from '../../../base/log';
import type { NetworkSettings } from './networkSettings';

/** Runs in a thread: reading the system's store is synchronous and can take a good part of a second. */
const readSystemStore = `
  const { parentPort } = require('node:worker_threads');
  parentPort.postMessage(require('node:tls').getCACertificates('system'));
`;

/**
 * Every certificate (PEM) that may vouch for a host: Node's own, the system's unless they are off, those of NODE_EXTRA_CA_CERTS,
 * and the settings'. What cannot be read is left out with a line in the log.
 */
export async function trustedCertificates(
  settings: NetworkSettings,
  log: Log,
  readSystem = systemCertificates,
): Promise<string[]> {
  const extraFile = (settings.environment ?? process.env)['NODE_EXTRA_CA_CERTS'];
  const [system, extra] = await Promise.all([
    settings.systemCertificates === false ? [] : readSystem(log),
    extraFile ? readExtra(extraFile, log) : [],
  ]);
  const own = hasStores() ? tls.getCACertificates('default') : tls.rootCertificates;
  return [...new Set([...own, ...system, ...extra, ...(settings.extraCertificates ?? [])])];
}

/** `tls.getCACertificates` came with Node 22.15; an Electron may leave it out. */
function hasStores(): boolean {
  return typeof (tls as Partial<typeof tls>).getCACertificates === 'function';
}

async function readExtra(file: string, log: Log): Promise<string[]> {
  try {
    return [await whenReleased(() => readFile(file, 'utf8'))];
  } catch (error) {
    log.warn(`The certificates of NODE_EXTRA_CA_CERTS cannot be read: ${String(error)}`);
    return [];
  }
}

function systemCertificates(log: Log): Promise<string[]> {
  if (!hasStores()) return Promise.resolve([]);
  return new Promise(resolve => {
    const thread = new Worker(readSystemStore, { eval: true });
    thread.once('message', (certificates: string[]) => resolve(certificates));
    thread.once('error', error => {
      log.warn(`The system's certificates cannot be read: ${String(error)}`);
      resolve([]);
    });
    thread.once('exit', () => resolve([]));
  });
}
