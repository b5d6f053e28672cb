import type { PlotWindow } from '../../../columns/plotWindow';
import { columnName } from '../../../pages/page/columnName';
import { binsExtent, binStart, type ColumnHistogram } from '../../../pages/page/widgets/columnHistogram';
import { numberWords } from '../numberWords';
import type { PlotColumns, PlotParts } from '../plotDefinition';
import type { LoadedPlot } from '../plotDrawing';
import { FIXED_AXIS, paddedWindow } from '../zoomWindow';
import { drawHistogram } from './histogramPlot';

/** The histogram of a column: zoomed, the numbers of that part are counted in bins of their own. */
export async function loadHistogram(
  { column = null }: PlotColumns,
  { source, text, window }: PlotParts,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  if (column === null) return undefined;
  const [overview, part] = await Promise.all([
    source.histogram({ column }, signal),
    window && source.histogram({ column, range: window.x }, signal),
  ]);
  if (!overview) return undefined;
  const data = part ?? overview;
  const whole: [number, number] = [overview.low, overview.high];
  const extent = binsExtent(overview);
  const { plotsAreFiltered: isFiltered } = source;
  const name = columnName(source.table.columns, column, text);
  const title = text.get('histogramOf', name);
  const words = {
    label: title,
    x: name,
    y: text.get('rowsAxis'),
    rows: text.get(isFiltered ? 'matchingRows' : 'rowsAxis'),
    allRows: text.get('allTableRows'),
    ...numberWords(text),
  };
  const note = isFiltered ? text.get('filteredOverAll') : '';
  return {
    draw: look => ({
      ...drawHistogram({ data, whole, extent, column, isFiltered, words, look }),
      title,
      note,
    }),
    ...(whole[1] > whole[0] && {
      zoom: {
        whole: { x: extent, y: FIXED_AXIS },
        fit: isFiltered ? windowOfShown(overview) : null,
        window,
        isComplete: false,
      },
    }),
  };
}

/** The part with the bins that have rows that match the filters; null where that is all, or none. */
function windowOfShown(data: ColumnHistogram): PlotWindow | null {
  const { shown } = data;
  const first = shown.findIndex(count => count > 0);
  if (first < 0) return null;
  const last = shown.findLastIndex(count => count > 0);
  const whole: PlotWindow = { x: binsExtent(data), y: FIXED_AXIS };
  return paddedWindow({ x: [binStart(data, first), binStart(data, last + 1)], y: FIXED_AXIS }, whole);
}
