import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { TableChoice } from '../../columns/tableSummary';
import type { ImageRequests, SheetToJoin } from '../../conditions/imageRequests';
import type { JoinedSheet } from '../../conditions/sampleSheet';
import type { ImageExtent } from '../../images/backgroundImageInfo';
import { type ArchiveSummary, distinctNames, pathOfImage } from '../../masks/masksSummary';
import type { ImageLink, KeptImageLinks, MasksInSmall, ShownImageLinks } from '../../masks/rowLinks';
import type { TableKind } from '../../service/resultParts';
import type { Engine } from '../engineProtocol';
import { ContentsReport } from './contentsReport';
import { SessionImages } from './imageFileResult';
import { PartDownloads } from './openPart';
import type { ImageAreas } from './imageAreas';
import type { OwnTable } from './ownTable';
import type { ResultSource } from './resultSource';
import { type PartProgress, SessionEngine, SessionLog } from './sessionEngine';
import { type KeptFilters, shownAgain } from './keptFilters';
import type { KeptImages } from './keptImages';
import { SessionImageColumns } from './sessionImageColumns';
import { KnownImages, SessionLinks } from './sessionLinks';
import { SessionMasks } from './sessionMasks';
import { SessionTables, TableSources } from './sessionTables';
import { ImageOfRow, SharedRows } from './sharedRows';

/** Pixels of the longer side of masks beside which a person is asked. */
const LINK_THUMBNAIL = 96;

export interface ResultSessionOptions {
  source: ResultSource;
  startEngine: () => Engine;
  log: Log;
  /** Memory for the columns of tables, in MB. */
  tableMemory: () => number;
  /** The table that is used where the result has masks but no table of its objects. */
  ownTable: (session: ResultSession) => OwnTable;
  /** How large its images are. */
  imageAreas: (
    session: ResultSession,
  ) => Pick<ImageAreas, 'ofItems' | 'ofMasks' | 'onDidSetPixelSizes' | 'dispose'>;
  /** Where a person's links of images are kept. */
  keptLinks: (source: ResultSource) => KeptImageLinks;
  /** Where what is known of its images is kept. */
  keptImages: (source: ResultSource) => KeptImages;
}

/**
 * One result while a panel of it is open: makes its parts (engine thread, tables, masks, links between rows and objects),
 * has each hear of what concerns it, and owns them. Panels use it; it knows none of them.
 */
export class ResultSession implements Disposable {
  readonly tables: SessionTables;
  /** Which files the tables are opened from. */
  readonly tableSources: TableSources;
  readonly masks: SessionMasks;
  readonly links: SessionLinks;
  /** What is known of its images, as columns of its tables. */
  readonly imageColumns: SessionImageColumns;
  readonly rows = new SharedRows();
  /** The image of the row that is selected in the aggregate table. */
  readonly imageOfRow: ImageOfRow;
  /** Where the source is an image file. */
  readonly images: SessionImages;
  /** Classes hidden on the masks, by their position; and their colors, #rrggbb by name. For exports of what is shown. */
  hiddenClasses: readonly number[] = [];
  classColors: Readonly<Record<string, string>> = {};
  private readonly store = new DisposableStore();
  private readonly lifetime = new AbortController();
  private readonly progressEmitter = this.store.add(new Emitter<PartProgress>());
  private readonly engineLostEmitter = this.store.add(new Emitter<void>());
  private readonly engine: SessionEngine;
  private readonly ownTable: OwnTable;
  private readonly imageLinks: KnownImages;
  private readonly contents: ContentsReport;

