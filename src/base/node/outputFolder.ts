import { randomBytes } from 'node:crypto';
import {
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  rmdir,
  utimes,
} from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import * as nodeFileSystem from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError } from '../errors';
import { linkTarget } from './atomicFile';
import { moveFile } from './moveFile';
import { flush, isMissing, systemCode, whenReleased } from './diskErrors';
import { fileError, refuseExisting } from './fileErrors';

/*
 * A folder must never have half of an export. So all files are first written to a hidden folder
 * inside the destination, which is on the same volume, under names that no program reads. Before
 * they are moved to their names, all files that they replace are moved into the hidden folder. This
 * fails if another program has one of them open. If any move fails, the moves before it are undone.
 */

/** Characters of text that are buffered before they are written. */
const MAX_BUFFERED = 256 * 1024;

/** A file that is being written in the hidden folder. */
export class OutputFile {
  private position = 0;
  private text: string[] = [];
  private textLength = 0;

  constructor(
    readonly name: string,
    private readonly handle: FileHandle,
  ) {}

  /** Bytes appended so far, without buffered text. */
  get size(): number {
    return this.position;
  }

  async append(bytes: Uint8Array): Promise<void> {
    const position = this.position;
    this.position += bytes.byteLength;
    await this.write(bytes, position);
  }

  /** Appends text as UTF-8, buffered. */
  async appendText(text: string): Promise<void> {
    this.text.push(text);
    this.textLength += text.length;
    if (this.textLength >= MAX_BUFFERED) await this.flush();
  }

  /** Overwrites bytes that were already appended. */
  async patch(bytes: Uint8Array, position: number): Promise<void> {
    await this.write(bytes, position);
  }

  /** Writes buffered text, and flushes the file to the disk. */
  async close(): Promise<void> {
    try {
      await this.flush();
      await flush(this.handle).catch((error: unknown) => {
        throw fileError(error, this.name);
      });
    } finally {
      await this.handle.close();
    }
  }

  private async flush(): Promise<void> {
    if (this.textLength === 0) return;
    const bytes = Buffer.from(this.text.join(''), 'utf8');
    this.text = [];
    this.textLength = 0;
    await this.append(bytes);
  }

  private async write(bytes: Uint8Array, position: number): Promise<void> {
    try {
      for (let done = 0; done < bytes.byteLength;) {
        const { bytesWritten } = await this.handle.write(
          bytes,
          done,
          bytes.byteLength - done,
          position + done,
        );
        done += bytesWritten;
      }
    } catch (error) {
      throw fileError(error, this.name);
    }
  }
}

/** Writes files that appear in a folder all together or not at all. Names may contain folders. */
export class OutputFolder {
  private readonly files: { name: string; stagedPath: string; bytes: number }[] = [];
  private nextNumber = 0;
  /** Whether replaced files are still in the hidden folder, because moving them back failed. */
  private hasOldFiles = false;

  private constructor(
    private readonly destination: string,
    private readonly hiddenFolder: string,
    private readonly overwrite: boolean,
    private readonly remove: typeof rm,
  ) {}

  /** Throws `exists` (a taken name, unless `overwrite`), `not-found`, `not-a-file`, `no-space`. */
  static async open(
    destination: string,
    names: readonly string[],
    overwrite: boolean,
    /** For tests. */
    remove = rm,
  ): Promise<OutputFolder> {
    await removeStaleFolders(destination);
    const hiddenFolder = path.join(destination, hiddenFolderName());
    try {
      await mkdir(hiddenFolder);
    } catch (error) {
      throw fileError(error, path.basename(destination));
    }
    const folder = new OutputFolder(destination, hiddenFolder, overwrite, remove);
    try {
      if (!overwrite) for (const name of names) await refuseExisting(path.join(destination, name), name);
    } catch (error) {
      await folder.discard();
      throw error;
    }
    return folder;
  }

