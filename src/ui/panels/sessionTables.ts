import { fromPlainError } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Disposable } from '../../base/disposable';
import { untilCancelled } from '../../base/untilCancelled';
import { grownTable } from '../../protocol/grownTable';
import type { TableGrowth, TableOptions, TableRequests, TableSummary } from '../../protocol/tableEngine';
import type { TableKind } from '../../protocol/tablePage';
import { SharedValues } from '../../results/sharedWork';

/** A table's files; more than one are opened as one table whose first column, `jobColumn`, says which it was. */
export interface TableFiles {
  files: { path: string; label: string }[];
  jobColumn: string;
}

export interface SessionTablesOptions {
  /** Paths on disk, downloaded first if need be. */
  files: (kind: TableKind, signal: AbortSignal) => Promise<TableFiles>;
  ask: <M extends 'openTable' | 'openTables'>(
    method: M,
    params: TableRequests[M]['params'],
    signal: AbortSignal,
  ) => Promise<TableSummary>;
  /** Memory for columns, in MB. */
  memory: () => number;
  onOpened: (kind: TableKind) => void;
}

/** The tables of one result in its engine thread: each opened once, usable while the rest of it is read. */
export class SessionTables implements Disposable {
  private readonly opened = new SharedValues<TableKind, TableSummary>();
  private readonly choices = new Map<TableKind, TableOptions>();
  private readonly latest = new Map<TableKind, TableSummary>();
  /** What was heard of a table before the answer that it is open. */
  private readonly early = new Map<string, TableGrowth>();
  private readonly growth = new Emitter<TableGrowth>();
  /** The opening of each table that counts; what is heard of one before is of no use. */
  private readonly openings = new Map<string, number>();
  private lastOpening = 0;
  /** Fires when the engine that tables were opened in is gone. */
  private engine = new AbortController();

  constructor(private readonly options: SessionTablesOptions) {}

  /** More rows were read, or reading ended. */
  get onDidGrow(): Event<TableGrowth> {
    return this.growth.event;
  }

  /** Downloads and opens a table, once; resolves with what is known of it now, perhaps while rows are still read. */
  async open(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    const first = await this.opened.get(kind, shared => this.read(kind, shared), signal);
    return this.latest.get(kind) ?? first;
  }

  /** Opens it anew, read as the user says. */
  reopen(kind: TableKind, choice: TableOptions, signal: AbortSignal): Promise<TableSummary> {
    this.choices.set(kind, choice);
    this.openings.delete(kind);
    this.opened.delete(kind);
    this.latest.delete(kind);
    return this.open(kind, signal);
  }

  /** Resolves once all rows of an open table have been read; rejects with what ended the reading early, or `cancelled`. */
  async whenRead(kind: TableKind, signal: AbortSignal): Promise<void> {
    if (!this.latest.get(kind)?.reading) return;
    let heard: Disposable | undefined;
    const read = new Promise<void>((resolve, reject) => {
      heard = this.growth.event(({ table, done, failure }) => {
        if (table !== kind || !done) return;
        if (failure) reject(fromPlainError(failure));
        else resolve();
      });
    });
    try {
      await untilCancelled(read, AbortSignal.any([signal, this.engine.signal]));
    } finally {
      heard?.dispose();
    }
  }

  /** The engine tells of rows that it has read. */
  grew(growth: TableGrowth): void {
    const kind = growth.table as TableKind;
    if (growth.opening !== undefined && growth.opening !== this.openings.get(kind)) return;
    const before = this.latest.get(kind);
    if (before) this.latest.set(kind, grownTable(before, growth));
    else this.early.set(growth.table, growth);
    this.growth.fire(growth);
  }

  /** The engine is gone, and all tables with it. */
  forget(): void {
    this.engine.abort();
    this.engine = new AbortController();
    this.opened.clear();
    this.latest.clear();
    this.early.clear();
  }

  dispose(): void {
    this.growth.dispose();
  }

  private async read(kind: TableKind, signal: AbortSignal): Promise<TableSummary> {
    const { files, jobColumn } = await this.options.files(kind, signal);
    const [only, ...others] = files;
    const opening = ++this.lastOpening;
    const options = { memory: this.options.memory(), progressive: true, opening, ...this.choices.get(kind) };
    this.openings.set(kind, opening);
    this.early.delete(kind);
    const summary =
      only && others.length === 0
        ? await this.options.ask('openTable', { table: kind, path: only.path, options }, signal)
        : await this.options.ask('openTables', { table: kind, files, jobColumn, options }, signal);
    this.latest.set(kind, summary);
    const early = this.early.get(kind);
    if (early && summary.reading) this.grew(early);
    this.options.onOpened(kind);
    return this.latest.get(kind) ?? summary;
  }
}
