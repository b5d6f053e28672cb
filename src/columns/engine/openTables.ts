import { type FileHandle, open } from 'node:fs/promises';
import { canceledError, CodedError, isCoded, toPlainError } from '../../base/errors';
import type { StartProgress } from '../../protocol/engineProgress';
import { isDelimiter } from '../csv/csvGrammar';
import type { WrittenColumn } from '../writtenTable';
import type { AddedColumns, TableGrowth, TableOptions, TableSummary } from '../tableSummary';
import { type DeriveColumns, ExtendedTable } from './read/addedColumns';
import { JoinedTable } from './read/joinedTable';
import { openTable, type ReadOptions, startTable } from './read/readTable';
import { Table } from './read/table';
import type { ScanWorker } from './scanThread';
import type { OtherTable, TypedFormat } from './typedFormat';
import { type PopulationSets, TableView } from './tableView';

const MEGABYTE = 1024 * 1024;
/** Minimum time between two reports of growth, in milliseconds. */
const MIN_GROWTH_INTERVAL = 200;

/** The engine's side of open tables. */
export interface TableHost {
  startProgress: StartProgress;
  /** Called for each table that is opened or reopened, once all of it has been read. */
  onOpened(table: string): void;
  /** Called when the values of columns that are in no file have changed. */
  onChanged(table: string): void;
  /** Called while a table opened with `progressive` is being read. */
  onGrowth(growth: TableGrowth): void;
  /** Starts a second thread that scans large files; absent outside of an engine thread. */
  startScanWorker?: () => ScanWorker;
  /** Formats of tables other than delimited text. */
  formats?: readonly TypedFormat[];
}

/** Files that become one table, with a column that has the label of each row's file. */
interface JoinedFiles {
  files: readonly { path: string; label: string }[];
  labelColumn: string;
}

interface OpenTable {
  table: Table | JoinedTable | OtherTable;
  /** The name of the format, where it isn't delimited text. */
  format: string | undefined;
  /** The table with columns that are in no file. All computations use this one. */
  extended: ExtendedTable;
  view: TableView;
  budget: number;
  /** Stops reading the file. */
  readingController: AbortController;
  /** Resolves when all rows have been read or reading has failed; never rejects. */
  settled: Promise<void>;
}

/** The open tables, by name. */
export class OpenTables {
  private readonly tables = new Map<string, OpenTable>();
  /** Gives the populations of a table by its name; absent until `setPopulations`. */
  populationsOf: ((name: string) => PopulationSets) | undefined;

  constructor(private readonly host: TableHost) {}

  async open(name: string, path: string, options: TableOptions, signal: AbortSignal): Promise<TableSummary> {
    const format = await this.formatOf(path);
    if (format) {
      const { budget } = this.readOptions(options);
      const otherTable = await format.open(path, budget, signal);
      if (signal.aborted) {
        otherTable.dispose();
        throw canceledError();
      }
      return this.add(name, otherTable, budget, format.name);
    }
    if (options.progressive === true) return this.openProgressively(name, path, options, signal);
    const readOptions = this.readOptions(options);
    const table = await openTable(path, signal, this.host.startProgress('table', name), readOptions);
    return this.add(name, table, readOptions.budget);
  }

  /** Opens several files as one table, see JoinedTable. */
  async openJoined(
    name: string,
    { files, labelColumn }: JoinedFiles,
    options: TableOptions,
    signal: AbortSignal,
  ): Promise<TableSummary> {
    if (files.length === 0) throw new CodedError('bad-request', 'No files to open');
    const readOptions = this.readOptions(options);
    const fileOptions = { ...readOptions, budget: readOptions.budget / files.length };
    const fileTables: { table: Table; label: string }[] = [];
    const reportProgress = this.host.startProgress('table', name);
    try {
      for (const [index, { path, label }] of files.entries()) {
        const progress = (done: number, total: number) =>
          reportProgress(index + (total > 0 ? done / total : 1), files.length);
        fileTables.push({ table: await openTable(path, signal, progress, fileOptions), label });
      }
    } catch (error) {
      for (const { table } of fileTables) table.dispose();
      throw error;
    }
    return this.add(name, new JoinedTable(fileTables, labelColumn), readOptions.budget);
  }

