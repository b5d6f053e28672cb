import { countedRows } from '../../session/node/countedRows';
import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { imageColumnName } from '../../columns/imageColumnName';
import { runInSlices } from '../../base/node/slices';
import { pathParts } from '../../base/pathParts';
import { PartKey } from '../../base/parts';
import { reason } from '../../base/reasons';
import { inSteps, sortInSteps, type Steps } from '../../base/steps';
import { columnsOfImage, findRowColumns } from '../../columns/rowColumns';
import { type Conversion, convertedColumns, storedSize } from '../convertedColumns';
import { isAdded, type TableSummary } from '../../columns/tableSummary';
import type { Filter } from '../../columns/viewSpec';
import { imageCategories } from '../../linking/node/imageValues';
import {
  type ImageColumn,
  type ImageColumns,
  type ImageRole,
  NO_IMAGE_COLUMNS,
  orderedValues,
  tableColumnsOfRole,
} from '../imageColumns';
import { applyEdits, type EditedColumns, editsOfMoved, type ImageEdit } from '../imageEdits';
import type { Measure } from '../conditionRequests';
import { SHEET_HEADERS } from '../sampleSheet';
import {
  namesAfter,
  type RemovedColumn,
  removedColumns,
  sameStored,
  storedOf,
  type StoredImages,
  withLaterValues,
  withRenamed,
  withRestored,
  withStored,
  withStoredInSteps,
} from '../storedImages';
import { matchImages } from '../../archives/imageCatalog';
import { type ArchiveImage, pathOfImage } from '../../archives/masksSummary';
import type { TableKind } from '../../service/resultParts';
import { type ImageAreasByText, imageStudy, type ImageStudy } from '../../session/node/imageStudy';
import type { ImageAreas, MeasurableImages } from './imageAreas';
import type { ImageColumnsStore } from './storedImageColumns';
import type { AddSessionParts, ResultSession } from '../../session/node/resultSession';
import type { ResultSource } from '../../session/node/resultSource';
import type { EngineRequest, SessionLog } from '../../session/node/sessionEngine';
import type { SessionTables } from '../../session/node/sessionTables';

/** Maximum relative difference of equal pixel sizes: resolution tags are rounded. */
const MAX_SIZE_DIFFERENCE = 1e-3;
/** Maximum number of text columns that are searched for the paths of images. */
const MAX_SEARCHED_COLUMNS = 20;
/** Maximum number of cached lists of texts. */
const MAX_RESOLVED_LISTS = 8;

/** Paths in the order in which people list them: image 2 before image 10. */
const byPath = new Intl.Collator('en', { numeric: true });
/**
 * Maximum number of removed columns that can be restored; the undo steps of pages have the same
 * limit.
 */
const MAX_REMOVED = 200;
/** µm² in a mm². */
const SQUARE_MICRONS = 1e6;

interface SessionImageColumnsDependencies {
  source: Pick<ResultSource, 'analyzedItems' | 'tables' | 'jobIds' | 'masksOnly'>;
  tables: Pick<SessionTables, 'open' | 'isOpen' | 'whenRead' | 'extended'>;
  /** Images of the masks, if they are open. */
  masks: () => readonly ArchiveImage[] | undefined;
  /** Finds the areas of images. */
  areas: Pick<ImageAreas, 'ofItems' | 'ofMasks' | 'onDidSetPixelSizes'>;
  request: EngineRequest;
  store: ImageColumnsStore;
  log: Pick<SessionLog, 'info'>;
  /** Aborts when the session ends. */
  signal: AbortSignal;
}

/** The columns that edits are based on, and the view that made the edits. */
interface EditOrigin {
  /** Names of the columns when the edits were made; without it, the current names. */
  columnNames?: readonly string[];
  /** The view that made the edits; the change event passes it on. */
  by?: unknown;
}

/** The image that each text of a table's image column means. */
interface ImagesOfTable {
  /** Position of the image column in the file. */
  keyColumn: number;
  texts: readonly string[];
  /** Position of each text's image; −1 for an ambiguous text, and for a text that is no image. */
  imageOf: readonly number[];
  /**
   * Set if the column was found by its texts, not by its title: then some images may not be in it.
   */
  isMatched?: true;
}

/**
 * Metadata of an open result's images, which tables show as columns. Images found later are
 * appended: an image keeps its position during the session.
 */
