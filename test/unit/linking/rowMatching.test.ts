import assert from 'node:assert/strict';
import type { ImageOfText } from '../../../src/archives/imageCatalog';
import { matchRows } from '../../../src/linking/engine/rowLinking';

function link(
  rows: { images?: number[]; ids: number[]; idResiduals?: number[]; areas?: number[] },
  objects: { ids: number[]; longIds?: [object: number, id: bigint][]; areas?: number[] }[],
  imageOfText: ImageOfText[] = objects.map((_, at) => at),
) {
  const steps = matchRows(
    {
      ...(rows.images && { imageCodes: Uint32Array.from(rows.images) }),
      imageOfText,
      ids: Float64Array.from(rows.ids),
      ...(rows.idResiduals && { idResiduals: [Float64Array.from(rows.idResiduals)] }),
      ...(rows.areas && { areas: Float64Array.from(rows.areas) }),
    },
    objects.map(({ ids, longIds = [], areas }) => ({
      ids: Float64Array.from(ids),
      longIds: new Map(longIds),
      areas: Float64Array.from(areas ?? ids.map(() => 1)),
    })),
  );
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe('rows and objects', () => {
  it('are matched by image and ID', () => {
    const links = link({ images: [0, 0, 1], ids: [2, 1, 1] }, [{ ids: [1, 2] }, { ids: [1] }]);
    assert.deepEqual([...links.objectOfRow], [1, 0, 2]);
    assert.deepEqual([...links.rowOfObject], [1, 0, 2]);
    assert.deepEqual([...links.imageStarts], [0, 2, 3]);
    assert.deepEqual(links.counts, { matched: 3, rowsWithoutObject: 0, objectsWithoutRow: 0, ambiguous: 0 });
  });

  it('are matched by all digits of IDs that share a double', () => {
    const double = 2 ** 53;
    const { objectOfRow } = link({ ids: [double, double, double, NaN], idResiduals: [1, 0, 3, 0] }, [
      { ids: [double, double], longIds: [[1, 2n ** 53n + 1n]] },
    ]);
    assert.deepEqual([...objectOfRow], [1, 0, -1, -1]);
  });

  it('without a counterpart are counted', () => {
    const { counts } = link({ images: [0, 0, 1], ids: [5, NaN, 1] }, [{ ids: [1] }], [0, 'none']);
    assert.deepEqual(counts, { matched: 0, rowsWithoutObject: 3, objectsWithoutRow: 1, ambiguous: 0 });
  });

  it('stay unlinked where two rows or two objects have the same ID', () => {
    const rowsTwice = link({ images: [0, 0, 0, 0], ids: [1, 1, 1, 2] }, [{ ids: [1, 2] }]);
    assert.deepEqual([...rowsTwice.objectOfRow], [-1, -1, -1, 1]);
    assert.deepEqual([...rowsTwice.rowOfObject], [-1, 3]);
    assert.deepEqual(rowsTwice.counts, {
      matched: 1,
      rowsWithoutObject: 0,
      objectsWithoutRow: 1,
      ambiguous: 3,
    });
    const objectsTwice = link({ images: [0], ids: [1] }, [{ ids: [1, 1] }]);
    assert.deepEqual(objectsTwice.counts, {
      matched: 0,
      rowsWithoutObject: 0,
      objectsWithoutRow: 2,
      ambiguous: 1,
    });
    const image = link({ images: [0], ids: [1] }, [{ ids: [1] }], ['ambiguous']);
    assert.equal(image.counts.ambiguous, 1);
  });

  it('need no image column when there is one image, and are not guessed when there are more', () => {
    assert.equal(link({ ids: [1] }, [{ ids: [1] }]).counts.matched, 1);
    assert.equal(link({ ids: [1] }, [{ ids: [1] }, { ids: [1] }]).counts.matched, 0);
  });

  it('whose areas differ by a constant factor are reported', () => {
    const objects = [{ ids: [1, 2, 3], areas: [100, 200, 400] }];
    const scaled = link({ images: [0, 0, 0], ids: [1, 2, 3], areas: [25, 50, 100] }, objects).counts;
    assert.deepEqual([scaled.areaRatio, scaled.areaRatioConstant], [0.25, true]);
    const other = link({ images: [0, 0, 0], ids: [1, 2, 3], areas: [100, 20, 900] }, objects).counts;
    assert.deepEqual([other.areaRatio, other.areaRatioConstant], [1, false]);
    const without = link({ images: [0], ids: [1], areas: [NaN] }, objects).counts;
    assert.equal('areaRatio' in without, false);
  });
});
