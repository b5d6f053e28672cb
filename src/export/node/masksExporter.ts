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
import type { ResultPopulations } from '../../linking/node/tablePopulations';
import { LinkEvidence, type SessionLinks } from '../../linking/node/sessionLinks';
import type { StoredLinks } from '../../linking/node/storedLinks';
import type { SessionMasks } from '../../session/node/sessionMasks';
import type { SessionRows } from '../../linking/node/sessionRows';

/** The user's or program's choice for an export; see ExportRequest. */
export type ExportChoice = Omit<
  ExportRequest,
  'format' | 'name' | 'shown' | 'part' | 'colors' | 'populations'
> & {
  format: ExportFormat;
  /** Whether to write the populations of objects, if the format supports them. */
  populations?: boolean;
  /** 'shown': only objects that the class visibility and the table's saved filter show. */
  objects: 'all' | 'shown';
  /** Name of files about all images, in place of the result's title. */
  name?: string;
  /** Exports only these objects; overrides `objects`. */
  selected?: readonly ObjectsOfImage[];
};

/** Reports progress; `share` is 0…1, or undefined if unknown. */
export type ExportProgress = (
  phase: 'downloading' | 'reading' | 'exporting',
  share: number | undefined,
) => void;

/** The state of a result that is open in panels, for an export. */
export interface ShownResult {
  /** Positions of hidden classes. */
  readonly hiddenClasses: readonly number[];
  /** #rrggbb by class name. */
  readonly classColors: Readonly<Record<string, string>>;
  /** The paths of images with ambiguous names. */
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
  /** The session of a result, if it has an open panel. */
  sessionOf: (source: ResultSource) => ShownResult | undefined;
  /**
   * Applies the table's saved filter to a result without panels, until disposed; undefined without
   * a filter.
   */
  holdFiltered: (source: ResultSource) => Disposable | undefined;
  /** The stored links of images that a user made. */
  linksOf: (source: ResultSource) => StoredLinks;
  /** Reads metadata of images; undefined in a build without it. */
  imageValues: ImageValues | undefined;
  /** Reads populations; undefined in a build without them. */
  populations: ExportedPopulations | undefined;
  /** Memory for the columns of tables, in MB. */
  tableMemory: () => number;
  log: Log;
}

/** Opens masks for an export in a separate thread, so that panels stay responsive. */
export class MasksExporter {
  constructor(private readonly options: MasksExporterOptions) {}

  /**
   * Downloads the archive if needed and reads it. Also reads the table if it has a saved filter.
   * Throws errors of both. Never starts paid work.
   */
  async open(source: ResultSource, onProgress: ExportProgress, signal: AbortSignal): Promise<OpenedMasks> {
    const filterHold = this.options.holdFiltered(source);
    try {
      return await this.openWithFilter(source, filterHold, onProgress, signal);
    } catch (error) {
      filterHold?.dispose();
      throw error;
    }
  }

  private async openWithFilter(
    source: ResultSource,
    filterHold: Disposable | undefined,
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
      open: path => this.openFile({ path, source, filterHold }, onProgress, signal),
    });
  }

  private async openFile(
    { path, source, filterHold }: { path: string; source: ResultSource; filterHold: Disposable | undefined },
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
      // After a reload, the table's filters may still be loading.
      await untilCanceled(this.options.sessionOf(source)?.rows.settled() ?? Promise.resolve(), signal);
      return new OpenedMasks(thread, summary, { ...this.options, source, filterHold });
    } catch (error) {
      thread.dispose();
      throw error;
    } finally {
      listener.dispose();
    }
  }

  /**
   * Sets the paths of images with equal names, so that file names include folders. The paths come
   * from the table's rows. Without a table, names are numbered.
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
        const archiveImage = summary.images[image];
        if (archiveImage) archiveImage.path = path;
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
    const { sessionOf, linksOf, tableMemory } = this.options;
    const session = sessionOf(source);
    if (session) {
      await session.masks.open(signal);
      await session.links.settled();
      return session.imagePaths;
    }
    const links = new LinkEvidence({ items: async () => source.analyzedItems?.(), store: linksOf(source) });
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

/** Whether any two images have the same name, in any folders. */
function haveSameNames({ images }: ArchiveSummary): boolean {
  const names = new Set(images.map(({ filename }) => pathParts(filename).at(-1)));
  return names.size < images.length;
}

/** Open masks that can be exported until disposed. */
export class OpenedMasks implements Disposable {
  constructor(
    private readonly thread: Engine,
    readonly summary: ArchiveSummary,
    private readonly options: MasksExporterOptions & {
      source: ResultSource;
      filterHold: Disposable | undefined;
    },
  ) {}

