import { randomBytes } from 'node:crypto';
import { lstat, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError } from '../../base/errors';
import { isMissing, systemCode, whenReleased } from '../../base/node/diskErrors';
import { fileError } from '../../base/node/fileErrors';

/*
 * A dataset must not be half new: its types hold for all files. So all files are written into a
 * hidden folder in the destination, on the same volume, under names that no engine reads, and get
 * their names when all are there. Files that they replace are moved into the hidden folder first,
 * and come back if a later move fails.
 */

const ENDING = '.part';

export class StagedFiles {
  private readonly files: { staged: string; name: string }[] = [];
  /** Whether a file that was to be replaced could not come back. */
  private hasOld = false;

  private constructor(
    private readonly destination: string,
    private readonly aside: string,
    private readonly overwrite: boolean,
  ) {}

  /** Throws `not-found` where there is no such folder, `not-writable`, `no-space`. */
  static async create(destination: string, overwrite: boolean): Promise<StagedFiles> {
    const aside = path.join(destination, `.image-analysis-tables-${randomBytes(8).toString('hex')}${ENDING}`);
    await mkdir(aside).catch((error: unknown) => {
      throw fileError(error, path.basename(destination));
    });
    return new StagedFiles(destination, aside, overwrite);
  }

  /** Where to write the file that gets a name in the destination, with slashes. */
  add(name: string): string {
    const staged = path.join(this.aside, `${this.files.length}${ENDING}`);
    this.files.push({ staged, name });
    return staged;
  }

  /** Throws `exists` where a file has one of the names, unless they are overwritten. */
  async refuseExisting(names: readonly string[]): Promise<void> {
    if (this.overwrite) return;
    for (const name of names) if (await exists(path.join(this.destination, name))) throw existing(name);
  }

  /** Gives all files their names. Throws `in-use`, `exists`, `not-writable`, and undoes all. */
  async commit(): Promise<void> {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      for (const [at, { staged, name }] of this.files.entries()) {
        const target = path.join(this.destination, name);
        await this.makeFolders(path.dirname(target), undo);
        const replaced = path.join(this.aside, `${at}.old`);
        if (await exists(target)) {
          if (!this.overwrite) throw existing(name);
          await move(target, replaced, name);
          undo.push(() => move(replaced, target, name));
        }
        await move(staged, target, name);
        undo.push(() => rm(target, { force: true }));
      }
    } catch (error) {
      for (const step of undo.reverse()) await step().catch(() => (this.hasOld = true));
      throw error;
    } finally {
      await this.discard();
    }
  }

  /**
   * Removes the hidden folder. A failure, as while a virus scanner reads it, does no harm. A file
   * that can't come back yet stays in it.
   */
  async discard(): Promise<void> {
    if (this.hasOld) return;
    await rm(this.aside, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }

  private async makeFolders(folder: string, undo: (() => Promise<unknown>)[]): Promise<void> {
    if (folder === this.destination || (await exists(folder))) return;
    await this.makeFolders(path.dirname(folder), undo);
    await mkdir(folder).catch(codedAs(path.basename(folder)));
    undo.push(() => rmdir(folder));
  }
}

function existing(name: string): CodedError {
  return new CodedError('exists', 'The file exists already', { subject: name });
}

/** Renames a file within the volume. Windows reports an open file as not permitted. */
async function move(from: string, to: string, name: string): Promise<void> {
  try {
    await whenReleased(() => rename(from, to));
  } catch (error) {
    if (process.platform === 'win32' && /^(EPERM|EACCES)$/.test(systemCode(error)))
      throw new CodedError(
        'in-use',
        'Another program has the file open',
        { subject: name },
        { cause: error },
      );
    throw fileError(error, name);
  }
}

async function exists(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw fileError(error, path.basename(place));
    },
  );
}

function codedAs(name: string): (error: unknown) => never {
  return error => {
    throw fileError(error, name);
  };
}
