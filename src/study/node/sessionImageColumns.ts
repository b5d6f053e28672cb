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
import { findRowColumns } from '../../columns/rowColumns';
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

/** Share by which the sizes of equal pixels may differ: resolution tags are rounded. */
const SAME_SIZE = 1e-3;
/** Columns that are compared with the images that are known. */
const MAX_MATCHED = 20;
/** Recently resolved lists of texts. */
const MAX_NAMED = 8;

/** Paths in the order in which people list them: image 2 before image 10. */
const byPath = new Intl.Collator('en', { numeric: true });
/** Removed columns whose removal can be undone; pages undo as many steps. */
const MAX_REMOVED = 200;
/** µm² in a mm². */
const SQUARE_MICRONS = 1e6;

interface SessionImageColumnsDependencies {
  source: Pick<ResultSource, 'analyzedItems' | 'tables' | 'jobIds' | 'masksOnly'>;
  tables: Pick<SessionTables, 'open' | 'isOpen' | 'whenRead' | 'extended'>;
  /** Images of the masks, if they are open. */
  masks: () => readonly ArchiveImage[] | undefined;
  /** Tells how large images are. */
  areas: Pick<ImageAreas, 'ofItems' | 'ofMasks' | 'onDidSetPixelSizes'>;
  request: EngineRequest;
  kept: ImageColumnsStore;
  log: Pick<SessionLog, 'info'>;
  /** Aborts when the session ends. */
  signal: AbortSignal;
}

/** The columns that edits are based on, and the edits' source. */
interface SeenColumns {
  /** The names of all columns then; those that are known now otherwise. */
  seen?: readonly string[];
  /** Who made them: passed on with the change. */
  by?: unknown;
}

/** Which image each text of a table's image column means. */
interface ImagesOfTable {
  /** Position of the image column in the file. */
  keyColumn: number;
  texts: readonly string[];
  /** Position of each text's image; −1 for ambiguous texts and those that mean something else. */
  imageOf: readonly number[];
  /**
   * Set if no title says that the column names images, but known images are among its texts: it may
   * lack some.
   */
  isMatched?: true;
}

/**
 * Metadata of an open result's images. Its tables have a column for each property. Images read
 * later, with more rows, join the end: an image's position is stable during the session.
 */
export class SessionImageColumns implements ImageStudy {
  private state: ImageColumns = NO_IMAGE_COLUMNS;
  private stored: StoredImages | undefined;
  private loading: Promise<void> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private readonly listed = new Map<TableKind, ImagesOfTable>();
  /** Names of the columns that the tables' files have. */
  private readonly namesOf = new Map<TableKind, string[]>();
  private readonly changed = new Emitter<{ columns: ImageColumns; by?: unknown }>();
  /** Whether all images that are known by anything are to be listed. */
  private isComplete = false;
  private areItemsKnown = false;
  /** The area of each image in mm², 0 for excluded ones; undefined until a measure needs it. */
  private areas: readonly number[] | undefined;
  /** Stored columns of tables that are converted to µm. */
  private readonly conversions = new Map<TableKind, Conversion>();
  private readonly resizing: Disposable;
  /** Whether somebody knows images by their positions, which then stay. */
  private wasTold = false;
  /**
   * The latest meanings of texts, and the number of images: thousands take tens of milliseconds,
   * and repeat often.
   */
  private readonly named = new Map<string, { images: number; imageOf: readonly number[] }>();

  /**
   * Columns that pages removed, latest first: undoing a removal lacks values of unlisted images.
   */
  private removed: readonly (RemovedColumn & { by: unknown })[] = [];

  private readonly following: Disposable;
  /** Watches other windows; undefined before the first read, and if it can't watch. */
  private watching: Promise<Disposable | undefined> | undefined;
  private isRefreshDue = false;

  constructor(private readonly parts: SessionImageColumnsDependencies) {
    this.following = parts.kept.onDidWrite(() => this.refresh());
    this.resizing = parts.areas.onDidSetPixelSizes(() => this.convertAgain());
  }

  /** `by`: the argument of the edit. */
  get onDidChange(): Event<{ columns: ImageColumns; by?: unknown }> {
    return this.changed.event;
  }

