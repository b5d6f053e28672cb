import { scaleLinear } from 'd3-scale';

/** Positions of conditions in a plot. */
export interface Places {
  x: (at: number) => number;
  /** Half the width of a condition. */
  half: number;
}

/** An axis for the numbers of conditions, such as doses. */
interface ConditionAxis {
  /** The number of each condition, or its logarithm. */
  numbers: readonly number[];
  isLogarithmic: boolean;
  /** The smallest distance of neighbors, as a share of the axis. */
  step: number;
}

/** Maximum number of steps on a linear axis. */
const MAX_STEPS = 16;

/**
 * The axis for numbers of conditions: linear, unless numbers would be too close on it and a
 * logarithmic axis has more space between them. Undefined if numbers are equal or missing.
 */
export function conditionAxis(numbers: readonly number[]): ConditionAxis | undefined {
  const linear = axisOf(numbers, false);
  if (!linear || linear.step * MAX_STEPS >= 1) return linear;
  // Linear below the smallest number, so that 0 is on the axis.
  const minSize = Math.min(...numbers.filter(number => number !== 0).map(Math.abs));
  const logarithmic = axisOf(
    numbers.map(number => Math.sign(number) * Math.log1p(Math.abs(number) / minSize)),
    true,
  );
  return logarithmic && logarithmic.step > linear.step ? logarithmic : linear;
}

function axisOf(numbers: readonly number[], isLogarithmic: boolean): ConditionAxis | undefined {
  const sorted = [...numbers].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((number, at) => number - (sorted[at] ?? 0));
  const step = Math.min(...gaps) / ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0));
  return step > 0 && step <= 1 ? { numbers, isLogarithmic, step } : undefined;
}

/** Positions of conditions: side by side, or along an axis of their numbers. */
export function conditionPlaces(
  numbers: readonly number[] | undefined,
  count: number,
  width: number,
): Places {
  const axis = numbers && conditionAxis(numbers);
  if (!axis) return { x: at => ((at + 0.5) * width) / count, half: width / count / 2 };
  // Conditions at the ends need half their width beyond the axis.
  const margin = Math.min(width / 4, Math.max(24, (width * axis.step) / 2));
  const scale = scaleLinear()
    .domain([Math.min(...axis.numbers), Math.max(...axis.numbers)])
    .range([margin, width - margin]);
  return {
    x: at => scale(axis.numbers[at] ?? 0),
    half: Math.max(8, ((width - 2 * margin) * axis.step) / 2),
  };
}
