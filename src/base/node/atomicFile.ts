import * as nodeFileSystem from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { throwIfCanceled } from '../errors';
import { flush, isMissing, systemCode, whenReleased } from './diskErrors';

/*
 * Files that exist completely or not at all. A new file is written under a hidden name in its
 * folder, flushed to the disk, and then renamed. A rename within one folder is atomic; without the
 * flush, some file systems lose the content in a power failure although they keep the new name. A
 * symbolic link stays a link: its target is replaced, and the hidden file is in the target's
 * folder.
 */

/** The functions of Node's file system that are used here; tests replace them. */
export type AtomicFileSystem = Pick<
  typeof nodeFileSystem,
  'access' | 'link' | 'lstat' | 'open' | 'readlink' | 'realpath' | 'rename' | 'rm'
>;

export interface MoveOptions {
  /** Replaces an existing file, as is the default; false throws the file system's EEXIST. */
  replace?: boolean;
  signal?: AbortSignal | undefined;
  fileSystem?: AtomicFileSystem;
}

interface AtomicFileOptions extends MoveOptions {
  /** Permissions of the new file, before the process's umask applies; 0o666 by default. */
  mode?: number;
}

/** Names of the hidden files; a file left by a crash may be deleted. */
export const PARTIAL_FILE_NAME = /^\.[0-9a-f]{16}\.part$/;

/**
 * Creates or replaces a file: `write` writes its content to a handle, which it can also read.
 * Returns the result of `write`. Throws `cancelled`, and errors of `write` and of the file system;
 * then no partial file is left.
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
      await flush(handle);
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

/** Renames a file on the same volume; follows no link. Throws `cancelled`, errors of the disk. */
export async function moveToName(from: string, to: string, options: MoveOptions): Promise<void> {
  const { replace = true, signal, fileSystem = nodeFileSystem } = options;
  if (!replace) {
    if (await linkToNew(from, to, fileSystem)) {
      // The file has its new name; a leftover old name does no harm.
      await fileSystem.rm(from, { force: true }).catch(() => undefined);
      return;
    }
    await throwIfExists(to, fileSystem);
  }
  const rename = () =>
    fileSystem.rename(from, to).catch(async (error: unknown) => {
      // Windows reports the same error for a folder of that name as for an open file.
      throw (await isFolder(to, fileSystem)) ? withCode(error, 'EISDIR') : error;
    });
  try {
    await whenReleased(rename, signal);
  } catch (error) {
    throw (await isHeldOpen(error, from, to, fileSystem)) ? withCode(error, 'EBUSY') : error;
  }
}

/** Wraps a Windows error with the code that other systems use for it. */
function withCode(error: unknown, code: string): Error {
  return Object.assign(new Error(String(error), { cause: error }), { code });
}

/**
 * Whether a rename failed because another program has the file open. Windows reports "not
 * permitted" then, so this checks whether the files are writable.
 */
async function isHeldOpen(
  error: unknown,
  from: string,
  to: string,
  { access }: AtomicFileSystem,
): Promise<boolean> {
  const code = systemCode(error);
  if (process.platform !== 'win32' || (code !== 'EPERM' && code !== 'EACCES')) return false;
  const { W_OK } = nodeFileSystem.constants;
  const isWritable = (file: string) => access(file, W_OK).then(() => true);
  return isWritable(to).catch(missing => isMissing(missing) && isWritable(from).catch(() => false));
}

function partialBeside(file: string): string {
  // Without node:crypto, which takes a thread some milliseconds to load.
  const random = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  return path.join(path.dirname(file), `.${random}.part`);
}

/** The target of a symbolic link, which needn't exist; any other name is returned as it is. */
export async function linkTarget(file: string, fileSystem: AtomicFileSystem): Promise<string> {
  if (!(await isSymbolicLink(file, fileSystem))) return file;
  try {
    return await fileSystem.realpath(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    const next = path.resolve(path.dirname(file), await fileSystem.readlink(file));
    return linkTarget(next, fileSystem);
  }
}

async function isFolder(file: string, fileSystem: AtomicFileSystem): Promise<boolean> {
  return await fileSystem.lstat(file).then(
    stats => stats.isDirectory(),
    () => false,
  );
}

async function isSymbolicLink(file: string, fileSystem: AtomicFileSystem): Promise<boolean> {
  try {
    return (await fileSystem.lstat(file)).isSymbolicLink();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Creates a hard link, which never replaces a file. False if the file system has no links. */
async function linkToNew(from: string, to: string, fileSystem: AtomicFileSystem): Promise<boolean> {
  try {
    await fileSystem.link(from, to);
    return true;
  } catch (error) {
    if (LINKS_UNSUPPORTED.has(systemCode(error))) return false;
    throw error;
  }
}

const LINKS_UNSUPPORTED = new Set([
  'EACCES',
  'EINVAL',
  // exFAT and FAT32 on Windows.
  'EISDIR',
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
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  throw Object.assign(new Error(`EEXIST: file already exists, rename '${file}'`), { code: 'EEXIST' });
}