  /** Whether the destination has a file of a name. */
  hasFile(name: string): Promise<boolean> {
    return exists(path.join(this.destination, name));
  }

  /** Adds a file that the caller writes to the returned path. Its bytes aren't counted. */
  addFile(name: string): string {
    const stagedPath = this.nextStagedPath();
    this.files.push({ name, stagedPath, bytes: 0 });
    return stagedPath;
  }

  /** Shows other exports that this one still runs, though it writes nothing. See STALE_AFTER_MS. */
  async touch(): Promise<void> {
    const now = new Date();
    await utimes(this.hiddenFolder, now, now).catch(() => undefined);
  }

  /** Creates a file; `write` writes its content. */
  async write(name: string, write: (file: OutputFile) => Promise<void>): Promise<void> {
    const stagedPath = this.nextStagedPath();
    const handle = await open(stagedPath, 'wx').catch((error: unknown) => {
      throw fileError(error, name);
    });
    const file = new OutputFile(name, handle);
    try {
      await write(file);
    } finally {
      await file.close();
    }
    this.files.push({ name, stagedPath, bytes: file.size });
  }

  /**
   * Moves all files to their names. Throws `in-use` if another program has one of them open,
   * `exists` if a name was taken in the meantime; then the destination is restored.
   */
  async commit(): Promise<{ path: string; bytes: number }[]> {
    const undoSteps: (() => Promise<void>)[] = [];
    try {
      if (this.overwrite) await this.moveOldAside(undoSteps);
      for (const { name, stagedPath } of this.files) {
        const target = path.join(this.destination, name);
        await this.makeFolders(path.dirname(target), undoSteps);
        // Undoing must remove the file that was written, not a link to it.
        const writtenPath = this.overwrite ? await linkTarget(target, nodeFileSystem) : target;
        await moveFile(stagedPath, target, { replace: this.overwrite }).catch(throwCoded(name));
        undoSteps.push(() => whenReleased(() => rm(writtenPath, { force: true })));
      }
    } catch (error) {
      await this.undo(undoSteps);
      throw error;
    } finally {
      await this.discard();
    }
    return this.files.map(({ name, bytes }) => ({ path: path.join(this.destination, name), bytes }));
  }

  /**
   * Removes the hidden folder and its files. If this fails, as when a virus scanner reads it, the
   * result of the export stays the same. The next export into the destination removes the folder
   * and moves back old files that are still in it.
   */
  async discard(): Promise<void> {
    if (this.hasOldFiles) return;
    await this.remove(this.hiddenFolder, { recursive: true, force: true, maxRetries: 3 }).catch(
      () => undefined,
    );
  }

  private nextStagedPath(): string {
    return path.join(this.hiddenFolder, `${this.nextNumber++}.part`);
  }

  /** Creates missing folders, and adds steps that remove them to `undoSteps`. */
  private async makeFolders(folder: string, undoSteps: (() => Promise<void>)[]): Promise<void> {
    if (folder === this.destination || (await exists(folder))) return;
    await this.makeFolders(path.dirname(folder), undoSteps);
    await mkdir(folder).catch(throwCoded(path.basename(folder)));
    undoSteps.push(() => rmdir(folder).catch(() => undefined));
  }

  /** Moves files that will be replaced into the hidden folder, and adds steps that restore them. */
  private async moveOldAside(undoSteps: (() => Promise<void>)[]): Promise<void> {
    const oldFiles = path.join(this.hiddenFolder, OLD_FILES);
    for (const { name } of this.files) {
      const target = path.join(this.destination, name);
      const stats = await lstat(target).catch((error: unknown) => {
        if (!isMissing(error)) throw fileError(error, name);
      });
      if (!stats) continue;
      if (stats.isDirectory()) throw new CodedError('not-a-file', 'It is a folder', { subject: name });
      const isLink = stats.isSymbolicLink();
      const diskName = path.join(path.dirname(name), isLink ? path.basename(name) : await nameOnDisk(target));
      const oldFile = path.join(oldFiles, diskName);
      const folder = path.dirname(oldFile);
      await mkdir(folder, { recursive: true }).catch(throwCoded(path.basename(this.destination)));
      // A link is not moved: its target may be on another volume. The target's content is copied.
      const move = isLink ? copyIfExists(target, oldFile) : moveFile(target, oldFile);
      await move.catch(throwCoded(name));
      undoSteps.push(() => moveFile(oldFile, path.join(this.destination, diskName)));
    }
  }

