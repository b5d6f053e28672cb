import { createHash, randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing, whenReleased } from '../../base/node/diskErrors';

/** Contents of DIR/service.json, with which a program can use the service. */
export interface ServiceRecord {
  baseUrl: string;
  port: number;
  apiKey: string;
  user: string;
  email: string;
  pid: number;
  /** Not for clients: the secret that signs result links, and the random ID of the data folder. */
  private: { linkSecret: string; dataId: string };
}

/** An ID like those of the real service: 24 hexadecimal digits. */
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

/** The record of a data folder; undefined if it is missing or invalid. */
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
 * A public ID by which clients recognize the data folder's service on a port. It depends on the
 * folder's real path, so that a copy of the folder has another identity.
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
