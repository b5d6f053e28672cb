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

/** Masks that can be compared: of a job, or from a file of masks or ground truth. */
export interface ComparableSource {
  readonly title: string;
  /** Whether an empty file is a result without objects, as a service sends it. */
  readonly mayBeEmpty: boolean;
  /** The path on disk of a file, or of a folder of label images. */
  path(onProgress: (done: number, total?: number) => void, signal: AbortSignal): Promise<string>;
  /** See ResultSource. */
  discard?(): Promise<boolean>;
  /** The analyzed images; undefined if some are unknown. */
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

/** A file or folder of masks or ground truth. `path` throws `not-a-file` unless it is on a disk. */
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

/** The share of a phase that is done, from 0 to 1; undefined if unknown. */
export type CompareProgress = (
  phase: 'downloading' | 'reading' | 'comparing',
  share: number | undefined,
) => void;

interface MasksComparerOptions {
  startEngine: () => Engine | Promise<Engine>;
  log: Log;
}

/** How to compare masks; see CompareRequest. Without `classPairs`, the proposed ones are used. */
export interface CompareChoice {
  classes: ClassMode;
  classPairs?: readonly ClassPair[];
  region?: readonly number[];
}

/**
 * Opens two sets of masks for a comparison, in their own thread: other pages with these masks stay
 * responsive.
 */
export class MasksComparer {
  constructor(private readonly options: MasksComparerOptions) {}

  /**
   * Downloads the masks if needed, and reads them. With `separatesAreas`, separate areas of the
   * only label of a label image, such as a binary mask, are separate objects. Throws errors of
   * downloading and reading; never starts paid work.
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
    const openSide: OpenSide = (side, separates, report, abortSignal) =>
      this.openSide(thread, side, side === 'a' ? a : b, separates, report, abortSignal);
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
    // Each side is half of the progress.
    const offset = side === 'a' ? 0 : 0.5;
    const report = (phase: 'downloading' | 'reading', done: number, total: number): void =>
      onProgress(phase, total > 0 ? offset + (0.5 * done) / total : undefined);
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

/** Opens a side in the thread, also again with other settings. */
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

/** The images of a side with their sizes, and with their items by ID, else by path. */
async function pairable(
  { images }: SideSummary,
  items: readonly AnalyzedItem[] = [],
  signal: AbortSignal,
): Promise<OpenedSide['images']> {
  const positions = new Map(items.map(({ id }, position) => [id, position]));
  const paths = images.map(({ path }) => path);
  const itemNames = items.map(({ id, path }) => ({ id, filename: path }));
  const matchesByPath = await runInSlices(matchImages(paths, itemNames), signal);
  return images.map(({ id, path, isSizeUnknown, failure, ...size }, image) => {
    const match = positions.get(id) ?? matchesByPath[image];
    const item = typeof match === 'number' ? items[match] : undefined;
    return {
      id,
      path,
      // An unreadable image has no size; a note reports its failure.
      size: isSizeUnknown || failure ? undefined : knownSize(size),
      ...(item && { item: item.id, itemPath: item.path }),
      ...(item?.sha256 !== undefined && { sha256: item.sha256 }),
    };
  });
}

/** Pairs the images of two sides. Throws `cancelled`. */
function pairing(
  a: OpenedSide,
  b: OpenedSide,
  byHand: readonly PairByHand[],
  signal?: AbortSignal,
): Promise<Pairing> {
  const pairableSide = ({ summary, images }: OpenedSide) => ({ format: summary.format, images });
  return runInSlices(pairImages(pairableSide(a), pairableSide(b), byHand), signal);
}

/** Two open sets of masks and the pairs of their images, until disposed of. */
export class OpenedComparison implements Disposable {
  private readonly sides: Record<ComparedSide, OpenedSide>;

