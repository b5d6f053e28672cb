import type { PositionOffset } from '../masks/linkReport';

/** Pixels: what rounding to a whole pixel changes, and a little more. */
const TOLERANCE = 0.51;
/** Share of the pairs that may be farther from the median than the tolerance. */
const MAX_OUTLIERS = 0.05;

/** Estimates the offset from differences of linked pairs, in pixels; undefined where no pair has numbers. */
export function positionOffset(dx: Float64Array, dy: Float64Array): PositionOffset | undefined {
  const known = Uint32Array.from(dx.keys()).filter(at => Number.isFinite((dx[at] ?? NaN) + (dy[at] ?? NaN)));
  if (known.length === 0) return undefined;
  const median = (values: Float64Array) => {
    const sorted = Float64Array.from(known, at => values[at] ?? NaN).sort();
    const middle = sorted.length >> 1;
    const upper = sorted[middle] ?? NaN;
    return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
  };
  const [x, y] = [median(dx), median(dy)];
  const far = known.filter(
    at => Math.max(Math.abs((dx[at] ?? 0) - x), Math.abs((dy[at] ?? 0) - y)) > TOLERANCE,
  );
  return { x, y, constant: far.length <= MAX_OUTLIERS * known.length };
}
