/** Long work that pauses at each `yield`, so that whoever runs it may do something else meanwhile: `runInSlices`, in Node.js. */
export type Steps<R> = Generator<void, R>;

/** Does all steps at once. */
export function finish<R>(steps: Steps<R>): R {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Yields after each `count` of what is handled. */
export function* inSteps<T>(
  all: Iterable<T>,
  count: number,
  handle: (each: T, at: number) => void,
): Steps<void> {
  let at = 0;
  for (const each of all) {
    handle(each, at++);
    if (at % count === 0) yield;
  }
}
