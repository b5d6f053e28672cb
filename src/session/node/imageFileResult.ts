import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { CachedValues } from '../../base/node/joinedWork';
import type { FileChange, OpenedBackgroundImage } from '../../images/backgroundImageInfo';
import type { ResultPart } from '../../service/resultParts';
import type { LocalCopies } from './localCopies';
import type { FileUri, ResultSource } from './resultSource';
import type { EngineRequest } from './sessionEngine';

interface ImageFileResultDependencies {
  /** Paths for files that are not on a disk; owned by the image file. */
  copies: LocalCopies;
  /** Reports changes of a file until disposal. */
  watch: (uri: FileUri, onChange: (change: FileChange) => void) => Disposable;
}

/** An image file, of any file system, shown by itself, and its changes since it was opened. */
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
    private readonly dependencies: ImageFileResultDependencies,
  ) {
    this.key = `image:${uri.toString()}`;
    this.title = posix.basename(uri.path);
    this.watching = dependencies.watch(uri, change => this.setChange(change));
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
    this.dependencies.copies.forget(this.uri);
    this.setChange(undefined);
  }

  /** Throws `not-found` (other parts, a missing file), `not-a-file`, `bad-request` (too large). */
  async path(what: ResultPart, _onProgress: unknown, signal: AbortSignal): Promise<string> {
    const subject = this.title;
    if (what !== 'image') throw new CodedError('not-found', 'Not in an image file', { subject });
    const path = await this.dependencies.copies.pathOf(this.uri, signal);
    let stats;
    try {
      stats = await stat(path);
    } catch (error) {
      throw new CodedError('not-found', 'No such file', { subject }, { cause: error });
    }
    if (!stats.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject });
    return path;
  }

  dispose(): void {
    this.watching.dispose();
    this.changes.dispose();
    this.dependencies.copies.dispose();
  }

  private setChange(change: FileChange | undefined): void {
    if (change === this.latest) return;
    this.latest = change;
    this.changes.fire();
  }
}

interface SessionImagesOptions {
  /** Path of the image file on disk. */
  path: (signal: AbortSignal) => Promise<string>;
  request: EngineRequest;
}

/** Images of an image file, one per page size, each opened once for all panels. */
export class SessionImages implements Disposable {
  private readonly opened = new CachedValues<number | undefined, OpenedBackgroundImage>();
  private readonly numbers = new Set<number>();
  private readonly closedEmitter = new Emitter<void>();
  private closings = 0;

  /** Sends a request about an open image to the engine. */
  readonly request: EngineRequest;

  constructor(private readonly options: SessionImagesOptions) {
    this.request = options.request;
  }

  /** The images are no longer open: what was known of them is to be requested again. */
  get onDidClose(): Event<void> {
    return this.closedEmitter.event;
  }

  /** Opens the first image, or that from `page` on (from 0). Throws as a background image does. */
  open(page: number | undefined, signal: AbortSignal): Promise<OpenedBackgroundImage> {
    return this.opened.get(page, shared => this.read(page, shared), signal);
  }

  /**
   * Closes the images, even if one fails, and throws what closing throws. Later ones read the file
   * as it is then.
   */
  async close(): Promise<void> {
    this.closings++;
    const numbers = [...this.numbers];
    this.numbers.clear();
    this.opened.clear();
    const closing = numbers.map(backgroundImage => this.request('closeBackgroundImage', { backgroundImage }));
    await Promise.allSettled(closing);
    this.closedEmitter.fire();
    await Promise.all(closing);
  }

  /** The engine crashed and closed them. */
  engineLost(): void {
    if (this.numbers.size === 0) return;
    this.numbers.clear();
    this.opened.clear();
    this.closedEmitter.fire();
  }

  dispose(): void {
    this.closedEmitter.dispose();
  }

  private async read(page: number | undefined, signal: AbortSignal): Promise<OpenedBackgroundImage> {
    const path = await this.options.path(signal);
    // Events about progress name the page.
    const part = page === undefined ? {} : { page, image: page };
    const { closings } = this;
    const opened = await this.request('openBackgroundImage', { path, ...part }, signal);
    const { backgroundImage } = opened;
    if (closings === this.closings) {
      this.numbers.add(backgroundImage);
      return opened;
    }
    // All were closed meanwhile, and the file is to be read as it is now. That fails too where the
    // engine is gone.
    await this.request('closeBackgroundImage', { backgroundImage }).catch(() => undefined);
    return this.open(page, signal);
  }
}