  constructor(private readonly options: ResultSessionOptions) {
    const { source, startEngine, tableMemory, ownTable } = options;
    const { signal } = this.lifetime;
    const onProgress = (progress: PartProgress) => this.progressEmitter.fire(progress);
    const log = new SessionLog(options.log, signal);
    this.engine = new SessionEngine({
      startEngine: source.engine ?? startEngine,
      onProgress,
      onMasksStarted: masks => this.masks.started(masks),
      onImagesRead: read => this.masks.imagesRead(read),
      onTableGrowth: growth => this.tables.grew(growth),
      onCrash: () => this.engineLost(),
      log: options.log,
    });
    const { request } = this.engine;
    const downloads = new PartDownloads(source, onProgress);
    this.store.add(this.rows);
    this.ownTable = this.store.add(ownTable(this));
    this.tableSources = new TableSources({ source, downloads, ownTable: this.ownTable });
    this.tables = this.store.add(
      new SessionTables({
        files: (kind, each) => this.tableSources.files(kind, each),
        request,
        memory: tableMemory,
        onOpened: kind => this.tableOpened(kind),
        onOpening: (kind, summary, each) => this.imageColumns.tableOpened(kind, summary, each),
        onRead: (kind, summary) => this.imageColumns.tableRead(kind, summary),
      }),
    );
    this.masks = this.store.add(
      new SessionMasks({
        file: each => downloads.file('masks', each),
        request,
        mayBeEmpty: source.accountId !== undefined,
        onOpened: masks => this.masksOpened(masks),
      }),
    );
    const areas = this.store.add(options.imageAreas(this));
    this.imageColumns = this.store.add(
      new SessionImageColumns({
        source,
        tables: this.tables,
        masks: () => this.masks.images,
        areas,
        request,
        kept: options.keptImages(source),
        signal,
        log,
      }),
    );
    this.images = this.store.add(
      new SessionImages({ path: async each => (await downloads.file('image', each)).path, request }),
    );
    this.imageLinks = new KnownImages({
      items: async () => source.analyzedItems?.(),
      kept: options.keptLinks(source),
    });
    this.links = this.store.add(
      new SessionLinks({
        areMasksOpen: () => this.masks.images !== undefined || source.engine !== undefined,
        wouldMeasure: each => this.tableSources.wouldMeasure(each),
        openTable: each => this.tables.open('objects', each),
        whenTableRead: each => this.tables.whenRead('objects', each),
        request,
        images: this.imageLinks,
        onPaths: paths => {
          this.masks.setPaths(paths);
          this.imageColumns.masksChanged();
          this.imageOfRow.linked();
        },
        signal,
        log,
      }),
    );
    this.contents = new ContentsReport({
      source,
      tables: this.tables,
      linkSettled: () => this.links.settled(),
      request,
      signal,
      log,
    });
    this.imageOfRow = this.store.add(
      new ImageOfRow({
        images: () => this.masks.images,
        linkSettled: () => this.links.settled(),
        columns: async () => (await this.tables.open('aggregate', signal)).columns,
        cell: async (row, column) => {
          const params = { sort: [], start: row, end: row + 1, columns: [column] };
          return (await this.tables.request('aggregate', 'tableRows', params, signal)).rows[0]?.[0] ?? '';
        },
        onError: error => log.info('Following a mark', error),
      }),
    );
  }

  get source(): ResultSource {
    return this.options.source;
  }

  get onDidProgress(): Event<PartProgress> {
    return this.progressEmitter.event;
  }

  /** The engine crashed and what was open in it is gone; parts open again when they are requested. */
  get onDidLoseEngine(): Event<void> {
    return this.engineLostEmitter.event;
  }

  /** The user retries: earlier crashes no longer count. */
  resetCrashes(): void {
    this.engine.resetCrashes();
  }

  /**
   * Opens what the user chose as the objects table of masks that come without one; views of another one load again. When
   * that fails, what was chosen before holds.
   */
  async chooseTable(choice: TableChoice, signal: AbortSignal): Promise<void> {
    const before = await this.ownTable.choice();
    await this.changeTable(choice);
    try {
      await this.tables.open('objects', signal);
    } catch (error) {
      await this.changeTable(before);
      throw error;
    }
  }

  /** The objects table is another file from now on, which the source tells. */
  replaceObjects(): void {
    this.links.tableChanged();
    this.rows.reset();
    this.tables.change('objects');
  }

  /** The paths of images whose names others have too, as far as rows are linked. */
  get imagePaths(): { image: number; path: string }[] {
    return (this.masks.images ?? []).flatMap(({ index, path }) =>
      path === undefined ? [] : [{ image: index, path }],
    );
  }