  /** Metadata so far, without waiting. */
  get known(): ImageColumns {
    return this.state;
  }

  /** Names that a new column can't have. */
  get taken(): string[] {
    return [...new Set([...[...this.namesOf.values()].flat(), ...SHEET_HEADERS])];
  }

  /** Whether it has masks, which tell how many pixels images have. */
  get mayHaveAreas(): boolean {
    const { jobIds, masksOnly, tables } = this.parts.source;
    return masksOnly === true || (jobIds !== undefined && !tables);
  }

  /**
   * Whether images without objects are known too, from the upload, the aggregate table or the
   * masks.
   */
  get areAllKnown(): boolean {
    const aggregate = this.listed.get('aggregate');
    const isListed = aggregate !== undefined && aggregate.isMatched !== true;
    return this.areItemsKnown || isListed || this.parts.masks() !== undefined;
  }

  /** Which images the texts of a table mean; undefined where it names none, or isn't listed yet. */
  imagesOf(kind: TableKind): ImagesOfTable | undefined {
    return this.listed.get(kind);
  }

  /**
   * Filters that exclude rows of excluded images from statistics, and the number of these images.
   */
  async counted(
    kind: TableKind,
    signal: AbortSignal,
  ): Promise<{ filters: Filter[]; excludedImages?: number }> {
    await this.parts.tables.open(kind, signal);
    const named = this.listed.get(kind);
    const excluded = new Set(this.state.excluded.map(({ image }) => image));
    if (!named || excluded.size === 0) return { filters: [] };
    const { keyColumn: column, texts, imageOf } = named;
    const values = texts.filter((_, at) => excluded.has(imageOf[at] ?? -1));
    return {
      filters: values.length > 0 ? [{ kind: 'values', column, values, exclude: true }] : [],
      excludedImages: excluded.size,
    };
  }

  /**
   * All images with metadata: of the tables read so far, of open masks, and submitted ones. With
   * `of`, it is for that table, and reads no larger one if the list is known without it. With
   * `whole`, waits until all rows of the tables are read: values by image name reach all images.
   */
  async all(
    signal: AbortSignal,
    { of, whole = false }: { of?: TableKind; whole?: boolean } = {},
  ): Promise<ImageColumns> {
    const summaries = await this.openTables({ of, whole }, signal);
    return this.inTurn(async () => {
      await this.load();
      if (await this.isChangedElsewhere()) await this.showChange(signal);
      for (const kind of this.kinds) {
        const summary = summaries.get(kind);
        if (summary && !this.listed.has(kind)) await this.list(kind, summary, signal);
      }
      this.isComplete = true;
      await this.addOthers();
      if (!this.wasTold) await this.sortByPath();
      this.wasTold = true;
      await this.study(signal);
      return this.state;
    });
  }

  /**
   * Finds out how large images are where a measure of a table is per mm²: by the files that were
   * uploaded from here, else by the masks. Throws `bad-request` with a reason where that isn't
   * known of each that isn't excluded, and what reading the masks throws.
   */
  async prepare(measures: readonly Measure[], of: TableKind, signal: AbortSignal): Promise<void> {
    if (!measures.some(measure => measure.kind === 'objectsPerImage' && measure.per === 'area')) return;
    if (!this.mayHaveAreas) throw withoutPixelSizes();
    await this.all(signal, { of });
    const items = await this.parts.areas.ofItems(signal);
    if (items && (await this.takeAreas(items, signal)) === undefined) return;
    let masks: MeasurableImages;
    try {
      masks = await this.parts.areas.ofMasks(signal);
    } catch (error) {
      throw isCoded(error, 'not-found') ? withoutPixelSizes() : error;
    }
    const missing = await this.takeAreas(masks, signal);
    if (missing !== undefined) throw withoutPixelSize(missing);
  }

  async rolesOf(kind: TableKind, signal: AbortSignal): Promise<{ condition: number[]; replicate: number[] }> {
    const images = await this.all(signal, { of: kind });
    const { columns } = await this.parts.tables.open(kind, signal);
    const ofRole = (role: ImageRole) => tableColumnsOfRole(columns, images, role);
    return { condition: ofRole('condition'), replicate: ofRole('replicate') };
  }

