import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { canceledError, CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import { reason, quoted } from '../../base/reasons';
import { untilCanceled } from '../../base/waiting';
import type { VirtualFiles } from '../../uploads/node/fileSources';
import type { FileUri } from './resultSource';

/** Maximum bytes of a file that is copied from another file system. */
const MAX_COPY = 1024 ** 3;

interface LocalCopiesDependencies {
  files: Pick<VirtualFiles, 'readFile'> & { stat(uri: string): PromiseLike<{ size: number }> };
  parseUri: (text: string) => FileUri;
  log: Log;
  /** Parent of the folder with copies; by default the system's temporary folder. */
  parent?: string;
}

/**
 * Paths on disk for files of any file system. Copies files that aren't on a disk, until disposal.
 */
export class LocalCopies implements Disposable {
  private folder: Promise<string> | undefined;
  private readonly copies = new Map<string, Promise<string>>();
  private copyCount = 0;
  private disposed = false;

  constructor(private readonly dependencies: LocalCopiesDependencies) {}

  /** The path of a file. Throws `not-a-file`, `bad-request` (too large to copy), `cancelled`. */
  async pathOf(file: FileUri | string, signal: AbortSignal): Promise<string> {
    const uri = this.dependencies.parseUri(file.toString());
    if (uri.scheme === 'file') return uri.fsPath;
    const key = uri.toString();
    let copy = this.copies.get(key);
    if (!copy) {
      copy = this.copy(uri);
      this.copies.set(key, copy);
      copy.catch(() => this.copies.delete(key));
    }
    return await untilCanceled(copy, signal);
  }

  /** Deletes the copy of a file in the background; the next `pathOf` copies it again. */
  forget(file: FileUri | string): void {
    const key = this.dependencies.parseUri(file.toString()).toString();
    const copy = this.copies.get(key);
    this.copies.delete(key);
    // A copy that can't be deleted now is deleted with the folder.
    copy?.then(path => rm(path, { force: true })).catch(() => undefined);
  }

  /** Deletes all copies in the background. */
  dispose(): void {
    this.disposed = true;
    const { log } = this.dependencies;
    this.deleteCopies().catch((error: unknown) =>
      log.warn(`Couldn't delete copies of background images: ${String(error)}`),
    );
  }

  private async deleteCopies(): Promise<void> {
    await Promise.allSettled(this.copies.values());
    const folder = await this.folder;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 8 });
  }

  private async copy(uri: FileUri): Promise<string> {
    const { files, parent = tmpdir() } = this.dependencies;
    const subject = posix.basename(uri.path);
    // Count before any await, because files of the same name may be copied at the same time.
    const name = `${++this.copyCount}-${subject.replace(/[^\w.-]/g, '_')}`;
    try {
      const { size } = await files.stat(uri.toString());
      if (size > MAX_COPY) {
        throw new CodedError('bad-request', `The file has ${size} bytes`, {
          subject,
          reason: reason("Files over {0} GB aren't copied from another file system", MAX_COPY / 1024 ** 3),
        });
      }
      const bytes = await files.readFile(uri.toString());
      if (this.disposed) throw canceledError();
      this.folder ??= mkdtemp(join(parent, 'image-analysis-'));
      const path = join(await this.folder, name);
      await writeFile(path, bytes, { mode: 0o600 });
      return path;
    } catch (error) {
      if (error instanceof CodedError) throw error;
      const text = error instanceof Error ? error.message : String(error);
      throw new CodedError('not-a-file', `The file can't be read: ${text}`, {
        subject,
        reason: quoted(text),
      });
    }
  }
}