export class SessionImageColumns implements ImageStudy {
  private state: ImageColumns = NO_IMAGE_COLUMNS;
  private stored: StoredImages | undefined;
  private loaded: Promise<void> | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly imagesByTable = new Map<TableKind, ImagesOfTable>();
  /** Names of the columns in the tables' files. */
  private readonly fileColumnNames = new Map<TableKind, string[]>();
  /** Names of converted columns, which formulas may use. */
  private readonly convertedNames = new Map<TableKind, string[]>();
  private readonly changeEmitter = new Emitter<{ columns: ImageColumns; by?: unknown }>();
  /** Whether the list has the images of every source: tables, masks and the upload. */
  private isComplete = false;
  /** Whether the paths of all submitted images are known. */
  private areItemsKnown = false;
  /** The area of each image in mm², 0 for excluded ones; undefined until a measure needs it. */
  private areas: readonly number[] | undefined;
  /** Stored columns of tables that are converted to µm. */
  private readonly conversions = new Map<TableKind, Conversion>();
  private readonly pixelSizeListener: Disposable;
  /** Whether listeners have positions of images: these must not change from then on. */
  private wasReported = false;
  /**
   * Recently resolved texts by their joined list, with the number of images at that time. Thousands
   * of texts take tens of milliseconds, and the same lists come often.
   */
  private readonly resolvedTexts = new Map<string, { images: number; imageOf: readonly number[] }>();

  /**
   * Columns that pages removed, latest first. A page that restores one lacks the values of unlisted
   * images.
   */
  private removed: readonly (RemovedColumn & { by: unknown })[] = [];

  private readonly storeListener: Disposable;
  /**
   * Watches for changes by other windows; undefined before the first read, and if watching failed.
   */
  private watcher: Promise<Disposable | undefined> | undefined;
  private isRefreshDue = false;

  constructor(private readonly dependencies: SessionImageColumnsDependencies) {
    this.storeListener = dependencies.store.onDidWrite(() => this.refresh());
    this.pixelSizeListener = dependencies.areas.onDidSetPixelSizes(() => this.reconvert());
  }

  /** `by` is the view that made the edits. */
  get onDidChange(): Event<{ columns: ImageColumns; by?: unknown }> {
    return this.changeEmitter.event;
  }

  /** The metadata loaded so far. */
  get current(): ImageColumns {
    return this.state;
  }

  /** Names that a new column can't have. */
  get takenNames(): string[] {
    const tableColumnNames = [...this.fileColumnNames.values(), ...this.convertedNames.values()].flat();
    return [...new Set([...tableColumnNames, ...SHEET_HEADERS])];
  }

  /** Whether the result has masks, which give the sizes of images in pixels. */
  get mayHaveAreas(): boolean {
    const { jobIds, masksOnly, tables } = this.dependencies.source;
    return masksOnly === true || (jobIds !== undefined && !tables);
  }

  /**
   * Whether images without objects are listed too, from the upload, the aggregate table or the
   * masks.
   */
  get areAllKnown(): boolean {
    const aggregate = this.imagesByTable.get('aggregate');
    const isListed = aggregate !== undefined && aggregate.isMatched !== true;
    return this.areItemsKnown || isListed || this.dependencies.masks() !== undefined;
  }

  /** The images that the texts of a table mean; undefined if it names none, or isn't listed yet. */
  imagesOf(kind: TableKind): ImagesOfTable | undefined {
    return this.imagesByTable.get(kind);
  }

  /**
   * Filters that remove the rows of excluded images from statistics, and the number of excluded
   * images.
   */
  async counted(
    kind: TableKind,
    signal: AbortSignal,
  ): Promise<{ filters: Filter[]; excludedImages?: number }> {
    const { columns } = await this.dependencies.tables.open(kind, signal);
    const tableImages = this.imagesByTable.get(kind);
    const excluded = new Set(this.state.excluded.map(({ image }) => image));
    if (!tableImages || excluded.size === 0) return { filters: [] };
    const { keyColumn: column, texts, imageOf } = tableImages;
    const values = texts.filter((_, at) => excluded.has(imageOf[at] ?? -1));
    const excludedRows: Filter = { kind: 'values', column, values };
    let excludedImages = excluded.size;
    const imageKeyColumns = columnsOfImage(columns, column);
    if (imageKeyColumns.length > 1) {
      // Each job has its own images.
      const groups = {
        table: kind,
        by: imageKeyColumns,
        measures: [],
        statistics: [],
        sort: [],
        start: 0,
        end: 0,
      };
      const params = { ...groups, filters: [excludedRows] };
      excludedImages = (await this.dependencies.request('tableGroups', params, signal)).total;
    }
    return { filters: values.length > 0 ? [{ ...excludedRows, exclude: true }] : [], excludedImages };
  }

  /**
   * All images with metadata: of tables, open masks and the upload. With `of`, lists the images for
   * that table, and skips the objects table if the list is complete without it. With `whole`, waits
   * until all rows of the tables are read, so that each image gets its values.
   */
  async allImages(
    signal: AbortSignal,
    { of, whole = false }: { of?: TableKind; whole?: boolean } = {},
  ): Promise<ImageColumns> {
    const summaries = await this.openTables({ of, whole }, signal);
    return this.inQueue(async () => {
      await this.load();
      if (await this.loadOtherChange()) await this.applyChange(signal);
      for (const kind of this.kinds) {
        const summary = summaries.get(kind);
        if (summary && !this.imagesByTable.has(kind)) await this.listImages(kind, summary, signal);
      }
      this.isComplete = true;
      await this.addOtherImages();
      if (!this.wasReported) await this.sortByPath();
      this.wasReported = true;
      await this.sendStudies(signal);
      return this.state;
    });
  }

