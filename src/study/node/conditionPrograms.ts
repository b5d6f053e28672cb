import { badOption } from '../../host/options';
import { columnOf, filtersOf, type ProgramFilter } from '../../columns/namedFilter';
import type { TableColumn } from '../../columns/tableSummary';
import type { Filter } from '../../columns/viewSpec';
import { tablePopulations } from '../../linking/node/tablePopulations';
import { reason, type Reason } from '../../base/reasons';
import type { EqualSpellings, ComparedTable, Measure } from '../conditionRequests';
import type { ComparisonIntervals, ComparisonScale, NoComparison } from '../conditionComparison';
import { tableColumnsOfRole, type ImageColumns } from '../imageColumns';
import { plainValue } from '../spellings';
import { byImageWords } from '../byImageWords';
import { measureName, measureOf, type NamedMeasure } from '../namedMeasure';
import { mayBeInPixels, micronColumnOf } from '../../columns/pixelMeasures';
import { isColumnStatistic, type UnitStatisticId, unitStatisticNames } from '../../columns/unitStatistics';
import { reasonWords } from '../../words/reasonWords';
import type { Translate } from '../../words/translate';
import { type Destination, openCompletely, type ProgramTable } from '../../session/node/programTable';
import { sessionImageColumns } from './sessionImageColumns';

/**
 * Saves groups of a table's rows, images or replicates. Throws `bad-request` with the option as
 * subject, and errors of saving.
 */
export async function saveGroupsAsProgram(
  t: Translate,
  table: ProgramTable,
  {
    by: namedBy,
    measures: namedMeasures,
    statistics,
    of,
    replicate: namedReplicate,
    technicalReplicate: namedTechnical,
    filters,
    ...destination
  }: Destination & {
    by: readonly (string | number)[];
    measures: readonly NamedMeasure[];
    statistics: readonly UnitStatisticId[];
    of: 'objects' | 'images' | 'replicates';
    replicate?: readonly (string | number)[] | undefined;
    technicalReplicate?: readonly (string | number)[] | undefined;
    filters: readonly ProgramFilter[];
  },
): Promise<{
  path: string;
  groups: number;
  bytes: number;
  filters?: readonly ProgramFilter[];
  warnings?: ProgramWarning[];
}> {
  const { session, kind, signal } = table;
  const { columns, images } = await openWithImages(table);
  const by = namedBy.map(column => columnOf(columns, column, 'by'));
  const measures = namedMeasures.map(measure => measureOf(columns, measure, 'measures'));
  const commonParams = { filters: filtersOf(columns, filters), by, ...destination, withoutCounts: true };
  const statisticHeaders = namedMeasures.flatMap(measure =>
    statistics.map(id => t('{0} ({1})', measureName(t, columns, measure), unitStatisticNames[id](t))),
  );
  const header = [...by.map(column => columns[column]?.name ?? ''), ...statisticHeaders];
  if (of !== 'replicates' && !statistics.every(id => isColumnStatistic(id)))
    throw badOption('statistics', 'others: SEM and confidence intervals are of replicates alone');
  const warnings = await pixelSizeWarnings(t, table, columns, measures);
  if (of !== 'objects' && measures.some(isPerImage) && !session.get(sessionImageColumns).areAllKnown)
    warnings.push(imagesUnknownWarning(t));
  const resultWith = (
    { path, groups, bytes }: { path: string; groups: number; bytes: number },
    infinite: readonly number[] = [],
  ) => {
    warnings.push(...infiniteWarnings(t, columns, measures, infinite));
    return { path, groups, bytes, ...filtersOfCall(filters), ...(warnings.length > 0 && { warnings }) };
  };
  if (of === 'objects') {
    const measuredColumns = measures.map(measure =>
      measure.kind === 'column' && !measure.of ? measure.column : undefined,
    );
    if (!measuredColumns.every(column => column !== undefined))
      throw badOption('measures', 'columns, where statistics are of objects');
    const { filters: countedFilters } = await session.get(sessionImageColumns).counted(kind, signal);
    const params = {
      ...commonParams,
      filters: [...commonParams.filters, ...countedFilters],
      sort: [],
      measures: measuredColumns,
      statistics: statistics.filter(id => isColumnStatistic(id)),
      header,
    };
    const saved = await session.tables.request(kind, 'tableGroupsSave', params, signal);
    return resultWith(saved, saved.infinite);
  }
  await session.get(sessionImageColumns).prepare(measures, kind, signal);
  const levels = levelsOf(columns, images, { replicate: namedReplicate, technicalReplicate: namedTechnical });
  const { replicate, technical, combined } =
    of === 'replicates' ? levels : { replicate: [], technical: [], combined: false };
  if (of === 'replicates' && replicate.length === 0)
    throw badOption('of', '"objects" or "images": no column has the role of replicates');
  const saved = await session.tables.request(
    kind,
    'tableUnitGroupsSave',
    {
      ...commonParams,
      measures,
      statistics: [...statistics],
      ...{ of, replicate, technical, combined },
      mean: 'objects',
      header,
    },
    signal,
  );
  if (saved.areLevelsOpen) warnings.push(levelsOpenWarning(t, columns, replicate));
  warnings.push(...spellingWarnings(t, columns, saved.alike));
  return resultWith(saved, saved.infinite);
}

