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
