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

/** All requests about one table, whichever subject adds them, without its name. */
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
  /** Paths on disk, downloaded first if need be. */
  files: (kind: TableKind, signal: AbortSignal) => Promise<TableFiles>;
  request: EngineRequest;
  /** Memory for columns, in MB. */
  memory: () => number;
}

/** Adds columns to a table that was just opened. */
type BeforeShown = (kind: TableKind, summary: TableSummary, signal: AbortSignal) => Promise<void>;

/** A result's tables in its engine thread: each opened once, usable while still being read. */
export class SessionTables implements Disposable {
  private readonly opened = new CachedValues<TableKind, TableSummary>();
  private readonly choices = new Map<TableKind, TableFormat>();
  /** The facts of each table so far, and the opening they belong to. */
  private readonly latest = new Map<TableKind, { opening: number; summary: TableSummary }>();
  /** Growth of tables whose `openTable` request has no response yet. */
  private readonly early = new Map<string, TableGrowth>();
  private readonly growth = new Emitter<TableGrowth>();
  private readonly openedEmitter = new Emitter<TableKind>();
  private readonly readEmitter = new Emitter<{ kind: TableKind; summary: TableSummary }>();
  private readonly replaced = new Emitter<TableKind>();
  private readonly changed = new Emitter<{ kind: TableKind; summary: TableSummary }>();
  /** What each table was opened from. */
  private readonly files = new Map<TableKind, readonly PartFile[]>();
  /** The latest opening of each table; events of earlier ones are ignored. */
  private readonly openings = new Map<string, number>();
  private lastOpening = 0;
  /** The user reopens a table: a damaged one is no longer replaced. */
  private readonly reopening = new Map<TableKind, AbortController>();
  /** Fires when the engine that tables were opened in is gone. */
  private engine = new AbortController();

  private readonly beforeShown: BeforeShown[] = [];

  constructor(private readonly options: SessionTablesOptions) {}

  /** Gives each table computed columns before it is shown: those of subjects, in their order. */
  addColumns(before: BeforeShown): void {
    this.beforeShown.push(before);
  }

  /** A table was opened, perhaps again. */
  get onDidOpen(): Event<TableKind> {
    return this.openedEmitter.event;
  }

  /** All rows of a table have been read. */
  get onDidRead(): Event<{ kind: TableKind; summary: TableSummary }> {
    return this.readEmitter.event;
  }

  /** More rows were read, or reading ended. */
  get onDidGrow(): Event<TableGrowth> {
    return this.growth.event;
  }

  /** A damaged table was downloaded and opened again while being read: its rows may differ. */
  get onDidReplace(): Event<TableKind> {
    return this.replaced.event;
  }

  /** Columns that are in no file have been added, taken away, or have other values. */
  get onDidExtend(): Event<{ kind: TableKind; summary: TableSummary }> {
    return this.changed.event;
  }

  /** Downloads and opens a table once; resolves with its summary, perhaps while still read. */
  async open(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    const first = await this.opened.get(kind, shared => this.read(kind, shared), signal);
    return this.latest.get(kind)?.summary ?? first;
  }

  /** Whether a table is open: its facts then cost nothing more. */
  isOpen(kind: TableKind): boolean {
    return this.latestOf(kind) !== undefined;
  }