  /**
   * Loads the areas of images if a measure is per mm²: from the files uploaded here, else from the
   * masks. Throws `bad-request` with a reason if an included image has no area, and rethrows errors
   * of reading the masks.
   */
  async prepare(measures: readonly Measure[], of: TableKind, signal: AbortSignal): Promise<void> {
    if (!measures.some(measure => measure.kind === 'objectsPerImage' && measure.per === 'area')) return;
    if (!this.mayHaveAreas) throw withoutPixelSizes();
    await this.allImages(signal, { of });
    const items = await this.dependencies.areas.ofItems(signal);
    if (items && (await this.setAreas(items, signal)) === undefined) return;
    let masks: MeasurableImages;
    try {
      masks = await this.dependencies.areas.ofMasks(signal);
    } catch (error) {
      throw isCoded(error, 'not-found') ? withoutPixelSizes() : error;
    }
    const missing = await this.setAreas(masks, signal);
    if (missing !== undefined) throw withoutPixelSize(missing);
  }

  async rolesOf(kind: TableKind, signal: AbortSignal): Promise<{ condition: number[]; replicate: number[] }> {
    const images = await this.allImages(signal, { of: kind });
    const { columns } = await this.dependencies.tables.open(kind, signal);
    const columnsWithRole = (role: ImageRole) => tableColumnsOfRole(columns, images, role);
    return { condition: columnsWithRole('condition'), replicate: columnsWithRole('replicate') };
  }

  async areasOf(kind: TableKind, signal: AbortSignal): Promise<ImageAreasByText | undefined> {
    try {
      await this.prepare([{ kind: 'objectsPerImage', per: 'area' }], kind, signal);
    } catch (error) {
      if (isCoded(error, 'bad-request')) return undefined;
      throw error;
    }
    const { keyColumn, texts, imageOf } = this.imagesByTable.get(kind) ?? {
      keyColumn: -1,
      texts: [],
      imageOf: [],
    };
    const areas = texts.map((_, at) => this.areas?.[imageOf[at] ?? -1] ?? 0);
    return keyColumn < 0 ? undefined : { column: keyColumn, texts: [...texts], areas };
  }

  /**
   * Adds a column with the numbers of another one in µm or µm², by the pixel size of each image;
   * with `convert` false, removes it. Resolves with the number of images without a pixel size,
   * whose cells are empty. Throws `bad-request` with a reason if no image has a pixel size, and
   * rethrows errors of reading the masks.
   */
  async convert(
    kind: TableKind,
    { column, convert }: { column: string; convert: boolean },
    signal: AbortSignal,
  ): Promise<{ imagesWithout: number }> {
    if (convert && !this.mayHaveAreas) throw withoutPixelSizes();
    await this.allImages(signal, { of: kind, whole: true });
    const otherColumns = (this.conversions.get(kind)?.columns ?? []).filter(name => name !== column);
    const columns = convert ? [...otherColumns, column] : otherColumns;
    const { sizes, imagesWithout } = await this.pixelSizes(signal);
    // If a table doesn't name images, its rows have no pixel size.
    const hasSizes = this.imagesByTable.has(kind) && Object.keys(sizes).length > 0;
    if (convert && !hasSizes) throw withoutPixelSizes();
    await this.setConversion(kind, { columns, sizes }, signal);
    return { imagesWithout };
  }

  /** Known pixel sizes of images by path; excluded images count too. */
  private async pixelSizes(
    signal: AbortSignal,
  ): Promise<{ sizes: Conversion['sizes']; imagesWithout: number }> {
    const { areas, masks } = this.dependencies;
    const sizeByPath = new Map<string, string[]>();
    const addSizes = async ({ paths, extentOf }: MeasurableImages) => {
      const positions = await this.inQueue(() => this.addImages(paths));
      for (const at of paths.keys()) {
        const path = this.state.images[positions[at] ?? -1];
        if (path === undefined || sizeByPath.has(path)) continue;
        const extent = await extentOf(at);
        if (extent)
          sizeByPath.set(
            path,
            storedSize({ area: extent.area / extent.pixels, isSquare: extent.isOblong !== true }),
          );
      }
    };
    const items = await areas.ofItems(signal);
    if (items) await addSizes(items);
    // The masks also have pixel sizes that the user set, but reading them costs more.
    if (sizeByPath.size < this.state.images.length || masks())
      await areas.ofMasks(signal).then(addSizes, (error: unknown) => {
        if (!isCoded(error, 'not-found')) throw error;
      });
    return {
      sizes: Object.fromEntries(sizeByPath),
      imagesWithout: this.state.images.length - sizeByPath.size,
    };
  }

  private async setConversion(kind: TableKind, conversion: Conversion, signal: AbortSignal): Promise<void> {
    await this.inQueue(async () => {
      const isRemoved = conversion.columns.length === 0;
      await this.dependencies.store.setConversion?.(kind, isRemoved ? undefined : conversion);
      if (isRemoved) this.conversions.delete(kind);
      else this.conversions.set(kind, conversion);
      await this.extend(kind, signal);
    });
  }

