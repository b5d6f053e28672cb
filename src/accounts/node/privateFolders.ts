import { chmod, mkdir, readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { isMissing } from '../../base/node/diskErrors';

const OWNER_ONLY = 0o700;

/** Makes the folder, and the one it is in, so that other users of this machine can't enter them. Windows has its own rules. */
export async function makePrivateFolder(folder: string): Promise<void> {
  for (const one of [path.dirname(folder), folder]) {
    await mkdir(one, { recursive: true, mode: OWNER_ONLY });
    await chmod(one, OWNER_ONLY);
  }
}

/** Does the same to a folder and those in it, such as earlier versions made; nothing to what doesn't exist. */
export async function closeFolders(parent: string): Promise<void> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(ignoreMissing);
  if (!entries) return;
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => path.join(parent, name));
  // A folder may go meanwhile, with its account; it must not be made again.
  for (const folder of [parent, ...folders]) await chmod(folder, OWNER_ONLY).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
