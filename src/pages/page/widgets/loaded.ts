import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/**
 * The latest value that a part of a page has loaded; undefined until the first is there. Loads again
 * when `inputs` change, and cancels the load before; `load` returns undefined where nothing is to be
 * loaded. `failed` isn't told of canceled loads.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T> | undefined,
  failed: (error: unknown) => void,
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
      (error: unknown) => signal.aborted || failed(error),
    );
    return () => loading.abort();
  }, inputs);
  return loaded.value;
}
