import type { Lasso } from '../../columns/lasso';
import type { PlotAction } from '../../plots/page/plotDrawing';
import type { PageFilter } from './filters/filterList';
import type { TableFilters } from './filters/tableFilters';

export interface PlotActionParts {
  filters: TableFilters;
  /** Makes the filter of a lasso; undefined if that failed. */
  lasso: (lasso: Lasso) => Promise<PageFilter | undefined>;
  select: (row: number) => Promise<void>;
}

/** Applies an action of a plot to the table. */
export async function runPlotAction(
  action: PlotAction,
  { filters, lasso, select }: PlotActionParts,
): Promise<void> {
  switch (action.kind) {
    case 'select':
      await select(action.row);
      return;
    case 'lasso': {
      const filter = await lasso(action.lasso);
      if (filter) filters.add(filter);
      return;
    }
    case 'clearLasso':
      filters.removeLassos(action);
      return;
    case 'range':
      filters.toggleRange(action.column, action.range);
      return;
    case 'group':
      filters.toggleGroup(action.column, action.key);
      return;
    case 'clearGroup':
      filters.clearColumn(action.column);
  }
}
