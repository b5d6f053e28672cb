import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

/** What decides where sockets are on this machine; tests replace it. */
export interface Machine {
  /** Where the system has a folder for each user, as systemd does: $XDG_RUNTIME_DIR. */
  runtime: string | undefined;
  temporary: string;
  /** The folder for temporary files that all users share, where the path of their own one is too long. */
  shared: string;
  /** The ID of the user. */
  user: number;
}

export function thisMachine(): Machine {
  return {
    runtime: process.env['XDG_RUNTIME_DIR'],
    temporary: tmpdir(),
    shared: '/tmp',
    user: process.getuid?.() ?? 0,
  };
}

/** Longer paths of sockets are cut or refused: 104 bytes on macOS, 108 on Linux, with a zero at the end. */
const MAX_PATH_BYTES = 103;

/**
 * A folder that no other user can enter and no other machine shares, as a home may be, and in which a socket can have a name
 * of so many bytes; created if missing. Undefined where there is none: one that another user made is not used.
 */
export async function runtimeFolder(machine: Machine, nameBytes: number): Promise<string | undefined> {
  const { runtime, temporary, shared, user } = machine;
  const hasRuntime = runtime !== undefined && path.isAbsolute(runtime);
  const folders = [
    ...(hasRuntime ? [path.join(runtime, 'image-analysis')] : []),
    // On macOS the folder for temporary files has a path of 48 bytes, and a user's ID may have ten digits.
    ...[temporary, shared].map(parent => path.join(parent, `ia-${user}`)),
  ];
  for (const folder of folders) {
    const isShort = Buffer.byteLength(folder) + 1 + nameBytes <= MAX_PATH_BYTES;
    if (isShort && (await isPrivate(folder, user))) return folder;
  }
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
