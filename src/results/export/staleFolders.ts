import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import * as path from 'node:path';

const OURS = /^\.image-analysis-export-[0-9a-f]{16}\.part$/;
/** An export writes all the time: what has not changed for so long is of one that was ended from outside. */
const STALE_MILLISECONDS = 60 * 60 * 1000;

/** A name for the hidden folder that an export writes into. */
export function hiddenFolderName(): string {
  return `.image-analysis-export-${randomBytes(8).toString('hex')}.part`;
}

/** Removes hidden folders that exports left behind because their program ended in the middle. */
export async function removeStaleFolders(destination: string, now = Date.now()): Promise<void> {
  const names = await readdir(destination).catch((): string[] => []);
  for (const name of names) {
    if (!OURS.test(name)) continue;
    const folder = path.join(destination, name);
    // One that cannot be looked at or removed harms nobody; the export has other things to do.
    if ((await lastChange(folder).catch(() => now)) > now - STALE_MILLISECONDS) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** When a folder or a file in it was last written to; never for what is no folder. */
async function lastChange(folder: string): Promise<number> {
  const found = await lstat(folder);
  if (!found.isDirectory()) return Infinity;
  let last = found.mtimeMs;
  for (const name of await readdir(folder))
    last = Math.max(last, (await lstat(path.join(folder, name))).mtimeMs);
  return last;
}
