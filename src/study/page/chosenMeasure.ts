import { t } from '../../pages/page/l10n';
import { classColumnOf } from '../../columns/rowColumns';
import type { TableColumn } from '../../columns/tableSummary';
import { formatNumber } from '../../pages/page/columnName';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import type { Measure } from '../conditionRequests';

/*
 * Measures as selected on the page, for comparisons and for groups.
 */

/** A measure of images rather than of single objects. */
export type ImageMeasure =
  /** The number of objects, or of those in a population. */
  | { kind: 'objectsPerImage'; per?: 'area'; population?: string }
  /** The mean of a column in a population. */
  | { kind: 'column'; name: string; population: string }
  /** The share of the objects of a class. */
  | { kind: 'class'; value: string }
  /** The share of objects within a range, both ends included. */
  | { kind: 'range'; name: string; from: number | null; to: number | null }
  /** The share of a population in the objects of its parent. */
  | { kind: 'filter'; name: string };

/**
 * A measure as selected. Columns are given by name, since the indices of image columns may change.
 */
export type ChosenMeasure = { kind: 'column'; name: string; population?: undefined } | ImageMeasure;

/** A measure that may have a population; the share of a population has it in `name`. */
export interface MeasureKind {
  kind: string;
  name?: string;
  population?: string | undefined;
}

/** The population that a measure is limited to; undefined for all objects. */
export function populationOf({ kind, name, population }: MeasureKind): string | undefined {
  return kind === 'filter' ? name : population;
}

/** The measure after a population was renamed. */
export function withRenamedPopulation<M extends MeasureKind>(
  measure: M,
  { from, to }: { from: string; to: string },
): M {
  if (populationOf(measure) !== from) return measure;
  return measure.kind === 'filter' ? { ...measure, name: to } : { ...measure, population: to };
}

/** Limits a measure of objects to a population, or to none. */
export function inPopulation<M extends MeasureKind>(
  { population: _, ...otherFields }: M,
  population: string | undefined,
): M {
  return { ...otherFields, ...(population !== undefined && { population }) } as M;
}

/** Whether a measure is of objects, all or those in a population, rather than their share. */
export function isOfObjects({ kind }: MeasureKind): boolean {
  return kind === 'column' || kind === 'objects' || kind === 'objectsPerImage';
}

/** The measure of all objects. */
export function wholeOf<M extends MeasureKind>(measure: M): M {
  return isOfObjects(measure) ? inPopulation(measure, undefined) : measure;
}

/** Options for measures other than columns. */
export interface OfferedMeasures {
  classes: readonly string[];
  /** Whether the areas of images may be known. */
  hasAreas: boolean;
  populations: readonly NamedPopulation[];
}

/** Maximum number of classes listed as measures. */
const MAX_CLASSES = 30;

/**
 * The classes of a table, most frequent first. `textsOf` returns the texts of a column in this
 * order.
 */
export async function classesOf(
  columns: readonly TableColumn[],
  textsOf: (column: number, limit: number) => Promise<string[]>,
): Promise<string[]> {
  const column = classColumnOf(columns);
  return column === undefined ? [] : textsOf(column, MAX_CLASSES);
}

/** The columns of numbers that can be compared: those of objects, except IDs. */
export function measurable(columns: readonly TableColumn[]): TableColumn[] {
  return columns.filter(
    ({ kind, name, ofImage }) =>
      kind === 'number' && !ofImage && !/\b(id|number|index|label)$/i.test(name.trim()),
  );
}

/** The default measure: an area, or else the first column of numbers. */
export function firstMeasure(columns: readonly TableColumn[]): { kind: 'column'; name: string } | undefined {
  const numbers = measurable(columns);
  const { name } = numbers.find(column => /\barea\b/i.test(column.name)) ?? numbers[0] ?? {};
  return name === undefined ? undefined : { kind: 'column', name };
}

/**
 * The selectable measures of images, with the selected one. `withNumbers` adds the numbers of
 * objects in populations.
 */