  /** Recomputes converted columns after a change of pixel sizes. */
  private reconvert(): void {
    const { signal, log } = this.dependencies;
    for (const [kind, { columns }] of this.conversions)
      this.pixelSizes(signal)
        .then(({ sizes }) => this.setConversion(kind, { columns, sizes }, signal))
        .catch((error: unknown) => {
          if (!signal.aborted) log.info('Converting columns to other pixel sizes', error);
        });
  }

  /**
   * Whether included images are known to differ in pixel size. Reads the files uploaded here, then
   * open masks, until it finds a difference. Rethrows errors of reading the masks; throws
   * `cancelled`.
   */
  async pixelSizesDiffer(of: TableKind, signal: AbortSignal): Promise<boolean> {
    if (!this.mayHaveAreas) return false;
    await this.allImages(signal, { of });
    const { areas, masks } = this.dependencies;
    const items = await areas.ofItems(signal);
    const itemsDiffer = items && (await this.pixelsDiffer(items));
    // The masks also have sizes that the user set for images without a file here; reading them
    // costs more.
    if (itemsDiffer !== undefined || !masks()) return itemsDiffer ?? false;
    return (await this.pixelsDiffer(await areas.ofMasks(signal))) ?? false;
  }

  /**
   * Applies edits, stores the result and updates the columns of tables. `patterns` are those that
   * the edits were made from: images that are listed later get values from them. If another window
   * has stored a change in the meantime, the edits are applied to its columns. Throws `bad-request`
   * if an edited column was removed or described differently there. Throws errors of applyEdits and
   * of storing; nothing is changed then.
   */
  async edit(
    edits: readonly ImageEdit[],
    patterns: readonly string[],
    signal: AbortSignal,
    { columnNames: editedNames, by }: EditOrigin = {},
  ): Promise<EditedColumns> {
    return this.inQueue(async () => {
      await this.load();
      const { columns: columnsBefore } = this.state;
      const wasChangedElsewhere = await this.loadOtherChange();
      try {
        const { columns: columnsNow } = this.state;
        const currentEdits = editsOfMoved(
          edits,
          editedNames ?? namesOf(columnsBefore),
          namesOfSame(columnsBefore, columnsNow),
          changedDescriptions(columnsBefore, columnsNow),
        );
        if (!currentEdits)
          throw new CodedError('bad-request', 'The columns of images have been changed elsewhere', {
            reason: reason(
              'The columns were changed elsewhere and have been reloaded. Make your change again.',
            ),
          });
        const removedByView = this.removed.filter(column => column.by === by);
        const completeEdits = await this.inSlices(
          withLaterValues(currentEdits, this.state.images, removedByView),
        );
        const edited = applyEdits(this.state, completeEdits, this.takenNames);
        const renamed = namesAfter(columnsNow, currentEdits);
        const renamedImages = this.stored && withRenamed(this.stored, renamed);
        const restored = await this.inSlices(withRestored(renamedImages, currentEdits, removedByView));
        const stored = await this.inSlices(storedOf(edited.columns, restored, patterns));
        await this.dependencies.store.write(stored, this.commonNames(renamed));
        const removed = this.stored ? removedColumns(this.stored, currentEdits) : [];
        this.removed = [...removed.map(column => ({ ...column, by })), ...this.removed].slice(0, MAX_REMOVED);
        this.stored = stored;
        this.state = edited.columns;
        // The view that made the edits lacks the columns of the other change.
        const hasOtherChanges =
          wasChangedElsewhere || completeEdits.some((edit, at) => edit !== currentEdits[at]);
        await this.applyChange(signal, hasOtherChanges ? undefined : by);
        return edited;
      } catch (error) {
        if (wasChangedElsewhere) await this.applyChange(signal);
        throw error;
      }
    });
  }

  /**
   * The renames that hold in all tables. If the file of a table has a column with a former name,
   * the table shows the image column under another name, and its formulas mean the file's column.
   */
  private commonNames(renamed: ReadonlyMap<string, string>): Map<string, string> {
    const taken = new Set(this.takenNames.map(name => name.toLowerCase()));
    return new Map([...renamed].filter(([from]) => !taken.has(from.toLowerCase())));
  }

  /** Loads changes stored by other views or windows. Does nothing before the first read. */
  refresh(): void {
    if (!this.loaded || this.isRefreshDue) return;
    const { signal, log } = this.dependencies;
    // A written file may be reported several times.
    this.isRefreshDue = true;
    this.inQueue(async () => {
      this.isRefreshDue = false;
      await this.load();
      if (!signal.aborted && (await this.loadOtherChange())) await this.applyChange(signal);
    }).catch((error: unknown) => {
      if (!signal.aborted) log.info('Reading what is known of images', error);
    });
  }

