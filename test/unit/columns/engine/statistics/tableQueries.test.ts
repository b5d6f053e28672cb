import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import { distinctTexts } from '../../../../../src/columns/engine/statistics/distinctTexts';
import type { Filter, PlotWindow } from '../../../../../src/columns/viewSpec';
import { findMatches, type FindRequest, findText } from '../../../../../src/columns/engine/findText';
import {
  columnStatisticsOf,
  constantColumns,
  countMissing,
  selectionStatistics,
} from '../../../../../src/columns/engine/statistics/columnStatisticsOf';
import { groupRows } from '../../../../../src/columns/engine/statistics/groups';
import { histogram, histogramAmong } from '../../../../../src/columns/engine/statistics/histogram';
import { findLevels } from '../../../../../src/columns/engine/statistics/levels';
import { binsOf, rangeOfBins } from '../../../../../src/pages/page/widgets/columnHistogram';
import { rowsInLasso, scatterPoints } from '../../../../../src/columns/engine/statistics/scatterPoints';
import type { Table } from '../../../../../src/columns/engine/read/table';
import { TableTexts, type Viewed } from '../tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

const objects =
  'Image origin,Object ID,Class,Area\n' +
  'a.tif,1,Cell,10\n' +
  'a.tif,2,Debris,2.5\n' +
  'b.tif,1,cell,\n' +
  'b.tif,2,Cell,30\n' +
  'b.tif,3,,NA\n' +
  'c.tif,1,Nucleus,20\n';

async function left(filters: Filter[], text = objects): Promise<number[]> {
  return (await (await texts.view(text)).window(0, 99, [], filters)).fileRows;
}

