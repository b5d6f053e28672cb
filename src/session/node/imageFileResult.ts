import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { CachedValues } from '../../base/node/joinedWork';
import type {
  BackgroundImageRequests,
  FileChange,
  OpenedBackgroundImage,
} from '../../images/backgroundImageInfo';
import { TILE_SIZE } from '../../protocol/tiles';
import type { ResultPart } from '../../service/resultParts';
import type { LocalCopies } from './localCopies';
import type { FileUri, ResultSource } from './resultSource';
import type { EngineRequest } from './sessionEngine';

interface ImageFileResultDependencies {
  /** Copies of files that aren't on a disk; disposed with the image file. */
  copies: LocalCopies;
  /** Reports changes of a file until disposal. */
  watch: (uri: FileUri, onChange: (change: FileChange) => void) => Disposable;
}

/** An image file of any file system that is shown without masks; tracks changes of the file. */
export class ImageFileResult implements ResultSource, Disposable {
  readonly key: string;
  readonly title: string;
  /** Null, because VS Code itself restores custom editors. */
  readonly restore = null;
  private readonly changes = new Emitter<void>();
  private readonly watcher: Disposable;
  private latestChange: FileChange | undefined;

  constructor(
    readonly uri: FileUri,
    private readonly dependencies: ImageFileResultDependencies,
  ) {
    this.key = `image:${uri.toString()}`;
    this.title = posix.basename(uri.path);
    this.watcher = dependencies.watch(uri, change => this.setChange(change));
  }

  /** How the file changed after it was read; undefined if it didn't. */
  get change(): FileChange | undefined {
    return this.latestChange;
  }

  get onDidChange(): Event<void> {
    return this.changes.event;
  }

  /** Forgets the copy, so that the next `path` has the current content. */
  forget(): void {
    this.dependencies.copies.forget(this.uri);
    this.setChange(undefined);
  }

  /** Throws `not-found` (other parts, a missing file), `not-a-file`, `bad-request` (too large). */
  async path(part: ResultPart, _onProgress: unknown, signal: AbortSignal): Promise<string> {
    const subject = this.title;
    if (part !== 'image') throw new CodedError('not-found', 'Not in an image file', { subject });
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
    this.watcher.dispose();
    this.changes.dispose();
    this.dependencies.copies.dispose();
  }

  private setChange(change: FileChange | undefined): void {
    if (change === this.latestChange) return;
    this.latestChange = change;
    this.changes.fire();
  }
}

interface SessionImagesOptions {
  /** Path of the image file on disk. */
  path: (signal: AbortSignal) => Promise<string>;
  request: EngineRequest;
}

type TileRequest = BackgroundImageRequests['backgroundImageTile'];

/**
 * The images of an image file, each opened once for all panels. A file has several if its pages
 * have several sizes, see BackgroundImageInfo.pages.
 */
export class SessionImages implements Disposable {
  private readonly opened = new CachedValues<number | undefined, OpenedBackgroundImage>();
  private readonly numbers = new Set<number>();
  private readonly closedEmitter = new Emitter<void>();
  private closings = 0;
  private ahead: { params: TileRequest['params']; response: Promise<TileRequest['result']> } | undefined;

  /** Sends a request about an open image to the engine. */
  readonly request: EngineRequest;

  constructor(private readonly options: SessionImagesOptions) {
    this.request = options.request;
  }

  /** Fires when the images were closed: their facts must be requested again. */
  get onDidClose(): Event<void> {
    return this.closedEmitter.event;
  }

  /** Opens the first image, or the image at `page` (from 0). Throws errors of opening. */
  open(page: number | undefined, signal: AbortSignal): Promise<OpenedBackgroundImage> {
    return this.opened.get(page, readSignal => this.read(page, readSignal), signal);
  }

  /**
   * Opens the first image and requests the tile that shows all of it, which a page requests first,
   * while the page loads.
   */
  async openAhead(signal: AbortSignal): Promise<void> {
    const { backgroundImage, width, height, look } = await this.open(undefined, signal);
    const level = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / TILE_SIZE)));
    const params = { backgroundImage, level, x: 0, y: 0, look };
    const response = this.request('backgroundImageTile', params, signal);
    this.ahead = { params, response };
    await response;
  }

  /** A tile of an open image. */
  tile(params: TileRequest['params'], signal: AbortSignal): Promise<TileRequest['result']> {
    const { ahead } = this;
    if (!isDeepStrictEqual(params, ahead?.params)) return this.request('backgroundImageTile', params, signal);
    // A second page gets a tile of the current file.
    this.ahead = undefined;
    return ahead?.response ?? this.request('backgroundImageTile', params, signal);
  }

  /**
   * Closes all images, so that `open` reads the file again. Throws errors of closing, after trying
   * to close each image.
   */
  async close(): Promise<void> {
    this.closings++;
    this.ahead = undefined;
    const numbers = [...this.numbers];
    this.numbers.clear();
    this.opened.clear();
    const closing = numbers.map(backgroundImage => this.request('closeBackgroundImage', { backgroundImage }));
    await Promise.allSettled(closing);
    this.closedEmitter.fire();
    await Promise.all(closing);
  }

  /** Handles a crash of the engine, which closed the images. */
  engineLost(): void {
    // The next thread counts images from 1 again.
    this.ahead = undefined;
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
    // `image` is the number in progress events.
    const pageParams = page === undefined ? {} : { page, image: page };
    const { closings } = this;
    const opened = await this.request('openBackgroundImage', { path, ...pageParams }, signal);
    const { backgroundImage } = opened;
    if (closings === this.closings) {
      this.numbers.add(backgroundImage);
      return opened;
    }
    // The images were closed in the meantime: open again to read the current file. Closing fails if
    // the engine is gone.
    await this.request('closeBackgroundImage', { backgroundImage }).catch(() => undefined);
    return this.open(page, signal);
  }
}