  async areasOf(kind: TableKind, signal: AbortSignal): Promise<ImageAreasByText | undefined> {
    try {
      await this.prepare([{ kind: 'objectsPerImage', per: 'area' }], kind, signal);
    } catch (error) {
      if (isCoded(error, 'bad-request')) return undefined;
      throw error;
    }
    const { keyColumn, texts, imageOf } = this.listed.get(kind) ?? { keyColumn: -1, texts: [], imageOf: [] };
    const areas = texts.map((_, at) => this.areas?.[imageOf[at] ?? -1] ?? 0);
    return keyColumn < 0 ? undefined : { column: keyColumn, texts: [...texts], areas };
  }

  /**
   * Gives a table a column that has the numbers of another one in µm or µm², by the pixel size of
   * each image; or takes it away, where `convert` is false. Resolves with the number of images
   * without a pixel size, whose cells are empty. Throws `bad-request` with a reason where none has
   * one, and what reading the masks throws.
   */
  async convert(
    kind: TableKind,
    { column, convert }: { column: string; convert: boolean },
    signal: AbortSignal,
  ): Promise<{ imagesWithout: number }> {
    if (convert && !this.mayHaveAreas) throw withoutPixelSizes();
    await this.all(signal, { of: kind, whole: true });
    const others = (this.conversions.get(kind)?.columns ?? []).filter(each => each !== column);
    const columns = convert ? [...others, column] : others;
    const { sizes, imagesWithout } = await this.pixelSizes(signal);
    // Of a table that doesn't name images, no row has a pixel size.
    const hasAny = this.listed.has(kind) && Object.keys(sizes).length > 0;
    if (convert && !hasAny) throw withoutPixelSizes();
    await this.setConversion(kind, { columns, sizes }, signal);
    return { imagesWithout };
  }

  /** Pixel sizes of images by path, if known; excluded images count too. */
  private async pixelSizes(
    signal: AbortSignal,
  ): Promise<{ sizes: Conversion['sizes']; imagesWithout: number }> {
    const { areas, masks } = this.parts;
    const found = new Map<string, string[]>();
    const take = async ({ paths, extentOf }: MeasurableImages) => {
      const positions = await this.inTurn(() => this.addNamed(paths));
      for (const at of paths.keys()) {
        const path = this.state.images[positions[at] ?? -1];
        if (path === undefined || found.has(path)) continue;
        const extent = await extentOf(at);
        if (extent)
          found.set(
            path,
            storedSize({ area: extent.area / extent.pixels, isSquare: extent.isOblong !== true }),
          );
      }
    };
    const items = await areas.ofItems(signal);
    if (items) await take(items);
    // Masks know the sizes that the user has set, and cost more.
    if (found.size < this.state.images.length || masks())
      await areas.ofMasks(signal).then(take, (error: unknown) => {
        if (!isCoded(error, 'not-found')) throw error;
      });
    return { sizes: Object.fromEntries(found), imagesWithout: this.state.images.length - found.size };
  }

  private async setConversion(kind: TableKind, conversion: Conversion, signal: AbortSignal): Promise<void> {
    await this.inTurn(async () => {
      const isNone = conversion.columns.length === 0;
      await this.parts.kept.setConversion?.(kind, isNone ? undefined : conversion);
      if (isNone) this.conversions.delete(kind);
      else this.conversions.set(kind, conversion);
      await this.extend(kind, signal);
    });
  }

  /** Pixels are of other sizes now: converted columns follow. */
  private convertAgain(): void {
    const { signal, log } = this.parts;
    for (const [kind, { columns }] of this.conversions)
      this.pixelSizes(signal)
        .then(({ sizes }) => this.setConversion(kind, { columns, sizes }, signal))
        .catch((error: unknown) => {
          if (!signal.aborted) log.info('Converting columns to other pixel sizes', error);
        });
  }