  /** The images that can't be told apart, and what a person has linked. Throws `bad-request` where no masks are open. */
  async openImages(signal: AbortSignal): Promise<ShownImageLinks> {
    await this.links.settled();
    const { images } = await this.masks.open(signal);
    const { groups, isCut } = await this.engine.request('openImages', {}, signal);
    const names = distinctNames(images.map(pathOfImage));
    const indexOf = new Map(images.map(({ id, index }) => [id, index]));
    return {
      groups: groups.map(({ images: open, paths }) => ({
        images: open.map(each => ({
          ...each,
          id: images[each.image]?.id ?? '',
          name: names[each.image] ?? '',
        })),
        paths,
      })),
      isCut,
      byHand: this.imageLinks.byHand.flatMap(({ image, path }) => {
        const index = indexOf.get(image);
        return index === undefined ? [] : [{ image, name: names[index] ?? '', path }];
      }),
    };
  }

  /** Links images to paths of the table by a person's word, or undoes that, and keeps it with the result. */
  async linkImages(links: readonly ImageLink[], signal: AbortSignal): Promise<ShownImageLinks> {
    await this.imageLinks.change(links);
    await this.links.linkAgain();
    return this.openImages(signal);
  }

  /** Reads a sample sheet in the engine and joins it with images. */
  joinSheet(sheet: SheetToJoin, signal: AbortSignal): Promise<JoinedSheet> {
    return this.engine.request('joinSheet', sheet, signal);
  }

  /** How large the images in files are, by their headers. */
  async imageExtents(paths: readonly string[], signal: AbortSignal): Promise<(ImageExtent | null)[]> {
    return (await this.engine.request('imageExtents', { paths }, signal)).extents;
  }

  /** Writes a sample sheet. */
  writeSheet(
    sheet: ImageRequests['writeSheet']['params'],
    signal: AbortSignal,
  ): Promise<ImageRequests['writeSheet']['result']> {
    return this.engine.request('writeSheet', sheet, signal);
  }

  /** The masks of an image that a person is asked about, in small. */
  async maskThumbnail(image: number, signal: AbortSignal): Promise<MasksInSmall> {
    const { width, height, labels } = await this.masks.request(
      'thumbnail',
      { image, size: LINK_THUMBNAIL },
      signal,
    );
    return { width, height, labels };
  }

  /** Set by the masks: file rows of the objects table. */
  async selectRows(rows: Uint32Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    this.rows.select(await this.tables.request('objects', 'tableRowSet', { rows: rows.buffer }, signal));
  }

  /** Has the masks follow the filters that the table had before its page was gone. Throws what shownAgain does. */
  restoreFilters(kept: KeptFilters): Promise<void> {
    const { signal } = this.lifetime;
    return this.rows.restore(async () => {
      // What shows first is read first; a failure is shown where the masks are.
      await this.masks.open(signal).catch(() => undefined);
      return shownAgain(this.tables, kept, signal);
    });
  }

  dispose(): void {
    this.lifetime.abort();
    // Not with the others: what is pending rejects first, while someone is there to hear of it.
    this.engine.dispose();
    this.store.dispose();
  }

  private tableOpened(kind: TableKind): void {
    if (kind === 'aggregate') this.contents.aggregateOpened();
    if (kind !== 'objects') return;
    if (this.tableSources.hasObjects) this.contents.objectsOpened();
    this.links.tableOpened();
  }

  private masksOpened(masks: ArchiveSummary): void {
    if (masks.resultId !== undefined) this.source.masksOpened?.(masks.resultId);
    this.contents.masksOpened(masks);
    this.links.masksOpened();
    this.imageColumns.masksChanged();
  }

  private async changeTable(choice: TableChoice | undefined): Promise<void> {
    await this.ownTable.choose(choice);
    this.replaceObjects();
  }

  private engineLost(): void {
    this.links.engineLost();
    this.masks.engineLost();
    this.tables.engineLost();
    this.imageColumns.engineLost();
    this.rows.reset();
    this.engineLostEmitter.fire();
    this.images.engineLost();
  }
}
