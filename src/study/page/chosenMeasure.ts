import { t } from '../../pages/page/l10n';
import { classColumnOf } from '../../columns/rowColumns';
import type { TableColumn } from '../../columns/tableSummary';
import { formatNumber } from '../../pages/page/columnName';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import type { Measure } from '../conditionRequests';

/*
 * Measures as they are chosen on the page, the same in comparisons and in groups.
 */

/** A measure of images rather than of single objects. */
export type ImageMeasure =
  | { kind: 'objectsPerImage'; per?: 'area' }
  /** The share of the objects of a class. */
  | { kind: 'class'; value: string }
  /** The share of objects from a number to another, both included. */
  | { kind: 'range'; name: string; from: number | null; to: number | null }
  /** The share of a population, of the objects of its parent. */
  | { kind: 'filter'; name: string };

/** A measure as it is chosen; columns by name, since image columns may change their places. */
export type ChosenMeasure = { kind: 'column'; name: string } | ImageMeasure;

/** What there is to choose from beside columns. */
export interface OfferedMeasures {
  classes: readonly string[];
  /** Whether it may be known how large images are. */
  hasAreas: boolean;
  populations: readonly NamedPopulation[];
}

/** Classes that are listed as measures. */
const MAX_CLASSES = 30;

/** The classes of a table, most frequent first. `textsOf`: texts of a column likewise. */
export async function classesOf(
  columns: readonly TableColumn[],
  textsOf: (column: number, limit: number) => Promise<string[]>,
): Promise<string[]> {
  const column = classColumnOf(columns);
  return column === undefined ? [] : textsOf(column, MAX_CLASSES);
}

/** Columns of numbers that are worth comparing: none that name objects. */
export function measurable(columns: readonly TableColumn[]): TableColumn[] {
  return columns.filter(
    ({ kind, name, ofImage }) =>
      kind === 'number' && !ofImage && !/\b(id|number|index|label)$/i.test(name.trim()),
  );
}

/** The measures of images to choose from. One that was chosen stays in the list. */
export function imageMeasures(
  { classes, hasAreas, populations }: OfferedMeasures,
  chosen: readonly ImageMeasure[],
): ImageMeasure[] {
  const all: ImageMeasure[] = [
    { kind: 'objectsPerImage' },
    ...(hasAreas ? [{ kind: 'objectsPerImage', per: 'area' } as const] : []),
    ...classes.map(value => ({ kind: 'class', value }) as const),
    ...populations.map(({ name }) => ({ kind: 'filter', name }) as const),
  ];
  const keys = new Set(all.map(measureKey));
  return [...all, ...chosen.filter(each => !keys.has(measureKey(each)))];
}

/** The same for measures that are one and the same. */
export function measureKey(measure: ChosenMeasure): string {
  switch (measure.kind) {
    case 'column':
      return `column ${measure.name}`;
    case 'objectsPerImage':
      return measure.per === 'area' ? 'area' : 'objects';
    case 'class':
      return `class ${measure.value}`;
    case 'range':
      return `range ${JSON.stringify([measure.name, measure.from, measure.to])}`;
    case 'filter':
      return `filter ${measure.name}`;
  }
}

/**
 * A measure as it is called on axes, in lists and in files; with the unit of its column where that
 * is in no name.
 */
export function chosenName(chosen: ChosenMeasure, unit?: string): string {
  switch (chosen.kind) {
    case 'column':
      return unit === undefined ? chosen.name : t('{0} ({1})', chosen.name, unit);
    case 'objectsPerImage':
      return chosen.per === 'area' ? t('Objects per mm²') : t('Objects per image');
    case 'class':
      return t('Share of {0}', chosen.value);
    case 'filter':
      // A class may have the same name.
      return t('Share of {0} (population)', chosen.name);
    case 'range': {
      const { name, from, to } = chosen;
      const behind = unit === undefined ? '' : ` ${unit}`;
      const [low, high] = [from, to].map(end => (end === null ? '' : formatNumber(end) + behind));
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

/**
 * What to request for a measure; undefined where the table lacks its column, or has no such
 * population.
 */
export function measureOf(
  chosen: ChosenMeasure,
  columns: readonly TableColumn[],
  populations: readonly Pick<NamedPopulation, 'name'>[],
): Measure | undefined {
  switch (chosen.kind) {
    case 'objectsPerImage':
      return { kind: 'objectsPerImage', per: chosen.per ?? 'image' };
    case 'class': {
      const column = classColumnOf(columns);
      const { value } = chosen;
      return column === undefined
        ? undefined
        : { kind: 'share', of: [{ kind: 'values', column, values: [value] }] };
    }
    case 'filter': {
      const { name } = chosen;
      const isThere = populations.some(each => each.name === name);
      return isThere ? { kind: 'share', of: [{ kind: 'population', name }] } : undefined;
    }
    case 'column':
    case 'range': {
      const column = columns.find(({ name, kind }) => name === chosen.name && kind === 'number')?.index;
      if (column === undefined) return undefined;
      if (chosen.kind === 'column') return { kind: 'column', column };
      return { kind: 'share', of: [{ kind: 'range', column, from: chosen.from, to: chosen.to }] };
    }
  }
}