/** A comparison as the result for programs. */
export type ProgramComparison = {
  test: ComparedTable['test'];
  groups: {
    condition: string;
    n: number;
    mean: number | null;
    sd: number | null;
    ci95: [number, number] | null;
    /**
     * The compared value for a ratio or odds: the geometric mean, or the mean of logits as a share.
     */
    center?: number | null;
    centerCi95?: [number, number] | null;
  }[];
  ci95: [number, number] | null;
  statistic: number | null;
  df: number | [number, number] | null;
  p: number | null;
  /**
   * For repeated measures: the factor of the degrees of freedom, and the number of replicates with
   * a value in each condition.
   */
  epsilon?: number | null;
  complete?: number;
  /** The kind of intervals of `pairs`. */
  intervals?: ComparisonIntervals;
  pairs?: ({
    of: [string, string];
    ci95: [number, number] | null;
    statistic: number | null;
    df: number | null;
    p: number | null;
    pAdjusted: number | null;
    n: number;
    reason?: string;
  } & ProgramEffect)[];
  excluded: { image?: string; condition?: string; replicate?: string[]; reason: string }[];
  /** Columns of replicates, and of technical replicates. */
  replicate: string[];
  technicalReplicate: string[];
  reason?: string;
  /** The filters of the call; absent without filters. */
  filters?: readonly ProgramFilter[];
  warnings?: ProgramWarning[];
} & ProgramEffect;

/** Warnings that don't prevent a result, but may change its meaning; with their text. */
type ProgramWarning = { message: string } & (
  | {
      /** A measure may be in pixels, and pixel sizes differ. */
      kind: 'pixel-sizes-differ';
      column: string;
      /** The column with the same measure in µm, if the table has one. */
      micronColumn?: string;
    }
  /** Counts per image leave out images without objects, as they are unknown. */
  | { kind: 'images-unknown' }
  /** Objects that the measure can't judge. */
  | { kind: 'without-value'; objects: number }
  /** Objects with an infinite number: means, SDs and tests leave them out. */
  | { kind: 'infinite'; column: string; objects: number }
  /** Images, or rows if no column names images, that are left out. */
  | { kind: 'without-role'; withoutCondition: number; withoutReplicate: number }
  /** With a threshold per image, a share above it is the same in all images by construction. */
  | { kind: 'fixed-by-image'; populations: string[] }
  /** Thresholds per image remove differences between images. */
  | { kind: 'image-thresholds'; populations: string[] }
  /** Columns of replicates multiply n: there is no test until a program says which counts. */
  | { kind: 'levels-open'; columns: string[] }
  /**
   * Replicates in several conditions have equal names: there is no test until `paired` is given.
   */
  | { kind: 'names-open'; replicates: string[][] }
  /** Values with several spellings that count as one. */
  | { kind: 'spelled-alike'; column: string; value: string; others: string[] }
);

/** The name of the effect depends on the scale. */
type ProgramEffect = { difference: number | null } | { ratio: number | null } | { oddsRatio: number | null };