  private async undo(undoSteps: (() => Promise<void>)[]): Promise<void> {
    for (const step of undoSteps.reverse()) {
      // The first error is reported. A missing file needs no undoing.
      await step().catch((error: unknown) => (this.hasOldFiles ||= !isMissing(error)));
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return await lstat(file).then(
    () => true,
    error => !isMissing(error),
  );
}

/** A file's name as stored on a disk that ignores case. Not for links. */
async function nameOnDisk(file: string): Promise<string> {
  // Some volumes of Windows can't resolve paths.
  return path.basename(await realpath(file).catch(() => file));
}

/** Copies the file that a link leads to, if there is one. */
async function copyIfExists(link: string, to: string): Promise<void> {
  await copyFile(link, to).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** Returns a handler that throws an error of the file system with a code. */
function throwCoded(name: string): (error: unknown) => never {
  return error => {
    throw fileError(error, name);
  };
}

const HIDDEN_FOLDER_PATTERN = /^\.image-analysis-export-[0-9a-f]{16}\.part$/;
/** A hidden folder that hasn't changed for this long is from an export that crashed. */
const STALE_AFTER_MS = 60 * 60 * 1000;

/** Subfolder of the hidden folder for replaced files. No exported file has this name. */
const OLD_FILES = '.old';

/** A new random name of a hidden folder. */
function hiddenFolderName(): string {
  return `.image-analysis-export-${randomBytes(8).toString('hex')}.part`;
}

/** Removes hidden folders of crashed exports, and moves the replaced files in them back. */
async function removeStaleFolders(destination: string, now = Date.now()): Promise<void> {
  const names = await readdir(destination).catch((): string[] => []);
  for (const name of names) {
    if (!HIDDEN_FOLDER_PATTERN.test(name)) continue;
    const folder = path.join(destination, name);
    // A folder that can't be read or removed does no harm; the export continues.
    if ((await lastChange(folder).catch(() => now)) > now - STALE_AFTER_MS) continue;
    if (!(await restoreOldFiles(path.join(folder, OLD_FILES), destination))) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Moves old files back, unless their names are taken. Returns false if a move failed. */
async function restoreOldFiles(oldFiles: string, destination: string): Promise<boolean> {
  let isEmpty = true;
  const entries = await readdir(oldFiles, { withFileTypes: true }).catch((error: unknown): Dirent[] => {
    isEmpty = isMissing(error);
    return [];
  });
  for (const entry of entries) {
    const [from, to] = [path.join(oldFiles, entry.name), path.join(destination, entry.name)];
    if (entry.isDirectory()) {
      const isRestored = await restoreOldFiles(from, to);
      isEmpty &&= isRestored;
      continue;
    }
    // The user may have deleted an empty folder since.
    await mkdir(destination, { recursive: true }).catch(() => undefined);
    await moveFile(from, to, { replace: false }).catch(
      (error: unknown) => (isEmpty &&= systemCode(error) === 'EEXIST'),
    );
  }
  return isEmpty;
}

/** When a folder or its files were last written, in milliseconds; Infinity if it is no folder. */
async function lastChange(folder: string): Promise<number> {
  const stats = await lstat(folder);
  if (!stats.isDirectory()) return Infinity;
  let last = stats.mtimeMs;
  for (const name of await readdir(folder))
    last = Math.max(last, (await lstat(path.join(folder, name))).mtimeMs);
  return last;
}
