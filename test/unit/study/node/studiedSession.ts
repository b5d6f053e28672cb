import type { Disposable } from '../../../../src/base/disposable';
import { Emitter } from '../../../../src/base/event';
import type { Conversion } from '../../../../src/study/convertedColumns';
import { ImageAreas } from '../../../../src/study/node/imageAreas';
import type { ImageColumnsStore } from '../../../../src/study/node/storedImageColumns';
import { imageColumnParts } from '../../../../src/study/node/sessionImageColumns';
import { imagesKind, type StoredImages } from '../../../../src/study/storedImages';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import { noCopies, pairedWith } from '../../linking/node/measuredTableFixture';
import { openSession, type SessionOptions } from '../../session/node/sessionFixture';

interface StudiedOptions extends SessionOptions {
  images?: ImageColumnsStore;
  /** µm per pixel that the user has set, and background images, by the IDs of images. */
  pixelSizes?: Record<string, number>;
  backgroundImages?: Record<string, string>;
  /** URIs of the files that were uploaded, by the IDs of items. */
  uploads?: Record<string, string>;
  /** Fires when the user has set pixel sizes of a result. */
  sized?: Emitter<ResultSource>;
}

/** A session that knows what is known of its images, and the engines that it has started so far. */
export function openStudied(
  source: ResultSource,
  {
    images = new ImagesInMemory(),
    pixelSizes = {},
    backgroundImages = {},
    uploads = {},
    sized = new Emitter<ResultSource>(),
    added = [],
    ...others
  }: StudiedOptions = {},
): ReturnType<typeof openSession> {
  const columns = imageColumnParts(
    () => images,
    opened =>
      new ImageAreas({
        session: opened,
        choices: {
          pixelSizes: () => Promise.resolve(pixelSizes),
          onDidSetPixelSizes: sized.event,
        },
        pairing: pairedWith(backgroundImages, uploads),
        copies: noCopies(),
      }),
  );
  return openSession(source, { ...others, added: [columns, ...added] });
}

/** What is known of images, as JSON that outlives a session. */
export class ImagesInMemory implements ImageColumnsStore {
  readonly conversions = new Map<string, Conversion>();
  stored: StoredImages | undefined;
  /** The columns renamed by what was stored last. */
  renamed: ReadonlyMap<string, string> | undefined;
  /** Set where the disk is to refuse. */
  failure: Error | undefined;
  private readonly written = new Emitter<void>();
  readonly onDidWrite = this.written.event;
  /** Fires where another window has stored something. */
  readonly elsewhere = new Emitter<void>();

  watch(onChange: () => void): Promise<Disposable> {
    return Promise.resolve(this.elsewhere.event(onChange));
  }

  conversion(kind: string): Promise<Conversion | undefined> {
    return Promise.resolve(this.conversions.get(kind));
  }

  setConversion(kind: string, stored: Conversion | undefined): Promise<void> {
    if (stored) this.conversions.set(kind, stored);
    else this.conversions.delete(kind);
    return Promise.resolve();
  }

  read(): Promise<StoredImages | undefined> {
    return Promise.resolve(this.stored);
  }

  write(stored: StoredImages | undefined, renamed?: ReadonlyMap<string, string>): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.renamed = renamed;
    this.stored = stored && imagesKind.valid(JSON.parse(JSON.stringify(stored)));
    this.written.fire();
    return Promise.resolve();
  }
}
