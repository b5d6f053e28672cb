import { setImmediate } from 'node:timers/promises';
import { CodedError } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import { shownColumns } from '../../../../src/table/page/grid/columnLayout';
import type { GridRow } from '../../../../src/table/page/grid/gridRows';
import { fetchPlacedRows } from '../../../../src/table/page/grid/rowFetcher';
import { followColumns } from '../../../../src/table/page/extendTable';
import { TableStore } from '../../../../src/table/page/state/tableStore';
import { TableUndo } from '../../../../src/table/page/tableUndo';
import { fittingView, type TableViewState } from '../../../../src/table/page/tableViewState';
import type { SortKey } from '../../../../src/columns/viewSpec';
import { packed, unpacked } from '../../../browser/preview/packed';
import type { StudyOptions } from '../../../browser/preview/studyTable';
import { PreviewEngine } from '../../../browser/preview/tableEngine';
import type { TableStart } from '../../../../src/table/tablePage';
import { type AddedToTable, NOTHING_ADDED, tableStart } from './tableStart';

/** Requests that a panel answers by itself; the engine answers all others. */
export type Answers = Record<string, (params: never) => unknown>;

interface OpenedTableOptions {
  rowCount?: number;
  /** A table of images with treatments and donors, in place of that of objects. */
  study?: Partial<StudyOptions>;
  /** Its last rows have not been read yet. */
  isReading?: boolean;
  /** What subjects add to the page, and what their panel answers. */
  added?: AddedToTable;
  answers?: (page: OpenedTable) => Answers;
  /** What its panel says at the start, and the view that was saved of it. */
  start?: Partial<TableStart>;
  saved?: Partial<TableViewState>;
}

/** The first rows that a grid has on the screen. */
const FIRST_ROWS = 200;

/** A document that has what the page's history needs of one. */
const page = {
  addEventListener: () => undefined,
  querySelectorAll: () => [],
  body: 'body',
  activeElement: 'body',
};

/** Inside a describe: what the page's models find in a browser. */
export function useNoScreen(): void {
  const requestAnimationFrame = (frame: () => void) => void globalThis.setImmediate(frame);
  before(() => Object.assign(globalThis, { document: page, requestAnimationFrame }));
  after(() => {
    for (const name of ['document', 'requestAnimationFrame']) Reflect.deleteProperty(globalThis, name);
  });
}

/**
 * A table page without its screen: its store and its history on the real engine, whose responses a
 * test can delay; what is sent to its panel; and a grid that holds rows as the real one does.
 */
export class OpenedTable {
  /** What was sent or requested of the panel itself, by name. */
  readonly sent: [name: string, value: unknown][] = [];
  readonly said: string[] = [];
  readonly store: TableStore;
  readonly undo: TableUndo;
  readonly grid: RowsWithoutScreen;
  readonly port: { view: Partial<TableViewState>; updateView: (changes: Partial<TableViewState>) => void };
  /** Requests that wait for the engine. */
  private pending = 0;
  private readonly view: TableViewState;
  private readonly updated = new Emitter<void>();
  private readonly listeners: [name: string, listener: (value: unknown) => void][] = [];

  private constructor(
    readonly engine: PreviewEngine,
    table: TableSummary,
    saved: Partial<TableViewState> = {},
    private readonly added: AddedToTable = NOTHING_ADDED,
    private readonly others: (page: OpenedTable) => Answers = () => ({}),
    start: Partial<TableStart> = {},
  ) {
    const { contributions } = added;
    const ofAdded = contributions.flatMap(each => each.saved ?? []);
    const view = (this.view = fittingView(saved, table, undefined, ofAdded));
    const { updated } = this;
    const port = {
      view: view as Partial<TableViewState>,
      onDidUpdateView: updated.event,
      updateView: (changes: Partial<TableViewState>) => {
        port.view = { ...port.view, ...changes };
        updated.fire();
      },
    };
    this.port = port;
    const panel = {
      send: (name: string, value: unknown) => this.sent.push([name, value]),
      on: (name: string, listener: (value: unknown) => void) => this.listeners.push([name, listener]),
      request: (method: string, params: never, signal?: AbortSignal) => this.request(method, params, signal),
    };
    const options = { start: tableStart(table, start), view, port, panel: panel as never, ...added };
    this.store = new TableStore(options);
    this.grid = new RowsWithoutScreen(this.store);
    this.undo = new TableUndo({
      store: this.store,
      port: port as never,
      view,
      added: contributions.flatMap(each => each.undo ?? []),
    });
    this.store.messages.notice.subscribe(notice => notice && this.said.push(notice.words));
  }

