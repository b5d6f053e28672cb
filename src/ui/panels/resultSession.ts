import { DisposableStore, type Disposable } from '../../base/disposable';
import { isCoded, throwIfCancelled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { EngineHostSide, EngineSide } from '../../protocol/engineProtocol';
import type { LinkReport } from '../../protocol/linkEngine';
import type { ArchiveSummary } from '../../formats/masksSummary';
import type { TableGrowth, TableOptions, TableRequests, TableSummary } from '../../protocol/tableEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { PickedRows, TableKind, TableShown } from '../../protocol/tablePage';
import { SharedValues } from '../../results/sharedWork';
import { LinkedMark, type Counterparts } from './linkedMark';
import type { ResultSource, ResultWhat } from './resultSource';
import { SessionTables, type TableFiles } from './sessionTables';

/** An engine thread as a session needs it. */
export interface Engine extends Disposable {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  readonly onDidCrash: Event<Error>;
}

/** How far a part of the result is; `total` 0 when it is not known. */
export interface PartProgress {
  part: ResultWhat | 'picture';
  phase: 'downloading' | 'reading';
  done: number;
  total: number;
}

/** Crashes after which a session stops starting threads until the user tries again. */
const MOST_CRASHES = 2;
/** Least time between two tellings of progress, in milliseconds. */
const PROGRESS_INTERVAL = 80;

/**
 * One result while a panel of it is open: its engine thread, the parts opened in it, how rows and objects are linked,
 * and what is pointed at and selected. Panels ask it; it knows none of them.
 */
export class ResultSession implements Disposable {
  readonly hovered: LinkedMark;
  readonly selected: LinkedMark;
  /** Classes hidden on the masks, by their position; and their colours, #rrggbb by name. For exports of what is shown. */
  hiddenClasses: readonly number[] = [];
  classColours: Readonly<Record<string, string>> = {};
  private readonly store = new DisposableStore();
  private readonly lifetime = new AbortController();
  private readonly progressEmitter = this.store.add(new Emitter<PartProgress>());
  private readonly linkEmitter = this.store.add(new Emitter<LinkReport>());
  private readonly restartEmitter = this.store.add(new Emitter<void>());
  private readonly shownEmitter = this.store.add(new Emitter<TableShown | null>());
  private readonly pickedEmitter = this.store.add(new Emitter<PickedRows>());
  private readonly tables: SessionTables;
  private readonly masks = new SharedValues<'masks', ArchiveSummary>();
  private engine: Engine | undefined;
  private crashes = 0;
  private crash: Error | undefined;
  private report: LinkReport | undefined;
  private linking: Promise<void> = Promise.resolve();
  private isLinking = false;
  private objectsOpen = false;
  private masksOpen = false;
  private shownRows: TableShown | null = null;
  private pickedRows: PickedRows | undefined;
  private linkColumns: { imageColumn?: number; idColumn?: number } = {};

  /** `tableMemory`: for columns of tables, in MB. */
  constructor(
    readonly source: ResultSource,
    private readonly startEngine: () => Engine,
    private readonly log: Log,
    tableMemory: () => number = () => 1024,
  ) {
    this.tables = this.store.add(
      new SessionTables({
        files: (kind, signal) => this.tableFiles(kind, signal),
        ask: (method, params, signal) => this.request(method, params, signal),
        memory: tableMemory,
        onOpened: kind => this.tableOpened(kind),
      }),
    );
    const counterparts: Counterparts = {
      objectOfRow: async row => (this.report ? (await this.request('objectOfRow', { row })).object : null),
      rowOfObject: async object => (this.report ? (await this.request('rowOfObject', object)).row : null),
    };
    const onError = (error: unknown) => this.quietly('Following a mark', error);
    this.hovered = this.store.add(new LinkedMark(counterparts, onError));
    this.selected = this.store.add(new LinkedMark(counterparts, onError));
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

  /** The engine crashed and what was open in it is gone; parts open again when they are asked for. */
  get onDidLoseEngine(): Event<void> {
    return this.restartEmitter.event;
  }

  /** More rows of a table were read, or reading ended. */
  get onDidGrow(): Event<TableGrowth> {
    return this.tables.onDidGrow;
  }

  /** Which rows of the objects table its filters let through; null for all. */
  get shown(): TableShown | null {
    return this.shownRows;
  }

  get onDidChangeShown(): Event<TableShown | null> {
    return this.shownEmitter.event;
  }

  /** Rows of the objects table chosen on the masks, the latest; the table makes a filter of them. */
  get picked(): PickedRows | undefined {
    return this.pickedRows;
  }

  get onDidPickRows(): Event<PickedRows> {
    return this.pickedEmitter.event;
  }

  /** Set by the objects table. */
  setShown(shown: TableShown | null): void {
    this.shownRows = shown;
    this.shownEmitter.fire(shown);
  }

  /** Set by the masks: file rows of the objects table. */
  async pickRows(rows: readonly number[], signal: AbortSignal): Promise<void> {
    const { buffer } = Uint32Array.from(rows);
    this.pickedRows = await this.askTable(
      'objects',
      'tableRowSet',
      { table: 'objects', rows: buffer },
      signal,
    );
    this.pickedEmitter.fire(this.pickedRows);
  }

  /** Downloads and opens a table, once; given up when everybody who waits has. Rows may still be read: see onDidGrow. */
  openTable(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    return this.tables.open(kind, signal);
  }

  /** Opens a table anew, read as the user says; what was linked is linked again. */
  reopenTable(kind: TableKind, options: TableOptions, signal: AbortSignal): Promise<TableSummary> {
    return this.tables.reopen(kind, options, signal);
  }

  /** Links rows and objects by columns that the user chose, by their position in the table. */
  async relink(columns: { imageColumn: number; idColumn: number }): Promise<LinkReport | undefined> {
    this.linkColumns = columns;
    await this.linkRows();
    return this.report;
  }

  /** Downloads and opens the masks, once; the objects table follows quietly, to link its rows. */
  openMasks(signal: AbortSignal): Promise<ArchiveSummary> {
    return this.masks.get('masks', shared => this.readMasks(shared), signal);
  }

  /** Asks about a table, opening it first where a crash has closed it. */
  async askTable<M extends keyof TableRequests>(
    kind: TableKind,
    method: M,
    params: EngineSide['requests'][M]['params'],
    signal: AbortSignal,
  ): Promise<EngineSide['requests'][M]['result']> {
    await this.openTable(kind, signal);
    return this.request(method, params, signal);
  }

  /** Asks about the masks or a picture, opening the masks first where a crash has closed them. */
  async askMasks<M extends keyof EngineSide['requests']>(
    method: M,
    params: EngineSide['requests'][M]['params'],
    signal: AbortSignal,
  ): Promise<EngineSide['requests'][M]['result']> {
    await this.openMasks(signal);
    return this.request(method, params, signal);
  }

  /** Resolves once rows and objects are linked, or will not be for now. */
  linkSettled(): Promise<void> {
    return this.linking;
  }

  /** The user tries again: crashes so far are forgiven. */
  forgive(): void {
    this.crashes = 0;
  }

  dispose(): void {
    this.lifetime.abort();
    this.engine?.dispose();
    this.engine = undefined;
    this.store.dispose();
  }

  private async tableFiles(kind: TableKind, signal: AbortSignal): Promise<TableFiles> {
    const joined = this.source.tables?.(kind);
    if (!joined) return { files: [{ path: await this.download(kind, signal), label: '' }], jobColumn: '' };
    const files: TableFiles['files'] = [];
    for (const { label, path } of joined.parts) {
      files.push({ label, path: await this.download(kind, signal, path) });
    }
    return { files, jobColumn: joined.jobColumn };
  }

  private tableOpened(kind: TableKind): void {
    if (kind !== 'objects') return;
    this.objectsOpen = true;
    if (this.masksOpen && !this.isLinking) this.linkLater();
  }

  private async readMasks(signal: AbortSignal): Promise<ArchiveSummary> {
    const path = await this.download('masks', signal);
    const summary = await this.request('openMasks', { path }, signal);
    this.masksOpen = true;
    this.linkLater();
    return summary;
  }

  private async download(
    part: ResultWhat,
    signal: AbortSignal,
    fetch: ResultSource['path'] = (...asked) => this.source.path(...asked),
  ): Promise<string> {
    let last = 0;
    const path = await fetch(
      part,
      (done, total = 0) => {
        const now = performance.now();
        if (now - last < PROGRESS_INTERVAL && done < total) return;
        last = now;
        this.progressEmitter.fire({ part, phase: 'downloading', done, total });
      },
      signal,
    );
    throwIfCancelled(signal);
    return path;
  }

  private linkLater(): void {
    const before = this.linking;
    this.linking = before
      .then(() => this.linkRows())
      .catch((error: unknown) => this.quietly('Linking rows', error));
  }

  /** Links rows and objects; without an objects table at hand, or when it fails, nothing is linked and nobody is bothered. */
  private async linkRows(): Promise<void> {
    const { signal } = this.lifetime;
    throwIfCancelled(signal);
    if (!this.masksOpen) return;
    this.isLinking = true;
    try {
      if (!this.objectsOpen) await this.openTable('objects', signal);
      await this.tables.whenRead('objects', signal);
      this.report = await this.request('linkRows', this.linkColumns, signal);
    } finally {
      this.isLinking = false;
    }
    this.linkEmitter.fire(this.report);
    await Promise.all([this.hovered.linked(), this.selected.linked()]);
  }

  private async request<M extends keyof EngineSide['requests']>(
    method: M,
    params: EngineSide['requests'][M]['params'],
    signal?: AbortSignal,
  ): Promise<EngineSide['requests'][M]['result']> {
    return this.runningEngine().endpoint.request(method, params, signal);
  }

  private runningEngine(): Engine {
    throwIfCancelled(this.lifetime.signal);
    if (this.engine) return this.engine;
    if (this.crashes > MOST_CRASHES && this.crash) throw this.crash;
    const engine = this.startEngine();
    this.engine = engine;
    engine.endpoint.on('progress', ({ name, done, total }) =>
      this.progressEmitter.fire({ part: name as PartProgress['part'], phase: 'reading', done, total }),
    );
    engine.endpoint.on('tableGrew', growth => this.tables.grew(growth));
    engine.onDidCrash(error => {
      this.log.error('An engine thread crashed', error);
      this.crash = error;
      this.crashes++;
      this.engine = undefined;
      this.objectsOpen = false;
      this.masksOpen = false;
      this.report = undefined;
      this.tables.forget();
      this.pickedRows = undefined;
      this.setShown(null);
      this.masks.clear();
      this.restartEmitter.fire();
    });
    return engine;
  }

  private quietly(what: string, error: unknown): void {
    if (this.lifetime.signal.aborted || isCoded(error, 'cancelled')) return;
    const reason = isCoded(error) ? `${error.code}: ${error.message}` : String(error);
    this.log.info(`${what}: ${reason}`);
  }
}
