import { deepEqual, equal, rejects } from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../src/base/errors';
import type { RangeEnd } from '../../../../src/columns/viewSpec';
import { JoinedTable } from '../../../../src/columns/engine/read/joinedTable';
import { startTable } from '../../../../src/columns/engine/read/readTable';
import type { TableSource } from '../../../../src/columns/engine/read/tableSource';
import { columnStatisticsOf } from '../../../../src/columns/engine/statistics/columnStatisticsOf';
import { groupRows } from '../../../../src/columns/engine/statistics/groups';
import { TableView } from '../../../../src/columns/engine/tableView';
import { TableTexts, allCells } from './tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

const near = (center: bigint) => fc.bigInt({ min: center - 3n, max: center + 3n });
/** Integers that share doubles: near powers of two, and of any length that doubles reach. */
const integer = fc.oneof(
  near(0n),
  near(2n ** 53n),
  near(-(2n ** 53n)),
  near(2n ** 63n),
  near(2n ** 64n),
  near(10n ** 25n),
  near(10n ** 33n),
  near(-(10n ** 60n) * 7n),
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
);
/** Ways of writing an integer in a cell. */
const written = fc
  .tuple(integer, fc.constantFrom('', '0', '000'), fc.constantFrom('', '.0', '.'), fc.boolean(), fc.boolean())
  .map(([value, zeros, decimals, quoted, plus]) => {
    const sign = value < 0n ? '-' : plus ? '+' : '';
    const text = `${sign}${zeros}${value < 0n ? -value : value}${decimals}`;
    return { value, text: quoted ? `" ${text} "` : text };
  });
const cell = fc.oneof({ weight: 9, arbitrary: written }, fc.constant({ value: undefined, text: 'NA' }));
/** The first one is a number: a column without any is text. */
const cells = fc.array(cell, { maxLength: 40 }).map(others => [{ value: 1n, text: '1' }, ...others]);

type Value = bigint | undefined;

/** Missing last, ties in the order of the file. */
function orderOf(values: readonly Value[], descending: boolean): number[] {
  return values
    .map((value, row) => ({ value, row }))
    .sort((a, b) => {
      if (a.value === b.value) return a.row - b.row;
      if (a.value === undefined || b.value === undefined) return a.value === undefined ? 1 : -1;
      return a.value < b.value !== descending ? -1 : 1;
    })
    .map(({ row }) => row);
}

/** An end of a range as a page gives it: a number where that is exact. */
function endOf(value: bigint): RangeEnd {
  return BigInt(Number(value)) === value ? Number(value) : String(value);
}

async function isExact(table: TableSource, column: number, values: readonly Value[], ends: [bigint, bigint]) {
  const view = new TableView(table);
  const all = { rows: undefined, count: values.length };
  for (const descending of [false, true]) {
    const expected = orderOf(values, descending);
    const { order } = await view.rows({ sort: [{ column, descending }] });
    deepEqual([...(order ?? [])], expected);
  }
  const present = values.filter(value => value !== undefined);
  equal((await columnStatisticsOf(table, column, all)).distinct, new Set(present).size);
  const { groups } = await groupRows(table, { by: [column], measures: [], limit: 10_000 }, all);
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  deepEqual(
    groups.map(({ rows }) => rows),
    [...counts.values()],
  );
  const [from, to] = ends;
  const range = { kind: 'range', column, from: endOf(from), to: endOf(to) } as const;
  const { rows } = await view.filteredRows([range]);
  deepEqual(
    [...(rows ?? [])],
    [...values.keys()].filter(row => {
      const value = values[row];
      return value !== undefined && value >= from && value <= to;
    }),
  );
}

const isLong = (value: Value) => value !== undefined && BigInt(Number(value)) !== value;

