import { DisposableStore, type Disposable } from '../../base/disposable';
import { isCoded, throwIfCancelled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { EngineHostSide, EngineSide } from '../../protocol/engineProtocol';
import type { LinkReport } from '../../protocol/linkEngine';
import type { ArchiveSummary } from '../../protocol/masksEngine';
import type { TableSummary } from '../../protocol/tableEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TableKind } from '../../protocol/tablePage';
import { SharedValues } from '../../results/sharedWork';
import { LinkedMark, type Counterparts } from './linkedMark';
import type { ResultSource, ResultWhat } from './resultSource';

/** An engine thread as a session needs it. */
export interface Engine extends Disposable {
  readonly endpoint: RpcEndpoint<EngineHostSide, EngineSide>;
  readonly onDidCrash: Event<Error>;
}

/** How far a part of the result is; `total` 0 when it is not known. */
export interface PartProgress {
  part: ResultWhat;
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
  private readonly store = new DisposableStore();
  private readonly lifetime = new AbortController();
  private readonly progressEmitter = this.store.add(new Emitter<PartProgress>());
  private readonly linkEmitter = this.store.add(new Emitter<LinkReport>());
  private readonly restartEmitter = this.store.add(new Emitter<void>());
  private readonly tables = new SharedValues<TableKind, TableSummary>();
  private readonly masks = new SharedValues<'masks', ArchiveSummary>();
  private engine: Engine | undefined;
  private crashes = 0;
  private crash: Error | undefined;
  private report: LinkReport | undefined;
  private linking: Promise<void> = Promise.resolve();
  private isLinking = false;
  private objectsOpen = false;
  private masksOpen = false;

  constructor(
    readonly source: ResultSource,
    private readonly startEngine: () => Engine,
    private readonly log: Log,
  ) {
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

  /** Downloads and opens a table, once; given up when everybody who waits has. */
  openTable(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    return this.tables.get(kind, shared => this.readTable(kind, shared), signal);
  }

  /** Downloads and opens the masks, once; the objects table follows quietly, to link its rows. */
  openMasks(signal: AbortSignal): Promise<ArchiveSummary> {
    return this.masks.get('masks', shared => this.readMasks(shared), signal);
  }

  /** Asks about a table, opening it first where a crash has closed it. */
  async askTable<M extends 'tableRows' | 'tablePosition'>(
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

  private async readTable(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    const path = await this.download(kind, signal);
    const summary = await this.request('openTable', { table: kind, path }, signal);
    if (kind === 'objects') {
      this.objectsOpen = true;
      if (this.masksOpen && !this.isLinking) this.linkLater();
    }
    return summary;
  }

  private async readMasks(signal: AbortSignal): Promise<ArchiveSummary> {
    const path = await this.download('masks', signal);
    const summary = await this.request('openMasks', { path }, signal);
    this.masksOpen = true;
    this.linkLater();
    return summary;
  }

  private async download(part: ResultWhat, signal: AbortSignal): Promise<string> {
    let last = 0;
    const path = await this.source.path(
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
      this.report = await this.request('linkRows', {}, signal);
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
      this.progressEmitter.fire({ part: name as ResultWhat, phase: 'reading', done, total }),
    );
    engine.onDidCrash(error => {
      this.log.error('An engine thread crashed', error);
      this.crash = error;
      this.crashes++;
      this.engine = undefined;
      this.objectsOpen = false;
      this.masksOpen = false;
      this.report = undefined;
      this.tables.clear();
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
