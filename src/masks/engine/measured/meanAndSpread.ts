import { statisticsOf } from '../../../columns/columnStatistics';
import type { MeanAndSpread } from '../../../columns/selectionStatistics';
import { sortedNumbers } from '../../../columns/engine/order/sortedNumbers';

/** Count, mean and standard deviation of the values that are numbers, as statistics of columns define them. Throws `cancelled`. */
export async function meanAndSpread(values: Float64Array, signal?: AbortSignal): Promise<MeanAndSpread> {
  const sorted = await sortedNumbers(values, signal);
  const present = sorted.length;
  const { mean, sd } = statisticsOf({ present, missing: values.length - present, sorted });
  return { count: present, mean, sd };
}
