import { randomBytes } from 'node:crypto';
import * as nodeFileSystem from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { delay } from './delay';
import { throwIfCanceled } from './errors';

/*
 * Files that exist completely or not at all. A new file is written under a hidden name in the folder it belongs to,
 * flushed to the disk, and only then given its name: a rename within one folder is atomic, and without the flush some
 * file systems keep the new name but lose the content in a power failure. A name that is a symbolic link stays one: the
 * file that it leads to is replaced, and written aside in that file's folder.
 */

/** The functions of Node's file system in use; tests replace them with failing ones. */
export type AtomicFileSystem = Pick<
  typeof nodeFileSystem,
  'access' | 'copyFile' | 'link' | 'lstat' | 'open' | 'readlink' | 'realpath' | 'rename' | 'rm'
>;

export interface MoveOptions {
  /**
   * Whether a file that has the name is replaced, as it is by default; otherwise the file system's EEXIST is thrown.
   */
  replace?: boolean;
  signal?: AbortSignal | undefined;
  fileSystem?: AtomicFileSystem;
}

export interface AtomicFileOptions extends MoveOptions {
  /** Permissions of the new file, before the process's mask; 0o666 by default. */
  mode?: number;
}

/** Names of the hidden files; those left by a crash may be deleted. */
export const PARTIAL_FILE_NAME = /^\.[0-9a-f]{16}\.part$/;

/**
 * Creates or replaces a file with what `write` writes to the handle, and returns what `write` returns. The handle is
 * flushed and closed here; it can be read too. Throws `cancelled`, what `write` throws and what the file system throws;
 * nothing is left then.
 */
export async function writeAtomicFile<T>(
  file: string,
  write: (handle: FileHandle) => Promise<T>,
  options: AtomicFileOptions = {},
): Promise<T> {
  const { mode = 0o666, replace = true, signal, fileSystem = nodeFileSystem } = options;
  throwIfCanceled(signal);
  const target = replace ? await linkTarget(file, fileSystem) : file;
  const partial = partialBeside(target);
  try {
    const handle = await fileSystem.open(partial, 'wx+', mode);
    let result: T;
    try {
      result = await write(handle);
      throwIfCanceled(signal);
      await handle.sync();
    } finally {
      await handle.close();
    }
    throwIfCanceled(signal);
    await moveToName(partial, target, options);
    return result;
  } catch (error) {
    // The first error is reported, whether or not the removal succeeds.
    await fileSystem.rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Renames a file on the same volume. Throws `cancelled` and what the file system throws. */
export async function moveFile(from: string, to: string, options: MoveOptions = {}): Promise<void> {
  const { replace = true, fileSystem = nodeFileSystem } = options;
  const target = replace ? await linkTarget(to, fileSystem) : to;
  try {
    await moveToName(from, target, options);
  } catch (error) {
    // The link leads to another volume.
    if (codeOf(error) !== 'EXDEV' || target === to) throw error;
    await moveToOtherVolume(from, target, options);
  }
}

async function moveToOtherVolume(from: string, target: string, options: MoveOptions): Promise<void> {
  const { fileSystem = nodeFileSystem } = options;
  const partial = partialBeside(target);
  try {
    await fileSystem.copyFile(from, partial, nodeFileSystem.constants.COPYFILE_EXCL);
    const copy = await fileSystem.open(partial, 'r+');
    try {
      await copy.sync();
    } finally {
      await copy.close();
    }
    await moveToName(partial, target, options);
  } catch (error) {
    await fileSystem.rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
  await fileSystem.rm(from, { force: true }).catch(() => undefined);
}

async function moveToName(from: string, to: string, options: MoveOptions): Promise<void> {
  const { replace = true, signal, fileSystem = nodeFileSystem } = options;
  if (!replace) {
    if (await linkToNew(from, to, fileSystem)) {
      // The file has its new name; it is fine if the old one stays too.
      await fileSystem.rm(from, { force: true }).catch(() => undefined);
      return;
    }
    await throwIfExists(to, fileSystem);
  }
  await renameWithRetries(from, to, fileSystem, signal);
}

function partialBeside(file: string): string {
  return path.join(path.dirname(file), `.${randomBytes(8).toString('hex')}.part`);
}

/** The file that a name leads to: the name itself unless it is a symbolic link. What a link leads to needn't exist. */
async function linkTarget(file: string, fileSystem: AtomicFileSystem): Promise<string> {
  if (!(await isSymbolicLink(file, fileSystem))) return file;
  try {
    return await fileSystem.realpath(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const next = path.resolve(path.dirname(file), await fileSystem.readlink(file));
    return linkTarget(next, fileSystem);
  }
}

async function isSymbolicLink(file: string, fileSystem: AtomicFileSystem): Promise<boolean> {
  try {
    return (await fileSystem.lstat(file)).isSymbolicLink();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** A link, unlike a rename, never replaces a file. False where the file system has no links. */
async function linkToNew(from: string, to: string, fileSystem: AtomicFileSystem): Promise<boolean> {
  try {
    await fileSystem.link(from, to);
    return true;
  } catch (error) {
    if (LINKS_UNSUPPORTED.has(codeOf(error))) return false;
    throw error;
  }
}

const LINKS_UNSUPPORTED = new Set([
  'EACCES',
  'EINVAL',
  'EMLINK',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EPERM',
  'EXDEV',
  'UNKNOWN',
]);

async function throwIfExists(file: string, fileSystem: AtomicFileSystem): Promise<void> {
  try {
    await fileSystem.access(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  throw Object.assign(new Error(`EEXIST: file already exists, rename '${file}'`), { code: 'EEXIST' });
}

/**
 * On Windows a virus scanner or an indexer may hold a file open for a moment; a rename then fails with one of these.
 */
const HELD_OPEN = new Set(['EACCES', 'EBUSY', 'EPERM']);
const MAX_RENAMES = 8;
const FIRST_WAIT_MS = 10;

async function renameWithRetries(
  from: string,
  to: string,
  fileSystem: AtomicFileSystem,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await fileSystem.rename(from, to);
      return;
    } catch (error) {
      if (attempt === MAX_RENAMES || !HELD_OPEN.has(codeOf(error))) throw error;
    }
    await delay(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
