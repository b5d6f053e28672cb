import { t } from '../../../pages/page/l10n';
import { fromJsonNumber, type GroupOrder, type GroupStatistics } from '../../../columns/columnStatistics';
import type { DecimalMark } from '../../../columns/csv/csvNumber';
import { findRowColumns } from '../../../columns/rowColumns';
import { isColumnStatistic } from '../../../columns/unitStatistics';
import type { TableColumn } from '../../../columns/tableSummary';
import { columnName } from '../../../pages/page/columnName';
import { columnDecimals, shownNumber } from '../../../pages/page/numbers';
import { tabSeparated } from '../../../columns/csv/csvGrammar';
import { CommonParts } from '../../../pages/page/widgets/commonParts';
import { fetchCell, MAX_COPIED_CELLS } from '../grid/rowFetcher';
import type { TableModel } from '../tableModel';
import type { CellOutput } from './cellOutput';
import type { GroupSource, GroupsView, GroupWindow, NotedStatistics } from '../groupUnits';
import { type AddedMeasure, type GroupsSpec, type GroupStatisticId, groupStatisticName } from './groupsState';

/** Significant digits of a number that is too small or too large for the decimals of its column. */
const DIGITS = 4;
const WIDEST_NUMBER = 12;
const NARROW_SPACE = '\u202f';

/** A row of the grid: a group, or the row about all rows. */
export interface GroupRow extends GroupStatistics {
  /** The label of the row about all rows; absent for groups. */
  all?: string;
}

/** Statistics that count rows. */
const COUNTS: readonly GroupStatisticId[] = ['count', 'missing', 'infinite'];

/** A column of the grid: a key, the number of rows, or a statistic of a measure. */
export interface GroupColumn {
  id: string;
  /** Title in the grid, below the name of the measure. */
  name: string;
  /** The measure of a statistic, with its position among the measures. */
  measure?: { place: number; name: string };
  /** Name in copies and files, which have a single header. */
  fullName: string;
  hint: string;
  isNumber: boolean;
  /** Whether the numbers are counts, which aren't rounded. */
  isCount?: boolean;
  /**
   * Only for a key. `parts`: common parts of its texts; `isPath`: whether they are image names,
   * whose ends matter most.
   */
  key?: { parts: CommonParts; isPath: boolean };
  of: GroupOrder['of'];
  /** Text of a cell with all digits; empty if missing. */
  exact: (row: GroupRow) => string;
  /** Text of a cell on the screen. */
  shown: (row: GroupRow) => string;
}

interface GroupColumnsDependencies {
  spec: Omit<GroupsSpec, 'of'>;
  columns: readonly TableColumn[];
  /** Name of a measure that isn't a column. */
  nameOf: (measure: AddedMeasure) => string;
  decimalMark: DecimalMark;
  /** Rows that determine the number of decimals. */
  sample: readonly GroupRow[];
}

/** The grid's columns. Numbers in a column have the same precision. */
export function groupColumns({
  spec,
  columns,
  nameOf,
  decimalMark,
  sample,
}: GroupColumnsDependencies): GroupColumn[] {
  const imageColumn = findRowColumns(columns).image;
  const keys = spec.by.map((column, key): GroupColumn => {
    const name = columnName(columns, column);
    const exact = (row: GroupRow) => row.keys[key] ?? '';
    return {
      id: `key-${key}`,
      name,
      fullName: name,
      hint: name,
      isNumber: false,
      key: {
        parts: CommonParts.of(sample.flatMap(row => row.keys[key] ?? [])),
        isPath: column === imageColumn,
      },
      of: { kind: 'key', key },
      exact,
      shown: row => {
        if (row.all !== undefined) return key === 0 ? row.all : '';
        return row.keys[key] ?? t('(missing)');
      },
    };
  });
  const rowsName = t('Rows');
  const rows: GroupColumn = {
    id: 'rows',
    name: rowsName,
    fullName: rowsName,
    hint: t('Number of rows in the group'),
    isNumber: true,
    isCount: true,
    of: { kind: 'rows' },
    exact: row => String(row.rows),
    shown: row => countText(row.rows, decimalMark),
  };
  const values = spec.measures.flatMap((measured, place) =>
    spec.statistics.map((id, at): GroupColumn => {
      const value = place * spec.statistics.length + at;
      const exact = (row: GroupRow) => numberText(row.values[value] ?? null, decimalMark);
      const decimals = columnDecimals(sample.map(exact), decimalMark);
      const measure = typeof measured === 'number' ? columnName(columns, measured) : nameOf(measured);
      const name = groupStatisticName(id);
      const isCount = COUNTS.includes(id);
      return {
        id: `value-${value}`,
        name,
        measure: { place, name: measure },
        fullName: t('{0} ({1})', measure, name),
        hint: `${t('{0} ({1})', measure, name)}\n${t('Of the rows shown, missing values excluded. Infinite values are in no mean and no SD. SD with n − 1; quartiles by linear interpolation.')}`,
        isNumber: true,
        isCount,
        of: { kind: 'value', value },
        exact,
        shown: row => {
          const number = row.values[value] ?? null;
          return isCount && number !== null
            ? countText(number, decimalMark)
            : shortened(exact(row), number, decimals, decimalMark);
        },
      };
    }),
  );
  return [...keys, rows, ...values];
}

