import { columnName } from '../../page/columnName';
import { numberWords } from '../numberWords';
import type { PlotColumns, PlotParts } from '../plotDefinition';
import type { LoadedPlot } from '../plotDrawing';
import { drawHistogram } from './histogramPlot';

export async function loadHistogram(
  { column = null }: PlotColumns,
  { source, text }: PlotParts,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  if (column === null) return undefined;
  const data = await source.histogram(column, signal);
  if (!data) return undefined;
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
  return { draw: look => ({ ...drawHistogram({ data, column, isFiltered, words, look }), title, note }) };
}