/** Compares conditions by their replicates. Throws the same errors as saveGroupsAsProgram. */
export async function compareAsProgram(
  t: Translate,
  table: ProgramTable,
  {
    measure: namedMeasure,
    condition: namedCondition,
    replicate: namedReplicate,
    technicalReplicate: namedTechnical,
    reference,
    paired,
    scale,
    intervals,
    filters,
  }: {
    measure: NamedMeasure;
    condition: string | number;
    replicate: readonly (string | number)[] | undefined;
    technicalReplicate?: readonly (string | number)[] | undefined;
    reference: string | undefined;
    paired: boolean | undefined;
    scale: ComparisonScale;
    intervals?: ComparisonIntervals;
    filters: readonly ProgramFilter[];
  },
): Promise<ProgramComparison> {
  const { session, kind, signal } = table;
  const { columns, images } = await openWithImages(table);
  const condition = columnOf(columns, namedCondition, 'condition');
  const givenLevels = { replicate: namedReplicate, technicalReplicate: namedTechnical };
  const levels = levelsOf(columns, images, givenLevels, condition);
  const { replicate, technical, combined } = levels;
  if (replicate.includes(condition)) throw badOption('replicate', 'another column than that of conditions');
  const measure = measureOf(columns, namedMeasure, 'measure');
  if (scale === 'logit' && measure.kind !== 'share')
    throw badOption('scale', '"difference" or "ratio": only shares have odds');
  await session.get(sessionImageColumns).prepare([measure], kind, signal);
  const compared = await session.tables.request(
    kind,
    'tableCompare',
    {
      filters: filtersOf(columns, filters),
      measure,
      condition,
      replicate,
      technical,
      combined,
      mean: 'objects',
      ...(reference !== undefined && { reference }),
      ...(paired !== undefined && { paired }),
      scale,
      ...(intervals && { intervals }),
    },
    signal,
  );
  const isReference = (name: string) => plainValue(name) === plainValue(reference ?? '');
  if (reference !== undefined && !compared.groups.some(group => isReference(group.condition)))
    throw badOption(
      'reference',
      `one of the conditions: ${compared.groups.map(group => group.condition).join(', ')}`,
    );
  const warnings = [
    ...(await pixelSizeWarnings(t, table, columns, [measure])),
    ...imageThresholdWarnings(t, compared),
    ...leftOutWarnings(t, compared, measure),
    ...infiniteWarnings(t, columns, [measure], [compared.infinite]),
    ...(compared.reason === 'levels-open' ? [levelsOpenWarning(t, columns, replicate)] : []),
    ...(compared.reason === 'names-open' ? [namesOpenWarning(t, compared)] : []),
    ...spellingWarnings(t, columns, compared.alike),
  ];
  const nameOf = (column: number) => columns[column]?.name ?? String(column);
  const names = { replicate: replicate.map(nameOf), technicalReplicate: technical.map(nameOf) };
  return {
    ...programComparison(t, compared, { scale, intervals, ...names }),
    ...filtersOfCall(filters),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A warning about the effect of thresholds per image. */
function imageThresholdWarnings(t: Translate, { byImage }: ComparedTable): ProgramWarning[] {
  if (!byImage) return [];
  const { kind, populations } = byImage;
  const message = byImageWords(t, byImage);
  return [{ kind: kind === 'fixed' ? 'fixed-by-image' : 'image-thresholds', populations, message }];
}

/** Warnings about objects and images that aren't counted. */
function leftOutWarnings(t: Translate, compared: ComparedTable, measure: Measure): ProgramWarning[] {
  const { unjudged: objects, withoutCondition, withoutReplicate, areAllKnown } = compared;
  const warnings: ProgramWarning[] = isPerImage(measure) && !areAllKnown ? [imagesUnknownWarning(t)] : [];
  if (objects > 0)
    warnings.push({
      kind: 'without-value',
      objects,
      message:
        objects === 1
          ? t('1 object has no value for the measure and is left out.')
          : t('{0} objects have no value for the measure and are left out.', objects),
    });
  if (withoutCondition + withoutReplicate > 0)
    warnings.push({
      kind: 'without-role',
      withoutCondition,
      withoutReplicate,
      message: t(
        '{0} without a condition and {1} without a replicate are left out.',
        withoutCondition,
        withoutReplicate,
      ),
    });
  return warnings;
}

/** The filters of the call, if any. */
function filtersOfCall(filters: readonly ProgramFilter[]): { filters?: readonly ProgramFilter[] } {
  return filters.length > 0 ? { filters } : {};
}

/** Warnings about infinite numbers. `infinite` has the number of objects with one, by measure. */
function infiniteWarnings(
  t: Translate,
  columns: readonly TableColumn[],
  measures: readonly Measure[],
  infinite: readonly number[],
): ProgramWarning[] {
  return measures.flatMap((measure, at): ProgramWarning[] => {
    const objects = infinite[at] ?? 0;
    if (measure.kind !== 'column' || objects === 0) return [];
    const column = columns[measure.column]?.name ?? '';
    const message =
      objects === 1
        ? t('{0}: 1 infinite value is left out of means, SDs and tests.', column)
        : t('{0}: {1} infinite values are left out of means, SDs and tests.', column, objects);
    return [{ kind: 'infinite', column, objects, message }];
  });
}

function isPerImage({ kind }: Measure): boolean {
  return kind === 'objectsPerImage';
}

function imagesUnknownWarning(t: Translate): ProgramWarning {
  return { kind: 'images-unknown', message: t('Images without objects are unknown, and not counted.') };
}

/**
 * Warnings about columns that may be in pixels, if pixel sizes differ: columns of measures, and of
 * ranges and populations that choose the objects of measures.
 */
async function pixelSizeWarnings(
  t: Translate,
  { session, kind, signal }: ProgramTable,
  columns: readonly TableColumn[],
  measures: readonly Measure[],
): Promise<ProgramWarning[]> {
  const populations = session.find(tablePopulations);
  const columnNamesOf = (filter: Filter): string[] => {
    if (filter.kind === 'range') return [columns[filter.column]?.name ?? ''];
    const isPopulation = filter.kind === 'population';
    return (isPopulation && populations?.columnsBehind(kind, filter.name, columns)) || [];
  };
  const columnNames = measures.flatMap(measure => [
    ...(measure.kind === 'column' ? [columns[measure.column]?.name ?? ''] : []),
    ...(measure.of ?? []).flatMap(columnNamesOf),
  ]);
  const inPixels = [...new Set(columnNames)].filter(mayBeInPixels);
  if (inPixels.length === 0 || !(await session.get(sessionImageColumns).pixelSizesDiffer(kind, signal)))
    return [];
  return inPixels.map(column => {
    const micronColumn = micronColumnOf(column, columns);
    return {
      kind: 'pixel-sizes-differ',
      column,
      ...(micronColumn !== undefined && { micronColumn }),
      message: t(
        'Pixels of the images are of different sizes: “{0}” compares only if it isn’t in pixels.',
        column,
      ),
    };
  });
}

/** The reasons why conditions have no test. */
const NO_TEST_REASONS: Readonly<Record<NoComparison, Reason>> = {
  few: reason('Fewer than 3 replicates, or pairs of them'),
  'no-variance': reason(
    'The values of replicates, or their paired differences, vary by no more than rounding',
  ),
  'not-positive': reason('A ratio needs values above 0'),
  'not-between': reason('Odds need shares above 0 and below 1'),
  'no-replicates': reason("No column has the role of replicates; objects and images aren't replicates"),
  'levels-open': reason('Several columns are of replicates, and multiply them. Say which of them counts'),
  'names-open': reason(
    'Replicates of different conditions have the same names. Say whether they are the same ones',
  ),
  'one-condition': reason('At least 2 conditions are needed'),
  'no-value': reason('It has no value'),
  'no-pair': reason('It has no partner of the same name in another condition'),
};

function programComparison(
  t: Translate,
  { test, groups, pairs, overall, reason: noTest, excluded, unpaired, replicates }: ComparedTable,
  {
    scale,
    intervals = 'unadjusted',
    ...levels
  }: { scale: ComparisonScale; intervals: ComparisonIntervals | undefined } & Pick<
    ProgramComparison,
    'replicate' | 'technicalReplicate'
  >,
): ProgramComparison {
  const reasonText = (kind: NoComparison) => reasonWords(t, NO_TEST_REASONS[kind]);
  const effectOf = (effect: number | null) =>
    scale === 'logit'
      ? { oddsRatio: effect }
      : scale === 'ratio'
        ? { ratio: effect }
        : { difference: effect };
  const [onlyPair] = groups.length === 2 ? pairs : [];
  const withoutValue = replicates.filter(({ value }) => value === null);
  return {
    test,
    groups: groups.map(({ condition, n, mean, sd, ci95, center, centerCi95 }) => ({
      ...{ condition, n, mean, sd, ci95 },
      ...(center !== undefined && centerCi95 !== undefined && { center, centerCi95 }),
    })),
    ...effectOf(onlyPair?.effect ?? null),
    ci95: onlyPair?.ci95 ?? null,
    statistic: onlyPair ? onlyPair.t : (overall?.f ?? null),
    df: onlyPair ? onlyPair.df : (overall?.df ?? null),
    p: onlyPair ? onlyPair.p : (overall?.p ?? null),
    ...(overall?.n !== undefined && { epsilon: overall.epsilon ?? null, complete: overall.n }),
    ...(groups.length > 2 && {
      intervals,
      pairs: pairs.map(({ of, effect, ci95, t: statistic, df, p, pAdjusted, n, reason: noTestOfPair }) => ({
        of,
        ...effectOf(effect),
        ci95,
        statistic,
        df,
        p,
        pAdjusted,
        n,
        ...(noTestOfPair && { reason: reasonText(noTestOfPair) }),
      })),
    }),
    excluded: [
      ...excluded,
      ...withoutValue.map(replicate => excludedReplicate(replicate, reasonText('no-value'))),
      ...unpaired.map(replicate => excludedReplicate(replicate, reasonText('no-pair'))),
    ],
    ...levels,
    ...(noTest && { reason: reasonText(noTest) }),
  };
}

function excludedReplicate({ condition, name }: ComparedTable['replicates'][number], why: string) {
  return { condition, replicate: name, reason: why };
}

/** Opens a table with all known images, including those without objects. */
export async function openWithImages(
  table: ProgramTable,
): Promise<{ columns: readonly TableColumn[]; images: ImageColumns }> {
  const { session, kind, signal } = table;
  const images = await session.get(sessionImageColumns).allImages(signal, { of: kind, whole: true });
  return { columns: (await openCompletely(table)).columns, images };
}

/** Positions of the columns of replicates. */
interface Levels {
  replicate: number[];
  technical: number[];
  /** Whether each combination of values is a replicate, as the program named the columns. */
  combined: boolean;
}

/** The columns that a program named, else those with the roles. */
function levelsOf(
  columns: readonly TableColumn[],
  images: Pick<ImageColumns, 'columns'>,
  named: {
    replicate: readonly (string | number)[] | undefined;
    technicalReplicate: readonly (string | number)[] | undefined;
  },
  condition?: number,
): Levels {
  const namedColumns = (option: keyof typeof named) =>
    named[option]?.map(column => columnOf(columns, column, option));
  const namedTechnical = namedColumns('technicalReplicate');
  const replicate =
    namedColumns('replicate') ??
    tableColumnsOfRole(columns, images, 'replicate').filter(
      column => column !== condition && namedTechnical?.includes(column) !== true,
    );
  if (namedTechnical?.some(column => column === condition || replicate.includes(column)))
    throw badOption('technicalReplicate', 'other columns than those of conditions and replicates');
  const technical =
    namedTechnical ??
    tableColumnsOfRole(columns, images, 'technicalReplicate').filter(
      column => column !== condition && !replicate.includes(column),
    );
  return { replicate, technical, combined: named.replicate !== undefined };
}

function levelsOpenWarning(
  t: Translate,
  columns: readonly TableColumn[],
  replicate: readonly number[],
): ProgramWarning {
  const names = replicate.map(column => columns[column]?.name ?? '');
  return {
    kind: 'levels-open',
    columns: names,
    message: t(
      'Several columns are of replicates and multiply them: {0}. Say by “replicate” or by roles which counts.',
      names.join(', '),
    ),
  };
}

/** Maximum number of names or values in warnings. */
const MAX_WARNED = 100;

function namesOpenWarning(t: Translate, { replicates }: ComparedTable): ProgramWarning {
  const conditionsByName = new Map<string, Set<string>>();
  for (const { name, condition } of replicates) {
    const key = JSON.stringify(name);
    const conditionsOfName = conditionsByName.get(key) ?? new Set();
    conditionsByName.set(key, conditionsOfName.add(condition));
  }
  const recurringNames = [...conditionsByName].flatMap(([key, { size }]) =>
    size > 1 ? [JSON.parse(key) as string[]] : [],
  );
  return {
    kind: 'names-open',
    replicates: recurringNames.slice(0, MAX_WARNED),
    message: t(
      'Replicates of different conditions have the same names. Say by “paired” whether they are the same ones.',
    ),
  };
}

function spellingWarnings(
  t: Translate,
  columns: readonly TableColumn[],
  alike: readonly EqualSpellings[],
): ProgramWarning[] {
  return alike.slice(0, MAX_WARNED).map(({ column: index, value, others }) => {
    const column = columns[index]?.name ?? '';
    const quoted = others.map(spelling => `“${spelling}”`).join(', ');
    return {
      kind: 'spelled-alike',
      ...{ column, value, others },
      message: t('{0}: {1} counts as “{2}”.', column, quoted, value),
    };
  });
}