  /**
   * Whether the pixels of its images are known to be of different sizes: of those that were
   * uploaded from here, or are in open masks, and aren't excluded; one after the other up to the
   * first difference. Throws what reading the masks throws, `cancelled`.
   */
  async pixelSizesDiffer(of: TableKind, signal: AbortSignal): Promise<boolean> {
    if (!this.mayHaveAreas) return false;
    await this.all(signal, { of });
    const { areas, masks } = this.parts;
    const items = await areas.ofItems(signal);
    const ofItems = items && (await this.areUneven(items));
    // Masks cost more, and know the sizes that the user has set of images that are nowhere here.
    if (ofItems !== undefined || !masks()) return ofItems ?? false;
    return (await this.areUneven(await areas.ofMasks(signal))) ?? false;
  }

  /**
   * Applies edits, stores what they make and gives the tables their columns. `patterns` were
   * applied by them: images that are read later get their values. Where something else was stored
   * meanwhile, as by another window, edits are applied to that. Throws `bad-request` where it lacks
   * a column that they are about, or describes it otherwise. Throws what applyEdits throws, and
   * what storing throws; then nothing is changed.
   */
  async edit(
    edits: readonly ImageEdit[],
    patterns: readonly string[],
    signal: AbortSignal,
    { seen, by }: SeenColumns = {},
  ): Promise<EditedColumns> {
    return this.inTurn(async () => {
      await this.load();
      const { columns: before } = this.state;
      const isChanged = await this.isChangedElsewhere();
      try {
        const { columns: now } = this.state;
        const current = editsOfMoved(edits, seen ?? namesOf(before), namesOf(now), redescribed(before, now));
        if (!current)
          throw new CodedError('bad-request', 'The columns of images have been changed elsewhere', {
            reason: reason(
              'The columns were changed elsewhere and have been reloaded. Make your change again.',
            ),
          });
        const ownRemoved = this.removed.filter(each => each.by === by);
        const whole = await this.inSlices(withLaterValues(current, this.state.images, ownRemoved));
        const edited = applyEdits(this.state, whole, this.taken);
        const renamed = namesAfter(now, current);
        const known = this.stored && withRenamed(this.stored, renamed);
        const restored = await this.inSlices(withRestored(known, current, ownRemoved));
        const stored = await this.inSlices(storedOf(edited.columns, restored, patterns));
        await this.parts.kept.write(stored, renamed);
        const removed = this.stored ? removedColumns(this.stored, current) : [];
        this.removed = [...removed.map(each => ({ ...each, by })), ...this.removed].slice(0, MAX_REMOVED);
        this.stored = stored;
        this.state = edited.columns;
        // A view whose edits are based on earlier columns doesn't know the others.
        const isMore = isChanged || whole.some((edit, at) => edit !== current[at]);
        await this.showChange(signal, isMore ? undefined : by);
        return edited;
      } catch (error) {
        if (isChanged) await this.showChange(signal);
        throw error;
      }
    });
  }

  /**
   * Loads changes stored by other views of the result, or other windows. Free before the first
   * read.
   */
  refresh(): void {
    if (!this.loading || this.isRefreshDue) return;
    const { signal, log } = this.parts;
    // A written file may be reported several times.
    this.isRefreshDue = true;
    this.inTurn(async () => {
      this.isRefreshDue = false;
      await this.load();
      if (!signal.aborted && (await this.isChangedElsewhere())) await this.showChange(signal);
    }).catch((error: unknown) => {
      if (!signal.aborted) log.info('Reading what is known of images', error);
    });
  }

  /** A table is being opened: it gets its columns before anyone sees it. */
  async tableOpened(kind: TableKind, summary: TableSummary, signal: AbortSignal): Promise<void> {
    await this.inTurn(async () => {
      await this.load();
      await this.loadConversion(kind);
      this.listed.delete(kind);
      if (!this.stored && !this.isComplete && !this.conversions.has(kind)) return;
      const before = this.state;
      await this.list(kind, summary, signal);
      if (this.hasColumns(kind)) await this.extend(kind, signal);
      else await this.study(signal);
      if (this.state !== before) await this.matchAgain(signal);
      if (this.isComplete && this.state !== before) this.tell();
    }).catch((error: unknown) => this.parts.log.info('Reading what is known of images', error));
  }

