import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import { Pacer } from '../../../../../src/base/node/slices';
import {
  MAX_PARTITIONED,
  partitionNumbers,
  selectNumbers,
} from '../../../../../src/columns/engine/selectNumbers';
import { extentOf } from '../../../../../src/columns/exactSum';

const special = fc.constantFrom(-0, 0, Infinity, -Infinity, 5e-324, -5e-324, 1e308, -1e308, Number.MAX_VALUE);
const numbers = fc.oneof(
  fc.array(fc.double({ noNaN: true })),
  fc.array(fc.integer({ min: -3, max: 3 })),
  fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -500, max: 500 }).map(n => n / 8) }, special)),
);

/** Compares the numbers at all places, or at some of many, with those of a sort. */
async function compareWithSort(given: Float64Array): Promise<void> {
  const sorted = given.slice().sort();
  const step = Math.max(1, Math.floor(given.length / 7));
  const places: number[] = [];
  for (let place = 0; place < given.length; place += step) places.push(place);
  if (given.length > 0) places.push(given.length - 1);
  const within = { numbers: given.slice(), extent: extentOf(given) };
  const found = await selectNumbers(within, places, new Pacer());
  // −0 is 0.
  for (const place of places)
    assert.ok(found.get(place) === sorted[place], `${found.get(place)} instead of ${sorted[place]}`);
  assert.deepEqual(within.numbers, given);
}

describe('numbers by their places', () => {
  it('are those of a sort, of few numbers', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async given => {
        const values = Float64Array.from(given);
        await compareWithSort(values);
        const sorted = values.slice().sort();
        const places = [0.1, 0.25, 0.5, 0.9].map(share => Math.floor(values.length * share));
        const parted = values.slice();
        if (values.length > 0) partitionNumbers(parted, places);
        for (const place of places) assert.ok(parted[place] === sorted[place]);
        assert.deepEqual(
          parted.sort().map(value => value + 0),
          sorted.map(value => value + 0),
        );
      }),
    );
  });

  it('are those of a sort, of many that lie evenly, in heaps, far apart or beyond all ranges', async () => {
    const count = 20 * MAX_PARTITIONED;
    const spread = (at: number) => (at * 7919) % count;
    const columns: ((at: number) => number)[] = [
      spread,
      at => spread(at) / 3,
      () => 7,
      at => (at % 3 === 0 ? -0 : (at % 3) - 1),
      at => (at % 2 === 0 ? 0 : spread(at)),
      at => (at === 5 ? 1e300 : spread(at)),
      at => (at === 5 ? -1e300 : at === 6 ? 1e250 : spread(at) / 7),
      at => Math.exp(spread(at) / 30),
      at => 10 ** ((spread(at) % 600) - 300),
      at => (at % 2 === 0 ? -1e308 : 1e308) * (spread(at) / count),
      at => spread(at) * 5e-324,
      at => (at % 100 === 0 ? Infinity : spread(at)),
      at => (at % 100 === 0 ? -Infinity : -spread(at)),
      at => (at % 2 === 0 ? -Infinity : Infinity),
      at => 1 + (spread(at) % 4) * Number.EPSILON,
    ];
    for (const numberAt of columns)
      await compareWithSort(Float64Array.from({ length: count }, (_, at) => numberAt(at)));
  });

  it('stop being looked for when this is canceled', async () => {
    const stop = new AbortController();
    const values = Float64Array.from({ length: 10_000 }, (_, at) => (at * 7919) % 10_007);
    const pacer = new Pacer(stop.signal);
    while (!pacer.isDue);
    const found = selectNumbers({ numbers: values, extent: { least: 0, greatest: 10_006 } }, [5000], pacer);
    stop.abort();
    await assert.rejects(found, error => isCoded(error, 'cancelled'));
  });
});
