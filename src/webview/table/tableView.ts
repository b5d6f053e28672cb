import type { SortKey, TableSummary } from '../../protocol/tableEngine';
import { closedDrawer, type DrawerState } from '../plots/drawerState';
import { validPlots } from '../plots/plotSpec';
import { fittingLayout, fileLayout, type ColumnLayout } from './columnLayout';
import { validFilters, type PageFilter } from './filterList';
import { validSort } from './sortKeys';

/** How a user left the table. */
export interface TableView {
  sort: SortKey[];
  filters: PageFilter[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  firstPosition: number;
  /** Whether Ctrl+C copies the header too. */
  withHeader: boolean;
  drawer: DrawerState;
  /** Stands for the header that all this was said of, see headerMark. */
  header: string;
}

/**
 * A kept view made to fit the table as it is now. Columns are kept by their position: of a file that has another header now
 * only what is not about columns is taken over.
 */
export function fittingView(left: Partial<TableView>, table: TableSummary): TableView {
  const count = table.columns.length;
  const header = headerMark(table);
  const isSame = left.header === undefined || left.header === header;
  const kept: Partial<TableView> = isSame ? left : { withHeader: left.withHeader === true };
  const drawer = { ...closedDrawer, ...left.drawer, ...(!isSame && { plots: [] }) };
  return {
    sort: validSort(kept.sort, count),
    filters: validFilters(kept.filters, count),
    widths: kept.widths ?? {},
    layout: kept.layout ? fittingLayout(kept.layout, count) : fileLayout(count, firstPinned(table)),
    firstPosition: kept.firstPosition ?? 0,
    withHeader: kept.withHeader === true,
    drawer: { ...drawer, plots: validPlots(drawer.plots, table.columns) },
    header,
  };
}

/** A short mark of a table's header: equal for equal names in equal order. Columns added by long rows do not count. */
function headerMark({ columns }: TableSummary): string {
  const names = columns.map(({ name }) => name);
  while (names.at(-1) === '') names.pop();
  let hash = 0x811c_9dc5;
  for (const letter of JSON.stringify(names))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x0100_0193);
  return `${names.length}:${(hash >>> 0).toString(36)}`;
}

/** The first column names the row's image in the service's tables; in a narrow table nothing needs to stick. */
function firstPinned({ columns }: TableSummary): number {
  return columns.length > 8 ? 1 : 0;
}