  /** All rows of a table have been read: there may be more images. */
  tableRead(kind: TableKind, summary: TableSummary): void {
    if (!this.listed.has(kind)) return;
    const { signal, log } = this.parts;
    const known = this.listed.get(kind);
    this.inTurn(async () => {
      // It was opened again in the meantime, and is listed then.
      if (this.listed.get(kind) !== known) return;
      await this.list(kind, summary, signal);
      if (this.hasColumns(kind)) await this.extend(kind, signal);
      else await this.study(signal);
      await this.matchAgain(signal);
      this.tell();
    }).catch((error: unknown) => log.info('Reading which images a table names', error));
  }

  /** Masks were opened, or are linked otherwise: they may name images that no table does. */
  masksChanged(): void {
    if (!this.isComplete) return;
    this.inTurn(async () => {
      const before = this.state;
      await this.addNamed((this.parts.masks() ?? []).map(pathOfImage));
      await this.study(this.parts.signal);
      if (this.state !== before) this.tell();
    }).catch((error: unknown) => this.parts.log.info('Reading which images the masks name', error));
  }

  /** The engine crashed: tables are listed when they are opened again. */
  engineLost(): void {
    this.listed.clear();
  }

  dispose(): void {
    this.following.dispose();
    this.resizing.dispose();
    void this.watching?.then(each => each?.dispose());
    this.changed.dispose();
  }

  /**
   * Uses the sizes of images. Returns the first included image of unknown size; undefined for none.
   */
  private async takeAreas(
    { paths, extentOf }: MeasurableImages,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const positions = await this.inTurn(() => this.addNamed(paths));
    const found = new Map(this.state.excluded.map(({ image }) => [image, 0]));
    for (const [at, path] of paths.entries()) {
      const position = positions[at] ?? -1;
      if (position < 0 || found.has(position)) continue;
      const extent = await extentOf(at);
      // Looking for those of all others could take long, and wouldn't help.
      if (extent === undefined) return path;
      found.set(position, extent.area / SQUARE_MICRONS);
    }
    return this.inTurn(async () => {
      const { images } = this.state;
      const missing = images.find((_, position) => !found.has(position));
      if (missing !== undefined) return missing;
      this.areas = images.map((_, position) => found.get(position) ?? 0);
      await this.study(signal);
      return undefined;
    });
  }

  /** Whether pixel sizes differ; undefined if they seem equal and some are unknown. */
  private async areUneven({ paths, extentOf }: MeasurableImages): Promise<boolean | undefined> {
    const positions = await this.inTurn(() => this.addNamed(paths));
    const excluded = new Set(this.state.excluded.map(({ image }) => image));
    let first: number | undefined;
    let areAllKnown = true;
    for (const at of paths.keys()) {
      if (excluded.has(positions[at] ?? -1)) continue;
      const extent = await extentOf(at);
      if (!extent) {
        areAllKnown = false;
        continue;
      }
      const pixel = Math.sqrt(extent.area / extent.pixels);
      first ??= pixel;
      if (Math.abs(pixel / first - 1) > SAME_SIZE) return true;
    }
    return areAllKnown ? false : undefined;
  }

  /** The tables that name images. */
  private get kinds(): TableKind[] {
    const { jobIds, masksOnly, tables } = this.parts.source;
    if (tables || masksOnly) return ['objects'];
    return jobIds ? ['objects', 'aggregate'] : ['file'];
  }

  /**
   * Opens the tables that list images. Throws errors of opening `of`; other tables may be missing.
   */
  private async openTables(
    { of, whole }: { of: TableKind | undefined; whole: boolean },
    signal: AbortSignal,
  ): Promise<Map<TableKind, TableSummary>> {
    const { tables, log } = this.parts;
    const summaries = new Map<TableKind, TableSummary>();
    // That of objects last, as it may not be needed.
    const kinds = of === undefined ? this.kinds : [of, ...this.kinds.filter(kind => kind !== of)];
    for (const kind of kinds) {
      if (of === 'aggregate' && kind === 'objects' && !tables.isOpen(kind)) {
        const namesImages = findRowColumns(summaries.get('aggregate')?.columns ?? []).image !== undefined;
        if (namesImages || this.parts.masks() || (await this.items())) continue;
      }
      try {
        await tables.open(kind, signal);
        if (whole) await tables.whenRead(kind, signal);
        summaries.set(kind, await tables.open(kind, signal));
      } catch (error) {
        throwIfCanceled(signal);
        // A result may have one table and not the other; one that can't be read now only makes the
        // list shorter.
        const isNeeded = of === undefined ? !isCoded(error, 'not-found') : kind === of;
        if (isNeeded) throw error;
        log.info(`Reading which images the ${kind} table names`, error);
      }
    }
    return summaries;
  }

