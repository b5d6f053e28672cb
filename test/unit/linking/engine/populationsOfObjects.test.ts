import { deepEqual, rejects } from 'node:assert/strict';
import {
  coloredObjects,
  membersOf,
  type PopulationOfRows,
} from '../../../../src/linking/engine/populationsOfObjects';
import { deepestFirst } from '../../../../src/linking/objectPopulations';

const { signal } = new AbortController();

/** A population of some of 100 rows. */
function population(path: string, rows: readonly number[], hidden = false, listed = 0): PopulationOfRows {
  const bits = new Uint32Array(4);
  for (const row of rows) bits[row >>> 5] = (bits[row >>> 5] ?? 0) | (1 << (row & 31));
  return { path: path.split('/'), listed, color: '#102030', ...(hidden && { hidden }), rows: bits };
}

const isIn = ({ rows }: PopulationOfRows, row: number) => (((rows[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;

describe('Populations of objects', () => {
  it('color each object by the deepest, of these by the first, and never by a hidden one', async () => {
    const all = [
      population('A', [0, 1, 2, 3], false, 0),
      population('A/B', [1, 2, 31], false, 1),
      population('A/C', [2, 3], false, 2),
      population('A/C/D', [3], true, 3),
      population('E', [0, 40], false, 4),
    ];
    // Object 4 has no row.
    const { populations, places } = await coloredObjects(all, Int32Array.of(0, 1, 2, 3, -1, 40, 50), signal);
    deepEqual([...places], [1, 2, 2, 3, 0, 5, 0]);
    deepEqual(
      populations.map(({ path, count, hidden }) => [path.join('/'), count, hidden]),
      [
        ['A', 4, undefined],
        ['A/B', 2, undefined],
        ['A/C', 2, undefined],
        ['A/C/D', 1, true],
        ['E', 2, undefined],
      ],
    );
    deepEqual(deepestFirst(all), [1, 2, 0, 4]);
    // In the list C stands before B.
    const listed = all.map((each, at) => ({ ...each, listed: [0, 2, 1, 3, 4][at] ?? 0 }));
    deepEqual(deepestFirst(listed), [2, 1, 0, 4]);
  });

  it('are those of a search object by object', async () => {
    let state = 7;
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
    const names = ['A', 'A/B', 'C', 'A/B/D', 'C/E', 'F'];
    const all = names.map((path, at) =>
      population(
        path,
        Array.from({ length: 40 }, () => random(100)),
        at === 4,
        at,
      ),
    );
    const rows = Int32Array.from({ length: 300 }, () => random(101) - 1);
    const { populations, places } = await coloredObjects(all, rows, signal);
    const expected = Array.from(rows, row => {
      const own = all.filter(each => row >= 0 && each.hidden === undefined && isIn(each, row));
      const depth = Math.max(0, ...own.map(({ path }) => path.length));
      return all.findIndex(each => own.includes(each) && each.path.length === depth) + 1;
    });
    deepEqual([...places], expected);
    deepEqual(
      populations.map(({ count }) => count),
      all.map(each => rows.filter(row => row >= 0 && isIn(each, row)).length),
    );
    const [, second] = all;
    const bits = membersOf(second?.rows ?? new Uint32Array(0), rows);
    deepEqual(
      Array.from(rows, (_, object) => ((bits[object >>> 5] ?? 0) >>> (object & 31)) & 1),
      Array.from(rows, row => Number(row >= 0 && second !== undefined && isIn(second, row))),
    );
  });

  it('end when they are no longer wanted', async () => {
    const all = [population('A', [0], false, 0)];
    const many = new Int32Array(40_000_000);
    await rejects(coloredObjects(all, many, AbortSignal.abort()), { code: 'cancelled' });
  });
});
