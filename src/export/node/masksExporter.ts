import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import type { Log } from '../../base/log';
import { reason } from '../../base/reasons';
import { untilCanceled } from '../../base/waiting';
import { pathParts } from '../../base/pathParts';
import type { ExportFormat } from '../engine/exportFormats';
import { type ExportReport, type ExportRequest, namedImages, nameOfPart } from '../exportRequest';
import { type ArchiveSummary, type ObjectsOfImage, pathOfImage } from '../../archives/masksSummary';
import type { Engine } from '../../session/engineProtocol';
import { openPart } from '../../session/node/openPart';
import type { ResultSource } from '../../session/node/resultSource';
import type { ImageValues } from '../../linking/node/imageValues';
import type { ResultPopulations } from '../../linking/node/knownPopulations';
import { LinkEvidence, type SessionLinks } from '../../linking/node/sessionLinks';
import type { StoredLinks } from '../../linking/node/storedLinks';
import type { SessionMasks } from '../../session/node/sessionMasks';
import type { SessionRows } from '../../linking/node/sessionRows';

/** The content of a result to export; see ExportRequest. */
export type ExportChoice = Omit<
  ExportRequest,
  'format' | 'name' | 'shown' | 'part' | 'colors' | 'populations'
> & {
  format: ExportFormat;
  /** With the populations of objects, where the format can. */
  populations?: boolean;
  /**
   * 'shown': objects that class visibility and the table's saved filter show; all without a filter.
   */
  objects: 'all' | 'shown';
  /** Name of files for all images, in place of the result's title. */
  name?: string;
  /** These objects alone, instead. */
  selected?: readonly ObjectsOfImage[];
};

/** How much of the work is done, 0…1; undefined when it cannot be known. */
export type ExportProgress = (
  phase: 'downloading' | 'reading' | 'exporting',
  share: number | undefined,
) => void;

/** Data for an export from a result that is open in panels. */
export interface ShownResult {
  /** Classes hidden on the masks, by their position; and their colors, #rrggbb by name. */
  readonly hiddenClasses: readonly number[];
  readonly classColors: Readonly<Record<string, string>>;
  /** The paths of images whose names others have too. */
  readonly imagePaths: { image: number; path: string }[];
  masks: Pick<SessionMasks, 'open' | 'request'>;
  links: Pick<SessionLinks, 'report' | 'settled'>;
  rows: Pick<SessionRows, 'shown' | 'settled'>;
}

/** The populations of results. */
export interface ExportedPopulations extends ResultPopulations {
  /** Populations of images. Throws `bad-request` if no object has a row, and errors of opening. */
  members(
    source: ResultSource,
    images: readonly number[],
    signal: AbortSignal,
  ): Promise<NonNullable<ExportRequest['populations']>>;
}

interface MasksExporterOptions {
  startEngine: () => Engine;
  /** The session of a result that has a panel open. */
  sessionOf: (source: ResultSource) => ShownResult | undefined;
  /**
   * Makes a result without panels follow the table's saved filter, until disposed; undefined
   * without a filter.
   */
  holdFiltered: (source: ResultSource) => Disposable | undefined;
  /** Stores a user's links of images. */
  keptLinks: (source: ResultSource) => StoredLinks;
  /** Metadata of images; absent without any. */
  imageValues: ImageValues | undefined;
  /** Absent if no subject has populations. */
  populations: ExportedPopulations | undefined;
  /** Memory for the columns of tables, in MB. */
  tableMemory: () => number;
  log: Log;
}

/**
 * Opens masks for an export in a separate thread, so that a panel of the same masks stays
 * responsive.
 */
export class MasksExporter {
  constructor(private readonly options: MasksExporterOptions) {}

  /**
   * Downloads the archive if needed and reads it, and the table if it has a saved filter. Throws
   * their errors; never starts paid work.
   */
  async open(source: ResultSource, onProgress: ExportProgress, signal: AbortSignal): Promise<OpenedMasks> {
    const held = this.options.holdFiltered(source);
    try {
      return await this.openHeld(source, held, onProgress, signal);
    } catch (error) {
      held?.dispose();
      throw error;
    }
  }

  private async openHeld(
    source: ResultSource,
    held: Disposable | undefined,
    onProgress: ExportProgress,
    signal: AbortSignal,
  ): Promise<OpenedMasks> {
    return openPart({
      fetch: () =>
        source.path(
          'masks',
          (done, total = 0) => onProgress('downloading', total > 0 ? done / total : undefined),
          signal,
        ),
      filesOf: path => [
        { path, discard: source.discard && (async () => source.discard?.('masks') ?? false) },
      ],
      open: path => this.openFile({ path, source, held }, onProgress, signal),
    });
  }