  /** The paths of the images that were submitted; undefined where they aren't all known. */
  private async items(): Promise<string[] | undefined> {
    const items = await this.parts.source.analyzedItems?.();
    this.areItemsKnown = items !== undefined;
    return items?.map(({ path }) => path).filter(path => path !== '');
  }

  private load(): Promise<void> {
    return (this.loading ??= this.parts.kept.read().then(
      stored => {
        this.stored = stored;
        this.state = withStored([], stored);
        this.watch();
      },
      (error: unknown) => {
        // It may be readable later; writing now would lose stored data.
        this.loading = undefined;
        throw error;
      },
    ));
  }

  /** Loads changes of other windows from now on. */
  private watch(): void {
    const { kept, log, signal } = this.parts;
    this.watching ??= kept
      .watch?.(() => this.refresh())
      .then(
        each => {
          if (signal.aborted) each.dispose();
          // Something may have been stored since it was read.
          else this.refresh();
          return each;
        },
        (error: unknown) => {
          log.info('Watching what is known of images', error);
          return undefined;
        },
      );
  }

  /** Whether another window, or another view of the file, has stored a change; loads it then. */
  private async isChangedElsewhere(): Promise<boolean> {
    const stored = await this.parts.kept.read();
    if (sameStored(stored, this.stored)) return false;
    this.stored = stored;
    this.state = await this.inSlices(withStoredInSteps(this.state.images, stored));
    return true;
  }

  private async showChange(signal: AbortSignal, by?: unknown): Promise<void> {
    await this.extendAll(signal);
    this.tell(by);
  }

  /** Reads which images a table names so far; new ones join those that are known. */
  private async list(kind: TableKind, { columns }: TableSummary, signal: AbortSignal): Promise<void> {
    const own = columns.filter(column => !isAdded(column));
    this.namesOf.set(
      kind,
      own.map(({ name }) => name),
    );
    const { image } = findRowColumns(columns);
    if (image === undefined) {
      const matched = kind === 'aggregate' && (await this.matchedColumn(own, signal));
      if (matched) this.listed.set(kind, matched);
      return;
    }
    const keyColumn = columns[image]?.index ?? image;
    const { texts } = await this.parts.request('tableTexts', { table: kind, column: keyColumn }, signal);
    // It may name two images alike that were submitted from different folders.
    if (kind === 'aggregate' && !this.listed.has('objects'))
      await this.addNamed(await this.inSlices(fullerPaths((await this.items()) ?? [], texts)));
    this.listed.set(kind, { keyColumn, texts, imageOf: await this.addNamed(texts) });
  }

  /**
   * The aggregate table's column that names at least half of the known images, if no title says so:
   * it may name groups of images too. Undefined without one.
   */
  private async matchedColumn(
    columns: TableSummary['columns'],
    signal: AbortSignal,
  ): Promise<ImagesOfTable | undefined> {
    await this.addOthers();
    if (this.state.images.length === 0) await this.addNamed(Object.keys(this.stored?.values ?? {}));
    let found: ImagesOfTable | undefined;
    let most = Math.max(1, this.state.images.length / 2);
    for (const { index } of columns.filter(({ kind }) => kind === 'text').slice(0, MAX_MATCHED)) {
      const { texts } = await this.parts.request('tableTexts', { table: 'aggregate', column: index }, signal);
      const imageOf = await this.matched(texts);
      const count = imageOf.filter(image => image >= 0).length;
      if (count < most) continue;
      found = { keyColumn: index, texts, imageOf, isMatched: true };
      most = count + 1;
    }
    return found;
  }

