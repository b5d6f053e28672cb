import type { Lasso } from '../../model/lasso';
import type { PlotAction } from '../plots/plotDrawing';
import type { PageFilter } from './filters/filterList';
import type { TableFilters } from './filters/tableFilters';

export interface PlotActionParts {
  filters: TableFilters;
  /** The filter that a lasso makes; undefined where it failed. */
  lasso: (lasso: Lasso) => Promise<PageFilter | undefined>;
  select: (row: number) => Promise<void>;
}

/** Does to the table what was clicked, drawn or pressed in a plot. */
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