  /** Whether panels or the table's saved filter hide objects. */
  get hidesSome(): boolean {
    const session = this.options.sessionOf(this.options.source);
    return session !== undefined && (session.hiddenClasses.length > 0 || session.rows.shown !== null);
  }

  /** Whether the objects table has populations. */
  async havePopulations(): Promise<boolean> {
    const { populations, source } = this.options;
    return (await populations?.areIn(source)) ?? false;
  }

  /** Default name of files about all images. */
  get name(): string {
    return this.options.source.title.replace(/\.zip$/i, '');
  }

  /** Counts the objects of these images and classes: all, and those that panels show. */
  async countObjects(
    choice: Pick<ExportChoice, 'images' | 'classes'>,
    signal: AbortSignal,
  ): Promise<{ all: number; visible: number }> {
    const session = this.options.sessionOf(this.options.source);
    const names = choice.classes ?? this.summary.classes.map(({ name }) => name);
    const images = namedImages(this.summary.images, choice.images).filter(({ failure }) => !failure);
    const countIn = (classNames: readonly string[], counts: readonly number[]) =>
      counts.reduce(
        (sum, count, index) =>
          classNames.includes(this.summary.classes[index]?.name ?? '') ? sum + count : sum,
        0,
      );
    const all = images.reduce((sum, { classCounts }) => sum + countIn(names, classCounts), 0);
    if (!session) return { all, visible: all };
    const { classes = names, shown } = await this.shownIn(session, choice, signal);
    let visible = 0;
    for (const { index, classCounts } of images) {
      const bytes = shown?.find(({ image }) => image === index)?.shown;
      const counts = bytes ? await this.shownByClass(index, new Uint8Array(bytes), signal) : classCounts;
      visible += countIn(classes, counts);
    }
    return { all, visible };
  }

  /**
   * Exports the masks. Either all files appear at the end, or none. Throws errors of exportMasks.
   */
  async export(
    { objects, selected, name: fileName, populations, ...choice }: ExportChoice,
    onProgress: ExportProgress,
    signal: AbortSignal,
  ): Promise<ExportReport> {
    const session = this.options.sessionOf(this.options.source);
    const shown: Pick<ExportRequest, 'images' | 'classes' | 'shown' | 'part'> = selected
      ? this.onlySelected(selected)
      : session && objects === 'shown'
        ? { ...(await this.shownIn(session, choice, signal)), part: 'visible' as const }
        : {};
    const listener = this.thread.endpoint.on('progress', ({ what, done, total }) => {
      if (what === 'export') onProgress('exporting', total > 0 ? done / total : 1);
    });
    try {
      const colors = session && { colors: { ...session.classColors } };
      const name = fileName ?? this.name;
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
      if (isCoded(error, 'cancelled')) await this.waitForExports();
      throw error;
    } finally {
      listener.dispose();
    }
  }

  dispose(): void {
    this.thread.dispose();
    this.options.filterHold?.dispose();
  }

  /**
   * Metadata of the archive's images; empty if it can't be read, so that masks are exported anyway.
   */
  private async imageColumns(): Promise<NonNullable<ExportRequest['imageColumns']>> {
    const { imageValues, source, log } = this.options;
    try {
      return (await imageValues?.columnsOf(source, this.summary.images.map(pathOfImage))) ?? [];
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

  /** Number of shown objects of an image, by class. */
  private async shownByClass(image: number, shown: Uint8Array, signal: AbortSignal): Promise<number[]> {
    const counts = this.summary.classes.map(() => 0);
    for (let from = 0, isLast = false; !isLast;) {
      const part = await this.thread.endpoint.request('objectClasses', { image, from }, signal);
      const classes = part.isWide ? new Uint16Array(part.classes) : new Uint8Array(part.classes);
      classes.forEach((index, object) => {
        if (shown[from + object]) counts[index] = (counts[index] ?? 0) + 1;
      });
      from += part.count;
      isLast = part.isLast || part.count === 0;
    }
    return counts;
  }

  /** The part of a request that selects objects. */
  private onlySelected(
    selected: readonly ObjectsOfImage[],
  ): Pick<ExportRequest, 'images' | 'shown' | 'part'> {
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
    // The filters may be cleared by now. Unless rows are linked to objects, filters hide no
    // objects.
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

  /** Waits until a canceled export has removed its files; the thread must live until then. */
  private async waitForExports(): Promise<void> {
    try {
      await this.thread.endpoint.request('exportSettled', {});
    } catch (error) {
      this.options.log.warn(`A canceled export may have left a hidden folder behind: ${String(error)}`);
    }
  }
}
