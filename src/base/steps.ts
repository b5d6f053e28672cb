/** Long work that pauses at each `yield`, so that `runInSlices` can do other work meanwhile. */
export type Steps<R> = Generator<void, R>;

/** Does all steps at once. */
export function finish<R>(steps: Steps<R>): R {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Names or the like that are handled in one step: a millisecond or two. */
const NAMES_PER_STEP = 256;

/** Handles names or the like, and yields from time to time. */
export function* inSteps<T>(all: Iterable<T>, handle: (item: T, at: number) => void): Steps<void> {
  let at = 0;
  for (const entry of all) {
    handle(entry, at++);
    if (at % NAMES_PER_STEP === 0) yield;
  }
}

/** What is made of each. */
export function* mapInSteps<T, R>(all: Iterable<T>, made: (item: T, at: number) => R): Steps<R[]> {
  const results: R[] = [];
  yield* inSteps(all, (entry, at) => results.push(made(entry, at)));
  return results;
}

/** Sorts a copy of a list; equal ones keep their order. */
export function* sortInSteps<T>(all: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < all.length; at += NAMES_PER_STEP) {
    runs.push(all.slice(at, at + NAMES_PER_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeInSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let [ofA, ofB] = [0, 0];
  while (ofA < a.length && ofB < b.length) {
    const isOfA = compare(a[ofA] as T, b[ofB] as T) <= 0;
    merged.push((isOfA ? a[ofA++] : b[ofB++]) as T);
    if (merged.length % NAMES_PER_STEP === 0) yield;
  }
  return [...merged, ...a.slice(ofA), ...b.slice(ofB)];
}
