import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import {
  type ColumnStatisticId,
  columnStatistics,
  type GroupOrder,
} from '../../../../../src/columns/columnStatistics';
import { ExtendedTable } from '../../../../../src/columns/engine/read/addedColumns';
import { columnStatisticsOf } from '../../../../../src/columns/engine/statistics/columnStatisticsOf';
import {
  groupColumns,
  groupKeys,
  groupOrder,
  groupRows,
  groupTable,
} from '../../../../../src/columns/engine/statistics/groups';
import { TableTexts } from '../tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

const statistics: ColumnStatisticId[] = (Object.keys(columnStatistics) as ColumnStatisticId[]).filter(
  id => id !== 'distinct',
);
const [CLASS, PLATE, AREA] = [0, 1, 2] as const;

const row = fc.record({
  class: fc.constantFrom('Nucleus', 'nucleus', 'a2', 'a10', '', '"Debris, dark"'),
  plate: fc.constantFrom('1', '1.0', '01', '2', '10', 'NA', ''),
  area: fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(String) },
    fc.constantFrom('', 'NA', '1e300', '-0', '0'),
  ),
  isShown: fc.boolean(),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

const quoted = (cell: string) => cell.replaceAll('"', '');
/** What the key of a row is in a column: the text, or the number; undefined for missing. */
const keyOf = (of: Row, column: number): string | number | undefined => {
  if (column === CLASS) return of.class === '' ? undefined : quoted(of.class);
  return /\d/.test(of.plate) ? Number(of.plate) : undefined;
};