  constructor(
    private readonly thread: Engine,
    a: OpenedSide,
    b: OpenedSide,
    private currentPairing: Pairing,
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
   * Sets whether separate areas of one label are separate objects. Sides with such areas are read
   * again, and images must be compared again. The list of images doesn't change. A failure
   * leaves all objects unchanged. Throws errors of opening.
   */
  async separateAreas(separates: boolean, onProgress: CompareProgress, signal: AbortSignal): Promise<void> {
    const sidesWithAreas = (['a', 'b'] as const).filter(side => areasWithOneLabel(this.sides[side].summary));
    const reopened: ComparedSide[] = [];
    try {
      for (const side of sidesWithAreas) {
        this.sides[side] = await this.openSide(side, separates, onProgress, signal);
        reopened.push(side);
      }
    } catch (error) {
      const { signal: neverAborted } = new AbortController();
      for (const side of reopened)
        this.sides[side] = await this.openSide(side, !separates, onProgress, neverAborted);
      throw error;
    }
  }

  /** Passes a page's request on to the thread. */
  readonly request: EngineRequest = (method, params, signal) =>
    this.thread.endpoint.request(method, params, signal);

  /** Fires when a crash has closed everything. */
  get onDidCrash(): Event<Error> {
    return this.thread.onDidCrash;
  }

  /** The thread for a table that opens in it; disposing of it only closes the table. */
  engineOfTable(): Engine {
    const { endpoint, onDidCrash } = this.thread;
    const close = () => endpoint.request('closeTable', { table: 'objects' });
    return {
      endpoint,
      onDidCrash,
      // After a crash, no table is open.
      dispose: () => void close().catch(() => undefined),
    };
  }

  /** The pairs of images, and images without a partner. */
  get pairs(): Pairing {
    return this.currentPairing;
  }

  /** The images of a side without a partner. */
  unpaired(side: ComparedSide): ComparableImage[] {
    const positions = side === 'a' ? this.currentPairing.unpairedA : this.currentPairing.unpairedB;
    return positions
      .map(position => this[side].summary.images[position])
      .filter(image => image !== undefined);
  }

  /** The stored keys of pairs of images. Throws `bad-request` for an unknown image. */
  keysOf(pairs: readonly ImagePair[]): Required<PairByHand>[] {
    const keyOf = (side: ComparedSide, position: number) => {
      const image = this[side].summary.images[position];
      if (!image) throw new CodedError('bad-request', 'There is no such image');
      return imageKey(image);
    };
    return pairs.map(({ a, b }) => ({ a: keyOf('a', a), b: keyOf('b', b) }));
  }

  /** Pairs images again, with the user's changes. */
  async pairByHand(byHand: readonly PairByHand[]): Promise<void> {
    this.currentPairing = await pairing(this.a, this.b, byHand);
  }

  /** The proposed pairs of classes. */
  get proposedClasses(): ClassPair[] {
    const namesOf = ({ classes }: SideSummary) =>
      classes.filter(({ count }) => count > 0).map(({ name }) => name);
    const pairs = proposedClassPairs(namesOf(this.a.summary), namesOf(this.b.summary));
    // A class of A may only have crowds, which aren't objects. Objects of B in them are of the
    // class with the same name.
    const freeOfB = new Set(namesOf(this.b.summary));
    for (const { b } of pairs) freeOfB.delete(b);
    for (const { name, count } of this.a.summary.classes)
      if (count === 0 && freeOfB.delete(name)) pairs.push({ a: name, b: name });
    return pairs;
  }

  /** Compares the paired images, and returns those that can't be compared. Throws `cancelled`. */
  async compare(
    { classes, classPairs = this.proposedClasses, region }: CompareChoice,
    onProgress: CompareProgress,
    signal: AbortSignal,
  ): Promise<SkippedPair[]> {
    const listener = this.thread.endpoint.on('progress', ({ what, done, total }) => {
      if (what === 'comparison') onProgress('comparing', total > 0 ? done / total : 1);
    });
    try {
      const pairs = this.currentPairing.pairs.map(({ a, b }) => ({ a, b }));
      const request = { pairs, classes, classPairs, ...(region && { region }) };
      return (await this.thread.endpoint.request('compareImages', request, signal)).skipped;
    } finally {
      listener.dispose();
    }
  }

  /** Scores at a threshold, after comparing. Throws `bad-request` for an unknown threshold. */
  async scores(threshold: number, signal: AbortSignal): Promise<ComparisonScores> {
    return await this.thread.endpoint.request('comparisonScores', { threshold }, signal);
  }

  /** The default name of saved files. */
  get name(): string {
    return `${nameOfSide(this.a)} vs ${nameOfSide(this.b)}`;
  }

  /**
   * Saves the latest comparison into a folder. Throws the same errors as saveComparison; leaves no
   * files behind then.
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
      if (isCoded(error, 'cancelled')) await this.waitForSaves();
      throw error;
    }
  }

  dispose(): void {
    this.thread.dispose();
  }

  private get subject(): ComparisonSubject {
    const paths = (side: ComparedSide) => this.unpaired(side).map(({ path }) => path);
    const pathOf = (side: ComparedSide, position: number) => this[side].summary.images[position]?.path ?? '';
    const doubtful = this.currentPairing.doubtful.map(pair => ({
      a: pathOf('a', pair.a),
      b: pathOf('b', pair.b),
      why: codeOfDoubt(pair),
    }));
    return { a: this.a.title, b: this.b.title, unpairedA: paths('a'), unpairedB: paths('b'), doubtful };
  }

  /** Waits until a canceled save has removed its files, which the thread does. */
  private async waitForSaves(): Promise<void> {
    try {
      await this.thread.endpoint.request('comparisonSettled', {});
    } catch (error) {
      this.log.warn(`A canceled comparison may have left a hidden folder behind: ${String(error)}`);
    }
  }
}

/** A title without a file extension. */
function nameOfSide({ title }: OpenedSide): string {
  return title.replace(/\.(?:zip|json|geojson|png|tiff?)$/i, '');
}
