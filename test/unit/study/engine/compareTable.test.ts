import * as assert from 'node:assert/strict';
import { NO_REPLICATE } from '../../../../src/study/replicates';
import { compareTable } from '../../../../src/study/engine/compareTable';
import { studyImagesOf } from '../../../../src/study/engine/studyImages';
import { TableTexts } from '../../columns/engine/tableTexts';

const COLUMNS = { condition: 1, replicate: [2], measure: { kind: 'column', column: 3 } } as const;
const HOW = { mean: 'objects', paired: false, scale: 'difference' } as const;

/**
 * Two conditions of three donors, two images each; the objects of the second condition are greater
 * by 10.
 */
function objects(perImage: number): string {
  const rows = ['Image,Dose,Donor,Area,Class'];
  for (const dose of ['10', '2'])
    for (let donor = 1; donor <= 3; donor++)
      for (let site = 1; site <= 2; site++)
        for (let at = 0; at < perImage; at++)
          rows.push(
            `${dose}/${donor}_${site}.tif,${dose},d${donor},${(dose === '10' ? 10 : 0) + donor + at / perImage},a`,
          );
  return rows.join('\n');
}

describe('A table compared by conditions', () => {
  const texts = new TableTexts();

  before(() => texts.start());
  after(() => texts.end());

  async function compared(content: string, more: Partial<Parameters<typeof compareTable>[2]> = {}) {
    const view = await texts.view(content);
    const params = { ...COLUMNS, ...HOW, replicate: [2], ...more };
    return compareTable(view, studyImagesOf(view.table), params);
  }

  it('has conditions in the order of numbers, where they are numbers', async () => {
    const { groups, numbers, pairs, images, objects: counted, areAllKnown } = await compared(objects(5));
    assert.deepEqual(
      groups.map(({ condition, n }) => [condition, n]),
      [
        ['2', 3],
        ['10', 3],
      ],
    );
    assert.deepEqual(numbers, [2, 10]);
    assert.equal(Math.round((pairs[0]?.effect ?? 0) * 1e9) / 1e9, 10);
    assert.deepEqual([images, counted, areAllKnown], [12, 60, false]);
  });

  it('has each object as a point where they are few', async () => {
    const { marks, replicates, groups } = await compared(objects(5), { plot: true });
    assert.ok(marks);
    assert.equal(marks.of, 'objects');
    assert.deepEqual(marks.window, [1, 13.8]);
    const [values, conditions, ofReplicates, rows] = [
      new Float64Array(marks.values),
      new Uint32Array(marks.conditions),
      new Uint32Array(marks.replicates),
      new Uint32Array(marks.rows),
    ];
    assert.deepEqual([values.length, rows.length, marks.beyond], [60, 60, 0]);
    assert.deepEqual(marks.groups, [{ count: 30 }, { count: 30 }]);
    rows.forEach((row, at) => {
      const isHigh = row < 30;
      assert.equal(groups[conditions[at] ?? -1]?.condition, isHigh ? '10' : '2');
      const replicate = replicates[ofReplicates[at] ?? NO_REPLICATE];
      assert.equal(replicate?.condition, isHigh ? '10' : '2');
      assert.equal(Math.floor(values[at] ?? 0), (isHigh ? 10 : 0) + Number(replicate.name[0]?.slice(1)));
    });
  });

  it('has densities where objects are many, which end where the values do', async () => {
    const { marks } = await compared(objects(500), { plot: true });
    assert.ok(marks);
    assert.equal(new Float64Array(marks.values).length, 0);
    const [first, second] = marks.groups;
    assert.deepEqual([first?.count, second?.count], [3000, 3000]);
    const { low = 0, high = 0, heights = [] } = first?.density ?? {};
    assert.ok(low >= 1 - 0.05 && low < 1.1 && high <= 4.05 && high > 3.9);
    assert.equal(Math.max(...heights), 1);
    // The values are even: so is the density, but for its ends.
    assert.ok(heights.slice(20, -20).every(height => height > 0.85));
  });

  it('keeps a few values far away from pressing all others together, and counts them', async () => {
    const { marks } = await compared(`${objects(500)}\nx,2,d1,1e9,a`, { plot: true });
    assert.equal(marks?.beyond, 1);
    assert.ok((marks.window?.[1] ?? Infinity) < 1e6);
  });

  it('has images as marks for a share and for objects per image', async () => {
    const { marks } = await compared(objects(5), {
      plot: true,
      measure: { kind: 'objectsPerImage', per: 'image' },
    });
    assert.equal(marks?.of, 'images');
    assert.deepEqual(
      [...new Float64Array(marks.values)],
      Array.from({ length: 12 }, () => 5),
    );
    assert.equal(marks.rows.byteLength, 0);
  });

  it('says what is left out: rows and images without condition or replicate', async () => {
    const found = await compared(`${objects(5)}\nno.tif,,d1,4,a\nno2.tif,2,,4,a\nno3.tif,2,,4,a`);
    assert.deepEqual([found.withoutCondition, found.withoutReplicate, found.images], [1, 2, 12]);
  });

  it('has no test without replicates', async () => {
    const { reason, groups } = await compared(objects(5), { replicate: [] });
    assert.equal(reason, 'no-replicates');
    assert.deepEqual(
      groups.map(({ n }) => n),
      [0, 0],
    );
  });

  it('refuses a column of texts, one that is both, and one with too many conditions', async () => {
    await assert.rejects(compared(objects(5), { measure: { kind: 'column', column: 4 } }), {
      code: 'bad-request',
    });
    await assert.rejects(compared(objects(5), { replicate: [1] }), { code: 'bad-request' });
    await assert.rejects(
      compared(objects(200), { condition: 3 }),
      (error: { details?: { reason?: { message?: string } } }) => {
        return error.details?.reason?.message === 'There are {0} conditions, and at most {1} can be compared';
      },
    );
  });
});
