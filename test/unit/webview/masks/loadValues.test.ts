import { deepEqual } from 'node:assert/strict';
import { loadValues } from '../../../../src/webview/masks/loadedObjects';

describe('values of a column', () => {
  const signal = new AbortController().signal;
  const load = async (page: number, total: number, known = total) => {
    const requested: number[] = [];
    const request = (_method: string, { from = 0 }: { from?: number }) => {
      requested.push(from);
      const count = Math.max(0, Math.min(page, known - from));
      return Promise.resolve({
        values: Float64Array.from({ length: count }, (_, at) => from + at).buffer,
        total,
      });
    };
    return { requested, values: [...(await loadValues({ request } as never, 0, 3, signal))] };
  };

  it('are requested in parts, up to the last object', async () => {
    deepEqual(await load(2, 5), { requested: [0, 2, 4], values: [0, 1, 2, 3, 4] });
    deepEqual(await load(5, 5), { requested: [0], values: [0, 1, 2, 3, 4] });
    deepEqual(await load(5, 0), { requested: [0], values: [] });
  });

  it('are unknown where no more come', async () => {
    deepEqual(await load(2, 4, 3), { requested: [0, 2, 3], values: [0, 1, 2, NaN] });
  });
});
