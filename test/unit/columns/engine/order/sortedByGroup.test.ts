import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import { sortedByGroup } from '../../../../../src/columns/engine/sortedByGroup';

const decimals = fc
  .tuple(
    fc.constantFrom(0, 5, 50_000, 2 ** 31 - 1),
    fc.constantFrom(1, 10, 1e3, 1e6, 1e9),
    fc.integer({ min: 1, max: 300 }),
  )
  .chain(([span, factor, length]) =>
    fc.array(
      fc.integer({ min: -span, max: span }).map(whole => (whole === 0 ? 0 : whole / factor)),
      { minLength: length, maxLength: length },
    ),
  );
const missing = fc.array(fc.constant(NaN), { maxLength: 20 });
const special = fc.constantFrom(-0, 0, Infinity, -Infinity, 5e-324, Math.PI, 1e16, 2 ** 53 + 2);
/** Numbers of few decimals, alone or among others that have more or are no such numbers. */
const numbers = fc
  .tuple(
    decimals,
    missing,
    fc.oneof(fc.constant([]), fc.array(fc.oneof(special, fc.double()), { maxLength: 60 })),
  )
  .chain(parts => fc.shuffledSubarray(parts.flat(), { minLength: parts.flat().length }));

/** Where the groups of some rows start. */
function startsOf(ids: Uint32Array, total: number): Uint32Array {
  const starts = new Uint32Array(total + 1);
  for (const id of ids) starts[id + 1] = (starts[id + 1] as number) + 1;
  for (let group = 0; group < total; group++)
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
  return starts;
}

/** Compares every bit. */
async function compareWithSort(values: Float64Array, ids: Uint32Array, total: number): Promise<void> {
  const starts = startsOf(ids, total);
  const byLanguage = (of: Float64Array) => of.filter(value => !Number.isNaN(value)).sort();
  const parts = Array.from({ length: total }, (): number[] => []);
  for (const [at, id] of ids.entries()) parts[id]?.push(values[at] as number);
  const [idsBefore, expected] = [ids.slice(), byLanguage(values)];
  const { sorted, inGroups, ends } = await sortedByGroup(values.slice(), { ids, starts });
  const isSame = (one: Float64Array, other: Float64Array) =>
    one.length === other.length && one.every((value, at) => Object.is(value, other[at]));
  // deepEqual would take minutes to print a difference.
  assert.ok(isSame(sorted, expected), 'all');
  for (const [group, part] of parts.entries())
    assert.ok(
      isSame(inGroups.subarray(starts[group], ends[group]), byLanguage(Float64Array.from(part))),
      `group ${group}`,
    );
  assert.deepEqual(ids, idsBefore);
}

describe('numbers in groups', () => {
  it('are sorted bit by bit as the language sorts each group, and all of them', async () => {
    const grouped = fc.tuple(numbers, fc.constantFrom(1, 2, 24, 200), fc.integer({ min: 1, max: 9973 }));
    await fc.assert(
      fc.asyncProperty(grouped, ([values, total, step]) =>
        compareWithSort(
          Float64Array.from(values),
          Uint32Array.from(values, (_, at) => (at * step) % total),
          total,
        ),
      ),
      { numRuns: 300 },
    );
  });

  it('of large columns are sorted, with and without missing ones, and where there are only these', async () => {
    const count = 300_000;
    const spread = (at: number) => (at * 7919) % count;
    // 27 bits, beside which 5 remain for groups.
    const large = (at: number) => (spread(at) * 333) / 1e5;
    const columns: [total: number, numberAt: (at: number) => number][] = [
      [24, large],
      [40, large],
      [24, at => spread(at) / 3],
      [24, at => (at < count * 0.9 ? spread(at) / 8 : NaN)],
      [40, at => (at % 1000 === 7 ? NaN : spread(at) / 8)],
      [24, at => (at % 3 === 0 ? -0 : (at % 3) - 1)],
      [24, () => NaN],
    ];
    for (const [total, numberAt] of columns)
      await compareWithSort(
        Float64Array.from({ length: count }, (_, at) => numberAt(at)),
        Uint32Array.from({ length: count }, (_, at) => (at >> 3) % total),
        total,
      );
  });

  it('are none where there are no rows', async () => {
    await compareWithSort(new Float64Array(0), new Uint32Array(0), 0);
  });

  it('stop being sorted when this is canceled', async () => {
    const stop = new AbortController();
    const values = Float64Array.from({ length: 3_000_000 }, (_, at) => (at % 100_000) / 8);
    const starts = Uint32Array.of(0, values.length);
    const sorted = sortedByGroup(values, { ids: new Uint32Array(values.length), starts }, stop.signal);
    stop.abort();
    await assert.rejects(sorted, error => isCoded(error, 'cancelled'));
  });
});
