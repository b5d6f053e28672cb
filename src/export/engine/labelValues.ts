import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';

/**
 * The value of each object in a label image: its id where that is a whole number from 1 to `maxValue` that no object
 * before it has; otherwise the next number after all ids, or the lowest free one. Throws `too-many-objects`.
 */
export function labelValues(ids: readonly (number | bigint)[], maxValue: number): number[] {
  if (ids.length > maxValue) {
    throw new CodedError('too-many-objects', 'Too many objects for a label image', {
      reason: reason('too-many-objects-for-format', ids.length, maxValue),
    });
  }
  const taken = new Set<number>();
  const kept = ids.map(id => {
    const fits =
      typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= maxValue && !taken.has(id);
    if (fits) taken.add(id);
    return fits ? id : undefined;
  });
  let highest = 0;
  for (const id of taken) highest = Math.max(highest, id);
  let lowest = 0;
  const free = (): number => {
    if (highest < maxValue) return ++highest;
    do lowest++;
    while (taken.has(lowest));
    taken.add(lowest);
    return lowest;
  };
  return kept.map(id => {
    if (id !== undefined) return id;
    const value = free();
    taken.add(value);
    return value;
  });
}
