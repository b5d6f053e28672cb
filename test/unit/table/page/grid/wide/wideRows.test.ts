import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { ViewSpec } from '../../../../../../src/columns/viewSpec';
import { type GridRow, hasWholeCell, WideRows } from '../../../../../../src/table/page/grid/gridRows';
import {
  fetchFirstRows,
  fetchPlacedRows,
  RowFetcher,
} from '../../../../../../src/table/page/grid/rowFetcher';
import { TableModel } from '../../../../../../src/table/page/tableModel';

const COLUMNS = 10_000;
const ROWS = 1000;
const textAt = (row: number, column: number) => `${row}:${column}`;

/** A wide table, what is on the screen of it, and the requests for its cells. */
class WideTable {
  readonly requests: { rows: number; columns: number }[] = [];
  readonly failures: unknown[] = [];
  readonly model: TableModel;
  rows = new Map<number, GridRow>();
  columns: number[] = [0, 1, 2];
  refreshes = 0;
  /** Resolves before each response is sent. */
  delay: () => Promise<void> = () => Promise.resolve();
  readonly wide: WideRows;

  constructor() {
    const request = async (
      _: string,
      { start, end, columns, sort }: ViewSpec & { start: number; end: number; columns?: number[] },
    ) => {
      const wanted = columns ?? Array.from({ length: COLUMNS }, (_, column) => column);
      this.requests.push({ rows: end - start, columns: wanted.length });
      const fileRows = Array.from({ length: end - start }, (_, at) =>
        sort.length > 0 ? ROWS - 1 - start - at : start + at,
      );
      await this.delay();
      return {
        rows: fileRows.map(row => wanted.map(column => textAt(row, column))),
        fileRows,
        cut: fileRows.flatMap((row, at) =>
          wanted.includes(row + 70) ? [[at, wanted.indexOf(row + 70)]] : [],
        ),
      };
    };
    this.model = new TableModel({ request } as never, {
      columns: Array.from({ length: COLUMNS }, (_, index) => ({ index, name: `c${index}`, kind: 'text' })),
      rowCount: ROWS,
      delimiter: ',',
      raggedRows: { count: 0, first: [] },
    });
    this.wide = new WideRows({
      columnCount: () => COLUMNS,
      columnsInView: () => this.columns,
      columnsAround: column => [column - 1, column, column + 1],
      rowsInView: () => this.rows,
      fetch: range => fetchPlacedRows(this.model, range),
      onCells: () => this.refreshes++,
      onFailure: error => this.failures.push(error),
    });
  }

  /** Loads rows as the grid does, and shows them. */
  async show(start: number, end: number): Promise<void> {
    const first = { rows: [], view: '' };
    const rows = await new RowFetcher(this.model, first, () => this.wide.columns).rows(start, end);
    this.rows = new Map(rows.map((row, at) => [start + at, row]));
    await this.wide.complete();
  }

  /** Which of the cells on the screen are there. */
  get shown(): (string | undefined)[] {
    return [...this.rows.values()].flatMap(({ cells }) => this.columns.map(column => cells[column]));
  }

  get expected(): string[] {
    return [...this.rows.values()].flatMap(({ fileRow }) =>
      this.columns.map(column => textAt(fileRow, column)),
    );
  }
}