  /** Adds image columns to a table that is being opened, before anyone sees it. */
  async tableOpened(kind: TableKind, summary: TableSummary, signal: AbortSignal): Promise<void> {
    await this.inQueue(async () => {
      await this.load();
      await this.loadConversion(kind);
      this.imagesByTable.delete(kind);
      if (!this.stored && !this.isComplete && !this.conversions.has(kind)) return;
      const stateBefore = this.state;
      await this.listImages(kind, summary, signal);
      if (this.hasColumns(kind)) await this.extend(kind, signal);
      else await this.sendStudies(signal);
      if (this.state !== stateBefore) await this.matchAgain(signal);
      if (this.isComplete && this.state !== stateBefore) this.notify();
    }).catch((error: unknown) => this.dependencies.log.info('Reading what is known of images', error));
  }

  /** Lists images again once all rows of a table are read. */
  tableRead(kind: TableKind, summary: TableSummary): void {
    if (!this.imagesByTable.has(kind)) return;
    const { signal, log } = this.dependencies;
    const listedBefore = this.imagesByTable.get(kind);
    this.inQueue(async () => {
      // If the table was opened again in the meantime, its images are listed then.
      if (this.imagesByTable.get(kind) !== listedBefore) return;
      await this.listImages(kind, summary, signal);
      if (this.hasColumns(kind)) await this.extend(kind, signal);
      else await this.sendStudies(signal);
      await this.matchAgain(signal);
      this.notify();
    }).catch((error: unknown) => log.info('Reading which images a table names', error));
  }

  /** Lists images of masks that were opened or linked differently: they may be in no table. */
  masksChanged(): void {
    if (!this.isComplete) return;
    this.inQueue(async () => {
      const stateBefore = this.state;
      await this.addImages((this.dependencies.masks() ?? []).map(pathOfImage));
      await this.sendStudies(this.dependencies.signal);
      if (this.state !== stateBefore) this.notify();
    }).catch((error: unknown) => this.dependencies.log.info('Reading which images the masks name', error));
  }

  /** Forgets the tables after a crash of the engine: they are listed when they open again. */
  engineLost(): void {
    this.imagesByTable.clear();
  }

  dispose(): void {
    this.storeListener.dispose();
    this.pixelSizeListener.dispose();
    void this.watcher?.then(watcher => watcher?.dispose());
    this.changeEmitter.dispose();
  }

  /**
   * Computes the areas of images. Returns the first included image of unknown size; undefined if
   * all are known.
   */
  private async setAreas(
    { paths, extentOf }: MeasurableImages,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const positions = await this.inQueue(() => this.addImages(paths));
    const areaOf = new Map(this.state.excluded.map(({ image }) => [image, 0]));
    for (const [at, path] of paths.entries()) {
      const position = positions[at] ?? -1;
      if (position < 0 || areaOf.has(position)) continue;
      const extent = await extentOf(at);
      // One unknown area makes the measure impossible; reading the others could take long.
      if (extent === undefined) return path;
      areaOf.set(position, extent.area / SQUARE_MICRONS);
    }
    return this.inQueue(async () => {
      const { images } = this.state;
      const missing = images.find((_, position) => !areaOf.has(position));
      if (missing !== undefined) return missing;
      this.areas = images.map((_, position) => areaOf.get(position) ?? 0);
      await this.sendStudies(signal);
      return undefined;
    });
  }

  /** Whether pixel sizes differ; undefined if the known ones are equal and some are unknown. */
  private async pixelsDiffer({ paths, extentOf }: MeasurableImages): Promise<boolean | undefined> {
    const positions = await this.inQueue(() => this.addImages(paths));
    const excluded = new Set(this.state.excluded.map(({ image }) => image));
    let firstPixel: number | undefined;
    let areSizesKnown = true;
    for (const at of paths.keys()) {
      if (excluded.has(positions[at] ?? -1)) continue;
      const extent = await extentOf(at);
      if (!extent) {
        areSizesKnown = false;
        continue;
      }
      const pixel = Math.sqrt(extent.area / extent.pixels);
      firstPixel ??= pixel;
      if (Math.abs(pixel / firstPixel - 1) > MAX_SIZE_DIFFERENCE) return true;
    }
    return areSizesKnown ? false : undefined;
  }

  /** The kinds of tables that name images. */
  private get kinds(): TableKind[] {
    const { jobIds, masksOnly, tables } = this.dependencies.source;
    if (tables || masksOnly) return ['objects'];
    return jobIds ? ['objects', 'aggregate'] : ['file'];
  }

