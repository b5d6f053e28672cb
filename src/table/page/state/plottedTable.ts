import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { fromJsonNumber } from '../../../columns/columnStatistics';
import { findRowColumns } from '../../../columns/rowColumns';
import type { FilterSet } from '../../../columns/filterSets';
import {
  chosenName,
  classesOf,
  type ImageMeasure,
  imageMeasures,
  measureOf,
} from '../../../conditions/page/chosenMeasure';
import type { ImageMeasures, PlotTable } from '../../../plots/page/plotDefinition';
import type { PlotAction } from '../../../plots/page/plotDrawing';
import type { RowFocus } from '../rowFocus';
import type { TableFilters } from '../tableFilters';
import type { ModelParts } from '../modelParts';
import type { CellOutput } from './cellOutput';
import type { TableLink } from './tableLink';

interface PlottedParts extends MeasuredParts {
  rows: RowFocus;
  link: TableLink;
  output: CellOutput;
  filters: TableFilters;
}

/** The table as plots see it. */
export function plottedTable(parts: PlottedParts): PlotTable {
  const { model, text, messages, rows, link, output } = parts;
  return {
    source: model,
    text,
    imageMeasures: measuredImages(parts),
    messages,
    selected: link.selected,
    hovered: computed(() => {
      const { row, by } = link.hovered.value;
      return by === 'plot' ? null : row;
    }),
    hover: row => link.hover(row, 'plot'),
    act: action => void act(parts, action),
    say: words => messages.announce(words),
    savePlot: (name, type, data) => void output.savePlot(name, type, data),
    enterRows: () => rows.enterGrid(),
  };
}

/** Applies an action of a plot to the table. */
async function act({ filters, output, rows }: PlottedParts, action: PlotAction): Promise<void> {
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
  }
}

interface MeasuredParts extends Pick<ModelParts, 'model' | 'text' | 'panel' | 'messages'> {
  filterSets: ReadonlySignal<readonly FilterSet[]>;
  /** Texts of a column, most frequent first. */
  textsOf: (column: number, limit: number) => Promise<string[]>;
}

/** Groups in one request. */
const MAX_GROUPS = 2000;

/** What plots of groups show of images. */
const STATISTICS = [
  'min',
  'q1',
  'median',
  'q3',
  'max',
  'mean',
  'sd',
  'count',
  'missing',
  'infinite',
] as const;

/** The key by which plots know a measure of images. */
export function imageMeasureKey(measure: ImageMeasure): string {
  return JSON.stringify(measure);
}

function measureOfKey(key: string): ImageMeasure | undefined {
  try {
    return JSON.parse(key) as ImageMeasure;
  } catch {
    return undefined;
  }
}

/** Objects per image and shares, as plots of groups measure them. */
function measuredImages({ model, text, panel, messages, filterSets, textsOf }: MeasuredParts): ImageMeasures {
  const classes = signal<readonly string[]>([]);
  return {
    listed: key => {
      const { columns } = model.table;
      const chosen = key === undefined ? undefined : measureOfKey(key);
      // Without a column that names images they can't be counted.
      const isCounted = findRowColumns(columns).image !== undefined;
      const offered = { classes: classes.value, hasAreas: false, filterSets: filterSets.value };
      return imageMeasures(offered, chosen ? [chosen] : [])
        .filter(({ kind }) => isCounted || kind !== 'objectsPerImage')
        .map(measure => ({ key: imageMeasureKey(measure), name: chosenName(measure, text) }));
    },
    offer: () => {
      classesOf(model.table.columns, textsOf)
        .then(found => (classes.value = found))
        .catch((error: unknown) => messages.log(error));
    },
    nameOf: key => {
      const measure = measureOfKey(key);
      return measure && chosenName(measure, text);
    },
    groups: async ({ by, key, all, limit }, until) => {
      const chosen = measureOfKey(key);
      const measure = chosen && measureOf(chosen, model.table.columns, filterSets.peek());
      if (!measure) return undefined;
      // Images without objects are known from then on.
      await panel.request('compareStart', {}, until);
      const { filters, among = [] } = model.statisticsFilters;
      const { groups, total } = await model.unitGroups(
        {
          filters: all ? among : filters,
          ...{ by: [by], measures: [measure], statistics: [...STATISTICS] },
          ...{ of: 'images', replicate: [], mean: 'objects' },
          ...{ start: 0, end: Math.min(limit, MAX_GROUPS) },
        },
        until,
      );
      const statistics = (values: readonly (number | null)[]) =>
        Object.fromEntries(STATISTICS.map((id, at) => [id, values[at] ?? null])) as Record<
          (typeof STATISTICS)[number],
          number | null
        >;
      return {
        total,
        groups: groups.map(({ keys, rows, values }) => ({
          ...{ keys, rows },
          measures: [{ ...statistics(values.map(fromJsonNumber)), distinct: null, sum: null }],
        })),
      };
    },
  };
}
