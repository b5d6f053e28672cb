import { createHash, randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAside } from './writeAside';

/** What DIR/service.json holds. Whoever may read the file may use the service; port and key outlive restarts. */
export interface ServiceRecord {
  baseUrl: string;
  port: number;
  apiKey: string;
  user: string;
  email: string;
  pid: number;
  /** Not for clients: signs the result links; and a random number that tells this data folder from others. */
  private: { linkSecret: string; dataId: string };
}

/** 24 hexadecimal digits, as the service's ids are. */
export function randomId(): string {
  return randomBytes(12).toString('hex');
}

/** A record for a new data folder: no port yet, a new key, user and secrets. */
export function newServiceRecord(): ServiceRecord {
  return {
    baseUrl: '',
    port: 0,
    apiKey: randomBytes(24).toString('base64url'),
    user: randomId(),
    email: 'sample.user@example.org',
    pid: process.pid,
    private: { linkSecret: randomBytes(32).toString('base64url'), dataId: randomId() },
  };
}

/** The record of a data folder; undefined when there is none or it is not one of ours. */
export async function readServiceRecord(directory: string): Promise<ServiceRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, 'service.json'), 'utf8'));
    return isServiceRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes service.json, readable by the owner alone. */
export async function writeServiceRecord(directory: string, record: ServiceRecord): Promise<void> {
  await writeAside(join(directory, 'service.json'), `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

/**
 * Names the data folder to whoever asks the port who is there. No secret; contains the folder's real path, so that a
 * copy of a folder is not taken for its original.
 */
export async function identityOf(directory: string, record: ServiceRecord): Promise<string> {
  const path = await realpath(directory);
  return createHash('sha256').update(`${record.private.dataId}\0${path}`).digest('hex').slice(0, 32);
}

function isServiceRecord(value: unknown): value is ServiceRecord {
  if (!isObject(value) || !isObject(value['private'])) return false;
  const secrets = value['private'];
  return (
    Number.isInteger(value['port']) &&
    ['baseUrl', 'apiKey', 'user', 'email'].every(field => typeof value[field] === 'string') &&
    ['linkSecret', 'dataId'].every(field => typeof secrets[field] === 'string')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