  /**
   * Opens the tables that list images. Throws errors of opening `of`; the other tables are
   * optional.
   */
  private async openTables(
    { of, whole }: { of: TableKind | undefined; whole: boolean },
    signal: AbortSignal,
  ): Promise<Map<TableKind, TableSummary>> {
    const { tables, log } = this.dependencies;
    const summaries = new Map<TableKind, TableSummary>();
    // The objects table comes last, as it may not be needed.
    const kinds = of === undefined ? this.kinds : [of, ...this.kinds.filter(kind => kind !== of)];
    for (const kind of kinds) {
      if (of === 'aggregate' && kind === 'objects' && !tables.isOpen(kind)) {
        const namesImages = findRowColumns(summaries.get('aggregate')?.columns ?? []).image !== undefined;
        if (namesImages || this.dependencies.masks() || (await this.submittedPaths())) continue;
      }
      try {
        await tables.open(kind, signal);
        if (whole) await tables.whenRead(kind, signal);
        summaries.set(kind, await tables.open(kind, signal));
      } catch (error) {
        throwIfCanceled(signal);
        // A result may lack one of the tables; a table that can't be read only shortens the list.
        const isNeeded = of === undefined ? !isCoded(error, 'not-found') : kind === of;
        if (isNeeded) throw error;
        log.info(`Reading which images the ${kind} table names`, error);
      }
    }
    return summaries;
  }

  /** The paths of the submitted images; undefined if some are unknown. */
  private async submittedPaths(): Promise<string[] | undefined> {
    const items = await this.dependencies.source.analyzedItems?.();
    this.areItemsKnown = items !== undefined;
    return items?.map(({ path }) => path).filter(path => path !== '');
  }

  private load(): Promise<void> {
    return (this.loaded ??= this.dependencies.store.read().then(
      stored => {
        this.stored = stored;
        this.state = withStored([], stored);
        this.watch();
      },
      (error: unknown) => {
        // The data may be readable later, and writing now would lose it.
        this.loaded = undefined;
        throw error;
      },
    ));
  }

  /** Loads changes of other windows from now on. */
  private watch(): void {
    const { store, log, signal } = this.dependencies;
    this.watcher ??= store
      .watch?.(() => this.refresh())
      .then(
        watcher => {
          if (signal.aborted) watcher.dispose();
          // Another window may have stored a change since the first read.
          else this.refresh();
          return watcher;
        },
        (error: unknown) => {
          log.info('Watching what is known of images', error);
          return undefined;
        },
      );
  }

  /** Loads a change that another window or view has stored; returns whether there was one. */
  private async loadOtherChange(): Promise<boolean> {
    const stored = await this.dependencies.store.read();
    if (sameStored(stored, this.stored)) return false;
    this.stored = stored;
    this.state = await this.inSlices(withStoredInSteps(this.state.images, stored));
    return true;
  }

  private async applyChange(signal: AbortSignal, by?: unknown): Promise<void> {
    await this.extendAll(signal);
    this.notify(by);
  }

  /** Reads the images that a table names so far; new ones are appended. */
  private async listImages(kind: TableKind, { columns }: TableSummary, signal: AbortSignal): Promise<void> {
    const fileColumns = columns.filter(column => !isAdded(column));
    this.fileColumnNames.set(
      kind,
      fileColumns.map(({ name }) => name),
    );
    const { image } = findRowColumns(columns);
    if (image === undefined) {
      const bestMatch = kind === 'aggregate' && (await this.matchedColumn(fileColumns, signal));
      if (bestMatch) this.imagesByTable.set(kind, bestMatch);
      return;
    }
    const keyColumn = columns[image]?.index ?? image;
    const { texts } = await this.dependencies.request(
      'tableTexts',
      { table: kind, column: keyColumn },
      signal,
    );
    // Two images that were submitted from different folders may have one name in the table.
    if (kind === 'aggregate' && !this.imagesByTable.has('objects'))
      await this.addImages(await this.inSlices(longerPaths((await this.submittedPaths()) ?? [], texts)));
    this.imagesByTable.set(kind, { keyColumn, texts, imageOf: await this.addImages(texts) });
  }

  /**
   * The aggregate table's column that names at least half of the known images, if no title names
   * images. The table may be about groups of images instead: undefined then.
   */
  private async matchedColumn(
    columns: TableSummary['columns'],
    signal: AbortSignal,
  ): Promise<ImagesOfTable | undefined> {
    await this.addOtherImages();
    if (this.state.images.length === 0) await this.addImages(Object.keys(this.stored?.values ?? {}));
    let best: ImagesOfTable | undefined;
    let minMatches = Math.max(1, this.state.images.length / 2);
    for (const { index } of columns.filter(({ kind }) => kind === 'text').slice(0, MAX_SEARCHED_COLUMNS)) {
      const { texts } = await this.dependencies.request(
        'tableTexts',
        { table: 'aggregate', column: index },
        signal,
      );
      const imageOf = await this.matchImages(texts);
      const count = imageOf.filter(image => image >= 0).length;
      if (count < minMatches) continue;
      best = { keyColumn: index, texts, imageOf, isMatched: true };
      minMatches = count + 1;
    }
    return best;
  }

  private async matchImages(texts: readonly string[]): Promise<number[]> {
    const matches = await this.inSlices(matchImages(texts, this.state.images));
    return matches.map(image => (typeof image === 'number' ? image : -1));
  }

