import { deepEqual } from 'node:assert/strict';
import { loadValues } from '../../../../src/webview/masks/imageObjects';

describe('values of a column', () => {
  const signal = new AbortController().signal;
  const ask = async (page: number, total: number, known = total) => {
    const asked: number[] = [];
    const request = (_method: string, { from = 0 }: { from?: number }) => {
      asked.push(from);
      const count = Math.max(0, Math.min(page, known - from));
      return Promise.resolve({
        values: Float64Array.from({ length: count }, (_, at) => from + at).buffer,
        total,
      });
    };
    return { asked, values: [...(await loadValues({ request } as never, 0, 3, signal))] };
  };

  it('are asked for part by part, to the last object', async () => {
    deepEqual(await ask(2, 5), { asked: [0, 2, 4], values: [0, 1, 2, 3, 4] });
    deepEqual(await ask(5, 5), { asked: [0], values: [0, 1, 2, 3, 4] });
    deepEqual(await ask(5, 0), { asked: [0], values: [] });
  });

  it('are unknown where no more come', async () => {
    deepEqual(await ask(2, 4, 3), { asked: [0, 2, 3], values: [0, 1, 2, NaN] });
  });
});
