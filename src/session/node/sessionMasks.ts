import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import { CachedValues } from '../../base/node/joinedWork';
import type { ImagesRead } from '../../archives/masksRequests';
import { type ArchiveSummary, type ImagePath, setImagePaths } from '../../archives/masksSummary';
import { openPart, type PartFile } from './openPart';
import type { EngineRequest } from './sessionEngine';

interface SessionMasksOptions {
  /** The archive on disk, downloaded first if need be. */
  file: (signal: AbortSignal) => Promise<PartFile>;
  request: EngineRequest;
  /** Whether an empty file is an archive without images, as the service has it. */
  mayBeEmpty: boolean;
}

/** Masks, or their facts while they are read. */
export interface ShownMasks {
  summary: ArchiveSummary;
  isWhole: boolean;
}

/** A result's masks in its engine thread: opened once, shown while a large archive is read. */
export class SessionMasks implements Disposable {
  private readonly opened = new CachedValues<'masks', ArchiveSummary>();
  private readonly openedEmitter = new Emitter<ArchiveSummary>();
  private readonly pathsEmitter = new Emitter<void>();
  private readonly startedEmitter = new Emitter<ArchiveSummary>();
  private readonly imagesReadEmitter = new Emitter<ImagesRead>();
  private whole: ArchiveSummary | undefined;
  /** The summary of a large archive while it is read. */
  private soFar: ArchiveSummary | undefined;
  /** Reads under way; a canceled one may end after the next has begun. */
  private reads = 0;

  constructor(private readonly options: SessionMasksOptions) {}

  /** The images of the open masks; undefined while none are open. */
  get images(): ArchiveSummary['images'] | undefined {
    return this.whole?.images;
  }

  /** Rows were linked: images whose names others have too are known by their paths. */
  setPaths(paths: readonly ImagePath[]): void {
    setImagePaths(this.whole?.images ?? [], paths);
    this.pathsEmitter.fire();
  }

  /** All masks were opened, perhaps again. */
  get onDidOpen(): Event<ArchiveSummary> {
    return this.openedEmitter.event;
  }

  /** Images have other paths. */
  get onDidSetPaths(): Event<void> {
    return this.pathsEmitter.event;
  }

  /** More images were read. */
  get onDidReadImages(): Event<ImagesRead> {
    return this.imagesReadEmitter.event;
  }

  /** Downloads and opens the masks, once; canceled when all who wait for it have canceled. */
  open(signal?: AbortSignal): Promise<ArchiveSummary> {
    return this.opened.get('masks', shared => this.read(shared), signal);
  }

  /** As `open`, but resolves early for a large archive that is still being read. */
  async show(signal?: AbortSignal): Promise<ShownMasks> {
    const all = this.open(signal).then(summary => ({ summary, isWhole: true }));
    if (this.soFar) {
      all.catch(() => undefined);
      return { summary: this.soFar, isWhole: false };
    }
    let listening: Disposable | undefined;
    const started = new Promise<ShownMasks>(resolve => {
      listening = this.startedEmitter.event(summary => resolve({ summary, isWhole: false }));
    });
    try {
      return await Promise.race([all, started]);
    } finally {
      listening?.dispose();
    }
  }

  /** Sends a request about the masks, opening them first if a crash has closed them. */
  readonly request: EngineRequest = async (method, params, signal) => {
    await this.open(signal);
    return this.options.request(method, params, signal);
  };

  /** As `request`, but also while the masks are being read. */
  readonly requestShown: EngineRequest = async (method, params, signal) => {
    // Without `open`, so that reading stops once all who wait for the whole archive have canceled.
    if (!this.soFar) await this.show(signal);
    return this.options.request(method, params, signal);
  };

  /** Handles the engine's event that it has begun to read a large archive. */
  started(masks: ArchiveSummary): void {
    // Sent before the thread received a cancel.
    if (this.reads === 0) return;
    this.soFar = masks;
    this.startedEmitter.fire(masks);
  }

  /** Handles the engine's event that it has read more images. */
  imagesRead(read: ImagesRead): void {
    for (const image of read.images) if (this.soFar) this.soFar.images[image.index] = image;
    this.imagesReadEmitter.fire(read);
  }

  /** The engine crashed, and the masks are no longer open. */
  engineLost(): void {
    this.whole = undefined;
    this.soFar = undefined;
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
      this.soFar = undefined;
    });
    this.whole = summary;
    this.openedEmitter.fire(summary);
    return summary;
  }
}
