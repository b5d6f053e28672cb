import { signal } from '@preact/signals';
import { t } from '../../pages/page/l10n';
import { fromJsonNumber } from '../../columns/columnStatistics';
import { findRowColumns } from '../../columns/rowColumns';
import {
  chosenName,
  classesOf,
  type ImageMeasure,
  imageMeasures,
  measureOf,
  withRenamedPopulation,
} from './chosenMeasure';
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

/** Objects per image, shares, and means in populations, as measures in plots of groups. */
export function measuredImages({
  start,
  model,
  panel,
  messages,
  populations,
  textsOf,
}: OpenedParts): ImageMeasures {
  const classes = signal<readonly string[]>([]);
  // Sizes of images are known from masks only.
  const hasAreas = start.kind === 'objects' && start.joined !== true;
  const nameOf = (measure: ImageMeasure) => {
    const isColumn = measure.kind === 'column' || measure.kind === 'range';
    const column = isColumn && model.table.columns.find(({ name }) => name === measure.name);
    return chosenName(measure, column ? column.unit : undefined);
  };
  return {
    listed: key => {
      const { columns } = model.table;
      const selected = key === undefined ? undefined : measureOfKey(key);
      // Without a column that names images, images can't be counted.
      const canCountImages = findRowColumns(columns).image !== undefined;
      const offered = { classes: classes.value, hasAreas, populations: populations.all.value };
      return imageMeasures(offered, selected ? [selected] : [], true)
        .filter(({ kind }) => canCountImages || kind !== 'objectsPerImage')
        .map(measure => ({ key: imageMeasureKey(measure), name: nameOf(measure) }));
    },
    offer: () => {
      classesOf(model.table.columns, textsOf)
        .then(loaded => (classes.value = loaded))
        .catch((error: unknown) => messages.log(error));
    },
    onDidChange: listener =>
      void populations.onDidChange(renamed =>
        listener(key => {
          const measure = renamed && measureOfKey(key);
          return measure ? imageMeasureKey(withRenamedPopulation(measure, renamed)) : key;
        }),
      ),
    within: ({ column, key }) => {
      const measure = key === undefined ? undefined : measureOfKey(key);
      const columnName = measure?.kind === 'column' ? measure.name : key === undefined ? column : undefined;
      if (columnName === undefined || populations.all.value.length === 0) return undefined;
      const names = populations.all.value.map(({ name }) => name);
      const isMissing = measure?.kind === 'column' && !names.includes(measure.population);
      const populationOptions = [...names, ...(isMissing ? [measure.population] : [])].map(
        population =>
          [
            imageMeasureKey({ kind: 'column', name: columnName, population }),
            t('In {0}', population),
          ] as const,
      );
      return { column: columnName, options: [['', t('All Objects')], ...populationOptions] };
    },
    nameOf: key => {
      const measure = measureOfKey(key);
      return measure && nameOf(measure);
    },
    groups: async ({ by, key, all, limit }, until) => {
      const selected = measureOfKey(key);
      const measure = selected && measureOf(selected, model.table.columns, populations.all.peek());
      if (!measure) return undefined;
      // Loads the names of images without objects.
      await panel.request('studyColumns', {}, until);
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