function numberText(value: number | null, mark: DecimalMark): string {
  if (value === null) return '';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return String(value).replace('.', mark);
}

/** A count with thousands separators, which mustn't look like the decimal mark. */
function countText(count: number, mark: DecimalMark): string {
  return t.number(count).replaceAll(mark, NARROW_SPACE);
}

function shortened(
  exact: string,
  value: number | null,
  decimals: number | undefined,
  mark: DecimalMark,
): string {
  if (value === null) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const shown = decimals === undefined ? exact : shownNumber(exact, decimals, mark);
  return shown.length > WIDEST_NUMBER ? numberText(Number(value.toPrecision(DIGITS)), mark) : shown;
}

/** Groups in one request. */
const GROUPS_PER_REQUEST = 2000;
/** A key of this length may have been cut off. */
const CUT_KEY = 2000;

/** Groups as shown, with notes. */
export type FetchedGroups = Omit<NotedStatistics, 'groups' | 'all'> & {
  rows: GroupRow[];
  all: Pick<GroupRow, 'rows' | 'values'>;
};

/**
 * Groups [start, end) in an order. Sends several requests, as the panel limits the size of a
 * message.
 */
export async function fetchGroups(
  source: GroupSource,
  { start, end, order }: GroupWindow,
  signal?: AbortSignal,
): Promise<FetchedGroups> {
  const rows: GroupRow[] = [];
  for (;;) {
    const window = { start: start + rows.length, end, ...(order && { order }) };
    const { groups, all, ...counts } = await source.fetch(window, signal);
    rows.push(...groups.map(group => ({ ...group, values: group.values.map(fromJsonNumber) })));
    if (groups.length > 0 && start + rows.length < Math.min(end, counts.total)) continue;
    return { rows, ...counts, all: { ...all, values: all.values.map(fromJsonNumber) } };
  }
}

/** Groups with statistics of rows. `save` lets the user save them. */
export function groupsOfRows(
  model: TableModel,
  { by, measures: chosen, statistics, filters }: GroupsView,
  save: CellOutput['saveGroups'],
): GroupSource {
  const measures = chosen.filter(measure => typeof measure === 'number');
  const spec = { filters, by, measures, statistics: statistics.filter(id => isColumnStatistic(id)) };
  return {
    measures,
    mark: '',
    fetch: (window, signal) => model.request('tableGroups', { ...spec, ...window }, signal),
    save: (header, order) =>
      save({ sort: [], ...spec, filters: [...filters], ...(order && { order }), header: [...header] }),
  };
}

/** A group's keys. Those that were cut off are fetched again. */
export function wholeKeys(
  model: TableModel,
  by: readonly number[],
  { keys, row }: GroupRow,
): Promise<(string | null)[]> {
  return Promise.all(
    keys.map(async (key, at) => {
      const column = by[at];
      if (key === null || key.length < CUT_KEY || column === undefined) return key;
      return (await fetchCell(model, row, column)).text;
    }),
  );
}

interface GroupsToCopy {
  by: readonly number[];
  source: GroupSource;
  order: GroupOrder | undefined;
  columns: readonly GroupColumn[];
  /** The row about all rows. */
  all: GroupRow;
}

/** All groups as tab-separated text, unshortened, with a header and the row about all rows. */
export async function groupsAsText(
  model: TableModel,
  { by, source, order, columns, all }: GroupsToCopy,
  signal?: AbortSignal,
): Promise<{ text: string; groups: number }> {
  const cellsOf = (row: GroupRow) => columns.map(column => column.exact(row));
  const texts = [tabSeparated([columns.map(({ fullName }) => fullName)])];
  let groups = 0;
  for (let total = Infinity; groups < total;) {
    const window = { start: groups, end: groups + GROUPS_PER_REQUEST, order };
    const fetched = await fetchGroups(source, window, signal);
    ({ total } = fetched);
    const cells = (total + 1) * columns.length;
    if (cells > MAX_COPIED_CELLS)
      throw new Error(
        t('{1} cells are selected, but at most {0} can be copied at once.', MAX_COPIED_CELLS, cells),
      );
    // Rows were removed meanwhile.
    if (fetched.rows.length === 0 && groups < total)
      throw new Error(t('Some of the rows are no longer in the table. Select the cells again.'));
    const rows = [];
    for (const row of fetched.rows) rows.push(cellsOf({ ...row, keys: await wholeKeys(model, by, row) }));
    texts.push(tabSeparated(rows));
    groups += rows.length;
  }
  const lastCells = columns.map((column, at) => (at === 0 ? (all.all ?? '') : column.exact(all)));
  return { text: [...texts, tabSeparated([lastCells])].join(''), groups };
}
