import { computed } from '@preact/signals';
import type { PlotAction } from '../../../drawing/page/plotDrawing';
import type { PlotTable } from '../../../drawing/page/plottedTable';
import type { RowFocus } from '../rowFocus';
import type { TableFilters } from '../tableFilters';
import type { ModelParts } from '../modelParts';
import type { CellOutput } from './cellOutput';
import type { TableLink } from './tableLink';

interface PlottedTableDependencies extends Pick<ModelParts, 'model' | 'messages'> {
  rows: RowFocus;
  link: TableLink;
  output: CellOutput;
  filters: TableFilters;
}

/** The table for plots and comparisons. */
export function plottedTable(dependencies: PlottedTableDependencies): PlotTable {
  const { model, messages, rows, link, output } = dependencies;
  return {
    source: model,
    messages,
    selected: link.selected,
    hovered: computed(() => {
      const { row, by } = link.hovered.value;
      return by === 'plot' ? null : row;
    }),
    hover: row => link.hover(row, 'plot'),
    act: action => void act(dependencies, action),
    say: words => messages.announce(words),
    savePlot: (...plot) => output.savePlot(...plot),
    enterRows: () => rows.enterGrid(),
  };
}

/** Applies an action of a plot to the table. */
async function act({ filters, output, rows }: PlottedTableDependencies, action: PlotAction): Promise<void> {
  switch (action.kind) {
    case 'select':
      await rows.select(action.row);
      return;
    case 'lasso': {
      const filter = await output.lasso(action.lasso);
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
      return;
    case 'part':
    // Only comparisons act on parts of a plot.
  }
}