  /** Matches the texts of a column without a title again, after images were added. */
  private async matchAgain(signal: AbortSignal): Promise<void> {
    const aggregate = this.imagesByTable.get('aggregate');
    if (!aggregate?.isMatched) return;
    this.imagesByTable.set('aggregate', { ...aggregate, imageOf: await this.matchImages(aggregate.texts) });
    if (this.hasColumns('aggregate')) await this.extend('aggregate', signal);
    else await this.sendStudies(signal);
  }

  /** Adds the images of open masks and of the upload, which may be in no table. */
  private async addOtherImages(): Promise<void> {
    await this.addImages((this.dependencies.masks() ?? []).map(pathOfImage));
    await this.addImages((await this.submittedPaths()) ?? []);
  }

  /** Adds images for texts that match none. Returns each text's image, −1 for an ambiguous text. */
  private async addImages(texts: readonly string[]): Promise<readonly number[]> {
    const key = texts.join('\0');
    const cached = this.resolvedTexts.get(key);
    if (cached?.images === this.state.images.length) return cached.imageOf;
    const images = [...this.state.images];
    const positionOf = new Map(images.map((path, at) => [path, at]));
    const otherTexts = texts.filter(text => !positionOf.has(text));
    // An image whose exact path is among the texts can't be the match of another text.
    const textSet = new Set(texts);
    const freeImages = images.flatMap((path, at) => (textSet.has(path) ? [] : [at]));
    const freePaths = freeImages.map(at => images[at] ?? '');
    const matches = await this.inSlices(matchImages(otherTexts, freePaths));
    const imageOfText = new Map<string, number>();
    const newPaths = new Set<string>();
    otherTexts.forEach((text, at) => {
      const match = matches[at];
      if (typeof match === 'number') imageOfText.set(text, freeImages[match] ?? -1);
      else if (match === 'ambiguous') imageOfText.set(text, -1);
      else newPaths.add(text);
    });
    // A table names images in the order of their analysis. Listed images keep their positions.
    for (const text of await this.inSlices(sortInSteps([...newPaths], byPath.compare)))
      if (!imageOfText.has(text)) imageOfText.set(text, images.push(text) - 1);
    if (images.length > this.state.images.length)
      this.state = await this.inSlices(withStoredInSteps(images, this.stored));
    const imageOf = texts.map(text => positionOf.get(text) ?? imageOfText.get(text) ?? -1);
    if (this.resolvedTexts.size >= MAX_RESOLVED_LISTS) this.resolvedTexts.clear();
    this.resolvedTexts.set(key, { images: images.length, imageOf });
    return imageOf;
  }

  /** Whether a table has columns besides those of its file. */
  private hasColumns(kind: TableKind): boolean {
    return this.stored !== undefined || this.conversions.has(kind);
  }

  private async loadConversion(kind: TableKind): Promise<void> {
    if (this.conversions.has(kind)) return;
    try {
      const stored = await this.dependencies.store.conversion?.(kind);
      if (stored) this.conversions.set(kind, stored);
    } catch (error) {
      // The table opens with the columns of its file only.
      this.dependencies.log.info('Reading which columns are converted', error);
    }
  }

  private notify(by?: unknown): void {
    this.wasReported = true;
    this.changeEmitter.fire({ columns: this.state, by });
  }

  /** Sorts the images from all sources by path. */
  private async sortByPath(): Promise<void> {
    const { images } = this.state;
    const comparePaths = (a: number, b: number) => byPath.compare(images[a] ?? '', images[b] ?? '');
    const order = await this.inSlices(sortInSteps([...images.keys()], comparePaths));
    if (order.every((position, at) => position === at)) return;
    const newPosition = new Map(order.map((position, at) => [position, at]));
    const sorted = order.map(position => images[position] ?? '');
    this.state = await this.inSlices(withStoredInSteps(sorted, this.stored));
    for (const [kind, listed] of this.imagesByTable) {
      const imageOf = listed.imageOf.map(image => newPosition.get(image) ?? image);
      this.imagesByTable.set(kind, { ...listed, imageOf });
    }
    this.resolvedTexts.clear();
    this.areas = undefined;
  }

  private async extendAll(signal: AbortSignal): Promise<void> {
    for (const kind of this.imagesByTable.keys()) await this.extend(kind, signal);
  }

  private async extend(kind: TableKind, signal: AbortSignal): Promise<void> {
    const images = this.imagesByTable.get(kind);
    if (!images) return;
    const { keyColumn, texts, imageOf } = images;
    // A table opened later may have a column with the name of an image column.
    const usedNames = [...(this.fileColumnNames.get(kind) ?? [])];
    const columns = this.state.columns.map(({ name, id = name, values }) => {
      const freeName = imageColumnName(name, usedNames);
      usedNames.push(freeName);
      return {
        name: freeName,
        ...(id !== freeName && { id }),
        values: imageOf.map(image => values[image] ?? ''),
      };
    });
    const conversion = this.conversions.get(kind);
    const converted =
      conversion &&
      (
        await this.inSlices(
          convertedColumns(conversion, {
            names: this.fileColumnNames.get(kind) ?? [],
            images: this.state.images,
            imageOf,
          }),
        )
      ).map(column => {
        const freeName = imageColumnName(column.name, usedNames);
        usedNames.push(freeName);
        return { ...column, name: freeName };
      });
    this.convertedNames.set(kind, converted?.map(({ name }) => name) ?? []);
    const params = { table: kind, keyColumn, keys: texts, columns, ...(converted && { converted }) };
    this.dependencies.tables.extended(kind, await this.dependencies.request('extendTable', params, signal));
    await this.sendStudy(kind, images, signal);
  }

