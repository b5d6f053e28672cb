/** Long work that yields between steps, so that `runInSlices` can pause it. */
export type Steps<R> = Generator<void, R>;

/** Runs all steps without a pause. */
export function finish<R>(steps: Steps<R>): R {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Items, such as names, that one step handles in a millisecond or two. */
const ITEMS_PER_STEP = 256;
/** Calls `handle` with each item, and yields between steps. */
export function* inSteps<T>(items: Iterable<T>, handle: (item: T, index: number) => void): Steps<void> {
  let index = 0;
  for (const item of items) {
    handle(item, index++);
    if (index % ITEMS_PER_STEP === 0) yield;
  }
}

/** Maps items to results, and yields between steps. */
export function* mapInSteps<T, R>(items: Iterable<T>, map: (item: T, index: number) => R): Steps<R[]> {
  const results: R[] = [];
  yield* inSteps(items, (item, index) => results.push(map(item, index)));
  return results;
}

/** Sorts a copy of a list by a stable merge sort. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let index = 0; index < items.length; index += ITEMS_PER_STEP) {
    runs.push(items.slice(index, index + ITEMS_PER_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergeInSteps(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let [nextA, nextB] = [0, 0];
  while (nextA < a.length && nextB < b.length) {
    const isFromA = compare(a[nextA] as T, b[nextB] as T) <= 0;
    merged.push((isFromA ? a[nextA++] : b[nextB++]) as T);
    if (merged.length % ITEMS_PER_STEP === 0) yield;
  }
  return [...merged, ...a.slice(nextA), ...b.slice(nextB)];
}
