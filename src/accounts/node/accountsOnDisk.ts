import { access, chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { isMissing, systemCode } from '../../base/node/diskErrors';
import { diskError } from '../../base/node/fileErrors';
import { codedReason } from '../../base/reasons';

/** The steps of a sign-out. Each is taken whether or not the others succeed. */
interface SignOutSteps {
  /** Needs no disk. Without a key, nothing more is sent. */
  deleteKey(): Promise<void>;
  /** Informs windows and listeners, which stop using the folders. Runs `first` before changes. */
  store(first?: () => Promise<void>): Promise<void>;
  folders: Iterable<string>;
}

/**
 * Signs out of an account, the key first. Throws the first error; if files could not be written or
 * removed, throws `no-space`, `in-use` or `not-writable` with `signed-out-with-files` as the
 * reason.
 */
export async function takeSignOutSteps(steps: SignOutSteps, log: Log): Promise<void> {
  const failures: Error[] = [];
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      failures.push(error instanceof Error ? error : new Error('A sign-out failed', { cause: error }));
    });
  const deleteKey = () => attempt(steps.deleteKey());
  const isStored = await steps.store(deleteKey).then(
    () => true,
    (error: unknown) => {
      log.warn(`A sign-out could not be stored: ${String(error)}`);
      return false;
    },
  );
  // A download that is being canceled may still hold a file open for a moment.
  for (const folder of steps.folders)
    await attempt(rm(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 100 }));
  // There may be space now.
  if (!isStored) await attempt(steps.store());
  const [failure] = failures;
  if (failure === undefined) return;
  if (!isCoded(failure) && systemCode(failure) === '') throw failure;
  const { code, message, details } = diskError(failure);
  throw new CodedError(code, message, {
    ...details,
    reason: codedReason(
      'signed-out-with-files',
      'You are signed out, but files of the account are still on this machine',
    ),
  });
}

/** Minimum age of a folder without an account before it is deleted, in milliseconds. */
const MIN_ORPHAN_AGE = 24 * 60 * 60_000;

/**
 * Deletes folders of unknown accounts; none if the accounts can't be read. Recent folders are not
 * deleted, as another window may be adding their account.
 */
export async function deleteOrphans(
  parents: Iterable<string>,
  knownIds: () => Promise<ReadonlySet<unknown> | undefined>,
  now: number,
  log: Log,
): Promise<void> {
  const candidates: { name: string; folder: string }[] = [];
  for (const parent of parents) {
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name))
        candidates.push({ name: entry.name, folder: path.join(parent, entry.name) });
  }
  // Read after the folders were listed: a folder is created only after its account was written.
  const accountIds = candidates.length > 0 && (await knownIds());
  if (!accountIds) return;
  for (const { name, folder } of candidates) {
    if (accountIds.has(name) || now - (await stat(folder)).mtimeMs < MIN_ORPHAN_AGE) continue;
    await rm(folder, { recursive: true, force: true });
    log.info(`Deleted the folder of an account that is not signed in: ${name}`);
  }
}

const OWNER_ONLY = 0o700;

/**
 * Creates a folder and its parent, readable only by the user; on Windows permissions are inherited.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  for (const created of [path.dirname(folder), folder]) {
    await mkdir(created, { recursive: true, mode: OWNER_ONLY });
    await chmod(created, OWNER_ONLY);
  }
}

/** Makes an existing folder of earlier versions and its subfolders readable only by the user. */
export async function restrictFolders(parent: string): Promise<void> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(ignoreMissing);
  if (!entries) return;
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => path.join(parent, name));
  // A folder may be deleted meanwhile, with its account; it must not be created again.
  for (const folder of [parent, ...folders]) await chmod(folder, OWNER_ONLY).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/**
 * The folder for sample images. An existing folder of earlier versions, "pictures", is used as
 * before, as a window may have it open.
 */
export async function sampleImagesFolder(storage: string): Promise<string> {
  const before = path.join(storage, 'sample', 'pictures');
  return await access(before).then(
    () => before,
    () => path.join(storage, 'sample', 'images'),
  );
}

/** The folder of the sample study or plate within the folder of sample images. */
export function sampleFolder(sampleImages: string, set: 'study' | 'plate'): string {
  return path.join(sampleImages, set);
}
