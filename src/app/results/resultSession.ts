import type { TableKind, ResultPart } from '../../model/resultParts';
import type { TableFormat, TableGrowth, TableSummary } from '../../model/tableSummary';
import type { LinkReport } from '../../model/linkReport';
import type { TableChoice } from '../../model/tableChoice';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { isCoded, throwIfCanceled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { EngineHostSide, EngineSide } from '../../protocol/engineProtocol';
import type { ArchiveSummary } from '../../model/masksSummary';
import type { ImagesRead } from '../../protocol/masksRequests';
import type { BackgroundImageRequests } from '../../protocol/backgroundImageRequests';
import type { OneTableRequests } from '../../protocol/tableRequests';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { SelectedRows, TableShown } from '../../protocol/tablePage';
import { SharedValues } from '../../results/sharedWork';
import { imagesOfTable } from './imagesOfTable';
import { ImageOfRow } from './imageOfRow';
import { LinkedMark, type Counterparts } from './linkedMark';
import { openPart, type PartFile } from './openPart';
import type { OwnTable } from './ownTable';
import type { ResultSource } from './sources/resultSource';
import { SessionImages } from './sessionImages';
import { SessionTables, type TableFiles } from './sessionTables';

/** An engine thread as a session needs it. */
export interface Engine extends Disposable {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  readonly onDidCrash: Event<Error>;
}

export interface ResultSessionOptions {
  source: ResultSource;
  startEngine: () => Engine;
  log: Log;
  /** Memory for the columns of tables, in MB. */
  tableMemory: () => number;
  /** The table that is used where the result has masks but no table of its objects. */
  ownTable: (session: ResultSession) => OwnTable;
}

/** Other rows of the table are shown. A listener that needs time makes `setShown` wait for it. */
export interface ShownChange {
  waitUntil(promise: Promise<void>): void;
}

/** Masks, or what is known of them while they are read. */
export interface ShownMasks {
  summary: ArchiveSummary;
  isWhole: boolean;
}

/** How far a part of the result is; `total` 0 when it is not known. */
export interface PartProgress {
  part: ResultPart | 'backgroundImage';
  phase: 'downloading' | 'reading' | 'measuring';
  done: number;
  total: number;
}

/** Crashes after which a session stops starting threads until the user tries again. */
const MAX_CRASHES = 2;
/** Minimum interval between two progress events, in milliseconds. */
const PROGRESS_INTERVAL = 80;

/**
 * One result while a panel of it is open: its engine thread, the parts opened in it, how rows and objects are linked,
 * and what is hovered and selected. Panels use it; it knows none of them.
 */
export class ResultSession implements Disposable {
  readonly hovered: LinkedMark;
  readonly selected: LinkedMark;
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
  private readonly linkEmitter = this.store.add(new Emitter<LinkReport>());
  private readonly restartEmitter = this.store.add(new Emitter<void>());
  private readonly shownEmitter = this.store.add(new Emitter<ShownChange>());
  private readonly masksStartedEmitter = this.store.add(new Emitter<ArchiveSummary>());
  private readonly imagesReadEmitter = this.store.add(new Emitter<ImagesRead>());
  private readonly rowsEmitter = this.store.add(new Emitter<SelectedRows>());
  private readonly tables: SessionTables;
  private readonly ownTable: OwnTable;
  private readonly masks = new SharedValues<'masks', ArchiveSummary>();
  private engine: Engine | undefined;
  private crashes = 0;
  private crash: Error | undefined;
  private report: LinkReport | undefined;
  private linking: Promise<void> = Promise.resolve();
  private isLinking = false;
  private objectsOpen = false;
  private usesOwnTable = false;
  private tableMissing = false;
  private masksOpen = false;
  private aggregateOpen = false;
  private archived: ArchiveSummary['images'] | undefined;
  /** The summary of a large archive while it is read. */
  private masksSoFar: ArchiveSummary | undefined;
  /** Reads of the masks under way; a canceled one may end after the next has begun. */
  private masksReads = 0;
  private shownRows: TableShown | null = null;
  private latestRows: SelectedRows | undefined;
  private linkColumns: { imageColumn?: number; idColumn?: number } = {};

  constructor(private readonly options: ResultSessionOptions) {
    this.tables = this.store.add(
      new SessionTables({
        files: (kind, signal) => this.tableFiles(kind, signal),
        request: (method, params, signal) => this.request(method, params, signal),
        memory: options.tableMemory,
        onOpened: kind => this.tableOpened(kind),
      }),
    );
    this.ownTable = this.store.add(options.ownTable(this));
    this.images = this.store.add(
      new SessionImages({
        path: async signal => (await this.download('image', signal)).path,
        request: (method, params, signal) => this.request(method, params, signal),
      }),
    );
    const counterparts: Counterparts = {
      objectOfRow: async row => (this.report ? (await this.request('objectOfRow', { row })).object : null),
      rowOfObject: async object => (this.report ? (await this.request('rowOfObject', object)).row : null),
    };
    const onError = (error: unknown) => this.logUnlessCanceled('Following a mark', error);
    this.hovered = this.store.add(new LinkedMark(counterparts, onError));
    this.selected = this.store.add(new LinkedMark(counterparts, onError));
    const { signal } = this.lifetime;
    this.imageOfRow = this.store.add(
      new ImageOfRow({
        images: () => (this.masksOpen ? this.archived : undefined),
        columns: async () => (await this.openTable('aggregate', signal)).columns,
        cell: async (row, column) => {
          const params = { sort: [], start: row, end: row + 1, columns: [column] };
          return (await this.requestTable('aggregate', 'tableRows', params, signal)).rows[0]?.[0] ?? '';
        },
        onError,
      }),
    );
  }

  get source(): ResultSource {
    return this.options.source;
  }

  /** Where the objects table comes from, if it isn't one of the result; known once the table is open. */
  get tableChoice(): TableChoice | undefined {
    return this.usesOwnTable ? this.ownTable.knownChoice : undefined;
  }

  get link(): LinkReport | undefined {
    return this.report;
  }

  get onDidProgress(): Event<PartProgress> {
    return this.progressEmitter.event;
  }

  get onDidLink(): Event<LinkReport> {
    return this.linkEmitter.event;
  }

  /** The engine crashed and what was open in it is gone; parts open again when they are requested. */
  get onDidLoseEngine(): Event<void> {
    return this.restartEmitter.event;
  }

  /** More rows of a table were read, or reading ended. */
  get onDidGrow(): Event<TableGrowth> {
    return this.tables.onDidGrow;
  }

  /** A table proved damaged while it was read, and was opened from another download: its rows may be others. */
  get onDidReplaceTable(): Event<TableKind> {
    return this.tables.onDidReplace;
  }

  /** Which rows of the objects table its filters let through; null for all. */
  get shown(): TableShown | null {
    return this.shownRows;
  }

  /** Other rows are shown, not only in another order. */
  get onDidChangeShown(): Event<ShownChange> {
    return this.shownEmitter.event;
  }

  /** Rows of the objects table last selected on the masks; the table makes a filter of them. */
  get selectedRows(): SelectedRows | undefined {
    return this.latestRows;
  }

  get onDidSelectRows(): Event<SelectedRows> {
    return this.rowsEmitter.event;
  }

  /** Set by the objects table. Resolves when all listeners have handled the change. */
  async setShown(shown: TableShown | null): Promise<void> {
    const isSame = sameRows(shown, this.shownRows);
    this.shownRows = shown;
    if (isSame) return;
    const handled: Promise<void>[] = [];
    this.shownEmitter.fire({ waitUntil: promise => handled.push(promise) });
    await Promise.all(handled);
  }

  /** Set by the masks: file rows of the objects table. */
  async selectRows(rows: Uint32Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    this.latestRows = await this.requestTable('objects', 'tableRowSet', { rows: rows.buffer }, signal);
    this.rowsEmitter.fire(this.latestRows);
  }

  /** Downloads and opens a table, once; canceled when all who wait for it have canceled. Rows may still be read: see onDidGrow. */
  openTable(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    return this.tables.open(kind, signal);
  }

  /** Reopens a table with the user's format; links are restored. */
  reopenTable(kind: TableKind, format: TableFormat, signal: AbortSignal): Promise<TableSummary> {
    return this.tables.reopen(kind, format, signal);
  }

  /** Whether the result is known to have no table of its objects. */
  get lacksTable(): boolean {
    return this.source.masksOnly === true || this.tableMissing;
  }

  /** Whether the user has yet to choose a table in place of the one that is missing. */
  async needsTable(): Promise<boolean> {
    return this.lacksTable && (await this.ownTable.choice()) === undefined;
  }

  /**
   * Opens what the user chose as the objects table of masks that come without one; views of another one load again. When
   * that fails, what was chosen before holds.
   */
  async chooseTable(choice: TableChoice, signal: AbortSignal): Promise<void> {
    const before = await this.ownTable.choice();
    await this.changeTable(choice);
    try {
      await this.openTable('objects', signal);
    } catch (error) {
      await this.changeTable(before);
      throw error;
    }
  }

  /** Links rows and objects by columns that the user chose, by their position in the table. */
  async relink(columns: { imageColumn: number; idColumn: number }): Promise<LinkReport | undefined> {
    this.linkColumns = columns;
    await this.linkRows();
    return this.report;
  }

  /** Downloads and opens the masks, once; the objects table is opened afterwards, to link its rows. */
  openMasks(signal: AbortSignal): Promise<ArchiveSummary> {
    return this.masks.get('masks', shared => this.readMasks(shared), signal);
  }

  /** As openMasks, but resolves early for a large archive, with what is known of it while it is being read. */
  async showMasks(signal: AbortSignal): Promise<ShownMasks> {
    const all = this.openMasks(signal).then(summary => ({ summary, isWhole: true }));
    if (this.masksSoFar) {
      all.catch(() => undefined);
      return { summary: this.masksSoFar, isWhole: false };
    }
    let listening: Disposable | undefined;
    const started = new Promise<ShownMasks>(resolve => {
      listening = this.masksStartedEmitter.event(summary => resolve({ summary, isWhole: false }));
    });
    try {
      return await Promise.race([all, started]);
    } finally {
      listening?.dispose();
    }
  }

  /** More images of the masks were read. */
  get onDidReadImages(): Event<ImagesRead> {
    return this.imagesReadEmitter.event;
  }

  /** As requestMasks, but also while the masks are being read. */
  async requestShownMasks<M extends keyof EngineSide['requests']>(
    method: M,
    params: EngineSide['requests'][M]['params'],
    signal: AbortSignal,
  ): Promise<EngineSide['requests'][M]['result']> {
    // Without openMasks, so that reading stops once all who wait for the whole archive have canceled.
    if (!this.masksSoFar) await this.showMasks(signal);
    return this.request(method, params, signal);
  }

  /** Sends a request about a table to the engine, opening the table first where a crash has closed it. */
  async requestTable<M extends keyof OneTableRequests>(
    kind: TableKind,
    method: M,
    params: OneTableRequests[M]['params'],
    signal: AbortSignal,
  ): Promise<OneTableRequests[M]['result']> {
    await this.openTable(kind, signal);
    const named = { ...params, table: kind } as unknown as EngineSide['requests'][M]['params'];
    return this.request(method, named, signal);
  }

  /** Sends a request about the masks or a background image to the engine, opening the masks first where a crash has closed them. */
  async requestMasks<M extends keyof EngineSide['requests']>(
    method: M,
    params: EngineSide['requests'][M]['params'],
    signal: AbortSignal,
  ): Promise<EngineSide['requests'][M]['result']> {
    await this.openMasks(signal);
    return this.request(method, params, signal);
  }

  /** Sends a request about an open image of an image file to the engine. */
  requestImage<M extends keyof BackgroundImageRequests>(
    method: M,
    params: BackgroundImageRequests[M]['params'],
    signal: AbortSignal,
  ): Promise<BackgroundImageRequests[M]['result']> {
    return this.request(method, params, signal);
  }

  /** Resolves once rows and objects are linked, or will not be for now. */
  linkSettled(): Promise<void> {
    return this.linking;
  }

  /** The user retries: earlier crashes no longer count. */
  resetCrashes(): void {
    this.crashes = 0;
  }

  dispose(): void {
    this.lifetime.abort();
    this.engine?.dispose();
    this.engine = undefined;
    this.store.dispose();
  }

  private async changeTable(choice: TableChoice | undefined): Promise<void> {
    await this.ownTable.choose(choice);
    this.objectsOpen = false;
    this.report = undefined;
    this.linkColumns = {};
    this.latestRows = undefined;
    void this.setShown(null);
    this.tables.change('objects');
  }

  private async tableFiles(kind: TableKind, signal: AbortSignal): Promise<TableFiles> {
    const joined = this.source.tables?.(kind);
    if (!joined) {
      const file = kind === 'objects' ? await this.objectsFile(signal) : await this.download(kind, signal);
      return { files: [{ ...file, label: '' }], jobColumn: '' };
    }
    const files: TableFiles['files'] = [];
    for (const part of joined.parts) {
      files.push({ ...(await this.download(kind, signal, part)), label: part.label });
    }
    return { files, jobColumn: joined.jobColumn };
  }

  /** Tells the source how many objects there are, once all rows are read. */
  private countObjects(): void {
    const { source, lifetime } = this;
    if (!source.objectsCounted || this.usesOwnTable) return;
    this.tables
      .whenRead('objects', lifetime.signal)
      .then(() => this.tables.open('objects', lifetime.signal))
      .then(({ rowCount, failure }) => failure === undefined && source.objectsCounted?.(rowCount))
      .catch((error: unknown) => this.logUnlessCanceled('Counting the objects', error));
  }

  /** The result's own table of objects; where it has none, the one that is used in its place. */
  private async objectsFile(signal: AbortSignal): Promise<PartFile> {
    try {
      const file = await this.download('objects', signal);
      this.usesOwnTable = false;
      this.tableMissing = false;
      return file;
    } catch (error) {
      if (!isCoded(error, 'not-found')) throw error;
      this.tableMissing = true;
      const own = await this.ownTable.file(signal);
      if (!own) throw error;
      this.usesOwnTable = true;
      return own;
    }
  }

  /** Tells the source which images the results name, once both the aggregate table and the masks are open. */
  private readImages(): void {
    const { archived, source } = this;
    if (!archived || !this.aggregateOpen || !source.imagesRead) return;
    this.imagesOfAggregate()
      .then(aggregate => aggregate && source.imagesRead?.({ aggregate, archive: archived }))
      .catch((error: unknown) => this.logUnlessCanceled('Reading which images the results name', error));
  }

  private async imagesOfAggregate(): Promise<string[] | undefined> {
    const { signal } = this.lifetime;
    await this.tables.whenRead('aggregate', signal);
    const summary = await this.tables.open('aggregate', signal);
    return imagesOfTable(summary, range =>
      this.request('tableRows', { table: 'aggregate', sort: [], ...range }, signal),
    );
  }

  private tableOpened(kind: TableKind): void {
    if (kind === 'aggregate') {
      this.aggregateOpen = true;
      this.readImages();
    }
    if (kind !== 'objects') return;
    this.objectsOpen = true;
    this.countObjects();
    if (this.masksOpen && !this.isLinking) this.linkLater();
  }

  private async readMasks(signal: AbortSignal): Promise<ArchiveSummary> {
    const mayBeEmpty = this.source.accountId !== undefined;
    this.masksReads++;
    const summary = await openPart({
      fetch: () => this.download('masks', signal),
      filesOf: file => [file],
      open: ({ path }) => this.request('openMasks', { path, mayBeEmpty }, signal),
    }).finally(() => {
      this.masksReads--;
      this.masksSoFar = undefined;
    });
    this.masksOpen = true;
    if (summary.resultId !== undefined) this.source.masksOpened?.(summary.resultId);
    this.archived = summary.images;
    this.readImages();
    this.linkLater();
    return summary;
  }

  private async download(
    part: ResultPart,
    signal: AbortSignal,
    source: Pick<ResultSource, 'path' | 'discard'> = this.source,
  ): Promise<PartFile> {
    let last = 0;
    const path = await source.path(
      part,
      (done, total = 0) => {
        const now = performance.now();
        if (now - last < PROGRESS_INTERVAL && done < total) return;
        last = now;
        this.progressEmitter.fire({ part, phase: 'downloading', done, total });
      },
      signal,
    );
    throwIfCanceled(signal);
    return { path, discard: source.discard && (async () => source.discard?.(part) ?? false) };
  }

  private linkLater(): void {
    const before = this.linking;
    this.linking = before
      .then(() => this.linkRows())
      .catch((error: unknown) => this.logUnlessCanceled('Linking rows', error));
  }

  /** Links rows and objects; without an objects table nothing is linked, and failures are only logged. */
  private async linkRows(): Promise<void> {
    const { signal } = this.lifetime;
    throwIfCanceled(signal);
    if (!this.masksOpen) return;
    this.isLinking = true;
    try {
      if (!this.objectsOpen) {
        // Opening masks doesn't measure them: that is done when the table is wanted.
        if (await this.wouldMeasure(signal)) return;
        await this.openTable('objects', signal);
      }
      await this.tables.whenRead('objects', signal);
      this.report = await this.request('linkRows', this.linkColumns, signal);
    } finally {
      this.isLinking = false;
    }
    this.linkEmitter.fire(this.report);
    await Promise.all([this.hovered.linked(), this.selected.linked()]);
  }

  /** Whether opening the objects table now would measure it. */
  private async wouldMeasure(signal: AbortSignal): Promise<boolean> {
    if ((await this.ownTable.choice())?.kind !== 'measured') return false;
    return this.download('objects', signal).then(
      () => false,
      (error: unknown) => isCoded(error, 'not-found'),
    );
  }

  private async request<M extends keyof EngineSide['requests']>(
    method: M,
    params: EngineSide['requests'][M]['params'],
    signal?: AbortSignal,
  ): Promise<EngineSide['requests'][M]['result']> {
    return this.runningEngine().endpoint.request(method, params, signal);
  }

  private runningEngine(): Engine {
    throwIfCanceled(this.lifetime.signal);
    if (this.engine) return this.engine;
    if (this.crashes > MAX_CRASHES && this.crash) throw this.crash;
    const engine = this.options.startEngine();
    this.engine = engine;
    engine.endpoint.on('progress', ({ what, name, done, total }) => {
      const phase = what === 'measured' ? 'measuring' : 'reading';
      this.progressEmitter.fire({ part: name as PartProgress['part'], phase, done, total });
    });
    engine.endpoint.on('masksStarted', summary => {
      // Sent before the thread received a cancel.
      if (this.masksReads === 0) return;
      this.masksSoFar = summary;
      this.masksStartedEmitter.fire(summary);
    });
    engine.endpoint.on('imagesRead', read => {
      for (const image of read.images) if (this.masksSoFar) this.masksSoFar.images[image.index] = image;
      this.imagesReadEmitter.fire(read);
    });
    engine.endpoint.on('tableGrowth', growth => this.tables.grew(growth));
    engine.onDidCrash(error => {
      this.options.log.error('An engine thread crashed', error);
      this.crash = error;
      this.crashes++;
      this.engine = undefined;
      this.objectsOpen = false;
      this.masksOpen = false;
      this.masksSoFar = undefined;
      this.report = undefined;
      this.tables.engineLost();
      this.latestRows = undefined;
      void this.setShown(null);
      this.masks.clear();
      this.restartEmitter.fire();
      this.images.engineLost();
    });
    return engine;
  }

  private logUnlessCanceled(what: string, error: unknown): void {
    if (this.lifetime.signal.aborted || isCoded(error, 'cancelled')) return;
    const reason = isCoded(error) ? `${error.code}: ${error.message}` : String(error);
    this.options.log.info(`${what}: ${reason}`);
  }
}

function sameRows(a: TableShown | null, b: TableShown | null): boolean {
  if (!a || !b) return a === b;
  const of = ({ view, rowCount, total }: TableShown) =>
    JSON.stringify([view.filters ?? [], view.upTo, rowCount, total]);
  return of(a) === of(b);
}