  /** The typed format, besides delimited text, of a file by its name or beginning, if any. */
  async formatOf(path: string): Promise<TypedFormat | undefined> {
    const { formats = [] } = this.host;
    const formatByName = this.formatNamed(path);
    if (formatByName || formats.length === 0) return formatByName;
    // A file that can't be read is opened as text, which fails with the reason.
    const bytes = await beginningOf(path).catch(() => new Uint8Array(0));
    return formats.find(format => format.beginsWith(bytes));
  }

  /** The format that a file of this name is written in; undefined for delimited text. */
  formatNamed(path: string): TypedFormat | undefined {
    return this.host.formats?.find(format => format.isNamed(path));
  }

  /** The columns of a file in a format with types. */
  async typesIn(path: string, signal: AbortSignal): Promise<WrittenColumn[]> {
    const format = await this.formatOf(path);
    if (!format) throw new CodedError('bad-request', 'The file has no types', { subject: path });
    return format.typesIn(path, signal);
  }

  /** Sets a table's columns that are in no file. Throws `bad-request` without their key column. */
  extend(name: string, added: AddedColumns): TableSummary {
    const open = this.get(name);
    if (!open.table.columns[added.keyColumn])
      throw new CodedError('bad-request', `There is no column ${added.keyColumn}`);
    for (const { of: sourceColumn } of added.converted ?? [])
      if (!open.table.columns[sourceColumn])
        throw new CodedError('bad-request', `There is no column ${sourceColumn}`);
    return this.changed(name, () => open.extended.set(added));
  }

  /** Replaces the columns that are derived from the other columns of a table. */
  derive(name: string, columns: DeriveColumns): TableSummary {
    const { extended } = this.get(name);
    return this.changed(name, () => extended.setDerived(columns));
  }

  extended(name: string): ExtendedTable {
    return this.get(name).extended;
  }

  summary(name: string): TableSummary {
    return summaryOf(this.get(name));
  }

  view(name: string): TableView {
    return this.get(name).view;
  }

  /** Resolves once all rows of the table have been read, or reading has failed. */
  settled(name: string): Promise<void> {
    return this.get(name).settled;
  }

  close(name: string): void {
    const open = this.tables.get(name);
    this.tables.delete(name);
    if (!open) return;
    open.readingController.abort();
    // The file is closed only once reading has stopped.
    void open.settled.then(() => open.table.dispose());
  }

  dispose(): void {
    for (const name of [...this.tables.keys()]) this.close(name);
  }

  private changed(name: string, change: () => void): TableSummary {
    const open = this.get(name);
    change();
    open.view.forgetComputedSets();
    this.host.onChanged(name);
    return summaryOf(open);
  }

  private get(name: string): OpenTable {
    const open = this.tables.get(name);
    if (!open) throw new CodedError('bad-request', `The table "${name}" is not open`);
    return open;
  }

  private readOptions({
    delimiter,
    decimalComma,
    header,
    memory,
  }: TableOptions): ReadOptions & { budget: number } {
    if (delimiter !== undefined && !isDelimiter(delimiter))
      throw new CodedError('bad-request', `"${delimiter}" is not a delimiter`);
    return {
      ...(delimiter !== undefined && { delimiter }),
      ...(decimalComma !== undefined && { decimalComma }),
      ...(header && { header }),
      ...(this.host.startScanWorker && { startScanWorker: this.host.startScanWorker }),
      budget: Math.max(1, memory) * MEGABYTE,
    };
  }

