import { deepEqual } from 'node:assert/strict';
import { loadMeasure, loadValues } from '../../../../src/masks/page/state/loadedObjects';

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

describe('a measurement of all objects of an image', () => {
  const load = async (measure: 'area' | 'perimeter') => {
    const requested: string[] = [];
    const request = (method: string, { from }: { from: number }) => {
      requested.push(`${method} ${from}`);
      const areas = Float64Array.of(...(from === 0 ? [4, 5] : [6]));
      return Promise.resolve({
        areas: method === 'objectAreas' ? Uint8Array.from(areas).buffer : areas.buffer,
        kind: 'uint8',
        count: areas.length,
        ...(method === 'objectMeasures' && { perimeters: areas.map(each => 10 * each).buffer }),
      });
    };
    const image = { index: 3, objectCount: 3 };
    const values = await loadMeasure({ request } as never, image, measure, new AbortController().signal);
    return { requested, values: [...values] };
  };

  it('is requested in parts, and measured only where it is not known', async () => {
    deepEqual(await load('area'), { requested: ['objectAreas 0', 'objectAreas 2'], values: [4, 5, 6] });
    deepEqual(await load('perimeter'), {
      requested: ['objectMeasures 0', 'objectMeasures 2'],
      values: [40, 50, 60],
    });
  });

  it('stays as it came where one message holds all of it', async () => {
    const areas = Uint16Array.of(400, 500);
    const request = () => Promise.resolve({ areas: areas.buffer, kind: 'uint16', count: 2 });
    const image = { index: 3, objectCount: 2 };
    const values = await loadMeasure({ request } as never, image, 'area', new AbortController().signal);
    deepEqual([values, values.buffer === areas.buffer], [areas, true]);
  });
});
