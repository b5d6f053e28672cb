import { type AnalyzedItem, knownSize, type PairableImage } from '../../archives/imageIdentity';
import { stat } from 'node:fs/promises';
import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import type { Event } from '../../base/event';
import type { Log } from '../../base/log';
import { unreadableFile } from '../../base/node/fileErrors';
import { runInSlices } from '../../base/node/slices';
import { reason } from '../../base/reasons';
import { matchImages } from '../../archives/imageCatalog';
import {
  areasWithOneLabel,
  type ClassMode,
  type ClassPair,
  type ComparableImage,
  type ComparedSide,
  type ComparisonScores,
  type ComparisonSubject,
  type ImagePair,
  proposedClassPairs,
  type SavedComparison,
  type SideSummary,
  type SkippedPair,
} from '../comparison';
import { codeOfDoubt, imageKey, type PairByHand, pairImages, type Pairing } from './imagePairing';
import type { Engine } from '../../session/engineProtocol';
import { openPart } from '../../session/node/openPart';
import type { FileUri, ResultSource } from '../../session/node/resultSource';
import type { EngineRequest } from '../../session/node/sessionEngine';

/** Masks that can be compared: of a job, or a file of masks or ground truth. */
export interface ComparableSource {
  readonly title: string;
  /** Whether an empty file is masks without objects, as a service sends. */
  readonly mayBeEmpty: boolean;
  /** Path of a file, or of a folder of label images, on disk. */
  path(onProgress: (done: number, total?: number) => void, signal: AbortSignal): Promise<string>;
  /** As of ResultSource. */
  discard?(): Promise<boolean>;
  /** The images that were analyzed, where they are known. */
  items(): Promise<readonly AnalyzedItem[] | undefined>;
}

/** The masks of a result. */
export function comparableResult(source: ResultSource): ComparableSource {
  return {
    title: source.title,
    mayBeEmpty: source.accountId !== undefined,
    path: (onProgress, signal) => source.path('masks', onProgress, signal),
    ...(source.discard && { discard: async () => (await source.discard?.('masks')) ?? false }),
    items: async () => source.analyzedItems?.(),
  };
}

/**
 * A file or folder of masks or ground truth on disk. Its path throws `not-a-file` if it is
 * elsewhere, or missing.
 */
export function comparableFile(uri: FileUri): ComparableSource {
  const title = uri.path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return {
    title,
    mayBeEmpty: false,
    path: async () => {
      if (uri.scheme !== 'file')
        throw new CodedError('not-a-file', 'Not on a disk', {
          subject: title,
          reason: reason('Only files on a disk can be opened'),
        });
      await stat(uri.fsPath).catch((error: unknown) => {
        throw unreadableFile(error, title);
      });
      return uri.fsPath;
    },
    items: () => Promise.resolve(undefined),
  };
}

/** The share of a phase that is done, 0…1; undefined if unknown. */
export type CompareProgress = (
  phase: 'downloading' | 'reading' | 'comparing',
  share: number | undefined,
) => void;

interface MasksComparerOptions {
  startEngine: () => Engine | Promise<Engine>;
  log: Log;
}

/** How to compare masks; see CompareRequest. Without `classPairs`, uses the proposed ones. */
export interface CompareChoice {
  classes: ClassMode;
  classPairs?: readonly ClassPair[];
  region?: readonly number[];
}

/**
 * Opens two sets of masks to compare them, in a separate thread: panels of the same masks stay
 * responsive.
 */
export class MasksComparer {
  constructor(private readonly options: MasksComparerOptions) {}

  /**
   * Downloads the masks if needed, and reads them. `separatesAreas` makes areas of a label image
   * with one label, such as a binary mask, separate objects. Throws their errors; never starts paid
   * work.
   */
  async open(
    a: ComparableSource,
    b: ComparableSource,
    onProgress: CompareProgress,
    signal: AbortSignal,
    separatesAreas = false,
  ): Promise<OpenedComparison> {
    throwIfCanceled(signal);
    const thread = await this.options.startEngine();
    const openSide: OpenSide = (side, separates, report, ended) =>
      this.openSide(thread, side, side === 'a' ? a : b, separates, report, ended);
    try {
      const sideA = await openSide('a', separatesAreas, onProgress, signal);
      const sideB = await openSide('b', separatesAreas, onProgress, signal);
      const paired = await pairing(sideA, sideB, [], signal);
      return new OpenedComparison(thread, sideA, sideB, paired, openSide, this.options.log);
    } catch (error) {
      thread.dispose();
      throw error;
    }
  }

