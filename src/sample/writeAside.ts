import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { delay } from '../base/delay';

/** How a temporary file of writeAside ends; leftovers of a crash are found by it. */
export const ASIDE_SUFFIX = '.aside';

/**
 * Writes a file so that a reader, also after a crash, sees the old content or the new one, never a part of it.
 * `mode` is the new file's permission, whatever the old one had.
 */
export async function writeAside(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}${ASIDE_SUFFIX}`;
  try {
    await writeFile(aside, content, { mode, flag: 'wx', flush: true });
    await renameOver(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Renames; on Windows a virus scanner may hold the target for a moment, so a refusal is tried again. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (attempt === 5 || (code !== 'EPERM' && code !== 'EACCES' && code !== 'EBUSY')) throw error;
      await delay(20 * attempt);
    }
  }
}