  static async open(options: OpenedTableOptions = {}): Promise<OpenedTable> {
    const engine = new PreviewEngine();
    if (options.study) await engine.openStudy(options.study);
    else await engine.open(options.rowCount ?? 10_000, 'objects');
    const table = (await valueOf(engine, 'tableSummary', {})) as TableSummary;
    const summary = { ...table, ...(options.isReading && { reading: true as const }) };
    const { saved, added, answers, start } = options;
    return await new OpenedTable(engine, summary, saved, added, answers, start).show();
  }

  /** The page again, as it was left. */
  async again(): Promise<OpenedTable> {
    return await (await this.reopened()).show();
  }

  /** The same, which shows nothing yet. */
  async reopened(): Promise<OpenedTable> {
    const view = JSON.parse(JSON.stringify(this.port.view)) as Partial<TableViewState>;
    return new OpenedTable(this.engine, await this.summary(), view, this.added, this.others);
  }

  /** The table as the engine has it. */
  async summary(): Promise<TableSummary> {
    return (await this.ask('tableSummary', {})) as TableSummary;
  }

  /** Values sent under a name so far. */
  sentAs(name: string): unknown[] {
    return this.sent.filter(([each]) => each === name).map(([, value]) => value);
  }

  /** The panel sends an event. */
  tell(name: string, value: unknown): void {
    for (const [event, listener] of this.listeners) if (event === name) listener(value);
  }

  /** The panel tells of other columns. */
  extend(table: TableSummary): void {
    const { store, undo, port } = this;
    followColumns({ store, undo, port: port as never, view: this.view }, table);
  }

  /** The engine's response to a request. */
  async ask(method: string, params: object): Promise<unknown> {
    this.pending++;
    try {
      return await valueOf(this.engine, method, params);
    } finally {
      this.pending--;
    }
  }

  /** Resolves once everything has come that isn't delayed, and what follows of it. */
  async settled(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) {
      await setImmediate();
      if (this.pending > this.engine.delayedResponses) turns = 0;
    }
  }

  /** Undoes or does again, and gives what is said then. */
  async move(move: 'undo' | 'redo'): Promise<string | undefined> {
    await this.settled();
    const before = this.said.length;
    this.undo.move(move);
    await until(() => this.said.length > before);
    await this.settled();
    return this.said.at(-1);
  }

  async close(): Promise<void> {
    await this.engine.dispose();
  }

  /** As the page does that is shown: filters and order first, then rows, then what follows them. */
  async show(): Promise<this> {
    const { store, grid, undo, port } = this;
    const { table } = store;
    table.setSort(port.view.sort ?? []);
    await table.setFilters(await table.restoreLassos(port.view.filters ?? []));
    await store.columns.load();
    store.grid = grid as never;
    await grid.setRows();
    table.onDidChange(change => {
      if (change === 'table') return;
      void grid.setRows();
      void store.rows.restore();
    });
    store.begin();
    store.measured(1800, 700);
    store.groups.begin();
    await undo.begin();
    store.output.begin();
    return this;
  }

  private async request(method: string, params: never, signal?: AbortSignal): Promise<unknown> {
    const answer = this.answers[method] ?? this.others(this)[method];
    if (answer) return await answer(params);
    const canceled = new CodedError('cancelled', 'Canceled');
    if (signal?.aborted) throw canceled;
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(canceled));
      this.ask(method, params).then(resolve, reject);
    });
  }

  private readonly answers: Answers = {
    copy: ({ text }: { text: string }) => this.record('copy', text, {}),
    saveView: (params: unknown) => this.record('saveView', params, { saved: { name: 'a.csv', rows: 12 } }),
    saveGroups: (params: unknown) =>
      this.record('saveGroups', params, { saved: { name: 'b.csv', groups: 3 } }),
    saveUnitGroups: (params: unknown) =>
      this.record('saveUnitGroups', params, { saved: { name: 'b.csv', groups: 3 } }),
    applyFilters: ({ view }: { view: object }) => this.ask('tableView', view),
    studyColumns: () => {
      const { columns } = this.store.table.table;
      const named = (wanted: string) =>
        columns.flatMap(({ name, index }) => (name === wanted ? [index] : []));
      return { condition: named('Treatment'), replicate: named('Donor'), technical: [], hasAreas: true };
    },
    pixelSizesDiffer: () => ({ differ: false }),
  };

  private record<T>(name: string, value: unknown, answer: T): T {
    this.sent.push([name, value]);
    return answer;
  }
}

