/** Wraps `work`: a call while an earlier one still runs resolves to undefined at once. */
export function unlessRunning<T>(work: () => Promise<T>): () => Promise<T | undefined> {
  let isRunning = false;
  return async () => {
    if (isRunning) return undefined;
    isRunning = true;
    try {
      return await work();
    } finally {
      isRunning = false;
    }
  };
}
