import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import { type PartKey, Parts } from '../../base/parts';
import type { TableChoice } from '../../columns/tableSummary';
import type { Engine } from '../engineProtocol';
import { SessionImages } from './imageFileResult';
import { PartDownloads } from './openPart';
import type { ResultSource } from './resultSource';
import { type EngineRequest, type PartProgress, SessionEngine, SessionLog } from './sessionEngine';
import { SessionMasks } from './sessionMasks';
import { type SubstituteTable, SessionTables, TableSources } from './sessionTables';

/** A subject's part of an open result. It listens to events of tables and masks. */
interface SessionPart extends Partial<Disposable> {
  /** Handles a crash of the engine: nothing is open in it any more. */
  engineLost?(): void;
  /** Handles another file as the objects table, which isn't open yet. */
  objectsReplaced?(): void;
}

/** Adds a subject's parts to a new session. Later subjects see the parts of earlier ones. */
export type AddSessionParts = (session: ResultSession) => void;

export interface ResultSessionOptions {
  source: ResultSource;
  startEngine: () => Engine;
  log: Log;
  /** Memory for the columns of tables, in MB. */
  tableMemory: () => number;
  /** The table in place of a missing objects table; absent without that subject. */
  measuredTable?: ((session: ResultSession) => SubstituteTable & Disposable) | undefined;
  /** Functions that add the subjects' parts. */
  addParts: readonly AddSessionParts[];
}

/**
 * An open result: its engine thread, tables, masks, and the parts that subjects add. Panels use it,
 * but it knows no panels.
 */
export class ResultSession implements Disposable {
  readonly tables: SessionTables;
  /** The files from which the tables are opened. */
  readonly tableSources: TableSources;
  readonly masks: SessionMasks;
  /** The images, if the source is an image file. */
  readonly images: SessionImages;
  /** Sends a request to the engine without opening anything first. */
  readonly request: EngineRequest;
  /** Logs failures that no caller waits for. */
  readonly log: SessionLog;
  private readonly store = new DisposableStore();
  private readonly parts = this.store.add(new Parts());
  private readonly lifetime = new AbortController();
  private readonly progressEmitter = this.store.add(new Emitter<PartProgress>());
  private readonly engineLostEmitter = this.store.add(new Emitter<void>());
  private readonly engine: SessionEngine;
  private readonly measuredTable: SubstituteTable | undefined;
  private readonly addedParts: SessionPart[] = [];

  constructor(private readonly options: ResultSessionOptions) {
    const { source, startEngine, tableMemory, measuredTable, addParts } = options;
    const onProgress = (progress: PartProgress) => this.progressEmitter.fire(progress);
    this.log = new SessionLog(options.log, this.lifetime.signal);
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
    this.request = request;
    const downloads = new PartDownloads(source, onProgress);
    this.measuredTable = measuredTable && this.store.add(measuredTable(this));
    this.tableSources = new TableSources({ source, downloads, measuredTable: this.measuredTable });
    this.tables = this.store.add(
      new SessionTables({
        files: (kind, signal) => this.tableSources.files(kind, signal),
        request,
        memory: tableMemory,
      }),
    );
    this.masks = this.store.add(
      new SessionMasks({
        file: signal => downloads.file('masks', signal),
        request,
        mayBeEmpty: source.accountId !== undefined,
      }),
    );
    this.images = this.store.add(
      new SessionImages({ path: async signal => (await downloads.file('image', signal)).path, request }),
    );
    this.masks.onDidOpen(({ resultId }) => {
      if (resultId !== undefined) source.masksOpened?.(resultId);
    });
    for (const add of addParts) add(this);
  }

  get source(): ResultSource {
    return this.options.source;
  }

  /** Aborts when the session ends. */
  get signal(): AbortSignal {
    return this.lifetime.signal;
  }

  get onDidProgress(): Event<PartProgress> {
    return this.progressEmitter.event;
  }

  /** Fires when the engine has crashed. Parts open again on their next request. */
  get onDidLoseEngine(): Event<void> {
    return this.engineLostEmitter.event;
  }

  /** A subject's part of the session. Throws a TypeError without that subject. */
  get<T>(key: PartKey<T>): T {
    return this.parts.get(key);
  }

  /** Like `get`, but undefined without that subject. */
  find<T>(key: PartKey<T>): T | undefined {
    return this.parts.find(key);
  }

  /** Adds a subject's part; it is disposed when the session ends. */
  add<T extends object>(key: PartKey<T>, part: T): T {
    this.addedParts.push(part);
    return this.parts.add(key, part);
  }

  /** Forgets earlier crashes, because the user retries. */
  resetCrashes(): void {
    this.engine.resetCrashes();
  }

  /**
   * Opens the table that the user chose for masks without one; views of the table reload. If
   * opening fails, restores the earlier choice.
   */
  async chooseTable(choice: TableChoice, signal: AbortSignal): Promise<void> {
    const earlierChoice = await this.measuredTable?.choice();
    await this.changeTable(choice);
    try {
      await this.tables.open('objects', signal);
    } catch (error) {
      await this.changeTable(earlierChoice);
      throw error;
    }
  }

  /** Notes that the source has another file as its objects table. */
  replaceObjects(): void {
    for (const part of this.addedParts) part.objectsReplaced?.();
    this.tables.change('objects');
  }

  dispose(): void {
    this.lifetime.abort();
    // Dispose the engine first, so that pending requests reject while there are listeners.
    this.engine.dispose();
    this.store.dispose();
  }

  private async changeTable(choice: TableChoice | undefined): Promise<void> {
    await this.measuredTable?.choose(choice);
    this.replaceObjects();
  }

  private engineLost(): void {
    this.masks.engineLost();
    this.tables.engineLost();
    for (const part of this.addedParts) part.engineLost?.();
    this.engineLostEmitter.fire();
    this.images.engineLost();
  }
}
