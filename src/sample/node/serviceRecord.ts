import { createHash, randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing, whenReleased } from '../../base/node/diskErrors';

/** Contents of DIR/service.json, enough to use the service; port and key survive restarts. */
export interface ServiceRecord {
  baseUrl: string;
  port: number;
  apiKey: string;
  user: string;
  email: string;
  pid: number;
  /** Not for clients: signs the result links; and a random number of this data folder. */
  private: { linkSecret: string; dataId: string };
}

/** 24 hexadecimal digits, like the service's IDs. */
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

/** The record of a data folder; undefined when there is none or it isn't valid. */
export async function readServiceRecord(directory: string): Promise<ServiceRecord | undefined> {
  try {
    const file = join(directory, 'service.json');
    const value: unknown = JSON.parse(await whenReleased(() => readFile(file, 'utf8')));
    return isServiceRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes service.json, readable by the owner alone. */
export async function writeServiceRecord(directory: string, record: ServiceRecord): Promise<void> {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  await writeAtomicFile(join(directory, 'service.json'), file => file.writeFile(text), { mode: 0o600 });
}

/**
 * Identifies the data folder at its port; not a secret. Includes the folder's real path, so that a
 * copy has another identity.
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