export function imageMeasures(
  { classes, hasAreas, populations }: OfferedMeasures,
  chosen: readonly ImageMeasure[],
  withNumbers = false,
): ImageMeasure[] {
  const countedPopulations = withNumbers ? populations.map(({ name }) => name) : [];
  const offered: ImageMeasure[] = [
    { kind: 'objectsPerImage' },
    ...(hasAreas ? [{ kind: 'objectsPerImage', per: 'area' } as const] : []),
    ...classes.map(value => ({ kind: 'class', value }) as const),
    ...populations.map(({ name }) => ({ kind: 'filter', name }) as const),
    ...countedPopulations.flatMap((population): ImageMeasure[] => [
      { kind: 'objectsPerImage', population },
      ...(hasAreas ? [{ kind: 'objectsPerImage', per: 'area', population } as const] : []),
    ]),
  ];
  const keys = new Set(offered.map(measureKey));
  return [...offered, ...chosen.filter(measure => !keys.has(measureKey(measure)))];
}

/** A key that is equal for equal measures. */
export function measureKey(measure: ChosenMeasure): string {
  const population = populationOf(measure);
  const within = population === undefined ? '' : ` in ${JSON.stringify(population)}`;
  switch (measure.kind) {
    case 'column':
      return `column ${measure.name}${within}`;
    case 'objectsPerImage':
      return (measure.per === 'area' ? 'area' : 'objects') + within;
    case 'class':
      return `class ${measure.value}`;
    case 'range':
      return `range ${JSON.stringify([measure.name, measure.from, measure.to])}`;
    case 'filter':
      return `filter ${measure.name}`;
  }
}

/**
 * The name of a measure on axes, in lists and in files, with its column's unit if the name lacks
 * it.
 */
export function chosenName(chosen: ChosenMeasure, unit?: string): string {
  switch (chosen.kind) {
    case 'column': {
      const { name, population } = chosen;
      const column = unit === undefined ? name : t('{0} ({1})', name, unit);
      return population === undefined ? column : t('{0} in {1}', column, population);
    }
    case 'objectsPerImage':
      if (chosen.population !== undefined)
        return chosen.per === 'area'
          ? t('{0} per mm²', chosen.population)
          : t('{0} per image', chosen.population);
      return chosen.per === 'area' ? t('Objects per mm²') : t('Objects per image');
    case 'class':
      return t('Share of {0}', chosen.value);
    case 'filter':
      // A class may have the same name.
      return t('Share of {0} (population)', chosen.name);
    case 'range': {
      const { name, from, to } = chosen;
      const unitSuffix = unit === undefined ? '' : ` ${unit}`;
      const [low, high] = [from, to].map(end => (end === null ? '' : formatNumber(end) + unitSuffix));
      const range =
        from === null
          ? to === null
            ? name
            : `${name} ≤ ${high}`
          : to === null
            ? `${name} ≥ ${low}`
            : `${low} ≤ ${name} ≤ ${high}`;
      return t('Share of {0}', range);
    }
  }
}

/** The request for a measure; undefined if the table lacks its column or population. */
export function measureOf(
  chosen: ChosenMeasure,
  columns: readonly TableColumn[],
  populations: readonly Pick<NamedPopulation, 'name'>[],
): Measure | undefined {
  const population = populationOf(chosen);
  if (population !== undefined && !populations.some(({ name }) => name === population)) return undefined;
  const of = population === undefined ? {} : { of: [{ kind: 'population' as const, name: population }] };
  switch (chosen.kind) {
    case 'objectsPerImage':
      return { kind: 'objectsPerImage', per: chosen.per ?? 'image', ...of };
    case 'class': {
      const column = classColumnOf(columns);
      const { value } = chosen;
      return column === undefined
        ? undefined
        : { kind: 'share', of: [{ kind: 'values', column, values: [value] }] };
    }
    case 'filter':
      return { kind: 'share', of: [{ kind: 'population', name: chosen.name }] };
    case 'column':
    case 'range': {
      const column = columns.find(({ name, kind }) => name === chosen.name && kind === 'number')?.index;
      if (column === undefined) return undefined;
      if (chosen.kind === 'column') return { kind: 'column', column, ...of };
      return { kind: 'share', of: [{ kind: 'range', column, from: chosen.from, to: chosen.to }] };
    }
  }
}
