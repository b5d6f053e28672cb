import { CodedError } from '../../base/errors';

/**
 * The value of each object in a label image: its id where that is a whole number from 1 to `largest` that no object
 * before it has; else the next number past all ids, or the lowest free one. Throws `too-many-objects`.
 */
export function labelValues(ids: readonly number[], largest: number): number[] {
  if (ids.length > largest) {
    const reason = `There are ${ids.length} objects; this format has room for ${largest} in an image`;
    throw new CodedError('too-many-objects', 'Too many objects for a label image', { reason });
  }
  const taken = new Set<number>();
  const kept = ids.map(id => {
    const fits = Number.isInteger(id) && id >= 1 && id <= largest && !taken.has(id);
    if (fits) taken.add(id);
    return fits;
  });
  let highest = 0;
  for (const id of taken) highest = Math.max(highest, id);
  let lowest = 0;
  const free = (): number => {
    if (highest < largest) return ++highest;
    do lowest++;
    while (taken.has(lowest));
    taken.add(lowest);
    return lowest;
  };
  return ids.map((id, at) => {
    if (kept[at]) return id;
    const value = free();
    taken.add(value);
    return value;
  });
}
