import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ObjectList, Rounding } from '../../../src/linking/objectEvidence';

const listOf = (ids: readonly number[], areas?: readonly number[]) =>
  ObjectList.of(Uint32Array.from(ids.keys()), {
    ids: Float64Array.from(ids),
    ...(areas && { areas: Float64Array.from(areas) }),
  });
const someIds = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });

describe('lists of objects', () => {
  it('say what IDs they have in common, and where, as looking at each pair does', () =>
    fc.assert(
      fc.property(someIds, someIds, (ofRows, ofObjects) => {
        const [rows, objects] = [listOf(ofRows), listOf(ofObjects)];
        const isOnce = (all: readonly number[], id: number) => all.filter(each => each === id).length === 1;
        const both = ofRows.filter(id => isOnce(ofRows, id) && isOnce(ofObjects, id));
        const sets = [ofRows, ofObjects].map(ids => ids.toSorted((a, b) => a - b).join());
        const areEqual = both.length === ofRows.length && sets[0] === sets[1] && both.length > 0;
        assert.equal(rows.compareIds(objects), areEqual ? 'equal' : both.length > 0 ? 'part' : 'none');
        assert.equal(
          objects.hasAllOf(rows),
          ofRows.every(id => ofObjects.includes(id)) &&
            (new Set(ofRows).size < ofRows.length || ofRows.length <= ofObjects.length),
        );
        for (const [index, id] of rows.ids.entries()) {
          const found = rows.indexIn(objects, index);
          if (isOnce(ofObjects, id)) assert.equal(objects.ids[found], id);
          else assert.equal(found, ObjectList.NOT_FOUND);
        }
      }),
    ));

  it('sample IDs so that lists with nearly the same IDs have nearly the same sample', () => {
    const ids = Array.from({ length: 2000 }, (_, at) => at * 3 + 7);
    const [all, most] = [listOf(ids), listOf(ids.filter(id => id % 10 !== 0))];
    const idsOf = (list: ObjectList) => [...list.sample(48)].map(index => list.ids[index] ?? NaN);
    assert.equal(idsOf(all).length, 48);
    assert.deepEqual(
      idsOf(all),
      idsOf(all).toSorted((a, b) => a - b),
    );
    const ofMost = new Set(idsOf(most));
    const common = idsOf(all).filter(id => ofMost.has(id));
    assert.ok(common.length >= 38, String(common.length));
    for (const count of [0, 3, 47, 48, 49, 1000])
      assert.equal(listOf(ids.slice(0, count)).sample(48).length, Math.min(48, count));
  });

  it('fit by areas up to the ratios that all objects allow', () => {
    const rounding = Rounding.of(Float64Array.from([100, 300, 200, 1200]));
    const rows = listOf([1, 2, 3], [300, 1200, 200]);
    const fitOf = (areas: number[]) =>
      rows.fitAreas(
        listOf([1, 2, 3, 4], areas),
        rows.areas.map(area => rounding.toleranceOf(area)),
        { count: 0 },
      );
    assert.ok(fitOf([251, 1249, 151, 9]));
    assert.equal(fitOf([251, 900, 249, 9]), undefined);
  });
});

describe('the rounding of numbers', () => {
  it('is half of the last digit that any of them has, also before the point', () => {
    const toleranceOf = (values: number[], of: number) =>
      Math.round(Rounding.of(Float64Array.from(values)).toleranceOf(of) * 1000) / 1000;
    assert.equal(toleranceOf([1, 2.5, 3.25], 3), 0.005);
    assert.equal(toleranceOf([100, 300, 1200], 300), 50);
    assert.equal(toleranceOf([110, 320, 1230], 300), 5);
    assert.equal(toleranceOf([123, 321, 1203], 321), 0.5);
    assert.equal(toleranceOf([100, 300], 300) >= 0.5, true);
  });
});
