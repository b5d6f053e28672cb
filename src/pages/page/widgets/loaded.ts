import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/**
 * The latest value that a part of a page has loaded; undefined until the first has loaded. Loads
 * again when `inputs` change, and cancels the earlier load; `load` returns undefined where nothing
 * is to be loaded. `onFailed` isn't called for canceled loads.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T> | undefined,
  onFailed: (error: unknown) => void,
  inputs: readonly unknown[] = [],
): T | undefined {
  const loaded = useSignal<T | undefined>(undefined);
  useLayoutEffect(() => {
    const loading = new AbortController();
    const { signal } = loading;
    load(signal)?.then(
      value => {
        if (!signal.aborted) loaded.value = value;
      },
      (error: unknown) => signal.aborted || onFailed(error),
    );
    return () => loading.abort();
  }, inputs);
  return loaded.value;
}