  private async openFile(
    { path, source, held }: { path: string; source: ResultSource; held: Disposable | undefined },
    onProgress: ExportProgress,
    signal: AbortSignal,
  ): Promise<OpenedMasks> {
    throwIfCanceled(signal);
    const mayBeEmpty = source.accountId !== undefined;
    const thread = this.options.startEngine();
    const listener = thread.endpoint.on('progress', ({ done, total }) =>
      onProgress('reading', total > 0 ? done / total : undefined),
    );
    try {
      const summary = await thread.endpoint.request('openMasks', { path, mayBeEmpty }, signal);
      await this.nameImages(thread, summary, source, signal);
      // After a reload the table's filters may just be found again.
      await untilCanceled(this.options.sessionOf(source)?.rows.settled() ?? Promise.resolve(), signal);
      return new OpenedMasks(thread, summary, { ...this.options, source, held });
    } catch (error) {
      thread.dispose();
      throw error;
    } finally {
      listener.dispose();
    }
  }

  /**
   * Files are named by folders where images have the same name: by the table's paths, as linked by
   * a panel or here. Without a table, names are numbered.
   */
  private async nameImages(
    thread: Engine,
    summary: ArchiveSummary,
    source: ResultSource,
    signal: AbortSignal,
  ): Promise<void> {
    if (!haveSameNames(summary)) return;
    try {
      for (const { image, path } of await this.pathsOf(thread, source, signal)) {
        const named = summary.images[image];
        if (named) named.path = path;
      }
    } catch (error) {
      throwIfCanceled(signal);
      this.options.log.info(`Images of one name are exported without their folders: ${String(error)}`);
    }
  }

  private async pathsOf(
    thread: Engine,
    source: ResultSource,
    signal: AbortSignal,
  ): Promise<{ image: number; path: string }[]> {
    const { sessionOf, keptLinks, tableMemory } = this.options;
    const session = sessionOf(source);
    if (session) {
      await session.masks.open(signal);
      await session.links.settled();
      return session.imagePaths;
    }
    const links = new LinkEvidence({ items: async () => source.analyzedItems?.(), store: keptLinks(source) });
    const path = await source.path('objects', () => undefined, signal);
    const { endpoint } = thread;
    await endpoint.request(
      'openTable',
      { table: 'objects', path, options: { memory: tableMemory() } },
      signal,
    );
    await endpoint.request('linkRows', await links.params(), signal);
    return (await endpoint.request('imagePaths', {}, signal)).paths;
  }
}

/** Whether any two images have one name, in any folders. */
function haveSameNames({ images }: ArchiveSummary): boolean {
  const names = new Set(images.map(({ filename }) => pathParts(filename).at(-1)));
  return names.size < images.length;
}

/** Masks that can be exported until they are disposed of. */
export class OpenedMasks implements Disposable {
  constructor(
    private readonly thread: Engine,
    readonly summary: ArchiveSummary,
    private readonly options: MasksExporterOptions & {
      source: ResultSource;
      held: Disposable | undefined;
    },
  ) {}

  /** Whether a panel of these masks, or the table's saved filter, hides objects. */
  get hidesSome(): boolean {
    const session = this.options.sessionOf(this.options.source);
    return session !== undefined && (session.hiddenClasses.length > 0 || session.rows.shown !== null);
  }

  /** Whether the objects table has populations. */
  async havePopulations(): Promise<boolean> {
    const { populations, source } = this.options;
    return (await populations?.areIn(source)) ?? false;
  }

  /** Default name of files for all images. */
  get name(): string {
    return this.options.source.title.replace(/\.zip$/i, '');
  }

  /** The number of objects of these images and classes, and the number that the panels show. */
  async counted(
    choice: Pick<ExportChoice, 'images' | 'classes'>,
    signal: AbortSignal,
  ): Promise<{ all: number; visible: number }> {
    const session = this.options.sessionOf(this.options.source);
    const names = choice.classes ?? this.summary.classes.map(({ name }) => name);
    const images = namedImages(this.summary.images, choice.images).filter(({ failure }) => !failure);
    const inClasses = (wanted: readonly string[], counts: readonly number[]) =>
      counts.reduce(
        (sum, count, at) => (wanted.includes(this.summary.classes[at]?.name ?? '') ? sum + count : sum),
        0,
      );
    const all = images.reduce((sum, { classCounts }) => sum + inClasses(names, classCounts), 0);
    if (!session) return { all, visible: all };
    const { classes = names, shown } = await this.shownIn(session, choice, signal);
    let visible = 0;
    for (const { index, classCounts } of images) {
      const bytes = shown?.find(({ image }) => image === index)?.shown;
      const counts = bytes ? await this.shownByClass(index, new Uint8Array(bytes), signal) : classCounts;
      visible += inClasses(classes, counts);
    }
    return { all, visible };
  }