describe('rows of a table of thousands of columns', () => {
  it('are fetched with the columns on the screen, also where these are far from each other', async () => {
    const table = new WideTable();
    table.columns = [3, 5000, 5001, 9999];
    await table.show(40, 80);
    assert.deepEqual(table.shown, table.expected);
    // The last block has 16 columns.
    assert.deepEqual(table.requests, [{ rows: 40, columns: 32 + 32 + 16 }]);
  });

  it('get the cells that come into view, each once', async () => {
    const table = new WideTable();
    await table.show(0, 40);
    for (const column of [100, 9000, 3, 100]) {
      table.columns = [column, column + 1];
      await table.wide.complete();
      assert.deepEqual(table.shown, table.expected);
    }
    assert.deepEqual(
      table.requests.map(({ columns }) => columns),
      [32, 32, 32],
    );
    assert.equal(table.refreshes, 2);
  });

  it('show in the end the columns scrolled to last, however fast, with one request at a time', async () => {
    const table = new WideTable();
    await table.show(0, 40);
    const responses: (() => void)[] = [];
    table.delay = () => new Promise(resolve => responses.push(resolve));
    const completed: Promise<void>[] = [];
    for (let column = 100; column < 9000; column += 100) {
      table.columns = [column];
      completed.push(table.wide.complete());
      assert.equal(responses.length, 1);
    }
    while (responses.length > 0) {
      responses.shift()?.();
      await setImmediate();
    }
    await Promise.all(completed);
    assert.deepEqual(table.shown, table.expected);
    assert.equal(table.requests.length, 3);
  });

  it('are not mixed with those of another order that arrive late', async () => {
    const table = new WideTable();
    await table.show(0, 40);
    const before = [...table.rows.values()];
    const responses: (() => void)[] = [];
    table.delay = () => new Promise(resolve => responses.push(resolve));
    table.columns = [700];
    table.model.setSort([{ column: 0, descending: true }]);
    const completed = table.wide.complete();
    responses.shift()?.();
    await completed;
    assert.ok(before.every(({ cells }) => cells[700] === undefined));
    table.delay = () => Promise.resolve();
    await table.show(0, 40);
    assert.deepEqual(table.shown, table.expected);
    assert.equal(table.rows.get(0)?.fileRow, ROWS - 1);
  });

  it('come with the columns that a jump will show, and without those that it leaves', async () => {
    const table = new WideTable();
    await table.show(0, 40);
    table.requests.length = 0;
    table.wide.jumpTo(9000);
    const first = { rows: [], view: '' };
    const fetcher = new RowFetcher(table.model, first, () => table.wide.columns);
    const rows = await fetcher.rows(500, 540);
    assert.deepEqual(table.requests.splice(0), [{ rows: 40, columns: 32 }]);
    // Those that are there already get what they lack.
    await table.wide.prepare(table.rows);
    assert.deepEqual(table.requests.splice(0), [{ rows: 40, columns: 32 }]);
    assert.equal(table.refreshes, 0);
    table.wide.arrived();
    table.columns = [8999, 9000, 9001];
    table.rows = new Map([...table.rows, ...rows.map((row, at): [number, GridRow] => [500 + at, row])]);
    await table.wide.complete();
    assert.deepEqual(table.requests, []);
    assert.deepEqual(table.shown, table.expected);
  });

  it('can be fetched again after a failure', async () => {
    const table = new WideTable();
    await table.show(0, 40);
    table.delay = () => Promise.reject(new Error('No'));
    table.columns = [700];
    await table.wide.complete();
    assert.equal(table.failures.length, 1);
    table.delay = () => Promise.resolve();
    await table.wide.complete();
    assert.deepEqual(table.shown, table.expected);
  });

  it('know which of their cells are whole', async () => {
    const table = new WideTable();
    await table.show(0, 40);
    const row = table.rows.get(5);
    assert.ok(row);
    assert.equal(hasWholeCell(row, 31), true);
    assert.equal(hasWholeCell(row, 76), false);
    table.columns = [75, 76];
    await table.wide.complete();
    assert.equal(hasWholeCell(row, 76), true);
    assert.equal(hasWholeCell(row, 75), false);
  });

  it('begin with those of the columns on the screen', async () => {
    const { model, requests } = new WideTable();
    const { rows } = await fetchFirstRows(model, { limit: 40, columns: [0, 1, 640] });
    assert.deepEqual(requests, [{ rows: 40, columns: 3 }]);
    assert.equal(rows[7]?.cells[640], textAt(7, 640));
  });
});