describe('integers that doubles round', () => {
  it('are sorted, grouped, counted and filtered as BigInts are', async () => {
    await fc.assert(
      fc.asyncProperty(cells, integer, integer, async (column, from, to) => {
        const values = column.map(({ value }) => value);
        const table = await texts.table(`id,n\n${column.map(({ text }) => `${text},1\n`).join('')}`);
        try {
          equal(table.columns[0]?.isRounded === true, values.some(isLong));
          await isExact(table, 0, values, [from, to]);
        } finally {
          table.dispose();
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are exact in joined tables, of which some have none and some have no such column', async () => {
    await fc.assert(
      fc.asyncProperty(cells, cells, integer, integer, async (first, second, from, to) => {
        const tables = [
          await texts.table(`id\n${first.map(({ text }) => `${text}\n`).join('')}`),
          await texts.table('x\n1\n'),
          await texts.table(`id\n${second.map(({ text }) => `${text}\n`).join('')}`),
        ];
        try {
          const joined = new JoinedTable(
            tables.map((table, at) => ({ table, label: String(at) })),
            'Job',
          );
          const values = [...first, { value: undefined }, ...second].map(({ value }) => value);
          await isExact(joined, 1, values, [from, to]);
        } finally {
          for (const table of tables) table.dispose();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('may begin late: what was requested before is computed again', async () => {
    const first = 9_007_199_254_740_992n;
    const ids = Array.from({ length: 3000 }, (_, row) =>
      row < 2000 ? BigInt(row) : first + BigInt(row % 7),
    );
    const path = await texts.file(`id\n${ids.join('\n')}\n`);
    const { table, finish } = await startTable(path, {});
    const view = new TableView(table);
    const sort = [{ column: 0, descending: true }];
    const early: Promise<unknown>[] = [];
    const changes: boolean[] = [];
    await finish(undefined, (_, changed) => {
      if (changed) changes.push(table.columns[0]?.isRounded === true);
      if (early.length === 0) early.push(view.rows({ sort }));
    });
    await Promise.all(early);
    equal(changes[0], true);
    await isExact(table, 0, ids, [first + 1n, first + 5n]);
    deepEqual([...((await view.rows({ sort })).order ?? [])], orderOf(ids, true));
    table.dispose();
  });

  it('are exact too where columns are read on demand', async () => {
    const ids = Array.from({ length: 2000 }, (_, row) => 2n ** 63n + BigInt((row * 7919) % 2000));
    const table = await texts.table(`id\n${ids.join('\n')}\n`, { budget: 1 });
    equal(table.isReduced, true);
    await isExact(table, 0, ids, [ids[5] ?? 0n, ids[9] ?? 0n]);
  });

  it('are grouped by their digits', async () => {
    const table = await texts.table(
      'id,n\n18446744073709551615,1\n18446744073709551614,2\n018446744073709551615,4\n',
    );
    const all = { rows: undefined, count: 3 };
    const { groups } = await groupRows(table, { by: [0], measures: [1], limit: 9 }, all);
    deepEqual(
      groups.map(({ keys, measures }) => [keys[0], measures[0]?.sum]),
      [
        ['18446744073709551615', 5],
        ['18446744073709551614', 2],
      ],
    );
  });

  it('are not taken for others with an end of a range, also in a column without any', async () => {
    const view = await texts.view('id\n9007199254740992\n9007199254740994\n');
    const left = async (from: RangeEnd) => [
      ...((await view.filteredRows([{ kind: 'range', column: 0, from, to: null }])).rows ?? []),
    ];
    deepEqual(await left(9007199254740992), [0, 1]);
    deepEqual(await left('9007199254740993'), [1]);
    await rejects(left('9007199254740993.5'), error => isCoded(error, 'bad-request'));
  });

  it('stay texts where they are longer than doubles reach', async () => {
    const digits = '9'.repeat(400);
    const table = await texts.table(`id\n${digits}\n${digits.slice(1)}8\n1e400\n`);
    equal(table.columns[0]?.kind, 'text');
    deepEqual(allCells(table).flat(), [digits, `${digits.slice(1)}8`, '1e400']);
    const sort = [{ column: 0, descending: false }];
    deepEqual([...((await new TableView(table).rows({ sort })).order ?? [])], [2, 1, 0]);
  });

  it('are none where numbers have decimals or an exponent', async () => {
    const table = await texts.table('a,b,c\n9007199254740993.5,9.007199254740993e15,9007199254740992\n');
    deepEqual(
      table.columns.map(({ isRounded }) => isRounded),
      [undefined, undefined, undefined],
    );
  });
});