  private async openSide(
    thread: Engine,
    side: ComparedSide,
    source: ComparableSource,
    separatesAreas: boolean,
    onProgress: CompareProgress,
    signal: AbortSignal,
  ): Promise<OpenedSide> {
    // The bar has a half for each side.
    const from = side === 'a' ? 0 : 0.5;
    const report = (phase: 'downloading' | 'reading', done: number, total: number): void =>
      onProgress(phase, total > 0 ? from + (0.5 * done) / total : undefined);
    const listener = thread.endpoint.on('progress', ({ what, done, total }) => {
      if (what === 'compared') report('reading', done, total);
    });
    try {
      const summary = await openPart({
        fetch: () => source.path((done, total = 0) => report('downloading', done, total), signal),
        filesOf: path => [{ path, discard: source.discard && (async () => source.discard?.() ?? false) }],
        open: path =>
          thread.endpoint.request(
            'openCompared',
            { side, path, mayBeEmpty: source.mayBeEmpty, separatesAreas },
            signal,
          ),
      });
      return { title: source.title, summary, images: await pairable(summary, await source.items(), signal) };
    } finally {
      listener.dispose();
    }
  }
}

/** Opens a side in the thread, also again. */
type OpenSide = (
  side: ComparedSide,
  separatesAreas: boolean,
  onProgress: CompareProgress,
  signal: AbortSignal,
) => Promise<OpenedSide>;

interface OpenedSide {
  title: string;
  summary: SideSummary;
  images: PairableImage[];
}

/** The images of a side with their sizes, and their items: by ID, else by path. */
async function pairable(
  { images }: SideSummary,
  items: readonly AnalyzedItem[] = [],
  signal: AbortSignal,
): Promise<OpenedSide['images']> {
  const positions = new Map(items.map(({ id }, at) => [id, at]));
  const paths = images.map(({ path }) => path);
  const named = items.map(({ id, path }) => ({ id, filename: path }));
  const byPath = await runInSlices(matchImages(paths, named), signal);
  return images.map(({ id, path, isSizeUnknown, failure, ...sides }, at) => {
    const found = positions.get(id) ?? byPath[at];
    const item = typeof found === 'number' ? items[found] : undefined;
    return {
      id,
      path,
      // Unreadable images have a note that they can't be compared.
      size: isSizeUnknown || failure ? undefined : knownSize(sides),
      ...(item && { item: item.id, itemPath: item.path }),
      ...(item?.sha256 !== undefined && { sha256: item.sha256 }),
    };
  });
}

/** Which images of two sides are the same. Throws `cancelled`. */
function pairing(
  a: OpenedSide,
  b: OpenedSide,
  byHand: readonly PairByHand[],
  signal?: AbortSignal,
): Promise<Pairing> {
  const side = ({ summary, images }: OpenedSide) => ({ format: summary.format, images });
  return runInSlices(pairImages(side(a), side(b), byHand), signal);
}

/** Two opened sets of masks and which images of them are the same, until it is disposed of. */
export class OpenedComparison implements Disposable {
  private readonly sides: Record<ComparedSide, OpenedSide>;

  constructor(
    private readonly thread: Engine,
    a: OpenedSide,
    b: OpenedSide,
    private paired: Pairing,
    private readonly openSide: OpenSide,
    private readonly log: Log,
  ) {
    this.sides = { a, b };
  }

  get a(): OpenedSide {
    return this.sides.a;
  }

  get b(): OpenedSide {
    return this.sides.b;
  }

  /**
   * Makes areas with one label separate objects, or one again: rereads these sides; then images
   * must be compared again. Their images stay; on failure, their objects too. Throws errors of
   * opening.
   */
  async separateAreas(separates: boolean, onProgress: CompareProgress, signal: AbortSignal): Promise<void> {
    const changed = (['a', 'b'] as const).filter(side => areasWithOneLabel(this.sides[side].summary));
    const read: ComparedSide[] = [];
    try {
      for (const side of changed) {
        this.sides[side] = await this.openSide(side, separates, onProgress, signal);
        read.push(side);
      }
    } catch (error) {
      const { signal: never } = new AbortController();
      for (const side of read) this.sides[side] = await this.openSide(side, !separates, onProgress, never);
      throw error;
    }
  }

  /** Passes a request of a page on to the thread. */
  readonly request: EngineRequest = (method, params, signal) =>
    this.thread.endpoint.request(method, params, signal);

  /** All was closed. */
  get onDidCrash(): Event<Error> {
    return this.thread.onDidCrash;
  }

  /** The thread for a table that is opened in it too: disposing of this closes the table alone. */
  engineOfTable(): Engine {
    const { endpoint, onDidCrash } = this.thread;
    const close = () => endpoint.request('closeTable', { table: 'objects' });
    return {
      endpoint,
      onDidCrash,
      // A thread that is gone has no table open.
      dispose: () => void close().catch(() => undefined),
    };
  }

