import { CodedError, cancelledError, isCoded, toPlainError } from '../base/errors';
import type { TableGrowth, TableOptions, TableSummary } from '../protocol/tableEngine';
import { JoinedTable } from '../results/table/joinedTable';
import { openTable, startTable, type ReadOptions } from '../results/table/readTable';
import type { ScanHelper } from '../results/table/scanHelper';
import { Table } from '../results/table/table';
import { TableView } from '../results/table/tableView';
import type { ProgressOf } from './progress';

const MEGABYTE = 1024 * 1024;
const DEFAULT_MEMORY = 1024;
/** Least time between two tellings of growth, in milliseconds. */
const GROWTH_INTERVAL = 50;

/** What the tables of an engine need from it. */
export interface TableHost {
  progress: ProgressOf;
  /** Hears of each table that is opened, or opened anew, once all of it has been read. */
  onOpened(table: string): void;
  grew(growth: TableGrowth): void;
  /** Starts a second thread that scans large files; absent where there are no threads. */
  startHelper?: () => ScanHelper;
}

interface OpenTable {
  table: Table | JoinedTable;
  view: TableView;
  budget: number;
  /** Ends the reading that is under way. */
  reading: AbortController;
  /** Settles when all rows have been read; never rejects. */
  read: Promise<void>;
}

/** The tables that are open, by name. */
export class OpenTables {
  private readonly tables = new Map<string, OpenTable>();

  constructor(private readonly host: TableHost) {}

  async open(name: string, path: string, options: TableOptions, signal: AbortSignal): Promise<TableSummary> {
    if (options.progressive === true) return this.openProgressively(name, path, options, signal);
    const read = this.readOptions(options);
    const table = await openTable(path, signal, this.host.progress('table', name), read);
    return this.keep(name, table, read.budget);
  }

  /** Several files as one table, see JoinedTable. */
  async openAll(
    name: string,
    files: readonly { path: string; label: string }[],
    labelColumn: string,
    options: TableOptions,
    signal: AbortSignal,
  ): Promise<TableSummary> {
    if (files.length === 0) throw new CodedError('bad-request', 'There is no file to open');
    const read = this.readOptions(options);
    const each = { ...read, budget: read.budget / files.length };
    const parts: { table: Table; label: string }[] = [];
    const tell = this.host.progress('table', name);
    try {
      for (const [at, { path, label }] of files.entries()) {
        const progress = (done: number, total: number) =>
          tell(at + (total > 0 ? done / total : 1), files.length);
        parts.push({ table: await openTable(path, signal, progress, each), label });
      }
    } catch (error) {
      for (const { table } of parts) table.dispose();
      throw error;
    }
    return this.keep(name, new JoinedTable(parts, labelColumn), read.budget);
  }

  summary(name: string): TableSummary {
    return summaryOf(this.get(name));
  }

  view(name: string): TableView {
    return this.get(name).view;
  }

  /** Resolves once all rows of the table have been read, or reading has failed. */
  settled(name: string): Promise<void> {
    return this.get(name).read;
  }

  close(name: string): void {
    const open = this.tables.get(name);
    this.tables.delete(name);
    if (!open) return;
    open.reading.abort();
    // The file is closed only when nobody reads it any more.
    void open.read.then(() => open.table.dispose());
  }

  dispose(): void {
    for (const name of [...this.tables.keys()]) this.close(name);
  }

  private get(name: string): OpenTable {
    const open = this.tables.get(name);
    if (!open) throw new CodedError('bad-request', `The table "${name}" is not open`);
    return open;
  }

  private readOptions({ delimiter, decimalComma, memory }: TableOptions): ReadOptions & { budget: number } {
    if (delimiter !== undefined && !/^[,;\t|]$/.test(delimiter))
      throw new CodedError('bad-request', 'The delimiter is one of , ; tab |');
    return {
      ...(delimiter !== undefined && { delimiter }),
      ...(decimalComma !== undefined && { decimalComma }),
      ...(this.host.startHelper && { startHelper: this.host.startHelper }),
      budget: Math.max(1, memory ?? DEFAULT_MEMORY) * MEGABYTE,
    };
  }

  private keep(name: string, table: Table | JoinedTable, budget: number): TableSummary {
    this.close(name);
    const open: OpenTable = {
      table,
      view: new TableView(table),
      budget,
      reading: new AbortController(),
      read: Promise.resolve(),
    };
    this.tables.set(name, open);
    this.host.onOpened(name);
    return summaryOf(open);
  }

  private async openProgressively(
    name: string,
    path: string,
    options: TableOptions,
    signal: AbortSignal,
  ): Promise<TableSummary> {
    const read = this.readOptions(options);
    const { table, finish } = await startTable(path, read, signal);
    this.close(name);
    const reading = new AbortController();
    const stopWith = () => reading.abort();
    signal.addEventListener('abort', stopWith, { once: true });
    const open: OpenTable = {
      table,
      view: new TableView(table),
      budget: read.budget,
      reading,
      read: Promise.resolve(),
    };
    this.tables.set(name, open);
    const total = table.file.size;
    const isOpen = () => this.tables.get(name) === open;
    return new Promise<TableSummary>((resolve, reject) => {
      let answered = false;
      let changed = false;
      let last = 0;
      const answer = () => {
        answered = true;
        last = performance.now();
        signal.removeEventListener('abort', stopWith);
        resolve(summaryOf(open));
      };
      const grew = (bytesDone: number, done: boolean, failure?: TableGrowth['failure']) => {
        if (!isOpen()) return;
        last = performance.now();
        this.host.grew({
          table: name,
          rowCount: table.rowCount,
          bytesDone,
          bytesTotal: total,
          done,
          ...(options.opening !== undefined && { opening: options.opening }),
          ...((done || changed) && { summary: summaryOf(open) }),
          ...(failure && { failure }),
        });
        changed = false;
      };
      open.read = finish(reading.signal, (done, kinds) => {
        changed ||= kinds;
        if (!answered) answer();
        else if (performance.now() - last >= GROWTH_INTERVAL && done < total) grew(done, false);
      }).then(
        () => {
          if (!answered) answer();
          grew(total, true);
          if (isOpen()) this.host.onOpened(name);
        },
        (error: unknown) => {
          if (!answered || isCoded(error, 'cancelled')) {
            if (isOpen()) this.tables.delete(name);
            table.dispose();
            reject(
              signal.aborted ? cancelledError() : error instanceof Error ? error : new Error(String(error)),
            );
            return;
          }
          // Rows read so far stay, as what they are known to be.
          table.complete();
          grew(total, true, toPlainError(error));
          if (isOpen()) this.host.onOpened(name);
        },
      );
    });
  }
}

function summaryOf({ table, budget }: OpenTable): TableSummary {
  const { columns, rowCount, delimiter, raggedRows } = table;
  const summary: TableSummary = {
    columns: columns.map(column => ({ ...column })),
    rowCount,
    delimiter,
    raggedRows: { count: raggedRows.count, first: [...raggedRows.first] },
  };
  if (!(table instanceof Table)) return summary;
  if (table.decimalComma) summary.decimalComma = true;
  if (!table.isComplete) summary.reading = true;
  if (table.isReduced) summary.reduced = { columnBytes: table.columnBytes, budgetBytes: budget };
  return summary;
}