  /**
   * Exports; the files appear together at the end. Throws as exportMasks does; then no file stays
   * behind.
   */
  async export(
    { objects, selected, name: wanted, populations, ...choice }: ExportChoice,
    onProgress: ExportProgress,
    signal: AbortSignal,
  ): Promise<ExportReport> {
    const session = this.options.sessionOf(this.options.source);
    const shown: Pick<ExportRequest, 'images' | 'classes' | 'shown' | 'part'> = selected
      ? this.only(selected)
      : session && objects === 'shown'
        ? { ...(await this.shownIn(session, choice, signal)), part: 'visible' as const }
        : {};
    const listener = this.thread.endpoint.on('progress', ({ what, done, total }) => {
      if (what === 'export') onProgress('exporting', total > 0 ? done / total : 1);
    });
    try {
      const colors = session && { colors: { ...session.classColors } };
      const name = wanted ?? this.name;
      const paths = this.summary.images.flatMap(({ index, path }) =>
        path === undefined ? [] : [{ image: index, path }],
      );
      const imageColumns = await this.imageColumns();
      const images = shown.images ?? choice.images;
      const request: ExportRequest = {
        ...choice,
        ...(populations && { populations: await this.populations(images, signal) }),
        ...(imageColumns.length > 0 && { imageColumns }),
        ...shown,
        ...colors,
        ...(paths.length > 0 && { paths }),
        name: nameOfPart(name, shown),
      };
      return await this.thread.endpoint.request('exportMasks', request, signal);
    } catch (error) {
      if (isCoded(error, 'cancelled')) await this.settled();
      throw error;
    } finally {
      listener.dispose();
    }
  }

  dispose(): void {
    this.thread.dispose();
    this.options.held?.dispose();
  }

  /**
   * Metadata of the archive's images; without it, if it can't be read, masks are still exported.
   */
  private async imageColumns(): Promise<NonNullable<ExportRequest['imageColumns']>> {
    const { imageValues, source, log } = this.options;
    try {
      return (await imageValues?.of(source, this.summary.images.map(pathOfImage))) ?? [];
    } catch (error) {
      log.warn(`Masks are exported without what is known of images: ${String(error)}`);
      return [];
    }
  }

  private async populations(
    images: ExportRequest['images'],
    signal: AbortSignal,
  ): Promise<NonNullable<ExportRequest['populations']>> {
    const { populations, source } = this.options;
    if (!populations || !(await populations.areIn(source)))
      throw new CodedError('bad-request', 'The table has no populations', {
        subject: 'populations',
        reason: reason('The table has no populations'),
      });
    const readable = namedImages(this.summary.images, images).filter(({ failure }) => !failure);
    return populations.members(
      source,
      readable.map(({ index }) => index),
      signal,
    );
  }

  /** Number of objects of an image with a 1, by class. */
  private async shownByClass(image: number, shown: Uint8Array, signal: AbortSignal): Promise<number[]> {
    const counts = this.summary.classes.map(() => 0);
    for (let from = 0, isLast = false; !isLast;) {
      const part = await this.thread.endpoint.request('objectClasses', { image, from }, signal);
      const classes = part.isWide ? new Uint16Array(part.classes) : new Uint8Array(part.classes);
      classes.forEach((at, object) => {
        if (shown[from + object]) counts[at] = (counts[at] ?? 0) + 1;
      });
      from += part.count;
      isLast = part.isLast || part.count === 0;
    }
    return counts;
  }

  /** The selected objects of the images that have any. */
  private only(selected: readonly ObjectsOfImage[]): Pick<ExportRequest, 'images' | 'shown' | 'part'> {
    const shown = selected.map(({ image, objects }) => {
      const bytes = new Uint8Array(this.summary.images[image]?.objectCount ?? 0);
      for (const object of objects) bytes[object] = 1;
      return { image, shown: bytes.buffer };
    });
    return { images: selected.map(({ image }) => image), shown, part: 'selected' };
  }

  /** Classes and objects that the panels show. */
  private async shownIn(
    session: ShownResult,
    { images, classes }: Pick<ExportChoice, 'images' | 'classes'>,
    signal: AbortSignal,
  ): Promise<Pick<ExportRequest, 'classes' | 'shown'>> {
    await untilCanceled(session.rows.settled(), signal);
    const hidden = new Set(session.hiddenClasses.map(index => this.summary.classes[index]?.name));
    const names = classes ?? this.summary.classes.map(({ name }) => name);
    const visible = { classes: names.filter(name => !hidden.has(name)) };
    if (!session.rows.shown) return visible;
    await session.masks.open(signal);
    await session.links.settled();
    // The filters may be cleared by now. Before rows are linked to objects, filters hide none.
    const { shown: rows } = session.rows;
    if (!rows || !session.links.report) return visible;
    const { view } = rows;
    const shown: { image: number; shown: ArrayBuffer }[] = [];
    for (const { index, failure } of namedImages(this.summary.images, images)) {
      if (failure) continue;
      const response = await session.masks.request('objectsInView', { image: index, view }, signal);
      shown.push({ image: index, shown: response.shown });
    }
    return { ...visible, shown };
  }

  /** A canceled export removes its files; the thread must live until then. */
  private async settled(): Promise<void> {
    try {
      await this.thread.endpoint.request('exportSettled', {});
    } catch (error) {
      this.options.log.warn(`A canceled export may have left a hidden folder behind: ${String(error)}`);
    }
  }
}