describe('filters', () => {
  it('match numbers in a range with both its ends', async () => {
    assert.deepEqual(await left([{ kind: 'range', column: 3, from: 10, to: 30 }]), [0, 3, 5]);
    assert.deepEqual(await left([{ kind: 'range', column: 3, from: null, to: 10 }]), [0, 1]);
  });

  it('match a set of texts, or all but those', async () => {
    assert.deepEqual(await left([{ kind: 'values', column: 2, values: ['Cell', 'Debris'] }]), [0, 1, 3]);
    assert.deepEqual(await left([{ kind: 'values', column: 2, values: ['Cell'], missing: true }]), [0, 3, 4]);
    assert.deepEqual(
      await left([{ kind: 'values', column: 2, values: ['Cell'], exclude: true }]),
      [1, 2, 4, 5],
    );
    assert.deepEqual(await left([{ kind: 'values', column: 3, values: ['2.5'], missing: true }]), [1, 2, 4]);
  });

  it('match texts that contain, equal or match a pattern', async () => {
    const text = (match: 'contains' | 'equals' | 'regex', wanted: string, caseSensitive = false): Filter => ({
      kind: 'text',
      column: 2,
      match,
      text: wanted,
      caseSensitive,
    });
    assert.deepEqual(await left([text('contains', 'CE')]), [0, 2, 3]);
    assert.deepEqual(await left([text('equals', 'cell', true)]), [2]);
    assert.deepEqual(await left([text('regex', '^(cell|nuc)', false)]), [0, 2, 3, 5]);
    assert.deepEqual(await left([{ ...text('contains', 'e'), exclude: true } as Filter]), [4]);
  });

  it('never find text in the missing cells of a column of numbers', async () => {
    const table = 'n\n1\nNA\n21\n\nnan\n3\n';
    const containing = { kind: 'text', column: 0, match: 'contains' } as const;
    assert.deepEqual(await left([{ ...containing, text: 'n' }], table), []);
    assert.deepEqual(await left([{ ...containing, text: '1' }], table), [0, 2]);
    assert.deepEqual(await left([{ ...containing, text: 'a', exclude: true }], table), [0, 1, 2, 3, 4, 5]);
  });

  it('run a regular expression in linear time, and report errors in one', async () => {
    const text = `t,u\n${'a'.repeat(4000)}b,1\n`;
    assert.deepEqual(await left([{ kind: 'text', column: 0, match: 'regex', text: '^(a+)+$' }], text), []);
    const refused = (text: string) => left([{ kind: 'text', column: 2, match: 'regex', text }]);
    for (const [pattern, reason] of [
      ['(', 'missing closing )'],
      ['x[z-a]', 'invalid character class range: z-a'],
    ] as const)
      await assert.rejects(
        refused(pattern),
        error =>
          isCoded(error, 'bad-request') &&
          error.message === `The regular expression cannot be read: ${reason}`,
      );
  });

  it('match missing cells, or those that have a value', async () => {
    assert.deepEqual(await left([{ kind: 'missing', column: 3, missing: true }]), [2, 4]);
    assert.deepEqual(await left([{ kind: 'missing', column: 2, missing: false }]), [0, 1, 2, 3, 5]);
  });

  it('combine, with sets of rows and under a sort', async () => {
    const view = await texts.view(objects);
    const { set, rows } = view.addSet(Uint32Array.of(3, 0, 5, 3, 99));
    assert.equal(rows, 3);
    const filters: Filter[] = [
      { kind: 'rowSet', set },
      { kind: 'range', column: 3, from: 15, to: null },
    ];
    const sort = [{ column: 3, descending: true }];
    assert.deepEqual((await view.window(0, 9, sort, filters)).fileRows, [3, 5]);
    assert.equal(await view.position(5, { sort, filters }), 1);
    assert.equal(await view.position(0, { sort, filters }), -1);
    assert.equal(await view.position(5, { sort: [], filters }), 1);
    view.addSet(Uint32Array.of(1), set);
    await assert.rejects(
      view.window(0, 9, [], [{ kind: 'rowSet', set }, filters[1] as Filter, filters[1] as Filter]),
      error => isCoded(error, 'bad-request'),
    );
  });

  it('agree with a check of each row, in every order', async () => {
    const numbers = fc.constantFrom('', '1', '2', '2.0', '-3', 'NA', '1e3', '-0', '0');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(numbers, numbers), { minLength: 1, maxLength: 40 }),
        fc.double({ min: -4, max: 4, noNaN: true }),
        fc.double({ min: -4, max: 4, noNaN: true }),
        fc.boolean(),
        async (cells, from, to, descending) => {
          const view = await texts.view(`n,m,t\n${cells.map(row => `${row.join(',')},x`).join('\n')}\n`);
          const value = (text: string) => (text === '' || text === 'NA' ? NaN : Number(text));
          // A column without any number is one of texts.
          if (![0, 1].every(column => cells.some(row => !Number.isNaN(value(row[column] ?? ''))))) return;
          const expected = cells
            .map(([n, m], row) => ({ n: value(n), m: value(m), row }))
            .filter(({ n }) => n >= from && n <= to)
            .sort((a, b) => {
              if (Number.isNaN(a.m) || Number.isNaN(b.m))
                return Number(Number.isNaN(a.m)) - Number(Number.isNaN(b.m)) || a.row - b.row;
              return (descending ? b.m - a.m : a.m - b.m) || a.row - b.row;
            })
            .map(({ row }) => row);
          const sort = [{ column: 1, descending }];
          const filters: Filter[] = [{ kind: 'range', column: 0, from, to }];
          assert.deepEqual((await view.window(0, 99, sort, filters)).fileRows, expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('statistics of a column', () => {
  it('match docs/measurements.md and distinguish kinds of missing values', async () => {
    const table = await texts.table('n,t\n4,a\n1,b\nNA,\n2,a\n,c\nNaN,c\n3,c\nnull,c\n-,c\n');
    const all = { rows: undefined, count: table.rowCount };
    assert.deepEqual(await columnStatisticsOf(table, 0, all), {
      column: 0,
      count: 4,
      sum: 10,
      mean: 2.5,
      sd: Math.sqrt(5 / 3),
      min: 1,
      q1: 1.75,
      median: 2.5,
      q3: 3.25,
      max: 4,
      missing: 5,
      infinite: 0,
      missingKinds: { empty: 1, NA: 1, NaN: 1, null: 1, other: 1, absent: 0 },
      distinct: 4,
    });
    const some = { rows: Uint32Array.of(2, 3, 5), count: 3 };
    const statistics = await columnStatisticsOf(table, 0, some);
    assert.deepEqual(
      [statistics.count, statistics.sd, statistics.missingKinds.NA, statistics.missingKinds.NaN],
      [1, null, 1, 1],
    );
    const words = await columnStatisticsOf(table, 1, all);
    assert.deepEqual([words.count, words.distinct, words.missingKinds.empty, words.mean], [8, 3, 1, null]);
  });

  it('count infinite numbers, which have their places and are in no mean', async () => {
    const table = await texts.table('n\n1\n2\n3\ninf\n1e400\n');
    const statistics = await columnStatisticsOf(table, 0, { rows: undefined, count: 5 });
    assert.deepEqual(
      [
        statistics.count,
        statistics.min,
        statistics.q1,
        statistics.median,
        statistics.q3,
        statistics.max,
        statistics.mean,
      ],
      [5, 1, 2, 3, Infinity, Infinity, 2],
    );
    assert.deepEqual([statistics.infinite, statistics.sd, statistics.sum], [2, 1, 6]);
  });

  it('stay exact where sums are large', async () => {
    const table = await texts.table(`n,m\n${[1e16, 1, -1e16, 1].map(n => `${n},0`).join('\n')}\n`);
    const statistics = await columnStatisticsOf(table, 0, { rows: undefined, count: 4 });
    assert.equal(statistics.sum, 2);
    const near = await texts.table(
      `n,m\n${[1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16].map(n => `${n},0`).join('\n')}\n`,
    );
    assert.equal((await columnStatisticsOf(near, 0, { rows: undefined, count: 4 })).sd, Math.sqrt(30));
  });

  it('have a histogram of all rows and of those that filters leave', async () => {
    const view = await texts.view('n,m\n0,1\n1,1\n2,1\n3,2\n4,2\nInf,2\n,2\n');
    const subset = await view.filteredRows([{ kind: 'range', column: 1, from: 2, to: 2 }]);
    const { min, max, all, filtered } = await histogram(view.table, { column: 0, bins: 2 }, subset);
    assert.deepEqual([min, max, [...all], [...filtered]], [0, 4, [2, 3], [0, 2]]);
    const one = await texts.table('n,m\n5,1\n5,1\n');
    const single = await histogram(one, { column: 0, bins: 4 }, { rows: undefined, count: 2 });
    assert.deepEqual([...single.all], [2, 0, 0, 0]);
    const wide = await texts.table('n,m\n-1.7e308,1\n1.7e308,1\n1e307,1\n');
    const far = await histogram(wide, { column: 0, bins: 4 }, { rows: undefined, count: 3 });
    assert.deepEqual([...far.all], [1, 0, 1, 1]);
  });

  it('have as many integers in each bin of a histogram', async () => {
    for (const [distinct, times] of [
      [16, 60],
      [17, 100],
      [67, 30],
      [6, 4],
      [1000, 2],
    ] as const) {
      const numbers = Array.from({ length: distinct * times }, (_, row) => (row % distinct) - 3);
      const view = await texts.view(`n,m\n${numbers.map(number => `${number},1\n`).join('')}`);
      const { min, max, integers, all } = await histogram(
        view.table,
        { column: 0 },
        { rows: undefined, count: numbers.length },
      );
      assert.deepEqual([min, max], [-3, distinct - 4]);
      assert.ok(integers && all.length >= 5 && all.length <= 64);
      // Only the last bin may be of fewer integers.
      assert.ok(
        all.subarray(0, -1).every(count => count === integers * times),
        `${distinct}: ${all.join()}`,
      );
    }
    // With few integers, each has a bin, and all the same bins between them.
    const few = await texts.table('n,m\n0,1\n1,1\n2,1\n3,1\n');
    assert.deepEqual(
      [...(await histogram(few, { column: 0 }, { rows: undefined, count: 4 })).all],
      [1, 0, 1, 0, 1, 0, 1],
    );
  });

  it('have a histogram whose bins have as many rows as a filter from one end of a bin to the other leaves', async () => {
    // Between the smallest numbers, and beyond the largest, there may be no others.
    const double = (size: number) =>
      fc
        .double({ min: -size, max: size, noNaN: true })
        .filter(value => value === 0 || Math.abs(value) > 1e-290);
    const integer = fc.integer({ min: -40, max: 200 });
    const tenths = fc.integer({ min: -40, max: 900 }).map(count => count / 10);
    const columns = fc.oneof(
      ...[
        integer,
        tenths,
        double(1),
        double(8e307),
        fc.constantFrom(-1.7e308, 1e307, 1.2e307, 1.7e308),
        fc.constantFrom(7.5, 7.500000000000001, 8),
        fc.integer({ min: 0, max: 40 }).map(more => 2 ** 52 + more),
        fc.oneof(integer, tenths, double(1000)),
      ].map(each => fc.array(fc.oneof({ weight: 20, arbitrary: each }, fc.constant('')), { minLength: 1 })),
    );
    const places = fc.tuple(fc.nat(63), fc.nat(63));
    const part = fc.option(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.01, max: 1, noNaN: true })),
    );
    await fc.assert(
      fc.asyncProperty(
        columns,
        fc.subarray(['inf', '-inf']),
        part,
        places,
        async (cells, infinite, share, [a, b]) => {
          const view = await texts.view(
            `n,m\n${[...cells, ...infinite].map(cell => `${cell},1\n`).join('')}`,
          );
          const all = { rows: undefined, count: view.table.rowCount };
          const { min: least, max: most } = await histogram(view.table, { column: 0 }, all);
          fc.pre(least !== null && most !== null && (!share || Number.isFinite(most - least)));
          // All of the way from the smallest number, rounding may pass the largest.
          const low = Math.min(most, least + (share?.[0] ?? 0) * (most - least));
          const high = Math.min(most, low + (share?.[1] ?? 0) * (most - least));
          const range = share ? ([low, high] as const) : undefined;
          const { min, max, ...counted } = await histogram(view.table, { column: 0, range }, all);
          if (min === null || max === null) throw new Error('no bins');
          const counts = [...counted.all];
          const bins = { low: min, high: max, all: counts, shown: counts, ends: [...(counted.ends ?? [])] };
          const [first, last] = [a % counts.length, b % counts.length];
          const span = [Math.min(first, last), Math.max(first, last)] as const;
          for (const [from, to] of [span, ...counts.map((_, bin) => [bin, bin] as const)]) {
            const { min: start, max: end } = rangeOfBins(bins, from, to);
            const filter: Filter = { kind: 'range', column: 0, from: start, to: end };
            const rows = counts.slice(from, to + 1).reduce((sum, count) => sum + count);
            // Cells without a number match no range, and an open one is no filter.
            const isOpen = start === null && end === null;
            if (!isOpen)
              assert.equal(
                (await view.filteredRows([filter])).count,
                rows,
                JSON.stringify({ from, to, start, end }),
              );
            if (counts[from] && counts[to])
              assert.deepEqual(binsOf(bins, { min: start, max: end }), [from, to]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('have bins in a histogram that end at numbers that are read easily', async () => {
    const values = Array.from({ length: 2000 }, (_, row) => 40 + 60 * Math.abs(Math.sin(row * row)));
    const view = await texts.view(`n,m\n${values.map(value => `${value},1\n`).join('')}`);
    const { ends, all } = await histogram(view.table, { column: 0 }, { rows: undefined, count: 2000 });
    assert.ok(ends && all.length > 8);
    for (const end of ends.subarray(1, -1)) assert.ok(String(end).length <= 5, String(end));
  });

  it('have bins of a histogram between their numbers, also where many are at the edge of two bins', async () => {
    // Bins are one wide, and their edges numbers of the column.
    const values = Array.from({ length: 1101 }, (_, row) => row / 100);
    const view = await texts.view(`n,m\n${values.map(value => `${value},1\n`).join('')}`);
    const { ends, all } = await histogram(view.table, { column: 0 }, { rows: undefined, count: 1101 });
    assert.deepEqual([...all], [...new Array<number>(10).fill(100), 101]);
    assert.deepEqual([...(ends ?? [])].slice(0, 4), [-Infinity, 0.999, 0.999, 1.999]);
  });

  it('have a histogram of a part of their numbers', async () => {
    const view = await texts.view('n,i,m\n0.5,0,1\n1,1,1\n1.25,2,1\n1.5,3,2\n9,4,2\n');
    const all = { rows: undefined, count: 5 };
    const part = await histogram(view.table, { column: 0, bins: 2, range: [1, 2] }, all);
    assert.deepEqual([part.min, part.max, [...part.all]], [1, 2, [2, 1]]);
    // Of integers those are counted whose half on either side reaches into the part.
    const integers = await histogram(view.table, { column: 1, bins: 3, range: [0.6, 2.4] }, all);
    assert.deepEqual([integers.min, integers.max, [...integers.all]], [1, 2, [1, 0, 1]]);
    const few = await histogram(view.table, { column: 1, range: [0.6, 2.4] }, all);
    assert.deepEqual([few.min, few.max, few.integers, [...few.all]], [1, 2, 1, [1, 1]]);
    const none = await histogram(view.table, { column: 1, bins: 3, range: [Infinity, -Infinity] }, all);
    assert.deepEqual([none.min, none.max], [null, null]);
    // A part without any number, or with integers alone, is not one of integers.
    for (const range of [
      [0.95, 0.99],
      [0.9, 1.1],
    ] as const) {
      const between = await histogram(view.table, { column: 0, range }, all);
      assert.deepEqual([between.min, between.max, between.integers], [...range, undefined]);
    }
    const among = await view.filteredRows([{ kind: 'range', column: 2, from: 1, to: 1 }]);
    const counted = { column: 0, bins: 2, range: [1, 2], among } as const;
    const amongSome = await histogramAmong(view.table, counted, all);
    assert.deepEqual([amongSome.min, amongSome.max, [...amongSome.all]], [1, 2, [2, 0]]);
  });

  it('have a histogram of some rows in the same bins, also if more rows are read meanwhile', async () => {
    const integers = Array.from({ length: 200 }, (_, row) => `${row % 50},1\n`).join('');
    const table = await texts.table(`n,m\n${integers}`);
    const longer = await texts.table(`n,m\n${integers}${'0.5,1\n49,1\n'.repeat(5000)}`);
    let requests = 0;
    const growing = Object.create(table, {
      rowCount: { get: () => (requests > 2 ? longer : table).rowCount },
      numbers: { value: (column: number) => (requests++ < 2 ? table : longer).numbers(column) },
    }) as typeof table;
    const among = { rows: Uint32Array.from({ length: 200 }, (_, row) => row), count: 200 };
    const { all, filtered } = await histogramAmong(growing, { column: 0, among }, among);
    assert.deepEqual([...filtered], [...all]);
  });

  it('have every integer in a histogram, however large', async () => {
    const low = 2 ** 52 + 1;
    const table = await texts.table(`n,m\n${[0, 1, 2, 3, 4, 9].map(more => `${low + more},1\n`).join('')}`);
    const all = { rows: undefined, count: 6 };
    for (const range of [undefined, [low, low + 9] as const]) {
      const counted = await histogram(table, { column: 0, range }, all);
      assert.deepEqual([counted.min, counted.max], [low, low + 9]);
      // Half-way between two of them is no number.
      assert.equal(counted.integers, undefined);
      assert.equal(
        counted.all.reduce((sum, count) => sum + count),
        6,
      );
    }
  });

  it('have their most frequent texts', async () => {
    const table = await texts.table(objects);
    const all = { rows: undefined, count: 6 };
    assert.deepEqual(await distinctTexts(table, { column: 2, limit: 2 }, all), {
      values: [
        { text: 'Cell', count: 2 },
        { text: 'Debris', count: 1 },
      ],
      distinct: 4,
      missing: 1,
    });
    assert.deepEqual((await distinctTexts(table, { column: 2, limit: 9, search: 'NUC' }, all)).values, [
      { text: 'Nucleus', count: 1 },
    ]);
  });
});

describe('rows of a table', () => {
  it('are grouped by one or two columns', async () => {
    const table = await texts.table('c,i,v\nx,1,1\ny,1.0,2\nx,1,4\n,2,8\nx,2,\n');
    const all = { rows: undefined, count: 5 };
    const { groups, total } = await groupRows(table, { by: [0], measures: [2], limit: 10 }, all);
    assert.equal(total, 3);
    assert.deepEqual(
      groups.map(({ keys, rows, measures }) => [
        keys,
        rows,
        measures[0]?.mean,
        measures[0]?.median,
        measures[0]?.count,
      ]),
      [
        [['x'], 3, 2.5, 2.5, 2],
        [['y'], 1, 2, 2, 1],
        [[null], 1, 8, 8, 1],
      ],
    );
    const pairs = await groupRows(table, { by: [1, 0], measures: [], limit: 2 }, all);
    assert.equal(pairs.total, 4);
    assert.deepEqual(
      pairs.groups.map(({ keys }) => keys),
      [
        ['1', 'x'],
        ['1.0', 'y'],
      ],
    );
    const ids = await groupRows(table, { by: [1], measures: [], limit: 9 }, all);
    assert.deepEqual(
      ids.groups.map(({ keys, rows }) => [keys[0], rows]),
      [
        ['1', 3],
        ['2', 2],
      ],
    );
  });

  it('are distinguished where an aggregate table has groups and images', async () => {
    const named = await texts.table('Level,Name,N\nGroup,All,9\nImage,a.tif,4\nImage,b.tif,5\n');
    const levels = await findLevels(named);
    assert.deepEqual([levels?.column, levels?.groupRows, levels?.imageRows], [0, 1, 2]);
    const empty = await texts.table('Image,N\n,9\na.tif,4\nb.tif,5\n');
    const byImage = await findLevels(empty);
    assert.deepEqual([byImage?.column, byImage?.groupRows, byImage?.imageRows], [0, 1, 2]);
    assert.equal(await findLevels(await texts.table(objects)), null);
  });

  it('are points: all, sampled, or counted in a grid', async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `${at},${100 - at},${at % 3 === 0 ? 'a' : 'b'}`);
    const table = await texts.table(`x,y,c\n${lines.join('\n')}\n,1,a\n`);
    const all = { rows: undefined, count: 101 };
    const few = await scatterPoints(table, { x: 0, y: 1, color: 2, limit: 10 }, { subset: all });
    assert.deepEqual(
      [few.total, few.shown, few.sampled, few.xRange, few.yRange],
      [100, 10, true, [0, 99], [1, 100]],
    );
    // One of each ten rows.
    assert.deepEqual(
      [...few.x].map(x => Math.floor(x / 10)),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    assert.deepEqual([...few.rows], [...few.x]);
    assert.deepEqual(few.colorValues, ['b', 'a']);
    assert.deepEqual(
      [...(few.color ?? [])],
      [...few.x].map(x => (x % 3 === 0 ? 1 : 0)),
    );
    const whole = await scatterPoints(table, { x: 0, y: 1, limit: 1000, bins: 2 }, { subset: all });
    assert.deepEqual([whole.shown, whole.sampled, whole.counts], [100, false, undefined]);
    const grid = await scatterPoints(table, { x: 0, y: 1, limit: 1, bins: 2 }, { subset: all });
    assert.deepEqual([...(grid.counts ?? [])], [0, 50, 50, 0]);
  });

  it('are sampled so that classes which alternate in the file keep their shares', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `${at},1,${at % 10 === 0 ? 'a' : 'b'}`);
    const table = await texts.table(`x,y,c\n${lines.join('\n')}\n`);
    const all = { rows: undefined, count: 10_000 };
    const request = { x: 0, y: 1, color: 2, limit: 1000 };
    const { color, colorValues, rows } = await scatterPoints(table, request, { subset: all });
    assert.deepEqual(colorValues, ['b', 'a']);
    const ofRareClass = [...(color ?? [])].filter(value => value === 1).length;
    // A tenth of the sample, give or take three times the standard deviation.
    assert.ok(ofRareClass > 70 && ofRareClass < 130, `${ofRareClass} of 1000`);
    assert.deepEqual(
      [...rows].map(row => Math.floor(row / 10)),
      Array.from({ length: 1000 }, (_, at) => at),
    );
    assert.deepEqual((await scatterPoints(table, request, { subset: all })).rows, rows);
  });

  it('are points within a window, those filtered out separately, with axes of both', async () => {
    const finite = fc.integer({ min: 0, max: 9 });
    const cell = fc.option(finite, { freq: 8 });
    const row = fc.record({ x: cell, y: cell, isKept: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        fc.tuple(finite, finite, finite, finite),
        async (rows, [a, b, c, d]) => {
          const text = rows.map(({ x, y }) => `${x ?? ''},${y ?? ''}`).join('\n');
          const table = await texts.table(`x,y\n0,0\n${text}\n`);
          const allRows = { rows: undefined, count: rows.length + 1 };
          const kept = Uint32Array.from(rows.flatMap(({ isKept }, at) => (isKept ? [at + 1] : [])));
          const window: PlotWindow = {
            x: [Math.min(a, b), Math.max(a, b)],
            y: [Math.min(c, d), Math.max(c, d)],
          };
          const request = { x: 0, y: 1, limit: 1000, window };
          const subset = { rows: kept, count: kept.length };
          const found = await scatterPoints(table, request, { subset, allRows });
          const all = [{ x: 0, y: 0, isKept: false }, ...rows].map((each, at) => ({ ...each, at }));
          const points = all.filter(({ x, y }) => x !== null && y !== null);
          const inWindow = points.filter(
            ({ x, y }) =>
              (x ?? -1) >= window.x[0] &&
              (x ?? 10) <= window.x[1] &&
              (y ?? -1) >= window.y[0] &&
              (y ?? 10) <= window.y[1],
          );
          const rowsOf = (isKept: boolean) =>
            inWindow.filter(each => each.isKept === isKept).map(({ at }) => at);
          const rangeOf = (among: typeof points, axis: 'x' | 'y') => {
            const values = among.map(each => each[axis] ?? NaN);
            return [Math.min(...values), Math.max(...values)];
          };
          assert.deepEqual([...found.rows], rowsOf(true));
          assert.deepEqual([...(found.filteredOut?.rows ?? [])], rowsOf(false));
          assert.deepEqual([found.xRange, found.yRange], [rangeOf(points, 'x'), rangeOf(points, 'y')]);
          const left = points.filter(({ isKept }) => isKept);
          assert.deepEqual(
            found.fit,
            left.length === 0 ? null : { x: rangeOf(left, 'x'), y: rangeOf(left, 'y') },
          );
          const gridRequest = { ...request, limit: 1, bins: 3 };
          const { counts, total, filteredOut } = await scatterPoints(table, gridRequest, {
            subset,
            allRows,
          });
          const sum = (of: Uint32Array | undefined) => of?.reduce((before, count) => before + count, 0);
          assert.deepEqual([total, filteredOut?.total], [rowsOf(true).length, rowsOf(false).length]);
          if (total > 1) assert.equal(sum(counts), total);
          if ((filteredOut?.total ?? 0) > 1) assert.equal(sum(filteredOut?.counts), filteredOut?.total);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keep the colors of the whole table under a filter', async () => {
    const table = await texts.table('x,y,c,n\n1,1,a,5\n2,2,b,6\n3,3,b,9\n');
    const rows = { subset: { rows: Uint32Array.of(0), count: 1 }, allRows: { rows: undefined, count: 3 } };
    const byText = await scatterPoints(table, { x: 0, y: 1, color: 2, limit: 10 }, rows);
    assert.deepEqual([byText.colorValues, [...(byText.color ?? [])]], [['b', 'a'], [1]]);
    const byNumber = await scatterPoints(table, { x: 0, y: 1, color: 3, limit: 10 }, rows);
    assert.deepEqual([byNumber.colorRange, [...(byNumber.color ?? [])]], [[5, 9], [5]]);
  });

  it('are found inside a polygon', async () => {
    const table = await texts.table('x,y\n1,1\n5,5\n2,3\n,2\n9,1\n');
    const inside = await rowsInLasso(
      table,
      { x: 0, y: 1, polygon: [0, 0, 4, 0, 4, 4, 0, 4] },
      { rows: undefined, count: 5 },
    );
    assert.deepEqual([...inside], [0, 2]);
  });

  it('have statistics of the cells that are selected', async () => {
    const view = await texts.view(objects);
    const rows = await view.rows({ sort: [{ column: 3, descending: true }] });
    const selected = (start: number, end: number, columns: number[]) =>
      selectionStatistics(view.table, rows, { start, end, columns });
    const [third, first] = await selected(0, 3, [3, 1]);
    assert.deepEqual([third?.column, first?.column], [3, 1]);
    assert.deepEqual([third?.numbers, first?.numbers], [3, 3]);
    assert.equal((third?.sum ?? NaN) + (first?.sum ?? NaN), 64);
    assert.deepEqual([third?.mean, first?.mean], [(third?.sum ?? NaN) / 3, (first?.sum ?? NaN) / 3]);
    assert.deepEqual(await selected(4, 6, [3]), []);
  });
});

describe('constant columns', () => {
  it('are those that say the same in every row, empty ones too', async () => {
    const table = await texts.table('Image,ID,Plate,Note\na.tif,1,2.50,\na.tif,2,2.5,\na.tif,3,2.5,\n');
    assert.deepEqual(await constantColumns(table), [
      { column: 0, text: 'a.tif' },
      { column: 2, text: '2.50' },
      { column: 3, text: null },
    ]);
  });

  it('are none where a cell is missing, an integer is rounded, or there is one row', async () => {
    const some = await texts.table('A,B,C\nx,1,9007199254740993\n,1,9007199254740992\nx,,9007199254740993\n');
    assert.deepEqual(await constantColumns(some), []);
    assert.deepEqual(await constantColumns(await texts.table('A,B\nx,1\n')), []);
  });
});

describe('missing numbers', () => {
  it('are counted over all rows and over some', async () => {
    const table = await texts.table('A\n1\nNA\n\n2\n""\n3\n');
    const all = { rows: undefined, count: table.rowCount };
    const naive = Array.from(
      { length: table.rowCount },
      (_, row) => table.cells([row], [0], 99).rows[0]?.[0],
    );
    const missing = naive.map(cell => cell === '' || cell === 'NA');
    assert.equal(await countMissing(table, 0, all), missing.filter(Boolean).length);
    const rows = Uint32Array.of(1, 2, 3);
    assert.equal(
      await countMissing(table, 0, { rows, count: 3 }),
      [1, 2, 3].filter(row => missing[row]).length,
    );
  });
});

describe('counting matches', () => {
  it('finds the cells that a naive search finds, in the order of the view', async () => {
    const view = await texts.view(objects);
    const order = [{ column: 3, descending: true }];
    const { rows: shown } = await view.window(0, 99, order);
    const columns = [2, 0, 3];
    for (const search of [
      { text: 'cell' },
      { text: 'Cell', caseSensitive: true },
      { text: 'a.tif', wholeCell: true },
      { text: '0' },
      { text: '30', wholeCell: true },
      { text: 'nothing' },
    ]) {
      const candidates = await view.table.candidateRows(search.text, search.caseSensitive === true);
      const rows = await view.rows({ sort: order });
      const { cells, isCut } = await findMatches(
        view.table,
        rows,
        { ...search, columns, limit: 99 },
        candidates,
      );
      const plain = (text: string) => (search.caseSensitive ? text : text.toLowerCase());
      const wanted = plain(search.text);
      const naive = shown.flatMap((cells, position) =>
        columns.flatMap((column, place) => {
          const cell = plain(cells[column] ?? '');
          const matches = search.wholeCell ? cell === wanted : cell.includes(wanted);
          return matches ? [position * columns.length + place] : [];
        }),
      );
      assert.deepEqual([[...cells], isCut], [naive, false], search.text);
    }
  });
});

describe('counting up to a limit', () => {
  it('ends with the first matches and says that there are more', async () => {
    const view = await texts.view(objects);
    const rows = await view.rows({ sort: [] });
    const candidates = await view.table.candidateRows('i', false);
    const search = { text: 'i', columns: [0, 1, 2] };
    const all = await findMatches(view.table, rows, { ...search, limit: 99 }, candidates);
    assert.ok(all.cells.length > 2);
    const some = await findMatches(view.table, rows, { ...search, limit: 2 }, candidates);
    assert.deepEqual([[...some.cells], some.isCut], [[...all.cells.subarray(0, 2)], true]);
    const { length } = all.cells;
    assert.equal(
      (await findMatches(view.table, rows, { ...search, limit: length }, candidates)).isCut,
      false,
    );
  });
});

describe('finding text', () => {
  async function places(
    view: Viewed,
    asked: FindRequest,
    filters: Filter[] = [],
  ): Promise<[number, number][]> {
    const rows = await view.rows({ sort: [], filters });
    const candidates = await view.table.candidateRows(asked.text, asked.caseSensitive === true);
    const found: [number, number][] = [];
    let from = asked.from;
    for (;;) {
      const next = await findText(view.table, rows, { ...asked, ...(from && { from }) }, candidates);
      if (!next || found.some(([row, column]) => row === next.row && column === next.column)) return found;
      found.push([next.row, next.column]);
      from = { position: next.position, column: next.column };
    }
  }

  it('goes from cell to cell, wraps around at the end, in both directions', async () => {
    const view = await texts.view(objects);
    const forth: [number, number][] = [
      [0, 2],
      [2, 2],
      [3, 2],
    ];
    assert.deepEqual(await places(view, { text: 'CELL' }), forth);
    assert.deepEqual(await places(view, { text: 'cell', backwards: true }), [...forth].reverse());
    assert.deepEqual(await places(view, { text: 'Cell', caseSensitive: true }), [forth[0], forth[2]]);
    assert.deepEqual(await places(view, { text: 'Cell', from: { position: 2, column: 2 } }), [
      forth[2],
      forth[0],
      forth[1],
    ]);
    assert.deepEqual(await places(view, { text: '2', columns: [1] }), [
      [1, 1],
      [3, 1],
    ]);
    assert.deepEqual(await places(view, { text: 'cell' }, [{ kind: 'range', column: 3, from: 1, to: 99 }]), [
      forth[0],
      forth[2],
    ]);
    assert.deepEqual(await places(view, { text: 'no such' }), []);
  });

  it('finds texts in quotes and beyond ASCII', async () => {
    const view = await texts.view('a,b\n"say ""hi""",x\nGröße,y\n');
    assert.deepEqual(await places(view, { text: 'y "HI"' }), [[0, 0]]);
    assert.deepEqual(await places(view, { text: 'RÖß' }), [[1, 0]]);
    assert.deepEqual(await places(view, { text: 'öß' }), [[1, 0]]);
  });

  it('reads the file and decodes cells no further than the next match', async () => {
    const [ROWS, COLUMNS] = [300, 5000];
    const names = Array.from({ length: COLUMNS }, (_, column) => `c${column}`);
    const row = (at: number) => names.map((_, column) => `${at % 10}${column % 10}`).join(',');
    const view = await texts.view(
      `${names.join(',')}\n${Array.from({ length: ROWS }, (_, at) => row(at)).join('\n')}\n`,
    );
    const { table } = view;
    let [bytes, cells] = [0, 0];
    const { file } = table as Table;
    const read = file.read.bind(file);
    file.read = (...args) => {
      bytes += args[2];
      return read(...args);
    };
    const cellsOf = table.cells.bind(table);
    table.cells = (rows, columns, limit) => {
      cells += rows.length * columns.length;
      return cellsOf(rows, columns, limit);
    };
    const candidates = await table.candidateRows('25', false);
    const found = await findText(table, await view.rows({ sort: [] }), { text: '25' }, candidates);
    assert.deepEqual(found, { position: 2, row: 2, column: 5 });
    assert.ok(cells <= 10 * COLUMNS, `${cells} cells`);
    assert.ok(bytes <= 2_000_000, `${bytes} bytes of ${ROWS * row(0).length}`);
  });
});
