import { fromJsonNumber } from '../columns/columnStatistics';
import { plainValue } from '../study/spellings';
import type { ControlMarks } from './plateRequests';
import { NO_CONDITION, type PlateWells, type ShownAs } from './plates';
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

export type Control = 'negative' | 'positive';

/** Why a number of a plate is missing. */
export type PlateGap =
  /** Fewer wells of a control have a value than are needed. */
  | { kind: 'few-controls'; negative: number; positive: number; needed: number }
  | { kind: 'equal-means' }
  | { kind: 'equal-medians' }
  | { kind: 'no-variance' }
  /** For percent of control. */
  | { kind: 'no-negative' }
  | { kind: 'negative-mean-0' }
  /** For robust z-scores. */
  | { kind: 'no-samples' }
  | { kind: 'samples-alike' };

/** How well positive controls are separated from negative ones on a plate. */
export interface ControlLine extends ControlQuality {
  /** The condition of the positive wells; null for none or several. */
  positive: string | null;
  wells: { negative: number; positive: number };
  /** Why numbers are missing. */
  gaps: PlateGap[];
}

/** A plate with the statistics of its controls; arrays are by well. */
export interface ControlledPlate {
  name: string | null;
  controls: (Control | undefined)[];
  /** The shown value of each well, which may be infinite or null. */
  shown: (number | null)[];
  /** Why no well has a value. */
  gap?: PlateGap;
  /** One per condition of positive wells, and one without condition if there are none. */
  lines: ControlLine[];
}

/** Controls by the names and conditions that are marked. */
export class Controls {
  private readonly wells: ReadonlyMap<string, Control>;
  private readonly byCondition: ReadonlyMap<string, Control>;

  constructor(
    private readonly marks: ControlMarks,
    /** Of all plates, as PlateWells has them. */
    private readonly conditions: readonly string[],
  ) {
    const both = (of: 'wells' | 'conditions', plain: (text: string) => string) =>
      new Map(
        (['negative', 'positive'] as const).flatMap(control =>
          marks[control][of].map(text => [plain(text), control] as const),
        ),
      );
    this.wells = both('wells', text => text);
    this.byCondition = both('conditions', plainValue);
  }

  /** A plate with its controls; `as`: the kind of shown values. */
  of(plate: PlateWells, as: ShownAs): ControlledPlate {
    const values = plate.values.map(fromJsonNumber);
    const controls = plate.wells.map(
      (well, at) =>
        this.wells.get(well) ?? this.byCondition.get(plainValue(this.conditionOf(plate, at) ?? '')),
    );
    const finite = (isAmong: (at: number) => boolean) =>
      values.filter((value, at): value is number => value !== null && Number.isFinite(value) && isAmong(at));
    const negative = finite(at => controls[at] === 'negative');
    const samples = finite(at => controls[at] === undefined);
    const isOf = (condition: string | null) => (at: number) =>
      controls[at] === 'positive' && (this.conditionOf(plate, at) ?? null) === condition;
    const conditions = this.positiveConditions(plate, controls);
    const lines = (conditions.length > 0 ? conditions : [null]).map(condition =>
      lineOf(condition, negative, finite(isOf(condition))),
    );
    return { name: plate.name, controls, lines, ...shownOf(values, as, { negative, samples }) };
  }

  /** Whether any well is marked. */
  get isEmpty(): boolean {
    return this.wells.size + this.byCondition.size === 0;
  }

  private conditionOf({ conditions }: PlateWells, at: number): string | undefined {
    return this.conditions[conditions[at] ?? NO_CONDITION];
  }

  /** The marked wells by name, and the marked conditions of wells. */
  private positiveConditions(
    plate: PlateWells,
    controls: readonly (Control | undefined)[],
  ): (string | null)[] {
    const marked = this.marks.positive.conditions.map(
      condition => this.conditions.find(other => plainValue(other) === plainValue(condition)) ?? condition,
    );
    const ofWells = controls.flatMap((control, at) =>
      control === 'positive' ? [this.conditionOf(plate, at) ?? null] : [],
    );
    return [...new Set([...marked, ...ofWells])];
  }
}

function lineOf(
  positive: string | null,
  negativeValues: readonly number[],
  positiveValues: readonly number[],
): ControlLine {
  const wells = { negative: negativeValues.length, positive: positiveValues.length };
  const quality = controlQuality(negativeValues, positiveValues);
  const isFew = Math.min(wells.negative, wells.positive) < MIN_CONTROLS;
  const gaps: PlateGap[] = isFew
    ? [{ kind: 'few-controls', ...wells, needed: MIN_CONTROLS }]
    : [
        ...(quality.zPrime === null ? [{ kind: 'equal-means' } as const] : []),
        ...(quality.robustZPrime === null ? [{ kind: 'equal-medians' } as const] : []),
        ...(quality.ssmd === null ? [{ kind: 'no-variance' } as const] : []),
      ];
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
  if (reference.length === 0) return { shown, gap: { kind: isPercent ? 'no-negative' : 'no-samples' } };
  return { shown, gap: { kind: isPercent ? 'negative-mean-0' : 'samples-alike' } };
}
