import type { ComparePartProps } from '../../conditions/page/comparePart';
import type { TableStore } from './state/tableStore';

/** What a comparison of conditions does to the table, and has the page do. */
export function compareActions(store: TableStore): ComparePartProps['actions'] {
  const { output, plots, messages } = store;
  const { act, hover, say, savePlot, enterRows } = plots.options;
  return {
    closed: enterRows,
    addColumns: () => store.toggleImages(),
    copy: caption => void output.copyCaption(caption),
    saveValues: (shown, layout, value) => void output.saveValues(shown.params, layout, value),
    savePlot,
    pngFailed: error => messages.failed('pngFailed', error),
    run: act,
    hover,
    say,
  };
}