  /** Sends the images of each table to the engine, for statistics by image. */
  private async sendStudies(signal: AbortSignal): Promise<void> {
    for (const [kind, images] of this.imagesByTable) await this.sendStudy(kind, images, signal);
  }

  private async sendStudy(kind: TableKind, images: ImagesOfTable, signal: AbortSignal): Promise<void> {
    const { keyColumn, texts, imageOf } = images;
    const { areAllKnown } = this;
    const areas = this.areas?.length === this.state.images.length ? this.areas : undefined;
    const params = {
      table: kind,
      images: this.state,
      pathColumn: keyColumn,
      texts,
      imageOf,
      areAllKnown,
      ...(areas && { areas }),
    };
    await this.dependencies.request('studyImages', params, signal);
  }

  /**
   * Runs steps, with other work of the extension host in between. Throws `cancelled` when the
   * session ends.
   */
  private inSlices<R>(steps: Steps<R>): Promise<R> {
    return runInSlices(steps, this.dependencies.signal);
  }

  /** Runs tasks one after another. */
  private inQueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.queue.then(task);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

function namesOf(columns: readonly ImageColumn[]): string[] {
  return columns.map(({ name }) => name);
}

/** The names now; '' for a column that has the former name of another one. */
function namesOfSame(before: readonly ImageColumn[], now: readonly ImageColumn[]): string[] {
  const idOf = new Map(before.map(({ name, id = name }) => [name, id]));
  return now.map(({ name, id = name }) => ((idOf.get(name) ?? id) === id ? name : ''));
}

/** The names of columns whose role, order or reference has changed. */
function changedDescriptions(before: readonly ImageColumn[], now: readonly ImageColumn[]): Set<string> {
  const describe = ({ values: _, ...description }: ImageColumn) => JSON.stringify(description);
  const columnByName = new Map(before.map(column => [column.name, column]));
  return new Set(
    now.flatMap(column => {
      const previous = columnByName.get(column.name);
      return previous && previous !== column && describe(previous) !== describe(column) ? [column.name] : [];
    }),
  );
}

function withoutPixelSizes(): CodedError {
  return new CodedError('bad-request', 'The sizes of images are not known', {
    reason: reason('Not every image has a pixel size'),
  });
}

function withoutPixelSize(image: string): CodedError {
  return new CodedError('bad-request', 'An image has no pixel size', {
    reason: reason("The pixel size of {0} isn't known. Set it in the panel of its masks", image),
  });
}

/** Replaces a path with the text for the same image if the text names more folders. */
function* longerPaths(paths: readonly string[], texts: readonly string[]): Steps<string[]> {
  const longer = [...paths];
  yield* inSteps(yield* matchImages(texts, paths), (image, at) => {
    const text = texts[at] ?? '';
    if (typeof image === 'number' && pathParts(text).length > pathParts(paths[image] ?? '').length)
      longer[image] = text;
  });
  return longer;
}

export const sessionImageColumns = new PartKey<SessionImageColumns>('imageColumns');

const imageAreas = new PartKey<SizedImages & Disposable>('imageAreas');

/** Finds the areas of the images of a session. */
type SizedImages = SessionImageColumnsDependencies['areas'];

/** Adds the metadata of images to sessions; their tables show it as columns. */
export function imageColumnParts(
  storeOf: (source: ResultSource) => ImageColumnsStore,
  areasOf: (session: ResultSession) => SizedImages & Disposable,
): AddSessionParts {
  return session => {
    const { source, tables, masks, request, signal, log } = session;
    const areas = session.add(imageAreas, areasOf(session));
    const columns = session.add(
      sessionImageColumns,
      new SessionImageColumns({
        source,
        tables,
        masks: () => masks.images,
        areas,
        request,
        store: storeOf(source),
        signal,
        log,
      }),
    );
    session.add(countedRows, { counted: (kind, until) => columns.counted(kind, until) });
    session.add(imageStudy, columns);
    session.add(imageCategories, {
      valuesOf: index => {
        const column = columns.current.columns[index];
        return column && orderedValues(column);
      },
    });
    tables.addColumns((kind, summary, until) => columns.tableOpened(kind, summary, until));
    tables.onDidRead(({ kind, summary }) => columns.tableRead(kind, summary));
    masks.onDidOpen(() => columns.masksChanged());
    masks.onDidSetPaths(() => columns.masksChanged());
  };
}