  private async matched(texts: readonly string[]): Promise<number[]> {
    const found = await this.inSlices(matchImages(texts, this.state.images));
    return found.map(image => (typeof image === 'number' ? image : -1));
  }

  /** More images are known: texts of a column found by known images may mean some of them. */
  private async matchAgain(signal: AbortSignal): Promise<void> {
    const aggregate = this.listed.get('aggregate');
    if (!aggregate?.isMatched) return;
    this.listed.set('aggregate', { ...aggregate, imageOf: await this.matched(aggregate.texts) });
    if (this.hasColumns('aggregate')) await this.extend('aggregate', signal);
    else await this.study(signal);
  }

  /** Adds images that no table need name: those of open masks, and submitted ones. */
  private async addOthers(): Promise<void> {
    await this.addNamed((this.parts.masks() ?? []).map(pathOfImage));
    await this.addNamed((await this.items()) ?? []);
  }

  /** Adds new images among texts. Returns each text's image, −1 if ambiguous. */
  private async addNamed(texts: readonly string[]): Promise<readonly number[]> {
    const key = texts.join('\0');
    const before = this.named.get(key);
    if (before?.images === this.state.images.length) return before.imageOf;
    const images = [...this.state.images];
    const places = new Map(images.map((path, at) => [path, at]));
    const left = texts.filter(text => !places.has(text));
    // An image whose exact path is among the texts is no other one's.
    const exact = new Set(texts);
    const open = images.flatMap((path, at) => (exact.has(path) ? [] : [at]));
    const openPaths = open.map(at => images[at] ?? '');
    const found = await this.inSlices(matchImages(left, openPaths));
    const meant = new Map<string, number>();
    const added = new Set<string>();
    left.forEach((text, at) => {
      const match = found[at];
      if (typeof match === 'number') meant.set(text, open[match] ?? -1);
      else if (match === 'ambiguous') meant.set(text, -1);
      else added.add(text);
    });
    // A table names them in the order in which they were done. Those that are listed keep their
    // places.
    for (const text of await this.inSlices(sortInSteps([...added], byPath.compare)))
      if (!meant.has(text)) meant.set(text, images.push(text) - 1);
    if (images.length > this.state.images.length)
      this.state = await this.inSlices(withStoredInSteps(images, this.stored));
    const imageOf = texts.map(text => places.get(text) ?? meant.get(text) ?? -1);
    if (this.named.size >= MAX_NAMED) this.named.clear();
    this.named.set(key, { images: images.length, imageOf });
    return imageOf;
  }

  /** Whether a table has columns that are in no file. */
  private hasColumns(kind: TableKind): boolean {
    return this.stored !== undefined || this.conversions.has(kind);
  }

  private async loadConversion(kind: TableKind): Promise<void> {
    if (this.conversions.has(kind)) return;
    try {
      const stored = await this.parts.kept.conversion?.(kind);
      if (stored) this.conversions.set(kind, stored);
    } catch (error) {
      // The table opens without them; the file's own are there.
      this.parts.log.info('Reading which columns are converted', error);
    }
  }

  private tell(by?: unknown): void {
    this.wasTold = true;
    this.changed.fire({ columns: this.state, by });
  }

  /** Lists the images by path, those that no table names among the others. */
  private async sortByPath(): Promise<void> {
    const { images } = this.state;
    const comparePaths = (a: number, b: number) => byPath.compare(images[a] ?? '', images[b] ?? '');
    const order = await this.inSlices(sortInSteps([...images.keys()], comparePaths));
    if (order.every((position, at) => position === at)) return;
    const placeOf = new Map(order.map((position, at) => [position, at]));
    const sorted = order.map(position => images[position] ?? '');
    this.state = await this.inSlices(withStoredInSteps(sorted, this.stored));
    for (const [kind, listed] of this.listed) {
      const imageOf = listed.imageOf.map(image => placeOf.get(image) ?? image);
      this.listed.set(kind, { ...listed, imageOf });
    }
    this.named.clear();
    this.areas = undefined;
  }

