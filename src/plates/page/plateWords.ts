import { columnStatisticNames } from '../../columns/columnStatistics';
import { chosenName } from '../../study/page/chosenMeasure';
import { t } from '../../pages/page/l10n';
import type { Control, ControlLine } from '../controls';
import type { Plates, ShownAs } from '../plates';
import { plateNotes, shownName } from '../plateWords';
import type { PlateModel, MeasuredPlates } from './plateModel';
import type { ChosenWellMeasure } from './platesSaved';

/* Texts about plates. */

export function measureWords(chosen: ChosenWellMeasure): string {
  if (chosen.kind !== 'objects') return chosenName(chosen);
  const number = t('Number of objects');
  return chosen.population === undefined ? number : t('{0} in {1}', number, chosen.population);
}

export function shownAsName(as: ShownAs): string {
  if (as === 'value') return t({ message: 'Value', comment: 'Measured value of a well' });
  return as === 'percentOfControl' ? t('Percent of control') : t('Robust z');
}

export function controlName(control: Control): string {
  return control === 'negative' ? t('Negative control') : t('Positive control');
}

/** A number of a control to three digits. */
export function figure(value: number | null): string {
  return value === null ? '–' : t.significant(value, 3);
}

/** Texts of a map of plates, and data for its tooltips. */
export interface MapTitles {
  /** The shown values of wells. */
  value: string;
  title: string;
  measured: Plates;
  as: ShownAs;
}

export function mapTitles(model: PlateModel, { measure, measured }: MeasuredPlates): MapTitles {
  const { as = 'value' } = model.state.value;
  const name = measureWords(measure);
  const isColumn = measure.kind === 'column';
  const measuredName = isColumn ? t('{0} ({1})', name, columnStatisticNames[model.statistic](t)) : name;
  const value = shownName(t, measuredName, as);
  const pages = pageWords(model);
  const title = pages === undefined ? t('{0} on plates', value) : t('{0} on plates {1}', value, pages);
  return { value, title, measured, as };
}

/** Which plates are on the page of the map; undefined if there is only one page. */
export function pageWords({ page, plates }: PlateModel): string | undefined {
  const { first, plates: shown } = page.value;
  const { length } = plates.value;
  if (length === shown.length) return undefined;
  return t('{0}–{1} of {2}', first + 1, first + shown.length, length);
}

/** Z′ for a plate's title. `isOnly`: the positive control isn't named, as there is only one. */
export function lineWords({ positive, zPrime }: ControlLine, isOnly: boolean): string {
  if (zPrime === null) return '';
  return isOnly || positive === null
    ? t('Z′ {0}', figure(zPrime))
    : t('Z′ {0} ({1})', figure(zPrime), positive);
}

/** Wells that a note names. */
const MAX_NAMED = 5;

/** Notes on left-out wells, and on numbers that may mislead. */
export function mapNotes(model: PlateModel, { measured, params }: MeasuredPlates): string[] {
  const { total, plates } = measured;
  const outside = [...new Set(model.outside.value)];
  const named = outside.slice(0, MAX_NAMED).join(', ');
  const wells =
    outside.length > MAX_NAMED ? t('{0} and {1} others', named, outside.length - MAX_NAMED) : named;
  const size = model.state.value.size ?? 0;
  const { below = 0, above = 0 } = model.scale.value ?? {};
  const beyondCount = below + above;
  return [
    ...(outside.length > 0
      ? [t('A plate of {0} wells has no {1}: a larger one is shown.', size, wells)]
      : []),
    ...(beyondCount > 0
      ? [t.count(beyondCount, '1 well is beyond the color scale.', '{0} wells are beyond the color scale.')]
      : []),
    ...(total > plates.length ? [t('The first {0} of {1} plates are shown.', plates.length, total)] : []),
    ...plateNotes(t, measured, model.plates.value, params.measure.kind).map(({ message }) => message),
  ];
}
