import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Filter } from '../../../../../src/columns/viewSpec';
import { keyFilter, type PageFilter } from '../../../../../src/table/page/filterList';
import {
  areFiltersOfGroup,
  selectedGroup,
  withGroup,
} from '../../../../../src/table/page/state/groupSelection';
import { groupRows } from '../../../../../src/columns/engine/statistics/groups';
import { TableTexts } from '../../../columns/engine/tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

const page = (...filters: Filter[]): PageFilter[] => filters.map(filter => ({ filter }));
const values = (column: number, ...named: string[]): Filter => ({ kind: 'values', column, values: named });
const one = (column: number, number: number | string): Filter => ({
  kind: 'range',
  column,
  from: number,
  to: number,
});

describe('The filter of a group', () => {
  it('selects no group while it is turned off', () => {
    const [filter] = page(one(2, 5));
    ok(filter);
    equal(selectedGroup([{ ...filter, off: true }], [2]), undefined);
  });

  it('leaves as many rows as the group has, whatever its keys are and however they are written', async () => {
    const rows = ['x', '', '"a, b"'].flatMap(text =>
      [
        '1',
        '1.0',
        '01',
        ' +1 ',
        '-0',
        '0',
        '1.5',
        '1e0',
        'NA',
        '',
        '9007199254740993',
        '9007199254740992.0',
        '9007199254740993.',
      ].map(number => `${text},${number},`),
    );
    const view = await texts.view(`c,n,e\n${rows.join('\n')}\n`);
    for (const by of [[0], [1], [2], [0, 1], [1, 2]]) {
      const { groups } = await groupRows(
        view.table,
        { by, measures: [], limit: 100 },
        { rows: undefined, count: rows.length },
      );
      for (const { keys, rows: expected } of groups) {
        const filters = keys.map((key, at) => {
          const column = view.table.columns[by[at] ?? 0];
          ok(column);
          const filter = keyFilter(column, key, false);
          ok(filter, `${column.name}: ${key}`);
          return filter;
        });
        const { count } = await view.filteredRows(filters);
        equal(count, expected, JSON.stringify([by, keys]));
      }
    }
  });

  it('is read with the decimal mark of the table', () => {
    deepEqual(keyFilter({ index: 1, kind: 'number' }, '1,5', true), one(1, 1.5));
    deepEqual(
      keyFilter({ index: 1, kind: 'number' }, '9007199254740993,0', true),
      one(1, '9007199254740993'),
    );
  });

  it('is found among others, one for each key', () => {
    const others = page({ kind: 'range', column: 3, from: 1, to: 2 });
    deepEqual(selectedGroup([...others, ...page(values(0, 'a'))], [0]), {
      groupFilters: page(values(0, 'a')),
      otherFilters: others,
    });
    deepEqual(
      selectedGroup(page(one(1, 2), values(0, 'a')), [0, 1])?.groupFilters,
      page(values(0, 'a'), one(1, 2)),
    );
    for (const filters of [
      page(values(0, 'a', 'b')),
      page({ kind: 'values', column: 0, values: ['a'], exclude: true }),
      page({ kind: 'values', column: 0, values: ['a'], missing: true }),
      page({ kind: 'range', column: 0, from: 1, to: 2 }),
      page({ kind: 'range', column: 0, from: null, to: null }),
      page(values(1, 'a')),
    ])
      equal(selectedGroup(filters, [0]), undefined);
    equal(selectedGroup(page(values(0, 'a')), [0, 1]), undefined);
    equal(selectedGroup(page(values(0, 'a')), []), undefined);
    ok(areFiltersOfGroup(page(values(0, 'a')), [values(0, 'a')]));
    ok(!areFiltersOfGroup(page(values(0, 'a')), [values(0, 'b')]));
  });

  it('replaces that of another group, also where one of them is of rows without a value', () => {
    const range: Filter = { kind: 'range', column: 3, from: 1, to: 2 };
    const missing: Filter = { kind: 'values', column: 1, values: [], missing: true };
    deepEqual(withGroup(page(one(1, 5), range), [missing]), page(range, missing));
    deepEqual(withGroup(page(missing, range), [one(1, 5)]), page(range, one(1, 5)));
    deepEqual(withGroup(page(values(0, 'a', 'b'), range), [values(0, 'a')]), page(values(0, 'a'), range));
  });
});
