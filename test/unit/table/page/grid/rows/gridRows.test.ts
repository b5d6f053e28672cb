import type { TableSummary } from '../../../../../../src/columns/tableSummary';
import type { ViewSpec } from '../../../../../../src/columns/viewSpec';
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { CodedError } from '../../../../../../src/base/errors';
import { PageRows } from './pageRows';

/** Numbers that repeat, in no order. */
const numberOf = (row: number) => (row * 7919) % 101;
const cellsOf = (row: number, columns: number) =>
  Array.from({ length: columns }, (_, column) =>
    column === 0 ? String(numberOf(row)) : `row ${row}, column ${column}`,
  );

/** The rows of a view of a table of which this number has been read. */
function fileRowsOf({ sort, filters = [], upTo = Infinity }: ViewSpec, read: number): number[] {
  const rows = Array.from({ length: Math.min(read, upTo) }, (_, row) => row).filter(row =>
    filters.every(filter => filter.kind === 'range' && numberOf(row) >= Number(filter.from ?? 0)),
  );
  return sort.length === 0 ? rows : rows.sort((a, b) => numberOf(b) - numberOf(a) || a - b);
}

/**
 * A table that is being read; its responses are given in any order, from the rows read when they
 * were requested.
 */
class ReadTable {
  read = 0;
  /** How many of the next requests fail. */
  failing = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly columns: number,
    /** Rows that fit a response. */
    private readonly most: number,
  ) {}

  readonly request = async (method: string, params: object): Promise<unknown> => {
    const respond = this.responseTo(method, params as ViewSpec & { start: number; end: number });
    await new Promise<void>(resolve => this.waiting.push(resolve));
    return respond();
  };

  /** Sends one of the responses that wait. */
  respond(share: number): void {
    this.waiting.splice(Math.floor(share * this.waiting.length), 1)[0]?.();
  }

  /** Sends all responses, also those to the requests that come of them. */
  async settled(): Promise<void> {
    for (await setImmediate(); this.waiting.length > 0; await setImmediate()) this.respond(0);
  }

  summary(isRead: boolean): TableSummary {
    return {
      columns: Array.from({ length: this.columns }, (_, index) => ({
        index,
        name: `c${index}`,
        kind: 'text',
      })),
      rowCount: this.read,
      delimiter: ',',
      raggedRows: { count: 0, first: [] },
      ...(!isRead && { reading: true }),
    };
  }

  private responseTo(method: string, { start, end, ...spec }: ViewSpec & { start: number; end: number }) {
    const fileRows = fileRowsOf(spec, this.read);
    if (this.failing > 0) {
      this.failing--;
      return () => {
        throw new CodedError('file-changed', 'The file cannot be read now');
      };
    }
    if (method === 'applyFilters') return () => ({ rowCount: fileRows.length });
    const shown = fileRows.slice(start, Math.min(end, start + this.most));
    return () => ({ rows: shown.map(row => cellsOf(row, this.columns)), fileRows: shown });
  }
}

/** What happens, and how far: a share of what is possible. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom(
      ...(['grow', 'grow', 'scroll', 'scroll', 'respond', 'respond', 'respond'] as const),
      ...(['reveal', 'sort', 'filter', 'settle', 'fail', 'reread'] as const),
    ),
    share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
  { maxLength: 40 },
);

const shapes = fc.record({
  columns: fc.integer({ min: 1, max: 5 }),
  blockRows: fc.integer({ min: 1, max: 16 }),
  height: fc.integer({ min: 1, max: 12 }),
  most: fc.integer({ min: 1, max: 20 }),
  first: fc.integer({ min: 0, max: 20 }),
});

type Shape = typeof shapes extends fc.Arbitrary<infer S> ? S : never;
type Steps = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/**
 * Reads a table in steps while a page shows it; whenever all requests are answered the screen is
 * compared with the file.
 */
async function follow(shape: Shape, actions: Steps): Promise<void> {
  const { columns, most, first } = shape;
  const file = new ReadTable(columns, most);
  file.read = first;
  const page = new PageRows({ request: file.request, table: file.summary(false), ...shape });
  const { model } = page;
  const grow = async (done: boolean) => {
    const growth = { rowCount: file.read, bytesDone: file.read, bytesTotal: 2000, done };
    const grown = page.grow({ ...growth, ...(done && { summary: file.summary(true) }) });
    if (done) await file.settled();
    await grown;
  };
  const compare = async () => {
    await file.settled();
    const rows = fileRowsOf(model.spec, file.read);
    const expected = page.visible.map(([position]) => {
      const fileRow = rows[position] ?? -1;
      return [position, { fileRow, cells: cellsOf(fileRow, columns) }];
    });
    assert.deepEqual(page.visible, expected);
    assert.ok(expected.length > 0 || rows.length === 0);
  };
  /**
   * Whether the screen lacks rows until the table grows: a request failed, or the table is read
   * again from its start.
   */
  let lacksRows = false;
  const changes: Promise<void>[] = [];
  const shown = page.show();
  await file.settled();
  await shown;
  for (const { what, share } of actions) {
    if (what === 'grow') {
      file.read += Math.floor(share * 30);
      await grow(false);
    } else if (what === 'scroll') page.scroll(share);
    else if (what === 'reveal') page.reveal(Math.floor(share * model.rowCount));
    else if (what === 'respond') file.respond(share);
    else if (what === 'sort') model.setSort(model.sort.length > 0 ? [] : [{ column: 0, descending: true }]);
    else if (what === 'filter') {
      const range = { filter: { kind: 'range', column: 0, from: 30, to: null } } as const;
      changes.push(model.setFilters(model.isFiltered ? [] : [range]).catch(() => undefined));
    } else if (what === 'settle') {
      if (!lacksRows) await compare();
    } else {
      lacksRows = true;
      if (what === 'fail') file.failing = 1;
      else file.read = Math.floor(share * file.read);
    }
    await setImmediate();
  }
  file.failing = 0;
  await file.settled();
  await Promise.all(changes);
  file.read++;
  await grow(true);
  await compare();
}

describe("a grid's rows", () => {
  it('are those of the file, whatever was read, scrolled, sorted or filtered while they were fetched', () =>
    fc.assert(fc.asyncProperty(shapes, steps, follow), { numRuns: 300 }));

  it('are fetched as far as a block lacked them, and no others', async () => {
    const file = new ReadTable(1, 100);
    file.read = 7;
    const requested: [number, number][] = [];
    const request = (method: string, params: object) => {
      const { start, end } = params as { start: number; end: number };
      requested.push([start, end]);
      return file.request(method, params);
    };
    const page = new PageRows({ request, table: file.summary(false), blockRows: 10, height: 10 });
    const shown = page.show();
    await file.settled();
    await shown;
    await file.settled();
    for (const read of [9, 25, 40]) {
      file.read = read;
      await page.grow({ rowCount: read, bytesDone: read, bytesTotal: 40, done: false });
      await file.settled();
    }
    assert.deepEqual(requested, [
      [0, 7],
      [7, 9],
      [9, 10],
    ]);
    assert.deepEqual(
      page.visible.map(([, row]) => row?.fileRow),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });
});
