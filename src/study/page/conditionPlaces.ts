import { scaleLinear } from 'd3-scale';

/** Positions of conditions in a plot. */
export interface Places {
  x: (at: number) => number;
  /** Half of the room of one. */
  half: number;
}

/** An axis of the numbers of conditions, such as doses. */
interface ConditionAxis {
  /** The number of each, or its logarithm. */
  numbers: readonly number[];
  isLogarithmic: boolean;
  /** The smallest step from one to the next as a share of all. */
  step: number;
}

/** Steps that a linear axis has room for. */
const MAX_STEPS = 16;

/**
 * The axis on which conditions stand by their numbers: a linear one, unless it had the closest over
 * each other and a logarithmic one has more room between them. Undefined where numbers are the
 * same, or none.
 */
export function conditionAxis(numbers: readonly number[]): ConditionAxis | undefined {
  const linear = axisOf(numbers, false);
  if (!linear || linear.step * MAX_STEPS >= 1) return linear;
  // Linear below the least number, so that 0 has a place.
  const least = Math.min(...numbers.filter(number => number !== 0).map(Math.abs));
  const logarithmic = axisOf(
    numbers.map(number => Math.sign(number) * Math.log1p(Math.abs(number) / least)),
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
  // Those at the ends need half of their room beyond the axis.
  const margin = Math.min(width / 4, Math.max(24, (width * axis.step) / 2));
  const scale = scaleLinear()
    .domain([Math.min(...axis.numbers), Math.max(...axis.numbers)])
    .range([margin, width - margin]);
  return {
    x: at => scale(axis.numbers[at] ?? 0),
    half: Math.max(8, ((width - 2 * margin) * axis.step) / 2),
  };
}
