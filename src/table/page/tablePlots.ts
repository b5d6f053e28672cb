import type { ComparePartProps } from '../../conditions/page/comparePart';
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

/** What a comparison of conditions does to the table, and has the page do. */
export function compareActions(store: TableStore): ComparePartProps['actions'] {
  const { rows, link, output, messages } = store;
  return {
    closed: () => rows.enterGrid(),
    addColumns: () => store.toggleImages(),
    copy: caption => void output.copyCaption(caption),
    saveValues: (shown, layout, value) => void output.saveValues(shown.params, layout, value),
    savePlot: (name, type, data) => void output.savePlot(name, type, data),
    pngFailed: error => messages.failed('pngFailed', error),
    run: action => void apply(store, action),
    hover: row => link.hover(row, 'plot'),
    say: words => messages.announce(words),
  };
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
    case 'groups':
      for (const { column, key } of action.groups) filters.toggleGroup(column, key);
      return;
    case 'clearGroup':
      filters.clearColumn(action.column);
  }
}
