import { randomBytes } from 'node:crypto';
import { copyFile, type FileHandle, lstat, mkdir, open, readdir, realpath, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError } from '../errors';
import { moveFile } from './atomicFile';
import { flush, isMissing, systemCode, whenReleased } from './diskErrors';
import { fileError, refuseExisting } from './fileErrors';

/*
 * A folder must never have half of an export. All files are first written into a hidden folder
 * inside the destination, which is on the same volume, and flushed. Then all files that they
 * replace are moved into the hidden folder. This fails if another program has one of them open, but
 * no file has been replaced yet. Last, the new files get their names. If a move fails, the earlier
 * moves are undone.
 */

/** Characters of text to buffer before a write. */
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

/** Files that appear in a folder together, or not at all. */
export class OutputFolder {
  private readonly files: { name: string; bytes: number }[] = [];
  /** Whether the hidden folder has replaced files that couldn't be moved back. */
  private hasOldFiles = false;

  private constructor(
    private readonly destination: string,
    private readonly hiddenFolder: string,
    private readonly overwrite: boolean,
    private readonly remove: typeof rm,
  ) {}

  /**
   * Throws `exists` (for a taken name without `overwrite`), `not-found`, `not-a-file`, `no-space`.
   */
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
      if (!overwrite) for (const name of names) await refuseExisting(path.join(destination, name));
    } catch (error) {
      await folder.discard();
      throw error;
    }
    return folder;
  }

  /** Whether the destination has a file of this name. */
  async hasFile(name: string): Promise<boolean> {
    return await lstat(path.join(this.destination, name)).then(
      () => true,
      error => !isMissing(error),
    );
  }

  /** Creates a file whose content `write` writes. */
  async write(name: string, write: (file: OutputFile) => Promise<void>): Promise<void> {
    const place = path.join(this.hiddenFolder, name);
    const handle = await open(place, 'wx').catch((error: unknown) => {
      throw fileError(error, name);
    });
    const file = new OutputFile(name, handle);
    try {
      await write(file);
    } finally {
      await file.close();
    }
    this.files.push({ name, bytes: file.size });
  }

  /**
   * Moves all files to their names. Throws `in-use` if another program has one of them open,
   * `exists` if a name was taken in the meantime; then the destination is restored.
   */
  async commit(): Promise<{ path: string; bytes: number }[]> {
    const undo: (() => Promise<void>)[] = [];
    try {
      if (this.overwrite) await this.moveOldAside(undo);
      for (const { name } of this.files) {
        const target = path.join(this.destination, name);
        const move = moveFile(path.join(this.hiddenFolder, name), target, { replace: this.overwrite });
        await move.catch(throwCoded(name));
        undo.push(() => whenReleased(() => rm(target, { force: true })));
      }
    } catch (error) {
      await this.undo(undo);
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

  /** Moves files that will be replaced into the hidden folder; adds a function that undoes each. */
  private async moveOldAside(undo: (() => Promise<void>)[]): Promise<void> {
    const oldFiles = path.join(this.hiddenFolder, OLD_FILES);
    await mkdir(oldFiles).catch(throwCoded(path.basename(this.destination)));
    for (const { name } of this.files) {
      const target = path.join(this.destination, name);
      const stats = await lstat(target).catch((error: unknown) => {
        if (!isMissing(error)) throw fileError(error, name);
      });
      if (!stats) continue;
      if (stats.isDirectory()) throw new CodedError('not-a-file', 'It is a folder', { subject: name });
      const isLink = stats.isSymbolicLink();
      const storedName = isLink ? name : await nameOnDisk(target);
      const old = path.join(oldFiles, storedName);
      // A link stays, and its target is copied, because it may be on another volume.
      const move = isLink ? copyIfThere(target, old) : moveFile(target, old);
      await move.catch(throwCoded(name));
      undo.push(() => moveFile(old, path.join(this.destination, storedName)));
    }
  }

  private async undo(steps: (() => Promise<void>)[]): Promise<void> {
    for (const step of steps.reverse()) {
      // The first error is reported. A missing file needs no undoing.
      await step().catch((error: unknown) => (this.hasOldFiles ||= !isMissing(error)));
    }
  }
}

/** A file's name in the disk's upper and lower case. Not for links, which it would follow. */
async function nameOnDisk(file: string): Promise<string> {
  // Some volumes on Windows can't tell the name.
  return path.basename(await realpath(file).catch(() => file));
}

/** Copies the target of a link, if it exists. */
async function copyIfThere(link: string, to: string): Promise<void> {
  await copyFile(link, to).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** Rethrows an error of the file system as a coded error. */
function throwCoded(name: string): (error: unknown) => never {
  return error => {
    throw fileError(error, name);
  };
}

const HIDDEN_FOLDER = /^\.image-analysis-export-[0-9a-f]{16}\.part$/;
/** Running exports write all the time: a folder unchanged for an hour is left from a crash. */
const STALE_AFTER_MS = 60 * 60 * 1000;

/** Subfolder for replaced files, in the hidden folder; no exported file has this name. */
const OLD_FILES = '.old';

/** A name for the hidden folder that an export writes into. */
function hiddenFolderName(): string {
  return `.image-analysis-export-${randomBytes(8).toString('hex')}.part`;
}

/** Removes hidden folders of crashed exports and puts back the old files that they moved aside. */
async function removeStaleFolders(destination: string, now = Date.now()): Promise<void> {
  const names = await readdir(destination).catch((): string[] => []);
  for (const name of names) {
    if (!HIDDEN_FOLDER.test(name)) continue;
    const folder = path.join(destination, name);
    // A folder that can't be read or removed does no harm; the export continues.
    if ((await lastChange(folder).catch(() => now)) > now - STALE_AFTER_MS) continue;
    if (!(await putBack(path.join(folder, OLD_FILES), destination))) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Moves old files back to their names, unless those are taken. False if any file couldn't move. */
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

/** When a folder or its files last changed, in milliseconds; Infinity if it isn't a folder. */
async function lastChange(folder: string): Promise<number> {
  const stats = await lstat(folder);
  if (!stats.isDirectory()) return Infinity;
  let last = stats.mtimeMs;
  for (const name of await readdir(folder))
    last = Math.max(last, (await lstat(path.join(folder, name))).mtimeMs);
  return last;
}
