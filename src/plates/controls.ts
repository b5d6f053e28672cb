import { fromJsonNumber } from '../columns/columnStatistics';
import { plainValue } from '../study/spellings';
import type { Translate } from '../words/translate';
import type { ControlMarks } from './plateRequests';
import type { Plates, PlateWells, ShownAs } from './plates';
import {
  controlQuality,
  type ControlQuality,
  MIN_CONTROLS,
  percentOfControl,
  robustZScores,
} from './plateStatistics';

/*
 * Control wells, and their statistics for a plate. A well is a control by its name, on every plate,
 * or by its condition. If both are marked, the name counts.
 */

export const NO_MARKS: ControlMarks = {
  negative: { wells: [], conditions: [] },
  positive: { wells: [], conditions: [] },
};

export const controlKinds = ['negative', 'positive'] as const;

export type Control = (typeof controlKinds)[number];

/** Says why a number of a plate is missing. */
type PlateGap = (t: Translate) => string;

/** How well positive controls are separated from negative ones on a plate. */
export interface ControlLine extends ControlQuality {
  /** The condition of the positive wells; null for none or several. */
  positive: string | null;
  wells: { negative: number; positive: number };
  /** Why numbers are missing. */
  gaps: PlateGap[];
}

/** A plate with the statistics of its controls; arrays are by well. */
export interface ControlledPlate extends PlateWells {
  controls: (Control | undefined)[];
  /** The shown value of each well, which may be infinite or null. */
  shown: (number | null)[];
  /** Why no well has a value. */
  gap?: PlateGap;
  /** One per condition of positive wells, and one without condition if there are none. */
  lines: ControlLine[];
}

/** Plates with the controls that are marked; `as`: the kind of shown values. */
export function controlledPlates(
  { plates, conditions }: Pick<Plates, 'plates' | 'conditions'>,
  marks: ControlMarks,
  as: ShownAs,
): ControlledPlate[] {
  const controlsByText = (field: 'wells' | 'conditions', plain: (text: string) => string) =>
    new Map(
      controlKinds.flatMap(control => marks[control][field].map(text => [plain(text), control] as const)),
    );
  const [byWell, byCondition] = [
    controlsByText('wells', well => well),
    controlsByText('conditions', plainValue),
  ];
  const markedConditions = marks.positive.conditions.map(
    condition => conditions.find(other => plainValue(other) === plainValue(condition)) ?? condition,
  );
  return plates.map(plate => {
    const values = plate.values.map(fromJsonNumber);
    const wellConditions = plate.conditions.map(position => conditions[position] ?? null);
    const controls = plate.wells.map(
      (well, index) => byWell.get(well) ?? byCondition.get(plainValue(wellConditions[index] ?? '')),
    );
    const finiteValues = (isAmong: (index: number) => boolean) =>
      values.filter(
        (value, index): value is number => value !== null && Number.isFinite(value) && isAmong(index),
      );
    const negative = finiteValues(index => controls[index] === 'negative');
    const samples = finiteValues(index => controls[index] === undefined);
    const positiveConditions = new Set([
      ...markedConditions,
      ...wellConditions.filter((_, index) => controls[index] === 'positive'),
    ]);
    const lines = Array.from(positiveConditions.size > 0 ? positiveConditions : [null], condition => {
      const isOfLine = (index: number) =>
        controls[index] === 'positive' && wellConditions[index] === condition;
      return lineOf(condition, negative, finiteValues(isOfLine));
    });
    return { ...plate, controls, lines, ...shownValuesOf(values, as, { negative, samples }) };
  });
}

function lineOf(
  positive: string | null,
  negativeValues: readonly number[],
  positiveValues: readonly number[],
): ControlLine {
  const wells = { negative: negativeValues.length, positive: positiveValues.length };
  const quality = controlQuality(negativeValues, positiveValues);
  const gaps: PlateGap[] = [];
  if (Math.min(wells.negative, wells.positive) < MIN_CONTROLS)
    gaps.push(t =>
      t(
        'Negative control wells with a value: {0}, positive: {1}. At least {2} of each are needed.',
        ...[wells.negative, wells.positive, MIN_CONTROLS],
      ),
    );
  else {
    if (quality.zPrime === null) gaps.push(t => t('Z′ is missing: both controls have the same mean.'));
    if (quality.robustZPrime === null)
      gaps.push(t => t('Robust Z′ is missing: both controls have the same median.'));
    if (quality.ssmd === null)
      gaps.push(t => t('SSMD is missing: the wells of each control have the same value.'));
  }
  return { positive, wells, ...quality, gaps };
}

function shownValuesOf(
  values: (number | null)[],
  as: ShownAs,
  { negative, samples }: { negative: readonly number[]; samples: readonly number[] },
): Pick<ControlledPlate, 'shown' | 'gap'> {
  if (as === 'value') return { shown: values };
  const isPercent = as === 'percentOfControl';
  const reference = isPercent ? negative : samples;
  const finite = values.map(value => (value !== null && Number.isFinite(value) ? value : null));
  const shown = isPercent ? percentOfControl(finite, reference) : robustZScores(finite, reference);
  if (shown.some(value => value !== null) || finite.every(value => value === null)) return { shown };
  const isEmpty = reference.length === 0;
  const gap: PlateGap = t => {
    if (isPercent)
      return isEmpty
        ? t('Percent of control is missing: no negative control well has a value.')
        : t('Percent of control is missing: the mean of the negative controls is 0.');
    return isEmpty
      ? t('Robust z is missing: no well besides the controls has a value.')
      : t('Robust z is missing: half or more of the wells besides the controls have the same value.');
  };
  return { shown, gap };
}
