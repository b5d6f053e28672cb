import type { Disposable } from '../../base/disposable';
import { canceledError, fromPlainError, isCoded, throwIfCanceled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { CachedValues } from '../../base/node/joinedWork';
import { untilCanceled } from '../../base/waiting';
import {
  grownTable,
  type TableChoice,
  type TableFormat,
  type TableGrowth,
  type TableSummary,
} from '../../columns/tableSummary';
import type { EngineRequests } from '../../protocol/engineRequests';
import type { TableKind } from '../../service/resultParts';
import type { EngineSide } from '../engineProtocol';
import { discardDamaged, openPart, type PartDownloads, type PartFile } from './openPart';
import type { ResultSource } from './resultSource';
import type { EngineRequest } from './sessionEngine';

/** All subjects' requests about one table, without the parameter that names it. */
type RequestsOfTable = {
  [M in keyof EngineRequests as EngineRequests[M]['params'] extends { table: string } ? M : never]: {
    params: Omit<EngineRequests[M]['params'], 'table'>;
    result: EngineRequests[M]['result'];
  };
};

/** A table's files; several open as one table whose first column, `jobColumn`, names the file. */
interface TableFiles {
  files: (PartFile & { label: string })[];
  jobColumn: string;
}

interface SessionTablesOptions {
  /** Gets files on disk; downloads them if needed. */
  files: (kind: TableKind, signal: AbortSignal) => Promise<TableFiles>;
  request: EngineRequest;
  /** Memory for columns, in MB. */
  memory: () => number;
}

/** Adds columns to a table that was just opened. */
type AddColumns = (kind: TableKind, summary: TableSummary, signal: AbortSignal) => Promise<void>;

/** A result's tables in its engine thread. Each is opened once, and usable while it is read. */
export class SessionTables implements Disposable {
  private readonly opened = new CachedValues<TableKind, TableSummary>();
  private readonly choices = new Map<TableKind, TableFormat>();
  /** The latest summary of each table, and the number of its opening. */
  private readonly latest = new Map<TableKind, { opening: number; summary: TableSummary }>();
  /** Growth of tables whose `openTable` request has no response yet. */
  private readonly earlyGrowth = new Map<string, TableGrowth>();
  private readonly growthEmitter = new Emitter<TableGrowth>();
  private readonly openedEmitter = new Emitter<TableKind>();
  private readonly readEmitter = new Emitter<{ kind: TableKind; summary: TableSummary }>();
  private readonly replacedEmitter = new Emitter<TableKind>();
  private readonly extendedEmitter = new Emitter<{ kind: TableKind; summary: TableSummary }>();
  /** The files from which each table was opened. */
  private readonly files = new Map<TableKind, readonly PartFile[]>();
  /** The latest opening of each table; events of earlier ones are ignored. */
  private readonly openings = new Map<string, number>();
  private lastOpening = 0;
  /** Aborts the replacement of a damaged table when the user reopens the table. */
  private readonly reopening = new Map<TableKind, AbortController>();
  /** Aborts when the engine is gone. */
  private engine = new AbortController();

  private readonly columnAdders: AddColumns[] = [];

  constructor(private readonly options: SessionTablesOptions) {}

  /** Adds a function that gives each table computed columns before it is shown. */
  addColumns(add: AddColumns): void {
    this.columnAdders.push(add);
  }

  /** Fires when a table was opened or reopened. */
  get onDidOpen(): Event<TableKind> {
    return this.openedEmitter.event;
  }

  /** Fires when all rows of a table have been read. */
  get onDidRead(): Event<{ kind: TableKind; summary: TableSummary }> {
    return this.readEmitter.event;
  }

  /** Fires when more rows were read, or reading ended. */
  get onDidGrow(): Event<TableGrowth> {
    return this.growthEmitter.event;
  }

  /**
   * Fires when a table was replaced: by another file, or because a damaged one was downloaded
   * again.
   */
  get onDidReplace(): Event<TableKind> {
    return this.replacedEmitter.event;
  }

  /** Fires when computed columns were added, removed or changed. */
  get onDidExtend(): Event<{ kind: TableKind; summary: TableSummary }> {
    return this.extendedEmitter.event;
  }

  /** Downloads and opens a table once. Resolves to its summary, maybe before all rows are read. */
  async open(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    const summary = await this.opened.get(kind, readSignal => this.read(kind, readSignal), signal);
    return this.latest.get(kind)?.summary ?? summary;
  }

  /** Whether a table is open, so that `open` resolves at once. */
  isOpen(kind: TableKind): boolean {
    return this.latestOf(kind) !== undefined;
  }

  /** Reopens a table with the user's format. */
  reopen(kind: TableKind, choice: TableFormat, signal: AbortSignal): Promise<TableSummary> {
    this.choices.set(kind, choice);
    this.forget(kind);
    return this.open(kind, signal);
  }

  /** Sends a request about a table, opening the table first if a crash has closed it. */
  async request<M extends keyof RequestsOfTable>(
    kind: TableKind,
    method: M,
    params: RequestsOfTable[M]['params'],
    signal: AbortSignal,
  ): Promise<RequestsOfTable[M]['result']> {
    await this.open(kind, signal);
    const tableParams = { ...params, table: kind } as unknown as EngineSide['requests'][M]['params'];
    return this.options.request(method, tableParams, signal);
  }

  /** Notes that the table has another file; its views reload. */
  change(kind: TableKind): void {
    this.choices.delete(kind);
    this.forget(kind);
    this.replacedEmitter.fire(kind);
  }

  /** Resolves once all rows are read; rejects with an error of reading, or `cancelled`. */
  async whenRead(kind: TableKind, signal: AbortSignal): Promise<void> {
    if (!this.latest.get(kind)?.summary.reading) return;
    let listener: Disposable | undefined;
    const read = new Promise<void>((resolve, reject) => {
      listener = this.growthEmitter.event(({ table, done, failure }) => {
        if (table !== kind || !done) return;
        if (failure) reject(fromPlainError(failure));
        else resolve();
      });
    });
    try {
      await untilCanceled(read, AbortSignal.any([signal, this.engine.signal]));
    } finally {
      listener?.dispose();
    }
  }

  /** Handles a change of an open table's computed columns. */
  extended(kind: TableKind, { columns }: TableSummary): void {
    const latest = this.latestOf(kind);
    if (!latest) return;
    const summary = { ...latest.summary, columns };
    this.latest.set(kind, { ...latest, summary });
    this.extendedEmitter.fire({ kind, summary });
  }

  /** Handles the engine's event that rows were read. */
  grew(growth: TableGrowth): void {
    const kind = growth.table as TableKind;
    if (growth.opening !== undefined && growth.opening !== this.openings.get(kind)) return;
    if (growth.failure?.code === 'damaged-table' && this.latestOf(kind)) void this.replace(kind, growth);
    else this.apply(kind, growth);
  }

  /** Handles a crash of the engine: its tables are gone. */
  engineLost(): void {
    this.engine.abort();
    this.engine = new AbortController();
    this.opened.clear();
    this.latest.clear();
    this.earlyGrowth.clear();
  }

  dispose(): void {
    this.engine.abort();
    for (const emitter of [
      this.growthEmitter,
      this.openedEmitter,
      this.readEmitter,
      this.replacedEmitter,
      this.extendedEmitter,
    ])
      emitter.dispose();
  }

  private forget(kind: TableKind): void {
    this.reopening.get(kind)?.abort();
    this.openings.delete(kind);
    this.opened.delete(kind);
    this.latest.delete(kind);
  }

  private apply(kind: TableKind, growth: TableGrowth): void {
    const latest = this.latestOf(kind);
    const summary = latest && grownTable(latest.summary, growth);
    if (summary) this.latest.set(kind, { ...latest, summary });
    else this.earlyGrowth.set(kind, growth);
    this.growthEmitter.fire(growth);
    if (summary && growth.done) this.readEmitter.fire({ kind, summary });
  }

  /** The latest summary of a table; undefined until its latest opening has a response. */
  private latestOf(kind: TableKind): { opening: number; summary: TableSummary } | undefined {
    const latest = this.latest.get(kind);
    return latest?.opening === this.openings.get(kind) ? latest : undefined;
  }

  /**
   * Removes a damaged file from the cache. If another download may help, opens the table from that.
   * If this fails too, the rows read so far stay, with the first failure, which tells more.
   */
  private async replace(kind: TableKind, growth: TableGrowth): Promise<void> {
    const opening = this.openings.get(kind);
    const reopening = new AbortController();
    this.reopening.set(kind, reopening);
    const signal = AbortSignal.any([this.engine.signal, reopening.signal]);
    try {
      if (growth.failure && (await this.discard(kind, fromPlainError(growth.failure)))) {
        const newFiles = await this.options.files(kind, signal);
        throwIfCanceled(signal);
        await this.openFiles(kind, newFiles, signal);
        this.replacedEmitter.fire(kind);
        return;
      }
    } catch (error) {
      await this.discard(kind, error).catch(() => undefined);
    }
    if (signal.aborted || opening === undefined) return;
    this.openings.set(kind, opening);
    this.apply(kind, growth);
  }

  private discard(kind: TableKind, error: unknown): Promise<boolean> {
    return discardDamaged(this.files.get(kind) ?? [], error);
  }

  private async read(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    return openPart({
      fetch: () => this.options.files(kind, signal),
      filesOf: ({ files }) => files,
      open: fetched => this.openFiles(kind, fetched, signal),
    });
  }

  private async openFiles(
    kind: TableKind,
    { files, jobColumn }: TableFiles,
    signal: AbortSignal,
  ): Promise<TableSummary> {
    const [first, ...others] = files;
    const labeled = files.map(({ path, label }) => ({ path, label }));
    const opening = ++this.lastOpening;
    const options = { memory: this.options.memory(), progressive: true, opening, ...this.choices.get(kind) };
    this.openings.set(kind, opening);
    this.files.set(kind, files);
    this.earlyGrowth.delete(kind);
    const summary =
      first && others.length === 0
        ? await this.options.request('openTable', { table: kind, path: first.path, options }, signal)
        : await this.options.request(
            'openTables',
            { table: kind, files: labeled, jobColumn, options },
            signal,
          );
    // The table was reopened in the meantime.
    if (this.openings.get(kind) !== opening) throw canceledError();
    this.latest.set(kind, { opening, summary });
    const earlyGrowth = this.earlyGrowth.get(kind);
    if (earlyGrowth && summary.reading) this.grew(earlyGrowth);
    this.openedEmitter.fire(kind);
    for (const add of this.columnAdders) await add(kind, this.latest.get(kind)?.summary ?? summary, signal);
    return this.latest.get(kind)?.summary ?? summary;
  }
}

/** The objects table for masks that have none: measured, or a file. */
export interface SubstituteTable {
  /** The choice, if it has been loaded. */
  readonly knownChoice: TableChoice | undefined;
  /** The user's choice; undefined before the user has chosen. */
  choice(): Promise<TableChoice | undefined>;
  /** Sets the user's choice; undefined removes it. */
  choose(choice: TableChoice | undefined): Promise<void>;
  /** The table's file; undefined before the user has chosen. */
  file(signal: AbortSignal): Promise<PartFile | undefined>;
}

interface TableSourcesDependencies {
  source: ResultSource;
  downloads: PartDownloads;
  /** The objects table for a result that has none. */
  measuredTable: Pick<SubstituteTable, 'choice' | 'knownChoice' | 'file'> | undefined;
}

/**
 * Finds the files of a result's tables: files of the result, files of several jobs, or the table
 * that the user chose in place of a missing one.
 */
export class TableSources {
  private isMissing = false;
  private usesMeasuredTable = false;

  constructor(private readonly dependencies: TableSourcesDependencies) {}

  /** Whether the result certainly has no objects table. */
  get lacksObjects(): boolean {
    return this.dependencies.source.masksOnly === true || this.isMissing;
  }

  /** Whether the objects table is the result's; certain once the table is open. */
  get hasObjects(): boolean {
    return !this.usesMeasuredTable;
  }

  /**
   * The user's choice, if it replaces the result's objects table; certain once the table is open.
   */
  get choice(): TableChoice | undefined {
    return this.usesMeasuredTable ? this.dependencies.measuredTable?.knownChoice : undefined;
  }

  /** Whether the user must choose a table in place of a missing one. */
  async needsChoice(): Promise<boolean> {
    return (
      this.lacksObjects &&
      this.dependencies.measuredTable !== undefined &&
      (await this.dependencies.measuredTable.choice()) === undefined
    );
  }

  /** Whether opening the objects table now would measure it. */
  async wouldMeasure(signal: AbortSignal): Promise<boolean> {
    const { measuredTable, downloads } = this.dependencies;
    if ((await measuredTable?.choice())?.kind !== 'measured') return false;
    return downloads.file('objects', signal).then(
      () => false,
      (error: unknown) => isCoded(error, 'not-found'),
    );
  }

  /** A table's files on disk; downloads or measures them if needed. Throws `not-found`. */
  async files(kind: TableKind, signal: AbortSignal): Promise<TableFiles> {
    const { source, downloads } = this.dependencies;
    const joined = source.tables?.(kind);
    if (!joined) {
      const file = kind === 'objects' ? await this.objects(signal) : await downloads.file(kind, signal);
      return { files: [{ ...file, label: '' }], jobColumn: '' };
    }
    const files: TableFiles['files'] = [];
    for (const part of joined.parts) {
      files.push({ ...(await downloads.file(kind, signal, part)), label: part.label });
    }
    return { files, jobColumn: joined.jobColumn };
  }

  /** The result's objects table, or the table in its place. */
  private async objects(signal: AbortSignal): Promise<PartFile> {
    const { measuredTable, downloads } = this.dependencies;
    try {
      const file = await downloads.file('objects', signal);
      this.usesMeasuredTable = false;
      this.isMissing = false;
      return file;
    } catch (error) {
      if (!isCoded(error, 'not-found')) throw error;
      this.isMissing = true;
      const measured = await measuredTable?.file(signal);
      if (!measured) throw error;
      this.usesMeasuredTable = true;
      return measured;
    }
  }
}