  /** Reopens it with the user's format. */
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
    const named = { ...params, table: kind } as unknown as EngineSide['requests'][M]['params'];
    return this.options.request(method, named, signal);
  }

  /** The table is another file from now on: it is opened from that, and its views load again. */
  change(kind: TableKind): void {
    this.choices.delete(kind);
    this.forget(kind);
    this.replaced.fire(kind);
  }

  /** Resolves once all rows are read; rejects with what ended the reading early, or `cancelled`. */
  async whenRead(kind: TableKind, signal: AbortSignal): Promise<void> {
    if (!this.latest.get(kind)?.summary.reading) return;
    let listener: Disposable | undefined;
    const read = new Promise<void>((resolve, reject) => {
      listener = this.growth.event(({ table, done, failure }) => {
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

  /** The engine has given an open table other columns. */
  extended(kind: TableKind, { columns }: TableSummary): void {
    const before = this.latestOf(kind);
    if (!before) return;
    const summary = { ...before.summary, columns };
    this.latest.set(kind, { ...before, summary });
    this.changed.fire({ kind, summary });
  }

  /** Handles the engine's event that rows were read. */
  grew(growth: TableGrowth): void {
    const kind = growth.table as TableKind;
    if (growth.opening !== undefined && growth.opening !== this.openings.get(kind)) return;
    if (growth.failure?.code === 'damaged-table' && this.latestOf(kind)) void this.replace(kind, growth);
    else this.apply(kind, growth);
  }

  /** The engine crashed, and its tables are gone. */
  engineLost(): void {
    this.engine.abort();
    this.engine = new AbortController();
    this.opened.clear();
    this.latest.clear();
    this.early.clear();
  }

  dispose(): void {
    this.engine.abort();
    for (const emitter of [this.growth, this.openedEmitter, this.readEmitter, this.replaced, this.changed])
      emitter.dispose();
  }

  private forget(kind: TableKind): void {
    this.reopening.get(kind)?.abort();
    this.openings.delete(kind);
    this.opened.delete(kind);
    this.latest.delete(kind);
  }

  private apply(kind: TableKind, growth: TableGrowth): void {
    const before = this.latestOf(kind);
    const summary = before && grownTable(before.summary, growth);
    if (summary) this.latest.set(kind, { ...before, summary });
    else this.early.set(kind, growth);
    this.growth.fire(growth);
    if (summary && growth.done) this.readEmitter.fire({ kind, summary });
  }

  /** The facts of a table; undefined until its latest opening has a response. */
  private latestOf(kind: TableKind): { opening: number; summary: TableSummary } | undefined {
    const latest = this.latest.get(kind);
    return latest?.opening === this.openings.get(kind) ? latest : undefined;
  }

  /**
   * A damaged file leaves the cache, as on opening, and where another download may help, the table
   * is opened from that. Where it doesn't, the rows read so far remain with the failure that ended
   * them, which says more than that of the replacement.
   */
  private async replace(kind: TableKind, growth: TableGrowth): Promise<void> {
    const opening = this.openings.get(kind);
    const reopening = new AbortController();
    this.reopening.set(kind, reopening);
    const signal = AbortSignal.any([this.engine.signal, reopening.signal]);
    try {
      if (growth.failure && (await this.discard(kind, fromPlainError(growth.failure)))) {
        const fetched = await this.options.files(kind, signal);
        throwIfCanceled(signal);
        await this.openFiles(kind, fetched, signal);
        this.replaced.fire(kind);
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
    const [only, ...others] = files;
    const labeled = files.map(({ path, label }) => ({ path, label }));
    const opening = ++this.lastOpening;
    const options = { memory: this.options.memory(), progressive: true, opening, ...this.choices.get(kind) };
    this.openings.set(kind, opening);
    this.files.set(kind, files);
    this.early.delete(kind);
    const summary =
      only && others.length === 0
        ? await this.options.request('openTable', { table: kind, path: only.path, options }, signal)
        : await this.options.request(
            'openTables',
            { table: kind, files: labeled, jobColumn, options },
            signal,
          );
    // It was reopened in the meantime.
    if (this.openings.get(kind) !== opening) throw canceledError();
    this.latest.set(kind, { opening, summary });
    const early = this.early.get(kind);
    if (early && summary.reading) this.grew(early);
    this.openedEmitter.fire(kind);
    for (const add of this.beforeShown) await add(kind, this.latest.get(kind)?.summary ?? summary, signal);
    return this.latest.get(kind)?.summary ?? summary;
  }
}

/** The objects table of masks that come without one. */
export interface ObjectsTableInstead {
  /** The choice, if it is known without waiting. */
  readonly knownChoice: TableChoice | undefined;
  /** What is chosen; undefined before the user has chosen. */
  choice(): Promise<TableChoice | undefined>;
  /** The user chooses; undefined takes the choice back. */
  choose(choice: TableChoice | undefined): Promise<void>;
  /** The table's file; undefined before the user has chosen. */
  file(signal: AbortSignal): Promise<PartFile | undefined>;
}

interface TableSourcesDependencies {
  source: ResultSource;
  downloads: PartDownloads;
  /** The table of objects that is used where the result has none. */
  measuredTable: Pick<ObjectsTableInstead, 'choice' | 'knownChoice' | 'file'> | undefined;
}

/**
 * Which files a result's tables come from: its own, several jobs', or the user's choice for a
 * missing one.
 */
export class TableSources {
  private isMissing = false;
  private usesOwn = false;

  constructor(private readonly dependencies: TableSourcesDependencies) {}

  /** Whether the result is known to have no table of its objects. */
  get lacksObjects(): boolean {
    return this.dependencies.source.masksOnly === true || this.isMissing;
  }

  /** Whether the objects table is that of the result; known once it is open. */
  get hasObjects(): boolean {
    return !this.usesOwn;
  }

  /** Where the objects table comes from, if it isn't one of the result; known once it is open. */
  get choice(): TableChoice | undefined {
    return this.usesOwn ? this.dependencies.measuredTable?.knownChoice : undefined;
  }

  /** Whether the user has yet to choose a table in place of the one that is missing. */
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

  /** A table's files on disk, downloaded or measured if need be. Throws `not-found`. */
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

  /** The result's own table of objects; where it has none, the one that is used in its place. */
  private async objects(signal: AbortSignal): Promise<PartFile> {
    const { measuredTable, downloads } = this.dependencies;
    try {
      const file = await downloads.file('objects', signal);
      this.usesOwn = false;
      this.isMissing = false;
      return file;
    } catch (error) {
      if (!isCoded(error, 'not-found')) throw error;
      this.isMissing = true;
      const measured = await measuredTable?.file(signal);
      if (!measured) throw error;
      this.usesOwn = true;
      return measured;
    }
  }
}
