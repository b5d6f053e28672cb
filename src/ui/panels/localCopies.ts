import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError, throwIfCancelled } from '../../base/errors';
import type { Log } from '../../base/log';

/** Largest file that is copied from another file system, in bytes. */
const MAX_COPY = 1024 ** 3;

/** Paths on disk for files of any file system: those that are not on a disk are copied, until disposal. */
export class LocalCopies implements Disposable {
  private folder: Promise<string> | undefined;
  private readonly copies = new Map<string, Promise<string>>();

  constructor(private readonly log: Log) {}

  /** Throws `not-a-file`, `bad-request` (too large to be copied), `cancelled`. */
  async pathOf(file: vscode.Uri | string, signal: AbortSignal): Promise<string> {
    const uri = typeof file === 'string' ? vscode.Uri.parse(file) : file;
    if (uri.scheme === 'file') return uri.fsPath;
    const key = uri.toString();
    let copy = this.copies.get(key);
    if (!copy) {
      copy = this.copy(uri);
      this.copies.set(key, copy);
      copy.catch(() => this.copies.delete(key));
    }
    const path = await copy;
    throwIfCancelled(signal);
    return path;
  }

  dispose(): void {
    this.folder
      ?.then(folder => rm(folder, { recursive: true, force: true }))
      .catch((error: unknown) => this.log.warn(`Copies of pictures were left behind: ${String(error)}`));
  }

  private async copy(uri: vscode.Uri): Promise<string> {
    const subject = posix.basename(uri.path);
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > MAX_COPY) {
        const reason = 'files of more than 1 GB are not copied from another file system';
        throw new CodedError('bad-request', `The file has ${size} bytes`, { subject, reason });
      }
      const bytes = await vscode.workspace.fs.readFile(uri);
      this.folder ??= mkdtemp(join(tmpdir(), 'image-analysis-'));
      const path = join(await this.folder, `${this.copies.size}-${subject.replace(/[^\w.-]/g, '_')}`);
      await writeFile(path, bytes, { mode: 0o600 });
      return path;
    } catch (error) {
      if (error instanceof CodedError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodedError('not-a-file', `The file cannot be read: ${reason}`, { subject, reason });
    }
  }
}
