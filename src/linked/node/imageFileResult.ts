import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { FileChange } from '../../host/fileChange';
import type { ResultPart } from '../../service/resultParts';
import type { LocalCopies } from './localCopies';
import type { FileUri, ResultSource } from './resultSource';

export interface ImageFileResultParts {
  /** Paths for files that are not on a disk; owned by the image file. */
  copies: LocalCopies;
  /** Reports changes of a file until disposal. */
  watch: (uri: FileUri, onChange: (change: FileChange) => void) => Disposable;
}

/** An image file of any file system that is shown by itself, and what happened to it since it was opened. */
export class ImageFileResult implements ResultSource, Disposable {
  readonly key: string;
  readonly title: string;
  /** An editor of VS Code's, which brings it back by itself. */
  readonly restore = null;
  private readonly changes = new Emitter<void>();
  private readonly watching: Disposable;
  private latest: FileChange | undefined;

  constructor(
    readonly uri: FileUri,
    private readonly parts: ImageFileResultParts,
  ) {
    this.key = `image:${uri.toString()}`;
    this.title = posix.basename(uri.path);
    this.watching = parts.watch(uri, change => this.setChange(change));
  }

  /** What happened to the file since it was read; undefined while nothing has. */
  get change(): FileChange | undefined {
    return this.latest;
  }

  get onDidChange(): Event<void> {
    return this.changes.event;
  }

  /** The next `path` is of the file as it is then. */
  forget(): void {
    this.parts.copies.forget(this.uri);
    this.setChange(undefined);
  }

  /** Throws `not-found` for other parts and for a file that is gone, `not-a-file`, `bad-request` (too large to be copied). */
  async path(what: ResultPart, _onProgress: unknown, signal: AbortSignal): Promise<string> {
    const subject = this.title;
    if (what !== 'image') throw new CodedError('not-found', 'Not in an image file', { subject });
    const path = await this.parts.copies.pathOf(this.uri, signal);
    let found;
    try {
      found = await stat(path);
    } catch (error) {
      throw new CodedError('not-found', 'No such file', { subject }, { cause: error });
    }
    if (!found.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject });
    return path;
  }

  dispose(): void {
    this.watching.dispose();
    this.changes.dispose();
    this.parts.copies.dispose();
  }

  private setChange(change: FileChange | undefined): void {
    if (change === this.latest) return;
    this.latest = change;
    this.changes.fire();
  }
}