/** For what only a screen shows. */
const ignore = (): void => undefined;

/**
 * Rows by their positions in the view, as the grid has them: those of before stay until the first
 * of the next view have come, and all but the first come once they are scrolled to.
 */
class RowsWithoutScreen {
  private rows = new Map<number, GridRow>();
  private version = 0;
  firstVisible = 0;
  sort: readonly SortKey[] = [];

  constructor(private readonly store: TableStore) {}

  get shown(): number[] {
    return shownColumns(this.store.columns.layout.peek());
  }

  /** Requests the first rows of the view. */
  async setRows(): Promise<void> {
    const version = ++this.version;
    const rows = await this.fetch(0);
    if (version !== this.version) return;
    this.rows = new Map(rows);
    this.sort = [...this.store.table.sort];
    this.store.rows.onRowsLoaded();
  }

  rowAt(position: number): GridRow | undefined {
    return this.rows.get(position);
  }

  async loadAround(position: number): Promise<void> {
    const { version } = this;
    if (this.rows.has(position)) return;
    const rows = await this.fetch(position - (position % FIRST_ROWS));
    if (version !== this.version) return;
    for (const [at, row] of rows) this.rows.set(at, row);
    this.store.rows.onRowsLoaded();
  }

  reveal(position: number): void {
    this.firstVisible = position;
  }

  /** Sorts as the grid does, which tells the page. */
  setSort(keys: readonly SortKey[]): void {
    this.store.table.setSort(keys);
  }

  isSeen(): boolean {
    return true;
  }

  columnInView(column?: number): number | undefined {
    return column;
  }

  readonly growTo = ignore;
  readonly setLayout = ignore;
  readonly setFocus = ignore;
  readonly focusHeader = ignore;
  readonly setColumns = ignore;
  readonly setLastRow = ignore;

  private async fetch(start: number): Promise<[number, GridRow][]> {
    const { table } = this.store;
    const end = Math.min(start + FIRST_ROWS, table.rowCount);
    const rows = await fetchPlacedRows(table, { start, end });
    return rows.map((row, at) => [start + at, row]);
  }
}

async function valueOf(engine: PreviewEngine, method: string, params: object): Promise<unknown> {
  const response = unpacked(await engine.call(method, packed(params))) as
    | { value: unknown }
    | { error: { message: string } };
  if ('value' in response) return response.value;
  throw new CodedError('bad-request', response.error.message);
}

const PATIENCE_MS = 100_000;

/** Waits for a condition. */
export async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; !condition(); await setImmediate())
    if (Date.now() > deadline) throw new Error(`Waited too long for ${String(condition)}`);
}
