import { signal } from '@preact/signals';
import { fromJsonNumber } from '../../columns/columnStatistics';
import { findRowColumns } from '../../columns/rowColumns';
import { chosenName, classesOf, type ImageMeasure, imageMeasures, measureOf } from './chosenMeasure';
import type { ImageMeasures } from '../../drawing/page/plottedTable';
import type { OpenedParts } from '../../table/page/contribution';

/** Maximum number of groups in one request. */
const MAX_GROUPS = 2000;

/** Statistics of images in plots of groups. */
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

/** Measures of a population in plots. */
const MEASURES_OF_POPULATIONS: readonly ((name: string) => ImageMeasure)[] = [
  name => ({ kind: 'filter', name }),
  population => ({ kind: 'objectsPerImage', population }),
];

/** The key of a measure of images in plots. */
function imageMeasureKey(measure: ImageMeasure): string {
  return JSON.stringify(measure);
}

function measureOfKey(key: string): ImageMeasure | undefined {
  try {
    return JSON.parse(key) as ImageMeasure;
  } catch {
    return undefined;
  }
}

/** Objects per image and shares, as measures in plots of groups. */
export function measuredImages({ model, panel, messages, populations, textsOf }: OpenedParts): ImageMeasures {
  const classes = signal<readonly string[]>([]);
  return {
    listed: key => {
      const { columns } = model.table;
      const selected = key === undefined ? undefined : measureOfKey(key);
      // Without a column that names images, images can't be counted.
      const canCountImages = findRowColumns(columns).image !== undefined;
      const offered = { classes: classes.value, hasAreas: false, populations: populations.all.value };
      return imageMeasures(offered, selected ? [selected] : [], true)
        .filter(({ kind }) => canCountImages || kind !== 'objectsPerImage')
        .map(measure => ({ key: imageMeasureKey(measure), name: chosenName(measure) }));
    },
    offer: () => {
      classesOf(model.table.columns, textsOf)
        .then(loaded => (classes.value = loaded))
        .catch((error: unknown) => messages.log(error));
    },
    onDidChange: listener =>
      void populations.onDidChange(renamed => {
        if (!renamed) listener(undefined);
        else
          for (const measureIn of MEASURES_OF_POPULATIONS) {
            const keyOf = (name: string) => imageMeasureKey(measureIn(name));
            listener({ from: keyOf(renamed.from), to: keyOf(renamed.to) });
          }
      }),
    nameOf: key => {
      const measure = measureOfKey(key);
      return measure && chosenName(measure);
    },
    groups: async ({ by, key, all, limit }, until) => {
      const selected = measureOfKey(key);
      const measure = selected && measureOf(selected, model.table.columns, populations.all.peek());
      if (!measure) return undefined;
      // Loads the names of images without objects.
      await panel.request('compareStart', {}, until);
      const { filters, among = [] } = model.statisticsFilters;
      const { groups, total } = await panel.request(
        'tableUnitGroups',
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