  /** Which images are paired, and which are left. */
  get pairs(): Pairing {
    return this.paired;
  }

  /** The images of a side that have no partner. */
  unpaired(side: ComparedSide): ComparableImage[] {
    const positions = side === 'a' ? this.paired.unpairedA : this.paired.unpairedB;
    return positions.map(at => this[side].summary.images[at]).filter(image => image !== undefined);
  }

  /**
   * Keys of pairs of images, by position, for storing. Throws `bad-request` for an unknown image.
   */
  keysOf(pairs: readonly ImagePair[]): Required<PairByHand>[] {
    const keyOf = (side: ComparedSide, at: number) => {
      const image = this[side].summary.images[at];
      if (!image) throw new CodedError('bad-request', 'There is no such image');
      return imageKey(image);
    };
    return pairs.map(({ a, b }) => ({ a: keyOf('a', a), b: keyOf('b', b) }));
  }

  /** Pairs images again, with the user's changes. */
  async pairByHand(byHand: readonly PairByHand[]): Promise<void> {
    this.paired = await pairing(this.a, this.b, byHand);
  }

  /** The classes that are proposed to be matched with each other. */
  get proposedClasses(): ClassPair[] {
    const namesOf = ({ classes }: SideSummary) =>
      classes.filter(({ count }) => count > 0).map(({ name }) => name);
    const pairs = proposedClassPairs(namesOf(this.a.summary), namesOf(this.b.summary));
    // A class of A may have crowds alone, which are no objects: those of B in them are of the class
    // of this name.
    const freeOfB = new Set(namesOf(this.b.summary));
    for (const { b } of pairs) freeOfB.delete(b);
    for (const { name, count } of this.a.summary.classes)
      if (count === 0 && freeOfB.delete(name)) pairs.push({ a: name, b: name });
    return pairs;
  }

  /** Compares the paired images. Reports impossible ones. Throws `cancelled`. */
  async compare(
    { classes, classPairs = this.proposedClasses, region }: CompareChoice,
    onProgress: CompareProgress,
    signal: AbortSignal,
  ): Promise<SkippedPair[]> {
    const listener = this.thread.endpoint.on('progress', ({ what, done, total }) => {
      if (what === 'comparison') onProgress('comparing', total > 0 ? done / total : 1);
    });
    try {
      const pairs = this.paired.pairs.map(({ a, b }) => ({ a, b }));
      const request = { pairs, classes, classPairs, ...(region && { region }) };
      return (await this.thread.endpoint.request('compareImages', request, signal)).skipped;
    } finally {
      listener.dispose();
    }
  }

  /** Scores at one of the ten thresholds, after comparing. Throws `bad-request` for another one. */
  async scores(threshold: number, signal: AbortSignal): Promise<ComparisonScores> {
    return await this.thread.endpoint.request('comparisonScores', { threshold }, signal);
  }

  /** Default name of its files. */
  get name(): string {
    return `${nameOfSide(this.a)} vs ${nameOfSide(this.b)}`;
  }

  /**
   * Saves the latest comparison into a folder. Throws as saveComparison does; then no file stays
   * behind.
   */
  async save(
    choice: { destination: string; threshold: number; overwrite: boolean; name?: string },
    signal: AbortSignal,
  ): Promise<SavedComparison> {
    const name = choice.name ?? this.name;
    try {
      const request = { ...choice, name, subject: this.subject };
      return await this.thread.endpoint.request('saveComparison', request, signal);
    } catch (error) {
      if (isCoded(error, 'cancelled')) await this.settled();
      throw error;
    }
  }

  dispose(): void {
    this.thread.dispose();
  }

  private get subject(): ComparisonSubject {
    const paths = (side: ComparedSide) => this.unpaired(side).map(({ path }) => path);
    const pathOf = (side: ComparedSide, at: number) => this[side].summary.images[at]?.path ?? '';
    const doubtful = this.paired.doubtful.map(pair => ({
      a: pathOf('a', pair.a),
      b: pathOf('b', pair.b),
      why: codeOfDoubt(pair),
    }));
    return { a: this.a.title, b: this.b.title, unpairedA: paths('a'), unpairedB: paths('b'), doubtful };
  }

  /** A canceled save removes its files; the thread must live until then. */
  private async settled(): Promise<void> {
    try {
      await this.thread.endpoint.request('comparisonSettled', {});
    } catch (error) {
      this.log.warn(`A canceled comparison may have left a hidden folder behind: ${String(error)}`);
    }
  }
}

/** A title without the extension of a file. */
function nameOfSide({ title }: OpenedSide): string {
  return title.replace(/\.(?:zip|json|geojson|png|tiff?)$/i, '');
}
