import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import { CachedValues } from '../../base/node/joinedWork';
import type { ImagesRead } from '../../archives/masksRequests';
import { type ArchiveSummary, type ImagePath, setImagePaths } from '../../archives/masksSummary';
import { openPart, type PartFile } from './openPart';
import type { EngineRequest } from './sessionEngine';

interface SessionMasksOptions {
  /** Gets the archive on disk; downloads it if needed. */
  file: (signal: AbortSignal) => Promise<PartFile>;
  request: EngineRequest;
  /** Whether an empty file counts as an archive without images, as the service writes it. */
  mayBeEmpty: boolean;
}

/** The masks, or their summary so far while they are read. */
export interface ShownMasks {
  summary: ArchiveSummary;
  isWhole: boolean;
}

/** A result's masks in its engine thread. Large archives can be shown while they are read. */
export class SessionMasks implements Disposable {
  private readonly opened = new CachedValues<'masks', ArchiveSummary>();
  private readonly openedEmitter = new Emitter<ArchiveSummary>();
  private readonly pathsEmitter = new Emitter<void>();
  private readonly startedEmitter = new Emitter<ArchiveSummary>();
  private readonly imagesReadEmitter = new Emitter<ImagesRead>();
  private wholeSummary: ArchiveSummary | undefined;
  /** The summary of a large archive while it is read. */
  private partialSummary: ArchiveSummary | undefined;
  /** Number of running reads; a canceled one may end after the next has begun. */
  private reads = 0;

  constructor(private readonly options: SessionMasksOptions) {}

  /** The images of the open masks; undefined while none are open. */
  get images(): ArchiveSummary['images'] | undefined {
    return this.wholeSummary?.images;
  }

  /** Sets the paths of images with ambiguous names, from linked rows. */
  setPaths(paths: readonly ImagePath[]): void {
    setImagePaths(this.wholeSummary?.images ?? [], paths);
    this.pathsEmitter.fire();
  }

  /** Fires when all masks were opened or reopened. */
  get onDidOpen(): Event<ArchiveSummary> {
    return this.openedEmitter.event;
  }

  /** Fires when paths of images were set. */
  get onDidSetPaths(): Event<void> {
    return this.pathsEmitter.event;
  }

  /** Fires when more images were read. */
  get onDidReadImages(): Event<ImagesRead> {
    return this.imagesReadEmitter.event;
  }

  /** Downloads and opens the masks once; canceled when all callers have canceled. */
  open(signal?: AbortSignal): Promise<ArchiveSummary> {
    return this.opened.get('masks', readSignal => this.read(readSignal), signal);
  }

  /** Like `open`, but resolves early for a large archive that is still being read. */
  async show(signal?: AbortSignal): Promise<ShownMasks> {
    const wholeMasks = this.open(signal).then(summary => ({ summary, isWhole: true }));
    if (this.partialSummary) {
      wholeMasks.catch(() => undefined);
      return { summary: this.partialSummary, isWhole: false };
    }
    let listener: Disposable | undefined;
    const started = new Promise<ShownMasks>(resolve => {
      listener = this.startedEmitter.event(summary => resolve({ summary, isWhole: false }));
    });
    try {
      return await Promise.race([wholeMasks, started]);
    } finally {
      listener?.dispose();
    }
  }

  /** Sends a request about the masks, opening them first if a crash has closed them. */
  readonly request: EngineRequest = async (method, params, signal) => {
    await this.open(signal);
    return this.options.request(method, params, signal);
  };

  /** Like `request`, but also works while the masks are being read. */
  readonly requestShown: EngineRequest = async (method, params, signal) => {
    // Don't call `open`: reading must stop once all callers that wait for the archive have
    // canceled.
    if (!this.partialSummary) await this.show(signal);
    return this.options.request(method, params, signal);
  };

  /** Handles the engine's event that it has begun to read a large archive. */
  started(masks: ArchiveSummary): void {
    // Ignore an event that was sent before the thread received a cancel.
    if (this.reads === 0) return;
    this.partialSummary = masks;
    this.startedEmitter.fire(masks);
  }

  /** Handles the engine's event that it has read more images. */
  imagesRead(read: ImagesRead): void {
    for (const image of read.images) if (this.partialSummary) this.partialSummary.images[image.index] = image;
    this.imagesReadEmitter.fire(read);
  }

  /** Handles a crash of the engine: the masks are no longer open. */
  engineLost(): void {
    this.wholeSummary = undefined;
    this.partialSummary = undefined;
    this.opened.clear();
  }

  dispose(): void {
    this.openedEmitter.dispose();
    this.pathsEmitter.dispose();
    this.startedEmitter.dispose();
    this.imagesReadEmitter.dispose();
  }

  private async read(signal: AbortSignal): Promise<ArchiveSummary> {
    const { file, request, mayBeEmpty } = this.options;
    this.reads++;
    const summary = await openPart({
      fetch: () => file(signal),
      filesOf: fetched => [fetched],
      open: ({ path }) => request('openMasks', { path, mayBeEmpty }, signal),
    }).finally(() => {
      this.reads--;
      this.partialSummary = undefined;
    });
    this.wholeSummary = summary;
    this.openedEmitter.fire(summary);
    return summary;
  }
}