  private async extendAll(signal: AbortSignal): Promise<void> {
    for (const kind of this.listed.keys()) await this.extend(kind, signal);
  }

  private async extend(kind: TableKind, signal: AbortSignal): Promise<void> {
    const images = this.listed.get(kind);
    if (!images) return;
    const { keyColumn, texts, imageOf } = images;
    // A table that was opened later may have a column that is called as one of images.
    const names = [...(this.namesOf.get(kind) ?? [])];
    const columns = this.state.columns.map(({ name, values }) => {
      const free = imageColumnName(name, names);
      names.push(free);
      return { name: free, values: imageOf.map(image => values[image] ?? '') };
    });
    const conversion = this.conversions.get(kind);
    const converted =
      conversion &&
      (
        await this.inSlices(
          convertedColumns(conversion, {
            names: this.namesOf.get(kind) ?? [],
            images: this.state.images,
            imageOf,
          }),
        )
      ).map(each => {
        const free = imageColumnName(each.name, names);
        names.push(free);
        return { ...each, name: free };
      });
    const params = { table: kind, keyColumn, keys: texts, columns, ...(converted && { converted }) };
    this.parts.tables.extended(kind, await this.parts.request('extendTable', params, signal));
    await this.studyTable(kind, images, signal);
  }

  /** Sets the metadata for statistics by images, for each table that names images. */
  private async study(signal: AbortSignal): Promise<void> {
    for (const [kind, images] of this.listed) await this.studyTable(kind, images, signal);
  }

  private async studyTable(kind: TableKind, images: ImagesOfTable, signal: AbortSignal): Promise<void> {
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
    await this.parts.request('studyImages', params, signal);
  }

  /**
   * Yields to other work of the extension host between steps. Throws `cancelled` when the session
   * ends.
   */
  private inSlices<R>(steps: Steps<R>): Promise<R> {
    return runInSlices(steps, this.parts.signal);
  }

  /** One after the other: each begins with the result of the one before. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const working = this.turn.then(work);
    this.turn = working.catch(() => undefined);
    return working;
  }
}

function namesOf(columns: readonly ImageColumn[]): string[] {
  return columns.map(({ name }) => name);
}

/** The names of columns whose role, order or reference are others now. */
function redescribed(before: readonly ImageColumn[], now: readonly ImageColumn[]): Set<string> {
  const described = ({ values: _, ...description }: ImageColumn) => JSON.stringify(description);
  const known = new Map(before.map(column => [column.name, column]));
  return new Set(
    now.flatMap(column => {
      const same = known.get(column.name);
      return same && same !== column && described(same) !== described(column) ? [column.name] : [];
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

/** Paths, each replaced by a text that means the same image and has more folders. */
function* fullerPaths(paths: readonly string[], texts: readonly string[]): Steps<string[]> {
  const fuller = [...paths];
  yield* inSteps(yield* matchImages(texts, paths), (image, at) => {
    const text = texts[at] ?? '';
    if (typeof image === 'number' && pathParts(text).length > pathParts(paths[image] ?? '').length)
      fuller[image] = text;
  });
  return fuller;
}

export const sessionImageColumns = new PartKey<SessionImageColumns>('imageColumns');

const imageAreas = new PartKey<SizedImages & Disposable>('imageAreas');

/** Tells how large the images of a session are. */
type SizedImages = SessionImageColumnsDependencies['areas'];

/** A session's metadata of images, which its tables have as columns. `kept` stores it. */
export function imageColumnParts(
  kept: (source: ResultSource) => ImageColumnsStore,
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
        kept: kept(source),
        signal,
        log,
      }),
    );
    session.add(countedRows, { counted: (kind, until) => columns.counted(kind, until) });
    session.add(imageStudy, columns);
    session.add(imageCategories, {
      at: place => {
        const column = columns.known.columns[place];
        return column && orderedValues(column);
      },
    });
    tables.addColumns((kind, summary, each) => columns.tableOpened(kind, summary, each));
    tables.onDidRead(({ kind, summary }) => columns.tableRead(kind, summary));
    masks.onDidOpen(() => columns.masksChanged());
    masks.onDidSetPaths(() => columns.masksChanged());
  };
}
