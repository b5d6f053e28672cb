import { PlotDrawer } from '../../plots/page/plotDrawer';
import type { PlotAction } from '../../plots/page/plotDrawing';
import type { TableStore } from './state/tableStore';

/** The plots of the table. */
export function makePlots(store: TableStore): PlotDrawer {
  const { table, text, plots, rows, link, output, messages } = store;
  return new PlotDrawer({
    source: table,
    text,
    drawer: plots,
    onClosed: () => rows.enterGrid(),
    onHover: row => link.hover(row, 'plot'),
    onAction: action => void apply(store, action),
    say: words => messages.announce(words),
    save: (name, type, data) => void output.savePlot(name, type, data),
    onPngFailure: error => messages.failed('pngFailed', error),
    onFailure: error => messages.failed('plotFailed', error),
    log: error => messages.log(error),
  });
}

/** Applies an action of a plot to the table. */
async function apply({ filters, output, rows }: TableStore, action: PlotAction): Promise<void> {
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
  }
}
