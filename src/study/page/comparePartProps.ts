import type { ReadonlySignal } from '@preact/signals';
import type { Filter } from '../../columns/viewSpec';
import type { PlotSource, PlotTable } from '../../drawing/page/plottedTable';
import type { PlotAction } from '../../drawing/page/plotDrawing';
import type { PartFilter } from '../../table/page/tableFilters';
import type { CompareModel, ShownComparison } from './compareModel';
import type { CaptionFacts } from './compareWords';
import type { ImageColumnsModel } from './imageColumnsModel';

/** Inputs of the comparison of conditions, and its calls to the page. */
export interface ComparePartProps {
  compare: CompareModel;
  /** Metadata of images, which may suggest conditions. */
  images: ImageColumnsModel;
  source: PlotSource;
  /** The row selected in the table or in the masks. */
  selectedRow: ReadonlySignal<number | null>;
  actions: {
    /** Opens the editor of image columns. */
    addColumns: () => void;
    copy: (caption: string) => void;
    copyImage: (image: Promise<Blob>) => void;
    /** Describes filters with all their values, in the words of the table. */
    filterWords: (filters: readonly Filter[]) => string;
    /** Filters the table to a part of the plot; can be undone. */
    filterTo: (parts: readonly PartFilter[], words: string) => void;
    removeFilters: (filters: readonly Filter[]) => void;
    saveValues: (shown: ShownComparison, layout: 'long' | 'wide', value: string) => void;
    /** Adds a column in µm and compares it; absent if pixel sizes can't be known. */
    convert?: (name: string) => void;
    savePlot: PlotTable['savePlot'];
    run: (action: PlotAction) => void;
    hover: (row: number | null) => void;
    say: (words: string) => void;
  };
}

/** The facts of the caption that aren't numbers. */
export function factsOf(
  { paired, asksAboutNames, columnInPixels }: CompareModel,
  { params: { measure, filters = [] } }: ShownComparison,
  { filterWords }: Pick<ComparePartProps['actions'], 'filterWords'>,
): CaptionFacts {
  const populationWords = measure.of ? filterWords(measure.of) : undefined;
  const filteredWords = filters.length > 0 ? filterWords(filters) : undefined;
  return {
    paired: asksAboutNames ? undefined : paired,
    columnInPixels,
    definition: populationWords,
    filtered: filteredWords,
  };
}