  private add(
    name: string,
    table: Table | JoinedTable | OtherTable,
    budget: number,
    format?: string,
  ): TableSummary {
    this.close(name);
    const extended = new ExtendedTable(table);
    const open: OpenTable = {
      table,
      format,
      extended,
      view: new TableView(extended, () => this.populationsOf?.(name)),
      budget,
      readingController: new AbortController(),
      settled: Promise.resolve(),
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
    const readOptions = this.readOptions(options);
    const { table, finish } = await startTable(path, readOptions, signal);
    // Checked again: no listener would learn of a cancel since the last check.
    if (signal.aborted) {
      table.dispose();
      throw canceledError();
    }
    this.close(name);
    const readingController = new AbortController();
    const stopReading = () => readingController.abort();
    signal.addEventListener('abort', stopReading, { once: true });
    const extended = new ExtendedTable(table);
    const open: OpenTable = {
      table,
      format: undefined,
      extended,
      view: new TableView(extended, () => this.populationsOf?.(name)),
      budget: readOptions.budget,
      readingController,
      settled: Promise.resolve(),
    };
    this.tables.set(name, open);
    const total = table.file.size;
    const isOpen = () => this.tables.get(name) === open;
    return new Promise<TableSummary>((resolve, reject) => {
      let hasResponded = false;
      let haveColumnsChanged = false;
      let lastReport = 0;
      const respond = () => {
        hasResponded = true;
        lastReport = performance.now();
        signal.removeEventListener('abort', stopReading);
        resolve(summaryOf(open));
      };
      const reportGrowth = (bytesDone: number, done: boolean, failure?: TableGrowth['failure']) => {
        if (!isOpen()) return;
        lastReport = performance.now();
        this.host.onGrowth({
          table: name,
          rowCount: table.rowCount,
          bytesDone,
          bytesTotal: total,
          done,
          ...(options.opening !== undefined && { opening: options.opening }),
          ...((done || haveColumnsChanged) && { summary: summaryOf(open) }),
          ...(failure && { failure }),
        });
        haveColumnsChanged = false;
      };
      open.settled = finish(readingController.signal, (bytesDone, hasChanged) => {
        haveColumnsChanged ||= hasChanged;
        if (!hasResponded) respond();
        else if (performance.now() - lastReport >= MIN_GROWTH_INTERVAL && bytesDone < total)
          reportGrowth(bytesDone, false);
      }).then(
        () => {
          if (!hasResponded) respond();
          reportGrowth(total, true);
          if (isOpen()) this.host.onOpened(name);
        },
        (error: unknown) => {
          if (!hasResponded || isCoded(error, 'cancelled')) {
            if (isOpen()) this.tables.delete(name);
            table.dispose();
            reject(
              signal.aborted ? canceledError() : error instanceof Error ? error : new Error(String(error)),
            );
            return;
          }
          // The rows read so far stay, with the column types that they have.
          table.complete();
          reportGrowth(total, true, toPlainError(error));
          if (isOpen()) this.host.onOpened(name);
        },
      );
    });
  }
}

function summaryOf({ table, format, extended, budget }: OpenTable): TableSummary {
  const { columns } = extended;
  const { rowCount, delimiter } = table;
  const raggedRows = 'raggedRows' in table ? table.raggedRows : { count: 0, first: [] };
  const summary: TableSummary = {
    columns: columns.map(column => ({ ...column })),
    rowCount,
    delimiter,
    raggedRows: { count: raggedRows.count, first: [...raggedRows.first] },
    ...(format !== undefined && { format }),
  };
  if ('columnBytes' in table && !(table instanceof Table) && table.columnBytes > budget)
    summary.reduced = { columnBytes: table.columnBytes, budgetBytes: budget };
  if (!(table instanceof Table)) return summary;
  if (table.decimalComma) summary.decimalComma = true;
  if (table.lateDecimals) summary.lateDecimals = { ...table.lateDecimals };
  const { headerRows } = table;
  if (headerRows.skipped > 0 || headerRows.rows > 1) summary.header = { ...headerRows };
  if (!table.isComplete) summary.reading = true;
  if (table.isReduced) summary.reduced = { columnBytes: table.columnBytes, budgetBytes: budget };
  return summary;
}

/** Number of bytes at the beginning of a file that identify its format. */
const BEGINNING_BYTES = 16;

async function beginningOf(path: string): Promise<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    const { bytesRead, buffer } = await handle.read(new Uint8Array(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle?.close();
  }
}
