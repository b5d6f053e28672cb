import type { SortKey, TableSummary } from '../../protocol/tableEngine';
import { closedDrawer, type DrawerState } from '../plots/plotDrawer';
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
}

/** A kept view made to fit the table as it is now. */
export function fittingView(kept: Partial<TableView>, table: TableSummary): TableView {
  const count = table.columns.length;
  const drawer = { ...closedDrawer, ...kept.drawer };
  return {
    sort: validSort(kept.sort, count),
    filters: validFilters(kept.filters, count),
    widths: kept.widths ?? {},
    layout: kept.layout ? fittingLayout(kept.layout, count) : fileLayout(count, firstPinned(table)),
    firstPosition: kept.firstPosition ?? 0,
    withHeader: kept.withHeader === true,
    drawer: { ...drawer, plots: validPlots(drawer.plots, table.columns) },
  };
}

/** The first column names the row's image in the service's tables; in a narrow table nothing needs to stick. */
function firstPinned({ columns }: TableSummary): number {
  return columns.length > 8 ? 1 : 0;
}