/** Rows by their keys, in the order in which these appear. */
function naiveGroups(rows: readonly { of: Row; at: number }[], by: readonly number[]) {
  const groups = new Map<string, { of: Row; at: number }[]>();
  for (const each of rows) {
    const key = JSON.stringify(by.map(column => keyOf(each.of, column) ?? null));
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

function naiveMedian(areas: readonly number[]): number | null {
  const sorted = [...areas].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) return null;
  return low === high ? low : low + (high - low) * 0.5;
}

describe('A table of groups', () => {
  it('has the groups of a naive search, with the statistics that their rows have as a column', async () => {
    const grouping = fc.constantFrom([CLASS], [PLATE], [CLASS, PLATE], [PLATE, CLASS]);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), grouping, async (all, by) => {
        const lines = all.map(each => [each.class, each.plate, each.area].join());
        const table = await texts.table(`class,plate,area\nx,1,1\n${lines.join('\n')}\n`);
        const shown = all.flatMap((of, at) => (of.isShown ? [{ of, at: at + 1 }] : []));
        const subset = { rows: Uint32Array.from(shown, ({ at }) => at), count: shown.length };
        const spec = { by, measures: [AREA, PLATE], statistics };
        const found = await groupTable(table, spec, subset);
        const expected = naiveGroups(shown, by);
        equal(found.total, expected.length);
        const positions = expected.map((_, at) => at);
        deepEqual(
          groupKeys(table, by, found, positions),
          expected.map(([first]) =>
            by.map(column => {
              if (!first || keyOf(first.of, column) === undefined) return null;
              return column === CLASS ? quoted(first.of.class) : first.of.plate;
            }),
          ),
        );
        const { groups } = await groupRows(table, { ...spec, limit: 100 }, subset);
        for (const [group, rows] of expected.entries()) {
          equal(found.counts[group], rows.length);
          equal(found.firstRows[group], rows[0]?.at);
          const own = { rows: Uint32Array.from(rows, ({ at }) => at), count: rows.length };
          for (const [place, column] of spec.measures.entries()) {
            const exact = await columnStatisticsOf(table, column, own);
            const value = (id: ColumnStatisticId) => {
              const number = found.values[place * statistics.length + statistics.indexOf(id)]?.[group];
              return number === undefined || Number.isNaN(number) ? null : number;
            };
            for (const id of statistics) {
              equal(value(id), exact[id], id);
              equal(groups[group]?.measures[place]?.[id], exact[id], id);
            }
            if (column !== AREA) continue;
            const areas = rows.flatMap(({ of }) => (/\d/.test(of.area) ? [Number(of.area)] : []));
            equal(value('count'), areas.length);
            equal(value('missing'), rows.length - areas.length);
            // −0 is 0.
            ok((value('median') ?? NaN) === naiveMedian(areas) || areas.length === 0);
            const mean = areas.reduce((sum, area) => sum + area, 0) / areas.length;
            if (areas.length > 0)
              ok(Math.abs((value('mean') ?? NaN) - mean) <= 1e-9 * Math.max(1, Math.abs(mean)) + 1e-6);
          }
        }
        for (const [place, column] of spec.measures.entries()) {
          const exact = await columnStatisticsOf(table, column, subset);
          deepEqual(
            statistics.map((_, at) => found.all.values[place * statistics.length + at]),
            statistics.map(id => exact[id] ?? NaN),
          );
        }
        equal(found.all.rows, shown.length);
      }),
      { numRuns: 60 },
    );
  });

  it('has the same of large groups, rows of which follow each other or not, by columns of images too', async () => {
    const count = 12_000;
    // Of images and of wells, some rows have none; lines without a well end before it.
    const imageOf = (at: number) => Math.floor(at / 500);
    const lines = Array.from({ length: count }, (_, at) => {
      const value = at % 11 === 3 ? 'NA' : String(((at * 7919) % count) / (at % 5 === 0 ? 7 : 1000));
      const image = imageOf(at) % 7 === 0 ? '' : `${imageOf(at)}.tif`;
      return `${image},${value},${(at * 31) % 9 === 0 ? at % 2 : ''},c${(at * 7) % 4}${at % 3 === 0 ? ',W' : at % 3 === 1 ? ',' : ''}`;
    });
    const table = new ExtendedTable(await texts.table(`image,value,few,class,well\n${lines.join('\n')}\n`));
    const keys = Array.from({ length: count / 500 }, (_, image) => `${image}.tif`);
    const dose = keys.map((_, image) => (image % 3 === 0 ? '' : String(image % 3)));
    const donor = keys.map((_, image) => `donor ${image % 4}`);
    table.set({
      keyColumn: 0,
      keys,
      columns: [
        { name: 'Dose', values: dose },
        { name: 'Donor', values: donor },
      ],
    });
    const [VALUE, FEW, KIND, WELL, DOSE, DONOR] = [1, 2, 3, 4, 5, 6] as const;
    const all = { rows: undefined, count };
    const some = { rows: Uint32Array.from({ length: count / 2 }, (_, at) => 2 * at), count: count / 2 };
    for (const subset of [all, some])
      for (const by of [
        [DONOR],
        [KIND],
        [WELL],
        [DONOR, DOSE],
        [DOSE, KIND],
        [WELL, DONOR],
        [0, WELL],
        [DOSE, WELL, KIND],
      ]) {
        const found = await groupTable(table, { by, measures: [VALUE, FEW], statistics }, subset);
        const cells = table.cells(subset.rows ?? Array.from({ length: count }, (_, at) => at), by, 99).rows;
        const rowsOf = new Map<string, number[]>();
        cells.forEach((texts, at) => {
          const key = JSON.stringify(texts);
          const rows = rowsOf.get(key) ?? [];
          rows.push(subset.rows?.[at] ?? at);
          rowsOf.set(key, rows);
        });
        equal(found.total, rowsOf.size);
        for (const [group, rows] of [...rowsOf.values()].entries()) {
          const own = { rows: Uint32Array.from(rows), count: rows.length };
          equal(found.counts[group], rows.length);
          equal(found.firstRows[group], rows[0]);
          for (const [place, column] of [VALUE, FEW].entries()) {
            const exact = await columnStatisticsOf(table, column, own);
            for (const [at, id] of statistics.entries())
              equal(found.values[place * statistics.length + at]?.[group], exact[id] ?? NaN, id);
          }
        }
        const exact = await columnStatisticsOf(table, VALUE, subset);
        deepEqual(
          found.all.values.slice(0, statistics.length),
          statistics.map(id => exact[id] ?? NaN),
        );
      }
  });

  it('is sorted by keys, rows and statistics, missing values last', async () => {
    const table = await texts.table('c,i,v\na10,2,5\n,10,1\na2,,1\na10,2,7\na2,NA,\nb,1,\n');
    const subset = { rows: undefined, count: 6 };
    const spec = { by: [0, 1], measures: [2], statistics: ['mean', 'count'] as const };
    const groups = await groupTable(table, spec, subset);
    const keysBy = async (of: GroupOrder['of'], descending = false) => {
      const order = await groupOrder(table, spec.by, groups, { of, descending });
      return groupKeys(table, spec.by, groups, order).map(([first]) => first);
    };
    deepEqual(await keysBy({ kind: 'key', key: 0 }), ['a2', 'a10', 'b', null]);
    deepEqual(await keysBy({ kind: 'key', key: 0 }, true), ['b', 'a10', 'a2', null]);
    deepEqual(await keysBy({ kind: 'key', key: 1 }), ['b', 'a10', null, 'a2']);
    deepEqual(await keysBy({ kind: 'rows' }, true), ['a10', 'a2', null, 'b']);
    deepEqual(await keysBy({ kind: 'value', value: 0 }, true), ['a10', null, 'a2', 'b']);
    deepEqual(await keysBy({ kind: 'value', value: 1 }), ['b', null, 'a2', 'a10']);
  });

  it('has a limit of statistics, and can be canceled', async () => {
    const rows = Array.from({ length: 70_000 }, (_, at) => `${at},${at % 7}`);
    const table = await texts.table(`id,v\n${rows.join('\n')}\n`);
    const subset = { rows: undefined, count: rows.length };
    const measures = Array.from({ length: 32 }, () => 1);
    await rejects(groupTable(table, { by: [0], measures, statistics }, subset), error =>
      isCoded(error, 'too-many-objects'),
    );
    const stop = new AbortController();
    const made = groupTable(
      table,
      { by: [0], measures: [1, 1, 1], statistics: ['mean'] },
      subset,
      stop.signal,
    );
    setImmediate(() => stop.abort());
    await rejects(made, error => isCoded(error, 'cancelled'));
  });

  it('is likely to be by text, and by integers with few different values', async () => {
    const rows = Array.from(
      { length: 200 },
      (_, at) => `w${at % 3},${at},${at % 4},${(at % 4) + 0.5},,${at % 60}`,
    );
    const table = await texts.table(`well,id,plate,half,none,many\n${rows.join('\n')}\n`);
    const named = async (readNumbers: boolean) =>
      (await groupColumns(table, readNumbers)).map(index => table.columns[index]?.name);
    deepEqual(await named(true), ['well', 'plate', 'none']);
    deepEqual(await named(false), ['well', 'none']);
    const few = await texts.table('well,plate\na,1\nb,2\n');
    deepEqual(await groupColumns(few, true), [0]);
  });
});
