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
 * or by its condition; its name wins.
 */

export const NO_MARKS: ControlMarks = {
  negative: { wells: [], conditions: [] },
  positive: { wells: [], conditions: [] },
};

export const controlKinds = ['negative', 'positive'] as const;

export type Control = (typeof controlKinds)[number];

/** Says why a number of a plate is missing. */
export type PlateGap = (t: Translate) => string;

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
  const marked = (of: 'wells' | 'conditions', plain: (text: string) => string) =>
    new Map(controlKinds.flatMap(control => marks[control][of].map(text => [plain(text), control] as const)));
  const [byWell, byCondition] = [marked('wells', well => well), marked('conditions', plainValue)];
  const markedPositive = marks.positive.conditions.map(
    condition => conditions.find(other => plainValue(other) === plainValue(condition)) ?? condition,
  );
  return plates.map(plate => {
    const values = plate.values.map(fromJsonNumber);
    const ofWells = plate.conditions.map(at => conditions[at] ?? null);
    const controls = plate.wells.map(
      (well, at) => byWell.get(well) ?? byCondition.get(plainValue(ofWells[at] ?? '')),
    );
    const finite = (isAmong: (at: number) => boolean) =>
      values.filter((value, at): value is number => value !== null && Number.isFinite(value) && isAmong(at));
    const negative = finite(at => controls[at] === 'negative');
    const samples = finite(at => controls[at] === undefined);
    const positive = new Set([...markedPositive, ...ofWells.filter((_, at) => controls[at] === 'positive')]);
    const lines = Array.from(positive.size > 0 ? positive : [null], condition => {
      const isOfLine = (at: number) => controls[at] === 'positive' && ofWells[at] === condition;
      return lineOf(condition, negative, finite(isOfLine));
    });
    return { ...plate, controls, lines, ...shownOf(values, as, { negative, samples }) };
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

function shownOf(
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
