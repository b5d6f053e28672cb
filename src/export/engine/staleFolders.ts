import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { moveFile } from '../../base/node/atomicFile';
import { isMissing, systemCode } from '../../base/node/diskErrors';

const OURS = /^\.image-analysis-export-[0-9a-f]{16}\.part$/;
/** A running export writes all the time: a folder that hasn't changed for an hour is left from a crash. */
const STALE_AFTER_MS = 60 * 60 * 1000;

/** The folder in a hidden folder for the files that its export replaces. No exported file has the name. */
export const OLD_FILES = '.old';

/** A name for the hidden folder that an export writes into. */
export function hiddenFolderName(): string {
  return `.image-analysis-export-${randomBytes(8).toString('hex')}.part`;
}

/** Removes the hidden folders of exports that crashed, and puts back old files that such an export has moved aside. */
export async function removeStaleFolders(destination: string, now = Date.now()): Promise<void> {
  const names = await readdir(destination).catch((): string[] => []);
  for (const name of names) {
    if (!OURS.test(name)) continue;
    const folder = path.join(destination, name);
    // A folder that can't be read or removed does no harm; the export goes on.
    if ((await lastChange(folder).catch(() => now)) > now - STALE_AFTER_MS) continue;
    if (!(await putBack(path.join(folder, OLD_FILES), destination))) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Gives old files their names again unless they are taken, as by what replaced them. False where one is left. */
async function putBack(oldFiles: string, destination: string): Promise<boolean> {
  let isEmpty = true;
  const names = await readdir(oldFiles).catch((error: unknown): string[] => {
    isEmpty = isMissing(error);
    return [];
  });
  for (const name of names) {
    await moveFile(path.join(oldFiles, name), path.join(destination, name), { replace: false }).catch(
      (error: unknown) => (isEmpty &&= systemCode(error) === 'EEXIST'),
    );
  }
  return isEmpty;
}

/** When a folder or a file in it was last written, in milliseconds; Infinity if it isn't a folder. */
async function lastChange(folder: string): Promise<number> {
  const found = await lstat(folder);
  if (!found.isDirectory()) return Infinity;
  let last = found.mtimeMs;
  for (const name of await readdir(folder))
    last = Math.max(last, (await lstat(path.join(folder, name))).mtimeMs);
  return last;
}
