import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

/** What decides where sockets are on this machine; tests replace it. */
export interface Machine {
  /** Where the system has a folder for each user, as systemd does: $XDG_RUNTIME_DIR. */
  runtime: string | undefined;
  temporary: string;
  /** The ID of the user. */
  user: number;
}

export function thisMachine(): Machine {
  return {
    runtime: process.env['XDG_RUNTIME_DIR'],
    temporary: tmpdir(),
    user: process.getuid?.() ?? 0,
  };
}

/**
 * A folder that no other user can enter and no other machine shares, as a home may be; created if missing. Undefined
 * where there is none: one that another user made is not used.
 */
export async function runtimeFolder(machine: Machine): Promise<string | undefined> {
  const { runtime, temporary, user } = machine;
  const folders = [path.join(temporary, `image-analysis-${user}`)];
  if (runtime !== undefined && path.isAbsolute(runtime))
    folders.unshift(path.join(runtime, 'image-analysis'));
  for (const folder of folders) if (await isPrivate(folder, user)) return folder;
  return undefined;
}

async function isPrivate(folder: string, user: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  // Not stat: in a folder that all users share, a symbolic link may lead anywhere.
  const { uid, mode, isFolder } = await lstat(folder).then(
    found => ({ uid: found.uid, mode: found.mode, isFolder: found.isDirectory() }),
    () => ({ uid: -1, mode: 0, isFolder: false }),
  );
  return isFolder && uid === user && (mode & 0o077) === 0;
}
